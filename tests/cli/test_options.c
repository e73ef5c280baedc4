/* The command line: what is understood, what is refused, and with which words. */
#include "cmocka_rows.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

enum { WORDS_MAX = 16 };

/* "weft" and the words of a line, split at blanks ('_' stands for a blank inside a word). */
static int split(char *line, char **argv)
{
    int argc = 0;
    argv[argc++] = (char[]){ "weft" };
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) {
        for (char *c = word; *c != '\0'; c++) {
            *c = *c == '_' ? ' ' : *c;
        }
        assert_true(argc < WORDS_MAX);
        argv[argc++] = word;
    }
    return argc;
}

struct good_case {
    const char *name;
    const char *line;
    enum cli_command command;
    size_t operands;
    const char *first; /* operand, or NULL */
};

static struct good_case good_cases[] = {
    { "nothing opens the home screen", "", CLI_OPEN, 0, NULL },
    { "a word that is no command is a lesson", "one-lost-packet", CLI_OPEN, 1, "one-lost-packet" },
    { "a lesson and its card", "8 --card 4", CLI_OPEN, 1, "8" },
    { "flags before the command", "--ascii list", CLI_LIST, 0, NULL },
    { "flags behind the operand", "run x --bare", CLI_RUN, 1, "x" },
    { "a value after a blank", "run x --format json", CLI_RUN, 1, "x" },
    { "a value after an equals sign", "run x --format=json", CLI_RUN, 1, "x" },
    { "a value may begin with a minus only behind =", "run --do=-1 x", CLI_RUN, 1, "x" },
    { "-- ends the flags", "run -- --bare", CLI_RUN, 1, "--bare" },
    { "behind -- a command's name is a lesson", "-- run", CLI_OPEN, 1, "run" },
    { "a command's name as operand", "run run", CLI_RUN, 1, "run" },
    { "check takes many files", "check a b c", CLI_CHECK, 3, "a" },
    { "a lone minus is a word", "run -", CLI_RUN, 1, "-" },
    { "help needs nothing else to be right", "run --help", CLI_RUN, 0, NULL },
    { "help by letter", "-h", CLI_OPEN, 0, NULL },
    { "version stops reading", "-V --bogus", CLI_OPEN, 0, NULL },
};

static void good_case(void **state)
{
    const struct good_case *c = *state;
    char line[200];
    char *argv[WORDS_MAX];
    struct cli_options o;
    struct err err = { 0 };
    (void)strcpy(line, c->line);
    int argc = split(line, argv);
    assert_true(cli_options_parse(&o, argc, argv, &err));
    assert_int_equal(o.command, c->command);
    assert_int_equal(o.operands.count, c->operands);
    if (c->first != NULL) {
        assert_string_equal(o.operands.item[0], c->first);
    }
    cli_options_finish(&o);
}

struct bad_case {
    const char *name;
    const char *line;
    const char *message;
};

static struct bad_case bad_cases[] = {
    { "unknown flag, nearest one named", "--plian",
      "there is no flag '--plian'; did you mean --plain?" },
    { "unknown flag, nothing near", "--bogusbogus", "there is no flag '--bogusbogus'" },
    { "unknown flag with a value", "run x --formt=json", "did you mean --format?" },
    { "unknown letter", "-x", "there is no flag '-x'" },
    { "letters are not joined", "-hV", "there is no flag '-hV'" },
    { "a flag without its value", "run x --format", "--format needs a value" },
    { "the next flag is no value", "run x --out --force", "--out needs a value" },
    { "a value for a plain flag", "run x --bare=yes", "--bare takes no value" },
    { "a flag of another command", "list --bare", "weft list does not take --bare" },
    { "a run's flag without a command", "x --bare", "weft does not take --bare" },
    { "no target", "run", "weft run needs TARGET" },
    { "no files", "check", "weft check needs FILE..." },
    { "two targets", "run a b", "'b' is one word too many" },
    { "two lessons", "a b", "'b' is one word too many" },
    { "list takes one folder", "list a b", "'b' is one word too many for weft list" },
    { "a slip in a command", "rnu x", "there is no command 'rnu'; did you mean run?" },
    { "unknown format", "list --format xml", "--format takes text or json, not 'xml'" },
    { "a format of other commands", "list --format csv", "text or json, not 'csv'" },
    { "an unknown format of run", "run x --format xml", "text, json or csv, not 'xml'" },
    { "a sweep is no text", "sweep x --set xoff=1KB --format text", "csv or json, not 'text'" },
    { "a saved run by another name", "run x --save run.txt", "ends with .weft" },
    { "nothing to replace", "run x --force", "--out FILE or --save FILE" },
    { "slice 0", "sweep x --shard 0/4", "--shard takes I/N" },
    { "slice 5 of 4", "sweep x --shard 5/4", "--shard takes I/N" },
    { "a slice of how many?", "sweep x --shard 5", "--shard takes I/N" },
    { "no workers", "sweep x --jobs 0", "--jobs takes a whole number" },
    { "joining with settings", "sweep --merge a b --set xoff=1KB", "--merge takes files only" },
    { "two sweeps", "sweep a b --set xoff=1KB", "'b' is one word too many for weft sweep" },
    { "another side without a value", "compare x --vs pfc", "--vs takes NAME=VALUE" },
    { "another side of a run", "run x --vs pfc=off", "weft run does not take --vs" },
    { "unknown colour", "--color pink",
      "--color takes auto, never, none, 16, 256 or truecolor, not 'pink'" },
    { "no frames a second", "--fps 0", "--fps takes a whole number from 1 to 60, not '0'" },
    { "negative frames a second", "--fps -1", "not '-1'" },
    { "a billion frames a second", "--fps 1e9", "not '1e9'" },
    { "nan frames a second", "--fps nan", "not 'nan'" },
    { "30x frames a second", "--fps 30x", "not '30x'" },
    { "card zero", "x --card 0", "--card takes a whole number from 1" },
    { "a card without a lesson", "--card 3", "--card needs a lesson" },
    { "a negative seed", "run x --seed -1", "--seed takes a whole number from 0" },
    { "a seed beyond 15 digits", "run x --seed 1000000000000000", "to 999,999,999,999,999" },
    { "a time without a unit", "run x --until 5", "--until: \"5\" has no unit" },
    { "a set without a value", "run x --set pfc", "--set takes NAME=VALUE, not 'pfc'" },
    { "a snaplen without a unit", "export x --snaplen 128", "--snaplen: \"128\" has no unit" },
    { "a snaplen that keeps nothing", "export x --snaplen 1B", "--snaplen takes 64 B to 9216 B" },
    { "a place elsewhere", "run x --at leaf1", "weft run does not take --at" },
    { "force without a file", "run x --force", "--force goes with --out FILE" },
};

