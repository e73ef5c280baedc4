/*
 * A cell shows one of the states of its time. What is left over is carried to the next cell, so that a
 * GPU that is paused half the time shows `%` in half of the cells.
 */
#include "ui/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"

enum { WORD_W = 12, NAME_MAX_W = 12 };

/* What each state is still owed, in cells. */
struct shares {
    double owed[SCENE_GPU_STATES];
};

/* Adds each state's share of [t0, t1); `from` is the first run that may matter, and moves on. A state
 * that has no part in the cell is owed nothing more: it is over. */
static void add_shares(struct shares *s, const struct scene_row *row, size_t *from, int64_t t0,
                       int64_t t1)
{
    double part[SCENE_GPU_STATES] = { 0 };
    while (*from < row->run_count && row->run[*from].t1_ps <= t0) {
        ++*from;
    }
    for (size_t i = *from; i < row->run_count && row->run[i].t0_ps < t1; i++) {
        const struct scene_run *run = &row->run[i];
        const int64_t a = run->t0_ps > t0 ? run->t0_ps : t0;
        const int64_t b = run->t1_ps < t1 ? run->t1_ps : t1;
        if ((unsigned)run->state < SCENE_GPU_STATES && b > a) {
            part[run->state] += (double)(b - a) / (double)(t1 - t0);
        }
    }
    for (size_t k = 0; k < SCENE_GPU_STATES; k++) {
        s->owed[k] = part[k] > 0 ? s->owed[k] + part[k] : 0;
    }
}

/* The state that is owed most, which then has had its cell; idle when there is none. */
static enum scene_gpu_state take_state(struct shares *s)
{
    size_t best = SCENE_GPU_IDLE;
    for (size_t k = 1; k < SCENE_GPU_STATES; k++) {
        best = s->owed[k] > s->owed[best] ? k : best;
    }
    s->owed[best] -= 1;
    return (enum scene_gpu_state)best;
}

static void draw_row(struct canvas *c, int x, int y, const struct ui_axis *axis,
                     const struct scene_row *row)
{
    size_t from = 0;
    struct shares shares = { 0 };
    for (int col = 0; col < axis->w; col++) {
        int64_t t0, t1;
        if (!ui_axis_span(axis, col, &t0, &t1)) {
            canvas_glyph(c, x + col, y, UI_GLYPH_CUT);
            continue;
        }
        t1 = t1 < axis->axis->now_ps ? t1 : axis->axis->now_ps; /* the future is not drawn */
        add_shares(&shares, row, &from, t0, t1);
        canvas_glyph(c, x + col, y, ui_glyph_of_gpu(take_state(&shares)));
    }
    for (size_t i = 0; i < row->tick_count; i++) {
        const struct scene_tick *t = &row->tick[i];
        if (t->t_ps >= axis->axis->t0_ps && t->t_ps <= axis->axis->t1_ps) {
            canvas_glyph(c, x + ui_axis_col(axis, t->t_ps), y, ui_glyph_of_tick(t->kind));
        }
    }
}

/* ---- The axis below ---------------------------------------------------------------------------- */

struct labels {
    struct canvas *c;
    int x, y, w;
    bool *taken; /* per column, so that labels keep a blank between them */
};

/* Puts a label with its first cell at `col`, unless it would touch another one or leave the row. */
static bool put_label(struct labels *l, int col, enum ui_role role, const char *text)
{
    const int cells = text_cells(text);
    if (col < 0 || col + cells > l->w) {
        return false;
    }
    for (int i = col; i < col + cells; i++) {
        if (l->taken[i]) {
            return false;
        }
    }
    canvas_text(l->c, l->x + col, l->y, role, text);
    for (int i = col - 1; i <= col + cells; i++) {
        if (i >= 0 && i < l->w) {
            l->taken[i] = true;
        }
    }
    return true;
}

static const char *moment_text(char *buf, size_t size, int64_t t)
{
    if (t == 0) {
        snprintf(buf, size, "0");
        return buf;
    }
    return units_format(buf, size, UNIT_TIME, t);
}

