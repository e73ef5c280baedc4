/*
 * Plain mode: commands that are typed, every switch, and the lab.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/complete.h"
#include "app/keep.h"
#include "app/lab.h"
#include "app/plain_parts.h"
#include "app/typed.h"

/* True: something was typed. */
static bool ask(struct plain *p, const char *question, char *line, size_t size)
{
    return plain_read(p, question, line, size) && line[0] != '\0';
}

/* ---- a command ----------------------------------------------------------------------------------------- */

static void say_forms(void)
{
    struct typed_form form;
    struct text out = { 0 };
    for (size_t i = 0; (form = typed_form(i)).words != NULL; i++) {
        if (i >= TYPED_COUNT || i == TYPED_SAVE || i == TYPED_SAVE_LESSON) {
            char lead[96];
            snprintf(lead, sizeof lead, "%.60s: ", form.words);
            text_add_wrapped(&out, lead, form.help, PLAIN_WIDTH);
        }
    }
    plain_say_text(&out);
    text_finish(&out);
}

/* True: it is written, or nobody wanted it to be. */
static void save(struct plain *p, enum typed what, const char *name)
{
    struct err err = { 0 };
    char file[256], yes[16];
    const struct keep_wish wish = { .lesson = p->lesson,
                                    .player = p->player,
                                    .lab = p->lab,
                                    .saved = p->saved != NULL,
                                    .name = name };
    bool (*write)(const struct keep_wish *, bool, char *, size_t, struct err *) =
        what == TYPED_SAVE ? keep_run : keep_lesson;
    bool ok = write(&wish, false, file, sizeof file, &err);
    if (!ok && err.code == ERR_STATE && file[0] != '\0') {
        printf("%s is there already. ", file);
        ok = ask(p, "Replace it? y or n", yes, sizeof yes) && yes[0] == 'y' &&
             write(&wish, true, file, sizeof file, &err);
        if (!ok && yes[0] != 'y') {
            printf("Nothing is written.\n");
            return;
        }
    }
    printf("%s%s.\n", ok ? "Saved: " : "", ok ? file : err.msg);
}

static void do_typed(struct plain *p, const char *typed)
{
    struct err err = { 0 };
    struct sim_cmd cmd;
    const char *rest = "";
    const enum typed what = typed_find(typed, &rest);
    if (what == TYPED_SAVE || what == TYPED_SAVE_LESSON) {
        save(p, what, rest);
    } else if (what != TYPED_COUNT) {
        printf("That is for the screen; here there is a choice for it.\n");
    } else if (!sim_cmd_parse(typed, &cmd, &err)) {
        printf("%s.\n", err.msg);
    } else if (plain_do_command(p, &cmd)) {
        printf("Done: %s.\n", typed);
    }
}

void plain_type(struct plain *p)
{
    char line[200];
    if (!ask(
            p,
            "A command, like \"set xoff 50KB\", \"slow g2 50%\", \"save mine.weft\"; ? lists them.",
            line, sizeof line)) {
        return;
    }
    if (strcmp(line, "?") == 0) {
        say_forms();
    } else {
        do_typed(p, line);
    }
}

/* ---- switches ------------------------------------------------------------------------------------------ */

void plain_say_knobs(struct plain *p)
{
    enum sim_knob order[SIM_KNOB_COUNT];
    size_t offered = 0, set = 0;
    const char *group = NULL;
    struct text out = { 0 };
    const size_t card = player_card(p->player);
    complete_knobs(p->lesson, card, order, &offered, &set);
    for (size_t i = 0; i < SIM_KNOB_COUNT; i++) {
        char about[500];
        const char *is = i < offered         ? "Of this card:"
                         : i < offered + set ? "Set by the scene:"
                                             : sim_knob_info(order[i])->group;
        if (group == NULL || strcmp(group, is) != 0) {
            text_addf(&out, "%s%s\n", is, i < offered + set ? "" : ":");
            group = is;
        }
        complete_say_knob(plain_sim(p), order[i], about, sizeof about);
        text_add_wrapped(&out, "  ", about, PLAIN_WIDTH);
    }
    plain_say_text(&out);
    text_finish(&out);
    printf("\"type a command\" sets any of them: set NAME VALUE.\n");
}

/* ---- the lab ------------------------------------------------------------------------------------------- */

bool plain_run_lab(struct plain *p, struct err *err)
{
    const struct player_options fresh = { .seed = p->options->seed };
    const struct player_options first = session_player_options(p->options);
    struct lesson *lesson = lab_lesson(p->lab, err);
    struct player *player =
        lesson != NULL ? player_create(lesson, p->player == NULL ? &first : &fresh, err) : NULL;
    if (player == NULL) {
        lesson_destroy(lesson);
        return false;
    }
    const bool again = p->player != NULL;
    player_destroy(p->player);
    lesson_destroy(p->lesson);
    p->player = player;
    p->lesson = lesson;
    p->did = p->undid = false;
    printf("%s: %s.\n", lesson_info(lesson).title, p->lab->counts);
    if (again) {
        plain_say_card(p);
    }
    return true;
}

bool plain_choose_preset(struct plain *p)
{
    char line[64];
    struct err err = { 0 };
    for (size_t i = 0; i < p->lab->presets.count; i++) {
        const struct lesson_preset *preset = &p->lab->presets.item[i];
        printf("%zu %s, %d\n", i + 1, preset->name, preset->year);
    }
    if (!ask(p, "Start from which? A number; Enter alone leaves it as it is.", line, sizeof line)) {
        return false;
    }
    size_t n;
    if (!plain_is_number(line, p->lab->presets.count, &n)) {
        printf("A number from 1 to %zu, please.\n", p->lab->presets.count);
        return false;
    }
    if (!lab_begin_with(p->lab, p->lab->presets.item[n - 1].id, &err)) {
        printf("%s.\n", err.msg);
        return false;
    }
    return true;
}

static size_t say_rows(struct lab *lab, struct lesson_draft_row rows[LAB_ROWS_MAX])
{
    size_t fabric = 0;
    const size_t n = lab_rows(lab, rows, &fabric);
    for (size_t i = 0; i < n; i++) {
        char value[72], range[200];
        const struct lesson_field_info *info = lesson_field_info(rows[i].field);
        lab_row_value(&rows[i], value, sizeof value);
        lab_row_range(&rows[i], range, sizeof range);
        printf("%zu %*s%s: %s (%s)\n", i + 1, 2 * rows[i].depth, "", info->name, value, range);
    }
    printf("In all: %s.\n", lab->counts);
    return n;
}

void plain_build(struct plain *p)
{
    struct lesson_draft_row rows[LAB_ROWS_MAX];
    char line[128];
    struct err err = { 0 };
    lab_know(p->lab, plain_sim(p));
    for (;;) {
        const size_t n = say_rows(p->lab, rows);
        if (!ask(p, "A number and a value, like \"2 4\"; Enter alone builds it.", line,
                 sizeof line)) {
            break;
        }
        char *value = NULL;
        const unsigned long row = strtoul(line, &value, 10);
        value += strspn(value, " ");
        err = (struct err){ 0 };
        if (row < 1 || row > n || *value == '\0') {
            printf("A number from 1 to %zu, a blank and a value, please.\n", n);
        } else if (!lab_set(p->lab, &rows[row - 1], value, &err)) {
            printf("%s.\n", err.msg);
        }
    }
    if (p->lab->changed && !plain_run_lab(p, &err)) {
        printf("%s.\n", err.msg);
    }
}
