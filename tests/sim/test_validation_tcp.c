/*
 * Rows V60 to V62c (TCP) of the validation table, and what a timer has to get right.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fabric.h"

#define LEN(array) (sizeof(array) / sizeof *(array))

static void tcp_init(struct sim_scenario *sc, const char *name)
{
    fabric_init(sc, name);
    fabric_set(sc, "transport", "tcp");
}

/* ---- V60: slow start ------------------------------------------------------------------------- */

static sim_ps final_ack(int64_t bytes)
{
    struct sim_scenario sc;
    tcp_init(&sc, "V60");
    fabric_star(&sc, 2, "100Gbps", "50us");
    fabric_flow(&sc, "g1", "g2", bytes, 0);
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    sim_ps at = sim_flow_state(s, 0).acked_at;
    assert_int_equal(sim_counters(s).retransmitted, 0);
    sim_destroy(s);
    return at;
}

static void v60(void **state)
{
    (void)state;
    static const struct {
        int64_t bytes;
        double us;
    } rows[] = { { 14600, 201.363 }, { 100740, 605.443 }, { 1000100, 1408.434 } };
    for (size_t i = 0; i < LEN(rows); i++) {
        fabric_near("final ACK, us", (double)final_ack(rows[i].bytes) / 1e6, rows[i].us, 1e-3);
    }
}

/* The first round-trip time is the analytic one, to the picosecond. */
static void round_trip(void **state)
{
    (void)state;
    struct sim_scenario sc;
    tcp_init(&sc, "round trip");
    fabric_star(&sc, 2, "100Gbps", "50us");
    fabric_flow(&sc, "g1", "g2", 1460, 0);
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    fabric_exactly("RTT, ps", sim_flow_state(s, 0).rtt,
                   2 * (1526 + 72) * INT64_C(80) + 200 * UNIT_US);
    fabric_exactly("RTO, ps", sim_flow_state(s, 0).rto, 200 * UNIT_MS);
    sim_destroy(s);
}

/* ---- V61: random loss ------------------------------------------------------------------------ */

static double response_mbps(const char *loss, sim_ps length)
{
    struct sim_scenario sc;
    char command[32];
    tcp_init(&sc, "V61");
    fabric_set(&sc, "rto_min", "5ms");
    /* RTT 1 ms, serialisation included */
    fabric_star(&sc, 2, "40Gbps", "249.84us");
    fabric_flow(&sc, "g1", "g2", INT64_C(1) << 40, 0);
    struct sim *s = fabric_build(&sc);
    (void)snprintf(command, sizeof command, "loss %s", loss);
    fabric_do(s, command);
    sim_ps warm = length / 10;
    (void)sim_run_until(s, warm, 0);
    int64_t before = sim_flow_state(s, 0).delivered_bytes;
    (void)sim_run_until(s, warm + length, 0);
    int64_t bytes = sim_flow_state(s, 0).delivered_bytes - before;
    struct sim_counters c = sim_counters(s);
    print_message("# loss %s: %llu sent, %llu lost, %llu timeouts\n", loss,
                  (unsigned long long)c.sent, (unsigned long long)c.dropped,
                  (unsigned long long)c.timeouts);
    sim_destroy(s);
    return (double)bytes * 8 / ((double)length / 1e6);
}

static void v61(void **state)
{
    (void)state;
    static const struct {
        const char *loss;
        double mbps;
        sim_ps length;
    } rows[] = { { "0.1%", 452, 60 * UNIT_S }, { "0.01%", 1430, 60 * UNIT_S } };
    for (size_t i = 0; i < LEN(rows); i++) {
        fabric_near("goodput, Mb/s", response_mbps(rows[i].loss, rows[i].length), rows[i].mbps,
                    rows[i].mbps * 0.12);
    }
}

/* ---- V62: incast ----------------------------------------------------------------------------- */

enum { SRU = 256000 };

struct incast {
    double share; /* of the line, payload */
    struct sim_counters count;
    sim_ps length;
};

static struct incast incast(int n, int blocks, const char *rto_min, bool pfc)
{
    struct sim_scenario sc;
    char dst[16];
    tcp_init(&sc, "incast");
    fabric_set(&sc, "rto_min", rto_min);
    fabric_set(&sc, "queue_cap", "64KB");
    fabric_set(&sc, "tcp_class", pfc ? "lossless" : "lossy");
    fabric_star(&sc, n + 1, "1Gbps", "25us");
    (void)snprintf(dst, sizeof dst, "g%d", n + 1);
    for (int i = 1; i <= n; i++) {
        char src[16];
        (void)snprintf(src, sizeof src, "g%d", i);
        fabric_flow(&sc, src, dst, SRU, 0);
    }
    sc.blocks = blocks;
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, 1000 * UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_int_equal(sim_blocks_done(s), blocks);
    struct incast r = { .count = sim_counters(s), .length = sim_done_at(s) };
    r.share = (double)n * SRU * blocks * 8 / ((double)r.length / 1e12) / 1e9;
    print_message("# N %d, RTOmin %s%s: %.1f %% of the line, %llu lost, %llu timeouts\n", n,
                  rto_min, pfc ? ", PFC" : "", r.share * 100, (unsigned long long)r.count.dropped,
                  (unsigned long long)r.count.timeouts);
    sim_destroy(s);
    return r;
}

static void v62_long_timeout(void **state)
{
    (void)state;
    assert_true(incast(16, 40, "200ms", false).share < 0.15);
    assert_true(incast(24, 40, "200ms", false).share < 0.15);
    assert_true(incast(32, 40, "200ms", false).share < 0.15);
}

static void v62_short_timeout(void **state)
{
    (void)state;
    assert_true(incast(16, 100, "1ms", false).share >= 0.75);
    for (int n = 4; n <= 16; n += 4) {
        assert_true(incast(n, 100, "200us", false).share >= 0.70);
    }
}

/* A block with a timeout takes its own time and one RTO at least. */
static void v62b(void **state)
{
    (void)state;
    struct incast r = incast(16, 40, "200ms", false);
    double bits = 8.0 * 16 * SRU;
    double bound = bits / (bits / 1e9 + 0.2) / 1e6;
    fabric_near("bound, Mb/s", bound, 140, 1);
    assert_true(r.share * 1000 <= bound);
}

static void v62c(void **state)
{
    (void)state;
    for (int n = 8; n <= 32; n *= 2) {
        struct incast r = incast(n, 20, "200ms", true);
        assert_true(r.share >= 0.90);
        assert_int_equal(r.count.dropped, 0);
        assert_int_equal(r.count.timeouts, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(v60),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(v61),
        cmocka_unit_test(v62_long_timeout),
        cmocka_unit_test(v62_short_timeout),
        cmocka_unit_test(v62b),
        cmocka_unit_test(v62c),
    };
    return cmocka_run_group_tests_name("sim/validation_tcp", tests, NULL, NULL);
}
