#include "app/narrator.h"

#include <stdio.h>
#include <string.h>

#include "app/many.h"
#include "app/scene_parts.h"
#include "base/units.h"

/* How often a kind is said before it is only counted; 0: never said. */
static uint32_t limit_of(enum sim_trace_kind kind, enum narrator_detail detail)
{
    bool little = detail == NARRATOR_LITTLE;
    switch (kind) {
    case SIM_TRACE_SET:
    case SIM_TRACE_QP_ERROR:
    case SIM_TRACE_WATCHDOG:
    case SIM_TRACE_STALL:
        return 100;
    case SIM_TRACE_TIMEOUT:
        return little ? 1 : 8;
    case SIM_TRACE_BARRIER:
    case SIM_TRACE_DROP:
    case SIM_TRACE_NAK:
    case SIM_TRACE_REWIND:
    case SIM_TRACE_FAST_RESEND:
        return little ? 1 : 3;
    case SIM_TRACE_XOFF:
    case SIM_TRACE_XON:
    case SIM_TRACE_PAUSED:
    case SIM_TRACE_NO_CREDIT:
    case SIM_TRACE_AT_BARRIER:
        return little ? 0 : 1;
    case SIM_TRACE_STEP: /* the barrier before it says so */
    case SIM_TRACE_SEND:
    case SIM_TRACE_ENQUEUE:
    case SIM_TRACE_ACCEPT:
    case SIM_TRACE_REFUSE:
    case SIM_TRACE_ACK:
    case SIM_TRACE_RESUMED:
    case SIM_TRACE_CREDIT:
    case SIM_TRACE_COMPUTED:
    case SIM_TRACE_ROUND:
    case SIM_TRACE_FLOW_DONE:
    case SIM_TRACE_FAULT:
    case SIM_TRACE_DONE:
    case SIM_TRACE_MARK:
    case SIM_TRACE_CNP:
    case SIM_TRACE_RATE_CUT:
    case SIM_TRACE_COUNT:
        return 0;
    }
    return 0;
}

void narrator_begin(struct narrator *narrator, const struct sim *sim)
{
    memset(narrator->said, 0, sizeof narrator->said);
    memset(narrator->count, 0, sizeof narrator->count);
    narrator->seen = sim_trace_seq(sim);
    narrator->pauses = sim_counters(sim).xoff_frames;
    narrator->naks = sim_counters(sim).naks;
}

static void say(struct narrator *narrator, const struct sim *sim, const struct sim_record *r,
                struct text *out)
{
    char sentence[256], when[40];
    narrator->count[r->kind]++;
    if (narrator->said[r->kind] >= limit_of((enum sim_trace_kind)r->kind, narrator->detail)) {
        return;
    }
    narrator->said[r->kind]++;
    sim_trace_say(sim, r, sentence, sizeof sentence);
    text_addf(out, "%s: %s.\n", units_format(when, sizeof when, UNIT_TIME, r->t), sentence);
}

void narrator_listen(struct narrator *narrator, const struct sim *sim, struct text *out)
{
    uint64_t end = sim_trace_seq(sim);
    struct sim_record r[64];
    while (narrator->seen < end) {
        uint64_t cursor = narrator->seen;
        size_t n = sim_trace_read(sim, &cursor, r, 64);
        for (size_t i = 0; i < n && r[i].seq < end; i++) {
            say(narrator, sim, &r[i], out);
        }
        narrator->seen = n == 0 || cursor > end ? end : cursor;
    }
}

/* How often since the last summary. A PAUSE is sent again and again while it is in force, a NAK while the gap
 * is open; the trace has their beginnings. */
static int64_t happened(const struct narrator *narrator, const struct sim *sim,
                        enum sim_trace_kind kind)
{
    const struct sim_counters now = sim_counters(sim);
    return kind == SIM_TRACE_XOFF  ? (int64_t)(now.xoff_frames - narrator->pauses)
           : kind == SIM_TRACE_NAK ? (int64_t)(now.naks - narrator->naks)
                                   : narrator->count[kind];
}

void narrator_summary(struct narrator *narrator, const struct sim *sim, struct text *out)
{
    static const struct {
        enum sim_trace_kind kind;
        const char *one, *many;
    } rows[] = {
        { SIM_TRACE_BARRIER, "training step", "training steps" },
        { SIM_TRACE_DROP, "packet lost", "packets lost" },
        { SIM_TRACE_XOFF, "PAUSE sent", "PAUSE frames sent" },
        { SIM_TRACE_NAK, "NAK", "NAKs" },
        { SIM_TRACE_TIMEOUT, "timeout", "timeouts" },
    };
    const char *lead = "In all here: ";
    bool any = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int64_t n = happened(narrator, sim, rows[i].kind);
        if (n > narrator->said[rows[i].kind]) { /* else each was told */
            char buf[64];
            text_addf(out, "%s%s", any ? ", " : lead,
                      units_counted(buf, sizeof buf, n, rows[i].one, rows[i].many));
            any = true;
        }
    }
    text_add(out, any ? ".\n" : "");
    const uint64_t seen = narrator->seen; /* what is to be told yet */
    narrator_begin(narrator, sim);
    narrator->seen = seen;
}

/* ---- how things stand ---------------------------------------------------------------------------- */

enum { LINES_MAX = 100 };

