#include "app/calm.h"

#include <stdlib.h>

#include "base/mem.h"

struct calm_port {
    sim_ps busy; /* at the start of the window */
    int paused;  /* frames of the window in which it was */
    int shown_busy;
    bool shown_paused;
    int64_t held, queued;
};

void calm_finish(struct calm *c)
{
    free(c->port);
    free(c->state);
    *c = (struct calm){ 0 };
}

static void fit(struct calm *c, const struct sim *sim)
{
    if (c->port_count == sim_port_count(sim) && c->node_count == sim_node_count(sim) &&
        c->port != NULL) {
        return;
    }
    calm_finish(c);
    c->port_count = sim_port_count(sim);
    c->node_count = sim_node_count(sim);
    c->port = mem_alloc(c->port_count + 1, sizeof *c->port);
    c->state = mem_alloc(c->node_count + 1, sizeof *c->state);
}

/* What hovers about a threshold stays on its side: a lane whose shade comes and goes says nothing. */
enum { STEADY = 60 /* permille of busy time */, PAUSED_FROM = 600, PAUSED_UNTIL = 400 };

static int steady(int shown, int busy)
{
    const bool near = busy > shown - STEADY && busy < shown + STEADY;
    return near && shown > 0 && busy > 0 && busy < 1000 ? shown : busy;
}

/* The window is over: what was gathered is shown, and the next one begins. */
static void turn(struct calm *c, const struct sim *sim)
{
    const sim_ps passed = c->now - c->from;
    for (uint32_t p = 0; p < c->port_count; p++) {
        struct calm_port *port = &c->port[p];
        const sim_ps busy = sim_port_busy_ps(sim, p);
        const sim_ps grown = busy - port->busy;
        const bool sane = passed > 0 && grown >= 0; /* else it is another past */
        const double share = sane ? (double)grown / (double)passed * 1000 : 0;
        port->shown_busy = steady(port->shown_busy, share > 1000 ? 1000 : (int)share);
        port->shown_paused =
            1000 * port->paused > c->frames * (port->shown_paused ? PAUSED_UNTIL : PAUSED_FROM);
        const struct sim_held held = sim_port_held(sim, p);
        port->held = held.shared + held.headroom;
        port->queued = sim_port_queue(sim, p).bytes;
        port->busy = busy;
        port->paused = 0;
    }
    c->from = c->now;
    c->frames = 0;
}

void calm_frame(struct calm *c, const struct sim *sim, int fps)
{
    fit(c, sim);
    const sim_ps now = sim_now(sim);
    const bool first = c->now == 0;
    const bool back = now < c->now;
    c->fresh = false;
    if (now == c->now && !first) {
        return; /* a standing picture */
    }
    c->now = now;
    c->frames++;
    for (uint32_t p = 0; p < c->port_count; p++) {
        c->port[p].paused +=
            sim_port_queue(sim, p).paused || sim_port_credit(sim, p, SIM_PRIO_DATA).starved;
    }
    if (first || back || 3 * c->frames >= fps) {
        turn(c, sim);
        c->fresh = true;
    }
}

int calm_busy(const struct calm *c, uint32_t port)
{
    return c->port[port].shown_busy;
}

bool calm_paused(const struct calm *c, uint32_t port)
{
    return c->port[port].shown_paused;
}

int64_t calm_held(const struct calm *c, uint32_t port)
{
    return c->port[port].held;
}

int64_t calm_queued(const struct calm *c, uint32_t port)
{
    return c->port[port].queued;
}

uint64_t calm_events(struct calm *c, uint64_t end, bool sharp)
{
    if (c->fresh || sharp || end < c->told) {
        c->told = end;
    }
    return c->told;
}

enum scene_gpu_state calm_state(struct calm *c, uint32_t node, enum scene_gpu_state state)
{
    if (c->fresh || c->state[node] == SCENE_GPU_IDLE) {
        c->state[node] = state;
    }
    return c->state[node];
}
