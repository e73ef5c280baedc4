#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"

struct command_row {
    const char *name, *operands;
    int min, max; /* most operands; -1: any number */
    const char *help;
};

static const struct command_row commands[] = {
#define X(id, name, operands, min, max, help) { name, operands, min, max, help },
    CLI_COMMANDS(X)
#undef X
};

enum flag {
#define X(id, name, letter, value, on, help) FLAG_##id,
    CLI_FLAGS(X)
#undef X
        FLAG_COUNT
};

struct flag_row {
    const char *name;
    char letter;
    const char *value; /* NULL: a plain flag */
    unsigned on;       /* commands, CLI_ON() */
    const char *help;
};

static const struct flag_row flags[] = {
#define X(id, name, letter, value, on, help) { name, letter, value, on, help },
    CLI_FLAGS(X)
#undef X
};

enum { DEFAULT_UNTIL_S = 60, FPS_MAX = 60, CARDS_MAX = 100000 };

const char *cli_command_name(enum cli_command command)
{
    return commands[command].name;
}

static void add_word(struct cli_words *words, const char *word)
{
    words->item = mem_grow(words->item, &words->cap, words->count + 1, sizeof *words->item);
    words->item[words->count++] = word;
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool parse_whole(const char *name, const char *text, int64_t min, int64_t max, int64_t *out,
                        struct err *err)
{
    struct err why = { 0 };
    if (!units_parse(text, UNIT_COUNT, out, &why) || *out < min || *out > max) {
        char low[32];
        char high[32];
        return err_set(err, ERR_USAGE, "%s takes a whole number from %s to %s, not '%.60s'", name,
                       units_grouped(low, sizeof low, min), units_grouped(high, sizeof high, max),
                       text);
    }
    return true;
}

bool cli_seed_parse(const char *text, uint64_t *seed, struct err *err)
{
    int64_t value = 0;
    if (!parse_whole("--seed", text, 0, CLI_SEED_MAX, &value, err)) {
        return false;
    }
    *seed = (uint64_t)value;
    return true;
}

struct word_value {
    const char *word;
    int value;
};

static const struct word_value format_words[] = { { "text", CLI_TEXT },
                                                  { "json", CLI_JSON },
                                                  { NULL, 0 } };

static const struct word_value color_words[] = {
    { "auto", CLI_COLOR_AUTO }, { "never", CLI_COLOR_NEVER }, { "none", CLI_COLOR_NEVER },
    { "16", CLI_COLOR_16 },     { "256", CLI_COLOR_256 },     { NULL, 0 },
};

static bool parse_word(const char *name, const char *text, const struct word_value *words, int *out,
                       struct err *err)
{
    struct text known = { 0 };
    for (const struct word_value *w = words; w->word != NULL; w++) {
        if (strcmp(w->word, text) == 0) {
            *out = w->value;
            text_finish(&known);
            return true;
        }
        text_addf(&known, "%s%s", known.len == 0 ? "" : w[1].word == NULL ? " or " : ", ", w->word);
    }
    (void)err_set(err, ERR_USAGE, "--%s takes %s, not '%.60s'", name, text_str(&known), text);
    text_finish(&known);
    return false;
}

/* Stores one flag; `value` is NULL for a plain one. */
static bool apply(struct cli_options *o, enum flag flag, const char *value, struct err *err)
{
    int64_t number = 0;
    int word = 0;
    switch (flag) {
    case FLAG_CARD:
        if (!parse_whole("--card", value, 1, CARDS_MAX, &number, err)) {
            return false;
        }
        o->card = (size_t)number;
        return true;
    case FLAG_SET:
        if (strchr(value, '=') == NULL) {
            return err_set(err, ERR_USAGE, "--set takes NAME=VALUE, not '%.60s'", value);
        }
        add_word(&o->sets, value);
        return true;
    case FLAG_SEED:
        return cli_seed_parse(value, &o->seed, err);
    case FLAG_UNTIL: {
        struct err why = { 0 };
        if (!units_parse(value, UNIT_TIME, &o->until_ps, &why)) {
            return err_set(err, ERR_USAGE, "--until: %s", why.msg);
        }
        return true;
    }
    case FLAG_FULL:
        o->full = true;
        return true;
    case FLAG_BARE:
        o->bare = true;
        return true;
    case FLAG_SCENE:
        o->scene = value;
        return true;
    case FLAG_DO:
        add_word(&o->deeds, value);
        return true;
    case FLAG_FORMAT:
        if (!parse_word("format", value, format_words, &word, err)) {
            return false;
        }
        o->format = (enum cli_format)word;
        return true;
    case FLAG_OUT:
        o->out = value;
        return true;
    case FLAG_FORCE:
        o->force = true;
        return true;
    case FLAG_PLAIN:
        o->plain = true;
        return true;
    case FLAG_ASCII:
        o->charset = CLI_CHARSET_ASCII;
        return true;
    case FLAG_UNICODE:
        o->charset = CLI_CHARSET_UNICODE;
        return true;
    case FLAG_COLOR:
        if (!parse_word("color", value, color_words, &word, err)) {
            return false;
        }
        o->color = (enum cli_color)word;
        return true;
    case FLAG_REDUCED:
        o->reduced_motion = true;
        return true;
    case FLAG_FPS:
        if (!parse_whole("--fps", value, 1, FPS_MAX, &number, err)) {
            return false;
        }
        o->fps = (int)number;
        return true;
    case FLAG_HELP:
        o->help = true;
        return true;
    case FLAG_VERSION:
        o->version = true;
        return true;
    case FLAG_COUNT:
        break;
    }
    return false;
}

/* ---- words ----------------------------------------------------------------------------------- */

static enum flag flag_named(const char *name, size_t len)
{
    for (int f = 0; f < FLAG_COUNT; f++) {
        if (strlen(flags[f].name) == len && memcmp(flags[f].name, name, len) == 0) {
            return (enum flag)f;
        }
    }
    return FLAG_COUNT;
}

static enum flag flag_lettered(char letter)
{
    for (int f = 0; f < FLAG_COUNT; f++) {
        if (flags[f].letter != 0 && flags[f].letter == letter) {
            return (enum flag)f;
        }
    }
    return FLAG_COUNT;
}

static bool unknown_flag(const char *word, struct err *err)
{
    size_t len = strcspn(word, "=");
    char *name = mem_strndup(word, len);
    const char *best = NULL;
    size_t best_distance = 4; /* farther away it is another word, not a slip */
    for (int f = 0; f < FLAG_COUNT; f++) {
        size_t distance = text_distance(name + strspn(name, "-"), flags[f].name);
        if (distance < best_distance && distance < strlen(flags[f].name)) {
            best_distance = distance;
            best = flags[f].name;
        }
    }
    if (best != NULL) {
        (void)err_set(err, ERR_USAGE, "there is no flag '%.60s'; did you mean --%s?", name, best);
    } else {
        (void)err_set(err, ERR_USAGE, "there is no flag '%.60s'", name);
    }
    free(name);
    return false;
}

/* A flag at argv[*i]; takes its value, from the next word if need be. */
static bool take_flag(struct cli_options *o, int argc, char *const *argv, int *i, uint64_t *seen,
                      struct err *err)
{
    const char *word = argv[*i];
    const char *value = NULL;
    enum flag flag;
    if (word[1] == '-') {
        size_t len = strcspn(word + 2, "=");
        flag = flag_named(word + 2, len);
        value = word[2 + len] == '=' ? word + 2 + len + 1 : NULL;
    } else {
        flag = word[2] == '\0' ? flag_lettered(word[1]) : FLAG_COUNT;
    }
    if (flag == FLAG_COUNT) {
        return unknown_flag(word, err);
    }
    if (flags[flag].value == NULL && value != NULL) {
        return err_set(err, ERR_USAGE, "--%s takes no value", flags[flag].name);
    }
    if (flags[flag].value != NULL && value == NULL) {
        if (*i + 1 >= argc || strncmp(argv[*i + 1], "--", 2) == 0) {
            return err_set(err, ERR_USAGE, "--%s needs a value: --%s %s", flags[flag].name,
                           flags[flag].name, flags[flag].value);
        }
        value = argv[++*i];
    }
    *seen |= UINT64_C(1) << flag;
    return apply(o, flag, value, err);
}

static enum cli_command command_named(const char *word)
{
    for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
        if (commands[c].name[0] != '\0' && strcmp(commands[c].name, word) == 0) {
            return (enum cli_command)c;
        }
    }
    return CLI_OPEN;
}

