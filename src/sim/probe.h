/*
 * Probes: one mechanism of the model alone, without a fabric around it.
 *
 * Some rows of the validation table speak of a marking curve, of one sender's reaction or of the
 * luck of a hash: a probe tries that mechanism, with the code that the fabric uses, and returns
 * what it measured by name. Always the same numbers: their draws are counted like all others.
 */
#ifndef WEFT_SIM_PROBE_H
#define WEFT_SIM_PROBE_H

#include <stdbool.h>
#include <stddef.h>

#define SIM_PROBE_VALUES_MAX 32

struct sim_probe_value {
    char name[24];
    double value;
};

struct sim_probe {
    struct sim_probe_value v[SIM_PROBE_VALUES_MAX];
    size_t count;
};

/* A table of probes ends with one without a name. */
struct sim_probe_entry {
    const char *name;
    void (*run)(struct sim_probe *probe); /* adds its values */
};

void sim_probe_add(struct sim_probe *probe, const char *name, double value);

/* False when there is no probe of that name. */
bool sim_probe_run(const char *name, struct sim_probe *probe);
/* The names, NULL-terminated. */
const char *const *sim_probe_names(void);

#endif
