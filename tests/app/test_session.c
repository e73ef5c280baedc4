/* A session without a terminal: commands and invented wall time, frames at any size. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stage.h"

static void a_card_plays_by_itself_and_stops(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    assert_int_equal(s.session->need, PLAYER_PLAY);
    assert_true(session_moving(s.session));
    stage_settle(&s);
    assert_int_equal(s.session->need, PLAYER_CARD);
    assert_int_equal(sim_now(session_sim(s.session)), INT64_C(30000000));
    stage_end(&s);
}

static void the_status_goes_by_itself(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_key(&s, 'z');
    assert_string_equal(s.session->status, "z does nothing here; ? shows the keys");
    assert_int_equal(session_status_until(s.session), s.ms + SESSION_STATUS_MS);
    s.ms += SESSION_STATUS_MS;
    stage_frame(&s);
    assert_string_equal(s.session->status, "");
    assert_int_equal(session_status_until(s.session), 0);
    stage_end(&s);
}

static void going_on_and_back_is_the_same_run(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    for (int gear = 0; gear < PLAYBACK_STEP; gear++) {
        playback_set_gear(&s.session->playback, (enum playback_gear)gear);
        stage_key(&s, '.'); /* to a place of its own kind: an arrival, the end of a round */
        stage_settle(&s);
        uint64_t before = sim_state_hash(session_sim(s.session));
        for (int i = 0; i < 5; i++) {
            stage_key(&s, '.');
            stage_settle(&s);
        }
        assert_true(sim_state_hash(session_sim(s.session)) != before);
        for (int i = 0; i < 5; i++) {
            stage_key(&s, ',');
        }
        assert_true(sim_state_hash(session_sim(s.session)) == before);
    }
    stage_end(&s);
}

static void what_is_destroyed_is_in_the_journal(void **state)
{
    (void)state;
    struct stage s;
    const struct run_line *lines;
    stage_begin(&s, 2);
    assert_int_equal(s.session->need, PLAYER_DROP);
    assert_int_equal(run_journal(player_run(s.session->player), &lines), 0);
    stage_key(&s, 'x');
    assert_int_equal(run_journal(player_run(s.session->player), &lines), 1);
    assert_int_equal(lines[0].author, RUN_LEARNER);
    assert_int_equal(lines[0].cmd.kind, SIM_CMD_DROP);
    assert_int_equal(s.session->need, PLAYER_ANSWER);
    stage_key(&s, 'b');
    stage_key(&s, '+');
    stage_settle(&s);
    assert_int_equal(player_question(s.session->player).state, PLAYER_JUDGED);
    assert_int_equal(player_question(s.session->player).sure, 3);
    bool pending;
    assert_non_null(strstr(session_prose(s.session, &pending), "The step took"));
    assert_false(pending);
    assert_non_null(strstr(s.session->follow, "cost: +"));
    stage_end(&s);
}

/* Numbers among the words follow the run, not only where a mark is. */
static void words_count_while_it_plays(void **state)
{
    (void)state;
    struct stage s;
    char said[80] = { 0 };
    int changes = 0;
    bool pending;
    stage_begin_lesson(&s, SOURCE_ROOT "/tests/lesson/good/counting.lua", 1);
    for (int i = 0; i < 40 && session_moving(s.session); i++) {
        s.ms += 400;
        stage_frame(&s);
        changes += strcmp(session_prose(s.session, &pending), said) != 0;
        (void)snprintf(said, sizeof said, "%s", session_prose(s.session, &pending));
    }
    assert_true(changes > 10);
    stage_settle(&s);
    char now[80];
    (void)snprintf(now, sizeof now, "Sent so far: %" PRIu64 " pauses.",
                   sim_counters(session_sim(s.session)).xoff_frames);
    assert_string_equal(session_prose(s.session, &pending), now);
    stage_end(&s);
}

