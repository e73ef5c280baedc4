/*
 * The player: what it asks for, in which order; that every way to a card leads to the same state; that
 * what the learner does counts.
 */
#include "cmocka_rows.h"

#include <stdio.h>
#include <string.h>

#include "lesson/player.h"

#define COURSE WEFT_SOURCE "/lessons/one-lost-packet.lua"

struct fixture {
    struct lesson *lesson;
    struct player *player;
};

static void begin(struct fixture *f, const char *path, const struct sim_cmd *sets, size_t count)
{
    struct err err = { 0 };
    const struct player_options options = { .seed = 1, .sets = sets, .set_count = count };
    f->lesson = lesson_load(path, WEFT_SOURCE, NULL, &err);
    assert_non_null(f->lesson);
    f->player = player_create(f->lesson, &options, &err);
    assert_non_null(f->player);
}

static void end(struct fixture *f)
{
    player_destroy(f->player);
    lesson_destroy(f->lesson);
}

static enum player_need next(struct fixture *f)
{
    struct err err = { 0 };
    const enum player_need need = player_next(f->player, &err);
    if (err.code != ERR_NONE) {
        fail_msg("%s", err.msg);
    }
    return need;
}

/* Runs in slices of `slice` until the play is over, as the screen does. */
static void play(struct fixture *f, sim_ps slice)
{
    assert_int_equal(next(f), PLAYER_PLAY);
    struct run *run = player_run(f->player);
    const struct player_target target = player_target(f->player);
    for (int i = 0; i < 1000000; i++) {
        sim_ps until = run_now(run) + slice;
        until = until > target.until ? target.until : until;
        if (player_reached(f->player, run_until(run, until, target.stop_kinds))) {
            return;
        }
    }
    fail_msg("this play does not end");
}

static void to_card(struct fixture *f, size_t card)
{
    struct err err = { 0 };
    while (player_card(f->player) < card) {
        assert_true(player_next_card(f->player, &err));
    }
}

static uint64_t state(struct fixture *f)
{
    return sim_state_hash(run_sim(player_run(f->player)));
}

static void prose_is(struct fixture *f, bool pending, const char *want)
{
    struct text out = { 0 };
    struct err err = { 0 };
    bool unknown = false;
    assert_true(player_prose(f->player, &out, &unknown, &err));
    if (strstr(text_str(&out), want) == NULL || unknown != pending) {
        fail_msg("%s: %s", unknown ? "pending" : "whole", text_str(&out));
    }
    text_finish(&out);
}

/* The first cards as a learner walks them. */
static void the_first_cards(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f, COURSE, NULL, 0);
    assert_non_null(player_run(f.player));
    play(&f, UNIT_US);
    assert_int_equal(next(&f), PLAYER_CARD);
    assert_int_equal(player_question(f.player).item, SIZE_MAX);
    prose_is(&f, false, "Eight GPUs");

    assert_true(player_next_card(f.player, &err));
    assert_int_equal(next(&f), PLAYER_PLAY);
    prose_is(&f, true, "...");
    play(&f, UNIT_US);
    assert_int_equal(next(&f), PLAYER_CARD);
    prose_is(&f, false, "Last comes g");
    assert_int_equal(sim_steps_done(run_sim(player_run(f.player))), 1);

    assert_true(player_next_card(f.player, &err));
    play(&f, UNIT_US);
    assert_int_equal(next(&f), PLAYER_ANSWER);
    assert_int_equal(lesson_item(f.lesson, player_item(f.player))->kind, LESSON_PREDICT);
    assert_int_equal(player_question(f.player).state, PLAYER_OPEN);
    assert_false(player_answer(f.player, 7, &err));
    assert_true(player_answer(f.player, 2, &err));
    assert_false(player_answer(f.player, 1, &err));
    player_sure(f.player, 3);
    assert_int_equal(next(&f), PLAYER_DROP);
    const struct sim_cmd drop = { .kind = SIM_CMD_DROP, .flow = "g4>g5", .which = SIM_DROP_MIDDLE };
    assert_true(player_do(f.player, &drop, NULL, &err));
    prose_is(&f, false, "Destroy a packet");
    play(&f, UNIT_US); /* to the NAK */
    play(&f, UNIT_US); /* a little on */
    play(&f, UNIT_US); /* to the barrier */
    assert_int_equal(next(&f), PLAYER_CARD);
    const struct player_question q = player_question(f.player);
    assert_int_equal(q.state, PLAYER_JUDGED);
    assert_int_equal(q.choice, 2);
    assert_int_equal(q.truth, 1);
    assert_int_equal(q.sure, 3);
    assert_false(q.not_checked);
    prose_is(&f, false, "nearly always false");
    prose_is(&f, false, " us.\n");
    const struct run_line *lines = NULL;
    assert_int_equal(run_journal(player_run(f.player), &lines), 1);
    assert_int_equal(lines[0].author, RUN_LEARNER);
    end(&f);
}

