#include "sim/credit.h"

#include <assert.h>

#include "sim/event.h"
#include "sim/link.h"
#include "sim/qp.h"
#include "sim/stall.h"
#include "sim/switch.h"
#include "sim/transport.h"
#include "sim/world.h"

enum { RESYNC_SYMBOLS = 65536 };

int64_t sim_credit_buffer(const struct sim *s, uint32_t port)
{
    return sim_in_fabric(s, port) ? s->w->knobs.v[SIM_KNOB_VL_BUFFER] / SIM_CREDIT_BLOCK
                                  : s->config->ports[port].vl_blocks;
}

/* ---- receiver -------------------------------------------------------------------------------- */

static uint64_t promise(const struct sim *s, uint32_t port, const struct sim_vl *vl)
{
    int64_t most = sim_in_fabric(s, port) ? SIM_CREDITS_MAX : INT64_MAX;
    int64_t room = sim_credit_buffer(s, port) - vl->held;
    room = room < 0 ? 0 : room > most ? most : room;
    uint64_t now = vl->received + (uint64_t)room;
    return now > vl->promised ? now : vl->promised;
}

static void say(struct sim *s, uint32_t port, uint32_t prio)
{
    struct sim_port_state *p = &s->ports[port];
    p->due = (uint8_t)(p->due | 1u << prio);
    sim_port_kick(s, port);
}

void sim_credit_tell(struct sim *s, uint32_t port, uint32_t prio)
{
    struct sim_vl *vl = &s->lanes[port].vl[prio];
    if (!sim_credits_on(s, port) || promise(s, port, vl) == vl->promised || vl->tell_event ||
        ((unsigned)s->ports[port].due >> prio & 1u) != 0) {
        return;
    }
    sim_ps next = vl->told_at + (sim_in_fabric(s, port) ? s->w->knobs.v[SIM_KNOB_CRED_MIN] : 0);
    if (next > s->w->now) {
        vl->tell_event = true;
        sim_event_push(s, next, SIM_CLASS_TIMER, sim_comp_port(port), SIM_EV_CREDIT, prio);
        return;
    }
    say(s, port, prio);
}

void sim_credit_arrived(struct sim *s, uint32_t port, uint32_t prio, int64_t bytes, bool keep)
{
    struct sim_vl *vl = &s->lanes[port].vl[prio];
    vl->received += (uint64_t)sim_blocks(bytes);
    assert(vl->received <= vl->promised);
    if (keep) {
        vl->held += sim_blocks(bytes);
    } else {
        sim_credit_tell(s, port, prio);
    }
}

void sim_credit_released(struct sim *s, uint32_t port, uint32_t prio, int64_t bytes)
{
    struct sim_vl *vl = &s->lanes[port].vl[prio];
    vl->held -= sim_blocks(bytes);
    assert(vl->held >= 0);
    sim_credit_tell(s, port, prio);
}

/* A credit packet: the promise at this moment, and how much this port has sent itself. */
uint32_t sim_credit_frame(struct sim *s, uint32_t port)
{
    struct sim_port_state *p = &s->ports[port];
    uint32_t prio = 0;
    while (((unsigned)p->due >> prio & 1u) == 0) {
        prio++;
    }
    p->due = (uint8_t)(p->due & ~(1u << prio));
    struct sim_vl *vl = &s->lanes[port].vl[prio];
    vl->promised = promise(s, port, vl);
    vl->told_at = s->w->now;
    uint32_t packet = sim_packet_alloc(s);
    struct sim_packet *f = &s->packets[packet];
    f->kind = SIM_FRAME_CREDIT;
    f->prio = (uint8_t)prio;
    f->bytes = SIM_CREDIT_BYTES;
    f->psn = vl->promised;
    f->payload = (uint32_t)vl->sent;
    return packet;
}

/* ---- sender ---------------------------------------------------------------------------------- */

static void expect_lifetime(struct sim *s, uint32_t port, uint32_t prio)
{
    struct sim_vl *vl = &s->lanes[port].vl[prio];
    sim_ps life = s->w->knobs.v[SIM_KNOB_HOL_LIFETIME];
    bool on = life != SIM_UNLIMITED && vl->starved_since != SIM_NEVER && sim_in_fabric(s, port) &&
              s->config->nodes[s->config->ports[port].node].kind == SIM_SWITCH;
    sim_timer_set(s, &vl->lifetime, on ? vl->starved_since + life : SIM_NEVER, SIM_CLASS_TIMER,
                  sim_comp_port(port), SIM_EV_LIFETIME, prio);
}

