/*
 * What can be asked about, and where it is in the picture: by the cursor, by name, by being the worst.
 */
#include "app/why.h"

#include <stdio.h>
#include <string.h>

struct why_about why_of_cursor(const struct cursor *cursor)
{
    if (cursor->thing == CURSOR_NODE) {
        return why_node(cursor->node);
    }
    if (cursor->thing == CURSOR_FRAME && cursor->kind == SIM_FRAME_DATA) {
        return (struct why_about){ WHY_PACKET, cursor->flow, cursor->psn, cursor->attempt };
    }
    if (cursor->thing == CURSOR_FRAME && cursor->flow != SIM_NONE) {
        return (struct why_about){ .thing = WHY_FLOW, .id = cursor->flow };
    }
    return why_port(cursor->port);
}

/* Of the flows that are not done, one of which nothing is on its way, or the first. */
static uint32_t worst_flow(const struct sim *sim)
{
    uint32_t worst = SIM_NONE;
    for (uint32_t f = 0; f < sim_flow_count(sim); f++) {
        const struct sim_flow_state flow = sim_flow_state(sim, f);
        if (flow.una == flow.end) {
            continue;
        }
        if (flow.in_flight == 0) {
            return f;
        }
        worst = worst == SIM_NONE ? f : worst;
    }
    return worst;
}

struct why_about why_of_worst(const struct sim *sim)
{
    uint32_t at_barrier = SIM_NONE, waits = SIM_NONE;
    for (uint32_t r = 0; r < sim_rank_count(sim); r++) {
        const enum sim_rank_state state = sim_rank(sim, r).state;
        if (state == SIM_RANK_BARRIER) {
            at_barrier = at_barrier == SIM_NONE ? r : at_barrier;
        } else if (state != SIM_RANK_COMPUTES && state != SIM_RANK_EXCHANGES) {
            waits = waits == SIM_NONE ? r : waits;
        }
    }
    if (sim_rank_count(sim) > 0) {
        const uint32_t rank = at_barrier != SIM_NONE ? at_barrier : waits != SIM_NONE ? waits : 0;
        return why_node(sim_rank_node(sim, rank));
    }
    const uint32_t flow = worst_flow(sim);
    return (struct why_about){ .thing = flow != SIM_NONE ? WHY_FLOW : WHY_NOTHING, .id = flow };
}

bool why_named(const struct sim *sim, const char *name, struct why_about *about, struct err *err)
{
    char flow[SIM_FLOW_NAME_MAX + 32];
    const char *colon = strrchr(name, ':');
    *about = why_node(sim_find_node(sim, name));
    if (about->id == SIM_NONE) {
        *about = why_port(sim_find_port(sim, name));
    }
    if (about->id == SIM_NONE) {
        *about = (struct why_about){ .thing = WHY_FLOW, .id = sim_find_flow(sim, name) };
    }
    if (about->id == SIM_NONE && colon != NULL && (size_t)(colon - name) < sizeof flow) {
        struct sim_cmd cmd; /* a packet is written as in a drop */
        snprintf(flow, sizeof flow, "drop %.80s", name);
        if (sim_cmd_parse(flow, &cmd, NULL)) {
            *about = (struct why_about){ WHY_PACKET, sim_find_flow(sim, cmd.flow), cmd.psn,
                                         strchr(colon, '#') != NULL ? cmd.attempt : 0 };
        }
    }
    return about->id != SIM_NONE ||
           err_set(err, ERR_NAME,
                   "there is no \"%.40s\": a GPU (g3), a switch (leaf1), a port (leaf1:3), a flow "
                   "(g3>g4) or a packet of it (g3>g4:12)",
                   name);
}

/* Any attempt of a packet that is on its way. */
static bool find_packet(const struct sim *sim, const struct why_about *about, struct sim_frame *f)
{
    enum { TRIES = 64 };
    if (about->attempt > 0) {
        return sim_find_packet(sim, about->id, about->psn, about->attempt, f);
    }
    for (uint32_t attempt = 1; attempt <= TRIES; attempt++) {
        if (sim_find_packet(sim, about->id, about->psn, attempt, f)) {
            return true;
        }
    }
    return false;
}

bool why_point(const struct why_about *about, const struct sim *sim, struct cursor *cursor)
{
    struct sim_frame frame;
    switch (about->thing) {
    case WHY_NOTHING:
        return false;
    case WHY_NODE:
        cursor_put_node(cursor, sim, about->id);
        break;
    case WHY_PORT:
        cursor_put_lane(cursor, sim, about->id, 0, -1);
        break;
    case WHY_FLOW:
        cursor_put_node(cursor, sim, sim_flow(sim, about->id).src);
        break;
    case WHY_PACKET:
        if (!find_packet(sim, about, &frame) || frame.port == SIM_NONE) {
            return false;
        }
        cursor_put_frame(cursor, &frame);
        break;
    }
    cursor->seen = false;
    return true;
}
