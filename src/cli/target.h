/*
 * TARGET: what the commands run, whatever it is written as.
 *
 *     one-lost-packet, 3, path/lesson.lua   a lesson: its declared path through one scene, or (bare)
 *                                           only that scene's fabric
 *     path/scenario.lua                     a Lua file that returns weft.scenario{...}
 *     path/run.weft                         a saved run
 *     weft1:...                             a token: a run of a shipped lesson
 *
 * A target is opened once and played as often as one likes, each time with other settings. One thread
 * may use it: a lesson is a Lua state.
 *
 * A lesson is played by the same player that the screen uses, to the last card of its scene: that of
 * --scene, else the one called "main", else the first. What the path leaves undone then runs on
 * untouched, so that a report is that of a finished run.
 */
#ifndef WEFT_CLI_TARGET_H
#define WEFT_CLI_TARGET_H

#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/settings.h"
#include "lesson/lesson.h"
#include "lesson/player.h"
#include "run/replay.h"

enum cli_target_kind { CLI_TARGET_PATH, CLI_TARGET_SCENARIO, CLI_TARGET_SAVED };

/* When cards of a path began, in order; what the path went back behind is forgotten. Free `v`. */
struct cli_card_begin {
    size_t card; /* of the lesson, from 0 */
    sim_ps at;
};
struct cli_cards {
    struct cli_card_begin *v;
    size_t count, cap;
};

struct cli_target {
    enum cli_target_kind kind;
    char *name;                   /* as reports call it */
    struct lesson *lesson;        /* NULL: there is none */
    int scene;                    /* of the lesson */
    int *answers;                 /* to its questions: the path that shows the scene */
    size_t first_card, last_card; /* of the stay in the scene that is played */
    bool looks_back;              /* its runs will be moved back: they take snapshots. May be set */
    struct cli_cards *cards; /* where to note them as a path is played; NULL: nowhere. May be set */
    struct sim_scenario scenario; /* of the scene or the file, as it is without settings */
    struct replay saved;          /* CLI_TARGET_SAVED */
};

struct cli_target_wish {
    const char *word;
    const char *scene; /* NULL: not given */
    bool bare;
    const struct lesson_places *places;
};

/* To be finished in either case. All that is wrong with a lesson is in `errors`, the first in `err`. */
bool cli_target_open(struct cli_target *target, const struct cli_target_wish *wish,
                     struct text *errors, struct err *err);
void cli_target_finish(struct cli_target *target);

/* "weft: ..." for what cli_target_open() said; returns the exit status. */
int cli_target_complain(const struct text *errors, const struct err *err);

/* A target that was opened for a command, with what its flags say. */
struct cli_opened {
    const struct cli_options *options;
    const struct lesson_places *places;
    struct cli_settings settings;
    struct cli_target target;
};

/* A command of one target: `check` looks at its flags before anything is opened, `use` does the work and returns the
 * exit status. What either of them or the opening finds wrong is told. */
typedef bool cli_check_fn(const struct cli_options *options, struct err *err);
typedef int cli_use_fn(struct cli_opened *opened);
int cli_with_target(const struct cli_options *options, cli_check_fn *check, cli_use_fn *use);

/* The scene's name, or NULL. */
const char *cli_target_scene(const struct cli_target *target);

/* The word of a TARGET is the name of a saved run. */
bool cli_target_is_saved(const char *word);

/* A run of a target that has gone to its end. */
struct cli_play {
    struct run *run;
    struct player *player; /* owns the run; NULL: the play does */
    bool expected;         /* a saved run without changes: its result is known */
};

/*
 * Plays to the end of the work, to `until` or until nothing more can happen. A saved run takes its own
 * seed and end unless the settings say otherwise. To be finished in either case.
 */
/* Whether `settings` go with the target at all, before anything runs. */
bool cli_target_takes(const struct cli_target *target, const struct cli_settings *settings,
                      struct err *err);

bool cli_target_play(const struct cli_target *target, const struct cli_settings *settings,
                     struct cli_play *play, struct err *err);
void cli_play_finish(struct cli_play *play);

/* What was played, as a value. To be finished. */
void cli_play_take(const struct cli_play *play, const struct cli_target *target,
                   struct replay *replay);

/*
 * The run as a value, for who wants to watch it happen. A lesson's path is played for that; then, and for
 * a saved run without changes, it has a result: it ends there. Anything else has none, and ends with its
 * work or at settings->until. To be finished when true.
 */
bool cli_target_replay(const struct cli_target *target, const struct cli_settings *settings,
                       struct replay *replay, struct err *err);

#endif
