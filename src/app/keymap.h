/*
 * Keys of one's own: $XDG_CONFIG_HOME/weft/keys (~/.config, unless that is set).
 *
 *     # a comment; so is what stands behind a lone # at the end of a line
 *     next        Right Enter     the command's keys are these, in place of those of the table
 *     drop        none            it has none
 *     switch      & é " '         the keys of switch 1, 2, ...; likewise answer (a to d) and sure (- = +)
 *
 * Between a name and its keys stands nothing else: = is a key, which is never the first of several, so that
 * `next = z` is told to be wrong.
 *
 * Names are those that `weft keys` prints, keys as the ? screen says them. A key that a line takes is taken
 * from whatever else had it at the same moments. A line that is no good is told with its number, and the
 * command keeps its keys; nothing in that file ever keeps weft from starting.
 *
 * Ctrl-C always leaves.
 */
#ifndef WEFT_APP_KEYMAP_H
#define WEFT_APP_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/commands.h"
#include "base/text.h"

enum { KEYMAP_KEYS = 9 };

struct keymap {
    uint32_t key[COMMAND_COUNT][KEYMAP_KEYS]; /* 0: none */
    int line[COMMAND_COUNT];      /* of the file, that its keys are from; 0: of the table */
    char *path;                   /* the file that was read; NULL: there is none */
    size_t obeyed, problem_count; /* lines of it; things that are wrong in it */
    struct text problems;         /* "file:3: no command `nxet`; ...\n" for each */
};

/* As the table says. */
void keymap_init(struct keymap *map);
void keymap_finish(struct keymap *map);

/* The file, by the environment; NULL where that names no absolute path. The caller frees. */
char *keymap_path(void);
/* keymap_init() and what the file says, where there is one. */
void keymap_load(struct keymap *map);
/* The same from a text; `path` is its name in messages. */
void keymap_read(struct keymap *map, const char *path, const char *text);

/* What `key` means while the contexts in `active` (a bit each) are: COMMAND_NONE if nothing. `*key` becomes the
 * one that the table has for it: '2' for the second switch, whatever key that is. */
enum command keymap_command(const struct keymap *map, uint32_t *key, unsigned active);

/* `map` NULL, here and in the next: as the table says. The keys of a command for people, "Enter n"; "" for
 * none. Appends. */
void keymap_say(const struct keymap *map, enum command command, struct text *out);

/* `keys` of a footer (", .", "Up Down", "arrows"; `len` bytes) of that command, as they are in the map. */
void keymap_say_footer(const struct keymap *map, enum command command, const char *keys, size_t len,
                       struct text *out);

/* Replaces "{key:why}" (LESSON_KEY) in a sentence by the first key of the command of that name. Appends. False: a name is none
 * of a command; it stays as it is. */
bool keymap_fill(const struct keymap *map, const char *sentence, struct text *out);

/* All commands with their keys, as lines that such a file may have. */
void keymap_list(const struct keymap *map, struct text *out);

#endif