/* The truth follows what the learner did, not what the author expected. */
static void the_learner_kills_the_last_one(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f, COURSE, NULL, 0);
    to_card(&f, 2);
    play(&f, UNIT_US);
    assert_int_equal(next(&f), PLAYER_ANSWER);
    const struct sim_cmd drop = { .kind = SIM_CMD_DROP, .flow = "g5>g6", .which = SIM_DROP_LAST };
    assert_true(player_do(f.player, &drop, NULL, &err)); /* before the question is answered */
    assert_true(player_answer(f.player, 2, &err));
    play(&f,
         UNIT_MS); /* the drop is done already: straight on; no NAK comes, the barrier ends it */
    assert_int_equal(next(&f), PLAYER_CARD);
    assert_int_equal(player_question(f.player).truth, 2);
    assert_int_equal(player_question(f.player).state, PLAYER_JUDGED);
    prose_is(&f, false, "16.8 ms");
    end(&f);
}

static void a_skipped_question_is_explained(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f, COURSE, NULL, 0);
    to_card(&f, 3);
    assert_int_equal(next(&f), PLAYER_ANSWER);
    assert_true(player_skip(f.player, &err));
    assert_int_equal(player_question(f.player).state, PLAYER_SKIPPED);
    while (next(&f) == PLAYER_PLAY) {
        assert_true(player_skip(f.player, &err));
    }
    assert_int_equal(player_question(f.player).state, PLAYER_SKIPPED);
    prose_is(&f, false, "g3's timer: 16.8 ms");
    end(&f);
}

/* A switch that begins the run anew leaves those alone that the learner has moved before. */
static void what_was_set_stays_set(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    bool restarted = false;
    const struct sim_cmd live = { .kind = SIM_CMD_SET, .knob = SIM_KNOB_TTL, .value = 7 };
    const struct sim_cmd anew = { .kind = SIM_CMD_SET, .knob = SIM_KNOB_MTU, .value = 512 };
    begin(&f, COURSE, NULL, 0);
    assert_int_equal(next(&f), PLAYER_PLAY);
    assert_true(player_do(f.player, &live, &restarted, &err));
    assert_false(restarted);
    assert_true(player_do(f.player, &anew, &restarted, &err));
    assert_true(restarted);
    const struct sim *sim = run_sim(player_run(f.player));
    assert_int_equal(sim_knob(sim, SIM_KNOB_MTU), 512);
    assert_int_equal(sim_knob(sim, SIM_KNOB_TTL), 7);
    assert_true(player_undo(f.player, &restarted, &err));
    assert_false(restarted);
    assert_int_equal(sim_knob(run_sim(player_run(f.player)), SIM_KNOB_TTL), 64);
    end(&f);
}

