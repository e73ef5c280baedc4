#include "app/scene_fill.h"

#include "app/scene_parts.h"

enum {
    WIRE_MAX = 512,    /* frames of one cable that are looked at */
    REFUSED_FROM = 700 /* permille of the last cable from which a frame shows what becomes of it */
};

void scene_fill_finish(struct scene_fill *fill)
{
    calm_finish(&fill->calm);
}

/* Too fast for single packets on this lane? */
static bool is_blurred(const struct scene_fill_in *in, uint32_t port)
{
    return playback_blurs(in->playback, sim_slot_ps(in->sim, port), in->fps);
}

/* ---- Marks --------------------------------------------------------------------------------------- */

/* What one lane is made of while it is filled. */
struct lane_builder {
    const struct scene_fill_in *in;
    uint32_t port; /* that sends */
    bool blurred;
    struct scene_mark *mark;
    size_t count, cap;
};

static void add_mark(struct lane_builder *b, struct scene_mark mark)
{
    if (b->count < b->cap) {
        b->mark[b->count++] = mark;
    }
}

static bool goes_to_host(const struct sim *sim, uint32_t port)
{
    return sim_node(sim, sim_port(sim, sim_port(sim, port).peer).node).kind == SIM_HOST;
}

static enum scene_mark_kind kind_of(const struct sim *sim, const struct sim_frame *f, int at)
{
    switch (f->kind) {
    case SIM_FRAME_ACK:
        return SCENE_MARK_ACK;
    case SIM_FRAME_NAK:
        return SCENE_MARK_NAK;
    case SIM_FRAME_XOFF:
        return SCENE_MARK_PAUSE;
    case SIM_FRAME_XON:
        return SCENE_MARK_GO;
    case SIM_FRAME_CREDIT:
        return SCENE_MARK_CREDIT;
    case SIM_FRAME_CNP:
        return SCENE_MARK_CNP;
    case SIM_FRAME_DATA:
        break;
    }
    const bool keeps_order = sim_knob(sim, SIM_KNOB_TRANSPORT) == SIM_SELECTIVE;
    if (at >= REFUSED_FROM && !keeps_order && goes_to_host(sim, f->port)) {
        const struct sim_flow_state flow = sim_flow_state(sim, f->flow);
        if ((flow.gap && f->psn != flow.expected) || f->psn < flow.expected) {
            return SCENE_MARK_REFUSED;
        }
    }
    return SCENE_MARK_DATA;
}

static struct scene_mark mark_of(const struct lane_builder *b, const struct sim_frame *f)
{
    const sim_ps now = sim_now(b->in->sim);
    const sim_ps whole = f->end - f->start;
    const double at = whole > 0 ? (double)(now - f->start) / (double)whole * 1000 : 1000;
    struct scene_mark mark = { .at = at < 0 ? 0 : at > 1000 ? 1000 : (int)at };
    mark.kind = kind_of(b->in->sim, f, mark.at);
    mark.last = (f->flags & SIM_FRAME_LAST) != 0;
    mark.resend = (f->flags & SIM_FRAME_RESENT) != 0;
    mark.ecn = (f->flags & SIM_FRAME_CE) != 0;
    mark.cursor = b->in->cursor != NULL && cursor_is_on(b->in->cursor, f);
    return mark;
}

/* Frames on the cable. A lost one is not drawn: what remains of it is held below. */
static void add_wire(struct lane_builder *b, const struct sim_frame *frame, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if ((frame[i].flags & SIM_FRAME_LOST) != 0) {
            continue;
        }
        const struct scene_mark mark = mark_of(b, &frame[i]);
        if (!b->blurred || mark.cursor) {
            add_mark(b, mark);
        }
    }
}

/* A packet under the cursor that waits in the queue stands at the start of the lane. */
static void add_waiting(struct lane_builder *b)
{
    const struct cursor *cursor = b->in->cursor;
    if (cursor == NULL || !cursor->on || cursor->port != b->port || cursor->thing != CURSOR_FRAME ||
        !cursor->waiting) {
        return;
    }
    add_mark(b, (struct scene_mark){ .cursor = true, .resend = cursor->attempt > 1 });
}

