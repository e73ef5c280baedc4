/*
 * The fabric model. Read this header first.
 *
 *     scenario --sim_create--> struct sim --sim_run_until(t)--> later
 *                                 ^  |
 *                        sim_apply   readers: ports, frames, flows, ranks, counters, trace
 *
 * One `struct sim` is one fabric at one moment. It has no clock, no screen, no files and no
 * randomness of its own: scenario, seed and the commands applied (with their times) decide every
 * byte of it. All state that changes lies in one arena and refers to itself by index, so a snapshot
 * is a copy. Everything that cannot change (names, topology, routes) lies outside it.
 *
 * Ids are indexes: nodes, ports, flows, ranks. A port is one end of a cable; what it sends arrives
 * at its `peer`. A host may have several ports; it never forwards. Port p is named "leaf1:3" (the third port of leaf1).
 *
 * Time. sim_run_until(t) executes every event at or before t. Cutting the way into slices never
 * changes anything. Readers never change anything.
 *
 * Traffic classes. Data travels in priority SIM_PRIO_DATA (lossless while flow_control is pfc);
 * ACK, NAK in SIM_PRIO_CONTROL, which is served first and never paused, unless the switch ack_class
 * puts them into the class of the data they are about. PFC frames are not queued:
 * they leave as soon as the frame on the wire has ended.
 */
#ifndef WEFT_SIM_SIM_H
#define WEFT_SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/command.h"
#include "sim/scenario.h"
#include "sim/time.h"
#include "sim/trace.h"

#define SIM_NONE UINT32_MAX

struct sim;

/* ---- life ------------------------------------------------------------------------------------ */

/* Builds a fabric at time 0, before any event. Copies what it needs of `sc`, which must have passed
 * sim_scenario_check(). */
struct sim *sim_create(const struct sim_scenario *sc, uint64_t seed, struct err *err);
void sim_destroy(struct sim *sim);

/* ---- running --------------------------------------------------------------------------------- */

enum sim_outcome {
    SIM_RUNNING,      /* work is left */
    SIM_DONE,         /* the workload is complete */
    SIM_STALLED,      /* no progress is possible: see sim_stall() */
    SIM_MEMORY_LIMIT, /* the knob `memory` ended the run */
};

enum sim_stopped {
    SIM_AT_TIME,  /* everything up to `until` has happened */
    SIM_AT_TRACE, /* a record of `stop_kinds` was written: now is its time; call again to go on */
    SIM_AT_END,   /* stalled, out of memory or at the end of time: nothing more will happen */
};

/*
 * Runs until `until`, or until just after the first event that writes a record whose bit is in
 * `stop_kinds` (SIM_TRACE_BIT(DROP) | ...; 0: none). A workload that is complete does not stop it:
 * what is still on the cables goes on.
 */
enum sim_stopped sim_run_until(struct sim *sim, sim_ps until, uint32_t stop_kinds);

/* The same, but no farther than to the end of the instant in which so many events have been executed
 * (ends of slots that took none do not count here), in a large fabric some more or fewer: SIM_AT_TIME with
 * sim_now() before `until`. For whoever must look at a fabric from time to time at a cost that is known. */
enum sim_stopped sim_run_events(struct sim *sim, uint64_t events, sim_ps until,
                                uint32_t stop_kinds);

/* Executes exactly one event; false when none is left or the run has ended. For auditing. */
bool sim_run_one(struct sim *sim);

/*
 * Applies a command as the first thing that happens at `at`, which must be later than sim_now();
 * everything before `at` is run first. Nothing is changed when it fails. A knob whose `when` is
 * restart is refused with ERR_STATE: run/ starts the run again.
 */
bool sim_apply(struct sim *sim, sim_ps at, const struct sim_cmd *cmd, struct err *err);

/* True when the command could be applied now; the reason otherwise. */
bool sim_would_apply(const struct sim *sim, const struct sim_cmd *cmd, struct err *err);

