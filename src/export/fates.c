#include "export/fates.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"

enum { WAITING_MAX = 1 << 16, BUCKETS = 1 << 14 };

/* One that waits. In a chain with those whose key falls into the same bucket, oldest first. */
struct waiting {
    struct fate fate;
    uint64_t key;
    uint32_t next;
    bool settled, wanted;
};

/* A ring: [begin, end) modulo WAITING_MAX. Those that are not settled are in chains, too. */
struct fates {
    const struct sim *sim;
    bool *sends_on; /* node: all that leaves it is on the tape */
    struct waiting *ring;
    uint64_t begin, end;
    uint32_t heads[BUCKETS], tails[BUCKETS];
};

static bool is_fabric_switch(const struct sim *sim, uint32_t node)
{
    const struct sim_node_info info = sim_node(sim, node);
    bool pure = info.kind == SIM_SWITCH;
    for (uint32_t p = info.first_port; p < info.first_port + info.port_count; p++) {
        pure = pure && sim_port(sim, p).kind == SIM_LINK_FABRIC;
    }
    return pure;
}

struct fates *fates_create(const struct sim *sim)
{
    struct fates *f = mem_alloc(1, sizeof *f);
    f->sim = sim;
    f->ring = mem_alloc(WAITING_MAX, sizeof *f->ring);
    f->sends_on = mem_alloc(sim_node_count(sim), sizeof *f->sends_on);
    for (uint32_t n = 0; n < sim_node_count(sim); n++) {
        f->sends_on[n] = is_fabric_switch(sim, n);
    }
    for (int i = 0; i < BUCKETS; i++) {
        f->heads[i] = f->tails[i] = SIM_NONE;
    }
    return f;
}

void fates_destroy(struct fates *f)
{
    if (f != NULL) {
        free(f->ring);
        free(f->sends_on);
        free(f);
    }
}

/* ---- which packet it is, and where it is ----------------------------------------------------- */

static uint64_t key_of(uint32_t node, uint32_t flow, uint64_t psn, uint32_t attempt)
{
    return rng_mix3((uint64_t)node << 32 | flow, psn, attempt);
}

/* As records of drops name it. */
static uint32_t attempt_of(const struct sim_sent *sent)
{
    switch (sent->kind) {
    case SIM_FRAME_ACK:
        return SIM_ATTEMPT_ACK;
    case SIM_FRAME_NAK:
        return SIM_ATTEMPT_NAK;
    case SIM_FRAME_CNP:
        return SIM_ATTEMPT_CNP;
    case SIM_FRAME_DATA:
    case SIM_FRAME_XOFF:
    case SIM_FRAME_XON:
    case SIM_FRAME_CREDIT:
        return sent->attempt;
    }
    return 0;
}

static uint32_t node_of(const struct fates *f, uint32_t port)
{
    return sim_port(f->sim, port).node;
}

static void chain(struct fates *f, uint32_t slot)
{
    const uint64_t bucket = f->ring[slot].key % BUCKETS;
    f->ring[slot].next = SIM_NONE;
    if (f->heads[bucket] == SIM_NONE) {
        f->heads[bucket] = slot;
    } else {
        f->ring[f->tails[bucket]].next = slot;
    }
    f->tails[bucket] = slot;
}

static void unchain(struct fates *f, uint64_t bucket, uint32_t before, uint32_t slot)
{
    const uint32_t next = f->ring[slot].next;
    if (before == SIM_NONE) {
        f->heads[bucket] = next;
    } else {
        f->ring[before].next = next;
    }
    f->tails[bucket] = f->tails[bucket] == slot ? before : f->tails[bucket];
    f->ring[slot].settled = true;
}

/* The oldest that waits with this key, came by `in` (SIM_NONE: by any cable), and is now settled. */
static struct waiting *settle(struct fates *f, uint64_t key, uint32_t in)
{
    const uint64_t bucket = key % BUCKETS;
    uint32_t before = SIM_NONE;
    for (uint32_t i = f->heads[bucket]; i != SIM_NONE; before = i, i = f->ring[i].next) {
        struct waiting *w = &f->ring[i];
        if (w->key == key && (in == SIM_NONE || sim_port(f->sim, w->fate.sent.port).peer == in)) {
            unchain(f, bucket, before, i);
            return w;
        }
    }
    return NULL;
}

static void settle_oldest(struct fates *f)
{
    struct waiting *w = &f->ring[f->begin % WAITING_MAX];
    const uint32_t slot = (uint32_t)(f->begin % WAITING_MAX);
    const uint64_t bucket = w->key % BUCKETS;
    uint32_t before = SIM_NONE;
    for (uint32_t i = f->heads[bucket]; i != slot; i = f->ring[i].next) {
        before = i;
    }
    unchain(f, bucket, before, slot);
}

/* ---- what happens ---------------------------------------------------------------------------- */

void fates_sent(struct fates *f, const struct sim_sent *sent, bool wanted)
{
    const bool control = sent->flow == SIM_NONE;
    bool marked = false;
    if (!control) {
        const uint64_t here =
            key_of(node_of(f, sent->port), sent->flow, sent->psn, attempt_of(sent));
        const struct waiting *before = settle(f, here, SIM_NONE);
        marked = before != NULL && (sent->flags & SIM_FRAME_CE) != 0 &&
                 (before->fate.sent.flags & SIM_FRAME_CE) == 0;
    }
    if (f->end - f->begin == WAITING_MAX) {
        return; /* nobody took what was ready: see fates_next() */
    }
    const uint32_t slot = (uint32_t)(f->end++ % WAITING_MAX);
    const uint32_t there = node_of(f, sim_port(f->sim, sent->port).peer);
    f->ring[slot] = (struct waiting){
        .fate = { .sent = *sent, .reason = SIM_REASON_NONE, .marked = marked },
        .key = key_of(there, sent->flow, sent->psn, attempt_of(sent)),
        .settled = control,
        .wanted = wanted,
    };
    if (!control) {
        chain(f, slot);
    }
}

void fates_drop(struct fates *f, const struct sim_record *drop)
{
    if (drop->flow == SIM_NONE || drop->port == SIM_NONE) {
        return;
    }
    const uint64_t key = key_of(node_of(f, drop->port), drop->flow, drop->psn, drop->attempt);
    struct waiting *w = settle(f, key, drop->port);
    if (w != NULL) {
        w->fate.reason = drop->reason;
    }
}

/* Behind what waits in a host, or in a box, no tape goes on: what it gets, it has. */
static bool is_known(const struct fates *f, const struct waiting *w, sim_ps now)
{
    return w->settled || (!f->sends_on[node_of(f, sim_port(f->sim, w->fate.sent.port).peer)] &&
                          w->fate.sent.end < now);
}

bool fates_next(struct fates *f, sim_ps now, bool all, struct fate *fate)
{
    while (f->begin < f->end) {
        const struct waiting *w = &f->ring[f->begin % WAITING_MAX];
        if (!all && f->end - f->begin < WAITING_MAX && !is_known(f, w, now)) {
            return false;
        }
        if (!w->settled) {
            settle_oldest(f);
        }
        f->begin++;
        if (w->wanted) {
            *fate = w->fate;
            return true;
        }
    }
    return false;
}
