#include "app/server.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

enum {
    HOSTS = 8
}; /* of a server, where no boxes say so: as many marks as the map keeps together */

/* Everything that cables inside a box join to what is marked. True: something came along. */
static bool spread_inside(const struct sim *sim, bool *in)
{
    bool any = false;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t p = 0; p < sim_port_count(sim); p++) {
            const struct sim_port_info port = sim_port(sim, p);
            const uint32_t other = sim_port(sim, port.peer).node;
            if (port.kind != SIM_LINK_FABRIC && in[port.node] && !in[other]) {
                in[other] = more = any = true;
            }
        }
    }
    return any;
}

/* The eight hosts in a row to which this one belongs. */
static void mark_row(const struct sim *sim, uint32_t node, bool *in)
{
    size_t index = 0;
    for (uint32_t n = 0; n < node; n++) {
        index += sim_node(sim, n).kind == SIM_HOST;
    }
    const size_t first = index / HOSTS * HOSTS;
    size_t at = 0;
    for (uint32_t n = 0; n < sim_node_count(sim); n++) {
        if (sim_node(sim, n).kind == SIM_HOST) {
            in[n] = at >= first && at < first + HOSTS;
            at++;
        }
    }
}

/* What the cables of the fabric lead to from there. */
static void mark_neighbours(const struct sim *sim, bool *in)
{
    bool *server = mem_dup(in, sim_node_count(sim) * sizeof *in);
    for (uint32_t p = 0; p < sim_port_count(sim); p++) {
        const struct sim_port_info port = sim_port(sim, p);
        if (port.kind == SIM_LINK_FABRIC && server[port.node]) {
            in[sim_port(sim, port.peer).node] = true;
        }
    }
    free(server);
}

bool server_mark(const struct sim *sim, uint32_t node, bool *in)
{
    if (sim_node(sim, node).kind == SIM_SWITCH) {
        return false;
    }
    in[node] = true;
    if (!spread_inside(sim, in)) {
        mark_row(sim, node, in);
    }
    mark_neighbours(sim, in);
    for (uint32_t n = 0; n < sim_node_count(sim); n++) {
        if (sim_node(sim, n).kind == SIM_HOST && !in[n]) {
            return true;
        }
    }
    return false; /* all hosts are in sight as it is */
}

const char *server_name(const struct sim *sim, const bool *in, char *buf, size_t size)
{
    const char *first = NULL, *last = NULL;
    for (uint32_t n = 0; n < sim_node_count(sim); n++) {
        const struct sim_node_info node = sim_node(sim, n);
        if (in[n] && node.kind == SIM_HOST) {
            first = first == NULL ? node.name : first;
            last = node.name;
        }
    }
    snprintf(buf, size, "%s to %s", first != NULL ? first : "?", last != NULL ? last : "?");
    return buf;
}
