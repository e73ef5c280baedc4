#include "app/search.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Whether `text` holds the first `n` bytes of `word`, small and capital letters alike. */
static bool holds(const char *text, const char *word, size_t n)
{
    for (; *text != '\0'; text++) {
        size_t i = 0;
        while (i < n && text[i] != '\0' &&
               tolower((unsigned char)text[i]) == tolower((unsigned char)word[i])) {
            i++;
        }
        if (i == n) {
            return true;
        }
    }
    return n == 0;
}

/* Whether each word that is searched for is in one of the texts. */
bool search_texts(const char *typed, const char *const *text, size_t count)
{
    for (const char *word = typed + strspn(typed, " "); *word != '\0'; word += strspn(word, " ")) {
        const size_t n = strcspn(word, " ");
        bool found = false;
        for (size_t i = 0; i < count && !found; i++) {
            found = holds(text[i], word, n);
        }
        if (!found) {
            return false;
        }
        word += n;
    }
    return true;
}

bool search_lesson(const char *typed, const struct lesson_info *info)
{
    char year[16];
    snprintf(year, sizeof year, "%d", info->year);
    const char *const texts[] = { info->title, info->id, year, info->terms };
    return search_texts(typed, texts, sizeof texts / sizeof texts[0]);
}

void search_term(const char *typed, const struct lesson_info *info, char *term, size_t size)
{
    const char *word = typed + strspn(typed, " ");
    const size_t n = strcspn(word, " ");
    term[0] = '\0';
    if (n == 0 || holds(info->title, word, n) || holds(info->id, word, n)) {
        return;
    }
    for (const char *at = info->terms; *at != '\0'; at += strspn(at, ", ")) {
        const size_t len = strcspn(at, ",");
        char one[80];
        snprintf(one, sizeof one, "%.*s", (int)len, at);
        if (holds(one, word, n)) {
            snprintf(term, size, "%s", one);
            return;
        }
        at += len;
    }
}
