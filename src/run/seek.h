/*
 * Finding one's way in a run that was, and will be.
 *
 * One stands at an instant: all its events have happened. Stepping from record to record inside one
 * instant moves a finger along the trace only: run_seen() is the sequence number behind the record one
 * stands at.
 *
 *     run_step(run, RUN_HOP, RUN_BACK)        to where the last packet came to the end of a cable
 *     run_find(run, &(struct run_want){ .kinds = SIM_TRACE_BIT(DROP) }, RUN_ON, limit, &record)
 *
 * From a place of its own kind, a step on and a step back end where they began, to the byte. From
 * elsewhere the first step goes to the nearest such place on its side. Before the first one lies the
 * beginning.
 *
 * What has been simulated before costs at most the way from the nearest snapshot; what has not, is
 * simulated now: whoever has to answer keys meanwhile runs there in slices (run_until) and only looks
 * back with these.
 */
#ifndef WEFT_RUN_SEEK_H
#define WEFT_RUN_SEEK_H

#include "run/run.h"

enum run_way { RUN_ON, RUN_BACK };

/* Which records are looked for. */
struct run_want {
    uint32_t kinds; /* SIM_TRACE_BIT(DROP) | ...; no SIM_FINE ones */
    bool of_rank;   /* only those of `rank` */
    uint32_t rank;
    bool of_node; /* only those about `node`: sim_record_about() */
    uint32_t node;
    uint32_t step; /* only those of this training step; 0: any */
    int64_t value; /* only those with this value; 0: any */
};

/*
 * Goes to the next or previous such record; `*found` (may be NULL) is it. False when there is none: up
 * to `limit` (on), since the beginning (back); then the run stands where it stood.
 */
bool run_find(struct run *run, const struct run_want *want, enum run_way way, sim_ps limit,
              struct sim_record *found);

/* What one steps by. */
#define RUN_UNITS(X)                                                                               \
    X(EVENT, "event")        /* any record that is for people */                                   \
    X(HOP, "hop")            /* a packet or an ACK comes to the end of a cable */                  \
    X(ROUND, "round")        /* of a collective, as its first rank counts them */                  \
    X(STEP, "training step") /* its beginning */

enum run_unit {
#define X(id, word) RUN_##id,
    RUN_UNITS(X)
#undef X
        RUN_UNIT_COUNT
};
const char *run_unit_word(enum run_unit unit);

/*
 * One step. Back from the first such place is the beginning of the run. False, with the run where it
 * was: nothing like that happens for RUN_FAR or within RUN_FAR_EVENTS, the run is over, or this is the
 * beginning.
 */
bool run_step(struct run *run, enum run_unit unit, enum run_way way, struct err *err);

/* How far ahead a step looks: a key that finds nothing is answered in half a second or so. */
#define RUN_FAR        (60 * UNIT_S)
#define RUN_FAR_EVENTS UINT64_C(1000000)

/* To the beginning of a training step, from 1; with `round` from 1: to where the first rank has
 * finished that round of it. False, with the run where it was: this run has no such step or round. */
bool run_seek_round(struct run *run, int64_t step, int64_t round, struct err *err);

/* Sequence number behind the record one stands at; what has been seen. */
uint64_t run_seen(const struct run *run);

#endif
