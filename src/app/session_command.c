/*
 * Commands of a session: each answers, by what changes or by a sentence.
 */
#include <stdio.h>

#include "app/session_box.h"
#include "app/session_parts.h"
#include "ui/ui.h"

/* ---- commands: cards ------------------------------------------------------------------------------ */

void session_answered(struct session *s, const struct lesson_item *question, const char *said)
{
    s->asks_sure = question != NULL && question->asks_sure;
    if (s->asks_sure) { /* the keys first: 40 columns are enough for them */
        session_say(s, "sure?  - a guess  = think so  + know   (you said %s)", said);
    } else {
        session_say(s, "you said %s", said);
    }
    session_proceed(s);
}

static void do_answer(struct session *s, size_t choice)
{
    struct err err = { 0 };
    size_t item = player_item(s->player);
    const struct lesson_item *question = item == SIZE_MAX ? NULL : lesson_item(s->lesson, item);
    if (question != NULL && question->number) {
        session_prompt_answer(s);
    } else if (question == NULL || choice >= question->choice_count) {
        session_say(s, "this question has no answer %c", (int)('a' + (int)choice));
    } else if (!player_answer(s->player, choice, &err)) {
        session_say(s, "%s", err.msg);
    } else {
        session_answered(s, question, (char[]){ (char)('a' + (int)choice), '\0' });
    }
}

static void do_sure(struct session *s, uint32_t key)
{
    player_sure(s->player, key == '-' ? 1 : key == '=' ? 2 : 3);
    s->asks_sure = false;
    session_say(s, "noted: %s; + - gear again",
                key == '-'   ? "a guess"
                : key == '=' ? "you think so"
                             : "you are sure");
}

static void do_skip(struct session *s)
{
    struct err err = { 0 };
    if (s->need == PLAYER_PLAY) {
        session_do_end(s);
    } else if (s->need == PLAYER_ANSWER || s->need == PLAYER_DROP || s->need == PLAYER_FIX) {
        const char *said = s->need == PLAYER_ANSWER ? "question skipped"
                           : s->need == PLAYER_FIX  ? "task skipped"
                                                    : "the lesson chooses the packet";
        if (!player_skip(s->player, &err)) {
            session_say(s, "%s", err.msg);
            return;
        }
        s->cursor.on = false;
        session_say(s, "%s", said);
        session_proceed(s);
    } else {
        session_say(s, "nothing to skip; {key:next} goes on");
    }
}

static void do_next(struct session *s)
{
    struct err err = { 0 };
    if (session_route_ends(s) && (s->need == PLAYER_CARD || s->need == PLAYER_END ||
                                  player_place(s->player) + 1 >= player_path_length(s->player))) {
        s->route.wants_next = true;
        return;
    }
    if (s->need == PLAYER_END ||
        (s->need != PLAYER_CARD && player_place(s->player) + 1 >= player_path_length(s->player))) {
        session_say(
            s,
            s->lab != NULL
                ? "the lab has no cards: {key:lab} builds, {key:play} plays, {key:leave} leaves"
            : s->need == PLAYER_END
                ? "this was the last card; {key:leave} goes back, {key:previous} to the card before"
                : "this is the last card: it plays to its end");
        return;
    }
    if (s->need != PLAYER_CARD) {
        s->hurry = true; /* first to its end: the next card counts on that */
        session_say(s, "first this card to its end");
        s->wants_packet = false;
        playback_play(&s->playback, false);
        return;
    }
    if (sim_now(session_sim(s)) < s->card_end) {
        session_seek(s, s->card_end); /* somebody looked back */
    }
    if (player_next_card(s->player, &err)) {
        session_enter_card(s);
    } else {
        session_say(s, "%s", err.msg);
    }
}

/* The card at a place of the path. Playing up to it may take a second: first the answer, then the work. */
static void go_to_card(struct session *s, size_t place)
{
    playback_play(&s->playback, false);
    s->hurry = false;
    s->wants_packet = false;
    s->goes = true;
    s->goes_to = player_path_card(s->player, place);
    session_say(s, "going to card %zu", place + 1);
}

