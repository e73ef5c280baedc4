#include "base/text.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/mem.h"
#include "base/units.h"

/* How many marks without width may sit on one character: accents stack, a flood of them is noise
 * that neither curses (five code points a cell) nor a reader can use. */
enum { MAX_MARKS = 4 };

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

void text_finish(struct text *t)
{
    free(t->s);
    *t = (struct text){ 0 };
}

void text_clear(struct text *t)
{
    t->len = 0;
    if (t->s != NULL) {
        t->s[0] = '\0';
    }
}

const char *text_str(const struct text *t)
{
    return t->s != NULL ? t->s : "";
}

static void reserve(struct text *t, size_t more)
{
    t->s = mem_grow(t->s, &t->cap, t->len + more + 1, 1);
}

void text_add_n(struct text *t, const char *s, size_t len)
{
    reserve(t, len);
    if (len > 0) {
        memcpy(t->s + t->len, s, len);
        t->len += len;
    }
    t->s[t->len] = '\0';
}

void text_add(struct text *t, const char *s)
{
    if (s != NULL) {
        text_add_n(t, s, strlen(s));
    }
}

void text_addf(struct text *t, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    assert(n >= 0); /* our format strings are literals */
    if (n < 0) {
        return;
    }
    reserve(t, (size_t)n);
    va_start(ap, fmt);
    (void)vsnprintf(t->s + t->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    t->len += (size_t)n;
}

/* Takes one code point; an invalid byte comes back alone as U+FFFD. Returns the bytes taken. */
static size_t take(const char *s, size_t len, utf8proc_int32_t *cp, bool *valid)
{
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)s, (utf8proc_ssize_t)len, cp);
    *valid = n > 0;
    if (n <= 0) {
        *cp = 0xfffd;
        return 1;
    }
    return (size_t)n;
}

enum fate { KEEP, DROP, LINE_END, BLANK, REPLACE };

/* What becomes of a code point that somebody else wrote. */
static enum fate fate_of(utf8proc_int32_t cp)
{
    if (cp >= 0x20 && cp < 0x7f) {
        return KEEP;
    }
    if (cp == '\n' || cp == '\r' || cp == 0x2028 || cp == 0x2029) {
        return LINE_END;
    }
    if (cp == '\t') {
        return BLANK;
    }
    if (cp >= 0xfe00 && cp <= 0xfe0f) {
        return DROP; /* variation selectors: terminals disagree about the width they give */
    }
    if (cp == 0x200c || cp == 0x200d) {
        return KEEP; /* the joiners that scripts and emoji need */
    }
    utf8proc_category_t category = utf8proc_category(cp);
    if (category == UTF8PROC_CATEGORY_CC) {
        return REPLACE;
    }
    /* Format characters: bidirectional overrides, byte order marks, soft hyphens, tags. */
    return category == UTF8PROC_CATEGORY_CF ? DROP : KEEP;
}

void text_add_clean(struct text *t, const char *s, size_t len, bool keep_newlines)
{
    int marks = 0;
    for (size_t pos = 0; pos < len;) {
        utf8proc_int32_t cp;
        bool valid;
        size_t n = take(s + pos, len - pos, &cp, &valid);
        if (!valid) {
            text_add_n(t, replacement, 3);
            pos += n;
            marks = 0;
            continue;
        }
        switch (fate_of(cp)) {
        case KEEP:
            marks = utf8proc_charwidth(cp) == 0 ? marks + 1 : 0;
            if (marks <= MAX_MARKS) {
                text_add_n(t, s + pos, n);
            }
            break;
        case DROP:
            break;
        case LINE_END:
            if (cp == '\r' && pos + 1 < len && s[pos + 1] == '\n') {
                break; /* the \n that follows stands for both */
            }
            text_add_n(t, keep_newlines ? "\n" : " ", 1);
            break;
        case BLANK:
            text_add_n(t, " ", 1);
            break;
        case REPLACE:
            text_add_n(t, replacement, 3);
            break;
        }
        pos += n;
    }
    if (len == 0) {
        text_add_n(t, "", 0);
    }
}

