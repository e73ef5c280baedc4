/*
 * Two runs side by side: the first difference is found wherever it lies, whoever moves the runs, and
 * said; every number that differs is listed.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "run/compare.h"
#include "run/differences.h"
#include "small.h"

static const char *said(const struct compare *c)
{
    static char buf[400];
    (void)compare_say(c, buf, sizeof buf);
    print_message("# %s\n", buf);
    return buf;
}

static void what_if_a_packet_is_lost(void **state)
{
    (void)state;
    struct run *left = small_run();
    struct compare c;
    (void)run_until(left, 30 * UNIT_US, 0);
    const struct sim_cmd cmd = small_cmd("drop g3>g4 last");
    struct run *right = compare_what_if(&c, left, &cmd, NULL);
    assert_non_null(right);
    assert_string_equal(said(&c), "");
    compare_until(&c, 20 * UNIT_MS);
    assert_true(c.differs);
    assert_int_equal(c.first_on, COMPARE_RIGHT);
    assert_int_equal(c.first.kind, SIM_TRACE_DROP);
    const char *sentence = said(&c);
    assert_non_null(strstr(
        sentence, "drops packet g3>g4:111#1 (fault) on the right; on the left g4 finishes round"));
    struct compare close = c; /* two times that would read the same */
    close.other = c.first;
    close.other.t = c.first.t + UNIT_NS;
    assert_non_null(strstr(said(&close), "on the right; on the left only 1 ns later"));
    assert_int_equal(run_now(left), 20 * UNIT_MS);
    assert_int_equal(run_now(right), 20 * UNIT_MS);
    assert_int_equal(sim_counters(run_sim(left)).timeouts, 0);
    assert_int_equal(sim_counters(run_sim(right)).timeouts, 1);

    struct report a, b;
    struct differences d;
    report_take(&a, left);
    report_take(&b, right);
    differences_take(&d, &a, &b, false);
    bool timeouts = false;
    for (size_t i = 0; i < d.count; i++) {
        char x[40], y[40];
        print_message("# %s: %s, %s\n", d.v[i].name,
                      metric_show(d.v[i].info, d.v[i].left, x, sizeof x),
                      metric_show(d.v[i].info, d.v[i].right, y, sizeof y));
        timeouts = timeouts || strcmp(d.v[i].name, "timeouts") == 0;
        assert_string_not_equal(d.v[i].name, "xoff_frames");
    }
    assert_true(timeouts);
    differences_finish(&d);
    differences_take(&d, &a, &a, false);
    assert_int_equal(d.count, 0);
    report_finish(&a);
    report_finish(&b);
    run_destroy(left);
    run_destroy(right);
}

/* A screen moves the runs in slices and only looks. */
static void whoever_moves_them(void **state)
{
    (void)state;
    struct run *left = small_run();
    struct compare c, d;
    const struct sim_cmd cmd = small_cmd("set xoff 9KB");
    (void)run_until(left, 30 * UNIT_US, 0);
    struct run *right = compare_what_if(&c, left, &cmd, NULL);
    assert_non_null(right);
    for (sim_ps t = 30 * UNIT_US; t < 300 * UNIT_US; t += 1700 * UNIT_NS) {
        (void)run_until(left, t, 0);
        (void)run_until(right, t + t % 2000, 0); /* not quite together */
        compare_look(&c);
        if (t % 5 == 0) {
            assert_true(run_seek(left, t - 10 * UNIT_US, NULL)); /* nor always onward */
            compare_look(&c);
        }
    }
    run_destroy(right);
    assert_true(run_seek(left, 30 * UNIT_US, NULL));
    right = compare_what_if(&d, left, &cmd, NULL);
    compare_until(&d, 300 * UNIT_US);
    assert_true(c.differs && d.differs);
    assert_memory_equal(&c.first, &d.first, sizeof c.first);
    assert_int_equal(c.first_on, d.first_on);
    const char *sentence = said(&d);
    assert_non_null(strstr(sentence, " sends XOFF to "));
    assert_non_null(strstr(sentence, " on the right, not on the left"));
    run_destroy(left);
    run_destroy(right);
}

