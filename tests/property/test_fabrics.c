/*
 * What must hold on every fabric, tried on random ones: the books balance after every event, a
 * computed headroom is enough, all that was posted is delivered, cutting the way into slices or
 * going back changes nothing.
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
#include "run/series.h"
#include "sim/turn.h" /* white box */
#include "sim/window.h"

enum { EVENTS_MAX = 6000, ENOUGH = 1000000 };

/* How many, from the command line: a few for every compiler, many for one. */
static unsigned fabrics = 60;
static const unsigned fabrics_max = 100000;

static const sim_ps limit = 50 * UNIT_MS;

static struct sim *created(struct random_fabric *f, uint64_t seed)
{
    struct err err = { 0 };
    if (!sim_scenario_check(&f->scenario, &err)) {
        fail_msg("seed %llu: %s", (unsigned long long)seed, err.msg);
    }
    return sim_create(&f->scenario, seed, &err);
}

static struct sim *make(struct random_fabric *f, uint64_t seed)
{
    random_fabric_make(f, seed);
    return created(f, seed);
}

static void audit(const struct sim *s, uint64_t seed)
{
    struct err err = { 0 };
    if (!sim_audit(s, &err)) {
        fail_msg("seed %llu at %lld ps: %s", (unsigned long long)seed, (long long)sim_now(s),
                 err.msg);
    }
}

/* Applies the commands of the fabric when their time has come; a refused one is no failure. True when
 * it was time for one. */
static bool command_due(struct sim *s, const struct random_fabric *f, size_t *next)
{
    const size_t before = *next;
    struct sim_cmd cmd;
    while (*next < 3 && f->command[*next][0] != '\0' && sim_next_event(s) >= f->command_at[*next]) {
        if (f->command_at[*next] > sim_now(s) && sim_cmd_parse(f->command[*next], &cmd, NULL)) {
            (void)sim_apply(s, f->command_at[*next], &cmd, NULL);
        }
        ++*next;
    }
    return *next > before;
}

static void check_end(const struct sim *s, const struct random_fabric *f, uint64_t seed)
{
    struct sim_counters c = sim_counters(s);
    if (f->safe && (c.dropped_by[SIM_REASON_HEADROOM] > 0 || c.dropped_by[SIM_REASON_FULL] > 0 ||
                    c.dropped_by[SIM_REASON_BUFFER] > 0)) {
        fail_msg("seed %llu: a lossless class with computed headroom lost a packet",
                 (unsigned long long)seed);
    }
    if (sim_outcome(s) != SIM_DONE) {
        return;
    }
    for (uint32_t i = 0; i < sim_flow_count(s); i++) {
        struct sim_flow_state flow = sim_flow_state(s, i);
        /* an answer of a server or a clear-to-send may lack its last ACK: its timer runs */
        bool unheard = flow.una != flow.end && flow.timer == SIM_NEVER &&
                       sim_flow(s, i).first_leg == SIM_NONE; /* a leg's timer runs */
        if (flow.delivered_bytes != flow.posted_bytes || unheard) {
            fail_msg("seed %llu: flow %s delivered %lld of %lld bytes", (unsigned long long)seed,
                     sim_flow(s, i).name, (long long)flow.delivered_bytes,
                     (long long)flow.posted_bytes);
        }
    }
}

