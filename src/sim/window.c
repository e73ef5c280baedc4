#include "sim/window.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "sim/event.h"
#include "sim/inbox.h"
#include "sim/link.h"
#include "sim/qp.h"
#include "sim/send.h"
#include "sim/stall.h"
#include "sim/transport.h"
#include "sim/turn.h"
#include "sim/world.h"

enum {
    WORD = SIM_TURN_WORD,
    WORTH = 4,  /* events a turn; with fewer the common order is as good */
    LEAST = 4,  /* lookaheads in a row, or it is not worth to begin */
    ROUND = 4,  /* lookaheads within which a turn may be felt by whoever is behind */
    FEW = 8,    /* lookaheads that the longest cable may take */
    ASIDE = 64, /* frames that an event makes besides what it makes up for */
};
static const sim_ps longest = UNIT_MS / ROUND; /* lookahead: looks for a stall come later */

/* ---- life ------------------------------------------------------------------------------------ */

static size_t words(size_t bits)
{
    return bits / WORD + 2; /* one behind: turn.c reads over the edge of a word */
}

/* Independent flows, of which none waits for a message of another, between hosts that are two cables apart
 * at least; cables take some time and are not too different: frames wait for a few turns at most. */
static bool is_possible(const struct sim_config *c, sim_ps lookahead)
{
    bool possible = c->scenario.work == SIM_WORK_FLOWS && c->block_flows == 0 && lookahead > 0;
    for (uint32_t f = 0; f < c->flow_count; f++) {
        possible = possible && c->flows[f].reply == SIM_NONE;
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        const struct sim_port_config *port = &c->ports[p];
        possible = possible && port->delay / FEW <= lookahead &&
                   (port->nic == SIM_NONE || port->to_switch);
    }
    return possible;
}

/* A turn may be late with all packets that its host sends, and makes them as one event does. */
static bool has_room(const struct sim *s, sim_ps lookahead)
{
    const struct sim_config *c = s->config;
    for (uint32_t n = 0; n < c->node_count; n++) {
        const struct sim_node_config *node = &c->nodes[n];
        size_t frames = ASIDE;
        for (uint32_t p = node->first_port; p < node->first_port + node->port_count; p++) {
            frames += c->ports[p].nic != SIM_NONE ? sim_slots_within(c, p, 2 * lookahead) : 0;
        }
        if (frames > s->need[SIM_SECTION_PACKETS - SIM_SECTION_EVENTS]) {
            return false;
        }
    }
    return true;
}

/* The other end of each cable is on the other side. False: that cannot be. */
static bool find_sides(const struct sim_config *c, uint8_t *side, uint32_t *todo)
{
    enum { UNKNOWN = 2 };
    memset(side, UNKNOWN, c->node_count);
    for (uint32_t first = 0; first < c->node_count; first++) {
        if (side[first] != UNKNOWN) {
            continue;
        }
        size_t count = 0;
        side[first] = 0;
        todo[count++] = first;
        while (count > 0) {
            const uint32_t n = todo[--count];
            const struct sim_node_config *node = &c->nodes[n];
            for (uint32_t p = node->first_port; p < node->first_port + node->port_count; p++) {
                const uint32_t to = c->ports[p].to;
                if (side[to] == UNKNOWN) {
                    side[to] = !side[n];
                    todo[count++] = to;
                } else if (side[to] == side[n]) {
                    return false;
                }
            }
        }
    }
    return true;
}

static void create_sides(struct sim_window *v, const struct sim_config *c)
{
    uint8_t *side = mem_alloc(c->node_count, sizeof *side);
    v->sides = find_sides(c, side, v->turns) ? 2 : 1;
    for (unsigned i = 0; i < v->sides; i++) {
        v->side[i].nodes = mem_alloc(c->node_count, sizeof *v->side[i].nodes);
    }
    for (uint32_t n = 0; n < c->node_count; n++) {
        struct sim_side *of = &v->side[v->sides == 2 ? side[n] : 0];
        of->nodes[of->count++] = n;
    }
    free(side);
}

