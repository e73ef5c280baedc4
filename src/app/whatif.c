#include "app/whatif.h"

#include <stdio.h>
#include <string.h>

#include "app/clock.h"
#include "base/units.h"

/* ---- words -------------------------------------------------------------------------------------- */

/* "flow_control" as people write it. */
static void knob_words(enum sim_knob knob, char *buf, size_t size)
{
    snprintf(buf, size, "%s", sim_knob_info(knob)->name);
    for (char *c = buf; *c != '\0'; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
}

static void say_knob(enum sim_knob knob, int64_t value, char *buf, size_t size)
{
    char name[40], text[64];
    knob_words(knob, name, sizeof name);
    snprintf(buf, size, "%s %.40s", name, sim_knob_format(knob, value, false, text, sizeof text));
}

/* A fault at a host, in words. */
static void say_fault(const struct sim_cmd *cmd, char *buf, size_t size)
{
    char text[128];
    const double share = (double)cmd->value / (double)UNIT_ONE;
    switch (cmd->kind) {
    case SIM_CMD_PAUSE:
        snprintf(buf, size, "%s sends one PAUSE", cmd->node);
        return;
    case SIM_CMD_KILL:
        snprintf(buf, size, "%s is dead", cmd->node);
        return;
    case SIM_CMD_SLOW_GPU:
        snprintf(buf, size, "%s computes %.3g x as long", cmd->node, share);
        return;
    case SIM_CMD_SLOW:
        snprintf(buf, size, "%s takes in %.3g %% of the line", cmd->node, 100 * share);
        return;
    case SIM_CMD_PAUSE_GPU:
        snprintf(buf, size, "%s stands still for %s", cmd->node,
                 units_format(text, sizeof text, UNIT_TIME, cmd->value));
        return;
    case SIM_CMD_DROP_FRAME: {
        static const char *const frames[] = {
            [SIM_FRAME_ACK] = "an ACK",   [SIM_FRAME_NAK] = "a NAK", [SIM_FRAME_CNP] = "a CNP",
            [SIM_FRAME_XOFF] = "a PAUSE", [SIM_FRAME_XON] = "a go",
        };
        snprintf(buf, size, "%s on the cable from %s is lost", frames[cmd->value], cmd->node);
        return;
    }
    case SIM_CMD_LINK:
        snprintf(buf, size, "the cable at %s is %s", cmd->node, cmd->value != 0 ? "up" : "cut");
        return;
    case SIM_CMD_STORM:
        if (cmd->value == 1) {
            snprintf(buf, size, "%s sends PAUSE for ever", cmd->node);
            return;
        }
        break;
    case SIM_CMD_SET:
    case SIM_CMD_DROP:
    case SIM_CMD_DROP_NTH:
    case SIM_CMD_HOLD:
    case SIM_CMD_LOSS:
    case SIM_CMD_FLOOD:
    case SIM_CMD_BURST:
    case SIM_CMD_CORRUPT:
    case SIM_CMD_DROP_ACK:
    case SIM_CMD_LOSS_ACK:
        break;
    }
    snprintf(buf, size, "%s", sim_cmd_format(cmd, text, sizeof text));
}

const char *whatif_say(const struct sim_cmd *cmd, char *buf, size_t size)
{
    char text[128];
    if (cmd->kind == SIM_CMD_SET) {
        say_knob(cmd->knob, cmd->value, buf, size);
    } else if (cmd->kind == SIM_CMD_DROP && cmd->which == SIM_DROP_PSN) {
        const char *name = sim_cmd_format(cmd, text, sizeof text) + strlen("drop ");
        snprintf(buf, size, "packet %s is lost", name);
    } else {
        say_fault(cmd, buf, size);
    }
    return buf;
}

/* ---- choices ------------------------------------------------------------------------------------ */

struct choices {
    const struct sim *sim;
    struct whatif_choice *out;
    size_t count;
};

static bool is_listed(const struct choices *c, const struct sim_cmd *cmd)
{
    for (size_t i = 0; i < c->count; i++) {
        const struct sim_cmd *has = &c->out[i].cmd;
        if (has->kind == SIM_CMD_SET && cmd->kind == SIM_CMD_SET && has->knob == cmd->knob &&
            has->value == cmd->value) {
            return true;
        }
    }
    return false;
}

/* What the fabric would refuse now is not offered; a restart is checked when it is chosen. */
static void offer(struct choices *c, const struct sim_cmd *cmd)
{
    const bool restart = cmd->kind == SIM_CMD_SET && sim_knob_info(cmd->knob)->when == SIM_RESTART;
    if (c->count == WHATIF_CHOICES_MAX || is_listed(c, cmd) ||
        (!restart && !sim_would_apply(c->sim, cmd, NULL))) {
        return;
    }
    struct whatif_choice *choice = &c->out[c->count++];
    choice->cmd = *cmd;
    if (cmd->kind != SIM_CMD_SET) {
        whatif_say(cmd, choice->text, sizeof choice->text);
        return;
    }
    char name[40], now[40], then[40];
    const enum sim_when when = sim_knob_info(cmd->knob)->when;
    knob_words(cmd->knob, name, sizeof name);
    sim_knob_format(cmd->knob, sim_knob(c->sim, cmd->knob), false, now, sizeof now);
    sim_knob_format(cmd->knob, cmd->value, false, then, sizeof then);
    if (when == SIM_RESTART) {
        snprintf(choice->text, sizeof choice->text, "%s %s, from 0", name, then);
    } else {
        snprintf(choice->text, sizeof choice->text, "%s: %.24s -> %.24s%s", name, now, then,
                 when == SIM_NEXT_STEP ? ", next step" : "");
    }
}

static void offer_value(struct choices *c, enum sim_knob knob, int64_t value)
{
    if (sim_knob(c->sim, knob) != value) {
        offer(c, &(struct sim_cmd){ .kind = SIM_CMD_SET, .knob = knob, .value = value });
    }
}

static void offer_packet(struct choices *c, const struct cursor *cursor)
{
    struct cursor at = *cursor;
    struct sim_cmd cmd;
    if ((at.on || cursor_snap(&at, c->sim)) && cursor_drop(&at, c->sim, &cmd, NULL)) {
        offer(c, &cmd);
    }
}

static void offer_switches(struct choices *c, const struct lesson *lesson, size_t index)
{
    const struct lesson_card *card = lesson_card(lesson, index);
    for (size_t i = 0; i < card->count; i++) {
        const struct lesson_item *item = lesson_item(lesson, card->first + i);
        for (size_t v = 0; item->kind == LESSON_SWITCH && v < item->value_count; v++) {
            offer_value(c, item->knob, item->values[v]);
        }
    }
}

/* Every switch whose values are words, those that act at once first. */
static void offer_words(struct choices *c, enum sim_when when)
{
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const struct sim_knob_info *info = sim_knob_info((enum sim_knob)k);
        if (info->type != SIM_KNOB_CHOICE || info->when != when) {
            continue;
        }
        for (int64_t value = info->min; value <= info->max; value++) {
            offer_value(c, (enum sim_knob)k, value);
        }
    }
}

