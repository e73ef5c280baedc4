#include "export/trace_json.h"

#include <stdlib.h>
#include <string.h>

#include "export/json_parts.h"
#include "run/report.h"

enum { STYLE = JSON_COMPACT | JSON_REAL_PRECISION(15) };

struct writer {
    struct sink *sink;
    struct text line;
    bool any;
};

/* ---- a record -------------------------------------------------------------------------------- */

static json_t *node_of_port(const struct sim *sim, uint32_t port)
{
    return port == SIM_NONE ? json_null()
                            : json_string(sim_node(sim, sim_port(sim, port).node).name);
}

static json_t *at(const struct sim *sim, const struct sim_record *r)
{
    return r->port == SIM_NONE ? json_null() : json_string(sim_port(sim, r->port).name);
}

static json_t *peer(const struct sim *sim, const struct sim_record *r)
{
    return node_of_port(sim, r->port == SIM_NONE ? SIM_NONE : sim_port(sim, r->port).peer);
}

static json_t *flow(const struct sim *sim, const struct sim_record *r)
{
    return r->flow == SIM_NONE ? json_null() : json_string(sim_flow(sim, r->flow).name);
}

/* As sentences name it: an answer says what it is. */
static json_t *packet(const struct sim *sim, const struct sim_record *r)
{
    char name[160];
    return json_string(sim_trace_fill(sim, r, "{packet}", name, sizeof name));
}

static json_t *rank(const struct sim *sim, const struct sim_record *r)
{
    return r->rank == SIM_NONE ? json_null()
                               : json_string(sim_node(sim, sim_rank_node(sim, r->rank)).name);
}

static json_t *step(const struct sim *sim, const struct sim_record *r)
{
    (void)sim;
    return json_integer(r->step);
}

static json_t *reason(const struct sim *sim, const struct sim_record *r)
{
    (void)sim;
    return json_string(sim_reason_word((enum sim_reason)r->reason));
}

static json_t *number(const struct sim *sim, const struct sim_record *r)
{
    (void)sim;
    return json_integer(r->value);
}

static json_t *time_ns(const struct sim *sim, const struct sim_record *r)
{
    (void)sim;
    return export_json_ns(r->value);
}

static json_t *rate_gbps(const struct sim *sim, const struct sim_record *r)
{
    (void)sim;
    return json_real((double)r->value / 1e9);
}

static json_t *knob(const struct sim *sim, const struct sim_record *r)
{
    (void)sim;
    return r->knob < SIM_KNOB_COUNT ? json_string(sim_knob_info((enum sim_knob)r->knob)->name)
                                    : json_null();
}

static json_t *setting(const struct sim *sim, const struct sim_record *r)
{
    (void)sim;
    return r->knob < SIM_KNOB_COUNT ? export_json_knob((enum sim_knob)r->knob, r->value)
                                    : json_null();
}

/* A word of the sentences, and the member that says the same. */
static const struct {
    const char *word, *member;
    json_t *(*value)(const struct sim *sim, const struct sim_record *record);
} members[] = {
    { "{at}", "at", at },
    { "{peer}", "peer", peer },
    { "{packet}", "packet", packet },
    { "{flow}", "flow", flow },
    { "{rank}", "rank", rank },
    { "{step}", "step", step },
    { "{reason}", "reason", reason },
    { "{bytes}", "bytes", number },
    { "{time}", "time_ns", time_ns },
    { "{rate}", "rate_gbps", rate_gbps },
    { "{value}", "count", number },
    { "{packets}", "count", number },
    { "{timeouts}", "count", number },
    { "{knob}", "knob", knob },
    { "{setting}", "setting", setting },
};

