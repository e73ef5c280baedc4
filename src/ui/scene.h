/*
 * The scene: everything one frame shows, as plain data.
 *
 *     app/scene_fill  --fills-->  struct scene  --ui_draw-->  struct canvas  --term-->  terminal
 *
 * A scene knows no simulator, no lesson and no terminal. It says *what is so*: nodes, cables, the
 * marks on them, meters, the history of each GPU, the text of a card. Where things go on the screen,
 * which glyph and which colour they get is the business of ui/.
 *
 * Its parts: the fabric (scene_fabric.h), what was over time (scene_time.h); texts, what-if and screens are here.
 *
 * Zero is a valid scene: `struct scene s = { 0 };` draws an empty home screen. An array is a pointer
 * and a count, a missing text is NULL, a missing part has count 0 or `shown = false`.
 *
 * Ownership: a scene owns nothing. Whoever fills it keeps what it points to alive until ui_draw()
 * has returned; `struct scene_mem` below is memory for just that long.
 *
 * Units: times are picoseconds of simulated time, sizes are bytes, positions and shares are
 * permille (0 to 1000). Text is UTF-8; every text may be NULL.
 *
 * The four words: a *card* is a page of a lesson, a *step* a training step, a *round* one of the
 * 2(N-1) exchanges of a ring, an *event* one thing that happened.
 */
#ifndef WEFT_UI_SCENE_H
#define WEFT_UI_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/scene_fabric.h"
#include "ui/scene_time.h"

/* ---- Text --------------------------------------------------------------------------------- */

/* A piece of prose: Markdown (paragraphs, lists, emphasis, code). */
struct scene_prose {
    const char *markdown;
    bool pending; /* a number in it is not measured yet: drawn dim */
};

enum scene_choice_state {
    SCENE_CHOICE_OPEN,
    SCENE_CHOICE_CHOSEN, /* the learner's, truth not shown yet */
    SCENE_CHOICE_RIGHT,
    SCENE_CHOICE_WRONG, /* chosen, and not so */
    SCENE_CHOICE_STATES
};

struct scene_choice {
    char letter; /* 'a' ... */
    const char *text;
    enum scene_choice_state state;
};

enum scene_asking {
    SCENE_ASK_NONE,    /* no question on this card */
    SCENE_ASK_OPEN,    /* waits for a letter */
    SCENE_ASK_NUMBER,  /* waits for a number */
    SCENE_ASK_TASK,    /* no question but a task: waits for switches, and to be tried */
    SCENE_ASK_TRYING,  /* it is being tried */
    SCENE_ASK_SURE,    /* has a letter, asks how sure */
    SCENE_ASK_PENDING, /* answered; the run has not shown the truth yet */
    SCENE_ASK_DONE     /* truth and reply are shown */
};

struct scene_question {
    enum scene_asking asking;
    const char *ask; /* Markdown */
    const struct scene_choice *choice;
    size_t choice_count;
    const char *said;  /* a number: what was said, and the truth when done; NULL: see the choices */
    const char *sure;  /* what was said about it: "a guess", "you think so"; NULL: nothing */
    const char *reply; /* Markdown, when done */
    const char *hint;  /* Markdown, asked for */
    bool more_hints;   /* there is another one to be asked for */
    const char *key_skip, *key_type, *key_try, *key_hint; /* NULL: s, a, Enter, H */
};

struct scene_switch {
    char digit;        /* '1' to '9' */
    const char *label; /* "flow control" */
    const char *value; /* "PFC" */
    bool changed;      /* differs from what the card set: drawn bold */
};

/* A switch that the scene sets and the card does not offer. */
struct scene_set {
    const char *name, *value;
    bool changed; /* somebody has moved it since */
};

struct scene_event {
    int64_t t_ps;
    enum scene_mark_kind mark; /* its glyph; used when `tick` is not */
    bool is_tick;              /* then `tick` is its glyph: barrier, timeout ... */
    enum scene_tick_kind tick;
    const char *text; /* "leaf1 pauses g1   XOFF" */
};

/* One key hint of the footer; those without `keep` go first when the line is too short, and after them all but
 * those that lead out of what is open. */
struct scene_hint {
    const char *keys; /* "space", ", ." */
    const char *text; /* "play" */
    bool keep, out;
    uint32_t id; /* for who clicks it (ui/spot.h) */
};

/* A box over the picture: the chain of "why is it waiting?", a list. */
struct scene_popup {
    bool shown;
    const char *title;
    bool markdown; /* the lines are Markdown, each as long as it likes */
    const char *const *line;
    size_t line_count;
    const int
        *depth; /* a tree: how many steps down each line hangs, the first at 0; NULL: a list */
    bool marks; /* the line `marked` is chosen: drawn so, and kept in sight */
    size_t marked;
    size_t scroll; /* first row shown, clamped */
};

