/*
 * The reliable transports behind a queue pair (model 4): go-back-N and go-back-0 (goback.c), selective
 * repeat (selective.c), TCP (tcp.c). Each is a table of functions; below are the tools they share.
 */
#ifndef WEFT_SIM_TRANSPORT_H
#define WEFT_SIM_TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/sim.h"
#include "sim/world.h"

/* What differs between them. A flow is a queue pair; a missing function is NULL. */
struct sim_transport_ops {
    enum sim_knob payload; /* knob: bytes of a full packet */
    enum sim_knob retries; /* knob: timeouts before it gives up */
    bool keeps;            /* its receiver keeps what comes ahead of its turn */
    void (*init)(struct sim *s, uint32_t flow);           /* NULL: zeros will do */
    bool (*may_send)(const struct sim *s, uint32_t flow); /* there is a packet to send, now */
    uint64_t (*take)(struct sim *s, uint32_t flow);       /* its PSN; it counts as sent */
    uint32_t (*attempt)(const struct sim *s, uint32_t flow, uint64_t psn);  /* sim_qp_attempt() */
    void (*data)(struct sim *s, uint32_t port, const struct sim_packet *f); /* it has arrived */
    void (*waited)(struct sim *s, uint32_t flow); /* SIM_EV_RECEIVER; NULL: never set */
    /* An ACK or NAK has arrived: all before `arrived` is there. True: the ACK timer starts again
     * (or stops, when nothing is outstanding). */
    bool (*ack)(struct sim *s, const struct sim_packet *f, uint64_t arrived);
    bool (*probe)(struct sim *s, uint32_t flow);     /* the timer only meant a probe; NULL: never */
    void (*expire)(struct sim *s, uint32_t flow);    /* the ACK timer has fired */
    sim_ps (*timeout)(struct sim *s, uint32_t flow); /* how long, as the timer starts */
    void (*state)(const struct sim *s, uint32_t flow, struct sim_flow_state *out); /* or NULL */
    bool (*audit)(const struct sim *s, uint32_t flow, struct err *err);            /* or NULL */
};
extern const struct sim_transport_ops sim_go_back_n_ops, sim_selective_ops, sim_tcp_ops;
extern const struct sim_transport_ops *const sim_transports[SIM_TRANSPORT_COUNT];
/* The one in force: the same for all flows, from the start to the end of a run. */
static inline const struct sim_transport_ops *sim_transport_of(const struct sim *s)
{
    return sim_transports[s->w->knobs.v[SIM_KNOB_TRANSPORT]];
}

/* The timeout of a reliable connection: 4.096 us x 2^n; n is at most 31: 2.4 hours. */
static inline sim_ps sim_rc_timeout(const struct sim *s)
{
    return INT64_C(4096000) << s->w->knobs.v[SIM_KNOB_TIMEOUT_EXPONENT];
}

/* Go-back-N: there is a packet to send, now. */
static inline bool sim_gbn_may_send(const struct sim *s, uint32_t flow)
{
    const struct sim_qp *qp = &s->qps[flow];
    return qp->next < qp->end && qp->next - qp->una < SIM_PSN_WINDOW - 1;
}

/* ---- tools, sender --------------------------------------------------------------------------- */

/* Puts a flow in its NIC's list if it may send now. */
void sim_qp_ready(struct sim *s, uint32_t flow);
/* The same, and the port sends if it is free. */
void sim_qp_kick(struct sim *s, uint32_t flow);
/* All before `psn` has arrived: una moves, messages that are acknowledged are forgotten. */
void sim_qp_advance(struct sim *s, uint32_t flow, uint64_t psn);
/* Cell of the message that holds `psn`, not acknowledged yet. */
uint32_t sim_qp_message(const struct sim *s, const struct sim_qp *qp, uint64_t psn);

/* ---- tools, receiver ------------------------------------------------------------------------- */

/* Sends an ACK (up to `psn`, included) or a NAK (`psn` is wanted). `sack`, if not 0: what has just
 * come lies so far beyond the first that is missing. */
void sim_qp_answer(struct sim *s, uint32_t port, uint32_t flow, enum sim_frame_kind kind,
                   uint64_t psn, uint64_t sack);
void sim_qp_record_nak(struct sim *s, uint32_t port, uint32_t flow, uint64_t psn);
/* A packet has reached the application in order, is acknowledged if it is time for that, and
 * whoever waits for it hears of it. `more`: another follows at once, one ACK will do. */
void sim_qp_deliver(struct sim *s, uint32_t port, uint32_t flow, uint64_t psn, bool more);
/* Its two halves, without the ACK. True: the message is complete, which is `last` of the other. */
bool sim_qp_take_in(struct sim *s, uint32_t flow, uint64_t psn);
void sim_qp_tell(struct sim *s, uint32_t flow, uint64_t psn, bool last);

/* Bitmaps over a window of PSNs (a multiple of 64 of them). */
static inline bool sim_bits_get(const uint64_t *bits, uint64_t window, uint64_t psn)
{
    return (bits[psn % window / 64] >> psn % 64 & 1u) != 0;
}
static inline void sim_bits_put(uint64_t *bits, uint64_t window, uint64_t psn, bool on)
{
    uint64_t mask = UINT64_C(1) << psn % 64;
    uint64_t *word = &bits[psn % window / 64];
    *word = on ? *word | mask : *word & ~mask;
}

#endif
