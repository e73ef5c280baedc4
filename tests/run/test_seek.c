/*
 * Finding one's way in time: searches, steps, the trace beyond its ring, and what snapshots may cost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "run/inside.h"
#include "run/seek.h"
#include "small.h"

/* ---- searches -------------------------------------------------------------------------------- */

static bool find(struct run *run, uint32_t kinds, enum run_way way, struct sim_record *found)
{
    return run_find(run, &(struct run_want){ .kinds = kinds }, way, UNIT_S, found);
}

static void drops_are_found_both_ways(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct sim_record r;
    small_act(run, "drop g3>g4 middle", RUN_LEARNER);
    (void)run_until(run, 100 * UNIT_US, 0);
    small_act(run, "drop g5>g6 middle", RUN_LEARNER);
    assert_true(run_seek(run, 0, NULL));

    assert_true(find(run, SIM_TRACE_BIT(DROP), RUN_ON, &r));
    const sim_ps first = run_now(run);
    assert_int_equal(r.t, first);
    assert_int_equal(run_seen(run), r.seq + 1);
    assert_true(find(run, SIM_TRACE_BIT(DROP), RUN_ON, &r));
    assert_true(run_now(run) > 100 * UNIT_US);
    const sim_ps second = run_now(run);
    assert_false(find(run, SIM_TRACE_BIT(DROP), RUN_ON, NULL));
    assert_int_equal(run_now(run), second); /* stands where it stood */

    assert_true(find(run, SIM_TRACE_BIT(DROP), RUN_BACK, &r));
    assert_int_equal(run_now(run), first);
    assert_false(find(run, SIM_TRACE_BIT(DROP), RUN_BACK, NULL));
    assert_int_equal(run_now(run), first);

    struct run *fresh = run_fork(run);
    assert_true(run_seek(fresh, 0, NULL));
    (void)run_until(fresh, first, 0);
    small_same(run, fresh);
    run_destroy(run);
    run_destroy(fresh);
}

/* A record that a command writes is found as well. */
static void a_drop_in_flight_is_found(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct sim_record r;
    struct sim_frame f[4];
    (void)run_until(run, 30 * UNIT_US, 0);
    const uint32_t port = sim_node(run_sim(run), sim_find_node(run_sim(run), "g3")).first_port;
    assert_true(sim_port_wire(run_sim(run), port, f, 4) > 0);
    char name[96], text[128];
    (void)snprintf(
        text, sizeof text, "drop %s",
        sim_packet_name(run_sim(run), f[0].flow, f[0].psn, f[0].attempt, name, sizeof name));
    small_act(run, text, RUN_LEARNER);
    assert_true(run_seek(run, 0, NULL));
    assert_true(find(run, SIM_TRACE_BIT(DROP), RUN_ON, &r));
    assert_int_equal(run_now(run), 30 * UNIT_US + 1);
    run_destroy(run);
}

/* ---- steps ----------------------------------------------------------------------------------- */

struct place {
    sim_ps at;
    uint64_t seen, state, trace;
};

static struct place place_of(const struct run *run)
{
    return (struct place){ run_now(run), run_seen(run), sim_state_hash(run_sim(run)),
                           sim_trace_hash(run_sim(run)) };
}

static void there_and_back(enum run_unit unit, int steps)
{
    struct run *run = small_run();
    struct place places[64];
    struct err err = { 0 };
    small_act(run, "drop g3>g4 middle", RUN_LESSON);
    assert_true(run_seek(run, 40 * UNIT_US, NULL));
    assert_true(run_step(run, unit, RUN_ON, &err));
    for (int i = 0; i < steps; i++) {
        places[i] = place_of(run);
        assert_true(run_step(run, unit, RUN_ON, &err));
        assert_true(run_now(run) > places[i].at || run_seen(run) > places[i].seen);
    }
    for (int i = steps; i-- > 0;) {
        assert_true(run_step(run, unit, RUN_BACK, &err));
        const struct place now = place_of(run);
        if (memcmp(&now, &places[i], sizeof now) != 0) {
            fail_msg("%s %d: %lld ps, not %lld", run_unit_word(unit), i, (long long)now.at,
                     (long long)places[i].at);
        }
    }
    while (run_step(run, unit, RUN_BACK, &err)) {
    }
    assert_int_equal(run_now(run), 0);
    assert_non_null(strstr(err.msg, "beginning"));
    run_destroy(run);
}

