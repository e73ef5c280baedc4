/*
 * What the model is and is not, and where its constants come from: assets/honesty.txt, which says how its
 * lines are written.
 */
#ifndef WEFT_LESSON_HONESTY_H
#define WEFT_LESSON_HONESTY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "sim/knobs.h"

enum lesson_honest {
    LESSON_HONEST_PICTURE,  /* how what is drawn is to be read */
    LESSON_HONEST_MODELLED, /* what the model does */
    LESSON_HONEST_MISSING,  /* what it does not, and what is there instead */
    LESSON_HONEST_CONSTANT, /* where a switch's default comes from */
    LESSON_HONEST_KINDS
};

struct lesson_honesty_row {
    enum lesson_honest kind;
    char *name, *text;
    enum sim_knob knob; /* where it matters; SIM_KNOB_COUNT: nowhere alone */
    char *checks;       /* rows of the validation table, "V20 V21"; or empty */
};

struct lesson_honesty {
    struct lesson_honesty_row *row;
    size_t count, cap;
};

/* False, with the line, when the file is not as it should be. To be finished in either case. */
bool lesson_honesty_read(const char *data_dir, struct lesson_honesty *honesty, struct err *err);
void lesson_honesty_finish(struct lesson_honesty *honesty);

/* Where the default of a switch comes from; NULL: nobody says. */
const char *lesson_honesty_source(const struct lesson_honesty *honesty, enum sim_knob knob);

#endif
