/* Placement: which fabrics are drawn as a picture, and that nothing lies on anything else. */
#include "cmocka_rows.h"

#include "scenes.h"
#include "ui/place.h"

static struct place_case {
    const char *name;
    size_t leaves, spines, gpus; /* leaves 0: a pair */
    int w, h;
    bool fits;
    size_t boxes, tracks;
    int rows;
} cases[] = {
    { "two leaves, two spines", 2, 2, 4, 80, 10, true, 4, 12, 10 },
    { "with air", 2, 2, 4, 82, 13, true, 4, 12, 13 },
    { "one row short", 2, 2, 4, 80, 9, false, 0, 0, 0 },
    { "half a screen", 2, 2, 4, 59, 10, true, 4, 12, 10 },
    { "too narrow", 2, 2, 4, 52, 20, false, 0, 0, 0 },
    { "more spines than GPUs ask for", 2, 4, 4, 80, 18, true, 6, 16, 18 },
    { "four leaves stand in pairs", 4, 2, 4, 82, 20, true, 8, 24, 20 },
    { "three leaves", 3, 1, 2, 80, 12, true, 5, 9, 12 },
    { "one switch", 1, 0, 8, 80, 10, true, 1, 8, 10 },
    { "one switch, an odd GPU", 1, 0, 5, 80, 8, true, 1, 5, 8 },
    { "one switch, one GPU", 1, 0, 1, 80, 8, true, 1, 1, 4 },
    { "one switch, narrow", 1, 0, 8, 40, 10, true, 1, 8, 10 },
    { "a trunk between two leaves", 2, 0, 4, 80, 10, true, 2, 9, 10 },
    { "a pair", 0, 0, 2, 80, 10, true, 0, 1, 3 },
    { "a pair on two rows", 0, 0, 2, 14, 2, true, 0, 1, 2 },
    { "sixteen GPUs on two leaves", 2, 2, 8, 80, 18, true, 4, 20, 18 },
};

static struct scene scene_of(struct scene_mem *mem, const struct place_case *k)
{
    return k->leaves == 0   ? scene_pair(mem)
           : k->leaves == 1 ? scene_star(mem, k->gpus)
                            : scene_tiers(mem, k->leaves, k->spines, k->gpus);
}

static void assert_inside(struct ui_rect r, struct ui_rect area)
{
    assert_true(r.x >= area.x && r.y >= area.y);
    assert_true(r.x + r.w <= area.x + area.w && r.y + r.h <= area.y + area.h);
}

/* Each cell is taken once: by a box, a lane or a name. */
static void assert_apart(const struct ui_place *p, struct ui_rect area)
{
    struct canvas c;
    canvas_init(&c);
    canvas_resize(&c, area.x + area.w, area.y + area.h);
    size_t n = 0;
    struct ui_rect r[256];
    for (size_t i = 0; i < p->box_count; i++) {
        r[n++] = p->box[i].rect;
    }
    for (size_t i = 0; i < p->track_count; i++) {
        r[n++] = (struct ui_rect){ p->track[i].x, p->track[i].y, p->track[i].w, 2 };
    }
    for (size_t i = 0; i < p->host_count; i++) {
        r[n++] = (struct ui_rect){ p->host[i].x, p->host[i].y, p->host[i].name_w, 1 };
    }
    for (size_t i = 0; i < n; i++) {
        assert_inside(r[i], area);
        for (int y = r[i].y; y < r[i].y + r[i].h; y++) {
            for (int x = r[i].x; x < r[i].x + r[i].w; x++) {
                assert_string_equal(canvas_at(&c, x, y)->glyph, " ");
                canvas_text(&c, x, y, UI_ROLE_DEFAULT, "x");
            }
        }
    }
    canvas_finish(&c);
}