/* The length of what is cut out behind its sign, the time at which it begins before it. */
static void label_cuts(struct labels *l, const struct ui_axis *axis)
{
    for (size_t i = 0; i < axis->cuts; i++) {
        const struct scene_cut *cut = &axis->axis->cut[i];
        const int col = ui_axis_cut_col(axis, i);
        char t[32], text[48];
        snprintf(text, sizeof text, "//%s", moment_text(t, sizeof t, cut->t1_ps - cut->t0_ps));
        bool done = put_label(l, col, UI_ROLE_TITLE, text);
        if (!done) {
            snprintf(text, sizeof text, "cut %s //", t);
            done = put_label(l, col + 2 - text_cells(text), UI_ROLE_TITLE, text);
        }
        if (!done) {
            put_label(l, col, UI_ROLE_TITLE, "//");
        }
        moment_text(t, sizeof t, cut->t0_ps);
        put_label(l, col - 1 - text_cells(t), UI_ROLE_DIM, t);
    }
}

/* At its column, or at the right edge; with the word where there is room. */
static void label_now(struct labels *l, const struct ui_axis *axis)
{
    char t[32], text[48];
    moment_text(t, sizeof t, axis->axis->now_ps);
    snprintf(text, sizeof text, "now %s", t);
    const int at = ui_axis_col(axis, axis->axis->now_ps) + 1;
    const char *const forms[] = { text, t };
    for (size_t i = 0; i < 2; i++) {
        const int cells = text_cells(forms[i]);
        if (put_label(l, at - 1, UI_ROLE_TITLE, forms[i]) ||
            put_label(l, at - cells < 0 ? 0 : at - cells, UI_ROLE_TITLE, forms[i]) ||
            put_label(l, l->w - cells, UI_ROLE_TITLE, forms[i])) {
            return;
        }
    }
}

static void label_barriers(struct labels *l, const struct ui_axis *axis,
                           const struct scene_timeline *tl)
{
    for (size_t i = tl->barrier_count; i-- > 0;) {
        const int64_t at = tl->barrier_ps[i];
        if (at <= axis->axis->t0_ps || at > axis->axis->t1_ps) {
            continue;
        }
        char t[32], text[48];
        const char *bar = ui_glyph_text(UI_GLYPH_BARRIER, l->c->ascii);
        moment_text(t, sizeof t, at);
        const int col = ui_axis_col(axis, at);
        snprintf(text, sizeof text, "%s%s", bar, t);
        bool done = put_label(l, col, UI_ROLE_DIM, text);
        if (!done) {
            snprintf(text, sizeof text, "%s%s", t, bar);
            done = put_label(l, col - text_cells(t), UI_ROLE_DIM, text);
        }
        if (!done) {
            put_label(l, col, UI_ROLE_BARRIER, bar);
        }
    }
}

/* Signs of their own before everything else, so that they find room; they keep no blank beside them. */
static void sign_moments(struct labels *l, const struct ui_axis *axis,
                         const struct ui_moment *moment, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const int col = ui_axis_col(axis, moment[i].t_ps);
        if (moment[i].word == NULL && !l->taken[col]) {
            canvas_glyph(l->c, l->x + col, l->y, moment[i].glyph);
            l->taken[col] = true;
        }
    }
}

/* Those with a word: whole, else the sign alone. */
static void label_moments(struct labels *l, const struct ui_axis *axis,
                          const struct ui_moment *moment, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[48];
        const char *glyph = ui_glyph_text(moment[i].glyph, l->c->ascii);
        const int col = ui_axis_col(axis, moment[i].t_ps);
        snprintf(text, sizeof text, "%s%s", glyph, moment[i].word != NULL ? moment[i].word : "");
        if (moment[i].word != NULL && !put_label(l, col, UI_ROLE_TITLE, text)) {
            put_label(l, col, UI_ROLE_TITLE, glyph);
        }
    }
}

