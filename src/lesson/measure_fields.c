/*
 * The fields of the views of a report: one table, and how a value comes from it.
 */
#include <math.h>
#include <string.h>

#include <lauxlib.h>

#include "lesson/host.h"
#include "lesson/measure_inside.h"
#include "lesson/measure_values.h"
#include "lesson/problems.h"
#include "lesson/quantity.h"

static const char *const view_names[] = {
    [VIEW_REPORT] = "report", [VIEW_STEPS] = "steps",
    [VIEW_STEP] = "step",     [VIEW_COLLECTIVE] = "collective",
    [VIEW_COUNT] = "packets", [VIEW_PFC] = "pfc",
    [VIEW_ECN] = "ecn",       [VIEW_CREDITS] = "credits",
    [VIEW_INSIDE] = "inside", [VIEW_FLOW] = "flow",
    [VIEW_PORT] = "port",     [VIEW_WORK] = "work",
    [VIEW_SET] = "set",       [VIEW_SCENES] = "scenes",
    [VIEW_CARD] = "card",
};

/* What a field is made of. */
enum value_type {
    VALUE_TIME,  /* sim_ps; SIM_NEVER: not known yet */
    VALUE_BYTES, /* int64_t */
    VALUE_COUNT, /* uint64_t */
    VALUE_SIZE,  /* size_t */
    VALUE_GBPS,  /* double, 1e9 bit/s */
    VALUE_NODE,  /* uint32_t; SIM_NONE: not known yet */
    VALUE_VIEW,  /* another view: `offset` is its kind */
    VALUE_MADE,  /* by a function */
};

static const char *const value_words[] = {
    [VALUE_TIME] = "time",    [VALUE_BYTES] = "size", [VALUE_COUNT] = "integer",
    [VALUE_SIZE] = "integer", [VALUE_GBPS] = "rate",  [VALUE_NODE] = "text",
};

struct view_field {
    enum view_kind view;
    const char *name;
    enum value_type type;
    size_t offset; /* into the struct that the view shows */
    measure_make *make;
    const char *made; /* VALUE_MADE: what, as value_words says it; or a view */
    const char *help;
};

/* ---- the table ------------------------------------------------------------------------------- */

#define AT(type, member)     offsetof(struct type, member), NULL, NULL
#define MADE(function, what) VALUE_MADE, 0, function, what
#define SUB(kind)            VALUE_VIEW, VIEW_##kind, NULL, NULL

