#include "app/cursor.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"

enum { FRAMES_MAX = 256 }; /* on one cable and in its queue, as far as the cursor looks */

static bool is_answer(enum sim_frame_kind kind)
{
    return kind == SIM_FRAME_ACK || kind == SIM_FRAME_NAK || kind == SIM_FRAME_CNP;
}

size_t cursor_frames(const struct sim *sim, uint32_t port, struct sim_frame *out, size_t cap)
{
    size_t n = sim_port_wire(sim, port, out, cap);
    n = n < cap ? n : cap;
    const size_t waiting = sim_port_waiting(sim, port, out + n, cap - n);
    n += waiting < cap - n ? waiting : cap - n;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) { /* what is lost is not there any more */
        if ((out[i].flags & SIM_FRAME_LOST) == 0) {
            out[kept++] = out[i];
        }
    }
    return kept;
}

/* ---- putting it somewhere ----------------------------------------------------------------------- */

void cursor_put_frame(struct cursor *cursor, const struct sim_frame *frame)
{
    cursor->on = true;
    cursor->thing = CURSOR_FRAME;
    cursor->port = frame->port != SIM_NONE ? frame->port : cursor->port; /* inside a switch */
    cursor->waiting = frame->end == SIM_NEVER;
    cursor->kind = frame->kind;
    cursor->flow = frame->flow;
    cursor->psn = frame->psn;
    cursor->attempt = frame->attempt;
    cursor->start = frame->start;
}

static void put_on_lane(struct cursor *cursor, uint32_t port)
{
    cursor->on = true;
    cursor->thing = CURSOR_LANE;
    cursor->port = port;
    cursor->waiting = false;
}

void cursor_put_node(struct cursor *cursor, const struct sim *sim, uint32_t node)
{
    put_on_lane(cursor, sim_node(sim, node).first_port);
    cursor->thing = CURSOR_NODE;
    cursor->node = node;
}

/* How far a frame is along its lane, permille; what waits has not left. */
static int place_of(const struct sim *sim, const struct sim_frame *f)
{
    const sim_ps whole = f->end - f->start;
    if (f->end == SIM_NEVER || whole <= 0) {
        return 0;
    }
    const double at = (double)(sim_now(sim) - f->start) / (double)whole * 1000;
    return at < 0 ? 0 : at > 1000 ? 1000 : (int)at;
}

void cursor_put_lane(struct cursor *cursor, const struct sim *sim, uint32_t port, int at, int reach)
{
    struct sim_frame *frames = mem_alloc(FRAMES_MAX, sizeof *frames);
    const size_t n = cursor_frames(sim, port, frames, FRAMES_MAX);
    size_t best = n;
    int least = reach + 1;
    for (size_t i = 0; i < n; i++) {
        const int off = abs(place_of(sim, &frames[i]) - at);
        if (off <= reach &&
            (off < least || (off == least && at == 0))) { /* of those that wait, the last */
            least = off;
            best = i;
        }
    }
    put_on_lane(cursor, port);
    if (best < n) {
        cursor_put_frame(cursor, &frames[best]);
    }
    free(frames);
}

/* How well a frame serves someone who wants to destroy a packet and see what happens: data, whole, on a
 * host's own cable, in the middle of a message. */
static int worth(const struct sim *sim, const struct sim_frame *f)
{
    int worth = is_answer(f->kind) ? 2 : 1;
    if (f->kind != SIM_FRAME_DATA) {
        return worth;
    }
    worth += 8;
    worth += f->end != SIM_NEVER ? 32 : 0;
    worth += sim_node(sim, sim_port(sim, f->port).node).kind == SIM_HOST ? 16 : 0;
    worth += (f->flags & (SIM_FRAME_LAST | SIM_FRAME_STEP_END)) == 0 ? 8 : 0;
    return worth;
}

bool cursor_snap(struct cursor *cursor, const struct sim *sim)
{
    struct sim_frame best = { 0 }, *frames = mem_alloc(FRAMES_MAX, sizeof *frames);
    int best_worth = 0;
    for (uint32_t port = 0; port < sim_port_count(sim); port++) {
        const size_t n = cursor_frames(sim, port, frames, FRAMES_MAX);
        for (size_t i = 0; i < n; i++) {
            const int w = worth(sim, &frames[i]);
            if (w > best_worth) {
                best = frames[i];
                best_worth = w;
            }
        }
    }
    free(frames);
    put_on_lane(cursor, cursor->port < sim_port_count(sim) ? cursor->port : 0);
    cursor->on = sim_port_count(sim) > 0;
    cursor->seen = false;
    if (best_worth > 0) {
        cursor_put_frame(cursor, &best);
    }
    return best_worth > 0;
}