const char *cli_command_near(const char *word)
{
    const char *best = NULL;
    size_t best_distance = 3; /* farther away it is another word, not a slip */
    for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
        size_t distance = text_distance(word, commands[c].name);
        if (distance < best_distance && distance < strlen(commands[c].name)) {
            best_distance = distance;
            best = commands[c].name;
        }
    }
    return best;
}

static bool check_fit(const struct cli_options *o, uint64_t seen, struct err *err)
{
    const struct command_row *c = &commands[o->command];
    const char *blank = c->name[0] != '\0' ? " " : "";
    for (int f = 0; f < FLAG_COUNT; f++) {
        if ((seen >> f & 1) != 0 && (flags[f].on & (1u << o->command)) == 0) {
            return err_set(err, ERR_USAGE, "weft%s%s does not take --%s", blank, c->name,
                           flags[f].name);
        }
    }
    if (o->operands.count < (size_t)c->min) {
        return err_set(err, ERR_USAGE, "weft%s%s needs %s", blank, c->name, c->operands);
    }
    if (c->max >= 0 && o->operands.count > (size_t)c->max) {
        const char *near = o->command == CLI_OPEN ? cli_command_near(o->operands.item[0]) : NULL;
        return near != NULL
                   ? err_set(err, ERR_USAGE, "there is no command '%.60s'; did you mean %s?",
                             o->operands.item[0], near)
                   : err_set(err, ERR_USAGE, "'%.60s' is one word too many for weft%s%s",
                             o->operands.item[c->max], blank, c->name);
    }
    if (o->force && o->out == NULL) {
        return err_set(err, ERR_USAGE, "--force goes with --out FILE");
    }
    if (o->command == CLI_OPEN && o->card > 0 && o->operands.count == 0) {
        return err_set(err, ERR_USAGE, "--card needs a lesson: weft LESSON --card N");
    }
    return true;
}

