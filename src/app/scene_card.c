/*
 * The card of a lesson: where one is, what it says, asks and offers.
 */
#include <string.h>

#include "app/complete.h"
#include "app/scene_parts.h"

enum { SWITCHES_MAX = 9 };

/* Minutes for the cards from this one on, in whole minutes; at least one. */
static int minutes_left(const struct lesson_info *info, size_t card, size_t cards)
{
    if (cards == 0 || info->minutes <= 0) {
        return -1;
    }
    const size_t left = cards - card;
    const int minutes = (int)(((size_t)info->minutes * left + cards / 2) / cards);
    return minutes < 1 ? 1 : minutes;
}

/* ---- Switches -------------------------------------------------------------------------------------- */

/* Does the value differ from what the scene began with? */
static bool is_changed(const struct scene_fill_in *in, const struct lesson_card *card,
                       enum sim_knob knob)
{
    const struct lesson_scene *scene =
        lesson_scene(player_lesson(in->player), (size_t)(card->scene < 0 ? 0 : card->scene));
    return sim_knob(in->sim, knob) != scene->scenario.knobs.v[knob];
}

static void fill_switches(const struct scene_fill_in *in, struct scene_mem *mem,
                          const struct lesson_card *card, struct scene *scene)
{
    struct scene_switch *sw = scene_mem_take(mem, SWITCHES_MAX, sizeof *sw);
    const struct lesson *lesson = player_lesson(in->player);
    size_t n = 0;
    for (size_t i = 0; i < card->count && n < SWITCHES_MAX; i++) {
        const struct lesson_item *item = lesson_item(lesson, card->first + i);
        if (item->kind != LESSON_SWITCH) {
            continue;
        }
        char value[64];
        sim_knob_format(item->knob, sim_knob(in->sim, item->knob), false, value, sizeof value);
        sw[n].digit = (char)('1' + n);
        sw[n].label = item->label != NULL ? item->label : sim_knob_info(item->knob)->term;
        sw[n].value = scene_mem_textf(mem, "%s", value);
        sw[n].changed = is_changed(in, card, item->knob);
        n++;
    }
    scene->sw = sw;
    scene->sw_count = n;
}

/* What the scene sets and the card does not offer, in the order in which completion has it. */
static void fill_set(const struct scene_fill_in *in, struct scene_mem *mem,
                     const struct lesson_card *card, struct scene *scene)
{
    enum sim_knob order[SIM_KNOB_COUNT];
    size_t offered = 0, count = 0;
    complete_knobs(player_lesson(in->player), player_card(in->player), order, &offered, &count);
    struct scene_set *set = scene_mem_take(mem, count, sizeof *set);
    for (size_t i = 0; i < count; i++) {
        const enum sim_knob knob = order[offered + i];
        char value[64];
        sim_knob_format(knob, sim_knob(in->sim, knob), false, value, sizeof value);
        set[i] = (struct scene_set){ .name = sim_knob_info(knob)->name,
                                     .value = scene_mem_textf(mem, "%s", value),
                                     .changed = is_changed(in, card, knob) };
    }
    scene->set = set;
    scene->set_count = count;
}

/* ---- Question -------------------------------------------------------------------------------------- */

static enum scene_choice_state choice_state(const struct player_question *q, size_t i)
{
    switch (q->state) {
    case PLAYER_OPEN:
        return SCENE_CHOICE_OPEN;
    case PLAYER_ANSWERED:
        return i == q->choice ? SCENE_CHOICE_CHOSEN : SCENE_CHOICE_OPEN;
    case PLAYER_SKIPPED:
        return SCENE_CHOICE_OPEN;
    case PLAYER_JUDGED:
        if (q->not_checked) {
            return i == q->choice ? SCENE_CHOICE_CHOSEN : SCENE_CHOICE_OPEN;
        }
        return i == q->truth    ? SCENE_CHOICE_RIGHT
               : i == q->choice ? SCENE_CHOICE_WRONG
                                : SCENE_CHOICE_OPEN;
    }
    return SCENE_CHOICE_OPEN;
}

/* The hints that were asked for, one a line. */
static const char *hints_of(struct scene_mem *mem, const struct lesson_item *item, size_t count)
{
    const char *all = NULL;
    for (size_t i = 0; i < count && i < item->hint_count; i++) {
        all = all == NULL ? scene_mem_textf(mem, "%s", item->hints[i])
                          : scene_mem_textf(mem, "%s\n\n%s", all, item->hints[i]);
    }
    return all;
}

/* A number that was typed, and once it is judged the true one. */
static const char *said_of(struct scene_mem *mem, const struct lesson_item *item,
                           const struct player_question *q)
{
    char said[48], truth[48];
    if (!item->number || q->state == PLAYER_OPEN || q->state == PLAYER_SKIPPED) {
        return NULL;
    }
    units_format(said, sizeof said, item->unit, q->number);
    units_format(truth, sizeof truth, item->unit, q->true_number);
    return q->state != PLAYER_JUDGED || q->not_checked
               ? scene_mem_textf(mem, "%s", said)
               : scene_mem_textf(mem, "%s, it is %s%s", said, truth,
                                 q->off == 0 ? ": near enough" : "");
}

