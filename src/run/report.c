#include "run/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const char *const outcome_words[] = {
    [REPORT_DONE] = "done",
    [REPORT_STALLED] = "stalled",
    [REPORT_TIME_LIMIT] = "time-limit",
    [REPORT_MEMORY_LIMIT] = "memory-limit",
};

const char *report_outcome_word(enum report_outcome outcome)
{
    return outcome_words[outcome];
}

bool report_outcome_find(const char *word, enum report_outcome *outcome)
{
    for (size_t i = 0; i < sizeof outcome_words / sizeof *outcome_words; i++) {
        if (strcmp(outcome_words[i], word) == 0) {
            *outcome = (enum report_outcome)i;
            return true;
        }
    }
    return false;
}

enum report_outcome report_outcome_of(const struct sim *sim)
{
    switch (sim_outcome(sim)) {
    case SIM_RUNNING:
        return REPORT_TIME_LIMIT;
    case SIM_DONE:
        return REPORT_DONE;
    case SIM_STALLED:
        return REPORT_STALLED;
    case SIM_MEMORY_LIMIT:
        return REPORT_MEMORY_LIMIT;
    }
    return REPORT_TIME_LIMIT;
}

/* bytes in picoseconds as 1e9 bit/s */
static double gbps(int64_t bytes, sim_ps time)
{
    return time > 0 ? (double)bytes * 8000.0 / (double)time : 0.0;
}

static void take_steps(struct report *r)
{
    r->step_count = (size_t)sim_step_now(r->sim);
    r->steps = mem_alloc(r->step_count, sizeof *r->steps);
    for (size_t i = 0; i < r->step_count; i++) {
        struct sim_step s = sim_step(r->sim, (int64_t)i + 1);
        bool over = s.end != SIM_NEVER;
        r->steps[i] = (struct report_step){
            .step = (int64_t)i + 1,
            .start = s.start,
            .end = s.end,
            .compute = s.compute,
            .exposed_comm = over ? s.end - s.start - s.compute : SIM_NEVER,
            .slowest = s.slowest == SIM_NONE ? SIM_NONE : sim_rank_node(r->sim, s.slowest),
        };
    }
}

static int by_time(const void *a, const void *b)
{
    const sim_ps *x = a;
    const sim_ps *y = b;
    return (*x > *y) - (*x < *y);
}

static void take_collective(struct report *r)
{
    struct report_collective *c = &r->collective;
    size_t begun = sim_collective_count(r->sim);
    sim_ps *times = mem_alloc(begun, sizeof *times);
    double sum = 0;
    for (size_t i = 0; i < begun; i++) {
        struct sim_collective one = sim_collective(r->sim, i);
        if (one.end != SIM_NEVER) {
            times[c->count++] = one.end - one.start;
            sum += (double)(one.end - one.start);
        }
    }
    c->bytes = sim_collective_bytes(r->sim);
    c->mean = c->p50 = c->p99 = c->max = SIM_NEVER;
    if (c->count > 0) {
        qsort(times, c->count, sizeof *times, by_time);
        c->mean = (sim_ps)(sum / (double)c->count);
        c->p50 = times[(c->count - 1) / 2];
        c->p99 = times[(c->count * 99 + 99) / 100 - 1];
        c->max = times[c->count - 1];
        c->algbw_gbps = gbps(c->bytes, c->mean);
        c->busbw_gbps = c->algbw_gbps * sim_collective_bus_factor(r->sim);
    }
    free(times);
}

static void take_busy(struct report *r)
{
    size_t ranks = sim_rank_count(r->sim);
    double sum = 0;
    for (uint32_t i = 0; i < ranks; i++) {
        sum += (double)sim_rank(r->sim, i).compute_total;
    }
    r->gpu_busy = ranks == 0 ? -1.0 : r->end > 0 ? sum / (double)r->end / (double)ranks : 0.0;
}

