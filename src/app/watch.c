#define _XOPEN_SOURCE 700 /* readlink, st_mtim */

#include "app/watch.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

enum { AGAIN_MS = 250, LOOK_MS = 1000, LINKS_MAX = 16 };

/* On the heap, each for itself: libuv closes it later than we do. */
struct folder {
    uv_fs_event_t event;
    struct watch *watch; /* NULL: let go of */
    char *path;
    char **names; /* in it: those that matter */
    size_t name_count, name_cap;
};

struct file {
    char *path;
    struct watch_stamp known;
    struct watch_stamp seen; /* when it was last looked at */
};

struct watch {
    uv_loop_t *loop;
    uv_timer_t timer;
    uint64_t rest_ms;
    watch_fn *changed;
    void *arg;
    struct file *files;
    size_t file_count;
    struct folder **folders;
    size_t folder_count, folder_cap;
    bool deaf;           /* some folder tells nothing that it should: look for oneself */
    uint64_t gone_since; /* loop ms; 0: nothing is missing */
};

/* ---- stamps ---------------------------------------------------------------------------------- */

struct watch_stamp watch_stamp_of(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) {
        return (struct watch_stamp){ 0 };
    }
    return (struct watch_stamp){ .device = (uint64_t)st.st_dev,
                                 .inode = (uint64_t)st.st_ino,
                                 .size = (uint64_t)st.st_size,
                                 .modified_ns =
                                     (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec };
}

bool watch_stamp_same(const struct watch_stamp *a, const struct watch_stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->modified_ns == b->modified_ns;
}

static bool is_gone(const struct watch_stamp *stamp)
{
    return stamp->inode == 0 && stamp->modified_ns == 0;
}

/* ---- folders --------------------------------------------------------------------------------- */

static void on_closed(uv_handle_t *handle)
{
    struct folder *folder = handle->data;
    for (size_t i = 0; i < folder->name_count; i++) {
        free(folder->names[i]);
    }
    free(folder->names);
    free(folder->path);
    free(folder);
}

static void let_go(struct folder **folders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        folders[i]->watch = NULL;
        uv_close((uv_handle_t *)&folders[i]->event, on_closed);
    }
    free(folders);
}

static void on_rest(uv_timer_t *timer);

static void on_event(uv_fs_event_t *handle, const char *name, int events, int status)
{
    (void)events;
    const struct folder *folder = handle->data;
    const char *slash = strrchr(folder->path, '/');
    bool matters =
        folder->watch != NULL &&
        (name == NULL || status < 0 ||
         strcmp(name, slash != NULL ? slash + 1 : folder->path) == 0); /* the folder itself */
    for (size_t i = 0; folder->watch != NULL && !matters && i < folder->name_count; i++) {
        matters = strcmp(folder->names[i], name) == 0;
    }
    if (matters) {
        uv_timer_start(&folder->watch->timer, on_rest, folder->watch->rest_ms, 0);
    }
}

/* The system has no watch left to give, or knows none. */
static bool is_short(int status)
{
    return status == UV_ENOSPC || status == UV_EMFILE || status == UV_ENFILE ||
           status == UV_ENOMEM || status == UV_ENOSYS;
}

static struct folder *add_folder(struct watch *w, const char *path)
{
    for (size_t i = 0; i < w->folder_count; i++) {
        if (strcmp(w->folders[i]->path, path) == 0) {
            return w->folders[i];
        }
    }
    struct folder *folder = mem_alloc(1, sizeof *folder);
    folder->watch = w;
    folder->path = mem_strdup(path);
    uv_fs_event_init(w->loop, &folder->event);
    folder->event.data = folder;
    /* A folder that cannot be read tells nothing; the others do. */
    w->deaf = is_short(uv_fs_event_start(&folder->event, on_event, path, 0)) || w->deaf;
    w->folders = mem_grow(w->folders, &w->folder_cap, w->folder_count + 1, sizeof *w->folders);
    w->folders[w->folder_count++] = folder;
    return folder;
}

static void add_name(struct watch *w, const char *path, const char *name)
{
    struct folder *folder = add_folder(w, path);
    for (size_t i = 0; i < folder->name_count; i++) {
        if (strcmp(folder->names[i], name) == 0) {
            return;
        }
    }
    folder->names =
        mem_grow(folder->names, &folder->name_cap, folder->name_count + 1, sizeof *folder->names);
    folder->names[folder->name_count++] = mem_strdup(name);
}