static void books_balance(void **state)
{
    (void)state;
    uint64_t events = 0;
    int done = 0;
    int safe = 0;
    uint64_t dropped = 0;
    uint64_t xoffs = 0;
    for (uint64_t seed = 1; seed <= fabrics; seed++) {
        struct random_fabric f;
        struct sim *s = make(&f, seed);
        size_t next = 0;
        audit(s, seed);
        for (int n = 0; n < EVENTS_MAX && sim_next_event(s) <= limit; n++) {
            if (command_due(s, &f, &next)) {
                audit(s, seed);
            }
            if (!sim_run_one(s)) {
                break;
            }
            audit(s, seed);
        }
        /* the rest without looking at every step; some never end and are busy with it */
        for (sim_ps t = sim_now(s); t < limit && sim_counters(s).events < ENOUGH; t += UNIT_MS) {
            (void)sim_run_until(s, t + UNIT_MS, 0);
        }
        audit(s, seed);
        check_end(s, &f, seed);
        struct sim_counters c = sim_counters(s);
        events += c.events;
        dropped += c.dropped;
        xoffs += c.xoff_frames;
        done += sim_outcome(s) == SIM_DONE;
        safe += f.safe;
        sim_destroy(s);
        random_fabric_finish(&f);
    }
    print_message("# %u fabrics, %llu events, %d done, %d safe, %llu drops, %llu XOFF\n", fabrics,
                  (unsigned long long)events, done, safe, (unsigned long long)dropped,
                  (unsigned long long)xoffs);
    /* the sample is worth something: most end, many lose packets, many pause */
    assert_true((unsigned)done > fabrics / 2);
    assert_true((unsigned)safe > fabrics / 20);
    assert_true(dropped > 100);
    assert_true(xoffs > 100);
}

/* A lossless class with computed headroom never drops. */
static void computed_headroom_is_enough(void **state)
{
    (void)state;
    enum { SAFE_FABRICS = 1000 };
    uint64_t xoffs = 0;
    for (uint64_t seed = 1001; seed <= 1000 + SAFE_FABRICS; seed++) {
        struct random_fabric f;
        random_fabric_make_safe(&f, seed);
        struct sim *s = sim_create(&f.scenario, seed, NULL);
        if (seed % 3 == 0) { /* a receiver that takes its time */
            struct sim_cmd slow;
            assert_true(sim_cmd_parse("slow g1 0.4", &slow, NULL));
            assert_true(sim_apply(s, 1, &slow, NULL));
        }
        (void)sim_run_until(s, 2 * UNIT_MS, 0);
        check_end(s, &f, seed);
        xoffs += sim_counters(s).xoff_frames;
        sim_destroy(s);
        random_fabric_finish(&f);
    }
    print_message("# %llu XOFF\n", (unsigned long long)xoffs);
    assert_true(xoffs > 1000);
}

/* What is found to be locked never moves again: no port of the circle sends another data packet. */
static void locks_stay(void **state)
{
    (void)state;
    int locks = 0;
    int diagnosed = 0;
    for (uint64_t seed = 1; seed <= 6 * fabrics; seed++) {
        struct random_fabric f;
        random_fabric_make(&f, seed);
        f.scenario.knobs.v[SIM_KNOB_WATCHDOG] = SIM_WATCHDOG_OFF;
        f.scenario.knobs.v[SIM_KNOB_HOL_LIFETIME] = SIM_UNLIMITED;
        f.scenario.knobs.v[SIM_KNOB_TTL] = 64;
        if (f.scenario.knobs.v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_NONE) {
            f.scenario.knobs.v[SIM_KNOB_FLOW_CONTROL] = SIM_FC_CREDITS;
        }
        for (size_t i = 0; i < f.scenario.flow_count; i++) {
            f.scenario.flows[i].bytes *= 20;
        }
        struct sim *s = sim_create(&f.scenario, seed, NULL);
        uint32_t circle[16];
        int64_t held[16] = { 0 };
        size_t n = 0;
        for (sim_ps t = 0; t < 3 * UNIT_MS; t += 7 * UNIT_US) {
            (void)sim_run_until(s, t, 0);
            uint32_t prio = SIM_NONE;
            size_t now = sim_wait_cycle(s, circle, n == 0 ? 16 : 0, &prio);
            if (n > 0 && now == 0) {
                fail_msg("seed %llu: a lock has opened at %lld ps", (unsigned long long)seed,
                         (long long)t);
            }
            for (size_t i = 0; i < n; i++) {
                int64_t waiting = sim_port_queue(s, circle[i]).bytes;
                if (waiting < held[i]) {
                    fail_msg("seed %llu: %s sends, it was found to be locked",
                             (unsigned long long)seed, sim_port(s, circle[i]).name);
                }
            }
            if (n == 0 && now > 0 && now <= 16 && prio == SIM_PRIO_DATA) {
                n = now;
                locks++;
                for (size_t i = 0; i < n; i++) {
                    held[i] = sim_port_queue(s, circle[i]).bytes;
                }
            }
        }
        diagnosed += sim_outcome(s) == SIM_STALLED && sim_stall(s).reason == SIM_REASON_DEADLOCK;
        sim_destroy(s);
        random_fabric_finish(&f);
    }
    print_message("# %d locks, %d ended the run\n", locks, diagnosed);
    assert_true(locks > 3);
    assert_true(diagnosed > 0);
}

