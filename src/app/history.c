#include "app/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
    ROWS_MAX = 8192,
    PAUSES_MAX = 4096,
    RUNS_MAX = 16384, /* of one rank; then the oldest half of all is forgotten */
    BATCH = 64        /* trace records read at a time */
};

struct history_row {
    struct scene_run *run;
    size_t count, cap;
    sim_ps progress; /* last record that tells of it */
};

void history_init(struct history *h)
{
    *h = (struct history){ 0 };
}

void history_finish(struct history *h)
{
    for (size_t r = 0; r < h->row_count; r++) {
        free(h->row[r].run);
    }
    free(h->row);
    free(h->row_of);
    free(h->pause);
    *h = (struct history){ 0 };
}

enum scene_gpu_state history_rank_state(const struct sim *sim, uint32_t rank)
{
    switch (sim_rank(sim, rank).state) {
    case SIM_RANK_COMPUTES:
        return SCENE_GPU_COMPUTE;
    case SIM_RANK_EXCHANGES:
        return SCENE_GPU_EXCHANGE;
    case SIM_RANK_WAITS:
        return SCENE_GPU_STARVED;
    case SIM_RANK_PAUSED:
        return SCENE_GPU_PAUSED;
    case SIM_RANK_REFUSED:
        return SCENE_GPU_VAIN;
    case SIM_RANK_TIMER:
        return SCENE_GPU_TIMER;
    case SIM_RANK_BARRIER:
        return SCENE_GPU_BARRIER;
    case SIM_RANK_DEAD:
        return SCENE_GPU_DEAD;
    case SIM_RANK_STATE_COUNT:
        break;
    }
    return SCENE_GPU_IDLE;
}

enum scene_gpu_state history_flow_state(const struct sim *sim, uint32_t flow)
{
    const struct sim_flow_state f = sim_flow_state(sim, flow);
    const struct sim_flow_info info = sim_flow(sim, flow);
    if (f.error || sim_node_is_dead(sim, info.src)) {
        return SCENE_GPU_DEAD;
    }
    if (f.start == SIM_NEVER || f.start > sim_now(sim)) {
        return SCENE_GPU_IDLE;
    }
    if (info.messages > 0 && (uint64_t)f.delivered_bytes / info.messages >= (uint64_t)info.bytes) {
        return SCENE_GPU_BARRIER;
    }
    if (sim_port_queue(sim, info.port).paused) {
        return SCENE_GPU_PAUSED;
    }
    if (info.first_leg != SIM_NONE) {
        return SCENE_GPU_EXCHANGE; /* staged: its legs carry it */
    }
    if (f.in_flight > 0 || f.next < f.end) {
        return f.gap ? SCENE_GPU_VAIN : SCENE_GPU_EXCHANGE;
    }
    if (f.delivered_bytes >= f.posted_bytes) {
        return SCENE_GPU_EXCHANGE; /* between two of its messages */
    }
    return SCENE_GPU_TIMER; /* all is sent, nothing is on its way, and yet it has not arrived */
}

/* ---- Runs -------------------------------------------------------------------------------------- */

static struct scene_run *last_run(struct history_row *rank)
{
    return rank->count > 0 ? &rank->run[rank->count - 1] : NULL;
}

static enum scene_gpu_state state_of(struct history_row *rank)
{
    const struct scene_run *run = last_run(rank);
    return run != NULL ? run->state : SCENE_GPU_IDLE;
}

/* From `t` on the rank is in `state`. `t` is not before the start of its last run. */
static void enter(struct history_row *rank, sim_ps t, enum scene_gpu_state state)
{
    struct scene_run *last = last_run(rank);
    if (last != NULL && last->state == state) {
        last->t1_ps = t > last->t1_ps ? t : last->t1_ps;
        return;
    }
    if (last != NULL && t <= last->t0_ps) { /* it never lasted */
        rank->count--;
        enter(rank, t, state);
        return;
    }
    if (last != NULL) {
        last->t1_ps = t;
    }
    rank->run = mem_grow(rank->run, &rank->cap, rank->count + 1, sizeof *rank->run);
    rank->run[rank->count++] = (struct scene_run){ t, t, state };
}

/* Forgets what lies after `t`. */
static void cut_rank(struct history_row *rank, sim_ps t)
{
    while (rank->count > 0 && rank->run[rank->count - 1].t0_ps >= t) {
        rank->count--;
    }
    struct scene_run *last = last_run(rank);
    if (last != NULL && last->t1_ps > t) {
        last->t1_ps = t;
    }
}

