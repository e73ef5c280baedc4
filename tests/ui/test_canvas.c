/* The canvas: cells, wide clusters, clipping, foreign bytes, comparing and dumping. */
#include "cmocka_rows.h"

#include <string.h>

#include "ui/canvas.h"

static struct canvas blank(int w, int h)
{
    struct canvas c;
    canvas_init(&c);
    canvas_resize(&c, w, h);
    return c;
}

/* The only row of a canvas. */
static void assert_row(const struct canvas *c, const char *want)
{
    struct text t = { 0 };
    canvas_dump(c, &t);
    assert_true(t.len > 0);
    t.s[t.len - 1] = '\0'; /* the newline */
    assert_string_equal(text_str(&t), want);
    text_finish(&t);
}

static struct text_case {
    const char *name;
    int x, w;
    bool ascii;
    const char *text;
    const char *want;
    int cells;
} texts[] = {
    { "plain", 1, 8, false, "leaf1", " leaf1", 5 },
    { "cut at the right edge", 5, 8, false, "leaf1", "     lea", 5 },
    { "cut at the left edge", -2, 8, false, "leaf1", "af1", 5 },
    { "wide", 0, 8, false, "漢字x", "漢字x", 5 },
    { "half a wide cluster is left out", 0, 3, false, "漢字", "漢", 4 },
    { "wide, half of it left of the edge", -1, 4, false, "漢字", " 字", 4 },
    { "an accent joins its letter", 0, 4, false, "e\xCC\x81x", "e\xCC\x81x", 2 },
    { "a lone accent is left out", 0, 4, false, "\xCC\x81", "", 0 },
    { "control characters are left out", 0, 8, false, "a\x1b[2Jb\x07\n", "a[2Jb", 5 },
    { "bidirectional overrides are left out", 0, 8, false,
      "a\xE2\x80\xAE"
      "b",
      "ab", 2 },
    { "invalid bytes are marked", 0, 8, false, "a\xff\x98z", "a\xEF\xBF\xBD\xEF\xBF\xBDz", 4 },
    { "a cut sequence is marked", 0, 8, false, "a\xE6\xBC", "a\xEF\xBF\xBD\xEF\xBF\xBD", 3 },
    { "ascii: glyphs have a likeness", 0, 8, true, "┃✗▸→µ", "|X>>u", 5 },
    { "ascii: others become a question mark", 0, 8, true, "漢π", "???", 3 },
    { "ascii: invalid bytes too", 0, 8, true, "\xff", "?", 1 },
    { "empty", 0, 3, false, "", "", 0 },
};

static void puts_text(void **state)
{
    const struct text_case *k = *state;
    struct canvas c = blank(k->w, 1);
    c.ascii = k->ascii;
    assert_int_equal(canvas_text(&c, k->x, 0, UI_ROLE_DEFAULT, k->text), k->cells);
    assert_int_equal(text_cells(k->text), k->cells);
    assert_row(&c, k->want);
    canvas_finish(&c);
}

static struct fit_case {
    const char *name;
    int w;
    const char *text;
    const char *want;
    int cells;
} fits[] = {
    { "fits", 5, "leaf1", "leaf1", 5 },
    { "one too many", 4, "leaf1", "lea…", 4 },
    { "a wide cluster is not halved", 4, "漢字漢", "漢…", 3 },
    { "one cell", 1, "leaf1", "…", 1 },
    { "no cell", 0, "leaf1", "", 0 },
};

static void fits_text(void **state)
{
    const struct fit_case *k = *state;
    struct canvas c = blank(9, 1);
    assert_int_equal(canvas_text_fit(&c, 0, 0, k->w, UI_ROLE_DEFAULT, k->text), k->cells);
    assert_row(&c, k->want);
    canvas_finish(&c);
}

static void overwriting_half_a_wide_cluster_blanks_the_other(void **state)
{
    (void)state;
    struct canvas c = blank(4, 1);
    canvas_text(&c, 0, 0, UI_ROLE_DEFAULT, "漢字");
    canvas_text(&c, 1, 0, UI_ROLE_DEFAULT, "x");
    assert_row(&c, " x字");
    canvas_text(&c, 2, 0, UI_ROLE_DEFAULT, "y");
    assert_row(&c, " xy");
    canvas_finish(&c);
}

