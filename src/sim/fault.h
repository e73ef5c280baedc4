/*
 * Packets that are destroyed on purpose: the commands drop, drop_frame, drop_nth, loss, burst,
 * drop_ack, loss_ack. What corrupt spoils is in corrupt.h.
 *
 * A packet on its way is destroyed where it is. One that is still to come gets a rule, which
 * strikes when its last bit reaches the end of its first cable in the fabric (of its first cable,
 * if it stays inside a box). Random and regular losses happen in the fabric only: PCIe and NVLink
 * send again by themselves what a bit error spoils.
 *
 * Rules live in struct sim_world. Luck is keyed by the packet, so the same packet meets the same
 * fate in every branch of a what-if.
 */
#ifndef WEFT_SIM_FAULT_H
#define WEFT_SIM_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/command.h"
#include "sim/trace.h"
#include "sim/world.h"

/*
 * A packet is at the end of the cable that `port` sends: is it destroyed there, or refused? The reason, or
 * SIM_REASON_NONE. `whole`: its last bit is there too.
 */
enum sim_reason sim_fault_strikes(struct sim *s, uint32_t port, uint32_t packet, bool whole);
/* The same, quickly when there are no faults. */
static inline enum sim_reason sim_fault_hits(struct sim *s, uint32_t port, uint32_t packet,
                                             bool whole)
{
    return s->w->lossy == 0 ? SIM_REASON_NONE : sim_fault_strikes(s, port, packet, whole);
}
/* Some packet has a field that is wrong, or will have. */
static inline bool sim_fault_corrupts(const struct sim *s)
{
    return (s->w->lossy >> SIM_LOSSY_COUNT & 1u) != 0;
}
/* What drop_nth, loss, burst, drop_ack and loss_ack do: from now on, or no longer. */
void sim_fault_lose(struct sim *s, const struct sim_cmd *cmd);
/* The bits of world.lossy, computed from the rules. */
uint64_t sim_fault_lossy(const struct sim *s);

/* What a `drop` command means at this moment: which packet, from which attempt on. */
struct sim_drop_target {
    uint32_t flow;
    uint64_t psn;
    uint32_t attempt, attempts; /* the first, and how many in a row */
    uint32_t packet;            /* it is on its way now (index), or SIM_NONE: still to come */
};
/* False: there is no such packet, or it has arrived. */
bool sim_fault_aim(const struct sim *s, const struct sim_cmd *cmd, struct sim_drop_target *target,
                   struct err *err);
void sim_fault_drop(struct sim *s, const struct sim_drop_target *target);
/* The frame that a `drop_frame` command means, or SIM_NONE with the reason: it is not there (any more). */
uint32_t sim_fault_aim_frame(const struct sim *s, const struct sim_cmd *cmd, struct err *err);
void sim_fault_drop_frame(struct sim *s, uint32_t packet);
/* A data packet on a cable or in a switch, or SIM_NONE. */
uint32_t sim_packet_find(const struct sim *s, uint32_t flow, uint64_t psn, uint32_t attempt);

#endif
