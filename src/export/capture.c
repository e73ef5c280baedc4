#include "export/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "export/fates.h"
#include "export/headers.h"
#include "export/pcapng.h"
#include "sim/wire.h"

/* So many events write fewer records than the trace keeps. */
enum { EVENTS = 1024 };

enum { WORDS = 160 };

/* What frames of a cable are taken down as; each on an interface of its own. */
enum kind { ETHERNET, INFINIBAND, CREDITS, KINDS };

static const struct {
    enum pcapng_link link;
    const char *suffix; /* of the interface's name */
    uint32_t before;    /* bytes in front of the frame */
} kinds[KINDS] = {
    [ETHERNET] = { PCAPNG_ETHERNET, "", 0 },
    [INFINIBAND] = { PCAPNG_ERF, "", PCAPNG_ERF_BYTES },
    [CREDITS] = { PCAPNG_PDU, " (credits)", PCAPNG_PDU_BYTES },
};

struct capture {
    const struct capture_options *options;
    const struct sim *sim;
    struct sink *sink;
    struct headers *headers;
    struct fates *fates;
    struct frame_sums sums;
    struct text block;
    bool *wanted;                /* port: its cable is captured */
    uint32_t *interfaces[KINDS]; /* port; SIM_NONE: none so far */
    uint32_t interface_count;
    struct pcapng_counts *counts; /* interface */
    size_t counts_cap;
    size_t note; /* the next to be said */
    uint64_t trace_seen;
    uint8_t bytes[PCAPNG_PDU_BYTES + FRAME_BYTES_MAX];
};

/* ---- places ---------------------------------------------------------------------------------- */

static bool add_place(struct capture *c, const char *name, struct err *err)
{
    const uint32_t port = sim_find_port(c->sim, name);
    const uint32_t node = sim_find_node(c->sim, name);
    uint32_t from = port, count = 1;
    if (port == SIM_NONE && node == SIM_NONE) {
        return err_set(err, ERR_NAME,
                       "there is no node and no port '%.60s'; write leaf1 or leaf1:3", name);
    }
    if (port == SIM_NONE) {
        from = sim_node(c->sim, node).first_port;
        count = sim_node(c->sim, node).port_count;
    }
    for (uint32_t p = from; p < from + count; p++) {
        c->wanted[p] = c->wanted[sim_port(c->sim, p).peer] = true;
    }
    return true;
}

static bool choose_places(struct capture *c, struct err *err)
{
    const struct capture_options *o = c->options;
    for (size_t i = 0; i < o->place_count; i++) {
        if (!add_place(c, o->places[i], err)) {
            return false;
        }
    }
    bool any = false;
    for (uint32_t p = 0; p < sim_port_count(c->sim); p++) {
        c->wanted[p] =
            (c->wanted[p] || o->place_count == 0) && sim_port(c->sim, p).kind == SIM_LINK_FABRIC;
        any = any || c->wanted[p];
    }
    return any || err_set(err, ERR_STATE,
                          "there is no cable of the fabric there: cables inside a box "
                          "carry no frames");
}

/* ---- interfaces ------------------------------------------------------------------------------ */

static uint32_t add_interface(struct capture *c, uint32_t port, enum kind kind)
{
    const struct sim_port_info info = sim_port(c->sim, port);
    const struct sim_port_info peer = sim_port(c->sim, info.peer);
    const bool ends = sim_node(c->sim, peer.node).port_count == 1; /* "g3:1" is g3 */
    char name[2 * SIM_NAME_MAX + 40], words[WORDS], rate[32], delay[32];
    (void)snprintf(name, sizeof name, "%s -> %s%s", info.name,
                   ends ? sim_node(c->sim, peer.node).name : peer.name, kinds[kind].suffix);
    (void)snprintf(words, sizeof words, "what this end of the cable sends: %s, %s long",
                   units_format(rate, sizeof rate, UNIT_RATE, info.rate_bps),
                   units_format(delay, sizeof delay, UNIT_TIME, info.delay_ps));
    pcapng_add_interface(
        &c->block,
        &(struct pcapng_interface){
            .link = kinds[kind].link,
            .name = name,
            .description = words,
            .rate_bps = info.rate_bps,
            .snaplen = c->options->snaplen > 0 ? c->options->snaplen + kinds[kind].before : 0,
        });
    c->counts = mem_grow(c->counts, &c->counts_cap, c->interface_count + 1, sizeof *c->counts);
    c->counts[c->interface_count] = (struct pcapng_counts){ 0 };
    return c->interfaces[kind][port] = c->interface_count++;
}

