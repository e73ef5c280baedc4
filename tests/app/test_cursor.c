/* The cursor in a session: where it walks, what x and the fault menu do, what is said of it. */
#include "cmocka_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session_parts.h"
#include "base/mem.h"
#include "stage.h"

static void must_see(const struct stage *s, const char *text)
{
    if (!stage_sees(s, text)) {
        fail_msg("not on the screen: %s (status: %s; follow: %s)", text, s->session->status,
                 s->session->follow);
    }
}

/* ---- walking ------------------------------------------------------------------------------------ */

static struct picture_case {
    const char *name, *lesson;
    size_t card;
    int w, h;
} pictures[] = {
    { "lanes", "tests/e2e/try-it.lua", 1, 80, 24 },
    { "lanes on a large screen", "tests/e2e/try-it.lua", 1, 120, 40 },
    { "a list on a small one", "tests/e2e/try-it.lua", 1, 40, 12 },
    { "boxes as bars and wires", "tests/lesson/good/boxes.lua", 1, 80, 24 },
    { "boxes with room", "tests/lesson/good/boxes.lua", 1, 120, 40 },
};

/* From what the picture shows first, arrows lead to everything that it shows. */
static void everything_is_reached(void **state)
{
    const struct picture_case *c = *state;
    struct stage s;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", SOURCE_ROOT, c->lesson);
    stage_begin_lesson(&s, path, c->card);
    picture_session(&s.picture, s.session, c->h, c->w);
    const size_t n = s.session->spot_count;
    const struct ui_spot *spots = s.session->spot;
    bool *reached = mem_alloc(n + 1, sizeof *reached);
    size_t first = 0;
    while (first < n && spots[first].kind != UI_SPOT_NODE) {
        first++;
    }
    assert_true(first < n);
    reached[first] = true;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < n; i++) {
            for (int way = UI_LEFT; way <= UI_DOWN && reached[i]; way++) {
                for (int k = 0; k < 3; k++) { /* from either end, and from its middle */
                    const int x = spots[i].r.x + (spots[i].r.w - 1) * k / 2;
                    const int y = spots[i].r.y + (spots[i].r.h - 1) * k / 2;
                    const struct ui_spot *to =
                        ui_spot_next(spots, n, &spots[i], (enum ui_way)way, x, y);
                    if (to != NULL && !reached[to - spots]) {
                        reached[to - spots] = more = true;
                    }
                }
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        if ((spots[i].kind == UI_SPOT_NODE || spots[i].kind == UI_SPOT_LANE) && !reached[i]) {
            fail_msg("no way to %s %u at %d,%d", spots[i].kind == UI_SPOT_NODE ? "node" : "lane",
                     spots[i].id, spots[i].r.x, spots[i].r.y);
        }
    }
    free(reached);
    stage_end(&s);
}

static void a_walk_comes_to_an_end(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_key(&s, 'c');
    assert_int_equal(s.session->cursor.thing, CURSOR_FRAME);
    static const struct {
        uint32_t key;
        const char *said;
    } ways[] = {
        { 'h', "nothing to the left" },
        { 'k', "nothing above" },
        { 'l', "nothing to the right" },
        { 'j', "nothing below" },
    };
    for (size_t w = 0; w < COUNT_OF(ways); w++) {
        int moves = 0;
        do {
            stage_key(&s, ways[w].key);
            stage_frame(&s);
            assert_true(++moves < 100);
        } while (strstr(s.session->status, ways[w].said) == NULL);
        assert_true(s.session->cursor.on && s.session->follow[0] != '\0');
    }
    stage_end(&s);
}

/* ---- frames ------------------------------------------------------------------------------------- */

/* Plays in hops until a frame of this kind is on a cable, and puts the cursor there. */
static void go_to_frame(struct stage *s, enum sim_frame_kind kind)
{
    playback_set_gear(&s->session->playback, PLAYBACK_PACKET);
    for (int i = 0; i < 400; i++) {
        const struct sim *sim = session_sim(s->session);
        for (uint32_t p = 0; p < sim_port_count(sim); p++) {
            struct sim_frame frame[32];
            size_t n = cursor_frames(sim, p, frame, COUNT_OF(frame));
            for (size_t f = 0; f < n; f++) {
                if (frame[f].kind == kind && frame[f].end != SIM_NEVER) {
                    cursor_put_frame(&s->session->cursor, &frame[f]);
                    return;
                }
            }
        }
        stage_key(s, '.');
        stage_settle(s);
    }
    fail_msg("no such frame");
}

