/* Frames as bytes: the test vectors of the model (1.3), lengths (1.2), and what the list of fields says
 * about them. The first vector was captured from a NIC; none of them holds an FCS. */
#include "cmocka_rows.h"

#include <stdlib.h>

#include "export/frame.h"

static struct frame_sums sums;

static int make_sums(void **state)
{
    (void)state;
    frame_sums_init(&sums);
    return 0;
}

static size_t from_hex(const char *hex, uint8_t *out)
{
    size_t n = 0;
    for (; hex[0] != '\0'; hex += 2) {
        const char two[3] = { hex[0], hex[1], '\0' };
        out[n++] = (uint8_t)strtoul(two, NULL, 16);
    }
    return n;
}

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

static struct vector {
    const char *name;
    struct frame (*make)(void);
    const char *bytes;
    uint32_t fcs; /* as on the wire; 0: not known */
} vectors[] = {
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

static void is_byte_exact(void **state)
{
    const struct vector *vector = *state;
    uint8_t want[256], got[FRAME_BYTES_MAX];
    struct frame f = vector->make();
    const size_t size = from_hex(vector->bytes, want);
    assert_int_equal(frame_encode(&f, &sums, got), size);
    assert_memory_equal(got, want, size);
    if (vector->fcs != 0) {
        const uint32_t fcs = frame_fcs(&sums, got, size); /* its lowest byte comes first */
        assert_int_equal(fcs >> 24 | (fcs >> 8 & 0xff00) | (fcs & 0xff00) << 8 | fcs << 24,
                         vector->fcs);
    }
}

/* The sample packet of the InfiniBand specification: the order of bits and bytes of both check sums. */
static void infiniband_sample(void **state)
{
    (void)state;
    static const char *const bytes = "7012375c000e17d20a2024870087b1b3000dec2a01710a1c015d400238f27"
                                     "a050000000ebb884d85fd5cfba4728bc0690ed400009625b75a45fa";
    uint8_t want[256], got[FRAME_BYTES_MAX];
    const size_t size = from_hex(bytes, want);
    struct frame f = { .layers = FRAME_LAYER(LRH) | FRAME_LAYER(BTH) | FRAME_LAYER(RETH) |
                                 FRAME_LAYER(ICRC) | FRAME_LAYER(VCRC),
                       .payload = 14,
                       .data = want + 36,
                       .v = { [FRAME_LRH_VL] = 7,
                              [FRAME_LRH_SL] = 1,
                              [FRAME_LRH_DLID] = 0x375c,
                              [FRAME_LRH_SLID] = 0x17d2,
                              [FRAME_BTH_OPCODE] = FRAME_WRITE_ONLY,
                              [FRAME_BTH_P_KEY] = 0x2487,
                              [FRAME_BTH_QPN] = 0x87b1b3,
                              [FRAME_BTH_PSN] = 0x0dec2a,
                              [FRAME_RETH_VA] = 0x01710a1c015d4002,
                              [FRAME_RETH_R_KEY] = 0x38f27a05,
                              [FRAME_RETH_LEN] = 14 } };
    assert_int_equal(frame_encode(&f, &sums, got), size);
    assert_memory_equal(got, want, size);
}

/* ---- lengths --------------------------------------------------------------------------------- */

/* Model 1.2: with FCS on Ethernet, with everything on InfiniBand. */
#define ROCE                                                                                       \
    (FRAME_LAYER(ETH) | FRAME_LAYER(IP4) | FRAME_LAYER(UDP) | FRAME_LAYER(BTH) | FRAME_LAYER(ICRC))
#define TCP    (FRAME_LAYER(ETH) | FRAME_LAYER(IP4) | FRAME_LAYER(TCP))
#define NATIVE (FRAME_LAYER(LRH) | FRAME_LAYER(BTH) | FRAME_LAYER(ICRC) | FRAME_LAYER(VCRC))

static struct length {
    const char *name;
    unsigned layers;
    uint32_t payload, least;
    size_t on_wire; /* FCS included */
} lengths[] = {
    { "RC data: 62 + P", ROCE, 4096, 0, 4158 },
    { "RC data, padded to words", ROCE, 4093, 0, 4158 },
    { "RC WRITE FIRST: 78 + P", ROCE | FRAME_LAYER(RETH), 1024, 0, 1102 },
    { "RC ACK", ROCE | FRAME_LAYER(AETH), 0, 0, 66 },
    { "CNP", ROCE | FRAME_LAYER(CNP), 0, 0, 78 },
    { "VLAN: 4 more", ROCE | FRAME_LAYER(VLAN), 1024, 0, 1090 },
    { "IPv6: 20 more", (ROCE & ~FRAME_LAYER(IP4)) | FRAME_LAYER(IP6), 1024, 0, 1106 },
    { "PFC", FRAME_LAYER(ETH) | FRAME_LAYER(MACC), 0, 60, 64 },
    { "TCP data", TCP, 1460, 60, 1518 },
    { "TCP ACK, padded", TCP, 0, 60, 64 },
    { "InfiniBand data: 26 + P", NATIVE, 4096, 0, 4122 + 4 },
    { "InfiniBand ACK", NATIVE | FRAME_LAYER(AETH), 0, 0, 30 + 4 },
    { "InfiniBand CNP", NATIVE | FRAME_LAYER(CNP), 0, 0, 42 + 4 },
    { "credits", FRAME_LAYER(IB_LINK), 0, 0, 8 + 4 },
};

static void is_as_long_as_the_model_says(void **state)
{
    const struct length *length = *state;
    uint8_t out[FRAME_BYTES_MAX];
    struct frame f = { .layers = length->layers,
                       .payload = length->payload,
                       .least = length->least };
    assert_int_equal(frame_encode(&f, &sums, out) + 4, length->on_wire);
}

/* ---- the list -------------------------------------------------------------------------------- */

static const struct frame_line *line_of(const struct frame_line *lines, size_t count,
                                        enum frame_field field)
{
    for (size_t i = 0; i < count; i++) {
        if (lines[i].field == field) {
            return &lines[i];
        }
    }
    fail_msg("no line for field %d", (int)field);
    return NULL;
}

/* Every byte of a frame belongs to a field, in order. */
static void fields_cover_the_frame(void **state)
{
    (void)state;
    uint8_t out[FRAME_BYTES_MAX];
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        struct frame f = { .layers = lengths[i].layers,
                           .payload = lengths[i].payload,
                           .least = lengths[i].least };
        struct frame_line lines[FRAME_LINES_MAX];
        const size_t size = frame_encode(&f, &sums, out);
        const size_t count = frame_list(&f, lines);
        size_t bit = 0;
        for (size_t k = 0; k < count; k++) {
            assert_int_equal(lines[k].offset * 8 + lines[k].bit, bit);
            bit += lines[k].bits > 0 ? lines[k].bits : lines[k].length * 8;
        }
        assert_int_equal(bit, size * 8);
    }
}

