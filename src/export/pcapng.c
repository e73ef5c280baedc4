#include "export/pcapng.h"

#include <string.h>

enum block {
    BLOCK_INTERFACE = 1,
    BLOCK_NAMES = 4,
    BLOCK_STATISTICS = 5,
    BLOCK_PACKET = 6,
    BLOCK_SECTION = 0x0a0d0d0a
};

enum option {
    OPTION_END = 0,
    OPTION_COMMENT = 1,
    SECTION_APPLICATION = 4,
    INTERFACE_NAME = 2,
    INTERFACE_DESCRIPTION = 3,
    INTERFACE_SPEED = 8,
    INTERFACE_RESOLUTION = 9,
    PACKET_FLAGS = 2,
    STATISTICS_START = 2,
    STATISTICS_END = 3,
    STATISTICS_RECEIVED = 4,
    STATISTICS_DROPPED = 5,
};

enum { RESOLUTION_NS = 9, OUTBOUND = 2 };

static void put(struct text *out, uint64_t value, unsigned bytes)
{
    char le[8];
    for (unsigned i = 0; i < bytes; i++) {
        le[i] = (char)(unsigned char)(value >> 8 * i & 255);
    }
    text_add_n(out, le, bytes);
}

static void put_padded(struct text *out, const void *bytes, size_t size)
{
    static const char zeros[4];
    text_add_n(out, bytes, size);
    text_add_n(out, zeros, (4 - size % 4) % 4);
}

/* Its upper half comes first. */
static void put_time(struct text *out, int64_t at_ps)
{
    const uint64_t ns = (uint64_t)(at_ps / UNIT_NS);
    put(out, ns >> 32, 4);
    put(out, ns & UINT32_MAX, 4);
}

/* Returns where the block begins. */
static size_t begin(struct text *out, enum block type)
{
    const size_t at = out->len;
    put(out, (uint64_t)type, 4);
    put(out, 0, 4);
    return at;
}

/* A block has its length at both ends. */
static void end(struct text *out, size_t at)
{
    const uint64_t length = out->len - at + 4;
    put(out, length, 4);
    for (unsigned i = 0; i < 4; i++) {
        out->s[at + 4 + i] = (char)(unsigned char)(length >> 8 * i & 255);
    }
}

static void option(struct text *out, enum option code, const void *bytes, size_t size)
{
    put(out, (uint64_t)code, 2);
    put(out, size, 2);
    put_padded(out, bytes, size);
}

static void option_string(struct text *out, enum option code, const char *s)
{
    const size_t len = strlen(s);
    option(out, code, s, len < UINT16_MAX ? len : UINT16_MAX);
}

static void option_number(struct text *out, enum option code, uint64_t value, unsigned bytes)
{
    put(out, (uint64_t)code, 2);
    put(out, bytes, 2);
    put(out, value, bytes);
    put(out, 0, (4 - bytes % 4) % 4);
}

static void option_time(struct text *out, enum option code, int64_t at_ps)
{
    put(out, (uint64_t)code, 2);
    put(out, 8, 2);
    put_time(out, at_ps);
}

static void options_end(struct text *out)
{
    put(out, OPTION_END, 4);
}

void pcapng_add_section(struct text *out, const char *program, const char *name)
{
    const size_t at = begin(out, BLOCK_SECTION);
    put(out, UINT32_C(0x1a2b3c4d), 4); /* by which readers know the order of bytes */
    put(out, 1, 2);                    /* version 1.0 */
    put(out, 0, 2);
    put(out, UINT64_MAX, 8); /* length of the section: not told */
    option_string(out, OPTION_COMMENT, name);
    option_string(out, SECTION_APPLICATION, program);
    options_end(out);
    end(out, at);
}

