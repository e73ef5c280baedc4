#include "app/hints.h"

#include <string.h>

#include "app/menu.h"

enum { HINTS_MAX = 24, LINES_MAX = 512 };

static bool asks_number(const struct session *s)
{
    const size_t item = player_item(s->player);
    return s->need == PLAYER_ANSWER && item != SIZE_MAX && lesson_item(s->lesson, item)->number;
}

/* The letters that the question has: keys that would not answer are not offered. */
static const char *footer_of_choices(const struct session *s, const char *footer)
{
    static const char *const letters[] = { [2] = "a b|answer", [3] = "a to c|answer" };
    const size_t item = player_item(s->player);
    const size_t count = item != SIZE_MAX ? lesson_item(s->lesson, item)->choice_count : 0;
    return count < sizeof letters / sizeof *letters && letters[count] != NULL ? letters[count]
                                                                              : footer;
}

/* The same in front of a room, which should see few of them. */
static const char *footer_for_room(enum command command, const struct session *s)
{
    switch ((int)command) {
    case COMMAND_PLAY:
        return s->playback.playing ? "space|pause" : "space|play";
    case COMMAND_SCROLL_DOWN:
        return s->sentence + 1 < s->sentence_count ? "PgDn|more" : NULL;
    case COMMAND_NEXT:
        return "n|next";
    case COMMAND_SKIP:
        return s->need == PLAYER_ANSWER || s->need == PLAYER_DROP ? "s|skip" : NULL;
    case COMMAND_VIEW:
        return "Tab|view";
    case COMMAND_REVEAL:
        return player_knows_answer(s->player) && !s->revealed ? "V|reveal" : NULL;
    case COMMAND_NOTES:
        return "N|notes";
    case COMMAND_BLANK:
        return "B|blank";
    case COMMAND_PRESENT:
        return "T|back";
    default:
        return NULL;
    }
}

/* What Enter does on the row of the menu that is chosen. */
static const char *footer_of_row(const struct menu *menu)
{
    static const char *const does[MENU_PAGES] = {
        [MENU_PRESETS] = "Enter|begin with it",
        [MENU_BUILD] = "Enter|type",
        [MENU_SWITCHES] = "Enter|type",
        [MENU_FAULTS] = "Enter|break",
        [MENU_KEEP] = "Enter|save",
    };
    const struct menu_row *row = menu_chosen(menu);
    return row == NULL                   ? NULL
           : does[menu->page] != NULL    ? does[menu->page]
           : row->knob != SIM_KNOB_COUNT ? "Enter|its switch"
                                         : NULL;
}

/* "keys|word" for the bottom line as things stand now; NULL: it would not help. */
static const char *footer_of(enum command command, const struct session *s)
{
    const char *footer = command_info(command)->footer;
    if (s == NULL) {
        return footer;
    }
    const enum command_context context = command_info(command)->context;
    if (s->presenter && !session_in_whatif(s) &&
        (context == CONTEXT_LESSON || context == CONTEXT_TIME)) {
        return footer_for_room(command, s);
    }
    bool question = s->need == PLAYER_ANSWER;
    switch ((int)command) {
    case COMMAND_PLAY:
        return question ? NULL : s->playback.playing ? "space|pause" : footer;
    case COMMAND_TICK_BACK:
    case COMMAND_WHATIF:
        return question ? NULL : footer;
    case COMMAND_GEAR_UP:
        return session_in_whatif(s) ? NULL : footer; /* there the room is for the differences */
    case COMMAND_CURSOR_DROP:
        return s->cursor.thing == CURSOR_FRAME ? footer : "x|faults";
    case COMMAND_CURSOR_FAULTS:
        return s->cursor.thing == CURSOR_FRAME ? footer : NULL; /* x does the same */
    case COMMAND_CURSOR_INSPECT:
        return s->cursor.thing == CURSOR_NODE ? NULL : footer;
    case COMMAND_MENU_UP:
        return s->menu->page == MENU_BUILD || s->menu->page == MENU_SWITCHES
                   ? "arrows|choose, change"
                   : footer;
    case COMMAND_MENU_DO:
        return footer_of_row(s->menu);
    case COMMAND_PLOT:
        return NULL; /* the heading of the view says it */
    case COMMAND_ANSWER:
        return asks_number(s) ? "a|type your answer" : footer_of_choices(s, footer);
    case COMMAND_SKIP:
        return question || s->need == PLAYER_DROP ? "s|skip" : footer;
    case COMMAND_WORDS:
        return s->terms.count > 0 ? footer : NULL;
    case COMMAND_LAB:
        return s->lab != NULL ? footer : NULL;
    case COMMAND_NEXT:
        if (s->lab != NULL) {
            return NULL; /* it has no cards */
        }
        return s->need == PLAYER_CARD ? "n|next card" : footer;
    default:
        return footer;
    }
}

