/*
 * The views of a report: one __index for all. Their fields are in measure_fields.c.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <lauxlib.h>

#include "base/units.h"
#include "lesson/host.h"
#include "lesson/measure_inside.h"
#include "lesson/quantity.h"

#define VIEW "report"

static const char context_key;

struct measure_context *measure_context(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &context_key);
    struct measure_context *context = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return context;
}

void measure_push_view(lua_State *L, enum view_kind kind, const struct report *report, size_t at)
{
    struct view *view = lua_newuserdatauv(L, sizeof *view, 0);
    *view = (struct view){ kind, false, measure_context(L)->call, report, at };
    luaL_setmetatable(L, VIEW);
}

struct view *measure_check_view(lua_State *L, int index)
{
    struct view *view = luaL_checkudata(L, index, VIEW);
    const struct measure_context *context = measure_context(L);
    if (context->measure == NULL || view->call != context->call) {
        luaL_error(L,
                   "the report is gone: it can be looked at only in the function it was given to");
    }
    return view;
}

/* ---- indexing -------------------------------------------------------------------------------- */

static int index_steps(lua_State *L, const struct view *view)
{
    const lua_Integer i = luaL_checkinteger(L, 2);
    const int64_t total = sim_step_total(view->report->sim);
    if (i < 1 || i > total) {
        char steps[48];
        return luaL_error(
            L, "steps[%d]: this scene has %s", (int)i,
            units_counted(steps, sizeof steps, total, "training step", "training steps"));
    }
    if ((size_t)i > view->report->step_count) {
        return lesson_host_pending(L);
    }
    measure_push_view(L, VIEW_STEP, view->report, (size_t)i - 1);
    return 1;
}

static int index_scenes(lua_State *L)
{
    const struct lesson_measure *measure = measure_context(L)->measure;
    const char *name = luaL_checkstring(L, 2);
    for (size_t i = 0; i < measure->scene_count; i++) {
        if (strcmp(measure->scenes[i], name) == 0) {
            if (measure->sight.reports[i] == NULL) {
                return lesson_host_pending(L);
            }
            measure_push_view(L, VIEW_REPORT, measure->sight.reports[i], 0);
            return 1;
        }
    }
    return luaL_error(L, "scenes.%s: the lesson has no such scene", name);
}

static int index_set(lua_State *L, const struct view *view)
{
    const char *name = luaL_checkstring(L, 2);
    const enum sim_knob knob = sim_knob_find(name);
    if (knob == SIM_KNOB_COUNT) {
        return luaL_error(L, "set.%s: no such switch; did you mean `%s`?", name,
                          sim_knob_nearest(name));
    }
    const struct sim_knob_info *info = sim_knob_info(knob);
    const int64_t value = sim_knob(view->report->sim, knob);
    if (info->type == SIM_KNOB_NUMBER && value != SIM_AUTO && value != SIM_UNLIMITED) {
        if (info->unit == UNIT_COUNT) {
            lua_pushinteger(L, value);
        } else {
            lesson_quantity_push(L, info->unit, value);
        }
        return 1;
    }
    char buf[64];
    lua_pushstring(L, sim_knob_format(knob, value, false, buf, sizeof buf));
    return 1;
}
static int view_index(lua_State *L)
{
    const struct view *view = measure_check_view(L, 1);
    if (view->report == NULL) {
        if (view->kind == VIEW_REPORT && lua_type(L, 2) == LUA_TSTRING &&
            strcmp(lua_tostring(L, 2), "scenes") == 0) {
            measure_push_view(L, VIEW_SCENES, NULL, 0);
            return 1;
        }
        if (view->kind != VIEW_SCENES) {
            return lesson_host_pending(L);
        }
    }
    if (view->kind == VIEW_STEPS) {
        return index_steps(L, view);
    }
    if (view->kind == VIEW_SCENES) {
        return index_scenes(L);
    }
    if (view->kind == VIEW_SET) {
        return index_set(L, view);
    }
    const char *name = luaL_checkstring(L, 2);
    if (measure_push_field(L, view, name)) {
        return 1;
    }
    if (view->as_env && (strcmp(name, "math") == 0 || strcmp(name, "string") == 0)) {
        lua_getglobal(L, name);
        return 1;
    }
    return measure_no_field(L, view, name);
}

static int view_len(lua_State *L)
{
    const struct view *view = measure_check_view(L, 1);
    if (view->kind != VIEW_STEPS) {
        return luaL_error(L, "only `steps` has a length");
    }
    lua_pushinteger(L, view->report == NULL ? 0 : (lua_Integer)view->report->step_count);
    return 1;
}

static int view_newindex(lua_State *L)
{
    return luaL_error(L, "a report can only be read");
}

static int view_tostring(lua_State *L)
{
    lua_pushliteral(L, "report");
    return 1;
}

/* ---- for C ----------------------------------------------------------------------------------- */

void lesson_measure_open(lua_State *L)
{
    static const luaL_Reg methods[] = {
        { "__index", view_index },
        { "__newindex", view_newindex },
        { "__len", view_len },
        { "__tostring", view_tostring },
        { NULL, NULL },
    };
    lesson_quantity_open(L);
    luaL_newmetatable(L, VIEW);
    luaL_setfuncs(L, methods, 0);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    struct measure_context *context = lua_newuserdatauv(L, sizeof *context, 0);
    *context = (struct measure_context){ 0 };
    lua_rawsetp(L, LUA_REGISTRYINDEX, &context_key);
}

void lesson_measure_begin(lua_State *L, const struct lesson_measure *measure)
{
    struct measure_context *context = measure_context(L);
    context->measure = measure;
    context->call++;
}

void lesson_measure_end(lua_State *L)
{
    measure_context(L)->measure = NULL;
}

void lesson_measure_push(lua_State *L, bool as_env)
{
    const struct lesson_measure *measure = measure_context(L)->measure;
    measure_push_view(L, VIEW_REPORT, measure->sight.reports[measure->sight.scene], 0);
    ((struct view *)lua_touserdata(L, -1))->as_env = as_env;
}

void lesson_measure_push_scene(lua_State *L, int scene)
{
    const struct report *report = measure_context(L)->measure->sight.reports[scene];
    if (report == NULL) {
        (void)lesson_host_pending(L);
    }
    measure_push_view(L, VIEW_REPORT, report, 0);
}

static void say_number(double x, struct text *out)
{
    char buf[64];
    if (fabs(x) >= 999.5 && fabs(x) < 9e15) {
        text_add(out, units_grouped(buf, sizeof buf, llround(x)));
    } else {
        (void)snprintf(buf, sizeof buf, "%.3g", x);
        text_add(out, buf);
    }
}

void lesson_measure_say(lua_State *L, struct text *out)
{
    enum unit_kind unit;
    int64_t value;
    char buf[64];
    if (lesson_quantity_is(L, -1, &unit, &value)) {
        text_add(out, lesson_quantity_say(unit, value, buf, sizeof buf));
    } else if (lua_isinteger(L, -1)) {
        text_add(out, units_grouped(buf, sizeof buf, lua_tointeger(L, -1)));
    } else if (lua_type(L, -1) == LUA_TNUMBER) {
        say_number(lua_tonumber(L, -1), out);
    } else if (lua_type(L, -1) == LUA_TSTRING) {
        size_t len = 0;
        const char *s = lua_tolstring(L, -1, &len);
        text_add_clean(out, s, len, false);
    } else {
        text_addf(out, "(a %s)", luaL_typename(L, -1));
    }
    lua_pop(L, 1);
}
