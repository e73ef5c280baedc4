/*
 * Congestion control: DCQCN (model 4.4).
 */
#ifndef WEFT_SIM_CC_H
#define WEFT_SIM_CC_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

void sim_cc_init(struct sim *s, uint32_t flow);
/* A data packet of so many bytes left: pacing and the byte counter. */
void sim_cc_sent(struct sim *s, uint32_t flow, int64_t bytes);
/* True when the flow's rate allows a packet now; otherwise it will be told (SIM_EV_PACE). */
bool sim_cc_may_send(struct sim *s, uint32_t flow);
void sim_cc_pace(struct sim *s, uint32_t flow);
void sim_cc_forget(struct sim *s, uint32_t flow);
void sim_cc_raise(struct sim *s, uint32_t flow);
void sim_cc_cut(struct sim *s, uint32_t flow);
/* Receiver: a marked packet has arrived. Sender: a CNP has. */
void sim_cc_marked(struct sim *s, uint32_t port, uint32_t flow);
void sim_cc_cnp(struct sim *s, uint32_t packet);

#endif
