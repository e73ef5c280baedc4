/*
 * The words of a lesson under test: what it says, asks and replies.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "lesson/check_inside.h"
#include "lesson/lint.h"

static bool is_source(const struct lesson *lesson, const char *key)
{
    for (size_t i = 0; i < lesson->source_count; i++) {
        if (strcmp(lesson->sources[i], key) == 0) {
            return true;
        }
    }
    return false;
}

/* What can be said about a text without running anything. */
void check_prose(struct checker *c, const char *prose, int line)
{
    size_t len = 0, at = 0;
    const char *number = lesson_lint_typed_number(prose, &len);
    if (number != NULL) {
        LINT(c, line, "\"%.*s\" is typed by hand; measure it: {...}", (int)len, number);
    }
    struct text key = { 0 };
    while (lesson_lint_citation(prose, &at, &key)) {
        if (!is_source(c->lesson, text_str(&key))) {
            LINT(c, line, "[%s] is not among the lesson's sources", text_str(&key));
        }
    }
    text_finish(&key);
}

/* Questions, answers and goals are read before anything is known. */
void check_plain(struct checker *c, const char *text, int line)
{
    if (strchr(text, '{') != NULL) {
        LINT(c, line, "\"%.60s\" is shown as it is: {...} is measured in say, because and reply",
             text);
    }
}

/* The title stands in the table of contents, before anything is measured. */
void check_title(struct checker *c, const struct lesson_card *card)
{
    if (strpbrk(card->title, "{}*") != NULL) {
        LINT(c, lesson_item(c->lesson, card->first)->line,
             "the first bold words are this card's title: plain words only, not \"%.80s\"",
             card->title);
    }
}

/* Fills a text for the present moment and counts its words; "" for NULL. */
int check_fill(struct checker *c, const char *prose, int line)
{
    if (prose == NULL) {
        return 0;
    }
    struct text out = { 0 };
    struct err err = { 0 };
    bool pending = false;
    const struct lesson_sight sight = player_sight(c->player);
    if (!lesson_fill(c->lesson, prose, &sight, &out, &pending, &err)) {
        (void)err_at(&err, c->lesson->path, line);
        c->result->failed++;
        check_say(c, &err, "not ok");
    } else if (pending) {
        FAIL(c, line, "a measured value is not known at the end of this card: %.200s",
             text_str(&out));
    }
    const int words = lesson_lint_words(text_str(&out));
    text_finish(&out);
    return words;
}

void check_words(struct checker *c, int words, int line, const char *what)
{
    if (words > LESSON_CARD_WORDS) {
        LINT(c, line, "%s has %d words, at most %d", what, words, LESSON_CARD_WORDS);
    }
}

static void check_choices(struct checker *c, const struct lesson_item *item, size_t truth)
{
    const int because = check_fill(c, item->because, item->line);
    bool same = false;
    for (size_t i = 0; i < item->choice_count; i++) {
        const struct lesson_choice *choice = &item->choices[i];
        check_plain(c, choice->text, item->line);
        const int reply = check_fill(c, choice->reply, item->line);
        check_words(c, reply + because, item->line, "a reply with its because");
        if (choice->reply != NULL) {
            check_prose(c, choice->reply, item->line);
        }
        if (i != truth && (choice->belief == NULL || choice->reply == NULL)) {
            LINT(c, item->line, "the wrong answer \"%.60s\" needs a belief and a reply of its own",
                 choice->text);
        }
        for (size_t j = 0; j < i; j++) {
            same = same || strcmp(choice->text, item->choices[j].text) == 0;
        }
    }
    if (same) {
        LINT(c, item->line, "two answers are the same");
    }
}

static void check_number(struct checker *c, const struct lesson_item *item)
{
    const int because = check_fill(c, item->because, item->line);
    const char *const replies[] = { item->low, item->high };
    for (size_t i = 0; i < 2; i++) {
        if (replies[i] == NULL) {
            LINT(c, item->line, "a number that is too %s needs a reply of its own: %s",
                 i == 0 ? "small" : "large", i == 0 ? "low" : "high");
        } else {
            check_prose(c, replies[i], item->line);
            check_words(c, check_fill(c, replies[i], item->line) + because, item->line,
                        "a reply with its because");
        }
    }
}

/* A lesson that this one refers to. */
void check_lesson(struct checker *c, const char *id, int line, const char *what)
{
    struct err err = { 0 };
    struct text sibling = { 0 };
    char *folder = lesson_folder(c->lesson->path);
    text_addf(&sibling, "%s/%s.lua", folder, id);
    char *path = file_exists(text_str(&sibling)) ? mem_strdup(text_str(&sibling))
                                                 : lesson_find(c->places, id, &err);
    free(folder);
    text_finish(&sibling);
    if (path == NULL) {
        LINT(c, line, "%s: %s", what, err.msg);
    } else if (strcmp(id, c->lesson->id) == 0) {
        LINT(c, line, "%s: this is the lesson itself", what);
    }
    free(path);
}

void check_predict(struct checker *c, size_t index)
{
    const struct lesson_item *item = lesson_item(c->lesson, index);
    const struct lesson_sight sight = player_sight(c->player);
    struct err err = { 0 };
    size_t truth = 0;
    check_prose(c, item->text, item->line);
    check_plain(c, item->text, item->line);
    check_prose(c, item->because, item->line);
    if (item->from != NULL) {
        check_lesson(c, item->from, item->line, "recall.from");
    }
    int64_t number = 0;
    if (!(item->number ? lesson_truth_number(c->lesson, index, &sight, &number, &err)
                       : lesson_truth(c->lesson, index, &sight, &truth, &err))) {
        (void)err_note(&err, "the question \"%.80s\"", item->text);
        (void)err_at(&err, c->lesson->path, item->line);
        c->result->failed++;
        check_say(c, &err, "not ok");
        return;
    }
    if (item->number) {
        check_number(c, item);
    } else {
        check_choices(c, item, truth);
    }
}
