/*
 * A port and its cable (model 1.1, 2.3).
 *
 *     kick      is it free? -> the next frame (PFC, credits, then by class or lane) -> on the
 *               cable, its slot begins
 *     tx_done   the slot is over: the buffer it came from is released, kick
 *     arrive    the last bit is at the far end: PFC, credits, switch or host
 *     header    with cut-through: the header has passed the next switch's pipeline, and the frame
 *               goes on if its way is free; what still comes in is a shell that nobody counts
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
/* What the switch that holds it was charged for it. */
static inline uint32_t sim_frame_charge(const struct sim *s, const struct sim_packet *f)
{
    return f->ingress == SIM_NONE ? f->bytes : sim_frame_bytes(s, f->ingress, f);
}

/* ---- sending --------------------------------------------------------------------------------- */

/* Sends the next frame if the port is free and something may go. Called after whatever may have
 * changed that: a frame was queued, a flow is ready, a pause is over, credits have come. */
void sim_port_try(struct sim *s, uint32_t port);
static inline void sim_port_kick(struct sim *s, uint32_t port)
{
    if (!s->ports[port].tx_event) { /* else the end of the slot comes back here */
        sim_port_try(s, port);
    }
}
/* May this port send nothing of a priority now? Paused, held, or without credits. */
bool sim_port_stopped(const struct sim *s, uint32_t port, uint32_t prio);
/* Brings the bit in `blocked` up to date with that, after any of them began or ended. */
void sim_port_block(struct sim *s, uint32_t port, uint32_t prio);

/* ---- events ---------------------------------------------------------------------------------- */

void sim_port_tx_done(struct sim *s, uint32_t port); /* SIM_EV_TX_DONE */
void sim_port_arrive(struct sim *s, uint32_t port);  /* SIM_EV_ARRIVE */
void sim_port_header(struct sim *s, uint32_t port);  /* SIM_EV_HEADER */

/* ---- the end of a frame ---------------------------------------------------------------------- */

/* It leaves the model: delivered, refused, thrown away. Counts it out of what is in flight and
 * frees it. */
void sim_frame_end(struct sim *s, uint32_t packet);
/* It is lost where it is, seen from `port`: counted, recorded, marked. Its bits go on, nobody will
 * accept them; the caller frees it when they are gone. */
SIM_SELDOM void sim_frame_lose(struct sim *s, uint32_t packet, uint32_t port,
                               enum sim_reason reason);

#endif
