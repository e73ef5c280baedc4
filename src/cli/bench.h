/*
 * Parts of `weft bench`: what looking back costs, what loading a lesson costs, what a
 * frame on the screen costs.
 *
 * How much longer a run takes for its snapshots, what one of them costs beside a plain copy of as many
 * bytes, and how long it takes to be at any moment of a run that was simulated before. All in CPU time;
 * small differences are the least of several tries, for machines are noisy.
 */
#ifndef WEFT_CLI_BENCH_H
#define WEFT_CLI_BENCH_H

#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/options.h"
#include "run/run.h"

struct bench_past {
    size_t state_bytes;        /* of the state at the end */
    double copy_s, snapshot_s; /* copying as many bytes; taking a snapshot of it */
    struct run_memory memory;  /* at the end */
    double slower; /* share of the time by which snapshots slow the run; NaN: not measured */
    double seek_mean_s, seek_worst_s;
};

/* CPU time of this process so far. */
double bench_cpu_seconds(void);

/* A counter of instructions in user mode, or -1 where the system lets nobody count; a file descriptor.
 * Reads 0 then. */
int bench_counter_open(void);
uint64_t bench_counter_read(int counter);

/* Runs the scenario to its end, with snapshots and without. */
bool bench_past_of_scenario(struct bench_past *past, const struct sim_scenario *sc,
                            struct err *err);

/* Of a run that stands at its end; it stands elsewhere afterwards. */
void bench_past_of_run(struct bench_past *past, struct run *run);

void bench_past_text(struct text *out, const struct bench_past *past);
/* `"past": {...}`. */
void bench_past_json(struct text *out, const struct bench_past *past);

/* Every scene of the shipped lessons: of all, or of those among the operands. */
bool bench_lessons(const struct cli_options *options, struct text *out, struct err *err);
bool bench_lessons_know(const char *id);
/* Whether it is among the operands, or there are none. */
bool bench_is_wished(const struct cli_options *options, const char *id);

/* Loading a lesson: those of the course as above, and any file that is named with a / in its name. */
bool bench_loads(const struct cli_options *options, int counter, struct text *out, struct err *err);

/* What a frame costs on the screen, beside htop or top: "screen" among the operands, or none. Takes half a
 * minute. */
bool bench_screen(const struct cli_options *options, struct text *out, struct err *err);

#endif
