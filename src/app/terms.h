/*
 * Words of the glossary on a card: marked in its text, explained in a box.
 *
 *     terms_mark()    "a **barrier**" becomes "a **[barrier]**", [ and ] being RICH_TERM_ON and _OFF
 *     terms_say()     the box: each word, the chosen one with its sentence, unit, and where it was first used
 */
#ifndef WEFT_APP_TERMS_H
#define WEFT_APP_TERMS_H

#include <stddef.h>

#include "base/text.h"
#include "lesson/glossary.h"
#include "lesson/player.h"

enum { TERMS_MAX = 12 }; /* of a card */

struct terms {
    const struct lesson_word *word[TERMS_MAX];
    size_t count;
};

/* Those that the text uses, and the text with each marked where it first does. */
void terms_mark(const struct lesson_glossary *glossary, const char *markdown, struct terms *terms,
                struct text *marked);

/* What they are told about: all borrowed. */
struct terms_place {
    const struct lesson_glossary *glossary;
    const struct player *player;
    const struct lesson_list *course; /* which lesson a word is new in; NULL: that is not said */
};

/* A line for each, "> " before the chosen one, which is explained below. */
void terms_say(const struct terms_place *place, const struct terms *terms, size_t chosen,
               struct text *out);

/* The place of the card, from 0, on which the lesson's own text first uses a word; SIZE_MAX: on none. */
size_t terms_first_card(const struct lesson_glossary *glossary, const struct player *player,
                        const struct lesson_word *word);

#endif
