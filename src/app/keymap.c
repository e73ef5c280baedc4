#include "app/keymap.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "lesson/lesson.h"
#include "lesson/problems.h"

enum { FILE_MAX = 64 * 1024, PROBLEMS_MAX = 20, WORD_MAX = 40 };

/* The keys of a command that stand for one thing each: "" where any of them does. */
static const char *places_of(enum command command)
{
    return command == COMMAND_SWITCH   ? "123456789"
           : command == COMMAND_ANSWER ? "abcd"
           : command == COMMAND_SURE   ? "-=+"
                                       : "";
}

static void keys_of_table(enum command command, uint32_t key[KEYMAP_KEYS])
{
    const char *places = places_of(command);
    const uint32_t *keys = command_info(command)->keys;
    memset(key, 0, KEYMAP_KEYS * sizeof *key);
    for (size_t i = 0; places[i] != '\0'; i++) {
        key[i] = (unsigned char)places[i];
    }
    for (size_t i = 0; places[0] == '\0' && i < 4; i++) {
        key[i] = keys[i];
    }
}

void keymap_init(struct keymap *map)
{
    *map = (struct keymap){ .path = NULL };
    for (int c = 0; c < COMMAND_COUNT; c++) {
        keys_of_table((enum command)c, map->key[c]);
    }
}

void keymap_finish(struct keymap *map)
{
    free(map->path);
    text_finish(&map->problems);
    *map = (struct keymap){ .path = NULL };
}

/* ---- asking ------------------------------------------------------------------------------------- */

/* Where a command has a key, or -1. */
static int place_of(const struct keymap *map, enum command command, uint32_t key)
{
    for (int i = 0; key != 0 && i < KEYMAP_KEYS; i++) {
        if (map->key[command][i] == key) {
            return i;
        }
    }
    return -1;
}

static bool is_typed(uint32_t key)
{
    return key >= ' ' && key < TERM_KEY_FIRST;
}

enum command keymap_command(const struct keymap *map, uint32_t *key, unsigned active)
{
    enum command best = COMMAND_NONE;
    for (int c = 1; c < COMMAND_COUNT; c++) {
        const enum command command = (enum command)c;
        const enum command_context context = command_info(command)->context;
        if ((active & 1u << context) != 0 &&
            (place_of(map, command, *key) >= 0 ||
             (command == COMMAND_PROMPT_TYPE && is_typed(*key))) &&
            (best == COMMAND_NONE || context > command_info(best)->context)) {
            best = command;
        }
    }
    const char *places = places_of(best);
    if (places[0] != '\0') {
        *key = (unsigned char)places[place_of(map, best, *key)];
    }
    return best;
}

/* ---- saying ------------------------------------------------------------------------------------- */

static void add_key(struct text *out, uint32_t key)
{
    char name[WORD_MAX];
    text_addf(out, "%s%s", out->len > 0 ? " " : "", term_key_text(key, name, sizeof name));
}

static bool is_of_table(const struct keymap *map, enum command command)
{
    uint32_t key[KEYMAP_KEYS];
    keys_of_table(command, key);
    return memcmp(key, map->key[command], sizeof key) == 0;
}

static void add_keys(const struct keymap *map, enum command command, struct text *out)
{
    for (size_t i = 0; i < KEYMAP_KEYS; i++) {
        if (map->key[command][i] != 0) {
            add_key(out, map->key[command][i]);
        }
    }
}

void keymap_say(const struct keymap *map, enum command command, struct text *out)
{
    if (map == NULL || is_of_table(map, command)) {
        text_add(out, command_info(command)->shown);
        return;
    }
    struct text keys = { 0 };
    add_keys(map, command, &keys);
    text_add(out, text_str(&keys));
    text_finish(&keys);
}

static enum command command_named(const char *name, size_t len)
{
    for (int c = 1; c < COMMAND_COUNT; c++) {
        char one[64];
        command_name((enum command)c, one, sizeof one);
        if (strlen(one) == len && strncmp(one, name, len) == 0) {
            return (enum command)c;
        }
    }
    return COMMAND_NONE;
}

bool keymap_fill(const struct keymap *map, const char *sentence, struct text *out)
{
    bool known = true;
    const char *rest = sentence, *at, *end;
    while ((at = strstr(rest, LESSON_KEY)) != NULL && (end = strchr(at, '}')) != NULL) {
        const char *name = at + strlen(LESSON_KEY);
        const enum command command = command_named(name, (size_t)(end - name));
        struct text keys = { 0 };
        keymap_say(map, command, &keys);
        text_add_n(out, rest, (size_t)(at - rest));
        if (command == COMMAND_NONE) {
            text_add_n(out, at, (size_t)(end + 1 - at));
            known = false;
        } else if (keys.len > 0) {
            text_add_n(out, text_str(&keys), strcspn(text_str(&keys), " "));
        } else {
            text_add(out, "(no key)");
        }
        text_finish(&keys);
        rest = end + 1;
    }
    text_add(out, rest);
    return known;
}

