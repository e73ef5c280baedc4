/*
 * Plain mode: what is said of cards and of the run while it plays.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/plain_parts.h"
#include "base/mem.h"
#include "base/units.h"
#include "ui/rich.h"
#include "ui/sentence.h"
#include "ui/ui.h"

#define SLICE       (20 * UNIT_US) /* how often the narrator listens */
#define SAY_SILENCE (100 * UNIT_US)

enum { SILENCES_SAID = 3 }; /* then they are counted */

/* ---- saying ------------------------------------------------------------------------------------ */

/* Without the marks of the picture, " (N)" behind what they stand for. */
static void add_unmarked(const char *markdown, struct text *out)
{
    for (const char *at = markdown; *at != '\0'; at++) {
        if (strncmp(at, " (", 2) == 0 && at[2] != '\0' && at[3] == ')') {
            at += 3;
        } else {
            text_add_n(out, at, 1);
        }
    }
}

/* Markdown becomes wrapped lines without marks. */
void plain_say(const struct plain *p, const char *markdown)
{
    struct rich rich = { 0 };
    struct canvas canvas;
    struct text lines = { 0 }, unmarked = { 0 };
    canvas_init(&canvas);
    canvas.ascii = p->ascii;
    add_unmarked(markdown, &unmarked);
    rich_markdown(&rich, text_str(&unmarked), UI_ROLE_DEFAULT);
    int rows = (int)rich_wrap(&rich, PLAIN_WIDTH);
    canvas_resize(&canvas, PLAIN_WIDTH, rows);
    rich_draw(&rich, &canvas, (struct ui_rect){ 0, 0, PLAIN_WIDTH, rows }, 0);
    canvas_dump(&canvas, &lines);
    fputs(text_str(&lines), stdout);
    text_finish(&lines);
    text_finish(&unmarked);
    canvas_finish(&canvas);
    rich_finish(&rich);
}

void plain_say_wrapped(const char *text)
{
    struct text lines = { 0 };
    text_add_wrapped(&lines, "", text, PLAIN_WIDTH);
    plain_say_text(&lines);
    text_finish(&lines);
}

/* ---- sentences --------------------------------------------------------------------------------- */

/* In place of what is measured: a sentence without it stays as it is. */
#define BLANK "\x01"

/* A sentence of Markdown; bold words that are one by themselves are cut off. */
static const char *next_sentence(const char *at, size_t *len)
{
    const char *from = ui_sentence(at, 0, len);
    const char *bold = *len > 4 && strncmp(from, "**", 2) == 0 ? strstr(from + 2, "**") : NULL;
    if (bold != NULL && bold < from + *len && strchr(".?!", bold[-1]) != NULL) {
        *len = (size_t)(bold + 2 - from);
    }
    return from;
}

static bool holds(const struct text *set, const char *sentence)
{
    return strstr(text_str(set), sentence) != NULL;
}

/* Adds the sentence, behind what stands between them where the one before, up to `end`, is said, too. */
static void add_said(struct text *out, const char *end, const char *from, size_t len)
{
    if (end != NULL) {
        text_add_n(out, end, (size_t)(from - end));
    } else if (out->len > 0) {
        text_add(out, " ");
    }
    text_add_n(out, from, len);
}

/* All that the card says is about what will be measured: what it is about comes first none the less. */
static void add_title(const struct plain *p, struct text *out)
{
    const char *title = lesson_card(p->lesson, player_card(p->player))->title;
    size_t n = strlen(title);
    while (n > 0 && strchr(".,:; ", title[n - 1]) != NULL) {
        n--;
    }
    text_addf(out, "%.*s%s", (int)n, title, n > 0 && strchr("?!", title[n - 1]) == NULL ? "." : "");
}