static struct sim_window *create(struct sim *s)
{
    const struct sim_config *c = s->config;
    struct sim_window *v = mem_alloc(1, sizeof *v);
    v->lookahead = longest;
    for (uint32_t p = 0; p < c->port_count; p++) {
        v->lookahead = c->ports[p].delay < v->lookahead ? c->ports[p].delay : v->lookahead;
    }
    v->possible = is_possible(c, v->lookahead) && has_room(s, v->lookahead);
    v->handed = mem_alloc(c->node_count, sizeof *v->handed);
    v->turns = mem_alloc(c->node_count + SIM_TURN_AHEAD, sizeof *v->turns);
    memset(v->handed, 0xff, c->node_count * sizeof *v->handed);
    memset(v->wheel, 0xff, sizeof v->wheel);
    create_sides(v, c);
    s->inboxes = mem_alloc(c->node_count, sizeof *s->inboxes);
    s->has_turn = mem_alloc(words(c->node_count), sizeof *s->has_turn);
    s->due = mem_alloc(words(c->port_count), sizeof *s->due);
    return v;
}

void sim_window_destroy(struct sim *s)
{
    struct sim_window *v = s->window;
    if (v == NULL) {
        return;
    }
    for (uint32_t n = 0; n < s->config->node_count; n++) {
        free(s->inboxes[n].frames);
    }
    free(s->inboxes);
    free(s->has_turn);
    free(s->due);
    free(v->side[0].nodes);
    free(v->side[1].nodes);
    free(v->handed);
    free(v->turns);
    free(v->kept);
    free(v->items);
    free(v->next);
    free(v);
}

void sim_window_begin(struct sim *s)
{
    if (s->is_large && s->window == NULL) {
        s->window = create(s);
    }
}

void sim_window_force(struct sim *s)
{
    s->is_large = true;
    sim_window_begin(s);
    s->window->always = true;
}

/* ---- handing out ----------------------------------------------------------------------------- */

/* What an event is about. (Arrivals are in inboxes.) */
enum about { ABOUT_ALL, ABOUT_PORT, ABOUT_NODE, ABOUT_TIMER };
static const enum about about[] = {
    [SIM_EV_TX_DONE] = ABOUT_PORT,
    [SIM_EV_PIPELINE] = ABOUT_NODE,
    [SIM_EV_OBEY] = ABOUT_PORT,
    [SIM_EV_PAUSE_END] = ABOUT_PORT,
    [SIM_EV_REFRESH] = ABOUT_PORT,
    [SIM_EV_ACK_TIMER] = ABOUT_TIMER, /* the sender, if it is not due */
    [SIM_EV_DRAIN] = ABOUT_NODE,
    [SIM_EV_CC_CUT] = ABOUT_ALL, /* the last of all kinds */
};

/* Does the event of an ACK timer come too early, as it does as long as ACKs come in time? */
static bool is_early(const struct sim *s, uint32_t flow, sim_ps t)
{
    const struct sim_timer *timer = &s->qps[flow].timer;
    return timer->event != t || timer->deadline >= s->window->reach;
}

/* The node that an event is about; SIM_NONE: the whole fabric. */
static uint32_t node_of(const struct sim *s, const struct sim_event *e)
{
    const struct sim_config *c = s->config;
    const uint32_t comp = sim_event_component(e);
    switch (about[sim_event_kind(e)]) {
    case ABOUT_PORT:
        return c->ports[comp].node;
    case ABOUT_NODE:
        return comp - c->port_count;
    case ABOUT_TIMER: {
        const uint32_t flow = comp - sim_comp_flow(c, 0);
        return is_early(s, flow, e->t) ? c->flows[flow].src : SIM_NONE;
    }
    case ABOUT_ALL:
        break;
    }
    return SIM_NONE;
}

/* The first of the far events before `end` that is about the whole fabric: its time, or `end`. The heap is
 * in order, so only its top is looked at. */
static sim_ps first_common(const struct sim *s, uint64_t i, sim_ps end)
{
    if (i >= s->w->pending.far_count || s->events[i].t >= end) {
        return end;
    }
    if (node_of(s, &s->events[i]) == SIM_NONE) {
        return s->events[i].t;
    }
    for (uint64_t child = 4 * i + 1; child <= 4 * i + 4; child++) {
        end = first_common(s, child, end);
    }
    return end;
}

