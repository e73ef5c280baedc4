/*
 * Taking back and doing again: after each kind of action the run is the one in which it was never done.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "small.h"

static const sim_ps now = 400 * UNIT_US;

/* Every kind of command, at 30 us; then 400 us. */
static void every_kind_of_action(void **state)
{
    (void)state;
    static const char *const actions[] = {
        "set xoff 50KB",        "set flow_control none",
        "set rank_order mixed", "set snapshots 1MB",
        "drop g3>g4 last",      "drop_nth 50",
        "hold g2 on",           "pause g2",
        "slow g5 50%",          "loss 1%",
        "slow_gpu g3 2",        "kill g6",
        "storm g4 on",          "flood g7 on",
        "link leaf1:1 down",    "set mtu 1024B",
        "set routing spray",
    };
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        struct run *run = small_run(), *never = small_run(), *done = small_run();
        struct err err = { 0 };
        bool restarted = false, again = false;
        (void)run_until(run, 30 * UNIT_US, 0);
        (void)run_until(done, 30 * UNIT_US, 0);
        small_act(run, actions[i], RUN_LEARNER);
        small_act(done, actions[i], RUN_LEARNER);
        (void)run_until(run, now, 0);
        (void)run_until(done, now, 0);
        if (!run_undo(run, &restarted, &err)) {
            fail_msg("%s: %s", actions[i], err.msg);
        }
        (void)run_until(never, restarted ? 30 * UNIT_US : now, 0);
        small_same(run, never);
        if (!run_redo(run, &again, &err)) {
            fail_msg("%s: %s", actions[i], err.msg);
        }
        assert_int_equal(again, restarted);
        (void)run_until(run, now, 0);
        small_same(run, done);
        assert_false(run_redo(run, NULL, &err));
        run_destroy(run);
        run_destroy(never);
        run_destroy(done);
    }
}

/* Going back and doing something else cuts; taking that back brings it again. */
static void what_was_cut_comes_back(void **state)
{
    (void)state;
    struct run *run = small_run(), *before = small_run();
    const struct run_line *lines;
    struct run *both[] = { run, before };
    for (int i = 0; i < 2; i++) {
        (void)run_until(both[i], 60 * UNIT_US, 0);
        small_act(both[i], "set xoff 50KB", RUN_LESSON);
        (void)run_until(both[i], 90 * UNIT_US, 0);
        small_act(both[i], "drop g3>g4 last", RUN_LEARNER);
        (void)run_until(both[i], now, 0);
    }
    assert_true(run_seek(run, 40 * UNIT_US, NULL));
    small_act(run, "drop g5>g6 middle", RUN_LEARNER);
    (void)run_until(run, now, 0);
    assert_int_equal(run_journal(run, &lines), 1);
    assert_true(run_undo(run, NULL, NULL));
    assert_int_equal(run_journal(run, &lines), 2);
    small_same(run, before);
    assert_true(run_redo(run, NULL, NULL));
    assert_int_equal(run_journal(run, &lines), 1);
    assert_string_equal(lines[0].cmd.flow, "g5>g6");
    assert_true(run_undo(run, NULL, NULL));
    assert_true(run_undo(run, NULL, NULL)); /* the drop at 90 us; the lesson's line stays */
    assert_int_equal(run_journal(run, &lines), 1);
    assert_int_equal(lines[0].author, RUN_LESSON);
    assert_false(run_undo(run, NULL, NULL));
    assert_true(run_redo(run, NULL, NULL));
    small_same(run, before);
    run_destroy(run);
    run_destroy(before);
}

/* When something was done since, only the line itself goes. */
static void what_was_done_since_stays(void **state)
{
    (void)state;
    struct run *run = small_run();
    const struct run_line *lines;
    (void)run_until(run, 90 * UNIT_US, 0);
    small_act(run, "drop g3>g4 last", RUN_LEARNER);
    assert_true(run_seek(run, 40 * UNIT_US, NULL));
    small_act(run, "drop g5>g6 middle", RUN_LEARNER);
    (void)run_until(run, 60 * UNIT_US, 0);
    small_act(run, "set xoff 50KB", RUN_LESSON);
    assert_true(run_undo(run, NULL, NULL));
    assert_int_equal(run_journal(run, &lines), 1);
    assert_int_equal(lines[0].author, RUN_LESSON);
    run_destroy(run);
}

