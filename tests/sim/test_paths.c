/*
 * Which way packets take: hashes, the shorter queue, loops, several queue pairs, pinned flows, flowlets,
 * links that go down and come up.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fabric.h"
#include "sim/world.h" /* white box: how a message is split, what a switch remembers */

#define LEN(array) (sizeof(array) / sizeof *(array))

/* Two leaves with `hosts` each and so many spines, 100 Gb/s, 25 ns a cable. */
static void two_leaves(struct sim_scenario *sc, int hosts, int spines)
{
    const struct sim_shape_tier shape = { .leaves = 2,
                                          .spines = spines,
                                          .hosts_per_leaf = hosts,
                                          .rate_bps = INT64_C(100000000000),
                                          .delay_ps = 25 * UNIT_NS };
    fabric_init(sc, "paths");
    assert_true(sim_shape_leaf_spine(sc, &shape, NULL));
}

/* ---- queue pairs ----------------------------------------------------------------------------- */

static void parts_are_even(void **state)
{
    (void)state;
    static const struct {
        int64_t bytes;
        uint32_t pairs, pair;
        int64_t part;
    } rows[] = {
        { 1000, 1, 0, 1000 },                       /* one carries all, to the byte */
        { 4096, 4, 0, 1024 }, { 4096, 4, 3, 1024 }, /* even */
        { 4097, 4, 0, 1152 }, { 4097, 4, 3, 641 },  /* in multiples of 128, the last the rest */
        { 300, 4, 0, 128 },   { 300, 4, 2, 44 },    /* too small to be divided */
        { 300, 4, 3, 0 },     { 0, 3, 2, 0 },       { INT64_C(1) << 42, 64, 63, INT64_C(1) << 36 },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        assert_int_equal(sim_part_bytes(rows[i].bytes, rows[i].pairs, rows[i].pair), rows[i].part);
    }
    for (int64_t bytes = 0; bytes < 100000; bytes += 77) {
        for (uint32_t pairs = 1; pairs <= 64; pairs += 7) {
            int64_t sum = 0;
            for (uint32_t k = 0; k < pairs; k++) {
                sum += sim_part_bytes(bytes, pairs, k);
            }
            assert_int_equal(sum, bytes);
        }
    }
}

/* Both are there and know what they are; there is no third. */
static void queue_pairs_have_names(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_leaves(&sc, 2, 2);
    fabric_set(&sc, "queue_pairs", "2");
    fabric_flow(&sc, "g1", "g3", 5000, 0);
    fabric_flow(&sc, "g1", "g3", 900, 0); /* a second connection between the same two */
    struct sim *s = fabric_build(&sc);
    static const struct {
        const char *name;
        uint32_t lead;
        int64_t bytes;
    } rows[] = {
        { "g1>g3", 0, 2560 }, { "g1>g3/2", 0, 2440 }, { "g1>g3/3", 2, 512 }, { "g1>g3/4", 2, 388 }
    };
    assert_int_equal(sim_flow_count(s), LEN(rows));
    for (uint32_t i = 0; i < LEN(rows); i++) {
        assert_int_equal(sim_find_flow(s, rows[i].name), i);
        assert_int_equal(sim_flow(s, i).lead, rows[i].lead);
        assert_int_equal(sim_flow(s, i).pairs, 2);
        assert_int_equal(sim_flow(s, i).bytes, rows[i].bytes);
    }
    fabric_do(s, "drop g1>g3/2:1");
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_int_equal(sim_flow_state(s, 0).dropped, 0);
    assert_int_equal(sim_flow_state(s, 1).dropped, 1);
    sim_destroy(s);
}

/* A training step in every collective, with every transport: the same bytes arrive whatever the
 * number of queue pairs, and the books balance. */
