/*
 * The workload of a scenario.
 */
#include "lesson/data.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/units.h"
#include "lesson/api.h"

/* ---- workloads ------------------------------------------------------------------------------- */

/* The collective on top of the stack: its sizes, and for weft.collective the switch of that name. */
static bool build_collective(lua_State *L, int line, struct lesson_problems *problems,
                             struct sim_scenario *sc, struct sim_training_spec *spec)
{
    struct lesson_values c = { 0 };
    const bool ring = lesson_api_kind(L, -1, NULL) == LESSON_KIND_RING;
    if (!lesson_api_read(L, -1, ring ? LESSON_KIND_RING : LESSON_KIND_COLLECTIVE, line, problems,
                         &c)) {
        return false;
    }
    spec->bytes = c.v[ring ? LESSON_RING_bytes : LESSON_COLLECTIVE_bytes].num;
    spec->bucket_bytes =
        lesson_value_or(&c.v[ring ? LESSON_RING_bucket : LESSON_COLLECTIVE_bucket], 0);
    if (ring) {
        return true;
    }
    struct err err = { 0 };
    enum sim_knob knob;
    return lesson_noted(sim_knob_parse("collective", c.v[LESSON_COLLECTIVE_kind].s, &knob,
                                       &sc->knobs.v[SIM_KNOB_COLLECTIVE], &err),
                        problems, c.v[LESSON_COLLECTIVE_kind].line, &err);
}

static bool build_training(lua_State *L, int line, struct lesson_problems *problems,
                           struct sim_scenario *sc)
{
    struct lesson_values t = { 0 };
    struct sim_training_spec spec = { 0 };
    bool ok = lesson_api_read(L, -1, LESSON_KIND_TRAINING, line, problems, &t);
    if (!t.v[LESSON_TRAINING_collective].given) {
        return false;
    }
    lesson_api_push(L, -1, LESSON_TRAINING_collective);
    const struct lesson_place before = lesson_api_enter(L, -1, problems);
    ok = build_collective(L, t.v[LESSON_TRAINING_collective].line, problems, sc, &spec) && ok;
    lesson_problems_leave(problems, before);
    lua_pop(L, 1);
    spec.compute_ps = t.v[LESSON_TRAINING_compute].num;
    spec.steps = t.v[LESSON_TRAINING_steps].num;
    struct err err = { 0 };
    return ok && lesson_noted(sim_scenario_training(sc, &spec, &err), problems, line, &err);
}

/* What a flow says about its class and about when its messages come. */
static bool set_pace(struct sim_flow_spec *flow, const struct lesson_value *v,
                     const struct sim_scenario *sc, int line, struct lesson_problems *problems)
{
    flow->prio = (uint32_t)lesson_value_or(&v[LESSON_FLOW_prio], SIM_PRIO_DATA);
    flow->gap_ps = lesson_value_or(&v[LESSON_FLOW_gap], 0);
    flow->poisson = v[LESSON_FLOW_poisson].num != 0;
    flow->messages = (uint32_t)lesson_value_or(&v[LESSON_FLOW_messages], 0);
    if (v[LESSON_FLOW_load].given) {
        const int at = v[LESSON_FLOW_load].line;
        if (v[LESSON_FLOW_gap].given) {
            return lesson_problem(problems, at, "flow.load and flow.gap say the same: give one");
        }
        if (v[LESSON_FLOW_load].num == 0) {
            return lesson_problem(problems, at, "flow.load must be more than 0");
        }
        flow->gap_ps = sim_scenario_gap(sc, flow, v[LESSON_FLOW_load].num);
    }
    return flow->gap_ps > 0 || !flow->poisson ||
           lesson_problem(problems, line, "a poisson flow needs `gap` or `load`");
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
    uint32_t src, dst;
    const bool known = lesson_find_node(sc, &f.v[LESSON_FLOW_src], true, problems, &src);
    struct err err = { 0 };
    if (!lesson_find_node(sc, &f.v[LESSON_FLOW_dst], true, problems, &dst) || !known ||
        !lesson_noted(sim_scenario_flow(sc, src, dst, f.v[LESSON_FLOW_bytes].num,
                                        lesson_value_or(&f.v[LESSON_FLOW_start], 0), &err),
                      problems, line, &err)) {
        return false;
    }
    const struct lesson_value *answer = &f.v[LESSON_FLOW_answer];
    const size_t asks = sc->flow_count - 1;
    if (!set_pace(&sc->flows[asks], f.v, sc, line, problems)) {
        return false;
    }
    if (answer->given) {
        if (!lesson_noted(sim_scenario_flow(sc, dst, src, answer->num, 0, &err), problems,
                          answer->line, &err)) {
            return false;
        }
        sc->flows[asks + 1].prio = sc->flows[asks].prio;
        sc->flows[asks + 1].replies = true;
    }
    return true;
}

