/*
 * Rows V83 to V89 of the validation table: collectives and training, and what the workloads of
 * several flows promise.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fabric.h"

#define MIB        (INT64_C(1) << 20)
#define LEN(array) (sizeof(array) / sizeof *(array))

/* 100 Gb/s, 1024-byte packets, one switch of 500 ns, cables of 25 ns. */
#define SLOT_PS    (1106 * INT64_C(80))
#define GOODPUT    (1024.0 / 1106 * 100e9)

struct setting {
    const char *knob, *value;
};

/* A star of hosts that train for `steps` steps without computing, on an idle reverse path. */
static struct sim *star(int hosts, int64_t bytes, const struct setting *settings, size_t count)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    struct sim_training_spec t = { .bytes = bytes, .steps = 1 };
    fabric_init(&sc, "collective");
    fabric_set(&sc, "switch_latency", "500ns");
    fabric_set(&sc, "ack_every", "0");
    for (size_t i = 0; i < count; i++) {
        fabric_set(&sc, settings[i].knob, settings[i].value);
    }
    fabric_star(&sc, hosts, "100Gbps", NULL);
    assert_true(sim_scenario_training(&sc, &t, &err));
    return fabric_build(&sc);
}

static double finish_us(struct sim *s)
{
    struct err err = { 0 };
    fabric_finish(s, 100 * UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    if (!sim_audit(s, &err)) {
        fail_msg("%s", err.msg);
    }
    struct sim_collective c = sim_collective(s, 0);
    assert_true(c.end != SIM_NEVER);
    double us = (double)(c.end - c.start) / 1e6;
    sim_destroy(s);
    return us;
}

/* Time of a message over two links and the switch, alone (model section 5, ring formula). */
static double message_us(int64_t bytes)
{
    int64_t packets = (bytes + 1023) / 1024;
    int64_t last = bytes - (packets - 1) * 1024;
    int64_t frame = 62 + (last + 3) / 4 * 4;
    int64_t full = packets > 1 ? 1086 : frame;
    /* full frames at line rate; the last one is stored and forwarded. If it is shorter than the one
     * before it, it waits for that one at the switch. */
    int64_t sent = (packets - 1) * SLOT_PS;
    int64_t at_switch = sent + (frame + 8) * 80 + 25000 + 500000;
    int64_t free_at = packets > 1 ? sent - SLOT_PS + (full + 8) * 80 + 25000 + 500000 + SLOT_PS : 0;
    int64_t start = at_switch > free_at ? at_switch : free_at;
    return (double)(start + (frame + 8) * 80 + 25000) / 1e6;
}

static double ring_us(int n, int64_t bytes)
{
    return finish_us(star(n, bytes, NULL, 0));
}

/* ---- V83: nobody is faster than the bound ---------------------------------------------------- */

static void v83(void **state)
{
    (void)state;
    static const struct {
        struct setting set[3];
        int hosts, ranks;
        double factor; /* busbw / algbw x N / (N - 1) */
    } rows[] = {
        { { { "collective", "ring" } }, 8, 8, 2 },
        { { { "collective", "tree" } }, 8, 8, 2 },
        { { { "collective", "double_tree" } }, 8, 8, 2 },
        { { { "collective", "double_tree" }, { "pieces", "64" } }, 7, 7, 2 },
        { { { "collective", "halving_doubling" } }, 8, 8, 2 },
        { { { "collective", "parameter_server" } }, 9, 8, 2 },
        { { { "collective", "parameter_server" }, { "servers", "8" } }, 16, 8, 2 },
        { { { "collective", "all_to_all" } }, 8, 8, 1 },
        { { { "collective", "hierarchical" }, { "group", "4" } }, 8, 8, 2 },
        { { { "collective", "hierarchical" }, { "group", "2" }, { "inside", "chain" } }, 8, 8, 2 },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        size_t count = 0;
        while (count < 3 && rows[i].set[count].knob != NULL) {
            count++;
        }
        int64_t bytes = 4 * MIB;
        struct sim *s = star(rows[i].hosts, bytes, rows[i].set, count);
        double factor = sim_collective_bus_factor(s);
        double n = rows[i].ranks;
        fabric_near("bus factor", factor, rows[i].factor * (n - 1) / n, 1e-12);
        char name[64];
        (void)snprintf(name, sizeof name, "%s", sim_collective_name(s));
        double us = finish_us(s);
        double busbw = (double)bytes * 8 / us * factor / 1e3; /* Gb/s */
        print_message("# %s: %.1f us, busbw %.2f Gb/s\n", name, us, busbw);
        if (rows[i].factor == 2) {
            /* servers of their own take half of the work off the ranks: each sends only S */
            double least = rows[i].hosts > rows[i].ranks ? (double)bytes : 2 * (n - 1) / n * (double)bytes;
            assert_true(us >= least * 8 / 100e9 * 1e6);
        }
        if (rows[i].hosts == rows[i].ranks) {
            assert_true(busbw <= GOODPUT / 1e9);
        }
    }
}

/* ---- V84 to V86b ----------------------------------------------------------------------------- */

static void v84(void **state)
{
    (void)state;
    static const struct setting set[] = { { "collective", "halving_doubling" } };
    int64_t bytes = 64 * MIB;
    double us = finish_us(star(8, bytes, set, 1));
    double sum = 2 * (message_us(bytes / 2) + message_us(bytes / 4) + message_us(bytes / 8));
    fabric_near("six rounds, us", us, sum, sum * 0.001);
    /* a message costs alpha whatever its size: a ring has 14 of them, this has 6 */
    double alpha = message_us(1024) - (double)SLOT_PS / 1e6;
    double ring = ring_us(8, bytes) - 8 * alpha;
    fabric_near("ring minus 8 alpha, us", us, ring, ring * 0.01);
}

static void v85(void **state)
{
    (void)state;
    static const struct setting set[] = { { "collective", "parameter_server" } };
    enum { N = 8 };
    int64_t bytes = 16 * MIB;
    struct sim *s = star(N + 1, bytes, set, 1);
    /* the push is over when the server has posted its first answer */
    uint32_t answer = sim_find_flow(s, "g9>g1");
    assert_true(answer != SIM_NONE);
    while (sim_flow_state(s, answer).posted_bytes == 0) {
        assert_true(sim_run_one(s));
    }
    double push = (double)sim_now(s) / 1e6;
    double packets = (double)bytes / 1024;
    double expected = (2 * (1094 * 80 + 25000) + 500000 + (N * packets - 1) * (double)SLOT_PS) / 1e6;
    fabric_near("push, us", push, expected, expected * 0.01);
    double us = finish_us(s);
    double ring = ring_us(N, bytes);
    print_message("# one server: %.1f us, ring: %.1f us, %.2f times\n", us, ring, us / ring);
    assert_true(us >= N / 2 * ring);
}

/* More servers share the work: with as many servers as ranks the server's cable is no bottleneck. */
static void v85_sharded(void **state)
{
    (void)state;
    static const struct setting one[] = { { "collective", "parameter_server" } };
    static const struct setting four[] = { { "collective", "parameter_server" },
                                           { "servers", "4" } };
    double alone = finish_us(star(9, 16 * MIB, one, 1));
    double shared = finish_us(star(12, 16 * MIB, four, 2));
    fabric_near("four servers take a quarter of the time", alone / shared, 4, 0.2);
}

static void v86(void **state)
{
    (void)state;
    static const struct setting set[] = { { "collective", "all_to_all" } };
    int64_t bytes = 64 * MIB;
    double us = finish_us(star(8, bytes, set, 1));
    double expected = 7.0 / 8 * (double)bytes * 8 / GOODPUT * 1e6 + message_us(1024);
    fabric_near("all-to-all, us", us, expected, expected * 0.02);
}

/* Two boxes: four hosts on a fast switch each, one of them with a cable of the fabric's rate. */
static void v86b(void **state)
{
    (void)state;
    static const struct setting direct[] = { { "collective", "hierarchical" }, { "group", "4" } };
    int64_t bytes = 16 * MIB;
    double us = finish_us(star(8, bytes, direct, 2));
    double packets = (double)bytes / 1024;
    double way = (2 * (1094 * 80 + 25000) + 500000) / 1e6;
    double slot = (double)SLOT_PS / 1e6;
    double in = way + (3 * packets - 1) * slot; /* three members to their leader */
    double leaders = 2 * message_us(bytes / 2);
    double out = way + (3 * packets - 1) * slot; /* the leader to three members */
    print_message("# in %.1f, leaders %.1f, out %.1f us\n", in, leaders, out);
    fabric_near("hierarchical, us", us, in + leaders + out, (in + leaders + out) * 0.01);

    static const struct setting chain[] = {
        { "collective", "hierarchical" }, { "group", "4" }, { "inside", "chain" }, { "pieces", "64" }
    };
    double chained = finish_us(star(8, bytes, chain, 4));
    /* a pipeline of 64 pieces over 3 hops: 66 piece times each way */
    double piece = (double)bytes / 64 / 1024 * slot;
    double pipe = 64 * piece + 2 * (message_us(bytes / 64)) + message_us(1024);
    double sum = 2 * pipe + leaders;
    fabric_near("hierarchical by chains, us", chained, sum, sum * 0.01);
}

/* ---- trees: the closed forms of section 5 ---------------------------------------------------- */

static void trees(void **state)
{
    (void)state;
    static const struct setting rows[][4] = {
        { { "collective", "tree" }, { "pieces", "1" }, { "xoff", "1GiB" }, { "xon", "0B" } },
        { { "collective", "tree" }, { "pieces", "64" }, { "xoff", "1GiB" }, { "xon", "0B" } },
        { { "collective", "double_tree" }, { "pieces", "64" }, { "xoff", "1GiB" }, { "xon", "0B" } },
        { { "collective", "tree" }, { "pieces", "64" }, { "xoff", "100KB" }, { "xon", "97KB" } },
        { { "collective", "tree" }, { "pieces", "64" }, { "admission", "1" }, { "xon", "97KB" } },
        { { "collective", "tree" }, { "pieces", "64" }, { "admission", "2" }, { "xon", "97KB" } },
        { { "collective", "double_tree" }, { "pieces", "64" }, { "admission", "1" }, { "xon", "97KB" } },
        { { "collective", "double_tree" }, { "pieces", "64" }, { "admission", "2" }, { "xon", "97KB" } },
    };
    int64_t bytes = 16 * MIB;
    double alone = (double)bytes * 8 / GOODPUT * 1e6;
    print_message("# S/B %.1f us\n", alone);
    for (size_t i = 0; i < LEN(rows); i++) {
        print_message("# %zu: %.1f us\n", i, finish_us(star(8, bytes, rows[i], 4)) / alone);
    }
}

/* ---- V87: the barrier waits for the slowest, once -------------------------------------------- */

static sim_ps step_ps(const char *slow_a, const char *slow_b, int64_t step)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    struct sim_training_spec t = { .bytes = MIB, .compute_ps = 400 * UNIT_US, .steps = 3 };
    fabric_init(&sc, "V87");
    fabric_star(&sc, 8, "100Gbps", NULL);
    assert_true(sim_scenario_training(&sc, &t, &err));
    struct sim *s = fabric_build(&sc);
    if (slow_a != NULL) {
        fabric_do(s, slow_a); /* from the second step on */
    }
    if (slow_b != NULL) {
        fabric_do(s, slow_b);
    }
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    struct sim_step st = sim_step(s, step);
    sim_destroy(s);
    return st.end - st.start;
}

