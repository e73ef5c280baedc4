/*
 * Inside the model: what the files of src/sim share and nobody else sees.
 *
 *     struct sim
 *       config   names, topology, routes, plan: never changes, shared by forks
 *       arena    one block: all state that changes; the pointers below lead into it
 *       trace    what happened, outside the arena
 *
 * The arena is cut into sections (one per kind of thing). Three of them grow: events, packets,
 * cells. Growing moves the whole block, so it happens only between events: the loop makes sure that
 * one event's worth of free items is there before it starts (sim_arena_reserve), and a handler may
 * keep pointers while it runs.
 */
#ifndef WEFT_SIM_WORLD_H
#define WEFT_SIM_WORLD_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/config.h"
#include "sim/state.h"
#include "sim/trace.h"

enum sim_section {
    SIM_SECTION_WORLD,
    SIM_SECTION_NODES,
    SIM_SECTION_PORTS,
    SIM_SECTION_LANES,
    SIM_SECTION_NICS,
    SIM_SECTION_QPS,
    SIM_SECTION_SELECTIVE,
    SIM_SECTION_TCP,
    SIM_SECTION_FLOWLETS,
    SIM_SECTION_RANKS,
    SIM_SECTION_STEPS,
    SIM_SECTION_COLLECTIVES,
    SIM_SECTION_EVENTS,
    SIM_SECTION_PACKETS,
    SIM_SECTION_CELLS,
    SIM_SECTION_NEAR,
    SIM_SECTION_BUCKETS,
    SIM_SECTION_BITS,
    SIM_SECTION_COUNT
};

/* On functions for what happens seldom, and on those that every frame runs through: the one are kept
 * out of the code of the other, and these are no calls. */
#define SIM_SELDOM __attribute__((cold, noinline))
#define SIM_ALWAYS inline __attribute__((always_inline))

struct sim_trace;
struct sim_tape;
struct sim_window;
struct sim_inbox;

struct sim {
    struct sim_config *config;
    const struct sim_port_config *cables; /* config->ports */
    unsigned char *arena;                 /* lies in `block`, at the beginning of a cache line */
    void *block;
    size_t arena_size;
    size_t section_cap[SIM_SECTION_COUNT]; /* items */
    size_t need[3]; /* free events, packets and cells that one event may take at most: so */
    size_t most[3]; /* many may be in use before it; */
    union {
        struct {
            bool scarce; /* more may be */
            bool halt;   /* the run goes no further: stop_hit, a stall, the memory limit */
        };
        uint16_t attention; /* one of these */
    };
    /* into the arena; set anew whenever it moves */
    struct sim_world *w;
    struct sim_node_state *nodes;
    struct sim_port_state *ports;
    struct sim_lanes *lanes; /* per port */
    struct sim_nic *nics;    /* per port of a host */
    struct sim_qp *qps;
    struct sim_selective *selective; /* per flow, transport selective only */
    struct sim_tcp *tcp;             /* per flow, transport tcp only */
    struct sim_flowlet *flowlets;    /* routing flowlet and in_turn only: config.flowlet_at */
    struct sim_rank_data *ranks;
    struct sim_step_data *steps;
    struct sim_collective_data *collectives;
    struct sim_event *events; /* far: a heap */
    struct sim_near *near;
    uint32_t *buckets;     /* of the wheel: heads of lists */
    uint64_t *bucket_bits; /* which are not empty */
    struct sim_packet *packets;
    struct sim_cell *cells;
    struct sim_trace *trace;
    unsigned wheel_shift; /* as in `config` */
    uint32_t wheel_mask;
    uint32_t places;  /* near events that are not in the pool */
    uint32_t *ways;   /* ways found before (switch.c): they save time and change nothing */
    int64_t ways_of;  /* the routing by which */
    bool unseen;      /* while it runs: slots may end unseen, */
    bool is_large;    /* its state does not fit into a cache: as in `config`, or a test says so */
    bool plain;       /* and nothing of what is seldom is in force (link.h), */
    bool late;        /* so that hosts, too, may send unseen */
    size_t late_most; /* frames that hosts may be late with, all together; 0: never */
    uint64_t order;   /* of the event at hand; UINT64_MAX: after all of this time */
    sim_ps over; /* slots that end later are not over; at the same time they end after arrivals */
    sim_ps last_end;           /* of the slots that ended unseen, the last */
    struct sim_window *window; /* node by node (window.h), NULL: never */
    sim_ps window_end;         /* of the window that is open; 0: none is */
    struct sim_inbox *inboxes; /* per node, while windows are open: frames on their way (inbox.h) */
    uint64_t *has_turn;        /* bit per node: something happens there, besides what comes */
    uint64_t *due;             /* bit per port: it may have more to send (sim_window_mark()) */
    struct sim_tape *tape;     /* of frames, NULL: nobody listens */
    uint32_t listen;           /* SIM_FINE kinds somebody wants */
    uint32_t stop_kinds;
    bool stop_hit; /* such a record was written */
};

