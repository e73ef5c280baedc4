/*
 * Metrics: the numbers of a report, by name. What two runs are compared by, what a sweep tabulates.
 *
 * Names are those of the JSON report, a dot for each step down: "end_ns", "packets.dropped",
 * "collective.busbw_gbps". Its arrays (steps, flows, queues) come as totals: "steps.mean_ns",
 * "flows.p99_fct_ns". Values are in the unit that ends the name, as in JSON.
 */
#ifndef WEFT_RUN_METRICS_H
#define WEFT_RUN_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/units.h"
#include "run/report.h"

/* clang-format off */
/* id, name, unit inside, one of it in its own unit (UNIT_TIME: a ns is 1000 ps), one line of help */
#define METRICS(X)                                                                                             \
    X(END,           "end_ns",                UNIT_TIME,  1000, "when the work was complete, or the run stopped")  \
    X(STEPS,         "steps.count",           UNIT_COUNT, 1,    "training steps that ended")                       \
    X(STEPS_MEAN,    "steps.mean_ns",         UNIT_TIME,  1000, "how long a training step took")                   \
    X(STEPS_MAX,     "steps.max_ns",          UNIT_TIME,  1000, "the longest training step")                       \
    X(EXPOSED,       "steps.exposed_comm_ns", UNIT_TIME,  1000, "of a step, on average, what is not compute")      \
    X(COLL_BYTES,    "collective.bytes",      UNIT_BYTES, 1,    "what a collective exchanges")                     \
    X(COLL_MEAN,     "collective.mean_ns",    UNIT_TIME,  1000, "how long a collective took")                      \
    X(COLL_P50,      "collective.p50_ns",     UNIT_TIME,  1000, "half of them took no longer")                     \
    X(COLL_P99,      "collective.p99_ns",     UNIT_TIME,  1000, "99 of 100 took no longer")                        \
    X(COLL_MAX,      "collective.max_ns",     UNIT_TIME,  1000, "the longest")                                     \
    X(ALGBW,         "collective.algbw_gbps", UNIT_RATE,  1000000000, "algorithm bandwidth: bytes by mean time")   \
    X(BUSBW,         "collective.busbw_gbps", UNIT_RATE,  1000000000, "bus bandwidth, as nccl-tests reckon it")    \
    X(GPU_BUSY,      "gpu_busy",              UNIT_SHARE, 0,    "share of the time in which GPUs compute")         \
    X(SENT,          "packets.sent",          UNIT_COUNT, 1,    "data packets sent, each attempt counts")          \
    X(DELIVERED,     "packets.delivered",     UNIT_COUNT, 1,    "data packets that arrived in order")              \
    X(DROPPED,       "packets.dropped",       UNIT_COUNT, 1,    "data packets lost")                               \
    X(RETRANSMITTED, "packets.retransmitted", UNIT_COUNT, 1,    "data packets sent again")                         \
    X(HOPS,          "packets.hops",          UNIT_COUNT, 1,    "packets carried over one cable each")             \
    X(ANSWERS_LOST,  "packets.answers_dropped", UNIT_COUNT, 1,  "ACKs, NAKs and CNPs lost")                        \
    X(XOFF,          "pfc.xoff_frames",       UNIT_COUNT, 1,    "PAUSE frames that stop a neighbour")              \
    X(XON,           "pfc.xon_frames",        UNIT_COUNT, 1,    "PAUSE frames that let it go on")                  \
    X(PAUSED,        "pfc.paused_ns",         UNIT_TIME,  1000, "time spent paused, over all ports")               \
    X(MARKED,        "ecn.marked",            UNIT_COUNT, 1,    "packets with an ECN mark")                        \
    X(CNPS,          "ecn.cnps",              UNIT_COUNT, 1,    "warnings sent back to senders")                   \
    X(STARVED,       "credits.stalled_ns",    UNIT_TIME,  1000, "time without credits, over all ports")            \
    X(PCIE_BYTES,    "inside.pcie_bytes",     UNIT_BYTES, 1,    "payload over PCIe, each cable counts")            \
    X(NVLINK_BYTES,  "inside.nvlink_bytes",   UNIT_BYTES, 1,    "payload over NVLink, each cable counts")          \
    X(MEMORY_BYTES,  "inside.memory_bytes",   UNIT_BYTES, 1,    "payload into and out of host memory")             \
    X(CROSSINGS,     "inside.pcie_crossings", UNIT_COUNT, 1,    "PCIe cables that a delivered byte crossed")       \
    X(TIMEOUTS,      "timeouts",              UNIT_COUNT, 1,    "timers that fired")                               \
    X(NAKS,          "naks",                  UNIT_COUNT, 1,    "NAKs sent")                                       \
    X(FLOWS,         "flows.count",           UNIT_COUNT, 1,    "flows")                                           \
    X(UNFINISHED,    "flows.unfinished",      UNIT_COUNT, 1,    "flows with something not acknowledged at the end") \
    X(FCT_MEAN,      "flows.mean_fct_ns",     UNIT_TIME,  1000, "how long a finished flow took")                   \
    X(FCT_P99,       "flows.p99_fct_ns",      UNIT_TIME,  1000, "99 of 100 finished flows took no longer")         \
    X(FCT_MAX,       "flows.max_fct_ns",      UNIT_TIME,  1000, "the longest finished flow")                       \
    X(QUEUE_MAX,     "queues.max_bytes",      UNIT_BYTES, 1,    "the fullest queue of a switch")                   \
    X(EVENTS,        "events",                UNIT_COUNT, 1,    "events that the model executed")
/* clang-format on */

enum metric {
#define X(id, name, unit, size, help) METRIC_##id,
    METRICS(X)
#undef X
        METRIC_COUNT
};

struct metric_info {
    const char *name;
    enum unit_kind unit;
    double size; /* of one in `unit`; UNIT_SHARE: that of a whole */
    const char *help;
};
const struct metric_info *metric_info(enum metric metric);

/* One value for each; NaN: there is none (nothing was summed, no flow has finished). */
struct metrics {
    double v[METRIC_COUNT];
};
void metrics_take(struct metrics *metrics, const struct report *report);

/* By full name; by its last word where only one ends so ("dropped", "busbw_gbps"); "time" is end_ns.
 * False with the nearest name. */
bool metric_find(const char *name, enum metric *metric, struct err *err);

/* For people, with its unit: "16.8 ms", "12,345"; "none". Returns `buf`. */
const char *metric_format(enum metric metric, double value, char *buf, size_t size);

/* The same for a number that is no row of the table, but described like one. */
const char *metric_show(const struct metric_info *info, double value, char *buf, size_t size);

/* As JSON and CSV write it: at most 15 significant digits; "" for none. Returns `buf`. */
const char *metric_exact(double value, char *buf, size_t size);

#endif
