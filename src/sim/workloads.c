/*
 * Workloads of several flows: lists of flows, nothing more.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/units.h"
#include "sim/inside.h"
#include "sim/scenario.h"
#include "sim/wire.h"

struct hosts {
    uint32_t *node;
    uint32_t count;
};

static struct hosts hosts_of(const struct sim_scenario *sc)
{
    struct hosts h = { .node = mem_alloc(sc->node_count, sizeof *h.node) };
    for (uint32_t n = 0; n < sc->node_count; n++) {
        if (sc->nodes[n].kind == SIM_HOST) {
            h.node[h.count++] = n;
        }
    }
    return h;
}

bool sim_work_incast(struct sim_scenario *sc, uint32_t dst, uint32_t n, int64_t bytes,
                     sim_ps start_ps, struct err *err)
{
    struct hosts h = hosts_of(sc);
    uint32_t sent = 0;
    bool ok = true;
    for (uint32_t i = 0; i < h.count && sent < n && ok; i++) {
        if (h.node[i] != dst) {
            ok = sim_scenario_flow(sc, h.node[i], dst, bytes, start_ps, err);
            sent++;
        }
    }
    if (ok && sent < n) {
        char senders[40], others[40];
        ok = err_set(err, ERR_RANGE, "incast: %s, but only %s",
                     units_counted(senders, sizeof senders, n, "sender", "senders"),
                     units_counted(others, sizeof others, sent, "other host", "other hosts"));
    }
    free(h.node);
    return ok;
}

bool sim_work_permutation(struct sim_scenario *sc, uint32_t shift, int64_t bytes, sim_ps start_ps,
                          struct err *err)
{
    struct hosts h = hosts_of(sc);
    bool ok = h.count > 1 && shift % h.count != 0;
    if (!ok) {
        (void)err_set(err, ERR_RANGE, "permutation: a shift by %u sends every host to itself",
                      shift);
    }
    for (uint32_t i = 0; i < h.count && ok; i++) {
        ok = sim_scenario_flow(sc, h.node[i], h.node[(i + shift % h.count) % h.count], bytes,
                               start_ps, err);
    }
    free(h.node);
    return ok;
}

/* Marks what can be reached from `host` without leaving its box. */
static void flood_box(const struct sim_scenario *sc, uint32_t host, bool *seen)
{
    seen[host] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < sc->link_count; i++) {
            const struct sim_link_spec *link = &sc->links[i];
            const uint32_t from = seen[link->a] ? link->a : link->b;
            const uint32_t to = seen[link->a] ? link->b : link->a;
            const bool forwards = from == host || sc->nodes[from].kind == SIM_SWITCH;
            if (link->kind != SIM_LINK_FABRIC && seen[from] && !seen[to] && forwards) {
                seen[to] = changed = true;
            }
        }
    }
}

const struct sim_link_spec *sim_scenario_line(const struct sim_scenario *sc, uint32_t src,
                                              uint32_t dst)
{
    const struct sim_link_spec *line = NULL;
    for (size_t i = 0; i < sc->link_count && line == NULL; i++) {
        line = sc->links[i].a == src || sc->links[i].b == src ? &sc->links[i] : NULL;
    }
    if (line == NULL || line->kind == SIM_LINK_FABRIC) {
        return line;
    }
    bool *seen = mem_alloc(sc->node_count, sizeof *seen);
    flood_box(sc, src, seen);
    for (size_t i = 0; i < sc->link_count && !seen[dst]; i++) {
        const struct sim_link_spec *link = &sc->links[i];
        if (link->kind == SIM_LINK_FABRIC && (seen[link->a] || seen[link->b])) {
            line = link;
            break;
        }
    }
    free(seen);
    return line;
}

