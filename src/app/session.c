#include "app/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/clock.h"
#include "app/lab.h"
#include "app/session_parts.h"
#include "base/mem.h"
#include "ui/ui.h"

/* Simulation a tick: the rest of the frame is for keys and drawing. */
enum { WORK_MS = 12, HURRY_MS = 30 };

bool session_in_whatif(const struct session *session)
{
    return session->whatif.other != NULL && !session->whatif.catching_up;
}

const struct sim *session_sim(const struct session *session)
{
    return run_sim(player_run(session->player));
}

void session_say(struct session *session, const char *fmt, ...)
{
    char said[2 * sizeof session->status];
    struct text keyed = { 0 };
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(said, sizeof said, fmt, ap);
    va_end(ap);
    keymap_fill(session->keys, said, &keyed);
    snprintf(session->status, sizeof session->status, "%s", text_str(&keyed));
    text_finish(&keyed);
    session->status_until = session->now_ms + SESSION_STATUS_MS;
}

int64_t session_status_until(const struct session *session)
{
    return session->status[0] != '\0' ? session->status_until : 0;
}

/* ---- the player's needs ------------------------------------------------------------------------ */

/* Another scene brings another run: everything that pointed into the old one is set up anew. */
void session_attach(struct session *s)
{
    struct run *run = player_run(s->player);
    if (run != s->attached) {
        s->attached = run;
        playback_attach(&s->playback, run);
        history_attach(&s->history, run_sim(run));
        plots_attach(&s->plots, run_sim(run));
        s->many.count = s->many.first = 0;
        if (s->inspect != NULL) {
            inspect_attach(s->inspect);
        }
        victim_finish(&s->victim);
        fate_finish(&s->fate);
        session_close_server(s);
        s->filter.of_node = false; /* another fabric may have other nodes */
        s->spot_count = 0;
        s->cursor = (struct cursor){ 0 };
    }
}

static void offer_packet(struct session *s)
{
    if (cursor_snap(&s->cursor, session_sim(s))) {
        s->cursor_lent = true;
        playback_play(&s->playback, false);
        s->wants_packet = false;
        session_say(
            s,
            "the cursor is on a packet: {key:cursor-drop} destroys it, the arrows choose another");
    } else {
        s->cursor.on = false;
        s->wants_packet = true;
        playback_play(&s->playback, true);
    }
}

/* The card says where to look. */
static void look_there(struct session *s)
{
    const size_t item = player_focus(s->player);
    if (item == s->focused || item == SIZE_MAX) {
        return;
    }
    const struct lesson_item *focus = lesson_item(s->lesson, item);
    const struct sim *sim = session_sim(s);
    s->focused = item;
    s->view = focus->view >= 0 ? (enum scene_view)focus->view : s->view;
    if (focus->node != NULL) {
        const struct sim_node_info node = sim_node(sim, sim_find_node(sim, focus->node));
        s->cursor = (struct cursor){ 0 };
        if (node.port_count > 0) {
            cursor_put_node(&s->cursor, sim, sim_find_node(sim, focus->node));
            s->cursor_lent = true;
        }
    }
}

/* The card shows a what-if: at the next tick. */
static void open_comparison(struct session *s)
{
    const size_t item = player_item(s->player);
    playback_play(&s->playback, false);
    if (item != s->compared && !s->hurry) {
        s->compared = item;
        s->whatif_cmd = lesson_item(s->lesson, item)->cmds[0];
        s->whatif_begins = true;
    }
}

/* It was looked at, kept or not: the card goes on. */
static void close_comparison(struct session *s)
{
    if (s->need == PLAYER_COMPARE && !s->hurry && !s->whatif_begins && s->whatif.other == NULL &&
        s->box == SESSION_BOX_NONE && !s->prompt.on && player_skip(s->player, NULL)) {
        session_proceed(s);
    }
}

/* On a small screen: whether the list of GPUs leaves no room for a question. Many are drawn as a map. */
static bool fills_screen(const struct session *s)
{
    enum { FEW = 4 };
    return s->view == SCENE_VIEW_MAIN && s->history.row_count > FEW &&
           s->history.row_count < SCENE_MANY;
}