/* The run with its commands, straight to the end. */
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

static void compare(const struct run *a, const struct run *b, uint64_t seed, const char *what)
{
    const struct sim *x = run_sim(a);
    const struct sim *y = run_sim(b);
    if (sim_state_hash(x) != sim_state_hash(y) || sim_trace_hash(x) != sim_trace_hash(y) ||
        sim_trace_seq(x) != sim_trace_seq(y)) {
        fail_msg("seed %llu: %s changes the run (at %lld and %lld ps)", (unsigned long long)seed,
                 what, (long long)sim_now(x), (long long)sim_now(y));
    }
}

static void slicing_is_invisible(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= fabrics; seed++) {
        struct random_fabric f;
        struct dice dice = { .seed = seed ^ 0xabcdef };
        random_fabric_make(&f, seed);
        struct run *whole = planned(&f, seed);
        struct run *sliced = planned(&f, seed);
        (void)run_until(whole, 2 * UNIT_MS, 0);
        for (sim_ps t = 0; t < 2 * UNIT_MS; t += dice_roll(&dice, 9 * UNIT_US)) {
            (void)run_until(sliced, t, (uint32_t)dice_roll(&dice, INT64_C(1) << SIM_TRACE_COUNT));
        }
        while (run_until(sliced, 2 * UNIT_MS, UINT32_MAX) == SIM_AT_TRACE) {
            (void)sim_port_queue(run_sim(sliced), 0); /* readers only look */
            (void)sim_counters(run_sim(sliced));
        }
        compare(whole, sliced, seed, "slicing");
        run_destroy(whole);
        run_destroy(sliced);
        random_fabric_finish(&f);
    }
}

/* Both up to `t`: one event by event, where nothing is put off, the other at once. */
static void compare_haste(struct sim *steps, struct sim *once, sim_ps t, uint64_t seed)
{
    while (sim_next_event(steps) <= t && sim_run_one(steps)) {
    }
    (void)sim_run_until(steps, t, 0);
    (void)sim_run_until(once, t, 0);
    audit(once, seed);
    if (sim_state_hash(steps) != sim_state_hash(once) ||
        sim_trace_hash(steps) != sim_trace_hash(once)) {
        fail_msg("seed %llu: haste changes the run before %lld ps", (unsigned long long)seed,
                 (long long)t);
    }
}

/* Such a record stops both just there. */
static void compare_stop(const struct sim *begin, uint32_t kinds, uint64_t seed)
{
    struct sim *in_order = sim_fork(begin);
    const enum sim_stopped x = sim_run_until(in_order, UNIT_MS, kinds);
    struct sim *once = sim_fork(begin);
    sim_window_force(once);
    const enum sim_stopped y = sim_run_until(once, UNIT_MS, kinds);
    if (x != y || sim_now(in_order) != sim_now(once) ||
        sim_state_hash(in_order) != sim_state_hash(once)) {
        fail_msg("seed %llu: haste goes beyond a stop", (unsigned long long)seed);
    }
    sim_destroy(in_order);
    sim_destroy(once);
}

