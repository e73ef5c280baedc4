#include "sim/command.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"

static const char *const which_words[] = {
    [SIM_DROP_PSN] = NULL,        [SIM_DROP_INDEX] = "packet", [SIM_DROP_FIRST] = "first",
    [SIM_DROP_MIDDLE] = "middle", [SIM_DROP_LAST] = "last",    [SIM_DROP_RESEND] = "resend",
};

/* Frames that drop_frame destroys. A lost update of credits changes nothing: the next one repeats it. */
static const char *const frame_words[] = {
    [SIM_FRAME_DATA] = NULL,    [SIM_FRAME_ACK] = "ack", [SIM_FRAME_NAK] = "nak",
    [SIM_FRAME_XOFF] = "pause", [SIM_FRAME_XON] = "go",  [SIM_FRAME_CNP] = "cnp",
};

enum { WORDS_MAX = 10, WORD_SIZE = SIM_FLOW_NAME_MAX + 32 };

struct words {
    char word[WORDS_MAX][WORD_SIZE];
    int count;
};

static bool split(const char *text, struct words *w, struct err *err)
{
    w->count = 0;
    for (const char *p = text; *p != '\0';) {
        while (isspace((unsigned char)*p)) {
            p++;
        }
        size_t len = strcspn(p, " \t\n");
        if (len == 0) {
            break;
        }
        if (len >= WORD_SIZE || w->count == WORDS_MAX) {
            return err_set(err, ERR_SYNTAX, "a command is at most %d words of %d letters",
                           (int)WORDS_MAX, (int)WORD_SIZE - 1);
        }
        memcpy(w->word[w->count], p, len);
        w->word[w->count][len] = '\0';
        w->count++;
        p += len;
    }
    return w->count > 0 || err_set(err, ERR_SYNTAX, "an empty command");
}

static bool number(const char *word, uint64_t max, uint64_t *out, struct err *err)
{
    char *end;
    if (!isdigit((unsigned char)*word)) {
        return err_set(err, ERR_SYNTAX, "\"%s\" is not a number", word);
    }
    unsigned long long v = strtoull(word, &end, 10);
    if (*end != '\0' || strlen(word) > 18 || v > max) {
        return err_set(err, ERR_SYNTAX, "\"%s\" is not a number up to %" PRIu64, word, max);
    }
    *out = v;
    return true;
}

static bool flow_name(struct sim_cmd *cmd, const char *word, struct err *err)
{
    if (strlen(word) >= sizeof cmd->flow || strchr(word, '>') == NULL) {
        return err_set(err, ERR_SYNTAX, "\"%s\" is not a flow; write SRC>DST", word);
    }
    (void)snprintf(cmd->flow, sizeof cmd->flow, "%s", word);
    return true;
}

/* "g3>g4:4711#1" */
static bool packet_name(struct sim_cmd *cmd, char *word, struct err *err)
{
    char *colon = strrchr(word, ':');
    *colon = '\0';
    char *hash = strchr(colon + 1, '#');
    uint64_t attempt = 1;
    if (hash != NULL) {
        *hash = '\0';
        if (!number(hash + 1, 1u << 20, &attempt, err)) {
            return false;
        }
    }
    cmd->which = SIM_DROP_PSN;
    cmd->attempt = attempt > 0 ? (uint32_t)attempt : 1;
    return flow_name(cmd, word, err) && number(colon + 1, UINT64_C(1) << 48, &cmd->psn, err);
}

static bool drop_options(struct sim_cmd *cmd, const struct words *w, int at, struct err *err)
{
    for (; at < w->count; at += 2) {
        uint64_t v = 0;
        if (at + 1 == w->count || !number(w->word[at + 1], 1u << 20, &v, err)) {
            return err_set(err, ERR_SYNTAX, "\"%s\" needs a number behind it", w->word[at]);
        }
        if (strcmp(w->word[at], "step") == 0) {
            cmd->step = (int64_t)v;
        } else if (strcmp(w->word[at], "attempts") == 0) {
            cmd->attempts = (uint32_t)v;
        } else {
            return err_set(err, ERR_SYNTAX, "drop: \"%s\" is neither step nor attempts",
                           w->word[at]);
        }
    }
    return true;
}

