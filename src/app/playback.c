#include "app/playback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/clock.h"
#include "base/mem.h"
#include "base/units.h"

enum {
    MOMENT_MS = 100, /* a little more than two frames */
    HUSH_MS = 700,   /* the still picture before a silence is skipped */
    HUSH_SHORT_MS = 300,
    LINGER_MS = 3000,      /* and after it, to read the sentence */
    LINGER_SHORT_MS = 800, /* when it is not the first on this card */
    SLOW_MS = 1500,        /* how long auto-slow lasts */
    SKIP_FROM_MS = 1000,   /* a shorter silence is simply waited for */
};

static const uint32_t SLOW_KINDS = SIM_TRACE_BIT(DROP) | SIM_TRACE_BIT(XOFF) | SIM_TRACE_BIT(NAK) |
                                   SIM_TRACE_BIT(TIMEOUT) | SIM_TRACE_BIT(QP_ERROR);

void playback_init(struct playback *pb)
{
    *pb = (struct playback){
        .auto_slow = true, .moment_ms = MOMENT_MS, .last_ms = -1, .chunk = UNIT_US
    };
    for (int i = 0; i < PLAYBACK_GEAR_COUNT; i++) {
        pb->tick[i] = UNIT_US;
        pb->rate[i] = UNIT_US;
    }
    pb->still_since = SIM_NEVER;
}

void playback_finish(struct playback *pb)
{
    free(pb->paused_once);
    pb->paused_once = NULL;
}

/* ---- life ------------------------------------------------------------------------------------- */

void playback_attach(struct playback *pb, const struct run *run)
{
    const struct sim *sim = run_sim(run);
    playback_gears(sim, pb->tick, pb->rate);
    free(pb->paused_once);
    pb->port_count = sim_port_count(sim);
    pb->paused_once = mem_alloc(pb->port_count + 1, sizeof *pb->paused_once);
    pb->chunk = UNIT_US;
    playback_moved(pb, run);
}

static void stand_still(struct playback *pb)
{
    pb->playing = false;
    pb->jumping = false;
    pb->hushed = false;
    pb->hush_left_ms = 0;
    pb->linger_left_ms = 0;
    pb->slow_left_ms = 0;
    pb->last_ms = -1;
    pb->owed_ms = 0;
}

void playback_new_card(struct playback *pb)
{
    pb->slowed = 0;
    pb->quiets = 0;
    pb->held_count = 0;
    pb->quiet[0] = pb->skipped[0] = pb->slowed_by[0] = '\0';
    if (pb->paused_once != NULL) {
        memset(pb->paused_once, 0, pb->port_count * sizeof *pb->paused_once);
    }
}

void playback_moved(struct playback *pb, const struct run *run)
{
    bool playing = pb->playing;
    stand_still(pb);
    pb->playing = playing;
    pb->was_quiet = false;
    pb->still_since = SIM_NEVER;
    pb->seen = sim_trace_seq(run_sim(run));
    pb->held_count = 0;
    pb->quiet[0] = pb->skipped[0] = pb->slowed_by[0] = '\0';
    if (pb->beside != NULL) {
        playback_moved(pb->eye, pb->beside);
    }
}

void playback_play(struct playback *pb, bool on)
{
    stand_still(pb);
    pb->playing = on;
}

bool playback_set_gear(struct playback *pb, enum playback_gear gear)
{
    bool changes = pb->gear != gear;
    pb->gear = gear;
    pb->slow_left_ms = 0;
    pb->hush_left_ms = 0;
    return changes;
}

void playback_lend_rate(struct playback *pb, const struct sim *sim, int64_t rate)
{
    if (pb->lent) {
        playback_gears(sim, pb->tick, pb->rate);
    }
    pb->lent = rate > 0;
    if (pb->lent) {
        pb->rate[pb->gear] = rate;
    }
}

void playback_jump(struct playback *pb, const struct run *run, sim_ps by, uint32_t kinds)
{
    stand_still(pb);
    sim_ps now = clock_now(run, pb->beside);
    pb->jumping = true;
    pb->jump_until = by > SIM_NEVER - now ? SIM_NEVER : now + by;
    pb->jump_kinds = kinds;
    pb->jump_rank = SIM_NONE;
    pb->jump_node = SIM_NONE;
}

