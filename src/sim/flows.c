/*
 * Flows: the queue pairs that the workload needs, their names, and how they are found.
 *
 *     g1>g2, g1>g2/2 ..   queue pairs of a connection, then of the next one between the same two
 *     g2>g1/cts           clear-to-sends for what comes the other way
 *     g1>h1, h1>h2 ..     legs of a flow that is staged (stage.h)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "sim/config.h"

static char *flow_name(const char *src, const char *dst, const char *suffix)
{
    char buf[2 * SIM_NAME_MAX + 24];
    (void)snprintf(buf, sizeof buf, "%s>%s%s", src, dst, suffix);
    return mem_strdup(buf);
}

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

bool sim_flows_build(struct sim_config *c, struct err *err)
{
    const bool training = c->scenario.work == SIM_WORK_TRAINING;
    return (training ? build_training(c, err) : build_flows(c, &c->scenario, err)) &&
           build_legs(c, err) &&
           (c->lost_ways == 0 ||
            err_set(err, ERR_STATE, "there is no way between some of the hosts that talk"));
}