static void bytes_do_not_depend_on_queue_pairs(void **state)
{
    (void)state;
    static const char *const transports[] = { "go_back_n", "go_back_0", "selective", "tcp" };
    static const char *const collectives[] = { "ring",        "tree",
                                               "double_tree", "halving_doubling",
                                               "all_to_all",  "parameter_server",
                                               "hierarchical" };
    static const char *const pairs[] = { "1", "2", "5" };
    for (size_t i = 0; i < LEN(transports) * LEN(collectives); i++) {
        int64_t sum[LEN(pairs)] = { 0 };
        for (size_t k = 0; k < LEN(pairs); k++) {
            struct sim_scenario sc;
            struct sim_training_spec t = { .bytes = 50000, .bucket_bytes = 20000, .steps = 2 };
            struct err err = { 0 };
            two_leaves(&sc, 2, 2);
            fabric_set(&sc, "transport", transports[i % LEN(transports)]);
            fabric_set(&sc, "collective", collectives[i / LEN(transports)]);
            fabric_set(&sc, "routing", "ecmp");
            fabric_set(&sc, "admission", i % 2 == 0 ? "0" : "1");
            fabric_set(&sc, "group", "2");
            fabric_set(&sc, "round_trigger", i % 3 == 0 ? "acked" : "received");
            fabric_set(&sc, "queue_pairs", pairs[k]);
            assert_true(sim_scenario_training(&sc, &t, NULL));
            struct sim *s = fabric_build(&sc);
            fabric_do(s, "drop_nth 41");
            fabric_finish(s, 100 * UNIT_S);
            if (sim_outcome(s) != SIM_DONE || !sim_audit(s, &err)) {
                fail_msg("%s over %s, %s queue pairs: %s", collectives[i / LEN(transports)],
                         transports[i % LEN(transports)], pairs[k], err.msg);
            }
            for (uint32_t f = 0; f < sim_flow_count(s); f++) {
                sum[k] += sim_flow_state(s, f).delivered_bytes;
            }
            sim_destroy(s);
        }
        assert_true(sum[0] > 0);
        assert_int_equal(sum[1], sum[0]);
        assert_int_equal(sum[2], sum[0]);
    }
}

/* The request is complete, and answered, when the slower of its queue pairs is. */
static void a_message_is_complete_when_all_parts_are(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_leaves(&sc, 2, 2);
    fabric_set(&sc, "queue_pairs", "2");
    fabric_set(&sc, "timeout_exponent", "8");
    fabric_flow(&sc, "g1", "g3", 8192, 0);
    fabric_flow(&sc, "g3", "g1", 1000, 0);
    sc.flows[1].replies = true;
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "drop g1>g3/2 last"); /* repaired by its timer, 1.05 ms later */
    fabric_finish(s, UNIT_S);
    const sim_ps first = sim_flow_state(s, 0).delivered_at;
    const sim_ps second = sim_flow_state(s, 1).delivered_at;
    assert_true(first < 10 * UNIT_US);
    assert_true(second > UNIT_MS);
    assert_true(sim_flow_state(s, 2).start >= second);
    assert_true(sim_flow_state(s, 2).start < second + UNIT_US);
    sim_destroy(s);
}

/* Which of its queue pairs a GPU waits for is said. */
static void why_names_the_queue_pair(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct sim_training_spec t = { .bytes = 64 << 10, .steps = 1 };
    two_leaves(&sc, 2, 2);
    fabric_set(&sc, "queue_pairs", "4");
    assert_true(sim_scenario_training(&sc, &t, NULL));
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "drop g1>g2/3 last");
    (void)sim_run_until(s, UNIT_MS, 0);
    struct sim_why chain[16];
    const size_t n = sim_why(s, 1, chain, LEN(chain));
    bool timer = false;
    for (size_t i = 0; i < n; i++) {
        timer = timer ||
                (chain[i].kind == SIM_WHY_TIMER && chain[i].flow == sim_find_flow(s, "g1>g2/3"));
    }
    assert_true(timer);
    assert_int_equal(sim_rank(s, 1).flow_in, sim_find_flow(s, "g1>g2/3"));
    sim_destroy(s);
}

/* ---- pins ------------------------------------------------------------------------------------ */

/* Time that a leaf's port toward a spine was busy. */
static sim_ps busy(const struct sim *s, const char *leaf, int hosts, int spine)
{
    char name[32];
    (void)snprintf(name, sizeof name, "%s:%d", leaf, hosts + spine);
    return sim_port_busy_ps(s, sim_find_port(s, name));
}

static void pin(struct sim_scenario *sc, const char *flow, const char *via)
{
    struct err err = { 0 };
    if (!sim_scenario_pin(sc, flow, sim_scenario_find(sc, via), &err)) {
        fail_msg("%s", err.msg);
    }
}

