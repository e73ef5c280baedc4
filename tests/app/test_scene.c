/* From a real run to the picture: what must be seen while packets move, when one is lost, and in the
 * silence after it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/scene_fill.h"
#include "base/units.h"
#include "ring.h"
#include "ui/ui.h"

/* A run with everything that is needed to draw it. */
struct bench {
    struct run *run;
    struct playback playback;
    struct history history;
    struct cursor cursor;
    struct scene_fill fill;
    struct scene_mem mem;
    struct scene scene;
};

static void bench_init(struct bench *b, int64_t steps)
{
    *b = (struct bench){ .run = ring_run(steps) };
    playback_init(&b->playback);
    playback_attach(&b->playback, b->run);
    history_init(&b->history);
    history_attach(&b->history, run_sim(b->run));
}

static void bench_finish(struct bench *b)
{
    playback_finish(&b->playback);
    history_finish(&b->history);
    scene_fill_finish(&b->fill);
    scene_mem_finish(&b->mem);
    run_destroy(b->run);
}

static void bench_run(struct bench *b, sim_ps until)
{
    while (run_now(b->run) < until) {
        const sim_ps next = run_now(b->run) + UNIT_US;
        run_until(b->run, next < until ? next : until, 0);
        history_sample(&b->history, run_sim(b->run));
    }
}

static void bench_fill(struct bench *b)
{
    const struct scene_fill_in in = {
        .sim = run_sim(b->run),
        .playback = &b->playback,
        .history = &b->history,
        .cursor = b->cursor.on ? &b->cursor : NULL,
        .fps = 20,
    };
    scene_mem_reset(&b->mem);
    b->scene = (struct scene){ .screen = SCENE_LESSON, .minutes_left = -1 };
    scene_fill_run(&b->fill, &in, &b->mem, &b->scene);
}

static size_t count_marks(const struct scene *s, enum scene_mark_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < s->fabric.cable_count; i++) {
        const struct scene_lane *lane[] = { &s->fabric.cable[i].ab, &s->fabric.cable[i].ba };
        for (size_t k = 0; k < 2; k++) {
            for (size_t m = 0; m < lane[k]->mark_count; m++) {
                assert_in_range(lane[k]->mark[m].at, 0, 1000);
                n += lane[k]->mark[m].kind == kind ? 1 : 0;
            }
        }
    }
    return n;
}

/* As many marks as there are frames on the cables, while playback stands still. */
static void every_frame_on_a_cable_is_a_mark(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 2);
    for (sim_ps t = 20 * UNIT_US; t < 60 * UNIT_US; t += 7 * UNIT_US) {
        bench_run(&b, t);
        bench_fill(&b);
        const struct sim *sim = run_sim(b.run);
        size_t data = 0;
        for (uint32_t p = 0; p < sim_port_count(sim); p++) {
            struct sim_frame frame[64];
            const size_t n = sim_port_wire(sim, p, frame, 64);
            for (size_t i = 0; i < n; i++) {
                data += frame[i].kind == SIM_FRAME_DATA ? 1 : 0;
            }
        }
        assert_int_equal(count_marks(&b.scene, SCENE_MARK_DATA), data);
        assert_int_equal(b.scene.fabric.node_count, 12);
        assert_int_equal(b.scene.fabric.cable_count, 12);
    }
    bench_finish(&b);
}

static int busiest(const struct scene *s)
{
    int most = 0;
    for (size_t i = 0; i < s->fabric.cable_count; i++) {
        const struct scene_cable *c = &s->fabric.cable[i];
        assert_true(c->ab.blurred && c->ba.blurred);
        most = c->ab.busy > most ? c->ab.busy : most;
        most = c->ba.busy > most ? c->ba.busy : most;
    }
    return most;
}

/* Shades follow the traffic, but not faster than three times a second. */
static void too_fast_for_packets_is_blurred_with_how_busy(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 2);
    playback_play(&b.playback, true);
    playback_set_gear(&b.playback, PLAYBACK_TIMEOUT);
    bench_run(&b, 15 * UNIT_US); /* everybody computes */
    bench_fill(&b);
    assert_int_equal(busiest(&b.scene), 0);
    int changes = 0;
    int before = 0;
    for (int frame = 1; frame <= 20; frame++) { /* one second */
        bench_run(&b, (15 + 2 * frame) * UNIT_US);
        bench_fill(&b);
        assert_int_equal(count_marks(&b.scene, SCENE_MARK_DATA), 0);
        changes += busiest(&b.scene) != before ? 1 : 0;
        before = busiest(&b.scene);
    }
    assert_in_range(changes, 1, 3);
    assert_in_range(before, 300, 1000);
    bench_finish(&b);
}

