/*
 * Plain mode: what a choice does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cursor.h"
#include "app/plain_parts.h"
#include "app/why.h"
#include "base/mem.h"
#include "base/units.h"

/* ---- to the run ---------------------------------------------------------------------------------------- */

bool plain_do_command(struct plain *p, const struct sim_cmd *cmd)
{
    struct err err = { 0 };
    bool restarted = false;
    if (!player_do(p->player, cmd, &restarted, &err)) {
        printf("%s.\n", err.msg);
        return false;
    }
    p->did = true;
    p->undid = false;
    if (restarted) {
        printf("The run starts again.\n");
    }
    narrator_begin(&p->narrator, plain_sim(p));
    return true;
}

static void move_switch(struct plain *p, size_t which)
{
    const struct lesson_item *item = plain_switch(p, which);
    const int64_t now = sim_knob(plain_sim(p), item->knob);
    size_t at = 0;
    for (size_t i = 0; i < item->value_count; i++) {
        at = item->values[i] == now ? i + 1 : at;
    }
    const struct sim_cmd cmd = { .kind = SIM_CMD_SET,
                                 .knob = item->knob,
                                 .value = item->values[at % item->value_count] };
    char value[64];
    sim_knob_format(item->knob, cmd.value, false, value, sizeof value);
    if (plain_do_command(p, &cmd)) {
        printf("%s is now %s.\n", plain_switch_label(item), value);
        if (item->no_effect != NULL) {
            printf("Nothing changes, because %s\n", item->no_effect);
        }
    }
}

/* The packet an eye would choose. */
static void drop_packet(struct plain *p)
{
    struct cursor cursor = { 0 };
    struct sim_cmd cmd;
    struct err err = { 0 };
    char line[200];
    if (!cursor_snap(&cursor, plain_sim(p)) || !cursor_drop(&cursor, plain_sim(p), &cmd, &err)) {
        printf("%s\n", err.code != ERR_NONE ? err.msg : "No packet is on its way just now.");
        player_skip(p->player, NULL);
        return;
    }
    cursor_say(&cursor, plain_sim(p), line, sizeof line);
    if (plain_do_command(p, &cmd)) {
        printf("Destroyed: %s.\n", line);
    } else {
        player_skip(p->player, NULL);
    }
}

/* Tries the switches of a task; what came of it is the card's text then. */
static void try_task(struct plain *p)
{
    struct err err = { 0 };
    if (!player_try(p->player, &err)) {
        printf("%s\n", err.msg);
        return;
    }
    printf("Trying, from the beginning of the run to its end.\n");
    fflush(stdout);
    while (!player_try_on(p->player, UNIT_S)) {
    }
    plain_say_plots(p, player_tried(p->player));
    const struct player_question q = player_question(p->player);
    if (q.state != PLAYER_JUDGED && !q.not_checked) {
        printf("\nNot yet.\n");
    }
    text_clear(&p->said); /* what came of it is said, also when it is the same again */
}

static bool type_number(struct plain *p, struct err *err)
{
    const struct lesson_item *item = lesson_item(p->lesson, player_item(p->player));
    char line[128], question[160];
    snprintf(question, sizeof question, "Your answer, %.90s; an empty line: not now.",
             units_example(item->unit));
    if (!plain_read(p, question, line, sizeof line)) {
        return player_skip(p->player, err);
    }
    return line[0] == '\0' || player_answer_number(p->player, line, err);
}

static void say_why(const struct plain *p, struct why_about about)
{
    struct why_tree tree = { 0 };
    struct text out = { 0 };
    why_grow(&tree, plain_sim(p), about);
    for (size_t i = 0; i < tree.count;
         i++) { /* what hangs deeper is the reason of what is above it */
        char lead[2 * PLAIN_WIDTH / 3];
        snprintf(lead, sizeof lead, "%*s%s", 2 * (tree.node[i].depth % (PLAIN_WIDTH / 4)), "",
                 tree.node[i].depth > 0 ? "because " : "");
        text_add_wrapped(&out, lead, tree.node[i].text, PLAIN_WIDTH);
    }
    plain_say_text(&out);
    text_finish(&out);
    why_finish(&tree);
}

static void ask_why(struct plain *p)
{
    struct why_about about;
    struct err err = { 0 };
    char line[128];
    if (!plain_read(
            p,
            "Why does what wait? A GPU (g3), a switch (leaf1), a port (leaf1:3), a flow (g3>g4)"
            " or a\npacket of it (g3>g4:12):",
            line, sizeof line)) {
        return;
    }
    if (why_named(plain_sim(p), line, &about, &err)) {
        say_why(p, about);
    } else {
        printf("%s.\n", err.msg);
    }
}

