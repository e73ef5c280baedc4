#define _XOPEN_SOURCE 700 /* mkstemp */

/*
 * A lesson whose file is saved while somebody is in it: each row walks a learner to a place by a script
 * and goes on there in another version.
 *
 *     n  the next card          p  play to the end of the play     +  play on for 10 us (also freely)
 *     <  back to half the time  s  skip what is waited for         a, b, c  answer
 *     d  destroy the first packet of g3>g4's message, 20 us on     f  mtu 1024 (starts anew)
 *     t  timeout_exponent 13    u  undo
 */
#include "cmocka_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lesson/lesson.h"
#include "lesson/player.h"
#include "lesson/resume.h"

#define LESSON WEFT_SOURCE "/tests/e2e/try-it.lua"

static const struct player_options options = { .seed = 7 };

static struct lesson *load(const char *path)
{
    struct err err = { 0 };
    struct lesson *lesson = lesson_load(path, WEFT_SOURCE, NULL, &err);
    if (lesson == NULL) {
        fail_msg("%s: %s", err.where, err.msg);
    }
    return lesson;
}

/* The lesson with one text of it replaced, or all from there on, in a file of its own. */
static struct lesson *load_edited(const char *from, const char *to, bool ends)
{
    char source[8192], path[64];
    FILE *file = fopen(LESSON, "r");
    assert_non_null(file);
    source[fread(source, 1, sizeof source - 1, file)] = '\0';
    (void)fclose(file);
    const char *at = strstr(source, from);
    assert_non_null(at);
    (void)snprintf(path, sizeof path, "/tmp/weft-resume-XXXXXX");
    const int fd = mkstemp(path);
    file = fdopen(fd, "w");
    assert_non_null(file);
    (void)fprintf(file, "%.*s%s%s", (int)(at - source), source, to, ends ? "" : at + strlen(from));
    (void)fclose(file);
    struct lesson *lesson = load(path);
    (void)unlink(path);
    return lesson;
}

static enum player_need next(struct player *p)
{
    struct err err = { 0 };
    return player_next(p, &err);
}

static void run_on(struct player *p, sim_ps by)
{
    const struct player_target target = player_target(p);
    struct run *run = player_run(p);
    const sim_ps to = by == SIM_NEVER ? SIM_NEVER : run_now(run) + by;
    const sim_ps until = to < target.until ? to : target.until;
    (void)player_reached(p, run_until(run, until, target.stop_kinds));
}

static void set(struct player *p, enum sim_knob knob, int64_t value)
{
    const struct sim_cmd cmd = { .kind = SIM_CMD_SET, .knob = knob, .value = value };
    assert_true(player_do(p, &cmd, NULL, NULL));
}

static void drop(struct player *p)
{
    struct sim_cmd cmd = { .kind = SIM_CMD_DROP, .which = SIM_DROP_FIRST, .flow = "g3>g4" };
    (void)run_until(player_run(p), run_now(player_run(p)) + 20 * UNIT_US, 0);
    struct err err = { 0 };
    if (!player_do(p, &cmd, NULL, &err)) {
        fail_msg("%s", err.msg);
    }
}

static void walk(struct player *p, const char *script)
{
    for (const char *c = script; *c != '\0'; c++) {
        (void)next(p);
        switch (*c) {
        case 'n':
            assert_true(player_next_card(p, NULL));
            break;
        case 'p':
            run_on(p, SIM_NEVER);
            break;
        case '+':
            run_on(p, 10 * UNIT_US);
            break;
        case '<':
            assert_true(run_seek(player_run(p), run_now(player_run(p)) / 2, NULL));
            break;
        case 's':
            assert_true(player_skip(p, NULL));
            break;
        case 'd':
            drop(p);
            break;
        case 'f':
            set(p, SIM_KNOB_MTU, 1024);
            break;
        case 't':
            set(p, SIM_KNOB_TIMEOUT_EXPONENT, 13);
            break;
        case 'u':
            assert_true(player_undo(p, NULL, NULL));
            break;
        default:
            assert_true(player_answer(p, (size_t)(*c - 'a'), NULL));
            player_sure(p, 2);
            break;
        }
    }
    (void)next(p);
}

/* ---- the same version ------------------------------------------------------------------------ */

static const char *const scripts[] = {
    "",         "+",        "p",         "p+++",         "pn",         "pnd",
    "pns",      "pndb",     "pndb+",     "pndbp",        "pndas",      "pnsbp",
    "pnsbpn",   "pnsbpn+",  "p++n",      "p++nd",        "pt",         "ptn",
    "ptnd",     "pnt++d",   "pndbp<",    "pndbp<+",      "p<",         "p<t",
    "pndbpn+t", "f",        "+f",        "pf+",          "pnf",        "pnfd",
    "pndbpf",   "pndbpfnd", "pndbpnpn",  "pndbpnpnf",    "pndbpnpnf+", "pndbpnpnfp",
    "pndbtp",   "pndbtpu",  "pndbptt<+", "pndbpnpnpf+t",
};

