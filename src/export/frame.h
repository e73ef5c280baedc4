/*
 * One frame, as headers and as bytes (model 1.2, 1.3).
 *
 *     Ethernet [802.1Q] MAC control                                    PFC
 *     Ethernet [802.1Q] IPv4|IPv6 UDP BTH [RETH] [AETH] [CNP] payload ICRC      RoCEv2
 *     Ethernet [802.1Q] IPv4|IPv6 TCP payload [padding]
 *     LRH BTH [RETH] [AETH] [CNP] payload ICRC VCRC                    InfiniBand
 *     InfiniBand Link                                                  its credits: 6 bytes, and
 *                                                                      two symbols of framing
 *
 * A header is a list of fields, most significant bit first, in the order of the table below: it
 * writes the bytes, and it lists the fields for people, with the names that Wireshark gives them. A
 * frame is the headers it has and a value for each of their fields. Lengths, pad counts and check
 * sums are not set by anybody: frame_encode() finds them.
 *
 * To show a frame of a running fabric: sim_sent_of(), headers_of() (headers.h), frame_encode(),
 * frame_list().
 *
 * Ethernet frames are without preamble and FCS, as captures hold them; InfiniBand packets are whole.
 * The payload is filler: the byte at offset n of a stream is n modulo 256, so what is sent again is
 * the same, and what a receiver puts together can be checked.
 */
#ifndef WEFT_EXPORT_FRAME_H
#define WEFT_EXPORT_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of the wire. The name is that of a packet dissector. */
#define FRAME_LAYERS(X)                                                                            \
    X(ETH, "Ethernet II")                                                                          \
    X(VLAN, "802.1Q Virtual LAN")                                                                  \
    X(MACC, "MAC Control")                                                                         \
    X(LRH, "Local Route Header")                                                                   \
    X(IB_LINK, "InfiniBand Link")                                                                  \
    X(IP4, "Internet Protocol Version 4")                                                          \
    X(IP6, "Internet Protocol Version 6")                                                          \
    X(UDP, "User Datagram Protocol")                                                               \
    X(TCP, "Transmission Control Protocol")                                                        \
    X(BTH, "Base Transport Header")                                                                \
    X(RETH, "RDMA Extended Transport Header")                                                      \
    X(AETH, "ACK Extended Transport Header")                                                       \
    X(CNP, "Congestion Notification Packet")                                                       \
    X(PAYLOAD, "Payload")                                                                          \
    X(ICRC, "Invariant CRC")                                                                       \
    X(VCRC, "Variant CRC")                                                                         \
    X(PAD, "Padding")

enum frame_layer {
#define X(id, name) FRAME_LAYER_##id,
    FRAME_LAYERS(X)
#undef X
        FRAME_LAYER_COUNT
};
#define FRAME_LAYER(id) (1u << FRAME_LAYER_##id)