static bool parse_drop(struct sim_cmd *cmd, struct words *w, struct err *err)
{
    cmd->attempt = 1;
    cmd->attempts = 1;
    if (w->count < 2) {
        return err_set(err, ERR_SYNTAX,
                       "drop what? write: drop SRC>DST:PSN#ATTEMPT, or "
                       "drop SRC>DST last");
    }
    if (strrchr(w->word[1], ':') != NULL) {
        return packet_name(cmd, w->word[1], err) && drop_options(cmd, w, 2, err);
    }
    if (!flow_name(cmd, w->word[1], err)) {
        return false;
    }
    if (w->count < 3) {
        return err_set(err, ERR_SYNTAX,
                       "drop %s: which packet? first, middle, last, resend, packet K or "
                       "%s:PSN",
                       cmd->flow, cmd->flow);
    }
    for (int i = SIM_DROP_INDEX; i <= SIM_DROP_RESEND; i++) {
        if (strcmp(w->word[2], which_words[i]) != 0) {
            continue;
        }
        cmd->which = (enum sim_drop_which)i;
        if (i != SIM_DROP_INDEX) {
            return drop_options(cmd, w, 3, err);
        }
        if (w->count < 4) {
            return err_set(err, ERR_SYNTAX, "drop %s packet: which one? counted from 1", cmd->flow);
        }
        return number(w->word[3], UINT64_C(1) << 48, &cmd->psn, err) &&
               drop_options(cmd, w, 4, err);
    }
    return err_set(err, ERR_SYNTAX,
                   "drop %s: \"%s\" is none of first, middle, last, resend, packet K", cmd->flow,
                   w->word[2]);
}

/* drop_nth, drop_ack, burst */
static bool parse_count(struct sim_cmd *cmd, struct words *w, struct err *err)
{
    uint64_t n = 0;
    if (w->count < 2 || w->count > 3 || !number(w->word[1], UINT64_C(1) << 48, &n, err)) {
        return err_set(err, ERR_SYNTAX, "write: %s NUMBER, or %s NUMBER SRC>DST", w->word[0],
                       w->word[0]);
    }
    cmd->value = (int64_t)n;
    char *colon = w->count == 3 && cmd->kind == SIM_CMD_BURST ? strrchr(w->word[2], ':') : NULL;
    if (colon != NULL) {
        *colon = '\0';
        if (!number(colon + 1, UINT64_C(1) << 48, &cmd->psn, err)) {
            return false;
        }
    }
    return w->count == 2 || flow_name(cmd, w->word[2], err);
}

/* loss, loss_ack */
static bool parse_loss(struct sim_cmd *cmd, struct words *w, struct err *err)
{
    const char *verb = w->word[0];
    if (w->count < 2 || w->count > 3) {
        return err_set(err, ERR_SYNTAX, "write: %s SHARE, or %s SHARE SRC>DST", verb, verb);
    }
    if (!units_parse(w->word[1], UNIT_SHARE, &cmd->value, err)) {
        return err_note(err, "%s", verb);
    }
    if (cmd->value > UNIT_ONE) {
        return err_set(err, ERR_RANGE, "%s: a share is from 0 to 1", verb);
    }
    return w->count == 2 || flow_name(cmd, w->word[2], err);
}

static bool parse_set(struct sim_cmd *cmd, struct words *w, struct err *err)
{
    char value[WORD_SIZE * 2 + 2];
    if (w->count != 3 && w->count != 4) { /* "16.8 ms" is two words */
        return err_set(err, ERR_SYNTAX, "write: set SWITCH VALUE");
    }
    (void)snprintf(value, sizeof value, "%s%s", w->word[2], w->count == 4 ? w->word[3] : "");
    return sim_knob_parse(w->word[1], value, &cmd->knob, &cmd->value, err);
}

static bool parse_node(struct sim_cmd *cmd, struct words *w, struct err *err)
{
    bool hold = cmd->kind == SIM_CMD_HOLD;
    bool on = w->count == 3 && strcmp(w->word[2], "on") == 0;
    bool off = w->count == 3 && strcmp(w->word[2], "off") == 0;
    if ((hold && !on && !off) || (!hold && w->count != 2) ||
        strlen(w->word[1]) >= sizeof cmd->node) {
        return err_set(err, ERR_SYNTAX,
                       hold ? "write: hold NODE on, or hold NODE off" : "write: %s NODE",
                       w->word[0]);
    }
    (void)snprintf(cmd->node, sizeof cmd->node, "%.31s", w->word[1]);
    cmd->value = on;
    return true;
}

