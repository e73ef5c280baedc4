/*
 * Golden files: what was looked at once and found right. UPDATE_GOLDEN=1 writes them anew.
 */
#ifndef WEFT_TESTS_UI_GOLDEN_H
#define WEFT_TESTS_UI_GOLDEN_H

#include <stdbool.h>

/* Whether the file says the same; else prints the lines that differ. */
bool golden_matches(const char *path, const char *got);

#endif
