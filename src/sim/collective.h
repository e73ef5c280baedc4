/*
 * Collectives: who sends what to whom in which order (model section 5).
 *
 * A plan is a program for every party, computed and never stored. A party's program has up to four
 * lanes; a lane is a row of operations, done strictly in order:
 *
 *     SEND peer bytes   post the message and go on
 *     RECV peer bytes   wait for the next message from that peer on that channel
 *
 *     ring, 3 ranks     SEND 2  RECV 1  SEND 2  RECV 1  SEND 2 ...        one lane
 *     tree, inner node  up:   RECV child  RECV child  SEND parent  ...    lanes run at the same time
 *                       down: RECV parent  SEND child  SEND child  ...
 *
 * So a message goes out when what it depends on has come from the right peers, not when enough have
 * come. Rules that every plan keeps (tests/sim/test_collectives.c checks them):
 *
 *   - messages from one party to another on one channel are sent by one lane and received by one
 *     lane, in the same order and with the same sizes;
 *   - an earlier lane never waits for a later one of the same party: who asks why a party waits looks
 *     at its first lane that does;
 *   - nobody waits for ever, even when a SEND has to wait until its receiver has come to the RECV.
 *
 * Parties are numbered by their position: 0 .. ranks - 1 in the order the ranks are arranged in,
 * then the servers. `offset` and `bytes` say which part of the vector a message carries, `reduce`
 * whether its receiver adds it or keeps it.
 */
#ifndef WEFT_SIM_COLLECTIVE_H
#define WEFT_SIM_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/knobs.h"

enum { SIM_LANES = 4 };

enum sim_op_kind { SIM_OP_SEND, SIM_OP_RECV };

struct sim_op {
    enum sim_op_kind kind;
    uint32_t peer;    /* position */
    uint32_t channel; /* queue pair between the two, 0 or 1 */
    bool reduce;      /* RECV: add to what is there */
    int64_t offset, bytes;
};

struct sim_plan;

struct sim_collective_ops {
    const char *name;  /* as in reports: "ring_allreduce" */
    int bus_factor;    /* busbw = algbw x bus_factor x (n - 1) / n, as nccl-tests define it */
    bool uses_servers; /* the last hosts are no ranks */
    bool (*check)(const struct sim_plan *plan, struct err *err); /* NULL: any number of ranks */
    /* Operations of a lane; 0: it is not used. */
    int64_t (*length)(const struct sim_plan *plan, uint32_t position, uint32_t lane);
    struct sim_op (*op)(const struct sim_plan *plan, int64_t bytes, uint32_t position,
                        uint32_t lane, int64_t index);
};

struct sim_plan {
    const struct sim_collective_ops *ops;
    uint32_t ranks, servers;
    uint32_t group;  /* hierarchical: ranks in a group */
    uint32_t pieces; /* tree, chain: parts that follow one another */
    bool chain; /* hierarchical: a chain inside the groups, instead of everyone to the leader */
};

/* The plan that the knobs ask for, over so many hosts; false when it cannot be. */
bool sim_plan_make(struct sim_plan *plan, const struct sim_knobs *knobs, uint32_t hosts,
                   struct err *err);

static inline uint32_t sim_plan_parties(const struct sim_plan *plan)
{
    return plan->ranks + plan->servers;
}

static inline int64_t sim_plan_length(const struct sim_plan *plan, uint32_t position, uint32_t lane)
{
    return plan->ops->length(plan, position, lane);
}

static inline struct sim_op sim_plan_op(const struct sim_plan *plan, int64_t bytes,
                                        uint32_t position, uint32_t lane, int64_t index)
{
    return plan->ops->op(plan, bytes, position, lane, index);
}

#endif
