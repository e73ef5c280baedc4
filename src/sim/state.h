/*
 * What changes: the things that the arena holds, each in an array of its own (sim/world.h). They
 * refer to one another by index, SIM_NONE is none; so the arena may move, and a snapshot is a copy.
 *
 *     sim_world        one: time, knobs, counters, faults, how far the run is
 *     sim_port_state   per port; sim_lanes beside it: what few fabrics need
 *     sim_node_state   per node; sim_nic: per port of a host
 *     sim_qp           per flow; sim_selective or sim_tcp beside it
 *     sim_rank_data    per party; sim_step_data, sim_collective_data: what has been
 *     sim_event, sim_packet, sim_cell   pools that grow
 *
 * All of it is hashed: it begins as zeros, and padding is never written. Times are picoseconds,
 * lengths bytes, unless a comment says otherwise; SIM_NEVER is no time.
 */
#ifndef WEFT_SIM_STATE_H
#define WEFT_SIM_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/collective.h"
#include "sim/sim.h"

/*
 * Two numbers decide the order of events. The second holds, from the top: class 3 bits, luck 29 (a
 * mix of seed, time and the component's name), component 24, kind 5, priority 3.
 */
struct sim_event {
    sim_ps t;
    uint64_t order;
};

/* One that will happen soon, in a bucket of the wheel (event.c). Those of ports and nodes come first,
 * then a pool. */
struct sim_near {
    struct sim_event event;
    uint32_t next;
    uint32_t unused;
};

/* Frames in a row, linked through their `next`. */
struct sim_fifo {
    uint32_t head, tail;
};

/* Packet flags besides enum sim_frame_flag. */
enum {
    SIM_FLAG_SHELL = 32, /* cut through: the frame is farther on, this is what still comes in */
    SIM_FLAG_COPY = 64,  /* flooded: whoever gets it throws it away */
    SIM_FLAG_POOL_FREE = 128, /* in the free list */
};

/* A frame: data, an answer, PFC or credits (enum sim_frame_kind). It is in one list at a time. */
struct sim_packet {
    uint32_t next;
    uint32_t flow;    /* SIM_NONE: PFC and credits */
    uint64_t psn;     /* PFC: quanta; credits: what is promised */
    sim_ps start;     /* on a cable: first bit out */
    sim_ps at;        /* on a cable: last bit in; pipeline, PFC response: when it goes on */
    uint32_t bytes;   /* in the fabric, FCS included */
    uint32_t payload; /* credits: blocks that their sender has sent */
    uint32_t attempt; /* from 1; answers: what has come lies so far beyond what is missing */
    uint32_t ingress; /* port through which the switch that holds it received it */
    uint32_t egress;  /* port it will leave by, has left by when on a cable */
    uint32_t step;    /* training step */
    uint8_t kind;     /* enum sim_frame_kind */
    uint8_t prio;     /* its class; PFC frames: the class they are about */
    uint8_t flags;    /* enum sim_frame_flag, and those above */
    uint8_t hops;     /* cables crossed */
    uint32_t serial;  /* tells a packet from a later one in the same place; 0: nobody asks */
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
    int64_t shared, headroom; /* bytes charged to either */
};

/* What waits toward one neighbour in one class, and whether it may go. */
struct sim_egress {
    struct sim_fifo fifo;
    int64_t bytes; /* in the queue */
};

/* One class at one port: what came in by it, what is to leave by it. Half a cache line. */
struct sim_port_class {
    struct sim_egress out;
    struct sim_pg in;
};

/* Where a class is among those of a port: data and what answers it share a cache line. */
static inline uint32_t sim_class_place(uint32_t prio)
{
    return 5 * prio % SIM_PRIO_COUNT; /* 3 and 6 to 7 and 6 */
}

/*
 * A port. What nearly every frame touches comes first and fills a cache line; what it touches when it
 * has to wait is in the second, its class in a third: with a thousand hosts it is the cache that decides
 * how long a frame takes. Pauses and credits are apart (struct sim_lanes).
 */
