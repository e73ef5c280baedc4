/*
 * Extremes: nothing and far too much, of everything a scenario can ask for. Whatever is asked: it is
 * refused when it is loaded, it runs, or the run ends and says why. Arithmetic never overflows (the
 * sanitizers watch), the books balance, and no pool grows beyond the knob `memory`.
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
#include "sim/world.h"

#define LEN(array) (sizeof(array) / sizeof *(array))
#define GBPS       INT64_C(1000000000)

static const char *const transports[] = { "go_back_n", "go_back_0", "selective", "tcp" };
static const char *const controls[] = { "none", "pfc", "credits" };
static const char *const collectives[] = {
    "ring",       "tree",        "double_tree", "halving_doubling", "parameter_server",
    "all_to_all", "hierarchical"
};

static void audit(const struct sim *s, const char *what)
{
    struct err err = { 0 };
    if (!sim_audit(s, &err)) {
        fail_msg("%s, at %lld ps: %s", what, (long long)sim_now(s), err.msg);
    }
}

static struct sim_scenario start(const char *transport, const char *control)
{
    struct sim_scenario sc;
    fabric_init(&sc, transport);
    fabric_set(&sc, "transport", transport);
    fabric_set(&sc, "flow_control", control);
    return sc;
}

/* ---- rate and delay -------------------------------------------------------------------------- */

static void a_link_has_limits(void **state)
{
    (void)state;
    static const struct {
        int64_t rate;
        sim_ps delay;
        const char *said;
    } rows[] = {
        { 0, 0, "rate" },
        { -1, 0, "rate" },
        { 999999, 0, "rate" },
        { 10000 * GBPS + 1, 0, "rate" },
        { INT64_MAX, 0, "rate" },
        { INT64_MIN, 0, "link g1 - sw" }, /* what the knob calls auto */
        { GBPS, -1, "delay" },
        { GBPS, 10 * UNIT_S + 1, "delay" },
        { GBPS, INT64_MAX, "delay" },
        { GBPS, INT64_MIN, "link g1 - sw" },
    };
    struct sim_scenario sc;
    fabric_init(&sc, "link");
    fabric_star(&sc, 2, "1Gbps", NULL);
    uint32_t host = sim_scenario_find(&sc, "g1");
    uint32_t sw = sim_scenario_find(&sc, "sw");
    for (size_t i = 0; i < LEN(rows); i++) {
        struct err err = { 0 };
        assert_false(sim_scenario_link(&sc, host, sw, rows[i].rate, rows[i].delay, &err));
        if (strstr(err.msg, rows[i].said) == NULL) {
            fail_msg("row %zu says \"%s\"", i, err.msg);
        }
    }
    sim_scenario_finish(&sc);
}

/* Without any delay, at the slowest and the fastest rate: what a slot lasts is all the time there is. */
static void slots_alone(void **state)
{
    (void)state;
    static const struct {
        const char *rate;
        int64_t ps_per_5_bytes;
    } rates[] = { { "1Mbps", 40000000 }, { "10000Gbps", 4 } };
    for (size_t i = 0; i < LEN(rates); i++) {
        for (size_t t = 0; t < LEN(transports); t++) {
            for (size_t c = 0; c < LEN(controls); c++) {
                struct sim_scenario sc = start(transports[t], controls[c]);
                fabric_set(&sc, "switch_latency", "0ns");
                fabric_set(&sc, "mss", "1024B");
                fabric_set(&sc, "rto_low", "1000s"); /* a slot lasts longer than the default */
                fabric_set(&sc, "rto_high", "1000s");
                fabric_set(&sc, "rto_initial", "60s");
                fabric_set(&sc, "timeout_exponent", "31");
                fabric_set(&sc, "cred_min", "0ns");
                fabric_star(&sc, 2, rates[i].rate, "0ns");
                fabric_flow(&sc, "g1", "g2", 8 * 1024, 0);
                struct sim *s = fabric_build(&sc);
                fabric_finish(s, 3000 * UNIT_S);
                assert_int_equal(sim_outcome(s), SIM_DONE);
                /* seven slots, then the last frame on two cables; credit packets and roundings may
                 * come in between */
                bool tcp = strcmp(transports[t], "tcp") == 0;
                sim_ps bytes = 7 * (tcp ? 1102 : 1106) + 2 * (tcp ? 1090 : 1094);
                sim_ps least = bytes * rates[i].ps_per_5_bytes / 5;
                sim_ps took = sim_flow_state(s, 0).delivered_at;
                assert_in_range(took, least - 16, least + 16 * 8 * rates[i].ps_per_5_bytes);
                audit(s, transports[t]);
                sim_destroy(s);
            }
        }
    }
}

