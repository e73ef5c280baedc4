/*
 * Inside the player: what walking the cards (player.c, player_path.c), questions (player_question.c), tasks
 * (player_task.c) and what functions look at (player_report.c) share and nobody else sees.
 */
#ifndef WEFT_LESSON_PLAYER_INSIDE_H
#define WEFT_LESSON_PLAYER_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lesson/path.h"
#include "lesson/play.h"
#include "lesson/player.h"
#include "lesson/trial.h"

/* Where a card began: a position of the run, if that run has not been started anew since. */
struct card_start {
    bool known;
    uint32_t serial;
    struct run_mark mark;
    int64_t step; /* the first to end after it; 0: no training */
    struct lesson_since since;
};

/* What was said to a question that another one has followed on the same card. */
enum { PLAYER_REPLIES_MAX = 8 };
struct player_reply {
    size_t item; /* the question */
    struct text text;
};

/* The run of one scene and its report. */
struct scene_run {
    struct run *run;
    uint32_t serial; /* counts new starts */
    struct report report;
    bool has_report;
    const struct sim *report_sim; /* what the report was taken of, and when */
    sim_ps report_at;
    uint64_t report_seq;
};

struct player {
    struct lesson *lesson;
    uint64_t seed;
    struct sim_cmd *sets;
    size_t set_count;
    const struct run_line *lines;
    size_t line_count;
    bool forward_only, notes;
    const char *blank; /* stands in prose for what is measured; NULL: it is measured */
    bool hides;        /* what the question has come to */
    struct scene_run *scenes;
    const struct report **reports; /* as lesson_fill() wants them */
    struct card_start *starts;
    int *answers; /* by item: the kind of its answer (path.h), or LESSON_NO_ANSWER */
    size_t *path; /* the cards that these lead to */
    size_t path_length;
    bool keeps_answers;        /* questions that are met again have been answered */
    size_t goes_to;            /* player_goto_begin(): the card, ... */
    bool goes_keeping_answers; /* ... and how it was before */
    size_t card;
    size_t cursor; /* the item that comes next */
    bool waiting;  /* the item at the cursor waits for the owner */
    bool dropped;  /* the learner has destroyed a packet on this card */
    struct lesson_play playing;
    struct player_question question;
    struct player_reply
        replies[PLAYER_REPLIES_MAX]; /* to those before it, as they were said then */
    size_t reply_count;
    struct err why_not;            /* why the question could not be checked */
    bool judged;                   /* the truth is known, whether or not an answer was given */
    bool measured;                 /* the card has been played to its end ... */
    int64_t knobs[SIM_KNOB_COUNT]; /* ... with these switches */
    struct lesson_trial trial;     /* of a task */
    struct text tried;             /* what is said of the last try */
    size_t hints;                  /* shown on this card, whatever was begun anew since */
    int tries;
    player_item_fn *each_item;
    void *each_item_arg;
};

static inline const struct lesson_item *player_item_at(const struct player *p, size_t item)
{
    return lesson_item(p->lesson, item);
}

static inline bool player_is_task(const struct player *p)
{
    return p->question.item != SIZE_MAX && player_item_at(p, p->question.item)->kind == LESSON_FIX;
}

static inline const struct lesson_card *player_card_of(const struct player *p)
{
    return lesson_card(p->lesson, p->card);
}

static inline size_t player_card_end(const struct player *p)
{
    return player_card_of(p)->first + player_card_of(p)->count;
}

static inline struct scene_run *player_scene_of(const struct player *p)
{
    return &p->scenes[player_card_of(p)->scene];
}

/* The item that the player waited for is over. */
static inline void player_item_done(struct player *p)
{
    p->waiting = false;
    p->cursor++;
}

/* The number of the card that comes behind the present one, or LESSON_PATH_NONE. */
static inline size_t player_card_behind(const struct player *p)
{
    return lesson_path_next(p->lesson, p->card, p->answers);
}

/* Keeps the kind of the answer to a question, and what path that makes. */
void player_keep_answer(struct player *p, size_t item, int kind);

/* Whether the card at this place of the path begins a scene. */
bool player_begins_scene(const struct player *p, size_t place);

/* True when it waits for this, and not for something else or nothing. */
bool player_waits_for(const struct player *p, enum player_need need);

/* Keeps what is said to the card's question, before another one takes its place. */
void player_keep_reply(struct player *p);

/* The report of a scene's run is no longer true. */
void player_drop_report(struct scene_run *scene);

/* The card is done: these are the switches that its values were measured with. */
void player_keep_knobs(struct player *p);

/* Looks whether the truth of the card's question is known by now. */
void player_judge_question(struct player *p);

#endif
