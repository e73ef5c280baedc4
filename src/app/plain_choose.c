/*
 * Plain mode: numbered choices, and what each does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/cursor.h"
#include "app/plain_parts.h"
#include "app/plain_time.h"
#include "app/why.h"
#include "base/mem.h"
#include "base/units.h"

void plain_offer(struct plain *p, enum plain_act act, size_t which, const char *text)
{
    if (p->entry_count < PLAIN_ENTRIES_MAX) {
        struct plain_entry *e = &p->entry[p->entry_count++];
        *e = (struct plain_entry){ .act = act, .which = which };
        snprintf(e->text, sizeof e->text, "%s", text);
    }
}

static const struct lesson_item *switch_item(const struct plain *p, size_t which)
{
    const struct lesson_card *card = lesson_card(p->lesson, player_card(p->player));
    for (size_t i = 0; i < card->count; i++) {
        const struct lesson_item *item = lesson_item(p->lesson, card->first + i);
        if (item->kind == LESSON_SWITCH && which-- == 0) {
            return item;
        }
    }
    return NULL;
}

static const char *switch_label(const struct lesson_item *item)
{
    return item->label != NULL ? item->label : sim_knob_info(item->knob)->term;
}

void plain_offer_always(struct plain *p)
{
    char text[96], value[64];
    plain_offer(p, ACT_WHY, 0, "why does it wait");
    plain_offer(p, ACT_STATE, 0, "state of all GPUs");
    plain_offer(p, ACT_REPEAT, 0, "repeat this card");
    plain_offer(p, ACT_DETAIL, 0,
                p->narrator.detail == NARRATOR_LITTLE ? "more detail" : "less detail");
    const struct lesson_item *item;
    for (size_t i = 0; (item = switch_item(p, i)) != NULL; i++) {
        sim_knob_format(item->knob, sim_knob(plain_sim(p), item->knob), false, value, sizeof value);
        snprintf(text, sizeof text, "move the switch %.40s, now %.30s", switch_label(item), value);
        plain_offer(p, ACT_SWITCH, i, text);
    }
    plain_offer(p, ACT_QUIT, 0, "quit");
}

/* All entries with their numbers, as many on a line as fit. */
void plain_list(const struct plain *p)
{
    int column = 0;
    for (size_t i = 0; i < p->entry_count; i++) {
        int cells = text_cells(p->entry[i].text) + 5;
        if (column > 0 && column + cells > PLAIN_WIDTH) {
            putchar('\n');
            column = 0;
        }
        column += printf("%s%zu %s", column > 0 ? "   " : "", i + 1, p->entry[i].text);
    }
    putchar('\n');
}

/* The one entry that begins with what was typed, or NULL: words do as well as numbers. */
static const struct plain_entry *entry_named(const struct plain *p, char *line)
{
    const struct plain_entry *found = NULL;
    line[strcspn(line, "\r\n")] = '\0';
    for (size_t i = 0; line[0] != '\0' && i < p->entry_count; i++) {
        if (strncmp(p->entry[i].text, line, strlen(line)) == 0) {
            if (found != NULL) {
                return NULL;
            }
            found = &p->entry[i];
        }
    }
    return found;
}

/* Lists the entries and waits for a number, or for the beginning of one. */
struct plain_entry plain_choose(struct plain *p)
{
    static const struct plain_entry quit = { .act = ACT_QUIT }, nothing = { .act = ACT_NOTHING };
    for (;;) {
        if (plain_reload(p)) {
            return nothing;
        }
        plain_list(p);
        printf("> ");
        fflush(stdout);
        char line[128], *end;
        if (fgets(line, sizeof line, stdin) == NULL || line[0] == 'q') {
            return quit;
        }
        if (plain_reload(p)) { /* the number was one of the old list */
            return nothing;
        }
        long number = strtol(line, &end, 10);
        if (end != line && number >= 1 && (size_t)number <= p->entry_count) {
            return p->entry[number - 1];
        }
        const struct plain_entry *named = entry_named(p, line);
        if (named != NULL) {
            return *named;
        }
        printf("A number from 1 to %zu, please.\n", p->entry_count);
    }
}

