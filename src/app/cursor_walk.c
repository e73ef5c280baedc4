/*
 * The cursor's walk: along a lane by its frames, then over the picture by its spots.
 */
#include <stdlib.h>

#include "app/cursor.h"
#include "base/mem.h"

enum { FRAMES_MAX = 256 }; /* on one lane, as far as it looks */

/* The next frame on this lane, toward its receiver or back. */
static bool step_on_lane(struct cursor *cursor, const struct sim *sim, bool ahead)
{
    struct sim_frame *frames = mem_alloc(FRAMES_MAX, sizeof *frames);
    const size_t n = cursor_frames(sim, cursor->port, frames, FRAMES_MAX);
    size_t to = SIZE_MAX;
    for (size_t i = 0; i < n && cursor->thing == CURSOR_FRAME; i++) {
        if (cursor_is_on(cursor, &frames[i])) {
            to = ahead ? i - 1 : i + 1; /* beyond either end there is none */
        }
    }
    if (cursor->thing == CURSOR_LANE) {
        to = ahead ? n - 1 : 0;
    }
    const bool found = to < n;
    if (found) {
        cursor_put_frame(cursor, &frames[to]);
    }
    free(frames);
    return found;
}

/* The spot the cursor is on; where its lane is not drawn, that of the node it comes from or leads to. */
static const struct ui_spot *spot_of(const struct cursor *cursor, const struct sim *sim,
                                     const struct ui_spot *spots, size_t count)
{
    const uint32_t from = cursor_node(cursor, sim);
    const uint32_t to =
        cursor->thing == CURSOR_NODE ? from : sim_port(sim, sim_port(sim, cursor->port).peer).node;
    const struct ui_spot *best = NULL;
    int least = 3;
    for (size_t i = 0; i < count; i++) {
        const struct ui_spot *s = &spots[i];
        const bool lane = s->kind == UI_SPOT_LANE && cursor->thing != CURSOR_NODE;
        const int rank = lane && s->id == cursor->port              ? 0
                         : s->kind == UI_SPOT_NODE && s->id == from ? 1
                         : s->kind == UI_SPOT_NODE && s->id == to   ? 2
                                                                    : 3;
        if (rank < least) {
            least = rank;
            best = s;
        }
    }
    return best;
}

static bool same_axis(enum ui_way a, enum ui_way b)
{
    return (a == UI_LEFT || a == UI_RIGHT) == (b == UI_LEFT || b == UI_RIGHT);
}

/* Onto the spot, from the side that one comes from. */
static void enter(struct cursor *cursor, const struct sim *sim, const struct ui_spot *spot,
                  enum ui_way way)
{
    const bool seen = cursor->seen;
    int x = cursor->x, y = cursor->y;
    if (spot->kind == UI_SPOT_NODE) {
        cursor_put_node(cursor, sim, spot->id);
    } else {
        cursor_put_lane(cursor, sim, spot->id,
                        same_axis(spot->way, way) && spot->way != way ? 1000 : 0, 1000);
    }
    if (!seen) {
        x = spot->r.x + spot->r.w / 2;
        y = spot->r.y + spot->r.h / 2;
    }
    ui_spot_enter(spot, &x, &y);
    cursor->seen = true;
    cursor->x = (int16_t)x;
    cursor->y = (int16_t)y;
}

bool cursor_move(struct cursor *cursor, const struct sim *sim, const struct ui_spot *spots,
                 size_t count, enum ui_way way)
{
    const struct ui_spot *from = spot_of(cursor, sim, spots, count);
    if (from == NULL) { /* it is not in this picture: begin with what is */
        for (size_t i = 0; i < count && from == NULL; i++) {
            from = spots[i].kind == UI_SPOT_NODE ? &spots[i] : NULL;
        }
        if (from != NULL) {
            enter(cursor, sim, from, way);
        }
        return from != NULL;
    }
    if (from->kind == UI_SPOT_LANE && same_axis(from->way, way) &&
        step_on_lane(cursor, sim, from->way == way)) {
        return true;
    }
    int x = cursor->x, y = cursor->y;
    if (!cursor->seen) {
        x = from->r.x + from->r.w / 2;
        y = from->r.y;
    }
    ui_spot_enter(from, &x, &y);
    const struct ui_spot *to = ui_spot_next(spots, count, from, way, x, y);
    if (to != NULL) {
        cursor->seen = true;
        cursor->x = (int16_t)x;
        cursor->y = (int16_t)y;
        enter(cursor, sim, to, way);
    }
    return to != NULL;
}
