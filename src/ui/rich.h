/*
 * Rich text: Markdown and plain pieces, wrapped to a width, drawn from any line on.
 *
 *     struct rich t = { 0 };
 *     rich_markdown(&t, "A *barrier*: nobody goes on ...", UI_ROLE_DEFAULT);
 *     rich_gap(&t);
 *     rich_text(&t, " a  only g1 and g3", 4, UI_ROLE_DEFAULT);
 *     lines = rich_wrap(&t, width);
 *     rich_draw(&t, canvas, rect, first_line);
 *     rich_finish(&t);
 *
 * Wrapping is by grapheme clusters and their cells, at blanks; a word longer than a line is broken.
 * Of Markdown it knows paragraphs, lists, emphasis, code and hard breaks; headings are bold lines,
 * links show their text. Nothing in foreign text can do more than look odd.
 */
#ifndef WEFT_UI_RICH_H
#define WEFT_UI_RICH_H

#include "base/text.h"
#include "ui/canvas.h"

/* A paragraph or list item: bytes of `text`, with a hanging indent. */
struct rich_block {
    size_t start, end;
    int indent;  /* cells before continued lines (and before the first, less its lead) */
    int lead;    /* cells by which the first line hangs out to the left */
    char choice; /* an answer that can be given by pointing at it: its letter; 0: none */
};

struct rich_line {
    size_t start, end; /* bytes; empty: a gap */
    int indent;
    char choice; /* of its block */
};

/* In Markdown: what stands between them is a word of the glossary, and drawn so. They take no cells. */
#define RICH_TERM_ON  "\xee\x80\x80" /* of the characters that are nobody's */
#define RICH_TERM_OFF "\xee\x80\x81"

struct rich {
    struct text text;
    uint8_t *role; /* one for each byte of text */
    size_t role_cap;
    struct rich_block *block;
    size_t block_count, block_cap;
    struct rich_line *line;
    size_t line_count, line_cap;
    bool dense; /* without empty lines, where there is no room for them */
};

void rich_finish(struct rich *t);

/* NULL adds nothing. */
void rich_markdown(struct rich *t, const char *markdown, enum ui_role role);
/* Plain text as a block of its own; continued lines stand `indent` cells in. */
void rich_text(struct rich *t, const char *text, int indent, enum ui_role role);
/* More text for the last block, in another role. */
void rich_more(struct rich *t, const char *text, enum ui_role role);
/* The last block is an answer that can be given: where it is drawn can be pointed at (ui/spot.h). */
void rich_choice(struct rich *t, char letter);
/* An empty line, except at the start, after another one, and in a dense text. */
void rich_gap(struct rich *t);

/* Breaks all blocks into lines of at most `w` cells; returns how many. */
size_t rich_wrap(struct rich *t, int w);
/* Draws the lines from `first` on that fit. */
void rich_draw(const struct rich *t, struct canvas *c, struct ui_rect r, size_t first);

#endif
