/* Spots: the next thing into a direction, as an eye would go. */
#include "cmocka_rows.h"

#include "ui/spot.h"

/*
 *      0         1         2         3
 *      0123456789012345678901234567890123
 *    1 g1  -----1-----> +----7----+  --4-->  g5
 *    2     <----2------ |         |  <-5---
 *    3 g2  -----3-----> +---------+
 *    4     up: 6 in column 9, rows 4 to 8
 */
#define SPOT(x, y, w, h, kind, way, id)                                                            \
    {                                                                                              \
        { x, y, w, h }, UI_SPOT_##kind, UI_##way, id, 0                                            \
    }

static const struct ui_spot spots[] = {
    SPOT(0, 1, 3, 1, NODE, RIGHT, 1),   SPOT(0, 3, 3, 1, NODE, RIGHT, 2),
    SPOT(4, 1, 8, 1, LANE, RIGHT, 1),   SPOT(4, 2, 8, 1, LANE, LEFT, 2),
    SPOT(4, 3, 8, 1, LANE, RIGHT, 3),   SPOT(12, 0, 11, 4, NODE, RIGHT, 7),
    SPOT(23, 1, 7, 1, LANE, RIGHT, 4),  SPOT(23, 2, 7, 1, LANE, LEFT, 5),
    SPOT(31, 1, 3, 1, NODE, RIGHT, 5),  SPOT(9, 4, 1, 5, LANE, UP, 6),
    SPOT(0, 9, 40, 1, TEXT, RIGHT, 77),
};

static struct next_case {
    const char *name;
    size_t from;
    enum ui_way way;
    int x, y;
    int want; /* an index; -1: nothing */
} next_cases[] = {
    { "from a GPU onto its lane", 0, UI_RIGHT, 1, 1, 2 },
    { "from a lane into the switch", 2, UI_RIGHT, 8, 1, 5 },
    { "through the switch at the same height", 5, UI_RIGHT, 12, 2, 7 },
    { "and back at the same height", 5, UI_LEFT, 12, 3, 4 },
    { "above the other lane", 3, UI_UP, 8, 2, 2 },
    { "below the next cable", 3, UI_DOWN, 8, 2, 4 },
    { "from GPU to GPU, not onto a lane across", 0, UI_DOWN, 1, 1, 1 },
    { "onto an upright lane where nothing else is", 4, UI_DOWN, 9, 3, 9 },
    { "nothing left of the first", 0, UI_LEFT, 0, 1, -1 },
    { "nothing right of the last", 8, UI_RIGHT, 32, 1, -1 },
    { "text is no thing of the fabric", 9, UI_DOWN, 9, 8, -1 },
};

static void next_case(void **state)
{
    const struct next_case *c = *state;
    const size_t n = sizeof spots / sizeof spots[0];
    const struct ui_spot *got = ui_spot_next(spots, n, &spots[c->from], c->way, c->x, c->y);
    assert_int_equal(got == NULL ? -1 : (int)(got - spots), c->want);
}

static void the_one_on_top_is_hit(void **state)
{
    (void)state;
    const size_t n = sizeof spots / sizeof spots[0];
    assert_ptr_equal(ui_spot_at(spots, n, 4, 1), &spots[2]);
    assert_ptr_equal(ui_spot_at(spots, n, 12, 3), &spots[5]);
    assert_ptr_equal(ui_spot_at(spots, n, 9, 9), &spots[10]);
    assert_null(ui_spot_at(spots, n, 39, 1));
    assert_null(ui_spot_at(spots, n, -1, -1));
}

static void a_point_is_drawn_in(void **state)
{
    (void)state;
    int x = 50, y = -3;
    ui_spot_enter(&spots[5], &x, &y);
    assert_int_equal(x, 22);
    assert_int_equal(y, 0);
}

int main(void)
{
    static struct CMUnitTest tests[32];
    size_t n = 0;
    ROWS(tests, n, next_cases, next_case);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(the_one_on_top_is_hit);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_point_is_drawn_in);
    return _cmocka_run_group_tests("ui/spot", tests, n, NULL, NULL);
}
