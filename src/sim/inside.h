/*
 * Cables inside a box: PCIe, NVLink, the bus of a memory. What they carry per second, and what a
 * packet takes on them (model 6).
 *
 * A packet of the fabric is the unit here, too: its TLPs travel together. On these cables it has none
 * of the fabric's headers, neither preamble nor gap, but a header for each piece of its payload.
 */
#ifndef WEFT_SIM_INSIDE_H
#define WEFT_SIM_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/scenario.h"

/* Bytes of a packet with so much payload; 0: an ACK, NAK or CNP. Never for SIM_LINK_FABRIC. */
uint32_t sim_inside_bytes(enum sim_link_kind kind, uint32_t payload);

/* Bytes of a packet that returns credits. */
uint32_t sim_inside_credit(enum sim_link_kind kind);

/*
 * Rate in one direction after line coding, in bit/s. PCIe: generations 1 to 6, with 1, 2, 4, 8 or 16
 * lanes. NVLink: generations 1 to 5; the links of one GPU together (`lanes` is 0), or so many of them.
 * Other kinds have no generations: an error.
 */
bool sim_inside_rate(enum sim_link_kind kind, int gen, int lanes, int64_t *rate_bps,
                     struct err *err);

/* "fabric", "pcie", "nvlink", "memory". */
const char *sim_link_kind_word(enum sim_link_kind kind);

#endif
