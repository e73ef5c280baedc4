/*
 * Rows V52 to V58 (loss recovery) and V64 to V67 (load balancing) of the validation table.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "fabric.h"

#define LEN(array) (sizeof(array) / sizeof *(array))
#define MIB        (INT64_C(1) << 20)

/* One flow through one switch. */
static struct sim *lossy(const char *rate, const char *delay, const char *transport, int64_t bytes,
                         const char *exponent, const char *command)
{
    struct sim_scenario sc;
    fabric_init(&sc, "lossy");
    fabric_set(&sc, "transport", transport);
    fabric_set(&sc, "timeout_exponent", exponent);
    fabric_set(&sc, "rto_low", "320us");
    fabric_set(&sc, "retry_limit", "1000");
    fabric_star(&sc, 2, rate, delay);
    fabric_flow(&sc, "g1", "g2", bytes, 0);
    struct sim *s = fabric_build(&sc);
    fabric_do(s, command);
    return s;
}

static double share(struct sim *s, const char *rate, sim_ps from, sim_ps to)
{
    (void)sim_run_until(s, from, 0);
    int64_t before = sim_flow_state(s, 0).delivered_bytes;
    (void)sim_run_until(s, to, 0);
    double bits = (double)(sim_flow_state(s, 0).delivered_bytes - before) * 8;
    return bits / ((double)(to - from) / 1e12) / (strtod(rate, NULL) * 1e9 * 1024 / 1106);
}

static void v52(void **state)
{
    (void)state;
    struct sim *s = lossy("40Gbps", "100ns", "go_back_0", 4 * MIB, "12", "drop_nth 256");
    (void)sim_run_until(s, 10 * UNIT_MS, 0);
    sim_ps busy = sim_port_busy_ps(s, sim_find_port(s, "g1:1"));
    (void)sim_run_until(s, 110 * UNIT_MS, 0);
    assert_int_equal(sim_outcome(s), SIM_RUNNING);
    assert_int_equal(sim_flow_state(s, 0).una, 0); /* no message completed */
    busy = sim_port_busy_ps(s, sim_find_port(s, "g1:1")) - busy;
    fabric_near("link busy, %", (double)busy / (100.0 * 1e9) * 100, 100, 0.1);
    sim_destroy(s);
}

static void v53(void **state)
{
    (void)state;
    double p = 1.0 / 256;
    fabric_near("P(success per try), 1e-7", pow(1 - p, 4096) * 1e7, 1.09, 0.01);
    double sum = 0;
    enum { MESSAGES = 40 };
    struct sim_scenario sc;
    fabric_init(&sc, "go-back-0");
    fabric_set(&sc, "transport", "go_back_0");
    fabric_star(&sc, 2, "40Gbps", "100ns");
    fabric_flow(&sc, "g1", "g2", 4 * MIB, 0);
    sc.flows[0].gap_ps = 20 * UNIT_MS;
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "loss 0.0002");
    (void)sim_run_until(s, 20 * UNIT_MS * MESSAGES - UNIT_US, 0);
    sum = (double)sim_counters(s).sent;
    assert_int_equal(sim_flow_state(s, 0).una, 4096 * MESSAGES);
    fabric_near("packets a message", sum / MESSAGES, 6344, 6344 * 0.2);
    sim_destroy(s);
}

static void v54(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        double share;
    } rows[] = { { "loss 0.0001", .9950 },
                 { "loss 0.001", .9426 },
                 { "loss 0.004", .7213 },
                 { "loss 0.01", .3731 } };
    /* 300 ms hold too few timeouts at these rates: ten times as long */
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim *s =
            lossy("100Gbps", "1us", "go_back_n", INT64_C(1) << 40, "8", rows[i].command);
        fabric_near(rows[i].command, share(s, "100Gbps", 0, 3 * UNIT_S), rows[i].share,
                    rows[i].share * 0.03);
        print_message("# %llu timeouts\n", (unsigned long long)sim_counters(s).timeouts);
        sim_destroy(s);
    }
}

