/*
 * The same place in another version of a lesson. See resume.h.
 *
 * A card's items that wait for somebody (a question, a play, ...) are its stations. How many of them were
 * passed says where on the card one is, whatever prose or switches were put between them.
 */
#include "lesson/resume.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/path.h"
#include "lesson/player_inside.h"

/* Simulated time between two looks at `cancel`; how long a play may take that nothing ends. */
#define SLICE    (100 * UNIT_US)
#define PLAY_MAX (120 * UNIT_S)

struct place_card {
    char *text;  /* what it says */
    sim_ps left; /* when it was left for the next one, on the present run; else -1 */
};

struct place_answer {
    char *ask;
    int kind; /* see path.h */
};

struct lesson_place {
    struct place_card *cards;
    size_t count;
    struct place_answer *answers; /* to each question, in their order */
    size_t answer_count;
    size_t begin, card; /* the run began on the first of these */
    size_t *trail;      /* the cards from there on, this one last */
    size_t trail_length;
    struct sim_cmd *sets; /* restart switches that are not as the lesson has them */
    size_t set_count;
    struct run_line *lines; /* the learner's and the lesson's, by time */
    size_t line_count;
    sim_ps now;
    size_t passed; /* stations */
    bool waiting;  /* at the next one */
    bool judged;
    struct player_question question;
    size_t question_station;
    char *choice; /* the words of the answer, or NULL */
    char *tried;
    size_t hints;
    int tries;
};

/* ---- taking ---------------------------------------------------------------------------------- */

static const char *text_of(const struct lesson *lesson, size_t card)
{
    const struct lesson_card *c = lesson_card(lesson, card);
    for (size_t i = c->first; i < c->first + c->count; i++) {
        if (lesson_item(lesson, i)->kind == LESSON_SAY) {
            return lesson_item(lesson, i)->text;
        }
    }
    return "";
}

static bool is_station(const struct lesson_item *item)
{
    switch (item->kind) {
    case LESSON_PREDICT:
    case LESSON_PLAY:
    case LESSON_FIX:
    case LESSON_COMPARE:
        return true;
    case LESSON_DROP:
        return item->ask;
    case LESSON_SCENE:
    case LESSON_SAY:
    case LESSON_NOTE:
    case LESSON_SET:
    case LESSON_SWITCH:
    case LESSON_FAULT:
    case LESSON_FOCUS:
    case LESSON_PLOT:
    case LESSON_BRANCH:
    case LESSON_CLAIM:
        return false;
    }
    return false;
}

/* Stations of the present card before an item. */
static size_t stations_before(const struct player *p, size_t item)
{
    size_t n = 0;
    for (size_t i = player_card_of(p)->first; i < item; i++) {
        n += is_station(player_item_at(p, i));
    }
    return n;
}

static void take_texts(struct lesson_place *place, const struct player *p)
{
    place->count = lesson_card_count(p->lesson);
    place->cards = mem_alloc(place->count, sizeof *place->cards);
    place->answers = mem_alloc(lesson_item_count(p->lesson), sizeof *place->answers);
    for (size_t i = 0; i < place->count; i++) {
        place->cards[i] = (struct place_card){ mem_strdup(text_of(p->lesson, i)), -1 };
    }
    for (size_t i = 0; i < lesson_item_count(p->lesson); i++) {
        if (player_item_at(p, i)->kind == LESSON_PREDICT) {
            place->answers[place->answer_count++] =
                (struct place_answer){ mem_strdup(player_item_at(p, i)->text), p->answers[i] };
        }
    }
}

/* The cards of the path that the present run has seen. */
static void take_trail(struct lesson_place *place, const struct player *p)
{
    const struct scene_run *scene = player_scene_of(p);
    size_t later = LESSON_PATH_NONE; /* the card behind */
    place->card = place->begin = p->card;
    place->trail = mem_alloc(p->path_length + 1, sizeof *place->trail);
    for (size_t i = 0; i < p->path_length; i++) {
        const size_t card = p->path[i];
        const struct card_start *start = &p->starts[card];
        if (card > p->card || !start->known || start->serial != scene->serial ||
            lesson_card(p->lesson, card)->scene != player_card_of(p)->scene) {
            continue;
        }
        if (later != LESSON_PATH_NONE) {
            place->cards[later].left = start->mark.at;
        }
        later = card;
        place->trail[place->trail_length++] = card;
    }
    place->begin = place->trail_length > 0 ? place->trail[0] : p->card;
}

static int64_t declared_value(const struct player *p, enum sim_knob knob)
{
    int64_t value =
        lesson_scene(p->lesson, (size_t)player_card_of(p)->scene)->scenario.knobs.v[knob];
    for (size_t i = 0; i < p->set_count; i++) {
        value =
            p->sets[i].kind == SIM_CMD_SET && p->sets[i].knob == knob ? p->sets[i].value : value;
    }
    return value;
}

