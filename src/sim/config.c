/*
 * From a scenario to what never changes in a run: names, ports, routes, flows.
 */
#include "sim/config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "sim/event.h"
#include "sim/inside.h"
#include "sim/link.h"
#include "sim/steer.h"
#include "sim/transport.h"
#include "sim/world.h"

/* Sizes by type of link, for RDMA (model 1.2). */
static const struct sim_wire_sizes rdma_sizes[] = {
    /* Eth 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4; AETH 4 */
    [SIM_ETHERNET] = { .before = 8,
                       .slot = 20,
                       .data_headers = 62,
                       .padding = 4,
                       .ack = 66,
                       .cnp = 78,
                       .counts_hops = true },
    /* LRH 8, BTH 12, ICRC 4, VCRC 2; framing of 4 symbols, all of it before the last bit */
    [SIM_INFINIBAND] = { .before = 4,
                         .slot = 4,
                         .data_headers = 26,
                         .padding = 4,
                         .ack = 30,
                         .cnp = 42 },
};

/* Eth 14, IPv4 20, TCP 20, FCS 4; no frame of Ethernet is shorter than 64. TCP has no CNP. */
static const struct sim_wire_sizes tcp_sizes = { .before = 8,
                                                 .slot = 20,
                                                 .data_headers = 58,
                                                 .padding = 1,
                                                 .least = 64,
                                                 .ack = 64,
                                                 .counts_hops = true };

