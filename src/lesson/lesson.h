/*
 * A lesson: a Lua file turned into data.
 *
 * Loading runs the file once inside the sandbox (host.h) and checks everything declarative: types,
 * names, units, ranges, flows that exist. What is left of Lua afterwards are small functions
 * (truths, claims, measured values) that are called with a finished report and cannot touch a run.
 *
 * A lesson is a list of items, grouped into cards: a card begins at each `say` and at each `scene`
 * (a `say` right after a `scene` belongs to the scene's card; so does a `set` or `drop` between). Items
 * and cards inside branches stand in the same lists; which of them a learner meets: path.h.
 */
#ifndef WEFT_LESSON_LESSON_H
#define WEFT_LESSON_LESSON_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "run/plot.h"
#include "run/replay.h"
#include "run/report.h"
#include "sim/command.h"
#include "sim/scenario.h"

struct lesson;

enum lesson_item_kind {
    LESSON_SCENE, /* start the run of a scene from 0 */
    LESSON_SAY,   /* prose */
    LESSON_NOTE,  /* prose for the teacher */
    LESSON_SET,   /* the author moves switches */
    LESSON_SWITCH, /* offers a switch to the learner, digits 1.. in order of appearance in the card */
    LESSON_DROP,   /* the author destroys a packet, or invites the learner to */
    LESSON_FAULT,   /* the author breaks or mends something */
    LESSON_COMPARE, /* opens a what-if: the run as it is, and with a change */
    LESSON_FOCUS,   /* where to look */
    LESSON_PLOT,    /* what is plotted over time */
    LESSON_PLAY,    /* run on until something happens */
    LESSON_PREDICT, /* the learner commits to an answer */
    LESSON_BRANCH,  /* what comes next depends on an answer; belongs to no card */
    LESSON_FIX,     /* the learner brings the fabric to a goal */
    LESSON_CLAIM,   /* something that must be true; checked by `weft check` */
};

enum lesson_gear {
    LESSON_GEAR_KEEP,
    LESSON_GEAR_PACKET,
    LESSON_GEAR_ROUND,
    LESSON_GEAR_STEP,
    LESSON_GEAR_TIMEOUT
};

/* Where `play` stops. */
enum lesson_until {
    /* All but END and TIME end at the next barrier at the latest, all when the run is over. */
    LESSON_UNTIL_BARRIER, /* the next barrier */
    LESSON_UNTIL_END,     /* the workload is done (or stalled) */
    LESSON_UNTIL_TIME,    /* a simulated time from now */
    LESSON_UNTIL_DROP,    /* the next drop, NAK, timeout, PAUSE */
    LESSON_UNTIL_NAK,
    LESSON_UNTIL_TIMEOUT,
    LESSON_UNTIL_XOFF,
    LESSON_UNTIL_ROUND, /* the next round of the first rank */
};

struct lesson_choice {
    char *text;
    char *belief; /* what one thinks who says this; NULL for none */
    char *reply;  /* own answer to this choice; NULL: `because` alone */
};

/* One way of a branch. */
struct lesson_way {
    const char *on;   /* "[2]", "right", "otherwise" */
    uint32_t answers; /* those that lead here: a bit for each kind, see path.h */
    size_t from, to;  /* its items */
    int line;
};

struct lesson_item {
    enum lesson_item_kind kind;
    int line;   /* of the item's constructor in the file */
    int scene;  /* the scene in force; LESSON_SCENE: the one it starts */
    bool sound; /* read without problems */
    bool apart; /* the first of a branch, or behind one: begins a card */
    char *name; /* predict: what a branch calls it, or NULL; branch: the question it is on */
    char *text; /* say, note: Markdown; predict: the question; fix: the goal; claim: the sentence */
    struct sim_cmd *cmds; /* set, drop, fault, compare: one or more commands; fix: the solution */
    size_t cmd_count;
    bool ask; /* drop: the learner is invited to destroy any packet; cmds are the fallback */
    enum sim_knob knob; /* switch */
    int64_t *values;    /* switch: what the digit cycles through */
    size_t value_count;
    char *label;             /* switch: words for the panel */
    char *no_effect;         /* switch: why nothing will change, or NULL */
    enum lesson_until until; /* play */
    sim_ps for_ps;           /* play, LESSON_UNTIL_TIME; fix: how long a try runs, 0: to the end */
    enum lesson_gear gear;   /* play */
    sim_ps rate;             /* play: simulated time in a wall second; 0: what the gear has */
    struct lesson_choice *choices; /* predict */
    size_t choice_count;
    bool number;         /* predict: a number is typed, in place of choices */
    enum unit_kind unit; /* of it */
    int64_t tolerance;   /* UNIT_SHARE of the truth */
    char *low, *high;    /* replies to one that is too small, too large; or NULL */
    int scenes[4];       /* claim: those it compares */
    size_t scene_count;  /* 0: it is given the report of its own */
    bool asks_sure;      /* predict: how sure one is */
    size_t right;        /* predict: number of the right choice, 0: its truth says which */
    int view;            /* focus: an enum scene_view, -1: as it is */
    char *node;          /* focus: or NULL */
    char **plots;        /* plot: names, as run_plot_parse() takes them */
    size_t plot_count;
    char *from;              /* predict: a question from this earlier lesson, or NULL */
    uint32_t answers;        /* predict: the kinds of answers it may get, see path.h */
    int declared;            /* predict: the kind that counts where nobody answers */
    size_t question;         /* branch: the item that asked */
    struct lesson_way *ways; /* branch: the first one is the declared one */
    size_t way_count;
    size_t next;   /* branch: where all ways meet again, as in lesson_card */
    char *because; /* predict, fix: said when it is judged, reached; Markdown with {...}, or NULL */
    char *reply;   /* fix: said when it is not reached, or NULL */
    char **hints;  /* fix */
    size_t hint_count;
};

