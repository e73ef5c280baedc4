/*
 * Loading a lesson: run the file, read what it returned, let go of what cannot be used.
 */
#include "lesson/lesson.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "lesson/api.h"
#include "lesson/data.h"
#include "lesson/measure.h"
#include "lesson/path.h"

#define SOURCES_MAX 32
#define TERMS_MAX   4
#define BEFORE_MAX  16

/* ---- what it refers to ----------------------------------------------------------------------- */

/* The lessons that it builds on; whether they are there is for `weft check`. */
static void read_before(lua_State *L, struct lesson_reader *load, int line)
{
    struct lesson *lesson = load->to;
    lesson_api_push(L, 1, LESSON_LESSON_builds_on);
    const int n = lua_istable(L, -1) ? lesson_api_length(L, -1) : 0;
    if (n > BEFORE_MAX) {
        (void)lesson_problem(&load->problems, line, "lesson.builds_on: at most %d, not %d",
                             BEFORE_MAX, n);
    }
    lesson->builds_on = mem_alloc(BEFORE_MAX, sizeof *lesson->builds_on);
    for (int i = 1; i <= n && i <= BEFORE_MAX; i++) {
        const int at = lesson_source_line(load->problems.source, line, "builds_on", NULL, i);
        lua_rawgeti(L, -1, i);
        const char *id = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
        bool twice = false;
        for (size_t j = 0; id != NULL && j < lesson->builds_on_count; j++) {
            twice = twice || strcmp(lesson->builds_on[j], id) == 0;
        }
        if (id == NULL || !lesson_is_id(id)) {
            (void)lesson_problem(&load->problems, at,
                                 "lesson.builds_on[%d] wants the id of a lesson, like "
                                 "\"one-lost-packet\"",
                                 i);
        } else if (twice) {
            (void)lesson_problem(&load->problems, at,
                                 "lesson.builds_on[%d]: \"%.60s\" is there twice", i, id);
        } else {
            lesson->builds_on[lesson->builds_on_count++] = mem_strdup(id);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    struct text after = { 0 };
    for (size_t i = 0; i < lesson->builds_on_count; i++) {
        text_addf(&after, "%s%s", i > 0 ? ", " : "", lesson->builds_on[i]);
    }
    lesson->after = after.s;
}

static void read_words(lua_State *L, struct lesson_reader *load, enum lesson_field field,
                       enum lesson_lexicon which, size_t max, const struct lesson_value *v,
                       struct lesson_words *words)
{
    if (v->given) {
        lesson_api_push(L, 1, field);
        (void)lesson_words_list(L, load->data_dir, which, max, v->line, &load->problems, words);
        lua_pop(L, 1);
    }
}

/* ---- scenes ---------------------------------------------------------------------------------- */

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names of the scenes in the table on top of the stack, in order; 0 after a problem. */
static size_t scene_names(lua_State *L, struct lesson_reader *load, int line, const char **names)
{
    size_t n = 0;
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) != LUA_TSTRING || n == LESSON_SCENES_MAX) {
            lua_pop(L, 2);
            (void)lesson_problem(&load->problems, line,
                                 "scenes takes name = weft.scenario{...}, at most %d",
                                 LESSON_SCENES_MAX);
            return 0;
        }
        names[n++] = lua_tostring(L, -2);
    }
    if (n == 0) {
        (void)lesson_problem(&load->problems, line, "scenes is empty: a lesson needs one at least");
    }
    qsort(names, n, sizeof names[0], compare_names);
    return n;
}

static bool read_scene(lua_State *L, struct lesson_reader *load, int line, const char *name)
{
    struct lesson *lesson = load->to;
    struct lesson_scene *scene = &lesson->scenes[lesson->scene_count];
    int at = 0;
    lua_pushstring(L, name);
    lua_rawget(L, -2);
    const enum lesson_kind kind = lesson_api_kind(L, -1, &at);
    lesson->scene_lines[lesson->scene_count] = at > 0 ? at : line;
    scene->name = mem_strdup(name);
    lesson->scene_names[lesson->scene_count++] = scene->name;
    const bool is_plain = *name != '\0' && isalpha((unsigned char)*name);
    struct text key = { 0 };
    text_addf(&key, is_plain ? "%s" : "[\"%s\"]", name);
    line = lesson_source_line(load->problems.source, line, "scenes", text_str(&key), 0);
    text_finish(&key);
    bool ok = false;
    if (*name == '\0' || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-")] != '\0') {
        sim_scenario_init(&scene->scenario, "scene");
        ok =
            lesson_problem(&load->problems, line,
                           "lesson.scenes: \"%.60s\" is no good name: small letters, digits, _ and "
                           "- only, like \"main\"",
                           name);
    } else if (kind != LESSON_KIND_SCENARIO) {
        sim_scenario_init(&scene->scenario, name);
        ok = lesson_problem(&load->problems, line, "scene %.60s wants weft.scenario{...}", name);
    } else {
        const struct lesson_place before = lesson_api_enter(L, -1, &load->problems);
        ok = lesson_build_scenario(L, -1, name, at > 0 ? at : line, &load->problems,
                                   &scene->scenario, &scene->scale);
        lesson_problems_leave(&load->problems, before);
    }
    lua_pop(L, 1);
    return ok;
}

