/*
 * Series of a run: the same whatever the slices, bounded without losing a spike, right after going back
 * and doing something else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cmocka_rows.h"
#include "run/series.h"

/* Seven hosts send to one, through a switch that takes so long. */
static struct run *incast_through(enum sim_flow_control control, int64_t bytes, sim_ps latency)
{
    struct sim_scenario sc;
    sim_scenario_init(&sc, "incast");
    sc.knobs.v[SIM_KNOB_FLOW_CONTROL] = control;
    sc.knobs.v[SIM_KNOB_XOFF] = 40000;
    sc.knobs.v[SIM_KNOB_SWITCH_LATENCY] = latency;
    assert_true(sim_shape_star(&sc, 8, INT64_C(100000000000), 500 * UNIT_NS, NULL));
    for (uint32_t i = 2; i <= 8; i++) {
        char src[16];
        (void)snprintf(src, sizeof src, "g%u", i);
        assert_true(sim_scenario_flow(&sc, sim_scenario_find(&sc, src),
                                      sim_scenario_find(&sc, "g1"), bytes, 0, NULL));
    }
    struct run *run = run_create(&sc, 1, NULL);
    assert_non_null(run);
    sim_scenario_finish(&sc);
    return run;
}

static struct run *incast(enum sim_flow_control control, int64_t bytes)
{
    return incast_through(control, bytes, 500 * UNIT_NS);
}

static struct run_plot plot(const struct run *run, const char *text)
{
    struct run_plot p;
    struct err err = { 0 };
    if (!run_plot_parse(run_sim(run), text, &p, &err)) {
        fail_msg("%s: %s", text, err.msg);
    }
    return p;
}

static const char *const all_names[] = { "queue sw:1", "held sw:2",  "pause g2",
                                         "load sw:1",  "goodput g1", "goodput g2>g1" };
enum { NAMES = sizeof all_names / sizeof *all_names };

static void begin(struct run_series_set *set, const struct run *run)
{
    struct run_plot plots[NAMES];
    for (size_t i = 0; i < NAMES; i++) {
        plots[i] = plot(run, all_names[i]);
    }
    run_series_begin(set, run_sim(run), plots, NAMES, 0);
}

static void until(struct run_series_set *set, struct run *run, sim_ps t, size_t readings)
{
    while (!run_series_until(set, run, t, readings)) {
    }
}

static void same(const struct run_series_set *a, const struct run_series_set *b)
{
    assert_int_equal(a->known, b->known);
    for (size_t i = 0; i < a->count; i++) {
        const struct run_series *x = &a->series[i], *y = &b->series[i];
        assert_int_equal(x->count, y->count);
        assert_memory_equal(x->point, y->point, x->count * sizeof *x->point);
    }
}

/* ---- naming ------------------------------------------------------------------------------------- */

static struct name_case {
    const char *name, *text, *error;
} name_cases[] = {
    { "a queue", "queue sw:1", NULL },
    { "blanks round it", "  held   sw:2 ", NULL },
    { "a host has one port", "pause g2", NULL },
    { "a host's goodput", "goodput g1", NULL },
    { "nothing", "", "a plot is a word and what it is of" },
    { "of nothing", "queue", "a plot is a word and what it is of" },
    { "a wrong word", "qeue sw:1", "there is no plot qeue; did you mean queue?" },
    { "a far word", "altitude sw:1", "it is queue, held" },
    { "a wrong port", "queue sw:99", "there is no port sw:99; did you mean sw:" },
    { "a switch of many ports", "queue sw", "sw has 8 ports: say which one, sw:1 to sw:8" },
    { "a host queues nothing", "queue g2", "g2:1 is a port of a host: only switches queue" },
    { "a wrong flow", "goodput g2>g2", "did you mean g2>g1?" },
    { "a host has no window", "window g1", "there is no flow g1" },
};

static void name_case(void **state)
{
    const struct name_case *c = *state;
    struct run *run = incast(SIM_FC_PFC, 1 << 16);
    struct run_plot p;
    struct err err = { 0 };
    const bool ok = run_plot_parse(run_sim(run), c->text, &p, &err);
    if (ok != (c->error == NULL) || (!ok && strstr(err.msg, c->error) == NULL)) {
        fail_msg("\"%s\": %s", c->text, ok ? "was read" : err.msg);
    }
    if (ok) { /* its name is read as the same */
        char name[64];
        struct run_plot again;
        assert_true(run_plot_parse(run_sim(run), run_plot_name(run_sim(run), p, name, sizeof name),
                                   &again, NULL));
        assert_true(run_plot_same(p, again));
    }
    run_destroy(run);
}

