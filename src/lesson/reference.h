/*
 * The author's reference, printed from the tables that the program itself reads lessons by: LESSON_FIELDS,
 * SIM_KNOBS, SIM_CMD_FORMS, LESSON_RULES, lesson_measured() and lesson_moment_field(). Nothing in it is written twice.
 *
 * Appends to `out`; equal programs print equal bytes.
 */
#ifndef WEFT_LESSON_REFERENCE_H
#define WEFT_LESSON_REFERENCE_H

#include "base/text.h"

/* Plain lines of at most 80 cells, for `weft api`. */
void lesson_reference_text(struct text *out);

/* The reference part of lessons/README.md. */
void lesson_reference_markdown(struct text *out);

/* weft-lesson(5), as roff. */
void lesson_reference_roff(struct text *out);

/* One JSON object for programs; what is in it stands in reference_json.c. `version` is that of weft. */
void lesson_reference_json(struct text *out, const char *version);

/* Annotations of the Lua language server, so that editors complete: lua-scripts/meta/weft.lua. */
void lesson_reference_lua(struct text *out);

#endif