static void say_new(struct plain *p, enum plain_prose which, const struct text *blanked,
                    const struct text *prose, bool pending)
{
    struct text out = { 0 }, now = { 0 };
    const char *at = text_str(which == PLAIN_FIRM ? blanked : prose), *end = NULL;
    size_t len;
    for (const char *from; *(from = next_sentence(at, &len)) != '\0' && len > 0; at = from + len) {
        char *sentence = mem_strndup(from, len);
        const bool firm = holds(blanked, sentence) && strstr(sentence, BLANK) == NULL;
        const bool unknown = pending && which != PLAIN_ALL && strstr(sentence, "...") != NULL;
        const bool said = holds(firm ? &p->firm : &p->said, sentence);
        /* what keys do is for the screen: here there are choices */
        const bool due =
            strstr(sentence, LESSON_KEY) == NULL && (firm || which != PLAIN_FIRM) && !unknown;
        if (due && !said) {
            add_said(&out, end, from, len);
        }
        if (due && (!firm || !said)) {
            text_addf(firm ? &p->firm : &now, "\n%s\n", sentence);
        }
        end = due && !said ? from + len : NULL;
        free(sentence);
    }
    if (which != PLAIN_FIRM) {
        text_clear(&p->said);
        text_add(&p->said, text_str(&now));
    }
    if (out.len == 0 && p->firm.len == 0 && p->said.len == 0) {
        add_title(p, &out);
    }
    if (out.len > 0) {
        putchar('\n');
        plain_say(p, text_str(&out));
    }
    text_finish(&out);
    text_finish(&now);
}

void plain_say_prose(struct plain *p, enum plain_prose which)
{
    struct text prose = { 0 }, blanked = { 0 };
    struct err err = { 0 };
    bool pending = false;
    if (!player_prose(p->player, &prose, &pending, &err)) {
        char line[512];
        printf("(%s)\n", err_text(&err, line, sizeof line));
    }
    player_prose_blank(p->player, BLANK, &blanked);
    say_new(p, which, &blanked, &prose, pending);
    text_finish(&prose);
    text_finish(&blanked);
}

/* ---- focus, judgement --------------------------------------------------------------------------- */

static void say_switches(const struct plain *p)
{
    const struct lesson_card *card = lesson_card(p->lesson, player_card(p->player));
    for (size_t i = 0; i < card->count; i++) {
        const struct lesson_item *item = lesson_item(p->lesson, card->first + i);
        char value[64];
        if (item->kind == LESSON_SWITCH) {
            printf("%s: %s\n", item->label,
                   sim_knob_format(item->knob, sim_knob(plain_sim(p), item->knob), false, value,
                                   sizeof value));
        }
    }
}

void plain_say_focus(struct plain *p)
{
    const size_t item = player_focus(p->player);
    if (item == p->focused || item == SIZE_MAX) {
        return;
    }
    const struct lesson_item *focus = lesson_item(p->lesson, item);
    const struct sim *sim = plain_sim(p);
    struct text how = { 0 };
    p->focused = item;
    if (focus->view == SCENE_VIEW_SWITCHES) {
        printf("\nThe switches:\n");
        say_switches(p);
    } else if (focus->view == SCENE_VIEW_TIMELINE || focus->view == SCENE_VIEW_GPUS) {
        printf("\nThe %s:\n", ui_view_name((enum scene_view)focus->view));
        narrator_state(sim, &how);
    }
    if (focus->node != NULL) {
        printf("\nLook at %s.\n", focus->node);
        narrator_node(sim, sim_find_node(sim, focus->node), &how);
    }
    plain_say_text(&how);
    text_finish(&how);
}

static const char *sure_words(int sure)
{
    static const char *const words[] = { "", ", a guess", ", you thought so", ", you were sure" };
    return words[sure >= 1 && sure <= 3 ? sure : 0];
}

void plain_say_judgement(struct plain *p)
{
    const struct player_question q = player_question(p->player);
    const char *why_not = player_why_not(p->player);
    if (q.item == SIZE_MAX || (q.state != PLAYER_JUDGED && why_not == NULL)) {
        p->judged = p->unchecked =
            false; /* not yet, or no longer: a switch has begun the run again */
        return;
    }
    if (p->judged) {
        return;
    }
    if (why_not != NULL) {
        if (!p->unchecked) {
            printf("\nYour answer is not checked: %s.\n", why_not);
        }
        p->unchecked = true;
        return;
    }
    const struct lesson_item *item = lesson_item(p->lesson, q.item);
    char said[48], truth[48];
    struct text out = { 0 };
    p->judged = true;
    if (item->kind == LESSON_FIX) {
        text_add(&out, "The goal is reached.");
    } else if (item->number) {
        text_addf(&out, "You said %s%s. It is %s: %s.",
                  units_format(said, sizeof said, item->unit, q.number), sure_words(q.sure),
                  units_format(truth, sizeof truth, item->unit, q.true_number),
                  q.off == 0  ? "near enough"
                  : q.off < 0 ? "you said too little"
                              : "you said too much");
    } else {
        const bool right = q.choice == q.truth;
        text_addf(&out, "You said: %s%s. %s%s.", item->choices[q.choice].text, sure_words(q.sure),
                  right ? "So it is" : "It is: ", right ? "" : item->choices[q.truth].text);
    }
    putchar('\n');
    plain_say_wrapped(text_str(&out));
    text_finish(&out);
}

