/*
 * What frames take on a wire of the fabric (model 1.2). Lengths are bytes and include the FCS, not preamble and gap.
 */
#ifndef WEFT_SIM_WIRE_H
#define WEFT_SIM_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/knobs.h"

enum {
    SIM_RETH = 16, /* first packet of a WRITE */
    SIM_PFC_BYTES = 64,
    SIM_QUANTUM_BYTES = 64, /* one pause quantum: 512 bit times */
    SIM_QUANTA_MAX = 65535,
    SIM_CREDIT_BYTES = 8,   /* a credit packet, all that it takes on the wire */
    SIM_CREDIT_BLOCK = 64,  /* credits count in blocks of so many bytes */
    SIM_CREDITS_MAX = 2048, /* blocks a port may promise at most: half of a 12-bit counter */
};

/* Credits that so many bytes take. */
static inline int64_t sim_blocks(int64_t bytes)
{
    return (bytes + SIM_CREDIT_BLOCK - 1) / SIM_CREDIT_BLOCK;
}

/* What depends on the type of link and on the transport. */
struct sim_wire_sizes {
    uint32_t before; /* preamble and start: on the wire before the last bit, besides the frame */
    uint32_t slot;   /* that and the gap behind: the slot is this much longer than the frame */
    uint32_t data_headers; /* of a data packet */
    uint32_t payload;      /* of a full one, */
    uint32_t full;         /* and its length */
    uint32_t padding;      /* the payload is padded to a multiple of this */
    uint32_t least;        /* no data frame is shorter */
    uint32_t reth;         /* more in the first packet of a message */
    uint32_t ack, cnp;     /* whole frames */
    bool counts_hops;      /* there is a TTL */
};
struct sim_wire_sizes sim_wire_sizes(const struct sim_knobs *knobs);
static inline uint32_t sim_data_bytes(const struct sim_wire_sizes *w, int64_t payload)
{
    uint32_t bytes =
        w->data_headers + ((uint32_t)payload + w->padding - 1) / w->padding * w->padding;
    return bytes > w->least ? bytes : w->least;
}
/* The longest frame. */
static inline uint32_t sim_frame_max(const struct sim_wire_sizes *w)
{
    uint32_t data = sim_data_bytes(w, w->payload) + w->reth;
    return data > w->ack ? data : w->ack; /* an ACK only if somebody wants it so */
}

/* Packets outstanding on a queue pair stay below this: a PSN on the wire has 24 bits, and half of
 * them must mean "later" (model 1.3). */
enum { SIM_PSN_WINDOW = 1 << 23 };

#endif