/* What a plot item plots in a fabric that has it all, at most `cap`. */
enum { LESSON_PLOTS_MAX = 6 };
size_t lesson_plots(const struct lesson_item *item, const struct sim *sim, struct run_plot *plots,
                    size_t cap);

struct lesson_card {
    int scene;           /* scene in force on this card */
    size_t first, count; /* its items */
    size_t next; /* the item behind it: of another card, or a branch; 0: the lesson ends here */
    const char *title; /* first bold words of the prose, or the lesson's title */
};

struct lesson_scene {
    const char *name;
    struct sim_scenario scenario;
    char *scale; /* "true size: ...; shrunk: ...": the scale line, or NULL */
};

struct lesson_info {
    const char *id, *title, *file;
    const char *after; /* ids of the lessons that it builds on, "a, b"; or empty */
    const char *terms; /* its new terms, "barrier, PFC"; or empty */
    int number, year, minutes, level;
    size_t cards; /* of the declared path */
    bool own;     /* in a list: it does not come from the course */
    const char *
        group; /* in a list: what the index of its own folder is called, or that folder; NULL: the course */
};

/* Loads and checks. On failure nothing is left half loaded. `data_dir` holds lua-scripts/ and
 * assets/. The whole list of declarative errors is in `errors` (may be NULL), the first in `err`;
 * ERR_STATE: the file returns something else than a lesson. */
struct lesson *lesson_load(const char *path, const char *data_dir, struct text *errors,
                           struct err *err);
/* The same for a text that is in no file: `path` is what messages call it. */
struct lesson *lesson_load_text(const char *text, const char *path, const char *data_dir,
                                struct text *errors, struct err *err);
void lesson_destroy(struct lesson *lesson);

/* The files of the lesson's own folder that a lesson is made of, or wants to be made of: a module that
 * `require` did not find is there, too. Zero is a valid empty list. */
struct lesson_files {
    char **path;
    size_t count, cap;
};
void lesson_files_add(struct lesson_files *files, const char *path); /* each once */
void lesson_files_finish(struct lesson_files *files);

/* The same for one that somebody is at work on: its files, the lesson's own first, are added to `files`
 * whether it loads or not; when `cancel` is set (by another thread), it fails soon with ERR_STATE. */
struct lesson *lesson_load_followed(const char *path, const char *data_dir,
                                    struct lesson_files *files, const atomic_bool *cancel,
                                    struct err *err);

/*
 * A saved run as a lesson of one card that says what it is and plays it to its end. `file` is its name
 * for people. Its player takes the seed and the journal as options. Never fails: what is in a replay
 * has been checked.
 */
struct lesson *lesson_of_replay(const struct replay *replay, const char *file);

/* A Lua file that returns weft.scenario{...} instead of a lesson: `sc` is initialised. ERR_STATE:
 * the file returns something else. */
bool lesson_load_scenario(const char *path, const char *data_dir, struct sim_scenario *sc,
                          struct err *err);

struct lesson_info lesson_info(const struct lesson *lesson);
size_t lesson_scene_count(const struct lesson *lesson);
const struct lesson_scene *lesson_scene(const struct lesson *lesson, size_t index);
size_t lesson_card_count(const struct lesson *lesson);
const struct lesson_card *lesson_card(const struct lesson *lesson, size_t index); /* from 0 */
size_t lesson_item_count(const struct lesson *lesson);
const struct lesson_item *lesson_item(const struct lesson *lesson, size_t index);