/* A cable of ten seconds in the middle of a fabric of nanoseconds. */
static struct sim *far_apart(const char *transport, const char *control, bool patient)
{
    struct sim_scenario sc = start(transport, control);
    struct err err = { 0 };
    static const char *const names[] = { "g1", "g2", "g3", "g4" };
    uint32_t sw[2];
    fabric_set(&sc, "headroom", "auto");
    fabric_set(&sc, "tcp_retries", "1000");
    if (patient) {
        fabric_set(&sc, "timeout_exponent", "31");
        fabric_set(&sc, "rto_low", "1000s");
        fabric_set(&sc, "rto_high", "1000s");
    }
    bool ok = sim_scenario_node(&sc, "s1", SIM_SWITCH, &sw[0], &err) &&
              sim_scenario_node(&sc, "s2", SIM_SWITCH, &sw[1], &err) &&
              sim_scenario_link(&sc, sw[0], sw[1], 400 * GBPS, 10 * UNIT_S, &err);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t host;
        ok = ok && sim_scenario_node(&sc, names[i], SIM_HOST, &host, &err) &&
             sim_scenario_link(&sc, host, sw[i % 2], 400 * GBPS, i, &err);
    }
    assert_true(ok);
    fabric_flow(&sc, "g1", "g2", 300 * 1024, 0);
    fabric_flow(&sc, "g1", "g3", 20 * 1024, 0);
    return fabric_build(&sc);
}

