#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/units.h"
#include "sim/event.h"
#include "sim/link.h"
#include "sim/world.h"

/* Byte size of one item of each section. */
static const size_t item_size[SIM_SECTION_COUNT] = {
    [SIM_SECTION_WORLD] = sizeof(struct sim_world),
    [SIM_SECTION_NODES] = sizeof(struct sim_node_state),
    [SIM_SECTION_PORTS] = sizeof(struct sim_port_state),
    [SIM_SECTION_LANES] = sizeof(struct sim_lanes),
    [SIM_SECTION_NICS] = sizeof(struct sim_nic),
    [SIM_SECTION_QPS] = sizeof(struct sim_qp),
    [SIM_SECTION_SELECTIVE] = sizeof(struct sim_selective),
    [SIM_SECTION_TCP] = sizeof(struct sim_tcp),
    [SIM_SECTION_FLOWLETS] = sizeof(struct sim_flowlet),
    [SIM_SECTION_RANKS] = sizeof(struct sim_rank_data),
    [SIM_SECTION_STEPS] = sizeof(struct sim_step_data),
    [SIM_SECTION_COLLECTIVES] = sizeof(struct sim_collective_data),
    [SIM_SECTION_EVENTS] = sizeof(struct sim_event),
    [SIM_SECTION_PACKETS] = sizeof(struct sim_packet),
    [SIM_SECTION_CELLS] = sizeof(struct sim_cell),
    [SIM_SECTION_NEAR] = sizeof(struct sim_near),
    [SIM_SECTION_BUCKETS] = sizeof(uint32_t),
    [SIM_SECTION_BITS] = sizeof(uint64_t),
};

static_assert(sizeof(struct sim_event) == 16, "no padding: the arena is hashed and copied");
static_assert(sizeof(struct sim_near) == 24, "no padding");
static_assert(sizeof(struct sim_port_class) == 32, "half a cache line");
static_assert(offsetof(struct sim_port_state, classes) == 128, "two cache lines");
static_assert(sizeof(struct sim_port_state) % 64 == 0, "every port begins with a cache line");
static_assert(sizeof(struct sim_packet) == 64, "one cache line");
static_assert(sizeof(struct sim_cell) == 40, "no padding");
static_assert(sizeof(struct sim_flowlet) == 16, "no padding");

enum { LINE = 64 }; /* of a cache: sections begin with one */

