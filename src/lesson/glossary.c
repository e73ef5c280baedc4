#include "lesson/glossary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "lesson/data.h"
#include "lesson/index.h"

struct lesson_glossary {
    struct lesson_words words;
};

static int compare(const void *a, const void *b)
{
    const struct lesson_word *x = a, *y = b;
    const int order = strcasecmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->name, y->name);
}

static void add_all(struct lesson_words *to, const struct lesson_words *from)
{
    for (size_t i = 0; i < from->count; i++) {
        if (lesson_words_find(to, from->item[i].name) == NULL) {
            lesson_words_add(to, from->item[i].name, from->item[i].text);
        }
    }
}

struct lesson_glossary *lesson_glossary_create(const struct lesson *lesson, const char *data_dir)
{
    struct lesson_glossary *glossary = mem_alloc(1, sizeof *glossary);
    struct lesson_index index = { .count = 0 };
    char *folder = lesson_folder(lesson->path != NULL ? lesson->path : "");
    (void)lesson_words_read(&glossary->words, data_dir, LESSON_GLOSSARY, NULL);
    (void)lesson_index_read_in(data_dir, folder, &index, NULL);
    add_all(&glossary->words, &index.words[LESSON_GLOSSARY]);
    add_all(&glossary->words, &lesson->terms);
    lesson_index_finish(&index);
    free(folder);
    if (glossary->words.count > 0) {
        qsort(glossary->words.item, glossary->words.count, sizeof *glossary->words.item, compare);
    }
    return glossary;
}

void lesson_glossary_destroy(struct lesson_glossary *glossary)
{
    if (glossary != NULL) {
        lesson_words_finish(&glossary->words);
        free(glossary);
    }
}

size_t lesson_glossary_count(const struct lesson_glossary *glossary)
{
    return glossary->words.count;
}

const struct lesson_word *lesson_glossary_word(const struct lesson_glossary *glossary, size_t index)
{
    return &glossary->words.item[index];
}

static int folded(char c)
{
    return c == '-' ? ' ' : tolower((unsigned char)c);
}

const struct lesson_word *lesson_glossary_find(const struct lesson_glossary *glossary,
                                               const char *name)
{
    for (size_t i = 0; i < glossary->words.count; i++) {
        const char *a = glossary->words.item[i].name, *b = name;
        while (*a != '\0' && folded(*a) == folded(*b)) {
            a++;
            b++;
        }
        if (*a == '\0' && *b == '\0') {
            return &glossary->words.item[i];
        }
    }
    return NULL;
}

/* ---- where they are used --------------------------------------------------------------------------- */

/* A letter, or a byte of one beyond ASCII. */
static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Bytes that the word takes here, 0: it is not here. A blank in it is any blanks in the text. */
static size_t match(const char *text, const char *word)
{
    const char *at = text;
    for (const char *w = word; *w != '\0'; w++) {
        if (*w == ' ' && is_blank(*at)) {
            while (is_blank(*at)) {
                at++;
            }
        } else if (*at == *w || (w == word && islower((unsigned char)*w) &&
                                 *at == (char)toupper((unsigned char)*w))) {
            at++;
        } else {
            return 0;
        }
    }
    if (strncmp(at, "es", 2) == 0 && !is_letter(at[2])) {
        at += 2;
    } else if (at[0] == 's' && !is_letter(at[1])) {
        at++;
    }
    return is_letter(*at) ? 0 : (size_t)(at - text);
}

/* The longest word that begins here. */
static const struct lesson_word *word_at(const struct lesson_glossary *glossary, const char *at,
                                         size_t *len)
{
    const struct lesson_word *best = NULL;
    *len = 0;
    for (size_t i = 0; i < glossary->words.count; i++) {
        const size_t n = match(at, glossary->words.item[i].name);
        if (n > *len) {
            *len = n;
            best = &glossary->words.item[i];
        }
    }
    return best;
}

size_t lesson_glossary_uses(const struct lesson_glossary *glossary, const char *text,
                            struct lesson_use *use, size_t cap)
{
    size_t count = 0, len;
    for (size_t at = 0; text[at] != '\0' && count < cap;) {
        if (!is_letter(text[at]) || (at > 0 && is_letter(text[at - 1]))) {
            at++;
            continue;
        }
        const struct lesson_word *word = word_at(glossary, text + at, &len);
        bool known = false;
        for (size_t i = 0; i < count && word != NULL; i++) {
            known = known || use[i].word == word;
        }
        if (word != NULL && !known) {
            use[count++] = (struct lesson_use){ word, at, at + len };
        }
        at += word != NULL ? len : 1;
    }
    return count;
}