void pcapng_add_names(struct text *out, const struct pcapng_name *names, size_t count)
{
    enum { RECORD_END = 0, RECORD_IP4 = 1, RECORD_IP6 = 2, IP4_BYTES = 4 };
    const size_t at = begin(out, BLOCK_NAMES);
    for (size_t i = 0; i < count; i++) {
        struct text record = { 0 };
        text_add_n(&record, (const char *)names[i].address, names[i].bytes);
        text_add_n(&record, names[i].name, strlen(names[i].name) + 1);
        put(out, names[i].bytes == IP4_BYTES ? RECORD_IP4 : RECORD_IP6, 2);
        put(out, record.len, 2);
        put_padded(out, record.s, record.len);
        text_finish(&record);
    }
    put(out, RECORD_END, 4);
    end(out, at);
}

void pcapng_add_interface(struct text *out, const struct pcapng_interface *i)
{
    const size_t at = begin(out, BLOCK_INTERFACE);
    put(out, (uint64_t)i->link, 2);
    put(out, 0, 2);
    put(out, i->snaplen, 4);
    option_string(out, INTERFACE_NAME, i->name);
    option_string(out, INTERFACE_DESCRIPTION, i->description);
    option_number(out, INTERFACE_SPEED, (uint64_t)i->rate_bps, 8);
    option_number(out, INTERFACE_RESOLUTION, RESOLUTION_NS, 1);
    options_end(out);
    end(out, at);
}

void pcapng_add_packet(struct text *out, const struct pcapng_packet *p)
{
    const size_t at = begin(out, BLOCK_PACKET);
    put(out, p->interface, 4);
    put_time(out, p->at_ps);
    put(out, p->kept, 4);
    put(out, p->size, 4);
    put_padded(out, p->bytes, p->kept);
    for (int i = 0; i < PCAPNG_COMMENTS_MAX && p->comments[i] != NULL; i++) {
        option_string(out, OPTION_COMMENT, p->comments[i]);
    }
    option_number(out, PACKET_FLAGS, OUTBOUND, 4);
    options_end(out);
    end(out, at);
}

void pcapng_add_statistics(struct text *out, uint32_t interface, const struct pcapng_counts *counts)
{
    const size_t at = begin(out, BLOCK_STATISTICS);
    put(out, interface, 4);
    put_time(out, counts->end_ps);
    option_time(out, STATISTICS_START, 0);
    option_time(out, STATISTICS_END, counts->end_ps);
    option_number(out, STATISTICS_RECEIVED, counts->sent, 8);
    option_number(out, STATISTICS_DROPPED, counts->dropped, 8);
    options_end(out);
    end(out, at);
}

void pcapng_erf(uint8_t *out, int64_t at_ps, uint32_t kept, uint32_t size)
{
    enum { INFINIBAND = 21, VARYING = 4 }; /* type; records have the length of what they hold */
    /* seconds and 2^-32 seconds; 10^12 is 2^12 times what is below */
    const uint64_t seconds = (uint64_t)(at_ps / UNIT_S);
    const uint64_t part = ((uint64_t)(at_ps % UNIT_S) << 20) / UINT64_C(244140625);
    const uint64_t time = seconds << 32 | part;
    const uint32_t length = PCAPNG_ERF_BYTES + kept;
    for (unsigned i = 0; i < 8; i++) {
        out[i] = (uint8_t)(time >> 8 * i & 255);
    }
    out[8] = INFINIBAND;
    out[9] = VARYING;
    out[10] = (uint8_t)(length >> 8 & 255);
    out[11] = (uint8_t)(length & 255);
    out[12] = out[13] = 0; /* records lost */
    out[14] = (uint8_t)(size >> 8 & 255);
    out[15] = (uint8_t)(size & 255);
}

/* Tags of Wireshark's exported PDUs, big-endian: type, length, value. */
void pcapng_pdu(uint8_t *out, const char *protocol)
{
    enum { DISSECTOR = 12, PROTOCOL = 33, NAME = 12 };
    static const uint8_t data[] = { 0, DISSECTOR, 0, 4, 'd', 'a', 't', 'a', 0, PROTOCOL, 0, NAME };
    memset(out, 0, PCAPNG_PDU_BYTES);
    memcpy(out, data, sizeof data);
    memcpy(out + sizeof data, protocol, strnlen(protocol, NAME));
}