/* A frame in which nothing covers the bottom line. */
static void footer_of(struct stage *s)
{
    s->session->status[0] = '\0';
    stage_frame(s);
    s->session->status[0] = '\0';
    picture_session(&s->picture, s->session, s->rows, s->cols);
}

/* + and - say how sure one is while that is asked, and nothing else: no other meaning is offered. */
static void a_key_has_one_meaning(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 2);
    s.rows = 60;
    s.cols = 160;
    footer_of(&s);
    assert_true(stage_sees(&s, "+ - gear"));
    stage_type(&s, "xb");
    stage_frame(&s);
    assert_true(s.session->asks_sure);
    footer_of(&s);
    assert_true(stage_sees(&s, "- = + how sure"));
    assert_false(stage_sees(&s, "+ - gear"));
    stage_key(&s, '?');
    stage_frame(&s);
    assert_true(stage_sees(&s, "After an answer"));
    assert_true(stage_sees(&s, "(not now: how sure"));
    stage_type(&s, "?-");
    stage_frame(&s);
    assert_int_equal(player_question(s.session->player).sure, 1);
    assert_true(stage_sees(&s, "noted: a guess; + - gear again"));
    footer_of(&s);
    assert_true(stage_sees(&s, "+ - gear"));
    stage_end(&s);
}

static void hurrying_ends_where_watching_ends(void **state)
{
    (void)state;
    struct stage watched, hurried;
    stage_begin(&watched, 3);
    stage_settle(&watched);
    stage_key(&watched, 'n');
    stage_begin(&hurried, 3);
    stage_key(&hurried, 'n');
    for (int i = 0; i < 1000 && player_card(hurried.session->player) == 2; i++) {
        stage_frame(&hurried);
    }
    assert_int_equal(player_card(hurried.session->player), 3);
    assert_true(sim_state_hash(session_sim(watched.session)) ==
                sim_state_hash(session_sim(hurried.session)));
    stage_end(&watched);
    stage_end(&hurried);
}

/* Whatever is pressed, whenever, at whatever size: it answers, and the fabric stays sound. */
static void random_keys_do_no_harm(void **state)
{
    (void)state;
    static const char plain[] = " ,.<>+-=cxyuRnpsHgqabcdhjkl123z?wwU/[]m:";
    static const uint32_t named[] = { TERM_KEY_ENTER, TERM_KEY_ESC,   TERM_KEY_TAB,   TERM_KEY_UP,
                                      TERM_KEY_DOWN,  TERM_KEY_LEFT,  TERM_KEY_RIGHT, TERM_KEY_HOME,
                                      TERM_KEY_END,   TERM_KEY_PAGEUP };
    for (uint64_t seed = 0; seed < 25; seed++) {
        struct stage s;
        stage_begin(&s, 1 + seed % 4);
        for (uint64_t i = 0; i < 250; i++) {
            uint64_t luck = rng_mix3(seed, i, 7);
            uint32_t k = luck % 4 == 0 ? named[(luck >> 8) % (sizeof named / sizeof named[0])]
                                       : (uint32_t)plain[(luck >> 8) % (sizeof plain - 1)];
            stage_key(&s, k);
            s.ms += (int64_t)((luck >> 20) % 200);
            session_tick(s.session, s.ms);
            picture_session(&s.picture, s.session, (int)((luck >> 30) % 60),
                            (int)((luck >> 40) % 140));
        }
        struct err err = { 0 };
        if (!sim_audit(session_sim(s.session), &err)) {
            fail_msg("seed %d: %s", (int)seed, err.msg);
        }
        stage_end(&s);
    }
}

static void must_see(const struct stage *s, const char *text)
{
    if (!stage_sees(s, text)) {
        fail_msg("not on the screen: %s (status: %s)", text, s->session->status);
    }
}

static void see_it_tried(struct stage *s)
{
    for (int i = 0; i < 2000 && player_question(s->session->player).trying; i++) {
        stage_frame(s);
    }
    stage_frame(s);
}