/* On a small screen what is asked, and the reply, are in the picture's place; it comes back to move. */
static void show_words(struct session *s)
{
    if (!ui_prose_stays(s->width, s->height)) {
        s->waiting = s->view;
        s->view = SCENE_VIEW_PROSE;
        s->view_waits = true;
    }
}

static void show_picture(struct session *s)
{
    if (s->view_waits && s->view == SCENE_VIEW_PROSE) {
        s->view = s->waiting;
    }
    s->view_waits = false;
}

/* Asks the player what it needs and sets the picture up for that. */
void session_proceed(struct session *s)
{
    struct err err = { 0 };
    s->need = player_next(s->player, &err);
    session_attach(s);
    look_there(s);
    session_plot_there(s);
    s->wants_packet = false;
    if (err.code != ERR_NONE) {
        playback_play(&s->playback, false);
        char line[512];
        session_say(s, "%.240s", err_text(&err, line, sizeof line));
        return;
    }
    switch (s->need) {
    case PLAYER_PLAY: {
        struct player_target target = player_target(s->player);
        if (target.gear != LESSON_GEAR_KEEP) {
            playback_set_gear(&s->playback, (enum playback_gear)(target.gear - 1));
        }
        playback_lend_rate(&s->playback, session_sim(s), target.rate);
        playback_play(&s->playback, true);
        show_picture(s);
        break;
    }
    case PLAYER_DROP:
        show_picture(s);
        offer_packet(s);
        break;
    case PLAYER_ANSWER:
    case PLAYER_FIX:
        playback_play(&s->playback, false);
        if (s->view == SCENE_VIEW_PLOT || s->view == SCENE_VIEW_TIMELINE || fills_screen(s)) {
            show_words(s);
        }
        break;
    case PLAYER_COMPARE:
        open_comparison(s);
        break;
    case PLAYER_CARD:
    case PLAYER_END:
        s->card_end = run_now(player_run(s->player));
        playback_play(&s->playback, false);
        if (fills_screen(s) && player_question(s->player).state == PLAYER_JUDGED) {
            show_words(s);
        }
        break;
    }
}

void session_enter_card(struct session *s)
{
    session_attach(s);
    /* what the card does from here on is not what was seen beyond, if somebody looked ahead */
    history_cut(&s->history, session_sim(s), sim_now(session_sim(s)));
    playback_new_card(&s->playback);
    playback_moved(&s->playback, player_run(s->player));
    playback_play(&s->playback, false);
    victim_finish(&s->victim);
    fate_finish(&s->fate);
    session_close_server(s);
    if (!ui_prose_stays(s->width, s->height) && (s->view != SCENE_VIEW_PROSE || s->view_waits)) {
        s->view = SCENE_VIEW_MAIN; /* not what the card before looked at */
    }
    s->view_waits = false;
    s->cursor.on = false;
    s->asks_sure = false;
    s->hurry = false;
    s->goes = false;
    s->under_way = false;
    s->revealed = false;
    s->sentence = 0;
    session_show_truth(s);
    s->compared = SIZE_MAX;
    s->focused = SIZE_MAX;
    s->plotted = SIZE_MAX;
    s->did_drop = false;
    s->prose_scroll = 0;
    s->follow[0] = '\0';
    if (session_status_until(s) != INT64_MAX) { /* what is wrong with keys of one's own stays */
        s->status[0] = '\0';
    }
    s->prose_key.valid = false;
    session_proceed(s);
}

struct session *session_create(const struct app_options *options, const char *path, int64_t now_ms,
                               struct err *err)
{
    struct lesson_files files = { 0 };
    struct lesson *lesson = options->saved != NULL
                                ? lesson_of_replay(options->saved, path)
                                : lesson_load_followed(path, options->data_dir, &files, NULL, err);
    if (lesson == NULL) {
        lesson_files_finish(&files);
        return NULL;
    }
    return session_open(options, lesson, &files, now_ms, err);
}

