/*
 * The menu, and the lab behind it: see menu.h, lab.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/keep.h"
#include "app/menu.h"
#include "app/session_parts.h"
#include "app/step.h"
#include "base/mem.h"

/* ---- the lab ----------------------------------------------------------------------------------------- */

struct session *session_lab(const struct app_options *options, const char *preset, int64_t now_ms,
                            struct err *err)
{
    struct lesson_files files = { 0 };
    struct lab *lab = lab_create(options->data_dir, preset, err);
    struct lesson *lesson = lab != NULL ? lab_lesson(lab, err) : NULL;
    struct session *s = lesson != NULL ? session_open(options, lesson, &files, now_ms, err) : NULL;
    if (s == NULL) {
        lab_destroy(lab);
        return NULL;
    }
    s->lab = lab;
    s->lab_seed = options->seed;
    if (preset == NULL) {
        session_menu_open(s, MENU_PRESETS);
    }
    return s;
}

/* The draft's run in the place of the one there was. False: that one goes on. */
static bool run_draft(struct session *s, struct err *err)
{
    const struct player_options options = { .seed = s->lab_seed };
    struct lesson *lesson = lab_lesson(s->lab, err);
    struct player *player = lesson != NULL ? player_create(lesson, &options, err) : NULL;
    if (player == NULL) {
        lesson_destroy(lesson);
        s->lab->changed = true;
        return false;
    }
    player_destroy(s->player);
    lesson_destroy(s->lesson);
    s->player = player;
    s->lesson = lesson;
    s->attached = NULL;
    session_enter_card(s); /* and plays */
    return true;
}

/* ---- opening, closing -------------------------------------------------------------------------------- */

static struct menu_world world_of(struct session *s)
{
    const struct playback *pb = &s->playback;
    return (struct menu_world){ .honesty = s->honesty.count > 0 ? &s->honesty : NULL,
                                .rate = pb->rate[pb->gear],
                                .lab = s->lab,
                                .sim = session_sim(s),
                                .lesson = s->lesson,
                                .card = player_card(s->player) };
}

void session_menu_refresh(struct session *s)
{
    if (s->box == SESSION_BOX_MENU) {
        if (s->lab != NULL) {
            lab_know(s->lab, session_sim(s));
        }
        const struct menu_world world = world_of(s);
        menu_refresh(s->menu, &world);
    }
}

void session_menu_open(struct session *s, int page)
{
    if (s->lab == NULL && (page == MENU_PRESETS || page == MENU_BUILD)) {
        session_say(s, "only the lab builds fabrics: weft lab");
        return;
    }
    if (page >= MENU_TRUE && s->honesty.count == 0) {
        struct err err = { 0 };
        if (!lesson_honesty_read(s->data_dir, &s->honesty, &err)) {
            session_say(s, "%.240s", err.msg);
            return;
        }
    }
    if (s->menu == NULL) {
        s->menu = mem_alloc(1, sizeof *s->menu);
    }
    playback_play(&s->playback, false);
    s->wants_packet = false;
    s->box = SESSION_BOX_MENU;
    if (s->lab != NULL) {
        lab_know(s->lab, session_sim(s));
    }
    const struct menu_world world = world_of(s);
    menu_open(s->menu, &world, (enum menu_page)page);
}

void session_menu_fill(struct session *s, struct scene_mem *mem, struct scene *scene)
{
    const struct menu_world world = world_of(s);
    menu_fill(s->menu, &world, mem, scene);
}

/* What was built becomes the run. False: it cannot, and that is said in the menu. */
static bool settle(struct session *s)
{
    struct err err = { 0 };
    if (s->lab == NULL || !s->lab->changed) {
        return true;
    }
    if (!run_draft(s, &err)) {
        snprintf(s->menu->error, sizeof s->menu->error, "%.399s", err.msg);
        return false;
    }
    session_say(s, "a new run: %s; {key:lab} builds", s->lab->counts);
    return true;
}

void session_menu_build(struct session *s)
{
    s->lab_builds = false;
    if (settle(s)) {
        s->box = SESSION_BOX_NONE;
    }
}

/* A large fabric takes a moment: first the answer, then the work. */
static void close_menu(struct session *s)
{
    enum { LARGE = 200 };
    if (s->lab == NULL || !s->lab->changed || s->lab->hosts < LARGE) {
        session_menu_build(s);
        return;
    }
    s->lab_builds = true;
    snprintf(s->menu->error, sizeof s->menu->error, "building %s ...", s->lab->counts);
}

