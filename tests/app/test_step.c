/* The next value that one would try. */
#include "cmocka_rows.h"

#include <string.h>

#include "app/step.h"

static struct row {
    const char *name;
    enum unit_kind unit;
    const char *now;
    bool up;
    const char *next; /* NULL: there is none */
} rows[] = {
    { "a count", UNIT_COUNT, "3", true, "4" },
    { "a count down", UNIT_COUNT, "16", false, "15" },
    { "a large count", UNIT_COUNT, "16", true, "24" },
    { "a larger one", UNIT_COUNT, "100", true, "128" },
    { "back", UNIT_COUNT, "128", false, "96" },
    { "the least", UNIT_COUNT, "1", false, NULL },
    { "a rate", UNIT_RATE, "100Gbps", true, "200Gbps" },
    { "a rate down", UNIT_RATE, "100Gbps", false, "54.5Gbps" },
    { "the slowest cable", UNIT_RATE, "1Gbps", false, "500Mbps" },
    { "beyond all cables", UNIT_RATE, "1.6Tbps", true, "2Tbps" },
    { "bytes", UNIT_BYTES, "100KB", true, "128KiB" },
    { "bytes down", UNIT_BYTES, "100KB", false, "64KiB" },
    { "a time", UNIT_TIME, "500ns", true, "1us" },
    { "a time between", UNIT_TIME, "16.8ms", false, "10ms" },
    { "a share", UNIT_SHARE, "50%", true, "60%" },
    { "a small share", UNIT_SHARE, "2%", false, "1%" },
};

static void steps(void **state)
{
    const struct row *row = *state;
    int64_t now, next, want;
    assert_true(units_parse(row->now, row->unit, &now, NULL));
    const bool moved = step_quantity(row->unit, now, row->up, 1, INT64_MAX / 2, &next);
    assert_int_equal(moved, row->next != NULL);
    if (row->next != NULL) {
        assert_true(units_parse(row->next, row->unit, &want, NULL));
        if (next / (want > 1000000 ? 1000 : 1) != want / (want > 1000000 ? 1000 : 1)) {
            fail_msg("%lld, not %lld", (long long)next, (long long)want);
        }
    }
}

/* From every knob's default both ways to the ends: always within its range, never the same again. */
static void knobs_walk_to_their_ends(void **state)
{
    (void)state;
    enum { MANY = 400 };
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const struct sim_knob_info *info = sim_knob_info((enum sim_knob)k);
        for (int up = 0; up <= 1; up++) {
            int64_t value = info->def, next;
            int n = 0;
            while (n++ < MANY && step_knob((enum sim_knob)k, value, up != 0, &next)) {
                assert_true(sim_knob_check((enum sim_knob)k, next, NULL));
                assert_true(next != value);
                value = next;
                if (info->type == SIM_KNOB_CHOICE && value == info->def) {
                    break; /* round */
                }
            }
            assert_true(n < MANY);
        }
    }
}

static void typed_means_the_same(void **state)
{
    (void)state;
    static const int64_t values[] = { 1, 1000, 100000, 131072, 54500000000, 16777216, 999999999 };
    char text[64];
    for (int unit = UNIT_TIME; unit <= UNIT_BYTES; unit++) {
        for (size_t i = 0; i < COUNT_OF(values); i++) {
            int64_t back;
            step_typed((enum unit_kind)unit, values[i], text, sizeof text);
            assert_null(strchr(text, ' '));
            assert_true(units_parse(text, (enum unit_kind)unit, &back, NULL));
            assert_true(back == values[i]);
        }
    }
}

int main(void)
{
    struct CMUnitTest tests[32] = {
        cmocka_unit_test(knobs_walk_to_their_ends),
        cmocka_unit_test(typed_means_the_same),
    };
    size_t n = 2;
    ROWS(tests, n, rows, steps);
    return _cmocka_run_group_tests("app/step", tests, n, NULL, NULL);
}