/* Every name on the way to a file, in its folder; where a link leads elsewhere, that way as well. */
static void add_way(struct watch *w, const char *path, int links)
{
    struct text at = { 0 }, next = { 0 };
    text_add(&at, path[0] == '/' ? "/" : ".");
    for (const char *p = path + strspn(path, "/"); *p != '\0';) {
        const size_t len = strcspn(p, "/");
        const char *rest = p + len + strspn(p + len, "/");
        char *name = mem_strndup(p, len), target[PATH_MAX];
        const bool moves = strcmp(name, ".") != 0;
        text_clear(&next);
        text_addf(&next, "%s%s%s", text_str(&at), at.s[at.len - 1] == '/' ? "" : "/", name);
        if (moves && strcmp(name, "..") != 0) {
            add_name(w, text_str(&at), name);
        }
        free(name);
        const ssize_t n = links > 0 ? readlink(text_str(&next), target, sizeof target - 1) : -1;
        if (n > 0) {
            target[n] = '\0';
            text_clear(&next);
            text_addf(&next, "%s%s%s/%s", target[0] == '/' ? "" : text_str(&at),
                      target[0] == '/' ? "" : "/", target, rest);
            add_way(w, text_str(&next), links - 1);
            break;
        }
        if (moves) {
            text_clear(&at);
            text_add(&at, text_str(&next));
        }
        p = rest;
    }
    text_finish(&at);
    text_finish(&next);
}

/* Anew: a folder of the same name may be another one by now. The old ones go last, so that nothing is
 * missed in between. */
static void watch_ways(struct watch *w)
{
    struct folder **old = w->folders;
    const size_t count = w->folder_count;
    w->folders = NULL;
    w->folder_count = w->folder_cap = 0;
    w->deaf = false;
    for (size_t i = 0; i < w->file_count; i++) {
        add_way(w, w->files[i].path, LINKS_MAX);
    }
    let_go(old, count);
}

/* ---- saves ----------------------------------------------------------------------------------- */

/* What looking at the files showed. */
struct look {
    bool changed; /* since it was last told */
    bool gone;    /* one is not there that was */
    bool moving;  /* since the last look */
};

static struct look look_at_files(struct watch *w)
{
    struct look look = { 0 };
    for (size_t i = 0; i < w->file_count; i++) {
        struct file *file = &w->files[i];
        const struct watch_stamp now = watch_stamp_of(file->path);
        const bool same = watch_stamp_same(&now, &file->known);
        look.changed = look.changed || !same;
        look.gone = look.gone || (!same && is_gone(&now));
        look.moving = look.moving || !watch_stamp_same(&now, &file->seen);
        file->seen = now;
    }
    return look;
}

/* Nothing has moved for a while, as far as we were told: is a file another one? */
static void on_rest(uv_timer_t *timer)
{
    struct watch *w = timer->data;
    watch_ways(w);
    const struct look look = look_at_files(w);
    if (w->deaf && look.changed && look.moving) { /* perhaps half a save */
        uv_timer_start(&w->timer, on_rest, w->rest_ms, 0);
        return;
    }
    const uint64_t ms = uv_now(w->loop);
    w->gone_since = !look.gone ? 0 : w->gone_since == 0 ? ms : w->gone_since;
    if (look.gone && ms - w->gone_since < WATCH_GONE_MS) {
        uv_timer_start(&w->timer, on_rest, AGAIN_MS, 0);
        return;
    }
    for (size_t i = 0; i < w->file_count; i++) { /* a later save has an event of its own */
        w->files[i].known = w->files[i].seen;
    }
    w->gone_since = 0;
    if (w->deaf) {
        uv_timer_start(&w->timer, on_rest, LOOK_MS, 0);
    }
    if (look.changed) {
        w->changed(w->arg);
    }
}

void watch_files(struct watch *w, const struct lesson_files *files)
{
    struct file *now = mem_alloc(files->count + 1, sizeof *now);
    for (size_t i = 0; i < files->count; i++) {
        now[i].path = mem_strdup(files->path[i]);
        now[i].known = watch_stamp_of(files->path[i]);
        for (size_t k = 0; k < w->file_count; k++) {
            if (strcmp(w->files[k].path, files->path[i]) == 0) {
                now[i].known = w->files[k].known;
            }
        }
        now[i].seen = now[i].known;
    }
    for (size_t k = 0; k < w->file_count; k++) {
        free(w->files[k].path);
    }
    free(w->files);
    w->files = now;
    w->file_count = files->count;
    watch_ways(w);
    if (w->file_count > 0) { /* what was missed since it was last told */
        uv_timer_start(&w->timer, on_rest, w->rest_ms, 0);
    } else {
        uv_timer_stop(&w->timer);
    }
}

size_t watch_folder_count(const struct watch *w)
{
    return w->folder_count;
}

/* ---- life ------------------------------------------------------------------------------------ */

struct watch *watch_create(uv_loop_t *loop, uint64_t rest_ms, watch_fn *changed, void *arg)
{
    struct watch *w = mem_alloc(1, sizeof *w);
    w->rest_ms = rest_ms;
    w->loop = loop;
    w->changed = changed;
    w->arg = arg;
    uv_timer_init(loop, &w->timer);
    w->timer.data = w;
    return w;
}

static void on_timer_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void watch_destroy(struct watch *w)
{
    static const struct lesson_files none;
    watch_files(w, &none);
    let_go(w->folders, w->folder_count);
    free(w->files);
    uv_close((uv_handle_t *)&w->timer, on_timer_closed);
}