/* By goto, by walking, by restarting: a card begins in the same state. */
static void every_way_to_a_card_is_the_same(void **unused)
{
    (void)unused;
    struct fixture walker, jumper;
    struct err err = { 0 };
    begin(&walker, COURSE, NULL, 0);
    begin(&jumper, COURSE, NULL, 0);
    const size_t cards = 6; /* the small scene: the others take longer and add nothing */
    for (size_t card = 0; card < cards; card++) {
        to_card(&walker, card);
        const uint64_t here = state(&walker);
        assert_true(player_goto(jumper.player, card, &err));
        assert_int_equal(player_card(jumper.player), card);
        assert_true(state(&jumper) == here);
        while (next(&jumper) != PLAYER_CARD) {
            assert_true(player_skip(jumper.player, &err));
        }
        assert_true(player_restart_card(jumper.player, &err));
        assert_true(state(&jumper) == here);
    }
    assert_false(player_goto(jumper.player, 1000, &err));
    assert_int_equal(err.code, ERR_RANGE);
    end(&walker);
    end(&jumper);
}

/* So does one that is gone to in portions, however small. */
static void a_card_in_portions_is_the_same(void **unused)
{
    (void)unused;
    struct fixture whole, portions;
    struct err err = { 0 };
    begin(&whole, COURSE, NULL, 0);
    begin(&portions, COURSE, NULL, 0);
    assert_true(player_goto(whole.player, 4, &err));
    assert_true(player_goto_begin(portions.player, 4, &err));
    size_t count = 0;
    for (bool there = false; !there; count++) {
        assert_true(player_goto_on(portions.player, 3 * UNIT_US, &there, &err));
    }
    assert_true(count > 20);
    assert_int_equal(player_card(portions.player), 4);
    assert_true(state(&portions) == state(&whole));
    assert_false(player_goto_begin(portions.player, 1000, &err));
    assert_int_equal(err.code, ERR_RANGE);
    end(&whole);
    end(&portions);
}

/* Slices of any length end a play at the same moment as no slices at all. */
static void slicing_is_invisible(void **unused)
{
    (void)unused;
    uint64_t first = 0;
    const sim_ps slices[] = { 137 * UNIT_NS, UNIT_US, 20 * UNIT_US, UNIT_S };
    for (size_t i = 0; i < COUNT_OF(slices); i++) {
        struct fixture f;
        struct err err = { 0 };
        begin(&f, COURSE, NULL, 0);
        for (int card = 0; card < 3; card++) {
            for (enum player_need need = next(&f); need != PLAYER_CARD; need = next(&f)) {
                if (need == PLAYER_PLAY) {
                    play(&f, slices[i]);
                } else {
                    assert_true(player_skip(f.player, &err));
                }
            }
            assert_true(player_next_card(f.player, &err));
        }
        first = i == 0 ? state(&f) : first;
        assert_true(state(&f) == first);
        end(&f);
    }
}

/* Playing on after a card is done does not spoil the next one: it measures its own step. */
static void playing_on_freely_does_no_harm(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f, COURSE, NULL, 0);
    to_card(&f, 2);
    struct run *run = player_run(f.player);
    (void)run_until(run, run_now(run) + 700 * UNIT_US, 0); /* into step 8 or so */
    assert_true(player_restart_card(f.player, &err));      /* and back again */
    assert_int_equal(sim_steps_done(run_sim(run)), 1);
    (void)run_until(run, run_now(run) + 700 * UNIT_US, 0);
    assert_true(player_next_card(f.player, &err));
    const int64_t done = sim_steps_done(run_sim(run));
    assert_true(done > 5);
    while (next(&f) != PLAYER_CARD) {
        assert_true(player_skip(f.player, &err));
    }
    assert_int_equal(player_sight(f.player).step, done + 1);
    prose_is(&f, false, "16.8 ms");
    end(&f);
}

static void a_restart_knob_begins_the_card_again(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f, COURSE, NULL, 0);
    to_card(&f, 1);
    play(&f, UNIT_MS);
    const struct sim_cmd mtu = { .kind = SIM_CMD_SET, .knob = SIM_KNOB_MTU, .value = 1024 };
    bool restarted = false;
    assert_true(player_do(f.player, &mtu, &restarted, &err));
    assert_true(restarted);
    assert_int_equal(player_card(f.player), 1);
    assert_int_equal(run_now(player_run(f.player)), 0);
    prose_is(&f, true, "...");
    play(&f, UNIT_US);
    assert_int_equal(next(&f), PLAYER_CARD);
    assert_int_equal(sim_knob(run_sim(player_run(f.player)), SIM_KNOB_MTU), 1024);
    assert_true(player_restart_card(f.player, &err));
    assert_int_equal(sim_knob(run_sim(player_run(f.player)), SIM_KNOB_MTU), 1024);
    const struct sim_cmd bad = { .kind = SIM_CMD_DROP, .flow = "g1>g9", .which = SIM_DROP_LAST };
    assert_false(player_do(f.player, &bad, NULL, &err));
    end(&f);
}

