#include "fabrics.h"

#include <stdint.h>

#include "scenes.h"

struct builder {
    struct scene_mem *mem;
    struct scene_node *node;
    struct scene_cable *cable;
    size_t nodes, cables, gpus;
};

static struct builder begin(struct scene_mem *mem, size_t nodes, size_t cables)
{
    return (struct builder){
        .mem = mem,
        .node = scene_mem_take(mem, nodes + 1, sizeof(struct scene_node)),
        .cable = scene_mem_take(mem, cables + 1, sizeof(struct scene_cable)),
    };
}

static size_t add(struct builder *b, enum scene_node_kind kind, const char *prefix, size_t number)
{
    const bool gpu = kind == SCENE_NODE_GPU;
    b->node[b->nodes] = (struct scene_node){
        .name = scene_mem_textf(b->mem, "%s%zu", prefix, number),
        .kind = kind,
        .state = gpu ? SCENE_GPU_EXCHANGE : SCENE_GPU_IDLE,
    };
    b->gpus += gpu;
    return b->nodes++;
}

/* Traffic by the number of the cable: packets here and there, each third lane idle. */
static void fill_lane(struct builder *b, struct scene_lane *lane, size_t number, bool from, bool to)
{
    struct scene_mark *mark = scene_mem_take(b->mem, 1, sizeof *mark);
    mark->at = (int)(number * 379 % 1000);
    mark->kind = number % 7 == 6 ? SCENE_MARK_ACK : SCENE_MARK_DATA;
    lane->mark = mark;
    lane->mark_count = number % 3 != 0;
    lane->busy = number % 3 != 0 ? (int)(number * 211 % 1000) : 0;
    lane->held =
        (struct scene_meter){ .shown = to, .used = 20000, .limit = 150000, .mark = 100000 };
    lane->queue = (struct scene_meter){
        .shown = from, .used = (int64_t)(number % 4) * 60000, .limit = 300000, .mark = 100000
    };
}

static void join(struct builder *b, size_t x, size_t y, enum scene_cable_kind kind)
{
    struct scene_cable *c = &b->cable[b->cables];
    *c = (struct scene_cable){ .a = x, .b = y, .kind = kind };
    const bool at_x = b->node[x].kind == SCENE_NODE_SWITCH;
    const bool at_y = b->node[y].kind == SCENE_NODE_SWITCH;
    fill_lane(b, &c->ab, 2 * b->cables, at_x, at_y);
    fill_lane(b, &c->ba, 2 * b->cables + 1, at_y, at_x);
    b->cables++;
}

/* The fabric in a scene that has a row of the timeline for each of its GPUs. */
static struct scene end(struct builder *b)
{
    struct scene s = scene_star(b->mem, b->gpus);
    if (b->cables > 2) {
        struct scene_mark *lost = scene_mem_take(b->mem, 1, sizeof *lost);
        *lost = (struct scene_mark){ .kind = SCENE_MARK_DROP, .at = 900, .word = "full" };
        b->cable[b->cables - 1].ab.mark = lost;
        b->cable[b->cables - 1].ab.mark_count = 1;
        b->cable[0].ab.state = SCENE_LANE_PAUSED;
        b->cable[0].ab.mark_count = 0;
    }
    size_t gpu = 0;
    for (size_t i = 0; i < b->nodes; i++) { /* each fifth waits, the second is paused */
        if (b->node[i].kind == SCENE_NODE_GPU) {
            b->node[i].state = gpu % 5 == 4 ? SCENE_GPU_STARVED
                               : gpu == 1   ? SCENE_GPU_PAUSED
                                            : b->node[i].state;
            gpu++;
        }
    }
    s.fabric = (struct scene_fabric){ b->node, b->nodes, b->cable, b->cables };
    return s;
}