/* Its new terms, and its sources, with what they mean. */
struct lesson_word {
    const char *name, *text;
};
size_t lesson_term_count(const struct lesson *lesson);
const struct lesson_word *lesson_term(const struct lesson *lesson, size_t index);
size_t lesson_source_count(const struct lesson *lesson);
const struct lesson_word *lesson_source(const struct lesson *lesson, size_t index);
/* Appends both, a line each: "barrier: the moment ...", "[Guo16] Guo, Wu, ...". */
void lesson_say_words(const struct lesson *lesson, struct text *out);

/* "mechanisms": what a lesson of this level, 1 to 3, is about. */
const char *lesson_level_words(int level);

/* How far a run was when a card began: what `card` counts from. All 0: from the run's start. */
struct lesson_since {
    sim_ps at;
    int64_t payload; /* bytes that had arrived */
    struct sim_counters count;
};

/* What a lesson's functions look at. */
struct lesson_sight {
    const struct report *const *reports; /* one for each scene; NULL: not run */
    int scene;                           /* the one in force */
    bool old;          /* a switch has been moved since: measured values in prose say so */
    const char *blank; /* stands in prose for whatever is measured; NULL: it is measured */
    int64_t step;      /* `this`: the first training step to end after the card began; 0: none */
    struct lesson_since since; /* `card`: what was so when it began */
};

/* "{key:why}" in prose stands for the key of a command; lesson_fill() leaves it to whoever shows the text. */
#define LESSON_KEY "{key:"

/*
 * Fills the measured values {...} into a Markdown text. A value that cannot be measured yet (its
 * step is not over) becomes "..." and sets `*pending`. A Lua error sets err and yields "(error)".
 */
bool lesson_fill(struct lesson *lesson, const char *markdown, const struct lesson_sight *sight,
                 struct text *out, bool *pending, struct err *err);

/* The true choice (index from 0) of a predict item, for this report. False with ERR_STATE: cannot
 * be judged yet. */
bool lesson_truth(struct lesson *lesson, size_t item, const struct lesson_sight *sight,
                  size_t *choice, struct err *err);

/* The same for a number (UNIT: see the item). */
bool lesson_truth_number(struct lesson *lesson, size_t item, const struct lesson_sight *sight,
                         int64_t *number, struct err *err);

/* Whether a claim holds, or a task's goal is reached. False with err set: it could not be judged ("not
 * checked"). True and not `*holds`: err has no code, its message is what the function returned behind
 * its false ("40 us, 3"), or empty. */
bool lesson_claim(struct lesson *lesson, size_t item, const struct lesson_sight *sight, bool *holds,
                  struct err *err);

/* ---- finding lessons ------------------------------------------------------------------------- */

/* Whether a lesson may have this id: small letters, digits, -, not beginning with -. */
bool lesson_is_id(const char *s);

/* Where lessons are looked for: in folders that somebody has put some into, then in the course that
 * comes with weft. A lesson of an earlier folder hides that of the same id in a later one. */
struct lesson_places {
    const char *data_dir;   /* holds lessons/ (the course), lua-scripts/, assets/ */
    const char *const *own; /* folders, the first one first */
    size_t own_count;
    bool alone; /* `own` is all: the course is not looked at */
};

/* Cards of one lesson, on a route. */
struct lesson_stop {
    char *lesson; /* its id */
    int from, to; /* cards as people count them; 0: from the first, to the last */
};
/* A way through a course for a given time. */
struct lesson_route {
    char *name, *title; /* "10", "10 minutes: one lost packet" */
    struct lesson_stop *stops;
    size_t stop_count;
    char *where; /* the index it stands in, */
    int line;    /* and where there */
};

struct lesson_list {
    struct lesson_info *items; /* in their order; `own`: not from the course */
    size_t count;
    char *title;  /* of the first index, or NULL */
    size_t start; /* the lesson to begin with */
    /* Only with stops of lessons that are there, each whole: from and to are cards. */
    struct lesson_route *routes;
    size_t route_count;
};
/*
 * The lessons that an index.lua lists: those of the course, then those of the other folders. A lesson or
 * index that does not load is left out and reported in `errors`. False: there is no course (alone: no
 * index in the first folder). To be finished in either case.
 */
bool lesson_list(const struct lesson_places *places, struct lesson_list *list, struct text *errors,
                 struct err *err);
void lesson_list_finish(struct lesson_list *list);
/* The order in which a list is shown: by year, group after group; the lessons of a year as the index has
 * them, which is the order of teaching. `order` has room for all. */
void lesson_list_by_year(const struct lesson_list *list, size_t *order);

/* id, number in that list or path to a path (caller frees); NULL with the nearest id in `err`. A lesson
 * is found by its id whether an index lists it or not. */
char *lesson_find(const struct lesson_places *places, const char *target, struct err *err);

#endif
