/*
 * A card's question: the answer, the truth, and what is said of both.
 */
#include <math.h>

#include "lesson/path.h"
#include "lesson/player_inside.h"

static int how_far_off(const struct lesson_item *item, int64_t said, int64_t truth)
{
    const double by = (double)said - (double)truth;
    const bool near = fabs(by) * (double)UNIT_ONE <= (double)item->tolerance * fabs((double)truth);
    return near ? 0 : by < 0 ? -1 : 1;
}

/* The answer as far as it was judged, for the branches that look at it. */
static void keep(struct player *p)
{
    const struct player_question *q = &p->question;
    const bool number = player_item_at(p, q->item)->number;
    enum lesson_grade grade = LESSON_GRADE_NONE;
    if (q->state == PLAYER_JUDGED && number) {
        grade = q->off == 0  ? LESSON_GRADE_RIGHT
                : q->off < 0 ? LESSON_GRADE_WRONG
                             : LESSON_GRADE_HIGH;
    } else if (q->state == PLAYER_JUDGED) {
        grade = q->choice == q->truth ? LESSON_GRADE_RIGHT : LESSON_GRADE_WRONG;
    }
    if (!p->keeps_answers && (q->state == PLAYER_ANSWERED || q->state == PLAYER_JUDGED)) {
        player_keep_answer(p, q->item, lesson_answer_kind(number ? 0 : q->choice, grade));
    }
}

/* What the question was about has not all been played yet: a truth that knows something already
 * would be that of a run which has hardly begun. */
static bool is_played(const struct player *p)
{
    if (player_item_at(p, p->question.item)->right > 0) {
        return true; /* of an earlier lesson: no run has a say in it */
    }
    for (size_t i = p->cursor; i < player_card_end(p); i++) {
        const enum lesson_item_kind kind = player_item_at(p, i)->kind;
        if (kind == LESSON_PREDICT || kind == LESSON_FIX) {
            return true; /* from here on it is about something else */
        }
        if (kind == LESSON_PLAY) {
            return false;
        }
    }
    return true;
}

void player_judge_question(struct player *p)
{
    struct player_question *q = &p->question;
    if (q->item == SIZE_MAX || q->state == PLAYER_OPEN || p->judged || q->not_checked ||
        player_is_task(p) || !is_played(p)) {
        return;
    }
    struct err err = { 0 };
    const struct lesson_sight sight = player_sight(p);
    const bool number = player_item_at(p, q->item)->number;
    if (number ? lesson_truth_number(p->lesson, q->item, &sight, &q->true_number, &err)
               : lesson_truth(p->lesson, q->item, &sight, &q->truth, &err)) {
        q->off = number ? how_far_off(player_item_at(p, q->item), q->number, q->true_number) : 0;
        p->judged = true;
        q->state = q->state == PLAYER_ANSWERED ? PLAYER_JUDGED : q->state;
        keep(p);
    } else if (err.code != ERR_STATE) {
        q->not_checked = true;
        p->why_not = err;
    }
}

const char *player_why_not(const struct player *p)
{
    const struct player_question *q = &p->question;
    if (q->item == SIZE_MAX || player_is_task(p)) {
        return NULL;
    }
    const bool done = !p->waiting && p->cursor == player_card_end(p);
    return q->not_checked                        ? p->why_not.msg
           : q->state == PLAYER_ANSWERED && done ? "this run has not come to it yet"
                                                 : NULL;
}

bool player_answer(struct player *p, size_t choice, struct err *err)
{
    if (!player_waits_for(p, PLAYER_ANSWER)) {
        return err_set(err, ERR_STATE, "no question is open");
    }
    if (choice >= player_item_at(p, p->cursor)->choice_count) {
        return err_set(err, ERR_RANGE, "there is no answer %c", (int)('a' + (int)(choice % 26)));
    }
    p->question.choice = choice;
    p->question.state = PLAYER_ANSWERED;
    keep(p);
    player_item_done(p);
    return true;
}

bool player_answer_number(struct player *p, const char *text, struct err *err)
{
    if (!player_waits_for(p, PLAYER_ANSWER) || !player_item_at(p, p->cursor)->number) {
        return err_set(err, ERR_STATE, "no question for a number is open");
    }
    if (!units_parse(text, player_item_at(p, p->cursor)->unit, &p->question.number, err)) {
        return false;
    }
    p->question.state = PLAYER_ANSWERED;
    keep(p);
    player_item_done(p);
    return true;
}

