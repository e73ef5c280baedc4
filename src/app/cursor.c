#include "app/cursor.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

enum { FRAMES_MAX = 256 }; /* on one cable or in one queue, as far as the cursor looks */

/* ---- the picture, as far as the cursor needs it ------------------------------------------------ */

static bool is_leaf(const struct sim *sim, uint32_t node)
{
    struct sim_node_info info = sim_node(sim, node);
    if (info.kind != SIM_SWITCH) {
        return false;
    }
    for (uint32_t i = 0; i < info.port_count; i++) {
        uint32_t peer = sim_port(sim, sim_port(sim, info.first_port + i).peer).node;
        if (sim_node(sim, peer).kind == SIM_HOST) {
            return true;
        }
    }
    return false;
}

/* The how-many-eth of its kind this node is, and how many there are. */
static void place_among(const struct sim *sim, uint32_t node, bool leaves, size_t *rank,
                        size_t *count)
{
    *rank = *count = 0;
    for (uint32_t n = 0; n < sim_node_count(sim); n++) {
        bool counts = leaves ? is_leaf(sim, n) : sim_node(sim, n).kind == SIM_HOST;
        *rank += counts && n < node;
        *count += counts;
    }
}

int cursor_column(const struct sim *sim, uint32_t node)
{
    size_t rank, leaves, hosts;
    if (sim_node(sim, node).kind == SIM_SWITCH) {
        if (!is_leaf(sim, node)) {
            return 2;
        }
        place_among(sim, node, true, &rank, &leaves);
        return leaves < 2 ? 2 : rank * 2 < leaves ? 1 : 3;
    }
    struct sim_node_info info = sim_node(sim, node);
    uint32_t peer = sim_port(sim, sim_port(sim, info.first_port).peer).node;
    int column = sim_node(sim, peer).kind == SIM_SWITCH ? cursor_column(sim, peer) : 2;
    if (column != 2) {
        return column == 1 ? 0 : 4;
    }
    place_among(sim, node, false, &rank, &hosts);
    return rank * 2 < hosts ? 0 : 4;
}

static bool goes_right(const struct sim *sim, uint32_t port)
{
    struct sim_port_info info = sim_port(sim, port);
    return cursor_column(sim, info.node) < cursor_column(sim, sim_port(sim, info.peer).node);
}

/* Which gap between two columns the lane lies in: 0 to 3. */
static int gap_of(const struct sim *sim, uint32_t port)
{
    struct sim_port_info info = sim_port(sim, port);
    int a = cursor_column(sim, info.node), b = cursor_column(sim, sim_port(sim, info.peer).node);
    return a < b ? a : b;
}

/* ---- packets on lanes -------------------------------------------------------------------------- */

/* The data frames of a port, those on its cable first (farthest first), then those that wait. */
static size_t frames_of(const struct sim *sim, uint32_t port, struct sim_frame *out)
{
    size_t n = sim_port_wire(sim, port, out, FRAMES_MAX);
    n = n < FRAMES_MAX ? n : FRAMES_MAX;
    const size_t waiting = sim_port_waiting(sim, port, out + n, FRAMES_MAX - n);
    n += waiting < FRAMES_MAX - n ? waiting : FRAMES_MAX - n;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (out[i].kind == SIM_FRAME_DATA) {
            out[kept++] = out[i];
        }
    }
    return kept;
}

static void put_on(struct cursor *cursor, const struct sim_frame *frame)
{
    cursor->port = frame->port != SIM_NONE ? frame->port : cursor->port; /* inside a switch */
    cursor->packet = true;
    cursor->waiting = frame->end == SIM_NEVER;
    cursor->flow = frame->flow;
    cursor->psn = frame->psn;
    cursor->attempt = frame->attempt;
}

static void put_on_lane(struct cursor *cursor, uint32_t port)
{
    cursor->port = port;
    cursor->packet = false;
    cursor->waiting = false;
}

/* How well a frame serves someone who wants to destroy a packet and see what happens: whole, on a
 * host's own cable, in the middle of a message. */
static int worth(const struct sim *sim, const struct sim_frame *f)
{
    int worth = 1;
    worth += (f->flags & SIM_FRAME_LOST) == 0 ? 16 : 0;
    worth += f->end != SIM_NEVER ? 8 : 0;
    worth += sim_node(sim, sim_port(sim, f->port).node).kind == SIM_HOST ? 4 : 0;
    worth += (f->flags & (SIM_FRAME_LAST | SIM_FRAME_STEP_END)) == 0 ? 2 : 0;
    return worth;
}

