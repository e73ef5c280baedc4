#include "sim/probe.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "sim/cc.h"
#include "sim/switch.h"
#include "sim/world.h"

void sim_probe_add(struct sim_probe *probe, const char *name, double value)
{
    if (probe->count < SIM_PROBE_VALUES_MAX) {
        struct sim_probe_value *v = &probe->v[probe->count++];
        (void)snprintf(v->name, sizeof v->name, "%s", name);
        v->value = value;
    }
}

/* ---- marking --------------------------------------------------------------------------------- */

/* A million packets leave a queue of 102.5 KB under 5 KB, 200 KB, 1 %. */
static void marking(struct sim_probe *probe)
{
    enum { PACKETS = 1000000 };
    struct sim_knobs knobs;
    sim_knobs_default(&knobs);
    knobs.v[SIM_KNOB_KMIN] = 5000;
    knobs.v[SIM_KNOB_KMAX] = 200000;
    knobs.v[SIM_KNOB_PMAX] = UNIT_NTH(100);
    const uint64_t share = sim_ecn_share(&knobs, 102500);
    int marked = 0;
    for (uint64_t i = 0; i < PACKETS; i++) {
        marked += rng_mix3(1, 2, i) >> 32 < share;
    }
    sim_probe_add(probe, "marked", (double)marked / PACKETS);
    sim_probe_add(probe, "at_kmin", (double)sim_ecn_share(&knobs, 5000) / (double)UNIT_ONE);
    sim_probe_add(probe, "above_kmax", (double)sim_ecn_share(&knobs, 200001) / (double)UNIT_ONE);
}

/* ---- one sender, one receiver ---------------------------------------------------------------- */

/* One endless flow at 40 Gb/s under DCQCN, 1024-byte packets; the caller destroys it. */
static struct sim *one_flow(int64_t kmin, int64_t kmax)
{
    struct sim_scenario sc;
    sim_scenario_init(&sc, "probe");
    sc.knobs.v[SIM_KNOB_MTU] = 1024;
    sc.knobs.v[SIM_KNOB_SWITCH_LATENCY] = 0;
    sc.knobs.v[SIM_KNOB_FLOW_CONTROL] = SIM_FC_NONE;
    sc.knobs.v[SIM_KNOB_BUFFER] = SIM_UNLIMITED;
    sc.knobs.v[SIM_KNOB_QUEUE_CAP] = SIM_UNLIMITED;
    sc.knobs.v[SIM_KNOB_ECN] = SIM_ON;
    sc.knobs.v[SIM_KNOB_CC] = SIM_CC_DCQCN;
    sc.knobs.v[SIM_KNOB_KMIN] = kmin;
    sc.knobs.v[SIM_KNOB_KMAX] = kmax;
    struct sim *s = NULL;
    if (sim_shape_star(&sc, 2, INT64_C(40000000000), UNIT_US, NULL) &&
        sim_scenario_flow(&sc, sim_scenario_find(&sc, "g1"), sim_scenario_find(&sc, "g2"),
                          INT64_C(1) << 40, 0, NULL)) {
        s = sim_create(&sc, 1, NULL);
    }
    sim_scenario_finish(&sc);
    return s;
}

/* The rate of a sender that gets one warning at line rate, then none. */
static void reaction(struct sim_probe *probe)
{
    enum { STAGES = 7 };
    struct sim *s = one_flow(INT64_C(1) << 40, INT64_C(1) << 40); /* no mark but this one */
    if (s == NULL) {
        return;
    }
    (void)sim_run_until(s, UNIT_US, 0);
    const uint32_t cnp = sim_packet_alloc(s);
    s->packets[cnp].kind = SIM_FRAME_CNP;
    s->packets[cnp].flow = 0;
    s->qps[0].in_flight++;
    sim_cc_cnp(s, cnp);
    sim_probe_add(probe, "cut", (double)s->qps[0].cc.rate / 1e9);
    for (int i = 1; i <= STAGES; i++) {
        char name[16];
        (void)sim_run_until(s, UNIT_US + 55 * UNIT_US * i, 0);
        (void)snprintf(name, sizeof name, "stage%d", i);
        sim_probe_add(probe, name, (double)s->qps[0].cc.rate / 1e9);
        if (i == 1) {
            sim_probe_add(probe, "alpha", (double)s->qps[0].cc.alpha / (double)UNIT_ONE);
        }
    }
    sim_destroy(s);
}

