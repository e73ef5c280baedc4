/*
 * The queue of events, ordered by time, then by class, then by luck (model 1.1); how it is kept is
 * in event.c.
 *
 * An event names a component (a port, node, flow or rank: sim_comp_port() and so on), what happens
 * to it, and a priority where that matters; whatever else it needs is in the component. So a
 * component never has two pending events that are equal in all of these, and a pending one is
 * remembered by a bit or a struct sim_timer of the component. sim.c hands each to the module that
 * knows what to do.
 *
 * Nothing is pushed for a time that is past, and nothing is taken back: an event that is no longer
 * meant finds that out in its handler (sim_timer_due()).
 */
#ifndef WEFT_SIM_EVENT_H
#define WEFT_SIM_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "sim/world.h"

/* Order at equal time (model 1.1); commands come before all of these. */
enum sim_class {
    SIM_CLASS_CONTROL, /* arrivals of PFC frames, and their effect */
    SIM_CLASS_ARRIVAL, /* arrivals of everything else; leaving the switch pipeline */
    SIM_CLASS_TX,      /* a port is free again */
    SIM_CLASS_TIMER,   /* protocol timers */
    SIM_CLASS_WORK,    /* computing GPUs, flows that begin */
};

enum sim_event_kind {
    SIM_EV_ARRIVE,    /* port: the oldest frame on its cable reaches the peer */
    SIM_EV_TX_DONE,   /* port: the slot is over */
    SIM_EV_PIPELINE,  /* node: the oldest frame in the switch pipeline reaches its queue */
    SIM_EV_OBEY,      /* port: the oldest PFC frame received takes effect */
    SIM_EV_PAUSE_END, /* port, priority: a pause runs out */
    SIM_EV_REFRESH,   /* port, priority: time to repeat XOFF */
    SIM_EV_ACK_TIMER, /* flow */
    SIM_EV_FLOW,      /* flow begins */
    SIM_EV_COMPUTED,  /* rank has its gradients */
    SIM_EV_HEADER,   /* port: the header of a frame on its cable has passed the switch's pipeline */
    SIM_EV_RECEIVER, /* flow: its receiver has waited long enough for a packet */
    SIM_EV_PACE,     /* flow: its rate allows the next packet */
    SIM_EV_CC_ALPHA, /* flow: DCQCN forgets congestion */
    SIM_EV_CC_RAISE, /* flow: DCQCN raises its rate */
    SIM_EV_CREDIT,   /* port, VL: the next credit packet may go */
    SIM_EV_RESYNC,   /* port, VL: tell the neighbour how much was sent, credits were lost */
    SIM_EV_LIFETIME, /* port, VL: the head of the queue may have waited for too long */
    SIM_EV_REROUTE,  /* port: everybody knows by now that its cable is cut */
    SIM_EV_WATCH,    /* (port 0) the PFC watchdog looks at all ports */
    SIM_EV_STALL,    /* (port 0) has nothing moved for long? */
    SIM_EV_DRAIN,    /* node: a slow host takes the oldest frame out of its receive buffer */
    SIM_EV_CC_CUT,   /* flow: DCQCN has been warned, the time to cut its rate has come */
};

/* What an event is made of. */
static inline enum sim_class sim_event_class(const struct sim_event *e)
{
    return (enum sim_class)(e->order >> 61);
}
static inline uint32_t sim_event_component(const struct sim_event *e)
{
    return (uint32_t)(e->order >> 8) & 0xffffffu;
}
static inline enum sim_event_kind sim_event_kind(const struct sim_event *e)
{
    return (enum sim_event_kind)(e->order >> 3 & 31u);
}
static inline uint32_t sim_event_prio(const struct sim_event *e)
{
    return (uint32_t)e->order & 7u;
}

static inline bool sim_event_before(const struct sim_event *a, const struct sim_event *b)
{
    return a->t != b->t ? a->t < b->t : a->order < b->order;
}

/* Sizes the wheel for a fabric whose ports and frames are known. */
void sim_event_plan(struct sim_config *config);
size_t sim_event_words(const struct sim_config *config); /* in the section of its bits */
void sim_event_init(struct sim *s);                      /* an empty queue */

/* ---- pushing: inline, it happens twice for every frame on every cable ------------------------- */

enum { SIM_LUCK_BITS = 29, SIM_WHEEL_WORD = 64 };

