#include "export/headers.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/command.h"
#include "sim/wire.h"

/* Messages of a flow that are remembered: twice so many, then the older half goes. */
enum { MESSAGES_KEPT = 1 << 15 };

enum { IP4_NET = 0x0a000000, FCS = 4, LEAST = 60, PKTLEN_MAX = 2047 * 4, WINDOW = 65535 };

struct message {
    uint64_t psn;    /* its first */
    uint64_t offset; /* in the flow's stream of bytes */
    int64_t bytes;
};

/* Of one flow, in order; the first of them is its message number `first`, from 0. */
struct messages {
    struct message *v;
    size_t count, cap;
    uint64_t first;
};

struct headers {
    const struct sim *sim;
    struct sim_wire_sizes wire;
    bool infiniband, tcp;
    unsigned below;      /* layers under UDP or TCP */
    uint32_t *address;   /* of a node: 1, 2, ... where flows can end */
    struct messages *of; /* flow */
};

/* ---- which headers --------------------------------------------------------------------------- */

/* What makes a frame longer than the usual one, by so many bytes. */
static const struct {
    uint32_t more;
    unsigned layers;
} stacks[] = {
    { 0, FRAME_LAYER(ETH) | FRAME_LAYER(IP4) },
    { 4, FRAME_LAYER(ETH) | FRAME_LAYER(VLAN) | FRAME_LAYER(IP4) },
    { 20, FRAME_LAYER(ETH) | FRAME_LAYER(IP6) },
    { 24, FRAME_LAYER(ETH) | FRAME_LAYER(VLAN) | FRAME_LAYER(IP6) },
};

static bool choose_stack(struct headers *h, struct err *err)
{
    struct sim_knobs usual = *sim_knobs(h->sim);
    usual.v[SIM_KNOB_WIRE_OVERHEAD] = usual.v[SIM_KNOB_WIRE_ACK] = SIM_AUTO;
    const struct sim_wire_sizes plain = sim_wire_sizes(&usual);
    if (h->infiniband) {
        const uint32_t most = sim_frame_max(&h->wire);
        return (h->wire.data_headers == plain.data_headers && h->wire.ack == plain.ack &&
                most <= PKTLEN_MAX) ||
               err_set(err, ERR_RANGE,
                       "no InfiniBand packet has %u bytes of headers, %u as an ACK and up to %u in "
                       "all: "
                       "set wire_overhead and wire_ack to auto, and mtu to 4096 at most",
                       h->wire.data_headers, h->wire.ack, most);
    }
    for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++) {
        const uint32_t ack = (h->tcp ? plain.data_headers : plain.ack) + stacks[i].more;
        if (h->wire.data_headers == plain.data_headers + stacks[i].more &&
            h->wire.ack == (ack > h->wire.least ? ack : h->wire.least)) {
            h->below = stacks[i].layers;
            return true;
        }
    }
    return err_set(
        err, ERR_RANGE,
        "no Ethernet frame has %u bytes of headers around its data and %u as an ACK: set "
        "wire_overhead and wire_ack to auto",
        h->wire.data_headers, h->wire.ack);
}

struct headers *headers_create(const struct sim *sim, struct err *err)
{
    struct headers *h = mem_alloc(1, sizeof *h);
    h->sim = sim;
    h->wire = sim_wire_sizes(sim_knobs(sim));
    h->infiniband = sim_knob(sim, SIM_KNOB_LINK) == SIM_INFINIBAND;
    h->tcp = sim_knob(sim, SIM_KNOB_TRANSPORT) == SIM_TCP;
    h->infiniband = h->infiniband && !h->tcp; /* TCP's frames are Ethernet's in any case */
    if (!choose_stack(h, err)) {
        free(h);
        return NULL;
    }
    h->address = mem_alloc(sim_node_count(sim), sizeof *h->address);
    uint32_t hosts = 0;
    for (uint32_t n = 0; n < sim_node_count(sim); n++) {
        h->address[n] = sim_node(sim, n).kind == SIM_SWITCH ? 0 : ++hosts;
    }
    h->of = mem_alloc(sim_flow_count(sim), sizeof *h->of);
    return h;
}

