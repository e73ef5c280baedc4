#include "run/seek.h"

#include <inttypes.h>

#include "base/units.h"
#include "run/inside.h"

/* After a jump so many records before it can be read, for those who list the latest ones. */
enum { RECORDS_BEHIND = 64, BATCH = 64 };

uint64_t run_seen(const struct run *run)
{
    return run->seen;
}

const char *run_unit_word(enum run_unit unit)
{
    static const char *const words[RUN_UNIT_COUNT] = {
#define X(id, word) [RUN_##id] = word,
        RUN_UNITS(X)
#undef X
    };
    return words[unit];
}

/* ---- to a time ------------------------------------------------------------------------------- */

void run_restore_snapshot(struct run *run, size_t i)
{
    const struct snapshot *shot = run->shots.v[i];
    sim_state_load(run->sim, shot->state);
    run->applied = shot->applied;
    run->seen = shot->seq;
    if (run->failed.code != ERR_NONE && run->failed_line >= run->applied) {
        run->failed = (struct err){ 0 }; /* it is still to come */
    }
}

/* Whether the records just before a snapshot can be read from there on. */
static bool is_known_behind(const struct run *run, size_t i)
{
    uint64_t begin, end;
    const uint64_t seq = run->shots.v[i]->seq;
    sim_trace_kept(run->sim, &begin, &end);
    return seq <= end && seq >= begin && (begin == 0 || seq - begin >= RECORDS_BEHIND);
}

void run_restore(struct run *run, sim_ps t, size_t lines)
{
    size_t i = snapshots_find(&run->shots, t, lines);
    if (i > 0 && !is_known_behind(run, i)) {
        i--; /* begin a little earlier and write them again */
    }
    run_restore_snapshot(run, i);
}

bool run_seek(struct run *run, sim_ps t, struct err *err)
{
    if (t < 0) {
        return err_set(err, ERR_RANGE, "a run begins at 0");
    }
    const struct snapshot *best = run->shots.v[snapshots_find(&run->shots, t, SIZE_MAX)];
    if (t < sim_now(run->sim) || best->at > sim_now(run->sim)) {
        run_restore(run, t, SIZE_MAX);
    }
    (void)run_until(run, t, 0);
    return true;
}

/* Back to where one stood before a search. */
static bool return_to(struct run *run, sim_ps t, uint64_t seen)
{
    (void)run_seek(run, t, NULL);
    run->seen = seen;
    return false;
}

/* ---- records --------------------------------------------------------------------------------- */

static bool is_wanted(const struct run *run, const struct run_want *want,
                      const struct sim_record *r)
{
    return (want->kinds >> r->kind & 1u) != 0 && (!want->of_rank || r->rank == want->rank) &&
           (want->step == 0 || r->step == want->step) &&
           (want->value == 0 || r->value == want->value) &&
           (!want->of_node || sim_record_about(run->sim, r, want->node));
}

/* The first wanted record from `seq` on, up to now. */
static bool scan_on(const struct run *run, const struct run_want *want, uint64_t seq,
                    struct sim_record *found)
{
    struct sim_record r[BATCH];
    size_t n;
    while ((n = sim_trace_read(run->sim, &seq, r, BATCH)) > 0) {
        for (size_t i = 0; i < n; i++) {
            if (is_wanted(run, want, &r[i])) {
                *found = r[i];
                return true;
            }
        }
    }
    return false;
}

/* The last wanted record in [from, to) that is still kept. */
static bool scan_back(const struct run *run, const struct run_want *want, uint64_t from,
                      uint64_t to, struct sim_record *found)
{
    while (to > from) {
        uint64_t cursor = to - from > BATCH ? to - BATCH : from;
        const uint64_t begin = cursor;
        struct sim_record r[BATCH];
        size_t n = sim_trace_read(run->sim, &cursor, r, (size_t)(to - begin));
        while (n-- > 0) {
            if (r[n].seq < to && is_wanted(run, want, &r[n])) {
                *found = r[n];
                return true;
            }
        }
        to = begin;
    }
    return false;
}

/* How far a search goes: in time, and in what it may cost. */
struct horizon {
    sim_ps time;
    uint64_t events;
};

static struct horizon horizon_of(const struct run *run)
{
    const sim_ps now = sim_now(run->sim);
    return (struct horizon){ now < SIM_NEVER - RUN_FAR ? now + RUN_FAR : SIM_NEVER,
                             sim_events(run->sim) + RUN_FAR_EVENTS };
}