static bool parse_slow(struct sim_cmd *cmd, struct words *w, struct err *err)
{
    if (w->count != 3 || strlen(w->word[1]) >= sizeof cmd->node) {
        return err_set(err, ERR_SYNTAX, "write: slow NODE SHARE, with a share from 0 to 1");
    }
    (void)snprintf(cmd->node, sizeof cmd->node, "%.31s", w->word[1]);
    if (!units_parse(w->word[2], UNIT_SHARE, &cmd->value, err)) {
        return err_note(err, "slow %s", cmd->node);
    }
    return cmd->value <= UNIT_ONE ||
           err_set(err, ERR_RANGE, "slow %s: a share is from 0 to 1", cmd->node);
}

static bool parse_slow_gpu(struct sim_cmd *cmd, struct words *w, struct err *err)
{
    if (w->count != 3 || strlen(w->word[1]) >= sizeof cmd->node) {
        return err_set(err, ERR_SYNTAX, "write: slow_gpu NODE FACTOR, as in slow_gpu g3 1.5");
    }
    (void)snprintf(cmd->node, sizeof cmd->node, "%.31s", w->word[1]);
    if (!units_parse(w->word[2], UNIT_SHARE, &cmd->value, err)) {
        return err_note(err, "slow_gpu %s", cmd->node);
    }
    return cmd->value <= 1000 * UNIT_ONE ||
           err_set(err, ERR_RANGE, "slow_gpu %s: a factor is from 0 to 1000", cmd->node);
}

static bool parse_pause_gpu(struct sim_cmd *cmd, struct words *w, struct err *err)
{
    if (w->count != 3 || strlen(w->word[1]) >= sizeof cmd->node) {
        return err_set(err, ERR_SYNTAX, "write: pause_gpu NODE TIME, as in pause_gpu g3 100us");
    }
    (void)snprintf(cmd->node, sizeof cmd->node, "%.31s", w->word[1]);
    if (!units_parse(w->word[2], UNIT_TIME, &cmd->value, err)) {
        return err_note(err, "pause_gpu %s", cmd->node);
    }
    return (cmd->value > 0 && cmd->value <= 1000 * UNIT_S) ||
           err_set(err, ERR_RANGE, "pause_gpu %s: a time is from 1 ps to 1000 s", cmd->node);
}

static bool parse_drop_frame(struct sim_cmd *cmd, struct words *w, struct err *err)
{
    cmd->psn = 1;
    if (w->count < 3 || w->count > 4 || strlen(w->word[1]) >= sizeof cmd->node ||
        (w->count == 4 && (!number(w->word[3], 1u << 20, &cmd->psn, err) || cmd->psn == 0))) {
        return err_set(err, ERR_SYNTAX,
                       "write: drop_frame PORT KIND, or drop_frame PORT KIND K, K from 1");
    }
    (void)snprintf(cmd->node, sizeof cmd->node, "%.31s", w->word[1]);
    for (size_t kind = 0; kind < sizeof frame_words / sizeof *frame_words; kind++) {
        if (frame_words[kind] != NULL && strcmp(w->word[2], frame_words[kind]) == 0) {
            cmd->value = (int64_t)kind;
            return true;
        }
    }
    return err_set(err, ERR_SYNTAX, "drop_frame %s: \"%s\" is none of ack, nak, cnp, pause, go",
                   cmd->node, w->word[2]);
}

/* Commands of the form VERB PLACE WORD: the words, in the order of their values. */
static const struct {
    enum sim_cmd_kind kind;
    const char *verb, *place;
    const char *words[4];
} choices[] = {
    { SIM_CMD_STORM, "storm", "NODE", { "off", "on", "all", NULL } },
    { SIM_CMD_FLOOD, "flood", "NODE", { "off", "on", NULL } },
    { SIM_CMD_LINK, "link", "PORT", { "down", "up", NULL } },
};

