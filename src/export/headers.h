/*
 * The headers of a frame that the fabric sent: from the tape's facts (struct sim_sent) to the fields of
 * a frame (frame.h).
 *
 * What the model leaves open is decided here, once, and the same on every cable and in every run:
 *
 *     MAC       02:00:00, then the number of the port, from 1. Switches route: each cable has its own two
 *     IPv4      10.0.0.1, ...: where flows can end, in order of declaration; several NICs share one. IPv6
 *               and LIDs likewise
 *     DSCP      of the class: 3 is 26, 6 is 48, 0 is 0, others 8 times their number
 *     UDP port  0xC000 and 14 bits of what ECMP hashes
 *     QPN       0x11 and 0x12 for the receiver and the sender of the first flow, two more for each further
 *     TCP       ports as above, and 40000 and the number of the flow, below 44000; sequence numbers start
 *               behind a hash of the flow's name. The model has no handshake, so there is none, nor what
 *               it agrees on: the window is the largest that fits without scaling
 *     IPv4 id   PSN and attempt, cut to 16 bits
 *
 * MSN, opcodes, RETH and TCP's sequence numbers need the messages of a flow, of which a packet says
 * little: these are learned from its first cable. So all frames must come by, in order, even if only some
 * of them are wanted.
 */
#ifndef WEFT_EXPORT_HEADERS_H
#define WEFT_EXPORT_HEADERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "export/frame.h"
#include "sim/sim.h"

struct headers;

/* `sim` is borrowed. NULL: frames as long as this fabric's exist on no real link (wire_overhead and the
 * like were set): err says which. */
struct headers *headers_create(const struct sim *sim, struct err *err);
void headers_destroy(struct headers *h);

/* The frame is passed by. */
void headers_learn(struct headers *h, const struct sim_sent *sent);

/* Its headers; frame_encode() completes them. */
struct frame headers_of(const struct headers *h, const struct sim_sent *sent);

/* The IP address of a node where flows can end; returns its length in bytes. 0: it has none. */
size_t headers_address(const struct headers *h, uint32_t node, uint8_t out[16]);

/* Bytes of it in a capture: without FCS on Ethernet, all on InfiniBand. */
size_t headers_length(const struct frame *frame, const struct sim_sent *sent);

#endif
