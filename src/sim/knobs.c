#include "sim/knobs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sim/wire.h"

/* Words of the choice knobs, in the order of their enums. */
static const char *const flow_controls[] = { "none", "pfc", "credits", NULL };
static const char *const link_types[] = { "ethernet", "infiniband", NULL };
static const char *const watchdogs[] = { "off", "drop", "forward", NULL };
static const char *const transports[] = { "go_back_n", "go_back_0", "selective", "tcp", NULL };
static const char *const verbs[] = { "send", "write", NULL };
static const char *const routings[] = { "dmodk",   "ecmp",    "spray", "adaptive",
                                        "flowlet", "in_turn", NULL };
static const char *const seeds[] = { "own", "same", NULL };
static const char *const rank_orders[] = { "rack", "mixed", NULL };
static const char *const controls[] = { "none", "dcqcn", NULL };
static const char *const collectives[] = {
    "ring",       "tree",         "double_tree", "halving_doubling", "parameter_server",
    "all_to_all", "hierarchical", NULL
};
static const char *const stagings[] = { "direct", "host", NULL };
static const char *const insides[] = { "direct", "chain", NULL };
static const char *const pfc_travels[] = { "cable", "instant", NULL };
static const char *const ack_classes[] = { "control", "data", NULL };
static const char *const round_triggers[] = { "received", "acked", NULL };
static const char *const tcp_classes[] = { "lossy", "lossless", NULL };
static const char *const off_on[] = { "off", "on", NULL };

static const char *const *const choice_words[SIM_KNOB_COUNT] = {
    [SIM_KNOB_FLOW_CONTROL] = flow_controls,
    [SIM_KNOB_LINK] = link_types,
    [SIM_KNOB_WATCHDOG] = watchdogs,
    [SIM_KNOB_FLOOD_LOSSLESS] = off_on,
    [SIM_KNOB_TRANSPORT] = transports,
    [SIM_KNOB_VERB] = verbs,
    [SIM_KNOB_ROUTING] = routings,
    [SIM_KNOB_ECMP_SEED] = seeds,
    [SIM_KNOB_RANK_ORDER] = rank_orders,
    [SIM_KNOB_ECN] = off_on,
    [SIM_KNOB_DCQCN_CLAMP] = off_on,
    [SIM_KNOB_CUT_THROUGH] = off_on,
    [SIM_KNOB_CC] = controls,
    [SIM_KNOB_COLLECTIVE] = collectives,
    [SIM_KNOB_INSIDE] = insides,
    [SIM_KNOB_STAGING] = stagings,
    [SIM_KNOB_PFC_TRAVEL] = pfc_travels,
    [SIM_KNOB_ACK_CLASS] = ack_classes,
    [SIM_KNOB_ROUND_TRIGGER] = round_triggers,
    [SIM_KNOB_TLP] = off_on,
    [SIM_KNOB_TCP_CLASS] = tcp_classes,
};

static const struct sim_knob_info knob_table[SIM_KNOB_COUNT] = {
#define X(id, name_, type_, unit_, allow_, min_, max_, def_, when_, group_, term_, help_)          \
    [SIM_KNOB_##id] = { .name = name_,                                                             \
                        .type = SIM_KNOB_##type_,                                                  \
                        .unit = unit_,                                                             \
                        .allow = allow_,                                                           \
                        .min = min_,                                                               \
                        .max = max_,                                                               \
                        .def = def_,                                                               \
                        .when = when_,                                                             \
                        .group = group_,                                                           \
                        .term = term_,                                                             \
                        .help = help_ },
    SIM_KNOBS(X)
#undef X
};

const struct sim_knob_info *sim_knob_info(enum sim_knob knob)
{
    return &knob_table[knob];
}

const char *const *sim_knob_choices(enum sim_knob knob)
{
    return choice_words[knob];
}

void sim_knobs_default(struct sim_knobs *knobs)
{
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        knobs->v[k] = knob_table[k].def;
    }
}

enum sim_knob sim_knob_find(const char *name)
{
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        if (strcmp(name, knob_table[k].name) == 0) {
            return (enum sim_knob)k;
        }
    }
    return SIM_KNOB_COUNT;
}