/* ---- arena.c: free items -------------------------------------------------------------------- */
/* Does what the fabric needs at the start fit the knob `memory`? */
bool sim_arena_fits(const struct sim_config *config, struct err *err);
void sim_arena_create(struct sim *s);
/* May what grows grow once more, all of it? */
bool sim_arena_is_roomy(const struct sim *s);
/* Makes sure that there are free items for one event; may move the arena. */
SIM_SELDOM void sim_arena_grow(struct sim *s);
static inline void sim_arena_reserve(struct sim *s)
{
    if (s->scarce) {
        sim_arena_grow(s);
    }
}
/* Numbers packets, where somebody has to tell them apart. */
static inline uint32_t sim_serial(struct sim *s)
{
    return s->config->serials ? (uint32_t)++s->w->serial : 0;
}
static inline uint32_t sim_packet_alloc(struct sim *s)
{
    struct sim_world *w = s->w;
    uint32_t i;
    if (w->packet_free != SIM_NONE) {
        i = w->packet_free;
        w->packet_free = s->packets[i].next;
    } else {
        assert(w->packet_high < s->section_cap[SIM_SECTION_PACKETS]);
        i = (uint32_t)w->packet_high++;
    }
    s->scarce |= ++w->packet_count > s->most[1];
    s->packets[i] = (struct sim_packet){ .next = SIM_NONE,
                                         .flow = SIM_NONE,
                                         .ingress = SIM_NONE,
                                         .egress = SIM_NONE,
                                         .serial = sim_serial(s) };
    return i;
}

static inline void sim_packet_free(struct sim *s, uint32_t packet)
{
    s->packets[packet].next = s->w->packet_free;
    s->packets[packet].flags = SIM_FLAG_POOL_FREE;
    s->w->packet_free = packet;
    s->w->packet_count--;
}
uint32_t sim_cell_alloc(struct sim *s);
void sim_cell_free(struct sim *s, uint32_t cell);

/* ---- fifos of packets ------------------------------------------------------------------------ */
static inline bool sim_fifo_empty(const struct sim_fifo *f)
{
    return f->head == SIM_NONE;
}
static inline void sim_fifo_push(struct sim *s, struct sim_fifo *f, uint32_t packet)
{
    s->packets[packet].next = SIM_NONE;
    if (f->head == SIM_NONE) {
        f->head = packet;
    } else {
        s->packets[f->tail].next = packet;
    }
    f->tail = packet;
}
static inline uint32_t sim_fifo_pop(struct sim *s, struct sim_fifo *f)
{
    uint32_t packet = f->head;
    f->head = s->packets[packet].next;
    if (f->head == SIM_NONE) {
        f->tail = SIM_NONE;
    }
    return packet;
}

/* ---- trace.c --------------------------------------------------------------------------------- */
struct sim_trace *sim_trace_create(void);
void sim_trace_destroy(struct sim_trace *trace);
/* An empty record of this kind, all ids absent. */
struct sim_record sim_record(enum sim_trace_kind kind);
SIM_SELDOM void sim_record_add(struct sim *s, struct sim_record rec);
/* The same for one that says when, and that is no SIM_FINE kind. */
void sim_record_put(struct sim *s, struct sim_record *rec);
/* The same for SIM_FINE kinds: worth building only when this is true. */
static inline bool sim_listening(const struct sim *s, enum sim_trace_kind kind)
{
    return (s->listen >> kind) & 1u;
}
/* What a frame does at a port. */
SIM_SELDOM void sim_record_frame(struct sim *s, enum sim_trace_kind kind, uint32_t port,
                                 uint32_t packet);
/* Record fields from a packet. */
struct sim_record sim_record_packet(const struct sim *s, enum sim_trace_kind kind, uint32_t port,
                                    uint32_t packet);

#endif
