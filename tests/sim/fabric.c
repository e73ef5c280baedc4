#include "fabric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void must(bool ok, const struct err *err)
{
    if (!ok) {
        fail_msg("%s", err->msg);
    }
}

void fabric_set(struct sim_scenario *sc, const char *knob, const char *value)
{
    struct err err = { 0 };
    enum sim_knob k;
    int64_t v;
    must(sim_knob_parse(knob, value, &k, &v, &err), &err);
    sc->knobs.v[k] = v;
}

void fabric_init(struct sim_scenario *sc, const char *name)
{
    static const char *const set[][2] = {
        { "mtu", "1024B" },        { "switch_latency", "0ns" }, { "ack_every", "1" },
        { "xoff", "100000B" },     { "xon", "97000B" },         { "headroom", "200000B" },
        { "pfc_response", "0ns" }, { "buffer", "unlimited" },   { "queue_cap", "unlimited" },
    };
    sim_scenario_init(sc, name);
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        fabric_set(sc, set[i][0], set[i][1]);
    }
}

static int64_t quantity(const char *text, enum unit_kind kind)
{
    struct err err = { 0 };
    int64_t v;
    must(units_parse(text, kind, &v, &err), &err);
    return v;
}

void fabric_star(struct sim_scenario *sc, int hosts, const char *rate, const char *delay)
{
    struct err err = { 0 };
    must(sim_shape_star(sc, hosts, quantity(rate, UNIT_RATE),
                        quantity(delay != NULL ? delay : "25ns", UNIT_TIME), &err),
         &err);
}

void fabric_chain(struct sim_scenario *sc, const char *const *rates, int links)
{
    struct err err = { 0 };
    uint32_t last;
    must(sim_scenario_node(sc, "g1", SIM_HOST, &last, &err), &err);
    for (int i = 0; i < links; i++) {
        char name[16];
        uint32_t next;
        bool end = i + 1 == links;
        (void)snprintf(name, sizeof name, end ? "g2" : "s%d", i + 1);
        must(sim_scenario_node(sc, name, end ? SIM_HOST : SIM_SWITCH, &next, &err), &err);
        must(sim_scenario_link(sc, last, next, quantity(rates[i], UNIT_RATE), 25 * UNIT_NS, &err),
             &err);
        last = next;
    }
}

void fabric_flow(struct sim_scenario *sc, const char *src, const char *dst, int64_t bytes,
                 sim_ps start)
{
    struct err err = { 0 };
    must(sim_scenario_flow(sc, sim_scenario_find(sc, src), sim_scenario_find(sc, dst), bytes, start,
                           &err),
         &err);
}

struct sim *fabric_build(struct sim_scenario *sc)
{
    struct err err = { 0 };
    must(sim_scenario_check(sc, &err), &err);
    struct sim *s = sim_create(sc, 1, &err);
    must(s != NULL, &err);
    sim_scenario_finish(sc);
    return s;
}

void fabric_do(struct sim *s, const char *command)
{
    struct err err = { 0 };
    struct sim_cmd cmd;
    must(sim_cmd_parse(command, &cmd, &err), &err);
    must(sim_apply(s, sim_now(s) + 1, &cmd, &err), &err);
}

void fabric_finish(struct sim *s, sim_ps limit)
{
    while (sim_outcome(s) == SIM_RUNNING && sim_now(s) < limit) {
        (void)sim_run_until(s, limit, SIM_TRACE_BIT(DONE));
    }
}

void fabric_near(const char *what, double measured, double expected, double tolerance)
{
    double off = measured - expected;
    print_message("# %s: measured %.9g, expected %.9g\n", what, measured, expected);
    if (off < -tolerance || off > tolerance) {
        fail_msg("%s: measured %.12g, expected %.12g +- %.3g", what, measured, expected, tolerance);
    }
}

void fabric_exactly(const char *what, int64_t measured, int64_t expected)
{
    print_message("# %s: measured %lld, expected %lld\n", what, (long long)measured,
                  (long long)expected);
    if (measured != expected) {
        fail_msg("%s: measured %lld, expected %lld", what, (long long)measured,
                 (long long)expected);
    }
}
