#include "ui/ui.h"

#include <stdio.h>

#include "ui/layout.h"
#include "ui/picture.h"
#include "ui/timeline.h"
#include "ui/view.h"

/* What Tab goes through, and where it is offered: not where MAIN shows the same, or it has a place of
 * its own. */
enum when { NEVER, ALWAYS, OF_MANY /* with SCENE_MANY rows or more */ };

/* clang-format off */
static const struct {
    const char *name;
    ui_view_draw *draw;
    enum when when[UI_LAYOUT_LARGE + 1];
} VIEWS[] = {
    /*                                                           NOTICE  NARROW   NORMAL   WIDE     LARGE */
    [SCENE_VIEW_MAIN]     = { "overview",     ui_view_timeline, { ALWAYS, ALWAYS,  ALWAYS,  ALWAYS,  ALWAYS } },
    [SCENE_VIEW_PROSE]    = { "the card",     ui_view_prose,    { NEVER,  ALWAYS,  NEVER,   NEVER,   NEVER } },
    [SCENE_VIEW_TIMELINE] = { "timeline",     ui_view_timeline, { NEVER,  ALWAYS,  NEVER,   NEVER,   NEVER } },
    [SCENE_VIEW_EVENTS]   = { "events",       ui_view_events,   { NEVER,  ALWAYS,  ALWAYS,  NEVER,   NEVER } },
    [SCENE_VIEW_SWITCHES] = { "switches",     ui_view_switches, { NEVER,  ALWAYS,  ALWAYS,  NEVER,   NEVER } },
    [SCENE_VIEW_GPUS]     = { "GPUs",         ui_view_gpus,     { NEVER,  OF_MANY, ALWAYS,  ALWAYS,  ALWAYS } },
    [SCENE_VIEW_PLOT]     = { "plot",         ui_view_plot,     { NEVER,  ALWAYS,  ALWAYS,  ALWAYS,  NEVER } },
    [SCENE_VIEW_SPREAD]   = { "distribution", ui_view_spread,   { NEVER,  OF_MANY, OF_MANY, OF_MANY, OF_MANY } },
};
/* clang-format on */

static bool offered(enum scene_view view, enum ui_layout_kind kind, bool many)
{
    const enum when when = (unsigned)view < SCENE_VIEWS ? VIEWS[view].when[kind] : NEVER;
    return when == ALWAYS || (many && when == OF_MANY);
}

enum scene_view ui_view_next(enum scene_view view, int w, int h, bool many)
{
    const enum ui_layout_kind kind = ui_layout_kind(w, h);
    unsigned next = (unsigned)view < SCENE_VIEWS ? view : 0;
    do {
        next = (next + 1) % SCENE_VIEWS;
    } while (!offered((enum scene_view)next, kind, many));
    return (enum scene_view)next;
}

enum scene_view ui_view_next_presented(enum scene_view view)
{
    return view == SCENE_VIEW_TIMELINE ? SCENE_VIEW_PLOT
           : view == SCENE_VIEW_PLOT   ? SCENE_VIEW_MAIN
                                       : SCENE_VIEW_TIMELINE;
}

size_t ui_sentence_count(const struct scene *s)
{
    return ui_present_sentences(s);
}

bool ui_stays_open(int w, int h)
{
    return ui_layout_kind(w, h) == UI_LAYOUT_LARGE;
}

bool ui_prose_stays(int w, int h)
{
    return ui_layout_kind(w, h) != UI_LAYOUT_NARROW;
}

const char *ui_view_name(enum scene_view view)
{
    return VIEWS[(unsigned)view < SCENE_VIEWS ? view : SCENE_VIEW_MAIN].name;
}

/* ---- Notice ------------------------------------------------------------------------------------ */

static void draw_notice(struct canvas *c)
{
    static const char *const notices[] = {
        "weft needs a window of 40x12 or more", "weft needs 40x12", "need 40x12", "40x12", "?",
    };
    const size_t n = sizeof notices / sizeof notices[0];
    for (size_t i = 0; i < n; i++) {
        if (text_cells(notices[i]) <= c->w) {
            canvas_text(c, 0, 0, UI_ROLE_DEFAULT, notices[i]);
            return;
        }
    }
}

/* ---- Lesson ------------------------------------------------------------------------------------ */

/* More would be no timeline but a list of names. */
enum { ROWS_OF_MANY = 8 };

