/*
 * Plots in the picture: the series of app/plots.h on the axis of the timeline.
 */
#include <string.h>

#include "app/scene_parts.h"
#include "base/units.h"

/* Parts in which a series is handed over: finer than the columns of any screen. */
enum { PARTS = 512 };

/* Drawn at its length: without what is cut out. */
static sim_ps drawn_of(const struct scene_axis *axis)
{
    sim_ps drawn = axis->t1_ps - axis->t0_ps;
    for (size_t i = 0; i < axis->cut_count; i++) {
        drawn -= axis->cut[i].t1_ps - axis->cut[i].t0_ps;
    }
    return drawn;
}

static void add_span(struct scene_series *out, struct scene_span *span,
                     const struct run_series *series, sim_ps t0, sim_ps t1)
{
    struct run_series_span s;
    if (out->span_count < PARTS && run_series_over(series, t0, t1, &s)) {
        struct scene_span *to = &span[out->span_count++];
        *to = (struct scene_span){ .t0_ps = t0, .t1_ps = t1, .low = s.low, .high = s.high };
        memcpy(to->line, s.mark, sizeof to->line);
    }
}

/* From one cut to the next, in equal parts. */
static void add_segment(struct scene_series *out, struct scene_span *span,
                        const struct run_series *series, sim_ps t0, sim_ps t1, sim_ps part)
{
    for (sim_ps t = t0; t < t1; t += part) {
        add_span(out, span, series, t, t1 - t < part ? t1 : t + part);
    }
}

static void fill_spans(struct scene_series *out, struct scene_mem *mem,
                       const struct run_series *series, const struct scene_axis *axis)
{
    struct scene_span *span = scene_mem_take(mem, PARTS, sizeof *span);
    const sim_ps part = drawn_of(axis) / (PARTS - (sim_ps)axis->cut_count - 2) + 1;
    sim_ps from = axis->t0_ps;
    for (size_t i = 0; i < axis->cut_count && axis->cut[i].t0_ps < axis->now_ps; i++) {
        add_segment(out, span, series, from, axis->cut[i].t0_ps, part);
        from = axis->cut[i].t1_ps;
    }
    add_segment(out, span, series, from, axis->now_ps, part);
    out->span = span;
}

/* What it is at this moment: a level exactly, a slope over the last few frames. */
static const char *now_text(const struct sim *sim, struct scene_mem *mem,
                            const struct run_series *series)
{
    const struct run_plot_info *info = run_plot_info(series->plot.kind);
    const sim_ps now = sim_now(sim);
    struct run_series_span span;
    char text[40];
    int64_t value = run_plot_read(sim, series->plot).value;
    if (info->sort == RUN_PLOT_SLOPE) {
        const sim_ps from = now > series->window ? now - series->window : 0;
        if (!run_series_over(series, from, now, &span)) {
            return NULL;
        }
        value = span.last;
    }
    return scene_mem_textf(mem, "%s", run_plot_value(series->plot.kind, value, text, sizeof text));
}

static const char *reading_note(const struct plots *plots, struct scene_mem *mem)
{
    char at[40];
    const sim_ps known = plots->set.known > 0 ? plots->set.known : 0;
    return scene_mem_textf(mem, "reading what was before: %s",
                           units_format(at, sizeof at, UNIT_TIME, known));
}

static struct scene_series series_of(const struct sim *sim, struct scene_mem *mem,
                                     const struct run_series *series, const struct scene_axis *axis)
{
    char name[160];
    const struct run_plot_info *info = run_plot_info(series->plot.kind);
    struct scene_series out = {
        .name = scene_mem_textf(mem, "%s", plots_name(sim, series->plot, name, sizeof name)),
        .kind = info->word,
        .unit = info->unit,
        .mean = info->sort == RUN_PLOT_SLOPE,
        .now = now_text(sim, mem, series),
    };
    for (size_t k = 0; k < SCENE_PLOT_LINES; k++) {
        out.line_name[k] = run_plot_mark_name(series->plot.kind, k);
    }
    fill_spans(&out, mem, series, axis);
    return out;
}

void scene_fill_plot(const struct scene_fill_in *in, struct scene_mem *mem, struct scene *scene)
{
    const struct plots *plots = in->plots;
    struct scene_plot *out = &scene->plot;
    if (plots == NULL) {
        return;
    }
    const size_t n = plots->set.count;
    struct scene_series *series = scene_mem_take(mem, n, sizeof *series);
    *out = (struct scene_plot){ .axis = scene->timeline.axis,
                                .series = series,
                                .series_count = n,
                                .barrier_ps = scene->timeline.barrier_ps,
                                .barrier_count = scene->timeline.barrier_count };
    for (size_t i = 0; i < n; i++) {
        series[i] = series_of(in->sim, mem, &plots->set.series[i], &out->axis);
    }
    out->note = "m chooses";
    if (plots->behind) {
        out->note = reading_note(plots, mem);
    }
}

void scene_fill_plot_beside(const struct scene_fill_in in[SCENE_SIDES], size_t which,
                            const struct scene_timeline *timeline, struct scene_mem *mem,
                            struct scene_whatif *out)
{
    struct scene_plot *plot = &out->plot;
    struct scene_series *series = scene_mem_take(mem, SCENE_SIDES, sizeof *series);
    *plot = (struct scene_plot){ .axis = timeline->axis,
                                 .series = series,
                                 .barrier_ps = timeline->barrier_ps,
                                 .barrier_count = timeline->barrier_count };
    for (size_t i = 0; i < SCENE_SIDES; i++) {
        const struct plots *plots = in[i].plots;
        if (plots == NULL || which >= plots->set.count) {
            return; /* of both, or none */
        }
        series[i] = series_of(in[i].sim, mem, &plots->set.series[which], &plot->axis);
        plot->about = series[i].name; /* what A and B are is said above */
        series[i].name = NULL;
        plot->note = plots->behind ? reading_note(plots, mem) : plot->note;
    }
    plot->series_count = SCENE_SIDES;
}
