#include "app/picture.h"

#include <string.h>

#include "app/events.h"
#include "app/scene_home.h"
#include "app/session_box.h"
#include "ui/ui.h"

enum { HINTS_MAX = 24, LINES_MAX = 512 };

void picture_init(struct picture *picture, bool ascii, int fps)
{
    *picture = (struct picture){ .ascii = ascii, .fps = fps };
    canvas_init(&picture->canvas);
}

void picture_finish(struct picture *picture)
{
    scene_mem_finish(&picture->mem);
    for (size_t i = 0; i < SCENE_SIDES; i++) {
        scene_fill_finish(&picture->fill[i]);
    }
    canvas_finish(&picture->canvas);
}

/* ---- from the commands table ------------------------------------------------------------------- */

static bool asks_number(const struct session *s)
{
    const size_t item = player_item(s->player);
    return s->need == PLAYER_ANSWER && item != SIZE_MAX && lesson_item(s->lesson, item)->number;
}

/* "keys|word" for the bottom line as things stand now; NULL: it would not help. */
static const char *footer_of(enum command command, const struct session *s)
{
    const char *footer = command_info(command)->footer;
    if (s == NULL) {
        return footer;
    }
    bool question = s->need == PLAYER_ANSWER;
    switch ((int)command) {
    case COMMAND_PLAY:
        return question ? NULL : s->playback.playing ? "space|pause" : footer;
    case COMMAND_TICK_BACK:
    case COMMAND_WHATIF:
        return question ? NULL : footer;
    case COMMAND_GEAR_UP:
        return session_in_whatif(s) ? NULL : footer; /* there the room is for the differences */
    case COMMAND_CURSOR_DROP:
        return s->cursor.thing == CURSOR_FRAME ? footer : "x|faults";
    case COMMAND_CURSOR_FAULTS:
        return s->cursor.thing == CURSOR_FRAME ? footer : NULL; /* x does the same */
    case COMMAND_CURSOR_INSPECT:
        return s->cursor.thing == CURSOR_NODE ? NULL : footer;
    case COMMAND_PLOT:
        return NULL; /* the heading of the view says it */
    case COMMAND_ANSWER:
        return asks_number(s) ? "a|type your answer" : footer;
    case COMMAND_SKIP:
        return question || s->need == PLAYER_DROP ? "s|skip" : footer;
    case COMMAND_NEXT:
        return s->need == PLAYER_CARD ? "n|next card" : footer;
    default:
        return footer;
    }
}

static void add_hint(struct scene *scene, struct scene_hint *hints, struct scene_mem *mem,
                     const char *footer, bool keep)
{
    const char *bar = footer != NULL ? strchr(footer, '|') : NULL;
    if (bar == NULL || scene->hint_count == HINTS_MAX) {
        return;
    }
    hints[scene->hint_count++] =
        (struct scene_hint){ .keys = scene_mem_textf(mem, "%.*s", (int)(bar - footer), footer),
                             .text = bar + 1,
                             .keep = keep };
}

/* What a narrow screen must not leave out: the topmost context, what leads on, and what leads out of a
 * what-if. */
static bool is_kept(enum command command, int top, unsigned active)
{
    const int context = (int)command_info(command)->context;
    if (command == COMMAND_NEXT || command == COMMAND_SKIP || command == COMMAND_HELP) {
        return true;
    }
    if (top == CONTEXT_TIME && (active & 1u << CONTEXT_WHATIF) != 0) {
        return command == COMMAND_SIDE || command == COMMAND_KEEP || command == COMMAND_DROP_WHATIF;
    }
    return context == top || context == CONTEXT_MANY ||
           (top == CONTEXT_TIME && context == CONTEXT_LESSON);
}

