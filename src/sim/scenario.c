#include "sim/scenario.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/arbiter.h"
#include "sim/collective.h"
#include "sim/transport.h"
#include "sim/world.h"

void sim_scenario_init(struct sim_scenario *sc, const char *name)
{
    memset(sc, 0, sizeof *sc);
    (void)snprintf(sc->name, sizeof sc->name, "%s", name);
    sim_knobs_default(&sc->knobs);
    for (int prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        sc->classes[prio].weight = prio >= SIM_PRIO_CONTROL ? 0 : 50;
        sc->classes[prio].vl = SIM_OWN_VL;
    }
    sc->classes[SIM_PRIO_DATA].lossless = true;
}

void sim_scenario_finish(struct sim_scenario *sc)
{
    free(sc->nodes);
    free(sc->links);
    free(sc->flows);
    free(sc->faults);
    free(sc->routes);
    free(sc->pins);
    memset(sc, 0, sizeof *sc);
}

void sim_scenario_copy(struct sim_scenario *to, const struct sim_scenario *from)
{
    *to = *from;
    to->nodes = mem_dup(from->nodes, from->node_count * sizeof *from->nodes);
    to->links = mem_dup(from->links, from->link_count * sizeof *from->links);
    to->flows = mem_dup(from->flows, from->flow_count * sizeof *from->flows);
    to->faults = mem_dup(from->faults, from->fault_count * sizeof *from->faults);
    to->routes = mem_dup(from->routes, from->route_count * sizeof *from->routes);
    to->route_cap = from->route_count;
    to->pins = mem_dup(from->pins, from->pin_count * sizeof *from->pins);
    to->pin_cap = from->pin_count;
    to->node_cap = from->node_count;
    to->link_cap = from->link_count;
    to->flow_cap = from->flow_count;
    to->fault_cap = from->fault_count;
}

uint32_t sim_scenario_find(const struct sim_scenario *sc, const char *name)
{
    for (size_t i = 0; i < sc->node_count; i++) {
        if (strcmp(sc->nodes[i].name, name) == 0) {
            return (uint32_t)i;
        }
    }
    return UINT32_MAX;
}

static bool check_name(const char *name, struct err *err)
{
    static const char *const reserved[] = { "all", "any", "self", "nil" };
    size_t len = strlen(name);
    if (len == 0) {
        return err_set(err, ERR_NAME, "a node needs a name");
    }
    if (len >= SIM_NAME_MAX) {
        return err_set(err, ERR_NAME, "the node name \"%.40s\" is longer than %d letters", name,
                       SIM_NAME_MAX - 1);
    }
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)name[i];
        bool good = c < 0x80 && (isalnum(c) || (i > 0 && strchr("-_.", c) != NULL));
        if (!good || (i == 0 && !isalpha(c))) {
            return err_set(err, ERR_NAME,
                           "the node name \"%s\" may hold letters, digits, - _ . and begins with "
                           "a letter",
                           name);
        }
    }
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++) {
        if (strcmp(name, reserved[i]) == 0) {
            return err_set(err, ERR_NAME, "\"%s\" is a reserved word, not a node name", name);
        }
    }
    return true;
}

bool sim_scenario_node(struct sim_scenario *sc, const char *name, enum sim_node_kind kind,
                       uint32_t *index, struct err *err)
{
    if (!check_name(name, err)) {
        return false;
    }
    if (sc->node_count >= SIM_NODES_MAX) {
        return err_set(err, ERR_LIMIT, "more than %d nodes", SIM_NODES_MAX);
    }
    if (sim_scenario_find(sc, name) != UINT32_MAX) {
        return err_set(err, ERR_NAME, "there is already a node \"%s\"", name);
    }
    sc->nodes = mem_grow(sc->nodes, &sc->node_cap, sc->node_count + 1, sizeof *sc->nodes);
    struct sim_node_spec *node = &sc->nodes[sc->node_count];
    memset(node, 0, sizeof *node);
    (void)snprintf(node->name, sizeof node->name, "%s", name);
    node->kind = kind;
    if (index != NULL) {
        *index = (uint32_t)sc->node_count;
    }
    sc->node_count++;
    return true;
}