sim_ps sim_now(const struct sim *sim);
enum sim_outcome sim_outcome(const struct sim *sim);
sim_ps sim_done_at(const struct sim *sim); /* when the workload was complete, or SIM_NEVER */

/* Time of the next event, or SIM_NEVER. For playback: how long the silence will last. */
sim_ps sim_next_event(const struct sim *sim);

/* True when no data frame is queued or on a cable and no host is about to send one: only timers,
 * computing GPUs or nothing are left. `*computing` (may be NULL): some GPU computes. */
bool sim_quiet(const struct sim *sim, bool *computing);

/* ---- snapshots ------------------------------------------------------------------------------- */

/* Bytes of the live part of the arena. */
size_t sim_state_size(const struct sim *sim);
/* Copies the state out (sim_state_size() bytes) and back in. A state fits only the sim (same
 * scenario and seed) that it came from. The trace is not part of it. */
void sim_state_save(const struct sim *sim, void *to);
void sim_state_load(struct sim *sim, const void *from);
/* Hash of the state: equal states, equal hashes. How pending events and frames are kept is
 * no part of it. */
uint64_t sim_state_hash(const struct sim *sim);
/* A second, independent fabric in the same state, with an empty trace of its own. */
struct sim *sim_fork(const struct sim *sim);

/* ---- what does not change -------------------------------------------------------------------- */

struct sim_node_info {
    const char *name;
    enum sim_node_kind kind;
    uint32_t first_port, port_count; /* its ports are consecutive */
};

/* Whether a fault has killed it: it sends, takes and answers nothing any more. */
bool sim_node_is_dead(const struct sim *sim, uint32_t node);

struct sim_port_info {
    const char *name; /* "leaf1:3" */
    uint32_t node;    /* whose port */
    uint32_t peer;    /* the port at the other end */
    enum sim_link_kind kind;
    int64_t rate_bps;
    sim_ps delay_ps;
};

struct sim_flow_info {
    const char *name;  /* "g3>g4" */
    uint32_t src, dst; /* nodes */
    uint32_t port;     /* of src, by which its packets leave */
    int64_t bytes;     /* flows workload: size of a message, its part of it; training: 0 */
    uint64_t messages; /* flows workload: how many, one after the other; 0: without end */
    uint32_t lead;     /* first queue pair of its connection: itself, or the one it helps */
    uint32_t pairs;    /* how many queue pairs that connection has, one behind the other */
    /* With staging a flow to another box goes in legs, each a flow with packets of its own; the flow
     * itself has none, and its state counts messages instead. SIM_NONE: there is none. */
    uint32_t first_leg, next_leg;
    uint32_t staged;  /* of a leg: the flow that it is part of */
    uint32_t permits; /* its messages are clear-to-sends for this flow; SIM_NONE: they are not */
    uint64_t hash;    /* of its name: its luck, and what ECMP goes by */
};

size_t sim_node_count(const struct sim *sim);
size_t sim_port_count(const struct sim *sim);
size_t sim_flow_count(const struct sim *sim);
size_t sim_rank_count(const struct sim *sim); /* 0 for a flows workload */
struct sim_node_info sim_node(const struct sim *sim, uint32_t node);
struct sim_port_info sim_port(const struct sim *sim, uint32_t port);
struct sim_flow_info sim_flow(const struct sim *sim, uint32_t flow);
uint32_t sim_rank_node(const struct sim *sim, uint32_t rank);
uint32_t sim_find_node(const struct sim *sim, const char *name); /* SIM_NONE if there is none */
uint32_t sim_find_port(const struct sim *sim, const char *name); /* "leaf1:3" */
uint32_t sim_find_flow(const struct sim *sim, const char *name); /* "g3>g4" */
const struct sim_scenario *sim_scenario_of(const struct sim *sim);
uint64_t sim_seed(const struct sim *sim);
sim_ps sim_slot_ps(const struct sim *sim, uint32_t port); /* time a full data frame keeps it busy */

/* ---- ports and frames ------------------------------------------------------------------------ */

/* Ingress: bytes held from the neighbour at the other end of this port, data class. PAUSE follows
 * these. Zero for host ports (a host takes in what arrives). */
