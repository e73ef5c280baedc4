#include "sim/steer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/text.h"

/* ---- the way of a flow ----------------------------------------------------------------------- */

/* The switches that the packets of a flow, or their answers, may come through, found by following
 * the routes. */
struct way {
    const struct sim_config *c;
    uint32_t *list;
    uint32_t count;
    uint32_t *seen; /* per node: the number of the walk that saw it last */
    uint32_t walk;
};

static const uint32_t *ports_toward(const struct sim_config *c, uint32_t node, uint32_t host)
{
    const size_t row = (size_t)c->nodes[node].routes * c->host_count + c->nodes[host].host_index;
    return &c->route_pool[c->route[row]];
}

static void see(struct way *w, uint32_t port)
{
    const uint32_t node = w->c->ports[w->c->ports[port].peer].node;
    if (w->c->nodes[node].kind == SIM_SWITCH && w->seen[node] != w->walk) {
        w->seen[node] = w->walk;
        w->list[w->count++] = node;
    }
}

static void walk(struct way *w, const struct sim_flow_config *flow, bool back)
{
    const uint32_t dst = back ? flow->src : flow->dst;
    w->walk++;
    w->count = 0;
    see(w, back ? flow->back : flow->port);
    for (uint32_t i = 0; i < w->count; i++) {
        const uint32_t *ports = ports_toward(w->c, w->list[i], dst);
        for (uint32_t k = 1; k <= ports[0]; k++) {
            see(w, ports[k]);
        }
    }
}

/* ---- pins ------------------------------------------------------------------------------------ */

static bool no_such_flow(const struct sim_config *c, const char *name, struct err *err)
{
    const char *near = c->flow_count > 0 ? c->flows[0].name : "";
    size_t least = SIZE_MAX;
    for (uint32_t f = 0; f < c->flow_count; f++) {
        const size_t far = text_distance(name, c->flows[f].name);
        if (far < least) {
            least = far;
            near = c->flows[f].name;
        }
    }
    return err_set(err, ERR_NAME, "pin: there is no flow %s; did you mean %s?", name, near);
}

static bool not_on_its_way(const struct way *w, const struct sim_pin_spec *pin, struct err *err)
{
    const char *name = w->c->nodes[pin->via].name;
    const char *near = "";
    size_t least = SIZE_MAX;
    for (uint32_t i = 0; i < w->count; i++) {
        const size_t far = text_distance(name, w->c->nodes[w->list[i]].name);
        if (far < least) {
            least = far;
            near = w->c->nodes[w->list[i]].name;
        }
    }
    return err_set(err, ERR_STATE, "pin: %s does not come by %s%s%s%s", pin->flow, name,
                   *near != '\0' ? "; did you mean " : "", near, *near != '\0' ? "?" : "");
}

/* Chains a pin to those of a flow, if it comes by there. */
static bool add_pin(struct sim_config *c, struct way *w, uint32_t flow, uint32_t via,
                    uint32_t *count, size_t *cap)
{
    walk(w, &c->flows[flow], false);
    if (w->seen[via] != w->walk) {
        return false;
    }
    c->pins = mem_grow(c->pins, cap, *count + 1, sizeof *c->pins);
    c->pins[*count] = (struct sim_pin){ .via = via, .next = c->flows[flow].pin };
    c->flows[flow].pin = (*count)++;
    return true;
}

/* A staged flow sends nothing itself: its pins are for its legs. */
static bool build_pins(struct sim_config *c, struct way *w, struct err *err)
{
    const struct sim_scenario *sc = &c->scenario;
    uint32_t count = 0;
    size_t cap = 0;
    for (size_t i = 0; i < sc->pin_count; i++) {
        const struct sim_pin_spec *pin = &sc->pins[i];
        uint32_t f = 0;
        while (f < c->flow_count && strcmp(c->flows[f].name, pin->flow) != 0) {
            f++;
        }
        if (f == c->flow_count) {
            return no_such_flow(c, pin->flow, err);
        }
        bool comes = false;
        for (f = c->flows[f].first_leg != SIM_NONE ? c->flows[f].first_leg : f;
             f != SIM_NONE && !comes; f = c->flows[f].next_leg) {
            comes = add_pin(c, w, f, pin->via, &count, &cap);
        }
        if (!comes) {
            return not_on_its_way(w, pin, err);
        }
    }
    return true;
}

static bool is_pinned_to(const struct sim_config *c, const struct sim_flow_config *flow,
                         uint32_t node)
{
    uint32_t i = flow->pin;
    while (i != SIM_NONE && c->pins[i].via != node) {
        i = c->pins[i].next;
    }
    return i != SIM_NONE;
}

