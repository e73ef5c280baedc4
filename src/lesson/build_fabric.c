/*
 * The fabric of a scenario: one of the shapes, or nodes and cables one by one.
 */
#include "lesson/data.h"

#include <string.h>

#include "lesson/api.h"

/* ---- shapes  --------------------------------------------------------------------------------- */

static bool shape_leaf_spine(const struct lesson_value *v, struct sim_scenario *sc, struct err *err)
{
    const struct sim_shape_tier tier = {
        .leaves = (int)v[LESSON_LEAF_SPINE_leaves].num,
        .spines = (int)v[LESSON_LEAF_SPINE_spines].num,
        .hosts_per_leaf = (int)v[LESSON_LEAF_SPINE_hosts].num,
        .rate_bps = v[LESSON_LEAF_SPINE_rate].num,
        .uplink_rate_bps = lesson_value_or(&v[LESSON_LEAF_SPINE_uplink_rate], 0),
        .delay_ps = v[LESSON_LEAF_SPINE_delay].num,
    };
    return sim_shape_leaf_spine(sc, &tier, err);
}

static bool shape_fat_tree(const struct lesson_value *v, struct sim_scenario *sc, struct err *err)
{
    return sim_shape_fat_tree(sc, (int)v[LESSON_FAT_TREE_ports].num, v[LESSON_FAT_TREE_rate].num,
                              v[LESSON_FAT_TREE_delay].num, err);
}

static bool shape_star(const struct lesson_value *v, struct sim_scenario *sc, struct err *err)
{
    return sim_shape_star(sc, (int)v[LESSON_STAR_hosts].num, v[LESSON_STAR_rate].num,
                          v[LESSON_STAR_delay].num, err);
}

static bool shape_pair(const struct lesson_value *v, struct sim_scenario *sc, struct err *err)
{
    return sim_shape_pair(sc, v[LESSON_PAIR_rate].num, v[LESSON_PAIR_delay].num, err);
}

/* ---- free building --------------------------------------------------------------------------- */

static bool build_node(lua_State *L, int line, struct lesson_problems *problems,
                       struct sim_scenario *sc)
{
    struct lesson_values n = { 0 };
    struct err err = { 0 };
    return lesson_api_read(L, -1, LESSON_KIND_NODE, line, problems, &n) &&
           lesson_noted(sim_scenario_node(sc, n.v[LESSON_NODE_name].s,
                                          (enum sim_node_kind)n.v[LESSON_NODE_kind].num, NULL,
                                          &err),
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
    return lesson_find_node(sc, &l.v[LESSON_LINK_b], false, problems, &b) && known &&
           lesson_noted(sim_scenario_link(sc, a, b, l.v[LESSON_LINK_rate].num,
                                          l.v[LESSON_LINK_delay].num, &err),
                        problems, line, &err);
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
    return lesson_api_read(L, -1, LESSON_KIND_FABRIC, line, problems, &f) &&
           build_list(L, LESSON_FABRIC_nodes, LESSON_KIND_NODE, f.v[LESSON_FABRIC_nodes].line,
                      problems, sc) &&
           build_list(L, LESSON_FABRIC_links, LESSON_KIND_LINK, f.v[LESSON_FABRIC_links].line,
                      problems, sc);
}

bool lesson_build_fabric(lua_State *L, int line, struct lesson_problems *problems,
                         struct sim_scenario *sc)
{
    static const struct {
        enum lesson_kind kind;
        bool (*shape)(const struct lesson_value *v, struct sim_scenario *sc, struct err *err);
    } shapes[] = {
        { LESSON_KIND_LEAF_SPINE, shape_leaf_spine },
        { LESSON_KIND_FAT_TREE, shape_fat_tree },
        { LESSON_KIND_STAR, shape_star },
        { LESSON_KIND_PAIR, shape_pair },
    };
    struct lesson_values values = { 0 };
    struct err err = { 0 };
    bool ok = false;
    const enum lesson_kind kind = lesson_api_kind(L, -1, NULL);
    const struct lesson_place before = lesson_api_enter(L, -1, problems);
    if (kind == LESSON_KIND_FABRIC) {
        ok = build_free(L, line, problems, sc);
    }
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (shapes[i].kind == kind) {
            ok = lesson_api_read(L, -1, kind, line, problems, &values) &&
                 lesson_noted(shapes[i].shape(values.v, sc, &err), problems, line, &err);
        }
    }
    lesson_problems_leave(problems, before);
    return ok;
}