/* A line that lies ahead of where one stands is the last thing done, too. */
static void a_line_that_lies_ahead(void **state)
{
    (void)state;
    struct run *run = small_run(), *never = small_run();
    (void)run_until(run, 90 * UNIT_US, 0);
    small_act(run, "drop g3>g4 last", RUN_LEARNER);
    (void)run_until(run, now, 0);
    assert_true(run_seek(run, 40 * UNIT_US, NULL));
    assert_true(run_undo(run, NULL, NULL));
    assert_int_equal(run_now(run), 40 * UNIT_US);
    (void)run_until(run, now, 0);
    (void)run_until(never, now, 0);
    small_same(run, never);
    run_destroy(run);
    run_destroy(never);
}

/* The lesson's own restart is not the learner's to take back. */
static void restarts_have_authors(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct err err = { 0 };
    (void)run_until(run, 90 * UNIT_US, 0);
    small_act(run, "drop g3>g4 last", RUN_LEARNER);
    small_act(run, "set mtu 1024B", RUN_LESSON);
    assert_false(run_undo(run, NULL, &err));
    small_act(run, "set mtu 2048B", RUN_LEARNER);
    bool restarted = false;
    assert_true(run_undo(run, &restarted, &err));
    assert_true(restarted);
    assert_int_equal(sim_knob(run_sim(run), SIM_KNOB_MTU), 1024);
    assert_false(run_undo(run, NULL, &err));
    struct run *fork = run_fork(run);
    assert_true(run_redo(run, NULL, &err));
    assert_int_equal(sim_knob(run_sim(run), SIM_KNOB_MTU), 2048);
    struct run *second = run_fork(run); /* a fork knows what was before, too */
    assert_true(run_undo(second, &restarted, &err));
    assert_int_equal(sim_knob(run_sim(second), SIM_KNOB_MTU), 1024);
    run_destroy(run);
    run_destroy(fork);
    run_destroy(second);
}

/* A mark whose past was rewritten is no way back. */
static void a_mark_knows_its_past(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct err err = { 0 };
    (void)run_until(run, 60 * UNIT_US, 0);
    small_act(run, "set xoff 50KB", RUN_LESSON);
    (void)run_until(run, 90 * UNIT_US, 0);
    const struct run_mark mark = run_mark(run);
    assert_true(run_seek(run, 40 * UNIT_US, NULL));
    small_act(run, "set xoff 60KB", RUN_LEARNER);
    (void)run_until(run, 120 * UNIT_US, 0);
    assert_false(run_return(run, mark, &err));
    assert_non_null(strstr(err.msg, "gone"));
    assert_int_equal(run_now(run), 120 * UNIT_US);
    run_destroy(run);
}

/* A stall that a command may end: the line acts in a replay as it did live. */
static void a_line_after_a_stall(void **state)
{
    (void)state;
    struct run *live = small_run(), *replay = small_run();
    const struct run_line *lines;
    (void)run_until(live, 30 * UNIT_US, 0);
    small_act(live, "storm g4 on", RUN_LEARNER);
    assert_int_equal(run_until(live, 60 * UNIT_S, 0), SIM_AT_END);
    assert_int_equal(sim_outcome(run_sim(live)), SIM_STALLED);
    small_act(live, "storm g4 off", RUN_LEARNER);
    (void)run_until(live, run_now(live) + 100 * UNIT_MS, 0);
    assert_int_equal(sim_outcome(run_sim(live)), SIM_DONE);

    const size_t n = run_journal(live, &lines);
    for (size_t i = 0; i < n; i++) {
        assert_true(run_plan(replay, lines[i].at, &lines[i].cmd, lines[i].author, NULL));
    }
    (void)run_until(replay, run_now(live), 0);
    small_same(live, replay);
    assert_true(run_undo(live, NULL, NULL)); /* it is stalled again */
    assert_int_equal(sim_outcome(run_sim(live)), SIM_STALLED);
    assert_true(run_redo(live, NULL, NULL));
    run_destroy(live);
    run_destroy(replay);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_action),      cmocka_unit_test(what_was_cut_comes_back),
        cmocka_unit_test(what_was_done_since_stays), cmocka_unit_test(a_line_that_lies_ahead),
        cmocka_unit_test(restarts_have_authors),     cmocka_unit_test(a_mark_knows_its_past),
        cmocka_unit_test(a_line_after_a_stall),
    };
    return cmocka_run_group_tests_name("undo", tests, NULL, NULL);
}
