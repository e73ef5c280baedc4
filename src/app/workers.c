#include "app/workers.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <uv.h>

#include "base/mem.h"

enum { PROGRESS_MS = 200, THREADS_MAX = 1024 };

/* On the heap: after a signal, workers may outlive workers_run(). */
struct shared {
    struct workers workers;
    atomic_size_t next; /* job to take */
    atomic_size_t done;
    atomic_int left;  /* workers that have not ended */
    atomic_bool stop; /* take no more */

    uv_loop_t loop;  /* of the caller's thread */
    uv_async_t woke; /* a worker has ended */
    uv_timer_t timer;
    uv_signal_t signals[3];
    int signal; /* that ended it; 0: none */
};

static void worker(void *arg)
{
    struct shared *s = arg;
    const struct workers *w = &s->workers;
    void *state = w->begin != NULL ? w->begin(w->arg) : NULL;
    while (!atomic_load(&s->stop)) {
        const size_t job = atomic_fetch_add(&s->next, 1);
        if (job >= w->jobs) {
            break;
        }
        w->work(w->arg, state, job);
        atomic_fetch_add(&s->done, 1);
    }
    if (w->end != NULL) {
        w->end(w->arg, state);
    }
    atomic_fetch_sub(&s->left, 1);
    uv_async_send(&s->woke);
}

/* ---- the caller's thread --------------------------------------------------------------------- */

static void on_woke(uv_async_t *handle)
{
    struct shared *s = handle->data;
    if (atomic_load(&s->left) == 0) {
        uv_stop(&s->loop);
    }
}

static void on_timer(uv_timer_t *handle)
{
    struct shared *s = handle->data;
    s->workers.progress(s->workers.arg, atomic_load(&s->done));
}

static void on_signal(uv_signal_t *handle, int signum)
{
    struct shared *s = handle->data;
    s->signal = signum;
    atomic_store(&s->stop, true);
    uv_stop(&s->loop);
}

/* Who started us with nohup wants that to hold. */
static bool is_ignored(int signum)
{
    struct sigaction now;
    return sigaction(signum, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void start_watch(struct shared *s)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    uv_loop_init(&s->loop);
    uv_async_init(&s->loop, &s->woke, on_woke);
    uv_timer_init(&s->loop, &s->timer);
    s->woke.data = s->timer.data = s;
    if (s->workers.progress != NULL) {
        uv_timer_start(&s->timer, on_timer, PROGRESS_MS, PROGRESS_MS);
    }
    for (int i = 0; i < 3; i++) {
        uv_signal_init(&s->loop, &s->signals[i]);
        s->signals[i].data = s;
        if (!is_ignored(signals[i])) {
            uv_signal_start(&s->signals[i], on_signal, signals[i]);
        }
    }
    if (s->workers.progress != NULL) { /* now that a key may follow */
        s->workers.progress(s->workers.arg, 0);
    }
}

static void close_handle(uv_handle_t *handle, void *arg)
{
    (void)arg;
    uv_close(handle, NULL);
}

static void stop_watch(struct shared *s)
{
    uv_walk(&s->loop, close_handle, NULL);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    uv_loop_close(&s->loop);
}

static int thread_count(const struct workers *w)
{
    size_t n = w->threads > 0 ? (size_t)w->threads : uv_available_parallelism();
    n = n < w->jobs ? n : w->jobs;
    return n > THREADS_MAX ? THREADS_MAX : n > 0 ? (int)n : 1;
}

/* As many threads as the system gives; if it gives none, this one does the work. Returns how many. */
static int start_workers(struct shared *s, uv_thread_t *thread, int threads)
{
    int started = 0;
    atomic_store(&s->left, threads);
    while (started < threads && uv_thread_create(&thread[started], worker, s) == 0) {
        started++;
    }
    if (started == 0) {
        atomic_store(&s->left, 1);
        worker(s);
    } else if (started < threads) {
        atomic_fetch_sub(&s->left, threads - started);
        uv_async_send(&s->woke);
    }
    return started;
}

int workers_run(const struct workers *workers, size_t *done)
{
    struct shared *s = mem_alloc(1, sizeof *s);
    s->workers = *workers;
    const int threads = thread_count(workers);
    uv_thread_t *thread = mem_alloc((size_t)threads, sizeof *thread);
    start_watch(s);
    const int started = start_workers(s, thread, threads);
    uv_run(&s->loop, UV_RUN_DEFAULT);
    if (done != NULL) {
        *done = atomic_load(&s->done);
    }
    if (s->signal != 0) {
        return s->signal; /* workers are still at it: what they use stays as it is */
    }
    for (int i = 0; i < started; i++) {
        uv_thread_join(&thread[i]);
    }
    if (workers->progress != NULL) {
        workers->progress(workers->arg, atomic_load(&s->done));
    }
    stop_watch(s);
    free(thread);
    free(s);
    return 0;
}
