#include "sim/tape.h"

#include <stdlib.h>

#include "base/mem.h"
#include "sim/corrupt.h"
#include "sim/link.h"
#include "sim/qp.h"
#include "sim/transport.h"

struct sim_tape {
    struct sim_sent *sent;
    size_t count, cap;
};

void sim_tape_destroy(struct sim_tape *tape)
{
    if (tape != NULL) {
        free(tape->sent);
        free(tape);
    }
}

size_t sim_tape_read(const struct sim *s, const struct sim_sent **sent)
{
    *sent = s->tape != NULL ? s->tape->sent : NULL;
    return s->tape != NULL ? s->tape->count : 0;
}

void sim_tape_forget(struct sim *s)
{
    if (s->tape != NULL) {
        s->tape->count = 0;
    }
}

static uint8_t ttl_of(const struct sim *s, const struct sim_packet *f)
{
    const int64_t left = s->w->knobs.v[SIM_KNOB_TTL] - (f->hops - 1);
    return (uint8_t)(left > 0 ? left : 0);
}

/* The message a packet belongs to, where its source still has it. */
static void find_message(const struct sim *s, const struct sim_packet *f, struct sim_sent *sent)
{
    sent->message_bytes = -1;
    if (f->kind != SIM_FRAME_DATA) {
        return;
    }
    const uint32_t c = sim_qp_message(s, &s->qps[f->flow], f->psn);
    if (c != SIM_NONE && s->cells[c].psn <= f->psn) {
        sent->message = s->cells[c].psn;
        sent->message_bytes = s->cells[c].bytes;
    }
}

static struct sim_sent facts_of(const struct sim *s, uint32_t port, const struct sim_packet *f)
{
    const unsigned flags = SIM_FRAME_LAST | SIM_FRAME_RESENT | SIM_FRAME_LOST | SIM_FRAME_CE;
    return (struct sim_sent){ .start = f->start,
                              .end = f->at,
                              .seq = s->w->trace_seq,
                              .psn = f->psn,
                              .message_bytes = -1,
                              .port = port,
                              .flow = f->flow,
                              .bytes = f->bytes,
                              .payload = f->payload,
                              .attempt = f->attempt,
                              .kind = (enum sim_frame_kind)f->kind,
                              .prio = f->prio,
                              .flags = f->flags & flags,
                              .ttl = ttl_of(s, f),
                              .wrong = (uint8_t)sim_corrupt_of(s, f) };
}

void sim_tape_add(struct sim *s, uint32_t port, uint32_t packet)
{
    const struct sim_packet *f = &s->packets[packet];
    struct sim_tape *tape = s->tape;
    tape->sent = mem_grow(tape->sent, &tape->cap, tape->count + 1, sizeof *tape->sent);
    struct sim_sent *sent = &tape->sent[tape->count++];
    *sent = facts_of(s, port, f);
    if (s->ports[port].down) {
        sent->flags |= SIM_FRAME_LOST;
    }
    if (f->hops == 1) { /* on later cables it is known */
        find_message(s, f, sent);
    }
}

static uint32_t find_frame(const struct sim *s, struct sim_fifo fifo, const struct sim_frame *frame)
{
    uint32_t i = fifo.head;
    while (i != SIM_NONE &&
           (s->packets[i].kind != (uint8_t)frame->kind || s->packets[i].flow != frame->flow ||
            s->packets[i].psn != frame->psn || s->packets[i].attempt != frame->attempt ||
            s->packets[i].start != frame->start)) {
        i = s->packets[i].next;
    }
    return i;
}

bool sim_sent_of(const struct sim *s, const struct sim_frame *frame, struct sim_sent *sent)
{
    if (frame->port >= s->config->port_count) { /* inside a switch, and not in a queue yet */
        return false;
    }
    const struct sim_port_state *p = &s->ports[frame->port];
    uint32_t i = find_frame(s, p->wire, frame);
    for (uint32_t prio = 0; prio < SIM_PRIO_COUNT && i == SIM_NONE; prio++) {
        i = find_frame(s, p->classes[prio].out.fifo, frame);
    }
    if (i == SIM_NONE || !sim_in_fabric(s, frame->port)) {
        return false;
    }
    *sent = facts_of(s, frame->port, &s->packets[i]);
    find_message(s, &s->packets[i], sent);
    if (frame->end == SIM_NEVER && sent->ttl > 0) { /* it waits: as the cable ahead will see it */
        sent->ttl--;
    }
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct sim_sent *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : (x->port > y->port) - (x->port < y->port);
}

/* It begins with the frames that are on cables: at the start of a run some have left already. */
void sim_tape_listen(struct sim *s, bool on)
{
    sim_tape_destroy(s->tape);
    s->tape = on ? mem_alloc(1, sizeof *s->tape) : NULL;
    for (uint32_t p = 0; on && p < s->config->port_count; p++) {
        for (uint32_t i = s->ports[p].wire.head; i != SIM_NONE; i = s->packets[i].next) {
            if (sim_in_fabric(s, p)) {
                sim_tape_add(s, p, i);
            }
        }
    }
    if (on && s->tape->count > 0) {
        qsort(s->tape->sent, s->tape->count, sizeof *s->tape->sent, by_start);
    }
}
