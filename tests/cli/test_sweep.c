/* Grids: words into axes, a run's number into settings; what is wrong with words. */
#include <stdlib.h>
#include <string.h>

#include "cli/sweep.h"
#include "cmocka_rows.h"

enum { WORDS_MAX = 20 };

/* Words separated by blanks. */
static bool read(struct sweep_grid *grid, const char *line, struct err *err)
{
    static char copy[4096];
    const char *item[WORDS_MAX];
    struct cli_words words = { .item = item };
    strncpy(copy, line, sizeof copy - 1);
    for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        item[words.count++] = word;
    }
    return sweep_grid_read(grid, &words, err);
}

static struct good_case {
    const char *name, *words, *grid;
    int runs;
} good_cases[] = {
    { "one value", "xoff=50KB", "xoff=50000B", 1 },
    { "several", "xoff=50KB,1MB", "xoff=50000B,1000000B", 2 },
    { "a grid", "xoff=50KB,1MB mtu=1KB,2KB,4KB", "xoff=50000B,1000000B mtu=1000B,2000B,4000B", 6 },
    { "seeds", "seed=1..4", "seed=1,2,3,4", 4 },
    { "seeds here and there", "seed=1..2,7", "seed=1,2,7", 3 },
    { "counts in a row", "timeout_exponent=3..5", "timeout_exponent=3,4,5", 3 },
    { "words", "routing=ecmp,spray", "routing=ecmp,spray", 2 },
    { "the shorthand", "pfc=on,off", "flow_control=pfc,none", 2 },
    { "auto is a value", "headroom=auto,1KB", "headroom=auto,1000B", 2 },
};

static void good_case(void **state)
{
    const struct good_case *c = *state;
    struct sweep_grid grid;
    struct text name = { 0 };
    struct err err = { 0 };
    if (!read(&grid, c->words, &err)) {
        fail_msg("%s", err.msg);
    }
    sweep_grid_name(&name, &grid);
    assert_string_equal(text_str(&name), c->grid);
    assert_int_equal(grid.runs, c->runs);
    text_finish(&name);
    sweep_grid_finish(&grid);
}

static struct bad_case {
    const char *name, *words, *says;
} bad_cases[] = {
    { "nothing", "", "what shall change?" },
    { "no value", "xoff=", "xoff" },
    { "an empty value", "xoff=1KB,,2KB", "xoff" },
    { "an unknown switch", "xof=1KB", "did you mean \"xoff\"?" },
    { "out of range", "mtu=1B", "mtu is" },
    { "twice", "xoff=1KB,1000B", "there twice" },
    { "an axis twice", "seed=1 seed=2", "swept already" },
    { "an axis by two names", "pfc=on flow_control=none", "swept already" },
    { "a range down", "seed=5..1", "goes up" },
    { "a range too long", "seed=1..2000000", "goes up, by less" },
    { "a range that is none", "seed=1..", "--set seed=1.." },
    { "a seed too large", "seed=999999999999999..1000000000000001", "--set seed" },
    { "a range out of range", "timeout_exponent=30..40", "timeout_exponent is" },
    { "too many runs", "seed=1..1000 ack_every=1..1000 ttl=1..2", "runs in a sweep" },
};

static void bad_case(void **state)
{
    const struct bad_case *c = *state;
    struct sweep_grid grid;
    struct err err = { 0 };
    assert_false(read(&grid, c->words, &err));
    assert_int_equal(err.code, ERR_USAGE);
    if (strstr(err.msg, c->says) == NULL) {
        fail_msg("%s", err.msg);
    }
    sweep_grid_finish(&grid);
}

/* The first axis changes slowest; every combination comes once. */
static void runs_walk_the_grid(void **state)
{
    (void)state;
    struct sweep_grid grid;
    assert_true(read(&grid, "xoff=1KB,2KB seed=5..7 ttl=9,10", NULL));
    for (int64_t run = 0; run < grid.runs; run++) {
        const struct cli_settings base = { .until = 42 };
        struct cli_settings s;
        sweep_grid_settings(&grid, run, &base, &s);
        assert_int_equal(s.until, 42);
        assert_true(s.has_seed);
        assert_int_equal(s.set_count, 2);
        assert_int_equal(s.sets[0].value, run < 6 ? 1000 : 2000);
        assert_int_equal(s.seed, 5 + run / 2 % 3);
        assert_int_equal(s.sets[1].value, 9 + run % 2);
        cli_settings_finish(&s);
    }
    sweep_grid_finish(&grid);
}

int main(void)
{
    static struct CMUnitTest tests[40];
    size_t n = 0;
    ROWS(tests, n, good_cases, good_case);
    ROWS(tests, n, bad_cases, bad_case);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(runs_walk_the_grid);
    return _cmocka_run_group_tests("cli/sweep", tests, n, NULL, NULL);
}