static void forget_before(struct history *h, sim_ps t)
{
    for (size_t r = 0; r < h->row_count; r++) {
        struct history_row *rank = &h->row[r];
        size_t n = 0;
        while (n + 1 < rank->count && rank->run[n].t1_ps <= t) {
            n++;
        }
        memmove(rank->run, rank->run + n, (rank->count - n) * sizeof *rank->run);
        rank->count -= n;
    }
    h->from = t;
}

/* ---- Pauses ------------------------------------------------------------------------------------- */

static void thin_pauses(struct history *h)
{
    const sim_ps span = h->pause[h->pause_count - 1] - h->pause[0];
    size_t kept = 1;
    h->pause_apart = span / (PAUSES_MAX / 2) + 1;
    for (size_t i = 1; i < h->pause_count; i++) {
        if (h->pause[i] - h->pause[kept - 1] >= h->pause_apart) {
            h->pause[kept++] = h->pause[i];
        }
    }
    h->pause_count = kept;
}

static void add_pause(struct history *h, sim_ps t)
{
    if (h->pause_count > 0 && t - h->pause[h->pause_count - 1] < h->pause_apart) {
        return;
    }
    h->pause = mem_grow(h->pause, &h->pause_cap, h->pause_count + 1, sizeof *h->pause);
    h->pause[h->pause_count++] = t;
    if (h->pause_count == PAUSES_MAX) {
        thin_pauses(h);
    }
}

/* ---- What the trace says ------------------------------------------------------------------------ */

/* The row that a record at a host is about. */
static struct history_row *row_at(struct history *h, const struct sim *sim,
                                  const struct sim_record *rec)
{
    uint32_t row = SIM_NONE;
    if (h->flows && rec->flow != SIM_NONE) {
        row = rec->flow;
    } else if (rec->port != SIM_NONE) {
        row = h->row_of[sim_port(sim, rec->port).node];
    }
    return row < h->row_count ? &h->row[row] : NULL;
}

/* From `since` to `until` the rank waited, and nobody saw it because no sample fell into it. */
static void add_unseen(struct history_row *rank, sim_ps since, sim_ps until,
                       enum scene_gpu_state state)
{
    if (state_of(rank) == SCENE_GPU_EXCHANGE) {
        cut_rank(rank, since);
        enter(rank, since, state);
        enter(rank, until, SCENE_GPU_EXCHANGE);
    }
}

/* A timer that began and ended between two samples. Its GPU sat on it; those that made no progress
 * for most of that time, and are not at the barrier, waited for data. */
static void add_timeout(struct history *h, struct history_row *host, const struct sim_record *rec)
{
    sim_ps since = rec->t - rec->value;
    since = since < h->known ? h->known : since;
    if (rec->t - since > rec->value / 2) {
        for (size_t r = 0; r < h->row_count; r++) {
            struct history_row *rank = &h->row[r];
            const sim_ps idle = rank->progress > since ? rank->progress : since;
            if (rank != host && rec->t - idle > rec->value / 2) {
                add_unseen(rank, idle, rec->t, SCENE_GPU_STARVED);
            }
        }
        add_unseen(host, since, rec->t, SCENE_GPU_TIMER);
    }
    enter(host, rec->t, SCENE_GPU_EXCHANGE);
}

static void take_record(struct history *h, const struct sim *sim, const struct sim_record *rec)
{
    struct history_row *rank = !h->flows && rec->rank < h->row_count ? &h->row[rec->rank] : NULL;
    struct history_row *host = row_at(h, sim, rec);
    if (rank != NULL) {
        rank->progress = rec->t;
    }
    if (rec->kind == SIM_TRACE_XOFF) {
        add_pause(h, rec->t);
    } else if (rec->kind == SIM_TRACE_STEP) {
        for (size_t r = 0; r < h->row_count; r++) {
            enter(&h->row[r], rec->t, SCENE_GPU_COMPUTE);
        }
    } else if (rec->kind == SIM_TRACE_COMPUTED && rank != NULL) {
        enter(rank, rec->t, SCENE_GPU_EXCHANGE);
    } else if (rec->kind == SIM_TRACE_AT_BARRIER && rank != NULL) {
        enter(rank, rec->t, SCENE_GPU_BARRIER);
    } else if (rec->kind == SIM_TRACE_PAUSED && host != NULL &&
               state_of(host) == SCENE_GPU_EXCHANGE) {
        enter(host, rec->t, SCENE_GPU_PAUSED);
    } else if (rec->kind == SIM_TRACE_RESUMED && host != NULL &&
               state_of(host) == SCENE_GPU_PAUSED) {
        enter(host, rec->t, SCENE_GPU_EXCHANGE);
    } else if (rec->kind == SIM_TRACE_FLOW_DONE && h->flows && host != NULL) {
        enter(host, rec->t, SCENE_GPU_BARRIER);
    } else if (rec->kind == SIM_TRACE_TIMEOUT && host != NULL) {
        add_timeout(h, host, rec);
    }
}

