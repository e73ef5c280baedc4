/*
 * The inside of the app, shared by its files.
 *
 *     app.c           the loop: terminal, time, signals, keys
 *     app_lessons.c   which lesson: the home screen, opening and leaving, routes
 */
#ifndef WEFT_APP_APP_INSIDE_H
#define WEFT_APP_APP_INSIDE_H

#include <uv.h>

#include "app/app.h"
#include "app/home.h"
#include "app/keeper.h"
#include "app/keymap.h"
#include "app/opening.h"
#include "app/picture.h"
#include "app/reload.h"
#include "app/session.h"
#include "term/term.h"

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
    struct {
        bool on;
        size_t which, stop; /* of home->list.routes; of its stops */
    } route;                /* that is walked */
    bool presenter;         /* a lesson was shown in that layout last */
    struct reload *reload;  /* watches the lesson's files */
    bool dirty;             /* the screen is older than the state */
    bool quit;
    int signal; /* that ended it; 0: none */
};

/* Wall time of the loop, now. */
int64_t app_now_ms(struct app *app);
/* Keys that wait, unless a lesson is being opened that they may be for. */
void app_take_keys(struct app *app);
/* After anything that may have changed something: draws, watches, sets timers. */
void app_settle(struct app *app);

/* ---- app_lessons.c ---- */

unsigned app_home_contexts(const struct app *app);
void app_home_command(struct app *app, enum command command, uint32_t key);
/* A lesson is chosen, and opened when it was; the wheel goes through the list. */
void app_home_mouse(struct app *app, const struct term_mouse *mouse);
/* Back to the home screen, which remembers the card; without one, out. */
void app_leave_lesson(struct app *app);
/* Makes the route of that name the one to walk; then begins it: its first stop is being opened. */
bool app_find_route(struct app *app, const char *name, struct err *err);
void app_begin_route(struct app *app);
/* The lesson that is shown wants to go on to the next stop. */
void app_next_stop(struct app *app);

#endif
