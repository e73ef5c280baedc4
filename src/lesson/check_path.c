/*
 * Playing every path of a lesson under test.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/check_inside.h"
#include "lesson/path.h"

/* A path: its cards. */
struct path {
    size_t *cards, length;
};

/* How many cards one of the paths before has in common with this one, from the beginning. */
static size_t cards_known(const struct path *before, size_t count, const struct path *path)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        size_t n = 0;
        while (n < path->length && n < before[i].length && path->cards[n] == before[i].cards[n]) {
            n++;
        }
        known = n > known ? n : known;
    }
    return known;
}

/* Says which answers lead along the path. */
static void say_way(struct checker *c, const struct path *path, const int *answers)
{
    text_clear(&c->way);
    if (c->path == 0) {
        return;
    }
    for (size_t i = 0; i < path->length; i++) {
        size_t at = lesson_card(c->lesson, path->cards[i])->next;
        const size_t to =
            i + 1 < path->length ? lesson_card(c->lesson, path->cards[i + 1])->first : 0;
        while (at != to && at != 0 && lesson_item(c->lesson, at)->kind == LESSON_BRANCH) {
            const struct lesson_item *branch = lesson_item(c->lesson, at);
            text_addf(&c->way, "%s%s = %s", c->way.len == 0 ? " (with " : ", ", branch->name,
                      lesson_path_word(c->lesson, at, answers));
            at = lesson_path_behind(c->lesson, at, answers);
        }
    }
    text_add(&c->way, c->way.len > 0 ? ")" : "");
}

/* Plays the card to its end. */
static bool play_card(struct checker *c, struct err *err)
{
    for (;;) {
        const enum player_need need = player_next(c->player, err);
        if (err->code != ERR_NONE) {
            return false;
        }
        if (need == PLAYER_CARD || need == PLAYER_END) {
            return true;
        }
        if (!player_skip(c->player, err)) {
            return false;
        }
    }
}

/* Plays along; what is known already only to come past it. */
static bool play_path(struct checker *c, const struct path *path, size_t known,
                      player_item_fn *each_item, void (*each_card)(struct checker *c),
                      struct err *err)
{
    for (size_t i = 0; i < path->length; i++) {
        player_listen(c->player, i < known ? NULL : each_item, c);
        if ((i > 0 && !player_next_card(c->player, err)) || !play_card(c, err)) {
            return false;
        }
        if (i >= known) {
            each_card(c);
        }
    }
    return true;
}

void check_paths(struct checker *c, player_item_fn *each_item, void (*each_card)(struct checker *c))
{
    const struct player_options options = { .seed = CHECK_SEED };
    int *answers = mem_alloc(lesson_item_count(c->lesson), sizeof *answers);
    struct path *paths = mem_alloc(lesson_path_count(c->lesson), sizeof *paths);
    size_t count = 0;
    for (size_t i = 0; i < lesson_path_count(c->lesson); i++) {
        struct path *path = &paths[count];
        struct err err = { 0 };
        lesson_path_answers(c->lesson, i, answers);
        path->cards = mem_alloc(lesson_card_count(c->lesson), sizeof *path->cards);
        path->length = lesson_path(c->lesson, answers, path->cards);
        const size_t known = cards_known(paths, count++, path);
        if (known == path->length) {
            continue; /* other answers, the same cards */
        }
        c->found = c->result->count;
        say_way(c, path, answers);
        c->player = player_create(c->lesson, &options, &err);
        if (c->player != NULL) {
            player_assume(c->player, answers);
        }
        if (c->player == NULL || !play_path(c, path, known, each_item, each_card, &err)) {
            check_error(c, LESSON_RULE_PLAY, 0, &err);
        }
        player_destroy(c->player);
        check_switches_forget(c);
        c->path++;
    }
    for (size_t i = 0; i < count; i++) {
        free(paths[i].cards);
    }
    free(paths);
    free(answers);
}
