/*
 * Rows V37 to V39f (deadlocks and what looks like one) and V59 (a dead peer) of the validation
 * table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net.h"

#define LEN(array) (sizeof(array) / sizeof *(array))
#define D          (25 * UNIT_NS)
#define SLOT_40    (1106 * INT64_C(200))
#define SLOT_100   (1106 * INT64_C(80))
#define ENDLESS    (INT64_C(1) << 36)

static struct sim_scenario net(const char *name)
{
    struct sim_scenario sc;
    fabric_init(&sc, name);
    fabric_set(&sc, "timeout_exponent", "20");
    return sc;
}

/* ---- V37: routing loop ----------------------------------------------------------------------- */

static sim_ps loop(const char *ttl, double gbps, sim_ps limit)
{
    struct sim_scenario sc = net("loop");
    fabric_set(&sc, "ttl", ttl);
    net_switch(&sc, "A");
    net_switch(&sc, "B");
    net_cable(&sc, "A", "B", 40, D);
    net_host(&sc, "h1", "A", 40, D);
    net_host(&sc, "h2", "B", 40, D);
    net_route(&sc, "A", "h2", "B");
    net_route(&sc, "B", "h2", "A");
    net_stream(&sc, "h1", "h2", gbps / 40, SLOT_40);
    struct sim *s = fabric_build(&sc);
    sim_ps at = net_lock_time(s, 100 * UNIT_US, limit);
    assert_int_equal(sim_counters(s).dropped, sim_counters(s).dropped_by[SIM_REASON_TTL]);
    assert_true(at != SIM_NEVER || sim_counters(s).dropped > 0);
    sim_destroy(s);
    return at;
}

static void v37(void **state)
{
    (void)state;
    assert_true(loop("16", 5.0, 60 * UNIT_MS) == SIM_NEVER);
    sim_ps at = loop("16", 5.1, 60 * UNIT_MS);
    print_message("# 5.1 Gb/s, TTL 16: locked at %.1f ms\n", (double)at / 1e9);
    assert_true(at < 60 * UNIT_MS);
    assert_true(loop("64", 1.25, 60 * UNIT_MS) == SIM_NEVER);
    assert_true(loop("64", 1.25 * 1.02, 200 * UNIT_MS) != SIM_NEVER);
}

/* ---- V38, V39b, V39c: ring of four ----------------------------------------------------------- */

/*
 * Switches s1..s4 in a ring; the flows in `mask` go two hops clockwise, from a host h to a host r,
 * their ACKs back the way they came: that direction is idle.
 */
static struct sim_scenario ring(unsigned mask, double load)
{
    struct sim_scenario sc = net("ring");
    char name[4][3][4];
    for (int i = 0; i < 4; i++) {
        (void)snprintf(name[i][0], 4, "s%d", i + 1);
        (void)snprintf(name[i][1], 4, "h%d", i + 1);
        (void)snprintf(name[i][2], 4, "r%d", i + 1);
        net_switch(&sc, name[i][0]);
    }
    for (int i = 0; i < 4; i++) {
        net_cable(&sc, name[i][0], name[(i + 1) % 4][0], 40, D);
    }
    for (int i = 0; i < 4; i++) {
        net_host(&sc, name[i][1], name[i][0], 40, D);
        net_host(&sc, name[i][2], name[i][0], 40, D);
    }
    for (int i = 0; i < 4; i++) {
        net_route(&sc, name[i][0], name[(i + 2) % 4][2], name[(i + 1) % 4][0]);
        net_route(&sc, name[(i + 2) % 4][0], name[i][1], name[(i + 1) % 4][0]);
        if ((mask >> i & 1u) == 0) {
            continue;
        }
        if (load < 1) {
            net_stream(&sc, name[i][1], name[(i + 2) % 4][2], load, SLOT_40);
        } else {
            fabric_flow(&sc, name[i][1], name[(i + 2) % 4][2], ENDLESS, 0);
        }
    }
    return sc;
}

static double total_gbps(struct sim *s, sim_ps from, sim_ps to)
{
    (void)sim_run_until(s, from, 0);
    uint64_t before = sim_counters(s).delivered;
    (void)sim_run_until(s, to, 0);
    return (double)(sim_counters(s).delivered - before) * 1086 * 8 / ((double)(to - from) / 1e12) /
           1e9;
}