/* Data and ACKs keep to the spine, whatever routing says; what is not pinned does not care. */
static void a_pinned_flow_keeps_to_its_path(void **state)
{
    (void)state;
    static const char *const routings[] = { "dmodk",    "ecmp",    "spray",
                                            "adaptive", "flowlet", "in_turn" };
    for (size_t i = 0; i < LEN(routings); i++) {
        struct sim_scenario sc;
        two_leaves(&sc, 2, 3);
        fabric_set(&sc, "routing", routings[i]);
        fabric_set(&sc, "queue_pairs", "2");
        fabric_flow(&sc, "g1", "g3", 500000, 0);
        pin(&sc, "g1>g3", "spine2");
        pin(&sc, "g1>g3/2", "spine2");
        struct sim *s = fabric_build(&sc);
        fabric_finish(s, UNIT_S);
        assert_int_equal(sim_outcome(s), SIM_DONE);
        assert_true(busy(s, "leaf1", 2, 2) > 40 * UNIT_US);
        assert_true(busy(s, "leaf2", 2, 2) > UNIT_US);
        for (int spine = 1; spine <= 3; spine += 2) {
            assert_int_equal(busy(s, "leaf1", 2, spine), 0);
            assert_int_equal(busy(s, "leaf2", 2, spine), 0);
        }
        sim_destroy(s);
    }
}

/* The flows of a collective, too; each queue pair has a pin of its own. */
static void a_ring_is_pinned(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct sim_training_spec t = { .bytes = 1 << 20, .steps = 1 };
    two_leaves(&sc, 2, 2);
    fabric_set(&sc, "routing", "ecmp");
    assert_true(sim_scenario_training(&sc, &t, NULL));
    pin(&sc, "g2>g3", "spine1");
    pin(&sc, "g4>g1", "spine2");
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    /* of what a flow sends, its ACKs are less than a tenth */
    assert_true(busy(s, "leaf1", 2, 1) > 10 * busy(s, "leaf1", 2, 2));
    assert_true(busy(s, "leaf2", 2, 2) > 10 * busy(s, "leaf2", 2, 1));
    sim_destroy(s);
}

/* What is copied through host memories is pinned by the name of the whole way. */
static void a_staged_flow_is_pinned(void **state)
{
    (void)state;
    static const char *const staging[] = { "direct", "host" };
    for (size_t i = 0; i < LEN(staging); i++) {
        const struct sim_box_spec box = { .gpus = 1,
                                          .nics = 1,
                                          .pcie_bps = INT64_C(80000000000),
                                          .memory_bps = INT64_C(160000000000),
                                          .delay_ps = UNIT_NS };
        struct sim_scenario sc;
        fabric_init(&sc, "paths");
        uint32_t leaf[2], nics[SIM_BOX_MAX];
        for (int k = 0; k < 2; k++) {
            assert_true(sim_shape_box(&sc, k + 1, &box, nics, NULL));
            assert_true(
                sim_scenario_node(&sc, k == 0 ? "leaf1" : "leaf2", SIM_SWITCH, &leaf[k], NULL));
            assert_true(sim_scenario_link(&sc, nics[0], leaf[k], INT64_C(100000000000), 0, NULL));
        }
        for (int k = 1; k <= 3; k++) {
            char name[16];
            uint32_t spine;
            (void)snprintf(name, sizeof name, "spine%d", k);
            assert_true(sim_scenario_node(&sc, name, SIM_SWITCH, &spine, NULL));
            for (int side = 0; side < 2; side++) {
                assert_true(
                    sim_scenario_link(&sc, leaf[side], spine, INT64_C(100000000000), 0, NULL));
            }
        }
        fabric_set(&sc, "routing", "spray");
        fabric_set(&sc, "staging", staging[i]);
        fabric_flow(&sc, "g1", "g2", 1 << 20, 0);
        pin(&sc, "g1>g2", "spine3");
        struct sim *s = fabric_build(&sc);
        fabric_finish(s, UNIT_S);
        assert_int_equal(sim_outcome(s), SIM_DONE);
        assert_true(busy(s, "leaf1", 1, 3) > 80 * UNIT_US);
        assert_int_equal(busy(s, "leaf1", 1, 1) + busy(s, "leaf1", 1, 2), 0);
        assert_int_equal(busy(s, "leaf2", 1, 1) + busy(s, "leaf2", 1, 2), 0);
        sim_destroy(s);
    }
}