/* Inside a box it is how things go: who is faster waits for the bus. */
static void record(struct sim *s, enum sim_trace_kind kind, uint32_t port)
{
    if (!sim_in_fabric(s, port)) {
        return;
    }
    struct sim_record rec = sim_record(kind);
    rec.port = port;
    sim_record_add(s, rec);
}

static void starve(struct sim *s, uint32_t port, uint32_t prio)
{
    s->lanes[port].vl[prio].starved_since = s->w->now;
    sim_port_block(s, port, prio);
    record(s, SIM_TRACE_NO_CREDIT, port);
    expect_lifetime(s, port, prio);
    sim_stall_arm(s);
}

static void feed(struct sim *s, uint32_t port, uint32_t prio)
{
    struct sim_vl *vl = &s->lanes[port].vl[prio];
    if (vl->starved_since == SIM_NEVER) {
        return;
    }
    sim_ps *total = &s->lanes[port].starved_total;
    *total = sim_ps_sum(*total, s->w->now - vl->starved_since);
    vl->starved_since = SIM_NEVER;
    vl->lifetime.deadline = SIM_NEVER;
    sim_port_block(s, port, prio);
    record(s, SIM_TRACE_CREDIT, port);
}

bool sim_credit_covers(const struct sim *s, uint32_t port, uint32_t prio, int64_t bytes)
{
    const struct sim_vl *vl = &s->lanes[port].vl[prio];
    return !sim_credits_on(s, port) || vl->sent + (uint64_t)sim_blocks(bytes) <= vl->limit;
}

void sim_credit_spend(struct sim *s, uint32_t port, uint32_t prio, int64_t bytes)
{
    struct sim_vl *vl = &s->lanes[port].vl[prio];
    if (sim_credits_on(s, port)) {
        vl->sent += (uint64_t)sim_blocks(bytes);
        assert(vl->sent <= vl->limit);
    }
}

uint32_t sim_credit_take(struct sim *s, uint32_t port, uint32_t prio, bool queued)
{
    struct sim_vl *vl = &s->lanes[port].vl[prio];
    if (!queued) {
        if (vl->sent >= vl->limit) {
            starve(s, port, prio);
            return SIM_NONE;
        }
        uint32_t made = sim_qp_pull(s, port, prio);
        if (made == SIM_NONE) {
            return SIM_NONE;
        }
        const int64_t bytes = sim_frame_bytes(s, port, &s->packets[made]);
        if (sim_credit_covers(s, port, prio, bytes)) {
            sim_credit_spend(s, port, prio, bytes);
            return made;
        }
        s->packets[made].egress = port;
        sim_egress_put(s, port, made); /* it waits in the NIC now */
    }
    uint32_t head = s->ports[port].classes[sim_class_place(prio)].out.fifo.head;
    const int64_t bytes = sim_frame_bytes(s, port, &s->packets[head]);
    if (!sim_credit_covers(s, port, prio, bytes)) {
        starve(s, port, prio);
        return SIM_NONE;
    }
    uint32_t packet = sim_egress_pop(s, port, prio);
    sim_credit_spend(s, port, prio, bytes);
    return packet;
}

void sim_credit_receive(struct sim *s, uint32_t port, uint32_t packet)
{
    const struct sim_packet f = s->packets[packet];
    struct sim_vl *vl = &s->lanes[port].vl[f.prio];
    sim_packet_free(s, packet);
    if (!sim_credits_on(s, port)) {
        return;
    }
    /* the cable keeps order: what was sent before has arrived, or never will */
    int32_t missing = (int32_t)(f.payload - (uint32_t)vl->received);
    if (missing > 0) {
        vl->received += (uint64_t)missing;
        sim_credit_tell(s, port, f.prio);
    }
    if (f.psn > vl->limit) {
        vl->limit = f.psn;
        feed(s, port, f.prio);
        sim_port_kick(s, port);
    }
}

void sim_credit_lifetime(struct sim *s, uint32_t port, uint32_t prio)
{
    struct sim_vl *vl = &s->lanes[port].vl[prio];
    if (!sim_timer_due(s, &vl->lifetime, SIM_CLASS_TIMER, sim_comp_port(port), SIM_EV_LIFETIME,
                       prio)) {
        return;
    }
    feed(s, port, prio);
    sim_egress_discard(s, port, prio, SIM_REASON_LIFETIME, false);
    sim_port_kick(s, port); /* the next one may be smaller; otherwise its life begins */
}

