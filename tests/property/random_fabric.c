#include "random_fabric.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"

int64_t dice_roll(struct dice *dice, int64_t n)
{
    return (int64_t)(rng_mix3(dice->seed, 77, dice->count++) % (uint64_t)n);
}

static int64_t one_of(struct dice *dice, const int64_t *list, int64_t count)
{
    return list[dice_roll(dice, count)];
}

#define ONE_OF(dice, ...)                                                                          \
    one_of(dice, (const int64_t[]){ __VA_ARGS__ },                                                 \
           (int64_t)(sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)))

#define G INT64_C(1000000000)

static sim_ps random_delay(struct dice *d)
{
    return ONE_OF(d, 0, 1, 25 * UNIT_NS, 500 * UNIT_NS, 3 * UNIT_US, 1500);
}

static int64_t random_rate(struct dice *d)
{
    return ONE_OF(d, G, 10 * G, 25 * G, 40 * G, 100 * G, 400 * G, 7 * G / 3);
}

/* A cable of any length and rate to one of the first `switches` nodes. Each draw is a statement of its
 * own: the order of arguments is the compiler's choice, and a seed is the same fabric everywhere. */
static bool random_cable(struct random_fabric *f, struct dice *d, uint32_t node, int64_t switches)
{
    const sim_ps delay = random_delay(d);
    const int64_t rate = random_rate(d);
    const uint32_t to = (uint32_t)dice_roll(d, switches);
    return sim_scenario_link(&f->scenario, node, to, rate, delay, NULL);
}

/* A tree of switches with hosts at random places, some with two cables: every pair has a way. */
static void random_tree(struct random_fabric *f, struct dice *d)
{
    int64_t switches = 1 + dice_roll(d, 4);
    int64_t hosts = 2 + dice_roll(d, 6);
    char name[16];
    for (int64_t i = 0; i < switches; i++) {
        (void)snprintf(name, sizeof name, "s%d", (int)i + 1);
        bool ok = sim_scenario_node(&f->scenario, name, SIM_SWITCH, NULL, NULL);
        if (ok && i > 0) {
            ok = random_cable(f, d, (uint32_t)i, i);
        }
        assert(ok);
    }
    for (int64_t i = 0; i < hosts; i++) {
        uint32_t host;
        (void)snprintf(name, sizeof name, "g%d", (int)i + 1);
        bool ok = sim_scenario_node(&f->scenario, name, SIM_HOST, &host, NULL) &&
                  random_cable(f, d, host, switches);
        if (ok && dice_roll(d, 5) == 0) {
            ok = random_cable(f, d, host, switches);
        }
        assert(ok);
        (void)ok;
    }
}

static void random_leaf_spine(struct random_fabric *f, struct dice *d)
{
    struct sim_shape_tier shape = { 0 };
    shape.leaves = 1 + (int)dice_roll(d, 3);
    shape.spines = 1 + (int)dice_roll(d, 3);
    shape.hosts_per_leaf = 2 + (int)dice_roll(d, 2);
    shape.rate_bps = ONE_OF(d, 40 * G, 100 * G, 400 * G);
    shape.uplink_rate_bps = ONE_OF(d, 0, 40 * G, 100 * G);
    shape.delay_ps = random_delay(d);
    bool ok = sim_shape_leaf_spine(&f->scenario, &shape, NULL);
    assert(ok);
    (void)ok;
}

/* A ring of switches with a host or two each; some routes go the long way round: circles of waiters
 * and loops are possible. */
static void random_ring(struct random_fabric *f, struct dice *d)
{
    uint32_t switches = 3 + (uint32_t)dice_roll(d, 3);
    int64_t rate = random_rate(d);
    char name[16];
    bool ok = true;
    for (uint32_t i = 0; i < switches; i++) {
        (void)snprintf(name, sizeof name, "s%d", (int)i + 1);
        ok = ok && sim_scenario_node(&f->scenario, name, SIM_SWITCH, NULL, NULL);
    }
    for (uint32_t i = 0; i < switches; i++) {
        ok = ok && sim_scenario_link(&f->scenario, i, (i + 1) % switches, rate, 25 * UNIT_NS, NULL);
    }
    for (uint32_t i = 0; i < 2 * switches; i++) {
        uint32_t host;
        (void)snprintf(name, sizeof name, "g%d", (int)i + 1);
        ok = ok && sim_scenario_node(&f->scenario, name, SIM_HOST, &host, NULL) &&
             sim_scenario_link(&f->scenario, host, i % switches, rate, 25 * UNIT_NS, NULL);
        for (uint32_t s = 0; s < switches; s++) {
            if (s != i % switches && dice_roll(d, 4) != 0) {
                ok = ok && sim_scenario_route(&f->scenario, s, host, (s + 1) % switches, NULL);
            }
        }
    }
    assert(ok);
    (void)ok;
}

