#include "export/series_csv.h"

#include <inttypes.h>
#include <string.h>

#include "run/series.h"

enum { DEFAULT_PLOTS = 4, EVENTS = 4096 };

/* A plot while it is written down. */
struct column {
    struct run_plot plot;
    int64_t before; /* a slope: its counter at the row before */
    int64_t max;    /* a level: the most since then */
    int64_t most;   /* what the model remembers, likewise */
};

struct table {
    struct column column[SERIES_CSV_PLOTS_MAX];
    size_t count;
    sim_ps every, step; /* of rows; of looks between them */
    sim_ps before;      /* the row before; -1: none */
    struct text line;
};

/* ---- what is plotted --------------------------------------------------------------------------- */

bool export_series_csv_check(const struct export_source *source,
                             const struct series_csv_options *options, struct err *err)
{
    struct run_plot plot;
    if (options->plot_count > SERIES_CSV_PLOTS_MAX) {
        return err_set(err, ERR_RANGE, "at most %d plots fit into a table", SERIES_CSV_PLOTS_MAX);
    }
    for (size_t i = 0; i < options->plot_count; i++) {
        if (!run_plot_parse(run_sim(source->run), options->plots[i], &plot, err)) {
            return false;
        }
    }
    return true;
}

static bool is_over(const struct export_source *source, const struct run *run)
{
    return run_now(run) >= source->until ||
           (!source->past_done && sim_outcome(run_sim(run)) == SIM_DONE);
}

/* What one would look at first, when all is over. */
static size_t choose(const struct export_source *source, struct sink *sink, struct run_plot *plots)
{
    struct run *ahead = run_fork(source->run);
    run_forward_only(ahead);
    while (sink_takes(sink) && !is_over(source, ahead) &&
           run_events(ahead, EVENTS, source->until) != SIM_AT_END) {
    }
    const size_t n = run_plot_default(run_sim(ahead), plots, DEFAULT_PLOTS);
    run_destroy(ahead);
    return n;
}

static void begin(struct table *t, const struct export_source *source,
                  const struct series_csv_options *options, struct sink *sink)
{
    const struct sim *sim = run_sim(source->run);
    struct run_plot plots[SERIES_CSV_PLOTS_MAX];
    t->count = options->plot_count > 0 ? options->plot_count : choose(source, sink, plots);
    for (size_t i = 0; i < t->count; i++) {
        if (options->plot_count > 0) {
            (void)run_plot_parse(sim, options->plots[i], &plots[i], NULL);
        }
        t->column[i] = (struct column){ .plot = plots[i] };
    }
    t->every = options->every > 0 ? options->every : SERIES_CSV_EVERY;
    t->step = run_series_often(sim); /* so that a spike between two rows is seen */
}

/* ---- rows -------------------------------------------------------------------------------------- */

/* Numbers never need quotes; names might, one day. */
static void add_name(struct text *out, const char *name)
{
    const bool plain = strpbrk(name, ",\"\r\n") == NULL;
    text_add(out, plain ? "," : ",\"");
    for (; *name != '\0'; name++) {
        text_add(out, *name == '"' ? "\"" : "");
        text_add_n(out, name, 1);
    }
    text_add(out, plain ? "" : "\"");
}

static void add_head(struct table *t, const struct sim *sim)
{
    struct text name = { 0 };
    text_add(&t->line, "time_ns");
    for (size_t i = 0; i < t->count; i++) {
        const struct run_plot plot = t->column[i].plot;
        const struct run_plot_info *info = run_plot_info(plot.kind);
        const char *thing = run_plot_thing(sim, plot);
        const char *unit = info->column + strlen(info->word); /* "_bytes" */
        text_clear(&name);
        text_addf(&name, "%s.%s", thing, info->column);
        add_name(&t->line, text_str(&name));
        if (info->sort == RUN_PLOT_LEVEL) {
            text_clear(&name);
            text_addf(&name, "%s.%s_max%s", thing, info->word, unit);
            add_name(&t->line, text_str(&name));
        }
        for (size_t m = 0; m < RUN_PLOT_MARKS; m++) {
            const char *mark = run_plot_mark_name(plot.kind, m);
            text_clear(&name);
            text_addf(&name, "%s.%s_", thing, info->word);
            for (const char *c = mark; c != NULL && *c != '\0'; c++) {
                const char small = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
                text_add_n(&name, &small, 1);
            }
            text_add(&name, unit);
            if (mark != NULL) {
                add_name(&t->line, text_str(&name));
            }
        }
    }
    text_add(&t->line, "\r\n");
    text_finish(&name);
}

