/*
 * A lesson is being loaded in another thread, so that keys are answered whatever it does.
 */
#ifndef WEFT_APP_OPENING_H
#define WEFT_APP_OPENING_H

#include <uv.h>

#include "lesson/lesson.h"

struct opening;

/* Called from the loop. The lesson (NULL: err says why) and the files are taken over by it. */
typedef void opening_fn(void *arg, struct lesson *lesson, struct lesson_files *files,
                        const struct err *err);

/* It is gone when `done` is called. `data_dir` is borrowed, also beyond a cancel, until the loop ends. */
struct opening *opening_begin(uv_loop_t *loop, const char *path, const char *data_dir,
                              opening_fn *done, void *arg);
/* `done` will not be called. Takes NULL. */
void opening_cancel(struct opening *opening);

#endif
