#include "run/series.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { WINDOW_FRAMES = 8, SAY_PARTS = 2048, SAY_WINDOWS = 8 };

/* ---- life -------------------------------------------------------------------------------------- */

sim_ps run_series_often(const struct sim *sim)
{
    sim_ps least = UNIT_US;
    for (uint32_t p = 0; p < sim_port_count(sim); p++) {
        const sim_ps slot = sim_slot_ps(sim, p);
        least = slot < least ? slot : least;
    }
    return least > 50 * UNIT_NS ? least : 50 * UNIT_NS;
}

static sim_ps window_of(const struct sim *sim, struct run_plot plot)
{
    uint32_t port = plot.id;
    if (plot.host) {
        port = sim_node(sim, plot.id).first_port;
    } else if (run_plot_info(plot.kind)->of == RUN_PLOT_OF_FLOW) {
        port = sim_flow(sim, plot.id).port;
    }
    return WINDOW_FRAMES * sim_slot_ps(sim, port);
}

void run_series_begin(struct run_series_set *set, const struct sim *sim,
                      const struct run_plot *plots, size_t count, sim_ps every)
{
    *set = (struct run_series_set){ .known = -1 };
    set->every = every > 0 ? every : run_series_often(sim);
    set->count = count < RUN_SERIES_MAX ? count : RUN_SERIES_MAX;
    for (size_t i = 0; i < set->count; i++) {
        set->series[i] = (struct run_series){ .plot = plots[i],
                                              .known = -1,
                                              .window = window_of(sim, plots[i]) };
    }
}

void run_series_finish(struct run_series_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        free(set->series[i].point);
    }
    *set = (struct run_series_set){ .known = -1 };
}

/* ---- reading ----------------------------------------------------------------------------------- */

static struct run_series_point merged(const struct run_series_point *a,
                                      const struct run_series_point *b)
{
    struct run_series_point m = *b;
    m.t = a->t;
    m.first = a->first;
    m.low = a->low < b->low ? a->low : b->low;
    m.high = a->high > b->high ? a->high : b->high;
    return m;
}

/* The older half, pair by pair. */
static void thin(struct run_series *s)
{
    const size_t pairs = s->count / 4;
    for (size_t i = 0; i < pairs; i++) {
        s->point[i] = merged(&s->point[2 * i], &s->point[2 * i + 1]);
    }
    memmove(&s->point[pairs], &s->point[2 * pairs], (s->count - 2 * pairs) * sizeof *s->point);
    s->count -= pairs;
}

static bool same_marks(const int64_t a[RUN_PLOT_MARKS], const int64_t b[RUN_PLOT_MARKS])
{
    return memcmp(a, b, RUN_PLOT_MARKS * sizeof *a) == 0;
}

/* True when it is not what it was. */
static bool add(struct run_series *s, const struct sim *sim, sim_ps t)
{
    const struct run_reading r = run_plot_read(sim, s->plot);
    /* the model remembers a peak that lay between two readings */
    const int64_t high = r.most > s->most && r.most > r.value ? r.most : r.value;
    struct run_series_point *last = s->count > 0 ? &s->point[s->count - 1] : NULL;
    s->most = r.most > s->most ? r.most : s->most;
    s->known = t;
    if (last != NULL && last->low == r.value && last->high == high && last->last == r.value &&
        same_marks(last->mark, r.mark)) {
        last->until = t;
        return false;
    }
    if (s->count == RUN_SERIES_POINTS) {
        thin(s);
    }
    s->point = mem_grow(s->point, &s->cap, s->count + 1, sizeof *s->point);
    struct run_series_point *p = &s->point[s->count++];
    *p = (struct run_series_point){
        .t = t, .until = t, .first = r.value, .last = r.value, .low = r.value, .high = high
    };
    memcpy(p->mark, r.mark, sizeof p->mark);
    return true;
}

static void read_all(struct run_series_set *set, const struct sim *sim, sim_ps t)
{
    set->still = true;
    for (size_t i = 0; i < set->count; i++) {
        set->still = !add(&set->series[i], sim, t) && set->still;
    }
    set->known = t;
}

