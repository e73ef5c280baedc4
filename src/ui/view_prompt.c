/*
 * Over the line that is typed: how the command is written, what may stand there, what is known of it.
 *
 *     ─ set KNOB VALUE ──────────────────────────────────
 *      none   pfc (now)   credits
 *      flow_control: none | pfc | credits; default pfc, now pfc. who may stop a sender ...
 *     :set flow_control
 */
#include <stdio.h>
#include <string.h>

#include "ui/rich.h"
#include "ui/view.h"

enum { NOTE_ROWS = 3, GAP = 3 };

static bool has(const char *text)
{
    return text != NULL && text[0] != '\0';
}

static int offer_cells(const struct scene_offer *o)
{
    return text_cells(o->text) + (o->mark != NULL ? text_cells(o->mark) + 3 : 0);
}

/* The first one shown: the one that was put there has room. */
static size_t first_offer(const struct scene_prompt *p, int w)
{
    size_t first = 0;
    int used = 0;
    for (size_t i = 0; i < p->offer_at && i < p->offer_count; i++) {
        used += offer_cells(&p->offer[i]) + GAP;
        while (used > w - 8 && first < i) {
            used -= offer_cells(&p->offer[first++]) + GAP;
        }
    }
    return first;
}

static void draw_offers(const struct scene_prompt *p, struct canvas *c, struct ui_rect r)
{
    const size_t first = first_offer(p, r.w);
    int x = r.x + 1;
    if (first > 0) {
        x += canvas_text(c, x, r.y, UI_ROLE_DIM, "< ");
    }
    size_t i = first;
    for (; i < p->offer_count; i++) {
        const struct scene_offer *o = &p->offer[i];
        const bool last = i + 1 == p->offer_count && p->offer_more == 0;
        if (x + offer_cells(o) + (last ? 0 : 6) > r.x + r.w && i > first) {
            break;
        }
        x += canvas_text(c, x, r.y, i + 1 == p->offer_at ? UI_ROLE_SELECTED : UI_ROLE_VALUE,
                         o->text);
        if (o->mark != NULL) {
            char mark[32];
            snprintf(mark, sizeof mark, " (%.24s)", o->mark);
            x += canvas_text(c, x, r.y, UI_ROLE_DIM, mark);
        }
        x += GAP;
    }
    const size_t more = p->offer_count - i + p->offer_more;
    if (more > 0) {
        canvas_textf(c, x, r.y, UI_ROLE_DIM, "+%zu", more);
    }
}

void ui_view_prompt(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct scene_prompt *p = &s->prompt;
    const bool small = r.h < 16; /* a picture of twelve rows: two lines */
    const char *note = has(p->error) ? p->error : p->note;
    if (!p->shown || r.h < 4 || (p->offer_count == 0 && !has(note))) {
        return;
    }
    struct rich text = { 0 };
    if (has(note)) {
        rich_text(&text, note, 0, has(p->error) ? UI_ROLE_WRONG : UI_ROLE_DEFAULT);
    }
    int lines = (int)rich_wrap(&text, r.w - 2);
    lines = lines > NOTE_ROWS ? NOTE_ROWS : lines;
    lines = small && lines > 2 ? 2 : lines;
    const int offers = p->offer_count > 0 ? 1 : 0;
    const int h = lines + offers + 1;
    int y = r.y + r.h - h;
    const struct ui_rect before = canvas_clip(c, r);
    canvas_blank(c, (struct ui_rect){ r.x, y, r.w, h });
    ui_heading(c, (struct ui_rect){ r.x, y++, r.w, 1 },
               has(p->form) ? p->form : "what can be typed");
    if (offers > 0) {
        draw_offers(p, c, (struct ui_rect){ r.x, y++, r.w, 1 });
    }
    rich_draw(&text, c, (struct ui_rect){ r.x + 1, y, r.w - 2, lines }, 0);
    rich_finish(&text);
    canvas_unclip(c, before);
}
