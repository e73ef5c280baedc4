/* The growing string, cleaning of foreign text, clusters and their widths. */
#include "cmocka_rows.h"

#include <string.h>

#include "base/text.h"

static void grows(void **state)
{
    (void)state;
    struct text t = { 0 };
    assert_string_equal(text_str(&t), "");
    text_clear(&t);
    text_add(&t, NULL);
    assert_string_equal(text_str(&t), "");
    for (int i = 0; i < 1000; i++) {
        text_addf(&t, "%d,", i % 10);
    }
    assert_int_equal(t.len, 2000);
    assert_int_equal(strlen(text_str(&t)), 2000);
    assert_memory_equal(text_str(&t), "0,1,2,", 6);
    text_clear(&t);
    assert_string_equal(text_str(&t), "");
    text_add_n(&t, "a\0b", 3);
    assert_int_equal(t.len, 3);
    assert_memory_equal(text_str(&t), "a\0b", 4);
    text_finish(&t);
    assert_string_equal(text_str(&t), "");
    text_finish(&t);
}

static void formats_long(void **state)
{
    (void)state;
    struct text t = { 0 };
    text_addf(&t, "%*d", 5000, 7);
    assert_int_equal(t.len, 5000);
    assert_int_equal(text_str(&t)[4999], '7');
    text_finish(&t);
}

#define FFFD "\xef\xbf\xbd"

struct clean_case {
    const char *name;
    const char *in;
    size_t len;
    bool keep_newlines;
    const char *want;
};

#define IN(s) s, sizeof(s) - 1

static struct clean_case clean_cases[] = {
    { "clean: plain text", IN("g1 \xe2\x86\x92 g2"), false, "g1 \xe2\x86\x92 g2" },
    { "clean: empty", IN(""), false, "" },
    { "clean: escape sequences lose their teeth", IN("\x1b[2Jx\x07"), false, FFFD "[2Jx" FFFD },
    { "clean: one-byte CSI",
      IN("\xc2\x9b"
         "2J"),
      false, FFFD "2J" },
    { "clean: delete", IN("a\x7f"), false, "a" FFFD },
    { "clean: NUL", IN("a\0b"), false, "a" FFFD "b" },
    { "clean: newlines become blanks", IN("a\nb\r\nc\rd\te"), false, "a b c d e" },
    { "clean: newlines stay", IN("a\nb\r\nc\rd\te"), true, "a\nb\nc\nd e" },
    { "clean: line separator",
      IN("a\xe2\x80\xa8"
         "b"),
      true, "a\nb" },
    { "clean: bidirectional override",
      IN("a\xe2\x80\xae"
         "b"),
      false, "ab" },
    { "clean: bidirectional isolate",
      IN("a\xe2\x81\xa6"
         "b"),
      false, "ab" },
    { "clean: byte order mark",
      IN("\xef\xbb\xbf"
         "a"),
      false, "a" },
    { "clean: zero width space",
      IN("a\xe2\x80\x8b"
         "b"),
      false, "ab" },
    { "clean: variation selector", IN("\xe2\x9a\xa0\xef\xb8\x8f!"), false, "\xe2\x9a\xa0!" },
    { "clean: invalid bytes", IN("\x98\xea\xf2x"), false, FFFD FFFD FFFD "x" },
    { "clean: cut in the middle", IN("x\xe2\x86"), false, "x" FFFD FFFD },
    { "clean: surrogate", IN("\xed\xa0\x80"), false, FFFD FFFD FFFD },
    { "clean: overlong slash", IN("\xc0\xaf"), false, FFFD FFFD },
    { "clean: five accents are four",
      IN("e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81"
         "f"),
      false,
      "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81"
      "f" },
};

static void clean_case(void **state)
{
    const struct clean_case *c = *state;
    struct text t = { 0 };
    text_add_clean(&t, c->in, c->len, c->keep_newlines);
    assert_string_equal(text_str(&t), c->want);
    assert_int_equal(t.len, strlen(c->want));
    /* Clean text is a fixed point. */
    struct text again = { 0 };
    text_add_clean(&again, text_str(&t), t.len, c->keep_newlines);
    assert_string_equal(text_str(&again), c->want);
    text_finish(&again);
    text_finish(&t);
}

struct width_case {
    const char *name;
    const char *s;
    int cells;
    int clusters;
};

