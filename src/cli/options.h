/*
 * The command line: argv in, a struct out; parsing and --help come from one table.
 *
 *     weft [COMMAND] [FLAG | OPERAND]...
 *
 * The first word that is no flag names a command; if no command is called that, it is the operand
 * of the nameless command, which opens a lesson. Flags and operands mix freely; a value is written
 * --flag=value or --flag value; "--" ends the flags.
 */
#ifndef WEFT_CLI_OPTIONS_H
#define WEFT_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "ui/theme.h"

/* clang-format off */
/* id, name, operands, fewest and most of them, one line of help */
#define CLI_COMMANDS(X)                                                                            \
    X(OPEN,  "",      "[LESSON]", 0, 1,  "open a lesson (id, number or file), or the list of them") \
    X(SHOW,  "open",  "FILE", 1, 1, "open a saved run (or a token, a lesson)") \
    X(LAB,   "lab",   "[PRESET]", 0, 1, "free experiment: a network of your own, from a preset") \
    X(RUN,   "run",   "TARGET",   1, 1,  "play a lesson, a scenario or a saved run, and report") \
    X(COMPARE, "compare", "TARGET", 1, 1, "two runs: where they part, and all differences") \
    X(SWEEP, "sweep", "TARGET",   1, -1, "a grid of runs on all cores, as a table")                 \
    X(EXPORT, "export", "TARGET", 1, 1,  "a run as a file for other programs: --to FORMAT") \
    X(CHECK, "check", "FILE...",  1, -1, "play lessons in every branch and judge their claims")     \
    X(LIST,  "list",  "[FOLDER]", 0, 1,  "list the lessons, or those of a folder")  \
    X(KNOBS, "knobs", "",         0, 0,  "list every switch with unit, range and default")           \
    X(KEYS,  "keys",  "",         0, 0,  "list every command and its keys, as a keys file would") \
    X(NEW,   "new",   "NAME",     1, 1,  "write a lesson to start from: NAME.lua")                  \
    X(API,   "api",   "",         0, 0,  "the reference for lesson authors")                        \
    X(VALIDATE, "validate", "[ROW...]", 0, -1, "check the model against its validation table") \
    X(BENCH, "bench", "[NAME...]", 0, -1, "measure how fast the model runs") \
    X(DOCTOR, "doctor", "", 0, 0, "what this terminal and machine can do, and what to mend") \
    X(MANUAL, "manual", "[PAGE]", 0, 1, "print a manual page, or what completes in a shell")

#define CLI_ON(id) (1u << CLI_##id)
#define CLI_ON_ALL 0xffffffffu
#define CLI_PLAYS  (CLI_ON(RUN) | CLI_ON(COMPARE) | CLI_ON(SWEEP))
#define CLI_TAKES_TARGET (CLI_PLAYS | CLI_ON(EXPORT))

