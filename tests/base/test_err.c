/* Errors as values: message, place, note, and what never gets into them. */
#include "cmocka_rows.h"

#include <string.h>

#include "base/err.h"

static void sets(void **state)
{
    (void)state;
    struct err err = { 0 };
    char buf[1024];
    assert_false(err_set(&err, ERR_RANGE, "xon (%d) must not exceed xoff (%d)", 3, 2));
    assert_int_equal(err.code, ERR_RANGE);
    assert_string_equal(err_text(&err, buf, sizeof buf), "xon (3) must not exceed xoff (2)");
    assert_false(err_at(&err, "ring.lua", 12));
    assert_string_equal(err_text(&err, buf, sizeof buf),
                        "ring.lua:12: xon (3) must not exceed xoff (2)");
    assert_false(err_at(&err, "ring.lua", 0));
    assert_string_equal(err.where, "ring.lua");
}

static void a_new_error_forgets_the_old_place(void **state)
{
    (void)state;
    struct err err = { 0 };
    (void)err_set(&err, ERR_IO, "one");
    (void)err_at(&err, "a.lua", 1);
    (void)err_set(&err, ERR_NAME, "two");
    assert_string_equal(err.where, "");
    assert_int_equal(err.code, ERR_NAME);
}

static void nobody_listens(void **state)
{
    (void)state;
    assert_false(err_set(NULL, ERR_IO, "x"));
    assert_false(err_at(NULL, "x", 1));
    assert_false(err_note(NULL, "x"));
}

static void notes(void **state)
{
    (void)state;
    struct err err = { 0 };
    (void)err_set(&err, ERR_NAME, "no node g9");
    assert_false(err_note(&err, "while reading link %d", 4));
    assert_string_equal(err.msg, "while reading link 4: no node g9");
    assert_int_equal(err.code, ERR_NAME);
}

static void control_characters_become_blanks(void **state)
{
    (void)state;
    struct err err = { 0 };
    (void)err_set(&err, ERR_SCRIPT, "%s", "a\x1b[2J\nb\x7f");
    assert_string_equal(err.msg, "a [2J b ");
    (void)err_at(&err, "a\nb.lua", 3);
    assert_string_equal(err.where, "a b.lua:3");
    (void)err_note(&err, "%s", "\r");
    assert_null(strchr(err.msg, '\r'));
}

static void what_terminals_obey_is_taken_out(void **state)
{
    (void)state;
    struct err err = { 0 };
    /* CSI as one character, an override of direction, a byte that is none. */
    (void)err_set(&err, ERR_SCRIPT, "%s",
                  "a\xc2\x9b"
                  "2Jb\xe2\x80\xae"
                  "c\xff");
    assert_string_equal(err.msg, "a\xef\xbf\xbd"
                                 "2Jbc\xef\xbf\xbd");
    (void)err_at(&err, "a\xe2\x80\xae.lua", 3);
    assert_string_equal(err.where, "a.lua:3");
}

static void a_long_message_ends_between_characters(void **state)
{
    (void)state;
    struct err err = { 0 };
    char longest[2000];
    for (size_t i = 0; i + 2 < sizeof longest; i += 2) {
        memcpy(longest + i, "\xc3\xa4\0", 3);
    }
    (void)err_set(&err, ERR_SCRIPT, "x%s", longest);
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    (void)err_set(&err, ERR_SCRIPT, "%s", longest);
    assert_true(strlen(err.msg) >= sizeof err.msg - 4);
}

static void long_texts_are_cut(void **state)
{
    (void)state;
    struct err err = { 0 };
    char huge[4096];
    memset(huge, 'x', sizeof huge);
    huge[sizeof huge - 1] = '\0';
    (void)err_set(&err, ERR_IO, "%s", huge);
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    (void)err_note(&err, "note");
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    assert_memory_equal(err.msg, "note: xxx", 9);
    (void)err_note(&err, "%s", huge);
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    (void)err_at(&err, huge, 1);
    assert_int_equal(strlen(err.where), sizeof err.where - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets),
        cmocka_unit_test(a_new_error_forgets_the_old_place),
        cmocka_unit_test(nobody_listens),
        cmocka_unit_test(notes),
        cmocka_unit_test(control_characters_become_blanks),
        cmocka_unit_test(what_terminals_obey_is_taken_out),
        cmocka_unit_test(a_long_message_ends_between_characters),
        cmocka_unit_test(long_texts_are_cut),
    };
    return cmocka_run_group_tests_name("base/err", tests, NULL, NULL);
}
