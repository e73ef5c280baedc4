/*
 * From a scenario to what never changes in a run: names, ports, sizes; flows.c and paths.c do the rest.
 */
#include "sim/config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "sim/event.h"
#include "sim/inside.h"
#include "sim/link.h"
#include "sim/steer.h"
#include "sim/transport.h"
#include "sim/world.h"

enum { LARGE = 256 }; /* ports: what every frame touches leaves the first cache by far */

/* Sizes by type of link, for RDMA (model 1.2). */
static const struct sim_wire_sizes rdma_sizes[] = {
    /* Eth 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4; AETH 4 */
    [SIM_ETHERNET] = { .before = 8,
                       .slot = 20,
                       .data_headers = 62,
                       .padding = 4,
                       .ack = 66,
                       .cnp = 78,
                       .counts_hops = true },
    /* LRH 8, BTH 12, ICRC 4, VCRC 2; framing of 4 symbols, all of it before the last bit */
    [SIM_INFINIBAND] = { .before = 4,
                         .slot = 4,
                         .data_headers = 26,
                         .padding = 4,
                         .ack = 30,
                         .cnp = 42 },
};

/* Eth 14, IPv4 20, TCP 20, FCS 4; no frame of Ethernet is shorter than 64. TCP has no CNP. */
static const struct sim_wire_sizes tcp_sizes = { .before = 8,
                                                 .slot = 20,
                                                 .data_headers = 58,
                                                 .padding = 1,
                                                 .least = 64,
                                                 .ack = 64,
                                                 .counts_hops = true };

