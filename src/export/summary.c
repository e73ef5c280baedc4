#include "export/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "sim/knobs.h"
#include "sim/sim.h"

enum { STEPS_SHOWN = 12, QUEUES_SHOWN = 5, WIDTH = 78 };

static void add_time(struct text *out, sim_ps t)
{
    char buf[64];
    text_add(out, t == SIM_NEVER ? "not over" : units_format(buf, sizeof buf, UNIT_TIME, t));
}

static void add_count(struct text *out, uint64_t n, const char *one, const char *many)
{
    char buf[64];
    text_add(out, units_counted(buf, sizeof buf, (int64_t)n, one, many));
}

static void add_outcome(struct text *out, const struct report *r, const char *name)
{
    text_addf(out, "%s, seed %" PRIu64 ": ", name, sim_seed(r->sim));
    switch (r->outcome) {
    case REPORT_DONE:
        text_add(out, "done after ");
        break;
    case REPORT_STALLED:
        text_addf(out, "stalled (%s) at ", sim_reason_word(r->stall.reason));
        break;
    case REPORT_TIME_LIMIT:
        text_add(out, "stopped before it was done, at ");
        break;
    case REPORT_MEMORY_LIMIT:
        text_add(out, "out of its memory limit at ");
        break;
    }
    add_time(out, r->end);
    text_add(out, "\n");
    for (size_t i = 0; i < r->cycle_count; i++) {
        struct sim_port_info port = sim_port(r->sim, r->cycle[i]);
        text_addf(out, "  %s waits for %s\n", port.name,
                  sim_node(r->sim, sim_port(r->sim, port.peer).node).name);
    }
    for (size_t i = 0; i < r->waiting_count; i++) {
        const struct report_waiting *w = &r->waiting[i];
        text_addf(out, "  %s waits since ", sim_node(r->sim, w->node).name);
        add_time(out, w->since);
        text_addf(out, ": %s", w->what);
        text_add(out, "\n");
    }
}

/* Only what differs from the default: the rest is `weft knobs`. */
static void add_settings(struct text *out, const struct report *r)
{
    bool any = false;
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        enum sim_knob knob = (enum sim_knob)k;
        const struct sim_knob_info *info = sim_knob_info(knob);
        int64_t value = sim_knob(r->sim, knob);
        if (value == info->def) {
            continue;
        }
        char buf[64];
        text_addf(out, "%s%s %s", any ? ", " : "set       ", info->name,
                  sim_knob_format(knob, value, false, buf, sizeof buf));
        any = true;
    }
    text_add(out, any ? "\n" : "");
}

static void add_steps(struct text *out, const struct report *r)
{
    for (size_t i = 0; i < r->step_count && i < STEPS_SHOWN; i++) {
        const struct report_step *s = &r->steps[i];
        text_addf(out, "step %-5" PRId64, s->step);
        if (s->end == SIM_NEVER) {
            text_add(out, "not over\n");
            continue;
        }
        add_time(out, s->end - s->start);
        text_add(out, ": computes ");
        add_time(out, s->compute);
        text_add(out, ", exchanges and waits ");
        add_time(out, s->exposed_comm);
        if (s->slowest != SIM_NONE) {
            text_addf(out, "; %s was last", sim_node(r->sim, s->slowest).name);
        }
        text_add(out, "\n");
    }
    if (r->step_count > STEPS_SHOWN) {
        text_add(out, "          ... and ");
        add_count(out, r->step_count - STEPS_SHOWN, "more step", "more steps");
        text_add(out, "\n");
    }
}

