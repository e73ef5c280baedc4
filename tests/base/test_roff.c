/* Words as roff: nothing in them is a request, lists and paragraphs come out as macros. */
#include "cmocka_rows.h"

#include <string.h>

#include "base/roff.h"

static void words_are_words(void **state)
{
    (void)state;
    struct text t = { 0 };
    roff_words(&t, ".SH is \\fBnot\\fP a --request, it's `text`\n'br neither ^~");
    assert_string_equal(text_str(&t),
                        "\\&.SH is \\efBnot\\efP a \\-\\-request, it\\(aqs \\(gatext\\(ga\n"
                        "\\&\\(aqbr neither \\(ha\\(ti");
    text_finish(&t);
}

static void headings(void **state)
{
    (void)state;
    struct text t = { 0 };
    roff_begin(&t, "weft", 1, "weft 9", "User commands");
    roff_section(&t, "See also");
    roff_subsection(&t, "a \"name\"");
    roff_paragraph(&t, "First.");
    roff_paragraph(&t, "Second.");
    assert_string_equal(text_str(&t), ".TH WEFT 1 \"\" \"weft 9\" \"User commands\"\n"
                                      ".SH \"SEE ALSO\"\n"
                                      ".SS \"a \\(dqname\\(dq\"\n"
                                      "First.\n.PP\nSecond.\n");
    text_finish(&t);
}

static void entries(void **state)
{
    (void)state;
    struct text t = { 0 };
    roff_entry(&t, "--set", "K=V", "move a switch");
    roff_entry(&t, ".", "", ".what");
    assert_string_equal(text_str(&t), ".TP\n\\fB\\-\\-set\\fR \\fIK=V\\fR\nmove a switch\n"
                                      ".TP\n\\fB.\\fR\n\\&.what\n");
    text_finish(&t);
}

static void lines_of_help(void **state)
{
    (void)state;
    struct text t = { 0 };
    roff_lines(&t, "\nOne\ntwo:\n  as it\n    stands\nthree\n\nfour\n  end\n");
    assert_string_equal(text_str(&t), ".PP\nOne\ntwo:\n"
                                      ".PP\n.RS 4\n.nf\nas it\n  stands\n.fi\n.RE\n"
                                      ".PP\nthree\n.PP\nfour\n"
                                      ".PP\n.RS 4\n.nf\nend\n.fi\n.RE\n");
    text_finish(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_words),
        cmocka_unit_test(headings),
        cmocka_unit_test(entries),
        cmocka_unit_test(lines_of_help),
    };
    return cmocka_run_group_tests_name("roff", tests, NULL, NULL);
}
