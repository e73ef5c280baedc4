/*
 * Finding lessons: folders with an index.lua, ids, numbers, paths.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "lesson/data.h"
#include "lesson/index.h"
#include "lesson/lesson.h"

char *lesson_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? mem_strdup(".") : mem_strndup(path, (size_t)(slash - path));
}

/* ---- ids ---------------------------------------------------------------------------------- */

bool lesson_is_id(const char *s)
{
    return *s != '\0' && *s != '-' && s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

/* ---- places ---------------------------------------------------------------------------------- */

static char *path_in(const char *folder, const char *id)
{
    struct text path = { 0 };
    text_addf(&path, "%s/%s.lua", folder, id);
    return path.s;
}

static char *course_folder(const struct lesson_places *places)
{
    struct text path = { 0 };
    text_addf(&path, "%s/lessons", places->data_dir);
    return path.s;
}

/* The file of the first folder that has the lesson, the course last; NULL: none has. */
static char *file_of(const struct lesson_places *places, const char *id, bool *own)
{
    char *path = NULL;
    *own = true;
    for (size_t i = 0; i < places->own_count; i++) {
        path = path_in(places->own[i], id);
        if (file_exists(path)) {
            return path;
        }
        free(path);
    }
    if (places->alone) {
        return NULL;
    }
    *own = false;
    char *folder = course_folder(places);
    path = path_in(folder, id);
    free(folder);
    if (!file_exists(path)) {
        free(path);
        path = NULL;
    }
    return path;
}

/* What the indexes list, each id once, with the folder of the index and what that is called. */
struct ids {
    struct {
        char *id, *folder, *group;
    } * item;
    size_t count, cap;
    char *title, *start; /* of the first index, or NULL */
    struct lesson_route *route;
    size_t route_count, route_cap;
};

static void ids_finish(struct ids *ids)
{
    for (size_t i = 0; i < ids->count; i++) {
        free(ids->item[i].id);
        free(ids->item[i].folder);
        free(ids->item[i].group);
    }
    for (size_t i = 0; i < ids->route_count; i++) {
        lesson_route_finish(&ids->route[i]);
    }
    free(ids->route);
    free(ids->item);
    free(ids->title);
    free(ids->start);
    *ids = (struct ids){ 0 };
}

static char *dup_or_null(const char *text)
{
    return text != NULL ? mem_strdup(text) : NULL;
}

/* Routes of a name that an earlier index has are hidden by its own. Takes them over. */
static void add_routes(struct ids *ids, struct lesson_index *index)
{
    for (size_t i = 0; i < index->route_count; i++) {
        bool known = false;
        for (size_t j = 0; j < ids->route_count; j++) {
            known = known || strcmp(ids->route[j].name, index->routes[i].name) == 0;
        }
        if (!known) {
            ids->route =
                mem_grow(ids->route, &ids->route_cap, ids->route_count + 1, sizeof *ids->route);
            ids->route[ids->route_count++] = index->routes[i];
            index->routes[i] = (struct lesson_route){ 0 };
        }
    }
}

/* `group`: what the folder is called where it is not the course. */
static void add_ids(struct ids *ids, struct lesson_index *index, const char *folder,
                    const char *group)
{
    if (ids->title == NULL && ids->start == NULL && ids->count == 0) {
        ids->title = dup_or_null(index->title);
        ids->start = dup_or_null(index->start);
    }
    add_routes(ids, index);
    for (size_t i = 0; i < index->count; i++) {
        bool known = false;
        for (size_t j = 0; j < ids->count && !known; j++) {
            known = strcmp(ids->item[j].id, index->ids[i]) == 0;
        }
        if (!known) {
            ids->item = mem_grow(ids->item, &ids->cap, ids->count + 1, sizeof *ids->item);
            ids->item[ids->count].id = mem_strdup(index->ids[i]);
            ids->item[ids->count].group = dup_or_null(group);
            ids->item[ids->count++].folder = mem_strdup(folder);
        }
    }
}

/* A folder of one's own need not have an index; one that does not load is reported, unless it must be
 * there. */
static bool add_folder(const struct lesson_places *places, const char *folder, bool course,
                       bool must, struct ids *ids, struct text *errors, struct err *err)
{
    struct lesson_index index = { .count = 0 };
    struct err own = { 0 };
    char *path = path_in(folder, "index");
    bool ok = !must && !file_exists(path);
    if (!ok) {
        ok = lesson_index_read_in(places->data_dir, folder, &index, &own);
        add_ids(ids, &index, folder, course ? NULL : index.title != NULL ? index.title : folder);
    }
    if (!ok && must && err != NULL) {
        *err = own;
    } else if (!ok && errors != NULL) {
        char buf[sizeof own.msg + sizeof own.where + 8];
        text_addf(errors, "%s\n", err_text(&own, buf, sizeof buf));
    }
    lesson_index_finish(&index);
    free(path);
    return ok || !must;
}

static bool all_ids(const struct lesson_places *places, struct ids *ids, struct text *errors,
                    struct err *err)
{
    bool ok = true;
    if (!places->alone) { /* first, so that its numbers stay what they are */
        char *course = course_folder(places);
        ok = add_folder(places, course, true, true, ids, errors, err);
        free(course);
    }
    for (size_t i = 0; ok && i < places->own_count; i++) {
        ok = add_folder(places, places->own[i], places->alone && i == 0, places->alone && i == 0,
                        ids, errors, err);
    }
    return ok;
}

/* ---- the list -------------------------------------------------------------------------------- */

/* The lesson that the index in `folder` calls `id`. */
static void add_lesson(const struct lesson_places *places, const struct ids *ids, size_t item,
                       struct lesson_list *list, struct text *errors)
{
    bool own = false;
    const char *folder = ids->item[item].folder, *id = ids->item[item].id;
    char *path = file_of(places, id, &own);
    if (path == NULL) { /* an id without a file: loading says so */
        path = path_in(folder, id);
    }
    struct lesson *lesson = lesson_load(path, places->data_dir, errors, NULL);
    if (lesson != NULL) {
        struct lesson_info info = lesson_info(lesson);
        info.id = mem_strdup(info.id);
        info.title = mem_strdup(info.title);
        info.after = mem_strdup(info.after);
        info.terms = mem_strdup(info.terms);
        info.file = mem_strdup(path);
        info.group = dup_or_null(ids->item[item].group);
        info.number = (int)item + 1;
        info.own = own;
        list->items[list->count++] = info;
    }
    lesson_destroy(lesson);
    free(path);
}

static const struct lesson_info *find_info(const struct lesson_list *list, const char *id)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].id, id) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