static bool read_scenes(lua_State *L, struct lesson_reader *load, int index, int line)
{
    const char *names[LESSON_SCENES_MAX];
    lesson_api_push(L, index, LESSON_LESSON_scenes);
    const size_t n = scene_names(L, load, line, names);
    struct lesson *lesson = load->to;
    lesson->scenes = mem_alloc(n + 1, sizeof *lesson->scenes);
    lesson->scene_names = mem_alloc(n + 1, sizeof *lesson->scene_names);
    lesson->scene_lines = mem_alloc(n + 1, sizeof *lesson->scene_lines);
    bool ok = n > 0;
    for (size_t i = 0; i < n; i++) {
        ok = read_scene(L, load, line, names[i]) && ok;
        const int again = lesson_source_again(load->problems.source, line, "scenes", names[i]);
        if (again > 0) {
            ok = lesson_problem(&load->problems, again,
                                "lesson.scenes.%.60s is there twice: give one of them another name",
                                names[i]);
        }
    }
    lua_pop(L, 1);
    return ok;
}

/* ---- the whole lesson ------------------------------------------------------------------------ */

static void read_lesson(lua_State *L, int line, struct lesson_reader *load)
{
    struct lesson_values values = { 0 };
    struct lesson *lesson = load->to;
    const struct lesson_value *v = values.v;
    (void)lesson_api_read(L, 1, LESSON_KIND_LESSON, line, &load->problems, &values);
    lesson->id = mem_strdup(v[LESSON_LESSON_id].given ? v[LESSON_LESSON_id].s : "");
    struct text title = { 0 };
    if (v[LESSON_LESSON_title].given) {
        text_add_clean(&title, v[LESSON_LESSON_title].s, strlen(v[LESSON_LESSON_title].s), false);
    }
    lesson->title = title.s == NULL ? mem_strdup("") : title.s;
    lesson->year = (int)v[LESSON_LESSON_year].num;
    lesson->minutes = (int)v[LESSON_LESSON_minutes].num;
    lesson->level = v[LESSON_LESSON_level].given ? (int)v[LESSON_LESSON_level].num : 1;
    read_words(L, load, LESSON_LESSON_sources, LESSON_BIBLIOGRAPHY, SOURCES_MAX,
               &v[LESSON_LESSON_sources], &lesson->sources);
    read_words(L, load, LESSON_LESSON_terms, LESSON_GLOSSARY, TERMS_MAX, &v[LESSON_LESSON_terms],
               &lesson->terms);
    struct text names = { 0 };
    for (size_t i = 0; i < lesson->terms.count; i++) {
        text_addf(&names, "%s%s", i > 0 ? ", " : "", lesson->terms.item[i].name);
    }
    lesson->term_names = names.s;
    lesson->terms_line = v[LESSON_LESSON_terms].line;
    lesson->builds_on_line = v[LESSON_LESSON_builds_on].line;
    read_before(L, load, v[LESSON_LESSON_builds_on].line);
    if (!v[LESSON_LESSON_scenes].given) {
        return;
    }
    const bool whole = read_scenes(L, load, 1, v[LESSON_LESSON_scenes].line);
    lesson_api_push_fields(L, 1);
    /* Items name scenes: with broken scenes, only their own problems are worth reading. */
    (void)lesson_build_items(lesson, 2, whole, &load->problems);
}

/* Argument 1: what the file returned; 2: the reader. */
static int read_result(lua_State *L)
{
    struct lesson_reader *reader = lua_touserdata(L, 2);
    lua_settop(L, 1);
    int line = 0;
    const enum lesson_kind kind = lesson_api_kind(L, 1, &line);
    const char *name = lesson_kind_info(reader->want)->name;
    if (line == 0) { /* `return weft.lesson{...}` is a tail call: Lua has forgotten its line */
        line = lesson_source_find(reader->problems.source, name);
    }
    if (kind != reader->want) {
        struct err err = { 0 };
        (void)err_set(&err, ERR_STATE, "this file must end with return weft.%s { ... }", name);
        (void)lesson_problem_err(&reader->problems, 0, &err);
        reader->problems.first.code = ERR_STATE; /* another kind of file */
    } else {
        reader->read(L, line, reader);
    }
    return 0;
}

