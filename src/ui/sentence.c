#include "ui/sentence.h"

#include <stdbool.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static const char *skip_blank(const char *at)
{
    while (is_blank(*at)) {
        at++;
    }
    return at;
}

/* Behind the sentence that begins here. */
static const char *end_of(const char *from)
{
    const char *at = from;
    while (*at != '\0') {
        const char c = *at++;
        if (c == '\n' && *at == '\n') {
            return at - 1;
        }
        if (strchr(".?!", c) != NULL) {
            const char *behind = at + strspn(at, "*_\")'");
            if (*behind == '\0' || is_blank(*behind)) {
                return behind;
            }
        }
    }
    return at;
}

/* "**Two.**": nothing but bold words. */
static bool is_title(const char *from, const char *end)
{
    const size_t n = (size_t)(end - from);
    return n > 4 && strncmp(from, "**", 2) == 0 && strncmp(end - 2, "**", 2) == 0 &&
           strstr(from + 2, "**") == end - 2;
}

/* The next sentence from here: NULL, there is none. */
static const char *next(const char *from, const char **end)
{
    from = skip_blank(from);
    if (*from == '\0') {
        return NULL;
    }
    *end = end_of(from);
    const char *behind = skip_blank(*end);
    if (is_title(from, *end) && *behind != '\0') {
        *end = end_of(behind);
    }
    return from;
}

size_t ui_sentences(const char *markdown)
{
    size_t count = 0;
    for (const char *end, *at = markdown; at != NULL && (at = next(at, &end)) != NULL; at = end) {
        count++;
    }
    return count;
}

const char *ui_sentence(const char *markdown, size_t n, size_t *len)
{
    const char *found = markdown;
    size_t count = 0;
    *len = 0;
    for (const char *end, *at = markdown; at != NULL && (at = next(at, &end)) != NULL; at = end) {
        found = at;
        *len = (size_t)(end - at);
        if (count++ == n) {
            break;
        }
    }
    return found;
}
