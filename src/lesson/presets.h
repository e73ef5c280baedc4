/*
 * The lab's presets: scenario files of assets/lab, in the order of its index.lua.
 */
#ifndef WEFT_LESSON_PRESETS_H
#define WEFT_LESSON_PRESETS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct lesson_preset {
    char *id, *file;
    char *name; /* of the scenario; its id where it does not load */
    int year;   /* 0: it does not say */
};

struct lesson_presets {
    struct lesson_preset *item;
    size_t count;
};

/* False: there is no index. To be finished in either case. */
bool lesson_presets_read(const char *data_dir, struct lesson_presets *presets, struct err *err);
void lesson_presets_finish(struct lesson_presets *presets);

/* The file of a preset by its id; of anything that is a path, that. NULL with the nearest id. The caller
 * frees. */
char *lesson_presets_find(const struct lesson_presets *presets, const char *word, struct err *err);

#endif
