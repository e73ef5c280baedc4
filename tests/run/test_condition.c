/* Conditions: what they mean, and what is said about those that mean nothing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmocka_rows.h"
#include "run/condition.h"

/* Two runs: 100 us and 150 us; 0 and 3 packets lost; no collective on the right. */
static struct difference numbers[] = {
    { "end_ns", NULL, 100000, 150000 },
    { "packets.dropped", NULL, 0, 3 },
    { "timeouts", NULL, 0, 0 },
    { "gpu_busy", NULL, 0.5, 0.25 },
    { "collective.mean_ns", NULL, 4000, 0 },
    { "queues.max_bytes", NULL, 10000, 20000 },
    { "steps[2].exposed_comm_ns", NULL, 80000, 90000 },
    { "flows[g1>g2].goodput_gbps", NULL, 40, 20 },
};

static struct hold_case {
    const char *name, *text;
    bool holds;
} hold_cases[] = {
    { "a bare number is a ratio for a time", "time > 1.4", true },
    { "of right by left", "time > 1.6", false },
    { "a quantity is that on the right", "time > 149us", true },
    { "a count is that on the right", "dropped > 0", true },
    { "also by its whole name", "packets.dropped = 3", true },
    { "a share too", "gpu_busy < 0.3", true },
    { "in percent", "gpu_busy < 30%", true },
    { "the left side", "left time = 100us", true },
    { "the right side", "right time = 100us", false },
    { "a ratio said so", "ratio gpu_busy <= 0.5", true },
    { "a difference", "difference time = 50us", true },
    { "less than nothing", "difference gpu_busy >= -0.25", true },
    { "and with its unit", "difference time < -1us", false },
    { "nothing by nothing is 1", "ratio timeouts = 1", true },
    { "something by nothing is more", "ratio dropped > 1e6", true },
    { "at most", "max_bytes <= 20KB", true },
    { "is not", "timeouts != 0", false },
    { "and", "dropped > 0 and timeouts > 0", false },
    { "or", "dropped > 0 or timeouts > 0", true },
    { "and binds more than or", "dropped > 0 or timeouts > 0 and timeouts > 1", true },
    { "brackets bind most", "(dropped > 0 or timeouts > 0) and timeouts > 1", false },
    { "not", "not timeouts > 0", true },
    { "not binds more than and", "not timeouts > 0 and dropped > 5", false },
    { "without blanks", "time>1.4", true },
    { "a number of one step", "difference steps[2].exposed_comm_ns = 10us", true },
    { "of one flow", "flows[g1>g2].goodput_gbps < 21Gbps", true },
    { "of one flow, as a ratio", "flows[g1>g2].goodput_gbps < 0.6", true },
};

static struct condition condition;

static void hold_case(void **state)
{
    const struct hold_case *c = *state;
    const struct differences all = { .v = numbers, .count = COUNT_OF(numbers) };
    struct err err = { 0 };
    bool holds = !c->holds;
    numbers[4].right = (double)NAN;
    if (!condition_parse(&condition, c->text, &err) ||
        !condition_holds(&condition, &all, &holds, &err)) {
        fail_msg("%s", err.msg);
    }
    assert_int_equal(holds, c->holds);
}

static struct bad_case {
    const char *name, *text, *says;
} bad_cases[] = {
    { "nothing", "", "at its end: a metric should stand there" },
    { "no metric", "5 > 3", "at letter 1, \"5 > 3\": a metric should stand there" },
    { "an unknown metric", "droped > 0", "did you mean packets.dropped?" },
    { "part of its name", "busbw > 1", "did you mean collective.busbw_gbps?" },
    { "a name that several have", "count > 3", "more than one" },
    { "no operator", "time 5", "one of > <" },
    { "half an operator", "time ! 5", "one of > <" },
    { "no number", "time >", "at its end: a number should stand there" },
    { "a number that is none", "time > 1.2.3", "a number should stand there" },
    { "a hexadecimal number", "dropped > 0x10", "at letter 11" },
    { "nan", "time > nan", "a number should stand there" },
    { "too large a number", "dropped > 1e999", "a number should stand there" },
    { "a unit of something else", "time > 5KB", "at letter 8" },
    { "a ratio with a unit", "ratio time > 5us", "a ratio has no unit" },
    { "a time without one", "right time > 5", "write" },
    { "something behind", "time > 5 5", "and, or, or nothing more" },
    { "an open bracket", "(time > 5", "a ) is missing" },
    { "a bracket too many", "time > 5)", "and, or, or nothing more" },
    { "an open name", "flows[g1>g2 > 5", "a ] is missing" },
    { "too deep",
      "((((((((((((((((((((((((((((((((((((((((time > 1))))))))))))))))))))))))))))))))))))))))",
      "too deep" },
};

static void bad_case(void **state)
{
    const struct bad_case *c = *state;
    struct err err = { 0 };
    assert_false(condition_parse(&condition, c->text, &err));
    if (strstr(err.msg, c->says) == NULL) {
        fail_msg("%s", err.msg);
    }
}

static void size_is_capped(void **state)
{
    (void)state;
    struct err err = { 0 };
    char text[2000] = "time > 1";
    for (int i = 0; i < 50; i++) {
        (void)strcat(text, " or time > 1");
    }
    assert_false(condition_parse(&condition, text, &err));
    assert_non_null(strstr(err.msg, "at most 64 parts"));
    memset(text, '(', sizeof text - 1);
    assert_false(condition_parse(&condition, text, &err));
    assert_non_null(strstr(err.msg, "letters long"));
}

static void missing_numbers_are_said(void **state)
{
    (void)state;
    const struct differences all = { .v = numbers, .count = COUNT_OF(numbers) };
    struct err err = { 0 };
    bool holds;
    numbers[4].right = (double)NAN;
    assert_true(condition_parse(&condition, "collective.mean_ns > 2", &err));
    assert_false(condition_holds(&condition, &all, &holds, &err));
    assert_string_equal(err.msg, "the right run has no collective.mean_ns");
    assert_true(condition_parse(&condition, "left collective.mean_ns > 2us", &err));
    assert_true(condition_holds(&condition, &all, &holds, &err));
    assert_true(holds);
    assert_true(condition_parse(&condition, "steps[9].end_ns > 2", &err));
    assert_false(condition_holds(&condition, &all, &holds, &err));
    assert_string_equal(err.msg, "neither run has a number steps[9].end_ns");
}

int main(void)
{
    static struct CMUnitTest tests[80];
    size_t n = 0;
    ROWS(tests, n, hold_cases, hold_case);
    ROWS(tests, n, bad_cases, bad_case);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(size_is_capped);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(missing_numbers_are_said);
    return _cmocka_run_group_tests("run/condition", tests, n, NULL, NULL);
}
