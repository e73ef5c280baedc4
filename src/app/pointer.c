#include "app/pointer.h"

#include "app/session_box.h"
#include "app/session_parts.h"

/* ---- the picture -------------------------------------------------------------------------------- */

/* How far along its lane a cell is, permille from the sender. */
static int along(const struct ui_spot *spot, int x, int y)
{
    const bool flat = spot->way == UI_LEFT || spot->way == UI_RIGHT;
    const int length = flat ? spot->r.w : spot->r.h;
    const int at = flat ? x - spot->r.x : y - spot->r.y;
    const int permille = length > 1 ? at * 1000 / (length - 1) : 0;
    return spot->way == UI_RIGHT || spot->way == UI_DOWN ? permille : 1000 - permille;
}

/* Within a cell and a half: a mark is small, and so is a cell. */
static int reach(const struct ui_spot *spot)
{
    const int length = spot->r.w > spot->r.h ? spot->r.w : spot->r.h;
    return length > 1 ? 1500 / (length - 1) : 1000;
}

static bool same_thing(const struct cursor *a, const struct cursor *b)
{
    if (!a->on || a->thing != b->thing) {
        return false;
    }
    return a->thing == CURSOR_NODE ? a->node == b->node
           : a->thing == CURSOR_LANE
               ? a->port == b->port
               : a->kind == b->kind && a->flow == b->flow && a->psn == b->psn &&
                     a->attempt == b->attempt && a->port == b->port;
}

static void point_at(struct session *s, const struct ui_spot *spot, int x, int y, int64_t now_ms)
{
    const struct sim *sim = session_sim(s);
    const struct cursor before = s->cursor;
    struct cursor at = { 0 };
    if (spot->kind == UI_SPOT_NODE && spot->id < sim_node_count(sim)) {
        cursor_put_node(&at, sim, spot->id);
    } else if (spot->kind == UI_SPOT_LANE && spot->id < sim_port_count(sim)) {
        cursor_put_lane(&at, sim, spot->id, along(spot, x, y), reach(spot));
    } else {
        return;
    }
    at.seen = true;
    at.x = (int16_t)x;
    at.y = (int16_t)y;
    playback_play(&s->playback, false);
    s->wants_packet = false;
    s->cursor = at;
    s->cursor_lent = false;
    if (same_thing(&before, &at)) {
        session_command(s, COMMAND_CURSOR_INSPECT, 0, now_ms);
    } else {
        session_update_follow(s);
    }
}

static void go_to(struct session *s, sim_ps t)
{
    if (t > sim_now(session_sim(s))) {
        session_play_to(s, t);
    } else {
        (void)session_seek(s, t);
    }
}

/* ---- what is clicked ---------------------------------------------------------------------------- */

/* A key of the bottom line; some stand for several, and those need to be pressed. */
static void do_hint(struct session *s, enum command command, int64_t now_ms)
{
    const bool several = command == COMMAND_ANSWER || command == COMMAND_SURE ||
                         command == COMMAND_SWITCH || command == COMMAND_PROMPT_TYPE ||
                         command == COMMAND_CURSOR_LEFT;
    if (several) {
        session_say(s, "these are keys to press");
    } else if (command > COMMAND_NONE && command < COMMAND_COUNT) {
        session_command(s, command, command_info(command)->keys[0], now_ms);
    }
}

static void click(struct session *s, const struct ui_spot *spot, int x, int y, int64_t now_ms)
{
    const bool over = s->box != SESSION_BOX_NONE || s->prompt.on;
    switch (spot->kind) {
    case UI_SPOT_HINT:
        do_hint(s, (enum command)spot->id, now_ms);
        break;
    case UI_SPOT_LINE:
        if (s->box == SESSION_BOX_MENU) {
            if (session_menu_pick(s, spot->id)) { /* again: what Enter does */
                session_command(s, COMMAND_MENU_DO, 0, now_ms);
            }
        } else if (session_box_pick(s, spot->id)) {
            session_command(s, s->box == SESSION_BOX_WHY ? COMMAND_WHY_GO : COMMAND_LIST_GO, 0,
                            now_ms);
        }
        break;
    case UI_SPOT_NODE:
    case UI_SPOT_LANE:
        if (!over && !session_in_whatif(s)) {
            point_at(s, spot, x, y, now_ms);
        }
        break;
    case UI_SPOT_SWITCH:
        if (!over && !session_in_whatif(s)) {
            session_command(s, COMMAND_SWITCH, spot->id, now_ms);
        }
        break;
    case UI_SPOT_CHOICE:
        if (!over && !session_in_whatif(s)) {
            session_command(s, COMMAND_ANSWER, spot->id, now_ms);
        }
        break;
    case UI_SPOT_PAGE:
        if (s->box == SESSION_BOX_MENU && !s->prompt.on) {
            session_command(s, COMMAND_MENU_PAGE, TERM_KEY_TAB, now_ms);
        }
        break;
    case UI_SPOT_VIEW:
        if (!over) {
            session_command(s, COMMAND_VIEW, TERM_KEY_TAB, now_ms);
        }
        break;
    case UI_SPOT_TIME:
        if (!over && !session_in_whatif(s)) {
            go_to(s, spot->t_ps);
        }
        break;
    case UI_SPOT_ENTRY: /* of the home screen */
    case UI_SPOT_TEXT:
    case UI_SPOT_BOX:
        break;
    }
}

/* ---- the wheel ---------------------------------------------------------------------------------- */

static void wheel(struct session *s, const struct ui_spot *spot, bool down, int64_t now_ms)
{
    enum { LINES = 3 };
    const unsigned active = session_contexts(s);
    const uint32_t key = down ? TERM_KEY_DOWN : TERM_KEY_UP;
    if (s->prompt.on) {
        return;
    }
    if (s->box != SESSION_BOX_NONE) { /* what its arrows do */
        session_command(s, command_of_key(key, active), key, now_ms);
    } else if (spot != NULL && spot->kind == UI_SPOT_TEXT) {
        s->prose_scroll += down ? LINES : -LINES;
    } else {
        session_command(s, down ? COMMAND_TICK_ON : COMMAND_TICK_BACK, 0, now_ms);
    }
}

void pointer_mouse(struct session *s, const struct term_mouse *mouse, int64_t now_ms)
{
    const struct ui_spot *spot = ui_spot_at(s->spot, s->spot_count, mouse->x, mouse->y);
    s->now_ms = now_ms;
    if (mouse->what != TERM_MOUSE_CLICK) {
        wheel(s, spot, mouse->what == TERM_MOUSE_WHEEL_DOWN, now_ms);
    } else if (spot != NULL) {
        click(s, spot, mouse->x, mouse->y, now_ms);
    }
}
