/*
 * Which lesson is shown: chosen on the home screen, opened in another thread, left again; a route leads from
 * one to the next.
 */
#include <stdio.h>

#include "app/app_inside.h"
#include "app/route.h"

enum { HOLD_MS = 80 };

/* ---- opening and leaving -------------------------------------------------------------------------- */

/* What is shown goes; what it has come to is kept. */
static void close_session(struct app *app)
{
    if (app->session != NULL) {
        app->presenter = app->session->presenter;
        keeper_look(&app->keeper);
        keeper_open(&app->keeper, NULL, 0);
        reload_follow(app->reload, NULL);
        session_destroy(app->session);
        app->session = NULL;
    }
}

static const struct lesson_stop *stop_now(const struct app *app)
{
    return &app->home->list.routes[app->route.which].stops[app->route.stop];
}

static void show_session(struct app *app, struct session *session)
{
    size_t card = 0;
    app->session = session;
    session->keys = &app->keys;
    session_set_presenter(session, app->presenter);
    if (app->route.on) {
        const struct lesson_route *route = &app->home->list.routes[app->route.which];
        const struct lesson_stop *stop = stop_now(app);
        card = (size_t)stop->from;
        session->route = (struct session_route){ .stop = app->route.stop + 1,
                                                 .stops = route->stop_count,
                                                 .last = (size_t)stop->to };
        session_say(session, "stop %zu of %zu, cards %d to %d; {key:next} goes on (%.100s)",
                    app->route.stop + 1, route->stop_count, stop->from, stop->to, route->title);
    }
    keeper_open(&app->keeper, session, card);
    reload_follow(app->reload, session);
}

static void on_opened(void *arg, struct lesson *lesson, struct lesson_files *files,
                      const struct err *why)
{
    struct app *app = arg;
    struct err err = *why;
    struct session *session = NULL;
    app->opening = NULL;
    uv_timer_stop(&app->hold);
    if (lesson == NULL) {
        lesson_files_finish(files);
    } else {
        struct app_options options = *app->options;
        options.card = app->route.on ? (size_t)stop_now(app)->from : 0;
        session = session_open(&options, lesson, files, app_now_ms(app), &err);
    }
    if (session != NULL) {
        close_session(app);
        show_session(app, session);
    } else if (app->session != NULL) { /* the stop before stays */
        session_say(app->session, "%s", err.msg);
    } else {
        app->route.on = false;
        err_text(&err, app->home->note, sizeof app->home->note);
    }
    app->dirty = true;
    app_take_keys(app);
    app_settle(app);
}

static void on_hold(uv_timer_t *handle)
{
    struct app *app = handle->data;
    snprintf(app->home->note, sizeof app->home->note, "opening the lesson ...");
    app->dirty = true;
    app_take_keys(app);
    app_settle(app);
}

/* In another thread: whatever its file does, keys are answered. */
static void open_file(struct app *app, const char *file)
{
    opening_cancel(app->opening);
    app->home->note[0] = '\0';
    app->opening = opening_begin(&app->loop, file, app->options->data_dir, on_opened, app);
    uv_timer_start(&app->hold, on_hold, HOLD_MS, 0);
}

void app_leave_lesson(struct app *app)
{
    if (app->home == NULL) {
        app->quit = true;
        return;
    }
    close_session(app);
    app->route.on = false;
    home_search_end(app->home, app->keeper.progress);
}

/* ---- routes --------------------------------------------------------------------------------------- */

static void open_stop(struct app *app)
{
    const struct lesson_info *info = route_lesson(&app->home->list, stop_now(app));
    if (info != NULL) {
        open_file(app, info->file);
    }
}

void app_begin_route(struct app *app)
{
    app->route.on = true;
    app->route.stop = 0;
    open_stop(app);
}

bool app_find_route(struct app *app, const char *name, struct err *err)
{
    return route_find(&app->home->list, name, &app->route.which, err);
}

void app_next_stop(struct app *app)
{
    struct session *session = app->session;
    session->route.wants_next = false;
    if (app->route.stop + 1 < app->home->list.routes[app->route.which].stop_count) {
        app->route.stop++;
        open_stop(app);
    } else {
        session_say(session, "the route ends here; {key:leave} goes back, {key:previous} and "
                             "{key:contents} stay in this lesson");
    }
}

/* ---- the home screen ------------------------------------------------------------------------------ */

/* The lab, with its presets to choose from; q comes back. */
static void open_lab(struct app *app)
{
    struct err err = { 0 };
    struct session *lab = session_lab(app->options, NULL, app_now_ms(app), &err);
    opening_cancel(app->opening);
    app->opening = NULL;
    app->home->note[0] = '\0';
    if (lab != NULL) {
        show_session(app, lab);
    } else {
        err_text(&err, app->home->note, sizeof app->home->note);
    }
}