/* One box; `nic` receives its NICs. */
static void add_box(struct builder *b, const struct box_spec *spec, size_t number, size_t *nic)
{
    size_t under[64] = { 0 };
    size_t places = spec->switches > 0 ? spec->switches : 1;
    const size_t nvs = spec->nvlink ? add(b, SCENE_NODE_SWITCH, "nvs", number + 1) : 0;
    if (spec->pcie) {
        const size_t root = add(b, SCENE_NODE_SWITCH, "root", number + 1);
        under[0] = root;
        for (size_t i = 0; i < spec->switches; i++) {
            under[i] = add(b, SCENE_NODE_SWITCH, "pcie", number * spec->switches + i + 1);
            join(b, under[i], root, SCENE_CABLE_PCIE);
        }
        if (spec->memory) {
            join(b, add(b, SCENE_NODE_MEMORY, "h", number + 1), root, SCENE_CABLE_BUS);
        }
    }
    for (size_t i = 0; i < spec->gpus; i++) {
        const size_t gpu = add(b, SCENE_NODE_GPU, "g", number * spec->gpus + i + 1);
        if (spec->nvlink) {
            join(b, gpu, nvs, SCENE_CABLE_NVLINK);
        }
        if (spec->pcie) {
            join(b, gpu, under[i * places / spec->gpus], SCENE_CABLE_PCIE);
        }
    }
    for (size_t i = 0; i < spec->nics; i++) {
        nic[i] = add(b, SCENE_NODE_SWITCH, "nic", number * spec->nics + i + 1);
        join(b, nic[i], under[i * places / spec->nics], SCENE_CABLE_PCIE);
    }
}

struct scene scene_boxes(struct scene_mem *mem, const struct box_spec *spec)
{
    enum { NICS_MAX = 64 };
    const size_t each = 3 + spec->switches + spec->gpus + spec->nics;
    const size_t tier = spec->leaves > 0 ? spec->leaves : spec->nics;
    const size_t nodes = spec->boxes * each + tier + spec->spines;
    struct builder b = begin(mem, nodes, spec->boxes * 4 * each + tier * spec->spines);
    size_t leaf[NICS_MAX];
    for (size_t i = 0; i < tier; i++) {
        leaf[i] = add(&b, SCENE_NODE_SWITCH, spec->leaves > 0 ? "leaf" : "rail", i + 1);
    }
    for (size_t i = 0; i < spec->spines; i++) {
        const size_t spine = add(&b, SCENE_NODE_SWITCH, "spine", i + 1);
        for (size_t k = 0; k < tier; k++) {
            join(&b, leaf[k], spine, SCENE_CABLE_FABRIC);
        }
    }
    for (size_t i = 0; i < spec->boxes; i++) {
        size_t nic[NICS_MAX];
        add_box(&b, spec, i, nic);
        for (size_t k = 0; k < spec->nics; k++) {
            const size_t to = spec->leaves > 0 ? i * spec->leaves / spec->boxes : k;
            join(&b, nic[k], leaf[to], SCENE_CABLE_FABRIC);
        }
    }
    return end(&b);
}

struct scene scene_box_pair(struct scene_mem *mem)
{
    const struct box_spec spec = {
        .boxes = 2, .gpus = 4, .nics = 1, .nvlink = true, .pcie = true, .memory = true
    };
    struct builder b = begin(mem, 32, 64);
    size_t nic[2];
    add_box(&b, &spec, 0, &nic[0]);
    add_box(&b, &spec, 1, &nic[1]);
    join(&b, nic[0], nic[1], SCENE_CABLE_FABRIC);
    return end(&b);
}