sim_ps sim_scenario_gap(const struct sim_scenario *sc, const struct sim_flow_spec *flow,
                        int64_t share)
{
    const struct sim_link_spec *line = sim_scenario_line(sc, flow->src, flow->dst);
    const struct sim_wire_sizes wire = sim_wire_sizes(&sc->knobs);
    const int64_t mtu = wire.payload;
    const int64_t packets = flow->bytes > mtu ? (flow->bytes + mtu - 1) / mtu : 1;
    const bool fabric = line == NULL || line->kind == SIM_LINK_FABRIC;
    const int64_t set = sc->knobs.v[SIM_KNOB_RATE];
    const int64_t rate = fabric && set != SIM_AUTO ? set : line != NULL ? line->rate_bps : 0;
    const int64_t rest = flow->bytes - (packets - 1) * mtu;
    const int64_t bytes = fabric ? flow->bytes + packets * ((int64_t)wire.data_headers + wire.slot)
                                 : (packets - 1) * sim_inside_bytes(line->kind, (uint32_t)mtu) +
                                       sim_inside_bytes(line->kind, (uint32_t)rest);
    const double slots = (double)bytes * 8e12 / (double)rate;
    const double gap = slots / ((double)share / (double)UNIT_ONE);
    return gap < 1 ? 1 : gap > (double)UNIT_S * 1e6 ? UNIT_S * 1000000 : (sim_ps)gap;
}

/* Mean time between messages of so many bytes that together take `load` of a link. */
static sim_ps mean_gap(int64_t bytes, int64_t load, int64_t rate, uint32_t pairs)
{
    __extension__ typedef unsigned __int128 wide;
    wide time = (wide)bytes * 8 * UNIT_S / (uint64_t)rate; /* of one message, alone */
    wide gap = (time * pairs << 32) / (uint64_t)load;
    return gap < 1 ? 1 : gap > 1000 * (wide)UNIT_S ? 1000 * UNIT_S : (sim_ps)gap;
}

bool sim_work_poisson(struct sim_scenario *sc, uint32_t pairs, int64_t bytes, int64_t load,
                      uint64_t seed, struct err *err)
{
    struct hosts h = hosts_of(sc);
    bool ok = h.count > 1 && bytes > 0 && load > 0 && load <= UNIT_ONE && pairs > 0;
    if (!ok) {
        (void)err_set(err, ERR_RANGE,
                      "poisson: two hosts or more, 1 byte or more, a load above 0 and up to 1");
    }
    for (uint32_t i = 0; i < h.count && ok; i++) {
        for (uint32_t k = 0; k < pairs && ok; k++) {
            uint64_t draw = rng_mix3(seed, i, k);
            uint32_t to = (i + 1 + (uint32_t)(draw % (h.count - 1))) % h.count;
            const struct sim_link_spec *line = sim_scenario_line(sc, h.node[i], h.node[to]);
            const int64_t rate = line != NULL ? line->rate_bps : 0;
            ok = rate > 0 && sim_scenario_flow(sc, h.node[i], h.node[to], bytes, 0, err);
            if (ok) {
                struct sim_flow_spec *flow = &sc->flows[sc->flow_count - 1];
                flow->gap_ps = mean_gap(bytes, load, rate, pairs);
                flow->start_ps = (sim_ps)(rng_mix(draw) % (uint64_t)flow->gap_ps);
                flow->poisson = true;
            }
        }
    }
    free(h.node);
    return ok;
}

bool sim_work_requests(struct sim_scenario *sc, const struct sim_requests_spec *spec,
                       struct err *err)
{
    struct hosts h = hosts_of(sc);
    sim_ps at = 0;
    bool ok = spec->clients > 0 && spec->clients < h.count && spec->gap_ps >= 0;
    if (!ok) {
        char clients[40], hosts[40];
        (void)err_set(err, ERR_RANGE, "requests: no server is left: %s, %s",
                      units_counted(clients, sizeof clients, spec->clients, "client", "clients"),
                      units_counted(hosts, sizeof hosts, h.count, "host", "hosts"));
    }
    for (uint32_t k = 0; k < spec->count && ok; k++) {
        uint64_t draw = rng_mix3(spec->seed, 1, k);
        uint32_t client = h.node[draw % spec->clients];
        uint32_t server =
            h.node[spec->clients + (uint32_t)((draw >> 32) % (h.count - spec->clients))];
        __extension__ typedef unsigned __int128 wide;
        wide later = (wide)spec->gap_ps * rng_minus_ln(rng_mix3(spec->seed, 2, k)) >> 32;
        at = later < SIM_LONGEST ? sim_ps_sum(at, (sim_ps)later) : SIM_NEVER;
        ok = sim_scenario_flow(sc, client, server, spec->ask_bytes, at, err) &&
             sim_scenario_flow(sc, server, client, spec->answer_bytes, 0, err);
        if (ok) {
            sc->flows[sc->flow_count - 1].replies = true;
        }
    }
    free(h.node);
    return ok;
}