void ui_timeline_axis(struct canvas *c, int x, int y, const struct ui_timeline *t,
                      const struct scene_timeline *tl, const struct ui_moment *moment,
                      size_t moment_count)
{
    const struct ui_axis *axis = &t->axis;
    struct labels l = { .c = c, .x = x + t->name_w + 1, .y = y, .w = axis->w };
    l.taken = mem_alloc((size_t)axis->w + 1, sizeof *l.taken);
    sign_moments(&l, axis, moment, moment_count);
    label_cuts(&l, axis);
    label_now(&l, axis);
    label_moments(&l, axis, moment, moment_count);
    char text[32];
    put_label(&l, 0, UI_ROLE_DIM, moment_text(text, sizeof text, axis->axis->t0_ps));
    label_barriers(&l, axis, tl);
    free(l.taken);
}

/* ---- Rows -------------------------------------------------------------------------------------- */

static int names_w(const struct scene_timeline *tl)
{
    int w = 2;
    for (size_t i = 0; i < tl->row_count; i++) {
        const int n = text_cells(tl->row[i].name != NULL ? tl->row[i].name : "");
        w = n > w ? n : w;
    }
    return w > NAME_MAX_W ? NAME_MAX_W : w;
}

struct ui_timeline ui_timeline(const struct scene_timeline *tl, int w, bool words)
{
    struct ui_timeline t = { .name_w = names_w(tl), .word_w = words ? WORD_W : 0 };
    w -= t.name_w + 1 + t.word_w + (words ? 1 : 0);
    t.axis = ui_axis(&tl->axis, w < 0 ? 0 : w);
    return t;
}

static void draw_barriers(struct canvas *c, int x, int y, int rows, const struct ui_axis *axis,
                          const struct scene_timeline *tl)
{
    for (size_t i = 0; i < tl->barrier_count; i++) {
        const int64_t at = tl->barrier_ps[i];
        if (at <= axis->axis->t0_ps || at > axis->axis->t1_ps) {
            continue;
        }
        for (int k = 0; k < rows; k++) {
            canvas_glyph(c, x + ui_axis_col(axis, at), y + k, UI_GLYPH_BARRIER);
        }
    }
}

size_t ui_timeline_last(const struct scene_timeline *tl, int h)
{
    const size_t room = (size_t)(h > 2 ? h - 1 : 1); /* a row is for how many are left out */
    return h < 1 || tl->row_count <= (size_t)h ? 0 : tl->row_count - room;
}

int ui_timeline_rows(struct canvas *c, struct ui_rect r, const struct ui_timeline *t,
                     const struct scene_timeline *tl, size_t first, const bool *differs)
{
    const struct ui_rect before = canvas_clip(c, r);
    const int x = r.x + t->name_w + 1;
    const size_t last = ui_timeline_last(tl, r.h);
    first = first < last ? first : last;
    const int left = (int)(tl->row_count - first);
    const bool more = (int)tl->row_count > r.h && r.h > 1;
    const int room = more ? r.h - 1 : r.h;
    const int rows = left < room ? left : room;
    for (int i = 0; i < rows; i++) {
        const struct scene_row *row = &tl->row[first + (size_t)i];
        canvas_text_fit(c, r.x, r.y + i, t->name_w, UI_ROLE_TITLE, row->name);
        if (differs != NULL && differs[first + (size_t)i]) {
            canvas_glyph(c, x - 1, r.y + i, UI_GLYPH_DIFFERS);
        }
        draw_row(c, x, r.y + i, &t->axis, row);
        canvas_text_fit(c, r.x + r.w - t->word_w, r.y + i, t->word_w, UI_ROLE_DEFAULT, row->word);
    }
    draw_barriers(c, x, r.y, rows, &t->axis, tl);
    if (more) {
        char text[96];
        snprintf(text, sizeof text, first > 0 ? "%s%s+%d more, %d above" : "%s%s+%d more",
                 tl->order != NULL ? tl->order : "", tl->order != NULL ? ", " : "",
                 (int)tl->row_count - rows, (int)first);
        canvas_text_fit(c, x, r.y + rows, r.x + r.w - x, UI_ROLE_DIM, text);
    }
    canvas_unclip(c, before);
    return rows + (more ? 1 : 0);
}
