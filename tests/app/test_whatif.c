/* What-if: two runs on one clock, and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/units.h"
#include "stage.h"

static uint64_t hash(const struct stage *s)
{
    return sim_state_hash(session_sim(s->session));
}

static uint64_t other_hash(const struct stage *s)
{
    return sim_state_hash(run_sim(s->session->whatif.other));
}

static sim_ps now(const struct stage *s)
{
    return sim_now(session_sim(s->session));
}

static void assert_one_clock(const struct stage *s)
{
    assert_true(session_in_whatif(s->session));
    assert_int_equal(run_now(s->session->whatif.other), now(s));
}

/* Card 1 at its end, and the first thing offered, the loss of a packet, tried beside it; paused. */
static void packet_lost_beside(struct stage *s)
{
    stage_begin(s, 1);
    stage_settle(s);
    stage_key(s, 'w');
    stage_key(s, TERM_KEY_ENTER);
    stage_key(s, ' ');
    stage_frame(s);
    assert_one_clock(s);
}

static void esc_leaves_no_trace(void **state)
{
    (void)state;
    struct stage s;
    const struct run_line *lines;
    stage_begin(&s, 1);
    stage_settle(&s);
    const uint64_t before = hash(&s);
    const sim_ps at = now(&s);
    stage_key(&s, 'w');
    stage_frame(&s);
    assert_true(stage_sees(&s, "what if, from this moment on"));
    stage_key(&s, TERM_KEY_ENTER);
    for (int i = 0; i < 40; i++) {
        stage_frame(&s);
        assert_one_clock(&s);
    }
    assert_true(now(&s) > at);
    assert_true(stage_sees(&s, "is lost"));
    assert_true(stage_sees(&s, "! first difference: "));
    stage_key(&s, TERM_KEY_ESC);
    assert_false(session_in_whatif(s.session));
    assert_int_equal(now(&s), at);
    assert_true(hash(&s) == before);
    assert_int_equal(run_journal(player_run(s.session->player), &lines), 0);
    assert_int_equal(s.session->playback.gear, PLAYBACK_ROUND);
    stage_end(&s);
}

/* Whatever moves one side moves both; and each is what it would be alone. */
static void every_move_moves_both(void **state)
{
    (void)state;
    struct stage s;
    packet_lost_beside(&s);
    struct run *alone = run_fork(player_run(s.session->player));
    struct run *changed = run_fork(s.session->whatif.other);
    static const uint32_t keys[] = { '.', '>', ']', ' ', ',', '<', '[',          '.', TERM_KEY_HOME,
                                     '>', ']', '-', '.', '.', ',', TERM_KEY_END, '<', '[' };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        stage_key(&s, keys[i]);
        for (int k = 0; k < 60 && (keys[i] == ' ' ? k < 20 : session_moving(s.session)); k++) {
            stage_frame(&s);
            assert_one_clock(&s);
        }
        if (keys[i] == ' ') {
            stage_key(&s, ' ');
        }
        stage_settle(&s);
        assert_one_clock(&s);
        run_seek(alone, now(&s), NULL);
        run_seek(changed, now(&s), NULL);
        run_seek(player_run(s.session->player), now(&s), NULL);
        run_seek(s.session->whatif.other, now(&s), NULL);
        assert_true(hash(&s) == sim_state_hash(run_sim(alone)));
        assert_true(other_hash(&s) == sim_state_hash(run_sim(changed)));
    }
    run_destroy(alone);
    run_destroy(changed);
    stage_end(&s);
}

static void keeping_b_is_doing_it_oneself(void **state)
{
    (void)state;
    struct stage kept, done;
    const struct run_line *lines;
    packet_lost_beside(&kept);
    stage_type(&kept, ":go 45us\n");
    stage_settle(&kept);
    assert_one_clock(&kept);
    const uint64_t b = other_hash(&kept);
    const struct sim_cmd cmd = kept.session->whatif.cmd;
    stage_key(&kept, TERM_KEY_ENTER);
    assert_non_null(strstr(kept.session->status, "kept B: packet g"));
    stage_settle(&kept);
    assert_int_equal(now(&kept), 45 * UNIT_US);
    assert_true(hash(&kept) == b);
    assert_int_equal(run_journal(player_run(kept.session->player), &lines), 1);
    assert_int_equal(lines[0].author, RUN_LEARNER);

    stage_begin(&done, 1);
    stage_settle(&done);
    assert_true(player_do(done.session->player, &cmd, NULL, NULL));
    stage_type(&done, ":go 45us\n");
    stage_settle(&done);
    assert_true(hash(&done) == hash(&kept));

    stage_key(&kept, 'u');
    assert_non_null(strstr(kept.session->status, "undone"));
    assert_int_equal(run_journal(player_run(kept.session->player), &lines), 0);
    stage_end(&done);
    stage_end(&kept);
}