/* clang-format off */
/*    header   field        bits  shown as  filter in Wireshark              name */
#define FRAME_FIELDS(X)                                                                                    \
    X(ETH,     ETH_DST,       48, MAC,      "eth.dst",                       "Destination")                \
    X(ETH,     ETH_SRC,       48, MAC,      "eth.src",                       "Source")                     \
    X(ETH,     ETH_TYPE,      16, ETHERTYPE, "eth.type",                     "Type")                       \
    X(VLAN,    VLAN_PRIO,      3, DEC,      "vlan.priority",                 "Priority")                   \
    X(VLAN,    VLAN_DEI,       1, DEC,      "vlan.dei",                      "DEI")                        \
    X(VLAN,    VLAN_ID,       12, DEC,      "vlan.id",                       "ID")                         \
    X(VLAN,    VLAN_TYPE,     16, ETHERTYPE, "vlan.etype",                   "Type")                       \
    X(MACC,    MACC_OPCODE,   16, MACC,     "macc.opcode",                   "Opcode")                     \
    X(MACC,    MACC_CLASSES,  16, HEX,      "macc.cbfc.enbv",                "CBFC Class Enable Vector")   \
    X(MACC,    MACC_TIME0,    16, DEC,      "macc.cbfc.pause_time.c0",       "C0")                         \
    X(MACC,    MACC_TIME1,    16, DEC,      "macc.cbfc.pause_time.c1",       "C1")                         \
    X(MACC,    MACC_TIME2,    16, DEC,      "macc.cbfc.pause_time.c2",       "C2")                         \
    X(MACC,    MACC_TIME3,    16, DEC,      "macc.cbfc.pause_time.c3",       "C3")                         \
    X(MACC,    MACC_TIME4,    16, DEC,      "macc.cbfc.pause_time.c4",       "C4")                         \
    X(MACC,    MACC_TIME5,    16, DEC,      "macc.cbfc.pause_time.c5",       "C5")                         \
    X(MACC,    MACC_TIME6,    16, DEC,      "macc.cbfc.pause_time.c6",       "C6")                         \
    X(MACC,    MACC_TIME7,    16, DEC,      "macc.cbfc.pause_time.c7",       "C7")                         \
    X(LRH,     LRH_VL,         4, DEC,      "infiniband.lrh.vl",             "Virtual Lane")               \
    X(LRH,     LRH_LVER,       4, DEC,      "infiniband.lrh.lver",           "Link Version")               \
    X(LRH,     LRH_SL,         4, DEC,      "infiniband.lrh.sl",             "Service Level")              \
    X(LRH,     LRH_RESERVED2,  2, DEC,      "infiniband.lrh.reserved2",      "Reserved (2 bits)")          \
    X(LRH,     LRH_LNH,        2, DEC,      "infiniband.lrh.lnh",            "Link Next Header")           \
    X(LRH,     LRH_DLID,      16, DEC,      "infiniband.lrh.dlid",           "Destination Local ID")       \
    X(LRH,     LRH_RESERVED5,  5, DEC,      "infiniband.lrh.reserved5",      "Reserved (5 bits)")          \
    X(LRH,     LRH_PKTLEN,    11, DEC,      "infiniband.lrh.pktlen",         "Packet Length")              \
    X(LRH,     LRH_SLID,      16, DEC,      "infiniband.lrh.slid",           "Source Local ID")            \
    X(IB_LINK, IB_LINK_OP,     4, DEC,      "infiniband_link.op",            "Operand")                    \
    X(IB_LINK, IB_LINK_FCTBS, 12, DEC,      "infiniband_link.fctbs",         "Flow Control Total Blocks Sent") \
    X(IB_LINK, IB_LINK_VL,     4, DEC,      "infiniband_link.vl",            "Virtual Lane")               \
    X(IB_LINK, IB_LINK_FCCL,  12, DEC,      "infiniband_link.fccl",          "Flow Control Credit Limit")  \
    X(IB_LINK, IB_LINK_LPCRC, 16, HEX,      "infiniband_link.lpcrc",         "Link Packet CRC")            \
    X(IB_LINK, IB_LINK_FRAMING, 16, HEX,    "",                              "Framing")                    \
    X(IP4,     IP4_VERSION,    4, DEC,      "ip.version",                    "Version")                    \
    X(IP4,     IP4_HDR_LEN,    4, WORDS,    "ip.hdr_len",                    "Header Length")              \
    X(IP4,     IP4_DSCP,       6, DEC,      "ip.dsfield.dscp",               "Differentiated Services Codepoint") \
    X(IP4,     IP4_ECN,        2, ECN,      "ip.dsfield.ecn",                "Explicit Congestion Notification") \
    X(IP4,     IP4_LEN,       16, DEC,      "ip.len",                        "Total Length")               \
    X(IP4,     IP4_ID,        16, HEX,      "ip.id",                         "Identification")             \
    X(IP4,     IP4_RB,         1, FLAG,     "ip.flags.rb",                   "Reserved bit")               \
    X(IP4,     IP4_DF,         1, FLAG,     "ip.flags.df",                   "Don't fragment")             \
    X(IP4,     IP4_MF,         1, FLAG,     "ip.flags.mf",                   "More fragments")             \
    X(IP4,     IP4_OFFSET,    13, DEC,      "ip.frag_offset",                "Fragment Offset")            \
    X(IP4,     IP4_TTL,        8, DEC,      "ip.ttl",                        "Time to Live")               \
    X(IP4,     IP4_PROTO,      8, PROTO,    "ip.proto",                      "Protocol")                   \
    X(IP4,     IP4_CHECKSUM,  16, HEX,      "ip.checksum",                   "Header Checksum")            \
    X(IP4,     IP4_SRC,       32, IP4,      "ip.src",                        "Source Address")             \
    X(IP4,     IP4_DST,       32, IP4,      "ip.dst",                        "Destination Address")        \
    X(IP6,     IP6_VERSION,    4, DEC,      "ipv6.version",                  "Version")                    \
    X(IP6,     IP6_DSCP,       6, DEC,      "ipv6.tclass.dscp",              "Differentiated Services Codepoint") \
    X(IP6,     IP6_ECN,        2, ECN,      "ipv6.tclass.ecn",               "Explicit Congestion Notification") \
    X(IP6,     IP6_FLOW,      20, HEX,      "ipv6.flow",                     "Flow Label")                 \
    X(IP6,     IP6_PLEN,      16, DEC,      "ipv6.plen",                     "Payload Length")             \
    X(IP6,     IP6_NEXT,       8, PROTO,    "ipv6.nxt",                      "Next Header")                \
    X(IP6,     IP6_HLIM,       8, DEC,      "ipv6.hlim",                     "Hop Limit")                  \
    X(IP6,     IP6_SRC,      128, IP6,      "ipv6.src",                      "Source Address")             \
    X(IP6,     IP6_DST,      128, IP6,      "ipv6.dst",                      "Destination Address")        \
    X(UDP,     UDP_SRC,       16, DEC,      "udp.srcport",                   "Source Port")                \
    X(UDP,     UDP_DST,       16, DEC,      "udp.dstport",                   "Destination Port")           \
    X(UDP,     UDP_LEN,       16, DEC,      "udp.length",                    "Length")                     \
    X(UDP,     UDP_CHECKSUM,  16, HEX,      "udp.checksum",                  "Checksum")                   \
    X(TCP,     TCP_SRC,       16, DEC,      "tcp.srcport",                   "Source Port")                \
    X(TCP,     TCP_DST,       16, DEC,      "tcp.dstport",                   "Destination Port")           \
    X(TCP,     TCP_SEQ,       32, DEC,      "tcp.seq_raw",                   "Sequence Number (raw)")      \
    X(TCP,     TCP_ACK,       32, DEC,      "tcp.ack_raw",                   "Acknowledgment number (raw)") \
    X(TCP,     TCP_HDR_LEN,    4, WORDS,    "tcp.hdr_len",                   "Header Length")              \
    X(TCP,     TCP_FLAGS,     12, HEX,      "tcp.flags",                     "Flags")                      \
    X(TCP,     TCP_WINDOW,    16, DEC,      "tcp.window_size_value",         "Window")                     \
    X(TCP,     TCP_CHECKSUM,  16, HEX,      "tcp.checksum",                  "Checksum")                   \
    X(TCP,     TCP_URGENT,    16, DEC,      "tcp.urgent_pointer",            "Urgent Pointer")             \
    X(BTH,     BTH_OPCODE,     8, OPCODE,   "infiniband.bth.opcode",         "Opcode")                     \
    X(BTH,     BTH_SE,         1, FLAG,     "infiniband.bth.se",             "Solicited Event")            \
    X(BTH,     BTH_MIGREQ,     1, FLAG,     "infiniband.bth.m",              "MigReq")                     \
    X(BTH,     BTH_PADCNT,     2, DEC,      "infiniband.bth.padcnt",         "Pad Count")                  \
    X(BTH,     BTH_TVER,       4, DEC,      "infiniband.bth.tver",           "Header Version")             \
    X(BTH,     BTH_P_KEY,     16, DEC,      "infiniband.bth.p_key",          "Partition Key")              \
    X(BTH,     BTH_FECN,       1, FLAG,     "",                              "FECN")                       \
    X(BTH,     BTH_BECN,       1, FLAG,     "",                              "BECN")                       \
    X(BTH,     BTH_RESERVED6,  6, DEC,      "",                              "Reserved (6 bits)")          \
    X(BTH,     BTH_QPN,       24, HEX,      "infiniband.bth.destqp",         "Destination Queue Pair")     \
    X(BTH,     BTH_ACKREQ,     1, FLAG,     "infiniband.bth.a",              "Acknowledge Request")        \
    X(BTH,     BTH_RESERVED7,  7, DEC,      "infiniband.bth.reserved7",      "Reserved (7 bits)")          \
    X(BTH,     BTH_PSN,       24, DEC,      "infiniband.bth.psn",            "Packet Sequence Number")     \
    X(RETH,    RETH_VA,       64, HEX,      "infiniband.reth.va",            "Virtual Address")            \
    X(RETH,    RETH_R_KEY,    32, HEX,      "infiniband.reth.r_key",         "Remote Key")                 \
    X(RETH,    RETH_LEN,      32, DEC,      "infiniband.reth.dmalen",        "DMA Length")                 \
    X(AETH,    AETH_SYNDROME,  8, SYNDROME, "infiniband.aeth.syndrome",      "Syndrome")                   \
    X(AETH,    AETH_MSN,      24, DEC,      "infiniband.aeth.msn",           "Message Sequence Number")    \
    X(CNP,     CNP_RESERVED, 128, ZEROS,    "",                              "Reserved (16 bytes)")        \
    X(PAYLOAD, PAYLOAD,        0, BYTES,    "",                              "Data")                       \
    X(ICRC,    ICRC,          32, HEX,      "infiniband.invariant.crc",      "Invariant CRC")              \
    X(VCRC,    VCRC,          16, HEX,      "infiniband.variant.crc",        "Variant CRC")                \
    X(PAD,     PAD,            0, ZEROS,    "eth.padding",                   "Padding")
