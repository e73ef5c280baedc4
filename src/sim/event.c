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
 * (4-ary: one cache line holds the four children): timers, long cables, and what is pushed into the
 * bucket that is being taken, since its list is sorted already.
 *
 *     push   now ... run ... | bucket | bucket | bucket | ...  one turn of the wheel | later
 *            \____ heap ___/   \________ wheel ___________________________________/    heap
 *
 * A bucket is found by its number (time >> wheel_shift) modulo the size of the wheel. All events are
 * pushed less than one turn ahead of `now` and are taken before `now` passes them, so no two numbers
 * ever share a bucket.
 */
#include "sim/event.h"

#include <assert.h>

#include "base/rng.h"
#include "sim/link.h"
#include "sim/transport.h"
#include "sim/world.h"

enum { WHEEL_LEAST = 64, WHEEL_MOST = 16384, WORD = SIM_WHEEL_WORD, CHUNK = 8 };

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

size_t sim_event_words(const struct sim_config *c)
{
    size_t words = c->wheel_size / WORD;
    return words + (words + WORD - 1) / WORD;
}

/* First bit that is set, from `from` on and round; there is one. */
static uint32_t next_bit(const uint64_t *bits, uint32_t words, uint32_t from)
{
    uint32_t word = from / WORD;
    uint64_t here = bits[word] & ~UINT64_C(0) << from % WORD;
    while (here == 0) {
        word = word + 1 < words ? word + 1 : 0;
        here = bits[word];
    }
    return word * WORD + (uint32_t)__builtin_ctzll(here);
}

/* The same among the buckets. Above their bits are those of the words that are not 0. */
static uint32_t next_bucket(const struct sim *s, uint32_t from)
{
    uint32_t words = s->config->wheel_size / WORD;
    const uint64_t *bits = s->bucket_bits;
    uint32_t word = from / WORD;
    uint64_t here = bits[word] & ~UINT64_C(0) << from % WORD;
    if (here == 0) {
        word = next_bit(bits + words, (words + WORD - 1) / WORD, word + 1 < words ? word + 1 : 0);
        here = bits[word];
    }
    return word * WORD + (uint32_t)__builtin_ctzll(here);
}

/* The list of a bucket, which is empty afterwards. */
static uint32_t take_bucket(struct sim *s, uint32_t bucket)
{
    uint32_t words = s->config->wheel_size / WORD;
    uint32_t word = bucket / WORD;
    uint32_t list = s->buckets[bucket];
    s->buckets[bucket] = SIM_NONE;
    s->bucket_bits[word] &= ~(UINT64_C(1) << bucket % WORD);
    if (s->bucket_bits[word] == 0) {
        s->bucket_bits[words + word / WORD] &= ~(UINT64_C(1) << word % WORD);
    }
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
            *end = near[first].next == SIM_NONE ? first : sort(near, first);
            while (*end != SIM_NONE) {
                end = &near[*end].next;
            }
        }
    }
    return head;
}

static bool of_one_instant(const struct sim_near *near, uint32_t list)
{
    sim_ps t = near[list].event.t;
    int count = 0;
    for (; list != SIM_NONE && near[list].event.t == t; list = near[list].next) {
        count++;
    }
    return list == SIM_NONE && count > CHUNK / 2;
}

static uint32_t in_order(struct sim_near *near, uint32_t list)
{
    if (near[list].next == SIM_NONE) {
        return list;
    }
    return of_one_instant(near, list) ? spread(near, list) : sort(near, list);
}

void sim_wheel_turn(struct sim *s)
{
    struct sim_world *w = s->w;
    if (w->event_count == w->far_count) {
        return;
    }
    uint32_t mask = s->config->wheel_size - 1;
    uint64_t now = (uint64_t)w->now >> s->config->wheel_shift;
    uint32_t bucket = next_bucket(s, (uint32_t)now & mask);
    uint64_t number = now + ((bucket - (uint32_t)now) & mask);
    if (w->far_count > 0 && (uint64_t)s->events[0].t >> s->config->wheel_shift < number) {
        return; /* the heap's turn */
    }
    uint32_t list = take_bucket(s, bucket);
    w->run = in_order(s->near, list);
    w->run_bucket = number;
}

/* ---- the heap -------------------------------------------------------------------------------- */

void sim_far_push(struct sim *s, struct sim_event e)
{
    struct sim_event *heap = s->events;
    uint64_t i = s->w->far_count++;
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
    s->w->far_first = heap[0].t;
}

struct sim_event sim_far_pop(struct sim *s)
{
    struct sim_event *heap = s->events;
    const struct sim_event top = heap[0];
    uint64_t n = --s->w->far_count;
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
    s->w->far_first = n > 0 ? heap[0].t : SIM_NEVER;
    return top;
}

/* ---- both ------------------------------------------------------------------------------------ */

void sim_event_init(struct sim *s)
{
    s->w->near_free = SIM_NONE;
    s->w->run = SIM_NONE;
    s->w->far_first = SIM_NEVER;
    for (uint32_t i = 0; i < s->config->wheel_size; i++) {
        s->buckets[i] = SIM_NONE;
    }
}

bool sim_event_all(const struct sim *s,
                   bool (*holds)(const struct sim *s, const struct sim_event *e))
{
    bool all = true;
    for (uint64_t i = 0; i < s->w->far_count && all; i++) {
        all = holds(s, &s->events[i]);
    }
    for (uint32_t i = s->w->run; i != SIM_NONE && all; i = s->near[i].next) {
        all = holds(s, &s->near[i].event);
    }
    for (uint32_t b = 0; b < s->config->wheel_size; b++) {
        for (uint32_t i = s->buckets[b]; i != SIM_NONE && all; i = s->near[i].next) {
            all = holds(s, &s->near[i].event);
        }
    }
    return all;
}

bool sim_event_check(const struct sim *s)
{
    const struct sim_world *w = s->w;
    const uint32_t mask = s->config->wheel_size - 1;
    const unsigned shift = s->config->wheel_shift;
    uint64_t count = w->far_count;
    bool good = w->far_first == (w->far_count > 0 ? s->events[0].t : SIM_NEVER);
    for (uint64_t i = 0; i < w->far_count; i++) {
        good = good && (i == 0 || sim_event_before(&s->events[(i - 1) / 4], &s->events[i]));
        good = good && s->events[i].t >= w->now;
    }
    for (uint32_t i = w->run; i != SIM_NONE; i = s->near[i].next, count++) {
        uint32_t next = s->near[i].next;
        good = good && s->near[i].event.t >= w->now &&
               (uint64_t)s->near[i].event.t >> shift == w->run_bucket &&
               (next == SIM_NONE || sim_event_before(&s->near[i].event, &s->near[next].event));
    }
    for (uint32_t b = 0; b <= mask; b++) {
        bool some = (s->bucket_bits[b / WORD] >> b % WORD & 1u) != 0;
        good = good && some == (s->buckets[b] != SIM_NONE);
        for (uint32_t i = s->buckets[b]; i != SIM_NONE; i = s->near[i].next, count++) {
            uint64_t number = (uint64_t)s->near[i].event.t >> shift;
            good = good && (number & mask) == b && s->near[i].event.t >= w->now &&
                   number - ((uint64_t)w->now >> shift) <= mask;
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
