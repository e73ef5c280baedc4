/*
 * The number in the lesson's prose, counted: of all packets of a step of the scene `small`, exactly one
 * for each GPU costs a timeout, and no other costs more than 20 us.
 */
#include "cmocka_rows.h"

#include <stdio.h>
#include <string.h>

#include "lesson/lesson.h"
#include "sim/sim.h"

static const struct sim_scenario *scenario(const struct lesson *lesson)
{
    for (size_t i = 0; i < lesson_scene_count(lesson); i++) {
        if (strcmp(lesson_scene(lesson, i)->name, "small") == 0) {
            return &lesson_scene(lesson, i)->scenario;
        }
    }
    return NULL;
}

/* How long step 2 takes when the k-th packet of a flow in it is lost (k 0: none). */
static sim_ps step_time(const struct sim_scenario *sc, const char *flow, uint64_t k)
{
    struct err err = { 0 };
    struct sim *sim = sim_create(sc, 1, &err);
    assert_non_null(sim);
    struct sim_cmd cmd = { .kind = SIM_CMD_DROP, .which = SIM_DROP_INDEX, .psn = k, .step = 2 };
    (void)snprintf(cmd.flow, sizeof cmd.flow, "%s", flow);
    if (k > 0 && !sim_apply(sim, 1, &cmd, &err)) {
        fail_msg("%s", err.msg);
    }
    for (int barrier = 0; barrier < 2; barrier++) {
        assert_int_equal(sim_run_until(sim, UNIT_S, SIM_TRACE_BIT(BARRIER)), SIM_AT_TRACE);
    }
    const struct sim_step step = sim_step(sim, 2);
    assert_int_equal(sim_counters(sim).dropped, k > 0);
    sim_destroy(sim);
    return step.end - step.start;
}

static void one_packet_in_each_gpu_is_deadly(void **state)
{
    (void)state;
    struct err err = { 0 };
    struct lesson *lesson =
        lesson_load(WEFT_SOURCE "/lessons/one-lost-packet.lua", WEFT_SOURCE, NULL, &err);
    assert_non_null(lesson);
    const struct sim_scenario *sc = scenario(lesson);
    struct sim *sim = sim_create(sc, 1, &err);
    const sim_ps clean = step_time(sc, "g1>g2", 0), timeout = sim_timeout_ps(sim);
    size_t deadly = 0, harmless = 0;
    for (uint32_t f = 0; f < sim_flow_count(sim); f++) {
        const uint64_t packets = sim_flow_state(sim, f).step_packets;
        for (uint64_t k = 1; k <= packets; k++) {
            const sim_ps cost = step_time(sc, sim_flow(sim, f).name, k) - clean;
            if (k == packets) {
                assert_true(cost > timeout - timeout / 100 && cost < timeout + timeout / 100);
                deadly++;
            } else {
                assert_true(cost >= 0 && cost < 20 * UNIT_US);
                harmless++;
            }
        }
    }
    assert_int_equal(deadly, 8);
    assert_int_equal(harmless, 888);
    sim_destroy(sim);
    lesson_destroy(lesson);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(one_packet_in_each_gpu_is_deadly) };
    return cmocka_run_group_tests_name("lesson/deadly", tests, NULL, NULL);
}
