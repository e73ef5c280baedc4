#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/*
 * Messages end up on terminals: whatever a lesson or a file put into them must be harmless. Control
 * characters become blanks; the rest is what text_add_clean() makes of it, cut between characters.
 */
static void clean(char *s, size_t size)
{
    bool foreign = false;
    for (char *p = s; *p != '\0'; p++) {
        foreign = foreign || (*p & 0x80) != 0;
        if ((unsigned char)*p < 0x20 || *p == 0x7f) {
            *p = ' ';
        }
    }
    if (!foreign) {
        return;
    }
    struct text harmless = { 0 };
    struct text_cluster cluster;
    size_t kept = 0;
    text_add_clean(&harmless, s, strlen(s), false);
    for (size_t pos = 0; text_next(harmless.s, harmless.len, &pos, &cluster) && pos < size;) {
        kept = pos;
    }
    memcpy(s, harmless.s, kept);
    s[kept] = '\0';
    text_finish(&harmless);
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
    clean(err->msg, sizeof err->msg);
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
    clean(err->where, sizeof err->where);
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
    clean(err->msg, sizeof err->msg);
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