static void v55(void **state)
{
    (void)state;
    struct sim *s = lossy("40Gbps", "100ns", "go_back_n", INT64_C(1) << 40, "12", "loss 1/256");
    fabric_near("share", share(s, "40Gbps", 0, UNIT_S), .46, .46 * 0.25);
    print_message("# %llu timeouts\n", (unsigned long long)sim_counters(s).timeouts);
    sim_destroy(s);
}

static void v56(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        double p;
    } rows[] = { { "loss 0.0001", 1e-4 },
                 { "loss 0.001", 1e-3 },
                 { "loss 0.004", 4e-3 },
                 { "loss 0.01", 1e-2 } };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim *s =
            lossy("100Gbps", "1us", "selective", INT64_C(1) << 40, "8", rows[i].command);
        double sr = share(s, "100Gbps", 0, UNIT_S);
        sim_destroy(s);
        s = lossy("100Gbps", "1us", "go_back_n", INT64_C(1) << 40, "8", rows[i].command);
        double gbn = share(s, "100Gbps", 0, UNIT_S);
        sim_destroy(s);
        double p = rows[i].p;
        double low =
            (1 - p) / (1 + p * p * 320e6 / (1106 * 80.0)); /* every p^2 event costs an RTO */
        print_message("# %s: selective %.4f, go-back-N %.4f, bounds %.4f and %.4f\n",
                      rows[i].command, sr, gbn, low, 1 - p);
        assert_true(sr > gbn);
        assert_true(sr <= (1 - p) * 1.001);
        assert_true(sr >= low * 0.97);
    }
    struct sim *s = lossy("100Gbps", "5us", "selective", INT64_C(1) << 40, "8", "drop_nth 256");
    double sr = share(s, "100Gbps", 2 * UNIT_MS, 42 * UNIT_MS);
    sim_destroy(s);
    s = lossy("100Gbps", "5us", "go_back_n", INT64_C(1) << 40, "8", "drop_nth 256");
    double gbn = share(s, "100Gbps", 2 * UNIT_MS, 42 * UNIT_MS);
    sim_destroy(s);
    print_message("# every 256th lost, 5 us cables: selective %.4f, go-back-N %.4f\n", sr, gbn);
    assert_true(sr >= 8 * gbn);
}

/* ---- V57, V58: lossy incast ------------------------------------------------------------------ */

struct incast_result {
    double times_ideal, resent, sent_times;
};

static struct incast_result incast(int n, const char *const *set, uint64_t seed)
{
    struct sim_scenario sc;
    char dst[16];
    fabric_init(&sc, "incast");
    fabric_set(&sc, "queue_cap", "500KB");
    fabric_set(&sc, "timeout_exponent", "12");
    fabric_set(&sc, "retry_limit", "1000");
    /* the timeouts of IRN (24 us round trip) scaled to this round trip of 4.3 us */
    fabric_set(&sc, "rto_low", "18us");
    fabric_set(&sc, "rto_high", "57us");
    for (; *set != NULL; set += 2) {
        fabric_set(&sc, set[0], set[1]);
    }
    fabric_star(&sc, n + 1, "100Gbps", "1us");
    (void)snprintf(dst, sizeof dst, "g%d", n + 1);
    for (int i = 1; i <= n; i++) {
        char src[16];
        (void)snprintf(src, sizeof src, "g%d", i);
        fabric_flow(&sc, src, dst, 4 * MIB, 0);
    }
    struct err err = { 0 };
    assert_true(sim_scenario_check(&sc, &err));
    struct sim *s = sim_create(&sc, seed, &err);
    sim_scenario_finish(&sc);
    fabric_finish(s, 10 * UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    double ideal = (double)(n * 4096 - 1) * 1106 * 80 + 2 * (1094 * 80 + 1e6);
    struct sim_counters c = sim_counters(s);
    sim_ps last = 0;
    for (uint32_t f = 0; f < (uint32_t)n; f++) {
        sim_ps at = sim_flow_state(s, f).delivered_at;
        last = at > last ? at : last;
    }
    struct incast_result r = { .times_ideal = (double)last / ideal,
                               .resent = (double)c.retransmitted / (double)c.sent,
                               .sent_times = (double)c.sent / (n * 4096.0) };
    sim_destroy(s);
    return r;
}

static void v57(void **state)
{
    (void)state;
    static const char *const pfc[] = { NULL };
    static const char *const gbn[] = { "flow_control", "none", NULL };
    static const char *const capped[] = { "flow_control", "none", "transport", "selective",
                                          "window",       "50",   NULL };
    static const char *const uncapped[] = { "flow_control", "none", "transport", "selective",
                                            NULL };
    static const int rows[] = { 4, 8, 16, 32 };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct incast_result p = incast(rows[i], pfc, 1);
        struct incast_result g = incast(rows[i], gbn, 1);
        struct incast_result c = incast(rows[i], capped, 1);
        struct incast_result u = incast(rows[i], uncapped, 1);
        print_message("# N=%d: PFC %.3f, go-back-N %.1f, selective with cap %.3f (%.1f %% resent), "
                      "without %.3f (sent %.1f times)\n",
                      rows[i], p.times_ideal, g.times_ideal, c.times_ideal, 100 * c.resent,
                      u.times_ideal, u.sent_times);
        assert_true(p.times_ideal < 1.005);
        assert_true(g.times_ideal >= 10);
        assert_true(c.times_ideal <= 1.02);
        assert_true(c.resent <= 0.12);
        assert_true(u.sent_times > c.resent + 1);
    }
}

