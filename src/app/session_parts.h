/*
 * The inside of a session, shared by its files.
 *
 *     session.c           life, what the player needs, how time passes
 *     session_command.c   keys
 *     session_time.c      moving in time
 *     session_whatif.c    two runs side by side
 *     session_prompt.c    what is typed
 *     session_fabric.c    what changes the run
 *     session_way.c       the way to another card
 *     session_cursor.c    where the cursor goes, what is done to what it is on
 *     session_box.c       help, contents, "why"
 *     session_plot.c      what is plotted
 *     session_menu.c      the menu; the lab; keeping
 *     session_inspect.c   a packet, header by header
 *     session_task.c      a task: trying, hints
 *     session_terms.c     words of the glossary
 *     session_text.c      the card's words
 *     session_present.c   in front of a room
 *     session_reload.c    another version of the lesson
 */
#ifndef WEFT_APP_SESSION_PARTS_H
#define WEFT_APP_SESSION_PARTS_H

#include "app/keep.h"
#include "app/session.h"

/* Another scene brings another run: everything that pointed into the old one is set up anew. */
void session_attach(struct session *session);

/* Asks the player what it needs and sets the picture up for that. */
void session_proceed(struct session *session);

/* The question has its answer: asks how sure one is where the lesson wants that, and goes on. */
void session_answered(struct session *session, const struct lesson_item *question,
                      const char *said);

/* The player has stepped onto a card. */
void session_enter_card(struct session *session);

/* The last card of a route's stop is shown, or one behind it. */
bool session_route_ends(const struct session *session);

/* A card that is left before its end is done to it first: a portion of that. */
void session_hurry_on(struct session *session);

/* A portion of the way to `goes_to`; true when that is over. Until then nothing else may be done. */
bool session_go_on(struct session *session);

/* Lets the run move on to where it should be now. */
void session_advance(struct session *session);

/* The line about the victim or the cursor. */
void session_update_follow(struct session *session);

/* Does a command at the present moment, through the journal; `*restarted` (may be NULL): the run began
 * again. What was cut of the journal by that is said by session_say_done(). */
