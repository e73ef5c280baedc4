/*
 * Following branches.
 */
#include "lesson/path.h"

#include "lesson/data.h"

int lesson_answer_kind(size_t choice, enum lesson_grade grade)
{
    return (int)(choice * LESSON_GRADE_COUNT) + (int)grade;
}

static int kind_of(const struct lesson *lesson, size_t question, const int *answers)
{
    return answers == NULL || answers[question] == LESSON_NO_ANSWER
               ? lesson->items[question].declared
               : answers[question];
}

/* The way that an answer of this kind takes, or way_count: straight on. */
static size_t way_of(const struct lesson_item *branch, int kind)
{
    size_t w = 0;
    while (w < branch->way_count && (branch->ways[w].answers >> kind & 1) == 0) {
        w++;
    }
    return w;
}

const char *lesson_path_word(const struct lesson *lesson, size_t branch, const int *answers)
{
    const struct lesson_item *item = &lesson->items[branch];
    const size_t w = way_of(item, kind_of(lesson, item->question, answers));
    return w < item->way_count ? item->ways[w].on : "straight on";
}

/* ---- walking --------------------------------------------------------------------------------- */

/* The card that begins with this item; the item begins one. */
static size_t card_at(const struct lesson *lesson, size_t item)
{
    size_t low = 0, high = lesson->card_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (lesson->cards[middle].first <= item) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

size_t lesson_path_behind(const struct lesson *lesson, size_t branch, const int *answers)
{
    const struct lesson_item *item = &lesson->items[branch];
    const size_t w = way_of(item, kind_of(lesson, item->question, answers));
    return w < item->way_count ? item->ways[w].from : item->next;
}

size_t lesson_path_next(const struct lesson *lesson, size_t card, const int *answers)
{
    size_t at = lesson->cards[card].next;
    while (at != 0 && lesson->items[at].kind == LESSON_BRANCH) {
        at = lesson_path_behind(lesson, at, answers);
    }
    return at == 0 ? LESSON_PATH_NONE : card_at(lesson, at);
}

size_t lesson_path(const struct lesson *lesson, const int *answers, size_t *cards)
{
    size_t n = 0, card = 0;
    while (card != LESSON_PATH_NONE && n < lesson->card_count) {
        cards[n++] = card;
        card = lesson_path_next(lesson, card, answers);
    }
    return n;
}

/* The first kind in a set of them, one that was judged if there is any. */
static int first_kind(uint32_t set)
{
    for (int judged = 1; judged >= 0; judged--) {
        for (int kind = 0; kind < LESSON_KINDS_MAX; kind++) {
            const bool is_judged = kind % LESSON_GRADE_COUNT != LESSON_GRADE_NONE;
            if ((set >> kind & 1) != 0 && is_judged == (judged != 0)) {
                return kind;
            }
        }
    }
    return 0;
}

void lesson_path_lead_to(const struct lesson *lesson, size_t card, int *answers)
{
    const size_t item = lesson->cards[card].first;
    for (size_t i = 0; i < item; i++) { /* outer branches first: an inner one is stricter */
        const struct lesson_item *branch = &lesson->items[i];
        for (size_t w = 0; branch->kind == LESSON_BRANCH && w < branch->way_count; w++) {
            const struct lesson_way *way = &branch->ways[w];
            const int kind = kind_of(lesson, branch->question, answers);
            if (way->from <= item && item < way->to && (way->answers >> kind & 1) == 0) {
                answers[branch->question] = first_kind(way->answers);
            }
        }
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Whether two kinds of answer to a question go the same way at each of its branches. */
static bool same_ways(const struct lesson *lesson, size_t question, int a, int b)
{
    for (size_t i = question; i < lesson->item_count; i++) {
        const struct lesson_item *item = &lesson->items[i];
        if (item->kind == LESSON_BRANCH && item->question == question &&
            way_of(item, a) != way_of(item, b)) {
            return false;
        }
    }
    return true;
}

/* Kinds of answers that differ in where they lead, the declared one first. */
static size_t kinds_of(const struct lesson *lesson, size_t question, int *kinds)
{
    const struct lesson_item *item = &lesson->items[question];
    uint32_t left = item->answers;
    size_t n = 0;
    kinds[n++] = item->declared;
    while (left != 0) {
        const int kind = first_kind(left);
        bool is_new = true;
        for (size_t i = 0; i < n; i++) {
            is_new = is_new && !same_ways(lesson, question, kinds[i], kind);
        }
        kinds[n] = kind;
        n += is_new;
        left &= ~(UINT32_C(1) << kind);
    }
    return n;
}

static bool has_branch(const struct lesson *lesson, size_t question)
{
    for (size_t i = question; i < lesson->item_count; i++) {
        if (lesson->items[i].kind == LESSON_BRANCH && lesson->items[i].question == question) {
            return true;
        }
    }
    return false;
}

size_t lesson_path_count(const struct lesson *lesson)
{
    size_t count = 1;
    int kinds[LESSON_KINDS_MAX + 1];
    for (size_t i = 0; i < lesson->item_count && count <= LESSON_PATHS_MAX; i++) {
        if (lesson->items[i].kind == LESSON_PREDICT && has_branch(lesson, i)) {
            count *= kinds_of(lesson, i, kinds);
        }
    }
    return count;
}

void lesson_path_answers(const struct lesson *lesson, size_t number, int *answers)
{
    int kinds[LESSON_KINDS_MAX + 1];
    for (size_t i = 0; i < lesson->item_count; i++) {
        answers[i] = LESSON_NO_ANSWER;
        if (lesson->items[i].kind == LESSON_PREDICT && has_branch(lesson, i)) {
            const size_t n = kinds_of(lesson, i, kinds);
            answers[i] = kinds[number % n];
            number /= n;
        }
    }
}
