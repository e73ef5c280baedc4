/*
 * What the tests of the model have in common: the conventions of the validation table, small
 * fabrics, and running one to an end.
 */
#ifndef WEFT_TESTS_SIM_FABRIC_H
#define WEFT_TESTS_SIM_FABRIC_H

#include <stdint.h>

#include "sim/sim.h"

/* Values of the validation table unless a row says otherwise: MTU 1024, no latencies, an ACK for
 * every packet, XOFF 100,000, XON 97,000, headroom 200,000, no response time, no buffer limit. */
void fabric_init(struct sim_scenario *sc, const char *name);

/* Sets a knob as a person would write it; ends the test when that fails. */
void fabric_set(struct sim_scenario *sc, const char *knob, const char *value);

/* Hosts g1.. around one switch; cables of 25 ns unless `delay`. */
void fabric_star(struct sim_scenario *sc, int hosts, const char *rate, const char *delay);

/* g1 - s1 - s2 ... - g2 over cables of these rates, 25 ns each. */
void fabric_chain(struct sim_scenario *sc, const char *const *rates, int links);

/* A flow between hosts by name. */
void fabric_flow(struct sim_scenario *sc, const char *src, const char *dst, int64_t bytes,
                 sim_ps start);

/* Creates the fabric; the scenario is finished. */
struct sim *fabric_build(struct sim_scenario *sc);

/* Applies a command in its text form at now + 1 ps. */
void fabric_do(struct sim *s, const char *command);

/* Runs until the workload is done (plus what is still on the cables), at most to `limit`. */
void fabric_finish(struct sim *s, sim_ps limit);

/* Prints both values; ends the test when they are further apart than `tolerance`, or differ. */
void fabric_near(const char *what, double measured, double expected, double tolerance);
void fabric_exactly(const char *what, int64_t measured, int64_t expected);

#endif
