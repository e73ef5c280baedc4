/*
 * Inside a box: PCIe, NVLink, NICs. Times are closed forms: n packets that take X bytes each on a cable
 * arrive over h equal cables after (n - 1 + h) X tau + h d + (h - 1) latency.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fabric.h"
#include "sim/inside.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static int64_t rate_of(enum sim_link_kind kind, int gen, int lanes)
{
    struct err err = { 0 };
    int64_t rate = 0;
    if (!sim_inside_rate(kind, gen, lanes, &rate, &err)) {
        fail_msg("%s", err.msg);
    }
    return rate;
}

static void box_of(struct sim_scenario *sc, int count, struct sim_box_spec box, const char *mtu)
{
    struct err err = { 0 };
    fabric_init(sc, "box");
    fabric_set(sc, "mtu", mtu);
    fabric_set(sc, "ack_every", "0");
    fabric_set(sc, "inside_latency", "200ns");
    box.delay_ps = box.delay_ps > 0 ? box.delay_ps : UNIT_NS;
    if (!sim_shape_boxes(sc, count, &box, INT64_C(100000000000), 25 * UNIT_NS, &err)) {
        fail_msg("%s", err.msg);
    }
}

/* ---- rates and sizes ------------------------------------------------------------------------- */

static void generations_have_their_rates(void **state)
{
    (void)state;
    static const struct {
        enum sim_link_kind kind;
        int gen, lanes;
        int64_t bytes_per_ms; /* to the megabyte a second */
    } rows[] = {
        { SIM_LINK_PCIE, 1, 16, 4000000 },    { SIM_LINK_PCIE, 2, 16, 8000000 },
        { SIM_LINK_PCIE, 2, 8, 4000000 },     { SIM_LINK_PCIE, 3, 16, 15754000 },
        { SIM_LINK_PCIE, 4, 16, 31508000 },   { SIM_LINK_PCIE, 5, 16, 63015000 },
        { SIM_LINK_PCIE, 6, 16, 121000000 },  { SIM_LINK_NVLINK, 1, 0, 80000000 },
        { SIM_LINK_NVLINK, 2, 0, 150000000 }, { SIM_LINK_NVLINK, 3, 0, 300000000 },
        { SIM_LINK_NVLINK, 4, 0, 450000000 }, { SIM_LINK_NVLINK, 5, 0, 900000000 },
        { SIM_LINK_NVLINK, 4, 1, 25000000 },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        int64_t rate = rate_of(rows[i].kind, rows[i].gen, rows[i].lanes);
        fabric_exactly("MB/s", (rate / 8 + 500000) / 1000000, rows[i].bytes_per_ms / 1000);
    }
    int64_t rate;
    struct err err = { 0 };
    assert_false(sim_inside_rate(SIM_LINK_PCIE, 7, 16, &rate, &err));
    assert_false(sim_inside_rate(SIM_LINK_PCIE, 3, 3, &rate, &err));
    assert_false(sim_inside_rate(SIM_LINK_NVLINK, 4, 19, &rate, &err));
    assert_false(sim_inside_rate(SIM_LINK_FABRIC, 1, 1, &rate, &err));
}

static void packets_have_their_sizes(void **state)
{
    (void)state;
    static const struct {
        enum sim_link_kind kind;
        uint32_t payload, bytes;
    } rows[] = {
        { SIM_LINK_PCIE, 4096, 4480 },   { SIM_LINK_PCIE, 257, 260 + 48 },
        { SIM_LINK_PCIE, 256, 280 },     { SIM_LINK_PCIE, 0, 24 },
        { SIM_LINK_NVLINK, 4096, 4352 }, { SIM_LINK_NVLINK, 1, 32 },
        { SIM_LINK_NVLINK, 0, 16 },      { SIM_LINK_MEMORY, 65, 128 },
        { SIM_LINK_MEMORY, 4096, 4096 }, { SIM_LINK_MEMORY, 0, 64 },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        fabric_exactly(sim_link_kind_word(rows[i].kind),
                       sim_inside_bytes(rows[i].kind, rows[i].payload), rows[i].bytes);
    }
}

