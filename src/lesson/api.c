/*
 * Reading what constructors were given, by the table in api.h.
 */
#include "lesson/api.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/mem.h"
#include "base/units.h"
#include "lesson/host.h"

#define UNKNOWN_MAX 8  /* unknown fields of one table that are reported */
#define NEAREST_MAX 60 /* letters of a name that may be a slip */

enum { OPTIONAL, REQUIRED };
#define KIND_BIT(id) (INT64_C(1) << LESSON_KIND_##id)

const char *const lesson_node_words[] = { "host", "switch", "memory", NULL };
const char *const lesson_link_words[] = { "fabric", "pcie", "nvlink", "memory", NULL };
const char *const lesson_over_words[] = { "mean", "median", "worst", NULL };
const char *const lesson_until_words[] = { "barrier", "end",  "time",  "drop", "nak",
                                           "timeout", "xoff", "round", NULL };
const char *const lesson_answer_words[] = { "choice", "number", NULL };
const char *const lesson_unit_words[] = { "count", "time", "rate", "bytes", "share", NULL };
const char *const lesson_view_words[] = { "main", "text", "timeline",     "events", "switches",
                                          "gpus", "plot", "distribution", NULL };
const char *const lesson_gear_words[] = { "keep", "packet", "round", "step", "timeout", NULL };

static const struct lesson_kind_info kinds[] = {
#define X(id, name, form, help) { name, LESSON_FORM_##form, help },
    LESSON_KINDS(X)
#undef X
};