static void same_place(struct player *a, struct player *b)
{
    const struct player_question p = player_question(a), q = player_question(b);
    assert_int_equal(next(a), next(b));
    assert_int_equal(player_card(a), player_card(b));
    assert_int_equal(player_item(a), player_item(b));
    assert_int_equal(run_now(player_run(a)), run_now(player_run(b)));
    assert_true(sim_state_hash(run_sim(player_run(a))) == sim_state_hash(run_sim(player_run(b))));
    assert_int_equal(p.item, q.item);
    assert_int_equal(p.state, q.state);
    assert_int_equal(p.choice, q.choice);
    assert_int_equal(p.sure, q.sure);
}

/* Both go on alike from here. */
static void same_future(struct player *a, struct player *b)
{
    struct player *const both[] = { a, b };
    for (int i = 0; i < 2; i++) {
        if (next(both[i]) == PLAYER_PLAY) {
            run_on(both[i], SIM_NEVER);
        }
        (void)run_until(player_run(both[i]), run_now(player_run(both[i])) + UNIT_MS, 0);
    }
    same_place(a, b);
}

static void goes_on_in_the_same(void **state)
{
    const char *script = *(const char *const *)*state;
    struct err err = { 0 };
    struct lesson *old = load(LESSON), *new = load(LESSON);
    struct player *a = player_create(old, &options, &err);
    walk(a, script);
    struct lesson_place *place = lesson_place_take(a);
    struct lesson_resumed resumed;
    struct player *b = player_resume(new, &options, place, NULL, &resumed, &err);
    if (b == NULL) {
        fail_msg("%s", err.msg);
    }
    assert_int_equal(resumed.lost, 0);
    assert_false(resumed.card_gone);
    same_place(a, b);
    same_future(a, b);
    lesson_place_destroy(place);
    player_destroy(a);
    player_destroy(b);
    lesson_destroy(old);
    lesson_destroy(new);
}

/* ---- another version ------------------------------------------------------------------------- */

static struct edit {
    const char *name;
    const char *script;
    const char *from, *to; /* in the file */
    size_t card;           /* where it goes on, from 0 */
    enum player_need need;
    bool same_state; /* of the fabric */
    bool card_gone;
    size_t lost;
} edits[] = {
    /* clang-format off */
    { "other words on the card", "pnd", "Second card:", "The 2nd card:", 1, PLAYER_ANSWER, true, false, 0 },
    { "a card before it", "pnd", "weft.scene \"small\",", "weft.scene \"small\", weft.say [[New.]],", 2, PLAYER_ANSWER, true, false, 0 },
    { "a card behind it", "pnd", "  weft.say [[Third", "weft.say [[New.]], weft.say [[Third", 1, PLAYER_ANSWER, true, false, 0 },
    { "a longer play before it", "pnd", "time = \"30us\"", "time = \"45us\"", 1, PLAYER_ANSWER, false, false, 0 },
    { "a shorter play before it", "pnd", "time = \"30us\"", "time = \"25us\"", 1, PLAYER_ANSWER, true, false, 0 },
    { "in the middle of a play that became shorter", "+++", "time = \"30us\"", "time = \"5us\"", 0, PLAYER_CARD, true, false, 0 },
    { "in the middle of a play that became longer", "+", "time = \"30us\"", "time = \"90us\"", 0, PLAYER_PLAY, true, false, 0 },
    { "another fabric", "pndb+", "delay = \"500ns\"", "delay = \"700ns\"", 1, PLAYER_PLAY, false, false, 0 },
    { "a flow that is gone", "pnd", "hosts = 4,", "hosts = 2,", 1, PLAYER_ANSWER, false, false, 0 },
    { "a question more before it", "pndbp", "  weft.play { to = \"barrier\", gear = \"step\" },\n\n  weft.say [[Third", "  weft.play { to = \"barrier\", gear = \"step\" },\n  weft.play { time = \"1ms\" },\n\n  weft.say [[Third", 1, PLAYER_PLAY, true, false, 0 },
    { "an answer in another place", "pndb", "{ \"nothing\", reply = \"It cost something.\" }, \"a few us\",", "\"a few us\", { \"nothing\", reply = \"It cost something.\" },", 1, PLAYER_PLAY, true, false, 0 },
    { "the last cards are gone", "pndbpnpn", "  weft.say [[Third", "}", 1, PLAYER_DROP, false, true, 0 },
    /* clang-format on */
};

