/* Moving in time: steps, searches, what is typed, taking back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/units.h"
#include "stage.h"

static uint64_t hash(const struct stage *s)
{
    return sim_state_hash(session_sim(s->session));
}

static sim_ps now(const struct stage *s)
{
    return sim_now(session_sim(s->session));
}

static void assert_said(const struct stage *s, const char *text)
{
    const struct session *session = s->session;
    const char *said = session->prompt.on ? session->prompt.error : session->status;
    if (strstr(said, text) == NULL) {
        fail_msg("it said \"%s\", not \"%s\"", said, text);
    }
}

/* The packet of card 3 is lost and its timer has fired: a drop, a timeout, barriers lie behind. */
static void after_a_stall(struct stage *s)
{
    stage_begin(s, 3);
    stage_settle(s);
}

static void a_kind_of_event_is_chosen_and_searched(void **state)
{
    (void)state;
    struct stage s;
    after_a_stall(&s);
    stage_type(&s, "/drop\n");
    assert_said(&s, "stop: drops");
    stage_key(&s, '<');
    assert_said(&s, "is lost at leaf1");
    const sim_ps drop = now(&s);
    stage_type(&s, "/timeout\n");
    assert_said(&s, "timeouts");
    stage_key(&s, '>');
    stage_settle(&s);
    assert_said(&s, "timeout");
    assert_true(now(&s) > drop + 16 * UNIT_MS);
    stage_key(&s, '<');
    assert_said(&s, "no timeout before this one");
    stage_end(&s);
}

/* By kind and by node: the list, its heading, and where < and > stop. */
static void events_of_one_node(void **state)
{
    (void)state;
    struct stage s;
    after_a_stall(&s);
    s.session->view = SCENE_VIEW_EVENTS;
    stage_type(&s, "/drop g3\n");
    assert_said(&s, "drops of g3; / and Enter: all");
    stage_frame(&s);
    assert_true(stage_sees(&s, "events: drops of g3"));
    assert_true(stage_sees(&s, "is lost at leaf1"));
    assert_false(stage_sees(&s, "barrier opens"));
    stage_type(&s, "/drop g7\n");
    stage_frame(&s);
    assert_true(stage_sees(&s, "none of these so far"));
    stage_key(&s, '<');
    assert_said(&s, "no drop of g7 before this one");
    stage_type(&s, "/round g6\n");
    stage_key(&s, '<');
    assert_said(&s, "g6 finishes round");
    const sim_ps at = now(&s);
    stage_key(&s, '<');
    assert_said(&s, "g6 finishes round");
    const sim_ps before = now(&s);
    assert_true(before < at);
    stage_key(&s, '>'); /* other GPUs' rounds are passed */
    stage_settle(&s);
    assert_said(&s, "g6 finishes round");
    assert_int_equal(now(&s), at);
    stage_type(&s, ":go next barrier g1\n");
    stage_settle(&s);
    stage_type(&s, "/g99\n");
    assert_non_null(strstr(s.session->prompt.error, "no kind of event and no node"));
    stage_key(&s, TERM_KEY_ESC);
    stage_type(&s, "/g1 g2\n");
    assert_non_null(strstr(s.session->prompt.error, "of one node at a time"));
    stage_key(&s, TERM_KEY_ESC);
    stage_type(&s, "/\n");
    assert_said(&s, "all events");
    assert_false(event_filter_on(&s.session->filter));
    stage_type(&s, ":why g3>g4\n");
    stage_frame(&s);
    assert_true(stage_sees(&s, "why is it waiting?"));
    stage_end(&s);
}

/* Several records of one instant are gone through one by one, and back the same way. */
static void on_and_back_by_event_is_the_identity(void **state)
{
    (void)state;
    struct stage s;
    char said[40][256];
    stage_begin(&s, 1);
    stage_settle(&s);
    for (int i = 0; i < 40; i++) {
        stage_key(&s, '>');
        stage_settle(&s);
        memcpy(said[i], s.session->status, sizeof said[i]);
    }
    for (int i = 38; i >= 0; i--) {
        stage_key(&s, '<');
        assert_string_equal(s.session->status, said[i]);
    }
    stage_end(&s);
}

