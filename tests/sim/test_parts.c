/*
 * The parts of the model one by one: knobs, commands, scenarios, the event order, the queue pair,
 * PFC being switched off, faults, chains of causes, limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "fabric.h"
#include "sim/cc.h"
#include "sim/event.h"
#include "sim/qp.h"
#include "sim/switch.h"
#include "sim/transport.h"
#include "sim/world.h" /* white box: event queue and rings */

#define LEN(array) (sizeof(array) / sizeof *(array))

/* ---- knobs and commands ---------------------------------------------------------------------- */

static void every_default_is_valid(void **state)
{
    (void)state;
    struct sim_knobs knobs;
    struct err err = { 0 };
    sim_knobs_default(&knobs);
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        char text[64];
        enum sim_knob back;
        int64_t value;
        const char *name = sim_knob_info((enum sim_knob)k)->name;
        assert_true(sim_knob_check((enum sim_knob)k, knobs.v[k], &err));
        (void)sim_knob_format((enum sim_knob)k, knobs.v[k], true, text, sizeof text);
        if (!sim_knob_parse(name, text, &back, &value, &err)) {
            fail_msg("%s %s: %s", name, text, err.msg);
        }
        assert_int_equal(back, k);
        assert_int_equal(value, knobs.v[k]);
    }
    assert_true(sim_knobs_agree(&knobs, &err));
}

static void knob_errors_say_what_to_do(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *words;
    } rows[] = {
        { "xof", "1KB", "xoff" },
        { "xoff", "12", "MiB" },
        { "xoff", "0B", "from" },
        { "rank_order", "random", "mixed" },
        { "pfc", "maybe", "on or off" },
        { "timeout_exponent", "99", "31" },
        { "headroom", "unlimited", "headroom" },
        { "mtu", "auto", "mtu" },
        { "collective", "star", "hierarchical" },
        { "colective", "ring", "collective" },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        enum sim_knob knob;
        int64_t value;
        struct err err = { 0 };
        assert_false(sim_knob_parse(rows[i].name, rows[i].value, &knob, &value, &err));
        if (strstr(err.msg, rows[i].words) == NULL) {
            fail_msg("%s %s: \"%s\" does not mention %s", rows[i].name, rows[i].value, err.msg,
                     rows[i].words);
        }
    }
}

static void commands_come_back(void **state)
{
    (void)state;
    static const struct {
        const char *text, *again;
    } rows[] = {
        { "set pfc off", "set flow_control none" },
        { "set timeout_exponent 20", NULL },
        { "set headroom auto", NULL },
        { "drop g3>g4:4711#1", NULL },
        { "drop g3>g4:4711", "drop g3>g4:4711#1" },
        { "drop g3>g4 last", NULL },
        { "drop  g3>g4   packet 7 step 2 attempts 3", "drop g3>g4 packet 7 step 2 attempts 3" },
        { "drop_nth 256", NULL },
        { "drop_nth 3 g1>g2/2", NULL },
        { "drop g1>g2 resend", NULL },
        { "drop g1>g2/3 resend attempts 4", NULL },
        { "burst 5", NULL },
        { "burst 5 g1>g2", NULL },
        { "burst  5 g1>g2/2:4711", "burst 5 g1>g2/2:4711" },
        { "burst 5 g1>g2:0", "burst 5 g1>g2" },
        { "drop_ack 1 g1>g2", NULL },
        { "loss_ack 5%", "loss_ack 0.05" },
        { "loss_ack 0.25 g1>g2", NULL },
        { "hold g1 on", NULL },
        { "pause g2", NULL },
        { "kill g2", NULL },
        { "slow_gpu g3 1.5", NULL },
        { "slow_gpu g3 200%", "slow_gpu g3 2" },
        { "pause_gpu g3 100us", NULL },
        { "drop_frame leaf1:3 pause", NULL },
        { "drop_frame leaf1:3 ack 1", "drop_frame leaf1:3 ack" },
        { "drop_frame leaf1:3 cnp 4", NULL },
        { "corrupt g3>g4/2 payload", NULL },
        { "set collective double_tree", NULL },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        char text[128];
        struct sim_cmd cmd;
        struct sim_cmd twice;
        struct err err = { 0 };
        if (!sim_cmd_parse(rows[i].text, &cmd, &err)) {
            fail_msg("%s: %s", rows[i].text, err.msg);
        }
        (void)sim_cmd_format(&cmd, text, sizeof text);
        assert_string_equal(text, rows[i].again != NULL ? rows[i].again : rows[i].text);
        assert_true(sim_cmd_parse(text, &twice, &err));
        assert_memory_equal(&cmd, &twice, sizeof cmd);
    }
}

static void bad_commands_are_refused(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "",
        "fly",
        "drop",
        "drop g3",
        "drop g3>g4",
        "drop g3>g4 best",
        "drop g3>g4:x",
        "drop g3>g4:1#y",
        "drop g3>g4 packet",
        "hold g1",
        "hold g1 maybe",
        "drop_nth",
        "drop_nth -1",
        "burst",
        "burst 5 g1",
        "burst 5 g1>g2:x",
        "burst 5 g1>g2:1 2",
        "loss_ack 101%",
        "loss_ack 5",
        "drop g1>g2 resent",
        "set",
        "set xoff",
        "set xoff 12",
        "drop g3>g4:99999999999999999999",
        "pause",
        "kill",
        "kill g1 now",
        "slow_gpu g1",
        "slow_gpu g1 1001",
        "slow_gpu g1 slowly",
        "pause_gpu g1",
        "pause_gpu g1 0us",
        "pause_gpu g1 5",
        "drop_frame g1:1",
        "drop_frame g1:1 credit",
        "drop_frame g1:1 ack 0",
        "corrupt g1>g2",
        "corrupt g1>g2 fcs",
        "corrupt g1 psn",
        "drop g3>g4 last step",
        "set a b c d e f g h i j k",
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_cmd cmd;
        struct err err = { 0 };
        if (sim_cmd_parse(rows[i], &cmd, &err)) {
            fail_msg("\"%s\" was taken", rows[i]);
        }
        assert_true(err.msg[0] != '\0');
    }
}

