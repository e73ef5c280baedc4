/*
 * Time in the picture: timeline, scrubber, the list of events, the counters.
 */
#include <inttypes.h>
#include <string.h>

#include "app/scene_parts.h"
#include "base/units.h"

enum {
    CUTS_MAX = 32,
    TICKS_MAX = 1024,
    EVENTS_SHOWN = 64,
    EVENTS_READ = 512,    /* records looked at for them */
    FILTERED_READ = 8192, /* for those of one kind, which may be rare */
};

/* ---- Axes ------------------------------------------------------------------------------------------ */

/* A length that `span` fits into and that does not grow at every frame: the axis stands still while
 * time moves along it. */
static sim_ps roomy(sim_ps span)
{
    static const int steps[] = { 10, 12, 15, 20, 25, 30, 40, 50, 60, 80 };
    for (sim_ps ten = UNIT_NS;; ten *= 10) {
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            if (ten / 10 * steps[i] >= span || ten > UNIT_S * 1000) {
                return ten / 10 * steps[i];
            }
        }
    }
}

struct scene_axis scene_axis_of(const struct history *h, const struct history *beside,
                                struct scene_mem *mem, sim_ps t0, sim_ps t1, sim_ps now,
                                sim_ps expected)
{
    struct scene_cut *cut = scene_mem_take(mem, CUTS_MAX, sizeof *cut);
    struct scene_axis axis = { .t0_ps = t0, .now_ps = now, .cut = cut };
    axis.cut_count = history_cuts(h, beside, t0, t1, cut, CUTS_MAX);
    sim_ps drawn = t1 - t0;
    for (size_t i = 0; i < axis.cut_count; i++) {
        drawn -= cut[i].t1_ps - cut[i].t0_ps;
    }
    /* How far flows will get nobody knows; what they have done takes half of the picture or more. */
    const sim_ps most = h->flows ? 2 * roomy(drawn + 1) : SIM_NEVER;
    expected = expected < most ? expected : most;
    const sim_ps length = expected > drawn ? expected : roomy(drawn + 1);
    axis.t1_ps = t1 + length - drawn;
    return axis;
}

/* ---- Timeline -------------------------------------------------------------------------------------- */

sim_ps scene_airy_step(const struct playback *pb)
{
    const sim_ps step = pb->tick[PLAYBACK_STEP];
    return step + step / 8;
}

/* The step before the present one is shown too: for comparison. */
static void fill_timeline_axis(const struct scene_fill_in *in, struct scene_mem *mem,
                               struct scene_axis *axis)
{
    const struct sim *sim = in->sim;
    const sim_ps now = sim_now(sim);
    const int64_t step = sim_step_now(sim);
    const sim_ps t0 = step > 1 ? sim_step(sim, step - 1).start : 0;
    const sim_ps before = step > 1 ? sim_step(sim, step).start - t0 : 0;
    const sim_ps clean = in->playback->tick[PLAYBACK_STEP];
    const sim_ps expected = scene_airy_step(in->playback) + (before < 2 * clean ? before : clean);
    *axis = scene_axis_of(in->history, NULL, mem, t0, now, now, expected);
}

static const char *flows_title(const struct sim *sim, struct scene_mem *mem)
{
    const size_t n = sim_flow_count(sim);
    char part[64];
    size_t arrived = 0, endless = 0;
    for (uint32_t f = 0; f < n; f++) {
        arrived += history_flow_state(sim, f) == SCENE_GPU_BARRIER ? 1 : 0;
        endless += sim_flow(sim, f).messages == 0 ? 1 : 0;
    }
    if (endless == n) {
        return scene_mem_textf(mem, "%s without end",
                               units_counted(part, sizeof part, (int64_t)n, "flow", "flows"));
    }
    units_part(part, sizeof part, (int64_t)arrived, (int64_t)n);
    return scene_mem_textf(mem, "%s message%s arrived", part, n == 1 ? "" : "s");
}

