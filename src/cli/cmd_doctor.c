/*
 * `weft doctor`: what this terminal and this machine can do, what weft falls back to, what to do.
 *
 * Each finding is one line, with advice beneath where there is something to do. Only what keeps weft from
 * working at all is an error (exit status 1): no course, no clock. A missing terminal is none.
 */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <jansson.h>

#include "app/keymap.h"
#include "cli/bench.h"
#include "cli/environment.h"
#include "run/run.h"
#include "term/term.h"

enum verdict { VERDICT_OK, VERDICT_NOTE, VERDICT_BAD };

static const char *const verdicts[] = { "ok", "note", "bad" };

enum { WIDTH = 80, LABEL = 18 };

struct report_of {
    struct text out; /* as text */
    json_t *findings;
    bool bad;
};

/* `advice` NULL: nothing to do. */
static void find(struct report_of *r, enum verdict verdict, const char *what, const char *advice,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

static void find(struct report_of *r, enum verdict verdict, const char *what, const char *advice,
                 const char *format, ...)
{
    char says[400];
    char first[LABEL + 2];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(says, sizeof says, format, args);
    va_end(args);
    /* Paths and names come from outside. */
    struct text clean = { 0 };
    text_add_clean(&clean, says, strlen(says), false);
    (void)snprintf(first, sizeof first, "%-4s  %-12.12s", verdicts[verdict], what);
    text_add_wrapped(&r->out, first, text_str(&clean), WIDTH);
    if (advice != NULL) {
        text_add_wrapped(&r->out, "               -> ", advice, WIDTH);
    }
    json_t *row = json_object();
    json_object_set_new(row, "what", json_string(what));
    json_object_set_new(row, "verdict", json_string(verdicts[verdict]));
    json_object_set_new(row, "is", json_string(text_str(&clean)));
    json_object_set_new(row, "do", advice != NULL ? json_string(advice) : json_null());
    json_array_append_new(r->findings, row);
    r->bad = r->bad || verdict == VERDICT_BAD;
    text_finish(&clean);
}

/* ---- the program ----------------------------------------------------------------------------- */

static void program(struct report_of *r)
{
    struct utsname u;
    const char *system = uname(&u) == 0 ? u.sysname : "an unknown system";
    find(r, VERDICT_OK, "weft", NULL,
         WEFT_VERSION " on %s %s; Lua " WEFT_LUA_VERSION ", ncurses " WEFT_NCURSES_VERSION
                      ", libuv " WEFT_LIBUV_VERSION,
         system, uname(&u) == 0 ? u.machine : "");
}

static void lessons(struct report_of *r)
{
    struct err err = { 0 };
    struct text errors = { 0 };
    struct lesson_list list = { 0 };
    struct lesson_places *places = cli_places();
    size_t own = 0;
    const bool ok = lesson_list(places, &list, &errors, &err);
    for (size_t i = 0; ok && i < list.count; i++) {
        own += list.items[i].own;
    }
    if (!ok || list.count == own) {
        find(r, VERDICT_BAD, "course", "set WEFT_DATA_DIR to the folder that holds lessons/",
             "no lessons in %s%s%s", places->data_dir, ok ? "" : ": ", ok ? "" : err.msg);
    } else if (errors.len > 0) {
        find(r, VERDICT_NOTE, "course", "`weft list` says which and why",
             "some lessons do not load");
    } else {
        find(r, VERDICT_OK, "course", NULL, "%zu lesson%s in %s, %zu of your own", list.count - own,
             list.count - own == 1 ? "" : "s", places->data_dir, own);
    }
    lesson_list_finish(&list);
    text_finish(&errors);
    cli_places_free(places);
}

/* ---- the terminal ---------------------------------------------------------------------------- */

static void name_of_terminal(struct report_of *r, const struct term_facts *t)
{
    const char *name = t->name != NULL ? t->name : "";
    if (t->entry[0] == '\0') {
        find(r, VERDICT_NOTE, "terminal",
             "weft plays in lines of text (--plain) meanwhile; TERM=xterm-256color if the terminal "
             "can do that",
             name[0] == '\0'             ? "TERM is not set%s"
             : strcmp(name, "dumb") == 0 ? "TERM=%s has no screen"
                                         : "no terminfo entry for TERM=%s",
             name);
    } else if (strcmp(t->entry, name) != 0) {
        find(r, VERDICT_NOTE, "terminal",
             "install the entry (ncurses-term, or the terminal's own package)",
             "TERM=%s is not known here: %s is used", name, t->entry);
    } else {
        find(r, VERDICT_OK, "terminal", NULL, "TERM=%s%s", name,
             t->there ? "" : "; none is attached: weft plays in lines of text");
    }
}

static void colors(struct report_of *r, const struct term_facts *t,
                   const struct cli_options *options)
{
    const char *no_color = getenv("NO_COLOR");
    if (options->color == CLI_COLOR_NEVER) {
        find(r, VERDICT_OK, "colours", NULL, "none, as asked for");
    } else if (options->color == CLI_COLOR_AUTO && no_color != NULL && no_color[0] != '\0') {
        find(r, VERDICT_NOTE, "colours", "--color=256 draws them all the same",
             "none, as NO_COLOR says; every state has a mark of its own");
    } else if (t->colors > 256) {
        find(r, VERDICT_OK, "colours", NULL, "true colour");
    } else if (t->colors >= 256) {
        find(r, VERDICT_OK, "colours", NULL, "256");
    } else if (t->colors >= 8) {
        const bool console = strcmp(t->entry, "linux") == 0;
        find(r, VERDICT_NOTE, "colours",
             console ? "in a window a terminal has 256"
                     : "nearly every terminal of today has 256: TERM=xterm-256color, or "
                       "tmux-256color in tmux",
             "%d, as terminfo says of this terminal", t->colors);
    } else {
        find(r, VERDICT_NOTE, "colours", NULL, "none; every state has a mark of its own");
    }
}

/* The locale that the environment asks for. */
static const char *locale_wanted(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0') {
            return value;
        }
    }
    return "C";
}