bool cursor_snap(struct cursor *cursor, const struct sim *sim)
{
    struct sim_frame best = { 0 }, *frames = mem_alloc(FRAMES_MAX, sizeof *frames);
    int best_worth = 0;
    for (uint32_t port = 0; port < sim_port_count(sim); port++) {
        size_t n = frames_of(sim, port, frames);
        for (size_t i = 0; i < n; i++) {
            int w = worth(sim, &frames[i]);
            if (w > best_worth) {
                best = frames[i];
                best_worth = w;
            }
        }
    }
    free(frames);
    cursor->on = sim_port_count(sim) > 0;
    if (best_worth > 0) {
        put_on(cursor, &best);
    } else {
        put_on_lane(cursor, cursor->port < sim_port_count(sim) ? cursor->port : 0);
    }
    return best_worth > 0;
}

void cursor_follow(struct cursor *cursor, const struct sim *sim)
{
    struct sim_frame frame;
    if (!cursor->on || cursor->port >= sim_port_count(sim)) {
        cursor->on = false;
        return;
    }
    if (!cursor->packet) {
        return;
    }
    if (sim_find_packet(sim, cursor->flow, cursor->psn, cursor->attempt, &frame)) {
        put_on(cursor, &frame);
    } else {
        put_on_lane(cursor, cursor->port); /* arrived, or lost: the lane stays */
    }
}

/* ---- walking ----------------------------------------------------------------------------------- */

/* The next packet on this lane, from the sender's end (`ahead` false) or toward the receiver. */
static bool step_on_lane(struct cursor *cursor, const struct sim *sim, bool ahead)
{
    struct sim_frame *frames = mem_alloc(FRAMES_MAX, sizeof *frames);
    size_t n = frames_of(sim, cursor->port, frames), at = n;
    for (size_t i = 0; i < n; i++) {
        if (cursor->packet && frames[i].flow == cursor->flow && frames[i].psn == cursor->psn &&
            frames[i].attempt == cursor->attempt) {
            at = i;
        }
    }
    bool found = false;
    if (n > 0 && at == n) { /* on the empty lane: its nearest packet */
        put_on(cursor, &frames[ahead ? n - 1 : 0]);
        found = true;
    } else if (ahead ? at > 0 : at + 1 < n) {
        put_on(cursor, &frames[ahead ? at - 1 : at + 1]);
        found = true;
    }
    free(frames);
    return found;
}

/* Takes the cursor to lane `port`, onto the packet nearest to where it comes from. */
static void enter_lane(struct cursor *cursor, const struct sim *sim, uint32_t port, bool at_start)
{
    struct sim_frame *frames = mem_alloc(FRAMES_MAX, sizeof *frames);
    size_t n = frames_of(sim, port, frames);
    if (n > 0) {
        put_on(cursor, &frames[at_start ? n - 1 : 0]);
    } else {
        put_on_lane(cursor, port);
    }
    free(frames);
}

/* How many lanes of the same direction and gap stand above this one. */
static size_t row_in_gap(const struct sim *sim, uint32_t port)
{
    size_t row = 0;
    for (uint32_t p = 0; p < port; p++) {
        row += gap_of(sim, p) == gap_of(sim, port) && goes_right(sim, p) == goes_right(sim, port);
    }
    return row;
}

/* The lane of the same direction in the next gap, at about the same height. */
static bool cross_gap(struct cursor *cursor, const struct sim *sim, bool right)
{
    int gap = gap_of(sim, cursor->port) + (right ? 1 : -1);
    bool to_right = goes_right(sim, cursor->port);
    size_t want = row_in_gap(sim, cursor->port), row = 0;
    uint32_t best = SIM_NONE;
    for (uint32_t p = 0; p < sim_port_count(sim); p++) {
        if (gap_of(sim, p) != gap || goes_right(sim, p) != to_right) {
            continue;
        }
        if (best == SIM_NONE || row <= want) {
            best = p;
        }
        row++;
    }
    if (best == SIM_NONE) {
        return false;
    }
    enter_lane(cursor, sim, best, right == to_right);
    return true;
}

/* The lane above or below: each cable has two, the upper one goes right. */
static bool change_row(struct cursor *cursor, const struct sim *sim, bool down)
{
    uint32_t peer = sim_port(sim, cursor->port).peer;
    bool right = goes_right(sim, cursor->port);
    if (right == down) { /* the other lane of the same cable */
        enter_lane(cursor, sim, peer, true);
        return true;
    }
    uint32_t upper = right ? cursor->port : peer;
    uint32_t before = SIM_NONE, after = SIM_NONE;
    for (uint32_t p = 0; p < sim_port_count(sim); p++) {
        if (p == upper || gap_of(sim, p) != gap_of(sim, upper) || !goes_right(sim, p)) {
            continue;
        }
        if (p < upper) {
            before = p;
        } else if (after == SIM_NONE) {
            after = p;
        }
    }
    uint32_t next = down ? after : before;
    if (next == SIM_NONE) {
        return false;
    }
    enter_lane(cursor, sim, down ? next : sim_port(sim, next).peer, true);
    return true;
}

