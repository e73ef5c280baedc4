/*
 * Which lesson, in plain mode: listed, chosen by number, looked for by words.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/plain_parts.h"
#include "app/search.h"
#include "base/mem.h"
#include "base/units.h"

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
        printf("%zu %s: %d, %s, level %d%s%s", i + 1, info->title, info->year,
               units_counted((char[32]){ 0 }, 32, info->minutes, "minute", "minutes"), info->level,
               info->after[0] != '\0' ? ", builds on " : "", info->after);
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

/* The lessons by number, for who can answer; the one to start with for who cannot. What is typed and is no
 * number is looked for; when one lesson is left, it is that. */
static size_t choose_lesson(const struct plain *p, const struct lesson_list *list)
{
    const char *const first = list->items[list->start].title;
    char line[128] = "", *end;
    char *path = progress_path();
    struct progress *progress = progress_open(path);
    size_t chosen = list->start, last = 0;
    bool found = !p->interactive || list->count < 2;
    if (!found) {
        printf("weft, plain mode. The lessons:\n");
    }
    while (!found) {
        const size_t count = list_lessons(list, progress, line, &last);
        if (count == 1) {
            chosen = last;
            break;
        }
        printf(
            "%sWhich lesson? A number, or words of a title, a year or a term.\nEnter takes %s.\n> ",
            count == 0 ? "Nothing matches. " : "", first);
        fflush(stdout);
        if (fgets(line, sizeof line, stdin) == NULL || line[0] == '\n') {
            break;
        }
        line[strcspn(line, "\n")] = '\0';
        const long number = strtol(line, &end, 10);
        found = end != line && *end == '\0' && number >= 1 && (size_t)number <= list->count;
        chosen = found ? (size_t)number - 1 : chosen;
    }
    progress_close(progress);
    free(path);
    return chosen;
}

char *plain_some_lesson(const struct plain *p, const struct app_options *options, struct err *err)
{
    struct lesson_list list = { 0 };
    char *path = NULL;
    if (lesson_list(options->places, &list, NULL, err)) {
        path = list.count > 0 ? mem_strdup(list.items[choose_lesson(p, &list)].file) : NULL;
        if (path == NULL) {
            err_set(err, ERR_NAME, "there are no lessons in the index of this course");
        }
    }
    lesson_list_finish(&list);
    return path;
}