struct sim_held {
    int64_t shared, headroom;          /* now */
    int64_t xoff, xon, headroom_limit; /* the marks, as in force now */
    bool lossless;                     /* the marks mean something */
    bool pausing;                      /* it has told the neighbour to stop */
};
struct sim_held sim_port_held(const struct sim *sim, uint32_t port);

/* Egress: what waits to be sent out of this port. For host ports: 0, their work waits in memory. */
struct sim_queue {
    int64_t bytes; /* data class, waiting (the frame on the wire not counted) */
    int64_t cap;   /* SIM_UNLIMITED while the class is lossless or uncapped */
    bool paused;   /* the neighbour told it to stop */
    bool held;     /* a `hold` fault stops it */
    bool down;     /* the cable is cut */
    int64_t max_bytes;
    double mean_bytes; /* over time, for reports */
    uint64_t dropped;  /* frames lost for want of room toward this cable */
};
struct sim_queue sim_port_queue(const struct sim *sim, uint32_t port);

/* Credits of a virtual lane (a priority is one), as its sender knows them. */
struct sim_credit {
    int64_t blocks;       /* of 64 bytes that it may send now */
    int64_t held;         /* blocks in the buffer at the other end */
    int64_t buffer;       /* blocks that fit there */
    bool starved;         /* a packet waits that needs more */
    sim_ps starved_total; /* of all lanes of the port, up to now */
};
struct sim_credit sim_port_credit(const struct sim *sim, uint32_t port, uint32_t prio);

/* Time this port spent sending (slots begun, the running one up to now): its growth over a frame of
 * the screen is how busy the lane was. */
sim_ps sim_port_busy_ps(const struct sim *sim, uint32_t port);

/* Time this port has been paused by its neighbour, of all classes together, up to now. */
sim_ps sim_port_paused_ps(const struct sim *sim, uint32_t port);

enum sim_frame_kind {
    SIM_FRAME_DATA,
    SIM_FRAME_ACK,
    SIM_FRAME_NAK,
    SIM_FRAME_XOFF,
    SIM_FRAME_XON,
    SIM_FRAME_CNP,
    SIM_FRAME_CREDIT
};

enum sim_frame_flag {
    SIM_FRAME_LAST = 1,     /* last packet of its message */
    SIM_FRAME_RESENT = 2,   /* not the first attempt */
    SIM_FRAME_LOST = 4,     /* destroyed: its bits still occupy the wire, nobody will accept them */
    SIM_FRAME_STEP_END = 8, /* last packet of its flow in this training step */
    SIM_FRAME_CE = 16       /* carries an ECN mark */
};

struct sim_frame {
    enum sim_frame_kind kind;
    unsigned flags; /* enum sim_frame_flag */
    uint32_t flow;  /* SIM_NONE for PFC frames. ACK and NAK name the flow they belong to */
    uint64_t psn;   /* data: its own; ACK: last packet acknowledged; NAK: packet asked for */
    uint32_t attempt;
    uint32_t port;     /* the port that sends or holds it */
    uint32_t bytes;    /* on the wire, FCS included, preamble and gap not */
    sim_ps start, end; /* on a cable: first bit out, last bit in. Queued: SIM_NEVER */
};

/* Frames on the cable that leaves `port`, oldest (farthest) first; at most `cap` of them; returns
 * how many there are. */
size_t sim_port_wire(const struct sim *sim, uint32_t port, struct sim_frame *out, size_t cap);

/* Frames of the data class that wait in the egress queue of `port`, next to leave first: data, and answers
 * that the switch ack_class puts there. */
size_t sim_port_waiting(const struct sim *sim, uint32_t port, struct sim_frame *out, size_t cap);

/*
 * The tape: every frame that a port of the fabric puts on its cable, for captures. It is written only
 * while somebody listens, and changes nothing; it begins with the frames that are on cables then. Cables
 * inside boxes carry no frames.
 */
