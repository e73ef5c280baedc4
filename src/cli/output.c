/* How text leaves the program, and how it knows that it did. */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

bool cli_stdout_flush(void)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0) {
        return true;
    }
    /* A reader that has seen enough ("| head") needs no message. */
    if (errno != EPIPE) {
        (void)fprintf(stderr, "weft: cannot write to stdout: %s\n", strerror(errno));
    }
    clearerr(stdout);
    return false;
}

bool cli_print(const struct text *out)
{
    if (out->len > 0) {
        (void)fwrite(out->s, 1, out->len, stdout);
    }
    return cli_stdout_flush();
}

/* Why a folder takes no file. */
static const char *folder_trouble(int error)
{
    return error == ENOENT                     ? "that folder is not there"
           : error == EACCES || error == EPERM ? "you may not write in that folder"
                                               : strerror(error);
}

bool cli_out_is_free(const char *path, bool force, struct err *err)
{
    if (path == NULL) {
        return true;
    }
    if (file_exists(path) && !force) {
        (void)err_set(err, ERR_IO, "the file exists; --force replaces it");
        return err_at(err, path, 0);
    }
    struct stat st;
    const bool exists = stat(path, &st) == 0;
    if (exists && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
        return true; /* a device or a pipe: written in place */
    }
    if (!exists && lstat(path, &st) == 0) {
        (void)err_set(err, ERR_IO, "a symbolic link that leads nowhere");
        return err_at(err, path, 0);
    }
    char *real =
        exists ? realpath(path, NULL) : NULL; /* what a link leads to is replaced, not it */
    char *folder = real != NULL ? real : mem_strdup(path);
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    const char *in = slash != NULL ? folder : ".";
    struct stat parent;
    const bool is_folder = stat(in, &parent) != 0 || S_ISDIR(parent.st_mode);
    const bool writable = access(in, W_OK | X_OK) == 0;
    const char *trouble = path[0] == '\0'                 ? "it has no name"
                          : !is_folder                    ? "that is no folder"
                          : !writable                     ? folder_trouble(errno)
                          : exists && S_ISDIR(st.st_mode) ? "it is a folder"
                                                          : NULL;
    free(folder);
    if (trouble != NULL) {
        (void)err_set(err, ERR_IO, "no file can be written there: %s", trouble);
        (void)err_at(err, path, 0);
    }
    return trouble == NULL;
}

int cli_complain(const struct err *err)
{
    char buf[sizeof err->msg + sizeof err->where + 8];
    struct text clean = { 0 };
    (void)err_text(err, buf, sizeof buf);
    text_add_clean(&clean, buf, strlen(buf), false);
    /* "file:line: text" stands alone, so that editors find it. */
    (void)fprintf(stderr, "%s%s\n", err->where[0] != '\0' ? "" : "weft: ", text_str(&clean));
    text_finish(&clean);
    return err->code == ERR_USAGE ? CLI_USAGE : CLI_FAILED;
}