static size_t count_rows(const struct scene *s)
{
    return s->timeline.row_count > 0 ? s->timeline.row_count : ui_count_gpus(&s->fabric);
}

static bool has_many(const struct scene *s)
{
    return count_rows(s) >= SCENE_MANY;
}

/* "events: drops" */
static const char *events_heading(const struct scene *s, char *buf, size_t size)
{
    snprintf(buf, size, "%s%s%s", ui_view_name(SCENE_VIEW_EVENTS),
             s->event_filter != NULL ? ": " : "", s->event_filter != NULL ? s->event_filter : "");
    return buf;
}

static const char *heading_of(const struct scene *s, enum scene_view view, char *buf, size_t size)
{
    if (view == SCENE_VIEW_EVENTS) {
        return events_heading(s, buf, size);
    }
    if (view == SCENE_VIEW_PLOT && s->plot.note != NULL) {
        snprintf(buf, size, "%s: %s", ui_view_name(view), s->plot.note);
        return buf;
    }
    if (view == SCENE_VIEW_GPUS && s->many.title != NULL) {
        return s->many.title;
    }
    if (view == SCENE_VIEW_SPREAD && s->many.measure != NULL) {
        snprintf(buf, size, "%s: %s", ui_view_name(view), s->many.measure);
        return buf;
    }
    if (view != SCENE_VIEW_MAIN) {
        return ui_view_name(view);
    }
    return s->timeline.title != NULL ? s->timeline.title : ui_view_name(SCENE_VIEW_TIMELINE);
}

/* The line between left and right, from row `y0` up to and with `y1`. */
static void draw_split(struct canvas *c, const struct ui_layout *l, int y0, int y1)
{
    for (int y = y0; y <= y1; y++) {
        canvas_glyph(c, l->split_x, y, UI_GLYPH_V);
    }
}

static void draw_bottom(const struct scene *s, struct canvas *c, const struct ui_layout *l)
{
    if (l->follow.h > 0) {
        ui_line_follow(s, c, l->follow);
        ui_line_switches(s, c, l->switches_heading);
    } else if (s->follow != NULL || (s->scale != NULL && s->sw_count == 0)) {
        ui_line_follow(s, c, l->switches_heading);
    } else {
        ui_line_switches(s, c, l->switches_heading);
    }
    ui_view_scrubber(s, c, l->scrubber);
    ui_line_footer(s, c, l->footer);
}

static const char *prose_title(const struct scene *s)
{
    return s->prose_title != NULL ? s->prose_title : "what happens";
}

static void draw_normal(const struct scene *s, struct canvas *c, const struct ui_layout *l,
                        enum scene_view view)
{
    char title[64];
    if (view == SCENE_VIEW_GPUS && !ui_gpus_fit(s, l->view)) { /* all of the body, a mark a GPU */
        const int rows = l->view.y + l->view.h - 1;
        ui_heading(c, (struct ui_rect){ 0, 1, c->w, 1 }, heading_of(s, view, title, sizeof title));
        ui_view_map(s, c, (struct ui_rect){ 1, 2, c->w - 2, rows - 1 });
        draw_bottom(s, c, l);
        return;
    }
    ui_view_fabric(s, c, l->fabric);
    ui_heading(c, l->view_heading, heading_of(s, view, title, sizeof title));
    ui_heading(c, l->prose_heading, prose_title(s));
    canvas_spot(c, l->view_heading, UI_SPOT_VIEW, 0);
    canvas_spot(c, l->prose, UI_SPOT_TEXT, 0);
    canvas_glyph(c, l->split_x, l->view_heading.y, UI_GLYPH_T_DOWN);
    draw_split(c, l, l->view.y, l->view.y + l->view.h - 1);
    VIEWS[view].draw(s, c, l->view);
    ui_view_prose(s, c, l->prose);
    draw_bottom(s, c, l);
}

/* The line between both halves, joined with every heading that ends at it. */
static void draw_joints(struct canvas *c, const struct ui_layout *l)
{
    const struct ui_rect left[] = { l->view_heading, l->plot_heading, l->events_heading };
    const struct ui_rect right[] = { l->ask_heading, l->why_heading };
    draw_split(c, l, 1, l->switches_heading.y - 1);
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        if (left[i].h > 0) {
            canvas_glyph(c, l->split_x, left[i].y, UI_GLYPH_T_LEFT);
        }
    }
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        bool both = false;
        for (size_t k = 0; k < sizeof left / sizeof *left; k++) {
            both = both || (left[k].h > 0 && left[k].y == right[i].y);
        }
        if (right[i].h > 0) {
            canvas_glyph(c, l->split_x, right[i].y, both ? UI_GLYPH_CROSS : UI_GLYPH_T_RIGHT);
        }
    }
}

