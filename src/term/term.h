/*
 * The terminal: keys in, changed cells out.
 *
 *     term_open --> term_read, term_key ...   on readable
 *                   term_present              when there is a new frame
 *                   term_flush                on writable, while term_sending()
 *               --> term_close
 *
 * Nothing here blocks once it is open, and nothing here has a clock or a loop: the caller polls
 * term_fd() and keeps the Esc timer (see term_key_waiting). A slow line slows the frame rate and
 * nothing else: a frame is accepted only when the one before has left.
 *
 * On every way out - return, error, fatal signal - the terminal is put back exactly once: modes,
 * alternate screen, cursor, paste and mouse mode. See tty.h.
 */
#ifndef WEFT_TERM_TERM_H
#define WEFT_TERM_TERM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "term/key.h"
#include "ui/canvas.h"
#include "ui/theme.h"

struct term;

enum term_charset {
    TERM_CHARSET_AUTO, /* Unicode where locale and terminal draw it one column wide */
    TERM_CHARSET_ASCII,
    TERM_CHARSET_UNICODE,
};

enum term_color {
    TERM_COLOR_AUTO, /* as many as there are (below); none when NO_COLOR is set */
    TERM_COLOR_NONE,
    TERM_COLOR_16,
    TERM_COLOR_256,
    TERM_COLOR_TRUE,
};

struct term_options {
    enum term_charset charset;
    enum term_color color;
    bool mouse;          /* clicks and the wheel are reported; Shift then selects text, as always */
    enum ui_theme theme; /* UI_THEME_COUNT: light where COLORFGBG ends so, else dark */
};

/*
 * How many colours: what the terminfo entry of TERM says. Where that is less than is wanted, by name or
 * because COLORTERM says "truecolor", the entry's sister is taken: xterm-direct, xterm-256color.
 *
 * Takes the terminal over. Fails without having touched it when there is none, or when TERM says
 * nothing useful (unset, empty, dumb, unknown): the message then names --plain.
 */
struct term *term_open(const struct term_options *options, struct err *err);

/* What a terminal of that name can do, and how wide it draws: for reports about it. */
struct term_facts {
    const char *name;  /* TERM; NULL: not set. Lives as long as the environment does not change */
    char entry[48];    /* the terminfo entry that is used; "": none is known */
    int colors;        /* how many that entry has */
    char codeset[32];  /* of the locale: "UTF-8" */
    bool no_locale;    /* the environment names one that is not installed */
    bool there;        /* a terminal could be opened */
    int rows, cols;    /* 24 and 80 where none could */
    bool asked;        /* the question was put */
    int block_columns; /* the answer: how wide it draws a block; 0: none in time */
    bool ascii;        /* frames would use the ASCII set */
};

/*
 * Looks without taking the screen over. With `ask` it puts one question to the terminal, takes back what
 * it wrote for that and leaves the line as it was; returns within about a tenth of a second.
 */
void term_examine(const struct term_options *options, bool ask, struct term_facts *facts);

/* Gives it back. Takes NULL. */
void term_close(struct term *term);

/* One line about something that was not as wished ("TERM=xterm-kitty is not known here ..."), or
 * NULL. For the status line, once. */
const char *term_note(const struct term *term);

/* For polling only. */
int term_fd(const struct term *term);

/* True when frames must use the ASCII set. */
bool term_ascii(const struct term *term);

/* Rows and columns now: one ioctl. Ask once a frame. */
void term_size(const struct term *term, int *rows, int *cols);

/* Shows a frame. False: the frame before is still on its way, try again when it has left. */
bool term_present(struct term *term, const struct canvas *canvas);

/* Bytes are waiting for room on the line: poll for writable, then term_flush(). */
bool term_sending(const struct term *term);
void term_flush(struct term *term);

/* Takes what was typed; true when there was something. Then take keys until TERM_KEY_NONE. */
bool term_read(struct term *term);
uint32_t term_key(struct term *term);
/* What the mouse did, after TERM_KEY_MOUSE. */
struct term_mouse term_mouse(const struct term *term);

/* Half a key sequence is in: start a timer of TERM_KEY_ESC_MS, anew when term_read() took something;
 * when it ends, call term_key_timeout() and take keys. */
bool term_key_waiting(const struct term *term);
void term_key_timeout(struct term *term);

/* The window was closed, the line was cut: nothing more will come. Quit. */
bool term_gone(const struct term *term);

/* Before the process stops (Ctrl-Z) and after it goes on. While suspended nothing is written.
 * Resume on every SIGCONT, also when we did not suspend: the next frame then paints all, and the
 * modes are set again if somebody changed them. False: not the foreground job, still suspended. */
void term_suspend(struct term *term);
bool term_resume(struct term *term);

/* Ctrl-L: the next frame clears the screen and paints every cell. */
void term_repaint(struct term *term);

/* After a resize signal that left the size as it was: the window may have been small in between,
 * and have lost what was on it. The next frame writes every cell again, without clearing. */
void term_doubt(struct term *term);

#endif