/* Boxes of GPUs with NVLink, PCIe or both, alone or round a switch, with and without memory. */
static void random_boxes(struct random_fabric *f, struct dice *d)
{
    const int count = 1 + (int)dice_roll(d, 3);
    struct sim_box_spec box = { 0 };
    box.gpus = 1 + (int)dice_roll(d, 3);
    box.nics = (int)dice_roll(d, 2) + (count > 1);
    box.nvlink_bps = ONE_OF(d, 0, 640 * G, 3600 * G);
    box.pcie_bps = ONE_OF(d, 16 * G, 64 * G, INT64_C(126030769231));
    box.memory_bps = ONE_OF(d, 0, 200 * G);
    box.delay_ps = ONE_OF(d, 0, UNIT_NS, 20 * UNIT_NS);
    box.gpus += count * box.gpus == 1; /* two at least */
    box.switches = box.gpus > 1 ? (int)dice_roll(d, 2) * 2 : 0;
    struct sim_shape_tier shape = {
        .leaves = count, .spines = 2, .hosts_per_leaf = 1, .box = &box
    };
    shape.rate_bps = random_rate(d);
    shape.delay_ps = random_delay(d);
    bool ok =
        count > 1 && dice_roll(d, 2) == 0
            ? sim_shape_leaf_spine(&f->scenario, &shape, NULL)
            : sim_shape_boxes(&f->scenario, count, &box, shape.rate_bps, shape.delay_ps, NULL);
    assert(ok);
    (void)ok;
    f->scenario.knobs.v[SIM_KNOB_INSIDE_LATENCY] = ONE_OF(d, 0, 200 * UNIT_NS);
    if (count > 1 && box.memory_bps > 0) {
        f->scenario.knobs.v[SIM_KNOB_STAGING] = dice_roll(d, 2);
        f->scenario.knobs.v[SIM_KNOB_STAGE_CHUNK] = ONE_OF(d, SIM_AUTO, 64, 5000, 20000);
    }
}

/* Rails, rings of the shape's own, fat trees: dice of their own, so that all other seeds stay as they
 * were. False: not this time. */
static bool random_shape(struct random_fabric *f, uint64_t seed, bool *loops)
{
    struct dice d = { .seed = seed ^ 0x5a9e5 };
    const int64_t kind = dice_roll(&d, 15);
    const struct sim_box_spec box = { .gpus = 2,
                                      .nics = 2,
                                      .switches = (int)dice_roll(&d, 2) * 2,
                                      .nvlink_bps = ONE_OF(&d, 0, 640 * G),
                                      .pcie_bps = ONE_OF(&d, 64 * G, 252 * G),
                                      .delay_ps = ONE_OF(&d, 0, UNIT_NS) };
    const int64_t rate = random_rate(&d);
    const sim_ps delay = random_delay(&d);
    bool ok = true;
    if (kind == 0) {
        struct sim_shape_rail rail = { .box = &box, .rate_bps = rate, .delay_ps = delay };
        rail.boxes = 1 + (int)dice_roll(&d, 3);
        rail.spines = (int)dice_roll(&d, 3);
        rail.uplink_rate_bps = ONE_OF(&d, 0, 100 * G);
        ok = sim_shape_rail(&f->scenario, &rail, NULL);
    } else if (kind == 1) {
        struct sim_shape_ring ring = { .rate_bps = rate, .delay_ps = delay };
        ring.switches = 3 + (int)dice_roll(&d, 3);
        ring.hosts = 1 + (int)dice_roll(&d, 2);
        ring.open = dice_roll(&d, 3) == 0;
        ring.clockwise = !ring.open && dice_roll(&d, 2) == 0;
        ring.trunk_rate_bps = ONE_OF(&d, 0, 10 * G);
        ok = sim_shape_ring(&f->scenario, &ring, NULL);
        *loops = !ring.open;
    } else if (kind == 2) {
        ok = sim_shape_fat_tree(&f->scenario, 2 + 2 * (int)dice_roll(&d, 2), rate, delay, NULL);
    } else {
        return false;
    }
    assert(ok);
    return true;
}

