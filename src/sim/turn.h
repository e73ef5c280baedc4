/*
 * A node's turn (window.h): what happens there up to the end of it, in order, by a little wheel of its own
 * that never leaves the cache. Inside window.c and turn.c.
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
    SIM_TURN_WORDS = 16,
    SIM_TURN_AHEAD = 3, /* turns for which something is fetched ahead of time */
    SIM_TURN_BUCKETS = SIM_TURN_WORDS * SIM_TURN_WORD, /* of a turn's wheel: a bit each */
};

/* A record, and the event that it belongs to. */
struct sim_kept {
    uint64_t order;
    struct sim_record rec;
};

/* Something that happens in a turn: a frame arrives, or an event of the queue. */
struct sim_item {
    uint32_t dt;     /* picoseconds since the turn began */
    uint32_t what;   /* port by which the frame comes, whose slot ends; place of the event */
    uint32_t packet; /* the frame; SIM_NONE: an event of the queue; SIM_SLOT_END */
    uint32_t egress; /* port by which a frame goes on; SIM_NONE: that has to be asked */
};

/* Nodes of which no cable joins two. */
struct sim_side {
    uint32_t *nodes;
    uint32_t count;
};

struct sim_window {
    sim_ps lookahead;
    bool always;      /* worth it or not */
    bool possible;    /* as far as the fabric and its workload are concerned */
    uint32_t witness; /* a flow that was not over when we last looked */
    /* two sides, or one with all nodes */
    unsigned sides;
    struct sim_side side[2];
    sim_ps clock[2]; /* how far each is */
    /* the window at hand */
    sim_ps begin;
    sim_ps reach;     /* what is pushed for later than that is far */
    sim_ps last;      /* what has happened last */
    sim_ps look_at;   /* when to look for a stall, SIM_NEVER: nobody has asked */
    uint32_t *handed; /* per node: its events, a list */
    uint32_t *turns;  /* nodes in the order of their turns */
    struct sim_kept *kept;
    size_t kept_count, kept_cap;
    /* the turn at hand */
    unsigned shift; /* a bucket lasts 2^this picoseconds */
    uint32_t at;    /* the bucket that is being taken; its events are the run: */
    uint32_t run;   /* a list, in order */
    uint32_t item_count;
    size_t item_cap, next_cap;
    struct sim_item *items;
    uint32_t *next;                /* per item: the next in its bucket or the run */
    unsigned words;                /* bit per word: some bucket of it is not empty */
    uint64_t some[SIM_TURN_WORDS]; /* bit per bucket: the same */
    uint32_t wheel[SIM_TURN_BUCKETS];
};

/* A node has something to do. */
static inline void sim_turn_wanted(struct sim *s, uint32_t n)
{
    s->has_turn[n / SIM_TURN_WORD] |= UINT64_C(1) << n % SIM_TURN_WORD;
}

/* An event for a later turn. */
static inline void sim_turn_later(struct sim *s, uint32_t n, uint32_t place)
{
    struct sim_window *v = s->window;
    s->near[place].next = v->handed[n];
    v->handed[n] = place;
    sim_turn_wanted(s, n);
}

/* An event for the turn at hand. */
void sim_turn_put(struct sim *s, uint32_t place);
/* A node's turn. The nodes whose turns are next are at `next`, SIM_TURN_AHEAD of them: what they will touch
 * is fetched meanwhile. */
void sim_turn_take(struct sim *s, uint32_t node, const uint32_t *next);
/* The order of an arrival by this port, with its luck. */
uint64_t sim_turn_order(const struct sim *s, sim_ps t, uint32_t port, enum sim_class class);

#endif
