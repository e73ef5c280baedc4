#include "sim/host.h"

#include "sim/credit.h"
#include "sim/event.h"
#include "sim/link.h"
#include "sim/qp.h"
#include "sim/switch.h"
#include "sim/transport.h"
#include "sim/world.h"

static void expect_drain(struct sim *s, uint32_t n)
{
    struct sim_node_state *host = &s->nodes[n];
    if (host->draining || sim_fifo_empty(&host->receive) || host->drain == 0) {
        return; /* a stuck receiver (share 0) never takes anything */
    }
    const struct sim_packet *f = &s->packets[host->receive.head];
    const uint32_t in = f->ingress;
    sim_ps slot =
        sim_bytes_ps(&s->config->ports[in], (int64_t)sim_frame_bytes(s, in, f) +
                                                (sim_in_fabric(s, in) ? s->config->wire.slot : 0));
    host->draining = true;
    sim_event_push(s, s->w->now + (sim_ps)(((sim_wide)slot << 32) / host->drain), SIM_CLASS_TX,
                   sim_comp_node(s->config, n), SIM_EV_DRAIN, 0);
}

void sim_host_receive(struct sim *s, uint32_t port, uint32_t packet)
{
    uint32_t n = s->config->ports[port].node;
    struct sim_node_state *host = &s->nodes[n];
    if (host->drain == UNIT_ONE && sim_fifo_empty(&host->receive)) {
        const struct sim_packet *f = &s->packets[packet];
        if (sim_credits_on(s, port)) {
            sim_credit_arrived(s, port, f->prio, sim_frame_bytes(s, port, f), false);
        }
        sim_qp_data(s, port, packet);
        return;
    }
    s->packets[packet].egress = SIM_NONE;
    if (sim_ingress_admit(s, port, packet)) {
        sim_fifo_push(s, &host->receive, packet);
        expect_drain(s, n);
    }
}

void sim_host_drain(struct sim *s, uint32_t n)
{
    struct sim_node_state *host = &s->nodes[n];
    host->draining = false;
    if (host->dead) {
        return; /* what its buffer holds stays there */
    }
    uint32_t packet = sim_fifo_pop(s, &host->receive);
    struct sim_packet *f = &s->packets[packet];
    uint32_t port = f->ingress;
    const int64_t bytes = sim_frame_charge(s, f);
    f->ingress = SIM_NONE;
    sim_switch_release(s, n, port, f->prio, bytes);
    if ((f->flags & SIM_FRAME_LOST) != 0) {
        sim_packet_free(s, packet); /* a fault destroyed it in the buffer */
    } else {
        sim_qp_data(s, port, packet);
    }
    expect_drain(s, n);
}
