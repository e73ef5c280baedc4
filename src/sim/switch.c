#include "sim/switch.h"

#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "sim/credit.h"
#include "sim/event.h"
#include "sim/link.h"
#include "sim/outage.h"
#include "sim/pfc.h"
#include "sim/receive.h"
#include "sim/steer.h"
#include "sim/transport.h"
#include "sim/watch.h"
#include "sim/world.h"

/* A number for this packet at this switch. */
static uint64_t packet_luck(const struct sim *s, uint32_t node, const struct sim_packet *f)
{
    const struct sim_config *c = s->config;
    uint64_t place = c->seed ^ c->component_hash[sim_comp_node(c, node)];
    uint64_t key = c->flows[f->flow].hash ^ (uint64_t)f->attempt << 48 ^ (uint64_t)f->kind << 40;
    return rng_mix3(place, key, f->psn);
}

/* How full a queue is, in four steps: under 5, 10, 20 % of the buffer, or more (model 4.6). With an
 * endless buffer the steps are those of the default one. */
static int fullness(struct sim *s, uint32_t port)
{
    sim_port_settle(s, port);
    int64_t buffer = s->w->knobs.v[SIM_KNOB_BUFFER];
    int64_t bytes = s->ports[port].classes[sim_class_place(SIM_PRIO_DATA)].out.bytes;
    if (buffer == SIM_UNLIMITED) {
        buffer = sim_knob_info(SIM_KNOB_BUFFER)->def;
    }
    return bytes < buffer / 20 ? 0 : bytes < buffer / 10 ? 1 : bytes < buffer / 5 ? 2 : 3;
}

/* Which of these ports has the shortest queue: of all, or of some that are drawn; equals take turns by luck. */
static uint32_t shortest(struct sim *s, const uint32_t *ports, uint32_t count, uint64_t luck)
{
    const int64_t choices = s->w->knobs.v[SIM_KNOB_ADAPTIVE_CHOICES];
    const bool all = choices == 0 || choices >= count;
    const uint32_t looks = all ? count : (uint32_t)choices;
    uint32_t best = (uint32_t)(luck % count);
    int least = fullness(s, ports[best]);
    for (uint32_t i = 1; i < looks && least > 0; i++) {
        uint32_t at = (uint32_t)((all ? luck + i : rng_mix(luck + i)) % count);
        int level = fullness(s, ports[at]);
        if (level < least) {
            least = level;
            best = at;
        }
    }
    return best;
}

/* The number that a choice among ways is made by: of the packet, or the same for all of a flow. */
static uint64_t draw(struct sim *s, uint32_t node, const struct sim_packet *packet)
{
    const struct sim_config *c = s->config;
    const struct sim_flow_config *flow = &c->flows[packet->flow];
    const bool back = packet->kind != SIM_FRAME_DATA;
    switch ((enum sim_routing)s->w->knobs.v[SIM_KNOB_ROUTING]) {
    case SIM_ROUTE_DMODK:
        return back ? flow->src_host : flow->dst_host;
    case SIM_ROUTE_SPRAY:
    case SIM_ROUTE_ADAPTIVE:
        return packet_luck(s, node, packet);
    case SIM_ROUTE_FLOWLET:
        return sim_steer_flowlet(s, node, packet);
    case SIM_ROUTE_IN_TURN:
        return sim_steer_turn(s, node, packet);
    case SIM_ROUTE_ECMP: {
        const bool own = s->w->knobs.v[SIM_KNOB_ECMP_SEED] == SIM_SEED_OWN;
        return rng_mix3(c->seed, flow->hash ^ (uint64_t)back,
                        own ? c->component_hash[sim_comp_node(c, node)] : 0);
    }
    }
    return 0;
}

