#include "ring.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"

static void must(bool ok, const struct err *err)
{
    if (!ok) {
        fprintf(stderr, "ring: %s\n", err->msg);
        abort();
    }
}

struct run *ring_run(int64_t steps)
{
    struct err err = { 0 };
    struct sim_scenario sc;
    struct sim_shape_tier shape = { .leaves = 2,
                                    .spines = 2,
                                    .hosts_per_leaf = 4,
                                    .rate_bps = INT64_C(100000000000),
                                    .delay_ps = 500 * UNIT_NS };
    struct sim_training_spec training = { .bytes = 256 << 10,
                                          .compute_ps = 20 * UNIT_US,
                                          .steps = steps };
    sim_scenario_init(&sc, "ring");
    must(sim_shape_leaf_spine(&sc, &shape, &err), &err);
    must(sim_scenario_training(&sc, &training, &err), &err);
    struct run *run = run_create(&sc, 1, &err);
    must(run != NULL, &err);
    sim_scenario_finish(&sc);
    return run;
}

void ring_do(struct run *run, const char *command)
{
    struct err err = { 0 };
    struct sim_cmd cmd;
    must(sim_cmd_parse(command, &cmd, &err), &err);
    must(run_do(run, &cmd, RUN_LEARNER, NULL, &err), &err);
}

void ring_until(struct run *run, enum sim_trace_kind kind)
{
    struct err err = { .msg = "the record never came" };
    must(run_until(run, UNIT_S, 1u << kind) == SIM_AT_TRACE, &err);
}
