#include <stdio.h>

#include "sim/scenario.h"

enum { SHAPE_PORTS_MAX = 24 }; /* of a fat tree's switch: 3,456 hosts */
enum { SHAPE_MAX = 4096 };     /* hosts, leaves or spines of one shape */

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

/* One pod: its switches, their cables, its hosts. */
static bool add_pod(struct sim_scenario *sc, int pod, int half, const uint32_t *core,
                    int64_t rate_bps, sim_ps delay_ps, struct err *err)
{
    uint32_t agg[SHAPE_PORTS_MAX / 2];
    for (int j = 0; j < half; j++) {
        if (!add_numbered(sc, "agg", pod * half + j + 1, SIM_SWITCH, &agg[j], err)) {
            return false;
        }
        for (int c = 0; c < half; c++) {
            if (!sim_scenario_link(sc, agg[j], core[j * half + c], rate_bps, delay_ps, err)) {
                return false;
            }
        }
    }
    for (int e = 0; e < half; e++) {
        uint32_t edge;
        if (!add_numbered(sc, "edge", pod * half + e + 1, SIM_SWITCH, &edge, err)) {
            return false;
        }
        for (int i = 0; i < half; i++) {
            uint32_t host;
            int number = (pod * half + e) * half + i + 1;
            if (!sim_scenario_link(sc, edge, agg[i], rate_bps, delay_ps, err) ||
                !add_numbered(sc, "g", number, SIM_HOST, &host, err) ||
                !sim_scenario_link(sc, host, edge, rate_bps, delay_ps, err)) {
                return false;
            }
        }
    }
    return true;
}

bool sim_shape_fat_tree(struct sim_scenario *sc, int k, int64_t rate_bps, sim_ps delay_ps,
                        struct err *err)
{
    if (k < 2 || k > SHAPE_PORTS_MAX || k % 2 != 0) {
        return err_set(err, ERR_RANGE,
                       "a fat tree of %d-port switches; it takes an even number "
                       "from 2 to %d",
                       k, (int)SHAPE_PORTS_MAX);
    }
    int half = k / 2;
    uint32_t core[SHAPE_PORTS_MAX / 2 * SHAPE_PORTS_MAX / 2];
    for (int c = 0; c < half * half; c++) {
        if (!add_numbered(sc, "core", c + 1, SIM_SWITCH, &core[c], err)) {
            return false;
        }
    }
    for (int pod = 0; pod < k; pod++) {
        if (!add_pod(sc, pod, half, core, rate_bps, delay_ps, err)) {
            return false;
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
