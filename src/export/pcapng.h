/*
 * pcapng, the file of capture programs (IETF draft-ietf-opsawg-pcapng): blocks, each appended whole.
 *
 *     section                      one, first: who wrote it
 *     names                        of addresses; may be missing
 *     interface                    one for each place where frames are taken down, before its first frame
 *     packet, packet, ...          in the order of time
 *     statistics                   per interface, at the end; may be missing
 *
 * A file may end behind any block. Times are 64-bit nanoseconds (readers stumble over finer ones): what
 * happens within one is in its order. All numbers are little-endian.
 */
#ifndef WEFT_EXPORT_PCAPNG_H
#define WEFT_EXPORT_PCAPNG_H

#include <stdint.h>

#include "base/text.h"
#include "base/units.h"

/* Link types, as registered: what the packets of an interface begin with. */
enum pcapng_link {
    PCAPNG_ETHERNET = 1, /* without preamble and FCS */
    PCAPNG_PDU = 252,    /* something with a name, behind pcapng_pdu() */
    PCAPNG_ERF = 197, /* InfiniBand, from the local route header to the VCRC, behind pcapng_erf() */
};

struct pcapng_name {
    uint8_t address[16];
    size_t bytes; /* of it: 4 or 16 */
    const char *name;
};

struct pcapng_interface {
    enum pcapng_link link;
    const char *name, *description;
    int64_t rate_bps;
    uint32_t snaplen; /* 0: frames are whole */
};

enum { PCAPNG_COMMENTS_MAX = 4, PCAPNG_ERF_BYTES = 16, PCAPNG_PDU_BYTES = 28 };

struct pcapng_packet {
    uint32_t interface; /* by the order in which they were added, from 0 */
    int64_t at_ps;
    const uint8_t *bytes;
    uint32_t kept, size;                       /* bytes in the file; on the cable */
    const char *comments[PCAPNG_COMMENTS_MAX]; /* up to the first NULL */
};

struct pcapng_counts {
    int64_t end_ps;
    uint64_t sent, dropped; /* frames; those of them that were lost behind this cable */
};

/* `name`: of what was captured. */
void pcapng_add_section(struct text *out, const char *program, const char *name);
/* Names for IP addresses, which readers may show in their place. */
void pcapng_add_names(struct text *out, const struct pcapng_name *names, size_t count);
void pcapng_add_interface(struct text *out, const struct pcapng_interface *interface);
void pcapng_add_packet(struct text *out, const struct pcapng_packet *packet);
void pcapng_add_statistics(struct text *out, uint32_t interface,
                           const struct pcapng_counts *counts);

/* Writes the header of an ERF record that holds an InfiniBand packet of `size` bytes, `kept` of them in
 * the file. */
void pcapng_erf(uint8_t *out, int64_t at_ps, uint32_t kept, uint32_t size);

/* Writes the header of bytes that are shown as such, as a protocol with a name of 9 to 12 letters. */
void pcapng_pdu(uint8_t *out, const char *protocol);

#endif