static void sets_are_applied_first(void **unused)
{
    (void)unused;
    struct fixture f;
    const struct sim_cmd sets[] = {
        { .kind = SIM_CMD_SET, .knob = SIM_KNOB_MTU, .value = 1024 },
        { .kind = SIM_CMD_SET, .knob = SIM_KNOB_BYTES, .value = 65536 },
    };
    begin(&f, COURSE, sets, COUNT_OF(sets));
    assert_int_equal(sim_knob(run_sim(player_run(f.player)), SIM_KNOB_MTU), 1024);
    const struct run_line *lines = NULL;
    assert_int_equal(run_journal(player_run(f.player), &lines), 0);
    to_card(&f, 1);
    play(&f, UNIT_US);
    prose_is(&f, false, "the other 7");
    end(&f);
    const struct sim_cmd wrong = { .kind = SIM_CMD_SET, .knob = SIM_KNOB_MTU, .value = 1 };
    struct err err = { 0 };
    const struct player_options options = { .seed = 1, .sets = &wrong, .set_count = 1 };
    struct lesson *lesson = lesson_load(COURSE, WEFT_SOURCE, NULL, &err);
    assert_null(player_create(lesson, &options, &err));
    assert_true(err.code != ERR_NONE);
    lesson_destroy(lesson);
}

struct counted {
    int claims, held;
};

static void count(void *arg, size_t item, bool judged, bool holds, const struct err *err)
{
    (void)item;
    (void)err;
    struct counted *counted = arg;
    counted->claims += judged;
    counted->held += holds;
}

static void the_whole_path(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    struct counted counted = { 0, 0 };
    begin(&f, COURSE, NULL, 0);
    assert_true(player_play_all(f.player, count, &counted, &err));
    assert_true(counted.claims >= 15);
    assert_int_equal(counted.claims, counted.held);
    assert_int_equal(next(&f), PLAYER_END);
    assert_int_equal(player_card(f.player) + 1, lesson_card_count(f.lesson));
    assert_false(player_next_card(f.player, &err));
    assert_true(player_play_all(f.player, NULL, NULL, &err));
    end(&f);
}

/* A card may compare with scenes before its own: whoever begins there finds them run. */
static void a_card_knows_the_scenes_before(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f, WEFT_SOURCE "/tests/lesson/good/boxes.lua", NULL, 0);
    assert_true(player_goto(f.player, 2, &err));
    const struct lesson_sight sight = player_sight(f.player);
    for (int scene = 0; scene < (int)lesson_scene_count(f.lesson); scene++) {
        assert_non_null(sight.reports[scene]);
        assert_true(scene == sight.scene || sight.reports[scene]->end > 0);
    }
    end(&f);
}

/* What is plotted stays so on the cards behind, also for who begins at one of them. */
static void a_plot_stays(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f, WEFT_SOURCE "/tests/lesson/good/lint.lua", NULL, 0);
    assert_int_equal(player_plot(f.player), SIZE_MAX);
    assert_true(player_goto(f.player, lesson_card_count(f.lesson) - 1, &err));
    const size_t item = player_plot(f.player);
    assert_int_not_equal(item, SIZE_MAX);
    assert_int_equal(lesson_item(f.lesson, item)->kind, LESSON_PLOT);
    end(&f);
}