/* A header of a frame, or a field of one. */
struct scene_field {
    const char *name;  /* as a dissector has it */
    const char *value; /* of a header: what it says of itself while it is folded */
    bool header, folded;
    size_t offset, length; /* the bytes that hold it */
};

/* A frame, header by header and byte by byte: a box over the picture. */
struct scene_inspector {
    bool shown;
    const char *title; /* "packet g3>g4:44#1, on g3:1 to leaf1" */
    const char *note;  /* instead of rows: "reading what was before: 3 ms" */
    const struct scene_field *row;
    size_t row_count, selected;
    const uint8_t *byte;
    size_t byte_count;
    const char *place; /* of the selected row: "byte 15, bits 7 to 8; ip.dsfield.ecn" */
    const char *about; /* what it is for */
};

/* A row of a menu: a name, what it is set to, what it may be. */
struct scene_menu_row {
    const char *name;
    const char *value; /* NULL: nothing is set here; Enter does it */
    const char *range; /* shown where there is room; or NULL */
    const char
        *note;    /* said in place of the range, first of all: "no effect: ecn is off"; or NULL */
    bool heading; /* a title between rows; cannot be chosen */
    bool changed; /* not as it was: drawn bold, with a star */
    bool dim;     /* not given, or without effect */
    int depth;    /* of what belongs to the row above */
};

/* Everything that can be set, in pages: a box over the picture. */
struct scene_menu {
    bool shown;
    const char *const *page; /* their names */
    size_t page_count, page_at;
    const struct scene_menu_row *row;
    size_t row_count, selected;
    const char *about; /* what the chosen row is */
    const char *error; /* why it cannot be so, in the place of `about`; or NULL */
    const char *foot;  /* what all of it comes to: "16 hosts, 6 switches"; or NULL */
};

/* What may stand where one is typing. */
struct scene_offer {
    const char *text;
    const char *mark; /* "default", "now"; or NULL */
};

/* A line being typed: `:` command, `/` filter. Above it lies what may stand there. */
struct scene_prompt {
    bool shown;
    const char *lead; /* ":" */
    const char *text;
    size_t cursor;     /* byte offset in text */
    const char *form;  /* how the command is written: "set KNOB VALUE"; or NULL */
    const char *note;  /* what is known of the word being typed; or NULL */
    const char *error; /* why the line cannot be done, in the note's place; or NULL */
    const struct scene_offer *offer;
    size_t offer_count, offer_more; /* how many more there are */
    size_t offer_at;                /* the one that was put there, from 1; 0: none */
};

/* ---- What-if ------------------------------------------------------------------------------ */

enum { SCENE_SIDES = 2 };

/* One side of a what-if: the run as it is (A), or with one change (B). */
struct scene_side {
    const char *change;   /* what is set on this side: "flow control PFC" */
    const char *progress; /* "10 steps done, in step 11" */
    const char *counts;   /* "0 lost   63,500 PAUSE" */
    struct scene_fabric fabric;
    struct scene_timeline timeline; /* of both sides: the same axis, the same rows; no title */
};

/* One thing measured on both sides. */
struct scene_metric {
    const char *name;   /* "step" */
    const char *a, *b;  /* "8.53 ms", "91.0 ms" */
    const char *differ; /* "10.7x longer"; NULL: the same on both sides, drawn dim */
};

/* Two runs with the same past on one clock, after the moment at which they were parted. */
struct scene_whatif {
    struct scene_side side[SCENE_SIDES];
    size_t picked; /* the side that Enter keeps */
    int64_t fork_ps;
    int64_t first_ps;       /* of the first difference; negative: none so far */
    const char *difference; /* what it was, or that there is none */
    const bool *differs;    /* by row: what this GPU does now differs; NULL: nothing does */
    const struct scene_metric *metric;
    size_t metric_count;
    size_t scroll;          /* first row shown, clamped */
    struct scene_plot plot; /* in place of the timelines: a quantity of A and of B; or none */
};

/* ---- Screens ------------------------------------------------------------------------------ */

struct scene_help_line {
    const char *keys; /* NULL: `text` is a heading */
    const char *text;
};

struct scene_help {
    const char *title;
    const struct scene_help_line *line; /* the marks of the picture follow by themselves */
    size_t line_count;
    size_t scroll; /* first line shown, clamped */
};

enum scene_progress { SCENE_TODO, SCENE_BEGUN, SCENE_DONE };

/* A line of the first screen. */
struct scene_entry {
    const char *heading; /* of the group that begins here: "your own: ..."; NULL: none begins */
    const char *lead; /* "start here", "go on": where to begin, drawn apart; NULL: not this one */
    const char *year; /* "2014"; NULL: it is not on the timeline */
    const char *title;
    const char *found;   /* the word that a search found, where the title has it not; or NULL */
    const char *minutes; /* "9 min" or NULL */
    const char *level;   /* "level 2" or NULL */
    enum scene_progress state;
    const char *progress; /* "card 4 of 9", "done", "" */
    const char *brief;    /* "4/9", "done", "": the same where there is little room */
};

