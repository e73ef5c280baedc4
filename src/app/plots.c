#include "app/plots.h"

#include <stdio.h>
#include <string.h>

#include "app/clock.h"
#include "app/reader.h"

enum {
    WORK_US = 8000,
    READINGS = 64,
    FIRST = 2,     /* plots that are shown before somebody chooses */
    EACH_KIND = 64 /* ports or flows that are offered of each kind */
};

static void forget(struct plots *p)
{
    run_series_finish(&p->set);
    run_destroy(p->reader);
    p->reader = NULL;
    p->behind = false;
}

void plots_finish(struct plots *p)
{
    forget(p);
    *p = (struct plots){ 0 };
}

void plots_attach(struct plots *p, const struct sim *sim)
{
    size_t n = 0;
    forget(p);
    for (size_t i = 0; i < p->count; i++) {
        if (run_plot_parse(sim, p->name[i], &p->shown[n], NULL)) {
            memmove(p->name[n], p->name[i], sizeof p->name[n]);
            n++;
        }
    }
    p->count = n;
    p->chosen = p->chosen && n > 0;
}

void plots_show(struct plots *p, const struct sim *sim, const struct run_plot *shown, size_t count)
{
    forget(p);
    p->count = count < PLOTS_MAX ? count : PLOTS_MAX;
    p->chosen = count > 0;
    for (size_t i = 0; i < p->count; i++) {
        p->shown[i] = shown[i];
        (void)run_plot_name(sim, shown[i], p->name[i], sizeof p->name[i]);
    }
}

bool plots_has(const struct plots *p, struct run_plot plot)
{
    for (size_t i = 0; i < p->count; i++) {
        if (run_plot_same(p->shown[i], plot)) {
            return true;
        }
    }
    return false;
}

bool plots_toggle(struct plots *p, const struct sim *sim, struct run_plot plot, bool *on)
{
    struct run_plot shown[PLOTS_MAX];
    size_t n = 0;
    *on = !plots_has(p, plot) || !p->chosen;
    if (*on && p->chosen && p->count == PLOTS_MAX) {
        return false;
    }
    for (size_t i = 0; p->chosen && i < p->count; i++) { /* what nobody chose makes room */
        if (!run_plot_same(p->shown[i], plot)) {
            shown[n++] = p->shown[i];
        }
    }
    if (*on) {
        shown[n++] = plot;
    }
    plots_show(p, sim, shown, n);
    return true;
}

/* ---- the reader -------------------------------------------------------------------------------- */

/* What has become wrong goes. */
static void notice_changes(struct plots *p, const struct run *run)
{
    if (p->reader == NULL) {
        return;
    }
    const sim_ps t = reader_parts(p->reader, run);
    if (t < 0) {
        forget(p);
    } else if (t != SIM_NEVER) {
        run_series_cut(&p->set, t);
        run_destroy(p->reader);
        p->reader = NULL;
    }
}

/* Until somebody chooses: as many kinds as there is something to be seen of. */
static void choose_busiest(struct plots *p, const struct sim *sim)
{
    struct run_plot busiest[FIRST];
    if (p->chosen) {
        return;
    }
    const size_t n = run_plot_default(sim, busiest, FIRST);
    bool news = n > p->count;
    for (size_t i = 0; i < n && i < p->count; i++) {
        news = news || busiest[i].kind != p->shown[i].kind;
    }
    if (news) {
        plots_show(p, sim, busiest, n);
        p->chosen = false;
    }
}

static void begin_reader(struct plots *p, const struct run *run)
{
    if (p->reader == NULL) {
        p->reader = reader_begin(run, p->set.known > 0 ? p->set.known : 0);
    }
    if (p->set.count == 0) {
        run_series_begin(&p->set, run_sim(p->reader), p->shown, p->count, 0);
    }
}

