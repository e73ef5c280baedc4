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
#define SLOT_PS (1106 * INT64_C(80))
#define GOODPUT (1024.0 / 1106 * 100e9)

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
            double least =
                rows[i].hosts > rows[i].ranks ? (double)bytes : 2 * (n - 1) / n * (double)bytes;
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
    double expected =
        (2 * (1094 * 80 + 25000) + 500000 + (N * packets - 1) * (double)SLOT_PS) / 1e6;
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

    static const struct setting chain[] = { { "collective", "hierarchical" },
                                            { "group", "4" },
                                            { "inside", "chain" },
                                            { "pieces", "64" } };
    double chained = finish_us(star(8, bytes, chain, 4));
    /* a pipeline of 64 pieces over 3 hops: 66 piece times each way */
    double piece = (double)bytes / 64 / 1024 * slot;
    double pipe = 64 * piece + 2 * (message_us(bytes / 64)) + message_us(1024);
    double sum = 2 * pipe + leaders;
    fabric_near("hierarchical by chains, us", chained, sum, sum * 0.01);
}

/* ---- trees ----------------------------------------------------------------------------------- */

static uint64_t pauses_of(int hosts, int64_t bytes, const struct setting *set, size_t count,
                          double *us)
{
    struct sim *s = star(hosts, bytes, set, count);
    fabric_finish(s, 100 * UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    *us = (double)sim_collective(s, 0).end / 1e6;
    uint64_t frames = sim_counters(s).xoff_frames;
    sim_destroy(s);
    return frames;
}

/* Eight ranks: 0 - 4 - {2, 6} - {1, 3, 5, 7}. A parent's cable carries its two children's vectors. */
static void trees(void **state)
{
    (void)state;
    static const struct setting whole[] = {
        { "collective", "tree" }, { "pieces", "1" }, { "xoff", "1GiB" }, { "xon", "0B" }
    };
    static const struct setting pieces[] = {
        { "collective", "tree" }, { "pieces", "64" }, { "xoff", "1GiB" }, { "xon", "0B" }
    };
    static const struct setting twin[] = {
        { "collective", "double_tree" }, { "pieces", "64" }, { "xoff", "1GiB" }, { "xon", "0B" }
    };
    static const struct setting paused[] = { { "collective", "double_tree" }, { "pieces", "64" } };
    static const struct setting cleared[] = { { "collective", "double_tree" },
                                              { "pieces", "64" },
                                              { "admission", "2" } };
    int64_t bytes = 16 * MIB;
    double line = (double)bytes * 8 / GOODPUT * 1e6;
    double us;
    /* up 2 + 2 + 1 vectors one after another, down 1 + 2 + 2 */
    fabric_near("in one piece, S/B", finish_us(star(8, bytes, whole, 4)) / line, 10, 0.1);
    /* in pieces: an inner rank gets 3 S and sends 3 S */
    double piped = finish_us(star(8, bytes, pieces, 4)) / line;
    print_message("# in 64 pieces: %.2f S/B\n", piped);
    assert_true(piped >= 3 && piped < 4);
    /* two trees: 2 S for everybody */
    double both = finish_us(star(8, bytes, twin, 4)) / line;
    fabric_near("two trees, S/B", both, 2.05, 0.1);
    assert_true(both >= 2);
    /* children that send to one parent at the same time make the switch pause them, and with them
     * what they send down; a clear-to-send for two messages at a time keeps that away */
    uint64_t frames = pauses_of(8, bytes, paused, 2, &us);
    print_message("# two trees with PFC: %.2f S/B, %llu pauses\n", us / line,
                  (unsigned long long)frames);
    assert_true(frames > 0 && us / line > both * 1.02);
    frames = pauses_of(8, bytes, cleared, 3, &us);
    print_message("# and clear-to-send: %.2f S/B, %llu pauses\n", us / line,
                  (unsigned long long)frames);
    assert_true(us / line < both * 1.02);
}

/* ---- admission: one sender at a time is no incast -------------------------------------------- */

static void admission(void **state)
{
    (void)state;
    static const struct setting all[] = { { "collective", "parameter_server" } };
    static const struct setting one[] = { { "collective", "parameter_server" },
                                          { "admission", "1" } };
    double free_us;
    double us;
    assert_true(pauses_of(9, 4 * MIB, all, 1, &free_us) > 0);
    assert_int_equal(pauses_of(9, 4 * MIB, one, 2, &us), 0);
    /* each message but the first waits for its clear-to-send: half a round trip more */
    double wait = message_us(64) + message_us(1024);
    print_message("# %.1f us, one at a time %.1f us, %.2f us for each message\n", free_us, us,
                  (us - free_us) / 16);
    assert_true(us > free_us && us - free_us < 16 * wait);
    static const struct setting ring_one[] = { { "admission", "1" } };
    static const struct setting ring_two[] = { { "admission", "2" } };
    double plain = ring_us(8, MIB);
    double asked = finish_us(star(8, MIB, ring_one, 1));
    double ahead = finish_us(star(8, MIB, ring_two, 1));
    /* one way of a clear-to-send before each of 14 rounds but the first, with which the time begins;
     * asked for a round ahead it takes only its place on the cable */
    fabric_near("a ring that asks, us more", asked - plain, 13 * message_us(64), 0.2);
    double slot = (64 + 62 + 20) * 80 / 1e6;
    fabric_near("a ring that asks ahead, us more", ahead - plain, 14 * slot, 0.1);
}

/* ---- V87: the barrier waits for the slowest, once -------------------------------------------- */

static struct sim *slowed(int hosts, const char *slow_a, const char *slow_b)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    struct sim_training_spec t = { .bytes = MIB, .compute_ps = 400 * UNIT_US, .steps = 3 };
    fabric_init(&sc, "V87");
    fabric_star(&sc, hosts, "100Gbps", NULL);
    assert_true(sim_scenario_training(&sc, &t, &err));
    struct sim *s = fabric_build(&sc);
    const char *const commands[] = { slow_a, slow_b };
    for (size_t i = 0; i < 2; i++) {
        if (commands[i] != NULL) {
            fabric_do(s, commands[i]); /* from the second step on */
        }
    }
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    return s;
}

