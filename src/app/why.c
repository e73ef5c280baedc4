#include "app/why.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"

enum {
    BRANCHES = 3, /* of one node: what is more is counted */
    DEEP = 24,    /* steps down, at most */
    ALIKE = 3,    /* GPUs in a row that each wait for the next: what is more is counted */
    FRAMES_MAX = 512
};

/* A tree while it grows. */
struct grower {
    struct why_tree *tree;
    const struct sim *sim;
    bool *rank, *port; /* explained already */
};

void why_finish(struct why_tree *tree)
{
    free(tree->node);
    *tree = (struct why_tree){ 0 };
}

static void add(struct grower *g, int depth, struct why_about about, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

static void add(struct grower *g, int depth, struct why_about about, const char *fmt, ...)
{
    struct why_tree *t = g->tree;
    va_list ap;
    t->node = mem_grow(t->node, &t->cap, t->count + 1, sizeof *t->node);
    struct why_node *node = &t->node[t->count++];
    *node = (struct why_node){ .depth = depth, .about = about };
    va_start(ap, fmt);
    vsnprintf(node->text, sizeof node->text, fmt, ap);
    va_end(ap);
}

static const char *node_name(const struct sim *sim, uint32_t node)
{
    return sim_node(sim, node).name;
}

static const char *rank_name(const struct sim *sim, uint32_t rank)
{
    return node_name(sim, sim_rank_node(sim, rank));
}

static const char *end_name(const struct sim *sim, uint32_t port)
{
    return node_name(sim, sim_port(sim, sim_port(sim, port).peer).node);
}

static uint32_t rank_at(const struct sim *sim, uint32_t node)
{
    for (uint32_t r = 0; r < sim_rank_count(sim); r++) {
        if (sim_rank_node(sim, r) == node) {
            return r;
        }
    }
    return SIM_NONE;
}

/* ---- lanes and queues --------------------------------------------------------------------------- */

/* "g1>g5, g2>g5 and 2 more": whose packets wait for a port. */
static void list_flows(const struct sim *sim, uint32_t port, struct text *out)
{
    struct sim_frame *frame = mem_alloc(FRAMES_MAX, sizeof *frame);
    size_t n = sim_port_waiting(sim, port, frame, FRAMES_MAX);
    n = n < FRAMES_MAX ? n : FRAMES_MAX;
    size_t flows = 0;
    for (size_t i = 0; i < n; i++) {
        bool known = frame[i].flow == SIM_NONE;
        for (size_t k = 0; k < i && !known; k++) {
            known = frame[k].flow == frame[i].flow;
        }
        if (!known && flows++ < BRANCHES) {
            text_addf(out, "%s%s", flows > 1 ? ", " : "", sim_flow(sim, frame[i].flow).name);
        }
    }
    if (flows > BRANCHES) {
        text_addf(out, " and %zu more", flows - BRANCHES);
    }
    free(frame);
}

static void grow_port(struct grower *g, uint32_t port, int depth);

/* What a node holds stands in its queues: the fullest first, and why each of them does not get shorter. */
static size_t grow_queues(struct grower *g, uint32_t node, int depth)
{
    const struct sim_node_info info = sim_node(g->sim, node);
    int64_t below = INT64_MAX;
    size_t grown = 0;
    for (uint32_t last = SIM_NONE; grown < BRANCHES; grown++) {
        uint32_t best = SIM_NONE;
        int64_t most = 0;
        for (uint32_t p = info.first_port; p < info.first_port + info.port_count; p++) {
            const int64_t bytes = sim_port_queue(g->sim, p).bytes;
            const bool next = bytes < below || (bytes == below && p > last && last != SIM_NONE);
            if (next && bytes > most) {
                most = bytes;
                best = p;
            }
        }
        if (best == SIM_NONE) {
            break;
        }
        char bytes[40];
        add(g, depth, why_port(best), "%s: %s waits for the cable to %s", info.name,
            units_format(bytes, sizeof bytes, UNIT_BYTES, most), end_name(g->sim, best));
        grow_port(g, best, depth + 1);
        below = most;
        last = best;
    }
    return grown;
}

/* A port that sends as fast as it can: what it carries. */
static void grow_busy(struct grower *g, uint32_t port, int depth)
{
    char rate[40];
    struct text flows = { 0 };
    list_flows(g->sim, port, &flows);
    if (flows.len > 0) {
        add(g, depth, why_port(port), "that cable carries %s; for it wait %s",
            units_format(rate, sizeof rate, UNIT_RATE, sim_port(g->sim, port).rate_bps),
            text_str(&flows));
    }
    text_finish(&flows);
}

/* Its neighbour told it to stop: what is the neighbour full of? */
static void grow_stopped(struct grower *g, uint32_t port, bool paused, int depth)
{
    char line[220];
    const uint32_t peer = sim_port(g->sim, port).peer;
    const struct sim_why why = { .kind = paused ? SIM_WHY_PAUSED : SIM_WHY_CREDITS,
                                 .rank = SIM_NONE,
                                 .flow = SIM_NONE,
                                 .port = port,
                                 .other = peer,
                                 .since = SIM_NEVER,
                                 .until = SIM_NEVER };
    add(g, depth, why_port(port), "%s", sim_why_say(g->sim, &why, line, sizeof line));
    const uint32_t node = sim_port(g->sim, peer).node;
    const struct sim_held held = sim_port_held(g->sim, peer);
    char bytes[40];
    if (held.shared + held.headroom > 0) {
        add(g, depth + 1, why_node(node), "%s holds %s that came from there",
            node_name(g->sim, node),
            units_format(bytes, sizeof bytes, UNIT_BYTES, held.shared + held.headroom));
    }
    if (grow_queues(g, node, depth + 1) == 0 && sim_node(g->sim, node).kind == SIM_HOST) {
        add(g, depth + 1, why_node(node),
            "%s takes in less than its line brings, or is told to pause", node_name(g->sim, node));
    }
}

/* Why a port does not send, or not faster. */
static void grow_port(struct grower *g, uint32_t port, int depth)
{
    const struct sim_queue queue = sim_port_queue(g->sim, port);
    const bool starved = sim_port_credit(g->sim, port, SIM_PRIO_DATA).starved;
    const char *name = node_name(g->sim, sim_port(g->sim, port).node);
    if (depth >= DEEP) {
        return;
    }
    if (g->port[port] && (queue.paused || starved)) {
        add(g, depth, why_port(port), "%s to %s again, as above: the circle is closed", name,
            end_name(g->sim, port));
        return;
    }
    g->port[port] = true;
    if (queue.down) {
        add(g, depth, why_port(port), "the cable from %s to %s is cut", name,
            end_name(g->sim, port));
    } else if (queue.held) {
        add(g, depth, why_port(port), "a fault keeps %s from sending to %s", name,
            end_name(g->sim, port));
    } else if (queue.paused || starved) {
        grow_stopped(g, port, queue.paused, depth);
    } else {
        grow_busy(g, port, depth);
    }
}

/* ---- chains of the model ------------------------------------------------------------------------ */

/* What a link is about, for the cursor. */
static struct why_about about_of(const struct sim *sim, const struct sim_why *w)
{
    switch (w->kind) {
    case SIM_WHY_BARRIER:
    case SIM_WHY_COMPUTE:
    case SIM_WHY_NEEDS:
    case SIM_WHY_CLEARANCE:
    case SIM_WHY_DEAD:
    case SIM_WHY_STILL:
        return why_node(sim_rank_node(sim, w->rank));
    case SIM_WHY_PAUSED:
    case SIM_WHY_CREDITS:
    case SIM_WHY_HELD:
    case SIM_WHY_CIRCLE:
        return why_port(w->port);
    case SIM_WHY_QUEUE:
    case SIM_WHY_WIRE:
    case SIM_WHY_BUFFER:
        return (struct why_about){ .thing = WHY_PACKET, .id = w->flow, .psn = w->psn };
    case SIM_WHY_LOST:
    case SIM_WHY_GAP:
        return why_node(sim_flow(sim, w->flow).dst);
    case SIM_WHY_TIMER:
    case SIM_WHY_GAVE_UP:
    case SIM_WHY_NEXT_STEP:
    case SIM_WHY_WINDOW:
    case SIM_WHY_PACED:
    case SIM_WHY_UNACKED:
        return why_node(sim_flow(sim, w->flow).src);
    }
    return (struct why_about){ .thing = WHY_NOTHING };
}

static bool is_port_link(enum sim_why_kind kind)
{
    return kind == SIM_WHY_PAUSED || kind == SIM_WHY_CREDITS || kind == SIM_WHY_HELD;
}

/* How many links from here on say that a GPU waits for the next one. */
static size_t run_of(const struct sim_why *chain, size_t n, size_t from)
{
    size_t to = from;
    while (to < n && chain[to].kind == SIM_WHY_NEEDS) {
        to++;
    }
    return to - from;
}

/* A chain, each link a step below the one before. A long row of GPUs is told by its ends. */
static void grow_chain(struct grower *g, const struct sim_why *chain, size_t n, int depth)
{
    char line[220];
    for (size_t i = 0; i < n && depth < DEEP; i++) {
        const struct sim_why *w = &chain[i];
        const size_t row = run_of(chain, n, i);
        if (is_port_link(w->kind)) {
            grow_port(g, w->port, depth); /* with all its branches */
            return;
        }
        if (w->rank != SIM_NONE && w->kind != SIM_WHY_BARRIER) {
            g->rank[w->rank] = true;
        }
        add(g, depth++, about_of(g->sim, w), "%s", sim_why_say(g->sim, w, line, sizeof line));
        if (row > ALIKE) {
            for (size_t k = i; k < i + row - 1; k++) {
                g->rank[chain[k].rank] = true;
            }
            add(g, depth++, why_node(sim_rank_node(g->sim, chain[i + 1].rank)),
                "and so on: %s, each waits for the next one's data",
                units_counted((char[32]){ 0 }, 32, (int64_t)(row - 2), "GPU", "GPUs"));
            i += row - 2;
        }
        if (w->kind == SIM_WHY_QUEUE && (i + 1 == n || !is_port_link(chain[i + 1].kind))) {
            grow_port(g, w->port, depth); /* it moves, but slowly */
        }
    }
}

static void grow_rank(struct grower *g, uint32_t rank, int depth);

/* Who else is not at the barrier, and has not been told of. */
static void grow_others(struct grower *g, int depth)
{
    size_t grown = 0, left = 0;
    for (uint32_t r = 0; r < sim_rank_count(g->sim); r++) {
        if (g->rank[r] || sim_rank(g->sim, r).state == SIM_RANK_BARRIER) {
            continue;
        }
        if (grown++ < BRANCHES) {
            grow_rank(g, r, depth);
        } else {
            left++;
        }
    }
    if (left > 0) {
        add(g, depth, (struct why_about){ .thing = WHY_NOTHING }, "and %zu more %s not there yet",
            left, left == 1 ? "is" : "are");
    }
}

static void grow_rank(struct grower *g, uint32_t rank, int depth)
{
    const size_t cap = 2 * sim_rank_count(g->sim) + 64;
    struct sim_why *chain = mem_alloc(cap, sizeof *chain);
    size_t n = sim_why(g->sim, rank, chain, cap);
    n = n < cap ? n : cap;
    const bool barrier = n > 0 && chain[0].kind == SIM_WHY_BARRIER;
    g->rank[rank] = true;
    if (n == 0) {
        const enum sim_rank_state state = sim_rank(g->sim, rank).state;
        const bool done = sim_outcome(g->sim) == SIM_DONE;
        add(g, depth, why_node(sim_rank_node(g->sim, rank)), "%s does not wait: %s",
            rank_name(g->sim, rank), done ? "all steps are done" : "it is at work");
        if (state == SIM_RANK_PAUSED) {
            grow_port(g, sim_node(g->sim, sim_rank_node(g->sim, rank)).first_port, depth + 1);
        }
    }
    grow_chain(g, chain, n, depth);
    if (barrier) {
        grow_others(g, depth + 1);
    }
    free(chain);
}

static void grow_flow(struct grower *g, uint32_t flow, int depth)
{
    enum { CHAIN = 64 };
    struct sim_why chain[CHAIN];
    const struct sim_flow_state state = sim_flow_state(g->sim, flow);
    size_t n = sim_why_flow(g->sim, flow, chain, CHAIN);
    n = n < CHAIN ? n : CHAIN;
    const bool done = state.una == state.end;
    add(g, depth, (struct why_about){ .thing = WHY_FLOW, .id = flow }, "%s %s",
        sim_flow(g->sim, flow).name,
        done     ? "waits for nothing: all it was given has arrived"
        : n == 0 ? "is not done: it goes on"
                 : "is not done");
    grow_chain(g, chain, n, depth + 1);
}

/* ---- what may be asked about -------------------------------------------------------------------- */

/* Where a packet is, what keeps it there, and whether its receiver can use it. */
static void grow_packet(struct grower *g, const struct why_about *about)
{
    struct cursor cursor = { 0 };
    char what[200];
    if (!why_point(about, g->sim, &cursor) || cursor.thing != CURSOR_FRAME) {
        add(g, 0, (struct why_about){ .thing = WHY_FLOW, .id = about->id },
            "packet %" PRIu64
            " of %s is not on its way: it has arrived, was lost, or is not sent yet",
            about->psn, sim_flow(g->sim, about->id).name);
        grow_flow(g, about->id, 1);
        return;
    }
    (void)cursor_say(&cursor, g->sim, what, sizeof what);
    const struct sim_flow_state state = sim_flow_state(g->sim, about->id);
    if (cursor.waiting) {
        add(g, 0, *about, "%s, at %s toward %s", what,
            node_name(g->sim, sim_port(g->sim, cursor.port).node), end_name(g->sim, cursor.port));
        grow_port(g, cursor.port, 1);
    } else {
        add(g, 0, *about, "%s: it does not wait, it travels to %s", what,
            end_name(g->sim, cursor.port));
    }
    if (about->psn > state.expected) {
        const bool in_step = state.step_packets > 0 && state.expected >= state.step_psn;
        add(g, 1, (struct why_about){ .thing = WHY_PACKET, .id = about->id, .psn = state.expected },
            "%s needs an earlier one first, packet %" PRIu64 "%s",
            node_name(g->sim, sim_flow(g->sim, about->id).dst),
            in_step ? state.expected - state.step_psn + 1 : state.expected,
            in_step ? "" : " of this flow");
        grow_flow(g, about->id, 2);
    }
}

/* A switch: what keeps it from sending, port by port. */
static void grow_switch(struct grower *g, uint32_t node)
{
    const struct sim_node_info info = sim_node(g->sim, node);
    add(g, 0, why_node(node), "%s", info.name);
    size_t grown = grow_queues(g, node, 1);
    for (uint32_t p = info.first_port; p < info.first_port + info.port_count; p++) {
        const struct sim_queue queue = sim_port_queue(g->sim, p);
        if (!g->port[p] && (queue.down || queue.held || queue.paused)) {
            grow_port(g, p, 1);
            grown++;
        }
    }
    if (grown == 0) {
        snprintf(g->tree->node[0].text, sizeof g->tree->node[0].text,
                 "%s does not wait: nothing stands in its queues", info.name);
    }
}

static void grow_flows_of(struct grower *g, uint32_t node)
{
    size_t grown = 0;
    for (uint32_t f = 0; f < sim_flow_count(g->sim) && grown < BRANCHES; f++) {
        const struct sim_flow_state state = sim_flow_state(g->sim, f);
        if (sim_flow(g->sim, f).src == node && state.una != state.end) {
            grow_flow(g, f, 0);
            grown++;
        }
    }
    if (grown == 0) {
        add(g, 0, why_node(node), "%s does not wait: it has nothing to send",
            node_name(g->sim, node));
    }
}

static void grow_lane(struct grower *g, uint32_t port)
{
    const struct sim_port_info info = sim_port(g->sim, port);
    const struct sim_queue queue = sim_port_queue(g->sim, port);
    char bytes[40];
    if (queue.bytes > 0) {
        add(g, 0, why_port(port), "%s: %s waits for the cable to %s", node_name(g->sim, info.node),
            units_format(bytes, sizeof bytes, UNIT_BYTES, queue.bytes), end_name(g->sim, port));
        grow_port(g, port, 1);
        return;
    }
    grow_port(g, port, 0);
    if (g->tree->count > 0) {
        return;
    }
    if (sim_node(g->sim, info.node).kind == SIM_HOST) {
        grow_flows_of(g, info.node);
    } else {
        add(g, 0, why_port(port), "nothing waits in %s for the cable to %s",
            node_name(g->sim, info.node), end_name(g->sim, port));
    }
}

void why_grow(struct why_tree *tree, const struct sim *sim, struct why_about about)
{
    struct grower g = { .tree = tree, .sim = sim };
    tree->count = 0;
    g.rank = mem_alloc(sim_rank_count(sim) + 1, sizeof *g.rank);
    g.port = mem_alloc(sim_port_count(sim) + 1, sizeof *g.port);
    switch (about.thing) {
    case WHY_NOTHING:
        add(&g, 0, about, "nobody waits for anything here: %s",
            sim_outcome(sim) == SIM_DONE ? "all that was to be sent has arrived"
            : sim_now(sim) == 0          ? "nothing has been sent yet"
                                         : "nothing is held up");
        break;
    case WHY_NODE: {
        const uint32_t rank = rank_at(sim, about.id);
        if (rank != SIM_NONE) {
            grow_rank(&g, rank, 0);
        } else if (sim_node(sim, about.id).kind == SIM_SWITCH) {
            grow_switch(&g, about.id);
        } else {
            grow_flows_of(&g, about.id);
        }
        break;
    }
    case WHY_PORT:
        grow_lane(&g, about.id);
        break;
    case WHY_FLOW:
        grow_flow(&g, about.id, 0);
        break;
    case WHY_PACKET:
        grow_packet(&g, &about);
        break;
    }
    free(g.rank);
    free(g.port);
}

void why_say(const struct why_tree *tree, struct text *out)
{
    for (size_t i = 0; i < tree->count; i++) {
        text_addf(out, "%*s%s\n", 2 * tree->node[i].depth, "", tree->node[i].text);
    }
}
