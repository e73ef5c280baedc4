#include "app/reader.h"

#include <string.h>

struct run *reader_begin(const struct run *run, sim_ps from)
{
    struct run *reader = run_fork(run);
    (void)run_seek(reader, from, NULL);
    run_forward_only(reader);
    return reader;
}

/* The run began again with another value of a knob: everything else is in the journal. */
static bool same_beginning(const struct run *a, const struct run *b)
{
    const struct sim_knobs *x = &sim_scenario_of(run_sim(a))->knobs;
    const struct sim_knobs *y = &sim_scenario_of(run_sim(b))->knobs;
    return memcmp(x, y, sizeof *x) == 0;
}

sim_ps reader_parts(const struct run *reader, const struct run *run)
{
    if (!same_beginning(reader, run)) {
        return -1;
    }
    const struct run_line *x, *y;
    const size_t n = run_journal(reader, &x), m = run_journal(run, &y);
    for (size_t i = 0; i < n || i < m; i++) {
        if (i >= n || i >= m || !run_line_same(&x[i], &y[i])) {
            const sim_ps s = i < n ? x[i].at : SIM_NEVER, t = i < m ? y[i].at : SIM_NEVER;
            return s < t ? s : t;
        }
    }
    return SIM_NEVER;
}