struct session *session_open(const struct app_options *options, struct lesson *lesson,
                             struct lesson_files *files, int64_t now_ms, struct err *err)
{
    struct session *s = mem_alloc(1, sizeof *s);
    s->now_ms = now_ms;
    playback_init(&s->playback);
    history_init(&s->history);
    s->playback.reduced_motion = options->reduced_motion;
    s->patient = options->patient;
    s->notes = options->notes;
    s->data_dir = options->data_dir;
    s->places = options->places;
    if (options->fps > 0 && 2000 / options->fps > s->playback.moment_ms) {
        s->playback.moment_ms = 2000 / options->fps;
    }
    s->find_from = -1;
    s->width = 80;
    s->height = 24;
    s->saved = options->saved;
    s->lesson = lesson;
    s->files = *files;
    struct player_options po = session_player_options(options);
    if (s->saved != NULL) {
        po.lines = s->saved->lines;
        po.line_count = s->saved->line_count;
    }
    s->player = player_create(s->lesson, &po, err);
    if (s->player == NULL) {
        session_destroy(s);
        return NULL;
    }
    if (options->card > 1 && !player_goto_place(s->player, options->card, err)) {
        session_destroy(s);
        return NULL;
    }
    session_terms_renew(s);
    session_enter_card(s);
    return s;
}

void session_destroy(struct session *session)
{
    if (session == NULL) {
        return;
    }
    whatif_finish(&session->whatif);
    victim_finish(&session->victim);
    fate_finish(&session->fate);
    why_finish(&session->why);
    free(session->spot);
    free(session->only);
    free(session->fault);
    playback_finish(&session->playback);
    history_finish(&session->history);
    plots_finish(&session->plots);
    many_finish(&session->many);
    inspect_destroy(session->inspect);
    session_terms_finish(session);
    player_destroy(session->player);
    lesson_destroy(session->lesson);
    lesson_files_finish(&session->files);
    lab_destroy(session->lab);
    lesson_honesty_finish(&session->honesty);
    tried_finish(&session->tried);
    free(session->menu);
    text_finish(&session->box_text);
    text_finish(&session->prose);
    free(session);
}

/* Are s and m for the order and the measure of many GPUs? Where s can skip something it does that: the
 * question first, and in the main view also what plays. */
static bool many_in_sight(const struct session *s)
{
    const bool asks = s->need == PLAYER_ANSWER || s->need == PLAYER_DROP || s->need == PLAYER_FIX;
    if (s->history.row_count < SCENE_MANY || asks) {
        return false;
    }
    if (s->view == SCENE_VIEW_MAIN || s->view == SCENE_VIEW_TIMELINE) {
        return s->need != PLAYER_PLAY;
    }
    return s->view == SCENE_VIEW_GPUS || s->view == SCENE_VIEW_SPREAD;
}

unsigned session_contexts_beneath(const struct session *s)
{
    unsigned active = 1u << CONTEXT_ALL | 1u << CONTEXT_TIME;
    if (s->whatif.other != NULL) {
        return active | 1u << CONTEXT_WHATIF;
    }
    active |= 1u << CONTEXT_LESSON;
    active |= many_in_sight(s) ? 1u << CONTEXT_MANY : 0;
    active |= s->cursor.on ? 1u << CONTEXT_CURSOR : 0;
    active |= s->need == PLAYER_ANSWER ? 1u << CONTEXT_QUESTION : 0;
    active |= s->need == PLAYER_FIX ? 1u << CONTEXT_TASK : 0;
    active |= s->asks_sure ? 1u << CONTEXT_SURE : 0;
    return active;
}

