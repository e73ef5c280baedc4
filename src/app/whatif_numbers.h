/*
 * The numbers of a what-if: what was measured on both sides, as words for people.
 */
#ifndef WEFT_APP_WHATIF_NUMBERS_H
#define WEFT_APP_WHATIF_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "run/run.h"

struct whatif_number {
    const char *name;
    char a[24], b[24];
    char differ[32]; /* "10.7x longer"; may be empty though they differ */
    bool differs;
};

enum { WHATIF_NUMBERS_MAX = 16 };

struct whatif_numbers {
    struct whatif_number v[WHATIF_NUMBERS_MAX];
    size_t count;
};

/* Those for the screen, the ones that differ first. Of training steps the longest since `from`, where both
 * parted, the one under way included. Takes a report of both: a millisecond or so. */
void whatif_measure(struct whatif_numbers *numbers, const struct run *a, const struct run *b,
                    sim_ps from);

/* Every number that differs, single steps, flows and queues last, a line each. */
void whatif_list(const struct run *a, const struct run *b, struct text *out);

#endif