static bool build_flows(lua_State *L, int line, struct lesson_problems *problems,
                        struct sim_scenario *sc)
{
    struct lesson_values all = { 0 };
    bool ok = lesson_api_read(L, -1, LESSON_KIND_FLOWS, line, problems, &all);
    sc->blocks = lesson_value_or(&all.v[LESSON_FLOWS_blocks], 0);
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

/* Names of the senders in the table or up to the number on top of the stack, as node indexes. */
static bool read_senders(lua_State *L, const struct sim_scenario *sc, uint32_t to, int line,
                         struct lesson_problems *problems, uint32_t *senders, size_t *count)
{
    const int want = lua_istable(L, -1)     ? lesson_api_length(L, -1)
                     : lua_isinteger(L, -1) ? (int)lua_tointeger(L, -1)
                                            : 0;
    if (want < 1 || (size_t)want > sc->node_count) {
        return lesson_problem(problems, line,
                              "incast.from wants a number of hosts that there are, or a list");
    }
    if (lua_istable(L, -1)) {
        bool ok = true;
        for (int i = 1; i <= want; i++) {
            lua_rawgeti(L, -1, i);
            struct lesson_value name = { .given = true, .line = line };
            name.s = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "?";
            ok = lesson_find_node(sc, &name, true, problems, &senders[(*count)++]) && ok;
            lua_pop(L, 1);
        }
        return ok;
    }
    for (uint32_t n = 0; n < sc->node_count && *count < (size_t)want; n++) {
        if (sc->nodes[n].kind == SIM_HOST && n != to) {
            senders[(*count)++] = n;
        }
    }
    char others[40];
    return *count == (size_t)want ||
           lesson_problem(problems, line, "incast.from: only %s there",
                          units_counted(others, sizeof others, (int64_t)*count, "other host is",
                                        "other hosts are"));
}

static bool build_incast(lua_State *L, int line, struct lesson_problems *problems,
                         struct sim_scenario *sc)
{
    struct lesson_values in = { 0 };
    struct err err = { 0 };
    uint32_t to;
    if (!lesson_api_read(L, -1, LESSON_KIND_INCAST, line, problems, &in) ||
        !lesson_find_node(sc, &in.v[LESSON_INCAST_to], true, problems, &to)) {
        return false;
    }
    uint32_t *senders = mem_alloc(sc->node_count + 1, sizeof *senders);
    size_t count = 0;
    lesson_api_push(L, -1, LESSON_INCAST_from);
    bool ok = read_senders(L, sc, to, in.v[LESSON_INCAST_from].line, problems, senders, &count);
    lua_pop(L, 1);
    for (size_t i = 0; ok && i < count; i++) {
        ok = lesson_noted(sim_scenario_flow(sc, senders[i], to, in.v[LESSON_INCAST_bytes].num,
                                            lesson_value_or(&in.v[LESSON_INCAST_start], 0), &err),
                          problems, line, &err);
    }
    free(senders);
    sc->blocks = lesson_value_or(&in.v[LESSON_INCAST_blocks], 0);
    return ok;
}

static bool build_permutation(lua_State *L, int line, struct lesson_problems *problems,
                              struct sim_scenario *sc)
{
    struct lesson_values p = { 0 };
    struct err err = { 0 };
    if (!lesson_api_read(L, -1, LESSON_KIND_PERMUTATION, line, problems, &p)) {
        return false;
    }
    return lesson_noted(sim_work_permutation(sc, (uint32_t)p.v[LESSON_PERMUTATION_shift].num,
                                             p.v[LESSON_PERMUTATION_bytes].num,
                                             lesson_value_or(&p.v[LESSON_PERMUTATION_start], 0),
                                             &err),
                        problems, p.v[LESSON_PERMUTATION_shift].line, &err);
}

static bool build_poisson(lua_State *L, int line, struct lesson_problems *problems,
                          struct sim_scenario *sc)
{
    struct lesson_values p = { 0 };
    struct err err = { 0 };
    return lesson_api_read(L, -1, LESSON_KIND_POISSON, line, problems, &p) &&
           lesson_noted(
               sim_work_poisson(sc, (uint32_t)lesson_value_or(&p.v[LESSON_POISSON_pairs], 1),
                                p.v[LESSON_POISSON_bytes].num, p.v[LESSON_POISSON_load].num,
                                (uint64_t)lesson_value_or(&p.v[LESSON_POISSON_seed], 1), &err),
               problems, line, &err);
}

static bool build_requests(lua_State *L, int line, struct lesson_problems *problems,
                           struct sim_scenario *sc)
{
    struct lesson_values r = { 0 };
    struct err err = { 0 };
    if (!lesson_api_read(L, -1, LESSON_KIND_REQUESTS, line, problems, &r)) {
        return false;
    }
    const struct sim_requests_spec spec = {
        .count = (uint32_t)r.v[LESSON_REQUESTS_count].num,
        .clients = (uint32_t)r.v[LESSON_REQUESTS_clients].num,
        .ask_bytes = r.v[LESSON_REQUESTS_ask].num,
        .answer_bytes = r.v[LESSON_REQUESTS_answer].num,
        .gap_ps = r.v[LESSON_REQUESTS_gap].num,
        .seed = (uint64_t)lesson_value_or(&r.v[LESSON_REQUESTS_seed], 1),
    };
    return lesson_noted(sim_work_requests(sc, &spec, &err), problems, line, &err);
}

bool lesson_build_work(lua_State *L, int line, struct lesson_problems *problems,
                       struct sim_scenario *sc)
{
    static const struct {
        enum lesson_kind kind;
        bool (*build)(lua_State *L, int line, struct lesson_problems *problems,
                      struct sim_scenario *sc);
    } works[] = {
        { LESSON_KIND_TRAINING, build_training }, { LESSON_KIND_FLOWS, build_flows },
        { LESSON_KIND_INCAST, build_incast },     { LESSON_KIND_PERMUTATION, build_permutation },
        { LESSON_KIND_POISSON, build_poisson },   { LESSON_KIND_REQUESTS, build_requests },
    };
    bool ok = false;
    const enum lesson_kind kind = lesson_api_kind(L, -1, NULL);
    const struct lesson_place before = lesson_api_enter(L, -1, problems);
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++) {
        if (works[i].kind == kind) {
            ok = works[i].build(L, line, problems, sc);
        }
    }
    lesson_problems_leave(problems, before);
    return ok;
}