/* ---- reading ------------------------------------------------------------------------------------ */

static void slices_do_not_matter(void **state)
{
    (void)state;
    struct run *a = incast(SIM_FC_PFC, 1 << 20), *b = incast(SIM_FC_PFC, 1 << 20);
    struct run *alone = incast(SIM_FC_PFC, 1 << 20);
    struct run_series_set x, y;
    begin(&x, a);
    begin(&y, b);
    until(&x, a, UNIT_MS, 1 << 20);
    for (sim_ps t = 0; t < UNIT_MS; t += 7777 * UNIT_NS) {
        until(&y, b, t, 3);
    }
    until(&y, b, UNIT_MS, 3);
    same(&x, &y);
    (void)run_until(alone, run_now(a), 0);
    assert_true(sim_state_hash(run_sim(a)) == sim_state_hash(run_sim(alone)));
    assert_true(sim_trace_hash(run_sim(a)) == sim_trace_hash(run_sim(alone)));
    run_series_finish(&x);
    run_series_finish(&y);
    run_destroy(a);
    run_destroy(b);
    run_destroy(alone);
}

/* Read far more often than there is room, the highest queue of all is still there, where it was. */
static void no_spike_is_lost(void **state)
{
    (void)state;
    struct run *run = incast(SIM_FC_NONE, 4 << 20);
    const struct run_plot p = plot(run, "queue sw:1");
    struct run_series_set set;
    run_series_begin(&set, run_sim(run), &p, 1, 20 * UNIT_NS);
    until(&set, run, 4 * UNIT_MS, 1 << 20);
    const struct run_series *s = &set.series[0];
    struct run_series_span span;
    assert_true(s->count <= RUN_SERIES_POINTS);
    assert_true(run_series_over(s, 0, 4 * UNIT_MS, &span));
    assert_int_equal(span.high, sim_port_queue(run_sim(run), p.id).max_bytes);
    assert_int_equal(span.low, 0);
    for (size_t i = 1; i < s->count; i++) {
        assert_true(s->point[i - 1].until < s->point[i].t);
        assert_true(s->point[i].t <= s->point[i].until);
        assert_true(s->point[i].low <= s->point[i].high);
    }
    run_series_finish(&set);
    run_destroy(run);
}

/* What is plotted after going back and doing something else is what a run has that did it at once. */
static void going_back_cuts(void **state)
{
    (void)state;
    const sim_ps t = 60 * UNIT_US, end = 300 * UNIT_US;
    const struct sim_cmd off = { .kind = SIM_CMD_SET,
                                 .knob = SIM_KNOB_FLOW_CONTROL,
                                 .value = SIM_FC_NONE };
    struct run *a = incast(SIM_FC_PFC, 1 << 20), *b = incast(SIM_FC_PFC, 1 << 20);
    struct run_series_set x, y;
    begin(&x, a);
    begin(&y, b);
    until(&x, a, end, 1 << 20);
    const size_t before = x.series[0].count;
    assert_true(run_seek(a, t, NULL));
    until(&x, a, end, 1 << 20);
    assert_int_equal(x.series[0].count, before); /* known: not read again */
    assert_true(run_seek(a, t, NULL));
    assert_true(run_do(a, &off, RUN_LEARNER, NULL, NULL));
    run_series_cut(&x, t + 1);
    until(&x, a, end, 1 << 20);
    (void)run_until(b, t, 0);
    assert_true(run_plan(b, t + 1, &off, RUN_LEARNER, NULL));
    assert_true(run_seek(b, 0, NULL));
    until(&y, b, end, 1 << 20);
    same(&x, &y);
    run_series_finish(&x);
    run_series_finish(&y);
    run_destroy(a);
    run_destroy(b);
}