static bool parse_choice(struct sim_cmd *cmd, struct words *w, struct err *err)
{
    size_t row = 0;
    while (choices[row].kind != cmd->kind) {
        row++;
    }
    const char *const *words = choices[row].words;
    if (w->count == 3 && strlen(w->word[1]) < sizeof cmd->node) {
        (void)snprintf(cmd->node, sizeof cmd->node, "%.31s", w->word[1]);
        for (int i = 0; words[i] != NULL; i++) {
            if (strcmp(w->word[2], words[i]) == 0) {
                cmd->value = i;
                return true;
            }
        }
    }
    return err_set(err, ERR_SYNTAX, "write: %s %s %s, or %s", choices[row].verb, choices[row].place,
                   words[0], words[1]);
}

static const char *const field_words[] = {
#define X(id, word, reason, help) word,
    SIM_FIELDS(X)
#undef X
};

static bool parse_corrupt(struct sim_cmd *cmd, struct words *w, struct err *err)
{
    char list[128] = "";
    if (w->count == 3 && !flow_name(cmd, w->word[1], err)) {
        return false;
    }
    for (int i = SIM_FIELD_NONE + 1; i < SIM_FIELD_COUNT; i++) {
        if (w->count == 3 && strcmp(w->word[2], field_words[i]) == 0) {
            cmd->value = i;
            return true;
        }
        const size_t len = strlen(list);
        (void)snprintf(list + len, sizeof list - len, "%s%s", len > 0 ? ", " : "", field_words[i]);
    }
    return err_set(err, ERR_SYNTAX, "write: corrupt SRC>DST FIELD, a field of %s", list);
}

static const struct {
    const char *word;
    enum sim_cmd_kind kind;
    bool (*parse)(struct sim_cmd *cmd, struct words *w, struct err *err);
} verbs[] = {
    { "set", SIM_CMD_SET, parse_set },
    { "drop", SIM_CMD_DROP, parse_drop },
    { "drop_nth", SIM_CMD_DROP_NTH, parse_count },
    { "hold", SIM_CMD_HOLD, parse_node },
    { "pause", SIM_CMD_PAUSE, parse_node },
    { "slow", SIM_CMD_SLOW, parse_slow },
    { "loss", SIM_CMD_LOSS, parse_loss },
    { "burst", SIM_CMD_BURST, parse_count },
    { "drop_ack", SIM_CMD_DROP_ACK, parse_count },
    { "loss_ack", SIM_CMD_LOSS_ACK, parse_loss },
    { "kill", SIM_CMD_KILL, parse_node },
    { "slow_gpu", SIM_CMD_SLOW_GPU, parse_slow_gpu },
    { "storm", SIM_CMD_STORM, parse_choice },
    { "flood", SIM_CMD_FLOOD, parse_choice },
    { "link", SIM_CMD_LINK, parse_choice },
    { "drop_frame", SIM_CMD_DROP_FRAME, parse_drop_frame },
    { "pause_gpu", SIM_CMD_PAUSE_GPU, parse_pause_gpu },
    { "corrupt", SIM_CMD_CORRUPT, parse_corrupt },
};

const struct sim_cmd_form *sim_cmd_form(size_t i)
{
    static const struct sim_cmd_form forms[] = {
#define X(words, help) { words, help },
        SIM_CMD_FORMS(X)
#undef X
    };
    return i < sizeof forms / sizeof *forms ? &forms[i] : NULL;
}

bool sim_cmd_parse(const char *text, struct sim_cmd *cmd, struct err *err)
{
    struct words w;
    memset(cmd, 0, sizeof *cmd);
    if (!split(text, &w, err)) {
        return false;
    }
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(w.word[0], verbs[i].word) == 0) {
            cmd->kind = verbs[i].kind;
            return verbs[i].parse(cmd, &w, err);
        }
    }
    char list[256] = "";
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        size_t len = strlen(list);
        (void)snprintf(list + len, sizeof list - len, "%s%s", i > 0 ? ", " : "", verbs[i].word);
    }
    return err_set(err, ERR_SYNTAX, "\"%s\" is not a command; there are %s", w.word[0], list);
}

static const char *verb_of(enum sim_cmd_kind kind)
{
    size_t i = 0;
    while (verbs[i].kind != kind) {
        i++;
    }
    return verbs[i].word;
}

