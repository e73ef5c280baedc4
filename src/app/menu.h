/*
 * The menu of a session: all that can be set, in pages.
 *
 *     start from   the lab's presets                         (lab)
 *     build        fabric and workload, field by field       (lab)
 *     switches     every switch: those of the card first
 *     break        every fault; Enter begins to type it
 *     keep         the run as a file, the lab as a lesson
 *
 * And the honesty page, a menu of its own: what the scene measures in truth, what is modelled, what is not,
 * every constant with its origin. Enter on a row leads to the switch by which it matters.
 *
 * Rows are made anew after each thing that is done; they say what is so now. What a row cannot be is said
 * under it, and nothing has changed then.
 */
#ifndef WEFT_APP_MENU_H
#define WEFT_APP_MENU_H

#include <stdbool.h>
#include <stddef.h>

#include "app/lab.h"
#include "lesson/honesty.h"
#include "sim/knobs.h"
#include "ui/scene.h"

enum menu_page {
    MENU_PRESETS,
    MENU_BUILD,
    MENU_SWITCHES,
    MENU_FAULTS,
    MENU_KEEP,
    MENU_TRUE, /* from here on the honesty page */
    MENU_MODELLED,
    MENU_MISSING,
    MENU_CONSTANTS,
    MENU_PAGES
};

struct menu_row {
    bool heading, changed, dim;
    int depth;
    char name[96], value[72], range[200], note[200];
    char said[400];                /* what `about` says where no table holds it */
    const char *about;             /* valid as long as the rows */
    struct lesson_draft_row draft; /* BUILD */
    enum sim_knob knob;            /* SWITCHES, and where a row of the honesty page leads */
    size_t index;                  /* PRESETS, FAULTS, KEEP */
};

enum { MENU_ROWS_MAX = SIM_KNOB_COUNT + 24 };

struct menu {
    enum menu_page page;
    size_t selected[MENU_PAGES];
    struct menu_row row[MENU_ROWS_MAX];
    size_t count;
    char error[400];
};

/* Where rows get what they say from. `lab` may be NULL. */
struct menu_world {
    struct lab *lab;
    const struct sim *sim;
    const struct lesson *lesson;
    size_t card;
    const struct lesson_honesty *honesty; /* the honesty page; or NULL */
    sim_ps rate;                          /* simulated time a second of watching, 0: not known */
};

bool menu_has(const struct menu_world *world, enum menu_page page);
void menu_open(struct menu *menu, const struct menu_world *world, enum menu_page page);
/* The rows of the page anew. */
void menu_refresh(struct menu *menu, const struct menu_world *world);
void menu_turn(struct menu *menu, const struct menu_world *world, bool back);
void menu_move(struct menu *menu, int by);
/* The switches, this one chosen. */
void menu_go_to_knob(struct menu *menu, const struct menu_world *world, enum sim_knob knob);
/* The chosen row; NULL: the page has none. */
const struct menu_row *menu_chosen(const struct menu *menu);

/* What KEEP's rows do, by index. */
enum menu_keep { MENU_KEEP_RUN, MENU_KEEP_LESSON, MENU_KEEP_COUNT };

void menu_fill(const struct menu *menu, const struct menu_world *world, struct scene_mem *mem,
               struct scene *scene);

#endif