bool cursor_put_worst(struct cursor *cursor, const struct sim *sim)
{
    static const int trouble[SIM_RANK_STATE_COUNT] = {
        [SIM_RANK_BARRIER] = 1, [SIM_RANK_COMPUTES] = 2, [SIM_RANK_EXCHANGES] = 3,
        [SIM_RANK_WAITS] = 4,   [SIM_RANK_PAUSED] = 5,   [SIM_RANK_REFUSED] = 6,
        [SIM_RANK_TIMER] = 7,   [SIM_RANK_DEAD] = 8,
    };
    int most = 0;
    for (uint32_t r = 0; r < sim_rank_count(sim); r++) {
        const int here = trouble[sim_rank(sim, r).state];
        if (here > most) {
            most = here;
            cursor_put_node(cursor, sim, sim_rank_node(sim, r));
        }
    }
    cursor->seen = false;
    return most > 0;
}

/* ---- following ---------------------------------------------------------------------------------- */

bool cursor_is_on(const struct cursor *cursor, const struct sim_frame *f)
{
    if (!cursor->on || cursor->thing != CURSOR_FRAME || f->kind != cursor->kind ||
        f->flow != cursor->flow || f->psn != cursor->psn) {
        return false;
    }
    return f->kind == SIM_FRAME_DATA ? f->attempt == cursor->attempt
           : is_answer(f->kind)      ? f->port == cursor->port
                                     : f->port == cursor->port && f->start == cursor->start;
}

bool cursor_frame(const struct cursor *cursor, const struct sim *sim, struct sim_frame *frame)
{
    if (!cursor->on || cursor->thing != CURSOR_FRAME) {
        return false;
    }
    if (cursor->kind == SIM_FRAME_DATA) {
        return sim_find_packet(sim, cursor->flow, cursor->psn, cursor->attempt, frame);
    }
    struct sim_frame *frames = mem_alloc(FRAMES_MAX, sizeof *frames);
    const size_t n = cursor_frames(sim, cursor->port, frames, FRAMES_MAX);
    bool found = false;
    for (size_t i = 0; i < n && !found; i++) {
        found = cursor_is_on(cursor, &frames[i]);
        *frame = frames[i];
    }
    free(frames);
    return found || (is_answer(cursor->kind) &&
                     sim_find_answer(sim, cursor->kind, cursor->flow, cursor->psn, frame));
}

void cursor_follow(struct cursor *cursor, const struct sim *sim)
{
    struct sim_frame frame;
    if (!cursor->on || cursor->port >= sim_port_count(sim)) {
        cursor->on = false;
        return;
    }
    if (cursor->thing != CURSOR_FRAME) {
        return;
    }
    const uint32_t before = cursor->port;
    if (cursor_frame(cursor, sim, &frame)) {
        cursor_put_frame(cursor, &frame);
    } else {
        put_on_lane(cursor, cursor->port); /* arrived, or lost: the lane stays */
    }
    cursor->seen = cursor->seen && cursor->port == before;
}

/* ---- saying and doing --------------------------------------------------------------------------- */

static const char *name_at(const struct sim *sim, uint32_t port)
{
    return sim_node(sim, sim_port(sim, port).node).name;
}

/* "packet 44 of the step's 112 (g3>g4:155#1)": its name, as elsewhere, counts from the flow's first on. */
static void say_packet(const struct cursor *cursor, const struct sim *sim, char *buf, size_t size)
{
    struct sim_flow_state state = sim_flow_state(sim, cursor->flow);
    struct sim_frame frame = { 0 };
    sim_find_packet(sim, cursor->flow, cursor->psn, cursor->attempt, &frame);
    char name[160], which[240];
    sim_packet_name(sim, cursor->flow, cursor->psn, cursor->attempt, name, sizeof name);
    if (state.step_packets > 0 && cursor->psn >= state.step_psn) {
        char nth[32], all[32];
        snprintf(which, sizeof which, "packet %s of the step's %s (%s)",
                 units_grouped(nth, sizeof nth, (int64_t)(cursor->psn - state.step_psn + 1)),
                 units_grouped(all, sizeof all, (int64_t)state.step_packets), name);
    } else {
        snprintf(which, sizeof which, "packet %s", name);
    }
    uint64_t last = state.step_packets > 0 ? state.step_psn + state.step_packets : state.end;
    const char *follows = (frame.flags & SIM_FRAME_STEP_END) != 0 || cursor->psn + 1 >= last
                              ? ", nothing follows it in this step"
                          : (frame.flags & SIM_FRAME_LAST) != 0 ? ", the last of its message"
                                                                : "";
    snprintf(buf, size, "%s%s%s%s", which, cursor->attempt > 1 ? ", sent again" : "",
             cursor->waiting ? ", waiting in a queue" : "", follows);
}

