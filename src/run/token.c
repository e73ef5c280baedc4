#include "run/token.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/units.h"

/* Characters of commands that chats and shells would touch, and what stands for them. */
static const char plain[] = " >:";
static const char coded[] = "+~@";

static uint32_t checksum(const char *text, size_t len)
{
    return (uint32_t)rng_hash_bytes(text, len, 1);
}

static void translate(char *text, const char *from, const char *to)
{
    for (; *text != '\0'; text++) {
        const char *at = strchr(from, *text);
        *text = at != NULL ? to[at - from] : *text;
    }
}

bool token_is(const char *word)
{
    return strncmp(word, TOKEN_PREFIX, strlen(TOKEN_PREFIX)) == 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void add_line(struct text *out, bool *first, const char *mark, sim_ps at,
                     const struct sim_cmd *cmd)
{
    char buf[512];
    (void)sim_cmd_format(cmd, buf, sizeof buf);
    translate(buf, plain, coded);
    text_addf(out, "%s%s%" PRId64 "+%s", *first ? "" : ",", mark, at, buf);
    *first = false;
}

bool token_write(struct text *out, const struct replay *replay, const char *lesson,
                 const char *scene_name, const struct sim_scenario *scene, struct err *err)
{
    struct text token = { 0 };
    bool first = true;
    text_addf(&token, TOKEN_PREFIX "%s:%s:%" PRIu64 ":%s:", lesson, scene_name, replay->seed,
              replay->version);
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const struct sim_cmd set = { .kind = SIM_CMD_SET,
                                     .knob = (enum sim_knob)k,
                                     .value = replay->scenario.knobs.v[k] };
        if (set.value != scene->knobs.v[k]) {
            add_line(&token, &first, "", 0, &set);
        }
    }
    for (size_t i = 0; i < replay->line_count; i++) {
        const struct run_line *line = &replay->lines[i];
        add_line(&token, &first, line->author == RUN_LESSON ? "=" : "", line->at, &line->cmd);
    }
    text_addf(&token, ":%" PRId64 "+%s:%016" PRIx64 ":", replay->end,
              report_outcome_word(replay->outcome), replay->trace);
    text_addf(&token, "%08" PRIx32, checksum(text_str(&token), token.len));
    const bool ok =
        token.len <= TOKEN_MAX ||
        err_set(err, ERR_LIMIT, "too much was done for a token of %d letters; --save FILE keeps it",
                TOKEN_MAX);
    text_add(out, ok ? text_str(&token) : "");
    text_finish(&token);
    return ok;
}

/* ---- reading --------------------------------------------------------------------------------- */

enum part { FORMAT, LESSON, SCENE, SEED, VERSION, JOURNAL, END, TRACE, CHECK, PARTS };

/* Cuts at colons. */
static bool split(char *word, char *parts[PARTS])
{
    for (int i = 0; i < PARTS; i++) {
        parts[i] = word;
        word = word != NULL ? strchr(word, ':') : NULL;
        if (word != NULL) {
            *word++ = '\0';
        } else if (i + 1 < PARTS) {
            return false;
        }
    }
    return word == NULL;
}

static bool read_name(char *to, size_t size, const char *name)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const size_t len = strlen(name);
    if (len == 0 || len >= size || name[strspn(name, letters)] != '\0') {
        return false;
    }
    memcpy(to, name, len + 1);
    return true;
}

static bool read_number(const char *word, int64_t *number)
{
    return word[0] != '\0' && word[strspn(word, "0123456789")] == '\0' &&
           units_parse(word, UNIT_COUNT, number, NULL);
}

static bool read_set(struct token *token, const struct sim_cmd *cmd, struct err *err)
{
    if (cmd->kind != SIM_CMD_SET) {
        return err_set(err, ERR_SYNTAX, "at time 0 there are starting values only");
    }
    if (token->set_count >= SIM_KNOB_COUNT) {
        return err_set(err, ERR_LIMIT, "more starting values than switches");
    }
    token->sets = mem_grow(token->sets, &token->set_cap, token->set_count + 1, sizeof *token->sets);
    token->sets[token->set_count++] = *cmd;
    return true;
}

