#include "lesson/moment.h"

#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/mem.h"
#include "lesson/host.h"
#include "lesson/problems.h"
#include "lesson/quantity.h"

#define VIEW "moments"

/* ---- taking ---------------------------------------------------------------------------------- */

void lesson_moments_take(struct lesson_moments *moments, const struct sim *sim)
{
    moments->sim = sim;
    moments->item =
        mem_grow(moments->item, &moments->cap, moments->count + 1, sizeof *moments->item);
    struct lesson_moment *m = &moments->item[moments->count++];
    *m = (struct lesson_moment){ .now = sim_now(sim),
                                 .outcome = sim_outcome(sim),
                                 .count = sim_counters(sim),
                                 .done_at = sim_done_at(sim),
                                 .collective = SIM_NEVER,
                                 .cycle = sim_wait_cycle(sim, NULL, 0, NULL) };
    m->stall = (struct sim_stall){ SIM_REASON_NONE, SIM_NONE, SIM_NEVER };
    if (m->outcome == SIM_STALLED) {
        m->stall = sim_stall(sim);
    }
    if (sim_collective_count(sim) > 0 && sim_collective(sim, 0).end != SIM_NEVER) {
        m->collective = sim_collective(sim, 0).end - sim_collective(sim, 0).start;
    }
    for (; m->step_count < LESSON_MOMENT_STEPS && (int64_t)m->step_count < sim_step_now(sim);
         m->step_count++) {
        m->steps[m->step_count] = sim_step(sim, (int64_t)m->step_count + 1);
    }
    m->flows = mem_alloc(sim_flow_count(sim), sizeof *m->flows);
    for (uint32_t f = 0; f < sim_flow_count(sim); f++) {
        m->flows[f] = sim_flow_state(sim, f);
    }
    m->ports = mem_alloc(sim_port_count(sim), sizeof *m->ports);
    for (uint32_t p = 0; p < sim_port_count(sim); p++) {
        m->ports[p] = (struct lesson_port_moment){ sim_port_queue(sim, p), sim_port_held(sim, p),
                                                   sim_port_credit(sim, p, SIM_PRIO_DATA),
                                                   sim_port_busy_ps(sim, p) };
    }
}

void lesson_moments_finish(struct lesson_moments *moments)
{
    for (size_t i = 0; i < moments->count; i++) {
        free(moments->item[i].flows);
        free(moments->item[i].ports);
    }
    free(moments->item);
    *moments = (struct lesson_moments){ 0 };
}

/* ---- views ----------------------------------------------------------------------------------- */

enum view_kind { VIEW_RUNS, VIEW_RUN, VIEW_MOMENT, VIEW_FLOW, VIEW_PORT };

struct view {
    enum view_kind kind;
    uint64_t call; /* valid in this call only */
    const struct lesson_moments *runs;
    size_t count;    /* VIEW_RUNS: how many */
    const void *at;  /* what the offsets of its fields go into */
    uint32_t number; /* VIEW_FLOW, VIEW_PORT */
};

enum value_type {
    VALUE_TIME,  /* sim_ps; SIM_NEVER: not yet */
    VALUE_BYTES, /* int64_t */
    VALUE_RATE,  /* int64_t; 0: nothing limits it */
    VALUE_COUNT, /* uint64_t */
    VALUE_REAL,  /* double */
    VALUE_BOOL,
    VALUE_OUTCOME,
    VALUE_REASON, /* struct sim_stall; "none" while it is not stalled */
};

struct view_field {
    enum view_kind view;
    const char *name;
    enum value_type type;
    size_t offset;
};

#define AT(type, member) offsetof(struct type, member)

