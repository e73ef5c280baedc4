/*
 * The program in front of a person: the loop, and what it plays.
 *
 *     cli --struct app_options--> app_home    the home screen, from it any lesson
 *                                 app_lesson  one lesson
 *                                 app_plain   the same lesson as sentences, no screen needed
 *
 * Each call runs until the person leaves and returns true, or false with a sentence in `err`. The
 * terminal is then as it was before; a fatal signal restores it too and is raised again. Lessons
 * are loaded before the terminal is touched, so what is wrong with one shows on the normal screen.
 */
#ifndef WEFT_APP_APP_H
#define WEFT_APP_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "run/replay.h"
#include "sim/command.h"
#include "ui/theme.h"

enum app_glyphs { APP_GLYPHS_AUTO, APP_GLYPHS_ASCII, APP_GLYPHS_UNICODE };
enum app_color { APP_COLOR_AUTO, APP_COLOR_NONE, APP_COLOR_16, APP_COLOR_256, APP_COLOR_TRUE };

struct lesson_places;

struct app_options {
    const char *data_dir;               /* holds lessons/, lua-scripts/, assets/ */
    const struct lesson_places *places; /* app_home, and app_plain without a path */
    enum app_glyphs glyphs;
    enum app_color color;
    enum ui_theme theme; /* UI_THEME_COUNT: as the terminal's background is */
    bool no_mouse;       /* the mouse is left to the terminal */
    bool reduced_motion; /* one frame a tick of the gear instead of a moving picture */
    int fps;             /* frames a second at most; 0: 20 */
    bool notes;          /* what is for the teacher is said, too */
    bool patient;        /* no work is put off because the machine is slow: a recording */
    const char *route;   /* app_home: begin this route; or NULL */
    size_t card;         /* the place of the card to begin with, from 1; 0: the first */
    uint64_t seed;
    const struct sim_cmd *sets; /* switches set before the lesson starts */
    size_t set_count;
    const struct replay *saved; /* app_lesson, app_plain: this run in place of a lesson; or NULL */
};

bool app_home(const struct app_options *options, struct err *err);

/* `path` is a lesson file, or the name of the saved run. */
bool app_lesson(const struct app_options *options, const char *path, struct err *err);

/* The lab; `preset` is its id or a scenario file, NULL: one chooses first. */
bool app_lab(const struct app_options *options, const char *preset, struct err *err);

/*
 * Plain mode: sentences on standard output, no escape sequence, no cursor movement. Choices are
 * numbered and read from standard input, a line each: from a terminal, a pipe or a file. Where these end
 * (a terminal: then it is over), and where nothing can answer, as /dev/null, the declared path is taken.
 * `path` NULL: one chooses, or the first stop of options.route; with nobody there the first lesson.
 */
bool app_plain(const struct app_options *options, const char *path, struct err *err);
bool app_plain_lab(const struct app_options *options, const char *preset, struct err *err);

#endif