/* Over a silence all stays as it was, up to the look before the next. */
static void stand(struct run_series_set *set, sim_ps next)
{
    for (size_t i = 0; i < set->count && set->still; i++) {
        struct run_series *s = &set->series[i];
        s->point[s->count - 1].until = next - set->every;
        s->known = next - set->every;
    }
}

/* The last multiple of `every` up to `t`, and the first one from `t` on. */
static sim_ps multiple_to(const struct run_series_set *set, sim_ps t)
{
    return t - t % set->every;
}

static sim_ps multiple_from(const struct run_series_set *set, sim_ps t)
{
    return t % set->every == 0 ? t : multiple_to(set, t) + set->every;
}

/* The next moment to look: the first one at which something may have changed, or the last of all. */
static sim_ps next_look(const struct run_series_set *set, const struct run *run, sim_ps until)
{
    const sim_ps now = run_now(run), event = run_next_moment(run);
    sim_ps next = set->known < 0 ? 0 : set->known + set->every;
    next = now > next ? multiple_from(set, now) : next;
    if (set->still && event > next && event < until) {
        next = multiple_from(set, event);
    }
    const bool silent = set->still && event >= until;
    return !silent && next <= until ? next : multiple_to(set, until);
}

bool run_series_until(struct run_series_set *set, struct run *run, sim_ps until, size_t readings)
{
    if (set->known >= 0 && run_now(run) < set->known) {
        (void)run_until(run, set->known, 0);
    }
    for (size_t n = 0; n < readings; n++) {
        const sim_ps t = next_look(set, run, until);
        if (t <= set->known || t < run_now(run)) {
            return true;
        }
        stand(set, t);
        const bool ended = run_until(run, t, 0) == SIM_AT_END;
        read_all(set, run_sim(run), t);
        if (ended) { /* it stands still: what it shows stays so */
            read_all(set, run_sim(run), multiple_to(set, until));
            return true;
        }
    }
    return false;
}

void run_series_past(struct run_series_set *set, const struct run *run,
                     const struct run_plot *plots, size_t count)
{
    struct run *reader = run_fork(run);
    run_forward_only(reader);
    (void)run_seek(reader, 0, NULL);
    run_series_begin(set, run_sim(reader), plots, count, 0);
    while (!run_series_until(set, reader, run_now(run), SIZE_MAX)) {
    }
    run_destroy(reader);
}

void run_series_cut(struct run_series_set *set, sim_ps t)
{
    for (size_t i = 0; i < set->count; i++) {
        struct run_series *s = &set->series[i];
        while (s->count > 0 && s->point[s->count - 1].t >= t) {
            s->count--;
        }
        if (s->count > 0 && s->point[s->count - 1].until >= t) {
            s->point[s->count - 1].until = t - 1;
        }
        s->known = s->known < t ? s->known : t - 1;
        s->most = 0;
        for (size_t k = 0; k < s->count; k++) {
            s->most = s->point[k].high > s->most ? s->point[k].high : s->most;
        }
    }
    set->still = false;
    if (set->known >= t) { /* the last multiple before it */
        set->known = t > 0 ? multiple_to(set, t - 1) : -1;
    }
}

/* ---- looking ----------------------------------------------------------------------------------- */

/* The last point at or before `t`; `count` when there is none. */
static size_t point_at(const struct run_series *s, sim_ps t)
{
    size_t low = 0, n = s->count;
    while (n > 0) {
        if (s->point[low + n / 2].t <= t) {
            low += n / 2 + 1;
            n -= n / 2 + 1;
        } else {
            n /= 2;
        }
    }
    return low > 0 ? low - 1 : s->count;
}

static int64_t between(int64_t a, int64_t b, sim_ps t0, sim_ps t1, sim_ps t)
{
    return t1 <= t0 ? b : a + (int64_t)((double)(b - a) * (double)(t - t0) / (double)(t1 - t0));
}

/* A counter at `t`. */
static int64_t counted(const struct run_series *s, sim_ps t)
{
    const size_t i = point_at(s, t);
    if (i == s->count) {
        return s->point[0].first;
    }
    const struct run_series_point *p = &s->point[i];
    if (t <= p->until) {
        return between(p->first, p->last, p->t, p->until, t);
    }
    return i + 1 < s->count ? between(p->last, p[1].first, p->until, p[1].t, t) : p->last;
}

