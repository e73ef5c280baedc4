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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/collective.h"
#include "sim/sim.h"

/* ---- frame sizes, bytes (model 1.2): lengths include the FCS, not preamble and gap ----------- */

enum {
    SIM_RETH = 16, /* first packet of a WRITE */
    SIM_PFC_BYTES = 64,
    SIM_QUANTUM_BYTES = 64, /* one pause quantum: 512 bit times */
    SIM_QUANTA_MAX = 65535,
    SIM_CREDIT_BYTES = 8,   /* a credit packet, all that it takes on the wire */
    SIM_CREDIT_BLOCK = 64,  /* credits count in blocks of so many bytes */
    SIM_CREDITS_MAX = 2048, /* blocks a port may promise at most: half of a 12-bit counter */
};

/* What depends on the type of link and on the transport. */
struct sim_wire_sizes {
    uint32_t before; /* preamble and start: on the wire before the last bit, besides the frame */
    uint32_t slot;   /* that and the gap behind: the slot is this much longer than the frame */
    uint32_t data_headers; /* of a data packet */
    uint32_t payload;      /* of a full one */
    uint32_t padding;      /* the payload is padded to a multiple of this */
    uint32_t least;        /* no data frame is shorter */
    uint32_t reth;         /* more in the first packet of a message */
    uint32_t ack, cnp;     /* whole frames */
    bool counts_hops;      /* there is a TTL */
};
struct sim_wire_sizes sim_wire_sizes(const struct sim_knobs *knobs); /* config.c */
static inline uint32_t sim_data_bytes(const struct sim_wire_sizes *w, int64_t payload)
{
    uint32_t bytes =
        w->data_headers + ((uint32_t)payload + w->padding - 1) / w->padding * w->padding;
    return bytes > w->least ? bytes : w->least;
}

/* Packets outstanding on a queue pair stay below this: a PSN on the wire has 24 bits, and half of
 * them must mean "later" (model 1.3). */
enum { SIM_PSN_WINDOW = 1 << 23 };

/* ---- events ---------------------------------------------------------------------------------- */

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
    SIM_EV_REROUTE,  /* port: everybody knows by now that its link is down, or up */
    SIM_EV_WATCH,    /* (port 0) the PFC watchdog looks at all ports */
    SIM_EV_STALL,    /* (port 0) has nothing moved for long? */
    SIM_EV_DRAIN,    /* node: a slow host takes the oldest frame out of its receive buffer */
};

/*
 * Two numbers decide the order. The second holds, from the top: class 3 bits, luck 29 (a mix of
 * seed, time and the component's name), component 24, kind 5, priority 3.
 */
struct sim_event {
    sim_ps t;
    uint64_t order;
};
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

/* ---- state ----------------------------------------------------------------------------------- */

/* Frames in a row, linked through their `next`. */
struct sim_fifo {
    uint32_t head, tail;
};

/* Packet flags besides enum sim_frame_flag. */
enum {
    SIM_FLAG_COPY = 64,       /* flooded: whoever gets it throws it away */
    SIM_FLAG_POOL_FREE = 128, /* in the free list */
};

struct sim_packet {
    uint32_t next;
    uint32_t flow;
    uint64_t psn;
    sim_ps start; /* on a cable: first bit out */
    sim_ps at;    /* on a cable: last bit in; pipeline, PFC response: when it goes on */
    uint32_t bytes, payload;
    uint32_t attempt;
    uint32_t ingress; /* port through which the switch that holds it received it */
    uint32_t egress;  /* port it will leave by */
    uint32_t step;
    uint8_t kind; /* enum sim_frame_kind */
    uint8_t prio; /* its class; PFC frames: the class they are about */
    uint8_t flags;
    uint8_t hops;    /* cables crossed */
    uint32_t serial; /* tells a packet from a later one in the same place */
};

/*
 * A timer that costs at most one pending event: restarting it only moves the deadline, and the
 * event that fires too early is set again for the rest.
 */
struct sim_timer {
    sim_ps deadline; /* SIM_NEVER: off */
    sim_ps event;    /* time of the pending event, SIM_NEVER: none */
};

/* A priority group: what one switch holds from one neighbour in one class (model 2.1). */
struct sim_pg {
    int64_t shared, headroom;
    struct sim_timer refresh;
    bool pausing;
};

struct sim_egress {
    struct sim_fifo fifo;
    int64_t bytes;
    sim_ps paused_until; /* while paused */
    sim_ps paused_since; /* SIM_NEVER: not paused */
    struct sim_timer pause_end;
};

