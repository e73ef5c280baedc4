/* The rows of options.h as structs, and the words that some flags take. */
#include "cli/options.h"

#include "cli/export.h"
#include "export/svg.h"
#include "run/plot.h"

static const struct cli_command_info commands[] = {
#define X(id, name, operands, min, max, help) { name, operands, min, max, help },
    CLI_COMMANDS(X)
#undef X
};

static const struct cli_flag_info flags[] = {
#define X(id, name, letter, value, on, help) { name, letter, value, on, help },
    CLI_FLAGS(X)
#undef X
};

const struct cli_command_info *cli_command_info(enum cli_command command)
{
    return &commands[command];
}

const char *cli_command_name(enum cli_command command)
{
    return commands[command].name;
}

const struct cli_flag_info *cli_flag_info(enum cli_flag flag)
{
    return &flags[flag];
}

/* ---- words ----------------------------------------------------------------------------------- */

/* What a command prints, the first unless told otherwise. */
static const struct cli_word text_or_json[] = { { "text", CLI_TEXT },
                                                { "json", CLI_JSON },
                                                { NULL, 0 } };
static const struct cli_word any_format[] = {
    { "text", CLI_TEXT }, { "json", CLI_JSON }, { "csv", CLI_CSV }, { NULL, 0 }
};
static const struct cli_word csv_or_json[] = { { "csv", CLI_CSV },
                                               { "json", CLI_JSON },
                                               { NULL, 0 } };

static const struct cli_word api_formats[] = { { "text", CLI_TEXT },
                                               { "json", CLI_JSON },
                                               { "lua", CLI_LUA },
                                               { "markdown", CLI_MARKDOWN },
                                               { NULL, 0 } };

static const struct cli_word *formats_of(enum cli_command command)
{
    return command == CLI_RUN     ? any_format
           : command == CLI_SWEEP ? csv_or_json
           : command == CLI_API   ? api_formats
                                  : text_or_json;
}

static const struct cli_word export_words[] = {
#define X(name, ending, binary, write, takes, less, help) { name, 0 },
    CLI_EXPORTS(X)
#undef X
        { NULL, 0 },
};

static const struct cli_word plot_words[] = {
#define X(id, word, of, sort, unit, column, help) { word, RUN_PLOT_##id },
    RUN_PLOTS(X)
#undef X
        { NULL, 0 },
};

static const struct cli_word color_words[] = {
    { "auto", CLI_COLOR_AUTO },
    { "never", CLI_COLOR_NEVER },
    { "none", CLI_COLOR_NEVER },
    { "16", CLI_COLOR_16 },
    { "256", CLI_COLOR_256 },
    { "truecolor", CLI_COLOR_TRUE },
    { NULL, 0 },
};

static const struct cli_word theme_words[] = {
#define X(id, name, ...) { name, UI_THEME_##id },
    UI_THEMES(X)
#undef X
        { NULL, 0 }
};

const struct cli_word *cli_flag_words(enum cli_flag flag, enum cli_command command)
{
    return flag == CLI_FLAG_FORMAT  ? formats_of(command)
           : flag == CLI_FLAG_TO    ? export_words
           : flag == CLI_FLAG_COLOR ? color_words
           : flag == CLI_FLAG_THEME ? theme_words
           : flag == CLI_FLAG_PLOT  ? plot_words
                                    : NULL;
}