static void v38_alive(void **state)
{
    (void)state;
    struct sim_scenario sc = ring(15, .48);
    struct sim *s = fabric_build(&sc);
    assert_true(net_lock_time(s, 50 * UNIT_US, 10 * UNIT_MS) == SIM_NEVER);
    fabric_exactly("load .48: XOFF frames", (int64_t)sim_counters(s).xoff_frames, 0);
    sim_destroy(s);

    for (unsigned without = 0; without < 4; without++) {
        sc = ring(15u & ~(1u << without), 1);
        s = fabric_build(&sc);
        assert_true(net_lock_time(s, 50 * UNIT_US, 5 * UNIT_MS) == SIM_NEVER);
        fabric_near("three flows, Gb/s", total_gbps(s, 5 * UNIT_MS, 10 * UNIT_MS), 58, 1.2);
        assert_true(sim_counters(s).xoff_frames > 0);
        sim_destroy(s);
    }
    sc = ring(5, 1);
    s = fabric_build(&sc);
    fabric_near("two opposite flows, Gb/s", total_gbps(s, UNIT_MS, 10 * UNIT_MS), 78.6, .4);
    fabric_exactly("XOFF frames", (int64_t)sim_counters(s).xoff_frames, 0);
    sim_destroy(s);
}

/* The run ends by itself and says why: the circle, hop by hop. */
static void ends_in_deadlock(struct sim *s)
{
    static const char *const circle[] = { "s1:1", "s2:2", "s3:2", "s4:2" };
    uint32_t ports[8];
    (void)sim_run_until(s, 10 * UNIT_MS, 0);
    assert_int_equal(sim_outcome(s), SIM_STALLED);
    assert_int_equal(sim_stall(s).reason, SIM_REASON_DEADLOCK);
    fabric_exactly("dropped", (int64_t)sim_counters(s).dropped, 0);
    assert_int_equal(sim_wait_cycle(s, ports, LEN(ports), NULL), LEN(circle));
    for (size_t i = 0; i < LEN(circle); i++) {
        assert_string_equal(sim_port(s, ports[i]).name, circle[i]);
        uint32_t next = ports[(i + 1) % LEN(circle)];
        /* each waits for the switch that the next one belongs to */
        assert_int_equal(sim_port(s, sim_port(s, ports[i]).peer).node, sim_port(s, next).node);
    }
}

static void v38_dead(void **state)
{
    (void)state;
    static const double loads[] = { .6, .8, 1 };
    for (size_t i = 0; i < LEN(loads); i++) {
        struct sim_scenario sc = ring(15, loads[i]);
        struct sim *s = fabric_build(&sc);
        sim_ps at = net_lock_time(s, 10 * UNIT_US, 5 * UNIT_MS);
        print_message("# load %.2f: locked at %.0f us\n", loads[i], (double)at / 1e6);
        assert_true(at < 5 * UNIT_MS);
        ends_in_deadlock(s);
        sim_destroy(s);
    }
}

static void v39b(void **state)
{
    (void)state;
    static const double loads[] = { .45, 1 };
    for (size_t i = 0; i < LEN(loads); i++) {
        struct sim_scenario sc = ring(15, loads[i]);
        fabric_set(&sc, "flow_control", "credits");
        fabric_set(&sc, "vl_buffer", "131072B");
        struct sim *s = fabric_build(&sc);
        sim_ps at = net_lock_time(s, 50 * UNIT_US, 10 * UNIT_MS);
        if (loads[i] < 1) {
            assert_true(at == SIM_NEVER);
            fabric_exactly("dropped", (int64_t)sim_counters(s).dropped, 0);
        } else {
            print_message("# credits: locked at %.0f us\n", (double)at / 1e6);
            assert_true(at < 5 * UNIT_MS);
            ends_in_deadlock(s);
        }
        sim_destroy(s);
    }
}