struct sim_port_state {
    sim_ps busy_until, busy_total;
    int64_t tau_rem;   /* remainder of the byte time: no long-run rate error */
    bool tx_event;     /* SIM_EV_TX_DONE is pending */
    bool wire_event;   /* SIM_EV_ARRIVE is pending */
    bool obey_event;   /* SIM_EV_OBEY is pending */
    bool held;         /* fault: sends no data */
    bool dead;         /* NIC of a dead host: sends and takes nothing */
    uint8_t backlog;   /* bit per priority: frames wait in out[] */
    uint8_t blocked;   /* bit per priority: paused or held */
    bool xoff_marked;  /* its first XOFF has been kept as a mark */
    uint32_t tx_bytes; /* what the end of the slot releases, */
    uint32_t tx_from;  /* from this ingress port (SIM_NONE: nothing) */
    uint32_t tx_prio;  /* and class */
    uint32_t wire_count;
    struct sim_fifo wire;           /* on the cable to the peer */
    uint32_t headers, headers_tail; /* cells: cut-through, frames whose header is under way */
    struct sim_fifo pfc;            /* PFC frames to send */
    struct sim_fifo obey;           /* PFC frames received, within the response time */
    struct sim_egress out[SIM_PRIO_COUNT];
    struct sim_pg in[SIM_PRIO_COUNT];
    int64_t headroom_limit; /* bytes, derived from the knobs when they change */
    sim_ps pfc_response;    /* derived likewise */
    sim_ps paused_total;
    uint32_t dwrr;  /* the class whose turn it is */
    uint8_t due;    /* bit per VL: a credit packet is to be sent */
    uint8_t storm;  /* bit per priority: a broken NIC sends XOFF for ever */
    uint8_t watch;  /* bit per priority: the watchdog has taken over */
    bool down;      /* the cable is cut: what is sent is lost */
    bool withdrawn; /* and switches have stopped using it */
    bool reroute;   /* SIM_EV_REROUTE is pending */
    uint8_t unused[2];
    int64_t deficit[SIM_PRIO_COUNT];
    uint64_t marked;         /* frames marked on leaving */
    int64_t max_bytes;       /* data class queue */
    uint64_t sum_lo, sum_hi; /* its integral over time, byte picoseconds, 128 bits */
    sim_ps sum_at;
    uint64_t dropped;
};

/* Credits of one virtual lane, in blocks. Sender: what this port sends. Receiver: what comes to it.
 * The counters only grow. */
struct sim_vl {
    uint64_t sent, limit;        /* sender: FCTBS; the last FCCL heard */
    uint64_t received, promised; /* receiver: ABR; the last FCCL told */
    int64_t held;                /* receiver: in its buffer */
    sim_ps told_at;              /* receiver: when, or a negative time: never */
    sim_ps starved_since;        /* sender: it has a packet and too few credits, or SIM_NEVER */
    struct sim_timer lifetime;   /* of the first packet */
    bool tell_event;             /* SIM_EV_CREDIT is pending */
    bool resync_event;           /* SIM_EV_RESYNC is pending */
};

/* What a port needs only under credits or the watchdog: apart, so that the rest stays dense. */
struct sim_lanes {
    struct sim_vl vl[SIM_PRIO_COUNT];
    sim_ps resumed_at[SIM_PRIO_COUNT]; /* when the last pause ended */
    sim_ps starved_total;
};

struct sim_node_state {
    int64_t used;             /* bytes held: switch memory, or a host's receive buffer */
    int64_t used_shared;      /* of these, charged to shared memory */
    int64_t pool;             /* switch: memory that is shared: what headroom leaves of it */
    struct sim_fifo pipeline; /* switch: between last bit in and egress queue */
    bool pipeline_event;
    bool draining;      /* host: SIM_EV_DRAIN is pending */
    bool dead;          /* host: it computes, sends and receives nothing any more */
    uint8_t ready_mask; /* host, bit per priority: ready[] is not empty */
    bool flooded;       /* host: its switches have forgotten its port */
    uint8_t unused[3];
    struct sim_fifo receive; /* host with a slow receiver: frames in its buffer */
    int64_t drain; /* host: share of the line at which it empties that; UNIT_ONE: at once */
    struct sim_fifo ready[SIM_PRIO_COUNT]; /* host, by class: flows with packets to send, linked
                                            * through sim_qp.ready_next */
};

/* Rate of one sender under congestion control (cc.c). */
struct sim_cc {
    int64_t rate, target; /* bit/s */
    int64_t alpha;        /* share, 2^-32 */
    int64_t bytes;        /* sent since the byte counter last fired */
    sim_ps next;          /* when the next packet may go */
    sim_ps last_cnp;      /* receiver: when it last sent one, or a negative time: never */
    struct sim_timer forget, raise;
    uint32_t timer_stage, byte_stage; /* increases since the last cut */
    bool active;                      /* has had a CNP: the rate is limited */
    bool pace_event;
    uint8_t unused[6]; /* no padding: it is assigned whole, and hashed */
};

struct sim_qp {
    uint64_t una, next, end;
    uint64_t expected;
    uint64_t step_psn, step_packets;
    int64_t posted_bytes, delivered_bytes;
    uint64_t sent, resent, dropped;
    sim_ps start, delivered_at, acked_at;
    struct sim_timer timer;
    uint32_t recent; /* cell of the message from which a packet was last made, or SIM_NONE */
    uint32_t messages, messages_tail; /* cells: posted and not yet acknowledged, oldest first */
    uint32_t rewinds;                 /* cells: see qp.c */
    uint32_t ready_next;
    uint32_t in_flight;
    uint32_t unacked; /* receiver: packets since its last ACK */
    uint32_t retries;
    struct sim_cc cc;
    uint64_t draws;   /* random numbers drawn for this flow */
    uint64_t posted;  /* messages */
    uint32_t arrived; /* training: messages delivered that their receiver has not come to yet */
    uint32_t cleared; /* training: sends that a clear-to-send allows */
    bool ready;       /* in its host's list */
    bool nak_sent;
    bool ack_due; /* receiver: as soon as the packets at hand are delivered */
    bool error;
};

