#include "lesson/validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/mem.h"
#include "lesson/api.h"
#include "lesson/data.h"
#include "lesson/moment.h"
#include "run/probe.h"

/* clang-format off */
#define UNITS(X)                                \
    X("ps", "ps", UNIT_TIME, 1)                 \
    X("ns", "ns", UNIT_TIME, 1e3)               \
    X("us", "us", UNIT_TIME, 1e6)               \
    X("ms", "ms", UNIT_TIME, 1e9)               \
    X("s", "s", UNIT_TIME, 1e12)                \
    X("B", "B", UNIT_BYTES, 1)                  \
    X("KB", "KB", UNIT_BYTES, 1e3)              \
    X("MB", "MB", UNIT_BYTES, 1e6)              \
    X("Mb/s", "Mb/s", UNIT_RATE, 1e6)           \
    X("Gb/s", "Gb/s", UNIT_RATE, 1e9)           \
    X("%", "%", UNIT_COUNT, 1)                  \
    X("share", "share", UNIT_COUNT, 1)          \
    X("times", "time", UNIT_COUNT, 1)           \
    X("frames", "frame", UNIT_COUNT, 1)         \
    X("packets", "packet", UNIT_COUNT, 1)       \
    X("messages", "message", UNIT_COUNT, 1)     \
    X("marks", "mark", UNIT_COUNT, 1)           \
    X("CNPs", "CNP", UNIT_COUNT, 1)             \
    X("moments", "moment", UNIT_COUNT, 1)       \
    X("hosts", "host", UNIT_COUNT, 1)           \
    X("ports", "port", UNIT_COUNT, 1)           \
    X("credits", "credit", UNIT_COUNT, 1)       \
    X("timeouts", "timeout", UNIT_COUNT, 1)     \
    X("steps", "step", UNIT_COUNT, 1)           \
    X("flows", "flow", UNIT_COUNT, 1)           \
    X("states", "state", UNIT_COUNT, 1)
/* clang-format on */

static const struct validation_unit units[] = {
#define X(name, one, kind, size) { name, one, kind, size },
    UNITS(X)
#undef X
};

const char *const lesson_validation_units[] = {
#define X(name, one, kind, size) name,
    UNITS(X)
#undef X
        NULL,
};

const struct validation_unit *validation_unit(int unit)
{
    return &units[unit];
}

