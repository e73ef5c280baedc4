/*
 * Rows of the validation table that this fabric can run: set-up, expected value, tolerance and
 * source as in the table. The names of the tests are the rows' ids.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fabric.h"

#define MIB        (INT64_C(1) << 20)
#define LEN(array) (sizeof(array) / sizeof *(array))

/* ---- V01 to V07: links and pipes ------------------------------------------------------------- */

static void one_flow(struct sim_scenario *sc, sim_ps delivered, sim_ps acked)
{
    fabric_flow(sc, "g1", "g2", MIB, 0);
    struct sim *s = fabric_build(sc);
    fabric_finish(s, UNIT_S);
    struct sim_flow_state f = sim_flow_state(s, 0);
    fabric_exactly("last payload byte, ps", f.delivered_at, delivered);
    if (acked != 0) {
        fabric_exactly("final ACK at the sender, ps", f.acked_at, acked);
    }
    assert_int_equal(f.delivered_bytes, MIB);
    sim_destroy(s);
}

static void v01(void **state)
{
    (void)state;
    struct sim_scenario sc;
    fabric_init(&sc, "V01");
    fabric_set(&sc, "switch_latency", "500ns");
    fabric_star(&sc, 2, "100Gbps", NULL);
    one_flow(&sc, 91240080, 91801920);
}

static void v02(void **state)
{
    (void)state;
    struct sim_scenario sc;
    fabric_init(&sc, "V02");
    fabric_set(&sc, "switch_latency", "500ns");
    fabric_set(&sc, "mtu", "4096B");
    fabric_star(&sc, 2, "400Gbps", NULL);
    one_flow(&sc, 22024440, 22577400);
}

static void v03(void **state)
{
    (void)state;
    const char *const rates[] = { "40Gbps", "40Gbps", "40Gbps", "40Gbps" };
    struct sim_scenario sc;
    fabric_init(&sc, "V03");
    fabric_set(&sc, "switch_latency", "500ns");
    fabric_chain(&sc, rates, 4);
    one_flow(&sc, 228762800, 230422000);
}

static void v04(void **state)
{
    (void)state;
    const char *const rates[] = { "100Gbps", "40Gbps", "400Gbps", "100Gbps" };
    struct sim_scenario sc;
    fabric_init(&sc, "V04");
    fabric_set(&sc, "switch_latency", "500ns");
    fabric_chain(&sc, rates, 4);
    one_flow(&sc, 228303320, 0);
}

static void v05(void **state)
{
    (void)state;
    struct sim_scenario sc;
    fabric_init(&sc, "V05");
    fabric_set(&sc, "switch_latency", "500ns");
    fabric_set(&sc, "verb", "write");
    fabric_star(&sc, 2, "100Gbps", NULL);
    one_flow(&sc, 91240080 + 2560, 91801920 + 2560);
}

/* Payload bits per second between two moments. */
static double goodput(struct sim *s, uint32_t flow, sim_ps from, sim_ps to)
{
    (void)sim_run_until(s, from, 0);
    int64_t before = sim_flow_state(s, flow).delivered_bytes;
    (void)sim_run_until(s, to, 0);
    int64_t bytes = sim_flow_state(s, flow).delivered_bytes - before;
    return (double)bytes * 8.0 / ((double)(to - from) / 1e12);
}

static void v06(void **state)
{
    (void)state;
    struct sim_scenario sc;
    fabric_init(&sc, "V06");
    fabric_set(&sc, "switch_latency", "500ns");
    fabric_set(&sc, "mtu", "4096B");
    fabric_set(&sc, "cut_through", "on");
    fabric_star(&sc, 2, "400Gbps", NULL);
    one_flow(&sc, 22024440 - 81880, 22577400 - 81920);
}