/* ---- one message ----------------------------------------------------------------------------- */

static sim_ps time_of(struct sim_scenario *sc, const char *src, const char *dst, int64_t bytes)
{
    fabric_flow(sc, src, dst, bytes, 0);
    struct sim *s = fabric_build(sc);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    sim_ps at = sim_flow_state(s, 0).delivered_at;
    struct err err = { 0 };
    if (!sim_audit(s, &err)) {
        fail_msg("%s", err.msg);
    }
    sim_destroy(s);
    return at;
}

static void pcie_through_the_root(void **state)
{
    (void)state;
    struct sim_scenario sc;
    box_of(&sc, 1, (struct sim_box_spec){ .gpus = 2, .pcie_bps = rate_of(SIM_LINK_PCIE, 2, 16) },
           "4096B");
    /* 8 GB/s: 125 ps a byte */
    fabric_exactly("1 MiB over PCIe 2", time_of(&sc, "g1", "g2", 1 << 20),
                   257 * 4480 * 125 + 2 * UNIT_NS + 200 * UNIT_NS);
}

static void nvlink_is_preferred(void **state)
{
    (void)state;
    struct sim_scenario sc;
    box_of(&sc, 1,
           (struct sim_box_spec){ .gpus = 8,
                                  .pcie_bps = rate_of(SIM_LINK_PCIE, 5, 16),
                                  .nvlink_bps = INT64_C(4000000000000) },
           "4096B");
    /* 500 GB/s: 2 ps a byte */
    fabric_exactly("1 MiB over NVLink", time_of(&sc, "g1", "g8", 1 << 20),
                   257 * 4352 * 2 + 2 * UNIT_NS + 200 * UNIT_NS);
}

static void two_boxes(struct sim_scenario *sc, int64_t pcie_bps)
{
    box_of(sc, 2,
           (struct sim_box_spec){
               .gpus = 2, .nics = 1, .pcie_bps = pcie_bps, .nvlink_bps = INT64_C(4000000000000) },
           "4096B");
}

/* g1 - root1 - nic1 - sw - nic2 - root2 - g3, the fabric being the slowest part of the way. */
static void direct_to_another_box(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_boxes(&sc, INT64_C(400000000000)); /* 20 ps a byte; the fabric has 80 */
    fabric_exactly("1 MiB to another box", time_of(&sc, "g1", "g3", 1 << 20),
                   4 * (4480 * 20 + UNIT_NS + 200 * UNIT_NS) + /* four PCIe cables, 4 nodes */
                       2 * ((4158 + 8) * 80 + 25 * UNIT_NS) +  /* two of the fabric */
                       255 * (4158 + 20) * 80);                /* the others follow */
}

/* ---- slow receivers -------------------------------------------------------------------------- */

/* A host without a box, on the same switch. */
static void add_fast_host(struct sim_scenario *sc)
{
    uint32_t host;
    assert_true(sim_scenario_node(sc, "fast", SIM_HOST, &host, NULL));
    assert_true(sim_scenario_link(sc, host, sim_scenario_find(sc, "sw"), INT64_C(100000000000),
                                  25 * UNIT_NS, NULL));
}

static void a_nic_pauses_its_switch(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_boxes(&sc, INT64_C(40000000000)); /* 200 ps a byte */
    add_fast_host(&sc);
    fabric_flow(&sc, "fast", "g3", INT64_C(1) << 40, 0);
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, UNIT_MS, 0);
    int64_t before = sim_flow_state(s, 0).delivered_bytes;
    (void)sim_run_until(s, 11 * UNIT_MS, 0);
    struct sim_counters count = sim_counters(s);
    uint32_t nic = sim_find_node(s, "nic2");
    fabric_near("payload at the rate of PCIe, bytes",
                (double)(sim_flow_state(s, 0).delivered_bytes - before),
                4096.0 / 4480.0 * 5e9 * 0.01, 4096.0 * 2);
    assert_true(count.xoff_frames > 0);
    assert_int_equal(count.dropped, 0);
    bool held = false;
    for (uint32_t p = sim_node(s, nic).first_port;
         p < sim_node(s, nic).first_port + sim_node(s, nic).port_count; p++) {
        held = held || (sim_port(s, p).kind == SIM_LINK_FABRIC && sim_port_held(s, p).shared > 0);
    }
    assert_true(held);
    sim_destroy(s);
}

