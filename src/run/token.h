/*
 * A run of a lesson that both sides have, as one word for a chat. It does what a saved file does, but
 * names the scene instead of holding it:
 *
 *     weft1:one-lost-packet:main:1:0.1.0:97400001+drop+g3~g4+last:17100000000+done:0123456789abcdef:9f8e7d6c
 *     |     |               |    | |     |                        |                |                checksum
 *     |     lesson          |    | |     journal                  |                expected trace
 *     format                |    | weft that wrote it             expected end, ps, and outcome
 *                           |    seed
 *                           scene
 *
 * Journal lines are separated by commas: time in ps, then the command with + for blanks, ~ for > and @
 * for colons. A line for time 0 is a starting value; one that begins with = is the lesson's own.
 *
 * The checksum finds what copying breaks. Whether the lesson here is the one that was run there shows
 * when the trace is compared, as for a file.
 */
#ifndef WEFT_RUN_TOKEN_H
#define WEFT_RUN_TOKEN_H

#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"
#include "run/replay.h"

#define TOKEN_PREFIX "weft1:"
#define TOKEN_MAX    2000 /* bytes: what is longer is a matter for a file */

struct token {
    char lesson[64], scene[64];
    struct sim_cmd *sets; /* starting values */
    size_t set_count, set_cap;
    struct replay replay; /* all but its scenario */
};

/* Whether a word wants to be a token. */
bool token_is(const char *word);

/* `scene`: the scenario that the lesson's scene of that name has by itself; only switches of the run's
 * may differ from it. False when the journal is too long. */
bool token_write(struct text *out, const struct replay *replay, const char *lesson,
                 const char *scene_name, const struct sim_scenario *scene, struct err *err);

/* To be finished when it succeeds. */
bool token_read(struct token *token, const char *word, struct err *err);
void token_finish(struct token *token);

/* The run that it stands for, with the scene's scenario of here. `replay` is to be finished when it
 * succeeds. */
bool token_open(const struct token *token, const struct sim_scenario *scene, struct replay *replay,
                struct err *err);

#endif
