/*
 * The presenter's layout: one picture and one sentence, with air. It is for a projector, where 60x20 cells
 * fill a wall, and for whoever would rather look at one thing.
 *
 *     title                          4/9
 *
 *         the fabric, or (Tab) what took its place
 *
 *         One sentence, its lines apart,
 *
 *         or the question and its answers.
 *     what became of the packet that was destroyed          1 of 3
 *     keys
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/picture.h"
#include "ui/sentence.h"
#include "ui/view.h"

enum { TEXT_MAX_W = 64, TEXT_MIN_ROWS = 4, PICTURE_MIN_ROWS = 5 };

static int at_most(int v, int high)
{
    return v > high ? high : v;
}

static int at_least(int v, int low)
{
    return v < low ? low : v;
}

static void add_choices(struct rich *t, const struct scene *s)
{
    const struct scene_question *q = &s->question;
    rich_markdown(t, q->ask, UI_ROLE_TITLE);
    ui_add_choices(t, s);
    if (q->hint != NULL) {
        rich_gap(t);
        rich_markdown(t, q->hint, UI_ROLE_DEFAULT);
    }
}

static void add_sentence(struct rich *t, const char *markdown, size_t n)
{
    size_t len = 0;
    const char *from = ui_sentence(markdown, n, &len);
    char *one = mem_strndup(from, len);
    rich_markdown(t, one, UI_ROLE_TITLE);
    free(one);
}

/* While a question is open, it is what there is to say; then what the run did in silence; then the card,
 * which is the reply once the question is judged. */
static void say(struct rich *t, const struct scene *s)
{
    const bool asks = s->question.asking != SCENE_ASK_NONE &&
                      s->question.asking != SCENE_ASK_DONE &&
                      s->question.asking != SCENE_ASK_PENDING;
    if (asks) {
        add_choices(t, s);
    } else if (s->quiet != NULL && s->question.asking != SCENE_ASK_DONE) {
        rich_markdown(t, s->quiet, UI_ROLE_TITLE);
    } else if (s->prose_count > 0) {
        add_sentence(t, s->prose[0].markdown, s->sentence);
    }
}

size_t ui_present_sentences(const struct scene *s)
{
    return s->prose_count > 0 ? ui_sentences(s->prose[0].markdown) : 0;
}

/* Every second row where they all have room so, else row by row. */
static void draw_text(const struct rich *t, struct canvas *c, struct ui_rect r, int lines)
{
    const int pace = 2 * lines - 1 <= r.h ? 2 : 1;
    for (int i = 0; i < lines && i * pace < r.h; i++) {
        rich_draw(t, c, (struct ui_rect){ r.x, r.y + i * pace, r.w, 1 }, (size_t)i);
    }
}

/* "2 of 3": where the card has more to say. */
static void draw_place(const struct scene *s, struct canvas *c, int x, int y)
{
    const size_t count = ui_present_sentences(s);
    char said[48];
    if (count > 1 && s->quiet == NULL && s->question.asking == SCENE_ASK_NONE) {
        snprintf(said, sizeof said, "%zu of %zu", s->sentence + 1 < count ? s->sentence + 1 : count,
                 count);
        canvas_text(c, x - text_cells(said), y, UI_ROLE_DIM, said);
    }
}

static void draw_picture(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    if (s->view == SCENE_VIEW_TIMELINE) {
        ui_view_timeline(s, c, r);
    } else if (s->view == SCENE_VIEW_PLOT) {
        ui_view_plot(s, c, r);
    } else {
        ui_view_fabric(s, c, r);
    }
}

void ui_view_present(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct rich t = { 0 };
    say(&t, s);
    const int text_w = at_most(at_least(r.w - 8, at_most(r.w, 16)), TEXT_MAX_W);
    const int lines = (int)rich_wrap(&t, text_w);
    const int air = r.h >= 16 ? 1 : 0;
    const int body = r.h - 2 - air; /* without header and footer */
    /* What the picture needs comes first, then the text with its lines apart, then a picture with air. */
    int least = 0, best = 0;
    ui_picture_rows(&s->fabric, r.w, at_least(body - lines - air, 0), &least, &best);
    const int wants = at_least(2 * lines - 1, TEXT_MIN_ROWS);
    int text_rows = at_most(at_least(at_most(wants, body - air - least), lines), body);
    int picture_rows = at_least(body - air - text_rows, 0);
    picture_rows = picture_rows < PICTURE_MIN_ROWS ? 0 : picture_rows;
    const int x = r.x + (r.w - text_w) / 2;
    const int y = r.y + 1 + air;
    ui_line_header(s, c, (struct ui_rect){ r.x, r.y, r.w, 1 });
    if (picture_rows > 0) {
        draw_picture(s, c, (struct ui_rect){ r.x, y, r.w, picture_rows });
    }
    const int text_y = y + (picture_rows > 0 ? picture_rows + air : 0);
    const int text_end = r.y + r.h - 1 - (s->follow != NULL);
    draw_text(&t, c, (struct ui_rect){ x, text_y, text_w, text_end - text_y }, lines);
    draw_place(s, c, r.x + r.w - 1, r.y + r.h - 2);
    if (s->follow != NULL) { /* what became of the packet that was destroyed */
        canvas_text_fit(c, r.x + 1, r.y + r.h - 2, r.w - 10, UI_ROLE_DEFAULT, s->follow);
    }
    ui_line_footer(s, c, (struct ui_rect){ r.x, r.y + r.h - 1, r.w, 1 });
    rich_finish(&t);
}
