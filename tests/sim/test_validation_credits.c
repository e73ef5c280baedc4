/*
 * Rows V70 to V75 of the validation table: InfiniBand link credits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "net.h"

#define LEN(array) (sizeof(array) / sizeof *(array))
#define ENDLESS    (INT64_C(1) << 36)
#define METRE      (5 * UNIT_NS)

static struct sim_scenario infiniband(const char *name, const char *mtu)
{
    struct sim_scenario sc;
    fabric_init(&sc, name);
    fabric_set(&sc, "link", "infiniband");
    fabric_set(&sc, "flow_control", "credits");
    fabric_set(&sc, "cred_min", "0ns");
    fabric_set(&sc, "timeout_exponent", "20");
    fabric_set(&sc, "mtu", mtu);
    return sc;
}

/* What credits promise: nothing lost, no lane fuller than its buffer. */
static void is_lossless(const struct sim *s)
{
    struct err err = { 0 };
    assert_int_equal(sim_counters(s).dropped, 0);
    for (uint32_t p = 0; p < sim_port_count(s); p++) {
        for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
            struct sim_credit credit = sim_port_credit(s, p, prio);
            assert_true(credit.blocks >= 0 && credit.held >= 0);
            assert_true(credit.held + credit.blocks <= credit.buffer);
        }
    }
    if (!sim_audit(s, &err)) {
        fail_msg("%s", err.msg);
    }
}

/* Gb/s of whole frames from host to host by one switch. */
static double cable_gbps(int64_t gbps, int64_t metres, const char *vl_buffer, const char *latency)
{
    struct sim_scenario sc = infiniband("cable", "4096B");
    fabric_set(&sc, "vl_buffer", vl_buffer);
    fabric_set(&sc, "switch_latency", latency);
    net_switch(&sc, "sw");
    net_host(&sc, "g1", "sw", gbps, metres * METRE);
    net_host(&sc, "g2", "sw", gbps, metres * METRE);
    fabric_flow(&sc, "g1", "g2", ENDLESS, 0);
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, UNIT_MS, 0);
    for (int i = 0; i < 1000; i++) { /* V73, at many moments */
        (void)sim_run_until(s, sim_now(s) + 997 * UNIT_NS, 0);
        is_lossless(s);
    }
    double measured = net_gross_gbps(s, 0, 2 * UNIT_MS, 12 * UNIT_MS, 4122);
    sim_destroy(s);
    return measured;
}

struct cable_row {
    int64_t gbps, metres;
    const char *vl_buffer, *latency;
    double expected;
};

static void cables(const struct cable_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char what[64];
        (void)snprintf(what, sizeof what, "%d Gb/s, %d m, %s, Gb/s", (int)rows[i].gbps,
                       (int)rows[i].metres, rows[i].vl_buffer);
        fabric_near(what,
                    cable_gbps(rows[i].gbps, rows[i].metres, rows[i].vl_buffer, rows[i].latency),
                    rows[i].expected, rows[i].expected * .01);
    }
}

static void v70(void **state)
{
    (void)state;
    static const struct cable_row rows[] = {
        { 100, 5, "131072B", "0ns", 99.90 },
        { 100, 957, "131072B", "0ns", 99.90 },
        { 100, 1000, "131072B", "0ns", 95.89 },
        { 100, 5000, "131072B", "0ns", 20.18 },
    };
    cables(rows, LEN(rows));
}

static void v71(void **state)
{
    (void)state;
    static const struct cable_row rows[] = {
        { 400, 219, "131072B", "200ns", 399.6 },
        { 400, 500, "131072B", "200ns", 190.5 },
        { 400, 1000, "131072B", "200ns", 98.6 },
    };
    cables(rows, LEN(rows));
}

static void v72(void **state)
{
    (void)state;
    static const struct cable_row rows[] = {
        { 400, 5, "16384B", "0ns", 399.6 },
        { 400, 50, "16384B", "0ns", 148.7 },
        { 400, 100, "16384B", "0ns", 84.9 },
        { 400, 200, "16384B", "0ns", 45.7 },
    };
    cables(rows, LEN(rows));
}

/* Lifetimes on: what waits too long behind a stuck host is discarded, and counted apart. */
static void lifetime(void **state)
{
    (void)state;
    struct sim_scenario sc = infiniband("lifetime", "1024B");
    fabric_set(&sc, "hol_lifetime", "100us");
    fabric_star(&sc, 3, "100Gbps", NULL);
    fabric_flow(&sc, "g1", "g3", ENDLESS, 0);
    fabric_flow(&sc, "g1", "g2", ENDLESS, 0);
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "slow g3 0");
    (void)sim_run_until(s, 5 * UNIT_MS, 0);
    struct sim_counters c = sim_counters(s);
    print_message("# discarded %llu\n", (unsigned long long)c.dropped_by[SIM_REASON_LIFETIME]);
    assert_true(c.dropped_by[SIM_REASON_LIFETIME] > 10);
    assert_int_equal(c.dropped, c.dropped_by[SIM_REASON_LIFETIME]);
    assert_true(c.starved > UNIT_MS);
    sim_destroy(s);
}