static void slopes_add_up(void **state)
{
    (void)state;
    struct run *run = incast(SIM_FC_PFC, 1 << 20);
    struct run_series_set set;
    begin(&set, run);
    until(&set, run, UNIT_MS, 1 << 20);
    const struct run_series *goodput = &set.series[4], *pause = &set.series[2];
    struct run_series_span span;
    assert_true(run_series_over(goodput, 0, set.known, &span));
    const double bits = 7.0 * 8 * (1 << 20), mean = bits / ((double)set.known / 1e12);
    assert_true((double)span.last > mean * 0.9999 && (double)span.last < mean * 1.0001);
    assert_true(run_series_over(pause, 0, set.known, &span));
    const double paused = (double)sim_port_paused_ps(run_sim(run), pause->plot.id);
    assert_true(paused > 0);
    assert_true(run_series_over(goodput, 50 * UNIT_US, 100 * UNIT_US, &span));
    assert_true(span.last > INT64_C(90000000000) && span.last < INT64_C(100000000000));
    run_series_finish(&set);
    run_destroy(run);
}

static void a_sentence_says_it(void **state)
{
    (void)state;
    struct run *run = incast(SIM_FC_PFC, 1 << 20);
    struct run_series_set set;
    struct text out = { 0 };
    begin(&set, run);
    until(&set, run, UNIT_MS, 1 << 20);
    run_series_say(&set.series[1], run_sim(run), 0, UNIT_MS, &out);
    if (strstr(text_str(&out), "held sw:2 from 0 to 1") == NULL ||
        strstr(text_str(&out), "least 0 B, most ") == NULL ||
        strstr(text_str(&out), "at XOFF (40 KB) or above from ") == NULL) {
        fail_msg("%s", text_str(&out));
    }
    assert_true(run_series_moves(&set.series[1], 0, UNIT_MS));
    assert_false(run_series_moves(&set.series[1], 900 * UNIT_US, UNIT_MS));
    text_finish(&out);
    run_series_finish(&set);
    run_destroy(run);
}

/* One that drops is full, although no whole number of frames makes the limit. */
static void a_queue_that_drops_is_full(void **state)
{
    (void)state;
    struct run *run = incast_through(SIM_FC_NONE, 1 << 20, 0);
    struct run_series_set set;
    struct text out = { 0 };
    begin(&set, run);
    until(&set, run, 200 * UNIT_US, 1 << 20);
    const struct sim_queue queue = sim_port_queue(run_sim(run), set.series[0].plot.id);
    assert_true(queue.dropped > 0);
    assert_true(queue.max_bytes < queue.cap);
    run_series_say(&set.series[0], run_sim(run), 0, 200 * UNIT_US, &out);
    if (strstr(text_str(&out), "at full (") == NULL ||
        strstr(text_str(&out), ", or no room for a full frame below it) or above from ") == NULL ||
        strstr(text_str(&out), "never") != NULL) {
        fail_msg("%s", text_str(&out));
    }
    text_finish(&out);
    run_series_finish(&set);
    run_destroy(run);
}

/* A port's own pauses, port by port, are those that the counters have in all. */
static void pauses_add_up(void **state)
{
    (void)state;
    struct run *run = incast(SIM_FC_PFC, 1 << 20);
    for (sim_ps t = 0; t < UNIT_MS; t += 31 * UNIT_US) {
        sim_ps sum = 0;
        (void)run_until(run, t, 0);
        for (uint32_t p = 0; p < sim_port_count(run_sim(run)); p++) {
            sum += sim_port_paused_ps(run_sim(run), p);
        }
        assert_int_equal(sum, sim_counters(run_sim(run)).paused);
    }
    run_destroy(run);
}

int main(void)
{
    static struct CMUnitTest tests[32];
    size_t n = 0;
    ROWS(tests, n, name_cases, name_case);
    const struct CMUnitTest others[] = {
        cmocka_unit_test(slices_do_not_matter), cmocka_unit_test(no_spike_is_lost),
        cmocka_unit_test(going_back_cuts),      cmocka_unit_test(slopes_add_up),
        cmocka_unit_test(a_sentence_says_it),   cmocka_unit_test(a_queue_that_drops_is_full),
        cmocka_unit_test(pauses_add_up),
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        tests[n++] = others[i];
    }
    return _cmocka_run_group_tests("run/series", tests, n, NULL, NULL);
}