/* Now and then all nodes have a place in the picture: nothing of a run may depend on it. */
static void random_places(struct random_fabric *f, uint64_t seed)
{
    struct dice d = { .seed = seed ^ 0x91ace };
    if (dice_roll(&d, 4) != 0) {
        return;
    }
    for (uint32_t n = 0; n < f->scenario.node_count; n++) {
        const bool ok = sim_scenario_place(&f->scenario, n, n / SIM_COLUMNS_MAX + 1,
                                           SIM_COLUMNS_MAX - n % SIM_COLUMNS_MAX, NULL);
        assert(ok);
        (void)ok;
    }
}

static uint32_t random_host(const struct random_fabric *f, struct dice *d)
{
    for (;;) {
        uint32_t n = (uint32_t)dice_roll(d, (int64_t)f->scenario.node_count);
        if (f->scenario.nodes[n].kind == SIM_HOST) {
            return n;
        }
    }
}

static void random_flows(struct random_fabric *f, struct dice *d)
{
    int64_t flows = 1 + dice_roll(d, 8);
    f->scenario.blocks = dice_roll(d, 4);
    for (int64_t i = 0; i < flows; i++) {
        uint32_t src = random_host(f, d);
        uint32_t dst = random_host(f, d);
        if (src != dst) {
            const sim_ps start = dice_roll(d, 4) * UNIT_US;
            const int64_t bytes = dice_roll(d, 60000);
            (void)sim_scenario_flow(&f->scenario, src, dst, bytes, start, NULL);
            struct sim_flow_spec *flow = &f->scenario.flows[f->scenario.flow_count - 1];
            flow->messages = (uint32_t)ONE_OF(d, 0, 1, 3);
            flow->gap_ps = flow->messages > 0 ? dice_roll(d, 2) * UNIT_US : 0;
            flow->poisson = dice_roll(d, 2) == 0;
        }
    }
}

static void random_work(struct random_fabric *f, struct dice *d)
{
    if (dice_roll(d, 2) == 0) {
        struct sim_training_spec t = { .bytes = 1 + dice_roll(d, 60000) };
        const bool buckets = dice_roll(d, 2) == 1;
        t.bucket_bytes = 5000 + dice_roll(d, 9000);
        t.bucket_bytes = buckets ? t.bucket_bytes : 0;
        t.compute_ps = dice_roll(d, 3) * UNIT_US;
        t.steps = 1 + dice_roll(d, 3);
        bool ok = sim_scenario_training(&f->scenario, &t, NULL);
        assert(ok);
        (void)ok;
        return;
    }
    if (dice_roll(d, 4) == 0) {
        struct sim_requests_spec requests = { .clients = 1, .seed = d->seed };
        requests.count = 1 + (uint32_t)dice_roll(d, 6);
        requests.ask_bytes = dice_roll(d, 3000);
        requests.answer_bytes = dice_roll(d, 30000);
        requests.gap_ps = dice_roll(d, 5) * UNIT_US;
        bool ok = sim_work_requests(&f->scenario, &requests, NULL);
        assert(ok);
        (void)ok;
        return;
    }
    random_flows(f, d);
}

static void random_tcp(int64_t *v, struct dice *d)
{
    v[SIM_KNOB_MSS] = ONE_OF(d, 536, 1460, 1460, 4000);
    v[SIM_KNOB_RTO_MIN] = ONE_OF(d, UNIT_US, 30 * UNIT_US, 200 * UNIT_US, UNIT_MS);
    v[SIM_KNOB_RTO_INITIAL] = ONE_OF(d, 3 * UNIT_US, 100 * UNIT_US, UNIT_MS);
    v[SIM_KNOB_TCP_RETRIES] = ONE_OF(d, 2, 15, 100);
    v[SIM_KNOB_TLP] = dice_roll(d, 2);
    v[SIM_KNOB_DELAYED_ACK] = ONE_OF(d, 0, 0, 20 * UNIT_US, 300 * UNIT_US);
    v[SIM_KNOB_TCP_CLASS] = dice_roll(d, 2);
}