static void add_value(struct text *out, enum unit_kind unit, int64_t value)
{
    if (value < 0) {
        text_add(out, ",");
    } else if (unit == UNIT_RATE) {
        text_addf(out, ",%.15g", (double)value / 1e9);
    } else {
        text_addf(out, ",%" PRId64, value);
    }
}

/* What a counter grew by since the row before. */
static void add_slope(struct text *out, enum unit_kind unit, int64_t growth, sim_ps span)
{
    const double per = (double)(growth > 0 ? growth : 0) / (double)span;
    text_addf(out, ",%.15g", unit == UNIT_SHARE ? per : per * 8.0 * 1000.0);
}

static void add_column(struct table *t, struct column *c, const struct sim *sim, sim_ps at)
{
    const struct run_reading r = run_plot_read(sim, c->plot);
    const struct run_plot_info *info = run_plot_info(c->plot.kind);
    if (info->sort == RUN_PLOT_LEVEL) {
        add_value(&t->line, info->unit, r.value);
        add_value(&t->line, info->unit, c->max);
    } else if (t->before < 0) {
        text_add(&t->line, ",");
    } else {
        add_slope(&t->line, info->unit, r.value - c->before, at - t->before);
    }
    for (size_t m = 0; m < RUN_PLOT_MARKS; m++) {
        if (run_plot_mark_name(c->plot.kind, m) != NULL) {
            add_value(&t->line, info->unit, r.mark[m]);
        }
    }
    c->before = r.value;
    c->max = 0;
}

static bool add_row(struct table *t, const struct sim *sim, sim_ps at, struct sink *sink)
{
    text_addf(&t->line, "%" PRId64, at / UNIT_NS);
    if (at % UNIT_NS != 0) {
        text_addf(&t->line, ".%03d", (int)(at % UNIT_NS));
    }
    for (size_t i = 0; i < t->count; i++) {
        add_column(t, &t->column[i], sim, at);
    }
    t->before = at;
    text_add(&t->line, "\r\n");
    return sink_add_text(sink, &t->line);
}

/* Between rows: the most there was. */
static void look(struct table *t, const struct sim *sim)
{
    for (size_t i = 0; i < t->count; i++) {
        struct column *c = &t->column[i];
        const struct run_reading r = run_plot_read(sim, c->plot);
        const int64_t high = r.most > c->most && r.most > r.value ? r.most : r.value;
        c->most = r.most > c->most ? r.most : c->most;
        c->max = high > c->max ? high : c->max;
    }
}

/* When the next row is due. */
static sim_ps next_row(const struct table *t, const struct run *run, sim_ps until)
{
    const sim_ps moment = run_next_moment(run), next = t->before + t->every;
    const sim_ps silent = moment < until ? moment - 1 : until;
    const sim_ps last = silent - silent % t->every; /* of the silence */
    return last - t->before > SERIES_CSV_SILENCE * t->every ? last : next;
}

/* On to the next row. False: the run goes no further. */
static bool go_on(struct table *t, struct run *run, sim_ps at)
{
    bool goes = true;
    for (sim_ps to = t->before; to < at && goes;) {
        to = at - to < t->step || run_next_moment(run) > at ? at : to + t->step;
        goes = run_until(run, to, 0) != SIM_AT_END;
        look(t, run_sim(run));
    }
    return goes;
}

bool export_series_csv(const struct export_source *source, const struct series_csv_options *options,
                       struct sink *sink)
{
    struct table t = { .before = -1 };
    struct run *run = source->run;
    begin(&t, source, options, sink);
    add_head(&t, run_sim(run));
    bool goes = sink_add_text(sink, &t.line);
    run_forward_only(run);
    goes = goes && run_until(run, 0, 0) != SIM_AT_END;
    look(&t, run_sim(run));
    goes = goes && add_row(&t, run_sim(run), 0, sink);
    while (goes && !is_over(source, run)) {
        const sim_ps at = next_row(&t, run, source->until);
        if (at > source->until) {
            break;
        }
        goes = go_on(&t, run, at);
        goes = add_row(&t, run_sim(run), at, sink) && goes;
    }
    text_finish(&t.line);
    return sink_tail(sink, "", "");
}
