/*
 * The plans, one table row a kind. Sizes are cut evenly: part i of n begins at i x (bytes / n), and
 * the first bytes % n parts are one byte longer.
 */
#include "sim/collective.h"

#include <inttypes.h>
#include <stddef.h>

static int64_t part_offset(int64_t bytes, int64_t n, int64_t part)
{
    int64_t rest = bytes % n;
    return part * (bytes / n) + (part < rest ? part : rest);
}

/* Parts `first` .. `first + count - 1` of n. */
static struct sim_op message(enum sim_op_kind kind, uint32_t peer, int64_t bytes, int64_t n,
                             int64_t first, int64_t count)
{
    int64_t offset = part_offset(bytes, n, first);
    return (struct sim_op){ .kind = kind,
                            .peer = peer,
                            .offset = offset,
                            .bytes = part_offset(bytes, n, first + count) - offset };
}

static struct sim_op whole(enum sim_op_kind kind, uint32_t peer, int64_t bytes)
{
    return message(kind, peer, bytes, 1, 0, 1);
}

static uint32_t modulo(int64_t value, uint32_t n)
{
    int64_t rest = value % (int64_t)n;
    return (uint32_t)(rest < 0 ? rest + (int64_t)n : rest);
}

/*
 * Ring all-reduce: the vector is cut into n parts. In the first n - 1 rounds (reduce-scatter) the
 * rank at position p sends part p - round, adding what it received; in the second n - 1
 * (all-gather) it sends part p + 1 - round, complete by then. Operations 2k and 2k + 1 are round k.
 */
static struct sim_op ring_round(uint32_t n, int64_t bytes, uint32_t position, int64_t index)
{
    bool send = index % 2 == 0;
    int64_t round = index / 2;
    bool scatter = round < (int64_t)n - 1;
    uint32_t sender = send ? position : modulo((int64_t)position - 1, n);
    int64_t shift = scatter ? (int64_t)sender - round : (int64_t)sender + n - round;
    struct sim_op op =
        message(send ? SIM_OP_SEND : SIM_OP_RECV, send ? modulo((int64_t)position + 1, n) : sender,
                bytes, n, modulo(shift, n), 1);
    op.reduce = scatter;
    return op;
}

static int64_t ring_rounds_length(uint32_t n)
{
    return 4 * ((int64_t)n - 1);
}

static int64_t ring_length(const struct sim_plan *plan, uint32_t position, uint32_t lane)
{
    (void)position;
    return lane == 0 ? ring_rounds_length(plan->ranks) : 0;
}

static struct sim_op ring_op(const struct sim_plan *plan, int64_t bytes, uint32_t position,
                             uint32_t lane, int64_t index)
{
    (void)lane;
    return ring_round(plan->ranks, bytes, position, index);
}

/*
 * Trees. Positions in order form a binary tree: the level of a position is its lowest set bit, 0 is
 * the root and has one child, odd positions are leaves. The second tree of a pair is the first one
 * mirrored (n even) or shifted by one (n odd), so that who is inside in one is a leaf of the other.
 * Pieces go up to the root, added on the way, and down again; each tree is a channel and has an up
 * lane and a down lane. The root does both in its up lane.
 *
 *     n = 8:   0 - 4 - 2 - 1        mirrored:   7 - 3 - 5 - 6
 *                  |    - 3                         |    - 4
 *                   - 6 - 5                          - 1 - 2
 *                       - 7                              - 0
 */
struct tree_node {
    uint32_t count; /* children */
    uint32_t child[2];
    uint32_t parent; /* itself: the root */
};

static struct tree_node plain_tree(uint32_t n, uint32_t v)
{
    struct tree_node node = { .parent = v };
    uint32_t level = 1;
    while (level < n && (v & level) == 0) {
        level *= 2;
    }
    if (v == 0) {
        if (n > 1) {
            node.child[node.count++] = level / 2; /* the largest power of two below n */
        }
        return node;
    }
    node.parent = ((v | level << 1) & ~level) < n ? (v | level << 1) & ~level : v & ~level;
    uint32_t half = level / 2;
    if (half > 0) {
        node.child[node.count++] = v - half;
    }
    while (half > 0 && v + half >= n) {
        half /= 2; /* the right subtree is smaller: its root lies lower */
    }
    if (half > 0) {
        node.child[node.count++] = v + half;
    }
    return node;
}

static uint32_t to_tree(uint32_t n, uint32_t tree, uint32_t position)
{
    return tree == 0 ? position : n % 2 == 0 ? n - 1 - position : modulo((int64_t)position - 1, n);
}

static uint32_t from_tree(uint32_t n, uint32_t tree, uint32_t v)
{
    return tree == 0 ? v : n % 2 == 0 ? n - 1 - v : modulo((int64_t)v + 1, n);
}

