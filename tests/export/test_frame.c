/* Frames as bytes: the test vectors of the model (1.3), lengths (1.2), and what the list of fields says
 * about them. The first vector was captured from a NIC; none of them holds an FCS. */
#include "cmocka_rows.h"

#include "export/vectors.h"

static struct frame_sums sums;

static int make_sums(void **state)
{
    (void)state;
    frame_sums_init(&sums);
    return 0;
}

static void vectors_are_byte_exact(void **state)
{
    (void)state;
    for (int i = 0; i < FRAME_VECTORS; i++) {
        if (!frame_vector_holds(&frame_vectors[i], &sums)) {
            fail_msg("%s", frame_vectors[i].name);
        }
    }
}

/* The sample packet of the InfiniBand specification: the order of bits and bytes of both check sums. */
static void infiniband_sample(void **state)
{
    (void)state;
    static const char *const bytes = "7012375c000e17d20a2024870087b1b3000dec2a01710a1c015d400238f27"
                                     "a050000000ebb884d85fd5cfba4728bc0690ed400009625b75a45fa";
    uint8_t want[256], got[FRAME_BYTES_MAX];
    const size_t size = frame_from_hex(bytes, want);
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

/* A bit that is turned over behind the sums: one bit of the frame, and the ICRC stays what it was. */
static void a_wrong_bit_is_one_bit(void **state)
{
    (void)state;
    static const unsigned wrong[] = { FRAME_WRONG(FRAME_IP4_TTL),       FRAME_WRONG(FRAME_IP4_DST),
                                      FRAME_WRONG(FRAME_UDP_DST),       FRAME_WRONG(FRAME_BTH_PSN),
                                      FRAME_WRONG(FRAME_BTH_RESERVED6), FRAME_WRONG_DATA };
    const struct frame whole = { .layers = FRAME_LAYER(ETH) | FRAME_LAYER(IP4) | FRAME_LAYER(UDP) |
                                           FRAME_LAYER(BTH) | FRAME_LAYER(ICRC),
                                 .payload = 8,
                                 .v = { [FRAME_IP4_TTL] = 64, [FRAME_UDP_DST] = FRAME_PORT_ROCE } };
    struct frame f = whole;
    uint8_t right[FRAME_BYTES_MAX], got[FRAME_BYTES_MAX];
    const size_t size = frame_encode(&f, &sums, right);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        f = whole;
        f.wrong = wrong[i];
        assert_int_equal(frame_encode(&f, &sums, got), size);
        int bits = 0;
        for (size_t b = 0; b < size; b++) {
            for (unsigned x = right[b] ^ got[b]; x != 0; x &= x - 1) {
                bits++;
            }
        }
        assert_int_equal(bits, 1);
        assert_memory_equal(right + size - 4, got + size - 4, 4);
        assert_true(f.v[FRAME_UDP_DST] ==
                    FRAME_PORT_ROCE - (wrong[i] == FRAME_WRONG(FRAME_UDP_DST)));
    }
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
    struct frame f = frame_vectors[1].make(); /* WRITE ONLY */
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
        cmocka_unit_test(vectors_are_byte_exact),   cmocka_unit_test(infiniband_sample),
        cmocka_unit_test(a_wrong_bit_is_one_bit),   cmocka_unit_test(fields_cover_the_frame),
        cmocka_unit_test(lists_what_is_in_a_frame),
    };
    size_t n = 5;
    ROWS(tests, n, lengths, is_as_long_as_the_model_says);
    return _cmocka_run_group_tests("frame", tests, n, make_sums, NULL);
}
