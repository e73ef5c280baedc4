/*
 * The packet inspector in a session: opened on what the cursor is on, closed by Esc.
 */
#include "app/session_box.h"
#include "app/session_parts.h"
#include "ui/ui.h"

bool session_inspects(const struct session *s)
{
    return s->box == SESSION_BOX_PACKET && s->inspect != NULL && s->inspect->on;
}

/* Where the packet has a place of its own, the one that the cursor is on now comes there. */
static bool reopen(struct session *s)
{
    struct err err = { 0 };
    const struct run *run = player_run(s->player);
    return ui_stays_open(s->width, s->height) && s->cursor.on &&
           inspect_open(s->inspect, run, &s->cursor, &err);
}

void session_inspect_work(struct session *s)
{
    if (s->inspect == NULL) {
        return;
    }
    s->inspect->on = s->inspect->on && s->box == SESSION_BOX_PACKET;
    (void)inspect_work(s->inspect, player_run(s->player), s->patient);
    if (s->box == SESSION_BOX_PACKET && !s->inspect->on && !reopen(s)) {
        s->box = SESSION_BOX_NONE;
        session_say(s, "time went on: the packet is not there any more");
    }
}

static void open_packet(struct session *s)
{
    struct err err = { 0 };
    playback_play(&s->playback, false);
    if (!s->cursor.on) {
        (void)cursor_snap(&s->cursor, session_sim(s));
    }
    if (!s->cursor.on) {
        session_say(s, "this fabric has no cables");
        return;
    }
    if (s->inspect == NULL) {
        s->inspect = inspect_create();
    }
    if (inspect_open(s->inspect, player_run(s->player), &s->cursor, &err)) {
        session_box_packet(s);
    } else {
        session_say(s, "%s", err.msg);
    }
}

static void walk(struct session *s, bool right)
{
    if (!inspect_walk(s->inspect, player_run(s->player), &s->cursor,
                      right == session_lane_right(s, s->inspect->frame.port))) {
        session_say(s, "nothing more to the %s: Esc, then the arrows lead to other lanes",
                    right ? "right" : "left");
    }
}

void session_inspect_command(struct session *s, enum command command)
{
    switch ((int)command) {
    case COMMAND_INSPECT:
    case COMMAND_CURSOR_INSPECT:
        open_packet(s);
        break;
    case COMMAND_FIELD_UP:
    case COMMAND_FIELD_DOWN:
        inspect_select(s->inspect, command == COMMAND_FIELD_DOWN, false);
        break;
    case COMMAND_LAYER_UP:
    case COMMAND_LAYER_DOWN:
        inspect_select(s->inspect, command == COMMAND_LAYER_DOWN, true);
        break;
    case COMMAND_FOLD:
        inspect_fold(s->inspect);
        break;
    case COMMAND_FRAME_LEFT:
    case COMMAND_FRAME_RIGHT:
        walk(s, command == COMMAND_FRAME_RIGHT);
        break;
    default:
        s->box = SESSION_BOX_NONE;
        break;
    }
}
