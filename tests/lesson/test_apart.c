/*
 * Lua never runs while the model does. The model cannot call it: sim sees no Lua and calls nobody back
 * (tests/lint/layers, tests/lint/purity). Here the linker puts a door before both (-Wl,--wrap), and
 * lessons with all kinds of functions are checked: no call of Lua may begin while events run.
 */
#include "cmocka_rows.h"

#include <stdio.h>

#include <lua.h>

#include "lesson/check.h"
#include "sim/sim.h"

static struct {
    int running;   /* calls of the model that are under way */
    int runs;      /* that there were */
    int calls;     /* of Lua */
    int collapsed; /* calls of Lua while the model ran */
} seen;

enum sim_stopped __real_sim_run_events(struct sim *sim, uint64_t events, sim_ps until,
                                       uint32_t stop_kinds);
enum sim_stopped __wrap_sim_run_events(struct sim *sim, uint64_t events, sim_ps until,
                                       uint32_t stop_kinds);
enum sim_stopped __real_sim_run_until(struct sim *sim, sim_ps until, uint32_t stop_kinds);
enum sim_stopped __wrap_sim_run_until(struct sim *sim, sim_ps until, uint32_t stop_kinds);
int __real_lua_pcallk(lua_State *L, int args, int results, int handler, lua_KContext context,
                      lua_KFunction then);
int __wrap_lua_pcallk(lua_State *L, int args, int results, int handler, lua_KContext context,
                      lua_KFunction then);
void __real_lua_callk(lua_State *L, int args, int results, lua_KContext context,
                      lua_KFunction then);
void __wrap_lua_callk(lua_State *L, int args, int results, lua_KContext context,
                      lua_KFunction then);

enum sim_stopped __wrap_sim_run_events(struct sim *sim, uint64_t events, sim_ps until,
                                       uint32_t stop_kinds)
{
    seen.runs++;
    seen.running++;
    const enum sim_stopped stopped = __real_sim_run_events(sim, events, until, stop_kinds);
    seen.running--;
    return stopped;
}

enum sim_stopped __wrap_sim_run_until(struct sim *sim, sim_ps until, uint32_t stop_kinds)
{
    seen.runs++;
    seen.running++;
    const enum sim_stopped stopped = __real_sim_run_until(sim, until, stop_kinds);
    seen.running--;
    return stopped;
}

static void called(void)
{
    seen.calls++;
    seen.collapsed += seen.running > 0;
}

int __wrap_lua_pcallk(lua_State *L, int args, int results, int handler, lua_KContext context,
                      lua_KFunction then)
{
    called();
    return __real_lua_pcallk(L, args, results, handler, context, then);
}

void __wrap_lua_callk(lua_State *L, int args, int results, lua_KContext context, lua_KFunction then)
{
    called();
    __real_lua_callk(L, args, results, context, then);
}

static struct good {
    const char *name;
} goods[] = { { "tasks.lua" }, { "faults.lua" }, { "boxes.lua" }, { "ways.lua" } };

static void check(const char *name)
{
    const struct lesson_places course = { .data_dir = WEFT_SOURCE };
    char path[512];
    struct lesson_check result = { 0 };
    struct err err = { 0 };
    (void)snprintf(path, sizeof path, "%s/tests/lesson/good/%s", WEFT_SOURCE, name);
    if (!lesson_check(path, &course, NULL, &result, &err)) {
        fail_msg("%s: %s", err.where, err.msg);
    }
    lesson_check_finish(&result);
}

static void lua_is_apart(void **state)
{
    const struct good *good = *state;
    seen.runs = seen.calls = seen.collapsed = 0;
    check(good->name);
    assert_true(seen.runs > 1);
    assert_true(seen.calls > 10);
    assert_int_equal(seen.collapsed, 0);
    assert_int_equal(seen.running, 0);
}

/* The door itself: as if the model were running all the time. */
static void a_collapse_is_seen(void **state)
{
    (void)state;
    seen.collapsed = 0;
    seen.running = 1;
    check("tasks.lua");
    seen.running = 0;
    assert_true(seen.collapsed > 10);
}

int main(void)
{
    struct CMUnitTest tests[COUNT_OF(goods) + 1];
    size_t n = 0;
    ROWS(tests, n, goods, lua_is_apart);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_collapse_is_seen);
    return _cmocka_run_group_tests("lesson/apart", tests, n, NULL, NULL);
}
