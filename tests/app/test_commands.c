/* The commands table: nothing hidden, nothing twice, nothing out of reach. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/commands.h"
#include "base/file.h"

static void each_row_is_whole(void **state)
{
    (void)state;
    for (int c = 1; c < COMMAND_COUNT; c++) {
        const struct command_info *info = command_info((enum command)c);
        assert_true(info->keys[0] != 0);
        assert_true(strlen(info->shown) > 0);
        assert_true(strlen(info->help) > 5);
        assert_true(info->footer == NULL || strchr(info->footer, '|') != NULL);
    }
}

static void no_key_twice_in_a_context(void **state)
{
    (void)state;
    for (int a = 1; a < COMMAND_COUNT; a++) {
        for (int b = a + 1; b < COMMAND_COUNT; b++) {
            const struct command_info *x = command_info((enum command)a);
            const struct command_info *y = command_info((enum command)b);
            for (int i = 0; i < 16 && x->context == y->context; i++) {
                uint32_t k = x->keys[i / 4];
                assert_false(k != 0 && k == y->keys[i % 4]);
            }
        }
    }
}

/* Linux console, screen, vt100: every command has a key that all of them can send. */
static void each_has_a_plain_key(void **state)
{
    (void)state;
    for (int c = 1; c < COMMAND_COUNT; c++) {
        const struct command_info *info = command_info((enum command)c);
        bool plain = false;
        for (int i = 0; i < 4; i++) {
            uint32_t k = info->keys[i];
            plain = plain || (k >= ' ' && k < 127) || k == TERM_KEY_ENTER || k == TERM_KEY_TAB ||
                    k == TERM_KEY_ESC || k >= TERM_KEY_CTRL('a');
        }
        bool convenience = c == COMMAND_BEGIN || c == COMMAND_END || c == COMMAND_SCROLL_UP ||
                           c == COMMAND_SCROLL_DOWN;
        assert_true(plain || convenience);
    }
}

static enum command meaning(uint32_t key)
{
    return command_of_key(key, 1u << CONTEXT_ALL | 1u << CONTEXT_LESSON | 1u << CONTEXT_TIME |
                                   1u << CONTEXT_QUESTION | 1u << CONTEXT_CURSOR);
}

/* The README's keys are keys, and those of the bottom line are in it. */
static void the_readme_tells_the_keys(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    assert_true(file_read(SOURCE_ROOT "/README.md", 1 << 20, &text, &size, NULL));
    const char *keys = strstr(text, "## Keys"), *end = strstr(keys + 1, "\n## ");
    assert_non_null(end);
    bool told[128] = { false };
    for (const char *c = keys; c + 2 < end; c++) {
        if (c[0] == '`' && c[2] == '`') {
            assert_true(meaning((unsigned char)c[1]) != COMMAND_NONE);
            told[c[1] & 127] = true;
        }
    }
    for (int c = 1; c < COMMAND_COUNT; c++) {
        const struct command_info *info = command_info((enum command)c);
        const uint32_t key = info->keys[0];
        if ((info->context == CONTEXT_LESSON || info->context == CONTEXT_TIME) &&
            info->footer != NULL && key > ' ' && key < 127 && !told[key]) {
            fail_msg("README.md does not tell what %c does", (int)key);
        }
    }
    free(text);
}

struct key_case {
    const char *name;
    uint32_t key;
    unsigned active;
    enum command want;
};

#define ON(context) (1u << CONTEXT_##context)
#define LESSON_ON   (ON(ALL) | ON(LESSON) | ON(TIME))
#define WHATIF_ON   (ON(ALL) | ON(WHATIF) | ON(TIME))

static const struct key_case cases[] = {
    { "space plays", ' ', LESSON_ON, COMMAND_PLAY },
    { "c is the cursor", 'c', LESSON_ON, COMMAND_CURSOR },
    { "c answers while a question is open", 'c', LESSON_ON | ON(QUESTION), COMMAND_ANSWER },
    { "c answers over the cursor too", 'c', LESSON_ON | ON(QUESTION) | ON(CURSOR), COMMAND_ANSWER },
    { "digits are switches, also then", '2', LESSON_ON | ON(QUESTION), COMMAND_SWITCH },
    { "plus is a gear", '+', LESSON_ON, COMMAND_GEAR_UP },
    { "plus is an answer to how sure", '+', LESSON_ON | ON(SURE), COMMAND_SURE },
    { "h does nothing without the cursor", 'h', LESSON_ON, COMMAND_NONE },
    { "h walks with it", 'h', LESSON_ON | ON(CURSOR), COMMAND_CURSOR_LEFT },
    { "Esc never leaves", TERM_KEY_ESC, LESSON_ON, COMMAND_NOTHING_OPEN },
    { "q in a box closes the box", 'q', ON(ALL) | ON(BOX), COMMAND_BOX_CLOSE },
    { "Ctrl-C leaves from anywhere", TERM_KEY_CTRL('c'), ON(ALL) | ON(BOX), COMMAND_QUIT },
    { "what is searched for is typed", 'k', ON(ALL) | ON(HOME) | ON(PROMPT), COMMAND_PROMPT_TYPE },
    { "and the arrows choose meanwhile", TERM_KEY_DOWN, ON(ALL) | ON(HOME) | ON(PROMPT),
      COMMAND_HOME_DOWN },
    { "Esc ends the search", TERM_KEY_ESC, ON(ALL) | ON(HOME) | ON(PROMPT), COMMAND_PROMPT_CLOSE },
    { "Enter opens", TERM_KEY_ENTER, ON(ALL) | ON(HOME), COMMAND_OPEN },
    { "w asks what if", 'w', LESSON_ON, COMMAND_WHATIF },
    { "space plays there too", ' ', WHATIF_ON, COMMAND_PLAY },
    { "Enter keeps a side, it is not the next card", TERM_KEY_ENTER, WHATIF_ON, COMMAND_KEEP },
    { "Esc goes back from there", TERM_KEY_ESC, WHATIF_ON, COMMAND_DROP_WHATIF },
    { "no switch is moved there", '1', WHATIF_ON, COMMAND_NONE },
    { "what is typed is text", '?', LESSON_ON | ON(PROMPT), COMMAND_PROMPT_TYPE },
    { "Ctrl-C leaves from there as well", TERM_KEY_CTRL('c'), LESSON_ON | ON(PROMPT),
      COMMAND_QUIT },
    { "Ctrl-S is nothing", TERM_KEY_CTRL('s'), LESSON_ON, COMMAND_NONE },
};

static void key_means(void **state)
{
    const struct key_case *c = *state;
    assert_int_equal(command_of_key(c->key, c->active), c->want);
}

int main(void)
{
    enum { COUNT = sizeof cases / sizeof cases[0] };
    struct CMUnitTest tests[COUNT + 4] = {
        cmocka_unit_test(each_row_is_whole),
        cmocka_unit_test(no_key_twice_in_a_context),
        cmocka_unit_test(each_has_a_plain_key),
        cmocka_unit_test(the_readme_tells_the_keys),
    };
    for (size_t i = 0; i < COUNT; i++) {
        tests[i + 4] = (struct CMUnitTest){ cases[i].name, key_means, NULL, NULL,
                                            (void *)(uintptr_t)&cases[i] };
    }
    return _cmocka_run_group_tests("app/commands", tests, COUNT + 4, NULL, NULL);
}
