/*
 * A queue pair, whatever its transport: messages in, packets out, the timer (model 4.1).
 */
#ifndef WEFT_SIM_QP_H
#define WEFT_SIM_QP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

void sim_qp_post(struct sim *s, uint32_t flow, int64_t bytes, uint32_t step, uint32_t flags);
/* The next packet of the next ready flow of a host in this class, or SIM_NONE. */
uint32_t sim_qp_pull(struct sim *s, uint32_t port, uint32_t prio);
void sim_qp_port_dies(struct sim *s, uint32_t port); /* nothing of it is ready to go */
void sim_qp_data(struct sim *s, uint32_t port, uint32_t packet);
void sim_qp_ack(struct sim *s, uint32_t port, uint32_t packet);
void sim_qp_timeout(struct sim *s, uint32_t flow);
/* How often `psn` has been or is being sent when it goes out next: its attempt number. */
uint32_t sim_qp_attempt(const struct sim *s, uint32_t flow, uint64_t psn);
uint64_t sim_packets_of(const struct sim *s, int64_t bytes);

#endif
