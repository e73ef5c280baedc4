#include "app/home.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/progress.h"
#include "app/search.h"
#include "base/mem.h"
#include "run/run.h"

enum { AWAKE_MS = 60000, WORK_MS = 8 };

/* The ring is an ornament: without a lesson that loads there is none. */
static void make_ring(struct home *home, const struct app_options *options)
{
    const char *file = home->list.items[home->list.start].file;
    struct lesson *lesson = lesson_load(file, options->data_dir, NULL, NULL);
    if (lesson != NULL && lesson_scene_count(lesson) > 0) {
        size_t scene = (size_t)lesson_card(lesson, 0)->scene;
        home->run = run_create(&lesson_scene(lesson, scene)->scenario, options->seed, NULL);
    }
    lesson_destroy(lesson);
    playback_init(&home->playback);
    home->playback.auto_slow = false;
    home->playback.reduced_motion = options->reduced_motion;
    if (home->run != NULL) {
        playback_attach(&home->playback, home->run);
        playback_set_gear(&home->playback, PLAYBACK_ROUND);
        playback_play(&home->playback, true);
    }
}

bool home_init(struct home *home, const struct app_options *options, struct err *err)
{
    *home = (struct home){ 0 };
    struct text errors = { 0 };
    if (!lesson_list(options->places, &home->list, &errors, err)) {
        text_finish(&errors);
        return false;
    }
    snprintf(home->note, sizeof home->note, "%.*s", (int)strcspn(text_str(&errors), "\n"),
             text_str(&errors));
    text_finish(&errors);
    if (home->list.count == 0) {
        err_set(err, ERR_NAME, "there are no lessons in the index of this course");
        home_finish(home);
        return false;
    }
    home->row = mem_alloc(2 + home->list.count + home->list.route_count, sizeof *home->row);
    make_ring(home, options);
    return true;
}

void home_finish(struct home *home)
{
    run_destroy(home->run);
    playback_finish(&home->playback);
    lesson_list_finish(&home->list);
    free(home->row);
    *home = (struct home){ 0 };
}

/* ---- rows ----------------------------------------------------------------------------------------- */

/* Where to go on: a lesson that was begun, else the one to start with, else the first that is not done;
 * SIZE_MAX: all are. */
static size_t go_on_with(const struct home *home, const struct progress *progress)
{
    size_t fresh = SIZE_MAX;
    for (size_t i = home->list.count; i-- > 0;) {
        const struct progress_place place = progress_of(progress, home->list.items[i].id);
        if (!place.done && place.card > 1) {
            return i;
        }
        fresh = place.done ? fresh : i;
    }
    const char *start = home->list.items[home->list.start].id;
    return progress_of(progress, start).done ? fresh : home->list.start;
}

static void add_row(struct home *home, enum home_kind kind, size_t which)
{
    home->row[home->row_count++] = (struct home_row){ .kind = kind, .which = which };
}

void home_refresh(struct home *home, const struct progress *progress)
{
    const bool any = home->selected < home->row_count;
    const struct home_row before = any ? home->row[home->selected] : (struct home_row){ 0 };
    const bool searching = home->search.text[0] != '\0';
    const size_t lead = searching ? SIZE_MAX : go_on_with(home, progress);
    home->row_count = 0;
    if (lead != SIZE_MAX) {
        add_row(home, HOME_LEAD, lead);
    }
    size_t *by_year = mem_alloc(home->list.count + 1, sizeof *by_year);
    lesson_list_by_year(&home->list, by_year);
    for (size_t i = 0; i < home->list.count; i++) {
        if (search_lesson(home->search.text, &home->list.items[by_year[i]])) {
            add_row(home, HOME_LESSON, by_year[i]);
        }
    }
    free(by_year);
    if (search_texts(home->search.text, &(const char *){ HOME_LAB_WORDS }, 1)) {
        add_row(home, HOME_LAB, 0);
    }
    for (size_t i = 0; i < home->list.route_count; i++) {
        const char *const texts[] = { home->list.routes[i].title, home->list.routes[i].name };
        if (search_texts(home->search.text, texts, 2)) {
            add_row(home, HOME_ROUTE, i);
        }
    }
    home->selected = 0;
    for (size_t i = 0; any && i < home->row_count; i++) {
        if (home->row[i].kind == before.kind &&
            (home->row[i].which == before.which || before.kind == HOME_LEAD)) {
            home->selected = i;
            break;
        }
    }
}

const struct home_row *home_selected(const struct home *home)
{
    return home->selected < home->row_count ? &home->row[home->selected] : NULL;
}

const struct lesson_info *home_lesson(const struct home *home)
{
    const struct home_row *row = home_selected(home);
    return row == NULL || (row->kind != HOME_LEAD && row->kind != HOME_LESSON)
               ? NULL
               : &home->list.items[row->which];
}

size_t home_done(const struct home *home, const struct progress *progress)
{
    size_t done = 0;
    for (size_t i = 0; i < home->list.count; i++) {
        done += progress_of(progress, home->list.items[i].id).done;
    }
    return done;
}

void home_move(struct home *home, int rows)
{
    home->note[0] = '\0';
    const size_t by = (size_t)(rows < 0 ? -rows : rows);
    const size_t last = home->row_count > 0 ? home->row_count - 1 : 0;
    if (rows < 0) {
        home->selected -= by < home->selected ? by : home->selected;
    } else {
        home->selected += by < last - home->selected ? by : last - home->selected;
    }
}

void home_search(struct home *home)
{
    home->note[0] = '\0';
    prompt_open(&home->search);
}

void home_search_key(struct home *home, uint32_t key, const struct progress *progress)
{
    prompt_key(&home->search, key);
    home_refresh(home, progress);
}

void home_search_end(struct home *home, const struct progress *progress)
{
    home->search = (struct prompt){ .on = false };
    home_refresh(home, progress);
}

/* ---- the ring ------------------------------------------------------------------------------------- */

void home_touch(struct home *home, int64_t now_ms)
{
    home->awake_until = now_ms + AWAKE_MS;
}

bool home_moving(const struct home *home, int64_t now_ms)
{
    return home->run != NULL && now_ms < home->awake_until;
}

void home_tick(struct home *home, int64_t now_ms)
{
    enum sim_stopped stopped;
    struct playback_goal goal = { .until = SIM_NEVER };
    if (!home_moving(home, now_ms)) {
        return;
    }
    if (playback_advance(&home->playback, home->run, goal, now_ms, WORK_MS, &stopped, NULL, NULL) ==
        PLAYBACK_ENDED) {
        run_seek(home->run, 0, NULL);
        playback_moved(&home->playback, home->run);
        playback_play(&home->playback, true);
    }
}
