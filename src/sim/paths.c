/*
 * Shortest ways through the fabric, and the ports by which flows leave and are answered.
 *
 * Every cable costs the same, but NVLink a quarter of it: GPUs that have both NVLink and PCIe between
 * them use NVLink. Hosts and memories do not forward for others.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/config.h"

static uint32_t cost_of(const struct sim_port_config *port)
{
    return port->kind == SIM_LINK_NVLINK ? 1 : 4;
}

/* Costs from every node to `host`. Nodes are taken up again when a cheaper way to them is found. */
static void distances(const struct sim_config *c, uint32_t host, uint32_t *dist, uint32_t *queue,
                      bool *queued)
{
    memset(dist, 0xff, c->node_count * sizeof *dist);
    dist[host] = 0;
    queue[0] = host;
    for (uint32_t head = 0, count = 1; count > 0; count--) {
        uint32_t at = queue[head];
        const struct sim_node_config *n = &c->nodes[at];
        head = head + 1 < c->node_count ? head + 1 : 0;
        queued[at] = false;
        if (n->kind != SIM_SWITCH && at != host) {
            continue; /* hosts do not forward */
        }
        for (uint32_t p = n->first_port; p < n->first_port + n->port_count; p++) {
            uint32_t next = c->ports[c->ports[p].peer].node;
            uint32_t cost = dist[at] + cost_of(&c->ports[p]);
            if (cost >= dist[next]) {
                continue;
            }
            dist[next] = cost;
            if (!queued[next]) {
                queued[next] = true;
                queue[(head + count++ - 1) % c->node_count] = next;
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

/* Routes by hand replace the shortest ways. */
static void override_routes(struct sim_config *c, uint32_t *list)
{
    for (size_t i = 0; i < c->scenario.route_count; i++) {
        const struct sim_route_spec *spec = &c->scenario.routes[i];
        const struct sim_node_config *node = &c->nodes[spec->sw];
        uint32_t count = 0;
        for (uint32_t p = node->first_port; p < node->first_port + node->port_count; p++) {
            if (c->ports[c->ports[p].peer].node == spec->next) {
                list[count++] = p;
            }
        }
        size_t row = (size_t)node->routes * c->host_count + c->nodes[spec->dst].host_index;
        c->route[row] = pool_add(c, c->route_pool_count, list, count);
    }
}

/* Switches have a row of routes, and hosts that can choose between ports. */
static void count_rows(struct sim_config *c)
{
    for (uint32_t n = 0; n < c->node_count; n++) {
        bool chooses = c->nodes[n].kind == SIM_SWITCH || c->nodes[n].port_count > 1;
        c->nodes[n].routes = chooses ? c->row_count++ : SIM_NONE;
    }
}

static void row_of(struct sim_config *c, uint32_t n, const uint32_t *all, uint32_t *list)
{
    const struct sim_node_config *node = &c->nodes[n];
    size_t since = c->route_pool_count;
    for (uint32_t h = 0; h < c->host_count; h++) {
        const uint32_t *dist = all + (size_t)h * c->node_count;
        uint32_t count = 0;
        for (uint32_t p = node->first_port; p < node->first_port + node->port_count; p++) {
            uint32_t next = c->ports[c->ports[p].peer].node;
            if (dist[n] != UINT32_MAX && dist[next] != UINT32_MAX &&
                dist[next] + cost_of(&c->ports[p]) == dist[n] &&
                (c->nodes[next].kind == SIM_SWITCH || next == c->hosts[h])) {
                list[count++] = p;
            }
        }
        c->route[(size_t)node->routes * c->host_count + h] =
            count > 0 ? pool_add(c, since, list, count) : 0;
    }
}

void sim_paths_build(struct sim_config *c)
{
    uint32_t *all = mem_alloc((size_t)c->host_count * c->node_count, sizeof *all);
    uint32_t *queue = mem_alloc(c->node_count, sizeof *queue);
    bool *queued = mem_alloc(c->node_count, sizeof *queued);
    uint32_t *list = mem_alloc(c->port_count, sizeof *list);
    count_rows(c);
    c->route = mem_alloc((size_t)c->row_count * c->host_count, sizeof *c->route);
    for (uint32_t h = 0; h < c->host_count; h++) {
        distances(c, c->hosts[h], all + (size_t)h * c->node_count, queue, queued);
    }
    (void)pool_add(c, 0, list, 0); /* entry 0: no way */
    for (uint32_t n = 0; n < c->node_count; n++) {
        if (c->nodes[n].routes != SIM_NONE) {
            row_of(c, n, all, list);
        }
    }
    override_routes(c, list);
    free(all);
    free(queue);
    free(queued);
    free(list);
}

/* ---- flows ----------------------------------------------------------------------------------- */

/* The port of a host toward another; of equal ones by destination, or by hash of the flow. */
static uint32_t port_toward(const struct sim_config *c, uint32_t from, uint32_t to, uint64_t hash)
{
    const struct sim_node_config *node = &c->nodes[from];
    uint32_t index = c->nodes[to].host_index;
    if (node->port_count == 0) {
        return SIM_NONE;
    }
    if (node->routes == SIM_NONE) {
        return node->first_port;
    }
    const uint32_t *group = &c->route_pool[c->route[(size_t)node->routes * c->host_count + index]];
    bool by_destination = c->scenario.knobs.v[SIM_KNOB_ROUTING] == SIM_ROUTE_DMODK;
    return group[0] == 0 ? SIM_NONE
                         : group[1 + (by_destination ? index : (uint32_t)(hash >> 32)) % group[0]];
}

bool sim_paths_flow(const struct sim_config *c, struct sim_flow_config *flow)
{
    uint32_t index = c->nodes[flow->dst].host_index;
    flow->src_host = c->nodes[flow->src].host_index;
    flow->dst_host = index;
    flow->port = port_toward(c, flow->src, flow->dst, flow->hash);
    flow->back = port_toward(c, flow->dst, flow->src, flow->hash);
    if (flow->port == SIM_NONE || flow->back == SIM_NONE) {
        return false;
    }
    flow->line_bps = c->ports[flow->port].rate_bps;
    uint32_t port = flow->port;
    for (uint32_t hops = 0; hops < c->node_count && c->ports[port].kind != SIM_LINK_FABRIC;
         hops++) {
        const struct sim_node_config *next = &c->nodes[c->ports[c->ports[port].peer].node];
        const uint32_t *group =
            next->kind == SIM_SWITCH
                ? &c->route_pool[c->route[(size_t)next->routes * c->host_count + index]]
                : &c->route_pool[0];
        if (group[0] == 0) {
            flow->boxed = true; /* it has arrived without crossing the fabric */
            return true;
        }
        port = group[1];
    }
    flow->line_bps = c->ports[port].rate_bps;
    return true;
}

/* Over cables of the box only, through its switches; of equally near ones the first found. */
uint32_t sim_paths_memory(const struct sim_config *c, uint32_t host)
{
    bool *seen = mem_alloc(c->node_count, sizeof *seen);
    uint32_t *queue = mem_alloc(c->node_count, sizeof *queue);
    uint32_t found = SIM_NONE;
    queue[0] = host;
    seen[host] = true;
    for (uint32_t head = 0, tail = 1; head < tail && found == SIM_NONE; head++) {
        const struct sim_node_config *n = &c->nodes[queue[head]];
        found = n->kind == SIM_MEMORY ? queue[head] : SIM_NONE;
        if (n->kind != SIM_SWITCH && queue[head] != host) {
            continue;
        }
        for (uint32_t p = n->first_port; p < n->first_port + n->port_count; p++) {
            const uint32_t next = c->ports[c->ports[p].peer].node;
            if (c->ports[p].kind != SIM_LINK_FABRIC && !seen[next]) {
                seen[next] = true;
                queue[tail++] = next;
            }
        }
    }
    free(seen);
    free(queue);
    return found;
}
