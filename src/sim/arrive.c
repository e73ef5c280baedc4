/*
 * The end of a cable: the last bit of a frame has come (link.h).
 */
#include "sim/cc.h"
#include "sim/credit.h"
#include "sim/event.h"
#include "sim/fault.h"
#include "sim/host.h"
#include "sim/link.h"
#include "sim/pfc.h"
#include "sim/qp.h"
#include "sim/receive.h"
#include "sim/send.h"
#include "sim/switch.h"
#include "sim/world.h"

SIM_SELDOM static void link_control(struct sim *s, uint32_t port, uint32_t packet)
{
    if (s->nodes[s->config->ports[port].node].dead) {
        sim_packet_free(s, packet);
    } else if (s->packets[packet].kind == SIM_FRAME_CREDIT) {
        sim_credit_receive(s, port, packet);
    } else {
        sim_pfc_receive(s, port, packet);
    }
}

/* A flooded copy is thrown away by whoever gets it. */
static bool vanishes(struct sim *s, uint32_t port, uint32_t packet)
{
    const struct sim_packet *f = &s->packets[packet];
    if ((f->flags & SIM_FLAG_COPY) == 0) {
        return false;
    }
    if (sim_credits_on(s, port)) {
        sim_credit_arrived(s, port, f->prio, sim_frame_bytes(s, port, f), false);
    }
    s->w->count.discarded++;
    sim_frame_end(s, packet);
    return true;
}

/* Takes the oldest frame off the cable; the next one is expected. */
static SIM_ALWAYS uint32_t take_off(struct sim_at a, bool plain)
{
    const uint32_t packet = a.p->wire.head;
    const uint32_t next = a.s->packets[packet].next;
    a.p->wire.head = next;
    if (next != SIM_NONE) {
        sim_send_expect_arrival(a, &a.s->packets[next]);
        return packet;
    }
    a.p->wire.tail = SIM_NONE;
    a.p->wire_event = false;
    if (a.p->unseen) {
        sim_port_settle(a.s, a.port);
        if (a.p->unseen) {
            sim_send_expect_end(a, plain);
        }
    }
    return packet;
}

/* It reaches a host. */
static SIM_ALWAYS void reach_host(struct sim *s, uint32_t port, uint32_t packet, bool plain)
{
    const struct sim_packet *f = &s->packets[packet];
    if (!plain && sim_credits_on(s, port) && f->kind != SIM_FRAME_DATA) {
        sim_credit_arrived(s, port, f->prio, sim_frame_bytes(s, port, f), false);
    }
    if (f->kind == SIM_FRAME_DATA) {
        const struct sim_node_state *host = &s->nodes[s->config->ports[port].node];
        if (plain && host->drain == UNIT_ONE && sim_fifo_empty(&host->receive)) {
            sim_qp_data(s, port, packet);
        } else {
            sim_host_receive(s, port, packet);
        }
    } else if (f->kind == SIM_FRAME_CNP) {
        sim_cc_cnp(s, packet);
    } else {
        sim_qp_ack(s, port, packet);
    }
}

/* Not every frame: one that was lost, PFC and credits, one for a dead host, one that a fault is about,
 * a flooded one. True: that was it. */
SIM_SELDOM static bool arrives_otherwise(struct sim *s, uint32_t port, uint32_t packet)
{
    const struct sim_port_config *c = &s->config->ports[port];
    const uint32_t to = c->peer;
    const struct sim_packet *f = &s->packets[packet];
    const bool credits = sim_credits_on(s, port);
    if ((f->flags & SIM_FRAME_LOST) != 0) {
        if (credits && !sim_is_link_control(f) && (f->flags & SIM_FLAG_SHELL) == 0) {
            sim_credit_lost(s, port, f->prio);
        }
        sim_packet_free(s, packet); /* its check sum is wrong: nobody takes it */
        return true;
    }
    if (sim_is_link_control(f)) {
        link_control(s, to, packet);
        return true;
    }
    if (!c->to_switch && s->ports[to].dead) {
        if (!sim_in_fabric(s, to)) {
            sim_credit_arrived(s, to, f->prio, sim_frame_bytes(s, to, f), false);
        }
        sim_frame_lose(s, packet, to, SIM_REASON_DEAD_PEER);
        sim_packet_free(s, packet);
        return true;
    }
    const enum sim_reason refused = sim_fault_hits(s, port, packet, true);
    if (refused != SIM_REASON_NONE) {
        if (credits) {
            sim_credit_lost(s, port, f->prio);
        }
        sim_frame_lose(s, packet, to, refused);
        sim_packet_free(s, packet);
        return true;
    }
    return vanishes(s, to, packet);
}

/* It reaches a switch. As a rule its way is known. */
static SIM_ALWAYS void reach_switch(struct sim *s, uint32_t node, sim_ps latency, uint32_t port,
                                    uint32_t packet, bool plain)
{
    struct sim_packet *f = &s->packets[packet];
    if (plain && f->hops < SIM_WAYS) {
        const uint32_t egress = *sim_way(s, f);
        if (sim_way_is_known(s, node, egress)) {
            sim_accept(sim_at(s, egress), port, node, latency, packet, f, true);
            return;
        }
    }
    sim_switch_receive(s, port, node, packet);
}

static SIM_ALWAYS void arrive(struct sim_at a, bool plain)
{
    struct sim *s = a.s;
    const struct sim_port_config *c = a.c;
    const uint32_t packet = take_off(a, plain);
    const struct sim_packet *f = &s->packets[packet];
    if ((!plain || sim_is_special(f)) && arrives_otherwise(s, a.port, packet)) {
        return;
    }
    if (c->to_switch) {
        reach_switch(s, c->to, c->latency, c->peer, packet, plain);
    } else {
        reach_host(s, c->peer, packet, plain);
    }
}

static void arrive_any(struct sim *s, uint32_t port)
{
    arrive(sim_at(s, port), false);
}

void sim_port_arrive(struct sim *s, uint32_t port)
{
    if (s->plain) {
        arrive(sim_at(s, port), true);
    } else {
        arrive_any(s, port);
    }
}

/* PFC acts before all that comes at the same time. */
SIM_SELDOM static bool special_arrives(struct sim *s, uint32_t port, uint32_t packet)
{
    if (sim_is_link_control(&s->packets[packet])) {
        s->order &= ~(UINT64_MAX << SIM_CLASS_SHIFT);
    }
    return arrives_otherwise(s, s->cables[port].peer, packet);
}

void sim_switch_take_in(struct sim *s, uint32_t node, uint32_t port, uint32_t packet)
{
    if (!sim_is_special(&s->packets[packet]) || !special_arrives(s, port, packet)) {
        sim_switch_receive(s, port, node, packet);
    }
}

void sim_host_take_in(struct sim *s, uint32_t port, uint32_t packet)
{
    if (!sim_is_special(&s->packets[packet]) || !special_arrives(s, port, packet)) {
        reach_host(s, port, packet, true);
    }
}
