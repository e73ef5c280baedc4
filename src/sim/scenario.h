/*
 * A scenario: what a run starts from. Plain data, checked once, immutable afterwards.
 *
 *     nodes    hosts, switches and host memories, with unique names
 *     links    full-duplex cables between two nodes: kind, rate, delay
 *     work     flows, or a training loop over the hosts
 *     knobs    starting values
 *     faults   commands that come with it, each with its time
 *
 * Build one with the calls below (lessons do it through Lua, tests through the shapes), then
 * sim_scenario_check(). Building calls take care of memory; sim_scenario_finish() frees it.
 */
#ifndef WEFT_SIM_SCENARIO_H
#define WEFT_SIM_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/command.h"
#include "sim/knobs.h"
#include "sim/time.h"

/* Caps, checked at load: what a lesson may ask for. */
#define SIM_NAME_MAX    24 /* bytes of a node's name, terminator included */
#define SIM_NODES_MAX   8192
#define SIM_LINKS_MAX   65536
#define SIM_FLOWS_MAX   65536
#define SIM_FAULTS_MAX  1024
#define SIM_ROUTES_MAX  65536
#define SIM_PINS_MAX    4096
#define SIM_ROWS_MAX    16 /* of the picture, where an author places nodes */
#define SIM_COLUMNS_MAX 32
#define SIM_MESSAGE_MAX (INT64_C(1) << 42) /* bytes */

#define SIM_PRIO_COUNT   8
#define SIM_PRIO_DATA    3
#define SIM_PRIO_CONTROL 6

/*
 * A host is where flows end and a rank trains: a GPU, or a whole server seen from outside. What
 * stands between hosts is a switch: of the fabric, or inside a box an NVSwitch, a PCIe switch or root,
 * a NIC. A memory is where flows may end without anybody training there: the RAM of a server.
 */
enum sim_node_kind { SIM_HOST, SIM_SWITCH, SIM_MEMORY };

/*
 * What a cable is. A cable of the fabric is what the knob `link` says (Ethernet or InfiniBand) and is
 * governed by `flow_control`, `rate` and `delay`. The others are inside a box: they always have link
 * credits, and rate and delay of their own.
 */
enum sim_link_kind {
    SIM_LINK_FABRIC,
    SIM_LINK_PCIE,
    SIM_LINK_NVLINK,
    SIM_LINK_MEMORY,
    SIM_LINK_KIND_COUNT
};

/* Where a node stands in the picture is no part of the model: it is kept for who draws it. */
struct sim_node_spec {
    char name[SIM_NAME_MAX];
    enum sim_node_kind kind;
    uint32_t row, column; /* from 1; 0: no place of its own, like all nodes of this scenario */
};

struct sim_link_spec {
    uint32_t a, b; /* node indexes */
    int64_t rate_bps;
    sim_ps delay_ps;
    enum sim_link_kind kind;
};

struct sim_flow_spec {
    uint32_t src, dst; /* node indexes, of hosts or memories */
    int64_t bytes;
    sim_ps start_ps;
    uint32_t prio;     /* traffic class or service level, SIM_PRIO_DATA unless said otherwise */
    sim_ps gap_ps;     /* between the beginnings of messages of `bytes`; 0: all at once */
    bool poisson;      /* at random times with that mean, instead of exactly */
    uint32_t messages; /* how many; 0: one, or with a gap for ever */
    bool
        replies; /* it begins by itself never: it sends a message for each one that the flow declared
                     just before it, from its dst to its src, delivers; as many as that */
};

#define SIM_OWN_VL SIM_PRIO_COUNT

/* A traffic class: what ports do with a priority. Strict classes go first, the highest number
 * before the others; the rest share what is left by weight (deficit round robin). */
#define SIM_WEIGHT_MAX 1000
struct sim_class_spec {
    bool lossless; /* PFC applies while flow_control is pfc */
    int weight;    /* 0: strict; to SIM_WEIGHT_MAX */
    uint32_t vl; /* InfiniBand: virtual lane of this service level on every hop; SIM_OWN_VL: the one
                    * of its number. ACKs are of level SIM_PRIO_CONTROL */
};

/* An entry of the tables of VL arbitration (sim/arbiter.h), the same for all ports of InfiniBand. */
enum sim_vl_table { SIM_VL_HIGH, SIM_VL_LOW, SIM_VL_TABLES };
#define SIM_VL_ENTRIES  64 /* of one table */
#define SIM_VL_NO_LIMIT 255
struct sim_vl_entry {
    enum sim_vl_table table;
    uint32_t vl;
    uint32_t weight; /* of 64 bytes, at most 255; 0: never */
};

