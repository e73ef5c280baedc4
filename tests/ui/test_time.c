/* Axes with cuts, meters, lanes: what a position becomes in cells. */
#include "cmocka_rows.h"

#include <string.h>

#include "ui/axis.h"
#include "ui/lane.h"

/* ---- Axis --------------------------------------------------------------------------------------- */

static const struct scene_cut cut[] = { { 50, 950 } };

static struct axis_case {
    const char *name;
    int64_t t1;
    size_t cuts;
    int w;
    int64_t t;
    int col;
} axes[] = {
    { "start", 100, 0, 10, 0, 0 },
    { "middle", 100, 0, 10, 50, 5 },
    { "just before a cell", 100, 0, 10, 49, 4 },
    { "end falls on the last cell", 100, 0, 10, 100, 9 },
    { "before the axis", 100, 0, 10, -7, 0 },
    { "behind the axis", 100, 0, 10, 900, 9 },
    { "before a cut", 1000, 1, 12, 20, 2 },
    { "inside a cut", 1000, 1, 12, 500, 5 },
    { "behind a cut", 1000, 1, 12, 950, 7 },
    { "end behind a cut", 1000, 1, 12, 999, 11 },
    { "no room for cuts: none is made", 1000, 1, 3, 500, 1 },
};

static void finds_the_column(void **state)
{
    const struct axis_case *k = *state;
    const struct scene_axis axis = { .t1_ps = k->t1, .cut = cut, .cut_count = k->cuts };
    const struct ui_axis a = ui_axis(&axis, k->w);
    assert_int_equal(ui_axis_col(&a, k->t), k->col);
}

/* Columns come in order, cover the time without its cuts once, and agree with ui_axis_col. */
static void columns_cover_the_axis(void **state)
{
    (void)state;
    static const struct scene_cut cuts[] = { { 100, 5000 }, { 5100, 9000 }, { 9000, 9500 } };
    for (int w = 1; w < 90; w++) {
        const struct scene_axis axis = { .t1_ps = 10000, .cut = cuts, .cut_count = 3 };
        const struct ui_axis a = ui_axis(&axis, w);
        int64_t end = 0;
        int cut_cells = 0;
        for (int col = 0; col < w; col++) {
            int64_t t0, t1;
            if (!ui_axis_span(&a, col, &t0, &t1)) {
                cut_cells++;
                continue;
            }
            assert_true(t0 >= end);
            assert_true(t1 >= t0);
            end = t1;
        }
        assert_int_equal(cut_cells, 2 * (int)a.cuts);
        int before = 0;
        for (int64_t t = 0; t <= 10000; t += 10) {
            const int col = ui_axis_col(&a, t);
            assert_in_range(col, before, w - 1);
            before = col;
        }
    }
}

/* ---- Meters --------------------------------------------------------------------------------------- */

static struct meter_case {
    const char *name;
    struct scene_meter meter;
    int w;
    const char *want;
} meters[] = {
    { "not there", { .used = 5, .limit = 9 }, 6, "" },
    { "empty", { .shown = true, .limit = 150, .mark = 100 }, 6, "...|.." },
    { "one byte fills a cell",
      { .shown = true, .used = 1, .limit = 150, .mark = 100 },
      6,
      "#..|.." },
    { "one byte below XOFF",
      { .shown = true, .used = 99, .limit = 150, .mark = 100 },
      6,
      "##.|.." },
    { "at XOFF", { .shown = true, .used = 100, .limit = 150, .mark = 100 }, 6, "###|.." },
    { "one byte of headroom",
      { .shown = true, .used = 101, .limit = 150, .mark = 100 },
      6,
      "###|#." },
    { "all of it", { .shown = true, .used = 150, .limit = 150, .mark = 100 }, 6, "###|##" },
    { "more than all", { .shown = true, .used = 999, .limit = 150, .mark = 100 }, 6, "###|##" },
    { "lost for lack of headroom",
      { .shown = true, .over = true, .used = 150, .limit = 150, .mark = 100 },
      6,
      "###|#X" },
    { "little headroom keeps a cell", { .shown = true, .limit = 1000, .mark = 999 }, 6, "....|." },
    { "little before XOFF too", { .shown = true, .limit = 1000, .mark = 1 }, 6, ".|...." },
    { "no mark", { .shown = true, .used = 50, .limit = 100 }, 6, "###..." },
    { "mark at the end is none",
      { .shown = true, .used = 100, .limit = 100, .mark = 100 },
      6,
      "######" },
    { "no limit known", { .shown = true, .used = 3 }, 4, "####" },
    { "two cells have no room for a mark",
      { .shown = true, .used = 1, .limit = 9, .mark = 5 },
      2,
      "#." },
};

static void assert_row(const struct canvas *c, const char *want)
{
    struct text t = { 0 };
    canvas_dump(c, &t);
    t.s[t.len - 1] = '\0';
    assert_string_equal(text_str(&t), want);
    text_finish(&t);
}

static struct canvas row(int w)
{
    struct canvas c;
    canvas_init(&c);
    canvas_resize(&c, w, 1);
    c.ascii = true;
    return c;
}

static void draws_meter(void **state)
{
    const struct meter_case *k = *state;
    struct canvas c = row(10);
    ui_meter_draw(&c, 0, 0, k->w, &k->meter, UI_GLYPH_XOFF);
    assert_row(&c, k->want);
    canvas_finish(&c);
}

/* ---- Lanes ---------------------------------------------------------------------------------------- */

