/*
 * Spots: what lies where on the screen, for whoever points at it. A frame leaves them in its canvas as it is
 * drawn; the keys of the cursor walk from spot to spot, the mouse asks what is under it.
 *
 *     g3 ▒ ──▸──▸──▸──  [  NODE g3  ][        LANE, carries to the right        ]
 *
 * They are in the order in which they were drawn: what lies on top comes later. The id is the model's (a node,
 * a port that sends) or the number of a line, as the kind says; ui knows no more of it.
 */
#ifndef WEFT_UI_SPOT_H
#define WEFT_UI_SPOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ui_rect {
    int x, y, w, h; /* w or h below 1: empty */
};

enum ui_spot_kind {
    UI_SPOT_NODE,   /* id of a scene_node */
    UI_SPOT_LANE,   /* id of a scene_lane */
    UI_SPOT_HINT,   /* a key of the footer: id of a scene_hint */
    UI_SPOT_LINE,   /* a line of the box that is open, from 0 */
    UI_SPOT_ENTRY,  /* an entry of the home screen, from 0 */
    UI_SPOT_SWITCH, /* its digit, as a character */
    UI_SPOT_CHOICE, /* an answer that can be given: its letter */
    UI_SPOT_PAGE,   /* the pages of a menu */
    UI_SPOT_TEXT,   /* prose that can be scrolled */
    UI_SPOT_VIEW,   /* the heading of what Tab changes */
    UI_SPOT_TIME,   /* a moment: of the scrubber, of an event in the list */
    UI_SPOT_BOX     /* a box over the picture: what is below it cannot be pointed at */
};

/* Where a lane carries to, where an arrow leads. */
enum ui_way { UI_LEFT, UI_RIGHT, UI_UP, UI_DOWN };

struct ui_spot {
    struct ui_rect r;
    enum ui_spot_kind kind;
    enum ui_way way; /* LANE */
    uint32_t id;
    int64_t t_ps; /* TIME */
};

/* The one that is seen at a cell, or NULL. */
const struct ui_spot *ui_spot_at(const struct ui_spot *spots, size_t count, int x, int y);

/*
 * The next node or lane from `from` into a direction, as an eye would go: near ahead before far, and what lies
 * abreast of (x, y), the point one comes from, before what lies aside. A wire that has but the cell in which
 * it meets a bar lies before that bar, and behind it. NULL: there is none.
 */
const struct ui_spot *ui_spot_next(const struct ui_spot *spots, size_t count,
                                   const struct ui_spot *from, enum ui_way way, int x, int y);

/* (x, y) drawn into the spot. */
void ui_spot_enter(const struct ui_spot *spot, int *x, int *y);

#endif