static void v07(void **state)
{
    (void)state;
    static const struct {
        const char *rate, *mtu;
        double gbps;
    } rows[] = { { "100Gbps", "1024B", 92.586 }, { "400Gbps", "4096B", 392.15 } };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_scenario sc;
        fabric_init(&sc, "V07");
        fabric_set(&sc, "mtu", rows[i].mtu);
        fabric_star(&sc, 2, rows[i].rate, NULL);
        fabric_flow(&sc, "g1", "g2", INT64_C(1) << 36, 0);
        struct sim *s = fabric_build(&sc);
        fabric_near("goodput, Gb/s", goodput(s, 0, UNIT_MS, 21 * UNIT_MS) / 1e9, rows[i].gbps,
                    rows[i].gbps * 1e-4);
        sim_destroy(s);
    }
}

/* ---- V20 to V30: PFC mechanics --------------------------------------------------------------- */

struct headroom_case {
    const char *rate, *delay, *mtu, *response;
    int frames;         /* needed, reverse direction idle */
    int frames_reverse; /* most needed over all phases of a saturated reverse direction */
};

/* A sender at line rate into a blocked egress; XOFF is 20 frames. `reverse_start`: when a third
 * host starts filling the other direction of the sender's cable, SIM_NEVER for never. */
static uint64_t lost_with_headroom(const struct headroom_case *c, int64_t headroom,
                                   sim_ps reverse_start)
{
    char bytes[32];
    struct sim_scenario sc;
    fabric_init(&sc, "V20");
    fabric_set(&sc, "mtu", c->mtu);
    fabric_set(&sc, "pfc_response", c->response);
    int64_t frame = sc.knobs.v[SIM_KNOB_MTU] + 62;
    (void)snprintf(bytes, sizeof bytes, "%lldB", (long long)(20 * frame));
    fabric_set(&sc, "xoff", bytes);
    fabric_set(&sc, "xon", "0B");
    (void)snprintf(bytes, sizeof bytes, "%lldB", (long long)headroom);
    fabric_set(&sc, "headroom", bytes);
    fabric_set(&sc, "timeout_exponent", "20");
    fabric_set(&sc, "ack_every", "0"); /* else g1's ACKs for the reverse flow slow its data */
    fabric_star(&sc, 3, c->rate, c->delay);
    fabric_flow(&sc, "g1", "g2", 4 * MIB, UNIT_US);
    if (reverse_start != SIM_NEVER) {
        fabric_flow(&sc, "g3", "g1", 64 * MIB, reverse_start);
    }
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "hold g2 on");
    (void)sim_run_until(s, 300 * UNIT_US, 0);
    struct sim_counters count = sim_counters(s);
    assert_true(count.xoff_frames > 0);
    assert_int_equal(count.dropped, count.dropped_by[SIM_REASON_HEADROOM]);
    sim_destroy(s);
    return count.dropped;
}

static int64_t frame_of(const struct headroom_case *c)
{
    return strtoll(c->mtu, NULL, 10) + 62;
}

static void check_headroom(const struct headroom_case *c)
{
    int64_t need = c->frames * frame_of(c);
    print_message("# %s %s %s %s: %d frames\n", c->rate, c->delay, c->mtu, c->response, c->frames);
    fabric_exactly("lost with exactly enough", (int64_t)lost_with_headroom(c, need, SIM_NEVER), 0);
    fabric_exactly("lost with one byte less", (int64_t)lost_with_headroom(c, need - 1, SIM_NEVER),
                   1);
}

static void v20(void **state)
{
    (void)state;
    check_headroom(&(struct headroom_case){ "100Gbps", "500ns", "1024B", "0ns", 12, 0 });
}

static void v21(void **state)
{
    (void)state;
    static const struct headroom_case rows[] = {
        { "100Gbps", "500ns", "4096B", "0ns", 4, 0 },
        { "400Gbps", "500ns", "4096B", "0ns", 12, 0 },
        { "400Gbps", "500ns", "4096B", "1us", 24, 0 },
        { "40Gbps", "1500ns", "1500B", "0ns", 10, 0 },
        { "100Gbps", "25ns", "1024B", "0ns", 1, 0 },
        { "10Gbps", "50ns", "1024B", "3us", 4, 0 },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        check_headroom(&rows[i]);
    }
}

