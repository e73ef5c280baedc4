/*
 * What can be typed behind `:`, in one table.
 *
 * A form is written like those of the journal (sim/command.h), whose commands may be typed as well:
 * words in small letters stand for themselves, a|b is one of them, what is in [] may be left out, and
 * capitals are places to be filled in. What may stand in a place is a row of SLOTS in complete.c.
 */
#ifndef WEFT_APP_TYPED_H
#define WEFT_APP_TYPED_H

#include <stdbool.h>
#include <stddef.h>

/* clang-format off */
/*    id          form                          what it does */
#define TYPED(X)                                                                              \
    X(GO,         "go TIME",                    "to a moment: go 61us")                       \
    X(FIND,       "go next|previous WHICH [WHICH]", "to an event: go next drop; of a node: go next drop g3") \
    X(SHOW,       "show WHICH [WHICH]",         "which events are listed, and where < and > stop: drop, g3, drop leaf1, all") \
    X(WHY,        "why WHAT",                   "why it waits: a GPU, a switch, a port, a flow, a packet of it: why leaf1:3") \
    X(RATE,       "rate TIME",                  "so much simulated time a second, in this gear: rate 3us") \
    X(PLOT,       "plot PLOT [THING]",          "puts a curve on the screen, or takes it away: plot queue leaf1:3; plot none: what is busiest") \
    X(TERM,       "term TERM",                  "what a word means: term barrier")          \
    X(SWITCHES,   "switches",                   "every switch: those of this card first")       \
    X(HONEST,     "honest",                     "how true is it? real sizes, what is modelled, what is not, where constants come from") \
    X(SAVE,       "save FILE",                  "the run as a file: weft open FILE.weft plays it again") \
    X(SAVE_LESSON, "save-lesson NAME",          "the lab as a lesson to go on from, NAME.lua")   \
    X(AUTO_SLOW,  "auto-slow on|off",           "whether playing slows down by itself where something happens for the first time on a card")
/* clang-format on */

enum typed {
#define X(id, form, help) TYPED_##id,
    TYPED(X)
#undef X
        TYPED_COUNT /* a command of the journal, or nothing of all this */
};

struct typed_form {
    const char *words, *help;
};

/* Row `i`, from 0: the screen's own, then (behind TYPED_COUNT) those of the journal; NULL behind the last. */
struct typed_form typed_form(size_t i);

/* Which of the screen's own a text begins; `*rest` (may be NULL) is what follows its first word. */
enum typed typed_find(const char *text, const char **rest);

#endif
