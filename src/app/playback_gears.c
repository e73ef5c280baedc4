/*
 * Gears: what a tick of each is in simulated time, how fast it plays, and how that is said.
 */
#include "app/playback.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/units.h"

#define BYTES_MOST (INT64_C(1) << 40) /* of one message: sums of many stay far below 2^63 */
#define STEP_LEAST 200                /* packets of a step where there is no training */
#define STEP_MOST  1000000            /* more of them would not fit a gear anyhow */

/* The 1, 2 or 5 times a power of ten that is nearest: "2 us/s" is easier to think with than 2.26. */
static int64_t round_rate(int64_t rate, int64_t most)
{
    const int64_t least = 10 * UNIT_NS;
    int64_t best = least;
    for (int64_t ten = least; ten <= most; ten *= 10) {
        static const int64_t steps[] = { 1, 2, 5 };
        for (size_t i = 0; i < 3 && ten * steps[i] <= most; i++) {
            int64_t nice = ten * steps[i];
            /* Nearer by ratio: nice / rate against rate / best. */
            if (nice <= rate || (double)nice * (double)best < (double)rate * (double)rate) {
                best = nice;
            }
        }
    }
    return best;
}

/* A full frame on the slowest cable. */
static sim_ps longest_slot(const struct sim *sim)
{
    sim_ps longest = 1;
    for (uint32_t p = 0; p < sim_port_count(sim); p++) {
        const sim_ps slot = sim_slot_ps(sim, p);
        longest = slot > longest ? slot : longest;
    }
    return longest;
}

/* Traffic without a barrier: what the busiest host sends, or receives, when each flow has sent a message. */
static int64_t busiest_bytes(const struct sim *sim)
{
    int64_t *bytes = mem_alloc(2 * sim_node_count(sim), sizeof *bytes), most = 0;
    for (uint32_t f = 0; f < sim_flow_count(sim); f++) {
        const struct sim_flow_info flow = sim_flow(sim, f);
        const size_t at[] = { 2 * (size_t)flow.src, 2 * (size_t)flow.dst + 1 };
        for (size_t i = 0; i < 2; i++) {
            bytes[at[i]] += flow.bytes < BYTES_MOST ? flow.bytes : BYTES_MOST;
            most = bytes[at[i]] > most ? bytes[at[i]] : most;
        }
    }
    free(bytes);
    return most;
}

/* What one packet, one ring round, one step and one timeout take when nothing is in the way. */
static void measure_ticks(sim_ps tick[PLAYBACK_GEAR_COUNT], const struct sim *sim)
{
    const struct sim_scenario *sc = sim_scenario_of(sim);
    size_t ranks = sim_rank_count(sim);
    int64_t mtu = sim_knob(sim, SIM_KNOB_MTU);
    sim_ps slot = sim_port_count(sim) > 0 ? sim_slot_ps(sim, 0) : UNIT_US;
    tick[PLAYBACK_PACKET] = slot > 0 ? slot : 1;
    tick[PLAYBACK_TIMEOUT] = sim_timeout_ps(sim);
    if (ranks < 2) {
        tick[PLAYBACK_ROUND] = 20 * slot;
        const bool tcp = sim_knob(sim, SIM_KNOB_TRANSPORT) == SIM_TCP;
        const int64_t work = busiest_bytes(sim) / (tcp ? sim_knob(sim, SIM_KNOB_MSS) : mtu);
        const int64_t step = work < STEP_LEAST ? STEP_LEAST : work > STEP_MOST ? STEP_MOST : work;
        tick[PLAYBACK_STEP] = step * longest_slot(sim);
        return;
    }
    int64_t message = sim_collective_bytes(sim) / (int64_t)ranks;
    int64_t packets = message / mtu + (message % mtu != 0);
    sim_ps way = 2 * sim_port(sim, 0).delay_ps + slot + sim_knob(sim, SIM_KNOB_SWITCH_LATENCY);
    tick[PLAYBACK_ROUND] = packets * slot + way;
    int64_t compute = sim_knob(sim, SIM_KNOB_COMPUTE);
    tick[PLAYBACK_STEP] = sim_rank(sim, 0).rounds * tick[PLAYBACK_ROUND] +
                          (compute == SIM_AUTO ? sc->training.compute_ps : compute);
}

void playback_gears(const struct sim *sim, sim_ps tick[PLAYBACK_GEAR_COUNT],
                    int64_t rate[PLAYBACK_GEAR_COUNT])
{
    /* How long a tick of each gear takes on the wall. */
    static const int tick_ms[PLAYBACK_GEAR_COUNT] = { 300, 2000, 4000, 2000 };
    /* A training computes for most of a long step, which is skipped; flows may well take seconds. */
    const int64_t most = sim_rank_count(sim) < 2 ? UNIT_S : 10 * UNIT_MS;
    measure_ticks(tick, sim);
    for (int i = 0; i < PLAYBACK_GEAR_COUNT; i++) {
        tick[i] = tick[i] > 0 ? tick[i] : 1;
        rate[i] = round_rate(tick[i] / tick_ms[i] * 1000, most);
    }
}

const char *playback_gear_name(enum playback_gear gear)
{
    static const char *const names[] = { "packet", "round", "step", "timeout" };
    return names[gear];
}

const char *playback_rate_text(int64_t rate, char *buf, size_t size)
{
    char quantity[40];
    snprintf(buf, size, "%s/s", units_format(quantity, sizeof quantity, UNIT_TIME, rate));
    return buf;
}

const char *playback_wall_text(int64_t seconds, char *buf, size_t size)
{
    static const struct {
        int64_t seconds;
        const char *big, *small;
        int64_t part;
    } units[] = {
        { 365 * 86400, "years", "days", 86400 },
        { 86400, "days", "h", 3600 },
        { 3600, "h", "min", 60 },
        { 60, "min", "s", 1 },
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (seconds >= 2 * units[i].seconds || (seconds >= units[i].seconds && i >= 2)) {
            snprintf(buf, size, "%lld %s %lld %s", (long long)(seconds / units[i].seconds),
                     units[i].big, (long long)(seconds % units[i].seconds / units[i].part),
                     units[i].small);
            return buf;
        }
    }
    return units_counted(buf, size, (int64_t)seconds, "second", "seconds");
}