static void v58(void **state)
{
    (void)state;
    static const char *const dcqcn[] = { "flow_control", "none", "ecn", "on",   "cc",
                                         "dcqcn",        "kmin", "5KB", "kmax", "200KB",
                                         "pmax",         "1%",   NULL };
    enum { SEEDS = 12 }; /* whether a last packet dies is luck: the mean of some runs */
    double four = 0;
    double many = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        four += incast(4, dcqcn, seed).times_ideal / SEEDS;
        many += incast(16, dcqcn, seed).times_ideal / SEEDS;
    }
    print_message("# DCQCN without PFC: N=4 %.2f times the ideal, N=16 %.1f\n", four, many);
    assert_true(four > 1.7 && four < 2.1);
    assert_true(many >= 10);
}

/* ---- V64, V66, V67: load balancing ----------------------------------------------------------- */

/* 4 leaves x 8 hosts x 8 spines at 400 Gb/s, every host to the one 8 further on. */
static double permutation(const char *const *set, uint64_t seed, double *sent)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    struct sim_shape_tier shape = { .leaves = 4,
                                    .spines = 8,
                                    .hosts_per_leaf = 8,
                                    .rate_bps = INT64_C(400000000000),
                                    .delay_ps = 25 * UNIT_NS };
    fabric_init(&sc, "permutation");
    fabric_set(&sc, "mtu", "4096B");
    fabric_set(&sc, "retry_limit", "1000");
    for (; *set != NULL; set += 2) {
        fabric_set(&sc, set[0], set[1]);
    }
    assert_true(sim_shape_leaf_spine(&sc, &shape, &err));
    for (int i = 0; i < 32; i++) {
        char src[16];
        char dst[16];
        (void)snprintf(src, sizeof src, "g%d", i + 1);
        (void)snprintf(dst, sizeof dst, "g%d", (i + 8) % 32 + 1);
        fabric_flow(&sc, src, dst, 4 * MIB, 0);
    }
    assert_true(sim_scenario_check(&sc, &err));
    struct sim *s = sim_create(&sc, seed, &err);
    sim_scenario_finish(&sc);
    fabric_finish(s, 10 * UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    sim_ps worst = 0;
    for (uint32_t f = 0; f < 32; f++) {
        sim_ps at = sim_flow_state(s, f).delivered_at;
        worst = at > worst ? at : worst;
    }
    if (sent != NULL) {
        *sent = (double)sim_counters(s).sent / (32 * 1024.0);
    }
    sim_destroy(s);
    double alone = 1023.0 * 4178 * 20 + 4 * (4166.0 * 20 + 25e3);
    return (double)worst / alone;
}

