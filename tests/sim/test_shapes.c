/*
 * The shapes: how many nodes, cables and ports they have, by formula; rates; and that every host
 * reaches every other over as many equal ways as the shape promises.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fabric.h"
#include "sim/world.h" /* white box: the tables of routes */

#define LEN(array) (sizeof(array) / sizeof *(array))
#define G          INT64_C(1000000000)

static struct sim *built(struct sim_scenario *sc)
{
    const struct sim_training_spec work = { .bytes = 1000, .steps = 1 };
    assert_true(sim_scenario_training(sc, &work, NULL));
    struct err err = { 0 };
    struct sim *s = sim_create(sc, 1, &err);
    if (s == NULL) {
        print_error("%s\n", err.msg);
    }
    assert_non_null(s);
    sim_scenario_finish(sc);
    return s;
}

static uint32_t node_of(const struct sim *s, const char *prefix, int number)
{
    char name[32];
    (void)snprintf(name, sizeof name, "%s%d", prefix, number);
    const uint32_t node = sim_find_node(s, name);
    assert_true(node != SIM_NONE);
    return node;
}

/* The equal ports of `node` toward a host: their number, and the first. */
static uint32_t ways(const struct sim *s, uint32_t node, uint32_t host, const uint32_t **port)
{
    const struct sim_config *c = s->config;
    static uint32_t only;
    if (c->nodes[node].routes == SIM_NONE) { /* a host with one cable */
        only = sim_node(s, node).first_port;
        *port = &only;
        return 1;
    }
    const size_t at = (size_t)c->nodes[node].routes * c->host_count + c->nodes[host].host_index;
    const uint32_t *entry = &c->route_pool[c->route[at]];
    *port = entry + 1;
    return c->route[at] == 0 ? 0 : *entry;
}

static uint32_t width(const struct sim *s, uint32_t node, uint32_t host)
{
    const uint32_t *port;
    return ways(s, node, host, &port);
}

/* Whatever equal port is taken, the host is reached, in at most as many hops as there are nodes. */
static void reach(const struct sim *s, uint32_t node, uint32_t host, size_t left, char *seen)
{
    if (node == host || seen[node] != 0) {
        return;
    }
    assert_true(left > 0);
    seen[node] = 1;
    const uint32_t *port;
    const uint32_t n = ways(s, node, host, &port);
    assert_true(n > 0);
    for (uint32_t i = 0; i < n; i++) {
        reach(s, sim_port(s, sim_port(s, port[i]).peer).node, host, left - 1, seen);
    }
}

static void all_reach_all(const struct sim *s)
{
    const size_t nodes = sim_node_count(s);
    char *seen = calloc(nodes, 1);
    for (uint32_t a = 0; a < nodes; a++) {
        for (uint32_t b = 0; b < nodes; b++) {
            if (sim_node(s, a).kind == SIM_HOST && sim_node(s, b).kind == SIM_HOST && a != b) {
                memset(seen, 0, nodes);
                reach(s, a, b, nodes, seen);
            }
        }
    }
    free(seen);
}

static void has(const struct sim *s, size_t nodes, size_t links)
{
    assert_int_equal(sim_node_count(s), nodes);
    assert_int_equal(sim_port_count(s), 2 * links);
}

/* How many ports of a node have this rate. */
static uint32_t ports_at(const struct sim *s, uint32_t node, int64_t rate)
{
    const struct sim_node_info info = sim_node(s, node);
    uint32_t n = 0;
    for (uint32_t p = info.first_port; p < info.first_port + info.port_count; p++) {
        n += sim_port(s, p).rate_bps == rate;
    }
    return n;
}

/* ---- leaf and spine, fat tree ---------------------------------------------------------------- */

