/*
 * Every scenario that is shipped, in lessons and in the validation table, survives being saved: it is
 * written, read, written again to the same bytes, and its run begins the same.
 */
#include "cmocka_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lesson/data.h"
#include "lesson/index.h"
#include "lesson/player.h"
#include "lesson/validation.h"
#include "run/replay.h"

enum { EVENTS = 3000 };

/* Rows may name probes of layers that are not here. */
static const struct sim_probe_entry probes[] = { { .name = "capture" }, { .name = NULL } };

static void begin(struct sim *sim)
{
    for (int i = 0; i < EVENTS && sim_run_one(sim); i++) {
    }
}

static void survives(const struct sim_scenario *sc, const char *name)
{
    struct replay first = { .seed = 5 }, second;
    struct text once = { 0 }, twice = { 0 };
    struct err err = { 0 };
    sim_scenario_copy(&first.scenario, sc);
    replay_write(&once, &first);
    if (!replay_read(&second, text_str(&once), once.len, name, &err)) {
        fail_msg("%s: %s", err.where, err.msg);
    }
    replay_write(&twice, &second);
    assert_string_equal(text_str(&once), text_str(&twice));
    struct sim *a = sim_create(sc, 5, NULL);
    struct sim *b = sim_create(&second.scenario, 5, NULL);
    begin(a);
    begin(b);
    assert_true(sim_state_hash(a) == sim_state_hash(b));
    assert_true(sim_trace_hash(a) == sim_trace_hash(b));
    sim_destroy(a);
    sim_destroy(b);
    replay_finish(&first);
    replay_finish(&second);
    text_finish(&once);
    text_finish(&twice);
}

static void lessons_survive(void **state)
{
    (void)state;
    const struct lesson_places course = { .data_dir = WEFT_SOURCE };
    struct lesson_list list;
    assert_true(lesson_list(&course, &list, NULL, NULL));
    assert_true(list.count > 0);
    for (size_t i = 0; i < list.count; i++) {
        struct lesson *lesson = lesson_load(list.items[i].file, WEFT_SOURCE, NULL, NULL);
        assert_non_null(lesson);
        for (size_t s = 0; s < lesson_scene_count(lesson); s++) {
            survives(&lesson_scene(lesson, s)->scenario, list.items[i].id);
        }
        lesson_destroy(lesson);
    }
    lesson_list_finish(&list);
}

static void validation_survives(void **state)
{
    (void)state;
    struct lesson_index index = { .count = 0 };
    size_t scenarios = 0;
    assert_true(lesson_index_read(WEFT_SOURCE, "assets/validation", &index, NULL));
    for (size_t i = 0; i < index.count; i++) {
        char path[512];
        struct validation_row row;
        struct err err = { 0 };
        (void)snprintf(path, sizeof path, WEFT_SOURCE "/assets/validation/%s.lua", index.ids[i]);
        if (!validation_load(&row, path, WEFT_SOURCE, probes, NULL, &err)) {
            fail_msg("%s: %s", err.where, err.msg);
        }
        for (size_t c = 0; c < row.case_count; c++) {
            for (size_t s = 0; s < row.cases[c].scenario_count; s++, scenarios++) {
                survives(&row.cases[c].scenarios[s], index.ids[i]);
            }
        }
        validation_finish(&row);
    }
    assert_true(scenarios > index.count / 2);
    print_message("# %zu scenarios of %zu rows\n", scenarios, index.count);
    lesson_index_finish(&index);
}

/* As the screen and plain mode show one. */
static bool plays_to_its_end(struct player *player, const struct replay *saved)
{
    struct err err = { 0 };
    while (player_next(player, &err) == PLAYER_PLAY) {
        const struct player_target target = player_target(player);
        (void)player_reached(player,
                             run_until(player_run(player), target.until, target.stop_kinds));
    }
    assert_int_equal(err.code, ERR_NONE);
    return replay_judge(saved, player_run(player), NULL) == REPLAY_SAME;
}

static void saved_runs_play_like_lessons(void **state)
{
    (void)state;
    struct lesson *from =
        lesson_load(WEFT_SOURCE "/lessons/one-lost-packet.lua", WEFT_SOURCE, NULL, NULL);
    struct run *run = run_create(&lesson_scene(from, 0)->scenario, 4, NULL);
    struct sim_cmd cmd;
    struct replay saved;
    (void)run_until(run, 30 * UNIT_US, 0);
    assert_true(sim_cmd_parse("drop g3>g4 last", &cmd, NULL));
    assert_true(run_do(run, &cmd, RUN_LEARNER, NULL, NULL));
    (void)run_until(run, UNIT_S, SIM_TRACE_BIT(DONE));
    replay_take(&saved, run, "1.2.3", "one-lost-packet");

    struct lesson *lesson = lesson_of_replay(&saved, "saved.weft");
    const struct player_options options = { .seed = saved.seed,
                                            .lines = saved.lines,
                                            .line_count = saved.line_count };
    struct player *player = player_create(lesson, &options, NULL);
    struct text prose = { 0 };
    struct err err = { 0 };
    bool pending = false;
    assert_non_null(player);
    assert_true(plays_to_its_end(player, &saved));
    assert_true(player_prose(player, &prose, &pending, &err));
    assert_non_null(strstr(text_str(&prose), "weft 1.2.3"));
    assert_false(pending);
    /* Again from its beginning, also after somebody did something else: the same run. */
    assert_true(player_restart_card(player, NULL));
    assert_true(plays_to_its_end(player, &saved));
    assert_true(player_restart_card(player, NULL));
    assert_true(player_do(player, &cmd, NULL, &err));
    assert_false(plays_to_its_end(player, &saved));
    assert_true(player_goto(player, 0, NULL));
    assert_true(plays_to_its_end(player, &saved));
    text_finish(&prose);
    player_destroy(player);
    lesson_destroy(lesson);
    lesson_destroy(from);
    replay_finish(&saved);
    run_destroy(run);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(lessons_survive),
        cmocka_unit_test(validation_survives),
        cmocka_unit_test(saved_runs_play_like_lessons),
    };
    return cmocka_run_group_tests_name("lesson/replay", tests, NULL, NULL);
}