static void v87(void **state)
{
    (void)state;
    sim_ps plain = step_ps(NULL, NULL, 2);
    /* Two neighbours, two apart, one: the step is longer by delta once. What the others send meanwhile
     * comes earlier in the ring's first round, so only the compute time can be exact. */
    fabric_exactly("step 1 is not slowed, ps", step_ps("slow_gpu g2 1.25", NULL, 1),
                   step_ps(NULL, NULL, 1));
    sim_ps one = step_ps("slow_gpu g2 1.25", NULL, 2);
    fabric_exactly("two ranks slowed, ps more than one", step_ps("slow_gpu g2 1.25",
                                                                 "slow_gpu g6 1.25", 2) - one,
                   step_ps("slow_gpu g2 1.25", "slow_gpu g6 1.25", 2) - one);
    fabric_near("step with two slowed by delta, us more",
                (double)(step_ps("slow_gpu g2 1.25", "slow_gpu g6 1.25", 3) - plain) / 1e6, 100, 0);
    fabric_near("all slowed by delta, us more", (double)(one - plain) / 1e6, 100, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(v83),   cmocka_unit_test(v84),  cmocka_unit_test(v85),
        cmocka_unit_test(v85_sharded), cmocka_unit_test(v86), cmocka_unit_test(v86b),
        cmocka_unit_test(trees), cmocka_unit_test(v87),
    };
    return cmocka_run_group_tests_name("validation_collectives", tests, NULL, NULL);
}