/* The bottom line: what goes on from here, then the topmost context, and what always helps last. */
static void fill_footer(struct scene *scene, struct scene_mem *mem, unsigned active,
                        const struct session *s)
{
    struct scene_hint *hints = scene_mem_take(mem, HINTS_MAX, sizeof *hints);
    int top = CONTEXT_COUNT - 1;
    while (top > 0 && (active & 1u << top) == 0) {
        top--;
    }
    bool card_done = s != NULL && s->need == PLAYER_CARD && top == CONTEXT_TIME &&
                     (active & 1u << CONTEXT_LESSON) != 0;
    if (card_done && !session_moving(s)) {
        add_hint(scene, hints, mem, footer_of(COMMAND_NEXT, s), true);
    }
    for (int context = top; context >= 0; context--) {
        for (int c = 1; c < COMMAND_COUNT; c++) {
            enum command command = (enum command)c;
            bool told =
                command == COMMAND_NEXT && scene->hint_count > 0 && card_done && !session_moving(s);
            if ((int)command_info(command)->context == context && (active & 1u << context) != 0 &&
                !told) {
                add_hint(scene, hints, mem, footer_of(command, s), is_kept(command, top, active));
            }
        }
    }
    scene->hint = hints;
}

/* The headings of the ? screen in their order: what can be done here and now first. */
static const enum command_context HELP_HOME[] = { CONTEXT_ALL, CONTEXT_HOME, CONTEXT_PROMPT };
static const enum command_context HELP_LESSON[] = {
    CONTEXT_ALL,    CONTEXT_TIME,    CONTEXT_LESSON,   CONTEXT_MANY, CONTEXT_WHATIF,
    CONTEXT_CURSOR, CONTEXT_INSPECT, CONTEXT_QUESTION, CONTEXT_TASK, CONTEXT_SURE,
    CONTEXT_LIST,   CONTEXT_BOX,     CONTEXT_PROMPT,
};
static const enum command_context HELP_WHATIF[] = {
    CONTEXT_ALL, CONTEXT_WHATIF, CONTEXT_TIME, CONTEXT_LIST, CONTEXT_BOX, CONTEXT_PROMPT,
};

static void fill_help(struct scene *scene, struct scene_mem *mem,
                      const enum command_context *contexts, size_t count, size_t scroll)
{
    struct scene_help_line *lines = scene_mem_take(mem, LINES_MAX, sizeof *lines);
    size_t n = 0;
    for (size_t k = 0; k < count; k++) {
        lines[n++].text = command_context_title(contexts[k]);
        for (int c = 1; c < COMMAND_COUNT; c++) {
            const struct command_info *info = command_info((enum command)c);
            if (info->context == contexts[k] && n < LINES_MAX) {
                lines[n++] = (struct scene_help_line){ .keys = info->shown, .text = info->help };
            }
        }
    }
    scene->screen = SCENE_HELP;
    scene->help = (struct scene_help){
        .title = "Keys and marks", .line = lines, .line_count = n, .scroll = scroll
    };
}

/* ---- boxes ------------------------------------------------------------------------------------- */

static const char *heading_of_faults(struct scene_mem *mem, const struct session *s)
{
    char text[160];
    return scene_mem_textf(mem, "%s", fault_heading(session_sim(s), &s->cursor, text, sizeof text));
}

/* Lines of a text, as many as a box has. */
static struct scene_popup popup_of(struct scene_mem *mem, const char *title, const char *text)
{
    size_t n = 0;
    const char **lines = scene_mem_take(mem, LINES_MAX, sizeof *lines);
    while (*text != '\0' && n < LINES_MAX) {
        size_t len = strcspn(text, "\n");
        lines[n++] = scene_mem_textf(mem, "%.*s", (int)len, text);
        text += len + (text[len] == '\n');
    }
    return (struct scene_popup){ .shown = true, .title = title, .line = lines, .line_count = n };
}

static void fill_box(struct scene *scene, struct scene_mem *mem, const struct session *s)
{
    static const char *const titles[] = {
        [SESSION_BOX_WHY] = "why is it waiting?",
        [SESSION_BOX_CONTENTS] = "contents",
        [SESSION_BOX_PLOT] = "plot over time, * is on",
        [SESSION_BOX_WHATIF] = "what if, from this moment on ...",
        [SESSION_BOX_NUMBERS] = "both sides, every number that differs",
    };
    scene->why =
        popup_of(mem, s->box == SESSION_BOX_FAULTS ? heading_of_faults(mem, s) : titles[s->box],
                 text_str(&s->box_text));
    scene->why.scroll = s->box_scroll;
}

