/*
 * A recording: a terminal that is sent it shows the canvas, cell by cell.
 */
#include "cmocka_rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vterm.h>

#include "base/file.h"
#include "base/rng.h"
#include "export/cast.h"

enum { WIDTH = 30, HEIGHT = 8, FRAMES = 200 };

static const enum ui_palette palettes[] = { UI_PALETTE_MONO, UI_PALETTE_16, UI_PALETTE_256 };

/* ---- the judge ------------------------------------------------------------------------------- */

struct terminal {
    VTerm *vt;
    VTermScreen *screen;
};

static struct terminal open_terminal(int w, int h)
{
    struct terminal t = { .vt = vterm_new(h, w) };
    vterm_set_utf8(t.vt, 1);
    t.screen = vterm_obtain_screen(t.vt);
    vterm_screen_reset(t.screen, 1);
    return t;
}

static void utf8_of(const VTermScreenCell *cell, struct text *out)
{
    for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell->chars[i] != 0; i++) {
        const uint32_t c = cell->chars[i];
        char b[5] = "";
        if (c < 0x80) {
            b[0] = (char)c;
        } else if (c < 0x800) {
            b[0] = (char)(0xc0 | c >> 6);
            b[1] = (char)(0x80 | (c & 63));
        } else if (c < 0x10000) {
            b[0] = (char)(0xe0 | c >> 12);
            b[1] = (char)(0x80 | (c >> 6 & 63));
            b[2] = (char)(0x80 | (c & 63));
        } else {
            b[0] = (char)(0xf0 | c >> 18);
            b[1] = (char)(0x80 | (c >> 12 & 63));
            b[2] = (char)(0x80 | (c >> 6 & 63));
            b[3] = (char)(0x80 | (c & 63));
        }
        text_add(out, b);
    }
    text_add(out, out->len == 0 ? " " : "");
}

static void assert_cell(const struct terminal *t, const struct canvas *c, int x, int y,
                        enum ui_palette palette)
{
    const struct ui_cell *want = canvas_at(c, x, y);
    if (want->glyph[0] == '\0') {
        return; /* the right half of a wide one */
    }
    VTermScreenCell cell;
    struct text glyph = { 0 };
    const struct ui_style style = ui_theme_style((enum ui_role)want->role, UI_THEME_DARK, palette);
    const uint8_t attr = style.attr | want->attr;
    assert_true(vterm_screen_get_cell(t->screen, (VTermPos){ .row = y, .col = x }, &cell));
    utf8_of(&cell, &glyph);
    assert_string_equal(text_str(&glyph), want->glyph);
    assert_int_equal(cell.attrs.bold != 0, (attr & UI_BOLD) != 0);
    assert_int_equal(cell.attrs.underline != 0, (attr & UI_UNDERLINE) != 0);
    assert_int_equal(cell.attrs.reverse != 0, (attr & UI_REVERSE) != 0);
    assert_int_equal(VTERM_COLOR_IS_DEFAULT_FG(&cell.fg) != 0, style.fg < 0);
    if (style.fg >= 0) {
        assert_true(VTERM_COLOR_IS_INDEXED(&cell.fg));
        assert_int_equal(cell.fg.indexed.idx, style.fg);
    }
    text_finish(&glyph);
}

