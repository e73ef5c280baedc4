/* Playback, with invented wall time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/playback.h"
#include "base/units.h"
#include "ring.h"

#define FREE ((struct playback_goal){ .until = SIM_NEVER })

enum { FRAME_MS = 50 };

struct stage {
    struct playback pb;
    struct run *run;
    int64_t ms;
};

static void begin_steps(struct stage *s, enum playback_gear gear, int64_t steps)
{
    s->run = ring_run(steps);
    s->ms = 1000;
    playback_init(&s->pb);
    playback_attach(&s->pb, s->run);
    playback_set_gear(&s->pb, gear);
}

static void begin(struct stage *s, enum playback_gear gear)
{
    begin_steps(s, gear, 3);
}

static void end(struct stage *s)
{
    playback_finish(&s->pb);
    run_destroy(s->run);
}

static enum playback_result frame(struct stage *s, struct playback_goal goal)
{
    enum sim_stopped stopped;
    s->ms += FRAME_MS;
    return playback_advance(&s->pb, s->run, goal, s->ms, 0, &stopped, NULL, NULL);
}

/* Frames until something other than GOES, or `most`. */
static enum playback_result frames(struct stage *s, struct playback_goal goal, int most)
{
    enum playback_result result = PLAYBACK_GOES;
    for (int i = 0; i < most && result == PLAYBACK_GOES; i++) {
        result = frame(s, goal);
    }
    return result;
}

/* Into the exchange of the first step, with everything on its way. */
static void skip_computing(struct stage *s)
{
    run_until(s->run, 30 * UNIT_US, 0);
    playback_moved(&s->pb, s->run);
}

static void gears_name_what_one_watches(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_PACKET);
    for (int g = 1; g < PLAYBACK_GEAR_COUNT; g++) {
        assert_true(s.pb.tick[g] > s.pb.tick[g - 1]);
        assert_true(s.pb.rate[g] > s.pb.rate[g - 1]);
    }
    assert_int_equal(s.pb.tick[PLAYBACK_TIMEOUT], sim_timeout_ps(run_sim(s.run)));
    assert_int_equal(s.pb.rate[PLAYBACK_ROUND], 2 * UNIT_US);
    assert_false(playback_blurs(&s.pb, s.pb.tick[PLAYBACK_PACKET], 20));
    playback_set_gear(&s.pb, PLAYBACK_STEP);
    playback_play(&s.pb, true);
    assert_true(playback_blurs(&s.pb, s.pb.tick[PLAYBACK_PACKET], 20));
    end(&s);
}

/* Without a training a step is what the busiest host has to carry: two flows of 100 MB into one. */
static void a_step_of_flows_is_their_bytes(void **state)
{
    (void)state;
    struct sim_scenario sc;
    sim_ps tick[PLAYBACK_GEAR_COUNT];
    int64_t rate[PLAYBACK_GEAR_COUNT];
    sim_scenario_init(&sc, "flows");
    assert_true(sim_shape_star(&sc, 3, INT64_C(100000000000), 500 * UNIT_NS, NULL));
    const uint32_t to = sim_scenario_find(&sc, "g2");
    assert_true(sim_scenario_flow(&sc, sim_scenario_find(&sc, "g1"), to, 100000000, 0, NULL));
    assert_true(sim_scenario_flow(&sc, sim_scenario_find(&sc, "g3"), to, 100000000, 0, NULL));
    struct sim *sim = sim_create(&sc, 1, NULL);
    sim_scenario_finish(&sc);
    playback_gears(sim, tick, rate);
    assert_int_equal(tick[PLAYBACK_STEP], 200000000 / 4096 * sim_slot_ps(sim, 0));
    assert_int_equal(rate[PLAYBACK_STEP], 5 * UNIT_MS);
    sim_destroy(sim);
}

static void a_lesson_lends_a_rate(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_ROUND);
    const int64_t own = s.pb.rate[PLAYBACK_ROUND];
    playback_lend_rate(&s.pb, run_sim(s.run), 123 * UNIT_US);
    assert_int_equal(playback_rate(&s.pb), 123 * UNIT_US);
    playback_lend_rate(&s.pb, run_sim(s.run), 0);
    assert_int_equal(playback_rate(&s.pb), own);
    s.pb.rate[PLAYBACK_ROUND] = UNIT_MS; /* the learner's own, by :rate, is not taken away */
    playback_lend_rate(&s.pb, run_sim(s.run), 0);
    assert_int_equal(playback_rate(&s.pb), UNIT_MS);
    end(&s);
}