static void v39c(void **state)
{
    (void)state;
    struct sim_scenario sc = ring(15, 1);
    fabric_set(&sc, "watchdog", "drop");
    fabric_set(&sc, "watchdog_detect", "2ms");
    fabric_set(&sc, "watchdog_restore", "2ms");
    fabric_set(&sc, "watchdog_poll", "1ms");
    fabric_set(&sc, "timeout_exponent", "8");
    fabric_set(&sc, "retry_limit", "1000");
    struct sim *s = fabric_build(&sc);
    sim_ps still = 0;
    sim_ps longest = 0;
    uint64_t hops = 0;
    for (sim_ps t = 0; t <= 30 * UNIT_MS; t += 10 * UNIT_US) {
        (void)sim_run_until(s, t, 0);
        still = sim_counters(s).hops == hops ? still + 10 * UNIT_US : 0;
        hops = sim_counters(s).hops;
        longest = still > longest ? still : longest;
    }
    struct sim_counters c = sim_counters(s);
    print_message("# longest silence %.2f ms, %llu dropped, %llu times\n", (double)longest / 1e9,
                  (unsigned long long)c.dropped_by[SIM_REASON_WATCHDOG],
                  (unsigned long long)c.watchdogs);
    assert_true(longest > UNIT_MS); /* it had locked */
    assert_true(longest <= 3 * UNIT_MS);
    assert_true(c.dropped_by[SIM_REASON_WATCHDOG] > 0);
    assert_int_equal(sim_outcome(s), SIM_RUNNING);
    sim_destroy(s);

    /* moved while the fabric is locked and the run has ended: it goes on */
    sc = ring(15, 1);
    s = fabric_build(&sc);
    (void)sim_run_until(s, 10 * UNIT_MS, 0);
    assert_int_equal(sim_outcome(s), SIM_STALLED);
    static const char *const commands[] = { "set watchdog_detect 2ms", "set watchdog_poll 1ms",
                                            "set watchdog_restore 2ms", "set watchdog drop" };
    for (size_t i = 0; i < LEN(commands); i++) {
        fabric_do(s, commands[i]);
        assert_int_equal(sim_outcome(s), SIM_RUNNING);
    }
    uint64_t delivered = sim_counters(s).delivered;
    (void)sim_run_until(s, 30 * UNIT_MS, 0);
    assert_true(sim_counters(s).delivered > delivered);
    sim_destroy(s);
}

/* A storm on one and on eight priorities: the watchdog takes over once for each. */
static void storms(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        int64_t times;
    } rows[] = { { "storm g2 on", 1 }, { "storm g2 all", 8 } };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_scenario sc = net("storm");
        fabric_set(&sc, "watchdog", "drop");
        fabric_set(&sc, "watchdog_detect", "1ms");
        fabric_set(&sc, "watchdog_poll", "1ms");
        fabric_star(&sc, 2, "100Gbps", NULL);
        for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
            fabric_flow(&sc, "g1", "g2", ENDLESS, 0);
            sc.flows[prio].prio = prio;
            sc.classes[prio].lossless = true;
            sc.classes[prio].weight = 10;
        }
        struct sim *s = fabric_build(&sc);
        (void)sim_run_until(s, 100 * UNIT_US, 0);
        fabric_do(s, rows[i].command);
        (void)sim_run_until(s, 50 * UNIT_MS, 0);
        fabric_exactly(rows[i].command, (int64_t)sim_counters(s).watchdogs, rows[i].times);
        assert_true(sim_counters(s).dropped_by[SIM_REASON_WATCHDOG] > 0);
        sim_destroy(s);
    }
}

/* What is inside the switch when the watchdog takes over is dropped as well: nothing goes out to a
 * neighbour that asked for silence. */
static void storm_inside(void **state)
{
    (void)state;
    struct sim_scenario sc = net("storm");
    fabric_set(&sc, "switch_latency", "500ns"); /* more than a packet's time on the cable */
    fabric_set(&sc, "watchdog", "drop");
    fabric_set(&sc, "watchdog_detect", "3us");
    fabric_set(&sc, "watchdog_poll", "1us");
    fabric_star(&sc, 2, "100Gbps", NULL);
    fabric_flow(&sc, "g1", "g2", ENDLESS, 0);
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "storm g2 on");
    (void)sim_run_until(s, UNIT_MS, 0);
    assert_true(sim_counters(s).watchdogs == 1);
    assert_true(sim_counters(s).dropped_by[SIM_REASON_WATCHDOG] > 0);
    uint32_t to_g2 = 0;
    while (strcmp(sim_node(s, sim_port(s, sim_port(s, to_g2).peer).node).name, "g2") != 0) {
        to_g2++;
    }
    assert_int_equal(sim_port_busy_ps(s, to_g2), 0);
    sim_destroy(s);
}

