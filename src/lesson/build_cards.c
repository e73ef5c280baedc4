/*
 * The cards of a lesson, and what can be judged only when all items are there.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/build_items.h"
#include "sim/sim.h"

/* ---- cards ----------------------------------------------------------------------------------- */

/* The first **bold** words of a text, or NULL. */
static char *bold_words(const char *text)
{
    const char *from = strstr(text, "**");
    const char *to = from == NULL ? NULL : strstr(from + 2, "**");
    return to == NULL || to == from + 2 ? NULL : mem_strndup(from + 2, (size_t)(to - from) - 2);
}

static void begin_card(struct lesson *lesson, size_t first, int scene)
{
    lesson->cards[lesson->card_count] = (struct lesson_card){ .scene = scene, .first = first };
    lesson->card_titles[lesson->card_count] = NULL;
    lesson->card_count++;
}

static bool waits_for_prose(enum lesson_item_kind kind)
{
    return kind == LESSON_SET || kind == LESSON_DROP || kind == LESSON_FAULT ||
           kind == LESSON_NOTE || kind == LESSON_FOCUS || kind == LESSON_PLOT;
}

/* What comes behind `at`, which is behind item `from`: at the end of a way its branch goes on. */
static size_t behind(const struct lesson *lesson, size_t from, size_t at)
{
    for (size_t i = from; i-- > 0;) { /* the innermost branch first */
        const struct lesson_item *branch = &lesson->items[i];
        for (size_t w = 0; branch->kind == LESSON_BRANCH && w < branch->way_count; w++) {
            const struct lesson_way *way = &branch->ways[w];
            if (way->from <= from && from < way->to && way->to == at) {
                at = branch->ways[branch->way_count - 1].to;
            }
        }
    }
    return at < lesson->item_count ? at : 0;
}

/* Begins a card with item `i`, or lets it join the last one. `*waits`: there is nothing but a scene and
 * commands on that so far. */
static void group_item(struct lesson *lesson, size_t i, bool *waits)
{
    const struct lesson_item *item = &lesson->items[i];
    const bool is_scene = item->kind == LESSON_SCENE, is_say = item->kind == LESSON_SAY;
    if (is_scene || item->apart || (is_say && !*waits)) {
        begin_card(lesson, i, item->scene);
        *waits = true;
    }
    *waits = *waits && (is_scene || waits_for_prose(item->kind));
    lesson->cards[lesson->card_count - 1].count++;
    if (is_say && item->text != NULL) {
        free(lesson->card_titles[lesson->card_count - 1]);
        lesson->card_titles[lesson->card_count - 1] = bold_words(item->text);
    }
}

bool lesson_build_cards(struct lesson *lesson, int line, struct lesson_problems *problems)
{
    if (lesson->item_count == 0 || lesson->items[0].kind != LESSON_SCENE) {
        return lesson_problem(problems, lesson->item_count == 0 ? line : lesson->items[0].line,
                              "a lesson's first item is weft.scene: where it happens");
    }
    lesson->cards = mem_alloc(lesson->item_count, sizeof *lesson->cards);
    lesson->card_titles = mem_alloc(lesson->item_count, sizeof *lesson->card_titles);
    bool waits = false;
    for (size_t i = 0; i < lesson->item_count; i++) {
        struct lesson_item *item = &lesson->items[i];
        if (item->kind != LESSON_BRANCH) {
            group_item(lesson, i, &waits);
        } else if (item->way_count > 0) {
            item->next = behind(lesson, i, item->ways[item->way_count - 1].to);
        }
    }
    for (size_t i = 0; i < lesson->card_count; i++) {
        struct lesson_card *card = &lesson->cards[i];
        card->title = lesson->card_titles[i] != NULL ? lesson->card_titles[i] : lesson->title;
        card->next = behind(lesson, card->first, card->first + card->count);
    }
    return true;
}

/* ---- what can be judged only against a fabric ------------------------------------------------ */