struct sim_port_state {
    sim_ps busy_until;    /* end of the slot */
    sim_ps busy_total;    /* of all slots so far */
    struct sim_fifo wire; /* on the cable to the peer */
    uint32_t tx_bytes;    /* what the end of the slot releases, */
    uint32_t tx_from;     /* from this ingress port (SIM_NONE: nothing) */
    uint8_t tx_prio;      /* and class */
    uint8_t blocked;      /* bit per priority: paused, held or without credits */
    bool wire_event;      /* SIM_EV_ARRIVE is pending */
    uint8_t pausing;      /* bit per priority: it has told its neighbour to stop */
    uint8_t storm;        /* bit per priority: a broken NIC sends XOFF for ever */
    uint8_t watch;        /* bit per priority: the watchdog has taken over */
    bool held;            /* fault: sends no data */
    bool withdrawn;       /* its cable is cut, and switches have stopped using it */
    union {
        struct {
            union {
                struct {
                    uint8_t backlog; /* bit per priority: frames wait in a queue */
                    uint8_t ready; /* of a host, bit per priority: its NIC has flows with packets */
                    uint8_t due;   /* bit per VL: a credit packet is to be sent */
                    bool pfc_waits; /* a PFC frame is to be sent */
                };
                uint32_t waits; /* any of these */
            };
            bool tx_event; /* SIM_EV_TX_DONE is pending */
            bool unseen;   /* its slot ends without that (link.h); never between two runs */
            bool dead;     /* NIC of a dead host: sends and takes nothing */
            bool down;     /* the cable is cut: what is sent is lost */
        };
        uint64_t not_idle; /* any of these: a frame cannot go straight through */
    };
    int64_t max_bytes; /* data class queue */
    /* when something waits */
    sim_ps sum_at;                  /* integral of that queue over time, up to here: */
    uint64_t sum_lo, sum_hi;        /* byte picoseconds, 128 bits */
    int64_t tau_rem;                /* remainder of the byte time: no long-run rate error */
    struct sim_fifo pfc;            /* PFC frames to send */
    struct sim_fifo obey;           /* PFC frames received, within the response time */
    int64_t headroom_limit;         /* bytes, derived from the knobs when they change */
    uint32_t headers, headers_tail; /* cells: cut-through, frames whose header is under way */
    bool obey_event;                /* SIM_EV_OBEY is pending */
    bool xoff_marked;               /* its first XOFF has been kept as a mark */
    uint8_t unused[6];
    struct sim_port_class classes[SIM_PRIO_COUNT];
    /* from here on: seldom */
    sim_ps pfc_response;      /* derived from the knobs when they change */
    sim_ps paused_total;      /* of pauses that are over, all classes */
    struct sim_timer reroute; /* the cable is cut: when switches stop using it */
    uint64_t marked;          /* frames marked on leaving */
    uint64_t dropped;         /* frames that had no room on their way to this port */
    uint64_t dwrr;            /* the class whose turn it is; deficit[]: what each may send, bytes */
    uint64_t unused_tail[9]; /* an odd number of lines: neighbours do not share places in a cache */
    int64_t deficit[SIM_PRIO_COUNT];
};