/* What a selective sender and its receiver remember of the packets in the window. PSN modulo the
 * window is the index. */
enum { SIM_SELECTIVE_WINDOW = 8192 };
struct sim_selective {
    uint64_t sacked[SIM_SELECTIVE_WINDOW / 64];   /* sender: known to have arrived */
    uint64_t received[SIM_SELECTIVE_WINDOW / 64]; /* receiver: arrived ahead of its turn */
    uint8_t attempts[SIM_SELECTIVE_WINDOW];       /* sender: times sent */
    uint64_t sacked_count;
    uint64_t high;     /* sender: one past the highest PSN known to have arrived */
    uint64_t again;    /* sender, in recovery: next PSN to look at */
    uint64_t recovery; /* sender: recovery ends when una gets here; 0: not in recovery */
    uint64_t ahead;    /* receiver: one past the highest PSN that arrived */
    struct sim_timer reorder;
};

/* The same for TCP (tcp.c). */
enum { SIM_TCP_WINDOW = SIM_SELECTIVE_WINDOW };
struct sim_tcp {
    uint64_t received[SIM_TCP_WINDOW / 64]; /* receiver: arrived ahead of its turn, */
    uint64_t held;                          /* so many */
    uint8_t attempts[SIM_TCP_WINDOW];       /* sender: times sent */
    uint64_t cwnd, ssthresh;                /* packets */
    uint64_t credit;                        /* acknowledged since cwnd grew, to grow by one */
    uint64_t high;                          /* one past the highest PSN sent */
    uint64_t recover;                       /* `high` at the last loss */
    uint64_t duplicates;                    /* ACKs in a row that said nothing new */
    uint64_t timed;                         /* PSN of which the round trip is measured */
    sim_ps timed_at;                        /* since; SIM_NEVER: none */
    sim_ps srtt8, rttvar4;                  /* 8 SRTT, 4 RTTVAR; 0: nothing measured */
    sim_ps sent_at;                         /* the last packet */
    struct sim_timer delay;                 /* receiver: of a delayed ACK */
    uint32_t backoff;                       /* times the RTO is doubled */
    bool recovering;                        /* until una gets to `recover` */
    bool partial;                           /* in this recovery an ACK has told of a further hole */
    bool again;                             /* una is to be sent again */
    bool probing;                           /* the timer means a probe, not a timeout */
    bool probe_due, probed;                 /* a probe is to be sent; is on its way */
    uint8_t unused[6];
};

/* A small record in a list: a posted message, or a rewind. */
struct sim_cell {
    uint32_t next;
    uint32_t step;
    uint64_t psn;     /* message: its first PSN; rewind: first PSN it did not cover */
    uint64_t packets; /* message: count; rewind: how often it happened */
    int64_t bytes;
    uint32_t flags; /* message: SIM_FRAME_STEP_END if it ends the step */
    uint32_t unused;
};

enum sim_phase { SIM_PHASE_IDLE, SIM_PHASE_COMPUTE, SIM_PHASE_EXCHANGE, SIM_PHASE_BARRIER };

/* How far a party is in one lane of its program for the bucket at hand (sim/collective.h). */
struct sim_lane {
    int64_t next;  /* operation at which it stands */
    int64_t clear; /* operation up to which RECVs have been cleared to send */
    int64_t ahead; /* RECVs cleared and not yet done */
};

/* A party of the collective: a rank, or a parameter server. */
struct sim_rank_data {
    int64_t sent, received; /* messages of this step */
    int64_t expects;        /* messages it receives in a step */
    int64_t bucket;         /* at hand, from 0; all done: number of buckets */
    int64_t ready;          /* buckets whose gradients it has computed */
    sim_ps compute_start, compute_end, compute_total;
    int64_t slow; /* its compute time is multiplied by this; UNIT_ONE: as it should be */
    struct sim_lane lanes[SIM_LANES];
    enum sim_phase phase;
    uint32_t open; /* its queue pairs with something not yet acknowledged */
};

struct sim_step_data {
    sim_ps start, end, compute;
    uint32_t slowest;
    uint32_t unused;
};

struct sim_collective_data {
    sim_ps start, end;
    int64_t done; /* ranks that have the sum */
};

enum { SIM_RULES_MAX = 64 };

/* A packet to destroy, when its last bit reaches the end of its first cable. */
struct sim_drop_rule {
    uint64_t psn;
    uint32_t flow;
    uint32_t attempt, attempts; /* first, and how many are left */
    uint32_t unused;
};

struct sim_nth_rule {
    int64_t every; /* 0: off */
    int64_t count;
    uint32_t flow; /* SIM_NONE: all */
    uint32_t unused;
};

/* Random loss at the end of a packet's first cable. */
struct sim_loss_rule {
    int64_t share; /* 2^-32 */
    uint32_t flow; /* SIM_NONE: all */
    uint32_t unused;
};

