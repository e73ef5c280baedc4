#include "term/term.h"

#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/text.h"
#include "term/draw.h"
#include "term/tty.h"

enum { PROBE_MS = 100, ENTER_MS = 1000, INPUT_BYTES = 4096 };

struct term {
    struct term_tty *tty;
    struct term_draw *draw;
    struct term_keys *keys;
    struct text out; /* bytes of the frame being sent */
    size_t sent;
    char input[INPUT_BYTES]; /* read, not yet decoded */
    size_t input_at, input_end;
    bool ascii, gone, suspended;
    char note[160];
};

/* ---- opening ---------------------------------------------------------------------------------- */

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

/* A terminal that says so of itself; only TERM tells whether it is still the one in front (ssh, su). */
static bool claims_true_color(void)
{
    const char *claim = getenv("COLORTERM");
    return claim != NULL && (strcmp(claim, "truecolor") == 0 || strcmp(claim, "24bit") == 0);
}

static enum ui_palette palette_wanted(enum term_color color)
{
    switch (color) {
    case TERM_COLOR_NONE:
        return UI_PALETTE_MONO;
    case TERM_COLOR_16:
        return UI_PALETTE_16;
    case TERM_COLOR_256:
        return UI_PALETTE_256;
    case TERM_COLOR_TRUE:
        return UI_PALETTE_TRUE;
    case TERM_COLOR_AUTO:
        break;
    }
    return is_set("NO_COLOR")    ? UI_PALETTE_MONO
           : claims_true_color() ? UI_PALETTE_TRUE
                                 : UI_PALETTE_256;
}

/* COLORFGBG is "foreground;background", sometimes with a word between them: 7 and 15 are light. */
static enum ui_theme theme_wanted(enum ui_theme theme)
{
    const char *colors = getenv("COLORFGBG");
    const char *back = colors != NULL ? strrchr(colors, ';') : NULL;
    if (theme != UI_THEME_COUNT) {
        return theme;
    }
    return back != NULL && (strcmp(back, ";7") == 0 || strcmp(back, ";15") == 0) ? UI_THEME_LIGHT
                                                                                 : UI_THEME_DARK;
}

/* "xterm" and "xterm-256color" with "-direct": "xterm-direct". */
static struct term_draw *open_sister(const char *name, const char *suffix, enum ui_theme theme,
                                     enum ui_palette palette)
{
    char sister[64];
    const char *dash = strrchr(name, '-');
    const size_t stem =
        dash != NULL && strcmp(dash, "-256color") == 0 ? (size_t)(dash - name) : strlen(name);
    (void)snprintf(sister, sizeof sister, "%.*s%s", (int)(stem < 48 ? stem : 48), name, suffix);
    return term_draw_create(sister, theme, palette);
}

/* Under this name, or that of a sister with more colours if so many are wanted: not by default, where less
 * than 256 may well be all there is. */
static struct term_draw *open_entry(const char *name, enum ui_theme theme, enum ui_palette palette,
                                    bool insist)
{
    struct term_draw *draw =
        palette == UI_PALETTE_TRUE ? open_sister(name, "-direct", theme, palette) : NULL;
    if (draw != NULL) {
        return draw;
    }
    draw = term_draw_create(name, theme, palette);
    if (draw != NULL && insist && palette >= UI_PALETTE_256 && term_draw_colors(draw) < 256) {
        term_draw_destroy(draw); /* curses knows one terminal at a time */
        draw = open_sister(name, "-256color", theme, palette);
        draw = draw != NULL ? draw : term_draw_create(name, theme, palette);
    }
    return draw;
}

/* Opens curses under the name in TERM or, for xterm's many children, under their parent's; returns the
 * name that it knew, or NULL. */
static const char *open_draw(struct term *term, const struct term_options *options, struct err *err)
{
    const char *name = getenv("TERM");
    if (name == NULL || name[0] == '\0' || strcmp(name, "dumb") == 0) {
        (void)err_set(err, ERR_IO,
                      "TERM is %s: nothing is known about this terminal; set TERM=xterm-256color "
                      "if it can do that, or use --plain",
                      name == NULL      ? "not set"
                      : name[0] == '\0' ? "empty"
                                        : "dumb");
        return NULL;
    }
    static const char *const parents[] = { "xterm-256color", "xterm" };
    const enum ui_palette palette = palette_wanted(options->color);
    const enum ui_theme theme = theme_wanted(options->theme);
    const bool insist = options->color != TERM_COLOR_AUTO || claims_true_color();
    const char *used = name;
    term->draw = open_entry(name, theme, palette, insist);
    if (strncmp(name, "xterm-", 6) == 0) {
        for (size_t i = 0; i < 2 && term->draw == NULL; i++) {
            used = parents[i];
            term->draw = open_entry(used, theme, palette, insist);
        }
    }
    if (term->draw == NULL) {
        (void)err_set(err, ERR_IO,
                      "TERM=%s names no terminal this system knows; set TERM=xterm-256color if it "
                      "can do that, or use --plain",
                      name);
        return NULL;
    }
    if (used != name) {
        snprintf(term->note, sizeof term->note, "TERM=%.40s is not known here: using %s", name,
                 used);
    }
    term->keys = term_keys_create(used);
    return used;
}

