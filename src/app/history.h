/*
 * History: what each GPU did, as runs of one state. The timeline is drawn from it. A row is a rank of a
 * training; in a workload of flows, a flow.
 *
 *     row 2    | COMPUTES | EXCHANGES | PAUSED | EXCHANGES | BARRIER | ...
 *              t0         t1          t2                             now
 *
 * A fabric keeps no past, so this one listens: after every slice of the run call history_sample().
 * It reads the trace since the last time (moments that are records are exact: computed, at the
 * barrier, timeout, paused), then asks each row for its state (all others are exact to a slice).
 * A jump over milliseconds therefore still shows when each GPU came to the barrier and who sat on its
 * timer. It only looks.
 *
 * Going back in time costs nothing: the same journal gives the same past again, so what is known
 * stays known, up to history->known. Doing something else there makes it wrong: history_cut().
 *
 * Invariants: the runs of a row are ascending, without gaps or overlaps, from `from` to `known`.
 * Memory is bounded: when a row has too many runs the oldest half of all is forgotten.
 */
#ifndef WEFT_APP_HISTORY_H
#define WEFT_APP_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sim.h"
#include "ui/scene.h"

struct history_row;

struct history {
    struct history_row *row;
    size_t row_count;
    uint32_t *row_of; /* by node: its rank, or its first flow, or SIM_NONE */
    size_t node_count;
    bool flows;    /* the rows are flows */
    sim_ps from;   /* before this nothing is known */
    sim_ps known;  /* latest sample: how far the scrubber reaches */
    sim_ps skip;   /* trace records up to here are in already, -1: none */
    uint64_t seen; /* trace records read: sequence number of the next one */

    /* When switches sent PAUSE, ascending. A storm of them is thinned: no two are nearer than `apart`, so
     * that there are never more than a scrubber can show. */
    sim_ps *pause;
    size_t pause_count, pause_cap;
    sim_ps pause_apart;
};

void history_init(struct history *history);
void history_finish(struct history *history);

/* Another fabric, or the same one from its start: forgets everything. */
void history_attach(struct history *history, const struct sim *sim);

/* The past of a fork: all that `from` knows up to `t`, where both part. Whatever was in `history` goes. */
void history_fork(struct history *history, const struct history *from, const struct sim *sim,
                  sim_ps t);

/* The run went on, or was moved: after every slice. */
void history_sample(struct history *history, const struct sim *sim);

/* The run stands still (it is stalled) while the clock goes on to `t`: all stay as they are. */
void history_stand(struct history *history, sim_ps t);

/* What was known after `t` is not so any more: call it with the time of the line that was added to the
 * journal or taken out of it (undo). What happened since is read from the trace. */
void history_cut(struct history *history, const struct sim *sim, sim_ps t);

/* The runs of a row, ascending; valid until the next sample. */
const struct scene_run *history_runs(const struct history *history, size_t row, size_t *count);

/* The state of a GPU, or of a flow, as the picture shows it: a flow that has arrived is "at the
 * barrier" (done), one that is not posted yet is idle. */
enum scene_gpu_state history_rank_state(const struct sim *sim, uint32_t rank);
enum scene_gpu_state history_flow_state(const struct sim *sim, uint32_t flow);

/*
 * The silences in [t0, t1]: stretches in which every GPU waits, long enough that the axis leaves them
 * out (rule 6: longer than three times the rest). A little of each is left at both ends, so that one
 * sees who waits for what. `beside` (may be NULL): a run on the same clock, a silence is one of both.
 * Ascending; at most `cap`; returns how many.
 */
size_t history_cuts(const struct history *history, const struct history *beside, sim_ps t0,
                    sim_ps t1, struct scene_cut *out, size_t cap);

#endif