bool plots_work(struct plots *p, const struct run *run, bool patient)
{
    notice_changes(p, run);
    choose_busiest(p, run_sim(run));
    if (p->count == 0) {
        return false;
    }
    if (p->set.count > 0 && p->set.known >= 0 && run_now(run) < p->set.known + p->set.every) {
        p->behind = false;
        return false;
    }
    begin_reader(p, run);
    const int64_t end_us = clock_wall_us() + WORK_US;
    do {
        p->behind = !run_series_until(&p->set, p->reader, run_now(run), READINGS);
    } while (p->behind && (patient || clock_wall_us() < end_us));
    return p->behind;
}

/* ---- choosing ---------------------------------------------------------------------------------- */

struct choices {
    const struct sim *sim;
    struct run_plot *out;
    size_t count, cap;
};

/* Once each, and only what can move. */
static void offer(struct choices *c, struct run_plot plot)
{
    for (size_t i = 0; i < c->count; i++) {
        if (run_plot_same(c->out[i], plot)) {
            return;
        }
    }
    if (c->count < c->cap && run_plot_means(c->sim, plot, NULL)) {
        c->out[c->count++] = plot;
    }
}

static void offer_of(struct choices *c, enum run_plot_kind kind, uint32_t id)
{
    offer(c, (struct run_plot){ .kind = kind, .id = id });
}

/* The lane that leaves `port`: what waits for it, and what is held at its end. */
static void offer_lane(struct choices *c, uint32_t port)
{
    offer_of(c, RUN_PLOT_HELD, sim_port(c->sim, port).peer);
    offer_of(c, RUN_PLOT_QUEUE, port);
    offer_of(c, RUN_PLOT_PAUSE, port);
    offer_of(c, RUN_PLOT_CREDITS, port);
    offer_of(c, RUN_PLOT_LOAD, port);
}

static void offer_flow(struct choices *c, uint32_t flow)
{
    offer_of(c, RUN_PLOT_GOODPUT, flow);
    offer_of(c, RUN_PLOT_RATE, flow);
    offer_of(c, RUN_PLOT_WINDOW, flow);
}

static void offer_all(struct choices *c)
{
    for (size_t k = 0; k < RUN_PLOT_COUNT; k++) {
        const enum run_plot_kind kind = (enum run_plot_kind)k;
        const bool of_port = run_plot_info(kind)->of == RUN_PLOT_OF_PORT;
        const size_t n = of_port ? sim_port_count(c->sim) : sim_flow_count(c->sim);
        for (uint32_t id = 0; id < n && id < EACH_KIND; id++) {
            offer_of(c, kind, id);
        }
    }
}

size_t plots_choices(const struct plots *p, const struct sim *sim, uint32_t port, uint32_t flow,
                     struct run_plot *out, size_t cap)
{
    struct choices c = { .sim = sim, .out = out, .cap = cap };
    struct run_plot busiest[PLOTS_MAX];
    if (port != SIM_NONE) {
        offer_lane(&c, port);
    }
    if (flow != SIM_NONE) {
        offer_flow(&c, flow);
    }
    for (size_t i = 0; i < p->count; i++) {
        offer(&c, p->shown[i]);
    }
    const size_t n = run_plot_default(sim, busiest, PLOTS_MAX);
    for (size_t i = 0; i < n; i++) {
        offer(&c, busiest[i]);
    }
    offer_all(&c);
    return c.count;
}

const char *plots_name(const struct sim *sim, struct run_plot plot, char *buf, size_t size)
{
    char name[128];
    (void)run_plot_name(sim, plot, name, sizeof name);
    if (run_plot_info(plot.kind)->of == RUN_PLOT_OF_PORT) {
        const struct sim_port_info info = sim_port(sim, plot.id);
        (void)snprintf(buf, size, "%s %s %s", name, plot.kind == RUN_PLOT_HELD ? "from" : "to",
                       sim_node(sim, sim_port(sim, info.peer).node).name);
    } else {
        (void)snprintf(buf, size, "%s", name);
    }
    return buf;
}
