#include "small.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void small_scenario(struct sim_scenario *sc)
{
    struct sim_shape_tier shape = { .leaves = 2,
                                    .spines = 2,
                                    .hosts_per_leaf = 4,
                                    .rate_bps = INT64_C(100000000000),
                                    .delay_ps = 500 * UNIT_NS };
    struct sim_training_spec t = { .bytes = 256 << 10, .compute_ps = 20 * UNIT_US, .steps = 4 };
    sim_scenario_init(sc, "small");
    assert_true(sim_shape_leaf_spine(sc, &shape, NULL));
    assert_true(sim_scenario_training(sc, &t, NULL));
}

struct run *small_run(void)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    small_scenario(&sc);
    struct run *run = run_create(&sc, 7, &err);
    assert_non_null(run);
    sim_scenario_finish(&sc);
    return run;
}

struct sim_cmd small_cmd(const char *text)
{
    struct sim_cmd cmd;
    struct err err = { 0 };
    if (!sim_cmd_parse(text, &cmd, &err)) {
        fail_msg("%s: %s", text, err.msg);
    }
    return cmd;
}

void small_act(struct run *run, const char *text, enum run_author author)
{
    const struct sim_cmd cmd = small_cmd(text);
    struct err err = { 0 };
    if (!run_do(run, &cmd, author, NULL, &err)) {
        fail_msg("%s: %s", text, err.msg);
    }
}

void small_same(const struct run *a, const struct run *b)
{
    assert_int_equal(run_now(a), run_now(b));
    assert_true(sim_state_hash(run_sim(a)) == sim_state_hash(run_sim(b)));
    assert_true(sim_trace_hash(run_sim(a)) == sim_trace_hash(run_sim(b)));
    assert_true(sim_trace_seq(run_sim(a)) == sim_trace_seq(run_sim(b)));
}
