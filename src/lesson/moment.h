/*
 * What a row of the validation table looks at: `m`, the moments of a finished run, read-only.
 *
 *     m[1], m[2] ..., m.last          the moments that the case asked for, in order
 *     m.last.now                      a time
 *     m[2].flow("h1>r").delivered     a size; .acked_at a time; .sent a count; flow(3): by number
 *     m.last.port("sw:2").max         a size; .mean_bytes a number; .paused true or false
 *     m.last.dropped                  a count, over the whole fabric
 *     m.last.dropped_by("ttl")        for one reason
 *     m.last.cycle                    how many ports wait for each other in a circle
 *     m.last.step(2), .compute(2)     how long training step 2 took, and its compute phase
 *
 * A case with several scenarios sees m[1][1]: run, then moment. What has not happened yet cannot be
 * looked at (lesson_host_pending). A moment is a copy: the run has gone on since. Views are valid in
 * the call they were given to.
 */
#ifndef WEFT_LESSON_MOMENT_H
#define WEFT_LESSON_MOMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "run/run.h"

struct lesson_port_moment {
    struct sim_queue queue;
    struct sim_held held;
    struct sim_credit credit; /* of the data class */
    sim_ps busy;
};

#define LESSON_MOMENT_STEPS 8

struct lesson_moment {
    sim_ps now;
    enum sim_outcome outcome;
    struct sim_stall stall; /* when `outcome` says so */
    uint64_t cycle;         /* ports in a circle of waiting; 0: there is none */
    sim_ps done_at;         /* SIM_NEVER: it is not */
    struct sim_counters count;
    sim_ps collective; /* how long the first all-reduce took; SIM_NEVER: it is not over */
    struct sim_step steps[LESSON_MOMENT_STEPS]; /* the first ones, as far as they have begun */
    size_t step_count;
    struct sim_flow_state *flows;
    struct lesson_port_moment *ports;
};

/* The moments of one run. `sim` is asked for names only. */
struct lesson_moments {
    const struct sim *sim;
    struct lesson_moment *item;
    size_t count, cap;
};

void lesson_moments_take(struct lesson_moments *moments, const struct sim *sim);
void lesson_moments_finish(struct lesson_moments *moments);

/* What a moment and its views can be asked: as lesson_measured(); views are "moment", "flow", "port". */
struct lesson_measured;
bool lesson_moment_field(size_t i, struct lesson_measured *row);

/* Prepares the metatable; once for each state, inside a protected call. */
void lesson_moments_open(lua_State *L);

/* Pushes `m`: of one run, or of several. Views of earlier calls are no longer valid. */
void lesson_moments_push(lua_State *L, const struct lesson_moments *runs, size_t count);

#endif
