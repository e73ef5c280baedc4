/*
 * One sentence at a time: a card's Markdown for a room that looks at a projector.
 *
 * A sentence ends at . ? or ! (and what closes behind it) before a blank, and at the end of a paragraph.
 * Bold words that stand alone, a card's title, belong to the sentence behind them.
 */
#ifndef WEFT_UI_SENTENCE_H
#define WEFT_UI_SENTENCE_H

#include <stddef.h>

/* How many there are; NULL has none. */
size_t ui_sentences(const char *markdown);

/* The n-th, from 0, or the last one where there are fewer: where it begins, and its bytes in `*len`. */
const char *ui_sentence(const char *markdown, size_t n, size_t *len);

#endif
