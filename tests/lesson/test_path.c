/*
 * Branches: which cards one comes by with which answers, what counts of them, looking back.
 * The lesson is good/ways.lua; its cards:
 *
 *     One --+-- [3]: Alike, Shorter ----------------------------------------------+-- Two
 *           +-- right: More, Large --+-- low: Too short --+-- otherwise: Behind --+
 *           |                        +-- high: Too long --+                       |
 *           |                        +--------------------+                       |
 *           +---------------------------------------------------------------------+
 */
#include "cmocka_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/path.h"
#include "lesson/player.h"

#define WAYS WEFT_SOURCE "/tests/lesson/good/ways.lua"

enum { ONE, ALIKE, SHORTER, MORE, LARGE, TOO_SHORT, TOO_LONG, BEHIND, TWO };

struct fixture {
    struct lesson *lesson;
    struct player *player;
};

static void begin(struct fixture *f)
{
    struct err err = { 0 };
    const struct player_options options = { .seed = 1 };
    f->lesson = lesson_load(WAYS, WEFT_SOURCE, NULL, &err);
    assert_non_null(f->lesson);
    f->player = player_create(f->lesson, &options, &err);
    assert_non_null(f->player);
}

static void end(struct fixture *f)
{
    player_destroy(f->player);
    lesson_destroy(f->lesson);
}

static void path_is(struct fixture *f, size_t place, const char *want)
{
    char path[64] = "";
    for (size_t i = 0; i < player_path_length(f->player); i++) {
        const size_t n = strlen(path);
        (void)snprintf(path + n, sizeof path - n, "%zu", player_path_card(f->player, i));
    }
    assert_string_equal(path, want);
    assert_int_equal(player_place(f->player), place);
}

static void ask(struct fixture *f)
{
    struct err err = { 0 };
    assert_int_equal(player_next(f->player, &err), PLAYER_ANSWER);
}

static void next_card(struct fixture *f)
{
    struct err err = { 0 };
    if (!player_next_card(f->player, &err)) {
        fail_msg("%s", err.msg);
    }
}

/* ---- answers --------------------------------------------------------------------------------- */

static struct answer_case {
    const char *name;
    int choice;         /* of the first question, from 1; 0: skipped */
    const char *number; /* of the second; NULL: skipped */
    const char *path;
} answer_cases[] = {
    { "the first way is that of [3]: who skips takes it", 0, NULL, "0128" },
    { "[3] is asked before wrong", 3, NULL, "0128" },
    { "an answer without a way goes straight on", 1, NULL, "08" },
    { "right, and the second question is skipped", 2, NULL, "034578" },
    { "right, and then too low", 2, "1us", "034578" },
    { "right, and then too high", 2, "1ms", "034678" },
    { "right, and then right", 2, "45us", "03478" },
};

static void answer_case(void **state)
{
    const struct answer_case *c = *state;
    struct fixture f;
    struct err err = { 0 };
    begin(&f);
    ask(&f);
    assert_true(c->choice > 0 ? player_answer(f.player, (size_t)c->choice - 1, &err)
                              : player_skip(f.player, &err));
    next_card(&f);
    while (player_card(f.player) != TWO) {
        if (player_card(f.player) == LARGE && c->number != NULL) {
            ask(&f);
            assert_true(player_answer_number(f.player, c->number, &err));
        }
        next_card(&f);
    }
    path_is(&f, strlen(c->path) - 1, c->path);
    assert_false(player_next_card(f.player, &err));
    assert_string_equal(err.msg, "this is the last card");
    end(&f);
}

/* ---- going about ----------------------------------------------------------------------------- */

static void looking_back_keeps_the_way(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f);
    path_is(&f, 0, "0128");
    ask(&f);
    assert_true(player_answer(f.player, 1, &err));
    path_is(&f, 0, "08"); /* not judged yet: neither right nor wrong */
    next_card(&f);
    next_card(&f);
    path_is(&f, 2, "034578");
    assert_true(player_goto(f.player, MORE, &err));
    path_is(&f, 1, "034578");
    assert_true(player_goto(f.player, ONE, &err));
    path_is(&f, 0, "034578");
    ask(&f); /* asked anew, it is open again */
    path_is(&f, 0, "0128");
    assert_true(player_answer(f.player, 0, &err));
    next_card(&f);
    path_is(&f, 1, "08");
    end(&f);
}

static void a_card_of_another_way(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f);
    assert_true(player_goto(f.player, TOO_LONG, &err));
    path_is(&f, 3, "034678");
    assert_true(player_goto(f.player, SHORTER, &err));
    path_is(&f, 2, "0128");
    assert_true(player_goto_place(f.player, 4, &err));
    assert_int_equal(player_card(f.player), TWO);
    assert_false(player_goto_place(f.player, 5, &err));
    assert_string_equal(err.msg, "there is no card 5: this lesson has 4");
    end(&f);
}

/* Each way to a card leaves the run as going there at once does. */
static void a_card_is_the_same_however_one_came(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f);
    ask(&f);
    assert_true(player_answer(f.player, 1, &err));
    for (int i = 0; i < 3; i++) {
        next_card(&f);
    }
    assert_int_equal(player_card(f.player), TOO_SHORT);
    const uint64_t walked = sim_state_hash(run_sim(player_run(f.player)));
    assert_true(player_goto(f.player, TOO_SHORT, &err));
    assert_true(sim_state_hash(run_sim(player_run(f.player))) == walked);
    end(&f);
}

static void every_path_once(void **unused)
{
    (void)unused;
    struct fixture f;
    begin(&f);
    int *answers = mem_alloc(lesson_item_count(f.lesson), sizeof *answers);
    size_t cards[16], met = 0;
    bool seen[16] = { false };
    assert_int_equal(lesson_path_count(f.lesson),
                     9); /* three of one question, three of the other */
    for (size_t i = 0; i < lesson_path_count(f.lesson); i++) {
        lesson_path_answers(f.lesson, i, answers);
        const size_t n = lesson_path(f.lesson, answers, cards);
        assert_int_equal(cards[0], ONE);
        assert_int_equal(cards[n - 1], TWO);
        assert_true(i > 0 || n == 4); /* the declared one comes first */
        for (size_t k = 0; k < n; k++) {
            met += !seen[cards[k]];
            seen[cards[k]] = true;
        }
    }
    assert_int_equal(met, lesson_card_count(f.lesson));
    free(answers);
    end(&f);
}

int main(void)
{
    static struct CMUnitTest tests[32];
    size_t n = 0;
    ROWS(tests, n, answer_cases, answer_case);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(looking_back_keeps_the_way);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_card_of_another_way);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_card_is_the_same_however_one_came);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(every_path_once);
    return _cmocka_run_group_tests("lesson/path", tests, n, NULL, NULL);
}
