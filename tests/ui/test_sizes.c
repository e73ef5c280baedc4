/*
 * Any size: every scene at every size of a staircase, at the sizes that broke other programs, and
 * what must hold in each frame: no cell outside its set, rows whole, the same frame again.
 */
#include "cmocka_rows.h"

#include <string.h>

#include "base/rng.h"
#include "fabrics.h"
#include "scenes.h"
#include "ui/layout.h"
#include "ui/ui.h"

/* Every cell is one cluster of one or two cells; in ASCII one printable character. */
static void assert_sound(const struct canvas *c)
{
    for (int y = 0; y < c->h; y++) {
        int cells = 0;
        for (int x = 0; x < c->w; x++) {
            const char *glyph = canvas_at(c, x, y)->glyph;
            cells += text_cells(glyph);
            if (c->ascii) {
                assert_int_equal(strlen(glyph), 1);
                assert_in_range((unsigned char)glyph[0], 0x20, 0x7E);
            }
        }
        assert_int_equal(cells, c->w);
    }
}

static void draw_all_views(const struct scene *from, int w, int h)
{
    struct scene scene = *from;
    struct canvas a;
    struct canvas b;
    canvas_init(&a);
    canvas_init(&b);
    for (unsigned view = 0; view <= SCENE_VIEWS; view++) { /* one more than there are */
        scene.view = (enum scene_view)view;
        scene.ascii = view % 2 == 1;
        canvas_resize(&a, w, h);
        ui_draw(&scene, &a);
        assert_sound(&a);
        canvas_resize(&b, w, h);
        ui_draw(&scene, &b);
        for (int i = 0; i < w * h; i++) {
            assert_false(canvas_differs(&a, &b, i % w, i / w));
        }
    }
    canvas_finish(&a);
    canvas_finish(&b);
}

/* Pictures that are no lanes: at every size some of them fit, and some do not. */
static void draw_fabrics(int w, int h)
{
    struct scene_mem mem = { 0 };
    const struct box_spec servers = { .boxes = 3,
                                      .gpus = 8,
                                      .nics = 4,
                                      .switches = 4,
                                      .nvlink = true,
                                      .pcie = true,
                                      .memory = true,
                                      .leaves = 2,
                                      .spines = 2 };
    const struct scene scenes[] = {
        scene_boxes(&mem, &servers), scene_fat_tree(&mem, 4),          scene_ring(&mem, 6, 2, true),
        scene_placed(&mem, true),    scene_fast(scene_box_pair(&mem)),
    };
    for (size_t i = 0; i < COUNT_OF(scenes); i++) {
        draw_all_views(&scenes[i], w, h);
    }
    scene_mem_finish(&mem);
}

static void draw_everything(int w, int h)
{
    struct scene_mem mem = { 0 };
    const struct scene scenes[] = {
        scene_paused(&mem),
        scene_stalled(&mem),
        scene_blurred(&mem),
        scene_victim(&mem),
        scene_hostile(&mem),
        scene_pair(&mem),
        scene_star(&mem, 33),
        scene_home(&mem, 8),
        scene_home(&mem, 2),
        scene_course(&mem, 11),
        scene_tiers(&mem, 3, 1, 2),
        scene_help(&mem),
        { 0 },
        { .screen = SCENE_LESSON },
        { .screen = SCENE_WHATIF },
        scene_whatif(&mem),
        scene_parted(&mem, 4, 8),
        scene_plotted(&mem),
        scene_goodput(&mem),
        scene_packet(&mem, 12),
        scene_packet_unread(&mem),
    };
    for (size_t i = 0; i < COUNT_OF(scenes); i++) {
        draw_all_views(&scenes[i], w, h);
    }
    scene_mem_finish(&mem);
}