/* Which of several equally short ways: the flow's pin says so, or the routing. */
static uint32_t choose(struct sim *s, uint32_t node, const struct sim_packet *packet,
                       const uint32_t *ports, uint32_t count)
{
    const struct sim_flow_config *flow = &s->config->flows[packet->flow];
    if (flow->pin != SIM_NONE) {
        const uint32_t pick = sim_steer_pinned(s->config, flow, ports, count);
        if (pick != SIM_NONE) {
            return pick;
        }
    }
    const uint64_t drawn = draw(s, node, packet);
    return s->w->knobs.v[SIM_KNOB_ROUTING] == SIM_ROUTE_ADAPTIVE ? shortest(s, ports, count, drawn)
                                                                 : (uint32_t)(drawn % count);
}

static SIM_ALWAYS uint32_t route(struct sim *s, uint32_t node, const struct sim_packet *packet)
{
    const struct sim_config *c = s->config;
    const struct sim_flow_config *flow = &c->flows[packet->flow];
    bool back = packet->kind != SIM_FRAME_DATA; /* ACK and NAK run against their flow */
    uint32_t host = back ? flow->src_host : flow->dst_host;
    const uint32_t *group =
        &c->route_pool[c->route[(size_t)c->nodes[node].routes * c->host_count + host]];
    uint32_t count = group[0];
    if (count == 0) {
        return SIM_NONE;
    }
    uint32_t pick = count > 1 ? choose(s, node, packet, &group[1], count) : 0;
    if (s->w->withdrawn > 0) {
        /* what `% count` has left of the draw is as good as another one; no choice, no draw */
        const uint64_t luck = count > 1 ? draw(s, node, packet) / count : 0;
        return sim_outage_route(s, node, host, pick, luck);
    }
    return group[1 + pick];
}

uint32_t sim_route(struct sim *s, uint32_t node, const struct sim_packet *packet)
{
    return route(s, node, packet);
}

/*
 * Ways found before. Where the way of a flow never changes it is kept, by direction and by the number of
 * cables behind it: one cache line a flow takes the place of its hash, a route and the ports to choose
 * from, which are far apart. Whether it belongs to this switch is asked of the port.
 */
void sim_ways_begin(struct sim *s)
{
    const size_t count = (size_t)s->config->flow_count * SIM_WAYS_A_FLOW;
    const int64_t routing = s->w->knobs.v[SIM_KNOB_ROUTING];
    if (routing != SIM_ROUTE_ECMP && routing != SIM_ROUTE_DMODK) {
        return;
    }
    if (s->ways == NULL) {
        s->ways = mem_alloc(count, sizeof *s->ways);
        s->ways_of = -1;
    }
    if (s->ways_of != routing) {
        memset(s->ways, 0xff, count * sizeof *s->ways);
        s->ways_of = routing;
    }
}

static uint32_t find_way(struct sim *s, uint32_t node, const struct sim_packet *f)
{
    if (s->w->withdrawn > 0 || f->hops >= SIM_WAYS ||
        s->ways_of != s->w->knobs.v[SIM_KNOB_ROUTING]) {
        return route(s, node, f);
    }
    uint32_t *known = sim_way(s, f);
    if (!sim_way_is_known(s, node, *known)) {
        *known = route(s, node, f);
    }
    return *known;
}

int64_t sim_free_share(const struct sim *s, uint32_t node, int64_t alpha)
{
    int64_t left = s->nodes[node].pool - s->nodes[node].used_shared;
    return left > 0 ? (int64_t)((sim_wide)left * alpha >> 32) : 0;
}

/* ---- egress queues ------------------------------------------------------------------------- */

void sim_egress_put(struct sim *s, uint32_t port, uint32_t packet)
{
    sim_port_settle(s, port);
    sim_put(sim_at(s, port), packet, &s->packets[packet], false);
}

static void forward_any(struct sim *s, uint32_t port, uint32_t packet)
{
    sim_forward(sim_at(s, port), packet, &s->packets[packet], false);
}

void sim_egress_push(struct sim *s, uint32_t port, uint32_t packet)
{
    sim_port_settle(s, port);
    if (s->plain) {
        sim_forward(sim_at(s, port), packet, &s->packets[packet], true);
    } else {
        forward_any(s, port, packet);
    }
}

