#include "net.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void must(bool ok, const struct err *err)
{
    if (!ok) {
        fail_msg("%s", err->msg);
    }
}

void net_switch(struct sim_scenario *sc, const char *name)
{
    struct err err = { 0 };
    must(sim_scenario_node(sc, name, SIM_SWITCH, NULL, &err), &err);
}

void net_cable(struct sim_scenario *sc, const char *a, const char *b, int64_t gbps, sim_ps delay)
{
    struct err err = { 0 };
    must(sim_scenario_link(sc, sim_scenario_find(sc, a), sim_scenario_find(sc, b),
                           gbps * 1000000000, delay, &err),
         &err);
}

void net_host(struct sim_scenario *sc, const char *name, const char *sw, int64_t gbps, sim_ps delay)
{
    struct err err = { 0 };
    must(sim_scenario_node(sc, name, SIM_HOST, NULL, &err), &err);
    net_cable(sc, name, sw, gbps, delay);
}

void net_route(struct sim_scenario *sc, const char *sw, const char *dst, const char *next)
{
    struct err err = { 0 };
    must(sim_scenario_route(sc, sim_scenario_find(sc, sw), sim_scenario_find(sc, dst),
                            sim_scenario_find(sc, next), &err),
         &err);
}

void net_stream(struct sim_scenario *sc, const char *src, const char *dst, double load, sim_ps slot)
{
    fabric_flow(sc, src, dst, sc->knobs.v[SIM_KNOB_MTU], 0);
    sc->flows[sc->flow_count - 1].gap_ps = (sim_ps)((double)slot / load);
}

sim_ps net_lock_time(struct sim *s, sim_ps every, sim_ps limit)
{
    while (sim_now(s) < limit && sim_outcome(s) == SIM_RUNNING) {
        (void)sim_run_until(s, sim_now(s) + every, 0);
        if (sim_wait_cycle(s, NULL, 0, NULL) > 0) {
            return sim_now(s);
        }
    }
    return SIM_NEVER;
}