const char *sim_knob_nearest(const char *name)
{
    const char *best = "pfc"; /* the shorthand counts as a name */
    size_t best_distance = text_distance(name, best);
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        size_t distance = text_distance(name, knob_table[k].name);
        if (distance < best_distance) {
            best_distance = distance;
            best = knob_table[k].name;
        }
    }
    return best;
}

const char *sim_when_name(enum sim_when when)
{
    switch (when) {
    case SIM_LIVE:
        return "live";
    case SIM_NEXT_STEP:
        return "next-step";
    case SIM_RESTART:
        return "restart";
    }
    return "?";
}

bool sim_knob_check(enum sim_knob knob, int64_t value, struct err *err)
{
    const struct sim_knob_info *info = &knob_table[knob];
    if (value == SIM_AUTO && (info->allow & SIM_MAY_AUTO) != 0) {
        return true;
    }
    if (value == SIM_UNLIMITED && (info->allow & SIM_MAY_UNLIMITED) != 0) {
        return true;
    }
    if (value >= info->min && value <= info->max) {
        return true;
    }
    char got[64];
    char low[64];
    char high[64];
    return err_set(err, ERR_RANGE, "%s is %s, it must be from %s to %s", info->name,
                   sim_knob_format(knob, value, true, got, sizeof got),
                   units_format(low, sizeof low, info->unit, info->min),
                   units_format(high, sizeof high, info->unit, info->max));
}

static bool parse_choice(enum sim_knob knob, const char *value, int64_t *out, struct err *err)
{
    char list[128] = "";
    if (choice_words[knob] == off_on) {
        value = strcmp(value, "true") == 0 ? "on" : strcmp(value, "false") == 0 ? "off" : value;
    }
    for (int i = 0; choice_words[knob][i] != NULL; i++) {
        const char *word = choice_words[knob][i];
        if (strcmp(value, word) == 0) {
            *out = i;
            return true;
        }
        size_t len = strlen(list);
        (void)snprintf(list + len, sizeof list - len, "%s%s", len > 0 ? ", " : "", word);
    }
    return err_set(err, ERR_RANGE, "%s cannot be \"%s\"; it is one of %s", knob_table[knob].name,
                   value, list);
}

static bool parse_switch(const char *value, int64_t *out, struct err *err)
{
    if (strcmp(value, "on") == 0 || strcmp(value, "true") == 0) {
        *out = SIM_FC_PFC;
        return true;
    }
    if (strcmp(value, "off") == 0 || strcmp(value, "false") == 0) {
        *out = SIM_FC_NONE;
        return true;
    }
    return err_set(err, ERR_RANGE, "pfc cannot be \"%s\"; it is on or off", value);
}

bool sim_knob_parse(const char *name, const char *value, enum sim_knob *knob, int64_t *out,
                    struct err *err)
{
    if (strcmp(name, "pfc") == 0) {
        *knob = SIM_KNOB_FLOW_CONTROL;
        return parse_switch(value, out, err);
    }
    *knob = sim_knob_find(name);
    if (*knob == SIM_KNOB_COUNT) {
        return err_set(err, ERR_NAME, "there is no switch \"%s\"; did you mean \"%s\"?", name,
                       sim_knob_nearest(name));
    }
    const struct sim_knob_info *info = &knob_table[*knob];
    if (info->type == SIM_KNOB_CHOICE) {
        return parse_choice(*knob, value, out, err);
    }
    if (strcmp(value, "auto") == 0 && (info->allow & SIM_MAY_AUTO) != 0) {
        *out = SIM_AUTO;
        return true;
    }
    if (strcmp(value, "unlimited") == 0 && (info->allow & SIM_MAY_UNLIMITED) != 0) {
        *out = SIM_UNLIMITED;
        return true;
    }
    if (!units_parse(value, info->unit, out, err)) {
        return err_note(err, "%s", info->name);
    }
    return sim_knob_check(*knob, *out, err);
}