void headers_destroy(struct headers *h)
{
    if (h == NULL) {
        return;
    }
    for (size_t f = 0; f < sim_flow_count(h->sim); f++) {
        free(h->of[f].v);
    }
    free(h->of);
    free(h->address);
    free(h);
}

/* ---- messages -------------------------------------------------------------------------------- */

void headers_learn(struct headers *h, const struct sim_sent *sent)
{
    if (sent->kind != SIM_FRAME_DATA || sent->message_bytes < 0) {
        return;
    }
    struct messages *m = &h->of[sent->flow];
    const struct message *last = m->count > 0 ? &m->v[m->count - 1] : NULL;
    if (last != NULL && sent->message <= last->psn) {
        return;
    }
    const struct message fresh = { .psn = sent->message,
                                   .bytes = sent->message_bytes,
                                   .offset =
                                       last != NULL ? last->offset + (uint64_t)last->bytes : 0 };
    if (m->count == 2 * (size_t)MESSAGES_KEPT) {
        memmove(m->v, m->v + MESSAGES_KEPT, MESSAGES_KEPT * sizeof *m->v);
        m->count -= MESSAGES_KEPT;
        m->first += MESSAGES_KEPT;
    }
    m->v = mem_grow(m->v, &m->cap, m->count + 1, sizeof *m->v);
    m->v[m->count++] = fresh;
}

/* Index of the last message that begins at `psn` or before it; `count`: none does. */
static size_t find(const struct messages *m, uint64_t psn)
{
    size_t from = 0, to = m->count;
    while (from < to) {
        const size_t mid = from + (to - from) / 2;
        if (m->v[mid].psn <= psn) {
            from = mid + 1;
        } else {
            to = mid;
        }
    }
    return from > 0 ? from - 1 : m->count;
}

static uint64_t packets(const struct headers *h, const struct message *m)
{
    return m->bytes > 0 ? ((uint64_t)m->bytes + h->wire.payload - 1) / h->wire.payload : 1;
}

/* Messages that are complete when all before `psn` has arrived. */
static uint64_t complete(const struct headers *h, uint32_t flow, uint64_t psn)
{
    const struct messages *m = &h->of[flow];
    const size_t i = find(m, psn);
    if (i == m->count) {
        return 0;
    }
    return m->first + i + (psn - m->v[i].psn >= packets(h, &m->v[i]));
}

/* Bytes of the flow before `psn`. */
static uint64_t stream_offset(const struct headers *h, uint32_t flow, uint64_t psn)
{
    const struct messages *m = &h->of[flow];
    const size_t i = find(m, psn);
    if (i == m->count) {
        return 0;
    }
    const uint64_t inside = (psn - m->v[i].psn) * h->wire.payload;
    const uint64_t bytes = (uint64_t)m->v[i].bytes;
    return m->v[i].offset + (inside < bytes ? inside : bytes);
}

/* ---- addresses ------------------------------------------------------------------------------- */

size_t headers_address(const struct headers *h, uint32_t node, uint8_t out[16])
{
    const uint64_t address = h->address[node];
    if (address == 0 || h->infiniband) {
        return 0;
    }
    if ((h->below & FRAME_LAYER(IP6)) != 0) {
        frame_ip6(out, address);
        return 16;
    }
    for (unsigned i = 0; i < 4; i++) {
        out[i] = (uint8_t)((IP4_NET + address) >> 8 * (3 - i) & UINT8_MAX);
    }
    return 4;
}

static uint64_t mac(uint32_t port)
{
    return UINT64_C(0x020000000000) + port + 1;
}

