/*
 * A session: one lesson open in front of one person.
 *
 *     key --session_command--> player, run (through the journal), playback, cursor, view
 *     time --session_tick----> the run moves on; the player hears when its goal is reached
 *     scene_fill reads it and draws nothing into it
 *
 * It knows no terminal and no loop, so tests drive it with commands and invented wall time. Nothing
 * here blocks for long: the run is advanced in slices, also when a card is hurried through.
 */
#ifndef WEFT_APP_SESSION_H
#define WEFT_APP_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/app.h"
#include "app/commands.h"
#include "app/cursor.h"
#include "app/events.h"
#include "app/fate.h"
#include "app/faults.h"
#include "app/history.h"
#include "app/inspect.h"
#include "app/keymap.h"
#include "app/many.h"
#include "app/playback.h"
#include "app/plots.h"
#include "app/prompt.h"
#include "app/terms.h"
#include "app/tried.h"
#include "app/victim.h"
#include "app/whatif.h"
#include "app/why.h"
#include "base/text.h"
#include "lesson/honesty.h"
#include "lesson/player.h"
#include "lesson/resume.h"
#include "ui/scene.h"

struct lab;
struct menu;

enum session_box {
    SESSION_BOX_NONE,
    SESSION_BOX_HELP,
    SESSION_BOX_WHY,
    SESSION_BOX_CONTENTS,
    SESSION_BOX_WHATIF,  /* what might be otherwise */
    SESSION_BOX_PLOT,    /* what may be plotted */
    SESSION_BOX_NUMBERS, /* what was measured on both sides of a what-if */
    SESSION_BOX_FAULTS,  /* what can be broken */
    SESSION_BOX_TERMS,   /* words of the glossary */
    SESSION_BOX_NOTES,   /* what is for the teacher */
    SESSION_BOX_PACKET,  /* a packet, header by header */
    SESSION_BOX_MENU     /* all that can be set */
};

enum { SESSION_PLOTS_MAX = 400 };
enum { SESSION_STATUS_MS = 5000, SESSION_NOTICE_MS = 2500 };

/* The stop of a route that is shown. */
struct session_route {
    size_t stop, stops; /* from 1; 0: there is no route */
    size_t last;        /* its last card, as people count them */
    bool wants_next;    /* n there: on to the next stop */
};

struct session {
    struct session_route route;
    struct lesson *lesson;
    struct lesson_files files; /* what it is made of */
    struct player *player;
    enum player_need need;
    const struct run *attached; /* the run playback was set up for */

    bool patient; /* what is shown depends on the times it is told alone: no work has a budget */
    const struct replay *saved; /* the run that is shown in place of a lesson; or NULL */
    struct lab *lab;            /* what the lesson is made of; NULL: a lesson like any other */
    uint64_t lab_seed;
    bool lab_builds;               /* at the next tick: that may take a second */
    struct menu *menu;             /* NULL: it was not opened yet */
    struct lesson_honesty honesty; /* likewise */
    const char *data_dir;          /* of the options */

    struct playback playback;
    struct history history;
    struct plots plots;
    struct many many;
    struct inspect *inspect; /* NULL: no packet was opened yet */
    struct tried tried;      /* of a task */
    struct cursor cursor;
    bool cursor_lent; /* it was put where it is for the learner, who has not asked for it yet */
    struct victim victim;
    struct fate fate;     /* of the last fault that was no lost packet */
    struct ui_spot *spot; /* what lay where in the last frame */
    size_t spot_count, spot_cap;
    bool *
        only; /* the nodes of the server that is open, one for each of the fabric; NULL: all are drawn */
    struct fault_choice *fault; /* FAULTS_MAX of them, or NULL: not asked for yet */
    size_t fault_count;

    size_t focused;     /* the item that said last where to look, SIZE_MAX: none on this card */
    size_t plotted;     /* the item that said last what to plot, SIZE_MAX: none on this card */
    size_t compared;    /* the item whose what-if was opened, SIZE_MAX: none on this card */
    bool whatif_begins; /* at the next tick: that may take a second */
    struct sim_cmd whatif_cmd;
    struct whatif whatif;           /* open when whatif.other is there */
    enum playback_gear gear_before; /* of the lesson, while it is */
    bool auto_slow_before;          /* the same */
    struct whatif_choice choice[WHATIF_CHOICES_MAX];
    size_t choice_count;
    struct run_plot plot_choice[SESSION_PLOTS_MAX];
    size_t plot_choice_count;
    struct prompt prompt;
    bool prompt_answer;              /* what is typed there answers the question */
    bool prompt_whatif;              /* what is typed there is a change for a what-if */
    bool prompt_row;                 /* what is typed there is the value of the menu's row */
    char prompt_asked[PROMPT_BYTES]; /* Enter again does this all the same; or empty */
    struct event_filter filter;      /* which events are listed, and where < and > stop */
    sim_ps find_from;                /* a search on is under way since here, -1: none */
    char find_what[64];              /* "drop of g3" */

    size_t cut_lines; /* of the journal, by the last thing done */

    bool asks_sure;    /* an answer was given, how sure is open */
    bool hurry;        /* the card is being finished headless, in slices */
    bool wants_packet; /* plays only until a packet can be chosen */
    bool did_drop;     /* the card asked for a packet and the learner chose one */
    bool view_waits;   /* on a small screen the card's words are in the place of ... */
    enum scene_view waiting;
    bool bare;      /* while it goes to a card: nothing is shown but that it does */
    bool goes;      /* to card `goes_to`, from the next tick on, in portions ... */
    bool under_way; /* ... of which the first was done */
    size_t goes_to;
    bool wants_out;  /* q */
    sim_ps card_end; /* where the card's playing ended: the next one counts on that */

