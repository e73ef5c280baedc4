#include "app/honest.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/inside.h"
#include "sim/wire.h"

#define PS_A_METRE    5000 /* light in glass or copper */
#define NCCL_EXPONENT 20
#define TIMEOUT_UNIT  (4096 * UNIT_NS) /* InfiniBand: times 2 to the power of the exponent */

struct facts {
    const struct sim *sim;
    struct honest_fact *fact;
    size_t count;
};

static struct honest_fact *add(struct facts *f, const char *name, enum sim_knob knob)
{
    struct honest_fact *fact =
        &f->fact[f->count < HONEST_FACTS_MAX ? f->count : HONEST_FACTS_MAX - 1];
    f->count += f->count < HONEST_FACTS_MAX;
    *fact = (struct honest_fact){ .name = name, .knob = knob };
    return fact;
}

/* "66.9 m", "5 km" */
static const char *metres(int64_t ps, char *buf, size_t size)
{
    const int64_t mm = ps / (PS_A_METRE / 1000);
    if (mm >= 1000000) {
        snprintf(buf, size, "%.3g km", (double)mm / 1e6);
    } else {
        snprintf(buf, size, "%.3g m", (double)mm / 1e3);
    }
    return buf;
}

static void add_fabric(struct facts *f)
{
    const struct sim_scenario *sc = sim_scenario_of(f->sim);
    int64_t hosts = 0, switches = 0;
    char a[40], b[40], c[40];
    for (size_t i = 0; i < sc->node_count; i++) {
        hosts += sc->nodes[i].kind == SIM_HOST;
        switches += sc->nodes[i].kind == SIM_SWITCH;
    }
    struct honest_fact *fact = add(f, "fabric", SIM_KNOB_COUNT);
    snprintf(fact->value, sizeof fact->value, "%s, %s, %s",
             units_counted(a, sizeof a, hosts, "host", "hosts"),
             units_counted(b, sizeof b, switches, "switch", "switches"),
             units_counted(c, sizeof c, (int64_t)sc->link_count, "cable", "cables"));
    snprintf(fact->about, sizeof fact->about, "all of them are simulated, packet by packet");
}

static const char *const CABLES[] = { [SIM_LINK_FABRIC] = "cable",
                                      [SIM_LINK_PCIE] = "PCIe",
                                      [SIM_LINK_NVLINK] = "NVLink",
                                      [SIM_LINK_MEMORY] = "memory" };

/* Each kind of cable once, of the same rate and length. Returns the port of the first one of the fabric. */
static uint32_t add_cables(struct facts *f)
{
    enum { KINDS_MAX = 5 };
    struct sim_port_info seen[KINDS_MAX];
    size_t count = 0;
    uint32_t first = SIM_NONE;
    for (uint32_t p = 0; p < sim_port_count(f->sim) && count < KINDS_MAX; p++) {
        const struct sim_port_info port = sim_port(f->sim, p);
        bool known = false;
        for (size_t i = 0; i < count; i++) {
            known = known || (seen[i].kind == port.kind && seen[i].rate_bps == port.rate_bps &&
                              seen[i].delay_ps == port.delay_ps);
        }
        first = first == SIM_NONE && port.kind == SIM_LINK_FABRIC ? p : first;
        if (known) {
            continue;
        }
        seen[count++] = port;
        char rate[40], length[40], time[40];
        struct honest_fact *fact = add(
            f, CABLES[port.kind], port.kind == SIM_LINK_FABRIC ? SIM_KNOB_RATE : SIM_KNOB_COUNT);
        snprintf(fact->value, sizeof fact->value, "%s, %s",
                 units_format(rate, sizeof rate, UNIT_RATE, port.rate_bps),
                 metres(port.delay_ps, length, sizeof length));
        snprintf(
            fact->about, sizeof fact->about,
            "light takes %s through it, 5 ns a metre; both directions at once, each at this rate",
            units_format(time, sizeof time, UNIT_TIME, port.delay_ps));
    }
    return first != SIM_NONE ? first : 0;
}

