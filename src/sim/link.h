/*
 * A port and its cable.
 */
#ifndef WEFT_SIM_LINK_H
#define WEFT_SIM_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/config.h"
#include "sim/world.h"

__extension__ typedef __int128 sim_wide; /* products of bytes and byte times */
/* Picoseconds for `bytes` on this port's cable, rounded down. */
static inline sim_ps sim_bytes_ps(const struct sim_port_config *port, int64_t bytes)
{
    if (port->tau_den == 1) {
        return bytes * port->tau_num;
    }
    return (sim_ps)((sim_wide)bytes * port->tau_num / port->tau_den);
}
/* Length of a frame on this port's cable: what a switch is charged that receives it by such a port. */
uint32_t sim_frame_inside(const struct sim *s, uint32_t port, const struct sim_packet *f);
static inline bool sim_in_fabric(const struct sim *s, uint32_t port)
{
    return !s->config->inside || s->config->ports[port].kind == SIM_LINK_FABRIC;
}
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
/* Sends the next frame if the port is free and something may go. */
void sim_port_kick(struct sim *s, uint32_t port);
/* Brings the bit in `blocked` up to date after a pause or a hold began or ended. */
void sim_port_block(struct sim *s, uint32_t port, uint32_t prio);
/* May this port send nothing of a priority now? */
bool sim_port_stopped(const struct sim *s, uint32_t port, uint32_t prio);
void sim_port_tx_done(struct sim *s, uint32_t port);
void sim_port_arrive(struct sim *s, uint32_t port);
void sim_port_header(struct sim *s, uint32_t port);
/* A frame leaves the model: delivered, refused, lost. Fixes the counts of what is in flight. */
void sim_frame_end(struct sim *s, uint32_t packet);
/* Marks a packet as lost where it is; its bits go on, nobody will accept them. */
void sim_frame_lose(struct sim *s, uint32_t packet, uint32_t port, enum sim_reason reason);

#endif
