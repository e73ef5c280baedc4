/*
 * The player: walks a lesson's cards, one item after the other, over a run.
 *
 * One state machine for everybody: the screen, plain mode, `weft run` and `weft check`. It owns the
 * run; it never waits. player_next() does items until it needs something from outside and says what:
 *
 *     PLAYER_ANSWER   a question is open:       player_answer() or player_skip()
 *     PLAYER_DROP     the learner may destroy a packet: player_do(), or player_skip() for the author's
 *     PLAYER_PLAY     run on to a target:       player_run() until it says so, or player_skip()
 *     PLAYER_FIX      a task is open:           player_do() moves switches, player_try_*() judges them;
 *                     or player_skip()
 *     PLAYER_COMPARE  a what-if is to be shown (the item's command): player_skip() when it was
 *     PLAYER_CARD     the card is done:         player_card(+1), any player_do()
 *     PLAYER_END      the last card is done
 *
 * After each of these call player_next() again. Every state is reachable: player_goto() plays headless
 * up to a card (the author's own drops, no learner).
 *
 * Which cards there are depends on the answers (path.h): a card's number in the lesson says which one it
 * is, its place on the path is what people count. The path changes when an answer is given.
 */
#ifndef WEFT_LESSON_PLAYER_H
#define WEFT_LESSON_PLAYER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "lesson/lesson.h"
#include "run/run.h"

struct player;

enum player_need {
    PLAYER_ANSWER,
    PLAYER_DROP,
    PLAYER_PLAY,
    PLAYER_FIX,
    PLAYER_COMPARE,
    PLAYER_CARD,
    PLAYER_END
};

/* Borrows the lesson. `sets`: knob values of `--set`, applied to every scene before it starts.
 * `lines` (borrowed): a journal that every scene's run begins with, for a saved run. */
struct player_options {
    uint64_t seed;
    const struct sim_cmd *sets;
    size_t set_count;
    const struct run_line *lines;
    size_t line_count;
    bool notes;        /* player_prose() says what is for the teacher, too */
    bool forward_only; /* nobody will look back: run_forward_only() */
};
struct player *player_create(struct lesson *lesson, const struct player_options *options,
                             struct err *err);
void player_destroy(struct player *player);

/* Goes to a card (its number in the lesson, from 0): by the answers that were given where they lead
 * there, else as if such answers had been given. Scenes before it that have not been run are run. */
bool player_goto(struct player *player, size_t card, struct err *err);
/* The same in portions, for who has keys to answer: begins, then goes on by at most `slice` of simulated time
 * until one is there. In between nothing else is done with the player than looking where it stands, or
 * destroying it. */
bool player_goto_begin(struct player *player, size_t card, struct err *err);
bool player_goto_on(struct player *player, sim_ps slice, bool *there, struct err *err);

/* The path: how many cards, the number of the one at a place (from 0), the place of the present one. */
size_t player_path_length(const struct player *player);
size_t player_path_card(const struct player *player, size_t place);
size_t player_place(const struct player *player);
/* Goes to the card at a place that people count from 1: --card. */
bool player_goto_place(struct player *player, size_t place, struct err *err);
/* From now on all questions count as answered like this (see path.h), whatever is done with them. */
void player_assume(struct player *player, const int *answers);
/* Enters the present card again, as it was when it was first entered. */
bool player_restart_card(struct player *player, struct err *err);
/* Leaves a finished or unfinished card for the next one (unfinished items are done headless, by
 * the declared path, so that the next card finds the state it expects). */
bool player_next_card(struct player *player, struct err *err);

/* An item that fails (a packet to drop that is past) sets err and is left behind: look at
 * err->code, which must be ERR_NONE before. */
enum player_need player_next(struct player *player, struct err *err);

struct run *player_run(struct player *player); /* the run of the scene in force */
struct lesson *player_lesson(const struct player *player);
size_t player_card(const struct player *player); /* its number in the lesson, from 0 */
/* The item that `need` is about, or SIZE_MAX. */
size_t player_item(const struct player *player);

/* PLAYER_PLAY: which trace kinds end it, and the latest time. The owner runs the run in slices
 * (run_until) with these stop kinds and then tells the player. */
struct player_target {
    uint32_t stop_kinds;
    sim_ps until; /* SIM_NEVER: none */
    enum lesson_gear gear;
    sim_ps rate; /* simulated time in a wall second; 0: what the gear has */
};
struct player_target player_target(const struct player *player);
/* After a slice: `stopped` as run_until returned it. True when the target is reached. */
bool player_reached(struct player *player, enum sim_stopped stopped);

bool player_answer(struct player *player, size_t choice, struct err *err);
/* To a question for a number: with its unit, as a person types it. */
bool player_answer_number(struct player *player, const char *text, struct err *err);
/* 0 not asked, 1 guess, 2 think, 3 know. */
void player_sure(struct player *player, int how_sure);
bool player_skip(struct player *player, struct err *err); /* the declared way past this item */
/* The learner does something: through the journal. A knob that begins the run anew keeps what else the
 * learner has set (own_sets.h). */
