/*
 * Captures of random fabrics, and what must be in them.
 *
 *     captures check N              TAP: frames of N fabrics: all are there, as long as the model says,
 *                                   and a run is the same whether it is recorded or not
 *     captures write SEED DIR       DIR/SEED.pcapng, and DIR/SEED.want: for each frame of it what
 *                                   `tshark -T fields` must print (tshark.sh has the list of fields)
 *
 * The second file is made from the tape alone, by other code than the capture.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sink.h"
#include "export/capture.h"
#include "export/headers.h"
#include "export/pcapng.h"
#include "random_run.h"
#include "run/run.h"
#include "sim/wire.h"

enum { EVENTS = 512, FRAMES_MAX = 4000, BYTES_MAX = 4000000 };

/* ---- check ----------------------------------------------------------------------------------- */

/* What crosses a cable inside a box is counted, but not on the tape. */
static bool has_boxes(const struct sim *sim)
{
    for (uint32_t p = 0; p < sim_port_count(sim); p++) {
        if (sim_port(sim, p).kind != SIM_LINK_FABRIC) {
            return true;
        }
    }
    return false;
}

/* The oldest frame of each cable can be looked at, too. */
static bool can_be_shown(const struct sim *sim)
{
    bool ok = true;
    for (uint32_t p = 0; p < sim_port_count(sim); p++) {
        struct sim_frame frame;
        struct sim_sent sent;
        if (sim_port(sim, p).kind == SIM_LINK_FABRIC && sim_port_wire(sim, p, &frame, 1) > 0) {
            ok = sim_sent_of(sim, &frame, &sent) && sent.start == frame.start &&
                 sent.bytes == frame.bytes && ok;
        }
    }
    return ok;
}

static bool lengths_agree(struct run *run)
{
    static uint8_t bytes[FRAME_BYTES_MAX];
    struct frame_sums sums;
    struct err err = { 0 };
    struct headers *headers = headers_create(run_sim(run), &err);
    size_t seen = 0, wrong = 0;
    uint64_t packets = 0;
    frame_sums_init(&sums);
    run_forward_only(run);
    run_tape(run, true);
    for (enum sim_stopped stopped = SIM_AT_TIME;
         headers != NULL && stopped != SIM_AT_END && seen < FRAMES_MAX &&
         sim_outcome(run_sim(run)) != SIM_DONE && run_now(run) < UNIT_S;) {
        const struct sim_sent *sent;
        stopped = run_events(run, EVENTS, UNIT_S);
        const size_t count = sim_tape_read(run_sim(run), &sent);
        for (size_t i = 0; i < count; i++, seen++) {
            packets += sent[i].flow != SIM_NONE;
            headers_learn(headers, &sent[i]);
            struct frame frame = headers_of(headers, &sent[i]);
            const size_t size = frame_encode(&frame, &sums, bytes);
            if (size != headers_length(&frame, &sent[i]) && wrong++ == 0) {
                printf("# kind %d, payload %u: %zu bytes, the model has %u\n", (int)sent[i].kind,
                       sent[i].payload, size, sent[i].bytes);
            }
        }
        run_tape_forget(run);
        wrong += !can_be_shown(run_sim(run));
    }
    if (headers == NULL) {
        printf("# %s\n", err.msg);
    }
    headers_destroy(headers);
    const bool all = packets == sim_hops(run_sim(run)) || has_boxes(run_sim(run));
    if (!all) {
        printf("# %" PRIu64 " packets were seen on %" PRIu64 " cables\n", packets,
               sim_hops(run_sim(run)));
    }
    return headers != NULL && wrong == 0 && all;
}

/* To where the other one is, by a run that nobody listens to. */
static bool listening_changes_nothing(const struct run *heard, uint64_t seed)
{
    struct run *run = random_run(seed);
    run_forward_only(run);
    (void)run_until(run, run_now(heard), 0);
    const bool same = sim_state_hash(run_sim(run)) == sim_state_hash(run_sim(heard)) &&
                      sim_trace_hash(run_sim(run)) == sim_trace_hash(run_sim(heard));
    if (!same) {
        printf("# the run is another one when frames are recorded\n");
    }
    run_destroy(run);
    return same;
}

