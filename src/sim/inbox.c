#include "sim/inbox.h"

#include "base/mem.h"
#include "sim/event.h"
#include "sim/world.h"

void sim_inbox_grow(struct sim_inbox *box)
{
    size_t cap = box->cap;
    box->frames = mem_grow(box->frames, &cap, (size_t)box->count + 1, sizeof *box->frames);
    box->cap = (uint32_t)cap;
}

void sim_inbox_fill(struct sim *s)
{
    for (uint32_t port = 0; port < s->config->port_count; port++) {
        struct sim_port_state *p = &s->ports[port];
        const struct sim_port_config *c = &s->cables[port];
        for (uint32_t i = p->wire.head; i != SIM_NONE; i = s->packets[i].next) {
            sim_inbox_add(s, c->to, (struct sim_coming){ s->packets[i].at, i, c->peer });
        }
        p->wire = (struct sim_fifo){ SIM_NONE, SIM_NONE };
        p->wire_event = true; /* a port need not care whether something comes back to it */
    }
}

void sim_inbox_empty(struct sim *s)
{
    for (uint32_t n = 0; n < s->config->node_count; n++) {
        struct sim_inbox *box = &s->inboxes[n];
        for (uint32_t i = 0; i < box->count; i++) {
            const struct sim_coming *coming = &box->frames[i];
            const struct sim_port_config *c = &s->cables[coming->port];
            if (coming->packet == SIM_SLOT_END) {
                sim_event_push_port(s, coming->at, SIM_CLASS_TX, coming->port, c->luck,
                                    SIM_EV_TX_DONE);
            } else {
                sim_fifo_push(s, &s->ports[c->peer].wire, coming->packet);
            }
        }
        box->count = 0;
    }
    for (uint32_t port = 0; port < s->config->port_count; port++) {
        s->ports[port].wire_event = !sim_fifo_empty(&s->ports[port].wire);
    }
}
