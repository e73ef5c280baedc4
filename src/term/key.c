#include "term/key.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <termkey.h>
#include <utf8proc.h>

#include "base/mem.h"

struct term_keys {
    TermKey *termkey;
    bool waiting;            /* half a sequence is in the buffer */
    bool forced;             /* the next look takes it as it is */
    bool pasting;            /* between the two marks of a bracketed paste */
    size_t paste_match;      /* bytes of the end mark seen */
    uint32_t pending;        /* second half of Alt-x */
    struct term_mouse mouse; /* as it was reported last */
};

/* Newer terminfo entries name the begin of a mouse report that libtermkey takes for another kind of
 * it, three bytes long. It knows the real ones without being told. */
static const char *hide_mouse(const char *name, const char *value, void *data)
{
    (void)data;
    return strcmp(name, "key_mouse") == 0 ? NULL : value;
}

struct term_keys *term_keys_create(const char *term)
{
    enum { FLAGS = TERMKEY_FLAG_UTF8 | TERMKEY_FLAG_CTRLC | TERMKEY_FLAG_NOSTART };
    struct term_keys *keys = mem_alloc(1, sizeof *keys);
    keys->termkey = termkey_new_abstract(term, FLAGS);
    if (keys->termkey == NULL) {
        keys->termkey = termkey_new_abstract("vt100", FLAGS);
    }
    if (keys->termkey != NULL) {
        termkey_hook_terminfo_getstr(keys->termkey, hide_mouse, NULL);
        termkey_start(keys->termkey);
        termkey_set_canonflags(keys->termkey, TERMKEY_CANON_DELBS);
        termkey_set_buffer_size(keys->termkey, 4096);
    }
    return keys;
}

void term_keys_destroy(struct term_keys *keys)
{
    if (keys == NULL) {
        return;
    }
    if (keys->termkey != NULL) {
        termkey_destroy(keys->termkey);
    }
    free(keys);
}

/* Swallows pasted bytes up to the mark that ends them. They never reach the decoder: whatever was
 * pasted, half a sequence included, the end is found. */
static size_t skip_paste(struct term_keys *keys, const char *bytes, size_t len)
{
    static const char mark[] = "\033[201~";
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == mark[keys->paste_match]) {
            keys->paste_match++;
        } else {
            keys->paste_match = bytes[i] == mark[0] ? 1 : 0;
        }
        if (mark[keys->paste_match] == '\0') {
            keys->paste_match = 0;
            keys->pasting = false;
            return i + 1;
        }
    }
    return len;
}

size_t term_keys_push(struct term_keys *keys, const char *bytes, size_t len)
{
    if (keys->termkey == NULL) {
        return len;
    }
    if (keys->pasting) {
        return skip_paste(keys, bytes, len);
    }
    /* A paste begins with a sequence that ends in a tilde: what follows one has to wait until it is
     * known whether it was that. */
    const char *tilde = memchr(bytes, '~', len);
    size_t want = tilde != NULL ? (size_t)(tilde - bytes) + 1 : len;
    size_t room = termkey_get_buffer_remaining(keys->termkey);
    size_t took = termkey_push_bytes(keys->termkey, bytes, want < room ? want : room);
    return took == (size_t)-1 ? 0 : took;
}