/* Leaves the stops whose lesson is there, from and to made cards. False: such a card is not there. */
static bool settle_route(const struct lesson_list *list, struct lesson_route *route,
                         struct text *errors)
{
    size_t kept = 0;
    bool ok = true;
    for (size_t i = 0; i < route->stop_count; i++) {
        struct lesson_stop stop = route->stops[i];
        const struct lesson_info *info = find_info(list, stop.lesson);
        const int cards = info != NULL ? (int)info->cards : 0;
        if (info == NULL) {
            free(stop.lesson);
            continue;
        }
        if ((stop.from > cards || stop.to > cards) && errors != NULL) {
            text_addf(errors, "%s:%d: route \"%s\": there is no card %d in %s, it has %d\n",
                      route->where, route->line, route->name,
                      stop.from > stop.to ? stop.from : stop.to, stop.lesson, cards);
        }
        ok = ok && stop.from <= cards && stop.to <= cards;
        stop.from = stop.from > 0 ? stop.from : 1;
        stop.to = stop.to > 0 ? stop.to : cards;
        route->stops[kept++] = stop;
    }
    route->stop_count = kept;
    return ok && kept > 0;
}

static void take_routes(struct ids *ids, struct lesson_list *list, struct text *errors)
{
    list->routes = mem_alloc(ids->route_count + 1, sizeof *list->routes);
    for (size_t i = 0; i < ids->route_count; i++) {
        if (settle_route(list, &ids->route[i], errors)) {
            list->routes[list->route_count++] = ids->route[i];
            ids->route[i] = (struct lesson_route){ 0 };
        }
    }
}