/* One key of the footer: whose it is in the table, and which it is now. Words that are no keys stay. */
static void add_footer_key(const struct keymap *map, enum command_context context, const char *word,
                           size_t len, struct text *out)
{
    uint32_t key = 0;
    const bool is_key = term_key_parse(word, len, &key);
    for (int c = 1; is_key && c < COMMAND_COUNT; c++) {
        const enum command command = (enum command)c;
        uint32_t of_table[KEYMAP_KEYS];
        keys_of_table(command, of_table);
        for (size_t i = 0; i < KEYMAP_KEYS && command_info(command)->context == context; i++) {
            if (of_table[i] == key && place_of(map, command, key) < 0) {
                const uint32_t now = map->key[command][places_of(command)[0] != '\0' ? i : 0];
                if (now != 0) {
                    add_key(out, now);
                }
                return;
            }
        }
    }
    text_add(out, out->len > 0 ? " " : "");
    text_add_n(out, word, len);
}

void keymap_say_footer(const struct keymap *map, enum command command, const char *keys, size_t len,
                       struct text *out)
{
    static const char arrows[] = "Left Down Up Right";
    const enum command_context context = command_info(command)->context;
    struct text said = { 0 };
    if (map == NULL) {
        text_add_n(out, keys, len);
        return;
    }
    if (len == 6 && strncmp(keys, "arrows", len) == 0) {
        keymap_say_footer(map, command, arrows, sizeof arrows - 1, &said);
        text_add(out, strcmp(text_str(&said), arrows) == 0 ? "arrows" : text_str(&said));
        text_finish(&said);
        return;
    }
    for (size_t at = 0; at < len;) {
        size_t n = 0;
        while (at + n < len && keys[at + n] != ' ') {
            n++;
        }
        if (n > 0) {
            add_footer_key(map, context, keys + at, n, &said);
        }
        at += n + 1;
    }
    text_add(out, text_str(&said));
    text_finish(&said);
}

void keymap_list(const struct keymap *map, struct text *out)
{
    for (int context = 0; context < CONTEXT_COUNT; context++) {
        text_addf(out, "%s# %s\n", context > 0 ? "\n" : "",
                  command_context_title((enum command_context)context));
        for (int c = COMMAND_NONE + 1; c < COMMAND_COUNT; c++) {
            const enum command command = (enum command)c;
            char name[WORD_MAX];
            struct text keys = { 0 };
            if ((int)command_info(command)->context != context || command == COMMAND_PROMPT_TYPE) {
                continue;
            }
            add_keys(map, command, &keys);
            text_addf(out, "%-16s %-18s # %s\n", command_name(command, name, sizeof name),
                      keys.len > 0 ? text_str(&keys) : "none", command_info(command)->help);
            text_finish(&keys);
        }
    }
}

/* ---- reading ------------------------------------------------------------------------------------ */

