/*
 * What an export looks at: a run that stands at its beginning, with all that will be done to it ahead.
 *
 * A run is a value, so whatever was played (a lesson's path, a saved run) can be watched once more, record
 * by record, without keeping any of it in memory.
 */
#ifndef WEFT_EXPORT_SOURCE_H
#define WEFT_EXPORT_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sink.h"
#include "run/run.h"

struct export_source {
    struct run *run;
    sim_ps until;      /* the end of what is exported */
    bool past_done;    /* goes on to `until` when the work is complete */
    const char *name;  /* of what was run, as reports call it */
    const char *scene; /* of a lesson, or NULL */
    const char *version;
};

/* One record, in the order in which they happened; `sim` stands at its time or a little later. False: it
 * wants no more. */
typedef bool export_record_fn(void *arg, const struct sim *sim, const struct sim_record *record);

/*
 * Runs to the end of the source and hands over every record; with `fine_kinds`, those of these kinds as
 * well. Ends early when the sink takes no more. Returns how many fine records could not be kept: an
 * instant had too many of them (thousands of GPUs that begin at once).
 */
uint64_t export_watch(const struct export_source *source, uint32_t fine_kinds, struct sink *sink,
                      export_record_fn *each, void *arg);

#endif