/* Card 2 waits for a packet to be destroyed: one that is kept is that packet, and is followed. */
static void a_kept_loss_is_what_the_card_asked_for(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 2);
    assert_int_equal(s.session->need, PLAYER_DROP);
    stage_key(&s, 'w');
    stage_key(&s, TERM_KEY_ENTER);
    stage_key(&s, TERM_KEY_ENTER);
    assert_int_equal(s.session->need, PLAYER_ANSWER);
    stage_key(&s, 'b');
    stage_settle(&s);
    assert_non_null(strstr(s.session->follow, "cost: +"));
    stage_key(&s, 'u'); /* as where one destroyed it by hand: the card begins again */
    assert_int_equal(s.session->need, PLAYER_DROP);
    stage_end(&s);
}

/* Who looks back and then goes on finds the next card where it should begin. */
static void the_next_card_begins_where_this_one_ended(void **state)
{
    (void)state;
    struct stage s, straight;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_key(&s, TERM_KEY_HOME);
    stage_key(&s, 'n');
    stage_begin(&straight, 1);
    stage_settle(&straight);
    stage_key(&straight, 'n');
    assert_int_equal(player_card(s.session->player), 1);
    assert_true(hash(&s) == hash(&straight));
    stage_end(&straight);
    stage_end(&s);
}

static void keeping_a_changes_nothing(void **state)
{
    (void)state;
    struct stage s;
    const struct run_line *lines;
    packet_lost_beside(&s);
    stage_type(&s, ":go 45us\n");
    stage_settle(&s);
    const uint64_t a = hash(&s);
    stage_key(&s, TERM_KEY_TAB);
    assert_int_equal(s.session->whatif.picked, 0);
    stage_key(&s, TERM_KEY_ENTER);
    stage_settle(&s);
    assert_true(hash(&s) == a);
    assert_int_equal(run_journal(player_run(s.session->player), &lines), 0);
    stage_end(&s);
}

/* The card waits for the barrier: what is kept plays there, and not beyond. */
static void the_cards_goal_holds_for_what_is_kept(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 4);
    stage_key(&s, ' ');
    assert_int_equal(s.session->need, PLAYER_PLAY);
    stage_key(&s, 'w');
    stage_key(&s, TERM_KEY_ENTER);
    stage_key(&s, ' ');
    stage_key(&s, TERM_KEY_END);
    stage_settle(&s);
    assert_int_equal(sim_outcome(session_sim(s.session)), SIM_DONE);
    stage_key(&s, TERM_KEY_ENTER);
    stage_settle(&s);
    assert_true(s.session->need == PLAYER_CARD || s.session->need == PLAYER_END);
    assert_int_equal(sim_outcome(session_sim(s.session)), SIM_RUNNING);
    stage_end(&s);
}

/* Both begin at 0 where the change starts a run again. */
static void a_restart_catches_up(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_key(&s, 'w');
    while (s.session->box_selected + 1 < s.session->choice_count + 1) {
        stage_key(&s, TERM_KEY_DOWN);
    }
    stage_key(&s, TERM_KEY_ENTER); /* something else */
    assert_true(s.session->prompt.on);
    stage_type(&s, "set mtu 1024B\n");
    stage_type(&s, "n .\n"); /* not there yet: nothing of this may reach the lesson */
    assert_int_equal(player_card(s.session->player), 0);
    assert_false(s.session->playback.playing);
    for (int i = 0; i < 100 && !session_in_whatif(s.session); i++) {
        stage_frame(&s);
    }
    assert_one_clock(&s);
    assert_int_equal(s.session->whatif.at, 0);
    stage_frame(&s);
    assert_true(stage_sees(&s, "what-if at 0"));
    assert_true(stage_sees(&s, "B  mtu 1"));
    stage_key(&s, TERM_KEY_ENTER);
    stage_settle(&s);
    assert_int_equal(sim_knob(session_sim(s.session), SIM_KNOB_MTU), 1024);
    stage_end(&s);
}