static bool is_regional(utf8proc_int32_t cp)
{
    return cp >= 0x1f1e6 && cp <= 0x1f1ff;
}

bool text_next(const char *s, size_t len, size_t *pos, struct text_cluster *out)
{
    if (*pos >= len) {
        return false;
    }
    const char *start = s + *pos;
    size_t left = len - *pos;
    unsigned char c = (unsigned char)start[0];
    if (c < 0x80 && c != '\r' && (left == 1 || (unsigned char)start[1] < 0x80)) {
        *out = (struct text_cluster){ start, 1, c >= 0x20 && c != 0x7f ? 1 : 0 };
        *pos += 1;
        return true;
    }
    utf8proc_int32_t cp;
    bool valid;
    size_t used = take(start, left, &cp, &valid);
    if (!valid) {
        *out = (struct text_cluster){ replacement, 3, 1 };
        *pos += 1;
        return true;
    }
    int cells = utf8proc_charwidth(cp);
    int regionals = is_regional(cp) ? 1 : 0;
    utf8proc_int32_t state = 0;
    while (used < left) {
        utf8proc_int32_t next;
        size_t n = take(start + used, left - used, &next, &valid);
        if (!valid || utf8proc_grapheme_break_stateful(cp, next, &state)) {
            break;
        }
        int wide = utf8proc_charwidth(next);
        regionals += is_regional(next) ? 1 : 0;
        if (next == 0xfe0f && cells == 1) {
            wide = 2; /* asks for the coloured picture, which takes two cells */
        }
        cells = wide > cells ? wide : cells;
        cp = next;
        used += n;
    }
    if (regionals == 2) {
        cells = 2; /* two letters make one flag */
    }
    *out = (struct text_cluster){ start, used, cells > 2 ? 2 : cells };
    *pos += used;
    return true;
}

int text_cells(const char *s)
{
    size_t len = strlen(s);
    size_t pos = 0;
    int cells = 0;
    struct text_cluster c;
    while (text_next(s, len, &pos, &c)) {
        cells += c.cells;
    }
    return cells;
}

size_t text_fit(const char *s, int cells)
{
    size_t len = strlen(s);
    size_t pos = 0;
    size_t fits = 0;
    struct text_cluster c;
    while (text_next(s, len, &pos, &c) && c.cells <= cells) {
        cells -= c.cells;
        fits = pos;
    }
    return fits;
}

size_t text_distance(const char *a, const char *b)
{
    enum { MAX = 63 };
    size_t na = strnlen(a, MAX);
    size_t nb = strnlen(b, MAX);
    size_t row[3][MAX + 1]; /* the last two rows of the table, and the one being filled */
    size_t *before = row[0];
    size_t *above = row[1];
    size_t *now = row[2];
    for (size_t j = 0; j <= nb; j++) {
        above[j] = j;
    }
    for (size_t i = 1; i <= na; i++) {
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t best = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            best = above[j] + 1 < best ? above[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                before[j - 2] + 1 < best) {
                best = before[j - 2] + 1;
            }
            now[j] = best;
        }
        size_t *spare = before;
        before = above;
        above = now;
        now = spare;
    }
    return above[nb];
}

void text_add_wrapped(struct text *t, const char *first, const char *words, int width)
{
    const int margin = text_cells(first);
    int column = margin;
    text_add(t, first);
    for (const char *word = words; *word != '\0';) {
        size_t len = strcspn(word, " ");
        while (word[len] == ' ' && units_joined(words, word + len)) {
            len += 1 + strcspn(word + len + 1, " ");
        }
        if (column > margin && column + 1 + (int)len > width) {
            text_addf(t, "\n%*s", margin, "");
            column = margin;
        } else if (column > margin) {
            text_add(t, " ");
            column++;
        }
        text_add_n(t, word, len);
        column += (int)len;
        word += len + strspn(word + len, " ");
    }
    text_add(t, "\n");
}