/* ---- scenarios ------------------------------------------------------------------------------- */

static void bad_names_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = { "",
                                         "all",
                                         "self",
                                         "1g",
                                         "../x",
                                         "a\nb",
                                         "a b",
                                         "g3>4",
                                         "nil",
                                         "\xc3\xa9",
                                         "abcdefghijklmnopqrstuvwx" };
    struct sim_scenario sc;
    sim_scenario_init(&sc, "names");
    for (size_t i = 0; i < LEN(names); i++) {
        assert_false(sim_scenario_node(&sc, names[i], SIM_HOST, NULL, NULL));
    }
    assert_true(sim_scenario_node(&sc, "S1.0", SIM_HOST, NULL, NULL));
    assert_false(sim_scenario_node(&sc, "S1.0", SIM_HOST, NULL, NULL));
    assert_int_equal(sc.node_count, 1);
    sim_scenario_finish(&sc);
}

static void bad_fabrics_are_refused(void **state)
{
    (void)state;
    struct err err = { 0 };
    struct sim_scenario sc;
    struct sim_training_spec t = { .bytes = 1000, .steps = 1 };
    uint32_t a;
    uint32_t b;
    uint32_t sw;
    sim_scenario_init(&sc, "bad");
    assert_false(sim_scenario_check(&sc, &err)); /* no hosts */
    assert_true(sim_scenario_node(&sc, "a", SIM_HOST, &a, NULL));
    assert_true(sim_scenario_node(&sc, "b", SIM_HOST, &b, NULL));
    assert_true(sim_scenario_node(&sc, "sw", SIM_SWITCH, &sw, NULL));
    assert_false(sim_scenario_link(&sc, a, a, 1000000000, 0, &err)); /* to itself */
    assert_false(sim_scenario_link(&sc, a, 99, 1000000000, 0, &err));
    assert_false(sim_scenario_link(&sc, a, sw, 0, 0, &err)); /* rate 0 */
    assert_false(sim_scenario_link(&sc, a, sw, 1000000000, -1, &err));
    assert_false(sim_scenario_flow(&sc, a, a, 1, 0, &err));
    assert_false(sim_scenario_flow(&sc, a, sw, 1, 0, &err)); /* a switch is no end */
    assert_false(sim_scenario_flow(&sc, a, b, -1, 0, &err));
    assert_true(sim_scenario_training(&sc, &t, NULL));
    assert_true(sim_scenario_link(&sc, a, sw, 1000000000, 0, &err));
    assert_false(sim_scenario_check(&sc, &err)); /* b has no cable */
    assert_non_null(strstr(err.msg, "b has no link"));
    assert_true(sim_scenario_link(&sc, b, sw, 1000000000, 0, &err));
    assert_true(sim_scenario_check(&sc, &err));
    sc.knobs.v[SIM_KNOB_XON] = sc.knobs.v[SIM_KNOB_XOFF] + 1;
    assert_false(sim_scenario_check(&sc, &err));
    assert_non_null(strstr(err.msg, "xon"));
    sim_scenario_finish(&sc);
}

static void islands_are_refused(void **state)
{
    (void)state;
    struct err err = { 0 };
    struct sim_scenario sc;
    uint32_t n[4];
    sim_scenario_init(&sc, "islands");
    for (int i = 0; i < 4; i++) {
        const char name[2] = { (char)('a' + i), '\0' };
        assert_true(sim_scenario_node(&sc, name, SIM_HOST, &n[i], NULL));
    }
    assert_true(sim_scenario_link(&sc, n[0], n[1], 1000000000, 0, NULL));
    assert_true(sim_scenario_link(&sc, n[2], n[3], 1000000000, 0, NULL));
    assert_true(sim_scenario_flow(&sc, n[0], n[1], 5, 0, NULL));
    assert_true(sim_scenario_check(&sc, &err));
    assert_true(sim_scenario_flow(&sc, n[0], n[3], 5, 0, NULL));
    assert_false(sim_scenario_check(&sc, &err));
    assert_non_null(strstr(err.msg, "no way from a to d"));
    sim_scenario_finish(&sc);
}

/* ---- events ---------------------------------------------------------------------------------- */

static struct sim *star_of(int hosts, int64_t bytes)
{
    struct sim_scenario sc;
    fabric_init(&sc, "star");
    fabric_star(&sc, hosts, "100Gbps", NULL);
    fabric_flow(&sc, "g1", "g2", bytes, 0);
    return fabric_build(&sc);
}

static void events_leave_in_order(void **state)
{
    (void)state;
    struct sim *s = star_of(4, 0);
    while (s->w->event_count > 0) {
        (void)sim_event_pop(s);
    }
    enum { N = 60 };
    for (int i = 0; i < N; i++) { /* three times, four classes, ports in a scrambled order */
        sim_event_push(s, 10 * (i % 3), (enum sim_class)(i % 4), (uint32_t)(i * 5 % 8),
                       SIM_EV_ARRIVE, (uint32_t)i);
    }
    struct sim_event last = sim_event_pop(s);
    for (int i = 1; i < N; i++) {
        struct sim_event e = sim_event_pop(s);
        assert_true(e.t > last.t ||
                    (e.t == last.t && sim_event_class(&e) >= sim_event_class(&last)));
        last = e;
    }
    assert_int_equal(s->w->event_count, 0);
    sim_destroy(s);
}

