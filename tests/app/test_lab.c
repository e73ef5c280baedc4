/* The lab: every preset, every row of the menu, what is kept. */
#include "cmocka_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/keep.h"
#include "app/lab.h"
#include "app/menu.h"
#include "base/file.h"
#include "run/replay.h"
#include "stage.h"

static char folder[] = "/tmp/weft-lab-XXXXXX";

static struct lab *lab_of(const char *preset)
{
    struct err err = { 0 };
    struct lab *lab = lab_create(SOURCE_ROOT, preset, &err);
    if (lab == NULL) {
        fail_msg("%s: %s", preset != NULL ? preset : "the first preset", err.msg);
    }
    return lab;
}

/* What a scenario does in its first moments. */
static uint64_t hash_of(const struct sim_scenario *sc, sim_ps until)
{
    struct err err = { 0 };
    struct sim *sim = sim_create(sc, 1, &err);
    assert_non_null(sim);
    (void)sim_run_until(sim, until, 0);
    const uint64_t hash = sim_trace_hash(sim);
    sim_destroy(sim);
    return hash;
}

/* A preset is as its file says, also when it went through the draft and was written again. */
static void presets_are_what_their_files_say(void **state)
{
    (void)state;
    struct lab *lab = lab_of(NULL);
    assert_true(lab->presets.count >= 14);
    int year = 0;
    for (size_t i = 0; i < lab->presets.count; i++) {
        const struct lesson_preset *p = &lab->presets.item[i];
        struct err err = { 0 };
        struct sim_scenario sc;
        if (!lab_begin_with(lab, p->id, &err)) {
            fail_msg("%s: %s", p->id, err.msg);
        }
        assert_true(p->year >= year); /* in the order of the years */
        year = p->year;
        assert_true(lesson_load_scenario(p->file, SOURCE_ROOT, &sc, &err));
        struct lesson *lesson = lab_lesson(lab, &err);
        assert_non_null(lesson);
        assert_true(hash_of(&sc, 20 * UNIT_US) ==
                    hash_of(&lesson_scene(lesson, 0)->scenario, 20 * UNIT_US));
        lesson_destroy(lesson);
        sim_scenario_finish(&sc);
    }
    lab_destroy(lab);
}

static void unknown_presets_are_told_the_nearest(void **state)
{
    (void)state;
    struct err err = { 0 };
    assert_null(lab_create(SOURCE_ROOT, "deadlok-ring", &err));
    assert_int_equal(err.code, ERR_NAME);
    assert_non_null(strstr(err.msg, "deadlock-ring"));
    assert_null(lab_create(SOURCE_ROOT, "/nowhere/x.lua", &err));
    assert_null(lab_create(SOURCE_ROOT, SOURCE_ROOT "/lessons/one-lost-packet.lua", &err));
    assert_non_null(strstr(err.msg, "weft.scenario"));
}

static void as_text(struct lab *lab, struct text *out)
{
    int line = 1;
    lesson_draft_write(lab->draft, 0, NULL, &line, out);
}

/* Each row, both ways: it changes, or says why not and nothing has changed; what it is can be built. */
static void rows_change_or_say_why(void **state)
{
    (void)state;
    static const char *const presets[] = { "ring", "two-cards", "rail", "deadlock-ring",
                                           "tcp-incast" };
    for (size_t p = 0; p < COUNT_OF(presets); p++) {
        struct lab *lab = lab_of(presets[p]);
        struct lesson_draft_row rows[LAB_ROWS_MAX];
        size_t fabric, changed = 0;
        for (size_t i = 0; i < lab_rows(lab, rows, &fabric); i++) {
            for (int up = 0; up <= 1; up++) {
                struct err err = { 0 };
                struct text before = { 0 }, after = { 0 };
                struct lesson *lesson = lab_lesson(lab, &err);
                struct sim *sim = sim_create(&lesson_scene(lesson, 0)->scenario, 1, &err);
                lab_know(lab, sim);
                sim_destroy(sim);
                lesson_destroy(lesson);
                as_text(lab, &before);
                const size_t n = lab_rows(lab, rows, &fabric);
                if (i >= n) {
                    text_finish(&before);
                    continue;
                }
                const struct lesson_draft_row row = rows[i];
                const bool ok = lab_step(lab, &row, up != 0, &err);
                as_text(lab, &after);
                if ((strcmp(text_str(&before), text_str(&after)) != 0) != ok) {
                    fail_msg("%s, row %zu %s: %s, %s", presets[p], i, up != 0 ? "up" : "down",
                             ok ? "done" : "not done", err.msg);
                }
                assert_true(ok || err.msg[0] != '\0');
                changed += ok;
                text_finish(&before);
                text_finish(&after);
            }
        }
        assert_true(changed >= 6);
        lab_destroy(lab);
    }
}

