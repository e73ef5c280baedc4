#include "export/vectors.h"

#include <stdlib.h>
#include <string.h>

/* ---- frames ---------------------------------------------------------------------------------- */

static struct frame roce(uint64_t dst, uint64_t src, uint64_t tos, uint64_t from, uint64_t to)
{
    struct frame f = { .layers = FRAME_LAYER(ETH) | FRAME_LAYER(IP4) | FRAME_LAYER(UDP) |
                                 FRAME_LAYER(BTH) | FRAME_LAYER(ICRC),
                       .v = { [FRAME_ETH_DST] = dst,
                              [FRAME_ETH_SRC] = src,
                              [FRAME_IP4_DSCP] = tos >> 2,
                              [FRAME_IP4_ECN] = tos & 3,
                              [FRAME_IP4_ID] = 1,
                              [FRAME_IP4_DF] = 1,
                              [FRAME_IP4_TTL] = 64,
                              [FRAME_IP4_SRC] = from,
                              [FRAME_IP4_DST] = to,
                              [FRAME_UDP_SRC] = 0xc000,
                              [FRAME_UDP_DST] = FRAME_PORT_ROCE,
                              [FRAME_BTH_MIGREQ] = 1,
                              [FRAME_BTH_P_KEY] = 0xffff } };
    return f;
}

static struct frame cnp(void)
{
    struct frame f = roce(0xe41d2dab2bc2, 0x7cfe90643b32, 0xc2, 0x0a001101, 0x0a001201);
    f.layers |= FRAME_LAYER(CNP);
    f.v[FRAME_IP4_ID] = 0x718c;
    f.v[FRAME_UDP_SRC] = 0;
    f.v[FRAME_BTH_OPCODE] = FRAME_CNP_ROCE;
    f.v[FRAME_BTH_MIGREQ] = 0;
    f.v[FRAME_BTH_BECN] = 1;
    f.v[FRAME_BTH_QPN] = 0x000118;
    return f;
}

static struct frame write_only(void)
{
    struct frame f = roce(0x248a07000002, 0x248a07000001, 0x6a, 0x0a000001, 0x0a000002);
    f.layers |= FRAME_LAYER(RETH);
    f.payload = 8;
    f.v[FRAME_BTH_OPCODE] = FRAME_WRITE_ONLY;
    f.v[FRAME_BTH_QPN] = 0x11;
    f.v[FRAME_BTH_ACKREQ] = 1;
    f.v[FRAME_BTH_PSN] = 1;
    f.v[FRAME_RETH_VA] = 0x1000;
    f.v[FRAME_RETH_R_KEY] = 0x1234;
    f.v[FRAME_RETH_LEN] = 8;
    return f;
}

static struct frame answer(uint64_t psn, uint64_t syndrome)
{
    struct frame f = roce(0x248a07000001, 0x248a07000002, 0x6a, 0x0a000002, 0x0a000001);
    f.layers |= FRAME_LAYER(AETH);
    f.v[FRAME_BTH_OPCODE] = FRAME_ACKNOWLEDGE;
    f.v[FRAME_BTH_QPN] = 0x12;
    f.v[FRAME_BTH_PSN] = psn;
    f.v[FRAME_AETH_SYNDROME] = syndrome;
    f.v[FRAME_AETH_MSN] = 1;
    return f;
}

static struct frame ack(void)
{
    return answer(1, 0);
}

static struct frame nak(void)
{
    return answer(5, FRAME_SYNDROME_NAK_SEQUENCE);
}

static struct frame pfc(void)
{
    struct frame f = { .layers = FRAME_LAYER(ETH) | FRAME_LAYER(MACC),
                       .least = 60,
                       .v = { [FRAME_ETH_DST] = 0x0180c2000001,
                              [FRAME_ETH_SRC] = 0x248a07000003,
                              [FRAME_MACC_OPCODE] = 0x0101,
                              [FRAME_MACC_CLASSES] = 1 << 3,
                              [FRAME_MACC_TIME3] = 0xffff } };
    return f;
}

/* ---- the vectors ----------------------------------------------------------------------------- */

const struct frame_vector frame_vectors[FRAME_VECTORS] = {
    { "CNP, captured from a NIC", cnp,
      "e41d2dab2bc27cfe90643b32080045c2003c718c4000401191610a0011010a001201000012b7002800008100ffff"
      "40000118000000000000000000000000000000000000000082fd002a",
      0 },
    { "WRITE ONLY of 8 bytes", write_only,
      "248a07000002248a070000010800456a0044000140004011263c0a0000010a000002c00012b7003000000a40ffff"
      "0000001180000001000000000000100000001234000000080001020304050607cd5d421f",
      0 },
    { "ACK of PSN 1", ack,
      "248a07000001248a070000020800456a003000014000401126500a0000020a000001c00012b7001c00001140ffff"
      "000000120000000100000001c0f35e28",
      0x6162e8d5 },
    { "NAK, PSN 5 expected", nak,
      "248a07000001248a070000020800456a003000014000401126500a0000020a000001c00012b7001c00001140ffff"
      "00000012000000056000000103a2f8e6",
      0x6162e8d5 },
    { "PFC, XOFF for class 3", pfc,
      "0180c2000001248a07000003880801010008000000000000ffff0000000000000000000000000000000000000000"
      "0000000000000000000000000000",
      0xefc85f95 },
};

size_t frame_from_hex(const char *hex, uint8_t *out)
{
    size_t n = 0;
    for (; hex[0] != '\0'; hex += 2) {
        const char two[3] = { hex[0], hex[1], '\0' };
        out[n++] = (uint8_t)strtoul(two, NULL, 16);
    }
    return n;
}

bool frame_vector_holds(const struct frame_vector *vector, const struct frame_sums *sums)
{
    uint8_t want[FRAME_BYTES_MAX / 8], got[FRAME_BYTES_MAX];
    struct frame f = vector->make();
    const size_t size = frame_from_hex(vector->bytes, want);
    if (frame_encode(&f, sums, got) != size || memcmp(got, want, size) != 0) {
        return false;
    }
    const uint32_t fcs = frame_fcs(sums, got, size); /* its lowest byte comes first */
    const uint32_t on_wire = fcs >> 24 | (fcs >> 8 & 0xff00) | (fcs & 0xff00) << 8 | fcs << 24;
    return vector->fcs == 0 || on_wire == vector->fcs;
}