static void a_task_on_screen(void **state)
{
    (void)state;
    struct stage s;
    stage_begin_lesson(&s, SOURCE_ROOT "/tests/lesson/good/tasks.lua", 2);
    assert_int_equal(s.session->need, PLAYER_FIX);
    stage_frame(&s);
    must_see(&s, "No packet is lost.");
    must_see(&s, "Enter tries it");
    must_see(&s, "H hint");
    stage_key(&s, 'H');
    stage_key(&s, 'H');
    stage_frame(&s);
    must_see(&s, "Somebody must wait.");
    assert_false(stage_sees(&s, "H hint")); /* two are all there are */
    stage_key(&s, TERM_KEY_ENTER);
    for (int i = 0; i < 4; i++) { /* it goes by in the picture ... */
        stage_frame(&s);
        must_see(&s, "your try: ");
        must_see(&s, "[none]"); /* the switches stay in sight */
        must_see(&s, "Enter goes to its end");
    }
    see_it_tried(&s);
    assert_string_equal(s.session->status,
                        "not yet: move a switch and try again"); /* no more hints */
    must_see(&s, " were lost.");
    must_see(&s, "your try: "); /* ... and stays there */
    const struct run *tried = session_shows_try(s.session);
    assert_non_null(tried);
    assert_true(run_now(tried) > run_now(player_run(s.session->player)));
    assert_true(s.session->tried.history.known > 0);
    s.session->view = SCENE_VIEW_PLOT; /* what is plotted is of the run that was tried */
    stage_frame(&s);
    stage_settle(&s);
    assert_true(s.session->tried.plots.set.known > run_now(player_run(s.session->player)));
    assert_false(stage_sees(&s, "nothing is plotted"));
    s.session->view = SCENE_VIEW_MAIN;
    stage_key(&s, '1');
    assert_null(session_shows_try(s.session));
    stage_key(&s, 't');
    stage_key(&s, '2'); /* stops it */
    assert_null(session_shows_try(s.session));
    stage_frame(&s);
    must_see(&s, "Not checked: it was stopped.");
    stage_key(&s, 't');
    stage_key(&s, 't'); /* nobody has to watch */
    assert_true(s.session->tried.at_once);
    see_it_tried(&s);
    must_see(&s, " arrived, after ");
    assert_int_equal(player_question(s.session->player).state, PLAYER_JUDGED);
    assert_null(session_shows_try(s.session)); /* the lesson plays on */
    stage_end(&s);
}

static void a_number_is_typed(void **state)
{
    (void)state;
    struct stage s;
    stage_begin_lesson(&s, SOURCE_ROOT "/tests/lesson/good/tasks.lua", 4);
    assert_int_equal(s.session->need, PLAYER_ANSWER);
    stage_key(&s, 'a');
    stage_type(&s, "1us");
    stage_frame(&s);
    must_see(&s, "your answer: 1us");
    stage_key(&s, TERM_KEY_ENTER);
    stage_settle(&s);
    must_see(&s, "you said 1 us, it is ");
    must_see(&s, "It cannot be that short");
    stage_end(&s);
}

/* A card opens a what-if; closed again, the card goes on as if nothing had been. */
static void a_card_compares(void **state)
{
    (void)state;
    struct stage s;
    stage_begin_lesson(&s, SOURCE_ROOT "/tests/lesson/good/tasks.lua", 5);
    assert_int_equal(s.session->need, PLAYER_COMPARE);
    assert_int_equal(s.session->view, SCENE_VIEW_EVENTS);
    assert_true(s.session->cursor.on);
    const struct sim *sim = session_sim(s.session);
    assert_string_equal(sim_node(sim, sim_port(sim, s.session->cursor.port).node).name, "g3");
    stage_frame(&s);
    stage_frame(&s);
    assert_true(session_in_whatif(s.session));
    stage_key(&s, TERM_KEY_ESC);
    stage_frame(&s);
    assert_false(session_in_whatif(s.session));
    assert_int_equal(s.session->need, PLAYER_PLAY);
    assert_int_equal(sim_knob(session_sim(s.session), SIM_KNOB_FLOW_CONTROL), 0);
    stage_end(&s);
}

