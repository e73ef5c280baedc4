/*
 * InfiniBand link credits (model 3).
 */
#ifndef WEFT_SIM_CREDIT_H
#define WEFT_SIM_CREDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

static inline bool sim_credits(const struct sim *s)
{
    return s->w->knobs.v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_CREDITS;
}
static inline int64_t sim_blocks(int64_t bytes)
{
    return (bytes + SIM_CREDIT_BLOCK - 1) / SIM_CREDIT_BLOCK;
}
/* Does a frame on a cable still have to be received there? PFC and credits belong to nobody, and
 * what was cut through is in the buffer already. */
static inline bool sim_credit_counts(const struct sim_packet *f)
{
    return f->flow != SIM_NONE && (f->flags & SIM_FLAG_SHELL) == 0;
}
int64_t sim_credit_buffer(const struct sim *s);           /* blocks of a VL's buffer */
void sim_credit_begin(struct sim *s);                     /* all links agree on what is where */
void sim_credit_begin_link(struct sim *s, uint32_t port); /* the direction that `port` sends */
void sim_credit_end(struct sim *s);
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