static struct size_case {
    const char *name;
    int w, h;
} sizes[] = {
    { "1x1", 1, 1 },       { "2x1", 2, 1 },       { "1x50", 1, 50 },       { "7x3", 7, 3 },
    { "20x6", 20, 6 },     { "39x11", 39, 11 },   { "80x1", 80, 1 },       { "40x12", 40, 12 },
    { "60x20", 60, 20 },   { "76x22", 76, 22 },   { "80x24", 80, 24 },     { "81x25", 81, 25 },
    { "112x36", 112, 36 }, { "300x70", 300, 70 }, { "500x200", 500, 200 }, { "1000x3", 1000, 3 },
    { "30x100", 30, 100 },
};

static void draws_at(void **state)
{
    const struct size_case *k = *state;
    draw_everything(k->w, k->h);
    if (k->w * k->h < 30000) { /* what is larger differs in nothing */
        draw_fabrics(k->w, k->h);
    }
}

static void draws_down_a_staircase(void **state)
{
    (void)state;
    struct scene_mem mem = { 0 };
    const struct scene lesson = scene_victim(&mem);
    const struct scene home = scene_home(&mem, 8);
    for (int i = 0; i < 60; i++) {
        const int w = 200 - i * 10 / 3;
        const int h = 60 - i;
        draw_all_views(&lesson, w, h);
        draw_all_views(&home, w, h);
    }
    scene_mem_finish(&mem);
}

static void draws_on_no_screen_at_all(void **state)
{
    (void)state;
    struct scene_mem mem = { 0 };
    const struct scene scene = scene_paused(&mem);
    struct canvas c;
    canvas_init(&c);
    ui_draw(&scene, &c);
    canvas_resize(&c, 0, 24);
    ui_draw(&scene, &c);
    canvas_finish(&c);
    scene_mem_finish(&mem);
}

/* ---- Nonsense: every number of a scene may be anything ------------------------------------------ */

struct dice {
    uint64_t key, count;
};

static int64_t roll(struct dice *d, int64_t low, int64_t high)
{
    const uint64_t n = (uint64_t)(high - low) + 1;
    return low + (int64_t)(rng_mix(d->key ^ rng_mix(d->count++)) % n);
}

/* Mostly small, now and then at the ends. */
static int64_t odd(struct dice *d)
{
    static const int64_t ends[] = { 0, -1, 1, INT64_MAX, INT64_MIN / 2, INT32_MAX };
    return roll(d, 0, 9) == 0 ? ends[roll(d, 0, 5)] : roll(d, -20, 1200);
}

static struct scene_lane odd_lane(struct dice *d, struct scene_mem *mem)
{
    static const char *const words[] = { NULL, "full", "headroom", "", "a long word" };
    const size_t n = (size_t)roll(d, 0, 6);
    struct scene_mark *mark = scene_mem_take(mem, n, sizeof *mark);
    for (size_t i = 0; i < n; i++) {
        mark[i] = (struct scene_mark){ .kind = (enum scene_mark_kind)roll(d, 0, 12),
                                       .at = (int)(odd(d) % INT32_MAX),
                                       .last = roll(d, 0, 1) == 1,
                                       .resend = roll(d, 0, 3) == 1,
                                       .cursor = roll(d, 0, 5) == 1,
                                       .count = (int)(odd(d) % INT32_MAX),
                                       .word = words[roll(d, 0, 4)] };
    }
    const struct scene_meter meter = { roll(d, 0, 1) == 1, roll(d, 0, 1) == 1, odd(d), odd(d),
                                       odd(d) };
    return (struct scene_lane){ .state = (enum scene_lane_state)roll(d, 0, 5),
                                .blurred = roll(d, 0, 1) == 1,
                                .cursor = roll(d, 0, 7) == 1,
                                .busy = (int)(odd(d) % INT32_MAX),
                                .mark = mark,
                                .mark_count = n,
                                .queue = meter,
                                .held = meter };
}

