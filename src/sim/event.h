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
size_t sim_event_words(const struct sim_config *config);  /* in the section of its bits */
size_t sim_event_places(const struct sim_config *config); /* near events that are not in the pool */
void sim_event_init(struct sim *s);                       /* an empty queue */

/* ---- pushing: inline, it happens for every frame on every cable -------------------------------- */

enum { SIM_CLASS_SHIFT = 61, SIM_LUCK_BITS = 29, SIM_WHEEL_WORD = 64 };

/* Arrivals and ends of slots, of which a port has one each, and what leaves the pipeline of a node have
 * places of their own among the near events: nobody looks for one or gives it back. The others take
 * theirs from a pool behind these. */
static inline bool sim_event_has_place(enum sim_event_kind kind)
{
    return kind <= SIM_EV_PIPELINE;
}
/* Arrivals come first, then ends of slots, then nodes, as their components do. */
static inline uint32_t sim_event_place(const struct sim *s, uint32_t comp, enum sim_event_kind kind)
{
    return comp + (kind == SIM_EV_ARRIVE ? 0 : s->config->port_count);
}

void sim_far_push(struct sim *s, struct sim_event e);
/* Takes the first of the far ones, there is one, to a place among the near: its place, in no list. */
uint32_t sim_far_take(struct sim *s);
/* No arrival is far any more. */
void sim_far_forget_arrivals(struct sim *s);
/* A near event, which is in no list any more, becomes a far one; or goes to wherever its time is kept. */
void sim_far_move(struct sim *s, uint32_t place);
void sim_near_back(struct sim *s, uint32_t place);
/* Puts a list of near events in order. It has two at least. */
uint32_t sim_near_order(struct sim *s, uint32_t list);
/* Puts an event into the list of its bucket, at this place. */
static inline void sim_near_put(struct sim *s, uint32_t place, uint32_t bucket, struct sim_event e)
{
    struct sim_near *near = &s->near[place];
    near->event = e;
    near->next = s->buckets[bucket];
    s->buckets[bucket] = place;
    s->bucket_bits[bucket / SIM_WHEEL_WORD] |= UINT64_C(1) << bucket % SIM_WHEEL_WORD;
}
/* Is it soon enough for the wheel, and not in the bucket that is being taken? */
static inline bool sim_event_is_near(const struct sim *s, sim_ps t)
{
    return ((uint64_t)t >> s->wheel_shift) - s->w->pending.run_bucket - 1 < s->wheel_mask;
}
static inline uint32_t sim_event_bucket(const struct sim *s, sim_ps t)
{
    return (uint32_t)((uint64_t)t >> s->wheel_shift) & s->wheel_mask;
}
/* One of any component. */
static inline struct sim_event sim_event_make(const struct sim *s, sim_ps t, enum sim_class class,
                                              uint32_t comp, enum sim_event_kind kind,
                                              uint32_t prio)
{
    const uint64_t luck = rng_mix(s->config->seed ^ s->config->component_hash[comp] ^ (uint64_t)t);
    return (struct sim_event){ .t = t,
                               .order = (uint64_t) class << SIM_CLASS_SHIFT |
                                        luck >> (64 - SIM_LUCK_BITS) << 32 | (uint64_t)comp << 8 |
                                        (uint64_t)kind << 3 | prio };
}
/* The same, faster; `of` is the port's luck (sim/config.h). */
static inline struct sim_event sim_event_of_port(sim_ps t, enum sim_class class, uint32_t port,
                                                 uint64_t of, enum sim_event_kind kind)
{
    const uint64_t luck = rng_mix(of ^ (uint64_t)t);
    return (struct sim_event){ .t = t,
                               .order = (uint64_t) class << SIM_CLASS_SHIFT |
                                        luck >> (64 - SIM_LUCK_BITS) << 32 | (uint64_t)port << 8 |
                                        (uint64_t)kind << 3 };
}
/* It is not for the wheel: into the turn (window.h), into the run, or far away. */
void sim_event_push_soon(struct sim *s, uint32_t place, struct sim_event e);
/* One that has a place of its own. */
static inline void sim_event_push_own(struct sim *s, uint32_t place, struct sim_event e)
{
    s->w->event_count++;
    if (sim_event_is_near(s, e.t)) {
        sim_near_put(s, place, sim_event_bucket(s, e.t), e);
    } else {
        sim_event_push_soon(s, place, e);
    }
}
/* The end of a port's slot, or the next arrival on its cable; */
static inline void sim_event_push_port(struct sim *s, sim_ps t, enum sim_class class, uint32_t port,
                                       uint64_t of, enum sim_event_kind kind)
{
    sim_event_push_own(s, sim_event_place(s, port, kind),
                       sim_event_of_port(t, class, port, of, kind));
}
/* what leaves the pipeline of a node next. */
static inline void sim_event_push_node(struct sim *s, sim_ps t, uint32_t node)
{
    const uint32_t comp = sim_comp_node(s->config, node);
    sim_event_push_own(s, sim_event_place(s, comp, SIM_EV_PIPELINE),
                       sim_event_make(s, t, SIM_CLASS_ARRIVAL, comp, SIM_EV_PIPELINE, 0));
}
/* Any other. */
void sim_event_push(struct sim *s, sim_ps t, enum sim_class class, uint32_t comp,
                    enum sim_event_kind kind, uint32_t prio);