/* ---- V39: a circle of dependencies that lives ------------------------------------------------ */

static struct sim_scenario hot(bool third)
{
    static const char *const sw[] = { "A", "B", "C", "D" };
    static const char *const routes[][3] = {
        { "A", "d1", "B" }, { "B", "d1", "C" }, { "C", "d1", "D" }, { "C", "b1", "D" },
        { "D", "b1", "A" }, { "A", "b1", "B" }, { "D", "a1", "C" }, { "C", "a1", "B" },
        { "B", "c1", "A" }, { "A", "c1", "D" }, /* ACKs */
    };
    static const char *const hosts[][2] = { { "a1", "A" }, { "b1", "B" }, { "b2", "B" },
                                            { "c1", "C" }, { "c2", "C" }, { "d1", "D" } };
    struct sim_scenario sc = net("hot");
    for (size_t i = 0; i < LEN(sw); i++) {
        net_switch(&sc, sw[i]);
    }
    for (size_t i = 0; i < LEN(sw); i++) {
        net_cable(&sc, sw[i], sw[(i + 1) % LEN(sw)], 40, UNIT_US);
    }
    for (size_t i = 0; i < LEN(hosts); i++) {
        net_host(&sc, hosts[i][0], hosts[i][1], 40, UNIT_US);
    }
    for (size_t i = 0; i < LEN(routes); i++) {
        net_route(&sc, routes[i][0], routes[i][1], routes[i][2]);
    }
    fabric_flow(&sc, "a1", "d1", ENDLESS, 0);
    fabric_flow(&sc, "c1", "b1", ENDLESS, 0);
    if (third) {
        fabric_flow(&sc, "b2", "c2", ENDLESS, 0);
    }
    return sc;
}

static void v39(void **state)
{
    (void)state;
    struct sim_scenario sc = hot(false);
    struct sim *s = fabric_build(&sc);
    assert_true(net_lock_time(s, 20 * UNIT_US, 100 * UNIT_MS) == SIM_NEVER);
    assert_int_equal(sim_outcome(s), SIM_RUNNING);
    uint64_t xoffs = sim_counters(s).xoff_frames;
    int64_t second = sim_flow_state(s, 1).delivered_bytes;
    fabric_near("f1, Gb/s", net_gross_gbps(s, 0, 100 * UNIT_MS, 120 * UNIT_MS, 1086), 19.6, .4);
    second = sim_flow_state(s, 1).delivered_bytes - second;
    fabric_near("f2, Gb/s", (double)second / 1024 * 1086 * 8 / 0.020 / 1e9, 19.6, .4);
    assert_true(sim_counters(s).xoff_frames > xoffs + 100); /* pausing without end */
    sim_destroy(s);

    sc = hot(true);
    s = fabric_build(&sc);
    sim_ps at = net_lock_time(s, 10 * UNIT_US, 5 * UNIT_MS);
    print_message("# with f3: locked at %.0f us\n", (double)at / 1e6);
    assert_true(at < 5 * UNIT_MS);
    sim_destroy(s);
}

/* ---- V39d, V39e: a receiver that is stuck ---------------------------------------------------- */

static void v39e(void **state)
{
    (void)state;
    static const double paused_us[] = { 8.28, 16.60, 24.92, 33.24 };
    static const char *const rates[] = { "100Gbps", "100Gbps", "100Gbps", "100Gbps", "100Gbps" };
    for (int k = 1; k <= 4; k++) {
        struct sim_scenario sc = net("propagation");
        fabric_chain(&sc, rates, k + 1);
        fabric_flow(&sc, "g1", "g2", ENDLESS, 0);
        struct sim *s = fabric_build(&sc);
        fabric_do(s, "hold g2 on");
        uint32_t nic = sim_find_port(s, "g1:1");
        while (!sim_port_queue(s, nic).paused && sim_now(s) < UNIT_MS) {
            (void)sim_run_until(s, UNIT_MS, SIM_TRACE_BIT(PAUSED));
        }
        fabric_near("host paused at, us", (double)sim_now(s) / 1e6, paused_us[k - 1],
                    k * (double)SLOT_100 / 1e6);
        sim_destroy(s);
    }
}