/* ---- admission ------------------------------------------------------------------------------ */

/* Charges a lossless frame to shared memory or headroom (model 2.2, step 3). */
static inline enum sim_reason admit_lossless(struct sim *s, uint32_t port,
                                             const struct sim_packet *f)
{
    struct sim_node_state *node = &s->nodes[s->config->ports[port].node];
    struct sim_pg *pg = &s->ports[port].classes[sim_class_place(f->prio)].in;
    bool full = node->used + (int64_t)f->bytes > s->w->knobs.v[SIM_KNOB_BUFFER];
    if (!sim_pfc_pausing(s, port, f->prio) &&
        pg->shared + (int64_t)f->bytes <= sim_pfc_xoff(s, port)) {
        if (full) {
            return SIM_REASON_BUFFER;
        }
        pg->shared += f->bytes;
        node->used_shared += f->bytes;
        return SIM_REASON_NONE;
    }
    if (pg->headroom + (int64_t)f->bytes > s->ports[port].headroom_limit) {
        return SIM_REASON_HEADROOM;
    }
    if (full) {
        return SIM_REASON_BUFFER;
    }
    pg->headroom += f->bytes;
    return SIM_REASON_NONE;
}

static inline enum sim_reason admit_lossy(struct sim *s, uint32_t port, const struct sim_packet *f)
{
    uint32_t n = s->config->ports[port].node;
    struct sim_node_state *node = &s->nodes[n];
    int64_t queue =
        f->egress == SIM_NONE ? 0 : s->ports[f->egress].classes[sim_class_place(f->prio)].out.bytes;
    if (queue + (int64_t)f->bytes > sim_queue_cap(s, n)) {
        return SIM_REASON_FULL;
    }
    if (node->used + (int64_t)f->bytes > s->w->knobs.v[SIM_KNOB_BUFFER]) {
        return SIM_REASON_BUFFER;
    }
    s->ports[port].classes[sim_class_place(f->prio)].in.shared += f->bytes;
    node->used_shared += f->bytes;
    return SIM_REASON_NONE;
}

/* There is no room for it. */
SIM_SELDOM static void drop(struct sim *s, uint32_t port, uint32_t packet, enum sim_reason reason)
{
    uint32_t egress = s->packets[packet].egress;
    if (egress != SIM_NONE) {
        s->ports[egress].dropped++;
    }
    sim_frame_lose(s, packet, port, reason);
    sim_packet_free(s, packet);
}

bool sim_switch_admit(struct sim *s, uint32_t port, uint32_t n, uint32_t packet, bool lossless)
{
    struct sim_packet *f = &s->packets[packet];
    /* while it pauses a neighbour, what it holds from that one is exact */
    if (!sim_pfc_pausing(s, port, f->prio) ||
        s->nodes[n].used + (int64_t)f->bytes > s->w->knobs.v[SIM_KNOB_BUFFER]) {
        sim_switch_settle(s, n);
    }
    enum sim_reason no = lossless ? admit_lossless(s, port, f) : admit_lossy(s, port, f);
    if (no != SIM_REASON_NONE) {
        drop(s, port, packet, no);
        return false;
    }
    s->nodes[n].used += f->bytes;
    f->ingress = port;
    if (lossless) {
        sim_pfc_admitted(s, port, f->prio);
    }
    return true;
}

bool sim_ingress_admit(struct sim *s, uint32_t port, uint32_t packet)
{
    return sim_admit(s, port, s->config->ports[port].node, packet, &s->packets[packet], false);
}

/* It has crossed too many cables between switches. The first cable, from the host, is not counted;
 * boxes have no TTL. */
static bool is_worn_out(const struct sim *s, uint32_t port, const struct sim_packet *f)
{
    return s->config->wire.counts_hops && f->hops > s->w->knobs.v[SIM_KNOB_TTL] &&
           !s->config->nodes[s->config->ports[port].node].inside;
}