struct sim_wire_sizes sim_wire_sizes(const struct sim_knobs *knobs)
{
    const int64_t *knob = knobs->v;
    bool tcp = knob[SIM_KNOB_TRANSPORT] == SIM_TCP;
    struct sim_wire_sizes sizes = tcp ? tcp_sizes : rdma_sizes[knob[SIM_KNOB_LINK]];
    sizes.payload = (uint32_t)knob[sim_transports[knob[SIM_KNOB_TRANSPORT]]->payload];
    if (knob[SIM_KNOB_WIRE_OVERHEAD] != SIM_AUTO) {
        sizes.data_headers = (uint32_t)knob[SIM_KNOB_WIRE_OVERHEAD];
    }
    if (knob[SIM_KNOB_WIRE_GAP] != SIM_AUTO) {
        sizes.slot = (uint32_t)knob[SIM_KNOB_WIRE_GAP];
        sizes.before = sizes.before < sizes.slot ? sizes.before : sizes.slot;
    }
    if (knob[SIM_KNOB_WIRE_ACK] != SIM_AUTO) {
        sizes.ack = (uint32_t)knob[SIM_KNOB_WIRE_ACK];
    }
    sizes.reth = !tcp && knob[SIM_KNOB_VERB] == SIM_WRITE ? SIM_RETH : 0;
    return sizes;
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static char *port_name(const char *node, unsigned number)
{
    char buf[SIM_NAME_MAX + 16];
    (void)snprintf(buf, sizeof buf, "%s:%u", node, number);
    return mem_strdup(buf);
}

static char *flow_name(const char *src, const char *dst, const char *suffix)
{
    char buf[2 * SIM_NAME_MAX + 24];
    (void)snprintf(buf, sizeof buf, "%s>%s%s", src, dst, suffix);
    return mem_strdup(buf);
}

/* Ports of a node are consecutive, in the order of its links; leaf1:3 is the third. */
static void build_ports(struct sim_config *c, const struct sim_scenario *sc)
{
    uint32_t *fill = mem_alloc(c->node_count, sizeof *fill);
    for (size_t i = 0; i < sc->link_count; i++) {
        c->nodes[sc->links[i].a].port_count++;
        c->nodes[sc->links[i].b].port_count++;
    }
    for (uint32_t n = 0, at = 0; n < c->node_count; n++) {
        c->nodes[n].first_port = at;
        fill[n] = at;
        at += c->nodes[n].port_count;
    }
    c->port_count = (uint32_t)(2 * sc->link_count);
    c->ports = mem_alloc(c->port_count, sizeof *c->ports);
    for (size_t i = 0; i < sc->link_count; i++) {
        const struct sim_link_spec *link = &sc->links[i];
        uint32_t end[2] = { fill[link->a]++, fill[link->b]++ };
        uint32_t node[2] = { link->a, link->b };
        bool fabric = link->kind == SIM_LINK_FABRIC;
        int64_t rate = fabric ? sc->knobs.v[SIM_KNOB_RATE] : SIM_AUTO;
        int64_t delay = fabric ? sc->knobs.v[SIM_KNOB_DELAY] : SIM_AUTO;
        for (int k = 0; k < 2; k++) {
            struct sim_port_config *p = &c->ports[end[k]];
            p->node = node[k];
            p->peer = end[1 - k];
            p->kind = link->kind;
            p->nic = sc->nodes[node[k]].kind != SIM_SWITCH ? c->nic_count++ : SIM_NONE;
            p->rate_bps = rate == SIM_AUTO ? link->rate_bps : rate;
            p->delay = delay == SIM_AUTO ? link->delay_ps : delay;
            int64_t d = gcd(8 * UNIT_S, p->rate_bps);
            p->tau_num = 8 * UNIT_S / d;
            p->tau_den = p->rate_bps / d;
            p->name = port_name(sc->nodes[node[k]].name, end[k] - c->nodes[node[k]].first_port + 1);
            c->inside = c->inside || !fabric;
            c->nodes[node[k]].inside =
                c->nodes[node[k]].inside || (!fabric && sc->nodes[node[k]].kind == SIM_SWITCH);
        }
    }
    free(fill);
}

/* Inside a box, room for what is sent until the credits for the first of it are back: four frames
 * for what is being sent and received at both ends, and the line's rate during cable and latency. */
static void build_latencies(struct sim_config *c)
{
    const int64_t *knob = c->scenario.knobs.v;
    for (uint32_t n = 0; n < c->node_count; n++) {
        c->nodes[n].latency =
            knob[c->nodes[n].inside ? SIM_KNOB_INSIDE_LATENCY : SIM_KNOB_SWITCH_LATENCY];
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        struct sim_port_config *port = &c->ports[p];
        const struct sim_node_config *node = &c->nodes[port->node];
        sim_ps loop = 2 * port->delay + (node->kind == SIM_SWITCH ? node->latency : 0);
        int64_t frame = sim_inside_bytes(port->kind, c->wire.payload);
        int64_t bytes = 4 * frame + (int64_t)((sim_wide)loop * port->tau_den / port->tau_num);
        port->vl_blocks = port->kind == SIM_LINK_FABRIC ? 0 : sim_blocks(bytes);
    }
}

/* ---- flows ----------------------------------------------------------------------------------- */

enum {
    CHANNEL_CTS = 4,       /* channel of the clear-to-sends for channel c: CHANNEL_CTS + c */
    CHANNEL_FIRST = 1000,  /* flows workload: the first flow between two nodes */
    CHANNEL_LEG = 1 << 20, /* legs, the first between two nodes; the keys are nodes */
};

static uint32_t *flow_slot(const struct sim_config *c, uint32_t src, uint32_t dst, uint32_t channel)
{
    uint32_t at = (uint32_t)rng_mix3(src, dst, channel) & (c->flow_slots - 1);
    for (;; at = (at + 1) & (c->flow_slots - 1)) {
        uint32_t f = c->flow_table[at];
        if (f == SIM_NONE) {
            return &c->flow_table[at];
        }
        const struct sim_flow_config *flow = &c->flows[f];
        if (flow->key_src == src && flow->key_dst == dst && flow->channel == channel) {
            return &c->flow_table[at];
        }
    }
}

uint32_t sim_flow_between(const struct sim_config *c, uint32_t src, uint32_t dst, uint32_t channel)
{
    return *flow_slot(c, src, dst, channel);
}

/* Twice the room. */
static void grow_table(struct sim_config *c)
{
    free(c->flow_table);
    c->flow_slots = c->flow_slots == 0 ? 64 : 2 * c->flow_slots;
    c->flow_table = mem_alloc(c->flow_slots, sizeof *c->flow_table);
    memset(c->flow_table, 0xff, c->flow_slots * sizeof *c->flow_table);
    for (uint32_t f = 0; f < c->flow_count; f++) {
        const struct sim_flow_config *flow = &c->flows[f];
        if (flow->lead == f) {
            *flow_slot(c, flow->key_src, flow->key_dst, flow->channel) = f;
        }
    }
}

static void name_flow(struct sim_config *c, uint32_t f, const char *suffix)
{
    struct sim_flow_config *flow = &c->flows[f];
    flow->name = flow_name(c->nodes[flow->src].name, c->nodes[flow->dst].name, suffix);
    flow->hash = rng_hash_name(flow->name);
    c->lost_ways += !sim_paths_flow(c, flow);
}

/* Adds a flow from node to node under the key (key_src, key_dst, channel), named "SRC>DST" and
 * `suffix`. */
static uint32_t put_flow(struct sim_config *c, uint32_t key_src, uint32_t key_dst, uint32_t channel,
                         uint32_t src, uint32_t dst, const char *suffix)
{
    if (2 * (c->flow_count + 1) > c->flow_slots) {
        grow_table(c);
    }
    c->flows = mem_grow(c->flows, &c->flow_cap, c->flow_count + 1, sizeof *c->flows);
    uint32_t f = c->flow_count++;
    c->flows[f] = (struct sim_flow_config){ .key_src = key_src,
                                            .key_dst = key_dst,
                                            .channel = channel,
                                            .lead = f,
                                            .pairs = 1,
                                            .pin = SIM_NONE,
                                            .src = src,
                                            .dst = dst,
                                            .src_rank = SIM_NONE,
                                            .dst_rank = SIM_NONE,
                                            .prio = SIM_PRIO_DATA,
                                            .permits = SIM_NONE,
                                            .permit = SIM_NONE,
                                            .reply = SIM_NONE,
                                            .first_leg = SIM_NONE,
                                            .staged = SIM_NONE,
                                            .next_leg = SIM_NONE };
    name_flow(c, f, suffix);
    *flow_slot(c, key_src, key_dst, channel) = f;
    return f;
}

/* A flow of the workload: its key are the ends, parties (training) or nodes. */
static uint32_t add_flow(struct sim_config *c, uint32_t src, uint32_t dst, uint32_t channel,
                         const char *suffix)
{
    if (c->party_count == 0) {
        return put_flow(c, src, dst, channel, src, dst, suffix);
    }
    uint32_t f = put_flow(c, src, dst, channel, c->hosts[src], c->hosts[dst], suffix);
    c->flows[f].src_rank = src;
    c->flows[f].dst_rank = dst;
    return f;
}

static const char *channel_suffix(uint32_t number, char *buf, size_t size)
{
    if (number > 1) {
        (void)snprintf(buf, size, "/%" PRIu32, number);
    } else {
        buf[0] = '\0';
    }
    return buf;
}

static uint32_t queue_pairs(const struct sim_config *c)
{
    return (uint32_t)c->scenario.knobs.v[SIM_KNOB_QUEUE_PAIRS];
}

/*
 * Gives the flow just added, the `number`th connection between its ends (from 0), the rest of its
 * queue pairs. They are numbered on: with two each, the first connection is g1>g2 and g1>g2/2, the
 * second g1>g2/3 and g1>g2/4. All but the name is the first one's, and each carries its part.
 */
static void add_pairs(struct sim_config *c, uint32_t lead, uint32_t number)
{
    const uint32_t pairs = queue_pairs(c);
    const int64_t bytes = c->flows[lead].bytes;
    c->flows = mem_grow(c->flows, &c->flow_cap, lead + pairs, sizeof *c->flows);
    c->flows[lead].pairs = pairs;
    c->flows[lead].bytes = sim_part_bytes(bytes, pairs, 0);
    for (uint32_t k = 1; k < pairs; k++) {
        char suffix[16];
        const uint32_t f = c->flow_count++;
        c->flows[f] = c->flows[lead];
        c->flows[f].bytes = sim_part_bytes(bytes, pairs, k);
        name_flow(c, f, channel_suffix(number * pairs + k + 1, suffix, sizeof suffix));
    }
}

/* Connections between the same two nodes are numbered. The first counts them. */
static bool build_flows(struct sim_config *c, const struct sim_scenario *sc, struct err *err)
{
    uint32_t lead = SIM_NONE;
    if (sc->flow_count > SIM_FLOWS_MAX / queue_pairs(c)) {
        return err_set(err, ERR_LIMIT, "%zu flows of %" PRIu32 " queue pairs are more than %d",
                       sc->flow_count, queue_pairs(c), SIM_FLOWS_MAX);
    }
    grow_table(c);
    for (size_t i = 0; i < sc->flow_count; i++) {
        const struct sim_flow_spec *spec = &sc->flows[i];
        char suffix[16];
        uint32_t asks = lead;
        uint32_t first = sim_flow_between(c, spec->src, spec->dst, CHANNEL_FIRST);
        uint32_t twins = first == SIM_NONE ? 0 : ++c->flows[first].twins;
        lead = add_flow(c, spec->src, spec->dst, CHANNEL_FIRST + twins,
                        channel_suffix(twins * queue_pairs(c) + 1, suffix, sizeof suffix));
        uint32_t f = lead;
        struct sim_flow_config *flow = &c->flows[f];
        flow->bytes = spec->bytes;
        flow->prio = sim_class_vl(sc, spec->prio);
        flow->gap = spec->gap_ps;
        flow->poisson = spec->poisson;
        flow->start = spec->start_ps;
        flow->messages = spec->messages > 0 || spec->gap_ps > 0 ? spec->messages : 1;
        if (spec->replies) { /* to the flow before it: the scenario was checked */
            flow->is_reply = true;
            flow->messages = c->flows[asks].messages;
            c->flows[asks].reply = f;
        }
        bool answered = i + 1 < sc->flow_count && sc->flows[i + 1].replies;
        if (sc->blocks > 1 && spec->gap_ps == 0 && spec->bytes > 0 && spec->messages <= 1 &&
            !spec->replies && !answered) {
            flow->in_blocks = true;
            flow->messages = (uint64_t)sc->blocks;
            c->block_flows++;
        }
        if (flow->gap == 0 && !flow->in_blocks && (int64_t)flow->messages > c->longest) {
            c->longest = (int64_t)flow->messages; /* posted in one go */
        }
        add_pairs(c, lead, twins);
    }
    return true;
}

/* Rank at each position. Mixed: first and second half take turns, so that every neighbour is in the
 * other half. */
static uint32_t rank_at(enum sim_rank_order order, uint32_t position, uint32_t n)
{
    uint32_t half = (n + 1) / 2;
    if (position >= n) {
        return position; /* a server */
    }
    switch (order) {
    case SIM_ORDER_MIXED:
        return position % 2 == 0 ? position / 2 : half + position / 2;
    case SIM_ORDER_RACK:
        break;
    }
    return position;
}

/* The queue pairs of a message, and that of its clear-to-send in the other direction. */
static void need_flow(struct sim_config *c, uint32_t src, uint32_t dst, uint32_t channel)
{
    char suffix[16];
    if (sim_flow_between(c, src, dst, channel) != SIM_NONE) {
        return;
    }
    uint32_t data = add_flow(c, src, dst, channel,
                             channel_suffix(channel * queue_pairs(c) + 1, suffix, sizeof suffix));
    add_pairs(c, data, channel);
    if (c->scenario.knobs.v[SIM_KNOB_ADMISSION] > 0) {
        uint32_t permit =
            add_flow(c, dst, src, CHANNEL_CTS + channel, channel == 0 ? "/cts" : "/cts2");
        c->flows[permit].prio = c->control_prio;
        c->flows[permit].permits = data;
        c->flows[data].permit = permit;
    }
}

/* Every queue pair that a program uses, in order of first use. */
static void build_pairs(struct sim_config *c, const struct sim_order *order, uint32_t position)
{
    int64_t sum = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        int64_t length = sim_plan_length(&c->plan, position, lane);
        uint32_t last = SIM_NONE;
        sum += length;
        for (int64_t i = 0; i < length && c->flow_count <= SIM_FLOWS_MAX; i++) {
            struct sim_op op = sim_plan_op(&c->plan, 0, position, lane, i);
            if (op.kind == SIM_OP_SEND && op.peer != last) {
                need_flow(c, order->party[position], order->party[op.peer], op.channel);
                last = op.peer;
            }
        }
    }
    c->longest = sum > c->longest ? sum : c->longest;
}

