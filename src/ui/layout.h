/*
 * Which part of the screen is for what: named rectangles, from the size alone (and from how many
 * rows fabric and timeline would like).
 *
 *   NORMAL, 80x24                          WIDE, 120x40 and larger
 *   +------------- header -------------+   +------------- header -------------+
 *   |              fabric              |   |       fabric         |           |
 *   |                                  |   |                      |   prose   |
 *   +-- left heading --+-- heading ----+   +----- left heading ---+- heading -+
 *   |  view (Tab)      |     prose     |   |       view           |   ask     |
 *   |                  |  + question   |   +-- heading -----------|           |
 *   +------------ switches ------------+   |       events         |           |
 *   |             scrubber             |   +------------ switches ------------+
 *   +-------------- footer ------------+   |         scrubber, footer         |
 *
 *   LARGE, 170x50 and larger: like WIDE, and what has to be opened elsewhere has a place of its own
 *   +------------------ header ------------------+
 *   |       fabric             |      prose      |
 *   +------ left heading ------+---- heading ----+
 *   |       view               |      ask        |
 *   +------ heading -----------+---- heading ----+
 *   |       plot               |      why        |
 *   +------ heading -----------+-----------------+
 *   |       events             |    inspector    |
 *   +------ switches, scrubber, footer ----------+
 *
 *   NARROW, 40x12: header, one line a GPU, two lines of prose, footer; Tab for the rest.
 *   NOTICE: too small for anything: one sentence that fits.
 *
 * The follow line (what the cursor is on, what became of the victim) has a row of its own where
 * there is room, and shares the switches' row at 80x24.
 */
#ifndef WEFT_UI_LAYOUT_H
#define WEFT_UI_LAYOUT_H

#include "ui/canvas.h"

/* Each has at least what the one before has. */
enum ui_layout_kind {
    UI_LAYOUT_NOTICE,
    UI_LAYOUT_NARROW,
    UI_LAYOUT_NORMAL,
    UI_LAYOUT_WIDE,
    UI_LAYOUT_LARGE
};

/* Rectangles of a size 0 are not there. Headings are rows of their own. */
struct ui_layout {
    enum ui_layout_kind kind;
    struct ui_rect header;
    struct ui_rect fabric;
    struct ui_rect view_heading, view;
    struct ui_rect prose_heading, prose;
    struct ui_rect ask_heading, ask;       /* WIDE: question and reply, else the legend */
    struct ui_rect events_heading, events; /* WIDE */
    struct ui_rect plot_heading, plot;     /* LARGE */
    struct ui_rect why_heading, why;       /* LARGE */
    struct ui_rect inspector;              /* LARGE: with a frame of its own */
    struct ui_rect switches_heading, switches;
    struct ui_rect follow;
    struct ui_rect scrubber;
    struct ui_rect footer;
    int split_x; /* column of the line between left and right, -1: none */
};

/* What the content would like, in rows. */
struct ui_layout_wish {
    int fabric_rows; /* least that draws the fabric as a picture */
    int fabric_best; /* with air between the cables */
    int list_rows;   /* of GPUs, in two columns, where there is no picture */
    int view_rows;   /* one a GPU and the axis */
    int switch_rows; /* WIDE: rows of switches under their heading */
    int plot_rows;   /* LARGE */
};

enum ui_layout_kind ui_layout_kind(int w, int h);
/* Rows that the fabric may have there at most, and the columns it has. */
int ui_layout_room(int w, int h, int switch_rows, int *columns);
/* Rows that the GPUs may have at most on a NARROW screen. */
int ui_layout_narrow_rows(int h);
struct ui_layout ui_layout(int w, int h, struct ui_layout_wish wish);

#endif