/* id, long name, letter, what its value is called, commands that take it, one line of help */
#define CLI_FLAGS(X)                                                                               \
    X(CARD,    "card",    0,   "N",      CLI_ON(OPEN) | CLI_ON(EXPORT), "begin at this card (export: only this one)")                       \
    X(ROUTE,   "route",   0,   "NAME",   CLI_ON(OPEN), "a route through the course: 10 or 45 minutes, half a day") \
    X(NOTES,   "notes",   0,   NULL,     CLI_ON(OPEN) | CLI_ON(EXPORT), "show what a lesson says to its teacher")   \
    X(SET,     "set",     0,   "K=V",    CLI_TAKES_TARGET | CLI_ON(OPEN) | CLI_ON(LAB), "move a switch before the start (repeat)") \
    X(VS,      "vs",      0,   "K=V",    CLI_ON(COMPARE) | CLI_ON(EXPORT), "the same for the other run, beside it (repeat)")      \
    X(SEED,    "seed",    0,   "N",      CLI_TAKES_TARGET | CLI_ON(OPEN) | CLI_ON(LAB), "choose the run's luck (1)")       \
    X(UNTIL,   "until",   0,   "T",      CLI_TAKES_TARGET,    "stop at this simulated time (60s)")        \
    X(BARE,    "bare",    0,   NULL,     CLI_TAKES_TARGET,    "only the scenario, not the lesson's path") \
    X(SCENE,   "scene",   0,   "NAME",   CLI_TAKES_TARGET,    "which scene of a lesson")                  \
    X(DO,      "do",      0,   "ACTION", CLI_TAKES_TARGET,    "act at a time: '1ms drop g3>g4 last' (repeat)") \
    X(FAIL_IF, "fail-if", 0,   "EXPR",   CLI_ON(COMPARE), "exit status 1 when this holds (repeat)") \
    X(JOBS,    "jobs",    0,   "N",      CLI_ON(SWEEP), "so many runs at a time (one per core)")    \
    X(SHARD,   "shard",   0,   "I/N",    CLI_ON(SWEEP), "only the I-th of N slices of the grid")    \
    X(MERGE,   "merge",   0,   NULL,     CLI_ON(SWEEP), "join the files of all slices (in place of TARGET)") \
    X(PRESETS, "list",    0,   NULL,     CLI_ON(LAB), "list the presets, and open nothing") \
    X(FORMAT,  "format",  0,   "FORMAT", CLI_PLAYS | CLI_ON(LAB) | CLI_ON(LIST) | CLI_ON(KNOBS) | CLI_ON(KEYS) | CLI_ON(VALIDATE) | CLI_ON(BENCH) | CLI_ON(CHECK) | CLI_ON(API) | CLI_ON(DOCTOR), "text or json (--json); run, sweep: csv; api: lua, markdown") \
    X(OUT,     "out",     0,   "FILE",   CLI_TAKES_TARGET | CLI_ON(NEW) | CLI_ON(API) | CLI_ON(MANUAL),    "where to write; else stdout (new, export: a file)") \
    X(TO,      "to",      0,   "FORMAT", CLI_ON(EXPORT), "what to make of it, unless --out ends so") \
    X(FINE,    "fine",    0,   NULL,     CLI_ON(EXPORT), "json: what happens to every frame, too") \
    X(ANIMATE, "animate", 0,   NULL,     CLI_ON(EXPORT), "svg: a film, not one frame") \
    X(SIZE,    "size",    0,   "WxH",    CLI_ON(EXPORT), "svg, asciicast: columns and rows (80x24)") \
    X(THEME,   "theme",   0,   "WHICH",  CLI_ON_ALL, "dark, light, contrast, okabe-ito or mono") \
    X(LIMIT,   "limit",   0,   "BYTES",  CLI_ON(EXPORT), "how large the file may become (256MB)") \
    X(PLOT,    "plot",    0,   "PLOT",   CLI_ON(EXPORT), "csv: 'queue leaf1:3', see weft api (repeat)") \
    X(EVERY,   "every",   0,   "T",      CLI_ON(EXPORT), "csv: a row at every multiple of this (1us)") \
    X(AT,      "at",      0,   "T|PLACE", CLI_ON(EXPORT), "svg: at this time; pcapng: only there (repeat)") \
    X(SNAPLEN, "snaplen", 0,   "BYTES",  CLI_ON(EXPORT), "pcapng: keep so much of each frame") \
    X(SAVE,    "save",    0,   "FILE.weft", CLI_ON(RUN), "keep the run: TARGET may be that file") \
    X(TOKEN,   "token",   0,   NULL,     CLI_ON(RUN),  "print a word that stands for the run, no report") \
    X(FORCE,   "force",   0,   NULL,     CLI_TAKES_TARGET | CLI_ON(NEW) | CLI_ON(API) | CLI_ON(MANUAL),  "replace such a file if it exists")         \
    X(FULL,    "full",    0,   NULL,     CLI_ON(VALIDATE), "the rows that take minutes, too")      \
    X(PEERS,   "peers",   0,   NULL,     CLI_ON(VALIDATE), "the rows beside other simulators' figures") \
    X(PLAIN,   "plain",   0,   NULL,     CLI_ON_ALL,   "lines of text, no screen (for screen readers)") \
    X(ASCII,   "ascii",   0,   NULL,     CLI_ON_ALL,   "draw with ASCII only")                     \
    X(UNICODE, "unicode", 0,   NULL,     CLI_ON_ALL,   "draw with Unicode whatever the locale says") \
    X(COLOR,   "color",   0,   "WHICH",  CLI_ON_ALL,   "auto, never, 16, 256 or truecolor")                   \
    X(NO_MOUSE, "no-mouse", 0, NULL,     CLI_ON_ALL,   "leave the mouse to the terminal: it selects text") \
    X(REDUCED, "reduced-motion", 0, NULL, CLI_ON_ALL,  "move in steps instead of smoothly")        \
    X(FPS,     "fps",     0,   "N",      CLI_ON_ALL,   "frames a second at most (1 to 60)")        \
    X(HELP,    "help",    'h', NULL,     CLI_ON_ALL,   "show this text")                           \
    X(VERSION, "version", 'V', NULL,     CLI_ON_ALL,   "show the version")