/* Where it has a place of its own: why somebody waits, now. */
static void fill_reasons(struct scene *scene, struct scene_mem *mem, const struct session *s)
{
    struct text said = { 0 };
    session_box_reasons(s, &said);
    scene->reasons = popup_of(mem, "why is it waiting?", text_str(&said));
    text_finish(&said);
}

/* ---- frames ------------------------------------------------------------------------------------- */

static const char *or_null(const char *text)
{
    return text[0] != '\0' ? text : NULL;
}

static void draw(struct picture *picture, const struct scene *scene, int rows, int cols)
{
    canvas_resize(&picture->canvas, cols, rows);
    ui_draw(scene, &picture->canvas);
}

void picture_prompt(const struct prompt *prompt, const char *lead, struct scene_mem *mem,
                    struct scene *scene)
{
    const struct complete *c = &prompt->complete;
    struct scene_offer *offer = scene_mem_take(mem, c->count, sizeof *offer);
    for (size_t i = 0; i < c->count; i++) {
        offer[i] = (struct scene_offer){ c->word[i].text, c->word[i].mark };
    }
    scene->prompt = (struct scene_prompt){ .shown = true,
                                           .lead = lead,
                                           .text = prompt->text,
                                           .cursor = prompt->len,
                                           .form = or_null(c->form),
                                           .note = or_null(c->note),
                                           .error = or_null(prompt->error),
                                           .offer = offer,
                                           .offer_count = c->count,
                                           .offer_more = c->more,
                                           .offer_at = prompt->at };
}

/* What lies over lesson and what-if alike: box, ? screen, the line that is typed. */
static void fill_over(struct picture *picture, struct session *s, struct scene *scene, int rows,
                      int cols)
{
    if (s->box == SESSION_BOX_HELP) {
        const bool whatif = session_in_whatif(s);
        fill_help(scene, &picture->mem, whatif ? HELP_WHATIF : HELP_LESSON,
                  whatif ? sizeof HELP_WHATIF / sizeof *HELP_WHATIF
                         : sizeof HELP_LESSON / sizeof *HELP_LESSON,
                  s->box_scroll);
        s->box_scroll = ui_box_scroll(scene, cols, rows);
    } else if (session_inspects(s)) {
        inspect_fill(s->inspect, session_sim(s), &picture->mem, scene);
    } else if (s->box != SESSION_BOX_NONE) {
        fill_box(scene, &picture->mem, s);
        s->box_scroll = ui_box_scroll(scene, cols, rows);
    }
    if (s->prompt.on) {
        picture_prompt(&s->prompt,
                       s->prompt_answer   ? "your answer: "
                       : s->prompt_whatif ? "what if: "
                                          : ":",
                       &picture->mem, scene);
    }
}

static void picture_whatif(struct picture *picture, struct session *s, int rows, int cols)
{
    struct whatif *w = &s->whatif;
    playback_mirror(&w->eye, &s->playback);
    const struct scene_fill_in in[SCENE_SIDES] = {
        { .sim = session_sim(s),
          .playback = &s->playback,
          .history = &s->history,
          .fps = picture->fps },
        { .sim = run_sim(w->other),
          .playback = &w->eye,
          .history = &w->history,
          .fps = picture->fps,
          .past = w->again ? NULL : session_sim(s),
          .past_until = w->at },
    };
    struct scene scene = { .screen = SCENE_WHATIF,
                           .ascii = picture->ascii,
                           .strip = or_null(s->strip),
                           .status = or_null(s->status) };
    scene_fill_whatif(picture->fill, in, w, &picture->mem, &scene);
    fill_footer(&scene, &picture->mem, session_contexts(s), s);
    w->scroll = ui_whatif_scroll(&scene, cols, rows);
    fill_over(picture, s, &scene, rows, cols);
    draw(picture, &scene, rows, cols);
}

