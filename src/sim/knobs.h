/*
 * Knobs: every switch and parameter of the model, in one table.
 *
 * The table feeds `--set`, the Lua fields, the switch panel, the JSON report, `weft knobs` and the
 * range checks. A knob is a 64-bit integer in the unit of its row; choices are indexes into a list
 * of words; SIM_AUTO means "derived from the fabric" where the row allows it.
 *
 * `when` says what a change to a running fabric means (design section 1):
 *   live       acts at once
 *   next-step  acts when the next training step begins
 *   restart    the run starts again from 0 with the new value
 */
#ifndef WEFT_SIM_KNOBS_H
#define WEFT_SIM_KNOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"

#define SIM_AUTO      INT64_MIN /* derived from the scenario or from other knobs */
#define SIM_UNLIMITED INT64_MAX /* no limit */

enum sim_when { SIM_LIVE, SIM_NEXT_STEP, SIM_RESTART };

enum sim_knob_type {
    SIM_KNOB_NUMBER, /* a quantity in `unit`; "auto" and "unlimited" where the row allows */
    SIM_KNOB_CHOICE, /* a word: see sim_knob_choices() */
};

enum sim_knob_allow { SIM_PLAIN = 0, SIM_MAY_AUTO = 1, SIM_MAY_UNLIMITED = 2 };

/* Values of the choice knobs, in the order of their words in knobs.c. */
enum sim_flow_control { SIM_FC_NONE, SIM_FC_PFC, SIM_FC_CREDITS };
enum sim_link_type { SIM_ETHERNET, SIM_INFINIBAND };
enum sim_watchdog { SIM_WATCHDOG_OFF, SIM_WATCHDOG_DROP, SIM_WATCHDOG_FORWARD };
enum sim_transport { SIM_GO_BACK_N, SIM_GO_BACK_0, SIM_SELECTIVE, SIM_TCP, SIM_TRANSPORT_COUNT };
enum sim_verb { SIM_SEND, SIM_WRITE };
enum sim_routing {
    SIM_ROUTE_DMODK,
    SIM_ROUTE_ECMP,
    SIM_ROUTE_SPRAY,
    SIM_ROUTE_ADAPTIVE,
    SIM_ROUTE_FLOWLET,
    SIM_ROUTE_IN_TURN
};
enum sim_ecmp_seed { SIM_SEED_OWN, SIM_SEED_SAME };
enum sim_rank_order { SIM_ORDER_RACK, SIM_ORDER_MIXED };
enum sim_collective_kind {
    SIM_COLL_RING,
    SIM_COLL_TREE,
    SIM_COLL_DOUBLE_TREE,
    SIM_COLL_HALVING,
    SIM_COLL_SERVER,
    SIM_COLL_ALL_TO_ALL,
    SIM_COLL_HIERARCHICAL
};
enum sim_staging { SIM_STAGE_DIRECT, SIM_STAGE_HOST };
enum sim_inside { SIM_INSIDE_DIRECT, SIM_INSIDE_CHAIN };
enum sim_switch { SIM_OFF, SIM_ON };
enum sim_pfc_travel { SIM_PFC_CABLE, SIM_PFC_INSTANT };
enum sim_ack_class { SIM_ACK_CONTROL, SIM_ACK_DATA };
enum sim_round_trigger { SIM_ROUND_RECEIVED, SIM_ROUND_ACKED };
enum sim_tcp_class { SIM_TCP_LOSSY, SIM_TCP_LOSSLESS };
enum sim_cc_kind { SIM_CC_NONE, SIM_CC_DCQCN };

