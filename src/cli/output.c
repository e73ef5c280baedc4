/* How text leaves the program, and how it knows that it did. */
#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