/* Without PFC the NIC drops what it has no room for. */
static void a_nic_drops(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_boxes(&sc, INT64_C(40000000000));
    add_fast_host(&sc);
    fabric_set(&sc, "pfc", "off");
    fabric_set(&sc, "queue_cap", "200KB");
    fabric_flow(&sc, "fast", "g3", 10 << 20, 0);
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, 100 * UNIT_US, 0);
    assert_true(sim_counters(s).dropped_by[SIM_REASON_FULL] > 0);
    sim_destroy(s);
}

/* ---- staging --------------------------------------------------------------------------------- */

/* g1 of one box sends `bytes` to g2 of another: PCIe 100 ps a byte, memory 50, fabric 80. */
static struct sim *staged(const char *staging, const char *chunk, int64_t bytes)
{
    struct sim_scenario sc;
    box_of(&sc, 2,
           (struct sim_box_spec){ .gpus = 1,
                                  .nics = 1,
                                  .pcie_bps = INT64_C(80000000000),
                                  .memory_bps = INT64_C(160000000000) },
           "4096B");
    fabric_set(&sc, "staging", staging);
    fabric_set(&sc, "stage_chunk", chunk);
    fabric_flow(&sc, "g1", "g2", bytes, 0);
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    struct err err = { 0 };
    if (!sim_audit(s, &err)) {
        fail_msg("%s", err.msg);
    }
    return s;
}

enum {
    PCIE = 4480 * 100, /* ps a packet */
    MEMORY = 4096 * 50,
    HOP = 201 * 1000,   /* a cable and a node */
    ACK = 64 * 50,      /* out of memory: before what follows there */
    UPDATE_FC = 8 * 100 /* credits for an ACK, in the way of data on PCIe */
};

/* Both end legs: PCIe is the slower of their two cables. */
static sim_ps end_leg(int64_t packets)
{
    return packets * PCIE + MEMORY + HOP + UNIT_NS;
}

/* memory, PCIe, two cables of the fabric, PCIe, memory: the packets after the first follow at PCIe's
 * pace, 448 ns against 334 in the fabric. */
static sim_ps middle_leg(int64_t packets)
{
    const sim_ps fabric = (4158 + 8) * 80 + 25 * UNIT_NS;
    return (packets - 1) * PCIE + 2 * MEMORY + 2 * PCIE + 2 * fabric + 4 * HOP;
}

static void staging_adds_its_legs(void **state)
{
    (void)state;
    struct sim *s = staged("host", "auto", 1 << 20);
    fabric_exactly("1 MiB in three legs, one after the other", sim_flow_state(s, 0).delivered_at,
                   2 * end_leg(256) + middle_leg(256) + 2 * ACK);
    static const char *const names[] = { "g1>g2", "g1>h1", "h1>h2", "h2>g2" };
    assert_int_equal(sim_flow_count(s), LEN(names));
    for (uint32_t f = 0; f < LEN(names); f++) {
        assert_string_equal(sim_flow(s, f).name, names[f]);
        fabric_exactly(names[f], sim_flow_state(s, f).delivered_bytes, 1 << 20);
    }
    /* GPU to root and root to NIC, twice; into memory and out of it, twice */
    fabric_exactly("PCIe", (int64_t)sim_counters(s).crossed[SIM_LINK_PCIE], 4 << 20);
    fabric_exactly("memory", (int64_t)sim_counters(s).crossed[SIM_LINK_MEMORY], 4 << 20);
    sim_destroy(s);
}

/* Chunks of 64 KiB: each leg begins when the first chunk is there. */
static void chunks_overlap(void **state)
{
    (void)state;
    struct sim *s = staged("host", "64KiB", 1 << 20);
    fabric_exactly("1 MiB in chunks", sim_flow_state(s, 0).delivered_at,
                   end_leg(16) + middle_leg(16) + end_leg(16) + 15 * 16 * (sim_ps)PCIE + ACK +
                       16 * UPDATE_FC);
    sim_destroy(s);
}