static bool read_line(struct token *token, char *text, struct err *err)
{
    struct replay *replay = &token->replay;
    struct run_line line = { .author = *text == '=' ? RUN_LESSON : RUN_LEARNER };
    text += *text == '=';
    char *command = text + strcspn(text, "+");
    if (*command != '\0') {
        *command++ = '\0';
    }
    translate(command, coded, plain);
    if (!read_number(text, &line.at) || line.at > SIM_LONGEST) {
        return err_set(err, ERR_SYNTAX, "its journal has no time where \"%.40s\" stands", text);
    }
    if (!sim_cmd_parse(command, &line.cmd, err)) {
        return err_note(err, "its journal");
    }
    if (line.at == 0) {
        return read_set(token, &line.cmd, err);
    }
    if (line.cmd.kind == SIM_CMD_SET && sim_knob_info(line.cmd.knob)->when == SIM_RESTART) {
        return err_set(err, ERR_STATE, "%s cannot change during a run",
                       sim_knob_info(line.cmd.knob)->name);
    }
    if (replay->line_count > 0 && line.at <= replay->lines[replay->line_count - 1].at) {
        return err_set(err, ERR_RANGE, "its journal is out of order");
    }
    replay->lines =
        mem_grow(replay->lines, &replay->line_cap, replay->line_count + 1, sizeof *replay->lines);
    replay->lines[replay->line_count++] = line;
    return true;
}

static bool read_journal(struct token *token, char *journal, struct err *err)
{
    while (*journal != '\0') {
        char *line = journal;
        journal += strcspn(journal, ",");
        if (*journal != '\0') {
            *journal++ = '\0';
        }
        if (!read_line(token, line, err)) {
            return false;
        }
    }
    return true;
}

/* "17100000000+done" */
static bool read_end(struct replay *replay, char *part)
{
    char *outcome = strchr(part, '+');
    if (outcome == NULL) {
        return false;
    }
    *outcome++ = '\0';
    return read_number(part, &replay->end) && replay->end <= SIM_LONGEST &&
           report_outcome_find(outcome, &replay->outcome);
}

static bool read_parts(struct token *token, char *parts[PARTS], struct err *err)
{
    int64_t seed;
    struct replay *replay = &token->replay;
    if (!read_name(token->lesson, sizeof token->lesson, parts[LESSON]) ||
        !read_name(token->scene, sizeof token->scene, parts[SCENE])) {
        return err_set(err, ERR_SYNTAX, "the token names no lesson and scene");
    }
    if (!read_number(parts[SEED], &seed) || (uint64_t)seed > REPLAY_SEED_MAX) {
        return err_set(err, ERR_SYNTAX, "the token's seed is no number up to %" PRIu64,
                       REPLAY_SEED_MAX);
    }
    if (strlen(parts[TRACE]) != 16 ||
        parts[TRACE][strspn(parts[TRACE], "0123456789abcdef")] != '\0' ||
        !read_end(replay, parts[END])) {
        return err_set(err, ERR_SYNTAX, "the token does not say what came of the run");
    }
    replay->seed = (uint64_t)seed;
    replay->trace = strtoull(parts[TRACE], NULL, 16);
    replay->has_result = true;
    (void)snprintf(replay->version, sizeof replay->version, "%.31s", parts[VERSION]);
    return read_journal(token, parts[JOURNAL], err);
}

bool token_read(struct token *token, const char *word, struct err *err)
{
    static const char damaged[] =
        "the token is damaged: copy all of it, from " TOKEN_PREFIX " to its last letter";
    *token = (struct token){ 0 };
    const size_t len = strlen(word);
    if (!token_is(word) || len > TOKEN_MAX || len < 9) {
        return err_set(err, ERR_SYNTAX, "%s", damaged);
    }
    char sum[9];
    (void)snprintf(sum, sizeof sum, "%08" PRIx32, checksum(word, len - 8));
    char *copy = mem_strdup(word);
    char *parts[PARTS];
    bool ok = split(copy, parts) && strcmp(word + len - 8, sum) == 0;
    ok = ok ? read_parts(token, parts, err) : err_set(err, ERR_SYNTAX, "%s", damaged);
    free(copy);
    if (!ok) {
        token_finish(token);
    }
    return ok;
}

void token_finish(struct token *token)
{
    free(token->sets);
    replay_finish(&token->replay);
    *token = (struct token){ 0 };
}

bool token_open(const struct token *token, const struct sim_scenario *scene, struct replay *replay,
                struct err *err)
{
    const struct replay *from = &token->replay;
    *replay = *from;
    replay->lines = mem_dup(from->lines, from->line_count * sizeof *from->lines);
    replay->line_cap = from->line_count;
    sim_scenario_copy(&replay->scenario, scene);
    (void)snprintf(replay->from, sizeof replay->from, "%.47s %.47s", token->lesson, token->scene);
    for (size_t i = 0; i < token->set_count; i++) {
        replay->scenario.knobs.v[token->sets[i].knob] = token->sets[i].value;
    }
    if (sim_scenario_check(&replay->scenario, err)) {
        return true;
    }
    replay_finish(replay);
    return false;
}
