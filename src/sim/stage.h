/*
 * Staging: messages that go from GPU to GPU by way of host memories (model 6.6).
 *
 *     g1>g5   what the workload posts and hears of; it sends no packets itself
 *        g1>h1   first leg: over PCIe into the memory of its box
 *        h1>h2   to the memory of the other box: NIC, fabric, NIC
 *        h2>g5   last leg
 *
 * Each leg is a queue pair with a name, acknowledgements and a timer of its own. A message that has
 * arrived on one leg is posted on the next; on the first leg every `stage_chunk` bytes that have
 * arrived are. The workload hears of a message when the last leg has delivered it, and that it is
 * acknowledged when the last leg's ACK is back.
 *
 * The queue pair of the flow itself counts messages where others count packets: una, expected and end
 * are messages acknowledged, delivered and posted.
 */
#ifndef WEFT_SIM_STAGE_H
#define WEFT_SIM_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

static inline bool sim_is_staged(const struct sim *s, uint32_t flow)
{
    return s->config->flows[flow].first_leg != SIM_NONE;
}
/* A message for a staged flow. */
void sim_stage_post(struct sim *s, uint32_t flow, int64_t bytes, uint32_t step, uint32_t flags);
/* A packet of a leg has been delivered in order; `last`: of its message. */
void sim_stage_delivered(struct sim *s, uint32_t leg, uint64_t psn, bool last);
/* So many messages that ended one of the flow's have been acknowledged on a leg. */
void sim_stage_acked(struct sim *s, uint32_t leg, uint32_t messages);
/* The queue pair that has what is farthest on its way: a leg of a staged flow, else the flow itself. */
uint32_t sim_stage_live(const struct sim *s, uint32_t flow);
/* In which unit a flow's queue pair counts: packets of a message, or messages of a staged flow. */
uint64_t sim_stage_units(const struct sim *s, uint32_t flow, int64_t bytes);

#endif
