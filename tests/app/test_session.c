/* A session without a terminal: commands and invented wall time, frames at any size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/picture.h"
#include "app/session.h"
#include "base/rng.h"

enum { FRAME_MS = 50 };

struct stage {
    struct session *session;
    struct picture picture;
    int64_t ms;
};

static void begin(struct stage *s, size_t card)
{
    struct err err = { 0 };
    struct app_options options = { .data_dir = SOURCE_ROOT, .seed = 1, .card = card };
    s->ms = 1000;
    s->session = session_create(&options, SOURCE_ROOT "/tests/e2e/try-it.lua", s->ms, &err);
    if (s->session == NULL) {
        fail_msg("%s", err.msg);
    }
    picture_init(&s->picture, false, 1000 / FRAME_MS);
}

static void end(struct stage *s)
{
    picture_finish(&s->picture);
    session_destroy(s->session);
}

static void frame(struct stage *s)
{
    s->ms += FRAME_MS;
    session_tick(s->session, s->ms);
    picture_session(&s->picture, s->session, 24, 80);
}

static void key(struct stage *s, uint32_t k)
{
    enum command command = command_of_key(k, session_contexts(s->session));
    if (command == COMMAND_NONE) {
        session_no_command(s->session, k, s->ms);
    } else {
        session_command(s->session, command, k, s->ms);
    }
}

/* Frames until nothing moves any more. */
static void settle(struct stage *s)
{
    for (int i = 0; i < 5000 && session_moving(s->session); i++) {
        frame(s);
    }
    assert_false(session_moving(s->session));
}

static void a_card_plays_by_itself_and_stops(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, 1);
    assert_int_equal(s.session->need, PLAYER_PLAY);
    assert_true(session_moving(s.session));
    settle(&s);
    assert_int_equal(s.session->need, PLAYER_CARD);
    assert_int_equal(sim_now(session_sim(s.session)), INT64_C(30000000));
    end(&s);
}

static void the_status_goes_by_itself(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, 1);
    settle(&s);
    key(&s, 'z');
    assert_string_equal(s.session->status, "z does nothing here; ? shows the keys");
    assert_int_equal(session_status_until(s.session), s.ms + SESSION_STATUS_MS);
    s.ms += SESSION_STATUS_MS;
    frame(&s);
    assert_string_equal(s.session->status, "");
    assert_int_equal(session_status_until(s.session), 0);
    end(&s);
}

static void going_on_and_back_is_the_same_run(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, 1);
    settle(&s);
    for (int gear = 0; gear < PLAYBACK_STEP; gear++) {
        playback_set_gear(&s.session->playback, (enum playback_gear)gear);
        key(&s, '.'); /* to a place of its own kind: an arrival, the end of a round */
        settle(&s);
        uint64_t before = sim_state_hash(session_sim(s.session));
        for (int i = 0; i < 5; i++) {
            key(&s, '.');
            settle(&s);
        }
        assert_true(sim_state_hash(session_sim(s.session)) != before);
        for (int i = 0; i < 5; i++) {
            key(&s, ',');
        }
        assert_true(sim_state_hash(session_sim(s.session)) == before);
    }
    end(&s);
}

static void what_is_destroyed_is_in_the_journal(void **state)
{
    (void)state;
    struct stage s;
    const struct run_line *lines;
    begin(&s, 2);
    assert_int_equal(s.session->need, PLAYER_DROP);
    assert_int_equal(run_journal(player_run(s.session->player), &lines), 0);
    key(&s, 'x');
    assert_int_equal(run_journal(player_run(s.session->player), &lines), 1);
    assert_int_equal(lines[0].author, RUN_LEARNER);
    assert_int_equal(lines[0].cmd.kind, SIM_CMD_DROP);
    assert_int_equal(s.session->need, PLAYER_ANSWER);
    key(&s, 'b');
    key(&s, '+');
    settle(&s);
    assert_int_equal(player_question(s.session->player).state, PLAYER_JUDGED);
    assert_int_equal(player_question(s.session->player).sure, 3);
    bool pending;
    assert_non_null(strstr(session_prose(s.session, &pending), "The step took"));
    assert_false(pending);
    assert_non_null(strstr(s.session->follow, "cost: +"));
    end(&s);
}

static void hurrying_ends_where_watching_ends(void **state)
{
    (void)state;
    struct stage watched, hurried;
    begin(&watched, 3);
    settle(&watched);
    key(&watched, 'n');
    begin(&hurried, 3);
    key(&hurried, 'n');
    for (int i = 0; i < 1000 && player_card(hurried.session->player) == 2; i++) {
        frame(&hurried);
    }
    assert_int_equal(player_card(hurried.session->player), 3);
    assert_true(sim_state_hash(session_sim(watched.session)) ==
                sim_state_hash(session_sim(hurried.session)));
    end(&watched);
    end(&hurried);
}

/* Whatever is pressed, whenever, at whatever size: it answers, and the fabric stays sound. */
static void random_keys_do_no_harm(void **state)
{
    (void)state;
    static const char plain[] = " ,.<>+-=cxyuRnpsHgqabcdhjkl123z?";
    static const uint32_t named[] = { TERM_KEY_ENTER, TERM_KEY_ESC,   TERM_KEY_TAB,   TERM_KEY_UP,
                                      TERM_KEY_DOWN,  TERM_KEY_LEFT,  TERM_KEY_RIGHT, TERM_KEY_HOME,
                                      TERM_KEY_END,   TERM_KEY_PAGEUP };
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct stage s;
        begin(&s, 1 + seed % 4);
        for (uint64_t i = 0; i < 250; i++) {
            uint64_t luck = rng_mix3(seed, i, 7);
            uint32_t k = luck % 4 == 0 ? named[(luck >> 8) % (sizeof named / sizeof named[0])]
                                       : (uint32_t)plain[(luck >> 8) % (sizeof plain - 1)];
            key(&s, k);
            s.ms += (int64_t)((luck >> 20) % 200);
            session_tick(s.session, s.ms);
            picture_session(&s.picture, s.session, (int)((luck >> 30) % 60),
                            (int)((luck >> 40) % 140));
        }
        struct err err = { 0 };
        if (!sim_audit(session_sim(s.session), &err)) {
            fail_msg("seed %d: %s", (int)seed, err.msg);
        }
        end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_card_plays_by_itself_and_stops),
        cmocka_unit_test(the_status_goes_by_itself),
        cmocka_unit_test(going_on_and_back_is_the_same_run),
        cmocka_unit_test(what_is_destroyed_is_in_the_journal),
        cmocka_unit_test(hurrying_ends_where_watching_ends),
        cmocka_unit_test(random_keys_do_no_harm),
    };
    return cmocka_run_group_tests_name("app/session", tests, NULL, NULL);
}