static struct tree_node tree_at(uint32_t n, uint32_t tree, uint32_t position)
{
    struct tree_node node = plain_tree(n, to_tree(n, tree, position));
    for (uint32_t i = 0; i < node.count; i++) {
        node.child[i] = from_tree(n, tree, node.child[i]);
    }
    node.parent = from_tree(n, tree, node.parent);
    return node;
}

static bool tree_lane_used(const struct tree_node *node, uint32_t position, uint32_t lane)
{
    return lane % 2 == 0 || node->parent != position;
}

/* For each piece: up: from the children, to the parent (the root: to the children). Down: from the
 * parent, to the children. */
static int64_t tree_piece_length(const struct tree_node *node, uint32_t position, uint32_t lane)
{
    bool root = node->parent == position;
    return !tree_lane_used(node, position, lane) ? 0
           : root                                ? 2 * (int64_t)node->count
                                                 : 1 + (int64_t)node->count;
}

static struct sim_op tree_piece(const struct tree_node *node, uint32_t position, uint32_t lane,
                                int64_t index)
{
    int64_t count = node->count;
    bool up = lane % 2 == 0;
    if (up && index < count) {
        return (struct sim_op){ .kind = SIM_OP_RECV, .peer = node->child[index], .reduce = true };
    }
    if (up && node->parent != position) {
        return (struct sim_op){ .kind = SIM_OP_SEND, .peer = node->parent, .reduce = true };
    }
    if (up) {
        return (struct sim_op){ .kind = SIM_OP_SEND, .peer = node->child[index - count] };
    }
    if (index == 0) {
        return (struct sim_op){ .kind = SIM_OP_RECV, .peer = node->parent };
    }
    return (struct sim_op){ .kind = SIM_OP_SEND, .peer = node->child[index - 1] };
}

static int64_t trees_length(const struct sim_plan *plan, uint32_t position, uint32_t lane,
                            uint32_t trees)
{
    if (plan->ranks == 1 || lane / 2 >= trees) {
        return 0;
    }
    struct tree_node node = tree_at(plan->ranks, lane / 2, position);
    return (int64_t)plan->pieces * tree_piece_length(&node, position, lane);
}

static struct sim_op trees_op(const struct sim_plan *plan, int64_t bytes, uint32_t position,
                              uint32_t lane, int64_t index, uint32_t trees)
{
    struct tree_node node = tree_at(plan->ranks, lane / 2, position);
    int64_t length = tree_piece_length(&node, position, lane);
    struct sim_op op = tree_piece(&node, position, lane, index % length);
    int64_t begin = part_offset(bytes, trees, lane / 2);
    int64_t share = part_offset(bytes, trees, lane / 2 + 1) - begin;
    struct sim_op piece = message(op.kind, op.peer, share, plan->pieces, index / length, 1);
    piece.offset += begin;
    piece.reduce = op.reduce;
    piece.channel = lane / 2;
    return piece;
}

static int64_t tree_length(const struct sim_plan *plan, uint32_t position, uint32_t lane)
{
    return trees_length(plan, position, lane, 1);
}

static struct sim_op tree_op(const struct sim_plan *plan, int64_t bytes, uint32_t position,
                             uint32_t lane, int64_t index)
{
    return trees_op(plan, bytes, position, lane, index, 1);
}

static int64_t double_tree_length(const struct sim_plan *plan, uint32_t position, uint32_t lane)
{
    return trees_length(plan, position, lane, 2);
}

static struct sim_op double_tree_op(const struct sim_plan *plan, int64_t bytes, uint32_t position,
                                    uint32_t lane, int64_t index)
{
    return trees_op(plan, bytes, position, lane, index, 2);
}

/*
 * Recursive halving and doubling, n a power of two. In round j of the first half a rank gives half
 * of what it still answers for (n >> j parts around its own) to the rank n >> (j + 1) away, and gets
 * the other half to add; the second half runs backwards and puts the vector together again.
 */
static uint32_t log2_of(uint32_t n)
{
    uint32_t log = 0;
    while (n >> (log + 1) != 0) {
        log++;
    }
    return log;
}

static bool halving_check(const struct sim_plan *plan, struct err *err)
{
    return (plan->ranks & (plan->ranks - 1)) == 0 ||
           err_set(err, ERR_STATE,
                   "halving_doubling needs 2, 4, 8, 16 ... ranks, not %" PRIu32
                   "; ring and tree take any number",
                   plan->ranks);
}

static int64_t halving_length(const struct sim_plan *plan, uint32_t position, uint32_t lane)
{
    (void)position;
    return lane == 0 ? 4 * (int64_t)log2_of(plan->ranks) : 0;
}

