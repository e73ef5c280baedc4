/*
 * Knobs that are said to do nothing: set to something else, the same happens at the same times. The lab's
 * presets are the fabrics; with `many` all of them and more values, else some.
 */
#include "cmocka_rows.h"

#include <stdio.h>
#include <string.h>

#include "app/step.h"
#include "lesson/lesson.h"
#include "lesson/presets.h"
#include "sim/idle.h"

static bool many;

static uint64_t hash_of(const struct sim_scenario *sc, sim_ps until)
{
    struct err err = { 0 };
    struct sim *sim = sim_create(sc, 1, &err);
    if (sim == NULL) {
        return 0; /* it cannot be set like that: nothing is claimed */
    }
    (void)sim_run_until(sim, until, 0);
    const uint64_t hash = sim_trace_hash(sim);
    sim_destroy(sim);
    return hash;
}

/* How many knobs of the fabric are idle. */
static size_t look_at(const char *id, struct sim_scenario *sc, sim_ps until)
{
    struct err err = { 0 };
    struct sim *sim = sim_create(sc, 1, &err);
    size_t idle = 0;
    char why[160];
    assert_non_null(sim);
    const uint64_t before = hash_of(sc, until);
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const enum sim_knob knob = (enum sim_knob)k;
        if (!sim_knob_idle(sim, knob, why, sizeof why)) {
            continue;
        }
        idle++;
        assert_true(why[0] != '\0');
        const int64_t was = sc->knobs.v[k];
        for (int up = 0; up < (many ? 2 : 1); up++) {
            int64_t other = was;
            for (int i = 0; i < 3; i++) {
                int64_t next;
                if (step_knob(knob, other, up == 0, &next)) {
                    other = next;
                }
            }
            sc->knobs.v[k] = other;
            const uint64_t after = hash_of(sc, until);
            if (after != 0 && after != before) {
                fail_msg("%s: %s was said to do nothing because %s; it does", id,
                         sim_knob_info(knob)->name, why);
            }
        }
        sc->knobs.v[k] = was;
    }
    sim_destroy(sim);
    return idle;
}

static void idle_knobs_do_nothing(void **state)
{
    (void)state;
    static const char *const few[] = { "infiniband-credits", "lossy-ethernet", "roce-dcqcn" };
    struct err err = { 0 };
    struct lesson_presets presets;
    assert_true(lesson_presets_read(SOURCE_ROOT, &presets, &err));
    for (size_t i = 0; i < presets.count; i++) {
        bool wanted = many;
        for (size_t j = 0; j < COUNT_OF(few); j++) {
            wanted = wanted || strcmp(few[j], presets.item[i].id) == 0;
        }
        struct sim_scenario sc;
        if (wanted) {
            assert_true(lesson_load_scenario(presets.item[i].file, SOURCE_ROOT, &sc, &err));
            assert_true(look_at(presets.item[i].id, &sc, 60 * UNIT_US) > 5);
            sim_scenario_finish(&sc);
        }
    }
    lesson_presets_finish(&presets);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(idle_knobs_do_nothing) };
    many = argc > 1 && strcmp(argv[1], "many") == 0;
    return cmocka_run_group_tests_name("app/idle", tests, NULL, NULL);
}
