#include "sim/window.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "sim/event.h"
#include "sim/link.h"
#include "sim/stall.h"
#include "sim/turn.h"
#include "sim/world.h"

enum {
    WORD = SIM_TURN_WORD,
    WORTH = 4, /* events a turn; with fewer the common order is as good */
    LEAST = 4, /* windows in a row, or it is not worth to begin */
};
static const sim_ps longest = UNIT_MS; /* that a window lasts */

/* ---- life ------------------------------------------------------------------------------------ */

static size_t words(const struct sim_config *c)
{
    return c->node_count / WORD + 1;
}

/* Independent flows, of which none waits for a message of another, on cables that take some time. */
static bool is_possible(const struct sim_config *c, sim_ps lookahead)
{
    bool possible = c->scenario.work == SIM_WORK_FLOWS && c->block_flows == 0 && lookahead > 0;
    for (uint32_t f = 0; f < c->flow_count; f++) {
        possible = possible && c->flows[f].reply == SIM_NONE;
    }
    return possible;
}

static struct sim_window *create(const struct sim_config *c)
{
    struct sim_window *v = mem_alloc(1, sizeof *v);
    v->lookahead = longest;
    for (uint32_t p = 0; p < c->port_count; p++) {
        v->lookahead = c->ports[p].delay < v->lookahead ? c->ports[p].delay : v->lookahead;
    }
    v->possible = is_possible(c, v->lookahead);
    v->handed = mem_alloc(c->node_count, sizeof *v->handed);
    v->turns = mem_alloc(c->node_count, sizeof *v->turns);
    v->has_turn = mem_alloc(words(c), sizeof *v->has_turn);
    v->due = mem_alloc(words(c), sizeof *v->due);
    memset(v->handed, 0xff, c->node_count * sizeof *v->handed);
    return v;
}

void sim_window_destroy(struct sim_window *v)
{
    if (v == NULL) {
        return;
    }
    free(v->handed);
    free(v->turns);
    free(v->has_turn);
    free(v->due);
    free(v->kept);
    free(v);
}

void sim_window_begin(struct sim *s)
{
    if (s->is_large && s->window == NULL) {
        s->window = create(s->config);
    }
}

void sim_window_force(struct sim *s)
{
    s->is_large = s->config->is_large = true;
    sim_window_begin(s);
    s->window->always = true;
}

/* ---- handing out ----------------------------------------------------------------------------- */

/* What an event is about. */
enum about { ABOUT_ALL, ABOUT_PORT, ABOUT_CABLE, ABOUT_NODE, ABOUT_TIMER };
static const enum about about[] = {
    [SIM_EV_ARRIVE] = ABOUT_CABLE, /* the node at its end */
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
    return timer->event != t || timer->deadline >= s->window->begin + s->window->lookahead;
}

