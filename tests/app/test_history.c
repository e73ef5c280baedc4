/* What the timeline remembers: exact where the trace is, whole after a jump, cut when going back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "app/history.h"
#include "app/scene_parts.h"
#include "base/units.h"
#include "ring.h"

enum { RANKS = 8 };

static sim_ps total(const struct history *h, size_t rank, enum scene_gpu_state state)
{
    size_t n;
    const struct scene_run *run = history_runs(h, rank, &n);
    sim_ps sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += run[i].state == state ? run[i].t1_ps - run[i].t0_ps : 0;
    }
    return sum;
}

/* Runs of every rank follow each other from 0 to `until`. */
static void assert_whole(const struct history *h, sim_ps until)
{
    for (size_t r = 0; r < h->row_count; r++) {
        size_t n;
        const struct scene_run *run = history_runs(h, r, &n);
        sim_ps at = 0;
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(run[i].t0_ps, at);
            assert_true(run[i].t1_ps >= run[i].t0_ps);
            assert_true(i == 0 || run[i].state != run[i - 1].state);
            at = run[i].t1_ps;
        }
        assert_int_equal(at, until);
    }
}

static void run_sampled(struct run *run, struct history *h, sim_ps until, sim_ps slice)
{
    while (run_now(run) < until) {
        const sim_ps next = run_now(run) + slice;
        run_until(run, next < until ? next : until, 0);
        history_sample(h, run_sim(run));
    }
}

static void tells_compute_exchange_barrier(void **state)
{
    (void)state;
    struct run *run = ring_run(2);
    struct history h;
    history_init(&h);
    history_attach(&h, run_sim(run));
    run_sampled(run, &h, 150 * UNIT_US, UNIT_US);
    assert_whole(&h, 150 * UNIT_US);
    size_t n;
    const struct scene_run *first = history_runs(&h, 0, &n);
    assert_int_equal(first->state, SCENE_GPU_COMPUTE);
    assert_int_equal(first->t1_ps, 20 * UNIT_US); /* exact, whatever the slices */
    assert_int_equal(first[1].state, SCENE_GPU_EXCHANGE);
    /* somebody waits at the barrier, up to the very moment it opens */
    const sim_ps opened = sim_step(run_sim(run), 1).end;
    bool waited = false;
    for (size_t r = 0; r < RANKS; r++) {
        const struct scene_run *run_of = history_runs(&h, r, &n);
        for (size_t i = 0; i < n; i++) {
            waited = waited || (run_of[i].state == SCENE_GPU_BARRIER && run_of[i].t1_ps == opened);
        }
    }
    assert_true(waited);
    history_finish(&h);
    run_destroy(run);
}

/* The last packet of g3's step is lost: looked at in fine slices, and once in a single jump. */
static void a_jump_tells_the_same_stall(void **state)
{
    (void)state;
    sim_ps timer[2];
    sim_ps barrier[2];
    sim_ps starved[2];
    for (int jump = 0; jump < 2; jump++) {
        struct run *run = ring_run(2);
        struct history h;
        history_init(&h);
        history_attach(&h, run_sim(run));
        ring_do(run, "drop g3>g4 last");
        run_sampled(run, &h, 18 * UNIT_MS, jump ? 18 * UNIT_MS : 2 * UNIT_US);
        assert_whole(&h, 18 * UNIT_MS);
        timer[jump] = total(&h, 2, SCENE_GPU_TIMER);
        barrier[jump] = total(&h, 0, SCENE_GPU_BARRIER);
        starved[jump] = total(&h, 3, SCENE_GPU_STARVED);
        struct scene_cut cut[8];
        assert_int_equal(history_cuts(&h, NULL, 0, 17 * UNIT_MS, cut, 8), 1);
        assert_true(cut[0].t1_ps - cut[0].t0_ps > 16 * UNIT_MS);
        history_finish(&h);
        run_destroy(run);
    }
    for (int jump = 0; jump < 2; jump++) {
        assert_in_range(timer[jump], 16 * UNIT_MS, 17 * UNIT_MS);
        assert_in_range(barrier[jump], 16 * UNIT_MS, 18 * UNIT_MS);
        assert_in_range(starved[jump], 16 * UNIT_MS, 17 * UNIT_MS);
    }
}

static void nothing_to_cut_while_packets_move(void **state)
{
    (void)state;
    struct run *run = ring_run(2);
    struct history h;
    struct scene_cut cut[8];
    history_init(&h);
    history_attach(&h, run_sim(run));
    run_sampled(run, &h, 150 * UNIT_US, UNIT_US);
    assert_int_equal(history_cuts(&h, NULL, 0, 150 * UNIT_US, cut, 8), 0);
    /* what is not known yet is no silence */
    assert_int_equal(history_cuts(&h, NULL, 0, UNIT_S, cut, 8), 0);
    assert_int_equal(history_cuts(&h, NULL, 5, 5, cut, 8), 0);
    history_finish(&h);
    run_destroy(run);
}

static void going_back_forgets_nothing_until_it_is_cut(void **state)
{
    (void)state;
    struct run *run = ring_run(2);
    struct history h;
    history_init(&h);
    history_attach(&h, run_sim(run));
    run_sampled(run, &h, 90 * UNIT_US, UNIT_US);
    const sim_ps computed = total(&h, 0, SCENE_GPU_COMPUTE);
    struct err err = { 0 };
    assert_true(run_seek(run, 50 * UNIT_US, &err));
    history_sample(&h, run_sim(run));
    assert_whole(&h, 90 * UNIT_US);
    history_cut(&h, run_sim(run), 50 * UNIT_US);
    assert_whole(&h, 50 * UNIT_US);
    run_sampled(run, &h, 90 * UNIT_US, UNIT_US);
    assert_whole(&h, 90 * UNIT_US);
    assert_int_equal(total(&h, 0, SCENE_GPU_COMPUTE), computed);
    history_finish(&h);
    run_destroy(run);
}