bool sim_scenario_cable(struct sim_scenario *sc, const struct sim_link_spec *link, struct err *err)
{
    if (link->a >= sc->node_count || link->b >= sc->node_count) {
        return err_set(err, ERR_NAME, "a link between nodes that do not exist");
    }
    const char *a = sc->nodes[link->a].name;
    const char *b = sc->nodes[link->b].name;
    if (link->a == link->b) {
        return err_set(err, ERR_RANGE, "a link from %s to itself", a);
    }
    if (sc->link_count >= SIM_LINKS_MAX) {
        return err_set(err, ERR_LIMIT, "more than %d links", SIM_LINKS_MAX);
    }
    if (!sim_knob_check(SIM_KNOB_RATE, link->rate_bps, err) || link->rate_bps == SIM_AUTO ||
        !sim_knob_check(SIM_KNOB_DELAY, link->delay_ps, err) || link->delay_ps == SIM_AUTO) {
        return err_note(err, "link %s - %s", a, b);
    }
    sc->links = mem_grow(sc->links, &sc->link_cap, sc->link_count + 1, sizeof *sc->links);
    sc->links[sc->link_count++] = *link;
    return true;
}

bool sim_scenario_link(struct sim_scenario *sc, uint32_t a, uint32_t b, int64_t rate_bps,
                       sim_ps delay_ps, struct err *err)
{
    const struct sim_link_spec link = {
        .a = a, .b = b, .rate_bps = rate_bps, .delay_ps = delay_ps
    };
    return sim_scenario_cable(sc, &link, err);
}

bool sim_scenario_flow(struct sim_scenario *sc, uint32_t src, uint32_t dst, int64_t bytes,
                       sim_ps start_ps, struct err *err)
{
    if (src >= sc->node_count || dst >= sc->node_count || sc->nodes[src].kind == SIM_SWITCH ||
        sc->nodes[dst].kind == SIM_SWITCH) {
        return err_set(err, ERR_NAME, "a flow runs from a host to a host");
    }
    if (src == dst) {
        return err_set(err, ERR_RANGE, "a flow from %s to itself", sc->nodes[src].name);
    }
    if (bytes < 0 || bytes > SIM_MESSAGE_MAX || start_ps < 0 || start_ps > SIM_LONGEST) {
        return err_set(err, ERR_RANGE, "flow %s>%s: 0 bytes to 4 TiB, start at 0 to 26 days",
                       sc->nodes[src].name, sc->nodes[dst].name);
    }
    if (sc->flow_count >= SIM_FLOWS_MAX) {
        return err_set(err, ERR_LIMIT, "more than %d flows", SIM_FLOWS_MAX);
    }
    sc->work = SIM_WORK_FLOWS;
    sc->flows = mem_grow(sc->flows, &sc->flow_cap, sc->flow_count + 1, sizeof *sc->flows);
    sc->flows[sc->flow_count++] = (struct sim_flow_spec){
        .src = src, .dst = dst, .bytes = bytes, .start_ps = start_ps, .prio = SIM_PRIO_DATA
    };
    return true;
}

bool sim_scenario_route(struct sim_scenario *sc, uint32_t sw, uint32_t dst, uint32_t next,
                        struct err *err)
{
    if (sw >= sc->node_count || dst >= sc->node_count || next >= sc->node_count ||
        sc->nodes[sw].kind != SIM_SWITCH || sc->nodes[dst].kind == SIM_SWITCH) {
        return err_set(err, ERR_NAME, "a route is for a switch, to a host, by way of a neighbour");
    }
    bool neighbours = false;
    for (size_t i = 0; i < sc->link_count; i++) {
        const struct sim_link_spec *link = &sc->links[i];
        neighbours =
            neighbours || (link->a == sw && link->b == next) || (link->b == sw && link->a == next);
    }
    if (!neighbours) {
        return err_set(err, ERR_STATE, "route: %s has no cable to %s", sc->nodes[sw].name,
                       sc->nodes[next].name);
    }
    if (sc->route_count >= SIM_ROUTES_MAX) {
        return err_set(err, ERR_LIMIT, "more than %d routes", SIM_ROUTES_MAX);
    }
    sc->routes = mem_grow(sc->routes, &sc->route_cap, sc->route_count + 1, sizeof *sc->routes);
    sc->routes[sc->route_count++] = (struct sim_route_spec){ .sw = sw, .dst = dst, .next = next };
    return true;
}

