/*
 * weft.scenario{...} as a sim_scenario.
 */
#include "lesson/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/mem.h"
#include "lesson/api.h"

/* Notes an error of sim/ at a line. */
static bool noted(bool ok, struct lesson_problems *problems, int line, const struct err *err)
{
    return ok || lesson_problem_err(problems, line, err);
}

static int64_t value_or(const struct lesson_value *v, int64_t otherwise)
{
    return v->given ? v->num : otherwise;
}

/* ---- fabrics --------------------------------------------------------------------------------- */

static bool shape_leaf_spine(const struct lesson_value *v, struct sim_scenario *sc, struct err *err)
{
    const struct sim_shape_tier tier = {
        .leaves = (int)v[LESSON_LEAF_SPINE_leaves].num,
        .spines = (int)v[LESSON_LEAF_SPINE_spines].num,
        .hosts_per_leaf = (int)v[LESSON_LEAF_SPINE_hosts].num,
        .rate_bps = v[LESSON_LEAF_SPINE_rate].num,
        .uplink_rate_bps = value_or(&v[LESSON_LEAF_SPINE_uplink_rate], 0),
        .delay_ps = v[LESSON_LEAF_SPINE_delay].num,
    };
    return sim_shape_leaf_spine(sc, &tier, err);
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

/* The fabric is on top of the stack; pops it. */
static bool build_fabric(lua_State *L, int line, struct lesson_problems *problems,
                         struct sim_scenario *sc)
{
    static const struct {
        enum lesson_kind kind;
        bool (*shape)(const struct lesson_value *v, struct sim_scenario *sc, struct err *err);
    } shapes[] = {
        { LESSON_KIND_LEAF_SPINE, shape_leaf_spine },
        { LESSON_KIND_STAR, shape_star },
        { LESSON_KIND_PAIR, shape_pair },
    };
    struct lesson_values values = { 0 };
    struct err err = { 0 };
    bool ok = false;
    const enum lesson_kind kind = lesson_api_kind(L, -1, NULL);
    const struct lesson_place before = lesson_api_enter(L, -1, problems);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (shapes[i].kind == kind) {
            ok = lesson_api_read(L, -1, kind, line, problems, &values) &&
                 noted(shapes[i].shape(values.v, sc, &err), problems, line, &err);
        }
    }
    lesson_problems_leave(problems, before);
    lua_pop(L, 1);
    return ok;
}

/* ---- workloads ------------------------------------------------------------------------------- */

static bool build_training(lua_State *L, int line, struct lesson_problems *problems,
                           struct sim_scenario *sc)
{
    struct lesson_values t = { 0 }, ring = { 0 };
    bool ok = lesson_api_read(L, -1, LESSON_KIND_TRAINING, line, problems, &t);
    if (!t.v[LESSON_TRAINING_collective].given) {
        return false;
    }
    lesson_api_push(L, -1, LESSON_TRAINING_collective);
    const int ring_line = t.v[LESSON_TRAINING_collective].line;
    const struct lesson_place before = lesson_api_enter(L, -1, problems);
    ok = lesson_api_read(L, -1, LESSON_KIND_RING, ring_line, problems, &ring) && ok;
    lesson_problems_leave(problems, before);
    lua_pop(L, 1);
    const struct sim_training_spec spec = {
        .bytes = ring.v[LESSON_RING_bytes].num,
        .bucket_bytes = value_or(&ring.v[LESSON_RING_bucket], 0),
        .compute_ps = t.v[LESSON_TRAINING_compute].num,
        .steps = t.v[LESSON_TRAINING_steps].num,
    };
    struct err err = { 0 };
    return ok && noted(sim_scenario_training(sc, &spec, &err), problems, line, &err);
}

