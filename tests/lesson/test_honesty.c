/* The honesty page's prose: whole, and about things that exist. */
#include "cmocka_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "lesson/honesty.h"
#include "lesson/words.h"

static void every_switch_has_a_source(void **state)
{
    (void)state;
    struct err err = { 0 };
    struct lesson_honesty honesty;
    assert_true(lesson_honesty_read(WEFT_SOURCE, &honesty, &err));
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const char *source = lesson_honesty_source(&honesty, (enum sim_knob)k);
        if (source == NULL || source[0] == '\0') {
            fail_msg("assets/honesty.txt does not say where %s comes from",
                     sim_knob_info((enum sim_knob)k)->name);
        }
    }
    size_t kinds[LESSON_HONEST_KINDS] = { 0 };
    for (size_t i = 0; i < honesty.count; i++) {
        kinds[honesty.row[i].kind]++;
        assert_true(honesty.row[i].name[0] != '\0' && honesty.row[i].text[0] != '\0');
    }
    assert_int_equal(kinds[LESSON_HONEST_CONSTANT], SIM_KNOB_COUNT); /* each once */
    assert_true(kinds[LESSON_HONEST_PICTURE] >= 3 && kinds[LESSON_HONEST_MODELLED] >= 10 &&
                kinds[LESSON_HONEST_MISSING] >= 8);
    lesson_honesty_finish(&honesty);
}

/* Rows of the validation table, and keys of the bibliography. */
static void what_it_names_exists(void **state)
{
    (void)state;
    struct err err = { 0 };
    struct lesson_honesty honesty;
    struct lesson_words books = { 0 };
    assert_true(lesson_honesty_read(WEFT_SOURCE, &honesty, &err));
    assert_true(lesson_words_read(&books, WEFT_SOURCE, LESSON_BIBLIOGRAPHY, &err));
    for (size_t i = 0; i < honesty.count; i++) {
        const struct lesson_honesty_row *row = &honesty.row[i];
        for (const char *c = row->checks; *c != '\0'; c += strspn(c, " ")) {
            char path[300];
            const size_t n = strcspn(c, " ");
            snprintf(path, sizeof path, WEFT_SOURCE "/assets/validation/%.*s.lua", (int)n, c);
            if (!file_exists(path)) {
                fail_msg("%s: there is no row %.*s", row->name, (int)n, c);
            }
            c += n;
        }
        for (const char *c = strchr(row->text, '['); c != NULL; c = strchr(c + 1, '[')) {
            char key[64];
            snprintf(key, sizeof key, "%.*s", (int)strcspn(c + 1, "]"), c + 1);
            if (lesson_words_find(&books, key) == NULL) {
                fail_msg("%s: the bibliography has no %s", row->name, key);
            }
        }
    }
    lesson_words_finish(&books);
    lesson_honesty_finish(&honesty);
}

static struct bad {
    const char *name, *line, *says;
} bad[] = {
    { "no bars", "constant xoff", "five fields" },
    { "no such kind", "constnat | xoff | - | - | x", "constnat" },
    { "no such switch", "constant | xof | - | - | x", "did you mean \"xoff\"?" },
    { "no such place", "missing | bits | ecm | - | x", "did you mean" },
};

static void bad_lines_are_told(void **state)
{
    const struct bad *b = *state;
    char folder[] = "/tmp/weft-honesty-XXXXXX", path[96], text[200];
    struct err err = { 0 };
    struct lesson_honesty honesty;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/assets", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/assets/honesty.txt", folder);
    snprintf(text, sizeof text, "# a comment\n%s\n", b->line);
    assert_true(file_write(path, text, strlen(text), false, &err));
    assert_false(lesson_honesty_read(folder, &honesty, &err));
    assert_non_null(strstr(err.msg, b->says));
    assert_non_null(strstr(err.where, "honesty.txt:2"));
    lesson_honesty_finish(&honesty);
    unlink(path);
    snprintf(path, sizeof path, "%s/assets", folder);
    rmdir(path);
    rmdir(folder);
}

int main(void)
{
    struct CMUnitTest tests[16] = {
        cmocka_unit_test(every_switch_has_a_source),
        cmocka_unit_test(what_it_names_exists),
    };
    size_t n = 2;
    ROWS(tests, n, bad, bad_lines_are_told);
    return _cmocka_run_group_tests("lesson/honesty", tests, n, NULL, NULL);
}