static void places(void **state)
{
    const struct place_case *k = *state;
    struct scene_mem mem = { 0 };
    const struct scene s = scene_of(&mem, k);
    const struct ui_rect area = { 3, 2, k->w, k->h };
    struct ui_place p;
    ui_place_init(&p, &s.fabric, area);
    assert_int_equal(p.fits, k->fits);
    if (k->fits) {
        assert_int_equal(p.box_count, k->boxes);
        assert_int_equal(p.track_count, k->tracks);
        assert_int_equal(p.rows, k->rows);
        assert_apart(&p, area);
    }
    ui_place_finish(&p);
    scene_mem_finish(&mem);
}

/* The left end of a track is what its cable says. */
static void tracks_know_their_ends(void **state)
{
    (void)state;
    struct scene_mem mem = { 0 };
    const struct scene s = scene_tiers(&mem, 2, 2, 4);
    struct ui_place p;
    ui_place_init(&p, &s.fabric, (struct ui_rect){ 0, 0, 80, 10 });
    for (size_t i = 0; i < p.track_count; i++) {
        const struct ui_track *t = &p.track[i];
        const struct scene_cable *c = &s.fabric.cable[t->cable];
        const size_t left = t->a_left ? c->a : c->b;
        const size_t right = t->a_left ? c->b : c->a;
        if (t->left_box != UI_NO_BOX) {
            assert_int_equal(p.box[t->left_box].node, left);
            assert_int_equal(p.box[t->left_box].rect.x + p.box[t->left_box].rect.w, t->x);
        }
        if (t->right_box != UI_NO_BOX) {
            assert_int_equal(p.box[t->right_box].node, right);
            assert_int_equal(p.box[t->right_box].rect.x, t->x + t->w);
        }
    }
    ui_place_finish(&p);
    scene_mem_finish(&mem);
}

/* Shapes that are not drawn: they must be refused, not drawn wrongly. */
static void refuses_other_shapes(void **state)
{
    (void)state;
    static const struct scene_node node[] = {
        { .name = "g1" },
        { .name = "g2" },
        { .name = "a", .kind = SCENE_NODE_SWITCH },
        { .name = "b", .kind = SCENE_NODE_SWITCH },
        { .name = "c", .kind = SCENE_NODE_SWITCH },
    };
    static const struct scene_cable ring[] = { { .a = 0, .b = 2 },
                                               { .a = 1, .b = 3 },
                                               { .a = 2, .b = 3 },
                                               { .a = 3, .b = 4 },
                                               { .a = 4, .b = 2 } };
    static const struct scene_cable twice[] = { { .a = 0, .b = 2 },
                                                { .a = 1, .b = 3 },
                                                { .a = 2, .b = 4 },
                                                { .a = 2, .b = 4 },
                                                { .a = 3, .b = 4 } };
    static const struct scene_cable beyond[] = { { .a = 0, .b = 2 }, { .a = 1, .b = 99 } };
    static const struct scene_cable two_nics[] = { { .a = 0, .b = 2 }, { .a = 0, .b = 3 } };
    const struct scene_fabric fabrics[] = {
        { node, 5, ring, 5 },     { node, 5, twice, 5 }, { node, 5, beyond, 2 },
        { node, 5, two_nics, 2 }, { node, 5, NULL, 0 },  { 0 },
    };
    for (size_t i = 0; i < COUNT_OF(fabrics); i++) {
        struct ui_place p;
        int least;
        int best;
        ui_place_init(&p, &fabrics[i], (struct ui_rect){ 0, 0, 200, 60 });
        assert_false(p.fits);
        ui_place_finish(&p);
        ui_place_rows(&fabrics[i], &least, &best);
        assert_int_equal(least, 0);
    }
}

int main(void)
{
    struct CMUnitTest tests[COUNT_OF(cases) + 2] = {
        cmocka_unit_test(tracks_know_their_ends),
        cmocka_unit_test(refuses_other_shapes),
    };
    size_t n = 2;
    ROWS(tests, n, cases, places);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
