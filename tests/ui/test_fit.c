/*
 * ui_fit() says what is seen: where it finds room, the card is drawn whole, and nowhere else.
 */
#include "cmocka_rows.h"

#include <string.h>

#include "scenes.h"
#include "ui/layout.h"
#include "ui/ui.h"

static struct size_case {
    const char *name;
    int w, h;
} sizes[] = {
    { "80x24", 80, 24 }, { "40x12", 40, 12 }, { "100x30", 100, 30 }, { "50x14", 50, 14 }
};

/* The mark of more lines, in the last column. */
static bool is_cut(const struct canvas *c)
{
    for (int y = 1; y < c->h - 1; y++) {
        const char *glyph = canvas_at(c, c->w - 1, y)->glyph;
        if (strcmp(glyph, "^") == 0 || strcmp(glyph, "v") == 0) {
            return true;
        }
    }
    return false;
}

static bool is_seen(const struct canvas *c, const char *text)
{
    struct text frame = { 0 };
    canvas_dump(c, &frame);
    const bool seen = strstr(text_str(&frame), text) != NULL;
    text_finish(&frame);
    return seen;
}

static void draw(const struct scene *scene, const struct size_case *at, enum scene_view narrow,
                 struct canvas *c)
{
    struct scene shown = *scene;
    shown.view = ui_layout_kind(at->w, at->h) == UI_LAYOUT_NARROW ? narrow : SCENE_VIEW_MAIN;
    canvas_resize(c, at->w, at->h);
    ui_draw(&shown, c);
}

/* A card of ever more words, alone and with a question in each of its stages. */
static void words_fit_or_are_cut(void **state)
{
    const struct size_case *at = *state;
    static const enum scene_asking stages[] = { SCENE_ASK_NONE, SCENE_ASK_OPEN, SCENE_ASK_SURE,
                                                SCENE_ASK_DONE };
    struct canvas c;
    canvas_init(&c);
    for (size_t k = 0; k < COUNT_OF(stages); k++) {
        struct text words = { 0 };
        int cut = 0;
        for (int n = 1; n <= 160; n++) {
            struct scene_mem mem = { 0 };
            text_addf(&words, "%sword", n > 1 ? " " : "");
            const struct scene_prose prose = { text_str(&words), false };
            struct scene scene = scene_paused(&mem);
            scene.prose = &prose;
            scene.prose_count = 1;
            scene.quiet = NULL;
            scene.question.asking = stages[k];
            draw(&scene, at, SCENE_VIEW_PROSE, &c);
            const struct ui_fit fit = ui_fit(&scene, at->w, at->h);
            if ((fit.lines > fit.rows) != is_cut(&c)) {
                fail_msg("%d words, stage %zu: %d lines in %d rows, cut: %d", n, k, fit.lines,
                         fit.rows, is_cut(&c));
            }
            cut += fit.lines > fit.rows;
            scene_mem_finish(&mem);
        }
        assert_in_range(cut, 1, 159);
        text_finish(&words);
    }
    canvas_finish(&c);
}

/* Switches with ever longer labels. */
static void switches_fit_or_are_cut(void **state)
{
    const struct size_case *at = *state;
    struct canvas c;
    canvas_init(&c);
    struct text label = { 0 };
    size_t least = 3, most = 0;
    for (int n = 1; n <= 40; n++) {
        struct scene_mem mem = { 0 };
        text_add(&label, "x");
        const struct scene_switch sw[] = { { '1', "first", "on", false },
                                           { '2', text_str(&label), "second", false },
                                           { '3', "other", "third", false } };
        struct scene scene = scene_paused(&mem);
        scene.sw = sw;
        scene.sw_count = COUNT_OF(sw);
        scene.follow = NULL;
        draw(&scene, at, SCENE_VIEW_SWITCHES, &c);
        const size_t fit = ui_fit(&scene, at->w, at->h).switches;
        assert_int_equal(is_seen(&c, "[second]"), fit >= 2);
        assert_true(is_seen(&c, "[third]") || fit < 3);
        least = fit < least ? fit : least;
        most = fit > most ? fit : most;
        scene_mem_finish(&mem);
    }
    assert_in_range(least, 1, 3);
    assert_in_range(most, 2, 3);
    text_finish(&label);
    canvas_finish(&c);
}

/* Beside lanes there is little room: what waits for the learner is said, and where more of it is. */
static void what_is_asked_is_seen_beside_lanes(void **state)
{
    (void)state;
    static const enum scene_asking waits[] = { SCENE_ASK_OPEN, SCENE_ASK_NUMBER, SCENE_ASK_TASK,
                                               SCENE_ASK_SURE };
    const struct size_case narrow = { .w = 40, .h = 12 };
    struct canvas c;
    canvas_init(&c);
    for (size_t k = 0; k < COUNT_OF(waits); k++) {
        struct scene_mem mem = { 0 };
        struct scene scene = scene_paused(&mem);
        scene.quiet = NULL;
        scene.question = (struct scene_question){ .asking = waits[k], .ask = "How many?" };
        draw(&scene, &narrow, SCENE_VIEW_MAIN, &c);
        assert_true(is_seen(&c, "Tab: How many?"));
        scene_mem_finish(&mem);
    }
    canvas_finish(&c);
}