static void wrong_pins_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *flow, *via, *says;
    } rows[] = {
        { "g1>g9", "spine1", "no flow g1>g9; did you mean g1>g3?" },
        { "g1>g3/2", "spine1", "no flow g1>g3/2; did you mean g1>g3?" },
        { "g1>g3", "leaf9", "does not come by leaf9; did you mean leaf1?" },
        { "g1g3", "spine1", "write SRC>DST" },
        { "g1>g3", "g2", "pinned to a switch" },
        { "g1>g3", "nowhere", "pinned to a switch" },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_scenario sc;
        struct err err = { 0 };
        uint32_t host, far;
        two_leaves(&sc, 2, 2);
        assert_true(sim_scenario_node(&sc, "leaf9", SIM_SWITCH, &far, NULL));
        assert_true(sim_scenario_node(&sc, "far", SIM_HOST, &host, NULL));
        assert_true(sim_scenario_link(&sc, host, far, INT64_C(1000000000), 0, NULL));
        fabric_flow(&sc, "g1", "g3", 5000, 0);
        const bool ok =
            sim_scenario_pin(&sc, rows[i].flow, sim_scenario_find(&sc, rows[i].via), &err) &&
            sim_scenario_check(&sc, &err);
        if (ok || strstr(err.msg, rows[i].says) == NULL) {
            fail_msg("%s via %s: \"%s\" does not say %s", rows[i].flow, rows[i].via, err.msg,
                     rows[i].says);
        }
        sim_scenario_finish(&sc);
    }
}

/* ---- flowlets -------------------------------------------------------------------------------- */

/* One flow of 64 bursts of ten packets each, a burst every `gap`. */
static struct sim *bursts(const char *gap, const char *threshold)
{
    struct sim_scenario sc;
    two_leaves(&sc, 1, 8);
    fabric_set(&sc, "routing", "flowlet");
    fabric_set(&sc, "flowlet_gap", threshold);
    fabric_flow(&sc, "g1", "g2", 10240, 0);
    assert_true(units_parse(gap, UNIT_TIME, &sc.flows[0].gap_ps, NULL));
    sc.flows[0].messages = 64;
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    return s;
}

static int spines_used(const struct sim *s, const char *leaf)
{
    int used = 0;
    for (int spine = 1; spine <= 8; spine++) {
        used += busy(s, leaf, 1, spine) > 0;
    }
    return used;
}

/* In turn: of 64 packets each of eight spines gets eight, of the ACKs as many. */
static void packets_take_turns(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_leaves(&sc, 1, 8);
    fabric_set(&sc, "routing", "in_turn");
    fabric_set(&sc, "ack_every", "1");
    fabric_flow(&sc, "g1", "g2", 64 * 1024, 0);
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_int_equal(sim_counters(s).sent, 64);
    for (int spine = 1; spine <= 8; spine++) {
        assert_int_equal(busy(s, "leaf1", 1, spine), 8 * INT64_C(1106) * 80);
        assert_int_equal(busy(s, "leaf2", 1, spine), busy(s, "leaf2", 1, 1));
    }
    sim_destroy(s);
}

/* The highest queue toward the spines, of eight flows that leave a leaf together. */
static int64_t peak_with(const char *choices)
{
    struct sim_scenario sc;
    two_leaves(&sc, 8, 8);
    fabric_set(&sc, "routing", "adaptive");
    fabric_set(&sc, "adaptive_choices", choices);
    fabric_set(&sc, "transport", "selective");
    fabric_set(&sc, "reorder_window", "1ms");
    fabric_set(&sc, "buffer", "64KB"); /* its first step is three packets */
    fabric_set(&sc, "flow_control", "none");
    char src[8], dst[8];
    for (int i = 1; i <= 8; i++) {
        (void)snprintf(src, sizeof src, "g%d", i);
        (void)snprintf(dst, sizeof dst, "g%d", i + 8);
        fabric_flow(&sc, src, dst, 1000 * 1024, 0);
    }
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    int64_t peak = 0;
    for (int spine = 1; spine <= 8; spine++) {
        char name[16];
        (void)snprintf(name, sizeof name, "leaf1:%d", 8 + spine);
        const int64_t most = sim_port_queue(s, sim_find_port(s, name)).max_bytes;
        peak = most > peak ? most : peak;
    }
    sim_destroy(s);
    return peak;
}

