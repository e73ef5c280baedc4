/*
 * Asking a lesson's functions about a report: truths and claims (prose asks in prose.c).
 */
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "lesson/data.h"
#include "lesson/measure.h"
#include "lesson/quantity.h"

#define EVIDENCE_MAX 4 /* values behind a claim's verdict */

/* Everything that may allocate in Lua happens in here, protected. */
static int ask(lua_State *L)
{
    const struct lesson_question *question = lua_touserdata(L, 1);
    const int results = 1 + question->more;
    lua_rawgeti(L, LUA_REGISTRYINDEX, question->func);
    if (question->scene_count > 0) {
        for (size_t i = 0; i < question->scene_count; i++) {
            lesson_measure_push_scene(L, question->scenes[i]);
        }
        lua_call(L, (int)question->scene_count, results);
        return results;
    }
    lesson_measure_push(L, question->as_env);
    if (!question->as_env) {
        lua_call(L, 1, results);
        return results;
    }
    if (lua_setupvalue(L, -2, 1) == NULL) { /* a chunk's only upvalue is its environment */
        lua_pop(L, 1);
    }
    lua_call(L, 0, 1);
    return 1;
}

bool lesson_ask(struct lesson *lesson, const struct lesson_question *question, struct err *err)
{
    lua_State *L = lesson_host_lua(lesson->host);
    lesson_measure_begin(L, question->measure);
    lua_pushcfunction(L, ask);
    lua_pushlightuserdata(L, (void *)(uintptr_t)question); /* ask() only reads it */
    return lesson_host_call(lesson->host,
                            question->budget != NULL ? question->budget : &lesson_budget_call, 1,
                            1 + question->more, err);
}

/* Calls the item's function with `r`; its result, and `more` of them, are all that is on the stack. */
static bool ask_item(struct lesson *lesson, size_t item, int more, const struct lesson_sight *sight,
                     struct err *err)
{
    const struct lesson_measure measure = { *sight, lesson->scene_names, lesson->scene_count };
    const struct lesson_question question = { .measure = &measure,
                                              .func = lesson->funcs[item],
                                              .more = more,
                                              .scenes = lesson->items[item].scenes,
                                              .scene_count = lesson->items[item].scene_count };
    const bool ok = lesson_ask(lesson, &question, err);
    lesson_measure_end(lesson_host_lua(lesson->host));
    if (!ok && err != NULL && err->where[0] == '\0') {
        (void)err_at(err, lesson->path, lesson->items[item].line);
    }
    return ok;
}

bool lesson_truth(struct lesson *lesson, size_t item, const struct lesson_sight *sight,
                  size_t *choice, struct err *err)
{
    if (lesson->items[item].right > 0) { /* from an earlier lesson: nothing is measured */
        *choice = lesson->items[item].right - 1;
        return true;
    }
    if (!ask_item(lesson, item, 0, sight, err)) {
        return false;
    }
    lua_State *L = lesson_host_lua(lesson->host);
    const struct lesson_item *it = &lesson->items[item];
    bool ok = false;
    if (lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 &&
        (lua_Unsigned)lua_tointeger(L, -1) <= it->choice_count) {
        *choice = (size_t)lua_tointeger(L, -1) - 1;
        ok = true;
    } else if (lua_isnil(L, -1)) {
        (void)err_set(err, ERR_STATE, "this cannot be judged yet");
    } else {
        (void)err_set(err, ERR_SCRIPT, "truth must return the number of a choice, 1 to %d",
                      (int)it->choice_count);
        (void)err_at(err, lesson->path, it->line);
    }
    lua_settop(L, 0);
    return ok;
}

bool lesson_truth_number(struct lesson *lesson, size_t item, const struct lesson_sight *sight,
                         int64_t *number, struct err *err)
{
    if (!ask_item(lesson, item, 0, sight, err)) {
        return false;
    }
    lua_State *L = lesson_host_lua(lesson->host);
    const struct lesson_item *it = &lesson->items[item];
    enum unit_kind unit = it->unit;
    bool ok = true;
    if (lua_isnil(L, -1)) {
        ok = err_set(err, ERR_STATE, "this cannot be judged yet");
    } else if (lua_type(L, -1) == LUA_TNUMBER && (unit == UNIT_COUNT || unit == UNIT_SHARE)) {
        const double x = lua_tonumber(L, -1) * (unit == UNIT_SHARE ? (double)UNIT_ONE : 1);
        ok = fabs(x) < 9e18;
        *number = ok ? llround(x) : 0;
    } else {
        ok = lesson_quantity_is(L, -1, &unit, number) && unit == it->unit;
    }
    if (!ok && err->code == ERR_NONE) {
        (void)err_set(err, ERR_SCRIPT, "truth must return a number of its unit, a %s",
                      lesson_unit_words[it->unit]);
        (void)err_at(err, lesson->path, it->line);
    }
    lua_settop(L, 0);
    return ok;
}

/* What stands behind a claim's `false`, as people read it, into the message of `err`. */
static void say_evidence(lua_State *L, struct err *err)
{
    struct text said = { 0 };
    for (int i = 2; i <= 1 + EVIDENCE_MAX && !lua_isnil(L, i); i++) {
        text_add(&said, said.len > 0 ? ", " : "");
        lua_pushvalue(L, i);
        lesson_measure_say(L, &said);
    }
    (void)err_set(err, ERR_NONE, "%.300s", text_str(&said));
    text_finish(&said);
}

bool lesson_claim(struct lesson *lesson, size_t item, const struct lesson_sight *sight, bool *holds,
                  struct err *err)
{
    *holds = false;
    if (!ask_item(lesson, item, EVIDENCE_MAX, sight, err)) {
        return false;
    }
    lua_State *L = lesson_host_lua(lesson->host);
    const bool is_answer = lua_isboolean(L, 1);
    *holds = lua_toboolean(L, 1) != 0;
    if (is_answer && !*holds) {
        say_evidence(L, err);
    }
    lua_settop(L, 0);
    if (!is_answer) {
        *holds = false;
        (void)err_set(err, ERR_SCRIPT, "%s must return true or false",
                      lesson->items[item].kind == LESSON_FIX ? "fix.check" : "a claim");
        return err_at(err, lesson->path, lesson->items[item].line);
    }
    return true;
}