static struct sim_op halving_op(const struct sim_plan *plan, int64_t bytes, uint32_t position,
                                uint32_t lane, int64_t index)
{
    (void)lane;
    uint32_t n = plan->ranks;
    uint32_t rounds = log2_of(n);
    uint32_t round = (uint32_t)(index / 2);
    bool halving = round < rounds;
    bool send = index % 2 == 0;
    uint32_t count = halving ? n >> (round + 1) : 1u << (round - rounds);
    uint32_t partner = position ^ count;
    /* halving: a rank sends the partner's half and gets its own; doubling: the other way */
    uint32_t whose = send == halving ? partner : position;
    struct sim_op op =
        message(send ? SIM_OP_SEND : SIM_OP_RECV, partner, bytes, n, whose & ~(count - 1), count);
    op.reduce = halving;
    return op;
}

/*
 * Parameter server. The last `servers` hosts are servers: each answers for one shard of the vector.
 * A rank pushes every shard, then pulls every shard; a server adds up all pushes, then answers all.
 * So that not everybody begins with the same server, rank w takes the servers in the order
 * w, w + 1, ...; a server takes the ranks by the turn t in which they come to it.
 */
static uint32_t server_rank(const struct sim_plan *plan, uint32_t server, int64_t index)
{
    for (uint32_t turn = 0;; turn++) {
        uint32_t first = modulo((int64_t)server - turn, plan->servers);
        int64_t count =
            first >= plan->ranks ? 0 : (int64_t)(plan->ranks - first - 1) / plan->servers + 1;
        if (index < count) {
            return first + (uint32_t)index * plan->servers;
        }
        index -= count;
    }
}

static int64_t server_length(const struct sim_plan *plan, uint32_t position, uint32_t lane)
{
    return lane > 0 ? 0 : 2 * (int64_t)(position < plan->ranks ? plan->servers : plan->ranks);
}

static struct sim_op server_op(const struct sim_plan *plan, int64_t bytes, uint32_t position,
                               uint32_t lane, int64_t index)
{
    (void)lane;
    bool worker = position < plan->ranks;
    int64_t half = worker ? plan->servers : plan->ranks;
    bool push = index < half;
    int64_t turn = push ? index : index - half;
    uint32_t shard =
        worker ? modulo((int64_t)position + turn, plan->servers) : position - plan->ranks;
    uint32_t peer = worker ? plan->ranks + shard : server_rank(plan, shard, turn);
    struct sim_op op =
        message(push == worker ? SIM_OP_SEND : SIM_OP_RECV, peer, bytes, plan->servers, shard, 1);
    op.reduce = push;
    return op;
}

/* All-to-all: everyone has a part for everyone. Rank p sends to p + 1, p + 2, ... and receives from
 * p - 1, p - 2, ...: in each turn everybody is the target of one. */
static int64_t all_to_all_length(const struct sim_plan *plan, uint32_t position, uint32_t lane)
{
    (void)position;
    return lane < 2 ? (int64_t)plan->ranks - 1 : 0;
}

static struct sim_op all_to_all_op(const struct sim_plan *plan, int64_t bytes, uint32_t position,
                                   uint32_t lane, int64_t index)
{
    uint32_t n = plan->ranks;
    if (lane == 0) {
        return message(SIM_OP_RECV, modulo((int64_t)position - 1 - index, n), bytes, n, position,
                       1);
    }
    uint32_t to = modulo((int64_t)position + 1 + index, n);
    return message(SIM_OP_SEND, to, bytes, n, to, 1);
}

/*
 * Hierarchical: groups of neighbours. The first of each group is its leader. The group's sum goes to
 * the leader (everyone at once, or piece by piece along a chain), the leaders form a ring, and the
 * result goes back the way the sums came.
 *
 *     chain, 4 in a group:  3 -> 2 -> 1 -> 0 (leader)   ring of leaders   0 -> 1 -> 2 -> 3
 */
static bool hierarchical_check(const struct sim_plan *plan, struct err *err)
{
    return plan->ranks % plan->group == 0 ||
           err_set(err, ERR_STATE,
                   "hierarchical: %" PRIu32 " ranks do not divide into groups of %" PRIu32
                   "; set group to a divisor",
                   plan->ranks, plan->group);
}

/* Operations of one direction inside the group. */
static int64_t inside_length(const struct sim_plan *plan, uint32_t member)
{
    if (plan->group == 1) {
        return 0;
    }
    if (!plan->chain) {
        return member == 0 ? (int64_t)plan->group - 1 : 1;
    }
    bool end = member == 0 || member + 1 == plan->group;
    return (end ? 1 : 2) * (int64_t)plan->pieces;
}

