/*
 * Of the scene (ui/scene.h): the fabric at this moment. Nodes, cables, what is on their lanes, meters. Units, ownership
 * and what zero means are said there.
 */
#ifndef WEFT_UI_SCENE_FABRIC_H
#define WEFT_UI_SCENE_FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum scene_gpu_state {
    SCENE_GPU_IDLE,     /* nothing to do yet: drawn as a blank */
    SCENE_GPU_COMPUTE,  /* computes */
    SCENE_GPU_EXCHANGE, /* exchanges: its packets go out */
    SCENE_GPU_STARVED,  /* waits for data from its neighbour */
    SCENE_GPU_PAUSED,   /* has work, but its NIC is paused */
    SCENE_GPU_VAIN,     /* sends in vain: everything after the gap is refused */
    SCENE_GPU_TIMER,    /* only its ACK timer can help */
    SCENE_GPU_BARRIER,  /* done, at the barrier */
    SCENE_GPU_DEAD,     /* stopped, dead */
    SCENE_GPU_STATES
};

enum scene_node_kind {
    SCENE_NODE_GPU,
    SCENE_NODE_SWITCH, /* of the fabric or of a box: an NVSwitch, a PCIe switch or root, a NIC */
    SCENE_NODE_MEMORY  /* of a box: flows end there, nobody computes */
};

/* A GPU (with its NIC), a switch or a memory. Placement follows from the cables (ui/picture.h), unless
 * every node has a row and a column of its own. */
struct scene_node {
    const char *name; /* "g3", "leaf1" */
    enum scene_node_kind kind;
    enum scene_gpu_state state; /* GPUs only */
    const char *word; /* GPUs only: "sends", "PAUSED", "wants g4"; NULL: the state's own */
    bool down;        /* switched off, or its cable cut */
    bool cursor;      /* the cursor rests on this node */
    bool near_cursor; /* ... or on one of its lanes: shown where lanes are not */
    int row, column;  /* its place, from 1; 0: none */
    uint32_t id;      /* for who points at it (ui/spot.h) */
};

enum scene_mark_kind {
    SCENE_MARK_DATA,
    SCENE_MARK_ACK,
    SCENE_MARK_NAK,
    SCENE_MARK_CNP,
    SCENE_MARK_PAUSE,   /* PFC: XOFF */
    SCENE_MARK_GO,      /* PFC: XON */
    SCENE_MARK_CREDIT,  /* InfiniBand, and inside a box */
    SCENE_MARK_REFUSED, /* arrived, but out of order or a duplicate: `~` */
    SCENE_MARK_DROP,    /* lost here */
    SCENE_MARK_KINDS
};

/*
 * One thing on a lane: a packet on its way, or what is left of one (a drop, NAK, timeout and first
 * PAUSE stay drawn for at least 0.7 s of wall time, with a count when there are more).
 */
struct scene_mark {
    enum scene_mark_kind kind;
    int at;           /* permille of the lane: 0 at the sender, 1000 at the receiver */
    bool last;        /* the last packet of a message */
    bool resend;      /* sent again */
    bool ecn;         /* carries an ECN mark */
    bool other_job;   /* another job's data */
    bool cursor;      /* the cursor is on it */
    bool victim;      /* the packet the status line follows */
    int count;        /* of held marks: how many; 0 and 1 are drawn without a number */
    const char *word; /* drops: full, fault, headroom, lifetime, watchdog; else NULL */
};

/*
 * A meter. Two kinds, never merged:
 *   held   bytes *held from* a neighbour, where a lane enters a switch (ingress). `mark` is XOFF; what
 *          is right of it is headroom. PAUSE follows this one.
 *   queue  bytes waiting *for* a cable, where a lane leaves (egress). `mark` is Kmin. ECN follows it.
 */
struct scene_meter {
    bool shown;
    bool over;     /* bytes were lost here a moment ago */
    int64_t used;  /* bytes */
    int64_t limit; /* bytes at the right end: XOFF + headroom, or the largest queue */
    int64_t mark;  /* bytes: XOFF or Kmin; 0: no mark (PFC or ECN off) */
};

enum scene_lane_state {
    SCENE_LANE_OPEN,     /* idle or busy, free to send */
    SCENE_LANE_PAUSED,   /* its sender obeys a PAUSE */
    SCENE_LANE_NOCREDIT, /* its sender has no credit */
    SCENE_LANE_DOWN,     /* the cable is down */
    SCENE_LANE_STATES
};

/*
 * One direction of a cable.
 *
 * A mark stands for one packet only while its slot lasts at least two frames. Faster than that the
 * filler sets `blurred` and leaves data and ACKs out of `mark`; the lane then shows `busy`.
 */
struct scene_lane {
    enum scene_lane_state state;
    bool blurred;
    bool cursor; /* the cursor rests on the lane, not on a packet */
    uint32_t id; /* for who points at it (ui/spot.h) */
    int busy;    /* permille of the time since the last frame in which it carried bits */
    const struct scene_mark *mark;
    size_t mark_count;
    struct scene_meter queue; /* at its start, shown when that end is a switch */
    struct scene_meter held;  /* at its end, shown when that end is a switch */
};

enum scene_cable_kind { SCENE_CABLE_FABRIC, SCENE_CABLE_PCIE, SCENE_CABLE_NVLINK, SCENE_CABLE_BUS };

struct scene_cable {
    size_t a, b;                /* indices of nodes */
    enum scene_cable_kind kind; /* all but the first: inside a box */
    struct scene_lane ab;       /* from a to b */
    struct scene_lane ba;       /* from b to a */
};

struct scene_fabric {
    const struct scene_node *node;
    size_t node_count;
    const struct scene_cable *cable;
    size_t cable_count;
};

#endif