struct sim_sent {
    sim_ps start, end; /* first bit out; last bit in, at the other end */
    uint64_t seq;      /* of the first record of the trace that was written after it */
    uint64_t psn; /* as in struct sim_frame. XOFF, XON: quanta. Credits: blocks promised (FCCL) */
    uint64_t message;      /* data on the first cable from its host: first PSN of its message, */
    int64_t message_bytes; /* and length; -1: not known here, see the packet's first cable */
    uint32_t port;         /* that sends it */
    uint32_t flow;         /* SIM_NONE: XOFF, XON, credits */
    uint32_t bytes;        /* FCS included */
    uint32_t payload;      /* data: bytes. Credits: blocks sent (FCTBS) */
    uint32_t attempt; /* data: from 1. ACK, NAK: what came lies so far beyond the first missing */
    enum sim_frame_kind kind;
    unsigned flags; /* enum sim_frame_flag: LAST, RESENT, LOST, CE */
    uint8_t prio;   /* its class or lane; XOFF, XON: that which they are about */
    uint8_t ttl;    /* what is left of the knob's */
    uint8_t wrong;  /* enum sim_field (command.h): the field that corrupt has spoilt */
};
void sim_tape_listen(struct sim *sim, bool on);
/* What has been sent since sim_tape_forget(), in order. Valid until the fabric runs on. It grows without
 * bound: read and forget often. */
size_t sim_tape_read(const struct sim *sim, const struct sim_sent **sent);
void sim_tape_forget(struct sim *sim);

/* The same of a frame that is on a cable of the fabric or waits in a queue now, as sim_port_wire() or
 * sim_port_waiting() tell of it: for whoever wants to see its headers. False: it is not there. */
bool sim_sent_of(const struct sim *sim, const struct sim_frame *frame, struct sim_sent *sent);

/* Looks a data packet up wherever it is now; false if it is neither on a cable nor in a switch. */
bool sim_find_packet(const struct sim *sim, uint32_t flow, uint64_t psn, uint32_t attempt,
                     struct sim_frame *out);

/* The same for an ACK, NAK or CNP. Of several that say the same, any. */
bool sim_find_answer(const struct sim *sim, enum sim_frame_kind kind, uint32_t flow, uint64_t psn,
                     struct sim_frame *out);

/* ---- flows (queue pairs) --------------------------------------------------------------------- */

struct sim_flow_state {
    uint64_t una;       /* first PSN not acknowledged */
    uint64_t next;      /* next PSN to send */
    uint64_t end;       /* first PSN not posted yet */
    uint64_t expected;  /* receiver: next PSN in order */
    bool gap;           /* receiver: it has asked for `expected` and refuses everything else */
    bool keeps;         /* receiver: it lacks `expected` and keeps what came after it */
    bool error;         /* gave up */
    uint32_t in_flight; /* frames (data, ACK, NAK) on cables and in queues, without lost ones */
    sim_ps timer;       /* when the ACK timer fires, or SIM_NEVER */
    uint32_t retries;   /* timeouts in a row */
    uint32_t attempt;   /* of una: how often it has been sent, or will be when it goes out */
    int64_t posted_bytes, delivered_bytes; /* payload */
    uint64_t sent, resent, dropped;        /* data packets */
    sim_ps start;                          /* first work posted, or SIM_NEVER */
    sim_ps delivered_at;                   /* last payload byte so far, or SIM_NEVER */
    sim_ps acked_at;   /* last ACK that left nothing outstanding, or SIM_NEVER */
    uint64_t cwnd;     /* tcp: congestion window, packets; 0: other transports have none */
    uint64_t ssthresh; /* tcp: where slow start ends, packets */
    sim_ps rtt;        /* tcp: smoothed round-trip time; 0: not measured yet */
    sim_ps rto;        /* how long it waits for an ACK; tcp: as measured */
    uint64_t
        duplicates;    /* tcp: ACKs in a row that said nothing new; the third makes it send again */
    bool probing;      /* tcp: its timer means a tail-loss probe, not a timeout */
    int64_t rate_bps;  /* what congestion control allows; 0: the line's rate */
    uint64_t step_psn; /* training: first PSN of the current step */
    uint64_t step_packets; /* training: its packets in a step; 0: it carries none */
};
struct sim_flow_state sim_flow_state(const struct sim *sim, uint32_t flow);

