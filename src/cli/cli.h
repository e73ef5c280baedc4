/*
 * What the commands share: exit statuses, where lessons are, how text leaves the program.
 *
 * Results go to stdout and nothing else does; messages go to stderr. No command here writes an
 * escape sequence: only app/ does, and only to a terminal.
 */
#ifndef WEFT_CLI_CLI_H
#define WEFT_CLI_CLI_H

#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/options.h"
#include "lesson/lesson.h"

enum cli_exit {
    CLI_OK = 0,      /* fine, also at the time limit */
    CLI_FAILED = 1,  /* a check or claim failed, or input or output is bad */
    CLI_USAGE = 2,   /* the command line is wrong */
    CLI_STALLED = 3, /* the simulation cannot go on */
};

/* The whole program: returns the exit status. */
int cli_main(int argc, char *const *argv);

/*
 * The folder that holds lessons/, lua-scripts/ and assets/. First of:
 *     $WEFT_DATA_DIR
 *     the source tree, when this program lies in one of its build folders
 *     share/weft beside the bin that this program lies in
 *     the folder it was installed for
 * The caller frees it.
 */
char *cli_data_dir(void);

/*
 * cli_data_dir(), and before its course the folders with lessons of one's own:
 *     $XDG_DATA_HOME/weft/lessons        ~/.local/share, unless it is set
 *     DIR/weft/lessons                   for each DIR of $XDG_DATA_DIRS; /usr/local/share:/usr/share
 * As the XDG base directory specification has it, paths that are not absolute do not count. The course of
 * another weft (it has its Lua files beside it) is left out.
 */
struct lesson_places *cli_places(void);
void cli_places_free(struct lesson_places *places);

/* Whether a word means a course of one's own: a folder, and no lesson is called so (with a / in it: in
 * any case). */
bool cli_places_means_folder(const struct lesson_places *places, const char *word);

/* `folder` becomes the only place. False: it is no folder. */
bool cli_places_only(struct lesson_places *places, const char *folder);

/* Writes all of it to stdout. False, with a message on stderr, when stdout takes no more. */
bool cli_print(const struct text *out);

/* Everything written so far has arrived: false, with a message, when it has not. */
bool cli_stdout_flush(void);

/* Looks before the work whether there will be a place for its result. `path` NULL: there will. */
bool cli_out_is_free(const char *path, bool force, struct err *err);

/* "weft: file:line: message" to stderr; returns the exit status that fits. */
int cli_complain(const struct err *err);

/* One file per command. */
int cli_cmd_open(const struct cli_options *options);
int cli_cmd_run(const struct cli_options *options);
int cli_cmd_compare(const struct cli_options *options);
int cli_cmd_sweep(const struct cli_options *options);
int cli_cmd_export(const struct cli_options *options);
int cli_cmd_check(const struct cli_options *options);
int cli_cmd_lab(const struct cli_options *options);
int cli_cmd_list(const struct cli_options *options);
int cli_cmd_keys(const struct cli_options *options);
int cli_cmd_knobs(const struct cli_options *options);
int cli_cmd_validate(const struct cli_options *options);
int cli_cmd_new(const struct cli_options *options);
int cli_cmd_api(const struct cli_options *options);
int cli_cmd_bench(const struct cli_options *options);
int cli_cmd_doctor(const struct cli_options *options);
int cli_cmd_manual(const struct cli_options *options);

#endif