    enum scene_view view;
    int width, height; /* of the screen, for Tab */
    int prose_scroll;  /* lines from where the text starts by itself */

    bool notes;            /* --notes: what is for the teacher may be shown */
    bool presenter;        /* the layout for a room */
    bool revealed;         /* in it: the answer of this card is shown */
    bool blank;            /* nothing is shown */
    size_t sentence;       /* in it: the one that is shown, ... */
    size_t sentence_count; /* ... of so many: of the last frame */

    enum session_box box;
    struct why_tree why;      /* WHY */
    const struct sim *why_of; /* ... in this run; for comparing only */
    struct text box_text;     /* WHY: one sentence a line; CONTENTS: one card a line */
    size_t box_scroll;
    size_t box_selected; /* CONTENTS: a card, WHATIF: a choice; from 0 */

    const struct keymap *keys; /* that its sentences name; NULL: as the table says. Borrowed */
    char status[256];          /* the answer to the last key, or empty */
    int64_t status_until;      /* wall ms */
    char strip[800];  /* why the file as it was saved last is not what is shown, or empty */
    char follow[256]; /* the victim's line, or the cursor's, or empty */
    bool follow_settled;
    int64_t now_ms; /* of the last tick or command */

    const struct lesson_places *places; /* or NULL */
    struct lesson_glossary *glossary;
    struct terms terms;        /* those of the prose */
    struct terms listed;       /* those in the box */
    struct lesson_list course; /* for which lesson a word is new in */
    bool course_known;

    struct text marked; /* the prose with the words of the glossary marked */
    struct text prose;  /* as last filled in */
    bool prose_pending;
    struct session_prose_key {
        size_t card, item, marks;
        enum player_need need;
        enum player_answer_state answer;
        int tries;
        bool trying, playing;
        int64_t steps;
        sim_ps now;
        int64_t at_ms;
        bool valid;
    } prose_key; /* for which moment that was */
};

/* Loads the lesson and goes to options->card. */
struct session *session_create(const struct app_options *options, const char *path, int64_t now_ms,
                               struct err *err);
/* The same with a lesson that is loaded, from these files: both are taken over, whatever comes of it. */
struct session *session_open(const struct app_options *options, struct lesson *lesson,
                             struct lesson_files *files, int64_t now_ms, struct err *err);
/* The lab: preset NULL: one chooses first. */
struct session *session_lab(const struct app_options *options, const char *preset, int64_t now_ms,
                            struct err *err);
void session_destroy(struct session *session);
/* Before anything was shown: to the card at that place, from 1, at the next tick; until then nothing but that is
 * said. False: there is none. */
bool session_begin_at(struct session *session, size_t place, struct err *err);

/* What its player is created with. */
struct player_options session_player_options(const struct app_options *options);

/*
 * Another version of the lesson, whose player stands at the same place (lesson/resume.h), takes over; it
 * takes all three. Not while something looks at the present run from aside: see session_calm().
 */
void session_take_over(struct session *session, struct lesson *lesson, struct player *player,
                       struct lesson_files *files, const struct lesson_resumed *resumed);
bool session_calm(const struct session *session);
/* There is one, but it does not load: says so until there is a better one. */
void session_say_broken(struct session *session, const struct err *err);

/* The contexts that are active now, a bit each: see commands.h. */
unsigned session_contexts(const struct session *session);
/* The same once everything that lies over lesson or what-if is closed. */
unsigned session_contexts_beneath(const struct session *session);

/* Does a command. `key` tells which digit or letter. Every command answers: the picture changes, or
 * `status` says why nothing does. */
void session_command(struct session *session, enum command command, uint32_t key, int64_t now_ms);

/* A key that means nothing here: says so. */
void session_no_command(struct session *session, uint32_t key, int64_t now_ms);

/* Wall time passes: the run moves on. */
void session_tick(struct session *session, int64_t now_ms);

/* True while ticks are needed: something moves, or work is left. */
bool session_moving(const struct session *session);

/* The screen has this size: what is shown all the time on it (ui_stays_open()) is begun. */
void session_resize(struct session *session, int width, int height);

/* When the status line should go, in wall ms; 0: there is none. */
int64_t session_status_until(const struct session *session);

/* The card's text, or the reply to an answer, with its measured numbers. Filled in anew only when
 * something happened. Valid until the next call. */
const char *session_prose(struct session *session, bool *pending);
/* The same for the screen: words of the glossary are marked (terms.h). */
const char *session_marked_prose(struct session *session, bool *pending);

const struct sim *session_sim(const struct session *session);

/* What lies where in the frame that was just drawn. */
void session_spots(struct session *session, const struct ui_spot *spots, size_t count);

/* The presenter's layout, on or off: it stays from one lesson to the next. */
void session_set_presenter(struct session *session, bool presenter);

/* What the card's question has come to is not shown: the presenter has not revealed it. */
bool session_hides(const struct session *session);

/* The run of a try that the picture shows instead of the lesson's; NULL: it shows that. */
const struct run *session_shows_try(const struct session *session);

/* Two runs are side by side instead of the lesson. */
bool session_in_whatif(const struct session *session);

/* The menu, as the scene shows it, while it is open. */
void session_menu_fill(struct session *session, struct scene_mem *mem, struct scene *scene);

/* A packet is open. */
bool session_inspects(const struct session *session);

/* What < and > stop at: "all events", "drops of g3". Returns `buf`. */
const char *session_filter_name(const struct session *session, char *buf, size_t size);

/* One line for the status. */
void session_say(struct session *session, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