/* Two that are drawn are nearly as good as all, and much better than one. */
static void two_choices_are_enough(void **state)
{
    (void)state;
    const int64_t one = peak_with("1");
    const int64_t two = peak_with("2");
    const int64_t all = peak_with("0");
    print_message("# %lld, %lld, %lld bytes\n", (long long)one, (long long)two, (long long)all);
    assert_true(all <= two && two < one);
    assert_true(one - two > 2 * (two - all));
    assert_int_equal(peak_with("8"), all);
}

/* Ten packets of 1086 bytes take 10 x 1106 x 80 ps = 884.8 ns; between two bursts there are ten
 * slots less. */
static void a_flow_moves_after_a_silence(void **state)
{
    (void)state;
    enum { NS = 1000, SLOT = 1106 * 80, SILENCE = 60000 * NS - 9 * SLOT };
    static const struct {
        const char *threshold;
        uint32_t flowlets;
    } rows[] = {
        { "0ns", 640 },       /* every packet is one */
        { "50us", 64 },       /* every burst */
        { "59203679ps", 64 }, /* just shorter than the silence */
        { "59203680ps", 1 },  /* as long: that is not longer */
        { "1ms", 1 },
    };
    assert_int_equal(SILENCE, 59203680);
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim *s = bursts("60us", rows[i].threshold);
        const int used = spines_used(s, "leaf1");
        print_message("# threshold %s: %d spines used\n", rows[i].threshold, used);
        assert_int_equal(s->config->flowlet_count, 2); /* there and back, one leaf each */
        assert_int_equal(s->flowlets[0].number, rows[i].flowlets);
        assert_int_equal(used, rows[i].flowlets == 1 ? 1 : 8);
        assert_int_equal(spines_used(s, "leaf2"), used > 1 ? 8 : 1); /* its ACKs likewise */
        assert_int_equal(sim_counters(s).naks, 0);
        sim_destroy(s);
    }
}

/* The threshold is live. */
static void a_threshold_is_lowered(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_leaves(&sc, 1, 8);
    fabric_set(&sc, "routing", "flowlet");
    fabric_flow(&sc, "g1", "g2", 1024, 0);
    sc.flows[0].gap_ps = 20 * UNIT_US;
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, UNIT_MS, 0);
    assert_int_equal(spines_used(s, "leaf1"), 1);
    fabric_do(s, "set flowlet_gap 10us");
    (void)sim_run_until(s, 3 * UNIT_MS, 0);
    assert_int_equal(spines_used(s, "leaf1"), 8);
    sim_destroy(s);
}

/* ---- links down and up ----------------------------------------------------------------------- */

/* A packet every 10 us for ever, over one of four spines; the switches know of a cut `reroute`
 * later. */
static struct sim *stream(const char *routing, uint32_t *uplink)
{
    struct sim_scenario sc;
    two_leaves(&sc, 1, 4);
    fabric_set(&sc, "routing", routing);
    fabric_flow(&sc, "g1", "g2", 1024, 0);
    sc.flows[0].gap_ps = 10 * UNIT_US;
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, UNIT_MS, 0);
    *uplink = SIM_NONE;
    for (uint32_t p = 0; p < sim_port_count(s); p++) {
        const char *name = sim_port(s, p).name;
        if (strncmp(name, "leaf1:", 6) == 0 && strcmp(name, "leaf1:1") != 0 &&
            sim_port_busy_ps(s, p) > 0) {
            *uplink = p;
        }
    }
    assert_true(*uplink != SIM_NONE);
    return s;
}

static void cut(struct sim *s, uint32_t port, const char *how, sim_ps at)
{
    struct sim_cmd cmd;
    char text[64];
    (void)snprintf(text, sizeof text, "link %s %s", sim_port(s, port).name, how);
    assert_true(sim_cmd_parse(text, &cmd, NULL));
    assert_true(sim_apply(s, at, &cmd, NULL));
}

