#include "run/plot.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sim/wire.h"

static const struct run_plot_info infos[RUN_PLOT_COUNT] = {
#define X(id, word, of, sort, unit, column, help)                                                  \
    [RUN_PLOT_##id] = { word, RUN_PLOT_OF_##of, RUN_PLOT_##sort, unit, column, help },
    RUN_PLOTS(X)
#undef X
};

const struct run_plot_info *run_plot_info(enum run_plot_kind kind)
{
    return &infos[kind];
}

bool run_plot_same(struct run_plot a, struct run_plot b)
{
    return a.kind == b.kind && a.host == b.host && a.id == b.id;
}

/* ---- names ------------------------------------------------------------------------------------- */

const char *run_plot_thing(const struct sim *sim, struct run_plot plot)
{
    if (plot.host) {
        return sim_node(sim, plot.id).name;
    }
    return infos[plot.kind].of == RUN_PLOT_OF_PORT ? sim_port(sim, plot.id).name
                                                   : sim_flow(sim, plot.id).name;
}

const char *run_plot_name(const struct sim *sim, struct run_plot plot, char *buf, size_t size)
{
    (void)snprintf(buf, size, "%s %s", infos[plot.kind].word, run_plot_thing(sim, plot));
    return buf;
}

/* The name nearest to a mistyped one, among those that are offered one by one. */
struct nearest {
    const char *mistyped, *best;
    size_t least;
};

static void offer(struct nearest *near, const char *name)
{
    const size_t d = text_distance(name, near->mistyped);
    if (d < near->least) {
        near->least = d;
        near->best = name;
    }
}

/* Nothing at all in common is not near. */
static struct nearest nearest_to(const char *mistyped)
{
    return (struct nearest){ .mistyped = mistyped, .least = strlen(mistyped) / 2 + 2 };
}

static bool no_such(struct err *err, const char *what, const struct nearest *near)
{
    if (near->best == NULL) {
        return err_set(err, ERR_NAME, "there is no %s %.60s", what, near->mistyped);
    }
    return err_set(err, ERR_NAME, "there is no %s %.60s; did you mean %s?", what, near->mistyped,
                   near->best);
}

static bool find_kind(const char *word, struct run_plot *plot, struct err *err)
{
    struct nearest near = nearest_to(word);
    for (size_t k = 0; k < RUN_PLOT_COUNT; k++) {
        if (strcmp(infos[k].word, word) == 0) {
            plot->kind = (enum run_plot_kind)k;
            return true;
        }
        offer(&near, infos[k].word);
    }
    if (near.best != NULL) {
        return no_such(err, "plot", &near);
    }
    return err_set(err, ERR_NAME,
                   "there is no plot %.60s: it is queue, held, pause, load, credits, goodput, rate "
                   "or window",
                   word);
}

static bool find_port(const struct sim *sim, const char *name, struct run_plot *plot,
                      struct err *err)
{
    plot->id = sim_find_port(sim, name);
    if (plot->id != SIM_NONE) {
        return true;
    }
    const uint32_t node = sim_find_node(sim, name);
    if (node != SIM_NONE) {
        const struct sim_node_info info = sim_node(sim, node);
        if (info.port_count == 1) {
            plot->id = info.first_port; /* there is only one that can be meant */
            return true;
        }
        return err_set(err, ERR_NAME, "%s has %u ports: say which one, %s:1 to %s:%u", info.name,
                       info.port_count, info.name, info.name, info.port_count);
    }
    struct nearest near = nearest_to(name);
    for (uint32_t p = 0; p < sim_port_count(sim); p++) {
        offer(&near, sim_port(sim, p).name);
    }
    return no_such(err, "port", &near);
}

static bool find_flow(const struct sim *sim, const char *name, struct run_plot *plot,
                      struct err *err)
{
    plot->id = sim_find_flow(sim, name);
    if (plot->id != SIM_NONE) {
        return true;
    }
    if (plot->kind == RUN_PLOT_GOODPUT && strchr(name, '>') == NULL) {
        plot->id = sim_find_node(sim, name);
        plot->host = true;
        if (plot->id != SIM_NONE && sim_node(sim, plot->id).kind == SIM_HOST) {
            return true;
        }
    }
    struct nearest near = nearest_to(name);
    for (uint32_t f = 0; f < sim_flow_count(sim); f++) {
        offer(&near, sim_flow(sim, f).name);
    }
    return no_such(err, "flow", &near);
}

static bool in_switch(const struct sim *sim, uint32_t port)
{
    return sim_node(sim, sim_port(sim, port).node).kind == SIM_SWITCH;
}

/* Whatever is set: hosts send from their memory, and take in what arrives. */
static bool is_there(const struct sim *sim, struct run_plot plot, struct err *err)
{
    const bool of_switch = plot.kind == RUN_PLOT_QUEUE || plot.kind == RUN_PLOT_HELD;
    return !of_switch || in_switch(sim, plot.id) ||
           err_set(err, ERR_NAME, "%s is a port of a host: only switches queue and hold",
                   sim_port(sim, plot.id).name);
}

bool run_plot_parse(const struct sim *sim, const char *text, struct run_plot *plot, struct err *err)
{
    enum { WORD_MAX = 16, NAME_MAX_BYTES = 96 };
    char word[WORD_MAX], name[NAME_MAX_BYTES];
    text += strspn(text, " ");
    const size_t n = strcspn(text, " ");
    const char *thing = text + n + strspn(text + n, " ");
    size_t m = strlen(thing);
    while (m > 0 && thing[m - 1] == ' ') {
        m--;
    }
    *plot = (struct run_plot){ 0 };
    if (n == 0 || m == 0) {
        return err_set(err, ERR_SYNTAX,
                       "a plot is a word and what it is of: \"queue leaf1:3\", \"goodput g1>g2\"");
    }
    if (m >= sizeof name) {
        return err_set(err, ERR_NAME, "there is no port or flow with so long a name");
    }
    (void)snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), text);
    (void)snprintf(name, sizeof name, "%.*s", (int)m, thing);
    if (!find_kind(word, plot, err)) {
        return false;
    }
    return infos[plot->kind].of == RUN_PLOT_OF_PORT
               ? find_port(sim, name, plot, err) && is_there(sim, *plot, err)
               : find_flow(sim, name, plot, err);
}