static void offer_faults(struct choices *c, const struct cursor *cursor)
{
    uint32_t rank = cursor->on ? cursor_rank(cursor, c->sim) : SIM_NONE;
    if (sim_rank_count(c->sim) == 0) {
        return;
    }
    const uint32_t node = sim_rank_node(c->sim, rank < sim_rank_count(c->sim) ? rank : 0);
    const char *name = sim_node(c->sim, node).name;
    static const struct {
        enum sim_cmd_kind kind;
        int64_t value;
    } faults[] = {
        { SIM_CMD_PAUSE, 0 },
        { SIM_CMD_SLOW_GPU, 2 * UNIT_ONE },
        { SIM_CMD_SLOW, UNIT_ONE / 2 },
        { SIM_CMD_STORM, 1 },
        { SIM_CMD_KILL, 0 },
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct sim_cmd cmd = { .kind = faults[i].kind, .value = faults[i].value };
        snprintf(cmd.node, sizeof cmd.node, "%s", name);
        offer(c, &cmd);
    }
}

size_t whatif_choices(const struct sim *sim, const struct cursor *cursor,
                      const struct lesson *lesson, size_t card,
                      struct whatif_choice out[WHATIF_CHOICES_MAX])
{
    struct choices c = { .sim = sim, .out = out };
    offer_packet(&c, cursor);
    offer_switches(&c, lesson, card);
    offer_words(&c, SIM_LIVE);
    offer_words(&c, SIM_NEXT_STEP);
    offer_faults(&c, cursor);
    offer_words(&c, SIM_RESTART);
    return c.count;
}

/* ---- life --------------------------------------------------------------------------------------- */

/* Doing something cuts what was done later, in a what-if as anywhere: then that is said, too. */
static void say_cut(struct whatif *w, const struct run *run)
{
    const struct run_line *lines;
    size_t later = 0;
    for (size_t i = run_journal(run, &lines); i-- > 0 && lines[i].at > w->at;) {
        later += lines[i].author != RUN_SCENARIO;
    }
    const size_t used = strlen(w->change[1]);
    if (later > 0) {
        char things[40];
        snprintf(w->change[1] + used, sizeof w->change[1] - used, "; cut: %s done later",
                 units_counted(things, sizeof things, (int64_t)later, "thing", "things"));
    }
}

