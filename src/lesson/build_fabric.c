/*
 * The fabric of a scenario: one of the shapes, or nodes and cables one by one.
 */
#include "lesson/data.h"

#include <string.h>

#include "base/units.h"
#include "lesson/api.h"
#include "sim/inside.h"

#define INSIDE_DELAY UNIT_NS /* 20 cm */

/* ---- shapes  --------------------------------------------------------------------------------- */

/* `box`: what each host is; NULL: a plain one. */
static bool shape_leaf_spine(const struct lesson_value *v, const struct sim_box_spec *box,
                             struct sim_scenario *sc, struct err *err)
{
    const struct sim_shape_tier tier = {
        .leaves = (int)v[LESSON_LEAF_SPINE_leaves].num,
        .spines = (int)v[LESSON_LEAF_SPINE_spines].num,
        .hosts_per_leaf = (int)v[LESSON_LEAF_SPINE_hosts].num,
        .rate_bps = v[LESSON_LEAF_SPINE_rate].num,
        .uplink_rate_bps = lesson_value_or(&v[LESSON_LEAF_SPINE_uplink_rate], 0),
        .delay_ps = v[LESSON_LEAF_SPINE_delay].num,
        .box = box,
    };
    return sim_shape_leaf_spine(sc, &tier, err);
}

static bool shape_fat_tree(const struct lesson_value *v, const struct sim_box_spec *box,
                           struct sim_scenario *sc, struct err *err)
{
    return sim_shape_fat_tree_of(sc, (int)v[LESSON_FAT_TREE_ports].num, box,
                                 v[LESSON_FAT_TREE_rate].num, v[LESSON_FAT_TREE_delay].num, err);
}

static bool shape_star(const struct lesson_value *v, const struct sim_box_spec *box,
                       struct sim_scenario *sc, struct err *err)
{
    const int hosts = (int)v[LESSON_STAR_hosts].num;
    const int64_t rate = v[LESSON_STAR_rate].num;
    const sim_ps delay = v[LESSON_STAR_delay].num;
    return box != NULL ? sim_shape_boxes(sc, hosts, box, rate, delay, err)
                       : sim_shape_star(sc, hosts, rate, delay, err);
}

static bool shape_pair(const struct lesson_value *v, const struct sim_box_spec *box,
                       struct sim_scenario *sc, struct err *err)
{
    const int64_t rate = v[LESSON_PAIR_rate].num;
    const sim_ps delay = v[LESSON_PAIR_delay].num;
    return box != NULL ? sim_shape_box_pair(sc, box, rate, delay, err)
                       : sim_shape_pair(sc, rate, delay, err);
}

static bool shape_rail(const struct lesson_value *v, const struct sim_box_spec *box,
                       struct sim_scenario *sc, struct err *err)
{
    const struct sim_shape_rail rail = {
        .boxes = (int)v[LESSON_RAIL_boxes].num,
        .spines = (int)lesson_value_or(&v[LESSON_RAIL_spines], 0),
        .box = box,
        .rate_bps = v[LESSON_RAIL_rate].num,
        .uplink_rate_bps = lesson_value_or(&v[LESSON_RAIL_uplink_rate], 0),
        .delay_ps = v[LESSON_RAIL_delay].num,
    };
    return sim_shape_rail(sc, &rail, err);
}

