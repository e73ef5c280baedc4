#include "ui/rich.h"

#include <stdlib.h>
#include <string.h>

#include <md4c.h>

#include "base/mem.h"
#include "base/units.h"

enum { LIST_INDENT = 2, MAX_DEPTH = 8 };

void rich_finish(struct rich *t)
{
    text_finish(&t->text);
    free(t->role);
    free(t->block);
    free(t->line);
    *t = (struct rich){ 0 };
}

/* ---- Building --------------------------------------------------------------------------------- */

static void add_bytes(struct rich *t, const char *s, size_t bytes, enum ui_role role)
{
    const size_t from = t->text.len;
    text_add_n(&t->text, s, bytes);
    t->role = mem_grow(t->role, &t->role_cap, t->text.len + 1, 1);
    memset(t->role + from, (int)role, bytes);
    if (t->block_count > 0) {
        t->block[t->block_count - 1].end = t->text.len;
    }
}

static void open_block(struct rich *t, int indent, int lead)
{
    t->block = mem_grow(t->block, &t->block_cap, t->block_count + 1, sizeof *t->block);
    t->block[t->block_count++] = (struct rich_block){ .start = t->text.len,
                                                      .end = t->text.len,
                                                      .indent = indent,
                                                      .lead = lead < indent ? lead : indent };
}

void rich_text(struct rich *t, const char *text, int indent, enum ui_role role)
{
    if (text != NULL) {
        open_block(t, indent, indent);
        add_bytes(t, text, strlen(text), role);
    }
}

void rich_more(struct rich *t, const char *text, enum ui_role role)
{
    if (text != NULL) {
        add_bytes(t, text, strlen(text), role);
    }
}

void rich_choice(struct rich *t, char letter)
{
    if (t->block_count > 0) {
        t->block[t->block_count - 1].choice = letter;
    }
}

void rich_gap(struct rich *t)
{
    if (t->block_count == 0 || t->dense) {
        return;
    }
    const struct rich_block *last = &t->block[t->block_count - 1];
    if (last->end > last->start) {
        open_block(t, 0, 0);
    }
}

/* ---- Markdown --------------------------------------------------------------------------------- */

struct reader {
    struct rich *t;
    enum ui_role base;
    int strong, code, heading; /* how deep inside each */
    bool term;                 /* inside a word of the glossary */
    int depth;                 /* of lists */
    unsigned number[MAX_DEPTH];
    bool ordered[MAX_DEPTH];
    bool item_open; /* the item's block exists, its first paragraph joins it */
};

static enum ui_role role_now(const struct reader *r)
{
    if (r->code > 0) {
        return UI_ROLE_CODE;
    }
    if (r->term) {
        return UI_ROLE_TERM;
    }
    return r->strong > 0 || r->heading > 0 ? UI_ROLE_EMPH : r->base;
}

static void open_item(struct reader *r)
{
    const int level = r->depth < 1 ? 0 : r->depth > MAX_DEPTH ? MAX_DEPTH - 1 : r->depth - 1;
    char lead[16] = "\xE2\x80\xA2 "; /* a bullet */
    int cells = LIST_INDENT;
    if (r->ordered[level]) {
        const unsigned n = r->number[level]++;
        char digits[12];
        size_t len = 0;
        for (unsigned v = n % 1000; len == 0 || v > 0; v /= 10) {
            digits[len++] = (char)('0' + v % 10);
        }
        for (size_t i = 0; i < len; i++) {
            lead[i] = digits[len - 1 - i];
        }
        memcpy(lead + len, ". ", 3);
        cells = (int)len + 2;
    }
    open_block(r->t, level * LIST_INDENT + cells, cells);
    rich_more(r->t, lead, UI_ROLE_DIM);
    r->item_open = true;
}

static int on_block_enter(MD_BLOCKTYPE type, void *detail, void *user)
{
    struct reader *r = user;
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) {
        if (r->depth == 0) {
            rich_gap(r->t);
        }
        r->depth++;
        if (r->depth <= MAX_DEPTH) {
            r->ordered[r->depth - 1] = type == MD_BLOCK_OL;
            r->number[r->depth - 1] =
                type == MD_BLOCK_OL ? ((const MD_BLOCK_OL_DETAIL *)detail)->start : 0;
        }
    } else if (type == MD_BLOCK_LI) {
        open_item(r);
    } else if (type == MD_BLOCK_P || type == MD_BLOCK_H || type == MD_BLOCK_CODE) {
        if (!r->item_open) {
            rich_gap(r->t);
            open_block(r->t, r->depth * LIST_INDENT, 0);
        }
        r->item_open = false;
        r->heading += type == MD_BLOCK_H ? 1 : 0;
        r->code += type == MD_BLOCK_CODE ? 1 : 0;
    }
    return 0;
}

static int on_block_leave(MD_BLOCKTYPE type, void *detail, void *user)
{
    struct reader *r = user;
    (void)detail;
    if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) {
        r->depth--;
    } else if (type == MD_BLOCK_LI) {
        r->item_open = false;
    } else if (type == MD_BLOCK_H) {
        r->heading--;
    } else if (type == MD_BLOCK_CODE) {
        r->code--;
    }
    return 0;
}

static int on_span(MD_SPANTYPE type, struct reader *r, int by)
{
    if (type == MD_SPAN_EM || type == MD_SPAN_STRONG) {
        r->strong += by;
    } else if (type == MD_SPAN_CODE) {
        r->code += by;
    }
    return 0;
}

static int on_span_enter(MD_SPANTYPE type, void *detail, void *user)
{
    (void)detail;
    return on_span(type, user, 1);
}

