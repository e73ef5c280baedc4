/*
 * The narrator of plain mode: what happens in a run as sentences, in the order in which an eye would catch
 * it, for people who do not look at a screen and for terminals that cannot draw.
 *
 *     90 us: g3>g4:111#1 is lost at leaf1:3: fault.
 *     94 us: g8 is done and waits at the barrier. 6 of 8 are there.
 *     16.87 ms: nothing moved for 16.7 ms.
 *
 * What happens a thousand times is said a few times and then counted: `detail` says how much.
 */
#ifndef WEFT_APP_NARRATOR_H
#define WEFT_APP_NARRATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "sim/sim.h"

enum narrator_detail { NARRATOR_LITTLE, NARRATOR_NORMAL };

struct narrator {
    enum narrator_detail detail;
    uint64_t seen;                   /* trace records read */
    uint32_t said[SIM_TRACE_COUNT];  /* how often each kind was said since the last summary */
    uint32_t count[SIM_TRACE_COUNT]; /* how often it happened */
    uint64_t pauses, naks;           /* PAUSE frames and NAKs sent before that */
};

/* Forgets what was said; begins to listen now. */
void narrator_begin(struct narrator *narrator, const struct sim *sim);

/* Appends sentences for what happened since the last call, a line each. */
void narrator_listen(struct narrator *narrator, const struct sim *sim, struct text *out);

/* Appends what was only counted, not told one by one: "In all here: 3,212 PAUSE frames sent". */
void narrator_summary(struct narrator *narrator, const struct sim *sim, struct text *out);

/* The state of all GPUs, or of all flows where nobody trains, a line each; of many the first ones. */
void narrator_state(const struct sim *sim, struct text *out);

/* What goes on at one node, in lines: what a GPU does, what it sends, what waits in a switch. */
void narrator_node(const struct sim *sim, uint32_t node, struct text *out);

#endif
