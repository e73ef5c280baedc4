#include "app/picture.h"

#include <string.h>

#include "app/events.h"
#include "app/hints.h"
#include "app/scene_home.h"
#include "app/session_box.h"
#include "ui/ui.h"

enum { LINES_MAX = 512 };

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

/* The same of a tree of causes; it may go before the frame does. */
static struct scene_popup popup_of_tree(struct scene_mem *mem, const struct why_tree *tree)
{
    const char **line = scene_mem_take(mem, tree->count, sizeof *line);
    int *depth = scene_mem_take(mem, tree->count, sizeof *depth);
    for (size_t i = 0; i < tree->count; i++) {
        line[i] = scene_mem_textf(mem, "%s", tree->node[i].text);
        depth[i] = tree->node[i].depth;
    }
    return (struct scene_popup){ .shown = true,
                                 .title = "why is it waiting?",
                                 .line = line,
                                 .line_count = tree->count,
                                 .depth = depth };
}

static void fill_box(struct scene *scene, struct scene_mem *mem, const struct session *s)
{
    static const char *const titles[] = {
        [SESSION_BOX_TERMS] = "glossary",
        [SESSION_BOX_CONTENTS] = "contents",
        [SESSION_BOX_PLOT] = "plot over time, * is on",
        [SESSION_BOX_WHATIF] = "what if, from this moment on ...",
        [SESSION_BOX_NUMBERS] = "both sides, every number that differs",
    };
    if (s->box == SESSION_BOX_NOTES) {
        const char **all = scene_mem_take(mem, 1, sizeof *all);
        all[0] = text_str(&s->box_text);
        scene->why = (struct scene_popup){ .shown = true,
                                           .title = "for who teaches",
                                           .markdown = true,
                                           .line = all,
                                           .line_count = 1,
                                           .scroll = s->box_scroll };
        return;
    }
    if (s->box == SESSION_BOX_WHY) {
        scene->why = popup_of_tree(mem, &s->why);
        scene->why.marks = true;
        scene->why.marked = s->box_selected;
        scene->why.scroll = s->box_scroll;
        return;
    }
    scene->why =
        popup_of(mem, s->box == SESSION_BOX_FAULTS ? heading_of_faults(mem, s) : titles[s->box],
                 text_str(&s->box_text));
    scene->why.scroll = s->box_scroll;
}

/* Where it has a place of its own: why somebody waits, now. */
static void fill_reasons(struct scene *scene, struct scene_mem *mem, const struct session *s)
{
    struct why_tree tree = { 0 };
    session_box_reasons(s, &tree);
    scene->reasons = popup_of_tree(mem, &tree);
    why_finish(&tree);
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
        hints_help(scene, &picture->mem, picture->keys,
                   session_in_whatif(s) ? HINTS_WHATIF : HINTS_LESSON, session_contexts_beneath(s),
                   s->box_scroll);
        s->box_scroll = ui_box_scroll(scene, cols, rows);
    } else if (s->box == SESSION_BOX_MENU) {
        session_menu_fill(s, &picture->mem, scene);
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
                       : s->prompt_row    ? "value: "
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
          .plots = &s->plots,
          .fps = picture->fps },
        { .sim = run_sim(w->other),
          .playback = &w->eye,
          .history = &w->history,
          .plots = &w->plots,
          .fps = picture->fps,
          .past = w->again ? NULL : session_sim(s),
          .past_until = w->at },
    };
    struct scene scene = { .screen = SCENE_WHATIF,
                           .ascii = picture->ascii,
                           .strip = or_null(s->strip),
                           .status = or_null(s->status) };
    scene_fill_whatif(picture->fill, in, w, &picture->mem, &scene);
    hints_footer(&scene, &picture->mem, picture->keys, session_contexts(s), s);
    w->scroll = ui_whatif_scroll(&scene, cols, rows);
    fill_over(picture, s, &scene, rows, cols);
    draw(picture, &scene, rows, cols);
    session_spots(s, picture->canvas.spot, picture->canvas.spot_count);
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
    if (s->blank || s->bare) {
        const struct scene nothing = { .screen = SCENE_BLANK,
                                       .ascii = picture->ascii,
                                       .status = s->bare ? or_null(s->status) : NULL };
        draw(picture, &nothing, rows, cols);
        return;
    }
    bool pending = false;
    const char *prose = session_marked_prose(s, &pending);
    struct scene_fill_in in = { .sim = session_sim(s),
                                .playback = &s->playback,
                                .history = &s->history,
                                .cursor = s->cursor.on ? &s->cursor : NULL,
                                .only = s->only,
                                .plots = &s->plots,
                                .fps = picture->fps,
                                .filter = event_filter_on(&s->filter) ? &s->filter : NULL,
                                .player = s->player,
                                .keys = s->keys,
                                .prose = or_null(prose),
                                .prose_pending = pending,
                                .hide_truth = session_hides(s),
                                .asking_sure = s->asks_sure };
    const struct run *tried = session_shows_try(s);
    if (picture->tried != (tried != NULL)) { /* another run: nothing of it was seen yet */
        picture->tried = tried != NULL;
        scene_fill_finish(&picture->fill[0]);
        picture->fill[0] = (struct scene_fill){ 0 };
    }
    if (tried != NULL) {
        in.sim = run_sim(tried);
        in.playback = &s->tried.eye;
        in.history = &s->tried.history;
        in.plots = &s->tried.plots;
        in.cursor = NULL;
    }
    char filter[64];
    session_filter_name(s, filter, sizeof filter);
    struct scene scene = { .screen = SCENE_LESSON,
                           .view = s->view,
                           .presenter = s->presenter,
                           .sentence = s->sentence,
                           .ascii = picture->ascii,
                           .prose_scroll = s->prose_scroll,
                           .event_filter = event_filter_on(&s->filter) ? filter : NULL,
                           .follow = or_null(s->follow),
                           .strip = or_null(s->strip),
                           .status = or_null(s->status) };
    scene_fill_run(&picture->fill[0], &in, &picture->mem, &scene);
    if (tried != NULL) { /* says whose run it is */
        scene.timeline.title = scene_mem_textf(&picture->mem, "your try: %s", scene.timeline.title);
        scene.follow = NULL;
    } else {
        fill_many(&picture->mem, s, &scene);
    }
    if (tried == NULL && ui_stays_open(cols, rows)) {
        fill_reasons(&scene, &picture->mem, s);
    }
    scene_fill_card(&in, &picture->mem, &scene);
    if (s->route.stop > 0) {
        scene.title = scene_mem_textf(&picture->mem, "%s, stop %zu of %zu", scene.title,
                                      s->route.stop, s->route.stops);
    }
    scene.cards = s->lab != NULL ? 0 : scene.cards; /* one, and it has no number */
    hints_footer(&scene, &picture->mem, picture->keys, session_contexts(s), s);
    s->prose_scroll = ui_prose_scroll(&scene, cols, rows);
    s->sentence_count = ui_sentence_count(&scene);
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
    hints_footer(&scene, &picture->mem, picture->keys,
                 1u << CONTEXT_ALL | 1u << (picture->help ? CONTEXT_BOX : CONTEXT_HOME), NULL);
    if (picture->help) {
        hints_help(&scene, &picture->mem, picture->keys, HINTS_HOME,
                   1u << CONTEXT_ALL | 1u << CONTEXT_HOME, picture->help_scroll);
        picture->help_scroll = ui_box_scroll(&scene, cols, rows);
    }
    draw(picture, &scene, rows, cols);
}