struct sim_world {
    sim_ps now;
    sim_ps done_at;
    uint64_t event_count; /* pending */
    uint64_t serial;      /* of the next packet */
    uint64_t packet_high, packet_free_count;
    uint64_t cell_high, cell_free_count;
    uint32_t packet_free, cell_free; /* heads of the free lists */
    uint64_t trace_seq, trace_hash;
    struct sim_knobs knobs;
    struct sim_counters count;
    struct sim_drop_rule rules[SIM_RULES_MAX];
    uint64_t rule_count;
    struct sim_nth_rule nth;
    struct sim_loss_rule loss;
    struct sim_stall stall;
    uint64_t data_in_flight; /* data packets on cables and in switches, lost ones not counted */
    uint64_t ready_flows;
    uint64_t computing; /* ranks */
    /* training */
    int64_t step; /* in progress, from 1; 0: none yet */
    int64_t steps_done;
    int64_t at_barrier;                   /* ranks */
    int64_t collectives;                  /* begun */
    int64_t bytes, bucket_bytes, buckets; /* in force in this run */
    int64_t flows_open;                   /* flows workload */
    int64_t overlap;                      /* share in force in this step */
    int64_t blocks, block_arrived;        /* of it: delivered to all; flows of the next one */
    uint32_t order;                       /* enum sim_rank_order in force in this step */
    sim_ps progress_at; /* when a frame other than PFC and credits was last sent */
    uint32_t withdrawn; /* ports that routing avoids */
    uint32_t flooded;   /* hosts */
    uint32_t watched;   /* ports and priorities that the watchdog has taken over */
    bool memory_limit;
    bool stalled;
    bool stall_muted; /* a command is coming that may end the stall */
    bool stall_event; /* SIM_EV_STALL is pending */
    bool watch_event; /* SIM_EV_WATCH is pending */
};

/* ---- config ---------------------------------------------------------------------------------- */

struct sim_node_config {
    char *name;
    enum sim_node_kind kind;
    uint32_t first_port, port_count;
    uint32_t host_index; /* hosts: 0.. in order of declaration */
    uint32_t routes;     /* switches: index of its row in `routes` */
};

struct sim_port_config {
    char *name;
    uint32_t node, peer;
    int64_t rate_bps;
    sim_ps delay;
    int64_t tau_num; /* picoseconds per byte: num / den */
    int64_t tau_den;
};

struct sim_flow_config {
    char *name;
    uint32_t src, dst;           /* nodes */
    uint32_t key_src, key_dst;   /* what sim_flow_between() knows it by: parties or nodes */
    uint32_t twins;              /* flows workload: how many more between the same two nodes */
    uint32_t src_rank, dst_rank; /* training: parties */
    int64_t bytes;
    sim_ps start;
    uint64_t hash;
    uint32_t prio;
    bool poisson;
    uint64_t messages; /* how many; 0: for ever */
    sim_ps gap;        /* between messages, 0: all at once */
    uint32_t channel;  /* training: see sim_flow_between() */
    uint32_t permits;  /* it carries clear-to-sends: for this flow; SIM_NONE: no */
    uint32_t permit;   /* the flow of its clear-to-sends, SIM_NONE: none */
    uint32_t reply;    /* flow that sends a message for each one delivered here, SIM_NONE: none */
    bool is_reply;
    bool in_blocks; /* its next message waits until all such flows have delivered theirs */
};

/* One way to arrange the ranks: party <-> position. Servers stay where they are. */
struct sim_order {
    uint32_t *position; /* of a party */
    uint32_t *party;    /* at a position */
};

enum { SIM_ORDERS = 2 }; /* enum sim_rank_order */

struct sim_config {
    unsigned refs;
    struct sim_scenario scenario; /* knobs inside are the starting values */
    uint64_t seed;
    struct sim_node_config *nodes;
    uint32_t node_count, host_count, switch_count;
    struct sim_port_config *ports;
    uint32_t port_count;
    struct sim_flow_config *flows;
    uint32_t flow_count;
    size_t flow_cap;
    int64_t block_flows;  /* flows that take part in blocks */
    uint32_t *hosts;      /* host index -> node */
    struct sim_plan plan; /* training */
    uint32_t rank_count;
    uint32_t party_count; /* ranks, then servers: all hosts */
    int64_t longest;      /* operations of the longest program of a party */
    struct sim_order orders[SIM_ORDERS];
    uint32_t *flow_table; /* hash table of flows by ends and channel */
    uint32_t flow_slots;  /* a power of two */
    uint32_t *own_first;  /* party p sends on own[own_first[p]] .. own[own_first[p + 1] - 1] */
    uint32_t *own;
    int64_t steps, buckets;
    /* Equal-cost ports of switch row r toward host h: route_pool[route[r * host_count + h]] is
     * their number, the ports follow. 0: no way. */
    uint32_t *route;
    uint32_t *route_pool;
    size_t route_pool_count, route_pool_cap;
    uint64_t *component_hash; /* ports, then nodes, flows, ranks, the workload */
    uint32_t component_count;
    unsigned lossless_mask; /* bit per priority: PFC applies while flow_control is pfc */
    struct sim_wire_sizes wire;
    uint32_t frame_max;   /* bytes of the longest data frame */
    unsigned strict_mask; /* bit per priority: served before the others */
};

