#include "export/frame.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- tables ---------------------------------------------------------------------------------- */

enum format {
    FORMAT_DEC,
    FORMAT_HEX,
    FORMAT_FLAG,
    FORMAT_MAC,
    FORMAT_IP4,
    FORMAT_IP6,
    FORMAT_WORDS, /* of 32 bits */
    FORMAT_BYTES,
    FORMAT_ZEROS,
    /* with words for values */
    FORMAT_ETHERTYPE,
    FORMAT_PROTO,
    FORMAT_MACC,
    FORMAT_ECN,
    FORMAT_OPCODE,
    FORMAT_SYNDROME,
};

static const struct {
    enum frame_layer layer;
    unsigned bits; /* 0: as long as it is */
    enum format format;
    const char *filter, *name;
} fields[FRAME_FIELD_COUNT] = {
#define X(layer_, id, bits_, format_, filter_, name_)                                              \
    [FRAME_##id] = { .layer = FRAME_LAYER_##layer_,                                                \
                     .bits = bits_,                                                                \
                     .format = FORMAT_##format_,                                                   \
                     .filter = filter_,                                                            \
                     .name = name_ },
    FRAME_FIELDS(X)
#undef X
};

static const struct {
    enum format format;
    uint64_t value;
    const char *word;
} words[] = {
    { FORMAT_ETHERTYPE, FRAME_TYPE_IP4, "IPv4" },
    { FORMAT_ETHERTYPE, FRAME_TYPE_IP6, "IPv6" },
    { FORMAT_ETHERTYPE, FRAME_TYPE_VLAN, "802.1Q Virtual LAN" },
    { FORMAT_ETHERTYPE, FRAME_TYPE_MACC, "MAC Control" },
    { FORMAT_PROTO, FRAME_PROTO_TCP, "TCP" },
    { FORMAT_PROTO, FRAME_PROTO_UDP, "UDP" },
    { FORMAT_MACC, 0x0001, "Pause" },
    { FORMAT_MACC, 0x0101, "Class Based Flow Control Pause" },
    { FORMAT_ECN, FRAME_NOT_ECT, "Not ECN-Capable Transport" },
    { FORMAT_ECN, FRAME_ECT1, "ECN-Capable Transport codepoint '01'" },
    { FORMAT_ECN, FRAME_ECT0, "ECN-Capable Transport codepoint '10'" },
    { FORMAT_ECN, FRAME_CE, "Congestion Experienced" },
    { FORMAT_OPCODE, FRAME_SEND_FIRST, "RC - SEND First" },
    { FORMAT_OPCODE, FRAME_SEND_MIDDLE, "RC - SEND Middle" },
    { FORMAT_OPCODE, FRAME_SEND_LAST, "RC - SEND Last" },
    { FORMAT_OPCODE, FRAME_SEND_ONLY, "RC - SEND Only" },
    { FORMAT_OPCODE, FRAME_WRITE_FIRST, "RC - RDMA WRITE First" },
    { FORMAT_OPCODE, FRAME_WRITE_MIDDLE, "RC - RDMA WRITE Middle" },
    { FORMAT_OPCODE, FRAME_WRITE_LAST, "RC - RDMA WRITE Last" },
    { FORMAT_OPCODE, FRAME_WRITE_ONLY, "RC - RDMA WRITE Only" },
    { FORMAT_OPCODE, FRAME_ACKNOWLEDGE, "RC - Acknowledge" },
    { FORMAT_OPCODE, FRAME_CNP_IB, "CNP" },
    { FORMAT_OPCODE, FRAME_CNP_ROCE, "CNP" },
    { FORMAT_SYNDROME, FRAME_SYNDROME_ACK, "Ack" },
    { FORMAT_SYNDROME, FRAME_SYNDROME_NAK_SEQUENCE, "Nak: PSN sequence error" },
};