static enum scene_asking asking_of(const struct scene_fill_in *in, const struct player_question *q)
{
    const struct lesson_item *item = lesson_item(player_lesson(in->player), q->item);
    switch (q->state) {
    case PLAYER_OPEN:
        return item->number               ? SCENE_ASK_NUMBER
               : q->trying                ? SCENE_ASK_TRYING
               : item->kind == LESSON_FIX ? SCENE_ASK_TASK
                                          : SCENE_ASK_OPEN;
    case PLAYER_ANSWERED:
        return in->asking_sure  ? SCENE_ASK_SURE
               : q->not_checked ? SCENE_ASK_DONE
                                : SCENE_ASK_PENDING;
    case PLAYER_SKIPPED:
        return SCENE_ASK_PENDING;
    case PLAYER_JUDGED:
        return SCENE_ASK_DONE;
    }
    return SCENE_ASK_NONE;
}

/* Of a command, with keys of one's own; NULL: the usual one. */
static const char *key_of(const struct scene_fill_in *in, struct scene_mem *mem, const char *name)
{
    struct text key = { 0 };
    if (in->keys != NULL) {
        keymap_fill(in->keys, name, &key);
    }
    const char *said = key.len > 0 ? scene_mem_textf(mem, "%s", text_str(&key)) : NULL;
    text_finish(&key);
    return said;
}

static void fill_question(const struct scene_fill_in *in, struct scene_mem *mem,
                          struct scene *scene)
{
    static const char *const sure[] = { NULL, "a guess", "you think so", "you are sure" };
    struct player_question q = player_question(in->player);
    if (q.item == SIZE_MAX) {
        return;
    }
    if (in->hide_truth && q.state == PLAYER_JUDGED) {
        q.state = PLAYER_ANSWERED;
    }
    const struct lesson_item *item = lesson_item(player_lesson(in->player), q.item);
    const char *why_not = player_why_not(in->player);
    struct scene_choice *choice = scene_mem_take(mem, item->choice_count, sizeof *choice);
    for (size_t i = 0; i < item->choice_count; i++) {
        choice[i].letter = (char)('a' + i);
        choice[i].text = item->choices[i].text;
        choice[i].state = choice_state(&q, i);
    }
    scene->question = (struct scene_question){
        .asking = asking_of(in, &q),
        .ask = item->text,
        .choice = choice,
        .choice_count = item->choice_count,
        .said = said_of(mem, item, &q),
        .sure = q.sure >= 1 && q.sure <= 3 ? sure[q.sure] : NULL,
        .reply = why_not != NULL ? scene_mem_textf(mem, "Not checked: %s.", why_not) : in->reply,
        .hint = hints_of(mem, item, q.hints),
        .more_hints = player_hints_left(in->player) > 0,
        .key_skip = key_of(in, mem, "{key:skip}"),
        .key_type = key_of(in, mem, "{key:answer}"),
        .key_try = key_of(in, mem, "{key:try}"),
        .key_hint = key_of(in, mem, "{key:hint}"),
    };
}

/* ---- All of it ------------------------------------------------------------------------------------- */

/* The scale belongs to the first card of a scene. */
static const char *scale_of(const struct player *player)
{
    const struct lesson *lesson = player_lesson(player);
    const struct lesson_card *card = lesson_card(lesson, player_card(player));
    const size_t place = player_place(player);
    if (card->scene < 0 ||
        (place > 0 &&
         lesson_card(lesson, player_path_card(player, place - 1))->scene == card->scene)) {
        return NULL;
    }
    return lesson_scene(lesson, (size_t)card->scene)->scale;
}

void scene_fill_card(const struct scene_fill_in *in, struct scene_mem *mem, struct scene *scene)
{
    const struct lesson *lesson = player_lesson(in->player);
    const struct lesson_info info = lesson_info(lesson);
    const struct lesson_card *card = lesson_card(lesson, player_card(in->player));
    scene->title = info.title;
    scene->card = player_place(in->player) + 1;
    scene->cards = player_path_length(in->player);
    scene->minutes_left = minutes_left(&info, scene->card - 1, scene->cards);
    scene->scale = scale_of(in->player);
    if (in->prose != NULL) {
        struct scene_prose *prose = scene_mem_take(mem, 1, sizeof *prose);
        *prose = (struct scene_prose){ in->prose, in->prose_pending };
        scene->prose = prose;
        scene->prose_count = 1;
    }
    struct text earlier = { 0 }, keyed = { 0 };
    player_earlier(in->player, &earlier);
    keymap_fill(in->keys, text_str(&earlier), &keyed);
    scene->earlier = keyed.len > 0 ? scene_mem_textf(mem, "%s", text_str(&keyed)) : NULL;
    text_finish(&earlier);
    text_finish(&keyed);
    fill_question(in, mem, scene);
    fill_switches(in, mem, card, scene);
    fill_set(in, mem, card, scene);
}