/* Where there is room for one thing only, a question comes before the plot of the card before, which is
 * there again once it is answered. */
static void a_question_comes_before_a_plot(void **state)
{
    (void)state;
    static const struct {
        int rows, cols;
        enum scene_view view;
    } sizes[] = { { 12, 40, SCENE_VIEW_PROSE }, { 24, 80, SCENE_VIEW_PLOT } };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct stage s;
        stage_begin_lesson(&s, SOURCE_ROOT "/tests/app/plotted.lua", 1);
        s.rows = sizes[i].rows;
        s.cols = sizes[i].cols;
        stage_settle(&s);
        assert_int_equal(s.session->view, SCENE_VIEW_PLOT);
        stage_key(&s, 'n');
        stage_frame(&s);
        assert_int_equal(s.session->need, PLAYER_ANSWER);
        assert_int_equal(s.session->view, sizes[i].view);
        assert_true(stage_sees(&s, "Which of them is slowed?"));
        stage_key(&s, 'a');
        stage_frame(&s);
        assert_int_equal(s.session->need, PLAYER_PLAY);
        assert_int_equal(s.session->view, SCENE_VIEW_PLOT);
        stage_end(&s);
    }
}

/* Where there is room for one thing only, what somebody looked at does not hide the next card. */
static void a_card_does_not_begin_behind_a_view(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    s.rows = 12;
    s.cols = 40;
    stage_settle(&s);
    s.session->view = SCENE_VIEW_EVENTS;
    stage_key(&s, 'n');
    stage_frame(&s);
    assert_int_equal(s.session->view, SCENE_VIEW_MAIN);
    s.session->view = SCENE_VIEW_PROSE; /* all of it is read by choice */
    stage_key(&s, 'n');
    stage_frame(&s);
    assert_int_equal(s.session->view, SCENE_VIEW_PROSE);
    stage_end(&s);
}

/* Eight GPUs fill a small screen: what is asked takes their place, and what is said of the answer. */
static void words_and_picture_take_turns(void **state)
{
    (void)state;
    struct stage s;
    stage_begin_lesson(&s, SOURCE_ROOT "/lessons/one-lost-packet.lua", 7);
    s.rows = 12;
    s.cols = 40;
    stage_frame(&s);
    stage_key(&s, 'n');
    stage_settle(&s);
    assert_int_equal(s.session->view, SCENE_VIEW_PROSE);
    must_see(&s, "What changes?");
    must_see(&s, "it gets faster");
    stage_key(&s, 'c');
    stage_frame(&s);
    assert_int_equal(s.session->view, SCENE_VIEW_MAIN);
    stage_settle(&s);
    assert_int_equal(s.session->view, SCENE_VIEW_PROSE);
    must_see(&s, "There was no pause to save.");
    stage_key(&s, 'n');
    assert_int_equal(s.session->view, SCENE_VIEW_MAIN);
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_card_plays_by_itself_and_stops),
        cmocka_unit_test(a_question_comes_before_a_plot),
        cmocka_unit_test(a_card_does_not_begin_behind_a_view),
        cmocka_unit_test(words_and_picture_take_turns),
        cmocka_unit_test(the_status_goes_by_itself),
        cmocka_unit_test(going_on_and_back_is_the_same_run),
        cmocka_unit_test(what_is_destroyed_is_in_the_journal),
        cmocka_unit_test(words_count_while_it_plays),
        cmocka_unit_test(a_key_has_one_meaning),
        cmocka_unit_test(hurrying_ends_where_watching_ends),
        cmocka_unit_test(a_task_on_screen),
        cmocka_unit_test(a_number_is_typed),
        cmocka_unit_test(a_card_compares),
        cmocka_unit_test(random_keys_do_no_harm),
    };
    return cmocka_run_group_tests_name("app/session", tests, NULL, NULL);
}
