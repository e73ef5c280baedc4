/* Frames as SVG: everything stands in its cell, nothing breaks the XML, inks can be read. */
#include "cmocka_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "export/svg.h"
#include "export/svg_row.h"

enum { WIDTH = 24, HEIGHT = 3 };

static struct canvas canvas;

static int set_up(void **state)
{
    (void)state;
    canvas_init(&canvas);
    canvas_resize(&canvas, WIDTH, HEIGHT);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    canvas_finish(&canvas);
    return 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static struct row {
    const char *name;
    int x;
    enum ui_role role;
    const char *text;
    const char *want;
} rows[] = {
    { "nothing is nothing", 0, UI_ROLE_DEFAULT, "   ", "" },
    { "words that look alike are one", 1, UI_ROLE_DEFAULT, "two words",
      "<text x=\"8\" y=\"13\" textLength=\"72\">two words</text>" },
    { "a gap parts them", 0, UI_ROLE_DEFAULT, "a  b",
      "<text x=\"0\" y=\"13\">a</text><text x=\"24\" y=\"13\">b</text>" },
    { "a role is a class, bold is said", 0, UI_ROLE_TITLE, "leaf1",
      "<text class=\"w-title w-bold\" x=\"0\" y=\"13\" textLength=\"40\">leaf1</text>" },
    { "reversed: ink behind, paper in front", 2, UI_ROLE_PAUSE, "P",
      "<path class=\"w-pause\" d=\"M16 0h8v17h-8z\"/><text class=\"w-paper\" x=\"16\" "
      "y=\"13\">P</text>" },
    { "underlined", 0, UI_ROLE_CODE, "ab",
      "<path class=\"w-code\" d=\"M0 15h16v1h-16z\"/>"
      "<text class=\"w-code\" x=\"0\" y=\"13\" textLength=\"16\">ab</text>" },
    { "a rule is one box", 1, UI_ROLE_DIM, "────", "<path class=\"w-dim\" d=\"M8 8h32v1h-32z\"/>" },
    { "so are blocks", 0, UI_ROLE_COMPUTE, "███",
      "<path class=\"w-compute\" d=\"M0 1h24v15h-24z\"/>" },
    { "a shade is less ink", 0, UI_ROLE_EXCHANGE, "▒",
      "<path class=\"w-exchange\" opacity=\".50\" d=\"M0 1h8v15h-8z\"/>" },
    { "arrows are drawn", 3, UI_ROLE_DEFAULT, "▸", "<path d=\"M25 4v9l6-4.5z\"/>" },
    { "meters are lines", 1, UI_ROLE_FREE, "▯▯",
      "<path class=\"w-free w-hollow\" d=\"M9.5 3.5h5v10h-5zm8 0h5v10h-5z\"/>" },
    { "a wide cluster stands in the middle of its cells", 1, UI_ROLE_DEFAULT, "漢",
      "<text x=\"16\" y=\"13\" text-anchor=\"middle\">漢</text>" },
    { "other letters in the middle of theirs", 0, UI_ROLE_DEFAULT, "é»",
      "<text x=\"4\" y=\"13\" text-anchor=\"middle\">é</text>"
      "<text x=\"12\" y=\"13\" text-anchor=\"middle\">»</text>" },
    { "marks of XML are escaped", 0, UI_ROLE_DEFAULT, "<&>\"'",
      "<text x=\"0\" y=\"13\" textLength=\"40\">&lt;&amp;&gt;&quot;'</text>" },
    { "what XML cannot hold is not there", 0, UI_ROLE_DEFAULT, "\xEF\xBF\xBF",
      "<text x=\"4\" y=\"13\" text-anchor=\"middle\">\xEF\xBF\xBD</text>" },
};

static void run_row(void **state)
{
    const struct row *row = *state;
    struct text out = { 0 };
    svg_roles used = 0;
    canvas_clear(&canvas);
    canvas_text(&canvas, row->x, 1, row->role, row->text);
    svg_row(&out, &canvas, 1, &used);
    assert_string_equal(text_str(&out), row->want);
    assert_true((used >> row->role & 1) != 0);
    text_finish(&out);
}

static void the_cursor_reverses(void **state)
{
    (void)state;
    struct text out = { 0 };
    svg_roles used = 0;
    canvas_clear(&canvas);
    canvas_text(&canvas, 0, 0, UI_ROLE_DEFAULT, "a");
    canvas_attr(&canvas, 0, 0, 1, UI_REVERSE);
    svg_row(&out, &canvas, 0, &used);
    assert_string_equal(text_str(&out), "<path d=\"M0 0h8v17h-8z\"/>"
                                        "<text class=\"w-paper\" x=\"0\" y=\"13\">a</text>");
    text_finish(&out);
}

/* ---- inks ------------------------------------------------------------------------------------ */

static double linear(uint32_t c)
{
    const double v = c / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(uint32_t rgb)
{
    return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) +
           0.0722 * linear(rgb & 255);
}

/* As WCAG 2 has it. */
static double contrast(uint32_t a, uint32_t b)
{
    const double la = luminance(a) + 0.05;
    const double lb = luminance(b) + 0.05;
    return la > lb ? la / lb : lb / la;
}

static void inks_can_be_read(void **state)
{
    (void)state;
    for (int t = 0; t < UI_THEME_COUNT; t++) {
        const enum ui_theme theme = (enum ui_theme)t;
        for (int r = 0; r < UI_ROLE_COUNT; r++) {
            /* what is no word: 3 to 1 */
            const bool recedes =
                r == UI_ROLE_LANE || r == UI_ROLE_FREE || r == UI_ROLE_COMPUTE || r == UI_ROLE_DOWN;
            const double c = contrast(ui_theme_rgb((enum ui_role)r, theme), ui_theme_paper(theme));
            if (c < (recedes ? 3.0 : 4.5)) {
                fail_msg("%s on %s: %.2f to 1", ui_role_name((enum ui_role)r), ui_theme_name(t), c);
            }
        }
    }
}

static void every_colour_has_an_ink(void **state)
{
    (void)state;
    for (int r = 0; r < UI_ROLE_COUNT; r++) {
        const enum ui_role role = (enum ui_role)r;
        if (ui_theme_style(role, UI_THEME_DARK, UI_PALETTE_256).fg >= 0) {
            assert_int_not_equal(ui_theme_rgb(role, UI_THEME_DARK),
                                 ui_theme_rgb(UI_ROLE_DEFAULT, UI_THEME_DARK));
            assert_int_not_equal(ui_theme_rgb(role, UI_THEME_LIGHT),
                                 ui_theme_rgb(UI_ROLE_DEFAULT, UI_THEME_LIGHT));
        }
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

static const struct export_svg_words words = { "A <title>", "what & why" };

static size_t count(const char *s, const char *what)
{
    size_t n = 0;
    for (; (s = strstr(s, what)) != NULL; s += strlen(what)) {
        n++;
    }
    return n;
}

static void a_frame_says_what_it_is(void **state)
{
    (void)state;
    struct text out = { 0 };
    canvas_clear(&canvas);
    canvas_text(&canvas, 0, 2, UI_ROLE_DEFAULT, "x");
    export_svg_frame(&out, &canvas, UI_THEME_DARK, &words);
    assert_non_null(strstr(text_str(&out), "<title id=\"weft-title\">A &lt;title&gt;</title>"));
    assert_non_null(strstr(text_str(&out), "<desc id=\"weft-desc\">what &amp; why</desc>"));
    assert_non_null(strstr(text_str(&out), "<g transform=\"translate(0 34)\">"));
    assert_null(strstr(text_str(&out), "<script"));
    assert_non_null(strstr(text_str(&out), ".w-default{"));
    assert_null(strstr(text_str(&out), ".w-pause{")); /* nothing has that ink */
    text_finish(&out);
}

/* A film of `frames` numbered frames, 100 ms each, with a limit of bytes. The text is the caller's. */
static char *film(int frames, uint64_t limit, int *taken)
{
    char path[] = "/tmp/weft-test-svg.XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    const struct sink_options how = { .replace = true, .limit = limit, .tail = EXPORT_SVG_TAIL };
    struct sink *sink = sink_open(path, &how, NULL);
    struct export_svg *svg = export_svg_create(sink, UI_THEME_LIGHT, &words);
    for (*taken = 0; *taken < frames; ++*taken) {
        canvas_clear(&canvas);
        canvas_text(&canvas, 0, 0, UI_ROLE_DEFAULT, "always the same");
        canvas_textf(&canvas, 0, 1, UI_ROLE_DEFAULT, "%d", *taken / 2); /* each twice */
        if (!export_svg_add(svg, &canvas, *taken * 100)) {
            break;
        }
    }
    assert_true(export_svg_end(svg, frames * 100));
    assert_true(sink_close(sink, NULL));
    sink_destroy(sink);
    export_svg_destroy(svg);
    char *data = NULL;
    size_t size;
    assert_true(file_read(path, 1 << 24, &data, &size, NULL));
    (void)unlink(path);
    return data;
}

static void a_film_holds_each_look_once(void **state)
{
    (void)state;
    int taken;
    char *s = film(10, 0, &taken);
    assert_int_equal(taken, 10);
    assert_int_equal(count(s, "always the same"), 1);
    assert_int_equal(count(s, "<g transform="), 5);
    assert_int_equal(count(s, "%{transform:translateX("), 5);
    assert_non_null(strstr(s, "animation:w-film 1.000s steps(1,end) infinite"));
    assert_non_null(strstr(s, "\n20.0000%{transform:translateX(-192px)}"));
    assert_non_null(strstr(s, "prefers-reduced-motion:reduce){.w-film{animation:none;"
                              "transform:translateX(-768px)}"));
    free(s);
}

static void one_look_does_not_move(void **state)
{
    (void)state;
    int taken;
    char *s = film(2, 0, &taken);
    assert_int_equal(count(s, "<g transform="), 1);
    assert_null(strstr(s, "animation"));
    free(s);
}

static void a_film_has_an_end(void **state)
{
    (void)state;
    int taken;
    char *s = film(3 * EXPORT_SVG_FRAMES_MAX, 0, &taken);
    assert_int_equal(taken, 2 * EXPORT_SVG_FRAMES_MAX);
    assert_int_equal(count(s, "<g transform="), EXPORT_SVG_FRAMES_MAX);
    free(s);
}

static void a_film_that_is_cut_is_a_shorter_film(void **state)
{
    (void)state;
    int taken;
    char *s = film(1000, EXPORT_SVG_TAIL + 20000, &taken);
    const size_t frames = count(s, "<g transform=");
    assert_true(taken < 1000 && frames > 10);
    assert_int_equal(count(s, "%{transform:translateX("), frames);
    assert_non_null(strstr(s, "</style>\n</svg>\n"));
    free(s);
}

int main(void)
{
    enum { ROWS = sizeof rows / sizeof *rows };
    const struct CMUnitTest others[] = {
        cmocka_unit_test(the_cursor_reverses),
        cmocka_unit_test(inks_can_be_read),
        cmocka_unit_test(every_colour_has_an_ink),
        cmocka_unit_test(a_frame_says_what_it_is),
        cmocka_unit_test(a_film_holds_each_look_once),
        cmocka_unit_test(one_look_does_not_move),
        cmocka_unit_test(a_film_has_an_end),
        cmocka_unit_test(a_film_that_is_cut_is_a_shorter_film),
    };
    struct CMUnitTest tests[ROWS + sizeof others / sizeof *others];
    for (size_t i = 0; i < ROWS; i++) {
        tests[i] = (struct CMUnitTest){ rows[i].name, run_row, NULL, NULL, &rows[i] };
    }
    memcpy(tests + ROWS, others, sizeof others);
    return cmocka_run_group_tests_name("export/svg", tests, set_up, tear_down);
}
