#include "cli/bench.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/rng.h"

enum { COPIES = 8, SEEKS = 24, PAIRS_MIN = 2, PAIRS_MAX = 9 };

/* Pairs of runs are tried until so much time has gone. */
static const double pairs_s = 1.0;

double bench_cpu_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* Into memory that the system has yet to find, as a snapshot's is. */
static double time_to_copy(const void *from, size_t size)
{
    const double begin = bench_cpu_seconds();
    void *to = mem_resize(NULL, size, 1);
    memcpy(to, from, size);
    const double took = bench_cpu_seconds() - begin;
    free(to);
    return took;
}

static double time_to_save(const struct sim *sim)
{
    const double begin = bench_cpu_seconds();
    void *to = mem_resize(NULL, sim_state_size(sim), 1);
    sim_state_save(sim, to);
    const double took = bench_cpu_seconds() - begin;
    free(to);
    return took;
}

static void measure_copies(struct bench_past *past, const struct sim *sim)
{
    past->state_bytes = sim_state_size(sim);
    past->copy_s = past->snapshot_s = INFINITY;
    void *state = mem_resize(NULL, past->state_bytes, 1);
    sim_state_save(sim, state);
    for (int i = 0; i < COPIES; i++) {
        past->copy_s = least(past->copy_s, time_to_copy(state, past->state_bytes));
        past->snapshot_s = least(past->snapshot_s, time_to_save(sim));
    }
    free(state);
}

static void measure_seeks(struct bench_past *past, struct run *run)
{
    const sim_ps end = run_now(run);
    past->seek_mean_s = past->seek_worst_s = 0;
    for (uint64_t i = 0; i < SEEKS && end > 0; i++) {
        const sim_ps t = (sim_ps)(rng_mix3(1, 2, i) % (uint64_t)end);
        const double begin = bench_cpu_seconds();
        (void)run_seek(run, t, NULL);
        const double took = bench_cpu_seconds() - begin;
        past->seek_mean_s += took / SEEKS;
        past->seek_worst_s = took > past->seek_worst_s ? took : past->seek_worst_s;
    }
}

void bench_past_of_run(struct bench_past *past, struct run *run)
{
    past->slower = (double)NAN;
    past->memory = run_memory(run);
    measure_copies(past, run_sim(run));
    measure_seeks(past, run);
}

/* A run to the end of its work, and how long that took. */
static struct run *time_to_run(const struct sim_scenario *sc, bool looks_back, double *took,
                               struct err *err)
{
    struct run *run = run_create(sc, 1, err);
    *took = INFINITY;
    if (run == NULL) {
        return NULL;
    }
    if (!looks_back) {
        run_forward_only(run);
    }
    const double begin = bench_cpu_seconds();
    while (sim_outcome(run_sim(run)) == SIM_RUNNING &&
           run_until(run, 60 * UNIT_S, SIM_TRACE_BIT(DONE)) == SIM_AT_TRACE) {
    }
    *took = bench_cpu_seconds() - begin;
    return run;
}

bool bench_past_of_scenario(struct bench_past *past, const struct sim_scenario *sc, struct err *err)
{
    double plain = INFINITY, looking = INFINITY, took;
    const double begin = bench_cpu_seconds();
    struct run *run = NULL;
    for (int i = 0; i < PAIRS_MIN || (i < PAIRS_MAX && bench_cpu_seconds() - begin < pairs_s);
         i++) {
        run_destroy(run);
        run = time_to_run(sc, false, &took, err);
        plain = least(plain, took);
        run_destroy(run);
        run = time_to_run(sc, true, &took, err);
        looking = least(looking, took);
        if (run == NULL) {
            return false;
        }
    }
    bench_past_of_run(past, run);
    past->slower = looking / plain - 1;
    run_destroy(run);
    return true;
}

void bench_past_text(struct text *out, const struct bench_past *past)
{
    text_addf(out,
              "           a snapshot of %.2f MB %.2f ms, a plain copy %.2f ms; %" PRIu64
              " taken, %zu kept, %.1f MB",
              (double)past->state_bytes / 1e6, past->snapshot_s * 1e3, past->copy_s * 1e3,
              past->memory.taken, past->memory.snapshots, (double)past->memory.bytes / 1e6);
    if (!isnan(past->slower)) {
        text_addf(out, ": %+.1f %% CPU", past->slower * 100);
    }
    text_addf(out, ";\n           a seek %.1f ms CPU on average, %.1f ms at worst\n",
              past->seek_mean_s * 1e3, past->seek_worst_s * 1e3);
}

void bench_past_json(struct text *out, const struct bench_past *past)
{
    text_addf(out,
              "\"past\": {\"snapshot_bytes\": %zu, \"snapshot_ms\": %.4f, \"copy_ms\": %.4f, "
              "\"snapshots_taken\": %" PRIu64 ", \"snapshots_kept\": %zu, \"kept_bytes\": %zu, "
              "\"slower\": ",
              past->state_bytes, past->snapshot_s * 1e3, past->copy_s * 1e3, past->memory.taken,
              past->memory.snapshots, past->memory.bytes);
    if (isnan(past->slower)) {
        text_add(out, "null");
    } else {
        text_addf(out, "%.4f", past->slower);
    }
    text_addf(out, ", \"seek_mean_ms\": %.3f, \"seek_worst_ms\": %.3f}", past->seek_mean_s * 1e3,
              past->seek_worst_s * 1e3);
}