/* Near and far, many at once, pushed while others are taken: the wheel and the heap are one queue. */
static void events_near_and_far(void **state)
{
    (void)state;
    struct sim *s = star_of(4, 0);
    while (s->w->event_count > 0) {
        (void)sim_event_pop(s);
    }
    uint64_t luck = 1;
    struct sim_event last = { 0 };
    enum { N = 4000 };
    for (int pushed = 0, taken = 0; taken < N;) {
        luck = rng_mix(luck);
        for (uint64_t n = luck % 40; n > 0 && pushed < N && s->w->event_count < 200; n--) {
            luck = rng_mix(luck);
            pushed++;
            const unsigned shift[] = { 0, 8, 16, 20, 24, 40 }; /* picoseconds to seconds */
            sim_ps ahead = (sim_ps)(luck >> 20 & ((UINT64_C(1) << shift[luck % 6]) - 1));
            sim_event_push(s, s->w->now + ahead, (enum sim_class)(luck >> 8 & 3),
                           (uint32_t)(luck >> 10 & 7), (enum sim_event_kind)(pushed % 20),
                           (uint32_t)(luck >> 13 & 7));
        }
        sim_event_turn(s);
        for (uint64_t n = luck >> 32 & 31; n > 0 && s->w->event_count > 0; n--, taken++) {
            struct sim_event e = sim_event_pop(s);
            /* what was pushed since may come before the last one of the same instant */
            assert_true(e.t >= last.t);
            s->w->now = e.t;
            last = e;
            sim_event_turn(s);
            assert_true(sim_event_check(s));
        }
    }
    assert_int_equal(s->w->event_count, 0);
    sim_destroy(s);
}

/* Who goes first at the same time must not depend on who was declared first. */
static void ties_are_fair(void **state)
{
    (void)state;
    struct sim *s = star_of(4, 0);
    while (s->w->event_count > 0) {
        (void)sim_event_pop(s);
    }
    int first[2] = { 0, 0 };
    for (sim_ps t = 1; t <= 2000; t++) {
        sim_event_push(s, t, SIM_CLASS_ARRIVAL, 0, SIM_EV_ARRIVE, 0);
        sim_event_push(s, t, SIM_CLASS_ARRIVAL, 1, SIM_EV_ARRIVE, 0);
        struct sim_event e = sim_event_pop(s);
        first[sim_event_component(&e)]++;
        (void)sim_event_pop(s);
    }
    print_message("# first: %d and %d of 2000\n", first[0], first[1]);
    assert_in_range(first[0], 900, 1100);
    sim_destroy(s);
}

static void timers_move(void **state)
{
    (void)state;
    struct sim *s = star_of(2, 0);
    while (s->w->event_count > 0) {
        (void)sim_event_pop(s);
    }
    struct sim_timer t = { SIM_NEVER, SIM_NEVER };
    sim_timer_set(s, &t, 100, SIM_CLASS_TIMER, 0, SIM_EV_ACK_TIMER, 0);
    for (sim_ps later = 101; later <= 200; later++) { /* a hundred restarts, one event */
        sim_timer_set(s, &t, later, SIM_CLASS_TIMER, 0, SIM_EV_ACK_TIMER, 0);
    }
    assert_int_equal(s->w->event_count, 1);
    s->w->now = sim_event_pop(s).t;
    assert_false(sim_timer_due(s, &t, SIM_CLASS_TIMER, 0, SIM_EV_ACK_TIMER, 0));
    s->w->now = sim_event_pop(s).t;
    assert_int_equal(s->w->now, 200);
    assert_true(sim_timer_due(s, &t, SIM_CLASS_TIMER, 0, SIM_EV_ACK_TIMER, 0));
    assert_int_equal(t.deadline, SIM_NEVER);
    sim_destroy(s);
}

/* ---- queue pair ------------------------------------------------------------------------------ */