/* An event is at hand, its time has come. */
static inline void sim_event_begin(struct sim *s, sim_ps t, uint64_t order)
{
    s->w->now = t;
    s->order = order;
    s->over = t - (order >> SIM_CLASS_SHIFT < SIM_CLASS_TX);
}

/* ---- taking ---------------------------------------------------------------------------------- */

/* Turns the wheel to the next events. Called after everything that pushes or pops: so the first one
 * is always at hand, and readers need not look for it. */
void sim_wheel_turn(struct sim *s);
static inline void sim_event_turn(struct sim *s)
{
    if (s->w->pending.run == SIM_NONE) {
        sim_wheel_turn(s);
    }
}
/* The first event; NULL: there is none. */
static inline const struct sim_event *sim_event_first(const struct sim *s)
{
    const struct sim_world *w = s->w;
    const struct sim_event *far = w->pending.far_first != SIM_NEVER ? &s->events[0] : NULL;
    if (w->pending.run == SIM_NONE) {
        return far;
    }
    const struct sim_event *near = &s->near[w->pending.run].event;
    if (near->t != w->pending.far_first) {
        return near->t < w->pending.far_first ? near : far;
    }
    return sim_event_before(far, near) ? far : near;
}
/* Gives a place back to the pool. */
static inline void sim_near_free(struct sim *s, uint32_t place)
{
    struct sim_world *w = s->w;
    w->pool_count -= !sim_event_has_place(sim_event_kind(&s->near[place].event));
    s->near[place].next = w->pending.near_free;
    w->pending.near_free = place;
}
/* Takes the first event, unless it is later than `until`: from the heap or after a look at it; */
bool sim_event_take_any(struct sim *s, sim_ps until, struct sim_event *e);
/* as a rule it is the first of the run. */
static inline bool sim_event_take(struct sim *s, sim_ps until, struct sim_event *e)
{
    struct sim_world *w = s->w;
    const uint32_t place = w->pending.run;
    if (place == SIM_NONE || s->near[place].event.t >= w->pending.far_first) {
        return sim_event_take_any(s, until, e);
    }
    if (s->near[place].event.t > until) {
        return false;
    }
    *e = s->near[place].event;
    w->pending.run = s->near[place].next;
    w->event_count--;
    if (place >= s->places) {
        sim_near_free(s, place);
    }
    return true;
}
/* The same, if it has a place of its own, which says all: the place, or SIM_NONE, and nothing is taken.
 * What it was stays to be read there until something is pushed. It turns the wheel itself. */
static inline uint32_t sim_event_take_own(struct sim *s, sim_ps until)
{
    struct sim_world *w = s->w;
    uint32_t place = w->pending.run;
    if (place >= s->places) { /* SIM_NONE is */
        sim_event_turn(s);
        place = w->pending.run;
        if (place >= s->places) {
            return SIM_NONE;
        }
    }
    const struct sim_near *near = &s->near[place];
    if (near->event.t >= w->pending.far_first || near->event.t > until) {
        return SIM_NONE;
    }
    w->pending.run = near->next;
    w->event_count--;
    return place;
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
/* The same for the same events, however they are kept. */
uint64_t sim_event_hash(const struct sim *s);
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
