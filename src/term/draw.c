#define _GNU_SOURCE /* memfd_create */

#include "term/draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
#include <utf8proc.h>

#include "base/mem.h"

/* A frame larger than this is cut: no screen has so many cells, and the cost stays bounded. */
enum { MAX_COLS = 1000, MAX_ROWS = 400 };

struct term_draw {
    int fd; /* the file in memory */
    FILE *out, *in;
    SCREEN *screen;
    enum ui_theme theme;
    enum ui_palette palette;
    struct canvas shown; /* what the terminal shows */
    bool forgotten;      /* it shows something else: paint all */
    bool doubted;        /* it may: write all */
    struct text enter, leave;
    char *taken; /* the bytes of one frame */
    size_t taken_cap;
};

static int memory_file(void)
{
#ifdef __linux__
    return memfd_create("weft-frame", MFD_CLOEXEC);
#else
    char name[] = "/tmp/weft-frame-XXXXXX";
    int fd = mkstemp(name);
    if (fd >= 0) {
        unlink(name);
    }
    return fd;
#endif
}

/* Takes what curses has written since the last time. */
static size_t take_output(struct term_draw *draw)
{
    fflush(draw->out);
    off_t size = lseek(draw->fd, 0, SEEK_CUR);
    if (size <= 0) {
        return 0;
    }
    draw->taken = mem_grow(draw->taken, &draw->taken_cap, (size_t)size, 1);
    ssize_t n = pread(draw->fd, draw->taken, (size_t)size, 0);
    lseek(draw->fd, 0, SEEK_SET);
    return n > 0 ? (size_t)n : 0;
}

/* A terminfo string without its padding ("$<5>"), which no terminal of today needs. */
static bool add_capability(struct text *out, const char *name)
{
    /* The parameter lacks a const for historical reasons; it is not written to. */
    const char *s = tigetstr(name);
    if (s == NULL || s == (const char *)-1) {
        return false;
    }
    while (*s != '\0') {
        const char *end = s[0] == '$' && s[1] == '<' ? strchr(s, '>') : NULL;
        if (end != NULL) {
            s = end + 1;
        } else {
            text_add_n(out, s++, 1);
        }
    }
    return true;
}

/* Bracketed paste is switched on so that pasted text can be told from keys, and ignored. */
static void make_strings(struct term_draw *draw)
{
    add_capability(&draw->enter, "smcup");
    add_capability(&draw->enter, "civis");
    text_add(&draw->enter, "\033[?2004h");

    text_add(&draw->leave, "\033[?2004l");
    add_capability(&draw->leave, "sgr0");
    add_capability(&draw->leave, "cnorm");
    if (!add_capability(&draw->leave, "rmcup")) {
        add_capability(&draw->leave, "clear");
    }
}

void term_draw_mouse(struct term_draw *draw)
{
    struct text leave = { 0 };
    text_add(&draw->enter, "\033[?1000h\033[?1006h");
    text_addf(&leave, "\033[?1006l\033[?1000l%s", text_str(&draw->leave));
    text_finish(&draw->leave);
    draw->leave = leave;
}

static void make_pairs(struct term_draw *draw)
{
    if (draw->palette == UI_PALETTE_MONO || !has_colors() || start_color() != OK) {
        draw->palette = UI_PALETTE_MONO;
        return;
    }
    use_default_colors();
    if (draw->palette == UI_PALETTE_TRUE && COLORS < 1 << 24) {
        draw->palette = UI_PALETTE_256;
    }
    if (COLORS < 256 && draw->palette == UI_PALETTE_256) {
        draw->palette = UI_PALETTE_16;
    }
    for (int role = 0; role < UI_ROLE_COUNT; role++) {
        struct ui_style style = ui_theme_style((enum ui_role)role, draw->theme, draw->palette);
        int fg = style.fg >= 8 && COLORS < 16 ? style.fg - 8 : style.fg;
        if (fg >= 0 && role + 1 < COLOR_PAIRS) {
            init_extended_pair(role + 1, fg, -1);
        }
    }
}

