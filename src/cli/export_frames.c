/* The formats of `weft export` that show what the screen shows. */
#include "cli/export.h"

#include <stdlib.h>
#include <string.h>

#include "app/reel.h"
#include "base/units.h"
#include "export/cast.h"
#include "export/svg.h"

/* A film has fewer frames a second than the screen, but they are those of the screen: a packet that can be
 * seen there does not blur. */
enum { COLUMNS = 80, ROWS = 24, SCREEN_FPS = 20, FILM_FPS = 10, FILM_END_MS = 2000 };

/* What a reel is made of: a lesson, or the run as a value in its clothes. */
struct film {
    struct replay replay;
    struct app_options app;
    struct reel *reel;
};

/* Frames are the same everywhere: Unicode unless told otherwise, whatever the locale says. */
static struct reel_options reel_options_of(const struct cli_options *o)
{
    return (struct reel_options){ .width = o->width > 0 ? o->width : COLUMNS,
                                  .height = o->height > 0 ? o->height : ROWS,
                                  .ascii = o->charset == CLI_CHARSET_ASCII,
                                  .fps = o->fps > SCREEN_FPS ? o->fps : SCREEN_FPS,
                                  .card = o->card,
                                  .until_ps = o->has_until ? o->until_ps : 0 };
}

static bool film_open(struct film *film, const struct cli_export *job, struct err *err)
{
    const struct cli_settings *settings = job->settings;
    const struct cli_target *target = job->target;
    const struct reel_options how = reel_options_of(job->options);
    const char *path = target->name;
    *film = (struct film){ .app = { .data_dir = job->places->data_dir,
                                    .places = job->places,
                                    .notes = job->options->notes,
                                    .reduced_motion = job->options->reduced_motion,
                                    .seed = settings->seed,
                                    .sets = settings->sets,
                                    .set_count = settings->set_count } };
    if (target->kind == CLI_TARGET_PATH) {
        path = lesson_info(target->lesson).file;
    } else if (cli_target_replay(target, settings, &film->replay, err)) {
        film->app.saved = &film->replay;
        film->app.seed = film->replay.seed;
        film->app.set_count = 0; /* they are in it */
        if (target->kind == CLI_TARGET_SCENARIO) {
            film->replay.version[0] = '\0'; /* nobody saved it */
        }
    } else {
        return false;
    }
    film->reel = reel_create(&film->app, path, &how, err);
    return film->reel != NULL;
}

static void film_close(struct film *film)
{
    reel_destroy(film->reel);
    replay_finish(&film->replay);
}

/* --vs: the same with one change, beside it. */
static bool put_beside(struct film *film, const struct cli_export *job, struct err *err)
{
    const struct cli_words *vs = &job->options->vs;
    struct cli_settings both = { 0 };
    if (vs->count == 0) {
        return true;
    }
    if (vs->count > 1 || job->target->kind == CLI_TARGET_PATH) {
        return err_set(err, ERR_USAGE,
                       vs->count > 1 ? "a picture shows one --vs: one change"
                                     : "--vs goes with --bare: a lesson has its own comparisons");
    }
    const bool ok = cli_settings_add(&both, job->settings, vs, "vs", err) &&
                    reel_beside(film->reel, &both.sets[both.set_count - 1], err);
    cli_settings_finish(&both);
    return ok;
}

/* A lesson shows its scenes when their turn comes. */
static bool scene_fits(const struct cli_export *job, struct err *err)
{
    const struct cli_options *o = job->options;
    return o->scene == NULL || job->target->kind != CLI_TARGET_PATH ||
           (o->at.count > 0 && o->card == 0) ||
           err_set(err, ERR_USAGE,
                   "--scene goes with --bare, or with --at T and no --card: a lesson "
                   "shows its scenes in turn");
}

/* --at, as a time. `*at` 0: not given. */
static bool moment_of(const struct cli_words *at, int64_t *ps, struct err *err)
{
    struct err why = { 0 };
    *ps = 0;
    if (at->count > 1) {
        return err_set(err, ERR_USAGE, "--at: one picture shows one moment");
    }
    return at->count == 0 || units_parse(at->item[0], UNIT_TIME, ps, &why) ||
           err_set(err, ERR_USAGE, "--at: %s", why.msg);
}

/* To where the picture, or the film, begins. */
static bool go_to(struct film *film, const struct cli_export *job, bool moves, int64_t at,
                  struct err *err)
{
    const struct cli_options *o = job->options;
    if (o->at.count > 0) {
        const int scene =
            job->target->kind == CLI_TARGET_PATH && o->card == 0 ? job->target->scene : -1;
        return reel_go(film->reel, scene, at, err);
    }
    if (moves) {
        return reel_next(film->reel) ||
               err_set(err, ERR_USAGE,
                       o->has_until ? "--until: nothing of this is shown as early as that"
                                    : "nothing moves here: there is no film of it");
    }
    reel_rest(film->reel);
    return true;
}

