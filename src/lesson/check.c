/*
 * Playing a lesson as a test.
 */
#include "lesson/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/check_inside.h"

/* ---- cards ----------------------------------------------------------------------------------- */

static void on_item(void *arg, struct player *player, size_t item,
                    const struct player_verdict *verdict)
{
    struct checker *c = arg;
    const struct lesson_item *it = lesson_item(c->lesson, item);
    if (it->kind == LESSON_SWITCH && c->switch_count == LESSON_CARD_SWITCHES) {
        COMPLAIN(c, LESSON_RULE_SWITCH, it->line, "no key is left: a card has at most %d switches",
                 LESSON_CARD_SWITCHES);
    } else if (it->kind == LESSON_SWITCH) {
        c->switches[c->switch_count].item = item;
        c->switches[c->switch_count++].run = run_fork(player_run(player));
    }
    if (it->kind == LESSON_COMPARE) {
        check_compare(c, item);
    }
    if (it->kind == LESSON_FIX) {
        check_fix(c, item);
    }
    if (verdict == NULL) {
        return;
    }
    if (verdict->judged && verdict->holds) {
        check_held(c, item);
        HOLDS(c, LESSON_RULE_CLAIM, it->line, "%s", it->text);
    } else if (verdict->judged) {
        const bool told = verdict->err->msg[0] != '\0';
        c->result->claims += FAIL(c, LESSON_RULE_CLAIM, it->line, "%.200s%s%s", it->text,
                                  told ? ": it was " : "", verdict->err->msg);
    } else {
        struct err err = *verdict->err;
        (void)err_note(&err, "%.200s: not checked", it->text);
        check_error(c, LESSON_RULE_CLAIM, it->line, &err);
    }
}

/* The card has been played to its end. */
static void check_card(struct checker *c)
{
    const struct lesson_card *card = lesson_card(c->lesson, player_card(c->player));
    const struct lesson_sight sight = player_sight(c->player);
    const struct lesson_item *said = NULL;
    bool asks = false;
    for (size_t i = card->first; i < card->first + card->count; i++) {
        const struct lesson_item *item = lesson_item(c->lesson, i);
        if (item->kind == LESSON_SAY || item->kind == LESSON_NOTE) {
            check_prose(c, item->text, item->line);
            const int words = check_fill(c, item->text, &sight, item->line, NULL);
            if (item->kind == LESSON_SAY) {
                said = item;
                check_words(c, words, item->line, "this card");
            }
        } else if (item->kind == LESSON_PREDICT) {
            check_predict(c, i);
        } else if (item->kind == LESSON_PLOT) {
            check_plot(c, item);
        }
        asks = asks || item->kind == LESSON_PREDICT || item->kind == LESSON_FIX;
    }
    check_title(c, card);
    if (said == NULL) {
        const struct lesson_item *first = lesson_item(c->lesson, card->first);
        COMPLAIN(c, LESSON_RULE_WORDS, first->line, "this card says nothing: %s",
                 first->kind == LESSON_SCENE
                     ? "weft.scene begins a card, so give it a weft.say behind"
                     : "give it a weft.say");
    } else if (!asks) {
        check_fits(c, said->line, "this card");
    }
    check_switches(c);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void check_name(struct checker *c)
{
    const char *slash = strrchr(c->lesson->path, '/');
    const char *base = slash == NULL ? c->lesson->path : slash + 1;
    const size_t n = strlen(c->lesson->id);
    if (strncmp(base, c->lesson->id, n) != 0 || strcmp(base + n, ".lua") != 0) {
        COMPLAIN(c, LESSON_RULE_NAME, lesson_item(c->lesson, 0)->line,
                 "the id \"%s\" and the name of the file differ: call it %s.lua", c->lesson->id,
                 c->lesson->id);
    }
}

static void check_lessons(struct checker *c)
{
    for (size_t i = 0; i < c->lesson->builds_on_count; i++) {
        check_lesson(c, c->lesson->builds_on[i], c->lesson->builds_on_line, "lesson.builds_on");
    }
}

static bool load(struct checker *c, const char *path, struct err *err)
{
    struct text errors = { 0 };
    c->lesson = lesson_load(path, c->places->data_dir, &errors, err);
    if (c->lesson == NULL) {
        lesson_check_add_errors(c->result, text_str(&errors));
    } else {
        c->result->id = mem_strdup(c->lesson->id);
    }
    text_finish(&errors);
    return c->lesson != NULL;
}

bool lesson_check(const char *path, const struct lesson_places *places, lesson_fit_fn *fit,
                  struct lesson_check *result, struct err *err)
{
    struct checker c = { .places = places, .fit = fit, .result = result };
    *result = (struct lesson_check){ 0 };
    if (!load(&c, path, err)) {
        return false;
    }
    c.held_on = mem_alloc(lesson_item_count(c.lesson), sizeof *c.held_on);
    check_name(&c);
    check_lessons(&c);
    check_terms(&c);
    check_paths(&c, on_item, check_card);
    text_finish(&c.way);
    free(c.held_on);
    lesson_destroy(c.lesson);
    check_sort(result);
    for (size_t i = 0; i < result->count; i++) {
        const struct lesson_finding *finding = &result->findings[i];
        if (finding->verdict != LESSON_HOLDS) {
            (void)err_set(err, ERR_SCRIPT, "%s", finding->text);
            return err_at(err, finding->file, finding->line);
        }
    }
    return true;
}