static void a_packet_that_is_past(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f, WEFT_SOURCE "/tests/lesson/good/lint.lua", NULL, 0);
    const struct lesson_card *last = lesson_card(f.lesson, lesson_card_count(f.lesson) - 1);
    char where[32];
    (void)snprintf(where, sizeof where, "lint.lua:%d",
                   lesson_item(f.lesson, last->first + 1)->line);
    assert_true(player_goto(f.player, lesson_card_count(f.lesson) - 1, &err));
    assert_int_equal(player_next(f.player, &err), PLAYER_END);
    assert_int_equal(err.code, ERR_STATE);
    assert_non_null(strstr(err.where, where));
    err = (struct err){ 0 };
    assert_int_equal(player_next(f.player, &err), PLAYER_END); /* said once, then left behind */
    assert_int_equal(err.code, ERR_NONE);
    end(&f);
}

static void a_claim_waits_for_its_step(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f, COURSE, NULL, 0);
    size_t item = lesson_item_count(f.lesson) - 1;
    while (lesson_item(f.lesson, item)->kind != LESSON_CLAIM) {
        item--;
    }
    const struct lesson_sight sight = player_sight(f.player);
    bool holds = true;
    assert_false(lesson_claim(f.lesson, item, &sight, &holds, &err));
    assert_int_equal(err.code, ERR_STATE);
    assert_false(holds);
    end(&f);
}

/* A question from an earlier lesson is judged at once; a note is not the learner's. */
static void a_recall(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    struct text out = { 0 };
    begin(&f, WEFT_SOURCE "/tests/lesson/good/tasks.lua", NULL, 0);
    assert_int_equal(next(&f), PLAYER_ANSWER);
    assert_false(lesson_item(f.lesson, player_item(f.player))->asks_sure);
    assert_true(player_prose(f.player, &out, NULL, &err));
    assert_null(strstr(text_str(&out), "teacher"));
    assert_true(player_answer(f.player, 0, &err));
    assert_int_equal(next(&f), PLAYER_CARD);
    assert_int_equal(player_question(f.player).state, PLAYER_JUDGED);
    assert_int_equal(player_question(f.player).truth, 1);
    prose_is(&f, false, "The next gives it away. Nothing follows it.");
    player_destroy(f.player);

    const struct player_options notes = { .seed = 1, .notes = true };
    f.player = player_create(f.lesson, &notes, &err);
    prose_is(&f, false, "**For the teacher:** Wait for three hands. So far 0 were lost.");
    text_finish(&out);
    end(&f);
}

/* The second question of a card: what was said to the first stays, until the card begins anew. */
static void two_recalls(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    struct text out = { 0 };
    begin(&f, WEFT_SOURCE "/lessons/two-cards.lua", NULL, 0);
    assert_int_equal(next(&f), PLAYER_ANSWER);
    player_earlier(f.player, &out);
    assert_string_equal(text_str(&out), "");
    assert_true(player_answer(f.player, 0, &err));
    assert_int_equal(next(&f), PLAYER_ANSWER);
    player_earlier(f.player, &out);
    assert_string_equal(text_str(&out),
                        "Most cost microseconds. Without a later packet nobody sees the gap.");
    assert_true(player_answer(f.player, 1, &err));
    prose_is(&f, false, "Yes. Nobody starts a step before all are done.");
    text_clear(&out);
    player_hide(f.player, true);
    player_earlier(f.player, &out);
    assert_string_equal(text_str(&out), "");
    player_hide(f.player, false);
    assert_true(player_restart_card(f.player, &err));
    player_earlier(f.player, &out);
    assert_string_equal(text_str(&out), "");
    text_finish(&out);
    end(&f);
}