/* On to the next record of these kinds. In slices that double, so that the cost can be seen. */
static bool run_to_record(struct run *run, uint32_t kinds, struct horizon h)
{
    enum sim_stopped stopped = SIM_AT_TIME;
    for (sim_ps slice = UNIT_US; stopped == SIM_AT_TIME; slice *= slice < UNIT_S ? 2 : 1) {
        const sim_ps next = run_next_moment(run);
        if (next > h.time || next == SIM_NEVER || sim_events(run->sim) >= h.events) {
            return false;
        }
        stopped = run_until(run, h.time - next > slice ? next + slice : h.time, kinds);
    }
    return stopped == SIM_AT_TRACE;
}

static bool find_on(struct run *run, const struct run_want *want, struct horizon h,
                    struct sim_record *found)
{
    const sim_ps now = sim_now(run->sim);
    const uint64_t seen = run->seen;
    uint64_t seq = seen;
    (void)run_until(run, now, 0); /* the rest of this instant */
    bool is_found = scan_on(run, want, seq, found);
    while (!is_found) {
        seq = sim_trace_seq(run->sim);
        if (!run_to_record(run, want->kinds, h)) {
            return return_to(run, now, seen);
        }
        is_found = scan_on(run, want, seq, found);
    }
    (void)run_until(run, sim_now(run->sim), 0);
    run->seen = found->seq + 1;
    return true;
}

/* The last wanted record before sequence number `before` that comes up between a snapshot and `to`. */
static bool find_since(struct run *run, size_t shot, const struct run_want *want, sim_ps to,
                       uint64_t before, struct sim_record *found)
{
    bool is_found = false;
    enum sim_stopped stopped;
    run_restore_snapshot(run, shot);
    do {
        const uint64_t seq = sim_trace_seq(run->sim);
        stopped = run_until(run, to, want->kinds);
        is_found =
            scan_back(run, want, seq,
                      sim_trace_seq(run->sim) < before ? sim_trace_seq(run->sim) : before, found) ||
            is_found;
    } while (stopped == SIM_AT_TRACE);
    return is_found;
}

/* Whether the record one has seen last is of this very instant: then one stands at it. */
static bool stands_at_record(const struct run *run)
{
    uint64_t cursor = run->seen - 1;
    struct sim_record r;
    return run->seen > 0 && sim_trace_read(run->sim, &cursor, &r, 1) == 1 &&
           r.seq == run->seen - 1 && r.t == sim_now(run->sim);
}

static bool find_back(struct run *run, const struct run_want *want, struct sim_record *found)
{
    const sim_ps now = sim_now(run->sim);
    const uint64_t seen = run->seen, before = stands_at_record(run) ? seen - 1 : seen;
    uint64_t begin, end;
    sim_trace_kept(run->sim, &begin, &end);
    bool is_found = begin < before && scan_back(run, want, begin, before, found);
    if (!is_found && begin > 0) { /* it may lie where the trace does not reach any more */
        sim_ps to = now;
        for (size_t i = snapshots_find(&run->shots, now > 0 ? now - 1 : 0, SIZE_MAX) + 1;
             i-- > 0 && !is_found;) {
            const sim_ps from = run->shots.v[i]->at;
            is_found = find_since(run, i, want, to, before, found);
            to = from;
        }
    }
    if (!is_found) {
        return return_to(run, now, seen);
    }
    (void)run_seek(run, found->t, NULL);
    run->seen = found->seq + 1;
    return true;
}

bool run_find(struct run *run, const struct run_want *want, enum run_way way, sim_ps limit,
              struct sim_record *found)
{
    struct sim_record r;
    found = found != NULL ? found : &r;
    const struct horizon h = { limit, UINT64_MAX };
    return way == RUN_ON ? find_on(run, want, h, found) : find_back(run, want, found);
}

/* ---- hops ------------------------------------------------------------------------------------ */

static bool hop_on(struct run *run, struct horizon h)
{
    const sim_ps now = sim_now(run->sim);
    const uint64_t seen = run->seen, hops = sim_hops(run->sim);
    enum sim_stopped stopped = run_until(run, now, 0);
    while (sim_hops(run->sim) == hops) {
        const sim_ps next = run_next_moment(run);
        if (stopped != SIM_AT_TIME || next > h.time || next == SIM_NEVER ||
            sim_events(run->sim) >= h.events) {
            return return_to(run, now, seen);
        }
        stopped = run_until(run, next, 0);
    }
    return true;
}

