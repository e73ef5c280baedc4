/*
 * Commands: the one door through which a running fabric is changed.
 *
 * A command is plain data. It has a text form, the same in the journal, in `--do`, in weft.fault, in
 * replay files and on screen: SIM_CMD_FORMS below lists them all.
 *
 * A packet named by `drop` that is on a cable or in a queue is destroyed where it is; all others are
 * destroyed when their last bit reaches the end of their first cable in the fabric. Of drop_nth, loss,
 * burst, drop_ack and loss_ack one each is in force: a later one takes its place. PSNs count from 0 in each
 * flow; attempt 1 is the first time a packet is sent. A flow is a queue pair: SRC>DST, or SRC>DST/2
 * for the second one between the same hosts.
 */
#ifndef WEFT_SIM_COMMAND_H
#define WEFT_SIM_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/knobs.h"

#define SIM_FLOW_NAME_MAX 64

/* clang-format off */
/* how it is written, what it does */
#define SIM_CMD_FORMS(X) \
    X("set KNOB VALUE",                       "moves a switch: set pfc off") \
    X("drop SRC>DST:PSN[#ATTEMPT]",           "this very packet dies: drop g3>g4:4711#1") \
    X("drop SRC>DST last|middle|first [step S] [attempts A]", \
                                              "a packet of a training step, by its place in the step") \
    X("drop SRC>DST packet K [step S] [attempts A]", \
                                              "the K-th packet of a training step, from 1") \
    X("drop SRC>DST resend [attempts A]",     "the next packet that is sent again, and A - 1 after it") \
    X("drop_nth N [SRC>DST]",                 "every N-th data packet dies (0: no more)") \
    X("loss SHARE [SRC>DST]",                 "each data packet dies with this probability (0: no more)") \
    X("burst K [SRC>DST[:PSN]]",              "K data packets in a row, beginning with the next one, or the first from PSN on (0: no more)") \
    X("drop_ack K [SRC>DST]",                 "the next K ACKs and NAKs, of this flow or of all (0: no more)") \
    X("loss_ack SHARE [SRC>DST]",             "each ACK and NAK dies with this probability (0: no more)") \
    X("drop_frame PORT ack|nak|cnp|pause|go [K]", \
                                              "the K-th such frame (the first: that which is farthest) on the cable that this port sends on") \
    X("corrupt SRC>DST frame|mac|ttl|address|port|reserved|psn|payload", \
                                              "one field of the next packet is wrong: on its first cable (frame), else inside the first switch") \
    X("hold NODE on|off",                     "the switch port toward this host stops sending data") \
    X("pause NODE",                           "this host sends one PAUSE frame for the data class") \
    X("storm NODE on|off|all",                "its NIC is broken: it sends PAUSE for ever (all: for every class)") \
    X("flood NODE on|off",                    "its switch has forgotten its port: packets to it are flooded") \
    X("link PORT down|up",                    "the cable at \"leaf1:3\" is cut, mended") \
    X("slow NODE SHARE",                      "this host takes in only a share of the line: 50%, 0, 1") \
    X("slow_gpu NODE FACTOR",                 "from the next step on it computes 1.5, 2, ... times as long") \
    X("pause_gpu NODE TIME",                  "its GPU stands still for so long: it computes and sends nothing new, its NIC goes on") \
    X("kill NODE",                            "this host is dead: it computes, sends and takes nothing")
/* clang-format on */

/* Fields that corrupt spoils: word, why the packet is refused, what the field is. */
/* clang-format off */
#define SIM_FIELDS(X) \
    X(NONE,     "",         NONE,        "nothing") \
    X(FRAME,    "frame",    FCS,         "a bit on the cable") \
    X(MAC,      "mac",      NONE,        "Ethernet destination, which each router writes anew") \
    X(TTL,      "ttl",      IP_CHECKSUM, "IP time to live") \
    X(ADDRESS,  "address",  IP_CHECKSUM, "IP destination") \
    X(PORT,     "port",     UDP_PORT,    "UDP destination port: 4791 says RoCE") \
    X(RESERVED, "reserved", NONE,        "a reserved bit of the BTH") \
    X(PSN,      "psn",      ICRC,        "packet sequence number, in the BTH") \
    X(PAYLOAD,  "payload",  ICRC,        "a bit of the data")
/* clang-format on */

enum sim_field {
#define X(id, word, reason, help) SIM_FIELD_##id,
    SIM_FIELDS(X)
#undef X
        SIM_FIELD_COUNT
};

enum sim_cmd_kind {
    SIM_CMD_SET,
    SIM_CMD_DROP,
    SIM_CMD_DROP_NTH,
    SIM_CMD_HOLD,
    SIM_CMD_PAUSE,
    SIM_CMD_SLOW,
    SIM_CMD_LOSS,
    SIM_CMD_SLOW_GPU,
    SIM_CMD_KILL,
    SIM_CMD_STORM,
    SIM_CMD_FLOOD,
    SIM_CMD_LINK,
    SIM_CMD_BURST,
    SIM_CMD_DROP_ACK,
    SIM_CMD_LOSS_ACK,
    SIM_CMD_DROP_FRAME,
    SIM_CMD_PAUSE_GPU,
    SIM_CMD_CORRUPT
};

enum sim_drop_which {
    SIM_DROP_PSN,    /* by PSN */
    SIM_DROP_INDEX,  /* the k-th packet of the step, from 1 */
    SIM_DROP_FIRST,  /* of the step */
    SIM_DROP_MIDDLE, /* of the step: packet count / 2 */
    SIM_DROP_LAST,   /* of the step: nothing follows it on its queue pair */
    SIM_DROP_RESEND, /* the next one that is sent again */
};

struct sim_cmd {
    enum sim_cmd_kind kind;
    char
        flow[SIM_FLOW_NAME_MAX]; /* drop, corrupt; drop_nth, loss and the like (empty: all flows) */
    char node[32];               /* the host or switch; link, drop_frame: the port */
    enum sim_knob knob;          /* set */
    int64_t value;               /* set: the value; N, K; shares; pause_gpu: ps; drop_frame: enum
                                  sim_frame_kind; corrupt: enum sim_field; else 1, 0, 2 */
    enum sim_drop_which which;   /* drop */
    uint64_t psn;                /* drop: PSN, or k for SIM_DROP_INDEX; burst: PSN, 0: at once;
                                  drop_frame: K, from 1 */
    uint32_t attempt;            /* drop: first attempt to hit; 0 means 1 */
    uint32_t attempts;           /* drop: how many attempts in a row; 0 means 1 */
    int64_t step;                /* drop: training step, 0: this one, or the next if it is past */
};

/* A row of SIM_CMD_FORMS. */
struct sim_cmd_form {
    const char *words, *help;
};
/* Row `i`, from 0; NULL behind the last. */
const struct sim_cmd_form *sim_cmd_form(size_t i);

bool sim_cmd_parse(const char *text, struct sim_cmd *cmd, struct err *err);
const char *sim_cmd_format(const struct sim_cmd *cmd, char *buf, size_t size);

#endif