/* The learner has done something. */
static void has_done(struct plain *p)
{
    p->did = true;
    p->undid = false;
}

static void move_switch(struct plain *p, size_t which)
{
    struct err err = { 0 };
    const struct lesson_item *item = switch_item(p, which);
    int64_t now = sim_knob(plain_sim(p), item->knob);
    size_t at = 0;
    for (size_t i = 0; i < item->value_count; i++) {
        at = item->values[i] == now ? i + 1 : at;
    }
    struct sim_cmd cmd = { .kind = SIM_CMD_SET,
                           .knob = item->knob,
                           .value = item->values[at % item->value_count] };
    bool restarted = false;
    char value[64];
    sim_knob_format(item->knob, cmd.value, false, value, sizeof value);
    if (!player_do(p->player, &cmd, &restarted, &err)) {
        printf("%s\n", err.msg);
        return;
    }
    has_done(p);
    printf("%s is now %s.\n", switch_label(item), value);
    if (item->no_effect != NULL) {
        printf("Nothing changes, because %s\n", item->no_effect);
    }
    if (restarted) {
        printf("The run starts again.\n");
        narrator_begin(&p->narrator, plain_sim(p));
    }
}

/* The packet an eye would choose. */
static void drop_packet(struct plain *p)
{
    struct cursor cursor = { 0 };
    struct sim_cmd cmd;
    struct err err = { 0 };
    char line[200];
    if (!cursor_snap(&cursor, plain_sim(p)) || !cursor_drop(&cursor, plain_sim(p), &cmd, &err) ||
        !player_do(p->player, &cmd, NULL, &err)) {
        printf("%s\n", err.code != ERR_NONE ? err.msg : "No packet is on its way just now.");
        player_skip(p->player, NULL);
        return;
    }
    has_done(p);
    printf("Destroyed: %s.\n", cursor_say(&cursor, plain_sim(p), line, sizeof line));
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
}

static bool type_number(struct plain *p, struct err *err)
{
    const struct lesson_item *item = lesson_item(p->lesson, player_item(p->player));
    char line[128];
    printf("Your answer, %s; an empty line: not now.\n> ", units_example(item->unit));
    fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL) {
        p->quit = true;
        return true;
    }
    line[strcspn(line, "\r\n")] = '\0';
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
    printf(
        "Why does what wait? A GPU (g3), a switch (leaf1), a port (leaf1:3), a flow (g3>g4) or a\n"
        "packet of it (g3>g4:12):\n> ");
    fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL) {
        p->quit = true;
        return;
    }
    line[strcspn(line, "\r\n")] = '\0';
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
        narrator_state(plain_sim(p), &text);
        break;
    case ACT_REPEAT:
        ok = player_restart_card(p->player, &err);
        plain_say_card(p);
        break;
    case ACT_DETAIL:
        p->narrator.detail =
            p->narrator.detail == NARRATOR_LITTLE ? NARRATOR_NORMAL : NARRATOR_LITTLE;
        break;
    case ACT_SWITCH:
        move_switch(p, entry.which);
        break;
    case ACT_GO:
        plain_go(p->player);
        narrator_begin(&p->narrator, plain_sim(p));
        break;
    case ACT_WHATIF:
        if (plain_whatif(p->player)) {
            has_done(p);
        }
        narrator_begin(&p->narrator, plain_sim(p));
        break;
    case ACT_PLOT:
        plain_ask_plot(p);
        break;
    case ACT_PACKET:
        plain_say_packet(p);
        break;
    case ACT_UNDO:
        p->did = plain_undo(p->player, false);
        p->undid = p->undid || p->did;
        narrator_begin(&p->narrator, plain_sim(p));
        break;
    case ACT_REDO:
        p->undid = plain_undo(p->player, true);
        p->did = p->did || p->undid;
        narrator_begin(&p->narrator, plain_sim(p));
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