static void wall_time_becomes_simulated_time(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_ROUND);
    skip_computing(&s);
    playback_play(&s.pb, true);
    sim_ps from = run_now(s.run);
    frame(&s, FREE); /* the first only looks at the clock */
    frames(&s, FREE, 20);
    assert_int_equal(run_now(s.run) - from, s.pb.rate[PLAYBACK_ROUND]);
    end(&s);
}

static void a_sleeping_laptop_does_not_fast_forward(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_ROUND);
    skip_computing(&s);
    playback_play(&s.pb, true);
    frame(&s, FREE);
    sim_ps from = run_now(s.run);
    s.ms += 8 * 3600 * 1000;
    frame(&s, FREE);
    assert_true(run_now(s.run) - from <= s.pb.rate[PLAYBACK_ROUND] / 10);
    end(&s);
}

static void paused_is_still(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_ROUND);
    assert_false(playback_moving(&s.pb));
    playback_play(&s.pb, true);
    assert_true(playback_moving(&s.pb));
    playback_play(&s.pb, false);
    assert_false(playback_moving(&s.pb));
    end(&s);
}

static void a_goal_ends_it(void **state)
{
    (void)state;
    struct stage s;
    struct playback_goal barrier = { .until = SIM_NEVER, .kinds = SIM_TRACE_BIT(BARRIER) };
    begin(&s, PLAYBACK_STEP);
    playback_play(&s.pb, true);
    assert_int_equal(frames(&s, barrier, 1000), PLAYBACK_REACHED);
    assert_int_equal(sim_steps_done(run_sim(s.run)), 1);
    struct playback_goal time = { .until = run_now(s.run) + 3 * UNIT_US };
    assert_int_equal(frames(&s, time, 1000), PLAYBACK_REACHED);
    assert_int_equal(run_now(s.run), time.until);
    end(&s);
}

static void computing_is_skipped_and_said(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_ROUND);
    playback_play(&s.pb, true);
    frames(&s, FREE, 12);
    assert_true(run_now(s.run) >= 20 * UNIT_US);
    assert_non_null(strstr(s.pb.skipped, "compute for 20"));
    assert_string_equal(s.pb.quiet, "");
    end(&s);
}

static void a_silence_is_skipped_and_measured(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_ROUND);
    ring_do(s.run, "drop g3>g4 last");
    ring_until(s.run, SIM_TRACE_DROP);
    playback_moved(&s.pb, s.run);
    playback_play(&s.pb, true);
    for (int i = 0; i < 1000 && s.pb.quiet[0] == '\0'; i++) {
        frame(&s, FREE);
    }
    char length[40], want[128];
    units_format(length, sizeof length, UNIT_TIME, s.pb.quiet_until - s.pb.quiet_since);
    snprintf(want, sizeof want, "Nothing moved for %s. At the speed you watched, 2 h 19 min.",
             length);
    assert_string_equal(s.pb.quiet, want);
    sim_ps promised = s.pb.quiet_until;
    /* It still waits, so that one can ask why. */
    assert_true(sim_quiet(run_sim(s.run), NULL));
    assert_int_equal(sim_counters(run_sim(s.run)).timeouts, 0);
    sim_ps here = run_now(s.run);
    frames(&s, FREE, 2500 / FRAME_MS);
    assert_int_equal(run_now(s.run), here);
    frames(&s, FREE, 5000 / FRAME_MS);
    const struct sim_record *marks;
    size_t count = sim_trace_marks(run_sim(s.run), &marks);
    while (count > 0 && marks[count - 1].kind != SIM_TRACE_TIMEOUT) {
        count--;
    }
    assert_true(count > 0);
    assert_int_equal(marks[count - 1].t, promised); /* and no later, no earlier */
    end(&s);
}