/* The first screen: a ring that already moves, and the lessons year by year. */
struct scene_home {
    const struct scene_node *node; /* the ring, in order */
    size_t node_count;
    const struct scene_lane *lane; /* lane[i] leads from node i to node i + 1, the last to node 0 */
    const char *caption;
    const struct scene_entry *entry;
    size_t entry_count;
    size_t selected;   /* index of an entry */
    const char *count; /* "3 of 19 done": at the right of the header; or NULL */
    const char *
        about; /* what there is to know of the one that is selected, where there is room; or NULL */
    const char *note; /* "lessons/x.lua:12: ..." or NULL: one line under the list */
};

/* BLANK: nothing at all, whatever is in the scene, but its status. */
enum scene_screen { SCENE_HOME, SCENE_LESSON, SCENE_HELP, SCENE_WHATIF, SCENE_BLANK };

/*
 * What takes turns on the left below the fabric (Tab); on a narrow screen, what fills it. MAIN is what
 * one sees first: the timeline, or one line a GPU where there is no room for the fabric.
 */
enum scene_view {
    SCENE_VIEW_MAIN,
    SCENE_VIEW_PROSE,
    SCENE_VIEW_TIMELINE,
    SCENE_VIEW_EVENTS,
    SCENE_VIEW_SWITCHES,
    SCENE_VIEW_GPUS,
    SCENE_VIEW_PLOT,
    SCENE_VIEW_SPREAD,
    SCENE_VIEWS
};

struct scene {
    enum scene_screen screen;
    enum scene_view view; /* see ui_view_next() */
    bool ascii;           /* use the ASCII set */
    bool presenter;       /* a lesson is shown to a room: one picture, one sentence */
    size_t sentence;      /* then: which sentence of the card, from 0; clamped */

    /* Header */
    const char *title;  /* "One lost packet" */
    size_t card, cards; /* 4 of 9; 0: not a lesson with cards */
    int minutes_left;   /* negative: not known */

    struct scene_fabric fabric;
    bool flows; /* nobody trains: the state of a host is that of what it sends */
    const char
        *scale; /* "true size: link, packet, timers   shrunk: gradient 1/400": on the first card
                          of a scene. That lanes are blurred is said by ui itself. */
    struct scene_timeline timeline;
    struct scene_many many;
    struct scene_scrubber scrubber;
    struct scene_plot plot;

    const char *prose_title; /* "what happens"; NULL: that */
    const struct scene_prose *prose;
    size_t prose_count;
    const char
        *earlier; /* Markdown: what was said to this card's questions before; NULL: it had none */
    struct scene_question question;
    const char *quiet; /* "Nothing moved for 16.7 ms. At the speed you watched, 2 h 19 min." */
    bool quiet_past;   /* that was a while ago: the run stands */
    int prose_scroll;  /* lines down (or up, negative) from where it starts by itself: at its top,
                             or at its end while a question is open; clamped */

    const struct scene_switch *sw;
    size_t sw_count;
    const struct scene_set *set; /* in the view of switches, below those of the card */
    size_t set_count;
    const char *counts; /* "812 pauses, 0 lost": at the end of the switches' line */

    const struct scene_event *event; /* newest last */
    size_t event_count;
    const char *event_filter; /* "drops": only these are in it; NULL: all */

    const char *follow; /* what the cursor is on, or what became of the victim */
    const char *strip;  /* the lesson's file is broken: lies over the header until it is mended */
    const char *status; /* the answer to the last key; NULL after a while */
    const struct scene_hint *hint;
    size_t hint_count;

    struct scene_popup why;
    struct scene_popup
        reasons; /* "why is it waiting?" where it has a place of its own: ui_stays_open() */
    struct scene_inspector inspector;
    struct scene_prompt prompt;
    struct scene_menu menu;
    struct scene_help help;
    struct scene_home home;
    struct scene_whatif whatif; /* with title, scrubber, hint, status, why and prompt of above */
};

/* ---- Memory for one frame ------------------------------------------------------------------ */

/*
 * Blocks that are handed out piece by piece and taken back all at once. Zero is a valid empty one.
 *     scene_mem_reset(&mem);            at the start of each frame; keeps the blocks
 *     marks = scene_mem_take(&mem, n, sizeof *marks);
 *     scene.status = scene_mem_textf(&mem, "gear %s", name);
 */
struct scene_mem {
    struct scene_mem_block *block; /* the one in use; the others hang on it */
    struct scene_mem_block *spare;
};

/* Zeroed memory, aligned for anything, valid until the next reset. count * size may be 0. */
void *scene_mem_take(struct scene_mem *mem, size_t count, size_t size);
/* A text printed into frame memory. Never NULL. */
const char *scene_mem_textf(struct scene_mem *mem, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void scene_mem_reset(struct scene_mem *mem);
void scene_mem_finish(struct scene_mem *mem);

#endif
