#include "sim/turn.h"

#include <assert.h>

#include "base/mem.h"
#include "sim/event.h"
#include "sim/inbox.h"
#include "sim/link.h"
#include "sim/loop.h"
#include "sim/receive.h"
#include "sim/window.h"
#include "sim/world.h"

enum {
    LINE = 64,    /* bytes of a line of the cache */
    QP_LINES = 3, /* of a queue pair: what every packet and every ACK touches */
};

/* ---- order ------------------------------------------------------------------------------------ */

uint64_t sim_turn_order(const struct sim *s, sim_ps t, uint32_t port, enum sim_class class)
{
    const uint32_t from = s->cables[port].peer;
    return sim_event_of_port(t, class, from, s->cables[from].luck, SIM_EV_ARRIVE).order;
}

static uint64_t end_order(const struct sim *s, sim_ps t, uint32_t port)
{
    return sim_event_of_port(t, SIM_CLASS_TX, port, s->cables[port].luck, SIM_EV_TX_DONE).order;
}

static uint64_t order_of(const struct sim *s, const struct sim_item *item)
{
    const sim_ps t = s->window->begin + item->dt;
    if (item->packet == SIM_NONE) {
        return s->near[item->what].event.order;
    }
    if (item->packet == SIM_SLOT_END) {
        return end_order(s, t, item->what);
    }
    return sim_turn_order(s, t, item->what,
                          sim_is_link_control(&s->packets[item->packet]) ? SIM_CLASS_CONTROL
                                                                         : SIM_CLASS_ARRIVAL);
}

static inline bool is_before(const struct sim *s, uint32_t a, uint32_t b)
{
    const struct sim_item *items = s->window->items;
    return items[a].dt != items[b].dt ? items[a].dt < items[b].dt
                                      : order_of(s, &items[a]) < order_of(s, &items[b]);
}

/* Puts an item into a list that is in order. */
static uint32_t put_in_order(const struct sim *s, uint32_t list, uint32_t item)
{
    uint32_t *next = s->window->next;
    uint32_t *link = &list;
    while (*link != SIM_NONE && is_before(s, *link, item)) {
        link = &next[*link];
    }
    next[item] = *link;
    *link = item;
    return list;
}

/* A bucket's list of two or more. */
static __attribute__((noinline)) uint32_t in_order(const struct sim *s, uint32_t list)
{
    const uint32_t *next = s->window->next;
    uint32_t ordered = SIM_NONE;
    while (list != SIM_NONE) {
        const uint32_t item = list;
        list = next[item];
        ordered = put_in_order(s, ordered, item);
    }
    return ordered;
}

/* ---- the turn's wheel ------------------------------------------------------------------------- */

static SIM_ALWAYS void put(struct sim_window *v, uint32_t item)
{
    const uint32_t bucket = v->items[item].dt >> v->shift;
    const uint32_t word = bucket / SIM_TURN_WORD;
    const uint32_t first = v->wheel[bucket];
    v->wheel[bucket] = item;
    v->some[word] |= UINT64_C(1) << bucket % SIM_TURN_WORD;
    v->words |= 1u << word;
    v->next[item] = first;
}

/* Room for so many more. */
static inline void reserve(struct sim_window *v, uint32_t more)
{
    if (v->item_count + more > v->item_cap) {
        v->items = mem_grow(v->items, &v->item_cap, v->item_count + more, sizeof *v->items);
        v->next = mem_grow(v->next, &v->next_cap, v->item_count + more, sizeof *v->next);
    }
}

static uint32_t add_item(struct sim_window *v, sim_ps t, uint32_t what, uint32_t packet)
{
    reserve(v, 1);
    const uint32_t item = v->item_count++;
    v->items[item] =
        (struct sim_item){ .dt = (uint32_t)(t - v->begin), .what = what, .packet = packet };
    return item;
}

/* While the turn goes on: into the run, perhaps. */
static void put_soon(const struct sim *s, struct sim_window *v, uint32_t item)
{
    if (v->items[item].dt >> v->shift == v->at) {
        v->run = put_in_order(s, v->run, item);
    } else {
        put(v, item);
    }
}

void sim_turn_put(struct sim *s, uint32_t place)
{
    struct sim_window *v = s->window;
    put_soon(s, v, add_item(v, s->near[place].event.t, place, SIM_NONE));
}

void sim_window_expect_end(struct sim *s, uint32_t port, sim_ps at)
{
    struct sim_window *v = s->window;
    if (at < s->window_end) {
        put_soon(s, v, add_item(v, at, port, SIM_SLOT_END));
    } else {
        sim_inbox_add(s, s->cables[port].node, (struct sim_coming){ at, SIM_SLOT_END, port });
    }
}