/* ---- meaning ----------------------------------------------------------------------------------- */

bool run_plot_means(const struct sim *sim, struct run_plot plot, struct err *err)
{
    const int64_t control = sim_knob(sim, SIM_KNOB_FLOW_CONTROL);
    switch (plot.kind) {
    case RUN_PLOT_QUEUE:
    case RUN_PLOT_HELD:
        return is_there(sim, plot, err);
    case RUN_PLOT_PAUSE:
        return control == SIM_FC_PFC ||
               err_set(err, ERR_STATE, "nobody pauses while flow_control is not pfc");
    case RUN_PLOT_CREDITS:
        return control == SIM_FC_CREDITS ||
               err_set(err, ERR_STATE, "there are no credits while flow_control is not credits");
    case RUN_PLOT_RATE:
        return sim_knob(sim, SIM_KNOB_CC) == SIM_CC_DCQCN ||
               err_set(err, ERR_STATE, "every flow sends at line rate while cc is not dcqcn");
    case RUN_PLOT_WINDOW:
        return sim_knob(sim, SIM_KNOB_TRANSPORT) == SIM_TCP ||
               err_set(err, ERR_STATE, "there is no window while transport is not tcp");
    case RUN_PLOT_LOAD:
    case RUN_PLOT_GOODPUT:
    case RUN_PLOT_COUNT:
        break;
    }
    return true;
}

const char *run_plot_mark_name(enum run_plot_kind kind, size_t mark)
{
    static const char *const names[RUN_PLOT_COUNT][RUN_PLOT_MARKS] = {
        [RUN_PLOT_QUEUE] = { "Kmin", "Kmax", "full" },
        [RUN_PLOT_HELD] = { "XOFF", "XON", "room" },
        [RUN_PLOT_CREDITS] = { "buffer" },
        [RUN_PLOT_GOODPUT] = { "line" },
        [RUN_PLOT_RATE] = { "line" },
        [RUN_PLOT_WINDOW] = { "ssthresh" },
    };
    return names[kind][mark];
}