static bool slope_over(const struct run_series *s, sim_ps t0, sim_ps t1,
                       struct run_series_span *span)
{
    if (t1 - t0 < s->window) {
        const sim_ps more = (s->window - (t1 - t0)) / 2;
        t0 -= more;
        t1 += more;
    }
    t0 = t0 < s->point[0].t ? s->point[0].t : t0;
    t1 = t1 > s->known ? s->known : t1;
    if (t1 <= t0) {
        return false;
    }
    const int64_t growth = counted(s, t1) - counted(s, t0);
    /* go-back-0 takes back what had arrived */
    span->last = run_plot_slope(s->plot.kind, growth > 0 ? growth : 0, t1 - t0);
    span->low = span->high = span->last;
    return true;
}

static void level_over(const struct run_series *s, size_t first, sim_ps t0, sim_ps t1,
                       struct run_series_span *span)
{
    const struct run_series_point *p = &s->point[first];
    const bool inside = t0 <= p->until;
    span->low = inside ? p->low : p->last;
    span->high = inside ? p->high : p->last;
    span->last = p->last;
    for (size_t i = first + 1; i < s->count && s->point[i].t < t1; i++) {
        p = &s->point[i];
        span->low = p->low < span->low ? p->low : span->low;
        span->high = p->high > span->high ? p->high : span->high;
        span->last = p->last;
    }
}

bool run_series_over(const struct run_series *s, sim_ps t0, sim_ps t1, struct run_series_span *span)
{
    if (s->count == 0 || t0 > s->known || t1 < s->point[0].t) {
        return false;
    }
    size_t first = point_at(s, t0);
    first = first < s->count ? first : 0;
    const size_t last = point_at(s, t1);
    memcpy(span->mark, s->point[last < s->count ? last : 0].mark, sizeof span->mark);
    if (run_plot_info(s->plot.kind)->sort == RUN_PLOT_SLOPE) {
        return slope_over(s, t0, t1, span);
    }
    level_over(s, first, t0, t1, span);
    return true;
}

/* ---- saying ------------------------------------------------------------------------------------ */

/* A stretch of time, part by part: its points, or equal parts for a slope. */
struct walk {
    const struct run_series *series;
    sim_ps t, t1, part;
    size_t next;
};

static struct walk walk_of(const struct run_series *s, sim_ps t0, sim_ps t1)
{
    struct walk w = { .series = s, .t = t0, .t1 = t1 < s->known ? t1 : s->known };
    const size_t first = point_at(s, t0);
    w.next = first < s->count ? first + 1 : 1;
    /* A frame that just falls into a part counts whole. Where there is time enough, a part has so many that
     * the most of a full line is not said to be more than the line carries. */
    const sim_ps long_enough = SAY_WINDOWS * s->window, eighth = (w.t1 - t0) / SAY_WINDOWS;
    const sim_ps least = long_enough < eighth ? long_enough : eighth;
    w.part = (w.t1 - t0) / SAY_PARTS;
    w.part = w.part < least ? least : w.part;
    w.part = w.part < s->window ? s->window : w.part;
    return w;
}

static bool walk_on(struct walk *w, sim_ps *t0, sim_ps *t1, struct run_series_span *span)
{
    const struct run_series *s = w->series;
    if (w->t >= w->t1) {
        return false;
    }
    *t0 = w->t;
    if (run_plot_info(s->plot.kind)->sort == RUN_PLOT_SLOPE) {
        *t1 = w->t + w->part;
    } else {
        *t1 = w->next < s->count ? s->point[w->next].t : w->t1;
        w->next++;
    }
    *t1 = *t1 < w->t1 ? *t1 : w->t1;
    w->t = *t1;
    return run_series_over(s, *t0, *t1, span);
}

/* When and how long it was at a mark or above. */
struct crossing {
    sim_ps first, in_all;
    int64_t mark;  /* as it was then */
    int64_t grain; /* so far below it counts: run_plot_mark_grain() */
};