unsigned session_contexts(const struct session *s)
{
    unsigned active = 1u << CONTEXT_ALL;
    if (s->prompt.on) {
        return active | 1u << CONTEXT_PROMPT;
    }
    if (s->box == SESSION_BOX_CONTENTS || s->box == SESSION_BOX_WHATIF ||
        s->box == SESSION_BOX_TERMS || s->box == SESSION_BOX_PLOT || s->box == SESSION_BOX_FAULTS) {
        return active | 1u << CONTEXT_LIST;
    }
    if (s->box == SESSION_BOX_WHY) {
        return active | 1u << CONTEXT_WHY;
    }
    if (s->box == SESSION_BOX_MENU) {
        return active | 1u << CONTEXT_MENU;
    }
    if (s->box == SESSION_BOX_PACKET) {
        active |= 1u << CONTEXT_INSPECT;
        if (!ui_stays_open(s->width, s->height)) {
            return active;
        } /* else it hides nothing: what it has no use for goes on to the lesson */
    } else if (s->box != SESSION_BOX_NONE) {
        return active | 1u << CONTEXT_BOX;
    }
    return active | session_contexts_beneath(s);
}

void session_resize(struct session *s, int width, int height)
{
    if (s->width != width || s->height != height) {
        s->width = width;
        s->height = height;
        session_plot_work(s);
    }
}

/* ---- time --------------------------------------------------------------------------------------- */

/* What ends playing now. Beyond a card's own items one plays on freely. */
static struct playback_goal goal_now(const struct session *s)
{
    if (s->need != PLAYER_PLAY || session_in_whatif(s)) {
        return (struct playback_goal){ .until = SIM_NEVER };
    }
    struct player_target target = player_target(s->player);
    return (struct playback_goal){ .until = target.until, .kinds = target.stop_kinds };
}

void session_update_follow(struct session *s)
{
    s->follow[0] = '\0';
    s->follow_settled = true;
    if (s->victim.on) {
        s->victim.hush =
            s->need == PLAYER_ANSWER && player_question(s->player).state != PLAYER_JUDGED;
        victim_say(&s->victim, session_sim(s), s->follow, sizeof s->follow, &s->follow_settled);
    } else if (s->fate.on) {
        s->fate.hush =
            s->need == PLAYER_ANSWER && player_question(s->player).state != PLAYER_JUDGED;
        fate_say(&s->fate, session_sim(s), s->follow, sizeof s->follow, &s->follow_settled);
    }
    if (s->cursor.on && (s->follow[0] == '\0' || s->follow_settled)) {
        cursor_say(&s->cursor, session_sim(s), s->follow, sizeof s->follow);
    }
}

bool session_route_ends(const struct session *s)
{
    return s->route.stop > 0 && player_place(s->player) + 1 >= s->route.last;
}

static void say_what_playback_did(struct session *s)
{
    if (session_status_until(s) == INT64_MAX) { /* held until a key is pressed */
        s->playback.slowed_by[0] = s->playback.skipped[0] = '\0';
        return;
    }
    if (session_in_whatif(s) && s->playback.quiet[0] != '\0') {
        session_say(s, "%s", s->playback.quiet); /* a lesson has a place of its own for it */
        s->playback.quiet[0] = '\0';
    } else if (s->playback.slowed_by[0] != '\0') {
        session_say(s, "shown slowly: %s", s->playback.slowed_by);
        s->status_until = s->now_ms + SESSION_NOTICE_MS;
        s->playback.slowed_by[0] = '\0';
    } else if (s->playback.skipped[0] != '\0') {
        session_say(s, "%s", s->playback.skipped);
        s->status_until = s->now_ms + SESSION_NOTICE_MS;
        s->playback.skipped[0] = '\0';
    }
}

/* A run that is stalled stands still: what its GPUs do goes on as it is. */
static void sample_until(struct history *history, const struct run *run, sim_ps now)
{
    history_sample(history, run_sim(run));
    history_stand(history, now);
}

void session_sample(struct session *s)
{
    const struct run *run = player_run(s->player);
    const sim_ps now = clock_now(run, s->playback.beside);
    sample_until(&s->history, run, now);
    if (session_in_whatif(s)) {
        sample_until(&s->whatif.history, s->whatif.other, now);
        compare_look(&s->whatif.compare);
    }
}

static void sample(void *arg, const struct sim *sim)
{
    (void)sim;
    session_sample(arg);
}

