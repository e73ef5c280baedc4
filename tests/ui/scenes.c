#include "scenes.h"

#include <string.h>

#define US INT64_C(1000000)

static const struct scene_hint HINTS[] = {
    { "space", "play", false, false, 0 }, { ", .", "step", false, false, 0 },
    { "+ -", "gear", false, false, 0 },   { "c", "cursor", false, false, 0 },
    { "y", "why", false, false, 0 },      { "Tab", "view", false, false, 0 },
    { "?", "keys", true, false, 0 },      { "n", "next", true, false, 0 },
};

/* ---- Fabrics ----------------------------------------------------------------------------------- */

struct fabric_builder {
    struct scene_mem *mem;
    struct scene_node *node;
    struct scene_cable *cable;
    size_t nodes, cables;
};

static size_t add_node(struct fabric_builder *b, enum scene_node_kind kind, const char *name)
{
    b->node[b->nodes] = (struct scene_node){ .name = name,
                                             .kind = kind,
                                             .state = kind == SCENE_NODE_GPU ? SCENE_GPU_EXCHANGE
                                                                             : SCENE_GPU_IDLE };
    return b->nodes++;
}

static const struct scene_meter HELD = {
    .shown = true, .used = 20000, .limit = 150000, .mark = 100000
};
static const struct scene_meter QUEUE = { .shown = true, .used = 30000, .limit = 400000 };

static void add_cable(struct fabric_builder *b, size_t x, size_t y)
{
    struct scene_cable *c = &b->cable[b->cables++];
    *c = (struct scene_cable){ .a = x, .b = y };
    if (b->node[x].kind == SCENE_NODE_SWITCH) {
        c->ab.queue = QUEUE;
        c->ba.held = HELD;
    }
    if (b->node[y].kind == SCENE_NODE_SWITCH) {
        c->ba.queue = QUEUE;
        c->ab.held = HELD;
    }
}

static struct scene_fabric done(const struct fabric_builder *b)
{
    return (struct scene_fabric){ b->node, b->nodes, b->cable, b->cables };
}

static struct fabric_builder builder(struct scene_mem *mem, size_t nodes, size_t cables)
{
    return (struct fabric_builder){
        .mem = mem,
        .node = scene_mem_take(mem, nodes, sizeof(struct scene_node)),
        .cable = scene_mem_take(mem, cables, sizeof(struct scene_cable)),
    };
}

static struct scene_fabric tiers(struct scene_mem *mem, size_t leaves, size_t spines, size_t gpus)
{
    const size_t n = leaves * gpus;
    struct fabric_builder b = builder(mem, n + leaves + spines, n + leaves * spines + 1);
    for (size_t i = 0; i < n; i++) {
        add_node(&b, SCENE_NODE_GPU, scene_mem_textf(mem, "g%zu", i + 1));
    }
    for (size_t i = 0; i < leaves; i++) {
        add_node(&b, SCENE_NODE_SWITCH, scene_mem_textf(mem, "leaf%zu", i + 1));
    }
    for (size_t i = 0; i < spines; i++) {
        add_node(&b, SCENE_NODE_SWITCH, scene_mem_textf(mem, "spine%zu", i + 1));
    }
    for (size_t i = 0; i < n; i++) {
        add_cable(&b, i, n + i / gpus);
    }
    for (size_t i = 0; i < leaves; i++) {
        for (size_t k = 0; k < spines; k++) {
            add_cable(&b, n + i, n + leaves + k);
        }
    }
    if (spines == 0 && leaves == 2) {
        add_cable(&b, n, n + 1);
    }
    return done(&b);
}

static struct scene_cable *cable(struct scene *s, size_t i)
{
    return (struct scene_cable *)(uintptr_t)&s->fabric.cable[i]; /* ours: taken from the arena */
}

static struct scene_node *node(struct scene *s, size_t i)
{
    return (struct scene_node *)(uintptr_t)&s->fabric.node[i];
}

static void put(struct scene_mem *mem, struct scene_lane *lane, struct scene_mark mark)
{
    struct scene_mark *all = scene_mem_take(mem, lane->mark_count + 1, sizeof *all);
    if (lane->mark_count > 0) {
        memcpy(all, lane->mark, lane->mark_count * sizeof *all);
    }
    all[lane->mark_count++] = mark;
    lane->mark = all;
}

/* Data every third cell or so. */
static void stream(struct scene_mem *mem, struct scene_lane *lane, int phase)
{
    for (int at = phase; at <= 1000; at += 380) {
        put(mem, lane, (struct scene_mark){ .kind = SCENE_MARK_DATA, .at = at });
    }
}

