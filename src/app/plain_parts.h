/*
 * The inside of plain mode, shared by its files.
 *
 *     plain.c         life, what the player needs
 *     plain_say.c     what is said: cards, what happens while the run plays
 *     plain_ask.c     lines that are typed, or come through a pipe
 *     plain_choose.c  what may be chosen
 *     plain_do.c      what that does
 *     plain_lessons.c which lesson, which route; from one stop to the next
 *     plain_plot.c    plots as sentences
 *     plain_honest.c  how true it is
 *     plain_break.c   faults
 *     plain_lab.c     commands that are typed, switches, the lab
 *     plain_packet.c  a packet as sentences
 *     plain_reload.c  the lesson was saved
 *     plain_time.c    moving in time, what-ifs
 */
#ifndef WEFT_APP_PLAIN_PARTS_H
#define WEFT_APP_PLAIN_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/app.h"
#include "app/narrator.h"
#include "app/progress.h"
#include "app/session.h"
#include "app/watch.h"
#include "base/text.h"
#include "lesson/player.h"

enum { PLAIN_WIDTH = 78, PLAIN_ENTRIES_MAX = 32 };

enum plain_act {
    ACT_ANSWER,
    ACT_NUMBER,
    ACT_SURE,
    ACT_SKIP,
    ACT_DROP,
    ACT_TRY,
    ACT_HINT,
    ACT_NEXT,
    ACT_STOP,  /* the route's next one */
    ACT_LEAVE, /* the end */
    ACT_PLAY_ON,
    ACT_WHY,
    ACT_WHY_OF, /* of what is named */
    ACT_STATE,
    ACT_REPEAT,
    ACT_DETAIL,
    ACT_SWITCH,
    ACT_GO,
    ACT_WHATIF,
    ACT_BREAK,
    ACT_PLOT,
    ACT_PACKET,
    ACT_UNDO,
    ACT_REDO,
    ACT_WORDS,
    ACT_TYPE,    /* a command, as behind `:` */
    ACT_HONEST,  /* how true it is */
    ACT_KNOBS,   /* every switch, said */
    ACT_BUILD,   /* the lab's fabric and work */
    ACT_PRESET,  /* another preset */
    ACT_NOTHING, /* what was asked is no longer the question */
    ACT_QUIT
};

struct plain_entry {
    enum plain_act act;
    size_t which; /* answer, switch, how sure */
    char text[96];
};

struct plain {
    const struct app_options *options;
    struct lesson *lesson;
    struct player *player;
    struct lesson_files files;        /* what the lesson is made of ... */
    struct watch_stamp *stamps;       /* ... as it was read */
    const struct replay *saved;       /* the run that is shown in place of a lesson; or NULL */
    struct lab *lab;                  /* what the lesson is made of; or NULL */
    struct progress *progress;        /* NULL: nobody is there to be remembered */
    struct lesson_list list;          /* to choose from; empty where a lesson was named */
    const struct lesson_route *route; /* that is walked; or NULL */
    size_t stop;                      /* of it */
    struct narrator narrator;
    struct text firm,
        said;        /* the card's sentences that were said: for good, with their present values */
    size_t silences; /* since the last summary, and how long they were */
    sim_ps silent;
    struct text heard; /* choices that were listed, so that they are not listed each time */
    size_t focused;    /* where the card said to look last: an item, or SIZE_MAX */
    bool judged;       /* what became of the card's question is said */
    bool unchecked;    /* ... or why not */
    size_t plotted;    /* the item whose plots were said last, SIZE_MAX: none on this card */
    bool interactive;  /* there is somebody, or a text, to answer */
    bool terminal;     /* it is somebody */
    bool ascii;
    bool quit;
    bool did, undid; /* there may be something to take back, to do again */
    struct plain_entry entry[PLAIN_ENTRIES_MAX];
    size_t entry_count;
    size_t about; /* so many of them are what the moment is about */
};

static inline const struct sim *plain_sim(const struct plain *p)
{
    return run_sim(player_run(p->player));
}

/* ---- plain_say.c ---- */

/* Markdown becomes wrapped lines without marks. */
void plain_say(const struct plain *p, const char *markdown);

/* Plain text, wrapped. */
void plain_say_wrapped(const char *text);

/* Prints and empties. */
void plain_say_text(struct text *text);

/* The card's sentences that are new or not as they were. While the run is about to play, only those that
 * it cannot change; then those whose values are known; at last all. */
enum plain_prose { PLAIN_FIRM, PLAIN_KNOWN, PLAIN_ALL };
void plain_say_prose(struct plain *p, enum plain_prose which);

/* What could only be counted since it was last said. */
void plain_say_summary(struct plain *p);

/* Where the card says to look: how things stand there. Once. */
void plain_say_focus(struct plain *p);

/* What was said to the card's question, and what is true, once that is known. */
void plain_say_judgement(struct plain *p);

/* A card begins. */
void plain_say_card(struct plain *p);

