/*
 * Kinds of events that one can look for, and filters: what the list shows, what < and > stop at, what
 * "go next ..." goes to.
 *
 *     drop            all packets that are lost
 *     g3              whatever is about g3
 *     drop nak g3     what is lost of, at or toward g3, and NAKs about it
 */
#ifndef WEFT_APP_EVENTS_H
#define WEFT_APP_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/sim.h"

struct event_kind {
    const char *name, *one; /* "drops", "drop" */
    uint32_t kinds;         /* SIM_TRACE_BIT(...) */
};

/* The first stands for all of them. */
size_t event_kind_count(void);
const struct event_kind *event_kind(size_t index);

/* By "drop" or "drops"; NULL: there is no such kind. */
const struct event_kind *event_kind_named(const char *name);

/* Zero lets everything pass. */
struct event_filter {
    uint32_t kinds; /* 0: all that are for people */
    bool of_node;   /* only what is about this node */
    uint32_t node;
};

/* From words, in any order; none: everything passes. False: one is neither a kind nor a node of this fabric. */
bool event_filter_parse(const char *text, const struct sim *sim, struct event_filter *filter,
                        struct err *err);
/* The kinds that pass, a bit each. */
uint32_t event_filter_kinds(const struct event_filter *filter);
bool event_filter_on(const struct event_filter *filter);
bool event_filter_passes(const struct event_filter *filter, const struct sim *sim,
                         const struct sim_record *record);
/* "drops, NAKs of g3", "all events". Returns `buf`. */
const char *event_filter_say(const struct event_filter *filter, const struct sim *sim, char *buf,
                             size_t size);
/* The same for one of them: "drop of g3". */
const char *event_filter_say_one(const struct event_filter *filter, const struct sim *sim,
                                 char *buf, size_t size);

#endif