/* The flows that carry the messages of each party. */
static void build_own(struct sim_config *c)
{
    c->own_first = mem_alloc((size_t)c->party_count + 2, sizeof *c->own_first);
    c->own = mem_alloc(c->flow_count, sizeof *c->own);
    for (uint32_t f = 0; f < c->flow_count; f++) {
        c->own_first[c->flows[f].src_rank + 2] += c->flows[f].permits == SIM_NONE;
    }
    for (uint32_t r = 0; r < c->party_count; r++) {
        c->own_first[r + 2] += c->own_first[r + 1];
    }
    for (uint32_t f = 0; f < c->flow_count; f++) {
        if (c->flows[f].permits == SIM_NONE) {
            c->own[c->own_first[c->flows[f].src_rank + 1]++] = f;
        }
    }
}

static bool build_training(struct sim_config *c, struct err *err)
{
    const struct sim_knobs knobs = sim_scenario_plan_knobs(&c->scenario);
    if (!sim_plan_make(&c->plan, &knobs, c->gpu_count, err)) {
        return false;
    }
    c->rank_count = c->plan.ranks;
    c->party_count = sim_plan_parties(&c->plan);
    grow_table(c);
    for (int o = 0; o < SIM_ORDERS; o++) {
        struct sim_order *order = &c->orders[o];
        order->position = mem_alloc(c->party_count, sizeof(uint32_t));
        order->party = mem_alloc(c->party_count, sizeof(uint32_t));
        for (uint32_t pos = 0; pos < c->party_count; pos++) {
            order->party[pos] = rank_at((enum sim_rank_order)o, pos, c->rank_count);
            order->position[order->party[pos]] = pos;
        }
        for (uint32_t pos = 0; pos < c->party_count; pos++) {
            build_pairs(c, order, pos);
        }
    }
    build_own(c);
    return c->flow_count <= SIM_FLOWS_MAX ||
           err_set(err, ERR_LIMIT,
                   "%s among %" PRIu32 " ranks needs more than %d queue pairs; use fewer ranks",
                   c->plan.ops->name, c->rank_count, SIM_FLOWS_MAX);
}

