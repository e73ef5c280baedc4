#include "app/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "lesson/player.h"

#define SCHEMA 1
enum { FILE_MAX = 1 << 20, LESSONS_MAX = 10000, LOCK_TRIES = 20, LOCK_WAIT_NS = 5000000 };

struct progress {
    char *path;    /* NULL: nothing is kept */
    json_t *known; /* lessons by id, as the file has them and as they are since */
    json_t *mine;  /* those that this program has seen: what a save adds to the file */
    bool changed;
    char note[300];
};

struct progress_image {
    char *path;
    json_t *mine; /* a copy of its own: another thread reads it */
};

/* ---- the file -------------------------------------------------------------------------------- */

char *progress_path(void)
{
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    struct text path = { 0 };
    if (state != NULL && state[0] == '/') {
        text_addf(&path, "%s/weft/progress.json", state);
    } else if (home != NULL && home[0] == '/' && access(home, F_OK) == 0) {
        /* a home that is not there (a service, a test) is not made */
        text_addf(&path, "%s/.local/state/weft/progress.json", home);
    }
    char *found = path.len > 0 ? mem_strdup(text_str(&path)) : NULL;
    text_finish(&path);
    return found;
}

enum load { LOAD_OK, LOAD_ABSENT, LOAD_BROKEN, LOAD_NEWER, LOAD_UNREADABLE };

/* The whole file as JSON; `*root` is new in any case, empty unless LOAD_OK. */
static enum load load(const char *path, json_t **root)
{
    char *data = NULL;
    size_t size = 0;
    struct err err = { 0 };
    struct stat st;
    *root = NULL;
    enum load result = LOAD_OK;
    if (lstat(path, &st) != 0) {
        result = errno == ENOENT || errno == ENOTDIR ? LOAD_ABSENT : LOAD_UNREADABLE;
    } else if (!file_read(path, FILE_MAX, &data, &size, &err)) {
        result = LOAD_UNREADABLE;
    } else {
        *root = json_loadb(data, size, JSON_REJECT_DUPLICATES, NULL);
        const json_t *schema = json_object_get(*root, "schema");
        const json_t *lessons = json_object_get(*root, "lessons");
        if (json_is_integer(schema) && json_integer_value(schema) > SCHEMA) {
            result = LOAD_NEWER;
        } else if (!json_is_integer(schema) || !json_is_object(lessons) ||
                   json_object_size(lessons) > LESSONS_MAX) {
            result = LOAD_BROKEN;
        }
    }
    free(data);
    if (result != LOAD_OK) {
        json_decref(*root);
        *root = json_pack("{s:i, s:{}}", "schema", SCHEMA, "lessons");
    }
    return result;
}

/* The folders above a file, for its owner only, as the XDG specification has it. */
static bool make_folders(const char *path, struct err *err)
{
    char *folder = mem_strdup(path);
    bool ok = true;
    for (char *slash = strchr(folder + 1, '/'); ok && slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
            struct stat st;
            const int why = errno;
            ok = stat(folder, &st) == 0 ||
                 err_set(err, ERR_IO, "cannot make this folder: %s", strerror(why));
            if (!ok) {
                (void)err_at(err, folder, 0);
            }
        }
        *slash = '/';
    }
    free(folder);
    return ok;
}

/* One writer at a time, as far as the system helps: where it does not, or another one takes too long, the
 * file is still replaced whole. -1: no lock. */
static int lock_folder(const char *path)
{
    char *folder = mem_strdup(path);
    *strrchr(folder, '/') = '\0';
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    for (int i = 0; fd >= 0 && i < LOCK_TRIES && flock(fd, LOCK_EX | LOCK_NB) != 0; i++) {
        const struct timespec wait = { .tv_nsec = LOCK_WAIT_NS };
        (void)nanosleep(&wait, NULL);
    }
    return fd;
}

/* ---- what is known --------------------------------------------------------------------------- */

static size_t number_of(const json_t *lesson, const char *name)
{
    const json_t *value = json_object_get(lesson, name);
    const json_int_t n = json_is_integer(value) ? json_integer_value(value) : 0;
    return n > 0 && n <= 1000000 ? (size_t)n : 0;
}

static struct progress_place place_of(const json_t *lessons, const char *id)
{
    const json_t *lesson = json_object_get(lessons, id);
    struct progress_place place = { .card = number_of(lesson, "card"),
                                    .cards = number_of(lesson, "cards"),
                                    .at = number_of(lesson, "at"),
                                    .furthest = number_of(lesson, "furthest"),
                                    .done = json_is_true(json_object_get(lesson, "done")) };
    /* A lesson that has become shorter since; a member that somebody has edited. */
    place.card = place.card > place.cards || place.at == 0 ? 0 : place.card;
    place.furthest = place.furthest > place.cards ? place.cards : place.furthest;
    return place;
}

/* Members of other versions stay. */
static void put_place(json_t *lessons, const char *id, struct progress_place place)
{
    json_t *lesson = json_object_get(lessons, id);
    if (!json_is_object(lesson)) {
        lesson = json_object();
        json_object_set_new(lessons, id, lesson);
    }
    json_object_set_new(lesson, "card", json_integer((json_int_t)place.card));
    json_object_set_new(lesson, "cards", json_integer((json_int_t)place.cards));
    json_object_set_new(lesson, "at", json_integer((json_int_t)place.at));
    json_object_set_new(lesson, "furthest", json_integer((json_int_t)place.furthest));
    json_object_set_new(lesson, "done", json_boolean(place.done));
}