/* The upper half of addresses of 128 bits: a unique local prefix (RFC 4193). */
static const uint8_t ip6_prefix[8] = { 0xfd, 0x77, 0x65, 0x66, 0x74, 0, 0, 0 };

const char *frame_layer_name(enum frame_layer layer)
{
    static const char *const names[FRAME_LAYER_COUNT] = {
#define X(id, name) [FRAME_LAYER_##id] = name,
        FRAME_LAYERS(X)
#undef X
    };
    return names[layer];
}

void frame_ip6(uint8_t out[16], uint64_t lower)
{
    memcpy(out, ip6_prefix, sizeof ip6_prefix);
    for (unsigned i = 0; i < 8; i++) {
        out[8 + i] = (uint8_t)(lower >> 8 * (7 - i) & UINT8_MAX);
    }
}

static bool has(const struct frame *f, enum frame_layer layer)
{
    return (f->layers >> layer & 1u) != 0;
}

/* ---- where things are ------------------------------------------------------------------------ */

static size_t header_bytes(enum frame_layer layer)
{
    unsigned bits = 0;
    for (int i = 0; i < FRAME_FIELD_COUNT; i++) {
        bits += fields[i].layer == layer ? fields[i].bits : 0;
    }
    return bits / 8;
}

/* Payload of an InfiniBand transport is padded to whole words. */
static uint32_t padded(const struct frame *f)
{
    return has(f, FRAME_LAYER_BTH) ? (f->payload + 3) / 4 * 4 : f->payload;
}

/* First byte of each layer; of what it does not have: of what follows. */
struct places {
    size_t at[FRAME_LAYER_COUNT + 1];
};

static struct places places_of(const struct frame *f)
{
    struct places p;
    size_t at = 0;
    for (int i = 0; i < FRAME_LAYER_COUNT; i++) {
        const enum frame_layer layer = (enum frame_layer)i;
        p.at[i] = at;
        if (layer == FRAME_LAYER_PAYLOAD) {
            at += padded(f);
        } else if (layer == FRAME_LAYER_PAD) {
            at += at < f->least ? f->least - at : 0;
        } else if (has(f, layer)) {
            at += header_bytes(layer);
        }
    }
    p.at[FRAME_LAYER_COUNT] = at;
    return p;
}

/* ---- check sums ------------------------------------------------------------------------------ */

void frame_sums_init(struct frame_sums *sums)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        uint32_t v = i;
        for (int bit = 0; bit < 8; bit++) {
            c = (c & 1) != 0 ? c >> 1 ^ UINT32_C(0xedb88320) : c >> 1;
            v = (v & 1) != 0 ? v >> 1 ^ 0xd008u : v >> 1; /* 0x100b, its bits reversed */
        }
        sums->crc32[0][i] = c;
        sums->vcrc[i] = (uint16_t)v;
    }
    for (uint32_t i = 0; i < 256; i++) {
        for (int k = 1; k < 8; k++) {
            const uint32_t before = sums->crc32[k - 1][i];
            sums->crc32[k][i] = before >> 8 ^ sums->crc32[0][before & 255];
        }
    }
}

static uint32_t load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Eight bytes at a time, each by the table of the bytes that follow it. */
static uint32_t crc32_add(const struct frame_sums *s, uint32_t crc, const uint8_t *p, size_t n)
{
    for (; n >= 8; n -= 8, p += 8) {
        const uint32_t lo = load32(p) ^ crc, hi = load32(p + 4);
        crc = s->crc32[7][lo & 255] ^ s->crc32[6][lo >> 8 & 255] ^ s->crc32[5][lo >> 16 & 255] ^
              s->crc32[4][lo >> 24] ^ s->crc32[3][hi & 255] ^ s->crc32[2][hi >> 8 & 255] ^
              s->crc32[1][hi >> 16 & 255] ^ s->crc32[0][hi >> 24];
    }
    for (; n > 0; n--, p++) {
        crc = crc >> 8 ^ s->crc32[0][(crc ^ *p) & 255];
    }
    return crc;
}