static void steps_on_and_back(void **state)
{
    (void)state;
    there_and_back(RUN_EVENT, 60);
    there_and_back(RUN_HOP, 60);
    there_and_back(RUN_ROUND, 30);
    there_and_back(RUN_STEP, 2);
}

static void at_the_end_nothing_follows(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct err err = { 0 };
    (void)run_until(run, UNIT_S, 0);
    for (int unit = 0; unit < RUN_UNIT_COUNT; unit++) {
        const struct place before = place_of(run);
        assert_false(run_step(run, (enum run_unit)unit, RUN_ON, &err));
        assert_non_null(strstr(err.msg, run_unit_word((enum run_unit)unit)));
        const struct place after = place_of(run);
        assert_memory_equal(&before, &after, sizeof before);
    }
    run_destroy(run);
}

static void rounds_and_steps_have_numbers(void **state)
{
    (void)state;
    struct run *run = small_run();
    struct err err = { 0 };
    assert_true(run_seek_round(run, 3, 0, &err)); /* not simulated before */
    assert_int_equal(sim_step_now(run_sim(run)), 3);
    assert_int_equal(run_now(run), sim_step(run_sim(run), 3).start);
    assert_true(run_seek_round(run, 2, 5, &err)); /* back */
    assert_int_equal(sim_rank(run_sim(run), 0).rounds_done, 5);
    const struct place there = place_of(run);
    assert_true(run_seek_round(run, 1, 0, &err));
    assert_int_equal(run_now(run), 0);
    assert_true(run_seek_round(run, 2, 5, &err)); /* on */
    const struct place again = place_of(run);
    assert_memory_equal(&there, &again, sizeof there);
    assert_false(run_seek_round(run, 5, 0, &err));
    assert_false(run_seek_round(run, 2, 99, &err));
    const struct place still = place_of(run);
    assert_memory_equal(&there, &still, sizeof there);
    run_destroy(run);
}

/* ---- a long run: the ring of the trace has wrapped ------------------------------------------- */

static struct run *long_run(int64_t snapshots)
{
    struct sim_scenario sc;
    small_scenario(&sc);
    sc.training.bytes = 16 << 10;
    sc.training.steps = 400;
    sc.knobs.v[SIM_KNOB_SNAPSHOTS] = snapshots;
    struct run *run = run_create(&sc, 7, NULL);
    assert_non_null(run);
    sim_scenario_finish(&sc);
    run->shots.every = 2000;
    small_act(run, "drop g3>g4 middle", RUN_LESSON);
    (void)run_until(run, UNIT_S, SIM_TRACE_BIT(DONE));
    return run;
}

static void the_trace_follows_into_the_past(void **state)
{
    (void)state;
    struct run *run = long_run(64 << 20);
    uint64_t begin, end;
    sim_trace_kept(run_sim(run), &begin, &end);
    assert_true(begin > 0); /* it has wrapped */
    const struct place last = place_of(run);
    const struct sim_record *marks;
    const size_t count = sim_trace_marks(run_sim(run), &marks);
    size_t i = 0;
    while (marks[i].kind != SIM_TRACE_DROP) {
        i++;
    }
    const struct sim_record drop = marks[i];

    /* records just before a moment that the ring has long forgotten */
    struct sim_record r[64];
    const sim_ps middle = run_now(run) / 9;
    assert_true(run_seek(run, middle, NULL));
    const uint64_t seq = sim_trace_seq(run_sim(run));
    uint64_t cursor = seq - 20;
    assert_true(seq < begin);
    assert_int_equal(sim_trace_read(run_sim(run), &cursor, r, 64), 20);
    assert_true(r[0].seq == seq - 20 && r[19].seq == seq - 1);
    assert_true(r[19].t <= middle);
    assert_int_equal(sim_trace_marks(run_sim(run), &marks),
                     count); /* and the marks are all there */
    assert_int_equal(marks[count - 1].kind, SIM_TRACE_DONE);

    struct sim_record found;
    assert_true(find(run, SIM_TRACE_BIT(DROP), RUN_BACK, &found));
    assert_memory_equal(&found, &drop, sizeof drop);
    assert_true(run_seek(run, last.at, NULL));
    (void)run_until(run, last.at, 0);
    assert_true(sim_state_hash(run_sim(run)) == last.state);
    assert_int_equal(sim_trace_marks(run_sim(run), &marks), count); /* none came twice */
    assert_true(find(run, SIM_TRACE_BIT(DROP), RUN_BACK, &found));  /* from the very end */
    assert_memory_equal(&found, &drop, sizeof drop);
    run_destroy(run);
}