const char *sim_knob_format(enum sim_knob knob, int64_t value, bool exact, char *buf, size_t size)
{
    const struct sim_knob_info *info = &knob_table[knob];
    if (value == SIM_AUTO) {
        (void)snprintf(buf, size, "auto");
    } else if (value == SIM_UNLIMITED) {
        (void)snprintf(buf, size, "unlimited");
    } else if (info->type == SIM_KNOB_CHOICE) {
        (void)snprintf(buf, size, "%s", choice_words[knob][value]);
    } else if (exact) {
        (void)units_exact(buf, size, info->unit, value);
    } else {
        (void)units_format(buf, size, info->unit, value);
    }
    return buf;
}

bool sim_knobs_agree(const struct sim_knobs *knobs, struct err *err)
{
    const int64_t *v = knobs->v;
    if (v[SIM_KNOB_XON] != SIM_AUTO && v[SIM_KNOB_XON] > v[SIM_KNOB_XOFF]) {
        return err_set(err, ERR_RANGE,
                       "xon (%" PRId64 " bytes) must not exceed xoff (%" PRId64 " bytes)",
                       v[SIM_KNOB_XON], v[SIM_KNOB_XOFF]);
    }
    if (v[SIM_KNOB_LINK] == SIM_INFINIBAND && v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_PFC) {
        return err_set(err, ERR_RANGE,
                       "InfiniBand has no PAUSE: set flow_control to credits (or none)");
    }
    bool tcp = v[SIM_KNOB_TRANSPORT] == SIM_TCP;
    struct sim_wire_sizes wire = sim_wire_sizes(knobs);
    int64_t frame = sim_frame_max(&wire);
    int64_t least = (frame + SIM_CREDIT_BLOCK - 1) / SIM_CREDIT_BLOCK * SIM_CREDIT_BLOCK;
    if (v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_CREDITS && v[SIM_KNOB_VL_BUFFER] < least) {
        return err_set(err, ERR_RANGE,
                       "vl_buffer (%" PRId64 " bytes) must hold a full packet: %" PRId64
                       " bytes in blocks of %d",
                       v[SIM_KNOB_VL_BUFFER], frame, (int)SIM_CREDIT_BLOCK);
    }
    if (tcp && v[SIM_KNOB_LINK] == SIM_INFINIBAND) {
        return err_set(err, ERR_RANGE, "transport tcp needs link ethernet");
    }
    if (v[SIM_KNOB_KMIN] > v[SIM_KNOB_KMAX]) {
        return err_set(err, ERR_RANGE,
                       "kmin (%" PRId64 " bytes) must not exceed kmax (%" PRId64 " bytes)",
                       v[SIM_KNOB_KMIN], v[SIM_KNOB_KMAX]);
    }
    if ((v[SIM_KNOB_ALPHA] != SIM_AUTO || v[SIM_KNOB_QUEUE_ALPHA] != SIM_AUTO) &&
        v[SIM_KNOB_BUFFER] == SIM_UNLIMITED) {
        return err_set(err, ERR_RANGE, "a share of an unlimited buffer: set buffer as well");
    }
    if (tcp && v[SIM_KNOB_CC] == SIM_CC_DCQCN) {
        return err_set(err, ERR_RANGE,
                       "cc dcqcn slows RDMA senders; tcp has a congestion control of its own");
    }
    return true;
}

void sim_knob_say_range(struct text *out, enum sim_knob knob)
{
    const struct sim_knob_info *info = sim_knob_info(knob);
    char low[64];
    char high[64];
    if (info->type == SIM_KNOB_CHOICE) {
        for (const char *const *c = sim_knob_choices(knob); *c != NULL; c++) {
            text_addf(out, "%s%s", c == sim_knob_choices(knob) ? "" : " | ", *c);
        }
        return;
    }
    text_addf(out, "%s to %s", sim_knob_format(knob, info->min, false, low, sizeof low),
              sim_knob_format(knob, info->max, false, high, sizeof high));
    if ((info->allow & SIM_MAY_AUTO) != 0) {
        text_add(out, " | auto");
    }
    if ((info->allow & SIM_MAY_UNLIMITED) != 0) {
        text_add(out, " | unlimited");
    }
}
