/*
 * Kinds of events that one can look for: what < and > stop at, what "go next ..." goes to.
 */
#ifndef WEFT_APP_EVENTS_H
#define WEFT_APP_EVENTS_H

#include <stddef.h>
#include <stdint.h>

struct event_kind {
    const char *name, *one; /* "drops", "drop" */
    uint32_t kinds;         /* SIM_TRACE_BIT(...) */
};

/* The first stands for all of them. */
size_t event_kind_count(void);
const struct event_kind *event_kind(size_t index);

/* By "drop" or "drops"; NULL: there is no such kind. */
const struct event_kind *event_kind_named(const char *name);

#endif