/* newterm() would find out as well, but forget some memory then. */
static bool is_known(const char *name)
{
    int why = 0;
    if (setupterm(name, STDOUT_FILENO, &why) != OK) {
        return false;
    }
    del_curterm(cur_term);
    return true;
}

struct term_draw *term_draw_create(const char *name, enum ui_theme theme, enum ui_palette palette)
{
    struct term_draw *draw = mem_alloc(1, sizeof *draw);
    draw->theme = theme;
    draw->palette = palette;
    canvas_init(&draw->shown);
    draw->fd = memory_file();
    draw->out = draw->fd >= 0 ? fdopen(draw->fd, "w+") : NULL;
    draw->in = fopen("/dev/null", "r");
    if (draw->out != NULL && draw->in != NULL && is_known(name)) {
        draw->screen = newterm(name, draw->out, draw->in);
    }
    if (draw->screen == NULL) {
        term_draw_destroy(draw);
        return NULL;
    }
    typeahead(-1);
    nonl();
    noecho();
    leaveok(stdscr, TRUE);
    scrollok(stdscr, FALSE);
    curs_set(0);
    make_pairs(draw);
    make_strings(draw);
    /* Entering and leaving are ours; what curses says about that is thrown away. */
    refresh();
    take_output(draw);
    draw->forgotten = true;
    return draw;
}

void term_draw_destroy(struct term_draw *draw)
{
    if (draw == NULL) {
        return;
    }
    if (draw->screen != NULL) {
        endwin(); /* into the memory file, unread */
        delscreen(draw->screen);
    }
    if (draw->out != NULL) {
        fclose(draw->out);
    } else if (draw->fd >= 0) {
        close(draw->fd);
    }
    if (draw->in != NULL) {
        fclose(draw->in);
    }
    canvas_finish(&draw->shown);
    text_finish(&draw->enter);
    text_finish(&draw->leave);
    free(draw->taken);
    free(draw);
}

int term_draw_colors(const struct term_draw *draw)
{
    (void)draw; /* curses knows one terminal at a time */
    const int colors = tigetnum("colors");
    return colors > 0 ? colors : 0;
}

enum ui_palette term_draw_palette(const struct term_draw *draw)
{
    return draw->palette;
}

const char *term_draw_enter(const struct term_draw *draw)
{
    return text_str(&draw->enter);
}

const char *term_draw_leave(const struct term_draw *draw)
{
    return text_str(&draw->leave);
}

void term_draw_forget(struct term_draw *draw)
{
    draw->forgotten = true;
}

void term_draw_doubt(struct term_draw *draw)
{
    draw->doubted = true;
}

static attr_t attributes(uint8_t attr)
{
    attr_t a = A_NORMAL;
    a |= (attr & UI_BOLD) != 0 ? A_BOLD : A_NORMAL;
    a |= (attr & UI_DIM) != 0 ? A_DIM : A_NORMAL;
    a |= (attr & UI_UNDERLINE) != 0 ? A_UNDERLINE : A_NORMAL;
    a |= (attr & UI_REVERSE) != 0 ? A_REVERSE : A_NORMAL;
    return a;
}

/*
 * One cluster as curses wants it: a character and at most four marks on it. What the C library
 * counts otherwise than we do (flags, joined emoji) would shift the rest of the row; it becomes
 * a question mark of the right width.
 */
static void glyph_to_wide(const char *glyph, int cells, wchar_t wide[CCHARW_MAX + 1])
{
    size_t n = 0;
    const utf8proc_uint8_t *s = (const utf8proc_uint8_t *)glyph;
    while (*s != 0 && n < CCHARW_MAX) {
        utf8proc_int32_t c = 0;
        utf8proc_ssize_t len = utf8proc_iterate(s, -1, &c);
        if (len <= 0) {
            break;
        }
        s += len;
        if (n == 0 || wcwidth((wchar_t)c) == 0) {
            wide[n++] = (wchar_t)c;
        }
    }
    wide[n] = L'\0';
    if (n == 0 || wcwidth(wide[0]) != cells) {
        wide[0] = n == 0 ? L' ' : L'?';
        wide[1] = L'\0';
    }
}