static struct scene_axis odd_axis(struct dice *d, struct scene_mem *mem)
{
    struct scene_cut *cut = scene_mem_take(mem, 3, sizeof *cut);
    for (size_t i = 0; i < 3; i++) {
        cut[i] = (struct scene_cut){ roll(d, 0, 900), roll(d, 0, 900) };
    }
    return (struct scene_axis){ roll(d, -5, 500), roll(d, 0, 1000), roll(d, -9, 2000), cut,
                                (size_t)roll(d, 0, 3) };
}

static struct scene odd_scene(struct dice *d, struct scene_mem *mem)
{
    struct scene s = roll(d, 0, 1) == 0 ? scene_hostile(mem) : scene_stalled(mem);
    const size_t cables = (size_t)roll(d, 0, 9);
    struct scene_cable *cable = scene_mem_take(mem, cables, sizeof *cable);
    for (size_t i = 0; i < cables; i++) {
        cable[i] = (struct scene_cable){ .a = (size_t)roll(d, 0, 13),
                                         .b = (size_t)roll(d, 0, 13),
                                         .ab = odd_lane(d, mem),
                                         .ba = odd_lane(d, mem) };
    }
    if (roll(d, 0, 2) == 0) {
        s.fabric.cable = cable;
        s.fabric.cable_count = cables;
    } else { /* the cables stay where they are, what is on them does not */
        struct scene_cable *own = scene_mem_take(mem, s.fabric.cable_count, sizeof *own);
        for (size_t i = 0; i < s.fabric.cable_count; i++) {
            own[i] = s.fabric.cable[i];
            own[i].ab = odd_lane(d, mem);
        }
        s.fabric.cable = own;
    }
    s.timeline.axis = odd_axis(d, mem);
    s.scrubber.axis = odd_axis(d, mem);
    s.screen = (enum scene_screen)roll(d, 0, 5);
    s.presenter = roll(d, 0, 2) == 0;
    s.sentence = (size_t)odd(d);
    s.prose_scroll = (int)(odd(d) % INT32_MAX);
    s.question.asking = (enum scene_asking)roll(d, 0, 6);
    s.why.shown = roll(d, 0, 3) == 0;
    s.why.scroll = (size_t)odd(d);
    s.help.scroll = (size_t)odd(d);
    s.home.selected = (size_t)odd(d);
    static const struct scene_offer offers[] = { { "漢字漢字漢字", "now" },
                                                 { "", "" },
                                                 { "x", NULL } };
    s.prompt = (struct scene_prompt){ .shown = roll(d, 0, 5) == 0,
                                      .text = "\xff\xe6 漢字漢字漢字漢字漢字",
                                      .cursor = (size_t)odd(d),
                                      .note = roll(d, 0, 1) == 0 ? NULL : "\xff 漢字漢字漢字漢字",
                                      .offer = offers,
                                      .offer_count = (size_t)roll(d, 0, 3),
                                      .offer_more = (size_t)odd(d),
                                      .offer_at = (size_t)odd(d) };
    s.card = (size_t)odd(d);
    s.minutes_left = (int)(odd(d) % INT32_MAX);
    s.quiet = roll(d, 0, 1) == 0 ? NULL : "quiet";
    return s;
}

static void survives_nonsense(void **state)
{
    (void)state;
    struct scene_mem mem = { 0 };
    struct dice dice = { .key = 7 };
    for (int i = 0; i < 400; i++) {
        scene_mem_reset(&mem);
        const struct scene scene = odd_scene(&dice, &mem);
        draw_all_views(&scene, (int)roll(&dice, 1, 130), (int)roll(&dice, 1, 45));
    }
    scene_mem_finish(&mem);
}

/* Rectangles of a layout lie on the screen and do not overlap. */
static void assert_apart(const struct ui_rect *r, size_t n, int w, int h)
{
    for (size_t i = 0; i < n; i++) {
        if (r[i].w < 1 || r[i].h < 1) {
            continue;
        }
        assert_true(r[i].x >= 0 && r[i].y >= 0 && r[i].x + r[i].w <= w && r[i].y + r[i].h <= h);
        for (size_t k = 0; k < i; k++) {
            const bool apart = r[k].w < 1 || r[k].h < 1 || r[i].x + r[i].w <= r[k].x ||
                               r[k].x + r[k].w <= r[i].x || r[i].y + r[i].h <= r[k].y ||
                               r[k].y + r[k].h <= r[i].y;
            assert_true(apart);
        }
    }
}

