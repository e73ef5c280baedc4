/*
 * Running a trial, slice by slice.
 */
#include "lesson/trial.h"

#include "lesson/data.h"

/* The farthest that a trial goes when nothing ends it. */
#define TRIAL_MAX (120 * UNIT_S)

static const struct lesson_card *card_of(const struct lesson *lesson, size_t item)
{
    size_t c = 0;
    while (item >= lesson->cards[c].first + lesson->cards[c].count) {
        c++;
    }
    return &lesson->cards[c];
}

bool lesson_trial_begin(struct lesson_trial *trial, const struct lesson *lesson, size_t item,
                        uint64_t seed, const int64_t *knobs, struct err *err)
{
    const struct lesson_card *card = card_of(lesson, item);
    struct sim_scenario sc;
    *trial = (struct lesson_trial){ .lesson = lesson, .item = item, .at = card->first };
    sim_scenario_copy(&sc, &lesson->scenes[card->scene].scenario);
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        sc.knobs.v[k] = knobs[k];
    }
    trial->run = run_create(&sc, seed, err);
    sim_scenario_finish(&sc);
    if (trial->run == NULL) {
        return err_at(err, lesson->path, lesson->items[item].line);
    }
    run_forward_only(trial->run);
    return true;
}

/* Begins the next item that does something; the task itself plays to the end. */
static bool next_item(struct lesson_trial *trial, struct err *err)
{
    while (!trial->plays) {
        const struct lesson_item *item = &trial->lesson->items[trial->at];
        if (item->kind == LESSON_PLAY || item->kind == LESSON_FIX) {
            trial->playing = lesson_play_begin(trial->run, item, &trial->playing);
            trial->plays = true;
        } else {
            if ((item->kind == LESSON_DROP || item->kind == LESSON_FAULT) &&
                !lesson_play_commands(trial->run, item, err)) {
                return err_at(err, trial->lesson->path, item->line);
            }
            trial->at++;
        }
    }
    return true;
}

bool lesson_trial_on(struct lesson_trial *trial, sim_ps slice, struct err *err)
{
    if (trial->over || !next_item(trial, err)) {
        return true;
    }
    struct lesson_play *playing = &trial->playing;
    const sim_ps until = run_now(trial->run) + slice;
    if (!playing->reached) {
        const sim_ps to = playing->target.until < until ? playing->target.until : until;
        (void)lesson_play_reached(playing, trial->run,
                                  run_until(trial->run, to, playing->target.stop_kinds));
    }
    if (playing->reached) {
        trial->plays = false;
        trial->over = trial->at++ == trial->item;
    } else if (run_now(trial->run) >= TRIAL_MAX) {
        (void)err_set(err, ERR_LIMIT,
                      "a try does not end within 120 s of simulated time; give weft.fix a time");
        (void)err_at(err, trial->lesson->path, trial->lesson->items[trial->item].line);
        return true;
    }
    return trial->over;
}

void lesson_trial_finish(struct lesson_trial *trial)
{
    run_destroy(trial->run);
    *trial = (struct lesson_trial){ 0 };
}