static void turn(struct session *s, bool back)
{
    if (settle(s)) {
        const struct menu_world world = world_of(s);
        playback_play(&s->playback, false);
        menu_turn(s->menu, &world, back);
    }
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static void say_error(struct session *s, const struct err *err)
{
    snprintf(s->menu->error, sizeof s->menu->error, "%.399s", err->msg);
}

static void set_knob(struct session *s, enum sim_knob knob, int64_t value)
{
    struct sim_cmd cmd = { .kind = SIM_CMD_SET, .knob = knob, .value = value };
    bool restarted = false;
    if (!session_do_to_run(s, &cmd, &restarted)) {
        snprintf(s->menu->error, sizeof s->menu->error, "%s", s->status);
        s->status[0] = '\0';
    } else if (restarted) {
        session_proceed(s);
        playback_play(&s->playback, false);
    }
}

static void change(struct session *s, bool up)
{
    struct err err = { 0 };
    const struct menu_row *row = menu_chosen(s->menu);
    int64_t value;
    s->menu->error[0] = '\0';
    if (row == NULL) {
        return;
    }
    switch (s->menu->page) {
    case MENU_BUILD: {
        const struct lesson_draft_row draft = row->draft;
        if (!lab_step(s->lab, &draft, up, &err)) {
            say_error(s, &err);
        }
        break;
    }
    case MENU_SWITCHES:
        if (step_knob(row->knob, sim_knob(session_sim(s), row->knob), up, &value)) {
            set_knob(s, row->knob, value);
        } else {
            snprintf(s->menu->error, sizeof s->menu->error,
                     "there is no %s one; Enter types a value", up ? "larger" : "smaller");
        }
        break;
    case MENU_PRESETS:
    case MENU_FAULTS:
    case MENU_KEEP:
    case MENU_TRUE:
    case MENU_MODELLED:
    case MENU_MISSING:
    case MENU_CONSTANTS:
    case MENU_PAGES:
        snprintf(s->menu->error, sizeof s->menu->error, "nothing to change here: Enter %s",
                 s->menu->page == MENU_PRESETS ? "begins with it"
                 : s->menu->page >= MENU_TRUE  ? "leads to its switch, where it has one"
                                               : "begins to type it");
        break;
    }
    session_menu_refresh(s);
}

static void begin_with(struct session *s, const char *id)
{
    struct err err = { 0 };
    if (!lab_begin_with(s->lab, id, &err)) {
        say_error(s, &err);
        return;
    }
    s->menu->selected[MENU_BUILD] = 0;
    close_menu(s);
}

/* From the honesty page to the switch by which it matters. */
static void lead(struct session *s, enum sim_knob knob)
{
    const struct menu_world world = world_of(s);
    if (knob == SIM_KNOB_COUNT) {
        snprintf(s->menu->error, sizeof s->menu->error, "no switch is behind this");
    } else {
        menu_go_to_knob(s->menu, &world, knob);
    }
}

static void do_row(struct session *s)
{
    static const char *const keeps[] = {
        [MENU_KEEP_RUN] = "save ", [MENU_KEEP_LESSON] = "save-lesson "
    };
    char text[PROMPT_BYTES];
    const struct menu_row *row = menu_chosen(s->menu);
    s->menu->error[0] = '\0';
    if (row == NULL) {
        return;
    }
    switch (s->menu->page) {
    case MENU_PRESETS:
        begin_with(s, row->about);
        break;
    case MENU_BUILD:
        session_prompt_row(s, row);
        break;
    case MENU_SWITCHES:
        snprintf(text, sizeof text, "set %s ", row->name);
        session_prompt_open_with(s, text);
        break;
    case MENU_FAULTS:
        if (settle(s)) {
            s->box = SESSION_BOX_NONE; /* one wants to see what comes of it */
            snprintf(text, sizeof text, "%.*s ", (int)strcspn(row->name, " "), row->name);
            session_prompt_open_with(s, text);
        }
        break;
    case MENU_KEEP:
        session_prompt_open_with(s, keeps[row->index]);
        break;
    case MENU_TRUE:
    case MENU_MODELLED:
    case MENU_MISSING:
    case MENU_CONSTANTS:
        lead(s, row->knob);
        break;
    case MENU_PAGES:
        break;
    }
}

bool session_menu_pick(struct session *s, size_t row)
{
    size_t *selected = &s->menu->selected[s->menu->page];
    const bool again = *selected == row;
    if (!s->prompt.on && row < s->menu->count && !s->menu->row[row].heading) {
        *selected = row;
        s->menu->error[0] = '\0';
    }
    return again && !s->prompt.on;
}

bool session_menu_typed(struct session *s, const char *typed, struct err *err)
{
    const struct menu_row *row = menu_chosen(s->menu);
    const struct lesson_draft_row draft = row->draft;
    return lab_set(s->lab, &draft, typed, err);
}

void session_menu_command(struct session *s, enum command command, uint32_t key)
{
    enum { PAGE = 10 };
    switch ((int)command) {
    case COMMAND_SWITCHES:
        session_menu_open(s, MENU_SWITCHES);
        break;
    case COMMAND_HONEST:
        session_menu_open(s, MENU_TRUE);
        break;
    case COMMAND_LAB:
        session_menu_open(s, MENU_BUILD);
        break;
    case COMMAND_MENU_UP:
        menu_move(s->menu, key == TERM_KEY_PAGEUP ? -PAGE : -1);
        break;
    case COMMAND_MENU_DOWN:
        menu_move(s->menu, key == TERM_KEY_PAGEDOWN ? PAGE : 1);
        break;
    case COMMAND_MENU_LESS:
    case COMMAND_MENU_MORE:
        change(s, command == COMMAND_MENU_MORE);
        break;
    case COMMAND_MENU_DO:
        do_row(s);
        break;
    case COMMAND_MENU_PAGE:
        turn(s, key == TERM_KEY_BACKTAB);
        break;
    case COMMAND_MENU_CLOSE:
        close_menu(s);
        break;
    default:
        break;
    }
}

/* ---- keeping ------------------------------------------------------------------------------------------ */

bool session_keep(struct session *s, keep_fn *write, const char *name, bool replace,
                  struct err *err)
{
    char file[PROMPT_BYTES + 8];
    const struct keep_wish wish = { .lesson = s->lesson,
                                    .player = s->player,
                                    .lab = s->lab,
                                    .saved = s->saved != NULL,
                                    .name = name };
    if (!write(&wish, replace, file, sizeof file, err)) {
        return false;
    }
    session_say(s, "saved: %s", file);
    return true;
}