static void haste_is_invisible(void **state)
{
    (void)state;
    unsigned node_by_node[3] = { 0 }; /* runs that had turns, by the number of sides */
    for (uint64_t seed = 1; seed <= 4 * fabrics; seed++) {
        struct random_fabric f;
        struct dice dice = { .seed = seed ^ 0x4a57e };
        (seed % 8 == 0   ? random_fabric_make
         : seed % 2 == 0 ? random_fabric_make_wide
                         : random_fabric_make_plain)(&f, seed);
        struct sim *steps = created(&f, seed);
        if (seed % 16 == 2) {
            compare_stop(steps, SIM_TRACE_BIT(DONE), seed);
            compare_stop(steps, SIM_TRACE_BIT(XON) | SIM_TRACE_BIT(NAK), seed);
        }
        struct sim *once = sim_fork(steps);
        if (seed % 2 == 0) { /* and node by node, as large fabrics are run */
            sim_window_force(once);
        }
        for (size_t i = 0; i < 3 && f.command[i][0] != '\0'; i++) {
            struct sim_cmd cmd;
            compare_haste(steps, once, f.command_at[i] - 1, seed);
            assert_true(sim_cmd_parse(f.command[i], &cmd, NULL));
            assert_true(sim_apply(steps, f.command_at[i], &cmd, NULL) ==
                        sim_apply(once, f.command_at[i], &cmd, NULL));
        }
        for (sim_ps t = sim_now(once); t <= 400 * UNIT_US; t += dice_roll(&dice, 200 * UNIT_US)) {
            compare_haste(steps, once, t, seed);
        }
        if (once->window != NULL && once->window->items != NULL) {
            node_by_node[once->window->sides]++;
        }
        sim_destroy(steps);
        sim_destroy(once);
        random_fabric_finish(&f);
    }
    print_message("# %u with two sides, %u with one\n", node_by_node[2], node_by_node[1]);
    assert_true(node_by_node[1] > 0 && node_by_node[2] > 0);
}

/* Large enough to be run node by node unasked: 128 hosts of a fat tree send to one another, two ways cross
 * at many a port, switches pause each other. In random slices, as it is event by event. */
static void large_fabrics_too(void **state)
{
    (void)state;
    enum { HOSTS = 128, BYTES = 96 << 10 };
    struct dice dice = { .seed = 5 };
    struct sim_scenario sc;
    sim_scenario_init(&sc, "large");
    assert_true(sim_shape_fat_tree(&sc, 8, INT64_C(100000000000), UNIT_US, NULL));
    for (unsigned i = 0; i < HOSTS; i++) {
        char src[8], dst[8];
        (void)snprintf(src, sizeof src, "g%u", i + 1);
        (void)snprintf(dst, sizeof dst, "g%u", (i + HOSTS / 2) % HOSTS + 1);
        assert_true(sim_scenario_flow(&sc, sim_scenario_find(&sc, src), sim_scenario_find(&sc, dst),
                                      BYTES, 0, NULL));
    }
    sc.knobs.v[SIM_KNOB_ROUTING] = SIM_ROUTE_ECMP;
    sc.knobs.v[SIM_KNOB_XOFF] = 5 * 4096;
    sc.knobs.v[SIM_KNOB_XON] = 2 * 4096;
    assert_true(sim_scenario_check(&sc, NULL));
    struct sim *steps = sim_create(&sc, 1, NULL);
    struct sim *once = sim_create(&sc, 1, NULL);
    for (sim_ps t = 0; sim_outcome(once) == SIM_RUNNING; t += dice_roll(&dice, 40 * UNIT_US)) {
        compare_haste(steps, once, t, 0);
    }
    assert_true(sim_outcome(once) == SIM_DONE && sim_counters(once).xoff_frames > HOSTS);
    assert_true(once->window->items != NULL && once->window->sides == 2);
    sim_destroy(steps);
    sim_destroy(once);
    sim_scenario_finish(&sc);
}