/* Where a packet would be: how it comes there, and what marks mean if nobody says it elsewhere. */
static void draw_no_packet(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    ui_heading(c, (struct ui_rect){ r.x, r.y, r.w, 1 }, "packet");
    canvas_text_fit(c, r.x + 1, r.y + 1, r.w - 1, UI_ROLE_DIM,
                    "c puts the cursor on one, Enter opens it here, header by header");
    if (s->question.asking != SCENE_ASK_NONE) {
        ui_view_marks(s, c, (struct ui_rect){ r.x + 1, r.y + 3, r.w - 1, r.h - 3 });
    }
}

/* LARGE: the plot, why somebody waits, a packet. */
static void draw_open(const struct scene *s, struct canvas *c, const struct ui_layout *l)
{
    char title[64];
    ui_heading(c, l->plot_heading, heading_of(s, SCENE_VIEW_PLOT, title, sizeof title));
    ui_view_plot(s, c, l->plot);
    ui_heading(c, l->why_heading, s->reasons.title != NULL ? s->reasons.title : "why");
    ui_view_reasons(s, c, l->why);
    if (!s->inspector.shown) {
        draw_no_packet(s, c, l->inspector);
        canvas_glyph(c, l->split_x, l->inspector.y, UI_GLYPH_T_RIGHT);
    }
}

static void draw_wide(const struct scene *s, struct canvas *c, const struct ui_layout *l,
                      enum scene_view view)
{
    const bool all = view == SCENE_VIEW_GPUS && has_many(s); /* in the picture's place */
    char title[64];
    (all ? ui_view_all : ui_view_fabric)(s, c, l->fabric);
    ui_heading(c, l->prose_heading, prose_title(s));
    ui_heading(c, l->view_heading,
               all ? "who waits for whom" : heading_of(s, view, title, sizeof title));
    canvas_spot(c, l->view_heading, UI_SPOT_VIEW, 0);
    canvas_spot(c, l->prose, UI_SPOT_TEXT, 0);
    ui_heading(c, l->ask_heading, s->question.asking != SCENE_ASK_NONE ? "predict" : "marks");
    ui_heading(c, l->events_heading, events_heading(s, title, sizeof title));
    ui_view_say(s, c, l->prose);
    (all ? ui_view_waits : VIEWS[view].draw)(s, c, l->view);
    ui_view_ask(s, c, l->ask);
    ui_view_events(s, c, l->events);
    ui_heading(c, l->switches_heading, "switches");
    draw_joints(c, l);
    canvas_glyph(c, l->split_x, l->switches_heading.y, UI_GLYPH_T_UP);
    ui_view_switches(s, c, l->switches);
    if (s->counts != NULL) {
        const int w = text_cells(s->counts);
        canvas_textf(c, c->w - w - 3, l->switches_heading.y, UI_ROLE_DEFAULT, " %s ", s->counts);
    }
    ui_line_follow(s, c, l->follow);
    ui_view_scrubber(s, c, l->scrubber);
    ui_line_footer(s, c, l->footer);
    if (l->kind == UI_LAYOUT_LARGE) {
        draw_open(s, c, l);
    }
}

static struct ui_rect narrow_body(const struct ui_layout *l)
{
    return (struct ui_rect){ 0, 1, l->header.w, l->view.h + l->prose.h };
}

/* One line a GPU, a plot or the timeline, as lessons choose them, and two lines of prose; any other view
 * takes all of the body. */
