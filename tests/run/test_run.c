/*
 * A run is a value: journal, seek, undo, marks, restart, fork, report.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "run/report.h"
#include "small.h"

static void a_journal_replays(void **state)
{
    (void)state;
    struct run *live = small_run();
    (void)run_until(live, 30 * UNIT_US, 0);
    small_act(live, "drop g3>g4 middle", RUN_LEARNER);
    (void)run_until(live, 150 * UNIT_US, 0);
    small_act(live, "set rank_order mixed", RUN_LESSON);
    small_act(live, "set xoff 20KB", RUN_LEARNER); /* at once: one picosecond later */
    (void)run_until(live, 900 * UNIT_US, 0);

    const struct run_line *lines;
    size_t n = run_journal(live, &lines);
    assert_int_equal(n, 3);
    assert_int_equal(lines[0].at, 30 * UNIT_US + 1);
    assert_int_equal(lines[2].at, lines[1].at + 1);
    struct run *replay = small_run();
    for (size_t i = 0; i < n; i++) {
        assert_true(run_plan(replay, lines[i].at, &lines[i].cmd, lines[i].author, NULL));
    }
    (void)run_until(replay, 900 * UNIT_US, 0);
    assert_true(run_journal_ok(replay, NULL));
    small_same(live, replay);
    run_destroy(live);
    run_destroy(replay);
}

static void going_back_and_doing_something_else_cuts(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct run *clean = small_run();
    const struct run_line *lines;
    (void)run_until(run, 30 * UNIT_US, 0);
    small_act(run, "drop g3>g4 last", RUN_LEARNER);
    (void)run_until(run, 20 * UNIT_MS, 0);
    assert_int_equal(sim_counters(run_sim(run)).timeouts, 1);
    assert_true(run_seek(run, 10 * UNIT_US, NULL));
    assert_int_equal(run_journal(run, &lines), 1); /* going back alone keeps it */
    (void)run_until(run, 40 * UNIT_US, 0);
    assert_true(run_seek(run, 10 * UNIT_US, NULL));
    small_act(run, "set ack_every 1", RUN_LEARNER);
    assert_int_equal(run_journal(run, &lines), 1);
    assert_int_equal(lines[0].cmd.kind, SIM_CMD_SET);
    (void)run_until(run, 20 * UNIT_MS, 0);
    assert_int_equal(sim_counters(run_sim(run)).timeouts, 0);
    const struct sim_record *marks;
    size_t n = sim_trace_marks(run_sim(run), &marks);
    for (size_t i = 0; i < n; i++) {
        assert_int_not_equal(marks[i].kind, SIM_TRACE_DROP); /* it never happened */
        assert_true(i == 0 || marks[i].seq > marks[i - 1].seq);
    }
    run_destroy(run);
    run_destroy(clean);
}

static void undo_is_as_if_never_done(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct run *never = small_run();
    (void)run_until(never, 30 * UNIT_US, 0);
    (void)run_until(run, 30 * UNIT_US, 0);
    small_act(never, "set xoff 50KB", RUN_LESSON);
    small_act(run, "set xoff 50KB", RUN_LESSON);
    (void)run_until(run, 35 * UNIT_US, 0);
    small_act(run, "drop g3>g4 last", RUN_LEARNER);
    (void)run_until(run, 500 * UNIT_US, 0);
    assert_true(run_undo(run, NULL, NULL));
    (void)run_until(never, 500 * UNIT_US, 0);
    small_same(run, never);
    struct err err = { 0 };
    assert_false(run_undo(run, NULL, &err)); /* the lesson's line is not the learner's */
    assert_non_null(strstr(err.msg, "nothing of yours"));
    run_destroy(run);
    run_destroy(never);
}

static void a_card_can_be_entered_again(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct run *first = small_run();
    (void)run_until(run, 50 * UNIT_US, 0);
    small_act(run, "set xoff 50KB", RUN_LESSON);
    (void)run_until(run, 60 * UNIT_US, 0);
    struct run_mark mark = run_mark(run);
    small_act(run, "drop g3>g4 last", RUN_LEARNER);
    (void)run_until(run, 20 * UNIT_MS, 0);
    assert_true(run_return(run, mark, NULL));
    (void)run_until(first, 50 * UNIT_US, 0);
    small_act(first, "set xoff 50KB", RUN_LESSON);
    (void)run_until(first, 60 * UNIT_US, 0);
    small_same(run, first);
    const struct run_line *lines;
    assert_int_equal(run_journal(run, &lines), 1);
    run_destroy(run);
    run_destroy(first);
}