/* A number: read with its unit, judged with its tolerance. */
static void a_number(void **unused)
{
    (void)unused;
    static const struct {
        const char *said, *reply;
        int off;
    } rows[] = { { "1us", "It cannot be that short: ", -1 }, { "1s", "Not that long: ", 1 } };
    struct fixture f;
    struct err err = { 0 };
    int64_t truth = 0;
    begin(&f, WEFT_SOURCE "/tests/lesson/good/tasks.lua", NULL, 0);
    to_card(&f, 3);
    for (size_t i = 0; i <= COUNT_OF(rows); i++) {
        char exact[40];
        const bool last = i == COUNT_OF(rows);
        assert_int_equal(next(&f), PLAYER_ANSWER);
        assert_false(player_answer(f.player, 0, &err));
        assert_false(player_answer_number(f.player, "7", &err)); /* of what? */
        assert_false(player_answer_number(f.player, "7KB", &err));
        units_exact(exact, sizeof exact, UNIT_TIME, truth);
        assert_true(player_answer_number(f.player, last ? exact : rows[i].said, &err));
        assert_int_equal(next(&f), PLAYER_PLAY); /* its truth is known; the run is not over */
        assert_int_equal(player_question(f.player).state, PLAYER_ANSWERED);
        play(&f, UNIT_S);
        assert_int_equal(next(&f), PLAYER_CARD);
        const struct player_question q = player_question(f.player);
        assert_int_equal(q.state, PLAYER_JUDGED);
        assert_int_equal(q.off, last ? 0 : rows[i].off);
        prose_is(&f, false, last ? "A power of two" : rows[i].reply);
        truth = q.true_number;
        assert_true(player_restart_card(f.player, &err));
    }
    end(&f);
}

/* What was measured with other switches says so, until they are moved back. */
static void old_values(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f, WEFT_SOURCE "/tests/lesson/good/tasks.lua", NULL, 0);
    to_card(&f, 3);
    assert_int_equal(next(&f), PLAYER_ANSWER);
    assert_true(player_skip(f.player, &err));
    play(&f, UNIT_S);
    assert_int_equal(next(&f), PLAYER_CARD);
    prose_is(&f, false, "; 3 are lost.");
    const struct sim_cmd ecn = { .kind = SIM_CMD_SET, .knob = SIM_KNOB_ECN, .value = 1 };
    assert_true(player_do(f.player, &ecn, NULL, &err));
    prose_is(&f, false, "; 3 (old) are lost.");
    assert_true(player_undo(f.player, NULL, &err));
    prose_is(&f, false, "; 3 are lost.");
    end(&f);
}

/* A task: tried, hinted at, reached; a try that is stopped is no pass. */
static void a_task(void **unused)
{
    (void)unused;
    struct fixture f;
    struct err err = { 0 };
    begin(&f, WEFT_SOURCE "/tests/lesson/good/tasks.lua", NULL, 0);
    to_card(&f, 1);
    assert_int_equal(next(&f), PLAYER_FIX);
    assert_true(player_try(f.player, &err));
    while (!player_try_on(f.player, 10 * UNIT_US)) {
        assert_true(player_question(f.player).trying);
    }
    assert_int_equal(next(&f), PLAYER_FIX);
    assert_int_equal(player_question(f.player).tries, 1);
    prose_is(&f, false, " were lost.");
    assert_string_equal(player_hint(f.player), "Somebody must wait.");
    assert_non_null(player_hint(f.player));
    assert_null(player_hint(f.player));
    assert_int_equal(run_now(player_run(f.player)), 0);

    assert_true(player_try(f.player, &err));
    assert_false(player_try_on(f.player, UNIT_US));
    const struct sim_cmd pfc = { .kind = SIM_CMD_SET, .knob = SIM_KNOB_FLOW_CONTROL, .value = 1 };
    assert_true(player_do(f.player, &pfc, NULL, &err));
    assert_true(player_question(f.player).not_checked);
    prose_is(&f, false, "Not checked: it was stopped.");
    assert_int_equal(next(&f), PLAYER_FIX);
    assert_int_equal(player_question(f.player).hints, 2);

    assert_true(player_try(f.player, &err));
    while (!player_try_on(f.player, UNIT_S)) {
    }
    assert_int_equal(player_question(f.player).state, PLAYER_JUDGED);
    assert_false(player_question(f.player).not_checked);
    prose_is(&f, false, " arrived, after ");
    assert_int_equal(next(&f), PLAYER_PLAY);
    end(&f);
}