/* Flows that have begun since the last sample: of that there is no record. */
static void begin_flows(struct history *h, const struct sim *sim)
{
    for (uint32_t r = 0; h->flows && r < h->row_count; r++) {
        struct history_row *row = &h->row[r];
        const sim_ps start = sim_flow_state(sim, r).start;
        const bool waits = row->count == 0 || state_of(row) == SCENE_GPU_IDLE;
        if (waits && start <= sim_now(sim) && start >= h->known) {
            if (row->count == 0 && start > h->from) {
                enter(row, h->from, SCENE_GPU_IDLE);
            }
            enter(row, start, SCENE_GPU_EXCHANGE);
        }
    }
}

/* Records up to now, without those that a step back reads over. */
static void read_trace(struct history *h, const struct sim *sim)
{
    struct sim_record batch[BATCH];
    size_t n;
    while ((n = sim_trace_read(sim, &h->seen, batch, BATCH)) > 0) {
        for (size_t i = 0; i < n; i++) {
            if (batch[i].t > h->skip) {
                take_record(h, sim, &batch[i]);
            }
        }
    }
}

/* ---- Life --------------------------------------------------------------------------------------- */

void history_attach(struct history *h, const struct sim *sim)
{
    history_finish(h);
    h->skip = -1;
    h->flows = sim_rank_count(sim) == 0;
    h->row_count = h->flows ? sim_flow_count(sim) : sim_rank_count(sim);
    h->row_count = h->row_count < ROWS_MAX ? h->row_count : ROWS_MAX;
    h->node_count = sim_node_count(sim);
    h->row = mem_alloc(h->row_count + 1, sizeof *h->row);
    h->row_of = mem_alloc(h->node_count + 1, sizeof *h->row_of);
    for (size_t n = 0; n < h->node_count; n++) {
        h->row_of[n] = SIM_NONE;
    }
    for (uint32_t r = (uint32_t)h->row_count; r-- > 0;) {
        h->row_of[h->flows ? sim_flow(sim, r).src : sim_rank_node(sim, r)] = r;
    }
    history_sample(h, sim);
}

void history_fork(struct history *h, const struct history *from, const struct sim *sim, sim_ps t)
{
    history_finish(h);
    *h = *from;
    h->row = mem_alloc(h->row_count + 1, sizeof *h->row);
    for (size_t r = 0; r < h->row_count; r++) {
        h->row[r] = from->row[r];
        h->row[r].cap = h->row[r].count;
        h->row[r].run = mem_dup(from->row[r].run, from->row[r].count * sizeof *from->row[r].run);
    }
    h->pause_cap = h->pause_count;
    h->pause = mem_dup(from->pause, from->pause_count * sizeof *from->pause);
    h->row_of = mem_dup(from->row_of, (h->node_count + 1) * sizeof *h->row_of);
    history_cut(h, sim, t);
}

void history_cut(struct history *h, const struct sim *sim, sim_ps t)
{
    if (t < h->known) {
        for (size_t r = 0; r < h->row_count; r++) {
            cut_rank(&h->row[r], t);
        }
        while (h->pause_count > 0 && h->pause[h->pause_count - 1] > t) {
            h->pause_count--;
        }
        h->from = t < h->from ? t : h->from;
        h->known = t;
        h->skip = t;
        h->seen = 0;
    }
    history_sample(h, sim);
}

void history_sample(struct history *h, const struct sim *sim)
{
    const sim_ps now = sim_now(sim);
    if (now < h->known) {
        return; /* known already */
    }
    begin_flows(h, sim);
    read_trace(h, sim);
    size_t most = 0;
    for (uint32_t r = 0; r < h->row_count; r++) {
        struct history_row *rank = &h->row[r];
        enter(rank, now, h->flows ? history_flow_state(sim, r) : history_rank_state(sim, r));
        last_run(rank)->t1_ps = now;
        most = rank->count > most ? rank->count : most;
    }
    h->known = now;
    for (size_t r = 0; most > RUNS_MAX && r < h->row_count; r++) {
        if (h->row[r].count == most) {
            forget_before(h, h->row[r].run[most / 2].t0_ps);
            break;
        }
    }
}

void history_stand(struct history *h, sim_ps t)
{
    for (size_t r = 0; t > h->known && r < h->row_count; r++) {
        struct scene_run *last = last_run(&h->row[r]);
        if (last != NULL) {
            last->t1_ps = t;
        }
    }
    h->known = t > h->known ? t : h->known;
}

