/*
 * The lab: a fabric and a workload that somebody puts together.
 *
 *     presets  assets/lab/NAME.lua, in the order of assets/lab/index.lua: scenario files
 *     draft    the one that was chosen, as it was changed since (lesson/draft.h)
 *     lesson   written from the draft: one card, no question, its switches on the digits
 *
 * The draft always can be built: a change is tried on a copy, and taken over only when the copy loads. So
 * the lab is a lesson like any other to screen, plain mode, what-ifs and plots; what differs is that its
 * scene may become another one (the run then begins anew), while switches go through the journal.
 */
#ifndef WEFT_APP_LAB_H
#define WEFT_APP_LAB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"
#include "lesson/draft.h"
#include "lesson/lesson.h"
#include "lesson/presets.h"
#include "run/run.h"

struct lab {
    char *data_dir;
    struct lesson_presets presets;
    char id[64]; /* of the preset, or the file's name */
    struct lesson_draft *draft;
    bool changed;           /* since its lesson was made last */
    struct sim_knobs knobs; /* what its run is set to now; a change begins with them */
    int64_t hosts;
    char counts[160]; /* what the draft comes to: "16 hosts, 6 switches, 24 cables" */
};

/* `preset`: an id, or the path of a scenario file; NULL: the first. */
struct lab *lab_create(const char *data_dir, const char *preset, struct err *err);
void lab_destroy(struct lab *lab);

/* Another preset, unchanged. False: the old one stays. */
bool lab_begin_with(struct lab *lab, const char *preset, struct err *err);

/* The lesson of the draft. NULL: `err`; cannot happen to a draft that nobody touched from outside, but a
 * large fabric may want more than there is. */
struct lesson *lab_lesson(struct lab *lab, struct err *err);

/* Before changes: how the run is set now. The first one takes that over into what the draft starts from. */
void lab_know(struct lab *lab, const struct sim *sim);

/* A row of the draft set to what was typed; its next value up or down (a kind of fabric, a number); left
 * out. False: why it cannot be so, and nothing has changed. The rows are others afterwards. */
bool lab_set(struct lab *lab, const struct lesson_draft_row *row, const char *typed,
             struct err *err);
bool lab_step(struct lab *lab, const struct lesson_draft_row *row, bool up, struct err *err);

/* All rows: the fabric's, then the workload's. */
enum { LAB_ROWS_MAX = 64 };
size_t lab_rows(struct lab *lab, struct lesson_draft_row rows[LAB_ROWS_MAX], size_t *fabric);

/* "leaf_spine", "100Gbps", "-": a row's value; what it may be; for people. */
const char *lab_row_value(const struct lesson_draft_row *row, char *buf, size_t size);
const char *lab_row_range(const struct lesson_draft_row *row, char *buf, size_t size);

/* A lesson to go on from, with what the run's journal holds as its path: passes `weft check`. `id` is its
 * name, as its file will be called. */
void lab_write_lesson(struct lab *lab, struct run *run, const char *id, struct text *out);

#endif
