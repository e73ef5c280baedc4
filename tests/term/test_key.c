/* Keys: bytes in, keys out, with the timer of a lone Esc. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "term/key.h"

/* In `bytes`, a \001 stands for: nothing comes for TERM_KEY_ESC_MS. */
struct key_case {
    const char *name, *bytes, *want;
};

static const struct key_case cases[] = {
    { "letters are themselves", "aZ?", "a Z ?" },
    { "space has a name", " ", "space" },
    { "both line ends are Enter", "\r\n", "Enter Enter" },
    { "tab and shift-tab", "\t\033[Z", "Tab Shift-Tab" },
    { "delete and backspace alike", "\177\b", "Backspace Ctrl-H" },
    { "control keys", "\003\032\014", "Ctrl-C Ctrl-Z Ctrl-L" },
    { "arrows, normal mode", "\033[A\033[B\033[C\033[D", "Up Down Right Left" },
    { "arrows, application mode", "\033OA\033OB\033OC\033OD", "Up Down Right Left" },
    { "home, end, pages", "\033[H\033[F\033[5~\033[6~", "Home End PgUp PgDn" },
    { "home and end of the console", "\033[1~\033[4~", "Home End" },
    { "a lone Esc acts when the time is over", "\033\001", "Esc" },
    { "Esc before its time is nothing yet", "\033", "" },
    { "a quick key behind Esc is Esc and that key", "\033o", "Esc o" },
    { "characters outside ASCII", "\xc3\xa9\xe6\xbc\xa2", "\xc3\xa9 \xe6\xbc\xa2" },
    { "pasted text is no keys", "\033[200~q\rexit\rn\033[A\033[201~x", "x" },
    { "focus reports are no keys", "\033[I\033[Ox\033[I", "x" },
    { "a late cursor report is no key", "\033[1;2Rx", "x" },
    { "a click is one event", "\033[<0;10;20M\033[<0;10;20mx", "mouse x" },
    { "a click far to the right", "\033[<0;300;90Mx", "mouse x" },
    { "the wheel", "\033[<64;3;4M\033[<65;3;4Mx", "mouse mouse x" },
    { "other buttons and motion are nothing", "\033[<2;3;4M\033[<1;3;4M\033[<35;3;4M\033[<32;3;4Mx",
      "x" },
    { "unknown sequences are no keys", "\033[99;1~\033[?1;2cx", "x" },
    { "function keys mean nothing", "\033OP\033[15~x", "x" },
    { "bytes that are not UTF-8 do no harm", "\x98q", "\xef\xbf\xbd q" },
    { "keypad", "\033Ok\033Om", "+ -" },
};

static void drain(struct term_keys *keys, struct text *out)
{
    char name[32];
    for (uint32_t key; (key = term_keys_next(keys)) != TERM_KEY_NONE;) {
        text_addf(out, "%s%s", out->len > 0 ? " " : "", term_key_text(key, name, sizeof name));
    }
}

static void run_case(void **state)
{
    const struct key_case *c = *state;
    struct term_keys *keys = term_keys_create("xterm-256color");
    struct text got = { 0 };
    for (const char *s = c->bytes; *s != '\0'; s++) {
        if (*s == '\001') {
            assert_true(term_keys_waiting(keys));
            term_keys_timeout(keys);
        } else {
            assert_int_equal(term_keys_push(keys, s, 1), 1);
        }
        /* Byte by byte, as over a slow line; the whole at once must give the same. */
        if (strncmp(c->name, "a quick", 7) != 0) {
            drain(keys, &got);
        }
    }
    drain(keys, &got);
    assert_string_equal(text_str(&got), c->want);
    text_finish(&got);
    term_keys_destroy(keys);
}

static void paste_of_a_megabyte(void **state)
{
    (void)state;
    struct term_keys *keys = term_keys_create("xterm-256color");
    struct text in = { 0 }, got = { 0 };
    text_add(&in, "\033[200~");
    for (int i = 0; i < 1 << 16; i++) {
        text_add(&in, "quit\r\n q \033[20");
    }
    text_add(&in, "\033[201~x");
    for (size_t at = 0; at < in.len;) {
        at += term_keys_push(keys, in.s + at, in.len - at);
        drain(keys, &got);
    }
    assert_string_equal(text_str(&got), "x");
    text_finish(&in);
    text_finish(&got);
    term_keys_destroy(keys);
}

/* What a key is called is understood as that key. */
static void names_lead_back(void **state)
{
    (void)state;
    static const char *const no[] = { "",       "nn",   "F1",   "Ctrl-i",   "Ctrl-M", "Ctrl-",
                                      "Ctrl-1", "\033", "\xff", "\xc2\x85", " " };
    char name[32];
    uint32_t key;
    for (uint32_t k = TERM_KEY_FIRST + 1; k < TERM_KEY_LAST; k++) {
        term_key_text(k, name, sizeof name);
        assert_true(term_key_parse(name, strlen(name), &key));
        assert_int_equal(key, k);
    }
    for (uint32_t k = ' '; k < 0x3000; k++) {
        if ((k < 0x7f || k >= 0xa0) && (k < 0xd800 || k > 0xdfff)) {
            term_key_text(k, name, sizeof name);
            assert_true(term_key_parse(name, strlen(name), &key));
            assert_int_equal(key, k);
        }
    }
    for (uint32_t k = 'a'; k <= 'z'; k++) {
        term_key_text(TERM_KEY_CTRL(k), name, sizeof name);
        const bool apart = k != 'i' && k != 'j' && k != 'm'; /* Tab and Enter */
        assert_int_equal(term_key_parse(name, strlen(name), &key), apart);
        assert_true(!apart || key == TERM_KEY_CTRL(k));
    }
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++) {
        assert_false(term_key_parse(no[i], strlen(no[i]), &key));
    }
}

int main(void)
{
    enum { COUNT = sizeof cases / sizeof cases[0] };
    struct CMUnitTest tests[COUNT + 2];
    for (size_t i = 0; i < COUNT; i++) {
        /* cmocka hands the row on without a const; run_case only reads it. */
        tests[i] = (struct CMUnitTest){ cases[i].name, run_case, NULL, NULL,
                                        (void *)(uintptr_t)&cases[i] };
    }
    tests[COUNT] = (struct CMUnitTest){ "a pasted megabyte is no keys", paste_of_a_megabyte, NULL,
                                        NULL, NULL };
    tests[COUNT + 1] = (struct CMUnitTest)cmocka_unit_test(names_lead_back);
    return _cmocka_run_group_tests("term/key", tests, COUNT + 2, NULL, NULL);
}