const struct scene_run *history_runs(const struct history *h, size_t rank, size_t *count)
{
    *count = h->row[rank].count;
    return h->row[rank].run;
}

/* ---- Silences ----------------------------------------------------------------------------------- */

static bool is_busy(enum scene_gpu_state state)
{
    return state == SCENE_GPU_COMPUTE || state == SCENE_GPU_EXCHANGE || state == SCENE_GPU_PAUSED ||
           state == SCENE_GPU_VAIN;
}

/* Where a sweep over all rows of one or two histories stands: the first run of each that ends after the
 * present moment. */
struct sweep {
    const struct history *of[2];
    size_t *at[2];
    int count;
};

static const struct scene_run *run_after(struct sweep *s, int k, size_t r, sim_ps t)
{
    const struct history_row *rank = &s->of[k]->row[r];
    size_t *at = &s->at[k][r];
    while (*at < rank->count && rank->run[*at].t1_ps <= t) {
        ++*at;
    }
    return *at < rank->count ? &rank->run[*at] : NULL;
}

/* The moment from `t` on at which a row that is busy then stops being so. */
static sim_ps busy_until(struct sweep *s, int k, size_t r, sim_ps t)
{
    const struct scene_run *run = run_after(s, k, r, t);
    while (run != NULL && run->t0_ps <= t && is_busy(run->state)) {
        t = run->t1_ps;
        run = run_after(s, k, r, t);
    }
    return t;
}

/* First moment from `t` on at which nobody is busy; t1 when there is none before. */
static sim_ps next_quiet(struct sweep *s, sim_ps t, sim_ps t1)
{
    for (sim_ps before = -1; before != t && t < t1;) {
        before = t;
        for (int k = 0; k < s->count; k++) {
            for (size_t r = 0; r < s->of[k]->row_count; r++) {
                t = busy_until(s, k, r, t);
            }
        }
    }
    return t < t1 ? t : t1;
}

/* First moment after `t` at which somebody is busy; t1 when there is none before. */
static sim_ps next_busy(struct sweep *s, sim_ps t, sim_ps t1)
{
    for (int k = 0; k < s->count; k++) {
        for (size_t r = 0; r < s->of[k]->row_count; r++) {
            const struct history_row *rank = &s->of[k]->row[r];
            run_after(s, k, r, t);
            for (size_t i = s->at[k][r]; i < rank->count && rank->run[i].t0_ps < t1; i++) {
                if (is_busy(rank->run[i].state)) {
                    t1 = rank->run[i].t0_ps;
                }
            }
        }
    }
    return t1;
}

/* All silences of some length; `*rest` is the time outside of them. */
static size_t find_silences(struct sweep *s, sim_ps t0, sim_ps t1, sim_ps *rest,
                            struct scene_cut *out, size_t cap)
{
    const sim_ps least = (t1 - t0) / 50; /* shorter ones are part of the rest */
    size_t n = 0;
    *rest = t1 - t0;
    sim_ps from = s->of[0]->from;
    from = s->count > 1 && s->of[1]->from > from ? s->of[1]->from : from;
    for (sim_ps t = t0 > from ? t0 : from; t < t1 && n < cap;) {
        const sim_ps quiet = next_quiet(s, t, t1);
        t = next_busy(s, quiet, t1);
        if (t - quiet > least) {
            out[n++] = (struct scene_cut){ quiet, t };
            *rest -= t - quiet;
        }
    }
    return n;
}

size_t history_cuts(const struct history *h, const struct history *beside, sim_ps t0, sim_ps t1,
                    struct scene_cut *out, size_t cap)
{
    struct sweep s = { .of = { h, beside }, .count = beside != NULL ? 2 : 1 };
    size_t rows = 0;
    for (int k = 0; k < s.count; k++) {
        t1 = t1 < s.of[k]->known ? t1 : s.of[k]->known; /* what is not known yet is no silence */
        rows += s.of[k]->row_count;
    }
    if (rows == 0 || t1 <= t0) {
        return 0;
    }
    for (int k = 0; k < s.count; k++) {
        s.at[k] = mem_alloc(s.of[k]->row_count + 1, sizeof *s.at[k]);
    }
    sim_ps rest = 0;
    const size_t n = find_silences(&s, t0, t1, &rest, out, cap);
    free(s.at[0]);
    free(s.at[1]);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const sim_ps margin = rest / 8;
        if (out[i].t1_ps - out[i].t0_ps > 3 * rest) {
            out[kept++] = (struct scene_cut){ out[i].t0_ps + margin, out[i].t1_ps - margin };
        }
    }
    return kept;
}