static void characters(struct report_of *r, const struct term_facts *t,
                       const struct cli_options *options)
{
    const bool utf8 = strcmp(t->codeset, "UTF-8") == 0;
    if (options->charset == CLI_CHARSET_ASCII) {
        find(r, VERDICT_OK, "characters", NULL, "ASCII, as asked for");
    } else if (!utf8 && t->no_locale) {
        find(r, VERDICT_NOTE, "characters", "install it, or LC_ALL=C.UTF-8, or --unicode",
             "the locale %.60s is not installed: weft draws with ASCII", locale_wanted());
    } else if (!utf8) {
        find(r, VERDICT_NOTE, "characters", "LC_ALL=C.UTF-8, or --unicode",
             "the locale %.60s is not UTF-8: weft draws with ASCII", locale_wanted());
    } else if (t->block_columns == 2) {
        find(r, VERDICT_NOTE, "characters",
             "set the terminal's ambiguous characters to narrow, or use --unicode at your risk",
             "UTF-8, but blocks and lines take two columns: weft draws with ASCII");
    } else if (t->block_columns == 1) {
        find(r, VERDICT_OK, "characters", NULL, "UTF-8, blocks and lines take one column");
    } else {
        find(r, t->asked ? VERDICT_NOTE : VERDICT_OK, "characters",
             t->asked ? "if rows are out of line, use --ascii" : NULL, "UTF-8; %s",
             t->asked ? "the terminal does not say how wide it draws blocks"
                      : "how wide blocks are drawn can be asked on a terminal only");
    }
}

static void size(struct report_of *r, const struct term_facts *t)
{
    if (!t->there) {
        return;
    }
    const bool small = t->rows < 12 || t->cols < 40;
    const bool tight = t->rows < 24 || t->cols < 80;
    find(r, small || tight ? VERDICT_NOTE : VERDICT_OK, "size",
         small   ? "40x12 is the least that shows anything; 80x24 shows all"
         : tight ? "80x24 shows all parts at once"
                 : NULL,
         "%dx%d", t->cols, t->rows);
}

static void keys(struct report_of *r)
{
    struct keymap map;
    keymap_load(&map);
    char *path = keymap_path();
    if (map.problem_count > 0) {
        find(r, VERDICT_NOTE, "keys", "`weft keys` says them all; these commands keep their keys",
             "%.*s%s", (int)strcspn(text_str(&map.problems), "\n"), text_str(&map.problems),
             map.problem_count > 1 ? ", and more" : "");
    } else if (map.path != NULL) {
        find(r, VERDICT_OK, "keys", NULL, "%zu command%s with keys of your own, by %s", map.obeyed,
             map.obeyed == 1 ? "" : "s", map.path);
    } else {
        find(r, VERDICT_OK, "keys", NULL, "as weft has them; %s would give others",
             path != NULL ? path : "$XDG_CONFIG_HOME/weft/keys");
    }
    free(path);
    keymap_finish(&map);
}

static void environment(struct report_of *r)
{
    static const char *const names[] = {
#define X(name, help) name,
        CLI_ENVIRONMENT(X)
#undef X
    };
    struct text set = { 0 };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value != NULL && value[0] != '\0' && strcmp(names[i], "TERM") != 0) {
            text_addf(&set, "%s%s=%.60s", set.len > 0 ? ", " : "", names[i], value);
        }
    }
    find(r, VERDICT_OK, "reads", NULL, "%s", set.len > 0 ? text_str(&set) : "nothing is set");
    text_finish(&set);
}