static void an_answer_can_be_destroyed(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    go_to_frame(&s, SIM_FRAME_ACK);
    stage_frame(&s);
    must_see(&s, "ACK for g");
    stage_key(&s, 'x');
    const struct run_line *line;
    assert_int_equal(run_journal(player_run(s.session->player), &line), 1);
    assert_int_equal(line[0].cmd.kind, SIM_CMD_DROP_FRAME);
    assert_false(s.session->cursor.on);
    stage_frame(&s);
    must_see(&s, "an ACK on the cable");
    assert_true(s.session->playback.playing);
    stage_key(&s, 'u');
    assert_int_equal(run_journal(player_run(s.session->player), &line), 0);
    stage_end(&s);
}

static void the_cursor_stays_on_an_answer(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    go_to_frame(&s, SIM_FRAME_ACK);
    const uint32_t port = s.session->cursor.port;
    for (int i = 0; i < 60 && s.session->cursor.port == port; i++) {
        struct run *run = player_run(s.session->player);
        run_until(run, run_now(run) + 100000, 0);
        cursor_follow(&s.session->cursor, run_sim(run));
    }
    assert_true(s.session->cursor.on);
    stage_end(&s);
}

/* ---- faults ------------------------------------------------------------------------------------- */

static void put_on(struct stage *s, const char *node)
{
    const struct sim *sim = session_sim(s->session);
    cursor_put_node(&s->session->cursor, sim, sim_find_node(sim, node));
}

/* Everything that is offered can be done, is said, followed, and taken back without a trace. */
static struct thing_case {
    const char *name, *node, *port;
    const char *has; /* among what is offered */
} things[] = {
    { "a GPU", "g3", NULL, "stop its GPU for" },
    { "a GPU can die", "g3", NULL, "kill g3" },
    { "a switch", "leaf1", NULL, "cut the cable between leaf1 and g2" },
    { "a lane to a GPU", NULL, "leaf1:2", "hold leaf1 back" },
    { "a lane between switches", NULL, "leaf2:6", "cut the cable between leaf2 and spine2" },
};

static void every_fault_is_done_and_undone(void **state)
{
    const struct thing_case *c = *state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    bool has = false;
    for (size_t i = 0; i == 0 || i < s.session->fault_count; i++) {
        const struct sim *sim = session_sim(s.session);
        const sim_ps at = sim_now(sim);
        const uint64_t hash = sim_state_hash(sim);
        if (c->node != NULL) {
            put_on(&s, c->node);
        } else {
            s.session->cursor = (struct cursor){ .on = true, .port = sim_find_port(sim, c->port) };
        }
        stage_key(&s, 'f');
        assert_int_equal(s.session->box, SESSION_BOX_FAULTS);
        for (size_t k = 0; k < i; k++) {
            stage_key(&s, 'j');
        }
        has = has || strstr(s.session->fault[i].text, c->has) != NULL;
        assert_true(strlen(s.session->fault[i].about) > 10);
        stage_frame(&s);
        stage_key(&s, TERM_KEY_ENTER);
        assert_int_equal(s.session->box, SESSION_BOX_NONE);
        const struct run_line *line;
        assert_int_equal(run_journal(player_run(s.session->player), &line), 1);
        s.session->patient = true;
        for (int k = 0; k < 3; k++) {
            stage_frame(&s);
            assert_true(s.session->follow[0] != '\0');
        }
        stage_key(&s, 'u');
        assert_int_equal(run_journal(player_run(s.session->player), &line), 0);
        assert_true(session_seek(s.session, at));
        assert_true(sim_state_hash(session_sim(s.session)) == hash);
    }
    assert_true(has);
    stage_end(&s);
}

/* The line follows what was done until its cost is known. */
static struct fate_case {
    const char *name, *command, *now, *then;
} fates[] = {
    { "a GPU stands still", "pause_gpu g3 200us", "g3 stands still for 200 us at 30 us",
      "; step 1 ended 192 us later" },
    { "a cable is cut", "link g3:1 down", "g3-leaf1 cut at 30 us", "lost" },
    { "a spine's cable is cut", "link leaf1:5 down", "leaf1-spine1 cut at 30 us",
      "; routes avoid it from 50" },
    { "a slow GPU meets the next step", "slow_gpu g3 2", "g3 computes 2 x as long at 30 us",
      "; step 2 ended 20.0 us later" },
    { "a dead host", "kill g3", "g3 is dead at 30 us", "stands still: dead-peer" },
    { "a slow receiver", "slow g3 50%", "g3 takes in 50 % of the line at 30 us", "; step 1 ended" },
    { "nothing comes of it", "link g3:1 up", "g3-leaf1 mended at 30 us",
      "; step 1 ended as it would have anyway" },
};

