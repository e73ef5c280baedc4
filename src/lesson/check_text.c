/*
 * The words of a lesson under test: what it says, asks and replies.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "lesson/check_inside.h"
#include "lesson/lint.h"

/* What can be said about a text without running anything. */
void check_prose(struct checker *c, const char *prose, int line)
{
    size_t len = 0;
    const char *number = lesson_lint_typed_number(prose, &len);
    if (number != NULL) {
        COMPLAIN(c, LESSON_RULE_TYPED, line, "\"%.*s\" is typed by hand; measure it: {...}",
                 (int)len, number);
    }
    check_cited(c, prose, line);
}

void check_cited(struct checker *c, const char *prose, int line)
{
    size_t at = 0;
    struct text key = { 0 };
    while (lesson_lint_citation(prose, &at, &key)) {
        if (lesson_words_find(&c->lesson->sources, text_str(&key)) == NULL) {
            COMPLAIN(c, LESSON_RULE_SOURCE, line,
                     "[%s] is not among the lesson's sources: add it there", text_str(&key));
        }
    }
    text_finish(&key);
}

/* Questions, answers and goals are read before anything is known. */
void check_plain(struct checker *c, const char *text, int line)
{
    if (strchr(text, '{') != NULL) {
        COMPLAIN(c, LESSON_RULE_PLAIN, line,
                 "\"%.60s\" is shown as it is: {...} is measured in say, because and reply", text);
    }
}

/* The title stands in the table of contents, before anything is measured. */
void check_title(struct checker *c, const struct lesson_card *card)
{
    if (strpbrk(card->title, "{}*") != NULL) {
        COMPLAIN(c, LESSON_RULE_PLAIN, lesson_item(c->lesson, card->first)->line,
                 "the first bold words are this card's title: plain words only, not \"%.80s\"",
                 card->title);
    }
}

int check_fill(struct checker *c, const char *prose, const struct lesson_sight *sight, int line,
               struct text *out)
{
    struct text own = { 0 };
    struct err err = { 0 };
    bool pending = false;
    if (prose != NULL && !lesson_fill(c->lesson, prose, sight, &own, &pending, &err)) {
        check_error(c, LESSON_RULE_VALUE, line, &err);
    } else if (pending) {
        FAIL(c, LESSON_RULE_VALUE, line,
             "a measured value is not known at the end of this card; play on until it is: %.200s",
             text_str(&own));
    }
    const int words = lesson_lint_words(text_str(&own));
    if (out != NULL) {
        text_add(out, text_str(&own));
    }
    text_finish(&own);
    return words;
}

void check_words(struct checker *c, int words, int line, const char *what)
{
    if (words > LESSON_CARD_WORDS) {
        COMPLAIN(c, LESSON_RULE_WORDS, line,
                 "%s has %d words, at most %d: make it two cards, or say less", what, words,
                 LESSON_CARD_WORDS);
    }
}

void check_fits(struct checker *c, int line, const char *what)
{
    struct text out = { 0 };
    if (c->fit != NULL) {
        c->fit(c->player, &out);
    }
    for (const char *said = text_str(&out); *said != '\0'; said += strcspn(said, "\n") + 1) {
        COMPLAIN(c, LESSON_RULE_FITS, line, "%s: %.*s", what, (int)strcspn(said, "\n"), said);
    }
    text_finish(&out);
}

void check_fits_supposed(struct checker *c, const struct player_question *question,
                         const char *tried, const char *what)
{
    const struct player_question before = player_question(c->player);
    player_suppose(c->player, question, tried);
    check_fits(c, lesson_item(c->lesson, question->item)->line, what);
    player_suppose(c->player, &before, NULL);
}

/* ---- questions -------------------------------------------------------------------------------- */

static void check_choice(struct checker *c, const struct lesson_item *item, size_t i, bool right)
{
    const struct lesson_choice *choice = &item->choices[i];
    check_plain(c, choice->text, item->line);
    if (choice->reply != NULL) {
        check_prose(c, choice->reply, item->line);
    }
    if (!right && (choice->belief == NULL || choice->reply == NULL)) {
        COMPLAIN(c, LESSON_RULE_ANSWER, item->line,
                 "the wrong answer \"%.60s\" needs a belief and a reply of its own", choice->text);
    }
    for (size_t j = 0; j < i; j++) {
        if (strcmp(choice->text, item->choices[j].text) == 0) {
            COMPLAIN(c, LESSON_RULE_ANSWER, item->line,
                     "two answers are the same: \"%.60s\"; leave one out", choice->text);
        }
    }
}

/* Each answer is given; what is said to it is measured, counted, and looked at. */
static void check_choices(struct checker *c, size_t index, size_t truth, int because)
{
    const struct lesson_item *item = lesson_item(c->lesson, index);
    const struct lesson_sight sight = player_sight(c->player);
    for (size_t i = 0; i < item->choice_count; i++) {
        char what[] = "the reply to answer a";
        const struct player_question given = {
            .item = index, .state = PLAYER_ANSWERED, .choice = i, .sure = item->asks_sure ? 1 : 0
        };
        what[sizeof what - 2] = (char)('a' + (int)i);
        check_choice(c, item, i, i == truth);
        check_words(c, because + check_fill(c, item->choices[i].reply, &sight, item->line, NULL),
                    item->line, "a reply with its because");
        check_fits_supposed(c, &given, NULL, what);
    }
}