static void a_long_cluster_stays_whole_and_small(void **state)
{
    (void)state;
    struct canvas c = blank(6, 1);
    char accents[64] = "e";
    for (int i = 0; i < 20; i++) {
        strcat(accents, "\xCC\x81");
    }
    canvas_text(&c, 0, 0, UI_ROLE_DEFAULT, accents);
    assert_true(strlen(canvas_at(&c, 0, 0)->glyph) < UI_GLYPH_BYTES);
    assert_int_equal(strlen(canvas_at(&c, 0, 0)->glyph) % 2, 1); /* e and whole accents */
    /* four people in one cluster: cut between people, no joiner left over */
    canvas_text(&c, 2, 0, UI_ROLE_DEFAULT,
                "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7");
    const char *glyph = canvas_at(&c, 2, 0)->glyph;
    assert_int_equal(strlen(glyph), 11);
    assert_string_equal(canvas_at(&c, 3, 0)->glyph, "");
    canvas_finish(&c);
}

static void clips(void **state)
{
    (void)state;
    struct canvas c = blank(8, 1);
    const struct ui_rect before = canvas_clip(&c, (struct ui_rect){ 2, 0, 3, 1 });
    canvas_text(&c, 0, 0, UI_ROLE_DEFAULT, "abcdefgh");
    canvas_hfill(&c, -100, 0, 103, UI_ROLE_DEFAULT, "-");
    assert_row(&c, "  -de");
    canvas_clip(&c, (struct ui_rect){ 4, 0, 100, 100 }); /* narrows, never widens */
    canvas_text(&c, 0, 0, UI_ROLE_DEFAULT, "ABCDEFGH");
    assert_row(&c, "  -dE");
    canvas_unclip(&c, before);
    canvas_text(&c, 7, 0, UI_ROLE_DEFAULT, "!");
    assert_row(&c, "  -dE  !");
    canvas_finish(&c);
}

static void draws_outside_without_harm(void **state)
{
    (void)state;
    struct canvas c = blank(3, 2);
    canvas_box(&c, (struct ui_rect){ -1000, -1000, 2001, 2001 }, UI_ROLE_DIM);
    canvas_box(&c, (struct ui_rect){ 0, 0, 1, 9 }, UI_ROLE_DIM); /* too thin: nothing */
    canvas_blank(&c, (struct ui_rect){ -5, -5, 100, 100 });
    canvas_attr(&c, -5, 1, 100, UI_REVERSE);
    canvas_text(&c, 0, 99, UI_ROLE_DEFAULT, "x");
    canvas_text(&c, 0, -1, UI_ROLE_DEFAULT, "x");
    assert_null(canvas_at(&c, 3, 0));
    assert_null(canvas_at(&c, -1, 0));
    assert_int_equal(canvas_at(&c, 2, 1)->attr, UI_REVERSE);
    assert_int_equal(canvas_at(&c, 2, 0)->attr, 0);
    canvas_resize(&c, -4, 7);
    assert_int_equal(c.w, 0);
    canvas_text(&c, 0, 0, UI_ROLE_DEFAULT, "x");
    canvas_finish(&c);
}

static void compares_frames(void **state)
{
    (void)state;
    struct canvas a = blank(4, 2);
    struct canvas b = blank(1, 1);
    assert_true(canvas_differs(&a, &b, 0, 0)); /* another size */
    canvas_copy(&b, &a);
    assert_false(canvas_differs(&a, &b, 3, 1));
    canvas_text(&a, 3, 1, UI_ROLE_DEFAULT, "x");
    assert_true(canvas_differs(&a, &b, 3, 1));
    canvas_copy(&b, &a);
    canvas_text(&a, 3, 1, UI_ROLE_NAK, "x"); /* only the role */
    assert_true(canvas_differs(&a, &b, 3, 1));
    canvas_text(&a, 3, 1, UI_ROLE_DEFAULT, "é"); /* a longer glyph, then a shorter one again */
    canvas_text(&a, 3, 1, UI_ROLE_DEFAULT, "x");
    assert_false(canvas_differs(&a, &b, 3, 1));
    canvas_finish(&a);
    canvas_finish(&b);
}

static void dumps_styles(void **state)
{
    (void)state;
    struct canvas c = blank(6, 1);
    canvas_text(&c, 0, 0, UI_ROLE_TITLE, "g1");
    canvas_text(&c, 3, 0, UI_ROLE_NAK, "N");
    canvas_attr(&c, 4, 0, 2, UI_REVERSE);
    struct text t = { 0 };
    canvas_dump_styles(&c, &t);
    assert_string_equal(text_str(&t), "|g1 N\n@ 0+2:title 3+1:nak 4+2:default+reverse\n");
    text_finish(&t);
    canvas_finish(&c);
}