static void add_names(struct capture *c)
{
    const size_t nodes = sim_node_count(c->sim);
    struct pcapng_name *names = mem_alloc(nodes, sizeof *names);
    size_t count = 0;
    for (uint32_t n = 0; n < nodes; n++) {
        names[count].bytes = headers_address(c->headers, n, names[count].address);
        names[count].name = sim_node(c->sim, n).name;
        count += names[count].bytes > 0;
    }
    if (count > 0) {
        pcapng_add_names(&c->block, names, count);
    }
    free(names);
}

/* The usual ones at once; what a cable may carry besides (credits, PFC beside InfiniBand) gets its own
 * when it comes. */
static void add_section(struct capture *c, const struct export_source *source)
{
    char words[WORDS];
    (void)snprintf(words, sizeof words, "%s%s%s, seed %llu", source->name,
                   source->scene != NULL ? ", scene " : "",
                   source->scene != NULL ? source->scene : "",
                   (unsigned long long)sim_seed(c->sim));
    char program[64];
    (void)snprintf(program, sizeof program, "weft %s", source->version);
    pcapng_add_section(&c->block, program, words);
    add_names(c);
    const bool native = sim_knob(c->sim, SIM_KNOB_LINK) == SIM_INFINIBAND &&
                        sim_knob(c->sim, SIM_KNOB_TRANSPORT) != SIM_TCP;
    for (uint32_t p = 0; p < sim_port_count(c->sim); p++) {
        if (c->wanted[p]) {
            (void)add_interface(c, p, native ? INFINIBAND : ETHERNET);
        }
    }
    (void)sink_add_text(c->sink, &c->block);
}

/* ---- packets --------------------------------------------------------------------------------- */

/* Why a frame was lost, after "dropped at leaf2: ". */
static const char *drop_words(enum sim_reason reason)
{
    switch (reason) {
    case SIM_REASON_FULL:
        return "queue full";
    case SIM_REASON_HEADROOM:
        return "headroom full";
    case SIM_REASON_BUFFER:
        return "buffer full";
    case SIM_REASON_FAULT:
        return "a fault destroyed it";
    case SIM_REASON_LINK_DOWN:
        return "the link is down";
    case SIM_REASON_TTL:
        return "its TTL ran out";
    case SIM_REASON_NO_ROUTE:
        return "no route";
    case SIM_REASON_NO_PORT:
        return "its port is not known";
    case SIM_REASON_WATCHDOG:
        return "PFC watchdog";
    case SIM_REASON_LIFETIME:
        return "too long at the head of its queue";
    case SIM_REASON_DEAD_PEER:
        return "the host is dead";
    case SIM_REASON_FCS:
        return "the frame's check sum is wrong";
    case SIM_REASON_IP_CHECKSUM:
        return "the IP header's check sum is wrong";
    case SIM_REASON_UDP_PORT:
        return "nobody listens at its UDP port";
    case SIM_REASON_ICRC:
        return "the ICRC is wrong";
    case SIM_REASON_NONE:
    case SIM_REASON_DEADLOCK:
    case SIM_REASON_RETRY_LIMIT:
    case SIM_REASON_STARVED:
    case SIM_REASON_STORM:
    case SIM_REASON_COUNT:
        break;
    }
    return sim_reason_word(reason);
}

struct comments {
    char words[PCAPNG_COMMENTS_MAX][WORDS];
    int count;
};

static char *next_comment(struct comments *c)
{
    return c->words[c->count < PCAPNG_COMMENTS_MAX - 1 ? c->count++ : PCAPNG_COMMENTS_MAX - 1];
}

static const char *node_at(const struct capture *c, uint32_t port)
{
    return sim_node(c->sim, sim_port(c->sim, port).node).name;
}

