/*
 * Lessons as tests: every lesson of the course and of good/ passes `weft check`; what good/lint.lua
 * does wrong is found, all of it; the assets hold what the program refers to.
 */
#include "cmocka_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "lesson/check.h"
#include "lesson/data.h"
#include "lesson/lint.h"
#include "sim/knobs.h"

static const struct lesson_places course = { .data_dir = WEFT_SOURCE };

struct good {
    const char *name;
    int claims; /* at least */
};

static struct good goods[] = {
    { "lessons/one-lost-packet.lua", 15 }, { "tests/lesson/good/measure.lua", 25 },
    { "tests/lesson/good/faults.lua", 3 }, { "tests/lesson/good/boxes.lua", 8 },
    { "tests/lesson/good/tasks.lua", 7 },  { "tests/lesson/good/shapes.lua", 9 },
    { "tests/lesson/good/ways.lua", 2 },   { "tests/lesson/own/own-words.lua", 1 },
};

static void a_lesson_holds(void **state)
{
    const struct good *good = *state;
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", WEFT_SOURCE, good->name);
    struct lesson_check result = { 0 };
    struct text out = { 0 };
    struct err err = { 0 };
    const bool ok = lesson_check(path, &course, NULL, &result, &err);
    lesson_check_say(&result, &out);
    if (!ok || result.claims < good->claims || result.held != result.claims) {
        fail_msg("%d claims, %d held:\n%s", result.claims, result.held, text_str(&out));
    }
    text_finish(&out);
    lesson_check_finish(&result);
}

/* Whether a line of `out` is about `path`:`line` and holds `want`. */
static bool is_said(const char *out, const char *path, int line, const char *want)
{
    char place[512];
    (void)snprintf(place, sizeof place, "%s:%d: ", path, line);
    for (const char *at = strstr(out, place); at != NULL; at = strstr(at + 1, place)) {
        const char *found = strstr(at, want);
        if (found != NULL && found < at + strcspn(at, "\n")) {
            return true;
        }
    }
    return false;
}

static void lint_finds_everything(void **state)
{
    (void)state;
    const char *path = WEFT_SOURCE "/tests/lesson/good/lint.lua";
    struct lesson_check result = { 0 };
    struct text out = { 0 };
    struct err err = { 0 };
    char *source = NULL;
    size_t size = 0;
    int expected = 0;
    assert_true(file_read(path, 1 << 20, &source, &size, NULL));
    assert_false(lesson_check(path, &course, NULL, &result, &err));
    lesson_check_say(&result, &out);
    int line = 1;
    for (const char *p = source; *p != '\0'; p++) {
        line += *p == '\n';
        if (strncmp(p, " --> ", 5) == 0) {
            char want[256];
            (void)snprintf(want, sizeof want, "%.*s", (int)strcspn(p + 5, "\n"), p + 5);
            char *next = strstr(want, " --> ");
            if (next != NULL) {
                *next = '\0';
            }
            if (!is_said(text_str(&out), path, line, want)) {
                fail_msg("line %d: expected \"%s\", said:\n%s", line, want, text_str(&out));
            }
            expected++;
        }
    }
    if (result.failed + result.complaints != expected) {
        fail_msg("expected %d, found %d:\n%s", expected, result.failed + result.complaints,
                 text_str(&out));
    }
    /* All rules but these two are broken there: see bad/ and a_card_has_room(). */
    for (int rule = 0; rule < LESSON_RULE_COUNT; rule++) {
        bool broken = rule == LESSON_RULE_LOAD || rule == LESSON_RULE_FITS;
        for (size_t i = 0; i < result.count; i++) {
            broken = broken || ((int)result.findings[i].rule == rule &&
                                result.findings[i].verdict != LESSON_HOLDS);
        }
        if (!broken) {
            fail_msg("nothing in %s breaks the rule \"%s\"", path,
                     lesson_rule_name((enum lesson_rule)rule));
        }
    }
    text_finish(&out);
    lesson_check_finish(&result);
    free(source);
}

/* ---- room ------------------------------------------------------------------------------------ */

/* Stands for a screen that has no room for anything. */
static void no_room(struct player *player, struct text *out)
{
    struct text prose = { 0 };
    assert_true(player_prose(player, &prose, NULL, NULL));
    text_addf(out, "no room for %.*s\n", (int)strcspn(text_str(&prose), "\n"), text_str(&prose));
    text_finish(&prose);
}