static void draw_narrow(const struct scene *s, struct canvas *c, const struct ui_layout *l,
                        enum scene_view view)
{
    enum { PROSE = 2 };
    const struct ui_rect body = narrow_body(l);
    canvas_spot(c, view == SCENE_VIEW_PROSE ? body : l->prose, UI_SPOT_TEXT, 0);
    if (view == SCENE_VIEW_MAIN) {
        ui_view_gpus(s, c, l->view);
        ui_view_brief(s, c, l->prose);
    } else if ((view == SCENE_VIEW_PLOT || view == SCENE_VIEW_TIMELINE) && body.h > 3 * PROSE) {
        const int h = body.h - PROSE;
        VIEWS[view].draw(s, c, (struct ui_rect){ body.x, body.y, body.w, h });
        ui_view_brief(s, c, (struct ui_rect){ body.x, body.y + h, body.w, PROSE });
    } else if (view == SCENE_VIEW_GPUS) {
        ui_view_map(s, c, body);
    } else {
        VIEWS[view].draw(s, c, body);
    }
    if (l->scrubber.h > 0) {
        ui_view_scrubber(s, c, l->scrubber);
    }
    struct scene foot = *s;
    foot.status = s->status != NULL ? s->status : s->follow;
    ui_line_footer(&foot, c, l->footer);
}

static struct ui_layout layout_of(const struct scene *s, int w, int h)
{
    struct ui_layout_wish wish = {
        .list_rows = (int)(ui_count_gpus(&s->fabric) + 1) / 2,
        .view_rows = (int)(has_many(s) ? ROWS_OF_MANY : count_rows(s)) + 1,
        .switch_rows = (int)(s->sw_count + 3) / 4,
        .plot_rows = 2 * ui_view_plot_rows(s) - 1,
    };
    if (ui_layout_kind(w, h) == UI_LAYOUT_NARROW) { /* the rest is for the card */
        wish.view_rows = ui_gpus_rows(s, w, ui_layout_narrow_rows(h)) + 1;
    }
    const bool turns = ui_layout_kind(w, h) != UI_LAYOUT_LARGE; /* with the timeline */
    if (turns && s->view == SCENE_VIEW_PLOT && ui_view_plot_rows(s) > wish.view_rows) {
        wish.view_rows = ui_view_plot_rows(s);
    }
    int columns = w;
    const int most = ui_layout_room(w, h, wish.switch_rows, &columns);
    ui_picture_rows(&s->fabric, columns, most, &wish.fabric_rows, &wish.fabric_best);
    return ui_layout(w, h, wish);
}

int ui_prose_scroll(const struct scene *s, int w, int h)
{
    const struct ui_layout l = layout_of(s, w, h);
    switch (l.kind) {
    case UI_LAYOUT_NORMAL:
        return ui_view_prose_scroll(s, l.prose, false);
    case UI_LAYOUT_WIDE:
    case UI_LAYOUT_LARGE:
        return ui_view_prose_scroll(s, l.prose, true);
    case UI_LAYOUT_NARROW:
        return ui_view_prose_scroll(s, narrow_body(&l), false);
    case UI_LAYOUT_NOTICE:
        break;
    }
    return 0;
}

struct ui_fit ui_fit(const struct scene *s, int w, int h)
{
    const struct ui_layout l = layout_of(s, w, h);
    const bool narrow = l.kind == UI_LAYOUT_NARROW;
    const struct ui_rect text = narrow ? narrow_body(&l) : l.prose;
    return (struct ui_fit){ .lines = ui_view_prose_lines(s, text),
                            .rows = text.h,
                            .switches = narrow ? ui_view_switches_fit(s, text)
                                               : ui_line_switches_fit(s, l.switches_heading) };
}

/* Where boxes may lie: left of the prose. */
static struct ui_rect popup_area(const struct ui_layout *l)
{
    switch (l->kind) {
    case UI_LAYOUT_NORMAL:
        return (struct ui_rect){ 0, 1, l->split_x, l->view.y + l->view.h - 1 };
    case UI_LAYOUT_WIDE:
        return (struct ui_rect){ 0, 1, l->split_x, l->events.y + l->events.h - 1 };
    case UI_LAYOUT_LARGE: /* below the question: nothing is hidden but what is of its kind */
        return (struct ui_rect){ l->why.x - 1, l->why_heading.y, l->why.w + 1,
                                 l->inspector.y + l->inspector.h - l->why_heading.y };
    case UI_LAYOUT_NARROW:
        return narrow_body(l);
    case UI_LAYOUT_NOTICE:
        break;
    }
    return (struct ui_rect){ 0 };
}

/* A packet is wide: only where there is much room, it leaves the prose in sight. */
static struct ui_rect inspector_area(const struct ui_layout *l, int w)
{
    if (l->kind == UI_LAYOUT_LARGE) {
        return l->inspector;
    }
    struct ui_rect r = popup_area(l);
    r.w = l->kind == UI_LAYOUT_NORMAL ? w : r.w;
    return r;
}