bool cursor_move(struct cursor *cursor, const struct sim *sim, enum cursor_way way)
{
    bool right = goes_right(sim, cursor->port);
    switch (way) {
    case CURSOR_LEFT:
        return step_on_lane(cursor, sim, !right) || cross_gap(cursor, sim, false);
    case CURSOR_RIGHT:
        return step_on_lane(cursor, sim, right) || cross_gap(cursor, sim, true);
    case CURSOR_UP:
        return change_row(cursor, sim, false);
    case CURSOR_DOWN:
        return change_row(cursor, sim, true);
    }
    return false;
}

/* ---- saying and doing --------------------------------------------------------------------------- */

const char *cursor_say(const struct cursor *cursor, const struct sim *sim, char *buf, size_t size)
{
    struct sim_port_info port = sim_port(sim, cursor->port);
    const char *from = sim_node(sim, port.node).name;
    const char *to = sim_node(sim, sim_port(sim, port.peer).node).name;
    if (!cursor->packet) {
        snprintf(buf, size, "the lane from %s to %s: no packet here now", from, to);
        return buf;
    }
    struct sim_flow_info flow = sim_flow(sim, cursor->flow);
    struct sim_flow_state state = sim_flow_state(sim, cursor->flow);
    struct sim_frame frame = { 0 };
    sim_find_packet(sim, cursor->flow, cursor->psn, cursor->attempt, &frame);
    const char *src = sim_node(sim, flow.src).name, *dst = sim_node(sim, flow.dst).name;
    char which[80];
    if (state.step_packets > 0 && cursor->psn >= state.step_psn) {
        snprintf(which, sizeof which, "packet %llu of %llu from %s to %s",
                 (unsigned long long)(cursor->psn - state.step_psn + 1),
                 (unsigned long long)state.step_packets, src, dst);
    } else {
        snprintf(which, sizeof which, "packet %llu from %s to %s", (unsigned long long)cursor->psn,
                 src, dst);
    }
    uint64_t last = state.step_packets > 0 ? state.step_psn + state.step_packets : state.end;
    const char *follows = (frame.flags & SIM_FRAME_STEP_END) != 0 || cursor->psn + 1 >= last
                              ? ", nothing follows it in this step"
                          : (frame.flags & SIM_FRAME_LAST) != 0 ? ", the last of its message"
                                                                : "";
    snprintf(buf, size, "%s%s%s%s", which, cursor->attempt > 1 ? ", sent again" : "",
             cursor->waiting ? ", waiting in a queue" : "", follows);
    return buf;
}

bool cursor_drop(const struct cursor *cursor, const struct sim *sim, struct sim_cmd *cmd,
                 struct err *err)
{
    struct sim_frame frame;
    if (!cursor->on) {
        return err_set(err, ERR_STATE, "nothing chosen yet: c puts the cursor on a packet");
    }
    if (!cursor->packet ||
        !sim_find_packet(sim, cursor->flow, cursor->psn, cursor->attempt, &frame)) {
        return err_set(err, ERR_STATE,
                       "no packet under the cursor; . lets a moment pass, the arrows look for one");
    }
    if ((frame.flags & SIM_FRAME_LOST) != 0) {
        return err_set(err, ERR_STATE, "this packet is lost already");
    }
    *cmd = (struct sim_cmd){
        .kind = SIM_CMD_DROP, .which = SIM_DROP_PSN, .psn = cursor->psn, .attempt = cursor->attempt
    };
    snprintf(cmd->flow, sizeof cmd->flow, "%s", sim_flow(sim, cursor->flow).name);
    return true;
}

uint32_t cursor_rank(const struct cursor *cursor, const struct sim *sim)
{
    uint32_t node =
        cursor->packet ? sim_flow(sim, cursor->flow).src : sim_port(sim, cursor->port).node;
    for (uint32_t r = 0; r < sim_rank_count(sim); r++) {
        if (sim_rank_node(sim, r) == node) {
            return r;
        }
    }
    node = sim_port(sim, sim_port(sim, cursor->port).peer).node;
    for (uint32_t r = 0; r < sim_rank_count(sim); r++) {
        if (sim_rank_node(sim, r) == node) {
            return r;
        }
    }
    return SIM_NONE;
}