static void comment_fate(const struct capture *c, const struct fate *fate, struct comments *out)
{
    const struct sim_sent *sent = &fate->sent;
    const bool data = sent->kind == SIM_FRAME_DATA;
    const bool answer = sent->kind == SIM_FRAME_ACK || sent->kind == SIM_FRAME_NAK;
    if (data && sent->attempt > 1) {
        (void)snprintf(next_comment(out), WORDS, "retransmission %u", sent->attempt - 1);
    }
    if (sent->kind == SIM_FRAME_CREDIT) {
        (void)snprintf(next_comment(out), WORDS,
                       "credits of lane %u: %llu blocks promised, %u sent", sent->prio,
                       (unsigned long long)sent->psn, sent->payload);
    }
    if (fate->marked) {
        (void)snprintf(next_comment(out), WORDS, "marked CE at %s", node_at(c, sent->port));
    }
    if (answer && sent->attempt > 0 && sim_knob(c->sim, SIM_KNOB_TRANSPORT) == SIM_SELECTIVE) {
        (void)snprintf(next_comment(out), WORDS, "selective: packet %llu has come",
                       (unsigned long long)(sent->psn + sent->attempt +
                                            (sent->kind == SIM_FRAME_ACK ? 1 : 0)));
    }
    if (fate->reason != SIM_REASON_NONE) {
        char packet[WORDS / 2] = "";
        if (data) {
            (void)sim_packet_name(c->sim, sent->flow, sent->psn, sent->attempt, packet,
                                  sizeof packet);
        }
        (void)snprintf(next_comment(out), WORDS, "dropped at %.48s: %s%s%s",
                       node_at(c, sim_port(c->sim, sent->port).peer),
                       drop_words((enum sim_reason)fate->reason), data ? ", " : "", packet);
    } else if ((sent->flags & SIM_FRAME_LOST) != 0) {
        (void)snprintf(next_comment(out), WORDS, "lost on the way: %s",
                       drop_words(SIM_REASON_LINK_DOWN));
    }
}

static void comment(struct capture *c, const struct fate *fate, struct comments *out)
{
    const struct capture_options *o = c->options;
    while (c->note < o->note_count && o->notes[c->note].at <= fate->sent.start) {
        (void)snprintf(next_comment(out), WORDS, "%s", o->notes[c->note++].text);
    }
    const uint32_t flow = fate->sent.flow;
    if (fate->sent.kind == SIM_FRAME_DATA && sim_flow(c->sim, flow).permits != SIM_NONE) {
        (void)snprintf(next_comment(out), WORDS, "clear to send, for %.80s",
                       sim_flow(c->sim, sim_flow(c->sim, flow).permits).name);
    }
    comment_fate(c, fate, out);
}

static enum kind kind_of(const struct frame *frame)
{
    return (frame->layers & FRAME_LAYER(ETH)) != 0       ? ETHERNET
           : (frame->layers & FRAME_LAYER(IB_LINK)) != 0 ? CREDITS
                                                         : INFINIBAND;
}

static bool write_frame(struct capture *c, const struct fate *fate)
{
    const struct sim_sent *sent = &fate->sent;
    struct frame frame = headers_of(c->headers, sent);
    const enum kind kind = kind_of(&frame);
    const uint32_t before = kinds[kind].before;
    const uint32_t size = (uint32_t)frame_encode(&frame, &c->sums, c->bytes + before);
    const uint32_t snaplen = c->options->snaplen;
    const uint32_t kept = snaplen > 0 && size > snaplen ? snaplen : size;
    if (kind == INFINIBAND) {
        pcapng_erf(c->bytes, sent->start, kept, size);
    } else if (kind == CREDITS) {
        pcapng_pdu(c->bytes, "IB credits");
    }
    uint32_t interface = c->interfaces[kind][sent->port];
    if (interface == SIM_NONE) {
        interface = add_interface(c, sent->port, kind);
    }
    struct comments comments = { .count = 0 };
    struct pcapng_packet packet = { .interface = interface,
                                    .at_ps = sent->start,
                                    .bytes = c->bytes,
                                    .kept = before + kept,
                                    .size = before + size };
    comment(c, fate, &comments);
    for (int i = 0; i < comments.count; i++) {
        packet.comments[i] = comments.words[i];
    }
    pcapng_add_packet(&c->block, &packet);
    if (!sink_add_text(c->sink, &c->block)) {
        return false;
    }
    c->counts[interface].sent++;
    c->counts[interface].dropped += fate->reason != SIM_REASON_NONE;
    return true;
}