/* ---- snapshots ------------------------------------------------------------------------------- */

static void their_memory_is_bounded(void **state)
{
    (void)state;
    static const int64_t limits[] = { 0, 200000, 1000000, 64 << 20 };
    struct run *reference = NULL;
    size_t before = 0;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct run *run = long_run(limits[i]);
        const struct run_memory memory = run_memory(run);
        print_message("# of %lld bytes: %zu snapshots, %zu bytes, %llu taken\n",
                      (long long)limits[i], memory.snapshots, memory.bytes,
                      (unsigned long long)memory.taken);
        assert_true(memory.snapshots >= before); /* more memory, more snapshots */
        before = memory.snapshots;
        if (limits[i] == 0) {
            assert_int_equal(memory.snapshots,
                             1); /* the beginning, for which there is no other way */
        } else {
            assert_true(memory.bytes <= (size_t)limits[i]);
            assert_true(memory.snapshots > 1);
        }
        assert_true(run_seek(run, 3 * UNIT_MS, NULL));
        if (reference != NULL) { /* the same run, whatever is remembered */
            assert_true(sim_trace_hash(run_sim(run)) == sim_trace_hash(run_sim(reference)));
            run_destroy(reference);
        }
        reference = run;
    }
    run_destroy(reference);
}

static void forks_share_the_past(void **state)
{
    (void)state;
    struct run *run = long_run(64 << 20);
    struct run *fork = run_fork(run);
    assert_int_equal(run_memory(fork).snapshots, run_memory(run).snapshots);
    assert_true(run_seek(fork, UNIT_MS, NULL));
    small_act(fork, "set xoff 30KB", RUN_LEARNER); /* cuts its own future only */
    assert_true(run_memory(fork).snapshots < run_memory(run).snapshots);
    assert_true(run_seek(run, UNIT_MS, NULL));
    run_destroy(run);
    assert_true(run_seek(fork, UNIT_MS / 2, NULL)); /* the shared ones outlive the other */
    run_destroy(fork);
}

static void forward_only_takes_none(void **state)
{
    (void)state;
    struct run *run = small_run(), *other = small_run();
    run_forward_only(run);
    run->shots.every = other->shots.every = 2000;
    (void)run_until(run, 300 * UNIT_US, 0);
    (void)run_until(other, 300 * UNIT_US, 0);
    assert_int_equal(run_memory(run).snapshots, 1);
    assert_true(run_memory(other).snapshots > 1);
    assert_true(run_seek(run, 100 * UNIT_US, NULL)); /* from the beginning */
    assert_true(run_seek(other, 100 * UNIT_US, NULL));
    small_same(run, other);
    run_destroy(run);
    run_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drops_are_found_both_ways),
        cmocka_unit_test(a_drop_in_flight_is_found),
        cmocka_unit_test(steps_on_and_back),
        cmocka_unit_test(at_the_end_nothing_follows),
        cmocka_unit_test(rounds_and_steps_have_numbers),
        cmocka_unit_test(the_trace_follows_into_the_past),
        cmocka_unit_test(their_memory_is_bounded),
        cmocka_unit_test(forks_share_the_past),
        cmocka_unit_test(forward_only_takes_none),
    };
    return cmocka_run_group_tests_name("seek", tests, NULL, NULL);
}