static void lists_what_is_in_a_frame(void **state)
{
    (void)state;
    uint8_t out[FRAME_BYTES_MAX];
    struct frame_line lines[FRAME_LINES_MAX];
    struct frame f = write_only();
    (void)frame_encode(&f, &sums, out);
    const size_t count = frame_list(&f, lines);
    const struct frame_line *line = line_of(lines, count, FRAME_BTH_OPCODE);
    assert_string_equal(line->text, "RC - RDMA WRITE Only (10)");
    assert_string_equal(line->filter, "infiniband.bth.opcode");
    assert_string_equal(frame_layer_name(line->layer), "Base Transport Header");
    assert_int_equal(line->offset, 42);
    assert_int_equal(line->length, 1);
    assert_string_equal(line_of(lines, count, FRAME_IP4_SRC)->text, "10.0.0.1");
    assert_string_equal(line_of(lines, count, FRAME_ETH_DST)->text, "24:8a:07:00:00:02");
    assert_string_equal(line_of(lines, count, FRAME_ETH_TYPE)->text, "IPv4 (2048)");
    assert_string_equal(line_of(lines, count, FRAME_IP4_DF)->text, "Set");
    assert_string_equal(line_of(lines, count, FRAME_RETH_VA)->text, "0x0000000000001000");
    line = line_of(lines, count, FRAME_BTH_ACKREQ);
    assert_string_equal(line->text, "Set");
    assert_int_equal(line->bit, 0);
    assert_int_equal(line->bits, 1);
}

int main(void)
{
    struct CMUnitTest tests[64] = {
        cmocka_unit_test(infiniband_sample),
        cmocka_unit_test(fields_cover_the_frame),
        cmocka_unit_test(lists_what_is_in_a_frame),
    };
    size_t n = 3;
    ROWS(tests, n, vectors, is_byte_exact);
    ROWS(tests, n, lengths, is_as_long_as_the_model_says);
    return _cmocka_run_group_tests("frame", tests, n, make_sums, NULL);
}
