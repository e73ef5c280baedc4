#include "run/replay.h"

#include <inttypes.h>

#include "base/units.h"

struct run *replay_start(const struct replay *replay, struct err *err)
{
    struct run *run = run_create(&replay->scenario, replay->seed, err);
    for (size_t i = 0; run != NULL && i < replay->line_count; i++) {
        const struct run_line *line = &replay->lines[i];
        if (!run_plan(run, line->at, &line->cmd, line->author, err)) {
            run_destroy(run);
            run = NULL;
        }
    }
    return run;
}

void replay_judge(const struct replay *replay, struct run *run, bool *same, struct text *why)
{
    char end[64], came[64];
    *same = true;
    if (!replay->has_result) {
        return;
    }
    (void)run_until(run, replay->end, 0);
    const struct sim *sim = run_sim(run);
    const enum report_outcome outcome = report_outcome_of(sim);
    *same = outcome == replay->outcome && sim_trace_hash(sim) == replay->trace;
    if (*same || why == NULL) {
        return;
    }
    text_addf(
        why,
        "this run is not the one that was saved: weft %s wrote \"%s\" at %s, trace %016" PRIx64
        "; here it is \"%s\" at %s, trace %016" PRIx64,
        replay->version[0] != '\0' ? replay->version : "(unknown)",
        report_outcome_word(replay->outcome), units_format(end, sizeof end, UNIT_TIME, replay->end),
        replay->trace, report_outcome_word(outcome),
        units_format(came, sizeof came, UNIT_TIME, sim_now(sim)), sim_trace_hash(sim));
}
