/*
 * One line a GPU, for small screens:
 *
 *     g3 ═P▮▮▮╎▯▯ paused
 *     |  ||`----- bytes that its switch holds from it
 *     |  |`------ the rarest mark on its cable
 *     |  `------- its lane out, as in the picture
 */
#include "ui/bars.h"
#include "ui/lane.h"
#include "ui/picture.h"
#include "ui/view.h"

enum { METER_W = 6, COLUMN_W = 36, NAME_MAX_W = 12 };

static const struct scene_cable *cable_of(const struct scene_fabric *f, size_t node, bool *from_a)
{
    for (size_t i = 0; i < f->cable_count; i++) {
        if (f->cable[i].a == node || f->cable[i].b == node) {
            *from_a = f->cable[i].a == node;
            return &f->cable[i];
        }
    }
    return NULL;
}

static void draw_lane_cells(struct canvas *c, int x, int y, const struct scene_lane *out,
                            const struct scene_lane *in)
{
    enum ui_glyph base = ui_glyph_of_lane(out->state);
    if (out->blurred && out->state == SCENE_LANE_OPEN) {
        base = ui_glyph_of_busy(out->busy);
    }
    canvas_glyph(c, x, y, base);
    const struct scene_mark *mark = ui_lane_top(out);
    const struct scene_mark *back = ui_lane_top(in);
    const bool is_back =
        back != NULL && back->kind != SCENE_MARK_DATA && back->kind != SCENE_MARK_ACK;
    const bool is_out = mark != NULL && (mark->kind == SCENE_MARK_DROP || !is_back);
    if (is_out) {
        canvas_glyph(c, x + 1, y, ui_glyph_of_mark(mark, true));
    } else if (is_back) {
        canvas_glyph(c, x + 1, y, ui_glyph_of_mark(back, false));
    } else {
        canvas_glyph(c, x + 1, y, base);
    }
    ui_meter_draw(c, x + 2, y, METER_W, &out->held, UI_GLYPH_XOFF);
    if (ui_lane_points(out, 0, 1)) {
        canvas_attr(c, x, y, 2, UI_REVERSE);
    }
    canvas_spot_lane(c, (struct ui_rect){ x, y, 2 + METER_W, 1 }, out->id, UI_RIGHT);
}

static void draw_gpu(const struct scene *s, struct canvas *c, size_t node, int name_w, int x, int y,
                     int w)
{
    const struct scene_node *n = &s->fabric.node[node];
    canvas_text_fit(c, x, y, name_w, UI_ROLE_TITLE, n->name);
    if (n->cursor) {
        canvas_attr(c, x, y, name_w, UI_REVERSE);
    }
    canvas_spot(c, (struct ui_rect){ x, y, name_w, 1 }, UI_SPOT_NODE, n->id);
    bool from_a = false;
    const struct scene_cable *cable = cable_of(&s->fabric, node, &from_a);
    x += name_w + 1;
    int left = w - name_w - 1;
    if (cable != NULL) {
        const struct scene_lane *out = from_a ? &cable->ab : &cable->ba;
        draw_lane_cells(c, x, y, out, from_a ? &cable->ba : &cable->ab);
    }
    x += METER_W + 3;
    left -= METER_W + 3;
    const enum ui_glyph state = n->down ? UI_GLYPH_GPU_DEAD : ui_glyph_of_gpu(n->state);
    canvas_glyph(c, x, y, state);
    canvas_text_fit(c, x + 2, y, left - 2, ui_glyph_role(state),
                    n->word != NULL ? n->word : ui_word_of_gpu(n->state, s->flows));
}

static size_t count_gpus(const struct scene_fabric *f, int *name_w)
{
    size_t n = 0;
    *name_w = 2;
    for (size_t i = 0; i < f->node_count; i++) {
        if (f->node[i].kind == SCENE_NODE_GPU) {
            const int w = text_cells(f->node[i].name != NULL ? f->node[i].name : "");
            *name_w = w > *name_w ? w : *name_w;
            n++;
        }
    }
    *name_w = *name_w > NAME_MAX_W ? NAME_MAX_W : *name_w;
    return n;
}

static int columns_in(struct ui_rect r)
{
    return r.w / COLUMN_W < 1 ? 1 : r.w / COLUMN_W;
}

bool ui_gpus_fit(const struct scene *s, struct ui_rect r)
{
    return (int)ui_count_gpus(&s->fabric) <= columns_in(r) * r.h;
}

int ui_gpus_rows(const struct scene *s, int w, int most)
{
    const struct ui_rect r = { 0, 0, w, most };
    const int total = (int)ui_count_gpus(&s->fabric);
    if (ui_gpus_fit(s, r)) {
        return (total + columns_in(r) - 1) / columns_in(r);
    }
    int least, best;
    struct ui_graph graph;
    ui_graph_init(&graph, &s->fabric);
    ui_bars_rows(&graph, w, &least, &best);
    const int rows = least > 0 && least <= most
                         ? most
                         : ui_map_rows(&graph, w) + ui_map_families(&s->fabric) + 1;
    ui_graph_finish(&graph);
    return rows < most ? rows : most;
}

void ui_view_gpus(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    int name_w;
    const int total = (int)count_gpus(&s->fabric, &name_w);
    if (r.w < 1 || r.h < 1 || total == 0) {
        return;
    }
    if (!ui_gpus_fit(s, r)) {
        struct ui_graph graph;
        ui_graph_init(&graph, &s->fabric);
        if (!ui_bars_draw(s, c, r, &graph)) {
            ui_map_draw(s, c, r, &graph);
        }
        ui_graph_finish(&graph);
        return;
    }
    const struct ui_rect before = canvas_clip(c, r);
    const int needed = (total + r.h - 1) / r.h;
    const int columns = columns_in(r) > needed ? needed : columns_in(r);
    const int w = r.w / columns;
    int i = 0;
    for (size_t node = 0; node < s->fabric.node_count; node++) {
        if (s->fabric.node[node].kind == SCENE_NODE_GPU) {
            draw_gpu(s, c, node, name_w, r.x + i / r.h * w, r.y + i % r.h, w - 1);
            i++;
        }
    }
    canvas_unclip(c, before);
}
