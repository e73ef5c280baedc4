/*
 * weft.scenario{...} as a sim_scenario. Fabric, classes and workload are in build_fabric.c, build_lanes.c,
 * build_work.c.
 */
#include "lesson/data.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/api.h"

bool lesson_noted(bool ok, struct lesson_problems *problems, int line, const struct err *err)
{
    return ok || (!problems->adrift && lesson_problem_err(problems, line, err));
}

int64_t lesson_value_or(const struct lesson_value *v, int64_t otherwise)
{
    return v->given ? v->num : otherwise;
}

bool lesson_find_node(const struct sim_scenario *sc, const struct lesson_value *name, bool host,
                      struct lesson_problems *problems, uint32_t *node)
{
    *node = sim_scenario_find(sc, name->s);
    if (*node != UINT32_MAX && (!host || sc->nodes[*node].kind != SIM_SWITCH)) {
        return true;
    }
    if (problems->adrift) {
        return false;
    }
    const char **names = mem_alloc(sc->node_count + 1, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < sc->node_count; i++) {
        if (!host || sc->nodes[i].kind != SIM_SWITCH) {
            names[n++] = sc->nodes[i].name;
        }
    }
    const char *near = lesson_nearest(names, name->s);
    (void)lesson_problem(problems, name->line, "there is no %s %.40s in this fabric%s%s%s",
                         host ? "host" : "node", name->s, near != NULL ? "; did you mean " : "",
                         near != NULL ? near : "", near != NULL ? "?" : "");
    free(names);
    return false;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool build_knobs(lua_State *L, int line, struct lesson_problems *problems,
                        struct sim_scenario *sc)
{
    size_t count = 0;
    struct sim_cmd *cmds = lesson_api_read_knobs(L, "set", line, problems, &count);
    if (cmds == NULL) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        sc->knobs.v[cmds[i].knob] = cmds[i].value;
    }
    free(cmds);
    return true;
}

/* One entry of faults, on top of the stack: { at = "1ms", "slow g2 50%" }. */
static bool build_fault(lua_State *L, int line, struct lesson_problems *problems,
                        struct sim_scenario *sc)
{
    struct lesson_values f = { 0 };
    struct err err = { 0 };
    struct sim_cmd cmd;
    if (!lua_istable(L, -1)) {
        return lesson_problem(problems, line,
                              "faults holds tables { at = \"1ms\", \"slow g2 50%%\" }");
    }
    if (!lesson_api_read_part(L, -1, LESSON_KIND_FAULTS, line, problems, &f)) {
        return false;
    }
    const bool text = lua_rawgeti(L, -1, 1) == LUA_TSTRING && lua_rawlen(L, -2) == 1;
    const char *command = text ? lua_tostring(L, -1) : "";
    const bool ok =
        text ? lesson_noted(sim_cmd_parse(command, &cmd, &err) &&
                                sim_scenario_fault(sc, lesson_value_or(&f.v[LESSON_FAULTS_at], 0),
                                                   &cmd, &err),
                            problems, line, &err)
             : lesson_problem(problems, line,
                              "a fault is one command: { at = \"1ms\", \"slow g2 50%%\" }");
    lua_pop(L, 1);
    return ok;
}

/* One entry of routes, on top of the stack: { at = "leaf1", to = "g7", via = "spine1" }. */
static bool build_route(lua_State *L, int line, struct lesson_problems *problems,
                        struct sim_scenario *sc)
{
    struct lesson_values r = { 0 };
    struct err err = { 0 };
    uint32_t at, to, via;
    if (!lua_istable(L, -1)) {
        return lesson_problem(
            problems, line,
            "routes holds tables { at = \"leaf1\", to = \"g7\", via = \"spine1\" }");
    }
    return lesson_api_read_part(L, -1, LESSON_KIND_ROUTE, line, problems, &r) &&
           lesson_find_node(sc, &r.v[LESSON_ROUTE_at], false, problems, &at) &&
           lesson_find_node(sc, &r.v[LESSON_ROUTE_to], true, problems, &to) &&
           lesson_find_node(sc, &r.v[LESSON_ROUTE_via], false, problems, &via) &&
           lesson_noted(sim_scenario_route(sc, at, to, via, &err), problems, line, &err);
}

/* One entry of pins, on top of the stack: { flow = "g1>g5", via = "spine2" }. */
static bool build_pin(lua_State *L, int line, struct lesson_problems *problems,
                      struct sim_scenario *sc)
{
    struct lesson_values p = { 0 };
    struct err err = { 0 };
    uint32_t via;
    if (!lua_istable(L, -1)) {
        return lesson_problem(problems, line,
                              "pins holds tables { flow = \"g1>g5\", via = \"spine2\" }");
    }
    return lesson_api_read_part(L, -1, LESSON_KIND_PIN, line, problems, &p) &&
           lesson_find_node(sc, &p.v[LESSON_PIN_via], false, problems, &via) &&
           lesson_noted(sim_scenario_pin(sc, p.v[LESSON_PIN_flow].s, via, &err), problems, line,
                        &err);
}

/* The list on top of the stack, entry by entry. */
static bool build_list(lua_State *L, const char *name, int line, struct lesson_problems *problems,
                       struct sim_scenario *sc,
                       bool (*build)(lua_State *L, int line, struct lesson_problems *problems,
                                     struct sim_scenario *sc))
{
    bool ok = true;
    const int n = lesson_api_length(L, -1);
    for (int i = 1; i <= n; i++) {
        lua_rawgeti(L, -1, i);
        ok =
            build(L, lesson_source_line(problems->source, line, name, NULL, i), problems, sc) && ok;
        lua_pop(L, 1);
    }
    return ok;
}

static bool build_faults(lua_State *L, int line, struct lesson_problems *problems,
                         struct sim_scenario *sc)
{
    return build_list(L, "faults", line, problems, sc, build_fault);
}

static bool build_routes(lua_State *L, int line, struct lesson_problems *problems,
                         struct sim_scenario *sc)
{
    return build_list(L, "routes", line, problems, sc, build_route);
}

static bool build_pins(lua_State *L, int line, struct lesson_problems *problems,
                       struct sim_scenario *sc)
{
    return build_list(L, "pins", line, problems, sc, build_pin);
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
    /* In this order: a load is a share of a line, in packets of the MTU. */
    static const struct {
        enum lesson_field field;
        bool (*build)(lua_State *L, int line, struct lesson_problems *problems,
                      struct sim_scenario *sc);
    } parts[] = {
        { LESSON_SCENARIO_set, build_knobs },
        { LESSON_SCENARIO_classes, lesson_build_classes },
        { LESSON_SCENARIO_vl_arbitration, lesson_build_arbitration },
        { LESSON_SCENARIO_fabric, lesson_build_fabric },
        { LESSON_SCENARIO_routes, build_routes },
        { LESSON_SCENARIO_workload, lesson_build_work },
        { LESSON_SCENARIO_pins, build_pins },
        { LESSON_SCENARIO_faults, build_faults },
    };
    problems->adrift = !s.v[LESSON_SCENARIO_fabric].given;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (s.v[parts[i].field].given) {
            lesson_api_push(L, index, parts[i].field);
            ok = parts[i].build(L, s.v[parts[i].field].line, problems, sc) && ok;
            lua_pop(L, 1);
        }
    }
    problems->adrift = false;
    if (scale != NULL) {
        *scale = scale_line(&s);
    }
    struct err err = { 0 };
    return ok && lesson_noted(sim_scenario_check(sc, &err), problems, line, &err);
}