/* First and last packet that the cut cable swallows. */
static void swallowed(const struct sim *s, uint64_t *cursor, sim_ps *first, sim_ps *last)
{
    struct sim_record rec;
    *first = SIM_NEVER;
    *last = 0;
    while (sim_trace_read(s, cursor, &rec, 1) == 1) {
        if (rec.kind == SIM_TRACE_DROP && rec.reason == SIM_REASON_LINK_DOWN) {
            *first = rec.t < *first ? rec.t : *first;
            *last = rec.t;
        }
    }
}

static void a_cut_link_swallows_until_rerouted(void **state)
{
    (void)state;
    static const char *const routings[] = { "dmodk", "ecmp", "flowlet" };
    for (size_t i = 0; i < LEN(routings); i++) {
        uint32_t uplink;
        uint64_t cursor = 0;
        sim_ps first, last;
        struct sim *s = stream(routings[i], &uplink);
        const sim_ps down = 2 * UNIT_MS;
        const sim_ps rerouted = down + 50 * UNIT_MS; /* the default */
        cut(s, uplink, "down", down);
        (void)sim_run_until(s, rerouted + 20 * UNIT_MS + 7 * UNIT_US, 0);
        swallowed(s, &cursor, &first, &last);
        assert_true(first >= down && first < down + 10 * UNIT_US);
        assert_true(last > rerouted - 10 * UNIT_US && last < rerouted);
        /* the timer, 16.8 ms at the latest, brings back what was swallowed; all else goes round */
        const struct sim_flow_state flow = sim_flow_state(s, 0);
        assert_true(flow.delivered_at > rerouted + 19 * UNIT_MS);
        assert_int_equal(flow.una, flow.end);

        /* up again: the packet after that takes the old way */
        const sim_ps up = rerouted + 30 * UNIT_MS;
        const sim_ps before = sim_port_busy_ps(s, uplink);
        cut(s, uplink, "up", up);
        (void)sim_run_until(s, up + 15 * UNIT_US, 0);
        assert_true(sim_port_busy_ps(s, uplink) > before);
        (void)sim_run_until(s, up + 5 * UNIT_MS + 7 * UNIT_US, 0);
        assert_int_equal(sim_flow_state(s, 0).una, sim_flow_state(s, 0).end);
        swallowed(s, &cursor, &first, &last);
        assert_int_equal(first, SIM_NEVER);
        sim_destroy(s);
    }
}

/* Where each packet chooses, the cut way gets its share until the switches know, then none. */
static void packets_avoid_a_cut_link(void **state)
{
    (void)state;
    static const char *const routings[] = { "spray", "adaptive" };
    for (size_t i = 0; i < LEN(routings); i++) {
        uint32_t uplink;
        uint64_t cursor = 0;
        sim_ps first, last;
        struct sim *s = stream(routings[i], &uplink);
        cut(s, uplink, "down", 2 * UNIT_MS);
        (void)sim_run_until(s, 80 * UNIT_MS, 0);
        swallowed(s, &cursor, &first, &last);
        assert_true(first < 2 * UNIT_MS + 300 * UNIT_US);
        assert_true(last > 51 * UNIT_MS && last <= 52 * UNIT_MS);
        sim_destroy(s);
    }
}

/* Each cut waits for its own `reroute`, however it came up and went down before. */
static void a_flapping_link_swallows_anew(void **state)
{
    (void)state;
    uint32_t uplink;
    uint64_t cursor = 0;
    sim_ps first, last;
    struct sim *s = stream("ecmp", &uplink);
    cut(s, uplink, "down", 2 * UNIT_MS);
    cut(s, uplink, "up", 12 * UNIT_MS);
    (void)sim_run_until(s, 40 * UNIT_MS, 0);
    swallowed(s, &cursor, &first, &last);
    assert_true(last <= 12 * UNIT_MS);
    cut(s, uplink, "down", 42 * UNIT_MS);
    (void)sim_run_until(s, 120 * UNIT_MS, 0);
    swallowed(s, &cursor, &first, &last);
    assert_true(first >= 42 * UNIT_MS);
    assert_true(last > 92 * UNIT_MS - 10 * UNIT_US && last < 92 * UNIT_MS);
    sim_destroy(s);
}