/* Plays to the target (or one of its kinds when there is none) and tells what happens. */
void plain_play(struct plain *p, struct player_target target);

/* A saved run has come to its end: is it the one that was saved? */
void plain_say_verdict(const struct plain *p);

/* ---- plain_ask.c ---- */

/* Somebody is there, or a pipe or a file with answers. */
void plain_begin_answers(struct plain *p);

/* Says the question (NULL: nothing) and reads the answer, without the blanks round it. False: nobody answers any
 * more; the lesson then goes on by itself, or ends where somebody was there. */
bool plain_read(struct plain *p, const char *question, char *line, size_t size);

/* A number from 1 to `last`, and nothing else. */
bool plain_is_number(const char *line, size_t last, size_t *number);

/* ---- plain_lessons.c ---- */

/* The file of the lesson that somebody chooses from the list, or the first one of a route; of the one to start
 * with, where nobody can answer. The caller frees. NULL without err: the lab, or `p->quit`. */
char *plain_some_lesson(struct plain *p, struct err *err);
/* `builds on "One lost packet"`: appended, if the lesson does; ids where the list does not have them. */
void plain_add_before(const struct lesson_list *list, const struct lesson_info *info,
                      struct text *out);
/* The stop of the route in which one is; what it is called, its cards. */
const struct lesson_stop *plain_stop(const struct plain *p);
void plain_say_stop(const struct plain *p);
/* The present card is the last one of its stop; there is another stop. */
bool plain_stop_ends(const struct plain *p);
bool plain_stop_follows(const struct plain *p);
bool plain_next_stop(struct plain *p, struct err *err);

/* ---- plain.c ---- */

/* The lesson of a file takes the place of the present one. */
bool plain_open(struct plain *p, const char *path, struct err *err);

/* ---- plain_reload.c ---- */

/* The lesson's files are as they should be. */
void plain_watch(struct plain *p);

/* When they were saved: goes on in the new version, or says why not. True: the lesson is another one, and
 * so is what can be chosen. */
bool plain_reload(struct plain *p);

/* ---- plain_plot.c ---- */

/* What the card plots, of this run: the lesson's, or one that was tried; any plot that is asked for. */
void plain_say_plots(struct plain *p, const struct run *run);
void plain_ask_plot(struct plain *p);

/* ---- plain_lab.c ---- */

/* A command as behind `:`: what changes the run, what keeps it. */
void plain_type(struct plain *p);
/* Every switch with what it is set to and may be; those of the card first. */
void plain_say_knobs(struct plain *p);
/* What the scene measures, what is modelled, what is not, where constants come from. */
void plain_say_honesty(struct plain *p);
/* The lab: its preset is chosen by number (false: nobody did); the fabric and its work are built anew. */
bool plain_choose_preset(struct plain *p);
void plain_build(struct plain *p);
/* The draft's run takes the old one's place, if there is one. */
bool plain_run_lab(struct plain *p, struct err *err);

/* ---- plain_packet.c ---- */

/* The packet an eye would choose, header by header. */
void plain_say_packet(const struct plain *p);

/* ---- plain_break.c ---- */

/* Asks what is to be broken, and how. */
void plain_break(struct plain *p);

/* ---- plain_time.c ---- */

/* Asks where to ("61us", "next drop", "previous barrier"), goes there and says where the run stands. */
void plain_go(struct plain *p);
/* Asks what might be otherwise. Both run on until each has ended a training step, or its work; what came
 * of it is said, and the change kept or not. */
void plain_whatif(struct plain *p);
/* Takes back what the learner did last, or does it again. */
void plain_undo(struct plain *p, bool again);
/* Both sides of a what-if, and what differs; the run stays where it is. False: refused, and why is
 * said. */
bool plain_compare(struct player *player, const struct sim_cmd *cmd);

/* ---- plain_choose.c ---- */

/* Adds an entry to what may be chosen; `which`: the answer or switch, how sure one is. */
void plain_offer(struct plain *p, enum plain_act act, size_t which, const char *text);
void plain_offer_switches(struct plain *p);
/* What tells where one is, and why; before it stand the entries that the moment is about. */
void plain_offer_telling(struct plain *p);
/* That, the switches, and how to leave. */
void plain_offer_always(struct plain *p);

/* The entries with their numbers: all, or what the moment is about and what was never listed. */
void plain_list(struct plain *p, bool all);

/* Lists the entries and waits for a number, a letter of an answer, or the beginning of one. Where nobody
 * answers, it is `otherwise`. */
struct plain_entry plain_choose(struct plain *p, enum plain_act otherwise);

/* The switch of the card, from 0, or NULL; what it is called. */
const struct lesson_item *plain_switch(const struct plain *p, size_t which);
const char *plain_switch_label(const struct lesson_item *item);

/* ---- plain_do.c ---- */

void plain_do(struct plain *p, struct plain_entry entry);

/* The learner does something to the run: through the journal. False: it is refused, and that is said. */
bool plain_do_command(struct plain *p, const struct sim_cmd *cmd);

#endif