/* A leg of `flow` from node to node. Legs between the same two are numbered, behind flows of the
 * workload that have the same ends. */
static uint32_t add_leg(struct sim_config *c, uint32_t flow, uint32_t src, uint32_t dst)
{
    char suffix[16];
    uint32_t twin = 0;
    while (sim_flow_between(c, src, dst, CHANNEL_LEG + twin) != SIM_NONE) {
        twin++;
    }
    const uint32_t same =
        c->party_count > 0 ? SIM_NONE : sim_flow_between(c, src, dst, CHANNEL_FIRST);
    const uint32_t taken = same == SIM_NONE ? 0 : (c->flows[same].twins + 1) * queue_pairs(c);
    const uint32_t leg = put_flow(c, src, dst, CHANNEL_LEG + twin, src, dst,
                                  channel_suffix(taken + twin + 1, suffix, sizeof suffix));
    c->flows[leg].staged = flow;
    c->flows[leg].bytes = c->flows[flow].bytes;
    c->flows[leg].messages = c->flows[flow].messages;
    c->flows[leg].prio = c->flows[flow].prio;
    return leg;
}

/* Where a flow to another box goes by: the memories of the boxes at its ends, as far as there are. */
static void stage_flow(struct sim_config *c, uint32_t flow, const uint32_t *memory)
{
    const uint32_t src = c->flows[flow].src;
    const uint32_t dst = c->flows[flow].dst;
    const uint32_t stops[] = { src, memory[src], memory[dst], dst };
    const int64_t chunk = c->scenario.knobs.v[SIM_KNOB_STAGE_CHUNK];
    const int64_t packet = c->wire.payload;
    uint32_t at = src;
    uint32_t last = SIM_NONE;
    for (size_t i = 1; i < sizeof stops / sizeof *stops; i++) {
        const bool whole_way = at == src && stops[i] == dst;
        if (stops[i] == SIM_NONE || stops[i] == at || whole_way) {
            continue;
        }
        const uint32_t leg = add_leg(c, flow, at, stops[i]);
        if (last == SIM_NONE) {
            c->flows[flow].first_leg = leg;
            c->flows[leg].chunk = chunk == SIM_AUTO ? 0 : (chunk + packet - 1) / packet * packet;
            c->stages = true;
        } else {
            c->flows[last].next_leg = leg;
        }
        last = leg;
        at = stops[i];
    }
}

