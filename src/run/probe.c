#include "run/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "run/run.h"

/* ---- rewind ---------------------------------------------------------------------------------- */

/* Eight hosts round a switch: a ring that trains, or seven that send to one; with what is peculiar to
 * each way of sending. */
static const struct {
    bool trains;
    enum sim_flow_control control;
    enum sim_transport transport;
    enum sim_routing routing;
    bool dcqcn;
    const char *command;
} ways[] = {
    { true, SIM_FC_PFC, SIM_GO_BACK_N, SIM_ROUTE_ECMP, false, "drop g3>g4 middle" },
    { true, SIM_FC_NONE, SIM_SELECTIVE, SIM_ROUTE_SPRAY, false, "loss 1%" },
    { true, SIM_FC_CREDITS, SIM_GO_BACK_N, SIM_ROUTE_DMODK, false, "slow g5 50%" },
    { false, SIM_FC_PFC, SIM_GO_BACK_N, SIM_ROUTE_DMODK, true, "set dcqcn_ai 400Mbps" },
    { false, SIM_FC_NONE, SIM_GO_BACK_0, SIM_ROUTE_DMODK, false, "drop_nth 97" },
    { false, SIM_FC_NONE, SIM_TCP, SIM_ROUTE_DMODK, false, "set queue_cap 20KB" },
    { false, SIM_FC_PFC, SIM_GO_BACK_N, SIM_ROUTE_DMODK, false, "storm g1 on" },
};

enum { WAYS = sizeof ways / sizeof *ways, TRIES = 8 };

static struct run *begin_way(size_t way, uint64_t seed)
{
    const struct sim_training_spec work = { .bytes = 1 << 20,
                                            .compute_ps = 10 * UNIT_US,
                                            .steps = 9 };
    const int64_t rate = INT64_C(100000000000);
    struct sim_scenario sc;
    sim_scenario_init(&sc, "rewind");
    sc.knobs.v[SIM_KNOB_MTU] = 1024;
    sc.knobs.v[SIM_KNOB_FLOW_CONTROL] = ways[way].control;
    sc.knobs.v[SIM_KNOB_TRANSPORT] = ways[way].transport;
    sc.knobs.v[SIM_KNOB_ROUTING] = ways[way].routing;
    sc.knobs.v[SIM_KNOB_XOFF] = 40000;
    sc.knobs.v[SIM_KNOB_QUEUE_CAP] = 60000;
    sc.knobs.v[SIM_KNOB_TIMEOUT_EXPONENT] = 4;
    if (ways[way].control == SIM_FC_CREDITS) {
        sc.knobs.v[SIM_KNOB_LINK] = SIM_INFINIBAND;
    }
    if (ways[way].dcqcn) {
        sc.knobs.v[SIM_KNOB_ECN] = SIM_ON;
        sc.knobs.v[SIM_KNOB_CC] = SIM_CC_DCQCN;
    }
    bool ok;
    if (ways[way].trains) {
        const struct sim_shape_tier shape = { .leaves = 2,
                                              .spines = 2,
                                              .hosts_per_leaf = 4,
                                              .rate_bps = rate,
                                              .delay_ps = 500 * UNIT_NS };
        ok = sim_shape_leaf_spine(&sc, &shape, NULL) && sim_scenario_training(&sc, &work, NULL);
    } else {
        ok = sim_shape_star(&sc, 8, rate, 500 * UNIT_NS, NULL);
        for (uint32_t i = 2; i <= 8; i++) {
            char src[16];
            (void)snprintf(src, sizeof src, "g%u", i);
            ok = ok && sim_scenario_flow(&sc, sim_scenario_find(&sc, src),
                                         sim_scenario_find(&sc, "g1"), 1 << 20, 0, NULL);
        }
    }
    struct run *run = ok ? run_create(&sc, seed, NULL) : NULL;
    sim_scenario_finish(&sc);
    return run;
}

/* The records from `seq` on, as far as they are kept. Free them. */
static struct sim_record *records_of(const struct sim *sim, uint64_t seq, size_t *count)
{
    const size_t most = (size_t)(sim_trace_seq(sim) - seq);
    struct sim_record *records = mem_alloc(most + 1, sizeof *records);
    *count = sim_trace_read(sim, &seq, records, most);
    return records;
}