/* ---- arena ----------------------------------------------------------------------------------- */

enum sim_section {
    SIM_SECTION_WORLD,
    SIM_SECTION_NODES,
    SIM_SECTION_PORTS,
    SIM_SECTION_LANES,
    SIM_SECTION_QPS,
    SIM_SECTION_SELECTIVE,
    SIM_SECTION_TCP,
    SIM_SECTION_RANKS,
    SIM_SECTION_STEPS,
    SIM_SECTION_COLLECTIVES,
    SIM_SECTION_EVENTS,
    SIM_SECTION_PACKETS,
    SIM_SECTION_CELLS,
    SIM_SECTION_COUNT
};

struct sim_trace;

struct sim {
    struct sim_config *config;
    unsigned char *arena;
    size_t arena_size;
    size_t section_cap[SIM_SECTION_COUNT]; /* items */
    size_t need[3]; /* free events, packets and cells that one event may take at most */
    /* into the arena; set anew whenever it moves */
    struct sim_world *w;
    struct sim_node_state *nodes;
    struct sim_port_state *ports;
    struct sim_lanes *lanes; /* per port */
    struct sim_qp *qps;
    struct sim_selective *selective; /* per flow, transport selective only */
    struct sim_tcp *tcp;             /* per flow, transport tcp only */
    struct sim_rank_data *ranks;
    struct sim_step_data *steps;
    struct sim_collective_data *collectives;
    struct sim_event *events;
    struct sim_packet *packets;
    struct sim_cell *cells;
    struct sim_trace *trace;
    uint32_t listen; /* SIM_FINE kinds somebody wants */
    uint32_t stop_kinds;
    bool stop_hit;
};

/* ---- config.c -------------------------------------------------------------------------------- */
struct sim_config *sim_config_create(const struct sim_scenario *sc, uint64_t seed, struct err *err);
void sim_config_release(struct sim_config *config);

/* The flow between two parties (training) or nodes on a channel, or SIM_NONE. */
uint32_t sim_flow_between(const struct sim_config *config, uint32_t src, uint32_t dst,
                          uint32_t channel);

/* Component numbers, for events and for the tie rule. */
static inline uint32_t sim_comp_port(uint32_t port)
{
    return port;
}
static inline uint32_t sim_comp_node(const struct sim_config *c, uint32_t node)
{
    return c->port_count + node;
}
static inline uint32_t sim_comp_flow(const struct sim_config *c, uint32_t flow)
{
    return c->port_count + c->node_count + flow;
}
static inline uint32_t sim_comp_rank(const struct sim_config *c, uint32_t rank)
{
    return c->port_count + c->node_count + c->flow_count + rank;
}

/* ---- arena.c --------------------------------------------------------------------------------- */
void sim_arena_create(struct sim *s);
/* Makes sure that there are free items for one event; may move the arena. */
void sim_arena_grow(struct sim *s);
static inline void sim_arena_reserve(struct sim *s)
{
    const struct sim_world *w = s->w;
    if (s->section_cap[SIM_SECTION_EVENTS] - w->event_count < s->need[0] ||
        s->section_cap[SIM_SECTION_PACKETS] - w->packet_high + w->packet_free_count < s->need[1] ||
        s->section_cap[SIM_SECTION_CELLS] - w->cell_high + w->cell_free_count < s->need[2]) {
        sim_arena_grow(s);
    }
}
uint32_t sim_packet_alloc(struct sim *s);
void sim_packet_free(struct sim *s, uint32_t packet);
uint32_t sim_cell_alloc(struct sim *s);
void sim_cell_free(struct sim *s, uint32_t cell);

/* ---- fifo (packets) -------------------------------------------------------------------------- */
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

/* ---- event.c --------------------------------------------------------------------------------- */
void sim_event_push(struct sim *s, sim_ps t, enum sim_class class, uint32_t comp,
                    enum sim_event_kind kind, uint32_t prio);
struct sim_event sim_event_pop(struct sim *s);
/* Sets a timer's deadline (SIM_NEVER: off), with an event of `kind` if none is pending in time. */
void sim_timer_set(struct sim *s, struct sim_timer *timer, sim_ps deadline, enum sim_class class,
                   uint32_t comp, enum sim_event_kind kind, uint32_t prio);
/* In the handler: true if the timer really is due; otherwise its event is set again or dropped. */
bool sim_timer_due(struct sim *s, struct sim_timer *timer, enum sim_class class, uint32_t comp,
                   enum sim_event_kind kind, uint32_t prio);

/* ---- trace.c --------------------------------------------------------------------------------- */
struct sim_trace *sim_trace_create(void);
void sim_trace_destroy(struct sim_trace *trace);
/* An empty record of this kind, all ids absent. */
struct sim_record sim_record(enum sim_trace_kind kind);
void sim_record_add(struct sim *s, struct sim_record rec);
/* The same for SIM_FINE kinds: worth building only when this is true. */
static inline bool sim_listening(const struct sim *s, enum sim_trace_kind kind)
{
    return (s->listen >> kind) & 1u;
}
/* Record fields from a packet. */
struct sim_record sim_record_packet(const struct sim *s, enum sim_trace_kind kind, uint32_t port,
                                    uint32_t packet);

