#include "app/events.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/* clang-format off */
static const struct event_kind KINDS[] = {
    { "all events", "event",
      SIM_TRACE_BIT(DROP) | SIM_TRACE_BIT(XOFF) | SIM_TRACE_BIT(XON) | SIM_TRACE_BIT(NAK) |
      SIM_TRACE_BIT(REWIND) | SIM_TRACE_BIT(FAST_RESEND) | SIM_TRACE_BIT(TIMEOUT) | SIM_TRACE_BIT(QP_ERROR) |
      SIM_TRACE_BIT(STEP) | SIM_TRACE_BIT(COMPUTED) | SIM_TRACE_BIT(ROUND) | SIM_TRACE_BIT(AT_BARRIER) |
      SIM_TRACE_BIT(BARRIER) | SIM_TRACE_BIT(SET) | SIM_TRACE_BIT(WATCHDOG) | SIM_TRACE_BIT(DONE) |
      SIM_TRACE_BIT(STALL) },
    { "drops",    "drop",    SIM_TRACE_BIT(DROP) },
    { "pauses",   "pause",   SIM_TRACE_BIT(XOFF) },
    { "NAKs",     "NAK",     SIM_TRACE_BIT(NAK) },
    { "timeouts", "timeout", SIM_TRACE_BIT(TIMEOUT) },
    { "rounds",   "round",   SIM_TRACE_BIT(ROUND) },
    { "barriers", "barrier", SIM_TRACE_BIT(BARRIER) },
    { "resends",  "resend",  SIM_TRACE_BIT(REWIND) | SIM_TRACE_BIT(FAST_RESEND) },
    { "goes",     "go",      SIM_TRACE_BIT(XON) },
    { "credits",  "credit",  SIM_TRACE_BIT(NO_CREDIT) | SIM_TRACE_BIT(CREDIT) },
    { "switches moved", "set", SIM_TRACE_BIT(SET) },
    { "faults",   "fault",   SIM_TRACE_BIT(FAULT) },
};
/* clang-format on */

size_t event_kind_count(void)
{
    return sizeof KINDS / sizeof KINDS[0];
}

const struct event_kind *event_kind(size_t index)
{
    return &KINDS[index < event_kind_count() ? index : 0];
}

const struct event_kind *event_kind_named(const char *name)
{
    for (size_t i = 0; i < event_kind_count(); i++) {
        if (strcasecmp(KINDS[i].one, name) == 0 || strcasecmp(KINDS[i].name, name) == 0) {
            return &KINDS[i];
        }
    }
    return NULL;
}

/* ---- filters ------------------------------------------------------------------------------------ */

static bool take_word(const char *word, const struct sim *sim, struct event_filter *filter,
                      struct err *err)
{
    const struct event_kind *kind = event_kind_named(word);
    const uint32_t node = sim_find_node(sim, word);
    if (strcasecmp(word, "all") == 0) {
        return true;
    }
    if (kind != NULL) {
        filter->kinds |= kind == &KINDS[0] ? 0 : kind->kinds;
        return true;
    }
    if (node == SIM_NONE) {
        return err_set(err, ERR_NAME, "\"%.40s\" is no kind of event and no node of this fabric",
                       word);
    }
    if (filter->of_node && filter->node != node) {
        return err_set(err, ERR_RANGE, "of one node at a time: %s or %s",
                       sim_node(sim, filter->node).name, sim_node(sim, node).name);
    }
    filter->of_node = true;
    filter->node = node;
    return true;
}

bool event_filter_parse(const char *text, const struct sim *sim, struct event_filter *filter,
                        struct err *err)
{
    *filter = (struct event_filter){ 0 };
    while (*text != '\0') {
        char word[64];
        text += strspn(text, " ");
        const size_t len = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)(len < sizeof word ? len : sizeof word - 1), text);
        text += len;
        if (len > 0 && !take_word(word, sim, filter, err)) {
            return false;
        }
    }
    return true;
}

uint32_t event_filter_kinds(const struct event_filter *filter)
{
    return filter->kinds != 0 ? filter->kinds : KINDS[0].kinds;
}

bool event_filter_on(const struct event_filter *filter)
{
    return filter->kinds != 0 || filter->of_node;
}

bool event_filter_passes(const struct event_filter *filter, const struct sim *sim,
                         const struct sim_record *record)
{
    return (event_filter_kinds(filter) >> record->kind & 1u) != 0 &&
           (!filter->of_node || sim_record_about(sim, record, filter->node));
}

static const char *say(const struct event_filter *filter, const struct sim *sim, bool one,
                       char *buf, size_t size)
{
    struct text out = { 0 };
    for (size_t i = 1; i < event_kind_count(); i++) {
        if ((filter->kinds & KINDS[i].kinds) == KINDS[i].kinds) {
            text_addf(&out, "%s%s", out.len > 0 ? (one ? " or " : ", ") : "",
                      one ? KINDS[i].one : KINDS[i].name);
        }
    }
    if (out.len == 0) {
        text_add(&out, one ? KINDS[0].one : KINDS[0].name);
    }
    if (filter->of_node && filter->node < sim_node_count(sim)) {
        text_addf(&out, " of %s", sim_node(sim, filter->node).name);
    }
    snprintf(buf, size, "%s", text_str(&out));
    text_finish(&out);
    return buf;
}

const char *event_filter_say(const struct event_filter *filter, const struct sim *sim, char *buf,
                             size_t size)
{
    return say(filter, sim, false, buf, size);
}

const char *event_filter_say_one(const struct event_filter *filter, const struct sim *sim,
                                 char *buf, size_t size)
{
    return say(filter, sim, true, buf, size);
}
