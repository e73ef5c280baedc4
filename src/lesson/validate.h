/*
 * Running the validation table: is the model what it claims to be?
 *
 *     assets/validation/index.lua     the rows, in order
 *     assets/validation/V01.lua ...   one row each (validation.h)
 *     assets/validation/peers/...     the same for what other simulators measured
 *
 * Every case runs with each of its seeds; every measure is one result.
 */
#ifndef WEFT_LESSON_VALIDATE_H
#define WEFT_LESSON_VALIDATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "lesson/validation.h"

enum validation_verdict {
    VALIDATION_PASS,
    VALIDATION_FAIL,
    VALIDATION_PENDING,  /* cannot be run yet */
    VALIDATION_DISPUTED, /* the table is believed to be wrong here; counts as failed */
};
const char *validation_verdict_word(enum validation_verdict verdict);

/* One line of the table. Strings are valid during the call. */
struct validation_result {
    const struct validation_row *row;
    const struct validation_case *of_case;    /* NULL: pending */
    const struct validation_measure *measure; /* NULL: pending */
    enum validation_verdict verdict;
    double measured;  /* NaN: it could not be measured; in the measure's unit */
    const char *note; /* why it is pending, disputed or could not be measured; or NULL */
};

/* How many times a peer's figure ours is; for a range the nearest end of it, 1 inside. NaN: theirs is 0
 * and ours is not. */
double validation_ratio(const struct validation_peer *peer, double measured);

enum validation_agreement {
    VALIDATION_NEAR,        /* within the margin */
    VALIDATION_EXPLAINED,   /* not, and there is a reason */
    VALIDATION_UNEXPLAINED, /* not: the measure fails */
    VALIDATION_DIRECTION,   /* the margin does not apply, for a reason */
};
enum validation_agreement validation_agreement(const struct validation_peer *peer, double measured);
const char *validation_agreement_word(enum validation_agreement agreement);

struct validation_wish {
    const char *data_dir;
    const struct sim_probe_entry *probes; /* of layers that this one does not know; NULL: none */
    bool peers;                           /* the rows beside other simulators instead */
    const char *const *ids;               /* rows to run; none: all */
    size_t id_count;
    bool full; /* rows that take long, too; a row that is named runs in any case */
    void (*tell)(void *ctx, const struct validation_result *result);
    void *ctx;
};

/* Runs the rows in the order of the index. False when there is no such row, or a row is broken:
 * `errors` says what is wrong in its file. `*skipped` counts the rows that only --full runs. */
bool validation_run(const struct validation_wish *wish, size_t *skipped, struct text *errors,
                    struct err *err);

#endif