/* The next item, taken out, or SIM_NONE. */
static SIM_ALWAYS uint32_t take_item(const struct sim *s, struct sim_window *v)
{
    uint32_t item = v->run;
    if (item == SIM_NONE) {
        if (v->words == 0) {
            return SIM_NONE;
        }
        const unsigned word = (unsigned)__builtin_ctz(v->words);
        const uint64_t bits = v->some[word];
        v->at = word * SIM_TURN_WORD + (uint32_t)__builtin_ctzll(bits);
        v->some[word] = bits & (bits - 1);
        v->words &= ~((unsigned)((bits & (bits - 1)) == 0) << word);
        item = v->wheel[v->at];
        v->wheel[v->at] = SIM_NONE;
        if (v->next[item] != SIM_NONE) {
            item = in_order(s, item);
        }
    }
    v->run = v->next[item];
    return item;
}

/* ---- fetching ---------------------------------------------------------------------------------- */

static inline void fetch_port(const struct sim *s, uint32_t port)
{
    __builtin_prefetch(&s->ports[port]);
    __builtin_prefetch(&s->ports[port].classes[sim_class_place(SIM_PRIO_DATA)]);
    __builtin_prefetch(&s->cables[port]);
}

/* What a turn will touch is fetched while others have theirs: first what comes, */
static void fetch_inbox(const struct sim *s, uint32_t n)
{
    const struct sim_inbox *box = &s->inboxes[n];
    for (uint32_t i = 0; i < box->count; i += LINE / sizeof *box->frames) {
        __builtin_prefetch(&box->frames[i]);
    }
    __builtin_prefetch(&s->nodes[n]);
    __builtin_prefetch(&s->config->nodes[n]);
}

/* then the frames, and where they are counted in. The rest is look_ahead(). */
static void fetch_frames(const struct sim *s, uint32_t n)
{
    const struct sim_inbox *box = &s->inboxes[n];
    for (uint32_t i = 0; i < box->count; i++) {
        if (box->frames[i].packet != SIM_SLOT_END) {
            __builtin_prefetch(&s->packets[box->frames[i].packet]);
        }
        __builtin_prefetch(&s->ports[box->frames[i].port].classes[sim_class_place(SIM_PRIO_DATA)]);
    }
}

/* ---- the turn ---------------------------------------------------------------------------------- */

/* The frames that arrive in it, and slots that end, become items of its wheel; the others stay. */
static void take_frames(struct sim_window *v, struct sim_inbox *box, sim_ps end)
{
    uint32_t stay = 0;
    uint32_t count = 0;
    v->item_count = 0;
    reserve(v, box->count + 1); /* one more: each is written, and counted or not */
    for (uint32_t i = 0; i < box->count; i++) {
        const struct sim_coming coming = box->frames[i];
        const bool stays = coming.at >= end;
        box->frames[stay] = coming;
        stay += stays;
        v->items[count].dt = (uint32_t)(coming.at - v->begin);
        v->items[count].what = coming.port;
        v->items[count].packet = coming.packet;
        count += !stays;
    }
    box->count = stay;
    v->item_count = count;
}

/* What a frame will touch is fetched now, and its way at a switch looked up: there is time until then. */
static SIM_ALWAYS void look_ahead(struct sim *s, struct sim_item *item, bool is_switch)
{
    if (item->packet == SIM_SLOT_END) {
        return;
    }
    const struct sim_packet *f = &s->packets[item->packet];
    item->egress = SIM_NONE;
    if (!sim_goes_its_way(f)) {
        return;
    }
    if (!is_switch) {
        for (size_t line = 0; line < QP_LINES; line++) {
            __builtin_prefetch((const char *)&s->qps[f->flow] + line * LINE);
        }
        return;
    }
    item->egress = *sim_way(s, f);
    if (item->egress != SIM_NONE) {
        fetch_port(s, item->egress);
    }
}

/* What happens in it goes to its wheel. */
static SIM_ALWAYS void begin_turn(struct sim *s, uint32_t n, bool is_switch)
{
    struct sim_window *v = s->window;
    take_frames(v, &s->inboxes[n], s->window_end);
    for (uint32_t i = 0; i < v->item_count; i++) {
        put(v, i);
        look_ahead(s, &v->items[i], is_switch);
    }
    uint32_t list = v->handed[n];
    v->handed[n] = SIM_NONE;
    while (list != SIM_NONE) {
        const uint32_t place = list;
        list = s->near[place].next;
        if (s->near[place].event.t >= s->window_end) {
            sim_turn_later(s, n, place);
        } else {
            put(v, add_item(v, s->near[place].event.t, place, SIM_NONE));
        }
    }
    v->at = SIM_TURN_BUCKETS;
    v->run = SIM_NONE;
    s->w->now = v->begin;
}

