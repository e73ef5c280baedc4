/* Random fabrics with random journals, saved and opened again: the same bytes, the same run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> /* wants the four above it first */

#include <stdlib.h>
#include <string.h>

#include "random_fabric.h"
#include "run/replay.h"

enum { FABRICS = 60 };

static struct run *live(const struct random_fabric *f, uint64_t seed)
{
    struct run *run = run_create(&f->scenario, seed, NULL);
    for (size_t i = 0; i < 3 && f->command[i][0] != '\0'; i++) {
        struct sim_cmd cmd;
        const bool restarts =
            !sim_cmd_parse(f->command[i], &cmd, NULL) ||
            (cmd.kind == SIM_CMD_SET && sim_knob_info(cmd.knob)->when == SIM_RESTART);
        if (!restarts) {
            (void)run_until(run, f->command_at[i], 0);
            (void)run_do(run, &cmd, i % 2 == 0 ? RUN_LEARNER : RUN_LESSON, NULL, NULL);
        }
    }
    (void)run_until(run, 5 * UNIT_MS, SIM_TRACE_BIT(DONE));
    return run;
}

static void saved_runs_are_the_same(void **state)
{
    (void)state;
    size_t lines = 0;
    for (uint64_t seed = 1; seed <= FABRICS; seed++) {
        struct random_fabric f;
        struct replay first, second;
        struct text once = { 0 }, twice = { 0 }, why = { 0 };
        struct err err = { 0 };
        bool same = false;
        random_fabric_make(&f, seed);
        struct run *run = live(&f, seed);
        replay_take(&first, run, "test", "random");
        replay_write(&once, &first);
        if (!replay_read(&second, text_str(&once), once.len, "file", &err)) {
            fail_msg("seed %d: %s: %s", (int)seed, err.where, err.msg);
        }
        replay_write(&twice, &second);
        assert_string_equal(text_str(&once), text_str(&twice));
        struct run *again = replay_start(&second, &err);
        assert_non_null(again);
        (void)run_until(again, second.end, 0);
        same = replay_judge(&second, again, &why) == REPLAY_SAME;
        if (!same || !run_journal_ok(again, &err)) {
            fail_msg("seed %d: %s %s", (int)seed, text_str(&why), err.msg);
        }
        assert_true(sim_state_hash(run_sim(run)) == sim_state_hash(run_sim(again)));
        lines += first.line_count;
        run_destroy(run);
        run_destroy(again);
        replay_finish(&first);
        replay_finish(&second);
        random_fabric_finish(&f);
        text_finish(&once);
        text_finish(&twice);
        text_finish(&why);
    }
    assert_true(lines > FABRICS / 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = { cmocka_unit_test(saved_runs_are_the_same) };
    return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