static void problem(struct keymap *map, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void problem(struct keymap *map, int line, const char *fmt, ...)
{
    char said[300];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(said, sizeof said, fmt, ap);
    va_end(ap);
    map->problem_count++;
    if (map->problem_count <= PROBLEMS_MAX) {
        struct text clean = { 0 };
        text_add(&clean, map->path);
        if (line > 0) {
            text_addf(&clean, ":%d", line);
        }
        text_addf(&clean, ": %s", said);
        text_add_clean(&map->problems, text_str(&clean), clean.len, false);
        text_add(&map->problems, "\n");
        text_finish(&clean);
    }
}

static enum command named(struct keymap *map, int line, const char *word)
{
    char names[COMMAND_COUNT][WORD_MAX];
    const char *list[COMMAND_COUNT] = { NULL };
    for (int c = 1; c < COMMAND_COUNT; c++) {
        list[c - 1] = command_name((enum command)c, names[c], sizeof names[c]);
        if (strcmp(list[c - 1], word) == 0) {
            return (enum command)c;
        }
    }
    const char *near = lesson_nearest(list, word);
    if (near != NULL) {
        problem(map, line, "there is no command `%s`; did you mean `%s`?", word, near);
    } else {
        problem(map, line, "there is no command `%s`; `weft keys` lists them", word);
    }
    return COMMAND_NONE;
}

/* May the command have this key at all? */
static bool may_have(struct keymap *map, int line, enum command command, uint32_t key,
                     const char *word)
{
    if (key == TERM_KEY_CTRL('c') && command != COMMAND_QUIT) {
        problem(map, line, "Ctrl-C always leaves weft");
        return false;
    }
    if (command_info(command)->context == CONTEXT_PROMPT && is_typed(key)) {
        problem(map, line, "`%s` is typed there", word);
        return false;
    }
    return true;
}

/* The next word of a line, cut off; NULL: there is none, or only a comment. */
static char *next_word(char **at)
{
    *at += strspn(*at, " \t\r");
    char *word = *at;
    const size_t n = strcspn(word, " \t\r");
    if (n == 0) {
        return NULL;
    }
    *at += n;
    if (n == 1 && word[0] == '#' && (*at)[strspn(*at, " \t\r")] != '\0') {
        return NULL; /* a comment begins */
    }
    if (**at != '\0') {
        *(*at)++ = '\0';
    }
    return word;
}

/* `next = z` or `next=z`, as many files want it: obeyed, the first would give the key =, too. */
static bool is_assignment(struct keymap *map, int line, const char *at)
{
    const size_t name = strcspn(at, " \t\r=");
    const char *sign = at + name + strspn(at + name, " \t\r");
    const char *keys = sign[0] == '=' ? sign + 1 + strspn(sign + 1, " \t\r") : sign;
    const bool alone = keys[0] == '\0' || (keys[0] == '#' && keys[1] != '\0');
    if (name == 0 || sign[0] != '=' || (sign > at + name && alone)) {
        return false; /* `next =` gives the key = and no other */
    }
    const int len = (int)strcspn(keys, "\r");
    problem(map, line, "`=` is a key here, and never the first of several: write `%.*s %.*s`",
            (int)name, at, len > 0 ? len : 3, len > 0 ? keys : "KEY");
    return true;
}

static void read_line(struct keymap *map, int line, char *at)
{
    at += strspn(at, " \t\r");
    if (at[0] != '#' && is_assignment(map, line, at)) {
        return;
    }
    char *word = at[0] != '#' ? next_word(&at) : NULL;
    const enum command command = word != NULL ? named(map, line, word) : COMMAND_NONE;
    if (command == COMMAND_NONE) {
        return;
    }
    const char *name = word, *places = places_of(command);
    const size_t most = places[0] != '\0' ? strlen(places) : KEYMAP_KEYS;
    uint32_t key[KEYMAP_KEYS] = { 0 };
    size_t n = 0;
    bool none = false, good = true;
    if (command == COMMAND_PROMPT_TYPE || map->line[command] != 0) {
        if (map->line[command] != 0) {
            problem(map, line, "`%s` has keys in line %d already", name, map->line[command]);
        } else {
            problem(map, line, "what is typed is typed: `%s` has no keys of its own", name);
        }
        return;
    }
    while (good && (word = next_word(&at)) != NULL) {
        none = none || strcmp(word, "none") == 0;
        if (n == most) {
            problem(map, line, "`%s` has at most %zu keys", name, most);
            good = false;
        } else if (strcmp(word, "none") != 0) {
            good = term_key_parse(word, strlen(word), &key[n]);
            if (!good) {
                problem(map, line,
                        "`%s` is no key: a letter, space, Ctrl-X, Enter, Tab, Esc, Up, PgDn, ...",
                        word);
            }
            good = good && may_have(map, line, command, key[n], word);
            n++;
        }
    }
    if (good && (n > 0) == none) {
        problem(map, line,
                none ? "`%s` has keys or none" : "`%s` has no keys there; none takes them away",
                name);
        good = false;
    }
    if (good) {
        if (places[0] == '\0' || none) {
            memset(map->key[command], 0, sizeof map->key[command]);
        }
        memcpy(map->key[command], key, n * sizeof *key);
        map->line[command] = line;
    }
}

/* Whether two commands may be looked for at the same moment, and no order says which is meant: what lies on
 * top of something else hides its keys on purpose. */
static bool meet(enum command a, enum command b)
{
    static const unsigned ground =
        1u << CONTEXT_HOME | 1u << CONTEXT_LESSON | 1u << CONTEXT_WHATIF | 1u << CONTEXT_TIME;
    static const unsigned screens = 1u << CONTEXT_LESSON | 1u << CONTEXT_WHATIF;
    const enum command_context x = command_info(a)->context, y = command_info(b)->context;
    return a != b && (x == y || (x == CONTEXT_ALL && (ground >> y & 1) != 0) ||
                      (y == CONTEXT_ALL && (ground >> x & 1) != 0) ||
                      (x == CONTEXT_TIME && (screens >> y & 1) != 0) ||
                      (y == CONTEXT_TIME && (screens >> x & 1) != 0));
}

/* The line is not obeyed after all. */
static void give_back(struct keymap *map, enum command command)
{
    keys_of_table(command, map->key[command]);
    map->line[command] = 0;
}

/* Another command that has one of the keys of this one, by a line above it (`own`) or by the table. */
static enum command rival(const struct keymap *map, enum command command, bool own, uint32_t *key)
{
    for (int c = 1; c < COMMAND_COUNT; c++) {
        const enum command other = (enum command)c;
        const bool above = map->line[c] > 0 && map->line[c] < map->line[command];
        for (size_t i = 0;
             i < KEYMAP_KEYS && meet(command, other) && (own ? above : map->line[c] == 0); i++) {
            if (place_of(map, other, map->key[command][i]) >= 0) {
                *key = map->key[command][i];
                return other;
            }
        }
    }
    return COMMAND_NONE;
}

/* By lines: the first of two that want the same key has it. Those of the table give way, but digits and
 * letters that stand for one thing each. */
static void settle_own(struct keymap *map, enum command command)
{
    char name[WORD_MAX], word[WORD_MAX];
    uint32_t key = 0;
    enum command other = rival(map, command, true, &key);
    const int line = map->line[command];
    if (other != COMMAND_NONE) {
        problem(map, line, "`%s` is the key of `%s` by line %d",
                term_key_text(key, word, sizeof word), command_name(other, name, sizeof name),
                map->line[other]);
        give_back(map, command);
        return;
    }
    while ((other = rival(map, command, false, &key)) != COMMAND_NONE) {
        if (places_of(other)[0] != '\0' || other == COMMAND_QUIT) {
            problem(map, line, "`%s` is a key of `%s`: give that another one first",
                    term_key_text(key, word, sizeof word), command_name(other, name, sizeof name));
            give_back(map, command);
            return;
        }
        map->key[other][place_of(map, other, key)] = 0;
    }
}

/* A command that lost all of its keys to others, without a line of its own. */
static void say_without_keys(struct keymap *map)
{
    for (int c = 1; c < COMMAND_COUNT; c++) {
        char name[WORD_MAX];
        bool any = map->line[c] > 0;
        for (size_t i = 0; i < KEYMAP_KEYS; i++) {
            any = any || map->key[c][i] != 0;
        }
        if (!any) {
            uint32_t had[KEYMAP_KEYS];
            int line = 0;
            keys_of_table((enum command)c, had);
            for (int other = 1; other < COMMAND_COUNT; other++) {
                if (map->line[other] > 0 && meet((enum command)c, (enum command)other) &&
                    place_of(map, (enum command)other, had[0]) >= 0) {
                    line = map->line[other];
                }
            }
            problem(map, line, "this leaves `%s` without a key",
                    command_name((enum command)c, name, sizeof name));
        }
    }
}

void keymap_read(struct keymap *map, const char *path, const char *text)
{
    int line = 0;
    map->path = mem_strdup(path);
    text += strncmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (*text != '\0') {
        const size_t n = strcspn(text, "\n");
        char *copy = mem_strndup(text, n);
        read_line(map, ++line, copy);
        free(copy);
        text += n + (text[n] == '\n');
    }
    /* In the order of the lines, so that what is said of one depends on those above it only. */
    for (int l = 1; l <= 2 * line; l++) { /* twice: a line that is not obeyed gives keys back */
        for (int c = 1; c < COMMAND_COUNT; c++) {
            if (map->line[c] == (l - 1) % line + 1) {
                settle_own(map, (enum command)c);
            }
        }
    }
    if (place_of(map, COMMAND_QUIT, TERM_KEY_CTRL('c')) < 0) {
        map->key[COMMAND_QUIT][KEYMAP_KEYS - 1] = TERM_KEY_CTRL('c');
    }
    say_without_keys(map);
    for (int c = 1; c < COMMAND_COUNT; c++) {
        map->obeyed += map->line[c] > 0;
    }
}

char *keymap_path(void)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    struct text path = { 0 };
    if (config != NULL && config[0] == '/') {
        text_addf(&path, "%s/weft/keys", config);
    } else if (home != NULL && home[0] == '/') {
        text_addf(&path, "%s/.config/weft/keys", home);
    }
    char *found = path.len > 0 ? mem_strdup(text_str(&path)) : NULL;
    text_finish(&path);
    return found;
}

void keymap_load(struct keymap *map)
{
    char *path = keymap_path(), *data = NULL;
    size_t size = 0;
    struct err err = { 0 };
    keymap_init(map);
    if (path != NULL && file_exists(path)) {
        if (!file_read(path, FILE_MAX, &data, &size, &err)) {
            map->path = mem_strdup(path);
            problem(map, 0, "%s", err.msg);
        } else if (strlen(data) != size) {
            map->path = mem_strdup(path);
            problem(map, 0, "this is no text");
        } else {
            keymap_read(map, path, data);
        }
    }
    free(data);
    free(path);
}
