/*
 * Pictures beyond pairs, stars and two tiers: every cable once and at its ends, nothing on anything
 * else, at every width from too small to plenty.
 */
#include "cmocka_rows.h"

#include <stdlib.h>
#include <string.h>

#include "fabrics.h"
#include "scenes.h"
#include "ui/bars.h"
#include "ui/picture.h"
#include "ui/place.h"

static struct scene rails(struct scene_mem *mem)
{
    return scene_boxes(
        mem, &(struct box_spec){
                 .boxes = 4, .gpus = 8, .nics = 8, .switches = 8, .nvlink = true, .pcie = true });
}

static struct scene boxes(struct scene_mem *mem)
{
    return scene_boxes(mem, &(struct box_spec){ .boxes = 4,
                                                .gpus = 8,
                                                .nics = 8,
                                                .switches = 4,
                                                .nvlink = true,
                                                .pcie = true,
                                                .memory = true,
                                                .leaves = 2,
                                                .spines = 2 });
}

static struct scene one_root(struct scene_mem *mem)
{
    return scene_boxes(
        mem, &(struct box_spec){
                 .boxes = 3, .gpus = 4, .nics = 2, .pcie = true, .memory = true, .leaves = 1 });
}

static struct scene fat_tree(struct scene_mem *mem)
{
    return scene_fat_tree(mem, 4);
}

static struct scene tiers(struct scene_mem *mem)
{
    return scene_tiers(mem, 8, 4, 8);
}

static struct scene ring(struct scene_mem *mem)
{
    return scene_ring(mem, 5, 2, true);
}

static struct bar_case {
    const char *name;
    struct scene (*make)(struct scene_mem *mem);
    int row_count;
} cases[] = {
    { "rails", rails, 13 },
    { "boxes on leaves", boxes, 8 },
    { "a root, two NICs", one_root, 4 },
    { "fat tree", fat_tree, 8 },
    { "tiers", tiers, 6 },
    { "a ring", ring, 0 },
    { "NIC to NIC", scene_box_pair, 5 },
};

/* The row of a node: of its bar, or of the GPUs. */
static int row_of(const struct ui_bars *b, const struct scene_fabric *f, size_t node)
{
    if (f->node[node].kind != SCENE_NODE_SWITCH) {
        return b->end_row;
    }
    for (size_t i = 0; i < b->bar_count; i++) {
        if (b->bar[i].node == node) {
            return b->bar[i].row;
        }
    }
    fail();
    return -1;
}

/* Each cable has one wire from one end to the other, or two that meet on a bar of its own. */
static void check_wires(const struct ui_bars *b, const struct scene_fabric *f)
{
    size_t *seen = calloc(f->cable_count + 1, sizeof *seen);
    for (size_t i = 0; i < b->wire_count; i++) {
        const struct ui_wire *w = &b->wire[i];
        const struct scene_cable *c = &f->cable[w->cable];
        const size_t low = w->a_low ? c->a : c->b;
        const size_t high = w->a_low ? c->b : c->a;
        seen[w->cable]++;
        assert_true(w->low < w->high);
        bool own = false;
        for (size_t k = 0; k < b->bar_count; k++) {
            own = own || (b->bar[k].node == UI_NONE && b->bar[k].cable == w->cable &&
                          b->bar[k].row == w->high);
        }
        assert_true(row_of(b, f, low) == w->low);
        assert_true(own || row_of(b, f, high) == w->high);
        seen[w->cable] += own ? 0 : 1; /* such a cable has two halves */
    }
    for (size_t i = 0; i < f->cable_count; i++) {
        assert_int_equal(seen[i], 2);
    }
    free(seen);
}

/* No two bars on one another, no two wires in one cell, no wire ends where another passes. */
static void check_apart(const struct ui_bars *b, int w)
{
    char *cell = calloc((size_t)(b->row_count + 1) * (size_t)w, 1);
    for (size_t i = 0; i < b->bar_count; i++) {
        for (int x = b->bar[i].x0; x <= b->bar[i].x1; x++) {
            assert_in_range(x, 0, w - 1);
            assert_int_equal(cell[b->bar[i].row * w + x] & 1, 0);
            cell[b->bar[i].row * w + x] |= 1;
        }
    }
    for (size_t i = 0; i < b->wire_count; i++) {
        const struct ui_wire *wire = &b->wire[i];
        const bool hangs = wire->low < b->end_row;
        for (int row = wire->low + (hangs ? 0 : 1); row <= wire->high - (hangs ? 1 : 0); row++) {
            for (int x = wire->x; x < wire->x + b->wire_w; x++) {
                assert_in_range(x, 0, w - 1);
                assert_int_equal(cell[row * w + x] & 2, 0);
                cell[row * w + x] |= 2;
            }
        }
    }
    free(cell);
}

static void bars_are_sound(void **state)
{
    const struct bar_case *k = *state;
    struct scene_mem mem = { 0 };
    const struct scene s = k->make(&mem);
    struct ui_graph graph;
    ui_graph_init(&graph, &s.fabric);
    int fitted = 0;
    for (int w = 1; w <= 200; w++) {
        struct ui_bars bars;
        ui_bars_init(&bars, &graph, (struct ui_rect){ 0, 0, w, 60 });
        if (bars.fits) {
            fitted++;
            check_wires(&bars, &s.fabric);
            check_apart(&bars, w);
            assert_true(k->row_count == 0 || bars.row_count == k->row_count);
            assert_int_equal(bars.column_count, graph.end_count);
        }
        ui_bars_finish(&bars);
    }
    assert_true(fitted > 100);
    ui_graph_finish(&graph);
    scene_mem_finish(&mem);
}