static void a_line_follows_the_fault(void **state)
{
    const struct fate_case *c = *state;
    struct stage s;
    struct sim_cmd cmd;
    struct err err = { 0 };
    stage_begin(&s, 1);
    stage_settle(&s);
    assert_true(sim_cmd_parse(c->command, &cmd, &err));
    s.session->patient = true;
    assert_true(session_do_fault(s.session, &cmd));
    playback_play(&s.session->playback, true);
    stage_frame(&s);
    assert_non_null(strstr(s.session->follow, c->now));
    playback_set_gear(&s.session->playback, PLAYBACK_STEP);
    for (int i = 0; i < 400 && c->then != NULL && strstr(s.session->follow, c->then) == NULL; i++) {
        stage_key(&s, '.');
        stage_settle(&s);
    }
    if (c->then != NULL && strstr(s.session->follow, c->then) == NULL) {
        fail_msg("%s", s.session->follow);
    }
    session_seek(s.session, 0); /* before it was done there is nothing to say */
    stage_frame(&s);
    assert_null(strstr(s.session->follow, c->now));
    stage_end(&s);
}

/* On the map of many GPUs: c goes to one, Enter opens its server with lanes, Esc closes it again. */
static void a_server_of_the_map_opens(void **state)
{
    (void)state;
    struct stage s;
    stage_begin_lesson(&s, SOURCE_ROOT "/tests/app/forty.lua", 1);
    s.session->view = SCENE_VIEW_GPUS;
    stage_frame(&s);
    stage_key(&s, 'c');
    stage_frame(&s);
    assert_int_equal(s.session->cursor.thing, CURSOR_NODE);
    must_see(&s, "Enter opens its server");
    const uint32_t first = s.session->cursor.node;
    stage_key(&s, 'j');
    stage_frame(&s);
    assert_int_equal(s.session->cursor.thing, CURSOR_NODE);
    assert_true(s.session->cursor.node != first);
    stage_key(&s, 'k');
    stage_key(&s, TERM_KEY_ENTER);
    stage_frame(&s);
    must_see(&s, "the server of g1 to g8");
    must_see(&s, " leaf1 ");
    size_t lanes = 0;
    for (size_t i = 0; i < s.session->spot_count; i++) {
        lanes += s.session->spot[i].kind == UI_SPOT_LANE;
    }
    assert_true(lanes >= 2 * 8); /* a list beside the picture has some of them, too */
    stage_key(&s, 'x');
    stage_frame(&s);
    must_see(&s, "faults: g");
    stage_key(&s, TERM_KEY_ESC);
    stage_key(&s, TERM_KEY_ESC); /* the server */
    stage_frame(&s);
    assert_true(s.session->only == NULL && s.session->cursor.on);
    stage_key(&s, TERM_KEY_ESC); /* the cursor */
    assert_false(s.session->cursor.on);
    stage_end(&s);
}

/* A card that asks for a packet takes no other frame, and no fault. */
static void a_card_gets_the_packet_it_asks_for(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 2);
    assert_int_equal(s.session->need, PLAYER_DROP);
    put_on(&s, "g3");
    stage_key(&s, 'x');
    assert_int_equal(s.session->box, SESSION_BOX_NONE);
    assert_non_null(strstr(s.session->status, "c leads to one"));
    stage_key(&s, 'c');
    assert_int_equal(s.session->cursor.thing, CURSOR_FRAME);
    assert_int_equal(s.session->cursor.kind, SIM_FRAME_DATA);
    stage_key(&s, 'x');
    assert_int_equal(s.session->need, PLAYER_ANSWER);
    stage_end(&s);
}

/* The lesson has put the cursor on a packet: who presses c as the card says does not lose it. */
static void the_cursor_is_not_lost_by_asking_for_it(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 2);
    assert_int_equal(s.session->need, PLAYER_DROP);
    assert_true(s.session->cursor.on);
    const struct cursor before = s.session->cursor;
    stage_key(&s, 'c');
    assert_true(s.session->cursor.on);
    assert_int_equal(s.session->cursor.psn, before.psn);
    assert_non_null(strstr(s.session->status, "x destroys it"));
    stage_key(&s, 'c');
    assert_false(s.session->cursor.on);
    stage_key(&s, 'c');
    assert_true(s.session->cursor.on);
    stage_key(&s, 'c');
    assert_false(s.session->cursor.on);
    stage_end(&s);
}

int main(void)
{
    static struct CMUnitTest tests[48];
    size_t n = 0;
    ROWS(tests, n, pictures, everything_is_reached);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_walk_comes_to_an_end);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(an_answer_can_be_destroyed);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(the_cursor_stays_on_an_answer);
    ROWS(tests, n, things, every_fault_is_done_and_undone);
    ROWS(tests, n, fates, a_line_follows_the_fault);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_server_of_the_map_opens);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_card_gets_the_packet_it_asks_for);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(the_cursor_is_not_lost_by_asking_for_it);
    return _cmocka_run_group_tests("app/cursor", tests, n, NULL, NULL);
}
