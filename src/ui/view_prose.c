/*
 * The card: prose, then the question with its choices, then what came of it. On a wide screen the
 * question has a panel of its own.
 */
#include <stdio.h>

#include "ui/rich.h"
#include "ui/view.h"

static void add_prose(struct rich *t, const struct scene *s)
{
    for (size_t i = 0; i < s->prose_count; i++) {
        rich_gap(t);
        rich_markdown(t, s->prose[i].markdown, s->prose[i].pending ? UI_ROLE_DIM : UI_ROLE_DEFAULT);
    }
}

/* A reply to a question before stays, next to the one that followed it. */
static void add_earlier(struct rich *t, const struct scene *s)
{
    if (s->earlier != NULL) {
        rich_gap(t);
        rich_markdown(t, s->earlier, UI_ROLE_DEFAULT);
    }
}

static void add_choice(struct rich *t, const struct scene_question *q,
                       const struct scene_choice *choice, bool ascii)
{
    static const struct {
        enum ui_glyph sign;
        enum ui_role letter, text;
    } looks[] = {
        [SCENE_CHOICE_OPEN] = { UI_GLYPH_GPU_IDLE, UI_ROLE_KEY, UI_ROLE_DEFAULT },
        [SCENE_CHOICE_CHOSEN] = { UI_GLYPH_SELECT, UI_ROLE_KEY, UI_ROLE_TITLE },
        [SCENE_CHOICE_RIGHT] = { UI_GLYPH_DONE, UI_ROLE_RIGHT, UI_ROLE_RIGHT },
        [SCENE_CHOICE_WRONG] = { UI_GLYPH_DROP, UI_ROLE_WRONG, UI_ROLE_WRONG },
    };
    const unsigned k = (unsigned)choice->state < SCENE_CHOICE_STATES ? choice->state : 0;
    char lead[16];
    rich_text(t, ui_glyph_text(looks[k].sign, ascii), 4, looks[k].letter);
    snprintf(lead, sizeof lead, "%c", choice->letter);
    rich_more(t, lead, looks[k].letter);
    rich_more(t, "  ", UI_ROLE_DEFAULT);
    rich_more(t, choice->text, looks[k].text);
    if (q->asking == SCENE_ASK_OPEN) {
        rich_choice(t, choice->letter);
    }
}

void ui_add_choices(struct rich *t, const struct scene *s)
{
    for (size_t i = 0; i < s->question.choice_count; i++) {
        add_choice(t, &s->question, &s->question.choice[i], s->ascii);
    }
}

static void add_key(struct rich *t, const char *key, const char *usual, const char *does)
{
    rich_more(t, key != NULL ? key : usual, UI_ROLE_KEY);
    rich_more(t, does, UI_ROLE_DIM);
}

/* What the learner said, or is asked to say now. */
static void add_stage(struct rich *t, const struct scene_question *q, bool tight)
{
    char said[64] = "";
    for (size_t i = 0; i < q->choice_count; i++) {
        if (q->choice[i].state == SCENE_CHOICE_CHOSEN || q->choice[i].state == SCENE_CHOICE_WRONG) {
            snprintf(said, sizeof said, "you said %c%s%.40s%s", q->choice[i].letter,
                     q->sure != NULL ? " (" : "", q->sure != NULL ? q->sure : "",
                     q->sure != NULL ? ")" : "");
        }
    }
    if (q->said != NULL) {
        snprintf(said, sizeof said, "you said %.50s", q->said);
    }
    if (!tight) {
        rich_gap(t);
    }
    switch (q->asking) {
    case SCENE_ASK_OPEN:
        rich_text(t, "answer with a letter; ", 0, UI_ROLE_DIM);
        add_key(t, q->key_skip, "s", " to skip");
        break;
    case SCENE_ASK_NUMBER:
        rich_text(t, q->key_type != NULL ? q->key_type : "a", 0, UI_ROLE_KEY);
        rich_more(t, " to type a number; ", UI_ROLE_DIM);
        add_key(t, q->key_skip, "s", " to skip");
        break;
    case SCENE_ASK_TASK:
        rich_text(t, q->key_try != NULL ? q->key_try : "Enter", 0, UI_ROLE_KEY);
        rich_more(t, " tries it; ", UI_ROLE_DIM);
        if (q->more_hints) {
            add_key(t, q->key_hint, "H", " hint; ");
        }
        add_key(t, q->key_skip, "s", " skip");
        break;
    case SCENE_ASK_TRYING:
        rich_text(t, "trying ...", 0, UI_ROLE_DIM);
        break;
    case SCENE_ASK_SURE:
        rich_text(t, "how sure?", 0, UI_ROLE_TITLE);
        rich_more(t, " -", UI_ROLE_KEY);
        rich_more(t, " guess", UI_ROLE_DEFAULT);
        rich_more(t, " =", UI_ROLE_KEY);
        rich_more(t, " think", UI_ROLE_DEFAULT);
        rich_more(t, " +", UI_ROLE_KEY);
        rich_more(t, " know", UI_ROLE_DEFAULT);
        break;
    case SCENE_ASK_PENDING:
    case SCENE_ASK_DONE:
        rich_text(t, said, 0, UI_ROLE_DIM);
        break;
    case SCENE_ASK_NONE:
        break;
    }
}

