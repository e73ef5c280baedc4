#include "app/opening.h"

#include <stdlib.h>

#include "base/mem.h"

struct opening {
    uv_work_t work;
    atomic_bool cancel;
    char *path;
    const char *data_dir;
    opening_fn *done; /* NULL: nobody wants it any more */
    void *arg;
    struct lesson *lesson;
    struct lesson_files files;
    struct err err;
};

static void work(uv_work_t *request)
{
    struct opening *o = request->data;
    o->lesson = lesson_load_followed(o->path, o->data_dir, &o->files, &o->cancel, &o->err);
}

static void on_done(uv_work_t *request, int status)
{
    (void)status;
    struct opening *o = request->data;
    if (o->done != NULL) {
        o->done(o->arg, o->lesson, &o->files, &o->err);
    } else {
        lesson_destroy(o->lesson);
        lesson_files_finish(&o->files);
    }
    free(o->path);
    free(o);
}

struct opening *opening_begin(uv_loop_t *loop, const char *path, const char *data_dir,
                              opening_fn *done, void *arg)
{
    struct opening *o = mem_alloc(1, sizeof *o);
    atomic_init(&o->cancel, false);
    o->path = mem_strdup(path);
    o->data_dir = data_dir;
    o->done = done;
    o->arg = arg;
    o->work.data = o;
    uv_queue_work(loop, &o->work, work, on_done);
    return o;
}

void opening_cancel(struct opening *o)
{
    if (o != NULL) {
        atomic_store(&o->cancel, true);
        o->done = NULL;
    }
}
