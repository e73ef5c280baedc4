/*
 * A saved run in a lesson's clothes: scene, card and play, without any Lua behind them. So screen, plain
 * mode, scrubber and what-if take it like everything else.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "lesson/data.h"

enum { LINES_TOLD = 8 };

static const char *who(enum run_author author)
{
    return author == RUN_LESSON ? "the lesson" : "somebody";
}

/* Markdown. */
static void tell(struct text *out, const struct replay *replay)
{
    char when[64], what[512];
    const bool saved =
        replay->version[0] != '\0'; /* else nobody wrote it down: it is shown right now */
    text_add(out, saved ? "**A saved run**" : "**A run**");
    if (replay->from[0] != '\0') {
        text_addf(out, " of %s", replay->from);
    }
    text_addf(out, ", seed %" PRIu64 "%s%s.\n", replay->seed, saved ? ", written by weft " : "",
              replay->version);
    for (size_t i = 0; i < replay->line_count && i < LINES_TOLD; i++) {
        const struct run_line *line = &replay->lines[i];
        text_addf(out, "%s- %s, %s: `%s`\n", i == 0 ? "\n" : "",
                  units_format(when, sizeof when, UNIT_TIME, line->at), who(line->author),
                  sim_cmd_format(&line->cmd, what, sizeof what));
    }
    if (replay->line_count > LINES_TOLD) {
        text_addf(out, "- and %zu more\n", replay->line_count - LINES_TOLD);
    }
    if (replay->has_result) {
        text_addf(out, "\nThere it was \"%s\" at %s.\n", report_outcome_word(replay->outcome),
                  units_format(when, sizeof when, UNIT_TIME, replay->end));
    }
}

struct lesson *lesson_of_replay(const struct replay *replay, const char *file)
{
    static const struct lesson_item items[] = { { .kind = LESSON_SCENE, .line = 1 },
                                                { .kind = LESSON_SAY, .line = 1 },
                                                { .kind = LESSON_PLAY, .line = 1 } };
    enum { ITEMS = sizeof items / sizeof *items };
    struct lesson *lesson = mem_alloc(1, sizeof *lesson);
    struct text said = { 0 };
    const bool lesson_known = replay->from[0] != '\0';
    lesson->path = mem_strdup(file);
    lesson->id = mem_strndup(replay->from, strcspn(replay->from, " "));
    lesson->title = mem_strdup(lesson_known ? replay->from : replay->scenario.name);
    lesson->level = 1;
    lesson->scenes = mem_alloc(1, sizeof *lesson->scenes);
    lesson->scene_names = mem_alloc(1, sizeof *lesson->scene_names);
    lesson->scene_lines = mem_alloc(1, sizeof *lesson->scene_lines);
    lesson->scene_count = 1;
    lesson->scenes[0].name = mem_strdup("saved");
    lesson->scene_names[0] = lesson->scenes[0].name;
    sim_scenario_copy(&lesson->scenes[0].scenario, &replay->scenario);
    lesson->items = mem_dup(items, sizeof items);
    lesson->funcs = mem_alloc(ITEMS, sizeof *lesson->funcs);
    lesson->item_count = ITEMS;
    for (size_t i = 0; i < ITEMS; i++) {
        lesson->funcs[i] = LESSON_NO_FUNC;
    }
    tell(&said, replay);
    lesson->items[1].text = said.s;
    lesson->items[2].until = replay->has_result ? LESSON_UNTIL_TIME : LESSON_UNTIL_END;
    lesson->items[2].for_ps = replay->end;
    lesson->cards = mem_alloc(1, sizeof *lesson->cards);
    lesson->card_titles = mem_alloc(1, sizeof *lesson->card_titles);
    lesson->card_titles[0] = mem_strdup("A saved run");
    lesson->cards[0] = (struct lesson_card){ .count = ITEMS, .title = lesson->card_titles[0] };
    lesson->card_count = 1;
    return lesson;
}