static void ten_seconds_among_nanoseconds(void **state)
{
    (void)state;
    for (size_t t = 0; t < LEN(transports); t++) {
        for (size_t c = 0; c < LEN(controls); c++) {
            struct sim *s = far_apart(transports[t], controls[c], true);
            fabric_finish(s, 10000 * UNIT_S);
            assert_int_equal(sim_outcome(s), SIM_DONE);
            assert_true(sim_flow_state(s, 0).acked_at >= 20 * UNIT_S);
            assert_true(sim_flow_state(s, 1).acked_at < UNIT_MS); /* it stays near */
            audit(s, transports[t]);
            sim_destroy(s);
        }
    }
    /* A timer that is shorter than the way: a hardware transport gives up, and says so. */
    struct sim *s = far_apart("go_back_n", "pfc", false);
    fabric_finish(s, 100 * UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_STALLED);
    assert_int_equal(sim_stall(s).reason, SIM_REASON_RETRY_LIMIT);
    audit(s, "impatient");
    sim_destroy(s);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static void nothing_to_send(void **state)
{
    (void)state;
    for (size_t t = 0; t < LEN(transports); t++) {
        struct sim_scenario sc = start(transports[t], "pfc");
        fabric_star(&sc, 2, "100Gbps", NULL);
        fabric_flow(&sc, "g1", "g2", 0, 7);
        fabric_flow(&sc, "g2", "g1", 0, 8);
        fabric_flow(&sc, "g1", "g2", 0, 0); /* a question without a word, three times, */
        sc.flows[2].messages = 3;
        sc.flows[2].gap_ps = 1;
        fabric_flow(&sc, "g2", "g1", 0, 0); /* and such an answer */
        sc.flows[3].replies = true;
        struct sim *s = fabric_build(&sc);
        fabric_finish(s, UNIT_S);
        assert_int_equal(sim_outcome(s), SIM_DONE);
        assert_int_equal(sim_flow_state(s, 0).acked_at, 7);
        assert_int_equal(sim_flow_state(s, 1).acked_at, 8);
        assert_int_equal(sim_flow_state(s, 3).delivered_bytes, 0);
        assert_int_equal(sim_counters(s).delivered, 6); /* a message is a packet at least */
        audit(s, transports[t]);
        sim_destroy(s);
    }
}

/* As much as there can be: a moment of it. */
static void four_tebibytes(void **state)
{
    (void)state;
    for (size_t t = 0; t < LEN(transports); t++) {
        for (size_t c = 0; c < LEN(controls); c++) {
            struct sim_scenario sc = start(transports[t], controls[c]);
            struct err err = { 0 };
            fabric_set(&sc, "mtu", "64B");
            fabric_set(&sc, "mss", "64B");
            fabric_star(&sc, 3, "100Gbps", NULL);
            fabric_flow(&sc, "g1", "g3", SIM_MESSAGE_MAX, 0);
            fabric_flow(&sc, "g2", "g3", SIM_MESSAGE_MAX, 0);
            assert_false(sim_scenario_flow(&sc, 1, 2, SIM_MESSAGE_MAX + 1, 0, &err));
            assert_non_null(strstr(err.msg, "4 TiB"));
            sc.blocks = 1000000;
            struct sim *s = fabric_build(&sc);
            (void)sim_run_until(s, 20 * UNIT_US, 0);
            assert_int_equal(sim_outcome(s), SIM_RUNNING);
            assert_int_equal(sim_flow_state(s, 0).end, SIM_MESSAGE_MAX / 64);
            assert_true(sim_flow_state(s, 0).delivered_bytes > 10000);
            audit(s, transports[t]);
            sim_destroy(s);
        }
    }
    for (size_t k = 0; k < LEN(collectives); k++) {
        const struct sim_training_spec spec = { .bytes = SIM_MESSAGE_MAX, .steps = 100000 };
        struct sim_scenario sc = start("go_back_n", "pfc");
        struct err err = { 0 };
        fabric_set(&sc, "collective", collectives[k]);
        fabric_set(&sc, "group", "4");
        fabric_star(&sc, strcmp(collectives[k], "parameter_server") == 0 ? 9 : 8, "100Gbps", NULL);
        assert_true(sim_scenario_training(&sc, &spec, &err));
        struct sim *s = fabric_build(&sc);
        (void)sim_run_until(s, 20 * UNIT_US, 0);
        assert_int_equal(sim_outcome(s), SIM_RUNNING);
        assert_true(sim_counters(s).delivered > 100);
        audit(s, collectives[k]);
        sim_destroy(s);
    }
}

/* What a flow posts in all must fit a counter, until the end of time. */
static void too_much_to_count(void **state)
{
    (void)state;
    static const struct {
        int64_t bytes;
        uint32_t messages;
        sim_ps gap;
        bool good;
    } rows[] = {
        { SIM_MESSAGE_MAX, 1 << 19, 1, true },
        { SIM_MESSAGE_MAX, UINT32_MAX, 1, false },
        { SIM_MESSAGE_MAX, 0, 1000 * UNIT_S, true },
        { SIM_MESSAGE_MAX, 0, UNIT_US, false },
        { 1, 0, 1, false },
        { 0, 0, 1, true },
        { 1, 0, SIM_LONGEST, true },
        { 1, 0, SIM_LONGEST + 1, false },
        { 1, 0, -1, false },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_scenario sc = start("go_back_n", "pfc");
        struct err err = { 0 };
        fabric_star(&sc, 2, "100Gbps", NULL);
        fabric_flow(&sc, "g1", "g2", rows[i].bytes, 0);
        sc.flows[0].messages = rows[i].messages;
        sc.flows[0].gap_ps = rows[i].gap;
        if (sim_scenario_check(&sc, &err) != rows[i].good) {
            fail_msg("row %zu: \"%s\"", i, err.msg);
        }
        sim_scenario_finish(&sc);
    }
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* 1,024 ranks: every collective begins, or there are more queue pairs than there may be. */
static void a_thousand_ranks_begin(void **state)
{
    (void)state;
    for (size_t k = 0; k < LEN(collectives); k++) {
        const struct sim_training_spec spec = { .bytes = 1000000, .steps = 2 };
        struct sim_scenario sc = start(transports[k % 2], "pfc");
        struct err err = { 0 };
        fabric_set(&sc, "collective", collectives[k]);
        fabric_set(&sc, "inside", "chain");
        fabric_star(&sc, strcmp(collectives[k], "parameter_server") == 0 ? 1025 : 1024, "100Gbps",
                    NULL);
        assert_true(sim_scenario_training(&sc, &spec, &err));
        struct sim *s = sim_create(&sc, 1, &err);
        sim_scenario_finish(&sc);
        if (strcmp(collectives[k], "all_to_all") == 0) {
            assert_null(s);
            assert_non_null(strstr(err.msg, "queue pairs"));
            continue;
        }
        assert_int_equal(sim_rank_count(s), 1024);
        (void)sim_run_events(s, 20000, UNIT_S, 0);
        assert_int_equal(sim_outcome(s), SIM_RUNNING);
        audit(s, collectives[k]);
        sim_destroy(s);
    }
}

/* ---- time ------------------------------------------------------------------------------------ */

/* A run goes to the end of time and no further, whoever asks. */
static void time_has_an_end(void **state)
{
    (void)state;
    struct sim_scenario sc = start("go_back_n", "credits");
    struct sim_cmd cmd;
    struct err err = { 0 };
    fabric_star(&sc, 3, "100Gbps", NULL);
    fabric_flow(&sc, "g1", "g2", 1024, SIM_LONGEST); /* now and then, for ever */
    sc.flows[0].gap_ps = SIM_LONGEST;
    sc.flows[0].poisson = true;
    assert_false(sim_scenario_flow(&sc, 1, 2, 1, SIM_LONGEST + 1, &err));
    assert_true(sim_cmd_parse("hold g1 on", &cmd, &err));
    assert_false(sim_scenario_fault(&sc, SIM_LONGEST + 1, &cmd, &err));
    struct sim *s = fabric_build(&sc);
    assert_int_equal(sim_run_until(s, SIM_NEVER, 0), SIM_AT_END);
    assert_true(sim_now(s) <= SIM_END);
    assert_int_equal(sim_run_until(s, SIM_END, 0), SIM_AT_TIME);
    assert_int_equal(sim_run_until(s, SIM_NEVER - 1, 0), SIM_AT_END);
    assert_int_equal(sim_now(s), SIM_END);
    assert_int_equal(sim_outcome(s), SIM_RUNNING);
    assert_false(sim_apply(s, SIM_END + 1, &cmd, &err));
    assert_non_null(strstr(err.msg, "80 days"));
    audit(s, "the end");
    sim_destroy(s);
}

/* Ports that wait for days add up to more than a time can hold: the sum stops there. */
static void waits_add_up(void **state)
{
    (void)state;
    struct sim_scenario sc = start("go_back_n", "credits");
    fabric_star(&sc, 2, "100Gbps", NULL);
    fabric_flow(&sc, "g1", "g2", 1 << 20, 0);
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "slow g2 0");
    (void)sim_run_until(s, 500 * UNIT_US, 0);
    for (uint32_t p = 0; p < s->config->port_count; p++) {
        s->lanes[p].starved_total = SIM_END; /* as if it had waited for long before */
        s->ports[p].paused_total = SIM_END;
    }
    assert_true(sim_port_credit(s, sim_find_port(s, "g1:1"), SIM_PRIO_DATA).starved);
    assert_int_equal(sim_counters(s).starved, SIM_NEVER - 1);
    assert_int_equal(sim_counters(s).paused, SIM_NEVER - 1);
    s->lanes[sim_find_port(s, "g1:1")].starved_total = SIM_NEVER - 1;
    fabric_do(s, "set flow_control none"); /* it waits no longer: the time is added */
    assert_int_equal(sim_counters(s).starved, SIM_NEVER - 1);
    sim_destroy(s);
}

/* ---- counters -------------------------------------------------------------------------------- */

/* As if `base` packets of a flow and `blocks` of every lane had gone before. */
static void long_since(struct sim *s, uint64_t base, uint64_t blocks)
{
    for (uint32_t f = 0; f < s->config->flow_count; f++) {
        struct sim_qp *qp = &s->qps[f];
        qp->una = qp->next = qp->end = qp->expected = base;
        if (s->config->scenario.knobs.v[SIM_KNOB_TRANSPORT] == SIM_TCP) {
            s->tcp[f].high = base;
        }
    }
    for (uint32_t p = 0; p < s->config->port_count; p++) {
        for (uint32_t vl = 0; vl < SIM_PRIO_COUNT; vl++) {
            struct sim_vl *lane = &s->lanes[p].vl[vl];
            lane->sent += blocks;
            lane->limit += blocks;
            lane->received += blocks;
            lane->promised += blocks;
        }
    }
    s->w->serial = UINT32_MAX - 5;
}

/* Counters pass 2^24 and 2^32, where those of a wire begin again, with packets lost on the way. */
static void counters_pass_the_edges(void **state)
{
    (void)state;
    static const uint64_t edges[] = { UINT64_C(1) << 24, UINT64_C(1) << 32, UINT64_C(1) << 40 };
    for (size_t t = 0; t < LEN(transports); t++) {
        for (size_t i = 0; i < LEN(edges); i++) {
            struct sim_scenario sc = start(transports[t], i == 0 ? "pfc" : "credits");
            fabric_set(&sc, "vl_buffer", "9000B");
            fabric_set(&sc, "cut_through", i == 2 ? "on" : "off");
            fabric_set(&sc, "timeout_exponent", "4");
            fabric_set(&sc, "retry_limit", "1000");
            fabric_set(&sc, "rto_min", "100us");
            fabric_star(&sc, 3, "100Gbps", NULL);
            fabric_flow(&sc, "g1", "g3", 300 * 1024, 0);
            fabric_flow(&sc, "g2", "g3", 300 * 1024, 0);
            struct sim *s = fabric_build(&sc);
            long_since(s, edges[i] - 100, edges[i] - 900);
            fabric_do(s, "drop_nth 23");
            fabric_finish(s, 20 * UNIT_MS);
            audit(s, transports[t]);
            if (strcmp(transports[t], "go_back_0") != 0) { /* that one never gets to the end */
                assert_int_equal(sim_outcome(s), SIM_DONE);
                assert_int_equal(sim_flow_state(s, 0).delivered_bytes, 300 * 1024);
                assert_true(sim_flow_state(s, 0).una > edges[i]);
            }
            assert_true(sim_counters(s).dropped > 10);
            sim_destroy(s);
        }
    }
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* More arrives than can leave, for ever: the run ends at its limit. */
static void pools_end_at_the_limit(void **state)
{
    (void)state;
    for (size_t t = 0; t < LEN(transports); t++) {
        struct sim_scenario sc = start(transports[t], "pfc");
        const int64_t most = 8 << 20;
        fabric_set(&sc, "memory", "8388608B");
        fabric_star(&sc, 2, "1Mbps", NULL);
        fabric_flow(&sc, "g1", "g2", 1, 0);
        sc.flows[0].gap_ps = 30;
        struct sim *s = fabric_build(&sc);
        (void)sim_run_until(s, UNIT_S, 0);
        assert_int_equal(sim_outcome(s), SIM_MEMORY_LIMIT);
        assert_true((int64_t)s->arena_size <= most);
        audit(s, transports[t]);
        sim_destroy(s);
    }
}

/* What does not even fit at the start is refused. */
static void memory_at_the_start(void **state)
{
    (void)state;
    struct sim_scenario sc = start("tcp", "none");
    struct err err = { 0 };
    fabric_set(&sc, "memory", "1048576B");
    fabric_star(&sc, 300, "100Gbps", NULL);
    for (uint32_t i = 1; i < 300; i++) {
        assert_true(sim_scenario_flow(&sc, i, i + 1, 1, 0, &err));
    }
    assert_true(sim_scenario_check(&sc, &err));
    assert_null(sim_create(&sc, 1, &err));
    assert_non_null(strstr(err.msg, "before anything moves"));
    sim_scenario_finish(&sc);
}

/* ---- everything at once ---------------------------------------------------------------------- */

struct dice {
    uint64_t seed, count;
};

static uint64_t roll(struct dice *d, uint64_t n)
{
    return rng_mix3(d->seed, 1, d->count++) % n;
}

/* Its smallest value, its largest, what it has by default, auto or no limit at all. */
static int64_t extreme(const struct sim_knob_info *info, struct dice *d)
{
    switch (roll(d, 6)) {
    case 0:
        return info->min;
    case 1:
        return info->max;
    case 2:
        return (info->allow & SIM_MAY_UNLIMITED) != 0 ? SIM_UNLIMITED : info->max;
    case 3:
        return (info->allow & SIM_MAY_AUTO) != 0 ? SIM_AUTO : info->min;
    default:
        return info->def;
    }
}

static void wild_work(struct sim_scenario *sc, struct dice *d)
{
    static const int64_t sizes[] = { 0, 1, 1000, SIM_MESSAGE_MAX };
    static const sim_ps gaps[] = { 0, 0, 1, UNIT_US, SIM_LONGEST };
    static const uint32_t counts[] = { 0, 1, 2, UINT32_MAX };
    struct err err = { 0 };
    if (roll(d, 3) == 0) {
        struct sim_training_spec spec = { .bytes = 1 + sizes[roll(d, 4)] % SIM_MESSAGE_MAX,
                                          .compute_ps = roll(d, 2) == 0 ? 0 : 1000 * UNIT_S,
                                          .steps = roll(d, 2) == 0 ? 1 : 100000 };
        assert_true(sim_scenario_training(sc, &spec, &err));
        return;
    }
    sc->blocks = roll(d, 2) == 0 ? 0 : 1000000;
    for (int i = 0; i < 4; i++) {
        uint32_t src = 1 + (uint32_t)roll(d, 4);
        uint32_t dst = 1 + (uint32_t)((src + roll(d, 3)) % 4);
        if (src != dst && sim_scenario_flow(sc, src, dst, sizes[roll(d, 4)], 0, &err)) {
            struct sim_flow_spec *flow = &sc->flows[sc->flow_count - 1];
            flow->gap_ps = gaps[roll(d, 5)];
            flow->messages = counts[roll(d, 4)];
            flow->poisson = roll(d, 2) == 0;
            flow->prio = roll(d, 3) == 0 ? (uint32_t)roll(d, 8) : SIM_PRIO_DATA;
        }
    }
}

static bool wild_scenario(struct sim_scenario *sc, uint64_t seed)
{
    static const char *const rates[] = { "1Mbps", "100Gbps", "400Gbps", "10000Gbps" };
    static const char *const delays[] = { "0ns", "25ns", "10s" };
    struct dice d = { .seed = seed };
    sim_scenario_init(sc, "wild");
    fabric_star(sc, 4, rates[roll(&d, 4)], delays[roll(&d, 3)]);
    wild_work(sc, &d);
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const int64_t before = sc->knobs.v[k];
        sc->knobs.v[k] = extreme(sim_knob_info((enum sim_knob)k), &d);
        if (!sim_scenario_check(sc, NULL)) {
            sc->knobs.v[k] = before; /* it does not fit the others */
        }
    }
    sc->knobs.v[SIM_KNOB_MEMORY] = 64 << 20; /* a machine has others to serve */
    return sim_scenario_check(sc, NULL);
}

/* How many, from the command line. */
static unsigned wild_ones = 300;

/* Knobs at the ends of their ranges, all at once. */
static void wild(void **state)
{
    (void)state;
    int ran = 0;
    int outcome[8] = { 0 };
    for (uint64_t seed = 1; seed <= wild_ones; seed++) {
        struct sim_scenario sc;
        char what[32];
        (void)snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
        struct sim *s = wild_scenario(&sc, seed) ? sim_create(&sc, seed, NULL) : NULL;
        sim_scenario_finish(&sc);
        if (s == NULL) {
            continue;
        }
        ran++;
        for (int part = 0; part < 4; part++) {
            (void)sim_run_events(s, 1000, SIM_NEVER - 1, 0);
            audit(s, what);
            (void)sim_counters(s);
        }
        assert_true(sim_now(s) <= SIM_END);
        assert_true((int64_t)s->arena_size <= 64 << 20);
        outcome[sim_outcome(s)]++;
        sim_destroy(s);
    }
    print_message("# %d of %u ran: %d done, %d stalled, %d out of memory\n", ran, wild_ones,
                  outcome[SIM_DONE], outcome[SIM_STALLED], outcome[SIM_MEMORY_LIMIT]);
    assert_true(2 * (unsigned)ran > wild_ones);
}

int main(int argc, char **argv)
{
    wild_ones = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : wild_ones;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_link_has_limits),
        cmocka_unit_test(slots_alone),
        cmocka_unit_test(ten_seconds_among_nanoseconds),
        cmocka_unit_test(nothing_to_send),
        cmocka_unit_test(four_tebibytes),
        cmocka_unit_test(too_much_to_count),
        cmocka_unit_test(a_thousand_ranks_begin),
        cmocka_unit_test(time_has_an_end),
        cmocka_unit_test(waits_add_up),
        cmocka_unit_test(counters_pass_the_edges),
        cmocka_unit_test(pools_end_at_the_limit),
        cmocka_unit_test(memory_at_the_start),
        cmocka_unit_test(wild),
    };
    return cmocka_run_group_tests_name("sim/extremes", tests, NULL, NULL);
}