/* ---- link.c: a port and its cable ------------------------------------------------------------ */
__extension__ typedef __int128 sim_wide; /* products of bytes and byte times */
/* Picoseconds for `bytes` on this port's cable, rounded down. */
static inline sim_ps sim_bytes_ps(const struct sim_port_config *port, int64_t bytes)
{
    if (port->tau_den == 1) {
        return bytes * port->tau_num;
    }
    return (sim_ps)((sim_wide)bytes * port->tau_num / port->tau_den);
}
/* Sends the next frame if the port is free and something may go. */
void sim_port_kick(struct sim *s, uint32_t port);
/* Brings the bit in `blocked` up to date after a pause or a hold began or ended. */
void sim_port_block(struct sim *s, uint32_t port, uint32_t prio);
/* May this port send nothing of a priority now? */
bool sim_port_stopped(const struct sim *s, uint32_t port, uint32_t prio);
void sim_port_tx_done(struct sim *s, uint32_t port);
void sim_port_arrive(struct sim *s, uint32_t port);
void sim_port_header(struct sim *s, uint32_t port);
/* A frame leaves the model: delivered, refused, lost. Fixes the counts of what is in flight. */
void sim_frame_end(struct sim *s, uint32_t packet);
/* Marks a packet as lost where it is; its bits go on, nobody will accept them. */
void sim_frame_lose(struct sim *s, uint32_t packet, uint32_t port, enum sim_reason reason);

/* ---- switch.c: admission, queues, release ---------------------------------------------------- */
/* Counts a frame in at its ingress port, or loses it; XOFF follows from it. */
bool sim_ingress_admit(struct sim *s, uint32_t port, uint32_t packet);
void sim_switch_receive(struct sim *s, uint32_t port, uint32_t packet);
/* True for a frame that must not be cut through: it may be refused, flooded or need credits. */
bool sim_switch_must_look(const struct sim *s, uint32_t port, const struct sim_packet *f);
void sim_switch_pipeline(struct sim *s, uint32_t node);
void sim_switch_release(struct sim *s, uint32_t ingress, uint32_t prio, int64_t bytes);
void sim_egress_put(struct sim *s, uint32_t port, uint32_t packet); /* appends */
void sim_egress_push(struct sim *s, uint32_t port, uint32_t packet);
uint32_t sim_egress_pop(struct sim *s, uint32_t port, uint32_t prio);
/* A share of the free part of a switch's shared memory. */
int64_t sim_free_share(const struct sim *s, uint32_t node, int64_t alpha);
/* Probability of an ECN mark, in 2^-32, for a queue of so many bytes (model 2.6). */
uint64_t sim_ecn_share(const struct sim_knobs *knobs, int64_t queue);
uint32_t sim_route(const struct sim *s, uint32_t node, const struct sim_packet *packet);

/* The queue's first packet is discarded, or all of them. */
void sim_egress_discard(struct sim *s, uint32_t port, uint32_t prio, enum sim_reason reason,
                        bool all);

/* ---- credit.c: InfiniBand link credits (model 3) --------------------------------------------- */
static inline bool sim_credits(const struct sim *s)
{
    return s->w->knobs.v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_CREDITS;
}
static inline int64_t sim_blocks(int64_t bytes)
{
    return (bytes + SIM_CREDIT_BLOCK - 1) / SIM_CREDIT_BLOCK;
}
int64_t sim_credit_buffer(const struct sim *s);           /* blocks of a VL's buffer */
void sim_credit_begin(struct sim *s);                     /* all links agree on what is where */
void sim_credit_begin_link(struct sim *s, uint32_t port); /* the direction that `port` sends */
void sim_credit_end(struct sim *s);
/* The next frame of a VL if there are credits for it, else SIM_NONE. */
uint32_t sim_credit_take(struct sim *s, uint32_t port, uint32_t prio, bool queued);
uint32_t sim_credit_frame(struct sim *s, uint32_t port); /* of a VL in `due` */
void sim_credit_arrived(struct sim *s, uint32_t port, uint32_t prio, int64_t bytes, bool keep);
void sim_credit_released(struct sim *s, uint32_t port, uint32_t prio, int64_t bytes);
void sim_credit_receive(struct sim *s, uint32_t port, uint32_t packet);
void sim_credit_tell(struct sim *s, uint32_t port, uint32_t prio);
/* A frame that `port` sent was destroyed on the way. */
void sim_credit_lost(struct sim *s, uint32_t port, uint32_t prio);
void sim_credit_resync(struct sim *s, uint32_t port, uint32_t prio);
void sim_credit_lifetime(struct sim *s, uint32_t port, uint32_t prio);

/* ---- watch.c: PFC watchdog (model 2.7) ------------------------------------------------------- */
void sim_watch_arm(struct sim *s); /* something is paused */
void sim_watch_poll(struct sim *s);
void sim_watch_off(struct sim *s);
/* True when a packet that came in by `in` to leave by `out` belongs to a storm and is dropped. */
bool sim_watch_drops(const struct sim *s, uint32_t in, uint32_t out, uint32_t prio);