static void steps_name_where_they_lead(void **state)
{
    (void)state;
    struct stage s;
    after_a_stall(&s);
    playback_set_gear(&s.session->playback, PLAYBACK_STEP);
    stage_key(&s, ',');
    assert_said(&s, "one step back: ");
    playback_set_gear(&s.session->playback, PLAYBACK_TIMEOUT);
    stage_key(&s, '.');
    stage_settle(&s);
    assert_int_equal(sim_counters(session_sim(s.session)).timeouts, 1);
    playback_set_gear(&s.session->playback, PLAYBACK_PACKET);
    const uint64_t hops = sim_counters(session_sim(s.session)).hops;
    stage_key(&s, '.');
    stage_settle(&s);
    assert_true(sim_counters(session_sim(s.session)).hops > hops);
    stage_key(&s, TERM_KEY_HOME);
    stage_key(&s, ',');
    assert_said(&s, "this is the beginning of the run");
    stage_end(&s);
}

/* A card plays to its own goal, whatever is pressed on the way. */
static void a_step_does_not_run_over_the_cards_goal(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_key(&s, ' ');
    playback_set_gear(&s.session->playback, PLAYBACK_STEP);
    stage_key(&s, '.');
    stage_settle(&s);
    assert_int_equal(now(&s), 30 * UNIT_US);
    assert_int_equal(s.session->need, PLAYER_CARD);
    stage_end(&s);
}

struct typed_case {
    const char *name, *keys;
    sim_ps at; /* where it stands then; -1: where it stood (a command takes 1 ps); -2: elsewhere */
    const char *said;
};

static const struct typed_case typed[] = {
    { "a time back", ":go 10us\n", 10 * UNIT_US, NULL },
    { "a time on", ":go 50us\n", 50 * UNIT_US, NULL },
    { "a kind on", ":go next barrier\n", -2, "the barrier opens" },
    { "a kind back", ":go previous event\n", -2, "finishes round" },
    { "a kind there is not", ":go next thing\n", -1, "next what?" },
    { "no time", ":go home\n", -1, "go where?" },
    { "a command", ":set ecn on\n", -1, "done: ecn on" },
    { "a command that is none", ":sit ecn on\n", -1, "sit" },
    { "a rate", ":rate 3us\n", -1, "3 us/s" },
    { "no rate", ":rate 3\n", -1, "how much time a second?" },
    { "nothing", ":\n", -1, "nothing typed" },
};

static void typed_does(void **state)
{
    const struct typed_case *c = *state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    const sim_ps before = now(&s);
    stage_type(&s, c->keys);
    stage_settle(&s);
    if (c->at == -1) {
        assert_in_range(now(&s), before, before + 1);
    } else if (c->at >= 0) {
        assert_int_equal(now(&s), c->at);
    }
    if (c->said != NULL) {
        assert_said(&s, c->said);
    }
    stage_end(&s);
}

static void a_typed_line_can_be_mended_and_left(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_type(&s, ":go 9us");
    stage_key(&s, TERM_KEY_BACKSPACE);
    stage_key(&s, TERM_KEY_BACKSPACE);
    stage_key(&s, TERM_KEY_BACKSPACE);
    stage_frame(&s);
    assert_true(stage_sees(&s, ":go"));
    stage_type(&s, "8us\n");
    assert_int_equal(now(&s), 8 * UNIT_US);
    stage_type(&s, ":set ecn on");
    stage_key(&s, TERM_KEY_ESC);
    assert_false(s.session->prompt.on);
    assert_int_equal(sim_knob(session_sim(s.session), SIM_KNOB_ECN), SIM_OFF);
    for (int i = 0; i < 400; i++) { /* more than a line holds */
        stage_key(&s, i == 0 ? ':' : 0x4E16);
    }
    for (int i = 0; i < 500; i++) { /* and more than there is to take away */
        stage_key(&s, TERM_KEY_BACKSPACE);
    }
    assert_string_equal(s.session->prompt.text, "");
    stage_end(&s);
}

/* ---- taking back ---- */

static void undo_and_redo_are_exact(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    const uint64_t before = hash(&s);
    stage_type(&s, ":set xoff 20KB\n");
    stage_type(&s, ":go 60us\n");
    stage_settle(&s);
    const uint64_t after = hash(&s);
    stage_key(&s, 'u');
    assert_said(&s, "undone: xoff 20 KB, at 30 us");
    assert_true(hash(&s) != after);
    stage_key(&s, 'U');
    assert_said(&s, "done again: xoff");
    assert_true(hash(&s) == after);
    stage_key(&s, 'u');
    stage_type(&s, ":go 30us\n");
    assert_true(hash(&s) == before);
    stage_key(&s, 'u');
    assert_said(&s, "nothing of yours to undo");
    stage_end(&s);
}

