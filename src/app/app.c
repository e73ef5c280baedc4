#include "app/app.h"

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

/*
 * The loop. Handles wake it, one place draws:
 *
 *     poll    typed bytes, room on the line, the window closed
 *     frame   repeats while something moves; once when the status line has to go; else stopped
 *     esc     an escape byte has stayed alone
 *     winch   the window has another size; doubt: or had one for a moment
 *     tstp, cont   stop and go on
 *     hup, term    asked to end: what is to be kept is kept, then the signal is raised again
 *     reload  the lesson was saved: its own handles
 *     hold    a lesson is being opened: keys are for it, unless that takes longer
 */
struct app {
    const struct app_options *options;
    uv_loop_t loop;
    uv_poll_t poll;
    uv_timer_t frame, esc, doubt;
    uv_signal_t winch, tstp, cont, hup, term_signal;
    struct term *term;
    struct picture picture;
    struct keymap keys;
    struct home *home;       /* NULL: started with a lesson, q quits */
    struct session *session; /* NULL: the home screen is shown */
    struct keeper keeper;
    struct opening *opening; /* the lesson that is being loaded from the home screen; or NULL */
    uv_timer_t hold;
    bool presenter;        /* a lesson was shown in that layout last */
    struct reload *reload; /* watches the lesson's files */
    bool dirty;            /* the screen is older than the state */
    bool quit;
    int signal; /* that ended it; 0: none */
};

static void on_poll(uv_poll_t *handle, int status, int events);
static void on_frame(uv_timer_t *handle);
static void on_esc(uv_timer_t *handle);

static int64_t now_ms(struct app *app)
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
                                : !app->picture.help && home_moving(app->home, now_ms(app));
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
        int64_t left = until - now_ms(app);
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
static void settle(struct app *app)
{
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
    settle(app);
}

static void on_frame(uv_timer_t *handle)
{
    struct app *app = handle->data;
    if (app->session != NULL) {
        session_tick(app->session, now_ms(app));
    } else {
        home_tick(app->home, now_ms(app));
    }
    app->dirty = true;
    settle(app);
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
        settle(app);
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
    settle(app);
}

static void on_doubt(uv_timer_t *handle)
{
    struct app *app = handle->data;
    term_doubt(app->term);
    app->dirty = true;
    settle(app);
}

/* A window that was small for a moment and is as before has lost what was on it, and the signals of
 * both moments may come as one. So after the last of them all is written once more. */
static void on_winch(uv_signal_t *handle, int signum)
{
    struct app *app = handle->data;
    (void)signum;
    app->dirty = true;
    uv_timer_start(&app->doubt, on_doubt, DOUBT_MS, 0);
    settle(app);
}

/* ---- commands ----------------------------------------------------------------------------------- */

static void take_keys(struct app *app);

static void on_opened(void *arg, struct lesson *lesson, struct lesson_files *files,
                      const struct err *why)
{
    struct app *app = arg;
    struct err err = *why;
    app->opening = NULL;
    uv_timer_stop(&app->hold);
    if (lesson == NULL) {
        lesson_files_finish(files);
    } else {
        app->session = session_open(app->options, lesson, files, now_ms(app), &err);
    }
    if (app->session == NULL) {
        err_text(&err, app->home->note, sizeof app->home->note);
    } else {
        session_set_presenter(app->session, app->presenter);
        keeper_open(&app->keeper, app->session, 0);
        reload_follow(app->reload, app->session);
    }
    app->dirty = true;
    take_keys(app);
    settle(app);
}

/* The lab, with its presets to choose from; q comes back. */
static void open_lab(struct app *app)
{
    struct err err = { 0 };
    opening_cancel(app->opening);
    app->opening = NULL;
    app->home->note[0] = '\0';
    app->session = session_lab(app->options, NULL, now_ms(app), &err);
    if (app->session == NULL) {
        err_text(&err, app->home->note, sizeof app->home->note);
    } else {
        session_set_presenter(app->session, app->presenter);
    }
}

static void on_hold(uv_timer_t *handle)
{
    struct app *app = handle->data;
    snprintf(app->home->note, sizeof app->home->note, "opening the lesson ...");
    app->dirty = true;
    take_keys(app);
    settle(app);
}

/* In another thread: whatever its file does, keys are answered. */
static void open_lesson(struct app *app)
{
    const struct lesson_info *info = home_lesson(app->home);
    if (info == NULL) {
        return;
    }
    opening_cancel(app->opening);
    app->home->note[0] = '\0';
    app->opening = opening_begin(&app->loop, info->file, app->options->data_dir, on_opened, app);
    uv_timer_start(&app->hold, on_hold, HOLD_MS, 0);
}