static void put_cell(const struct term_draw *draw, const struct canvas *canvas, int x, int y)
{
    const struct ui_cell *cell = canvas_at(canvas, x, y);
    if (cell->glyph[0] == '\0') {
        return; /* the right half: drawn with its left one */
    }
    const struct ui_cell *right = canvas_at(canvas, x + 1, y);
    int cells = right != NULL && right->glyph[0] == '\0' ? 2 : 1;
    wchar_t wide[CCHARW_MAX + 1];
    glyph_to_wide(cell->glyph, cells, wide);

    struct ui_style style = ui_theme_style((enum ui_role)cell->role, draw->theme, draw->palette);
    attr_t attr = attributes((uint8_t)(style.attr | cell->attr));
    short pair = style.fg >= 0 ? (short)(cell->role + 1) : 0;
    cchar_t out;
    if (setcchar(&out, wide, attr, pair, NULL) != OK) {
        setcchar(&out, L"?", attr, pair, NULL);
    }
    mvadd_wch(y, x, &out);
    if (cells == 2 && wcwidth(wide[0]) == 1) {
        setcchar(&out, L" ", attr, pair, NULL);
        mvadd_wch(y, x + 1, &out);
    }
}

/* A wide cluster is drawn from its left half, so a changed right half asks for the left one. */
static bool put_changes(struct term_draw *draw, const struct canvas *canvas, int rows, int cols)
{
    bool any = false;
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < cols; x++) {
            if (draw->forgotten || canvas_differs(canvas, &draw->shown, x, y)) {
                put_cell(draw, canvas, x, y);
                any = true;
            }
        }
    }
    return any;
}

/* What follows `with` at `s`, or NULL where something else stands. */
static const char *after(const char *s, const char *end, const char *with)
{
    const size_t n = strlen(with);
    return (size_t)(end - s) >= n && memcmp(s, with, n) == 0 ? s + n : NULL;
}

/*
 * Curses takes back more than it must, a tenth of all bytes: the colour, when all attributes go right
 * after it anyway, and each time the character set, which nobody here ever changes.
 */
static void squeeze(struct text *out, const char *s, size_t n)
{
    static const char set[] = "\033(B";
    const char *const end = s + n;
    while (s < end) {
        const char *next = memchr(s + 1, '\033', (size_t)(end - s - 1));
        next = next != NULL ? next : end;
        const char *rest = after(s, end, "\033[39m");
        const char *off =
            rest != NULL && after(rest, end, set) != NULL ? after(rest, end, set) : rest;
        const bool idle =
            off != NULL && (after(off, end, "\033[m") != NULL || after(off, end, "\033[0") != NULL);
        const char *from = after(s, end, set) != NULL ? after(s, end, set) : s;
        if (!idle) {
            text_add_n(out, from, (size_t)(next - from));
        }
        s = next;
    }
}

void term_draw_frame(struct term_draw *draw, const struct canvas *canvas, struct text *out)
{
    int cols = canvas->w < MAX_COLS ? canvas->w : MAX_COLS;
    int rows = canvas->h < MAX_ROWS ? canvas->h : MAX_ROWS;
    if (cols < 1 || rows < 1) {
        return;
    }
    int old_rows, old_cols;
    getmaxyx(stdscr, old_rows, old_cols);
    if (old_rows != rows || old_cols != cols) {
        resize_term(rows, cols);
        draw->forgotten = true;
    }
    if (draw->forgotten) {
        erase();
        clearok(curscr, TRUE);
    } else if (draw->doubted) {
        redrawwin(stdscr);
    }
    if (!put_changes(draw, canvas, rows, cols) && !draw->doubted) {
        return;
    }
    refresh();
    size_t n = take_output(draw);
    squeeze(out, draw->taken, n);
    canvas_copy(&draw->shown, canvas);
    draw->forgotten = draw->doubted = false;
}