static struct lesson_draft_row row_of(struct lab *lab, const char *name)
{
    struct lesson_draft_row rows[LAB_ROWS_MAX];
    size_t fabric;
    const size_t n = lab_rows(lab, rows, &fabric);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(lesson_field_info(rows[i].field)->name, name) == 0) {
            return rows[i];
        }
    }
    fail_msg("no row %s", name);
    return rows[0];
}

static struct typed_case {
    const char *name, *row, *typed;
    const char *says; /* NULL: it is taken */
} typed_cases[] = {
    { "a number", "hosts", "8", NULL },
    { "a rate", "rate", "400Gbps", NULL },
    { "no number", "hosts", "many", "a whole number" },
    { "a number without its unit", "rate", "400", "unit" },
    { "out of range", "hosts", "100000", "hosts" },
    { "a kind", "fabric", "star", NULL },
    { "no kind", "fabric", "torus", "is none of" },
    { "nothing where something must be", "hosts", "-", "must be given" },
    { "left out", "uplink_rate", "-", NULL },
    { "a word of a collective", "collective", "collective", NULL },
};

static void typed_values(void **state)
{
    const struct typed_case *c = *state;
    struct lab *lab = lab_of("ring");
    struct err err = { 0 };
    struct lesson *lesson = lab_lesson(lab, &err);
    lab->knobs = lesson_scene(lesson, 0)->scenario.knobs;
    lesson_destroy(lesson);
    const struct lesson_draft_row row = row_of(lab, c->row);
    const bool ok = lab_set(lab, &row, c->typed, &err);
    if (ok != (c->says == NULL) || (!ok && strstr(err.msg, c->says) == NULL)) {
        fail_msg("it said: %s", err.msg);
    }
    lab_destroy(lab);
}

/* A sentence, in no time, and the fabric that was there. */
static void too_large_is_said(void **state)
{
    (void)state;
    struct lab *lab = lab_of("ring");
    struct err err = { 0 };
    struct lesson_draft_row row = row_of(lab, "hosts");
    lab->changed = true;
    assert_true(lab_set(lab, &row, "1000", &err));
    row = row_of(lab, "leaves");
    assert_false(lab_set(lab, &row, "1000", &err));
    assert_true(err.msg[0] != '\0');
    print_message("# %s\n", err.msg);
    assert_string_equal(lab->counts, "2,000 hosts, 4 switches, 2,004 cables");
    lab_destroy(lab);
}

/* ---- in a session ---- */

static void begin(struct stage *s, const char *preset)
{
    struct err err = { 0 };
    static struct app_options options = { .data_dir = SOURCE_ROOT, .seed = 1 };
    *s = (struct stage){ .ms = 1000 };
    s->session = session_lab(&options, preset, s->ms, &err);
    assert_non_null(s->session);
    picture_init(&s->picture, false, 1000 / FRAME_MS);
    stage_frame(s);
}

static void a_preset_is_chosen_first(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, NULL);
    assert_true(stage_sees(&s, "[start from]"));
    assert_true(stage_sees(&s, "TCP incast"));
    stage_key(&s, 'j');
    stage_key(&s, TERM_KEY_ENTER);
    stage_frame(&s);
    assert_true(stage_sees(&s, "weft  TCP incast"));
    assert_true(s.session->playback.playing);
    assert_false(stage_sees(&s, "card 1"));
    stage_end(&s);
}

static void another_fabric_is_a_new_run_with_the_same_switches(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, "ring");
    stage_type(&s, ":set xoff 20KB\n");
    for (int i = 0; i < 20; i++) {
        stage_frame(&s);
    }
    stage_key(&s, 'L');
    stage_frame(&s);
    assert_true(stage_sees(&s, "[build]"));
    stage_type(&s, "jl"); /* leaves: 3 */
    stage_frame(&s);
    assert_true(stage_sees(&s, "12 hosts"));
    const struct run_line *lines;
    assert_int_equal(run_journal(player_run(s.session->player), &lines), 1); /* not yet */
    stage_key(&s, TERM_KEY_ESC);
    assert_int_equal(s.session->box, SESSION_BOX_NONE);
    assert_int_equal(sim_now(session_sim(s.session)), 0);
    assert_int_equal(run_journal(player_run(s.session->player), &lines), 0);
    assert_int_equal(sim_knob(session_sim(s.session), SIM_KNOB_XOFF), 20000);
    assert_int_equal(sim_rank_count(session_sim(s.session)), 12);
    stage_end(&s);
}

/* A large one is announced first. */
static void a_large_fabric_is_announced(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, "ring");
    stage_type(&s, "Ljjj\n");
    stage_type(&s, "128\n");
    stage_key(&s, TERM_KEY_ESC);
    assert_true(session_moving(s.session));
    assert_non_null(strstr(s.session->menu->error, "building 256 hosts"));
    assert_int_equal(sim_rank_count(session_sim(s.session)), 8);
    stage_frame(&s);
    assert_int_equal(sim_rank_count(session_sim(s.session)), 256);
    assert_int_equal(s.session->box, SESSION_BOX_NONE);
    stage_end(&s);
}

