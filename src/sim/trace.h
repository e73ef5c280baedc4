/*
 * The trace: everything worth saying about a run, as fixed-size records, in order.
 *
 * The table below is the one place where an observable event is described: its name, how rare it
 * is, and the sentence that says it. It feeds the event list, plain-mode narration, auto-slow, the
 * marks on the scrubber, stop conditions and the search for the first divergence.
 *
 *   SIM_RARE   for people: always recorded, folded into the run's hash, kept as marks for ever
 *   SIM_OFTEN  for people: always recorded and folded, but only the last ones are kept
 *   SIM_FINE   one per frame: recorded only while somebody listens, never folded
 *
 * Sentences: {at} the place, {peer} the neighbour there, {packet} src>dst:psn#attempt, {flow},
 * {rank}, {step} and {reason} from the record; {value}, {bytes}, {time} or {rate}: its value as a
 * number, a size, a time or a rate; {knob} and {setting}: what was set.
 *
 * DROP: `port` is the port through which the packet came, or would have come, into the node where it
 * is lost; `value` is how far along the cable to that port it was, permille (1000: at its end, or
 * inside the switch). What is no data packet says so in `attempt`: SIM_ATTEMPT_ACK and the like.
 */
#ifndef WEFT_SIM_TRACE_H
#define WEFT_SIM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/time.h"

enum sim_trace_class { SIM_RARE, SIM_OFTEN, SIM_FINE };

/* clang-format off */
/*      id            name            class      sentence */
#define SIM_TRACES(X)                                                                                   \
    X(SEND,         "send",         SIM_FINE,  "{at} sends {packet}")                                   \
    X(ENQUEUE,      "enqueue",      SIM_FINE,  "{packet} waits at {at}")                                \
    X(ACCEPT,       "accept",       SIM_FINE,  "{at} accepts {packet}")                                 \
    X(REFUSE,       "refuse",       SIM_FINE,  "{at} refuses {packet}: an earlier packet is missing")   \
    X(ACK,          "ack",          SIM_FINE,  "{at} learns that {flow} arrived up to {value}")         \
    X(DROP,         "drop",         SIM_RARE,  "{packet} is lost at {at}: {reason}")                    \
    X(XOFF,         "xoff",         SIM_OFTEN, "{at} tells {peer} to pause: it holds {bytes} from it")  \
    X(XON,          "xon",          SIM_OFTEN, "{at} lets {peer} go on")                                \
    X(PAUSED,       "paused",       SIM_OFTEN, "{at} stops sending to {peer}")                          \
    X(RESUMED,      "resumed",      SIM_OFTEN, "{at} sends to {peer} again")                            \
    X(NAK,          "nak",          SIM_RARE,  "{at} sees a gap and asks for {packet} again")           \
    X(REWIND,       "rewind",       SIM_RARE,  "{at} goes back to {packet}: {packets} again")           \
    X(TIMEOUT,      "timeout",      SIM_RARE,  "{at} waited {time} for an ACK of {flow}: timeout")      \
    X(QP_ERROR,     "qp_error",     SIM_RARE,  "{flow} gives up after {timeouts} in a row")             \
    X(STEP,         "step",         SIM_RARE,  "training step {step} begins")                           \
    X(COMPUTED,     "computed",     SIM_OFTEN, "{rank} has its gradients")                              \
    X(ROUND,        "round",        SIM_OFTEN, "{rank} finishes round {value} of step {step}")          \
    X(AT_BARRIER,   "at_barrier",   SIM_OFTEN, "{rank} is done and waits at the barrier")               \
    X(BARRIER,      "barrier",      SIM_RARE,  "the barrier opens after step {step}; {rank} was last")  \
    X(FLOW_DONE,    "flow_done",    SIM_OFTEN, "{flow} is complete")                                    \
    X(SET,          "set",          SIM_RARE,  "a switch is moved: {knob} is now {setting}")            \
    X(FAULT,        "fault",        SIM_RARE,  "a fault is armed")                                      \
    X(DONE,         "done",         SIM_RARE,  "the run is done")                                       \
    X(STALL,        "stall",        SIM_RARE,  "the run is stalled: {reason}")                          \
    X(MARK,         "mark",         SIM_FINE,  "{at} marks {packet}: its queue is long")                \
    X(CNP,          "cnp",          SIM_FINE,  "{at} warns the sender of {flow}")                               \
    X(RATE_CUT,     "rate_cut",     SIM_FINE,  "{at} slows {flow} to {rate}")                                    \
    X(NO_CREDIT,    "no_credit",    SIM_OFTEN, "{at} has no credits left toward {peer}")                \
    X(CREDIT,       "credit",       SIM_OFTEN, "{at} has credits toward {peer} again")                  \
    X(WATCHDOG,     "watchdog",     SIM_RARE,  "{at} was paused for {time}: the watchdog takes over") \
    X(FAST_RESEND,  "fast_resend",  SIM_RARE,  "{at} hears of a gap from {value} repeated ACKs: {packet} again")