static struct sim *all_to_all(const char *xoff, const char *xon)
{
    struct sim_scenario sc = net("storm");
    fabric_set(&sc, "xoff", xoff);
    fabric_set(&sc, "xon", xon);
    struct sim_shape_tier shape = { .leaves = 4,
                                    .spines = 4,
                                    .hosts_per_leaf = 4,
                                    .rate_bps = INT64_C(100000000000),
                                    .delay_ps = D };
    assert_true(sim_shape_leaf_spine(&sc, &shape, NULL));
    for (int i = 1; i <= 16; i++) {
        for (int k = 1; k < 16; k++) {
            char src[16];
            char dst[16];
            (void)snprintf(src, sizeof src, "g%d", i);
            (void)snprintf(dst, sizeof dst, "g%d", (i + k - 1) % 16 + 1);
            fabric_flow(&sc, src, dst, ENDLESS, 0);
        }
    }
    return fabric_build(&sc);
}

static void v39d(void **state)
{
    (void)state;
    static const struct {
        const char *xoff, *xon;
        double us;
    } rows[] = { { "100000B", "97000B", 200 }, { "30000B", "27000B", 100 } };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim *s = all_to_all(rows[i].xoff, rows[i].xon);
        print_message("# before: %.0f Gb/s\n", total_gbps(s, 500 * UNIT_US, UNIT_MS));
        fabric_do(s, "slow g1 0");
        double us = 0;
        double gbps = 1e9;
        while (us < 1000 && gbps > 98.2) {
            gbps = total_gbps(s, sim_now(s), sim_now(s) + 10 * UNIT_US);
            us += 10;
        }
        fabric_near("only its own sends are left, us", us, rows[i].us, 50);
        fabric_near("these, Gb/s", total_gbps(s, sim_now(s), sim_now(s) + 100 * UNIT_US), 98, 1);
        int paused = 0;
        for (int g = 1; g <= 16; g++) {
            char port[16];
            (void)snprintf(port, sizeof port, "g%d:1", g);
            paused += sim_port_queue(s, sim_find_port(s, port)).paused;
        }
        fabric_exactly("hosts paused", paused, 15);
        sim_destroy(s);
    }
}

/* ---- V39f: flooding -------------------------------------------------------------------------- */

static struct sim *flooded(bool g2, bool g7, const char *flood_lossless, sim_ps stop)
{
    struct sim_scenario sc = net("flood");
    fabric_set(&sc, "xon", "auto");
    fabric_set(&sc, "flood_lossless", flood_lossless);
    struct sim_shape_tier shape = { .leaves = 2,
                                    .spines = 2,
                                    .hosts_per_leaf = 4,
                                    .rate_bps = INT64_C(100000000000),
                                    .delay_ps = D };
    assert_true(sim_shape_leaf_spine(&sc, &shape, NULL));
    net_route(&sc, "leaf1", "g7", "spine1");
    net_route(&sc, "leaf1", "g5", "spine1");
    net_route(&sc, "leaf2", "g2", "spine2");
    net_route(&sc, "leaf1", "g6", "spine2");
    net_stream(&sc, "g1", "g7", .5, SLOT_100);
    net_stream(&sc, "g3", "g5", .5, SLOT_100);
    net_stream(&sc, "g8", "g2", .5, SLOT_100);
    net_stream(&sc, "g6", "g5", .9, SLOT_100);
    for (size_t i = 0; i < 4; i++) {
        sc.flows[i].messages = stop > 0 ? (uint32_t)(stop / sc.flows[i].gap_ps) : 0;
    }
    net_stream(&sc, "g4", "g6", .2, SLOT_100);
    struct sim *s = fabric_build(&sc);
    if (g2) {
        fabric_do(s, "kill g2");
        fabric_do(s, "flood g2 on");
    }
    if (g7) {
        fabric_do(s, "kill g7");
        fabric_do(s, "flood g7 on");
    }
    return s;
}

