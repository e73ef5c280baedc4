#include "lesson/index.h"

#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "lesson/data.h"

enum { TITLE_MAX = 120, NAME_MAX_BYTES = 24 };

void lesson_route_finish(struct lesson_route *route)
{
    for (size_t i = 0; i < route->stop_count; i++) {
        free(route->stops[i].lesson);
    }
    free(route->stops);
    free(route->name);
    free(route->title);
    free(route->where);
    *route = (struct lesson_route){ 0 };
}

void lesson_index_finish(struct lesson_index *index)
{
    for (size_t i = 0; i < index->count; i++) {
        free(index->ids[i]);
    }
    for (size_t i = 0; i < index->route_count; i++) {
        lesson_route_finish(&index->routes[i]);
    }
    free(index->title);
    free(index->start);
    lesson_words_finish(&index->words[LESSON_GLOSSARY]);
    lesson_words_finish(&index->words[LESSON_BIBLIOGRAPHY]);
    *index = (struct lesson_index){ 0 };
}

bool lesson_index_is_id(const char *s)
{
    return *s != '\0' && s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                     "0123456789-")] == '\0';
}

/* An index being read. */
struct index_reader {
    struct lesson_index *index;
    struct lesson_words known[2]; /* by enum lesson_lexicon: what the assets have */
    struct lesson_problems problems;
};

/* The fields of an index, in the order in which messages name them. */
static const char *const FIELDS[] = { "title", "start", "terms", "sources", "routes", NULL };

static int line_of(const struct index_reader *reader, const char *field)
{
    return lesson_source_line(reader->problems.source, 1, "return", field, 0);
}

static bool is_one_of(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(*names, name) != 0) {
        names++;
    }
    return *names != NULL;
}

/* The named fields of the table on top of the stack must be among `names`. */
static void check_names(lua_State *L, struct index_reader *reader, int line, const char *what,
                        const char *const *names, const char *otherwise)
{
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        if (name != NULL && !is_one_of(name, names)) {
            const char *near = lesson_nearest(names, name);
            (void)lesson_problem(&reader->problems, line > 0 ? line : line_of(reader, name),
                                 "%s has no field `%.60s`; %s%s%s", what, name,
                                 near != NULL ? "did you mean `" : otherwise,
                                 near != NULL ? near : "", near != NULL ? "`?" : "");
        }
    }
}

/* A text of one line in a field of the table on top of the stack; NULL: there is none, or it is no good,
 * which is noted. */
static char *take_text(lua_State *L, struct index_reader *reader, int line, const char *what,
                       const char *field, size_t most)
{
    char *taken = NULL;
    size_t len = 0;
    lua_pushstring(L, field);
    const int type = lua_rawget(L, -2);
    const char *text = type == LUA_TSTRING ? lua_tolstring(L, -1, &len) : NULL;
    if (text != NULL && lesson_is_line(text, len, most)) {
        taken = mem_strdup(text);
    } else if (type != LUA_TNIL) {
        (void)lesson_problem(&reader->problems, line, "%s.%s wants one line of at most %zu bytes",
                             what, field, most);
    }
    lua_pop(L, 1);
    return taken;
}

/* The table is at index 1. */
static void read_words(lua_State *L, struct index_reader *reader)
{
    static const char *const fields[] = {
        [LESSON_GLOSSARY] = "terms", [LESSON_BIBLIOGRAPHY] = "sources"
    };
    for (int which = LESSON_GLOSSARY; which <= LESSON_BIBLIOGRAPHY; which++) {
        const int line = line_of(reader, fields[which]);
        lua_pushstring(L, fields[which]);
        const int type = lua_rawget(L, 1);
        if (type == LUA_TTABLE && lua_rawlen(L, -1) == 0) {
            (void)lesson_words_explain(L, fields[which], fields[which], line,
                                       (enum lesson_lexicon)which, &reader->known[which],
                                       &reader->problems, &reader->index->words[which]);
        } else if (type != LUA_TNIL) {
            (void)lesson_problem(&reader->problems, line,
                                 "%s of an index explains: { [\"name\"] = \"...\" }",
                                 fields[which]);
        }
        lua_pop(L, 1);
    }
}

/* ---- routes ---------------------------------------------------------------------------------- */