static char *text_of(const struct lesson_value *v)
{
    struct text clean = { 0 };
    if (!v->given) {
        return NULL;
    }
    text_add_clean(&clean, v->s, strlen(v->s), false);
    return clean.s;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Calls `read` for each object of `kind` in the list on top of the stack. */
struct list_reader {
    enum lesson_kind kind;
    bool (*read)(lua_State *L, int line, struct lesson_problems *problems, void *to);
    void *to;
};

static bool read_list(lua_State *L, int line, struct lesson_problems *problems,
                      const struct list_reader *reader)
{
    bool ok = true;
    const int n = lesson_api_length(L, -1);
    for (int i = 1; i <= n; i++) {
        int at = 0;
        lua_rawgeti(L, -1, i);
        const bool right = lesson_api_kind(L, -1, &at) == reader->kind;
        const struct lesson_place before = lesson_api_enter(L, -1, problems);
        at = at > 0 ? at : line;
        ok = (right ? reader->read(L, at, problems, reader->to)
                    : lesson_problem(problems, at, "entry %d of this list is no weft.%s", i,
                                     lesson_kind_info(reader->kind)->name)) &&
             ok;
        lesson_problems_leave(problems, before);
        lua_pop(L, 1);
    }
    return n > 0 ? ok : lesson_problem(problems, line, "this list is empty");
}

/* ---- measures -------------------------------------------------------------------------------- */

/* The margin on top of the stack: a number, or "2%" of something. False: it is neither. */
static bool read_margin(lua_State *L, double of, double *margin)
{
    int64_t share = 0;
    if (lua_type(L, -1) == LUA_TNUMBER && lua_tonumber(L, -1) >= 0) {
        *margin = lua_tonumber(L, -1);
        return true;
    }
    if (lua_type(L, -1) == LUA_TSTRING && strchr(lua_tostring(L, -1), '%') != NULL &&
        units_parse(lua_tostring(L, -1), UNIT_SHARE, &share, NULL)) {
        *margin = fabs(of) * (double)share / (double)UNIT_ONE;
        return true;
    }
    return false;
}

/* What another simulator measured, on top of the stack. */
static bool read_peer(lua_State *L, int line, struct lesson_problems *problems,
                      struct validation_peer *peer)
{
    struct lesson_values values = { 0 };
    const struct lesson_value *v = values.v;
    if (!lua_istable(L, -1)) {
        return lesson_problem(problems, line,
                              "measure.peers holds tables { name = \"csg\", figure = 856.3 }");
    }
    if (!lesson_api_read_part(L, -1, LESSON_KIND_PEER, line, problems, &values)) {
        return false;
    }
    const bool one = v[LESSON_PEER_figure].given;
    *peer = (struct validation_peer){ .name = text_of(&v[LESSON_PEER_name]),
                                      .least = v[one ? LESSON_PEER_figure : LESSON_PEER_least].real,
                                      .most = v[one ? LESSON_PEER_figure : LESSON_PEER_most].real,
                                      .has_within = v[LESSON_PEER_within].given,
                                      .why = text_of(&v[LESSON_PEER_why]) };
    if (one == v[LESSON_PEER_least].given || one == v[LESSON_PEER_most].given ||
        peer->least > peer->most) {
        return lesson_problem(problems, line, "a peer has either `figure`, or `least` and `most`");
    }
    if (!peer->has_within) {
        return peer->why != NULL ||
               lesson_problem(problems, line, "a peer has `within`, or `why` it cannot have it");
    }
    lua_pushliteral(L, "within");
    lua_rawget(L, -2);
    const bool ok =
        read_margin(L, peer->least, &peer->below) && read_margin(L, peer->most, &peer->above);
    lua_pop(L, 1);
    peer->below = peer->least - peer->below;
    peer->above += peer->most;
    return ok || lesson_problem(problems, line, "peer.within wants a number, or \"2%%\"");
}

/* The list of them on top of the stack. */
static bool read_peers(lua_State *L, int line, struct lesson_problems *problems,
                       struct validation_measure *m)
{
    bool ok = true;
    const int n = lesson_api_length(L, -1);
    m->peers = mem_alloc((size_t)n + 1, sizeof *m->peers);
    for (int i = 1; i <= n; i++) {
        lua_rawgeti(L, -1, i);
        ok = read_peer(L, line, problems, &m->peers[m->peer_count++]) && ok;
        lua_pop(L, 1);
    }
    return ok;
}

static bool read_measure(lua_State *L, int line, struct lesson_problems *problems, void *to)
{
    struct validation_case *c = to;
    struct lesson_values values = { 0 };
    const struct lesson_value *v = values.v;
    if (!lesson_api_read(L, -1, LESSON_KIND_MEASURE, line, problems, &values)) {
        return false;
    }
    struct validation_measure *m = &c->measures[c->measure_count++];
    *m = (struct validation_measure){ .name = text_of(&v[LESSON_MEASURE_name]),
                                      .line = line,
                                      .func = LUA_NOREF,
                                      .unit = (int)v[LESSON_MEASURE_unit].num,
                                      .has_expected = v[LESSON_MEASURE_expected].given,
                                      .has_least = v[LESSON_MEASURE_least].given,
                                      .has_most = v[LESSON_MEASURE_most].given,
                                      .expected = v[LESSON_MEASURE_expected].real,
                                      .least = v[LESSON_MEASURE_least].real,
                                      .most = v[LESSON_MEASURE_most].real,
                                      .disputed = text_of(&v[LESSON_MEASURE_disputed]) };
    lesson_api_push(L, -1, LESSON_MEASURE_of);
    m->func = luaL_ref(L, LUA_REGISTRYINDEX);
    if (m->has_expected == (m->has_least || m->has_most)) {
        return lesson_problem(problems, line, "a measure has either `expected` or `least`, `most`");
    }
    bool ok = true;
    if (v[LESSON_MEASURE_tolerance].given) {
        lesson_api_push(L, -1, LESSON_MEASURE_tolerance);
        ok = read_margin(L, m->expected, &m->tolerance) ||
             lesson_problem(problems, v[LESSON_MEASURE_tolerance].line,
                            "measure.tolerance wants a number, or \"2%%\"");
        lua_pop(L, 1);
    }
    if (v[LESSON_MEASURE_peers].given) {
        lesson_api_push(L, -1, LESSON_MEASURE_peers);
        ok = read_peers(L, v[LESSON_MEASURE_peers].line, problems, m) && ok;
        lua_pop(L, 1);
    }
    return ok;
}

/* ---- cases ----------------------------------------------------------------------------------- */

static bool read_scenario(lua_State *L, int line, struct lesson_problems *problems, void *to)
{
    struct validation_case *c = to;
    return lesson_build_scenario(L, -1, "case", line, problems, &c->scenarios[c->scenario_count++],
                                 NULL);
}

/* "5ms", "xoff", "resumed sw:2" */
static bool read_look(const char *text, int line, struct lesson_problems *problems,
                      struct validation_look *look)
{
    if (*text >= '0' && *text <= '9') {
        struct err err = { 0 };
        return lesson_noted(units_parse(text, UNIT_TIME, &look->at, &err), problems, line, &err);
    }
    const char *names[SIM_TRACE_COUNT + 1];
    const size_t len = strcspn(text, " ");
    for (int k = 0; k < SIM_TRACE_COUNT; k++) {
        names[k] = sim_trace_info((enum sim_trace_kind)k)->name;
        if (strlen(names[k]) == len && strncmp(names[k], text, len) == 0) {
            look->is_event = true;
            look->kind = (enum sim_trace_kind)k;
        }
    }
    names[SIM_TRACE_COUNT] = NULL;
    if (!look->is_event) {
        const char *near = lesson_nearest(names, text);
        return lesson_problem(problems, line,
                              "case.at: \"%.40s\" is neither a time nor an event%s%s", text,
                              near != NULL ? "; did you mean " : "", near != NULL ? near : "");
    }
    const char *port = text + len + strspn(text + len, " ");
    const size_t n = strlen(port);
    if (n >= sizeof look->port) {
        return lesson_problem(problems, line, "case.at: there is no port \"%.40s\"", port);
    }
    memcpy(look->port, port, n + 1);
    return sim_trace_info(look->kind)->class != SIM_FINE ||
           lesson_problem(problems, line, "case.at: a run cannot wait for \"%s\"", text);
}

/* The list of moments on top of the stack. */
static bool read_looks(lua_State *L, int line, struct lesson_problems *problems,
                       struct validation_case *c)
{
    bool ok = true;
    const int n = lesson_api_length(L, -1);
    c->looks = mem_alloc((size_t)n + 1, sizeof *c->looks);
    for (int i = 1; i <= n; i++) {
        lua_rawgeti(L, -1, i);
        ok = (lua_type(L, -1) == LUA_TSTRING
                  ? read_look(lua_tostring(L, -1), line, problems, &c->looks[c->look_count++])
                  : lesson_problem(problems, line, "case.at holds texts only")) &&
             ok;
        lua_pop(L, 1);
    }
    return ok;
}

/* The list `field` of the case on top of the stack. */
static bool read_list_field(lua_State *L, enum lesson_field field, const struct lesson_value *v,
                            struct lesson_problems *problems, const struct list_reader *reader)
{
    if (!v[field].given) {
        return true;
    }
    lesson_api_push(L, -1, field);
    const bool ok = read_list(L, v[field].line, problems, reader);
    lua_pop(L, 1);
    return ok;
}

static size_t list_length(lua_State *L, enum lesson_field field)
{
    lesson_api_push(L, -1, field);
    const size_t n = lua_istable(L, -1) ? (size_t)lesson_api_length(L, -1) : 0;
    lua_pop(L, 1);
    return n;
}

/* What runs: one scenario, a list of them, or a probe. */
static bool read_subject(lua_State *L, int line, struct lesson_problems *problems,
                         const struct lesson_value *v, const struct sim_probe_entry *probes,
                         struct validation_case *c)
{
    if (v[LESSON_CASE_scenario].given + v[LESSON_CASE_scenarios].given +
            v[LESSON_CASE_probe].given !=
        1) {
        return lesson_problem(problems, line,
                              "a case has one of `scenario`, `scenarios` and `probe`");
    }
    c->scenarios = mem_alloc(list_length(L, LESSON_CASE_scenarios) + 1, sizeof *c->scenarios);
    c->probe = text_of(&v[LESSON_CASE_probe]);
    if (c->probe != NULL) {
        const char *names[RUN_PROBES_MAX + 1];
        run_probe_names(probes, names);
        for (size_t i = 0; names[i] != NULL; i++) {
            if (strcmp(names[i], c->probe) == 0) {
                return true;
            }
        }
        const char *near = lesson_nearest(names, c->probe);
        return lesson_problem(problems, line, "there is no probe \"%.40s\"%s%s", c->probe,
                              near != NULL ? "; did you mean " : "", near != NULL ? near : "");
    }
    if (v[LESSON_CASE_scenario].given) {
        lesson_api_push(L, -1, LESSON_CASE_scenario);
        const struct lesson_place before = lesson_api_enter(L, -1, problems);
        const bool ok = read_scenario(L, v[LESSON_CASE_scenario].line, problems, c);
        lesson_problems_leave(problems, before);
        lua_pop(L, 1);
        return ok;
    }
    return read_list_field(L, LESSON_CASE_scenarios, v, problems,
                           &(struct list_reader){ LESSON_KIND_SCENARIO, read_scenario, c });
}

static bool read_case(lua_State *L, int line, struct lesson_problems *problems, void *to)
{
    struct validation_row *row = to;
    struct validation_case *c = &row->cases[row->case_count++];
    struct lesson_values values = { 0 };
    const struct lesson_value *v = values.v;
    bool ok = lesson_api_read(L, -1, LESSON_KIND_CASE, line, problems, &values);
    c->name = v[LESSON_CASE_name].given ? text_of(&v[LESSON_CASE_name]) : mem_strdup("");
    c->limit = lesson_value_or(&v[LESSON_CASE_limit], 60 * UNIT_S);
    c->seeds = (uint64_t)lesson_value_or(&v[LESSON_CASE_seeds], 1);
    c->over = (enum validation_over)lesson_value_or(&v[LESSON_CASE_over], VALIDATION_MEAN);
    c->measures = mem_alloc(list_length(L, LESSON_CASE_measures) + 1, sizeof *c->measures);
    ok = read_subject(L, line, problems, v, row->probes, c) && ok;
    if (v[LESSON_CASE_at].given) {
        lesson_api_push(L, -1, LESSON_CASE_at);
        ok = read_looks(L, v[LESSON_CASE_at].line, problems, c) && ok;
        lua_pop(L, 1);
    }
    return read_list_field(L, LESSON_CASE_measures, v, problems,
                           &(struct list_reader){ LESSON_KIND_MEASURE, read_measure, c }) &&
           ok;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void read_row(lua_State *L, int line, struct lesson_reader *reader)
{
    struct validation_row *row = reader->to;
    struct lesson_values values = { 0 };
    const struct lesson_value *v = values.v;
    lesson_moments_open(L);
    if (!lesson_api_read(L, 1, LESSON_KIND_VALIDATION, line, &reader->problems, &values)) {
        return;
    }
    row->id = text_of(&v[LESSON_VALIDATION_id]);
    row->setup = text_of(&v[LESSON_VALIDATION_setup]);
    row->source = text_of(&v[LESSON_VALIDATION_source]);
    row->pending = text_of(&v[LESSON_VALIDATION_pending]);
    row->full = v[LESSON_VALIDATION_full].num != 0;
    if (v[LESSON_VALIDATION_cases].given == v[LESSON_VALIDATION_pending].given) {
        (void)lesson_problem(&reader->problems, line, "a row has either `cases` or `pending`");
        return;
    }
    lua_settop(L, 1);
    row->cases = mem_alloc(list_length(L, LESSON_VALIDATION_cases) + 1, sizeof *row->cases);
    (void)read_list_field(L, LESSON_VALIDATION_cases, v, &reader->problems,
                          &(struct list_reader){ LESSON_KIND_CASE, read_case, row });
}

bool validation_load(struct validation_row *row, const char *path, const char *data_dir,
                     const struct sim_probe_entry *probes, struct text *errors, struct err *err)
{
    struct err own = { 0 };
    struct lesson_reader reader = {
        .want = LESSON_KIND_VALIDATION, .read = read_row, .to = row, .data_dir = data_dir
    };
    *row = (struct validation_row){ .path = mem_strdup(path), .probes = probes };
    if (lesson_read_file(&reader, &row->host, path, errors, &own)) {
        return true;
    }
    if (err != NULL) {
        *err = own;
    }
    validation_finish(row);
    return false;
}

static void finish_case(struct validation_case *c)
{
    for (size_t i = 0; i < c->scenario_count; i++) {
        sim_scenario_finish(&c->scenarios[i]);
    }
    for (size_t i = 0; i < c->measure_count; i++) {
        for (size_t k = 0; k < c->measures[i].peer_count; k++) {
            free(c->measures[i].peers[k].name);
            free(c->measures[i].peers[k].why);
        }
        free(c->measures[i].peers);
        free(c->measures[i].name);
        free(c->measures[i].disputed);
    }
    free(c->scenarios);
    free(c->measures);
    free(c->looks);
    free(c->probe);
    free(c->name);
}

void validation_finish(struct validation_row *row)
{
    for (size_t i = 0; i < row->case_count; i++) {
        finish_case(&row->cases[i]);
    }
    lesson_host_destroy(row->host);
    free(row->cases);
    free(row->path);
    free(row->id);
    free(row->setup);
    free(row->source);
    free(row->pending);
    *row = (struct validation_row){ 0 };
}
