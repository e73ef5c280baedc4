/*
 * A node's turn in a window (window.h): its events of the window, in their order, by a little wheel of its
 * own that never leaves the cache. Inside window.c and turn.c.
 */
#ifndef WEFT_SIM_TURN_H
#define WEFT_SIM_TURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/event.h"
#include "sim/window.h"
#include "sim/world.h"

enum {
    SIM_TURN_WORD = 64,
    SIM_TURN_BUCKETS = SIM_TURN_WORD, /* of a turn's wheel: a bit each */
};

/* A record, and the event that it belongs to. */
struct sim_kept {
    uint64_t order;
    struct sim_record rec;
};

struct sim_window {
    sim_ps lookahead;
    bool always;      /* worth it or not */
    bool possible;    /* as far as the fabric and its workload are concerned */
    uint32_t witness; /* a flow that was not over when we last looked */
    /* the window at hand */
    sim_ps begin, end;
    sim_ps reach;       /* what is pushed for later than that is far */
    sim_ps last;        /* what has happened last */
    uint64_t taken;     /* events */
    sim_ps look_at;     /* when to look for a stall, SIM_NEVER: nobody has asked */
    uint32_t *handed;   /* per node: its events, a list */
    uint64_t *has_turn; /* bit per node: it has events or is due, */
    uint64_t *due;      /* and in the next window */
    bool back;          /* turns are taken from the last node to the first */
    uint32_t *turns;    /* nodes in the order of their turns */
    struct sim_kept *kept;
    size_t kept_count, kept_cap;
    /* the turn at hand */
    unsigned shift; /* a bucket lasts 2^this picoseconds */
    uint32_t at;    /* the bucket that is being taken; its events are the run (event.h) */
    uint64_t some;  /* bit per bucket: it is not empty */
    uint32_t wheel[SIM_TURN_BUCKETS];
};

/* Arrivals do without luck until it is asked for, which it seldom is. */
static inline void sim_turn_draw_luck(struct sim *s, uint32_t place)
{
    if (place < s->config->port_count) {
        struct sim_event *e = &s->near[place].event;
        *e = sim_event_of_port(e->t, sim_event_class(e), place, s->cables[place].luck,
                               SIM_EV_ARRIVE);
    }
}

/* An event for a later window. */
static inline void sim_turn_later(struct sim *s, uint32_t n, uint32_t place)
{
    struct sim_window *v = s->window;
    s->near[place].next = v->handed[n];
    v->handed[n] = place;
    v->has_turn[n / SIM_TURN_WORD] |= UINT64_C(1) << n % SIM_TURN_WORD;
}

/* An event for the turn at hand. */
void sim_turn_put(struct sim *s, uint32_t place);
/* A node's turn. `then`, `after`: whose turns are next, SIM_NONE: nobody's; what they will touch is fetched. */
void sim_turn_take(struct sim *s, uint32_t node, uint32_t then, uint32_t after);

#endif