/* clang-format off */
static const struct view_field view_fields[] = {
    { VIEW_MOMENT, "now",           VALUE_TIME,    AT(lesson_moment, now) },
    { VIEW_MOMENT, "outcome",       VALUE_OUTCOME, AT(lesson_moment, outcome) },
    { VIEW_MOMENT, "done_at",       VALUE_TIME,    AT(lesson_moment, done_at) },
    { VIEW_MOMENT, "cycle",         VALUE_COUNT,   AT(lesson_moment, cycle) },
    { VIEW_MOMENT, "stall",         VALUE_REASON,  AT(lesson_moment, stall) },
    { VIEW_MOMENT, "stalled_since", VALUE_TIME,    AT(lesson_moment, stall.since) },
    { VIEW_MOMENT, "collective",    VALUE_TIME,    AT(lesson_moment, collective) },
    { VIEW_MOMENT, "sent",          VALUE_COUNT,   AT(lesson_moment, count.sent) },
    { VIEW_MOMENT, "delivered",     VALUE_COUNT,   AT(lesson_moment, count.delivered) },
    { VIEW_MOMENT, "dropped",       VALUE_COUNT,   AT(lesson_moment, count.dropped) },
    { VIEW_MOMENT, "retransmitted", VALUE_COUNT,   AT(lesson_moment, count.retransmitted) },
    { VIEW_MOMENT, "xoff_frames",   VALUE_COUNT,   AT(lesson_moment, count.xoff_frames) },
    { VIEW_MOMENT, "xon_frames",    VALUE_COUNT,   AT(lesson_moment, count.xon_frames) },
    { VIEW_MOMENT, "paused",        VALUE_TIME,    AT(lesson_moment, count.paused) },
    { VIEW_MOMENT, "marked",        VALUE_COUNT,   AT(lesson_moment, count.marked) },
    { VIEW_MOMENT, "cnps",          VALUE_COUNT,   AT(lesson_moment, count.cnps) },
    { VIEW_MOMENT, "timeouts",      VALUE_COUNT,   AT(lesson_moment, count.timeouts) },
    { VIEW_MOMENT, "naks",          VALUE_COUNT,   AT(lesson_moment, count.naks) },
    { VIEW_MOMENT, "answers_dropped", VALUE_COUNT, AT(lesson_moment, count.answers_dropped) },
    { VIEW_MOMENT, "hops",          VALUE_COUNT,   AT(lesson_moment, count.hops) },
    { VIEW_MOMENT, "starved",       VALUE_TIME,    AT(lesson_moment, count.starved) },
    { VIEW_MOMENT, "pcie_bytes",    VALUE_BYTES,   AT(lesson_moment, count.crossed[SIM_LINK_PCIE]) },
    { VIEW_MOMENT, "nvlink_bytes",  VALUE_BYTES,   AT(lesson_moment, count.crossed[SIM_LINK_NVLINK]) },
    { VIEW_MOMENT, "memory_bytes",  VALUE_BYTES,   AT(lesson_moment, count.crossed[SIM_LINK_MEMORY]) },
    { VIEW_MOMENT, "watchdogs",     VALUE_COUNT,   AT(lesson_moment, count.watchdogs) },

    { VIEW_FLOW, "posted",          VALUE_BYTES,   AT(sim_flow_state, posted_bytes) },
    { VIEW_FLOW, "delivered",       VALUE_BYTES,   AT(sim_flow_state, delivered_bytes) },
    { VIEW_FLOW, "start",           VALUE_TIME,    AT(sim_flow_state, start) },
    { VIEW_FLOW, "delivered_at",    VALUE_TIME,    AT(sim_flow_state, delivered_at) },
    { VIEW_FLOW, "acked_at",        VALUE_TIME,    AT(sim_flow_state, acked_at) },
    { VIEW_FLOW, "sent",            VALUE_COUNT,   AT(sim_flow_state, sent) },
    { VIEW_FLOW, "resent",          VALUE_COUNT,   AT(sim_flow_state, resent) },
    { VIEW_FLOW, "dropped",         VALUE_COUNT,   AT(sim_flow_state, dropped) },
    { VIEW_FLOW, "acked",           VALUE_COUNT,   AT(sim_flow_state, una) },
    { VIEW_FLOW, "error",           VALUE_BOOL,    AT(sim_flow_state, error) },
    { VIEW_FLOW, "cwnd",            VALUE_COUNT,   AT(sim_flow_state, cwnd) },
    { VIEW_FLOW, "ssthresh",        VALUE_COUNT,   AT(sim_flow_state, ssthresh) },
    { VIEW_FLOW, "rtt",             VALUE_TIME,    AT(sim_flow_state, rtt) },
    { VIEW_FLOW, "rto",             VALUE_TIME,    AT(sim_flow_state, rto) },
    { VIEW_FLOW, "rate",            VALUE_RATE,    AT(sim_flow_state, rate_bps) },

    { VIEW_PORT, "waiting",         VALUE_BYTES,   AT(lesson_port_moment, queue.bytes) },
    { VIEW_PORT, "max",             VALUE_BYTES,   AT(lesson_port_moment, queue.max_bytes) },
    { VIEW_PORT, "mean_bytes",      VALUE_REAL,    AT(lesson_port_moment, queue.mean_bytes) },
    { VIEW_PORT, "dropped",         VALUE_COUNT,   AT(lesson_port_moment, queue.dropped) },
    { VIEW_PORT, "paused",          VALUE_BOOL,    AT(lesson_port_moment, queue.paused) },
    { VIEW_PORT, "held",            VALUE_BYTES,   AT(lesson_port_moment, held.shared) },
    { VIEW_PORT, "held_headroom",   VALUE_BYTES,   AT(lesson_port_moment, held.headroom) },
    { VIEW_PORT, "credits",         VALUE_COUNT,   AT(lesson_port_moment, credit.blocks) },
    { VIEW_PORT, "credits_held",    VALUE_COUNT,   AT(lesson_port_moment, credit.held) },
    { VIEW_PORT, "credits_fit",     VALUE_COUNT,   AT(lesson_port_moment, credit.buffer) },
    { VIEW_PORT, "starved",         VALUE_BOOL,    AT(lesson_port_moment, credit.starved) },
    { VIEW_PORT, "busy",            VALUE_TIME,    AT(lesson_port_moment, busy) },
};
/* clang-format on */
#define VIEW_FIELD_COUNT (sizeof view_fields / sizeof view_fields[0])