void plain_say_card(struct plain *p)
{
    p->focused = SIZE_MAX;
    p->judged = false;
    p->unchecked = false;
    if (p->lab != NULL) {
        putchar('\n'); /* one card, and it has no number */
    } else {
        printf("\nCard %zu of %zu.\n", player_place(p->player) + 1, player_path_length(p->player));
    }
    text_clear(&p->firm);
    text_clear(&p->said);
    p->plotted = SIZE_MAX;
    narrator_begin(&p->narrator, plain_sim(p));
}

void plain_say_text(struct text *text)
{
    fputs(text_str(text), stdout);
    text_clear(text);
    fflush(stdout);
}

/* ---- playing ------------------------------------------------------------------------------------ */

static sim_ps earlier(sim_ps a, sim_ps b)
{
    return a < b ? a : b;
}

static void say_silence(struct plain *p, sim_ps *silence, sim_ps now)
{
    char length[40], when[40];
    if (*silence >= SAY_SILENCE) {
        p->silences++;
        p->silent += *silence;
    }
    if (*silence >= SAY_SILENCE && p->silences <= SILENCES_SAID) {
        printf("%s: nothing moved for %s.\n", units_format(when, sizeof when, UNIT_TIME, now),
               units_format(length, sizeof length, UNIT_TIME, *silence));
    }
    *silence = 0;
}

/* Plays to the target (or one of `kinds` when there is none) and tells what happens. */
void plain_play(struct plain *p, struct player_target target)
{
    struct run *run = player_run(p->player);
    struct text out = { 0 };
    sim_ps silence = 0;
    bool reached = false;
    while (!reached) {
        const struct sim *sim = run_sim(run);
        bool computing = false;
        bool quiet = sim_quiet(sim, &computing) && !computing;
        sim_ps before = run_now(run), next = sim_next_event(sim);
        sim_ps to = earlier(target.until, quiet ? next : before + SLICE);
        if (next == SIM_NEVER && target.until == SIM_NEVER) {
            player_skip(p->player, NULL);
            break;
        }
        enum sim_stopped stopped = run_until(run, to, target.stop_kinds);
        silence += quiet ? run_now(run) - before : 0;
        narrator_listen(&p->narrator, run_sim(run), &out);
        if (!quiet || out.len > 0 || !sim_quiet(run_sim(run), NULL)) {
            say_silence(p, &silence, run_now(run));
        }
        plain_say_text(&out);
        reached = player_reached(p->player, stopped) &&
                  (stopped != SIM_AT_TIME || run_now(run) >= target.until);
    }
    text_finish(&out);
}

void plain_say_summary(struct plain *p)
{
    struct text out = { 0 };
    char length[40];
    narrator_summary(&p->narrator, plain_sim(p), &out);
    if (p->silences > SILENCES_SAID) {
        text_addf(&out, "Nothing moved %zu times, for %s in all.\n", p->silences,
                  units_format(length, sizeof length, UNIT_TIME, p->silent));
    }
    p->silences = 0;
    p->silent = 0;
    plain_say_text(&out);
    text_finish(&out);
}

/* A saved run has come to its end: is it the one that was saved? */
void plain_say_verdict(const struct plain *p)
{
    struct text why = { 0 };
    const enum replay_verdict verdict =
        p->saved != NULL ? replay_judge(p->saved, player_run(p->player), &why) : REPLAY_OPEN;
    if (verdict != REPLAY_OPEN) {
        printf("%s.\n", verdict == REPLAY_SAME ? "It is the run that was saved" : text_str(&why));
    }
    struct err err = { 0 };
    if (p->saved != NULL && !run_journal_ok(player_run(p->player), &err)) {
        printf("A line of its journal could not be done: %s.\n", err.msg);
    }
    text_finish(&why);
}
