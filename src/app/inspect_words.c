/*
 * What headers and their fields are for, in one sentence each.
 */
#include "app/inspect.h"

static const char *const of_field[FRAME_FIELD_COUNT] = {
    [FRAME_ETH_DST] = "The port at the other end of this cable: each hop writes its own.",
    [FRAME_ETH_SRC] = "The port that sends on this cable: each hop writes its own.",
    [FRAME_ETH_TYPE] = "Says which header comes next.",
    [FRAME_VLAN_PRIO] = "The traffic class; PFC pauses one class and leaves the others alone.",
    [FRAME_VLAN_DEI] = "Whether this frame may be dropped before others.",
    [FRAME_VLAN_ID] = "Which virtual network the frame belongs to.",
    [FRAME_VLAN_TYPE] = "Says which header comes next.",
    [FRAME_MACC_OPCODE] = "What the neighbour is told: here to stop, or to go on, class by class.",
    [FRAME_MACC_CLASSES] = "Which of the eight classes this frame is about, a bit each.",
    [FRAME_MACC_TIME0] = "How long class 0 must be silent, in quanta of 512 bit times; 0: go on.",
    [FRAME_MACC_TIME1] = "How long class 1 must be silent, in quanta of 512 bit times; 0: go on.",
    [FRAME_MACC_TIME2] = "How long class 2 must be silent, in quanta of 512 bit times; 0: go on.",
    [FRAME_MACC_TIME3] = "How long class 3 must be silent, in quanta of 512 bit times; 0: go on.",
    [FRAME_MACC_TIME4] = "How long class 4 must be silent, in quanta of 512 bit times; 0: go on.",
    [FRAME_MACC_TIME5] = "How long class 5 must be silent, in quanta of 512 bit times; 0: go on.",
    [FRAME_MACC_TIME6] = "How long class 6 must be silent, in quanta of 512 bit times; 0: go on.",
    [FRAME_MACC_TIME7] = "How long class 7 must be silent, in quanta of 512 bit times; 0: go on.",
    [FRAME_LRH_VL] = "The virtual lane: each has a buffer and credits of its own on every cable.",
    [FRAME_LRH_LVER] = "The version of this header.",
    [FRAME_LRH_SL] = "The service level: from it each hop chooses the virtual lane.",
    [FRAME_LRH_LNH] = "Says which header comes next.",
    [FRAME_LRH_DLID] = "Where the packet goes: switches look only at this.",
    [FRAME_LRH_PKTLEN] = "How long the packet is, in words of 4 bytes, up to the variant CRC.",
    [FRAME_LRH_SLID] = "Where the packet comes from.",
    [FRAME_IB_LINK_OP] = "What kind of link packet this is: 0 tells of credits.",
    [FRAME_IB_LINK_FCTBS] = "Blocks of 64 bytes sent so far: what was lost is noticed by this.",
    [FRAME_IB_LINK_VL] = "The virtual lane that the credits are for.",
    [FRAME_IB_LINK_FCCL] = "Up to which block the neighbour may send: the credit itself.",
    [FRAME_IB_LINK_LPCRC] = "Check sum of this link packet.",
    [FRAME_IB_LINK_FRAMING] = "Symbols around the packet on the cable.",
    [FRAME_IP4_VERSION] = "4: this is IPv4.",
    [FRAME_IP4_HDR_LEN] = "How long this header is.",
    [FRAME_IP4_DSCP] = "The class the sender asks for; switches choose the queue by it.",
    [FRAME_IP4_ECN] = "Whether a switch has marked it: it waited in a long queue.",
    [FRAME_IP4_LEN] = "Length from this header to the end of the packet.",
    [FRAME_IP4_ID] = "Tells packets of a source apart.",
    [FRAME_IP4_DF] = "The packet must not be cut in pieces on its way.",
    [FRAME_IP4_MF] = "More pieces of a cut packet follow.",
    [FRAME_IP4_OFFSET] = "Where this piece of a cut packet belongs.",
    [FRAME_IP4_TTL] =
        "Switches it may still pass: one less at each, so that none circles for ever.",
    [FRAME_IP4_PROTO] = "Says which header comes next.",
    [FRAME_IP4_CHECKSUM] = "Check sum of this header alone; each hop finds it anew.",
    [FRAME_IP4_SRC] = "The host that sent it: the same on every cable.",
    [FRAME_IP4_DST] = "The host it goes to: switches look for the way by this.",
    [FRAME_IP6_VERSION] = "6: this is IPv6.",
    [FRAME_IP6_DSCP] = "The class the sender asks for; switches choose the queue by it.",
    [FRAME_IP6_ECN] = "Whether a switch has marked it: it waited in a long queue.",
    [FRAME_IP6_FLOW] = "The same for all packets of a flow.",
    [FRAME_IP6_PLEN] = "Length of what follows this header.",
    [FRAME_IP6_NEXT] = "Says which header comes next.",
    [FRAME_IP6_HLIM] =
        "Switches it may still pass: one less at each, so that none circles for ever.",
    [FRAME_IP6_SRC] = "The host that sent it: the same on every cable.",
    [FRAME_IP6_DST] = "The host it goes to: switches look for the way by this.",
    [FRAME_UDP_SRC] = "Differs from flow to flow: ECMP spreads flows over equal paths by it.",
    [FRAME_UDP_DST] = "4791: what follows is RoCEv2.",
    [FRAME_UDP_LEN] = "Length from this header on.",
    [FRAME_UDP_CHECKSUM] = "0 over IPv4: the invariant CRC at the end does the work.",
    [FRAME_TCP_SRC] = "With the other port and both addresses it names the connection.",
    [FRAME_TCP_DST] = "With the other port and both addresses it names the connection.",
    [FRAME_TCP_SEQ] = "The first byte of this segment, counted in the stream of the connection.",
    [FRAME_TCP_ACK] = "The next byte the receiver waits for: all before it has arrived.",
    [FRAME_TCP_HDR_LEN] = "How long this header is.",
    [FRAME_TCP_FLAGS] = "ACK: the acknowledgment number counts. PSH: a message ends here.",
    [FRAME_TCP_WINDOW] = "How many bytes more the receiver has room for.",
    [FRAME_TCP_CHECKSUM] = "Check sum of segment and addresses.",
    [FRAME_TCP_URGENT] = "Not used.",
    [FRAME_BTH_OPCODE] =
        "What the packet does, and where in its message it stands: first, middle, last "
        "or only.",
    [FRAME_BTH_SE] = "Whether the receiver's program is woken by it.",
    [FRAME_BTH_MIGREQ] = "Which of two paths the queue pair uses.",
    [FRAME_BTH_PADCNT] = "Bytes added so that the payload fills whole words.",
    [FRAME_BTH_TVER] = "The version of this header.",
    [FRAME_BTH_P_KEY] = "Both ends must be of the same partition.",
    [FRAME_BTH_FECN] = "Congestion ahead: the way the packet went.",
    [FRAME_BTH_BECN] = "Congestion on the way back: this asks the sender to slow down.",
    [FRAME_BTH_QPN] = "The queue pair at the other end that this is for.",
    [FRAME_BTH_ACKREQ] = "Whether the sender wants an ACK for this packet.",
    [FRAME_BTH_PSN] =
        "The number of the packet in its flow: the receiver sees by it what is missing. "
        "An ACK names the last one that arrived, a NAK the first that did not.",
    [FRAME_RETH_VA] = "Where in the receiver's memory the message is written.",
    [FRAME_RETH_R_KEY] = "The permission to write there.",
    [FRAME_RETH_LEN] = "How long the whole message is.",
    [FRAME_AETH_SYNDROME] =
        "ACK: all up to this PSN is there. NAK: the packet of this PSN is missing.",
    [FRAME_AETH_MSN] = "How many messages are complete.",
    [FRAME_PAYLOAD] = "Gradients, here filled with bytes that count up.",
    [FRAME_ICRC] = "Check sum of all that no switch may change, from end to end.",
    [FRAME_VCRC] = "Check sum of the whole packet; each hop finds it anew.",
    [FRAME_PAD] = "Zeros: no Ethernet frame is shorter than 64 bytes with its FCS.",
};