static uint64_t dscp_of(uint32_t prio)
{
    switch (prio) { /* the usual map (model 2.3) */
    case SIM_PRIO_DATA:
        return 26;
    case SIM_PRIO_CONTROL:
        return 48;
    default:
        return 8 * (uint64_t)prio;
    }
}

static bool is_data(const struct sim_sent *sent)
{
    return sent->kind == SIM_FRAME_DATA;
}

static void put_ethernet(const struct headers *h, const struct sim_sent *sent, struct frame *f)
{
    f->v[FRAME_ETH_DST] = mac(sim_port(h->sim, sent->port).peer);
    f->v[FRAME_ETH_SRC] = mac(sent->port);
    f->v[FRAME_VLAN_PRIO] = sent->prio;
    f->v[FRAME_VLAN_ID] = 1;
}

static uint64_t ecn_of(const struct headers *h, const struct sim_sent *sent)
{
    if ((sent->flags & SIM_FRAME_CE) != 0) {
        return FRAME_CE;
    }
    const bool willing = !h->tcp || (is_data(sent) && sim_knob(h->sim, SIM_KNOB_ECN) == SIM_ON);
    return willing ? FRAME_ECT0 : FRAME_NOT_ECT;
}

static void put_network(const struct headers *h, const struct sim_sent *sent, struct frame *f)
{
    const struct sim_flow_info flow = sim_flow(h->sim, sent->flow);
    const uint64_t src = h->address[is_data(sent) ? flow.src : flow.dst];
    const uint64_t dst = h->address[is_data(sent) ? flow.dst : flow.src];
    if (h->infiniband) {
        f->v[FRAME_LRH_VL] = f->v[FRAME_LRH_SL] = sent->prio;
        f->v[FRAME_LRH_SLID] = src;
        f->v[FRAME_LRH_DLID] = dst;
        return;
    }
    put_ethernet(h, sent, f);
    f->v[FRAME_IP4_DSCP] = f->v[FRAME_IP6_DSCP] = dscp_of(sent->prio);
    f->v[FRAME_IP4_ECN] = f->v[FRAME_IP6_ECN] = ecn_of(h, sent);
    f->v[FRAME_IP4_ID] = (sent->psn + (is_data(sent) ? sent->attempt : 0)) & 0xffff;
    f->v[FRAME_IP4_DF] = 1;
    f->v[FRAME_IP4_TTL] = f->v[FRAME_IP6_HLIM] = sent->ttl;
    f->v[FRAME_IP4_SRC] = IP4_NET + src;
    f->v[FRAME_IP4_DST] = IP4_NET + dst;
    f->v[FRAME_IP6_SRC] = src;
    f->v[FRAME_IP6_DST] = dst;
    f->v[FRAME_IP6_FLOW] = flow.hash & 0xfffff;
}

/* ---- RDMA ------------------------------------------------------------------------------------ */

static void put_data(const struct headers *h, const struct sim_sent *sent, struct frame *f)
{
    const struct messages *m = &h->of[sent->flow];
    const size_t i = find(m, sent->psn);
    const bool last = (sent->flags & SIM_FRAME_LAST) != 0;
    const bool known = i < m->count;
    const bool first = known ? m->v[i].psn == sent->psn : sent->psn == 0;
    const bool write = h->wire.reth > 0;
    const int64_t every = sim_ack_every(h->sim);
    const uint64_t index = known ? sent->psn - m->v[i].psn : 0;
    const uint64_t from = write ? FRAME_WRITE_FIRST : FRAME_SEND_FIRST;
    const uint64_t only = write ? FRAME_WRITE_ONLY : FRAME_SEND_ONLY;
    f->v[FRAME_BTH_OPCODE] = first && last ? only : from + (last ? 2 : first ? 0 : 1);
    f->v[FRAME_BTH_QPN] = 0x11 + 2 * (uint64_t)sent->flow;
    f->v[FRAME_BTH_PSN] = sent->psn & 0xffffff;
    f->v[FRAME_BTH_ACKREQ] = last || (index + 1) % (uint64_t)every == 0;
    f->payload = sent->payload;
    f->stream = index * h->wire.payload;
    if (write && first) {
        f->layers |= FRAME_LAYER(RETH);
        f->v[FRAME_RETH_VA] = ((uint64_t)sent->flow + 1) << 32;
        f->v[FRAME_RETH_R_KEY] = 0x1234 + sent->flow;
        f->v[FRAME_RETH_LEN] = known ? (uint64_t)m->v[i].bytes & UINT32_MAX : sent->payload;
    }
}

