/*
 * TCP: its timer (doubling, cap, Karn), fast retransmit, the tail-loss probe, delayed ACKs, frames.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fabric.h"

#define MSS 1460
/* 100 Gb/s, two cables of 50 us: a lone segment and its ACK */
#define RTT (2 * (1526 + 72) * INT64_C(80) + 200 * UNIT_US)

static void scenario(struct sim_scenario *sc, int64_t bytes, int64_t blocks)
{
    fabric_init(sc, "tcp");
    fabric_set(sc, "transport", "tcp");
    fabric_set(sc, "tcp_retries", "1000");
    fabric_star(sc, 2, "100Gbps", "50us");
    fabric_flow(sc, "g1", "g2", bytes, 1000);
    sc->blocks = blocks;
}

/* Destroys copies 1 to k of a segment. */
static void drop_copies(struct sim *s, uint64_t psn, uint32_t k)
{
    struct err err = { 0 };
    struct sim_cmd cmd = {
        .kind = SIM_CMD_DROP, .which = SIM_DROP_PSN, .psn = psn, .attempt = 1, .attempts = k
    };
    (void)snprintf(cmd.flow, sizeof cmd.flow, "g1>g2");
    if (k > 0 && !sim_apply(s, sim_now(s) + 1, &cmd, &err)) {
        fail_msg("%s", err.msg);
    }
}

/* ---- the timer ------------------------------------------------------------------------------- */

/* k copies of one segment are lost: timeouts after 1, 2, 4, .. 64, 120, 120, .. s. */
static void doubling_has_a_cap(void **state)
{
    (void)state;
    for (uint32_t k = 0; k <= 70; k++) {
        struct sim_scenario sc;
        scenario(&sc, MSS, 1);
        struct sim *s = fabric_build(&sc);
        drop_copies(s, 0, k);
        sim_ps wait = 0;
        sim_ps next = UNIT_S;
        for (uint32_t i = 0; i < k; i++) {
            wait += next;
            next = 2 * next < 120 * UNIT_S ? 2 * next : 120 * UNIT_S;
        }
        fabric_finish(s, wait + UNIT_S);
        struct sim_flow_state flow = sim_flow_state(s, 0);
        assert_int_equal(sim_outcome(s), SIM_DONE);
        assert_int_equal(sim_counters(s).timeouts, k);
        assert_int_equal(flow.resent, k);
        assert_int_equal(flow.acked_at, 1000 + wait + RTT);
        /* what was sent again is no sample: the timer stays where it is */
        assert_int_equal(flow.rtt, k == 0 ? RTT : 0);
        assert_int_equal(flow.rto, k == 0 ? 200 * UNIT_MS : next);
        assert_int_equal(flow.cwnd, k == 0 ? 11 : 2);
        sim_destroy(s);
    }
}

/* The ACK of a segment that was sent once measures, and ends the doubling. */
static void a_fresh_ack_ends_it(void **state)
{
    (void)state;
    struct sim_scenario sc;
    scenario(&sc, MSS, 2);
    struct sim *s = fabric_build(&sc);
    drop_copies(s, 0, 3);
    (void)sim_run_until(s, 7 * UNIT_S + 150 * UNIT_US, 0); /* the fourth copy has arrived */
    assert_int_equal(sim_flow_state(s, 0).rto, 8 * UNIT_S);
    fabric_finish(s, 100 * UNIT_S);
    assert_int_equal(sim_flow_state(s, 0).rtt, RTT);
    assert_int_equal(sim_flow_state(s, 0).rto, 200 * UNIT_MS);
    assert_int_equal(sim_counters(s).timeouts, 3);
    sim_destroy(s);
}

/* A timer one picosecond shorter than the round trip fires in vain, but not for ever. */
static void timer_below_the_round_trip(void **state)
{
    (void)state;
    struct sim_scenario sc;
    scenario(&sc, 1000 * MSS, 1);
    sc.knobs.v[SIM_KNOB_RTO_MIN] = UNIT_US;
    sc.knobs.v[SIM_KNOB_RTO_INITIAL] = RTT - 1;
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_int_equal(sim_counters(s).timeouts, 1);
    assert_true(sim_flow_state(s, 0).rtt >= RTT);
    assert_true(sim_flow_state(s, 0).rto > RTT);
    sim_destroy(s);
}