/* Is it about one node, whatever happens until its time? */
static bool is_local(const struct sim_event *e)
{
    const enum about of = about[sim_event_kind(e)];
    return of != ABOUT_ALL && of != ABOUT_TIMER;
}

bool sim_window_wants(const struct sim *s, const struct sim_event *e)
{
    return e->t < s->window->reach && is_local(e);
}

void sim_window_push(struct sim *s, uint32_t place, struct sim_event e)
{
    s->near[place].event = e;
    if (e.t < s->window_end) {
        sim_turn_put(s, place);
    } else {
        sim_turn_later(s, node_of(s, &e), place);
    }
}

/* To the nodes; what may be about the whole fabric becomes far. Frames that arrive are in inboxes. */
static void hand_out(struct sim *s, uint32_t list)
{
    while (list != SIM_NONE) {
        const uint32_t place = list;
        const struct sim_event *e = &s->near[place].event;
        list = s->near[place].next;
        if (sim_event_kind(e) == SIM_EV_ARRIVE) {
            s->w->event_count--;
        } else if (is_local(e)) {
            sim_turn_later(s, node_of(s, e), place);
        } else {
            sim_far_move(s, place);
        }
    }
}

/* All that is in the wheel, which is empty then, and the frames that are on cables. */
static void hand_all_out(struct sim *s)
{
    hand_out(s, s->w->pending.run);
    s->w->pending.run = SIM_NONE;
    for (uint32_t w = 0; w <= s->wheel_mask / SIM_WHEEL_WORD; w++) {
        for (uint64_t bits = s->bucket_bits[w]; bits != 0; bits &= bits - 1) {
            uint32_t *list = &s->buckets[w * SIM_WHEEL_WORD + (uint32_t)__builtin_ctzll(bits)];
            hand_out(s, *list);
            *list = SIM_NONE;
        }
        s->bucket_bits[w] = 0;
    }
    s->w->pending.run_bucket = UINT64_MAX / 2; /* nothing is near that: all pushing comes here */
    sim_far_forget_arrivals(s);
    sim_inbox_fill(s);
}

static void take_all_back(struct sim *s)
{
    struct sim_window *v = s->window;
    s->w->pending.run_bucket = ((uint64_t)v->clock[0] >> s->wheel_shift) - 1;
    for (uint32_t n = 0; n < s->config->node_count; n++) {
        while (v->handed[n] != SIM_NONE) {
            const uint32_t place = v->handed[n];
            v->handed[n] = s->near[place].next;
            sim_near_back(s, place);
        }
    }
    sim_inbox_empty(s);
    for (uint32_t p = 0; p < s->config->port_count; p++) {
        if (s->ports[p].wire_event) {
            sim_send_expect_arrival(sim_at(s, p), &s->packets[s->ports[p].wire.head]);
        }
    }
    memset(s->has_turn, 0, words(s->config->node_count) * sizeof *s->has_turn);
    memset(s->due, 0, words(s->config->port_count) * sizeof *s->due);
}

/* ---- what is put off ------------------------------------------------------------------------- */

void sim_window_keep(struct sim *s, const struct sim_record *rec)
{
    struct sim_window *v = s->window;
    v->kept = mem_grow(v->kept, &v->kept_cap, v->kept_count + 1, sizeof *v->kept);
    struct sim_kept *kept = &v->kept[v->kept_count];
    const struct sim_event e = { .t = rec->t, .order = s->order };
    const bool arrives = sim_event_kind(&e) == SIM_EV_ARRIVE; /* it has had no luck so far */
    *kept = (struct sim_kept){
        .order = arrives ? sim_turn_order(s, e.t, sim_event_component(&e), sim_event_class(&e))
                         : e.order,
        .rec = *rec,
    };
    kept->rec.seq = v->kept_count++; /* among those of one event, which come one after the other */
}

static int by_order(const void *a, const void *b)
{
    const struct sim_kept *x = a;
    const struct sim_kept *y = b;
    if (x->rec.t != y->rec.t) {
        return x->rec.t < y->rec.t ? -1 : 1;
    }
    if (x->order != y->order) {
        return x->order < y->order ? -1 : 1;
    }
    return x->rec.seq < y->rec.seq ? -1 : x->rec.seq > y->rec.seq;
}

void sim_window_look_at(struct sim *s, sim_ps at)
{
    s->window->look_at = at < s->window->look_at ? at : s->window->look_at;
}