bool sim_scenario_vl(struct sim_scenario *sc, const struct sim_vl_entry *entry, struct err *err)
{
    size_t count = 0;
    for (size_t i = 0; i < sc->vl_entry_count; i++) {
        count += sc->vl_entries[i].table == entry->table;
    }
    if (count >= SIM_VL_ENTRIES) {
        return err_set(err, ERR_LIMIT, "vl_arbitration: more than %d entries in a table",
                       SIM_VL_ENTRIES);
    }
    if (entry->vl >= SIM_PRIO_COUNT || entry->weight > 255) {
        return err_set(err, ERR_RANGE, "vl_arbitration: lanes are 0 to %d, weights 0 to 255",
                       SIM_PRIO_COUNT - 1);
    }
    sc->vl_entries[sc->vl_entry_count++] = *entry;
    return true;
}

bool sim_scenario_pin(struct sim_scenario *sc, const char *flow, uint32_t via, struct err *err)
{
    if (strlen(flow) >= sizeof sc->pins->flow || strchr(flow, '>') == NULL) {
        return err_set(err, ERR_SYNTAX, "pin: \"%.80s\" is not a flow; write SRC>DST", flow);
    }
    if (via >= sc->node_count || sc->nodes[via].kind != SIM_SWITCH) {
        return err_set(err, ERR_NAME, "pin %s: a flow is pinned to a switch", flow);
    }
    if (sc->pin_count >= SIM_PINS_MAX) {
        return err_set(err, ERR_LIMIT, "more than %d pins", SIM_PINS_MAX);
    }
    sc->pins = mem_grow(sc->pins, &sc->pin_cap, sc->pin_count + 1, sizeof *sc->pins);
    struct sim_pin_spec *pin = &sc->pins[sc->pin_count++];
    memset(pin, 0, sizeof *pin);
    (void)snprintf(pin->flow, sizeof pin->flow, "%s", flow);
    pin->via = via;
    return true;
}

bool sim_scenario_training(struct sim_scenario *sc, const struct sim_training_spec *spec,
                           struct err *err)
{
    if (spec->bytes < 1 || spec->bytes > SIM_MESSAGE_MAX || spec->bucket_bytes < 0) {
        return err_set(err, ERR_RANGE, "training: 1 byte to 4 TiB of gradients in each step");
    }
    if (spec->compute_ps < 0 || spec->compute_ps > 1000 * UNIT_S) {
        return err_set(err, ERR_RANGE, "training: compute takes 0 to 1000 s");
    }
    if (spec->steps < 1 || spec->steps > 100000) {
        return err_set(err, ERR_RANGE, "training: 1 to 100,000 steps");
    }
    sc->work = SIM_WORK_TRAINING;
    sc->training = *spec;
    return true;
}

bool sim_scenario_fault(struct sim_scenario *sc, sim_ps at, const struct sim_cmd *cmd,
                        struct err *err)
{
    if (cmd->kind == SIM_CMD_SET && sim_knob_info(cmd->knob)->when == SIM_RESTART) {
        return err_set(err, ERR_STATE, "%s belongs to the start: it cannot change during a run",
                       sim_knob_info(cmd->knob)->name);
    }
    if (at < 0 || at > SIM_LONGEST) {
        return err_set(err, ERR_RANGE, "a command at 0 to 26 days");
    }
    if (sc->fault_count >= SIM_FAULTS_MAX) {
        return err_set(err, ERR_LIMIT, "more than %d commands in a scenario", SIM_FAULTS_MAX);
    }
    sc->faults = mem_grow(sc->faults, &sc->fault_cap, sc->fault_count + 1, sizeof *sc->faults);
    at = at > 0 ? at : 1;
    for (size_t i = 0; i < sc->fault_count; i++) {
        at += sc->faults[i].at == at; /* one command an instant */
    }
    size_t i = sc->fault_count++;
    for (; i > 0 && sc->faults[i - 1].at > at; i--) {
        sc->faults[i] = sc->faults[i - 1];
    }
    sc->faults[i] = (struct sim_fault_spec){ .at = at, .cmd = *cmd };
    return true;
}

