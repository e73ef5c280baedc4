/* The words that replay_write.c and replay_read.c share. */
#ifndef WEFT_RUN_REPLAY_WORDS_H
#define WEFT_RUN_REPLAY_WORDS_H

#include "base/text.h"

/* Who did a journal line, by enum run_author; NULL: it belongs to the scenario. */
extern const char *const replay_authors[3];

/* A text for people as one harmless line, without blanks at its ends; `out` is empty before. */
void replay_label(struct text *out, const char *s);

#endif
