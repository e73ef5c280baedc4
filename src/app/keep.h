/*
 * Keeping what was done: the run as a file that plays it again, the lab as a lesson to go on from.
 *
 * A file that is there already is not replaced unless one says so; what is written is whole, or the old
 * file stays.
 */
#ifndef WEFT_APP_KEEP_H
#define WEFT_APP_KEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "app/lab.h"
#include "base/err.h"
#include "lesson/player.h"

struct keep_wish {
    const struct lesson *lesson;
    struct player *player;
    struct lab *lab;  /* NULL: a lesson like any other */
    bool saved;       /* a saved run, of which nobody knows where it is from */
    const char *name; /* of the file, with or without its ending */
};

/* Writes it; `file` is its name with the ending. False with ERR_STATE and a name in `file`: it is there
 * already; `replace` does it all the same. */
typedef bool keep_fn(const struct keep_wish *wish, bool replace, char *file, size_t size,
                     struct err *err);
keep_fn keep_run, keep_lesson;

#endif
