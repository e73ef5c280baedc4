#include "sim/cut.h"

#include "sim/config.h"
#include "sim/credit.h"
#include "sim/event.h"
#include "sim/fault.h"
#include "sim/link.h"
#include "sim/switch.h"
#include "sim/world.h"

static void expect_header(struct sim *s, uint32_t port)
{
    const struct sim_cell *cell = &s->cells[s->ports[port].headers];
    /* after the slots that end at this instant: "idle" means free now */
    sim_event_push(s, cell->bytes, SIM_CLASS_TIMER, sim_comp_port(port), SIM_EV_HEADER, 0);
}

void sim_cut_note(struct sim *s, uint32_t port, uint32_t packet)
{
    const struct sim_port_config *c = &s->config->ports[port];
    struct sim_port_state *p = &s->ports[port];
    enum { HEADER = 64 }; /* of the frame, by which the egress is chosen */
    uint32_t cell = sim_cell_alloc(s);
    s->cells[cell].psn = packet;
    s->cells[cell].packets = s->packets[packet].serial;
    s->cells[cell].bytes = s->w->now + sim_bytes_ps(c, HEADER + (int64_t)s->config->wire.before) +
                           c->delay + s->config->nodes[s->config->ports[c->peer].node].latency;
    if (p->headers == SIM_NONE) {
        p->headers = p->headers_tail = cell;
        expect_header(s, port);
    } else {
        s->cells[p->headers_tail].next = cell;
        p->headers_tail = cell;
    }
}

/* Only where nothing could be overtaken and nothing can run dry (model 1.1). */
static bool way_is_free(const struct sim *s, uint32_t from, uint32_t egress,
                        const struct sim_packet *f)
{
    const struct sim_port_state *p = &s->ports[egress];
    return !p->tx_event && p->busy_until <= s->w->now && p->backlog == 0 && !p->pfc_waits &&
           ((unsigned)p->blocked >> f->prio & 1u) == 0 &&
           s->config->ports[egress].rate_bps <= s->config->ports[from].rate_bps &&
           s->config->ports[egress].kind == s->config->ports[from].kind &&
           sim_credit_covers(s, egress, f->prio, sim_frame_bytes(s, egress, f));
}

/*
 * The frame goes on while it is still coming in. It is counted in now and released as usual; what is
 * still on the cable, or already in the pipeline, is a shell that vanishes when it gets there.
 */
static void cut_through(struct sim *s, uint32_t port, uint32_t packet)
{
    struct sim_packet *f = &s->packets[packet];
    uint32_t in = s->config->ports[port].peer;
    bool on_cable = f->ingress == SIM_NONE;
    uint32_t egress = on_cable ? sim_route(s, s->config->ports[in].node, f) : f->egress;
    if (egress == SIM_NONE || sim_switch_must_look(s, in, f) || !way_is_free(s, port, egress, f)) {
        return;
    }
    const enum sim_reason refused =
        on_cable ? sim_fault_hits(s, port, packet, false) : SIM_REASON_NONE;
    if (refused != SIM_REASON_NONE) {
        sim_frame_lose(s, packet, in, refused);
        return;
    }
    uint32_t copy = sim_packet_alloc(s);
    struct sim_packet *g = &s->packets[copy];
    uint32_t serial = g->serial;
    *g = *f;
    g->serial = serial;
    g->next = SIM_NONE;
    g->egress = egress;
    f->flags |= SIM_FRAME_LOST | SIM_FLAG_SHELL;
    f->ingress = SIM_NONE;
    if (!on_cable || sim_ingress_admit(s, in, copy)) {
        sim_credit_spend(s, egress, g->prio, sim_frame_bytes(s, egress, g));
        sim_port_send(s, egress, copy);
    }
}

void sim_cut_header(struct sim *s, uint32_t port)
{
    struct sim_port_state *p = &s->ports[port];
    uint32_t cell = p->headers;
    uint32_t packet = (uint32_t)s->cells[cell].psn;
    bool same = s->packets[packet].serial == (uint32_t)s->cells[cell].packets;
    p->headers = s->cells[cell].next;
    sim_cell_free(s, cell);
    if (p->headers != SIM_NONE) {
        expect_header(s, port);
    }
    unsigned gone = SIM_FRAME_LOST | SIM_FLAG_POOL_FREE;
    const struct sim_packet *f = &s->packets[packet];
    bool here =
        f->ingress == SIM_NONE ? f->egress == port : f->ingress == s->config->ports[port].peer;
    bool waits = f->ingress != SIM_NONE && f->start == SIM_NEVER; /* in its egress queue already */
    if (same && (f->flags & gone) == 0 && here && !waits) {
        cut_through(s, port, packet);
    }
}
