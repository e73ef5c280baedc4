/*
 * The event queue: a 4-ary heap in an array (one cache line holds the four children).
 *
 * Order: time, class, then a mix of seed, time and the component's name, so that two equal senders
 * are treated alike over time whatever the order of their declaration; then the component, then the
 * kind. Nothing depends on the order in which events were pushed: a component never has two pending
 * events that are equal in all of these.
 */
#include "sim/event.h"

#include <assert.h>

#include "base/rng.h"
#include "sim/transport.h"
#include "sim/world.h"

enum { LUCK_BITS = 29 };

static inline bool before(const struct sim_event *a, const struct sim_event *b)
{
    return a->t != b->t ? a->t < b->t : a->order < b->order;
}

static uint64_t order_of(const struct sim *s, sim_ps t, enum sim_class class, uint32_t comp,
                         enum sim_event_kind kind, uint32_t prio)
{
    uint64_t luck = rng_mix(s->config->seed ^ (uint64_t)t ^ s->config->component_hash[comp]);
    return (uint64_t) class << 61 | luck >> (64 - LUCK_BITS) << 32 | (uint64_t)comp << 8 |
           (uint64_t)kind << 3 | prio;
}

void sim_event_push(struct sim *s, sim_ps t, enum sim_class class, uint32_t comp,
                    enum sim_event_kind kind, uint32_t prio)
{
    struct sim_event e = { .t = t, .order = order_of(s, t, class, comp, kind, prio) };
    struct sim_event *heap = s->events;
    uint64_t i = s->w->event_count++;
    assert(i < s->section_cap[SIM_SECTION_EVENTS]);
    while (i > 0) {
        uint64_t parent = (i - 1) / 4;
        if (!before(&e, &heap[parent])) {
            break;
        }
        heap[i] = heap[parent];
        i = parent;
    }
    heap[i] = e;
}

struct sim_event sim_event_pop(struct sim *s)
{
    struct sim_event *heap = s->events;
    struct sim_event top = heap[0];
    uint64_t n = --s->w->event_count;
    struct sim_event last = heap[n];
    uint64_t i = 0;
    for (;;) {
        uint64_t child = 4 * i + 1;
        if (child >= n) {
            break;
        }
        uint64_t end = child + 4 < n ? child + 4 : n;
        uint64_t best = child;
        for (uint64_t c = child + 1; c < end; c++) {
            if (before(&heap[c], &heap[best])) {
                best = c;
            }
        }
        if (!before(&heap[best], &last)) {
            break;
        }
        heap[i] = heap[best];
        i = best;
    }
    heap[i] = last;
    return top;
}

void sim_timer_set(struct sim *s, struct sim_timer *timer, sim_ps deadline, enum sim_class class,
                   uint32_t comp, enum sim_event_kind kind, uint32_t prio)
{
    timer->deadline = deadline;
    if (deadline != SIM_NEVER && deadline < timer->event) {
        timer->event = deadline; /* an event pending for later finds that it is no longer meant */
        sim_event_push(s, deadline, class, comp, kind, prio);
    }
}

bool sim_timer_due(struct sim *s, struct sim_timer *timer, enum sim_class class, uint32_t comp,
                   enum sim_event_kind kind, uint32_t prio)
{
    if (timer->event != s->w->now) {
        return false; /* superseded by an earlier event */
    }
    timer->event = SIM_NEVER;
    if (timer->deadline == s->w->now) {
        timer->deadline = SIM_NEVER;
        return true;
    }
    if (timer->deadline != SIM_NEVER) {
        sim_timer_set(s, timer, timer->deadline, class, comp, kind, prio);
    }
    return false;
}
