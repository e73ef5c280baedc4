#include "app/commands.h"

#include <ctype.h>

const struct command_info *command_info(enum command command)
{
    static const struct command_info rows[] = { [COMMAND_NONE] = { .shown = "", .help = "" },
#define X(id, where, k, shown_, footer_, help_)                                                    \
    [COMMAND_##id] = {                                                                             \
        .context = CONTEXT_##where, .keys = k, .shown = shown_, .footer = footer_, .help = help_   \
    },
                                                COMMANDS(X)
#undef X
    };
    return &rows[command < COMMAND_COUNT ? command : COMMAND_NONE];
}

const char *command_name(enum command command, char *buf, size_t size)
{
    static const char *const ids[] = { [COMMAND_NONE] = "NONE",
#define X(id, where, k, shown_, footer_, help_) [COMMAND_##id] = #id,
                                       COMMANDS(X)
#undef X
    };
    size_t n = 0;
    for (const char *c = ids[command < COMMAND_COUNT ? command : COMMAND_NONE];
         *c != '\0' && n + 1 < size; c++) {
        buf[n++] = (char)(*c == '_' ? '-' : tolower((unsigned char)*c));
    }
    buf[n] = '\0';
    return buf;
}

static bool has_key(enum command command, uint32_t key)
{
    if (command == COMMAND_SWITCH) {
        return key >= '1' && key <= '9';
    }
    if (command == COMMAND_ANSWER) {
        return key >= 'a' && key <= 'd';
    }
    if (command == COMMAND_PROMPT_TYPE && key >= ' ' && key < TERM_KEY_FIRST) {
        return true;
    }
    const uint32_t *keys = command_info(command)->keys;
    return key != 0 && (key == keys[0] || key == keys[1] || key == keys[2] || key == keys[3]);
}

enum command command_of_key(uint32_t key, unsigned active)
{
    enum command best = COMMAND_NONE;
    for (int c = 1; c < COMMAND_COUNT; c++) {
        enum command command = (enum command)c;
        enum command_context context = command_info(command)->context;
        if ((active & 1u << context) != 0 && has_key(command, key) &&
            (best == COMMAND_NONE || context > command_info(best)->context)) {
            best = command;
        }
    }
    return best;
}

const char *command_context_title(enum command_context context)
{
    static const char *const titles[CONTEXT_COUNT] = {
        [CONTEXT_ALL] = "Anywhere",
        [CONTEXT_HOME] = "Choosing a lesson",
        [CONTEXT_LESSON] = "In a lesson",
        [CONTEXT_MANY] = "Many GPUs",
        [CONTEXT_WHATIF] = "In a what-if",
        [CONTEXT_TIME] = "Time",
        [CONTEXT_QUESTION] = "While a question is open",
        [CONTEXT_TASK] = "While a task is open",
        [CONTEXT_SURE] = "After an answer",
        [CONTEXT_CURSOR] = "While the cursor is on",
        [CONTEXT_LIST] = "In a list",
        [CONTEXT_WHY] = "In the causes of waiting",
        [CONTEXT_BOX] = "In a box",
        [CONTEXT_MENU] = "In the menu",
        [CONTEXT_INSPECT] = "In a packet",
        [CONTEXT_PROMPT] = "While typing",
    };
    return context < CONTEXT_COUNT ? titles[context] : "";
}
