/*
 * What ports do with priorities and virtual lanes.
 */
#include "lesson/data.h"

#include "lesson/api.h"

/* classes = { [3] = { weight = 50, lossless = true } }: on top of the stack. */
bool lesson_build_classes(lua_State *L, int line, struct lesson_problems *problems,
                          struct sim_scenario *sc)
{
    bool ok = true;
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        const bool right = lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 0 &&
                           lua_tointeger(L, -2) < SIM_PRIO_COUNT;
        if (!right || !lua_istable(L, -1)) {
            ok = lesson_problem(problems, line,
                                "classes takes [0] to [%d] = { weight = ..., lossless = ... }",
                                SIM_PRIO_COUNT - 1);
            continue;
        }
        struct lesson_values c = { 0 };
        struct sim_class_spec *spec = &sc->classes[lua_tointeger(L, -2)];
        ok = lesson_api_read_part(L, -1, LESSON_KIND_CLASS, line, problems, &c) && ok;
        spec->weight = (int)lesson_value_or(&c.v[LESSON_CLASS_weight], spec->weight);
        spec->vl = (uint32_t)lesson_value_or(&c.v[LESSON_CLASS_vl], spec->vl);
        spec->lossless = lesson_value_or(&c.v[LESSON_CLASS_lossless], spec->lossless) != 0;
    }
    return ok;
}

/* One table of vl_arbitration, on top of the stack: { { vl = 3, weight = 64 }, ... } */
static bool build_table(lua_State *L, const char *name, int line, struct lesson_problems *problems,
                        struct sim_scenario *sc, enum sim_vl_table table)
{
    const int n = lesson_api_length(L, -1);
    bool ok = true;
    for (int i = 1; i <= n; i++) {
        struct lesson_values e = { 0 };
        struct err err = { 0 };
        const int at = lesson_source_line(problems->source, line, name, NULL, i);
        if (lua_rawgeti(L, -1, i) != LUA_TTABLE) {
            ok = lesson_problem(problems, at,
                                "vl_arbitration.%s holds tables { vl = 3, weight = 64 }", name);
        } else if (lesson_api_read_part(L, -1, LESSON_KIND_ENTRY, at, problems, &e)) {
            const struct sim_vl_entry entry = { .table = table,
                                                .vl = (uint32_t)e.v[LESSON_ENTRY_vl].num,
                                                .weight = (uint32_t)e.v[LESSON_ENTRY_weight].num };
            ok = lesson_noted(sim_scenario_vl(sc, &entry, &err), problems, at, &err) && ok;
        } else {
            ok = false;
        }
        lua_pop(L, 1);
    }
    return ok;
}

/* vl_arbitration = { high = {...}, low = {...}, limit = 4 }: on top of the stack. */
bool lesson_build_arbitration(lua_State *L, int line, struct lesson_problems *problems,
                              struct sim_scenario *sc)
{
    static const struct {
        const char *name;
        enum lesson_field field;
    } tables[] = { [SIM_VL_HIGH] = { "high", LESSON_ARBITRATION_high },
                   [SIM_VL_LOW] = { "low", LESSON_ARBITRATION_low } };
    struct lesson_values a = { 0 };
    if (!lesson_api_read_part(L, -1, LESSON_KIND_ARBITRATION, line, problems, &a)) {
        return false;
    }
    bool ok = true;
    for (int t = 0; t < SIM_VL_TABLES; t++) {
        const struct lesson_value *value = &a.v[tables[t].field];
        if (value->given) {
            lua_pushstring(L, tables[t].name);
            lua_rawget(L, -2);
            ok = build_table(L, tables[t].name, value->line, problems, sc, (enum sim_vl_table)t) &&
                 ok;
            lua_pop(L, 1);
        }
    }
    if (ok && sc->vl_entry_count == 0) {
        ok = lesson_problem(problems, line,
                            "vl_arbitration has no entries: high = { { vl = 3, weight = 64 } }");
    }
    sc->vl_limit = lesson_value_or(&a.v[LESSON_ARBITRATION_limit], 0);
    return ok;
}