bool whatif_begin(struct whatif *w, struct run *run, const struct history *history,
                  const struct sim_cmd *cmd, struct err *err)
{
    *w = (struct whatif){
        .cmd = *cmd, .from = run_now(run), .at = run_now(run), .picked = 1, .numbers_at = -1
    };
    if (cmd->kind == SIM_CMD_SET) {
        say_knob(cmd->knob, sim_knob(run_sim(run), cmd->knob), w->change[0], sizeof w->change[0]);
    } else {
        snprintf(w->change[0], sizeof w->change[0], "as it is");
    }
    whatif_say(cmd, w->change[1], sizeof w->change[1]);
    struct run *other = compare_what_if(&w->compare, run, cmd, err);
    if (other == NULL) {
        return false;
    }
    w->compare.where[COMPARE_LEFT] = "in A";
    w->compare.where[COMPARE_RIGHT] = "in B";
    w->other = other;
    w->again = cmd->kind == SIM_CMD_SET && sim_knob_info(cmd->knob)->when == SIM_RESTART;
    history_init(&w->history);
    playback_init(&w->eye);
    if (w->again) { /* its own past has to be seen once */
        w->at = 0;
        w->catching_up = true;
        (void)run_seek(other, 0, NULL);
        history_attach(&w->history, run_sim(other));
    } else {
        say_cut(w, run);
        history_fork(&w->history, history, run_sim(other), w->at);
        (void)run_until(run, run_now(other), 0); /* a line takes 1 ps */
    }
    return true;
}

void whatif_finish(struct whatif *w)
{
    if (w->other != NULL) {
        run_destroy(w->other);
        history_finish(&w->history);
        playback_finish(&w->eye);
        plots_finish(&w->plots);
    }
    *w = (struct whatif){ 0 };
}

bool whatif_catch_up(struct whatif *w, const struct run *run, int budget_ms)
{
    const int64_t end_us = budget_ms > 0 ? clock_wall_us() + INT64_C(1000) * budget_ms : INT64_MAX;
    const sim_ps to = run_now(run);
    sim_ps slice, tick[PLAYBACK_GEAR_COUNT];
    int64_t rate[PLAYBACK_GEAR_COUNT];
    playback_gears(run_sim(w->other), tick, rate);
    slice = tick[PLAYBACK_ROUND] / 4 + 1; /* as often as playback looks */
    while (run_now(w->other) < to && clock_wall_us() < end_us) {
        const sim_ps next = run_now(w->other) + slice;
        const enum sim_stopped stopped = run_until(w->other, next < to ? next : to, 0);
        history_sample(&w->history, run_sim(w->other));
        if (stopped == SIM_AT_END) {
            break; /* it stalls before: the clock goes on without it */
        }
    }
    const enum sim_stopped last = run_until(w->other, run_now(w->other), 0);
    w->catching_up = run_now(w->other) < to && last != SIM_AT_END;
    return !w->catching_up;
}

/* ---- differences -------------------------------------------------------------------------------- */

static bool same_mark(const struct sim_record *a, const struct sim_record *b)
{
    return a->t == b->t && a->kind == b->kind && a->port == b->port && a->flow == b->flow &&
           a->rank == b->rank && a->psn == b->psn;
}

/* Some mark of the same instant says the same; marks are ascending. */
static bool has_mark(const struct sim_record *mark, size_t n, size_t *at,
                     const struct sim_record *wanted)
{
    while (*at < n && mark[*at].t < wanted->t) {
        ++*at;
    }
    for (size_t i = *at; i < n && mark[i].t == wanted->t; i++) {
        if (same_mark(&mark[i], wanted)) {
            return true;
        }
    }
    return false;
}

/* The best moment so far on the way from `now`. */
struct nearest {
    sim_ps now, known;
    bool back;
    struct whatif_moment best;
};

static void consider(struct nearest *n, struct whatif_moment m)
{
    const bool that_way = n->back ? m.t < n->now : m.t > n->now && m.t <= n->known;
    const bool nearer = n->best.t == SIM_NEVER || (n->back ? m.t > n->best.t : m.t < n->best.t);
    if (that_way && nearer) {
        n->best = m;
    }
}

static void consider_marks(struct nearest *n, const struct sim *of, const struct sim *other,
                           size_t side, sim_ps from)
{
    const struct sim_record *mark, *there;
    const size_t count = sim_trace_marks(of, &mark), others = sim_trace_marks(other, &there);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        if (mark[i].t >= from && !has_mark(there, others, &at, &mark[i])) {
            consider(n, (struct whatif_moment){ mark[i].t, WHATIF_ONE_SIDE, side, mark[i] });
        }
    }
}

struct whatif_moment whatif_difference(const struct whatif *w, const struct run *run, sim_ps now,
                                       bool back)
{
    const struct compare *c = &w->compare;
    struct nearest n = {
        .now = now, .known = w->history.known, .back = back, .best = { .t = SIM_NEVER }
    };
    consider(&n, (struct whatif_moment){ .t = w->at, .what = WHATIF_FORK });
    if (c->differs) {
        consider(&n, (struct whatif_moment){ .t = c->first.t, .what = WHATIF_FIRST });
    }
    consider_marks(&n, run_sim(run), run_sim(w->other), 0, w->at + 1);
    consider_marks(&n, run_sim(w->other), run_sim(run), 1, w->at + 1);
    return n.best;
}
