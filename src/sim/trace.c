#include "sim/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/text.h"
#include "sim/window.h"
#include "sim/world.h"

enum { RING = 1 << 15, FINE_RING = 1 << 13, MARKS_MAX = 1 << 16 };

/* The ring holds the records [begin, end), by sequence number modulo RING. A run that was moved to
 * where the ring does not reach begins it anew there. */
struct sim_trace {
    struct sim_record *ring;
    uint64_t begin, end;
    struct sim_record *fine;
    uint64_t fine_end;
    struct sim_record *marks;
    size_t mark_count, mark_cap;
    uint64_t mark_end; /* behind the last record that was looked at for being a mark */
};

static const struct sim_trace_info trace_table[SIM_TRACE_COUNT] = {
#define X(id, name_, class_, sentence_)                                                            \
    [SIM_TRACE_##id] = { .name = name_, .class = class_, .sentence = sentence_ },
    SIM_TRACES(X)
#undef X
};

const struct sim_trace_info *sim_trace_info(enum sim_trace_kind kind)
{
    return &trace_table[kind];
}

const char *sim_reason_word(enum sim_reason reason)
{
    static const char *const words[SIM_REASON_COUNT] = {
#define X(id, word) [SIM_REASON_##id] = word,
        SIM_REASONS(X)
#undef X
    };
    return words[reason];
}

struct sim_trace *sim_trace_create(void)
{
    struct sim_trace *trace = mem_alloc(1, sizeof *trace);
    trace->ring = mem_alloc(RING, sizeof *trace->ring);
    return trace;
}

void sim_trace_destroy(struct sim_trace *trace)
{
    if (trace == NULL) {
        return;
    }
    free(trace->ring);
    free(trace->fine);
    free(trace->marks);
    free(trace);
}

struct sim_record sim_record(enum sim_trace_kind kind)
{
    return (struct sim_record){ .kind = (uint32_t)kind,
                                .port = SIM_NONE,
                                .flow = SIM_NONE,
                                .rank = SIM_NONE,
                                .knob = SIM_NONE };
}

struct sim_record sim_record_packet(const struct sim *s, enum sim_trace_kind kind, uint32_t port,
                                    uint32_t packet)
{
    const struct sim_packet *p = &s->packets[packet];
    struct sim_record rec = sim_record(kind);
    rec.port = port;
    rec.flow = p->flow;
    rec.psn = p->psn;
    rec.attempt = p->attempt;
    rec.step = p->step;
    return rec;
}

void sim_record_frame(struct sim *s, enum sim_trace_kind kind, uint32_t port, uint32_t packet)
{
    sim_record_add(s, sim_record_packet(s, kind, port, packet));
}

static void fold(struct sim *s, const struct sim_record *r)
{
    uint64_t h = s->w->trace_hash;
    h = rng_mix(h ^ (uint64_t)r->t);
    h = rng_mix(h ^ ((uint64_t)r->kind << 32 | r->reason));
    h = rng_mix(h ^ ((uint64_t)r->port << 32 | r->flow));
    h = rng_mix(h ^ ((uint64_t)r->rank << 32 | r->attempt));
    h = rng_mix(h ^ r->psn ^ (uint64_t)r->value << 20);
    h = rng_mix(h ^ ((uint64_t)r->step << 32 | r->knob));
    s->w->trace_hash = h;
}

/* Kept for ever: rare records, and the first XOFF of each port. */
static bool is_mark(struct sim *s, const struct sim_record *r)
{
    if (r->kind == SIM_TRACE_XOFF && !s->ports[r->port].xoff_marked) {
        s->ports[r->port].xoff_marked = true;
        return true;
    }
    return trace_table[r->kind].class == SIM_RARE;
}

static void add_fine(struct sim_trace *trace, const struct sim_record *rec)
{
    if (trace->fine == NULL) {
        trace->fine = mem_alloc(FINE_RING, sizeof *trace->fine);
    }
    trace->fine[trace->fine_end++ % FINE_RING] = *rec;
}

/* What was stored before a step back is skipped. */
static void add_to_ring(struct sim_trace *trace, const struct sim_record *rec)
{
    if (rec->seq >= trace->begin && rec->seq < trace->end) {
        return;
    }
    if (rec->seq != trace->end) {
        trace->begin = rec->seq;
    }
    trace->ring[rec->seq % RING] = *rec;
    trace->end = rec->seq + 1;
    if (trace->end - trace->begin > RING) {
        trace->begin = trace->end - RING;
    }
}

static void add_mark(struct sim_trace *trace, const struct sim_record *rec, bool mark)
{
    if (rec->seq < trace->mark_end) {
        return;
    }
    trace->mark_end = rec->seq + 1;
    if (mark && trace->mark_count < MARKS_MAX) {
        trace->marks =
            mem_grow(trace->marks, &trace->mark_cap, trace->mark_count + 1, sizeof *trace->marks);
        trace->marks[trace->mark_count++] = *rec;
    }
}

void sim_record_put(struct sim *s, struct sim_record *rec)
{
    struct sim_trace *trace = s->trace;
    rec->seq = s->w->trace_seq++;
    fold(s, rec);
    bool mark = is_mark(s, rec);
    add_to_ring(trace, rec);
    add_mark(trace, rec, mark);
    if (((s->stop_kinds >> rec->kind) & 1u) != 0) {
        s->stop_hit = s->halt = true;
    }
}

void sim_record_add(struct sim *s, struct sim_record rec)
{
    rec.t = s->w->now;
    rec.seq = s->w->trace_seq;
    if (trace_table[rec.kind].class == SIM_FINE) {
        add_fine(s->trace, &rec);
    } else if (s->window_end != 0) {
        sim_window_keep(s, &rec);
    } else {
        sim_record_put(s, &rec);
    }
}

void sim_trace_listen(struct sim *s, uint32_t fine_kinds)
{
    s->listen = 0;
    for (uint32_t k = 0; k < SIM_TRACE_COUNT; k++) {
        if (trace_table[k].class == SIM_FINE) {
            s->listen |= fine_kinds & (1u << k);
        }
    }
}

static size_t ring_read(const struct sim_record *ring, uint64_t size, uint64_t begin, uint64_t end,
                        uint64_t *cursor, struct sim_record *out, size_t cap)
{
    size_t n = 0;
    if (*cursor < begin) {
        *cursor = begin < end ? begin : end;
    }
    while (n < cap && *cursor < end) {
        out[n++] = ring[(*cursor)++ % size];
    }
    return n;
}

size_t sim_trace_read(const struct sim *s, uint64_t *cursor, struct sim_record *out, size_t cap)
{
    const struct sim_trace *trace = s->trace;
    const uint64_t end = s->w->trace_seq < trace->end ? s->w->trace_seq : trace->end;
    return ring_read(trace->ring, RING, trace->begin, end, cursor, out, cap);
}

void sim_trace_kept(const struct sim *s, uint64_t *begin, uint64_t *end)
{
    *begin = s->trace->begin;
    *end = s->trace->end;
}

size_t sim_trace_read_fine(const struct sim *s, uint64_t *cursor, struct sim_record *out,
                           size_t cap)
{
    const uint64_t end = s->trace->fine_end;
    return ring_read(s->trace->fine, FINE_RING, end > FINE_RING ? end - FINE_RING : 0, end, cursor,
                     out, cap);
}

size_t sim_trace_marks(const struct sim *s, const struct sim_record **marks)
{
    *marks = s->trace->marks;
    return s->trace->mark_count;
}

uint64_t sim_trace_seq(const struct sim *s)
{
    return s->w->trace_seq;
}

uint64_t sim_trace_hash(const struct sim *s)
{
    return s->w->trace_hash;
}

void sim_trace_cut(struct sim *s)
{
    struct sim_trace *trace = s->trace;
    const uint64_t seq = s->w->trace_seq;
    trace->end = trace->end < seq ? trace->end : seq;
    trace->begin = trace->begin < trace->end ? trace->begin : trace->end;
    trace->mark_end = trace->mark_end < seq ? trace->mark_end : seq;
    while (trace->mark_count > 0 && trace->marks[trace->mark_count - 1].seq >= s->w->trace_seq) {
        trace->mark_count--;
    }
}

void sim_trace_adopt(struct sim *s, const struct sim *from)
{
    struct sim_trace *trace = s->trace;
    const struct sim_trace *past = from->trace;
    trace->begin = past->begin;
    trace->end = past->end;
    for (uint64_t seq = past->begin; seq < past->end; seq++) {
        trace->ring[seq % RING] = past->ring[seq % RING];
    }
    free(trace->marks);
    trace->marks = mem_dup(past->marks, past->mark_count * sizeof *past->marks);
    trace->mark_count = trace->mark_cap = past->mark_count;
    trace->mark_end = past->mark_end;
    sim_trace_cut(s); /* what lies beyond now is not its past */
}

bool sim_record_about(const struct sim *s, const struct sim_record *rec, uint32_t node)
{
    const struct sim_config *c = s->config;
    return (rec->port != SIM_NONE && (c->ports[rec->port].node == node ||
                                      c->ports[c->ports[rec->port].peer].node == node)) ||
           (rec->flow != SIM_NONE &&
            (c->flows[rec->flow].src == node || c->flows[rec->flow].dst == node)) ||
           (rec->rank != SIM_NONE && c->hosts[rec->rank] == node);
}

/* ---- sentences ------------------------------------------------------------------------------- */

const char *sim_packet_name(const struct sim *s, uint32_t flow, uint64_t psn, uint32_t attempt,
                            char *buf, size_t size)
{
    (void)snprintf(buf, size, "%s:%" PRIu64 "#%" PRIu32, s->config->flows[flow].name, psn, attempt);
    return buf;
}

static const char *node_at(const struct sim *s, uint32_t port)
{
    return port == SIM_NONE ? "?" : s->config->nodes[s->config->ports[port].node].name;
}

struct word {
    const struct sim *s;
    const struct sim_record *r;
    char buf[96];
};

static const char *say_at(struct word *w)
{
    return node_at(w->s, w->r->port);
}

static const char *say_peer(struct word *w)
{
    return w->r->port == SIM_NONE ? "?" : node_at(w->s, w->s->config->ports[w->r->port].peer);
}

static const char *say_packet(struct word *w)
{
    const uint32_t attempt = w->r->attempt;
    const char *answer = attempt == SIM_ATTEMPT_ACK   ? "ACK"
                         : attempt == SIM_ATTEMPT_NAK ? "NAK"
                         : attempt == SIM_ATTEMPT_CNP ? "CNP"
                                                      : NULL;
    if (answer != NULL && w->r->flow != SIM_NONE) {
        (void)snprintf(w->buf, sizeof w->buf, "%s %s:%" PRIu64, answer,
                       w->s->config->flows[w->r->flow].name, w->r->psn);
        return w->buf;
    }
    if (w->r->flow == SIM_NONE) { /* PFC goes from neighbour to neighbour */
        (void)snprintf(w->buf, sizeof w->buf, "%s from %s",
                       attempt == SIM_ATTEMPT_XOFF ? "PAUSE" : "go", say_peer(w));
        return w->buf;
    }
    return sim_packet_name(w->s, w->r->flow, w->r->psn, attempt, w->buf, sizeof w->buf);
}

static const char *say_flow(struct word *w)
{
    return w->r->flow == SIM_NONE ? "?" : w->s->config->flows[w->r->flow].name;
}

static const char *say_rank(struct word *w)
{
    return w->r->rank == SIM_NONE ? "nobody"
                                  : w->s->config->nodes[w->s->config->hosts[w->r->rank]].name;
}

static const char *say_step(struct word *w)
{
    (void)snprintf(w->buf, sizeof w->buf, "%" PRIu32, w->r->step);
    return w->buf;
}

static const char *say_reason(struct word *w)
{
    return sim_reason_word((enum sim_reason)w->r->reason);
}

static const char *say_value(struct word *w)
{
    return units_grouped(w->buf, sizeof w->buf, w->r->value);
}

static const char *say_packets(struct word *w)
{
    return units_counted(w->buf, sizeof w->buf, w->r->value, "packet", "packets");
}

static const char *say_timeouts(struct word *w)
{
    return units_counted(w->buf, sizeof w->buf, w->r->value, "timeout", "timeouts");
}

static const char *say_bytes(struct word *w)
{
    return units_format(w->buf, sizeof w->buf, UNIT_BYTES, w->r->value);
}

static const char *say_time(struct word *w)
{
    return units_format(w->buf, sizeof w->buf, UNIT_TIME, w->r->value);
}

static const char *say_rate(struct word *w)
{
    return units_format(w->buf, sizeof w->buf, UNIT_RATE, w->r->value);
}

static const char *say_knob(struct word *w)
{
    return w->r->knob < SIM_KNOB_COUNT ? sim_knob_info((enum sim_knob)w->r->knob)->term : "?";
}

static const char *say_setting(struct word *w)
{
    if (w->r->knob >= SIM_KNOB_COUNT) {
        return "?";
    }
    return sim_knob_format((enum sim_knob)w->r->knob, w->r->value, false, w->buf, sizeof w->buf);
}

static const struct {
    const char *name;
    const char *(*say)(struct word *w);
} words[] = {
    { "at", say_at },           { "peer", say_peer },       { "packet", say_packet },
    { "flow", say_flow },       { "rank", say_rank },       { "step", say_step },
    { "value", say_value },     { "reason", say_reason },   { "bytes", say_bytes },
    { "rate", say_rate },       { "time", say_time },       { "knob", say_knob },
    { "setting", say_setting }, { "packets", say_packets }, { "timeouts", say_timeouts },
};

const char *sim_trace_say(const struct sim *s, const struct sim_record *rec, char *buf, size_t size)
{
    return sim_trace_fill(s, rec, trace_table[rec->kind].sentence, buf, size);
}

const char *sim_trace_fill(const struct sim *s, const struct sim_record *rec, const char *sentence,
                           char *buf, size_t size)
{
    struct word w = { .s = s, .r = rec };
    size_t n = 0;
    buf[0] = '\0';
    for (const char *p = sentence; *p != '\0' && n + 1 < size;) {
        const char *close = *p == '{' ? strchr(p, '}') : NULL;
        if (close == NULL) {
            buf[n++] = *p++;
            buf[n] = '\0';
            continue;
        }
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            size_t len = strlen(words[i].name);
            if ((size_t)(close - p - 1) == len && strncmp(p + 1, words[i].name, len) == 0) {
                (void)snprintf(buf + n, size - n, "%s", words[i].say(&w));
                n += strlen(buf + n);
            }
        }
        p = close + 1;
    }
    return buf;
}
