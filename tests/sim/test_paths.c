/*
 * Which way packets take: several queue pairs, pinned flows, flowlets, links that go down and come
 * up.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fabric.h"
#include "sim/config.h" /* white box: how a message is split */

#define LEN(array) (sizeof(array) / sizeof *(array))

/* Two leaves with `hosts` each and so many spines, 100 Gb/s, 25 ns a cable. */
static void two_leaves(struct sim_scenario *sc, int hosts, int spines)
{
    const struct sim_shape_tier shape = { .leaves = 2,
                                          .spines = spines,
                                          .hosts_per_leaf = hosts,
                                          .rate_bps = INT64_C(100000000000),
                                          .delay_ps = 25 * UNIT_NS };
    fabric_init(sc, "paths");
    assert_true(sim_shape_leaf_spine(sc, &shape, NULL));
}

/* ---- queue pairs ----------------------------------------------------------------------------- */

static void parts_are_even(void **state)
{
    (void)state;
    static const struct {
        int64_t bytes;
        uint32_t pairs, pair;
        int64_t part;
    } rows[] = {
        { 1000, 1, 0, 1000 },                       /* one carries all, to the byte */
        { 4096, 4, 0, 1024 }, { 4096, 4, 3, 1024 }, /* even */
        { 4097, 4, 0, 1152 }, { 4097, 4, 3, 641 },  /* in multiples of 128, the last the rest */
        { 300, 4, 0, 128 },   { 300, 4, 2, 44 },    /* too small to be divided */
        { 300, 4, 3, 0 },     { 0, 3, 2, 0 },       { INT64_C(1) << 42, 64, 63, INT64_C(1) << 36 },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        assert_int_equal(sim_part_bytes(rows[i].bytes, rows[i].pairs, rows[i].pair), rows[i].part);
    }
    for (int64_t bytes = 0; bytes < 100000; bytes += 77) {
        for (uint32_t pairs = 1; pairs <= 64; pairs += 7) {
            int64_t sum = 0;
            for (uint32_t k = 0; k < pairs; k++) {
                sum += sim_part_bytes(bytes, pairs, k);
            }
            assert_int_equal(sum, bytes);
        }
    }
}

/* Both are there and know what they are; there is no third. */
static void queue_pairs_have_names(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_leaves(&sc, 2, 2);
    fabric_set(&sc, "queue_pairs", "2");
    fabric_flow(&sc, "g1", "g3", 5000, 0);
    fabric_flow(&sc, "g1", "g3", 900, 0); /* a second connection between the same two */
    struct sim *s = fabric_build(&sc);
    static const struct {
        const char *name;
        uint32_t lead;
        int64_t bytes;
    } rows[] = {
        { "g1>g3", 0, 2560 }, { "g1>g3/2", 0, 2440 }, { "g1>g3/3", 2, 512 }, { "g1>g3/4", 2, 388 }
    };
    assert_int_equal(sim_flow_count(s), LEN(rows));
    for (uint32_t i = 0; i < LEN(rows); i++) {
        assert_int_equal(sim_find_flow(s, rows[i].name), i);
        assert_int_equal(sim_flow(s, i).lead, rows[i].lead);
        assert_int_equal(sim_flow(s, i).pairs, 2);
        assert_int_equal(sim_flow(s, i).bytes, rows[i].bytes);
    }
    fabric_do(s, "drop g1>g3/2:1");
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_int_equal(sim_flow_state(s, 0).dropped, 0);
    assert_int_equal(sim_flow_state(s, 1).dropped, 1);
    sim_destroy(s);
}

/* A training step in every collective, with every transport: the same bytes arrive whatever the
 * number of queue pairs, and the books balance. */