/* The lane a held record is drawn on (by its sending port), and where. */
static uint32_t place_of(const struct sim *sim, const struct sim_record *rec,
                         struct scene_mark *mark)
{
    if (rec->port == SIM_NONE) {
        return SIM_NONE;
    }
    if (rec->kind == SIM_TRACE_DROP) {
        mark->kind = SCENE_MARK_DROP;
        mark->at = rec->value < 0 ? 0 : rec->value > 1000 ? 1000 : (int)rec->value;
        mark->word = sim_reason_word((enum sim_reason)rec->reason);
        return sim_port(sim, rec->port).peer;
    }
    if (rec->kind == SIM_TRACE_NAK) {
        mark->kind = SCENE_MARK_NAK;
        return rec->port;
    }
    if (rec->kind == SIM_TRACE_XOFF) {
        mark->kind = SCENE_MARK_PAUSE;
        return rec->port;
    }
    return SIM_NONE;
}

static bool is_on_wire(const struct lane_builder *b, enum scene_mark_kind kind)
{
    for (size_t i = 0; i < b->count; i++) {
        if (b->mark[i].kind == kind) {
            return true;
        }
    }
    return false;
}

/* What stays drawn for a while after it happened; the frame itself is enough while it is seen. */
static void add_held(struct lane_builder *b)
{
    const struct playback *pb = b->in->playback;
    for (size_t i = 0; i < pb->held_count; i++) {
        struct scene_mark mark = { .count = pb->held[i].count };
        const uint32_t port = place_of(b->in->sim, &pb->held[i].record, &mark);
        if (port == b->port && (mark.kind == SCENE_MARK_DROP || !is_on_wire(b, mark.kind))) {
            add_mark(b, mark);
        }
    }
}

/* ---- Lanes ---------------------------------------------------------------------------------------- */

/* Bytes that the switch at the end of this lane holds from its sender. */
static struct scene_meter held_meter(const struct scene_fill_in *in, uint32_t port)
{
    const struct sim *sim = in->sim;
    if (sim_node(sim, sim_port(sim, port).node).kind != SIM_SWITCH) {
        return (struct scene_meter){ 0 };
    }
    const struct sim_held held = sim_port_held(sim, port);
    struct scene_meter m = { .shown = true, .used = held.shared + held.headroom };
    m.mark = held.lossless ? held.xoff : 0;
    m.limit = held.xoff + held.headroom_limit;
    for (size_t i = 0; i < in->playback->held_count; i++) {
        const struct sim_record *rec = &in->playback->held[i].record;
        m.over = m.over || (rec->kind == SIM_TRACE_DROP && rec->port == port &&
                            rec->reason == SIM_REASON_HEADROOM);
    }
    return m;
}

/* Bytes that wait in a switch for this lane. Without a limit the scale is that of the tail drop, so
 * that both ways of running look alike. */
static struct scene_meter queue_meter(const struct sim *sim, uint32_t port)
{
    if (sim_node(sim, sim_port(sim, port).node).kind != SIM_SWITCH) {
        return (struct scene_meter){ 0 };
    }
    const struct sim_queue queue = sim_port_queue(sim, port);
    const int64_t cap = sim_knob(sim, SIM_KNOB_QUEUE_CAP);
    int64_t limit = queue.cap != SIM_UNLIMITED ? queue.cap : cap;
    limit = limit == SIM_UNLIMITED ? 500000 : limit;
    const bool ecn = sim_knob(sim, SIM_KNOB_ECN) == SIM_ON;
    return (struct scene_meter){ .shown = true,
                                 .used = queue.bytes,
                                 .limit = limit,
                                 .mark = ecn ? sim_knob(sim, SIM_KNOB_KMIN) : 0 };
}

/* A cable of a box always has credits, one of the fabric if that is its flow control. */
static enum scene_lane_state lane_state(const struct scene_fill *fill, const struct sim *sim,
                                        uint32_t port, bool blurred)
{
    const struct sim_queue queue = sim_port_queue(sim, port);
    if (queue.down) {
        return SCENE_LANE_DOWN;
    }
    const bool waits = blurred ? calm_paused(&fill->calm, port)
                               : queue.paused || sim_port_credit(sim, port, SIM_PRIO_DATA).starved;
    const bool credits = sim_port(sim, port).kind != SIM_LINK_FABRIC ||
                         sim_knob(sim, SIM_KNOB_FLOW_CONTROL) == SIM_FC_CREDITS;
    return !waits ? SCENE_LANE_OPEN : credits ? SCENE_LANE_NOCREDIT : SCENE_LANE_PAUSED;
}