static struct lane_case {
    const char *name;
    bool right;
    enum scene_lane_state state;
    bool blurred;
    int busy;
    struct scene_mark mark[3];
    size_t count;
    const char *want;
} lanes[] = {
    { "idle", true, SCENE_LANE_OPEN, false, 0, { { 0 } }, 0, "--------" },
    { "paused", true, SCENE_LANE_PAUSED, false, 0, { { 0 } }, 0, "%%%%%%%%" },
    { "down", true, SCENE_LANE_DOWN, false, 0, { { 0 } }, 0, "////////" },
    { "no credit", true, SCENE_LANE_NOCREDIT, false, 0, { { 0 } }, 0, "::::::::" },
    { "leaves at the left", true, SCENE_LANE_OPEN, false, 0, { { .at = 0 } }, 1, ">-------" },
    { "arrives at the right", true, SCENE_LANE_OPEN, false, 0, { { .at = 1000 } }, 1, "------->" },
    { "to the left it starts at the right",
      false,
      SCENE_LANE_OPEN,
      false,
      0,
      { { .at = 0 } },
      1,
      "-------<" },
    { "positions outside are clamped",
      true,
      SCENE_LANE_OPEN,
      false,
      0,
      { { .at = 7777 } },
      1,
      "------->" },
    { "last, sent again, ECN",
      true,
      SCENE_LANE_OPEN,
      false,
      0,
      { { .at = 0, .last = true }, { .at = 500, .resend = true }, { .at = 1000, .ecn = true } },
      3,
      "}---r--e" },
    { "the last, sent again",
      false,
      SCENE_LANE_OPEN,
      false,
      0,
      { { .at = 500, .last = true, .resend = true } },
      1,
      "---R----" },
    { "the rarer of two is seen",
      true,
      SCENE_LANE_OPEN,
      false,
      0,
      { { .at = 500 },
        { .kind = SCENE_MARK_NAK, .at = 500 },
        { .kind = SCENE_MARK_ACK, .at = 500 } },
      3,
      "----N---" },
    { "a pause does not stop what is on its way",
      true,
      SCENE_LANE_PAUSED,
      false,
      0,
      { { .at = 1000 } },
      1,
      "%%%%%%%>" },
    { "blurred: idle", true, SCENE_LANE_OPEN, true, 5, { { 0 } }, 0, "--------" },
    { "blurred: busy", true, SCENE_LANE_OPEN, true, 500, { { 0 } }, 0, "++++++++" },
    { "blurred: all the time", true, SCENE_LANE_OPEN, true, 990, { { 0 } }, 0, "########" },
    { "blurred: paused is said first",
      true,
      SCENE_LANE_PAUSED,
      true,
      990,
      { { 0 } },
      0,
      "%%%%%%%%" },
    { "a drop with its word behind it",
      true,
      SCENE_LANE_OPEN,
      false,
      0,
      { { .kind = SCENE_MARK_DROP, .at = 0, .word = "full" } },
      1,
      "X full--" },
    { "a drop with its word before it",
      true,
      SCENE_LANE_OPEN,
      false,
      0,
      { { .kind = SCENE_MARK_DROP, .at = 1000, .word = "full" } },
      1,
      "--full X" },
    { "a drop with a word too long",
      true,
      SCENE_LANE_OPEN,
      false,
      0,
      { { .kind = SCENE_MARK_DROP, .at = 500, .word = "headroom" } },
      1,
      "----X---" },
    { "drops with a count",
      true,
      SCENE_LANE_OPEN,
      false,
      0,
      { { .kind = SCENE_MARK_DROP, .at = 1000, .count = 12, .word = "full" } },
      1,
      "full X12" },
    { "one drop needs no count",
      true,
      SCENE_LANE_OPEN,
      false,
      0,
      { { .kind = SCENE_MARK_DROP, .at = 500, .count = 1 } },
      1,
      "----X---" },
    { "the cursor",
      true,
      SCENE_LANE_OPEN,
      false,
      0,
      { { .at = 500, .cursor = true } },
      1,
      "---[>]--" },
    { "the cursor at the edge",
      true,
      SCENE_LANE_OPEN,
      false,
      0,
      { { .at = 0, .cursor = true } },
      1,
      ">]------" },
};

static void draws_lane(void **state)
{
    const struct lane_case *k = *state;
    struct canvas c = row(8);
    const struct scene_lane lane = {
        .state = k->state,
        .blurred = k->blurred,
        .busy = k->busy,
        .mark = k->mark,
        .mark_count = k->count,
    };
    ui_lane_draw(&c, 0, 0, 8, &lane, k->right);
    assert_row(&c, k->want);
    canvas_finish(&c);
}

static struct bytes_case {
    const char *name;
    int64_t bytes;
    const char *want;
} sizes[] = {
    { "none", 0, "0" },
    { "bytes", 999, "999" },
    { "kilobytes", 104000, "104K" },
    { "rounded up", 999500, "1.0M" },
    { "megabytes", 12400000, "12M" },
    { "gigabytes", 3200000000, "3.2G" },
    { "negative", -5, "0" },
};

static void says_bytes(void **state)
{
    const struct bytes_case *k = *state;
    char buf[16];
    assert_string_equal(ui_bytes_short(buf, sizeof buf, k->bytes), k->want);
    assert_in_range(strlen(buf), 1, 4);
}

int main(void)
{
    struct CMUnitTest
        tests[COUNT_OF(axes) + COUNT_OF(meters) + COUNT_OF(lanes) + COUNT_OF(sizes) + 1] = {
            cmocka_unit_test(columns_cover_the_axis),
        };
    size_t n = 1;
    ROWS(tests, n, axes, finds_the_column);
    ROWS(tests, n, meters, draws_meter);
    ROWS(tests, n, lanes, draws_lane);
    ROWS(tests, n, sizes, says_bytes);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