/* Why a frame must not go on at all. */
static inline enum sim_reason refusal(const struct sim *s, uint32_t port,
                                      const struct sim_packet *f)
{
    if (is_worn_out(s, port, f)) {
        return SIM_REASON_TTL;
    }
    if (f->egress == SIM_NONE) {
        return SIM_REASON_NO_ROUTE;
    }
    if (s->w->watched > 0 && sim_watch_drops(s, port, f->egress, f->prio)) {
        return SIM_REASON_WATCHDOG;
    }
    return SIM_REASON_NONE;
}

bool sim_switch_must_look(const struct sim *s, uint32_t port, const struct sim_packet *f)
{
    return s->w->flooded > 0 || s->w->watched > 0 || s->ports[port].down ||
           (f->flags & SIM_FLAG_COPY) != 0 || is_worn_out(s, port, f);
}

/* True at the switch of a host whose port it has forgotten. */
SIM_SELDOM static bool is_forgotten(const struct sim *s, uint32_t n, const struct sim_packet *f)
{
    uint32_t dst = s->config->flows[f->flow].dst;
    uint32_t port = s->config->nodes[dst].first_port;
    return s->nodes[dst].flooded && s->config->ports[s->config->ports[port].peer].node == n;
}

static void accept(struct sim *s, uint32_t port, uint32_t n, uint32_t packet)
{
    struct sim_packet *f = &s->packets[packet];
    sim_accept(sim_at(s, f->egress), port, n, s->config->nodes[n].latency, packet, f, false);
}

/* A copy to every port but the one it came by and the lost host's; each is charged to its ingress. */
SIM_SELDOM static void flood(struct sim *s, uint32_t port, uint32_t packet)
{
    const struct sim_node_config *node = &s->config->nodes[s->config->ports[port].node];
    const struct sim_packet original = s->packets[packet];
    const bool credits = sim_credits_on(s, port);
    if (credits) { /* InfiniBand does not flood */
        sim_credit_arrived(s, port, original.prio, original.bytes, false);
    }
    if (credits || ((s->config->lossless_mask >> original.prio & 1u) != 0 &&
                    s->w->knobs.v[SIM_KNOB_FLOOD_LOSSLESS] == SIM_OFF)) {
        sim_frame_lose(s, packet, port, SIM_REASON_NO_PORT);
        sim_packet_free(s, packet);
        return;
    }
    sim_frame_end(s, packet);
    s->w->count.discarded++;
    for (uint32_t p = node->first_port; p < node->first_port + node->port_count; p++) {
        if (p == port || p == original.egress) {
            continue;
        }
        uint32_t copy = sim_packet_alloc(s);
        const uint32_t serial = s->packets[copy].serial;
        s->packets[copy] = original;
        s->packets[copy].serial = serial;
        s->packets[copy].flags |= SIM_FLAG_COPY;
        s->packets[copy].egress = p;
        s->qps[original.flow].in_flight++;
        s->w->data_in_flight++;
        s->w->count.flooded++;
        accept(s, port, s->config->ports[port].node, copy);
    }
}

SIM_SELDOM static void refuse(struct sim *s, uint32_t port, uint32_t packet, enum sim_reason reason)
{
    const struct sim_packet *f = &s->packets[packet];
    if (sim_credits_on(s, port)) {
        sim_credit_arrived(s, port, f->prio, sim_frame_bytes(s, port, f), false);
    }
    sim_frame_lose(s, packet, port, reason);
    sim_packet_free(s, packet);
}

void sim_switch_receive(struct sim *s, uint32_t port, uint32_t n, uint32_t packet)
{
    struct sim_packet *f = &s->packets[packet];
    f->egress = find_way(s, n, f);
    enum sim_reason no = refusal(s, port, f);
    if (no != SIM_REASON_NONE) {
        refuse(s, port, packet, no);
        return;
    }
    if (s->w->flooded > 0 && f->kind == SIM_FRAME_DATA && is_forgotten(s, n, f)) {
        flood(s, port, packet);
        return;
    }
    accept(s, port, n, packet);
}