static sim_ps length(const struct sim *s, int64_t step)
{
    return sim_step(s, step).end - sim_step(s, step).start;
}

static void v87(void **state)
{
    (void)state;
    enum { DELTA_US = 100 };
    struct sim *plain = slowed(2, NULL, NULL);
    struct sim *both = slowed(2, "slow_gpu g1 1.25", "slow_gpu g2 1.25");
    fabric_exactly("this step, ps more", length(both, 1) - length(plain, 1), 0);
    fabric_exactly("two ranks slowed by delta, ps more", length(both, 2) - length(plain, 2),
                   DELTA_US * UNIT_US);
    fabric_exactly("the step after it, ps more", length(both, 3) - length(plain, 3),
                   DELTA_US * UNIT_US);
    sim_destroy(plain);
    sim_destroy(both);
    /* Two of eight: the compute phase is longer by delta once; of the exchange, what the others sent
     * meanwhile is there already: the first round. */
    plain = slowed(8, NULL, NULL);
    both = slowed(8, "slow_gpu g2 1.25", "slow_gpu g6 1.25");
    fabric_exactly("compute, ps more", sim_step(both, 2).compute - sim_step(plain, 2).compute,
                   DELTA_US * UNIT_US);
    sim_ps more = length(both, 2) - length(plain, 2);
    print_message("# two of eight: %lld ps more\n", (long long)more);
    assert_true(more <= DELTA_US * UNIT_US);
    assert_true((double)more / 1e6 >= DELTA_US - message_us(MIB / 8));
    sim_destroy(plain);
    sim_destroy(both);
}

/* ---- V88: how often a step loses nothing ----------------------------------------------------- */

