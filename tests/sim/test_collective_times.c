/*
 * How long collectives take: bounds that hold for all of them, trees, admission, a slow GPU. Closed
 * forms of rings and of most others are in rows V80 to V89 of the validation table.
 */
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

/* ---- nobody is faster than the bound --------------------------------------------------------- */

static void nobody_is_faster_than_the_bound(void **state)
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
static void trees_take_their_time(void **state)
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

static void one_sender_at_a_time(void **state)
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

/* ---- the barrier waits for the slowest, once ------------------------------------------------- */

static struct sim *slowed(const char *const *commands, size_t count)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    struct sim_training_spec t = { .bytes = MIB, .compute_ps = 400 * UNIT_US, .steps = 2 };
    fabric_init(&sc, "slow");
    fabric_star(&sc, 8, "100Gbps", NULL);
    assert_true(sim_scenario_training(&sc, &t, &err));
    struct sim *s = fabric_build(&sc);
    for (size_t i = 0; i < count; i++) {
        fabric_do(s, commands[i]); /* from the second step on */
    }
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    return s;
}

static sim_ps length(const struct sim *s, int64_t step)
{
    return sim_step(s, step).end - sim_step(s, step).start;
}

/* Two of eight: the compute phase is longer by delta once; of the exchange, what the others sent
 * meanwhile is there already: the first round. */
static void two_slow_gpus_cost_once(void **state)
{
    (void)state;
    enum { DELTA_US = 100 };
    static const char *const slow[] = { "slow_gpu g2 1.25", "slow_gpu g6 1.25" };
    struct sim *plain = slowed(NULL, 0);
    struct sim *both = slowed(slow, LEN(slow));
    fabric_exactly("compute, ps more", sim_step(both, 2).compute - sim_step(plain, 2).compute,
                   DELTA_US * UNIT_US);
    sim_ps more = length(both, 2) - length(plain, 2);
    print_message("# two of eight: %lld ps more\n", (long long)more);
    assert_true(more <= DELTA_US * UNIT_US);
    assert_true((double)more / 1e6 >= DELTA_US - message_us(MIB / 8));
    sim_destroy(plain);
    sim_destroy(both);
}

/* A round that waits for its sender's ACK takes an ACK's way longer: 66 B over two cables and the
 * switch, on a free way back. */
static void a_round_may_wait_for_the_ack(void **state)
{
    (void)state;
    enum { ROUNDS = 6 };
    static const struct setting acked[] = { { "round_trigger", "acked" } };
    const double ack_us = (2 * (74 * 80 + 25000) + 500000) / 1e6;
    fabric_near("us, acked", finish_us(star(4, MIB, acked, LEN(acked))),
                ROUNDS * (message_us(MIB / 4) + ack_us), 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_round_may_wait_for_the_ack),
        cmocka_unit_test(nobody_is_faster_than_the_bound),
        cmocka_unit_test(trees_take_their_time),
        cmocka_unit_test(one_sender_at_a_time),
        cmocka_unit_test(two_slow_gpus_cost_once),
    };
    return cmocka_run_group_tests_name("sim/collective_times", tests, NULL, NULL);
}