/* clang-format on */

enum frame_field {
#define X(layer, id, bits, format, filter, name) FRAME_##id,
    FRAME_FIELDS(X)
#undef X
        FRAME_FIELD_COUNT
};

/* What it takes for the fields that say what comes next. */
enum {
    FRAME_TYPE_IP4 = 0x0800,
    FRAME_TYPE_IP6 = 0x86dd,
    FRAME_TYPE_VLAN = 0x8100,
    FRAME_TYPE_MACC = 0x8808,
    FRAME_PROTO_TCP = 6,
    FRAME_PROTO_UDP = 17,
    FRAME_PORT_ROCE = 4791,
};

enum frame_opcode {
    FRAME_SEND_FIRST,
    FRAME_SEND_MIDDLE,
    FRAME_SEND_LAST,
    FRAME_SEND_ONLY = 0x04,
    FRAME_WRITE_FIRST = 0x06,
    FRAME_WRITE_MIDDLE,
    FRAME_WRITE_LAST,
    FRAME_WRITE_ONLY = 0x0a,
    FRAME_ACKNOWLEDGE = 0x11,
    FRAME_CNP_IB = 0x80,
    FRAME_CNP_ROCE = 0x81,
};

enum frame_syndrome {
    FRAME_SYNDROME_ACK = 0x1f, /* without end-to-end credits */
    FRAME_SYNDROME_NAK_SEQUENCE = 0x60,
};