static const char *timeline_title(const struct sim *sim, struct scene_mem *mem)
{
    const size_t n = sim_rank_count(sim);
    if (sim_outcome(sim) == SIM_STALLED) {
        return "the run is stalled";
    }
    if (n == 0) {
        return flows_title(sim, mem);
    }
    if (sim_outcome(sim) == SIM_DONE) {
        char steps[40];
        units_counted(steps, sizeof steps, sim_steps_done(sim), "training step", "training steps");
        return scene_mem_textf(mem, "done: %s", steps);
    }
    size_t at_barrier = 0;
    int64_t round = INT64_MAX;
    int64_t rounds = 0;
    bool computing = false;
    for (uint32_t r = 0; r < n; r++) {
        const struct sim_rank rank = sim_rank(sim, r);
        at_barrier += rank.state == SIM_RANK_BARRIER ? 1 : 0;
        computing = computing || rank.state == SIM_RANK_COMPUTES;
        round = rank.rounds_done < round ? rank.rounds_done : round;
        rounds = rank.rounds;
    }
    const int64_t step = sim_step_now(sim);
    if (at_barrier > 0) {
        char part[64];
        units_part(part, sizeof part, (int64_t)at_barrier, (int64_t)n);
        return scene_mem_textf(mem, "training step %" PRId64 ": %s at the barrier", step, part);
    }
    if (computing && round == 0) {
        return scene_mem_textf(mem, "training step %" PRId64 ", computing", step);
    }
    round = round < rounds ? round + 1 : rounds;
    return scene_mem_textf(mem, "training step %" PRId64 ", round %" PRId64 " of %" PRId64, step,
                           round, rounds);
}

static enum scene_tick_kind tick_of(uint32_t kind)
{
    switch (kind) {
    case SIM_TRACE_BARRIER:
        return SCENE_TICK_BARRIER;
    case SIM_TRACE_DROP:
        return SCENE_TICK_DROP;
    case SIM_TRACE_TIMEOUT:
        return SCENE_TICK_TIMEOUT;
    case SIM_TRACE_XOFF:
        return SCENE_TICK_PAUSE;
    default:
        break;
    }
    return SCENE_TICK_KINDS;
}

/* ---- Moments: the run's marks as ticks ------------------------------------------------------------- */

/* Ticks that are being gathered. Thousands of packets lost together are one tick: of each kind there is
 * at most one in a TICKS_MAX-th of what is drawn at length, which is finer than any screen. */
struct gather {
    struct scene_tick *tick;
    size_t count, cap;
    sim_ps last[SCENE_TICK_KINDS];
    sim_ps apart;
};

static struct gather gather_of(const struct scene_axis *axis)
{
    sim_ps drawn = axis->t1_ps - axis->t0_ps;
    for (size_t i = 0; i < axis->cut_count; i++) {
        drawn -= axis->cut[i].t1_ps - axis->cut[i].t0_ps;
    }
    struct gather g = { .apart = drawn / TICKS_MAX + 1 };
    for (size_t k = 0; k < SCENE_TICK_KINDS; k++) {
        g.last[k] = INT64_MIN / 2;
    }
    return g;
}

static void gather_tick(struct gather *g, struct scene_mem *mem, sim_ps t,
                        enum scene_tick_kind kind)
{
    if (t - g->last[kind] < g->apart) {
        return;
    }
    if (g->count == g->cap) {
        struct scene_tick *more = scene_mem_take(mem, 2 * g->cap + 16, sizeof *more);
        if (g->count > 0) {
            memcpy(more, g->tick, g->count * sizeof *more);
        }
        g->tick = more;
        g->cap = 2 * g->cap + 16;
    }
    g->tick[g->count++] = (struct scene_tick){ t, kind };
    g->last[kind] = t;
}

/* The first mark at or after `t`; marks are ascending. */
static size_t first_mark(const struct sim_record *mark, size_t n, sim_ps t)
{
    size_t low = 0;
    while (n > 0) {
        if (mark[low + n / 2].t < t) {
            low += n / 2 + 1;
            n -= n / 2 + 1;
        } else {
            n /= 2;
        }
    }
    return low;
}

typedef void mark_fn(void *arg, const struct sim_record *mark);

/* Each mark in [t0, t1], ascending; of a fork also those of the run it came from. */
static void each_mark(const struct scene_fill_in *in, sim_ps t0, sim_ps t1, mark_fn *fn, void *arg)
{
    const struct sim *const from[] = { in->past, in->sim };
    for (size_t k = 0; k < 2; k++) {
        if (from[k] == NULL) {
            continue;
        }
        const struct sim_record *mark;
        const size_t n = sim_trace_marks(from[k], &mark);
        const sim_ps first =
            k == 1 && in->past != NULL && t0 <= in->past_until ? in->past_until + 1 : t0;
        const sim_ps last = k == 0 && in->past_until < t1 ? in->past_until : t1;
        for (size_t i = first_mark(mark, n, first); i < n && mark[i].t <= last; i++) {
            fn(arg, &mark[i]);
        }
    }
}

/* The rows of a timeline, each with its own moments. */
struct row_marks {
    const struct scene_fill_in *in;
    struct scene_mem *mem;
    struct gather *gather;
    size_t count;
};