/* clang-format off */
static const struct view_field view_fields[] = {
    { VIEW_REPORT, "outcome",       MADE(measure_make_outcome, "text"), "\"done\", \"stalled\", \"time-limit\" or \"memory-limit\"" },
    { VIEW_REPORT, "finish",        VALUE_TIME,  AT(report, end), "how long the run took, or has taken so far" },
    { VIEW_REPORT, "steps",         SUB(STEPS), "training steps: steps[2].duration, #steps" },
    { VIEW_REPORT, "this",          MADE(measure_make_this, "step"), "the first training step to end after this card began" },
    { VIEW_REPORT, "collective",    SUB(COLLECTIVE), "the collectives that are over" },
    { VIEW_REPORT, "gpu_busy",      MADE(measure_make_gpu_busy, "number"), "share of the time in which GPUs computed, 0 to 1" },
    { VIEW_REPORT, "packets",       SUB(COUNT), "counters of packets" },
    { VIEW_REPORT, "pfc",           SUB(PFC), "what PFC did" },
    { VIEW_REPORT, "ecn",           SUB(ECN), "marks and warnings" },
    { VIEW_REPORT, "credits",       SUB(CREDITS), "what credits did" },
    { VIEW_REPORT, "inside",        SUB(INSIDE), "what cables inside boxes carried" },
    { VIEW_REPORT, "timeouts",      VALUE_COUNT, AT(report, count.timeouts), "timers that ran out" },
    { VIEW_REPORT, "naks",          VALUE_COUNT, AT(report, count.naks), "NAKs sent" },
    { VIEW_REPORT, "events",        VALUE_COUNT, AT(report, count.events), "events simulated" },
    { VIEW_REPORT, "timeout",       MADE(measure_make_timeout, "time"), "how long a sender waits for an ACK" },
    { VIEW_REPORT, "flow",          MADE(measure_make_flow, "flow"), "a flow by its name: flow(\"g3>g4\").fct" },
    { VIEW_REPORT, "port",          MADE(measure_make_port, "port"), "a port by its name: port(\"leaf1:3\").held" },
    { VIEW_REPORT, "card",          SUB(CARD), "what has happened since this card began; in another scene: since its start" },
    { VIEW_REPORT, "stall",         MADE(measure_make_stall, "text"), "why it is stalled: \"deadlock\", \"storm\" ...; \"none\" while it is not" },
    { VIEW_REPORT, "cycle",         MADE(measure_make_cycle, "integer"), "ports that wait for each other in a circle, at this moment" },
    { VIEW_REPORT, "watchdogs",     VALUE_COUNT, AT(report, count.watchdogs), "times the PFC watchdog took a port over" },
    { VIEW_REPORT, "work",          SUB(WORK), "what the training asks for" },
    { VIEW_REPORT, "set",           SUB(SET), "switches as they stand: set.xoff" },
    { VIEW_REPORT, "scenes",        SUB(SCENES), "other scenes, each a report: scenes.mixed.finish" },

    { VIEW_STEP, "step",            MADE(measure_make_step_number, "integer"), "its number, from 1" },
    { VIEW_STEP, "start",           VALUE_TIME,  AT(report_step, start), "when it began" },
    { VIEW_STEP, "finish",          VALUE_TIME,  AT(report_step, end), "when everybody was at the barrier" },
    { VIEW_STEP, "duration",        MADE(measure_make_duration, "time"), "end less start" },
    { VIEW_STEP, "compute",         VALUE_TIME,  AT(report_step, compute), "the longest compute phase" },
    { VIEW_STEP, "exposed_comm",    VALUE_TIME,  AT(report_step, exposed_comm), "duration less compute: exchange and waiting" },
    { VIEW_STEP, "slowest",         VALUE_NODE,  AT(report_step, slowest), "who was last at the barrier" },

    { VIEW_COLLECTIVE, "count",     VALUE_SIZE,  AT(report, collective.count), "how many are over" },
    { VIEW_COLLECTIVE, "bytes",     VALUE_BYTES, AT(report, collective.bytes), "what each GPU brings to one" },
    { VIEW_COLLECTIVE, "mean",      VALUE_TIME,  AT(report, collective.mean), "duration of one, on average" },
    { VIEW_COLLECTIVE, "p50",       VALUE_TIME,  AT(report, collective.p50), "its median" },
    { VIEW_COLLECTIVE, "p99",       VALUE_TIME,  AT(report, collective.p99), "its 99th percentile" },
    { VIEW_COLLECTIVE, "max",       VALUE_TIME,  AT(report, collective.max), "the longest" },
    { VIEW_COLLECTIVE, "algbw",     VALUE_GBPS,  AT(report, collective.algbw_gbps), "bytes of one by its mean duration" },
    { VIEW_COLLECTIVE, "busbw",     VALUE_GBPS,  AT(report, collective.busbw_gbps), "the same as cables see it (NCCL tests call it so)" },

    { VIEW_COUNT, "sent",           VALUE_COUNT, AT(report, count.sent), "data packets sent, every attempt" },
    { VIEW_COUNT, "delivered",      VALUE_COUNT, AT(report, count.delivered), "data packets that receivers took in" },
    { VIEW_COUNT, "dropped",        VALUE_COUNT, AT(report, count.dropped), "data packets lost" },
    { VIEW_COUNT, "by",             MADE(measure_make_dropped_by, "integer"), "frames lost for one reason: by(\"headroom\"), by(\"icrc\")" },
    { VIEW_COUNT, "retransmitted",  VALUE_COUNT, AT(report, count.retransmitted), "data packets sent again" },
    { VIEW_COUNT, "refused",        VALUE_COUNT, AT(report, count.refused), "data packets that came out of order, or twice" },
    { VIEW_COUNT, "answers_dropped", VALUE_COUNT, AT(report, count.answers_dropped), "ACKs, NAKs and CNPs lost" },
    { VIEW_COUNT, "hops",           VALUE_COUNT, AT(report, count.hops), "packets and ACKs carried over one cable each" },

    { VIEW_PFC, "xoff_frames",      VALUE_COUNT, AT(report, count.xoff_frames), "PAUSE frames that stop a sender" },
    { VIEW_PFC, "xon_frames",       VALUE_COUNT, AT(report, count.xon_frames), "PAUSE frames that let it go on" },
    { VIEW_PFC, "paused",           VALUE_TIME,  AT(report, count.paused), "time spent paused, over all ports" },

    { VIEW_ECN, "marked",           VALUE_COUNT, AT(report, count.marked), "data packets that got an ECN mark" },
    { VIEW_ECN, "cnps",             VALUE_COUNT, AT(report, count.cnps), "warnings sent back to senders" },

    { VIEW_CREDITS, "stalled",      VALUE_TIME,  AT(report, count.starved), "time that packets waited for credits, over all ports" },

    { VIEW_INSIDE, "pcie",          VALUE_BYTES, AT(report, count.crossed[SIM_LINK_PCIE]), "payload, counted on each PCIe cable" },
    { VIEW_INSIDE, "nvlink",        VALUE_BYTES, AT(report, count.crossed[SIM_LINK_NVLINK]), "payload, counted on each NVLink cable" },
    { VIEW_INSIDE, "memory",        VALUE_BYTES, AT(report, count.crossed[SIM_LINK_MEMORY]), "payload, counted on each memory bus" },
    { VIEW_INSIDE, "pcie_crossings", MADE(measure_make_crossings, "number"), "PCIe cables that a delivered byte crossed, on average" },

    { VIEW_FLOW, "name",            MADE(measure_make_flow_name, "text"), "its name" },
    { VIEW_FLOW, "bytes",           VALUE_BYTES, AT(report_flow, bytes), "payload posted" },
    { VIEW_FLOW, "start",           VALUE_TIME,  AT(report_flow, start), "when it began" },
    { VIEW_FLOW, "fct",             VALUE_TIME,  AT(report_flow, fct), "from its start to its last ACK" },
    { VIEW_FLOW, "fct_all",         VALUE_TIME,  AT(report_flow, all), "the same for all queue pairs of its connection" },
    { VIEW_FLOW, "goodput",         VALUE_GBPS,  AT(report_flow, goodput_gbps), "payload by that time" },
    { VIEW_FLOW, "acked",           MADE(measure_make_flow_acked, "integer"), "data packets that its sender need not send again (go-back-0: those of whole messages)" },
    { VIEW_FLOW, "arrived",         MADE(measure_make_flow_arrived, "size"), "payload that has arrived so far" },
    { VIEW_FLOW, "mean_rate",       MADE(measure_make_flow_mean_rate, "rate"), "that by the time since its start, also of a flow that has no end" },
    { VIEW_FLOW, "retransmitted",   VALUE_COUNT, AT(report_flow, retransmitted), "data packets sent again" },
    { VIEW_FLOW, "dropped",         MADE(measure_make_flow_dropped, "integer"), "data packets lost" },
    { VIEW_FLOW, "cwnd",            MADE(measure_make_flow_cwnd, "integer"), "tcp: congestion window (packets)" },
    { VIEW_FLOW, "ssthresh",        MADE(measure_make_flow_ssthresh, "integer"), "tcp: slow-start threshold (packets)" },
    { VIEW_FLOW, "rtt",             VALUE_TIME,  AT(report_flow, rtt), "tcp: smoothed round trip" },
    { VIEW_FLOW, "rto",             VALUE_TIME,  AT(report_flow, rto), "how long it waits for an ACK" },
    { VIEW_FLOW, "rate",            MADE(measure_make_flow_rate, "rate"), "cc dcqcn: what it may send" },

    { VIEW_PORT, "queue",           MADE(measure_make_port_queue, "size"), "bytes that wait to leave by it" },
    { VIEW_PORT, "queue_peak",      MADE(measure_make_port_peak, "size"), "the most that ever waited there" },
    { VIEW_PORT, "held",            MADE(measure_make_port_held, "size"), "bytes held from the neighbour there" },
    { VIEW_PORT, "headroom",        MADE(measure_make_port_headroom, "size"), "those of them that lie in the headroom" },
    { VIEW_PORT, "headroom_limit",  MADE(measure_make_port_headroom_limit, "size"), "how much headroom there is for them" },
    { VIEW_PORT, "dropped",         MADE(measure_make_port_dropped, "integer"), "packets lost for want of room toward this cable" },
    { VIEW_PORT, "load",            MADE(measure_make_port_load, "number"), "share of the time so far in which it has sent" },
    { VIEW_PORT, "pause",           MADE(measure_make_port_pause, "number"), "share of it in which its neighbour paused it" },

    { VIEW_CARD, "time",            MADE(measure_make_card_time, "time"), "how long it has run" },
    { VIEW_CARD, "goodput",         MADE(measure_make_card_goodput, "rate"), "payload that arrived in it, of all flows together" },
    { VIEW_CARD, "delivered",       MADE(measure_make_card_delivered, "integer"), "data packets that receivers took in" },
    { VIEW_CARD, "dropped",         MADE(measure_make_card_dropped, "integer"), "data packets lost" },
    { VIEW_CARD, "retransmitted",   MADE(measure_make_card_retransmitted, "integer"), "data packets sent again" },
    { VIEW_CARD, "timeouts",        MADE(measure_make_card_timeouts, "integer"), "timers that ran out" },
    { VIEW_CARD, "xoff_frames",     MADE(measure_make_card_xoff_frames, "integer"), "PAUSE frames that stop a sender" },

    { VIEW_WORK, "gpus",            MADE(measure_make_gpus, "integer"), "GPUs in the training" },
    { VIEW_WORK, "rounds",          MADE(measure_make_rounds, "integer"), "rounds of one collective" },
    { VIEW_WORK, "buckets",         MADE(measure_make_buckets, "integer"), "collectives in one step" },
    { VIEW_WORK, "bytes",           MADE(measure_make_work_bytes, "size"), "gradient of each GPU and step" },
    { VIEW_WORK, "packets",         MADE(measure_make_work_packets, "integer"), "data packets of a step" },
    { VIEW_WORK, "packets_per_gpu", MADE(measure_make_packets_per_gpu, "integer"), "those that one GPU sends" },
    { VIEW_WORK, "packets_per_message", MADE(measure_make_packets_per_message, "integer"), "those of one message" },
};
/* clang-format on */
#define VIEW_FIELD_COUNT (sizeof view_fields / sizeof view_fields[0])

