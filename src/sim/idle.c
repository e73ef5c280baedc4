#include "sim/idle.h"

#include <stdio.h>

#include "sim/world.h"

#define IS(value) (1u << (value))

/* A knob acts only while another one has one of these values. */
static const struct {
    enum sim_knob knob, needs;
    unsigned values;
} NEEDS[] = {
    { SIM_KNOB_XOFF, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_PFC) },
    { SIM_KNOB_XON, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_PFC) },
    { SIM_KNOB_XON_OFFSET, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_PFC) },
    { SIM_KNOB_HEADROOM, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_PFC) },
    { SIM_KNOB_PFC_RESPONSE, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_PFC) },
    { SIM_KNOB_PFC_TRAVEL, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_PFC) },
    { SIM_KNOB_ALPHA, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_PFC) },
    { SIM_KNOB_WATCHDOG, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_PFC) },
    { SIM_KNOB_WATCHDOG_DETECT, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_PFC) },
    { SIM_KNOB_WATCHDOG_RESTORE, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_PFC) },
    { SIM_KNOB_WATCHDOG_POLL, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_PFC) },
    { SIM_KNOB_WATCHDOG_DETECT, SIM_KNOB_WATCHDOG, ~IS(SIM_WATCHDOG_OFF) },
    { SIM_KNOB_WATCHDOG_RESTORE, SIM_KNOB_WATCHDOG, ~IS(SIM_WATCHDOG_OFF) },
    { SIM_KNOB_WATCHDOG_POLL, SIM_KNOB_WATCHDOG, ~IS(SIM_WATCHDOG_OFF) },
    { SIM_KNOB_VL_BUFFER, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_CREDITS) },
    { SIM_KNOB_CRED_MIN, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_CREDITS) },
    { SIM_KNOB_HOL_LIFETIME, SIM_KNOB_FLOW_CONTROL, IS(SIM_FC_CREDITS) },
    { SIM_KNOB_ECN, SIM_KNOB_TRANSPORT, ~IS(SIM_TCP) },
    { SIM_KNOB_KMIN, SIM_KNOB_TRANSPORT, ~IS(SIM_TCP) },
    { SIM_KNOB_KMAX, SIM_KNOB_TRANSPORT, ~IS(SIM_TCP) },
    { SIM_KNOB_PMAX, SIM_KNOB_TRANSPORT, ~IS(SIM_TCP) },
    { SIM_KNOB_KMIN, SIM_KNOB_ECN, IS(SIM_ON) },
    { SIM_KNOB_KMAX, SIM_KNOB_ECN, IS(SIM_ON) },
    { SIM_KNOB_PMAX, SIM_KNOB_ECN, IS(SIM_ON) },
    { SIM_KNOB_CC, SIM_KNOB_ECN, IS(SIM_ON) },
    { SIM_KNOB_CNP_INTERVAL, SIM_KNOB_ECN, IS(SIM_ON) },
    { SIM_KNOB_CNP_INTERVAL, SIM_KNOB_CC, IS(SIM_CC_DCQCN) },
    { SIM_KNOB_DCQCN_CUT_TIME, SIM_KNOB_CC, IS(SIM_CC_DCQCN) },
    { SIM_KNOB_DCQCN_CLAMP, SIM_KNOB_CC, IS(SIM_CC_DCQCN) },
    { SIM_KNOB_DCQCN_G, SIM_KNOB_CC, IS(SIM_CC_DCQCN) },
    { SIM_KNOB_DCQCN_ALPHA_TIMER, SIM_KNOB_CC, IS(SIM_CC_DCQCN) },
    { SIM_KNOB_DCQCN_TIMER, SIM_KNOB_CC, IS(SIM_CC_DCQCN) },
    { SIM_KNOB_DCQCN_BYTES, SIM_KNOB_CC, IS(SIM_CC_DCQCN) },
    { SIM_KNOB_DCQCN_F, SIM_KNOB_CC, IS(SIM_CC_DCQCN) },
    { SIM_KNOB_DCQCN_AI, SIM_KNOB_CC, IS(SIM_CC_DCQCN) },
    { SIM_KNOB_DCQCN_HAI, SIM_KNOB_CC, IS(SIM_CC_DCQCN) },
    { SIM_KNOB_DCQCN_MIN, SIM_KNOB_CC, IS(SIM_CC_DCQCN) },
    { SIM_KNOB_ECMP_SEED, SIM_KNOB_ROUTING, IS(SIM_ROUTE_ECMP) },
    { SIM_KNOB_ADAPTIVE_CHOICES, SIM_KNOB_ROUTING, IS(SIM_ROUTE_ADAPTIVE) },
    { SIM_KNOB_FLOWLET_GAP, SIM_KNOB_ROUTING, IS(SIM_ROUTE_FLOWLET) },
    { SIM_KNOB_TTL, SIM_KNOB_LINK, IS(SIM_ETHERNET) },
    { SIM_KNOB_STAGE_CHUNK, SIM_KNOB_STAGING, IS(SIM_STAGE_HOST) },
    { SIM_KNOB_MTU, SIM_KNOB_TRANSPORT, ~IS(SIM_TCP) },
    { SIM_KNOB_VERB, SIM_KNOB_TRANSPORT, ~IS(SIM_TCP) },
    { SIM_KNOB_ACK_EVERY, SIM_KNOB_TRANSPORT, ~IS(SIM_TCP) },
    { SIM_KNOB_RETRY_LIMIT, SIM_KNOB_TRANSPORT, ~IS(SIM_TCP) },
    { SIM_KNOB_TIMEOUT_EXPONENT, SIM_KNOB_TRANSPORT, IS(SIM_GO_BACK_N) | IS(SIM_GO_BACK_0) },
    { SIM_KNOB_WINDOW, SIM_KNOB_TRANSPORT, IS(SIM_SELECTIVE) },
    { SIM_KNOB_RTO_LOW, SIM_KNOB_TRANSPORT, IS(SIM_SELECTIVE) },
    { SIM_KNOB_RTO_HIGH, SIM_KNOB_TRANSPORT, IS(SIM_SELECTIVE) },
    { SIM_KNOB_REORDER_WINDOW, SIM_KNOB_TRANSPORT, IS(SIM_SELECTIVE) },
    { SIM_KNOB_MSS, SIM_KNOB_TRANSPORT, IS(SIM_TCP) },
    { SIM_KNOB_RTO_MIN, SIM_KNOB_TRANSPORT, IS(SIM_TCP) },
    { SIM_KNOB_RTO_INITIAL, SIM_KNOB_TRANSPORT, IS(SIM_TCP) },
    { SIM_KNOB_TCP_RETRIES, SIM_KNOB_TRANSPORT, IS(SIM_TCP) },
    { SIM_KNOB_TLP, SIM_KNOB_TRANSPORT, IS(SIM_TCP) },
    { SIM_KNOB_DELAYED_ACK, SIM_KNOB_TRANSPORT, IS(SIM_TCP) },
    { SIM_KNOB_TCP_CLASS, SIM_KNOB_TRANSPORT, IS(SIM_TCP) },
    { SIM_KNOB_PIECES, SIM_KNOB_COLLECTIVE,
      IS(SIM_COLL_TREE) | IS(SIM_COLL_DOUBLE_TREE) | IS(SIM_COLL_HIERARCHICAL) },
    { SIM_KNOB_SERVERS, SIM_KNOB_COLLECTIVE, IS(SIM_COLL_SERVER) },
    { SIM_KNOB_GROUP, SIM_KNOB_COLLECTIVE, IS(SIM_COLL_HIERARCHICAL) },
    { SIM_KNOB_INSIDE, SIM_KNOB_COLLECTIVE, IS(SIM_COLL_HIERARCHICAL) },
};

