/*
 * Counting words, finding numbers that somebody typed, finding citations.
 */
#include "lesson/lint.h"

#include <ctype.h>
#include <string.h>

int lesson_lint_words(const char *text)
{
    int words = 0;
    while (*text != '\0') {
        text += strspn(text, " \t\r\n");
        const size_t n = strcspn(text, " \t\r\n");
        bool counts = false;
        for (size_t i = 0; i < n; i++) { /* a lone dash, bullet or bar is no word */
            counts = counts || isalnum((unsigned char)text[i]) ||
                     ((unsigned char)text[i] >= 0xc3 && (unsigned char)text[i] <= 0xdf);
        }
        words += counts;
        text += n;
    }
    return words;
}

/* Behind the matching brace of the '{' at p. */
static const char *skip_braces(const char *p)
{
    int depth = 0;
    for (; *p != '\0'; p++) {
        depth += *p == '{';
        depth -= *p == '}';
        if (depth == 0) {
            return p + 1;
        }
    }
    return p;
}

static size_t unit_length(const char *p)
{
    static const char *const units[] = { "Gb/s", "Gbps", "MiB", "KiB", "GiB", "MB", "KB",
                                         "GB",   "ps",   "ns",  "us",  "ms",  "s",  "%" };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const size_t n = strlen(units[i]);
        if (strncmp(p, units[i], n) == 0 && !isalnum((unsigned char)p[n])) {
            return n;
        }
    }
    return 0;
}

const char *lesson_lint_typed_number(const char *prose, size_t *len)
{
    for (const char *p = prose; *p != '\0';) {
        if (*p == '{') {
            p = skip_braces(p);
        } else if (isdigit((unsigned char)*p)) {
            const char *from = p;
            p += strspn(p, "0123456789.,");
            p += *p == ' ';
            const size_t unit = unit_length(p);
            if (unit > 0) {
                *len = (size_t)(p - from) + unit;
                return from;
            }
        } else {
            p++;
        }
    }
    return NULL;
}

bool lesson_lint_citation(const char *prose, size_t *at, struct text *key)
{
    for (const char *p = strchr(prose + *at, '['); p != NULL; p = strchr(p + 1, '[')) {
        const size_t n = strspn(p + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789-");
        if (n > 0 && p[1 + n] == ']' && isalpha((unsigned char)p[1])) {
            text_clear(key);
            text_add_n(key, p + 1, n);
            *at = (size_t)(p - prose) + n + 2;
            return true;
        }
    }
    return false;
}