int64_t run_plot_mark_grain(const struct sim *sim, struct run_plot plot, size_t mark)
{
    enum { FULL = 2 };
    if (plot.kind != RUN_PLOT_QUEUE || mark != FULL) {
        return 0;
    }
    const struct sim_wire_sizes sizes = sim_wire_sizes(sim_knobs(sim));
    return sizes.full - 1;
}

/* ---- readings ---------------------------------------------------------------------------------- */

static void read_queue(const struct sim *sim, uint32_t port, struct run_reading *r)
{
    const struct sim_queue queue = sim_port_queue(sim, port);
    r->value = queue.bytes;
    r->most = queue.max_bytes;
    if (sim_knob(sim, SIM_KNOB_ECN) == SIM_ON) {
        r->mark[0] = sim_knob(sim, SIM_KNOB_KMIN);
        r->mark[1] = sim_knob(sim, SIM_KNOB_KMAX);
    }
    r->mark[2] = queue.cap != SIM_UNLIMITED ? queue.cap : -1;
}

static void read_held(const struct sim *sim, uint32_t port, struct run_reading *r)
{
    const struct sim_held held = sim_port_held(sim, port);
    r->value = held.shared + held.headroom;
    if (held.lossless) {
        r->mark[0] = held.xoff;
        r->mark[1] = held.xon;
        r->mark[2] = held.xoff + held.headroom_limit;
    }
}

static int64_t arrived_at(const struct sim *sim, uint32_t node)
{
    int64_t sum = 0;
    for (uint32_t f = 0; f < sim_flow_count(sim); f++) {
        const struct sim_flow_info info = sim_flow(sim, f);
        /* a flow that goes in legs counts what its last leg brings */
        if (info.dst == node && info.staged == SIM_NONE) {
            sum += sim_flow_state(sim, f).delivered_bytes;
        }
    }
    return sum;
}

static void read_flow(const struct sim *sim, struct run_plot plot, struct run_reading *r)
{
    const struct sim_flow_state flow = sim_flow_state(sim, plot.id);
    const int64_t line = sim_port(sim, sim_flow(sim, plot.id).port).rate_bps;
    if (plot.kind == RUN_PLOT_GOODPUT) {
        r->value = flow.delivered_bytes;
        r->mark[0] = line;
    } else if (plot.kind == RUN_PLOT_RATE) {
        r->value = flow.rate_bps > 0 ? flow.rate_bps : line;
        r->mark[0] = line;
    } else {
        r->value = (int64_t)flow.cwnd;
        r->mark[0] = flow.ssthresh < (uint64_t)1 << 31 ? (int64_t)flow.ssthresh : -1;
    }
}

struct run_reading run_plot_read(const struct sim *sim, struct run_plot plot)
{
    struct run_reading r = { .most = -1, .mark = { -1, -1, -1 } };
    switch (plot.kind) {
    case RUN_PLOT_QUEUE:
        read_queue(sim, plot.id, &r);
        break;
    case RUN_PLOT_HELD:
        read_held(sim, plot.id, &r);
        break;
    case RUN_PLOT_PAUSE:
        r.value = sim_port_paused_ps(sim, plot.id);
        break;
    case RUN_PLOT_LOAD:
        r.value = sim_port_busy_ps(sim, plot.id);
        break;
    case RUN_PLOT_CREDITS: {
        const struct sim_credit credit = sim_port_credit(sim, plot.id, SIM_PRIO_DATA);
        r.value = credit.blocks * SIM_CREDIT_BLOCK;
        r.mark[0] = credit.buffer * SIM_CREDIT_BLOCK;
        break;
    }
    case RUN_PLOT_GOODPUT:
    case RUN_PLOT_RATE:
    case RUN_PLOT_WINDOW:
        if (plot.host) {
            r.value = arrived_at(sim, plot.id);
            r.mark[0] = sim_port(sim, sim_node(sim, plot.id).first_port).rate_bps;
        } else {
            read_flow(sim, plot, &r);
        }
        break;
    case RUN_PLOT_COUNT:
        break;
    }
    return r;
}