bool session_do_to_run(struct session *session, const struct sim_cmd *cmd, bool *restarted);
/* The sentence, and behind it what the last session_do_to_run() has cut. */
void session_say_done(struct session *session, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* That nothing more happens in this run, or on either side, and what leads on. */
void session_say_over(struct session *session);

/* Moving in time. */
void session_do_play(struct session *session);
void session_do_tick(struct session *session, bool back);
void session_do_event(struct session *session, bool back);
void session_do_gear(struct session *session, int by);
void session_do_end(struct session *session);
/* Asks which events are listed, and where < and > stop; sets it as typed. False: `err` says why not. */
void session_do_filter(struct session *session);
bool session_set_filter(struct session *session, const char *text, struct err *err);
/* To a moment, at once: one that was played before. False: said why not. */
bool session_seek(struct session *session, sim_ps to);
/* On to a moment, in slices, or to where the card's playing ends. */
void session_play_to(struct session *session, sim_ps to);
/* To the next or previous event of a kind: "drop", "pauses". False: there is no such kind. */
bool session_find_named(struct session *session, const char *name, bool back);
/* What is known of the past of both runs grows to now. */
void session_sample(struct session *session);
/* A search or tick has arrived. */
void session_arrived(struct session *session);
/* True when time may not go on: the question comes first, and that was said. */
bool session_question_first(struct session *session);

/* What-if. */
void session_whatif_ask(struct session *session);
void session_whatif_choose(struct session *session);
void session_whatif_start(struct session *session, const struct sim_cmd *cmd);
void session_whatif_command(struct session *session, enum command command);
void session_whatif_begin(struct session *session);
void session_whatif_catch_up(struct session *session);
/* Takes the numbers anew, now and then while time moves, at once when it stands. */
void session_whatif_measure(struct session *session);
/* Where nothing of it may stay: before a card is gone to. */
void session_whatif_drop(struct session *session);

/* Plots: what the card plots is put on the screen; what is plotted is read up to now. */
void session_plot_there(struct session *session);
void session_plot_work(struct session *session);
/* The list of what may be plotted; the marked one is put on or taken away; the same as typed. */
void session_plot_ask(struct session *session);
/* In a what-if: the next quantity of both sides, or the timelines again. */
void session_plot_beside(struct session *session);
void session_plot_choose(struct session *session);
bool session_plot_typed(struct session *session, const char *text, struct err *err);

/* Words of the glossary: those of another lesson (or version of it); of the prose as it is now. */
void session_terms_renew(struct session *session);
void session_terms_mark(struct session *session);
void session_terms_finish(struct session *session);
/* Opens the box with those of the card; with the one of that name: false, there is none. */
void session_terms_ask(struct session *session);
bool session_terms_typed(struct session *session, const char *name);
/* Fills box_text. The place of the card on which the chosen one comes first; SIZE_MAX: on none. */
void session_terms_list(struct session *session);
size_t session_terms_card(struct session *session);

/* In front of a room. */
void session_present_command(struct session *s, enum command command);
/* The screen is blank: brings it back and returns true, the key has done its work. */
bool session_unblank(struct session *s);
void session_next_sentence(struct session *s, bool back);
/* Tells the player whether what became of the question is shown. */
void session_show_truth(struct session *s);

/* The packet inspector; what it needs of the past is read up to now. */
void session_inspect_command(struct session *session, enum command command);
void session_inspect_work(struct session *session);

/* The menu (menu.h), on a page; its rows anew; what the scene shows of it. `typed` into the chosen row. */
struct menu_row;
struct scene_mem;
void session_menu_open(struct session *session, int page);
void session_menu_refresh(struct session *session);
void session_menu_command(struct session *session, enum command command, uint32_t key);
/* What was built runs now, and the menu closes. May take a second. */
void session_menu_build(struct session *session);
/* Somebody points at a row: it becomes the chosen one. True: it was already. */
bool session_menu_pick(struct session *session, size_t row);
bool session_menu_typed(struct session *session, const char *typed, struct err *err);

/* The run as FILE.weft, the lab as NAME.lua. False: why not; a file that is there already is asked about
 * first. */
bool session_keep(struct session *session, keep_fn *write, const char *name, bool replace,
                  struct err *err);

/* The line that is typed. */
void session_prompt_row(struct session *session, const struct menu_row *row);
void session_prompt_open(struct session *session, bool whatif);
void session_prompt_answer(struct session *session);                      /* opened for a number */
void session_prompt_open_with(struct session *session, const char *text); /* as if typed already */
void session_prompt_command(struct session *session, enum command command, uint32_t key);

/* The cursor: put on, moved, taken away by a key (a server that is open closes first; one that was put there for
 * the learner stays, unless it is Esc). */
void session_do_cursor(struct session *session);
void session_cursor_move(struct session *session, enum ui_way way);
void session_cursor_off(struct session *session, uint32_t key);
/* Whether a lane is drawn as leading to the right, or up. */
bool session_lane_right(const struct session *session, uint32_t port);
/* What it is on is opened: a frame header by header, the server of a GPU. */
void session_do_open(struct session *session);
void session_close_server(struct session *session);

/* What is under the cursor is destroyed if it is a frame, else its faults are listed; without a cursor, one is
 * put on a packet first. */
void session_do_drop(struct session *session);
/* The faults of what the cursor is on, in a list; the marked one is done. */
void session_do_faults(struct session *session);
void session_fault_choose(struct session *session);
/* A fault is done, said and followed. False: said why it was refused. */
bool session_do_fault(struct session *session, const struct sim_cmd *cmd);

/* Moves the card's switch with this digit to its next value. */
void session_do_switch(struct session *session, int digit);

/* A task: begins to judge the switches as they are; goes on with that, in a slice; the next hint. */
void session_do_try(struct session *session);
void session_try_on(struct session *session);
void session_do_hint(struct session *session);

/* Takes back the learner's last line, or does it again. */
void session_do_undo(struct session *session, bool again);

#endif