bool lesson_list(const struct lesson_places *places, struct lesson_list *list, struct text *errors,
                 struct err *err)
{
    struct ids ids = { 0 };
    *list = (struct lesson_list){ 0 };
    const bool ok = all_ids(places, &ids, errors, err);
    list->items = mem_alloc(ids.count + 1, sizeof *list->items);
    for (size_t i = 0; ok && i < ids.count; i++) {
        if (ids.start != NULL && strcmp(ids.item[i].id, ids.start) == 0) {
            list->start = list->count;
        }
        add_lesson(places, &ids, i, list, errors);
    }
    list->start = list->start < list->count ? list->start : 0; /* it may not load */
    list->title = ids.title;
    ids.title = NULL;
    take_routes(&ids, list, errors);
    ids_finish(&ids);
    return ok;
}

static bool same_group(const struct lesson_info *a, const struct lesson_info *b)
{
    return (a->group == NULL) == (b->group == NULL) &&
           (a->group == NULL || strcmp(a->group, b->group) == 0);
}

void lesson_list_by_year(const struct lesson_list *list, size_t *order)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct lesson_info *info = &list->items[i];
        size_t at = i;
        for (; at > 0; at--) {
            const struct lesson_info *before = &list->items[order[at - 1]];
            if (!same_group(before, info) || before->year <= info->year) {
                break;
            }
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

void lesson_list_finish(struct lesson_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free((char *)(uintptr_t)list->items[i].id); /* ours; const for the readers */
        free((char *)(uintptr_t)list->items[i].title);
        free((char *)(uintptr_t)list->items[i].file);
        free((char *)(uintptr_t)list->items[i].after);
        free((char *)(uintptr_t)list->items[i].terms);
        free((char *)(uintptr_t)list->items[i].group);
    }
    for (size_t i = 0; i < list->route_count; i++) {
        lesson_route_finish(&list->routes[i]);
    }
    free(list->routes);
    free(list->title);
    free(list->items);
    *list = (struct lesson_list){ 0 };
}

static bool looks_like_path(const char *target)
{
    const size_t n = strlen(target);
    return strchr(target, '/') != NULL || (n > 4 && strcmp(target + n - 4, ".lua") == 0);
}

/* ---- one lesson ------------------------------------------------------------------------------ */

static char *find_listed(const struct lesson_places *places, const char *target,
                         const struct ids *ids, struct err *err)
{
    bool own = false;
    if (isdigit((unsigned char)target[0])) {
        char *end = NULL;
        const long number = strtol(target, &end, 10);
        if (*end == '\0' && number >= 1 && (size_t)number <= ids->count) {
            return file_of(places, ids->item[number - 1].id, &own);
        }
    }
    const char **names = mem_alloc(ids->count + 1, sizeof *names);
    for (size_t i = 0; i < ids->count; i++) {
        names[i] = ids->item[i].id;
    }
    const char *near = lesson_nearest(names, target);
    if (near != NULL) {
        (void)err_set(err, ERR_NAME, "there is no lesson \"%s\"; did you mean %s?", target, near);
    } else {
        (void)err_set(err, ERR_NAME, "there is no lesson \"%s\"; `weft list` shows them", target);
    }
    free(names);
    return NULL;
}

char *lesson_find(const struct lesson_places *places, const char *target, struct err *err)
{
    if (looks_like_path(target)) {
        if (file_exists(target)) {
            return mem_strdup(target);
        }
        (void)err_set(err, ERR_NAME, "there is no regular file of this name");
        (void)err_at(err, target, 0);
        return NULL;
    }
    bool own = false;
    char *path = lesson_index_is_id(target) && strcmp(target, "index") != 0
                     ? file_of(places, target, &own)
                     : NULL;
    struct ids ids = { 0 };
    if (path == NULL && all_ids(places, &ids, NULL, err)) {
        path = find_listed(places, target, &ids, err);
    }
    ids_finish(&ids);
    return path;
}