static void traffic(struct scene *s, struct scene_mem *mem)
{
    for (size_t i = 0; i < s->fabric.cable_count; i++) {
        stream(mem, &cable(s, i)->ab, (int)(i * 97 % 380));
        stream(mem, &cable(s, i)->ba, (int)(i * 61 % 380));
    }
}

/* ---- Time -------------------------------------------------------------------------------------- */

static struct scene_run *run_of(struct scene_mem *mem, size_t n)
{
    return scene_mem_take(mem, n, sizeof(struct scene_run));
}

/* Step 1 whole and step 2 in progress, a row for each GPU; GPUs 1 and 3 are paused now and then. */
static struct scene_timeline two_steps(struct scene_mem *mem, size_t gpus)
{
    struct scene_row *row = scene_mem_take(mem, gpus, sizeof *row);
    for (size_t i = 0; i < gpus; i++) {
        struct scene_run *r = run_of(mem, 9);
        const int64_t done = (4500 - (int64_t)(i * 37 % 300)) * US;
        size_t n = 0;
        r[n++] = (struct scene_run){ 0, 800 * US, SCENE_GPU_COMPUTE };
        r[n++] = (struct scene_run){ 800 * US, done, SCENE_GPU_EXCHANGE };
        r[n++] = (struct scene_run){ done, 4800 * US, SCENE_GPU_BARRIER };
        r[n++] = (struct scene_run){ 4800 * US, 5300 * US, SCENE_GPU_COMPUTE };
        r[n++] = (struct scene_run){ 5300 * US, 5600 * US, SCENE_GPU_EXCHANGE };
        if (i == 0 || i == 2) {
            r[n++] = (struct scene_run){ 5600 * US, 5800 * US, SCENE_GPU_PAUSED };
            r[n++] = (struct scene_run){ 5800 * US, 5950 * US, SCENE_GPU_EXCHANGE };
            r[n++] = (struct scene_run){ 5950 * US, 6100 * US, SCENE_GPU_PAUSED };
        } else {
            r[n++] = (struct scene_run){ 5600 * US, 6100 * US, SCENE_GPU_EXCHANGE };
        }
        row[i] = (struct scene_row){ .name = scene_mem_textf(mem, "g%zu", i + 1),
                                     .word = i == 0 || i == 2 ? "PAUSED" : "sends",
                                     .run = r,
                                     .run_count = n };
    }
    int64_t *barrier = scene_mem_take(mem, 1, sizeof *barrier);
    *barrier = 4800 * US;
    return (struct scene_timeline){
        .title = "training step 2, round 5 of 14",
        .axis = { .t0_ps = 0, .t1_ps = 7200 * US, .now_ps = 6100 * US },
        .row = row,
        .row_count = gpus,
        .barrier_ps = barrier,
        .barrier_count = 1,
    };
}

static struct scene lesson(const char *title)
{
    return (struct scene){
        .screen = SCENE_LESSON,
        .title = title,
        .card = 4,
        .cards = 8,
        .minutes_left = 4,
        .hint = HINTS,
        .hint_count = sizeof HINTS / sizeof HINTS[0],
    };
}

/* ---- The scenes -------------------------------------------------------------------------------- */

static const struct scene_switch SWITCHES[] = {
    { '1', "flow control", "PFC", false },
    { '2', "rank order", "mixed", true },
};

static const struct scene_tick TICKS[] = {
    { 4800 * US, SCENE_TICK_BARRIER }, { 5600 * US, SCENE_TICK_PAUSE },
    { 5700 * US, SCENE_TICK_PAUSE },   { 5950 * US, SCENE_TICK_PAUSE },
    { 6000 * US, SCENE_TICK_PAUSE },
};

static const struct scene_event EVENTS[] = {
    { 4812300000, SCENE_MARK_DATA, true, SCENE_TICK_BARRIER, "barrier opens, step 2" },
    { 6090400000, SCENE_MARK_PAUSE, false, 0, "leaf1 pauses g1: it holds 101 KB from it" },
    { 6092100000, SCENE_MARK_GO, false, 0, "leaf1 lets g1 go on" },
    { 6097900000, SCENE_MARK_PAUSE, false, 0, "leaf1 pauses g3: it holds 100 KB from it" },
    { 6100400000, SCENE_MARK_PAUSE, false, 0, "leaf1 pauses g1: it holds 104 KB from it" },
};

static const struct scene_prose PAUSE_PROSE[] = {
    { "leaf1 holds 104 KB from g1: more than **XOFF**, so it sends PAUSE (`P`).", false },
};