/* Also in a gear where one frame is longer than all that happens. */
static void a_fast_gear_measures_the_same_silence(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_TIMEOUT);
    s.pb.auto_slow = false;
    ring_do(s.run, "drop g3>g4 last");
    playback_play(&s.pb, true);
    for (int i = 0; i < 1000 && s.pb.quiet[0] == '\0'; i++) {
        frame(&s, FREE);
    }
    assert_non_null(strstr(s.pb.quiet, "Nothing moved for 16."));
    assert_true(s.pb.quiet_until - s.pb.quiet_since > sim_timeout_ps(run_sim(s.run)) * 99 / 100);
    end(&s);
}

/* The timers of messages long answered still end in a silence, and nothing is to be seen of them. */
static void a_silence_is_as_long_as_nothing_moves(void **state)
{
    (void)state;
    struct stage s;
    begin_steps(&s, PLAYBACK_STEP, 200);
    s.pb.auto_slow = false;
    run_until(s.run, 9 * UNIT_MS, 0);
    playback_moved(&s.pb, s.run);
    ring_do(s.run, "drop g3>g4 last");
    playback_lend_rate(&s.pb, run_sim(s.run), 8 * UNIT_MS);
    playback_play(&s.pb, true);
    for (int i = 0; i < 1000 && s.pb.quiet[0] == '\0'; i++) {
        frame(&s, FREE);
    }
    assert_true(s.pb.quiet_until - s.pb.quiet_since > sim_timeout_ps(run_sim(s.run)) * 99 / 100);
    assert_true(s.pb.quiet_until - s.pb.quiet_since < sim_timeout_ps(run_sim(s.run)));
    end(&s);
}

static void the_first_of_a_kind_slows_the_run_there(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_STEP);
    ring_do(s.run, "drop g3>g4 middle");
    playback_play(&s.pb, true);
    for (int i = 0; i < 1000 && s.pb.slowed_by[0] == '\0'; i++) {
        frame(&s, FREE);
    }
    assert_non_null(strstr(s.pb.slowed_by, "is lost at"));
    assert_int_equal(playback_rate(&s.pb), s.pb.rate[PLAYBACK_PACKET]);
    const struct sim_record *marks;
    size_t n = sim_trace_marks(run_sim(s.run), &marks);
    assert_int_equal(marks[n - 1].kind, SIM_TRACE_DROP);
    assert_int_equal(marks[n - 1].t, run_now(s.run)); /* exactly there */
    assert_int_equal(s.pb.held_count, 1);
    frames(&s, FREE, 4000 / FRAME_MS);
    assert_int_equal(playback_rate(&s.pb), s.pb.rate[PLAYBACK_STEP]);
    end(&s);
}

static void a_held_mark_stays_for_its_time(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_PACKET);
    s.pb.auto_slow = false;
    ring_do(s.run, "drop g3>g4 middle");
    ring_until(s.run, SIM_TRACE_NAK);
    playback_look(&s.pb, s.run);
    assert_int_equal(s.pb.held_count, 2); /* the drop and the NAK */
    playback_play(&s.pb, true);
    frames(&s, FREE, 1 + PLAYBACK_HOLD_MS / FRAME_MS - 1);
    assert_int_equal(s.pb.held_count, 2);
    frames(&s, FREE, 2);
    assert_int_equal(s.pb.held_count, 1); /* the drop stays: its packet is still missing */
    frames(&s, FREE, 4000 / FRAME_MS);
    assert_int_equal(s.pb.held_count, 0);
    end(&s);
}

static void ticks_and_searches_end_by_themselves(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_ROUND);
    skip_computing(&s);
    sim_ps from = run_now(s.run);
    playback_jump(&s.pb, s.run, s.pb.tick[PLAYBACK_ROUND], 0);
    assert_int_equal(frames(&s, FREE, 100), PLAYBACK_ARRIVED);
    assert_int_equal(run_now(s.run) - from, s.pb.tick[PLAYBACK_ROUND]);
    assert_false(playback_moving(&s.pb));
    playback_jump(&s.pb, s.run, SIM_NEVER, SIM_TRACE_BIT(BARRIER));
    assert_int_equal(frames(&s, FREE, 100), PLAYBACK_ARRIVED);
    assert_int_equal(sim_steps_done(run_sim(s.run)), 1);
    end(&s);
}

static void count_slice(void *arg, const struct sim *sim)
{
    (void)sim;
    ++*(int *)arg;
}