int64_t playback_rate(const struct playback *pb)
{
    int64_t rate = pb->rate[pb->gear];
    int64_t slow = pb->rate[PLAYBACK_PACKET];
    return pb->slow_left_ms > 0 && slow < rate ? slow : rate;
}

bool playback_blurs(const struct playback *pb, sim_ps slot, int fps)
{
    /* A slot must last two frames at least, or the picture would be a stroboscope. */
    return pb->playing && playback_rate(pb) > slot / 2 * fps;
}

bool playback_moving(const struct playback *pb)
{
    return pb->playing || pb->jumping;
}

/* ---- one run, or two on one clock --------------------------------------------------------------- */

void playback_go_beside(struct playback *pb, struct run *beside, struct playback *eye)
{
    pb->beside = beside;
    pb->eye = eye;
    if (beside != NULL) {
        playback_attach(eye, beside);
    }
}

void playback_mirror(struct playback *eye, const struct playback *pb)
{
    memcpy(eye->tick, pb->tick, sizeof eye->tick);
    memcpy(eye->rate, pb->rate, sizeof eye->rate);
    eye->jump_rank = pb->jump_rank;
    eye->jump_node = pb->jump_node;
    eye->gear = pb->gear;
    eye->playing = pb->playing;
    eye->jumping = pb->jumping;
    eye->slow_left_ms = pb->slow_left_ms;
}

bool playback_seek(struct playback *pb, struct run *run, sim_ps to, struct err *err)
{
    const bool ok = clock_seek(run, pb->beside, to, err);
    playback_moved(pb, run);
    playback_play(pb, false);
    return ok;
}

/* ---- what has happened ------------------------------------------------------------------------- */

static bool is_held_kind(struct playback *pb, const struct sim_record *r)
{
    if (r->kind == SIM_TRACE_XOFF && r->port < pb->port_count) {
        bool first = !pb->paused_once[r->port];
        pb->paused_once[r->port] = true;
        return first;
    }
    return r->kind == SIM_TRACE_DROP || r->kind == SIM_TRACE_NAK || r->kind == SIM_TRACE_TIMEOUT;
}

static void hold(struct playback *pb, const struct sim_record *r)
{
    if (!is_held_kind(pb, r)) {
        return;
    }
    for (size_t i = 0; i < pb->held_count; i++) {
        struct playback_held *h = &pb->held[i];
        if (h->record.kind == r->kind && h->record.port == r->port) {
            h->count++;
            h->left_ms = PLAYBACK_HOLD_MS;
            return;
        }
    }
    if (pb->held_count == PLAYBACK_HELD_MAX) {
        memmove(&pb->held[0], &pb->held[1], sizeof pb->held - sizeof pb->held[0]);
        pb->held_count--;
    }
    pb->held[pb->held_count++] =
        (struct playback_held){ .record = *r, .count = 1, .left_ms = PLAYBACK_HOLD_MS };
}

/* Held marks fade while things move; a drop stays until its packet has arrived after all. */
void playback_fade(struct playback *pb, const struct sim *sim, int dt_ms)
{
    size_t kept = 0;
    for (size_t i = 0; i < pb->held_count; i++) {
        const struct sim_record *r = &pb->held[i].record;
        pb->held[i].left_ms -= dt_ms;
        bool missing = r->kind == SIM_TRACE_DROP && r->flow < sim_flow_count(sim) &&
                       sim_flow_state(sim, r->flow).expected <= r->psn;
        if (pb->held[i].left_ms > 0 || missing) {
            pb->held[kept++] = pb->held[i];
        }
    }
    pb->held_count = kept;
}

/* A round of one rank, or a record about one node, while those of another are looked for. */
static bool is_another(const struct playback *pb, const struct sim *sim, const struct sim_record *r)
{
    const bool round =
        pb->jump_rank != SIM_NONE && r->kind == SIM_TRACE_ROUND && r->rank != pb->jump_rank;
    const bool node = pb->jump_node != SIM_NONE && (pb->jump_kinds >> r->kind & 1u) != 0 &&
                      !sim_record_about(sim, r, pb->jump_node);
    return pb->jumping && (round || node);
}