/* A switch that starts the run anew leaves no line in its journal. */
static void take_sets(struct lesson_place *place, const struct player *p, const struct sim *sim)
{
    place->sets = mem_alloc(SIM_KNOB_COUNT, sizeof *place->sets);
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const enum sim_knob knob = (enum sim_knob)k;
        if (sim_knob_info(knob)->when == SIM_RESTART &&
            sim_knob(sim, knob) != declared_value(p, knob)) {
            place->sets[place->set_count++] =
                (struct sim_cmd){ .kind = SIM_CMD_SET, .knob = knob, .value = sim_knob(sim, knob) };
        }
    }
}

static void take_lines(struct lesson_place *place, const struct run *run)
{
    const struct run_line *lines;
    const size_t count = run_journal(run, &lines);
    place->lines = mem_alloc(count + 1, sizeof *place->lines);
    for (size_t i = 0; i < count; i++) {
        if (lines[i].author != RUN_SCENARIO) {
            place->lines[place->line_count++] = lines[i];
        }
    }
}

static void take_question(struct lesson_place *place, const struct player *p)
{
    const struct player_question *q = &p->question;
    place->question = *q;
    place->judged = p->judged;
    place->hints = p->hints;
    place->tries = p->tries;
    place->tried = mem_strdup(text_str(&p->tried));
    if (q->item != SIZE_MAX) {
        const struct lesson_item *item = player_item_at(p, q->item);
        place->question_station = stations_before(p, q->item);
        place->choice =
            q->choice < item->choice_count ? mem_strdup(item->choices[q->choice].text) : NULL;
    }
}

struct lesson_place *lesson_place_take(const struct player *p)
{
    struct lesson_place *place = mem_alloc(1, sizeof *place);
    const struct run *run = player_scene_of(p)->run;
    take_texts(place, p);
    take_trail(place, p);
    take_sets(place, p, run_sim(run));
    take_lines(place, run);
    take_question(place, p);
    place->now = run_now(run);
    place->passed = stations_before(p, p->cursor);
    place->waiting = p->waiting;
    return place;
}

void lesson_place_destroy(struct lesson_place *place)
{
    if (place == NULL) {
        return;
    }
    for (size_t i = 0; i < place->count; i++) {
        free(place->cards[i].text);
    }
    for (size_t i = 0; i < place->answer_count; i++) {
        free(place->answers[i].ask);
    }
    free(place->answers);
    free(place->trail);
    free(place->cards);
    free(place->sets);
    free(place->lines);
    free(place->choice);
    free(place->tried);
    free(place);
}

static bool same_cmd(const struct sim_cmd *a, const struct sim_cmd *b)
{
    char x[200], y[200];
    return strcmp(sim_cmd_format(a, x, sizeof x), sim_cmd_format(b, y, sizeof y)) == 0;
}

bool lesson_place_same(const struct lesson_place *a, const struct lesson_place *b)
{
    bool same = a->card == b->card && a->begin == b->begin && a->passed == b->passed &&
                a->waiting == b->waiting && a->line_count == b->line_count &&
                a->set_count == b->set_count && a->hints == b->hints && a->tries == b->tries &&
                a->question.state == b->question.state && a->question.sure == b->question.sure &&
                a->question.choice == b->question.choice &&
                a->question.number == b->question.number;
    for (size_t i = 0; same && i < a->line_count; i++) {
        same = a->lines[i].at == b->lines[i].at && same_cmd(&a->lines[i].cmd, &b->lines[i].cmd);
    }
    for (size_t i = 0; same && i < a->set_count; i++) {
        same = same_cmd(&a->sets[i], &b->sets[i]);
    }
    return same;
}

/* ---- finding a card again -------------------------------------------------------------------- */

static bool says_the_same(const struct lesson_place *place, size_t old, const struct lesson *lesson,
                          size_t card)
{
    return strcmp(place->cards[old].text, text_of(lesson, card)) == 0;
}

/* Where the old card number `old` is in the new lesson. */
static size_t find_card(const struct lesson_place *place, size_t old, const struct lesson *lesson,
                        bool *gone)
{
    const size_t count = lesson_card_count(lesson);
    const size_t least = count < place->count ? count : place->count;
    size_t before = 0, behind = 0;
    while (before < least && says_the_same(place, before, lesson, before)) {
        before++;
    }
    while (behind < least - before &&
           says_the_same(place, place->count - 1 - behind, lesson, count - 1 - behind)) {
        behind++;
    }
    *gone = false;
    if (old < before) {
        return old;
    }
    if (old >= place->count - behind) {
        return old + count - place->count;
    }
    *gone = old >= count - behind;
    return !*gone ? old : count > behind ? count - behind - 1 : count - 1;
}