static void bytes_do_not_depend_on_queue_pairs(void **state)
{
    (void)state;
    static const char *const transports[] = { "go_back_n", "go_back_0", "selective", "tcp" };
    static const char *const collectives[] = { "ring",        "tree",
                                               "double_tree", "halving_doubling",
                                               "all_to_all",  "parameter_server",
                                               "hierarchical" };
    static const char *const pairs[] = { "1", "2", "5" };
    for (size_t i = 0; i < LEN(transports) * LEN(collectives); i++) {
        int64_t sum[LEN(pairs)] = { 0 };
        for (size_t k = 0; k < LEN(pairs); k++) {
            struct sim_scenario sc;
            struct sim_training_spec t = { .bytes = 50000, .bucket_bytes = 20000, .steps = 2 };
            struct err err = { 0 };
            two_leaves(&sc, 2, 2);
            fabric_set(&sc, "transport", transports[i % LEN(transports)]);
            fabric_set(&sc, "collective", collectives[i / LEN(transports)]);
            fabric_set(&sc, "routing", "ecmp");
            fabric_set(&sc, "admission", i % 2 == 0 ? "0" : "1");
            fabric_set(&sc, "group", "2");
            fabric_set(&sc, "round_trigger", i % 3 == 0 ? "acked" : "received");
            fabric_set(&sc, "queue_pairs", pairs[k]);
            assert_true(sim_scenario_training(&sc, &t, NULL));
            struct sim *s = fabric_build(&sc);
            fabric_do(s, "drop_nth 41");
            fabric_finish(s, 100 * UNIT_S);
            if (sim_outcome(s) != SIM_DONE || !sim_audit(s, &err)) {
                fail_msg("%s over %s, %s queue pairs: %s", collectives[i / LEN(transports)],
                         transports[i % LEN(transports)], pairs[k], err.msg);
            }
            for (uint32_t f = 0; f < sim_flow_count(s); f++) {
                sum[k] += sim_flow_state(s, f).delivered_bytes;
            }
            sim_destroy(s);
        }
        assert_true(sum[0] > 0);
        assert_int_equal(sum[1], sum[0]);
        assert_int_equal(sum[2], sum[0]);
    }
}

/* The request is complete, and answered, when the slower of its queue pairs is. */
static void a_message_is_complete_when_all_parts_are(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_leaves(&sc, 2, 2);
    fabric_set(&sc, "queue_pairs", "2");
    fabric_set(&sc, "timeout_exponent", "8");
    fabric_flow(&sc, "g1", "g3", 8192, 0);
    fabric_flow(&sc, "g3", "g1", 1000, 0);
    sc.flows[1].replies = true;
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "drop g1>g3/2 last"); /* repaired by its timer, 1.05 ms later */
    fabric_finish(s, UNIT_S);
    const sim_ps first = sim_flow_state(s, 0).delivered_at;
    const sim_ps second = sim_flow_state(s, 1).delivered_at;
    assert_true(first < 10 * UNIT_US);
    assert_true(second > UNIT_MS);
    assert_true(sim_flow_state(s, 2).start >= second);
    assert_true(sim_flow_state(s, 2).start < second + UNIT_US);
    sim_destroy(s);
}

/* Which of its queue pairs a GPU waits for is said. */
static void why_names_the_queue_pair(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct sim_training_spec t = { .bytes = 64 << 10, .steps = 1 };
    two_leaves(&sc, 2, 2);
    fabric_set(&sc, "queue_pairs", "4");
    assert_true(sim_scenario_training(&sc, &t, NULL));
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "drop g1>g2/3 last");
    (void)sim_run_until(s, UNIT_MS, 0);
    struct sim_why chain[16];
    const size_t n = sim_why(s, 1, chain, LEN(chain));
    bool timer = false;
    for (size_t i = 0; i < n; i++) {
        timer = timer ||
                (chain[i].kind == SIM_WHY_TIMER && chain[i].flow == sim_find_flow(s, "g1>g2/3"));
    }
    assert_true(timer);
    assert_int_equal(sim_rank(s, 1).flow_in, sim_find_flow(s, "g1>g2/3"));
    sim_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_even),
        cmocka_unit_test(queue_pairs_have_names),
        cmocka_unit_test(bytes_do_not_depend_on_queue_pairs),
        cmocka_unit_test(a_message_is_complete_when_all_parts_are),
        cmocka_unit_test(why_names_the_queue_pair),
    };
    return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