/* The number of the call: in the registry. */
static const char call_key;

static uint64_t *call_of(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &call_key);
    uint64_t *call = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return call;
}

static void push_view(lua_State *L, struct view view)
{
    struct view *to = lua_newuserdatauv(L, sizeof *to, 0);
    view.call = *call_of(L);
    *to = view;
    luaL_setmetatable(L, VIEW);
}

static const struct view *check_view(lua_State *L, int index)
{
    const struct view *view = luaL_checkudata(L, index, VIEW);
    if (view->call != *call_of(L)) {
        luaL_error(L,
                   "these moments are gone: they can be looked at only in the function they were "
                   "given to");
    }
    return view;
}

static void push_value(lua_State *L, const struct view *view, const struct view_field *f)
{
    static const char *const outcomes[] = { "running", "done", "stalled", "memory-limit" };
    const void *p = (const char *)view->at + f->offset;
    switch (f->type) {
    case VALUE_TIME:
        if (*(const sim_ps *)p == SIM_NEVER) {
            lesson_host_pending(L);
        }
        lesson_quantity_push(L, UNIT_TIME, *(const sim_ps *)p);
        break;
    case VALUE_BYTES:
        lesson_quantity_push(L, UNIT_BYTES, *(const int64_t *)p);
        break;
    case VALUE_RATE:
        lesson_quantity_push(L, UNIT_RATE, *(const int64_t *)p);
        break;
    case VALUE_COUNT:
        lua_pushinteger(L, (lua_Integer) * (const uint64_t *)p);
        break;
    case VALUE_REAL:
        lua_pushnumber(L, *(const double *)p);
        break;
    case VALUE_BOOL:
        lua_pushboolean(L, *(const bool *)p);
        break;
    case VALUE_REASON:
        lua_pushstring(L, sim_reason_word(((const struct sim_stall *)p)->reason));
        break;
    case VALUE_OUTCOME:
        lua_pushstring(L, outcomes[*(const enum sim_outcome *)p]);
        break;
    }
}

/* moment.dropped_by("ttl") */
static int look_up_reason(lua_State *L)
{
    const struct view *view = check_view(L, lua_upvalueindex(1));
    const struct lesson_moment *moment = view->at;
    const char *name = luaL_checkstring(L, 1);
    for (int r = 0; r < SIM_REASON_COUNT; r++) {
        if (strcmp(sim_reason_word((enum sim_reason)r), name) == 0) {
            lua_pushinteger(L, (lua_Integer)moment->count.dropped_by[r]);
            return 1;
        }
    }
    return luaL_error(L, "no packet is dropped for \"%s\"", name);
}

/* moment.step(2), moment.compute(2) */
static int look_up_step(lua_State *L)
{
    const struct view *view = check_view(L, lua_upvalueindex(1));
    const struct lesson_moment *moment = view->at;
    const lua_Integer i = luaL_checkinteger(L, 1);
    if (i < 1 || i > LESSON_MOMENT_STEPS) {
        return luaL_error(L, "only the first %d training steps are kept", LESSON_MOMENT_STEPS);
    }
    const struct sim_step *step = &moment->steps[i - 1];
    if ((size_t)i > moment->step_count || step->end == SIM_NEVER) {
        return lesson_host_pending(L);
    }
    lesson_quantity_push(L, UNIT_TIME,
                         lua_toboolean(L, lua_upvalueindex(2)) ? step->compute
                                                               : step->end - step->start);
    return 1;
}

/* moment.flow("h1>r"), moment.flow(3), moment.port("sw:2") */
static int look_up(lua_State *L)
{
    const struct view *view = check_view(L, lua_upvalueindex(1));
    const bool flow = lua_toboolean(L, lua_upvalueindex(2));
    const struct sim *sim = view->runs->sim;
    const struct lesson_moment *moment = view->at;
    uint32_t n = SIM_NONE;
    if (flow && lua_isinteger(L, 1)) {
        const lua_Integer i = lua_tointeger(L, 1);
        n = i >= 1 && (lua_Unsigned)i <= sim_flow_count(sim) ? (uint32_t)i - 1 : SIM_NONE;
    } else {
        n = (flow ? sim_find_flow : sim_find_port)(sim, luaL_checkstring(L, 1));
    }
    if (n == SIM_NONE) {
        return luaL_error(L, "there is no %s %s in this fabric", flow ? "flow" : "port",
                          luaL_tolstring(L, 1, NULL));
    }
    push_view(L, (struct view){ .kind = flow ? VIEW_FLOW : VIEW_PORT,
                                .runs = view->runs,
                                .at = flow ? (const void *)&moment->flows[n]
                                           : (const void *)&moment->ports[n],
                                .number = n });
    return 1;
}

