/*
 * When a `play` ends, and playing without anybody watching.
 */
#include "lesson/play.h"

/* The farthest that a headless `play` runs when nothing ends it. */
#define HEADLESS_MAX (120 * UNIT_S)
/* How many records back the one that stopped a run can be: all of one instant. */
#define RECORDS_BACK 64

static uint32_t stop_kinds(enum lesson_until until)
{
    const uint32_t over = SIM_TRACE_BIT(DONE) | SIM_TRACE_BIT(STALL);
    const uint32_t barrier = over | SIM_TRACE_BIT(BARRIER);
    switch (until) {
    case LESSON_UNTIL_END:
    case LESSON_UNTIL_TIME:
        return over;
    case LESSON_UNTIL_BARRIER:
        return barrier;
    case LESSON_UNTIL_DROP:
        return barrier | SIM_TRACE_BIT(DROP) | SIM_TRACE_BIT(NAK) | SIM_TRACE_BIT(TIMEOUT) |
               SIM_TRACE_BIT(XOFF);
    case LESSON_UNTIL_NAK:
        return barrier | SIM_TRACE_BIT(NAK);
    case LESSON_UNTIL_TIMEOUT:
        return barrier | SIM_TRACE_BIT(TIMEOUT);
    case LESSON_UNTIL_XOFF:
        return barrier | SIM_TRACE_BIT(XOFF);
    case LESSON_UNTIL_ROUND:
        return barrier | SIM_TRACE_BIT(ROUND);
    }
    return barrier;
}

/* `before` is the card's last play, or all zero: when a barrier cut that one short, those behind it
 * that would end at the barrier as well have nothing left to show. */
struct lesson_play lesson_play_begin(const struct run *run, const struct lesson_item *item,
                                     const struct lesson_play *before)
{
    const struct sim *sim = run_sim(run);
    struct lesson_play playing = {
        .target = { stop_kinds(item->until), SIM_NEVER, item->gear, item->rate },
        .until = item->until,
        .from = run_now(run),
        .from_seq = sim_trace_seq(sim),
        .reached = sim_outcome(sim) != SIM_RUNNING,
    };
    if (item->until == LESSON_UNTIL_TIME) {
        playing.target.until = playing.from + item->for_ps;
    }
    if (before->cut_short && before->cut_at == playing.from && item->until != LESSON_UNTIL_END) {
        playing.reached = true;
        playing.cut_short = true;
        playing.cut_at = playing.from;
    }
    return playing;
}

/* Whether the run has just stopped at a record that ends the play. */
static bool stopped_at_it(struct lesson_play *playing, const struct run *run)
{
    const struct sim *sim = run_sim(run);
    struct sim_record records[RECORDS_BACK];
    const uint64_t seq = sim_trace_seq(sim);
    uint64_t cursor = seq > RECORDS_BACK ? seq - RECORDS_BACK : 0;
    const size_t n = sim_trace_read(sim, &cursor, records, RECORDS_BACK);
    bool found = false, wanted = false;
    for (size_t i = 0; i < n; i++) {
        const struct sim_record *r = &records[i];
        const bool is_new = r->t > playing->from || r->seq >= playing->from_seq;
        const bool counts = r->kind != SIM_TRACE_ROUND || r->rank == 0;
        if (r->t == run_now(run) && is_new && counts &&
            (playing->target.stop_kinds & (UINT32_C(1) << r->kind)) != 0) {
            found = true;
            wanted =
                wanted || r->kind != SIM_TRACE_BARRIER || playing->until == LESSON_UNTIL_BARRIER;
        }
    }
    playing->cut_short = found && !wanted;
    playing->cut_at = run_now(run);
    return found;
}

bool lesson_play_reached(struct lesson_play *playing, const struct run *run,
                         enum sim_stopped stopped)
{
    playing->reached = playing->reached || stopped == SIM_AT_END ||
                       run_now(run) >= playing->target.until ||
                       (stopped == SIM_AT_TRACE && stopped_at_it(playing, run));
    return playing->reached;
}

bool lesson_play_on(struct lesson_play *playing, struct run *run, sim_ps slice, struct err *err)
{
    const sim_ps limit = playing->from + HEADLESS_MAX, now = run_now(run);
    const sim_ps end = playing->target.until < limit ? playing->target.until : limit;
    const sim_ps until = end > now && slice < end - now ? now + slice : end;
    while (!playing->reached) {
        const enum sim_stopped stopped = run_until(run, until, playing->target.stop_kinds);
        if (!lesson_play_reached(playing, run, stopped) && stopped == SIM_AT_TIME) {
            return until < end ||
                   err_set(err, ERR_LIMIT, "this play does not end within 120 s of simulated time");
        }
    }
    return run_journal_ok(run, err);
}

bool lesson_play_headless(struct lesson_play *playing, struct run *run, struct err *err)
{
    return lesson_play_on(playing, run, SIM_NEVER, err);
}

bool lesson_play_commands(struct run *run, const struct lesson_item *item, struct err *err)
{
    for (size_t i = 0; i < item->cmd_count; i++) {
        if (!run_do(run, &item->cmds[i], RUN_LESSON, NULL, err)) {
            return false;
        }
    }
    return true;
}

bool player_do_items(const struct lesson *lesson, struct run *run, size_t first, size_t end,
                     struct err *err)
{
    struct lesson_play playing = { 0 };
    for (size_t i = first; i < end; i++) {
        const struct lesson_item *item = lesson_item(lesson, i);
        bool ok = true;
        if (item->kind == LESSON_SET || item->kind == LESSON_DROP || item->kind == LESSON_FAULT) {
            ok = lesson_play_commands(run, item, err);
        } else if (item->kind == LESSON_PLAY) {
            playing = lesson_play_begin(run, item, &playing);
            ok = lesson_play_headless(&playing, run, err);
        }
        if (!ok) {
            return err_at(err, lesson_info(lesson).file, item->line);
        }
    }
    return true;
}
