/* Words of the glossary on the screen: marked in a card, explained in a box, any by its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "stage.h"
#include "ui/theme.h"

#define OWN SOURCE_ROOT "/tests/lesson/own/own-words.lua"

static void step(struct stage *s, const char *keys)
{
    stage_type(s, keys);
    stage_frame(s);
}

/* Cells in the role of a word of the glossary. */
static int marked_cells(const struct stage *s)
{
    int n = 0;
    for (int y = 0; y < s->picture.canvas.h; y++) {
        for (int x = 0; x < s->picture.canvas.w; x++) {
            n += canvas_at(&s->picture.canvas, x, y)->role == UI_ROLE_TERM;
        }
    }
    return n;
}

static void words_are_marked(void **state)
{
    (void)state;
    struct stage s;
    stage_begin_lesson(&s, OWN, 1);
    stage_frame(&s);
    /* two words may be parted by the end of a line */
    /* the end of a line parts the last two */
    assert_int_equal(marked_cells(&s), strlen("barrier"
                                              "straggler"
                                              "retry"
                                              "storm"));
    assert_true(stage_sees(&s, "barrier"));
    stage_end(&s);
}

static void the_box_explains(void **state)
{
    (void)state;
    struct stage s;
    stage_begin_lesson(&s, OWN, 1);
    step(&s, " G");
    assert_true(stage_sees(&s, "> barrier"));
    assert_true(stage_sees(&s, "before which nobody starts"));
    assert_true(stage_sees(&s, "Unit: time."));
    assert_true(stage_sees(&s, "on card 1, where it is new"));
    step(&s, "j");
    assert_true(stage_sees(&s, "> straggler"));
    assert_true(stage_sees(&s, "who comes last"));
    step(&s, "j");
    assert_true(stage_sees(&s, "> retry storm"));
    step(&s, "j");
    assert_true(stage_sees(&s, "> retry storm"));
    step(&s, "\n");
    assert_true(stage_sees(&s, "it comes first on this card"));
    stage_key(&s, TERM_KEY_ESC);
    stage_frame(&s);
    assert_false(stage_sees(&s, "> retry storm"));
    stage_end(&s);
}

/* Enter goes to where a word comes first. */
static void enter_goes_there(void **state)
{
    (void)state;
    struct stage s;
    stage_begin_lesson(&s, SOURCE_ROOT "/lessons/one-lost-packet.lua", 5);
    stage_settle(&s);
    step(&s, ":term gradient\n");
    assert_true(stage_sees(&s, "> gradient"));
    step(&s, "\n");
    stage_settle(&s);
    assert_true(stage_sees(&s, "card 1 of"));
    stage_end(&s);
}

static void any_by_its_name(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    step(&s, " G"); /* its prose has no such word, or some: either way an answer */
    stage_key(&s, TERM_KEY_ESC);
    step(&s, ":term head-of-l");
    stage_key(&s, TERM_KEY_TAB);
    step(&s, "\n");
    assert_true(stage_sees(&s, "> head-of-line blocking"));
    stage_key(&s, TERM_KEY_ESC);
    step(&s, ":term nonsense\n");
    assert_true(stage_sees(&s, "no such word"));
    stage_key(&s, TERM_KEY_ESC);
    stage_frame(&s);
    assert_false(stage_sees(&s, ":term"));
    stage_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_marked),
        cmocka_unit_test(the_box_explains),
        cmocka_unit_test(enter_goes_there),
        cmocka_unit_test(any_by_its_name),
    };
    return cmocka_run_group_tests_name("app/terms", tests, NULL, NULL);
}