const char *inspect_about(enum frame_field field)
{
    return of_field[field];
}

const char *inspect_about_layer(enum frame_layer layer)
{
    static const char *const of_layer[FRAME_LAYER_COUNT] = {
        [FRAME_LAYER_ETH] = "For this cable only: from port to port.",
        [FRAME_LAYER_VLAN] = "A tag with the traffic class.",
        [FRAME_LAYER_MACC] = "A word from neighbour to neighbour; no switch passes it on.",
        [FRAME_LAYER_LRH] = "By this InfiniBand switches find the way.",
        [FRAME_LAYER_IB_LINK] = "Credits: what the neighbour may still send.",
        [FRAME_LAYER_IP4] = "From host to host, across any number of switches.",
        [FRAME_LAYER_IP6] = "From host to host, across any number of switches.",
        [FRAME_LAYER_UDP] = "Carries RoCEv2 over IP, and spreads flows over paths.",
        [FRAME_LAYER_TCP] = "From program to program: a stream of bytes without gaps.",
        [FRAME_LAYER_BTH] = "From queue pair to queue pair: what InfiniBand and RoCE share.",
        [FRAME_LAYER_RETH] = "On the first packet of an RDMA WRITE: where the message goes.",
        [FRAME_LAYER_AETH] = "The receiver's answer.",
        [FRAME_LAYER_CNP] = "The receiver's warning: packets arrive marked, slow down.",
        [FRAME_LAYER_PAYLOAD] = "What all the headers are for.",
        [FRAME_LAYER_ICRC] = "The check from end to end.",
        [FRAME_LAYER_VCRC] = "The check from hop to hop.",
        [FRAME_LAYER_PAD] = "Fills the frame up to the least length.",
    };
    return of_layer[layer];
}