static void assert_shows(const struct terminal *t, const struct canvas *c, enum ui_palette palette)
{
    for (int y = 0; y < c->h; y++) {
        for (int x = 0; x < c->w; x++) {
            assert_cell(t, c, x, y, palette);
        }
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Something happens anywhere, in any role. */
static void scribble(struct canvas *c, uint64_t seed)
{
    static const char *const words[] = { "a",  "two words", "▸",  "漢字", "e\xCC\x81", "─────",
                                         "  ", "▮▯╎",       "»«", "\"\\", "x漢",       "" };
    for (uint64_t i = 0; i < 1 + seed % 5; i++) {
        const uint64_t r = rng_mix3(seed, i, 7);
        const int x = (int)(r % (WIDTH + 4)) - 2;
        const int y = (int)(r / 64 % HEIGHT);
        canvas_text(c, x, y, (enum ui_role)(r / 1024 % UI_ROLE_COUNT),
                    words[r / 65536 % (sizeof words / sizeof *words)]);
        if (r >> 30 % 4 == 0) {
            canvas_attr(c, x, y, 2, UI_REVERSE);
        }
    }
}

static void a_terminal_follows(void **state)
{
    (void)state;
    for (size_t p = 0; p < sizeof palettes / sizeof *palettes; p++) {
        struct terminal t = open_terminal(WIDTH, HEIGHT);
        struct canvas now;
        struct canvas before;
        canvas_init(&now);
        canvas_init(&before);
        canvas_resize(&now, WIDTH, HEIGHT);
        for (uint64_t i = 0; i < FRAMES; i++) {
            struct text out = { 0 };
            scribble(&now, i);
            export_cast_changes(&out, &now, &before,
                                (struct export_look){ UI_THEME_DARK, palettes[p] });
            (void)vterm_input_write(t.vt, text_str(&out), out.len);
            assert_shows(&t, &now, palettes[p]);
            canvas_copy(&before, &now);
            text_finish(&out);
        }
        canvas_finish(&now);
        canvas_finish(&before);
        vterm_free(t.vt);
    }
}

static void what_is_the_same_is_not_sent(void **state)
{
    (void)state;
    struct text out = { 0 };
    struct canvas now;
    struct canvas before;
    canvas_init(&now);
    canvas_init(&before);
    canvas_resize(&now, WIDTH, HEIGHT);
    scribble(&now, 1);
    canvas_copy(&before, &now);
    export_cast_changes(&out, &now, &before, (struct export_look){ UI_THEME_DARK, UI_PALETTE_256 });
    assert_int_equal(out.len, 0);
    canvas_clear(&now);
    canvas_clear(&before);
    canvas_text(&now, 3, 2, UI_ROLE_PAUSE, "PP");
    export_cast_changes(&out, &now, &before, (struct export_look){ UI_THEME_DARK, UI_PALETTE_256 });
    assert_string_equal(text_str(&out), "\033[3;4H\033[0;7;38;5;214mPP");
    text_finish(&out);
    canvas_finish(&now);
    canvas_finish(&before);
}

/* ---- the file -------------------------------------------------------------------------------- */

static void a_file_as_asciinema_reads_it(void **state)
{
    (void)state;
    char path[] = "/tmp/weft-test-cast.XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    struct sink *sink = sink_open(path, &(struct sink_options){ .replace = true }, NULL);
    struct export_cast *cast = export_cast_create(
        sink, (struct export_look){ UI_THEME_DARK, UI_PALETTE_MONO }, "a \"title\"");
    struct canvas c;
    canvas_init(&c);
    canvas_resize(&c, 3, 1);
    canvas_text(&c, 0, 0, UI_ROLE_DEFAULT, "\"\\é");
    assert_true(export_cast_mark(cast, "card 1", 0));
    assert_true(export_cast_add(cast, &c, 0));
    assert_true(export_cast_add(cast, &c, 500)); /* nothing new */
    canvas_text(&c, 1, 0, UI_ROLE_TITLE, "b");
    assert_true(export_cast_add(cast, &c, 1050));
    assert_true(export_cast_end(cast, 3000));
    assert_true(sink_close(sink, NULL));
    sink_destroy(sink);
    export_cast_destroy(cast);
    canvas_finish(&c);
    char *data = NULL;
    size_t size;
    assert_true(file_read(path, 10000, &data, &size, NULL));
    assert_string_equal(
        data, "{\"version\":2,\"width\":3,\"height\":1,\"title\":\"a \\\"title\\\"\","
              "\"env\":{\"TERM\":\"xterm-256color\"}}\n"
              "[0.000,\"m\",\"card 1\"]\n"
              "[0.000,\"o\",\"\\u001b[0m\\u001b[2J\\u001b[?25l\\u001b[1;1H\\u001b[0m\\\"\\\\é\"]\n"
              "[1.050,\"o\",\"\\u001b[1;2H\\u001b[0;1mb\"]\n"
              "[3.000,\"o\",\"\\u001b[0m\\u001b[?25h\"]\n");
    free(data);
    (void)unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_terminal_follows),
        cmocka_unit_test(what_is_the_same_is_not_sent),
        cmocka_unit_test(a_file_as_asciinema_reads_it),
    };
    return cmocka_run_group_tests_name("export/cast", tests, NULL, NULL);
}