bool lesson_measured(size_t i, struct lesson_measured *row)
{
    if (i >= VIEW_FIELD_COUNT) {
        return false;
    }
    const struct view_field *f = &view_fields[i];
    *row = (struct lesson_measured){
        .of = view_names[f->view],
        .name = f->name,
        .takes = f->make == measure_make_flow || f->make == measure_make_port ||
                         f->make == measure_make_dropped_by
                     ? "text"
                     : NULL,
        .type = f->type == VALUE_MADE   ? f->made
                : f->type == VALUE_VIEW ? view_names[f->offset]
                                        : value_words[f->type],
        .help = f->help,
    };
    return true;
}

/* The struct that the offsets of a view's fields go into. */
static const void *base_of(const struct view *view)
{
    switch (view->kind) {
    case VIEW_STEP:
        return measure_step_of(view);
    case VIEW_FLOW:
        return &view->report->flows[view->at];
    case VIEW_REPORT:
    case VIEW_COLLECTIVE:
    case VIEW_COUNT:
    case VIEW_PFC:
    case VIEW_ECN:
    case VIEW_CREDITS:
    case VIEW_INSIDE:
    case VIEW_STEPS:
    case VIEW_PORT:
    case VIEW_WORK:
    case VIEW_SET:
    case VIEW_SCENES:
    case VIEW_CARD:
        break;
    }
    return view->report;
}