static void attempts_are_counted(void **state)
{
    (void)state;
    struct sim *s = star_of(2, 64 * 1024);
    struct err err = { 0 };
    fabric_do(s,
              "drop g1>g2:10 attempts 3"); /* the packet, its resend, the one after the timeout */
    fabric_finish(s, 10 * UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    struct sim_counters c = sim_counters(s);
    assert_int_equal(c.dropped, 3);
    assert_int_equal(c.naks, 1); /* exactly one until the missing packet arrives */
    assert_int_equal(c.timeouts, 2);
    const struct sim_record *marks;
    size_t n = sim_trace_marks(s, &marks);
    uint32_t attempt = 1;
    for (size_t i = 0; i < n; i++) {
        if (marks[i].kind == SIM_TRACE_DROP) {
            assert_int_equal(marks[i].psn, 10);
            assert_int_equal(marks[i].attempt, attempt++);
        }
    }
    assert_int_equal(attempt, 4);
    assert_true(sim_audit(s, &err));
    sim_destroy(s);
}

static void a_dead_path_ends_in_an_error(void **state)
{
    (void)state;
    struct sim *s = star_of(2, 64 * 1024);
    fabric_do(s, "drop_nth 1");
    while (sim_run_until(s, 10 * UNIT_S, 0) == SIM_AT_TIME && sim_now(s) < 10 * UNIT_S) {
    }
    assert_int_equal(sim_outcome(s), SIM_STALLED);
    assert_int_equal(sim_stall(s).reason, SIM_REASON_RETRY_LIMIT);
    /* (retry + 1) timeouts after the last progress, model 4.1 */
    sim_ps silence = 8 * sim_timeout_ps(s);
    assert_in_range(sim_now(s), silence, silence + 100 * UNIT_US);
    sim_destroy(s);
}

/* ACKs coarser than the flow: the end is always acknowledged. */
static void the_last_packet_is_acknowledged(void **state)
{
    (void)state;
    static const int packets[] = { 1, 2, 15, 16, 17, 32, 33 };
    static const char *const every[] = { "0", "1", "16", "1000" };
    for (size_t i = 0; i < LEN(packets); i++) {
        for (size_t k = 0; k < LEN(every); k++) {
            struct sim_scenario sc;
            fabric_init(&sc, "acks");
            fabric_set(&sc, "ack_every", every[k]);
            fabric_star(&sc, 2, "100Gbps", NULL);
            fabric_flow(&sc, "g1", "g2", packets[i] * 1024, 0);
            struct sim *s = fabric_build(&sc);
            fabric_finish(s, UNIT_MS);
            assert_int_equal(sim_outcome(s), SIM_DONE);
            assert_int_equal(sim_flow_state(s, 0).timer, SIM_NEVER);
            assert_int_equal(sim_counters(s).delivered, packets[i]);
            sim_destroy(s);
        }
    }
}

static void psns_never_lap(void **state)
{
    (void)state;
    struct sim *s = star_of(2, INT64_C(1) << 40);
    uint32_t port = sim_node(s, sim_find_node(s, "g1")).first_port;
    (void)sim_run_until(s, UNIT_US, 0);
    s->qps[0].next = s->qps[0].una + SIM_PSN_WINDOW - 2; /* as after a very long silence */
    assert_int_not_equal(sim_qp_pull(s, port, SIM_PRIO_DATA), SIM_NONE);
    assert_int_equal(sim_qp_pull(s, port, SIM_PRIO_DATA), SIM_NONE);
    sim_destroy(s);
}

static void an_empty_flow_is_complete(void **state)
{
    (void)state;
    struct sim *s = star_of(2, 0);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_int_equal(sim_done_at(s), 0);
    sim_destroy(s);
}

static void flows_share_a_port(void **state)
{
    (void)state;
    struct sim_scenario sc;
    fabric_init(&sc, "share");
    fabric_star(&sc, 3, "100Gbps", NULL);
    fabric_flow(&sc, "g1", "g2", 1 << 20, 0);
    fabric_flow(&sc, "g1", "g3", 1 << 20, 0);
    fabric_flow(&sc, "g1", "g2", 1 << 20, 0); /* a second queue pair between the same two */
    struct sim *s = fabric_build(&sc);
    assert_string_equal(sim_flow(s, 2).name, "g1>g2/2");
    (void)sim_run_until(s, 200 * UNIT_US, 0);
    int64_t bytes = sim_flow_state(s, 0).delivered_bytes;
    for (uint32_t f = 1; f < 3; f++) { /* one packet a turn; who began first may be two ahead */
        int64_t off = sim_flow_state(s, f).delivered_bytes - bytes;
        assert_true(off >= -2048 && off <= 2048);
    }
    sim_destroy(s);
}

/* ---- PFC ------------------------------------------------------------------------------------- */

static void pfc_switched_off_clears_pauses(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct err err = { 0 };
    fabric_init(&sc, "off");
    fabric_set(&sc, "queue_cap", "200KB");
    fabric_star(&sc, 5, "100Gbps", "500ns");
    for (int i = 1; i <= 4; i++) {
        char src[8];
        (void)snprintf(src, sizeof src, "g%d", i);
        fabric_flow(&sc, src, "g5", 1 << 22, 0);
    }
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, 40 * UNIT_US, 0);
    assert_true(sim_counters(s).paused > 0);
    assert_int_equal(sim_counters(s).dropped, 0);
    fabric_do(s, "set pfc off");
    for (uint32_t p = 0; p < sim_port_count(s); p++) {
        assert_false(sim_port_queue(s, p).paused);
        assert_false(sim_port_held(s, p).pausing);
    }
    sim_ps paused = sim_counters(s).paused;
    (void)sim_run_until(s, 80 * UNIT_US, 0);
    assert_int_equal(sim_counters(s).paused, paused); /* frames on their way are void */
    assert_true(sim_counters(s).dropped_by[SIM_REASON_FULL] > 0);
    fabric_do(s, "set pfc on");
    (void)sim_run_until(s, 200 * UNIT_US, 0);
    assert_true(sim_counters(s).paused > paused);
    assert_true(sim_audit(s, &err));
    sim_destroy(s);
}

