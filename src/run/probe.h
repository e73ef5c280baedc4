/*
 * Probes of a run, beside those of the model alone (sim/probe.h): what one row of the validation table
 * says about going back in time.
 */
#ifndef WEFT_RUN_PROBE_H
#define WEFT_RUN_PROBE_H

#include "sim/probe.h"

/* As sim_probe_run, with the probes of both and `more` of layers above (NULL: none). */
bool run_probe_run(const char *name, const struct sim_probe_entry *more, struct sim_probe *probe);

/* The names of all, NULL-terminated, in `names`; there are no more than RUN_PROBES_MAX. */
#define RUN_PROBES_MAX 63
void run_probe_names(const struct sim_probe_entry *more, const char *names[RUN_PROBES_MAX + 1]);

#endif
