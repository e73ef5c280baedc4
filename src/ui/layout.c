#include "ui/layout.h"

/* Below these a layout would cut what makes it worth having. */
enum {
    NORMAL_W = 76,
    NORMAL_H = 22,
    WIDE_W = 112,
    WIDE_H = 36,
    LARGE_W = 170,
    LARGE_H = 50,
    NARROW_W = 18,
    NARROW_H = 4,
    LOWER_LIKED = 8, /* rows for timeline and card, */
    LOWER_MIN = 6,   /* and as few as a picture leaves them */
    EVENTS_MIN = 4,
    ASK_LIKED = 13,  /* rows of a question with its choices, */
    WHY_ROWS = 7,    /* of its answer */
    PROSE_LINES = 2, /* what a narrow screen keeps for prose, */
    PROSE_LIKED = 5  /* and what it likes to: a question and its choices */
};

static int at_least(int v, int low)
{
    return v < low ? low : v;
}

static int at_most(int v, int high)
{
    return v > high ? high : v;
}

static struct ui_rect row(int y, int w)
{
    return (struct ui_rect){ 0, y, w, 1 };
}

enum ui_layout_kind ui_layout_kind(int w, int h)
{
    if (w >= LARGE_W && h >= LARGE_H) {
        return UI_LAYOUT_LARGE;
    }
    if (w >= WIDE_W && h >= WIDE_H) {
        return UI_LAYOUT_WIDE;
    }
    if (w >= NORMAL_W && h >= NORMAL_H) {
        return UI_LAYOUT_NORMAL;
    }
    return w >= NARROW_W && h >= NARROW_H ? UI_LAYOUT_NARROW : UI_LAYOUT_NOTICE;
}

int ui_layout_narrow_rows(int h)
{
    return at_least(h - 2 - PROSE_LINES, 1);
}

static struct ui_layout narrow(int w, int h, struct ui_layout_wish wish)
{
    struct ui_layout l = { .kind = UI_LAYOUT_NARROW, .split_x = -1 };
    l.header = row(0, w);
    l.footer = row(h - 1, w);
    int end = h - 1;
    if (h > wish.view_rows + PROSE_LIKED + 1) {
        l.scrubber = row(--end, w);
    }
    const int body = end - 1;
    const int gpus = at_most(wish.view_rows - 1, ui_layout_narrow_rows(h));
    l.view = (struct ui_rect){ 0, 1, w, gpus };
    l.prose = (struct ui_rect){ 0, 1 + gpus, w, at_least(body - gpus, 0) };
    return l;
}

/* Rows for fabric and halves: without header, headings, scrubber and footer. */
static int normal_rows(int h)
{
    return h - 5;
}

static struct ui_layout normal(int w, int h, struct ui_layout_wish wish)
{
    struct ui_layout l = { .kind = UI_LAYOUT_NORMAL, .split_x = w * 46 / 80 };
    l.header = row(0, w);
    l.footer = row(h - 1, w);
    l.scrubber = row(h - 2, w);
    int end = h - 2;
    l.switches_heading = row(--end, w);
    const int rest = normal_rows(h);
    /* Where there is no picture in any case, the list of GPUs in two columns leaves more to the card. */
    const bool pictured = rest - LOWER_MIN >= wish.fabric_rows;
    const int fabric_rows = pictured ? wish.fabric_rows : wish.list_rows;
    int lower = at_least(wish.view_rows, LOWER_LIKED);
    if (rest - lower < fabric_rows) {
        lower = at_least(rest - fabric_rows, pictured ? LOWER_MIN : LOWER_LIKED);
    }
    int upper = at_most(at_least(rest - lower, 0), wish.fabric_best);
    if (rest - upper - lower > 0) {
        l.follow = row(1 + upper, w);
        upper++;
    }
    lower = rest - upper;
    l.fabric = (struct ui_rect){ 0, 1, w, l.follow.h > 0 ? upper - 1 : upper };
    const int y = 1 + upper;
    l.view_heading = (struct ui_rect){ 0, y, l.split_x, 1 };
    l.prose_heading = (struct ui_rect){ l.split_x + 1, y, w - l.split_x - 1, 1 };
    l.view = (struct ui_rect){ 0, y + 1, l.split_x - 1, lower };
    l.prose = (struct ui_rect){ l.split_x + 1, y + 1, w - l.split_x - 1, lower };
    return l;
}

/* Header, and what is below the halves: the same for WIDE and LARGE. Returns the row after the halves. */
static int frame_rows(struct ui_layout *l, int w, int h, struct ui_layout_wish wish)
{
    l->header = row(0, w);
    l->footer = row(h - 1, w);
    l->scrubber = row(h - 3, w);
    int end = h - 3;
    l->follow = row(--end, w);
    end -= at_most(at_least(wish.switch_rows, 1), 4);
    l->switches = (struct ui_rect){ 0, end, w, h - 4 - end };
    l->switches_heading = row(--end, w);
    return end;
}

/* A heading and `rows` below it, from row `*y` on, which moves on. */
static void place(struct ui_rect *heading, struct ui_rect *body, struct ui_rect column, int *y,
                  int rows)
{
    *heading = (struct ui_rect){ column.x, *y, column.w, 1 };
    *body = (struct ui_rect){ column.x, *y + 1, column.w, rows };
    *y += 1 + rows;
}