/* Reads the trace up to now. Returns the kinds seen at this very moment. */
static uint32_t read_trace(struct playback *pb, const struct sim *sim)
{
    uint64_t end = sim_trace_seq(sim);
    uint32_t now_kinds = 0;
    while (pb->seen < end) {
        struct sim_record r[64];
        uint64_t cursor = pb->seen;
        size_t n = sim_trace_read(sim, &cursor, r, 64);
        for (size_t i = 0; i < n && r[i].seq < end; i++) {
            hold(pb, &r[i]);
            now_kinds |=
                r[i].t == sim_now(sim) && !is_another(pb, sim, &r[i]) ? 1u << r[i].kind : 0;
        }
        pb->seen = n == 0 || cursor > end ? end : cursor;
    }
    return now_kinds;
}

/* What `sim` did just now of these kinds, as a sentence. False: nothing. */
static bool say_event(struct playback *pb, const struct sim *sim, uint32_t kinds)
{
    const struct sim_record *marks;
    size_t count = sim_trace_marks(sim, &marks);
    for (size_t i = count; i-- > 0 && marks[i].t >= sim_now(sim);) {
        if (marks[i].t == sim_now(sim) && (kinds & 1u << marks[i].kind) != 0) {
            sim_trace_say(sim, &marks[i], pb->slowed_by, sizeof pb->slowed_by);
            return true;
        }
    }
    return false;
}

/* The first event of a kind on this card: slow down, and say why. */
static void slow_down(struct playback *pb, const struct run *run, uint32_t kinds)
{
    kinds &= SLOW_KINDS & ~pb->slowed;
    if (kinds == 0 || !pb->auto_slow || !pb->playing) {
        return;
    }
    pb->slowed |= kinds;
    pb->slow_left_ms = SLOW_MS;
    if (!say_event(pb, run_sim(run), kinds) && pb->beside != NULL) {
        say_event(pb, run_sim(pb->beside), kinds);
    }
}

/* ---- silence ----------------------------------------------------------------------------------- */

/* Nothing will move for long at this rate: `*computing` (may be NULL) says what the time is for. */
static bool lasts(const struct playback *pb, const struct run *run, sim_ps until, int64_t rate,
                  bool *computing)
{
    if (!clock_quiet(run, pb->beside, computing)) {
        return false;
    }
    sim_ps next = clock_next(run, pb->beside);
    next = next < until ? next : until;
    return next != SIM_NEVER && (next - clock_now(run, pb->beside)) / SKIP_FROM_MS * 1000 >= rate;
}

static sim_ps earlier(sim_ps a, sim_ps b)
{
    return a < b ? a : b;
}

/* Begins to stand still before a long silence. */
static void notice_silence(struct playback *pb, const struct run *run, sim_ps until)
{
    bool computing = false;
    if (!lasts(pb, run, until, playback_rate(pb), &computing)) {
        pb->was_quiet = pb->was_quiet && clock_quiet(run, pb->beside, NULL);
        return;
    }
    sim_ps now = clock_now(run, pb->beside);
    sim_ps next = earlier(clock_end_of_quiet(run, pb->beside), until);
    if (!pb->was_quiet || pb->computing != computing) { /* it may be old when it is seen to last */
        pb->quiet_since = computing ? now : earlier(now, pb->still_since);
    }
    pb->was_quiet = true;
    pb->computing = computing;
    pb->quiet_until = next;
    pb->hush_left_ms = computing || pb->quiets > 0 ? HUSH_SHORT_MS : HUSH_MS;
    pb->hushed = true;
}

/* Up to where a skip goes: computing to its end, a silence to just before what ends it, so that it
 * is still there to be looked at and asked about while its sentence is read. */
static sim_ps end_of_skip(const struct playback *pb, sim_ps now)
{
    sim_ps margin = pb->tick[PLAYBACK_PACKET];
    margin = margin < (pb->quiet_until - now) / 2 ? margin : (pb->quiet_until - now) / 2;
    return pb->computing ? pb->quiet_until : pb->quiet_until - margin;
}

static void end_silence(struct playback *pb, const struct run *run)
{
    sim_ps lasted = pb->quiet_until - pb->quiet_since;
    enum { LONG_S = 10 }; /* a shorter wait is nothing to marvel at */
    const int64_t seconds = lasted / pb->rate[pb->gear];
    char length[40], wall[64];
    pb->hushed = false;
    pb->hush_left_ms = 0;
    units_format(length, sizeof length, UNIT_TIME, lasted);
    playback_wall_text(seconds, wall, sizeof wall);
    if (pb->computing) {
        snprintf(pb->skipped, sizeof pb->skipped, "the GPUs compute for %s: skipped", length);
    } else if (clock_now(run, pb->beside) < pb->quiet_until) {
        snprintf(pb->quiet, sizeof pb->quiet, "Nothing moved for %s.%s%s%s", length,
                 seconds >= LONG_S ? " At the speed you watched, " : "",
                 seconds >= LONG_S ? wall : "", seconds >= LONG_S ? "." : "");
        pb->linger_left_ms = pb->quiets > 0 ? LINGER_SHORT_MS : LINGER_MS;
        pb->quiets++;
    }
}

