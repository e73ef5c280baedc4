/*
 * A queue pair, whatever its transport (model 4.1): messages in, packets out, answers back, the
 * timer.
 *
 *     sender    una ......... next ......... end        PSNs; messages are ranges of them
 *                |  on the way  |  to be sent  |  not posted yet
 *     receiver  expected: what it has not got, the first of it
 *
 *     post -> ready, in its NIC's list -> the port is free: pull -> packet
 *                                                     ACK or NAK -> una moves, or next goes back
 *                                                     silence    -> timeout
 *
 * Data waits in the host's memory: a packet is made when its port is free to send it. PSNs count
 * from 0 and never begin again; on a wire they have 24 bits, so fewer than SIM_PSN_WINDOW are
 * outstanding. A message is a cell (struct sim_cell), kept until it is acknowledged. Invariant: una
 * <= next <= end, una <= expected <= end.
 *
 * What a transport does about gaps is behind sim/transport.h.
 */
#ifndef WEFT_SIM_QP_H
#define WEFT_SIM_QP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

/* Posts a message of so many bytes, 0 included, behind those before it. `step`: training step, for
 * its packets; `flags`: of its cell (sim/state.h). */
void sim_qp_post(struct sim *s, uint32_t flow, int64_t bytes, uint32_t step, uint32_t flags);
/* Packets of such a message: one at least. */
uint64_t sim_packets_of(const struct sim *s, int64_t bytes);
/* The next packet of the next ready flow at this NIC in this class, or SIM_NONE; flows take turns. */
uint32_t sim_qp_pull(struct sim *s, uint32_t port, uint32_t prio);
/* Data, or an ACK or NAK, has arrived by `port`. Frees the packet. */
void sim_qp_data(struct sim *s, uint32_t port, uint32_t packet);
void sim_qp_ack(struct sim *s, uint32_t port, uint32_t packet);
/* SIM_EV_ACK_TIMER */
void sim_qp_timeout(struct sim *s, uint32_t flow);
/* The NIC is dead: nothing is ready there any more. */
void sim_qp_port_dies(struct sim *s, uint32_t port);
/* How often `psn` has been or is being sent when it goes out next: its attempt number, from 1. */
uint32_t sim_qp_attempt(const struct sim *s, uint32_t flow, uint64_t psn);

#endif
