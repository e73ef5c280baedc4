/*
 * What cannot change in a run: names, topology, routes, the plan of the workload. Built once from a
 * scenario and a seed, shared by forks, freed with the last of them.
 *
 *     nodes    hosts, switches, memories; a host's index counts those where a flow can end
 *     ports    of a node in a row, in the order of its cables; `peer` is the other end
 *     flows    queue pairs. A connection of several has a lead, the others follow it; a staged flow
 *              has legs (stage.h)
 *     parties  training: ranks, then parameter servers; a party at each position of the plan
 *
 * Everything is named by its index in these arrays; SIM_NONE is none.
 */
#ifndef WEFT_SIM_CONFIG_H
#define WEFT_SIM_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/collective.h"
#include "sim/sim.h"
#include "sim/wire.h"

struct sim_node_config {
    char *name;
    enum sim_node_kind kind;
    uint32_t first_port, port_count; /* its ports */
    uint32_t host_index;             /* hosts: 0.. in order of declaration; then the memories */
    uint32_t routes; /* index of its row in `route`; SIM_NONE: a host with one port has none */
    bool inside;     /* a switch with a cable inside a box: NVSwitch, PCIe switch, root, NIC */
    sim_ps latency;  /* switches: from the last bit in to the egress queue */
};

/* What every frame on its cable looks at comes first and fills a cache line. */
struct sim_port_config {
    uint32_t peer, to;       /* the port at the other end, and whose that is: a node */
    uint32_t node;           /* whose it is */
    uint32_t nic;            /* of a host: index into the NICs; SIM_NONE: a switch has none */
    sim_ps delay;            /* of light along the cable */
    int64_t tau_num;         /* picoseconds per byte: tau_num / tau_den, in lowest terms */
    uint64_t luck;           /* what its events' luck is made of, besides their time */
    uint32_t before, around; /* bytes a frame takes besides itself until its last bit, and in all */
    enum sim_link_kind kind;
    bool to_switch; /* the peer is one of a switch, */
    sim_ps latency; /* and this is the switch's */
    int64_t tau_den;
    char *name; /* "leaf1:3" */
    int64_t rate_bps;
    int64_t vl_blocks; /* inside a box: room for each lane at this end, in blocks */
    uint64_t unused[4];
};

struct sim_flow_config {
    /* what every switch on its way looks at comes first */
    uint64_t hash;               /* of its name: its luck */
    uint32_t src, dst;           /* nodes, */
    uint32_t src_host, dst_host; /* and their host indices */
    uint32_t prio;               /* class, or virtual lane */
    uint32_t pin;                /* first of its pins, SIM_NONE: none */
    char *name;                  /* "g1>g2", "g1>g2/2" */
    uint32_t port, back;         /* by which its packets leave, late answers come back */
    int64_t line_bps;            /* of the NIC that paces it: its first cable in the fabric */
    bool boxed;                  /* it stays inside a box */
    uint32_t key_src, key_dst;   /* what sim_flow_between() knows it by: parties or nodes */
    uint32_t twins;              /* flows workload: how many more between the same two nodes */
    uint32_t lead;               /* first queue pair of its connection; the others follow it */
    uint32_t pairs;              /* how many these are */
    uint32_t src_rank, dst_rank; /* training: parties */
    int64_t bytes;               /* flows workload: of a message, this queue pair's part */
    sim_ps start;
    bool poisson;      /* gaps are random */
    uint64_t messages; /* how many; 0: for ever */
    sim_ps gap;        /* between messages, 0: all at once */
    uint32_t channel;  /* training: see sim_flow_between() */
    uint32_t permits;  /* it carries clear-to-sends: for this flow; SIM_NONE: no */
    uint32_t permit;   /* the flow of its clear-to-sends, SIM_NONE: none */
    uint32_t reply;    /* flow that sends a message for each one delivered here, SIM_NONE: none */
    bool is_reply;     /* it is such a flow: it never begins by itself */
    bool in_blocks;    /* its next message waits until all such flows have delivered theirs */
    /* staging (stage.h); SIM_NONE: there is none */
    uint32_t first_leg; /* of a staged flow */
    uint32_t staged;    /* of a leg: its flow */
    uint32_t next_leg;
    int64_t chunk; /* bytes that go on together; 0: a whole message */
};

/* A switch that a flow is pinned to (steer.h). */
struct sim_pin {
    uint32_t via;  /* node */
    uint32_t next; /* of the same flow, SIM_NONE: no more */
};

/* One way to arrange the ranks: party <-> position. Servers stay where they are. */
struct sim_order {
    uint32_t *position; /* of a party */
    uint32_t *party;    /* at a position */
};

enum { SIM_ORDERS = 2 }; /* enum sim_rank_order */