/* Measured: R, then RTO = SRTT + 4 RTTVAR = 3 R; the same R again: RTTVAR shrinks by a quarter. Of
 * three segments, each sent when the one before has arrived, the second is sent while the first is
 * being timed. */
static void rto_follows_the_measurements(void **state)
{
    (void)state;
    struct sim_scenario sc;
    scenario(&sc, MSS, 3);
    sc.knobs.v[SIM_KNOB_RTO_MIN] = UNIT_US;
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, 1000 + RTT, 0);
    assert_int_equal(sim_flow_state(s, 0).rto, RTT + 2 * RTT);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_flow_state(s, 0).rtt, RTT);
    assert_int_equal(sim_flow_state(s, 0).rto, RTT + 2 * RTT - 2 * RTT / 4);
    sim_destroy(s);
}

static void gives_up(void **state)
{
    (void)state;
    struct sim_scenario sc;
    scenario(&sc, MSS, 1);
    fabric_set(&sc, "tcp_retries", "5");
    struct sim *s = fabric_build(&sc);
    drop_copies(s, 0, 50);
    fabric_finish(s, 1000 * UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_STALLED);
    assert_int_equal(sim_stall(s).reason, SIM_REASON_RETRY_LIMIT);
    assert_int_equal(sim_stall(s).since, 1000 + (1 + 2 + 4 + 8 + 16 + 32) * UNIT_S);
    sim_destroy(s);
}

/* ---- losses ---------------------------------------------------------------------------------- */

