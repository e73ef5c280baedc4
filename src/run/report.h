/*
 * The report: what a run measured, as plain data. What `weft run --format json` prints, what prose
 * and claims of a lesson read. It can be taken at any time; what is not over yet says SIM_NEVER.
 */
#ifndef WEFT_RUN_REPORT_H
#define WEFT_RUN_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/run.h"

enum report_outcome {
    REPORT_DONE,
    REPORT_STALLED,
    REPORT_TIME_LIMIT, /* stopped before it was done */
    REPORT_MEMORY_LIMIT,
};

struct report_step {
    int64_t step; /* from 1 */
    sim_ps start, end;
    sim_ps compute;      /* longest compute phase */
    sim_ps exposed_comm; /* step minus compute */
    uint32_t slowest;    /* node index, or SIM_NONE */
};

struct report_collective {
    size_t count; /* finished all-reduces */
    int64_t bytes;
    sim_ps mean, p50, p99, max;
    double algbw_gbps, busbw_gbps; /* of the mean; 1e9 bit/s */
};

struct report_flow {
    uint32_t flow;
    int64_t bytes; /* payload posted */
    sim_ps start;  /* SIM_NEVER: never started */
    sim_ps fct;    /* from start to the last ACK; SIM_NEVER: unfinished */
    sim_ps all;    /* the same for all queue pairs of its connection */
    double goodput_gbps;
    uint64_t retransmitted;
    /* As they are at the moment, where they mean something. */
    uint64_t cwnd, ssthresh; /* tcp: packets; else 0 */
    sim_ps rtt;              /* tcp: smoothed; SIM_NEVER: not measured */
    sim_ps rto;              /* how long it would wait for an ACK */
    int64_t rate_bps;        /* cc dcqcn: what it may send; else 0 */
};

struct report_queue {
    uint32_t port;
    int64_t max_bytes;
    double mean_bytes;
    uint64_t dropped;
};

struct report_waiting {
    uint32_t node;
    char what[320]; /* "an ACK for g3>g4:111#1: g3 has given up on g4: too many timeouts ..." */
    sim_ps since;   /* when the last of it came; never: since when the run is stalled */
};

struct report {
    const struct sim *sim; /* names; valid as long as the run is */
    enum report_outcome outcome;
    sim_ps end; /* done: when the workload was complete; else now */
    struct report_step *steps;
    size_t step_count; /* begun steps, the last may be unfinished */
    struct report_collective collective;
    double gpu_busy; /* share of GPU time spent computing, 0 to 1; -1 without training */
    struct sim_counters count;
    double
        pcie_crossings; /* PCIe cables that a delivered byte crossed, on average; -1: none delivered */
    struct report_flow *flows;
    size_t flow_count;
    struct report_queue *queues; /* switch ports only */
    size_t queue_count;
    struct sim_stall stall; /* outcome REPORT_STALLED */
    uint32_t *cycle;        /* ports that wait for each other, hop by hop */
    size_t cycle_count;
    struct report_waiting *waiting;
    size_t waiting_count;
};

void report_take(struct report *report, const struct run *run);
void report_finish(struct report *report);

/* The outcome of a run that goes no further; its word as in the contract, and back. */
enum report_outcome report_outcome_of(const struct sim *sim);
const char *report_outcome_word(enum report_outcome outcome);
bool report_outcome_find(const char *word, enum report_outcome *outcome);

#endif
