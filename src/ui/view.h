/*
 * Views: each draws one part of a scene into one rectangle.
 *
 * A view clips to its rectangle, reads the scene and keeps no state. Adding one is a file and, when
 * Tab should reach it, a row of the table in view.c.
 */
#ifndef WEFT_UI_VIEW_H
#define WEFT_UI_VIEW_H

#include "ui/canvas.h"
#include "ui/rich.h"
#include "ui/scene.h"

typedef void ui_view_draw(const struct scene *scene, struct canvas *c, struct ui_rect r);

ui_view_draw ui_view_fabric; /* the picture; a list where it does not fit */
ui_view_draw ui_view_gpus;   /* one line a GPU; where they do not fit, the picture or a mark each */
ui_view_draw ui_view_map;    /* a mark a GPU, and below who waits for whom */
ui_view_draw ui_view_all;    /* a mark a GPU alone */
ui_view_draw ui_view_waits;  /* who waits for whom alone */
ui_view_draw ui_view_spread; /* how many GPUs have how much */
ui_view_draw ui_view_timeline;  /* what each GPU did, with the axis */
ui_view_draw ui_view_plot;      /* quantities over time, with their lines and the axis */
ui_view_draw ui_view_events;    /* newest at the bottom */
ui_view_draw ui_view_prose;     /* the card: prose, question, quiet sentence */
ui_view_draw ui_view_brief;     /* NARROW: what matters most of the card, in two lines */
ui_view_draw ui_view_say;       /* WIDE: prose and quiet sentence alone */
ui_view_draw ui_view_ask;       /* WIDE: the question alone; the legend when there is none */
ui_view_draw ui_view_marks;     /* what the marks of the picture mean */
ui_view_draw ui_view_switches;  /* a list, one a row or several */
ui_view_draw ui_view_scrubber;  /* one row */
ui_view_draw ui_view_present;   /* full screen: one picture, one sentence */
ui_view_draw ui_view_help;      /* full screen */
ui_view_draw ui_view_home;      /* full screen */
ui_view_draw ui_view_whatif;    /* full screen */
ui_view_draw ui_view_popup;     /* scene->why, in the lower part of r */
ui_view_draw ui_view_menu;      /* scene->menu, all of r */
ui_view_draw ui_view_prompt;    /* what may be typed, in the lower part of r */
ui_view_draw ui_view_reasons;   /* scene->reasons, without a frame */
ui_view_draw ui_view_inspector; /* scene->inspector, all of r */

/* One-row pieces. */
ui_view_draw ui_line_header;   /* weft, title, card n of m */
ui_view_draw ui_line_footer;   /* prompt, status or key hints */
ui_view_draw ui_line_switches; /* heading rule with switches, counts; or the follow line */
ui_view_draw ui_line_follow;

/* Sentences that ui_view_present shows one after the other. */
size_t ui_present_sentences(const struct scene *scene);

/* The answers of the question, each with its letter and what is known of it. */
void ui_add_choices(struct rich *t, const struct scene *scene);

/* A rule over the whole row with a title in it: "─ what happens ────". */
void ui_heading(struct canvas *c, struct ui_rect r, const char *title);

/* scene->prose_scroll as far as ui_view_prose (`say`: ui_view_say) can obey it in `r`. */
int ui_view_prose_scroll(const struct scene *scene, struct ui_rect r, bool say);

/* Lines that ui_view_prose has to show in a place as wide as `r`. */
int ui_view_prose_lines(const struct scene *scene, struct ui_rect r);

/* How many of the scene's switches have room in `r`, whole. */
size_t ui_line_switches_fit(const struct scene *scene, struct ui_rect r);
size_t ui_view_switches_fit(const struct scene *scene, struct ui_rect r);

/* The scene's scroll as far as ui_view_help, ui_view_popup can obey it in `r`. */
size_t ui_view_help_scroll(const struct scene *scene, struct ui_rect r);
size_t ui_view_popup_scroll(const struct scene *scene, struct ui_rect r);

/* The same of ui_view_whatif. */
size_t ui_view_whatif_scroll(const struct scene *scene, struct ui_rect r);

/* What ui_view_plot() draws, of any plot. */
void ui_plot_draw(const struct scene_plot *plot, struct canvas *c, struct ui_rect r);

/* How many rows ui_view_plot() would like. */
int ui_view_plot_rows(const struct scene *scene);

/* Whether ui_view_gpus has a line for each GPU there. */
bool ui_gpus_fit(const struct scene *scene, struct ui_rect r);

/* The rows that ui_view_gpus fills, of at most so many. */
int ui_gpus_rows(const struct scene *scene, int w, int most);

/* Does a lane of the fabric show density instead of packets? */
bool ui_is_blurred(const struct scene *scene);

/* The vocabulary of the picture, a line for each glyph. */
void ui_add_legend(struct rich *t, bool ascii);

#endif
