#include "app/inspect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/clock.h"
#include "app/reader.h"
#include "base/mem.h"

enum {
    WORK_US = 8000,
    EVENTS = 2048,
    FRAMES_MAX = 512 /* on one cable and in its queue, as far as it looks */
};

/* Open at first: what the frame is about. The others are below it, and folded. */
enum {
    OPEN = FRAME_LAYER(BTH) | FRAME_LAYER(RETH) | FRAME_LAYER(AETH) | FRAME_LAYER(TCP) |
           FRAME_LAYER(MACC) | FRAME_LAYER(IB_LINK)
};

struct inspect *inspect_create(void)
{
    struct inspect *in = mem_alloc(1, sizeof *in);
    frame_sums_init(&in->sums);
    in->folded = ~(unsigned)OPEN;
    return in;
}

static void forget(struct inspect *in)
{
    headers_destroy(in->headers);
    run_destroy(in->reader);
    in->headers = NULL;
    in->reader = NULL;
    in->behind = false;
}

void inspect_attach(struct inspect *in)
{
    forget(in);
    in->on = false;
}

void inspect_destroy(struct inspect *in)
{
    if (in != NULL) {
        forget(in);
        free(in);
    }
}

/* ---- rows -------------------------------------------------------------------------------------- */

static bool is_folded(const struct inspect *in, enum frame_layer layer)
{
    return (in->folded >> layer & 1u) != 0;
}

/* What the frame is about: its first header that is open. */
static size_t first_open(const struct inspect *in)
{
    for (size_t i = 0; i < in->row_count; i++) {
        if (!is_folded(in, in->row[i].layer)) {
            return i;
        }
    }
    return 0;
}

/* The row of a field, or else of its header, or else of what the frame is about. */
static size_t find_row(const struct inspect *in, enum frame_layer layer, int field)
{
    size_t best = first_open(in);
    for (size_t i = 0; i < in->row_count; i++) {
        const struct inspect_row *row = &in->row[i];
        if (row->layer == layer && row->line == SIZE_MAX) {
            best = i;
        } else if (row->layer == layer && (int)in->line[row->line].field == field) {
            return i;
        }
    }
    return best;
}

static int field_of(const struct inspect *in, size_t row)
{
    return row < in->row_count && in->row[row].line != SIZE_MAX
               ? (int)in->line[in->row[row].line].field
               : -1;
}

static void list_rows(struct inspect *in, enum frame_layer layer, int field)
{
    in->row_count = 0;
    for (size_t i = 0; i < in->line_count; i++) {
        const enum frame_layer here = in->line[i].layer;
        if (i == 0 || here != in->line[i - 1].layer) {
            in->row[in->row_count++] = (struct inspect_row){ here, SIZE_MAX };
        }
        if (!is_folded(in, here)) {
            in->row[in->row_count++] = (struct inspect_row){ here, i };
        }
    }
    in->selected = find_row(in, layer, field);
}

void inspect_select(struct inspect *in, bool down, bool header)
{
    size_t i = in->selected;
    do {
        if (down ? i + 1 >= in->row_count : i == 0) {
            return;
        }
        i = down ? i + 1 : i - 1;
    } while (header && in->row[i].line != SIZE_MAX);
    in->selected = i;
}

void inspect_fold(struct inspect *in)
{
    if (in->selected < in->row_count) {
        const enum frame_layer layer = in->row[in->selected].layer;
        in->folded ^= 1u << layer;
        list_rows(in, layer, -1);
    }
}

/* ---- the past ---------------------------------------------------------------------------------- */

static void learn(struct inspect *in)
{
    const struct sim_sent *sent;
    const size_t n = sim_tape_read(run_sim(in->reader), &sent);
    for (size_t i = 0; i < n; i++) {
        headers_learn(in->headers, &sent[i]);
    }
    run_tape_forget(in->reader);
}

/* What it knows of later frames changes nothing, but a knob that was set later would. */
static bool still_fits(const struct inspect *in, const struct run *run)
{
    const sim_ps known = run_now(in->reader);
    const struct run_line *line;
    const size_t n = run_journal(run, &line);
    for (size_t i = 0; i < n; i++) {
        if (line[i].at > run_now(run) && line[i].at <= known) {
            return false;
        }
    }
    return reader_parts(in->reader, run) > known;
}

static bool begin(struct inspect *in, const struct run *run, struct err *err)
{
    if (in->reader != NULL && still_fits(in, run)) {
        return true;
    }
    forget(in);
    in->reader = reader_begin(run, 0);
    in->headers = headers_create(run_sim(in->reader), err);
    if (in->headers == NULL) {
        forget(in);
        return false;
    }
    run_tape(in->reader, true);
    learn(in);
    return true;
}

static bool read_on(struct inspect *in, const struct run *run, bool patient)
{
    const int64_t end_us = clock_wall_us() + WORK_US;
    bool more = run_now(in->reader) < run_now(run);
    while (more && (patient || clock_wall_us() < end_us)) {
        more = run_events(in->reader, EVENTS, run_now(run)) != SIM_AT_END &&
               run_now(in->reader) < run_now(run);
        learn(in);
    }
    return more;
}

