/* A card's Markdown, one sentence at a time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "cmocka_rows.h"
#include "ui/sentence.h"

static struct sentence_case {
    const char *name, *markdown, *want; /* the sentences, with | between them */
} sentence_cases[] = {
    { "none", "", "" },
    { "blanks", " \n\n ", "" },
    { "one without an end", "A barrier", "A barrier" },
    { "two", "One. Two.", "One.|Two." },
    { "questions, cries, what closes", "Why? (So it is.) \"Really!\" Yes",
      "Why?|(So it is.)|\"Really!\"|Yes" },
    { "numbers and units have points inside", "It took 16.8 ms. That is 3.5x.",
      "It took 16.8 ms.|That is 3.5x." },
    { "what is not measured yet", "It took ... and on. Wait.", "It took ...|and on.|Wait." },
    { "lines of one sentence", "One\ntwo\nthree. Four.", "One\ntwo\nthree.|Four." },
    { "paragraphs", "One\n\nTwo", "One|Two" },
    { "a title belongs to what follows", "**Step two.** It waits. Then not.",
      "**Step two.** It waits.|Then not." },
    { "a title as a paragraph, too", "**Step two**\n\nIt waits. Then not.",
      "**Step two**\n\nIt waits.|Then not." },
    { "bold words within are none", "**All** of them. **Wait.**", "**All** of them.|**Wait.**" },
    { "a title alone", "**Step two.**", "**Step two.**" },
};

static void sentence_case(void **state)
{
    const struct sentence_case *c = *state;
    struct text got = { 0 };
    const size_t count = ui_sentences(c->markdown);
    size_t len;
    for (size_t i = 0; i < count; i++) {
        const char *from = ui_sentence(c->markdown, i, &len);
        text_add(&got, i > 0 ? "|" : "");
        text_add_n(&got, from, len);
    }
    assert_string_equal(text_str(&got), c->want);
    if (count > 0) { /* beyond the end: the last one */
        size_t beyond;
        const char *last = ui_sentence(c->markdown, count - 1, &len);
        assert_ptr_equal(ui_sentence(c->markdown, SIZE_MAX, &beyond), last);
        assert_int_equal(beyond, len);
    }
    text_finish(&got);
}

static void nothing_at_all(void **state)
{
    (void)state;
    size_t len = 7;
    assert_int_equal(ui_sentences(NULL), 0);
    assert_null(ui_sentence(NULL, 0, &len));
    assert_int_equal(len, 0);
}

int main(void)
{
    static struct CMUnitTest tests[32];
    size_t n = 0;
    ROWS(tests, n, sentence_cases, sentence_case);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(nothing_at_all);
    return _cmocka_run_group_tests("ui/sentence", tests, n, NULL, NULL);
}
