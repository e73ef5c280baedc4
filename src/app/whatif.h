/*
 * What if: the run as it is (A), and a fork of it with one change (B), on one clock.
 *
 *            fork                clock
 *     A  -----+--------------------|      borrowed: the session's run, its journal stays as it is
 *             |  one change
 *     B       +--------------------|      owned
 *
 * The change is a line in B's journal. Keeping B means doing the same to the session's run at the same
 * moment, which gives the same run again. A change that starts a run again (`restart`) parts both at 0:
 * B then first catches up, in slices, before both are shown.
 */
#ifndef WEFT_APP_WHATIF_H
#define WEFT_APP_WHATIF_H

#include <stdbool.h>
#include <stddef.h>

#include "app/cursor.h"
#include "app/history.h"
#include "app/playback.h"
#include "app/plots.h"
#include "app/whatif_numbers.h"
#include "lesson/lesson.h"
#include "run/compare.h"
#include "run/run.h"
#include "ui/scene.h"

struct whatif {
    struct run *other; /* B; NULL: no what-if is open */
    struct sim_cmd cmd;
    sim_ps at;        /* both parted here */
    sim_ps from;      /* where the session's run stood, and goes back to */
    bool again;       /* B began again at 0 */
    bool catching_up; /* ... and is not there yet */
    struct compare compare;
    struct whatif_numbers numbers;
    sim_ps numbers_at;  /* of the clock when they were taken, -1: never */
    int64_t numbers_ms; /* of the wall then */
    struct history history;
    struct playback eye;
    size_t picked, scroll;
    struct plots plots;           /* of B: the same that are chosen for A */
    size_t plotted;               /* which of them is on the screen, from 1; 0: the timelines are */
    char change[SCENE_SIDES][96]; /* what is set on each side, for the headings */
};

/* Parts B from `run`, which must stand still at a whole instant, and does the command there. False: the
 * fabric refuses it, and nothing is open. */
bool whatif_begin(struct whatif *w, struct run *run, const struct history *history,
                  const struct sim_cmd *cmd, struct err *err);
void whatif_finish(struct whatif *w);

/* Runs B on to where `run` stands, for `budget_ms` of work at most (0: without limit). True when it is
 * there. */
bool whatif_catch_up(struct whatif *w, const struct run *run, int budget_ms);

/* A moment at which there is something to compare. */
struct whatif_moment {
    sim_ps t; /* SIM_NEVER: there is none */
    enum { WHATIF_FORK, WHATIF_FIRST, WHATIF_ONE_SIDE } what;
    size_t side;              /* ONE_SIDE: which */
    struct sim_record record; /* ONE_SIDE: what it has and the other has not */
};

/* The one nearest to `now`, before or after it: where the sides part, where they differ for the first
 * time, where one of them has a drop, timeout, NAK, ... that the other has not. Only what was played
 * counts. */
struct whatif_moment whatif_difference(const struct whatif *w, const struct run *run, sim_ps now,
                                       bool back);

/* A change one could try. */
struct whatif_choice {
    struct sim_cmd cmd;
    char text[112];
};

enum { WHATIF_CHOICES_MAX = 96 };

/* What might be otherwise now: the packet under the cursor (or a packet), the card's switches, every
 * switch that is a word, faults of the GPU under the cursor (or the first). Returns how many. */
size_t whatif_choices(const struct sim *sim, const struct cursor *cursor,
                      const struct lesson *lesson, size_t card,
                      struct whatif_choice out[WHATIF_CHOICES_MAX]);

/* "flow control none", "packet g3>g4:44#1 is lost": what a command makes so. Returns `buf`. */
const char *whatif_say(const struct sim_cmd *cmd, char *buf, size_t size);

#endif
