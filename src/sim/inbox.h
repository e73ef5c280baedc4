/*
 * Frames on their way, by the node where they will arrive: while windows are open (window.h), in place of
 * the cables' own lists.
 *
 * In the order of time a cable holds its frames, and the oldest of them has an event. In windows a node has
 * its turn alone, and what is on its way to it is known as it begins. So senders put frames down where they
 * will be taken, one behind the other: a turn finds all that it needs in a line or two, and neither end
 * touches a port of the other.
 *
 *     sender's turn     inbox of the peer's node <- (when, which frame, by which port)
 *     receiver's turn   takes those that arrive before it ends, leaves the others
 *
 * Frames of one cable are in their order, cables are mixed. The ends of a node's own slots wait there, too,
 * where they have to be seen (link.h).
 */
#ifndef WEFT_SIM_INBOX_H
#define WEFT_SIM_INBOX_H

#include <stdint.h>

#include "sim/world.h"

struct sim_coming {
    sim_ps at;       /* its last bit */
    uint32_t packet; /* SIM_SLOT_END: no frame, but the end of a slot of `port` */
    uint32_t port;   /* of the node to which it comes */
};
#define SIM_SLOT_END (SIM_NONE - 1)

struct sim_inbox {
    struct sim_coming *frames;
    uint32_t count, cap;
};

SIM_SELDOM void sim_inbox_grow(struct sim_inbox *box);
/* Something comes to a node. */
static SIM_ALWAYS void sim_inbox_add(struct sim *s, uint32_t node, struct sim_coming coming)
{
    struct sim_inbox *box = &s->inboxes[node];
    if (box->count == box->cap) {
        sim_inbox_grow(box);
    }
    box->frames[box->count++] = coming;
}

/* All frames that are on cables. Their events are the caller's, who has taken them out of the queue. */
void sim_inbox_fill(struct sim *s);
/* Back to the cables, without events; ends of slots become events of the queue. */
void sim_inbox_empty(struct sim *s);

#endif
