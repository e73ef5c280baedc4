#include "app/keeper.h"

#include <stdlib.h>

static void start_write(struct keeper *k);

void keeper_begin(struct keeper *k, uv_loop_t *loop)
{
    char *path = progress_path();
    *k = (struct keeper){ .progress = progress_open(path), .loop = loop };
    free(path);
}

void keeper_end(struct keeper *k)
{
    k->session = NULL;
    while (k->busy) {
        (void)uv_run(k->loop, UV_RUN_ONCE);
    }
    struct progress_image *left = progress_take(k->progress);
    (void)progress_write(left, NULL); /* nobody is there any more to be told */
    progress_close(k->progress);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void in_thread(uv_work_t *work)
{
    struct keeper *k = work->data;
    (void)progress_write(k->image, &k->err);
}

static void written(uv_work_t *work, int status)
{
    struct keeper *k = work->data;
    (void)status;
    k->busy = false;
    if (k->err.code != ERR_NONE && !k->said && k->session != NULL) {
        char line[600];
        k->said = true;
        session_say(k->session, "%s", err_text(&k->err, line, sizeof line));
    }
    start_write(k); /* what came meanwhile */
}

static void start_write(struct keeper *k)
{
    if (k->busy || (k->image = progress_take(k->progress)) == NULL) {
        return;
    }
    k->err = (struct err){ 0 };
    k->work.data = k;
    k->busy = uv_queue_work(k->loop, &k->work, in_thread, written) == 0;
    if (!k->busy) {
        (void)progress_write(k->image, NULL);
    }
}

/* ---- the lesson ------------------------------------------------------------------------------ */

void keeper_open(struct keeper *k, struct session *session, size_t card)
{
    k->session = session;
    k->on_from = 0;
    if (session == NULL || session->saved != NULL || session->lab != NULL) {
        return;
    }
    const size_t cards = lesson_card_count(session->lesson);
    const struct progress_place place = progress_of(k->progress, lesson_info(session->lesson).id);
    const char *note = progress_note(k->progress);
    if (card == 0 && place.card > 1 && place.at <= cards && !place.done) {
        session->goes = true;
        session->goes_to = place.at - 1;
        k->on_from = place.card;
    } else if (note != NULL && !k->said) {
        k->said = true;
        session_say(session, "%s", note);
    }
}

void keeper_look(struct keeper *k)
{
    struct session *s = k->session;
    if (s == NULL || s->saved != NULL || s->lab != NULL || s->goes) {
        return;
    }
    const struct progress_place place = progress_place_of(s->player);
    if (k->on_from != place.card) {
        k->on_from = 0;
    } else if (s->status[0] == '\0' && !session_moving(s)) {
        /* behind what the run itself had to say */
        session_say(s, "on from card %zu; {key:contents} goes to any other", k->on_from);
        k->on_from = 0;
    }
    progress_at(k->progress, lesson_info(s->lesson).id, place, s->need == PLAYER_END);
    start_write(k);
}
