/*
 * Plain mode: what is said of cards and of the run while it plays.
 */
#include <stdio.h>
#include <string.h>

#include "app/plain_parts.h"
#include "base/units.h"
#include "ui/rich.h"
#include "ui/ui.h"

#define SLICE       (20 * UNIT_US) /* how often the narrator listens */
#define SAY_SILENCE (100 * UNIT_US)

/* ---- saying ------------------------------------------------------------------------------------ */

/* Markdown becomes wrapped lines without marks. */
void plain_say(const struct plain *p, const char *markdown)
{
    struct rich rich = { 0 };
    struct canvas canvas;
    struct text lines = { 0 };
    canvas_init(&canvas);
    canvas.ascii = p->ascii;
    rich_markdown(&rich, markdown, UI_ROLE_DEFAULT);
    int rows = (int)rich_wrap(&rich, PLAIN_WIDTH);
    canvas_resize(&canvas, PLAIN_WIDTH, rows);
    rich_draw(&rich, &canvas, (struct ui_rect){ 0, 0, PLAIN_WIDTH, rows }, 0);
    canvas_dump(&canvas, &lines);
    fputs(text_str(&lines), stdout);
    text_finish(&lines);
    canvas_finish(&canvas);
    rich_finish(&rich);
}

/* The card's text when it is new, and whole: a number that is still missing comes later. */
void plain_say_prose(struct plain *p, bool even_pending)
{
    struct text prose = { 0 };
    struct err err = { 0 };
    bool pending = false;
    if (!player_prose(p->player, &prose, &pending, &err)) {
        char line[512];
        printf("(%s)\n", err_text(&err, line, sizeof line));
    }
    if ((!pending || even_pending) && prose.len > 0 &&
        strcmp(text_str(&prose), text_str(&p->said)) != 0) {
        putchar('\n');
        plain_say(p, text_str(&prose));
        text_clear(&p->said);
        text_add(&p->said, text_str(&prose));
    }
    text_finish(&prose);
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
    if (focus->view >= 0) {
        const enum scene_view view = (enum scene_view)focus->view;
        printf("\nLook at the %s.\n", ui_view_name(view));
        if (view == SCENE_VIEW_SWITCHES) {
            say_switches(p);
        } else if (view == SCENE_VIEW_TIMELINE || view == SCENE_VIEW_GPUS) {
            narrator_state(sim, &how);
        }
    }
    if (focus->node != NULL) {
        printf("%sLook at %s.\n", focus->view >= 0 ? "" : "\n", focus->node);
        narrator_node(sim, sim_find_node(sim, focus->node), &how);
    }
    plain_say_text(&how);
    text_finish(&how);
}

static const char *sure_words(int sure)
{
    static const char *const words[] = { "", ", a guess", ", you thought", ", you knew" };
    return words[sure >= 1 && sure <= 3 ? sure : 0];
}

void plain_say_judgement(struct plain *p)
{
    const struct player_question q = player_question(p->player);
    const char *why_not = player_why_not(p->player);
    if (q.item == SIZE_MAX || p->judged || (q.state != PLAYER_JUDGED && why_not == NULL)) {
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
    p->judged = true;
    if (item->kind == LESSON_FIX) {
        printf("\nThe goal is reached.\n");
    } else if (item->number) {
        printf("\nYou said %s%s. It is %s: %s.\n",
               units_format(said, sizeof said, item->unit, q.number), sure_words(q.sure),
               units_format(truth, sizeof truth, item->unit, q.true_number),
               q.off == 0  ? "near enough"
               : q.off < 0 ? "you said too little"
                           : "you said too much");
    } else if (q.choice == q.truth) {
        printf("\nYou said: %s%s. So it is.\n", item->choices[q.choice].text, sure_words(q.sure));
    } else {
        printf("\nYou said: %s%s. It is: %s.\n", item->choices[q.choice].text, sure_words(q.sure),
               item->choices[q.truth].text);
    }
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

static void say_silence(sim_ps *silence, sim_ps now)
{
    char length[40], when[40];
    if (*silence >= SAY_SILENCE) {
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
            say_silence(&silence, run_now(run));
        }
        plain_say_text(&out);
        reached = player_reached(p->player, stopped) &&
                  (stopped != SIM_AT_TIME || run_now(run) >= target.until);
    }
    narrator_summary(&p->narrator, run_sim(run), &out);
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