static const struct lesson_field_info fields[] = {
#define F(kind, name, type, flags, min, max, words, help)                                          \
    { LESSON_KIND_##kind, #name, LESSON_TYPE_##type, flags, min, max, words, help },
    LESSON_FIELDS(F)
#undef F
};

const struct lesson_kind_info *lesson_kind_info(enum lesson_kind kind)
{
    return &kinds[kind];
}

const struct lesson_field_info *lesson_field_info(enum lesson_field field)
{
    return &fields[field];
}

enum lesson_parts lesson_kind_parts(enum lesson_kind kind)
{
    return kind == LESSON_KIND_LESSON                                 ? LESSON_PARTS_ITEMS
           : kind == LESSON_KIND_BRANCH                               ? LESSON_PARTS_WAYS
           : kind == LESSON_KIND_FLOWS                                ? LESSON_PARTS_FLOWS
           : kind == LESSON_KIND_CHOICE || kind == LESSON_KIND_FAULTS ? LESSON_PARTS_TEXT
           : kind == LESSON_KIND_PLOT                                 ? LESSON_PARTS_NAMES
                                                                      : LESSON_PARTS_NONE;
}

/* ---- objects --------------------------------------------------------------------------------- */

/* rawget by name: metatables of foreign tables are never asked. Returns the type. */
static int push_raw_field(lua_State *L, int index, const char *name)
{
    index = lua_absindex(L, index);
    lua_pushstring(L, name);
    return lua_rawget(L, index);
}

enum lesson_kind lesson_api_kind(lua_State *L, int index, int *line)
{
    if (line != NULL) {
        *line = 0;
    }
    if (!lua_istable(L, index)) {
        return LESSON_KIND_COUNT;
    }
    enum lesson_kind kind = LESSON_KIND_COUNT;
    if (push_raw_field(L, index, "weft") == LUA_TSTRING) {
        const char *name = lua_tostring(L, -1);
        for (int i = 0; i < LESSON_KIND_COUNT; i++) {
            if (kinds[i].form != LESSON_FORM_PART && strcmp(kinds[i].name, name) == 0) {
                kind = (enum lesson_kind)i;
            }
        }
    }
    lua_pop(L, 1);
    if (push_raw_field(L, index, "fields") != LUA_TTABLE) {
        kind = LESSON_KIND_COUNT;
    }
    lua_pop(L, 1);
    if (push_raw_field(L, index, "line") == LUA_TNUMBER && line != NULL) {
        const lua_Integer n = lua_tointeger(L, -1);
        *line = n > 0 && n < INT32_MAX ? (int)n : 0;
    }
    lua_pop(L, 1);
    return kind;
}

struct lesson_place lesson_api_enter(lua_State *L, int index, struct lesson_problems *problems)
{
    const char *path = NULL;
    if (lua_istable(L, index)) {
        /* The object keeps the string alive after it is popped. */
        path = push_raw_field(L, index, "file") == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        lua_pop(L, 1);
    }
    return lesson_problems_enter(problems, path);
}

void lesson_api_push_fields(lua_State *L, int index)
{
    (void)push_raw_field(L, index, "fields");
}

void lesson_api_push(lua_State *L, int index, enum lesson_field field)
{
    lesson_api_push_fields(L, index);
    (void)push_raw_field(L, -1, fields[field].name);
    lua_remove(L, -2);
}

int lesson_api_length(lua_State *L, int index)
{
    const size_t n = lua_rawlen(L, index);
    return n > 100000 ? 100000 : (int)n;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* What is being read, for messages. */
struct reader {
    lua_State *L;
    struct lesson_problems *problems;
    enum lesson_kind kind;
    int line;
};

static int field_line(const struct reader *r, const char *name)
{
    return lesson_source_line(r->problems->source, r->line, kinds[r->kind].name, name, 0);
}

static const char *type_words(lua_State *L, int index)
{
    const enum lesson_kind kind = lesson_api_kind(L, index, NULL);
    static const char *const objects[] = {
#define X(id, name, form, help) "weft." name,
        LESSON_KINDS(X)
#undef X
    };
    return kind == LESSON_KIND_COUNT ? luaL_typename(L, index) : objects[kind];
}

static bool wrong_type(const struct reader *r, const struct lesson_field_info *f, int line,
                       const char *want)
{
    return lesson_problem(r->problems, line, "%s.%s wants %s, not a %s", kinds[r->kind].name,
                          f->name, want, type_words(r->L, -1));
}

static bool read_quantity(const struct reader *r, const struct lesson_field_info *f,
                          enum unit_kind unit, struct lesson_value *out)
{
    if (lua_type(r->L, -1) == LUA_TNUMBER && unit == UNIT_SHARE) {
        const double share = lua_tonumber(r->L, -1);
        out->num = share >= 0 && share <= 1 ? llround(share * (double)UNIT_ONE) : -1;
        return out->num >= 0 ||
               lesson_problem(r->problems, out->line, "%s.%s: a share is from 0 to 1",
                              kinds[r->kind].name, f->name);
    }
    if (lua_type(r->L, -1) == LUA_TNUMBER) {
        return lesson_problem(r->problems, out->line, "%s.%s: a bare number has no unit; write %s",
                              kinds[r->kind].name, f->name, units_example(unit));
    }
    if (lua_type(r->L, -1) != LUA_TSTRING) {
        return wrong_type(r, f, out->line, units_example(unit));
    }
    struct err err = { 0 };
    if (!units_parse(lua_tostring(r->L, -1), unit, &out->num, &err)) {
        (void)err_note(&err, "%s.%s", kinds[r->kind].name, f->name);
        return lesson_problem_err(r->problems, out->line, &err);
    }
    return true;
}

static bool read_text(const struct reader *r, const struct lesson_field_info *f,
                      struct lesson_value *out)
{
    if (lua_type(r->L, -1) != LUA_TSTRING) {
        return wrong_type(r, f, out->line, "a text");
    }
    out->s = lua_tostring(r->L, -1);
    if (lua_rawlen(r->L, -1) != strlen(out->s)) {
        return lesson_problem(r->problems, out->line, "%s.%s holds a zero byte",
                              kinds[r->kind].name, f->name);
    }
    if (out->s[strspn(out->s, " \t\r\n")] == '\0') {
        return lesson_problem(r->problems, out->line, "%s.%s is empty", kinds[r->kind].name,
                              f->name);
    }
    if (f->type == LESSON_TYPE_NAME &&
        out->s[strspn(out->s, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0') {
        return lesson_problem(r->problems, out->line,
                              "%s.%s: \"%.60s\" may hold small letters, digits and - only",
                              kinds[r->kind].name, f->name, out->s);
    }
    return true;
}

static bool read_int(const struct reader *r, const struct lesson_field_info *f,
                     struct lesson_value *out)
{
    int ok = 0;
    if (lua_type(r->L, -1) != LUA_TNUMBER) {
        return wrong_type(r, f, out->line, "a whole number");
    }
    out->num = lua_tointegerx(r->L, -1, &ok);
    if (ok && out->num >= f->min && out->num <= f->max) {
        return true;
    }
    char given[32];
    (void)snprintf(given, sizeof given, "%.10g", lua_tonumber(r->L, -1));
    return f->min == f->max
               ? lesson_problem(r->problems, out->line, "%s.%s must be %lld, not %s",
                                kinds[r->kind].name, f->name, (long long)f->min, given)
               : lesson_problem(r->problems, out->line,
                                "%s.%s must be a whole number from %lld to %lld, not %s",
                                kinds[r->kind].name, f->name, (long long)f->min, (long long)f->max,
                                given);
}

static bool read_word(const struct reader *r, const struct lesson_field_info *f,
                      struct lesson_value *out)
{
    if (lua_type(r->L, -1) != LUA_TSTRING) {
        return wrong_type(r, f, out->line, "a word");
    }
    const char *word = lua_tostring(r->L, -1);
    for (int i = 0; f->words[i] != NULL; i++) {
        if (strcmp(f->words[i], word) == 0) {
            out->num = i;
            return true;
        }
    }
    const char *near = lesson_nearest(f->words, word);
    char all[256] = "";
    for (int i = 0; f->words[i] != NULL; i++) {
        const size_t n = strlen(all);
        (void)snprintf(all + n, sizeof all - n, "%s%s", i == 0 ? "" : ", ", f->words[i]);
    }
    return near != NULL
               ? lesson_problem(r->problems, out->line, "%s.%s: no \"%.60s\"; did you mean \"%s\"?",
                                kinds[r->kind].name, f->name, word, near)
               : lesson_problem(r->problems, out->line, "%s.%s: no \"%.60s\"; there are %s",
                                kinds[r->kind].name, f->name, word, all);
}

static bool read_object(const struct reader *r, const struct lesson_field_info *f,
                        struct lesson_value *out)
{
    int line = 0;
    const enum lesson_kind kind = lesson_api_kind(r->L, -1, &line);
    if (kind == LESSON_KIND_COUNT || ((f->max >> (int)kind) & 1) == 0) {
        char want[512] = "";
        for (int i = 0; i < LESSON_KIND_COUNT; i++) {
            const size_t n = strlen(want);
            if (((f->max >> i) & 1) != 0) {
                (void)snprintf(want + n, sizeof want - n, "%sweft.%s", n == 0 ? "" : " or ",
                               kinds[i].name);
            }
        }
        return wrong_type(r, f, out->line, want);
    }
    out->line = line > 0 ? line : out->line;
    return true;
}

/* The value of the field is on top of the stack. */
static bool read_value(const struct reader *r, const struct lesson_field_info *f,
                       struct lesson_value *out)
{
    const int type = lua_type(r->L, -1);
    switch (f->type) {
    case LESSON_TYPE_TEXT:
    case LESSON_TYPE_PROSE:
    case LESSON_TYPE_NAME:
        return read_text(r, f, out);
    case LESSON_TYPE_INT:
        return read_int(r, f, out);
    case LESSON_TYPE_NUMBER:
        out->real = lua_tonumber(r->L, -1);
        return (type == LUA_TNUMBER && isfinite(out->real)) ||
               wrong_type(r, f, out->line, "a number");
    case LESSON_TYPE_BOOL:
        out->num = lua_toboolean(r->L, -1);
        return type == LUA_TBOOLEAN || wrong_type(r, f, out->line, "true or false");
    case LESSON_TYPE_TIME:
        return read_quantity(r, f, UNIT_TIME, out);
    case LESSON_TYPE_RATE:
        return read_quantity(r, f, UNIT_RATE, out);
    case LESSON_TYPE_BYTES:
        return read_quantity(r, f, UNIT_BYTES, out);
    case LESSON_TYPE_SHARE:
        return read_quantity(r, f, UNIT_SHARE, out);
    case LESSON_TYPE_WORD:
        return read_word(r, f, out);
    case LESSON_TYPE_FUNC:
        return type == LUA_TFUNCTION || wrong_type(r, f, out->line, "function(r) return ... end");
    case LESSON_TYPE_OBJECT:
        return read_object(r, f, out);
    case LESSON_TYPE_LIST:
    case LESSON_TYPE_ITEMS:
    case LESSON_TYPE_WORDS:
    case LESSON_TYPE_TABLE:
    case LESSON_TYPE_PART:
    case LESSON_TYPE_KNOBS:
        return (type == LUA_TTABLE && lesson_api_kind(r->L, -1, NULL) == LESSON_KIND_COUNT) ||
               wrong_type(r, f, out->line,
                          f->type == LESSON_TYPE_ITEMS
                              ? "a list of items, { weft.say [[ ... ]], ... }"
                              : "a table");
    case LESSON_TYPE_ANY:
        return true;
    }
    return false;
}

/* ---- unknown fields -------------------------------------------------------------------------- */

static bool is_field_of(enum lesson_kind kind, const char *name)
{
    for (size_t i = 0; i < LESSON_FIELD_COUNT; i++) {
        if (fields[i].kind == kind && strcmp(fields[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool unknown_field(const struct reader *r, const char *name)
{
    const char *names[LESSON_FIELD_COUNT + 1];
    size_t n = 0;
    for (size_t i = 0; i < LESSON_FIELD_COUNT; i++) {
        if (fields[i].kind == r->kind) {
            names[n++] = fields[i].name;
        }
    }
    names[n] = NULL;
    const char *near = lesson_nearest(names, name);
    const int line = field_line(r, name);
    return near == NULL ? lesson_problem(r->problems, line, "weft.%s has no field `%.60s`",
                                         kinds[r->kind].name, name)
                        : lesson_problem(r->problems, line,
                                         "weft.%s has no field `%.60s`; did you mean `%s`?",
                                         kinds[r->kind].name, name, near);
}

/* Lua keeps the last of two fields of one name; its author means one of them. */
static bool once(const struct reader *r, const char *name)
{
    const int again =
        kinds[r->kind].form == LESSON_FORM_PART
            ? 0 /* it has no word that could be looked for */
            : lesson_source_again(r->problems->source, r->line, kinds[r->kind].name, name);
    return again == 0 || lesson_problem(r->problems, again, "%s.%s is there twice: keep one",
                                        kinds[r->kind].name, name);
}

/* The table of fields is on top of the stack. */
static bool check_names(const struct reader *r)
{
    lua_State *L = r->L;
    const char *unknown[UNKNOWN_MAX];
    size_t n = 0;
    bool ok = true;
    const size_t parts = lua_rawlen(L, -1);
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING) {
            const char *name = lua_tostring(L, -2);
            if (r->kind != LESSON_KIND_SET && n < UNKNOWN_MAX && !is_field_of(r->kind, name)) {
                unknown[n++] = name;
            }
            continue;
        }
        const bool in_list = lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1 &&
                             ((lua_Unsigned)lua_tointeger(L, -2) <= parts ||
                              lesson_kind_parts(r->kind) == LESSON_PARTS_WAYS);
        if (!in_list || lesson_kind_parts(r->kind) == LESSON_PARTS_NONE) {
            if (ok) {
                ok = lesson_problem(r->problems, r->line, "weft.%s takes `name = value`%s",
                                    kinds[r->kind].name,
                                    in_list ? " only" : ", and its list has a hole or an odd key");
            }
        }
    }
    qsort(unknown, n, sizeof unknown[0], compare_names);
    for (size_t i = 0; i < n; i++) {
        ok = unknown_field(r, unknown[i]) && ok;
    }
    return n == 0 && ok;
}

/* ---- reading a whole object ------------------------------------------------------------------ */

/* The table of fields is on top of the stack; pops it. */
static bool read_fields(const struct reader *r, struct lesson_values *values)
{
    lua_State *L = r->L;
    bool ok = check_names(r);
    for (size_t i = 0; i < LESSON_FIELD_COUNT; i++) {
        const struct lesson_field_info *f = &fields[i];
        if (f->kind != r->kind) {
            continue;
        }
        struct lesson_value *out = &values->v[i];
        *out = (struct lesson_value){ .line = r->line };
        if (push_raw_field(L, -1, f->name) == LUA_TNIL) {
            if (f->required) {
                ok = lesson_problem(r->problems, r->line, "weft.%s needs `%s`: %s",
                                    kinds[r->kind].name, f->name, f->help);
            }
        } else {
            out->line = field_line(r, f->name);
            out->given = read_value(r, f, out);
            out->refused = !out->given;
            ok = out->given && ok;
            ok = once(r, f->name) && ok;
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return ok;
}

bool lesson_api_read(lua_State *L, int index, enum lesson_kind kind, int line,
                     struct lesson_problems *problems, struct lesson_values *values)
{
    const struct reader r = { L, problems, kind, line };
    lesson_api_push_fields(L, index);
    return read_fields(&r, values);
}

bool lesson_api_read_part(lua_State *L, int index, enum lesson_kind kind, int line,
                          struct lesson_problems *problems, struct lesson_values *values)
{
    const struct reader r = { L, problems, kind, line };
    lua_pushvalue(L, index);
    return read_fields(&r, values);
}

/* ---- knobs ----------------------------------------------------------------------------------- */

bool lesson_api_knob_value(lua_State *L, const char *knob, enum sim_knob *id, int64_t *value,
                           struct err *err)
{
    const enum sim_knob known = sim_knob_find(knob);
    const int type = lua_type(L, -1);
    if (type == LUA_TBOOLEAN) {
        return sim_knob_parse(knob, lua_toboolean(L, -1) ? "on" : "off", id, value, err);
    }
    if (type == LUA_TNUMBER) {
        if (known != SIM_KNOB_COUNT && sim_knob_info(known)->unit != UNIT_COUNT) {
            return err_set(err, ERR_SYNTAX, "%s: a bare number has no unit; write %s", knob,
                           units_example(sim_knob_info(known)->unit));
        }
        if (!lua_isinteger(L, -1)) {
            return err_set(err, ERR_RANGE, "%s: a whole number is wanted", knob);
        }
        char text[32];
        (void)snprintf(text, sizeof text, "%lld", (long long)lua_tointeger(L, -1));
        return sim_knob_parse(knob, text, id, value, err);
    }
    if (type == LUA_TSTRING) {
        return sim_knob_parse(knob, lua_tostring(L, -1), id, value, err);
    }
    return err_set(err, ERR_SYNTAX, "%s: a %s is no value for a switch", knob,
                   luaL_typename(L, -1));
}

struct sim_cmd *lesson_api_read_knobs(lua_State *L, const char *what, int line,
                                      struct lesson_problems *problems, size_t *count)
{
    const char *names[2 * SIM_KNOB_COUNT];
    const char *dot = strrchr(what, '.'), *field = dot != NULL ? dot + 1 : what;
    size_t n = 0;
    bool ok = true;
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING || n == 2 * SIM_KNOB_COUNT) {
            ok = lesson_problem(problems, line, "%s takes `knob = value`", what);
            lua_pop(L, 2);
            break;
        }
        names[n++] = lua_tostring(L, -2);
    }
    qsort(names, n, sizeof names[0], compare_names);
    struct sim_cmd *cmds = mem_alloc(n + 1, sizeof *cmds);
    for (size_t i = 0; i < n; i++) {
        struct err err = { 0 };
        cmds[i].kind = SIM_CMD_SET;
        (void)push_raw_field(L, -1, names[i]);
        if (!lesson_api_knob_value(L, names[i], &cmds[i].knob, &cmds[i].value, &err)) {
            const int at = lesson_source_line(problems->source, line, field, names[i], 0);
            const size_t len = strlen(names[i]);
            const bool named = strncmp(err.msg, names[i], len) == 0 &&
                               (err.msg[len] == ':' || err.msg[len] == ' ');
            ok = lesson_problem(problems, at, "%s.%.60s%s%s", what, names[i], named ? "" : ": ",
                                named ? err.msg + len : err.msg);
        }
        const int again = lesson_source_again(problems->source, line, field, names[i]);
        if (again != 0) {
            ok = lesson_problem(problems, again, "%s.%.60s is there twice: keep one", what,
                                names[i]);
        }
        lua_pop(L, 1);
    }
    *count = n;
    if (!ok) {
        free(cmds);
        return NULL;
    }
    return cmds;
}

/* nearest(name): the constructor that a mistyped one may be, or nil. */
static int helper_nearest(lua_State *L)
{
    const char *names[LESSON_KIND_COUNT + 1];
    size_t n = 0, len = 0;
    const char *name = luaL_checklstring(L, 1, &len);
    if (len > NEAREST_MAX) { /* a text is compared letter by letter, out of the budget's sight */
        return 0;
    }
    for (int i = 0; i < LESSON_KIND_COUNT; i++) {
        if (kinds[i].form != LESSON_FORM_PART) {
            names[n++] = kinds[i].name;
        }
    }
    names[n] = NULL;
    lua_pushstring(L, lesson_nearest(names, name)); /* NULL: nil */
    return 1;
}

void lesson_api_add_kinds(lua_State *L)
{
    static const char *const forms[] = { "table", "text", "claim", "part" };
    lua_createtable(L, LESSON_KIND_COUNT, 0);
    for (int i = 0; i < LESSON_KIND_COUNT; i++) {
        lua_createtable(L, 0, 2);
        lua_pushstring(L, kinds[i].name);
        lua_setfield(L, -2, "name");
        lua_pushstring(L, forms[kinds[i].form]);
        lua_setfield(L, -2, "form");
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "kinds");
    lua_pushcfunction(L, helper_nearest);
    lua_setfield(L, -2, "nearest");
}