/* ---- losses, beginnings ---------------------------------------------------------------------- */

void sim_credit_lost(struct sim *s, uint32_t port, uint32_t prio)
{
    struct sim_vl *vl = &s->lanes[port].vl[prio];
    if (!vl->resync_event) {
        vl->resync_event = true;
        sim_event_push(s, s->w->now + sim_bytes_ps(&s->config->ports[port], RESYNC_SYMBOLS),
                       SIM_CLASS_TIMER, sim_comp_port(port), SIM_EV_RESYNC, prio);
    }
}

void sim_credit_resync(struct sim *s, uint32_t port, uint32_t prio)
{
    s->lanes[port].vl[prio].resync_event = false;
    if (sim_credits_on(s, port) && !s->nodes[s->config->ports[port].node].dead) {
        say(s, port, prio);
    }
}

/* Credit packets on the cable speak of counters that are no more. */
static void void_frames(struct sim *s, uint32_t port)
{
    for (uint32_t i = s->ports[port].wire.head; i != SIM_NONE; i = s->packets[i].next) {
        if (s->packets[i].kind == SIM_FRAME_CREDIT) {
            s->packets[i].flags |= SIM_FRAME_LOST;
        }
    }
}

void sim_credit_derive(struct sim *s)
{
    s->w->credits = s->config->inside || s->w->knobs.v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_CREDITS;
}

void sim_credit_begin_link(struct sim *s, uint32_t port)
{
    uint32_t peer = s->config->ports[port].peer;
    void_frames(s, port);
    void_frames(s, peer);
    for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        struct sim_vl *out = &s->lanes[port].vl[prio];
        struct sim_vl *in = &s->lanes[peer].vl[prio];
        out->sent = 0;
        in->received = in->promised = 0;
    }
    for (uint32_t i = s->ports[port].wire.head; i != SIM_NONE; i = s->packets[i].next) {
        const struct sim_packet *f = &s->packets[i];
        if (sim_credit_counts(f)) {
            s->lanes[port].vl[f->prio].sent += (uint64_t)sim_blocks(sim_frame_bytes(s, port, f));
        }
    }
    for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        struct sim_vl *out = &s->lanes[port].vl[prio];
        struct sim_vl *in = &s->lanes[peer].vl[prio];
        in->promised = out->sent; /* what is on its way must be taken */
        in->promised = promise(s, peer, in);
        out->limit = in->promised;
        feed(s, port, prio);
    }
}

static bool begins(const struct sim *s, uint32_t port, bool all)
{
    return all ? sim_credits_on(s, port) : sim_in_fabric(s, port);
}

/* Counts what every buffer holds, then the links begin anew. */
void sim_credit_begin(struct sim *s, bool all)
{
    const struct sim_config *c = s->config;
    for (uint32_t p = 0; p < c->port_count; p++) {
        for (uint32_t prio = 0; prio < SIM_PRIO_COUNT && begins(s, p, all); prio++) {
            s->lanes[p].vl[prio].held = 0;
        }
    }
    for (uint64_t i = 0; i < s->w->packet_high; i++) {
        const struct sim_packet *f = &s->packets[i];
        if ((f->flags & SIM_FLAG_POOL_FREE) == 0 && f->ingress != SIM_NONE &&
            begins(s, f->ingress, all)) {
            s->lanes[f->ingress].vl[f->prio].held += sim_blocks(sim_frame_charge(s, f));
        }
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        const struct sim_port_state *port = &s->ports[p];
        if (port->tx_from != SIM_NONE && begins(s, port->tx_from, all)) {
            s->lanes[port->tx_from].vl[port->tx_prio].held += sim_blocks(port->tx_bytes);
        }
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        if (begins(s, p, all)) {
            sim_credit_begin_link(s, p);
        }
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        sim_port_kick(s, p);
    }
}

/* Credits are switched off in a running fabric: nobody waits for them any more. */
void sim_credit_end(struct sim *s)
{
    for (uint32_t p = 0; p < s->config->port_count; p++) {
        if (!sim_in_fabric(s, p)) {
            continue;
        }
        s->ports[p].due = 0;
        void_frames(s, p);
        for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
            feed(s, p, prio);
        }
    }
    for (uint32_t p = 0; p < s->config->port_count; p++) {
        sim_port_kick(s, p);
    }
}