/* A pin gives way to a cut. */
static void a_pinned_flow_goes_round(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_leaves(&sc, 1, 2);
    fabric_set(&sc, "reroute", "1ms");
    fabric_flow(&sc, "g1", "g2", 1 << 20, 0);
    pin(&sc, "g1>g2", "spine2");
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "link leaf1:3 down");
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_true(sim_done_at(s) > UNIT_MS);
    assert_true(busy(s, "leaf1", 1, 1) > 80 * UNIT_US);
    sim_destroy(s);
}

/* What would have gone by a lost cable goes by all others, not by the next one. */
static void the_lost_share_is_spread(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_leaves(&sc, 1, 4);
    fabric_set(&sc, "reroute", "1us");
    fabric_set(&sc, "routing", "spray");
    fabric_set(&sc, "transport", "selective");
    fabric_set(&sc, "reorder_window", "1ms");
    fabric_flow(&sc, "g1", "g2", 4 << 20, 0);
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "link leaf1:2 down");
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    sim_ps all = 0;
    for (int spine = 2; spine <= 4; spine++) {
        all += busy(s, "leaf1", 1, spine);
    }
    for (int spine = 2; spine <= 4; spine++) {
        const sim_ps one = busy(s, "leaf1", 1, spine);
        assert_true(one > all / 4 &&
                    one < all * 5 / 12); /* a third, give or take a quarter of it */
    }
    sim_destroy(s);
}

/* Flowlets are counted where there is a choice. A switch without one asks for none, cut cables or not. */
static void flowlets_pass_a_switch_without_choice(void **state)
{
    (void)state;
    struct sim_scenario sc;
    two_leaves(&sc, 1, 2);
    fabric_set(&sc, "reroute", "1us");
    fabric_set(&sc, "routing", "flowlet");
    fabric_flow(&sc, "g1", "g2", 1 << 20, 0);
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "link leaf1:2 down");
    fabric_finish(s, UNIT_S); /* the spines have one way down */
    assert_int_equal(sim_outcome(s), SIM_DONE);
    sim_destroy(s);
}

/* ---- choices --------------------------------------------------------------------------------- */

/* In a loop a packet makes as many hops between switches as its TTL says. */
static void a_looping_packet_wears_out(void **state)
{
    (void)state;
    static const char *const ttls[] = { "1", "2", "7", "8", "9", "64", "253" };
    for (size_t i = 0; i < LEN(ttls); i++) {
        static const char *const rates[] = { "40Gbps", "40Gbps", "40Gbps" };
        struct sim_scenario sc;
        struct err err = { 0 };
        fabric_init(&sc, "loop");
        fabric_set(&sc, "ttl", ttls[i]);
        fabric_chain(&sc, rates, 3);
        const uint32_t s1 = sim_scenario_find(&sc, "s1");
        const uint32_t s2 = sim_scenario_find(&sc, "s2");
        const uint32_t g2 = sim_scenario_find(&sc, "g2");
        assert_true(sim_scenario_route(&sc, s1, g2, s2, &err));
        assert_true(sim_scenario_route(&sc, s2, g2, s1, &err));
        fabric_flow(&sc, "g1", "g2", 1000, 0);
        struct sim *s = fabric_build(&sc);
        (void)sim_run_until(s, UNIT_MS, 0);
        assert_int_equal(sim_counters(s).dropped_by[SIM_REASON_TTL], 1);
        assert_int_equal(sim_counters(s).hops, 1 + strtoul(ttls[i], NULL, 10));
        sim_destroy(s);
    }
}

/* Ways from tier 2 to tier 3 of a fat tree of 128 hosts that carry any of 128 flows; there are 128, too. */
static int ways_to_the_cores(const char *seed)
{
    struct sim_scenario sc;
    fabric_init(&sc, "hash");
    fabric_set(&sc, "routing", "ecmp");
    fabric_set(&sc, "ecmp_seed", seed);
    assert_true(sim_shape_fat_tree(&sc, 8, INT64_C(100000000000), 25 * UNIT_NS, NULL));
    for (int i = 1; i <= 128; i++) {
        char src[16], dst[16];
        (void)snprintf(src, sizeof src, "g%d", i);
        (void)snprintf(dst, sizeof dst, "g%d", 1 + (i + 63) % 128);
        fabric_flow(&sc, src, dst, 1000, 0);
    }
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    int used = 0;
    for (uint32_t p = 0; p < sim_port_count(s); p++) {
        const struct sim_port_info port = sim_port(s, p);
        const char *to = sim_node(s, sim_port(s, port.peer).node).name;
        const bool up = strncmp(port.name, "agg", 3) == 0 && strncmp(to, "core", 4) == 0;
        /* an ACK keeps it busy for less than that */
        used += up && sim_port_busy_ps(s, p) >= 1000 * 80;
    }
    sim_destroy(s);
    return used;
}

