/*
 * Text into a run. Every line is one record; a table says which words there are and who reads them.
 *
 * Nothing here trusts the text: lengths and counts are capped, values pass the checks of scenario.h,
 * and only a file read to its last line comes out.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "run/fields.h"
#include "run/replay.h"
#include "run/replay_words.h"

struct reader {
    struct replay *to;
    struct field_names names;
    uint64_t said; /* words of `words` that came, a bit each */
    bool knobs_set[SIM_KNOB_COUNT];
    bool ended;
};

typedef bool read_fn(struct reader *r, char *rest, struct err *err);

static bool no_more(char *rest, const char *form, struct err *err)
{
    return field_next_word(&rest) == NULL ||
           err_set(err, ERR_SYNTAX, "more words than expected; write: %s", form);
}

/* ---- one function a word --------------------------------------------------------------------- */

static void copy_label(char *to, size_t size, const char *rest)
{
    struct text label = { 0 };
    replay_label(&label, rest);
    if (label.len >= size) {
        size_t len = size - 1;
        while (len > 0 && ((unsigned char)label.s[len] & 0xc0) == 0x80) {
            len--; /* never half a character */
        }
        label.s[len] = '\0';
    }
    struct text cut = { 0 };
    replay_label(&cut, text_str(&label));
    memcpy(to, text_str(&cut), cut.len + 1);
    text_finish(&label);
    text_finish(&cut);
}

static bool read_weft(struct reader *r, char *rest, struct err *err)
{
    (void)err;
    copy_label(r->to->version, sizeof r->to->version, rest);
    return true;
}

static bool read_from(struct reader *r, char *rest, struct err *err)
{
    (void)err;
    copy_label(r->to->from, sizeof r->to->from, rest);
    return true;
}

static bool read_scenario(struct reader *r, char *rest, struct err *err)
{
    (void)err;
    copy_label(r->to->scenario.name, sizeof r->to->scenario.name, rest);
    return true;
}

static bool read_count(char *rest, const char *usage, int64_t *count, struct err *err)
{
    const char *word = field_next_word(&rest);
    if (word == NULL) {
        return err_set(err, ERR_SYNTAX, "how many? write: %s", usage);
    }
    return units_parse(word, UNIT_COUNT, count, err) && no_more(rest, usage, err);
}

static bool read_blocks(struct reader *r, char *rest, struct err *err)
{
    return read_count(rest, "blocks NUMBER", &r->to->scenario.blocks, err);
}

static bool read_vl_limit(struct reader *r, char *rest, struct err *err)
{
    return read_count(rest, "vl_limit NUMBER", &r->to->scenario.vl_limit, err);
}

static bool read_seed(struct reader *r, char *rest, struct err *err)
{
    int64_t seed = 0;
    const char *word = field_next_word(&rest);
    if (word == NULL || !units_parse(word, UNIT_COUNT, &seed, NULL) ||
        (uint64_t)seed > REPLAY_SEED_MAX) {
        return err_set(err, ERR_RANGE, "a seed is a whole number from 0 to %" PRIu64,
                       REPLAY_SEED_MAX);
    }
    r->to->seed = (uint64_t)seed;
    return no_more(rest, "seed NUMBER", err);
}

static bool read_set(struct reader *r, char *rest, struct err *err)
{
    const char *name = field_next_word(&rest);
    const char *value = field_next_word(&rest);
    enum sim_knob knob;
    int64_t number;
    if (value == NULL) {
        return err_set(err, ERR_SYNTAX, "write: set SWITCH VALUE");
    }
    if (!sim_knob_parse(name, value, &knob, &number, err)) {
        return false;
    }
    if (r->knobs_set[knob]) {
        return err_set(err, ERR_STATE, "%s is set twice: keep one of the lines",
                       sim_knob_info(knob)->name);
    }
    r->knobs_set[knob] = true;
    r->to->scenario.knobs.v[knob] = number;
    return no_more(rest, "set SWITCH VALUE", err);
}

