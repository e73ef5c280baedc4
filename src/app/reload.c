#include "app/reload.h"

#include <stdlib.h>
#include <string.h>

#include "app/watch.h"
#include "base/mem.h"
#include "lesson/resume.h"

/* What another thread works on, and what comes of it. On the heap: it may outlive the reload. */
struct job {
    uv_work_t work;
    struct reload *reload; /* NULL: nobody wants it any more */
    atomic_bool cancel;
    char *path;
    const char *data_dir;
    struct player_options options;
    struct lesson_place *place;

    struct lesson_files files;
    struct lesson *lesson;
    struct player *player; /* NULL: err says why */
    struct lesson_resumed resumed;
    struct err err;
};

struct reload {
    uv_loop_t *loop;
    const struct app_options *options;
    reload_fn *news;
    void *arg;
    struct watch *watch;
    struct session *session;
    struct job *job;   /* under way */
    struct job *ready; /* waits for the session to be calm */
};

/* ---- in the other thread --------------------------------------------------------------------- */

static void work(uv_work_t *request)
{
    struct job *job = request->data;
    job->lesson =
        lesson_load_followed(job->path, job->data_dir, &job->files, &job->cancel, &job->err);
    if (job->lesson != NULL) {
        job->player = player_resume(job->lesson, &job->options, job->place, &job->cancel,
                                    &job->resumed, &job->err);
    }
}

/* ---- in the loop ----------------------------------------------------------------------------- */

static void job_free(struct job *job)
{
    if (job != NULL) {
        player_destroy(job->player);
        lesson_destroy(job->lesson);
        lesson_place_destroy(job->place);
        lesson_files_finish(&job->files);
        free(job->path);
        free(job);
    }
}

static void on_done(uv_work_t *request, int status)
{
    (void)status;
    struct job *job = request->data;
    struct reload *r = job->reload;
    if (r == NULL) {
        job_free(job);
        return;
    }
    r->job = NULL;
    r->ready = job;
    reload_settle(r);
    r->news(r->arg);
}

/* Nobody waits for what is under way. */
static void forget(struct reload *r)
{
    if (r->job != NULL) {
        atomic_store(&r->job->cancel, true);
        r->job->reload = NULL;
        r->job = NULL;
    }
    job_free(r->ready);
    r->ready = NULL;
}

static void begin(struct reload *r)
{
    forget(r);
    struct job *job = mem_alloc(1, sizeof *job);
    atomic_init(&job->cancel, false);
    job->reload = r;
    job->path = mem_strdup(lesson_info(r->session->lesson).file);
    job->data_dir = r->options->data_dir;
    job->options = session_player_options(r->options);
    job->place = lesson_place_take(r->session->player);
    job->work.data = job;
    r->job = job;
    uv_queue_work(r->loop, &job->work, work, on_done);
}

static void on_saved(void *arg)
{
    struct reload *r = arg;
    if (r->session != NULL) {
        begin(r);
    }
}

/* The new version stands where the session stood when it was begun: still there? */
static bool same_place(const struct reload *r)
{
    struct lesson_place *now = lesson_place_take(r->session->player);
    const bool same = lesson_place_same(now, r->ready->place);
    lesson_place_destroy(now);
    return same;
}

void reload_settle(struct reload *r)
{
    struct job *job = r->ready;
    if (job == NULL || r->session == NULL || (job->player != NULL && !session_calm(r->session))) {
        return;
    }
    if (job->player != NULL && !same_place(r)) {
        begin(r);
        return;
    }
    r->ready = NULL;
    if (job->player == NULL) { /* the last good version may need more than this one got to */
        for (size_t i = 0; i < r->session->files.count; i++) {
            lesson_files_add(&job->files, r->session->files.path[i]);
        }
        session_say_broken(r->session, &job->err);
    } else {
        session_take_over(r->session, job->lesson, job->player, &job->files, &job->resumed);
        job->lesson = NULL;
        job->player = NULL;
    }
    watch_files(r->watch,
                job->player == NULL && job->files.count > 0 ? &job->files : &r->session->files);
    job_free(job);
}

void reload_follow(struct reload *r, struct session *session)
{
    static const struct lesson_files none;
    forget(r);
    r->session = session;
    watch_files(r->watch, session != NULL ? &session->files : &none);
}

size_t reload_folder_count(const struct reload *r)
{
    return watch_folder_count(r->watch);
}

struct reload *reload_create(uv_loop_t *loop, const struct app_options *options, uint64_t rest_ms,
                             reload_fn *news, void *arg)
{
    struct reload *r = mem_alloc(1, sizeof *r);
    *r = (struct reload){ .loop = loop, .options = options, .news = news, .arg = arg };
    r->watch = watch_create(loop, rest_ms, on_saved, r);
    return r;
}

void reload_destroy(struct reload *r)
{
    forget(r);
    watch_destroy(r->watch);
    free(r);
}
