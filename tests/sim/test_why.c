/*
 * Why is a flow not done? What is said about senders and their windows, timers and rates.
 */
#include <stdio.h>
#include <string.h>

#include "cmocka_rows.h"
#include "fabric.h"

/* One flow from g1 to g2 by way of a switch, cables of 50 us; what is said at a moment. */
static struct why_case {
    const char *name;
    const char *set[3][2];
    int64_t packets;
    const char *commands[2];
    sim_ps at;
    const char *says[3];
} why_cases[] = {
    { "on its way",
      { { NULL } },
      10,
      { NULL },
      20 * UNIT_US,
      { "packet 0 from g1 is on its way to sw" } },
    { "a receiver that is stuck",
      { { NULL } },
      10,
      { "slow g2 0" },
      300 * UNIT_US,
      { "packet 0 from g1 lies in the receive buffer of g2, which takes nothing in" } },
    { "a slow receiver",
      { { NULL } },
      10,
      { "slow g2 1%" },
      105 * UNIT_US,
      { "packet 0 from g1 lies in the receive buffer of g2, which is slow" } },
    { "a congestion window",
      { { "transport", "tcp" } },
      100,
      { NULL },
      150 * UNIT_US,
      { "g1 may not send more to g2: its congestion window (10 segments) is full" } },
    { "an RTO",
      { { "transport", "tcp" } },
      10,
      { "drop g1>g2 last" },
      51 * UNIT_MS,
      { "packet 9 from g1 is lost",
        "g1 hears nothing: it waits for its RTO (200 ms), another 149 ms" } },
    { "an RTO that has doubled",
      { { "transport", "tcp" } },
      10,
      { "drop g1>g2 last", "drop g1>g2 resend" },
      301 * UNIT_MS,
      { "packet 9 from g1 is lost", "it waits for its RTO (400 ms), another 299 ms" } },
    { "two repeated ACKs",
      { { "transport", "tcp" } },
      10,
      { "drop g1>g2:7" },
      51 * UNIT_MS,
      { "g2 lacks packet 7 from g1 and keeps what has come after it",
        "g1 has heard 2 repeated ACKs, at the third it would send again: it waits for its RTO "
        "(200" } },
    { "a tail-loss probe",
      { { "transport", "tcp" }, { "tlp", "on" } },
      10,
      { "drop g1>g2:8", "drop g1>g2:9" },
      1200 * UNIT_US,
      { "packet 8 from g1 is lost", "g1 hears nothing: it sends a tail-loss probe in" } },
    { "a window of packets",
      { { "transport", "selective" }, { "window", "5" } },
      100,
      { NULL },
      150 * UNIT_US,
      { "g1 may not send more to g2: its window (5 packets) is full" } },
    { "a selective timer",
      { { "transport", "selective" }, { "rto_low", "3ms" } },
      10,
      { "drop g1>g2 last" },
      UNIT_MS,
      { "packet 9 from g1 is lost", "only its timer of 3 ms can help" } },
    { "a selective gap",
      { { "transport", "selective" } },
      10,
      { "drop g1>g2:7", "drop_ack 10" },
      300 * UNIT_US,
      { "g2 lacks packet 7 from g1 and keeps what has come after it", "its timer of 320 us" } },
    { "a refusing receiver",
      { { "ack_every", "0" } },
      10,
      { "drop g1>g2:7", "drop_ack 1" },
      300 * UNIT_US,
      { "g2 lacks packet 7 from g1 and refuses all that come after it",
        "g1 hears nothing, neither ACK nor NAK: only its timer of 16.8 ms can help" } },
    { "a lost last ACK",
      { { "ack_every", "0" } },
      10,
      { "drop_ack 1" },
      300 * UNIT_US,
      { "all has arrived at g2; g1 has not heard of it yet",
        "only its timer of 16.8 ms can help" } },
    { "an ACK on its way", { { NULL } }, 10, { NULL }, 150 * UNIT_US, { "all has arrived at g2" } },
    { "nothing", { { NULL } }, 10, { NULL }, UNIT_MS, { NULL } },
};