static bool build_flow(lua_State *L, int line, struct lesson_problems *problems,
                       struct sim_scenario *sc)
{
    struct lesson_values f = { 0 };
    if (!lua_istable(L, -1)) {
        return lesson_problem(problems, line, "weft.flows holds tables { src, dst, bytes }");
    }
    if (!lesson_api_read_part(L, -1, LESSON_KIND_FLOW, line, problems, &f)) {
        return false;
    }
    uint32_t ends[2];
    for (int i = 0; i < 2; i++) {
        const struct lesson_value *name = &f.v[i == 0 ? LESSON_FLOW_src : LESSON_FLOW_dst];
        ends[i] = sim_scenario_find(sc, name->s);
        if (ends[i] == UINT32_MAX) {
            return lesson_problem(problems, line, "there is no host %.40s in this fabric", name->s);
        }
    }
    struct err err = { 0 };
    return noted(sim_scenario_flow(sc, ends[0], ends[1], f.v[LESSON_FLOW_bytes].num,
                                   value_or(&f.v[LESSON_FLOW_start], 0), &err),
                 problems, line, &err);
}

static bool build_flows(lua_State *L, int line, struct lesson_problems *problems,
                        struct sim_scenario *sc)
{
    struct lesson_values none = { 0 };
    bool ok = lesson_api_read(L, -1, LESSON_KIND_FLOWS, line, problems, &none);
    lesson_api_push_fields(L, -1);
    const int n = lesson_api_length(L, -1);
    for (int i = 1; i <= n; i++) {
        lua_rawgeti(L, -1, i);
        const int at = lesson_source_line(problems->source, line, "flows", NULL, i);
        ok = build_flow(L, at, problems, sc) && ok;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return n > 0 ? ok : lesson_problem(problems, line, "weft.flows is empty");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool build_knobs(lua_State *L, int line, struct lesson_problems *problems,
                        struct sim_scenario *sc)
{
    size_t count = 0;
    struct sim_cmd *cmds = lesson_api_read_knobs(L, "set", line, problems, &count);
    lua_pop(L, 1);
    if (cmds == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        sc->knobs.v[cmds[i].knob] = cmds[i].value;
    }
    free(cmds);
    return true;
}

static char *scale_line(const struct lesson_values *s)
{
    const struct lesson_value *true_size = &s->v[LESSON_SCENARIO_true_size];
    const struct lesson_value *shrunk = &s->v[LESSON_SCENARIO_shrunk];
    struct text line = { 0 };
    if (true_size->given) {
        text_add(&line, "true size: ");
        text_add_clean(&line, true_size->s, strlen(true_size->s), false);
    }
    if (shrunk->given) {
        text_addf(&line, "%sshrunk: ", true_size->given ? "   " : "");
        text_add_clean(&line, shrunk->s, strlen(shrunk->s), false);
    }
    return line.s;
}

bool lesson_build_scenario(lua_State *L, int index, const char *name, int line,
                           struct lesson_problems *problems, struct sim_scenario *sc, char **scale)
{
    index = lua_absindex(L, index);
    struct lesson_values s = { 0 };
    bool ok = lesson_api_read(L, index, LESSON_KIND_SCENARIO, line, problems, &s);
    const struct lesson_value *own_name = &s.v[LESSON_SCENARIO_name];
    struct text clean = { 0 };
    text_add_clean(&clean, own_name->given ? own_name->s : name,
                   strlen(own_name->given ? own_name->s : name), false);
    sim_scenario_init(sc, text_str(&clean));
    text_finish(&clean);
    if (s.v[LESSON_SCENARIO_fabric].given) {
        lesson_api_push(L, index, LESSON_SCENARIO_fabric);
        ok = build_fabric(L, s.v[LESSON_SCENARIO_fabric].line, problems, sc) && ok;
    }
    if (s.v[LESSON_SCENARIO_workload].given) {
        const int at = s.v[LESSON_SCENARIO_workload].line;
        lesson_api_push(L, index, LESSON_SCENARIO_workload);
        const struct lesson_place before = lesson_api_enter(L, -1, problems);
        ok = (lesson_api_kind(L, -1, NULL) == LESSON_KIND_TRAINING ? build_training : build_flows)(
                 L, at, problems, sc) &&
             ok;
        lesson_problems_leave(problems, before);
        lua_pop(L, 1);
    }
    if (s.v[LESSON_SCENARIO_set].given) {
        lesson_api_push(L, index, LESSON_SCENARIO_set);
        ok = build_knobs(L, s.v[LESSON_SCENARIO_set].line, problems, sc) && ok;
    }
    if (scale != NULL) {
        *scale = scale_line(&s);
    }
    struct err err = { 0 };
    return ok && noted(sim_scenario_check(sc, &err), problems, line, &err);
}
