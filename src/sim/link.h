/*
 * A port and its cable (model 1.1, 2.3).
 *
 *     kick      is it free? -> the next frame (PFC, credits, then by class or lane) -> on the
 *               cable, its slot begins
 *     tx_done   the slot is over: the buffer it came from is released, kick. Mostly this has no
 *               event (see below)
 *     arrive    the last bit is at the far end: PFC, credits, switch or host
 *
 * Only the oldest frame of a cable has an event; the rest wait in its FIFO (`wire`), since they
 * cannot overtake. A slot that releases nothing and has nothing behind it has no event at all:
 * `busy_until` says how long it lasts.
 *
 * A port's cable leads to `peer`; the port also owns the egress queues in front of it, and the
 * ingress counts of what comes the other way. `port` is the sender, unless said otherwise.
 */
#ifndef WEFT_SIM_LINK_H
#define WEFT_SIM_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/config.h"
#include "sim/event.h"
#include "sim/window.h"
#include "sim/world.h"

/* ---- times and lengths ----------------------------------------------------------------------- */

__extension__ typedef __int128 sim_wide; /* products of bytes and byte times */
/* Picoseconds for `bytes` on this port's cable, rounded down. */
static inline sim_ps sim_bytes_ps(const struct sim_port_config *port, int64_t bytes)
{
    if (port->tau_den == 1) {
        return bytes * port->tau_num;
    }
    return (sim_ps)((sim_wide)bytes * port->tau_num / port->tau_den);
}
/* Is its cable one of the fabric, and not inside a box? */
static inline bool sim_in_fabric(const struct sim *s, uint32_t port)
{
    return !s->config->inside || s->config->ports[port].kind == SIM_LINK_FABRIC;
}
/* Length of a frame on a cable inside a box; */
uint32_t sim_frame_inside(const struct sim *s, uint32_t port, const struct sim_packet *f);
/* on any: what a switch is charged that receives it by such a port. */
static inline uint32_t sim_frame_bytes(const struct sim *s, uint32_t port,
                                       const struct sim_packet *f)
{
    return sim_in_fabric(s, port) ? f->bytes : sim_frame_inside(s, port, f);
}
/* Is it of no flow, but about the cable itself: PFC, credits? */
static inline bool sim_is_link_control(const struct sim_packet *f)
{
    return f->flow == SIM_NONE;
}
/* What the switch that holds it was charged for it. */
static inline uint32_t sim_frame_charge(const struct sim *s, const struct sim_packet *f)
{
    return f->ingress == SIM_NONE ? f->bytes : sim_frame_bytes(s, f->ingress, f);
}

/* ---- sending --------------------------------------------------------------------------------- */

/* Sends the next frame if the port is free and something may go. Called after whatever may have
 * changed that: a frame was queued, a flow is ready, a pause is over, credits have come. */
void sim_port_try(struct sim *s, uint32_t port);
/* Something waits now: does the slot still end unseen? */
void sim_port_watch(struct sim *s, uint32_t port);
static inline void sim_kick(struct sim *s, const struct sim_port_state *p, uint32_t port,
                            const struct sim_port_config *c)
{
    if (p->tx_event) {
        return; /* the end of the slot comes back here */
    }
    if (!p->unseen) {
        sim_port_try(s, port);
    } else if (!p->wire_event || s->nodes[c->node].pausing > 0) {
        sim_port_watch(s, port);
    } else if (s->window_end != 0) {
        sim_window_mark(s, port);
    }
}
static inline void sim_port_kick(struct sim *s, uint32_t port)
{
    sim_kick(s, &s->ports[port], port, &s->cables[port]);
}
/* Sends this frame, which waits nowhere: the port is idle, and nothing waits there. */
void sim_port_send(struct sim *s, uint32_t port, uint32_t packet);
/* May this port send nothing of a priority now? Paused, held, or without credits. */
bool sim_port_stopped(const struct sim *s, uint32_t port, uint32_t prio);
/* Brings the bit in `blocked` up to date with that, after any of them began or ended. */
void sim_port_block(struct sim *s, uint32_t port, uint32_t prio);

