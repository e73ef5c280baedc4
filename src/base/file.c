#define _XOPEN_SOURCE 700 /* realpath */

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

static bool io_error(struct err *err, const char *path, const char *what)
{
    (void)err_set(err, ERR_IO, "cannot %s: %s", what, strerror(errno));
    return err_at(err, path, 0);
}

bool file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool read_all(int fd, const char *path, size_t limit, char **data, size_t *size,
                     struct err *err)
{
    size_t cap = 0;
    size_t len = 0;
    char *buf = NULL;
    for (;;) {
        buf = mem_grow(buf, &cap, len + 4096, 1);
        ssize_t n = read(fd, buf + len, cap - len - 1);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            free(buf);
            return io_error(err, path, "read");
        }
        if (n == 0) {
            break;
        }
        len += (size_t)n;
        if (len > limit) {
            free(buf);
            (void)err_set(err, ERR_LIMIT, "the file is larger than %zu bytes", limit);
            return err_at(err, path, 0);
        }
    }
    buf[len] = '\0';
    *data = buf;
    *size = len;
    return true;
}

bool file_read(const char *path, size_t limit, char **data, size_t *size, struct err *err)
{
    /* O_NONBLOCK: opening a FIFO that nobody writes to must not hang before the type is seen. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return io_error(err, path, "open");
    }
    struct stat st;
    bool ok;
    if (fstat(fd, &st) != 0) {
        ok = io_error(err, path, "look at");
    } else if (!S_ISREG(st.st_mode)) {
        (void)err_set(err, ERR_IO, "not a regular file");
        ok = err_at(err, path, 0);
    } else {
        ok = read_all(fd, path, limit, data, size, err);
    }
    (void)close(fd);
    return ok;
}

/* ---- drafts ---------------------------------------------------------------------------------- */

/* Devices, pipes and sockets cannot be renamed over: they are written in place. */
static bool open_in_place(struct file_draft *draft, const char *path, struct err *err)
{
    draft->fd = open(draft->target, O_WRONLY | O_CLOEXEC);
    return draft->fd >= 0 || io_error(err, path, "open");
}

static bool open_temp(struct file_draft *draft, const char *path, struct err *err)
{
    const size_t len = strlen(draft->target) + sizeof ".XXXXXX";
    draft->temp = mem_alloc(len, 1);
    (void)snprintf(draft->temp, len, "%s.XXXXXX", draft->target);
    draft->fd = mkstemp(draft->temp);
    return draft->fd >= 0 || io_error(err, path, "write");
}

/* As the file that it replaces, or as any new one. */
static mode_t mode_of(const char *target)
{
    struct stat st;
    const mode_t mask = umask(0);
    (void)umask(mask);
    return stat(target, &st) == 0 ? (st.st_mode & 07777) : (mode_t)(0666 & ~mask);
}

static void draft_finish(struct file_draft *draft)
{
    free(draft->temp);
    free(draft->target);
    *draft = (struct file_draft){ .fd = -1 };
}

bool file_draft_open(struct file_draft *draft, const char *path, bool replace, struct err *err)
{
    char *real = realpath(path, NULL);
    struct stat st;
    *draft = (struct file_draft){ .fd = -1 };
    if (real == NULL && lstat(path, &st) == 0 && S_ISLNK(st.st_mode)) {
        (void)err_set(err, ERR_IO, "a symbolic link that leads nowhere");
        return err_at(err, path, 0);
    }
    const bool in_place = real != NULL && stat(real, &st) == 0 && !S_ISREG(st.st_mode);
    if (real != NULL && !in_place && !replace) {
        free(real);
        (void)err_set(err, ERR_IO, "the file exists; --force replaces it");
        return err_at(err, path, 0);
    }
    draft->target = real != NULL ? real : mem_strdup(path);
    const bool ok = in_place ? open_in_place(draft, path, err) : open_temp(draft, path, err);
    if (!ok) {
        draft_finish(draft);
    }
    return ok;
}

bool file_draft_keep(struct file_draft *draft, const char *path, struct err *err)
{
    const bool placed = draft->temp == NULL;
    bool ok = placed || fchmod(draft->fd, mode_of(draft->target)) == 0;
    ok = ok && (fsync(draft->fd) == 0 || (placed && (errno == EINVAL || errno == ENOTSUP)));
    ok = (close(draft->fd) == 0) && ok;
    draft->fd = -1;
    ok = ok && (placed || rename(draft->temp, draft->target) == 0);
    if (!ok) {
        (void)io_error(err, path, "write");
        if (!placed) {
            (void)unlink(draft->temp);
        }
    }
    draft_finish(draft);
    return ok;
}

void file_draft_drop(struct file_draft *draft)
{
    if (draft->fd >= 0) {
        (void)close(draft->fd);
    }
    if (draft->temp != NULL) {
        (void)unlink(draft->temp);
    }
    draft_finish(draft);
}

size_t file_write_some(int fd, const char *data, size_t size)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t n = write(fd, data + done, size - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            break;
        }
        done += (size_t)n;
    }
    return done;
}

bool file_write(const char *path, const char *data, size_t size, bool replace, struct err *err)
{
    struct file_draft draft;
    if (!file_draft_open(&draft, path, replace, err)) {
        return false;
    }
    if (file_write_some(draft.fd, data, size) < size) {
        (void)io_error(err, path, "write");
        file_draft_drop(&draft);
        return false;
    }
    return file_draft_keep(&draft, path, err);
}
