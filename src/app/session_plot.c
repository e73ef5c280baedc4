/*
 * What is plotted in a session: by the card, from a list, as typed.
 */
#include <string.h>

#include "app/session_box.h"
#include "app/session_parts.h"
#include "ui/ui.h"

void session_plot_there(struct session *s)
{
    const size_t item = player_plot(s->player);
    if (item == s->plotted || item == SIZE_MAX) {
        return;
    }
    const struct lesson_item *plot = lesson_item(s->lesson, item);
    struct run_plot shown[PLOTS_MAX];
    const size_t n = lesson_plots(plot, session_sim(s), shown, PLOTS_MAX);
    s->plotted = item;
    plots_show(&s->plots, session_sim(s), shown, n);
    const size_t focus = player_focus(s->player); /* the later of both says what is seen */
    const bool overruled =
        focus != SIZE_MAX && focus > item && lesson_item(s->lesson, focus)->view >= 0;
    s->view = overruled ? s->view : SCENE_VIEW_PLOT;
}

/* Of another run, as far as that is: the quantities that the session plots. */
static void work_alike(struct session *s, struct plots *plots, const struct run *run)
{
    bool same = plots->count == s->plots.count;
    for (size_t i = 0; same && i < s->plots.count; i++) {
        same = run_plot_same(plots->shown[i], s->plots.shown[i]);
    }
    if (!same && s->plots.count > 0) { /* none yet: what is busiest there */
        plots_show(plots, run_sim(run), s->plots.shown, s->plots.count);
    }
    (void)plots_work(plots, run, s->patient);
}

/* Of a what-if: B is read as far as A is. */
static void work_on_both(struct session *s)
{
    struct whatif *w = &s->whatif;
    (void)plots_work(&s->plots, player_run(s->player), s->patient);
    work_alike(s, &w->plots, w->other);
    w->plotted = w->plotted > s->plots.count ? s->plots.count : w->plotted;
}

void session_plot_beside(struct session *s)
{
    struct whatif *w = &s->whatif;
    char name[160];
    const size_t before = w->plotted;
    w->plotted++;
    work_on_both(s);
    if (w->plotted == before) { /* there is no further one */
        w->plotted = 0;
    }
    if (w->plotted > 0) {
        session_say(s, "both sides: %s",
                    plots_name(session_sim(s), s->plots.shown[w->plotted - 1], name, sizeof name));
    } else {
        session_say(s, before > 0 ? "timelines again" : "nothing to plot here");
    }
}

void session_plot_work(struct session *s)
{
    const struct run *tried = session_shows_try(s);
    s->plots.behind = s->tried.plots.behind = false;
    if (session_in_whatif(s)) {
        s->whatif.plots.behind = false;
        if (s->whatif.plotted > 0) {
            work_on_both(s);
        }
        return;
    }
    const bool seen = s->view == SCENE_VIEW_PLOT || ui_stays_open(s->width, s->height);
    if (!seen || s->hurry || s->goes || s->whatif.other != NULL) {
        return;
    }
    if (tried != NULL) {
        work_alike(s, &s->tried.plots, tried);
    } else {
        (void)plots_work(&s->plots, player_run(s->player), s->patient);
    }
}

void session_plot_ask(struct session *s)
{
    uint32_t port = SIM_NONE, flow = SIM_NONE;
    if (s->cursor.on) {
        port = s->cursor.port;
        flow = s->cursor.thing == CURSOR_FRAME ? s->cursor.flow : SIM_NONE;
    }
    s->view = SCENE_VIEW_PLOT;
    session_plot_work(s); /* so that what is busiest is on it */
    s->plot_choice_count =
        plots_choices(&s->plots, session_sim(s), port, flow, s->plot_choice, SESSION_PLOTS_MAX);
    session_box_plot(s);
}

static void toggle(struct session *s, struct run_plot plot)
{
    char name[160];
    bool on = false;
    if (!plots_toggle(&s->plots, session_sim(s), plot, &on)) {
        session_say(s, "%d plots are on already: Enter on one of them takes it away", PLOTS_MAX);
        return;
    }
    session_say(s, "%s: %s", on ? "plotted" : "not plotted any more",
                plots_name(session_sim(s), plot, name, sizeof name));
    if (session_in_whatif(s)) {
        s->whatif.plotted = on ? s->plots.count : 0;
        return;
    }
    s->view = SCENE_VIEW_PLOT;
}

void session_plot_choose(struct session *s)
{
    toggle(s, s->plot_choice[s->box_selected]);
    session_box_plot(s);
}

bool session_plot_typed(struct session *s, const char *text, struct err *err)
{
    struct run_plot plot;
    if (strcmp(text, "none") == 0) {
        plots_show(&s->plots, session_sim(s), NULL, 0);
        session_say(s, "plotted: what is busiest");
        s->view = SCENE_VIEW_PLOT;
        return true;
    }
    if (!run_plot_parse(session_sim(s), text, &plot, err) ||
        !run_plot_means(session_sim(s), plot, err)) {
        return false;
    }
    toggle(s, plot);
    return true;
}
