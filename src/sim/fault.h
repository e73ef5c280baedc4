/*
 * Loss that somebody ordered.
 */
#ifndef WEFT_SIM_FAULT_H
#define WEFT_SIM_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/command.h"
#include "sim/world.h"

/* True when a fault destroys this packet at the end of port's cable. */
bool sim_fault_strikes(struct sim *s, uint32_t port, uint32_t packet);
static inline bool sim_fault_hits(struct sim *s, uint32_t port, uint32_t packet)
{
    return s->w->lossy != 0 && sim_fault_strikes(s, port, packet);
}
/* What drop_nth, loss, burst, drop_ack and loss_ack do. */
void sim_fault_lose(struct sim *s, const struct sim_cmd *cmd);
/* The bits of world.lossy, from the rules. */
uint64_t sim_fault_lossy(const struct sim *s);
/* What a `drop` command means at this moment: which packet, from which attempt on. */
struct sim_drop_target {
    uint32_t flow;
    uint64_t psn;
    uint32_t attempt, attempts;
    uint32_t packet; /* it is on its way now (index), or SIM_NONE: still to come */
};
bool sim_fault_aim(const struct sim *s, const struct sim_cmd *cmd, struct sim_drop_target *target,
                   struct err *err);
void sim_fault_drop(struct sim *s, const struct sim_drop_target *target);
/* A data packet on a cable or in a switch, or SIM_NONE. */
uint32_t sim_packet_find(const struct sim *s, uint32_t flow, uint64_t psn, uint32_t attempt);

#endif
