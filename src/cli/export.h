/*
 * `weft export`: the formats, and what each of them is given.
 *
 * A format is a row of the table and a function. It checks what it was asked for, opens the sink when all
 * is well (cli_export_begin), and writes. How that ends, and what is said about it, is the command's.
 */
#ifndef WEFT_CLI_EXPORT_H
#define WEFT_CLI_EXPORT_H

#include "base/sink.h"
#include "cli/cli.h"
#include "cli/settings.h"
#include "cli/target.h"
#include "export/source.h"

struct cli_export {
    const struct cli_options *options;
    const struct cli_settings *settings;
    const struct lesson_places *places;
    struct cli_target *target;
    const struct cli_export_format *format;
    const char *path;   /* "-": stdout */
    struct sink *sink;  /* NULL until cli_export_begin() */
    const char *notice; /* what is to be said of a file that is all there; NULL: nothing */
};

/* Nothing can be wrong from here on but the disk: the sink is open. `tail` as in sink_options. */
bool cli_export_begin(struct cli_export *job, size_t tail, struct err *err);

/* The whole work of a format. False: it cannot be done, and err says why; nothing is kept. What becomes of
 * the sink is no concern of it, as long as it ends with sink_tail(). */
typedef bool cli_export_fn(struct cli_export *job, struct err *err);

/* What is exported, as a run that stands at its beginning: the caller's to destroy. */
bool cli_export_source(struct cli_export *job, struct export_source *source, struct err *err);

cli_export_fn cli_export_json;
cli_export_fn cli_export_csv;
cli_export_fn cli_export_pcapng;
cli_export_fn cli_export_svg;
cli_export_fn cli_export_asciicast;
cli_export_fn cli_export_worksheet;

/* clang-format off */
/* Flags of whatever plays; a worksheet does not. */
#define CLI_EXPORT_PLAYS "set seed until bare scene do "

/* name, ending, for programs only (not for a terminal), function,
 * flags that not every format takes, what makes a file smaller, one line of help */
#define CLI_EXPORTS(X)                                                                              \
    X("json", ".json", false, cli_export_json, CLI_EXPORT_PLAYS "fine",                             \
      "--until T", "the trace: all that happened, a line each")                                     \
    X("csv", ".csv", false, cli_export_csv, CLI_EXPORT_PLAYS "plot every",                          \
      "--every T", "plots over time as a table: --plot PLOT, --every T")                            \
    X("pcapng", ".pcapng", true, cli_export_pcapng, CLI_EXPORT_PLAYS "at snaplen",                  \
      "--at PLACE or --snaplen BYTES", "a capture of every cable, for Wireshark")                   \
    X("svg", ".svg", false, cli_export_svg,                                                         \
      CLI_EXPORT_PLAYS "card notes at animate size theme vs", "--card N or a lower --fps",          \
      "a frame of the screen, or with --animate a film")                                            \
    X("asciicast", ".cast", false, cli_export_asciicast,                                            \
      CLI_EXPORT_PLAYS "card notes at size theme vs", "--card N or a lower --fps",                        \
      "a lesson that plays itself, for asciinema")                                                  \
    X("worksheet", ".md", false, cli_export_worksheet, "notes",                                     \
      "nothing", "a lesson on paper, its predictions left empty")
/* clang-format on */

struct cli_export_format {
    const char *name, *ending;
    bool binary;
    cli_export_fn *write;
    const char *takes; /* names of flags between blanks */
    const char *less;  /* flags, for people */
    const char *help;
};

/* All of them; the last has no name. */
extern const struct cli_export_format cli_export_formats[];

/* By name (`to`), else by how the name of the file (`out`, may be NULL) ends. NULL: err names the nearest
 * or all. */
const struct cli_export_format *cli_export_find(const char *to, const char *out, struct err *err);

/* No flag is given that means nothing to this format. */
bool cli_export_fits(const struct cli_export_format *format, const struct cli_options *options,
                     struct err *err);

#endif
