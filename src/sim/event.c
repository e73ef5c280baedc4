/*
 * The event queue.
 *
 * Order: time, class, then a mix of seed, time and the component's name, so that two equal senders
 * are treated alike over time whatever the order of their declaration; then the component, then the
 * kind. Nothing depends on the order in which events were pushed: a component never has two pending
 * events that are equal in all of these.
 *
 * Nearly all events are ends of slots and arrivals: soon, and dense. They go into a wheel (a calendar
 * queue, Brown 1988): time is cut into buckets, each an unsorted list, and bit masks tell which are not
 * empty. When a bucket's time has come its list is sorted: it becomes the run, from which events are
 * taken. So most cost a few instructions, whatever the size of the fabric. The rest wait in a heap
 * (4-ary: one cache line holds the four children): timers, long cables, and some of what is pushed into
 * the bucket that is being taken.
 *
 *     push   now ... run ... | bucket | bucket | bucket | ...  one turn of the wheel | later
 *            \____ heap ___/   \________ wheel ___________________________________/    heap
 *
 * A bucket is found by its number (time >> wheel_shift) modulo the size of the wheel. Those in the
 * wheel lie behind the bucket that was taken last, `run_bucket`, and less than one turn ahead of it, so
 * no two numbers ever share a bucket. When it is the heap's turn, `run_bucket` goes along with it.
 */
#include "sim/event.h"

#include <assert.h>

#include "base/rng.h"
#include "sim/link.h"
#include "sim/transport.h"
#include "sim/window.h"
#include "sim/world.h"

enum { WHEEL_LEAST = 64, WHEEL_MOST = 16384, WORD = SIM_WHEEL_WORD, CHUNK = 8, RANKED = 32 };

/* ---- the wheel ------------------------------------------------------------------------------- */

/* Less than one event a bucket when all ports are busy with full frames, and a turn that covers a slot
 * and a cable; beyond WHEEL_MOST buckets they get wider instead of more. */
void sim_event_plan(struct sim_config *c)
{
    sim_ps slot = SIM_NEVER;
    sim_ps turn = 1;
    for (uint32_t p = 0; p < c->port_count; p++) {
        sim_ps own = sim_bytes_ps(&c->ports[p], (int64_t)c->frame_max + c->wire.slot);
        slot = own < slot ? own : slot;
        turn = own + c->ports[p].delay > turn ? own + c->ports[p].delay : turn;
    }
    turn = turn > 8 * slot ? 8 * slot : turn; /* farther than that it is the first frame of many */
    while (c->wheel_shift < 62 && (slot / c->port_count) >> c->wheel_shift > 4) {
        c->wheel_shift++;
    }
    while (c->wheel_shift < 62 && turn >> c->wheel_shift >= WHEEL_MOST) {
        c->wheel_shift++;
    }
    c->wheel_size = WHEEL_LEAST;
    while ((sim_ps)c->wheel_size <= turn >> c->wheel_shift) {
        c->wheel_size *= 2;
    }
}

size_t sim_event_places(const struct sim_config *c)
{
    return (size_t)2 * c->port_count + c->node_count;
}

size_t sim_event_words(const struct sim_config *c)
{
    return c->wheel_size / WORD;
}

/* First bucket that is not empty, from `from` on and round; there is one. It is near: a wheel is as
 * large as it has to be for one with few events a bucket. */
static uint32_t next_bucket(const struct sim *s, uint32_t from)
{
    const uint32_t last = s->wheel_mask / WORD;
    uint32_t word = from / WORD;
    uint64_t here = s->bucket_bits[word] & ~UINT64_C(0) << from % WORD;
    while (here == 0) {
        word = word < last ? word + 1 : 0;
        here = s->bucket_bits[word];
    }
    return word * WORD + (uint32_t)__builtin_ctzll(here);
}