void sim_far_push(struct sim *s, struct sim_event e);
static inline void sim_near_push(struct sim *s, uint32_t bucket, struct sim_event e)
{
    struct sim_world *w = s->w;
    uint32_t i = w->near_free;
    if (i != SIM_NONE) {
        w->near_free = s->near[i].next;
    } else {
        i = (uint32_t)w->near_high++;
    }
    s->near[i] = (struct sim_near){ .event = e, .next = s->buckets[bucket] };
    s->buckets[bucket] = i;
    uint32_t word = bucket / SIM_WHEEL_WORD;
    uint64_t *bits = s->bucket_bits;
    if (bits[word] == 0) {
        uint64_t *above = &bits[s->config->wheel_size / SIM_WHEEL_WORD];
        above[word / SIM_WHEEL_WORD] |= UINT64_C(1) << word % SIM_WHEEL_WORD;
    }
    bits[word] |= UINT64_C(1) << bucket % SIM_WHEEL_WORD;
}
static inline void sim_event_push(struct sim *s, sim_ps t, enum sim_class class, uint32_t comp,
                                  enum sim_event_kind kind, uint32_t prio)
{
    const struct sim_config *c = s->config;
    struct sim_world *w = s->w;
    uint64_t luck = rng_mix(c->seed ^ (uint64_t)t ^ c->component_hash[comp]);
    struct sim_event e = { .t = t,
                           .order = (uint64_t) class << 61 | luck >> (64 - SIM_LUCK_BITS) << 32 |
                                    (uint64_t)comp << 8 | (uint64_t)kind << 3 | prio };
    uint64_t bucket = (uint64_t)t >> c->wheel_shift;
    uint64_t ahead = bucket - ((uint64_t)w->now >> c->wheel_shift);
    w->event_count++;
    if (bucket > w->run_bucket && ahead < c->wheel_size) {
        sim_near_push(s, (uint32_t)bucket & (c->wheel_size - 1), e);
    } else {
        sim_far_push(s, e);
    }
}

/* ---- taking ---------------------------------------------------------------------------------- */

/* Turns the wheel to the next events. Called after everything that pushes or pops: so the first one
 * is always at hand, and readers need not look for it. */
void sim_wheel_turn(struct sim *s);
static inline void sim_event_turn(struct sim *s)
{
    if (s->w->run == SIM_NONE) {
        sim_wheel_turn(s);
    }
}
/* The first event; NULL: there is none. */
static inline const struct sim_event *sim_event_first(const struct sim *s)
{
    const struct sim_world *w = s->w;
    const struct sim_event *far = w->far_first != SIM_NEVER ? &s->events[0] : NULL;
    if (w->run == SIM_NONE) {
        return far;
    }
    const struct sim_event *near = &s->near[w->run].event;
    if (near->t != w->far_first) {
        return near->t < w->far_first ? near : far;
    }
    return sim_event_before(far, near) ? far : near;
}
struct sim_event sim_far_pop(struct sim *s);
/* Takes the first event, unless it is later than `until`. */
static inline bool sim_event_take(struct sim *s, sim_ps until, struct sim_event *e)
{
    struct sim_world *w = s->w;
    const struct sim_event *first = sim_event_first(s);
    if (first == NULL || first->t > until) {
        return false;
    }
    w->event_count--;
    if (first == s->events) {
        *e = sim_far_pop(s);
        return true;
    }
    struct sim_near *near = &s->near[w->run];
    uint32_t next = near->next;
    *e = near->event;
    near->next = w->near_free;
    w->near_free = w->run;
    w->run = next;
    return true;
}
/* The first event. There is one. */
static inline struct sim_event sim_event_pop(struct sim *s)
{
    struct sim_event e = { 0 };
    sim_event_turn(s);
    (void)sim_event_take(s, SIM_NEVER, &e);
    return e;
}
/* True if it holds for every pending event. */
bool sim_event_all(const struct sim *s,
                   bool (*holds)(const struct sim *s, const struct sim_event *e));
/* For the audit: counts, order and places agree. */
bool sim_event_check(const struct sim *s);
/* Sets a timer's deadline (SIM_NEVER: off), with an event of `kind` if none is pending in time. */
static inline void sim_timer_set(struct sim *s, struct sim_timer *timer, sim_ps deadline,
                                 enum sim_class class, uint32_t comp, enum sim_event_kind kind,
                                 uint32_t prio)
{
    timer->deadline = deadline;
    if (deadline != SIM_NEVER && deadline < timer->event) {
        timer->event = deadline; /* an event pending for later finds that it is no longer meant */
        sim_event_push(s, deadline, class, comp, kind, prio);
    }
}
/* In the handler: true if the timer really is due; otherwise its event is set again or dropped. */
bool sim_timer_due(struct sim *s, struct sim_timer *timer, enum sim_class class, uint32_t comp,
                   enum sim_event_kind kind, uint32_t prio);

#endif