enum { MESSAGES_MAX = 1 << 16 }; /* posted in one go */

/* All that a flow will ever post, or could until the end of time, can be counted in bytes. */
static bool can_be_counted(const struct sim_scenario *sc, const struct sim_flow_spec *flow,
                           const struct sim_flow_spec *asks)
{
    const struct sim_flow_spec *paced = flow->replies ? asks : flow;
    __extension__ typedef __int128 wide;
    wide messages = paced->messages > 0 ? paced->messages
                    : paced->gap_ps > 0 ? SIM_END / paced->gap_ps + 1
                                        : 1;
    messages = sc->blocks > messages ? sc->blocks : messages;
    return messages * flow->bytes <= INT64_MAX / 2;
}

static bool check_flows(const struct sim_scenario *sc, struct err *err)
{
    for (size_t i = 0; i < sc->flow_count && sc->work == SIM_WORK_FLOWS; i++) {
        const struct sim_flow_spec *flow = &sc->flows[i];
        const struct sim_flow_spec *asks = i > 0 ? &sc->flows[i - 1] : NULL;
        const char *src = sc->nodes[flow->src].name;
        const char *dst = sc->nodes[flow->dst].name;
        if (flow->prio >= SIM_PRIO_COUNT || flow->gap_ps < 0 || flow->gap_ps > SIM_LONGEST) {
            return err_set(err, ERR_RANGE, "flow %s>%s: priority 0 to 7, a gap of 0 to 26 days",
                           src, dst);
        }
        if (flow->gap_ps == 0 && flow->messages > MESSAGES_MAX) {
            return err_set(err, ERR_LIMIT, "flow %s>%s: at most %d messages at once; set a gap",
                           src, dst, (int)MESSAGES_MAX);
        }
        if (flow->replies &&
            (asks == NULL || asks->replies || asks->src != flow->dst || asks->dst != flow->src)) {
            return err_set(err, ERR_STATE,
                           "flow %s>%s replies, but the flow before it is no request %s>%s", src,
                           dst, dst, src);
        }
        if (!can_be_counted(sc, flow, asks)) {
            return err_set(err, ERR_LIMIT,
                           "flow %s>%s: its messages are more than 4 EiB in all; fewer of them, "
                           "smaller ones or a longer gap",
                           src, dst);
        }
    }
    return true;
}

/* The GPUs of each box, if they are as many everywhere and follow one another; else 0. */
static uint32_t box_gpus(const struct sim_scenario *sc)
{
    uint32_t *box = mem_alloc(sc->node_count, sizeof *box);
    uint32_t size = 0;
    uint32_t hosts = 0;
    uint32_t last = UINT32_MAX;
    bool alike = true;
    for (uint32_t n = 0; n < sc->node_count; n++) {
        box[n] = n;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < sc->link_count; i++) {
            uint32_t *a = &box[sc->links[i].a];
            uint32_t *b = &box[sc->links[i].b];
            if (sc->links[i].kind != SIM_LINK_FABRIC && *a != *b) {
                *a = *b = *a < *b ? *a : *b;
                changed = true;
            }
        }
    }
    for (uint32_t n = 0; n < sc->node_count && alike; n++) {
        if (sc->nodes[n].kind != SIM_HOST) {
            continue;
        }
        if (last != UINT32_MAX && box[n] != last) {
            size = size == 0 ? hosts : size;
            alike = hosts % size == 0; /* the box before was full */
        } else {
            alike = size == 0 || hosts % size != 0;
        }
        last = box[n];
        hosts++;
    }
    free(box);
    size = size == 0 ? hosts : size;
    return alike && size > 0 && hosts % size == 0 ? size : 0;
}