static void push_rate(lua_State *L, double gbps)
{
    if (!(gbps >= 0)) {
        lesson_host_pending(L);
    }
    lesson_quantity_push(L, UNIT_RATE, llround(gbps * 1e9));
}

static void push_node(lua_State *L, const struct view *view, uint32_t node)
{
    if (node == SIM_NONE) {
        lesson_host_pending(L);
    }
    lua_pushstring(L, sim_node(view->report->sim, node).name);
}

static void push_value(lua_State *L, const struct view *view, const struct view_field *f)
{
    const char *p = (const char *)base_of(view) + (f->type == VALUE_VIEW ? 0 : f->offset);
    switch (f->type) {
    case VALUE_TIME:
        measure_push_time(L, *(const sim_ps *)(const void *)p);
        break;
    case VALUE_BYTES:
        lesson_quantity_push(L, UNIT_BYTES, *(const int64_t *)(const void *)p);
        break;
    case VALUE_COUNT:
        lua_pushinteger(L, (lua_Integer) * (const uint64_t *)(const void *)p);
        break;
    case VALUE_SIZE:
        lua_pushinteger(L, (lua_Integer) * (const size_t *)(const void *)p);
        break;
    case VALUE_GBPS:
        push_rate(L, *(const double *)(const void *)p);
        break;
    case VALUE_NODE:
        push_node(L, view, *(const uint32_t *)(const void *)p);
        break;
    case VALUE_VIEW:
        measure_push_view(L, (enum view_kind)f->offset, view->report, 0);
        break;
    case VALUE_MADE:
        f->make(L, view);
        break;
    }
}

bool measure_push_field(lua_State *L, const struct view *view, const char *name)
{
    for (size_t i = 0; i < VIEW_FIELD_COUNT; i++) {
        if (view_fields[i].view == view->kind && strcmp(view_fields[i].name, name) == 0) {
            push_value(L, view, &view_fields[i]);
            return true;
        }
    }
    return false;
}

int measure_no_field(lua_State *L, const struct view *view, const char *name)
{
    const char *names[VIEW_FIELD_COUNT + 1];
    size_t n = 0;
    for (size_t i = 0; i < VIEW_FIELD_COUNT; i++) {
        if (view_fields[i].view == view->kind) {
            names[n++] = view_fields[i].name;
        }
    }
    names[n] = NULL;
    const char *near = lesson_nearest(names, name);
    return near == NULL
               ? luaL_error(L, "a report has no `%s` here", name)
               : luaL_error(L, "a report has no `%s` here; did you mean `%s`?", name, near);
}