static struct scene_lane lane_of(struct scene_fill *fill, const struct scene_fill_in *in,
                                 struct scene_mem *mem, uint32_t port)
{
    const struct sim *sim = in->sim;
    struct sim_frame frame[WIRE_MAX];
    size_t n = sim_port_wire(sim, port, frame, WIRE_MAX);
    n = n > WIRE_MAX ? WIRE_MAX : n;
    const bool blurred = is_blurred(in, port);
    struct lane_builder b = { .in = in, .port = port, .blurred = blurred };
    b.cap = n + 1 + in->playback->held_count;
    b.mark = scene_mem_take(mem, b.cap, sizeof *b.mark);
    add_wire(&b, frame, n);
    add_waiting(&b);
    add_held(&b);
    const struct cursor *cursor = in->cursor;
    struct scene_meter queue = queue_meter(sim, port);
    struct scene_meter held = held_meter(in, sim_port(sim, port).peer);
    if (blurred) {
        queue.used = calm_queued(&fill->calm, port);
        held.used = calm_held(&fill->calm, sim_port(sim, port).peer);
    }
    return (struct scene_lane){
        .state = lane_state(fill, sim, port, blurred),
        .blurred = blurred,
        .busy = calm_busy(&fill->calm, port),
        .cursor =
            cursor != NULL && cursor->on && cursor->thing == CURSOR_LANE && cursor->port == port,
        .id = port,
        .mark = b.mark,
        .mark_count = b.count,
        .queue = queue,
        .held = held,
    };
}

/* ---- Fabric --------------------------------------------------------------------------------------- */

const char *scene_rank_word(const struct sim *sim, uint32_t rank, enum scene_gpu_state state,
                            struct scene_mem *mem)
{
    static const char *const words[SCENE_GPU_STATES] = {
        [SCENE_GPU_IDLE] = "idle",          [SCENE_GPU_COMPUTE] = "computes",
        [SCENE_GPU_EXCHANGE] = "sends",     [SCENE_GPU_STARVED] = "waits",
        [SCENE_GPU_PAUSED] = "PAUSED",      [SCENE_GPU_VAIN] = "in vain",
        [SCENE_GPU_TIMER] = "on its timer", [SCENE_GPU_BARRIER] = "at barrier",
        [SCENE_GPU_DEAD] = "stopped",
    };
    const uint32_t prev = sim_rank(sim, rank).prev;
    if (state == SCENE_GPU_STARVED && prev != SIM_NONE) {
        return scene_mem_textf(mem, "wants %s", sim_node(sim, sim_rank_node(sim, prev)).name);
    }
    return words[state];
}

const char *scene_flow_word(enum scene_gpu_state state)
{
    static const char *const words[SCENE_GPU_STATES] = {
        [SCENE_GPU_IDLE] = "idle",          [SCENE_GPU_COMPUTE] = "computes",
        [SCENE_GPU_EXCHANGE] = "sends",     [SCENE_GPU_STARVED] = "waits",
        [SCENE_GPU_PAUSED] = "PAUSED",      [SCENE_GPU_VAIN] = "in vain",
        [SCENE_GPU_TIMER] = "on its timer", [SCENE_GPU_BARRIER] = "arrived",
        [SCENE_GPU_DEAD] = "stopped",
    };
    return words[state];
}

/* The state that is shown of a host that is in `state`. */
static enum scene_gpu_state shown_state(struct scene_fill *fill, const struct scene_fill_in *in,
                                        uint32_t node, enum scene_gpu_state state)
{
    const enum scene_gpu_state calm = calm_state(&fill->calm, node, state);
    return is_blurred(in, sim_node(in->sim, node).first_port) ? calm : state;
}

/* What each GPU is about; without a training, what its flows are about. */
static void fill_states(struct scene_fill *fill, const struct scene_fill_in *in,
                        struct scene_mem *mem, struct scene_node *node)
{
    const struct sim *sim = in->sim;
    const size_t ranks = sim_rank_count(sim);
    for (uint32_t r = 0; r < ranks; r++) {
        const uint32_t i = sim_rank_node(sim, r);
        node[i].state = shown_state(fill, in, i, history_rank_state(sim, r));
        node[i].word = scene_rank_word(sim, r, node[i].state, mem);
    }
    for (uint32_t f = 0; ranks == 0 && f < sim_flow_count(sim); f++) {
        struct scene_node *n = &node[sim_flow(sim, f).src];
        const enum scene_gpu_state state = history_flow_state(sim, f);
        const bool over = n->state == SCENE_GPU_IDLE || n->state == SCENE_GPU_BARRIER;
        if (over && state != SCENE_GPU_IDLE) { /* what still runs is said first */
            n->state = state;
            n->word = scene_flow_word(state);
        }
    }
}

