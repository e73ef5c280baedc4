/*
 * Faults that a person can do to what the cursor is on: a short list, each with a sentence about what will
 * happen. All of them are commands of the journal (sim/command.h), so they go through run_do() and u undoes them.
 *
 *     a frame     it is destroyed; its cable is cut
 *     a lane      its cable is cut or mended; what leads to a host can be held
 *     a GPU       its packet is destroyed, it stands still, computes slowly, takes in little, pauses its switch,
 *                 dies; its cables
 *     a switch    its cables
 *
 * What is so already is offered the other way round: a slow GPU can be made fast again.
 */
#ifndef WEFT_APP_FAULTS_H
#define WEFT_APP_FAULTS_H

#include <stddef.h>

#include "app/cursor.h"
#include "run/run.h"

struct fault_choice {
    struct sim_cmd cmd;
    char text[112];  /* "stop its GPU for 100 us" */
    char about[192]; /* what will happen */
};

enum { FAULTS_MAX = 160 };

/* `step_ps`: about as long as a training step takes here, or 0: how long a GPU may be stopped. Returns how many
 * there are; 0: nothing can be done to it (any more). */
size_t fault_choices(const struct run *run, const struct cursor *cursor, sim_ps step_ps,
                     struct fault_choice out[FAULTS_MAX]);

/* What is listed, as a heading: "faults: g3". Returns `buf`. */
const char *fault_heading(const struct sim *sim, const struct cursor *cursor, char *buf,
                          size_t size);

#endif