static const struct scene_choice CHOICES[] = {
    { 'a', "only g1 and g3", SCENE_CHOICE_OPEN },
    { 'b', "everyone, at the barrier", SCENE_CHOICE_OPEN },
    { 'c', "nobody: nothing was lost", SCENE_CHOICE_OPEN },
};

struct scene scene_paused(struct scene_mem *mem)
{
    struct scene s = lesson("Three ways to wait");
    s.fabric = tiers(mem, 2, 2, 4);
    traffic(&s, mem);
    cable(&s, 0)->ab.held.used = 125000;
    put(mem, &cable(&s, 0)->ba, (struct scene_mark){ .kind = SCENE_MARK_PAUSE, .at = 600 });
    cable(&s, 2)->ab.held.used = 104000;
    cable(&s, 2)->ab.state = SCENE_LANE_PAUSED;
    cable(&s, 2)->ab.mark_count = 0;
    node(&s, 2)->state = SCENE_GPU_PAUSED;
    node(&s, 7)->state = SCENE_GPU_STARVED;
    cable(&s, 8)->ab.queue.used = 300000;
    put(mem, &cable(&s, 5)->ba, (struct scene_mark){ .last = true, .at = 500 });
    put(mem, &cable(&s, 1)->ba, (struct scene_mark){ .kind = SCENE_MARK_ACK, .at = 500 });
    s.timeline = two_steps(mem, 8);
    s.scrubber = (struct scene_scrubber){
        .axis = { 0, 20000 * US, 6100 * US, NULL, 0 },
        .tick = TICKS,
        .tick_count = sizeof TICKS / sizeof TICKS[0],
        .gear = "packet",
        .rate = "1 us/s",
    };
    s.prose = PAUSE_PROSE;
    s.prose_count = 1;
    s.question = (struct scene_question){
        .asking = SCENE_ASK_OPEN,
        .ask = "Who is slowed by these pauses?",
        .choice = CHOICES,
        .choice_count = 3,
    };
    s.sw = SWITCHES;
    s.sw_count = 2;
    s.counts = "812 pauses, 0 lost";
    s.event = EVENTS;
    s.event_count = sizeof EVENTS / sizeof EVENTS[0];
    return s;
}

static const struct scene_prose STALL_PROSE[] = {
    { "Packet 112 of 112 from g3 died at `X`. Nothing follows it, so g4 sees no gap and sends no "
      "NAK. g3 waits for its timer: 16.8 ms.",
      false },
};

static const struct scene_switch STALL_SWITCHES[] = {
    { '1', "timeout exponent", "12 = 16.8 ms", false },
    { '2', "which packet", "last", false },
};

struct scene scene_stalled(struct scene_mem *mem)
{
    struct scene s = lesson("One lost packet");
    s.card = 6;
    s.cards = 9;
    s.minutes_left = 3;
    s.fabric = tiers(mem, 2, 2, 4);
    for (size_t i = 0; i < s.fabric.cable_count; i++) {
        cable(&s, i)->ab.held.used = cable(&s, i)->ba.held.used = 0;
        cable(&s, i)->ab.queue.used = cable(&s, i)->ba.queue.used = 0;
    }
    for (size_t i = 0; i < 8; i++) {
        node(&s, i)->state = SCENE_GPU_BARRIER;
    }
    node(&s, 2)->state = SCENE_GPU_TIMER;
    node(&s, 3)->state = SCENE_GPU_STARVED;
    put(mem, &cable(&s, 2)->ab,
        (struct scene_mark){ .kind = SCENE_MARK_DROP, .at = 700, .word = "fault" });
    static const struct scene_cut cut[] = { { 100 * US, 16800 * US } };
    struct scene_row *row = scene_mem_take(mem, 8, sizeof *row);
    for (size_t i = 0; i < 8; i++) {
        struct scene_run *r = run_of(mem, 3);
        const int64_t end = (88 + (int64_t)i % 3) * US;
        r[0] = (struct scene_run){ 0, 20 * US, SCENE_GPU_COMPUTE };
        r[1] = (struct scene_run){ 20 * US, end, SCENE_GPU_EXCHANGE };
        r[2] = (struct scene_run){ end, 16870 * US, s.fabric.node[i].state };
        row[i] = (struct scene_row){ .name = s.fabric.node[i].name, .run = r, .run_count = 3 };
        row[i].word = i == 2 ? "timer" : i == 3 ? "wants g3" : "at barrier";
    }
    static const struct scene_tick lost[] = { { 90 * US, SCENE_TICK_DROP } };
    row[2].tick = lost;
    row[2].tick_count = 1;
    s.timeline = (struct scene_timeline){
        .title = "training step 2: 6 of 8 at the barrier",
        .axis = { 0, 16870 * US, 16870 * US, cut, 1 },
        .row = row,
        .row_count = 8,
    };
    s.scrubber = (struct scene_scrubber){
        .axis = s.timeline.axis,
        .tick = lost,
        .tick_count = 1,
        .gear = "timeout",
        .rate = "skipping",
    };
    s.prose = STALL_PROSE;
    s.prose_count = 1;
    s.quiet = "Nothing moved for 16.7 ms. At the speed you watched, 2 h 19 min.";
    s.sw = STALL_SWITCHES;
    s.sw_count = 2;
    s.counts = "1 lost, 0 NAK";
    return s;
}