static const enum scene_node_kind node_kinds[] = {
    [SIM_HOST] = SCENE_NODE_GPU, [SIM_SWITCH] = SCENE_NODE_SWITCH, [SIM_MEMORY] = SCENE_NODE_MEMORY
};
static const enum scene_cable_kind cable_kinds[] = { [SIM_LINK_FABRIC] = SCENE_CABLE_FABRIC,
                                                     [SIM_LINK_PCIE] = SCENE_CABLE_PCIE,
                                                     [SIM_LINK_NVLINK] = SCENE_CABLE_NVLINK,
                                                     [SIM_LINK_MEMORY] = SCENE_CABLE_BUS };

/* Keeps what belongs to the server that is open. */
static void keep_only(const bool *only, struct scene_mem *mem, struct scene_fabric *f,
                      struct scene_node *node, struct scene_cable *cable)
{
    size_t *place = scene_mem_take(mem, f->node_count, sizeof *place);
    size_t nodes = 0, cables = 0;
    for (size_t i = 0; i < f->node_count; i++) {
        place[i] = nodes;
        if (only[i]) {
            node[nodes++] = node[i];
        }
    }
    for (size_t i = 0; i < f->cable_count; i++) {
        if (only[cable[i].a] && only[cable[i].b]) {
            cable[cables] = cable[i];
            cable[cables].a = place[cable[i].a];
            cable[cables++].b = place[cable[i].b];
        }
    }
    f->node_count = nodes;
    f->cable_count = cables;
}

void scene_fill_fabric(struct scene_fill *fill, const struct scene_fill_in *in,
                       struct scene_mem *mem, struct scene *scene)
{
    const struct sim *sim = in->sim;
    const size_t nodes = sim_node_count(sim);
    calm_frame(&fill->calm, sim, in->fps);
    struct scene_node *node = scene_mem_take(mem, nodes, sizeof *node);
    const uint32_t at =
        in->cursor != NULL && in->cursor->on ? cursor_node(in->cursor, sim) : SIM_NONE;
    for (uint32_t i = 0; i < nodes; i++) {
        const struct sim_node_info info = sim_node(sim, i);
        node[i].name = info.name;
        node[i].kind = node_kinds[info.kind];
        node[i].id = i;
        node[i].cursor = at == i && in->cursor->thing == CURSOR_NODE;
        node[i].near_cursor = at == i;
        node[i].row = (int)sim_scenario_of(sim)->nodes[i].row;
        node[i].column = (int)sim_scenario_of(sim)->nodes[i].column;
    }
    fill_states(fill, in, mem, node);
    const size_t ports = sim_port_count(sim);
    struct scene_cable *cable = scene_mem_take(mem, ports / 2 + 1, sizeof *cable);
    size_t n = 0;
    for (uint32_t p = 0; p < ports; p++) {
        const struct sim_port_info info = sim_port(sim, p);
        if (p < info.peer) {
            cable[n].a = info.node;
            cable[n].b = sim_port(sim, info.peer).node;
            cable[n].kind = cable_kinds[info.kind];
            cable[n].ab = lane_of(fill, in, mem, p);
            cable[n].ba = lane_of(fill, in, mem, info.peer);
            n++;
        }
    }
    scene->fabric = (struct scene_fabric){ node, nodes, cable, n };
    if (in->only != NULL) {
        keep_only(in->only, mem, &scene->fabric, node, cable);
    }
    scene->flows = sim_rank_count(sim) == 0;
}

void scene_fill_run(struct scene_fill *fill, const struct scene_fill_in *in, struct scene_mem *mem,
                    struct scene *scene)
{
    scene_fill_fabric(fill, in, mem, scene);
    scene_fill_time(in, mem, scene);
    scene_fill_plot(in, mem, scene);
    const uint64_t end = calm_events(&fill->calm, sim_trace_seq(in->sim), !is_blurred(in, 0));
    scene_fill_events(in, end, mem, scene);
    scene_fill_counts(in->sim, mem, scene);
    scene->quiet = in->playback->quiet[0] != '\0' ? in->playback->quiet : NULL;
    scene->quiet_past = !in->playback->playing;
}

