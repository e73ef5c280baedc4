#include "export/json.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "export/json_parts.h"
#include "sim/knobs.h"
#include "sim/sim.h"

/* Nanoseconds; what is not over yet is null. */
json_t *export_json_ns(sim_ps t)
{
    return t == SIM_NEVER ? json_null() : json_real((double)t / 1000.0);
}

static json_t *ns(sim_ps t)
{
    return export_json_ns(t);
}

static json_t *count(uint64_t n)
{
    return json_integer((json_int_t)n);
}

static json_t *node_name(const struct report *r, uint32_t node)
{
    return node == SIM_NONE ? json_null() : json_string(sim_node(r->sim, node).name);
}

json_t *export_json_knob(enum sim_knob knob, int64_t value)
{
    const struct sim_knob_info *info = sim_knob_info(knob);
    if (info->type == SIM_KNOB_NUMBER && info->unit == UNIT_COUNT && value != SIM_AUTO &&
        value != SIM_UNLIMITED) {
        return json_integer(value);
    }
    char buf[64];
    return json_string(sim_knob_format(knob, value, true, buf, sizeof buf));
}

json_t *export_json_set(const struct sim *sim)
{
    json_t *set = json_object();
    int64_t flow_control = sim_knob(sim, SIM_KNOB_FLOW_CONTROL);
    json_object_set_new(set, "pfc", json_boolean(flow_control == SIM_FC_PFC));
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        enum sim_knob knob = (enum sim_knob)k;
        json_object_set_new(set, sim_knob_info(knob)->name,
                            export_json_knob(knob, sim_knob(sim, knob)));
    }
    return set;
}

static json_t *stall_object(const struct report *r)
{
    if (r->outcome != REPORT_STALLED) {
        return json_null();
    }
    json_t *waiting = json_array();
    for (size_t i = 0; i < r->waiting_count; i++) {
        const struct report_waiting *w = &r->waiting[i];
        json_t *row = json_object();
        json_object_set_new(row, "who", node_name(r, w->node));
        json_object_set_new(row, "for", json_string(w->what));
        json_object_set_new(row, "since_ns", ns(w->since));
        json_array_append_new(waiting, row);
    }
    json_t *stall = json_object();
    json_object_set_new(stall, "reason", json_string(sim_reason_word(r->stall.reason)));
    json_t *cycle = json_array();
    for (size_t i = 0; i < r->cycle_count; i++) {
        json_array_append_new(cycle, json_string(sim_port(r->sim, r->cycle[i]).name));
    }
    json_object_set_new(stall, "cycle", cycle);
    json_object_set_new(stall, "waiting", waiting);
    return stall;
}

static json_t *steps_array(const struct report *r)
{
    json_t *steps = json_array();
    for (size_t i = 0; i < r->step_count; i++) {
        const struct report_step *s = &r->steps[i];
        json_t *row = json_object();
        json_object_set_new(row, "step", json_integer(s->step));
        json_object_set_new(row, "start_ns", ns(s->start));
        json_object_set_new(row, "end_ns", ns(s->end));
        json_object_set_new(row, "compute_ns", ns(s->compute));
        json_object_set_new(row, "exposed_comm_ns",
                            s->end == SIM_NEVER ? json_null() : ns(s->exposed_comm));
        json_object_set_new(row, "slowest", node_name(r, s->slowest));
        json_array_append_new(steps, row);
    }
    return steps;
}

static json_t *collective_object(const struct report *r)
{
    const struct report_collective *c = &r->collective;
    if (sim_rank_count(r->sim) == 0) {
        return json_null(); /* flows only: nobody sums anything */
    }
    bool any = c->count > 0;
    json_t *o = json_object();
    json_object_set_new(o, "kind", json_string(sim_collective_name(r->sim)));
    json_object_set_new(o, "bytes", json_integer(c->bytes));
    json_object_set_new(o, "mean_ns", any ? ns(c->mean) : json_null());
    json_object_set_new(o, "p50_ns", any ? ns(c->p50) : json_null());
    json_object_set_new(o, "p99_ns", any ? ns(c->p99) : json_null());
    json_object_set_new(o, "max_ns", any ? ns(c->max) : json_null());
    json_object_set_new(o, "algbw_gbps", any ? json_real(c->algbw_gbps) : json_null());
    json_object_set_new(o, "busbw_gbps", any ? json_real(c->busbw_gbps) : json_null());
    return o;
}