/* The node that an event is about; SIM_NONE: the whole fabric. */
static uint32_t node_of(const struct sim *s, const struct sim_event *e)
{
    const struct sim_config *c = s->config;
    const uint32_t comp = sim_event_component(e);
    switch (about[sim_event_kind(e)]) {
    case ABOUT_CABLE:
        return c->ports[comp].to;
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

/* To the nodes; what may be about the whole fabric becomes far. */
static void hand_out(struct sim *s, uint32_t list)
{
    while (list != SIM_NONE) {
        const uint32_t place = list;
        const struct sim_event *e = &s->near[place].event;
        list = s->near[place].next;
        if (is_local(e)) {
            sim_turn_later(s, node_of(s, e), place);
        } else {
            sim_far_move(s, place);
        }
    }
}

/* All that is in the wheel, which is empty then. */
static void hand_all_out(struct sim *s)
{
    hand_out(s, s->w->pending.run);
    s->w->pending.run = SIM_NONE;
    for (uint32_t b = 0; b <= s->wheel_mask; b++) {
        hand_out(s, s->buckets[b]);
        s->buckets[b] = SIM_NONE;
    }
    memset(s->bucket_bits, 0, s->section_cap[SIM_SECTION_BITS] * sizeof *s->bucket_bits);
    s->w->pending.run_bucket = UINT64_MAX / 2; /* nothing is near that: all pushing comes here */
}

static void take_all_back(struct sim *s)
{
    struct sim_window *v = s->window;
    s->w->pending.run_bucket = ((uint64_t)v->end >> s->wheel_shift) - 1;
    for (uint32_t n = 0; n < s->config->node_count; n++) {
        while (v->handed[n] != SIM_NONE) {
            const uint32_t place = v->handed[n];
            v->handed[n] = s->near[place].next;
            sim_turn_draw_luck(s, place);
            sim_near_back(s, place);
        }
    }
    memset(v->has_turn, 0, words(s->config) * sizeof *v->has_turn);
}

/* ---- what is put off ------------------------------------------------------------------------- */

void sim_window_keep(struct sim *s, const struct sim_record *rec)
{
    struct sim_window *v = s->window;
    v->kept = mem_grow(v->kept, &v->kept_cap, v->kept_count + 1, sizeof *v->kept);
    struct sim_kept *kept = &v->kept[v->kept_count];
    struct sim_event e = { .t = rec->t, .order = s->order };
    if (sim_event_kind(&e) == SIM_EV_ARRIVE) { /* it has had no luck so far */
        const uint32_t port = sim_event_component(&e);
        e = sim_event_of_port(e.t, sim_event_class(&e), port, s->cables[port].luck, SIM_EV_ARRIVE);
    }
    *kept = (struct sim_kept){ .order = e.order, .rec = *rec };
    kept->rec.seq = v->kept_count++; /* among those of one event */
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

/* The window is over. */
static void put_down(struct sim *s)
{
    struct sim_window *v = s->window;
    s->window_end = 0;
    s->w->now = v->last;
    if (v->kept_count > 1) {
        qsort(v->kept, v->kept_count, sizeof *v->kept, by_order);
    }
    for (size_t i = 0; i < v->kept_count; i++) {
        sim_record_put(s, &v->kept[i].rec);
    }
    v->kept_count = 0;
    if (v->look_at != SIM_NEVER) {
        sim_stall_look_at(s, v->look_at);
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
           (s->stop_kinds & ~SIM_TRACE_BIT(DONE)) == 0 && s->w->event_count > 0 &&
           s->w->knobs.v[SIM_KNOB_PFC_TRAVEL] != SIM_PFC_INSTANT && sim_arena_is_roomy(s);
}

/* Before the first of several windows: slots that have ended are made up for; whose ports have more to
 * send is due. */
static void make_up(struct sim *s)
{
    const struct sim_config *c = s->config;
    struct sim_window *v = s->window;
    const sim_ps now = s->w->now;
    memset(v->due, 0, words(c) * sizeof *v->due);
    sim_event_begin(s, v->end - 1, UINT64_MAX);
    for (uint32_t p = 0; p < c->port_count; p++) {
        sim_port_settle(s, p);
        if (s->ports[p].unseen && s->ports[p].waits != 0) {
            const uint32_t n = c->ports[p].node;
            v->due[n / WORD] |= UINT64_C(1) << n % WORD;
        }
    }
    s->w->now = now;
}

/* After the last: in the common order a port needs its event if nothing on its cable comes back to it. */
static void give_back(struct sim *s)
{
    const struct sim_config *c = s->config;
    const struct sim_window *v = s->window;
    for (uint32_t n = 0; n < c->node_count; n++) {
        if ((v->due[n / WORD] >> n % WORD & 1u) == 0) {
            continue;
        }
        for (uint32_t p = c->nodes[n].first_port;
             p < c->nodes[n].first_port + c->nodes[n].port_count; p++) {
            if (s->ports[p].unseen && s->ports[p].waits != 0 && !s->ports[p].wire_event) {
                sim_port_watch(s, p);
            }
        }
    }
}

/* Those who have events and those who are due. Gives their number. */
static uint32_t take_turns(struct sim *s)
{
    struct sim_window *v = s->window;
    uint32_t count = 0;
    for (size_t i = 0; i < words(s->config); i++) {
        for (uint64_t bits = v->has_turn[i] | v->due[i]; bits != 0; bits &= bits - 1) {
            v->turns[count++] = (uint32_t)(i * WORD) + (uint32_t)__builtin_ctzll(bits);
        }
        v->has_turn[i] = v->due[i] = 0;
    }
    /* to and fro: who was last is first, as it is in the cache yet */
    v->back = !v->back;
    for (uint32_t i = 0; v->back && i < count / 2; i++) {
        const uint32_t other = v->turns[i];
        v->turns[i] = v->turns[count - 1 - i];
        v->turns[count - 1 - i] = other;
    }
    for (uint32_t i = 0; i < count; i++) {
        sim_turn_take(s, v->turns[i], i + 1 < count ? v->turns[i + 1] : SIM_NONE,
                      i + 2 < count ? v->turns[i + 2] : SIM_NONE);
    }
    return count;
}

/* A window, up to `end`. False: it was not worth it. */
static bool open_window(struct sim *s, sim_ps end)
{
    struct sim_window *v = s->window;
    const uint64_t before = s->w->count.events;
    v->last = s->w->now;
    v->look_at = SIM_NEVER;
    v->taken = 0;
    v->end = s->window_end = end;
    v->reach = end + 2 * v->lookahead;
    v->shift = 0;
    while ((end - v->begin) >> v->shift >= SIM_TURN_BUCKETS) {
        v->shift++;
    }
    while (s->w->pending.far_first < end) {
        const uint32_t place = sim_far_take(s);
        sim_turn_later(s, node_of(s, &s->near[place].event), place);
    }
    const uint32_t turns = take_turns(s);
    put_down(s);
    return v->taken > 0 && (v->always || s->w->count.events - before >= (uint64_t)WORTH * turns);
}

/* One window after the other, as long as that is possible, worth it, and within so many events. Gives how
 * many are to be taken in the common order before it is tried again. */
static uint64_t open_windows(struct sim *s, uint64_t *events, sim_ps until)
{
    struct sim_window *v = s->window;
    bool worth = true;
    while (worth && may_open(s) && v->end <= until && goes_on(s) && v->taken < *events / 2) {
        const sim_ps left = until + 1 - v->end;
        const sim_ps most = v->end + (v->lookahead < left ? v->lookahead : left);
        v->begin = v->end;
        const sim_ps end = first_common(s, 0, most);
        if (end == v->begin) {
            break;
        }
        worth = open_window(s, end);
        *events -= v->taken < *events ? v->taken : *events - 1;
    }
    const uint64_t some = s->config->port_count / 4 + 1;
    return v->always ? 1 : worth ? some : 64 * some;
}

uint64_t sim_window_sweep(struct sim *s, uint64_t *events, sim_ps until)
{
    struct sim_window *v = s->window;
    if (!may_open(s)) {
        return UINT64_MAX;
    }
    sim_event_turn(s);
    v->end = sim_event_first(s)->t;
    v->taken = v->always ? 0 : s->config->port_count; /* so many a window may take */
    if (v->end > until || (until - v->end < LEAST * v->lookahead && !v->always)) {
        return UINT64_MAX;
    }
    make_up(s);
    hand_all_out(s);
    const uint64_t common = open_windows(s, events, until);
    take_all_back(s);
    give_back(s);
    sim_event_turn(s);
    if (!sim_arena_is_roomy(s)) {
        sim_slots_be_punctual(s);
    }
    return common;
}
