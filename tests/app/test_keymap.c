/* Keys of one's own: what a line does, what is wrong with it, what ? and the bottom line say then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/hints.h"
#include "app/keymap.h"
#include "cmocka_rows.h"
#include "stage.h"

#define ON(context) (1u << CONTEXT_##context)
#define LESSON_ON   (ON(ALL) | ON(LESSON) | ON(TIME))

static struct keymap read_keys(const char *file)
{
    struct keymap map;
    keymap_init(&map);
    keymap_read(&map, "keys", file);
    return map;
}

/* ---- lines that are good ---------------------------------------------------------------------- */

static struct means_case {
    const char *name, *file;
    uint32_t key;
    unsigned active;
    enum command want;
    uint32_t as; /* what the key stands for; 0: itself */
} means_cases[] = {
    { "an empty file changes nothing", "", 'n', LESSON_ON, COMMAND_NEXT, 0 },
    { "comments, blanks, CR LF and a BOM", "\xef\xbb\xbf# next z\r\n\r\n  play  z # so\r\n", 'z',
      LESSON_ON, COMMAND_PLAY, 0 },
    { "a line gives a key", "next z", 'z', LESSON_ON, COMMAND_NEXT, 0 },
    { "in place of those of the table", "next z", 'n', LESSON_ON, COMMAND_NONE, 0 },
    { "several keys", "next Right z Ctrl-N", TERM_KEY_CTRL('n'), LESSON_ON, COMMAND_NEXT, 0 },
    { "names of keys in any letters", "next PGDN", TERM_KEY_PAGEDOWN, LESSON_ON, COMMAND_NEXT, 0 },
    { "letters beyond ASCII", "next \xd1\x8f", 0x44f, LESSON_ON, COMMAND_NEXT, 0 },
    { "# is a key at the end of a line", "next #", '#', LESSON_ON, COMMAND_NEXT, 0 },
    { "= is a key", "next =", '=', LESSON_ON, COMMAND_NEXT, 0 },
    { "also before a comment", "next =  # so", '=', LESSON_ON, COMMAND_NEXT, 0 },
    { "and behind others", "next z =", '=', LESSON_ON, COMMAND_NEXT, 0 },
    { "but no sign between", "next = z", 'z', LESSON_ON, COMMAND_NONE, 0 },
    { "none takes keys away", "drop none", 'x', LESSON_ON, COMMAND_NONE, 0 },
    { "a key is taken from who had it", "play p", 'p', LESSON_ON, COMMAND_PLAY, 0 },
    { "two swap", "next p\nprevious n", 'n', LESSON_ON, COMMAND_PREVIOUS, 0 },
    { "where it does not meet, both keep it", "next k", 'k', ON(ALL) | ON(HOME), COMMAND_HOME_UP,
      0 },
    { "what lies on top hides it still", "next a", 'a', LESSON_ON | ON(QUESTION), COMMAND_ANSWER,
      0 },
    { "the keys of switches", "switch & \" (", '"', LESSON_ON, COMMAND_SWITCH, '2' },
    { "those not given stay", "switch & \" (", '4', LESSON_ON, COMMAND_SWITCH, '4' },
    { "and those given are free", "switch & \" (", '2', LESSON_ON, COMMAND_NONE, 0 },
    { "the letters of answers", "answer j k", 'k', LESSON_ON | ON(QUESTION), COMMAND_ANSWER, 'b' },
    { "how sure", "sure 7 8 9", '9', LESSON_ON | ON(SURE), COMMAND_SURE, '+' },
    { "Ctrl-C leaves whatever quit has", "quit Ctrl-Q", TERM_KEY_CTRL('c'), LESSON_ON, COMMAND_QUIT,
      0 },
    { "quit has that as well", "quit Ctrl-Q", TERM_KEY_CTRL('q'), LESSON_ON, COMMAND_QUIT, 0 },
    { "what is typed is typed", "next z", 'z', LESSON_ON | ON(PROMPT), COMMAND_PROMPT_TYPE, 0 },
    { "a line that is no good changes nothing", "next z F9", 'n', LESSON_ON, COMMAND_NEXT, 0 },
    { "of two lines for one key the first has it", "play z\nnext z", 'z', LESSON_ON, COMMAND_PLAY,
      0 },
    { "and the second command keeps its own", "play z\nnext z", 'n', LESSON_ON, COMMAND_NEXT, 0 },
    { "what a refused line gives back is still another's", "play n\nnext n z", 'n', LESSON_ON,
      COMMAND_PLAY, 0 },
};