/* `tight`: without the blank lines that only look well, and without what was neither said nor so. */
static void add_question(struct rich *t, const struct scene *s, bool tight)
{
    const struct scene_question *q = &s->question;
    if (q->asking == SCENE_ASK_NONE) {
        return;
    }
    rich_gap(t);
    rich_markdown(t, q->ask, UI_ROLE_TITLE);
    const bool judged = q->asking == SCENE_ASK_DONE;
    for (size_t i = 0; i < q->choice_count; i++) {
        if (!tight || !judged || q->choice[i].state != SCENE_CHOICE_OPEN) {
            add_choice(t, q, &q->choice[i], s->ascii);
        }
    }
    if (q->hint != NULL) {
        rich_gap(t);
        rich_markdown(t, q->hint, UI_ROLE_DIM);
    }
    add_stage(t, q, tight);
    if (judged) {
        if (!tight) {
            rich_gap(t);
        }
        rich_markdown(t, q->reply, UI_ROLE_DEFAULT);
    }
}

static void add_quiet(struct rich *t, const struct scene *s)
{
    if (s->quiet != NULL) {
        rich_gap(t);
        rich_text(t, s->quiet, 0, UI_ROLE_QUIET);
    }
}

/* A text laid out for its panel. */
struct panel {
    struct rich text;
    int lines, rows;
    bool at_end; /* starts with its end in sight */
};

static void panel_layout(struct panel *p, struct ui_rect r)
{
    p->lines = (int)rich_wrap(&p->text, r.w - 1);
    p->rows = r.h;
    if (p->lines >
        p->rows) { /* the last column shows that there is more, a blank stands before it */
        p->lines = (int)rich_wrap(&p->text, r.w - 2);
    }
}

static int panel_last(const struct panel *p)
{
    return p->lines > p->rows ? p->lines - p->rows : 0;
}

/* The first line to be shown, and the scene's scroll as far as it can be obeyed. */
static int panel_first(const struct panel *p, const struct scene *s, int *scroll)
{
    const int start = p->at_end ? panel_last(p) : 0;
    const int64_t want = (int64_t)start + s->prose_scroll;
    const int first = want < 0 ? 0 : want > panel_last(p) ? panel_last(p) : (int)want;
    *scroll = first - start;
    return first;
}

static void panel_draw(struct panel *p, const struct scene *s, struct canvas *c, struct ui_rect r)
{
    int scroll;
    const int first = panel_first(p, s, &scroll);
    rich_draw(&p->text, c, (struct ui_rect){ r.x, r.y, r.w - 1, r.h }, (size_t)first);
    if (first > 0) {
        canvas_text(c, r.x + r.w - 1, r.y, UI_ROLE_KEY, "^");
    }
    if (first < panel_last(p)) {
        canvas_text(c, r.x + r.w - 1, r.y + r.h - 1, UI_ROLE_KEY, "v");
    }
    rich_finish(&p->text);
}

/* The question stands below the prose that leads to it; once it is judged the prose is the reply to
 * the answer, and stands below. */
static void add_card(struct rich *t, const struct scene *s, bool tight)
{
    const bool judged = s->question.asking == SCENE_ASK_DONE;
    if (!judged) {
        add_prose(t, s);
    }
    add_earlier(t, s);
    add_question(t, s, tight);
    if (judged) {
        add_prose(t, s);
    }
    if (!judged || !tight) {
        add_quiet(t, s); /* where there is little room, the reply is what is waited for */
    }
}