static void v88(void **state)
{
    (void)state;
    enum { STEPS = 1000 };
    struct sim_scenario sc;
    struct err err = { 0 };
    struct sim_training_spec t = { .bytes = MIB, .steps = STEPS };
    fabric_init(&sc, "V88");
    fabric_set(&sc, "ack_every", "0");
    fabric_set(&sc, "timeout_exponent", "8");
    fabric_star(&sc, 8, "100Gbps", NULL);
    assert_true(sim_scenario_training(&sc, &t, &err));
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "loss 0.00001");
    int clean = 0;
    uint64_t dropped = 0;
    for (int64_t step = 1; step <= STEPS; step++) {
        while (sim_steps_done(s) < step) {
            assert_int_equal(sim_run_until(s, 1000 * UNIT_S, SIM_TRACE_BIT(BARRIER)), SIM_AT_TRACE);
        }
        clean += sim_counters(s).dropped == dropped;
        dropped = sim_counters(s).dropped;
    }
    double share = pow(1 - 1e-5, 2 * 7 * 1024);
    double sigma = sqrt(share * (1 - share) / STEPS);
    fabric_near("steps without loss", (double)clean / STEPS, share, 3 * sigma);
    fabric_exactly("packets in a step",
                   (int64_t)(sim_counters(s).sent - sim_counters(s).retransmitted) / STEPS, 14336);
    sim_destroy(s);
}

/* ---- V89: AlexNet ---------------------------------------------------------------------------- */

/* Model section 6: floats that one GPU needs from the other for one image. */
static const struct {
    const char *layer;
    int64_t floats, bytes, batch_bytes;
} alexnet[] = {
    { "conv3", 13 * 13 * 128, 86528, 11075584 },
    { "fc6", 6 * 6 * 128, 18432, 2359296 },
    { "fc7", 2048, 8192, 1048576 },
    { "fc8", 2048, 8192, 1048576 },
};

/* Parameters of its layers: the gradients of data parallel training. */
static const int64_t alexnet_parameters[] = { 34944,  307456,   885120,   663936,
                                              442624, 37752832, 16781312, 4097000 };

static void v89(void **state)
{
    (void)state;
    enum { BATCH = 128 };
    int64_t batch = 0;
    int64_t parameters = 0;
    struct sim_scenario sc;
    struct err err = { 0 };
    fabric_init(&sc, "V89");
    fabric_set(&sc, "ack_every", "0");
    assert_true(sim_shape_pair(&sc, INT64_C(48000000000), 0, &err)); /* 6 GB/s of PCIe */
    for (size_t i = 0; i < LEN(alexnet); i++) {
        fabric_exactly(alexnet[i].layer, alexnet[i].floats * 4, alexnet[i].bytes);
        fabric_exactly("  batch", alexnet[i].bytes * BATCH, alexnet[i].batch_bytes);
        batch += alexnet[i].batch_bytes;
        for (int way = 0; way < 4; way++) { /* both ways, activations and their gradients */
            fabric_flow(&sc, way % 2 == 0 ? "g1" : "g2", way % 2 == 0 ? "g2" : "g1",
                        alexnet[i].batch_bytes, 0);
        }
    }
    for (size_t i = 0; i < LEN(alexnet_parameters); i++) {
        parameters += alexnet_parameters[i];
    }
    fabric_exactly("forward, bytes each way", batch, 15532032);
    fabric_exactly("parameters", parameters, 60965224);
    fabric_exactly("gradients, bytes", parameters * 4, 243860896);
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    int64_t sent = 0;
    for (uint32_t f = 0; f < sim_flow_count(s); f += 2) {
        sent += sim_flow_state(s, f).delivered_bytes;
    }
    fabric_exactly("forward and backward, bytes each way", sent, 31064064);
    /* the payload at the goodput of this cable; the table's 5.2 ms are at 6 GB/s of payload */
    double ms = (double)sim_done_at(s) / 1e9;
    fabric_near("exchange, ms", ms, 31064064 / 6e9 * 1e3 * 1106 / 1024, 0.02);
    sim_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(v83),         cmocka_unit_test(v84),       cmocka_unit_test(v85),
        cmocka_unit_test(v85_sharded), cmocka_unit_test(v86),       cmocka_unit_test(v86b),
        cmocka_unit_test(trees),       cmocka_unit_test(admission), cmocka_unit_test(v87),
        cmocka_unit_test(v88),         cmocka_unit_test(v89),
    };
    return cmocka_run_group_tests_name("validation_collectives", tests, NULL, NULL);
}
