/*
 * The cursor in a session: where it goes, what x and Enter do with what it is on.
 */
#include <stdlib.h>

#include "app/server.h"
#include "app/session_box.h"
#include "app/session_parts.h"
#include "base/mem.h"

void session_spots(struct session *s, const struct ui_spot *spots, size_t count)
{
    s->spot = mem_grow(s->spot, &s->spot_cap, count, sizeof *s->spot);
    s->spot_count = count;
    for (size_t i = 0; i < count; i++) {
        s->spot[i] = spots[i];
    }
}

static bool draws(const struct session *s, enum ui_spot_kind kind)
{
    for (size_t i = 0; i < s->spot_count; i++) {
        if (s->spot[i].kind == kind) {
            return true;
        }
    }
    return s->spot_count == 0; /* nothing was drawn yet: it will be */
}

/* ---- putting it on ------------------------------------------------------------------------------ */

void session_do_cursor(struct session *s)
{
    const struct sim *sim = session_sim(s);
    s->cursor_lent = false;
    playback_play(&s->playback, false);
    s->wants_packet = false;
    if (!draws(s, UI_SPOT_NODE)) {
        s->view = SCENE_VIEW_MAIN; /* a narrow screen shows it there */
    }
    if (!draws(s, UI_SPOT_LANE) && s->need != PLAYER_DROP && cursor_put_worst(&s->cursor, sim)) {
        session_say(s, "arrows go from GPU to GPU, {key:cursor-inspect} opens its server, "
                       "{key:cursor-drop} lists faults");
    } else if (!cursor_snap(&s->cursor, sim)) {
        (void)cursor_put_worst(&s->cursor, sim);
        session_say(s, "no packet on its way: {key:tick-on} lets a moment pass; "
                       "{key:cursor-drop} lists faults");
    }
}

void session_cursor_move(struct session *s, enum ui_way way)
{
    static const char *const words[] = { "to the left of", "to the right of", "above", "below" };
    s->cursor_lent = false;
    if (!draws(s, UI_SPOT_NODE)) {
        s->view = SCENE_VIEW_MAIN;
        session_say(s, "the cursor walks in the picture: here it is");
    } else if (!cursor_move(&s->cursor, session_sim(s), s->spot, s->spot_count, way)) {
        session_say(s, "nothing %s here", words[way]);
    }
}

void session_cursor_off(struct session *s, uint32_t key)
{
    if (s->need == PLAYER_DROP && s->cursor.thing != CURSOR_FRAME && key != TERM_KEY_ESC) {
        session_do_cursor(s);                           /* to a packet: the card asks for one */
    } else if (s->cursor_lent && key != TERM_KEY_ESC) { /* c asks for what is there already */
        s->cursor_lent = false;
        session_say(s, s->need == PLAYER_DROP
                           ? "already on it: {key:cursor-drop} destroys it, arrows choose another"
                           : "already here: arrows move it, again: off");
    } else if (s->only != NULL) {
        session_close_server(s);
    } else {
        s->cursor.on = false;
    }
}

/* Whether the lane of a frame leads to the right (or up) as it is drawn. */
bool session_lane_right(const struct session *s, uint32_t port)
{
    for (size_t i = 0; i < s->spot_count; i++) {
        if (s->spot[i].kind == UI_SPOT_LANE && s->spot[i].id == port) {
            return s->spot[i].way == UI_RIGHT || s->spot[i].way == UI_UP;
        }
    }
    return true;
}

/* ---- a server of the map ------------------------------------------------------------------------ */

void session_close_server(struct session *s)
{
    free(s->only);
    s->only = NULL;
}

static void open_server(struct session *s)
{
    const struct sim *sim = session_sim(s);
    char name[96];
    bool *only = mem_alloc(sim_node_count(sim), sizeof *only);
    if (server_mark(sim, s->cursor.node, only)) {
        session_say(s, "the server of %s; {key:cursor-off} goes back to all",
                    server_name(sim, only, name, sizeof name));
        session_close_server(s);
        s->only = only;
        return;
    }
    free(only);
    session_say(s, "%s: {key:why} asks why it waits, {key:cursor-drop} lists faults",
                sim_node(sim, s->cursor.node).name);
}

void session_do_open(struct session *s)
{
    if (s->cursor.on && s->cursor.thing == CURSOR_NODE) {
        open_server(s);
    } else {
        session_inspect_command(s, COMMAND_CURSOR_INSPECT);
    }
}

/* ---- x ------------------------------------------------------------------------------------------ */

/* Time goes on, so that one sees what comes of it. */
static void watch_it(struct session *s)
{
    if (s->need != PLAYER_ANSWER && s->need != PLAYER_FIX && s->need != PLAYER_DROP) {
        playback_play(&s->playback, true);
    }
}