/* The drop of card 3 is the lesson's: it stays. */
static void the_lessons_own_is_never_undone(void **state)
{
    (void)state;
    struct stage s;
    after_a_stall(&s);
    const uint64_t before = hash(&s);
    stage_key(&s, 'u');
    assert_said(&s, "nothing of yours to undo");
    assert_true(hash(&s) == before);
    stage_end(&s);
}

static void what_is_cut_is_said_and_comes_back(void **state)
{
    (void)state;
    struct stage s;
    const struct run_line *lines;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_type(&s, ":set ecn on\n:go 60us\n");
    stage_settle(&s);
    stage_type(&s, ":set xoff 50KB\n:go 10us\n");
    assert_int_equal(run_journal(player_run(s.session->player), &lines), 2);
    stage_type(&s, ":set kmin 50KB\n");
    assert_said(&s, "cut: 2 things done later");
    assert_int_equal(run_journal(player_run(s.session->player), &lines), 1);
    stage_key(&s, 'u');
    assert_said(&s, "there again: 2 things");
    assert_int_equal(run_journal(player_run(s.session->player), &lines), 2);
    stage_end(&s);
}

static void a_restart_is_undone_too(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    const uint64_t before = hash(&s);
    stage_type(&s, ":set mtu 1024B\n");
    assert_said(&s, "the run starts again");
    stage_settle(&s);
    assert_int_equal(sim_knob(session_sim(s.session), SIM_KNOB_MTU), 1024);
    stage_key(&s, 'u');
    assert_int_equal(sim_knob(session_sim(s.session), SIM_KNOB_MTU), 4096);
    stage_settle(&s);
    stage_type(&s, ":go 30us\n");
    stage_settle(&s);
    assert_true(hash(&s) == before);
    stage_end(&s);
}

/* What was seen of a future that will not be is forgotten. */
static void a_card_that_begins_again_shows_no_other_past(void **state)
{
    (void)state;
    struct stage s;
    size_t n;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_type(&s, ":drop g3>g4 last\n:go 18ms\n");
    stage_settle(&s);
    assert_true(s.session->history.known > 17 * UNIT_MS); /* the timer has fired */
    stage_key(&s, 'R');
    assert_int_equal(s.session->history.known, now(&s));
    stage_settle(&s);
    stage_type(&s, ":go 1ms\n");
    stage_settle(&s);
    const struct scene_run *run = history_runs(&s.session->history, 2, &n);
    for (size_t i = 0; i < n; i++) {
        assert_true(run[i].state != SCENE_GPU_TIMER);
    }
    stage_end(&s);
}

static void end_goes_to_what_was_played(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_key(&s, TERM_KEY_HOME);
    assert_int_equal(now(&s), 0);
    stage_key(&s, TERM_KEY_END);
    assert_int_equal(now(&s), 30 * UNIT_US);
    stage_key(&s, TERM_KEY_END);
    assert_said(&s,
                "nothing more to play; n goes on"); /* what leads on is seen in 40 columns, too */
    assert_in_range(strlen(s.session->status), 1, 38);
    stage_end(&s);
}

int main(void)
{
    enum { COUNT = sizeof typed / sizeof typed[0], MORE = 11 };
    struct CMUnitTest tests[COUNT + MORE] = {
        cmocka_unit_test(events_of_one_node),
        cmocka_unit_test(a_kind_of_event_is_chosen_and_searched),
        cmocka_unit_test(on_and_back_by_event_is_the_identity),
        cmocka_unit_test(steps_name_where_they_lead),
        cmocka_unit_test(a_step_does_not_run_over_the_cards_goal),
        cmocka_unit_test(a_typed_line_can_be_mended_and_left),
        cmocka_unit_test(undo_and_redo_are_exact),
        cmocka_unit_test(the_lessons_own_is_never_undone),
        cmocka_unit_test(what_is_cut_is_said_and_comes_back),
        cmocka_unit_test(a_restart_is_undone_too),
        cmocka_unit_test(a_card_that_begins_again_shows_no_other_past),
        cmocka_unit_test(end_goes_to_what_was_played),
    };
    for (size_t i = 0; i < COUNT; i++) {
        tests[MORE + i] = (struct CMUnitTest){ typed[i].name, typed_does, NULL, NULL,
                                               (void *)(uintptr_t)&typed[i] };
    }
    return cmocka_run_group_tests_name("app/time", tests, NULL, NULL);
}