static void means(void **state)
{
    const struct means_case *c = *state;
    struct keymap map = read_keys(c->file);
    uint32_t key = c->key;
    assert_int_equal(keymap_command(&map, &key, c->active), c->want);
    assert_int_equal(key, c->as != 0 ? c->as : c->key);
    keymap_finish(&map);
}

/* ---- lines that are not ----------------------------------------------------------------------- */

static struct wrong_case {
    const char *name, *file, *says;
} wrong_cases[] = {
    { "no such command", "\nnxet z", "keys:2: there is no command `nxet`; did you mean `next`?" },
    { "nothing like it", "zzzzzzzz z",
      "keys:1: there is no command `zzzzzzzz`; `weft keys` lists them" },
    { "no such key", "next F9", "keys:1: `F9` is no key" },
    { "a key terminals cannot send", "next Ctrl-I", "keys:1: `Ctrl-I` is no key" },
    { "no key at all", "next", "keys:1: `next` has no keys there; none takes them away" },
    { "an equals sign between", "\nnext = N",
      "keys:2: `=` is a key here, and never the first of several: write `next N`" },
    { "without blanks", "next=N z", "write `next N z`" },
    { "and nothing behind it", "next=", "write `next KEY`" },
    { "keys and none", "next n none", "keys:1: `next` has keys or none" },
    { "too many", "sure 1 2 3 4", "keys:1: `sure` has at most 3 keys" },
    { "twice", "next z\nnext Z", "keys:2: `next` has keys in line 1 already" },
    { "two want the same", "play z\nnext z", "keys:2: `z` is the key of `play` by line 1" },
    { "time and lesson meet", "play z\nwhy z", "keys:2: `z` is the key of `play` by line 1" },
    { "a digit is a switch", "next 3",
      "keys:1: `3` is a key of `switch`: give that another one first" },
    { "Ctrl-C leaves", "next Ctrl-C", "keys:1: Ctrl-C always leaves weft" },
    { "what is typed cannot end typing", "prompt-done x", "keys:1: `x` is typed there" },
    { "typing itself", "prompt-type Esc", "keys:1: what is typed is typed" },
    { "a command left without a key", "play R\n", "keys:1: this leaves `restart` without a key" },
    { "escape sequences are made harmless", "\033[31mnext z", "keys:1: there is no command `" },
};

static void wrong(void **state)
{
    const struct wrong_case *c = *state;
    struct keymap map = read_keys(c->file);
    if (strstr(text_str(&map.problems), c->says) == NULL) {
        fail_msg("%s", text_str(&map.problems));
    }
    assert_null(strchr(text_str(&map.problems), '\033'));
    assert_int_equal(map.problem_count, 1);
    keymap_finish(&map);
}

static void nonsense_is_survived(void **state)
{
    (void)state;
    struct text file = { 0 };
    for (int i = 0; i < 5000; i++) {
        text_addf(&file, "next %c %c\n%c\n", ' ' + i % 95, 1 + i % 255, 1 + i % 255);
    }
    struct keymap map = read_keys(text_str(&file));
    assert_true(map.problem_count > 20);
    keymap_finish(&map);
    text_finish(&file);
}

/* ---- the table -------------------------------------------------------------------------------- */

/* What weft prints is a file that changes nothing; so no two commands of the table want one key at the same
 * moments. */
