/* Rich text: what Markdown becomes, and where lines break. */
#include "cmocka_rows.h"

#include <string.h>

#include "ui/rich.h"

static struct rich_case {
    const char *name;
    int w;
    const char *markdown;
    const char *want;
} cases[] = {
    { "one line", 20, "Space stops.", "Space stops." },
    { "not between a number and its unit", 10, "now at 17.3 Gb/s.", "now at|17.3 Gb/s." },
    { "unless there is no other place", 5, "16.8 ms", "16.8|ms" },
    { "what is no unit goes on", 10, "of all 17 gigantic", "of all 17|gigantic" },
    { "wraps at blanks", 10, "one two three four", "one two|three four" },
    { "exactly fits", 7, "one two three", "one two|three" },
    { "a long word is broken", 5, "abcdefghijk", "abcde|fghij|k" },
    { "a long word after a short one", 5, "ab cdefghijk", "ab|cdefg|hijk" },
    { "paragraphs", 20, "one\n\ntwo", "one||two" },
    { "source lines join", 20, "one\ntwo", "one two" },
    { "a hard break", 20, "one  \ntwo", "one|two" },
    { "blanks collapse", 20, "a    b", "a b" },
    { "a list", 12, "- one two three\n- four", "\xE2\x80\xA2 one two|  three|\xE2\x80\xA2 four" },
    { "a list after a paragraph", 20, "say:\n\n- one\n- two",
      "say:||\xE2\x80\xA2 one|\xE2\x80\xA2 two" },
    { "a numbered list", 10, "7. seven seas\n8. eight", "7. seven|   seas|8. eight" },
    { "a list in a list", 20, "- a\n  - b", "\xE2\x80\xA2 a|  \xE2\x80\xA2 b" },
    { "a heading", 20, "# Big\n\ntext", "Big||text" },
    { "html is text", 30, "a <b>c</b> &amp;", "a <b>c</b> &amp;" },
    { "wide clusters", 5, "漢字漢字", "漢字|漢字" },
    { "no width at all", 0, "ab", "a|b" },
    { "empty", 10, "", "" },
    { "only blanks", 10, "   \n\n  ", "" },
    { "marks of the glossary take no cells", 8, "a " RICH_TERM_ON "word" RICH_TERM_OFF ", so",
      "a word,|so" },
    { "nor do lost ones", 8, "a" RICH_TERM_OFF "b " RICH_TERM_ON "c\n\nd", "ab c||d" },
    { "a link shows its text", 30, "see [here](http://x)", "see here" },
};

/* The lines, joined with bars. */
static void assert_lines(struct rich *t, int w, const char *want)
{
    struct text got = { 0 };
    text_add(&got, "");
    const size_t n = rich_wrap(t, w);
    for (size_t i = 0; i < n; i++) {
        const struct rich_line *l = &t->line[i];
        text_add(&got, i > 0 ? "|" : "");
        text_addf(&got, "%*s%.*s", l->indent, "", (int)(l->end - l->start),
                  text_str(&t->text) + l->start);
    }
    assert_string_equal(text_str(&got), want);
    text_finish(&got);
}

static void wraps(void **state)
{
    const struct rich_case *k = *state;
    struct rich t = { 0 };
    rich_markdown(&t, k->markdown, UI_ROLE_DEFAULT);
    assert_lines(&t, k->w, k->want);
    rich_finish(&t);
}

static void hangs_and_gaps(void **state)
{
    (void)state;
    struct rich t = { 0 };
    rich_gap(&t); /* nothing before the first */
    rich_text(&t, " a", 4, UI_ROLE_KEY);
    rich_more(&t, "  only g1 and g3", UI_ROLE_DEFAULT);
    rich_gap(&t);
    rich_gap(&t); /* once is enough */
    rich_text(&t, "end", 0, UI_ROLE_DEFAULT);
    rich_gap(&t); /* nothing after the last */
    assert_lines(&t, 11, " a  only g1|    and g3||end");
    rich_finish(&t);
}

static void emphasis_and_code_get_roles(void **state)
{
    (void)state;
    struct rich t = { 0 };
    struct canvas c;
    canvas_init(&c);
    canvas_resize(&c, 20, 2);
    rich_markdown(&t, "a **b** `c` *d*", UI_ROLE_DIM);
    rich_wrap(&t, 20);
    rich_draw(&t, &c, (struct ui_rect){ 0, 0, 20, 2 }, 0);
    assert_int_equal(canvas_at(&c, 0, 0)->role, UI_ROLE_DIM);
    assert_int_equal(canvas_at(&c, 2, 0)->role, UI_ROLE_EMPH);
    assert_int_equal(canvas_at(&c, 4, 0)->role, UI_ROLE_CODE);
    assert_int_equal(canvas_at(&c, 6, 0)->role, UI_ROLE_EMPH);
    rich_finish(&t);
    canvas_finish(&c);
}

static void draws_from_any_line(void **state)
{
    (void)state;
    struct rich t = { 0 };
    struct canvas c;
    canvas_init(&c);
    canvas_resize(&c, 5, 2);
    rich_markdown(&t, "one\n\ntwo\n\nsix", UI_ROLE_DEFAULT);
    rich_wrap(&t, 5);
    rich_draw(&t, &c, (struct ui_rect){ 0, 0, 5, 1 }, 2); /* one row only */
    rich_draw(&t, &c, (struct ui_rect){ 0, 1, 5, 1 }, 99);
    struct text got = { 0 };
    canvas_dump(&c, &got);
    assert_string_equal(text_str(&got), "two\n\n");
    text_finish(&got);
    rich_finish(&t);
    canvas_finish(&c);
}

int main(void)
{
    struct CMUnitTest tests[COUNT_OF(cases) + 3] = {
        cmocka_unit_test(hangs_and_gaps),
        cmocka_unit_test(emphasis_and_code_get_roles),
        cmocka_unit_test(draws_from_any_line),
    };
    size_t n = 3;
    ROWS(tests, n, cases, wraps);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