static uint32_t of_symbol(TermKeySym sym, int modifiers)
{
    static const struct {
        TermKeySym sym;
        uint32_t key;
    } map[] = {
        { TERMKEY_SYM_BACKSPACE, TERM_KEY_BACKSPACE },
        { TERMKEY_SYM_TAB, TERM_KEY_TAB },
        { TERMKEY_SYM_ENTER, TERM_KEY_ENTER },
        { TERMKEY_SYM_ESCAPE, TERM_KEY_ESC },
        { TERMKEY_SYM_SPACE, ' ' },
        { TERMKEY_SYM_DEL, TERM_KEY_BACKSPACE },
        { TERMKEY_SYM_UP, TERM_KEY_UP },
        { TERMKEY_SYM_DOWN, TERM_KEY_DOWN },
        { TERMKEY_SYM_LEFT, TERM_KEY_LEFT },
        { TERMKEY_SYM_RIGHT, TERM_KEY_RIGHT },
        { TERMKEY_SYM_DELETE, TERM_KEY_DELETE },
        { TERMKEY_SYM_PAGEUP, TERM_KEY_PAGEUP },
        { TERMKEY_SYM_PAGEDOWN, TERM_KEY_PAGEDOWN },
        { TERMKEY_SYM_HOME, TERM_KEY_HOME },
        { TERMKEY_SYM_FIND, TERM_KEY_HOME }, /* what some terminals send for Home and End */
        { TERMKEY_SYM_END, TERM_KEY_END },
        { TERMKEY_SYM_SELECT, TERM_KEY_END },
        { TERMKEY_SYM_KPENTER, TERM_KEY_ENTER },
        { TERMKEY_SYM_KPPLUS, '+' },
        { TERMKEY_SYM_KPMINUS, '-' },
        { TERMKEY_SYM_KPEQUALS, '=' },
        { TERMKEY_SYM_KPPERIOD, '.' },
        { TERMKEY_SYM_KPCOMMA, ',' },
        { TERMKEY_SYM_KP0, '0' },
        { TERMKEY_SYM_KP1, '1' },
        { TERMKEY_SYM_KP2, '2' },
        { TERMKEY_SYM_KP3, '3' },
        { TERMKEY_SYM_KP4, '4' },
        { TERMKEY_SYM_KP5, '5' },
        { TERMKEY_SYM_KP6, '6' },
        { TERMKEY_SYM_KP7, '7' },
        { TERMKEY_SYM_KP8, '8' },
        { TERMKEY_SYM_KP9, '9' },
    };
    if (sym == TERMKEY_SYM_TAB && (modifiers & TERMKEY_KEYMOD_SHIFT) != 0) {
        return TERM_KEY_BACKTAB;
    }
    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++) {
        if (map[i].sym == sym) {
            return map[i].key;
        }
    }
    return TERM_KEY_NONE;
}

/* Bracketed paste begins with a CSI sequence nobody else uses: 200~. */
static void note_csi(struct term_keys *keys, const TermKeyKey *key)
{
    long args[16];
    size_t count = 16;
    unsigned long command = 0;
    if (termkey_interpret_csi(keys->termkey, key, args, &count, &command) == TERMKEY_RES_KEY &&
        (command & 0xff) == '~' && count >= 1 && args[0] == 200) {
        keys->pasting = true;
    }
}

static uint32_t of_mouse(struct term_keys *keys, const TermKeyKey *key)
{
    enum { FIRST = 1, WHEEL_UP = 4, WHEEL_DOWN = 5 };
    TermKeyMouseEvent event;
    int button = 0, line = 0, column = 0;
    if (termkey_interpret_mouse(keys->termkey, key, &event, &button, &line, &column) !=
            TERMKEY_RES_KEY ||
        event != TERMKEY_MOUSE_PRESS ||
        (button != FIRST && button != WHEEL_UP && button != WHEEL_DOWN)) {
        return TERM_KEY_NONE;
    }
    keys->mouse.what = button == FIRST      ? TERM_MOUSE_CLICK
                       : button == WHEEL_UP ? TERM_MOUSE_WHEEL_UP
                                            : TERM_MOUSE_WHEEL_DOWN;
    keys->mouse.x = column - 1;
    keys->mouse.y = line - 1;
    return TERM_KEY_MOUSE;
}

static uint32_t of_character(const TermKeyKey *key)
{
    uint32_t code = (uint32_t)key->code.codepoint;
    if ((key->modifiers & TERMKEY_KEYMOD_CTRL) == 0) {
        return code;
    }
    if ((key->modifiers & TERMKEY_KEYMOD_ALT) != 0 && !(code >= 'a' && code <= 'z')) {
        return 0xfffd; /* a byte from 80 to 9f that is no UTF-8: never a control key */
    }
    /* Ctrl-J is the other line end: pipes and some terminals send it for Enter. */
    return code == 'j' ? (uint32_t)TERM_KEY_ENTER : TERM_KEY_CTRL(code);
}