/* Staging: what leaves its box, clear-to-sends excepted: they are no data of a GPU. */
static bool build_legs(struct sim_config *c, struct err *err)
{
    if (c->scenario.knobs.v[SIM_KNOB_STAGING] == SIM_STAGE_DIRECT) {
        return true;
    }
    uint32_t *memory = mem_alloc(c->node_count, sizeof *memory);
    for (uint32_t h = 0; h < c->host_count; h++) {
        memory[c->hosts[h]] = sim_paths_memory(c, c->hosts[h]);
    }
    const uint32_t count = c->flow_count;
    for (uint32_t f = 0; f < count && c->flow_count <= SIM_FLOWS_MAX; f++) {
        if (!c->flows[f].boxed && c->flows[f].permits == SIM_NONE) {
            stage_flow(c, f, memory);
        }
    }
    free(memory);
    return c->flow_count <= SIM_FLOWS_MAX ||
           err_set(err, ERR_LIMIT, "staging needs more than %d queue pairs; use fewer GPUs",
                   SIM_FLOWS_MAX);
}

static int64_t pick(int64_t knob, int64_t scenario)
{
    return knob == SIM_AUTO ? scenario : knob;
}

static void build_sizes(struct sim_config *c)
{
    struct sim_training_spec *t = &c->scenario.training;
    const int64_t *knob = c->scenario.knobs.v;
    t->bytes = pick(knob[SIM_KNOB_BYTES], t->bytes);
    t->bucket_bytes = pick(knob[SIM_KNOB_BUCKET], t->bucket_bytes);
    t->steps = pick(knob[SIM_KNOB_STEPS], t->steps);
    if (t->bucket_bytes == 0 || t->bucket_bytes > t->bytes) {
        t->bucket_bytes = t->bytes;
    }
    c->steps = c->scenario.work == SIM_WORK_TRAINING ? t->steps : 0;
    c->buckets = c->steps > 0 ? (t->bytes + t->bucket_bytes - 1) / t->bucket_bytes : 0;
    for (int prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        c->strict_mask |= (unsigned)(c->scenario.classes[prio].weight == 0) << prio;
    }
    bool tcp = knob[SIM_KNOB_TRANSPORT] == SIM_TCP;
    bool pauses = !tcp || knob[SIM_KNOB_TCP_CLASS] == SIM_TCP_LOSSLESS;
    for (int prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        c->lossless_mask |= (unsigned)(pauses && c->scenario.classes[prio].lossless) << prio;
    }
    c->control_prio = (uint8_t)sim_class_vl(&c->scenario, SIM_PRIO_CONTROL);
    c->arbitrated = c->scenario.vl_entry_count > 0;
    for (size_t i = 0; i < c->scenario.vl_entry_count; i++) {
        enum sim_vl_table table = c->scenario.vl_entries[i].table;
        c->vl_tables[table][c->vl_counts[table]++] = c->scenario.vl_entries[i];
    }
    c->wire = sim_wire_sizes(&c->scenario.knobs);
    c->frame_max = sim_frame_max(&c->wire);
}