/* Warnings a second of a receiver to whom every packet comes marked, from a sender at line rate. */
static void warnings(struct sim_probe *probe)
{
    struct sim *s = one_flow(0, 0);
    if (s == NULL) {
        return;
    }
    s->w->knobs.v[SIM_KNOB_DCQCN_MIN] = INT64_C(40000000000);
    (void)sim_run_until(s, 10 * UNIT_MS, 0);
    const uint64_t before = sim_counters(s).cnps;
    (void)sim_run_until(s, 110 * UNIT_MS, 0);
    sim_probe_add(probe, "cnps", (double)(sim_counters(s).cnps - before));
    sim_destroy(s);
}

/* ---- marks before pauses --------------------------------------------------------------------- */

/* 8 to 30 of 32 hosts at 40 Gb/s send 8 MiB to one of two, all at once. Switch memory as of a chip
 * with 12 MB for 8 classes, one of them in use; `k`: Kmin and Kmax. */
static struct sim *random_incast(int64_t k, uint64_t seed)
{
    enum { HOSTS = 32, HEADROOM = 22400 };
    struct sim_scenario sc;
    sim_scenario_init(&sc, "probe");
    sc.knobs.v[SIM_KNOB_MTU] = 1024;
    sc.knobs.v[SIM_KNOB_SWITCH_LATENCY] = 0;
    sc.knobs.v[SIM_KNOB_ACK_EVERY] = 1;
    sc.knobs.v[SIM_KNOB_PFC_RESPONSE] = 0;
    sc.knobs.v[SIM_KNOB_HEADROOM] = HEADROOM;
    sc.knobs.v[SIM_KNOB_ALPHA] = UNIT_ONE;
    sc.knobs.v[SIM_KNOB_BUFFER] = 12000000 - 7 * HOSTS * HEADROOM;
    sc.knobs.v[SIM_KNOB_QUEUE_CAP] = SIM_UNLIMITED;
    sc.knobs.v[SIM_KNOB_ECN] = SIM_ON;
    sc.knobs.v[SIM_KNOB_KMIN] = sc.knobs.v[SIM_KNOB_KMAX] = k;
    sc.knobs.v[SIM_KNOB_PMAX] = UNIT_ONE;
    const uint32_t senders = 8 + (uint32_t)(rng_mix3(seed, 1, 1) % 23);
    struct sim *s = NULL;
    bool ok = sim_shape_star(&sc, HOSTS, INT64_C(40000000000), 25 * UNIT_NS, NULL);
    for (uint32_t i = 1; ok && i <= senders; i++) {
        char src[16];
        (void)snprintf(src, sizeof src, "g%u", i);
        const bool first = rng_mix3(seed, 2, i) % 3 > 0;
        ok = sim_scenario_flow(&sc, sim_scenario_find(&sc, src),
                               sim_scenario_find(&sc, first ? "g31" : "g32"), 8 << 20, 0, NULL);
    }
    if (ok) {
        s = sim_create(&sc, seed, NULL);
    }
    sim_scenario_finish(&sc);
    return s;
}

/* Counts the first XOFF of each port, and those before which every flow of that host was marked. */
static void count_first_pauses(struct sim *s, int *pauses, int *marked_before)
{
    bool marked[64] = { false };
    bool paused[64] = { false };
    uint64_t seen = 0;
    uint64_t fine = 0;
    struct sim_record rec;
    sim_trace_listen(s, SIM_TRACE_BIT(MARK));
    while (sim_run_until(s, 10 * UNIT_MS, SIM_TRACE_BIT(XOFF)) == SIM_AT_TRACE) {
        while (sim_trace_read_fine(s, &fine, &rec, 1) == 1) {
            marked[rec.flow] = true;
        }
        while (sim_trace_read(s, &seen, &rec, 1) == 1) {
            if (rec.kind != SIM_TRACE_XOFF || paused[rec.port]) {
                continue;
            }
            paused[rec.port] = true;
            bool all = true;
            for (uint32_t f = 0; f < sim_flow_count(s); f++) {
                const uint32_t host = sim_port(s, sim_port(s, rec.port).peer).node;
                all = all && (sim_flow(s, f).src != host || marked[f]);
            }
            ++*pauses;
            *marked_before += all;
        }
    }
}