static void v22(void **state)
{
    (void)state;
    static const struct headroom_case rows[] = {
        { "100Gbps", "500ns", "1024B", "0ns", 12, 13 },
        { "400Gbps", "500ns", "4096B", "0ns", 12, 13 },
        { "100Gbps", "25ns", "1024B", "0ns", 1, 2 },
        { "100Gbps", "100ns", "4096B", "2017ns", 7, 8 },
    };
    enum { PHASES = 40 };
    for (size_t i = 0; i < LEN(rows); i++) {
        int least = 1000;
        int most = 0;
        sim_ps slot = (frame_of(&rows[i]) + 20) * 8 * 1000 / strtoll(rows[i].rate, NULL, 10);
        for (int phase = 0; phase < PHASES; phase++) {
            int need = rows[i].frames - 1;
            sim_ps start = slot * phase / PHASES;
            while (lost_with_headroom(&rows[i], need * frame_of(&rows[i]), start) > 0) {
                need++;
            }
            least = need < least ? need : least;
            most = need > most ? need : most;
        }
        fabric_exactly("frames needed at the best phase", least, rows[i].frames);
        fabric_exactly("frames needed at the worst phase", most, rows[i].frames_reverse);
    }
}

/* N hosts send to the last one. */
static struct sim *incast(int n, const char *rate, const char *mtu, int64_t bytes)
{
    struct sim_scenario sc;
    char dst[16];
    fabric_init(&sc, "incast");
    fabric_set(&sc, "mtu", mtu);
    fabric_star(&sc, n + 1, rate, NULL);
    (void)snprintf(dst, sizeof dst, "g%d", n + 1);
    for (int i = 1; i <= n; i++) {
        char src[16];
        (void)snprintf(src, sizeof src, "g%d", i);
        fabric_flow(&sc, src, dst, bytes, 0);
    }
    return fabric_build(&sc);
}

static void check_incast(int n, const char *rate, const char *mtu, int64_t bytes, sim_ps expected)
{
    struct sim *s = incast(n, rate, mtu, bytes);
    fabric_finish(s, UNIT_S);
    sim_ps last = 0;
    for (uint32_t f = 0; f < (uint32_t)n; f++) {
        sim_ps at = sim_flow_state(s, f).delivered_at;
        last = at > last ? at : last;
    }
    fabric_exactly("last byte, ps", last, expected);
    fabric_exactly("drops", (int64_t)sim_counters(s).dropped, 0);
    sim_destroy(s);
}

static void v23(void **state)
{
    (void)state;
    check_incast(2, "100Gbps", "1024B", MIB, 181343600);
    check_incast(4, "100Gbps", "1024B", MIB, 362550640);
    check_incast(8, "100Gbps", "1024B", MIB, 724964720);
    check_incast(16, "100Gbps", "1024B", MIB, 1449792880);
    check_incast(32, "100Gbps", "1024B", MIB, 2899449200);
}

static void v24(void **state)
{
    (void)state;
    check_incast(8, "400Gbps", "4096B", 4 * MIB, 684656600);
}

static void v25(void **state)
{
    (void)state;
    static const struct {
        int n;
        double us;
    } rows[] = { { 2, 16.4 }, { 4, 11.0 }, { 8, 9.42 }, { 16, 8.80 } };
    double slot_us = 1106 * 80 / 1e6;
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim *s = incast(rows[i].n, "100Gbps", "1024B", MIB);
        assert_int_equal(sim_run_until(s, UNIT_S, SIM_TRACE_BIT(XOFF)), SIM_AT_TRACE);
        double tolerance = rows[i].us * 0.05 > 2 * slot_us ? rows[i].us * 0.05 : 2 * slot_us;
        fabric_near("first XOFF, us", (double)sim_now(s) / 1e6, rows[i].us, tolerance);
        sim_destroy(s);
    }
}

