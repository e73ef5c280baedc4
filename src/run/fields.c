/* The rows of fields.h as data, and where records stand in a scenario. */
#include "run/fields.h"

#include <limits.h>
#include <string.h>

static const char *const node_words[] = {
    [SIM_HOST] = "host", [SIM_SWITCH] = "switch", [SIM_MEMORY] = "memory", NULL
};
static const char *const link_words[] = { [SIM_LINK_FABRIC] = "fabric",
                                          [SIM_LINK_PCIE] = "pcie",
                                          [SIM_LINK_NVLINK] = "nvlink",
                                          [SIM_LINK_MEMORY] = "memory",
                                          NULL };
static const char *const vl_tables[] = { [SIM_VL_HIGH] = "high", [SIM_VL_LOW] = "low", NULL };

/* ---- the rows as data ------------------------------------------------------------------------ */

/* What the type of a member can hold. */
#define MOST(type, member)                                                                         \
    _Generic(((type *)0)->member, bool : 1, int                                                    \
             : INT_MAX, uint32_t                                                                   \
             : UINT32_MAX, int64_t                                                                 \
             : INT64_MAX, default : 0)

#define ROW(member, word, kind, words, otherwise)                                                  \
    { word,                                                                                        \
      FIELD_##kind,                                                                                \
      words,                                                                                       \
      otherwise,                                                                                   \
      MOST(RECORD, member),                                                                        \
      offsetof(RECORD, member),                                                                    \
      sizeof(((RECORD *)0)->member) },

/*
 * One initial value for each row. A struct with a member more than rows does not compile here, in a
 * place that says what is missing: the row of the new member.
 */