static void direct_crosses_no_memory(void **state)
{
    (void)state;
    struct sim *s = staged("direct", "auto", 1 << 20);
    const sim_ps fabric = (4158 + 8) * 80 + 25 * UNIT_NS;
    fabric_exactly("1 MiB direct", sim_flow_state(s, 0).delivered_at,
                   255 * PCIE + 4 * PCIE + 2 * fabric + 4 * HOP);
    fabric_exactly("PCIe", (int64_t)sim_counters(s).crossed[SIM_LINK_PCIE], 4 << 20);
    fabric_exactly("memory", (int64_t)sim_counters(s).crossed[SIM_LINK_MEMORY], 0);
    sim_destroy(s);
}

static void an_empty_message_is_staged(void **state)
{
    (void)state;
    struct sim_scenario sc;
    box_of(&sc, 2,
           (struct sim_box_spec){ .gpus = 2,
                                  .nics = 1,
                                  .pcie_bps = INT64_C(80000000000),
                                  .memory_bps = INT64_C(160000000000) },
           "4096B");
    fabric_set(&sc, "staging", "host");
    fabric_set(&sc, "stage_chunk", "4096B");
    const struct sim_requests_spec ask = {
        .count = 5, .clients = 2, .ask_bytes = 0, .answer_bytes = 9000, .gap_ps = UNIT_US
    };
    assert_true(sim_work_requests(&sc, &ask, NULL));
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    sim_destroy(s);
}

static void a_box_without_memory_cannot_stage(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct err err = { 0 };
    two_boxes(&sc, INT64_C(400000000000));
    fabric_set(&sc, "staging", "host");
    fabric_flow(&sc, "g1", "g3", 100, 0);
    assert_false(sim_scenario_check(&sc, &err));
    assert_non_null(strstr(err.msg, "memory"));
    sim_scenario_finish(&sc);
}

/* ---- commands -------------------------------------------------------------------------------- */

static bool accepts(struct sim *s, const char *command)
{
    struct sim_cmd cmd;
    struct err err = { 0 };
    assert_true(sim_cmd_parse(command, &cmd, &err));
    return sim_would_apply(s, &cmd, &err);
}

static void commands_know_boxes(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_boxes(&sc, INT64_C(400000000000));
    fabric_flow(&sc, "g1", "g2", 10 << 20, 0);
    fabric_flow(&sc, "g1", "g3", 10 << 20, 0);
    struct sim *s = fabric_build(&sc);
    assert_false(accepts(s, "storm g1 on")); /* inside a box nobody pauses */
    assert_true(accepts(s, "storm nic1 on"));
    assert_false(accepts(s, "storm sw on"));
    assert_false(accepts(s, "flood g1 on"));
    assert_false(accepts(s, "loss 1% g1>g2")); /* NVLink repairs its losses itself */
    assert_true(accepts(s, "loss 1% g1>g3"));
    assert_true(accepts(s, "kill g1"));
    fabric_do(s, "drop g1>g2:5");
    fabric_do(s, "drop g1>g3:5");
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_int_equal(sim_counters(s).dropped, 2);
    sim_destroy(s);
}

/* A share of the line is one of the NIC's for what leaves the box, of NVLink's for what does not. */
static void a_load_is_of_the_line(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_boxes(&sc, INT64_C(400000000000));
    fabric_flow(&sc, "g1", "g3", 4096, 0);
    fabric_flow(&sc, "g1", "g2", 4096, 0);
    fabric_exactly("half of 100 Gb/s", sim_scenario_gap(&sc, &sc.flows[0], UNIT_ONE / 2),
                   2 * (4158 + 20) * 80);
    fabric_exactly("half of 500 GB/s", sim_scenario_gap(&sc, &sc.flows[1], UNIT_ONE / 2),
                   2 * 4352 * 2);
    sim_scenario_finish(&sc);
}

/* ---- how it ends ----------------------------------------------------------------------------- */