/* Hosts round a switch, g1 ... of which all others send to the last one. */
static void make_incast(struct sim_scenario *sc, int hosts, int64_t rate, sim_ps delay,
                        int64_t bytes)
{
    char name[8];
    sim_scenario_init(sc, "incast");
    assert_true(sim_shape_star(sc, hosts, rate, delay, NULL));
    (void)snprintf(name, sizeof name, "g%d", hosts);
    const uint32_t to = sim_scenario_find(sc, name);
    for (int i = 1; i < hosts; i++) {
        (void)snprintf(name, sizeof name, "g%d", i);
        assert_true(sim_scenario_flow(sc, sim_scenario_find(sc, name), to, bytes, 0, NULL));
    }
}

/* The look for a stall that a pause asks for comes when it should, wherever a slice ends behind it. */
static void looks_are_in_time(void **state)
{
    (void)state;
    enum { LONG_WAY = 5 };
    struct sim_scenario sc;
    make_incast(&sc, 4, INT64_C(40000000000), LONG_WAY * UNIT_US, 8 << 20);
    sc.knobs.v[SIM_KNOB_XOFF] = 200000;
    assert_true(sim_scenario_check(&sc, NULL));
    struct sim *begin = sim_create(&sc, 1, NULL);
    struct sim *steps = sim_fork(begin);
    struct sim *ahead = sim_fork(begin);
    assert_true(sim_run_until(ahead, SIM_NEVER, SIM_TRACE_BIT(PAUSED)) == SIM_AT_TRACE);
    const sim_ps look = sim_now(ahead) + UNIT_MS;
    for (sim_ps t = look; t <= look + 2 * LONG_WAY * UNIT_US; t += 2 * UNIT_US) {
        struct sim *once = sim_fork(begin);
        sim_window_force(once);
        compare_haste(steps, once, t, 0);
        sim_destroy(once);
    }
    sim_destroy(begin);
    sim_destroy(steps);
    sim_destroy(ahead);
    sim_scenario_finish(&sc);
}

/* Two lookaheads of the shortest packets at once, as nobody answers, from a host that makes nearly all packets
 * of its fabric. */
static void turns_have_room(void **state)
{
    (void)state;
    struct sim_cmd slow;
    struct sim_scenario sc;
    make_incast(&sc, 2, INT64_C(400000000000), UNIT_US, 1);
    sc.flows[0].messages = 20000;
    sc.links[1].rate_bps = INT64_C(1000000000);
    sc.knobs.v[SIM_KNOB_XOFF] = sc.knobs.v[SIM_KNOB_BUFFER] = INT64_C(1) << 30;
    assert_true(sim_scenario_check(&sc, NULL));
    struct sim *steps = sim_create(&sc, 1, NULL);
    struct sim *once = sim_create(&sc, 1, NULL);
    sim_window_force(once);
    assert_true(sim_cmd_parse("slow g2 0.001", &slow, NULL));
    assert_true(sim_apply(steps, 1, &slow, NULL) && sim_apply(once, 1, &slow, NULL));
    compare_haste(steps, once, 40 * UNIT_US, 0);
    sim_destroy(steps);
    sim_destroy(once);
    sim_scenario_finish(&sc);
}

static void going_back_is_exact(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= fabrics; seed++) {
        struct random_fabric f;
        struct dice dice = { .seed = seed ^ 0x123456 };
        random_fabric_make(&f, seed);
        struct run *straight = planned(&f, seed);
        struct run *wanderer = planned(&f, seed);
        for (int walk = 0; walk < 6; walk++) {
            sim_ps t = dice_roll(&dice, 400) * UNIT_US;
            assert_true(run_seek(wanderer, t, NULL));
            struct run *fresh = planned(&f, seed);
            (void)run_until(fresh, t, 0);
            compare(fresh, wanderer, seed, "seeking");
            run_destroy(fresh);
        }
        struct run *fork = run_fork(wanderer);
        (void)run_until(fork, UNIT_MS, 0);
        (void)run_until(wanderer, UNIT_MS, 0);
        (void)run_until(straight, UNIT_MS, 0);
        compare(straight, wanderer, seed, "wandering");
        compare(straight, fork, seed, "forking");
        run_destroy(straight);
        run_destroy(wanderer);
        run_destroy(fork);
        random_fabric_finish(&f);
    }
}