/* Flows in blocks (scenario.h): how many have arrived completely. */
int64_t sim_blocks_done(const struct sim *sim);

/* ---- ranks and training ---------------------------------------------------------------------- */

/* What a GPU is doing, in the order of the timeline's vocabulary. */
#define SIM_RANK_STATES(X)                                                                         \
    X(COMPUTES, "computes")                                                                        \
    X(EXCHANGES, "exchanges")                                                                      \
    X(WAITS, "waits for data")                                                                     \
    X(PAUSED, "its NIC is paused")                                                                 \
    X(REFUSED, "sends in vain")                                                                    \
    X(TIMER, "only its timer can help")                                                            \
    X(BARRIER, "at the barrier")                                                                   \
    X(DEAD, "stopped")

enum sim_rank_state {
#define X(id, word) SIM_RANK_##id,
    SIM_RANK_STATES(X)
#undef X
        SIM_RANK_STATE_COUNT
};

/* Peers are numbers as sim_rank_node() takes them: ranks, and behind them parameter servers. In a
 * ring they never change; elsewhere they are those of the moment. SIM_NONE: there is none. */
struct sim_rank {
    enum sim_rank_state state;
    uint32_t next;        /* whom it sends to: the queue pair in most trouble, or the next one */
    uint32_t prev;        /* whom it waits for (a message, or leave to send one), or will next */
    uint32_t flow_out;    /* flow to `next` */
    uint32_t flow_in;     /* flow from `prev` */
    int64_t rounds_sent;  /* messages posted in this step */
    int64_t rounds_done;  /* messages received in this step */
    int64_t rounds;       /* messages it receives in a step; a ring: buckets x 2(N-1) */
    sim_ps compute_end;   /* of this step */
    sim_ps compute_total; /* over all finished compute phases, for gpu_busy */
};
struct sim_rank sim_rank(const struct sim *sim, uint32_t rank);
const char *sim_rank_state_word(enum sim_rank_state state);

struct sim_step {
    sim_ps start, end; /* end SIM_NEVER: not over */
    sim_ps compute;    /* longest compute phase of the step */
    uint32_t slowest;  /* rank that reached the barrier last, or SIM_NONE */
};

int64_t sim_step_now(const struct sim *sim); /* training step in progress, from 1 */
int64_t sim_steps_done(const struct sim *sim);
int64_t sim_step_total(const struct sim *sim);
struct sim_step sim_step(const struct sim *sim, int64_t step); /* from 1 to sim_step_now() */

/* Collectives (one per step and bucket), from 0: start, and when the last rank had the result. */
struct sim_collective {
    sim_ps start, end; /* SIM_NEVER: not yet */
};
size_t sim_collective_count(const struct sim *sim); /* begun so far */
struct sim_collective sim_collective(const struct sim *sim, size_t index);
int64_t sim_collective_bytes(const struct sim *sim);     /* of a full bucket */
const char *sim_collective_name(const struct sim *sim);  /* "ring_allreduce"; "none": no training */
double sim_collective_bus_factor(const struct sim *sim); /* busbw / algbw, as in nccl-tests */
int64_t sim_bucket_count(const struct sim *sim);         /* in a step */

/* ---- counters -------------------------------------------------------------------------------- */