static struct sim *stalled(const char *command, const char *staging)
{
    struct sim_scenario sc;
    box_of(&sc, 2,
           (struct sim_box_spec){ .gpus = 2,
                                  .nics = 1,
                                  .pcie_bps = INT64_C(80000000000),
                                  .memory_bps = INT64_C(160000000000) },
           "4096B");
    fabric_set(&sc, "staging", staging);
    fabric_set(&sc, "timeout_exponent", "4");
    fabric_flow(&sc, "g1", "g3", INT64_C(1) << 30, 0);
    fabric_flow(&sc, "g2", "g4", INT64_C(1) << 30, 0);
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, 10 * UNIT_US, 0);
    fabric_do(s, command);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_STALLED);
    return s;
}

/* A GPU that takes in nothing: its PCIe has no credits, the root and the NIC fill, the switch is
 * paused, and with it the flow to the other GPU. */
static void a_stuck_gpu_stops_its_box(void **state)
{
    (void)state;
    struct sim *s = stalled("slow g3 0", "direct");
    assert_int_equal(sim_stall(s).reason, SIM_REASON_STORM);
    assert_true(sim_counters(s).xoff_frames > 0);
    uint32_t nic = sim_find_node(s, "nic2");
    bool starved = false;
    for (uint32_t p = sim_node(s, nic).first_port; p <= sim_node(s, nic).first_port + 1; p++) {
        starved = starved || sim_port_credit(s, p, SIM_PRIO_DATA).starved;
    }
    assert_true(starved);
    sim_destroy(s);
}

static void a_dead_gpu_is_a_dead_peer(void **state)
{
    (void)state;
    struct sim *s = stalled("kill g3", "direct");
    assert_int_equal(sim_stall(s).reason, SIM_REASON_DEAD_PEER);
    sim_destroy(s);
}

static void a_dead_memory_stops_what_is_staged(void **state)
{
    (void)state;
    struct sim *s = stalled("kill h2", "host");
    assert_int_equal(sim_stall(s).reason, SIM_REASON_DEAD_PEER);
    assert_string_equal(sim_flow(s, sim_stall(s).flow).name, "h1>h2");
    sim_destroy(s);
}

static void what_a_box_needs(void **state)
{
    (void)state;
    static const struct sim_box_spec bad[] = {
        { .gpus = 0, .pcie_bps = 1000000000 },
        { .gpus = 2 },
        { .gpus = 2, .nics = 1, .nvlink_bps = 1000000000 },
        { .gpus = 2, .switches = 3, .pcie_bps = 1000000000 },
        { .gpus = 2, .nics = 65, .pcie_bps = 1000000000 },
    };
    for (size_t i = 0; i < LEN(bad); i++) {
        struct sim_scenario sc;
        struct err err = { 0 };
        sim_scenario_init(&sc, "bad");
        assert_false(sim_shape_boxes(&sc, 1, &bad[i], INT64_C(1000000000), 0, &err));
        assert_true(err.msg[0] != '\0');
        sim_scenario_finish(&sc);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generations_have_their_rates),
        cmocka_unit_test(packets_have_their_sizes),
        cmocka_unit_test(pcie_through_the_root),
        cmocka_unit_test(nvlink_is_preferred),
        cmocka_unit_test(direct_to_another_box),
        cmocka_unit_test(a_nic_pauses_its_switch),
        cmocka_unit_test(a_nic_drops),
        cmocka_unit_test(staging_adds_its_legs),
        cmocka_unit_test(chunks_overlap),
        cmocka_unit_test(direct_crosses_no_memory),
        cmocka_unit_test(an_empty_message_is_staged),
        cmocka_unit_test(a_box_without_memory_cannot_stage),
        cmocka_unit_test(commands_know_boxes),
        cmocka_unit_test(a_load_is_of_the_line),
        cmocka_unit_test(a_stuck_gpu_stops_its_box),
        cmocka_unit_test(a_dead_gpu_is_a_dead_peer),
        cmocka_unit_test(a_dead_memory_stops_what_is_staged),
        cmocka_unit_test(what_a_box_needs),
    };
    return cmocka_run_group_tests_name("boxes", tests, NULL, NULL);
}
