#include "app/scene_home.h"

#include <stdio.h>
#include <string.h>

#include "app/progress.h"
#include "app/route.h"
#include "app/search.h"

/* What one has done of a lesson, in words: a mark alone is overlooked. */
static const char *progress_words(struct scene_mem *mem, struct progress_place place)
{
    return place.done        ? "done"
           : place.card == 0 ? ""
                             : scene_mem_textf(mem, "card %zu of %zu", place.card, place.cards);
}

/* A path may have anything in its name. */
static const char *cleaned(struct scene_mem *mem, const char *lead, const char *text)
{
    struct text clean = { 0 };
    text_add_clean(&clean, text, strlen(text), false);
    const char *kept = scene_mem_textf(mem, "%s%s", lead, text_str(&clean));
    text_finish(&clean);
    return kept;
}

static void fill_lesson(const struct home *home, const struct progress *progress, size_t i,
                        struct scene_mem *mem, struct scene_entry *entry)
{
    const struct home_row *row = &home->row[i];
    const struct lesson_info *info = &home->list.items[row->which];
    const struct progress_place place = progress_of(progress, info->id);
    char term[80];
    search_term(home->search.text, info, term, sizeof term);
    *entry =
        (struct scene_entry){ .year = scene_mem_textf(mem, "%d", info->year),
                              .title = info->title,
                              .found = term[0] != '\0' ? scene_mem_textf(mem, "%s", term) : NULL,
                              .minutes = scene_mem_textf(mem, "%d min", info->minutes),
                              .level = scene_mem_textf(mem, "level %d", info->level),
                              .state = place.done        ? SCENE_DONE
                                       : place.card != 0 ? SCENE_BEGUN
                                                         : SCENE_TODO,
                              .progress = progress_words(mem, place),
                              .brief =
                                  place.done || place.card == 0
                                      ? progress_words(mem, place)
                                      : scene_mem_textf(mem, "%zu/%zu", place.card, place.cards) };
    if (row->kind == HOME_LEAD) {
        const bool beyond = place.furthest > place.card;
        entry->lead = place.card > 1 ? "go on" : "start here";
        entry->minutes = place.card == 0 ? entry->minutes
                         : beyond
                             ? scene_mem_textf(mem, "%s, seen %zu", entry->progress, place.furthest)
                             : entry->progress;
        return;
    }
    const bool first = i == 0 || home->row[i - 1].kind == HOME_LEAD;
    const char *before = first ? NULL : home->list.items[home->row[i - 1].which].group;
    const bool own = info->group != NULL &&
                     (home->list.title == NULL || strcmp(info->group, home->list.title) != 0);
    if (own && (before == NULL || strcmp(before, info->group) != 0)) {
        entry->heading = cleaned(mem, "your own: ", info->group);
    }
}

static void fill_route(const struct home *home, size_t i, struct scene_mem *mem,
                       struct scene_entry *entry)
{
    const struct lesson_route *route = &home->list.routes[home->row[i].which];
    const char *stops =
        scene_mem_textf(mem, "%zu stop%s", route->stop_count, route->stop_count == 1 ? "" : "s");
    *entry = (struct scene_entry){ .title = route->title, .progress = stops, .brief = stops };
    if (i == 0 || home->row[i - 1].kind != HOME_ROUTE) {
        entry->heading = "routes through the course";
    }
}

/* What one should know before the lesson that is selected. */
static const char *about_lesson(struct scene_mem *mem, const struct home *home,
                                const struct progress *progress, const struct lesson_info *info)
{
    const struct progress_place place = progress_of(progress, info->id);
    struct text words = { 0 };
    text_addf(&words, "level %d: %s", info->level, lesson_level_words(info->level));
    if (info->after[0] != '\0') {
        text_add(&words, "; builds on ");
        route_add_titles(&home->list, info->after, ", ", &words);
    }
    if (!place.done && place.furthest > place.card) {
        text_addf(&words, "; seen up to card %zu", place.furthest);
    }
    if (info->terms[0] != '\0') {
        text_addf(&words, "; new: %s", info->terms);
    }
    const char *said = scene_mem_textf(mem, "%s", text_str(&words));
    text_finish(&words);
    return said;
}

static const char *about_route(struct scene_mem *mem, const struct home *home,
                               const struct lesson_route *route)
{
    struct text words = { 0 };
    for (size_t i = 0; i < route->stop_count; i++) {
        const struct lesson_stop *stop = &route->stops[i];
        text_add(&words, i > 0 ? "; " : "");
        route_add_titles(&home->list, stop->lesson, ", ", &words);
        text_addf(&words, stop->from == stop->to ? " %d" : " %d-%d", stop->from, stop->to);
    }
    const char *said = scene_mem_textf(mem, "%s", text_str(&words));
    text_finish(&words);
    return said;
}

static const char *about(struct scene_mem *mem, const struct home *home,
                         const struct progress *progress)
{
    const struct home_row *row = home_selected(home);
    const struct lesson_info *info = home_lesson(home);
    return info != NULL ? about_lesson(mem, home, progress, info)
           : row != NULL && row->kind == HOME_LAB
               ? "build a network or take one of the course's, start work on it, break it"
           : row != NULL ? about_route(mem, home, &home->list.routes[row->which])
                         : "nothing matches: Backspace takes a letter away, Esc shows all";
}

/* What the ring above the list shows, or NULL: the course does not begin with a training. */
static const char *caption(struct scene_mem *mem, const struct home *home)
{
    static const char *const words[] = { NULL,  NULL,    "Two",   "Three", "Four", "Five",
                                         "Six", "Seven", "Eight", "Nine",  "Ten" };
    const size_t gpus = home->run != NULL ? sim_rank_count(run_sim(home->run)) : 0;
    static const char rest[] =
        "GPUs adding up what they learned. They do this thousands of times a "
        "day.";
    if (gpus == 0) {
        return NULL;
    }
    return gpus < sizeof words / sizeof words[0] && words[gpus] != NULL
               ? scene_mem_textf(mem, "%s %s", words[gpus], rest)
               : scene_mem_textf(mem, "%zu %s", gpus, rest);
}

void scene_fill_home(const struct home *home, const struct progress *progress,
                     struct scene_mem *mem, struct scene *scene)
{
    struct scene_entry *entries = scene_mem_take(mem, home->row_count, sizeof *entries);
    for (size_t i = 0; i < home->row_count; i++) {
        if (home->row[i].kind == HOME_LAB) {
            entries[i] = (struct scene_entry){ .heading = "free experiment",
                                               .title = HOME_LAB_WORDS,
                                               .progress = "" };
        } else if (home->row[i].kind == HOME_ROUTE) {
            fill_route(home, i, mem, &entries[i]);
        } else {
            fill_lesson(home, progress, i, mem, &entries[i]);
        }
    }
    scene->title = home->list.title;
    scene->home.entry = entries;
    scene->home.entry_count = home->row_count;
    scene->home.selected = home->selected;
    scene->home.caption = caption(mem, home);
    scene->home.count =
        scene_mem_textf(mem, "%zu of %zu done", home_done(home, progress), home->list.count);
    scene->home.about = about(mem, home, progress);
    scene->home.note = home->note[0] != '\0' ? home->note : NULL;
    if (home->search.on) {
        scene->prompt = (struct scene_prompt){
            .shown = true, .lead = "/ ", .text = home->search.text, .cursor = home->search.len
        };
    }
}
