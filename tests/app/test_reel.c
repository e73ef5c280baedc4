/* Reels: a lesson that plays itself comes to its end, always with the same frames. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <vterm.h>

#include "app/reel.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/units.h"
#include "export/cast.h"

static const struct app_options app = { .data_dir = SOURCE_ROOT, .seed = 1 };

static struct reel *open_reel(const char *lesson, size_t card)
{
    const struct reel_options how = { .width = 80, .height = 24, .fps = 5, .card = card };
    struct err err = { 0 };
    struct reel *reel = reel_create(&app, lesson, &how, &err);
    if (reel == NULL) {
        fail_msg("%s", err.msg);
    }
    return reel;
}

#define TRY_IT (SOURCE_ROOT "/tests/e2e/try-it.lua")

static uint64_t hash_frame(uint64_t h, const struct canvas *c)
{
    struct text text = { 0 };
    canvas_dump_styles(c, &text);
    for (size_t i = 0; i < text.len; i++) {
        h = rng_mix(h ^ (uint64_t)(unsigned char)text.s[i]);
    }
    text_finish(&text);
    return h;
}

static bool sees(const struct reel *reel, const char *words)
{
    struct text text = { 0 };
    canvas_dump(reel_canvas(reel), &text);
    const bool found = strstr(text_str(&text), words) != NULL;
    text_finish(&text);
    return found;
}

static void goes_the_whole_path(void **state)
{
    (void)state;
    struct reel *reel = open_reel(TRY_IT, 0);
    size_t card = 0;
    int64_t ms = -1;
    while (reel_next(reel)) {
        assert_true(reel_card(reel) == card || reel_card(reel) == card + 1);
        assert_true(reel_ms(reel) > ms);
        card = reel_card(reel);
        ms = reel_ms(reel);
        assert_true(ms < 60000 * (int64_t)reel_card_count(reel)); /* nobody waits for ever */
    }
    assert_int_equal(card, reel_card_count(reel));
    assert_false(reel_next(reel)); /* the last frame stays */
    reel_destroy(reel);
}

static uint64_t hash_reel(size_t card)
{
    struct reel *reel = open_reel(TRY_IT, card);
    uint64_t h = 0;
    while (reel_next(reel)) {
        h = hash_frame(h, reel_canvas(reel));
        if (card > 0) {
            assert_int_equal(reel_card(reel), card);
        }
    }
    reel_destroy(reel);
    return h;
}

static void always_the_same_frames(void **state)
{
    (void)state;
    assert_int_equal(hash_reel(0), hash_reel(0));
    assert_int_equal(hash_reel(2), hash_reel(2));
    assert_int_not_equal(hash_reel(1), hash_reel(2));
}

static void rests_at_a_question(void **state)
{
    (void)state;
    struct reel *reel = open_reel(SOURCE_ROOT "/lessons/one-lost-packet.lua", 4);
    reel_rest(reel);
    assert_true(sees(reel, "answer with a letter"));
    assert_non_null(strstr(reel_words(reel), "Not all are alike."));
    assert_int_equal(reel_card(reel), 4);
    reel_destroy(reel);
}

static void goes_to_a_moment(void **state)
{
    (void)state;
    struct err err = { 0 };
    struct reel *reel = open_reel(SOURCE_ROOT "/lessons/one-lost-packet.lua", 0);
    assert_true(reel_go(reel, -1, 150 * UNIT_US, &err));
    assert_true(sees(reel, "now 150 us"));
    reel_destroy(reel);
    reel = open_reel(SOURCE_ROOT "/lessons/one-lost-packet.lua", 1);
    assert_false(reel_go(reel, -1, UNIT_S, &err));
    assert_non_null(strstr(err.msg, "this plays up to "));
    reel_destroy(reel);
}