/* The next frame of a recording. False: there is none. */
static bool film_next(struct film *film, const struct cli_options *o, int fps)
{
    const int wanted = o->fps > 0 ? o->fps : fps;
    bool more = true;
    for (int i = 0; i < (wanted < SCREEN_FPS ? SCREEN_FPS / wanted : 1) && more; i++) {
        more = reel_next(film->reel);
    }
    return more;
}

/* ---- svg ------------------------------------------------------------------------------------- */

static void add_title(struct text *out, const struct reel *reel)
{
    text_addf(out, "weft: %s", reel_title(reel));
    if (reel_card_count(reel) > 1) {
        text_addf(out, ", card %zu of %zu", reel_card(reel), reel_card_count(reel));
    }
}

static void write_film(struct cli_export *job, struct film *film, struct export_svg *svg)
{
    struct reel *reel = film->reel;
    while (export_svg_add(svg, reel_canvas(reel), reel_ms(reel)) &&
           film_next(film, job->options, FILM_FPS)) {
    }
    if (export_svg_is_full(svg)) {
        job->notice = "the film is as long as one may be; --card N or a lower --fps";
    }
    (void)export_svg_end(svg, reel_ms(reel) + FILM_END_MS);
}

/* Nobody has a background to be looked at. */
static enum ui_theme theme_of(const struct cli_options *options)
{
    return options->theme != UI_THEME_COUNT ? options->theme : UI_THEME_DARK;
}

static void write_svg(struct cli_export *job, struct film *film, enum ui_theme theme)
{
    struct text title = { 0 };
    add_title(&title, film->reel);
    const struct export_svg_words words = { text_str(&title), reel_words(film->reel) };
    if (job->options->animate) {
        struct export_svg *svg = export_svg_create(job->sink, theme, &words);
        write_film(job, film, svg);
        export_svg_destroy(svg);
    } else {
        struct text frame = { 0 };
        export_svg_frame(&frame, reel_canvas(film->reel), theme, &words);
        (void)sink_add_text(job->sink, &frame);
        (void)sink_tail(job->sink, "", "");
        text_finish(&frame);
    }
    text_finish(&title);
}

bool cli_export_svg(struct cli_export *job, struct err *err)
{
    struct film film = { 0 };
    const enum ui_theme theme = theme_of(job->options);
    int64_t at;
    const bool ok = scene_fits(job, err) && moment_of(&job->options->at, &at, err) &&
                    film_open(&film, job, err) && put_beside(&film, job, err) &&
                    go_to(&film, job, job->options->animate, at, err) &&
                    cli_export_begin(job, job->options->animate ? EXPORT_SVG_TAIL : 0, err);
    if (ok) {
        write_svg(job, &film, theme);
    }
    film_close(&film);
    return ok;
}

/* ---- asciicast -------------------------------------------------------------------------------- */

static enum ui_palette palette_of(enum cli_color color)
{
    switch (color) {
    case CLI_COLOR_AUTO:
    case CLI_COLOR_256:
    case CLI_COLOR_TRUE: /* a recording is seen in terminals of all kinds */
        return UI_PALETTE_256;
    case CLI_COLOR_16:
        return UI_PALETTE_16;
    case CLI_COLOR_NEVER:
        return UI_PALETTE_MONO;
    }
    return UI_PALETTE_256;
}

static bool mark_card(struct export_cast *cast, const struct reel *reel)
{
    struct text label = { 0 };
    text_addf(&label, "card %zu of %zu: %s", reel_card(reel), reel_card_count(reel),
              reel_card_title(reel));
    const bool ok = export_cast_mark(cast, text_str(&label), reel_ms(reel));
    text_finish(&label);
    return ok;
}

static void write_cast(const struct cli_export *job, struct film *film, struct export_cast *cast)
{
    struct reel *reel = film->reel;
    size_t card = 0;
    bool ok = true;
    do {
        if (reel_card(reel) != card && reel_card_count(reel) > 1) {
            ok = mark_card(cast, reel);
        }
        card = reel_card(reel);
        ok = ok && export_cast_add(cast, reel_canvas(reel), reel_ms(reel));
    } while (ok && film_next(film, job->options, SCREEN_FPS));
    (void)export_cast_end(cast, reel_ms(reel) + FILM_END_MS);
}

bool cli_export_asciicast(struct cli_export *job, struct err *err)
{
    struct film film = { 0 };
    int64_t at;
    const bool ok = scene_fits(job, err) && moment_of(&job->options->at, &at, err) &&
                    film_open(&film, job, err) && put_beside(&film, job, err) &&
                    go_to(&film, job, true, at, err) && cli_export_begin(job, 0, err);
    if (ok) {
        struct text title = { 0 };
        text_addf(&title, "weft: %s", reel_title(film.reel));
        struct export_cast *cast = export_cast_create(
            job->sink,
            (struct export_look){ theme_of(job->options), palette_of(job->options->color) },
            text_str(&title));
        write_cast(job, &film, cast);
        export_cast_destroy(cast);
        text_finish(&title);
    }
    film_close(&film);
    return ok;
}
