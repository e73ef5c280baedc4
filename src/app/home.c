#include "app/home.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "run/run.h"

enum { AWAKE_MS = 60000, WORK_MS = 8 };

/* The ring is an ornament: without a lesson that loads there is none. */
static void make_ring(struct home *home, const struct app_options *options)
{
    struct lesson *lesson = lesson_load(home->list.items[0].file, options->data_dir, NULL, NULL);
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
    make_ring(home, options);
    return true;
}

void home_finish(struct home *home)
{
    run_destroy(home->run);
    playback_finish(&home->playback);
    lesson_list_finish(&home->list);
    *home = (struct home){ 0 };
}

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

void home_move(struct home *home, bool down)
{
    home->note[0] = '\0';
    if (down && home->selected + 1 < home->list.count) {
        home->selected++;
    } else if (!down && home->selected > 0) {
        home->selected--;
    }
}
