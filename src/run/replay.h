/*
 * A run as a small text file: what `--save` writes and TARGET reads.
 *
 *     weft-replay 1                             the format
 *     weft 0.1.0                                which version wrote it
 *     from one-lost-packet main                 where it comes from; for people
 *     scenario One lost packet                  from here on: the content, not a reference
 *     node g1 host
 *     link g1 leaf1 rate 100Gbps delay 500ns
 *     training bytes 8388608B compute 200us steps 3
 *     set xoff 100000B                          every switch, also those at their default
 *     fault 1us slow g2 0.5                     commands that belong to the scenario
 *     seed 1
 *     lesson 1000001ps drop g3>g4 last          the journal: whose line, when, what (as --do)
 *     learner 2000001ps set flow_control none
 *     result done at 17100000000ps trace 0123456789abcdef
 *     end                                       nothing is missing
 *
 * One record a line, words between blanks, `#` begins a comment, quantities with units, times exact to
 * the picosecond. What a record may hold is a row in fields.h; a name or word that is not known is an
 * error that says what there is. A word that a record leaves out has the value that its row names,
 * for ever, so that old files keep their meaning; a switch that a file does not set (it is younger
 * than the file) has its default. Without a `result` nothing is expected and all else works.
 *
 * Files come from anywhere. Their size, the length of lines and all counts are capped, every value
 * passes the checks that a scenario from Lua passes, and what fails leaves nothing half read.
 */
#ifndef WEFT_RUN_REPLAY_H
#define WEFT_RUN_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "run/report.h"
#include "run/run.h"

#define REPLAY_FORMAT    1
#define REPLAY_FILE_MAX  ((size_t)32 << 20) /* bytes */
#define REPLAY_LINE_MAX  1024               /* bytes of a line */
#define REPLAY_LINES_MAX 65536              /* lines of a journal */
#define REPLAY_SEED_MAX  UINT64_C(999999999999999)
#define REPLAY_SUFFIX    ".weft"

struct replay {
    struct sim_scenario scenario;
    uint64_t seed;
    struct run_line *lines; /* by time; the scenario's own are in the scenario */
    size_t line_count, line_cap;
    char version[32]; /* of the weft that wrote it */
    char from[96];    /* "LESSON SCENE" or empty */
    /* What came of it there. */
    bool has_result;
    enum report_outcome outcome;
    sim_ps end; /* all events up to then have happened */
    uint64_t trace;
};

/* A run as it is now. Runs what is left of the present instant, so take reports before. `from` may be
 * NULL. To be finished. */
void replay_take(struct replay *replay, struct run *run, const char *version, const char *from);
void replay_finish(struct replay *replay);

void replay_write(struct text *out, const struct replay *replay);

/* Reads a whole file of `size` bytes; `file` is its name for messages ("FILE:LINE: ..."). On success
 * the scenario is checked and `replay` is to be finished; on failure it is empty. */
bool replay_read(struct replay *replay, const char *data, size_t size, const char *file,
                 struct err *err);

/* The run at 0, with the journal before it. NULL: err. */
struct run *replay_start(const struct replay *replay, struct err *err);

/*
 * Whether a run that stands at the expected end, or that has ended before, is what was expected; what
 * is left up to the end of that instant is run first.
 * REPLAY_OPEN: it cannot be said (no result, another time, or somebody did something else on the way).
 * REPLAY_OTHER: `why` (may be NULL) receives a sentence that names both and the version that wrote the
 * file; the run is usable all the same.
 */
enum replay_verdict { REPLAY_OPEN, REPLAY_SAME, REPLAY_OTHER };
enum replay_verdict replay_judge(const struct replay *replay, struct run *run, struct text *why);

#endif