static int open_language(lua_State *L)
{
    lesson_host_push_helper(lesson_host_of(L));
    lesson_api_add_kinds(L);
    lesson_measure_open(L);
    return 0;
}

/* Runs the file and reads its result; problems are in the reader or in err. */
static bool run_file(struct lesson_reader *reader, struct lesson_host *host, const char *path,
                     struct err *err)
{
    lua_State *L = lesson_host_lua(host);
    lua_pushcfunction(L, open_language);
    if (!lesson_host_call(host, &lesson_budget_load, 0, 0, err) ||
        !lesson_host_text(host, reader->text, path, err)) {
        return false;
    }
    lua_pushcfunction(L, read_result);
    lua_insert(L, 1);
    lua_pushlightuserdata(L, reader);
    if (!lesson_host_call(host, &lesson_budget_load, 2, 0, err)) {
        return false;
    }
    if (reader->problems.count > 0 && err != NULL) {
        *err = reader->problems.first;
    }
    return reader->problems.count == 0;
}

bool lesson_read_file(struct lesson_reader *reader, struct lesson_host **host, const char *path,
                      struct text *errors, struct err *err)
{
    char *text = NULL, *folder = lesson_folder(path);
    struct lesson_source *source = NULL;
    size_t size = 0;
    bool ok = true;
    if (reader->text != NULL) {
        text = mem_strdup(reader->text);
    } else {
        ok = file_read(path, LESSON_FILE_MAX, &text, &size, err);
    }
    if (ok) {
        source = lesson_source_create(text);
        reader->problems.path = path;
        reader->problems.source = source;
        *host = lesson_host_create(reader->data_dir, folder, err);
        ok = *host != NULL;
    }
    if (ok) {
        lesson_host_follow(*host, reader->files, reader->cancel);
        ok = run_file(reader, *host, path, err);
        lesson_host_follow(*host, NULL, NULL);
    }
    if (!ok && errors != NULL) {
        char buf[sizeof err->msg + sizeof err->where + 8];
        if (reader->problems.count > 0) {
            text_add(errors, text_str(&reader->problems.all));
        } else {
            text_addf(errors, "%s\n", err_text(err, buf, sizeof buf));
        }
    }
    lesson_problems_finish(&reader->problems);
    lesson_source_destroy(source);
    free(text);
    free(folder);
    return ok;
}

static void read_scenario(lua_State *L, int line, struct lesson_reader *reader)
{
    (void)lesson_build_scenario(L, 1, "scenario", line, &reader->problems, reader->to, NULL);
}

/* ---- files ----------------------------------------------------------------------------------- */

void lesson_files_add(struct lesson_files *files, const char *path)
{
    for (size_t i = 0; i < files->count; i++) {
        if (strcmp(files->path[i], path) == 0) {
            return;
        }
    }
    files->path = mem_grow(files->path, &files->cap, files->count + 1, sizeof *files->path);
    files->path[files->count++] = mem_strdup(path);
}

void lesson_files_finish(struct lesson_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->path[i]);
    }
    free(files->path);
    *files = (struct lesson_files){ 0 };
}

/* `followed` has what is to be followed; the rest is filled in here. */
static struct lesson *load(const char *path, struct lesson_reader followed, struct text *errors,
                           struct err *err)
{
    struct err own = { 0 };
    struct lesson *lesson = mem_alloc(1, sizeof *lesson);
    struct lesson_reader reader = followed;
    reader.want = LESSON_KIND_LESSON;
    reader.read = read_lesson;
    reader.to = lesson;
    lesson->path = mem_strdup(path);
    if (!lesson_read_file(&reader, &lesson->host, path, errors, &own)) {
        if (err != NULL) {
            *err = own;
        }
        lesson_destroy(lesson);
        return NULL;
    }
    size_t *cards = mem_alloc(lesson_card_count(lesson) + 1, sizeof *cards);
    lesson->path_length = lesson_path(lesson, NULL, cards);
    free(cards);
    return lesson;
}

struct lesson *lesson_load(const char *path, const char *data_dir, struct text *errors,
                           struct err *err)
{
    return load(path, (struct lesson_reader){ .data_dir = data_dir }, errors, err);
}

struct lesson *lesson_load_text(const char *text, const char *path, const char *data_dir,
                                struct text *errors, struct err *err)
{
    return load(path, (struct lesson_reader){ .data_dir = data_dir, .text = text }, errors, err);
}