struct scene scene_blurred(struct scene_mem *mem)
{
    struct scene s = scene_paused(mem);
    for (size_t i = 0; i < s.fabric.cable_count; i++) {
        struct scene_cable *c = cable(&s, i);
        c->ab.blurred = c->ba.blurred = true;
        c->ab.mark_count = c->ba.mark_count = 0;
        c->ab.busy = (int)(i * 211 % 1000);
        c->ba.busy = (int)(i * 97 % 500);
    }
    put(mem, &cable(&s, 9)->ab,
        (struct scene_mark){ .kind = SCENE_MARK_DROP, .at = 1000, .word = "full", .count = 12 });
    s.scrubber.gear = "round";
    s.scrubber.rate = "20 us/s";
    return s;
}

struct scene scene_victim(struct scene_mem *mem)
{
    struct scene s = scene_paused(mem);
    s.title = "One lost packet";
    s.question = (struct scene_question){ 0 };
    struct scene_lane *out = &cable(&s, 2)->ab;
    out->state = SCENE_LANE_OPEN;
    out->mark_count = 0;
    put(mem, out, (struct scene_mark){ .at = 300, .resend = true });
    put(mem, out, (struct scene_mark){ .at = 0, .resend = true, .last = true });
    put(mem, &cable(&s, 3)->ba, (struct scene_mark){ .kind = SCENE_MARK_REFUSED, .at = 1000 });
    put(mem, &cable(&s, 3)->ab, (struct scene_mark){ .kind = SCENE_MARK_NAK, .at = 400 });
    cable(&s, 4)->ba.mark_count = 0;
    put(mem, &cable(&s, 4)->ba, (struct scene_mark){ .at = 500, .cursor = true });
    node(&s, 2)->state = SCENE_GPU_EXCHANGE;
    node(&s, 3)->state = SCENE_GPU_VAIN;
    s.follow = "packet 44 of g3: NAK 2.9 us later, resent, cost so far +4.1 us";
    return s;
}

static struct scene plain(struct scene_mem *mem, struct scene_fabric fabric)
{
    struct scene s = lesson("A fabric");
    s.fabric = fabric;
    traffic(&s, mem);
    s.timeline = two_steps(mem, 8);
    s.prose = PAUSE_PROSE;
    s.prose_count = 1;
    return s;
}

struct scene scene_star(struct scene_mem *mem, size_t gpus)
{
    return plain(mem, tiers(mem, 1, 0, gpus));
}

struct scene scene_tiers(struct scene_mem *mem, size_t leaves, size_t spines, size_t gpus)
{
    return plain(mem, tiers(mem, leaves, spines, gpus));
}

struct scene scene_pair(struct scene_mem *mem)
{
    struct fabric_builder b = builder(mem, 2, 1);
    add_node(&b, SCENE_NODE_GPU, "g1");
    add_node(&b, SCENE_NODE_GPU, "g2");
    add_cable(&b, 0, 1);
    return plain(mem, done(&b));
}

#define HOME_LESSON(year_, title_, minutes_, level_)                                               \
    {                                                                                              \
        .year = year_, .title = title_, .minutes = minutes_, .level = level_, .progress = "",      \
        .brief = ""                                                                                \
    }
#define HOME_DONE(year_, title_, minutes_, level_)                                                 \
    {                                                                                              \
        .year = year_, .title = title_, .minutes = minutes_, .level = level_, .state = SCENE_DONE, \
        .progress = "done", .brief = "done"                                                        \
    }
#define HOME_BEGUN(year_, title_, minutes_, level_)                                                \
    {                                                                                              \
        .year = year_, .title = title_, .minutes = minutes_, .level = level_,                      \
        .state = SCENE_BEGUN, .progress = "card 4 of 9", .brief = "4/9"                            \
    }