/* ---- the machine ----------------------------------------------------------------------------- */

/* A ring all-reduce of 16 GPUs: some hundred thousand packet-hops, a fraction of a second. */
static double hops_per_second(void)
{
    struct err err = { 0 };
    struct sim_scenario sc;
    sim_scenario_init(&sc, "doctor");
    const struct sim_training_spec work = { .bytes = INT64_C(8) << 20, .steps = 1 };
    double rate = 0;
    if (sim_shape_star(&sc, 16, INT64_C(100000000000), UNIT_US, &err) &&
        sim_scenario_training(&sc, &work, &err) && sim_scenario_check(&sc, &err)) {
        struct sim *sim = sim_create(&sc, 1, &err);
        const double begin = bench_cpu_seconds();
        (void)sim_run_until(sim, UNIT_S, 0);
        const double took = bench_cpu_seconds() - begin;
        rate = took > 0 ? (double)sim_counters(sim).hops / took : 0;
        sim_destroy(sim);
    }
    sim_scenario_finish(&sc);
    return rate;
}

static void machine(struct report_of *r)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const double rate = hops_per_second() / 1e6;
    find(r, rate < 1 ? VERDICT_NOTE : VERDICT_OK, "speed",
         rate < 1 ? "a release build is faster: meson setup --buildtype=release" : NULL,
         "%.1f million packet-hops a second on one of %ld core%s", rate, cores,
         cores == 1 ? "" : "s");
}

/* Whether a program of that name is in PATH. */
static bool have_program(const char *name)
{
    const char *path = getenv("PATH");
    bool found = false;
    for (const char *at = path != NULL ? path : ""; *at != '\0' && !found;) {
        const size_t len = strcspn(at, ":");
        struct text file = { 0 };
        text_add_n(&file, at, len);
        text_addf(&file, "/%s", name);
        found = len > 0 && access(text_str(&file), X_OK) == 0;
        text_finish(&file);
        at += len + (at[len] == ':');
    }
    return found;
}

static void companions(struct report_of *r)
{
    static const struct {
        const char *name, *what;
    } programs[] = {
        { "tshark", "reads captures (weft export --to pcapng)" },
        { "asciinema", "plays recordings (weft export --to asciicast)" },
    };
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        const bool there = have_program(programs[i].name);
        find(r, VERDICT_OK, programs[i].name, NULL, "%s%s",
             there ? "" : "not installed, nor needed: ", programs[i].what);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static enum term_charset charset_of(enum cli_charset charset)
{
    return charset == CLI_CHARSET_ASCII     ? TERM_CHARSET_ASCII
           : charset == CLI_CHARSET_UNICODE ? TERM_CHARSET_UNICODE
                                            : TERM_CHARSET_AUTO;
}

int cli_cmd_doctor(const struct cli_options *options)
{
    struct report_of r = { .findings = json_array() };
    struct term_facts t;
    static const enum term_color colors_of[] = {
        [CLI_COLOR_AUTO] = TERM_COLOR_AUTO, [CLI_COLOR_NEVER] = TERM_COLOR_NONE,
        [CLI_COLOR_16] = TERM_COLOR_16,     [CLI_COLOR_256] = TERM_COLOR_256,
        [CLI_COLOR_TRUE] = TERM_COLOR_TRUE,
    };
    const struct term_options wish = { .charset = charset_of(options->charset),
                                       .color = colors_of[options->color],
                                       .theme = options->theme };
    /* Nothing but words may go into a pipe, nor to a terminal somebody else draws on. */
    term_examine(&wish, isatty(STDIN_FILENO) && isatty(STDOUT_FILENO), &t);
    program(&r);
    lessons(&r);
    name_of_terminal(&r, &t);
    colors(&r, &t, options);
    characters(&r, &t, options);
    size(&r, &t);
    keys(&r);
    environment(&r);
    machine(&r);
    companions(&r);
    if (options->format == CLI_JSON) {
        json_t *root = json_object();
        json_object_set_new(root, "schema", json_integer(1));
        json_object_set(root, "findings", r.findings);
        char *s = json_dumps(root, JSON_INDENT(2));
        text_clear(&r.out);
        text_addf(&r.out, "%s\n", s);
        free(s);
        json_decref(root);
    }
    const bool printed = cli_print(&r.out);
    json_decref(r.findings);
    text_finish(&r.out);
    return printed && !r.bad ? CLI_OK : CLI_FAILED;
}
