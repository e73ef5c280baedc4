/*
 * Probes of captures, for the validation table (sim/probe.h):
 *
 *   capture   a message through one switch, frame by frame: how many there are, how many of them are not as
 *             long as the model's, have an ICRC that another way of computing it does not find, or do not
 *             come out of their block as they went in; how many of the known frames are byte-exact
 */
#ifndef WEFT_EXPORT_PROBE_H
#define WEFT_EXPORT_PROBE_H

#include "sim/probe.h"

/* The last has no name. */
extern const struct sim_probe_entry export_probes[];

#endif