static uint32_t of_termkey(struct term_keys *keys, const TermKeyKey *key)
{
    uint32_t code = TERM_KEY_NONE;
    switch (key->type) {
    case TERMKEY_TYPE_UNICODE:
        code = of_character(key);
        break;
    case TERMKEY_TYPE_KEYSYM:
        code = of_symbol(key->code.sym, key->modifiers);
        break;
    case TERMKEY_TYPE_UNKNOWN_CSI:
        note_csi(keys, key);
        return TERM_KEY_NONE;
    case TERMKEY_TYPE_MOUSE:
        return of_mouse(keys, key);
    case TERMKEY_TYPE_FUNCTION: /* no function key has a meaning, and a late cursor report
                                     looks like F3 */
    case TERMKEY_TYPE_POSITION: /* answers to questions we no longer ask */
    case TERMKEY_TYPE_MODEREPORT:
    case TERMKEY_TYPE_DCS:
    case TERMKEY_TYPE_OSC:
        return TERM_KEY_NONE;
    }
    if (code == TERM_KEY_NONE) {
        return TERM_KEY_NONE;
    }
    if ((key->modifiers & TERMKEY_KEYMOD_ALT) != 0 && code < TERM_KEY_FIRST && code != 0xfffd) {
        keys->pending = code;
        return TERM_KEY_ESC;
    }
    return code;
}

uint32_t term_keys_next(struct term_keys *keys)
{
    if (keys->pending != TERM_KEY_NONE) {
        uint32_t code = keys->pending;
        keys->pending = TERM_KEY_NONE;
        return code;
    }
    keys->waiting = false;
    while (keys->termkey != NULL) {
        TermKeyKey key;
        TermKeyResult got = keys->forced ? termkey_getkey_force(keys->termkey, &key)
                                         : termkey_getkey(keys->termkey, &key);
        if (got != TERMKEY_RES_KEY) {
            keys->waiting = got == TERMKEY_RES_AGAIN;
            break;
        }
        keys->forced = false;
        uint32_t code = of_termkey(keys, &key);
        if (code != TERM_KEY_NONE) {
            return code;
        }
    }
    keys->forced = false;
    return TERM_KEY_NONE;
}

struct term_mouse term_keys_mouse(const struct term_keys *keys)
{
    return keys->mouse;
}

bool term_keys_waiting(const struct term_keys *keys)
{
    return keys->waiting;
}

void term_keys_timeout(struct term_keys *keys)
{
    keys->forced = true;
}

const char *term_key_text(uint32_t key, char *buf, size_t size)
{
    static const char *const names[] = {
#define X(id, name) name,
        TERM_KEY_NAMES(X)
#undef X
    };
    if (key > TERM_KEY_FIRST && key < TERM_KEY_LAST) {
        snprintf(buf, size, "%s", names[key - TERM_KEY_FIRST - 1]);
    } else if (key == TERM_KEY_MOUSE) {
        snprintf(buf, size, "mouse");
    } else if (key == ' ') {
        snprintf(buf, size, "space");
    } else if ((key & TERM_KEY_CTRL(0)) != 0) {
        int letter = (int)(key & 0x7f);
        snprintf(buf, size, "Ctrl-%c", letter >= 'a' && letter <= 'z' ? letter - 32 : letter);
    } else {
        utf8proc_uint8_t utf8[5] = { 0 };
        utf8proc_encode_char((utf8proc_int32_t)key, utf8);
        snprintf(buf, size, "%s", (const char *)utf8);
    }
    return buf;
}

static bool is_named(const char *text, size_t len, const char *name)
{
    return strlen(name) == len && strncasecmp(text, name, len) == 0;
}

bool term_key_parse(const char *text, size_t len, uint32_t *key)
{
    static const char *const names[] = {
#define X(id, name) name,
        TERM_KEY_NAMES(X)
#undef X
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (is_named(text, len, names[i])) {
            *key = (uint32_t)(TERM_KEY_FIRST + 1 + i);
            return true;
        }
    }
    if (is_named(text, len, "space")) {
        *key = ' ';
        return true;
    }
    if (len == 6 && strncasecmp(text, "Ctrl-", 5) == 0) {
        const int letter = tolower((unsigned char)text[5]);
        *key = TERM_KEY_CTRL(letter);
        return letter >= 'a' && letter <= 'z' && strchr("ijm", letter) == NULL;
    }
    utf8proc_int32_t point = 0;
    const utf8proc_ssize_t n =
        utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)len, &point);
    *key = (uint32_t)point;
    return n > 0 && (size_t)n == len && point > ' ' && point != 0x7f &&
           !(point >= 0x80 && point < 0xa0);
}