static void put_answer(const struct headers *h, const struct sim_sent *sent, struct frame *f)
{
    const bool nak = sent->kind == SIM_FRAME_NAK;
    f->layers |= FRAME_LAYER(AETH);
    f->v[FRAME_BTH_OPCODE] = FRAME_ACKNOWLEDGE;
    f->v[FRAME_BTH_QPN] = 0x12 + 2 * (uint64_t)sent->flow;
    f->v[FRAME_BTH_PSN] = sent->psn & 0xffffff;
    f->v[FRAME_AETH_SYNDROME] = nak ? FRAME_SYNDROME_NAK_SEQUENCE : FRAME_SYNDROME_ACK;
    f->v[FRAME_AETH_MSN] = complete(h, sent->flow, sent->psn + !nak) & 0xffffff;
}

static void put_cnp(const struct headers *h, const struct sim_sent *sent, struct frame *f)
{
    f->layers |= FRAME_LAYER(CNP);
    f->v[FRAME_BTH_OPCODE] = h->infiniband ? FRAME_CNP_IB : FRAME_CNP_ROCE;
    f->v[FRAME_BTH_BECN] = 1;
    f->v[FRAME_BTH_QPN] = 0x12 + 2 * (uint64_t)sent->flow;
}

static void put_rdma(const struct headers *h, const struct sim_sent *sent, struct frame *f)
{
    f->layers = FRAME_LAYER(BTH) | FRAME_LAYER(ICRC);
    if (h->infiniband) {
        f->layers |= FRAME_LAYER(LRH) | FRAME_LAYER(VCRC);
    } else if (sent->kind == SIM_FRAME_CNP) {
        f->layers |=
            stacks[0].layers | FRAME_LAYER(UDP); /* the model's has one length in all cases */
    } else {
        f->layers |= h->below | FRAME_LAYER(UDP);
    }
    put_network(h, sent, f);
    f->v[FRAME_UDP_SRC] = 0xc000 | (sim_flow(h->sim, sent->flow).hash & 0x3fff);
    f->v[FRAME_UDP_DST] = FRAME_PORT_ROCE;
    f->v[FRAME_BTH_MIGREQ] = 1;
    f->v[FRAME_BTH_P_KEY] = 0xffff;
    if (is_data(sent)) {
        put_data(h, sent, f);
    } else if (sent->kind == SIM_FRAME_CNP) {
        put_cnp(h, sent, f);
    } else {
        put_answer(h, sent, f);
    }
}

/* ---- TCP ------------------------------------------------------------------------------------- */