static int64_t leaders_length(const struct sim_plan *plan, uint32_t member)
{
    return member == 0 ? ring_rounds_length(plan->ranks / plan->group) : 0;
}

static int64_t hierarchical_length(const struct sim_plan *plan, uint32_t position, uint32_t lane)
{
    uint32_t member = position % plan->group;
    return lane > 0 ? 0 : 2 * inside_length(plan, member) + leaders_length(plan, member);
}

/* To the leader (in) or from it. */
static struct sim_op inside_op(const struct sim_plan *plan, int64_t bytes, uint32_t position,
                               int64_t index, bool in)
{
    uint32_t member = position % plan->group;
    if (!plan->chain) {
        uint32_t peer = member == 0 ? position + 1 + (uint32_t)index : position - member;
        struct sim_op op = whole((member == 0) == in ? SIM_OP_RECV : SIM_OP_SEND, peer, bytes);
        op.reduce = in;
        return op;
    }
    bool end = member == 0 || member + 1 == plan->group;
    int64_t piece = end ? index : index / 2;
    bool receives = end ? (member == 0) == in : index % 2 == 0;
    bool from_above = receives == in; /* the other end of this cable is farther from the leader */
    struct sim_op op =
        message(receives ? SIM_OP_RECV : SIM_OP_SEND, from_above ? position + 1 : position - 1,
                bytes, plan->pieces, piece, 1);
    op.reduce = in;
    return op;
}

static struct sim_op hierarchical_op(const struct sim_plan *plan, int64_t bytes, uint32_t position,
                                     uint32_t lane, int64_t index)
{
    (void)lane;
    uint32_t member = position % plan->group;
    int64_t inside = inside_length(plan, member);
    int64_t leaders = leaders_length(plan, member);
    if (index < inside) {
        return inside_op(plan, bytes, position, index, true);
    }
    if (index >= inside + leaders) {
        return inside_op(plan, bytes, position, index - inside - leaders, false);
    }
    struct sim_op op =
        ring_round(plan->ranks / plan->group, bytes, position / plan->group, index - inside);
    op.peer *= plan->group;
    return op;
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct sim_collective_ops table[] = {
    [SIM_COLL_RING] = { .name = "ring_allreduce",
                        .bus_factor = 2,
                        .length = ring_length,
                        .op = ring_op },
    [SIM_COLL_TREE] = { .name = "tree_allreduce",
                        .bus_factor = 2,
                        .length = tree_length,
                        .op = tree_op },
    [SIM_COLL_DOUBLE_TREE] = { .name = "double_tree_allreduce",
                               .bus_factor = 2,
                               .length = double_tree_length,
                               .op = double_tree_op },
    [SIM_COLL_HALVING] = { .name = "halving_doubling_allreduce",
                           .bus_factor = 2,
                           .check = halving_check,
                           .length = halving_length,
                           .op = halving_op },
    [SIM_COLL_SERVER] = { .name = "parameter_server",
                          .bus_factor = 2,
                          .uses_servers = true,
                          .length = server_length,
                          .op = server_op },
    [SIM_COLL_ALL_TO_ALL] = { .name = "all_to_all",
                              .bus_factor = 1,
                              .length = all_to_all_length,
                              .op = all_to_all_op },
    [SIM_COLL_HIERARCHICAL] = { .name = "hierarchical_allreduce",
                                .bus_factor = 2,
                                .check = hierarchical_check,
                                .length = hierarchical_length,
                                .op = hierarchical_op },
};

bool sim_plan_make(struct sim_plan *plan, const struct sim_knobs *knobs, uint32_t hosts,
                   struct err *err)
{
    const int64_t *v = knobs->v;
    const struct sim_collective_ops *ops = &table[v[SIM_KNOB_COLLECTIVE]];
    uint32_t servers = ops->uses_servers ? (uint32_t)v[SIM_KNOB_SERVERS] : 0;
    if (hosts <= servers) {
        return err_set(err, ERR_STATE,
                       "parameter_server: the last %" PRIu32 " of %" PRIu32
                       " hosts are servers, so no rank is left",
                       servers, hosts);
    }
    *plan =
        (struct sim_plan){ .ops = ops,
                           .ranks = hosts - servers,
                           .servers = servers,
                           .group = v[SIM_KNOB_GROUP] == SIM_AUTO ? 8 : (uint32_t)v[SIM_KNOB_GROUP],
                           .pieces = (uint32_t)v[SIM_KNOB_PIECES],
                           .chain = v[SIM_KNOB_INSIDE] == SIM_INSIDE_CHAIN };
    return ops->check == NULL || ops->check(plan, err);
}