enum sim_workload_kind { SIM_WORK_FLOWS, SIM_WORK_TRAINING };

/* Training: in each step every rank computes, then all exchange `bytes` by the knob `collective`, in
 * buckets, then meet at the barrier. Ranks are the hosts in the order of their declaration; with a
 * parameter server the last `servers` of them are servers instead. */
struct sim_training_spec {
    int64_t bytes;        /* gradient bytes per GPU and step */
    int64_t bucket_bytes; /* 0: all in one all-reduce */
    sim_ps compute_ps;
    int64_t steps;
};

/* A command that belongs to the scenario: run/ does it when its time comes. */
struct sim_fault_spec {
    sim_ps at;
    struct sim_cmd cmd;
};

/* A route by hand: `sw` sends what is for host `dst` to its neighbour `next`, whatever is shortest. */
struct sim_route_spec {
    uint32_t sw, dst, next;
};

/* A pinned path: where a switch has several equal ports, this flow (and what answers it) takes one
 * that leads to `via`. A flow may have several. */
struct sim_pin_spec {
    char flow[SIM_FLOW_NAME_MAX]; /* a queue pair: "g1>g5", "g1>g5/2" */
    uint32_t via;                 /* node index of a switch on its way */
};

struct sim_scenario {
    char name[64]; /* shown in reports */
    struct sim_node_spec *nodes;
    size_t node_count, node_cap;
    struct sim_link_spec *links;
    size_t link_count, link_cap;
    enum sim_workload_kind work;
    struct sim_flow_spec *flows;
    size_t flow_count, flow_cap;
    struct sim_route_spec *routes;
    size_t route_count, route_cap;
    struct sim_pin_spec *pins;
    size_t pin_count, pin_cap;
    /* Flows in blocks: each sends its bytes so often, over the same queue pair; the next block begins
     * when the last byte of all flows has arrived (0 or 1: once). The word to begin costs no time.
     * Flows with gaps, several messages or replies take no part. */
    int64_t blocks;
    struct sim_training_spec training;
    struct sim_class_spec classes[SIM_PRIO_COUNT];
    struct sim_vl_entry vl_entries[SIM_VL_TABLES * SIM_VL_ENTRIES]; /* none: classes decide */
    size_t vl_entry_count;
    int64_t
        vl_limit; /* of 4,096 bytes that the high table may send before the low one has a chance */
    struct sim_knobs knobs;
    struct sim_fault_spec *faults; /* by time */
    size_t fault_count, fault_cap;
};

/* No nodes, default knobs; priority 3 is lossless, 6 and 7 are strict, the others have weight 50. */
void sim_scenario_init(struct sim_scenario *sc, const char *name);
void sim_scenario_finish(struct sim_scenario *sc);
void sim_scenario_copy(struct sim_scenario *to, const struct sim_scenario *from); /* inits `to` */

/* Adds a node; `*index` (may be NULL) receives its number. Names: 1 to 23 letters, digits, - _ .,
 * beginning with a letter, no reserved word (all, any, self, nil). */
bool sim_scenario_node(struct sim_scenario *sc, const char *name, enum sim_node_kind kind,
                       uint32_t *index, struct err *err);
/* Places a node: rows 1 to SIM_ROWS_MAX from the top, columns 1 to SIM_COLUMNS_MAX from the left, one
 * node at one place. A scenario places all its nodes or none, which sim_scenario_check() looks at. */
bool sim_scenario_place(struct sim_scenario *sc, uint32_t node, int64_t row, int64_t column,
                        struct err *err);
bool sim_places_check(const struct sim_scenario *sc, struct err *err);
/* A cable of the fabric. */
bool sim_scenario_link(struct sim_scenario *sc, uint32_t a, uint32_t b, int64_t rate_bps,
                       sim_ps delay_ps, struct err *err);
/* A cable of any kind. */
bool sim_scenario_cable(struct sim_scenario *sc, const struct sim_link_spec *link, struct err *err);
bool sim_scenario_flow(struct sim_scenario *sc, uint32_t src, uint32_t dst, int64_t bytes,
                       sim_ps start_ps, struct err *err);
/* A later route for the same switch and host replaces the earlier one. Loops are allowed. */
bool sim_scenario_route(struct sim_scenario *sc, uint32_t sw, uint32_t dst, uint32_t next,
                        struct err *err);