/* clang-format on */

enum sim_trace_kind {
#define X(id, name, class, sentence) SIM_TRACE_##id,
    SIM_TRACES(X)
#undef X
        SIM_TRACE_COUNT
};

#define SIM_TRACE_BIT(id) (1u << SIM_TRACE_##id)

/* Why a frame was lost. Words as on screen. */
#define SIM_REASONS(X)                                                                             \
    X(NONE, "none")                                                                                \
    X(FULL, "full")                                                                                \
    X(FAULT, "fault")                                                                              \
    X(HEADROOM, "headroom")                                                                        \
    X(BUFFER, "buffer")                                                                            \
    X(DEADLOCK, "deadlock")                                                                        \
    X(RETRY_LIMIT, "retry-limit")                                                                  \
    X(STARVED, "starved")                                                                          \
    X(DEAD_PEER, "dead-peer")                                                                      \
    X(TTL, "ttl")                                                                                  \
    X(NO_ROUTE, "no-route")                                                                        \
    X(NO_PORT, "no-port")                                                                          \
    X(LINK_DOWN, "link-down")                                                                      \
    X(WATCHDOG, "watchdog")                                                                        \
    X(LIFETIME, "lifetime")                                                                        \
    X(STORM, "storm")                                                                              \
    X(FCS, "fcs")                                                                                  \
    X(IP_CHECKSUM, "ip-checksum")                                                                  \
    X(UDP_PORT, "udp-port")                                                                        \
    X(ICRC, "icrc")

enum sim_reason {
#define X(id, word) SIM_REASON_##id,
    SIM_REASONS(X)
#undef X
        SIM_REASON_COUNT
};

/* Attempts of data packets count from 1. */
#define SIM_ATTEMPT_ACK  0u
#define SIM_ATTEMPT_NAK  UINT32_MAX
#define SIM_ATTEMPT_CNP  (UINT32_MAX - 1)
#define SIM_ATTEMPT_XOFF (UINT32_MAX - 2)
#define SIM_ATTEMPT_XON  (UINT32_MAX - 3)

/* Absent ids are UINT32_MAX. */
struct sim_record {
    sim_ps t;
    uint64_t seq;
    uint32_t kind;    /* enum sim_trace_kind */
    uint32_t reason;  /* enum sim_reason */
    uint32_t port;    /* the place: a port */
    uint32_t flow;    /* flow id */
    uint32_t rank;    /* rank id */
    uint32_t attempt; /* of the packet, 1 is the first */
    uint64_t psn;     /* of the packet */
    int64_t value;    /* as the sentence says: bytes, picoseconds, a count */
    uint32_t step;    /* training step, from 1; 0: none */
    uint32_t knob;    /* SET: enum sim_knob */
};

struct sim_trace_info {
    const char *name;
    enum sim_trace_class class;
    const char *sentence;
};

const struct sim_trace_info *sim_trace_info(enum sim_trace_kind kind);
const char *sim_reason_word(enum sim_reason reason);

#endif