/* A card of the stop on top of the stack, 0: not given. */
static bool take_card(lua_State *L, const char *field, int *card)
{
    int ok = 0;
    lua_pushstring(L, field);
    const int type = lua_rawget(L, -2);
    const lua_Integer n = lua_tointegerx(L, -1, &ok);
    lua_pop(L, 1);
    *card = type == LUA_TNUMBER && ok != 0 && n >= 1 && n <= 1000 ? (int)n : 0;
    return type == LUA_TNIL || *card > 0;
}

/* The stop is on top of the stack. */
static void read_stop(lua_State *L, struct index_reader *reader, int line,
                      struct lesson_route *route)
{
    static const char *const names[] = { "from", "to", NULL };
    struct lesson_problems *problems = &reader->problems;
    struct lesson_stop stop = { 0 };
    if (!lua_istable(L, -1)) {
        (void)lesson_problem(problems, line,
                             "a stop is { \"lesson\" } or { \"lesson\", from = 1, to = 4 }");
        return;
    }
    check_names(L, reader, line, "a stop", names, "it has a lesson, from and to");
    lua_rawgeti(L, -1, 1);
    const char *id = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (id == NULL || !lesson_is_id(id) || lua_rawlen(L, -2) != 1) {
        (void)lesson_problem(problems, line,
                             "a stop begins with the id of one lesson, like \"one-lost-packet\"");
        id = NULL;
    }
    lua_pop(L, 1);
    if (!take_card(L, "from", &stop.from) || !take_card(L, "to", &stop.to)) {
        (void)lesson_problem(problems, line, "from and to of a stop are numbers of cards, from 1");
    } else if (stop.to > 0 && stop.to < stop.from) {
        (void)lesson_problem(problems, line, "a stop goes on, not back: from %d to %d", stop.from,
                             stop.to);
    } else if (id != NULL) {
        stop.lesson = mem_strdup(id);
        route->stops[route->stop_count++] = stop;
    }
}

/* The route is on top of the stack. */
static void read_route(lua_State *L, struct index_reader *reader, int line)
{
    static const char *const names[] = { "name", "title", NULL };
    struct lesson_problems *problems = &reader->problems;
    struct lesson_index *index = reader->index;
    if (!lua_istable(L, -1) || index->route_count == LESSON_ROUTES_MAX) {
        (void)lesson_problem(problems, line, "routes are at most %d tables of stops",
                             LESSON_ROUTES_MAX);
        return;
    }
    struct lesson_route route = { .line = line, .where = mem_strdup(problems->path) };
    const size_t n = lua_rawlen(L, -1);
    check_names(L, reader, line, "a route", names, "it has a name, a title and stops");
    route.name = take_text(L, reader, line, "route", "name", NAME_MAX_BYTES);
    route.title = take_text(L, reader, line, "route", "title", TITLE_MAX);
    route.stops = mem_alloc(LESSON_STOPS_MAX, sizeof *route.stops);
    for (size_t i = 1; i <= n && i <= LESSON_STOPS_MAX; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        read_stop(L, reader, line, &route);
        lua_pop(L, 1);
    }
    bool known = false;
    for (size_t i = 0; route.name != NULL && i < index->route_count; i++) {
        known = known || strcmp(index->routes[i].name, route.name) == 0;
    }
    if (route.name == NULL || route.title == NULL || n == 0 || n > LESSON_STOPS_MAX) {
        (void)lesson_problem(problems, line, "a route has a name, a title and 1 to %d stops",
                             LESSON_STOPS_MAX);
    } else if (known || !lesson_index_is_id(route.name)) {
        (void)lesson_problem(problems, line,
                             known ? "there are two routes called \"%s\""
                                   : "\"%s\" is no name of a route: letters, "
                                     "digits and -",
                             route.name);
    } else {
        index->routes[index->route_count++] = route;
        return;
    }
    lesson_route_finish(&route);
}