static bool read_line(struct reader *r, char *rest, enum run_author author, struct err *err)
{
    struct replay *to = r->to;
    struct run_line line = { .author = author };
    const char *when = field_next_word(&rest);
    if (when == NULL) {
        return err_set(err, ERR_SYNTAX, "write: %s TIME COMMAND", replay_authors[author]);
    }
    if (!units_parse(when, UNIT_TIME, &line.at, err) || !sim_cmd_parse(rest, &line.cmd, err)) {
        return false;
    }
    if (line.at < 1 || (to->line_count > 0 && line.at <= to->lines[to->line_count - 1].at)) {
        return err_set(err, ERR_RANGE,
                       line.at < 1 ? "the first time at which something can be done is 1ps"
                                   : "not later than the line before: sort them, one an instant");
    }
    if (line.at > SIM_LONGEST) {
        return err_set(err, ERR_RANGE, "a run lasts 26 days at most");
    }
    if (line.cmd.kind == SIM_CMD_SET && sim_knob_info(line.cmd.knob)->when == SIM_RESTART) {
        return err_set(err, ERR_STATE, "%s cannot change during a run; write at the start: set %s",
                       sim_knob_info(line.cmd.knob)->name, sim_knob_info(line.cmd.knob)->name);
    }
    if (to->line_count >= REPLAY_LINES_MAX) {
        return err_set(err, ERR_LIMIT, "more than %d lines in a journal", (int)REPLAY_LINES_MAX);
    }
    to->lines = mem_grow(to->lines, &to->line_cap, to->line_count + 1, sizeof *to->lines);
    to->lines[to->line_count++] = line;
    return true;
}

static bool read_lesson(struct reader *r, char *rest, struct err *err)
{
    return read_line(r, rest, RUN_LESSON, err);
}

static bool read_learner(struct reader *r, char *rest, struct err *err)
{
    return read_line(r, rest, RUN_LEARNER, err);
}

/* 16 hexadecimal digits. */
static bool read_hash(const char *word, uint64_t *hash)
{
    if (word == NULL || strlen(word) != 16 || word[strspn(word, "0123456789abcdef")] != '\0') {
        return false;
    }
    *hash = strtoull(word, NULL, 16);
    return true;
}

static bool read_result(struct reader *r, char *rest, struct err *err)
{
    static const char form[] = "result done|stalled|time-limit|memory-limit at TIME trace HASH";
    struct replay *to = r->to;
    const char *outcome = field_next_word(&rest);
    const char *at = field_next_word(&rest);
    const char *end = field_next_word(&rest);
    const char *trace = field_next_word(&rest);
    const char *hash = field_next_word(&rest);
    if (hash == NULL || strcmp(at, "at") != 0 || strcmp(trace, "trace") != 0 ||
        !report_outcome_find(outcome, &to->outcome)) {
        return err_set(err, ERR_SYNTAX, "write: %s", form);
    }
    if (!read_hash(hash, &to->trace)) {
        return err_set(err, ERR_SYNTAX, "\"%.40s\" is no hash: 16 digits 0 to 9, a to f", hash);
    }
    to->has_result = true;
    return units_parse(end, UNIT_TIME, &to->end, err) && no_more(rest, form, err) &&
           (to->end <= SIM_LONGEST || err_set(err, ERR_RANGE, "a run lasts 26 days at most"));
}

static bool read_end(struct reader *r, char *rest, struct err *err)
{
    r->ended = true;
    return no_more(rest, "end", err);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    bool once;
    read_fn *read;
} words[] = {
    { "weft", true, read_weft },         { "from", true, read_from },
    { "scenario", true, read_scenario }, { "blocks", true, read_blocks },
    { "vl_limit", true, read_vl_limit }, { "seed", true, read_seed },
    { "set", false, read_set },          { "lesson", false, read_lesson },
    { "learner", false, read_learner },  { "result", true, read_result },
    { "end", true, read_end },
};
enum { WORDS = sizeof words / sizeof *words };

static bool unknown_word(const char *word, struct err *err)
{
    size_t kinds, best = 4;
    const struct field_record *records = field_records(&kinds);
    const char *near = NULL;
    for (size_t i = 0; i < WORDS + kinds; i++) {
        const char *known = i < WORDS ? words[i].word : records[i - WORDS].word;
        const size_t distance = text_distance(word, known);
        if (distance < best && distance < strlen(known)) {
            best = distance;
            near = known;
        }
    }
    return err_set(err, ERR_NAME, "there is no record \"%.40s\"%s%s%s", word,
                   near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                   near != NULL ? "?" : ": weft run TARGET --save FILE shows how a file looks");
}