static void groups_are_boxes(void **state)
{
    (void)state;
    struct scene_mem mem = { 0 };
    const struct scene s = boxes(&mem);
    struct ui_graph graph;
    ui_graph_init(&graph, &s.fabric);
    assert_int_equal(graph.group_count, 4);
    assert_int_equal(graph.gpu_count, 32);
    assert_int_equal(graph.end_count, 36); /* a memory each, behind the GPUs */
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(graph.group[i].count, 9);
        const size_t last = graph.end[graph.group[i].first + 8];
        assert_int_equal(s.fabric.node[last].kind, SCENE_NODE_MEMORY);
    }
    ui_graph_finish(&graph);
    const struct scene plain = scene_tiers(&mem, 3, 1, 2);
    ui_graph_init(&graph, &plain.fabric);
    assert_int_equal(graph.group_count, 3); /* without boxes: leaves */
    ui_graph_finish(&graph);
    scene_mem_finish(&mem);
}

/* Paths stay inside, go cell by cell, and every cable is drawn. */
static void check_paths(const struct ui_place *p, const struct scene_fabric *f, struct ui_rect area)
{
    size_t *seen = calloc(f->cable_count + 1, sizeof *seen);
    for (size_t i = 0; i < p->path_count; i++) {
        const struct ui_path *path = &p->path[i];
        assert_true(path->count > 0);
        seen[path->cable] += path->both ? 2 : 1;
        for (int k = 0; k < path->count; k++) {
            assert_in_range(path->cell[k].x, area.x, area.x + area.w - 1);
            assert_in_range(path->cell[k].y, area.y, area.y + area.h - 1);
            if (k > 0) {
                assert_int_equal(abs(path->cell[k].x - path->cell[k - 1].x) +
                                     abs(path->cell[k].y - path->cell[k - 1].y),
                                 1);
            }
        }
    }
    for (size_t i = 0; i < p->track_count; i++) {
        seen[p->track[i].cable] += p->track[i].w > 0 ? 2 : 0;
        assert_true(p->track[i].x >= area.x && p->track[i].x + p->track[i].w <= area.x + area.w);
    }
    for (size_t i = 0; i < f->cable_count; i++) {
        assert_int_equal(seen[i], 2); /* both directions */
    }
    free(seen);
}

static void rings_are_sound(void **state)
{
    (void)state;
    for (size_t n = 3; n <= 9; n++) {
        for (int w = 20; w <= 200; w += 3) {
            struct scene_mem mem = { 0 };
            const struct scene s = scene_ring(&mem, n, 1 + n % 2, w % 2 == 0);
            const struct ui_rect area = { 2, 1, w, 14 };
            struct ui_place p;
            ui_place_ring_init(&p, &s.fabric, area);
            if (p.fits) {
                assert_int_equal(p.box_count, n);
                check_paths(&p, &s.fabric, area);
            }
            assert_true(p.fits || w < 120);
            ui_place_finish(&p);
            scene_mem_finish(&mem);
        }
    }
}

static void no_ring(void **state)
{
    (void)state;
    struct scene_mem mem = { 0 };
    const struct scene scenes[] = { scene_tiers(&mem, 2, 2, 4), scene_fat_tree(&mem, 4),
                                    scene_star(&mem, 8),        scene_pair(&mem),
                                    scene_box_pair(&mem),       { 0 } };
    for (size_t i = 0; i < COUNT_OF(scenes); i++) {
        struct ui_place p;
        ui_place_ring_init(&p, &scenes[i].fabric, (struct ui_rect){ 0, 0, 200, 60 });
        assert_false(p.fits);
        ui_place_finish(&p);
    }
    scene_mem_finish(&mem);
}

static void places_are_sound(void **state)
{
    (void)state;
    for (int w = 10; w <= 200; w += 5) {
        for (int h = 4; h <= 40; h += 4) {
            struct scene_mem mem = { 0 };
            const struct scene s = scene_placed(&mem, h % 8 == 0);
            const struct ui_rect area = { 1, 1, w, h };
            struct ui_place p;
            ui_place_free_init(&p, &s.fabric, area);
            if (p.fits) {
                assert_int_equal(p.box_count, 2);
                assert_int_equal(p.host_count, 4);
                check_paths(&p, &s.fabric, area);
                assert_true(p.rows <= h);
            }
            assert_true(p.fits == (w >= 33 && h >= 9));
            ui_place_finish(&p);
            scene_mem_finish(&mem);
        }
    }
}

/* A scene in which one node has no place is drawn by its cables. */
static void all_or_none(void **state)
{
    (void)state;
    struct scene_mem mem = { 0 };
    const struct scene s = scene_placed(&mem, false);
    ((struct scene_node *)(uintptr_t)s.fabric.node)[0].row = 0;
    struct ui_place p;
    ui_place_free_init(&p, &s.fabric, (struct ui_rect){ 0, 0, 80, 20 });
    assert_false(p.fits);
    ui_place_finish(&p);
    scene_mem_finish(&mem);
}

int main(void)
{
    struct CMUnitTest tests[COUNT_OF(cases) + 5] = {
        cmocka_unit_test(groups_are_boxes), cmocka_unit_test(rings_are_sound),
        cmocka_unit_test(no_ring),          cmocka_unit_test(places_are_sound),
        cmocka_unit_test(all_or_none),
    };
    size_t n = 5;
    ROWS(tests, n, cases, bars_are_sound);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
