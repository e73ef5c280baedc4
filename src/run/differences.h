/*
 * Every number in which two reports differ: the metrics, and those of each training step, flow and
 * queue: `steps[2].exposed_comm_ns`, `flows[g1>g2].fct_ns`, `queues[leaf1:3].max_bytes`.
 *
 * Elements are matched by name, so the two runs need not have the same flows. A number that only one
 * side has is NaN on the other.
 */
#ifndef WEFT_RUN_DIFFERENCES_H
#define WEFT_RUN_DIFFERENCES_H

#include <stdbool.h>
#include <stddef.h>

#include "run/metrics.h"

struct difference {
    char name[112];
    const struct metric_info *info; /* its unit; metric_show() says a value of it */
    double left, right;
};

struct differences {
    struct difference *v; /* in the order of the report, single elements last */
    size_t count, cap;
};

/* Only what differs; with `all`, every number. */
void differences_take(struct differences *differences, const struct report *left,
                      const struct report *right, bool all);
void differences_finish(struct differences *differences);

#endif