static void random_knobs(struct random_fabric *f, struct dice *d)
{
    int64_t *v = f->scenario.knobs.v;
    v[SIM_KNOB_MTU] = ONE_OF(d, 256, 1000, 1024, 4096);
    v[SIM_KNOB_SWITCH_LATENCY] = ONE_OF(d, 0, 500 * UNIT_NS);
    v[SIM_KNOB_CUT_THROUGH] = dice_roll(d, 2);
    v[SIM_KNOB_ACK_EVERY] = ONE_OF(d, 0, 1, 3, 16);
    v[SIM_KNOB_ACK_CLASS] = dice_roll(d, 2);
    v[SIM_KNOB_PFC_TRAVEL] = ONE_OF(d, SIM_PFC_CABLE, SIM_PFC_CABLE, SIM_PFC_INSTANT);
    v[SIM_KNOB_ROUND_TRIGGER] = dice_roll(d, 2);
    v[SIM_KNOB_WIRE_OVERHEAD] = ONE_OF(d, SIM_AUTO, SIM_AUTO, 1, 48, 64);
    v[SIM_KNOB_WIRE_GAP] = ONE_OF(d, SIM_AUTO, SIM_AUTO, 0, 3, 40);
    v[SIM_KNOB_WIRE_ACK] = ONE_OF(d, SIM_AUTO, SIM_AUTO, 1, 60, 90);
    v[SIM_KNOB_VERB] = dice_roll(d, 2);
    v[SIM_KNOB_ROUTING] = dice_roll(d, 4);
    v[SIM_KNOB_TRANSPORT] =
        ONE_OF(d, SIM_GO_BACK_N, SIM_GO_BACK_N, SIM_GO_BACK_0, SIM_SELECTIVE, SIM_TCP);
    v[SIM_KNOB_REORDER_WINDOW] = ONE_OF(d, 0, 2 * UNIT_US);
    v[SIM_KNOB_WINDOW] = ONE_OF(d, SIM_UNLIMITED, 5, 50);
    v[SIM_KNOB_ECN] = dice_roll(d, 2);
    v[SIM_KNOB_CC] = v[SIM_KNOB_TRANSPORT] == SIM_TCP ? SIM_CC_NONE : dice_roll(d, 2);
    random_tcp(v, d);
    v[SIM_KNOB_KMIN] = ONE_OF(d, 0, 3000);
    v[SIM_KNOB_KMAX] = ONE_OF(d, 3000, 20000);
    v[SIM_KNOB_CNP_INTERVAL] = ONE_OF(d, 0, 3 * UNIT_US, 50 * UNIT_US);
    v[SIM_KNOB_DCQCN_CUT_TIME] = ONE_OF(d, 0, 0, 4 * UNIT_US);
    v[SIM_KNOB_DCQCN_CLAMP] = dice_roll(d, 2);
    v[SIM_KNOB_RANK_ORDER] = dice_roll(d, 2);
    v[SIM_KNOB_JITTER] = ONE_OF(d, 0, 0, 1500 * UNIT_NS);
    v[SIM_KNOB_XOFF] = ONE_OF(d, 1, 5000, 12000, 40000);
    v[SIM_KNOB_XON_OFFSET] = ONE_OF(d, SIM_AUTO, SIM_AUTO, 0, 3072);
    v[SIM_KNOB_PFC_RESPONSE] = ONE_OF(d, SIM_AUTO, 0, 700 * UNIT_NS);
    v[SIM_KNOB_HEADROOM] = ONE_OF(d, SIM_AUTO, SIM_AUTO, SIM_AUTO, 0, 6000);
    v[SIM_KNOB_BUFFER] = ONE_OF(d, SIM_UNLIMITED, SIM_UNLIMITED, 30000);
    v[SIM_KNOB_ALPHA] =
        v[SIM_KNOB_BUFFER] == SIM_UNLIMITED ? SIM_AUTO : ONE_OF(d, SIM_AUTO, UNIT_ONE, UNIT_NTH(8));
    v[SIM_KNOB_QUEUE_ALPHA] =
        v[SIM_KNOB_BUFFER] == SIM_UNLIMITED ? SIM_AUTO : ONE_OF(d, SIM_AUTO, UNIT_NTH(4));
    v[SIM_KNOB_QUEUE_CAP] = ONE_OF(d, SIM_UNLIMITED, 9000, 20000);
    v[SIM_KNOB_FLOW_CONTROL] = ONE_OF(d, SIM_FC_PFC, SIM_FC_PFC, SIM_FC_NONE, SIM_FC_CREDITS);
    bool ethernet = v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_PFC || v[SIM_KNOB_TRANSPORT] == SIM_TCP;
    v[SIM_KNOB_LINK] = ethernet ? SIM_ETHERNET : dice_roll(d, 2);
    v[SIM_KNOB_VL_BUFFER] = ONE_OF(d, 4224, 9000, 128 << 10);
    v[SIM_KNOB_CRED_MIN] = ONE_OF(d, 0, 256 * UNIT_NS, 5 * UNIT_US);
    v[SIM_KNOB_HOL_LIFETIME] = ONE_OF(d, SIM_UNLIMITED, SIM_UNLIMITED, 20 * UNIT_US);
    v[SIM_KNOB_WATCHDOG] =
        ONE_OF(d, SIM_WATCHDOG_OFF, SIM_WATCHDOG_OFF, SIM_WATCHDOG_DROP, SIM_WATCHDOG_FORWARD);
    v[SIM_KNOB_WATCHDOG_DETECT] = ONE_OF(d, 3 * UNIT_US, 30 * UNIT_US);
    v[SIM_KNOB_WATCHDOG_RESTORE] = ONE_OF(d, 1, 30 * UNIT_US);
    v[SIM_KNOB_WATCHDOG_POLL] = ONE_OF(d, UNIT_US, 10 * UNIT_US);
    v[SIM_KNOB_TTL] = ONE_OF(d, 64, 64, 64, 9, 1);
    v[SIM_KNOB_REROUTE] = ONE_OF(d, 1, 10 * UNIT_US, 50 * UNIT_MS);
    v[SIM_KNOB_FLOOD_LOSSLESS] = dice_roll(d, 2);
    v[SIM_KNOB_TIMEOUT_EXPONENT] = ONE_OF(d, 4, 8, 12);
    v[SIM_KNOB_RETRY_LIMIT] = ONE_OF(d, 1, 7, 100);
}

