/*
 * The lab's presets as lessons: what `weft check` asks of a lesson holds for the card that the lab makes of
 * each (numbers are measured, switches change something, all of it has room), and so does what it saves.
 */
#include "cmocka_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/fit.h"
#include "app/lab_parts.h"
#include "base/file.h"
#include "lesson/check.h"

static char folder[] = "/tmp/weft-presets-XXXXXX";
static struct lab *lab;

static void check_text(const char *id, const char *name, const struct text *text)
{
    char path[160];
    struct err err = { 0 };
    struct lesson_check result = { 0 };
    struct text said = { 0 };
    const struct lesson_places places = { .data_dir = SOURCE_ROOT };
    snprintf(path, sizeof path, "%s/%s.lua", folder, name);
    assert_true(file_write(path, text_str(text), text->len, true, &err));
    const bool ok = lesson_check(path, &places, app_fit, &result, &err);
    lesson_check_say(&result, &said);
    (void)unlink(path);
    if (!ok) {
        print_message("%s\n%s\n", id, text_str(&said));
    }
    lesson_check_finish(&result);
    text_finish(&said);
    assert_true(ok);
}

/* Not to their end: some have none. Long enough to see what the card speaks of. */
static void play_for_a_while(const char *id, const char *card, struct text *out)
{
    static const struct {
        const char *id, *time;
    } longer[] = { { "tcp-incast", "300ms" },
                   { "two-cards", "25ms" },
                   { "lossy-ethernet", "30ms" } };
    const char *time = "12ms", *play = strstr(card, "weft.play { to = \"end\"");
    for (size_t i = 0; i < COUNT_OF(longer); i++) {
        time = strcmp(longer[i].id, id) == 0 ? longer[i].time : time;
    }
    assert_non_null(play);
    text_add_n(out, card, (size_t)(play - card));
    text_addf(out, "weft.play { time = \"%s\"%s", time, play + strlen("weft.play { to = \"end\""));
}

static void holds(void **state)
{
    const struct lesson_preset *preset = *state;
    struct err err = { 0 };
    struct text card = { 0 }, text = { 0 };
    assert_true(lab_begin_with(lab, preset->id, &err));
    lab_write_card(lab->draft, &card);
    play_for_a_while(preset->id, text_str(&card), &text);
    check_text(preset->id, "lab", &text);
    text_finish(&card);
    text_finish(&text);
}

static void saves(void **state)
{
    const struct lesson_preset *preset = *state;
    struct err err = { 0 };
    struct text text = { 0 };
    struct sim_cmd cmd;
    assert_true(lab_begin_with(lab, preset->id, &err));
    struct lesson *lesson = lab_lesson(lab, &err);
    struct run *run = run_create(&lesson_scene(lesson, 0)->scenario, 1, &err);
    assert_non_null(run);
    (void)run_until(run, 50 * UNIT_US, 0);
    assert_true(sim_cmd_parse("slow g2 50%", &cmd, &err));
    assert_true(run_do(run, &cmd, RUN_LEARNER, NULL, &err));
    (void)run_until(run, 90 * UNIT_US, 0);
    lab_write_lesson(lab, run, "saved-lab", &text);
    check_text(preset->id, "saved-lab", &text);
    text_finish(&text);
    run_destroy(run);
    lesson_destroy(lesson);
}

int main(void)
{
    struct err err = { 0 };
    struct CMUnitTest tests[2 * 64];
    size_t n = 0;
    lab = lab_create(SOURCE_ROOT, NULL, &err);
    if (lab == NULL || mkdtemp(folder) == NULL) {
        return 1;
    }
    static char names[64][2][96];
    for (size_t i = 0; i < lab->presets.count && i < 64; i++) {
        const struct lesson_preset *p = &lab->presets.item[i];
        snprintf(names[i][0], sizeof names[i][0], "%s", p->id);
        snprintf(names[i][1], sizeof names[i][1], "%s, saved", p->id);
        tests[n++] = (struct CMUnitTest){ names[i][0], holds, NULL, NULL, &lab->presets.item[i] };
        tests[n++] = (struct CMUnitTest){ names[i][1], saves, NULL, NULL, &lab->presets.item[i] };
    }
    const int failed = _cmocka_run_group_tests("app/presets", tests, n, NULL, NULL);
    lab_destroy(lab);
    (void)rmdir(folder);
    return failed;
}