static void v74(void **state)
{
    (void)state;
    struct sim_scenario sc = infiniband("incast", "1024B");
    fabric_set(&sc, "cred_min", "256ns");
    fabric_star(&sc, 9, "100Gbps", NULL);
    for (int i = 1; i <= 8; i++) {
        char src[16];
        (void)snprintf(src, sizeof src, "g%d", i);
        fabric_flow(&sc, src, "g9", 1 << 20, 0);
    }
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, UNIT_S, SIM_TRACE_BIT(DONE));
    sim_ps last = 0;
    for (uint32_t f = 0; f < 8; f++) {
        sim_ps at = sim_flow_state(s, f).delivered_at;
        last = at > last ? at : last;
    }
    fabric_near("last byte, ps", (double)last, 690883760., 690883760. * .01);
    is_lossless(s);
    sim_destroy(s);

    static const int senders[] = { 2, 4, 8 };
    for (size_t i = 0; i < LEN(senders); i++) {
        int n = senders[i];
        sc = infiniband("victim", "1024B");
        net_switch(&sc, "s1");
        net_switch(&sc, "s2");
        net_cable(&sc, "s1", "s2", 400, 25 * UNIT_NS);
        net_host(&sc, "r", "s2", 40, 25 * UNIT_NS);
        net_host(&sc, "vr", "s2", 40, 25 * UNIT_NS);
        net_host(&sc, "v", "s1", 40, 25 * UNIT_NS);
        fabric_flow(&sc, "v", "vr", ENDLESS, 0);
        for (int k = 1; k <= n; k++) {
            char src[16];
            (void)snprintf(src, sizeof src, "h%d", k);
            net_host(&sc, src, "s1", 40, 25 * UNIT_NS);
            fabric_flow(&sc, src, "r", ENDLESS, 0);
        }
        s = fabric_build(&sc);
        double expected = 40.0 / n * 1050 / 1054;
        fabric_near("victim, Gb/s", net_gross_gbps(s, 0, 5 * UNIT_MS, 25 * UNIT_MS, 1050), expected,
                    expected * .03);
        is_lossless(s);
        sim_destroy(s);
    }
}

static void v75(void **state)
{
    (void)state;
    struct sim_scenario sc = infiniband("lanes", "4096B");
    net_switch(&sc, "s1");
    net_switch(&sc, "s2");
    net_cable(&sc, "s1", "s2", 100, 25 * UNIT_NS);
    net_host(&sc, "g1", "s1", 100, 25 * UNIT_NS);
    net_host(&sc, "g2", "s1", 100, 25 * UNIT_NS);
    net_host(&sc, "g3", "s2", 100, 25 * UNIT_NS);
    net_host(&sc, "g4", "s2", 100, 25 * UNIT_NS);
    fabric_flow(&sc, "g1", "g3", ENDLESS, 0);
    fabric_flow(&sc, "g2", "g4", ENDLESS, 0);
    sc.flows[1].prio = 4;
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "slow g3 0");
    (void)sim_run_until(s, UNIT_MS, 0);
    assert_true(sim_port_credit(s, sim_find_port(s, "s1:1"), SIM_PRIO_DATA).starved);
    int64_t blocked = sim_flow_state(s, 0).delivered_bytes;
    fabric_near("the other lane, Gb/s", net_gross_gbps(s, 1, UNIT_MS, 11 * UNIT_MS, 4122), 99.90,
                .999);
    fabric_exactly("the blocked one, bytes", sim_flow_state(s, 0).delivered_bytes - blocked, 0);
    is_lossless(s);
    sim_destroy(s);
}

/* A packet destroyed on its cable takes its credits with it, until the sender tells. */
static void resync(void **state)
{
    (void)state;
    struct sim_scenario sc = infiniband("resync", "4096B");
    fabric_set(&sc, "vl_buffer", "8192B");
    fabric_set(&sc, "timeout_exponent", "4");
    fabric_set(&sc, "retry_limit", "1000");
    fabric_star(&sc, 2, "100Gbps", NULL);
    fabric_flow(&sc, "g1", "g2", 4096 * 100, 0);
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "drop_nth 3"); /* more than the buffer holds are lost in all */
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_true(sim_counters(s).dropped > 30);
    assert_int_equal(sim_counters(s).dropped, sim_counters(s).dropped_by[SIM_REASON_FAULT]);
    sim_destroy(s);
}

/* Idle costs nothing: when the last packet has arrived, no event is left but a late timer. */
static void idle(void **state)
{
    (void)state;
    struct sim_scenario sc = infiniband("idle", "4096B");
    fabric_star(&sc, 2, "100Gbps", NULL);
    fabric_flow(&sc, "g1", "g2", 1 << 20, 0);
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, 100 * UNIT_S, 0);
    uint64_t events = sim_counters(s).events;
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_true(sim_next_event(s) == SIM_NEVER);
    (void)sim_run_until(s, 1000 * UNIT_S, 0);
    assert_int_equal(sim_counters(s).events, events);
    is_lossless(s);
    sim_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(v70),  cmocka_unit_test(v71),    cmocka_unit_test(v72),
        cmocka_unit_test(v74),  cmocka_unit_test(v75),    cmocka_unit_test(lifetime),
        cmocka_unit_test(idle), cmocka_unit_test(resync),
    };
    return cmocka_run_group_tests_name("validation: credits", tests, NULL, NULL);
}