static json_t *record_object(const struct sim *sim, const struct sim_record *r)
{
    const struct sim_trace_info *info = sim_trace_info((enum sim_trace_kind)r->kind);
    char sentence[512];
    json_t *o = json_object();
    if (info->class != SIM_FINE) {
        json_object_set_new(o, "seq", json_integer((json_int_t)r->seq));
    }
    json_object_set_new(o, "at_ns", export_json_ns(r->t));
    json_object_set_new(o, "kind", json_string(info->name));
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (strstr(info->sentence, members[i].word) != NULL) {
            json_object_set_new(o, members[i].member, members[i].value(sim, r));
        }
    }
    if (r->kind == SIM_TRACE_DROP) {
        json_object_set_new(o, "along_cable", json_real((double)r->value / 1000.0));
    }
    json_object_set_new(o, "says", json_string(sim_trace_say(sim, r, sentence, sizeof sentence)));
    return o;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Takes the value. */
static void add_value(struct text *out, json_t *value)
{
    char *s = json_dumps(value, STYLE | JSON_ENCODE_ANY);
    text_add(out, s);
    free(s);
    json_decref(value);
}

static void add_member(struct text *out, const char *name, json_t *value)
{
    text_addf(out, "%s\n  \"%s\": ", out->len == 1 ? "" : ",", name);
    add_value(out, value);
}

static const char *const kind_words[] = {
    [SIM_HOST] = "host", [SIM_SWITCH] = "switch", [SIM_MEMORY] = "memory"
};

static json_t *nodes_array(const struct sim *sim)
{
    json_t *nodes = json_array();
    for (uint32_t n = 0; n < sim_node_count(sim); n++) {
        const struct sim_node_info info = sim_node(sim, n);
        json_t *o = json_object();
        json_object_set_new(o, "name", json_string(info.name));
        json_object_set_new(o, "kind", json_string(kind_words[info.kind]));
        json_array_append_new(nodes, o);
    }
    return nodes;
}

static void add_head(struct text *out, const struct export_source *source)
{
    const struct sim *sim = run_sim(source->run);
    text_add(out, "{");
    add_member(out, "schema", json_integer(1));
    add_member(out, "weft", json_string(source->version));
    add_member(out, "scenario", json_string(source->name));
    add_member(out, "scene", source->scene != NULL ? json_string(source->scene) : json_null());
    add_member(out, "seed", json_integer((json_int_t)sim_seed(sim)));
    add_member(out, "set", export_json_set(sim));
    add_member(out, "nodes", nodes_array(sim));
    text_add(out, ",\n  \"records\": [");
}

static bool add_record(void *arg, const struct sim *sim, const struct sim_record *record)
{
    struct writer *w = arg;
    text_add(&w->line, w->any ? ",\n    " : "\n    ");
    add_value(&w->line, record_object(sim, record));
    w->any = true;
    return sink_add_text(w->sink, &w->line);
}

static void add_end(struct text *out, const struct sim *sim, bool complete, uint64_t lost)
{
    text_add(out, "\n  ]");
    add_member(out, "end_ns", complete ? export_json_ns(sim_now(sim)) : json_null());
    add_member(out, "outcome",
               complete ? json_string(report_outcome_word(report_outcome_of(sim))) : json_null());
    add_member(out, "complete", json_boolean(complete));
    add_member(out, "fine_lost", json_integer((json_int_t)lost));
    text_add(out, "\n}\n");
}

bool export_trace_json(const struct export_source *source, bool fine, struct sink *sink)
{
    struct writer w = { .sink = sink };
    struct text cut = { 0 };
    uint64_t lost = 0;
    add_head(&w.line, source);
    if (sink_add_text(sink, &w.line)) {
        lost = export_watch(source, fine ? UINT32_MAX : 0, sink, add_record, &w);
    }
    text_clear(&w.line);
    add_end(&w.line, run_sim(source->run), true, lost);
    add_end(&cut, run_sim(source->run), false, lost);
    const bool whole = sink_tail(sink, text_str(&w.line), text_str(&cut));
    text_finish(&w.line);
    text_finish(&cut);
    return whole;
}
