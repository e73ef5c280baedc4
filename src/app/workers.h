/*
 * Many independent jobs on all cores.
 *
 *     caller's thread    waits, draws progress, hears Ctrl-C
 *     N workers          take the next job, again and again, each with a state of its own
 *
 * Threads of our own, one per core: libuv's pool has four and serves files. Jobs are taken in order, but
 * nothing is promised about which worker does one or when it is over: whoever wants results in an order
 * writes them into a place that the job's number names.
 */
#ifndef WEFT_APP_WORKERS_H
#define WEFT_APP_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

struct workers {
    size_t jobs;
    int threads; /* 0: one for each core */
    void *arg;   /* for all of these; shared by all threads */
    /* In a worker: its state before its first job, after its last one. */
    void *(*begin)(void *arg);
    void (*end)(void *arg, void *state);
    void (*work)(void *arg, void *state, size_t job);
    /* In the caller's thread, at the start, a few times a second, and at the end; may be NULL. */
    void (*progress)(void *arg, size_t done);
};

/*
 * Returns when all jobs are done: 0. Or at once after SIGINT, SIGTERM or SIGHUP: the signal. Then some
 * workers may still be in a job and `arg` must stay; the caller says what was done and ends the program.
 * `*done` (may be NULL): how many jobs are over.
 */
int workers_run(const struct workers *workers, size_t *done);

#endif
