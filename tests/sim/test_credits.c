/*
 * InfiniBand link credits: their books, lifetimes, and what a destroyed packet takes with it. How fast
 * they let data go is in rows V70 to V78 of the validation table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fabric.h"

#define LEN(array) (sizeof(array) / sizeof *(array))
#define ENDLESS    (INT64_C(1) << 36)

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

/* At many moments, stored and cut through, with buffers that the cables outrun and with small ones. */
static void books_balance(void **state)
{
    (void)state;
    static const struct {
        int64_t gbps;
        const char *delay, *vl_buffer, *latency, *cut_through;
    } rows[] = {
        { 100, "5us", "131072B", "0ns", "off" },
        { 400, "1us", "16384B", "200ns", "off" },
        { 100, "5us", "131072B", "0ns", "on" },
        { 400, "25ns", "16384B", "200ns", "on" },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        char rate[16];
        struct sim_scenario sc = infiniband("cable", "4096B");
        (void)snprintf(rate, sizeof rate, "%dGbps", (int)rows[i].gbps);
        fabric_set(&sc, "vl_buffer", rows[i].vl_buffer);
        fabric_set(&sc, "switch_latency", rows[i].latency);
        fabric_set(&sc, "cut_through", rows[i].cut_through);
        fabric_star(&sc, 3, rate, rows[i].delay);
        fabric_flow(&sc, "g1", "g2", ENDLESS, 0);
        fabric_flow(&sc, "g3", "g1", ENDLESS, 0);
        struct sim *s = fabric_build(&sc);
        for (int k = 0; k < 1000; k++) {
            (void)sim_run_until(s, sim_now(s) + 997 * UNIT_NS, 0);
            is_lossless(s);
        }
        assert_true(sim_flow_state(s, 0).delivered_bytes > 1000000);
        sim_destroy(s);
    }
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
    /* one every 100 us: the next one's life begins where the one before it ends */
    assert_in_range(c.dropped_by[SIM_REASON_LIFETIME], 48, 49);
    assert_int_equal(c.dropped, c.dropped_by[SIM_REASON_LIFETIME]);
    assert_true(c.starved > UNIT_MS);
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

/* Credits come back no sooner than every `cred_min`: with room for three packets, three in that time. */
static void updates_keep_their_distance(void **state)
{
    (void)state;
    struct sim_scenario sc = infiniband("updates", "4096B");
    fabric_set(&sc, "vl_buffer", "16384B");
    fabric_set(&sc, "cred_min", "10us");
    fabric_star(&sc, 2, "100Gbps", NULL);
    fabric_flow(&sc, "g1", "g2", ENDLESS, 0);
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, UNIT_MS, 0);
    print_message("# %llu packets\n", (unsigned long long)sim_counters(s).delivered);
    assert_in_range(sim_counters(s).delivered, 3 * 99, 3 * 101);
    is_lossless(s);
    sim_destroy(s);
}

/* Room for one packet, and that one is destroyed: the next one goes when the sender has told how much it
 * sent, 65,536 symbol times later. */
static void lost_credits_come_back(void **state)
{
    (void)state;
    const sim_ps arrival = (4122 + 4) * 80 + 25 * UNIT_NS;
    const sim_ps told = arrival + INT64_C(65536) * 80;
    struct sim_scenario sc = infiniband("one", "4096B");
    fabric_set(&sc, "vl_buffer", "4160B");
    fabric_star(&sc, 2, "100Gbps", NULL);
    fabric_flow(&sc, "g1", "g2", 4096 * 10, 0);
    struct sim *s = fabric_build(&sc);
    const uint32_t port = sim_find_port(s, "g1:1");
    fabric_do(s, "drop g1>g2:0");
    (void)sim_run_until(s, told - 1, 0);
    assert_int_equal(sim_counters(s).dropped, 1);
    assert_true(sim_port_credit(s, port, SIM_PRIO_DATA).starved);
    (void)sim_run_until(s, told + 2 * (8 * 80 + 25 * UNIT_NS) + 1, 0); /* both ends have spoken */
    assert_false(sim_port_credit(s, port, SIM_PRIO_DATA).starved);
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
        cmocka_unit_test(books_balance),
        cmocka_unit_test(lifetime),
        cmocka_unit_test(updates_keep_their_distance),
        cmocka_unit_test(lost_credits_come_back),
        cmocka_unit_test(idle),
        cmocka_unit_test(resync),
    };
    return cmocka_run_group_tests_name("sim/credits", tests, NULL, NULL);
}