/* ---- The ring of the home screen ------------------------------------------------------------------- */

/* A packet crosses several cables on its way to the neighbour; on the ring it is one lane. Where it
 * is on the way is told by how many cables it has behind it, out of those of its flow. */
struct hops {
    uint32_t port; /* first port of the path */
    int count;
};

static struct hops path_of(const struct sim *sim, uint32_t rank, uint32_t next)
{
    const uint32_t from = sim_rank_node(sim, rank);
    const uint32_t to = sim_rank_node(sim, next);
    const struct sim_node_info host = sim_node(sim, from);
    const uint32_t leaf = sim_port(sim, sim_port(sim, host.first_port).peer).node;
    const uint32_t far = sim_port(sim, sim_port(sim, sim_node(sim, to).first_port).peer).node;
    return (struct hops){ host.first_port, leaf == to ? 1 : leaf == far ? 2 : 4 };
}

/* How many cables of its path lie before the one that leaves `port`. */
static int hops_before(const struct sim *sim, uint32_t port, int count)
{
    const bool from_host = sim_node(sim, sim_port(sim, port).node).kind == SIM_HOST;
    if (from_host) {
        return 0;
    }
    if (goes_to_host(sim, port)) {
        return count - 1;
    }
    const struct sim_node_info node = sim_node(sim, sim_port(sim, port).node);
    for (uint32_t p = node.first_port; p < node.first_port + node.port_count; p++) {
        if (goes_to_host(sim, p)) {
            return 1; /* it leaves a leaf, upwards */
        }
    }
    return 2;
}

/* All data frames of the flow from `rank` to its neighbour, wherever they are. */
static struct scene_lane ring_lane(const struct scene_fill_in *in, struct scene_mem *mem,
                                   uint32_t rank)
{
    enum { RING_MARKS = 64 };
    const struct sim *sim = in->sim;
    const struct sim_rank r = sim_rank(sim, rank);
    struct scene_mark *mark = scene_mem_take(mem, RING_MARKS, sizeof *mark);
    size_t count = 0;
    const struct hops path = path_of(sim, rank, r.next);
    for (uint32_t p = 0; p < sim_port_count(sim); p++) {
        struct sim_frame frame[WIRE_MAX];
        size_t n = sim_port_wire(sim, p, frame, WIRE_MAX);
        n = n > WIRE_MAX ? WIRE_MAX : n;
        for (size_t i = 0; i < n && count < RING_MARKS; i++) {
            if (frame[i].kind != SIM_FRAME_DATA || frame[i].flow != r.flow_out ||
                (frame[i].flags & SIM_FRAME_LOST) != 0) {
                continue;
            }
            struct lane_builder b = { .in = in, .port = p };
            struct scene_mark m = mark_of(&b, &frame[i]);
            m.at = (hops_before(sim, p, path.count) * 1000 + m.at) / path.count;
            mark[count++] = m;
        }
    }
    return (struct scene_lane){ .mark = mark, .mark_count = count };
}

void scene_fill_ring(struct scene_fill *fill, const struct scene_fill_in *in, struct scene_mem *mem,
                     struct scene *scene)
{
    const struct sim *sim = in->sim;
    const size_t n = sim_rank_count(sim);
    struct scene_node *node = scene_mem_take(mem, n, sizeof *node);
    struct scene_lane *lane = scene_mem_take(mem, n, sizeof *lane);
    calm_frame(&fill->calm, sim, in->fps);
    uint32_t rank = 0; /* round the ring from its first rank */
    for (size_t i = 0; i < n; i++) {
        const struct sim_rank r = sim_rank(sim, rank);
        node[i].name = sim_node(sim, sim_rank_node(sim, rank)).name;
        node[i].state = history_rank_state(sim, rank);
        const uint32_t port = path_of(sim, rank, r.next).port;
        if (is_blurred(in, port)) {
            lane[i] = (struct scene_lane){ .blurred = true, .busy = calm_busy(&fill->calm, port) };
        } else {
            lane[i] = ring_lane(in, mem, rank);
        }
        rank = r.next;
    }
    scene->home.node = node;
    scene->home.lane = lane;
    scene->home.node_count = n;
}
