/*
 * Keys: bytes from the terminal in, one number a key out.
 *
 * A key is a Unicode code point, or one of the names below for what has none. Control keys are
 * TERM_KEY_CTRL('c'). Alt has no meaning of its own here: Alt-x is what a quick Esc x sends, and is
 * given back as these two keys.
 *
 * Not keys, and swallowed: pasted text (all of it), focus reports, cursor reports that come late,
 * sequences nobody knows; of the mouse, whatever is neither a click of the first button nor the wheel.
 *
 * An escape byte may be the key Esc or the begin of a sequence. While that is open,
 * term_keys_waiting() is true; when TERM_KEY_ESC_MS have passed without a further byte, call
 * term_keys_timeout().
 */
#ifndef WEFT_TERM_KEY_H
#define WEFT_TERM_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#define TERM_KEY_NAMES(X)              \
    X(TERM_KEY_ENTER,     "Enter")     \
    X(TERM_KEY_TAB,       "Tab")       \
    X(TERM_KEY_BACKTAB,   "Shift-Tab") \
    X(TERM_KEY_ESC,       "Esc")       \
    X(TERM_KEY_BACKSPACE, "Backspace") \
    X(TERM_KEY_DELETE,    "Delete")    \
    X(TERM_KEY_UP,        "Up")        \
    X(TERM_KEY_DOWN,      "Down")      \
    X(TERM_KEY_LEFT,      "Left")      \
    X(TERM_KEY_RIGHT,     "Right")     \
    X(TERM_KEY_HOME,      "Home")      \
    X(TERM_KEY_END,       "End")       \
    X(TERM_KEY_PAGEUP,    "PgUp")      \
    X(TERM_KEY_PAGEDOWN,  "PgDn")
/* clang-format on */

enum term_key_name {
    TERM_KEY_NONE = 0,
    TERM_KEY_FIRST = 0x110000, /* behind the last code point */
#define X(id, name) id,
    TERM_KEY_NAMES(X)
#undef X
        TERM_KEY_LAST,
    TERM_KEY_MOUSE, /* ask term_keys_mouse() which */
};

enum term_mouse_what { TERM_MOUSE_CLICK, TERM_MOUSE_WHEEL_UP, TERM_MOUSE_WHEEL_DOWN };

struct term_mouse {
    enum term_mouse_what what;
    int x, y; /* the cell, from 0 */
};

#define TERM_KEY_CTRL(letter) (UINT32_C(0x200000) | (uint32_t)(letter))

enum { TERM_KEY_ESC_MS = 80 };

struct term_keys;

/* `term` is the terminfo name. */
struct term_keys *term_keys_create(const char *term);
void term_keys_destroy(struct term_keys *keys);

/* Feeds bytes. Take all keys out (term_keys_next) before feeding again: the number taken in is
 * returned and may be smaller than `len`. */
size_t term_keys_push(struct term_keys *keys, const char *bytes, size_t len);

/* The next whole key, or TERM_KEY_NONE. */
uint32_t term_keys_next(struct term_keys *keys);

/* What the mouse did when TERM_KEY_MOUSE came last. */
struct term_mouse term_keys_mouse(const struct term_keys *keys);

bool term_keys_waiting(const struct term_keys *keys);
void term_keys_timeout(struct term_keys *keys);

/* "Ctrl-C", "Left", "space", "x": for help and footers. Returns `buf`. */
const char *term_key_text(uint32_t key, char *buf, size_t size);

/* The other way round, small and capital letters of names alike: "esc", "Ctrl-x", "x", "é". False: this is no
 * key, or one that terminals do not tell from another (Ctrl-I is Tab, Ctrl-M and Ctrl-J are Enter, Ctrl-[
 * is Esc). */
bool term_key_parse(const char *text, size_t len, uint32_t *key);

#endif