static void errors_stay_at_the_row(void **state)
{
    (void)state;
    struct stage s;
    begin(&s, "ring");
    stage_type(&s, "Lj\n");
    stage_type(&s, "lots\n");
    stage_frame(&s);
    assert_true(s.session->prompt.on); /* to be mended */
    assert_true(stage_sees(&s, "a whole number, please"));
    for (int i = 0; i < 4; i++) {
        stage_key(&s, TERM_KEY_BACKSPACE);
    }
    stage_type(&s, "4\n");
    stage_frame(&s);
    assert_false(s.session->prompt.on);
    assert_true(stage_sees(&s, "16 hosts"));
    stage_end(&s);
}

static void switches_go_through_the_journal(void **state)
{
    (void)state;
    struct stage s;
    const struct run_line *lines;
    begin(&s, "ring");
    stage_frame(&s);
    stage_key(&s, 'S');
    stage_frame(&s);
    assert_true(stage_sees(&s, "of this card"));
    stage_type(&s, "jl"); /* flow_control: the word after pfc */
    assert_int_equal(run_journal(player_run(s.session->player), &lines), 1);
    assert_int_equal(sim_knob(session_sim(s.session), SIM_KNOB_FLOW_CONTROL), SIM_FC_CREDITS);
    stage_frame(&s);
    stage_key(&s, TERM_KEY_ESC);
    stage_key(&s, 'u');
    assert_int_equal(sim_knob(session_sim(s.session), SIM_KNOB_FLOW_CONTROL), SIM_FC_PFC);
    stage_end(&s);
}

static void outside_the_lab_nothing_is_built(void **state)
{
    (void)state;
    struct stage s;
    stage_begin(&s, 1);
    stage_key(&s, 'L');
    stage_frame(&s);
    assert_true(stage_sees(&s, "weft lab"));
    stage_key(&s, 'S');
    stage_frame(&s);
    assert_true(stage_sees(&s, "[switches]"));
    assert_false(stage_sees(&s, "build"));
    stage_end(&s);
}

/* ---- keeping ---- */

/* What is saved plays again to the same hash, and a file that is there is asked about. */
static void the_run_is_kept(void **state)
{
    (void)state;
    struct stage s;
    struct err err = { 0 };
    char typed[160], path[96], *data = NULL;
    size_t size = 0;
    begin(&s, "ring");
    for (int i = 0; i < 30; i++) {
        stage_frame(&s);
    }
    stage_type(&s, ":slow g2 50%\n");
    stage_type(&s, ":go 300us\n");
    stage_settle(&s);
    snprintf(path, sizeof path, "%s/run.weft", folder);
    snprintf(typed, sizeof typed, ":save %s/run\n", folder);
    stage_type(&s, typed);
    assert_false(s.session->prompt.on);
    assert_true(file_read(path, REPLAY_FILE_MAX, &data, &size, &err));
    struct replay replay;
    assert_true(replay_read(&replay, data, size, path, &err));
    assert_true(replay.has_result);
    struct run *run = replay_start(&replay, &err);
    (void)run_until(run, replay.end, 0);
    assert_int_equal(replay_judge(&replay, run, NULL), REPLAY_SAME);
    assert_true(sim_trace_hash(run_sim(run)) == sim_trace_hash(session_sim(s.session)));
    run_destroy(run);
    replay_finish(&replay);
    free(data);
    stage_type(&s, typed);
    assert_true(s.session->prompt.on);
    assert_non_null(strstr(s.session->prompt.error, "there already"));
    stage_key(&s, TERM_KEY_ENTER);
    assert_false(s.session->prompt.on);
    assert_non_null(strstr(s.session->status, "saved"));
    stage_type(&s, ":save /nowhere/at/all\n");
    assert_true(s.session->prompt.on);
    assert_true(s.session->prompt.error[0] != '\0');
    stage_end(&s);
}

int main(void)
{
    struct CMUnitTest tests[48] = {
        cmocka_unit_test(presets_are_what_their_files_say),
        cmocka_unit_test(unknown_presets_are_told_the_nearest),
        cmocka_unit_test(rows_change_or_say_why),
        cmocka_unit_test(too_large_is_said),
        cmocka_unit_test(a_preset_is_chosen_first),
        cmocka_unit_test(another_fabric_is_a_new_run_with_the_same_switches),
        cmocka_unit_test(errors_stay_at_the_row),
        cmocka_unit_test(a_large_fabric_is_announced),
        cmocka_unit_test(switches_go_through_the_journal),
        cmocka_unit_test(outside_the_lab_nothing_is_built),
        cmocka_unit_test(the_run_is_kept),
    };
    size_t n = 11;
    ROWS(tests, n, typed_cases, typed_values);
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    const int failed = _cmocka_run_group_tests("app/lab", tests, n, NULL, NULL);
    char path[96];
    snprintf(path, sizeof path, "%s/run.weft", folder);
    (void)unlink(path);
    (void)rmdir(folder);
    return failed;
}