static void first_pauses(struct sim_probe *probe)
{
    static const struct {
        int64_t k;
        const char *pauses, *unmarked;
    } rows[] = { { 21000, "low_pauses", "low_unmarked" },
                 { 2000000, "high_pauses", "high_unmarked" } };
    enum { SEEDS = 20 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int pauses = 0;
        int marked = 0;
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct sim *s = random_incast(rows[i].k, seed);
            if (s == NULL) {
                return;
            }
            count_first_pauses(s, &pauses, &marked);
            sim_destroy(s);
        }
        sim_probe_add(probe, rows[i].pauses, pauses);
        sim_probe_add(probe, rows[i].unmarked, pauses - marked);
    }
}

/* ---- the luck of hashing --------------------------------------------------------------------- */

/* Spreads flows over links by hash; returns how many are on the busiest, and how many links idle. */
static uint32_t busiest(uint32_t flows, uint32_t links, uint64_t seed, uint32_t *idle)
{
    uint32_t load[64] = { 0 };
    uint32_t most = 0;
    for (uint32_t f = 0; f < flows; f++) {
        const uint32_t link = (uint32_t)(rng_mix3(seed, rng_mix(f + 1), 99) % links);
        most = ++load[link] > most ? load[link] : most;
    }
    *idle = 0;
    for (uint32_t l = 0; l < links; l++) {
        *idle += load[l] == 0;
    }
    return most;
}

/* Flows on the busiest link, the mean of 10,000 hashes: "flows/links". */
static void hash_load(struct sim_probe *probe)
{
    static const struct {
        uint32_t flows, links;
    } rows[] = { { 2, 2 },   { 4, 4 }, { 8, 8 },  { 16, 16 }, { 32, 32 },
                 { 64, 64 }, { 8, 4 }, { 16, 8 }, { 64, 8 },  { 256, 16 } };
    enum { SEEDS = 10000 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double sum = 0;
        uint32_t idle;
        char name[24];
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            sum += busiest(rows[i].flows, rows[i].links, seed, &idle);
        }
        (void)snprintf(name, sizeof name, "%u/%u", rows[i].flows, rows[i].links);
        sim_probe_add(probe, name, sum / SEEDS);
    }
}

/* How often n flows on n links never meet, and the share of 8 links that 8 flows leave idle. */
static void hash_luck(struct sim_probe *probe)
{
    enum { SEEDS = 100000 };
    static const uint32_t sizes[] = { 4, 8 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const uint32_t n = sizes[i];
        uint32_t apart = 0;
        uint64_t unused = 0;
        char name[24];
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            uint32_t idle;
            apart += busiest(n, n, seed, &idle) == 1;
            unused += idle;
        }
        (void)snprintf(name, sizeof name, "apart %u/%u", n, n);
        sim_probe_add(probe, name, (double)apart / SEEDS);
        (void)snprintf(name, sizeof name, "idle %u/%u", n, n);
        sim_probe_add(probe, name, (double)unused / SEEDS / n);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

#define PROBES(X)                                                                                  \
    X("marking", marking)                                                                          \
    X("reaction", reaction)                                                                        \
    X("warnings", warnings)                                                                        \
    X("first_pauses", first_pauses)                                                                \
    X("hash_load", hash_load)                                                                      \
    X("hash_luck", hash_luck)

static const struct {
    const char *name;
    void (*run)(struct sim_probe *probe);
} probes[] = {
#define X(name, run) { name, run },
    PROBES(X)
#undef X
};

bool sim_probe_run(const char *name, struct sim_probe *probe)
{
    *probe = (struct sim_probe){ .count = 0 };
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
        if (strcmp(probes[i].name, name) == 0) {
            probes[i].run(probe);
            return true;
        }
    }
    return false;
}

const char *const *sim_probe_names(void)
{
    static const char *const names[] = {
#define X(name, run) name,
        PROBES(X)
#undef X
            NULL,
    };
    return names;
}