/* Each switch hashes with a number of its own: if all have the same (polarisation), a tier chooses what
 * the tier before it has chosen, and of four ways up three stay empty. */
static void switches_hash_apart(void **state)
{
    (void)state;
    const int own = ways_to_the_cores("own");
    const int same = ways_to_the_cores("same");
    print_message("# of 128 ways from tier 2 to 3 %d are used, %d with one seed\n", own, same);
    assert_in_range(own, 65, 100); /* 128 (1 - 1/e) = 81 are expected */
    assert_in_range(same, 24, 32); /* one of four for each switch, if anything comes by there */
}

/* Two flows fill the way by spine1; the packets of a third see it, or do not look. */
static void the_shorter_queue_is_taken(void **state)
{
    (void)state;
    static const struct {
        const char *routing, *buffer;
        int least, most; /* permille of the third flow that go by spine2 */
    } rows[] = {
        { "spray", "2000000B", 450, 550 },
        { "adaptive", "2000000B", 900, 1000 },
        { "adaptive", "60000000B", 450, 550 }, /* the first step, 5 %, is not reached */
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_scenario sc;
        two_leaves(&sc, 3, 2);
        fabric_set(&sc, "routing", rows[i].routing);
        fabric_set(&sc, "buffer", rows[i].buffer);
        fabric_set(&sc, "xoff", "400000B");
        fabric_set(&sc, "xon", "auto");
        fabric_set(&sc, "transport", "selective");
        fabric_set(&sc, "reorder_window", "1ms");
        fabric_flow(&sc, "g1", "g4", 8 << 20, 0);
        fabric_flow(&sc, "g2", "g5", 8 << 20, 0);
        fabric_flow(&sc, "g3", "g6", 1 << 20, 50 * UNIT_US);
        pin(&sc, "g1>g4", "spine1");
        pin(&sc, "g2>g5", "spine1");
        struct sim *s = fabric_build(&sc);
        fabric_finish(s, UNIT_S);
        const int64_t part = busy(s, "leaf1", 3, 2) / (1106 * 80) * 1000 / 1024;
        print_message("# %s, buffer %s: %d of 1000 avoid the queue\n", rows[i].routing,
                      rows[i].buffer, (int)part);
        assert_in_range(part, rows[i].least, rows[i].most);
        sim_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_looping_packet_wears_out),
        cmocka_unit_test(switches_hash_apart),
        cmocka_unit_test(the_shorter_queue_is_taken),
        cmocka_unit_test(parts_are_even),
        cmocka_unit_test(queue_pairs_have_names),
        cmocka_unit_test(bytes_do_not_depend_on_queue_pairs),
        cmocka_unit_test(a_message_is_complete_when_all_parts_are),
        cmocka_unit_test(why_names_the_queue_pair),
        cmocka_unit_test(a_pinned_flow_keeps_to_its_path),
        cmocka_unit_test(a_ring_is_pinned),
        cmocka_unit_test(a_staged_flow_is_pinned),
        cmocka_unit_test(wrong_pins_are_refused),
        cmocka_unit_test(a_flow_moves_after_a_silence),
        cmocka_unit_test(a_threshold_is_lowered),
        cmocka_unit_test(a_cut_link_swallows_until_rerouted),
        cmocka_unit_test(packets_avoid_a_cut_link),
        cmocka_unit_test(a_flapping_link_swallows_anew),
        cmocka_unit_test(a_pinned_flow_goes_round),
        cmocka_unit_test(the_lost_share_is_spread),
        cmocka_unit_test(packets_take_turns),
        cmocka_unit_test(two_choices_are_enough),
        cmocka_unit_test(flowlets_pass_a_switch_without_choice),
    };
    return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
