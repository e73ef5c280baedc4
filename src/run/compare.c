#include "run/compare.h"

#include <stdio.h>
#include <string.h>

#include "run/inside.h"

/* So many records of one side may wait to be read: far fewer than a trace keeps. */
enum { UNREAD_MAX = 4096 };

static const uint32_t CAUSES = SIM_TRACE_BIT(SET) | SIM_TRACE_BIT(FAULT);

/* ---- one record ------------------------------------------------------------------------------ */

static bool same_name(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static const char *port_name(const struct sim *sim, uint32_t port)
{
    return port == SIM_NONE ? "" : sim_port(sim, port).name;
}

static const char *flow_name(const struct sim *sim, uint32_t flow)
{
    return flow == SIM_NONE ? "" : sim_flow(sim, flow).name;
}

static const char *rank_name(const struct sim *sim, uint32_t rank)
{
    return rank == SIM_NONE ? "" : sim_node(sim, sim_rank_node(sim, rank)).name;
}

/* Whether two records say the same, at the same time. */
static bool is_same(const struct compare *c, const struct sim_record *a, const struct sim_record *b)
{
    const struct sim *x = run_sim(c->run[COMPARE_LEFT]), *y = run_sim(c->run[COMPARE_RIGHT]);
    const bool same = a->t == b->t && a->kind == b->kind && a->reason == b->reason &&
                      a->attempt == b->attempt && a->psn == b->psn && a->value == b->value &&
                      a->step == b->step && a->knob == b->knob;
    if (!same || c->same_names) {
        return same && a->port == b->port && a->flow == b->flow && a->rank == b->rank;
    }
    return same_name(port_name(x, a->port), port_name(y, b->port)) &&
           same_name(flow_name(x, a->flow), flow_name(y, b->flow)) &&
           same_name(rank_name(x, a->rank), rank_name(y, b->rank));
}

/* The node that a record is about; "": the run as a whole. */
static const char *place_of(const struct sim *sim, const struct sim_record *r)
{
    if (r->port != SIM_NONE) {
        return sim_node(sim, sim_port(sim, r->port).node).name;
    }
    if (r->rank != SIM_NONE) {
        return rank_name(sim, r->rank);
    }
    return r->flow == SIM_NONE ? "" : sim_node(sim, sim_flow(sim, r->flow).src).name;
}

/* Where the packet or message that a record is about should arrive; NULL: it is about none. */
static const char *goal_of(const struct sim *sim, const struct sim_record *r)
{
    return r->flow == SIM_NONE ? NULL : sim_node(sim, sim_flow(sim, r->flow).dst).name;
}

/* ---- reading in step ------------------------------------------------------------------------- */

/* The next record of a side that counts; it stays to be read. */
static bool peek(struct compare *c, enum compare_side side, struct sim_record *r)
{
    for (;;) {
        uint64_t cursor = c->read[side];
        if (sim_trace_read(run_sim(c->run[side]), &cursor, r, 1) == 0) {
            return false;
        }
        if ((CAUSES >> r->kind & 1u) == 0) {
            c->read[side] = r->seq;
            return true;
        }
        c->read[side] = cursor;
    }
}

/* Nothing that is not in the trace already will happen on this side up to this time. */
static sim_ps known_until(const struct run *run)
{
    const enum sim_outcome outcome = sim_outcome(run->sim);
    if (outcome == SIM_STALLED || outcome == SIM_MEMORY_LIMIT) {
        return run->applied < run->journal.count ? run->journal.v[run->applied].at - 1 : SIM_NEVER;
    }
    const sim_ps next = run_next_moment(run);
    return next == SIM_NEVER ? SIM_NEVER : next - 1;
}

static void found(struct compare *c, enum compare_side side, const struct sim_record *r)
{
    c->differs = true;
    c->first_on = side;
    c->first = *r;
    c->read[side] = r->seq + 1;
}

/* True when a step was made. */
static bool look_for_first(struct compare *c)
{
    struct sim_record left, right;
    const bool has_left = peek(c, COMPARE_LEFT, &left), has_right = peek(c, COMPARE_RIGHT, &right);
    if (has_left && has_right) {
        if (!is_same(c, &left, &right)) {
            const bool on_left = left.t < right.t;
            found(c, on_left ? COMPARE_LEFT : COMPARE_RIGHT, on_left ? &left : &right);
            return false;
        }
        c->read[COMPARE_LEFT] = left.seq + 1;
        c->read[COMPARE_RIGHT] = right.seq + 1;
        return true;
    }
    if (has_left && left.t <= known_until(c->run[COMPARE_RIGHT])) {
        found(c, COMPARE_LEFT, &left);
    } else if (has_right && right.t <= known_until(c->run[COMPARE_LEFT])) {
        found(c, COMPARE_RIGHT, &right);
    }
    return false;
}

static enum compare_side other_side(enum compare_side side)
{
    return side == COMPARE_LEFT ? COMPARE_RIGHT : COMPARE_LEFT;
}

static void look_for_other(struct compare *c)
{
    const enum compare_side side = other_side(c->first_on);
    const struct sim *sim = run_sim(c->run[side]);
    const char *place = place_of(run_sim(c->run[c->first_on]), &c->first);
    const char *goal = goal_of(run_sim(c->run[c->first_on]), &c->first);
    struct sim_record r;
    while (!c->other_known && peek(c, side, &r)) {
        c->read[side] = r.seq + 1;
        const char *there = place_of(sim, &r);
        if (same_name(there, place) || (goal != NULL && same_name(there, goal))) {
            c->other = r;
            c->other_known = true;
        }
    }
}

void compare_look(struct compare *c)
{
    while (!c->differs && look_for_first(c)) {
    }
    if (c->differs && !c->other_known) {
        look_for_other(c);
    }
}

/* ---- moving ---------------------------------------------------------------------------------- */

/* Runs on until enough waits to be read. True when it moved. */
static bool run_some(struct compare *c, enum compare_side side, sim_ps t)
{
    struct run *run = c->run[side];
    const uint64_t before = sim_events(run->sim);
    const sim_ps now = run_now(run);
    enum sim_stopped stopped = SIM_AT_TRACE;
    while (stopped == SIM_AT_TRACE && sim_trace_seq(run->sim) < c->read[side] + UNREAD_MAX) {
        stopped = run_until(run, t, UINT32_MAX);
    }
    return sim_events(run->sim) != before || run_now(run) != now;
}

void compare_until(struct compare *c, sim_ps t)
{
    bool moved = true;
    compare_look(c);
    while (moved && !c->other_known) {
        moved = run_some(c, COMPARE_LEFT, t);
        moved = run_some(c, COMPARE_RIGHT, t) || moved;
        compare_look(c);
    }
    (void)run_until(c->run[COMPARE_LEFT], t, 0);
    (void)run_until(c->run[COMPARE_RIGHT], t, 0);
}

/* ---- beginning ------------------------------------------------------------------------------- */

/* Whether ports, flows and ranks have the same numbers on both sides. */
static bool have_same_names(const struct sim *a, const struct sim *b)
{
    bool same = sim_port_count(a) == sim_port_count(b) && sim_flow_count(a) == sim_flow_count(b) &&
                sim_rank_count(a) == sim_rank_count(b);
    for (uint32_t p = 0; same && p < sim_port_count(a); p++) {
        same = same_name(port_name(a, p), port_name(b, p));
    }
    for (uint32_t f = 0; same && f < sim_flow_count(a); f++) {
        same = same_name(flow_name(a, f), flow_name(b, f));
    }
    for (uint32_t r = 0; same && r < sim_rank_count(a); r++) {
        same = same_name(rank_name(a, r), rank_name(b, r));
    }
    return same;
}

static void begin_at(struct compare *c, struct run *left, struct run *right, uint64_t seq)
{
    *c = (struct compare){ .run = { left, right },
                           .where = { "on the left", "on the right" },
                           .read = { seq, seq } };
    c->same_names = have_same_names(run_sim(left), run_sim(right));
}

void compare_begin(struct compare *c, struct run *left, struct run *right)
{
    begin_at(c, left, right, 0);
}

/* The fork began again: it has to come to the present, and the past is where they may differ. */
static bool catch_up(struct compare *c, struct run *left, struct run *right, struct err *err)
{
    for (size_t i = 0; i < left->journal.count; i++) {
        const struct run_line *line = &left->journal.v[i];
        if (line->author != RUN_SCENARIO &&
            !run_plan(right, line->at, &line->cmd, line->author, err)) {
            return false;
        }
    }
    struct run *past = run_fork(left);
    (void)run_seek(past, 0, NULL);
    begin_at(c, past, right, 0);
    compare_until(c, run_now(left));
    c->run[COMPARE_LEFT] = left;
    run_destroy(past);
    return true;
}

struct run *compare_what_if(struct compare *c, struct run *left, const struct sim_cmd *cmd,
                            struct err *err)
{
    struct run *right = run_fork(left);
    bool restarted = false;
    bool ok = run_do(right, cmd, RUN_LEARNER, &restarted, err);
    if (ok && restarted) {
        ok = catch_up(c, left, right, err);
    } else if (ok) {
        begin_at(c, left, right, sim_trace_seq(left->sim));
    }
    if (!ok) {
        run_destroy(right);
        return NULL;
    }
    return right;
}

/* ---- saying it ------------------------------------------------------------------------------- */

/* What reads better beside another sentence than the kind's own. */
static const struct {
    enum sim_trace_kind kind;
    const char *sentence;
} shorter[] = {
    { SIM_TRACE_DROP, "{at} drops packet {packet} ({reason})" },
    { SIM_TRACE_XOFF, "{at} sends XOFF to {peer}" },
    { SIM_TRACE_XON, "{at} sends XON to {peer}" },
    { SIM_TRACE_TIMEOUT, "{at} has waited {time} for an ACK of {flow}: timeout" },
};

static const char *sentence_of(const struct sim_record *r)
{
    for (size_t i = 0; i < sizeof shorter / sizeof *shorter; i++) {
        if (shorter[i].kind == (enum sim_trace_kind)r->kind) {
            return shorter[i].sentence;
        }
    }
    return sim_trace_info((enum sim_trace_kind)r->kind)->sentence;
}

/* The same without its subject, which is the place of the record; NULL: it has another one. */
static const char *without_subject(const struct sim_record *r)
{
    const char *sentence = sentence_of(r);
    const char *subject = r->port != SIM_NONE ? "{at} " : r->rank != SIM_NONE ? "{rank} " : "{ }";
    return strncmp(sentence, subject, strlen(subject)) == 0 ? sentence + strlen(subject) : NULL;
}

/* Whether it is the same thing, only at another time. */
static bool is_later_only(const struct compare *c)
{
    struct sim_record moved = c->other;
    moved.t = c->first.t;
    return c->first_on == COMPARE_LEFT ? is_same(c, &c->first, &moved)
                                       : is_same(c, &moved, &c->first);
}

/* "at 186 us", or, where that would read like the first time, "83 ns later". */
static void say_when(sim_ps first, const char *at, sim_ps other, char *buf, size_t size)
{
    char text[40];
    (void)units_format(text, sizeof text, UNIT_TIME, other);
    if (strcmp(text, at) == 0 && other > first) {
        (void)units_format(text, sizeof text, UNIT_TIME, other - first);
        (void)snprintf(buf, size, "%s later", text);
    } else {
        (void)snprintf(buf, size, "at %s", text);
    }
}

const char *compare_say(const struct compare *c, char *buf, size_t size)
{
    char at[40], other_at[56], what[200], other[200];
    if (!c->differs) {
        (void)snprintf(buf, size, "%s", "");
        return buf;
    }
    const enum compare_side side = other_side(c->first_on);
    const char *here = c->where[c->first_on], *there = c->where[side];
    (void)units_format(at, sizeof at, UNIT_TIME, c->first.t);
    (void)sim_trace_fill(run_sim(c->run[c->first_on]), &c->first, sentence_of(&c->first), what,
                         sizeof what);
    if (!c->other_known) {
        (void)snprintf(buf, size, "at %s %s %s, not %s", at, what, here, there);
        return buf;
    }
    say_when(c->first.t, at, c->other.t, other_at, sizeof other_at);
    const char *rest = without_subject(&c->other);
    const bool it = rest != NULL && without_subject(&c->first) != NULL &&
                    same_name(place_of(run_sim(c->run[side]), &c->other),
                              place_of(run_sim(c->run[c->first_on]), &c->first));
    (void)sim_trace_fill(run_sim(c->run[side]), &c->other, it ? rest : sentence_of(&c->other),
                         other, sizeof other);
    if (is_later_only(c)) {
        (void)snprintf(buf, size, "at %s %s %s; %s only %s", at, what, here, there,
                       c->other.t > c->first.t ? other_at : "after others of that moment");
    } else {
        (void)snprintf(buf, size, "at %s %s %s; %s %s%s %s", at, what, here, there, it ? "it " : "",
                       other, other_at);
    }
    return buf;
}