static void v26(void **state)
{
    (void)state;
    static const int rows[] = { 2, 4, 8 };
    for (size_t i = 0; i < LEN(rows); i++) {
        int n = rows[i];
        struct sim *s = incast(n, "100Gbps", "1024B", 64 * MIB);
        (void)sim_run_until(s, 2 * UNIT_MS, 0);
        sim_ps before = sim_counters(s).paused;
        (void)sim_run_until(s, 12 * UNIT_MS, 0);
        double duty = (double)(sim_counters(s).paused - before) / (double)n / (10.0 * 1e9);
        double expected = 1.0 - 1.0 / n;
        print_message("# N=%d: pause duty %.4f, 1-1/N is %.4f\n", n, duty, expected);
        assert_true(duty >= expected - 0.0005);
        assert_true(duty <= expected + 0.04);
        sim_destroy(s);
    }
}

static void v30(void **state)
{
    (void)state;
    struct sim_scenario sc;
    fabric_init(&sc, "V30");
    fabric_star(&sc, 2, "100Gbps", NULL);
    fabric_flow(&sc, "g1", "g2", 64 * MIB, 0);
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, 10 * UNIT_US, 0);
    fabric_do(s, "pause g2"); /* it tells the switch to stop, once */
    uint32_t port = sim_find_port(s, "sw:2");
    assert_int_equal(sim_run_until(s, UNIT_S, SIM_TRACE_BIT(PAUSED)), SIM_AT_TRACE);
    sim_ps from = sim_now(s);
    assert_true(sim_port_queue(s, port).paused);
    do { /* the queue behind it fills: the switch pauses g1 meanwhile */
        assert_int_equal(sim_run_until(s, UNIT_S, SIM_TRACE_BIT(RESUMED)), SIM_AT_TRACE);
    } while (sim_port_queue(s, port).paused);
    fabric_near("pause, us", (double)(sim_now(s) - from) / 1e6, 65535 * 5.12 / 1e3,
                1106 * 80 / 1e6);
    sim_destroy(s);
}

/* ---- V50, V51: go-back-N --------------------------------------------------------------------- */

static void gbn_share(const char *rate, const char *delay, double share, double gbps, double tol)
{
    struct sim_scenario sc;
    fabric_init(&sc, "V50");
    fabric_star(&sc, 2, rate, delay);
    fabric_flow(&sc, "g1", "g2", INT64_C(1) << 36, 0);
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "drop_nth 256");
    double measured = goodput(s, 0, 2 * UNIT_MS, 42 * UNIT_MS);
    double line = strtod(rate, NULL) * 1e9 * 1024 / 1106;
    fabric_near("share of the ceiling", measured / line, share, share * tol);
    fabric_near("goodput, Gb/s", measured / 1e9, gbps, gbps * tol);
    sim_destroy(s);
}

static void v50(void **state)
{
    (void)state;
    gbn_share("40Gbps", "100ns", 251.0 / 256, 36.31, 0.001);
}

static void v51(void **state)
{
    (void)state;
    gbn_share("100Gbps", "5us", 26.0 / 256, 9.40, 0.005);
}

/* ---- V63, V80 to V83: rings ------------------------------------------------------------------ */

struct ring_case {
    const char *rate, *mtu, *ack_every;
    int n;
    int64_t bytes;
};

static struct sim *ring(const struct ring_case *c)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    struct sim_training_spec t = { .bytes = c->bytes, .steps = 1 };
    fabric_init(&sc, "ring");
    fabric_set(&sc, "switch_latency", "500ns");
    fabric_set(&sc, "mtu", c->mtu);
    fabric_set(&sc, "ack_every", c->ack_every);
    fabric_star(&sc, c->n, c->rate, NULL);
    assert_true(sim_scenario_training(&sc, &t, &err));
    return fabric_build(&sc);
}

static double ring_us(const struct ring_case *c)
{
    struct sim *s = ring(c);
    fabric_finish(s, 10 * UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    struct sim_collective coll = sim_collective(s, 0);
    sim_destroy(s);
    return (double)(coll.end - coll.start) / 1e6;
}

static void v80(void **state)
{
    (void)state;
    static const struct {
        int n;
        double us;
    } rows[] = { { 2, 1370.31 }, { 4, 2057.37 }, { 8, 2404.70 }, { 16, 2585.96 }, { 64, 2775.08 } };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct ring_case c = { "400Gbps", "4096B", "0", rows[i].n, 64 * MIB };
        fabric_near("all-reduce, us", ring_us(&c), rows[i].us, rows[i].us * 2e-4);
    }
}

