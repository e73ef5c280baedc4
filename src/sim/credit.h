/*
 * Link credits (model 3): InfiniBand in the fabric, PCIe and NVLink inside a box. For each
 * direction of a cable and each virtual lane:
 *
 *     sender    sent ........... limit         it may send limit - sent blocks more
 *                                  ^
 *                                  | credit packet: promised
 *     receiver  received ..... promised = received + room in its buffer (2,048 blocks at most)
 *
 * All of these are blocks of 64 bytes, and only grow (struct sim_vl; an end of a cable has both
 * sides, one for each direction). What the buffer holds is `held`; room comes back when a packet
 * has left it, at the end of its slot on the next cable. A credit packet leaves as soon as the
 * frame on the wire has ended, when there is something new to say, and at most every `cred_min`.
 *
 * Invariants: received <= sent <= limit <= promised, and received + what is on the cable = sent,
 * unless something was destroyed there. So whatever arrives has room, and a lane never loses a
 * packet for want of it. sim_audit() checks them.
 *
 * A packet destroyed on its way was never received: its credits would be lost for good. 65,536
 * symbols later the sender says how much it has sent, and the receiver believes that. On links
 * without losses nothing is sent in silence.
 *
 * In what follows `port` is the end of the cable that does the thing; bytes are those of the frame
 * on that cable.
 */
#ifndef WEFT_SIM_CREDIT_H
#define WEFT_SIM_CREDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

/* Does this end of a cable use credits? In the fabric as `flow_control` says; inside a box always. */
static inline bool sim_credits_on(const struct sim *s, uint32_t port)
{
    return s->w->credits && (s->w->knobs.v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_CREDITS ||
                             s->config->ports[port].kind != SIM_LINK_FABRIC);
}

/* Does a frame on a cable still have to be received there? PFC and credits belong to nobody, and
 * what was cut through is in the buffer already. */
static inline bool sim_credit_counts(const struct sim_packet *f)
{
    return f->flow != SIM_NONE && (f->flags & SIM_FLAG_SHELL) == 0;
}

/* ---- sender: link.c asks before it sends ----------------------------------------------------- */

/* Are there credits for a frame? True wherever none are needed. */
bool sim_credit_covers(const struct sim *s, uint32_t port, uint32_t prio, int64_t bytes);
/* They are spent: it is sent. */
void sim_credit_spend(struct sim *s, uint32_t port, uint32_t prio, int64_t bytes);
/* The next frame of a lane, its credits spent; SIM_NONE when there is none, or when it lacks
 * credits: then the lane is blocked until some come. `queued`: one waits in the egress queue. */
uint32_t sim_credit_take(struct sim *s, uint32_t port, uint32_t prio, bool queued);
/* A credit packet has arrived: more may be sent. It also tells what its sender has sent. */
void sim_credit_receive(struct sim *s, uint32_t port, uint32_t packet);
/* A frame that `port` sent was destroyed on the way: tell how much was sent, in a while. */
void sim_credit_lost(struct sim *s, uint32_t port, uint32_t prio);
void sim_credit_resync(struct sim *s, uint32_t port, uint32_t prio); /* SIM_EV_RESYNC: now */
/* SIM_EV_LIFETIME: what heads a switch's queue without credits may have to be discarded. */
void sim_credit_lifetime(struct sim *s, uint32_t port, uint32_t prio);

/* ---- receiver -------------------------------------------------------------------------------- */

/* Blocks that fit into a lane's buffer at this end. */
int64_t sim_credit_buffer(const struct sim *s, uint32_t port);
/* A frame has come in. `keep`: it stays in the buffer until sim_credit_released(). */
void sim_credit_arrived(struct sim *s, uint32_t port, uint32_t prio, int64_t bytes, bool keep);
void sim_credit_released(struct sim *s, uint32_t port, uint32_t prio, int64_t bytes);
/* Something new may have to be said: now, or when `cred_min` is over (SIM_EV_CREDIT). */
void sim_credit_tell(struct sim *s, uint32_t port, uint32_t prio);
/* The credit packet of the lowest lane that is in `due`, made as it is sent. */
uint32_t sim_credit_frame(struct sim *s, uint32_t port);

/* ---- beginnings and ends --------------------------------------------------------------------- */

/* Whether any cable uses credits, from `flow_control` and the fabric: at the start, and when it changes. */
void sim_credit_derive(struct sim *s);
/* Both ends agree on what is where: at the start, and when `flow_control` becomes credits. All
 * links that use them; those inside boxes only when `all`. */
void sim_credit_begin(struct sim *s, bool all);
/* The same for the direction that `port` sends: its cable is mended. */
void sim_credit_begin_link(struct sim *s, uint32_t port);
/* `flow_control` is no longer credits: nobody in the fabric waits for them. */
void sim_credit_end(struct sim *s);

#endif