/* Of one class: how the neighbour pauses this port, and how this port goes on pausing it. */
struct sim_pause {
    sim_ps until; /* while paused */
    sim_ps since; /* SIM_NEVER: not paused */
    struct sim_timer end;
    struct sim_timer refresh;
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

/* VL arbitration of a port: how far each table has come (arbiter.c). */
struct sim_arbiter {
    uint32_t at[SIM_VL_TABLES];  /* entry whose turn it is */
    int64_t left[SIM_VL_TABLES]; /* bytes it may still send; 0: all of its weight */
    int64_t spent;               /* bytes of the high table since the low one had a chance */
};

/* What a port needs only when it is paused, or under credits: apart, so that the rest stays dense. */
struct sim_lanes {
    struct sim_pause pause[SIM_PRIO_COUNT];
    struct sim_vl vl[SIM_PRIO_COUNT];
    sim_ps resumed_at[SIM_PRIO_COUNT]; /* when the last pause ended */
    sim_ps starved_total;              /* of waits for credits that are over, all lanes */
    struct sim_arbiter arbiter;
};

struct sim_node_state {
    int64_t used;             /* bytes held: switch memory, or a host's receive buffer */
    int64_t used_shared;      /* of these, charged to shared memory */
    int64_t pool;             /* switch: memory that is shared: what headroom leaves of it */
    struct sim_fifo pipeline; /* switch: between last bit in and egress queue */
    bool pipeline_event;
    bool draining;           /* host: SIM_EV_DRAIN is pending */
    bool dead;               /* host: it computes, sends and receives nothing any more */
    bool flooded;            /* host: its switches have forgotten its port */
    uint32_t pausing;        /* ports and classes of it that pause their neighbours */
    struct sim_fifo receive; /* host with a slow receiver: frames in its buffer */
    int64_t drain;   /* host: share of the line at which it empties that; UNIT_ONE: at once */
    uint64_t unused; /* a cache line */
};

/* A port of a host as a NIC: by class, flows with packets to send, linked through sim_qp.ready_next. */
struct sim_nic {
    struct sim_fifo ready[SIM_PRIO_COUNT];
};

/* Rate of one sender under congestion control (cc.c). */
struct sim_cc {
    int64_t rate, target; /* bit/s */
    int64_t alpha;        /* share, 2^-32 */
    int64_t bytes;        /* sent since the byte counter last fired */
    sim_ps next;          /* when the next packet may go */
    sim_ps last_cnp;      /* receiver: when it last sent one, or a negative time: never */
    sim_ps last_cut;      /* while active: or the first CNP */
    struct sim_timer forget, raise;
    uint32_t timer_stage, byte_stage; /* increases since the last cut */
    bool active;                      /* has had a CNP: the rate is limited */
    bool pace_event;
    bool cut_event;    /* has had a CNP and waits with the cut: SIM_EV_CC_CUT is pending */
    uint8_t unused[5]; /* no padding: it is assigned whole, and hashed */
};

/* How far a part of a message has got. */
enum sim_part { SIM_PART_DELIVERED, SIM_PART_ACKED, SIM_PART_COUNT };

/* A queue pair: sim/qp.h has the picture. */
struct sim_qp {
    uint64_t una, next, end;         /* sender: acknowledged, sent, posted up to here */
    uint64_t expected;               /* receiver: all before it has been delivered */
    uint64_t step_psn, step_packets; /* training: what it carries in this step */
    int64_t posted_bytes, delivered_bytes;
    uint64_t sent, resent, dropped;       /* data packets */
    sim_ps start, delivered_at, acked_at; /* first message posted; last byte; last ACK of all */
    struct sim_timer timer;               /* of ACKs */
    uint32_t recent; /* cell of the message from which a packet was last made, or SIM_NONE */
    uint32_t messages, messages_tail; /* cells: posted and not yet acknowledged, oldest first */
    uint32_t rewinds;                 /* cells: see goback.c */
    uint32_t ready_next;              /* in its NIC's list */
    uint32_t in_flight;               /* frames of it on cables and in switches */
    uint32_t unacked;                 /* receiver: packets since its last ACK */
    uint32_t retries;                 /* timeouts in a row */
    struct sim_cc cc;
    uint64_t draws;   /* random numbers drawn for this flow */
    uint64_t posted;  /* messages */
    uint32_t arrived; /* training: messages delivered that their receiver has not come to yet */
    uint32_t cleared; /* training: sends that a clear-to-send allows */
    uint32_t parts[SIM_PART_COUNT]; /* of messages of which another queue pair has not got so far */
    bool ready;                     /* in its NIC's list */
    bool nak_sent;                  /* receiver: for what it expects */
    bool ack_due;                   /* receiver: as soon as the packets at hand are delivered */
    bool error;                     /* it has given up */
    uint32_t answers;               /* ACKs and NAKs that came under a rule of random loss */
};

/* What a selective sender and its receiver remember of the packets in the window. PSN modulo the
 * window is the index. */
enum { SIM_SELECTIVE_WINDOW = 8192 };
struct sim_selective {
    uint64_t sacked[SIM_SELECTIVE_WINDOW / 64];   /* sender: known to have arrived */
    uint64_t received[SIM_SELECTIVE_WINDOW / 64]; /* receiver: arrived ahead of its turn */
    uint8_t attempts[SIM_SELECTIVE_WINDOW];       /* sender: times sent */
    uint64_t sacked_count;                        /* of these */
    uint64_t high;            /* sender: one past the highest PSN known to have arrived */
    uint64_t again;           /* sender, in recovery: next PSN to look at */
    uint64_t recovery;        /* sender: recovery ends when una gets here; 0: not in recovery */
    uint64_t ahead;           /* receiver: one past the highest PSN that arrived */
    struct sim_timer reorder; /* receiver: until it calls a packet missing */
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

/* What a switch remembers of a flow in one direction, with routing flowlet or in_turn (steer.h). */
struct sim_flowlet {
    sim_ps last;     /* when a packet of it was last here */
    uint32_t number; /* of the flowlet, from 1; 0: none yet */
    uint32_t serial; /* of that packet */
};

/* Flags of a posted message besides those that its last packet carries. */
enum { SIM_CELL_WHOLE = 256 }; /* staged: it ends a message of the workload, not only a chunk */

/* A small record in a list: a posted message, or a rewind. */
struct sim_cell {
    uint32_t next;
    uint32_t step;
    uint64_t psn;     /* message: its first PSN; rewind: first PSN it did not cover */
    uint64_t packets; /* message: count; rewind: how often it happened */
    int64_t bytes;
    uint32_t flags; /* message: SIM_FRAME_STEP_END if it ends the step; SIM_CELL_WHOLE */
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
    sim_ps still; /* until then its GPU does nothing (pause_gpu); what is past says nothing */
    struct sim_lane lanes[SIM_LANES];
    enum sim_phase phase;
    uint32_t open; /* its queue pairs with something not yet acknowledged */
};

/* A training step, over or in progress. */
struct sim_step_data {
    sim_ps start, end, compute; /* compute: of the rank that took longest */
    uint32_t slowest;           /* rank that came to the barrier last */
    uint32_t unused;
};

/* One collective of a bucket. */
struct sim_collective_data {
    sim_ps start, end; /* the first message posted; the last rank has the sum */
    int64_t done;      /* ranks that have the sum */
};

enum { SIM_RULES_MAX = 64 };

/* What faults of loss are about: packets when their last bit reaches the end of their first cable. */
enum sim_lossy { SIM_LOSSY_DATA, SIM_LOSSY_ANSWERS, SIM_LOSSY_COUNT }; /* answers: ACK and NAK */

/* A packet to destroy. */
#define SIM_PSN_ANY UINT64_MAX
struct sim_drop_rule {
    uint64_t psn; /* SIM_PSN_ANY: whichever is sent again next */
    uint32_t flow;
    uint32_t attempt, attempts; /* first, and how many are left */
    uint32_t unused;
};

/* A packet with a field that is wrong. */
enum { SIM_CORRUPT_MAX = 8 };
struct sim_corrupt_rule {
    uint64_t psn; /* SIM_PSN_ANY: that of the next packet */
    uint32_t flow;
    uint32_t attempt;
    uint32_t field; /* enum sim_field */
    uint32_t unused;
};

/* Every n-th packet. */
struct sim_nth_rule {
    int64_t every; /* 0: off */
    int64_t count; /* packets so far, since the rule was made */
    uint32_t flow; /* SIM_NONE: all */
    uint32_t unused;
};

/* So many in a row. */
struct sim_burst_rule {
    uint64_t left;
    uint64_t from; /* it begins with the first PSN from here on; 0: with the next packet */
    uint32_t flow; /* SIM_NONE: all */
    uint32_t unused;
};

/* Random loss. */
struct sim_loss_rule {
    int64_t share; /* 2^-32 */
    uint32_t flow; /* SIM_NONE: all */
    uint32_t unused;
};

/* How the queue of events keeps them at the moment (event.c): it says nothing about the fabric. */
struct sim_pending {
    uint64_t far_count;
    sim_ps far_first; /* time of the first far one, SIM_NEVER: none */
    uint64_t near_high;
    uint32_t near_free;  /* head of the free list */
    uint32_t run;        /* near events whose bucket has come, in order */
    uint64_t run_bucket; /* which it was; those in the wheel come behind it */
};

struct sim_world {
    sim_ps now;
    sim_ps done_at;
    uint64_t event_count; /* pending, far and near; */
    uint64_t pool_count;  /* of these, without a place of their own (event.h) */
    struct sim_pending pending;
    uint64_t serial;                    /* of the last packet */
    uint64_t packet_high, packet_count; /* ever in use, now in use */
    uint64_t cell_high, cell_count;
    uint32_t packet_free, cell_free; /* heads of the free lists */
    uint64_t trace_seq, trace_hash;
    struct sim_knobs knobs;
    struct sim_counters count;
    struct sim_drop_rule rules[SIM_RULES_MAX];
    uint64_t rule_count;
    struct sim_nth_rule nth;
    struct sim_loss_rule loss[SIM_LOSSY_COUNT];
    struct sim_burst_rule burst[SIM_LOSSY_COUNT];
    struct sim_corrupt_rule corrupt[SIM_CORRUPT_MAX];
    uint64_t corrupt_count;
    uint64_t
        lossy; /* bit per enum sim_lossy: some rule is in force; SIM_LOSSY_COUNT: of `corrupt` */
    struct sim_stall stall;
    uint64_t data_in_flight; /* data packets on cables and in switches, lost ones not counted */
    uint64_t ready_flows;    /* in the lists of NICs */
    uint64_t computing;      /* ranks */
    /* training */
    int64_t step;                         /* in progress, from 1; 0: none yet */
    int64_t steps_done;                   /* barriers */
    int64_t at_barrier;                   /* ranks */
    int64_t collectives;                  /* begun */
    int64_t bytes, bucket_bytes, buckets; /* in force in this run */
    int64_t flows_open;                   /* flows workload */
    int64_t overlap;                      /* share in force in this step */
    int64_t blocks, block_arrived;        /* of it: delivered to all; flows of the next one */
    uint32_t order;                       /* enum sim_rank_order in force in this step */
    sim_ps progress_at; /* when a frame other than PFC and credits was last sent */
    sim_ps watch_at;    /* when SIM_EV_WATCH comes that counts; 0: none is pending */
    uint32_t withdrawn; /* ports that routing avoids */
    uint32_t flooded;   /* hosts */
    uint32_t watched;   /* ports and priorities that the watchdog has taken over */
    bool credits;       /* some cable uses them: so says flow_control, or it is inside a box */
    bool memory_limit;
    bool stalled;
    bool stall_muted; /* a command is coming that may end the stall */
    bool stall_event; /* SIM_EV_STALL is pending */
};

#endif