/* Whether there is such a flow and it comes by there is checked with the whole. */
bool sim_scenario_pin(struct sim_scenario *sc, const char *flow, uint32_t via, struct err *err);
bool sim_scenario_training(struct sim_scenario *sc, const struct sim_training_spec *spec,
                           struct err *err);

/* At 0 it acts as the first thing after the start, 1 ps later; of several at the same time each acts
 * 1 ps after the one before. A knob that restarts a run is
 * refused: it belongs to the starting values. Names are checked when its time comes. */
bool sim_scenario_fault(struct sim_scenario *sc, sim_ps at, const struct sim_cmd *cmd,
                        struct err *err);

/* The cable whose rate is the line of what a host sends to another: its first one, or for what leaves
 * its box the first of the box's NICs. NULL: it has none. */
const struct sim_link_spec *sim_scenario_line(const struct sim_scenario *sc, uint32_t src,
                                              uint32_t dst);

/* The knobs, with `group` as the boxes say: their GPUs, if all boxes are alike and their GPUs are
 * declared box by box; else it stays SIM_AUTO. */
struct sim_knobs sim_scenario_plan_knobs(const struct sim_scenario *sc);

/* The time between messages of `flow` that take up a share of its source's line, headers and gaps
 * included. */
sim_ps sim_scenario_gap(const struct sim_scenario *sc, const struct sim_flow_spec *flow,
                        int64_t share);

/*
 * Workloads of several flows, each one call. Hosts are counted in the order of their declaration.
 */
/* Hosts 0 .. n-1 (`dst` left out) send `bytes` to `dst` at the same time. */
bool sim_work_incast(struct sim_scenario *sc, uint32_t dst, uint32_t n, int64_t bytes,
                     sim_ps start_ps, struct err *err);
/* Every host sends `bytes` to the host `shift` further on, all at the same time. */
bool sim_work_permutation(struct sim_scenario *sc, uint32_t shift, int64_t bytes, sim_ps start_ps,
                          struct err *err);
/* Every host sends messages of `bytes` to random others, at random times, so that it sends for the
 * share `load` (UNIT_ONE: all of it) of its link's time: payload only. `pairs`: flows of each host. */
bool sim_work_poisson(struct sim_scenario *sc, uint32_t pairs, int64_t bytes, int64_t load,
                      uint64_t seed, struct err *err);
/*
 * Web requests: `count` of them, one every `gap_ps` on average, each from a random client (hosts 0 ..
 * clients-1) to a random server (the other hosts): `ask_bytes` there, and when they have arrived
 * `answer_bytes` back. Nothing waits for another. Request k is flow 2k, its answer flow 2k + 1; its
 * completion time runs from the start of the one to the delivery of the other.
 */
struct sim_requests_spec {
    uint32_t count, clients;
    int64_t ask_bytes, answer_bytes;
    sim_ps gap_ps;
    uint64_t seed;
};
bool sim_work_requests(struct sim_scenario *sc, const struct sim_requests_spec *spec,
                       struct err *err);

/* Adds an entry behind those of its table. */
bool sim_scenario_vl(struct sim_scenario *sc, const struct sim_vl_entry *entry, struct err *err);
/* The virtual lane on which a class travels. */
static inline uint32_t sim_class_vl(const struct sim_scenario *sc, uint32_t prio)
{
    const uint32_t vl = sc->classes[prio].vl;
    return vl == SIM_OWN_VL ? prio : vl;
}

/* Node index by name, or UINT32_MAX. */
uint32_t sim_scenario_find(const struct sim_scenario *sc, const char *name);

/* Everything that can only be judged as a whole: every host has a link, every pair that talks has a
 * path over switches, knob values fit together (xon below xoff, mtu against buffers), pins name what
 * is on the way. */
bool sim_scenario_check(const struct sim_scenario *sc, struct err *err);

/*
 * Shapes. Hosts are named g1, g2, ...; switches leaf1.., spine1.., or sw. Each adds to an empty
 * scenario; a workload is added afterwards.
 */
/*
 * A box: GPUs, and what joins them.
 *
 *        leaf1          fabric
 *          |
 *        nic1           NICs
 *          |    h1      the memory of the box, on its bus
 *          |   /
 *        root1          PCIe root, or root and PCIe switches pcie1 ..
 *        /    \         PCIe
 *      g1      g2       GPUs
 *        \    /         NVLink
 *        nvs1
 *
 * Box b has root<b>, nvs<b>, h<b>; GPUs, NICs and PCIe switches are numbered through.
 */