static void headroom_follows_the_formula(void **state)
{
    (void)state;
    /* model 2.5: 2M + (W + T_r(64) + 2d + T_resp) / tau; T_resp: the bounds of IEEE 802.3 annex 31B, by
     * rate, that of the next higher rate in between */
    static const struct {
        const char *rate;
        int64_t bytes_a_us, quanta;
    } rows[] = {
        { "1Gbps", 125, 60 },       { "10Gbps", 1250, 60 },    { "25Gbps", 3125, 80 },
        { "32Gbps", 4000, 118 },    { "40Gbps", 5000, 118 },   { "50Gbps", 6250, 147 },
        { "100Gbps", 12500, 394 },  { "200Gbps", 25000, 453 }, { "400Gbps", 50000, 905 },
        { "800Gbps", 100000, 905 },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_scenario sc;
        fabric_init(&sc, "headroom");
        fabric_set(&sc, "mtu", "4096B");
        fabric_set(&sc, "headroom", "auto");
        fabric_set(&sc, "pfc_response", "auto");
        fabric_star(&sc, 2, rows[i].rate, "500ns");
        fabric_flow(&sc, "g1", "g2", 1, 0);
        struct sim *s = fabric_build(&sc);
        const int64_t want = 2 * 4158 + 4178 + 72 + rows[i].bytes_a_us + rows[i].quanta * 64;
        print_message("# %s\n", rows[i].rate);
        assert_int_equal(sim_port_held(s, sim_find_port(s, "sw:1")).headroom_limit, want);
        sim_destroy(s);
    }
}

/* An automatic XON lies two full frames below XOFF, which may move, and never below nothing. */
static void xon_follows_xoff(void **state)
{
    (void)state;
    static const struct {
        const char *xoff, *xon, *offset;
        int64_t want;
    } rows[] = {
        { "100000B", "auto", "auto", 100000 - 2 * 1086 },
        { "100000B", "auto", "5000B", 95000 },
        { "100000B", "20000B", "5000B", 20000 },
        { "2000B", "auto", "auto", 0 },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_scenario sc;
        fabric_init(&sc, "xon");
        fabric_set(&sc, "xoff", rows[i].xoff);
        fabric_set(&sc, "xon", rows[i].xon);
        fabric_set(&sc, "xon_offset", rows[i].offset);
        fabric_star(&sc, 2, "100Gbps", NULL);
        fabric_flow(&sc, "g1", "g2", 1, 0);
        struct sim *s = fabric_build(&sc);
        assert_int_equal(sim_port_held(s, sim_find_port(s, "sw:1")).xon, rows[i].want);
        sim_destroy(s);
    }
}

/* Without PFC a queue may take `queue_alpha` of what is free: q = a (B - q), so a B / (1 + a); never
 * more than `queue_cap`. */
static void tail_drop_follows_what_is_free(void **state)
{
    (void)state;
    static const struct {
        const char *alpha, *cap;
        int64_t want;
    } rows[] = {
        { "1", "unlimited", 500000 },
        { "0.5", "unlimited", 333333 },
        { "1", "400000B", 400000 },
        { "auto", "300000B", 300000 },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_scenario sc;
        fabric_init(&sc, "tail");
        fabric_set(&sc, "flow_control", "none");
        fabric_set(&sc, "buffer", "1000000B");
        fabric_set(&sc, "queue_alpha", rows[i].alpha);
        fabric_set(&sc, "queue_cap", rows[i].cap);
        fabric_star(&sc, 4, "100Gbps", NULL);
        fabric_flow(&sc, "g1", "g4", 1 << 20, 0);
        fabric_flow(&sc, "g2", "g4", 1 << 20, 0);
        struct sim *s = fabric_build(&sc);
        (void)sim_run_until(s, 90 * UNIT_US, 0);
        const int64_t most = sim_port_queue(s, sim_find_port(s, "sw:4")).max_bytes;
        assert_in_range(most, rows[i].want - 2 * 1086, rows[i].want);
        assert_true(sim_counters(s).dropped_by[SIM_REASON_FULL] > 0);
        sim_destroy(s);
    }
}

/* Model 2.6: nothing up to Kmin, Pmax at Kmax, all above. */
static void marks_follow_the_queue(void **state)
{
    (void)state;
    static const struct {
        int64_t kmin, kmax, queue, permille;
    } rows[] = {
        { 40000, 200000, 0, 0 },          { 40000, 200000, 40000, 0 },
        { 40000, 200000, 80000, 50 },     { 40000, 200000, 120000, 100 },
        { 40000, 200000, 200000, 200 },   { 40000, 200000, 200001, 1000 },
        { 40000, 40000, 40000, 0 },       { 40000, 40000, 40001, 1000 },
        { 0, INT64_C(1) << 40, 1, 0 },    { 0, INT64_C(1) << 40, INT64_C(1) << 40, 200 },
        { 0, 1000, INT64_MAX / 2, 1000 },
    };
    struct sim_knobs knobs;
    sim_knobs_default(&knobs);
    for (size_t i = 0; i < LEN(rows); i++) {
        knobs.v[SIM_KNOB_KMIN] = rows[i].kmin;
        knobs.v[SIM_KNOB_KMAX] = rows[i].kmax;
        const uint64_t share = sim_ecn_share(&knobs, rows[i].queue);
        assert_int_equal((share * 1000 + UNIT_ONE / 2) >> 32, rows[i].permille);
    }
}

/* The refresh keeps a pause alive for as long as it is needed. */
static void a_pause_is_refreshed(void **state)
{
    (void)state;
    struct sim *s = star_of(2, 1 << 24);
    fabric_do(s, "hold g2 on");
    (void)sim_run_until(s, 5 * UNIT_MS, 0);
    struct sim_counters c = sim_counters(s);
    assert_int_equal(c.dropped, 0);
    assert_in_range(c.xoff_frames, 5000 / 168, 5000 / 167 + 2); /* every half of 335.5 us */
    assert_true(sim_port_queue(s, sim_find_port(s, "g1:1")).paused);
    fabric_do(s, "hold g2 off");
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    sim_destroy(s);
}

/* ---- training, faults, why ------------------------------------------------------------------- */

