/*
 * InfiniBand link credits (model 3).
 */
#ifndef WEFT_SIM_CREDIT_H
#define WEFT_SIM_CREDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

/* Does this end of a cable use credits? In the fabric as `flow_control` says; inside a box always. */
static inline bool sim_credits_on(const struct sim *s, uint32_t port)
{
    return s->w->knobs.v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_CREDITS ||
           (s->config->inside && s->config->ports[port].kind != SIM_LINK_FABRIC);
}
/* Does a frame on a cable still have to be received there? PFC and credits belong to nobody, and
 * what was cut through is in the buffer already. */
static inline bool sim_credit_counts(const struct sim_packet *f)
{
    return f->flow != SIM_NONE && (f->flags & SIM_FLAG_SHELL) == 0;
}
int64_t sim_credit_buffer(const struct sim *s, uint32_t port); /* blocks of a VL's buffer */
/* All links that use credits agree on what is where; those inside boxes only when `all`. */
void sim_credit_begin(struct sim *s, bool all);
void sim_credit_begin_link(struct sim *s, uint32_t port); /* the direction that `port` sends */
void sim_credit_end(struct sim *s);                       /* in the fabric */
/* The next frame of a VL if there are credits for it, else SIM_NONE. */
uint32_t sim_credit_take(struct sim *s, uint32_t port, uint32_t prio, bool queued);
/* Are there credits for a frame that `port` sends? True wherever none are needed. */
bool sim_credit_covers(const struct sim *s, uint32_t port, uint32_t prio, int64_t bytes);
void sim_credit_spend(struct sim *s, uint32_t port, uint32_t prio, int64_t bytes);
uint32_t sim_credit_frame(struct sim *s, uint32_t port); /* of a VL in `due` */
void sim_credit_arrived(struct sim *s, uint32_t port, uint32_t prio, int64_t bytes, bool keep);
void sim_credit_released(struct sim *s, uint32_t port, uint32_t prio, int64_t bytes);
void sim_credit_receive(struct sim *s, uint32_t port, uint32_t packet);
void sim_credit_tell(struct sim *s, uint32_t port, uint32_t prio);
/* A frame that `port` sent was destroyed on the way. */
void sim_credit_lost(struct sim *s, uint32_t port, uint32_t prio);
void sim_credit_resync(struct sim *s, uint32_t port, uint32_t prio);
void sim_credit_lifetime(struct sim *s, uint32_t port, uint32_t prio);

#endif