static void restart_knobs_start_again(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct sim_cmd cmd;
    struct err err = { 0 };
    bool restarted = false;
    (void)run_until(run, 100 * UNIT_US, 0);
    small_act(run, "drop g3>g4 last", RUN_LEARNER);
    assert_true(sim_cmd_parse("set mtu 1024B", &cmd, NULL));
    assert_true(run_do(run, &cmd, RUN_LEARNER, &restarted, &err));
    assert_true(restarted);
    assert_int_equal(run_now(run), 0);
    const struct run_line *lines;
    assert_int_equal(run_journal(run, &lines), 0);
    assert_int_equal(sim_knob(run_sim(run), SIM_KNOB_MTU), 1024);
    cmd.value = 3; /* out of range: nothing happens */
    (void)run_until(run, 50 * UNIT_US, 0);
    assert_false(run_do(run, &cmd, RUN_LEARNER, NULL, &err));
    assert_int_equal(run_now(run), 50 * UNIT_US);
    assert_int_equal(sim_knob(run_sim(run), SIM_KNOB_MTU), 1024);
    run_destroy(run);
}

static void a_refused_command_changes_nothing(void **state)
{
    (void)state;
    static const char *const rows[] = { "drop g3>g9 last", "set xon 999MB", "hold leaf1 on",
                                        "drop g3>g4:0#1", "drop g1>g5 last" };
    struct run *run = small_run();
    (void)run_until(run, 60 * UNIT_US, 0);
    uint64_t before = sim_state_hash(run_sim(run));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sim_cmd cmd;
        struct err err = { 0 };
        assert_true(sim_cmd_parse(rows[i], &cmd, &err));
        if (run_do(run, &cmd, RUN_LEARNER, NULL, &err)) {
            fail_msg("\"%s\" was done", rows[i]);
        }
        assert_true(err.msg[0] != '\0');
    }
    assert_true(sim_state_hash(run_sim(run)) == before);
    run_destroy(run);
}

static void a_planned_line_that_fails_is_reported(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct sim_cmd cmd;
    struct err err = { 0 };
    assert_true(sim_cmd_parse("drop g3>g4:0#1", &cmd, NULL));
    assert_true(run_plan(run, 90 * UNIT_US, &cmd, RUN_LEARNER, NULL)); /* long past by then */
    (void)run_until(run, 100 * UNIT_US, 0);
    assert_false(run_journal_ok(run, &err));
    assert_non_null(strstr(err.msg, "drop g3>g4:0#1"));
    assert_non_null(strstr(err.msg, "past"));
    run_destroy(run);
}

static struct run *make_faulty(void)
{
    static const char *const faults[] = { "drop g3>g4 middle", "pause g2", "slow g5 50%" };
    struct sim_scenario sc;
    struct sim_cmd cmd;
    struct err err = { 0 };
    small_scenario(&sc);
    for (int i = 0; i < 3; i++) { /* given backwards, two of them for the same instant */
        assert_true(sim_cmd_parse(faults[2 - i], &cmd, &err));
        assert_true(sim_scenario_fault(&sc, i == 0 ? 200 * UNIT_US : 0, &cmd, &err));
    }
    assert_true(sim_cmd_parse("set mtu 512B", &cmd, &err));
    assert_false(sim_scenario_fault(&sc, 0, &cmd, &err)); /* belongs to the start */
    struct run *run = run_create(&sc, 7, &err);
    assert_non_null(run);
    sim_scenario_finish(&sc);
    return run;
}

static void faults_of_the_scenario_stay(void **state)
{
    (void)state;
    struct run *run = make_faulty();
    const struct run_line *lines;
    small_act(run, "set xoff 20KB", RUN_LEARNER); /* meets the first of them: comes after it */
    (void)run_until(run, 100 * UNIT_US, 0);
    small_act(run, "set xoff 30KB", RUN_LESSON);
    assert_int_equal(run_journal(run, &lines), 5);
    assert_int_equal(lines[0].at, 1);
    assert_int_equal(lines[0].cmd.kind, SIM_CMD_PAUSE);
    assert_int_equal(lines[4].at, 200 * UNIT_US);
    assert_int_equal(lines[4].author, RUN_SCENARIO);
    (void)run_until(run, 900 * UNIT_US, 0);
    assert_true(run_journal_ok(run, NULL));
    assert_int_equal(sim_counters(run_sim(run)).dropped, 1);
    assert_true(run_undo(run, NULL, NULL));
    assert_int_equal(run_journal(run, &lines), 4);
    assert_true(run_seek(run, 150 * UNIT_US, NULL));
    struct run_mark mark = run_mark(run);
    (void)run_until(run, 900 * UNIT_US, 0);
    small_act(run, "set xoff 40KB", RUN_LEARNER);
    assert_true(run_return(run, mark, NULL));
    /* the learner's line is gone, the fault to come is not */
    assert_int_equal(run_journal(run, &lines), 4);
    small_act(run, "set mtu 512B", RUN_LEARNER); /* restarts */
    assert_int_equal(run_journal(run, &lines), 3);
    run_destroy(run);
}