/* Mixed ranks: thousands of PAUSE frames; as many are kept as a scrubber can show, the last ones too. */
static void a_storm_of_pauses_is_thinned(void **state)
{
    (void)state;
    struct run *run = ring_run(40);
    struct history h;
    history_init(&h);
    history_attach(&h, run_sim(run));
    ring_do(run, "set rank_order mixed");
    ring_do(run, "set xoff 12KB");
    run_sampled(run, &h, 6 * UNIT_MS, 20 * UNIT_US);
    assert_true(sim_counters(run_sim(run)).xoff_frames > 5000);
    assert_in_range(h.pause_count, 1000, 4096);
    assert_true(h.pause[h.pause_count - 1] > 5 * UNIT_MS);
    for (size_t i = 1; i < h.pause_count; i++) {
        assert_true(h.pause[i] > h.pause[i - 1]);
    }
    struct err err = { 0 };
    assert_true(run_seek(run, 3 * UNIT_MS, &err));
    history_cut(&h, run_sim(run), 3 * UNIT_MS);
    assert_true(h.pause[h.pause_count - 1] <= 3 * UNIT_MS);
    history_finish(&h);
    run_destroy(run);
}

/* A flow whose first message has arrived, but which sends another one every 10 us, sends. */
static void a_flow_without_end_never_arrives(void **state)
{
    (void)state;
    struct sim_scenario sc;
    sim_scenario_init(&sc, "endless");
    assert_true(sim_shape_star(&sc, 2, INT64_C(100000000000), 500 * UNIT_NS, NULL));
    const uint32_t src = sim_scenario_find(&sc, "g1"), dst = sim_scenario_find(&sc, "g2");
    assert_true(sim_scenario_flow(&sc, src, dst, 4096, 0, NULL));
    sc.flows[0].gap_ps = 10 * UNIT_US;
    struct sim *sim = sim_create(&sc, 1, NULL);
    sc.flows[0].messages = 3;
    struct sim *three = sim_create(&sc, 1, NULL);
    sim_scenario_finish(&sc);
    sim_run_until(sim, 35 * UNIT_US, 0);
    sim_run_until(three, 35 * UNIT_US, 0);
    assert_int_equal(history_flow_state(sim, 0), SCENE_GPU_EXCHANGE);
    assert_int_equal(history_flow_state(three, 0), SCENE_GPU_BARRIER);
    sim_destroy(sim);
    sim_destroy(three);
}

/* Flows that began and ended in a jump did so when they did, not where the jump ends. */
static void a_jump_knows_when_flows_began_and_ended(void **state)
{
    (void)state;
    struct sim_scenario sc;
    sim_scenario_init(&sc, "jump");
    assert_true(sim_shape_star(&sc, 4, INT64_C(100000000000), 500 * UNIT_NS, NULL));
    const uint32_t g1 = sim_scenario_find(&sc, "g1"), g2 = sim_scenario_find(&sc, "g2");
    const uint32_t g3 = sim_scenario_find(&sc, "g3"), g4 = sim_scenario_find(&sc, "g4");
    assert_true(sim_scenario_flow(&sc, g1, g2, 1 << 20, 10 * UNIT_US, NULL));
    assert_true(sim_scenario_flow(&sc, g3, g4, 1 << 30, 0, NULL));
    struct sim *sim = sim_create(&sc, 1, NULL);
    sim_scenario_finish(&sc);
    sim_run_until(sim, UNIT_MS, 0);
    struct history h;
    struct scene_cut cut[4];
    history_init(&h);
    history_attach(&h, sim);
    assert_whole(&h, UNIT_MS);
    assert_int_equal(total(&h, 0, SCENE_GPU_IDLE), 10 * UNIT_US);
    const sim_ps sent = total(&h, 0, SCENE_GPU_EXCHANGE); /* 1 MiB at 100 Gb/s, and a way there */
    assert_true(sent > 84 * UNIT_US && sent < 100 * UNIT_US);
    assert_int_equal(total(&h, 1, SCENE_GPU_EXCHANGE), UNIT_MS);
    assert_int_equal(history_cuts(&h, NULL, 0, UNIT_MS, cut, 4), 0); /* it was busy all the time */
    struct scene_mem mem = { 0 };
    const struct scene_axis axis =
        scene_axis_of(&h, NULL, &mem, 0, UNIT_MS, UNIT_MS, 100 * UNIT_MS);
    assert_true(axis.t1_ps >= UNIT_MS && axis.t1_ps <= 3 * UNIT_MS); /* and fills its picture */
    scene_mem_finish(&mem);
    history_finish(&h);
    sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_compute_exchange_barrier),
        cmocka_unit_test(a_jump_tells_the_same_stall),
        cmocka_unit_test(nothing_to_cut_while_packets_move),
        cmocka_unit_test(going_back_forgets_nothing_until_it_is_cut),
        cmocka_unit_test(a_storm_of_pauses_is_thinned),
        cmocka_unit_test(a_flow_without_end_never_arrives),
        cmocka_unit_test(a_jump_knows_when_flows_began_and_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