/* The last moment after a snapshot and up to `to` at which a hop ended; -1: none. */
static sim_ps last_hop_since(struct run *run, size_t shot, sim_ps to)
{
    sim_ps last = -1;
    run_restore_snapshot(run, shot);
    uint64_t hops = sim_hops(run->sim);
    enum sim_stopped stopped = SIM_AT_TIME;
    while (stopped == SIM_AT_TIME && run_next_moment(run) <= to) {
        stopped = run_until(run, run_next_moment(run), 0);
        last = sim_hops(run->sim) > hops ? sim_now(run->sim) : last;
        hops = sim_hops(run->sim);
    }
    return last;
}

static bool hop_back(struct run *run)
{
    sim_ps to = sim_now(run->sim) - 1, found = -1;
    if (to < 0) {
        return false;
    }
    for (size_t i = snapshots_find(&run->shots, to, SIZE_MAX) + 1; i-- > 0 && found < 0;) {
        const sim_ps from = run->shots.v[i]->at;
        found = last_hop_since(run, i, to);
        to = from;
    }
    return run_seek(run, found > 0 ? found : 0, NULL);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The records that a unit means; nothing: hops. */
static struct run_want want_of(enum run_unit unit)
{
    struct run_want want = { 0 };
    switch (unit) {
    case RUN_EVENT:
        for (uint32_t k = 0; k < SIM_TRACE_COUNT; k++) {
            want.kinds |= sim_trace_info(k)->class == SIM_FINE ? 0 : UINT32_C(1) << k;
        }
        break;
    case RUN_ROUND:
        want = (struct run_want){ .kinds = SIM_TRACE_BIT(ROUND), .of_rank = true };
        break;
    case RUN_STEP:
        want.kinds = SIM_TRACE_BIT(STEP);
        break;
    case RUN_HOP:
    case RUN_UNIT_COUNT:
        break;
    }
    return want;
}

/* Where a step back from the first place leads. */
static bool to_beginning(struct run *run)
{
    if (sim_now(run->sim) == 0 && run->seen == 0) {
        return false;
    }
    (void)run_seek(run, 0, NULL);
    run->seen = 0;
    return true;
}

bool run_step(struct run *run, enum run_unit unit, enum run_way way, struct err *err)
{
    const struct run_want want = want_of(unit);
    struct sim_record r;
    bool ok;
    if (way == RUN_ON) {
        const struct horizon h = horizon_of(run);
        ok = unit == RUN_HOP ? hop_on(run, h) : find_on(run, &want, h, &r);
    } else if (unit == RUN_HOP) {
        ok = hop_back(run);
    } else {
        ok = find_back(run, &want, &r) || to_beginning(run);
    }
    if (!ok && way == RUN_BACK) {
        return err_set(err, ERR_STATE, "this is the beginning of the run");
    }
    return ok || err_set(err, ERR_STATE, "no other %s follows", run_unit_word(unit));
}

/* When a training step began or, on the way that was gone once, will begin; SIM_NEVER: not known. */
static sim_ps step_begins(const struct run *run, int64_t step)
{
    if (step <= sim_step_now(run->sim)) {
        return sim_step(run->sim, step).start;
    }
    const struct sim_record *marks;
    const size_t n = sim_trace_marks(run->sim, &marks);
    for (size_t i = n; i-- > 0;) {
        if (marks[i].kind == SIM_TRACE_STEP && marks[i].step == step) {
            return marks[i].t;
        }
    }
    return SIM_NEVER;
}

bool run_seek_round(struct run *run, int64_t step, int64_t round, struct err *err)
{
    const sim_ps now = sim_now(run->sim), begins = step_begins(run, step);
    const uint64_t seen = run->seen;
    if (step < 1 || step > sim_step_total(run->sim) || round < 0) {
        char steps[48];
        return err_set(err, ERR_RANGE, "this run has %s",
                       units_counted(steps, sizeof steps, sim_step_total(run->sim), "training step",
                                     "training steps"));
    }
    const struct horizon h = { horizon_of(run).time, UINT64_MAX };
    struct run_want want = { .kinds = SIM_TRACE_BIT(STEP), .step = (uint32_t)step };
    struct sim_record r;
    bool ok = begins != SIM_NEVER ? run_seek(run, begins, NULL) : find_on(run, &want, h, &r);
    if (ok && round > 0) {
        want = want_of(RUN_ROUND);
        want.step = (uint32_t)step;
        want.value = round;
        ok = find_on(run, &want, h, &r);
    }
    if (!ok) {
        (void)return_to(run, now, seen);
        return err_set(err, ERR_STATE,
                       "round %" PRId64 " of training step %" PRId64 " is not reached", round,
                       step);
    }
    return true;
}