/* Few GPUs leave room for what may be answered. */
static void choices_are_seen_beside_few_lanes(void **state)
{
    (void)state;
    static const struct scene_choice choices[] = { { 'a', "nothing", SCENE_CHOICE_OPEN },
                                                   { 'b', "all of it", SCENE_CHOICE_OPEN } };
    const struct size_case narrow = { .w = 40, .h = 12 };
    struct canvas c;
    canvas_init(&c);
    for (size_t gpus = 2; gpus <= 8; gpus += 6) {
        struct scene_mem mem = { 0 };
        struct scene scene = scene_paused(&mem);
        scene.fabric.node_count = gpus; /* the first are its GPUs */
        scene.fabric.cable_count = 0;
        scene.quiet = NULL;
        scene.question = (struct scene_question){
            .asking = SCENE_ASK_OPEN, .ask = "Which?", .choice = choices, .choice_count = 2
        };
        draw(&scene, &narrow, SCENE_VIEW_MAIN, &c);
        assert_true(is_seen(&c, "Which?"));
        assert_int_equal(is_seen(&c, "all of it"), gpus == 2);
        scene_mem_finish(&mem);
    }
    canvas_finish(&c);
}

/* A silence is worth a line, but not that of the reply to an answer. */
static void a_reply_is_seen_beside_lanes(void **state)
{
    (void)state;
    static const struct scene_prose reply = { "Seven.", false };
    const struct size_case narrow = { .w = 40, .h = 12 };
    struct canvas c;
    canvas_init(&c);
    struct scene_mem mem = { 0 };
    struct scene scene = scene_paused(&mem);
    scene.prose = &reply;
    scene.prose_count = 1;
    scene.quiet = "Nothing moved.";
    scene.question = (struct scene_question){ .asking = SCENE_ASK_PENDING, .ask = "How many?" };
    draw(&scene, &narrow, SCENE_VIEW_MAIN, &c);
    assert_true(is_seen(&c, "Nothing moved."));
    scene.question.asking = SCENE_ASK_DONE;
    draw(&scene, &narrow, SCENE_VIEW_MAIN, &c);
    assert_true(is_seen(&c, "Seven."));
    scene_mem_finish(&mem);
    canvas_finish(&c);
}

/* Where nobody trains there is no barrier. */
static void states_of_flows_have_words_of_their_own(void **state)
{
    (void)state;
    const struct {
        enum scene_gpu_state state;
        const char *trains, *flows;
    } words[] = {
        { SCENE_GPU_EXCHANGE, "exchanges", "sends" },
        { SCENE_GPU_BARRIER, "barrier", "arrived" },
        { SCENE_GPU_PAUSED, "paused", "paused" },
    };
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        assert_string_equal(ui_word_of_gpu(words[i].state, false), words[i].trains);
        assert_string_equal(ui_word_of_gpu(words[i].state, true), words[i].flows);
    }
}

/* Where the keys do not all fit, the one that leads out has its room. */
static void the_way_out_is_said(void **state)
{
    (void)state;
    static const struct scene_hint hints[] = { { "Up Down", "choose", true, false, 0 },
                                               { "Enter", "type", true, false, 0 },
                                               { "Tab", "page", true, false, 0 },
                                               { "Esc", "done", true, true, 0 },
                                               { "?", "keys", true, false, 0 } };
    const struct size_case narrow = { .w = 40, .h = 12 };
    struct scene_mem mem = { 0 };
    struct scene scene = scene_paused(&mem);
    struct canvas c;
    canvas_init(&c);
    scene.follow = scene.status = NULL;
    scene.hint = hints;
    scene.hint_count = COUNT_OF(hints);
    draw(&scene, &narrow, SCENE_VIEW_MAIN, &c);
    assert_true(is_seen(&c, " Up Down choose  Enter type  Esc done"));
    assert_false(is_seen(&c, "Tab page"));
    canvas_finish(&c);
    scene_mem_finish(&mem);
}

int main(void)
{
    struct CMUnitTest tests[2 * COUNT_OF(sizes) + 5];
    size_t n = 0;
    ROWS(tests, n, sizes, words_fit_or_are_cut);
    ROWS(tests, n, sizes, switches_fit_or_are_cut);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(what_is_asked_is_seen_beside_lanes);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(choices_are_seen_beside_few_lanes);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_reply_is_seen_beside_lanes);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(states_of_flows_have_words_of_their_own);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(the_way_out_is_said);
    return _cmocka_run_group_tests("ui/fit", tests, n, NULL, NULL);
}