/* A collective, and what it can be over so many hosts. */
static void random_collective(struct random_fabric *f, struct dice *d)
{
    int64_t *v = f->scenario.knobs.v;
    v[SIM_KNOB_COLLECTIVE] = dice_roll(d, SIM_COLL_HIERARCHICAL + 1);
    v[SIM_KNOB_PIECES] = ONE_OF(d, 1, 2, 5);
    v[SIM_KNOB_SERVERS] = ONE_OF(d, 1, 1, 2);
    v[SIM_KNOB_GROUP] = ONE_OF(d, 1, 2, 3);
    v[SIM_KNOB_INSIDE] = dice_roll(d, 2);
    v[SIM_KNOB_OVERLAP] = ONE_OF(d, 0, UNIT_ONE / 2, UNIT_ONE);
    v[SIM_KNOB_ADMISSION] = ONE_OF(d, 0, 0, 1, 3);
    if (!sim_scenario_check(&f->scenario, NULL)) {
        v[SIM_KNOB_COLLECTIVE] = SIM_COLL_RING; /* not with this number of hosts */
    }
}

/* Tables of VL arbitration that name every lane in use, and ACKs perhaps among the data. */
static void random_lanes(struct random_fabric *f, struct dice *d)
{
    if (f->scenario.knobs.v[SIM_KNOB_LINK] != SIM_INFINIBAND || dice_roll(d, 2) == 0) {
        return;
    }
    f->scenario.classes[SIM_PRIO_CONTROL].vl = (uint32_t)ONE_OF(d, SIM_OWN_VL, SIM_PRIO_DATA, 1);
    f->scenario.vl_limit = ONE_OF(d, 0, 1, 20, SIM_VL_NO_LIMIT);
    const uint32_t lanes[] = { SIM_PRIO_DATA, sim_class_vl(&f->scenario, SIM_PRIO_CONTROL), 5 };
    for (size_t i = 0; i < 6; i++) {
        struct sim_vl_entry entry = { .vl = lanes[i % 3] };
        entry.table = (enum sim_vl_table)dice_roll(d, SIM_VL_TABLES);
        entry.weight = (uint32_t)dice_roll(d, 100) + (i < 3);
        bool ok = sim_scenario_vl(&f->scenario, &entry, NULL);
        assert(ok);
        (void)ok;
    }
}