static int check(uint64_t seeds)
{
    int bad = 0;
    printf("1..%" PRIu64 "\n", seeds);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct run *run = random_run(seed);
        const bool ok = run != NULL && lengths_agree(run) && listening_changes_nothing(run, seed);
        bad += !ok;
        printf("%s %" PRIu64 " - lengths of seed %" PRIu64 "\n", ok ? "ok" : "not ok", seed, seed);
        run_destroy(run);
    }
    return bad != 0;
}

/* ---- write ----------------------------------------------------------------------------------- */

/* First packets of messages, as their first cable shows them. */
struct firsts {
    uint64_t *psn;
    size_t count, cap;
};

static bool is_first(struct firsts *f, const struct sim_sent *sent)
{
    if (sent->message_bytes >= 0 && (f->count == 0 || f->psn[f->count - 1] < sent->message)) {
        f->psn = mem_grow(f->psn, &f->cap, f->count + 1, sizeof *f->psn);
        f->psn[f->count++] = sent->message;
    }
    for (size_t i = f->count; i > 0 && f->psn[i - 1] >= sent->psn; i--) {
        if (f->psn[i - 1] == sent->psn) {
            return true;
        }
    }
    return false;
}

struct want {
    FILE *out;
    const struct sim *sim;
    struct firsts *firsts; /* flow */
    bool tcp, infiniband, write;
};

/* RFC of the trade (model 1.3): 0, 1, 2, 4 for SEND FIRST, MIDDLE, LAST, ONLY, six more for WRITE. */
static unsigned opcode_of(struct want *w, const struct sim_sent *sent)
{
    const bool first = is_first(&w->firsts[sent->flow], sent);
    const bool last = (sent->flags & SIM_FRAME_LAST) != 0;
    const unsigned place = first && last ? 4 : last ? 2 : first ? 0 : 1;
    return (w->write ? 6 : 0) + place;
}

static void want_packet(struct want *w, const struct sim_sent *sent)
{
    const uint64_t psn = sent->psn & 0xffffff;
    const bool marked = (sent->flags & SIM_FRAME_CE) != 0;
    const bool data = sent->kind == SIM_FRAME_DATA;
    if (w->tcp) {
        const bool willing = data && sim_knob(w->sim, SIM_KNOB_ECN) == SIM_ON;
        (void)is_first(&w->firsts[sent->flow], sent);
        fprintf(w->out, "\t\t\t\t%d\t\t\t\t%u", marked ? 3 : willing ? 2 : 0, sent->payload);
        return;
    }
    switch (sent->kind) {
    case SIM_FRAME_DATA:
        fprintf(w->out, "\t%u\t%" PRIu64 "\t", opcode_of(w, sent), psn);
        break;
    case SIM_FRAME_ACK:
    case SIM_FRAME_NAK:
        fprintf(w->out, "\t17\t%" PRIu64 "\t%d", psn, sent->kind == SIM_FRAME_NAK ? 0x60 : 0x1f);
        break;
    case SIM_FRAME_CNP:
        fprintf(w->out, "\t%d\t0\t", w->infiniband ? 0x80 : 0x81);
        break;
    case SIM_FRAME_XOFF:
    case SIM_FRAME_XON:
    case SIM_FRAME_CREDIT:
        break;
    }
    if (w->infiniband) {
        fprintf(w->out, "\t\t\t\t\t");
    } else {
        fprintf(w->out, "\t%d\t\t\t\t", marked ? 3 : 2);
    }
}