struct sim_knobs sim_scenario_plan_knobs(const struct sim_scenario *sc)
{
    struct sim_knobs knobs = sc->knobs;
    if (knobs.v[SIM_KNOB_GROUP] == SIM_AUTO &&
        knobs.v[SIM_KNOB_COLLECTIVE] == SIM_COLL_HIERARCHICAL) {
        const uint32_t gpus = box_gpus(sc);
        knobs.v[SIM_KNOB_GROUP] = gpus > 1 ? (int64_t)gpus : SIM_AUTO;
    }
    return knobs;
}

static bool check_classes(const struct sim_scenario *sc, struct err *err)
{
    for (int prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        if (sc->classes[prio].weight < 0 || sc->classes[prio].weight > SIM_WEIGHT_MAX) {
            return err_set(err, ERR_RANGE, "class %d: a weight is from 0 to %d", prio,
                           SIM_WEIGHT_MAX);
        }
    }
    return true;
}

static bool check_plan(const struct sim_scenario *sc, uint32_t hosts, struct err *err)
{
    struct sim_plan plan;
    const struct sim_knobs knobs = sim_scenario_plan_knobs(sc);
    return sc->work != SIM_WORK_TRAINING || sim_plan_make(&plan, &knobs, hosts, err);
}

/* Which links end at each node, one list after the other. */
struct ends {
    size_t *first; /* of node n: list[first[n]] .. list[first[n + 1] - 1] */
    uint32_t *list;
};

static struct ends ends_of(const struct sim_scenario *sc)
{
    struct ends e = { .first = mem_alloc(sc->node_count + 2, sizeof *e.first),
                      .list = mem_alloc(2 * sc->link_count, sizeof *e.list) };
    for (size_t i = 0; i < sc->link_count; i++) {
        e.first[sc->links[i].a + 2]++;
        e.first[sc->links[i].b + 2]++;
    }
    for (size_t n = 2; n < sc->node_count + 2; n++) {
        e.first[n] += e.first[n - 1];
    }
    for (size_t i = 0; i < sc->link_count; i++) {
        e.list[e.first[sc->links[i].a + 1]++] = (uint32_t)i;
        e.list[e.first[sc->links[i].b + 1]++] = (uint32_t)i;
    }
    return e;
}

/* The switches that can be reached over other switches have one number: hosts do not forward. */
static uint32_t *switch_groups(const struct sim_scenario *sc)
{
    uint32_t *group = mem_alloc(sc->node_count, sizeof *group);
    for (uint32_t i = 0; i < sc->node_count; i++) {
        group[i] = i;
    }
    /* label propagation: few rounds suffice, fabrics are shallow */
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < sc->link_count; i++) {
            const struct sim_link_spec *link = &sc->links[i];
            uint32_t *a = &group[link->a];
            uint32_t *b = &group[link->b];
            bool inner =
                sc->nodes[link->a].kind == SIM_SWITCH && sc->nodes[link->b].kind == SIM_SWITCH;
            if (inner && *a != *b) {
                *a = *b = *a < *b ? *a : *b;
                changed = true;
            }
        }
    }
    return group;
}

/* Two hosts can talk when a cable of the one leads to where a cable of the other does, or is it. */
static bool can_talk(const struct sim_scenario *sc, const struct ends *ends, const uint32_t *group,
                     uint32_t from, uint32_t to)
{
    for (size_t i = ends->first[from]; i < ends->first[from + 1]; i++) {
        const struct sim_link_spec *out = &sc->links[ends->list[i]];
        uint32_t next = out->a == from ? out->b : out->a;
        if (next == to) {
            return true;
        }
        for (size_t k = ends->first[to]; k < ends->first[to + 1]; k++) {
            const struct sim_link_spec *in = &sc->links[ends->list[k]];
            uint32_t last = in->a == to ? in->b : in->a;
            if (sc->nodes[next].kind == SIM_SWITCH && sc->nodes[last].kind == SIM_SWITCH &&
                group[next] == group[last]) {
                return true;
            }
        }
    }
    return false;
}

