#include "lesson/moment.h"

#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/mem.h"
#include "lesson/host.h"
#include "lesson/measure.h"
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
    const char *help;
};

#define AT(type, member) offsetof(struct type, member)

/* clang-format off */
static const struct view_field view_fields[] = {
    { VIEW_MOMENT, "now",           VALUE_TIME,    AT(lesson_moment, now), "when it is" },
    { VIEW_MOMENT, "outcome",       VALUE_OUTCOME, AT(lesson_moment, outcome), "\"running\", \"done\", \"stalled\" or \"memory-limit\"" },
    { VIEW_MOMENT, "done_at",       VALUE_TIME,    AT(lesson_moment, done_at), "when the work was complete" },
    { VIEW_MOMENT, "cycle",         VALUE_COUNT,   AT(lesson_moment, cycle), "ports that wait for each other in a circle" },
    { VIEW_MOMENT, "stall",         VALUE_REASON,  AT(lesson_moment, stall), "why it is stalled; \"none\" while it is not" },
    { VIEW_MOMENT, "stalled_since", VALUE_TIME,    AT(lesson_moment, stall.since), "since when" },
    { VIEW_MOMENT, "collective",    VALUE_TIME,    AT(lesson_moment, collective), "duration of the first collective" },
    { VIEW_MOMENT, "sent",          VALUE_COUNT,   AT(lesson_moment, count.sent), "data packets sent, every attempt" },
    { VIEW_MOMENT, "delivered",     VALUE_COUNT,   AT(lesson_moment, count.delivered), "data packets that receivers took in" },
    { VIEW_MOMENT, "dropped",       VALUE_COUNT,   AT(lesson_moment, count.dropped), "data packets lost" },
    { VIEW_MOMENT, "retransmitted", VALUE_COUNT,   AT(lesson_moment, count.retransmitted), "data packets sent again" },
    { VIEW_MOMENT, "xoff_frames",   VALUE_COUNT,   AT(lesson_moment, count.xoff_frames), "PAUSE frames that stop a sender" },
    { VIEW_MOMENT, "xon_frames",    VALUE_COUNT,   AT(lesson_moment, count.xon_frames), "PAUSE frames that let it go on" },
    { VIEW_MOMENT, "paused",        VALUE_TIME,    AT(lesson_moment, count.paused), "time spent paused, over all ports" },
    { VIEW_MOMENT, "marked",        VALUE_COUNT,   AT(lesson_moment, count.marked), "data packets that got an ECN mark" },
    { VIEW_MOMENT, "cnps",          VALUE_COUNT,   AT(lesson_moment, count.cnps), "warnings sent back to senders" },
    { VIEW_MOMENT, "timeouts",      VALUE_COUNT,   AT(lesson_moment, count.timeouts), "timers that ran out" },
    { VIEW_MOMENT, "naks",          VALUE_COUNT,   AT(lesson_moment, count.naks), "NAKs sent" },
    { VIEW_MOMENT, "answers_dropped", VALUE_COUNT, AT(lesson_moment, count.answers_dropped), "ACKs, NAKs and CNPs lost" },
    { VIEW_MOMENT, "hops",          VALUE_COUNT,   AT(lesson_moment, count.hops), "packets and ACKs carried over one cable each" },
    { VIEW_MOMENT, "starved",       VALUE_TIME,    AT(lesson_moment, count.starved), "time that packets waited for credits, over all ports" },
    { VIEW_MOMENT, "pcie_bytes",    VALUE_BYTES,   AT(lesson_moment, count.crossed[SIM_LINK_PCIE]), "payload, counted on each PCIe cable" },
    { VIEW_MOMENT, "nvlink_bytes",  VALUE_BYTES,   AT(lesson_moment, count.crossed[SIM_LINK_NVLINK]), "payload, counted on each NVLink cable" },
    { VIEW_MOMENT, "memory_bytes",  VALUE_BYTES,   AT(lesson_moment, count.crossed[SIM_LINK_MEMORY]), "payload, counted on each memory bus" },
    { VIEW_MOMENT, "watchdogs",     VALUE_COUNT,   AT(lesson_moment, count.watchdogs), "times the PFC watchdog took a port over" },

    { VIEW_FLOW, "posted",          VALUE_BYTES,   AT(sim_flow_state, posted_bytes), "payload posted" },
    { VIEW_FLOW, "delivered",       VALUE_BYTES,   AT(sim_flow_state, delivered_bytes), "payload that has arrived" },
    { VIEW_FLOW, "start",           VALUE_TIME,    AT(sim_flow_state, start), "when it began" },
    { VIEW_FLOW, "delivered_at",    VALUE_TIME,    AT(sim_flow_state, delivered_at), "when all of it had arrived" },
    { VIEW_FLOW, "acked_at",        VALUE_TIME,    AT(sim_flow_state, acked_at), "when its sender knew" },
    { VIEW_FLOW, "sent",            VALUE_COUNT,   AT(sim_flow_state, sent), "data packets sent, every attempt" },
    { VIEW_FLOW, "resent",          VALUE_COUNT,   AT(sim_flow_state, resent), "data packets sent again" },
    { VIEW_FLOW, "dropped",         VALUE_COUNT,   AT(sim_flow_state, dropped), "data packets lost" },
    { VIEW_FLOW, "acked",           VALUE_COUNT,   AT(sim_flow_state, una), "the first PSN that is not acknowledged" },
    { VIEW_FLOW, "error",           VALUE_BOOL,    AT(sim_flow_state, error), "its sender has given up" },
    { VIEW_FLOW, "cwnd",            VALUE_COUNT,   AT(sim_flow_state, cwnd), "tcp: congestion window (packets)" },
    { VIEW_FLOW, "ssthresh",        VALUE_COUNT,   AT(sim_flow_state, ssthresh), "tcp: slow-start threshold (packets)" },
    { VIEW_FLOW, "rtt",             VALUE_TIME,    AT(sim_flow_state, rtt), "tcp: smoothed round trip" },
    { VIEW_FLOW, "rto",             VALUE_TIME,    AT(sim_flow_state, rto), "how long it waits for an ACK" },
    { VIEW_FLOW, "rate",            VALUE_RATE,    AT(sim_flow_state, rate_bps), "cc dcqcn: what it may send" },

    { VIEW_PORT, "waiting",         VALUE_BYTES,   AT(lesson_port_moment, queue.bytes), "what stands in its queue" },
    { VIEW_PORT, "max",             VALUE_BYTES,   AT(lesson_port_moment, queue.max_bytes), "the most that ever stood there" },
    { VIEW_PORT, "mean_bytes",      VALUE_REAL,    AT(lesson_port_moment, queue.mean_bytes), "on average over time, in bytes" },
    { VIEW_PORT, "dropped",         VALUE_COUNT,   AT(lesson_port_moment, queue.dropped), "data packets lost there" },
    { VIEW_PORT, "paused",          VALUE_BOOL,    AT(lesson_port_moment, queue.paused), "its neighbour pauses it" },
    { VIEW_PORT, "held",            VALUE_BYTES,   AT(lesson_port_moment, held.shared), "shared buffer that packets from it take" },
    { VIEW_PORT, "held_headroom",   VALUE_BYTES,   AT(lesson_port_moment, held.headroom), "headroom that they take" },
    { VIEW_PORT, "credits",         VALUE_COUNT,   AT(lesson_port_moment, credit.blocks), "credits it may use (blocks of 64 bytes)" },
    { VIEW_PORT, "credits_held",    VALUE_COUNT,   AT(lesson_port_moment, credit.held), "blocks its neighbour holds" },
    { VIEW_PORT, "credits_fit",     VALUE_COUNT,   AT(lesson_port_moment, credit.buffer), "blocks its neighbour has room for" },
    { VIEW_PORT, "starved",         VALUE_BOOL,    AT(lesson_port_moment, credit.starved), "it has a packet and no credits" },
    { VIEW_PORT, "busy",            VALUE_TIME,    AT(lesson_port_moment, busy), "time it has sent" },
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
    const char *takes, *gives, *help;
} methods[] = {
    { "flow", look_up, true, "text", "flow", "a flow by its name, or its number from 1" },
    { "port", look_up, false, "text", "port", "a port by its name: port(\"leaf1:3\")" },
    { "dropped_by", look_up_reason, true, "text", "integer", "lost for one reason: \"ttl\"" },
    { "step", look_up_step, false, "integer", "time", "duration of a training step, from 1" },
    { "compute", look_up_step, true, "integer", "time", "its compute phase" },
};
#define METHOD_COUNT (sizeof methods / sizeof methods[0])

bool lesson_moment_field(size_t i, struct lesson_measured *row)
{
    static const char *const views[] = {
        [VIEW_MOMENT] = "moment", [VIEW_FLOW] = "flow", [VIEW_PORT] = "port"
    };
    static const char *const types[] = {
        [VALUE_TIME] = "time",     [VALUE_BYTES] = "size",  [VALUE_RATE] = "rate",
        [VALUE_COUNT] = "integer", [VALUE_REAL] = "number", [VALUE_BOOL] = "boolean",
        [VALUE_OUTCOME] = "text",  [VALUE_REASON] = "text",
    };
    if (i >= METHOD_COUNT + VIEW_FIELD_COUNT) {
        return false;
    }
    if (i < METHOD_COUNT) {
        *row = (struct lesson_measured){ views[VIEW_MOMENT], methods[i].name, methods[i].takes,
                                         methods[i].gives, methods[i].help };
    } else {
        const struct view_field *f = &view_fields[i - METHOD_COUNT];
        *row = (struct lesson_measured){ views[f->view], f->name, NULL, types[f->type], f->help };
    }
    return true;
}

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