/* Where the chosen word of the glossary comes first. */
static void go_to_term(struct session *s)
{
    const size_t place = session_terms_card(s);
    if (place == SIZE_MAX) {
        session_say(s, "no card of this lesson uses it");
    } else if (place == player_place(s->player)) {
        session_say(s, "it comes first on this card");
    } else {
        s->box = SESSION_BOX_NONE;
        go_to_card(s, place);
    }
}

static void do_previous(struct session *s)
{
    const size_t place = player_place(s->player);
    if (place == 0) {
        session_say(s, "this is the first card");
    } else {
        go_to_card(s, place - 1);
    }
}

static void do_restart(struct session *s)
{
    struct err err = { 0 };
    if (s->saved != NULL) {
        s->attached = NULL; /* it starts anew, with its journal: a new run in the old one's place */
    }
    if (player_restart_card(s->player, &err)) {
        session_enter_card(s);
        session_say(s, "this card from its beginning");
    } else {
        session_say(s, "%s", err.msg);
    }
}

static void do_view(struct session *s)
{
    if (s->presenter) {
        s->view = ui_view_next_presented(s->view);
        return;
    }
    s->view = ui_view_next(s->view, s->width, s->height, s->history.row_count >= SCENE_MANY);
    session_say(s, "view: %s", ui_view_name(s->view));
}

/* Order and measure of many GPUs: each view has its own order. */
static void do_sort(struct session *s)
{
    const bool map = s->view == SCENE_VIEW_GPUS || s->view == SCENE_VIEW_SPREAD;
    bool slowest;
    if (map) {
        slowest = s->many.map_sorted = !s->many.map_sorted;
    } else {
        s->many.rows_numbered = !s->many.rows_numbered;
        slowest = !s->many.rows_numbered;
    }
    s->many.first = 0;
    session_say(s, slowest ? "slowest first: by %s" : "as they are numbered",
                many_measure_word(&s->many, s->view));
}

static void do_measure(struct session *s)
{
    many_next_measure(&s->many, &s->history, s->view);
    s->many.ordered_ms = 0;
    session_say(s, "measured: %s", many_measure_word(&s->many, s->view));
}

/* Rows of the timeline that have no room. */
static void do_rows(struct session *s, bool down)
{
    const size_t before = s->many.first;
    s->many.first = down ? before + 1 : before - (before > 0 ? 1 : 0);
    if (!down && before == 0) {
        session_say(s, "the timeline begins with the first GPU already");
    }
}

void session_no_command(struct session *s, uint32_t key, int64_t now_ms)
{
    char name[32];
    s->now_ms = now_ms;
    if (session_unblank(s)) {
        return;
    }
    session_say(s, "%s does nothing here; {key:help} shows the keys",
                term_key_text(key, name, sizeof name));
}

/* A command that changes nothing but what is shown. */
static bool only_looks(enum command command)
{
    return command == COMMAND_SURE || command == COMMAND_VIEW || command == COMMAND_HELP ||
           command == COMMAND_SCROLL_UP || command == COMMAND_SCROLL_DOWN ||
           command == COMMAND_GPUS_UP || command == COMMAND_GPUS_DOWN || command == COMMAND_SORT ||
           command == COMMAND_MEASURE || command == COMMAND_BOX_UP || command == COMMAND_BOX_DOWN ||
           command == COMMAND_BOX_CLOSE || command == COMMAND_WHY_UP ||
           command == COMMAND_WHY_DOWN || command == COMMAND_WHY_CLOSE ||
           command == COMMAND_FILTER || command == COMMAND_HINT;
}

/* What may be done while one side of a what-if is not there yet. */
static bool leads_out(enum command command)
{
    return command == COMMAND_DROP_WHATIF || command == COMMAND_HELP ||
           command_info(command)->context == CONTEXT_WHY ||
           command_info(command)->context == CONTEXT_BOX;
}