static void bad_case(void **state)
{
    const struct bad_case *c = *state;
    char line[200];
    char *argv[WORDS_MAX];
    struct cli_options o;
    struct err err = { 0 };
    (void)strcpy(line, c->line);
    int argc = split(line, argv);
    assert_false(cli_options_parse(&o, argc, argv, &err));
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.msg, c->message));
    cli_options_finish(&o);
}

static void values_arrive(void **state)
{
    (void)state;
    char line[] = "run x --set pfc=off --set=xoff=50KB --seed 7 --until 2ms --out f --force "
                  "--scene small --bare --do 1ms_hold_g1_on --format json --ascii --color never "
                  "--fps 007 --reduced-motion --plain";
    char *argv[2 * WORDS_MAX];
    int argc = 0;
    argv[argc++] = (char[]){ "weft" };
    for (char *word = strtok(line, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    struct cli_options o;
    assert_true(cli_options_parse(&o, argc, argv, NULL));
    assert_int_equal(o.sets.count, 2);
    assert_string_equal(o.sets.item[0], "pfc=off");
    assert_string_equal(o.sets.item[1], "xoff=50KB");
    assert_int_equal(o.deeds.count, 1);
    assert_int_equal(o.seed, 7);
    assert_int_equal(o.until_ps, INT64_C(2000000000));
    assert_string_equal(o.out, "f");
    assert_string_equal(o.scene, "small");
    assert_true(o.force && o.bare && o.plain && o.reduced_motion);
    assert_int_equal(o.format, CLI_JSON);
    assert_int_equal(o.charset, CLI_CHARSET_ASCII);
    assert_int_equal(o.color, CLI_COLOR_NEVER);
    assert_int_equal(o.fps, 7);
    cli_options_finish(&o);
}

static void defaults(void **state)
{
    (void)state;
    char *argv[] = { (char[]){ "weft" }, NULL };
    struct cli_options o;
    assert_true(cli_options_parse(&o, 1, argv, NULL));
    assert_int_equal(o.seed, 1);
    assert_int_equal(o.until_ps, INT64_C(60000000000000));
    assert_int_equal(o.format, CLI_TEXT);
    assert_int_equal(o.fps, 0);
    assert_int_equal(o.card, 0);
    assert_null(o.out);
    cli_options_finish(&o);
}

/* Nobody passes fewer than one word, but execve allows it. */
static void no_words_at_all(void **state)
{
    (void)state;
    char *argv[] = { NULL };
    struct cli_options o;
    assert_true(cli_options_parse(&o, 0, argv, NULL));
    assert_int_equal(o.command, CLI_OPEN);
    cli_options_finish(&o);
}

static void help_names_everything(void **state)
{
    (void)state;
    static const char *const flags[] = {
#define X(id, name, letter, value, on, help) "--" name,
        CLI_FLAGS(X)
#undef X
    };
    struct text all = { 0 };
    for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
        cli_command_help(&all, (enum cli_command)c);
    }
    for (size_t i = 0; i < COUNT_OF(flags); i++) {
        assert_non_null(strstr(text_str(&all), flags[i]));
    }
    for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
        assert_non_null(strstr(text_str(&all), cli_command_name((enum cli_command)c)));
    }
    /* It fits a narrow terminal. */
    for (const char *line = text_str(&all); *line != '\0';) {
        size_t len = strcspn(line, "\n");
        assert_true(len <= 80);
        line += len + (line[len] == '\n' ? 1 : 0);
    }
    text_finish(&all);
}

int main(void)
{
    static struct CMUnitTest tests[96];
    size_t n = 0;
    ROWS(tests, n, good_cases, good_case);
    ROWS(tests, n, bad_cases, bad_case);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(values_arrive);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(defaults);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(no_words_at_all);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(help_names_everything);
    return _cmocka_run_group_tests("cli/options", tests, n, NULL, NULL);
}