struct scene scene_home(struct scene_mem *mem, size_t gpus)
{
    static const struct scene_entry entries[] = {
        { .lead = "start here", .title = "One lost packet", .minutes = "9 min" },
        HOME_DONE("2012", "Two GPUs in one box", "6 min", "level 1"),
        HOME_LESSON("2013", "Faster wires", "7 min", "level 1"),
        HOME_LESSON("2015", "Teaching Ethernet to wait", "8 min", "level 2"),
    };
    static const struct scene_hint hints[] = { { "arrows", "choose", false, false, 0 },
                                               { "?", "keys", true, false, 0 },
                                               { "q", "quit", true, true, 0 } };
    struct scene_node *nodes = scene_mem_take(mem, gpus, sizeof *nodes);
    struct scene_lane *lanes = scene_mem_take(mem, gpus, sizeof *lanes);
    for (size_t i = 0; i < gpus; i++) {
        nodes[i] = (struct scene_node){ .name = scene_mem_textf(mem, "g%zu", i + 1),
                                        .state = SCENE_GPU_EXCHANGE };
        stream(mem, &lanes[i], (int)(i * 130 % 380));
    }
    return (struct scene){
        .screen = SCENE_HOME,
        .title = "why training networks look the way they do",
        .hint = hints,
        .hint_count = 3,
        .home = {
            .node = nodes,
            .node_count = gpus,
            .lane = lanes,
            .caption = "eight GPUs adding up what they learned. They do this thousands of times a "
                       "day.",
            .entry = entries,
            .entry_count = 4,
            .count = "1 of 3 done",
            .about = "level 1: first steps; builds on Two GPUs in one box",
        },
    };
}

/* A course that does not fit: 20 lessons, one's own, routes. */
struct scene scene_course(struct scene_mem *mem, size_t selected)
{
    static const struct scene_entry entries[] = {
        { .lead = "go on", .title = "The ring", .minutes = "card 4 of 9" },
        HOME_DONE("2012", "Two cards, one network", "6 min", "level 1"),
        HOME_DONE("2013", "Faster wires than Ethernet", "7 min", "level 1"),
        HOME_LESSON("2013", "A server in the middle", "8 min", "level 1"),
        HOME_BEGUN("2014", "The ring", "8 min", "level 1"),
        HOME_LESSON("2014", "One slow GPU, all slow", "7 min", "level 1"),
        HOME_LESSON("2014", "One lost packet", "9 min", "level 1"),
        HOME_LESSON("2014", "Nobody sends without credit", "8 min", "level 2"),
        HOME_LESSON("2014", "Many senders, one receiver", "8 min", "level 2"),
        HOME_LESSON("2015", "Teaching Ethernet to wait", "8 min", "level 2"),
        HOME_LESSON("2015", "RDMA over Converged Ethernet", "7 min", "level 2"),
        HOME_LESSON("2016", "Slowed by a stranger: victims of head-of-line blocking", "10 min",
                    "level 2"),
        HOME_LESSON("2016", "Busy and getting nowhere", "6 min", "level 2"),
        HOME_LESSON("2016", "Microsoft at scale: the deadlock", "9 min", "level 3"),
        HOME_LESSON("2017", "Marks instead of pauses", "9 min", "level 3"),
        HOME_LESSON("2018", "Inside the box", "8 min", "level 2"),
        HOME_LESSON("2020", "Eight flows, eight links, one each?", "7 min", "level 2"),
        HOME_LESSON("2021", "Spreading is not free", "8 min", "level 3"),
        HOME_LESSON("2022", "InfiniBand, and why it is fast", "8 min", "level 3"),
        HOME_LESSON("2023", "Does RDMA need a lossless network?", "9 min", "level 3"),
        HOME_LESSON("2025", "A new transport", "9 min", "level 3"),
        { .heading = "your own: Evenings of mine",
          .year = "2014",
          .title = "A late GPU",
          .minutes = "5 min",
          .level = "level 1",
          .progress = "",
          .brief = "",
          .found = "PFC" },
        { .heading = "free experiment",
          .title = "The lab: any network, any fault",
          .progress = "" },
        { .heading = "routes through the course",
          .title = "10 minutes: one lost packet",
          .progress = "2 stops",
          .brief = "2 stops" },
        { .title = "45 minutes: a class", .progress = "3 stops", .brief = "3 stops" },
    };
    struct scene s = scene_home(mem, 8);
    s.home.entry = entries;
    s.home.entry_count = sizeof entries / sizeof entries[0];
    s.home.selected = selected;
    s.home.count = "2 of 21 done";
    s.home.about = "level 2: mechanisms; builds on Teaching Ethernet to wait; new: victim flow";
    return s;
}

