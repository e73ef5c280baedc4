/*
 * What the flags of the command line take: the part of cli/options.h that reads values. A table has, for
 * each flag, where its value goes and who checks it.
 */
#ifndef WEFT_CLI_VALUES_H
#define WEFT_CLI_VALUES_H

#include "cli/options.h"

/* `word` is borrowed. */
void cli_words_add(struct cli_words *words, const char *word);

/* The value of one of `words` (ended by a NULL word). False: err says which there are, as of --name. */
bool cli_word_find(const char *name, const char *text, const struct cli_word *words, int *out,
                   struct err *err);

/* Stores a flag; `value` is NULL for a plain one. False: err says what it takes. */
bool cli_flag_store(struct cli_options *options, enum cli_flag flag, const char *value,
                    struct err *err);

#endif