/* ---- stall.c: is this the end? (model 2.6b) -------------------------------------------------- */
void sim_stall_arm(struct sim *s); /* something cannot be sent */
void sim_stall_look(struct sim *s);
/* Why a flow that gives up got no answer. */
enum sim_reason sim_stall_reason(const struct sim *s, uint32_t flow);

/* ---- outage.c: cut cables, forgotten ports -------------------------- */
void sim_outage_link(struct sim *s, uint32_t port, bool up);
void sim_outage_reroute(struct sim *s, uint32_t port);
void sim_outage_flood(struct sim *s, uint32_t node, bool on);
/* The cable it is sent on is cut. */
void sim_outage_lose(struct sim *s, uint32_t packet, uint32_t port);
/* A route that avoids withdrawn links: the port by which `port`, at switch `node`, is replaced. */
uint32_t sim_outage_route(const struct sim *s, uint32_t node, uint32_t host, uint32_t pick);

/* ---- host.c: a receiver that may be slow ----------------------------------------------------- */
void sim_host_receive(struct sim *s, uint32_t port, uint32_t packet);
void sim_host_drain(struct sim *s, uint32_t node);

/* ---- pfc.c ----------------------------------------------------------------------------------- */
bool sim_lossless(const struct sim *s, uint32_t prio);
/* The thresholds in force: fixed, or a share of what is free in the switch at this moment. */
int64_t sim_pfc_xoff(const struct sim *s, uint32_t port);
int64_t sim_pfc_xon(const struct sim *s, uint32_t port);
void sim_pfc_derive(struct sim *s); /* headroom and response of all ports, after a knob moved */
void sim_pfc_admitted(struct sim *s, uint32_t port, uint32_t prio); /* maybe XOFF */
void sim_pfc_released(struct sim *s, uint32_t port, uint32_t prio); /* maybe XON */
void sim_pfc_send(struct sim *s, uint32_t port, uint32_t prio, bool xoff);
void sim_pfc_receive(struct sim *s, uint32_t port, uint32_t packet);
void sim_pfc_obey(struct sim *s, uint32_t port);
void sim_pfc_pause_end(struct sim *s, uint32_t port, uint32_t prio);
void sim_pfc_refresh(struct sim *s, uint32_t port, uint32_t prio);
void sim_pfc_forget(struct sim *s, uint32_t port);
void sim_pfc_storm(struct sim *s, uint32_t port, unsigned mask);
void sim_pfc_switch_off(struct sim *s);
void sim_pfc_port_dies(struct sim *s, uint32_t port); /* it repeats no XOFF */

/* ---- qp.c: reliable connection, go-back-N (model 4.1) ---------------------------------------- */
void sim_qp_post(struct sim *s, uint32_t flow, int64_t bytes, uint32_t step, uint32_t flags);
/* The next packet of the next ready flow of a host in this class, or SIM_NONE. */
uint32_t sim_qp_pull(struct sim *s, uint32_t node, uint32_t prio);
void sim_qp_host_dies(struct sim *s, uint32_t node); /* nothing of it is ready to go */
void sim_qp_data(struct sim *s, uint32_t port, uint32_t packet);
void sim_qp_ack(struct sim *s, uint32_t port, uint32_t packet);
void sim_qp_timeout(struct sim *s, uint32_t flow);
/* How often `psn` has been or is being sent when it goes out next: its attempt number. */
uint32_t sim_qp_attempt(const struct sim *s, uint32_t flow, uint64_t psn);
uint64_t sim_packets_of(const struct sim *s, int64_t bytes);

/* The reliable transports: what differs between them. */
struct sim_transport_ops {
    enum sim_knob payload;                                /* knob: bytes of a full packet */
    enum sim_knob retries;                                /* knob: timeouts before it gives up */
    void (*init)(struct sim *s, uint32_t flow);           /* NULL: zeros will do */
    bool (*may_send)(const struct sim *s, uint32_t flow); /* there is a packet to send, now */
    uint64_t (*take)(struct sim *s, uint32_t flow);       /* its PSN; it counts as sent */
    uint32_t (*attempt)(const struct sim *s, uint32_t flow, uint64_t psn);
    void (*data)(struct sim *s, uint32_t port, const struct sim_packet *f);
    void (*waited)(struct sim *s, uint32_t flow); /* SIM_EV_RECEIVER; NULL: never set */
    /* True: the ACK timer starts again (or stops, when nothing is outstanding). */
    bool (*ack)(struct sim *s, const struct sim_packet *f, uint64_t arrived);
    bool (*probe)(struct sim *s, uint32_t flow);     /* the timer only meant a probe; NULL: never */
    void (*expire)(struct sim *s, uint32_t flow);    /* the ACK timer has fired */
    sim_ps (*timeout)(struct sim *s, uint32_t flow); /* how long, as the timer starts */
    void (*state)(const struct sim *s, uint32_t flow, struct sim_flow_state *out); /* or NULL */
    bool (*audit)(const struct sim *s, uint32_t flow, struct err *err);            /* or NULL */
};
extern const struct sim_transport_ops sim_go_back_n_ops, sim_selective_ops, sim_tcp_ops;
extern const struct sim_transport_ops *const sim_transports[SIM_TRANSPORT_COUNT];
static inline const struct sim_transport_ops *sim_transport_of(const struct sim *s)
{
    return sim_transports[s->w->knobs.v[SIM_KNOB_TRANSPORT]];
}
/* Shared by them (qp.c). */
void sim_qp_answer(struct sim *s, uint32_t port, uint32_t flow, enum sim_frame_kind kind,
                   uint64_t psn, uint64_t sack);