static void add_counters(json_t *root, const struct report *r)
{
    const struct sim_counters *c = &r->count;
    json_t *packets = json_object();
    json_object_set_new(packets, "sent", count(c->sent));
    json_object_set_new(packets, "delivered", count(c->delivered));
    json_object_set_new(packets, "dropped", count(c->dropped));
    json_object_set_new(packets, "retransmitted", count(c->retransmitted));
    json_object_set_new(packets, "hops", count(c->hops));
    json_object_set_new(packets, "answers_dropped", count(c->answers_dropped));
    json_t *by = json_object(); /* both, by reason; only the reasons that there were */
    for (int reason = 0; reason < SIM_REASON_COUNT; reason++) {
        if (c->dropped_by[reason] > 0) {
            json_object_set_new(by, sim_reason_word((enum sim_reason)reason),
                                count(c->dropped_by[reason]));
        }
    }
    json_object_set_new(packets, "dropped_by", by);
    json_object_set_new(root, "packets", packets);

    json_t *pfc = json_object();
    json_object_set_new(pfc, "xoff_frames", count(c->xoff_frames));
    json_object_set_new(pfc, "xon_frames", count(c->xon_frames));
    json_object_set_new(pfc, "paused_ns", ns(c->paused));
    json_object_set_new(root, "pfc", pfc);

    json_t *ecn = json_object();
    json_object_set_new(ecn, "marked", count(c->marked));
    json_object_set_new(ecn, "cnps", count(c->cnps));
    json_object_set_new(root, "ecn", ecn);
    json_t *credits = json_object();
    json_object_set_new(credits, "stalled_ns", ns(c->starved));
    json_object_set_new(root, "credits", credits);

    json_t *inside = json_object();
    json_object_set_new(inside, "pcie_bytes", count(c->crossed[SIM_LINK_PCIE]));
    json_object_set_new(inside, "nvlink_bytes", count(c->crossed[SIM_LINK_NVLINK]));
    json_object_set_new(inside, "memory_bytes", count(c->crossed[SIM_LINK_MEMORY]));
    json_object_set_new(inside, "pcie_crossings",
                        r->pcie_crossings < 0 ? json_null() : json_real(r->pcie_crossings));
    json_object_set_new(root, "inside", inside);

    json_object_set_new(root, "timeouts", count(c->timeouts));
    json_object_set_new(root, "naks", count(c->naks));
    json_object_set_new(root, "events", count(c->events));
}

static json_t *flows_array(const struct report *r)
{
    json_t *flows = json_array();
    for (size_t i = 0; i < r->flow_count; i++) {
        const struct report_flow *f = &r->flows[i];
        struct sim_flow_info info = sim_flow(r->sim, f->flow);
        json_t *row = json_object();
        json_object_set_new(row, "id", json_integer((json_int_t)f->flow + 1));
        json_object_set_new(row, "src", node_name(r, info.src));
        json_object_set_new(row, "dst", node_name(r, info.dst));
        json_object_set_new(row, "bytes", json_integer(f->bytes));
        json_object_set_new(row, "start_ns", ns(f->start));
        json_object_set_new(row, "fct_ns", ns(f->fct));
        json_object_set_new(row, "goodput_gbps",
                            f->fct == SIM_NEVER ? json_null() : json_real(f->goodput_gbps));
        json_object_set_new(row, "retransmitted", count(f->retransmitted));
        json_object_set_new(row, "name", json_string(info.name));
        if (f->cwnd > 0) {
            json_object_set_new(row, "cwnd_packets", count(f->cwnd));
            json_object_set_new(row, "ssthresh_packets", count(f->ssthresh));
            json_object_set_new(row, "rtt_ns", ns(f->rtt));
        }
        json_object_set_new(row, "rto_ns", ns(f->rto));
        if (f->rate_bps > 0) {
            json_object_set_new(row, "rate_gbps", json_real((double)f->rate_bps / 1e9));
        }
        json_array_append_new(flows, row);
    }
    return flows;
}