struct scene scene_help(struct scene_mem *mem)
{
    static const struct scene_help_line lines[] = {
        { NULL, "time" },
        { "space", "play or pause" },
        { ", .", "one tick of the gear back or on; also Left and Right" },
        { "< >", "previous or next event" },
        { "+ -", "gear" },
        { NULL, "packets" },
        { "c", "cursor: pauses and snaps to a packet" },
        { "x", "drop the packet under the cursor" },
        { "y", "why is it waiting?" },
    };
    (void)mem;
    static const struct scene_hint hints[] = { { "Esc", "back", true, true, 0 } };
    return (struct scene){
        .screen = SCENE_HELP,
        .hint = hints,
        .hint_count = 1,
        .help = { .line = lines, .line_count = sizeof lines / sizeof lines[0] },
    };
}

/* One side of a what-if: steps of `step` us, of which `stall` us are waited; up to 91 ms. */
static struct scene_timeline side_of(struct scene_mem *mem, size_t gpus, int64_t step,
                                     int64_t stall, const struct scene_axis *axis)
{
    const size_t steps = (size_t)(axis->now_ps / (step * US)) + 1;
    struct scene_row *row = scene_mem_take(mem, gpus, sizeof *row);
    int64_t *barrier = scene_mem_take(mem, steps, sizeof *barrier);
    size_t barriers = 0;
    for (size_t k = 1; k < steps; k++) {
        barrier[barriers++] = (int64_t)k * step * US;
    }
    for (size_t i = 0; i < gpus; i++) {
        struct scene_run *r = run_of(mem, 4 * steps);
        size_t n = 0;
        for (size_t k = 0; k < steps; k++) {
            const int64_t t = (int64_t)k * step * US;
            const int64_t sent = t + (step - stall) * US / 2;
            const bool timer = stall > 0 && (i + k) % 3 == 0;
            const enum scene_gpu_state waits = stall == 0 ? SCENE_GPU_PAUSED
                                               : timer    ? SCENE_GPU_TIMER
                                                          : SCENE_GPU_STARVED;
            const int64_t waited = sent + (stall > 0 ? stall : i % 4 < 2 ? step / 4 : 0) * US;
            r[n++] = (struct scene_run){ t, t + step * US / 9, SCENE_GPU_COMPUTE };
            r[n++] = (struct scene_run){ t + step * US / 9, sent, SCENE_GPU_EXCHANGE };
            r[n++] = (struct scene_run){ sent, waited, waits };
            r[n++] = (struct scene_run){ waited, t + step * US, SCENE_GPU_EXCHANGE };
        }
        row[i] = (struct scene_row){ .name = scene_mem_textf(mem, "g%zu", i + 1),
                                     .word = stall > 0 ? "on its timer" : "sends",
                                     .run = r,
                                     .run_count = n };
    }
    return (struct scene_timeline){ .axis = *axis,
                                    .row = row,
                                    .row_count = gpus,
                                    .barrier_ps = barrier,
                                    .barrier_count = barriers };
}

static const struct scene_hint WHATIF_HINTS[] = {
    { "space", "play", false, false, 0 },      { ", .", "step", false, false, 0 },
    { "[ ]", "differences", false, false, 0 }, { "Tab", "side", true, false, 0 },
    { "Enter", "keep", true, false, 0 },       { "Esc", "back", true, true, 0 },
};

static struct scene whatif(struct scene_axis axis)
{
    return (struct scene){
        .screen = SCENE_WHATIF,
        .title = "what-if at 1.00 ms, same seed, one clock",
        .scrubber = { .axis = axis, .gear = "step", .rate = "20 us/s" },
        .hint = WHATIF_HINTS,
        .hint_count = sizeof WHATIF_HINTS / sizeof WHATIF_HINTS[0],
    };
}

