#include "lesson/worksheet.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "lesson/path.h"
#include "lesson/play.h"
#include "run/run.h"

#define BLANK      "________"
#define BLANK_LINE "________________________________________________________________"

enum { WIDTH = 100 };

struct sheet {
    struct lesson *lesson;
    struct text *out;
    bool notes;
    struct run *
        *runs; /* of each scene, at its beginning; switches as the lesson has set them so far */
    struct report *reports;
    const struct report **seen;
    int scene;  /* of the card */
    bool asked; /* the card has asked something */
};

/* ---- words ----------------------------------------------------------------------------------- */

/* A text with its values, as lines; `first` begins the first of them, blanks the others. */
static void add_prose(struct sheet *s, const char *first, const char *markdown)
{
    const struct lesson_sight sight = { .reports = s->seen, .scene = s->scene, .blank = BLANK };
    struct text filled = { 0 };
    struct text line = { 0 };
    (void)lesson_fill(s->lesson, markdown, &sight, &filled, NULL, NULL);
    const char *at = text_str(&filled);
    while (*at != '\0') { /* paragraphs */
        const char *end = strstr(at, "\n\n");
        const size_t len = end != NULL ? (size_t)(end - at) : strlen(at);
        text_clear(&line);
        for (size_t i = 0; i < len;
             i++) { /* an author's line breaks and indentation mean nothing */
            const bool blank = at[i] == ' ' || at[i] == '\n';
            if (!blank || (line.len > 0 && text_str(&line)[line.len - 1] != ' ')) {
                text_add_n(&line, blank ? " " : at + i, 1);
            }
        }
        if (line.len > 0) {
            text_add_wrapped(s->out, first, text_str(&line), WIDTH);
            text_add(s->out, "\n");
        }
        at += len;
        at += strspn(at, "\n");
    }
    text_finish(&line);
    text_finish(&filled);
}

static void add_room(struct sheet *s, const char *label)
{
    text_addf(s->out, "%s " BLANK_LINE "\n\n", label);
}

/* ---- items ----------------------------------------------------------------------------------- */

static void predict(struct sheet *s, const struct lesson_item *item)
{
    struct text ask = { 0 };
    text_addf(&ask, "**Your prediction%s%s:** %s", item->from != NULL ? ", from " : "",
              item->from != NULL ? item->from : "", item->text);
    text_add_wrapped(s->out, "", text_str(&ask), WIDTH);
    text_add(s->out, "\n");
    text_finish(&ask);
    for (size_t i = 0; i < item->choice_count; i++) {
        const struct lesson_choice *choice = &item->choices[i];
        text_addf(s->out, "- [ ] %c: %s\n", (char)('a' + (int)i), choice->text);
        if (s->notes && choice->belief != NULL) {
            text_addf(s->out, "      - behind it: %s\n", choice->belief);
        }
    }
    text_add(s->out, item->choice_count > 0 ? "\n" : "");
    if (item->number) {
        add_room(s, "With its unit:");
    }
    if (item->asks_sure) {
        text_add(s->out, "How sure? [ ] a guess  [ ] I think so  [ ] I know\n\n");
    }
    add_room(s, "Why:");
    add_room(s, "What came out:");
}

static void task(struct sheet *s, const struct lesson_item *item)
{
    struct text goal = { 0 };
    text_addf(&goal, "**Your task:** %s", item->text);
    add_prose(s, "", text_str(&goal));
    text_finish(&goal);
    add_room(s, "What I moved:");
    add_room(s, "What it did:");
    for (size_t i = 0; s->notes && i < item->hint_count; i++) {
        add_prose(s, "> Hint: ", item->hints[i]);
    }
}

static void offer(struct sheet *s, const struct lesson_item *item)
{
    text_addf(s->out, "*A switch: %s (", item->label);
    for (size_t i = 0; i < item->value_count; i++) {
        char value[64];
        text_addf(s->out, "%s%s", i > 0 ? ", " : "",
                  sim_knob_format(item->knob, item->values[i], false, value, sizeof value));
    }
    text_add(s->out, ").*\n\n");
}

/* What the lesson does to the run, as one types it. Behind a question that may be half its answer ("which
 * packet?", and the last is dropped): the teacher's to see. */
static void deeds(struct sheet *s, const char *words, const struct lesson_item *item)
{
    if (s->asked && !s->notes) {
        return;
    }
    text_addf(s->out, "*%s", words);
    for (size_t i = 0; i < item->cmd_count; i++) {
        char cmd[160];
        text_addf(s->out, "%s`%s`", i > 0 ? ", " : " ",
                  sim_cmd_format(&item->cmds[i], cmd, sizeof cmd));
    }
    text_add(s->out, ".*\n\n");
}

/* What the lesson moves before anything of the card happens counts for the card's prose, too. A switch of
 * `restart` begins the scene again, which is where it is. */
static bool move_switches(struct sheet *s, const struct lesson_card *card, struct err *err)
{
    bool ok = true;
    for (size_t i = card->first; ok && i < card->first + card->count; i++) {
        const struct lesson_item *item = lesson_item(s->lesson, i);
        if (item->kind == LESSON_PLAY || item->kind == LESSON_PREDICT || item->kind == LESSON_FIX) {
            break;
        }
        ok = item->kind != LESSON_SET || lesson_play_commands(s->runs[s->scene], item, err);
    }
    report_finish(&s->reports[s->scene]);
    report_take(&s->reports[s->scene], s->runs[s->scene]);
    return ok;
}

