/*
 * Plots of a session: whatever is chosen, and whenever, it shows all of the run that is, not of one that
 * was, and the same however one watched.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stage.h"

static void type(struct stage *s, const char *text)
{
    stage_key(s, ':');
    stage_type(s, text);
    stage_key(s, TERM_KEY_ENTER);
    stage_settle(s);
}

static void must_see(struct stage *s, const char *text)
{
    stage_frame(s);
    if (!stage_sees(s, text)) {
        struct text frame = { 0 };
        canvas_dump(&s->picture.canvas, &frame);
        fail_msg("no \"%s\" in\n%s", text, text_str(&frame));
    }
}

/* The series that the session draws are those that a fork of its run reads at once. */
static void must_be_of_this_run(struct stage *s)
{
    const struct plots *p = &s->session->plots;
    struct run_series_set want;
    assert_true(p->count > 0);
    run_series_past(&want, player_run(s->session->player), p->shown, p->count);
    assert_true(p->set.known >= want.known);
    for (size_t i = 0; i < p->count; i++) {
        struct run_series_span got, exp;
        for (sim_ps t = 0; t < want.known; t += UNIT_US) {
            const bool known = run_series_over(&want.series[i], t, t + UNIT_US, &exp);
            if (t + UNIT_US + want.series[i].window > want.known) {
                break; /* the session may have read on: there the last windows differ */
            }
            assert_int_equal(run_series_over(&p->set.series[i], t, t + UNIT_US, &got), known);
            assert_memory_equal(&got, &exp, sizeof got);
        }
    }
    run_series_finish(&want);
}

static void a_plot_chosen_late_knows_the_past(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    type(&s, "plot goodput g3>g4");
    type(&s, "plot queue leaf1:1");
    assert_int_equal(s.session->view, SCENE_VIEW_PLOT);
    must_see(&s, "goodput g3>g4");
    must_see(&s, "queue leaf1:1 to g1");
    must_be_of_this_run(&s);
    stage_end(&s);
}

static void it_follows_what_is_done(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    type(&s, "plot goodput g3>g4");
    type(&s, "go 60us");
    must_be_of_this_run(&s);
    type(&s, "go 40us"); /* back: known */
    must_be_of_this_run(&s);
    type(&s, "drop_nth 7 g3>g4"); /* another future */
    type(&s, "go 60us");
    must_be_of_this_run(&s);
    stage_key(&s, 'u');
    stage_settle(&s);
    type(&s, "go 70us");
    must_be_of_this_run(&s);
    type(&s, "set mtu 1KiB"); /* begins again: another run, the same plot */
    assert_int_equal(s.session->plots.count, 1);
    type(&s, "go 50us");
    must_see(&s, "goodput g3>g4");
    must_be_of_this_run(&s);
    stage_end(&s);
}

static void it_is_the_same_however_one_watched(void **state)
{
    (void)state;
    struct stage a, b;
    stage_begin(&a, 1);
    stage_begin(&b, 1);
    type(&a, "plot load leaf1:1");
    stage_settle(&a);
    stage_key(&a, TERM_KEY_HOME);
    for (int i = 0; i < 200; i++) { /* one packet-hop after another, and back now and then */
        stage_key(&a, i % 7 == 6 ? ',' : '.');
        stage_frame(&a);
    }
    type(&a, "go 30us");
    stage_settle(&b);
    type(&b, "go 30us");
    type(&b, "plot load leaf1:1");
    const struct run_series *x = &a.session->plots.set.series[0];
    const struct run_series *y = &b.session->plots.set.series[0];
    struct run_series_span got, want;
    for (sim_ps t = 0; t < 20 * UNIT_US; t += UNIT_US / 4) {
        assert_true(run_series_over(x, t, t + UNIT_US / 4, &got));
        assert_true(run_series_over(y, t, t + UNIT_US / 4, &want));
        assert_int_equal(got.last, want.last);
    }
    stage_end(&a);
    stage_end(&b);
}

static void the_list_offers_what_the_cursor_is_on(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    stage_key(&s, 'c');
    assert_true(s.session->cursor.on);
    const uint32_t port = s.session->cursor.port;
    stage_key(&s, 'm');
    stage_frame(&s);
    must_see(&s, "plot over time");
    assert_true(s.session->plot_choice_count > 3);
    const struct run_plot first = s.session->plot_choice[0];
    assert_true(first.id == port || first.id == sim_port(session_sim(s.session), port).peer ||
                first.id == s.session->cursor.flow);
    stage_key(&s, TERM_KEY_ENTER);
    assert_true(plots_has(&s.session->plots, first));
    stage_frame(&s);
    must_see(&s, "> *");
    stage_key(&s, TERM_KEY_ENTER); /* away again: what is busiest takes its place */
    assert_false(s.session->plots.chosen);
    stage_key(&s, TERM_KEY_ESC);
    stage_settle(&s);
    stage_end(&s);
}

static void a_key_says_why_not(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    type(&s, "plot window g3>g4");
    assert_non_null(strstr(s.session->prompt.error, "no window while transport is not tcp"));
    stage_key(&s, TERM_KEY_ESC);
    type(&s, "plot queue leaf9:1");
    assert_non_null(strstr(s.session->prompt.error, "there is no port leaf9:1"));
    stage_key(&s, TERM_KEY_ESC);
    type(&s, "plot");
    assert_non_null(strstr(s.session->prompt.error, "a plot is a word and what it is of"));
    stage_end(&s);
}

/* Nothing is read when nobody looks, and nothing moves when all is read. */
static void it_comes_to_rest(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    assert_null(s.session->plots.reader);
    type(&s, "plot goodput g3>g4");
    assert_false(session_moving(s.session));
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plot_chosen_late_knows_the_past),
        cmocka_unit_test(it_follows_what_is_done),
        cmocka_unit_test(it_is_the_same_however_one_watched),
        cmocka_unit_test(the_list_offers_what_the_cursor_is_on),
        cmocka_unit_test(a_key_says_why_not),
        cmocka_unit_test(it_comes_to_rest),
    };
    return cmocka_run_group_tests_name("app/plots", tests, NULL, NULL);
}
