/*
 * Lines of a Lua source.
 *
 * A constructor knows the line it began in. The line of one of its fields is found by reading the
 * source on from there: Lua itself keeps no line for a table's fields. The source is cut into tokens
 * once; a question then reads only the tokens of the constructor that it is about.
 */
#ifndef WEFT_LESSON_SOURCE_H
#define WEFT_LESSON_SOURCE_H

/* All of these take NULL for a source that is not known, and then give back `line`, or 0. */
struct lesson_source;

/* Borrows the text, of at most LESSON_FILE_MAX bytes. */
struct lesson_source *lesson_source_create(const char *text);
void lesson_source_destroy(struct lesson_source *source);

/*
 * Where a field stands: `field` ("delay", "[2]") of the constructor `name` that begins in or after `line`. `index` > 0
 * instead of a field: its n-th positional part. Falls back to `line`.
 */
int lesson_source_line(const struct lesson_source *source, int line, const char *name,
                       const char *field, int index);

/* Where a field of that constructor stands once more, or 0. */
int lesson_source_again(const struct lesson_source *source, int line, const char *name,
                        const char *field);

/* The line in which a text begins that is given in `line`: the next one after "[[" at its end. */
int lesson_source_text(const struct lesson_source *source, int line);

/* First line in which `name` is followed by { ( or a string, or 0. */
int lesson_source_find(const struct lesson_source *source, const char *name);

#endif