/* However long it is: nothing that may be missed happens in it. */
static void a_jump_over_a_silence_is_no_work(void **state)
{
    (void)state;
    struct stage s;
    enum sim_stopped stopped;
    int slices = 0;
    begin(&s, PLAYBACK_PACKET);
    ring_do(s.run, "set timeout_exponent 20"); /* 4.3 s */
    ring_do(s.run, "drop g3>g4 last");
    ring_until(s.run, SIM_TRACE_DROP);
    playback_moved(&s.pb, s.run);
    playback_jump(&s.pb, s.run, SIM_NEVER, SIM_TRACE_BIT(TIMEOUT));
    assert_int_equal(playback_advance(&s.pb, s.run, FREE, s.ms, 0, &stopped, count_slice, &slices),
                     PLAYBACK_ARRIVED);
    assert_true(run_now(s.run) > 4 * UNIT_S);
    assert_in_range(slices, 1, 1000);
    end(&s);
}

static void the_end_is_the_end(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_STEP);
    playback_jump(&s.pb, s.run, SIM_NEVER, 0);
    assert_int_equal(frames(&s, FREE, 1000), PLAYBACK_ENDED);
    assert_false(playback_moving(&s.pb));
    playback_play(&s.pb, true);
    assert_int_equal(frames(&s, FREE, 1000), PLAYBACK_ENDED);
    end(&s);
}

static void slicing_changes_nothing(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_STEP);
    playback_play(&s.pb, true);
    frames(&s, FREE, 150);
    struct run *straight = ring_run(3);
    run_until(straight, run_now(s.run), 0);
    assert_true(sim_state_hash(run_sim(straight)) == sim_state_hash(run_sim(s.run)));
    run_destroy(straight);
    end(&s);
}

static void reduced_motion_moves_in_ticks(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, PLAYBACK_ROUND);
    skip_computing(&s);
    s.pb.reduced_motion = true;
    playback_play(&s.pb, true);
    sim_ps from = run_now(s.run);
    int changes = 0;
    for (int i = 0; i < 6000 / FRAME_MS; i++) {
        sim_ps before = run_now(s.run);
        frame(&s, FREE);
        changes += run_now(s.run) != before;
    }
    assert_true(changes >= 2 && changes <= 4);
    assert_int_equal((run_now(s.run) - from) % s.pb.tick[PLAYBACK_ROUND], 0);
    end(&s);
}

static void durations_for_people(void **state)
{
    (void)state;
    char buf[64];
    assert_string_equal(playback_wall_text(1, buf, sizeof buf), "1 second");
    assert_string_equal(playback_wall_text(59, buf, sizeof buf), "59 seconds");
    assert_string_equal(playback_wall_text(61, buf, sizeof buf), "1 min 1 s");
    assert_string_equal(playback_wall_text(8350, buf, sizeof buf), "2 h 19 min");
    assert_string_equal(playback_wall_text(86400 * 3 + 7200, buf, sizeof buf), "3 days 2 h");
    assert_string_equal(playback_rate_text(2 * UNIT_US, buf, sizeof buf), "2 us/s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gears_name_what_one_watches),
        cmocka_unit_test(a_step_of_flows_is_their_bytes),
        cmocka_unit_test(a_lesson_lends_a_rate),
        cmocka_unit_test(wall_time_becomes_simulated_time),
        cmocka_unit_test(a_sleeping_laptop_does_not_fast_forward),
        cmocka_unit_test(paused_is_still),
        cmocka_unit_test(a_goal_ends_it),
        cmocka_unit_test(computing_is_skipped_and_said),
        cmocka_unit_test(a_silence_is_skipped_and_measured),
        cmocka_unit_test(a_fast_gear_measures_the_same_silence),
        cmocka_unit_test(a_silence_is_as_long_as_nothing_moves),
        cmocka_unit_test(the_first_of_a_kind_slows_the_run_there),
        cmocka_unit_test(a_held_mark_stays_for_its_time),
        cmocka_unit_test(ticks_and_searches_end_by_themselves),
        cmocka_unit_test(a_jump_over_a_silence_is_no_work),
        cmocka_unit_test(the_end_is_the_end),
        cmocka_unit_test(slicing_changes_nothing),
        cmocka_unit_test(reduced_motion_moves_in_ticks),
        cmocka_unit_test(durations_for_people),
    };
    return cmocka_run_group_tests_name("app/playback", tests, NULL, NULL);
}
