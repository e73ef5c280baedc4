#include "app/clock.h"

#include <time.h>

static sim_ps earlier(sim_ps a, sim_ps b)
{
    return a < b ? a : b;
}

sim_ps clock_now(const struct run *a, const struct run *b)
{
    const sim_ps now = run_now(a), other = b != NULL ? run_now(b) : now;
    return now > other ? now : other;
}

sim_ps clock_next(const struct run *a, const struct run *b)
{
    const sim_ps next = sim_next_event(run_sim(a));
    return b != NULL ? earlier(next, sim_next_event(run_sim(b))) : next;
}

bool clock_quiet(const struct run *a, const struct run *b, bool *computing)
{
    bool one = false, other = false;
    const bool quiet = sim_quiet(run_sim(a), &one) && (b == NULL || sim_quiet(run_sim(b), &other));
    if (computing != NULL) {
        *computing = one || other;
    }
    return quiet;
}

static sim_ps end_of_quiet(const struct sim *sim)
{
    enum { EVENTS_MAX = 10000 };
    sim_ps next = sim_next_event(sim);
    if (next == SIM_NEVER) {
        return next;
    }
    struct sim *fork = sim_fork(sim);
    for (int i = 0; i < EVENTS_MAX && next != SIM_NEVER; i++) {
        sim_run_until(fork, next, 0);
        if (!sim_quiet(fork, NULL) || sim_next_event(fork) == SIM_NEVER) {
            break;
        }
        next = sim_next_event(fork);
    }
    sim_destroy(fork);
    return next;
}

sim_ps clock_end_of_quiet(const struct run *a, const struct run *b)
{
    const sim_ps end = end_of_quiet(run_sim(a));
    return b != NULL ? earlier(end, end_of_quiet(run_sim(b))) : end;
}

static bool is_over(const struct sim *sim)
{
    return sim_next_event(sim) == SIM_NEVER ||
           (sim_outcome(sim) != SIM_RUNNING && sim_quiet(sim, NULL));
}

bool clock_over(const struct run *a, const struct run *b)
{
    return is_over(run_sim(a)) && (b == NULL || is_over(run_sim(b)));
}

/* Where the second stops before the first, the first has gone too far: it was there a moment ago, and
 * is taken back. */
enum sim_stopped clock_until(struct run *a, struct run *b, sim_ps until, uint32_t kinds)
{
    const enum sim_stopped one = run_until(a, until, kinds);
    if (b == NULL) {
        return one;
    }
    const enum sim_stopped other = run_until(b, one == SIM_AT_TRACE ? run_now(a) : until, kinds);
    if (other == SIM_AT_TRACE && run_now(b) < run_now(a)) {
        (void)run_seek(a, run_now(b), NULL);
    }
    return one == SIM_AT_TRACE || other == SIM_AT_TRACE ? SIM_AT_TRACE
           : one == SIM_AT_END && other == SIM_AT_END   ? SIM_AT_END
                                                        : SIM_AT_TIME;
}

bool clock_seek(struct run *a, struct run *b, sim_ps to, struct err *err)
{
    return run_seek(a, to, err) && (b == NULL || run_seek(b, to, err));
}

int64_t clock_wall_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}