/* What is selected: a lesson, a route, the lab. */
static void open_selected(struct app *app)
{
    const struct home_row *row = home_selected(app->home);
    const struct lesson_info *info = home_lesson(app->home);
    if (info != NULL) {
        open_file(app, info->file);
    } else if (row != NULL && row->kind == HOME_ROUTE) {
        app->route.which = row->which;
        app_begin_route(app);
    } else if (row != NULL) {
        open_lab(app);
    }
}

/* The list moves under what is being opened. */
static void move_home(struct app *app, enum command command)
{
    enum { PAGE = 10, ALL = 1000000 };
    static const struct {
        enum command command;
        int rows;
    } moves[] = { { COMMAND_HOME_UP, -1 },         { COMMAND_HOME_DOWN, 1 },
                  { COMMAND_HOME_PAGE_UP, -PAGE }, { COMMAND_HOME_PAGE_DOWN, PAGE },
                  { COMMAND_HOME_FIRST, -ALL },    { COMMAND_HOME_LAST, ALL } };
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        if (moves[i].command == command) {
            opening_cancel(app->opening);
            app->opening = NULL;
            home_move(app->home, moves[i].rows);
        }
    }
}

static void home_help(struct picture *picture, enum command command)
{
    if (command == COMMAND_HELP) {
        picture->help = !picture->help;
        picture->help_scroll = 0;
    } else if (command == COMMAND_BOX_CLOSE) {
        picture->help = false;
    } else if (command == COMMAND_BOX_DOWN) {
        picture->help_scroll++;
    } else if (command == COMMAND_BOX_UP) {
        picture->help_scroll -= picture->help_scroll > 0;
    }
}

void app_home_command(struct app *app, enum command command, uint32_t key)
{
    if (command == COMMAND_OPEN || command == COMMAND_PROMPT_DONE) {
        open_selected(app);
    } else if (command == COMMAND_HOME_LAB) {
        open_lab(app);
    } else if (command == COMMAND_HOME_LEAVE) {
        app->quit = true;
    } else if (command == COMMAND_HOME_SEARCH) {
        home_search(app->home);
    } else if (command == COMMAND_PROMPT_TYPE) {
        home_search_key(app->home, key, app->keeper.progress);
    } else if (command == COMMAND_PROMPT_CLOSE) {
        home_search_end(app->home, app->keeper.progress);
    } else if (command == COMMAND_NONE) {
        char name[32];
        snprintf(app->home->note, sizeof app->home->note, "%s does nothing here; ? shows the keys",
                 term_key_text(key, name, sizeof name));
    } else {
        move_home(app, command);
        home_help(&app->picture, command);
    }
}

/* The contexts that are active on the home screen. */
unsigned app_home_contexts(const struct app *app)
{
    const unsigned here = app->picture.help      ? 1u << CONTEXT_BOX
                          : app->home->search.on ? 1u << CONTEXT_HOME | 1u << CONTEXT_PROMPT
                                                 : 1u << CONTEXT_HOME;
    return 1u << CONTEXT_ALL | here;
}

/* On the home screen: a lesson is chosen, and opened when it was; the wheel goes through the list. */
void app_home_mouse(struct app *app, const struct term_mouse *mouse)
{
    const struct canvas *c = &app->picture.canvas;
    const struct ui_spot *spot = ui_spot_at(c->spot, c->spot_count, mouse->x, mouse->y);
    home_touch(app->home, app_now_ms(app));
    if (mouse->what != TERM_MOUSE_CLICK) {
        const bool down = mouse->what == TERM_MOUSE_WHEEL_DOWN;
        app_home_command(app,
                         app->picture.help ? (down ? COMMAND_BOX_DOWN : COMMAND_BOX_UP)
                                           : (down ? COMMAND_HOME_DOWN : COMMAND_HOME_UP),
                         0);
    } else if (spot != NULL && spot->kind == UI_SPOT_HINT) {
        const enum command command = (enum command)spot->id;
        app_home_command(app, command, command_info(command)->keys[0]);
    } else if (spot != NULL && spot->kind == UI_SPOT_ENTRY && !app->picture.help) {
        const int by = (int)spot->id - (int)app->home->selected;
        if (by == 0) {
            app_home_command(app, COMMAND_OPEN, TERM_KEY_ENTER);
        } else {
            opening_cancel(app->opening);
            app->opening = NULL;
            home_move(app->home, by);
        }
    }
}
