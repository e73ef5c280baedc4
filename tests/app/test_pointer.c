/* The mouse: what lies under it in the last frame, and what a click or the wheel does there. */
#include "cmocka_rows.h"

#include <string.h>

#include "app/menu.h"
#include "app/pointer.h"
#include "stage.h"

static void mouse(struct stage *s, enum term_mouse_what what, int x, int y)
{
    pointer_mouse(s->session, &(struct term_mouse){ .what = what, .x = x, .y = y }, s->ms);
    stage_frame(s);
}

static void click(struct stage *s, int x, int y)
{
    mouse(s, TERM_MOUSE_CLICK, x, y);
}

/* The first spot of this kind (and id, if not negative) that is not covered. */
static struct ui_spot find(const struct stage *s, enum ui_spot_kind kind, int64_t id)
{
    for (size_t i = 0; i < s->session->spot_count; i++) {
        const struct ui_spot *spot = &s->session->spot[i];
        if (spot->kind == kind && (id < 0 || spot->id == (uint32_t)id)) {
            return *spot;
        }
    }
    fail_msg("no spot of kind %d, id %d", (int)kind, (int)id);
    return (struct ui_spot){ 0 };
}

static void click_on(struct stage *s, enum ui_spot_kind kind, int64_t id)
{
    const struct ui_spot spot = find(s, kind, id);
    click(s, spot.r.x, spot.r.y);
}

static void on_stage(struct stage *s, size_t card)
{
    stage_begin(s, card);
    stage_settle(s);
    stage_frame(s);
}

static void a_click_points(void **state)
{
    (void)state;
    struct stage s;
    on_stage(&s, 1);
    const struct sim *sim = session_sim(s.session);
    const uint32_t g3 = sim_find_node(sim, "g3"), port = sim_find_port(sim, "g3:1");
    click_on(&s, UI_SPOT_NODE, g3);
    assert_true(s.session->cursor.on);
    assert_int_equal(s.session->cursor.thing, CURSOR_NODE);
    assert_int_equal(s.session->cursor.node, g3);
    assert_true(stage_sees(&s, "g3: exchanges"));

    /* every cell of a lane: the frame that is drawn there, or the lane */
    const struct ui_spot lane = find(&s, UI_SPOT_LANE, port);
    size_t frames = 0;
    for (int x = lane.r.x; x < lane.r.x + lane.r.w; x++) {
        s.session->cursor.on = false;
        click(&s, x, lane.r.y);
        assert_true(s.session->cursor.on);
        assert_int_equal(s.session->cursor.port, port);
        frames += s.session->cursor.thing == CURSOR_FRAME;
    }
    assert_true(frames > 0 && frames < (size_t)lane.r.w);
    click_on(&s, UI_SPOT_NODE, sim_find_node(sim, "leaf2"));
    stage_key(&s, 'l'); /* keys walk on from where the click was */
    assert_int_equal(s.session->cursor.thing == CURSOR_NODE, 0);
    stage_end(&s);
}

static void a_second_click_opens(void **state)
{
    (void)state;
    struct stage s;
    on_stage(&s, 1);
    stage_key(&s, 'c');
    stage_frame(&s);
    const uint32_t port = s.session->cursor.port;
    const struct ui_spot lane = find(&s, UI_SPOT_LANE, port);
    int at = -1;
    for (int x = lane.r.x; x < lane.r.x + lane.r.w && at < 0; x++) {
        s.session->cursor.on = false;
        click(&s, x, lane.r.y);
        at = s.session->cursor.thing == CURSOR_FRAME ? x : -1;
    }
    assert_true(at >= 0);
    assert_int_equal(s.session->box, SESSION_BOX_NONE);
    click(&s, at, lane.r.y);
    assert_int_equal(s.session->box, SESSION_BOX_PACKET);
    stage_end(&s);
}

static void lists_and_keys_are_clicked(void **state)
{
    (void)state;
    struct stage s;
    on_stage(&s, 1);
    const struct sim *sim = session_sim(s.session);
    click_on(&s, UI_SPOT_NODE, sim_find_node(sim, "g3"));
    click_on(&s, UI_SPOT_HINT, COMMAND_CURSOR_DROP); /* "x faults" in the bottom line */
    assert_int_equal(s.session->box, SESSION_BOX_FAULTS);
    click_on(&s, UI_SPOT_LINE, 3); /* the second one: below the first lies what it does */
    assert_int_equal(s.session->box_selected, 2);
    mouse(&s, TERM_MOUSE_WHEEL_DOWN, 5, 20);
    assert_int_equal(s.session->box_selected, 3);
    mouse(&s, TERM_MOUSE_WHEEL_UP, 5, 20);
    const struct sim_cmd cmd = s.session->fault[2].cmd;
    click_on(&s, UI_SPOT_LINE, 2);
    const struct run_line *line;
    assert_int_equal(run_journal(player_run(s.session->player), &line), 1);
    assert_int_equal(line[0].cmd.kind, cmd.kind);
    stage_key(&s, 'y');
    stage_frame(&s);
    click_on(&s, UI_SPOT_LINE, 0);
    assert_int_equal(s.session->box,
                     SESSION_BOX_NONE); /* the only line was chosen: there it goes */
    stage_end(&s);
}