static bool utf8_locale(enum term_charset charset)
{
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0 && charset == TERM_CHARSET_UNICODE) {
        setlocale(LC_CTYPE, "C.UTF-8"); /* asked for by name: curses must be able to write it */
    }
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static long elapsed_ms(const struct timespec *since)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)(now.tv_sec - since->tv_sec) * 1000 + (now.tv_nsec - since->tv_nsec) / 1000000;
}

/* Finds "ESC [ row ; col R" in what was typed, takes it out, and returns col; 0: not there. */
static int take_cursor_report(struct term *term)
{
    char *begin = term->input + term->input_at;
    char *end = term->input + term->input_end;
    for (char *s = begin; s + 5 < end; s++) {
        int row = 0, col = 0, used = 0;
        char copy[32] = { 0 };
        memcpy(copy, s, (size_t)(end - s) < sizeof copy - 1 ? (size_t)(end - s) : sizeof copy - 1);
        if (sscanf(copy, "\033[%5d;%5dR%n", &row, &col, &used) == 2 && used > 0) {
            memmove(s, s + used, (size_t)(end - s - used));
            term->input_end -= (size_t)used;
            return col;
        }
    }
    return 0;
}

/*
 * Box drawing and blocks are of "ambiguous" width: one column in most terminals, two in some set up
 * for East Asian text, where every row would then be out of line. So one is printed and the
 * terminal asked where its cursor is. One that does not answer in time counts as usual; its late
 * answer looks like F3 to the decoder, which means nothing. 0: no answer.
 */
static int columns_of_block(struct term *term)
{
    static const char question[] = "\r\xe2\x96\x88\033[6n";
    term_tty_write_all(term->tty, question, sizeof question - 1, PROBE_MS);
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    int column = 0;
    for (long left = PROBE_MS; left > 0 && column == 0; left = PROBE_MS - elapsed_ms(&start)) {
        struct pollfd p = { .fd = term_tty_fd(term->tty), .events = POLLIN };
        if (poll(&p, 1, (int)left) <= 0 || term->input_end == sizeof term->input) {
            break;
        }
        long n = term_tty_read(term->tty, term->input + term->input_end,
                               sizeof term->input - term->input_end);
        if (n < 0) {
            term->gone = true;
            break;
        }
        term->input_end += (size_t)n;
        column = take_cursor_report(term);
    }
    return column > 0 ? column - 1 : 0;
}

static void choose_charset(struct term *term, enum term_charset charset, bool utf8)
{
    switch (charset) {
    case TERM_CHARSET_ASCII:
        term->ascii = true;
        break;
    case TERM_CHARSET_UNICODE:
        term->ascii = !utf8;
        break;
    case TERM_CHARSET_AUTO:
        term->ascii = !utf8 || columns_of_block(term) == 2;
        break;
    }
}

static void enter(struct term *term)
{
    const char *bytes = term_draw_enter(term->draw);
    term_tty_write_all(term->tty, bytes, strlen(bytes), ENTER_MS);
    term_draw_forget(term->draw);
}

struct term *term_open(const struct term_options *options, struct err *err)
{
    struct term *term = mem_alloc(1, sizeof *term);
    bool utf8 = utf8_locale(options->charset);
    if (open_draw(term, options, err) == NULL) {
        term_close(term);
        return NULL;
    }
    if (options->mouse) {
        term_draw_mouse(term->draw);
    }
    term->tty = term_tty_open(err);
    if (term->tty == NULL) {
        term_close(term);
        return NULL;
    }
    term_tty_set_leave(term->tty, term_draw_leave(term->draw));
    if (!term_tty_raw(term->tty)) {
        err_set(err, ERR_IO, "the terminal refuses to be set up; --plain needs no screen");
        term_close(term);
        return NULL;
    }
    enter(term);
    choose_charset(term, options->charset, utf8);
    return term;
}

/* What was drawn for the question is wiped, and what else was typed meanwhile is dropped. */
static void ask_width(struct term *term, struct term_facts *facts)
{
    static const char wipe[] = "\r  \r";
    facts->asked = true;
    facts->block_columns = columns_of_block(term);
    term_tty_write_all(term->tty, wipe, sizeof wipe - 1, PROBE_MS);
}