/* ---- the frame --------------------------------------------------------------------------------- */

static void decode(struct inspect *in, const struct sim_sent *sent)
{
    const bool known = in->row_count > 0;
    const enum frame_layer layer = known ? in->row[in->selected].layer : FRAME_LAYER_BTH;
    const int field = field_of(in, in->selected);
    struct frame frame = headers_of(in->headers, sent);
    in->size = frame_encode(&frame, &in->sums, in->bytes);
    in->line_count = frame_list(&frame, in->line);
    list_rows(in, layer, field);
}

bool inspect_work(struct inspect *in, const struct run *run, bool patient)
{
    struct sim_sent sent;
    if (!in->on) {
        in->behind = false;
    } else if (!sim_sent_of(run_sim(run), &in->frame, &sent) || !begin(in, run, NULL)) {
        in->on = in->behind = false; /* time went on, and it is there no more */
    } else {
        in->behind = read_on(in, run, patient);
        if (!in->behind && in->size == 0) {
            decode(in, &sent);
        }
    }
    return in->behind;
}

/* All frames of a lane, the farthest first. */
static size_t frames_of(const struct sim *sim, uint32_t port, struct sim_frame *out)
{
    size_t n = sim_port_wire(sim, port, out, FRAMES_MAX);
    n = n < FRAMES_MAX ? n : FRAMES_MAX;
    const size_t waiting = sim_port_waiting(sim, port, out + n, FRAMES_MAX - n);
    return n + (waiting < FRAMES_MAX - n ? waiting : FRAMES_MAX - n);
}

static bool show(struct inspect *in, const struct run *run, const struct sim_frame *frame,
                 struct err *err)
{
    struct sim_sent sent;
    if (!sim_sent_of(run_sim(run), frame, &sent)) {
        return err_set(err, ERR_STATE, "%s",
                       frame->port == SIM_NONE
                           ? "a switch is looking at this packet: . lets a moment pass"
                           : "only cables of the fabric carry headers, those inside a box do not");
    }
    if (!begin(in, run, err)) {
        return false;
    }
    in->frame = *frame;
    in->on = true;
    in->size = 0;
    return true;
}

bool inspect_open(struct inspect *in, const struct run *run, const struct cursor *cursor,
                  struct err *err)
{
    const struct sim *sim = run_sim(run);
    struct sim_frame frame;
    if (cursor_frame(cursor, sim, &frame)) {
        return show(in, run, &frame, err);
    }
    struct sim_frame *frames = mem_alloc(FRAMES_MAX, sizeof *frames);
    const size_t n = frames_of(sim, cursor->port, frames);
    const bool shown = n > 0 ? show(in, run, &frames[0], err)
                             : err_set(err, ERR_STATE,
                                       "no packet here now to inspect: . lets a "
                                       "moment pass, the arrows look for one");
    free(frames);
    return shown;
}

static bool same_frame(const struct sim_frame *a, const struct sim_frame *b)
{
    return a->kind == b->kind && a->flow == b->flow && a->psn == b->psn &&
           a->attempt == b->attempt && a->start == b->start && a->end == b->end;
}

bool inspect_walk(struct inspect *in, const struct run *run, struct cursor *cursor, bool ahead)
{
    const struct sim *sim = run_sim(run);
    struct sim_frame *frames = mem_alloc(FRAMES_MAX, sizeof *frames);
    const size_t n = frames_of(sim, in->frame.port, frames);
    size_t at = 0;
    while (at < n && !same_frame(&frames[at], &in->frame)) {
        at++;
    }
    const size_t to = ahead ? at - 1 : at + 1; /* before the first: wraps, and is not there */
    const bool found = at < n && to < n && show(in, run, &frames[to], NULL);
    if (found) {
        cursor_put_frame(cursor, &frames[to]);
    }
    free(frames);
    return found;
}

const char *inspect_name(const struct sim *sim, const struct sim_frame *f, char *buf, size_t size)
{
    char packet[160];
    const char *flow = f->flow != SIM_NONE ? sim_flow(sim, f->flow).name : "";
    switch (f->kind) {
    case SIM_FRAME_DATA:
        (void)snprintf(buf, size, "packet %s",
                       sim_packet_name(sim, f->flow, f->psn, f->attempt, packet, sizeof packet));
        break;
    case SIM_FRAME_ACK:
        (void)snprintf(buf, size, "ACK of %s up to %" PRIu64, flow, f->psn);
        break;
    case SIM_FRAME_NAK:
        (void)snprintf(buf, size, "NAK of %s: %" PRIu64 " is missing", flow, f->psn);
        break;
    case SIM_FRAME_CNP:
        (void)snprintf(buf, size, "CNP to the sender of %s", flow);
        break;
    case SIM_FRAME_XOFF:
        (void)snprintf(buf, size, "PAUSE");
        break;
    case SIM_FRAME_XON:
        (void)snprintf(buf, size, "PAUSE of no time: go on");
        break;
    case SIM_FRAME_CREDIT:
        (void)snprintf(buf, size, "credit update");
        break;
    }
    return buf;
}
