#include "ui/spot.h"

#include <limits.h>

const struct ui_spot *ui_spot_at(const struct ui_spot *spots, size_t count, int x, int y)
{
    for (size_t i = count; i-- > 0;) {
        const struct ui_rect *r = &spots[i].r;
        if (x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h) {
            return &spots[i];
        }
    }
    return NULL;
}

static bool is_flat(enum ui_way way)
{
    return way == UI_LEFT || way == UI_RIGHT;
}

/* How far it is from a point to a stretch, along one axis. */
static int off(int at, int from, int length)
{
    return at < from ? from - at : at >= from + length ? at - (from + length - 1) : 0;
}

/* Cells between the end of `from` and the begin of `to` in a direction; below 1: it does not lie there. */
static int ahead(const struct ui_rect *from, const struct ui_rect *to, enum ui_way way)
{
    switch (way) {
    case UI_LEFT:
        return from->x - (to->x + to->w - 1);
    case UI_RIGHT:
        return to->x - (from->x + from->w - 1);
    case UI_UP:
        return from->y - (to->y + to->h - 1);
    case UI_DOWN:
        return to->y - (from->y + from->h - 1);
    }
    return 0;
}

/* From a thing onto a lane that runs across, or off one: only where nothing else lies that way. */
static bool is_across(const struct ui_spot *from, const struct ui_spot *to, enum ui_way way)
{
    const struct ui_spot *lane = from->kind == UI_SPOT_LANE ? from : to;
    return from->kind != to->kind && is_flat(lane->way) != is_flat(way);
}

const struct ui_spot *ui_spot_next(const struct ui_spot *spots, size_t count,
                                   const struct ui_spot *from, enum ui_way way, int x, int y)
{
    enum { TALL = 2, ASIDE = 4, ACROSS = 24 }; /* a cell is about twice as high as wide */
    const struct ui_spot *best = NULL;
    int least = INT_MAX;
    for (size_t i = 0; i < count; i++) {
        const struct ui_spot *to = &spots[i];
        const int far = ahead(&from->r, &to->r, way);
        const bool here = far == 0 && from->kind != to->kind && !is_across(from, to, way);
        if ((to->kind != UI_SPOT_NODE && to->kind != UI_SPOT_LANE) || (far < 1 && !here) ||
            (to->kind == from->kind && to->id == from->id)) {
            continue;
        }
        const int aside = is_flat(way) ? TALL * off(y, to->r.y, to->r.h) : off(x, to->r.x, to->r.w);
        const int cost = (is_flat(way) ? far : TALL * far) + ASIDE * aside +
                         (is_across(from, to, way) ? ACROSS : 0);
        if (cost < least) {
            least = cost;
            best = to;
        }
    }
    return best;
}

static int drawn_in(int at, int from, int length)
{
    return at < from ? from : at >= from + length ? from + length - 1 : at;
}

void ui_spot_enter(const struct ui_spot *spot, int *x, int *y)
{
    *x = drawn_in(*x, spot->r.x, spot->r.w);
    *y = drawn_in(*y, spot->r.y, spot->r.h);
}
