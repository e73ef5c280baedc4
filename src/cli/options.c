#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "cli/values.h"
#include "run/replay.h"

enum { DEFAULT_UNTIL_S = 60 };

/* ---- words ----------------------------------------------------------------------------------- */

static enum cli_flag flag_named(const char *name, size_t len)
{
    for (int f = 0; f < CLI_FLAG_COUNT; f++) {
        if (strlen(cli_flag_info((enum cli_flag)f)->name) == len &&
            memcmp(cli_flag_info((enum cli_flag)f)->name, name, len) == 0) {
            return (enum cli_flag)f;
        }
    }
    return CLI_FLAG_COUNT;
}

static enum cli_flag flag_lettered(char letter)
{
    for (int f = 0; f < CLI_FLAG_COUNT; f++) {
        if (cli_flag_info((enum cli_flag)f)->letter != 0 &&
            cli_flag_info((enum cli_flag)f)->letter == letter) {
            return (enum cli_flag)f;
        }
    }
    return CLI_FLAG_COUNT;
}

static bool unknown_flag(const char *word, struct err *err)
{
    size_t len = strcspn(word, "=");
    char *name = mem_strndup(word, len);
    const char *best = NULL;
    size_t best_distance = 4; /* farther away it is another word, not a slip */
    for (int f = 0; f < CLI_FLAG_COUNT; f++) {
        size_t distance =
            text_distance(name + strspn(name, "-"), cli_flag_info((enum cli_flag)f)->name);
        if (distance < best_distance && distance < strlen(cli_flag_info((enum cli_flag)f)->name)) {
            best_distance = distance;
            best = cli_flag_info((enum cli_flag)f)->name;
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
static bool take_flag(struct cli_options *o, int argc, char *const *argv, int *i, struct err *err)
{
    const char *word = argv[*i];
    const char *value = NULL;
    enum cli_flag flag;
    if (strcmp(word, "--json") == 0) { /* the format that is asked for most */
        flag = CLI_FLAG_FORMAT;
        value = "json";
    } else if (word[1] == '-') {
        size_t len = strcspn(word + 2, "=");
        flag = flag_named(word + 2, len);
        value = word[2 + len] == '=' ? word + 2 + len + 1 : NULL;
    } else {
        flag = word[2] == '\0' ? flag_lettered(word[1]) : CLI_FLAG_COUNT;
    }
    if (flag == CLI_FLAG_COUNT) {
        return unknown_flag(word, err);
    }
    if (cli_flag_info((enum cli_flag)flag)->value == NULL && value != NULL) {
        return err_set(err, ERR_USAGE, "--%s takes no value",
                       cli_flag_info((enum cli_flag)flag)->name);
    }
    if (cli_flag_info((enum cli_flag)flag)->value != NULL && value == NULL) {
        if (*i + 1 >= argc || strncmp(argv[*i + 1], "--", 2) == 0) {
            return err_set(err, ERR_USAGE, "--%s needs a value: --%s %s",
                           cli_flag_info((enum cli_flag)flag)->name,
                           cli_flag_info((enum cli_flag)flag)->name,
                           cli_flag_info((enum cli_flag)flag)->value);
        }
        value = argv[++*i];
    }
    o->given |= UINT64_C(1) << flag;
    return cli_flag_store(o, flag, value, err);
}

bool cli_flag_given(const struct cli_options *o, enum cli_flag flag)
{
    return (o->given >> flag & 1) != 0;
}

static enum cli_command command_named(const char *word)
{
    for (int c = 0; c < CLI_COMMAND_COUNT; c++) {
        if (cli_command_name((enum cli_command)c)[0] != '\0' &&
            strcmp(cli_command_name((enum cli_command)c), word) == 0) {
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
        size_t distance = text_distance(word, cli_command_name((enum cli_command)c));
        if (distance < best_distance && distance < strlen(cli_command_name((enum cli_command)c)) &&
            distance < strlen(word)) {
            best_distance = distance;
            best = cli_command_name((enum cli_command)c);
        }
    }
    return best;
}

static bool choose_format(struct cli_options *o, struct err *err)
{
    const struct cli_word *formats = cli_flag_words(CLI_FLAG_FORMAT, o->command);
    int word = formats[0].value;
    if (o->format_word != NULL && !cli_word_find("format", o->format_word, formats, &word, err)) {
        return false;
    }
    o->format = (enum cli_format)word;
    return true;
}

/* What several flags say together. */
static bool check_flags(const struct cli_options *o, struct err *err)
{
    const char *suffix = o->save != NULL ? strrchr(o->save, '.') : NULL;
    if (o->save != NULL && (suffix == NULL || strcmp(suffix, REPLAY_SUFFIX) != 0)) {
        return err_set(err, ERR_USAGE, "--save takes the name of a file that ends with .weft");
    }
    if (o->force && o->out == NULL && o->save == NULL && o->command != CLI_NEW &&
        o->command != CLI_EXPORT) {
        return err_set(err, ERR_USAGE, "--force goes with %s",
                       o->command == CLI_RUN ? "--out FILE or --save FILE" : "--out FILE");
    }
    if (o->command == CLI_OPEN && o->card > 0 && o->operands.count == 0) {
        return err_set(err, ERR_USAGE, "--card needs a lesson: weft LESSON --card N");
    }
    if (o->merge && (o->sets.count > 0 || o->shards > 0)) {
        return err_set(err, ERR_USAGE, "--merge takes files only: they know what they are of");
    }
    if (o->command == CLI_SWEEP && !o->merge && o->operands.count > 1) {
        return err_set(err, ERR_USAGE, "'%.60s' is one word too many for weft sweep",
                       o->operands.item[1]);
    }
    return true;
}

static bool check_fit(struct cli_options *o, struct err *err)
{
    const struct cli_command_info *c = cli_command_info(o->command);
    const char *blank = c->name[0] != '\0' ? " " : "";
    for (int f = 0; f < CLI_FLAG_COUNT; f++) {
        if (cli_flag_given(o, (enum cli_flag)f) &&
            (cli_flag_info((enum cli_flag)f)->on & (1u << o->command)) == 0) {
            return err_set(err, ERR_USAGE, "weft%s%s does not take --%s", blank, c->name,
                           cli_flag_info((enum cli_flag)f)->name);
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
    return check_flags(o, err) && choose_format(o, err);
}

bool cli_options_parse(struct cli_options *o, int argc, char *const *argv, struct err *err)
{
    *o = (struct cli_options){ .theme = UI_THEME_COUNT,
                               .seed = 1,
                               .until_ps = DEFAULT_UNTIL_S * UNIT_S };
    bool words_only = false;
    bool named = false; /* the first word decides what the command is */
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (!words_only && strcmp(word, "--") == 0) {
            words_only = true;
        } else if (!words_only && word[0] == '-' && word[1] != '\0') {
            if (!take_flag(o, argc, argv, &i, err)) {
                return false;
            }
            if (o->version) {
                return true;
            }
        } else if (!named && !words_only && command_named(word) != CLI_OPEN) {
            o->command = command_named(word);
            named = true;
        } else {
            cli_words_add(&o->operands, word);
            named = true;
        }
    }
    return o->help || check_fit(o, err);
}

void cli_options_finish(struct cli_options *o)
{
    free(o->operands.item);
    free(o->sets.item);
    free(o->deeds.item);
    free(o->vs.item);
    free(o->fail_ifs.item);
    free(o->at.item);
    free(o->plots.item);
    *o = (struct cli_options){ 0 };
}