static void why_case(void **state)
{
    const struct why_case *row = *state;
    struct sim_scenario sc;
    fabric_init(&sc, "why");
    fabric_star(&sc, 2, "100Gbps", "50us");
    for (size_t i = 0; i < 3 && row->set[i][0] != NULL; i++) {
        fabric_set(&sc, row->set[i][0], row->set[i][1]);
    }
    fabric_set(&sc, "mss", "1024B");
    fabric_flow(&sc, "g1", "g2", row->packets * 1024, 10);
    struct sim *s = fabric_build(&sc);
    for (size_t i = 0; i < 2 && row->commands[i] != NULL; i++) {
        fabric_do(s, row->commands[i]);
    }
    (void)sim_run_until(s, row->at, 0);
    struct sim_why chain[8];
    const size_t n = sim_why_flow(s, 0, chain, 8);
    size_t want = 0;
    while (want < 3 && row->says[want] != NULL) {
        want++;
    }
    for (size_t i = 0; i < n || i < want; i++) {
        char text[256] = "nothing";
        if (i < n) {
            (void)sim_why_say(s, &chain[i], text, sizeof text);
        }
        if (i >= want || strstr(text, row->says[i]) == NULL) {
            fail_msg("said: %s; not: %s", text, i < want ? row->says[i] : "nothing");
        }
    }
    sim_destroy(s);
}

/* Four switches paused in a circle: the chain says so once round, and ends. */
static void a_circle_is_said_once(void **state)
{
    (void)state;
    struct sim_scenario sc;
    fabric_init(&sc, "circle");
    const struct sim_shape_ring shape = { .switches = 4,
                                          .hosts = 1,
                                          .clockwise = true,
                                          .rate_bps = INT64_C(40000000000),
                                          .delay_ps = 25 * UNIT_NS };
    assert_true(sim_shape_ring(&sc, &shape, NULL));
    fabric_set(&sc, "timeout_exponent", "20");
    const char *const hosts[] = { "g1", "g2", "g3", "g4" };
    for (int i = 0; i < 4; i++) {
        fabric_flow(&sc, hosts[i], hosts[(i + 2) % 4], 1 << 30, 0);
    }
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, 5 * UNIT_MS, 0);
    struct sim_why chain[32];
    const size_t n = sim_why_flow(s, 0, chain, 32);
    assert_in_range(n, 6, 8); /* a packet in a queue, four ports, the way there, the circle */
    assert_int_equal(chain[n - 1].kind, SIM_WHY_CIRCLE);
    sim_destroy(s);
}

/* Two senders under DCQCN: now and then one waits for its own rate. */
static void a_rate_is_named(void **state)
{
    (void)state;
    struct sim_scenario sc;
    fabric_init(&sc, "why");
    fabric_star(&sc, 3, "100Gbps", NULL);
    fabric_set(&sc, "ecn", "on");
    fabric_set(&sc, "cc", "dcqcn");
    fabric_set(&sc, "kmin", "0B");
    fabric_set(&sc, "kmax", "10000B");
    fabric_flow(&sc, "g1", "g3", 10 << 20, 0);
    fabric_flow(&sc, "g2", "g3", 10 << 20, 0);
    struct sim *s = fabric_build(&sc);
    char text[256] = "";
    for (sim_ps t = 0; t < 2 * UNIT_MS && strstr(text, "slowed") == NULL; t += 33 * UNIT_NS) {
        struct sim_why why;
        (void)sim_run_until(s, t, 0);
        if (sim_why_flow(s, 0, &why, 1) == 1) {
            (void)sim_why_say(s, &why, text, sizeof text);
        }
    }
    print_message("# %s\n", text);
    assert_non_null(strstr(text, "g1 may send its next packet to g3 in "));
    assert_non_null(strstr(text, "Gb/s"));
    sim_destroy(s);
}

int main(void)
{
    static struct CMUnitTest tests[32];
    size_t n = 0;
    ROWS(tests, n, why_cases, why_case);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_rate_is_named);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_circle_is_said_once);
    return _cmocka_run_group_tests("sim/why", tests, n, NULL, NULL);
}