static void drop_packet(struct session *s, const struct sim_cmd *cmd)
{
    struct victim victim = { 0 };
    const struct cursor at = s->cursor;
    victim_take(&victim, session_sim(s), at.flow, at.psn, at.attempt);
    if (!session_do_to_run(s, cmd, NULL)) {
        victim_finish(&victim);
        return;
    }
    fate_finish(&s->fate);
    victim_finish(&s->victim);
    s->victim = victim;
    s->cursor.on = false;
    s->status[0] = '\0';
    if (s->cut_lines > 0) {
        session_say_done(s, "the packet is lost");
    }
    if (s->need == PLAYER_DROP) {
        s->did_drop = true;
        session_proceed(s); /* what the card waited for */
    } else {
        watch_it(s);
    }
}

bool session_do_fault(struct session *s, const struct sim_cmd *cmd)
{
    struct fate fate = { 0 };
    char what[120];
    fate_take(&fate, session_sim(s), cmd);
    if (!session_do_to_run(s, cmd, NULL)) {
        fate_finish(&fate);
        return false;
    }
    victim_finish(&s->victim);
    fate_finish(&s->fate);
    s->fate = fate;
    session_say_done(s, "%s; {key:undo} takes it back", whatif_say(cmd, what, sizeof what));
    return true;
}

/* A data packet has a line of its own, and is what a card may have asked for. */
static void destroy(struct session *s, const struct sim_cmd *cmd)
{
    if (cmd->kind == SIM_CMD_DROP) {
        drop_packet(s, cmd);
    } else if (s->need == PLAYER_DROP) {
        session_say(s, "no data packet: the arrows lead to one, as the card asks");
    } else {
        s->cursor.on = false;
        if (session_do_fault(s, cmd)) {
            watch_it(s);
        }
    }
}

void session_do_drop(struct session *s)
{
    struct err err = { 0 };
    struct sim_cmd cmd;
    const struct sim *sim = session_sim(s);
    if (!s->cursor.on) {
        playback_play(&s->playback, false);
        if (cursor_snap(&s->cursor, sim)) {
            session_say(s, "the cursor is on a packet: x again destroys it");
        } else {
            s->cursor.on = false;
            session_say(s, "no packet on its way: {key:tick-on} lets a moment pass; "
                           "{key:faults} lists faults");
        }
    } else if (s->cursor.thing != CURSOR_FRAME) {
        session_do_faults(s);
    } else if (!cursor_drop(&s->cursor, sim, &cmd, &err)) {
        session_say(s, "%s", err.msg);
    } else {
        destroy(s, &cmd);
    }
}

/* ---- the fault menu ----------------------------------------------------------------------------- */

void session_do_faults(struct session *s)
{
    const struct sim *sim = session_sim(s);
    playback_play(&s->playback, false);
    if (!s->cursor.on && !cursor_put_worst(&s->cursor, sim)) {
        (void)cursor_snap(&s->cursor, sim);
    }
    if (s->fault == NULL) {
        s->fault = mem_alloc(FAULTS_MAX, sizeof *s->fault);
    }
    const sim_ps step = sim_rank_count(sim) > 0 ? s->playback.tick[PLAYBACK_STEP] : 0;
    s->fault_count = fault_choices(player_run(s->player), &s->cursor, step, s->fault);
    if (s->need == PLAYER_DROP && s->cursor.thing != CURSOR_FRAME) {
        session_say(s, "no packet here: {key:cursor} leads to one, as the card asks");
    } else if (s->fault_count == 0) {
        session_say(s, "nothing more can be done to it; {key:undo} takes back what was");
    } else {
        session_box_faults(s);
    }
}

void session_fault_choose(struct session *s)
{
    const struct fault_choice *choice =
        s->box_selected < s->fault_count ? &s->fault[s->box_selected] : NULL;
    s->box = SESSION_BOX_NONE;
    if (choice == NULL) {
        return;
    }
    const struct sim_cmd cmd = choice->cmd;
    if (cmd.kind == SIM_CMD_DROP) { /* of a GPU: the packet that leaves it */
        const uint32_t flow = sim_find_flow(session_sim(s), cmd.flow);
        s->cursor.thing = CURSOR_FRAME;
        s->cursor.flow = flow;
        s->cursor.psn = cmd.psn;
        s->cursor.attempt = cmd.attempt;
    }
    if (cmd.kind == SIM_CMD_DROP || cmd.kind == SIM_CMD_DROP_FRAME) {
        destroy(s, &cmd);
    } else if (session_do_fault(s, &cmd)) {
        watch_it(s);
    }
}