/* 100 segments, some lost: how it went. */
static struct sim *lossy(const uint64_t *lost, size_t count, const char *tlp)
{
    struct sim_scenario sc;
    scenario(&sc, 100 * MSS, 1);
    fabric_set(&sc, "tlp", tlp);
    struct sim *s = fabric_build(&sc);
    for (size_t i = 0; i < count; i++) {
        drop_copies(s, lost[i], 1);
    }
    fabric_finish(s, 10 * UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_int_equal(sim_flow_state(s, 0).delivered_bytes, 100 * MSS);
    return s;
}

static void three_duplicates_are_enough(void **state)
{
    (void)state;
    struct sim *s = lossy((const uint64_t[]){ 40 }, 1, "off");
    struct sim_flow_state flow = sim_flow_state(s, 0);
    assert_int_equal(sim_counters(s).timeouts, 0);
    assert_int_equal(flow.resent, 1);
    assert_true(flow.acked_at < 10 * RTT);
    assert_true(flow.ssthresh >= 2 && flow.ssthresh < 60); /* half of what was on its way */
    sim_destroy(s);
}

/* The first of k segments is lost: k - 1 repeated ACKs. Three are enough, two are not. */
static void two_duplicates_are_not(void **state)
{
    (void)state;
    for (uint64_t k = 2; k <= 6; k++) {
        struct sim_scenario sc;
        scenario(&sc, (int64_t)k * MSS, 1);
        struct sim *s = fabric_build(&sc);
        drop_copies(s, 0, 1);
        fabric_finish(s, 10 * UNIT_S);
        assert_int_equal(sim_counters(s).timeouts, k - 1 < 3);
        sim_destroy(s);
    }
}

/* Of a window of ten two arrive. Their ACKs let two new segments go, whose ACKs make up the three: so no
 * timeout (RFC 3042). */
static void limited_transmit(void **state)
{
    (void)state;
    struct sim *s = lossy((const uint64_t[]){ 0, 1, 2, 3, 4, 5, 6, 7 }, 8, "off");
    assert_int_equal(sim_counters(s).timeouts, 0);
    assert_int_equal(sim_flow_state(s, 0).resent, 8);
    sim_destroy(s);
}

/* Several holes in a window: one recovery, one hole a round trip, nothing twice. */
static void partial_acks_tell_of_more(void **state)
{
    (void)state;
    struct sim *s = lossy((const uint64_t[]){ 35, 40, 45 }, 3, "off");
    assert_int_equal(sim_counters(s).timeouts, 0);
    assert_int_equal(sim_flow_state(s, 0).resent, 3);
    assert_true(sim_flow_state(s, 0).acked_at < 12 * RTT);
    sim_destroy(s);
}

/* Nothing follows the last segment: only the timer helps, or the probe. */
static void a_lost_tail(void **state)
{
    (void)state;
    static const uint64_t last[] = { 98, 99 };
    struct sim *s = lossy(&last[1], 1, "off");
    assert_int_equal(sim_counters(s).timeouts, 1);
    assert_true(sim_flow_state(s, 0).acked_at > 200 * UNIT_MS);
    sim_destroy(s);
    /* one left: its ACK might be a delayed one, so the probe waits longer than the timeout */
    s = lossy(&last[1], 1, "on");
    assert_true(sim_flow_state(s, 0).acked_at < 5 * UNIT_MS + 200 * UNIT_MS);
    sim_destroy(s);
    s = lossy(last, 2, "off");
    assert_true(sim_flow_state(s, 0).acked_at > 200 * UNIT_MS);
    sim_destroy(s);
    s = lossy(last, 2, "on"); /* the probe mends one, its answer tells of the other */
    assert_int_equal(sim_counters(s).timeouts, 0);
    assert_true(sim_flow_state(s, 0).acked_at < 5 * UNIT_MS);
    sim_destroy(s);
}

/* ---- receiver and frames --------------------------------------------------------------------- */

static void delayed_acks(void **state)
{
    (void)state;
    struct sim_scenario sc;
    scenario(&sc, 7 * MSS, 1);
    fabric_set(&sc, "delayed_ack", "40ms");
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    /* 7 segments and 4 ACKs over 2 cables; the lone last segment waits */
    assert_int_equal(sim_counters(s).hops, 2 * (7 + 4));
    assert_int_equal(sim_flow_state(s, 0).acked_at,
                     1000 + 6 * 1538 * INT64_C(80) + RTT + 40 * UNIT_MS);
    sim_destroy(s);
}

static uint32_t frame_on(const struct sim *s, const char *port)
{
    struct sim_frame f;
    assert_int_equal(sim_port_wire(s, sim_find_port(s, port), &f, 1), 1);
    return f.bytes;
}

static void frame_sizes(void **state)
{
    (void)state;
    static const struct {
        int64_t payload;
        uint32_t frame;
    } rows[] = { { 1460, 1518 }, { 1, 64 }, { 6, 64 }, { 7, 65 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sim_scenario sc;
        scenario(&sc, rows[i].payload, 1);
        struct sim *s = fabric_build(&sc);
        (void)sim_run_until(s, 30 * UNIT_US, 0);
        assert_int_equal(frame_on(s, "g1:1"), rows[i].frame);
        (void)sim_run_until(s, 130 * UNIT_US, 0);
        assert_int_equal(frame_on(s, "g2:1"), 64);
        sim_destroy(s);
    }
}

/* TCP is lossy though PFC is on, does not know ECN, and has a congestion control of its own. */
static void rules(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct err err = { 0 };
    scenario(&sc, 1000 * MSS, 1);
    fabric_set(&sc, "flow_control", "pfc");
    fabric_set(&sc, "xoff", "2000B");
    fabric_set(&sc, "xon", "0B");
    fabric_set(&sc, "ecn", "on");
    fabric_set(&sc, "kmin", "0B");
    fabric_set(&sc, "kmax", "0B");
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_counters(s).marked, 0); /* its packets are not ECN-capable */
    assert_int_equal(sim_counters(s).xoff_frames, 0);
    assert_false(sim_port_held(s, sim_find_port(s, "sw:1")).lossless);
    sim_destroy(s);
    scenario(&sc, MSS, 1);
    fabric_set(&sc, "cc", "dcqcn");
    assert_false(sim_scenario_check(&sc, &err));
    sim_scenario_finish(&sc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubling_has_a_cap),
        cmocka_unit_test(a_fresh_ack_ends_it),
        cmocka_unit_test(timer_below_the_round_trip),
        cmocka_unit_test(rto_follows_the_measurements),
        cmocka_unit_test(gives_up),
        cmocka_unit_test(three_duplicates_are_enough),
        cmocka_unit_test(two_duplicates_are_not),
        cmocka_unit_test(limited_transmit),
        cmocka_unit_test(partial_acks_tell_of_more),
        cmocka_unit_test(a_lost_tail),
        cmocka_unit_test(delayed_acks),
        cmocka_unit_test(frame_sizes),
        cmocka_unit_test(rules),
    };
    return cmocka_run_group_tests_name("sim/tcp", tests, NULL, NULL);
}