#define NONE(member, word, kind, words, otherwise) NONE_##kind,
#define NONE_NAME                                  ""
#define NONE_NODE                                  0
#define NONE_NUMBER                                0
#define NONE_TIME                                  0
#define NONE_RATE                                  0
#define NONE_SIZE                                  0
#define NONE_YES                                   false
#define NONE_WORD                                  0
#define NONE_COMMAND                                                                               \
    {                                                                                              \
        0                                                                                          \
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wmissing-field-initializers"
#define COVERED(type, rows) __attribute__((unused)) static const type rows##_cover = { rows(NONE) }
COVERED(struct sim_node_spec, NODE_FIELDS);
COVERED(struct sim_link_spec, LINK_FIELDS);
COVERED(struct sim_class_spec, CLASS_FIELDS);
COVERED(struct sim_vl_entry, VL_FIELDS);
COVERED(struct sim_flow_spec, FLOW_FIELDS);
COVERED(struct sim_training_spec, TRAINING_FIELDS);
COVERED(struct sim_route_spec, ROUTE_FIELDS);
COVERED(struct sim_pin_spec, PIN_FIELDS);
COVERED(struct sim_fault_spec, FAULT_FIELDS);

/* The same for the scenario as a whole: each member is a record below, or a line of its own in
 * replay_write.c. */
__attribute__((unused)) static const struct sim_scenario scenario_cover = {
    "",              /* name: scenario */
    NULL,      0, 0, /* nodes: node */
    NULL,      0, 0, /* links: link */
    0,               /* work: whether there is a record training */
    NULL,      0, 0, /* flows: flow */
    NULL,      0, 0, /* routes: route */
    NULL,      0, 0, /* pins: pin */
    0,               /* blocks: blocks */
    { 0 },           /* training: training */
    { { 0 } },       /* classes: class */
    { { 0 } }, 0,    /* vl_entries: vl */
    0,               /* vl_limit: vl_limit */
    { { 0 } },       /* knobs: set */
    NULL,      0, 0, /* faults: fault */
};
#pragma GCC diagnostic pop

#define RECORD struct sim_node_spec
static const struct field node_fields[] = { NODE_FIELDS(ROW) };
#undef RECORD
#define RECORD struct sim_link_spec
static const struct field link_fields[] = { LINK_FIELDS(ROW) };
#undef RECORD
#define RECORD struct sim_class_spec
static const struct field class_fields[] = { CLASS_FIELDS(ROW) };
#undef RECORD
#define RECORD struct sim_vl_entry
static const struct field vl_fields[] = { VL_FIELDS(ROW) };
#undef RECORD
#define RECORD struct sim_flow_spec
static const struct field flow_fields[] = { FLOW_FIELDS(ROW) };
#undef RECORD
#define RECORD struct sim_training_spec
static const struct field training_fields[] = { TRAINING_FIELDS(ROW) };
#undef RECORD
#define RECORD struct sim_route_spec
static const struct field route_fields[] = { ROUTE_FIELDS(ROW) };
#undef RECORD
#define RECORD struct sim_pin_spec
static const struct field pin_fields[] = { PIN_FIELDS(ROW) };
#undef RECORD
#define RECORD struct sim_fault_spec
static const struct field fault_fields[] = { FAULT_FIELDS(ROW) };
#undef RECORD

/* ---- where records stand in a scenario ------------------------------------------------------- */

static size_t node_count(const struct sim_scenario *sc)
{
    return sc->node_count;
}

static const void *node_at(const struct sim_scenario *sc, size_t i)
{
    return &sc->nodes[i];
}

static bool node_add(struct sim_scenario *sc, size_t i, const void *from, struct err *err)
{
    const struct sim_node_spec *spec = from;
    uint32_t node;
    (void)i;
    return sim_scenario_node(sc, spec->name, spec->kind, &node, err) &&
           ((spec->row == 0 && spec->column == 0) ||
            sim_scenario_place(sc, node, spec->row, spec->column, err));
}

static size_t link_count(const struct sim_scenario *sc)
{
    return sc->link_count;
}

static const void *link_at(const struct sim_scenario *sc, size_t i)
{
    return &sc->links[i];
}

static bool link_add(struct sim_scenario *sc, size_t i, const void *from, struct err *err)
{
    (void)i;
    return sim_scenario_cable(sc, from, err);
}

static size_t class_count(const struct sim_scenario *sc)
{
    (void)sc;
    return SIM_PRIO_COUNT;
}

static const void *class_at(const struct sim_scenario *sc, size_t i)
{
    return &sc->classes[i];
}

static bool class_add(struct sim_scenario *sc, size_t i, const void *from, struct err *err)
{
    (void)err;
    sc->classes[i] = *(const struct sim_class_spec *)from;
    return true;
}

static size_t vl_count(const struct sim_scenario *sc)
{
    return sc->vl_entry_count;
}

static const void *vl_at(const struct sim_scenario *sc, size_t i)
{
    return &sc->vl_entries[i];
}

static bool vl_add(struct sim_scenario *sc, size_t i, const void *from, struct err *err)
{
    (void)i;
    return sim_scenario_vl(sc, from, err);
}

static size_t flow_count(const struct sim_scenario *sc)
{
    return sc->work == SIM_WORK_FLOWS ? sc->flow_count : 0;
}

static const void *flow_at(const struct sim_scenario *sc, size_t i)
{
    return &sc->flows[i];
}

static bool flow_add(struct sim_scenario *sc, size_t i, const void *from, struct err *err)
{
    const struct sim_flow_spec *spec = from;
    (void)i;
    if (sc->work == SIM_WORK_TRAINING) {
        return err_set(err, ERR_STATE, "this scenario has a training loop already: no flows");
    }
    if (!sim_scenario_flow(sc, spec->src, spec->dst, spec->bytes, spec->start_ps, err)) {
        return false;
    }
    sc->flows[sc->flow_count - 1] = *spec;
    return true;
}

static size_t training_count(const struct sim_scenario *sc)
{
    return sc->work == SIM_WORK_TRAINING ? 1 : 0;
}

static const void *training_at(const struct sim_scenario *sc, size_t i)
{
    (void)i;
    return &sc->training;
}

static bool training_add(struct sim_scenario *sc, size_t i, const void *from, struct err *err)
{
    (void)i;
    if (sc->work == SIM_WORK_TRAINING || sc->flow_count > 0) {
        return err_set(err, ERR_STATE, "this scenario has %s already: one workload a scenario",
                       sc->flow_count > 0 ? "flows" : "a training loop");
    }
    return sim_scenario_training(sc, from, err);
}

static size_t route_count(const struct sim_scenario *sc)
{
    return sc->route_count;
}

static const void *route_at(const struct sim_scenario *sc, size_t i)
{
    return &sc->routes[i];
}

static bool route_add(struct sim_scenario *sc, size_t i, const void *from, struct err *err)
{
    const struct sim_route_spec *spec = from;
    (void)i;
    if (!sim_scenario_route(sc, spec->sw, spec->dst, spec->next, err)) {
        return false;
    }
    sc->routes[sc->route_count - 1] = *spec;
    return true;
}

static size_t pin_count(const struct sim_scenario *sc)
{
    return sc->pin_count;
}

static const void *pin_at(const struct sim_scenario *sc, size_t i)
{
    return &sc->pins[i];
}

static bool pin_add(struct sim_scenario *sc, size_t i, const void *from, struct err *err)
{
    const struct sim_pin_spec *spec = from;
    (void)i;
    return sim_scenario_pin(sc, spec->flow, spec->via, err);
}

static size_t fault_count(const struct sim_scenario *sc)
{
    return sc->fault_count;
}

static const void *fault_at(const struct sim_scenario *sc, size_t i)
{
    return &sc->faults[i];
}

static bool fault_add(struct sim_scenario *sc, size_t i, const void *from, struct err *err)
{
    const struct sim_fault_spec *spec = from;
    (void)i;
    return sim_scenario_fault(sc, spec->at, &spec->cmd, err);
}

#define KIND(noun, numbered)                                                                       \
    {                                                                                              \
#noun, noun##_fields, sizeof noun##_fields / sizeof *noun##_fields, numbered,              \
            noun##_count, noun##_at, noun##_add                                                    \
    }
static const struct field_record records[] = {
    KIND(node, false),     KIND(link, false),  KIND(class, true),
    KIND(vl, false),       KIND(route, false), KIND(flow, false),
    KIND(training, false), KIND(pin, false),   KIND(fault, false),
};
#undef KIND

const struct field_record *field_records(size_t *count)
{
    *count = sizeof records / sizeof *records;
    return records;
}

const struct field_record *field_record_find(const char *word)
{
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        if (strcmp(records[i].word, word) == 0) {
            return &records[i];
        }
    }
    return NULL;
}