static void the_list_is_a_file(void **state)
{
    (void)state;
    struct text list = { 0 };
    struct keymap table, again;
    keymap_init(&table);
    keymap_list(&table, &list);
    again = read_keys(text_str(&list));
    assert_string_equal(text_str(&again.problems), "");
    assert_memory_equal(again.key, table.key, sizeof table.key);
    keymap_finish(&table);
    keymap_finish(&again);
    text_finish(&list);
}

/* ---- what is said ----------------------------------------------------------------------------- */

static struct says_case {
    const char *name, *file;
    enum command command;
    const char *footer, *want;
} says_cases[] = {
    { "the table's words", "", COMMAND_TICK_BACK, NULL, ", Left" },
    { "one's own", "tick-back [ Left", COMMAND_TICK_BACK, NULL, "[ Left" },
    { "none", "tick-back none", COMMAND_TICK_BACK, NULL, "" },
    { "two in one of the footer", "tick-back [\ntick-on ]", COMMAND_TICK_BACK, ", .", "[ ]" },
    { "one of the two", "tick-on ]", COMMAND_TICK_BACK, ", .", ", ]" },
    { "a key that stays is not said otherwise", "tick-back Left ,", COMMAND_TICK_BACK, ", .",
      ", ." },
    { "answers", "answer j k l ;", COMMAND_ANSWER, "a to d", "j to ;" },
    { "arrows", "", COMMAND_CURSOR_LEFT, "arrows", "arrows" },
    { "other arrows", "cursor-left s\ncursor-right f\ncursor-up e\ncursor-down d",
      COMMAND_CURSOR_LEFT, "arrows", "s d e f" },
};

static void says(void **state)
{
    const struct says_case *c = *state;
    struct keymap map = read_keys(c->file);
    struct text said = { 0 };
    if (c->footer != NULL) {
        keymap_say_footer(&map, c->command, c->footer, strlen(c->footer), &said);
    } else {
        keymap_say(&map, c->command, &said);
    }
    assert_string_equal(text_str(&said), c->want);
    keymap_finish(&map);
    text_finish(&said);
}

/* The bottom line and the ? screen of a lesson. */
static void on_the_screen(void **state)
{
    (void)state;
    struct stage s;
    struct keymap map = read_keys("play Ctrl-P\nnext z\n");
    stage_begin(&s, 1);
    s.picture.keys = &map;
    stage_frame(&s);
    assert_true(stage_sees(&s, "Ctrl-P pause"));
    stage_type(&s, "?");
    stage_frame(&s);
    assert_true(stage_sees(&s, "Ctrl-P"));
    assert_false(stage_sees(&s, "space"));
    stage_end(&s);
    keymap_finish(&map);
}

/* A sentence names a command; it is shown with the key that this has. */
static void in_sentences(void **state)
{
    (void)state;
    struct keymap map = read_keys("why z\nskip none\ncursor Ctrl-P k\n");
    struct text out = { 0 };
    assert_true(keymap_fill(&map, "{key:why} asks, {key:skip} skips: {key:cursor}", &out));
    assert_string_equal(text_str(&out), "z asks, (no key) skips: Ctrl-P");
    text_clear(&out);
    assert_true(keymap_fill(NULL, "{key:why}, {key:tick-on}, {x}", &out));
    assert_string_equal(text_str(&out), "y, ., {x}");
    text_clear(&out);
    assert_false(keymap_fill(NULL, "{key:wy} {key:why", &out));
    assert_string_equal(text_str(&out), "{key:wy} {key:why");
    text_finish(&out);
    keymap_finish(&map);
}

int main(void)
{
    static struct CMUnitTest tests[80];
    size_t n = 0;
    ROWS(tests, n, means_cases, means);
    ROWS(tests, n, wrong_cases, wrong);
    ROWS(tests, n, says_cases, says);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(the_list_is_a_file);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(nonsense_is_survived);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(on_the_screen);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(in_sentences);
    return _cmocka_run_group_tests("app/keymap", tests, n, NULL, NULL);
}