static bool take_line(struct reader *r, char *line, struct err *err)
{
    const char *word = field_next_word(&line);
    if (word == NULL || word[0] == '#') {
        return true;
    }
    if (r->ended) {
        return err_set(err, ERR_SYNTAX, "nothing may come after end");
    }
    const struct field_record *record = field_record_find(word);
    if (record != NULL) {
        return field_record_read(record, &r->to->scenario, &r->names, line, err);
    }
    for (size_t i = 0; i < WORDS; i++) {
        if (strcmp(words[i].word, word) != 0) {
            continue;
        }
        if (words[i].once && (r->said >> i & 1) != 0) {
            return err_set(err, ERR_STATE, "%s is there twice: keep one of the lines", word);
        }
        r->said |= UINT64_C(1) << i;
        return words[i].read(r, line, err);
    }
    return unknown_word(word, err);
}

/* "weft-replay 1" */
static bool take_header(char *line, struct err *err)
{
    int64_t format = 0;
    const char *word = field_next_word(&line);
    if (word == NULL || strcmp(word, "weft-replay") != 0) {
        return err_set(err, ERR_SYNTAX, "this is no saved run: one begins with weft-replay %d",
                       REPLAY_FORMAT);
    }
    word = field_next_word(&line);
    if (word == NULL || !units_parse(word, UNIT_COUNT, &format, NULL) || format < 1) {
        return err_set(err, ERR_SYNTAX, "which format? write: weft-replay %d", REPLAY_FORMAT);
    }
    if (format > REPLAY_FORMAT) {
        return err_set(err, ERR_STATE,
                       "a saved run of format %" PRId64
                       ", and this weft reads up to %d: open it with a newer weft",
                       format, REPLAY_FORMAT);
    }
    return no_more(line, "weft-replay 1", err);
}

/* Cuts the next line off, without its end; false when there is none. A line too long comes back as
 * NULL. */
static bool next_line(const char **at, const char *end, char *buf, char **line)
{
    if (*at == end) {
        return false;
    }
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    const char *stop = newline != NULL ? newline : end;
    size_t len = (size_t)(stop - *at);
    len -= len > 0 && (*at)[len - 1] == '\r' ? 1 : 0;
    *line = len < REPLAY_LINE_MAX && memchr(*at, '\0', len) == NULL ? buf : NULL;
    if (*line != NULL) {
        memcpy(buf, *at, len);
        buf[len] = '\0';
    }
    *at = newline != NULL ? newline + 1 : end;
    return true;
}

/* Everything up to `end`; `*line` is the one at which reading stopped. */
static bool take_lines(struct reader *r, const char *at, const char *end, int *line,
                       struct err *err)
{
    char buf[REPLAY_LINE_MAX];
    char *text = NULL;
    for (*line = 1; next_line(&at, end, buf, &text); (*line)++) {
        if (text == NULL) {
            return err_set(err, ERR_SYNTAX, "no line of text of less than %d bytes",
                           REPLAY_LINE_MAX);
        }
        if (!(*line == 1 ? take_header(text, err) : take_line(r, text, err))) {
            return false;
        }
    }
    if (!r->ended) {
        return err_set(err, ERR_SYNTAX,
                       *line == 1 ? "an empty file" : "the file is cut off: its last line is end");
    }
    return true;
}

bool replay_read(struct replay *replay, const char *data, size_t size, const char *file,
                 struct err *err)
{
    struct reader r = { .to = replay };
    const char *end = data + size;
    int line = 0;
    *replay = (struct replay){ .seed = 1 };
    sim_scenario_init(&replay->scenario, "");
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) {
        data += 3; /* some editors begin a file with this mark */
    }
    bool ok = size <= REPLAY_FILE_MAX || err_set(err, ERR_LIMIT, "the file is too large");
    ok = ok && take_lines(&r, data, end, &line, err);
    if (!ok && err != NULL && replay->version[0] != '\0') { /* it may know more than this weft */
        const size_t len = strlen(err->msg);
        (void)snprintf(err->msg + len, sizeof err->msg - len, " (weft %s wrote this file)",
                       replay->version);
    }
    if (!ok) {
        (void)err_at(err, file, line);
    } else if (!sim_scenario_check(&replay->scenario, err)) {
        ok = err_at(err, file, 0);
    }
    field_names_finish(&r.names);
    if (!ok) {
        replay_finish(replay);
    }
    return ok;
}
