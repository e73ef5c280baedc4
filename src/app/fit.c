#include "app/fit.h"

#include <string.h>

#include "app/keymap.h"
#include "app/scene_fill.h"
#include "ui/ui.h"

static const struct size {
    int w, h;
} SIZES[] = { { 80, 24 }, { 40, 12 } };

/* The longest of the values that a switch goes through. */
static const char *longest_value(const struct lesson_item *item, struct scene_mem *mem)
{
    const char *longest = "";
    for (size_t i = 0; i < item->value_count; i++) {
        char value[64];
        sim_knob_format(item->knob, item->values[i], false, value, sizeof value);
        if (text_cells(value) > text_cells(longest)) {
            longest = scene_mem_textf(mem, "%s", value);
        }
    }
    return longest;
}

static void lengthen_switches(struct player *player, struct scene_mem *mem, struct scene *scene)
{
    const struct lesson *lesson = player_lesson(player);
    const struct lesson_card *card = lesson_card(lesson, player_card(player));
    struct scene_switch *sw = scene_mem_take(mem, scene->sw_count, sizeof *sw);
    size_t n = 0;
    for (size_t i = 0; i < card->count && n < scene->sw_count; i++) {
        const struct lesson_item *item = lesson_item(lesson, card->first + i);
        if (item->kind == LESSON_SWITCH) {
            sw[n] = scene->sw[n];
            sw[n++].value = longest_value(item, mem);
        }
    }
    scene->sw = sw;
}

/* Does what is asked for at the end, how sure one is, take more lines than the question? */
static struct ui_fit fit_of(const struct player *player, const struct scene *scene, int w, int h)
{
    const struct ui_fit fit = ui_fit(scene, w, h);
    const size_t item = player_question(player).item;
    const enum scene_asking asking = scene->question.asking;
    if ((asking != SCENE_ASK_OPEN && asking != SCENE_ASK_NUMBER) ||
        !lesson_item(player_lesson(player), item)->asks_sure) {
        return fit;
    }
    struct scene sure = *scene;
    sure.question.asking = SCENE_ASK_SURE;
    const struct ui_fit then = ui_fit(&sure, w, h);
    return then.lines > fit.lines ? then : fit;
}

static void say_misfits(struct player *player, const struct scene *scene, struct text *out)
{
    for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
        const int w = SIZES[i].w, h = SIZES[i].h;
        const struct ui_fit fit = fit_of(player, scene, w, h);
        if (fit.lines > fit.rows) {
            text_addf(out, "at %dx%d it has %d lines, %d too many\n", w, h, fit.lines,
                      fit.lines - fit.rows);
        }
        if (fit.switches < scene->sw_count) {
            text_addf(out, "at %dx%d there is no room for switch %c: a shorter label?\n", w, h,
                      scene->sw[fit.switches].digit);
        }
    }
}

void app_fit(struct player *player, struct text *out)
{
    struct scene_fill fill = { 0 };
    struct scene_mem mem = { 0 };
    struct playback playback;
    struct history history;
    struct text said = { 0 }, prose = { 0 };
    struct run *run = player_run(player);
    playback_init(&playback);
    playback_attach(&playback, run);
    history_init(&history);
    history_attach(&history, run_sim(run));
    (void)player_prose(player, &said, NULL, NULL);
    if (!keymap_fill(NULL, text_str(&said), &prose)) {
        text_addf(out, "a key in braces is of no command; weft keys lists them: %.200s\n",
                  strstr(text_str(&prose), LESSON_KEY));
    }
    text_finish(&said);
    const struct scene_fill_in in = { .sim = run_sim(run),
                                      .playback = &playback,
                                      .history = &history,
                                      .fps = 20,
                                      .player = player,
                                      .prose = prose.len > 0 ? text_str(&prose) : NULL };
    struct scene scene = { .screen = SCENE_LESSON };
    scene_fill_run(&fill, &in, &mem, &scene);
    scene_fill_card(&in, &mem, &scene);
    scene.earlier = NULL; /* one has read it, and scrolls to it where there is no room */
    lengthen_switches(player, &mem, &scene);
    say_misfits(player, &scene, out);
    text_finish(&prose);
    history_finish(&history);
    playback_finish(&playback);
    scene_mem_finish(&mem);
    scene_fill_finish(&fill);
}
