/*
 * Rows V40 to V46 of the validation table: DCQCN.
 *
 * ACKs come for every 16th packet here (they travel the idle way back and change nothing).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fabric.h"
#include "sim/cc.h"
#include "sim/transport.h"
#include "sim/world.h" /* V42, V43 test one sender and one receiver alone */

#define LEN(array) (sizeof(array) / sizeof *(array))
#define ENDLESS    (INT64_C(1) << 40)

/* N hosts send to one through one switch; 5/200 KB/1 %, no PFC, endless buffer. */
static struct sim *converge(int n, const char *rate, sim_ps second_start)
{
    struct sim_scenario sc;
    char dst[16];
    fabric_init(&sc, "dcqcn");
    fabric_set(&sc, "flow_control", "none");
    fabric_set(&sc, "ack_every", "16");
    fabric_set(&sc, "ecn", "on");
    fabric_set(&sc, "cc", "dcqcn");
    fabric_set(&sc, "kmin", "5KB");
    fabric_set(&sc, "kmax", "200KB");
    fabric_set(&sc, "pmax", "1%");
    fabric_set(&sc, "dcqcn_bytes", "10MB");
    fabric_set(&sc, "timeout_exponent", "20");
    fabric_star(&sc, n + 1, rate, "1us");
    (void)snprintf(dst, sizeof dst, "g%d", n + 1);
    for (int i = 1; i <= n; i++) {
        char src[16];
        (void)snprintf(src, sizeof src, "g%d", i);
        fabric_flow(&sc, src, dst, ENDLESS, i == 1 ? 0 : second_start);
    }
    return fabric_build(&sc);
}

static double integral(const struct sim *s, uint32_t port)
{
    return sim_port_queue(s, port).mean_bytes * (double)sim_now(s);
}

static double jain(const double *x, int n)
{
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    return sum * sum / (n * squares);
}

struct steady {
    double queue_kb, utilisation, jain;
};

static struct steady measure(int n, const char *rate)
{
    struct sim *s = converge(n, rate, 0);
    char name[16];
    (void)snprintf(name, sizeof name, "sw:%d", n + 1);
    uint32_t port = sim_find_port(s, name);
    double bytes[32];
    double total = 0;
    (void)sim_run_until(s, 200 * UNIT_MS, 0);
    double area = integral(s, port);
    for (int i = 0; i < n; i++) {
        bytes[i] = -(double)sim_flow_state(s, (uint32_t)i).delivered_bytes;
    }
    (void)sim_run_until(s, 400 * UNIT_MS, 0);
    for (int i = 0; i < n; i++) {
        bytes[i] += (double)sim_flow_state(s, (uint32_t)i).delivered_bytes;
        total += bytes[i];
    }
    struct steady r = { .queue_kb = (integral(s, port) - area) / (200.0 * 1e9) / 1e3,
                        .jain = jain(bytes, n) };
    double line = strtod(rate, NULL) * 1e9 * 0.2 / 8 * 1024 / 1106;
    r.utilisation = total / line;
    sim_destroy(s);
    return r;
}

static void v40(void **state)
{
    (void)state;
    static const struct {
        const char *rate;
        int n;
        double fluid, kb;
    } rows[] = {
        { "40Gbps", 2, 21.5, 25.6 }, { "40Gbps", 4, 45, 56 },      { "40Gbps", 8, 101, 123 },
        { "40Gbps", 10, 133, 152 },  { "100Gbps", 2, 10.1, 10.6 }, { "100Gbps", 4, 17.3, 20 },
        { "100Gbps", 8, 35, 44 },    { "100Gbps", 16, 78, 100 },   { "100Gbps", 20, 101, 126 },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct steady r = measure(rows[i].n, rows[i].rate);
        print_message("# %s N=%d: utilisation %.4f, Jain %.4f\n", rows[i].rate, rows[i].n,
                      r.utilisation, r.jain);
        fabric_near("mean queue, KB", r.queue_kb, rows[i].kb, rows[i].kb * 0.15);
        fabric_near("and the fluid model, KB", r.queue_kb, rows[i].fluid, rows[i].fluid * 0.35);
        assert_true(r.utilisation >= 0.995);
        assert_true(r.jain >= 0.99);
    }
}

static void v42(void **state)
{
    (void)state;
    static const double rates[] = { 30, 35, 37.5, 38.75, 39.375, 39.6875, 39.84375 };
    struct sim *s = converge(1, "40Gbps", 0);
    (void)sim_run_until(s, UNIT_US, 0);
    uint32_t cnp = sim_packet_alloc(s);
    s->packets[cnp].kind = SIM_FRAME_CNP;
    s->packets[cnp].flow = 0;
    s->qps[0].in_flight++;
    sim_cc_cnp(s, cnp);
    fabric_exactly("after the cut", s->qps[0].cc.rate, INT64_C(20000000000));
    s->w->knobs.v[SIM_KNOB_ECN] = SIM_OFF; /* then silence */
    for (size_t i = 0; i < LEN(rates); i++) {
        (void)sim_run_until(s, UNIT_US + 55 * UNIT_US * (sim_ps)(i + 1), 0);
        fabric_exactly("stage", s->qps[0].cc.rate, (int64_t)(rates[i] * 1e9));
        if (i == 0) {
            fabric_near("alpha", (double)s->qps[0].cc.alpha / (double)UNIT_ONE, 0.996094, 5e-7);
        }
    }
    sim_destroy(s);
}

