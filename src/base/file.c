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

static bool write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return false;
        }
        data += n;
        size -= (size_t)n;
    }
    return fsync(fd) == 0;
}

/* Devices, pipes and sockets cannot be renamed over: they are written in place. */
static bool write_in_place(const char *path, const char *data, size_t size, struct err *err)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return io_error(err, path, "open");
    }
    bool ok = write_all(fd, data, size) || errno == EINVAL || errno == ENOTSUP;
    if (!ok) {
        (void)io_error(err, path, "write");
    }
    if (close(fd) != 0 && ok) {
        ok = io_error(err, path, "write");
    }
    return ok;
}

bool file_write(const char *path, const char *data, size_t size, bool replace, struct err *err)
{
    char *real = realpath(path, NULL);
    struct stat st;
    if (real == NULL && lstat(path, &st) == 0 && S_ISLNK(st.st_mode)) {
        (void)err_set(err, ERR_IO, "a symbolic link that leads nowhere");
        return err_at(err, path, 0);
    }
    const char *target = real != NULL ? real : path;
    if (real != NULL && stat(real, &st) == 0 && !S_ISREG(st.st_mode)) {
        bool ok = write_in_place(real, data, size, err);
        free(real);
        return ok;
    }
    if (real != NULL && !replace) {
        free(real);
        (void)err_set(err, ERR_IO, "the file exists; --force replaces it");
        return err_at(err, path, 0);
    }
    size_t len = strlen(target) + sizeof ".XXXXXX";
    char *temp = mem_alloc(len, 1);
    (void)snprintf(temp, len, "%s.XXXXXX", target);
    int fd = mkstemp(temp);
    bool ok = fd >= 0;
    if (ok) {
        mode_t mask = umask(0);
        (void)umask(mask);
        ok = fchmod(fd, real != NULL ? (st.st_mode & 07777) : (mode_t)(0666 & ~mask)) == 0 &&
             write_all(fd, data, size);
        ok = (close(fd) == 0) && ok;
        ok = ok && rename(temp, target) == 0;
        if (!ok) {
            int saved = errno;
            (void)unlink(temp);
            errno = saved;
        }
    }
    if (!ok) {
        (void)io_error(err, path, "write");
    }
    free(temp);
    free(real);
    return ok;
}