static void the_cursor_is_on_its_packet(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 2);
    bench_run(&b, 25 * UNIT_US);
    assert_true(cursor_snap(&b.cursor, run_sim(b.run)));
    bench_fill(&b);
    size_t n = 0;
    for (size_t i = 0; i < b.scene.fabric.cable_count; i++) {
        const struct scene_lane *lane[] = { &b.scene.fabric.cable[i].ab,
                                            &b.scene.fabric.cable[i].ba };
        for (size_t k = 0; k < 2; k++) {
            for (size_t m = 0; m < lane[k]->mark_count; m++) {
                n += lane[k]->mark[m].cursor ? 1 : 0;
            }
        }
    }
    assert_int_equal(n, 1);
    bench_finish(&b);
}

static void assert_contains(const struct text *t, const char *what)
{
    if (strstr(text_str(t), what) == NULL) {
        print_message("# not in the frame: %s\n", what);
        fail();
    }
}

/* The picture of the silence: states, the cut, its length, the counters. */
static void the_stall_is_seen(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 2);
    ring_do(b.run, "drop g3>g4 last");
    bench_run(&b, 16 * UNIT_MS);
    bench_fill(&b);
    assert_int_equal(b.scene.timeline.axis.cut_count, 1);
    struct canvas c;
    canvas_init(&c);
    canvas_resize(&c, 80, 24);
    b.scene.ascii = true;
    ui_draw(&b.scene, &c);
    struct text t = { 0 };
    canvas_dump(&c, &t);
    assert_contains(&t, "g3t ");
    assert_contains(&t, "g4. ");
    assert_contains(&t, "g1- ");
    assert_contains(&t, "Xt");
    assert_contains(&t, "//");
    assert_contains(&t, "6 of 8 at the barrier");
    assert_contains(&t, "1 lost, 0 NAK");
    text_finish(&t);
    canvas_finish(&c);
    bench_finish(&b);
}

/* However long a silence is that the scrubber cuts out. */
static void barriers_after_a_silence_are_seen(void **state)
{
    (void)state;
    struct bench b;
    size_t barriers = 0;
    bench_init(&b, 6);
    ring_do(b.run, "set timeout_exponent 15"); /* 134 ms */
    ring_do(b.run, "drop g3>g4 last");
    bench_run(&b, UNIT_MS);
    run_until(b.run, 134 * UNIT_MS, 0);
    history_sample(&b.history, run_sim(b.run));
    bench_run(&b, 136 * UNIT_MS);
    bench_fill(&b);
    assert_int_equal(b.scene.scrubber.axis.cut_count, 1);
    for (size_t i = 0; i < b.scene.scrubber.tick_count; i++) {
        barriers += b.scene.scrubber.tick[i].kind == SCENE_TICK_BARRIER;
    }
    assert_int_equal(barriers, 6);
    bench_finish(&b);
}

static void events_are_told_in_order(void **state)
{
    (void)state;
    struct bench b;
    bench_init(&b, 2);
    ring_do(b.run, "drop g3>g4 middle");
    bench_run(&b, 150 * UNIT_US);
    bench_fill(&b);
    assert_in_range(b.scene.event_count, 4, 64);
    bool lost = false;
    bool nak = false;
    for (size_t i = 0; i < b.scene.event_count; i++) {
        const struct scene_event *e = &b.scene.event[i];
        assert_non_null(e->text);
        assert_true(i == 0 || e->t_ps >= b.scene.event[i - 1].t_ps);
        nak = nak || (lost && !e->is_tick && e->mark == SCENE_MARK_NAK);
        lost = lost || (e->is_tick && e->tick == SCENE_TICK_DROP);
    }
    assert_true(lost);
    assert_true(nak);
    assert_string_equal(b.scene.counts, "1 lost, 1 NAK");
    bench_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_on_a_cable_is_a_mark),
        cmocka_unit_test(too_fast_for_packets_is_blurred_with_how_busy),
        cmocka_unit_test(the_cursor_is_on_its_packet),
        cmocka_unit_test(the_stall_is_seen),
        cmocka_unit_test(barriers_after_a_silence_are_seen),
        cmocka_unit_test(events_are_told_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