static struct sim *small_ring(const char *knob, const char *value)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    struct sim_shape_tier shape = { .leaves = 2,
                                    .spines = 2,
                                    .hosts_per_leaf = 4,
                                    .rate_bps = INT64_C(100000000000),
                                    .delay_ps = 500 * UNIT_NS };
    struct sim_training_spec t = { .bytes = 256 << 10, .compute_ps = 20 * UNIT_US, .steps = 3 };
    sim_scenario_init(&sc, "small");
    assert_true(sim_shape_leaf_spine(&sc, &shape, &err));
    assert_true(sim_scenario_training(&sc, &t, &err));
    if (knob != NULL) {
        fabric_set(&sc, knob, value);
    }
    return fabric_build(&sc);
}

static sim_ps step_time(const struct sim *s, int64_t step)
{
    return sim_step(s, step).end - sim_step(s, step).start;
}

/* Every packet of the second step, one run each: nearly all cost microseconds, the last of each
 * GPU's last message costs a timeout (model section 5, "What one dropped packet costs"). */
static void eight_packets_cost_a_timeout(void **state)
{
    (void)state;
    int cheap = 0;
    int dear = 0;
    for (uint32_t rank = 0; rank < 8; rank++) {
        for (int k = 1; k <= 112; k++) {
            struct sim *s = small_ring(NULL, NULL);
            char text[64];
            (void)snprintf(text, sizeof text, "drop %s packet %d step 2",
                           sim_flow(s, sim_rank(s, rank).flow_out).name, k);
            fabric_do(s, text);
            fabric_finish(s, UNIT_S);
            sim_ps extra = step_time(s, 2) - step_time(s, 1);
            assert_int_equal(sim_counters(s).dropped, 1);
            assert_int_equal(step_time(s, 3), step_time(s, 1));
            if (k == 112) {
                assert_in_range(extra, sim_timeout_ps(s) * 99 / 100, sim_timeout_ps(s) * 101 / 100);
                dear++;
            } else {
                assert_in_range(extra, 0, 20 * UNIT_US);
                cheap++;
            }
            sim_destroy(s);
        }
    }
    print_message("# %d packets cost microseconds, %d a timeout\n", cheap, dear);
    assert_int_equal(cheap, 888);
    assert_int_equal(dear, 8);
}

static void mixed_order_crosses_the_spines(void **state)
{
    (void)state;
    struct sim *s = small_ring("rank_order", "mixed");
    static const char *const ring[] = { "g1", "g5", "g2", "g6", "g3", "g7", "g4", "g8" };
    uint32_t r = 0;
    for (size_t i = 0; i < LEN(ring); i++) {
        assert_string_equal(sim_node(s, sim_rank_node(s, r)).name, ring[i]);
        r = sim_rank(s, r).next;
    }
    assert_int_equal(r, 0);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    sim_destroy(s);
}

static void the_order_changes_with_the_next_step(void **state)
{
    (void)state;
    struct sim *s = small_ring(NULL, NULL);
    (void)sim_run_until(s, 10 * UNIT_US, 0);
    fabric_do(s, "set rank_order mixed");
    assert_int_equal(sim_rank(s, 0).next, 1); /* still as cabled */
    assert_int_equal(sim_run_until(s, UNIT_S, SIM_TRACE_BIT(BARRIER)), SIM_AT_TRACE);
    assert_int_equal(sim_rank(s, 0).next, 4);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_true(step_time(s, 2) > step_time(s, 1));
    sim_destroy(s);
}

static void why_closes_the_circle(void **state)
{
    (void)state;
    struct sim *s = small_ring(NULL, NULL);
    fabric_do(s, "drop g3>g4 last");
    (void)sim_run_until(s, 5 * UNIT_MS, 0); /* in the middle of the silence */
    assert_true(sim_quiet(s, NULL));
    assert_int_equal(sim_rank(s, 2).state, SIM_RANK_TIMER);
    assert_int_equal(sim_rank(s, 3).state, SIM_RANK_WAITS);
    assert_int_equal(sim_rank(s, 0).state, SIM_RANK_BARRIER);
    struct sim_why chain[16];
    size_t n = sim_why(s, 0, chain, LEN(chain));
    static const enum sim_why_kind want[] = { SIM_WHY_BARRIER, SIM_WHY_NEEDS, SIM_WHY_LOST,
                                              SIM_WHY_TIMER, SIM_WHY_NEXT_STEP };
    assert_int_equal(n, LEN(want));
    for (size_t i = 0; i < n; i++) {
        char text[200];
        print_message("# %s\n", sim_why_say(s, &chain[i], text, sizeof text));
        assert_int_equal(chain[i].kind, want[i]);
    }
    assert_int_equal(chain[0].other, 3);
    assert_int_equal(chain[3].until, sim_flow_state(s, sim_find_flow(s, "g3>g4")).timer);
    sim_destroy(s);
}

static void a_lost_resend_stops_the_ring(void **state)
{
    (void)state;
    struct sim *s = small_ring(NULL, NULL);
    fabric_do(s, "drop g3>g4 packet 30 attempts 2");
    (void)sim_run_until(s, 5 * UNIT_MS, 0);
    struct sim_why chain[16];
    size_t n = sim_why(s, 3, chain, LEN(chain));
    assert_true(n >= 3);
    assert_int_equal(chain[1].kind, SIM_WHY_GAP);
    assert_int_equal(chain[1].psn, 29);
    assert_int_equal(chain[2].kind, SIM_WHY_TIMER);
    assert_true(sim_counters(s).refused > 1);
    sim_destroy(s);
}

