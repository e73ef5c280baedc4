/*
 * Priority flow control: when a switch, or a slow host, asks its neighbour to stop (model 2.2 to
 * 2.5).
 *
 *            held from the neighbour reaches xoff, or headroom is in use  / send XOFF, repeat it
 *          +------------------------------------------------------------>+
 *       [ OPEN ]                                                     [ PAUSING ]
 *          +<------------------------------------------------------------+
 *            headroom empty and held at or below xon                      / send XON
 *
 * The other end stops `pfc_response` after the frame has arrived, for as long as it says (65,535
 * quanta of 512 bit times) or until XON. What it sent before that lands in the headroom.
 *
 * For each port and class: struct sim_pg is the end that asks, struct sim_egress the end that
 * stops. Invariant: headroom <= headroom_limit. A frame that does not fit there is lost, in a class
 * called lossless. All thresholds are bytes.
 */
#ifndef WEFT_SIM_PFC_H
#define WEFT_SIM_PFC_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

/* Has this port told its neighbour to stop? */
static inline bool sim_pfc_pausing(const struct sim *s, uint32_t port, uint32_t prio)
{
    return ((unsigned)s->ports[port].pausing >> prio & 1u) != 0;
}
/* Does PFC apply to a class now? */
static inline bool sim_lossless(const struct sim *s, uint32_t prio)
{
    return s->w->knobs.v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_PFC &&
           (s->config->lossless_mask >> prio & 1u) != 0;
}
/* The thresholds in force: fixed, or a share of what is free in the switch at this moment. */
int64_t sim_pfc_xoff_share(const struct sim *s, uint32_t port);
static inline int64_t sim_pfc_xoff(const struct sim *s, uint32_t port)
{
    const int64_t *knob = s->w->knobs.v;
    return knob[SIM_KNOB_ALPHA] == SIM_AUTO ? knob[SIM_KNOB_XOFF] : sim_pfc_xoff_share(s, port);
}
int64_t sim_pfc_xon(const struct sim *s, uint32_t port);
int64_t sim_pfc_xon_below(const struct sim *s, int64_t xoff); /* the XON of such an XOFF */
/* Headroom and response of all ports, and the memory that is left to share: after a knob moved. */
void sim_pfc_derive(struct sim *s);

/* ---- who asks -------------------------------------------------------------------------------- */

/* A frame has been charged to the port, or released: maybe XOFF, maybe XON. */
void sim_pfc_begin(struct sim *s, uint32_t port, uint32_t prio);
void sim_pfc_maybe_end(struct sim *s, uint32_t port, uint32_t prio);
static inline void sim_pfc_admitted(struct sim *s, uint32_t port, uint32_t prio)
{
    const struct sim_pg *pg = &s->ports[port].classes[sim_class_place(prio)].in;
    if (!sim_pfc_pausing(s, port, prio) &&
        (pg->headroom > 0 || pg->shared >= sim_pfc_xoff(s, port))) {
        sim_pfc_begin(s, port, prio);
    }
}
static inline void sim_pfc_released(struct sim *s, uint32_t port, uint32_t prio)
{
    if (sim_pfc_pausing(s, port, prio)) {
        sim_pfc_maybe_end(s, port, prio);
    }
}
/* SIM_EV_REFRESH: it still holds too much, XOFF again. */
void sim_pfc_refresh(struct sim *s, uint32_t port, uint32_t prio);
/* Sends XOFF or XON, whatever it holds. */
void sim_pfc_send(struct sim *s, uint32_t port, uint32_t prio, bool xoff);
/* A broken NIC pauses its neighbour for ever in the lossless classes of the mask (bit per
 * priority), and no longer in the others. */
void sim_pfc_storm(struct sim *s, uint32_t port, unsigned mask);
/* The host is dead: it repeats no XOFF. */
void sim_pfc_port_dies(struct sim *s, uint32_t port);

/* ---- who stops ------------------------------------------------------------------------------- */

/* XOFF or XON has arrived. It acts after the response time: */
void sim_pfc_receive(struct sim *s, uint32_t port, uint32_t packet);
void sim_pfc_obey(struct sim *s, uint32_t port); /* SIM_EV_OBEY */
/* SIM_EV_PAUSE_END: a pause that nobody repeated runs out. */
void sim_pfc_pause_end(struct sim *s, uint32_t port, uint32_t prio);
/* The cable is cut: nobody pauses this port any more. */
void sim_pfc_forget(struct sim *s, uint32_t port);

/* PFC is switched off in a running fabric: both ends of all cables forget their pauses. */
void sim_pfc_switch_off(struct sim *s);

#endif