enum frame_ecn { FRAME_NOT_ECT, FRAME_ECT1, FRAME_ECT0, FRAME_CE };
enum frame_tcp_flag { FRAME_FLAG_PSH = 0x08, FRAME_FLAG_ACK = 0x10 };

#define FRAME_WRONG(field) (1u + (unsigned)(field))
#define FRAME_WRONG_DATA   FRAME_WRONG(FRAME_FIELD_COUNT) /* the payload's first byte */

struct frame {
    unsigned layers;     /* FRAME_LAYER(ETH) | ... */
    uint32_t payload;    /* bytes of it */
    uint32_t least;      /* padded to so many bytes, 0: not at all. Ethernet: 60 */
    uint64_t stream;     /* offset of its first byte in what the filler is made of */
    const uint8_t *data; /* another payload; NULL: filler */
    unsigned
        wrong; /* FRAME_WRONG(field): its last bit is turned over, behind all check sums; 0: none */
    uint64_t
        v[FRAME_FIELD_COUNT]; /* of addresses of 128 bits: the lower half, the upper is fixed */
};

/* The longest: jumbo payload, and all that may be around it. */
enum { FRAME_BYTES_MAX = 9216 };

/* Tables for check sums; made once, then only read. */
struct frame_sums {
    uint32_t crc32[8][256]; /* Ethernet's, of zero to seven more bytes */
    uint16_t vcrc[256];     /* polynomial 0x100b, of InfiniBand */
};
void frame_sums_init(struct frame_sums *sums);

/* The FCS of an Ethernet frame, as a number; on the wire its lowest byte comes first. */
uint32_t frame_fcs(const struct frame_sums *sums, const uint8_t *bytes, size_t size);

/*
 * Writes the frame and returns its length, at most FRAME_BYTES_MAX; sets in `frame` what depends on
 * the rest of it: lengths, type fields, pad count, check sums. Payload larger than fits is a mistake
 * of the caller's.
 */
size_t frame_encode(struct frame *frame, const struct frame_sums *sums, uint8_t *out);

/* A field of a frame that has been encoded. */
struct frame_line {
    enum frame_layer layer;
    enum frame_field field;
    const char *name;
    const char *filter;    /* "": there is none */
    size_t offset, length; /* bytes that hold it */
    unsigned bit, bits;    /* of them: from the most significant on; whole bytes: 0 */
    char text[64];         /* its value */
};

enum { FRAME_LINES_MAX = 64 };

/* All its fields in the order of the wire; at most FRAME_LINES_MAX. Returns how many. */
size_t frame_list(const struct frame *frame, struct frame_line *out);

/* An IPv6 address of which a field holds the lower half. */
void frame_ip6(uint8_t out[16], uint64_t lower);

const char *frame_layer_name(enum frame_layer layer);

#endif
