#include "ui/axis.h"

enum { CUT_W = 2 };

struct ui_axis ui_axis(const struct scene_axis *axis, int w)
{
    struct ui_axis a = { .axis = axis, .w = w, .cuts = axis->cut_count };
    if (a.cuts > (size_t)(w > 0 ? w : 0) / (2 * CUT_W)) {
        a.cuts = 0;
    }
    a.span = axis->t1_ps - axis->t0_ps;
    for (size_t i = 0; i < a.cuts; i++) {
        a.span -= axis->cut[i].t1_ps - axis->cut[i].t0_ps;
    }
    a.span = a.span < 1 ? 1 : a.span;
    return a;
}

static int plain_w(const struct ui_axis *a)
{
    return a->w - (int)a->cuts * CUT_W;
}

/* Column at which `drawn` ps of uncut time end, cuts not counted. */
static int col_of_drawn(const struct ui_axis *a, int64_t drawn)
{
    return (int)((double)drawn / (double)a->span * plain_w(a) + 0.5);
}

/* Uncut time before `t`, and how many cuts begin before it. */
static int64_t drawn_before(const struct ui_axis *a, int64_t t, size_t *cuts)
{
    int64_t drawn = t - a->axis->t0_ps;
    *cuts = 0;
    for (size_t i = 0; i < a->cuts && a->axis->cut[i].t0_ps < t; i++) {
        const struct scene_cut *cut = &a->axis->cut[i];
        drawn -= (t < cut->t1_ps ? t : cut->t1_ps) - cut->t0_ps;
        *cuts += t >= cut->t1_ps ? 1 : 0;
    }
    return drawn;
}

int ui_axis_col(const struct ui_axis *a, int64_t t)
{
    size_t cuts;
    const int64_t drawn = drawn_before(a, t, &cuts);
    int col = (int)((double)drawn / (double)a->span * plain_w(a));
    if (cuts > 0) { /* never left of the cut that lies before */
        const int low = ui_axis_cut_col(a, cuts - 1) - (int)(cuts - 1) * CUT_W;
        col = col < low ? low : col;
    }
    col += (int)cuts * CUT_W;
    return col < 0 ? 0 : col > a->w - 1 ? a->w - 1 : col;
}

int ui_axis_cut_col(const struct ui_axis *a, size_t cut)
{
    size_t before;
    const int64_t drawn = drawn_before(a, a->axis->cut[cut].t0_ps, &before);
    return col_of_drawn(a, drawn) + (int)cut * CUT_W;
}

bool ui_axis_span(const struct ui_axis *a, int col, int64_t *t0, int64_t *t1)
{
    int first = 0;
    int64_t from = a->axis->t0_ps;
    int64_t to = a->axis->t1_ps;
    int end = a->w;
    for (size_t i = 0; i < a->cuts; i++) {
        const int at = ui_axis_cut_col(a, i);
        if (col < at) {
            to = a->axis->cut[i].t0_ps;
            end = at;
            break;
        }
        if (col < at + CUT_W) {
            return false;
        }
        from = a->axis->cut[i].t1_ps;
        first = at + CUT_W;
    }
    const int n = end - first;
    if (n < 1 || col < first || col >= end) {
        return false;
    }
    const double per = (double)(to - from) / n;
    *t0 = from + (int64_t)(per * (col - first));
    *t1 = from + (int64_t)(per * (col - first + 1));
    return true;
}