bool cli_options_parse(struct cli_options *o, int argc, char *const *argv, struct err *err)
{
    *o = (struct cli_options){ .seed = 1, .until_ps = DEFAULT_UNTIL_S * UNIT_S };
    uint64_t seen = 0;
    bool words_only = false;
    bool named = false; /* the first word decides what the command is */
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!words_only && strcmp(word, "--") == 0) {
            words_only = true;
        } else if (!words_only && word[0] == '-' && word[1] != '\0') {
            if (!take_flag(o, argc, argv, &i, &seen, err)) {
                return false;
            }
            if (o->version) {
                return true;
            }
        } else if (!named && !words_only && command_named(word) != CLI_OPEN) {
            o->command = command_named(word);
            named = true;
        } else {
            add_word(&o->operands, word);
            named = true;
        }
    }
    return o->help || check_fit(o, seen, err);
}

void cli_options_finish(struct cli_options *o)
{
    free(o->operands.item);
    free(o->sets.item);
    free(o->deeds.item);
    *o = (struct cli_options){ 0 };
}

/* ---- help ------------------------------------------------------------------------------------ */

static void add_flags(struct text *out, unsigned on, bool everywhere)
{
    for (int f = 0; f < FLAG_COUNT; f++) {
        if ((flags[f].on & on) == 0 || (flags[f].on == CLI_ON_ALL) != everywhere) {
            continue;
        }
        struct text left = { 0 };
        if (flags[f].letter != 0) {
            text_addf(&left, "-%c, ", flags[f].letter);
        }
        text_addf(&left, "--%s%s%s", flags[f].name, flags[f].value != NULL ? " " : "",
                  flags[f].value != NULL ? flags[f].value : "");
        text_addf(out, "  %-18s %s\n", text_str(&left), flags[f].help);
        text_finish(&left);
    }
}

void cli_help(struct text *out)
{
    text_add(out, "weft shows, packet by packet, why training networks look the way they do.\n\n"
                  "usage:\n");
    for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
        struct text left = { 0 };
        text_addf(&left, "weft%s%s%s%s", commands[c].name[0] != '\0' ? " " : "", commands[c].name,
                  commands[c].operands[0] != '\0' ? " " : "", commands[c].operands);
        text_addf(out, "  %-18s %s\n", text_str(&left), commands[c].help);
        text_finish(&left);
    }
    text_add(out, "\n");
    add_flags(out, CLI_ON(OPEN), false);
    text_add(out, "\nEvery command takes:\n");
    add_flags(out, CLI_ON_ALL, true);
    text_add(out, "\n`weft COMMAND --help` shows the flags of a command. To begin, type weft.\n");
}

void cli_command_help(struct text *out, enum cli_command command)
{
    const struct command_row *c = &commands[command];
    if (command == CLI_OPEN) {
        cli_help(out);
        return;
    }
    text_addf(out, "usage: weft %s%s%s [FLAG]...\n\n%s\n\n", c->name,
              c->operands[0] != '\0' ? " " : "", c->operands, c->help);
    add_flags(out, 1u << command, false);
    text_add(out, "\nEvery command takes:\n");
    add_flags(out, CLI_ON_ALL, true);
    if (command == CLI_RUN) {
        text_add(
            out,
            "\nTARGET is a lesson (id, number or file) or a Lua file that returns a scenario.\n"
            "A lesson is played along its declared path to the last card of one scene: that\n"
            "of --scene, else the one called main, else the first; what the path leaves\n"
            "undone then runs on. --bare runs only the scene's scenario.\n"
            "\nExit status: 0 done or at the time limit, 1 bad input or output, 2 wrong usage,\n"
            "3 the simulation stalled.\n");
    }
}
