/*
 * What a learner does to the fabric: all of it through the journal.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session_parts.h"
#include "base/mem.h"
#include "base/units.h"

/* Somebody's lines from `from` on; the scenario's own are never cut. */
static size_t lines_since(const struct run *run, sim_ps from)
{
    const struct run_line *lines;
    size_t n = 0;
    for (size_t i = run_journal(run, &lines); i-- > 0 && lines[i].at >= from;) {
        n += lines[i].author != RUN_SCENARIO;
    }
    return n;
}

bool session_do_to_run(struct session *s, const struct sim_cmd *cmd, bool *restarted)
{
    struct err err = { 0 };
    bool again = false;
    const sim_ps now = run_now(player_run(s->player));
    const size_t later = lines_since(player_run(s->player), now + 1);
    s->cut_lines = 0;
    if (!player_do(s->player, cmd, &again, &err)) {
        session_say(s, "%s", err.msg);
        return false;
    }
    s->prose_key.valid = false;               /* its numbers may be old now */
    s->attached = again ? NULL : s->attached; /* another run in the old one's place */
    session_attach(s);
    struct run *run = player_run(s->player);
    if (!again) {
        s->cut_lines = later;
        history_cut(&s->history, run_sim(run), run_now(run)); /* what was seen beyond is void */
        playback_look(&s->playback, run);
    }
    if (restarted != NULL) {
        *restarted = again;
    }
    return true;
}

void session_say_done(struct session *s, const char *fmt, ...)
{
    char said[2 * sizeof s->status]; /* with names of keys in it */
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(said, sizeof said, fmt, ap);
    va_end(ap);
    if (s->cut_lines == 0) {
        session_say(s, "%s", said);
    } else {
        char things[64];
        session_say(s, "%.180s; cut: %s done later", said,
                    units_counted(things, sizeof things, (int64_t)s->cut_lines, "thing", "things"));
    }
    s->cut_lines = 0;
}

/* ---- taking back -------------------------------------------------------------------------------- */

/* A journal as it was. */
struct journal {
    struct run_line *line;
    size_t count;
};

static struct journal journal_of(const struct run *run)
{
    const struct run_line *lines;
    const size_t count = run_journal(run, &lines);
    return (struct journal){ mem_dup(lines, count * sizeof *lines), count };
}

/* The first line that only one of two journals has; NULL: they are the same. */
static const struct run_line *first_change(const struct journal *a, const struct journal *b)
{
    size_t i = 0;
    while (i < a->count && i < b->count && run_line_same(&a->line[i], &b->line[i])) {
        i++;
    }
    const struct run_line *x = i < a->count ? &a->line[i] : NULL;
    const struct run_line *y = i < b->count ? &b->line[i] : NULL;
    return x == NULL || (y != NULL && y->at < x->at) ? y : x;
}

/* The run has another past from `t` on. */
static void another_past(struct session *s, bool restarted, sim_ps t)
{
    struct run *run = player_run(s->player);
    if (restarted) {
        s->attached = NULL;
        session_attach(s);
    } else {
        history_cut(&s->history, run_sim(run), t);
    }
    playback_moved(&s->playback, run);
    playback_play(&s->playback, false);
    victim_finish(&s->victim);
    fate_finish(&s->fate);
    cursor_follow(&s->cursor, run_sim(run));
    s->prose_key.valid = false;
}

/* "undone: packet g3>g4:44#1 is lost, at 61 us", and what is there again that it had cut. */
static void say_undone(struct session *s, bool again, const struct run_line *line, size_t back)
{
    char what[160] = "the new start", when[40], things[64];
    if (line != NULL) {
        char text[96];
        snprintf(what, sizeof what, "%s, at %s", whatif_say(&line->cmd, text, sizeof text),
                 units_format(when, sizeof when, UNIT_TIME, line->at - 1));
    }
    if (again) {
        session_say(s, "done again: %s", what);
    } else if (back > 0) {
        units_counted(things, sizeof things, (int64_t)back, "thing", "things");
        session_say(s, "undone: %s; there again: %s it had cut", what, things);
    } else {
        session_say(s, "undone: %s; U does it again", what);
    }
}

void session_do_undo(struct session *s, bool again)
{
    struct err err = { 0 };
    if (s->did_drop && !again) {
        session_command(s, COMMAND_RESTART, 0, s->now_ms); /* the rest of this card is about it */
        return;
    }
    bool restarted = false;
    struct journal before = journal_of(player_run(s->player));
    const bool ok =
        again ? player_redo(s->player, &restarted, &err) : player_undo(s->player, &restarted, &err);
    struct journal after = journal_of(player_run(s->player));
    if (ok) {
        const struct run_line *line = restarted ? NULL : first_change(&before, &after);
        another_past(s, restarted, line != NULL ? line->at - 1 : 0);
        say_undone(s, again, line,
                   !restarted && after.count + 1 > before.count ? after.count + 1 - before.count
                                                                : 0);
    } else {
        session_say(s, "%s", err.code != ERR_NONE ? err.msg : "you have done nothing to undo");
    }
    free(before.line);
    free(after.line);
    if (ok && restarted) {
        session_proceed(s);
    }
}

/* ---- what one does ------------------------------------------------------------------------------ */

/* The how-many-eth switch of this card, as far as it has come. */
static const struct lesson_item *find_switch(const struct session *s, int digit)
{
    const struct lesson_card *card = lesson_card(s->lesson, player_card(s->player));
    for (size_t i = 0; i < card->count; i++) {
        const struct lesson_item *item = lesson_item(s->lesson, card->first + i);
        if (item->kind == LESSON_SWITCH && --digit == 0) {
            return item;
        }
    }
    return NULL;
}

void session_do_switch(struct session *s, int digit)
{
    const struct lesson_item *item = find_switch(s, digit);
    if (item == NULL) {
        session_say(s, "this card offers no switch %d", digit);
        return;
    }
    int64_t now = sim_knob(session_sim(s), item->knob);
    size_t at = 0;
    for (size_t i = 0; i < item->value_count; i++) {
        at = item->values[i] == now ? i + 1 : at;
    }
    struct sim_cmd cmd = { .kind = SIM_CMD_SET,
                           .knob = item->knob,
                           .value = item->values[at % item->value_count] };
    bool restarted = false;
    if (!session_do_to_run(s, &cmd, &restarted)) {
        return;
    }
    const struct sim_knob_info *info = sim_knob_info(item->knob);
    char value[64];
    sim_knob_format(item->knob, cmd.value, false, value, sizeof value);
    session_say_done(s, "%s is now %s%s%s%s", item->label != NULL ? item->label : info->term, value,
                     restarted                     ? ": the run starts again"
                     : info->when == SIM_NEXT_STEP ? ", from the next step on"
                                                   : "",
                     item->no_effect != NULL ? "; nothing changes, because " : "",
                     item->no_effect != NULL ? item->no_effect : "");
    if (restarted) {
        session_proceed(s);
    }
}