/*
 * ---- slots that end unseen --------------------------------------------------------------------
 *
 * The end of a slot gives memory back and chooses the next frame. That depends on what the port holds
 * and may send, and on nothing else; so while a run goes on it mostly has no event (`unseen`), and is
 * made up for before anybody looks or changes something:
 *
 *     a frame comes to the queue, a pause begins or ends, PFC has something to say: sim_port_settle()
 *     a host has an ACK, a message, a timer of a flow that leaves by the port: the same
 *     the cable runs empty, and something waits: the arrival comes back to the port
 *     the counts of a switch must be exact, as near a threshold: sim_switch_settle()
 *
 * Everything happens as if there had been the event: its time, and at the same time its luck, say
 * whether it came before the event at hand. Where XON may follow from it there is one: while a switch
 * pauses a neighbour, at ports where that one's frames leave or anything waits. With credits,
 * cut-through or the watchdog all have one, and when somebody listens to frames that are sent. Between
 * two runs nothing is unseen.
 *
 * At a host (`late`) packets are made as they are sent, so its slots end unseen only if it makes no
 * difference when: see may_be_late(). What does differ, the places of packets in their pool, is no part
 * of the state (sim_state_hash()).
 *
 * `plain` is about the same: nothing is in force that most fabrics do not have (is_plain()), and no
 * event of a run can bring it about, only a command between two runs. Then every frame runs through a
 * version of the code that does not ask (send.h, receive.h).
 */

void sim_port_catch_up(struct sim *s, uint32_t port);
void sim_port_catch_up_plain(struct sim *s, uint32_t port); /* while the run is */
static inline void sim_settle(struct sim *s, const struct sim_port_state *p, uint32_t port)
{
    if (p->unseen && p->busy_until <= s->over) {
        sim_port_catch_up(s, port);
    }
}
static inline void sim_port_settle(struct sim *s, uint32_t port)
{
    sim_settle(s, &s->ports[port], port);
}
void sim_switch_settle(struct sim *s, uint32_t node);
/* It begins to pause a neighbour: ends of slots from which XON may follow get their events. */
void sim_switch_watch(struct sim *s, uint32_t node);
/* Packets that a port of a host can make within a time at most, the shortest ones. */
size_t sim_slots_within(const struct sim_config *config, uint32_t port, sim_ps time);
/* How many packets hosts may be late with, for a fabric whose ports and frames are known. */
void sim_slots_plan(struct sim_config *config);
/* A run begins. */
void sim_slots_begin(struct sim *s);
/* Memory runs out, it is counted by the frame: hosts are punctual from now on. Between two events. */
SIM_SELDOM void sim_slots_be_punctual(struct sim *s);
/* All ports, up to the event at hand; gives the end of the last slot of these. */
sim_ps sim_slots_settle(struct sim *s);
/* A run is over, or somebody looks at everything: the same, and nothing is unseen from now on. */
void sim_slots_end(struct sim *s);

/* ---- events ---------------------------------------------------------------------------------- */

void sim_port_tx_done(struct sim *s, uint32_t port); /* SIM_EV_TX_DONE */
void sim_port_arrive(struct sim *s, uint32_t port);  /* SIM_EV_ARRIVE */
/* The same in windows, seen from the port by which it comes: to a switch that has yet to find its way, to a
 * host. */
void sim_switch_take_in(struct sim *s, uint32_t node, uint32_t port, uint32_t packet);
void sim_host_take_in(struct sim *s, uint32_t port, uint32_t packet);

/* ---- the end of a frame ---------------------------------------------------------------------- */

/* It leaves the model: delivered, refused, thrown away. Counts it out of what is in flight and
 * frees it. */
void sim_frame_end(struct sim *s, uint32_t packet);
/* It is lost where it is, seen from `port`: counted, recorded, marked. Its bits go on, nobody will
 * accept them; the caller frees it when they are gone. */
SIM_SELDOM void sim_frame_lose(struct sim *s, uint32_t packet, uint32_t port,
                               enum sim_reason reason);

#endif
