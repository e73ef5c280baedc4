/*
 * Many GPUs: what is measured of each is what the run says, the slowest stand first, and who waits for whom
 * is said from one end of the chain to the other.
 */
#include "cmocka_rows.h"

#include <stdio.h>
#include <string.h>

#include "app/many.h"
#include "app/narrator.h"
#include "base/units.h"
#include "stage.h"

static const char *const lesson = SOURCE_ROOT "/tests/app/forty.lua";

static struct scene_many look(struct stage *s, struct scene_mem *mem, enum scene_view view)
{
    struct scene scene = { 0 };
    scene_mem_reset(mem);
    many_fill(&s->session->many, session_sim(s->session), &s->session->history, view, mem, &scene);
    return scene.many;
}

/* When each came to the barrier: the last one is the slowest of the step, and the step is as long. */
static void test_finish(void **state)
{
    (void)state;
    struct stage s;
    struct scene_mem mem = { 0 };
    stage_begin_lesson(&s, lesson, 1);
    s.session->many.measure = MANY_FINISH;
    s.session->many.map_sorted = true;
    stage_settle(&s);
    const struct sim *sim = session_sim(s.session);
    const struct scene_many many = look(&s, &mem, SCENE_VIEW_GPUS);
    const struct sim_step step = sim_step(sim, 1);
    assert_int_equal(many.count, 40);
    assert_true(many.measured && many.sorted);
    assert_string_equal(many.measure, "finish of step 1");
    assert_string_equal(many.each[0].name, sim_node(sim, sim_rank_node(sim, step.slowest)).name);
    for (size_t i = 0; i < many.count; i++) {
        assert_true(many.each[i].known);
        assert_true(i == 0 || many.each[i].value <= many.each[i - 1].value);
    }
    assert_int_equal(many.each[0].value, step.end - step.start);
    scene_mem_finish(&mem);
    stage_end(&s);
}

/* In the stall all that waits is lost time, and no GPU lost more than there was. */
static void test_waits(void **state)
{
    (void)state;
    struct stage s;
    struct scene_mem mem = { 0 };
    stage_begin_lesson(&s, lesson, 2);
    stage_settle(&s);
    const struct sim *sim = session_sim(s.session);
    const sim_ps since = sim_now(sim) - sim_step(sim, sim_step_now(sim)).start;
    s.session->many.measure = MANY_WAITED;
    struct scene_many many = look(&s, &mem, SCENE_VIEW_GPUS);
    int64_t sum = 0;
    for (size_t i = 0; i < many.count; i++) {
        assert_in_range(many.each[i].value, 0, since);
        sum += many.each[i].value;
    }
    assert_true(sum > 0);
    char all[40], text[128];
    snprintf(text, sizeof text, "so far: %s of GPU time",
             units_format(all, sizeof all, UNIT_TIME, sum));
    assert_true(many.wait_count >= 3);
    assert_non_null(strstr(many.wait[1], text));
    /* 500 us after the second loss g8 waits for g7, and so does who waits for g8, and so on round */
    assert_non_null(strstr(many.wait[0], " < ... < g7: 40 in a chain, each waits for the next"));
    assert_non_null(strstr(many.wait[2], "from g7"));
    struct text said = { 0 }; /* in plain mode the same */
    narrator_state(sim, &said);
    assert_non_null(
        strstr(text_str(&said), "40 GPUs, waits for data: 39, only its timer can help: 1"));
    assert_non_null(strstr(text_str(&said), many.wait[0]));
    assert_non_null(strstr(text_str(&said), many.wait[2]));
    text_finish(&said);
    scene_mem_finish(&mem);
    stage_end(&s);
}

static void press(struct stage *s, const char *keys)
{
    stage_type(s, keys);
    stage_frame(s);
}

/* s and m are for these views, where there is nothing to skip; the timeline begins with the slowest. */
static void test_keys(void **state)
{
    (void)state;
    struct stage s;
    stage_begin_lesson(&s, lesson, 2);
    stage_settle(&s);
    assert_true(stage_sees(&s, "slowest first, +"));
    press(&s, "s");
    assert_true(stage_sees(&s, "as they are numbered"));
    assert_true(stage_sees(&s, "g1 "));
    press(&s, "jjj");
    assert_int_equal(s.session->many.first, 3);
    assert_true(stage_sees(&s, ", 3 above"));
    for (int i = 0; i < 60; i++) {
        press(&s, "j");
    }
    assert_true(s.session->many.first < 40); /* no farther than there are rows */
    press(&s, "k");
    assert_true(stage_sees(&s, " above"));
    s.session->view = SCENE_VIEW_GPUS;
    press(&s, "m");
    assert_true(stage_sees(&s, "40 GPUs: finish of step 1"));
    assert_true(stage_sees(&s, "who waits for whom"));
    press(&s, "s");
    assert_true(stage_sees(&s, "40 GPUs, slowest first: finish of step 1"));
    s.session->view = SCENE_VIEW_SPREAD;
    press(&s, "mm");
    assert_true(stage_sees(&s, "distribution: arrived"));
    assert_true(stage_sees(&s, "p50"));
    for (int i = 0; i < MANY_MEASURES; i++) { /* round, never to the states */
        press(&s, "m");
        assert_false(stage_sees(&s, "distribution: state"));
    }
    stage_end(&s);
}

/* Few GPUs are as they were: s and m mean what they always do. */
static void test_few(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_settle(&s);
    assert_false((session_contexts(s.session) & 1u << CONTEXT_MANY) != 0);
    s.session->view = SCENE_VIEW_GPUS;
    assert_false((session_contexts(s.session) & 1u << CONTEXT_MANY) != 0);
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finish),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
