/*
 * Manual pages: words become roff with the man macros, and nothing in them is taken for a request.
 */
#ifndef WEFT_BASE_ROFF_H
#define WEFT_BASE_ROFF_H

#include "base/text.h"

/* .TH: "weft", 1, "weft 0.1.0", "User commands". No date: equal programs print equal pages. */
void roff_begin(struct text *out, const char *name, int section, const char *source,
                const char *manual);

void roff_section(struct text *out, const char *title);    /* .SH, in capitals */
void roff_subsection(struct text *out, const char *title); /* .SS */

/* A paragraph of its own. */
void roff_paragraph(struct text *out, const char *words);

/* An entry of a list: `term` in bold, `value` behind it in italics (may be empty), words beneath. */
void roff_entry(struct text *out, const char *term, const char *value, const char *words);

/* Lines as --help prints them: a blank line begins a paragraph, indented lines stay as they are. */
void roff_lines(struct text *out, const char *lines);

/* Only the words, on the line being written. */
void roff_words(struct text *out, const char *words);

#endif