struct lesson *lesson_load_followed(const char *path, const char *data_dir,
                                    struct lesson_files *files, const atomic_bool *cancel,
                                    struct err *err)
{
    lesson_files_add(files, path);
    return load(path,
                (struct lesson_reader){ .data_dir = data_dir, .files = files, .cancel = cancel },
                NULL, err);
}

bool lesson_load_scenario(const char *path, const char *data_dir, struct sim_scenario *sc,
                          struct err *err)
{
    struct err own = { 0 };
    struct lesson_host *host = NULL;
    struct lesson_reader reader = {
        .want = LESSON_KIND_SCENARIO, .read = read_scenario, .to = sc, .data_dir = data_dir
    };
    *sc = (struct sim_scenario){ 0 };
    const bool ok = lesson_read_file(&reader, &host, path, NULL, &own);
    lesson_host_destroy(host);
    if (!ok) {
        sim_scenario_finish(sc);
        if (err != NULL) {
            *err = own;
        }
    }
    return ok;
}

static void free_words(char **words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(words[i]);
    }
    free(words);
}

void lesson_destroy(struct lesson *lesson)
{
    if (lesson == NULL) {
        return;
    }
    lesson_host_destroy(lesson->host);
    for (size_t i = 0; i < lesson->scene_count; i++) {
        sim_scenario_finish(&lesson->scenes[i].scenario);
        free((char *)(uintptr_t)lesson->scenes[i].name); /* ours; const for the readers */
        free(lesson->scenes[i].scale);
    }
    for (size_t i = 0; i < lesson->item_count; i++) {
        lesson_item_finish(&lesson->items[i]);
    }
    for (size_t i = 0; i < lesson->prose_count; i++) {
        free(lesson->proses[i].exprs);
    }
    free_words(lesson->card_titles, lesson->card_count);
    lesson_words_finish(&lesson->sources);
    lesson_words_finish(&lesson->terms);
    free_words(lesson->builds_on, lesson->builds_on_count);
    free(lesson->scenes);
    free(lesson->scene_names);
    free(lesson->scene_lines);
    free(lesson->items);
    free(lesson->funcs);
    free(lesson->cards);
    free(lesson->proses);
    free(lesson->after);
    free(lesson->term_names);
    free(lesson->path);
    free(lesson->id);
    free(lesson->title);
    free(lesson);
}

/* ---- readers --------------------------------------------------------------------------------- */

struct lesson_info lesson_info(const struct lesson *lesson)
{
    return (struct lesson_info){ .id = lesson->id,
                                 .title = lesson->title,
                                 .file = lesson->path,
                                 .year = lesson->year,
                                 .minutes = lesson->minutes,
                                 .level = lesson->level,
                                 .after = lesson->after != NULL ? lesson->after : "",
                                 .terms = lesson->term_names != NULL ? lesson->term_names : "",
                                 .cards = lesson->path_length };
}

size_t lesson_scene_count(const struct lesson *lesson)
{
    return lesson->scene_count;
}

const struct lesson_scene *lesson_scene(const struct lesson *lesson, size_t index)
{
    return &lesson->scenes[index];
}

size_t lesson_card_count(const struct lesson *lesson)
{
    return lesson->card_count;
}

const struct lesson_card *lesson_card(const struct lesson *lesson, size_t index)
{
    return &lesson->cards[index];
}

size_t lesson_item_count(const struct lesson *lesson)
{
    return lesson->item_count;
}

const struct lesson_item *lesson_item(const struct lesson *lesson, size_t index)
{
    return &lesson->items[index];
}

size_t lesson_term_count(const struct lesson *lesson)
{
    return lesson->terms.count;
}

const struct lesson_word *lesson_term(const struct lesson *lesson, size_t index)
{
    return &lesson->terms.item[index];
}

size_t lesson_source_count(const struct lesson *lesson)
{
    return lesson->sources.count;
}

const struct lesson_word *lesson_source(const struct lesson *lesson, size_t index)
{
    return &lesson->sources.item[index];
}

void lesson_say_words(const struct lesson *lesson, struct text *out)
{
    for (size_t i = 0; i < lesson->terms.count; i++) {
        const struct lesson_word *term = &lesson->terms.item[i];
        text_addf(out, "%s: %s\n", term->name, term->text);
    }
    for (size_t i = 0; i < lesson->sources.count; i++) {
        const struct lesson_word *source = &lesson->sources.item[i];
        text_addf(out, "[%s] %s\n", source->name, source->text);
    }
}

const char *lesson_level_words(int level)
{
    static const char *const words[] = { "", "first steps", "mechanisms", "research" };
    return level >= 1 && level <= 3 ? words[level] : "";
}