/* ---- moving ------------------------------------------------------------------------------------ */

struct slice {
    sim_ps until;
    uint32_t kinds;   /* that stop it */
    int64_t end_us;   /* of the budget; 0: none */
    sim_ps goal;      /* where playing ends at the latest */
    int64_t still_at; /* ends when a silence begins that lasts at this rate; 0: never */
    sim_ps most;      /* a slice may not be longer: those who look between slices would miss it */
    playback_slice_fn *each;
    void *arg;
};

static void watch_stillness(struct playback *pb, const struct run *run)
{
    bool computing = false;
    if (!clock_quiet(run, pb->beside, &computing) || computing) {
        pb->still_since = SIM_NEVER;
    } else if (pb->still_since == SIM_NEVER) {
        pb->still_since = clock_now(run, pb->beside);
    }
}

/* Runs until something stops it, in slices of about a millisecond; without a budget in the same ones on
 * every machine. False: out of budget. */
static bool run_slices(struct playback *pb, struct run *run, const struct slice *s,
                       enum sim_stopped *stopped)
{
    enum { LONG_US = 1500, SHORT_US = 500 };
    const bool timed = s->end_us != 0;
    for (;;) {
        sim_ps now = clock_now(run, pb->beside);
        sim_ps chunk = timed && pb->chunk < s->most ? pb->chunk : s->most;
        sim_ps to = s->until - now > chunk ? now + chunk : s->until;
        sim_ps next = clock_next(run, pb->beside);
        if (next != SIM_NEVER && next > to) { /* until then there is nothing to miss */
            to = next < s->until ? next : s->until;
        }
        int64_t before = clock_wall_us();
        *stopped = clock_until(run, pb->beside, to, s->kinds);
        int64_t took = clock_wall_us() - before;
        watch_stillness(pb, run);
        if (s->each != NULL) {
            s->each(s->arg, run_sim(run));
        }
        if (timed && took > LONG_US && pb->chunk > 1000) {
            pb->chunk /= 2;
        } else if (timed && took < SHORT_US && pb->chunk < UNIT_S) {
            pb->chunk *= 2;
        }
        if (*stopped != SIM_AT_TIME || clock_now(run, pb->beside) >= s->until ||
            clock_over(run, pb->beside) ||
            (s->still_at > 0 && lasts(pb, run, s->goal, s->still_at, NULL))) {
            return true;
        }
        if (s->end_us != 0 && before + took >= s->end_us) {
            return false;
        }
    }
}

/* Milliseconds since the last frame that count. */
static int elapsed(struct playback *pb, int64_t now_ms)
{
    int64_t dt = pb->last_ms < 0 ? 0 : now_ms - pb->last_ms;
    pb->last_ms = now_ms;
    dt = dt < 0 ? 0 : dt;
    return (int)(dt > pb->moment_ms ? pb->moment_ms : dt);
}

/* How far to go in `dt` ms at the present rate; with reduced motion whole ticks only. */
static sim_ps distance(struct playback *pb, int dt)
{
    int64_t rate = playback_rate(pb);
    pb->slow_left_ms = pb->slow_left_ms > dt ? pb->slow_left_ms - dt : 0;
    if (!pb->reduced_motion) {
        return rate / 1000 * dt + rate % 1000 * dt / 1000;
    }
    pb->owed_ms += dt;
    sim_ps tick = pb->tick[pb->gear];
    int64_t tick_ms = tick / (rate / 1000 > 0 ? rate / 1000 : 1);
    if (pb->owed_ms < tick_ms) {
        return 0;
    }
    pb->owed_ms = 0;
    return tick;
}

/* Counts a still moment down; true while it lasts. */
static bool stands(int *left_ms, int dt)
{
    *left_ms = *left_ms > dt ? *left_ms - dt : 0;
    return *left_ms > 0;
}

