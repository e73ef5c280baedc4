#include "ui/layout.h"

/* Below these a layout would cut what makes it worth having. */
enum {
    NORMAL_W = 76,
    NORMAL_H = 22,
    WIDE_W = 112,
    WIDE_H = 36,
    NARROW_W = 18,
    NARROW_H = 4,
    LOWER_LIKED = 8, /* rows for timeline and card, */
    LOWER_MIN = 6,   /* and as few as a picture leaves them */
    PROSE_LINES = 2  /* what a narrow screen keeps for prose */
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
    if (w >= WIDE_W && h >= WIDE_H) {
        return UI_LAYOUT_WIDE;
    }
    if (w >= NORMAL_W && h >= NORMAL_H) {
        return UI_LAYOUT_NORMAL;
    }
    return w >= NARROW_W && h >= NARROW_H ? UI_LAYOUT_NARROW : UI_LAYOUT_NOTICE;
}

static struct ui_layout narrow(int w, int h, struct ui_layout_wish wish)
{
    struct ui_layout l = { .kind = UI_LAYOUT_NARROW, .split_x = -1 };
    l.header = row(0, w);
    l.footer = row(h - 1, w);
    int end = h - 1;
    if (h > wish.view_rows + PROSE_LINES + 3) {
        l.scrubber = row(--end, w);
    }
    const int body = end - 1;
    const int gpus = at_most(wish.view_rows - 1, at_least(body - PROSE_LINES, 1));
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

static struct ui_layout wide(int w, int h, struct ui_layout_wish wish)
{
    const int right = at_most(w * 38 / 120, 62);
    struct ui_layout l = { .kind = UI_LAYOUT_WIDE, .split_x = w - right };
    const int left = l.split_x;
    const int rx = left + 2;
    const int rw = right - 2;
    l.header = row(0, w);
    l.footer = row(h - 1, w);
    l.scrubber = row(h - 3, w);
    int end = h - 3;
    l.follow = row(--end, w);
    end -= at_most(at_least(wish.switch_rows, 1), 4);
    l.switches = (struct ui_rect){ 0, end, w, h - 4 - end };
    l.switches_heading = row(--end, w);
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
    const bool is_wide = ui_layout_kind(w, h) == UI_LAYOUT_WIDE;
    const int rows = is_wide ? h : normal_rows(h) - LOWER_MIN;
    const struct ui_layout_wish all = { .fabric_rows = rows,
                                        .fabric_best = rows,
                                        .switch_rows = switch_rows };
    const struct ui_rect fabric = is_wide ? wide(w, h, all).fabric : normal(w, h, all).fabric;
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
    case UI_LAYOUT_NOTICE:
        break;
    }
    return (struct ui_layout){ .kind = UI_LAYOUT_NOTICE, .split_x = -1 };
}