static struct width_case width_cases[] = {
    { "width: ASCII", "weft", 4, 4 },
    { "width: nothing", "", 0, 0 },
    { "width: arrows and meters are one cell", "\xe2\x96\xb8\xe2\x97\x82\xe2\x96\xae\xe2\x95\x8e",
      4, 4 },
    { "width: box drawing counts as one", "\xe2\x94\x80\xe2\x94\x83\xe2\x96\x88", 3, 3 },
    { "width: CJK is two", "\xe6\xbc\xa2", 2, 1 },
    { "width: Hangul", "\xed\x95\x9c\xea\xb8\x80", 4, 2 },
    { "width: an accent sits on its letter", "e\xcc\x81x", 2, 2 },
    { "width: twenty accents too", "e\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81\xcc\x81", 1,
      1 },
    { "width: a family is one cluster", "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x94\xac", 2, 1 },
    { "width: a skin tone", "\xf0\x9f\x91\xa9\xf0\x9f\x8f\xbd", 2, 1 },
    { "width: a flag", "\xf0\x9f\x87\xaf\xf0\x9f\x87\xb5", 2, 1 },
    { "width: two flags", "\xf0\x9f\x87\xaf\xf0\x9f\x87\xb5\xf0\x9f\x87\xaf\xf0\x9f\x87\xb5", 4,
      2 },
    { "width: a picture asked for by selector", "\xe2\x9a\xa0\xef\xb8\x8f", 2, 1 },
    { "width: invalid bytes take one cell each", "a\xff\xfe", 3, 3 },
    { "width: invalid byte behind a letter", "\xc3\xa9\xff", 2, 2 },
    { "width: control characters take none", "\x01\x7f", 0, 2 },
};

static void width_case(void **state)
{
    const struct width_case *c = *state;
    assert_int_equal(text_cells(c->s), c->cells);
    size_t len = strlen(c->s);
    size_t pos = 0;
    int clusters = 0;
    int cells = 0;
    struct text_cluster cluster;
    while (text_next(c->s, len, &pos, &cluster)) {
        assert_true(cluster.cells >= 0 && cluster.cells <= 2);
        assert_true(cluster.bytes > 0);
        cells += cluster.cells;
        clusters++;
    }
    assert_int_equal(pos, len);
    assert_int_equal(clusters, c->clusters);
    assert_int_equal(cells, c->cells);
}

struct fit_case {
    const char *name;
    const char *s;
    int cells;
    size_t bytes;
};

static struct fit_case fit_cases[] = {
    { "fit: all", "weft", 10, 4 },
    { "fit: exactly", "weft", 4, 4 },
    { "fit: cut", "weft", 2, 2 },
    { "fit: nothing", "weft", 0, 0 },
    { "fit: negative room", "weft", -3, 0 },
    { "fit: never half a wide character",
      "a\xe6\xbc\xa2"
      "b",
      2, 1 },
    { "fit: a whole wide character",
      "a\xe6\xbc\xa2"
      "b",
      3, 4 },
    { "fit: the accent comes along", "e\xcc\x81x", 1, 3 },
    { "fit: never half a flag", "\xf0\x9f\x87\xaf\xf0\x9f\x87\xb5", 1, 0 },
    { "fit: invalid bytes count themselves",
      "\xff\xfe"
      "a",
      2, 2 },
};

static void fit_case(void **state)
{
    const struct fit_case *c = *state;
    assert_int_equal(text_fit(c->s, c->cells), c->bytes);
}

struct distance_case {
    const char *name;
    const char *a, *b;
    size_t want;
};

static struct distance_case distance_cases[] = {
    { "distance: equal", "xoff", "xoff", 0 },
    { "distance: one letter more", "xoff", "xofff", 1 },
    { "distance: one letter less", "xoff", "xof", 1 },
    { "distance: one letter changed", "xoff", "xonf", 1 },
    { "distance: neighbours swapped", "xoff", "xfof", 1 },
    { "distance: from nothing", "", "xoff", 4 },
    { "distance: to nothing", "xoff", "", 4 },
    { "distance: other words", "buffer", "headroom", 8 },
};

static void distance_case(void **state)
{
    const struct distance_case *c = *state;
    assert_int_equal(text_distance(c->a, c->b), c->want);
    assert_int_equal(text_distance(c->b, c->a), c->want);
}

struct wrap_case {
    const char *name;
    const char *first, *words, *want;
};
static struct wrap_case wrap_cases[] = {
    { "wrap: no words", "a: ", "", "a: \n" },
    { "wrap: what fits stays on one line", "a: ", "one two", "a: one two\n" },
    { "wrap: the others stand under the first word", "a: ", "one two three",
      "a: one two\n   three\n" },
    { "wrap: a word too long is not cut", "", "abcdefghijklmn b", "abcdefghijklmn\nb\n" },
    { "wrap: cells count, not bytes", "\xe2\x94\x82 ", "123 45678", "\xe2\x94\x82 123\n  45678\n" },
    { "wrap: a number keeps its unit", "", "now at 17.3 Gb/s.", "now at\n17.3 Gb/s.\n" },
    { "wrap: several blanks are one", "", "a   b", "a b\n" },
};
static void wrap_case(void **state)
{
    const struct wrap_case *c = *state;
    struct text t = { 0 };
    text_add_wrapped(&t, c->first, c->words, 10);
    assert_string_equal(text_str(&t), c->want);
    text_finish(&t);
}

int main(void)
{
    static struct CMUnitTest tests[128];
    size_t n = 0;
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(grows);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(formats_long);
    ROWS(tests, n, clean_cases, clean_case);
    ROWS(tests, n, width_cases, width_case);
    ROWS(tests, n, fit_cases, fit_case);
    ROWS(tests, n, distance_cases, distance_case);
    ROWS(tests, n, wrap_cases, wrap_case);
    return _cmocka_run_group_tests("base/text", tests, n, NULL, NULL);
}