void session_command(struct session *s, enum command command, uint32_t key, int64_t now_ms)
{
    s->now_ms = now_ms;
    if (session_unblank(s)) {
        return;
    }
    s->status[0] = '\0';
    s->find_from = -1;
    s->asks_sure = s->asks_sure && only_looks(command); /* it may stay unsaid */
    if (command == COMMAND_PLAY && player_question(s->player).trying) {
        command = COMMAND_TRY; /* that is what plays now */
    }
    if (!only_looks(command) && command != COMMAND_TRY) { /* all else is about the lesson's run */
        s->tried.on = false;
        s->tried.at_once = true;
    }
    if (s->whatif_begins || (s->whatif.catching_up && !leads_out(command))) {
        session_say(s, "B catches up; {key:drop-whatif} goes back");
        return;
    }
    if (s->lab_builds) {
        session_menu_build(s);
    }
    if (s->goes && command != COMMAND_LEAVE && !session_go_on(s)) {
        return; /* says how far it is */
    }
    switch (command) {
    case COMMAND_PLAY:
        session_do_play(s);
        break;
    case COMMAND_TICK_BACK:
    case COMMAND_TICK_ON:
        session_do_tick(s, command == COMMAND_TICK_BACK);
        break;
    case COMMAND_EVENT_BACK:
    case COMMAND_EVENT_ON:
        session_do_event(s, command == COMMAND_EVENT_BACK);
        break;
    case COMMAND_FILTER:
        session_do_filter(s);
        break;
    case COMMAND_GO:
        session_prompt_open(s, false);
        break;
    case COMMAND_GEAR_UP:
    case COMMAND_GEAR_DOWN:
        session_do_gear(s, command == COMMAND_GEAR_UP ? 1 : -1);
        break;
    case COMMAND_BEGIN:
        if (session_seek(s, 0)) {
            session_say(s, "the beginning of the run");
        }
        break;
    case COMMAND_END:
        session_do_end(s);
        break;
    case COMMAND_SWITCH:
        session_do_switch(s, (int)(key - '0'));
        break;
    case COMMAND_CURSOR:
        session_do_cursor(s);
        break;
    case COMMAND_DROP:
    case COMMAND_CURSOR_DROP:
        session_do_drop(s);
        break;
    case COMMAND_FAULTS:
    case COMMAND_CURSOR_FAULTS:
        session_do_faults(s);
        break;
    case COMMAND_WHY:
        session_box_why(s);
        break;
    case COMMAND_WHATIF:
        session_whatif_ask(s);
        break;
    case COMMAND_SIDE:
    case COMMAND_KEEP:
    case COMMAND_DROP_WHATIF:
    case COMMAND_DIFFER_BACK:
    case COMMAND_DIFFER_ON:
    case COMMAND_WHATIF_WHY:
    case COMMAND_WHATIF_NUMBERS:
    case COMMAND_WHATIF_OTHER:
    case COMMAND_WHATIF_PLOT:
    case COMMAND_ROWS_UP:
    case COMMAND_ROWS_DOWN:
        session_whatif_command(s, command);
        break;
    case COMMAND_PROMPT_TYPE:
    case COMMAND_PROMPT_COMPLETE:
    case COMMAND_PROMPT_DONE:
    case COMMAND_PROMPT_CLOSE:
        session_prompt_command(s, command, key);
        break;
    case COMMAND_UNDO:
    case COMMAND_REDO:
        session_do_undo(s, command == COMMAND_REDO);
        break;
    case COMMAND_RESTART:
        do_restart(s);
        break;
    case COMMAND_NEXT:
        do_next(s);
        break;
    case COMMAND_PREVIOUS:
        do_previous(s);
        break;
    case COMMAND_SKIP:
        do_skip(s);
        break;
    case COMMAND_HINT:
        session_do_hint(s);
        break;
    case COMMAND_VIEW:
        do_view(s);
        break;
    case COMMAND_SCROLL_UP:
    case COMMAND_SCROLL_DOWN:
        if (s->presenter) {
            session_next_sentence(s, command == COMMAND_SCROLL_UP);
        } else {
            s->prose_scroll += command == COMMAND_SCROLL_UP ? -2 : 2;
        }
        break;
    case COMMAND_WORDS:
        session_terms_ask(s);
        break;
    case COMMAND_PRESENT:
    case COMMAND_REVEAL:
    case COMMAND_BLANK:
    case COMMAND_NOTES:
        session_present_command(s, command);
        break;
    case COMMAND_PLOT:
        session_plot_ask(s);
        break;
    case COMMAND_SORT:
        do_sort(s);
        break;
    case COMMAND_MEASURE:
        do_measure(s);
        break;
    case COMMAND_GPUS_UP:
    case COMMAND_GPUS_DOWN:
        do_rows(s, command == COMMAND_GPUS_DOWN);
        break;
    case COMMAND_CONTENTS:
        session_box_contents(s);
        break;
    case COMMAND_LEAVE:
        s->wants_out = true;
        break;
    case COMMAND_NOTHING_OPEN:
        if (s->only != NULL) {
            session_close_server(s);
            break;
        }
        session_say(s, "nothing is open; {key:leave} leaves the lesson");
        break;
    case COMMAND_ANSWER:
        do_answer(s, key - 'a');
        break;
    case COMMAND_TRY:
        session_do_try(s);
        break;
    case COMMAND_SURE:
        do_sure(s, key);
        break;
    case COMMAND_CURSOR_LEFT:
        session_cursor_move(s, UI_LEFT);
        break;
    case COMMAND_CURSOR_RIGHT:
        session_cursor_move(s, UI_RIGHT);
        break;
    case COMMAND_CURSOR_UP:
        session_cursor_move(s, UI_UP);
        break;
    case COMMAND_CURSOR_DOWN:
        session_cursor_move(s, UI_DOWN);
        break;
    case COMMAND_CURSOR_OFF:
        session_cursor_off(s, key);
        break;
    case COMMAND_LIST_GO:
        if (s->box == SESSION_BOX_WHATIF) {
            session_whatif_choose(s);
        } else if (s->box == SESSION_BOX_PLOT) {
            session_plot_choose(s);
        } else if (s->box == SESSION_BOX_FAULTS) {
            session_fault_choose(s);
        } else if (s->box == SESSION_BOX_TERMS) {
            go_to_term(s);
        } else {
            s->box = SESSION_BOX_NONE;
            go_to_card(s, s->box_selected);
        }
        break;
    case COMMAND_SWITCHES:
    case COMMAND_HONEST:
    case COMMAND_LAB:
    case COMMAND_MENU_UP:
    case COMMAND_MENU_DOWN:
    case COMMAND_MENU_LESS:
    case COMMAND_MENU_MORE:
    case COMMAND_MENU_DO:
    case COMMAND_MENU_PAGE:
    case COMMAND_MENU_CLOSE:
        session_menu_command(s, command, key);
        break;
    case COMMAND_CURSOR_INSPECT:
        session_do_open(s);
        break;
    case COMMAND_INSPECT:
    case COMMAND_FIELD_UP:
    case COMMAND_FIELD_DOWN:
    case COMMAND_LAYER_UP:
    case COMMAND_LAYER_DOWN:
    case COMMAND_FOLD:
    case COMMAND_FRAME_LEFT:
    case COMMAND_FRAME_RIGHT:
    case COMMAND_INSPECT_CLOSE:
        session_inspect_command(s, command);
        break;
    case COMMAND_WHY_GO:
        session_why_go(s);
        break;
    case COMMAND_WHY_UP:
    case COMMAND_WHY_DOWN:
    case COMMAND_WHY_CLOSE:
    case COMMAND_LIST_UP:
    case COMMAND_LIST_DOWN:
    case COMMAND_LIST_CLOSE:
    case COMMAND_BOX_UP:
    case COMMAND_BOX_DOWN:
    case COMMAND_BOX_CLOSE:
    case COMMAND_HELP:
        session_box_command(s, command);
        break;
    case COMMAND_NONE:
    case COMMAND_OPEN:
    case COMMAND_HOME_UP:
    case COMMAND_HOME_DOWN:
    case COMMAND_HOME_PAGE_UP:
    case COMMAND_HOME_PAGE_DOWN:
    case COMMAND_HOME_FIRST:
    case COMMAND_HOME_LAST:
    case COMMAND_HOME_SEARCH:
    case COMMAND_HOME_LAB:
    case COMMAND_HOME_LEAVE:
    case COMMAND_REPAINT:
    case COMMAND_SUSPEND:
    case COMMAND_QUIT:
    case COMMAND_COUNT:
        break; /* of others */
    }
    if (s->playback.jumping) {
        session_advance(s); /* at once: the key is answered by where it led to */
    }
    cursor_follow(&s->cursor, session_sim(s));
    session_whatif_measure(s);
    session_plot_work(s);
    session_inspect_work(s);
    session_update_follow(s);
}