struct sim_config {
    unsigned refs;
    struct sim_scenario scenario; /* knobs inside are the starting values */
    uint64_t seed;
    struct sim_node_config *nodes;
    uint32_t node_count;
    uint32_t host_count; /* hosts, then memories: wherever a flow can end */
    uint32_t gpu_count;  /* of these, hosts */
    uint32_t row_count;  /* of `route` */
    uint32_t nic_count;
    bool inside;  /* there are cables inside a box */
    bool stages;  /* there are staged flows */
    bool serials; /* packets are numbered: for cut-through, flowlets and turns */
    uint32_t
        late_most;  /* frames that hosts can be late with, all together (link.h), 0: too many; */
    sim_ps late_by; /* the longest cable of a host: so late at most */
    struct sim_port_config *ports;
    void *ports_block; /* in which they lie, at the beginning of a cache line */
    uint32_t port_count;
    bool is_large; /* what every frame touches does not fit into a cache: it is run node by node */
    struct sim_flow_config *flows;
    uint32_t flow_count;
    size_t flow_cap;
    uint32_t lost_ways;   /* flows without a way: an error */
    int64_t block_flows;  /* flows that take part in blocks */
    uint32_t *hosts;      /* host index -> node */
    struct sim_plan plan; /* training */
    uint32_t rank_count;
    uint32_t party_count; /* ranks, then servers: all hosts */
    int64_t longest;      /* operations of the longest program of a party */
    struct sim_order orders[SIM_ORDERS];
    uint32_t *flow_table; /* hash table of flows by ends and channel */
    uint32_t flow_slots;  /* a power of two */
    uint32_t *own_first;  /* party p sends on own[own_first[p]] .. own[own_first[p + 1] - 1] */
    uint32_t *own;
    int64_t steps, buckets;
    /* Equal-cost ports of row r (a switch, a host with several ports) toward host h:
     * route_pool[route[r * host_count + h]] is their number, the ports follow. 0: no way. */
    uint32_t *route;
    uint32_t *route_pool;
    size_t route_pool_count, route_pool_cap;
    struct sim_pin *pins;
    /* Switches where a flow has a choice, by flow and direction (routing flowlet; steer.h):
     * flowlet_at[flowlet_first[2 flow + back]] and on. */
    uint32_t *flowlet_first, *flowlet_at;
    uint32_t flowlet_count;
    uint64_t *component_hash; /* ports, then nodes, flows, ranks, the workload */
    uint32_t component_count;
    unsigned wheel_shift;   /* a bucket of events lasts 2^this picoseconds, */
    uint32_t wheel_size;    /* and there are so many, a power of two (event.c) */
    unsigned lossless_mask; /* bit per priority: PFC applies while flow_control is pfc */
    struct sim_wire_sizes wire;
    uint32_t frame_max;   /* bytes of the longest frame */
    unsigned strict_mask; /* bit per priority: served before the others */
    bool arbitrated;      /* tables of VL arbitration decide instead: */
    struct sim_vl_entry vl_tables[SIM_VL_TABLES][SIM_VL_ENTRIES];
    uint32_t vl_counts[SIM_VL_TABLES];
    uint8_t control_prio; /* of ACK, NAK, CNP and clear-to-send */
};

/* ---- flows.c --------------------------------------------------------------------------------- */

/* The flows of the workload, and the plan of a training loop. Needs the paths. */
bool sim_flows_build(struct sim_config *config, struct err *err);

/* ---- paths.c --------------------------------------------------------------------------------- */

/* Routes: the shortest ways, and those set by hand. */
void sim_paths_build(struct sim_config *config);
/* Which ports a flow uses: fills `port`, `back`, `line_bps`, `boxed`. False: there is no way. */
bool sim_paths_flow(const struct sim_config *config, struct sim_flow_config *flow);
/* The memory nearest to a host inside its box (itself, if it is one), or SIM_NONE. */
uint32_t sim_paths_memory(const struct sim_config *config, uint32_t host);

/* ---- config.c -------------------------------------------------------------------------------- */

/* The scenario has been checked; what only shows when all is laid out may still be wrong: NULL. One
 * reference. */
struct sim_config *sim_config_create(const struct sim_scenario *sc, uint64_t seed, struct err *err);
/* Gives a reference back; NULL does nothing. */
void sim_config_release(struct sim_config *config);

/* Of a message split over `pairs` queue pairs, what number `pair` (from 0) carries: even parts in
 * multiples of 128 bytes, the last ones may have less or nothing (the rule of NCCL). */
static inline int64_t sim_part_bytes(int64_t bytes, uint32_t pairs, uint32_t pair)
{
    if (pairs == 1) {
        return bytes;
    }
    const int64_t align = 128;
    const int64_t even = ((bytes + pairs - 1) / pairs + align - 1) / align * align;
    const int64_t left = bytes > even * pair ? bytes - even * pair : 0;
    return left < even ? left : even;
}

/* The flow between two parties (training) or nodes on a channel, the first of its connection, or
 * SIM_NONE. */
uint32_t sim_flow_between(const struct sim_config *config, uint32_t src, uint32_t dst,
                          uint32_t channel);

/* Component numbers, for events and for the tie rule. */
static inline uint32_t sim_comp_port(uint32_t port)
{
    return port;
}
static inline uint32_t sim_comp_node(const struct sim_config *c, uint32_t node)
{
    return c->port_count + node;
}
static inline uint32_t sim_comp_flow(const struct sim_config *c, uint32_t flow)
{
    return c->port_count + c->node_count + flow;
}
static inline uint32_t sim_comp_rank(const struct sim_config *c, uint32_t rank)
{
    return c->port_count + c->node_count + c->flow_count + rank;
}

#endif