static void format_drop(const struct sim_cmd *cmd, char *buf, size_t size)
{
    char place[64] = "";
    if (cmd->which == SIM_DROP_PSN) {
        (void)snprintf(place, sizeof place, ":%" PRIu64 "#%" PRIu32, cmd->psn,
                       cmd->attempt > 0 ? cmd->attempt : 1);
    } else if (cmd->which == SIM_DROP_INDEX) {
        (void)snprintf(place, sizeof place, " packet %" PRIu64, cmd->psn);
    } else {
        (void)snprintf(place, sizeof place, " %s", which_words[cmd->which]);
    }
    int n = snprintf(buf, size, "drop %s%s", cmd->flow, place);
    if (cmd->step > 0 && n >= 0 && (size_t)n < size) {
        n += snprintf(buf + n, size - (size_t)n, " step %" PRId64, cmd->step);
    }
    if (cmd->attempts > 1 && n >= 0 && (size_t)n < size) {
        (void)snprintf(buf + n, size - (size_t)n, " attempts %" PRIu32, cmd->attempts);
    }
}

const char *sim_cmd_format(const struct sim_cmd *cmd, char *buf, size_t size)
{
    char value[64];
    int n;
    switch (cmd->kind) {
    case SIM_CMD_SET:
        (void)snprintf(buf, size, "set %s %s", sim_knob_info(cmd->knob)->name,
                       sim_knob_format(cmd->knob, cmd->value, true, value, sizeof value));
        break;
    case SIM_CMD_DROP:
        format_drop(cmd, buf, size);
        break;
    case SIM_CMD_DROP_NTH:
    case SIM_CMD_DROP_ACK:
    case SIM_CMD_BURST:
        n = snprintf(buf, size, "%s %" PRId64 "%s%s", verb_of(cmd->kind), cmd->value,
                     cmd->flow[0] != '\0' ? " " : "", cmd->flow);
        if (cmd->kind == SIM_CMD_BURST && cmd->psn > 0 && n >= 0 && (size_t)n < size) {
            (void)snprintf(buf + n, size - (size_t)n, ":%" PRIu64, cmd->psn);
        }
        break;
    case SIM_CMD_LOSS:
    case SIM_CMD_LOSS_ACK:
        (void)snprintf(buf, size, "%s %s%s%s", verb_of(cmd->kind),
                       units_exact(value, sizeof value, UNIT_SHARE, cmd->value),
                       cmd->flow[0] != '\0' ? " " : "", cmd->flow);
        break;
    case SIM_CMD_HOLD:
        (void)snprintf(buf, size, "hold %s %s", cmd->node, cmd->value != 0 ? "on" : "off");
        break;
    case SIM_CMD_PAUSE:
        (void)snprintf(buf, size, "pause %s", cmd->node);
        break;
    case SIM_CMD_KILL:
        (void)snprintf(buf, size, "kill %s", cmd->node);
        break;
    case SIM_CMD_SLOW:
    case SIM_CMD_SLOW_GPU:
        (void)snprintf(buf, size, "%s %s %s", cmd->kind == SIM_CMD_SLOW ? "slow" : "slow_gpu",
                       cmd->node, units_exact(value, sizeof value, UNIT_SHARE, cmd->value));
        break;
    case SIM_CMD_PAUSE_GPU:
        (void)snprintf(buf, size, "pause_gpu %s %s", cmd->node,
                       units_exact(value, sizeof value, UNIT_TIME, cmd->value));
        break;
    case SIM_CMD_CORRUPT:
        (void)snprintf(buf, size, "corrupt %s %s", cmd->flow, field_words[cmd->value]);
        break;
    case SIM_CMD_DROP_FRAME:
        n = snprintf(buf, size, "drop_frame %s %s", cmd->node, frame_words[cmd->value]);
        if (cmd->psn > 1 && n >= 0 && (size_t)n < size) {
            (void)snprintf(buf + n, size - (size_t)n, " %" PRIu64, cmd->psn);
        }
        break;
    case SIM_CMD_STORM:
    case SIM_CMD_FLOOD:
    case SIM_CMD_LINK:
        for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
            if (choices[i].kind == cmd->kind) {
                (void)snprintf(buf, size, "%s %s %s", choices[i].verb, cmd->node,
                               choices[i].words[cmd->value]);
            }
        }
        break;
    }
    return buf;
}
