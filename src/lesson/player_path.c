/*
 * Which cards there are, by the answers so far.
 */
#include <string.h>

#include "lesson/player_inside.h"

void player_keep_answer(struct player *p, size_t item, int kind)
{
    if (p->answers[item] != kind) {
        p->answers[item] = kind;
        p->path_length = lesson_path(p->lesson, p->answers, p->path);
    }
}

void player_assume(struct player *p, const int *answers)
{
    memcpy(p->answers, answers, lesson_item_count(p->lesson) * sizeof *answers);
    p->path_length = lesson_path(p->lesson, p->answers, p->path);
    p->keeps_answers = true;
}

size_t player_path_length(const struct player *p)
{
    return p->path_length;
}

size_t player_path_card(const struct player *p, size_t place)
{
    return p->path[place];
}

size_t player_place(const struct player *p)
{
    size_t place = p->path_length - 1;
    while (place > 0 && p->path[place] > p->card) { /* numbers grow along a path */
        place--;
    }
    return place;
}

bool player_goto_place(struct player *p, size_t place, struct err *err)
{
    if (place < 1 || place > p->path_length) {
        return err_set(err, ERR_RANGE, "there is no card %zu: this lesson has %zu", place,
                       p->path_length);
    }
    return player_goto(p, p->path[place - 1], err);
}

bool player_begins_scene(const struct player *p, size_t place)
{
    const size_t first = lesson_card(p->lesson, p->path[place])->first;
    return player_item_at(p, first)->kind == LESSON_SCENE;
}

/* ---- what the cards so far say to look at ------------------------------------------------------ */

static size_t last_of(const struct player *p, enum lesson_item_kind kind)
{
    for (size_t i = p->cursor; i-- > player_card_of(p)->first;) {
        if (player_item_at(p, i)->kind == kind) {
            return i;
        }
    }
    return SIZE_MAX;
}

size_t player_focus(const struct player *p)
{
    return last_of(p, LESSON_FOCUS);
}

size_t player_plot(const struct player *p)
{
    size_t item = last_of(p, LESSON_PLOT);
    for (size_t place = player_place(p); item == SIZE_MAX && !player_begins_scene(p, place);) {
        const struct lesson_card *before = lesson_card(p->lesson, p->path[--place]);
        for (size_t i = before->first + before->count; i-- > before->first;) {
            if (player_item_at(p, i)->kind == LESSON_PLOT) {
                return i;
            }
        }
    }
    return item;
}