/* ---- walking --------------------------------------------------------------------------------- */

struct walk {
    struct player *p;
    const struct lesson_place *place;
    const atomic_bool *cancel;
    size_t line; /* of the place: the next to be done */
    size_t lost;
};

static bool is_cancelled(const struct walk *w, struct err *err)
{
    return w->cancel != NULL && atomic_load(w->cancel) && !err_set(err, ERR_STATE, "cancelled");
}

/* The next line: done again if the learner did it. What the lesson did, its items do. */
static void do_line(struct walk *w)
{
    const struct run_line *line = &w->place->lines[w->line++];
    w->lost += line->author == RUN_LEARNER && !player_do(w->p, &line->cmd, NULL, NULL);
}

static sim_ps earlier(sim_ps a, sim_ps b)
{
    return a < b ? a : b;
}

/* Runs on to `until` or to what ends the play that is waited for, with what the learner did meanwhile.
 * False: cancelled. */
static bool run_on(struct walk *w, sim_ps until, struct err *err)
{
    const bool plays = player_waits_for(w->p, PLAYER_PLAY);
    const struct player_target target = player_target(w->p);
    until = earlier(until, target.until);
    for (;;) {
        struct run *run = player_run(w->p); /* a line may start another one */
        const sim_ps now = run_now(run);
        const sim_ps line =
            w->line < w->place->line_count ? w->place->lines[w->line].at - 1 : SIM_NEVER;
        if (is_cancelled(w, err)) {
            return false;
        }
        if (line <= now && line < until) {
            do_line(w);
            continue;
        }
        const sim_ps to = earlier(earlier(until, line), now + SLICE);
        const enum sim_stopped stopped = run_until(run, to, target.stop_kinds);
        const bool over = stopped == SIM_AT_END && line >= until;
        if ((plays && player_reached(w->p, stopped)) || run_now(run) >= until || over) {
            return true;
        }
    }
}

/* The answer that was given, if this is the question. */
static bool answer_again(struct walk *w)
{
    struct player *p = w->p;
    const struct player_question *q = &w->place->question;
    const struct lesson_item *item = player_item_at(p, p->cursor);
    if (q->item == SIZE_MAX || w->place->question_station != stations_before(p, p->cursor) ||
        (q->state != PLAYER_ANSWERED && q->state != PLAYER_JUDGED)) {
        return false;
    }
    if (item->number) {
        p->question.number = q->number;
        p->question.state = PLAYER_ANSWERED;
        player_item_done(p);
    } else {
        size_t choice = item->choice_count;
        for (size_t i = 0; w->place->choice != NULL && i < item->choice_count; i++) {
            choice = strcmp(item->choices[i].text, w->place->choice) == 0 ? i : choice;
        }
        if (!player_answer(p, choice < item->choice_count ? choice : q->choice, NULL)) {
            return false;
        }
    }
    player_sure(p, q->sure);
    return true;
}

/* A task that was done stays done. */
static void task_again(struct walk *w)
{
    struct player *p = w->p;
    if (w->place->question.state != PLAYER_JUDGED ||
        w->place->question_station != stations_before(p, p->cursor)) {
        (void)player_skip(p, NULL);
        return;
    }
    p->question.state = PLAYER_JUDGED;
    p->judged = w->place->judged;
    text_clear(&p->tried);
    text_add(&p->tried, w->place->tried);
    player_item_done(p);
}

/* The packet that the learner destroyed here, or the author's. */
static bool drop_again(struct walk *w, struct err *err)
{
    const struct lesson_place *place = w->place;
    size_t drop = w->line;
    while (drop < place->line_count && place->lines[drop].cmd.kind != SIM_CMD_DROP) {
        drop++;
    }
    if (drop < place->line_count) {
        if (!run_on(w, place->lines[drop].at - 1, err)) {
            return false;
        }
        while (w->line <= drop) {
            do_line(w);
        }
    }
    return !player_waits_for(w->p, PLAYER_DROP) || player_skip(w->p, err);
}

/* Does the station that is waited for, as it was done. */
static bool pass_station(struct walk *w, enum player_need need, bool same_card, struct err *err)
{
    switch (need) {
    case PLAYER_PLAY:
        if (!run_on(w, run_now(player_run(w->p)) + PLAY_MAX, err)) {
            return false;
        }
        return !player_waits_for(w->p, PLAYER_PLAY) ||
               err_set(err, ERR_LIMIT, "this play does not end within 120 s of simulated time");
    case PLAYER_ANSWER:
        return (same_card && answer_again(w)) || player_skip(w->p, err);
    case PLAYER_DROP:
        return drop_again(w, err);
    case PLAYER_FIX:
        if (same_card) {
            task_again(w);
            return true;
        }
        return player_skip(w->p, err);
    case PLAYER_COMPARE:
        return player_skip(w->p, err);
    case PLAYER_CARD:
    case PLAYER_END:
        return true;
    }
    return true;
}