static void say_frame(const struct cursor *cursor, const struct sim *sim, char *buf, size_t size)
{
    const char *from = name_at(sim, cursor->port);
    const char *to = name_at(sim, sim_port(sim, cursor->port).peer);
    const char *flow = cursor->flow != SIM_NONE ? sim_flow(sim, cursor->flow).name : "";
    const unsigned long long psn = (unsigned long long)cursor->psn;
    switch (cursor->kind) {
    case SIM_FRAME_DATA:
        say_packet(cursor, sim, buf, size);
        return;
    case SIM_FRAME_ACK:
        snprintf(buf, size, "ACK for %s: all up to packet %llu has arrived", flow, psn);
        return;
    case SIM_FRAME_NAK:
        snprintf(buf, size, "NAK for %s: packet %llu is missing, send from there again", flow, psn);
        return;
    case SIM_FRAME_CNP:
        snprintf(buf, size, "CNP for %s: a queue is long, send more slowly", flow);
        return;
    case SIM_FRAME_XOFF:
        snprintf(buf, size, "PAUSE from %s: %s must stop sending to it", from, to);
        return;
    case SIM_FRAME_XON:
        snprintf(buf, size, "go (XON) from %s: %s may send to it again", from, to);
        return;
    case SIM_FRAME_CREDIT:
        snprintf(buf, size, "credits from %s: so much has room there, %s may send it", from, to);
        return;
    }
}

/* Both meters of a lane in words, for pictures that have no room for them: never one sum. */
static void add_meters(const struct sim *sim, uint32_t port, struct text *out)
{
    char bytes[40], mark[40];
    const uint32_t peer = sim_port(sim, port).peer;
    const struct sim_queue queue = sim_port_queue(sim, port);
    const struct sim_held held = sim_port_held(sim, peer);
    if (queue.bytes > 0) {
        text_addf(out, "; %s waits for it",
                  units_format(bytes, sizeof bytes, UNIT_BYTES, queue.bytes));
        if (sim_knob(sim, SIM_KNOB_ECN) == SIM_ON) {
            text_addf(out, " (Kmin %s)",
                      units_format(mark, sizeof mark, UNIT_BYTES, sim_knob(sim, SIM_KNOB_KMIN)));
        }
    }
    if (held.lossless) {
        text_addf(out, "; %s holds %s from it (XOFF %s)", name_at(sim, peer),
                  units_format(bytes, sizeof bytes, UNIT_BYTES, held.shared + held.headroom),
                  units_format(mark, sizeof mark, UNIT_BYTES, held.xoff));
    }
}

/* The lane itself: what it carries now, and why nothing if so. */
static void say_lane(const struct cursor *cursor, const struct sim *sim, char *buf, size_t size)
{
    struct sim_frame *frames = mem_alloc(FRAMES_MAX, sizeof *frames);
    const size_t n = cursor_frames(sim, cursor->port, frames, FRAMES_MAX);
    const struct sim_queue queue = sim_port_queue(sim, cursor->port);
    const char *state = queue.down     ? "the cable is cut"
                        : queue.held   ? "a fault holds it"
                        : queue.paused ? "paused by its receiver"
                        : n == 0       ? "no packet here now"
                                       : "busy";
    free(frames);
    struct text out = { 0 };
    text_addf(&out, "lane %s to %s: %s", name_at(sim, cursor->port),
              name_at(sim, sim_port(sim, cursor->port).peer), state);
    add_meters(sim, cursor->port, &out);
    snprintf(buf, size, "%s", text_str(&out));
    text_finish(&out);
}

