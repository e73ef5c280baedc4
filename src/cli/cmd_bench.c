/*
 * `weft bench`: how fast the model runs.
 *
 * A packet-hop is one data packet or ACK carried over one cable; there is one ACK for each data
 * packet, PFC and the shared-buffer accounting are on. Instructions are counted where the system
 * lets us; they do not depend on how busy the machine is, seconds do. The figures are for people and
 * for the history in tests/bench/README.md; nothing here is a verdict.
 *
 * Of each, and of every lesson, what looking back costs; of every lesson, what loading it costs; what a frame
 * on the screen costs: see bench.h.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "cli/bench.h"
#include "run/run.h"

struct bench_result {
    uint64_t hops, events, instructions; /* instructions 0: cannot be counted */
    double cpu_seconds;
    size_t state_bytes;
    long peak_kib; /* of the process so far */
    sim_ps end;
    struct bench_past past;
};

/* ---- scenarios ------------------------------------------------------------------------------- */

#define RATE  INT64_C(100000000000)
#define DELAY (1 * UNIT_US)
#define MIB   (INT64_C(1) << 20)

static bool flow(struct sim_scenario *sc, int from, int to, int64_t bytes, struct err *err)
{
    char src[16];
    char dst[16];
    (void)snprintf(src, sizeof src, "g%d", from);
    (void)snprintf(dst, sizeof dst, "g%d", to);
    return sim_scenario_flow(sc, sim_scenario_find(sc, src), sim_scenario_find(sc, dst), bytes, 0,
                             err);
}

/* 64 hosts of a star send 1 MiB each to one. */
static bool incast(struct sim_scenario *sc, struct err *err)
{
    bool ok = sim_shape_star(sc, 65, RATE, DELAY, err);
    for (int i = 2; i <= 65 && ok; i++) {
        ok = flow(sc, i, 1, MIB, err);
    }
    return ok;
}

/* Every host of a fat tree sends 2 MiB to the one half of all hosts further on. */
static bool shift(struct sim_scenario *sc, int k, struct err *err)
{
    int n = k * k * k / 4;
    bool ok = sim_shape_fat_tree(sc, k, RATE, DELAY, err);
    for (int i = 0; i < n && ok; i++) {
        ok = flow(sc, i + 1, (i + n / 2) % n + 1, 2 * MIB, err);
    }
    sc->knobs.v[SIM_KNOB_ROUTING] = SIM_ROUTE_ECMP;
    return ok;
}

static bool shift_8(struct sim_scenario *sc, struct err *err)
{
    return shift(sc, 8, err);
}

static bool shift_16(struct sim_scenario *sc, struct err *err)
{
    return shift(sc, 16, err);
}

static bool ring(struct sim_scenario *sc, int64_t bytes, struct err *err)
{
    const struct sim_training_spec work = { .bytes = bytes, .steps = 1 };
    return sim_scenario_training(sc, &work, err);
}

static bool ring_16(struct sim_scenario *sc, struct err *err)
{
    return sim_shape_star(sc, 16, RATE, DELAY, err) && ring(sc, 64 * MIB, err);
}

static bool ring_1024(struct sim_scenario *sc, struct err *err)
{
    return sim_shape_fat_tree(sc, 16, RATE, DELAY, err) && ring(sc, 64 * MIB, err);
}

static const struct bench {
    const char *name, *what;
    bool (*build)(struct sim_scenario *sc, struct err *err);
    bool by_name; /* takes minutes: only when asked for */
} benches[] = {
    { "P2-64", "incast, 64 hosts to one, 1 MiB each", incast, false },
    { "P3s-8", "shift permutation, 128 hosts in a fat tree, 2 MiB each", shift_8, false },
    { "P3s-16", "shift permutation, 1,024 hosts in a fat tree, 2 MiB each", shift_16, false },
    { "P4", "ring all-reduce, 16 hosts on a switch, 64 MiB", ring_16, false },
    { "ring-1024", "ring all-reduce, 1,024 hosts in a fat tree, 64 MiB", ring_1024, true },
};

enum { BENCHES = sizeof benches / sizeof *benches };