/* What a NAK asks for is known to its sender alone, which may have gone back again since: those are counted
 * out (goback.c). It has not yet heard of anything newer: that takes two cables. */
static void count_attempts(const struct sim *s, size_t i)
{
    const struct sim_window *v = s->window;
    struct sim_record *nak = &v->kept[i].rec;
    nak->attempt = sim_qp_attempt(s, nak->flow, nak->psn) + 1;
    for (size_t j = i + 1; j < v->kept_count; j++) {
        const struct sim_record *later = &v->kept[j].rec;
        nak->attempt -= later->kind == SIM_TRACE_REWIND && later->flow == nak->flow &&
                        later->psn + (uint64_t)later->value > nak->psn;
    }
}

/* Records that nothing can come before any more. */
static void put_down(struct sim *s, sim_ps before)
{
    struct sim_window *v = s->window;
    if (v->kept_count > 1) {
        qsort(v->kept, v->kept_count, sizeof *v->kept, by_order);
    }
    size_t done = 0;
    for (; done < v->kept_count && v->kept[done].rec.t < before; done++) {
        if (v->kept[done].rec.kind == SIM_TRACE_NAK) {
            count_attempts(s, done);
        }
        sim_record_put(s, &v->kept[done].rec);
    }
    if (done > 0) {
        v->kept_count -= done;
        memmove(v->kept, &v->kept[done], v->kept_count * sizeof *v->kept);
    }
}

/* ---- windows --------------------------------------------------------------------------------- */

/* Is some flow not over for sure at the end of the next window? What has not been delivered cannot have
 * been acknowledged by then. So the workload is not done either. */
static bool goes_on(struct sim *s)
{
    struct sim_window *v = s->window;
    const uint32_t count = s->config->flow_count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t flow = (v->witness + i) % count;
        if (s->qps[flow].expected < s->qps[flow].end) {
            v->witness = flow;
            return true;
        }
    }
    return false;
}

static bool may_open(const struct sim *s)
{
    return s->window != NULL && s->window->possible && s->late && !s->halt &&
           (s->stop_kinds & ~SIM_TRACE_BIT(DONE)) == 0 &&
           sim_timeout_ps(s) >= ROUND * s->window->lookahead &&
           s->w->knobs.v[SIM_KNOB_PFC_TRAVEL] != SIM_PFC_INSTANT && sim_arena_is_roomy(s);
}

/* As windows are opened: slots that have ended are made up for; whose ports have more to send is due. */
static void make_up(struct sim *s, sim_ps from)
{
    const struct sim_config *c = s->config;
    const sim_ps now = s->w->now;
    sim_event_begin(s, from - 1, UINT64_MAX);
    for (uint32_t p = 0; p < c->port_count; p++) {
        sim_port_settle(s, p);
        if (s->ports[p].unseen && s->ports[p].waits != 0) {
            sim_window_mark(s, p);
            sim_turn_wanted(s, c->ports[p].node);
        }
    }
    s->w->now = now;
}

/* As they are closed: in the common order a port needs its event if nothing on its cable comes back to it. */
static void give_back(struct sim *s)
{
    struct sim_window *v = s->window;
    sim_event_begin(s, v->clock[0] - 1, UINT64_MAX);
    const sim_ps last = sim_slots_settle(s);
    v->last = last > v->last ? last : v->last;
    s->w->now = v->last;
    for (uint32_t p = 0; p < s->config->port_count; p++) {
        if (s->ports[p].unseen && s->ports[p].waits != 0 && !s->ports[p].wire_event) {
            sim_port_watch(s, p);
        }
    }
    if (v->look_at != SIM_NEVER) {
        assert(v->look_at >= v->clock[0]);
        sim_stall_look_at(s, v->look_at);
    }
}