static void every_role_has_a_look_in_every_palette(void **state)
{
    (void)state;
    static const int32_t below[] = { 0, 16, 256, 0x1000000 }; /* by palette */
    for (int t = 0; ui_theme_name(t) != NULL; t++) {
        const enum ui_theme theme = (enum ui_theme)t;
        for (unsigned r = 0; r < UI_ROLE_COUNT; r++) {
            const enum ui_role role = (enum ui_role)r;
            const struct ui_style mono = ui_theme_style(role, theme, UI_PALETTE_MONO);
            assert_int_equal(mono.fg, -1);
            for (unsigned p = UI_PALETTE_MONO; p <= UI_PALETTE_TRUE; p++) {
                const struct ui_style style = ui_theme_style(role, theme, (enum ui_palette)p);
                assert_true(style.fg >= -1 && style.fg < below[p]);
                assert_int_equal(mono.attr & ~UI_DIM, style.attr & ~UI_DIM);
                assert_true(style.fg < 0 ||
                            (style.attr & UI_DIM) == 0); /* grey or dim, never both */
                assert_true(theme != UI_THEME_MONO || style.fg == -1);
            }
        }
    }
    assert_string_equal(ui_role_name((enum ui_role)9999), "default");
    assert_null(ui_theme_name(-1));
}

/* The number among the 256 is not another colour than the one in full. */
static void palettes_agree(void **state)
{
    (void)state;
    static const int step[] = { 0, 95, 135, 175, 215, 255 };
    for (int t = 0; t < UI_THEME_MONO; t++) {
        for (unsigned r = 0; r < UI_ROLE_COUNT; r++) {
            const enum ui_role role = (enum ui_role)r;
            const int32_t n = ui_theme_style(role, (enum ui_theme)t, UI_PALETTE_256).fg;
            const int32_t rgb = ui_theme_style(role, (enum ui_theme)t, UI_PALETTE_TRUE).fg;
            assert_int_equal(n >= 0, rgb >= 0);
            if (n < 16) {
                continue;
            }
            const int grey = 8 + 10 * (n - 232);
            const int c[3] = { n >= 232 ? grey : step[(n - 16) / 36],
                               n >= 232 ? grey : step[(n - 16) / 6 % 6],
                               n >= 232 ? grey : step[(n - 16) % 6] };
            for (int i = 0; i < 3; i++) {
                assert_in_range(c[i] - (rgb >> (16 - 8 * i) & 255) + 64, 0, 128);
            }
        }
    }
}

static void every_glyph_is_one_cell_in_both_sets(void **state)
{
    (void)state;
    for (unsigned g = 0; g < UI_GLYPH_COUNT; g++) {
        const char *ascii = ui_glyph_text((enum ui_glyph)g, true);
        assert_int_equal(text_cells(ui_glyph_text((enum ui_glyph)g, false)), 1);
        assert_int_equal(strlen(ascii), 1);
        assert_in_range((unsigned char)ascii[0], 0x20, 0x7E);
    }
}

/* What a whole lane looks like: in its states, and as busy as it may be. */
static void lanes_are_told_apart(void **state)
{
    (void)state;
    static const enum ui_glyph lanes[] = { UI_GLYPH_LANE_OPEN,     UI_GLYPH_LANE_PAUSED,
                                           UI_GLYPH_LANE_NOCREDIT, UI_GLYPH_LANE_DOWN,
                                           UI_GLYPH_BUSY_1,        UI_GLYPH_BUSY_2,
                                           UI_GLYPH_BUSY_3 };
    for (int ascii = 0; ascii < 2; ascii++) {
        for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++) {
            for (size_t k = 0; k < i; k++) {
                assert_string_not_equal(ui_glyph_text(lanes[i], ascii != 0),
                                        ui_glyph_text(lanes[k], ascii != 0));
            }
        }
    }
    /* a GPU that sends does not look like a lane that is stopped */
    assert_string_not_equal(ui_glyph_text(UI_GLYPH_GPU_EXCHANGE, true),
                            ui_glyph_text(UI_GLYPH_LANE_PAUSED, true));
}

int main(void)
{
    struct CMUnitTest tests[40] = {
        cmocka_unit_test(overwriting_half_a_wide_cluster_blanks_the_other),
        cmocka_unit_test(a_long_cluster_stays_whole_and_small),
        cmocka_unit_test(clips),
        cmocka_unit_test(draws_outside_without_harm),
        cmocka_unit_test(compares_frames),
        cmocka_unit_test(dumps_styles),
        cmocka_unit_test(every_role_has_a_look_in_every_palette),
        cmocka_unit_test(palettes_agree),
        cmocka_unit_test(every_glyph_is_one_cell_in_both_sets),
        cmocka_unit_test(lanes_are_told_apart),
    };
    size_t n = 9;
    ROWS(tests, n, texts, puts_text);
    ROWS(tests, n, fits, fits_text);
    return _cmocka_run_group_tests("canvas", tests, n, NULL, NULL);
}
