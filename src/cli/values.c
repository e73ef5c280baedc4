/* What flags take: checked, and stored where the options keep it. */
#include "cli/values.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"

enum {
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

void cli_words_add(struct cli_words *words, const char *word)
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

bool cli_word_find(const char *name, const char *text, const struct cli_word *words, int *out,
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

static bool parse_setting(struct cli_words *words, const char *name, const char *value,
                          struct err *err)
{
    if (strchr(value, '=') == NULL) {
        return err_set(err, ERR_USAGE, "--%s takes NAME=VALUE, not '%.60s'", name, value);
    }
    cli_words_add(words, value);
    return true;
}

static bool parse_set(struct cli_options *o, const char *text, struct err *err)
{
    return parse_setting(&o->sets, "set", text, err);
}

static bool parse_vs(struct cli_options *o, const char *text, struct err *err)
{
    return parse_setting(&o->vs, "vs", text, err);
}

static bool parse_card(struct cli_options *o, const char *text, struct err *err)
{
    int64_t card = 0;
    const bool ok = parse_whole("--card", text, 1, CARDS_MAX, &card, err);
    o->card = (size_t)card;
    return ok;
}

static bool parse_jobs(struct cli_options *o, const char *text, struct err *err)
{
    int64_t jobs = 0;
    const bool ok = parse_whole("--jobs", text, 1, JOBS_MAX, &jobs, err);
    o->jobs = (int)jobs;
    return ok;
}

static bool parse_fps(struct cli_options *o, const char *text, struct err *err)
{
    int64_t fps = 0;
    const bool ok = parse_whole("--fps", text, 1, FPS_MAX, &fps, err);
    o->fps = (int)fps;
    return ok;
}

static bool parse_seed(struct cli_options *o, const char *text, struct err *err)
{
    o->has_seed = true;
    return cli_seed_parse(text, &o->seed, err);
}

static bool parse_until(struct cli_options *o, const char *text, struct err *err)
{
    o->has_until = true;
    return parse_time("--until", text, &o->until_ps, err);
}

static bool parse_theme(struct cli_options *o, const char *text, struct err *err)
{
    int theme = UI_THEME_COUNT;
    const bool ok =
        cli_word_find("theme", text, cli_flag_words(CLI_FLAG_THEME, o->command), &theme, err);
    o->theme = (enum ui_theme)theme;
    return ok;
}

static bool parse_color(struct cli_options *o, const char *text, struct err *err)
{
    int color = CLI_COLOR_AUTO;
    const bool ok =
        cli_word_find("color", text, cli_flag_words(CLI_FLAG_COLOR, o->command), &color, err);
    o->color = (enum cli_color)color;
    return ok;
}

static bool take_ascii(struct cli_options *o, const char *text, struct err *err)
{
    (void)text;
    (void)err;
    o->charset = CLI_CHARSET_ASCII;
    return true;
}

static bool take_unicode(struct cli_options *o, const char *text, struct err *err)
{
    (void)text;
    (void)err;
    o->charset = CLI_CHARSET_UNICODE;
    return true;
}

/* ---- where a value goes ---------------------------------------------------------------------- */

enum store { STORE_NOWHERE, STORE_TRUE, STORE_TEXT, STORE_WORD, STORE_PARSED };

/* clang-format off */
/* Of each flag: a bool, a string, a list of words, or what a function makes of it. */
static const struct {
    enum store store;
    size_t at; /* in the options */
    bool (*parse)(struct cli_options *o, const char *text, struct err *err);
} stores[CLI_FLAG_COUNT] = {
#define IS(member)    { STORE_TRUE, offsetof(struct cli_options, member), NULL }
#define TEXT(member)  { STORE_TEXT, offsetof(struct cli_options, member), NULL }
#define WORDS(member) { STORE_WORD, offsetof(struct cli_options, member), NULL }
#define PARSED(parse) { STORE_PARSED, 0, parse }
    [CLI_FLAG_CARD] = PARSED(parse_card),
    [CLI_FLAG_NOTES] = IS(notes),
    [CLI_FLAG_SET] = PARSED(parse_set),
    [CLI_FLAG_VS] = PARSED(parse_vs),
    [CLI_FLAG_SEED] = PARSED(parse_seed),
    [CLI_FLAG_UNTIL] = PARSED(parse_until),
    [CLI_FLAG_BARE] = IS(bare),
    [CLI_FLAG_ROUTE] = TEXT(route),
    [CLI_FLAG_SCENE] = TEXT(scene),
    [CLI_FLAG_DO] = WORDS(deeds),
    [CLI_FLAG_FAIL_IF] = WORDS(fail_ifs),
    [CLI_FLAG_JOBS] = PARSED(parse_jobs),
    [CLI_FLAG_SHARD] = PARSED(parse_shard),
    [CLI_FLAG_MERGE] = IS(merge),
    [CLI_FLAG_PRESETS] = IS(presets),
    [CLI_FLAG_FORMAT] = TEXT(format_word),
    [CLI_FLAG_OUT] = TEXT(out),
    [CLI_FLAG_TO] = TEXT(to),
    [CLI_FLAG_FINE] = IS(fine),
    [CLI_FLAG_ANIMATE] = IS(animate),
    [CLI_FLAG_SIZE] = PARSED(parse_size),
    [CLI_FLAG_THEME] = PARSED(parse_theme),
    [CLI_FLAG_LIMIT] = PARSED(parse_limit),
    [CLI_FLAG_PLOT] = WORDS(plots),
    [CLI_FLAG_EVERY] = PARSED(parse_every),
    [CLI_FLAG_AT] = WORDS(at),
    [CLI_FLAG_SNAPLEN] = PARSED(parse_snaplen),
    [CLI_FLAG_SAVE] = TEXT(save),
    [CLI_FLAG_TOKEN] = IS(token),
    [CLI_FLAG_FORCE] = IS(force),
    [CLI_FLAG_FULL] = IS(full),
    [CLI_FLAG_PEERS] = IS(peers),
    [CLI_FLAG_PLAIN] = IS(plain),
    [CLI_FLAG_ASCII] = PARSED(take_ascii),
    [CLI_FLAG_UNICODE] = PARSED(take_unicode),
    [CLI_FLAG_COLOR] = PARSED(parse_color),
    [CLI_FLAG_NO_MOUSE] = IS(no_mouse),
    [CLI_FLAG_REDUCED] = IS(reduced_motion),
    [CLI_FLAG_FPS] = PARSED(parse_fps),
    [CLI_FLAG_HELP] = IS(help),
    [CLI_FLAG_VERSION] = IS(version),
#undef IS
#undef TEXT
#undef WORDS
#undef PARSED
};
/* clang-format on */

bool cli_flag_store(struct cli_options *o, enum cli_flag flag, const char *value, struct err *err)
{
    void *at = (char *)o + stores[flag].at;
    switch (stores[flag].store) {
    case STORE_TRUE:
        *(bool *)at = true;
        return true;
    case STORE_TEXT:
        *(const char **)at = value;
        return true;
    case STORE_WORD:
        cli_words_add(at, value);
        return true;
    case STORE_PARSED:
        return stores[flag].parse(o, value, err);
    case STORE_NOWHERE:
        break;
    }
    return err_set(err, ERR_USAGE, "--%s does nothing yet", cli_flag_info(flag)->name);
}