static void v39f(void **state)
{
    (void)state;
    static const char *const circle[] = { "spine1", "leaf2", "spine2", "leaf1" };
    struct sim *s = flooded(true, true, "on", 3 * UNIT_MS);
    sim_ps at = net_lock_time(s, 10 * UNIT_US, 5 * UNIT_MS);
    print_message("# locked at %.0f us\n", (double)at / 1e6);
    assert_true(at < 5 * UNIT_MS);
    uint32_t ports[8];
    assert_int_equal(sim_wait_cycle(s, ports, LEN(ports), NULL), 4);
    for (size_t i = 0; i < 4; i++) {
        const char *name = sim_node(s, sim_port(s, ports[i]).node).name;
        print_message("# %s\n", sim_port(s, ports[i]).name);
        assert_string_equal(name, circle[i]);
    }
    (void)sim_run_until(s, 8 * UNIT_MS, 0); /* 5 ms after the senders have stopped */
    assert_int_equal(sim_wait_cycle(s, NULL, 0, NULL), 4);
    fabric_exactly("dropped", (int64_t)sim_counters(s).dropped, 0);
    assert_int_equal(sim_outcome(s), SIM_RUNNING); /* somebody is alive */
    fabric_near("bystander, Gb/s", net_gross_gbps(s, 4, 8 * UNIT_MS, 12 * UNIT_MS, 1086),
                .2 * 100 * 1086 / 1106, .2);
    sim_destroy(s);

    static const struct {
        bool g2, g7;
        const char *flood;
    } safe[] = { { true, false, "on" }, { false, true, "on" }, { true, true, "off" } };
    for (size_t i = 0; i < LEN(safe); i++) {
        s = flooded(safe[i].g2, safe[i].g7, safe[i].flood, 0);
        assert_true(net_lock_time(s, 50 * UNIT_US, 10 * UNIT_MS) == SIM_NEVER);
        sim_destroy(s);
    }
}

/* ---- V59: nobody answers --------------------------------------------------------------------- */

static void v59(void **state)
{
    (void)state;
    static const struct {
        const char *exponent, *fault;
        double seconds;
        enum sim_reason reason;
    } rows[] = { { "20", "link sw:2 down", 34.4, SIM_REASON_RETRY_LIMIT },
                 { "14", "link sw:2 down", .54, SIM_REASON_RETRY_LIMIT },
                 { "14", "kill g2", .54, SIM_REASON_DEAD_PEER } };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_scenario sc = net("cut");
        fabric_set(&sc, "timeout_exponent", rows[i].exponent);
        fabric_star(&sc, 2, "100Gbps", NULL);
        fabric_flow(&sc, "g1", "g2", 1000000, 0);
        struct sim *s = fabric_build(&sc);
        (void)sim_run_until(s, 20 * UNIT_US, 0);
        fabric_do(s, rows[i].fault);
        sim_ps progress = sim_flow_state(s, 0).delivered_at;
        (void)sim_run_until(s, 100 * UNIT_S, 0);
        assert_int_equal(sim_outcome(s), SIM_STALLED);
        assert_int_equal(sim_stall(s).reason, rows[i].reason);
        assert_true(sim_flow_state(s, 0).error);
        fabric_near("gives up after, s", (double)(sim_stall(s).since - progress) / 1e12,
                    rows[i].seconds, rows[i].seconds * .01);
        sim_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(v37),  cmocka_unit_test(v38_alive), cmocka_unit_test(v38_dead),
        cmocka_unit_test(v39),  cmocka_unit_test(v39b),      cmocka_unit_test(v39c),
        cmocka_unit_test(v39d), cmocka_unit_test(v39e),      cmocka_unit_test(v39f),
        cmocka_unit_test(v59),  cmocka_unit_test(storms),    cmocka_unit_test(storm_inside),
    };
    return cmocka_run_group_tests_name("validation: locks", tests, NULL, NULL);
}
