/*
 * A large screen: why somebody waits, what is plotted and the packet that is open stay in sight while one goes
 * on, and hide nothing.
 */
#include "cmocka_rows.h"

#include <string.h>

#include "stage.h"

static void begin(struct stage *s, size_t card)
{
    stage_begin(s, card);
    s->rows = 60;
    s->cols = 200;
    stage_settle(s);
    stage_frame(s);
}

static void test_why_and_plot(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, 2);
    assert_true(stage_sees(&s, "why is it waiting?"));
    assert_true(stage_sees(&s, "plot: m chooses"));
    assert_true(stage_sees(&s, "queue "));
    assert_true(stage_sees(&s, "what happens"));
    assert_true(stage_sees(&s, "events"));
    stage_end(&s);
}

/* A packet is open and time goes on: the panel stays, keys that it has no use for do what they always do. */
static void test_packet_stays(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, 1);
    stage_type(&s, "c\n");
    stage_settle(&s);
    stage_frame(&s);
    assert_true(stage_sees(&s, "Ethernet II"));
    assert_true(stage_sees(&s, "leaf1"));
    const sim_ps before = sim_now(session_sim(s.session));
    stage_type(&s, "..");
    stage_settle(&s);
    stage_frame(&s);
    assert_true(sim_now(session_sim(s.session)) > before);
    assert_true(stage_sees(&s, "Ethernet II"));
    stage_key(&s, TERM_KEY_ESC);
    stage_frame(&s);
    assert_false(stage_sees(&s, "Ethernet II"));
    assert_true(stage_sees(&s, "Enter opens it here"));
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_why_and_plot),
        cmocka_unit_test(test_packet_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
