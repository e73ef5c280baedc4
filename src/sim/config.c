/*
 * From a scenario to what never changes in a run: names, ports, routes, flows, rings.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "sim/world.h"

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

static char *flow_name(const char *src, const char *dst, unsigned channel)
{
    char buf[2 * SIM_NAME_MAX + 16];
    if (channel > 1) {
        (void)snprintf(buf, sizeof buf, "%s>%s/%u", src, dst, channel);
    } else {
        (void)snprintf(buf, sizeof buf, "%s>%s", src, dst);
    }
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
    c->ports = mem_alloc(c->port_count, sizeof *c->ports);
    for (size_t i = 0; i < sc->link_count; i++) {
        const struct sim_link_spec *link = &sc->links[i];
        uint32_t end[2] = { fill[link->a]++, fill[link->b]++ };
        uint32_t node[2] = { link->a, link->b };
        int64_t rate = sc->knobs.v[SIM_KNOB_RATE];
        int64_t delay = sc->knobs.v[SIM_KNOB_DELAY];
        for (int k = 0; k < 2; k++) {
            struct sim_port_config *p = &c->ports[end[k]];
            p->node = node[k];
            p->peer = end[1 - k];
            p->rate_bps = rate == SIM_AUTO ? link->rate_bps : rate;
            p->delay = delay == SIM_AUTO ? link->delay_ps : delay;
            int64_t d = gcd(8 * UNIT_S, p->rate_bps);
            p->tau_num = 8 * UNIT_S / d;
            p->tau_den = p->rate_bps / d;
            p->name = port_name(sc->nodes[node[k]].name, end[k] - c->nodes[node[k]].first_port + 1);
        }
    }
    free(fill);
}

/* ---- routes ---------------------------------------------------------------------------------- */

/* Distance of every node to `host`, over switches only. */
static void distances(const struct sim_config *c, uint32_t host, uint32_t *dist, uint32_t *queue)
{
    memset(dist, 0xff, c->node_count * sizeof *dist);
    dist[host] = 0;
    queue[0] = host;
    for (uint32_t head = 0, tail = 1; head < tail; head++) {
        const struct sim_node_config *n = &c->nodes[queue[head]];
        if (n->kind == SIM_HOST && queue[head] != host) {
            continue; /* hosts do not forward */
        }
        for (uint32_t p = n->first_port; p < n->first_port + n->port_count; p++) {
            uint32_t next = c->ports[c->ports[p].peer].node;
            if (dist[next] == UINT32_MAX) {
                dist[next] = dist[queue[head]] + 1;
                queue[tail++] = next;
            }
        }
    }
}

/* A list of ports in the pool; an equal list of the same switch is used again. */
static uint32_t pool_add(struct sim_config *c, size_t since, const uint32_t *list, uint32_t count)
{
    for (size_t at = since; at < c->route_pool_count; at += c->route_pool[at] + 1) {
        if (c->route_pool[at] == count &&
            memcmp(&c->route_pool[at + 1], list, count * sizeof *list) == 0) {
            return (uint32_t)at;
        }
    }
    size_t at = c->route_pool_count;
    c->route_pool =
        mem_grow(c->route_pool, &c->route_pool_cap, at + count + 1, sizeof *c->route_pool);
    c->route_pool[at] = count;
    memcpy(&c->route_pool[at + 1], list, count * sizeof *list);
    c->route_pool_count += count + 1;
    return (uint32_t)at;
}

static void build_routes(struct sim_config *c)
{
    uint32_t *all = mem_alloc((size_t)c->host_count * c->node_count, sizeof *all);
    uint32_t *queue = mem_alloc(c->node_count, sizeof *queue);
    uint32_t *list = mem_alloc(c->port_count, sizeof *list);
    c->route = mem_alloc((size_t)c->switch_count * c->host_count, sizeof *c->route);
    for (uint32_t h = 0; h < c->host_count; h++) {
        distances(c, c->hosts[h], all + (size_t)h * c->node_count, queue);
    }
    (void)pool_add(c, 0, list, 0); /* entry 0: no way */
    for (uint32_t n = 0; n < c->node_count; n++) {
        const struct sim_node_config *node = &c->nodes[n];
        if (node->kind != SIM_SWITCH) {
            continue;
        }
        size_t since = c->route_pool_count;
        for (uint32_t h = 0; h < c->host_count; h++) {
            const uint32_t *dist = all + (size_t)h * c->node_count;
            uint32_t count = 0;
            for (uint32_t p = node->first_port; p < node->first_port + node->port_count; p++) {
                uint32_t next = c->ports[c->ports[p].peer].node;
                if (dist[n] != UINT32_MAX && dist[next] + 1 == dist[n] &&
                    (c->nodes[next].kind == SIM_SWITCH || next == c->hosts[h])) {
                    list[count++] = p;
                }
            }
            c->route[(size_t)node->routes * c->host_count + h] =
                count > 0 ? pool_add(c, since, list, count) : 0;
        }
    }
    free(all);
    free(queue);
    free(list);
}

/* ---- flows and rings ------------------------------------------------------------------------- */