static int on_span_leave(MD_SPANTYPE type, void *detail, void *user)
{
    (void)detail;
    return on_span(type, user, -1);
}

/* Text in which words of the glossary may be marked. A mark at the end is one of a begun word. */
static void add_marked(struct reader *r, const char *s, size_t size)
{
    enum { MARK = sizeof RICH_TERM_ON - 1 };
    size_t from = 0;
    for (size_t i = 0; i + MARK <= size; i++) {
        const bool on = memcmp(s + i, RICH_TERM_ON, MARK) == 0;
        if (on || memcmp(s + i, RICH_TERM_OFF, MARK) == 0) {
            add_bytes(r->t, s + from, i - from, role_now(r));
            r->term = on;
            i += MARK - 1;
            from = i + 1;
        }
    }
    add_bytes(r->t, s + from, size - from, role_now(r));
}

static int on_text(MD_TEXTTYPE type, const MD_CHAR *s, MD_SIZE size, void *user)
{
    struct reader *r = user;
    if (type == MD_TEXT_BR) {
        add_bytes(r->t, "\n", 1, r->base);
    } else if (type == MD_TEXT_SOFTBR) {
        add_bytes(r->t, " ", 1, role_now(r));
    } else if (type == MD_TEXT_NULLCHAR) {
        add_bytes(r->t, "\xEF\xBF\xBD", 3, role_now(r));
    } else {
        add_marked(r, s, size);
    }
    return 0;
}

void rich_markdown(struct rich *t, const char *markdown, enum ui_role role)
{
    if (markdown == NULL) {
        return;
    }
    const MD_PARSER parser = {
        .flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_COLLAPSEWHITESPACE,
        .enter_block = on_block_enter,
        .leave_block = on_block_leave,
        .enter_span = on_span_enter,
        .leave_span = on_span_leave,
        .text = on_text,
    };
    struct reader r = { .t = t, .base = role };
    rich_gap(t);
    md_parse(markdown, (MD_SIZE)strlen(markdown), &parser, &r);
}

/* ---- Wrapping --------------------------------------------------------------------------------- */

static void add_line(struct rich *t, const struct rich_block *block, size_t start, size_t end,
                     int indent)
{
    t->line = mem_grow(t->line, &t->line_cap, t->line_count + 1, sizeof *t->line);
    t->line[t->line_count++] = (struct rich_line){ start, end, indent, block->choice };
}

/* One line from `pos` within `w` cells; returns where the next one starts. */
static size_t break_line(const struct rich *t, size_t pos, size_t end, int w, size_t *line_end)
{
    const char *s = text_str(&t->text);
    int used = 0;
    size_t at = pos;
    size_t blank = 0;  /* last place to break, 0: none */
    size_t joined = 0; /* last blank before a unit, for lines that have no other */
    struct text_cluster k;
    while (at < end) {
        const size_t before = at;
        if (s[at] == '\n') {
            *line_end = at;
            return at + 1;
        }
        if (s[at] == ' ' && at > pos) {
            *(units_joined(s + pos, s + at) ? &joined : &blank) = at;
        }
        text_next(s, end, &at, &k);
        if (used + k.cells > w && s[before] != ' ') {
            blank = blank > 0 ? blank : joined;
            *line_end = blank > 0 ? blank : before > pos ? before : at;
            at = *line_end;
            while (at < end && s[at] == ' ') {
                at++;
            }
            return at;
        }
        used += k.cells;
    }
    *line_end = end;
    return end;
}

size_t rich_wrap(struct rich *t, int w)
{
    t->line_count = 0;
    for (size_t i = 0; i < t->block_count; i++) {
        const struct rich_block *b = &t->block[i];
        size_t pos = b->start;
        if (pos == b->end) {
            add_line(t, b, pos, pos, 0);
        }
        int indent = b->indent - b->lead;
        while (pos < b->end) {
            const int room = w - indent > 1 ? w - indent : 1;
            size_t line_end;
            const size_t next = break_line(t, pos, b->end, room, &line_end);
            add_line(t, b, pos, line_end, w - indent > 1 ? indent : 0);
            pos = next;
            indent = b->indent < w / 2 ? b->indent : 0;
        }
    }
    while (t->line_count > 0 &&
           t->line[t->line_count - 1].start == t->line[t->line_count - 1].end) {
        t->line_count--; /* a gap at the end */
    }
    return t->line_count;
}

/* ---- Drawing ---------------------------------------------------------------------------------- */

static void draw_line(const struct rich *t, struct canvas *c, int x, int y,
                      const struct rich_line *line)
{
    const char *s = text_str(&t->text);
    size_t pos = line->start;
    while (pos < line->end) {
        size_t to = pos + 1;
        while (to < line->end && t->role[to] == t->role[pos]) {
            to++;
        }
        x += canvas_text_n(c, x, y, (enum ui_role)t->role[pos], s + pos, to - pos);
        pos = to;
    }
}

void rich_draw(const struct rich *t, struct canvas *c, struct ui_rect r, size_t first)
{
    const struct ui_rect before = canvas_clip(c, r);
    for (int y = 0; y < r.h && first + (size_t)y < t->line_count; y++) {
        const struct rich_line *line = &t->line[first + (size_t)y];
        draw_line(t, c, r.x + line->indent, r.y + y, line);
        if (line->choice != '\0') {
            canvas_spot(c, (struct ui_rect){ r.x, r.y + y, r.w, 1 }, UI_SPOT_CHOICE,
                        (uint32_t)line->choice);
        }
    }
    canvas_unclip(c, before);
}