static bool check_drop(const struct sim *sim, const struct lesson_item *item,
                       struct lesson_problems *problems)
{
    const char *flow = item->cmds[0].flow;
    if (sim_find_flow(sim, flow) != SIM_NONE) {
        return true;
    }
    const size_t n = sim_flow_count(sim);
    const char **names = mem_alloc(n + 1, sizeof *names);
    for (size_t i = 0; i < n; i++) {
        names[i] = sim_flow(sim, (uint32_t)i).name;
    }
    const char *near = lesson_nearest(names, flow);
    const bool ok =
        near == NULL
            ? lesson_problem(problems, item->line, "there is no flow %s in this scene", flow)
            : lesson_problem(problems, item->line,
                             "there is no flow %s in this scene; did you mean %s?", flow, near);
    free(names);
    return ok;
}

/* It names what is there. */
static bool check_fault(const struct sim *sim, const struct lesson_item *item,
                        struct lesson_problems *problems)
{
    struct err err = { 0 };
    const struct sim_cmd *cmd = &item->cmds[0];
    const bool anew = item->kind == LESSON_COMPARE && cmd->kind == SIM_CMD_SET &&
                      sim_knob_info(cmd->knob)->when == SIM_RESTART; /* beside it, from 0 */
    return anew || sim_would_apply(sim, cmd, &err) ||
           lesson_problem_err(problems, item->line, &err);
}

/* There is such a thing. That it moves is for `weft check`: a switch may have to be moved first. */
static bool check_plot(const struct sim *sim, const struct lesson_item *item,
                       struct lesson_problems *problems)
{
    bool ok = true;
    for (size_t i = 0; i < item->plot_count; i++) {
        struct err err = { 0 };
        struct run_plot plot;
        ok = (run_plot_parse(sim, item->plots[i], &plot, &err) ||
              lesson_problem_err(problems, item->line, &err)) &&
             ok;
    }
    return ok;
}

typedef bool check_fn(const struct sim *sim, const struct lesson_item *item,
                      struct lesson_problems *problems);

/* Who judges an item against the fabric; NULL: nobody needs to. */
static check_fn *checker_of(enum lesson_item_kind kind)
{
    return kind == LESSON_DROP                              ? check_drop
           : kind == LESSON_FAULT || kind == LESSON_COMPARE ? check_fault
           : kind == LESSON_PLOT                            ? check_plot
                                                            : NULL;
}

static bool check_commands(const struct lesson *lesson, struct lesson_problems *problems)
{
    bool ok = true;
    for (size_t s = 0; s < lesson->scene_count; s++) {
        struct sim *sim = NULL;
        for (size_t i = 0; i < lesson->item_count; i++) {
            const struct lesson_item *item = &lesson->items[i];
            check_fn *check = checker_of(item->kind);
            if (check == NULL || item->scene != (int)s || !item->sound) {
                continue;
            }
            struct err err = { 0 };
            if (sim == NULL && (sim = sim_create(&lesson->scenes[s].scenario, 1, &err)) == NULL) {
                ok = lesson_problem_err(problems, lesson->scene_lines[s], &err);
                break;
            }
            ok = check(sim, item, problems) && ok;
        }
        sim_destroy(sim);
    }
    return ok;
}

bool lesson_build_items(struct lesson *lesson, int index, bool whole,
                        struct lesson_problems *problems)
{
    const int line = lesson_source_find(problems->source, "lesson");
    struct lesson_state state = { 0 };
    lesson->items = mem_alloc(LESSON_ITEMS_MAX, sizeof *lesson->items);
    lesson->funcs = mem_alloc(LESSON_ITEMS_MAX, sizeof *lesson->funcs);
    problems->adrift = !whole;
    bool ok = lesson_build_list(lesson, index, "lesson", line, &state, problems);
    problems->adrift = false;
    ok = lesson_build_cards(lesson, line, problems) && ok;
    ok = lesson_check_branches(lesson, problems) && ok;
    ok = whole && check_commands(lesson, problems) && ok;
    return lesson_check_fixes(lesson, problems) && ok;
}
