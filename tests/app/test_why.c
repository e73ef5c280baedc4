/* "Why is it waiting?": trees of causes, of anything one can point at. */
#include "cmocka_rows.h"

#include <stdio.h>
#include <string.h>

#include "app/why.h"
#include "base/units.h"
#include "ring.h"
#include "sim/scenario.h"
#include "stage.h"

/* The tree as text, asked by name; NULL: of the worst. */
static const char *ask(const struct sim *sim, const char *name, struct text *out)
{
    struct why_tree tree = { 0 };
    struct why_about about = why_of_worst(sim);
    struct err err = { 0 };
    if (name != NULL && !why_named(sim, name, &about, &err)) {
        fail_msg("%s", err.msg);
    }
    text_clear(out);
    why_grow(&tree, sim, about);
    assert_true(tree.count > 0);
    for (size_t i = 0; i < tree.count; i++) {
        assert_true(tree.node[i].depth <= (i == 0 ? 0 : tree.node[i - 1].depth + 1));
        struct cursor cursor = { 0 };
        if (why_point(&tree.node[i].about, sim, &cursor)) {
            assert_true(cursor.on && cursor.port < sim_port_count(sim));
        }
    }
    why_say(&tree, out);
    why_finish(&tree);
    return text_str(out);
}

static void must(const char *text, const char *has)
{
    if (strstr(text, has) == NULL) {
        fail_msg("no \"%s\" in:\n%s", has, text);
    }
}

static void the_last_packet_closes_the_circle(void **state)
{
    (void)state;
    struct run *run = ring_run(3);
    struct text why = { 0 };
    ring_do(run, "drop g3>g4:111#1");
    ring_until(run, SIM_TRACE_DROP);
    run_until(run, run_now(run) + 10 * UNIT_US, 0);
    const char *text = ask(run_sim(run), NULL, &why);
    must(text, "g1 is done and waits at the barrier for g4\n"
               "  g4 waits for data from g3\n"
               "    packet 112 of the step's 112 from g3 is lost");
    must(text, "only its timer of 16.8 ms can help");
    must(text, "the circle is closed");
    must(ask(run_sim(run), "g3>g4", &why),
         "g3>g4 is not done\n  packet 112 of the step's 112 from g3 is lost");
    must(ask(run_sim(run), "g3>g4:111", &why), "packet 111 of g3>g4 is not on its way");
    must(ask(run_sim(run), "leaf1", &why), "leaf1 does not wait");
    must(ask(run_sim(run), "leaf1:1", &why), "nothing waits in leaf1 for the cable to g1");
    text_finish(&why);
    run_destroy(run);
}

/* At the barrier for two that have nothing to do with each other: each gets a branch. */
static void who_is_not_there_has_a_branch(void **state)
{
    (void)state;
    struct run *run = ring_run(3);
    struct text why = { 0 };
    ring_do(run, "slow_gpu g2 50");
    ring_until(run, SIM_TRACE_BARRIER);
    run_until(run, run_now(run) + 300 * UNIT_US, 0);
    const char *text = ask(run_sim(run), "g5", &why);
    must(text, "g2 computes for another");
    must(text, "g5 waits for data from g4");
    text_finish(&why);
    run_destroy(run);
}

static struct sim *incast(void)
{
    struct sim_scenario sc;
    sim_scenario_init(&sc, "incast");
    assert_true(sim_shape_star(&sc, 5, INT64_C(100000000000), 500 * UNIT_NS, NULL));
    for (int i = 1; i < 5; i++) {
        char name[8];
        snprintf(name, sizeof name, "g%d", i);
        assert_true(sim_scenario_flow(&sc, sim_scenario_find(&sc, name),
                                      sim_scenario_find(&sc, "g5"), 4000000, 0, NULL));
    }
    struct sim *sim = sim_create(&sc, 1, NULL);
    sim_scenario_finish(&sc);
    return sim;
}

/* Paused: by whom, what that holds, where it stands, and who shares the cable it waits for. */
static void a_pause_is_followed_to_the_queue(void **state)
{
    (void)state;
    struct sim *sim = incast();
    struct text why = { 0 };
    (void)sim_run_until(sim, 40 * UNIT_US, 0);
    while (!sim_port_queue(sim, sim_find_port(sim, "g1:1")).paused) {
        (void)sim_run_until(sim, sim_now(sim) + 100 * UNIT_NS, 0);
    }
    const char *text = ask(sim, "g1:1", &why);
    must(text, "g1 may not send: sw told it to pause\n");
    must(text, "  sw holds ");
    must(text, "waits for the cable to g5\n    that cable carries 100 Gb/s; for it wait g");
    must(ask(sim, "sw", &why), "waits for the cable to g5");
    must(ask(sim, "g5", &why), "g5 does not wait: it has nothing to send");
    text_finish(&why);
    sim_destroy(sim);
}

