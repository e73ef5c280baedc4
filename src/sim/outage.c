#include "sim/outage.h"

#include "sim/credit.h"
#include "sim/event.h"
#include "sim/link.h"
#include "sim/pfc.h"
#include "sim/transport.h"
#include "sim/world.h"

/* ---- links ----------------------------------------------------------------------------------- */

void sim_outage_lose(struct sim *s, uint32_t packet, uint32_t port)
{
    struct sim_packet *f = &s->packets[packet];
    if ((f->flags & SIM_FRAME_LOST) != 0) {
        return;
    }
    if (f->flow == SIM_NONE) {
        f->flags |= SIM_FRAME_LOST; /* PFC and credits are not counted as packets */
    } else {
        sim_frame_lose(s, packet, s->config->ports[port].peer, SIM_REASON_LINK_DOWN);
    }
}

static void cut(struct sim *s, uint32_t port)
{
    struct sim_port_state *p = &s->ports[port];
    for (uint32_t i = p->wire.head; i != SIM_NONE; i = s->packets[i].next) {
        sim_outage_lose(s, i, port);
    }
    for (uint32_t i = p->obey.head; i != SIM_NONE; i = s->packets[i].next) {
        s->packets[i].flags |= SIM_FRAME_LOST;
    }
    p->down = true;
    sim_pfc_forget(s, port);
}

static void withdraw(struct sim *s, uint32_t port, bool on)
{
    struct sim_port_state *p = &s->ports[port];
    if (p->withdrawn != on) {
        p->withdrawn = on;
        s->w->withdrawn += on ? 1u : UINT32_MAX;
    }
}

static void arm_reroute(struct sim *s, uint32_t port, sim_ps at)
{
    sim_timer_set(s, &s->ports[port].reroute, at, SIM_CLASS_TIMER, sim_comp_port(port),
                  SIM_EV_REROUTE, 0);
}

void sim_outage_link(struct sim *s, uint32_t port, bool up)
{
    uint32_t end[2] = { port, s->config->ports[port].peer };
    for (int k = 0; k < 2; k++) {
        struct sim_port_state *p = &s->ports[end[k]];
        if (p->down != up) {
            continue;
        }
        if (!up) {
            cut(s, end[k]);
            arm_reroute(s, end[k], s->w->now + s->w->knobs.v[SIM_KNOB_REROUTE]);
        } else {
            p->down = false;
            withdraw(s, end[k], false);
            arm_reroute(s, end[k], SIM_NEVER);
            if (sim_credits_on(s, end[k])) {
                sim_credit_begin_link(s, end[k]);
                sim_port_kick(s, end[k]);
            }
        }
    }
}

void sim_outage_reroute(struct sim *s, uint32_t port)
{
    if (sim_timer_due(s, &s->ports[port].reroute, SIM_CLASS_TIMER, sim_comp_port(port),
                      SIM_EV_REROUTE, 0)) {
        withdraw(s, port, true);
    }
}

/* ---- routing around them --------------------------------------------------------------------- */

enum { HOPS_MAX = 12 }; /* how far a switch looks; routes by hand may be loops */

static bool leads(const struct sim *s, uint32_t port, uint32_t host, int hops)
{
    const struct sim_config *c = s->config;
    const struct sim_node_config *next = &c->nodes[c->ports[c->ports[port].peer].node];
    if (s->ports[port].withdrawn) {
        return false;
    }
    if (next->kind != SIM_SWITCH || hops == 0) {
        return true;
    }
    const uint32_t *group = &c->route_pool[c->route[(size_t)next->routes * c->host_count + host]];
    for (uint32_t i = 0; i < group[0]; i++) {
        if (leads(s, group[1 + i], host, hops - 1)) {
            return true;
        }
    }
    return false;
}

uint32_t sim_outage_route(const struct sim *s, uint32_t node, uint32_t host, uint32_t pick,
                          uint64_t luck)
{
    const struct sim_config *c = s->config;
    const uint32_t *group =
        &c->route_pool[c->route[(size_t)c->nodes[node].routes * c->host_count + host]];
    /* who used a lost way spreads over the others */
    uint32_t left = 0;
    for (uint32_t i = 0; i < group[0]; i++) {
        left += leads(s, group[1 + i], host, HOPS_MAX);
    }
    if (left == 0) {
        return SIM_NONE;
    }
    if (leads(s, group[1 + pick], host, HOPS_MAX)) {
        return group[1 + pick];
    }
    uint32_t skip = (uint32_t)(luck % left);
    for (uint32_t i = 0;; i++) {
        if (leads(s, group[1 + i], host, HOPS_MAX) && skip-- == 0) {
            return group[1 + i];
        }
    }
}

/* ---- hosts that are forgotten ---------------------------------------------------------------- */

void sim_outage_flood(struct sim *s, uint32_t node, bool on)
{
    if (s->nodes[node].flooded != on) {
        s->nodes[node].flooded = on;
        s->w->flooded += on ? 1u : UINT32_MAX;
    }
}
