/*
 * Congestion control: DCQCN (model 4.4), when the knob `cc` says so.
 *
 *   switch    marks packets that leave a long queue                         (CP, switch.c)
 *   receiver  a marked packet arrives -> one CNP to its sender, at most every cnp_interval   (NP)
 *   sender    CNP -> cut the rate; silence -> back up, in three stages                       (RP)
 *
 *       cut:     target = rate;  rate -= rate x alpha/2;  alpha += g (1 - alpha)
 *                (dcqcn_cut_time after the first CNP or the last cut, if there was a CNP since)
 *       forget:  alpha -= g alpha             every alpha timer without a CNP
 *       raise:   every timer and every so many bytes: first F times halfway back to the target, then
 *                the target rises by AI, and when both counters are past F by i x HAI
 *
 * A flow starts at line rate, without any of this, until its first CNP (`active`). When it is back
 * at the line and has forgotten, it is free again. State: struct sim_cc of each queue pair; rates
 * in bit/s, alpha and g as shares in 2^-32.
 */
#ifndef WEFT_SIM_CC_H
#define WEFT_SIM_CC_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

/* A flow begins: line rate. */
void sim_cc_init(struct sim *s, uint32_t flow);

/* ---- sender ---------------------------------------------------------------------------------- */

/* Does the flow's rate allow a packet now? If not, it will be told (SIM_EV_PACE). */
bool sim_cc_may_send(struct sim *s, uint32_t flow);
void sim_cc_pace(struct sim *s, uint32_t flow); /* SIM_EV_PACE: it does */
/* A data packet of so many bytes is made: pacing and the byte counter. */
void sim_cc_sent(struct sim *s, uint32_t flow, int64_t bytes);
/* A CNP has arrived. */
void sim_cc_cnp(struct sim *s, uint32_t packet);
void sim_cc_cut(struct sim *s, uint32_t flow);    /* SIM_EV_CC_CUT */
void sim_cc_forget(struct sim *s, uint32_t flow); /* SIM_EV_CC_ALPHA */
void sim_cc_raise(struct sim *s, uint32_t flow);  /* SIM_EV_CC_RAISE */

/* ---- receiver -------------------------------------------------------------------------------- */

/* A marked packet has arrived by `port`. */
void sim_cc_marked(struct sim *s, uint32_t port, uint32_t flow);

#endif