static void differences_are_gone_to(void **state)
{
    (void)state;
    struct stage s;
    packet_lost_beside(&s);
    stage_key(&s, TERM_KEY_END);
    stage_settle(&s);
    stage_key(&s, TERM_KEY_HOME);
    stage_key(&s, ']'); /* the fork */
    assert_int_equal(now(&s), s.session->whatif.at);
    stage_key(&s, ']');
    assert_true(s.session->whatif.compare.differs);
    assert_int_equal(now(&s), s.session->whatif.compare.first.t);
    assert_non_null(strstr(s.session->status, "the first difference"));
    stage_key(&s, ']');
    assert_non_null(strstr(s.session->status, "only in "));
    stage_key(&s, '[');
    stage_key(&s, '[');
    assert_int_equal(now(&s), s.session->whatif.at);
    stage_end(&s);
}

/* Both sides are looked at in the same frames, so that what is the same looks the same. */
static void what_changes_nothing_shows_no_difference(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_key(&s, 'w');
    while (strstr(s.session->choice[s.session->box_selected].text, "ecn") == NULL) {
        stage_key(&s, TERM_KEY_DOWN);
    }
    stage_key(&s, TERM_KEY_ENTER);
    for (int i = 0; i < 200; i++) {
        stage_frame(&s);
        assert_false(stage_sees(&s, "!"));
    }
    assert_true(stage_sees(&s, "no difference so far"));
    stage_end(&s);
}

/* Whatever is offered can be tried, looked at, kept and taken back; what the fabric then says against it
 * leaves the lesson as it was. */
static void all_that_is_offered_can_be_tried(void **state)
{
    (void)state;
    struct stage s;
    struct err err = { 0 };
    stage_begin(&s, 1);
    stage_settle(&s);
    const uint64_t before = hash(&s);
    stage_key(&s, 'w');
    const size_t count = s.session->choice_count;
    assert_true(count > 20);
    stage_key(&s, TERM_KEY_ESC);
    for (size_t i = 0; i < count; i++) {
        stage_key(&s, 'w');
        assert_int_equal(s.session->choice_count, count);
        s.session->box_selected = i;
        stage_key(&s, TERM_KEY_ENTER);
        for (int k = 0; k < 8; k++) {
            stage_frame(&s);
        }
        if (!session_in_whatif(s.session)) {
            assert_true(s.session->status[0] != '\0'); /* it says why not */
        } else if (!sim_audit(run_sim(s.session->whatif.other), &err)) {
            fail_msg("%s: %s", s.session->choice[i].text, err.msg);
        } else {
            stage_key(&s, TERM_KEY_ENTER);
            stage_settle(&s);
            stage_key(&s, 'u');
            stage_settle(&s);
        }
        stage_type(&s, ":go 30us\n");
        stage_settle(&s);
        if (hash(&s) != before) {
            fail_msg("%s: it is not as before", s.session->choice[i].text);
        }
    }
    stage_end(&s);
}

/* n was pressed, the card is hurried through: w stops that. */
static void nothing_is_hurried_behind_it(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 4);
    stage_frame(&s);
    stage_key(&s, 'p');
    stage_frame(&s);
    stage_key(&s, 'n');
    assert_true(s.session->hurry);
    stage_key(&s, 'w');
    assert_false(session_moving(s.session));
    stage_key(&s, TERM_KEY_ENTER);
    for (int i = 0; i < 20; i++) {
        stage_frame(&s);
    }
    assert_one_clock(&s);
    assert_int_equal(player_card(s.session->player), 2);
    assert_int_equal(s.session->need, PLAYER_PLAY);
    stage_end(&s);
}

static void what_b_cuts_is_said(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_type(&s, ":set ecn on\n:go 10us\nw\n");
    stage_frame(&s);
    assert_true(stage_sees(&s, "cut: 1 thing done later"));
    stage_end(&s);
}

static void a_question_comes_first(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 2);
    stage_key(&s, 'x');
    assert_int_equal(s.session->need, PLAYER_ANSWER);
    stage_key(&s, 'w');
    assert_non_null(strstr(s.session->status, "first your guess"));
    assert_int_equal(s.session->box, SESSION_BOX_NONE);
    stage_end(&s);
}

static void what_the_fabric_refuses_opens_nothing(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_key(&s, 'w');
    s.session->box_selected = s.session->choice_count;
    stage_key(&s, TERM_KEY_ENTER);
    stage_type(&s, "kill nobody\n");
    assert_null(s.session->whatif.other);
    assert_true(s.session->prompt.on); /* it can be mended */
    assert_non_null(strstr(s.session->prompt.error, "nobody"));
    stage_end(&s);
}