static json_t *queues_array(const struct report *r)
{
    json_t *queues = json_array();
    for (size_t i = 0; i < r->queue_count; i++) {
        const struct report_queue *q = &r->queues[i];
        json_t *row = json_object();
        json_object_set_new(row, "at", json_string(sim_port(r->sim, q->port).name));
        json_object_set_new(row, "max_bytes", json_integer(q->max_bytes));
        json_object_set_new(row, "mean_bytes", json_real(q->mean_bytes));
        json_object_set_new(row, "dropped", count(q->dropped));
        json_array_append_new(queues, row);
    }
    return queues;
}

/* Appends a JSON value and a newline, and lets go of it. */
static void print(struct text *out, json_t *root)
{
    char *s = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    text_add(out, s);
    text_add(out, "\n");
    free(s);
    json_decref(root);
}

struct json_t *export_json_text(const char *s)
{
    struct text clean = { 0 };
    text_add_clean(&clean, s, strlen(s), false);
    json_t *out = json_string(text_str(&clean));
    text_finish(&clean);
    return out;
}

void export_json_report(struct text *out, const struct report *r, const char *name,
                        const char *version)
{
    json_t *root = json_object(); /* jansson keeps the order in which keys are set */
    json_object_set_new(root, "schema", json_integer(1));
    json_object_set_new(root, "weft", json_string(version));
    json_object_set_new(root, "scenario", json_string(name));
    json_object_set_new(root, "seed", count(sim_seed(r->sim)));
    json_object_set_new(root, "set", export_json_set(r->sim));
    json_object_set_new(root, "end_ns", ns(r->end));
    json_object_set_new(root, "outcome", json_string(report_outcome_word(r->outcome)));
    json_object_set_new(root, "stall", stall_object(r));
    json_object_set_new(root, "steps", steps_array(r));
    json_object_set_new(root, "collective", collective_object(r));
    json_object_set_new(root, "gpu_busy", r->gpu_busy < 0 ? json_null() : json_real(r->gpu_busy));
    add_counters(root, r);
    json_object_set_new(root, "flows", flows_array(r));
    json_object_set_new(root, "queues", queues_array(r));
    print(out, root);
}

static const char *unit_word(enum unit_kind unit)
{
    switch (unit) {
    case UNIT_COUNT:
        return "count";
    case UNIT_TIME:
        return "time";
    case UNIT_RATE:
        return "rate";
    case UNIT_BYTES:
        return "bytes";
    case UNIT_SHARE:
        return "share";
    }
    return "";
}

static json_t *knob_row(enum sim_knob knob)
{
    const struct sim_knob_info *info = sim_knob_info(knob);
    bool choice = info->type == SIM_KNOB_CHOICE;
    json_t *row = json_object();
    json_object_set_new(row, "name", json_string(info->name));
    json_object_set_new(row, "type", json_string(choice ? "choice" : "number"));
    json_object_set_new(row, "unit", choice ? json_null() : json_string(unit_word(info->unit)));
    json_t *choices = choice ? json_array() : json_null();
    for (const char *const *c = sim_knob_choices(knob); choice && *c != NULL; c++) {
        json_array_append_new(choices, json_string(*c));
    }
    json_object_set_new(row, "choices", choices);
    json_object_set_new(row, "min", choice ? json_null() : export_json_knob(knob, info->min));
    json_object_set_new(row, "max", choice ? json_null() : export_json_knob(knob, info->max));
    json_object_set_new(row, "auto", json_boolean((info->allow & SIM_MAY_AUTO) != 0));
    json_object_set_new(row, "unlimited", json_boolean((info->allow & SIM_MAY_UNLIMITED) != 0));
    json_object_set_new(row, "default", export_json_knob(knob, info->def));
    json_object_set_new(row, "when", json_string(sim_when_name(info->when)));
    json_object_set_new(row, "group", json_string(info->group));
    json_object_set_new(row, "term", json_string(info->term));
    json_object_set_new(row, "help", json_string(info->help));
    return row;
}

void export_json_knobs(struct text *out)
{
    json_t *knobs = json_array();
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        json_array_append_new(knobs, knob_row((enum sim_knob)k));
    }
    json_t *root = json_object();
    json_object_set_new(root, "knobs", knobs);
    print(out, root);
}