/* q: back to the home screen, which remembers the card; without one, out. */
static void leave_lesson(struct app *app)
{
    if (app->home == NULL) {
        app->quit = true;
        return;
    }
    app->presenter = app->session->presenter;
    keeper_look(&app->keeper);
    keeper_open(&app->keeper, NULL, 0);
    reload_follow(app->reload, NULL);
    session_destroy(app->session);
    app->session = NULL;
    home_search_end(app->home, app->keeper.progress);
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

static void home_command(struct app *app, enum command command, uint32_t key)
{
    if (command == COMMAND_OPEN || command == COMMAND_PROMPT_DONE) {
        open_lesson(app);
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
static unsigned home_contexts(const struct app *app)
{
    const unsigned here = app->picture.help      ? 1u << CONTEXT_BOX
                          : app->home->search.on ? 1u << CONTEXT_HOME | 1u << CONTEXT_PROMPT
                                                 : 1u << CONTEXT_HOME;
    return 1u << CONTEXT_ALL | here;
}

static void do_key(struct app *app, uint32_t key)
{
    const unsigned active =
        app->session != NULL ? session_contexts(app->session) : home_contexts(app);
    enum command command = keymap_command(&app->keys, &key, active);
    app->dirty = true;
    if (command == COMMAND_QUIT) {
        app->quit = true;
    } else if (command == COMMAND_REPAINT) {
        term_repaint(app->term);
    } else if (command == COMMAND_SUSPEND) {
        suspend(app);
    } else if (app->session == NULL) {
        home_touch(app->home, now_ms(app));
        home_command(app, command, key);
    } else if (command == COMMAND_NONE) {
        session_no_command(app->session, key, now_ms(app));
    } else {
        session_command(app->session, command, key, now_ms(app));
        if (app->session->wants_out) {
            leave_lesson(app);
        }
    }
}

/* On the home screen: a lesson is chosen, and opened when it was; the wheel goes through the list. */
static void home_mouse(struct app *app, const struct term_mouse *mouse)
{
    const struct canvas *c = &app->picture.canvas;
    const struct ui_spot *spot = ui_spot_at(c->spot, c->spot_count, mouse->x, mouse->y);
    home_touch(app->home, now_ms(app));
    if (mouse->what != TERM_MOUSE_CLICK) {
        const bool down = mouse->what == TERM_MOUSE_WHEEL_DOWN;
        home_command(app,
                     app->picture.help ? (down ? COMMAND_BOX_DOWN : COMMAND_BOX_UP)
                                       : (down ? COMMAND_HOME_DOWN : COMMAND_HOME_UP),
                     0);
    } else if (spot != NULL && spot->kind == UI_SPOT_HINT) {
        const enum command command = (enum command)spot->id;
        home_command(app, command, command_info(command)->keys[0]);
    } else if (spot != NULL && spot->kind == UI_SPOT_ENTRY && !app->picture.help) {
        const int by = (int)spot->id - (int)app->home->selected;
        if (by == 0) {
            home_command(app, COMMAND_OPEN, TERM_KEY_ENTER);
        } else {
            opening_cancel(app->opening);
            app->opening = NULL;
            home_move(app->home, by);
        }
    }
}

static void do_mouse(struct app *app)
{
    const struct term_mouse mouse = term_mouse(app->term);
    app->dirty = true;
    if (app->session == NULL) {
        home_mouse(app, &mouse);
        return;
    }
    pointer_mouse(app->session, &mouse, now_ms(app));
    if (app->session->wants_out) {
        leave_lesson(app);
    }
}

static void take_keys(struct app *app)
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
        take_keys(app);
    }
    if ((events & UV_WRITABLE) != 0) {
        term_flush(app->term);
    }
    settle(app);
}

static void on_esc(uv_timer_t *handle)
{
    struct app *app = handle->data;
    term_key_timeout(app->term);
    take_keys(app);
    settle(app);
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
             app->keys.problem_count > 1 ? " (weft doctor says the rest)" : "");
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
        home_touch(app->home, now_ms(app));
        home_refresh(app->home, app->keeper.progress);
    }
    if (app->session != NULL) {
        app->session->now_ms = now_ms(app);
        keeper_open(&app->keeper, app->session, app->options->card);
    }
    if (term_note(app->term) != NULL && app->session != NULL) {
        session_say(app->session, "%s", term_note(app->term));
    }
    say_keys(app);
    app->dirty = true;
    take_keys(app); /* what was typed while the terminal was asked its width */
    settle(app);
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
    bool ok = home_init(&home, options, err);
    if (ok) {
        ok = run_app(&app, err);
        home_finish(&home);
    }
    session_destroy(app.session);
    return ok;
}

bool app_lesson(const struct app_options *options, const char *path, struct err *err)
{
    struct app app = { .options = options };
    app.session = session_create(options, path, (int64_t)(uv_hrtime() / 1000000), err);
    bool ok = app.session != NULL && run_app(&app, err);
    session_destroy(app.session);
    return ok;
}

bool app_lab(const struct app_options *options, const char *preset, struct err *err)
{
    struct app app = { .options = options };
    app.session = session_lab(options, preset, (int64_t)(uv_hrtime() / 1000000), err);
    bool ok = app.session != NULL && run_app(&app, err);
    session_destroy(app.session);
    return ok;
}