uint32_t frame_fcs(const struct frame_sums *sums, const uint8_t *bytes, size_t size)
{
    return ~crc32_add(sums, UINT32_MAX, bytes, size);
}

static uint32_t sum16(uint32_t sum, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i + 1 < n; i += 2) {
        sum += (uint32_t)p[i] << 8 | p[i + 1];
    }
    return n % 2 != 0 ? sum + ((uint32_t)p[n - 1] << 8) : sum;
}

static uint64_t folded(uint32_t sum)
{
    while (sum >> 16 != 0) {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return ~sum & 0xffff;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Writes a value of so many bits from bit `bit` of `out` on, which is zero there. */
static void put_bits(uint8_t *out, size_t bit, unsigned bits, uint64_t value)
{
    while (bits > 0) {
        const unsigned room = 8 - (unsigned)(bit % 8);
        const unsigned now = bits < room ? bits : room;
        const uint64_t part = value >> (bits - now) & ((1u << now) - 1);
        out[bit / 8] = (uint8_t)(out[bit / 8] | part << (room - now));
        bit += now;
        bits -= now;
    }
}

static void put_field(uint8_t *out, size_t bit, enum frame_field field, uint64_t value)
{
    unsigned bits = fields[field].bits;
    if (bits == 128) {
        if (fields[field].format == FORMAT_IP6) {
            memcpy(out + bit / 8, ip6_prefix, sizeof ip6_prefix);
        }
        bit += 64;
        bits = 64;
    }
    put_bits(out, bit, bits, value);
}

/* A field of `layer` once more, after it has got its value. */
static void patch(const struct frame *f, const struct places *p, uint8_t *out,
                  enum frame_field field)
{
    size_t bit = p->at[fields[field].layer] * 8;
    for (int i = 0; i < (int)field; i++) {
        bit += fields[i].layer == fields[field].layer ? fields[i].bits : 0;
    }
    put_field(out, bit, field, f->v[field]);
}

static void put_headers(const struct frame *f, const struct places *p, uint8_t *out)
{
    memset(out, 0, p->at[FRAME_LAYER_COUNT]);
    size_t bit = 0;
    for (int i = 0; i < FRAME_FIELD_COUNT; i++) {
        const enum frame_layer layer = fields[i].layer;
        bit = i == 0 || layer != fields[i - 1].layer ? p->at[layer] * 8 : bit;
        if (has(f, layer) && fields[i].bits > 0) {
            put_field(out, bit, (enum frame_field)i, f->v[i]);
            bit += fields[i].bits;
        }
    }
    uint8_t *payload = out + p->at[FRAME_LAYER_PAYLOAD];
    for (uint32_t i = 0; i < f->payload; i++) {
        payload[i] = f->data != NULL ? f->data[i] : (uint8_t)(f->stream + i);
    }
}

/* ---- what depends on the rest ---------------------------------------------------------------- */

static void find_types(struct frame *f)
{
    const uint64_t type = has(f, FRAME_LAYER_IP4)   ? FRAME_TYPE_IP4
                          : has(f, FRAME_LAYER_IP6) ? FRAME_TYPE_IP6
                                                    : FRAME_TYPE_MACC;
    const uint64_t proto = has(f, FRAME_LAYER_TCP) ? FRAME_PROTO_TCP : FRAME_PROTO_UDP;
    f->v[FRAME_ETH_TYPE] = has(f, FRAME_LAYER_VLAN) ? FRAME_TYPE_VLAN : type;
    f->v[FRAME_VLAN_TYPE] = type;
    f->v[FRAME_IP4_VERSION] = 4;
    f->v[FRAME_IP6_VERSION] = 6;
    f->v[FRAME_IP4_PROTO] = f->v[FRAME_IP6_NEXT] = proto;
    f->v[FRAME_LRH_LNH] = 2; /* BTH, without a global header */
}

static void find_lengths(struct frame *f, const struct places *p)
{
    const size_t end = p->at[FRAME_LAYER_PAD];
    f->v[FRAME_IP4_HDR_LEN] = f->v[FRAME_TCP_HDR_LEN] = 5;
    f->v[FRAME_IP4_LEN] = end - p->at[FRAME_LAYER_IP4];
    f->v[FRAME_IP6_PLEN] = end - p->at[FRAME_LAYER_UDP];
    f->v[FRAME_UDP_LEN] = end - p->at[FRAME_LAYER_UDP];
    f->v[FRAME_BTH_PADCNT] = padded(f) - f->payload;
    f->v[FRAME_LRH_PKTLEN] = p->at[FRAME_LAYER_VCRC] / 4;
}

/*
 * ICRC: over all that no switch may change. What switches do change counts as ones, and so does the
 * link header of InfiniBand where there is none: eight bytes in front (model 1.3).
 */
static uint32_t icrc(const struct frame *f, const struct frame_sums *sums, const struct places *p,
                     const uint8_t *out)
{
    uint8_t head[8 + 40 + 8 + 12];
    const bool link = has(f, FRAME_LAYER_LRH);
    const size_t from = link ? p->at[FRAME_LAYER_LRH] : p->at[FRAME_LAYER_IP4];
    const size_t after = p->at[FRAME_LAYER_BTH] + header_bytes(FRAME_LAYER_BTH);
    const size_t before = link ? 0 : 8;
    memset(head, 0xff, 8);
    memcpy(head + before, out + from, after - from);
    uint8_t *const ip = head + before;
    uint8_t *const bth = head + before + (p->at[FRAME_LAYER_BTH] - from);
    if (link) {
        head[0] |= 0xf0; /* VL */
    } else if (has(f, FRAME_LAYER_IP4)) {
        ip[1] = ip[8] = ip[10] = ip[11] = 0xff; /* TOS, TTL, check sum */
    } else {
        ip[0] |= 0x0f; /* traffic class, flow label, hop limit */
        ip[1] = ip[2] = ip[3] = ip[7] = 0xff;
    }
    if (!link) {
        bth[-2] = bth[-1] = 0xff; /* UDP check sum */
    }
    bth[4] = 0xff; /* FECN, BECN, reserved */
    uint32_t crc = crc32_add(sums, UINT32_MAX, head, before + after - from);
    return ~crc32_add(sums, crc, out + after, p->at[FRAME_LAYER_ICRC] - after);
}

static uint16_t vcrc(const struct frame_sums *sums, const uint8_t *p, size_t n)
{
    unsigned crc = UINT16_MAX;
    for (; n > 0; n--, p++) {
        crc = crc >> 8 ^ sums->vcrc[(crc ^ *p) & 255];
    }
    return (uint16_t)~crc;
}

static uint64_t swapped(uint64_t value, unsigned bytes)
{
    uint64_t r = 0;
    for (; bytes > 0; bytes--, value >>= 8) {
        r = r << 8 | (value & 255);
    }
    return r;
}

/* Check sum of TCP, or of UDP over IPv6: with addresses, length and protocol in front. */
static uint64_t transport_sum(const struct frame *f, const struct places *p, const uint8_t *out,
                              enum frame_layer layer)
{
    const bool six = has(f, FRAME_LAYER_IP6);
    const uint8_t *addresses =
        out + (six ? p->at[FRAME_LAYER_IP6] + 8 : p->at[FRAME_LAYER_IP4] + 12);
    const size_t length = p->at[FRAME_LAYER_PAD] - p->at[layer];
    uint32_t sum = sum16(0, addresses, six ? 32 : 8);
    sum += (uint32_t)length + (layer == FRAME_LAYER_TCP ? FRAME_PROTO_TCP : FRAME_PROTO_UDP);
    return folded(sum16(sum, out + p->at[layer], length));
}

static void find_sums(struct frame *f, const struct frame_sums *sums, const struct places *p,
                      uint8_t *out)
{
    if (has(f, FRAME_LAYER_IP4)) {
        f->v[FRAME_IP4_CHECKSUM] = folded(sum16(0, out + p->at[FRAME_LAYER_IP4], 20));
        patch(f, p, out, FRAME_IP4_CHECKSUM);
    }
    if (has(f, FRAME_LAYER_TCP)) {
        f->v[FRAME_TCP_CHECKSUM] = transport_sum(f, p, out, FRAME_LAYER_TCP);
        patch(f, p, out, FRAME_TCP_CHECKSUM);
    }
    if (has(f, FRAME_LAYER_ICRC)) { /* on the wire the lowest byte comes first */
        f->v[FRAME_ICRC] = swapped(icrc(f, sums, p, out), 4);
        patch(f, p, out, FRAME_ICRC);
    }
    if (has(f, FRAME_LAYER_UDP) && has(f, FRAME_LAYER_IP6)) {
        const uint64_t sum = transport_sum(f, p, out, FRAME_LAYER_UDP);
        f->v[FRAME_UDP_CHECKSUM] = sum != 0 ? sum : 0xffff;
        patch(f, p, out, FRAME_UDP_CHECKSUM);
    }
    if (has(f, FRAME_LAYER_VCRC)) {
        f->v[FRAME_VCRC] = swapped(vcrc(sums, out, p->at[FRAME_LAYER_VCRC]), 2);
        patch(f, p, out, FRAME_VCRC);
    }
    if (has(f, FRAME_LAYER_IB_LINK)) {
        f->v[FRAME_IB_LINK_LPCRC] = swapped(vcrc(sums, out, 4), 2);
        patch(f, p, out, FRAME_IB_LINK_LPCRC);
    }
}

/* A bit that somebody has turned over when the sums were made already. */
static void spoil(struct frame *f, const struct places *p, uint8_t *out)
{
    if (f->wrong == FRAME_WRONG_DATA) {
        out[p->at[FRAME_LAYER_PAYLOAD]] ^= 1;
        return;
    }
    const unsigned field = f->wrong - 1;
    size_t end = p->at[fields[field].layer] * 8 + fields[field].bits;
    for (unsigned i = 0; i < field; i++) {
        end += fields[i].layer == fields[field].layer ? fields[i].bits : 0;
    }
    out[(end - 1) / 8] ^= (uint8_t)(0x80 >> (end - 1) % 8);
    f->v[field] ^= 1;
}

size_t frame_encode(struct frame *f, const struct frame_sums *sums, uint8_t *out)
{
    const struct places p = places_of(f);
    const size_t size = p.at[FRAME_LAYER_COUNT];
    assert(size <= FRAME_BYTES_MAX);
    find_types(f);
    find_lengths(f, &p);
    f->v[FRAME_IP4_CHECKSUM] = f->v[FRAME_UDP_CHECKSUM] = f->v[FRAME_TCP_CHECKSUM] = 0;
    f->v[FRAME_ICRC] = f->v[FRAME_VCRC] = f->v[FRAME_IB_LINK_LPCRC] = 0;
    put_headers(f, &p, out);
    find_sums(f, sums, &p, out);
    if (f->wrong != 0) {
        spoil(f, &p, out);
    }
    return size;
}

/* ---- for people ------------------------------------------------------------------------------ */

static const char *word_for(enum format format, uint64_t value)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (words[i].format == format && words[i].value == value) {
            return words[i].word;
        }
    }
    return NULL;
}

