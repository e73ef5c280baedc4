/* Cursor and victim: point at a packet, destroy it, hear what it cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/cursor.h"
#include "app/victim.h"
#include "base/units.h"
#include "ring.h"

static const struct sim *sim_of(struct run *run)
{
    return run_sim(run);
}

static void the_cursor_snaps_to_a_packet_on_a_hosts_cable(void **state)
{
    (void)state;
    struct run *run = ring_run(3);
    struct cursor cursor = { 0 };
    assert_false(cursor_snap(&cursor, sim_of(run))); /* still computing: nothing on its way */
    run_until(run, 30 * UNIT_US, 0);
    assert_true(cursor_snap(&cursor, sim_of(run)));
    assert_true(cursor.thing == CURSOR_FRAME && cursor.kind == SIM_FRAME_DATA && !cursor.waiting);
    uint32_t node = sim_port(sim_of(run), cursor.port).node;
    assert_int_equal(sim_node(sim_of(run), node).kind, SIM_HOST);
    char line[200];
    assert_non_null(
        strstr(cursor_say(&cursor, sim_of(run), line, sizeof line), " of the step's 112 (g"));
    char name[80]; /* the one that events and the open packet have */
    sim_packet_name(sim_of(run), cursor.flow, cursor.psn, cursor.attempt, name, sizeof name);
    assert_non_null(strstr(line, name));
    run_destroy(run);
}

static void it_stays_on_its_packet_as_time_goes(void **state)
{
    (void)state;
    struct run *run = ring_run(3);
    struct cursor cursor = { 0 };
    run_until(run, 30 * UNIT_US, 0);
    cursor_snap(&cursor, sim_of(run));
    uint64_t psn = cursor.psn;
    uint32_t port = cursor.port;
    while (cursor.thing == CURSOR_FRAME && cursor.port == port) {
        run_until(run, run_now(run) + 50 * UNIT_NS, 0);
        cursor_follow(&cursor, sim_of(run));
    }
    assert_true(cursor.on);
    assert_int_equal(cursor.psn, psn); /* went on to the next cable */
    run_until(run, run_now(run) + 20 * UNIT_US, 0);
    cursor_follow(&cursor, sim_of(run));
    assert_true(cursor.on && cursor.thing == CURSOR_LANE); /* arrived: the lane stays */
    run_destroy(run);
}

static void there_is_nothing_to_destroy_on_an_empty_lane(void **state)
{
    (void)state;
    struct run *run = ring_run(3);
    struct cursor cursor = { 0 };
    struct sim_cmd cmd;
    struct err err = { 0 };
    assert_false(cursor_drop(&cursor, sim_of(run), &cmd, &err));
    assert_non_null(strstr(err.msg, "c puts the cursor"));
    cursor.on = true;
    assert_false(cursor_drop(&cursor, sim_of(run), &cmd, &err));
    assert_non_null(strstr(err.msg, "no packet under the cursor"));
    run_destroy(run);
}

/* Destroys what the cursor snaps to and plays to the barrier. */
static void destroy(struct run *run, struct victim *victim)
{
    struct cursor cursor = { 0 };
    struct sim_cmd cmd;
    assert_true(cursor_snap(&cursor, sim_of(run)));
    assert_true(cursor_drop(&cursor, sim_of(run), &cmd, NULL));
    victim_take(victim, sim_of(run), cursor.flow, cursor.psn, cursor.attempt);
    assert_true(run_do(run, &cmd, RUN_LEARNER, NULL, NULL));
}

static void a_packet_in_the_middle_costs_microseconds(void **state)
{
    (void)state;
    struct run *run = ring_run(3), *clean = ring_run(3);
    struct victim victim = { 0 };
    char line[256];
    bool settled;
    run_until(run, 30 * UNIT_US, 0);
    destroy(run, &victim);
    run_until(run, run_now(run) + 1 * UNIT_NS, 0);
    victim_say(&victim, sim_of(run), line, sizeof line, &settled);
    assert_non_null(strstr(line, ": lost"));
    assert_false(settled);

    ring_until(run, SIM_TRACE_NAK);
    victim_say(&victim, sim_of(run), line, sizeof line, &settled);
    assert_non_null(strstr(line, "; NAK "));
    ring_until(run, SIM_TRACE_REWIND);
    victim_say(&victim, sim_of(run), line, sizeof line, &settled);
    assert_non_null(strstr(line, ", resent"));
    run_until(run, run_now(run) + 3 * UNIT_US, 0);
    victim_say(&victim, sim_of(run), line, sizeof line, &settled);
    assert_non_null(strstr(line, ", cost so far +"));
    victim.hush = true; /* what is asked is not told */
    victim_say(&victim, sim_of(run), line, sizeof line, &settled);
    assert_non_null(strstr(line, ", resent"));
    assert_null(strstr(line, "cost"));
    victim.hush = false;

    ring_until(run, SIM_TRACE_BARRIER);
    while (victim_work(&victim)) {
    }
    victim_say(&victim, sim_of(run), line, sizeof line, &settled);
    assert_true(settled);
    ring_until(clean, SIM_TRACE_BARRIER);
    char cost[40], want[80];
    snprintf(want, sizeof want, ", cost: +%s",
             units_format(cost, sizeof cost, UNIT_TIME, run_now(run) - run_now(clean)));
    assert_non_null(strstr(line, want));
    victim_finish(&victim);
    run_destroy(run);
    run_destroy(clean);
}

static void the_last_one_waits_for_its_timer(void **state)
{
    (void)state;
    struct run *run = ring_run(3);
    const struct sim *sim = sim_of(run);
    struct victim victim = { 0 };
    char line[256];
    uint32_t flow = sim_find_flow(sim, "g3>g4");
    victim_take(&victim, sim, flow, 111, 1);
    ring_do(run, "drop g3>g4:111#1");
    ring_until(run, SIM_TRACE_DROP);
    run_until(run, run_now(run) + 10 * UNIT_US, 0);
    victim_say(&victim, sim, line, sizeof line, NULL);
    assert_non_null(
        strstr(line, "nothing follows it: only the timer of g3 can help, after 16.8 ms"));

    ring_until(run, SIM_TRACE_BARRIER);
    while (victim_work(&victim)) {
    }
    victim_say(&victim, sim, line, sizeof line, NULL);
    assert_non_null(strstr(line, "; timeout 16.8 ms later, resent, cost: +16.8 ms"));
    victim_finish(&victim);
    run_destroy(run);
}

static void before_the_drop_there_is_nothing_to_say(void **state)
{
    (void)state;
    struct run *run = ring_run(3);
    struct victim victim = { 0 };
    char line[256];
    run_until(run, 30 * UNIT_US, 0);
    destroy(run, &victim);
    run_until(run, run_now(run) + 5 * UNIT_US, 0);
    run_seek(run, 25 * UNIT_US, NULL);
    victim_say(&victim, sim_of(run), line, sizeof line, NULL);
    assert_string_equal(line, "");
    victim_finish(&victim);
    run_destroy(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cursor_snaps_to_a_packet_on_a_hosts_cable),
        cmocka_unit_test(it_stays_on_its_packet_as_time_goes),
        cmocka_unit_test(there_is_nothing_to_destroy_on_an_empty_lane),
        cmocka_unit_test(a_packet_in_the_middle_costs_microseconds),
        cmocka_unit_test(the_last_one_waits_for_its_timer),
        cmocka_unit_test(before_the_drop_there_is_nothing_to_say),
    };
    return cmocka_run_group_tests_name("app/victim", tests, NULL, NULL);
}