struct sim_counters {
    uint64_t sent, delivered, dropped, retransmitted; /* data packets; sent counts every attempt */
    uint64_t hops; /* data packets and ACKs carried over one cable each */
    /* payload bytes carried over one cable each, by kind of cable inside boxes */
    uint64_t crossed[SIM_LINK_KIND_COUNT];
    uint64_t refused; /* arrived out of order, or twice */
    uint64_t xoff_frames, xon_frames;
    sim_ps paused;   /* port-time spent paused, over all ports, up to now */
    uint64_t marked; /* data packets that got an ECN mark */
    uint64_t cnps;   /* warnings sent back to their senders */
    uint64_t timeouts, naks;
    uint64_t events;    /* the end of every slot counts, whether it took an event or not (link.h) */
    sim_ps starved;     /* port-time in the fabric with a packet and no credits for it, likewise */
    uint64_t watchdogs; /* times the PFC watchdog took a port and priority over */
    uint64_t flooded, discarded; /* copies made of packets whose port was forgotten; thrown away */
    uint64_t answers_dropped;    /* ACKs, NAKs and CNPs lost; PFC frames destroyed by a fault */
    uint64_t dropped_by[SIM_REASON_COUNT]; /* of these and of data packets, and why */
};
struct sim_counters sim_counters(const struct sim *sim);
/* Two of them alone, for those who ask often: the others are added up over all ports. */
uint64_t sim_events(const struct sim *sim);
uint64_t sim_hops(const struct sim *sim);

int64_t sim_knob(const struct sim *sim, enum sim_knob knob); /* as set */
const struct sim_knobs *sim_knobs(const struct sim *sim);
/* T_o in force; tcp: the least RTO; selective: RTO_high. */
int64_t sim_timeout_ps(const struct sim *sim);
/* Of so many packets of a message in order the last one asks for an ACK: `ack_every`, or what a sender
 * may have outstanding, if that is less: it would wait for its timer. */
int64_t sim_ack_every(const struct sim *sim);

/* ---- why ------------------------------------------------------------------------------------- */

/* One link of a chain of causes: `kind` says how to read the rest. */
enum sim_why_kind {
    SIM_WHY_BARRIER, /* `rank` is done; the barrier waits for `other` */
    SIM_WHY_COMPUTE, /* `rank` computes until `until` */
    SIM_WHY_NEEDS,   /* `rank` waits for a message from rank `other` on `flow` */
    SIM_WHY_LOST,    /* packet `psn` of `flow` is lost and nothing follows it: no NAK will come */
    SIM_WHY_GAP,     /* `psn` of `flow` is missing at the receiver, which has got later ones */
    SIM_WHY_TIMER,   /* only the ACK timer of `flow` can help; it fires at `until` */
    SIM_WHY_PAUSED,  /* `port` is paused by its neighbour (`other`: the neighbour's port) */
    SIM_WHY_QUEUE,   /* packet `psn` of `flow` waits in the queue of `port` */
    SIM_WHY_WIRE,    /* packet `psn` of `flow` is on its way on the cable of `port` */
    SIM_WHY_BUFFER, /* packet `psn` of `flow` lies in the receive buffer of a host, at its `port` */
    SIM_WHY_HELD,   /* `port` is held by a fault */
    SIM_WHY_GAVE_UP,   /* `flow` had too many timeouts in a row: nothing will come */
    SIM_WHY_NEXT_STEP, /* what would reveal the loss belongs to the next step: back to the barrier */
    SIM_WHY_CLEARANCE, /* `rank` may not send on `flow`: `other` has not cleared it */
    SIM_WHY_DEAD,      /* the host of `rank` is dead */
    SIM_WHY_CREDITS, /* `port` has no credits from its neighbour (`other`: the neighbour's port) */
    SIM_WHY_WINDOW,  /* `flow` may not send more: its window is full of what is not acknowledged */
    SIM_WHY_PACED,   /* `flow` may send its next packet at `until`: congestion control slows it */
    SIM_WHY_UNACKED, /* all of `flow` has arrived; its sender has not heard of it */
    SIM_WHY_STILL,   /* a fault has stopped the GPU of `rank`: it stands still until `until` */
    SIM_WHY_CIRCLE   /* back at `port`, which this chain has come by before */
};

struct sim_why {
    enum sim_why_kind kind;
    uint32_t rank, other, flow, port;
    uint64_t psn;
    sim_ps since, until; /* SIM_NEVER: not known */
};