struct scene scene_whatif(struct scene_mem *mem)
{
    static const struct scene_metric metrics[] = {
        { "step", "8.53 ms", "91.0 ms", "10.7x longer" },
        { "GPU busy", "12 %", "1.1 %", "" },
        { "timeouts", "0", "9", "16.8 ms each" },
        { "resent", "0", "30 %", "" },
        { "lost", "0", "20,078", "" },
        { "NAK", "0", "0", NULL },
    };
    static const bool differs[8] = { true, true, true, true, false, true, true, true };
    static const struct scene_tick lost[] = { { 1042 * US, SCENE_TICK_DROP } };
    const struct scene_axis axis = { .t1_ps = 100000 * US, .now_ps = 91000 * US };
    struct scene s = whatif(axis);
    struct scene_whatif *w = &s.whatif;
    w->side[0] = (struct scene_side){ .change = "flow control PFC",
                                      .progress = "in step 11",
                                      .counts = "0 lost   63,500 PAUSE" };
    w->side[1] = (struct scene_side){ .change = "flow control none",
                                      .progress = "in step 1",
                                      .counts = "20,078 lost   9 timeouts" };
    w->side[0].timeline = side_of(mem, 8, 8530, 0, &axis);
    w->side[1].timeline = side_of(mem, 8, 18000, 16000, &axis);
    struct scene_row *third = (struct scene_row *)(uintptr_t)&w->side[1].timeline.row[2];
    third->tick = lost;
    third->tick_count = 1;
    w->side[0].fabric = scene_paused(mem).fabric;
    w->side[1].fabric = scene_stalled(mem).fabric;
    w->fork_ps = 1000 * US;
    w->first_ps = 1018 * US;
    w->difference = "at 1.02 ms leaf1 drops packet g3>g4:4711#1 (full) in B; in A it sends "
                    "XOFF to g3 at 1.04 ms";
    w->differs = differs;
    w->metric = metrics;
    w->metric_count = sizeof metrics / sizeof metrics[0];
    s.scrubber.tick = lost;
    s.scrubber.tick_count = 1;
    return s;
}

/* What a switch holds from g1, with PFC and without. */
struct scene scene_whatif_plotted(struct scene_mem *mem)
{
    enum { SPANS = 180 };
    struct scene s = scene_whatif(mem);
    struct scene_series *series = scene_mem_take(mem, SCENE_SIDES, sizeof *series);
    for (size_t i = 0; i < SCENE_SIDES; i++) {
        struct scene_span *span = scene_mem_take(mem, SPANS, sizeof *span);
        for (size_t k = 0; k < SPANS; k++) {
            const int64_t wave = (int64_t)(k * 7919 % 17) * 2000;
            const int64_t held = i == 0 ? 80000 + wave : k % 34 < 4 ? 400000 + 3 * wave : 0;
            span[k] = (struct scene_span){ .t0_ps = (int64_t)k * 500 * US,
                                           .t1_ps = (int64_t)(k + 1) * 500 * US,
                                           .low = held,
                                           .high = held,
                                           .line = { i == 0 ? 100000 : -1, -1, -1 } };
        }
        series[i] = (struct scene_series){ .kind = "held",
                                           .now = i == 0 ? "104 KB" : "0 B",
                                           .unit = UNIT_BYTES,
                                           .line_name = { "XOFF", NULL, NULL },
                                           .span = span,
                                           .span_count = SPANS };
    }
    s.whatif.plot = (struct scene_plot){ .axis = s.whatif.side[0].timeline.axis,
                                         .about = "held leaf1:1 from g1",
                                         .series = series,
                                         .series_count = SCENE_SIDES };
    return s;
}

struct scene scene_parted(struct scene_mem *mem, size_t leaves, size_t gpus)
{
    const struct scene_axis axis = { .t1_ps = 30000 * US, .now_ps = 9000 * US };
    struct scene s = whatif(axis);
    struct scene_whatif *w = &s.whatif;
    for (int i = 0; i < SCENE_SIDES; i++) {
        w->side[i] = (struct scene_side){ .change = i == 0 ? "as it is" : "g3>g4:4711#1 is lost",
                                          .progress = "in step 2",
                                          .counts = "0 lost" };
        w->side[i].timeline = side_of(mem, leaves * gpus, 8530, 0, &axis);
        w->side[i].fabric = tiers(mem, leaves, 2, gpus);
    }
    w->picked = 1;
    w->fork_ps = 8000 * US;
    w->first_ps = -1;
    w->difference = "no difference so far: on both sides the same has happened";
    return s;
}

struct scene scene_hostile(struct scene_mem *mem)
{
    struct scene s = scene_paused(mem);
    static const struct scene_prose prose[] = {
        { "# \xF0\x9F\x91\xA9\xF0\x9F\x8F\xBD\xE2\x80\x8D\xF0\x9F\x94\xAC \x1b[31m red\n\n* a\n  * "
          "b\n\n7. seven\n8. eight\n\n\xE2\x80\xAE"
          "desrever \xff\xfe\x98 "
          "averyveryveryveryveryverylongwordwithoutanyblankinitatallwhichmustbebrokensomewhere",
          false },
        { NULL, false },
        { "", true },
    };
    s.title =
        "\xF0\x9F\x87\xAF\xF0\x9F\x87\xB5 \xED\x95\x9C\xEA\xB8\x80 e\xCC\x81 title\nwith\tmore "
        "and more and more and more and more and more and more and more";
    s.prose = prose;
    s.prose_count = 3;
    node(&s, 0)->name = "\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97\xE6\xBC\xA2\xE5\xAD\x97";
    node(&s, 1)->name = NULL;
    node(&s, 8)->name = "a switch with far too long a name for its box";
    s.question.ask = NULL;
    s.status = "\x1b]0;evil\x07 status";
    return s;
}

