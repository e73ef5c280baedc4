/*
 * How fast the fabric runs: packet-hops a second, and what one hop costs.
 *
 * A packet-hop is one data packet or ACK carried over one cable. Instructions are counted where the
 * system lets us (perf_event_open); they do not depend on how busy the machine is, seconds do. The
 * figures are for people and for the history in README; nothing here is a verdict.
 */
#define _DEFAULT_SOURCE /* syscall */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#endif

#include "run/run.h"
#include "sim/scenario.h"
#include "sim/sim.h"

struct bench_case {
    const char *name;
    int leaves, spines, hosts_per_leaf;
    int64_t bytes;
    const char *knob, *value; /* moved before the start; NULL: none */
};

static const struct bench_case cases[] = {
    { "ring of 8, by rack", 2, 2, 4, INT64_C(25) << 20, NULL, NULL },
    { "ring of 8, mixed order, PFC", 2, 2, 4, INT64_C(25) << 20, "rank_order", "mixed" },
    { "ring of 64, by rack", 8, 8, 8, INT64_C(4) << 20, NULL, NULL },
    { "ring of 256, by rack", 16, 16, 16, INT64_C(1) << 20, NULL, NULL },
};

/* A counter of instructions in user mode, or -1. */
static int open_counter(void)
{
#ifdef __linux__
    struct perf_event_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_HARDWARE;
    attr.config = PERF_COUNT_HW_INSTRUCTIONS;
    attr.exclude_kernel = 1;
    attr.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
#else
    return -1;
#endif
}

static uint64_t read_counter(int fd)
{
    uint64_t count = 0;
    return fd >= 0 && read(fd, &count, sizeof count) == (ssize_t)sizeof count ? count : 0;
}

static double cpu_seconds(void)
{
    return (double)clock() / (double)CLOCKS_PER_SEC;
}

static bool build(const struct bench_case *c, struct sim_scenario *sc, struct err *err)
{
    const struct sim_shape_tier shape = {
        .leaves = c->leaves,
        .spines = c->spines,
        .hosts_per_leaf = c->hosts_per_leaf,
        .rate_bps = INT64_C(100000000000),
        .delay_ps = 500 * UNIT_NS,
    };
    const struct sim_training_spec work = { .bytes = c->bytes,
                                            .compute_ps = 100 * UNIT_US,
                                            .steps = 1 };
    enum sim_knob knob;
    int64_t value;
    if (!sim_shape_leaf_spine(sc, &shape, err) || !sim_scenario_training(sc, &work, err)) {
        return false;
    }
    if (c->knob != NULL) {
        if (!sim_knob_parse(c->knob, c->value, &knob, &value, err)) {
            return false;
        }
        sc->knobs.v[knob] = value;
    }
    return sim_scenario_check(sc, err);
}

static bool measure(const struct bench_case *c, int counter, struct err *err)
{
    struct sim_scenario sc;
    sim_scenario_init(&sc, c->name);
    struct run *run = build(c, &sc, err) ? run_create(&sc, 1, err) : NULL;
    sim_scenario_finish(&sc);
    if (run == NULL) {
        return false;
    }
    double begin = cpu_seconds();
    uint64_t instructions = read_counter(counter);
    (void)run_until(run, 60 * UNIT_S, SIM_TRACE_BIT(DONE));
    instructions = read_counter(counter) - instructions;
    double seconds = cpu_seconds() - begin;
    struct sim_counters n = sim_counters(run_sim(run));
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    printf("%-28s %10" PRIu64 " hops %10" PRIu64 " events %7.3f s CPU %6.0f ns/hop", c->name,
           n.hops, n.events, seconds, seconds * 1e9 / (double)n.hops);
    if (instructions > 0) {
        printf(" %6.0f instructions/hop", (double)instructions / (double)n.hops);
    }
    printf(" %6.1f MiB state %6.1f MiB peak\n", (double)sim_state_size(run_sim(run)) / 1048576.0,
           (double)usage.ru_maxrss / 1024.0);
    run_destroy(run);
    return true;
}

int main(void)
{
    int counter = open_counter();
    if (counter < 0) {
        printf("(instructions cannot be counted here)\n");
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err err = { 0 };
        if (!measure(&cases[i], counter, &err)) {
            (void)fprintf(stderr, "%s: %s\n", cases[i].name, err.msg);
            return 1;
        }
    }
    return 0;
}