static void plotted(struct sheet *s, const struct lesson_item *item)
{
    text_add(s->out, "*Plotted over time:");
    for (size_t i = 0; i < item->plot_count; i++) {
        text_addf(s->out, "%s `%s`", i > 0 ? "," : "", item->plots[i]);
    }
    text_add(s->out, ". Draw what you expect before you look.*\n\n");
}

static void add_item(struct sheet *s, const struct lesson_item *item)
{
    switch (item->kind) {
    case LESSON_SAY:
        add_prose(s, "", item->text);
        break;
    case LESSON_NOTE:
        add_prose(s, "> For the teacher: ", s->notes ? item->text : "");
        break;
    case LESSON_SET:
        deeds(s, "The lesson moves:", item);
        break;
    case LESSON_SWITCH:
        offer(s, item);
        break;
    case LESSON_DROP:
        if (item->ask) {
            text_add(s->out,
                     "*Destroy a packet of your own (arrows, then x). Which:* " BLANK "\n\n");
        } else {
            deeds(s, "The lesson does:", item);
        }
        break;
    case LESSON_FAULT:
        deeds(s, "The lesson does:", item);
        break;
    case LESSON_COMPARE:
        deeds(s, "Beside each other: the run as it is, and with", item);
        break;
    case LESSON_PLOT:
        plotted(s, item);
        break;
    case LESSON_PREDICT:
        predict(s, item);
        s->asked = true;
        break;
    case LESSON_FIX:
        task(s, item);
        break;
    case LESSON_CLAIM:
        if (s->notes) {
            struct text claim = { 0 };
            text_addf(&claim, "> Proved here: %s", item->text);
            text_add_wrapped(s->out, "", text_str(&claim), WIDTH);
            text_add(s->out, "\n");
            text_finish(&claim);
        }
        break;
    case LESSON_SCENE:
    case LESSON_BRANCH: /* add_condition() */
    case LESSON_FOCUS:
    case LESSON_PLAY:
        break; /* what the screen does */
    }
}

/* ---- the sheet ------------------------------------------------------------------------------- */

/* Who comes by a card that begins a way of a branch. */
static void add_condition(struct sheet *s, const struct lesson_card *card)
{
    for (size_t i = 0; i < card->first; i++) {
        const struct lesson_item *branch = lesson_item(s->lesson, i);
        for (size_t w = 0; branch->kind == LESSON_BRANCH && w < branch->way_count; w++) {
            const struct lesson_way *way = &branch->ways[w];
            const bool number = way->on[0] == '[';
            if (way->from == card->first) {
                text_addf(s->out, "*Only where the answer was %.*s%s to: %s*\n\n", number,
                          &"abcd"[number ? way->on[1] - '1' : 0], number ? "" : way->on,
                          lesson_item(s->lesson, branch->question)->text);
            }
        }
    }
}

/* The card's number, as the screen has it for who comes by it. */
static size_t place_of(const struct lesson *lesson, size_t card)
{
    int *answers = mem_alloc(lesson_item_count(lesson), sizeof *answers);
    size_t *path = mem_alloc(lesson_card_count(lesson), sizeof *path);
    size_t place = 0;
    lesson_path_answers(lesson, 0, answers);
    lesson_path_lead_to(lesson, card, answers);
    (void)lesson_path(lesson, answers, path);
    while (path[place] != card) {
        place++;
    }
    free(path);
    free(answers);
    return place + 1;
}

static bool add_cards(struct sheet *s, struct err *err)
{
    for (size_t c = 0; c < lesson_card_count(s->lesson); c++) {
        const struct lesson_card *card = lesson_card(s->lesson, c);
        s->scene = card->scene;
        s->asked = false;
        text_addf(s->out, "## Card %zu\n\n", place_of(s->lesson, c));
        add_condition(s, card);
        if (!move_switches(s, card, err)) {
            return false;
        }
        for (size_t i = card->first; i < card->first + card->count; i++) {
            add_item(s, lesson_item(s->lesson, i));
        }
    }
    return true;
}

static bool begin_scenes(struct sheet *s, struct err *err)
{
    const size_t n = lesson_scene_count(s->lesson);
    s->runs = mem_alloc(n, sizeof *s->runs);
    s->reports = mem_alloc(n, sizeof *s->reports);
    s->seen = mem_alloc(n, sizeof *s->seen);
    for (size_t i = 0; i < n; i++) {
        s->runs[i] = run_create(&lesson_scene(s->lesson, i)->scenario, 1, err);
        if (s->runs[i] == NULL) {
            return false;
        }
        report_take(&s->reports[i], s->runs[i]);
        s->seen[i] = &s->reports[i];
    }
    return true;
}

static void end_scenes(struct sheet *s)
{
    for (size_t i = 0; i < lesson_scene_count(s->lesson); i++) {
        if (s->seen[i] != NULL) {
            report_finish(&s->reports[i]);
        }
        run_destroy(s->runs[i]);
    }
    free((void *)s->runs);
    free(s->reports);
    free((void *)s->seen);
}

bool lesson_worksheet(struct lesson *lesson, bool notes, struct text *out, struct err *err)
{
    struct sheet s = { .lesson = lesson, .out = out, .notes = notes };
    const struct lesson_info info = lesson_info(lesson);
    text_addf(out, "# %s (%d)\n\n%s" BLANK "  Date: " BLANK "\n\n", info.title, info.year,
              notes ? "*For the teacher.* Name: " : "Name: ");
    text_addf(out,
              "About %s, beside `weft %s`. Write down what you think *before* it plays; it "
              "costs nothing to be wrong, and it is how one notices.\n\n",
              units_counted((char[32]){ 0 }, 32, info.minutes, "minute", "minutes"), info.id);
    const bool ok = begin_scenes(&s, err) && add_cards(&s, err);
    end_scenes(&s);
    return ok;
}
