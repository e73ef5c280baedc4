/*
 * Random small fabrics: topology, rates, cables, frame sizes, thresholds, workload and faults drawn
 * from one seed. The same seed gives the same fabric everywhere.
 */
#ifndef WEFT_TESTS_PROPERTY_RANDOM_FABRIC_H
#define WEFT_TESTS_PROPERTY_RANDOM_FABRIC_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/sim.h"

struct dice {
    uint64_t seed, count;
};

/* From 0 to n - 1. */
int64_t dice_roll(struct dice *dice, int64_t n);

struct random_fabric {
    struct sim_scenario scenario;
    bool
        safe; /* lossless, computed headroom, no buffer limit, or credits: a switch must never drop data */
    char command[3][96]; /* faults and switches, empty: none */
    sim_ps command_at[3];
};

void random_fabric_make(struct random_fabric *fabric, uint64_t seed);
/* The same, made safe. */
void random_fabric_make_safe(struct random_fabric *fabric, uint64_t seed);
/* The same, made plain: most of a run can be taken in the engine's haste (sim/link.h). Boxes stay. */
void random_fabric_make_plain(struct random_fabric *fabric, uint64_t seed);
/* One that can be run node by node (sim/window.h), whatever its size: plain, independent flows, cables that
 * are not too different. Ways of odd rings have no two sides, stars have more ports than a word has bits, short
 * cables and latencies let much happen at the instants at which windows end. */
void random_fabric_make_wide(struct random_fabric *fabric, uint64_t seed);
void random_fabric_finish(struct random_fabric *fabric);

#endif
