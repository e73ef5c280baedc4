/*
 * Whom a pause reaches, and when: before anything is lost, however many ports a switch has, and one class alone. How
 * many bytes that takes is in rows V20 to V30 of the validation table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "cmocka_rows.h"
#include "fabric.h"

enum { DROP = SIM_TRACE_BIT(DROP), XOFF = SIM_TRACE_BIT(XOFF) };

/* All others send to g1. */
static struct sim *incast(int hosts, const char *headroom)
{
    struct sim_scenario sc;
    fabric_init(&sc, "incast");
    fabric_set(&sc, "headroom", headroom);
    fabric_set(&sc, "xoff", "10KB");
    fabric_set(&sc, "xon", "8KB");
    fabric_star(&sc, hosts, "100Gbps", NULL);
    for (int i = 2; i <= hosts; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "g%d", i);
        fabric_flow(&sc, name, "g1", 32768, 0);
    }
    return fabric_build(&sc);
}

struct ports_case {
    const char *name;
    int ports;
};

static struct ports_case ports_cases[] = { { "3 ports", 3 },
                                           { "65 ports", 65 },
                                           { "512 ports", 512 } };

/* With room for what is on its way nothing is lost; with too little, the pause was sent all the same, and first. */
static void ports_case(void **state)
{
    const struct ports_case *c = *state;
    struct sim *s = incast(c->ports, "auto");
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_true(sim_counters(s).xoff_frames > 0);
    assert_int_equal(sim_counters(s).dropped, 0);
    sim_destroy(s);
    s = incast(c->ports, "2KB");
    assert_int_equal(sim_run_until(s, UNIT_S, DROP | XOFF), SIM_AT_TRACE);
    assert_int_equal(sim_counters(s).dropped, 0);
    assert_int_equal(sim_run_until(s, UNIT_S, DROP), SIM_AT_TRACE);
    assert_true(sim_counters(s).xoff_frames > 0);
    sim_destroy(s);
}

/* Two classes that may not lose and one that may, equally congested: the two wait, the third does not hear of it. */
static void a_pause_is_of_its_class(void **state)
{
    (void)state;
    enum { LOSSY = 0, FIRST = 3, SECOND = 4 };
    static const uint32_t prios[] = { LOSSY, FIRST, SECOND };
    struct sim_scenario sc;
    fabric_init(&sc, "classes");
    fabric_set(&sc, "xoff", "10KB");
    fabric_set(&sc, "xon", "8KB");
    fabric_set(&sc, "headroom", "auto");
    fabric_set(&sc, "queue_cap", "20KB");
    fabric_star(&sc, 5, "100Gbps", NULL);
    for (uint32_t i = 0; i < 12; i++) { /* each of four senders has a flow of each class */
        char name[16];
        (void)snprintf(name, sizeof name, "g%u", i / 3 + 2);
        fabric_flow(&sc, name, "g1", 262144, 0);
        sc.flows[i].prio = prios[i % 3];
    }
    for (uint32_t k = 0; k < 3; k++) {
        sc.classes[prios[k]].lossless = prios[k] != LOSSY;
        sc.classes[prios[k]].weight = 10;
    }
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, 200 * UNIT_US, 0);
    assert_true(sim_counters(s).xoff_frames > 0);
    for (uint32_t f = 0; f < 12; f++) {
        const uint64_t dropped = sim_flow_state(s, f).dropped;
        assert_true(prios[f % 3] == LOSSY ? dropped > 0 : dropped == 0);
    }
    sim_destroy(s);
}

int main(void)
{
    static struct CMUnitTest tests[8];
    size_t n = 0;
    ROWS(tests, n, ports_cases, ports_case);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_pause_is_of_its_class);
    return _cmocka_run_group_tests("sim/pauses", tests, n, NULL, NULL);
}