/* Through the present card, up to `passed` stations of it. */
static bool walk_card(struct walk *w, size_t passed, bool same_card, struct err *err)
{
    for (;;) {
        struct err failed = { 0 };
        const enum player_need need = player_next(w->p, &failed);
        if (is_cancelled(w, err)) {
            return false;
        }
        if (failed.code != ERR_NONE) {
            continue; /* it is left behind, and said again when somebody gets there */
        }
        if (need == PLAYER_CARD || need == PLAYER_END ||
            stations_before(w->p, w->p->cursor) >= passed) {
            return true;
        }
        if (!pass_station(w, need, same_card, err)) {
            return false;
        }
    }
}

/* From the card on which the run began to the one that is wanted. */
static bool walk_to(struct walk *w, size_t card, struct err *err)
{
    const struct lesson_place *place = w->place;
    for (size_t i = 0; w->p->card != card; i++) {
        if (!walk_card(w, SIZE_MAX, false, err)) {
            return false;
        }
        const sim_ps left = i < place->trail_length ? place->cards[place->trail[i]].left : -1;
        if ((left > run_now(player_run(w->p)) && !run_on(w, left, err)) ||
            !player_next_card(w->p, err)) {
            return false;
        }
    }
    return true;
}

/* On the card: to the station and the moment. */
static bool walk_on(struct walk *w, struct err *err)
{
    const struct lesson_place *place = w->place;
    struct player *p = w->p;
    p->hints = place->hints;
    p->tries = place->tries;
    if (!walk_card(w, place->passed, true, err)) {
        return false;
    }
    while (run_now(player_run(p)) < place->now) {
        const bool plays = player_waits_for(p, PLAYER_PLAY);
        if (!run_on(w, place->now, err)) {
            return false;
        }
        if (!plays || player_waits_for(p, PLAYER_PLAY)) {
            break;
        }
        if (!walk_card(w, stations_before(p, p->cursor), true, err)) {
            return false;
        }
    }
    struct run *run = player_run(p);
    if (run_now(run) > place->now && !run_seek(run, place->now, err)) {
        return false;
    }
    for (; w->line < place->line_count; w->line++) { /* what lies ahead when one has gone back */
        const struct run_line *line = &place->lines[w->line];
        w->lost +=
            line->author == RUN_LEARNER &&
            (line->at <= run_now(run) || !run_plan(run, line->at, &line->cmd, RUN_LEARNER, NULL));
    }
    return true;
}

/* The answers that were given, to the same questions: they say which way the lesson takes. */
static void answers_again(struct walk *w)
{
    const struct lesson_place *place = w->place;
    const struct lesson *lesson = w->p->lesson;
    for (size_t i = 0; i < lesson_item_count(lesson); i++) {
        const struct lesson_item *item = lesson_item(lesson, i);
        for (size_t k = 0; item->kind == LESSON_PREDICT && k < place->answer_count; k++) {
            if (strcmp(place->answers[k].ask, item->text) == 0) {
                w->p->answers[i] = place->answers[k].kind;
            }
        }
    }
}

static bool walk(struct walk *w, size_t card, struct err *err)
{
    const struct lesson_place *place = w->place;
    const struct lesson *lesson = w->p->lesson;
    bool gone = false;
    size_t begin = find_card(place, place->begin, lesson, &gone);
    if (begin > card || lesson_card(lesson, begin)->scene != lesson_card(lesson, card)->scene) {
        begin = card;
    }
    answers_again(w);
    if (!player_goto(w->p, begin, err)) {
        return false;
    }
    lesson_path_lead_to(lesson, card, w->p->answers);
    w->p->path_length = lesson_path(lesson, w->p->answers, w->p->path);
    w->p->keeps_answers = true;
    for (size_t i = 0; i < place->set_count; i++) {
        w->lost += !player_do(w->p, &place->sets[i], NULL, NULL);
    }
    const bool ok = walk_to(w, card, err) && walk_on(w, err);
    w->p->keeps_answers = false;
    return ok;
}

struct player *player_resume(struct lesson *lesson, const struct player_options *options,
                             const struct lesson_place *place, const atomic_bool *cancel,
                             struct lesson_resumed *resumed, struct err *err)
{
    *resumed = (struct lesson_resumed){ 0 };
    struct player *player = player_create(lesson, options, err);
    if (player == NULL) {
        return NULL;
    }
    struct walk w = { .p = player, .place = place, .cancel = cancel };
    const size_t card = find_card(place, place->card, lesson, &resumed->card_gone);
    const bool ok = resumed->card_gone ? player_goto(player, card, err) : walk(&w, card, err);
    resumed->lost = w.lost;
    if (!ok) {
        player_destroy(player);
        return NULL;
    }
    return player;
}
