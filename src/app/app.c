#include "app/app_inside.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uv.h>

#include "app/home.h"
#include "app/keeper.h"
#include "app/keymap.h"
#include "app/opening.h"
#include "app/picture.h"
#include "app/pointer.h"
#include "app/reload.h"
#include "app/session.h"
#include "app/watch.h"
#include "term/term.h"

enum { HOLD_MS = 80, DEFAULT_FPS = 20, DOUBT_MS = 150, BACKGROUND_MS = 500 };

static void on_poll(uv_poll_t *handle, int status, int events);
static void on_frame(uv_timer_t *handle);
static void on_esc(uv_timer_t *handle);

int64_t app_now_ms(struct app *app)
{
    uv_update_time(&app->loop);
    return (int64_t)uv_now(&app->loop);
}

/* ---- drawing and waiting ------------------------------------------------------------------------ */

static void watch(struct app *app)
{
    int events = UV_READABLE | UV_DISCONNECT | (term_sending(app->term) ? UV_WRITABLE : 0);
    uv_poll_start(&app->poll, events, on_poll);
}

static bool moving(struct app *app)
{
    return app->session != NULL ? session_moving(app->session)
                                : !app->picture.help && home_moving(app->home, app_now_ms(app));
}

/* A frame timer only while something moves. Otherwise the loop sleeps. */
static void set_timer(struct app *app)
{
    uint64_t period = (uint64_t)(1000 / app->picture.fps);
    int64_t until = app->session != NULL ? session_status_until(app->session) : 0;
    if (moving(app)) {
        if (uv_timer_get_repeat(&app->frame) != period ||
            !uv_is_active((uv_handle_t *)&app->frame)) {
            uv_timer_start(&app->frame, on_frame, period, period);
        }
    } else if (until > 0) {
        int64_t left = until - app_now_ms(app);
        uv_timer_start(&app->frame, on_frame, left > 0 ? (uint64_t)left : 0, 0);
    } else {
        uv_timer_stop(&app->frame);
    }
}

static void draw(struct app *app)
{
    int rows, cols;
    if (!app->dirty || term_sending(app->term)) {
        return; /* on_poll comes back here when the line has room */
    }
    term_size(app->term, &rows, &cols);
    if (app->session != NULL) {
        picture_session(&app->picture, app->session, rows, cols);
    } else {
        picture_home(&app->picture, app->home, app->keeper.progress, rows, cols);
    }
    app->dirty = !term_present(app->term, &app->picture.canvas);
}

/* After anything that may have changed something. */
void app_settle(struct app *app)
{
    if (app->session != NULL && app->session->route.wants_next) {
        app_next_stop(app);
    }
    reload_settle(app->reload);
    keeper_look(&app->keeper);
    if (term_gone(app->term)) {
        app->quit = true;
    }
    if (app->quit) {
        uv_stop(&app->loop);
        return;
    }
    draw(app);
    watch(app);
    set_timer(app);
    if (term_key_waiting(app->term)) {
        if (!uv_is_active((uv_handle_t *)&app->esc)) {
            uv_timer_start(&app->esc, on_esc, TERM_KEY_ESC_MS, 0);
        }
    } else {
        uv_timer_stop(&app->esc);
    }
}

static void on_reload(void *arg)
{
    struct app *app = arg;
    app->dirty = true;
    app_settle(app);
}

static void on_frame(uv_timer_t *handle)
{
    struct app *app = handle->data;
    if (app->session != NULL) {
        session_tick(app->session, app_now_ms(app));
    } else {
        home_tick(app->home, app_now_ms(app));
    }
    app->dirty = true;
    app_settle(app);
}

/* ---- stop and go on ----------------------------------------------------------------------------- */

static void on_stop_signal(uv_signal_t *handle, int signum);

static void on_wait(uv_timer_t *handle);

/*
 * Takes the terminal again, if it is ours to take. In the background (the shell said bg) nothing may
 * be written: there we stop once more, as any program does that wants the terminal, because a shell
 * only sends a signal with its fg to what is stopped. Where stopping does not work, we look now and
 * then.
 */
static void go_on(struct app *app, bool may_stop)
{
    bool ours = term_resume(app->term);
    if (!ours && may_stop && !term_gone(app->term)) {
        kill(0, SIGTTOU);
        ours = term_resume(app->term);
    }
    if (ours) {
        app->dirty = true;
        app_settle(app);
    } else {
        uv_poll_stop(&app->poll);
        uv_timer_stop(&app->frame);
        uv_timer_start(&app->doubt, on_wait, BACKGROUND_MS, 0);
    }
}

static void on_wait(uv_timer_t *handle)
{
    go_on(handle->data, false);
}

static void suspend(struct app *app)
{
    uv_poll_stop(&app->poll);
    uv_timer_stop(&app->frame);
    uv_timer_stop(&app->esc);
    uv_timer_stop(&app->doubt);
    term_suspend(app->term);
    uv_signal_stop(&app->tstp); /* the default action is to stop us */
    kill(0, SIGTSTP);           /* the whole job: a script that started us stops as well */
    uv_signal_start(&app->tstp, on_stop_signal, SIGTSTP);
    go_on(app, true);
}