static uint32_t add_flow(struct sim_config *c, uint32_t src, uint32_t dst, unsigned channel)
{
    uint32_t f = c->flow_count++;
    struct sim_flow_config *flow = &c->flows[f];
    flow->name = flow_name(c->nodes[src].name, c->nodes[dst].name, channel);
    flow->src = src;
    flow->dst = dst;
    flow->src_rank = flow->dst_rank = SIM_NONE;
    flow->hash = rng_hash_name(flow->name);
    flow->prio = SIM_PRIO_DATA;
    return f;
}

static void build_flows(struct sim_config *c, const struct sim_scenario *sc)
{
    c->flows = mem_alloc(sc->flow_count, sizeof *c->flows);
    for (size_t i = 0; i < sc->flow_count; i++) {
        const struct sim_flow_spec *spec = &sc->flows[i];
        unsigned channel = 1;
        for (size_t k = 0; k < i; k++) {
            channel += sc->flows[k].src == spec->src && sc->flows[k].dst == spec->dst;
        }
        struct sim_flow_config *flow = &c->flows[add_flow(c, spec->src, spec->dst, channel)];
        flow->bytes = spec->bytes;
        flow->prio = spec->prio;
        flow->gap = spec->gap_ps;
        flow->poisson = spec->poisson;
        flow->start = spec->start_ps;
    }
}

/* Rank at each position of the ring. Mixed: first and second half take turns, so that every
 * neighbour is in the other half. */
static uint32_t rank_at(enum sim_rank_order order, uint32_t position, uint32_t n)
{
    uint32_t half = (n + 1) / 2;
    switch (order) {
    case SIM_ORDER_MIXED:
        return position % 2 == 0 ? position / 2 : half + position / 2;
    case SIM_ORDER_RACK:
        break;
    }
    return position;
}

static void build_ring(struct sim_config *c, enum sim_rank_order order)
{
    struct sim_ring *ring = &c->rings[order];
    uint32_t n = c->rank_count;
    ring->position = mem_alloc(n, sizeof(uint32_t));
    ring->next = mem_alloc(n, sizeof(uint32_t));
    ring->prev = mem_alloc(n, sizeof(uint32_t));
    ring->flow_out = mem_alloc(n, sizeof(uint32_t));
    ring->flow_in = mem_alloc(n, sizeof(uint32_t));
    for (uint32_t pos = 0; pos < n; pos++) {
        uint32_t from = rank_at(order, pos, n);
        uint32_t to = rank_at(order, (pos + 1) % n, n);
        ring->position[from] = pos;
        ring->next[from] = to;
        ring->prev[to] = from;
        ring->flow_out[from] = ring->flow_in[to] = SIM_NONE;
        for (int o = 0; o < (int)order && ring->flow_out[from] == SIM_NONE; o++) {
            if (c->rings[o].next[from] == to) {
                ring->flow_out[from] = c->rings[o].flow_out[from]; /* the same queue pair */
            }
        }
        if (ring->flow_out[from] == SIM_NONE && n > 1) {
            uint32_t f = add_flow(c, c->hosts[from], c->hosts[to], 1);
            c->flows[f].src_rank = from;
            c->flows[f].dst_rank = to;
            ring->flow_out[from] = f;
        }
    }
    for (uint32_t r = 0; r < n; r++) {
        ring->flow_in[r] = ring->flow_out[ring->prev[r]];
    }
}

static void build_training(struct sim_config *c)
{
    c->rank_count = c->host_count;
    c->flows = mem_alloc((size_t)SIM_ORDERS * c->rank_count, sizeof *c->flows);
    for (int order = 0; order < SIM_ORDERS; order++) {
        build_ring(c, (enum sim_rank_order)order);
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
    uint32_t mtu = (uint32_t)knob[SIM_KNOB_MTU];
    c->frame_max =
        SIM_DATA_HEADERS + (mtu + 3) / 4 * 4 + (knob[SIM_KNOB_VERB] == SIM_WRITE ? SIM_RETH : 0);
}

/* Names that do not depend on declaration order: a port is hashed by its two nodes. */
static void build_hashes(struct sim_config *c)
{
    c->component_count = c->port_count + c->node_count + c->flow_count + c->rank_count + 1;
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
    }
    for (uint32_t n = 0; n < c->node_count; n++) {
        hash[sim_comp_node(c, n)] = rng_hash_name(c->nodes[n].name);
    }
    for (uint32_t f = 0; f < c->flow_count; f++) {
        hash[sim_comp_flow(c, f)] = c->flows[f].hash;
    }
    for (uint32_t r = 0; r < c->rank_count; r++) {
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
        } else {
            c->nodes[n].routes = c->switch_count++;
        }
    }
    build_sizes(c);
    build_ports(c, sc);
    build_routes(c);
    if (sc->work == SIM_WORK_TRAINING) {
        build_training(c);
    } else {
        build_flows(c, sc);
    }
    build_hashes(c);
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
        free(c->rings[o].position);
        free(c->rings[o].next);
        free(c->rings[o].prev);
        free(c->rings[o].flow_out);
        free(c->rings[o].flow_in);
    }
    sim_scenario_finish(&c->scenario);
    free(c->nodes);
    free(c->ports);
    free(c->flows);
    free(c->hosts);
    free(c->route);
    free(c->route_pool);
    free(c->component_hash);
    free(c);
}