static void random_commands(struct random_fabric *f, struct dice *d)
{
    static const char *const lines[] = { "set pfc off",
                                         "set pfc on",
                                         "set xoff 3000B",
                                         "drop_nth 7",
                                         "drop_nth 31",
                                         "hold g1 on",
                                         "hold g1 off",
                                         "set ack_every 1",
                                         "pause g2",
                                         "drop_nth 0",
                                         "drop g1>g2 middle",
                                         "drop g1>g2 last",
                                         "drop g1>g2:3",
                                         "set headroom 100B",
                                         "set rank_order mixed",
                                         "slow g1 0.3",
                                         "slow g2 1",
                                         "loss 5%",
                                         "set cc none",
                                         "set ecn on",
                                         "set window 9",
                                         "slow_gpu g1 2",
                                         "kill g2",
                                         "set overlap 0.3",
                                         "storm g1 on",
                                         "storm g1 all",
                                         "storm g1 off",
                                         "storm nic1 on",
                                         "pause nic1",
                                         "flood g2 on",
                                         "flood g2 off",
                                         "link g1:1 down",
                                         "link g1:1 up",
                                         "link s1:1 down",
                                         "link s1:1 up",
                                         "link leaf1:1 down",
                                         "link leaf1:1 up",
                                         "slow g1 0",
                                         "set flow_control credits",
                                         "set watchdog drop",
                                         "set watchdog off",
                                         "set hol_lifetime 10us",
                                         "set tlp on",
                                         "set rto_min 2us",
                                         "set delayed_ack 0us",
                                         "set delayed_ack 9us",
                                         "pause_gpu g1 9us",
                                         "drop_frame s1:1 go",
                                         "drop_frame g1:1 ack",
                                         "drop_frame s1:1 pause",
                                         "corrupt g1>g2 frame",
                                         "corrupt g1>g2 ttl",
                                         "corrupt g1>g2 payload",
                                         "corrupt g1>g2 reserved" };
    if (dice_roll(d, 3) == 0) {
        return;
    }
    sim_ps at = 1;
    for (size_t i = 0; i < 3; i++) {
        at += dice_roll(d, 20) * UNIT_US + 1;
        f->command_at[i] = at;
        const char *line = lines[dice_roll(d, (int64_t)(sizeof lines / sizeof *lines))];
        (void)snprintf(f->command[i], sizeof f->command[i], "%s", line);
        if (strncmp(line, "set", 3) == 0 || strncmp(line, "flood", 5) == 0 ||
            strncmp(line, "link", 4) == 0) {
            f->safe = false; /* what was promised holds for the settings of the start */
        }
    }
}

/* Which ways packets take: dice of its own, so that all else stays as it was. */
static void random_paths(struct random_fabric *f, uint64_t seed)
{
    struct dice d = { .seed = seed ^ 0x9a7b5 };
    int64_t *v = f->scenario.knobs.v;
    char name[64];
    if (dice_roll(&d, 5) == 0) {
        v[SIM_KNOB_ROUTING] = SIM_ROUTE_FLOWLET;
    }
    if (seed % 9 == 0) {
        v[SIM_KNOB_ROUTING] = SIM_ROUTE_IN_TURN;
    }
    v[SIM_KNOB_ADAPTIVE_CHOICES] = (int64_t)(seed % 3);
    v[SIM_KNOB_FLOWLET_GAP] = ONE_OF(&d, 0, 200 * UNIT_NS, 2 * UNIT_US, 50 * UNIT_US);
    v[SIM_KNOB_QUEUE_PAIRS] = ONE_OF(&d, 1, 1, 1, 1, 1, 1, 2, 3);
    v[SIM_KNOB_ECMP_SEED] = seed % 4 == 0 ? SIM_SEED_SAME : SIM_SEED_OWN;
    for (int64_t pins = dice_roll(&d, 3); pins > 0; pins--) {
        const int to = 1 + (int)dice_roll(&d, 4);
        const int from = 1 + (int)dice_roll(&d, 3);
        const uint32_t via = (uint32_t)dice_roll(&d, (int64_t)f->scenario.node_count);
        (void)snprintf(name, sizeof name, "g%d>g%d", from, to);
        if (sim_scenario_pin(&f->scenario, name, via, NULL) &&
            !sim_scenario_check(&f->scenario, NULL)) {
            f->scenario.pin_count--; /* no such flow, or not on its way */
        }
    }
}