/* Throws away a frame on its way to `port` and gives its memory back. */
static void discard(struct sim *s, uint32_t port, uint32_t packet, enum sim_reason reason)
{
    struct sim_packet *f = &s->packets[packet];
    const uint32_t from = f->ingress;
    const uint32_t prio = f->prio;
    const int64_t bytes = sim_frame_charge(s, f);
    f->ingress = SIM_NONE;
    if ((f->flags & SIM_FRAME_LOST) == 0) {
        sim_frame_lose(s, packet, from == SIM_NONE ? port : from, reason);
    }
    sim_packet_free(s, packet);
    if (from != SIM_NONE) {
        sim_switch_release(s, s->config->ports[from].node, from, prio, bytes);
    }
}

void sim_switch_pipeline(struct sim *s, uint32_t n)
{
    struct sim_node_state *node = &s->nodes[n];
    uint32_t packet = sim_fifo_pop(s, &node->pipeline);
    node->pipeline_event = false;
    if (!sim_fifo_empty(&node->pipeline)) {
        node->pipeline_event = true;
        sim_event_push_node(s, s->packets[node->pipeline.head].at, n);
    }
    const struct sim_packet *f = &s->packets[packet];
    if (f->ingress == SIM_NONE) {
        sim_packet_free(s, packet); /* it was cut through: this is what is left of it */
        return;
    }
    if (s->w->watched > 0 && sim_watch_drops(s, f->egress, f->egress, f->prio)) {
        discard(s, f->egress, packet, SIM_REASON_WATCHDOG); /* taken over since it came */
        return;
    }
    sim_egress_push(s, f->egress, packet);
}

void sim_egress_discard(struct sim *s, uint32_t port, uint32_t prio, enum sim_reason reason,
                        bool all)
{
    struct sim_fifo *fifo = &s->ports[port].classes[sim_class_place(prio)].out.fifo;
    bool more = !sim_fifo_empty(fifo);
    while (more) {
        discard(s, port, sim_egress_pop(s, port, prio), reason);
        more = all && !sim_fifo_empty(fifo);
    }
}

uint64_t sim_ecn_share(const struct sim_knobs *knobs, int64_t queue)
{
    int64_t kmin = knobs->v[SIM_KNOB_KMIN];
    int64_t kmax = knobs->v[SIM_KNOB_KMAX];
    if (queue > kmax) {
        return (uint64_t)UNIT_ONE;
    }
    if (queue <= kmin) {
        return 0;
    }
    return (uint64_t)((sim_wide)knobs->v[SIM_KNOB_PMAX] * (queue - kmin) / (kmax - kmin));
}

/* The queue decides as the packet leaves it, itself included. The draw is keyed by the packet: the
 * same packet meets the same fate in every branch of a what-if. TCP's do not say that they know the
 * mark (non-ECT): a switch leaves them as they are. */
void sim_egress_mark(struct sim *s, uint32_t port, uint32_t packet, int64_t queue)
{
    struct sim_packet *f = &s->packets[packet];
    uint64_t share = sim_ecn_share(&s->w->knobs, queue);
    if (share == 0 || f->kind != SIM_FRAME_DATA || (f->flags & SIM_FRAME_CE) != 0 ||
        s->w->knobs.v[SIM_KNOB_TRANSPORT] == SIM_TCP) {
        return;
    }
    uint64_t key = s->config->flows[f->flow].hash ^ (uint64_t)f->attempt << 48;
    uint64_t place = s->config->seed ^ s->config->component_hash[sim_comp_port(port)];
    if (rng_mix3(place, key, f->psn) >> 32 >= share) {
        return;
    }
    f->flags |= SIM_FRAME_CE;
    s->ports[port].marked++;
    s->w->count.marked++;
    if (sim_listening(s, SIM_TRACE_MARK)) {
        sim_record_frame(s, SIM_TRACE_MARK, port, packet);
    }
}

void sim_switch_release(struct sim *s, uint32_t n, uint32_t ingress, uint32_t prio, int64_t bytes)
{
    sim_send_release(s, n, ingress, prio, bytes, false);
}
