#include "export/cast.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* ---- what a terminal is sent ------------------------------------------------------------------ */

/* SGR parameters of a style, from a clean one. */
static void add_style(struct text *out, struct ui_style style)
{
    static const struct {
        enum ui_attr attr;
        int sgr;
    } attrs[] = { { UI_BOLD, 1 }, { UI_DIM, 2 }, { UI_UNDERLINE, 4 }, { UI_REVERSE, 7 } };
    text_add(out, "\033[0");
    for (size_t i = 0; i < sizeof attrs / sizeof *attrs; i++) {
        if ((style.attr & attrs[i].attr) != 0) {
            text_addf(out, ";%d", attrs[i].sgr);
        }
    }
    if (style.fg >= 16) {
        text_addf(out, ";38;5;%d", style.fg);
    } else if (style.fg >= 0) {
        text_addf(out, ";%d", style.fg < 8 ? 30 + style.fg : 82 + style.fg);
    }
    text_add(out, "m");
}

static struct ui_style style_of(const struct ui_cell *cell, struct export_look look)
{
    struct ui_style style = ui_theme_style((enum ui_role)cell->role, look.theme, look.palette);
    style.attr |= cell->attr;
    return style;
}

/* A cell is sent when it differs, and with it the other half of a wide one. */
static bool is_sent(const struct canvas *now, const struct canvas *before, int x, int y)
{
    return canvas_differs(now, before, x, y) ||
           (canvas_at(now, x, y)->glyph[0] != '\0' && x + 1 < now->w &&
            canvas_at(now, x + 1, y)->glyph[0] == '\0' && canvas_differs(now, before, x + 1, y));
}

struct pen {
    int x, y; /* where the next glyph would go */
    struct ui_style style;
    bool known; /* the style is */
};

static void send_cell(struct text *out, struct pen *pen, const struct canvas *c, int x, int y,
                      struct export_look look)
{
    const struct ui_cell *cell = canvas_at(c, x, y);
    const struct ui_style style = style_of(cell, look);
    if (cell->glyph[0] == '\0') {
        return; /* came with its left half */
    }
    if (pen->x != x || pen->y != y) {
        text_addf(out, "\033[%d;%dH", y + 1, x + 1);
    }
    if (!pen->known || style.attr != pen->style.attr || style.fg != pen->style.fg) {
        add_style(out, style);
    }
    text_add(out, cell->glyph);
    const bool wide = x + 1 < c->w && canvas_at(c, x + 1, y)->glyph[0] == '\0';
    *pen = (struct pen){ .x = x + (wide ? 2 : 1), .y = y, .style = style, .known = true };
}

void export_cast_changes(struct text *out, const struct canvas *now, const struct canvas *before,
                         struct export_look look)
{
    struct pen pen = { .x = -1 };
    if (before->w != now->w || before->h != now->h) {
        text_add(out, "\033[0m\033[2J\033[?25l");
    }
    for (int y = 0; y < now->h; y++) {
        for (int x = 0; x < now->w; x++) {
            if (is_sent(now, before, x, y)) {
                send_cell(out, &pen, now, x, y, look);
            }
        }
    }
}

/* ---- the file --------------------------------------------------------------------------------- */

struct export_cast {
    struct sink *sink;
    struct export_look look;
    char *title;
    struct canvas last;
    bool begun;
    struct text mark; /* a line that waits for its frame */
    struct text line, data;
};

struct export_cast *export_cast_create(struct sink *sink, struct export_look look,
                                       const char *title)
{
    struct export_cast *cast = mem_alloc(1, sizeof *cast);
    cast->sink = sink;
    cast->look = look;
    cast->title = mem_strdup(title);
    canvas_init(&cast->last);
    return cast;
}

void export_cast_destroy(struct export_cast *cast)
{
    if (cast == NULL) {
        return;
    }
    canvas_finish(&cast->last);
    text_finish(&cast->mark);
    text_finish(&cast->line);
    text_finish(&cast->data);
    free(cast->title);
    free(cast);
}

static void add_string(struct text *out, const char *s)
{
    text_add(out, "\"");
    for (; *s != '\0'; s++) {
        const unsigned char c = (unsigned char)*s;
        if (c < 0x20 || c == 0x7f) {
            text_addf(out, "\\u%04x", c);
        } else {
            text_addf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
        }
    }
    text_add(out, "\"");
}

static void add_event(struct text *out, int64_t ms, const char *code, const char *data)
{
    text_addf(out, "[%" PRId64 ".%03" PRId64 ",\"%s\",", ms / 1000, ms % 1000, code);
    add_string(out, data);
    text_add(out, "]\n");
}

static bool begin(struct export_cast *cast, const struct canvas *canvas)
{
    text_addf(&cast->line, "{\"version\":2,\"width\":%d,\"height\":%d,\"title\":", canvas->w,
              canvas->h);
    add_string(&cast->line, cast->title);
    text_add(&cast->line, ",\"env\":{\"TERM\":\"xterm-256color\"}}\n");
    cast->begun = true;
    return sink_add_text(cast->sink, &cast->line);
}

bool export_cast_mark(struct export_cast *cast, const char *label, int64_t ms)
{
    add_event(&cast->mark, ms, "m", label);
    return sink_takes(cast->sink);
}

bool export_cast_add(struct export_cast *cast, const struct canvas *canvas, int64_t ms)
{
    if (!cast->begun && !begin(cast, canvas)) {
        return false;
    }
    if (cast->mark.len > 0 && !sink_add_text(cast->sink, &cast->mark)) {
        return false;
    }
    text_clear(&cast->data);
    export_cast_changes(&cast->data, canvas, &cast->last, cast->look);
    canvas_copy(&cast->last, canvas);
    if (cast->data.len == 0) {
        return sink_takes(cast->sink);
    }
    add_event(&cast->line, ms, "o", text_str(&cast->data));
    return sink_add_text(cast->sink, &cast->line);
}

bool export_cast_end(struct export_cast *cast, int64_t ms)
{
    if (sink_takes(cast->sink)) {
        add_event(&cast->line, ms, "o", "\033[0m\033[?25h");
        (void)sink_add_text(cast->sink, &cast->line);
    }
    return sink_tail(cast->sink, "", "");
}