static void add_collective(struct text *out, const struct report *r)
{
    const struct report_collective *c = &r->collective;
    if (c->count == 0) {
        return;
    }
    char buf[64];
    if (sim_knob(r->sim, SIM_KNOB_COLLECTIVE) == SIM_COLL_ALL_TO_ALL) { /* nothing is summed */
        text_add(out, "exchanges ");
        add_count(out, c->count, "all-to-all", "all-to-alls");
    } else {
        text_add(out, "sums      ");
        add_count(out, c->count, "all-reduce", "all-reduces");
    }
    text_addf(out, " of %s: mean ", units_format(buf, sizeof buf, UNIT_BYTES, c->bytes));
    add_time(out, c->mean);
    text_add(out, ", longest ");
    add_time(out, c->max);
    text_addf(out, "; bus bandwidth %.3g Gb/s\n", c->busbw_gbps);
    if (r->gpu_busy >= 0) {
        text_addf(out, "GPUs      compute %.3g %% of the time\n", r->gpu_busy * 100);
    }
}

static void add_counters(struct text *out, const struct report *r)
{
    const struct sim_counters *c = &r->count;
    text_add(out, "packets   ");
    add_count(out, c->sent, "sent", "sent");
    text_add(out, ", ");
    add_count(out, c->delivered, "delivered", "delivered");
    text_add(out, ", ");
    add_count(out, c->dropped, "lost", "lost");
    if (c->answers_dropped > 0) {
        text_add(out, " and ");
        add_count(out, c->answers_dropped, "answer lost", "answers lost");
    }
    const char *comma = " (";
    for (int reason = 0; reason < SIM_REASON_COUNT; reason++) {
        if (c->dropped_by[reason] > 0) {
            text_addf(out, "%s%s %" PRIu64, comma, sim_reason_word((enum sim_reason)reason),
                      c->dropped_by[reason]);
            comma = ", ";
        }
    }
    text_add(out, comma[0] == ',' ? "), " : ", ");
    add_count(out, c->retransmitted, "resent", "resent");
    text_add(out, "\nrecovery  ");
    add_count(out, c->naks, "NAK", "NAKs");
    text_add(out, ", ");
    add_count(out, c->timeouts, "timeout", "timeouts");
    /* As it is now: it may have been another one when they fired. */
    const int64_t transport = sim_knob(r->sim, SIM_KNOB_TRANSPORT);
    text_add(out, transport == SIM_TCP ? "; the timer is at least " : "; the timer is set to ");
    add_time(out, sim_timeout_ps(r->sim));
    if (transport == SIM_SELECTIVE) {
        text_add(out, ", for a short tail to ");
        add_time(out, sim_knob(r->sim, SIM_KNOB_RTO_LOW));
    }
    text_add(out, "\n");
}

/* Does PFC speak before ECN has said all that it can (model 8)? A threshold that moves is not looked at. */
static bool pauses_come_first(const struct sim *s)
{
    return sim_knob(s, SIM_KNOB_ECN) == SIM_ON &&
           sim_knob(s, SIM_KNOB_FLOW_CONTROL) == SIM_FC_PFC &&
           sim_knob(s, SIM_KNOB_ALPHA) == SIM_AUTO &&
           sim_knob(s, SIM_KNOB_KMAX) > sim_knob(s, SIM_KNOB_XOFF);
}

/* How the fabric held its senders back. */
static void add_brakes(struct text *out, const struct report *r)
{
    const struct sim_counters *c = &r->count;
    if (c->starved > 0 || sim_knob(r->sim, SIM_KNOB_FLOW_CONTROL) == SIM_FC_CREDITS) {
        text_add(out, "credits   ports had none for ");
        add_time(out, c->starved);
        text_add(out, " in all\n");
    }
    if (c->xoff_frames > 0 || sim_knob(r->sim, SIM_KNOB_FLOW_CONTROL) == SIM_FC_PFC) {
        text_add(out, "PAUSE     ");
        add_count(out, c->xoff_frames, "XOFF", "XOFF");
        text_add(out, ", ");
        add_count(out, c->xon_frames, "XON", "XON");
        text_add(out, "; ports were silent for ");
        add_time(out, c->paused);
        text_add(out, " in all\n");
    }
    if (c->marked > 0 || sim_knob(r->sim, SIM_KNOB_ECN) == SIM_ON) {
        text_add(out, "ECN       ");
        add_count(out, c->marked, "packet marked", "packets marked");
        text_add(out, ", ");
        add_count(out, c->cnps, "CNP", "CNPs");
        text_add(out,
                 pauses_come_first(r->sim)
                     ? "; Kmax is above XOFF: a neighbour may be paused before all it sends is "
                       "marked\n"
                     : "\n");
    }
}

