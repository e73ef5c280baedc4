#include "app/terms.h"

#include <string.h>

#include "ui/rich.h"

void terms_mark(const struct lesson_glossary *glossary, const char *markdown, struct terms *terms,
                struct text *marked)
{
    struct lesson_use use[TERMS_MAX];
    size_t at = 0;
    terms->count = lesson_glossary_uses(glossary, markdown, use, TERMS_MAX);
    for (size_t i = 0; i < terms->count; i++) {
        terms->word[i] = use[i].word;
        text_add_n(marked, markdown + at, use[i].from - at);
        text_add(marked, RICH_TERM_ON);
        text_add_n(marked, markdown + use[i].from, use[i].to - use[i].from);
        text_add(marked, RICH_TERM_OFF);
        at = use[i].to;
    }
    text_add(marked, markdown + at);
}

size_t terms_first_card(const struct lesson_glossary *glossary, const struct player *player,
                        const struct lesson_word *word)
{
    const struct lesson *lesson = player_lesson(player);
    struct lesson_use use[TERMS_MAX];
    for (size_t place = 0; place < player_path_length(player); place++) {
        const struct lesson_card *card = lesson_card(lesson, player_path_card(player, place));
        for (size_t i = card->first; i < card->first + card->count; i++) {
            const struct lesson_item *item = lesson_item(lesson, i);
            const size_t n = item->kind == LESSON_SAY
                                 ? lesson_glossary_uses(glossary, item->text, use, TERMS_MAX)
                                 : 0;
            for (size_t k = 0; k < n; k++) {
                if (use[k].word == word) {
                    return place;
                }
            }
        }
    }
    return SIZE_MAX;
}

/* Whether "barrier, PFC" has this name. */
static bool lists(const char *names, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = names; *at != '\0'; at += strspn(at, ", ")) {
        const size_t len = strcspn(at, ",");
        if (len == n && strncmp(at, name, n) == 0) {
            return true;
        }
        at += len;
    }
    return false;
}

/* "(bytes)" at the end of a sentence is its unit. Returns the bytes of the sentence without it. */
static size_t split_unit(const char *text, const char **unit, size_t *unit_len)
{
    const size_t n = strlen(text);
    const char *open = n > 0 && text[n - 1] == ')' ? strrchr(text, '(') : NULL;
    *unit = NULL;
    if (open == NULL || open == text || open[-1] != ' ') {
        return n;
    }
    *unit = open + 1;
    *unit_len = n - (size_t)(open + 1 - text) - 1;
    return (size_t)(open - 1 - text);
}

static void explain(const struct terms_place *place, const struct lesson_word *word,
                    struct text *out)
{
    const char *unit;
    size_t unit_len = 0;
    const size_t n = split_unit(word->text, &unit, &unit_len);
    text_addf(out, "    %.*s.\n", (int)n, word->text);
    if (unit != NULL) {
        text_addf(out, "    Unit: %.*s.\n", (int)unit_len, unit);
    }
    const struct lesson_info here = lesson_info(player_lesson(place->player));
    const size_t card = terms_first_card(place->glossary, place->player, word);
    if (card != SIZE_MAX) {
        text_addf(out, "    Here first on card %zu%s.\n", card + 1,
                  lists(here.terms, word->name) ? ", where it is new" : "");
    }
    for (size_t i = 0; place->course != NULL && i < place->course->count; i++) {
        const struct lesson_info *info = &place->course->items[i];
        if (strcmp(info->id, here.id) != 0 && lists(info->terms, word->name)) {
            text_addf(out, "    New in: %s (%d).\n", info->title, info->year);
            break;
        }
    }
}

void terms_say(const struct terms_place *place, const struct terms *terms, size_t chosen,
               struct text *out)
{
    for (size_t i = 0; i < terms->count; i++) {
        text_addf(out, "%s%s\n", i == chosen ? "> " : "  ", terms->word[i]->name);
        if (i == chosen) {
            explain(place, terms->word[i], out);
        }
    }
}