/* A packet in a queue says where it stands and why; one behind a gap says what it waits for. */
static void a_packet_says_where_it_is(void **state)
{
    (void)state;
    struct sim *sim = incast();
    struct text why = { 0 };
    struct cursor cursor = { 0 };
    (void)sim_run_until(sim, 60 * UNIT_US, 0);
    cursor_put_lane(&cursor, sim, sim_find_port(sim, "sw:5"), 0, 1000);
    assert_int_equal(cursor.thing, CURSOR_FRAME);
    assert_true(cursor.waiting);
    const struct why_about about = why_of_cursor(&cursor);
    assert_int_equal(about.thing, WHY_PACKET);
    struct why_tree tree = { 0 };
    why_grow(&tree, sim, about);
    must(tree.node[0].text, "waiting in a queue, at sw toward g5");
    must(tree.node[1].text, "that cable carries 100 Gb/s");
    why_finish(&tree);
    text_finish(&why);
    sim_destroy(sim);
}

static void without_a_barrier_flows_wait(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct text why = { 0 };
    struct sim_cmd cmd;
    sim_scenario_init(&sc, "flows");
    assert_true(sim_shape_star(&sc, 3, INT64_C(100000000000), 500 * UNIT_NS, NULL));
    assert_true(sim_scenario_flow(&sc, sim_scenario_find(&sc, "g1"), sim_scenario_find(&sc, "g2"),
                                  100000, 0, NULL));
    assert_true(sim_scenario_flow(&sc, sim_scenario_find(&sc, "g3"), sim_scenario_find(&sc, "g2"),
                                  10000000, 0, NULL));
    struct sim *sim = sim_create(&sc, 1, NULL);
    sim_scenario_finish(&sc);
    assert_true(sim_cmd_parse("drop g1>g2 last", &cmd, NULL));
    assert_true(sim_apply(sim, 1, &cmd, NULL));
    (void)sim_run_until(sim, 100 * UNIT_US, 0);
    const char *text = ask(sim, NULL, &why); /* of two that are not done, the one that is stuck */
    must(text, "g1>g2 is not done\n  packet 24 from g1 is lost");
    must(text, "only its timer of 16.8 ms can help");
    must(ask(sim, "g1", &why), "g1>g2 is not done");
    (void)sim_run_until(sim, UNIT_S, 0);
    must(ask(sim, NULL, &why), "nobody waits");
    text_finish(&why);
    sim_destroy(sim);
}

static void what_is_not_there_is_named(void **state)
{
    (void)state;
    struct run *run = ring_run(1);
    struct why_about about;
    static const char *const names[] = { "", "g9", "leaf1:77", "g3>g3", "g3>g9:1", "g3>g4:x", ":" };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct err err = { 0 };
        assert_false(why_named(run_sim(run), names[i], &about, &err));
        assert_non_null(strstr(err.msg, "there is no"));
    }
    run_destroy(run);
}

/* On the screen: branches, one chosen, Enter goes there. */
static void the_cursor_goes_to_a_cause(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 3);
    stage_settle(&s);
    stage_key(&s, ':');
    stage_type(&s, "go 130us\n");
    stage_settle(&s);
    stage_key(&s, 'y');
    stage_frame(&s);
    assert_true(stage_sees(&s, "why is it waiting?"));
    assert_true(stage_sees(&s, "Enter show"));
    assert_true(s.session->why.count > 1);
    const size_t last = s.session->why.count - 1;
    for (size_t i = 0; i < last + 3; i++) {
        stage_key(&s, 'j');
    }
    assert_int_equal(s.session->box_selected, last);
    stage_frame(&s);
    stage_key(&s, TERM_KEY_ENTER);
    assert_int_equal(s.session->box, SESSION_BOX_NONE);
    assert_true(s.session->cursor.on);
    stage_key(&s, 'y'); /* about what the cursor is on now */
    assert_true(s.session->why.count > 0);
    stage_key(&s, TERM_KEY_ESC);
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_packet_closes_the_circle),
        cmocka_unit_test(who_is_not_there_has_a_branch),
        cmocka_unit_test(a_pause_is_followed_to_the_queue),
        cmocka_unit_test(a_packet_says_where_it_is),
        cmocka_unit_test(without_a_barrier_flows_wait),
        cmocka_unit_test(what_is_not_there_is_named),
        cmocka_unit_test(the_cursor_goes_to_a_cause),
    };
    return cmocka_run_group_tests_name("app/why", tests, NULL, NULL);
}