static bool write_known(struct capture *c, sim_ps now, bool all)
{
    struct fate fate;
    while (fates_next(c->fates, now, all, &fate)) {
        if (!write_frame(c, &fate)) {
            return false;
        }
    }
    return true;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* Records of the trace that were written before the one numbered `seq`. */
static void read_trace(struct capture *c, uint64_t seq)
{
    struct sim_record record;
    while (c->trace_seen < seq && sim_trace_read(c->sim, &c->trace_seen, &record, 1) == 1) {
        if (record.kind == SIM_TRACE_DROP) {
            fates_drop(c->fates, &record);
        }
    }
}

static bool read_on(struct capture *c)
{
    const struct sim_sent *sent;
    const size_t count = sim_tape_read(c->sim, &sent);
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        read_trace(c, sent[i].seq);
        headers_learn(c->headers, &sent[i]);
        fates_sent(c->fates, &sent[i], c->wanted[sent[i].port]);
        ok = write_known(c, sent[i].start, false);
    }
    if (ok) {
        read_trace(c, sim_trace_seq(c->sim));
        ok = write_known(c, sim_now(c->sim), false);
    }
    return ok;
}

static void watch(struct capture *c, const struct export_source *source)
{
    struct run *run = source->run;
    enum sim_stopped stopped = SIM_AT_TIME;
    bool ok = true;
    run_forward_only(run);
    run_tape(run, true);
    while (ok && sink_takes(c->sink) && stopped != SIM_AT_END && run_now(run) < source->until &&
           (source->past_done || sim_outcome(c->sim) != SIM_DONE)) {
        stopped = run_events(run, EVENTS, source->until);
        ok = read_on(c);
        run_tape_forget(run);
    }
    run_tape(run, false);
    (void)(ok && write_known(c, sim_now(c->sim), true));
    for (uint32_t i = 0; i < c->interface_count; i++) {
        c->counts[i].end_ps = sim_now(c->sim);
        pcapng_add_statistics(&c->block, i, &c->counts[i]);
        (void)sink_add_text(c->sink, &c->block);
    }
    (void)sink_tail(c->sink, "", "");
}

static bool begin(struct capture *c, const struct export_source *source,
                  const struct capture_options *options, struct err *err)
{
    *c = (struct capture){ .options = options, .sim = run_sim(source->run) };
    const size_t ports = sim_port_count(c->sim);
    c->wanted = mem_alloc(ports, sizeof *c->wanted);
    c->headers = headers_create(c->sim, err);
    return c->headers != NULL && choose_places(c, err);
}

static void finish(struct capture *c)
{
    headers_destroy(c->headers);
    fates_destroy(c->fates);
    text_finish(&c->block);
    free(c->wanted);
    for (int kind = 0; kind < KINDS; kind++) {
        free(c->interfaces[kind]);
    }
    free(c->counts);
    free(c);
}

bool export_capture_check(const struct export_source *source, const struct capture_options *options,
                          struct err *err)
{
    struct capture *c = mem_alloc(1, sizeof *c);
    const bool ok = begin(c, source, options, err);
    finish(c);
    return ok;
}

void export_capture(const struct export_source *source, const struct capture_options *options,
                    struct sink *sink)
{
    struct capture *c = mem_alloc(1, sizeof *c);
    if (begin(c, source, options, NULL)) {
        const size_t ports = sim_port_count(c->sim);
        c->sink = sink;
        c->fates = fates_create(c->sim);
        frame_sums_init(&c->sums);
        for (int kind = 0; kind < KINDS; kind++) {
            c->interfaces[kind] = mem_alloc(ports, sizeof *c->interfaces[kind]);
            memset(c->interfaces[kind], 0xff, ports * sizeof *c->interfaces[kind]); /* SIM_NONE */
        }
        add_section(c, source);
        watch(c, source);
    }
    finish(c);
}
