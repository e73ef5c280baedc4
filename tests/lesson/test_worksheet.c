/*
 * The worksheet of the shipped lesson: every prediction with its choices, no answer, and room where a value
 * is measured. What stands in it is compared with the lesson, not with a copy of it.
 */
#include "cmocka_rows.h"

#include <string.h>

#include "lesson/worksheet.h"

static struct lesson *load(void)
{
    struct err err = { 0 };
    struct lesson *lesson =
        lesson_load(WEFT_SOURCE "/lessons/one-lost-packet.lua", WEFT_SOURCE, NULL, &err);
    assert_non_null(lesson);
    return lesson;
}

static void sheet_of(struct lesson *lesson, bool notes, struct text *out)
{
    struct err err = { 0 };
    if (!lesson_worksheet(lesson, notes, out, &err)) {
        fail_msg("%s", err.msg);
    }
}

/* Whether the sheet has such a text. Its longest line without a value is looked for, or some of it: the
 * sheet breaks lines elsewhere. */
static bool has(const struct text *sheet, const char *words)
{
    char part[24] = { 0 };
    size_t longest = 0;
    for (const char *at = words; *at != '\0';) {
        at += strspn(at, " \n*{}");
        const size_t len = strcspn(at, "{}\n");
        if (len > longest) {
            longest = len;
            memset(part, 0, sizeof part);
            memcpy(part, at, len < sizeof part - 1 ? len : sizeof part - 1);
        }
        at += len;
    }
    return strstr(text_str(sheet), part) != NULL;
}

static void questions_without_answers(void **state)
{
    (void)state;
    struct lesson *lesson = load();
    struct text sheet = { 0 };
    int questions = 0;
    sheet_of(lesson, false, &sheet);
    for (size_t i = 0; i < lesson_item_count(lesson); i++) {
        const struct lesson_item *item = lesson_item(lesson, i);
        for (size_t c = 0; c < item->choice_count; c++) {
            assert_true(has(&sheet, item->choices[c].text));
            assert_true(item->choices[c].belief == NULL || !has(&sheet, item->choices[c].belief));
        }
        questions += item->kind == LESSON_PREDICT;
        assert_true(item->kind != LESSON_SAY || has(&sheet, item->text));
        assert_true(item->because == NULL || !has(&sheet, item->because));
        assert_true(item->kind != LESSON_CLAIM || !has(&sheet, item->text));
    }
    assert_true(questions > 2);
    int found = 0;
    for (const char *s = text_str(&sheet); (s = strstr(s, "**Your prediction")) != NULL; s++) {
        found++;
    }
    assert_int_equal(found, questions);
    /* "Which? The last of each GPU": what the lesson drops then would tell. */
    assert_null(strstr(text_str(&sheet), "`drop g3>g4 last`"));
    text_finish(&sheet);
    lesson_destroy(lesson);
}

static void values(void **state)
{
    (void)state;
    struct lesson *lesson = load();
    struct text sheet = { 0 };
    sheet_of(lesson, false, &sheet);
    /* {work.gpus - 1} is known beforehand, {steps[1].slowest} is measured. */
    assert_non_null(strstr(text_str(&sheet), "Last comes ________, and the other 7 wait."));
    /* {set.timeout_exponent}, behind the lesson's own weft.set. */
    assert_non_null(strstr(text_str(&sheet), "NCCL's default is 20 [NCCL]."));
    for (const char *at = text_str(&sheet); (at = strchr(at, '{')) != NULL; at++) {
        assert_memory_equal(at, LESSON_KEY, strlen(LESSON_KEY)); /* for who knows the keys */
    }
    assert_null(strstr(text_str(&sheet), "(error)"));
    text_finish(&sheet);
    lesson_destroy(lesson);
}

static void for_the_teacher(void **state)
{
    (void)state;
    struct lesson *lesson = load();
    struct text sheet = { 0 };
    sheet_of(lesson, true, &sheet);
    assert_non_null(strstr(text_str(&sheet), "`drop g3>g4 last`"));
    for (size_t i = 0; i < lesson_item_count(lesson); i++) {
        const struct lesson_item *item = lesson_item(lesson, i);
        assert_true(item->kind != LESSON_CLAIM || has(&sheet, item->text));
        for (size_t c = 0; c < item->choice_count; c++) {
            assert_true(item->choices[c].belief == NULL || has(&sheet, item->choices[c].belief));
        }
    }
    text_finish(&sheet);
    lesson_destroy(lesson);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(questions_without_answers),
        cmocka_unit_test(values),
        cmocka_unit_test(for_the_teacher),
    };
    return cmocka_run_group_tests_name("worksheet", tests, NULL, NULL);
}