static void rectangles_lie_apart(void **state)
{
    (void)state;
    for (int w = 18; w <= 240; w += 7) {
        for (int h = 4; h <= 90; h++) {
            const struct ui_layout_wish wish = { 10 + w % 12, 13 + w % 20, 3 + w % 15,
                                                 2 + h % 18,  1 + h % 4,   25 };
            const struct ui_layout l = ui_layout(w, h, wish);
            const struct ui_rect all[] = {
                l.header,           l.fabric,
                l.view_heading,     l.view,
                l.prose_heading,    l.prose,
                l.ask_heading,      l.ask,
                l.events,           l.events_heading,
                l.follow,           l.switches,
                l.switches_heading, l.scrubber,
                l.footer,           l.plot,
                l.plot_heading,     l.why,
                l.why_heading,      l.inspector,
            };
            assert_apart(all, COUNT_OF(all), w, h);
        }
    }
}

static void scrolling_ends_where_the_text_ends(void **state)
{
    (void)state;
    static const int at[][2] = { { 80, 24 }, { 120, 40 }, { 200, 60 }, { 40, 12 }, { 3, 3 } };
    struct scene_mem mem = { 0 };
    struct scene s = scene_hostile(&mem);
    for (size_t i = 0; i < COUNT_OF(at); i++) {
        struct canvas far;
        struct canvas clamped;
        canvas_init(&far);
        canvas_init(&clamped);
        canvas_resize(&far, at[i][0], at[i][1]);
        canvas_resize(&clamped, at[i][0], at[i][1]);
        s.prose_scroll = -INT32_MAX;
        s.view = SCENE_VIEW_PROSE;
        ui_draw(&s, &far);
        s.prose_scroll = ui_prose_scroll(&s, at[i][0], at[i][1]);
        assert_in_range(-s.prose_scroll, 0, 40);
        ui_draw(&s, &clamped);
        for (int k = 0; k < at[i][0] * at[i][1]; k++) {
            assert_false(canvas_differs(&far, &clamped, k % at[i][0], k / at[i][0]));
        }
        canvas_finish(&far);
        canvas_finish(&clamped);
    }
    scene_mem_finish(&mem);
}

static void tab_goes_round(void **state)
{
    (void)state;
    static const int at[][2] = { { 80, 24 }, { 120, 40 }, { 40, 12 }, { 1, 1 } };
    for (size_t i = 0; i < COUNT_OF(at); i++) {
        enum scene_view view = SCENE_VIEW_MAIN;
        size_t n = 0;
        do {
            view = ui_view_next(view, at[i][0], at[i][1], true);
            assert_non_null(ui_view_name(view));
            n++;
        } while (view != SCENE_VIEW_MAIN && n < 20);
        assert_in_range(n, 1, SCENE_VIEWS);
    }
    assert_int_equal(ui_view_next((enum scene_view)77, 80, 24, false), SCENE_VIEW_EVENTS);
    assert_int_equal(ui_view_next(SCENE_VIEW_MAIN, 40, 12, false), SCENE_VIEW_PROSE);
}

int main(void)
{
    struct CMUnitTest tests[COUNT_OF(sizes) + 6] = {
        cmocka_unit_test(draws_down_a_staircase),
        cmocka_unit_test(draws_on_no_screen_at_all),
        cmocka_unit_test(rectangles_lie_apart),
        cmocka_unit_test(tab_goes_round),
        cmocka_unit_test(survives_nonsense),
        cmocka_unit_test(scrolling_ends_where_the_text_ends),
    };
    size_t n = 6;
    ROWS(tests, n, sizes, draws_at);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
