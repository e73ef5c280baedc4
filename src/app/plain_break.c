/*
 * Plain mode: faults, those that the screen offers for what the cursor is on.
 */
#include <stdio.h>
#include <stdlib.h>

#include "app/faults.h"
#include "app/plain_parts.h"
#include "app/playback.h"
#include "app/why.h"
#include "base/mem.h"

/* What is to be broken: named, or the GPU that holds the others up. */
static bool ask_what(struct plain *p, struct cursor *cursor)
{
    const struct sim *sim = plain_sim(p);
    struct why_about about;
    struct err err = { 0 };
    char line[128];
    if (!plain_read(
            p,
            "Break what? A GPU (g3), a switch (leaf1), a lane (leaf1:3) or a packet on its way\n"
            "(g3>g4:12); Enter alone: the slowest GPU, or some packet.",
            line, sizeof line)) {
        return false;
    }
    if (line[0] == '\0') {
        return cursor_put_worst(cursor, sim) || cursor_snap(cursor, sim);
    }
    if (!why_named(sim, line, &about, &err)) {
        printf("%s.\n", err.msg);
        return false;
    }
    return why_point(&about, sim, cursor);
}

static void choose(struct plain *p, const struct cursor *cursor, const struct fault_choice *choice,
                   size_t count)
{
    char line[32], heading[160];
    struct text done = { 0 }, lines = { 0 };
    size_t number;
    printf("%s\n", fault_heading(plain_sim(p), cursor, heading, sizeof heading));
    for (size_t i = 0; i < count; i++) {
        printf("%zu %s\n", i + 1, choice[i].text);
    }
    if (!plain_read(p, "Which? A number; Enter alone: none.", line, sizeof line) ||
        line[0] == '\0') {
        return;
    }
    if (!plain_is_number(line, count, &number)) {
        printf("A number from 1 to %zu, please.\n", count);
    } else if (plain_do_command(p, &choice[number - 1].cmd)) {
        text_addf(&done, "%s. %s", choice[number - 1].text, choice[number - 1].about);
        text_add_wrapped(&lines, "Done: ", text_str(&done), PLAIN_WIDTH);
        plain_say_text(&lines);
        text_finish(&done);
        text_finish(&lines);
    }
}

void plain_break(struct plain *p)
{
    const struct sim *sim = plain_sim(p);
    struct cursor cursor = { .on = true };
    sim_ps tick[PLAYBACK_GEAR_COUNT];
    int64_t rate[PLAYBACK_GEAR_COUNT];
    if (!ask_what(p, &cursor)) {
        return;
    }
    struct fault_choice *choice = mem_alloc(FAULTS_MAX, sizeof *choice);
    playback_gears(sim, tick, rate);
    const size_t count = fault_choices(player_run(p->player), &cursor,
                                       sim_rank_count(sim) > 0 ? tick[PLAYBACK_STEP] : 0, choice);
    if (count == 0) {
        printf("Nothing more can be done to it.\n");
    } else {
        choose(p, &cursor, choice, count);
    }
    free(choice);
}