/* Of the cable on which a flow's packets leave; with several, of the fastest. */
static int64_t line_rate(const struct sim *sim, uint32_t flow)
{
    const struct sim_node_info node = sim_node(sim, sim_flow(sim, flow).src);
    int64_t rate = 0;
    for (uint32_t p = node.first_port; p < node.first_port + node.port_count; p++) {
        const int64_t one = sim_port(sim, p).rate_bps;
        rate = one > rate ? one : rate;
    }
    return rate;
}

/* A connection is done when its last queue pair is. */
static void take_connections(struct report *r)
{
    for (uint32_t f = 0; f < r->flow_count; f++) {
        const struct sim_flow_info info = sim_flow(r->sim, f);
        if (info.lead != f) {
            r->flows[f].all = r->flows[info.lead].all;
            continue;
        }
        sim_ps end = 0;
        for (uint32_t k = f; k < f + info.pairs && end != SIM_NEVER; k++) {
            const struct report_flow *flow = &r->flows[k];
            const sim_ps at = flow->fct == SIM_NEVER ? SIM_NEVER : flow->start + flow->fct;
            end = at > end ? at : end;
        }
        r->flows[f].all = end == SIM_NEVER ? SIM_NEVER : end - r->flows[f].start;
    }
}

static void take_flows(struct report *r)
{
    const bool paced = sim_knob(r->sim, SIM_KNOB_CC) != SIM_CC_NONE;
    r->flow_count = sim_flow_count(r->sim);
    r->flows = mem_alloc(r->flow_count, sizeof *r->flows);
    for (uint32_t f = 0; f < r->flow_count; f++) {
        struct sim_flow_state s = sim_flow_state(r->sim, f);
        bool finished = s.start != SIM_NEVER && s.una == s.end && s.acked_at != SIM_NEVER;
        r->flows[f] = (struct report_flow){
            .flow = f,
            .bytes = s.posted_bytes,
            .start = s.start,
            .fct = finished ? s.acked_at - s.start : SIM_NEVER,
            .all = SIM_NEVER,
            .goodput_gbps = finished ? gbps(s.delivered_bytes, s.acked_at - s.start) : 0.0,
            .retransmitted = s.resent,
            .cwnd = s.cwnd,
            .ssthresh = s.ssthresh,
            .rtt = s.rtt > 0 ? s.rtt : SIM_NEVER,
            .rto = s.rto,
            .rate_bps = !paced           ? 0
                        : s.rate_bps > 0 ? s.rate_bps
                                         : line_rate(r->sim, f),
        };
    }
    take_connections(r);
}

/* Payload is counted once for what is staged, not leg by leg. */
static void take_crossings(struct report *r)
{
    int64_t delivered = 0;
    for (uint32_t f = 0; f < sim_flow_count(r->sim); f++) {
        if (sim_flow(r->sim, f).staged == SIM_NONE) {
            delivered += sim_flow_state(r->sim, f).delivered_bytes;
        }
    }
    r->pcie_crossings =
        delivered > 0 ? (double)r->count.crossed[SIM_LINK_PCIE] / (double)delivered : -1.0;
}

static void take_queues(struct report *r)
{
    size_t ports = sim_port_count(r->sim);
    r->queues = mem_alloc(ports, sizeof *r->queues);
    for (uint32_t p = 0; p < ports; p++) {
        if (sim_node(r->sim, sim_port(r->sim, p).node).kind == SIM_SWITCH) {
            struct sim_queue q = sim_port_queue(r->sim, p);
            r->queues[r->queue_count++] = (struct report_queue){ .port = p,
                                                                 .max_bytes = q.max_bytes,
                                                                 .mean_bytes = q.mean_bytes,
                                                                 .dropped = q.dropped };
        }
    }
}

enum { CHAIN = 32 };

/* Since when nothing of a flow has arrived. */
static sim_ps silent_since(const struct report *r, uint32_t flow)
{
    const struct sim_flow_state s = sim_flow_state(r->sim, flow);
    return s.delivered_at != SIM_NEVER ? s.delivered_at
           : s.start != SIM_NEVER      ? s.start
                                       : r->stall.since;
}