static void inset(struct ui_rect *r)
{
    r->x++;
    r->w--;
}

static struct ui_layout large(int w, int h, struct ui_layout_wish wish)
{
    struct ui_layout l = { .kind = UI_LAYOUT_LARGE, .split_x = w - w * 39 / 100 };
    const int end = frame_rows(&l, w, h, wish);
    const struct ui_rect left = { 0, 1, l.split_x - 1, end - 1 };
    const struct ui_rect right = { l.split_x + 1, 1, w - l.split_x - 1, end - 1 };
    /* The picture as it likes, all GPUs of the timeline, a plot twice as high as elsewhere; events have the
     * rest. */
    const int others = 3 + LOWER_LIKED + LOWER_LIKED + EVENTS_MIN;
    const int fabric =
        at_most(wish.fabric_best, at_least(left.h - others, at_most(wish.fabric_rows, left.h / 2)));
    int room = left.h - fabric - 3; /* without three headings */
    const int view =
        at_most(at_least(wish.view_rows, 5), at_least(room - LOWER_LIKED - EVENTS_MIN, 5));
    room -= view;
    const int plot = at_most(at_least(wish.plot_rows, LOWER_LIKED), at_least(room * 2 / 3, 3));
    l.fabric = (struct ui_rect){ 0, 1, l.split_x, fabric };
    int y = 1 + fabric;
    place(&l.view_heading, &l.view, left, &y, view);
    place(&l.plot_heading, &l.plot, left, &y, plot);
    place(&l.events_heading, &l.events, left, &y, end - y - 1);
    /* Right: the card beside the picture; a question, why, and a packet, which is long, has the rest. */
    y = 1;
    place(&l.prose_heading, &l.prose, right, &y, at_most(fabric - 1, ASK_LIKED));
    place(&l.ask_heading, &l.ask, right, &y, ASK_LIKED);
    place(&l.why_heading, &l.why, right, &y, WHY_ROWS); /* whoever waits: nothing may jump */
    l.inspector = (struct ui_rect){ right.x, y, right.w, end - y };
    l.view_heading.w = l.plot_heading.w = l.events_heading.w = l.split_x;
    inset(&l.prose);
    inset(&l.ask);
    inset(&l.why);
    return l;
}

static struct ui_layout wide(int w, int h, struct ui_layout_wish wish)
{
    const int right = at_most(w * 38 / 120, 62);
    struct ui_layout l = { .kind = UI_LAYOUT_WIDE, .split_x = w - right };
    const int left = l.split_x;
    const int rx = left + 2;
    const int rw = right - 2;
    const int end = frame_rows(&l, w, h, wish);
    /* The picture first, then all GPUs of the timeline, then events; and air where rows are left. */
    const int room = end - 1 - 1 - 1; /* without header and the two headings */
    const int view = at_most(at_least(wish.view_rows, 5),
                             at_least(room - at_most(wish.fabric_rows, room / 2 + 4), 5));
    const int spare = room - view;
    const int fabric =
        at_most(wish.fabric_best, at_least(spare - 6, at_most(wish.fabric_rows, spare)));
    l.fabric = (struct ui_rect){ 0, 1, left, fabric };
    int y = 1 + fabric;
    l.prose_heading = (struct ui_rect){ left + 1, 1, right - 1, 1 };
    l.prose = (struct ui_rect){ rx, 2, rw, fabric - 1 };
    l.view_heading = (struct ui_rect){ 0, y, left, 1 };
    l.ask_heading = (struct ui_rect){ left + 1, y, right - 1, 1 };
    l.ask = (struct ui_rect){ rx, y + 1, rw, end - y - 1 };
    l.view = (struct ui_rect){ 0, y + 1, left - 1, view };
    y += 1 + view;
    l.events_heading = (struct ui_rect){ 0, y, left, 1 };
    l.events = (struct ui_rect){ 0, y + 1, left - 1, end - y - 1 };
    return l;
}

int ui_layout_room(int w, int h, int switch_rows, int *columns)
{
    const enum ui_layout_kind kind = ui_layout_kind(w, h);
    const int rows = kind >= UI_LAYOUT_WIDE ? h : normal_rows(h) - LOWER_MIN;
    const struct ui_layout_wish all = { .fabric_rows = rows,
                                        .fabric_best = rows,
                                        .switch_rows = switch_rows };
    const struct ui_rect fabric = kind == UI_LAYOUT_LARGE  ? large(w, h, all).fabric
                                  : kind == UI_LAYOUT_WIDE ? wide(w, h, all).fabric
                                                           : normal(w, h, all).fabric;
    *columns = fabric.w;
    return fabric.h;
}

struct ui_layout ui_layout(int w, int h, struct ui_layout_wish wish)
{
    switch (ui_layout_kind(w, h)) {
    case UI_LAYOUT_NARROW:
        return narrow(w, h, wish);
    case UI_LAYOUT_NORMAL:
        return normal(w, h, wish);
    case UI_LAYOUT_WIDE:
        return wide(w, h, wish);
    case UI_LAYOUT_LARGE:
        return large(w, h, wish);
    case UI_LAYOUT_NOTICE:
        break;
    }
    return (struct ui_layout){ .kind = UI_LAYOUT_NOTICE, .split_x = -1 };
}