/* clang-format off */
/*      id                name               type    unit        allow                 min  max                 default          when           group        term                 help */
#define SIM_KNOBS(X)                                                                                                             \
    X(FLOW_CONTROL,     "flow_control",     CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   2,                  SIM_FC_PFC,      SIM_LIVE,      "lossless",  "PFC",               "who may stop a sender in the fabric: none (full queues drop), pfc (pause frames) or credits (InfiniBand)") \
    X(XOFF,             "xoff",             NUMBER, UNIT_BYTES, SIM_PLAIN,            1,   INT64_C(1) << 40,   100000,          SIM_LIVE,      "lossless",  "XOFF",              "bytes held from one neighbour at which a switch sends PAUSE") \
    X(XON,              "xon",              NUMBER, UNIT_BYTES, SIM_MAY_AUTO,         0,   INT64_C(1) << 40,   SIM_AUTO,        SIM_LIVE,      "lossless",  "XON",               "bytes held at which it lets the neighbour go on; auto: xon_offset below xoff") \
    X(XON_OFFSET,       "xon_offset",       NUMBER, UNIT_BYTES, SIM_MAY_AUTO,         0,   INT64_C(1) << 40,   SIM_AUTO,        SIM_LIVE,      "lossless",  "XON",               "how far below xoff an automatic xon lies; auto: two frames") \
    X(HEADROOM,         "headroom",         NUMBER, UNIT_BYTES, SIM_MAY_AUTO,         0,   INT64_C(1) << 40,   SIM_AUTO,        SIM_LIVE,      "lossless",  "headroom",          "room behind xoff for what is still on its way; auto: from rate, cable and frame size") \
    X(PFC_RESPONSE,     "pfc_response",     NUMBER, UNIT_TIME,  SIM_MAY_AUTO,         0,   UNIT_S,             SIM_AUTO,        SIM_LIVE,      "lossless",  "PAUSE response",    "time a port takes to obey PAUSE; auto: the bound of IEEE 802.3 annex 31B for its rate") \
    X(PFC_TRAVEL,       "pfc_travel",       CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_PFC_CABLE,   SIM_RESTART,   "lossless",  "PAUSE",             "PAUSE frames travel on the cable, like all others, or are at its other end in an instant (to repeat simulators that do so)") \
    X(VL_BUFFER,        "vl_buffer",        NUMBER, UNIT_BYTES, SIM_PLAIN,            64,  128 << 10,          128 << 10,       SIM_RESTART,   "lossless",  "VL buffer",         "credits: room a port keeps for each virtual lane; its neighbour may send that much ahead") \
    X(CRED_MIN,         "cred_min",         NUMBER, UNIT_TIME,  SIM_PLAIN,            0,   UNIT_S,             256 * UNIT_NS,   SIM_LIVE,      "lossless",  "credit update",     "credits: least time between two credit packets of one virtual lane") \
    X(HOL_LIFETIME,     "hol_lifetime",     NUMBER, UNIT_TIME,  SIM_MAY_UNLIMITED,    1,   1000 * UNIT_S,      SIM_UNLIMITED,   SIM_LIVE,      "lossless",  "head-of-queue lifetime", "credits: how long the first packet of a switch queue may lack credits before it is discarded") \
    X(WATCHDOG,         "watchdog",         CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   2,                  SIM_WATCHDOG_OFF, SIM_LIVE,     "lossless",  "PFC watchdog",      "what a switch does about a port paused for too long: off, drop its packets or forward them all the same") \
    X(WATCHDOG_DETECT, "watchdog_detect", NUMBER, UNIT_TIME, SIM_PLAIN,         1,   1000 * UNIT_S,      200 * UNIT_MS,   SIM_LIVE,      "lossless",  "PFC watchdog",      "how long a port must have been paused without a break, with packets waiting") \
    X(WATCHDOG_RESTORE, "watchdog_restore", NUMBER, UNIT_TIME, SIM_PLAIN,     1,   1000 * UNIT_S,      200 * UNIT_MS,   SIM_LIVE,      "lossless",  "PFC watchdog",      "how long no PAUSE must have been in force before the port works as before") \
    X(WATCHDOG_POLL,    "watchdog_poll",    NUMBER, UNIT_TIME,  SIM_PLAIN,            UNIT_US, 1000 * UNIT_S,  200 * UNIT_MS,   SIM_LIVE,      "lossless",  "PFC watchdog",      "how often the watchdog looks") \
    X(BUFFER,           "buffer",           NUMBER, UNIT_BYTES, SIM_MAY_UNLIMITED,    1,   INT64_C(1) << 40,   16 << 20,        SIM_LIVE,      "switch",    "shared buffer",     "memory of a switch, shared by all its ports") \
    X(ALPHA,            "alpha",            NUMBER, UNIT_SHARE, SIM_MAY_AUTO,         1 << 16, UNIT_ONE * 64,  SIM_AUTO,        SIM_LIVE,      "switch",    "dynamic threshold", "XOFF as a share of the buffer that is still free (alpha); auto: the fixed xoff") \
    X(QUEUE_CAP,        "queue_cap",        NUMBER, UNIT_BYTES, SIM_MAY_UNLIMITED,    1,   INT64_C(1) << 40,   500000,          SIM_LIVE,      "switch",    "tail drop",         "bytes that may wait for one cable when nothing pauses the senders; the rest is dropped") \
    X(QUEUE_ALPHA,      "queue_alpha",      NUMBER, UNIT_SHARE, SIM_MAY_AUTO,         1 << 16, UNIT_ONE * 64,  SIM_AUTO,        SIM_LIVE,      "switch",    "dynamic threshold", "tail drop as a share of the buffer that is still free; auto: queue_cap alone") \
    X(ECN,              "ecn",              CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_OFF,         SIM_LIVE,      "ecn",       "ECN",               "mark packets that leave a long queue, so that their receiver can warn the sender") \
    X(KMIN,             "kmin",             NUMBER, UNIT_BYTES, SIM_PLAIN,            0,   INT64_C(1) << 40,   100000,          SIM_LIVE,      "ecn",       "Kmin",              "queue toward one cable above which some packets are marked") \
    X(KMAX,             "kmax",             NUMBER, UNIT_BYTES, SIM_PLAIN,            0,   INT64_C(1) << 40,   400000,          SIM_LIVE,      "ecn",       "Kmax",              "queue above which all packets are marked") \
    X(PMAX,             "pmax",             NUMBER, UNIT_SHARE, SIM_PLAIN,            0,   UNIT_ONE,           UNIT_NTH(5),     SIM_LIVE,      "ecn",       "Pmax",              "share of packets that are marked just below kmax") \
    X(CC,               "cc",               CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_CC_NONE,     SIM_LIVE,      "ecn",       "congestion control", "what a sender does about ECN marks: none, or dcqcn (slow down when warned, creep up again)") \
    X(CNP_INTERVAL,     "cnp_interval",     NUMBER, UNIT_TIME,  SIM_PLAIN,            0,   UNIT_S,             50 * UNIT_US,    SIM_LIVE,      "dcqcn",     "CNP",               "a receiver warns each sender at most this often") \
    X(DCQCN_CUT_TIME,   "dcqcn_cut_time",   NUMBER, UNIT_TIME,  SIM_PLAIN,            0,   UNIT_S,             0,               SIM_LIVE,      "dcqcn",     "DCQCN",             "time from the first warning, and from each cut, to the next cut, if one came since; 0: cut at once") \
    X(DCQCN_CLAMP,      "dcqcn_clamp",      CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_ON,          SIM_LIVE,      "dcqcn",     "DCQCN",             "each cut brings the target down to the rate before it; off: only the first of several without an increase in between") \
    X(DCQCN_G,          "dcqcn_g",          NUMBER, UNIT_SHARE, SIM_PLAIN,            1,   UNIT_ONE,           UNIT_NTH(256),   SIM_LIVE,      "dcqcn",     "DCQCN",             "weight of the newest warning in the memory of congestion (g)") \
    X(DCQCN_ALPHA_TIMER, "dcqcn_alpha_time", NUMBER, UNIT_TIME, SIM_PLAIN,           UNIT_US, UNIT_S,         55 * UNIT_US,    SIM_LIVE,      "dcqcn",     "DCQCN",             "time without a warning after which some congestion is forgotten") \
    X(DCQCN_TIMER,      "dcqcn_timer",      NUMBER, UNIT_TIME,  SIM_PLAIN,            UNIT_US, UNIT_S,         55 * UNIT_US,    SIM_LIVE,      "dcqcn",     "DCQCN",             "time between two increases of the rate") \
    X(DCQCN_BYTES,      "dcqcn_bytes",      NUMBER, UNIT_BYTES, SIM_MAY_UNLIMITED,    1000, INT64_C(1) << 40,  10000000,        SIM_LIVE,      "dcqcn",     "DCQCN",             "bytes sent between two increases of the rate") \
    X(DCQCN_F,          "dcqcn_f",          NUMBER, UNIT_COUNT, SIM_PLAIN,            0,   1000,               5,               SIM_LIVE,      "dcqcn",     "DCQCN",             "increases that halve the way back before the target itself rises") \
    X(DCQCN_AI,         "dcqcn_ai",         NUMBER, UNIT_RATE,  SIM_PLAIN,            1000, INT64_C(1000000000000), 40000000,   SIM_LIVE,      "dcqcn",     "DCQCN",             "additive increase of the target") \
    X(DCQCN_HAI,        "dcqcn_hai",        NUMBER, UNIT_RATE,  SIM_PLAIN,            1000, INT64_C(1000000000000), 200000000,  SIM_LIVE,      "dcqcn",     "DCQCN",             "hyper increase of the target") \
    X(DCQCN_MIN,        "dcqcn_min",        NUMBER, UNIT_RATE,  SIM_PLAIN,            1000, INT64_C(1000000000000), 40000000,   SIM_LIVE,      "dcqcn",     "DCQCN",             "rate below which nobody is slowed") \
    X(SWITCH_LATENCY,   "switch_latency",   NUMBER, UNIT_TIME,  SIM_PLAIN,            0,   UNIT_S,             500 * UNIT_NS,   SIM_RESTART,   "switch",    "pipeline latency",  "time from the last bit of a frame to its egress queue, in switches of the fabric") \
    X(CUT_THROUGH,      "cut_through",      CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_OFF,         SIM_RESTART,   "switch",    "cut-through",       "send a frame on as soon as its header is in, where the way is free; off: when all of it is") \
    X(ROUTING,          "routing",          CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   5,                  SIM_ROUTE_DMODK, SIM_RESTART,   "switch",    "routing",           "which of several equal paths: dmodk (by destination, spread evenly), ecmp (by hash of the flow), spray (each packet at random), in_turn (a flow's packets take them one after the other), adaptive (each packet where the queue is shortest, in steps of 5, 10 and 20 % of the buffer, at random among equals) or flowlet (a flow's next burst at random)") \
    X(ECMP_SEED,        "ecmp_seed",        CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_SEED_OWN,    SIM_RESTART,   "switch",    "ECMP",              "routing ecmp: switches hash flows each with a seed of its own, or all with the same; then those behind the first find nothing left to choose by (polarisation)") \
    X(ADAPTIVE_CHOICES, "adaptive_choices", NUMBER, UNIT_COUNT, SIM_PLAIN,            0,   64,                 0,               SIM_RESTART,   "switch",    "adaptive routing",  "routing adaptive: so many ways are drawn at random, and the shortest queue of these is taken; 0: of all") \
    X(FLOWLET_GAP,      "flowlet_gap",      NUMBER, UNIT_TIME,  SIM_PLAIN,            0,   UNIT_S,             50 * UNIT_US,    SIM_LIVE,      "switch",    "flowlet",           "routing flowlet: silence of a flow at a switch after which it may take another path") \
    X(TTL,              "ttl",              NUMBER, UNIT_COUNT, SIM_PLAIN,            1,   253,                64,              SIM_LIVE,      "switch",    "TTL",               "cables between switches that a packet may cross before it is dropped (Ethernet)") \
    X(REROUTE,          "reroute",          NUMBER, UNIT_TIME,  SIM_PLAIN,            1,   1000 * UNIT_S,      50 * UNIT_MS,    SIM_LIVE,      "switch",    "rerouting",         "time until switches stop using a link that is down; until then it swallows packets") \
    X(FLOOD_LOSSLESS,   "flood_lossless",   CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_ON,          SIM_LIVE,      "switch",    "flooding",          "a lossless packet whose port is not known goes to all ports (on) or is dropped (off)") \
    X(LINK,             "link",             CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_ETHERNET,    SIM_RESTART,   "link",      "link type",         "frame and slot sizes in the fabric: ethernet (RoCEv2) or infiniband") \
    X(RATE,             "rate",             NUMBER, UNIT_RATE,  SIM_MAY_AUTO,         1000000, INT64_C(10000000000000), SIM_AUTO, SIM_RESTART, "link",      "line rate",         "rate of every cable of the fabric; auto: as the scenario built them") \
    X(DELAY,            "delay",            NUMBER, UNIT_TIME,  SIM_MAY_AUTO,         0,   10 * UNIT_S,        SIM_AUTO,        SIM_RESTART,   "link",      "propagation delay", "time light takes along every cable of the fabric (5 ns a metre); auto: as the scenario built them") \
    X(WIRE_OVERHEAD,    "wire_overhead",    NUMBER, UNIT_BYTES, SIM_MAY_AUTO,         1,   1024,               SIM_AUTO,        SIM_RESTART,   "link",      "frame overhead",    "what a data frame has besides its payload: headers and check sums; auto: as link and transport say (RoCEv2: 62)") \
    X(WIRE_GAP,         "wire_gap",         NUMBER, UNIT_BYTES, SIM_MAY_AUTO,         0,   1024,               SIM_AUTO,        SIM_RESTART,   "link",      "preamble and gap",  "for so many bytes' time a cable is busy besides each frame; auto: as the link says (Ethernet: 8 before, 12 behind)") \
    X(WIRE_ACK,         "wire_ack",         NUMBER, UNIT_BYTES, SIM_MAY_AUTO,         1,   1024,               SIM_AUTO,        SIM_RESTART,   "link",      "ACK",               "frame of an ACK or NAK; auto: as link and transport say (RoCEv2: 66)") \
    X(STAGING,          "staging",          CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_STAGE_DIRECT, SIM_RESTART,  "box",       "staging",           "from one box to another: direct (NIC to GPU memory, GPUDirect) or host (copied through the memory of each box)") \
    X(STAGE_CHUNK,      "stage_chunk",      NUMBER, UNIT_BYTES, SIM_MAY_AUTO,         64,  INT64_C(1) << 42,   SIM_AUTO,        SIM_RESTART,   "box",       "staging",           "staging host: so much is sent on together, in whole packets, while the rest is still being copied; auto: all of a message") \
    X(INSIDE_LATENCY,   "inside_latency",   NUMBER, UNIT_TIME,  SIM_PLAIN,            0,   UNIT_S,             200 * UNIT_NS,   SIM_RESTART,   "box",       "pipeline latency",  "inside a box: time from the last bit of a packet to the next queue, in NVSwitches, PCIe switches and NICs") \
    X(MTU,              "mtu",              NUMBER, UNIT_BYTES, SIM_PLAIN,            64,  9000,               4096,            SIM_RESTART,   "transport", "MTU",               "payload of a full packet") \
    X(TRANSPORT,        "transport",        CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   3,                  SIM_GO_BACK_N,   SIM_RESTART,   "transport", "go-back-N",         "what a sender does about a gap: go_back_n (send again from the gap on), go_back_0 (the whole message), selective (only what is missing) or tcp (NewReno, in a class that may drop)") \
    X(QUEUE_PAIRS,      "queue_pairs",      NUMBER, UNIT_COUNT, SIM_PLAIN,            1,   64,                 1,               SIM_RESTART,   "transport", "queue pair",        "queue pairs (tcp: connections) from one GPU to another; each message is split evenly over them, and ECMP sends each its own way") \
    X(VERB,             "verb",             CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_SEND,        SIM_RESTART,   "transport", "RDMA verb",         "send, or write (16 bytes of RETH on the first packet of a message)") \
    X(ACK_EVERY,        "ack_every",        NUMBER, UNIT_COUNT, SIM_PLAIN,            0,   1 << 20,            16,              SIM_LIVE,      "transport", "ACK coalescing",    "packets per ACK; the last packet of a message is always acknowledged, and the one that fills a window; 0: only these") \
    X(ACK_CLASS,        "ack_class",        CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_ACK_CONTROL, SIM_LIVE,      "transport", "traffic class",     "ACKs and NAKs travel as control (served first, never paused) or like the data they are about (they queue with it and PFC pauses them)") \
    X(TIMEOUT_EXPONENT, "timeout_exponent", NUMBER, UNIT_COUNT, SIM_PLAIN,            1,   31,                 12,              SIM_LIVE,      "transport", "ACK timeout",       "n in 4.096 us x 2^n: how long a sender waits for an ACK (12: 16.8 ms, NCCL's 20: 4.29 s)") \
    X(RETRY_LIMIT,      "retry_limit",      NUMBER, UNIT_COUNT, SIM_PLAIN,            0,   1000,               7,               SIM_LIVE,      "transport", "retry count",       "timeouts in a row before the queue pair gives up") \
    X(WINDOW,           "window",           NUMBER, UNIT_COUNT, SIM_MAY_UNLIMITED,    1,   8192,               SIM_UNLIMITED,   SIM_LIVE,      "transport", "BDP cap",           "packets that a selective sender may have outstanding (the BDP cap of IRN)") \
    X(RTO_LOW,          "rto_low",          NUMBER, UNIT_TIME,  SIM_PLAIN,            UNIT_US, 1000 * UNIT_S,  100 * UNIT_US,   SIM_LIVE,      "transport", "RTO_low",           "timeout of a selective sender with at most three packets outstanding") \
    X(RTO_HIGH,         "rto_high",         NUMBER, UNIT_TIME,  SIM_PLAIN,            UNIT_US, 1000 * UNIT_S,  320 * UNIT_US,   SIM_LIVE,      "transport", "RTO_high",          "timeout of a selective sender with more outstanding") \
    X(REORDER_WINDOW,   "reorder_window",   NUMBER, UNIT_TIME,  SIM_PLAIN,            0,   UNIT_S,             0,               SIM_LIVE,      "transport", "reorder window",    "time a selective receiver waits for a missing packet before it asks: what spraying needs") \
    X(MSS,              "mss",              NUMBER, UNIT_BYTES, SIM_PLAIN,            64,  9000,               1460,            SIM_RESTART,   "tcp",       "MSS",               "tcp: payload of a full segment") \
    X(RTO_MIN,          "rto_min",          NUMBER, UNIT_TIME,  SIM_PLAIN,            UNIT_US, 60 * UNIT_S,    200 * UNIT_MS,   SIM_LIVE,      "tcp",       "RTO",               "tcp: least time a sender waits for an ACK before it starts over") \
    X(RTO_INITIAL,      "rto_initial",      NUMBER, UNIT_TIME,  SIM_PLAIN,            UNIT_US, 60 * UNIT_S,    UNIT_S,          SIM_LIVE,      "tcp",       "RTO",               "tcp: that time while no round trip has been measured yet") \
    X(TCP_RETRIES,      "tcp_retries",      NUMBER, UNIT_COUNT, SIM_PLAIN,            0,   1000,               15,              SIM_LIVE,      "tcp",       "RTO",               "tcp: timeouts in a row before the connection gives up") \
    X(TLP,              "tlp",              CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_OFF,         SIM_LIVE,      "tcp",       "tail-loss probe",   "tcp: probe a silent tail after about two round trips, as today's systems do; off: the classic wait for the timeout") \
    X(DELAYED_ACK,      "delayed_ack",      NUMBER, UNIT_TIME,  SIM_PLAIN,            0,   500 * UNIT_MS,      0,               SIM_LIVE,      "tcp",       "delayed ACK",       "tcp: acknowledge every second segment, or a lone one after this time; 0: each at once") \
    X(TCP_CLASS,        "tcp_class",        CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_TCP_LOSSY,   SIM_RESTART,   "tcp",       "traffic class",     "tcp: lossy (full queues drop) or lossless (where PFC may pause the senders)") \
    X(RANK_ORDER,       "rank_order",       CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_ORDER_RACK,  SIM_NEXT_STEP, "training",  "rank order",        "who is whose neighbour in the ring: rack (as cabled) or mixed (every neighbour in the other half)") \
    X(BYTES,            "bytes",            NUMBER, UNIT_BYTES, SIM_MAY_AUTO,         1,   INT64_C(1) << 42,   SIM_AUTO,        SIM_RESTART,   "training",  "gradient",          "gradient bytes that each GPU adds to the sum in one step; auto: as the scenario says") \
    X(BUCKET,           "bucket",           NUMBER, UNIT_BYTES, SIM_MAY_AUTO,         1,   INT64_C(1) << 42,   SIM_AUTO,        SIM_RESTART,   "training",  "bucket",            "gradients go out in all-reduces of this many bytes, one after another; auto: as the scenario says") \
    X(COMPUTE,          "compute",          NUMBER, UNIT_TIME,  SIM_MAY_AUTO,         0,   1000 * UNIT_S,      SIM_AUTO,        SIM_NEXT_STEP, "training",  "compute time",      "time a GPU computes in each step before it exchanges gradients; auto: as the scenario says") \
    X(JITTER,           "jitter",           NUMBER, UNIT_TIME,  SIM_PLAIN,            0,   1000 * UNIT_S,      0,               SIM_NEXT_STEP, "training",  "jitter",            "a random extra of up to this much compute time, drawn for each GPU and step") \
    X(STEPS,            "steps",            NUMBER, UNIT_COUNT, SIM_MAY_AUTO,         1,   100000,             SIM_AUTO,        SIM_RESTART,   "training",  "training step",     "training steps until the run is done; auto: as the scenario says") \
    X(COLLECTIVE,       "collective",       CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   6,                  SIM_COLL_RING,   SIM_RESTART,   "training",  "collective",        "how gradients are summed: ring, tree, double_tree, halving_doubling, parameter_server (the last hosts are servers), hierarchical; or all_to_all") \
    X(PIECES,           "pieces",           NUMBER, UNIT_COUNT, SIM_PLAIN,            1,   1024,               16,              SIM_RESTART,   "training",  "pipelining",        "pieces that follow one another through a tree, or along a chain inside a group") \
    X(SERVERS,          "servers",          NUMBER, UNIT_COUNT, SIM_PLAIN,            1,   1024,               1,               SIM_RESTART,   "training",  "parameter server",  "how many of the hosts, the last ones, are parameter servers; each answers for a part of the gradients") \
    X(GROUP,            "group",            NUMBER, UNIT_COUNT, SIM_MAY_AUTO,         1,   8192,               SIM_AUTO,        SIM_RESTART,   "training",  "group",             "ranks in a group of the hierarchical collective; auto: the GPUs of a box, where boxes are alike, else 8") \
    X(INSIDE,           "inside",           CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_INSIDE_DIRECT, SIM_RESTART, "training",  "inside a group",    "how a group's gradients reach its leader and come back: direct (all at once) or chain (piece by piece)") \
    X(OVERLAP,          "overlap",          NUMBER, UNIT_SHARE, SIM_PLAIN,            0,   UNIT_ONE,           0,               SIM_NEXT_STEP, "training",  "overlap",           "share of the compute time (the backward pass) in which buckets become ready one after another; 0: all at its end") \
    X(ADMISSION,        "admission",        NUMBER, UNIT_COUNT, SIM_PLAIN,            0,   1024,               0,               SIM_RESTART,   "training",  "clear to send",     "messages a receiver lets come at a time, by a clear-to-send before each; 0: senders do not wait for one") \
    X(ROUND_TRIGGER,    "round_trigger",    CHOICE, UNIT_COUNT, SIM_PLAIN,            0,   1,                  SIM_ROUND_RECEIVED, SIM_RESTART, "training",  "round trigger",     "a GPU goes on when a message is received (as hardware does) or acked (when its sender knows, as some simulators do)") \
    X(MEMORY,           "memory",           NUMBER, UNIT_BYTES, SIM_PLAIN,            1 << 20, INT64_C(1) << 40, 1 << 30,       SIM_LIVE,      "run",       "memory limit",      "memory the fabric's state may take before the run ends with outcome memory-limit") \
    X(SNAPSHOTS,        "snapshots",        NUMBER, UNIT_BYTES, SIM_PLAIN,            0,   INT64_C(1) << 40,   256 << 20,       SIM_LIVE,      "run",       "snapshot memory",   "memory for copies of the fabric's state, from which going back in time starts; 0: always from the beginning")
