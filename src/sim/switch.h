/*
 * A switch: admission, queues, release (model 2.2).
 */
#ifndef WEFT_SIM_SWITCH_H
#define WEFT_SIM_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

/* Counts a frame in at its ingress port, or loses it; XOFF follows from it. */
bool sim_ingress_admit(struct sim *s, uint32_t port, uint32_t packet);
void sim_switch_receive(struct sim *s, uint32_t port, uint32_t packet);
/* True for a frame that must not be cut through: it may be refused or flooded. */
bool sim_switch_must_look(const struct sim *s, uint32_t port, const struct sim_packet *f);
void sim_switch_pipeline(struct sim *s, uint32_t node);
void sim_switch_release(struct sim *s, uint32_t ingress, uint32_t prio, int64_t bytes);
void sim_egress_put(struct sim *s, uint32_t port, uint32_t packet); /* appends */
void sim_egress_push(struct sim *s, uint32_t port, uint32_t packet);
uint32_t sim_egress_pop(struct sim *s, uint32_t port, uint32_t prio);
/* A share of the free part of a switch's shared memory. */
int64_t sim_free_share(const struct sim *s, uint32_t node, int64_t alpha);
/* Probability of an ECN mark, in 2^-32, for a queue of so many bytes (model 2.6). */
uint64_t sim_ecn_share(const struct sim_knobs *knobs, int64_t queue);
uint32_t sim_route(struct sim *s, uint32_t node, const struct sim_packet *packet);

/* The queue's first packet is discarded, or all of them. */
void sim_egress_discard(struct sim *s, uint32_t port, uint32_t prio, enum sim_reason reason,
                        bool all);

#endif