/* As well as it looks where there is room: first less is said, then nothing stands apart. */
static struct panel card_panel(const struct scene *s, struct ui_rect r)
{
    static const struct {
        bool tight, dense;
    } ways[] = { { false, false }, { true, false }, { true, true } };
    struct panel p = { .at_end = s->question.asking != SCENE_ASK_NONE || s->quiet != NULL };
    for (size_t i = 0; i == 0 || (i < sizeof ways / sizeof ways[0] && p.lines > p.rows); i++) {
        rich_finish(&p.text);
        p.text.dense = ways[i].dense;
        add_card(&p.text, s, ways[i].tight);
        panel_layout(&p, r);
    }
    return p;
}

static struct panel say_panel(const struct scene *s, struct ui_rect r)
{
    const bool judged = s->question.asking == SCENE_ASK_DONE;
    struct panel p = { .at_end = s->quiet != NULL };
    if (!judged) {
        add_prose(&p.text, s);
    }
    add_earlier(&p.text, s);
    if (judged) {
        add_prose(&p.text, s);
    }
    add_quiet(&p.text, s);
    panel_layout(&p, r);
    return p;
}

void ui_view_prose(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct panel p = card_panel(s, r);
    panel_draw(&p, s, c, r);
}

void ui_view_say(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct panel p = say_panel(s, r);
    panel_draw(&p, s, c, r);
}

int ui_view_prose_scroll(const struct scene *s, struct ui_rect r, bool say)
{
    int scroll;
    struct panel p = say ? say_panel(s, r) : card_panel(s, r);
    panel_first(&p, s, &scroll);
    rich_finish(&p.text);
    return scroll;
}

int ui_view_prose_lines(const struct scene *s, struct ui_rect r)
{
    struct panel p = card_panel(s, r);
    rich_finish(&p.text);
    return p.lines;
}

void ui_view_brief(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    enum { ROOMY = 5 }; /* a question and what may be answered */
    struct panel p = card_panel(s, r);
    if (p.lines <= p.rows || p.rows >= ROOMY) { /* few GPUs leave room for the card */
        panel_draw(&p, s, c, r);
        return;
    }
    rich_finish(&p.text);
    p = (struct panel){ 0 };
    const enum scene_asking asking = s->question.asking;
    if (s->quiet != NULL && !s->quiet_past && asking != SCENE_ASK_DONE) {
        add_quiet(&p.text, s);
    } else if (asking == SCENE_ASK_OPEN || asking == SCENE_ASK_NUMBER || asking == SCENE_ASK_TASK ||
               asking == SCENE_ASK_SURE) {
        rich_text(&p.text, "Tab: ", 0, UI_ROLE_KEY);
        rich_more(&p.text, s->question.ask, UI_ROLE_TITLE);
    } else {
        add_prose(&p.text, s);
    }
    panel_layout(&p, r);
    panel_draw(&p, s, c, r);
}

void ui_view_ask(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct panel p = { .at_end = true };
    if (s->question.asking != SCENE_ASK_NONE) {
        const struct scene still = { .ascii = s->ascii, .question = s->question };
        add_question(&p.text, s, false);
        panel_layout(&p, r);
        panel_draw(&p, &still, c, r);
        return;
    }
    ui_view_marks(s, c, r);
}

void ui_view_marks(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct rich text = { 0 };
    ui_add_legend(&text, s->ascii);
    rich_wrap(&text, r.w);
    rich_draw(&text, c, r, 0);
    rich_finish(&text);
}

void ui_add_legend(struct rich *t, bool ascii)
{
    for (unsigned g = 0; g < UI_GLYPH_COUNT; g++) {
        if (ui_glyph_word((enum ui_glyph)g) != NULL) {
            rich_text(t, " ", 4, UI_ROLE_DEFAULT);
            rich_more(t, ui_glyph_text((enum ui_glyph)g, ascii), ui_glyph_role((enum ui_glyph)g));
            rich_more(t, "  ", UI_ROLE_DEFAULT);
            rich_more(t, ui_glyph_word((enum ui_glyph)g), UI_ROLE_DIM);
        }
    }
}