static void leaf_spine(void **state)
{
    (void)state;
    for (int l = 1; l <= 4; l++) {
        for (int p = 1; p <= 3; p++) {
            const struct sim_shape_tier shape = { .leaves = l,
                                                  .spines = p,
                                                  .hosts_per_leaf = 3,
                                                  .rate_bps = 100 * G,
                                                  .uplink_rate_bps = 400 * G };
            struct sim_scenario sc;
            fabric_init(&sc, "shapes");
            assert_true(sim_shape_leaf_spine(&sc, &shape, NULL));
            struct sim *s = built(&sc);
            has(s, (size_t)(l + p + 3 * l), (size_t)(3 * l + l * p));
            all_reach_all(s);
            for (int i = 1; i <= l; i++) {
                const uint32_t leaf = node_of(s, "leaf", i);
                assert_int_equal(ports_at(s, leaf, 100 * G), 3);
                assert_int_equal(ports_at(s, leaf, 400 * G), p);
                for (int h = 1; h <= 3 * l; h++) {
                    const bool own = (h - 1) / 3 == i - 1;
                    assert_int_equal(width(s, leaf, node_of(s, "g", h)), own ? 1 : p);
                }
            }
            sim_destroy(s);
        }
    }
}

static void fat_tree(void **state)
{
    (void)state;
    for (int k = 2; k <= 6; k += 2) {
        const int half = k / 2;
        const int hosts = k * half * half;
        struct sim_scenario sc;
        fabric_init(&sc, "shapes");
        assert_true(sim_shape_fat_tree(&sc, k, 100 * G, UNIT_NS, NULL));
        struct sim *s = built(&sc);
        has(s, (size_t)(hosts + k * k + half * half), (size_t)(3 * hosts));
        all_reach_all(s);
        for (int e = 0; e < k * half; e++) {
            const uint32_t edge = node_of(s, "edge", e + 1);
            const uint32_t agg = node_of(s, "agg", e + 1);
            assert_int_equal(sim_node(s, edge).port_count, k);
            assert_int_equal(sim_node(s, agg).port_count, k);
            for (int h = 0; h < hosts; h++) {
                const uint32_t host = node_of(s, "g", h + 1);
                const bool own = h / half == e;
                const bool pod = h / (half * half) == e / half;
                assert_int_equal(width(s, edge, host), own ? 1 : half);
                assert_int_equal(width(s, agg, host), pod ? 1 : half);
            }
        }
        for (int c = 1; c <= half * half; c++) {
            assert_int_equal(sim_node(s, node_of(s, "core", c)).port_count, k);
        }
        sim_destroy(s);
    }
}

/* ---- rails ----------------------------------------------------------------------------------- */

static void check_rails(int boxes, int gpus, int spines)
{
    const struct sim_box_spec box = { .gpus = gpus,
                                      .nics = gpus,
                                      .switches = gpus,
                                      .nvlink_bps = 3600 * G,
                                      .pcie_bps = 504 * G,
                                      .delay_ps = UNIT_NS };
    const struct sim_shape_rail shape = { .boxes = boxes,
                                          .spines = spines,
                                          .box = &box,
                                          .rate_bps = 400 * G,
                                          .uplink_rate_bps = 800 * G,
                                          .delay_ps = 5 * UNIT_NS };
    struct sim_scenario sc;
    fabric_init(&sc, "shapes");
    assert_true(sim_shape_rail(&sc, &shape, NULL));
    struct sim *s = built(&sc);
    /* a box: GPU, PCIe switch and NIC so many times, root, NVSwitch; NVLink, GPU to PCIe switch, NIC to
     * PCIe switch, PCIe switch to root, NIC to rail */
    has(s, (size_t)(boxes * (3 * gpus + 2) + gpus + spines),
        (size_t)(boxes * 5 * gpus + gpus * spines));
    all_reach_all(s);
    for (int r = 1; r <= gpus; r++) {
        const uint32_t rail = node_of(s, "rail", r);
        assert_int_equal(sim_node(s, rail).port_count, boxes + spines);
        assert_int_equal(ports_at(s, rail, 400 * G), boxes);
        assert_int_equal(ports_at(s, rail, 800 * G), spines);
        for (int g = 1; g <= boxes * gpus; g++) {
            const bool own = (g - 1) % gpus == r - 1;
            const uint32_t host = node_of(s, "g", g);
            /* to another rail: over any spine, or down into that box, whose PCIe crosses over */
            assert_int_equal(width(s, rail, host), own ? 1 : spines + 1);
        }
    }
    for (int g = 1; g <= boxes * gpus; g++) { /* the NIC beside it leads to its rail */
        const uint32_t nic = node_of(s, "nic", g);
        const uint32_t rail = node_of(s, "rail", (g - 1) % gpus + 1);
        const struct sim_node_info info = sim_node(s, nic);
        bool found = false;
        for (uint32_t p = info.first_port; p < info.first_port + info.port_count; p++) {
            found = found || sim_port(s, sim_port(s, p).peer).node == rail;
        }
        assert_true(found);
    }
    sim_destroy(s);
}