static bool trains(const struct sim *sim)
{
    return sim_rank_count(sim) > 0;
}

static bool has_boxes(const struct sim *sim)
{
    const struct sim_scenario *sc = sim_scenario_of(sim);
    for (size_t i = 0; i < sc->link_count; i++) {
        if (sc->links[i].kind != SIM_LINK_FABRIC) {
            return true;
        }
    }
    return false;
}

/* Somewhere a switch has more than one shortest way. */
static bool has_choice(const struct sim *sim)
{
    const struct sim_config *c = sim->config;
    for (uint32_t n = 0; n < c->node_count; n++) {
        for (uint32_t h = 0; c->nodes[n].kind == SIM_SWITCH && h < c->host_count; h++) {
            if (c->route_pool[c->route[(size_t)c->nodes[n].routes * c->host_count + h]] > 1) {
                return true;
            }
        }
    }
    return false;
}

/* A knob acts only in fabrics and workloads that have something. */
static const struct {
    enum sim_knob knob;
    bool (*has)(const struct sim *sim);
    const char *else_why;
} HAVE[] = {
    { SIM_KNOB_ROUTING, has_choice, "no switch has two ways to a host" },
    { SIM_KNOB_ECMP_SEED, has_choice, "no switch has two ways to a host" },
    { SIM_KNOB_ADAPTIVE_CHOICES, has_choice, "no switch has two ways to a host" },
    { SIM_KNOB_FLOWLET_GAP, has_choice, "no switch has two ways to a host" },
    { SIM_KNOB_STAGING, has_boxes, "no host is a box" },
    { SIM_KNOB_STAGE_CHUNK, has_boxes, "no host is a box" },
    { SIM_KNOB_INSIDE_LATENCY, has_boxes, "no host is a box" },
    { SIM_KNOB_RANK_ORDER, trains, "nobody trains here" },
    { SIM_KNOB_BYTES, trains, "nobody trains here" },
    { SIM_KNOB_BUCKET, trains, "nobody trains here" },
    { SIM_KNOB_COMPUTE, trains, "nobody trains here" },
    { SIM_KNOB_JITTER, trains, "nobody trains here" },
    { SIM_KNOB_STEPS, trains, "nobody trains here" },
    { SIM_KNOB_COLLECTIVE, trains, "nobody trains here" },
    { SIM_KNOB_PIECES, trains, "nobody trains here" },
    { SIM_KNOB_SERVERS, trains, "nobody trains here" },
    { SIM_KNOB_GROUP, trains, "nobody trains here" },
    { SIM_KNOB_INSIDE, trains, "nobody trains here" },
    { SIM_KNOB_OVERLAP, trains, "nobody trains here" },
    { SIM_KNOB_ROUND_TRIGGER, trains, "nobody trains here" },
};

bool sim_knob_idle(const struct sim *sim, enum sim_knob knob, char *why, size_t size)
{
    char value[64];
    for (size_t i = 0; i < sizeof HAVE / sizeof *HAVE; i++) {
        if (HAVE[i].knob == knob && !HAVE[i].has(sim)) {
            snprintf(why, size, "%s", HAVE[i].else_why);
            return true;
        }
    }
    for (size_t i = 0; i < sizeof NEEDS / sizeof *NEEDS; i++) {
        const enum sim_knob other = NEEDS[i].needs;
        if (NEEDS[i].knob == knob && (NEEDS[i].values & IS(sim_knob(sim, other))) == 0) {
            snprintf(why, size, "%s is %s", sim_knob_info(other)->name,
                     sim_knob_format(other, sim_knob(sim, other), false, value, sizeof value));
            return true;
        }
    }
    return false;
}