static unsigned byte_of(uint64_t value, unsigned n)
{
    return (unsigned)(value >> 8 * n & 255);
}

static void say_ip6(char *buf, size_t size, uint64_t v)
{
    (void)snprintf(buf, size, "%02x%02x:%02x%02x:%02x%02x:%x:%x:%x:%x:%x", ip6_prefix[0],
                   ip6_prefix[1], ip6_prefix[2], ip6_prefix[3], ip6_prefix[4], ip6_prefix[5],
                   ip6_prefix[6] * 256u + ip6_prefix[7], (unsigned)(v >> 48),
                   (unsigned)(v >> 32 & 0xffff), (unsigned)(v >> 16 & 0xffff),
                   (unsigned)(v & 0xffff));
}

static void say(char *buf, size_t size, enum frame_field field, uint64_t v, size_t bytes)
{
    const enum format format = fields[field].format;
    const char *word = word_for(format, v);
    const int digits = ((int)fields[field].bits + 3) / 4;
    switch (format) {
    case FORMAT_DEC:
        (void)snprintf(buf, size, "%" PRIu64, v);
        break;
    case FORMAT_HEX:
        (void)snprintf(buf, size, "0x%0*" PRIx64, digits, v);
        break;
    case FORMAT_FLAG:
        (void)snprintf(buf, size, "%s", v != 0 ? "Set" : "Not set");
        break;
    case FORMAT_MAC:
        (void)snprintf(buf, size, "%02x:%02x:%02x:%02x:%02x:%02x", byte_of(v, 5), byte_of(v, 4),
                       byte_of(v, 3), byte_of(v, 2), byte_of(v, 1), byte_of(v, 0));
        break;
    case FORMAT_IP4:
        (void)snprintf(buf, size, "%u.%u.%u.%u", byte_of(v, 3), byte_of(v, 2), byte_of(v, 1),
                       byte_of(v, 0));
        break;
    case FORMAT_IP6:
        say_ip6(buf, size, v);
        break;
    case FORMAT_WORDS:
        (void)snprintf(buf, size, "%" PRIu64 " bytes (%" PRIu64 ")", v * 4, v);
        break;
    case FORMAT_BYTES:
    case FORMAT_ZEROS:
        (void)snprintf(buf, size, "%zu byte%s%s", bytes, bytes == 1 ? "" : "s",
                       format == FORMAT_ZEROS ? " of zeros" : "");
        break;
    case FORMAT_ETHERTYPE:
    case FORMAT_PROTO:
    case FORMAT_MACC:
    case FORMAT_ECN:
    case FORMAT_OPCODE:
    case FORMAT_SYNDROME:
        (void)snprintf(buf, size, "%s (%" PRIu64 ")", word != NULL ? word : "Unknown", v);
        break;
    }
}