static bool scenario_of(const struct bench *bench, struct sim_scenario *sc, struct err *err)
{
    sim_scenario_init(sc, bench->name);
    int64_t *v = sc->knobs.v;
    v[SIM_KNOB_MTU] = 4096;
    v[SIM_KNOB_ACK_EVERY] = 1;
    v[SIM_KNOB_SWITCH_LATENCY] = 0;
    v[SIM_KNOB_XOFF] = 15 * 4096;
    v[SIM_KNOB_XON] = 12 * 4096;
    v[SIM_KNOB_BUFFER] = SIM_UNLIMITED;
    v[SIM_KNOB_TIMEOUT_EXPONENT] = 20;
    return bench->build(sc, err) && sim_scenario_check(sc, err);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static bool measure(const struct bench *bench, int counter, struct bench_result *r, struct err *err)
{
    struct sim_scenario sc;
    struct sim *sim = scenario_of(bench, &sc, err) ? sim_create(&sc, 1, err) : NULL;
    if (sim == NULL) {
        sim_scenario_finish(&sc);
        return false;
    }
    double begin = bench_cpu_seconds();
    uint64_t instructions = bench_counter_read(counter);
    while (sim_outcome(sim) == SIM_RUNNING &&
           sim_run_until(sim, 60 * UNIT_S, SIM_TRACE_BIT(DONE)) == SIM_AT_TRACE) {
    }
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    *r = (struct bench_result){ .hops = sim_counters(sim).hops,
                                .events = sim_counters(sim).events,
                                .instructions = bench_counter_read(counter) - instructions,
                                .cpu_seconds = bench_cpu_seconds() - begin,
                                .state_bytes = sim_state_size(sim),
                                .peak_kib = usage.ru_maxrss,
                                .end = sim_now(sim) };
    bool done = sim_outcome(sim) == SIM_DONE;
    sim_destroy(sim);
    sim_scenario_finish(&sc);
    return done || err_set(err, ERR_STATE, "%s did not come to an end", bench->name);
}

static bool measure_past(const struct bench *bench, struct bench_past *past, struct err *err)
{
    struct sim_scenario sc;
    const bool ok = scenario_of(bench, &sc, err) && bench_past_of_scenario(past, &sc, err);
    sim_scenario_finish(&sc);
    return ok;
}

/* ---- printing -------------------------------------------------------------------------------- */

static void add_text(struct text *out, const struct bench *bench, const struct bench_result *r)
{
    char hops[32];
    text_addf(out, "%-9s  %s\n", bench->name, bench->what);
    text_addf(out, "           %s packet-hops, %.2f events each, %.2f s CPU, %.0f ns each",
              units_grouped(hops, sizeof hops, (int64_t)r->hops),
              (double)r->events / (double)r->hops, r->cpu_seconds,
              r->cpu_seconds * 1e9 / (double)r->hops);
    if (r->instructions > 0) {
        text_addf(out, ", %.0f instructions each", (double)r->instructions / (double)r->hops);
    }
    text_addf(out, ";\n           state %.1f MB, peak %.1f MB\n", (double)r->state_bytes / 1e6,
              (double)r->peak_kib * 1024 / 1e6);
    bench_past_text(out, &r->past);
}

static void add_json(struct text *out, bool first, const struct bench *bench,
                     const struct bench_result *r)
{
    text_addf(out,
              "%s\n    {\"name\": \"%s\", \"packet_hops\": %" PRIu64 ", \"events\": %" PRIu64
              ", \"instructions\": ",
              first ? "" : ",", bench->name, r->hops, r->events);
    if (r->instructions > 0) {
        text_addf(out, "%" PRIu64, r->instructions);
    } else {
        text_add(out, "null");
    }
    text_addf(out, ", \"cpu_s\": %.3f, \"state_bytes\": %zu, \"peak_bytes\": %lld, ",
              r->cpu_seconds, r->state_bytes, (long long)r->peak_kib * 1024);
    bench_past_json(out, &r->past);
    text_add(out, "}");
}

static bool wanted(const struct cli_options *options, const struct bench *bench)
{
    for (size_t i = 0; i < options->operands.count; i++) {
        if (strcmp(options->operands.item[i], bench->name) == 0) {
            return true;
        }
    }
    return options->operands.count == 0 && !bench->by_name;
}

static bool known(const struct cli_options *options, struct err *err)
{
    for (size_t i = 0; i < options->operands.count; i++) {
        const char *name = options->operands.item[i];
        bool found =
            bench_lessons_know(name) || strchr(name, '/') != NULL || strcmp(name, "screen") == 0;
        for (size_t b = 0; b < BENCHES; b++) {
            found = found || strcmp(benches[b].name, name) == 0;
        }
        if (!found) {
            return err_set(
                err, ERR_USAGE,
                "there is no benchmark \"%s\"; there are P2-64, P3s-8, "
                "P3s-16, P4, ring-1024, screen, the lessons, and files with a / in their name",
                name);
        }
    }
    return true;
}

int cli_cmd_bench(const struct cli_options *options)
{
    struct err err = { 0 };
    struct text out = { 0 };
    bool json = options->format == CLI_JSON;
    if (!known(options, &err)) {
        return cli_complain(&err);
    }
    int counter = bench_counter_open();
    bool ok = true;
    bool first = true;
    struct bench_result r[BENCHES];
    /* the model first: what snapshots take would be part of its peak */
    for (size_t i = 0; i < BENCHES && ok; i++) {
        ok = !wanted(options, &benches[i]) || measure(&benches[i], counter, &r[i], &err);
    }
    text_add(&out, json ? "{\"schema\": 1, \"benches\": [" : "");
    for (size_t i = 0; i < BENCHES && ok; i++) {
        if (!wanted(options, &benches[i])) {
            continue;
        }
        ok = measure_past(&benches[i], &r[i].past, &err);
        if (ok && json) {
            add_json(&out, first, &benches[i], &r[i]);
        } else if (ok) {
            add_text(&out, &benches[i], &r[i]);
        }
        first = false;
    }
    text_add(&out, json ? "\n], \"lessons\": [" : "");
    ok = ok && bench_lessons(options, &out, &err);
    text_add(&out, json ? "\n], \"loads\": [" : "");
    ok = ok && bench_loads(options, counter, &out, &err);
    text_add(&out, json ? "\n], \"screen\": [" : "");
    ok = ok && bench_screen(options, &out, &err);
    text_add(&out, json ? "\n]}\n" : "");
    if (!json && counter < 0) {
        text_add(&out, "Instructions cannot be counted here.\n");
    }
    if (counter >= 0) {
        (void)close(counter);
    }
    bool printed = ok && cli_print(&out);
    text_finish(&out);
    return !ok ? cli_complain(&err) : printed ? CLI_OK : CLI_FAILED;
}
