/* In front of a room: one sentence at a time, answers that wait, a blank screen, notes for who teaches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stage.h"

#define TASKS SOURCE_ROOT "/tests/lesson/good/tasks.lua"
static const char reply[] = "The step took"; /* of the second card's question */

static void step(struct stage *s, const char *keys)
{
    stage_type(s, keys);
    stage_frame(s);
}

/* Answers the question of card 2 and plays it to its end. */
static void answered(struct stage *s, const char *first)
{
    stage_begin(s, 2);
    stage_frame(s);
    stage_type(s, first);
    stage_settle(s);
    step(s, "x");
    stage_settle(s);
    step(s, "c");
    stage_settle(s);
}

static void answers_wait(void **state)
{
    (void)state;
    struct stage s;
    answered(&s, "T");
    assert_true(session_hides(s.session));
    assert_false(stage_sees(&s, reply));
    assert_true(stage_sees(&s, "destroy a packet"));
    step(&s, "V");
    assert_true(stage_sees(&s, reply));
    step(&s, "V");
    assert_false(stage_sees(&s, reply));
    step(&s, "T"); /* a learner's layout again: nothing waits there */
    assert_true(stage_sees(&s, reply));
    step(&s, "T"); /* and what was revealed is not remembered */
    assert_false(stage_sees(&s, reply));
    stage_end(&s);
}

static void learners_see_them_at_once(void **state)
{
    (void)state;
    struct stage s;
    answered(&s, "");
    assert_true(stage_sees(&s, reply));
    step(&s, "V");
    assert_true(stage_sees(&s, "answers are shown"));
    stage_end(&s);
}

static void first_the_question(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 2);
    stage_frame(&s);
    step(&s, "T");
    stage_settle(&s);
    step(&s, "x");
    stage_settle(&s);
    assert_true(stage_sees(&s, "a few us"));
    step(&s, "V");
    assert_true(stage_sees(&s, "first an answer"));
    stage_end(&s);
}

/* Another card hides its answer again. */
static void a_card_further_on(void **state)
{
    (void)state;
    struct stage s;
    answered(&s, "T");
    step(&s, "V");
    step(&s, "n");
    stage_settle(&s);
    assert_true(session_hides(s.session));
    assert_true(s.session->presenter);
    stage_end(&s);
}

static void one_sentence(void **state)
{
    (void)state;
    struct stage s;
    stage_begin_lesson(&s, SOURCE_ROOT "/lessons/one-lost-packet.lua", 1);
    step(&s, " T");
    assert_true(stage_sees(&s, "1 of "));
    const size_t count = s.session->sentence_count;
    assert_true(count > 1);
    for (size_t i = 1; i < count; i++) {
        stage_key(&s, TERM_KEY_PAGEDOWN);
        stage_frame(&s);
        assert_int_equal(s.session->sentence, i);
    }
    stage_key(&s, TERM_KEY_PAGEDOWN);
    stage_frame(&s);
    assert_true(stage_sees(&s, "says no more"));
    assert_int_equal(s.session->sentence, count - 1);
    stage_key(&s, TERM_KEY_PAGEUP);
    stage_frame(&s);
    assert_int_equal(s.session->sentence, count - 2);
    step(&s, "n");
    stage_settle(&s);
    assert_int_equal(s.session->sentence, 0);
    stage_end(&s);
}

/* Nothing is on the screen, time stands, and whatever key is pressed does nothing but end that. */
static void blank(void **state)
{
    (void)state;
    static const uint32_t keys[] = { 'n', 'q', ' ', '7', TERM_KEY_ESC, 'Q', 'B', '?' };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        struct stage s;
        stage_begin(&s, 1);
        stage_frame(&s);
        step(&s, "B");
        assert_false(stage_sees(&s, "weft"));
        assert_false(stage_sees(&s, "leaf1"));
        assert_false(session_moving(s.session));
        const sim_ps now = sim_now(session_sim(s.session));
        stage_key(&s, keys[i]);
        stage_frame(&s);
        assert_true(stage_sees(&s, "leaf1"));
        assert_true(stage_sees(&s, "card 1 of 4"));
        assert_true(stage_sees(&s, "space plays on"));
        assert_int_equal(sim_now(session_sim(s.session)), now);
        assert_false(s.session->wants_out);
        stage_end(&s);
    }
}

static void notes(void **state)
{
    (void)state;
    struct stage s;
    stage_begin_lesson(&s, TASKS, 1);
    step(&s, "N");
    assert_true(stage_sees(&s, "notes: in the presenter's layout"));
    assert_false(stage_sees(&s, "three hands"));
    bool seen = false;
    step(&s, "T");
    for (int card = 0; card < 5 && !seen; card++) {
        step(&s, "N");
        seen = stage_sees(&s, "Wait for three hands.");
        if (!seen) {
            assert_true(stage_sees(&s, "no notes"));
            stage_type(&s, "n");
            stage_settle(&s);
        }
    }
    assert_true(seen);
    assert_false(stage_sees(&s, "{packets")); /* measured */
    stage_key(&s, TERM_KEY_ESC);
    stage_frame(&s);
    assert_false(stage_sees(&s, "three hands"));
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_wait),
        cmocka_unit_test(learners_see_them_at_once),
        cmocka_unit_test(first_the_question),
        cmocka_unit_test(a_card_further_on),
        cmocka_unit_test(one_sentence),
        cmocka_unit_test(blank),
        cmocka_unit_test(notes),
    };
    return cmocka_run_group_tests_name("app/present", tests, NULL, NULL);
}