/* Random keys in a what-if: both stay sound and on one clock, at whatever size. */
/* p: the same quantity of both sides, read from 0 on; up to the fork both are the same. */
static void both_sides_are_plotted(void **state)
{
    (void)state;
    struct stage s;
    packet_lost_beside(&s);
    stage_type(&s, ":go 90us\n:plot goodput g3>g4\n");
    stage_settle(&s);
    stage_frame(&s);
    assert_true(stage_sees(&s, "goodput g3>g4   A "));
    const struct whatif *w = &s.session->whatif;
    char text[16];
    snprintf(text, sizeof text, "B  %.8s", w->change[1]);
    assert_true(stage_sees(&s, text));
    const struct run_series *a = &s.session->plots.set.series[0], *b = &w->plots.set.series[0];
    struct run_series_span x, y;
    assert_true(run_series_over(a, 0, w->at, &x) && run_series_over(b, 0, w->at, &y));
    assert_int_equal(x.high, y.high);
    assert_true(run_series_over(a, w->at, now(&s), &x) && run_series_over(b, w->at, now(&s), &y));
    assert_true(x.last != y.last || x.low != y.low); /* B has lost time */
    const uint64_t before[] = { hash(&s), other_hash(&s) };
    stage_type(&s, "p");
    stage_frame(&s);
    assert_true(stage_sees(&s, "timelines again"));
    stage_type(&s, "p");
    stage_frame(&s);
    assert_true(stage_sees(&s, "goodput g3>g4   A "));
    assert_int_equal(hash(&s), before[0]); /* it only looks */
    assert_int_equal(other_hash(&s), before[1]);
    stage_key(&s, TERM_KEY_ESC);
    stage_end(&s);
}

static void random_keys_do_no_harm(void **state)
{
    (void)state;
    static const char plain[] = " ,.<>+-[]yw/mjkp?:";
    static const uint32_t named[] = { TERM_KEY_ENTER, TERM_KEY_ESC, TERM_KEY_TAB, TERM_KEY_HOME,
                                      TERM_KEY_END };
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct stage s;
        struct err err = { 0 };
        stage_begin(&s, 1 + seed % 4);
        for (uint64_t i = 0; i < 150; i++) {
            const uint64_t luck = rng_mix3(seed, i, 11);
            stage_key(&s, luck % 8 == 0 ? named[(luck >> 8) % 5]
                                        : (uint32_t)plain[(luck >> 8) % (sizeof plain - 1)]);
            if (s.session->whatif.other == NULL && !s.session->prompt.on &&
                s.session->box == SESSION_BOX_NONE) {
                stage_key(&s, 'w');
                for (uint64_t k = (luck >> 16) % 20; k > 0; k--) {
                    stage_key(&s, TERM_KEY_DOWN);
                }
                stage_key(&s, TERM_KEY_ENTER);
            }
            s.ms += (int64_t)((luck >> 20) % 200);
            session_tick(s.session, s.ms);
            picture_session(&s.picture, s.session, (int)((luck >> 30) % 60),
                            (int)((luck >> 40) % 140));
            if (session_in_whatif(s.session) &&
                !sim_audit(run_sim(s.session->whatif.other), &err)) {
                fail_msg("seed %d, B: %s", (int)seed, err.msg);
            }
        }
        if (!sim_audit(session_sim(s.session), &err)) {
            fail_msg("seed %d: %s", (int)seed, err.msg);
        }
        stage_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(esc_leaves_no_trace),
        cmocka_unit_test(every_move_moves_both),
        cmocka_unit_test(keeping_b_is_doing_it_oneself),
        cmocka_unit_test(a_kept_loss_is_what_the_card_asked_for),
        cmocka_unit_test(the_next_card_begins_where_this_one_ended),
        cmocka_unit_test(keeping_a_changes_nothing),
        cmocka_unit_test(the_cards_goal_holds_for_what_is_kept),
        cmocka_unit_test(a_restart_catches_up),
        cmocka_unit_test(differences_are_gone_to),
        cmocka_unit_test(what_changes_nothing_shows_no_difference),
        cmocka_unit_test(all_that_is_offered_can_be_tried),
        cmocka_unit_test(nothing_is_hurried_behind_it),
        cmocka_unit_test(what_b_cuts_is_said),
        cmocka_unit_test(a_question_comes_first),
        cmocka_unit_test(what_the_fabric_refuses_opens_nothing),
        cmocka_unit_test(both_sides_are_plotted),
        cmocka_unit_test(random_keys_do_no_harm),
    };
    return cmocka_run_group_tests_name("app/whatif", tests, NULL, NULL);
}