size_t ui_box_scroll(const struct scene *s, int w, int h)
{
    if (s->screen == SCENE_HELP) {
        return ui_view_help_scroll(s, (struct ui_rect){ 0, 0, w, h });
    }
    if (s->screen == SCENE_WHATIF || s->presenter) {
        return ui_view_popup_scroll(s, (struct ui_rect){ 0, 1, w, h - 2 });
    }
    const struct ui_layout l = layout_of(s, w, h);
    return ui_view_popup_scroll(s, popup_area(&l));
}

size_t ui_rows_first(const struct scene *s, int w, int h)
{
    const struct ui_layout l = layout_of(s, w, h);
    const struct ui_rect r = l.kind == UI_LAYOUT_NARROW ? narrow_body(&l) : l.view;
    const size_t last = ui_timeline_last(&s->timeline, r.h > 1 ? r.h - 1 : r.h);
    return s->timeline.first < last ? s->timeline.first : last;
}

size_t ui_whatif_scroll(const struct scene *s, int w, int h)
{
    return ui_view_whatif_scroll(s, (struct ui_rect){ 0, 0, w, h });
}

/* There boxes lie over all but header and footer. */
static struct ui_rect presenter_area(int w, int h)
{
    return (struct ui_rect){ 0, 1, w, h - 2 };
}

static void draw_lesson(const struct scene *s, struct canvas *c)
{
    if (s->presenter) {
        const struct ui_rect all = { 0, 0, c->w, c->h };
        ui_view_present(s, c, all);
        ui_view_popup(s, c, presenter_area(c->w, c->h));
        ui_view_inspector(s, c, presenter_area(c->w, c->h));
        return;
    }
    const struct ui_layout l = layout_of(s, c->w, c->h);
    enum scene_view view = s->view;
    if (!offered(view, l.kind, has_many(s))) {
        view = SCENE_VIEW_MAIN;
    }
    ui_line_header(s, c, l.header);
    switch (l.kind) {
    case UI_LAYOUT_NORMAL:
        draw_normal(s, c, &l, view);
        break;
    case UI_LAYOUT_WIDE:
    case UI_LAYOUT_LARGE:
        draw_wide(s, c, &l, view);
        break;
    case UI_LAYOUT_NARROW:
        draw_narrow(s, c, &l, view);
        break;
    case UI_LAYOUT_NOTICE:
        break;
    }
    ui_view_popup(s, c, popup_area(&l));
    ui_view_inspector(s, c, inspector_area(&l, c->w));
}

/* Over the header: of all lines, that one is missed least by who is mending a lesson. */
static void draw_strip(const struct scene *s, struct canvas *c)
{
    canvas_hfill(c, 0, 0, c->w, UI_ROLE_BROKEN, " ");
    canvas_text_fit(c, 1, 0, c->w - 2, UI_ROLE_BROKEN, s->strip);
}

void ui_draw(const struct scene *s, struct canvas *c)
{
    c->ascii = s->ascii;
    canvas_clear(c);
    if (ui_layout_kind(c->w, c->h) == UI_LAYOUT_NOTICE && s->screen != SCENE_BLANK) {
        draw_notice(c);
        return;
    }
    const struct ui_rect all = { 0, 0, c->w, c->h };
    switch (s->screen) {
    case SCENE_HOME:
        ui_view_home(s, c, all);
        break;
    case SCENE_LESSON:
        draw_lesson(s, c);
        break;
    case SCENE_HELP:
        ui_view_help(s, c, all);
        break;
    case SCENE_WHATIF:
        ui_view_whatif(s, c, all);
        ui_view_popup(s, c, (struct ui_rect){ 0, 1, c->w, c->h - 2 });
        break;
    case SCENE_BLANK:
        if (s->status != NULL) {
            const int x = (c->w - text_cells(s->status)) / 2;
            canvas_text_fit(c, x > 0 ? x : 0, c->h / 2, c->w, UI_ROLE_STATUS, s->status);
        }
        return;
    }
    ui_view_menu(s, c, (struct ui_rect){ 0, 1, c->w, c->h - 2 });
    ui_view_prompt(s, c, (struct ui_rect){ 0, 1, c->w, c->h - 2 });
    if (s->strip != NULL) {
        draw_strip(s, c);
    }
}