/* Adds what it comes down to, where nobody before waits for the same. A circle is told apart. */
static void add_root(struct report *r, struct report_waiting *w, const struct sim_why *chain,
                     size_t n)
{
    char root[160];
    const size_t length = strlen(w->what);
    if (n > 0 && chain[n - 1].kind == SIM_WHY_NEXT_STEP) {
        n--; /* that the barrier waits is said */
    }
    if (n == 0 || chain[n - 1].kind == SIM_WHY_CIRCLE) {
        return;
    }
    (void)sim_why_say(r->sim, &chain[n - 1], root, sizeof root);
    for (const struct report_waiting *other = r->waiting; other < w; other++) {
        if (strstr(other->what, root) != NULL) {
            return;
        }
    }
    (void)snprintf(w->what + length, sizeof w->what - length, ": %s", root);
}

static void wait_of_rank(struct report *r, uint32_t rank)
{
    struct sim_why chain[CHAIN];
    size_t n = sim_why(r->sim, rank, chain, CHAIN);
    if (n == 0 || (chain[0].kind == SIM_WHY_DEAD && chain[0].rank == rank)) {
        return; /* the dead do not wait */
    }
    struct report_waiting *w = &r->waiting[r->waiting_count++];
    w->node = sim_rank_node(r->sim, rank);
    w->since = chain[0].flow != SIM_NONE ? silent_since(r, chain[0].flow) : r->stall.since;
    (void)sim_why_say(r->sim, &chain[0], w->what, sizeof w->what);
    /* "g1 waits for data from g8": who waits is said already. */
    char who[48];
    int len = snprintf(who, sizeof who, "%s waits for ", sim_node(r->sim, w->node).name);
    if (len > 0 && (size_t)len < sizeof who && strncmp(w->what, who, (size_t)len) == 0) {
        memmove(w->what, w->what + len, strlen(w->what + len) + 1);
    }
    add_root(r, w, chain + 1, n - 1);
}

static void wait_of_flow(struct report *r, uint32_t flow)
{
    struct sim_flow_state s = sim_flow_state(r->sim, flow);
    if (s.una == s.end || sim_flow(r->sim, flow).first_leg != SIM_NONE) {
        return; /* a staged flow waits for its legs */
    }
    struct report_waiting *w = &r->waiting[r->waiting_count++];
    struct sim_why chain[CHAIN];
    char name[96];
    w->node = sim_flow(r->sim, flow).src;
    w->since = silent_since(r, flow);
    (void)snprintf(w->what, sizeof w->what, "an ACK for %s",
                   sim_packet_name(r->sim, flow, s.una, s.attempt, name, sizeof name));
    add_root(r, w, chain, sim_why_flow(r->sim, flow, chain, CHAIN));
}

static void take_stall(struct report *r)
{
    r->stall = sim_stall(r->sim);
    if (r->outcome != REPORT_STALLED) {
        return;
    }
    r->cycle_count = sim_wait_cycle(r->sim, NULL, 0, NULL);
    r->cycle = mem_alloc(r->cycle_count, sizeof *r->cycle);
    (void)sim_wait_cycle(r->sim, r->cycle, r->cycle_count, NULL);
    size_t ranks = sim_rank_count(r->sim);
    r->waiting = mem_alloc(ranks + r->flow_count, sizeof *r->waiting);
    for (uint32_t i = 0; i < ranks; i++) {
        wait_of_rank(r, i);
    }
    for (uint32_t f = 0; f < r->flow_count && ranks == 0; f++) {
        wait_of_flow(r, f);
    }
}

void report_take(struct report *r, const struct run *run)
{
    memset(r, 0, sizeof *r);
    r->sim = run_sim(run);
    r->outcome = report_outcome_of(r->sim);
    r->end = r->outcome == REPORT_DONE ? sim_done_at(r->sim) : sim_now(r->sim);
    r->count = sim_counters(r->sim);
    take_steps(r);
    take_collective(r);
    take_busy(r);
    take_flows(r);
    take_crossings(r);
    take_queues(r);
    take_stall(r);
}

void report_finish(struct report *r)
{
    free(r->steps);
    free(r->flows);
    free(r->queues);
    free(r->waiting);
    free(r->cycle);
    memset(r, 0, sizeof *r);
}
