/* Workers: every job once, each worker with a state of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h> /* wants the four above it first */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "app/workers.h"

enum { JOBS = 1000 };

struct shared {
    atomic_int times[JOBS];
    atomic_int began, ended;
    size_t seen; /* by progress */
};

static void *begin(void *arg)
{
    struct shared *s = arg;
    atomic_fetch_add(&s->began, 1);
    return calloc(1, sizeof(int));
}

static void end(void *arg, void *state)
{
    struct shared *s = arg;
    atomic_fetch_add(&s->ended, 1);
    free(state);
}

static void work(void *arg, void *state, size_t job)
{
    struct shared *s = arg;
    ++*(int *)state; /* nobody else's: a sanitizer would see it */
    atomic_fetch_add(&s->times[job], 1);
}

static void progress(void *arg, size_t done)
{
    struct shared *s = arg;
    assert_true(done >= s->seen);
    s->seen = done;
}

static void every_job_is_done_once(void **state)
{
    (void)state;
    static const int threads[] = { 1, 2, 7, 0 };
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct shared shared;
        size_t done = 0;
        memset(&shared, 0, sizeof shared);
        const struct workers workers = { JOBS, threads[i], &shared, begin, end, work, progress };
        assert_int_equal(workers_run(&workers, &done), 0);
        assert_int_equal(done, JOBS);
        assert_int_equal(shared.seen, JOBS);
        for (int j = 0; j < JOBS; j++) {
            assert_int_equal(atomic_load(&shared.times[j]), 1);
        }
        assert_int_equal(atomic_load(&shared.began), atomic_load(&shared.ended));
        assert_true(threads[i] == 0 || atomic_load(&shared.began) == threads[i]);
    }
}

static void nothing_to_do_is_done(void **state)
{
    (void)state;
    struct shared shared;
    size_t done = 1;
    memset(&shared, 0, sizeof shared);
    const struct workers workers = { 0, 4, &shared, begin, end, work, NULL };
    assert_int_equal(workers_run(&workers, &done), 0);
    assert_int_equal(done, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_job_is_done_once),
        cmocka_unit_test(nothing_to_do_is_done),
    };
    return cmocka_run_group_tests_name("app/workers", tests, NULL, NULL);
}