/* A truth that cannot be found is no pass: the learner is told so, and a branch takes it as not right. */
static void an_answer_without_a_verdict(void **unused)
{
    (void)unused;
    static const struct {
        size_t card;
        const char *why;
    } rows[] = { { 0, "" }, /* by instructions, or by the clock of a busy machine */
                 { 3, "has no `nothing` here" },
                 { 4, "truth must return the number of a choice" },
                 { 5, "this run has not come to it yet" } };
    struct fixture f;
    struct err err = { 0 };
    begin(&f, WEFT_SOURCE "/tests/lesson/good/unjudged.lua", NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_int_equal(player_card(f.player), rows[i].card);
        assert_int_equal(next(&f), PLAYER_ANSWER);
        assert_null(player_why_not(f.player));
        assert_true(player_answer(f.player, 0, &err));
        play(&f, UNIT_US);
        (void)next(&f);
        assert_int_equal(player_question(f.player).state, PLAYER_ANSWERED);
        const char *why = player_why_not(f.player);
        if (why == NULL || strstr(why, rows[i].why) == NULL) {
            fail_msg("%s", why != NULL ? why : "it is judged");
        }
        if (i + 1 < COUNT_OF(rows)) {
            assert_true(player_next_card(f.player, &err));
        }
        if (i == 0) {
            assert_int_equal(player_card(f.player), 2); /* the way of who is not right */
            assert_true(player_next_card(f.player, &err));
        }
    }
    end(&f);
}

/* What is not known yet ends a sentence with its own dots. */
static void three_dots_are_enough(void **unused)
{
    (void)unused;
    static const char text[] =
        "local weft = require 'weft'\n"
        "return weft.lesson { api = 1, id = 'dots', title = 'Dots', year = 2020, minutes = 5, "
        "level = 1,\n"
        "  scenes = { main = weft.scenario { fabric = weft.pair { rate = '100Gbps', delay = '1us' "
        "},\n"
        "    workload = weft.training { collective = weft.ring_allreduce { bytes = '64KiB' },\n"
        "      compute = '20us', steps = 2 } } },\n"
        "  weft.scene 'main', weft.say 'A step takes {steps[1].duration}. Then more.',\n"
        "  weft.play { to = 'barrier' } }\n";
    struct fixture f;
    struct err err = { 0 };
    f.lesson = lesson_load_text(text, "dots.lua", WEFT_SOURCE, NULL, &err);
    if (f.lesson == NULL) {
        fail_msg("%s", err.msg);
    }
    f.player = player_create(f.lesson, &(struct player_options){ .seed = 1 }, &err);
    assert_non_null(f.player);
    assert_int_equal(next(&f), PLAYER_PLAY);
    prose_is(&f, true, "takes ... Then");
    play(&f, UNIT_US);
    assert_int_equal(next(&f), PLAYER_END);
    prose_is(&f, false, "us. Then");
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_cards),
        cmocka_unit_test(a_recall),
        cmocka_unit_test(two_recalls),
        cmocka_unit_test(a_number),
        cmocka_unit_test(old_values),
        cmocka_unit_test(a_task),
        cmocka_unit_test(an_answer_without_a_verdict),
        cmocka_unit_test(the_learner_kills_the_last_one),
        cmocka_unit_test(a_skipped_question_is_explained),
        cmocka_unit_test(what_was_set_stays_set),
        cmocka_unit_test(every_way_to_a_card_is_the_same),
        cmocka_unit_test(a_card_in_portions_is_the_same),
        cmocka_unit_test(slicing_is_invisible),
        cmocka_unit_test(playing_on_freely_does_no_harm),
        cmocka_unit_test(a_restart_knob_begins_the_card_again),
        cmocka_unit_test(sets_are_applied_first),
        cmocka_unit_test(the_whole_path),
        cmocka_unit_test(a_card_knows_the_scenes_before),
        cmocka_unit_test(a_plot_stays),
        cmocka_unit_test(a_packet_that_is_past),
        cmocka_unit_test(a_claim_waits_for_its_step),
        cmocka_unit_test(three_dots_are_enough),
    };
    return cmocka_run_group_tests_name("lesson/player", tests, NULL, NULL);
}