/* What a moment can be asked with an argument. `which` tells two of the same function apart. */
static const struct {
    const char *name;
    int (*call)(lua_State *L);
    bool which;
} methods[] = {
    { "flow", look_up, true },
    { "port", look_up, false },
    { "dropped_by", look_up_reason, true },
    { "step", look_up_step, false },
    { "compute", look_up_step, true },
};
#define METHOD_COUNT (sizeof methods / sizeof methods[0])

static int index_list(lua_State *L, const struct view *view, size_t count, const char *what)
{
    size_t i = 0;
    if (lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "last") == 0) {
        i = count;
    } else {
        const lua_Integer n = luaL_checkinteger(L, 2);
        i = n >= 1 && (lua_Unsigned)n <= count ? (size_t)n : 0;
    }
    if (i == 0) {
        return luaL_error(L, "there are %d %s here", (int)count, what);
    }
    if (view->kind == VIEW_RUNS) {
        push_view(L, (struct view){ .kind = VIEW_RUN, .runs = &view->runs[i - 1] });
    } else {
        push_view(L, (struct view){
                         .kind = VIEW_MOMENT, .runs = view->runs, .at = &view->runs->item[i - 1] });
    }
    return 1;
}

static int unknown(lua_State *L, const struct view *view, const char *name)
{
    const char *names[VIEW_FIELD_COUNT + METHOD_COUNT + 1];
    size_t n = 0;
    for (size_t i = 0; i < VIEW_FIELD_COUNT; i++) {
        if (view_fields[i].view == view->kind) {
            names[n++] = view_fields[i].name;
        }
    }
    for (size_t i = 0; i < METHOD_COUNT && view->kind == VIEW_MOMENT; i++) {
        names[n++] = methods[i].name;
    }
    names[n] = NULL;
    const char *near = lesson_nearest(names, name);
    return near == NULL ? luaL_error(L, "there is no `%s` here", name)
                        : luaL_error(L, "there is no `%s` here; did you mean `%s`?", name, near);
}

static int view_index(lua_State *L)
{
    const struct view *view = check_view(L, 1);
    if (view->kind == VIEW_RUNS) {
        return index_list(L, view, view->count, "runs");
    }
    if (view->kind == VIEW_RUN) {
        return index_list(L, view, view->runs->count, "moments");
    }
    const char *name = luaL_checkstring(L, 2);
    for (size_t i = 0; i < VIEW_FIELD_COUNT; i++) {
        if (view_fields[i].view == view->kind && strcmp(view_fields[i].name, name) == 0) {
            push_value(L, view, &view_fields[i]);
            return 1;
        }
    }
    for (size_t i = 0; i < METHOD_COUNT && view->kind == VIEW_MOMENT; i++) {
        if (strcmp(methods[i].name, name) == 0) {
            lua_pushvalue(L, 1);
            lua_pushboolean(L, methods[i].which);
            lua_pushcclosure(L, methods[i].call, 2);
            return 1;
        }
    }
    if (view->kind == VIEW_FLOW && strcmp(name, "name") == 0) {
        lua_pushstring(L, sim_flow(view->runs->sim, view->number).name);
        return 1;
    }
    return unknown(L, view, name);
}

static int view_len(lua_State *L)
{
    const struct view *view = check_view(L, 1);
    if (view->kind != VIEW_RUNS && view->kind != VIEW_RUN) {
        return luaL_error(L, "this has no length");
    }
    lua_pushinteger(L, (lua_Integer)(view->kind == VIEW_RUNS ? view->count : view->runs->count));
    return 1;
}

static int view_newindex(lua_State *L)
{
    return luaL_error(L, "moments can only be read");
}

void lesson_moments_open(lua_State *L)
{
    static const luaL_Reg meta[] = {
        { "__index", view_index },
        { "__newindex", view_newindex },
        { "__len", view_len },
        { NULL, NULL },
    };
    luaL_newmetatable(L, VIEW);
    luaL_setfuncs(L, meta, 0);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    uint64_t *call = lua_newuserdatauv(L, sizeof *call, 0);
    *call = 0;
    lua_rawsetp(L, LUA_REGISTRYINDEX, &call_key);
}

void lesson_moments_push(lua_State *L, const struct lesson_moments *runs, size_t count)
{
    ++*call_of(L);
    push_view(L, (struct view){
                     .kind = count == 1 ? VIEW_RUN : VIEW_RUNS, .runs = runs, .count = count });
}