static void a_packet_under_way_is_destroyed_at_once(void **state)
{
    (void)state;
    struct sim *s = small_ring(NULL, NULL);
    (void)sim_run_until(s, 21 * UNIT_US, 0);
    struct sim_frame frames[8];
    uint32_t port = sim_find_port(s, "g3:1");
    assert_true(sim_port_wire(s, port, frames, LEN(frames)) > 0);
    char text[96] = "drop ";
    (void)sim_packet_name(s, frames[0].flow, frames[0].psn, frames[0].attempt, text + 5,
                          sizeof text - 5);
    fabric_do(s, text);
    assert_int_equal(sim_counters(s).dropped, 1);
    assert_true(sim_port_wire(s, port, frames, LEN(frames)) > 0); /* its bits go on */
    assert_true((frames[0].flags & SIM_FRAME_LOST) != 0);
    struct sim_cmd cmd;
    struct err err = { 0 };
    assert_true(sim_cmd_parse(text, &cmd, &err));
    assert_false(sim_apply(s, sim_now(s) + 1, &cmd, &err)); /* it cannot be lost twice */
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    sim_destroy(s);
}

static void one_rank_needs_no_rounds(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct err err = { 0 };
    struct sim_training_spec t = { .bytes = 1000, .compute_ps = UNIT_US, .steps = 4 };
    fabric_init(&sc, "one");
    fabric_star(&sc, 1, "100Gbps", NULL);
    assert_true(sim_scenario_training(&sc, &t, &err));
    struct sim *s = fabric_build(&sc);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_int_equal(sim_done_at(s), 4 * UNIT_US);
    sim_destroy(s);
}

/* ---- limits and readers ---------------------------------------------------------------------- */

static void memory_ends_a_run(void **state)
{
    (void)state;
    struct sim_scenario sc;
    fabric_init(&sc, "memory");
    fabric_set(&sc, "memory", "1048576B");
    fabric_set(&sc, "flow_control", "none");
    fabric_star(&sc, 33, "100Gbps", NULL);
    for (int i = 1; i <= 32; i++) {
        char src[8];
        (void)snprintf(src, sizeof src, "g%d", i);
        fabric_flow(&sc, src, "g33", INT64_C(1) << 32, 0);
    }
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, UNIT_S, 0);
    assert_int_equal(sim_outcome(s), SIM_MEMORY_LIMIT);
    sim_destroy(s);
}

static void sentences_have_no_holes(void **state)
{
    (void)state;
    struct sim *s = small_ring("rank_order", "mixed");
    uint64_t cursor = 0;
    struct sim_record rec;
    size_t seen = 0;
    sim_trace_listen(s, UINT32_MAX);
    fabric_do(s, "drop g1>g5 middle attempts 2");
    fabric_do(s, "set xoff 20KB");
    while (sim_run_until(s, UNIT_S, UINT32_MAX) == SIM_AT_TRACE) {
        while (sim_trace_read(s, &cursor, &rec, 1) == 1) {
            char text[256];
            (void)sim_trace_say(s, &rec, text, sizeof text);
            if (strpbrk(text, "{}?") != NULL) {
                fail_msg("%s: \"%s\"", sim_trace_info((enum sim_trace_kind)rec.kind)->name, text);
            }
            seen++;
        }
    }
    assert_int_equal(seen, sim_trace_seq(s));
    cursor = 0;
    assert_int_equal(sim_trace_read_fine(s, &cursor, &rec, 1), 1);
    sim_destroy(s);
}

static void listening_changes_nothing(void **state)
{
    (void)state;
    struct sim *deaf = small_ring("rank_order", "mixed");
    struct sim *curious = small_ring("rank_order", "mixed");
    sim_trace_listen(curious, UINT32_MAX);
    (void)sim_run_until(deaf, UNIT_MS, 0);
    (void)sim_run_until(curious, UNIT_MS, 0);
    assert_true(sim_state_hash(deaf) == sim_state_hash(curious));
    assert_true(sim_trace_hash(deaf) == sim_trace_hash(curious));
    sim_destroy(deaf);
    sim_destroy(curious);
}

/* The golden identity of a run: a change of this number is a change of the model. */
static void the_hash_is_known(void **state)
{
    (void)state;
    struct sim *s = small_ring(NULL, NULL);
    fabric_do(s, "drop g3>g4 last step 2");
    fabric_finish(s, UNIT_S);
    print_message("# trace hash 0x%016llx, %llu records\n", (unsigned long long)sim_trace_hash(s),
                  (unsigned long long)sim_trace_seq(s));
    assert_true(sim_trace_hash(s) == UINT64_C(0x39ca36f75f87e110));
    sim_destroy(s);
}

/* A CNP for flow 0 arrives at this moment. */
static void warn(struct sim *s)
{
    sim_arena_reserve(s);
    const uint32_t cnp = sim_packet_alloc(s);
    s->packets[cnp].kind = SIM_FRAME_CNP;
    s->packets[cnp].flow = 0;
    s->qps[0].in_flight++;
    sim_cc_cnp(s, cnp);
}