struct rewind {
    double tries, states, hashes, bytes, bytes_differ;
};

/* From `t` to `t2` a second time, by a fork, which writes its own trace. */
static void again(struct rewind *sum, struct run *run, uint64_t seq, sim_ps t, sim_ps t2)
{
    size_t n, m;
    const uint64_t state = sim_state_hash(run_sim(run)), hash = sim_trace_hash(run_sim(run));
    struct sim_record *first = records_of(run_sim(run), seq, &n);
    (void)run_seek(run, t, NULL);
    struct run *fork = run_fork(run);
    (void)run_until(run, t2, 0);
    (void)run_until(fork, t2, 0);
    struct sim_record *second = records_of(run_sim(fork), seq, &m);
    const unsigned char *x = (const unsigned char *)first, *y = (const unsigned char *)second;
    const size_t size = n * sizeof *first;
    for (size_t i = 0; i < size; i++) {
        sum->bytes_differ += m != n || x[i] != y[i];
    }
    sum->tries += 1;
    sum->bytes += (double)size;
    sum->states += sim_state_hash(run_sim(run)) != state || sim_state_hash(run_sim(fork)) != state;
    sum->hashes += sim_trace_hash(run_sim(run)) != hash || sim_trace_hash(run_sim(fork)) != hash;
    free(first);
    free(second);
    run_destroy(fork);
}

static void rewind_one(struct rewind *sum, size_t way, uint64_t try)
{
    struct run *run = begin_way(way, try + 1);
    struct sim_cmd cmd;
    if (run == NULL || !sim_cmd_parse(ways[way].command, &cmd, NULL)) {
        run_destroy(run);
        sum->states += 1; /* a mistake of ours: the row fails */
        return;
    }
    const sim_ps t = UNIT_US + (sim_ps)(rng_mix3(way, 1, try) % (300 * UNIT_US));
    const sim_ps t2 = t + (sim_ps)(rng_mix3(way, 2, try) % UNIT_MS);
    (void)run_until(run, t, 0);
    const uint64_t seq = sim_trace_seq(run_sim(run));
    (void)run_until(run, t + (t2 - t) / 3, 0);
    (void)run_do(run, &cmd, RUN_LEARNER, NULL,
                 NULL); /* a packet may be past: then nothing is done */
    (void)run_until(run, t2, 0);
    again(sum, run, seq, t, t2);
    run_destroy(run);
}

/* Run to t, on to t2 (with a command on the way), back to t, on to t2. */
static void probe_rewind(struct sim_probe *probe)
{
    struct rewind sum = { 0 };
    for (size_t way = 0; way < WAYS; way++) {
        for (uint64_t try = 0; try < TRIES; try++) {
            rewind_one(&sum, way, try);
        }
    }
    sim_probe_add(probe, "tries", sum.tries);
    sim_probe_add(probe, "states_differ", sum.states);
    sim_probe_add(probe, "hashes_differ", sum.hashes);
    sim_probe_add(probe, "trace_bytes", sum.bytes);
    sim_probe_add(probe, "trace_bytes_differ", sum.bytes_differ);
}

/* ---- by name --------------------------------------------------------------------------------- */

static const char rewind_name[] = "rewind";

bool run_probe_run(const char *name, const struct sim_probe_entry *more, struct sim_probe *probe)
{
    *probe = (struct sim_probe){ .count = 0 };
    for (; more != NULL && more->name != NULL; more++) {
        if (strcmp(name, more->name) == 0) {
            more->run(probe);
            return true;
        }
    }
    if (strcmp(name, rewind_name) != 0) {
        return sim_probe_run(name, probe);
    }
    probe_rewind(probe);
    return true;
}

void run_probe_names(const struct sim_probe_entry *more, const char *names[RUN_PROBES_MAX + 1])
{
    const char *const *of_sim = sim_probe_names();
    size_t n = 0;
    names[n++] = rewind_name;
    for (; more != NULL && more->name != NULL && n < RUN_PROBES_MAX; more++) {
        names[n++] = more->name;
    }
    for (size_t i = 0; of_sim[i] != NULL && n < RUN_PROBES_MAX; i++) {
        names[n++] = of_sim[i];
    }
    names[n] = NULL;
}