static void on_stop_signal(uv_signal_t *handle, int signum)
{
    (void)signum;
    suspend(handle->data);
}

static void on_continue(uv_signal_t *handle, int signum)
{
    (void)signum;
    go_on(handle->data, true);
}

static void on_end_signal(uv_signal_t *handle, int signum)
{
    struct app *app = handle->data;
    app->signal = signum;
    app->quit = true;
    app_settle(app);
}

static void on_doubt(uv_timer_t *handle)
{
    struct app *app = handle->data;
    term_doubt(app->term);
    app->dirty = true;
    app_settle(app);
}

/* A window that was small for a moment and is as before has lost what was on it, and the signals of
 * both moments may come as one. So after the last of them all is written once more. */
static void on_winch(uv_signal_t *handle, int signum)
{
    struct app *app = handle->data;
    (void)signum;
    app->dirty = true;
    uv_timer_start(&app->doubt, on_doubt, DOUBT_MS, 0);
    app_settle(app);
}

/* ---- commands ----------------------------------------------------------------------------------- */

static void do_key(struct app *app, uint32_t key)
{
    const unsigned active =
        app->session != NULL ? session_contexts(app->session) : app_home_contexts(app);
    enum command command = keymap_command(&app->keys, &key, active);
    app->dirty = true;
    if (command == COMMAND_QUIT) {
        app->quit = true;
    } else if (command == COMMAND_REPAINT) {
        term_repaint(app->term);
    } else if (command == COMMAND_SUSPEND) {
        suspend(app);
    } else if (app->session == NULL) {
        home_touch(app->home, app_now_ms(app));
        app_home_command(app, command, key);
    } else if (command == COMMAND_NONE) {
        session_no_command(app->session, key, app_now_ms(app));
    } else {
        session_command(app->session, command, key, app_now_ms(app));
        if (app->session->wants_out) {
            app_leave_lesson(app);
        }
    }
}

static void do_mouse(struct app *app)
{
    const struct term_mouse mouse = term_mouse(app->term);
    app->dirty = true;
    if (app->session == NULL) {
        app_home_mouse(app, &mouse);
        return;
    }
    pointer_mouse(app->session, &mouse, app_now_ms(app));
    if (app->session->wants_out) {
        app_leave_lesson(app);
    }
}

void app_take_keys(struct app *app)
{
    for (uint32_t key; !app->quit && !uv_is_active((uv_handle_t *)&app->hold) &&
                       (key = term_key(app->term)) != TERM_KEY_NONE;) {
        if (key == TERM_KEY_MOUSE) {
            do_mouse(app);
        } else {
            do_key(app, key);
        }
    }
}

static void on_poll(uv_poll_t *handle, int status, int events)
{
    struct app *app = handle->data;
    if (status < 0 || (events & (UV_READABLE | UV_DISCONNECT)) != 0) {
        if (term_read(app->term)) {
            uv_timer_stop(&app->esc); /* it counts from the last byte */
        }
        app_take_keys(app);
    }
    if ((events & UV_WRITABLE) != 0) {
        term_flush(app->term);
    }
    app_settle(app);
}

static void on_esc(uv_timer_t *handle)
{
    struct app *app = handle->data;
    term_key_timeout(app->term);
    app_take_keys(app);
    app_settle(app);
}

/* ---- life --------------------------------------------------------------------------------------- */

static bool open_terminal(struct app *app, struct err *err)
{
    static const enum term_charset charsets[] = { TERM_CHARSET_AUTO, TERM_CHARSET_ASCII,
                                                  TERM_CHARSET_UNICODE };
    static const enum term_color colors[] = { TERM_COLOR_AUTO, TERM_COLOR_NONE, TERM_COLOR_16,
                                              TERM_COLOR_256, TERM_COLOR_TRUE };
    struct term_options options = { .charset = charsets[app->options->glyphs],
                                    .color = colors[app->options->color],
                                    .mouse = !app->options->no_mouse,
                                    .theme = app->options->theme };
    app->term = term_open(&options, err);
    return app->term != NULL;
}

/* One that whoever started us has switched off (nohup) stays so. */
static void start_end_signal(uv_signal_t *handle, int signum)
{
    struct sigaction now;
    if (sigaction(signum, NULL, &now) == 0 && now.sa_handler != SIG_IGN) {
        uv_signal_start(handle, on_end_signal, signum);
    }
}

