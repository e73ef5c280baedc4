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

/* Boxes that stand in a fabric have a NIC. */
static bool can_attach(const struct sim_box_spec *box, struct err *err)
{
    return box == NULL || box->nics > 0 ||
           err_set(err, ERR_RANGE, "the boxes of this fabric need a NIC: nics is 0");
}

/* A host, or a box with all its NICs, on a switch. */
static bool attach(struct sim_scenario *sc, int number, const struct sim_box_spec *box, uint32_t sw,
                   int64_t rate_bps, sim_ps delay_ps, struct err *err)
{
    uint32_t end[SIM_BOX_MAX];
    int ends = box != NULL ? box->nics : 1;
    bool ok = box != NULL ? sim_shape_box(sc, number, box, end, err)
                          : add_numbered(sc, "g", number, SIM_HOST, end, err);
    for (int i = 0; i < ends && ok; i++) {
        ok = sim_scenario_link(sc, end[i], sw, rate_bps, delay_ps, err);
    }
    return ok;
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
    if (!can_attach(shape->box, err)) {
        return false;
    }
    for (int l = 0, host = 1; l < shape->leaves; l++) {
        uint32_t leaf;
        if (!add_numbered(sc, "leaf", l + 1, SIM_SWITCH, &leaf, err)) {
            return false;
        }
        for (int h = 0; h < shape->hosts_per_leaf; h++, host++) {
            if (!attach(sc, host, shape->box, leaf, shape->rate_bps, shape->delay_ps, err)) {
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
static bool add_pod(struct sim_scenario *sc, int pod, int half, const struct sim_box_spec *box,
                    const uint32_t *core, int64_t rate_bps, sim_ps delay_ps, struct err *err)
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
            int number = (pod * half + e) * half + i + 1;
            if (!sim_scenario_link(sc, edge, agg[i], rate_bps, delay_ps, err) ||
                !attach(sc, number, box, edge, rate_bps, delay_ps, err)) {
                return false;
            }
        }
    }
    return true;
}

bool sim_shape_fat_tree_of(struct sim_scenario *sc, int k, const struct sim_box_spec *box,
                           int64_t rate_bps, sim_ps delay_ps, struct err *err)
{
    if (k < 2 || k > SHAPE_PORTS_MAX || k % 2 != 0) {
        return err_set(err, ERR_RANGE,
                       "a fat tree of %d-port switches; it takes an even number "
                       "from 2 to %d",
                       k, (int)SHAPE_PORTS_MAX);
    }
    if (!can_attach(box, err)) {
        return false;
    }
    int half = k / 2;
    uint32_t core[SHAPE_PORTS_MAX / 2 * SHAPE_PORTS_MAX / 2];
    for (int c = 0; c < half * half; c++) {
        if (!add_numbered(sc, "core", c + 1, SIM_SWITCH, &core[c], err)) {
            return false;
        }
    }
    for (int pod = 0; pod < k; pod++) {
        if (!add_pod(sc, pod, half, box, core, rate_bps, delay_ps, err)) {
            return false;
        }
    }
    return true;
}

bool sim_shape_fat_tree(struct sim_scenario *sc, int k, int64_t rate_bps, sim_ps delay_ps,
                        struct err *err)
{
    return sim_shape_fat_tree_of(sc, k, NULL, rate_bps, delay_ps, err);
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

/* ---- boxes ----------------------------------------------------------------------------------- */

static bool check_box(const struct sim_box_spec *box, struct err *err)
{
    if (box->gpus < 1 || box->gpus > SIM_BOX_MAX || box->nics < 0 || box->nics > SIM_BOX_MAX) {
        return err_set(err, ERR_RANGE, "a box has 1 to %d GPUs and 0 to %d NICs", (int)SIM_BOX_MAX,
                       (int)SIM_BOX_MAX);
    }
    if (box->switches < 0 || box->switches > box->gpus) {
        return err_set(err, ERR_RANGE, "a box of %d GPUs has 0 to %d PCIe switches", box->gpus,
                       box->gpus);
    }
    if (box->nvlink_bps == 0 && box->pcie_bps == 0) {
        return err_set(err, ERR_STATE, "what joins the GPUs of this box? set nvlink, pcie or both");
    }
    return box->pcie_bps > 0 || (box->nics == 0 && box->memory_bps == 0 && box->switches == 0) ||
           err_set(err, ERR_STATE, "NICs, PCIe switches and memory of a box need pcie");
}

static bool add_cable(struct sim_scenario *sc, uint32_t a, uint32_t b, enum sim_link_kind kind,
                      int64_t rate_bps, sim_ps delay_ps, struct err *err)
{
    const struct sim_link_spec link = {
        .a = a, .b = b, .kind = kind, .rate_bps = rate_bps, .delay_ps = delay_ps
    };
    return sim_scenario_cable(sc, &link, err);
}

/* The root, its switches and its memory. `under` receives where GPUs and NICs are plugged in. */
static bool add_root(struct sim_scenario *sc, int number, const struct sim_box_spec *box,
                     uint32_t under[SIM_BOX_MAX], struct err *err)
{
    uint32_t root;
    uint32_t memory;
    bool ok = add_numbered(sc, "root", number, SIM_SWITCH, &root, err);
    under[0] = root;
    for (int i = 0; i < box->switches && ok; i++) {
        ok = add_numbered(sc, "pcie", (number - 1) * box->switches + i + 1, SIM_SWITCH, &under[i],
                          err) &&
             add_cable(sc, under[i], root, SIM_LINK_PCIE, box->pcie_bps, box->delay_ps, err);
    }
    if (ok && box->memory_bps > 0) {
        ok = add_numbered(sc, "h", number, SIM_MEMORY, &memory, err) &&
             add_cable(sc, memory, root, SIM_LINK_MEMORY, box->memory_bps, box->delay_ps, err);
    }
    return ok;
}

bool sim_shape_box(struct sim_scenario *sc, int number, const struct sim_box_spec *box,
                   uint32_t nics[SIM_BOX_MAX], struct err *err)
{
    uint32_t under[SIM_BOX_MAX];
    uint32_t nvs = SIM_NODES_MAX;
    if (!check_box(box, err) ||
        (box->nvlink_bps > 0 && !add_numbered(sc, "nvs", number, SIM_SWITCH, &nvs, err)) ||
        (box->pcie_bps > 0 && !add_root(sc, number, box, under, err))) {
        return false;
    }
    const int places = box->switches > 0 ? box->switches : 1;
    bool ok = true;
    for (int i = 0; i < box->gpus && ok; i++) {
        uint32_t g;
        ok = add_numbered(sc, "g", (number - 1) * box->gpus + i + 1, SIM_HOST, &g, err) &&
             (box->nvlink_bps == 0 ||
              add_cable(sc, g, nvs, SIM_LINK_NVLINK, box->nvlink_bps, box->delay_ps, err)) &&
             (box->pcie_bps == 0 || add_cable(sc, g, under[i * places / box->gpus], SIM_LINK_PCIE,
                                              box->pcie_bps, box->delay_ps, err));
    }
    for (int i = 0; i < box->nics && ok; i++) {
        ok = add_numbered(sc, "nic", (number - 1) * box->nics + i + 1, SIM_SWITCH, &nics[i], err) &&
             add_cable(sc, nics[i], under[i * places / box->nics], SIM_LINK_PCIE, box->pcie_bps,
                       box->delay_ps, err);
    }
    return ok;
}

bool sim_shape_boxes(struct sim_scenario *sc, int count, const struct sim_box_spec *box,
                     int64_t rate_bps, sim_ps delay_ps, struct err *err)
{
    uint32_t sw = 0;
    if (!in_range("boxes", count, err) ||
        (box->nics > 0 && !sim_scenario_node(sc, "sw", SIM_SWITCH, &sw, err))) {
        return false;
    }
    if (box->nics == 0 && count > 1) {
        return err_set(err, ERR_RANGE, "%d boxes without NICs are not connected", count);
    }
    for (int i = 0; i < count; i++) {
        if (!attach(sc, i + 1, box, sw, rate_bps, delay_ps, err)) {
            return false;
        }
    }
    return true;
}

bool sim_shape_box_pair(struct sim_scenario *sc, const struct sim_box_spec *box, int64_t rate_bps,
                        sim_ps delay_ps, struct err *err)
{
    uint32_t near[SIM_BOX_MAX];
    uint32_t far[SIM_BOX_MAX];
    bool ok = can_attach(box, err) && sim_shape_box(sc, 1, box, near, err) &&
              sim_shape_box(sc, 2, box, far, err);
    for (int i = 0; i < box->nics && ok; i++) {
        ok = sim_scenario_link(sc, near[i], far[i], rate_bps, delay_ps, err);
    }
    return ok;
}

/* ---- rails ----------------------------------------------------------------------------------- */

static bool check_rail(const struct sim_shape_rail *shape, struct err *err)
{
    if (!in_range("boxes", shape->boxes, err) || !can_attach(shape->box, err)) {
        return false;
    }
    if (shape->spines < 0 || shape->spines > SHAPE_MAX) {
        return err_set(err, ERR_RANGE, "spines is %d, it must be from 0 to %d", shape->spines,
                       (int)SHAPE_MAX);
    }
    return shape->box->nics == shape->box->gpus ||
           err_set(err, ERR_RANGE,
                   "on rails each GPU has a NIC of its own: the box has %d GPUs, so nics must be "
                   "%d, it is %d",
                   shape->box->gpus, shape->box->gpus, shape->box->nics);
}

/* The switches: a rail for each NIC of a box, and what joins the rails. */
static bool add_rails(struct sim_scenario *sc, const struct sim_shape_rail *shape,
                      uint32_t rail[SIM_BOX_MAX], struct err *err)
{
    const int64_t uplink = shape->uplink_rate_bps > 0 ? shape->uplink_rate_bps : shape->rate_bps;
    for (int i = 0; i < shape->box->nics; i++) {
        if (!add_numbered(sc, "rail", i + 1, SIM_SWITCH, &rail[i], err)) {
            return false;
        }
    }
    for (int s = 0; s < shape->spines; s++) {
        uint32_t spine;
        bool ok = add_numbered(sc, "spine", s + 1, SIM_SWITCH, &spine, err);
        for (int i = 0; i < shape->box->nics && ok; i++) {
            ok = sim_scenario_link(sc, rail[i], spine, uplink, shape->delay_ps, err);
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}

bool sim_shape_rail(struct sim_scenario *sc, const struct sim_shape_rail *shape, struct err *err)
{
    uint32_t rail[SIM_BOX_MAX];
    if (!check_rail(shape, err) || !add_rails(sc, shape, rail, err)) {
        return false;
    }
    for (int b = 0; b < shape->boxes; b++) {
        uint32_t nic[SIM_BOX_MAX];
        bool ok = sim_shape_box(sc, b + 1, shape->box, nic, err);
        for (int i = 0; i < shape->box->nics && ok; i++) {
            ok = sim_scenario_link(sc, nic[i], rail[i], shape->rate_bps, shape->delay_ps, err);
        }
        if (!ok) {
            return false;
        }
    }
    return true;
}

/* ---- rings ----------------------------------------------------------------------------------- */

static bool check_ring(const struct sim_shape_ring *shape, struct err *err)
{
    const int least = shape->open ? 2 : 3;
    if (shape->switches < least || shape->switches > SHAPE_MAX) {
        return err_set(err, ERR_RANGE, "%s has %d to %d switches, not %d",
                       shape->open ? "a row" : "a ring", least, (int)SHAPE_MAX, shape->switches);
    }
    if (shape->open && shape->clockwise) {
        return err_set(err, ERR_STATE,
                       "an open ring has no way round: open or clockwise, not both");
    }
    return in_range("hosts", shape->hosts, err) && can_attach(shape->box, err);
}

/* All that is not under switch number `at` is sent to the next one. */
static bool turn_clockwise(struct sim_scenario *sc, const uint32_t *sw, const uint32_t *end, int n,
                           int at, struct err *err)
{
    const uint32_t from = sw[at];
    for (uint32_t host = 0; host < sc->node_count; host++) {
        const bool own = host > from && host < end[at];
        if (sc->nodes[host].kind != SIM_SWITCH && !own &&
            !sim_scenario_route(sc, from, host, sw[(at + 1) % n], err)) {
            return false;
        }
    }
    return true;
}

bool sim_shape_ring(struct sim_scenario *sc, const struct sim_shape_ring *shape, struct err *err)
{
    uint32_t sw[SHAPE_MAX];
    uint32_t end[SHAPE_MAX]; /* behind the last node under that switch */
    const int64_t trunk = shape->trunk_rate_bps > 0 ? shape->trunk_rate_bps : shape->rate_bps;
    if (!check_ring(shape, err)) {
        return false;
    }
    const int n = shape->switches;
    for (int i = 0; i < n; i++) {
        bool ok = add_numbered(sc, "sw", i + 1, SIM_SWITCH, &sw[i], err);
        for (int h = 0; h < shape->hosts && ok; h++) {
            ok = attach(sc, i * shape->hosts + h + 1, shape->box, sw[i], shape->rate_bps,
                        shape->delay_ps, err);
        }
        if (!ok) {
            return false;
        }
        end[i] = (uint32_t)sc->node_count;
    }
    for (int i = 0; i < n - shape->open; i++) {
        if (!sim_scenario_link(sc, sw[i], sw[(i + 1) % n], trunk, shape->delay_ps, err)) {
            return false;
        }
    }
    for (int i = 0; i < n && shape->clockwise; i++) {
        if (!turn_clockwise(sc, sw, end, n, i, err)) {
            return false;
        }
    }
    return true;
}
