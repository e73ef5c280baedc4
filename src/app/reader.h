/*
 * A reader: a fork of the session's run that goes through its past from 0 on, for what must be read in
 * order and is asked for late: plots (plots.h), headers (inspect.h). It is kept and goes on where it was,
 * so the past is read once.
 */
#ifndef WEFT_APP_READER_H
#define WEFT_APP_READER_H

#include "run/run.h"

/* At `from`; it will not look back. The caller's to destroy. */
struct run *reader_begin(const struct run *run, sim_ps from);

/* When the two part: the time of the first line of the journal that only one of them has, or -1 when the
 * run began again with another value of a knob. SIM_NEVER: they do not. */
sim_ps reader_parts(const struct run *reader, const struct run *run);

#endif