/* Payload over the cables inside boxes, if there are any. */
static void add_inside(struct text *out, const struct report *r)
{
    static const struct {
        enum sim_link_kind kind;
        const char *word;
    } rows[] = { { SIM_LINK_PCIE, "PCIe" },
                 { SIM_LINK_NVLINK, "NVLink" },
                 { SIM_LINK_MEMORY, "memory" } };
    const char *before = "boxes     ";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t bytes = r->count.crossed[rows[i].kind];
        char buf[64];
        if (bytes > 0) {
            text_addf(out, "%s%s over %s", before,
                      units_format(buf, sizeof buf, UNIT_BYTES, (int64_t)bytes), rows[i].word);
            before = ", ";
        }
        if (bytes > 0 && rows[i].kind == SIM_LINK_PCIE && r->pcie_crossings > 0) {
            text_addf(out, " (%.3g crossings a byte)", r->pcie_crossings);
        }
    }
    text_add(out, before[0] == ',' ? "\n" : "");
}

/* The fullest queues, fullest first; in order of ports among equals. */
static void add_queues(struct text *out, const struct report *r)
{
    size_t order[QUEUES_SHOWN];
    size_t n = 0;
    for (size_t i = 0; i < r->queue_count; i++) {
        if (r->queues[i].max_bytes == 0) {
            continue;
        }
        size_t at = n < QUEUES_SHOWN ? n++ : QUEUES_SHOWN;
        for (; at > 0 && r->queues[order[at - 1]].max_bytes < r->queues[i].max_bytes; at--) {
            if (at < QUEUES_SHOWN) {
                order[at] = order[at - 1];
            }
        }
        if (at < QUEUES_SHOWN) {
            order[at] = i;
        }
    }
    for (size_t i = 0; i < n; i++) {
        const struct report_queue *q = &r->queues[order[i]];
        char buf[64];
        text_addf(out, "%-10s%s: at most %s queued", i == 0 ? "queues" : "",
                  sim_port(r->sim, q->port).name,
                  units_format(buf, sizeof buf, UNIT_BYTES, q->max_bytes));
        if (q->dropped > 0) {
            text_add(out, ", ");
            add_count(out, q->dropped, "packet lost", "packets lost");
        }
        text_add(out, "\n");
    }
}

void export_summary_report(struct text *out, const struct report *report, const char *name)
{
    add_outcome(out, report, name);
    add_settings(out, report);
    add_steps(out, report);
    add_collective(out, report);
    add_counters(out, report);
    add_brakes(out, report);
    add_inside(out, report);
    add_queues(out, report);
}

void export_summary_knobs(struct text *out)
{
    const char *group = "";
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        enum sim_knob knob = (enum sim_knob)k;
        const struct sim_knob_info *info = sim_knob_info(knob);
        char def[64];
        if (strcmp(group, info->group) != 0) {
            group = info->group;
            text_addf(out, "%s%s\n", k == 0 ? "" : "\n", group);
        }
        char name[32];
        (void)snprintf(name, sizeof name, "  %-17s ", info->name);
        text_add_wrapped(out, name, info->help, WIDTH);
        struct text values = { 0 };
        sim_knob_say_range(&values, knob);
        text_addf(&values, "; default %s; %s",
                  sim_knob_format(knob, info->def, false, def, sizeof def),
                  sim_when_name(info->when));
        text_add_wrapped(out, "                    ", text_str(&values), WIDTH);
        text_finish(&values);
    }
    text_add(out, "\npfc = on | off is short for flow_control = pfc | none.\n");
}