/* Whether it closes what is on top, or leaves. */
static bool leads_out(enum command command)
{
    static const bool out[COMMAND_COUNT] = {
        [COMMAND_HOME_LEAVE] = true, [COMMAND_DROP_WHATIF] = true,   [COMMAND_CURSOR_OFF] = true,
        [COMMAND_LIST_CLOSE] = true, [COMMAND_MENU_CLOSE] = true,    [COMMAND_WHY_CLOSE] = true,
        [COMMAND_BOX_CLOSE] = true,  [COMMAND_INSPECT_CLOSE] = true, [COMMAND_PROMPT_CLOSE] = true,
    };
    return out[command];
}

/* What is being filled in. */
struct filling {
    struct scene *scene;
    struct scene_mem *mem;
    const struct keymap *keys;
    struct scene_hint *hints;
};

static void add_hint(struct filling *f, enum command command, const char *footer, bool keep)
{
    const char *bar = footer != NULL ? strchr(footer, '|') : NULL;
    if (bar == NULL || f->scene->hint_count == HINTS_MAX) {
        return;
    }
    struct text keys = { 0 };
    keymap_say_footer(f->keys, command, footer, (size_t)(bar - footer), &keys);
    if (keys.len > 0) { /* it may have been left without one */
        f->hints[f->scene->hint_count++] =
            (struct scene_hint){ .keys = scene_mem_textf(f->mem, "%s", text_str(&keys)),
                                 .text = bar + 1,
                                 .id = command,
                                 .keep = keep,
                                 .out = keep && leads_out(command) };
    }
    text_finish(&keys);
}

/* Which command has its key now, when that is another one from a context above: then offering it here would not
 * be true. */
static enum command covered_by(const struct keymap *keys, enum command command, unsigned active)
{
    uint32_t key = keys != NULL ? keys->key[command][0] : command_info(command)->keys[0];
    const enum command now =
        keys != NULL ? keymap_command(keys, &key, active) : command_of_key(key, active);
    return now != command ? now : COMMAND_NONE;
}

/* What a narrow screen must not leave out: the topmost context, what leads on, and what leads out of a
 * what-if. */
static bool is_kept(enum command command, int top, unsigned active)
{
    const int context = (int)command_info(command)->context;
    if (command == COMMAND_NEXT || command == COMMAND_SKIP || command == COMMAND_REVEAL ||
        command == COMMAND_HELP) {
        return true;
    }
    if (top == CONTEXT_TIME && (active & 1u << CONTEXT_WHATIF) != 0) {
        return command == COMMAND_SIDE || command == COMMAND_KEEP || command == COMMAND_DROP_WHATIF;
    }
    return context == top || context == CONTEXT_MANY ||
           (top == CONTEXT_TIME && context == CONTEXT_LESSON);
}

/* The bottom line: what goes on from here, then the topmost context, and what always helps last. */
void hints_footer(struct scene *scene, struct scene_mem *mem, const struct keymap *keys,
                  unsigned active, const struct session *s)
{
    struct filling f = { scene, mem, keys, scene_mem_take(mem, HINTS_MAX, sizeof *f.hints) };
    int top = CONTEXT_COUNT - 1;
    while (top > 0 && (active & 1u << top) == 0) {
        top--;
    }
    bool card_done = s != NULL && s->need == PLAYER_CARD && top == CONTEXT_TIME &&
                     (active & 1u << CONTEXT_LESSON) != 0;
    if (card_done && !session_moving(s)) {
        add_hint(&f, COMMAND_NEXT, footer_of(COMMAND_NEXT, s), true);
    }
    for (int context = top; context >= 0; context--) {
        for (int c = 1; c < COMMAND_COUNT; c++) {
            enum command command = (enum command)c;
            bool told =
                command == COMMAND_NEXT && scene->hint_count > 0 && card_done && !session_moving(s);
            if ((int)command_info(command)->context == context && (active & 1u << context) != 0 &&
                !told && covered_by(keys, command, active) == COMMAND_NONE) {
                add_hint(&f, command, footer_of(command, s), is_kept(command, top, active));
            }
        }
    }
    scene->hint = f.hints;
}