/* Whether the picture stands still though it plays: before a silence is skipped, and after. */
static bool holds_breath(struct playback *pb, const struct run *run, sim_ps until, int dt)
{
    if (!pb->playing) {
        return false;
    }
    if (pb->linger_left_ms > 0) {
        return stands(&pb->linger_left_ms, dt);
    }
    if (!pb->hushed) {
        notice_silence(pb, run, until);
    }
    return pb->hushed && stands(&pb->hush_left_ms, dt);
}

static uint32_t read_both(struct playback *pb, const struct run *run)
{
    const uint32_t kinds = read_trace(pb, run_sim(run));
    return pb->beside == NULL ? kinds : kinds | read_trace(pb->eye, run_sim(pb->beside));
}

/* Runs to where it should be. A jump goes on where what stopped it was not what it looks for, and ends
 * with its whole instant. */
static bool go(struct playback *pb, struct run *run, const struct slice *s, uint32_t goal,
               enum sim_stopped *stopped, uint32_t *kinds)
{
    for (;;) {
        const bool whole = run_slices(pb, run, s, stopped);
        *kinds = read_both(pb, run);
        if (!pb->jumping || *stopped != SIM_AT_TRACE) {
            return whole;
        }
        if ((*kinds & (pb->jump_kinds | goal)) != 0) {
            (void)clock_until(run, pb->beside, clock_now(run, pb->beside), 0);
            *kinds |= read_both(pb, run);
            return whole;
        }
        if (s->end_us != 0 && clock_wall_us() >= s->end_us) {
            return false;
        }
    }
}

enum playback_result playback_advance(struct playback *pb, struct run *run,
                                      struct playback_goal goal, int64_t now_ms, int budget_ms,
                                      enum sim_stopped *stopped, playback_slice_fn *each, void *arg)
{
    *stopped = SIM_AT_TIME;
    int dt = elapsed(pb, now_ms);
    sim_ps now = clock_now(run, pb->beside);
    if (goal.until <= now && goal.until != SIM_NEVER) {
        return PLAYBACK_REACHED;
    }
    if (goal.until == SIM_NEVER && clock_over(run, pb->beside)) {
        stand_still(pb);
        return PLAYBACK_ENDED;
    }
    if (holds_breath(pb, run, goal.until, dt)) {
        return PLAYBACK_GOES;
    }

    struct slice s = { .until = goal.until,
                       .goal = goal.until,
                       .kinds = goal.kinds,
                       .most = pb->hushed ? SIM_NEVER : pb->tick[PLAYBACK_ROUND] / 4 + 1,
                       .each = each,
                       .arg = arg };
    s.end_us = budget_ms > 0 ? clock_wall_us() + (int64_t)budget_ms * 1000 : 0;
    if (pb->jumping) {
        s.until = pb->jump_until < goal.until ? pb->jump_until : goal.until;
        s.kinds |= pb->jump_kinds;
    } else if (pb->hushed) {
        s.until = end_of_skip(pb, now);
    } else {
        playback_fade(pb, run_sim(run), dt);
        if (pb->beside != NULL) {
            playback_fade(pb->eye, run_sim(pb->beside), dt);
        }
        s.still_at = playback_rate(pb);
        sim_ps far = distance(pb, dt);
        s.until = far < goal.until - now ? now + far : goal.until;
    }
    if (pb->playing && pb->auto_slow) {
        s.kinds |= SLOW_KINDS & ~pb->slowed;
    }
    uint32_t kinds;
    const bool whole = go(pb, run, &s, goal.kinds, stopped, &kinds);
    kinds = *stopped == SIM_AT_TRACE ? kinds : 0;
    if (pb->hushed && whole) {
        end_silence(pb, run);
    }
    if ((kinds & goal.kinds) != 0 ||
        (goal.until != SIM_NEVER && clock_now(run, pb->beside) >= goal.until)) {
        slow_down(pb, run, kinds);
        return PLAYBACK_REACHED;
    }
    if (*stopped == SIM_AT_END) {
        stand_still(pb);
        return PLAYBACK_ENDED;
    }
    if (pb->jumping && whole &&
        ((kinds & pb->jump_kinds) != 0 || clock_now(run, pb->beside) >= s.until)) {
        stand_still(pb);
        return PLAYBACK_ARRIVED;
    }
    slow_down(pb, run, kinds);
    return PLAYBACK_GOES;
}

void playback_look(struct playback *pb, const struct run *run)
{
    (void)read_both(pb, run);
}
