/*
 * Which lesson, in plain mode: listed, chosen by number, looked for by words; a route leads from one to the next.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/plain_parts.h"
#include "app/route.h"
#include "app/search.h"
#include "base/mem.h"
#include "base/units.h"

void plain_add_before(const struct lesson_list *list, const struct lesson_info *info,
                      struct text *out)
{
    if (info->after[0] != '\0') {
        text_add(out, "builds on \""); /* a title may have a comma in it, or "and" */
        route_add_titles(list, info->after, "\", \"", out);
        text_add(out, "\"");
    }
}

/* One line a lesson, what is done of it said in words; those that match what was typed. Returns how many. */
static size_t list_lessons(const struct lesson_list *list, const struct progress *progress,
                           const char *typed, size_t *last)
{
    const char *group = NULL;
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const struct lesson_info *info = &list->items[i];
        const struct progress_place place = progress_of(progress, info->id);
        if (!search_lesson(typed, info)) {
            continue;
        }
        if (info->group != NULL && (group == NULL || strcmp(group, info->group) != 0)) {
            struct text clean = { 0 }; /* it may be a path, with anything in it */
            group = info->group;
            text_add_clean(&clean, group, strlen(group), false);
            printf("Your own: %s\n", text_str(&clean));
            text_finish(&clean);
        }
        struct text before = { 0 };
        plain_add_before(list, info, &before);
        printf("%zu %s: %d, %s, level %d%s%s", i + 1, info->title, info->year,
               units_counted((char[32]){ 0 }, 32, info->minutes, "minute", "minutes"), info->level,
               before.len > 0 ? ", " : "", text_str(&before));
        text_finish(&before);
        if (place.done) {
            printf(", done");
        } else if (place.card > 0) {
            printf(", card %zu of %zu", place.card, place.cards);
        }
        printf("\n");
        *last = i;
        count++;
    }
    return count;
}

/* What stands below the lessons: routes, the lab. */
static void list_rest(const struct lesson_list *list)
{
    for (size_t i = 0; i < list->route_count; i++) {
        printf("%zu a route: %s\n", list->count + i + 1, list->routes[i].title);
    }
    printf("%zu the lab: a network of your own\n", list->count + list->route_count + 1);
}

/* The lessons by number, from 1, and what stands below; the one to start with where nobody answers. What is
 * typed and is no number is looked for; when one lesson is left, it is that. q: `p->quit`. */
static size_t choose(struct plain *p)
{
    const struct lesson_list *list = &p->list;
    char line[128] = "", question[300];
    char *path = progress_path();
    struct progress *progress = progress_open(path);
    size_t chosen = list->start + 1, last = 0;
    if (p->interactive) {
        printf("weft, plain mode. The lessons:\n");
    }
    while (p->interactive) {
        const size_t count = list_lessons(list, progress, line, &last);
        if (count == 1 && line[0] != '\0') {
            chosen = last + 1;
            break;
        }
        if (line[0] == '\0') {
            list_rest(list);
        }
        snprintf(question, sizeof question,
                 "%sWhich lesson? A number, or words of a title, a year or a term; q quits.\nEnter "
                 "takes %.100s.",
                 count == 0 ? "Nothing matches. " : "", list->items[list->start].title);
        if (!plain_read(p, question, line, sizeof line) || line[0] == '\0' ||
            (p->quit = strcmp(line, "q") == 0) ||
            plain_is_number(line, list->count + list->route_count + 1, &chosen)) {
            break;
        }
    }
    progress_close(progress);
    free(path);
    return chosen;
}

/* ---- routes ---------------------------------------------------------------------------------------------- */

const struct lesson_stop *plain_stop(const struct plain *p)
{
    return &p->route->stops[p->stop];
}

static char *stop_file(const struct plain *p)
{
    const struct lesson_info *info = route_lesson(&p->list, plain_stop(p));
    return info != NULL ? mem_strdup(info->file) : NULL;
}

void plain_say_stop(const struct plain *p)
{
    const struct lesson_stop *stop = plain_stop(p);
    printf("\nStop %zu of %zu: %s, cards %d to %d.\n", p->stop + 1, p->route->stop_count,
           lesson_info(p->lesson).title, stop->from, stop->to);
}

bool plain_stop_ends(const struct plain *p)
{
    return p->route != NULL && player_place(p->player) + 1 >= (size_t)plain_stop(p)->to;
}

bool plain_stop_follows(const struct plain *p)
{
    return p->route != NULL && p->stop + 1 < p->route->stop_count;
}

bool plain_next_stop(struct plain *p, struct err *err)
{
    p->stop++;
    char *file = stop_file(p);
    const bool ok = file != NULL && plain_open(p, file, err) &&
                    player_goto_place(p->player, (size_t)plain_stop(p)->from, err);
    free(file);
    if (ok) {
        plain_say_stop(p);
        plain_say_card(p);
    }
    return ok;
}

/* ---- all ------------------------------------------------------------------------------------------------- */

char *plain_some_lesson(struct plain *p, struct err *err)
{
    struct lesson_list *list = &p->list;
    size_t which = 0;
    if (!lesson_list(p->options->places, list, NULL, err)) {
        return NULL;
    }
    if (list->count == 0) {
        err_set(err, ERR_NAME, "there are no lessons in the index of this course");
        return NULL;
    }
    if (p->options->route != NULL) {
        if (!route_find(list, p->options->route, &which, err)) {
            return NULL;
        }
        p->route = &list->routes[which];
    } else {
        which = choose(p) - 1;
        if (p->quit) {
            return NULL;
        }
        if (which < list->count) {
            return mem_strdup(list->items[which].file);
        }
        if (which - list->count == list->route_count) {
            return NULL; /* the lab */
        }
        p->route = &list->routes[which - list->count];
    }
    return stop_file(p);
}