void random_fabric_make(struct random_fabric *f, uint64_t seed)
{
    struct dice d = { .seed = seed };
    memset(f, 0, sizeof *f);
    bool loops = false;
    sim_scenario_init(&f->scenario, "random");
    if (random_shape(f, seed, &loops)) {
        (void)dice_roll(&d, 4);
    } else if (dice_roll(&d, 4) == 0) {
        random_boxes(f, &d);
    } else if (dice_roll(&d, 2) == 0) {
        random_tree(f, &d);
    } else if (dice_roll(&d, 3) == 0) {
        random_ring(f, &d);
        loops = true;
    } else {
        random_leaf_spine(f, &d);
    }
    random_places(f, seed);
    random_work(f, &d);
    random_knobs(f, &d);
    random_collective(f, &d);
    random_paths(f, seed);
    if (loops) { /* ACKs, too, run in circles: their class is not lossless */
        f->scenario.knobs.v[SIM_KNOB_QUEUE_CAP] = SIM_UNLIMITED;
        f->scenario.knobs.v[SIM_KNOB_QUEUE_ALPHA] = SIM_AUTO;
    }
    const int64_t *v = f->scenario.knobs.v;
    f->safe = v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_PFC && v[SIM_KNOB_HEADROOM] == SIM_AUTO &&
              v[SIM_KNOB_BUFFER] == SIM_UNLIMITED && v[SIM_KNOB_WATCHDOG] != SIM_WATCHDOG_FORWARD &&
              (v[SIM_KNOB_TRANSPORT] != SIM_TCP || v[SIM_KNOB_TCP_CLASS] == SIM_TCP_LOSSLESS);
    f->safe = f->safe || v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_CREDITS;
    random_commands(f, &d);
    random_lanes(f, &d);
}

void random_fabric_make_safe(struct random_fabric *f, uint64_t seed)
{
    random_fabric_make(f, seed);
    int64_t *v = f->scenario.knobs.v;
    v[SIM_KNOB_FLOW_CONTROL] = SIM_FC_PFC;
    v[SIM_KNOB_LINK] = SIM_ETHERNET;
    f->scenario.vl_entry_count = 0;
    f->scenario.classes[SIM_PRIO_CONTROL].vl = SIM_OWN_VL;
    v[SIM_KNOB_WATCHDOG] = seed % 2 == 0 ? SIM_WATCHDOG_OFF : SIM_WATCHDOG_DROP;
    v[SIM_KNOB_WATCHDOG_DETECT] = 3 * UNIT_US;
    v[SIM_KNOB_WATCHDOG_POLL] = UNIT_US;
    v[SIM_KNOB_HEADROOM] = SIM_AUTO;
    v[SIM_KNOB_BUFFER] = SIM_UNLIMITED;
    v[SIM_KNOB_TCP_CLASS] = SIM_TCP_LOSSLESS;
    v[SIM_KNOB_ALPHA] = v[SIM_KNOB_QUEUE_ALPHA] = SIM_AUTO;
    f->safe = true;
    memset(f->command, 0, sizeof f->command);
}