static void want_frame(struct want *w, const struct sim_sent *sent)
{
    const bool credit = sent->kind == SIM_FRAME_CREDIT;
    const bool pfc = sent->kind == SIM_FRAME_XOFF || sent->kind == SIM_FRAME_XON;
    const bool whole = credit || (w->infiniband && !pfc); /* no FCS that is left out */
    fprintf(w->out, "%" PRId64 ".%09" PRId64 "\t%u", sent->start / UNIT_S,
            sent->start % UNIT_S / UNIT_NS,
            sent->bytes + (credit ? PCAPNG_PDU_BYTES : 0) - (whole ? 0 : 4));
    if (pfc) {
        const uint64_t quanta = sent->kind == SIM_FRAME_XOFF ? SIM_QUANTA_MAX : 0;
        fprintf(w->out, "\t\t\t\t\t0x%04x\t%" PRIu64 "\t\t", 1u << sent->prio, quanta);
    } else if (credit) {
        fprintf(w->out, "\t\t\t\t\t\t\t0%03x%x%03x\t", sent->payload & 0xfff, sent->prio,
                (unsigned)sent->psn & 0xfff);
    } else {
        want_packet(w, sent);
    }
    fprintf(w->out, "\n");
}

static void write_wanted(struct run *run, FILE *out, sim_ps until)
{
    const struct sim *sim = run_sim(run);
    struct want w = { .out = out,
                      .sim = sim,
                      .firsts = mem_alloc(sim_flow_count(sim), sizeof *w.firsts),
                      .tcp = sim_knob(sim, SIM_KNOB_TRANSPORT) == SIM_TCP,
                      .write = sim_knob(sim, SIM_KNOB_VERB) == SIM_WRITE };
    w.infiniband = !w.tcp && sim_knob(sim, SIM_KNOB_LINK) == SIM_INFINIBAND;
    size_t frames = 0;
    run_tape(run, true);
    for (enum sim_stopped stopped = SIM_AT_TIME; stopped != SIM_AT_END && run_now(run) < until &&
                                                 frames < FRAMES_MAX &&
                                                 sim_outcome(sim) != SIM_DONE;) {
        const struct sim_sent *sent;
        stopped = run_events(run, EVENTS, until);
        const size_t count = sim_tape_read(sim, &sent);
        for (size_t i = 0; i < count; i++, frames++) {
            want_frame(&w, &sent[i]);
        }
        run_tape_forget(run);
    }
    for (size_t f = 0; f < sim_flow_count(sim); f++) {
        free(w.firsts[f].psn);
    }
    free(w.firsts);
}

static int write_both(uint64_t seed, const char *dir)
{
    char path[512];
    struct err err = { 0 };
    const struct capture_options options = { 0 };
    const struct sink_options how = { .replace = true, .binary = true, .limit = BYTES_MAX };
    struct run *run = random_run(seed);
    struct export_source source = {
        .run = run, .until = UNIT_S, .name = "a random fabric", .version = "0"
    };
    (void)snprintf(path, sizeof path, "%s/%" PRIu64 ".pcapng", dir, seed);
    struct sink *sink = sink_open(path, &how, &err);
    bool ok = run != NULL && sink != NULL && export_capture_check(&source, &options, &err);
    if (ok) {
        export_capture(&source, &options, sink);
        ok = sink_close(sink, &err);
    } else if (err.code == ERR_STATE) {
        printf("nothing to capture: %s\n", err.msg);
    }
    sink_destroy(sink);
    run_destroy(run);
    run = random_run(seed);
    (void)snprintf(path, sizeof path, "%s/%" PRIu64 ".want", dir, seed);
    FILE *out = ok ? fopen(path, "w") : NULL;
    if (out != NULL) {
        write_wanted(run, out, UNIT_S);
        ok = fclose(out) == 0;
    }
    run_destroy(run);
    if (!ok && err.code != ERR_STATE) {
        fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, err.msg);
    }
    return ok || err.code == ERR_STATE ? 0 : 1;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "check") == 0) {
        return check(strtoull(argv[2], NULL, 10));
    }
    if (argc == 4 && strcmp(argv[1], "write") == 0) {
        return write_both(strtoull(argv[2], NULL, 10), argv[3]);
    }
    fprintf(stderr, "usage: captures check N | captures write SEED DIR\n");
    return 2;
}
