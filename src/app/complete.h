/*
 * Completion: what may stand where one is typing, and what is known about it.
 *
 *     ":se"               set, ...                             the first words of the forms (typed.h)
 *     ":set xo"           xoff, xon, xon_offset                KNOB
 *     ":set xoff "        100KB (default), 80KB (now)          VALUE, with unit and range in the note
 *     ":slow g"           g1, g2, ...                          NODE
 *
 * A pure function of the text and the world: nothing is kept. Words that begin with what is typed come
 * first; where there are none, those that contain it ("set min": kmin, rto_min, ...).
 */
#ifndef WEFT_APP_COMPLETE_H
#define WEFT_APP_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

#include "lesson/glossary.h"
#include "lesson/lesson.h"
#include "sim/sim.h"

enum { COMPLETE_MAX = 96, COMPLETE_WORD = 72 };

/* What names may be about. Any may be NULL. */
struct complete_world {
    const struct sim *sim; /* its nodes, ports, flows, and its switches as they are set */
    const struct lesson
        *lesson; /* its card's switches come first, then those that its scene sets */
    size_t card;
    const struct lesson_glossary *glossary; /* its words, with hyphens for blanks */
    bool changes;                           /* only what changes a run: no `go` */
};

struct complete_word {
    char text[COMPLETE_WORD];
    const char *mark; /* "default", "now", or NULL */
};

struct complete {
    size_t from, length; /* bytes of the text: the word that is being typed */
    size_t count, more;  /* candidates; how many have no room */
    bool inside;         /* they contain what is typed instead of beginning with it */
    char form[160];      /* of the command as far as it is known: "set KNOB VALUE", or empty */
    char note[400];      /* what is known of the word: its meaning, unit, range, default */
    struct complete_word word[COMPLETE_MAX];
};

void complete(const struct complete_world *world, const char *text, struct complete *out);

/* How many bytes all candidates begin with, at least what is typed. */
size_t complete_common(const struct complete *c);

/* Names of knobs in the order in which they matter here: those that the card offers, those that the scene
 * sets, then group by group. Fills SIM_KNOB_COUNT entries; `offered` and `set` (may be NULL) are how many
 * of the first are of each sort. */
void complete_knobs(const struct lesson *lesson, size_t card, enum sim_knob order[SIM_KNOB_COUNT],
                    size_t *offered, size_t *set);

/* "xoff: 1 B to 1.1 TB, default 100 KB, now 80 KB: bytes held ..." `sim` may be NULL. */
void complete_say_knob(const struct sim *sim, enum sim_knob knob, char *out, size_t size);

#endif