/* What of a row's data was lost, when its timer fired. */
static void add_row_mark(void *arg, const struct sim_record *mark)
{
    struct row_marks *rows = arg;
    const struct history *h = rows->in->history;
    const bool own = mark->kind == SIM_TRACE_DROP || mark->kind == SIM_TRACE_TIMEOUT;
    if (own && mark->flow != SIM_NONE) {
        const uint32_t r =
            h->flows ? mark->flow : h->row_of[sim_flow(rows->in->sim, mark->flow).src];
        if (r < rows->count) {
            gather_tick(&rows->gather[r], rows->mem, mark->t, tick_of(mark->kind));
        }
    }
}

static void fill_ticks(const struct scene_fill_in *in, struct scene_mem *mem,
                       struct scene_timeline *tl, struct scene_row *row)
{
    struct gather *g = scene_mem_take(mem, tl->row_count, sizeof *g);
    for (size_t r = 0; r < tl->row_count; r++) {
        g[r] = gather_of(&tl->axis);
    }
    struct row_marks rows = { .in = in, .mem = mem, .gather = g, .count = tl->row_count };
    each_mark(in, tl->axis.t0_ps, tl->axis.now_ps, add_row_mark, &rows);
    for (size_t r = 0; r < tl->row_count; r++) {
        row[r].tick = g[r].tick;
        row[r].tick_count = g[r].count;
    }
}

static void fill_barriers(const struct sim *sim, struct scene_mem *mem, struct scene_timeline *tl)
{
    const int64_t steps = sim_step_now(sim);
    int64_t first = steps;
    while (first > 1 && sim_step(sim, first - 1).end > tl->axis.t0_ps) {
        first--;
    }
    int64_t *at = scene_mem_take(mem, (size_t)(steps - first + 1), sizeof *at);
    for (int64_t k = first; k >= 1 && k <= steps; k++) {
        const sim_ps end = sim_step(sim, k).end;
        if (end != SIM_NEVER && end <= tl->axis.now_ps) {
            at[tl->barrier_count++] = end;
        }
    }
    tl->barrier_ps = at;
}

void scene_fill_timeline(const struct scene_fill_in *in, const struct scene_axis *axis,
                         struct scene_mem *mem, struct scene *scene)
{
    const struct sim *sim = in->sim;
    const bool flows = in->history->flows;
    const size_t n = in->history->row_count;
    if (flows != (sim_rank_count(sim) == 0)) {
        return; /* of another run */
    }
    struct scene_timeline *tl = &scene->timeline;
    struct scene_row *row = scene_mem_take(mem, n, sizeof *row);
    *tl = (struct scene_timeline){ .title = timeline_title(sim, mem), .row = row, .row_count = n };
    tl->axis = *axis;
    for (uint32_t r = 0; r < n; r++) {
        row[r].name = flows ? sim_flow(sim, r).name : sim_node(sim, sim_rank_node(sim, r)).name;
        row[r].word = flows ? scene_flow_word(history_flow_state(sim, r))
                            : scene->fabric.node[sim_rank_node(sim, r)].word;
        row[r].run = history_runs(in->history, r, &row[r].run_count);
    }
    fill_ticks(in, mem, tl, row);
    fill_barriers(sim, mem, tl);
}

/* ---- Scrubber -------------------------------------------------------------------------------------- */

/* All moments of the run that the scrubber shows. */
struct run_marks {
    struct scene_mem *mem;
    struct gather gather;
};

static void add_run_mark(void *arg, const struct sim_record *mark)
{
    struct run_marks *marks = arg;
    const enum scene_tick_kind kind = tick_of(mark->kind);
    if (kind != SCENE_TICK_KINDS && kind != SCENE_TICK_PAUSE) {
        gather_tick(&marks->gather, marks->mem, mark->t, kind);
    }
}

void scene_fill_scrubber(const struct scene_fill_in *in, struct scene_mem *mem, struct scene *scene)
{
    const struct sim *sim = in->sim;
    const struct playback *pb = in->playback;
    const sim_ps now = sim_now(sim);
    const sim_ps last = in->history->known > now ? in->history->known : now;
    struct scene_scrubber *s = &scene->scrubber;
    const int64_t steps =
        sim_step_now(sim) < sim_step_total(sim) ? sim_step_now(sim) + 1 : sim_step_total(sim);
    s->axis = scene_axis_of(in->history, NULL, mem, 0, last, now,
                            (steps - 1) * pb->tick[PLAYBACK_STEP] + scene_airy_step(pb));
    struct run_marks marks = { .mem = mem, .gather = gather_of(&s->axis) };
    each_mark(in, 0, last, add_run_mark, &marks);
    const struct history *h = in->history; /* of pauses the run itself marks only the first */
    for (size_t i = 0; i < h->pause_count && h->pause[i] <= last; i++) {
        gather_tick(&marks.gather, mem, h->pause[i], SCENE_TICK_PAUSE);
    }
    s->tick = marks.gather.tick;
    s->tick_count = marks.gather.count;
    s->gear = playback_gear_name(pb->gear);
    char rate[32];
    if (pb->hushed || pb->hush_left_ms > 0) {
        s->rate = "skipping";
    } else if (!playback_moving(pb)) {
        s->rate = "paused";
    } else {
        s->rate =
            scene_mem_textf(mem, "%s", playback_rate_text(playback_rate(pb), rate, sizeof rate));
    }
}