static void a_report_adds_up(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct report r;
    (void)run_until(run, 60 * UNIT_US, 0);
    report_take(&r, run);
    assert_int_equal(r.outcome, REPORT_TIME_LIMIT);
    assert_int_equal(r.steps[0].end, SIM_NEVER);
    assert_int_equal(r.steps[0].exposed_comm, SIM_NEVER);
    assert_int_equal(r.collective.count, 0);
    report_finish(&r);

    while (run_until(run, UNIT_S, SIM_TRACE_BIT(DONE)) == SIM_AT_TRACE &&
           sim_outcome(run_sim(run)) == SIM_RUNNING) {
    }
    report_take(&r, run);
    assert_int_equal(r.outcome, REPORT_DONE);
    assert_int_equal(r.step_count, 4);
    assert_int_equal(r.collective.count, 4);
    sim_ps total = 0;
    for (size_t i = 0; i < r.step_count; i++) {
        assert_int_equal(r.steps[i].start, total);
        assert_int_equal(r.steps[i].compute, 20 * UNIT_US);
        total += r.steps[i].compute + r.steps[i].exposed_comm;
        assert_int_equal(r.steps[i].end, total);
        assert_true(r.steps[i].slowest < sim_node_count(r.sim));
    }
    assert_int_equal(r.end, total);
    assert_true(r.gpu_busy > 0.2 && r.gpu_busy < 0.21);
    assert_int_equal(r.count.sent, 4 * 896);
    uint64_t retransmitted = 0;
    for (size_t f = 0; f < r.flow_count; f++) {
        retransmitted += r.flows[f].retransmitted;
    }
    assert_int_equal(retransmitted, r.count.retransmitted);
    report_finish(&r);
    run_destroy(run);
}

static void a_stall_is_explained(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct report r;
    (void)run_until(run, 30 * UNIT_US, 0);
    small_act(run, "drop_nth 1", RUN_LEARNER);
    (void)run_until(run, 60 * UNIT_S, 0);
    report_take(&r, run);
    assert_int_equal(r.outcome, REPORT_STALLED);
    assert_int_equal(r.stall.reason, SIM_REASON_RETRY_LIMIT);
    assert_true(r.waiting_count > 0);
    int roots = 0;
    for (size_t i = 0; i < r.waiting_count; i++) {
        print_message("# %s: %s\n", sim_node(r.sim, r.waiting[i].node).name, r.waiting[i].what);
        assert_true(r.waiting[i].what[0] != '\0');
        assert_true(r.waiting[i].since < UNIT_MS); /* when the last of it came, not the verdict */
        roots += strstr(r.waiting[i].what, "has given up on") != NULL;
    }
    assert_int_equal(roots, 1); /* what it comes down to, once */
    report_finish(&r);
    run_destroy(run);
}

/* Of flows as well; a dead host waits for nothing. */
static void a_stall_names_its_root(void **state)
{
    (void)state;
    static const struct {
        const char *command, *root, *dead;
    } rows[] = {
        { "storm g3 on", "leaf1 may not send: g3 told it to pause", "" },
        { "slow g3 0", "lies in the receive buffer of g3, which takes nothing in", "" },
        { "kill g3", "g3 is dead", "g3" },
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct run *run = small_run();
        struct report r;
        int roots = 0;
        (void)run_until(run, 30 * UNIT_US, 0);
        small_act(run, rows[k].command, RUN_LEARNER);
        (void)run_until(run, 60 * UNIT_S, 0);
        report_take(&r, run);
        assert_int_equal(r.outcome, REPORT_STALLED);
        for (size_t i = 0; i < r.waiting_count; i++) {
            roots += strstr(r.waiting[i].what, rows[k].root) != NULL;
            assert_string_not_equal(sim_node(r.sim, r.waiting[i].node).name, rows[k].dead);
        }
        assert_true(roots >= 1);
        report_finish(&r);
        run_destroy(run);
    }
}

/* Whoever asks for more than all of time gets an answer. */
static void time_has_an_end(void **state)
{
    (void)state;
    struct sim_scenario sc;
    sim_scenario_init(&sc, "now and then");
    assert_true(sim_shape_pair(&sc, INT64_C(100000000000), 0, NULL));
    assert_true(sim_scenario_flow(&sc, 0, 1, 1, 0, NULL));
    sc.flows[0].gap_ps = SIM_LONGEST;
    struct run *run = run_create(&sc, 1, NULL);
    sim_scenario_finish(&sc);
    assert_int_equal(run_until(run, SIM_NEVER, 0), SIM_AT_END);
    assert_int_equal(run_until(run, SIM_NEVER - 1, 0), SIM_AT_END);
    assert_int_equal(run_now(run), SIM_END);
    run_destroy(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_journal_replays),
        cmocka_unit_test(going_back_and_doing_something_else_cuts),
        cmocka_unit_test(undo_is_as_if_never_done),
        cmocka_unit_test(a_card_can_be_entered_again),
        cmocka_unit_test(restart_knobs_start_again),
        cmocka_unit_test(a_refused_command_changes_nothing),
        cmocka_unit_test(a_planned_line_that_fails_is_reported),
        cmocka_unit_test(faults_of_the_scenario_stay),
        cmocka_unit_test(a_report_adds_up),
        cmocka_unit_test(a_stall_is_explained),
        cmocka_unit_test(a_stall_names_its_root),
        cmocka_unit_test(time_has_an_end),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