/* An event of the queue. */
static void run_event(struct sim *s, uint32_t place)
{
    s->w->event_count--;
    if (place < s->places) {
        sim_run_own(s, place);
    } else {
        const struct sim_event e = s->near[place].event;
        sim_near_free(s, place);
        sim_run_other(s, e);
    }
}

static SIM_ALWAYS void run_item(struct sim *s, const struct sim_item *item,
                                const struct sim_node_config *node, uint32_t n, bool is_switch)
{
    if (item->packet == SIM_NONE) {
        run_event(s, item->what);
        return;
    }
    const sim_ps t = s->window->begin + item->dt;
    s->w->now = t;
    s->w->count.events++;
    if (item->packet == SIM_SLOT_END) {
        s->over = t;
        s->order = end_order(s, t, item->what);
        sim_port_tx_done(s, item->what);
        return;
    }
    s->order = (uint64_t)SIM_CLASS_ARRIVAL << SIM_CLASS_SHIFT | (uint64_t)item->what << 8 |
               (uint64_t)SIM_EV_ARRIVE << 3;
    s->over = t - 1;
    if (is_switch) {
        if (sim_way_is_known(s, n, item->egress)) {
            sim_accept(sim_at(s, item->egress), item->what, n, node->latency, item->packet,
                       &s->packets[item->packet], true);
        } else {
            sim_switch_take_in(s, n, item->what, item->packet);
        }
    } else {
        sim_host_take_in(s, item->what, item->packet);
    }
}

static SIM_ALWAYS void run_turn(struct sim *s, struct sim_window *v, uint32_t n, bool is_switch)
{
    const struct sim_node_config *node = &s->config->nodes[n];
    for (;;) {
        if (s->attention != 0) {
            sim_arena_grow(s);
        }
        const uint32_t item = take_item(s, v);
        if (item == SIM_NONE) {
            return;
        }
        const struct sim_item taken = v->items[item];
        run_item(s, &taken, node, n, is_switch);
    }
}

/* Bits of a row, `count` of them from `first` on, at most a word's; they are cleared. */
static inline uint64_t take_bits(uint64_t *row, uint32_t first, uint32_t count)
{
    const uint32_t word = first / SIM_TURN_WORD;
    const uint32_t at = first % SIM_TURN_WORD;
    const uint64_t mask = count < SIM_TURN_WORD ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
    uint64_t bits = row[word] >> at & mask;
    row[word] &= ~(mask << at);
    if (at + count > SIM_TURN_WORD) {
        bits |= row[word + 1] << (SIM_TURN_WORD - at) & mask;
        row[word + 1] &= ~(mask >> (SIM_TURN_WORD - at));
    }
    return bits;
}

/* Where something waits, slots that end in this turn are made up for; is there more to send, the port is
 * due again. */
static void end_turn(struct sim *s, uint32_t n)
{
    struct sim_window *v = s->window;
    const struct sim_node_config *c = &s->config->nodes[n];
    v->last = s->w->now > v->last ? s->w->now : v->last;
    sim_event_begin(s, s->window_end - 1, UINT64_MAX);
    s->last_end = 0;
    for (uint32_t done = 0; done < c->port_count; done += SIM_TURN_WORD) {
        const uint32_t first = c->first_port + done;
        const uint32_t left = c->port_count - done;
        uint64_t bits = take_bits(s->due, first, left < SIM_TURN_WORD ? left : SIM_TURN_WORD);
        for (; bits != 0; bits &= bits - 1) {
            const uint32_t p = first + (uint32_t)__builtin_ctzll(bits);
            sim_port_settle(s, p);
            if (s->ports[p].unseen && s->ports[p].waits != 0) {
                sim_window_mark(s, p);
                sim_turn_wanted(s, n);
            }
        }
    }
    assert(v->words == 0 && v->run == SIM_NONE); /* no event follows from that */
    v->last = s->last_end > v->last ? s->last_end : v->last;
}

void sim_turn_take(struct sim *s, uint32_t n, const uint32_t *next)
{
    struct sim_window *v = s->window;
    fetch_inbox(s, next[2]);
    fetch_frames(s, next[1]);
    if (s->config->nodes[n].kind == SIM_SWITCH) {
        begin_turn(s, n, true);
        run_turn(s, v, n, true);
    } else {
        begin_turn(s, n, false);
        run_turn(s, v, n, false);
    }
    end_turn(s, n);
}
