#include "export/probe.h"

#include <string.h>

#include "export/headers.h"
#include "export/pcapng.h"
#include "export/vectors.h"
#include "run/run.h"

enum { EVENTS = 512 };

/* The set-up of row V01. */
static struct run *one_message(void)
{
    struct sim_scenario sc;
    sim_scenario_init(&sc, "capture");
    int64_t *v = sc.knobs.v;
    v[SIM_KNOB_MTU] = 1024;
    v[SIM_KNOB_ACK_EVERY] = 1;
    v[SIM_KNOB_SWITCH_LATENCY] = 500 * UNIT_NS;
    const bool ok = sim_shape_star(&sc, 2, INT64_C(100000000000), 25 * UNIT_NS, NULL) &&
                    sim_scenario_flow(&sc, sim_scenario_find(&sc, "g1"),
                                      sim_scenario_find(&sc, "g2"), 1 << 20, 0, NULL);
    struct run *run = ok ? run_create(&sc, 1, NULL) : NULL;
    sim_scenario_finish(&sc);
    return run;
}

/* Bit by bit, from the bytes alone: Ethernet, IPv4 without options, UDP, BTH (model 1.3). */
static uint32_t plain_icrc(const uint8_t *bytes, size_t size)
{
    enum { IP = 14, UDP = IP + 20, BTH = UDP + 8 };
    static const size_t ones[] = { IP + 1, IP + 8, IP + 10, IP + 11, UDP + 6, UDP + 7, BTH + 4 };
    uint8_t covered[8 + FRAME_BYTES_MAX];
    memcpy(covered, bytes, size);
    for (size_t i = 0; i < sizeof ones / sizeof *ones; i++) {
        covered[ones[i]] = UINT8_MAX;
    }
    memmove(covered + 8, covered + IP, size - IP - 4);
    memset(covered, UINT8_MAX, 8);
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size - IP - 4 + 8; i++) {
        crc ^= covered[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc & 1) != 0 ? crc >> 1 ^ UINT32_C(0xedb88320) : crc >> 1;
        }
    }
    return ~crc;
}

static bool icrc_holds(const uint8_t *bytes, size_t size)
{
    const uint32_t icrc = plain_icrc(bytes, size);
    for (size_t i = 0; i < 4; i++) {
        if (bytes[size - 4 + i] != (icrc >> 8 * i & UINT8_MAX)) {
            return false;
        }
    }
    return true;
}

static uint32_t number_at(const char *block, size_t at)
{
    const unsigned char *p = (const unsigned char *)block + at;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A packet block says what was put into it. */
static bool block_holds(struct text *block, sim_ps at, const uint8_t *bytes, uint32_t size)
{
    enum { TYPE = 0, LENGTH = 4, UPPER = 12, LOWER = 16, KEPT = 20, SIZE = 24, DATA = 28 };
    text_clear(block);
    pcapng_add_packet(
        block, &(struct pcapng_packet){ .at_ps = at, .bytes = bytes, .kept = size, .size = size });
    const char *s = text_str(block);
    const int64_t ns = (int64_t)((uint64_t)number_at(s, UPPER) << 32 | number_at(s, LOWER));
    return block->len % 4 == 0 && number_at(s, TYPE) == 6 && number_at(s, LENGTH) == block->len &&
           number_at(s, block->len - 4) == block->len && ns == at / UNIT_NS &&
           number_at(s, KEPT) == size && number_at(s, SIZE) == size &&
           memcmp(s + DATA, bytes, size) == 0;
}

struct found {
    double frames, length, icrc, block;
};

static void look(struct found *found, const struct run *run, struct headers *headers,
                 const struct frame_sums *sums, struct text *block)
{
    uint8_t bytes[FRAME_BYTES_MAX];
    const struct sim_sent *sent;
    const size_t count = sim_tape_read(run_sim(run), &sent);
    for (size_t i = 0; i < count; i++) {
        headers_learn(headers, &sent[i]);
        struct frame frame = headers_of(headers, &sent[i]);
        const size_t size = frame_encode(&frame, sums, bytes);
        found->frames += 1;
        found->length += size != headers_length(&frame, &sent[i]);
        found->icrc += !icrc_holds(bytes, size);
        found->block += !block_holds(block, sent[i].start, bytes, (uint32_t)size);
    }
}

static void capture(struct sim_probe *probe)
{
    struct frame_sums sums;
    struct found found = { 0 };
    struct text block = { 0 };
    struct run *run = one_message();
    struct headers *headers = run != NULL ? headers_create(run_sim(run), NULL) : NULL;
    frame_sums_init(&sums);
    if (headers != NULL) {
        run_tape(run, true);
        for (bool more = true; more; run_tape_forget(run)) {
            more = run_events(run, EVENTS, UNIT_S) == SIM_AT_TIME && run_now(run) < UNIT_S;
            look(&found, run, headers, &sums, &block);
        }
    }
    double exact = 0;
    for (int i = 0; i < FRAME_VECTORS; i++) {
        exact += frame_vector_holds(&frame_vectors[i], &sums);
    }
    sim_probe_add(probe, "frames", found.frames);
    sim_probe_add(probe, "lengths_differ", found.length);
    sim_probe_add(probe, "icrcs_differ", found.icrc);
    sim_probe_add(probe, "blocks_differ", found.block);
    sim_probe_add(probe, "vectors_exact", exact);
    headers_destroy(headers);
    text_finish(&block);
    run_destroy(run);
}

const struct sim_probe_entry export_probes[] = { { "capture", capture }, { NULL, NULL } };