/* With a cut time of 50 us: warned at 1 us, cut at 51; warned twice in between, cut at 101, once. */
static void a_cut_waits_for_its_time(void **state)
{
    (void)state;
    static const char *const clamps[] = { "on", "off" };
    static const int64_t targets[] = { 20, 40 }; /* Gb/s after the second cut */
    for (int i = 0; i < 2; i++) {
        struct sim_scenario sc;
        fabric_init(&sc, "cut");
        fabric_set(&sc, "cc", "dcqcn");
        fabric_set(&sc, "dcqcn_cut_time", "50us");
        fabric_set(&sc, "dcqcn_alpha_time", "1s");
        fabric_set(&sc, "dcqcn_timer", "1s");
        fabric_set(&sc, "dcqcn_clamp", clamps[i]);
        fabric_star(&sc, 2, "40Gbps", NULL);
        fabric_flow(&sc, "g1", "g2", 1 << 20, 0);
        struct sim *s = fabric_build(&sc);
        const struct sim_cc *cc = &s->qps[0].cc;
        (void)sim_run_until(s, UNIT_US, 0);
        warn(s);
        fabric_exactly("at once", cc->rate, INT64_C(40000000000));
        (void)sim_run_until(s, 51 * UNIT_US, 0);
        fabric_exactly("first cut", cc->rate, INT64_C(20000000000));
        warn(s);
        (void)sim_run_until(s, 70 * UNIT_US, 0);
        warn(s);
        (void)sim_run_until(s, 101 * UNIT_US - 1, 0);
        fabric_exactly("just before", cc->rate, INT64_C(20000000000));
        (void)sim_run_until(s, 101 * UNIT_US, 0);
        cc = &s->qps[0].cc;
        fabric_exactly("second cut", cc->rate, INT64_C(10000000000));
        fabric_exactly("target", cc->target, targets[i] * INT64_C(1000000000));
        (void)sim_run_until(s, 160 * UNIT_US, 0);
        fabric_exactly("no third", s->qps[0].cc.rate, INT64_C(10000000000));
        sim_destroy(s);
    }
}

/* The byte counter: F halvings, then AI, and HAI once both counters are beyond F; a cut starts anew. */
static void bytes_raise_the_rate(void **state)
{
    (void)state;
    static const struct {
        uint32_t timer_stage;
        int64_t rate_kbps;
    } rows[] = {
        { 0, 15000000 }, { 0, 17500000 }, { 0, 18770000 }, { 3, 19505000 }, { 5, 20172500 }
    };
    struct sim_scenario sc;
    fabric_init(&sc, "bytes");
    fabric_set(&sc, "cc", "dcqcn");
    fabric_set(&sc, "dcqcn_alpha_time", "1s");
    fabric_set(&sc, "dcqcn_timer", "1s");
    fabric_set(&sc, "dcqcn_bytes", "1000000B");
    fabric_set(&sc, "dcqcn_f", "2");
    fabric_star(&sc, 2, "40Gbps", NULL);
    fabric_flow(&sc, "g1", "g2", 1, 0);
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, 100 * UNIT_US, 0);
    warn(s);
    warn(s); /* 10 Gb/s, on the way to 20 */
    struct sim_cc *cc = &s->qps[0].cc;
    for (size_t i = 0; i < LEN(rows); i++) {
        const int64_t before = cc->rate;
        cc->timer_stage = rows[i].timer_stage;
        sim_cc_sent(s, 0, 999999);
        fabric_exactly("a byte short", cc->rate, before);
        sim_cc_sent(s, 0, 1);
        fabric_exactly("all", cc->rate, rows[i].rate_kbps * 1000);
    }
    sim_cc_sent(s, 0, 500000);
    warn(s);
    cc = &s->qps[0].cc;
    cc->timer_stage = 0;
    sim_cc_sent(s, 0, 999999);
    fabric_exactly("the count begins anew", cc->rate, INT64_C(10086250000));
    sim_cc_sent(s, 0, 1);
    fabric_exactly("and the halvings", cc->rate, (INT64_C(20172500000) + 10086250000) / 2);
    assert_int_equal(cc->byte_stage, 1);
    sim_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cut_waits_for_its_time),
        cmocka_unit_test(bytes_raise_the_rate),
        cmocka_unit_test(every_default_is_valid),
        cmocka_unit_test(knob_errors_say_what_to_do),
        cmocka_unit_test(commands_come_back),
        cmocka_unit_test(bad_commands_are_refused),
        cmocka_unit_test(bad_names_are_refused),
        cmocka_unit_test(bad_fabrics_are_refused),
        cmocka_unit_test(islands_are_refused),
        cmocka_unit_test(events_leave_in_order),
        cmocka_unit_test(events_near_and_far),
        cmocka_unit_test(ties_are_fair),
        cmocka_unit_test(timers_move),
        cmocka_unit_test(attempts_are_counted),
        cmocka_unit_test(a_dead_path_ends_in_an_error),
        cmocka_unit_test(the_last_packet_is_acknowledged),
        cmocka_unit_test(psns_never_lap),
        cmocka_unit_test(an_empty_flow_is_complete),
        cmocka_unit_test(flows_share_a_port),
        cmocka_unit_test(pfc_switched_off_clears_pauses),
        cmocka_unit_test(headroom_follows_the_formula),
        cmocka_unit_test(xon_follows_xoff),
        cmocka_unit_test(tail_drop_follows_what_is_free),
        cmocka_unit_test(marks_follow_the_queue),
        cmocka_unit_test(a_pause_is_refreshed),
        cmocka_unit_test(eight_packets_cost_a_timeout),
        cmocka_unit_test(mixed_order_crosses_the_spines),
        cmocka_unit_test(the_order_changes_with_the_next_step),
        cmocka_unit_test(why_closes_the_circle),
        cmocka_unit_test(a_lost_resend_stops_the_ring),
        cmocka_unit_test(a_packet_under_way_is_destroyed_at_once),
        cmocka_unit_test(one_rank_needs_no_rounds),
        cmocka_unit_test(memory_ends_a_run),
        cmocka_unit_test(sentences_have_no_holes),
        cmocka_unit_test(listening_changes_nothing),
        cmocka_unit_test(the_hash_is_known),
    };
    return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