static size_t padded(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

static size_t layout(const size_t cap[SIM_SECTION_COUNT], size_t offset[SIM_SECTION_COUNT])
{
    size_t at = 0;
    for (int i = 0; i < SIM_SECTION_COUNT; i++) {
        offset[i] = at;
        at += padded(cap[i] * item_size[i]);
    }
    return at;
}

/* Items of each section that mean something: what is copied into a snapshot. */
static void used(const struct sim *s, size_t count[SIM_SECTION_COUNT])
{
    memcpy(count, s->section_cap, sizeof s->section_cap);
    count[SIM_SECTION_STEPS] = (size_t)s->w->step;
    count[SIM_SECTION_COLLECTIVES] = (size_t)s->w->collectives;
    count[SIM_SECTION_EVENTS] = s->w->pending.far_count;
    count[SIM_SECTION_NEAR] = s->w->pending.near_high;
    count[SIM_SECTION_PACKETS] = s->w->packet_high;
    count[SIM_SECTION_CELLS] = s->w->cell_high;
}

static void bind(struct sim *s, const size_t offset[SIM_SECTION_COUNT])
{
    unsigned char *a = s->arena;
    s->cables = s->config->ports;
    s->w = (void *)(a + offset[SIM_SECTION_WORLD]);
    s->nodes = (void *)(a + offset[SIM_SECTION_NODES]);
    s->ports = (void *)(a + offset[SIM_SECTION_PORTS]);
    s->lanes = (void *)(a + offset[SIM_SECTION_LANES]);
    s->nics = (void *)(a + offset[SIM_SECTION_NICS]);
    s->qps = (void *)(a + offset[SIM_SECTION_QPS]);
    s->selective = (void *)(a + offset[SIM_SECTION_SELECTIVE]);
    s->tcp = (void *)(a + offset[SIM_SECTION_TCP]);
    s->flowlets = (void *)(a + offset[SIM_SECTION_FLOWLETS]);
    s->ranks = (void *)(a + offset[SIM_SECTION_RANKS]);
    s->steps = (void *)(a + offset[SIM_SECTION_STEPS]);
    s->collectives = (void *)(a + offset[SIM_SECTION_COLLECTIVES]);
    s->events = (void *)(a + offset[SIM_SECTION_EVENTS]);
    s->packets = (void *)(a + offset[SIM_SECTION_PACKETS]);
    s->cells = (void *)(a + offset[SIM_SECTION_CELLS]);
    s->near = (void *)(a + offset[SIM_SECTION_NEAR]);
    s->buckets = (void *)(a + offset[SIM_SECTION_BUCKETS]);
    s->bucket_bits = (void *)(a + offset[SIM_SECTION_BITS]);
    s->wheel_shift = s->config->wheel_shift;
    s->wheel_mask = s->config->wheel_size - 1;
    s->places = (uint32_t)sim_event_places(s->config);
}

/* Moves everything into a new block in which the sections hold `cap` items. */
static void rebuild(struct sim *s, const size_t cap[SIM_SECTION_COUNT])
{
    size_t offset[SIM_SECTION_COUNT];
    size_t old_offset[SIM_SECTION_COUNT];
    size_t size = layout(cap, offset);
    void *block = mem_alloc(size + LINE, 1);
    unsigned char *arena = (unsigned char *)block + (LINE - (uintptr_t)block % LINE) % LINE;
    if (s->arena != NULL) {
        size_t count[SIM_SECTION_COUNT];
        used(s, count);
        (void)layout(s->section_cap, old_offset);
        for (int i = 0; i < SIM_SECTION_COUNT; i++) {
            memcpy(arena + offset[i], s->arena + old_offset[i], count[i] * item_size[i]);
        }
    }
    free(s->block);
    s->block = block;
    s->arena = arena;
    s->arena_size = size;
    memcpy(s->section_cap, cap, sizeof s->section_cap);
    for (int i = 0; i < 3; i++) {
        s->most[i] = cap[SIM_SECTION_EVENTS + i] - s->need[i];
    }
    bind(s, offset);
    s->most[0] -= s->places;
    s->scarce = true; /* until it has been looked at */
}

static size_t grown(size_t cap, size_t need)
{
    return cap + cap / 2 + need;
}

/* What the fabric needs at the start, and what one event may need: more of the sections that grow. */
static void need_with(const struct sim_config *c, size_t late, size_t cap[SIM_SECTION_COUNT],
                      size_t need[3])
{
    const enum sim_transport transport =
        (enum sim_transport)c->scenario.knobs.v[SIM_KNOB_TRANSPORT];
    memset(cap, 0, SIM_SECTION_COUNT * sizeof *cap);
    cap[SIM_SECTION_WORLD] = 1;
    cap[SIM_SECTION_NODES] = c->node_count;
    cap[SIM_SECTION_PORTS] = c->port_count;
    cap[SIM_SECTION_LANES] = c->port_count;
    cap[SIM_SECTION_NICS] = c->nic_count;
    cap[SIM_SECTION_QPS] = c->flow_count;
    cap[SIM_SECTION_SELECTIVE] = transport == SIM_SELECTIVE ? c->flow_count : 0;
    cap[SIM_SECTION_TCP] = transport == SIM_TCP ? c->flow_count : 0;
    cap[SIM_SECTION_FLOWLETS] = c->flowlet_count;
    cap[SIM_SECTION_RANKS] = c->party_count;
    cap[SIM_SECTION_BUCKETS] = c->wheel_size;
    cap[SIM_SECTION_BITS] = sim_event_words(c);
    cap[SIM_SECTION_STEPS] = (size_t)c->steps;
    cap[SIM_SECTION_COLLECTIVES] = (size_t)(c->steps * c->buckets);
    /* what one event may take at most: a barrier starts every rank, a command touches every port, a
     * party may post the rest of one bucket and the beginning of the next */
    size_t parts = c->component_count;
    if (cap[SIM_SECTION_SELECTIVE] + cap[SIM_SECTION_TCP] > 0) {
        parts += SIM_SELECTIVE_WINDOW; /* one packet may release a whole window of messages */
    }
    size_t posts = 2 * (size_t)c->longest * (size_t)c->scenario.knobs.v[SIM_KNOB_QUEUE_PAIRS];
    need[0] = 64 + 4 * parts;
    need[1] = 64 + 2 * parts + late;
    need[2] = 64 + 2 * parts + posts;
    for (int i = 0; i < 3; i++) {
        cap[SIM_SECTION_EVENTS + i] = 2 * need[i];
    }
    cap[SIM_SECTION_NEAR] = cap[SIM_SECTION_EVENTS]; /* all of them may be near */
}

/* With room for frames that hosts are late with, if that is not much. How many these are. */
static size_t first_need(const struct sim_config *c, size_t cap[SIM_SECTION_COUNT], size_t need[3])
{
    size_t offset[SIM_SECTION_COUNT];
    const size_t late = c->late_most;
    need_with(c, late, cap, need);
    if (layout(cap, offset) <= (size_t)c->scenario.knobs.v[SIM_KNOB_MEMORY] / 4) {
        return late;
    }
    need_with(c, 0, cap, need);
    return 0;
}

bool sim_arena_fits(const struct sim_config *c, struct err *err)
{
    size_t cap[SIM_SECTION_COUNT], offset[SIM_SECTION_COUNT], need[3];
    char takes[32], limit[32];
    const int64_t most = c->scenario.knobs.v[SIM_KNOB_MEMORY];
    (void)first_need(c, cap, need);
    const int64_t size = (int64_t)layout(cap, offset);
    return size <= most ||
           err_set(err, ERR_LIMIT,
                   "the fabric's state takes %s before anything moves, and memory is %s; fewer "
                   "hosts, flows or messages at once, or more memory",
                   units_format(takes, sizeof takes, UNIT_BYTES, size),
                   units_format(limit, sizeof limit, UNIT_BYTES, most));
}

void sim_arena_create(struct sim *s)
{
    size_t cap[SIM_SECTION_COUNT];
    s->is_large = s->config->is_large;
    s->late_most = first_need(s->config, cap, s->need);
    rebuild(s, cap);
    sim_event_init(s);
    s->w->packet_free = SIM_NONE;
    s->w->cell_free = SIM_NONE;
}

bool sim_arena_is_roomy(const struct sim *s)
{
    size_t cap[SIM_SECTION_COUNT];
    size_t offset[SIM_SECTION_COUNT];
    memcpy(cap, s->section_cap, sizeof cap);
    for (int i = 0; i < 3; i++) {
        cap[SIM_SECTION_EVENTS + i] = grown(cap[SIM_SECTION_EVENTS + i], s->need[i]);
    }
    cap[SIM_SECTION_NEAR] = cap[SIM_SECTION_EVENTS];
    return (int64_t)layout(cap, offset) <= s->w->knobs.v[SIM_KNOB_MEMORY];
}

void sim_arena_grow(struct sim *s)
{
    const struct sim_world *w = s->w;
    size_t cap[SIM_SECTION_COUNT];
    size_t offset[SIM_SECTION_COUNT];
    s->scarce =
        w->pool_count > s->most[0] || w->packet_count > s->most[1] || w->cell_count > s->most[2];
    if (!s->scarce) {
        return;
    }
    size_t used_up[] = { s->places + w->pool_count, w->packet_count, w->cell_count };
    memcpy(cap, s->section_cap, sizeof cap);
    for (int i = 0; i < 3; i++) {
        size_t *c = &cap[SIM_SECTION_EVENTS + i];
        if (*c - used_up[i] < s->need[i]) {
            *c = grown(*c, s->need[i]);
        }
    }
    cap[SIM_SECTION_NEAR] = cap[SIM_SECTION_EVENTS]; /* all of them may be near */
    /* node by node there is no stopping, and it does not begin without room */
    const bool may_stop = s->window_end == 0;
    if (may_stop && (int64_t)layout(cap, offset) > w->knobs.v[SIM_KNOB_MEMORY]) {
        s->halt = s->w->memory_limit =
            true; /* the event at hand still has room: it was reserved before */
        return;
    }
    rebuild(s, cap);
    if (s->late && s->window_end == 0 && !sim_arena_is_roomy(s)) {
        sim_slots_be_punctual(s);
    }
}

uint32_t sim_cell_alloc(struct sim *s)
{
    struct sim_world *w = s->w;
    uint32_t i;
    if (w->cell_free != SIM_NONE) {
        i = w->cell_free;
        w->cell_free = s->cells[i].next;
    } else {
        assert(w->cell_high < s->section_cap[SIM_SECTION_CELLS]);
        i = (uint32_t)w->cell_high++;
    }
    s->scarce |= ++w->cell_count > s->most[2];
    s->cells[i] = (struct sim_cell){ .next = SIM_NONE };
    return i;
}

void sim_cell_free(struct sim *s, uint32_t cell)
{
    s->cells[cell] = (struct sim_cell){ .next = s->w->cell_free };
    s->w->cell_free = cell;
    s->w->cell_count--;
}

/* ---- snapshots: the counts, then the used part of each section ------------------------------- */

size_t sim_state_size(const struct sim *s)
{
    size_t count[SIM_SECTION_COUNT];
    size_t size = sizeof count;
    used(s, count);
    for (int i = 0; i < SIM_SECTION_COUNT; i++) {
        size += count[i] * item_size[i];
    }
    return size;
}

void sim_state_save(const struct sim *s, void *to)
{
    unsigned char *out = to;
    size_t count[SIM_SECTION_COUNT];
    size_t offset[SIM_SECTION_COUNT];
    used(s, count);
    (void)layout(s->section_cap, offset);
    memcpy(out, count, sizeof count);
    out += sizeof count;
    for (int i = 0; i < SIM_SECTION_COUNT; i++) {
        memcpy(out, s->arena + offset[i], count[i] * item_size[i]);
        out += count[i] * item_size[i];
    }
}

void sim_state_load(struct sim *s, const void *from)
{
    const unsigned char *in = from;
    size_t count[SIM_SECTION_COUNT];
    size_t cap[SIM_SECTION_COUNT];
    bool grow = false;
    memcpy(count, in, sizeof count);
    in += sizeof count;
    for (int i = 0; i < SIM_SECTION_COUNT; i++) {
        cap[i] = s->section_cap[i] > count[i] ? s->section_cap[i] : count[i];
        grow = grow || cap[i] != s->section_cap[i];
    }
    if (grow) {
        rebuild(s, cap);
    }
    size_t offset[SIM_SECTION_COUNT];
    (void)layout(s->section_cap, offset);
    for (int i = 0; i < SIM_SECTION_COUNT; i++) {
        memcpy(s->arena + offset[i], in, count[i] * item_size[i]);
        in += count[i] * item_size[i];
    }
    s->stop_hit = false;
    s->scarce = true;
}

static bool holds_places(enum sim_section section)
{
    return section == SIM_SECTION_EVENTS || section == SIM_SECTION_NEAR ||
           section == SIM_SECTION_BUCKETS || section == SIM_SECTION_BITS ||
           section == SIM_SECTION_PORTS || section == SIM_SECTION_NODES ||
           section == SIM_SECTION_PACKETS || section == SIM_SECTION_QPS ||
           section == SIM_SECTION_CELLS;
}

/* Folds the frames of a list, whatever places they have, and forgets these. */
static uint64_t hash_frames(const struct sim *s, struct sim_fifo *fifo, uint64_t hash)
{
    for (uint32_t i = fifo->head; i != SIM_NONE; i = s->packets[i].next) {
        struct sim_packet f;
        memcpy(&f, &s->packets[i], sizeof f);
        f.next = 1; /* there is one */
        hash = rng_hash_bytes(&f, sizeof f, hash);
    }
    *fifo = (struct sim_fifo){ 0, 0 };
    return hash;
}

/* The same for a list of cells. */
static uint64_t hash_cells(const struct sim *s, uint32_t *head, uint64_t hash)
{
    for (uint32_t i = *head; i != SIM_NONE; i = s->cells[i].next) {
        struct sim_cell cell = s->cells[i];
        cell.next = 1;
        hash = rng_hash_bytes(&cell, sizeof cell, hash);
    }
    *head = 0;
    return hash;
}

static uint64_t hash_qps(const struct sim *s, uint64_t hash)
{
    for (uint32_t f = 0; f < s->config->flow_count; f++) {
        struct sim_qp qp;
        memcpy(&qp, &s->qps[f], sizeof qp);
        const uint64_t recent = qp.recent != SIM_NONE ? s->cells[qp.recent].psn + 1 : 0;
        hash = rng_mix3(hash, recent, f);
        hash = hash_cells(s, &qp.messages, hash);
        hash = hash_cells(s, &qp.rewinds, hash);
        qp.recent = qp.messages_tail = 0;
        hash = rng_hash_bytes(&qp, sizeof qp, hash);
    }
    return hash;
}

static uint64_t hash_ports(const struct sim *s, uint64_t hash)
{
    for (uint32_t p = 0; p < s->config->port_count; p++) {
        struct sim_port_state port;
        memcpy(&port, &s->ports[p], sizeof port);
        hash = hash_frames(s, &port.wire, hash);
        hash = hash_frames(s, &port.pfc, hash);
        hash = hash_frames(s, &port.obey, hash);
        hash = hash_cells(s, &port.headers, hash);
        port.headers_tail = 0;
        for (uint32_t i = 0; i < SIM_PRIO_COUNT; i++) {
            hash = hash_frames(s, &port.classes[i].out.fifo, hash);
        }
        hash = rng_hash_bytes(&port, sizeof port, hash);
    }
    return hash;
}

static uint64_t hash_nodes(const struct sim *s, uint64_t hash)
{
    for (uint32_t n = 0; n < s->config->node_count; n++) {
        struct sim_node_state node;
        memcpy(&node, &s->nodes[n], sizeof node);
        hash = hash_frames(s, &node.pipeline, hash);
        hash = hash_frames(s, &node.receive, hash);
        hash = rng_hash_bytes(&node, sizeof node, hash);
    }
    return hash;
}

/* How events, frames and cells are kept depends on how the run was cut into slices; what they are does
 * not. */
uint64_t sim_state_hash(const struct sim *s)
{
    struct sim_world world = *s->w;
    memset(&world.pending, 0, sizeof world.pending);
    world.packet_high = world.packet_free = 0;
    world.cell_high = world.cell_free = 0;
    size_t count[SIM_SECTION_COUNT];
    size_t offset[SIM_SECTION_COUNT];
    uint64_t hash = 0;
    used(s, count);
    (void)layout(s->section_cap, offset);
    for (int i = 0; i < SIM_SECTION_COUNT; i++) {
        if (holds_places((enum sim_section)i)) {
            continue;
        }
        const unsigned char *bytes = s->arena + offset[i];
        if (i == SIM_SECTION_WORLD) {
            bytes = (const unsigned char *)&world;
        }
        hash = rng_hash_bytes(bytes, count[i] * item_size[i], hash);
    }
    hash = hash_qps(s, hash_nodes(s, hash_ports(s, hash)));
    return rng_mix3(hash, sim_event_hash(s), 0);
}