struct sim_box_spec {
    int gpus;
    int nics;           /* 0: none: the box stands alone */
    int switches;       /* PCIe switches under the root that share out GPUs and NICs; 0: none */
    int64_t nvlink_bps; /* of each GPU; 0: no NVLink */
    int64_t pcie_bps;   /* of each PCIe cable; 0: no PCIe, so no NICs and no memory either */
    int64_t memory_bps; /* of the memory's bus; 0: no memory in the model */
    sim_ps delay_ps;    /* every cable of the box */
};
enum { SIM_BOX_MAX = 64 }; /* GPUs or NICs of a box */
/* Adds box number `number` (from 1; all boxes of a scenario are alike); `nics` receives its NICs. */
bool sim_shape_box(struct sim_scenario *sc, int number, const struct sim_box_spec *box,
                   uint32_t nics[SIM_BOX_MAX], struct err *err);
/* Boxes round one switch `sw`: every NIC has a cable to it. One box may have no NIC: no switch then. */
bool sim_shape_boxes(struct sim_scenario *sc, int count, const struct sim_box_spec *box,
                     int64_t rate_bps, sim_ps delay_ps, struct err *err);

/* Two boxes of one NIC each or more, joined NIC to NIC. */
bool sim_shape_box_pair(struct sim_scenario *sc, const struct sim_box_spec *box, int64_t rate_bps,
                        sim_ps delay_ps, struct err *err);

struct sim_shape_tier {
    int leaves, spines, hosts_per_leaf;
    int64_t rate_bps;               /* host links */
    int64_t uplink_rate_bps;        /* leaf to spine; 0: same */
    sim_ps delay_ps;                /* every cable */
    const struct sim_box_spec *box; /* each host is such a box; NULL: a plain host */
};
bool sim_shape_leaf_spine(struct sim_scenario *sc, const struct sim_shape_tier *shape,
                          struct err *err);
bool sim_shape_star(struct sim_scenario *sc, int hosts, int64_t rate_bps, sim_ps delay_ps,
                    struct err *err);
/* Three tiers of k-port switches (k even): k pods of k/2 edge and k/2 agg switches, (k/2)^2 cores;
 * k^3/4 hosts. Aggregation j of each pod reaches cores j k/2 to j k/2 + k/2 - 1. */
bool sim_shape_fat_tree(struct sim_scenario *sc, int k, int64_t rate_bps, sim_ps delay_ps,
                        struct err *err);
/* The same of boxes (NULL: plain hosts). */
bool sim_shape_fat_tree_of(struct sim_scenario *sc, int k, const struct sim_box_spec *box,
                           int64_t rate_bps, sim_ps delay_ps, struct err *err);
/*
 * Rail-optimised: boxes whose GPUs have a NIC each. NIC i of every box is cabled to switch rail<i>, so
 * that GPUs of the same number are one switch apart; every rail is cabled to every spine, if there are
 * any. What changes the rail crosses a spine or the PCIe of the box that it goes to: both ways are as
 * short, if each GPU has a PCIe switch of its own (box->switches == box->gpus).
 *
 *        rail1  rail2  rail3        box->nics == box->gpus
 *         / \    / \    / \
 *        |   \--|---\--|---\
 *       g1   |  g2  |  g3   |       box 1
 *            g4     g5     g6       box 2
 */
struct sim_shape_rail {
    int boxes, spines;
    const struct sim_box_spec *box;
    int64_t rate_bps;        /* NIC to rail */
    int64_t uplink_rate_bps; /* rail to spine; 0: same */
    sim_ps delay_ps;         /* every cable */
};
bool sim_shape_rail(struct sim_scenario *sc, const struct sim_shape_rail *shape, struct err *err);
/*
 * Switches sw1, sw2, ... in a circle, or (open) in a row, each with its hosts. Routes are the shortest
 * ones, or (clockwise) all lead from sw1 to sw2 to sw3 ... and round: so one has circles of waiters.
 */
struct sim_shape_ring {
    int switches; /* 3 or more; open: 2 */
    int hosts;    /* of each switch */
    bool open, clockwise;
    const struct sim_box_spec *box; /* each host is such a box; NULL: a plain host */
    int64_t rate_bps;               /* host links */
    int64_t trunk_rate_bps;         /* between switches; 0: same */
    sim_ps delay_ps;                /* every cable */
};
bool sim_shape_ring(struct sim_scenario *sc, const struct sim_shape_ring *shape, struct err *err);
/* Two hosts and one cable. */
bool sim_shape_pair(struct sim_scenario *sc, int64_t rate_bps, sim_ps delay_ps, struct err *err);

#endif