static void say_hint(struct plain *p)
{
    const char *hint = player_hint(p->player);
    if (hint != NULL) {
        plain_say(p, hint);
    } else {
        printf("There are no more hints.\n");
    }
}

static void say_words(const struct plain *p)
{
    struct text words = { 0 }, lines = { 0 };
    lesson_say_words(p->lesson, &words);
    for (const char *at = text_str(&words); *at != '\0';) {
        const size_t n = strcspn(at, "\n");
        char *line = mem_strndup(at, n);
        text_add_wrapped(&lines, "", line, PLAIN_WIDTH);
        free(line);
        at += n + (at[n] == '\n');
    }
    plain_say_text(&lines);
    text_finish(&lines);
    text_finish(&words);
}

/* Where one is, what goes on. */
static void say_state(const struct plain *p, struct text *out)
{
    char when[40];
    if (p->lab == NULL) {
        text_addf(out, "Card %zu of %zu of %s. ", player_place(p->player) + 1,
                  player_path_length(p->player), lesson_info(p->lesson).title);
    }
    text_addf(out, "The run stands at %s.\n",
              units_format(when, sizeof when, UNIT_TIME, run_now(player_run(p->player))));
    narrator_state(plain_sim(p), out);
}

static void change_detail(struct plain *p)
{
    const bool less = p->narrator.detail != NARRATOR_LITTLE;
    p->narrator.detail = less ? NARRATOR_LITTLE : NARRATOR_NORMAL;
    printf("%s detail from now on.\n", less ? "Less" : "More");
}

void plain_do(struct plain *p, struct plain_entry entry)
{
    struct err err = { 0 };
    struct text text = { 0 };
    bool ok = true;
    switch (entry.act) {
    case ACT_ANSWER:
        ok = player_answer(p->player, entry.which, &err);
        break;
    case ACT_NUMBER:
        ok = type_number(p, &err);
        break;
    case ACT_SURE:
        player_sure(p->player, (int)entry.which);
        break;
    case ACT_SKIP:
        ok = player_skip(p->player, &err);
        break;
    case ACT_DROP:
        drop_packet(p);
        break;
    case ACT_TRY:
        try_task(p);
        break;
    case ACT_HINT:
        say_hint(p);
        break;
    case ACT_NEXT:
        ok = player_next_card(p->player, &err);
        if (ok) {
            plain_say_card(p);
        }
        break;
    case ACT_STOP:
        ok = plain_next_stop(p, &err);
        break;
    case ACT_PLAY_ON: {
        uint32_t kinds = SIM_TRACE_BIT(BARRIER) | SIM_TRACE_BIT(DONE) | SIM_TRACE_BIT(STALL);
        plain_play(p, (struct player_target){ .stop_kinds = kinds, .until = SIM_NEVER });
        break;
    }
    case ACT_WHY:
        say_why(p, why_of_worst(plain_sim(p)));
        break;
    case ACT_WHY_OF:
        ask_why(p);
        break;
    case ACT_STATE:
        say_state(p, &text);
        break;
    case ACT_REPEAT:
        ok = player_restart_card(p->player, &err);
        plain_say_card(p);
        break;
    case ACT_DETAIL:
        change_detail(p);
        break;
    case ACT_SWITCH:
        move_switch(p, entry.which);
        break;
    case ACT_GO:
        plain_go(p);
        break;
    case ACT_WHATIF:
        plain_whatif(p);
        break;
    case ACT_BREAK:
        plain_break(p);
        break;
    case ACT_PLOT:
        plain_ask_plot(p);
        break;
    case ACT_PACKET:
        plain_say_packet(p);
        break;
    case ACT_UNDO:
    case ACT_REDO:
        plain_undo(p, entry.act == ACT_REDO);
        break;
    case ACT_WORDS:
        say_words(p);
        break;
    case ACT_TYPE:
        plain_type(p);
        break;
    case ACT_KNOBS:
        plain_say_knobs(p);
        break;
    case ACT_HONEST:
        plain_say_honesty(p);
        break;
    case ACT_BUILD:
        plain_build(p);
        break;
    case ACT_PRESET:
        if (plain_choose_preset(p)) {
            ok = plain_run_lab(p, &err);
        }
        break;
    case ACT_NOTHING:
        break;
    case ACT_LEAVE:
    case ACT_QUIT:
        p->quit = true;
        break;
    }
    if (!ok) {
        printf("%s\n", err.msg);
    }
    plain_say_text(&text);
    text_finish(&text);
}