/* Many GPUs: the timeline's order, and what their own views show while one of them is looked at. */
static void fill_many(struct scene_mem *mem, struct session *s, struct scene *scene)
{
    const struct sim *sim = session_sim(s);
    many_order(&s->many, sim, &s->history, s->now_ms, !session_moving(s));
    many_fill_rows(&s->many, mem, scene);
    if (s->view == SCENE_VIEW_GPUS || s->view == SCENE_VIEW_SPREAD) {
        many_fill(&s->many, sim, &s->history, s->view, mem, scene);
    }
}

void picture_session(struct picture *picture, struct session *s, int rows, int cols)
{
    scene_mem_reset(&picture->mem);
    session_resize(s, cols, rows);
    if (picture->whatif != session_in_whatif(s)) { /* both sides are looked at in the same frames */
        picture->whatif = session_in_whatif(s);
        for (size_t i = 0; i < SCENE_SIDES; i++) {
            scene_fill_finish(&picture->fill[i]);
            picture->fill[i] = (struct scene_fill){ 0 };
        }
    }
    if (session_in_whatif(s)) {
        picture_whatif(picture, s, rows, cols);
        return;
    }
    bool pending = false;
    const char *prose = session_prose(s, &pending);
    struct scene_fill_in in = { .sim = session_sim(s),
                                .playback = &s->playback,
                                .history = &s->history,
                                .cursor = s->cursor.on ? &s->cursor : NULL,
                                .only = s->only,
                                .plots = &s->plots,
                                .fps = picture->fps,
                                .event_kinds = s->filter > 0 ? event_kind(s->filter)->kinds : 0,
                                .player = s->player,
                                .prose = or_null(prose),
                                .prose_pending = pending,
                                .asking_sure = s->asks_sure };
    struct scene scene = { .screen = SCENE_LESSON,
                           .view = s->view,
                           .ascii = picture->ascii,
                           .prose_scroll = s->prose_scroll,
                           .event_filter = s->filter > 0 ? event_kind(s->filter)->name : NULL,
                           .follow = or_null(s->follow),
                           .strip = or_null(s->strip),
                           .status = or_null(s->status) };
    scene_fill_run(&picture->fill[0], &in, &picture->mem, &scene);
    fill_many(&picture->mem, s, &scene);
    if (ui_stays_open(cols, rows)) {
        fill_reasons(&scene, &picture->mem, s);
    }
    scene_fill_card(&in, &picture->mem, &scene);
    fill_footer(&scene, &picture->mem, session_contexts(s), s);
    s->prose_scroll = ui_prose_scroll(&scene, cols, rows);
    s->many.first = ui_rows_first(&scene, cols, rows);
    fill_over(picture, s, &scene, rows, cols);
    draw(picture, &scene, rows, cols);
    session_spots(s, picture->canvas.spot, picture->canvas.spot_count);
}

void picture_home(struct picture *picture, const struct home *home, const struct progress *progress,
                  int rows, int cols)
{
    scene_mem_reset(&picture->mem);
    struct scene scene = { .screen = SCENE_HOME, .ascii = picture->ascii };
    if (home->run != NULL) {
        struct scene_fill_in in = { .sim = run_sim(home->run),
                                    .playback = &home->playback,
                                    .fps = picture->fps };
        scene_fill_ring(&picture->fill[0], &in, &picture->mem, &scene);
    }
    scene_fill_home(home, progress, &picture->mem, &scene);
    fill_footer(&scene, &picture->mem,
                1u << CONTEXT_ALL | 1u << (picture->help ? CONTEXT_BOX : CONTEXT_HOME), NULL);
    if (picture->help) {
        fill_help(&scene, &picture->mem, HELP_HOME, sizeof HELP_HOME / sizeof *HELP_HOME,
                  picture->help_scroll);
        picture->help_scroll = ui_box_scroll(&scene, cols, rows);
    }
    draw(picture, &scene, rows, cols);
}
