/*
 * What a lesson's functions look at: a report of each scene's run, taken again when the run has moved.
 */
#include "lesson/measure.h"
#include "lesson/player_inside.h"

void player_drop_report(struct scene_run *scene)
{
    if (scene->has_report) {
        report_finish(&scene->report);
        scene->has_report = false;
    }
}

/* Takes a report unless the last one still tells the truth. */
static const struct report *take_report(struct scene_run *scene)
{
    if (scene->run == NULL) {
        return NULL;
    }
    const struct sim *sim = run_sim(scene->run);
    const sim_ps now = run_now(scene->run);
    const uint64_t seq = sim_trace_seq(sim);
    if (scene->has_report && scene->report_sim == sim && scene->report_at == now &&
        scene->report_seq == seq) {
        return &scene->report;
    }
    player_drop_report(scene);
    report_take(&scene->report, scene->run);
    scene->has_report = true;
    scene->report_sim = sim;
    scene->report_at = now;
    scene->report_seq = seq;
    return &scene->report;
}

/* What the card measured, it measured with other switches. */
static bool is_old(const struct player *p)
{
    if (!p->measured) {
        return false;
    }
    const struct sim *sim = run_sim(player_scene_of(p)->run);
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        if (sim_knob(sim, (enum sim_knob)k) != p->knobs[k]) {
            return true;
        }
    }
    return false;
}

void player_keep_knobs(struct player *p)
{
    const struct sim *sim = run_sim(player_scene_of(p)->run);
    for (int k = 0; !p->measured && k < SIM_KNOB_COUNT; k++) {
        p->knobs[k] = sim_knob(sim, (enum sim_knob)k);
    }
    p->measured = true;
}

struct lesson_sight player_sight(struct player *p)
{
    for (size_t i = 0; i < lesson_scene_count(p->lesson); i++) {
        p->reports[i] = take_report(&p->scenes[i]);
    }
    return (struct lesson_sight){ .reports = p->reports,
                                  .scene = player_card_of(p)->scene,
                                  .old = is_old(p),
                                  .blank = p->blank,
                                  .step = p->starts[p->card].step,
                                  .since = p->starts[p->card].since };
}