static void goes_on_in_another(void **state)
{
    const struct edit *edit = *state;
    struct err err = { 0 };
    struct lesson *old = load(LESSON), *new = load_edited(edit->from, edit->to, edit->card_gone);
    struct player *a = player_create(old, &options, &err);
    walk(a, edit->script);
    struct lesson_place *place = lesson_place_take(a);
    struct lesson_resumed resumed;
    struct player *b = player_resume(new, &options, place, NULL, &resumed, &err);
    if (b == NULL) {
        fail_msg("%s", err.msg);
    }
    assert_int_equal(next(b), edit->need);
    assert_int_equal(player_card(b), edit->card);
    assert_int_equal(resumed.card_gone, edit->card_gone);
    assert_int_equal(resumed.lost, edit->lost);
    if (edit->same_state) {
        assert_true(sim_state_hash(run_sim(player_run(a))) ==
                    sim_state_hash(run_sim(player_run(b))));
    }
    if (player_question(a).state == PLAYER_ANSWERED) {
        const struct player_question p = player_question(a), q = player_question(b);
        assert_string_equal(lesson_item(old, p.item)->choices[p.choice].text,
                            lesson_item(new, q.item)->choices[q.choice].text);
    }
    lesson_place_destroy(place);
    player_destroy(a);
    player_destroy(b);
    lesson_destroy(old);
    lesson_destroy(new);
}

/* ---- around it ------------------------------------------------------------------------------- */

static void a_place_knows_whether_something_was_done(void **state)
{
    (void)state;
    struct lesson *lesson = load(LESSON);
    struct player *p = player_create(lesson, &options, NULL);
    walk(p, "+");
    struct lesson_place *before = lesson_place_take(p);
    walk(p, "+");
    struct lesson_place *later = lesson_place_take(p);
    set(p, SIM_KNOB_TIMEOUT_EXPONENT, 13);
    struct lesson_place *set_too = lesson_place_take(p);
    assert_true(lesson_place_same(before, later));
    assert_false(lesson_place_same(before, set_too));
    lesson_place_destroy(before);
    lesson_place_destroy(later);
    lesson_place_destroy(set_too);
    player_destroy(p);
    lesson_destroy(lesson);
}

static void what_is_cancelled_ends_with_an_error(void **state)
{
    (void)state;
    struct err err = { 0 };
    struct lesson *lesson = load(LESSON);
    struct player *p = player_create(lesson, &options, NULL);
    walk(p, "p");
    struct lesson_place *place = lesson_place_take(p);
    atomic_bool cancel;
    atomic_init(&cancel, true);
    struct lesson_resumed resumed;
    assert_null(player_resume(lesson, &options, place, &cancel, &resumed, &err));
    assert_int_equal(err.code, ERR_STATE);

    struct lesson_files files = { 0 };
    assert_null(lesson_load_followed(WEFT_SOURCE "/tests/lesson/bad/endless.lua", WEFT_SOURCE,
                                     &files, &cancel, &err));
    assert_int_equal(err.code, ERR_STATE);
    assert_int_equal(files.count, 1);
    lesson_files_finish(&files);
    lesson_place_destroy(place);
    player_destroy(p);
    lesson_destroy(lesson);
}

static void files_are_those_of_the_folder(void **state)
{
    (void)state;
    struct err err = { 0 };
    struct lesson_files files = { 0 };
    assert_null(lesson_load_followed(WEFT_SOURCE "/tests/lesson/bad/no-such-module.lua",
                                     WEFT_SOURCE, &files, NULL, &err));
    assert_int_equal(files.count, 2); /* the lesson, and what it looked for; not weft itself */
    assert_non_null(strstr(files.path[0], "/bad/no-such-module.lua"));
    assert_non_null(strstr(files.path[1], "/tests/lesson/bad/"));
    lesson_files_finish(&files);
}

int main(void)
{
    struct CMUnitTest tests[COUNT_OF(scripts) + COUNT_OF(edits) + 8];
    size_t n = 0;
    for (size_t i = 0; i < COUNT_OF(scripts); i++) {
        tests[n++] =
            (struct CMUnitTest){ scripts[i][0] != '\0' ? scripts[i] : "at the beginning",
                                 goes_on_in_the_same, NULL, NULL, (void *)(uintptr_t)&scripts[i] };
    }
    ROWS(tests, n, edits, goes_on_in_another);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_place_knows_whether_something_was_done);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(what_is_cancelled_ends_with_an_error);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(files_are_those_of_the_folder);
    return _cmocka_run_group_tests("lesson/resume", tests, n, NULL, NULL);
}
