/*
 * "Why is it waiting?": a tree of causes, from what one asks about down to the roots.
 *
 *     g1 is done and waits at the barrier for g4
 *     +- g4 waits for data from g3
 *     |  +- packet 44 of the step's 112 from g3 stands in the queue of leaf1 toward g4
 *     |     +- leaf1 may not send to g4: g4 told it to pause
 *     +- g7 computes for another 12 us
 *
 * The chains of the model (sim_why) are its branches; where several things keep one waiting (ranks that are not
 * at the barrier, queues that fill a switch) each gets a branch, the worst first. What was explained above is
 * not explained again: "the circle is closed". Every node says what it is about, so that the cursor can go there.
 */
#ifndef WEFT_APP_WHY_H
#define WEFT_APP_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/cursor.h"
#include "base/err.h"
#include "base/text.h"
#include "sim/sim.h"

/* What can be asked about, and what a node of the tree is about. */
struct why_about {
    enum why_thing {
        WHY_NOTHING,
        WHY_NODE,  /* a GPU, a switch */
        WHY_PORT,  /* a lane, with the queue before it */
        WHY_FLOW,  /* a queue pair */
        WHY_PACKET /* of a flow: psn, attempt (0: any) */
    } thing;
    uint32_t id; /* node, port or flow */
    uint64_t psn;
    uint32_t attempt;
};

static inline struct why_about why_port(uint32_t port)
{
    return (struct why_about){ .thing = WHY_PORT, .id = port };
}
static inline struct why_about why_node(uint32_t node)
{
    return (struct why_about){ .thing = WHY_NODE, .id = node };
}

struct why_node {
    int depth;
    struct why_about about;
    char text[220];
};

/* Zero is a valid empty one. */
struct why_tree {
    struct why_node *node;
    size_t count, cap;
};

void why_finish(struct why_tree *tree);

/* What the cursor is on. */
struct why_about why_of_cursor(const struct cursor *cursor);
/* What to ask about when nobody pointed at anything: a GPU that waits for the others, or one of those that
 * hold them up; without a training, a flow that is not done. */
struct why_about why_of_worst(const struct sim *sim);
/* By name: g3, leaf1, leaf1:3, g3>g4, g3>g4:12. False: there is no such thing; `err` says so. */
bool why_named(const struct sim *sim, const char *name, struct why_about *about, struct err *err);

/* The tree, in place of what was in it. Never empty: what does not wait says so. */
void why_grow(struct why_tree *tree, const struct sim *sim, struct why_about about);

/* Puts the cursor on what a node is about. False: that is nothing, or gone. */
bool why_point(const struct why_about *about, const struct sim *sim, struct cursor *cursor);

/* The tree as sentences, a line each, two blanks in for each step down. */
void why_say(const struct why_tree *tree, struct text *out);

#endif