/* Plots: read in one go or in random slices, the same, and the run as without. Their highest queue is the
 * model's, and the pauses of all ports are those that the model counts. */
static void plots_only_look(void **state)
{
    (void)state;
    enum { PLOTS = 8 };
    size_t read = 0;
    for (uint64_t seed = 1; seed <= fabrics; seed++) {
        struct random_fabric f;
        struct dice dice = { .seed = seed ^ 0x777777 };
        struct run_series_set x, y;
        struct run_plot plots[PLOTS];
        random_fabric_make(&f, seed);
        struct run *alone = planned(&f, seed);
        struct run *once = planned(&f, seed);
        struct run *sliced = planned(&f, seed);
        (void)run_until(alone, UNIT_MS, 0);
        size_t n = run_plot_default(run_sim(alone), plots, PLOTS - 1);
        plots[n++] = (struct run_plot){ .kind = RUN_PLOT_LOAD };
        run_series_begin(&x, run_sim(once), plots, n, 0);
        run_series_begin(&y, run_sim(sliced), plots, n, 0);
        while (!run_series_until(&x, once, UNIT_MS, ENOUGH)) {
        }
        for (sim_ps t = 0; t < UNIT_MS; t += dice_roll(&dice, 30 * UNIT_US)) {
            (void)run_series_until(&y, sliced, t, (size_t)dice_roll(&dice, 50));
        }
        while (!run_series_until(&y, sliced, UNIT_MS, 7)) {
        }
        (void)run_until(once, UNIT_MS, 0);
        (void)run_until(sliced, UNIT_MS, 0);
        compare(alone, once, seed, "plotting");
        compare(alone, sliced, seed, "plotting in slices");
        for (size_t i = 0; i < n; i++) {
            const struct run_series *a = &x.series[i], *b = &y.series[i];
            struct run_series_span span;
            const size_t size = a->count * sizeof *a->point;
            if (a->count != b->count || memcmp(a->point, b->point, size) != 0) {
                fail_msg("seed %llu: slices change plot %zu", (unsigned long long)seed, i);
            }
            if (plots[i].kind == RUN_PLOT_QUEUE && run_series_over(a, 0, x.known, &span) &&
                span.high > sim_port_queue(run_sim(once), plots[i].id).max_bytes) {
                fail_msg("seed %llu: a queue that never was", (unsigned long long)seed);
            }
            read += a->count;
        }
        sim_ps paused = 0;
        for (uint32_t p = 0; p < sim_port_count(run_sim(once)); p++) {
            paused += sim_port_paused_ps(run_sim(once), p);
        }
        assert_int_equal(paused, sim_counters(run_sim(once)).paused);
        run_series_finish(&x);
        run_series_finish(&y);
        run_destroy(alone);
        run_destroy(once);
        run_destroy(sliced);
        random_fabric_finish(&f);
    }
    print_message("# %zu points\n", read);
    assert_true(read > 100);
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        unsigned long n = strtoul(argv[1], NULL, 10);
        if (n == 0 || n > fabrics_max) {
            (void)fprintf(stderr, "usage: test_fabrics [NUMBER]\n");
            return 2;
        }
        fabrics = (unsigned)n;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(books_balance),       cmocka_unit_test(computed_headroom_is_enough),
        cmocka_unit_test(locks_stay),          cmocka_unit_test(slicing_is_invisible),
        cmocka_unit_test(haste_is_invisible),  cmocka_unit_test(large_fabrics_too),
        cmocka_unit_test(looks_are_in_time),   cmocka_unit_test(turns_have_room),
        cmocka_unit_test(going_back_is_exact), cmocka_unit_test(plots_only_look),
    };
    return cmocka_run_group_tests_name("fabrics", tests, NULL, NULL);
}
