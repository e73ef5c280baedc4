/*
 * What a run says when nothing moves any more, and what the watchdog does about it. When it comes to
 * that is in rows V37 to V39f of the validation table.
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
#define SLOT_100   (1106 * INT64_C(80))
#define ENDLESS    (INT64_C(1) << 36)

static struct sim_scenario net(const char *name)
{
    struct sim_scenario sc;
    fabric_init(&sc, name);
    fabric_set(&sc, "timeout_exponent", "20");
    return sc;
}

/* ---- a ring of four switches ------------------------------------------------------------------- */

/*
 * Switches s1..s4 in a ring; from each a flow goes two hops clockwise, from a host h to a host r, its
 * ACKs back the way they came: that direction is idle. It locks at once.
 */
static struct sim_scenario ring(void)
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
        fabric_flow(&sc, name[i][1], name[(i + 2) % 4][2], ENDLESS, 0);
    }
    return sc;
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

/* On pauses and on credits. */
static void a_deadlock_names_its_circle(void **state)
{
    (void)state;
    static const char *const controls[] = { "pfc", "credits" };
    for (size_t i = 0; i < LEN(controls); i++) {
        struct sim_scenario sc = ring();
        fabric_set(&sc, "flow_control", controls[i]);
        struct sim *s = fabric_build(&sc);
        assert_true(net_lock_time(s, 10 * UNIT_US, 5 * UNIT_MS) < 5 * UNIT_MS);
        ends_in_deadlock(s);
        sim_destroy(s);
    }
}

/* Moved while the fabric is locked and the run has ended: it goes on, whichever knob comes first. */
static void a_watchdog_set_later(void **state)
{
    (void)state;
    static const char *const orders[][4] = {
        { "set watchdog_detect 2ms", "set watchdog_poll 1ms", "set watchdog_restore 2ms",
          "set watchdog drop" },
        { "set watchdog drop", "set watchdog_detect 2ms", "set watchdog_restore 2ms",
          "set watchdog_poll 1ms" },
    };
    for (size_t k = 0; k < LEN(orders); k++) {
        struct sim_scenario sc = ring();
        struct sim *s = fabric_build(&sc);
        (void)sim_run_until(s, 10 * UNIT_MS, 0);
        assert_int_equal(sim_outcome(s), SIM_STALLED);
        for (size_t i = 0; i < LEN(orders[k]); i++) {
            fabric_do(s, orders[k][i]);
            assert_int_equal(sim_outcome(s), SIM_RUNNING);
        }
        uint64_t delivered = sim_counters(s).delivered;
        (void)sim_run_until(s, 30 * UNIT_MS, 0);
        assert_true(sim_counters(s).delivered > delivered);
        sim_destroy(s);
    }
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

/* ---- flooding ------------------------------------------------------------------------------- */

static void flooding_names_its_circle(void **state)
{
    (void)state;
    static const char *const circle[] = { "spine1", "leaf2", "spine2", "leaf1" };
    static const char *const commands[] = { "kill g2", "flood g2 on", "kill g7", "flood g7 on" };
    struct sim_scenario sc = net("flood");
    fabric_set(&sc, "xon", "auto");
    struct sim_shape_tier shape = { .leaves = 2,
                                    .spines = 2,
                                    .hosts_per_leaf = 4,
                                    .rate_bps = INT64_C(100000000000),
                                    .delay_ps = D };
    assert_true(sim_shape_leaf_spine(&sc, &shape, NULL));
    net_route(&sc, "leaf1", "g7", "spine1");
    net_route(&sc, "leaf1", "g5", "spine1");
    net_route(&sc, "leaf2", "g2", "spine2");
    net_stream(&sc, "g1", "g7", .5, SLOT_100);
    net_stream(&sc, "g3", "g5", .5, SLOT_100);
    net_stream(&sc, "g8", "g2", .5, SLOT_100);
    net_stream(&sc, "g6", "g5", .9, SLOT_100);
    struct sim *s = fabric_build(&sc);
    for (size_t i = 0; i < LEN(commands); i++) {
        fabric_do(s, commands[i]);
    }
    assert_true(net_lock_time(s, 10 * UNIT_US, 5 * UNIT_MS) < 5 * UNIT_MS);
    uint32_t ports[8];
    assert_int_equal(sim_wait_cycle(s, ports, LEN(ports), NULL), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(sim_node(s, sim_port(s, ports[i]).node).name, circle[i]);
    }
    sim_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deadlock_names_its_circle),
        cmocka_unit_test(a_watchdog_set_later),
        cmocka_unit_test(storms),
        cmocka_unit_test(storm_inside),
        cmocka_unit_test(flooding_names_its_circle),
    };
    return cmocka_run_group_tests_name("sim/locks", tests, NULL, NULL);
}
