#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Messages end up on terminals: whatever a lesson or a file put into them must be harmless. */
static void clean(char *s)
{
    for (; *s != '\0'; s++) {
        if ((unsigned char)*s < 0x20 || *s == 0x7f) {
            *s = ' ';
        }
    }
}

bool err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
    if (err == NULL) {
        return false;
    }
    va_list ap;
    va_start(ap, fmt);
    err->code = code;
    err->where[0] = '\0';
    (void)vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
    clean(err->msg);
    return false;
}

bool err_at(struct err *err, const char *file, int line)
{
    if (err == NULL) {
        return false;
    }
    if (line > 0) {
        (void)snprintf(err->where, sizeof err->where, "%s:%d", file, line);
    } else {
        (void)snprintf(err->where, sizeof err->where, "%s", file);
    }
    clean(err->where);
    return false;
}

bool err_note(struct err *err, const char *fmt, ...)
{
    if (err == NULL) {
        return false;
    }
    char old[sizeof err->msg];
    memcpy(old, err->msg, sizeof old);
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
    if (n >= 0 && (size_t)n < sizeof err->msg - 3) {
        char *rest = err->msg + n;
        size_t room = sizeof err->msg - (size_t)n;
        rest[0] = ':';
        rest[1] = ' ';
        size_t len = strlen(old);
        if (len > room - 3) {
            len = room - 3;
        }
        memcpy(rest + 2, old, len);
        rest[2 + len] = '\0';
    }
    clean(err->msg);
    return false;
}

const char *err_text(const struct err *err, char *buf, unsigned long size)
{
    if (err->where[0] != '\0') {
        (void)snprintf(buf, size, "%s: %s", err->where, err->msg);
    } else {
        (void)snprintf(buf, size, "%s", err->msg);
    }
    return buf;
}
