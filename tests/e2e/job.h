/*
 * weft as a job of a shell.
 *
 *     harness --fork--> shell (session leader, owns the pty) --fork--> weft (a job of its own)
 *             <--pipe-- wait statuses
 *
 * Job control (Ctrl-Z, bg, fg) only works below a shell, so there is a very small one: it puts weft
 * into a process group of its own, takes the terminal back when weft stops, and tells every wait
 * status. SIGUSR1 is its fg, SIGUSR2 its bg; a hang-up it passes on.
 */
#ifndef WEFT_TESTS_E2E_JOB_H
#define WEFT_TESTS_E2E_JOB_H

#include <sys/types.h>

#include "harness.h"

struct job_news {
    pid_t pid;
    int status; /* as waitpid gives it; -1: started */
};

/* Starts shell and weft on the pty `slave`; returns the shell. News come out of `*tell`, which does
 * not block. */
pid_t job_start(const struct e2e_case *c, const char *weft, int slave, int *tell);

#endif
