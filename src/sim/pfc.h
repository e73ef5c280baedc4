/*
 * Priority flow control (model 2.4, 2.5).
 */
#ifndef WEFT_SIM_PFC_H
#define WEFT_SIM_PFC_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

bool sim_lossless(const struct sim *s, uint32_t prio);
/* The thresholds in force: fixed, or a share of what is free in the switch at this moment. */
int64_t sim_pfc_xoff(const struct sim *s, uint32_t port);
int64_t sim_pfc_xon(const struct sim *s, uint32_t port);
int64_t sim_pfc_xon_below(const struct sim *s, int64_t xoff); /* the XON of such an XOFF */
void sim_pfc_derive(struct sim *s); /* headroom and response of all ports, after a knob moved */
void sim_pfc_admitted(struct sim *s, uint32_t port, uint32_t prio); /* maybe XOFF */
void sim_pfc_released(struct sim *s, uint32_t port, uint32_t prio); /* maybe XON */
void sim_pfc_send(struct sim *s, uint32_t port, uint32_t prio, bool xoff);
void sim_pfc_receive(struct sim *s, uint32_t port, uint32_t packet);
void sim_pfc_obey(struct sim *s, uint32_t port);
void sim_pfc_pause_end(struct sim *s, uint32_t port, uint32_t prio);
void sim_pfc_refresh(struct sim *s, uint32_t port, uint32_t prio);
void sim_pfc_forget(struct sim *s, uint32_t port);
void sim_pfc_storm(struct sim *s, uint32_t port, unsigned mask);
void sim_pfc_switch_off(struct sim *s);
void sim_pfc_port_dies(struct sim *s, uint32_t port); /* it repeats no XOFF */

#endif