static void a_card_has_room(void **state)
{
    (void)state;
    static const char *const looked_at[] = {
        "this card with its question: no room for **First,** from last time.",
        "the reply to answer a: no room for The next gives it away. Nothing follows it.",
        "the reply to answer b: no room for Yes. Nothing follows it.",
        "this task with its hints: no room for **Make it whole.**",
        ("what is said, with the hints, when the goal is not reached: no room for **Make it "
         "whole.**"),
        "what is said, with the hints, when the goal is reached: no room for All ",
        "this task with its hints: no room for **With an end of its own,** and a fault before.",
        "this card with its question: no room for **A number.**",
        "the reply to a small number: no room for It cannot be that short: 16.8 ms. A power",
        "the reply to a large number: no room for Not that long: 16.8 ms. A power",
        "the reply to the right number: no room for A power",
        "this card: no room for **What if nobody lost any?**",
    };
    struct lesson_check result = { 0 };
    struct err err = { 0 };
    size_t n = 0;
    assert_false(
        lesson_check(WEFT_SOURCE "/tests/lesson/good/tasks.lua", &course, no_room, &result, &err));
    for (size_t i = 0; i < result.count; i++) {
        const struct lesson_finding *f = &result.findings[i];
        if (f->rule == LESSON_RULE_FITS) {
            assert_int_equal(f->verdict, LESSON_COMPLAINED);
            assert_true(f->line > 0);
            assert_true(n < COUNT_OF(looked_at));
            if (strncmp(f->text, looked_at[n], strlen(looked_at[n])) != 0) {
                fail_msg("looked at \"%s\", not \"%s\"", f->text, looked_at[n]);
            }
            n++;
        }
    }
    assert_int_equal(n, COUNT_OF(looked_at));
    assert_int_equal(result.failed, 0);
    assert_int_equal(result.complaints, n);
    assert_string_equal(result.id, "tasks");
    lesson_check_finish(&result);
}

static void what_does_not_load_is_found(void **state)
{
    (void)state;
    const char *path = WEFT_SOURCE "/tests/lesson/bad/unknown-names.lua";
    struct lesson_check result = { 0 };
    struct text said = { 0 }, errors = { 0 };
    struct err err = { 0 };
    assert_false(lesson_check(path, &course, NULL, &result, &err));
    assert_null(result.id);
    assert_true(result.count > 1);
    assert_int_equal(result.failed, result.count);
    for (size_t i = 0; i < result.count; i++) {
        assert_int_equal(result.findings[i].rule, LESSON_RULE_LOAD);
        assert_string_equal(result.findings[i].file, path);
        assert_true(result.findings[i].line > 0);
    }
    lesson_check_say(&result, &said);
    assert_null(lesson_load(path, WEFT_SOURCE, &errors, NULL));
    assert_string_equal(text_str(&said), text_str(&errors));
    text_finish(&said);
    text_finish(&errors);
    lesson_check_finish(&result);
}

static void every_switch_has_its_term(void **state)
{
    (void)state;
    struct lesson_words glossary = { 0 };
    assert_true(lesson_words_read(&glossary, WEFT_SOURCE, LESSON_GLOSSARY, NULL));
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const char *term = sim_knob_info((enum sim_knob)k)->term;
        if (lesson_words_find(&glossary, term) == NULL) {
            fail_msg("assets/glossary.txt does not explain \"%s\"", term);
        }
    }
    lesson_words_finish(&glossary);
}

/* Lines "name: text", each name once, in order. */
static void check_asset(const char *path)
{
    char *data = NULL, last[128] = "";
    size_t size = 0;
    assert_true(file_read(path, 1 << 20, &data, &size, NULL));
    for (char *at = data, *end; *at != '\0'; at = end + 1) {
        end = strchr(at, '\n');
        assert_non_null(end);
        *end = '\0';
        if (*at != '#') {
            const char *colon = strchr(at, ':');
            if (colon == NULL || colon[1] != ' ' || colon - at >= (long)sizeof last) {
                fail_msg("%s: \"%s\" is not \"name: text\"", path, at);
            }
            char name[128];
            (void)snprintf(name, sizeof name, "%.*s", (int)(colon - at), at);
            for (char *p = name; *p != '\0'; p++) {
                *p = (char)(*p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p);
            }
            if (strcmp(last, name) >= 0) {
                fail_msg("%s: \"%s\" does not come after \"%s\"", path, name, last);
            }
            memcpy(last, name, sizeof name);
        }
    }
    free(data);
}