void term_examine(const struct term_options *options, bool ask, struct term_facts *facts)
{
    struct term *term = mem_alloc(1, sizeof *term);
    struct err err = { 0 };
    *facts = (struct term_facts){
        .name = getenv("TERM"), .no_locale = setlocale(LC_CTYPE, "") == NULL, .rows = 24, .cols = 80
    };
    const bool utf8 = utf8_locale(options->charset);
    (void)snprintf(facts->codeset, sizeof facts->codeset, "%s", nl_langinfo(CODESET));
    const char *entry = open_draw(term, options, &err);
    if (entry != NULL) {
        (void)snprintf(facts->entry, sizeof facts->entry, "%s", entry);
        facts->colors = term_draw_colors(term->draw);
        term->tty = term_tty_open(&err);
    }
    facts->there = term->tty != NULL;
    if (facts->there) {
        term_tty_size(term->tty, &facts->rows, &facts->cols);
        if (ask && utf8 && term_tty_foreground(term->tty) && term_tty_raw(term->tty)) {
            ask_width(term, facts);
        }
    }
    facts->ascii = !utf8 || options->charset == TERM_CHARSET_ASCII ||
                   (options->charset == TERM_CHARSET_AUTO && facts->block_columns == 2);
    term_close(term);
}

void term_close(struct term *term)
{
    if (term == NULL) {
        return;
    }
    term_tty_close(term->tty);
    term_draw_destroy(term->draw);
    term_keys_destroy(term->keys);
    text_finish(&term->out);
    free(term);
}

const char *term_note(const struct term *term)
{
    return term->note[0] != '\0' ? term->note : NULL;
}

int term_fd(const struct term *term)
{
    return term_tty_fd(term->tty);
}

bool term_ascii(const struct term *term)
{
    return term->ascii;
}

void term_size(const struct term *term, int *rows, int *cols)
{
    term_tty_size(term->tty, rows, cols);
}

bool term_gone(const struct term *term)
{
    return term->gone;
}

/* ---- out -------------------------------------------------------------------------------------- */

bool term_sending(const struct term *term)
{
    return !term->gone && term->sent < term->out.len;
}

void term_flush(struct term *term)
{
    while (term_sending(term) && !term->suspended) {
        long n = term_tty_write(term->tty, term->out.s + term->sent, term->out.len - term->sent);
        if (n == 0) {
            return;
        }
        if (n < 0) {
            term->gone = true;
            return;
        }
        term->sent += (size_t)n;
    }
}

bool term_present(struct term *term, const struct canvas *canvas)
{
    term_flush(term);
    if (term->gone || term->suspended || term_sending(term)) {
        return false;
    }
    text_clear(&term->out);
    term->sent = 0;
    term_draw_frame(term->draw, canvas, &term->out);
    term_flush(term);
    return true;
}

void term_repaint(struct term *term)
{
    term_draw_forget(term->draw);
}

void term_doubt(struct term *term)
{
    term_draw_doubt(term->draw);
}

/* ---- in --------------------------------------------------------------------------------------- */

/* Moves typed bytes on to the decoder, as many as it takes. */
static void feed(struct term *term)
{
    if (term->input_at < term->input_end) {
        term->input_at += term_keys_push(term->keys, term->input + term->input_at,
                                         term->input_end - term->input_at);
    }
    if (term->input_at == term->input_end) {
        term->input_at = term->input_end = 0;
    }
}

bool term_read(struct term *term)
{
    if (term->input_at > 0 || term->input_end == sizeof term->input) {
        return false; /* the keys of the last time are not all taken yet */
    }
    long n = term_tty_read(term->tty, term->input + term->input_end,
                           sizeof term->input - term->input_end);
    if (n < 0) {
        term->gone = true;
        return false;
    }
    term->input_end += (size_t)n;
    return n > 0;
}

uint32_t term_key(struct term *term)
{
    for (;;) {
        feed(term);
        uint32_t key = term_keys_next(term->keys);
        if (key != TERM_KEY_NONE || term->input_end == 0) {
            return key;
        }
        size_t before = term->input_at;
        feed(term);
        if (term->input_at == before && term->input_end != 0) {
            return TERM_KEY_NONE; /* the decoder takes no more until it knows how this ends */
        }
    }
}

struct term_mouse term_mouse(const struct term *term)
{
    return term_keys_mouse(term->keys);
}

bool term_key_waiting(const struct term *term)
{
    return term_keys_waiting(term->keys);
}

void term_key_timeout(struct term *term)
{
    term_keys_timeout(term->keys);
}

/* ---- stopping and going on --------------------------------------------------------------------- */

void term_suspend(struct term *term)
{
    if (!term->suspended) {
        term->suspended = true;
        term->sent = term->out.len; /* the rest of a frame nobody will see */
        term_tty_restore(term->tty);
    }
}

bool term_resume(struct term *term)
{
    if (!term_tty_foreground(term->tty)) {
        term->suspended = true;
        return false;
    }
    if (!term->suspended && term_tty_is_raw(term->tty)) {
        term_draw_forget(term->draw); /* somebody else may have drawn */
        return true;
    }
    term_tty_restore(term->tty);
    if (!term_tty_raw(term->tty)) {
        term->gone = true;
        return false;
    }
    term->suspended = false;
    enter(term);
    return true;
}