static bool no_way(const struct sim_scenario *sc, uint32_t from, uint32_t to, struct err *err)
{
    return err_set(err, ERR_STATE, "there is no way from %s to %s", sc->nodes[from].name,
                   sc->nodes[to].name);
}

/* Every host has a link, and hosts that talk are connected. */
static bool check_links(const struct sim_scenario *sc, struct err *err)
{
    struct ends ends = ends_of(sc);
    uint32_t *group = switch_groups(sc);
    bool ok = true;
    uint32_t first = UINT32_MAX;
    for (uint32_t n = 0; n < sc->node_count && ok; n++) {
        if (sc->nodes[n].kind == SIM_SWITCH) {
            continue;
        }
        if (ends.first[n] == ends.first[n + 1]) {
            ok = err_set(err, ERR_STATE, "host %s has no link: add a cable", sc->nodes[n].name);
        } else if (sc->work == SIM_WORK_TRAINING && sc->nodes[n].kind == SIM_HOST) {
            ok = first == UINT32_MAX || can_talk(sc, &ends, group, first, n) ||
                 no_way(sc, first, n, err);
            first = first == UINT32_MAX ? n : first;
        }
    }
    for (size_t i = 0; i < sc->flow_count && ok && sc->work == SIM_WORK_FLOWS; i++) {
        const struct sim_flow_spec *flow = &sc->flows[i];
        ok = can_talk(sc, &ends, group, flow->src, flow->dst) ||
             no_way(sc, flow->src, flow->dst, err);
    }
    free(ends.first);
    free(ends.list);
    free(group);
    return ok;
}

static bool check_knobs(const struct sim_scenario *sc, struct err *err)
{
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        if (!sim_knob_check((enum sim_knob)k, sc->knobs.v[k], err)) {
            return false;
        }
    }
    return sim_knobs_agree(&sc->knobs, err);
}

/* Flows and their ways are known only to a fabric: one is made and thrown away. */
static bool check_pins(const struct sim_scenario *sc, struct err *err)
{
    struct sim_config *c = sc->pin_count > 0 ? sim_config_create(sc, 1, err) : NULL;
    sim_config_release(c);
    return sc->pin_count == 0 || c != NULL;
}

static bool check_staging(const struct sim_scenario *sc, struct err *err)
{
    bool memory = sc->knobs.v[SIM_KNOB_STAGING] == SIM_STAGE_DIRECT;
    for (size_t n = 0; n < sc->node_count && !memory; n++) {
        memory = sc->nodes[n].kind == SIM_MEMORY;
    }
    return memory || err_set(err, ERR_STATE,
                             "staging is host, but no box of this fabric has a memory; build one "
                             "with memory, or set staging to direct");
}

bool sim_scenario_check(const struct sim_scenario *sc, struct err *err)
{
    size_t hosts = 0;
    for (size_t i = 0; i < sc->node_count; i++) {
        hosts += sc->nodes[i].kind == SIM_HOST;
    }
    if (hosts == 0) {
        return err_set(err, ERR_STATE, "the fabric has no hosts");
    }
    if (sc->work == SIM_WORK_TRAINING && sc->training.steps < 1) {
        return err_set(err, ERR_STATE, "the scenario has no workload");
    }
    if (sc->blocks < 0 || sc->blocks > 1000000) {
        return err_set(err, ERR_RANGE, "flows: 0 to 1,000,000 blocks");
    }
    return sim_places_check(sc, err) && check_links(sc, err) && check_staging(sc, err) &&
           check_flows(sc, err) && check_classes(sc, err) && check_knobs(sc, err) &&
           sim_arbiter_check(sc, err) && check_plan(sc, (uint32_t)hosts, err) &&
           check_pins(sc, err);
}
