/* `weft`, `weft LESSON`, `weft open FILE`: in front of a person, on a screen or as sentences. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "cli/open.h"
#include "cli/settings.h"
#include "cli/target.h"
#include "lesson/lesson.h"
#include "run/token.h"

bool cli_wants_plain(const struct cli_options *options)
{
    const char *accessible = getenv("ACCESSIBLE");
    const char *term = getenv("TERM");
    return options->plain || (accessible != NULL && accessible[0] != '\0') || term == NULL ||
           term[0] == '\0' || strcmp(term, "dumb") == 0 || !isatty(STDIN_FILENO) ||
           !isatty(STDOUT_FILENO);
}

static enum app_glyphs glyphs_of(enum cli_charset charset)
{
    switch (charset) {
    case CLI_CHARSET_AUTO:
        return APP_GLYPHS_AUTO;
    case CLI_CHARSET_ASCII:
        return APP_GLYPHS_ASCII;
    case CLI_CHARSET_UNICODE:
        return APP_GLYPHS_UNICODE;
    }
    return APP_GLYPHS_AUTO;
}

static enum app_color color_of(enum cli_color color)
{
    switch (color) {
    case CLI_COLOR_AUTO:
        return APP_COLOR_AUTO;
    case CLI_COLOR_NEVER:
        return APP_COLOR_NONE;
    case CLI_COLOR_16:
        return APP_COLOR_16;
    case CLI_COLOR_256:
        return APP_COLOR_256;
    case CLI_COLOR_TRUE:
        return APP_COLOR_TRUE;
    }
    return APP_COLOR_AUTO;
}

/* A word that is neither a command nor a lesson is a slip of the keyboard: wrong usage. */
static char *find(const struct lesson_places *places, const char *word, struct err *err)
{
    char *path = lesson_find(places, word, err);
    if (path == NULL && strchr(word, '/') == NULL && err->code == ERR_NAME) {
        const char *near = cli_command_near(word);
        if (near != NULL) {
            (void)err_set(err, ERR_USAGE, "there is no command '%.60s'; did you mean %s?", word,
                          near);
        } else {
            (void)err_note(err, "'%.60s' is no command and no lesson", word);
            err->code = ERR_USAGE;
        }
    }
    return path;
}

struct app_options cli_app_options(const struct cli_options *options,
                                   const struct cli_settings *settings,
                                   const struct lesson_places *places)
{
    return (struct app_options){ .data_dir = places->data_dir,
                                 .places = places,
                                 .glyphs = glyphs_of(options->charset),
                                 .color = color_of(options->color),
                                 .theme = options->theme,
                                 .no_mouse = options->no_mouse,
                                 .reduced_motion = options->reduced_motion,
                                 .fps = options->fps,
                                 .notes = options->notes,
                                 .card = options->card,
                                 .route = options->route,
                                 .seed = settings->seed,
                                 .sets = settings->sets,
                                 .set_count = settings->set_count };
}

/* A saved run, or a token. */
static int open_saved(const struct cli_options *options, const struct lesson_places *places,
                      const char *word)
{
    struct err err = { 0 };
    struct text errors = { 0 };
    struct cli_settings settings = { 0 };
    struct cli_target target = { 0 };
    const struct cli_target_wish wish = { word, NULL, false, places };
    bool ok = cli_settings_read(&settings, options, &err) &&
              cli_target_open(&target, &wish, &errors, &err);
    if (ok &&
        (settings.has_seed || settings.set_count > 0)) { /* another run: nothing is expected */
        target.saved.has_result = false;
    }
    if (ok) {
        struct app_options app = cli_app_options(options, &settings, places);
        app.saved = &target.saved;
        app.seed = settings.has_seed ? settings.seed : target.saved.seed;
        ok = cli_wants_plain(options) ? app_plain(&app, word, &err) : app_lesson(&app, word, &err);
    }
    const int status = ok ? CLI_OK : cli_target_complain(&errors, &err);
    cli_target_finish(&target);
    cli_settings_finish(&settings);
    text_finish(&errors);
    return status;
}

static int open_lesson(const struct cli_options *options, const struct lesson_places *places,
                       const char *word)
{
    struct err err = { 0 };
    struct cli_settings settings = { 0 };
    char *path = word != NULL ? find(places, word, &err) : NULL;
    bool ok = (word == NULL || path != NULL) && cli_settings_read(&settings, options, &err);
    if (ok) {
        const struct app_options app = cli_app_options(options, &settings, places);
        if (options->route != NULL && path != NULL) {
            ok = err_set(&err, ERR_USAGE, "--route leads from lesson to lesson: name none");
        } else if (cli_wants_plain(options)) {
            ok = app_plain(&app, path, &err);
        } else if (path != NULL) {
            ok = app_lesson(&app, path, &err);
        } else {
            ok = app_home(&app, &err);
        }
    }
    const int status = ok ? CLI_OK : cli_complain(&err);
    cli_settings_finish(&settings);
    free(path);
    return status;
}

int cli_cmd_open(const struct cli_options *options)
{
    struct lesson_places *places = cli_places();
    const char *word = options->operands.count > 0 ? options->operands.item[0] : NULL;
    if (word != NULL && cli_places_means_folder(places, word) && cli_places_only(places, word)) {
        word = NULL; /* a course of one's own: its list */
    }
    const bool saved = word != NULL && (token_is(word) || cli_target_is_saved(word));
    const int status =
        saved ? open_saved(options, places, word) : open_lesson(options, places, word);
    cli_places_free(places);
    return status;
}