uint32_t sim_steer_pinned(const struct sim_config *c, const struct sim_flow_config *flow,
                          const uint32_t *ports, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (is_pinned_to(c, flow, c->ports[c->ports[ports[i]].peer].node)) {
            return i;
        }
    }
    return SIM_NONE;
}

/* ---- flowlets -------------------------------------------------------------------------------- */

/* Lists the switches with a choice, for every flow and direction: 2 x flow, 2 x flow + 1. */
static void build_flowlets(struct sim_config *c, struct way *w)
{
    size_t cap = 0;
    c->flowlet_first = mem_alloc((size_t)2 * c->flow_count + 1, sizeof *c->flowlet_first);
    for (uint32_t i = 0; i < 2 * c->flow_count; i++) {
        const struct sim_flow_config *flow = &c->flows[i / 2];
        const bool back = i % 2 == 1;
        walk(w, flow, back);
        for (uint32_t k = 0; k < w->count; k++) {
            if (ports_toward(c, w->list[k], back ? flow->src : flow->dst)[0] > 1) {
                c->flowlet_at =
                    mem_grow(c->flowlet_at, &cap, c->flowlet_count + 1, sizeof *c->flowlet_at);
                c->flowlet_at[c->flowlet_count++] = w->list[k];
            }
        }
        c->flowlet_first[i + 1] = c->flowlet_count;
    }
}

/* What the switch remembers of the flow of a packet. */
static struct sim_flowlet *flowlet_of(struct sim *s, uint32_t node, uint32_t row)
{
    const struct sim_config *c = s->config;
    uint32_t i = c->flowlet_first[row];
    while (c->flowlet_at[i] != node) { /* it is there: the list has every switch with a choice */
        i++;
    }
    return &s->flowlets[i];
}

/* Where the packet goes is asked more than once: it is in the same flowlet. Another one begins a new flowlet if
 * the flow was silent for longer than the gap; a negative one: in any case. */
static uint32_t flowlet_number(struct sim *s, struct sim_flowlet *let, const struct sim_packet *f,
                               sim_ps gap)
{
    if (let->serial != f->serial || let->number == 0) {
        let->number += let->number == 0 || s->w->now - let->last > gap;
        let->last = s->w->now;
        let->serial = f->serial;
    }
    return let->number;
}

static uint32_t row_of(const struct sim_packet *f)
{
    return 2 * f->flow + (f->kind != SIM_FRAME_DATA);
}

static uint64_t flowlet_luck(const struct sim *s, uint32_t node, const struct sim_packet *f,
                             uint32_t number)
{
    const struct sim_config *c = s->config;
    const uint64_t place = c->seed ^ c->component_hash[sim_comp_node(c, node)];
    return rng_mix3(place, c->flows[f->flow].hash ^ (uint64_t)(row_of(f) % 2), number);
}

uint64_t sim_steer_flowlet(struct sim *s, uint32_t node, const struct sim_packet *f)
{
    struct sim_flowlet *let = flowlet_of(s, node, row_of(f));
    return flowlet_luck(s, node, f, flowlet_number(s, let, f, s->w->knobs.v[SIM_KNOB_FLOWLET_GAP]));
}

uint64_t sim_steer_turn(struct sim *s, uint32_t node, const struct sim_packet *f)
{
    struct sim_flowlet *let = flowlet_of(s, node, row_of(f));
    return flowlet_luck(s, node, f, 0) / 2 + flowlet_number(s, let, f, -1); /* it begins anywhere */
}

bool sim_steer_audit(const struct sim *s, struct err *err)
{
    const struct sim_config *c = s->config;
    for (uint32_t i = 0; i < c->flowlet_count; i++) {
        const struct sim_flowlet *let = &s->flowlets[i];
        if (let->last > s->w->now || (let->number == 0 && (let->last > 0 || let->serial > 0))) {
            return err_set(err, ERR_STATE, "%s: flowlet %" PRIu32 " contradicts itself",
                           c->nodes[c->flowlet_at[i]].name, let->number);
        }
    }
    return true;
}

/* ---- the configuration ----------------------------------------------------------------------- */

bool sim_steer_build(struct sim_config *c, struct err *err)
{
    struct way w = { .c = c };
    w.list = mem_alloc(c->node_count, sizeof *w.list);
    w.seen = mem_alloc(c->node_count, sizeof *w.seen);
    const bool ok = build_pins(c, &w, err);
    if (ok && sim_steer_remembers(c->scenario.knobs.v[SIM_KNOB_ROUTING])) {
        build_flowlets(c, &w);
    }
    free(w.list);
    free(w.seen);
    return ok;
}