/* clang-format on */

enum cli_command {
#define X(id, name, operands, min, max, help) CLI_##id,
    CLI_COMMANDS(X)
#undef X
        CLI_COMMAND_COUNT
};

enum cli_flag {
#define X(id, name, letter, value, on, help) CLI_FLAG_##id,
    CLI_FLAGS(X)
#undef X
        CLI_FLAG_COUNT
};

struct cli_command_info {
    const char *name, *operands;
    int min, max; /* operands; max -1: any number */
    const char *help;
};

struct cli_flag_info {
    const char *name;
    char letter;       /* 0: none */
    const char *value; /* what its value is called; NULL: a plain flag */
    unsigned on;       /* commands, CLI_ON() */
    const char *help;
};

/* A word that a flag takes, and what it stands for. */
struct cli_word {
    const char *word;
    int value;
};

enum cli_format { CLI_TEXT, CLI_JSON, CLI_CSV, CLI_LUA, CLI_MARKDOWN };
enum cli_charset { CLI_CHARSET_AUTO, CLI_CHARSET_ASCII, CLI_CHARSET_UNICODE };
enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_NEVER, CLI_COLOR_16, CLI_COLOR_256, CLI_COLOR_TRUE };

/* Strings are those of argv. */
struct cli_words {
    const char **item;
    size_t count, cap;
};

struct cli_options {
    enum cli_command command;
    uint64_t given; /* flags: bits of enum cli_flag */
    struct cli_words operands;
    bool help, version;

    /* the screen */
    bool plain, reduced_motion, no_mouse, notes;
    enum cli_charset charset;
    enum cli_color color;
    int fps;     /* 0: not given */
    size_t card; /* from 1; 0: not given */

    /* a run */
    struct cli_words sets;  /* "K=V" */
    struct cli_words vs;    /* "K=V" of the other run */
    struct cli_words deeds; /* "T ACTION" */
    uint64_t seed;          /* 1 unless given */
    int64_t until_ps;
    bool has_seed, has_until; /* given */
    bool bare, force, token;
    const char *route; /* NULL: not given */
    const char *scene; /* NULL: not given */
    const char *out;   /* NULL: stdout */
    const char *save;  /* NULL: not given */
    const char *format_word;
    enum cli_format format;

    struct cli_words fail_ifs; /* compare */

    /* an export */
    const char *to; /* NULL: not given */
    bool fine;
    int64_t limit_bytes;    /* 0: not given */
    int64_t snaplen;        /* 0: not given */
    struct cli_words plots; /* csv: "queue leaf1:3" */
    int64_t every_ps;       /* csv; 0: not given */
    struct cli_words at;    /* pcapng: places ("leaf1", "leaf1:3"); svg: a time */
    bool animate;
    int width, height;   /* cells; 0: not given */
    enum ui_theme theme; /* UI_THEME_COUNT: not given */

    /* a sweep */
    int jobs;              /* 0: not given */
    int64_t shard, shards; /* from 1; 0 of 0: all of it */
    bool merge;

    bool full, peers; /* validate */
    bool presets;     /* lab --list */
};

/* The largest seed: all numbers in reports keep to 15 digits. */
#define CLI_SEED_MAX INT64_C(999999999999999)

/* Fills `options`; false with ERR_USAGE and one sentence when argv is wrong. To be finished in
 * either case. After --help and --version nothing else is checked. */
bool cli_options_parse(struct cli_options *options, int argc, char *const *argv, struct err *err);
void cli_options_finish(struct cli_options *options);

bool cli_flag_given(const struct cli_options *options, enum cli_flag flag);
bool cli_seed_parse(const char *text, uint64_t *seed, struct err *err);

const struct cli_command_info *cli_command_info(enum cli_command command);
const struct cli_flag_info *cli_flag_info(enum cli_flag flag);

/* The words a flag takes with `command`, or begins with (--plot), the usual one first, ended by a NULL
 * word; NULL when it takes others than from a list. */
const struct cli_word *cli_flag_words(enum cli_flag flag, enum cli_command command);

/* The name of a command as typed: "run"; "" for the nameless one. */
const char *cli_command_name(enum cli_command command);

/* The command that a mistyped word is close to, or NULL. */
const char *cli_command_near(const char *word);

/* What --help says of a command behind its flags: lines, examples indented; "" for most. */
const char *cli_command_words(enum cli_command command);

/* What --help prints: everything, or one command with its flags. */
void cli_help(struct text *out);
void cli_command_help(struct text *out, enum cli_command command);

#endif