static void v81(void **state)
{
    (void)state;
    static const struct {
        int n;
        double us;
    } rows[] = { { 2, 5799.90 }, { 4, 8701.76 }, { 8, 10156.51 }, { 16, 10891.52 } };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct ring_case c = { "100Gbps", "1024B", "0", rows[i].n, 64 * MIB };
        double us = ring_us(&c);
        fabric_near("all-reduce, us", us, rows[i].us, rows[i].us * 2e-4);
        double n = rows[i].n;
        double busbw = 64.0 * 1048576 * 8 / (us * 1e-6) * 2 * (n - 1) / n / 1e9;
        fabric_near("busbw, Gb/s", busbw, 92.5, 0.1);
    }
}

static void v82(void **state)
{
    (void)state;
    struct ring_case c = { "100Gbps", "1024B", "0", 8, 64 * MIB };
    double plain = ring_us(&c);
    c.ack_every = "1";
    fabric_near("ACK for every packet", ring_us(&c) / plain, 1.0776, 1.0776 * 0.003);
    c.ack_every = "16";
    fabric_near("ACK for every 16", ring_us(&c) / plain, 1.0049, 1.0049 * 0.003);
}

static void v83(void **state)
{
    (void)state;
    for (int n = 2; n <= 9; n++) {
        struct ring_case c = { "100Gbps", "4096B", "16", n, 5 * MIB + 77 * n };
        double us = ring_us(&c);
        double bound = 2.0 * (n - 1) / n * (double)c.bytes * 8 / 100e9 * 1e6;
        print_message("# n=%d: %.3f us, the bound is %.3f us\n", n, us, bound);
        assert_true(us >= bound);
        double busbw = (double)c.bytes * 8 / us / 1e3 * 2 * (n - 1) / n;
        assert_true(busbw <= 100.0 * 4096 / 4178);
    }
}

static void v63(void **state)
{
    (void)state;
    struct ring_case c = { "400Gbps", "4096B", "16", 8, 64 * MIB }; /* lossless 2.408 ms */
    double timeout_us = 4.096 * 4096;
    double clean = 0;
    static const char *const drops[] = { NULL, "drop g3>g4 middle", "drop g3>g4 last",
                                         "drop g3>g4 middle attempts 2" };
    for (size_t i = 0; i < LEN(drops); i++) {
        struct sim *s = ring(&c);
        if (drops[i] != NULL) {
            fabric_do(s, drops[i]);
        }
        fabric_finish(s, 10 * UNIT_S);
        assert_int_equal(sim_outcome(s), SIM_DONE);
        double us = (double)sim_collective(s, 0).end / 1e6;
        sim_destroy(s);
        if (i == 0) {
            clean = us;
        } else if (i == 1) {
            print_message("# a packet in the middle: +%.3f us\n", us - clean);
            assert_true(us > clean && us < clean + 5.0);
        } else {
            fabric_near(i == 2 ? "the last packet, us more" : "a packet and its resend, us more",
                        us - clean, timeout_us, timeout_us * 0.01);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(v01), cmocka_unit_test(v02), cmocka_unit_test(v03), cmocka_unit_test(v04),
        cmocka_unit_test(v05), cmocka_unit_test(v06), cmocka_unit_test(v07), cmocka_unit_test(v20),
        cmocka_unit_test(v21), cmocka_unit_test(v22), cmocka_unit_test(v23), cmocka_unit_test(v24),
        cmocka_unit_test(v25), cmocka_unit_test(v26), cmocka_unit_test(v30), cmocka_unit_test(v50),
        cmocka_unit_test(v51), cmocka_unit_test(v63), cmocka_unit_test(v80), cmocka_unit_test(v81),
        cmocka_unit_test(v82), cmocka_unit_test(v83),
    };
    return cmocka_run_group_tests_name("validation", tests, NULL, NULL);
}
