/*
 * Snapshots: copies of the state of a fabric, taken as the run goes, so that going back in time costs
 * little.
 *
 *     time 0 |.......|...|..|..|.|.|.|||||  now
 *
 * Their distance is measured by what it costs to run there again: in events, never in wall time.
 * A new one is due when so many events have passed that copying the state is cheap beside them. When
 * they would take more memory than allowed, the one goes that leaves the smallest gap in proportion to
 * how far away it is; so they are dense near the present and thin out with age. The first one, at time
 * 0, always stays.
 *
 * Nothing in here changes a fabric: a run with snapshots and one without are the same run.
 *
 * A snapshot never changes, so a fork shares those of its past. All forks of a run belong to one thread.
 */
#ifndef WEFT_RUN_SNAPSHOTS_H
#define WEFT_RUN_SNAPSHOTS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/sim.h"

struct snapshot {
    unsigned owners;
    sim_ps at; /* all events of this instant have happened */
    uint64_t events, seq;
    size_t applied;    /* lines of the journal in it */
    size_t size, room; /* of `state`: used, allocated */
    unsigned char state[];
};

/* Ascending in time. */
struct snapshots {
    struct snapshot **v;
    size_t count, cap;
    size_t bytes;           /* of all of them */
    uint64_t every;         /* events from one to the next; 0: what costs little. For tests */
    struct snapshot *spare; /* one that has gone, or NULL: its memory is used again */
};

void snapshots_init(struct snapshots *shots);
void snapshots_finish(struct snapshots *shots);

/* Shares those of `from`, which is not empty; `shots` must be. */
void snapshots_share(struct snapshots *shots, const struct snapshots *from);

/* How many events on the next one is due; 1 when it is due now; UINT64_MAX while `limit` (bytes)
 * leaves no room for any. */
uint64_t snapshots_due(const struct snapshots *shots, const struct sim *sim, size_t limit);

/* Takes one of this moment, whose events have all happened; makes room for it. `applied`: the lines of
 * the journal that are in it. */
void snapshots_take(struct snapshots *shots, const struct sim *sim, size_t applied, size_t limit);

/* The last one that is not later than `t` and has no more than `lines` lines in it. */
size_t snapshots_find(const struct snapshots *shots, sim_ps t, size_t lines);

/* What lay later never happened: forgets those after `t`, but for the first one. */
void snapshots_cut(struct snapshots *shots, sim_ps t);

#endif