/* The mark that matters most, and those that were reached. */
static void say_crossings(const struct run_series *s,
                          const struct crossing crossing[RUN_PLOT_MARKS], struct text *out)
{
    char value[40], when[40], length[40];
    bool said = false;
    for (size_t m = 0; m < RUN_PLOT_MARKS; m++) {
        const struct crossing *c = &crossing[m];
        if (c->mark < 0 || (c->first < 0 && said)) {
            continue;
        }
        said = true;
        text_addf(out, "; ");
        (void)run_plot_value(s->plot.kind, c->mark, value, sizeof value);
        if (c->first < 0) {
            text_addf(out, "never at %s (%s)", run_plot_mark_name(s->plot.kind, m), value);
            continue;
        }
        text_addf(out, "at %s (%s%s) or above from %s on, %s in all",
                  run_plot_mark_name(s->plot.kind, m), value,
                  c->grain > 0 ? ", or no room for a full frame below it" : "",
                  units_format(when, sizeof when, UNIT_TIME, c->first),
                  units_format(length, sizeof length, UNIT_TIME, c->in_all));
    }
}

void run_series_say(const struct run_series *s, const struct sim *sim, sim_ps t0, sim_ps t1,
                    struct text *out)
{
    const bool slope = run_plot_info(s->plot.kind)->sort == RUN_PLOT_SLOPE;
    char name[128], a[40], b[40], c[40];
    (void)run_plot_name(sim, s->plot, name, sizeof name);
    struct run_series_span span;
    if (!run_series_over(s, t0, t1, &span)) {
        text_addf(out, "%s: nothing is known of it yet", name);
        return;
    }
    struct crossing crossing[RUN_PLOT_MARKS];
    for (size_t m = 0; m < RUN_PLOT_MARKS; m++) {
        crossing[m] = (struct crossing){ .first = -1,
                                         .mark = span.mark[m],
                                         .grain = run_plot_mark_grain(sim, s->plot, m) };
    }
    struct walk walk = walk_of(s, t0, t1);
    int64_t low = INT64_MAX, high = -1;
    sim_ps from, to, at = t0;
    while (walk_on(&walk, &from, &to, &span)) {
        low = span.low < low ? span.low : low;
        at = span.high > high ? from : at;
        high = span.high > high ? span.high : high;
        for (size_t m = 0; m < RUN_PLOT_MARKS; m++) {
            if (span.mark[m] >= 0 && span.high >= span.mark[m] - crossing[m].grain) {
                crossing[m].mark = crossing[m].first < 0 ? span.mark[m] : crossing[m].mark;
                crossing[m].first = crossing[m].first < 0 ? from : crossing[m].first;
                crossing[m].in_all += to - from;
            }
        }
    }
    text_addf(out, "%s from %s to %s: ", name,
              t0 > 0 ? units_format(a, sizeof a, UNIT_TIME, t0) : "0",
              units_format(b, sizeof b, UNIT_TIME, walk.t1));
    if (high < 0) {
        low = high = span.last;
    }
    if (low == high) {
        text_addf(out, "%s all the time", run_plot_value(s->plot.kind, high, c, sizeof c));
    } else {
        if (slope && run_series_over(s, t0, walk.t1, &span)) {
            text_addf(out, "on average %s, ", run_plot_value(s->plot.kind, span.last, c, sizeof c));
        }
        text_addf(out, "least %s, ", run_plot_value(s->plot.kind, low, a, sizeof a));
        text_addf(out, "most %s at %s", run_plot_value(s->plot.kind, high, b, sizeof b),
                  units_format(c, sizeof c, UNIT_TIME, at));
    }
    if (!slope) {
        say_crossings(s, crossing, out);
    }
}

bool run_series_moves(const struct run_series *s, sim_ps t0, sim_ps t1)
{
    struct walk walk = walk_of(s, t0, t1);
    struct run_series_span span;
    int64_t low = INT64_MAX, high = -1;
    sim_ps from, to;
    while (walk_on(&walk, &from, &to, &span)) {
        low = span.low < low ? span.low : low;
        high = span.high > high ? span.high : high;
    }
    return high > low;
}
