/*
 * Walks through time on random fabrics: some steps on, of some kind, and as many back, end where they
 * began, to the byte, and stop at the same places on the way; from wherever the walk began, with lines
 * in the journal, whatever the snapshots may cost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random_fabric.h"
#include "run/inside.h"
#include "run/seek.h"

enum { WALKS_A_FABRIC = 10, STEPS_MAX = 5 };

/* How many, from the command line: a few for every compiler, many for one. */
static unsigned long walks = 300;

/* So far away they begin: while most of these fabrics are busy. */
static const sim_ps far = 100 * UNIT_US;

struct place {
    sim_ps at;
    uint64_t seen, seq, state, trace;
    size_t lines;
};

static struct place place_of(const struct run *run)
{
    const struct run_line *lines;
    return (struct place){ .at = run_now(run),
                           .seen = run_seen(run),
                           .seq = sim_trace_seq(run_sim(run)),
                           .state = sim_state_hash(run_sim(run)),
                           .trace = sim_trace_hash(run_sim(run)),
                           .lines = run_journal(run, &lines) };
}

static void expect(const struct run *run, const struct place *there, uint64_t seed,
                   const char *what)
{
    const struct place here = place_of(run);
    if (memcmp(&here, there, sizeof here) != 0) {
        fail_msg("seed %llu, by %s: %lld ps, record %llu; not %lld ps, record %llu",
                 (unsigned long long)seed, what, (long long)here.at, (unsigned long long)here.seen,
                 (long long)there->at, (unsigned long long)there->seen);
    }
}

static struct run *planned(const struct random_fabric *f, uint64_t seed)
{
    struct run *run = run_create(&f->scenario, seed, NULL);
    run->shots.every = 500; /* as in a run that is a hundred times as long */
    for (size_t i = 0; i < 3 && f->command[i][0] != '\0'; i++) {
        struct sim_cmd cmd;
        assert_true(sim_cmd_parse(f->command[i], &cmd, NULL));
        assert_true(run_plan(run, f->command_at[i], &cmd, RUN_LEARNER, NULL));
    }
    return run;
}

/* One walk. Returns how many steps there were to take. */
static int walk(struct run *run, struct dice *dice, uint64_t seed)
{
    const int units = sim_rank_count(run_sim(run)) > 0 ? RUN_UNIT_COUNT : RUN_ROUND;
    const enum run_unit unit = (enum run_unit)dice_roll(dice, units);
    const int steps = 1 + (int)dice_roll(dice, STEPS_MAX);
    struct place places[STEPS_MAX + 1];
    int n = 0;
    assert_true(run_seek(run, dice_roll(dice, far), NULL));
    const enum run_way way = dice_roll(dice, 2) == 0 ? RUN_ON : RUN_BACK;
    if (!run_step(run, unit, way, NULL) &&
        !run_step(run, unit, way == RUN_ON ? RUN_BACK : RUN_ON, NULL)) {
        return 0;
    }
    places[0] = place_of(run);
    while (n < steps && run_step(run, unit, RUN_ON, NULL)) {
        places[++n] = place_of(run);
    }
    for (int i = n; i-- > 0;) {
        assert_true(run_step(run, unit, RUN_BACK, NULL));
        expect(run, &places[i], seed, run_unit_word(unit));
    }
    if (n > 0) { /* and on again; and from anywhere by time */
        assert_true(run_step(run, unit, RUN_ON, NULL));
        expect(run, &places[1], seed, run_unit_word(unit));
        assert_true(run_seek(run, dice_roll(dice, far), NULL));
        assert_true(run_seek(run, places[n].at, NULL));
        const struct place here = place_of(run);
        assert_true(here.state == places[n].state && here.trace == places[n].trace);
    }
    return n;
}

static void on_and_back_is_the_identity(void **state)
{
    (void)state;
    static const int64_t memories[] = { 0, 100000, 1 << 20, 256 << 20 };
    unsigned long done = 0, steps = 0, empty = 0;
    for (uint64_t seed = 1; done < walks; seed++) {
        struct random_fabric f;
        struct dice dice = { .seed = seed ^ 0x77616c6b };
        random_fabric_make(&f, seed);
        f.scenario.knobs.v[SIM_KNOB_SNAPSHOTS] = memories[dice_roll(&dice, 4)];
        struct run *run = planned(&f, seed);
        for (int i = 0; i < WALKS_A_FABRIC && done < walks; i++) {
            const int n = walk(run, &dice, seed);
            steps += (unsigned long)n;
            done += n > 0;
            empty += n == 0; /* the run was over: no walk */
        }
        struct run *straight = planned(&f, seed);
        const sim_ps now = run_now(run);
        (void)run_until(straight, now, 0);
        const struct place there = place_of(straight);
        assert_true(run_seek(run, now, NULL));
        expect(run, &there, seed, "all of it");
        run_destroy(straight);
        run_destroy(run);
        random_fabric_finish(&f);
    }
    print_message("# %lu walks, %lu steps on and as many back, %lu more had none to take\n", done,
                  steps, empty);
    assert_true(steps > done);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        walks = strtoul(argv[1], NULL, 10);
        if (walks == 0 || walks > 10000000) {
            (void)fprintf(stderr, "usage: test_walks [NUMBER]\n");
            return 2;
        }
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_and_back_is_the_identity),
    };
    return cmocka_run_group_tests_name("walks", tests, NULL, NULL);
}