struct sim_wire_sizes sim_wire_sizes(const struct sim_knobs *knobs)
{
    const int64_t *knob = knobs->v;
    bool tcp = knob[SIM_KNOB_TRANSPORT] == SIM_TCP;
    struct sim_wire_sizes sizes = tcp ? tcp_sizes : rdma_sizes[knob[SIM_KNOB_LINK]];
    sizes.payload = (uint32_t)knob[sim_transports[knob[SIM_KNOB_TRANSPORT]]->payload];
    if (knob[SIM_KNOB_WIRE_OVERHEAD] != SIM_AUTO) {
        sizes.data_headers = (uint32_t)knob[SIM_KNOB_WIRE_OVERHEAD];
    }
    if (knob[SIM_KNOB_WIRE_GAP] != SIM_AUTO) {
        sizes.slot = (uint32_t)knob[SIM_KNOB_WIRE_GAP];
        sizes.before = sizes.before < sizes.slot ? sizes.before : sizes.slot;
    }
    if (knob[SIM_KNOB_WIRE_ACK] != SIM_AUTO) {
        sizes.ack = (uint32_t)knob[SIM_KNOB_WIRE_ACK];
    }
    sizes.full = sim_data_bytes(&sizes, sizes.payload);
    sizes.reth = !tcp && knob[SIM_KNOB_VERB] == SIM_WRITE ? SIM_RETH : 0;
    return sizes;
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static char *port_name(const char *node, unsigned number)
{
    char buf[SIM_NAME_MAX + 16];
    (void)snprintf(buf, sizeof buf, "%s:%u", node, number);
    return mem_strdup(buf);
}

/* Ports of a node are consecutive, in the order of its links; leaf1:3 is the third. */
static void build_ports(struct sim_config *c, const struct sim_scenario *sc)
{
    uint32_t *fill = mem_alloc(c->node_count, sizeof *fill);
    for (size_t i = 0; i < sc->link_count; i++) {
        c->nodes[sc->links[i].a].port_count++;
        c->nodes[sc->links[i].b].port_count++;
    }
    for (uint32_t n = 0, at = 0; n < c->node_count; n++) {
        c->nodes[n].first_port = at;
        fill[n] = at;
        at += c->nodes[n].port_count;
    }
    c->port_count = (uint32_t)(2 * sc->link_count);
    enum { LINE = 64 };
    static_assert(sizeof *c->ports == 2 * LINE, "every port begins with a cache line");
    c->ports_block = mem_alloc(c->port_count * sizeof *c->ports + LINE, 1);
    c->ports = (void *)((unsigned char *)c->ports_block +
                        (LINE - (uintptr_t)c->ports_block % LINE) % LINE);
    for (size_t i = 0; i < sc->link_count; i++) {
        const struct sim_link_spec *link = &sc->links[i];
        uint32_t end[2] = { fill[link->a]++, fill[link->b]++ };
        uint32_t node[2] = { link->a, link->b };
        bool fabric = link->kind == SIM_LINK_FABRIC;
        int64_t rate = fabric ? sc->knobs.v[SIM_KNOB_RATE] : SIM_AUTO;
        int64_t delay = fabric ? sc->knobs.v[SIM_KNOB_DELAY] : SIM_AUTO;
        for (int k = 0; k < 2; k++) {
            struct sim_port_config *p = &c->ports[end[k]];
            p->node = node[k];
            p->peer = end[1 - k];
            p->to = node[1 - k];
            p->before = fabric ? c->wire.before : 0;
            p->around = fabric ? c->wire.slot : 0;
            p->to_switch = sc->nodes[node[1 - k]].kind == SIM_SWITCH;
            p->kind = link->kind;
            p->nic = sc->nodes[node[k]].kind != SIM_SWITCH ? c->nic_count++ : SIM_NONE;
            p->rate_bps = rate == SIM_AUTO ? link->rate_bps : rate;
            p->delay = delay == SIM_AUTO ? link->delay_ps : delay;
            int64_t d = gcd(8 * UNIT_S, p->rate_bps);
            p->tau_num = 8 * UNIT_S / d;
            p->tau_den = p->rate_bps / d;
            p->name = port_name(sc->nodes[node[k]].name, end[k] - c->nodes[node[k]].first_port + 1);
            c->inside = c->inside || !fabric;
            c->nodes[node[k]].inside =
                c->nodes[node[k]].inside || (!fabric && sc->nodes[node[k]].kind == SIM_SWITCH);
        }
    }
    free(fill);
}

/* Inside a box, room for what is sent until the credits for the first of it are back: four frames
 * for what is being sent and received at both ends, and the line's rate during cable and latency. */
static void build_latencies(struct sim_config *c)
{
    const int64_t *knob = c->scenario.knobs.v;
    for (uint32_t n = 0; n < c->node_count; n++) {
        c->nodes[n].latency =
            knob[c->nodes[n].inside ? SIM_KNOB_INSIDE_LATENCY : SIM_KNOB_SWITCH_LATENCY];
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        struct sim_port_config *port = &c->ports[p];
        const struct sim_node_config *node = &c->nodes[port->node];
        sim_ps loop = 2 * port->delay + (node->kind == SIM_SWITCH ? node->latency : 0);
        int64_t frame = sim_inside_bytes(port->kind, c->wire.payload);
        int64_t bytes = 4 * frame + (int64_t)((sim_wide)loop * port->tau_den / port->tau_num);
        port->latency = c->nodes[port->to].latency;
        port->vl_blocks = port->kind == SIM_LINK_FABRIC ? 0 : sim_blocks(bytes);
    }
}

static int64_t pick(int64_t knob, int64_t scenario)
{
    return knob == SIM_AUTO ? scenario : knob;
}

static void build_sizes(struct sim_config *c)
{
    struct sim_training_spec *t = &c->scenario.training;
    const int64_t *knob = c->scenario.knobs.v;
    t->bytes = pick(knob[SIM_KNOB_BYTES], t->bytes);
    t->bucket_bytes = pick(knob[SIM_KNOB_BUCKET], t->bucket_bytes);
    t->steps = pick(knob[SIM_KNOB_STEPS], t->steps);
    if (t->bucket_bytes == 0 || t->bucket_bytes > t->bytes) {
        t->bucket_bytes = t->bytes;
    }
    c->steps = c->scenario.work == SIM_WORK_TRAINING ? t->steps : 0;
    c->buckets = c->steps > 0 ? (t->bytes + t->bucket_bytes - 1) / t->bucket_bytes : 0;
    for (int prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        c->strict_mask |= (unsigned)(c->scenario.classes[prio].weight == 0) << prio;
    }
    bool tcp = knob[SIM_KNOB_TRANSPORT] == SIM_TCP;
    bool pauses = !tcp || knob[SIM_KNOB_TCP_CLASS] == SIM_TCP_LOSSLESS;
    for (int prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        c->lossless_mask |= (unsigned)(pauses && c->scenario.classes[prio].lossless) << prio;
    }
    c->control_prio = (uint8_t)sim_class_vl(&c->scenario, SIM_PRIO_CONTROL);
    c->arbitrated = c->scenario.vl_entry_count > 0;
    for (size_t i = 0; i < c->scenario.vl_entry_count; i++) {
        enum sim_vl_table table = c->scenario.vl_entries[i].table;
        c->vl_tables[table][c->vl_counts[table]++] = c->scenario.vl_entries[i];
    }
    c->wire = sim_wire_sizes(&c->scenario.knobs);
    c->frame_max = sim_frame_max(&c->wire);
}

/* Names that do not depend on declaration order: a port is hashed by its two nodes. */
static void build_hashes(struct sim_config *c)
{
    c->component_count = c->port_count + c->node_count + c->flow_count + c->party_count + 1;
    c->component_hash = mem_alloc(c->component_count, sizeof *c->component_hash);
    uint64_t *hash = c->component_hash;
    for (uint32_t p = 0; p < c->port_count; p++) {
        uint64_t own = rng_hash_name(c->nodes[c->ports[p].node].name);
        uint64_t far = rng_hash_name(c->nodes[c->ports[c->ports[p].peer].node].name);
        uint32_t twin = 0; /* parallel cables */
        for (uint32_t q = c->nodes[c->ports[p].node].first_port; q < p; q++) {
            twin += c->ports[c->ports[q].peer].node == c->ports[c->ports[p].peer].node;
        }
        hash[sim_comp_port(p)] = rng_mix3(own, far, twin);
        c->ports[p].luck = c->seed ^ hash[sim_comp_port(p)];
    }
    for (uint32_t n = 0; n < c->node_count; n++) {
        hash[sim_comp_node(c, n)] = rng_hash_name(c->nodes[n].name);
    }
    for (uint32_t f = 0; f < c->flow_count; f++) {
        hash[sim_comp_flow(c, f)] = c->flows[f].hash;
    }
    for (uint32_t r = 0; r < c->party_count; r++) {
        hash[sim_comp_rank(c, r)] = rng_mix3(rng_hash_name(c->nodes[c->hosts[r]].name), 1, 0);
    }
}

enum { COLLECTIVES_MAX = 4 << 20 };

struct sim_config *sim_config_create(const struct sim_scenario *sc, uint64_t seed, struct err *err)
{
    struct sim_config *c = mem_alloc(1, sizeof *c);
    c->refs = 1;
    c->seed = seed;
    sim_scenario_copy(&c->scenario, sc);
    c->node_count = (uint32_t)sc->node_count;
    c->nodes = mem_alloc(c->node_count, sizeof *c->nodes);
    c->hosts = mem_alloc(c->node_count, sizeof *c->hosts);
    for (uint32_t n = 0; n < c->node_count; n++) {
        c->nodes[n].name = mem_strdup(sc->nodes[n].name);
        c->nodes[n].kind = sc->nodes[n].kind;
        if (sc->nodes[n].kind == SIM_HOST) {
            c->nodes[n].host_index = c->host_count;
            c->hosts[c->host_count++] = n;
        }
    }
    c->gpu_count = c->host_count;
    for (uint32_t n = 0; n < c->node_count; n++) {
        if (sc->nodes[n].kind == SIM_MEMORY) {
            c->nodes[n].host_index = c->host_count;
            c->hosts[c->host_count++] = n;
        }
    }
    build_sizes(c);
    build_ports(c, sc);
    build_latencies(c);
    sim_paths_build(c);
    if (!sim_flows_build(c, err) || !sim_steer_build(c, err)) {
        sim_config_release(c);
        return NULL;
    }
    build_hashes(c);
    c->serials = sc->knobs.v[SIM_KNOB_CUT_THROUGH] == SIM_ON ||
                 sim_steer_remembers(sc->knobs.v[SIM_KNOB_ROUTING]);
    sim_event_plan(c);
    c->is_large = c->port_count >= LARGE;
    sim_slots_plan(c);
    if (c->steps * c->buckets > COLLECTIVES_MAX) {
        sim_config_release(c);
        (void)err_set(err, ERR_LIMIT, "more than %d all-reduces in one run; use larger buckets",
                      (int)COLLECTIVES_MAX);
        return NULL;
    }
    return c;
}

void sim_config_release(struct sim_config *c)
{
    if (c == NULL || --c->refs > 0) {
        return;
    }
    for (uint32_t n = 0; n < c->node_count; n++) {
        free(c->nodes[n].name);
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        free(c->ports[p].name);
    }
    for (uint32_t f = 0; f < c->flow_count; f++) {
        free(c->flows[f].name);
    }
    for (int o = 0; o < SIM_ORDERS; o++) {
        free(c->orders[o].position);
        free(c->orders[o].party);
    }
    free(c->flow_table);
    free(c->own_first);
    free(c->own);
    sim_scenario_finish(&c->scenario);
    free(c->nodes);
    free(c->ports_block);
    free(c->flows);
    free(c->hosts);
    free(c->route);
    free(c->route_pool);
    free(c->pins);
    free(c->flowlet_first);
    free(c->flowlet_at);
    free(c->component_hash);
    free(c);
}