static void assets_are_in_order(void **state)
{
    (void)state;
    check_asset(WEFT_SOURCE "/assets/glossary.txt");
    check_asset(WEFT_SOURCE "/assets/bibliography");
}

static void the_course_is_listed(void **state)
{
    (void)state;
    const struct lesson_places nowhere = { .data_dir = "/no/such/folder" };
    struct lesson_list list = { 0 };
    struct text errors = { 0 };
    struct err err = { 0 };
    assert_true(lesson_list(&course, &list, &errors, &err));
    assert_string_equal(text_str(&errors), "");
    assert_true(list.count >= 1);
    for (size_t i = 0; i < list.count; i++) {
        assert_int_equal(list.items[i].number, i + 1);
        char *path = lesson_find(&course, list.items[i].id, &err);
        assert_string_equal(path, list.items[i].file);
        free(path);
    }
    lesson_list_finish(&list);
    assert_false(lesson_list(&nowhere, &list, NULL, &err));
    lesson_list_finish(&list);
}

static void lessons_are_found(void **state)
{
    (void)state;
    struct err err = { 0 };
    char *path = lesson_find(&course, "1", &err);
    assert_non_null(path);
    free(path);
    path = lesson_find(&course, WEFT_SOURCE "/lessons/one-lost-packet.lua", &err);
    assert_non_null(path);
    free(path);
    assert_null(lesson_find(&course, "one-lost-paket", &err));
    assert_non_null(strstr(err.msg, "did you mean one-lost-packet?"));
    assert_int_equal(err.code, ERR_NAME);
    assert_null(lesson_find(&course, "999", &err));
    assert_null(lesson_find(&course, "index", &err));
    assert_null(lesson_find(&course, "../etc/passwd", &err));
    assert_null(lesson_find(&course, "no/such.lua", &err));
    assert_null(lesson_find(&course, "", &err));
}

static struct words {
    const char *name;
    const char *text;
    int words;
} words[] = {
    { "words: none", "", 0 },
    { "words: Markdown does not count", "**Two** *words* - | \n", 2 },
    { "words: a dash is none", "one \xe2\x80\x94 two", 2 },
    { "words: numbers count", "16.8 ms", 2 },
};

static void words_are_counted(void **state)
{
    const struct words *w = *state;
    assert_int_equal(lesson_lint_words(w->text), w->words);
}

static struct typed {
    const char *name;
    const char *text;
    const char *found; /* NULL: nothing */
} typed[] = {
    { "typed: a time", "it took 16.8 ms.", "16.8 ms" },
    { "typed: no blank", "it took 16.8ms", "16.8ms" },
    { "typed: a rate", "at 100 Gb/s", "100 Gb/s" },
    { "typed: a share", "50 % of it", "50 %" },
    { "typed: a count is fine", "8 GPUs and 7 others", NULL },
    { "typed: measured is fine", "it took {steps[1].duration + \"5us\"}", NULL },
    { "typed: a year is fine", "in 2014 some", NULL },
};

static void typed_numbers_are_found(void **state)
{
    const struct typed *t = *state;
    size_t len = 0;
    const char *found = lesson_lint_typed_number(t->text, &len);
    if (t->found == NULL) {
        assert_null(found);
    } else {
        assert_non_null(found);
        assert_int_equal(len, strlen(t->found));
        assert_memory_equal(found, t->found, len);
    }
}

int main(void)
{
    struct CMUnitTest tests[64];
    size_t n = 0;
    ROWS(tests, n, goods, a_lesson_holds);
    ROWS(tests, n, words, words_are_counted);
    ROWS(tests, n, typed, typed_numbers_are_found);
    const struct CMUnitTest others[] = {
        cmocka_unit_test(lint_finds_everything),       cmocka_unit_test(every_switch_has_its_term),
        cmocka_unit_test(assets_are_in_order),         cmocka_unit_test(the_course_is_listed),
        cmocka_unit_test(lessons_are_found),           cmocka_unit_test(a_card_has_room),
        cmocka_unit_test(what_does_not_load_is_found),
    };
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        tests[n++] = others[i];
    }
    return _cmocka_run_group_tests("lesson/course", tests, n, NULL, NULL);
}