static void start_handles(struct app *app)
{
    uv_loop_init(&app->loop);
    uv_poll_init(&app->loop, &app->poll, term_fd(app->term));
    uv_timer_init(&app->loop, &app->frame);
    uv_timer_init(&app->loop, &app->esc);
    uv_timer_init(&app->loop, &app->doubt);
    uv_timer_init(&app->loop, &app->hold);
    app->hold.data = app;
    uv_signal_init(&app->loop, &app->winch);
    uv_signal_init(&app->loop, &app->tstp);
    uv_signal_init(&app->loop, &app->cont);
    uv_signal_init(&app->loop, &app->hup);
    uv_signal_init(&app->loop, &app->term_signal);
    app->poll.data = app->frame.data = app->esc.data = app->doubt.data = app;
    app->winch.data = app->tstp.data = app->cont.data = app;
    app->hup.data = app->term_signal.data = app;
    uv_signal_start(&app->winch, on_winch, SIGWINCH);
    uv_signal_start(&app->tstp, on_stop_signal, SIGTSTP);
    uv_signal_start(&app->cont, on_continue, SIGCONT);
    start_end_signal(&app->hup, SIGHUP);
    start_end_signal(&app->term_signal, SIGTERM);
    app->reload = reload_create(&app->loop, app->options, WATCH_REST_MS, on_reload, app);
    if (app->session != NULL) {
        reload_follow(app->reload, app->session);
    }
}

static void close_handle(uv_handle_t *handle, void *arg)
{
    (void)arg;
    if (!uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

static void stop_handles(struct app *app)
{
    opening_cancel(app->opening);
    reload_destroy(app->reload);
    uv_walk(&app->loop, close_handle, NULL);
    uv_run(&app->loop, UV_RUN_DEFAULT);
    uv_loop_close(&app->loop);
}

/* What is wrong with keys of one's own, until a key is pressed. */
static void say_keys(struct app *app)
{
    char line[200];
    const char *problems = text_str(&app->keys.problems);
    if (app->keys.problem_count == 0) {
        return;
    }
    const char *name =
        strrchr(app->keys.path, '/') + 1; /* the rest is long, and `weft doctor` says it */
    const size_t folder = (size_t)(name - app->keys.path);
    snprintf(line, sizeof line, "%.*s%s", (int)strcspn(problems + folder, "\n"), problems + folder,
             app->keys.problem_count > 1 ? " (more: weft doctor)" : "");
    if (app->session != NULL) {
        session_say(app->session, "%s", line);
        app->session->status_until = INT64_MAX;
    } else if (app->home->note[0] == '\0') {
        snprintf(app->home->note, sizeof app->home->note, "%s", line);
    }
}

/* Takes over app->home and app->session. */
static bool run_app(struct app *app, struct err *err)
{
    if (!open_terminal(app, err)) {
        return false;
    }
    int fps = app->options->fps > 0 ? app->options->fps : DEFAULT_FPS;
    picture_init(&app->picture, term_ascii(app->term), fps);
    keymap_load(&app->keys);
    app->picture.keys = &app->keys;
    start_handles(app);
    keeper_begin(&app->keeper, &app->loop);
    if (app->home != NULL) {
        home_touch(app->home, app_now_ms(app));
        home_refresh(app->home, app->keeper.progress);
        if (app->options->route != NULL) {
            app_begin_route(app);
        }
    }
    if (app->session != NULL) {
        app->session->now_ms = app_now_ms(app);
        keeper_open(&app->keeper, app->session, app->options->card);
    }
    if (term_note(app->term) != NULL && app->session != NULL) {
        session_say(app->session, "%s", term_note(app->term));
    }
    say_keys(app);
    app->dirty = true;
    app_take_keys(app); /* what was typed while the terminal was asked its width */
    app_settle(app);
    if (!app->quit) {
        uv_run(&app->loop, UV_RUN_DEFAULT);
    }
    keeper_end(&app->keeper); /* before the signals that end us do so at once again */
    stop_handles(app);
    picture_finish(&app->picture);
    keymap_finish(&app->keys);
    term_close(app->term);
    if (app->signal != 0) {
        (void)signal(app->signal, SIG_DFL); /* curses has put a handler of its own there */
        (void)raise(app->signal);           /* the exit status must name it */
    }
    return true;
}

bool app_home(const struct app_options *options, struct err *err)
{
    struct home home;
    struct app app = { .options = options, .home = &home };
    if (!home_init(&home, options, err)) {
        return false;
    }
    const bool ok =
        (options->route == NULL || app_find_route(&app, options->route, err)) && run_app(&app, err);
    home_finish(&home);
    session_destroy(app.session);
    return ok;
}

bool app_lesson(const struct app_options *options, const char *path, struct err *err)
{
    struct app app = { .options = options };
    struct app_options first = *options;
    first.card = 0; /* the way to a card far on may take seconds: first something is seen */
    app.session = session_create(&first, path, (int64_t)(uv_hrtime() / 1000000), err);
    if (app.session != NULL) {
        app.session->keys = &app.keys;
    }
    bool ok = app.session != NULL &&
              (options->card <= 1 || session_begin_at(app.session, options->card, err)) &&
              run_app(&app, err);
    session_destroy(app.session);
    return ok;
}

bool app_lab(const struct app_options *options, const char *preset, struct err *err)
{
    struct app app = { .options = options };
    app.session = session_lab(options, preset, (int64_t)(uv_hrtime() / 1000000), err);
    if (app.session != NULL) {
        app.session->keys = &app.keys;
    }
    bool ok = app.session != NULL && run_app(&app, err);
    session_destroy(app.session);
    return ok;
}