/* Names that do not depend on declaration order: a port is hashed by its two nodes. */
static void build_hashes(struct sim_config *c)
{
    c->component_count = c->port_count + c->node_count + c->flow_count + c->party_count + 1;
    c->component_hash = mem_alloc(c->component_count, sizeof *c->component_hash);
    uint64_t *hash = c->component_hash;
    for (uint32_t p = 0; p < c->port_count; p++) {
        uint64_t own = rng_hash_name(c->nodes[c->ports[p].node].name);
        uint64_t far = rng_hash_name(c->nodes[c->ports[c->ports[p].peer].node].name);
        uint32_t twin = 0; /* parallel cables */
        for (uint32_t q = c->nodes[c->ports[p].node].first_port; q < p; q++) {
            twin += c->ports[c->ports[q].peer].node == c->ports[c->ports[p].peer].node;
        }
        hash[sim_comp_port(p)] = rng_mix3(own, far, twin);
    }
    for (uint32_t n = 0; n < c->node_count; n++) {
        hash[sim_comp_node(c, n)] = rng_hash_name(c->nodes[n].name);
    }
    for (uint32_t f = 0; f < c->flow_count; f++) {
        hash[sim_comp_flow(c, f)] = c->flows[f].hash;
    }
    for (uint32_t r = 0; r < c->party_count; r++) {
        hash[sim_comp_rank(c, r)] = rng_mix3(rng_hash_name(c->nodes[c->hosts[r]].name), 1, 0);
    }
}