/* Those of a side who have something to do. Gives their number. */
static uint32_t take_turns(struct sim *s, const struct sim_side *side)
{
    struct sim_window *v = s->window;
    uint32_t count = 0;
    for (uint32_t i = 0; i < side->count; i++) {
        const uint32_t n = side->nodes[i];
        v->turns[count] = n;
        count += s->inboxes[n].count > 0 || (s->has_turn[n / WORD] >> n % WORD & 1u) != 0;
        s->has_turn[n / WORD] &= ~(UINT64_C(1) << n % WORD);
    }
    for (uint32_t i = 0; i < SIM_TURN_AHEAD; i++) {
        v->turns[count + i] = 0; /* nobody's turn, but it may be looked at */
    }
    for (uint32_t i = 0; i < count; i++) {
        sim_turn_take(s, v->turns[i], &v->turns[i + 1]);
    }
    return count;
}

static sim_ps furthest(const struct sim_window *v)
{
    return v->sides == 2 && v->clock[1] > v->clock[0] ? v->clock[1] : v->clock[0];
}

static sim_ps nearest(const struct sim_window *v)
{
    return v->sides == 2 && v->clock[1] < v->clock[0] ? v->clock[1] : v->clock[0];
}

static unsigned behind(const struct sim_window *v)
{
    return v->sides == 2 && v->clock[1] < v->clock[0];
}

/* The side that is behind goes on up to `end`. False: it was not worth it. */
static bool go_on(struct sim *s, sim_ps end)
{
    struct sim_window *v = s->window;
    const unsigned side = behind(v);
    const uint64_t before = s->w->count.events;
    v->begin = v->clock[side];
    v->shift = 0;
    while ((end - v->begin) >> v->shift >= SIM_TURN_BUCKETS) {
        v->shift++;
    }
    while (s->w->pending.far_first < end) {
        const uint32_t place = sim_far_take(s);
        sim_turn_later(s, node_of(s, &s->near[place].event), place);
    }
    s->window_end = end;
    const uint32_t turns = take_turns(s, &v->side[side]);
    s->window_end = 0;
    v->clock[side] = end;
    put_down(s, nearest(v));
    const uint64_t events = s->w->count.events - before;
    return events > 0 && (v->always || events >= (uint64_t)WORTH * turns);
}

static sim_ps earlier(sim_ps a, sim_ps b)
{
    return a < b ? a : b;
}

/* How far the side that is behind may go: as far as the other has gone and a lookahead, and not beyond an
 * event that is about both. */
static sim_ps how_far(struct sim *s, sim_ps until)
{
    struct sim_window *v = s->window;
    const sim_ps most = furthest(v) + v->lookahead;
    v->reach = most + ROUND * v->lookahead;
    return first_common(s, 0, earlier(most, earlier(until + 1, v->look_at)));
}

/* One after the other, as long as that is possible, worth it, and within so many events; then the sides
 * are equally far. Gives how many are to be taken in the common order before it is tried again. */
static uint64_t go_ahead(struct sim *s, uint64_t *events, sim_ps until)
{
    struct sim_window *v = s->window;
    const uint64_t opened = s->w->count.events;
    bool worth = true;
    while (worth && may_open(s) && goes_on(s) && s->w->count.events - opened < *events / 2) {
        const sim_ps end = how_far(s, until);
        if (end <= nearest(v)) {
            break;
        }
        worth = go_on(s, end);
    }
    if (nearest(v) < furthest(v)) { /* nothing is about both until then: timeouts take longer */
        (void)go_on(s, furthest(v));
    }
    const uint64_t taken = s->w->count.events - opened;
    *events -= taken < *events ? taken : *events - 1;
    const uint64_t some = s->config->port_count / 4 + 1;
    return v->always ? 1 : worth ? some : 64 * some;
}

uint64_t sim_window_sweep(struct sim *s, uint64_t *events, sim_ps until)
{
    struct sim_window *v = s->window;
    if (s->w->event_count == 0 || !may_open(s)) {
        return UINT64_MAX;
    }
    sim_event_turn(s);
    const sim_ps from = sim_event_first(s)->t;
    if (from > until || (until - from < LEAST * v->lookahead && !v->always)) {
        return UINT64_MAX;
    }
    v->clock[0] = v->clock[1] = from;
    v->last = s->w->now;
    v->look_at = SIM_NEVER;
    make_up(s, from);
    hand_all_out(s);
    const uint64_t common = go_ahead(s, events, until);
    take_all_back(s);
    give_back(s);
    sim_event_turn(s);
    if (!sim_arena_is_roomy(s)) {
        sim_slots_be_punctual(s);
    }
    return common;
}