void session_say_over(struct session *s)
{
    session_say(s, session_in_whatif(s) ? "nothing more happens; {key:keep} keeps a side, "
                                          "{key:drop-whatif} goes back"
                   : s->lab != NULL     ? "nothing more happens; {key:lab} builds another, "
                                          "{key:restart} plays it again"
                                        : "nothing more happens; {key:next} goes on, "
                                          "{key:restart} plays the card again");
}

/* Nothing more will happen. */
static void say_end(struct session *s)
{
    if (s->find_from >= 0) {
        session_say(s, "no other %s follows in this run", s->find_what);
    } else {
        session_say_over(s);
    }
    s->find_from = -1;
}

/* A saved run has come to its end: is it the one that was saved? */
static void say_verdict(struct session *s)
{
    struct text why = { 0 };
    const enum replay_verdict verdict =
        s->saved != NULL ? replay_judge(s->saved, player_run(s->player), &why) : REPLAY_OPEN;
    if (verdict != REPLAY_OPEN) {
        session_say(s, "%s",
                    verdict == REPLAY_SAME ? "it is the run that was saved" : text_str(&why));
    }
    if (verdict == REPLAY_OTHER) {
        s->status_until = INT64_MAX; /* it stays until something else is said */
    }
    text_finish(&why);
}

void session_advance(struct session *s)
{
    struct run *run = player_run(s->player);
    enum sim_stopped stopped;
    int work = s->patient ? 0 : s->playback.jumping ? HURRY_MS : WORK_MS;
    enum playback_result result =
        playback_advance(&s->playback, run, goal_now(s), s->now_ms, work, &stopped, sample, s);
    cursor_follow(&s->cursor, run_sim(run));
    say_what_playback_did(s);
    switch (result) {
    case PLAYBACK_GOES:
        break;
    case PLAYBACK_ARRIVED:
        session_arrived(s);
        break;
    case PLAYBACK_REACHED:
    case PLAYBACK_ENDED:
        if (!session_in_whatif(s) && s->need == PLAYER_PLAY && player_reached(s->player, stopped)) {
            s->prose_key.valid = false;
            s->find_from = -1;
            session_proceed(s);
            say_verdict(s);
        } else if (result == PLAYBACK_ENDED) {
            say_end(s);
        }
        break;
    }
    if (s->wants_packet && s->playback.playing) {
        offer_packet(s);
    }
}

void session_tick(struct session *s, int64_t now_ms)
{
    s->now_ms = now_ms;
    if (s->goes && !session_go_on(s)) {
        return;
    }
    if (s->lab_builds) {
        session_menu_build(s);
    }
    if (s->status[0] != '\0' && now_ms >= s->status_until) {
        s->status[0] = '\0';
    }
    if (s->hurry) {
        session_hurry_on(s);
    }
    if (player_question(s->player).trying) {
        session_try_on(s);
    }
    if (s->whatif_begins) {
        session_whatif_begin(s);
    } else if (s->whatif.catching_up) {
        session_whatif_catch_up(s);
    }
    close_comparison(s);
    if (playback_moving(&s->playback)) {
        session_advance(s);
    }
    if (player_question(s->player).state == PLAYER_JUDGED) {
        s->asks_sure = false; /* now one knows */
    }
    if (s->victim.on) {
        while (victim_work(&s->victim) && s->patient) {
        }
    }
    while (fate_work(&s->fate) && s->patient) {
    }
    session_whatif_measure(s);
    session_plot_work(s);
    session_inspect_work(s);
    session_update_follow(s);
}

bool session_moving(const struct session *s)
{
    return s->hurry || s->goes || s->lab_builds || player_question(s->player).trying ||
           s->whatif_begins || s->whatif.catching_up || playback_moving(&s->playback) ||
           s->victim.unhurt != NULL || s->fate.unhurt != NULL || s->plots.behind ||
           s->tried.plots.behind || s->whatif.plots.behind ||
           (s->inspect != NULL && s->inspect->behind);
}