size_t frame_list(const struct frame *f, struct frame_line *out)
{
    const struct places p = places_of(f);
    size_t count = 0;
    size_t bit = 0;
    for (int i = 0; i < FRAME_FIELD_COUNT; i++) {
        const enum frame_layer layer = fields[i].layer;
        bit = i == 0 || layer != fields[i - 1].layer ? p.at[layer] * 8 : bit;
        const bool open = fields[i].bits == 0;
        const size_t bits = open ? (p.at[layer + 1] - p.at[layer]) * 8 : fields[i].bits;
        if ((!open && !has(f, layer)) || bits == 0) {
            continue;
        }
        assert(count < FRAME_LINES_MAX);
        struct frame_line *line = &out[count++];
        const bool whole = bit % 8 == 0 && bits % 8 == 0;
        *line = (struct frame_line){ .layer = layer,
                                     .field = (enum frame_field)i,
                                     .name = fields[i].name,
                                     .filter = fields[i].filter,
                                     .offset = bit / 8,
                                     .length = (bit + bits + 7) / 8 - bit / 8,
                                     .bit = (unsigned)(bit % 8),
                                     .bits = whole ? 0 : (unsigned)bits };
        say(line->text, sizeof line->text, line->field, f->v[i], bits / 8);
        bit += bits;
    }
    return count;
}
