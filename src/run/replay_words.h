/* The words that replay_write.c and replay_read.c share. */
#ifndef WEFT_RUN_REPLAY_WORDS_H
#define WEFT_RUN_REPLAY_WORDS_H

/* Who did a journal line, by enum run_author; NULL: it belongs to the scenario. */
extern const char *const replay_authors[3];

#endif
