#include "sim/turn.h"

#include <assert.h>

#include "sim/event.h"
#include "sim/link.h"
#include "sim/loop.h"
#include "sim/window.h"
#include "sim/world.h"

/* Of events of the turn at hand. */
static bool is_before(struct sim *s, uint32_t a, uint32_t b)
{
    const sim_ps first = s->near[a].event.t;
    const sim_ps second = s->near[b].event.t;
    if (first != second) {
        return first < second;
    }
    sim_turn_draw_luck(s, a);
    sim_turn_draw_luck(s, b);
    return s->near[a].event.order < s->near[b].event.order;
}

/* ---- the turn's wheel ------------------------------------------------------------------------- */

static SIM_ALWAYS void put(struct sim *s, struct sim_window *v, uint32_t place)
{
    struct sim_near *near = s->near;
    const uint32_t bucket = (uint32_t)((near[place].event.t - v->begin) >> v->shift);
    uint32_t *link = &v->wheel[bucket];
    if (bucket == v->at) {
        link = &s->w->pending.run;
        while (*link != SIM_NONE && is_before(s, *link, place)) {
            link = &near[*link].next;
        }
    } else if ((v->some >> bucket & 1u) == 0) {
        *link = SIM_NONE;
        v->some |= UINT64_C(1) << bucket;
    }
    near[place].next = *link;
    *link = place;
}

void sim_turn_put(struct sim *s, uint32_t place)
{
    put(s, s->window, place);
}

void sim_window_expect(struct sim *s, uint32_t port, enum sim_class class,
                       const struct sim_packet *head)
{
    struct sim_window *v = s->window;
    const sim_ps at = head->at;
    struct sim_event *e = &s->near[port].event;
    s->w->event_count++;
    e->t = at;
    e->order =
        (uint64_t) class << SIM_CLASS_SHIFT | (uint64_t)port << 8 | (uint64_t)SIM_EV_ARRIVE << 3;
    if (at < s->window_end) {
        put(s, v, port);
    } else if (at < v->reach) {
        sim_turn_later(s, s->cables[port].to, port);
    } else {
        sim_turn_draw_luck(s, port);
        sim_far_push(s, *e);
    }
    if (head->next != SIM_NONE) { /* the one after it, in time */
        __builtin_prefetch(&s->packets[head->next]);
    }
}

static __attribute__((noinline)) uint32_t in_order(struct sim *s, uint32_t list)
{
    const uint32_t second = s->near[list].next;
    if (s->near[second].next == SIM_NONE) {
        if (is_before(s, list, second)) {
            return list;
        }
        s->near[second].next = list;
        s->near[list].next = SIM_NONE;
        return second;
    }
    for (uint32_t i = list; i != SIM_NONE; i = s->near[i].next) {
        sim_turn_draw_luck(s, i);
    }
    return sim_near_order(s, list);
}

/* The next event of the turn, or SIM_NONE. */
static SIM_ALWAYS uint32_t next_event(struct sim *s, struct sim_window *v)
{
    const uint32_t place = s->w->pending.run;
    if (place != SIM_NONE || v->some == 0) {
        return place;
    }
    v->at = (uint32_t)__builtin_ctzll(v->some);
    v->some &= v->some - 1;
    const uint32_t list = v->wheel[v->at];
    return s->near[list].next == SIM_NONE ? list : in_order(s, list);
}

/* ---- the turn ---------------------------------------------------------------------------------- */

/* Slots that have ended in the window are made up for; is there more to send? */
static bool end_turn(struct sim *s, uint32_t n)
{
    struct sim_window *v = s->window;
    const struct sim_node_config *c = &s->config->nodes[n];
    bool more = false;
    v->last = s->w->now > v->last ? s->w->now : v->last;
    sim_event_begin(s, s->window_end - 1, UINT64_MAX);
    s->last_end = 0;
    for (uint32_t p = c->first_port; p < c->first_port + c->port_count; p++) {
        sim_port_settle(s, p);
        more |= s->ports[p].unseen && s->ports[p].waits != 0;
    }
    assert(v->some == 0 && s->w->pending.run == SIM_NONE); /* no event follows from that */
    v->last = s->last_end > v->last ? s->last_end : v->last;
    return more;
}

/* What a turn will touch is fetched while others have theirs: first the ports, */
static void fetch_ports(const struct sim *s, uint32_t n)
{
    const struct sim_node_config *c = &s->config->nodes[n];
    for (uint32_t i = s->window->handed[n]; i != SIM_NONE; i = s->near[i].next) {
        if (i < s->config->port_count) {
            __builtin_prefetch(&s->ports[i]);
            __builtin_prefetch(&s->cables[i]);
        }
    }
    for (uint32_t p = c->first_port; p < c->first_port + c->port_count; p++) {
        __builtin_prefetch(&s->ports[p]);
        __builtin_prefetch(&s->ports[p].classes[sim_class_place(SIM_PRIO_DATA)]);
        __builtin_prefetch(&s->cables[p]);
    }
}

/* then the first frames on cables and in queues. */
static void fetch_frames(const struct sim *s, uint32_t n)
{
    const struct sim_node_config *c = &s->config->nodes[n];
    for (uint32_t i = s->window->handed[n]; i != SIM_NONE; i = s->near[i].next) {
        if (i < s->config->port_count) {
            __builtin_prefetch(&s->packets[s->ports[i].wire.head]);
        }
    }
    for (uint32_t p = c->first_port; p < c->first_port + c->port_count; p++) {
        const uint32_t head = s->ports[p].classes[sim_class_place(SIM_PRIO_DATA)].out.fifo.head;
        if (head != SIM_NONE) {
            __builtin_prefetch(&s->packets[head]);
        }
    }
}

/* The node's events of this window go to the turn's wheel; those that come later stay with it. */
static void begin_turn(struct sim *s, uint32_t n)
{
    struct sim_window *v = s->window;
    uint32_t list = v->handed[n];
    v->handed[n] = SIM_NONE;
    v->at = SIM_TURN_BUCKETS;
    s->w->now = v->begin;
    while (list != SIM_NONE) {
        const uint32_t place = list;
        list = s->near[place].next;
        if (s->near[place].event.t >= s->window_end) {
            sim_turn_later(s, n, place);
            continue;
        }
        put(s, v, place);
        if (place < s->config->port_count) {
            const uint32_t second = s->packets[s->ports[place].wire.head].next;
            if (second != SIM_NONE) {
                __builtin_prefetch(&s->packets[second]);
            }
        }
    }
}

void sim_turn_take(struct sim *s, uint32_t n, uint32_t then, uint32_t after)
{
    struct sim_window *v = s->window;
    if (after != SIM_NONE) {
        fetch_ports(s, after);
    }
    if (then != SIM_NONE) {
        fetch_frames(s, then);
    }
    begin_turn(s, n);
    for (;;) {
        if (s->attention != 0) {
            sim_arena_grow(s);
        }
        const uint32_t place = next_event(s, v);
        if (place == SIM_NONE) {
            break;
        }
        s->w->pending.run = s->near[place].next;
        s->w->event_count--;
        v->taken++;
        if (place < s->places) {
            sim_run_own(s, place);
        } else {
            const struct sim_event e = s->near[place].event;
            sim_near_free(s, place);
            sim_run_other(s, e);
        }
    }
    if (end_turn(s, n)) {
        v->due[n / SIM_TURN_WORD] |= UINT64_C(1) << n % SIM_TURN_WORD;
    }
}