static bool shape_ring(const struct lesson_value *v, const struct sim_box_spec *box,
                       struct sim_scenario *sc, struct err *err)
{
    const struct sim_shape_ring ring = {
        .switches = (int)v[LESSON_CIRCLE_switches].num,
        .hosts = (int)v[LESSON_CIRCLE_hosts].num,
        .open = v[LESSON_CIRCLE_open].num != 0,
        .clockwise = v[LESSON_CIRCLE_clockwise].num != 0,
        .box = box,
        .rate_bps = v[LESSON_CIRCLE_rate].num,
        .trunk_rate_bps = lesson_value_or(&v[LESSON_CIRCLE_trunk_rate], 0),
        .delay_ps = v[LESSON_CIRCLE_delay].num,
    };
    return sim_shape_ring(sc, &ring, err);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

/* A field of the box on top of the stack that is a generation or a rate; 0: it is not given. */
static bool read_bus(lua_State *L, const struct lesson_value *v, enum lesson_field field,
                     enum sim_link_kind kind, int lanes, struct lesson_problems *problems,
                     int64_t *rate_bps)
{
    struct err err = { 0 };
    const char *name = sim_link_kind_word(kind);
    bool ok = true;
    *rate_bps = 0;
    if (!v[field].given) {
        return true;
    }
    lesson_api_push(L, -1, field);
    if (lua_isinteger(L, -1)) {
        const lua_Integer gen = lua_tointeger(L, -1);
        ok = lesson_noted(
            sim_inside_rate(kind, gen < 0 || gen > 100 ? 0 : (int)gen, lanes, rate_bps, &err),
            problems, v[field].line, &err);
    } else if (lua_type(L, -1) == LUA_TSTRING) {
        ok = units_parse(lua_tostring(L, -1), UNIT_RATE, rate_bps, &err) ||
             lesson_noted(err_note(&err, "box.%s", name), problems, v[field].line, &err);
    } else {
        ok =
            lesson_problem(problems, v[field].line,
                           "box.%s wants a generation (a number) or a rate like \"450GB/s\"", name);
    }
    lua_pop(L, 1);
    return ok;
}

/* The weft.box on top of the stack, made in `line`. `paired`: unless it says otherwise each GPU has a
 * NIC and a PCIe switch of its own. */
static bool read_box(lua_State *L, int line, bool paired, struct lesson_problems *problems,
                     struct sim_box_spec *box)
{
    struct lesson_values b = { 0 };
    if (!lesson_api_read(L, -1, LESSON_KIND_BOX, line, problems, &b)) {
        return false;
    }
    const int lanes = (int)lesson_value_or(&b.v[LESSON_BOX_lanes], 16);
    const int64_t each = paired ? b.v[LESSON_BOX_gpus].num : 0;
    *box = (struct sim_box_spec){
        .gpus = (int)b.v[LESSON_BOX_gpus].num,
        .nics = (int)lesson_value_or(&b.v[LESSON_BOX_nics], each),
        .switches = (int)lesson_value_or(&b.v[LESSON_BOX_switches], each),
        .memory_bps = lesson_value_or(&b.v[LESSON_BOX_memory], 0),
        .delay_ps = lesson_value_or(&b.v[LESSON_BOX_delay], INSIDE_DELAY),
    };
    return read_bus(L, b.v, LESSON_BOX_nvlink, SIM_LINK_NVLINK, 0, problems, &box->nvlink_bps) &&
           read_bus(L, b.v, LESSON_BOX_pcie, SIM_LINK_PCIE, lanes, problems, &box->pcie_bps);
}

/* The box that the hosts of the shape on top of the stack are, if its field says so. */
static bool read_hosts(lua_State *L, const struct lesson_value *v, enum lesson_field field,
                       struct lesson_problems *problems, struct sim_box_spec *spec,
                       const struct sim_box_spec **box)
{
    if (!v[field].given) {
        return true;
    }
    *box = spec;
    lesson_api_push(L, -1, field);
    const struct lesson_place before = lesson_api_enter(L, -1, problems);
    const bool ok = read_box(L, v[field].line, field == LESSON_RAIL_box, problems, spec);
    lesson_problems_leave(problems, before);
    lua_pop(L, 1);
    return ok;
}

static bool build_box(lua_State *L, int line, struct lesson_problems *problems,
                      struct sim_scenario *sc)
{
    struct sim_box_spec box;
    uint32_t nics[SIM_BOX_MAX];
    struct err err = { 0 };
    return read_box(L, line, false, problems, &box) &&
           lesson_noted(sim_shape_box(sc, 1, &box, nics, &err), problems, line, &err);
}

/* ---- free building --------------------------------------------------------------------------- */

static bool build_node(lua_State *L, int line, struct lesson_problems *problems,
                       struct sim_scenario *sc)
{
    struct lesson_values n = { 0 };
    struct err err = { 0 };
    uint32_t node;
    if (!lesson_api_read(L, -1, LESSON_KIND_NODE, line, problems, &n)) {
        return false;
    }
    const struct lesson_value *row = &n.v[LESSON_NODE_row];
    const struct lesson_value *column = &n.v[LESSON_NODE_column];
    if (row->given != column->given) {
        return lesson_problem(problems, line, "weft.node: row and column, or neither");
    }
    return lesson_noted(
        sim_scenario_node(sc, n.v[LESSON_NODE_name].s,
                          (enum sim_node_kind)n.v[LESSON_NODE_kind].num, &node, &err) &&
            (!row->given || sim_scenario_place(sc, node, row->num, column->num, &err)),
        problems, line, &err);
}

/* A cable has a rate or a generation. What is inside a box may leave its length out. */
static bool read_link_rate(const struct lesson_value *v, int line, struct lesson_problems *problems,
                           struct sim_link_spec *link)
{
    struct err err = { 0 };
    const bool pcie = link->kind == SIM_LINK_PCIE;
    if (v[LESSON_LINK_rate].given == v[LESSON_LINK_gen].given) {
        return lesson_problem(problems, line,
                              v[LESSON_LINK_rate].given ? "weft.link: rate or gen, not both"
                                                        : "weft.link needs `rate` (or `gen`)");
    }
    if (link->kind == SIM_LINK_FABRIC && !v[LESSON_LINK_delay].given) {
        return lesson_problem(problems, line, "weft.link needs `delay`");
    }
    link->rate_bps = v[LESSON_LINK_rate].num;
    return v[LESSON_LINK_rate].given ||
           lesson_noted(sim_inside_rate(link->kind, (int)v[LESSON_LINK_gen].num,
                                        (int)lesson_value_or(&v[LESSON_LINK_lanes], pcie ? 16 : 0),
                                        &link->rate_bps, &err),
                        problems, line, &err);
}

static bool build_link(lua_State *L, int line, struct lesson_problems *problems,
                       struct sim_scenario *sc)
{
    struct lesson_values l = { 0 };
    struct err err = { 0 };
    uint32_t a, b;
    if (!lesson_api_read(L, -1, LESSON_KIND_LINK, line, problems, &l)) {
        return false;
    }
    const bool known = lesson_find_node(sc, &l.v[LESSON_LINK_a], false, problems, &a);
    if (!lesson_find_node(sc, &l.v[LESSON_LINK_b], false, problems, &b) || !known) {
        return false;
    }
    struct sim_link_spec link = {
        .a = a,
        .b = b,
        .kind = (enum sim_link_kind)lesson_value_or(&l.v[LESSON_LINK_kind], SIM_LINK_FABRIC),
        .delay_ps = lesson_value_or(&l.v[LESSON_LINK_delay], INSIDE_DELAY),
    };
    return read_link_rate(l.v, line, problems, &link) &&
           lesson_noted(sim_scenario_cable(sc, &link, &err), problems, line, &err);
}

/* The list `field` of the fabric on top of the stack: objects of one kind. */
static bool build_list(lua_State *L, enum lesson_field field, enum lesson_kind kind, int line,
                       struct lesson_problems *problems, struct sim_scenario *sc)
{
    bool ok = true;
    lesson_api_push(L, -1, field);
    const int n = lesson_api_length(L, -1);
    for (int i = 1; i <= n; i++) {
        int at = 0;
        lua_rawgeti(L, -1, i);
        const bool right = lesson_api_kind(L, -1, &at) == kind;
        const struct lesson_place before = lesson_api_enter(L, -1, problems);
        at = at > 0 ? at : line;
        if (!right) {
            ok = lesson_problem(problems, at, "entry %d of this list is no weft.%s", i,
                                lesson_kind_info(kind)->name);
        } else {
            ok = (kind == LESSON_KIND_NODE ? build_node : build_link)(L, at, problems, sc) && ok;
        }
        lesson_problems_leave(problems, before);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return ok;
}

static bool build_free(lua_State *L, int line, struct lesson_problems *problems,
                       struct sim_scenario *sc)
{
    struct lesson_values f = { 0 };
    problems->adrift = !lesson_api_read(L, -1, LESSON_KIND_FABRIC, line, problems, &f) ||
                       !build_list(L, LESSON_FABRIC_nodes, LESSON_KIND_NODE,
                                   f.v[LESSON_FABRIC_nodes].line, problems, sc);
    const bool links =
        f.v[LESSON_FABRIC_links].given && build_list(L, LESSON_FABRIC_links, LESSON_KIND_LINK,
                                                     f.v[LESSON_FABRIC_links].line, problems, sc);
    return links && !problems->adrift;
}

bool lesson_build_fabric(lua_State *L, int line, struct lesson_problems *problems,
                         struct sim_scenario *sc)
{
    static const struct {
        enum lesson_kind kind;
        enum lesson_field box; /* what its hosts are */
        bool (*shape)(const struct lesson_value *v, const struct sim_box_spec *box,
                      struct sim_scenario *sc, struct err *err);
    } shapes[] = {
        { LESSON_KIND_LEAF_SPINE, LESSON_LEAF_SPINE_box, shape_leaf_spine },
        { LESSON_KIND_FAT_TREE, LESSON_FAT_TREE_box, shape_fat_tree },
        { LESSON_KIND_RAIL, LESSON_RAIL_box, shape_rail },
        { LESSON_KIND_CIRCLE, LESSON_CIRCLE_box, shape_ring },
        { LESSON_KIND_STAR, LESSON_STAR_box, shape_star },
        { LESSON_KIND_PAIR, LESSON_PAIR_box, shape_pair },
    };
    bool ok = false;
    const enum lesson_kind kind = lesson_api_kind(L, -1, NULL);
    const struct lesson_place before = lesson_api_enter(L, -1, problems);
    if (kind == LESSON_KIND_FABRIC) {
        ok = build_free(L, line, problems, sc);
    } else if (kind == LESSON_KIND_BOX) {
        ok = build_box(L, line, problems, sc);
    }
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (shapes[i].kind == kind) {
            struct lesson_values values = { 0 };
            struct sim_box_spec spec;
            struct err err = { 0 };
            const struct sim_box_spec *box = NULL;
            ok = lesson_api_read(L, -1, kind, line, problems, &values) &&
                 read_hosts(L, values.v, shapes[i].box, problems, &spec, &box) &&
                 lesson_noted(shapes[i].shape(values.v, box, sc, &err), problems, line, &err);
        }
    }
    lesson_problems_leave(problems, before);
    if (kind != LESSON_KIND_FABRIC) { /* that one knows itself: nodes may be there without cables */
        problems->adrift = !ok;
    }
    return ok;
}