/* The list of a bucket, which is empty afterwards. */
static uint32_t take_bucket(struct sim *s, uint32_t bucket)
{
    const uint32_t list = s->buckets[bucket];
    s->buckets[bucket] = SIM_NONE;
    s->bucket_bits[bucket / WORD] &= ~(UINT64_C(1) << bucket % WORD);
    return list;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* Of two ordered lists, not empty, one. */
static uint32_t merge(struct sim_near *near, uint32_t a, uint32_t b)
{
    uint32_t head;
    uint32_t *end = &head;
    while (a != SIM_NONE && b != SIM_NONE) {
        uint32_t *first = sim_event_before(&near[a].event, &near[b].event) ? &a : &b;
        *end = *first;
        end = &near[*first].next;
        *first = *end;
    }
    *end = a != SIM_NONE ? a : b;
    return head;
}

/* Takes some events off a list and orders them. */
static uint32_t take_ordered(struct sim_near *near, uint32_t *list)
{
    uint32_t head = SIM_NONE;
    for (int n = 0; n < CHUNK && *list != SIM_NONE; n++) {
        uint32_t i = *list;
        uint32_t *link = &head;
        *list = near[i].next;
        while (*link != SIM_NONE && sim_event_before(&near[*link].event, &near[i].event)) {
            link = &near[*link].next;
        }
        near[i].next = *link;
        *link = i;
    }
    return head;
}

/* Merge sort, bottom up: part[i] holds 2^i chunks or none. All ports of a fabric may have their events
 * at the same instant. */
static uint32_t sort(struct sim_near *near, uint32_t list)
{
    uint32_t part[32];
    unsigned parts = 0;
    uint32_t sorted = take_ordered(near, &list);
    while (list != SIM_NONE) {
        unsigned i = 0;
        for (; i < parts && part[i] != SIM_NONE; i++) {
            sorted = merge(near, part[i], sorted);
            part[i] = SIM_NONE;
        }
        part[i] = sorted;
        parts = i == parts ? parts + 1 : parts;
        sorted = take_ordered(near, &list);
    }
    for (unsigned i = 0; i < parts; i++) {
        sorted = part[i] != SIM_NONE ? merge(near, part[i], sorted) : sorted;
    }
    return sorted;
}

/* Many events of one instant, as where all hosts do the same: then class and luck decide, and luck is
 * spread evenly. So a slot for each class and some bits of luck holds one event or a few. */
static uint32_t spread(struct sim_near *near, uint32_t list)
{
    enum { BITS = 9, SLOTS = 1 << BITS };
    uint32_t slot[SLOTS];
    uint64_t used[SLOTS / WORD] = { 0 };
    uint32_t head = SIM_NONE;
    uint32_t *end = &head;
    while (list != SIM_NONE) {
        uint32_t i = list;
        uint32_t k = (uint32_t)(near[i].event.order >> (64 - BITS));
        bool some = (used[k / WORD] >> k % WORD & 1u) != 0;
        list = near[i].next;
        near[i].next = some ? slot[k] : SIM_NONE;
        slot[k] = i;
        used[k / WORD] |= UINT64_C(1) << k % WORD;
    }
    for (uint32_t w = 0; w < SLOTS / WORD; w++) {
        for (uint64_t bits = used[w]; bits != 0; bits &= bits - 1) {
            uint32_t first = slot[w * WORD + (uint32_t)__builtin_ctzll(bits)];
            if (near[first].next == SIM_NONE) {
                *end = first;
                end = &near[first].next;
                continue;
            }
            *end = sort(near, first);
            while (*end != SIM_NONE) {
                end = &near[*end].next;
            }
        }
    }
    return head;
}

/*
 * A few events of one instant: the rank of each is the number of those that come before it. All are
 * compared with all, eight at a time and without a branch that could be mispredicted; that costs less
 * than sorting. What decides is the class and some bits of luck, the uppermost of the order; SIM_NONE:
 * that was not enough.
 */
typedef int16_t eight __attribute__((vector_size(16)));
union lanes {
    int16_t of[RANKED];
    eight in[RANKED / 8];
};
struct few {
    uint32_t place[RANKED];
    union lanes key;
};

static SIM_ALWAYS uint32_t ranked(struct sim_near *near, const struct few *few, uint32_t count,
                                  uint32_t eights)
{
    union lanes rank;
    eight sum[RANKED / 8] = { 0 };
    uint32_t sorted[RANKED];
    uint32_t taken = 0;
    for (uint32_t k = 0; k < count; k++) {
        const int16_t one = few->key.of[k];
        const eight all = { one, one, one, one, one, one, one, one };
        for (uint32_t i = 0; i < eights; i++) {
            sum[i] -= all < few->key.in[i]; /* true is -1 */
        }
    }
    for (uint32_t i = 0; i < eights; i++) {
        rank.in[i] = sum[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t r = (uint32_t)rank.of[i];
        sorted[r] = few->place[i];
        taken |= UINT32_C(1) << r;
    }
    if (taken != UINT32_MAX >> (RANKED - count)) {
        return SIM_NONE; /* two share a rank */
    }
    uint32_t *end = &near[sorted[0]].next;
    for (uint32_t i = 1; i < count; i++) {
        *end = sorted[i];
        end = &near[sorted[i]].next;
    }
    *end = SIM_NONE;
    return sorted[0];
}

uint32_t sim_near_order(struct sim *s, uint32_t list)
{
    struct sim_near *near = s->near;
    const uint32_t second = near[list].next;
    if (near[second].next == SIM_NONE) { /* a pair, as most are that are not alone */
        if (sim_event_before(&near[list].event, &near[second].event)) {
            return list;
        }
        near[second].next = list;
        near[list].next = SIM_NONE;
        return second;
    }
    const sim_ps t = near[list].event.t;
    struct few few;
    uint32_t count = 0; /* of one instant, at the beginning */
    uint32_t i = list;
    do {
        few.place[count] = i;
        few.key.of[count] = (int16_t)((int32_t)(near[i].event.order >> 48) + INT16_MIN);
        i = near[i].next;
        count++;
    } while (i != SIM_NONE && near[i].event.t == t && count < RANKED);
    if (i == SIM_NONE) {
        const uint32_t first = count <= 8    ? ranked(near, &few, count, 1)
                               : count <= 16 ? ranked(near, &few, count, 2)
                                             : ranked(near, &few, count, 4);
        if (first != SIM_NONE) {
            return first;
        }
    }
    while (i != SIM_NONE && near[i].event.t == t) {
        i = near[i].next;
        count++;
    }
    if (i == SIM_NONE && count > RANKED) {
        return spread(near, list);
    }
    return sort(near, list);
}

void sim_wheel_turn(struct sim *s)
{
    struct sim_world *w = s->w;
    const uint32_t mask = s->wheel_mask;
    const uint64_t from = w->pending.run_bucket + 1;
    uint64_t number = UINT64_MAX; /* of the first bucket */
    if (w->event_count > w->pending.far_count) {
        number = from + ((next_bucket(s, (uint32_t)from & mask) - (uint32_t)from) & mask);
    }
    const uint64_t far = (uint64_t)w->pending.far_first >> s->wheel_shift;
    if (far < number) { /* the heap's turn: the wheel follows */
        if (far >= from && w->pending.far_count > 0) {
            w->pending.run_bucket = far;
        }
        return;
    }
    const uint32_t list = take_bucket(s, (uint32_t)number & mask);
    w->pending.run = s->near[list].next == SIM_NONE ? list : sim_near_order(s, list);
    w->pending.run_bucket = number;
}

/* ---- the heap -------------------------------------------------------------------------------- */

void sim_far_push(struct sim *s, struct sim_event e)
{
    struct sim_event *heap = s->events;
    uint64_t i = s->w->pending.far_count++;
    assert(i < s->section_cap[SIM_SECTION_EVENTS]);
    while (i > 0) {
        uint64_t parent = (i - 1) / 4;
        if (!sim_event_before(&e, &heap[parent])) {
            break;
        }
        heap[i] = heap[parent];
        i = parent;
    }
    heap[i] = e;
    s->w->pending.far_first = heap[0].t;
}

static struct sim_event far_pop(struct sim *s)
{
    struct sim_event *heap = s->events;
    const struct sim_event top = heap[0];
    uint64_t n = --s->w->pending.far_count;
    struct sim_event last = heap[n];
    uint64_t i = 0;
    for (;;) {
        uint64_t child = 4 * i + 1;
        if (child >= n) {
            break;
        }
        uint64_t end = child + 4 < n ? child + 4 : n;
        uint64_t best = child;
        for (uint64_t c = child + 1; c < end; c++) {
            if (sim_event_before(&heap[c], &heap[best])) {
                best = c;
            }
        }
        if (!sim_event_before(&heap[best], &last)) {
            break;
        }
        heap[i] = heap[best];
        i = best;
    }
    heap[i] = last;
    s->w->pending.far_first = n > 0 ? heap[0].t : SIM_NEVER;
    return top;
}

void sim_far_forget_arrivals(struct sim *s)
{
    const uint64_t count = s->w->pending.far_count;
    s->w->pending.far_count = 0;
    s->w->pending.far_first = SIM_NEVER;
    for (uint64_t i = 0; i < count; i++) { /* those in front of it are in order already */
        const struct sim_event e = s->events[i];
        if (sim_event_kind(&e) == SIM_EV_ARRIVE) {
            s->w->event_count--;
        } else {
            sim_far_push(s, e);
        }
    }
}

/* Into the bucket that is being taken, whose list is in order already: mostly few are left there. */
void sim_event_push_soon(struct sim *s, uint32_t place, struct sim_event e)
{
    if (s->window_end != 0 && sim_window_wants(s, &e)) {
        sim_window_push(s, place, e);
        return;
    }
    if ((uint64_t)e.t >> s->wheel_shift == s->w->pending.run_bucket) {
        uint32_t *link = &s->w->pending.run;
        for (int steps = 0; steps < CHUNK; steps++) {
            if (*link == SIM_NONE || sim_event_before(&e, &s->near[*link].event)) {
                s->near[place].event = e;
                s->near[place].next = *link;
                *link = place;
                return;
            }
            link = &s->near[*link].next;
        }
    }
    sim_far_push(s, e);
}

/* ---- both ------------------------------------------------------------------------------------ */

/* A free place of the pool. */
static uint32_t pool_place(struct sim_world *w, const struct sim_near *near)
{
    const uint32_t place = w->pending.near_free;
    if (place == SIM_NONE) {
        return (uint32_t)w->pending.near_high++;
    }
    w->pending.near_free = near[place].next;
    return place;
}

void sim_event_push(struct sim *s, sim_ps t, enum sim_class class, uint32_t comp,
                    enum sim_event_kind kind, uint32_t prio)
{
    struct sim_world *w = s->w;
    const struct sim_event e = sim_event_make(s, t, class, comp, kind, prio);
    w->event_count++;
    w->pool_count += !sim_event_has_place(kind);
    s->scarce |= w->pool_count > s->most[0];
    if (s->window_end != 0 && sim_window_wants(s, &e)) {
        sim_window_push(s, pool_place(w, s->near), e);
    } else if (sim_event_is_near(s, t)) {
        sim_near_put(s, pool_place(w, s->near), sim_event_bucket(s, t), e);
    } else {
        sim_far_push(s, e);
    }
}

void sim_far_move(struct sim *s, uint32_t place)
{
    struct sim_pending *pending = &s->w->pending;
    const struct sim_event e = s->near[place].event;
    if (place >= s->places) {
        s->near[place].next = pending->near_free;
        pending->near_free = place;
    }
    sim_far_push(s, e);
}

void sim_near_back(struct sim *s, uint32_t place)
{
    const struct sim_event e = s->near[place].event;
    if (sim_event_is_near(s, e.t)) {
        sim_near_put(s, place, sim_event_bucket(s, e.t), e);
    } else {
        sim_far_move(s, place);
    }
}

uint32_t sim_far_take(struct sim *s)
{
    const struct sim_event e = far_pop(s);
    const enum sim_event_kind kind = sim_event_kind(&e);
    const uint32_t place = sim_event_has_place(kind)
                               ? sim_event_place(s, sim_event_component(&e), kind)
                               : pool_place(s->w, s->near);
    s->near[place].event = e;
    return place;
}

bool sim_event_take_any(struct sim *s, sim_ps until, struct sim_event *e)
{
    struct sim_world *w = s->w;
    const struct sim_event *first = sim_event_first(s);
    if (first == NULL || first->t > until) {
        return false;
    }
    w->event_count--;
    if (first == s->events) {
        w->pool_count -= !sim_event_has_place(sim_event_kind(first));
        *e = far_pop(s);
        return true;
    }
    const uint32_t place = w->pending.run;
    *e = s->near[place].event;
    w->pending.run = s->near[place].next;
    if (place >= s->places) {
        sim_near_free(s, place);
    }
    return true;
}

void sim_event_init(struct sim *s)
{
    s->w->pending.near_high = s->places;
    s->w->pending.near_free = SIM_NONE;
    s->w->pending.run = SIM_NONE;
    s->w->pending.far_first = SIM_NEVER;
    for (uint32_t i = 0; i < s->config->wheel_size; i++) {
        s->buckets[i] = SIM_NONE;
    }
}

/* Calls `see` for every pending event until it returns false. */
static bool each(const struct sim *s,
                 bool (*see)(const struct sim *, const struct sim_event *, void *), void *ctx)
{
    bool all = true;
    for (uint64_t i = 0; i < s->w->pending.far_count && all; i++) {
        all = see(s, &s->events[i], ctx);
    }
    for (uint32_t i = s->w->pending.run; i != SIM_NONE && all; i = s->near[i].next) {
        all = see(s, &s->near[i].event, ctx);
    }
    for (uint32_t b = 0; b < s->config->wheel_size; b++) {
        for (uint32_t i = s->buckets[b]; i != SIM_NONE && all; i = s->near[i].next) {
            all = see(s, &s->near[i].event, ctx);
        }
    }
    return all;
}

struct holds {
    bool (*holds)(const struct sim *s, const struct sim_event *e);
};

static bool ask(const struct sim *s, const struct sim_event *e, void *ctx)
{
    return ((const struct holds *)ctx)->holds(s, e);
}

bool sim_event_all(const struct sim *s,
                   bool (*holds)(const struct sim *s, const struct sim_event *e))
{
    struct holds ctx = { holds };
    return each(s, ask, &ctx);
}

static bool add(const struct sim *s, const struct sim_event *e, void *sum)
{
    (void)s;
    *(uint64_t *)sum += rng_mix3((uint64_t)e->t, e->order, 0);
    return true;
}

uint64_t sim_event_hash(const struct sim *s)
{
    uint64_t sum = 0;
    (void)each(s, add, &sum);
    return sum;
}

bool sim_event_check(const struct sim *s)
{
    const struct sim_world *w = s->w;
    const uint32_t mask = s->wheel_mask;
    const unsigned shift = s->wheel_shift;
    uint64_t count = w->pending.far_count;
    bool good = w->pending.far_first == (w->pending.far_count > 0 ? s->events[0].t : SIM_NEVER);
    for (uint64_t i = 0; i < w->pending.far_count; i++) {
        good = good && (i == 0 || sim_event_before(&s->events[(i - 1) / 4], &s->events[i]));
        good = good && s->events[i].t >= w->now;
    }
    for (uint32_t i = w->pending.run; i != SIM_NONE; i = s->near[i].next, count++) {
        uint32_t next = s->near[i].next;
        good = good && s->near[i].event.t >= w->now &&
               (uint64_t)s->near[i].event.t >> shift == w->pending.run_bucket &&
               (next == SIM_NONE || sim_event_before(&s->near[i].event, &s->near[next].event));
    }
    for (uint32_t b = 0; b <= mask; b++) {
        bool some = (s->bucket_bits[b / WORD] >> b % WORD & 1u) != 0;
        good = good && some == (s->buckets[b] != SIM_NONE);
        for (uint32_t i = s->buckets[b]; i != SIM_NONE; i = s->near[i].next, count++) {
            uint64_t number = (uint64_t)s->near[i].event.t >> shift;
            good = good && (number & mask) == b && s->near[i].event.t >= w->now &&
                   number - w->pending.run_bucket - 1 < mask;
        }
    }
    return good && count == w->event_count;
}

/* ---- timers ---------------------------------------------------------------------------------- */

bool sim_timer_due(struct sim *s, struct sim_timer *timer, enum sim_class class, uint32_t comp,
                   enum sim_event_kind kind, uint32_t prio)
{
    if (timer->event != s->w->now) {
        return false; /* superseded by an earlier event */
    }
    timer->event = SIM_NEVER;
    if (timer->deadline == s->w->now) {
        timer->deadline = SIM_NEVER;
        return true;
    }
    if (timer->deadline != SIM_NEVER) {
        sim_timer_set(s, timer, timer->deadline, class, comp, kind, prio);
    }
    return false;
}