/* What a GPU does, behind its name. */
static void say_rank(const struct sim *sim, uint32_t r, struct text *out)
{
    const struct sim_rank rank = sim_rank(sim, r);
    text_addf(out, "%s, round %lld of %lld", sim_rank_state_word(rank.state),
              (long long)rank.rounds_done, (long long)rank.rounds);
}

static void say_flow(const struct sim *sim, uint32_t f, struct text *out)
{
    const struct sim_flow_state state = sim_flow_state(sim, f);
    char there[40], all[40];
    text_add(out, scene_flow_word(history_flow_state(sim, f)));
    if (state.posted_bytes > 0) {
        text_addf(out, ", %s of %s have arrived",
                  units_format(there, sizeof there, UNIT_BYTES, state.delivered_bytes),
                  units_format(all, sizeof all, UNIT_BYTES, state.posted_bytes));
    }
}

static const char *rank_name(const struct sim *sim, uint32_t r)
{
    return sim_node(sim, sim_rank_node(sim, r)).name;
}

static const char *flow_name(const struct sim *sim, uint32_t f)
{
    return sim_flow(sim, f).name;
}

/* Both meters of a cable of a switch: what waits toward it, what is held from it. */
static void say_port(const struct sim *sim, uint32_t port, struct text *out)
{
    const struct sim_queue queue = sim_port_queue(sim, port);
    const struct sim_held held = sim_port_held(sim, port);
    const char *beyond = sim_node(sim, sim_port(sim, sim_port(sim, port).peer).node).name;
    char bytes[40];
    if (queue.bytes > 0 || queue.paused) {
        text_addf(out, "%s: %s wait for the cable to %s%s\n", sim_port(sim, port).name,
                  units_format(bytes, sizeof bytes, UNIT_BYTES, queue.bytes), beyond,
                  queue.paused ? ", which has told it to stop" : "");
    }
    if (held.shared + held.headroom > 0) {
        text_addf(out, "%s: %s are held from %s%s\n", sim_port(sim, port).name,
                  units_format(bytes, sizeof bytes, UNIT_BYTES, held.shared + held.headroom),
                  beyond, held.pausing ? ", which it has told to stop" : "");
    }
}

/* More than anybody would listen to one by one: how many are in which state, and who waits for whom. */
static void say_many(const struct sim *sim, struct text *out)
{
    size_t count[SIM_RANK_STATE_COUNT] = { 0 };
    char many[32];
    const size_t ranks = sim_rank_count(sim);
    for (uint32_t r = 0; r < ranks; r++) {
        count[sim_rank(sim, r).state]++;
    }
    text_addf(out, "%s GPUs", units_grouped(many, sizeof many, (int64_t)ranks));
    for (size_t k = 0; k < SIM_RANK_STATE_COUNT; k++) {
        if (count[k] > 0) {
            text_addf(out, ", %s: %s", sim_rank_state_word((enum sim_rank_state)k),
                      units_grouped(many, sizeof many, (int64_t)count[k]));
        }
    }
    text_add(out, "\n");
    many_say_chain(sim, out);
}

/* A line each; neighbours that do the same have one together: "g1 to g8: computes, round 0 of 14". */
static void say_each(const struct sim *sim, size_t n, bool ranks, struct text *out)
{
    const char *(*name)(const struct sim *, uint32_t) = ranks ? rank_name : flow_name;
    struct text does = { 0 }, next = { 0 };
    size_t lines = 0;
    for (uint32_t i = 0, last; i < n && lines < LINES_MAX; i = last + 1, lines++) {
        text_clear(&does);
        (ranks ? say_rank : say_flow)(sim, i, &does);
        for (last = i; last + 1 < n; last++) {
            text_clear(&next);
            (ranks ? say_rank : say_flow)(sim, last + 1, &next);
            if (strcmp(text_str(&next), text_str(&does)) != 0) {
                break;
            }
        }
        text_addf(out, "%s%s%s: %s\n", name(sim, i),
                  last > i ? (last > i + 1 ? " to " : " and ") : "",
                  last > i ? name(sim, last) : "", text_str(&does));
        if (lines + 1 == LINES_MAX && last + 1 < n) {
            text_addf(out, "and %zu more\n", n - last - 1);
        }
    }
    text_finish(&does);
    text_finish(&next);
}

void narrator_state(const struct sim *sim, struct text *out)
{
    const size_t ranks = sim_rank_count(sim);
    if (ranks >= SCENE_MANY) {
        say_many(sim, out);
    } else {
        say_each(sim, ranks > 0 ? ranks : sim_flow_count(sim), ranks > 0, out);
    }
}

void narrator_node(const struct sim *sim, uint32_t node, struct text *out)
{
    const struct sim_node_info info = sim_node(sim, node);
    const size_t before = out->len;
    for (uint32_t r = 0; r < sim_rank_count(sim); r++) {
        if (sim_rank_node(sim, r) == node) {
            text_addf(out, "%s: ", info.name);
            say_rank(sim, r, out);
            text_add(out, "\n");
        }
    }
    for (uint32_t f = 0; f < sim_flow_count(sim) && sim_rank_count(sim) == 0; f++) {
        if (sim_flow(sim, f).src == node) {
            text_addf(out, "%s: ", flow_name(sim, f));
            say_flow(sim, f, out);
            text_add(out, "\n");
        }
    }
    for (uint32_t p = info.first_port; p < info.first_port + info.port_count; p++) {
        say_port(sim, p, out);
    }
    if (out->len == before) {
        text_addf(out, "%s: nothing waits there\n", info.name);
    }
}
