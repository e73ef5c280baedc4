#include "run/replay.h"

#include <inttypes.h>
#include <string.h>

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

/* Nobody did anything else. */
static bool same_journal(const struct replay *replay, const struct run *run)
{
    const struct run_line *lines;
    const size_t count = run_journal(run, &lines);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        char a[512], b[512];
        if (lines[i].author == RUN_SCENARIO) {
            continue;
        }
        if (n == replay->line_count || lines[i].at != replay->lines[n].at ||
            strcmp(sim_cmd_format(&lines[i].cmd, a, sizeof a),
                   sim_cmd_format(&replay->lines[n].cmd, b, sizeof b)) != 0) {
            return false;
        }
        n++;
    }
    return n == replay->line_count;
}

enum replay_verdict replay_judge(const struct replay *replay, struct run *run, struct text *why)
{
    char end[64], came[64];
    const bool there = run_now(run) == replay->end ||
                       (run_now(run) < replay->end && sim_outcome(run_sim(run)) != SIM_RUNNING);
    if (!replay->has_result || !there || !same_journal(replay, run)) {
        return REPLAY_OPEN;
    }
    (void)run_until(run, replay->end, 0);
    const struct sim *sim = run_sim(run);
    const enum report_outcome outcome = report_outcome_of(sim);
    const uint64_t trace = sim_trace_hash(sim);
    if (outcome == replay->outcome && trace == replay->trace) {
        return REPLAY_SAME;
    }
    if (why != NULL) {
        text_addf(why,
                  "not the run that was saved: weft %s wrote \"%s\" at %s, trace "
                  "%016" PRIx64 "; here it is \"%s\" at %s, trace %016" PRIx64,
                  replay->version[0] != '\0' ? replay->version : "(unknown)",
                  report_outcome_word(replay->outcome),
                  units_format(end, sizeof end, UNIT_TIME, replay->end), replay->trace,
                  report_outcome_word(outcome),
                  units_format(came, sizeof came, UNIT_TIME, sim_now(sim)), trace);
    }
    return REPLAY_OTHER;
}