static void say_node(const struct cursor *cursor, const struct sim *sim, char *buf, size_t size)
{
    const struct sim_node_info node = sim_node(sim, cursor->node);
    const uint32_t rank = cursor_rank(cursor, sim);
    if (rank != SIM_NONE) {
        const struct sim_rank r = sim_rank(sim, rank);
        char all[40];
        snprintf(buf, size, "%s: %s, %lld of %s of this step received", node.name,
                 sim_rank_state_word(r.state), (long long)r.rounds_done,
                 units_counted(all, sizeof all, r.rounds, "message", "messages"));
    } else if (node.kind == SIM_SWITCH) {
        int64_t held = 0;
        for (uint32_t p = node.first_port; p < node.first_port + node.port_count; p++) {
            const struct sim_held h = sim_port_held(sim, p);
            held += h.shared + h.headroom;
        }
        char bytes[40], ports[40];
        snprintf(buf, size, "%s: a switch of %s, holds %s", node.name,
                 units_counted(ports, sizeof ports, node.port_count, "port", "ports"),
                 units_format(bytes, sizeof bytes, UNIT_BYTES, held));
    } else {
        snprintf(buf, size, "%s: no GPU trains here", node.name);
    }
}

const char *cursor_say(const struct cursor *cursor, const struct sim *sim, char *buf, size_t size)
{
    switch (cursor->thing) {
    case CURSOR_FRAME:
        say_frame(cursor, sim, buf, size);
        break;
    case CURSOR_LANE:
        say_lane(cursor, sim, buf, size);
        break;
    case CURSOR_NODE:
        say_node(cursor, sim, buf, size);
        break;
    }
    return buf;
}

/* The how-many-eth of its kind on its cable it is, from 1; 0: not on a cable. */
static uint64_t number_on_cable(const struct cursor *cursor, const struct sim *sim)
{
    struct sim_frame *frames = mem_alloc(FRAMES_MAX, sizeof *frames);
    const size_t n = cursor_frames(sim, cursor->port, frames, FRAMES_MAX);
    uint64_t number = 0;
    bool found = false;
    for (size_t i = 0; i < n && !found; i++) {
        number += frames[i].kind == cursor->kind;
        found = cursor_is_on(cursor, &frames[i]) && frames[i].end != SIM_NEVER;
    }
    free(frames);
    return found ? number : 0;
}

static bool drop_other(const struct cursor *cursor, const struct sim *sim, struct sim_cmd *cmd,
                       struct err *err)
{
    if (cursor->kind == SIM_FRAME_CREDIT) {
        return err_set(
            err, ERR_STATE,
            "nothing would change: the next update of credits repeats what a lost one said");
    }
    const uint64_t number = number_on_cable(cursor, sim);
    if (number == 0) {
        return err_set(err, ERR_STATE, "it is inside a switch: . lets a moment pass");
    }
    *cmd = (struct sim_cmd){ .kind = SIM_CMD_DROP_FRAME, .value = cursor->kind, .psn = number };
    snprintf(cmd->node, sizeof cmd->node, "%.31s", sim_port(sim, cursor->port).name);
    return true;
}

bool cursor_drop(const struct cursor *cursor, const struct sim *sim, struct sim_cmd *cmd,
                 struct err *err)
{
    struct sim_frame frame;
    if (!cursor->on) {
        return err_set(err, ERR_STATE, "nothing chosen yet: c puts the cursor on a packet");
    }
    if (!cursor_frame(cursor, sim, &frame)) {
        return err_set(err, ERR_STATE,
                       "no packet under the cursor: the arrows look for one, . lets a moment pass");
    }
    if (cursor->kind != SIM_FRAME_DATA) {
        return drop_other(cursor, sim, cmd, err);
    }
    *cmd = (struct sim_cmd){ .kind = SIM_CMD_DROP,
                             .which = SIM_DROP_PSN,
                             .psn = cursor->psn,
                             .attempt = cursor->attempt,
                             .attempts = 1 };
    snprintf(cmd->flow, sizeof cmd->flow, "%s", sim_flow(sim, cursor->flow).name);
    return true;
}

uint32_t cursor_node(const struct cursor *cursor, const struct sim *sim)
{
    return cursor->thing == CURSOR_NODE ? cursor->node : sim_port(sim, cursor->port).node;
}

static uint32_t rank_at(const struct sim *sim, uint32_t node)
{
    for (uint32_t r = 0; r < sim_rank_count(sim); r++) {
        if (sim_rank_node(sim, r) == node) {
            return r;
        }
    }
    return SIM_NONE;
}

uint32_t cursor_rank(const struct cursor *cursor, const struct sim *sim)
{
    if (cursor->thing == CURSOR_NODE) {
        return rank_at(sim, cursor->node);
    }
    const bool packet = cursor->thing == CURSOR_FRAME && cursor->flow != SIM_NONE;
    const uint32_t rank =
        rank_at(sim, packet ? sim_flow(sim, cursor->flow).src : sim_port(sim, cursor->port).node);
    return rank != SIM_NONE ? rank
                            : rank_at(sim, sim_port(sim, sim_port(sim, cursor->port).peer).node);
}