static void put_tcp(const struct headers *h, const struct sim_sent *sent, struct frame *f)
{
    const uint64_t hash = sim_flow(h->sim, sent->flow).hash;
    const uint64_t source = 0xc000 | (hash & 0xfff);
    const uint64_t server = 40000 + sent->flow % 4000;
    const uint64_t here = (hash & UINT32_MAX) + 1; /* first byte of the flow */
    const uint64_t there = (hash >> 32) + 1;       /* of what comes back, which is nothing */
    f->layers = h->below | FRAME_LAYER(TCP);
    f->least = LEAST;
    put_network(h, sent, f);
    f->v[FRAME_TCP_FLAGS] = FRAME_FLAG_ACK;
    f->v[FRAME_TCP_WINDOW] = WINDOW;
    if (is_data(sent)) {
        const uint64_t at = stream_offset(h, sent->flow, sent->psn);
        f->v[FRAME_TCP_SRC] = source;
        f->v[FRAME_TCP_DST] = server;
        f->v[FRAME_TCP_SEQ] = (here + at) & UINT32_MAX;
        f->v[FRAME_TCP_ACK] = there & UINT32_MAX;
        f->v[FRAME_TCP_FLAGS] |= (sent->flags & SIM_FRAME_LAST) != 0 ? FRAME_FLAG_PSH : 0;
        f->payload = sent->payload;
        f->stream = at;
        return;
    }
    f->v[FRAME_TCP_SRC] = server;
    f->v[FRAME_TCP_DST] = source;
    f->v[FRAME_TCP_SEQ] = there & UINT32_MAX;
    f->v[FRAME_TCP_ACK] = (here + stream_offset(h, sent->flow, sent->psn + 1)) & UINT32_MAX;
}

/* ---- link control ---------------------------------------------------------------------------- */

static void put_pfc(const struct headers *h, const struct sim_sent *sent, struct frame *f)
{
    f->layers = FRAME_LAYER(ETH) | FRAME_LAYER(MACC);
    f->least = LEAST;
    put_ethernet(h, sent, f);
    f->v[FRAME_ETH_DST] = UINT64_C(0x0180c2000001);
    f->v[FRAME_MACC_OPCODE] = 0x0101;
    f->v[FRAME_MACC_CLASSES] = UINT64_C(1) << sent->prio;
    f->v[FRAME_MACC_TIME0 + sent->prio] = sent->psn;
}

/* The counters of the wire have 12 bits. */
static void put_credits(const struct sim_sent *sent, struct frame *f)
{
    f->layers = FRAME_LAYER(IB_LINK);
    f->v[FRAME_IB_LINK_VL] = sent->prio;
    f->v[FRAME_IB_LINK_FCTBS] = sent->payload & 0xfff;
    f->v[FRAME_IB_LINK_FCCL] = sent->psn & 0xfff;
}

/* What corrupt has spoilt and is still to be seen: a MAC address is written anew by each router. */
static unsigned wrong_field(enum sim_field field)
{
    static const unsigned of[SIM_FIELD_COUNT] = {
        [SIM_FIELD_TTL] = FRAME_WRONG(FRAME_IP4_TTL),
        [SIM_FIELD_ADDRESS] = FRAME_WRONG(FRAME_IP4_DST),
        [SIM_FIELD_PORT] = FRAME_WRONG(FRAME_UDP_DST),
        [SIM_FIELD_RESERVED] = FRAME_WRONG(FRAME_BTH_RESERVED6),
        [SIM_FIELD_PSN] = FRAME_WRONG(FRAME_BTH_PSN),
        [SIM_FIELD_PAYLOAD] = FRAME_WRONG_DATA,
    };
    return of[field];
}

struct frame headers_of(const struct headers *h, const struct sim_sent *sent)
{
    struct frame f = { 0 };
    switch (sent->kind) {
    case SIM_FRAME_XOFF:
    case SIM_FRAME_XON:
        put_pfc(h, sent, &f);
        break;
    case SIM_FRAME_CREDIT:
        put_credits(sent, &f);
        break;
    case SIM_FRAME_DATA:
    case SIM_FRAME_ACK:
    case SIM_FRAME_NAK:
    case SIM_FRAME_CNP:
        if (h->tcp) {
            put_tcp(h, sent, &f);
        } else {
            put_rdma(h, sent, &f);
            f.wrong = wrong_field((enum sim_field)sent->wrong);
        }
        break;
    }
    return f;
}

size_t headers_length(const struct frame *f, const struct sim_sent *sent)
{
    return sent->bytes - ((f->layers & FRAME_LAYER(ETH)) != 0 ? FCS : 0);
}