void sim_qp_advance(struct sim *s, uint32_t flow, uint64_t psn); /* all before psn has arrived */
void sim_qp_record_nak(struct sim *s, uint32_t port, uint32_t flow, uint64_t psn);
uint32_t sim_qp_message(const struct sim *s, const struct sim_qp *qp, uint64_t psn); /* cell */
void sim_qp_kick(struct sim *s, uint32_t flow);
/* A packet has reached the application in order; `more`: another follows at once, one ACK will do. */
void sim_qp_deliver(struct sim *s, uint32_t port, uint32_t flow, uint64_t psn, bool more);
/* The first half of that, without the ACK. True: its message is complete, tell the workload. */
bool sim_qp_take_in(struct sim *s, uint32_t flow, uint64_t psn);
/* Bitmaps over a window of PSNs (a multiple of 64 of them). */
static inline bool sim_bits_get(const uint64_t *bits, uint64_t window, uint64_t psn)
{
    return (bits[psn % window / 64] >> psn % 64 & 1u) != 0;
}
static inline void sim_bits_put(uint64_t *bits, uint64_t window, uint64_t psn, bool on)
{
    uint64_t mask = UINT64_C(1) << psn % 64;
    uint64_t *word = &bits[psn % window / 64];
    *word = on ? *word | mask : *word & ~mask;
}

/* Puts a flow in its host's list if it may send now. */
void sim_qp_ready(struct sim *s, uint32_t flow);

/* ---- cc.c: congestion control, DCQCN (model 4.4) --------------------------------------------- */
void sim_cc_init(struct sim *s, uint32_t flow);
/* A data packet of so many bytes left: pacing and the byte counter. */
void sim_cc_sent(struct sim *s, uint32_t flow, int64_t bytes);
/* True when the flow's rate allows a packet now; otherwise it will be told (SIM_EV_PACE). */
bool sim_cc_may_send(struct sim *s, uint32_t flow);
void sim_cc_pace(struct sim *s, uint32_t flow);
void sim_cc_forget(struct sim *s, uint32_t flow);
void sim_cc_raise(struct sim *s, uint32_t flow);
/* Receiver: a marked packet has arrived. Sender: a CNP has. */
void sim_cc_marked(struct sim *s, uint32_t port, uint32_t flow);
void sim_cc_cnp(struct sim *s, uint32_t port, uint32_t packet);

/* ---- work.c, training.c ---------------------------------------------------------------------- */
void sim_work_begin(struct sim *s);
void sim_work_flow(struct sim *s, uint32_t flow);
void sim_work_delivered(struct sim *s, uint32_t flow);
void sim_work_acked(struct sim *s, uint32_t flow); /* nothing is outstanding on it */
void sim_work_done(struct sim *s);
void sim_training_begin(struct sim *s);
void sim_training_computed(struct sim *s, uint32_t rank);
void sim_training_delivered(struct sim *s, uint32_t flow);
void sim_training_acked(struct sim *s, uint32_t flow);
void sim_training_dies(struct sim *s, uint32_t party);
/* For readers. The next operation of this kind that a party comes to, or else its last one. */
bool sim_training_next(const struct sim *s, uint32_t party, enum sim_op_kind kind,
                       struct sim_op *op);
/* The operation at which it has to wait; of several messages it lacks, one that is stuck or not even
 * posted. False: it waits for none. */
bool sim_training_waits(const struct sim *s, uint32_t party, struct sim_op *op);
/* The flow of an operation of this party, in the order of ranks in force. */
uint32_t sim_training_flow(const struct sim *s, uint32_t party, const struct sim_op *op);
/* A stall is no end for commands: what they change may end it. */
void sim_stall_set(struct sim *s, enum sim_reason reason, uint32_t flow);

/* ---- fault.c --------------------------------------------------------------------------------- */
/* True when a fault destroys this data packet at the end of its first cable. */
bool sim_fault_hits(struct sim *s, uint32_t packet);
/* What a `drop` command means at this moment: which packet, from which attempt on. */
struct sim_drop_target {
    uint32_t flow;
    uint64_t psn;
    uint32_t attempt, attempts;
    uint32_t packet; /* it is on its way now (index), or SIM_NONE: still to come */
};
bool sim_fault_aim(const struct sim *s, const struct sim_cmd *cmd, struct sim_drop_target *target,
                   struct err *err);
void sim_fault_drop(struct sim *s, const struct sim_drop_target *target);
/* A data packet on a cable or in a switch, or SIM_NONE. */
uint32_t sim_packet_find(const struct sim *s, uint32_t flow, uint64_t psn, uint32_t attempt);

#endif
