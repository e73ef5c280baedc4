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