/* The table is at index 1. */
static void read_routes(lua_State *L, struct index_reader *reader)
{
    const int line = line_of(reader, "routes");
    lua_pushliteral(L, "routes");
    const int type = lua_rawget(L, 1);
    const size_t n = type == LUA_TTABLE ? lua_rawlen(L, -1) : 0;
    if (type != LUA_TNIL && n == 0) {
        (void)lesson_problem(&reader->problems, line, "routes are a list of tables of stops");
    }
    for (size_t i = 1; i <= n && i <= LESSON_ROUTES_MAX + 1; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i);
        read_route(L, reader,
                   lesson_source_line(reader->problems.source, line, "routes", NULL, (int)i));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Argument 1: what index.lua returned; 2: the reader. */
static int read_index(lua_State *L)
{
    struct index_reader *reader = lua_touserdata(L, 2);
    struct lesson_index *index = reader->index;
    if (!lua_istable(L, 1)) {
        return luaL_error(L, "an index returns the list of its ids, not a %s", luaL_typename(L, 1));
    }
    const size_t n = lua_rawlen(L, 1);
    for (size_t i = 1; i <= n && index->count < LESSON_INDEX_MAX; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i);
        if (lua_type(L, -1) != LUA_TSTRING || !lesson_index_is_id(lua_tostring(L, -1))) {
            return luaL_error(L, "entry %d of the list is no id", (int)i);
        }
        index->ids[index->count++] = mem_strdup(lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    lua_settop(L, 1);
    check_names(L, reader, 0, "an index", FIELDS,
                "it has ids, title, start, terms, sources and routes");
    index->title = take_text(L, reader, line_of(reader, "title"), "index", "title", TITLE_MAX);
    index->start = take_text(L, reader, line_of(reader, "start"), "index", "start", TITLE_MAX);
    bool listed = index->start == NULL;
    for (size_t i = 0; i < index->count; i++) {
        listed = listed || strcmp(index->ids[i], index->start) == 0;
    }
    if (!listed) {
        (void)lesson_problem(&reader->problems, line_of(reader, "start"),
                             "start: \"%s\" is not in the list", index->start);
    }
    read_words(L, reader);
    read_routes(L, reader);
    return 0;
}

/* Runs the file and reads what it returns. */
static bool run_index(struct index_reader *reader, const char *data_dir, struct err *err)
{
    struct lesson_host *host = lesson_host_create(data_dir, NULL, err);
    bool ok = host != NULL && lesson_host_file(host, reader->problems.path, err);
    if (ok) {
        lua_State *L = lesson_host_lua(host);
        lua_pushcfunction(L, read_index);
        lua_insert(L, 1);
        lua_pushlightuserdata(L, reader);
        ok = lesson_host_call(host, &lesson_budget_load, 2, 0, err);
    }
    lesson_host_destroy(host);
    return ok;
}

bool lesson_index_read_in(const char *data_dir, const char *folder, struct lesson_index *index,
                          struct err *err)
{
    struct index_reader reader = { .index = index };
    struct text path = { 0 };
    char *source = NULL;
    size_t size = 0;
    text_addf(&path, "%s/index.lua", folder);
    reader.problems.path = text_str(&path);
    if (file_read(text_str(&path), LESSON_FILE_MAX, &source, &size, NULL)) {
        reader.problems.source = lesson_source_create(source);
    }
    /* Without assets there is no word that could be explained twice. */
    (void)lesson_words_read(&reader.known[0], data_dir, LESSON_GLOSSARY, NULL);
    (void)lesson_words_read(&reader.known[1], data_dir, LESSON_BIBLIOGRAPHY, NULL);
    bool ok = run_index(&reader, data_dir, err);
    if (ok && reader.problems.count > 0) {
        ok = false;
        if (err != NULL) {
            *err = reader.problems.first;
        }
    }
    if (!ok && err != NULL && err->where[0] == '\0') {
        (void)err_at(err, text_str(&path), 0);
    }
    lesson_words_finish(&reader.known[0]);
    lesson_words_finish(&reader.known[1]);
    lesson_problems_finish(&reader.problems);
    lesson_source_destroy((struct lesson_source *)(uintptr_t)reader.problems.source);
    free(source);
    text_finish(&path);
    return ok;
}

bool lesson_index_read(const char *data_dir, const char *folder, struct lesson_index *index,
                       struct err *err)
{
    struct text path = { 0 };
    text_addf(&path, "%s/%s", data_dir, folder);
    const bool ok = lesson_index_read_in(data_dir, text_str(&path), index, err);
    text_finish(&path);
    return ok;
}
