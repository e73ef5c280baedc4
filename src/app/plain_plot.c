/*
 * Plain mode: plots as sentences.
 */
#include <stdio.h>
#include <string.h>

#include "app/plain_parts.h"
#include "app/plots.h"

static void say(const struct plain *p, const struct run *run, const struct run_plot *plots,
                size_t count)
{
    struct run_series_set set;
    struct text out = { 0 };
    run_series_past(&set, run, plots, count);
    for (size_t i = 0; i < count; i++) {
        text_clear(&out);
        run_series_say(&set.series[i], run_sim(run), 0, set.known, &out);
        text_add(&out, ".");
        plain_say(p, text_str(&out));
    }
    text_finish(&out);
    run_series_finish(&set);
}

void plain_say_plots(struct plain *p, const struct run *run)
{
    struct run_plot plots[PLOTS_MAX];
    const size_t item = player_plot(p->player);
    p->plotted = item;
    if (item != SIZE_MAX) {
        const size_t n = lesson_plots(lesson_item(p->lesson, item), run_sim(run), plots, PLOTS_MAX);
        putchar('\n');
        say(p, run, plots, n);
    }
}

void plain_ask_plot(struct plain *p)
{
    enum { OFFERED = 8 };
    const struct plots none = { 0 };
    struct run_plot offered[OFFERED], plot;
    struct err err = { 0 };
    char line[128], name[128];
    const size_t n = plots_choices(&none, plain_sim(p), SIM_NONE, SIM_NONE, offered, OFFERED);
    printf("Plot what? For instance: ");
    for (size_t i = 0; i < n; i++) {
        printf("%s%s", i > 0 ? ", " : "",
               run_plot_name(plain_sim(p), offered[i], name, sizeof name));
    }
    if (!plain_read(p, ".", line, sizeof line)) {
        return;
    }
    if (run_plot_parse(plain_sim(p), line, &plot, &err) &&
        run_plot_means(plain_sim(p), plot, &err)) {
        say(p, player_run(p->player), &plot, 1);
    } else {
        printf("%s\n", err.msg);
    }
}
