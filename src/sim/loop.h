/*
 * One event happens: inside sim.c, which takes them in the order of time, and turn.c, node by node.
 */
#ifndef WEFT_SIM_LOOP_H
#define WEFT_SIM_LOOP_H

#include <stdint.h>

#include "sim/event.h"
#include "sim/link.h"
#include "sim/switch.h"
#include "sim/world.h"

/* What happens seldom, or not in every fabric. */
void sim_dispatch_other(struct sim *s, enum sim_event_kind kind, uint32_t comp, uint32_t prio);

/* Any event, taken out of the queue. */
static inline void sim_run_other(struct sim *s, struct sim_event e)
{
    const enum sim_event_kind kind = sim_event_kind(&e);
    const uint32_t comp = sim_event_component(&e);
    sim_event_begin(s, e.t, e.order);
    s->w->count.events++;
    if (kind == SIM_EV_ARRIVE) {
        sim_port_arrive(s, comp);
    } else if (kind == SIM_EV_TX_DONE) {
        sim_port_tx_done(s, comp);
    } else if (kind == SIM_EV_PIPELINE) {
        sim_switch_pipeline(s, comp - s->config->port_count);
    } else {
        sim_dispatch_other(s, kind, comp, sim_event_prio(&e));
    }
}

/* One that has a place of its own, which says what it is: what happens to every frame. */
static SIM_ALWAYS void sim_run_own(struct sim *s, uint32_t place)
{
    const uint32_t ports = s->config->port_count;
    const sim_ps t = s->near[place].event.t;
    s->w->now = t;
    s->order = s->near[place].event.order;
    s->over = t - 1; /* what sim_event_begin() says of arrivals */
    s->w->count.events++;
    if (place < ports) {
        sim_port_arrive(s, place);
    } else if (place < 2 * ports) {
        s->over = t;
        sim_port_tx_done(s, place - ports);
    } else {
        sim_switch_pipeline(s, place - 2 * ports);
    }
}

#endif