void player_sure(struct player *p, int how_sure)
{
    p->question.sure = how_sure;
}

void player_suppose(struct player *p, const struct player_question *question, const char *tried)
{
    p->question = *question;
    p->judged = false;
    text_clear(&p->tried);
    text_add(&p->tried, tried != NULL ? tried : "");
}

/* ---- what is said ---------------------------------------------------------------------------- */

static bool fill(struct player *p, const char *markdown, struct text *out, bool *pending,
                 struct err *err)
{
    bool unknown = false;
    const struct lesson_sight sight = player_sight(p);
    const bool ok = lesson_fill(p->lesson, markdown, &sight, out, &unknown, err);
    *pending = *pending || unknown;
    return ok;
}

static bool add_notes(struct player *p, const char *lead, struct text *out, bool *unknown,
                      struct err *err)
{
    bool ok = true;
    for (size_t i = player_card_of(p)->first; i < player_card_end(p); i++) {
        if (player_item_at(p, i)->kind == LESSON_NOTE) {
            text_add(out, lead);
            ok = fill(p, player_item_at(p, i)->text, out, unknown, ok ? err : NULL) && ok;
        }
    }
    return ok;
}

bool player_notes(struct player *p, struct text *out, struct err *err)
{
    bool unknown = false;
    return add_notes(p, out->len > 0 ? "\n\n" : "", out, &unknown, err);
}

void player_hide(struct player *p, bool hide)
{
    p->hides = hide;
}

bool player_knows_answer(const struct player *p)
{
    return p->judged || p->question.state == PLAYER_JUDGED;
}

/* The reply to what was chosen, and why it is so. */
static bool add_reply(struct player *p, struct text *out, bool *unknown, struct err *err)
{
    const struct player_question *q = &p->question;
    const struct lesson_item *item = player_item_at(p, q->item);
    bool ok = true;
    const char *reply = q->state != PLAYER_JUDGED ? NULL
                        : !item->number           ? item->choices[q->choice].reply
                        : q->off < 0              ? item->low
                        : q->off > 0              ? item->high
                                                  : NULL;
    if (reply != NULL) {
        ok = fill(p, reply, out, unknown, err);
        text_add(out, " ");
    }
    return fill(p, item->because, out, unknown, ok ? err : NULL) && ok;
}

void player_keep_reply(struct player *p)
{
    player_judge_question(p);
    if (p->question.item == SIZE_MAX || p->reply_count == PLAYER_REPLIES_MAX) {
        return;
    }
    struct player_reply *kept = &p->replies[p->reply_count];
    bool unknown = false;
    text_clear(&kept->text);
    if (player_is_task(p)) {
        text_add(&kept->text, text_str(&p->tried));
    } else if (p->judged) {
        (void)add_reply(p, &kept->text, &unknown, NULL);
    }
    kept->item = p->question.item;
    p->reply_count += kept->text.len > 0;
}

void player_earlier(const struct player *p, struct text *out)
{
    for (size_t i = 0; !p->hides && i < p->reply_count; i++) {
        if (p->replies[i].item < p->question.item) {
            text_addf(out, "%s%s", out->len > 0 ? "\n\n" : "", text_str(&p->replies[i].text));
        }
    }
}

bool player_prose(struct player *p, struct text *out, bool *pending, struct err *err)
{
    bool unknown = false, ok = true;
    const struct player_question *q = &p->question;
    player_judge_question(p);
    if (!p->hides && player_is_task(p) && q->state != PLAYER_OPEN && p->tried.len > 0) {
        text_add(out, text_str(&p->tried));
    } else if (p->judged && !p->hides) {
        ok = add_reply(p, out, &unknown, err);
    } else {
        for (size_t i = player_card_of(p)->first; i < player_card_end(p); i++) {
            if (player_item_at(p, i)->kind == LESSON_SAY) {
                ok = fill(p, player_item_at(p, i)->text, out, &unknown, ok ? err : NULL) && ok;
            }
        }
        if (player_is_task(p) && p->tried.len > 0) {
            text_addf(out, "\n\n%s", text_str(&p->tried));
        }
    }
    if (p->notes) {
        ok = add_notes(p, "\n\n**For the teacher:** ", out, &unknown, ok ? err : NULL) && ok;
    }
    if (pending != NULL) {
        *pending = unknown;
    }
    return ok;
}

void player_prose_blank(struct player *p, const char *blank, struct text *out)
{
    p->blank = blank;
    (void)player_prose(p, out, NULL, NULL);
    p->blank = NULL;
}
