/*
 * Text: a growing string, UTF-8, cells.
 *
 * `struct text` is a string that grows; zero is a valid empty one. Text from outside (lessons,
 * files, arguments) passes text_clean() before it can reach a terminal: no control characters, no
 * bidirectional overrides, no invalid UTF-8.
 *
 * Widths are those of a terminal: one grapheme cluster takes 0, 1 or 2 cells, found with utf8proc
 * and never with the C locale. East Asian "ambiguous" characters count as one cell.
 */
#ifndef WEFT_BASE_TEXT_H
#define WEFT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *s;    /* always terminated; NULL only while empty and never written */
    size_t len; /* bytes, without the terminator */
    size_t cap;
};

void text_finish(struct text *t);
void text_clear(struct text *t);              /* keeps the memory */
const char *text_str(const struct text *t);   /* never NULL; valid until the next change */
void text_add(struct text *t, const char *s); /* s may be NULL: nothing happens */
void text_add_n(struct text *t, const char *s, size_t len);
void text_addf(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Appends `len` bytes of foreign text made harmless: see above. Newlines and tabs become blanks
 * unless `keep_newlines`. */
void text_add_clean(struct text *t, const char *s, size_t len, bool keep_newlines);

/* Appends a paragraph of at most `width` cells a line, broken at blanks, but not between a number and its unit:
 * its first line behind `first`, the others behind blanks as wide. */
void text_add_wrapped(struct text *t, const char *first, const char *words, int width);

/* One grapheme cluster: where it starts, how many bytes, how many cells (0 to 2). */
struct text_cluster {
    const char *s;
    size_t bytes;
    int cells;
};

/* Takes the cluster at `*pos` and moves `*pos` behind it; false at the end. Invalid bytes come
 * back one by one as U+FFFD with one cell. */
bool text_next(const char *s, size_t len, size_t *pos, struct text_cluster *out);

/* Cells that `s` takes on a terminal. */
int text_cells(const char *s);

/* How many bytes of `s` fit into `cells` cells, never splitting a cluster. */
size_t text_fit(const char *s, int cells);

/* Edit distance (insert, delete, replace, swap of neighbours) for "did you mean"; both strings are
 * compared up to 63 bytes. */
size_t text_distance(const char *a, const char *b);

#endif