/* clang-format on */

enum sim_knob {
#define X(id, name, type, unit, allow, min, max, def, when, group, term, help) SIM_KNOB_##id,
    SIM_KNOBS(X)
#undef X
        SIM_KNOB_COUNT
};

struct sim_knob_info {
    const char *name; /* as in Lua, JSON and --set */
    enum sim_knob_type type;
    enum unit_kind unit;
    unsigned allow; /* enum sim_knob_allow */
    int64_t min, max, def;
    enum sim_when when;
    const char *group;
    const char *term; /* the field's word, as in the glossary */
    const char *help; /* one line */
};

/* One value per knob. Plain data: copied, compared, kept in the arena. */
struct sim_knobs {
    int64_t v[SIM_KNOB_COUNT];
};

const struct sim_knob_info *sim_knob_info(enum sim_knob knob);
/* The words of a choice knob, NULL-terminated, in the order of its enum; NULL for numbers. */
const char *const *sim_knob_choices(enum sim_knob knob);

void sim_knobs_default(struct sim_knobs *knobs);

/* Finds a knob by name; SIM_KNOB_COUNT if there is none. `pfc` is not a knob but a shorthand that
 * sim_knob_set_text knows. */
enum sim_knob sim_knob_find(const char *name);

/* The knob whose name is nearest to a mistyped one; never NULL. */
const char *sim_knob_nearest(const char *name);

/* Checks type and range of a value. */
bool sim_knob_check(enum sim_knob knob, int64_t value, struct err *err);

/*
 * Parses "NAME" and "VALUE" as a person writes them: "xoff" "100KB", "pfc" "on", "rank_order"
 * "mixed", "headroom" "auto". `pfc` (on, off, true, false) is shorthand for flow_control.
 * Errors name the nearest knob, the range or an example of the unit.
 */
bool sim_knob_parse(const char *name, const char *value, enum sim_knob *knob, int64_t *out,
                    struct err *err);

/* The value as a person reads it ("16.8 ms", "mixed", "auto"); `exact` as sim_knob_parse reads it. */
const char *sim_knob_format(enum sim_knob knob, int64_t value, bool exact, char *buf, size_t size);

/* What values it takes, for people: "none | pfc | credits", "1 B to 1 TB | auto". */
void sim_knob_say_range(struct text *out, enum sim_knob knob);

/* Rules between knobs: xon must not exceed xoff. */
bool sim_knobs_agree(const struct sim_knobs *knobs, struct err *err);

const char *sim_when_name(enum sim_when when); /* "live", "next-step", "restart" */

#endif