/* The headings of the ? screen in their order: what can be done here and now first. */
static const enum command_context HELP_HOME[] = { CONTEXT_ALL, CONTEXT_HOME, CONTEXT_PROMPT };
static const enum command_context HELP_LESSON[] = {
    CONTEXT_ALL,    CONTEXT_TIME,    CONTEXT_LESSON,   CONTEXT_MANY, CONTEXT_WHATIF,
    CONTEXT_CURSOR, CONTEXT_INSPECT, CONTEXT_QUESTION, CONTEXT_TASK, CONTEXT_SURE,
    CONTEXT_LIST,   CONTEXT_MENU,    CONTEXT_WHY,      CONTEXT_BOX,  CONTEXT_PROMPT,
};
static const enum command_context HELP_WHATIF[] = {
    CONTEXT_ALL, CONTEXT_WHATIF, CONTEXT_TIME,   CONTEXT_LIST,
    CONTEXT_WHY, CONTEXT_BOX,    CONTEXT_PROMPT,
};

/* What a question, a task or the cursor adds to the lesson: while it does, it comes first. */
static bool is_passing(enum command_context context)
{
    return context == CONTEXT_SURE || context == CONTEXT_QUESTION || context == CONTEXT_TASK ||
           context == CONTEXT_CURSOR;
}

/* A heading and its commands. */
static size_t add_context(enum command_context context, struct scene_mem *mem,
                          const struct keymap *keys, unsigned active, struct scene_help_line *lines,
                          size_t n)
{
    lines[n++].text = command_context_title(context);
    for (int c = 1; c < COMMAND_COUNT; c++) {
        const struct command_info *info = command_info((enum command)c);
        if (info->context != context || n == LINES_MAX) {
            continue;
        }
        const enum command over = (active & 1u << context) != 0
                                      ? covered_by(keys, (enum command)c, active)
                                      : COMMAND_NONE;
        struct text said = { 0 };
        keymap_say(keys, (enum command)c, &said);
        lines[n++] = (struct scene_help_line){
            .keys = scene_mem_textf(mem, "%s", text_str(&said)),
            .text = over == COMMAND_NONE ? info->help
                                         : scene_mem_textf(mem, "%s (not now: %s)", info->help,
                                                           command_info(over)->help),
        };
        text_finish(&said);
    }
    return n;
}

void hints_help(struct scene *scene, struct scene_mem *mem, const struct keymap *keys,
                enum hints_where where, unsigned active, size_t scroll)
{
    static const struct {
        const enum command_context *context;
        size_t count;
    } headings[] = {
        [HINTS_HOME] = { HELP_HOME, sizeof HELP_HOME / sizeof *HELP_HOME },
        [HINTS_LESSON] = { HELP_LESSON, sizeof HELP_LESSON / sizeof *HELP_LESSON },
        [HINTS_WHATIF] = { HELP_WHATIF, sizeof HELP_WHATIF / sizeof *HELP_WHATIF },
    };
    struct scene_help_line *lines = scene_mem_take(mem, LINES_MAX, sizeof *lines);
    size_t n = 0;
    for (int passing = 1; passing >= 0; passing--) {
        for (size_t k = 0; k < headings[where].count; k++) {
            const enum command_context context = headings[where].context[k];
            const bool first = is_passing(context) && (active & 1u << context) != 0;
            if (first == (passing == 1)) {
                n = add_context(context, mem, keys, active, lines, n);
            }
        }
    }
    scene->screen = SCENE_HELP;
    scene->help = (struct scene_help){
        .title = "Keys and marks", .line = lines, .line_count = n, .scroll = scroll
    };
}