static void rails(void **state)
{
    (void)state;
    static const struct {
        int boxes, gpus, spines;
    } rows[] = { { 1, 2, 0 }, { 2, 4, 0 }, { 3, 2, 1 }, { 4, 8, 0 }, { 4, 8, 3 }, { 2, 1, 0 } };
    for (size_t i = 0; i < LEN(rows); i++) {
        check_rails(rows[i].boxes, rows[i].gpus, rows[i].spines);
    }
}

/* GPUs of one number are one rail apart: the shortest way between two boxes takes no other. */
static void a_rail_keeps_its_traffic(void **state)
{
    (void)state;
    const struct sim_box_spec box = {
        .gpus = 4, .nics = 4, .switches = 4, .pcie_bps = 504 * G, .delay_ps = UNIT_NS
    };
    const struct sim_shape_rail shape = { .boxes = 2, .box = &box, .rate_bps = 400 * G };
    struct sim_scenario sc;
    fabric_init(&sc, "shapes");
    assert_true(sim_shape_rail(&sc, &shape, NULL));
    fabric_flow(&sc, "g2", "g6", 1 << 16, 0);
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    for (int r = 1; r <= 4; r++) {
        const struct sim_node_info info = sim_node(s, node_of(s, "rail", r));
        int64_t busy = 0;
        for (uint32_t p = info.first_port; p < info.first_port + info.port_count; p++) {
            busy += sim_port_busy_ps(s, p);
        }
        assert_int_equal(busy > 0, r == 2);
    }
    sim_destroy(s);
}

static void bad_rails(void **state)
{
    (void)state;
    static const struct sim_box_spec plain = { .gpus = 4, .nics = 2, .pcie_bps = 504 * G };
    static const struct sim_box_spec none = { .gpus = 4, .pcie_bps = 504 * G };
    static const struct sim_box_spec good = { .gpus = 4, .nics = 4, .pcie_bps = 504 * G };
    static const struct {
        struct sim_shape_rail shape;
        const char *says;
    } rows[] = {
        { { .boxes = 2, .box = &plain, .rate_bps = G }, "nics must be 4, it is 2" },
        { { .boxes = 2, .box = &none, .rate_bps = G }, "nics is 0" },
        { { .boxes = 0, .box = &good, .rate_bps = G }, "boxes is 0" },
        { { .boxes = 2, .box = &good, .rate_bps = G, .spines = -1 }, "spines is -1" },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_scenario sc;
        struct err err = { 0 };
        fabric_init(&sc, "shapes");
        assert_false(sim_shape_rail(&sc, &rows[i].shape, &err));
        assert_non_null(strstr(err.msg, rows[i].says));
        sim_scenario_finish(&sc);
    }
}

/* ---- rings ----------------------------------------------------------------------------------- */

static void check_ring(int n, int hosts, bool open, bool clockwise)
{
    const struct sim_shape_ring shape = { .switches = n,
                                          .hosts = hosts,
                                          .open = open,
                                          .clockwise = clockwise,
                                          .rate_bps = 40 * G,
                                          .trunk_rate_bps = 100 * G,
                                          .delay_ps = 25 * UNIT_NS };
    struct sim_scenario sc;
    fabric_init(&sc, "shapes");
    assert_true(sim_shape_ring(&sc, &shape, NULL));
    struct sim *s = built(&sc);
    has(s, (size_t)(n + n * hosts), (size_t)(n * hosts + n - open));
    all_reach_all(s);
    for (int i = 0; i < n; i++) {
        const uint32_t sw = node_of(s, "sw", i + 1);
        const bool end = open && (i == 0 || i == n - 1);
        assert_int_equal(ports_at(s, sw, 40 * G), hosts);
        assert_int_equal(ports_at(s, sw, 100 * G), end ? 1 : 2);
        for (int h = 0; h < n * hosts; h++) {
            const int ahead = (h / hosts - i + n) % n; /* switches further on, clockwise */
            const bool opposite = !open && !clockwise && 2 * ahead == n;
            const uint32_t *port;
            assert_int_equal(ways(s, sw, node_of(s, "g", h + 1), &port), opposite ? 2 : 1);
            if (clockwise && ahead != 0) {
                assert_int_equal(sim_port(s, sim_port(s, *port).peer).node,
                                 node_of(s, "sw", (i + 1) % n + 1));
            }
        }
    }
    sim_destroy(s);
}