static void answers_and_rows_are_clicked(void **state)
{
    (void)state;
    struct stage s;
    on_stage(&s, 2);
    stage_key(&s, 'x');
    stage_frame(&s);
    assert_int_equal(s.session->need, PLAYER_ANSWER);
    click_on(&s, UI_SPOT_CHOICE, 'b');
    assert_int_equal(player_question(s.session->player).choice, 1);
    stage_settle(&s);
    for (size_t i = 0; i < s.session->spot_count; i++) { /* it is given */
        assert_int_not_equal(s.session->spot[i].kind, UI_SPOT_CHOICE);
    }
    stage_key(&s, 'M');
    stage_frame(&s);
    assert_false(stage_sees(&s, "choose, change")); /* nothing there can be */
    click_on(&s, UI_SPOT_PAGE, 0);
    assert_int_equal(s.session->menu->page, MENU_MODELLED);
    click_on(&s, UI_SPOT_LINE, 2);
    assert_int_equal(s.session->menu->selected[MENU_MODELLED], 2);
    assert_true(stage_sees(&s, "Enter its switch"));
    click_on(&s, UI_SPOT_LINE, 2); /* again: there it goes */
    assert_int_equal(s.session->menu->page, MENU_SWITCHES);
    assert_true(stage_sees(&s, "arrows choose, change"));
    stage_end(&s);
}

/* What a box covers cannot be clicked, and a line that is typed is not disturbed. */
static void what_is_covered_is_safe(void **state)
{
    (void)state;
    struct stage s;
    on_stage(&s, 1);
    stage_key(&s, '?');
    stage_frame(&s);
    for (int y = 0; y < 24; y++) {
        for (int x = 0; x < 80; x += 7) {
            pointer_mouse(s.session, &(struct term_mouse){ .x = x, .y = y }, s.ms);
        }
    }
    assert_false(s.session->cursor.on);
    stage_key(&s, TERM_KEY_ESC);
    stage_key(&s, ':');
    stage_type(&s, "go 1");
    stage_frame(&s);
    for (int y = 0; y < 23; y++) {
        for (int x = 0; x < 80; x += 7) {
            pointer_mouse(s.session, &(struct term_mouse){ .x = x, .y = y }, s.ms);
        }
    }
    assert_true(s.session->prompt.on);
    assert_string_equal(s.session->prompt.text, "go 1");
    stage_end(&s);
}

static void moments_are_gone_to(void **state)
{
    (void)state;
    struct stage s;
    on_stage(&s, 1);
    const sim_ps now = sim_now(session_sim(s.session));
    click_on(&s, UI_SPOT_TIME, -1); /* the left end of the scrubber */
    assert_int_equal(sim_now(session_sim(s.session)), 0);
    mouse(&s, TERM_MOUSE_WHEEL_DOWN, 40, 4); /* over the fabric: a tick on */
    stage_settle(&s);
    assert_in_range(sim_now(session_sim(s.session)), 1, now);
    mouse(&s, TERM_MOUSE_WHEEL_UP, 40, 4);
    assert_int_equal(sim_now(session_sim(s.session)), 0);
    const enum scene_view before = s.session->view;
    click_on(&s, UI_SPOT_VIEW, -1);
    assert_true(s.session->view != before);
    stage_end(&s);
}

static void a_switch_is_clicked(void **state)
{
    (void)state;
    struct stage s;
    on_stage(&s, 4);
    const int64_t before = sim_knob(session_sim(s.session), SIM_KNOB_FLOW_CONTROL);
    click_on(&s, UI_SPOT_SWITCH, '1');
    assert_true(sim_knob(session_sim(s.session), SIM_KNOB_FLOW_CONTROL) != before);
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_click_points),
        cmocka_unit_test(a_second_click_opens),
        cmocka_unit_test(lists_and_keys_are_clicked),
        cmocka_unit_test(answers_and_rows_are_clicked),
        cmocka_unit_test(what_is_covered_is_safe),
        cmocka_unit_test(moments_are_gone_to),
        cmocka_unit_test(a_switch_is_clicked),
    };
    return cmocka_run_group_tests_name("app/pointer", tests, NULL, NULL);
}