/* ---- Plots ------------------------------------------------------------------------------------- */

/* 400 spans over 800 us; `level` says how much there is in the i-th. */
static struct scene_series series_of(struct scene_mem *mem, const char *name, const char *kind,
                                     enum unit_kind unit, int64_t (*level)(int i),
                                     const struct scene_span *lines)
{
    enum { SPANS = 400 };
    struct scene_span *span = scene_mem_take(mem, SPANS, sizeof *span);
    for (int i = 0; i < SPANS; i++) {
        span[i] = *lines;
        span[i].t0_ps = i * 2 * US;
        span[i].t1_ps = (i + 1) * 2 * US;
        span[i].low = span[i].high = level(i);
    }
    return (struct scene_series){
        .name = name, .kind = kind, .unit = unit, .span = span, .span_count = SPANS
    };
}

/* A sawtooth round 100 KB, with one spike that lasts 2 us. */
static int64_t sawtooth(int i)
{
    return i < 60 ? 0 : i == 300 ? 148000 : 90000 + 400 * (i % 40);
}

static int64_t hill(int i)
{
    return i < 60 || i > 340 ? 0 : (int64_t)(i - 60) * (340 - i) * 12;
}

static int64_t fair(int i)
{
    return i < 60 ? INT64_C(97000000000) : INT64_C(24000000000) + i % 7 * INT64_C(1000000000);
}

static int64_t unfair(int i)
{
    return i < 60 ? 0 : INT64_C(60000000000) - i * INT64_C(100000000);
}

static int64_t half_the_time(int i)
{
    return i < 60 ? 0 : UNIT_ONE / 2 + i % 2 * (UNIT_ONE / 4);
}

static struct scene_plot plot_of(struct scene_mem *mem, const struct scene_series *series,
                                 size_t count)
{
    static const struct scene_cut cut[] = { { 240 * US, 420 * US } };
    static const int64_t barrier[] = { 120 * US };
    struct scene_series *copy = scene_mem_take(mem, count, sizeof *copy);
    memcpy(copy, series, count * sizeof *copy);
    return (struct scene_plot){
        .axis = { .t0_ps = 0, .t1_ps = 900 * US, .now_ps = 800 * US, .cut = cut, .cut_count = 1 },
        .series = copy,
        .series_count = count,
        .barrier_ps = barrier,
        .barrier_count = 1,
        .note = "m chooses",
    };
}

struct scene scene_plotted(struct scene_mem *mem)
{
    static const struct scene_span held = { .line = { 100000, 91700, -1 } };
    static const struct scene_span queue = { .line = { 100000, 400000, -1 } };
    struct scene s = scene_paused(mem);
    struct scene_series series[] = {
        series_of(mem, "held leaf1:1 from g1", "held", UNIT_BYTES, sawtooth, &held),
        series_of(mem, "queue leaf1:5 to spine1", "queue", UNIT_BYTES, hill, &queue),
    };
    series[0].now = "104 KB";
    series[0].line_name[0] = "XOFF";
    series[0].line_name[1] = "XON";
    series[1].now = "0 B";
    series[1].line_name[0] = "Kmin";
    series[1].line_name[1] = "Kmax";
    s.plot = plot_of(mem, series, 2);
    return s;
}

struct scene scene_goodput(struct scene_mem *mem)
{
    static const char *const names[] = { "goodput g1>g5", "goodput g2>g5", "goodput g3>g5",
                                         "goodput g4>g5", "goodput g6>g5" };
    static const struct scene_span line = { .line = { INT64_C(100000000000), -1, -1 } };
    static const struct scene_span none = { .line = { -1, -1, -1 } };
    struct scene s = scene_paused(mem);
    struct scene_series series[6];
    for (size_t i = 0; i < 5; i++) {
        series[i] = series_of(mem, names[i], "goodput", UNIT_RATE, i == 0 ? unfair : fair, &line);
        series[i].now = "24 Gb/s";
        series[i].mean = true;
        series[i].line_name[0] = "line";
    }
    series[5] = series_of(mem, "pause g1:1 to leaf1", "pause", UNIT_SHARE, half_the_time, &none);
    series[5].now = "75 %";
    series[5].mean = true;
    s.plot = plot_of(mem, series, 6);
    return s;
}