enum { COLLECTIVES_MAX = 4 << 20 };

struct sim_config *sim_config_create(const struct sim_scenario *sc, uint64_t seed, struct err *err)
{
    struct sim_config *c = mem_alloc(1, sizeof *c);
    c->refs = 1;
    c->seed = seed;
    sim_scenario_copy(&c->scenario, sc);
    c->node_count = (uint32_t)sc->node_count;
    c->nodes = mem_alloc(c->node_count, sizeof *c->nodes);
    c->hosts = mem_alloc(c->node_count, sizeof *c->hosts);
    for (uint32_t n = 0; n < c->node_count; n++) {
        c->nodes[n].name = mem_strdup(sc->nodes[n].name);
        c->nodes[n].kind = sc->nodes[n].kind;
        if (sc->nodes[n].kind == SIM_HOST) {
            c->nodes[n].host_index = c->host_count;
            c->hosts[c->host_count++] = n;
        }
    }
    c->gpu_count = c->host_count;
    for (uint32_t n = 0; n < c->node_count; n++) {
        if (sc->nodes[n].kind == SIM_MEMORY) {
            c->nodes[n].host_index = c->host_count;
            c->hosts[c->host_count++] = n;
        }
    }
    build_sizes(c);
    build_ports(c, sc);
    build_latencies(c);
    sim_paths_build(c);
    bool ok = true;
    if (sc->work == SIM_WORK_TRAINING) {
        ok = build_training(c, err);
    } else {
        ok = build_flows(c, sc, err);
    }
    ok = ok && build_legs(c, err);
    if (ok && c->lost_ways > 0) {
        ok = err_set(err, ERR_STATE, "there is no way between some of the hosts that talk");
    }
    if (!ok || !sim_steer_build(c, err)) {
        sim_config_release(c);
        return NULL;
    }
    build_hashes(c);
    sim_event_plan(c);
    if (c->steps * c->buckets > COLLECTIVES_MAX) {
        sim_config_release(c);
        (void)err_set(err, ERR_LIMIT, "more than %d all-reduces in one run; use larger buckets",
                      (int)COLLECTIVES_MAX);
        return NULL;
    }
    return c;
}

void sim_config_release(struct sim_config *c)
{
    if (c == NULL || --c->refs > 0) {
        return;
    }
    for (uint32_t n = 0; n < c->node_count; n++) {
        free(c->nodes[n].name);
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        free(c->ports[p].name);
    }
    for (uint32_t f = 0; f < c->flow_count; f++) {
        free(c->flows[f].name);
    }
    for (int o = 0; o < SIM_ORDERS; o++) {
        free(c->orders[o].position);
        free(c->orders[o].party);
    }
    free(c->flow_table);
    free(c->own_first);
    free(c->own);
    sim_scenario_finish(&c->scenario);
    free(c->nodes);
    free(c->ports);
    free(c->flows);
    free(c->hosts);
    free(c->route);
    free(c->route_pool);
    free(c->pins);
    free(c->flowlet_first);
    free(c->flowlet_at);
    free(c->component_hash);
    free(c);
}