/* The chain from `rank` down to the root, or round to where it closes. Returns its length. */
size_t sim_why(const struct sim *sim, uint32_t rank, struct sim_why *out, size_t cap);

/* The same for a flow: why it is not done. 0: it is, or nothing keeps it from going on. */
size_t sim_why_flow(const struct sim *sim, uint32_t flow, struct sim_why *out, size_t cap);

/* One link of the chain as a sentence. Returns `buf`. */
const char *sim_why_say(const struct sim *sim, const struct sim_why *why, char *buf, size_t size);

/*
 * After SIM_STALLED: why. A stall by deadlock or storm is no end for commands: what they change may
 * end it, and the run goes on.
 */
struct sim_stall {
    enum sim_reason reason;
    uint32_t flow; /* that gave up, or SIM_NONE */
    sim_ps since;
};
struct sim_stall sim_stall(const struct sim *sim);

/*
 * A circle of ports that wait for each other for ever: each is paused, or without credits, by the
 * next one's switch, whose memory is full of what the next one cannot send; no pause in it runs out
 * and no watchdog will break it. At any moment, stalled or not: the rest of the fabric may be alive.
 * Returns how many ports (0: none), hop by hop, `cap` of them in `ports`; `*prio` (may be NULL) is the
 * class in which they wait.
 */
size_t sim_wait_cycle(const struct sim *sim, uint32_t *ports, size_t cap, uint32_t *prio);

/* ---- trace ----------------------------------------------------------------------------------- */

/* Which SIM_FINE kinds are recorded as well. They go into a ring of their own and have no sequence
 * numbers: listening changes nothing else. */
void sim_trace_listen(struct sim *sim, uint32_t fine_kinds);
/* Reads on from `*cursor` (a count, start with 0). */
size_t sim_trace_read_fine(const struct sim *sim, uint64_t *cursor, struct sim_record *out,
                           size_t cap);

/* Reads on from `*cursor` (a sequence number, start with 0), moves it, returns how many records
 * were copied. Records no longer kept are skipped. */
size_t sim_trace_read(const struct sim *sim, uint64_t *cursor, struct sim_record *out, size_t cap);

/* Records of SIM_RARE and the first XOFF of each port, kept for ever (bounded: the first 65,536):
 * the marks on the scrubber. They survive going back: some may lie in the future. */
size_t sim_trace_marks(const struct sim *sim, const struct sim_record **marks);

uint64_t sim_trace_seq(const struct sim *sim); /* sequence number of the next record */

/* Hash over all folded records so far: the run's identity. */
uint64_t sim_trace_hash(const struct sim *sim);

/* Sequence numbers of the records that are kept, [begin, end): some of them may lie beyond now. */
void sim_trace_kept(const struct sim *sim, uint64_t *begin, uint64_t *end);

/* Cuts what lies beyond now: after going back and doing something else. */
void sim_trace_cut(struct sim *sim);

/* Takes over what `from`, of which it is a fork, remembers of the time up to now. */
void sim_trace_adopt(struct sim *sim, const struct sim *from);

/* The record as a sentence, names filled in. Returns `buf`. */
const char *sim_trace_say(const struct sim *sim, const struct sim_record *rec, char *buf,
                          size_t size);

/* The same with another sentence than its kind's: "{at} drops {packet}". */
const char *sim_trace_fill(const struct sim *sim, const struct sim_record *rec,
                           const char *sentence, char *buf, size_t size);

/* Does a record happen at a node, or concern it: as neighbour, as sender or receiver of the packet, as rank? */
bool sim_record_about(const struct sim *sim, const struct sim_record *rec, uint32_t node);

/* "g3>g4:4711#1". Returns `buf`. */
const char *sim_packet_name(const struct sim *sim, uint32_t flow, uint64_t psn, uint32_t attempt,
                            char *buf, size_t size);

/* ---- checking -------------------------------------------------------------------------------- */

/* Verifies the invariants (model V00): packets, bytes, buffers, headroom, pauses and timers
 * balance. False names the first violation. */
bool sim_audit(const struct sim *sim, struct err *err);

#endif
