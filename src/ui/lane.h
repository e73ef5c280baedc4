/*
 * A lane and a meter: the two pieces every picture of the fabric is made of.
 */
#ifndef WEFT_UI_LANE_H
#define WEFT_UI_LANE_H

#include "ui/canvas.h"
#include "ui/scene.h"

/*
 * Draws one direction of a cable into `w` cells of a row. `right`: it carries to the right. Where
 * marks meet in a cell the rarer one wins: a drop before a NAK before a PAUSE ... before an ACK.
 * A held drop takes its count and its word along where the lane has room: `✗12 full`.
 */
void ui_lane_draw(struct canvas *c, int x, int y, int w, const struct scene_lane *lane, bool right);

/* The rarest mark of a lane, for where there is one cell for it; NULL when it has none. */
const struct scene_mark *ui_lane_top(const struct scene_lane *lane);

/*
 * A lane where it stands upright: `n` cells from the sender's end to the receiver's. `up`: the receiver
 * is above. What is idle is drawn as a thin line.
 */
enum ui_glyph ui_lane_upright(const struct scene_lane *lane, int cell, int n, bool up);

/* Whether the cursor, or the packet the status line follows, is in that cell. */
bool ui_lane_points(const struct scene_lane *lane, int cell, int n);

/* The one cell that stands for a whole lane: its rarest mark, its state, or how busy it was. `*idle`
 * (may be NULL): there is nothing to show. */
enum ui_glyph ui_lane_cell(const struct scene_lane *lane, bool up, bool *idle);

/* Which of two lanes is shown where there is one cell for both: the higher. 0: it is idle. */
int ui_lane_rank(const struct scene_lane *lane);

/*
 * Draws a meter of `w` cells. With a mark one cell is the mark itself and the rest is divided as the
 * bytes are, at least one cell on each side:
 *     ▮▮▯╎▯▯   below the mark      ▮▮▮╎▮▯   headroom in use      ▮▮▮╎▮✗   bytes were lost
 * Cells left of the mark are all filled only when the mark is reached; any use fills one cell.
 */
void ui_meter_draw(struct canvas *c, int x, int y, int w, const struct scene_meter *meter,
                   enum ui_glyph mark);

/* Nothing is drawn in these cells. */
bool ui_is_blank(const struct canvas *c, int x, int y, int w);

/*
 * A meter beside an upright lane, from (x, y) to the right, or to the left: `w` cells, where they and one more
 * behind them are blank. Fewer than UI_METER_MIN say nothing. Never over anything, so it is drawn last.
 */
enum { UI_METER_MIN = 3, UI_METER_MOST = 6 };
void ui_meter_beside(struct canvas *c, int x, int y, bool right, int w,
                     const struct scene_meter *meter, enum ui_glyph mark);

/*
 * The two meters of a cable that stands upright, at the end where a switch is (rule 2 of the picture: two kinds,
 * never merged): what the switch holds from the lane that comes in beside that lane, what waits in it for the
 * lane that goes out beside that one.
 *
 *     up into the switch        ▮▮▯╎▯▯ │▾ ▮▯:▯▯▯        down out of it
 *
 * (x, y) is the cell of the lane at the left, `lanes` how many cells both take. `stacked`: both to the right, the
 * queue a row farther from the switch (`away`: 1 below, -1 above).
 */
struct ui_upright {
    int x, y, lanes, room; /* room: cells between this cable and the next */
    int away;
    bool stacked;
    bool left_enters; /* the lane at the left enters the switch */
};
void ui_meters_upright(struct canvas *c, const struct ui_upright *at,
                       const struct scene_meter *held, const struct scene_meter *queue);

/* "104K": bytes in at most 4 cells. `buf` holds 8 or more. */
const char *ui_bytes_short(char *buf, size_t size, int64_t bytes);

#endif
