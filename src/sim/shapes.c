#include <stdio.h>

#include "sim/scenario.h"

enum { SHAPE_MAX = 4096 }; /* hosts, leaves or spines of one shape */

static bool add_numbered(struct sim_scenario *sc, const char *prefix, int number,
                         enum sim_node_kind kind, uint32_t *index, struct err *err)
{
    char name[SIM_NAME_MAX];
    (void)snprintf(name, sizeof name, "%s%d", prefix, number);
    return sim_scenario_node(sc, name, kind, index, err);
}

static bool in_range(const char *what, int value, struct err *err)
{
    return (value >= 1 && value <= SHAPE_MAX) ||
           err_set(err, ERR_RANGE, "%s is %d, it must be from 1 to %d", what, value, SHAPE_MAX);
}

bool sim_shape_leaf_spine(struct sim_scenario *sc, const struct sim_shape_tier *shape,
                          struct err *err)
{
    if (!in_range("leaves", shape->leaves, err) || !in_range("spines", shape->spines, err) ||
        !in_range("hosts", shape->hosts_per_leaf, err)) {
        return false;
    }
    int64_t uplink = shape->uplink_rate_bps > 0 ? shape->uplink_rate_bps : shape->rate_bps;
    uint32_t spine[SHAPE_MAX];
    for (int i = 0; i < shape->spines; i++) {
        if (!add_numbered(sc, "spine", i + 1, SIM_SWITCH, &spine[i], err)) {
            return false;
        }
    }
    for (int l = 0, host = 1; l < shape->leaves; l++) {
        uint32_t leaf;
        if (!add_numbered(sc, "leaf", l + 1, SIM_SWITCH, &leaf, err)) {
            return false;
        }
        for (int h = 0; h < shape->hosts_per_leaf; h++, host++) {
            uint32_t g;
            if (!add_numbered(sc, "g", host, SIM_HOST, &g, err) ||
                !sim_scenario_link(sc, g, leaf, shape->rate_bps, shape->delay_ps, err)) {
                return false;
            }
        }
        for (int i = 0; i < shape->spines; i++) {
            if (!sim_scenario_link(sc, leaf, spine[i], uplink, shape->delay_ps, err)) {
                return false;
            }
        }
    }
    return true;
}

bool sim_shape_star(struct sim_scenario *sc, int hosts, int64_t rate_bps, sim_ps delay_ps,
                    struct err *err)
{
    uint32_t sw;
    if (!in_range("hosts", hosts, err) || !sim_scenario_node(sc, "sw", SIM_SWITCH, &sw, err)) {
        return false;
    }
    for (int i = 0; i < hosts; i++) {
        uint32_t g;
        if (!add_numbered(sc, "g", i + 1, SIM_HOST, &g, err) ||
            !sim_scenario_link(sc, g, sw, rate_bps, delay_ps, err)) {
            return false;
        }
    }
    return true;
}

bool sim_shape_pair(struct sim_scenario *sc, int64_t rate_bps, sim_ps delay_ps, struct err *err)
{
    uint32_t a;
    uint32_t b;
    return add_numbered(sc, "g", 1, SIM_HOST, &a, err) &&
           add_numbered(sc, "g", 2, SIM_HOST, &b, err) &&
           sim_scenario_link(sc, a, b, rate_bps, delay_ps, err);
}