/* A run that cannot go on ends it: nobody waits for what will not happen. */
static void a_stalled_run_ends_it(void **state)
{
    (void)state;
    struct err err = { 0 };
    struct sim_cmd retries = { .kind = SIM_CMD_SET, .knob = SIM_KNOB_RETRY_LIMIT, .value = 0 };
    struct app_options options = app;
    options.sets = &retries;
    options.set_count = 1;
    const struct reel_options how = { .width = 80, .height = 24, .fps = 5 };
    const char *lesson = SOURCE_ROOT "/lessons/one-lost-packet.lua";
    for (int way = 0; way < 3; way++) {
        struct reel *reel = reel_create(&options, lesson, &how, &err);
        assert_non_null(reel);
        if (way == 0) {
            while (reel_next(reel)) {
                assert_true(reel_ms(reel) < 60000 * (int64_t)reel_card_count(reel));
            }
        } else if (way == 1) {
            reel_rest(reel);
        } else {
            assert_false(reel_go(reel, 0, 100 * UNIT_S, &err));
        }
        reel_destroy(reel);
    }
}

/* ---- what is written and what a terminal makes of it ---------------------------------------------- */

/* Feeds the output events of a recording to a terminal. */
static size_t play(const char *path, VTerm *vt)
{
    char line[1 << 16];
    size_t events = 0;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f)); /* the header */
    while (fgets(line, sizeof line, f) != NULL) {
        json_t *event = json_loads(line, 0, NULL);
        assert_int_equal(json_array_size(event), 3);
        if (strcmp(json_string_value(json_array_get(event, 1)), "o") == 0) {
            const json_t *data = json_array_get(event, 2);
            (void)vterm_input_write(vt, json_string_value(data), json_string_length(data));
            events++;
        }
        json_decref(event);
    }
    (void)fclose(f);
    return events;
}

/* The vocabulary is one cell wide, and of one character. */
static bool shows(VTerm *vt, const struct canvas *c)
{
    VTermScreen *screen = vterm_obtain_screen(vt);
    for (int y = 0; y < c->h; y++) {
        for (int x = 0; x < c->w; x++) {
            const VTermRect at = {
                .start_row = y, .end_row = y + 1, .start_col = x, .end_col = x + 1
            };
            char text[32];
            const size_t size = vterm_screen_get_text(screen, text, sizeof text - 1, at);
            text[size] = '\0';
            if (strcmp(size == 0 ? " " : text, canvas_at(c, x, y)->glyph) != 0) {
                return false;
            }
        }
    }
    return true;
}

static void a_recording_ends_with_the_last_frame(void **state)
{
    (void)state;
    char path[] = "/tmp/weft-test-reel.XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    (void)close(fd);
    struct sink *sink = sink_open(path, &(struct sink_options){ .replace = true }, NULL);
    struct export_cast *cast =
        export_cast_create(sink, (struct export_look){ UI_THEME_DARK, UI_PALETTE_256 }, "try it");
    struct reel *reel = open_reel(TRY_IT, 0);
    while (reel_next(reel)) {
        assert_true(export_cast_add(cast, reel_canvas(reel), reel_ms(reel)));
    }
    assert_true(export_cast_end(cast, reel_ms(reel)));
    assert_true(sink_close(sink, NULL));
    sink_destroy(sink);
    export_cast_destroy(cast);
    VTerm *vt = vterm_new(24, 80);
    vterm_set_utf8(vt, 1);
    vterm_screen_reset(vterm_obtain_screen(vt), 1);
    assert_true(play(path, vt) > 10);
    assert_true(shows(vt, reel_canvas(reel)));
    vterm_free(vt);
    reel_destroy(reel);
    (void)unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_the_whole_path),
        cmocka_unit_test(always_the_same_frames),
        cmocka_unit_test(rests_at_a_question),
        cmocka_unit_test(goes_to_a_moment),
        cmocka_unit_test(a_stalled_run_ends_it),
        cmocka_unit_test(a_recording_ends_with_the_last_frame),
    };
    return cmocka_run_group_tests_name("app/reel", tests, NULL, NULL);
}