static void check_number(struct checker *c, size_t index, int64_t truth, int because)
{
    const struct lesson_item *item = lesson_item(c->lesson, index);
    const struct lesson_sight sight = player_sight(c->player);
    const struct {
        const char *size, *field, *reply, *what;
        int64_t said;
    } answers[] = {
        { "small", "low", item->low, "the reply to a small number", truth / 4 },
        { "large", "high", item->high, "the reply to a large number",
          truth < INT64_MAX / 4 ? truth * 4 : INT64_MAX },
        { NULL, NULL, NULL, "the reply to the right number", truth },
    };
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const struct player_question given = { .item = index,
                                               .state = PLAYER_ANSWERED,
                                               .number = answers[i].said,
                                               .sure = item->asks_sure ? 1 : 0 };
        if (answers[i].reply != NULL) {
            check_prose(c, answers[i].reply, item->line);
        } else if (answers[i].field != NULL) {
            COMPLAIN(c, LESSON_RULE_ANSWER, item->line,
                     "a number that is too %s needs a reply of its own: %s", answers[i].size,
                     answers[i].field);
        }
        check_words(c, because + check_fill(c, answers[i].reply, &sight, item->line, NULL),
                    item->line, "a reply with its because");
        check_fits_supposed(c, &given, NULL, answers[i].what);
    }
}

/* The file of a lesson that this one refers to; NULL and err: there is none. The caller frees. */
static char *file_of(const struct checker *c, const char *id, struct err *err)
{
    struct text sibling = { 0 };
    char *folder = lesson_folder(c->lesson->path);
    text_addf(&sibling, "%s/%s.lua", folder, id);
    char *path = file_exists(text_str(&sibling)) ? mem_strdup(text_str(&sibling))
                                                 : lesson_find(c->places, id, err);
    free(folder);
    text_finish(&sibling);
    return path;
}

void check_lesson(struct checker *c, const char *id, int line, const char *what)
{
    struct err err = { 0 };
    char *path = file_of(c, id, &err);
    if (path == NULL) {
        COMPLAIN(c, LESSON_RULE_LESSON, line, "%s: %s", what, err.msg);
    } else if (strcmp(id, c->lesson->id) == 0) {
        COMPLAIN(c, LESSON_RULE_LESSON, line, "%s: this is the lesson itself", what);
    }
    free(path);
}

/* ---- terms ----------------------------------------------------------------------------------- */

/* Whether a text has these words, in any case and with any ending, outside of {...}; blanks are alike, *
 * is no letter. */
static bool says(const char *text, const char *words)
{
    bool at_start = true;
    int braces = 0;
    for (; text != NULL && *text != '\0'; text++) {
        braces += (*text == '{') - (*text == '}');
        if (braces > 0) {
            continue;
        }
        const char *t = text, *w = words;
        while (at_start && *w != '\0' && *t != '\0') {
            if (*t == '*') {
                t++;
            } else if (isspace((unsigned char)*t) && *w == ' ') {
                t += strspn(t, " \n");
                w++;
            } else if (tolower((unsigned char)*t) == tolower((unsigned char)*w)) {
                t++;
                w++;
            } else {
                break;
            }
        }
        if (at_start && *w == '\0') {
            return true;
        }
        at_start = !isalnum((unsigned char)*text);
    }
    return false;
}

static bool item_says(const struct lesson_item *item, const char *term)
{
    bool said = item->kind != LESSON_CLAIM && item->kind != LESSON_NOTE &&
                (says(item->text, term) || says(item->because, term) || says(item->reply, term) ||
                 says(item->low, term) || says(item->high, term) || says(item->label, term) ||
                 says(item->no_effect, term));
    for (size_t i = 0; i < item->choice_count; i++) {
        said = said || says(item->choices[i].text, term) || says(item->choices[i].reply, term);
    }
    return said;
}

static void check_term(struct checker *c, const char *term)
{
    for (size_t i = 0; i < c->lesson->item_count; i++) {
        if (item_says(lesson_item(c->lesson, i), term)) {
            return;
        }
    }
    COMPLAIN(c, LESSON_RULE_TERM, c->lesson->terms_line, "no card says the new term \"%s\"", term);
}

void check_terms(struct checker *c)
{
    for (size_t i = 0; i < c->lesson->terms.count; i++) {
        check_term(c, c->lesson->terms.item[i].name);
    }
    for (size_t i = 0; i < c->lesson->builds_on_count; i++) {
        char *path = file_of(c, c->lesson->builds_on[i], NULL);
        struct lesson *before = path != NULL && strcmp(c->lesson->builds_on[i], c->lesson->id) != 0
                                    ? lesson_load(path, c->places->data_dir, NULL, NULL)
                                    : NULL;
        for (size_t t = 0; before != NULL && t < c->lesson->terms.count; t++) {
            const char *term = c->lesson->terms.item[t].name;
            if (lesson_words_find(&before->terms, term) != NULL) {
                COMPLAIN(c, LESSON_RULE_TERM, c->lesson->terms_line,
                         "\"%s\" is not new: %s has it, on which this lesson builds", term,
                         before->id);
            }
        }
        lesson_destroy(before);
        free(path);
    }
}

/* ---- questions ------------------------------------------------------------------------------- */

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
        check_error(c, LESSON_RULE_QUESTION, item->line, &err);
        return;
    }
    const struct player_question open = { .item = index, .state = PLAYER_OPEN };
    check_fits_supposed(c, &open, NULL, "this card with its question");
    const int because = check_fill(c, item->because, &sight, item->line, NULL);
    if (item->number) {
        check_number(c, index, number, because);
    } else {
        check_choices(c, index, truth, because);
    }
}