static void add_packet(struct facts *f, uint32_t port)
{
    const struct sim_port_info info = sim_port(f->sim, port);
    const struct sim_wire_sizes wire = sim_wire_sizes(sim_knobs(f->sim));
    const sim_ps slot = sim_slot_ps(f->sim, port);
    char payload[40], frame[40], time[40], length[40], cable[40];
    const bool tcp = sim_knob(f->sim, SIM_KNOB_TRANSPORT) == SIM_TCP;
    const enum sim_knob knob = tcp ? SIM_KNOB_MSS : SIM_KNOB_MTU;
    struct honest_fact *fact = add(f, "packet", knob);
    const int64_t bytes = sim_knob(f->sim, knob);
    snprintf(fact->value, sizeof fact->value, "%s bytes, %s on the wire",
             units_grouped(payload, sizeof payload, bytes),
             units_grouped(frame, sizeof frame,
                           info.kind == SIM_LINK_FABRIC
                               ? sim_frame_max(&wire)
                               : sim_inside_bytes(info.kind, (uint32_t)bytes)));
    snprintf(fact->about, sizeof fact->about,
             "with its gap it keeps the cable busy for %s; light goes %s in that time, %s than the "
             "cable of %s: %s",
             units_format(time, sizeof time, UNIT_TIME, slot), metres(slot, length, sizeof length),
             slot > info.delay_ps ? "more" : "less", metres(info.delay_ps, cable, sizeof cable),
             slot > info.delay_ps ? "its first bit arrives before its last one has left"
                                  : "several can be under way behind one another");
}

static void add_timer(struct facts *f)
{
    const sim_ps here = sim_timeout_ps(f->sim), nccl = TIMEOUT_UNIT << NCCL_EXPONENT;
    const int64_t transport = sim_knob(f->sim, SIM_KNOB_TRANSPORT);
    char now[40], theirs[40], times[40];
    const bool ib = transport == SIM_GO_BACK_N || transport == SIM_GO_BACK_0;
    struct honest_fact *fact = add(f, "timeout",
                                   transport == SIM_TCP ? SIM_KNOB_RTO_MIN
                                   : ib                 ? SIM_KNOB_TIMEOUT_EXPONENT
                                                        : SIM_KNOB_RTO_HIGH);
    snprintf(fact->value, sizeof fact->value, "%s%s", transport == SIM_TCP ? "at least " : "",
             units_format(now, sizeof now, UNIT_TIME, here));
    units_format(theirs, sizeof theirs, UNIT_TIME, nccl);
    if (ib && here != nccl) {
        snprintf(fact->about, sizeof fact->about,
                 "4.096 us x 2^%" PRId64 "; NCCL's default, %d, is %s: %s as %s",
                 sim_knob(f->sim, SIM_KNOB_TIMEOUT_EXPONENT), NCCL_EXPONENT, theirs,
                 units_counted(times, sizeof times, here < nccl ? nccl / here : here / nccl, "time",
                               "times"),
                 here < nccl ? "long" : "short");
    } else {
        snprintf(fact->about, sizeof fact->about,
                 "how long a sender waits for an answer before it sends again on its own");
    }
}

static void add_training(struct facts *f)
{
    const struct sim *sim = f->sim;
    if (sim_rank_count(sim) == 0) {
        return;
    }
    char bytes[40], compute[40], gpus[40];
    const struct sim_training_spec *spec = &sim_scenario_of(sim)->training;
    const int64_t set = sim_knob(sim, SIM_KNOB_COMPUTE);
    struct honest_fact *fact = add(f, "gradient", SIM_KNOB_BYTES);
    snprintf(fact->value, sizeof fact->value, "%s a GPU and step",
             units_format(bytes, sizeof bytes, UNIT_BYTES,
                          sim_collective_bytes(sim) * sim_bucket_count(sim)));
    snprintf(fact->about, sizeof fact->about,
             "in %" PRId64 " %s over %s; every packet of it is sent", sim_bucket_count(sim),
             sim_bucket_count(sim) == 1 ? "exchange" : "exchanges, one after another,",
             units_counted(gpus, sizeof gpus, (int64_t)sim_rank_count(sim), "GPU", "GPUs"));
    fact = add(f, "compute", SIM_KNOB_COMPUTE);
    snprintf(
        fact->value, sizeof fact->value, "%s a step",
        units_format(compute, sizeof compute, UNIT_TIME, set == SIM_AUTO ? spec->compute_ps : set));
    snprintf(fact->about, sizeof fact->about, "a timer: no kernel runs");
}

static void add_speed(struct facts *f, sim_ps rate)
{
    if (rate <= 0) {
        return;
    }
    char time[40], times[40];
    struct honest_fact *fact = add(f, "speed", SIM_KNOB_COUNT);
    snprintf(fact->value, sizeof fact->value, "%s a second",
             units_format(time, sizeof time, UNIT_TIME, rate));
    snprintf(fact->about, sizeof fact->about, "in this gear one watches it %s slower than it is",
             units_counted(times, sizeof times, UNIT_S / rate, "time", "times"));
}

size_t honest_facts(const struct sim *sim, sim_ps rate, struct honest_fact facts[HONEST_FACTS_MAX])
{
    struct facts f = { sim, facts, 0 };
    add_fabric(&f);
    add_packet(&f, add_cables(&f));
    add_timer(&f);
    add_training(&f);
    add_speed(&f, rate);
    return f.count;
}
