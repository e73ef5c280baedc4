#include "cli/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "run/replay.h"

enum {
    DEFAULT_UNTIL_S = 60,
    FPS_MAX = 60,
    CARDS_MAX = 100000,
    JOBS_MAX = 1024,
    SHARDS_MAX = 1000000,
    LIMIT_LEAST = 16000,
    SNAPLEN_LEAST = 64, /* all headers but the longest */
    SNAPLEN_MOST = 9216,
    WIDTH_MAX = 400,
    HEIGHT_MAX = 200
};

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

static bool parse_word(const char *name, const char *text, const struct cli_word *words, int *out,
                       struct err *err)
{
    struct text known = { 0 };
    for (const struct cli_word *w = words; w->word != NULL; w++) {
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

/* "3/8": the third of eight. */
static bool parse_shard(struct cli_options *o, const char *text, struct err *err)
{
    const char *slash = strchr(text, '/');
    struct err why = { 0 };
    char *first = mem_strndup(text, slash != NULL ? (size_t)(slash - text) : 0);
    const bool ok = slash != NULL && units_parse(first, UNIT_COUNT, &o->shard, &why) &&
                    units_parse(slash + 1, UNIT_COUNT, &o->shards, &why) && o->shard >= 1 &&
                    o->shard <= o->shards && o->shards <= SHARDS_MAX;
    free(first);
    return ok || err_set(err, ERR_USAGE,
                         "--shard takes I/N, slice I (from 1) of N (up to %d), not '%.60s'",
                         (int)SHARDS_MAX, text);
}

static bool parse_time(const char *name, const char *text, int64_t *out, struct err *err)
{
    struct err why = { 0 };
    return units_parse(text, UNIT_TIME, out, &why) ||
           err_set(err, ERR_USAGE, "%s: %s", name, why.msg);
}

/* How far rows are apart. */
static bool parse_every(struct cli_options *o, const char *text, struct err *err)
{
    return parse_time("--every", text, &o->every_ps, err) &&
           (o->every_ps >= UNIT_NS || err_set(err, ERR_USAGE, "--every takes at least 1ns"));
}

/* "80x24" */
static bool parse_size(struct cli_options *o, const char *text, struct err *err)
{
    struct err why = { 0 };
    const char *cross = strchr(text, 'x');
    int64_t w = 0;
    int64_t h = 0;
    char *first = mem_strndup(text, cross != NULL ? (size_t)(cross - text) : 0);
    const bool ok = cross != NULL && units_parse(first, UNIT_COUNT, &w, &why) &&
                    units_parse(cross + 1, UNIT_COUNT, &h, &why) && w >= 1 && w <= WIDTH_MAX &&
                    h >= 1 && h <= HEIGHT_MAX;
    free(first);
    o->width = ok ? (int)w : 0;
    o->height = ok ? (int)h : 0;
    return ok || err_set(err, ERR_USAGE, "--size takes WxH, up to %dx%d, not '%.60s'",
                         (int)WIDTH_MAX, (int)HEIGHT_MAX, text);
}

static bool parse_limit(struct cli_options *o, const char *text, struct err *err)
{
    struct err why = { 0 };
    if (!units_parse(text, UNIT_BYTES, &o->limit_bytes, &why)) {
        return err_set(err, ERR_USAGE, "--limit: %s", why.msg);
    }
    return o->limit_bytes >= LIMIT_LEAST ||
           err_set(err, ERR_USAGE, "--limit takes at least %d KB, not '%.60s'", LIMIT_LEAST / 1000,
                   text);
}

static bool parse_snaplen(struct cli_options *o, const char *text, struct err *err)
{
    struct err why = { 0 };
    if (!units_parse(text, UNIT_BYTES, &o->snaplen, &why)) {
        return err_set(err, ERR_USAGE, "--snaplen: %s", why.msg);
    }
    return (o->snaplen >= SNAPLEN_LEAST && o->snaplen <= SNAPLEN_MOST) ||
           err_set(err, ERR_USAGE, "--snaplen takes %d B to %d B, not '%.60s'", SNAPLEN_LEAST,
                   SNAPLEN_MOST, text);
}

static bool add_setting(struct cli_words *words, const char *name, const char *value,
                        struct err *err)
{
    if (strchr(value, '=') == NULL) {
        return err_set(err, ERR_USAGE, "--%s takes NAME=VALUE, not '%.60s'", name, value);
    }
    add_word(words, value);
    return true;
}

/* Stores one flag; `value` is NULL for a plain one. */
static bool apply(struct cli_options *o, enum cli_flag flag, const char *value, struct err *err)
{
    int64_t number = 0;
    int word = 0;
    switch (flag) {
    case CLI_FLAG_CARD:
        if (!parse_whole("--card", value, 1, CARDS_MAX, &number, err)) {
            return false;
        }
        o->card = (size_t)number;
        return true;
    case CLI_FLAG_NOTES:
        o->notes = true;
        return true;
    case CLI_FLAG_SET:
        return add_setting(&o->sets, "set", value, err);
    case CLI_FLAG_VS:
        return add_setting(&o->vs, "vs", value, err);
    case CLI_FLAG_SEED:
        o->has_seed = true;
        return cli_seed_parse(value, &o->seed, err);
    case CLI_FLAG_UNTIL:
        o->has_until = true;
        return parse_time("--until", value, &o->until_ps, err);
    case CLI_FLAG_FULL:
        o->full = true;
        return true;
    case CLI_FLAG_PEERS:
        o->peers = true;
        return true;
    case CLI_FLAG_BARE:
        o->bare = true;
        return true;
    case CLI_FLAG_SCENE:
        o->scene = value;
        return true;
    case CLI_FLAG_DO:
        add_word(&o->deeds, value);
        return true;
    case CLI_FLAG_FAIL_IF:
        add_word(&o->fail_ifs, value);
        return true;
    case CLI_FLAG_JOBS:
        if (!parse_whole("--jobs", value, 1, JOBS_MAX, &number, err)) {
            return false;
        }
        o->jobs = (int)number;
        return true;
    case CLI_FLAG_SHARD:
        return parse_shard(o, value, err);
    case CLI_FLAG_MERGE:
        o->merge = true;
        return true;
    case CLI_FLAG_TO:
        o->to = value;
        return true;
    case CLI_FLAG_FINE:
        o->fine = true;
        return true;
    case CLI_FLAG_ANIMATE:
        o->animate = true;
        return true;
    case CLI_FLAG_SIZE:
        return parse_size(o, value, err);
    case CLI_FLAG_THEME:
        if (!parse_word("theme", value, cli_flag_words(CLI_FLAG_THEME, o->command), &word, err)) {
            return false;
        }
        o->theme = (enum ui_theme)word;
        return true;
    case CLI_FLAG_LIMIT:
        return parse_limit(o, value, err);
    case CLI_FLAG_PLOT:
        add_word(&o->plots, value);
        return true;
    case CLI_FLAG_EVERY:
        return parse_every(o, value, err);
    case CLI_FLAG_AT:
        add_word(&o->at, value);
        return true;
    case CLI_FLAG_SNAPLEN:
        return parse_snaplen(o, value, err);
    case CLI_FLAG_SAVE:
        o->save = value;
        return true;
    case CLI_FLAG_TOKEN:
        o->token = true;
        return true;
    case CLI_FLAG_FORMAT:
        o->format_word = value; /* which words there are depends on the command */
        return true;
    case CLI_FLAG_OUT:
        o->out = value;
        return true;
    case CLI_FLAG_FORCE:
        o->force = true;
        return true;
    case CLI_FLAG_PLAIN:
        o->plain = true;
        return true;
    case CLI_FLAG_ASCII:
        o->charset = CLI_CHARSET_ASCII;
        return true;
    case CLI_FLAG_UNICODE:
        o->charset = CLI_CHARSET_UNICODE;
        return true;
    case CLI_FLAG_COLOR:
        if (!parse_word("color", value, cli_flag_words(CLI_FLAG_COLOR, o->command), &word, err)) {
            return false;
        }
        o->color = (enum cli_color)word;
        return true;
    case CLI_FLAG_REDUCED:
        o->reduced_motion = true;
        return true;
    case CLI_FLAG_FPS:
        if (!parse_whole("--fps", value, 1, FPS_MAX, &number, err)) {
            return false;
        }
        o->fps = (int)number;
        return true;
    case CLI_FLAG_HELP:
        o->help = true;
        return true;
    case CLI_FLAG_VERSION:
        o->version = true;
        return true;
    case CLI_FLAG_COUNT:
        break;
    }
    return false;
}

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
    if (word[1] == '-') {
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
    return apply(o, flag, value, err);
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
    if (o->format_word != NULL && !parse_word("format", o->format_word, formats, &word, err)) {
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
            add_word(&o->operands, word);
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
