/*
 * A lesson that is being written: its file was saved, and the session goes on in the new version.
 *
 *     watch --saved--> reload --another thread: load, walk to the same place--> session_take_over()
 *
 * Nobody waits for it: until the new version stands where the session stands, the old one goes on, and
 * when it does not load or cannot be played, the old one stays, under a strip that says why. What is
 * done meanwhile is not lost: then the new version is walked there again.
 */
#ifndef WEFT_APP_RELOAD_H
#define WEFT_APP_RELOAD_H

#include <uv.h>

#include "app/app.h"
#include "app/session.h"

struct reload;

typedef void reload_fn(void *arg);

/* `news` is called from the loop when the session has something new to show. `rest_ms`: see watch.h. */
struct reload *reload_create(uv_loop_t *loop, const struct app_options *options, uint64_t rest_ms,
                             reload_fn *news, void *arg);
/* Its handles are closed and its thread has ended once the loop has run again. */
void reload_destroy(struct reload *reload);

/* The session whose lesson is watched from now on; NULL: none. Borrowed. */
void reload_follow(struct reload *reload, struct session *session);

/* Folders that are watched: for tests. */
size_t reload_folder_count(const struct reload *reload);

/* Hands over what is ready, if the session is calm now: call it after anything that may have changed
 * that. */
void reload_settle(struct reload *reload);

#endif