/* The place that came last, and whatever either has ever reached. */
static struct progress_place join(struct progress_place before, struct progress_place now)
{
    now.done = now.done || before.done;
    now.furthest = before.furthest > now.furthest ? before.furthest : now.furthest;
    return now;
}

struct progress *progress_open(const char *path)
{
    static const char *const notes[] = {
        [LOAD_BROKEN] =
            "progress.json is no record of weft: it will be kept as progress.json.broken",
        [LOAD_NEWER] = "progress.json comes from a newer weft: what you do now is not kept",
        [LOAD_UNREADABLE] = "progress.json cannot be read: what you do now is not kept",
        [LOAD_ABSENT] = "",
    };
    struct progress *p = mem_alloc(1, sizeof *p);
    json_t *root = NULL;
    enum load found = LOAD_ABSENT;
    p->mine = json_object();
    if (path != NULL) {
        found = load(path, &root);
        p->path = found == LOAD_NEWER || found == LOAD_UNREADABLE ? NULL : mem_strdup(path);
        p->known = json_incref(json_object_get(root, "lessons"));
        json_decref(root);
    }
    if (p->known == NULL) {
        p->known = json_object();
    }
    (void)snprintf(p->note, sizeof p->note, "%s", found == LOAD_OK ? "" : notes[found]);
    return p;
}

void progress_close(struct progress *p)
{
    if (p != NULL) {
        json_decref(p->known);
        json_decref(p->mine);
        free(p->path);
        free(p);
    }
}

const char *progress_note(const struct progress *p)
{
    return p->note[0] != '\0' ? p->note : NULL;
}

struct progress_place progress_of(const struct progress *p, const char *id)
{
    return p != NULL ? place_of(p->known, id) : (struct progress_place){ 0 };
}

struct progress_place progress_place_of(const struct player *player)
{
    return (struct progress_place){ .card = player_place(player) + 1,
                                    .cards = player_path_length(player),
                                    .at = player_card(player) + 1 };
}

void progress_at(struct progress *p, const char *id, struct progress_place place, bool ended)
{
    const struct progress_place before = place_of(p->known, id);
    place.furthest = place.card;
    place.done = ended && place.card == place.cards && place.card > 0;
    const struct progress_place now = join(before, place);
    if (now.card != before.card || now.cards != before.cards || now.at != before.at ||
        now.furthest != before.furthest || now.done != before.done) {
        put_place(p->known, id, now);
        put_place(p->mine, id, now);
        p->changed = true;
    }
}

/* ---- saving ---------------------------------------------------------------------------------- */

struct progress_image *progress_take(struct progress *p)
{
    if (p->path == NULL || !p->changed) {
        return NULL;
    }
    struct progress_image *image = mem_alloc(1, sizeof *image);
    image->path = mem_strdup(p->path);
    image->mine = json_deep_copy(p->mine);
    p->changed = false;
    return image;
}

/* Moves a file that is no record of ours out of the way, over no other. */
static bool move_aside(const char *path, struct err *err)
{
    struct text aside = { 0 };
    text_addf(&aside, "%s.broken", path);
    const bool ok = link(path, text_str(&aside)) == 0 || errno == EEXIST;
    const int why = errno;
    text_finish(&aside);
    return ok || err_set(err, ERR_IO, "cannot keep what is in it: %s", strerror(why));
}

static bool write_joined(const struct progress_image *image, struct err *err)
{
    json_t *root = NULL;
    const enum load found = load(image->path, &root);
    bool ok = true;
    if (found == LOAD_NEWER || found == LOAD_UNREADABLE) {
        ok = err_set(err, ERR_IO, "it cannot be added to");
    } else if (found == LOAD_BROKEN) {
        ok = move_aside(image->path, err);
    }
    if (ok) {
        json_t *lessons = json_object_get(root, "lessons");
        const char *id;
        json_t *mine;
        json_object_foreach(image->mine, id, mine)
        {
            put_place(lessons, id, join(place_of(lessons, id), place_of(image->mine, id)));
        }
        char *text = json_dumps(root, JSON_INDENT(2) | JSON_SORT_KEYS);
        struct text lines = { 0 };
        text_addf(&lines, "%s\n", text);
        ok = file_write(image->path, text_str(&lines), lines.len, true, err);
        text_finish(&lines);
        free(text);
    }
    json_decref(root);
    return ok;
}

bool progress_write(struct progress_image *image, struct err *err)
{
    bool ok = true;
    if (image != NULL) {
        ok = make_folders(image->path, err);
        if (ok) {
            const int lock = lock_folder(image->path);
            ok = write_joined(image, err);
            if (lock >= 0) {
                (void)close(lock);
            }
        }
        if (!ok) {
            (void)err_note(err, "progress was not kept");
        }
        json_decref(image->mine);
        free(image->path);
        free(image);
    }
    return ok;
}