struct scene scene_fat_tree(struct scene_mem *mem, size_t k)
{
    enum { CORES_MAX = 144 };
    const size_t half = k / 2;
    const size_t hosts = k * half * half;
    struct builder b = begin(mem, hosts + k * k + half * half, 3 * hosts);
    size_t core[CORES_MAX];
    for (size_t i = 0; i < half * half; i++) {
        core[i] = add(&b, SCENE_NODE_SWITCH, "core", i + 1);
    }
    for (size_t pod = 0; pod < k; pod++) {
        size_t agg[CORES_MAX];
        for (size_t i = 0; i < half; i++) {
            agg[i] = add(&b, SCENE_NODE_SWITCH, "agg", pod * half + i + 1);
            for (size_t c = 0; c < half; c++) {
                join(&b, agg[i], core[i * half + c], SCENE_CABLE_FABRIC);
            }
        }
        for (size_t e = 0; e < half; e++) {
            const size_t edge = add(&b, SCENE_NODE_SWITCH, "edge", pod * half + e + 1);
            for (size_t i = 0; i < half; i++) {
                join(&b, edge, agg[i], SCENE_CABLE_FABRIC);
                join(&b, edge, add(&b, SCENE_NODE_GPU, "g", (pod * half + e) * half + i + 1),
                     SCENE_CABLE_FABRIC);
            }
        }
    }
    return end(&b);
}

struct scene scene_ring(struct scene_mem *mem, size_t switches, size_t hosts, bool closed)
{
    enum { SWITCHES_MAX = 64 };
    struct builder b = begin(mem, switches * (1 + hosts), switches * (1 + hosts));
    size_t sw[SWITCHES_MAX];
    for (size_t i = 0; i < switches; i++) {
        sw[i] = add(&b, SCENE_NODE_SWITCH, "sw", i + 1);
        for (size_t h = 0; h < hosts; h++) {
            join(&b, add(&b, SCENE_NODE_GPU, "g", i * hosts + h + 1), sw[i], SCENE_CABLE_FABRIC);
        }
    }
    for (size_t i = 0; i + (closed ? 0 : 1) < switches; i++) {
        join(&b, sw[i], sw[(i + 1) % switches], SCENE_CABLE_FABRIC);
    }
    return end(&b);
}

static size_t put(struct builder *b, enum scene_node_kind kind, size_t number, int row, int column)
{
    const size_t n = add(b, kind, kind == SCENE_NODE_GPU ? "g" : "s", number);
    b->node[n].row = row;
    b->node[n].column = column;
    return n;
}

struct scene scene_placed(struct scene_mem *mem, bool twins)
{
    struct builder b = begin(mem, 8, 12);
    const size_t g1 = put(&b, SCENE_NODE_GPU, 1, 1, 1);
    const size_t g2 = put(&b, SCENE_NODE_GPU, 2, 5, 1); /* the rows between are empty */
    const size_t g3 = put(&b, SCENE_NODE_GPU, 3, 1, 9);
    const size_t g4 = put(&b, SCENE_NODE_GPU, 4, 5, 9);
    const size_t s1 = put(&b, SCENE_NODE_SWITCH, 1, 1, 4);
    const size_t s2 = put(&b, SCENE_NODE_SWITCH, 2, 5, 4);
    join(&b, g1, s1, SCENE_CABLE_FABRIC);
    join(&b, g3, s1, SCENE_CABLE_FABRIC);
    join(&b, s1, s2, SCENE_CABLE_FABRIC);
    if (twins) {
        join(&b, s1, s2, SCENE_CABLE_FABRIC);
    }
    join(&b, s2, g4, SCENE_CABLE_FABRIC);
    join(&b, g2, s1, SCENE_CABLE_FABRIC);
    return end(&b);
}

struct scene scene_fast(struct scene s)
{
    for (size_t i = 0; i < s.fabric.cable_count; i++) {
        struct scene_cable *c = (struct scene_cable *)(uintptr_t)&s.fabric.cable[i]; /* ours */
        c->ab.blurred = c->ba.blurred = true;
        for (int k = 0; k < 2; k++) {
            struct scene_lane *lane = k == 0 ? &c->ab : &c->ba;
            const bool lost = lane->mark_count > 0 && lane->mark->kind == SCENE_MARK_DROP;
            lane->mark_count = lost ? 1 : 0;
        }
    }
    return s;
}
