/* Tokens: what is written is read back the same, and no slip of copying goes unnoticed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmocka_rows.h"
#include "run/token.h"

static void make(struct sim_scenario *sc)
{
    sim_scenario_init(sc, "scene");
    assert_true(sim_shape_star(sc, 4, INT64_C(100000000000), 500 * UNIT_NS, NULL));
    assert_true(sim_scenario_training(
        sc, &(struct sim_training_spec){ .bytes = 100000, .compute_ps = UNIT_US, .steps = 2 },
        NULL));
}

static void act(struct run *run, const char *text, enum run_author author)
{
    struct sim_cmd cmd;
    assert_true(sim_cmd_parse(text, &cmd, NULL));
    assert_true(run_do(run, &cmd, author, NULL, NULL));
}

/* A run with another mtu than its scene, in which something was done. */
static void write(struct text *out, const struct sim_scenario *scene)
{
    struct replay replay;
    struct sim_scenario sc;
    sim_scenario_copy(&sc, scene);
    sc.knobs.v[SIM_KNOB_MTU] = 1024;
    struct run *run = run_create(&sc, 3, NULL);
    (void)run_until(run, 2 * UNIT_US, 0);
    act(run, "drop g3>g4 last", RUN_LESSON);
    act(run, "set xoff 30KB", RUN_LEARNER);
    (void)run_until(run, UNIT_S, SIM_TRACE_BIT(DONE));
    replay_take(&replay, run, "0.1.0", NULL);
    assert_true(token_write(out, &replay, "one-lost-packet", "main", scene, NULL));
    replay_finish(&replay);
    run_destroy(run);
    sim_scenario_finish(&sc);
}

static void tokens_carry_a_run(void **state)
{
    (void)state;
    struct sim_scenario scene;
    struct text word = { 0 }, again = { 0 }, why = { 0 };
    struct token token;
    struct replay replay;
    struct err err = { 0 };
    bool same = false;
    make(&scene);
    write(&word, &scene);
    assert_true(token_is(text_str(&word)));
    assert_null(strpbrk(text_str(&word), " >$&|;'\"\\`()<*?!"));
    if (!token_read(&token, text_str(&word), &err)) {
        fail_msg("%s: %s", text_str(&word), err.msg);
    }
    assert_string_equal(token.lesson, "one-lost-packet");
    assert_string_equal(token.scene, "main");
    assert_int_equal(token.set_count, 1);
    assert_int_equal(token.replay.line_count, 2);
    assert_int_equal(token.replay.lines[0].author, RUN_LESSON);
    assert_true(token_open(&token, &scene, &replay, &err));
    struct run *run = replay_start(&replay, &err);
    assert_non_null(run);
    (void)run_until(run, replay.end, 0);
    same = replay_judge(&replay, run, &why) == REPLAY_SAME;
    assert_string_equal(text_str(&why), "");
    assert_true(same);
    assert_true(token_write(&again, &replay, "one-lost-packet", "main", &scene, NULL));
    assert_string_equal(text_str(&word), text_str(&again));
    run_destroy(run);
    replay_finish(&replay);
    token_finish(&token);
    sim_scenario_finish(&scene);
    text_finish(&word);
    text_finish(&again);
    text_finish(&why);
}

static void slips_are_noticed(void **state)
{
    (void)state;
    struct sim_scenario scene;
    struct text word = { 0 };
    struct token token;
    make(&scene);
    write(&word, &scene);
    for (size_t i = 0; i < word.len; i++) {
        struct err err = { 0 };
        char *copy = malloc(word.len + 1);
        memcpy(copy, text_str(&word), word.len + 1);
        copy[i] = copy[i] == '1' ? '7' : '1'; /* another letter */
        assert_false(token_read(&token, copy, &err));
        assert_true(err.msg[0] != '\0');
        memmove(copy + i, text_str(&word) + i + 1, word.len - i); /* a letter less */
        assert_false(token_read(&token, copy, &err));
        free(copy);
    }
    sim_scenario_finish(&scene);
    text_finish(&word);
}

static void long_journals_are_for_files(void **state)
{
    (void)state;
    struct sim_scenario scene;
    struct replay replay;
    struct text word = { 0 };
    struct err err = { 0 };
    make(&scene);
    struct run *run = run_create(&scene, 3, NULL);
    for (int i = 0; i < 200; i++) {
        act(run, i % 2 == 0 ? "set xoff 30KB" : "set xoff 40KB", RUN_LEARNER);
    }
    replay_take(&replay, run, "0.1.0", NULL);
    assert_false(token_write(&word, &replay, "x", "main", &scene, &err));
    assert_non_null(strstr(err.msg, "--save"));
    assert_int_equal(word.len, 0);
    replay_finish(&replay);
    run_destroy(run);
    sim_scenario_finish(&scene);
    text_finish(&word);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_carry_a_run),
        cmocka_unit_test(slips_are_noticed),
        cmocka_unit_test(long_journals_are_for_files),
    };
    return cmocka_run_group_tests_name("run/token", tests, NULL, NULL);
}