void scene_fill_time(const struct scene_fill_in *in, struct scene_mem *mem, struct scene *scene)
{
    struct scene_axis axis;
    fill_timeline_axis(in, mem, &axis);
    scene_fill_timeline(in, &axis, mem, scene);
    scene_fill_scrubber(in, mem, scene);
}

/* ---- Events ---------------------------------------------------------------------------------------- */

/* What the list tells, and with which glyph. */
static bool event_of(const struct sim_record *rec, struct scene_event *e)
{
    e->t_ps = rec->t;
    e->tick = tick_of(rec->kind);
    e->is_tick = e->tick != SCENE_TICK_KINDS;
    switch (rec->kind) {
    case SIM_TRACE_BARRIER:
    case SIM_TRACE_DROP:
    case SIM_TRACE_TIMEOUT:
    case SIM_TRACE_XOFF:
        return true;
    case SIM_TRACE_XON:
        e->mark = SCENE_MARK_GO;
        return true;
    case SIM_TRACE_NAK:
        e->mark = SCENE_MARK_NAK;
        return true;
    case SIM_TRACE_REWIND:
    case SIM_TRACE_FAST_RESEND:
    case SIM_TRACE_STEP:
    case SIM_TRACE_SET:
    case SIM_TRACE_QP_ERROR:
    case SIM_TRACE_DONE:
    case SIM_TRACE_STALL:
        e->mark = SCENE_MARK_DATA;
        return true;
    default:
        break;
    }
    return false;
}

void scene_fill_events(const struct scene_fill_in *in, uint64_t end, struct scene_mem *mem,
                       struct scene *scene)
{
    const struct sim *sim = in->sim;
    struct scene_event *event = scene_mem_take(mem, EVENTS_SHOWN, sizeof *event);
    const size_t most = in->filter != NULL ? FILTERED_READ : EVENTS_READ;
    struct sim_record *rec = scene_mem_take(mem, most, sizeof *rec);
    uint64_t cursor = end > most ? end - most : 0;
    size_t n = sim_trace_read(sim, &cursor, rec, most);
    while (n > 0 && rec[n - 1].seq >= end) {
        n--;
    }
    size_t count = 0;
    for (size_t i = n;
         i-- > 0 && count < EVENTS_SHOWN;) { /* newest first, from the end of the array */
        struct scene_event *e = &event[EVENTS_SHOWN - 1 - count];
        const bool told = event_of(&rec[i], e);
        if (in->filter != NULL ? event_filter_passes(in->filter, sim, &rec[i]) : told) {
            char text[256];
            e->text = scene_mem_textf(mem, "%s", sim_trace_say(sim, &rec[i], text, sizeof text));
            count++;
        }
    }
    scene->event = event + EVENTS_SHOWN - count;
    scene->event_count = count;
}

/* ---- Counters -------------------------------------------------------------------------------------- */

void scene_fill_counts(const struct sim *sim, struct scene_mem *mem, struct scene *scene)
{
    const struct sim_counters c = sim_counters(sim);
    char lost[32], pauses[32], naks[32], timeouts[32];
    units_grouped(lost, sizeof lost, (int64_t)c.dropped);
    units_grouped(pauses, sizeof pauses, (int64_t)c.xoff_frames);
    units_grouped(naks, sizeof naks, (int64_t)c.naks);
    units_counted(timeouts, sizeof timeouts, (int64_t)c.timeouts, "timeout", "timeouts");
    if (c.timeouts > 0) {
        scene->counts = scene_mem_textf(mem, "%s lost, %s NAK, %s", lost, naks, timeouts);
    } else if (c.xoff_frames > 0) {
        scene->counts = scene_mem_textf(mem, "%s PAUSE, %s lost", pauses, lost);
    } else if (c.dropped > 0) {
        scene->counts = scene_mem_textf(mem, "%s lost, %s NAK", lost, naks);
    } else {
        scene->counts = "nothing lost";
    }
}
