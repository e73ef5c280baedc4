/* The glossary: which words a text uses, where; words from the three places they may stand in. */
#include "cmocka_rows.h"

#include <string.h>

#include "base/text.h"
#include "lesson/glossary.h"

#define OWN WEFT_SOURCE "/tests/lesson/own/own-words.lua"

static struct lesson_glossary *open_glossary(void)
{
    struct err err = { 0 };
    struct lesson *lesson = lesson_load(OWN, WEFT_SOURCE, NULL, &err);
    if (lesson == NULL) {
        fail_msg("%s", err.msg);
    }
    struct lesson_glossary *glossary = lesson_glossary_create(lesson, WEFT_SOURCE);
    lesson_destroy(lesson); /* it has its own copies */
    return glossary;
}

static struct uses_case {
    const char *name, *text, *want; /* "word=as it stands there, ..." */
} uses_cases[] = {
    { "none", "Nothing of that kind.", "" },
    { "nothing at all", "", "" },
    { "one", "At the barrier all wait.", "barrier=barrier" },
    { "with emphasis", "the *barrier*, then", "barrier=barrier" },
    { "at the begin of a sentence", "Barriers wait.", "barrier=Barriers" },
    { "several of it", "gradients and losses", "gradient=gradients" },
    { "only where it is first", "ECN, then ECN", "ECN=ECN" },
    { "letters as they are", "an ecn mark, an ack", "" },
    { "not inside another word", "barriered subbarrier barrier2", "" },
    { "the longer one is meant", "the ACK timeout, an ACK", "ACK timeout=ACK timeout, ACK=ACK" },
    { "over a line's end", "ACK\n  timeout", "ACK timeout=ACK\n  timeout" },
    { "hyphens", "an all-reduce", "all-reduce=all-reduce" },
    { "of the index, and the lesson's own", "a retry storm of a straggler",
      "retry storm=retry storm, straggler=straggler" },
    { "letters beyond ASCII",
      "barri\xc3\xa8re \xc3\xa9"
      "barrier",
      "" },
};

static void uses(void **state)
{
    const struct uses_case *c = *state;
    struct lesson_glossary *glossary = open_glossary();
    struct lesson_use use[8];
    struct text got = { 0 };
    const size_t n = lesson_glossary_uses(glossary, c->text, use, 8);
    for (size_t i = 0; i < n; i++) {
        text_addf(&got, "%s%s=%.*s", i > 0 ? ", " : "", use[i].word->name,
                  (int)(use[i].to - use[i].from), c->text + use[i].from);
    }
    assert_string_equal(text_str(&got), c->want);
    text_finish(&got);
    lesson_glossary_destroy(glossary);
}

static struct find_case {
    const char *name, *typed, *want; /* NULL: there is none */
} find_cases[] = {
    { "as it is written", "ACK timeout", "ACK timeout" },
    { "in any letters", "ack TIMEOUT", "ACK timeout" },
    { "with a hyphen for a blank", "ack-timeout", "ACK timeout" },
    { "with a blank for a hyphen", "all reduce", "all-reduce" },
    { "the lesson's own", "straggler", "straggler" },
    { "not a part of one", "time", NULL },
    { "nothing", "", NULL },
};

static void finds(void **state)
{
    const struct find_case *c = *state;
    struct lesson_glossary *glossary = open_glossary();
    const struct lesson_word *word = lesson_glossary_find(glossary, c->typed);
    if (c->want == NULL) {
        assert_null(word);
    } else {
        assert_non_null(word);
        assert_string_equal(word->name, c->want);
        assert_true(strlen(word->text) > 10);
    }
    lesson_glossary_destroy(glossary);
}

/* No more than asked for, and every word of the glossary is found in its own sentence of a text. */
static void all_of_them(void **state)
{
    (void)state;
    struct lesson_glossary *glossary = open_glossary();
    struct lesson_use use[2];
    assert_int_equal(lesson_glossary_uses(glossary, "ECN, ACK, PFC, CNP", use, 2), 2);
    assert_true(lesson_glossary_count(glossary) > 100);
    for (size_t i = 0; i < lesson_glossary_count(glossary); i++) {
        const struct lesson_word *word = lesson_glossary_word(glossary, i);
        assert_int_equal(lesson_glossary_uses(glossary, word->name, use, 2), 1);
        assert_ptr_equal(use[0].word, word);
        assert_ptr_equal(lesson_glossary_find(glossary, word->name), word);
    }
    lesson_glossary_destroy(glossary);
    lesson_glossary_destroy(NULL);
}

int main(void)
{
    static struct CMUnitTest tests[40];
    size_t n = 0;
    ROWS(tests, n, uses_cases, uses);
    ROWS(tests, n, find_cases, finds);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(all_of_them);
    return _cmocka_run_group_tests("lesson/glossary", tests, n, NULL, NULL);
}