static void rings(void **state)
{
    (void)state;
    for (int n = 2; n <= 8; n++) {
        check_ring(n, 1 + n % 3, true, false);
        if (n >= 3) {
            check_ring(n, 1 + n % 2, false, false);
            check_ring(n, 2, false, true);
        }
    }
}

static void a_ring_of_boxes(void **state)
{
    (void)state;
    const struct sim_box_spec box = {
        .gpus = 2, .nics = 1, .nvlink_bps = 3600 * G, .pcie_bps = 504 * G, .delay_ps = UNIT_NS
    };
    const struct sim_shape_ring shape = {
        .switches = 3, .hosts = 1, .clockwise = true, .box = &box, .rate_bps = 40 * G
    };
    struct sim_scenario sc;
    fabric_init(&sc, "shapes");
    assert_true(sim_shape_ring(&sc, &shape, NULL));
    struct sim *s = built(&sc);
    has(s, 3 * (1 + 2 + 3), 3 * (2 + 2 + 1 + 1 + 1));
    all_reach_all(s);
    sim_destroy(s);
}

static void bad_rings(void **state)
{
    (void)state;
    static const struct {
        struct sim_shape_ring shape;
        const char *says;
    } rows[] = {
        { { .switches = 2, .hosts = 1, .rate_bps = G }, "a ring has 3 to" },
        { { .switches = 1, .hosts = 1, .rate_bps = G, .open = true }, "a row has 2 to" },
        { { .switches = 4, .hosts = 0, .rate_bps = G }, "hosts is 0" },
        { { .switches = 4, .hosts = 1, .rate_bps = G, .open = true, .clockwise = true },
          "not both" },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_scenario sc;
        struct err err = { 0 };
        fabric_init(&sc, "shapes");
        assert_false(sim_shape_ring(&sc, &rows[i].shape, &err));
        assert_non_null(strstr(err.msg, rows[i].says));
        sim_scenario_finish(&sc);
    }
}

/* ---- places in the picture ------------------------------------------------------------------- */

static void places(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct err err = { 0 };
    fabric_init(&sc, "places");
    assert_true(sim_shape_pair(&sc, G, 0, NULL));
    assert_true(sim_scenario_place(&sc, 0, 1, 1, NULL));
    assert_true(sim_scenario_place(&sc, 0, SIM_ROWS_MAX, SIM_COLUMNS_MAX, NULL)); /* moved */
    assert_false(sim_scenario_place(&sc, 1, SIM_ROWS_MAX, SIM_COLUMNS_MAX, &err));
    assert_string_equal(err.msg, "g1 and g2 stand at the same place: row 16, column 32");
    static const int64_t outside[][2] = { { 0, 1 }, { 1, 0 }, { 17, 1 }, { 1, 33 }, { -1, 1 } };
    for (size_t i = 0; i < LEN(outside); i++) {
        assert_false(sim_scenario_place(&sc, 1, outside[i][0], outside[i][1], &err));
    }
    assert_false(sim_places_check(&sc, &err));
    assert_non_null(strstr(err.msg, "g1 has a place in the picture and g2 has none"));
    assert_true(sim_scenario_place(&sc, 1, 1, 1, NULL));
    assert_true(sim_places_check(&sc, NULL));
    sim_scenario_finish(&sc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaf_spine), cmocka_unit_test(fat_tree),
        cmocka_unit_test(rails),      cmocka_unit_test(a_rail_keeps_its_traffic),
        cmocka_unit_test(bad_rails),  cmocka_unit_test(rings),
        cmocka_unit_test(bad_rings),  cmocka_unit_test(a_ring_of_boxes),
        cmocka_unit_test(places),
    };
    return cmocka_run_group_tests_name("shapes", tests, NULL, NULL);
}