/* A restart knob: the fork begins again, and they differ from the start. */
static void another_value_from_the_start(void **state)
{
    (void)state;
    struct run *left = small_run();
    struct compare c, d;
    small_act(left, "drop g3>g4 middle", RUN_LEARNER);
    (void)run_until(left, 200 * UNIT_US, 0);
    const struct sim_cmd cmd = small_cmd("set mtu 2048B");
    struct run *right = compare_what_if(&c, left, &cmd, NULL);
    assert_non_null(right);
    assert_int_equal(run_now(right), 200 * UNIT_US);
    assert_true(c.differs);
    assert_true(c.first.t < 200 * UNIT_US);
    const struct run_line *lines;
    assert_int_equal(run_journal(right, &lines), 1); /* the drop happens there, too */

    struct sim_scenario sc;
    small_scenario(&sc);
    struct run *a = run_create(&sc, 7, NULL);
    sc.knobs.v[SIM_KNOB_MTU] = 2048;
    struct run *b = run_create(&sc, 7, NULL);
    sim_scenario_finish(&sc);
    small_act(a, "drop g3>g4 middle", RUN_LEARNER);
    small_act(b, "drop g3>g4 middle", RUN_LEARNER);
    compare_begin(&d, a, b);
    d.where[COMPARE_LEFT] = "with 4,096 bytes";
    d.where[COMPARE_RIGHT] = "with 2,048 bytes";
    compare_until(&d, 200 * UNIT_US);
    small_same(b, right);
    assert_memory_equal(&c.first, &d.first, sizeof c.first);
    assert_non_null(strstr(said(&d), "with 2,048 bytes"));
    run_destroy(a);
    run_destroy(b);
    run_destroy(left);
    run_destroy(right);
}

/* Other flows, other ids: names are compared. */
static void another_collective(void **state)
{
    (void)state;
    struct sim_scenario sc;
    small_scenario(&sc);
    struct run *a = run_create(&sc, 7, NULL);
    sc.knobs.v[SIM_KNOB_COLLECTIVE] = SIM_COLL_TREE;
    struct run *b = run_create(&sc, 7, NULL);
    sim_scenario_finish(&sc);
    struct compare c;
    compare_begin(&c, a, b);
    assert_false(c.same_names);
    compare_until(&c, UNIT_MS);
    assert_true(c.differs);
    assert_true(said(&c)[0] != '\0');
    struct report x, y;
    struct differences d;
    report_take(&x, a);
    report_take(&y, b);
    differences_take(&d, &x, &y, false);
    size_t only_right = 0;
    for (size_t i = 0; i < d.count; i++) {
        only_right += strncmp(d.v[i].name, "flows[", 6) == 0 && isnan(d.v[i].left);
    }
    assert_true(only_right > 0);
    differences_finish(&d);
    report_finish(&x);
    report_finish(&y);
    run_destroy(a);
    run_destroy(b);
}

static void the_same_twice_does_not_differ(void **state)
{
    (void)state;
    struct run *left = small_run();
    struct compare c;
    (void)run_until(left, 30 * UNIT_US, 0);
    const struct sim_cmd cmd = small_cmd("set tcp_retries 3"); /* nobody here speaks TCP */
    struct run *right = compare_what_if(&c, left, &cmd, NULL);
    compare_until(&c, UNIT_MS);
    assert_false(c.differs);
    struct err err = { 0 };
    const struct sim_cmd bad = small_cmd("drop g3>g9 last");
    assert_null(compare_what_if(&c, left, &bad, &err));
    assert_true(err.msg[0] != '\0');
    run_destroy(left);
    run_destroy(right);
}

static void every_number_has_its_place(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct report r;
    struct differences d;
    size_t steps = 0, flows = 0, queues = 0;
    (void)run_until(run, UNIT_MS, 0);
    report_take(&r, run);
    differences_take(&d, &r, &r, true);
    for (size_t i = 0; i < d.count; i++) {
        if (strcmp(d.v[i].name, "steps[2].compute_ns") == 0) {
            assert_int_equal((int)d.v[i].left, 20000);
        }
        steps += strncmp(d.v[i].name, "steps[", 6) == 0;
        flows += strncmp(d.v[i].name, "flows[", 6) == 0;
        queues += strncmp(d.v[i].name, "queues[", 7) == 0;
    }
    assert_int_equal(steps, 4 * r.step_count);
    assert_int_equal(flows, 5 * r.flow_count);
    assert_int_equal(queues, 3 * r.queue_count);
    differences_finish(&d);
    report_finish(&r);
    run_destroy(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_if_a_packet_is_lost),
        cmocka_unit_test(whoever_moves_them),
        cmocka_unit_test(another_value_from_the_start),
        cmocka_unit_test(another_collective),
        cmocka_unit_test(the_same_twice_does_not_differ),
        cmocka_unit_test(every_number_has_its_place),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