int64_t run_plot_slope(enum run_plot_kind kind, int64_t growth, sim_ps span)
{
    const double per = (double)growth / (double)span;
    return infos[kind].unit == UNIT_SHARE ? (int64_t)(per * (double)UNIT_ONE)
                                          : (int64_t)(per * 8.0 * (double)UNIT_S);
}

const char *run_plot_value(enum run_plot_kind kind, int64_t value, char *buf, size_t size)
{
    if (infos[kind].unit == UNIT_SHARE && value >= UNIT_ONE / 1000 * 995) {
        (void)snprintf(buf, size, "%.0f %%", 100.0 * (double)value / (double)UNIT_ONE);
        return buf;
    }
    return units_format(buf, size, infos[kind].unit, value);
}

/* ---- what one would look at first --------------------------------------------------------------- */

/* The port at which a number is largest; SIM_NONE: it is 0 everywhere. */
static uint32_t busiest(const struct sim *sim, enum run_plot_kind kind)
{
    uint32_t best = SIM_NONE;
    int64_t most = 0;
    for (uint32_t p = 0; p < sim_port_count(sim); p++) {
        const struct run_plot plot = { .kind = kind, .id = p };
        if (run_plot_means(sim, plot, NULL)) {
            const struct run_reading r = run_plot_read(sim, plot);
            const int64_t value = r.most > r.value ? r.most : r.value;
            if (value > most) {
                most = value;
                best = p;
            }
        }
    }
    return best;
}

/* The flow that brought most so far: a ring may have others that never carry anything. */
static uint32_t busiest_flow(const struct sim *sim)
{
    uint32_t best = 0;
    int64_t most = 0;
    for (uint32_t f = 0; f < sim_flow_count(sim); f++) {
        const int64_t bytes = sim_flow_state(sim, f).delivered_bytes;
        best = bytes > most ? f : best;
        most = bytes > most ? bytes : most;
    }
    return best;
}

size_t run_plot_default(const struct sim *sim, struct run_plot *plots, size_t cap)
{
    size_t n = 0;
    const uint32_t queue = busiest(sim, RUN_PLOT_QUEUE), paused = busiest(sim, RUN_PLOT_PAUSE);
    uint32_t held = busiest(sim, RUN_PLOT_HELD);
    if (paused != SIM_NONE && in_switch(sim, sim_port(sim, paused).peer)) {
        held = sim_port(sim, paused).peer; /* what is held now tells nothing of what was */
    }
    if (n < cap && queue != SIM_NONE) {
        plots[n++] = (struct run_plot){ .kind = RUN_PLOT_QUEUE, .id = queue };
    }
    if (n < cap && held != SIM_NONE) {
        plots[n++] = (struct run_plot){ .kind = RUN_PLOT_HELD, .id = held };
    }
    if (n < cap && paused != SIM_NONE) {
        plots[n++] = (struct run_plot){ .kind = RUN_PLOT_PAUSE, .id = paused };
    }
    if (n < cap && sim_flow_count(sim) > 0) {
        static const enum run_plot_kind kinds[] = { RUN_PLOT_RATE, RUN_PLOT_WINDOW,
                                                    RUN_PLOT_GOODPUT };
        size_t k = 0;
        while (!run_plot_means(sim, (struct run_plot){ .kind = kinds[k] }, NULL)) {
            k++; /* goodput always means something */
        }
        plots[n++] = (struct run_plot){ .kind = kinds[k], .id = busiest_flow(sim) };
    }
    if (n == 0 && cap > 0 && sim_port_count(sim) > 0) {
        plots[n++] = (struct run_plot){ .kind = RUN_PLOT_LOAD, .id = 0 };
    }
    return n;
}