/* Nothing is in force that most fabrics do not have. */
static void make_plain(struct random_fabric *f, struct dice *d)
{
    int64_t *v = f->scenario.knobs.v;
    v[SIM_KNOB_FLOW_CONTROL] = SIM_FC_PFC;
    v[SIM_KNOB_LINK] = SIM_ETHERNET;
    f->scenario.vl_entry_count = 0;
    f->scenario.classes[SIM_PRIO_CONTROL].vl = SIM_OWN_VL;
    v[SIM_KNOB_CUT_THROUGH] = SIM_OFF;
    v[SIM_KNOB_WATCHDOG] = SIM_WATCHDOG_OFF;
    v[SIM_KNOB_ALPHA] = SIM_AUTO;
    v[SIM_KNOB_TTL] = 64;
    v[SIM_KNOB_STAGING] = SIM_STAGE_DIRECT;
    v[SIM_KNOB_TRANSPORT] = SIM_GO_BACK_N;
    v[SIM_KNOB_CC] = SIM_CC_NONE;
    v[SIM_KNOB_ROUTING] = ONE_OF(d, SIM_ROUTE_ECMP, SIM_ROUTE_DMODK);
    v[SIM_KNOB_ACK_EVERY] = ONE_OF(d, 1, 1, v[SIM_KNOB_ACK_EVERY]);
    for (size_t i = 0; i < f->scenario.link_count; i++) { /* whole picoseconds a byte */
        int64_t *rate = &f->scenario.links[i].rate_bps;
        *rate = 8 * UNIT_S % *rate == 0 ? *rate : 10 * G;
    }
    f->safe = false;
}

void random_fabric_make_plain(struct random_fabric *f, uint64_t seed)
{
    struct dice d = { .seed = seed ^ 0x91a1 };
    random_fabric_make(f, seed);
    make_plain(f, &d);
    for (size_t i = 0; i < f->scenario.flow_count; i++) {
        f->scenario.flows[i].bytes *= ONE_OF(&d, 1, 4);
    }
}

/* Hosts round one switch, whose ports are bits of more than one word. */
static void random_star(struct random_fabric *f, struct dice *d)
{
    const int hosts = 60 + (int)dice_roll(d, 10);
    bool ok = sim_shape_star(&f->scenario, hosts, 100 * G, UNIT_US, NULL);
    assert(ok);
    (void)ok;
}

/* Cables from which hosts may be late with their packets. Gives the shortest. */
static sim_ps random_cables(struct random_fabric *f, struct dice *d)
{
    const sim_ps delay =
        ONE_OF(d, 1, 800, 20 * UNIT_NS, 300 * UNIT_NS, UNIT_US, UNIT_US, 1500 * UNIT_NS);
    for (size_t i = 0; i < f->scenario.link_count; i++) {
        struct sim_link_spec *link = &f->scenario.links[i];
        link->delay_ps = delay * ONE_OF(d, 1, 1, 1, 2, 5);
        link->rate_bps = link->rate_bps < 100 * G ? link->rate_bps : 100 * G;
    }
    return delay;
}

void random_fabric_make_wide(struct random_fabric *f, uint64_t seed)
{
    struct dice d = { .seed = seed ^ 0x71de };
    memset(f, 0, sizeof *f);
    sim_scenario_init(&f->scenario, "wide");
    switch (dice_roll(&d, 7)) {
    case 0:
        random_star(f, &d);
        break;
    case 1:
    case 2:
        random_ring(f, &d); /* of an odd number: there are no two sides */
        break;
    case 3:
    case 4:
        random_leaf_spine(f, &d);
        break;
    default:
        random_tree(f, &d);
        break;
    }
    const sim_ps delay = random_cables(f, &d);
    for (int64_t more = dice_roll(&d, 4); more >= 0; more--) {
        random_flows(f, &d);
    }
    f->scenario.blocks = 0;
    random_knobs(f, &d);
    make_plain(f, &d);
    int64_t *v = f->scenario.knobs.v;
    v[SIM_KNOB_PFC_TRAVEL] = dice_roll(&d, 9) == 0 ? SIM_PFC_INSTANT : SIM_PFC_CABLE;
    /* so that windows end at the instants of other events */
    v[SIM_KNOB_SWITCH_LATENCY] = ONE_OF(&d, 0, delay, 500 * UNIT_NS);
    v[SIM_KNOB_PFC_RESPONSE] = ONE_OF(&d, SIM_AUTO, 0, 0, delay);
    v[SIM_KNOB_QUEUE_PAIRS] = ONE_OF(&d, 1, 1, 2, 3);
    v[SIM_KNOB_TIMEOUT_EXPONENT] = ONE_OF(&d, 1, 2, 4, 8);
    v[SIM_KNOB_RETRY_LIMIT] = ONE_OF(&d, 7, 1000);
    if (dice_roll(&d, 4) == 0) {
        random_commands(f, &d);
    }
}

void random_fabric_finish(struct random_fabric *f)
{
    sim_scenario_finish(&f->scenario);
}
