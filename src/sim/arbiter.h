/*
 * VL arbitration of InfiniBand (model 2.3): which virtual lane a port serves next.
 *
 *     high   (VL, weight) (VL, weight) ...   weighted round robin among its entries
 *     low    (VL, weight) ...                likewise; its chance comes when the high table has
 *                                            nothing to send, or has sent limit x 4,096 bytes since
 *                                            the last one
 *
 * An entry whose turn comes may send weight x 64 bytes; the packet that goes beyond is sent whole,
 * and nothing is carried over. An entry without a packet, or without credits for it, is passed
 * over. A limit of 0 is one packet; SIM_VL_NO_LIMIT never gives way.
 *
 * All ports of a fabric have the same tables; they belong to the scenario. Without entries classes
 * decide, as on Ethernet. A frame that is cut through finds its port idle:
 * it takes nobody's turn and is not counted.
 */
#ifndef WEFT_SIM_ARBITER_H
#define WEFT_SIM_ARBITER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

/* What was chosen: an entry, and what it may send from now on. */
struct sim_turn {
    uint32_t table, entry;
    int64_t left; /* bytes */
};

/* The lane to serve, of those in `may` (bit per lane: it has something and is not stopped; not 0).
 * Changes nothing. */
uint32_t sim_arbiter_choose(const struct sim *s, uint32_t port, unsigned may,
                            struct sim_turn *turn);

/* The turn was used: a frame of so many bytes leaves. */
void sim_arbiter_charge(struct sim *s, uint32_t port, const struct sim_turn *turn, int64_t bytes);

/* Do the tables, and the lanes of the classes, fit the rest of the scenario? Every lane that
 * somebody uses must be in a table. */
bool sim_arbiter_check(const struct sim_scenario *sc, struct err *err);

#endif