bool player_do(struct player *player, const struct sim_cmd *cmd, bool *restarted, struct err *err);
/* The learner takes the last thing back, does it again: run_undo, run_redo. When that starts the run
 * anew, so does the card. */
bool player_undo(struct player *player, bool *restarted, struct err *err);
bool player_redo(struct player *player, bool *restarted, struct err *err);

/* State of a question of the present card, for drawing it. */
enum player_answer_state { PLAYER_OPEN, PLAYER_ANSWERED, PLAYER_SKIPPED, PLAYER_JUDGED };
struct player_question {
    size_t item; /* SIZE_MAX: the card asks nothing so far */
    enum player_answer_state state;
    size_t choice;
    int sure;
    size_t truth;        /* PLAYER_JUDGED */
    int64_t number;      /* for a number (lesson_item.number): what was typed */
    int64_t true_number; /* PLAYER_JUDGED */
    int off;             /* PLAYER_JUDGED: -1 too small, 0 right, 1 too large */
    bool not_checked;    /* judging failed or was cancelled: never a pass */
    /* A task (its item is a LESSON_FIX): PLAYER_JUDGED when the goal is reached. */
    size_t hints; /* how many are shown */
    int tries;    /* that did not reach it */
    bool trying;  /* one is under way */
};
/* The last weft.focus that this card has come to, or SIZE_MAX. */
size_t player_focus(const struct player *player);
/* The last weft.plot of this card or, from there on, of one before it in its scene; likewise. */
size_t player_plot(const struct player *player);

struct player_question player_question(const struct player *player);
/* Why an answer has no verdict on a card that is done: its question is not_checked ("this runs too long"),
 * or the run has not come to it and may yet. Else NULL; of a task player_prose() says it. */
const char *player_why_not(const struct player *player);

/*
 * For `weft check`, and only of what has been played: shows the card as if its question stood like this,
 * without anybody having said so. PLAYER_ANSWERED is judged as an answer would be; `tried` is what a
 * try of a task came to, or NULL. The run is left alone. Put back what was there, or leave the card.
 */
void player_suppose(struct player *player, const struct player_question *question,
                    const char *tried);

/* A task: begins to judge the switches as they are now, by a run of its own (trial.h), and goes on by
 * `slice` of simulated time. True when it is over: see player_question(). Whatever keeps it from a
 * verdict sets not_checked, and player_prose() says why. */
bool player_try(struct player *player, struct err *err);
bool player_try_on(struct player *player, sim_ps slice);
void player_try_cancel(struct player *player);
/* The run that is tried, or was tried last, until something else is done; NULL: there is none. Only to be looked at;
 * valid until the player does anything. */
const struct run *player_tried(const struct player *player);
/* Shows the next hint; NULL: there are no more. How many there still are; 0 without a task. */
const char *player_hint(struct player *player);
size_t player_hints_left(const struct player *player);

/* The card's visible prose, measured values filled in, for this moment: what the card says, or,
 * once its question is judged (or was skipped and the truth is known), the reply to the choice and
 * why it is so; for a task, what came of the last try. `*pending`: some value is not known yet. */
bool player_prose(struct player *player, struct text *out, bool *pending, struct err *err);
/* The same words with `blank` for each value that is measured: what stays as it is while the run goes on. */
void player_prose_blank(struct player *player, const char *blank, struct text *out);
/* What was said to the card's questions before the present one, as it was then; nothing is added where it
 * has one at most. */
void player_earlier(const struct player *player, struct text *out);

/* From now on player_prose() goes on with the card's own words, whatever its question has come to: until
 * somebody who teaches reveals it. */
void player_hide(struct player *player, bool hide);
/* There is something to reveal. */
bool player_knows_answer(const struct player *player);
/* What the card says to its teacher, measured values filled in, with or without player_options.notes. Nothing
 * is added where it says nothing. */
bool player_notes(struct player *player, struct text *out, struct err *err);

/* Who wants to know of each item as it is done: a switch before what follows it, a claim with its
 * verdict (as lesson_claim() says; NULL for other items). Claims are judged only for a listener. */
struct player_verdict {
    bool judged, holds;
    const struct err *err;
};
typedef void player_item_fn(void *arg, struct player *player, size_t item,
                            const struct player_verdict *verdict);
void player_listen(struct player *player, player_item_fn *each_item, void *arg);

/* What the lesson's functions look at now. Valid until the player does anything. */
struct lesson_sight player_sight(struct player *player);

/* Does the set, drop and play items from `first` up to `end` on a run, headless. */
bool player_do_items(const struct lesson *lesson, struct run *run, size_t first, size_t end,
                     struct err *err);

/* Headless: the whole declared path. `each_claim` (may be NULL) is called for every claim. */
typedef void player_claim_fn(void *arg, size_t item, bool judged, bool holds,
                             const struct err *err);
bool player_play_all(struct player *player, player_claim_fn *each_claim, void *arg,
                     struct err *err);

#endif