static void v43(void **state)
{
    (void)state;
    struct sim *s = converge(1, "40Gbps", 0);
    s->w->knobs.v[SIM_KNOB_KMIN] = s->w->knobs.v[SIM_KNOB_KMAX] = 0; /* every packet is marked */
    s->w->knobs.v[SIM_KNOB_DCQCN_MIN] = INT64_C(40000000000);        /* and nobody slows */
    (void)sim_run_until(s, 10 * UNIT_MS, 0);
    uint64_t before = sim_counters(s).cnps;
    (void)sim_run_until(s, 110 * UNIT_MS, 0);
    double a_second = (double)(sim_counters(s).cnps - before) * 10;
    double slot_us = 1106 * 200 / 1e6;
    print_message("# %.0f CNPs a second\n", a_second);
    assert_true(a_second <= 20000.0 + 10);
    assert_true(a_second >= 1e6 / (50 + slot_us) - 10);
    sim_destroy(s);
}

static void v44(void **state)
{
    (void)state;
    static const char *const rates[] = { "40Gbps", "100Gbps" };
    for (size_t i = 0; i < LEN(rates); i++) {
        struct sim *s = converge(2, rates[i], 20 * UNIT_MS);
        double fair = strtod(rates[i], NULL) * 1e9 * 1024 / 1106 / 2;
        (void)sim_run_until(s, 70 * UNIT_MS, 0);
        int64_t before[2] = { sim_flow_state(s, 0).delivered_bytes,
                              sim_flow_state(s, 1).delivered_bytes };
        (void)sim_run_until(s, 70 * UNIT_MS + 500 * UNIT_US, 0);
        for (uint32_t f = 0; f < 2; f++) {
            double rate = (double)(sim_flow_state(s, f).delivered_bytes - before[f]) * 8 / 0.0005;
            fabric_near("rate 50 ms after the join, of fair", rate / fair, 1, 0.15);
        }
        sim_destroy(s);
    }
}

static void v45(void **state)
{
    (void)state;
    static const struct {
        const char *rate;
        int n;
        double mb;
    } rows[] = {
        { "40Gbps", 2, .22 },  { "40Gbps", 4, .52 },  { "40Gbps", 8, 1.4 },  { "40Gbps", 16, 3.5 },
        { "100Gbps", 2, .25 }, { "100Gbps", 4, .98 }, { "100Gbps", 8, 3.1 }, { "100Gbps", 16, 8.0 },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim *s = converge(rows[i].n, rows[i].rate, 0);
        char name[16];
        (void)snprintf(name, sizeof name, "sw:%d", rows[i].n + 1);
        (void)sim_run_until(s, 20 * UNIT_MS, 0);
        double mb = (double)sim_port_queue(s, sim_find_port(s, name)).max_bytes / 1e6;
        fabric_near("peak queue, MB", mb, rows[i].mb, rows[i].mb * 0.25);
        sim_destroy(s);
    }
}

static void v46(void **state)
{
    (void)state;
    struct sim *s = converge(1, "100Gbps", 0);
    (void)sim_run_until(s, 10 * UNIT_MS, 0);
    fabric_exactly("marks", (int64_t)sim_counters(s).marked, 0);
    fabric_exactly("CNPs", (int64_t)sim_counters(s).cnps, 0);
    double gbps = (double)sim_flow_state(s, 0).delivered_bytes * 8 / 0.01 / 1e9;
    fabric_near("goodput, Gb/s", gbps, 92.586, 0.1);
    sim_destroy(s);
}

static void v41(void **state)
{
    (void)state;
    static const struct {
        int n;
        double kb;
    } rows[] = { { 16, 188 }, { 20, 190 } };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim *s = converge(rows[i].n, "40Gbps", 0);
        char name[16];
        (void)snprintf(name, sizeof name, "sw:%d", rows[i].n + 1);
        uint32_t port = sim_find_port(s, name);
        (void)sim_run_until(s, 200 * UNIT_MS, 0);
        double area = integral(s, port);
        int above = 0;
        enum { SAMPLES = 2000 };
        for (int k = 1; k <= SAMPLES; k++) {
            (void)sim_run_until(s, 200 * UNIT_MS + k * 100 * UNIT_US, 0);
            above += sim_port_queue(s, port).bytes >= 205000;
        }
        fabric_near("mean queue, KB", (integral(s, port) - area) / (200.0 * 1e9) / 1e3, rows[i].kb,
                    rows[i].kb * 0.05);
        print_message("# %.2f %% of the time at 205 KB or more\n", 100.0 * above / SAMPLES);
        assert_true(above <= SAMPLES / 100);
        sim_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(v42), cmocka_unit_test(v43), cmocka_unit_test(v44), cmocka_unit_test(v45),
        cmocka_unit_test(v46), cmocka_unit_test(v40), cmocka_unit_test(v41),
    };
    return cmocka_run_group_tests_name("validation: dcqcn", tests, NULL, NULL);
}