static void v64(void **state)
{
    (void)state;
    static const char *const ecmp[] = { "routing", "ecmp", NULL };
    static const char *const tolerant[] = { "routing",        "spray", "transport", "selective",
                                            "reorder_window", "1ms",   NULL };
    static const char *const gbn[] = { "routing", "spray", NULL };
    static const char *const eager[] = { "routing", "spray", "transport", "selective", NULL };
    double sum = 0;
    enum { SEEDS = 40 };
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        sum += permutation(ecmp, seed, NULL);
    }
    fabric_near("ECMP, worst slowdown, mean of 40 seeds", sum / SEEDS, 3.4, 3.4 * 0.15);
    sum = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        sum += permutation(tolerant, seed, NULL);
    }
    fabric_near("spray, reordering accepted", sum / SEEDS, 1.07, 1.07 * 0.03);
    double sent;
    double times = permutation(gbn, 1, &sent);
    print_message("# spray over go-back-N: %.1f times, sent %.1f times\n", times, sent);
    assert_true(times >= 10);
    times = permutation(eager, 1, &sent);
    print_message("# spray over selective that asks at once: %.2f times, sent %.2f times\n", times,
                  sent);
    assert_true(times > 1.5 && times < 2.5);
}

static uint32_t most_on_a_link(uint32_t flows, uint32_t links, uint64_t seed, uint32_t *unused)
{
    uint32_t load[64] = { 0 };
    uint32_t most = 0;
    for (uint32_t f = 0; f < flows; f++) {
        uint32_t link = (uint32_t)(rng_mix3(seed, rng_mix(f + 1), 99) % links);
        most = ++load[link] > most ? load[link] : most;
    }
    *unused = 0;
    for (uint32_t l = 0; l < links; l++) {
        *unused += load[l] == 0;
    }
    return most;
}

static void v66(void **state)
{
    (void)state;
    static const struct {
        uint32_t flows, links;
        double most;
    } rows[] = { { 2, 2, 1.50 },   { 4, 4, 2.125 },  { 8, 8, 2.60 }, { 16, 16, 3.08 },
                 { 32, 32, 3.54 }, { 64, 64, 3.96 }, { 8, 4, 3.54 }, { 16, 8, 4.20 },
                 { 64, 8, 12.2 },  { 256, 16, 23.4 } };
    enum { SEEDS = 10000 };
    for (size_t i = 0; i < LEN(rows); i++) {
        double sum = 0;
        uint32_t unused;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            sum += most_on_a_link(rows[i].flows, rows[i].links, seed, &unused);
        }
        fabric_near("flows on the busiest link", sum / SEEDS, rows[i].most, rows[i].most * 0.015);
    }
}

static void v67(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double none;
    } rows[] = { { 4, .0938 }, { 8, .0024 } };
    enum { SEEDS = 100000 };
    double unused_links = 0;
    for (size_t i = 0; i < LEN(rows); i++) {
        int none = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            uint32_t unused;
            none += most_on_a_link(rows[i].n, rows[i].n, seed, &unused) == 1;
            unused_links += rows[i].n == 8 ? unused / 8.0 : 0;
        }
        double p = rows[i].none;
        fabric_near("P(no collision)", (double)none / SEEDS, p,
                    3 * sqrt(p * (1 - p) / SEEDS) + 5e-5);
    }
    fabric_near("unused links of 8", unused_links / SEEDS, .344, .003);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(v52), cmocka_unit_test(v53), cmocka_unit_test(v54), cmocka_unit_test(v55),
        cmocka_unit_test(v56), cmocka_unit_test(v57), cmocka_unit_test(v58), cmocka_unit_test(v64),
        cmocka_unit_test(v66), cmocka_unit_test(v67),
    };
    return cmocka_run_group_tests_name("validation: loss", tests, NULL, NULL);
}
