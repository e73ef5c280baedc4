/*
 * Training and the other workloads, piece by piece: overlap, dead hosts, who waits for whom in every
 * collective, requests, incast, permutation, big rings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fabric.h"

#define MIB        (INT64_C(1) << 20)
#define LEN(array) (sizeof(array) / sizeof *(array))

struct setting {
    const char *knob, *value;
};

static struct sim *train(int hosts, const struct sim_training_spec *spec,
                         const struct setting *settings, size_t count)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    fabric_init(&sc, "training");
    for (size_t i = 0; i < count && settings[i].knob != NULL; i++) {
        fabric_set(&sc, settings[i].knob, settings[i].value);
    }
    fabric_star(&sc, hosts, "100Gbps", NULL);
    assert_true(sim_scenario_training(&sc, spec, &err));
    return fabric_build(&sc);
}

/* ---- overlap --------------------------------------------------------------------------------- */

static sim_ps exposed(const char *overlap, sim_ps compute)
{
    const struct setting set[] = { { "overlap", overlap } };
    const struct sim_training_spec t = {
        .bytes = 8 * MIB, .bucket_bytes = MIB, .compute_ps = compute, .steps = 1
    };
    struct sim *s = train(4, &t, set, 1);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    struct sim_step step = sim_step(s, 1);
    fabric_exactly("compute, ps", step.compute, compute);
    assert_int_equal(sim_collective_count(s), 8);
    sim_ps more = step.end - step.start - step.compute;
    sim_destroy(s);
    return more;
}

static void overlap_hides_the_exchange(void **state)
{
    (void)state;
    sim_ps all = exposed("0", 4 * UNIT_MS);
    sim_ps last = exposed("1", 4 * UNIT_MS);
    sim_ps half = exposed("0.5", 4 * UNIT_MS);
    print_message("# exposed: %.1f us without overlap, %.1f us with\n", (double)all / 1e6,
                  (double)last / 1e6);
    /* compute is much longer than the exchange: only the last of eight buckets shows */
    fabric_near("one bucket of eight", (double)all / (double)last, 8, 0.05);
    fabric_exactly("half is enough, ps", half - last, 0);
    /* an exchange that takes longer than the backward pass hides only as much as that */
    sim_ps bound = exposed("1", 400 * UNIT_US);
    sim_ps first_ready = 400 * UNIT_US / 8;
    fabric_near("exposed behind a short compute phase, us", (double)bound / 1e6,
                (double)(all + first_ready - 400 * UNIT_US) / 1e6, 2);
}

static void buckets_start_when_they_are_ready(void **state)
{
    (void)state;
    static const struct setting set[] = { { "overlap", "0.5" } };
    const struct sim_training_spec t = {
        .bytes = 1000, .bucket_bytes = 300, .compute_ps = 1000 * UNIT_US, .steps = 2
    };
    struct sim *s = train(4, &t, set, 1);
    fabric_finish(s, UNIT_S);
    /* 300, 600, 900, 1000 of 1000 bytes of a backward pass from 500 to 1000 us */
    static const sim_ps at[] = { 650, 800, 950, 1000 };
    for (size_t i = 0; i < LEN(at); i++) {
        fabric_exactly("bucket begins, ps", sim_collective(s, i).start, at[i] * UNIT_US);
    }
    assert_int_equal(sim_collective_count(s), 8);
    sim_destroy(s);
}

/* ---- every collective: who waits for whom ---------------------------------------------------- */

static const struct kind {
    const char *name;
    int hosts;
    struct setting set[4];
} kinds[] = {
    { "ring", 4, { { "collective", "ring" } } },
    { "tree", 4, { { "collective", "tree" }, { "pieces", "3" } } },
    { "double tree", 5, { { "collective", "double_tree" }, { "pieces", "3" } } },
    { "halving", 4, { { "collective", "halving_doubling" } } },
    { "server", 5, { { "collective", "parameter_server" } } },
    { "two servers", 6, { { "collective", "parameter_server" }, { "servers", "2" } } },
    { "all-to-all", 4, { { "collective", "all_to_all" } } },
    { "groups", 4, { { "collective", "hierarchical" }, { "group", "2" } } },
    { "chains", 6, { { "collective", "hierarchical" }, { "group", "3" }, { "inside", "chain" } } },
    { "cleared ring", 4, { { "collective", "ring" }, { "admission", "1" } } },
    { "cleared halving", 4, { { "collective", "halving_doubling" }, { "admission", "2" } } },
};

static struct sim *of_kind(const struct kind *k)
{
    const struct sim_training_spec t = { .bytes = 64 * 1024,
                                         .compute_ps = 20 * UNIT_US,
                                         .steps = 3 };
    return train(k->hosts, &t, k->set, LEN(k->set));
}

static void audit(const struct sim *s)
{
    struct err err = { 0 };
    if (!sim_audit(s, &err)) {
        fail_msg("%s", err.msg);
    }
}

static void every_rank_does_all_its_rounds(void **state)
{
    (void)state;
    for (size_t i = 0; i < LEN(kinds); i++) {
        struct sim *s = of_kind(&kinds[i]);
        fabric_finish(s, UNIT_S);
        assert_int_equal(sim_outcome(s), SIM_DONE);
        audit(s);
        int64_t sent = 0;
        int64_t rounds = 0;
        for (uint32_t r = 0; r < sim_rank_count(s); r++) {
            struct sim_rank rank = sim_rank(s, r);
            assert_int_equal(rank.state, SIM_RANK_BARRIER);
            assert_int_equal(rank.rounds_done, rank.rounds);
            assert_true(rank.next != SIM_NONE && rank.prev != SIM_NONE);
            assert_true(rank.next != r && rank.prev != r);
            rounds += rank.rounds;
            sent += rank.rounds_sent;
        }
        bool servers = strstr(kinds[i].name, "server") != NULL;
        assert_true(rounds > 0 && (servers || sent == rounds));
        sim_destroy(s);
    }
}

/* Every state of every rank, all the time: a rank is never shown in a state it is not in, and asking
 * why never fails. */
static void states_make_sense(void **state)
{
    (void)state;
    for (size_t i = 0; i < LEN(kinds); i++) {
        struct sim *s = of_kind(&kinds[i]);
        int seen[SIM_RANK_STATE_COUNT] = { 0 };
        while (sim_outcome(s) == SIM_RUNNING && sim_run_one(s)) {
            for (uint32_t r = 0; r < sim_rank_count(s); r++) {
                struct sim_rank rank = sim_rank(s, r);
                struct sim_why chain[24];
                char text[200];
                seen[rank.state]++;
                size_t n = sim_why(s, r, chain, LEN(chain));
                assert_true(n < LEN(chain));
                assert_true(n > 0 || rank.state != SIM_RANK_COMPUTES);
                if (rank.state == SIM_RANK_WAITS) {
                    assert_true(n > 1); /* for whom, and what that one does */
                }
                for (size_t k = 0; k < n; k++) {
                    (void)sim_why_say(s, &chain[k], text, sizeof text);
                    assert_null(strchr(text, '?'));
                }
            }
        }
        print_message("# %s: computes %d, exchanges %d, waits %d, timer %d, barrier %d\n",
                      kinds[i].name, seen[SIM_RANK_COMPUTES], seen[SIM_RANK_EXCHANGES],
                      seen[SIM_RANK_WAITS], seen[SIM_RANK_TIMER], seen[SIM_RANK_BARRIER]);
        assert_true(seen[SIM_RANK_COMPUTES] > 0 && seen[SIM_RANK_EXCHANGES] > 0);
        assert_int_equal(seen[SIM_RANK_DEAD] + seen[SIM_RANK_PAUSED], 0);
        sim_destroy(s);
    }
}

/* The last packet of one flow is lost: whoever is asked, the chain ends at that flow's timer. */
static void a_lost_tail_is_found_from_everywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < LEN(kinds); i++) {
        struct sim *s = of_kind(&kinds[i]);
        uint32_t flow = sim_rank(s, 1).flow_out;
        char text[200];
        (void)snprintf(text, sizeof text, "drop %s last", sim_flow(s, flow).name);
        fabric_do(s, text);
        while (sim_counters(s).dropped == 0 || sim_next_event(s) < sim_now(s) + UNIT_MS) {
            assert_true(sim_run_one(s));
        }
        assert_true(sim_quiet(s, NULL)); /* only timers are left */
        assert_int_equal(sim_rank(s, 1).state, SIM_RANK_TIMER);
        for (uint32_t r = 0; r < sim_rank_count(s); r++) {
            struct sim_why chain[24];
            size_t n = sim_why(s, r, chain, LEN(chain));
            bool found = false;
            for (size_t k = 0; k < n; k++) {
                found = found || (chain[k].kind == SIM_WHY_TIMER && chain[k].flow == flow);
            }
            if (!found) {
                for (size_t k = 0; k < n; k++) {
                    print_message("# %s\n", sim_why_say(s, &chain[k], text, sizeof text));
                }
                fail_msg("%s: asking rank %u does not lead to %s", kinds[i].name, r,
                         sim_flow(s, flow).name);
            }
        }
        fabric_finish(s, UNIT_S);
        assert_int_equal(sim_outcome(s), SIM_DONE);
        assert_int_equal(sim_counters(s).timeouts, 1);
        sim_destroy(s);
    }
}

/* ---- slow and dead --------------------------------------------------------------------------- */

static void the_slow_one_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < LEN(kinds); i++) {
        struct sim *s = of_kind(&kinds[i]);
        fabric_do(s, "slow_gpu g2 50");
        assert_int_equal(sim_run_until(s, UNIT_S, SIM_TRACE_BIT(BARRIER)), SIM_AT_TRACE);
        (void)sim_run_until(s, sim_now(s) + 500 * UNIT_US, 0); /* 50 x 20 us: it still computes */
        for (uint32_t r = 0; r < sim_rank_count(s); r++) {
            struct sim_why chain[24];
            size_t n = sim_why(s, r, chain, LEN(chain));
            assert_true(n > 0);
            assert_int_equal(chain[n - 1].kind, SIM_WHY_COMPUTE);
            assert_int_equal(chain[n - 1].rank, 1);
        }
        fabric_finish(s, UNIT_S);
        assert_int_equal(sim_step(s, 2).compute, UNIT_MS);
        assert_int_equal(sim_outcome(s), SIM_DONE);
        sim_destroy(s);
    }
}

/* However and whenever a host dies, the run ends, says that a peer is dead, and knows which. */
static void a_dead_host_ends_the_run(void **state)
{
    (void)state;
    for (size_t i = 0; i < LEN(kinds); i++) {
        for (sim_ps at = 5; at < 60; at += 7) {
            struct sim *s = of_kind(&kinds[i]);
            (void)sim_run_until(s, at * UNIT_US, 0);
            if (sim_outcome(s) != SIM_RUNNING) {
                sim_destroy(s);
                break;
            }
            fabric_do(s, "set timeout_exponent 4");
            fabric_do(s, "kill g2");
            while (sim_run_one(s)) {
                audit(s);
            }
            (void)sim_run_until(s, 10 * UNIT_S, 0);
            assert_int_equal(sim_outcome(s), SIM_STALLED);
            assert_int_equal(sim_stall(s).reason, SIM_REASON_DEAD_PEER);
            assert_int_equal(sim_rank(s, 1).state, SIM_RANK_DEAD);
            struct sim_why chain[24];
            size_t n = sim_why(s, 1, chain, LEN(chain));
            assert_int_equal(n, 1);
            assert_int_equal(chain[0].kind, SIM_WHY_DEAD);
            sim_destroy(s);
        }
    }
}

/* A GPU that is stopped while it computes, exchanges or waits costs its step that time, once, and no more. */
static void a_stopped_gpu_costs_its_time(void **state)
{
    (void)state;
    const sim_ps stop = 300 * UNIT_US;
    for (size_t i = 0; i < LEN(kinds); i++) {
        struct sim *clean = of_kind(&kinds[i]);
        fabric_finish(clean, UNIT_S);
        for (sim_ps at = 1; at < 60; at += 11) {
            struct sim *s = of_kind(&kinds[i]);
            (void)sim_run_until(s, at * UNIT_US, 0);
            if (sim_outcome(s) != SIM_RUNNING) {
                sim_destroy(s);
                break;
            }
            const int64_t step = sim_step_now(s);
            fabric_do(s, "pause_gpu g2 200us");
            fabric_do(s, "pause_gpu g2 100us"); /* adds up */
            assert_int_equal(sim_rank(s, 1).state, SIM_RANK_DEAD);
            struct sim_why chain[24];
            assert_int_equal(sim_why(s, 1, chain, LEN(chain)), 1);
            assert_int_equal(chain[0].kind, SIM_WHY_STILL);
            while (sim_step_now(s) == step && sim_run_one(s)) {
                audit(s);
            }
            fabric_finish(s, UNIT_S);
            assert_int_equal(sim_outcome(s), SIM_DONE);
            assert_true(sim_done_at(s) <= sim_done_at(clean) + stop + 20 * UNIT_US);
            assert_true(sim_done_at(s) >= sim_done_at(clean) + stop - 60 * UNIT_US);
            assert_int_equal(sim_step(s, step).compute, sim_step(clean, step).compute);
            sim_destroy(s);
        }
        sim_destroy(clean);
    }
}

static void servers_have_no_gpu(void **state)
{
    (void)state;
    struct sim *s = of_kind(&kinds[4]);
    struct sim_cmd cmd;
    struct err err = { 0 };
    assert_int_equal(sim_rank_count(s), 4);
    assert_true(sim_cmd_parse("slow_gpu g5 2", &cmd, &err));
    assert_false(sim_apply(s, 1, &cmd, &err));
    assert_non_null(strstr(err.msg, "g5"));
    sim_destroy(s);
}

/* ---- workloads of several flows -------------------------------------------------------------- */

static void shapes_of_flows(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct err err = { 0 };
    fabric_init(&sc, "incast");
    fabric_star(&sc, 5, "100Gbps", NULL);
    assert_true(sim_work_incast(&sc, sim_scenario_find(&sc, "g2"), 4, MIB, 0, &err));
    assert_int_equal(sc.flow_count, 4);
    assert_false(sim_work_incast(&sc, sim_scenario_find(&sc, "g2"), 5, MIB, 0, &err));
    sim_scenario_finish(&sc);

    fabric_init(&sc, "permutation");
    fabric_star(&sc, 5, "100Gbps", NULL);
    assert_false(sim_work_permutation(&sc, 10, MIB, 0, &err));
    assert_true(sim_work_permutation(&sc, 2, MIB, 0, &err));
    struct sim *s = fabric_build(&sc);
    assert_true(sim_find_flow(s, "g5>g2") != SIM_NONE);
    fabric_finish(s, UNIT_S);
    for (uint32_t f = 1; f < 5; f++) { /* nobody is in anybody's way */
        assert_int_equal(sim_flow_state(s, f).acked_at, sim_flow_state(s, 0).acked_at);
    }
    sim_destroy(s);
}

static void random_flows_load_as_asked(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct err err = { 0 };
    fabric_init(&sc, "poisson");
    fabric_star(&sc, 8, "100Gbps", NULL);
    assert_true(sim_work_poisson(&sc, 2, 1024, UNIT_ONE / 4, 7, &err));
    struct sim *s = fabric_build(&sc);
    (void)sim_run_until(s, 4 * UNIT_MS, 0);
    int64_t posted = 0;
    for (uint32_t f = 0; f < sim_flow_count(s); f++) {
        posted += sim_flow_state(s, f).posted_bytes;
    }
    double load = (double)posted * 8 / 8 / (100e9 * 4e-3);
    fabric_near("load", load, 0.25, 0.005);
    sim_destroy(s);
}

static void several_messages_are_one_flow(void **state)
{
    (void)state;
    for (int gap = 0; gap < 2; gap++) {
        struct sim_scenario sc;
        fabric_init(&sc, "messages");
        fabric_star(&sc, 2, "100Gbps", NULL);
        fabric_flow(&sc, "g1", "g2", 10000, 0);
        sc.flows[0].messages = 7;
        sc.flows[0].gap_ps = gap * 50 * UNIT_US;
        struct sim *s = fabric_build(&sc);
        fabric_do(s, "drop g1>g2 last"); /* the last packet of the last message */
        fabric_finish(s, UNIT_S);
        assert_int_equal(sim_outcome(s), SIM_DONE);
        struct sim_flow_state flow = sim_flow_state(s, 0);
        fabric_exactly("bytes", flow.delivered_bytes, 70000);
        assert_int_equal(sim_counters(s).timeouts, 1);
        sim_destroy(s);
    }
}

static void requests_do_not_wait_for_each_other(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct err err = { 0 };
    const struct sim_requests_spec spec = { .count = 200,
                                            .clients = 3,
                                            .ask_bytes = 300,
                                            .answer_bytes = 20000,
                                            .gap_ps = 20 * UNIT_US,
                                            .seed = 3 };
    fabric_init(&sc, "web");
    fabric_set(&sc, "timeout_exponent", "12");
    fabric_star(&sc, 6, "10Gbps", NULL);
    assert_true(sim_work_requests(&sc, &spec, &err));
    struct sim *s = fabric_build(&sc);
    /* the last packet of one answer: that request waits for a timer, no other does */
    uint32_t victim = 2 * 50 + 1;
    char text[96];
    (void)snprintf(text, sizeof text, "drop %s last", sim_flow(s, victim).name);
    fabric_do(s, text);
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    int late = 0;
    sim_ps sum = 0;
    for (uint32_t k = 0; k < spec.count; k++) {
        struct sim_flow_state ask = sim_flow_state(s, 2 * k);
        struct sim_flow_state answer = sim_flow_state(s, 2 * k + 1);
        assert_int_equal(sim_flow(s, 2 * k).src, sim_flow(s, 2 * k + 1).dst);
        assert_int_equal(answer.start, ask.delivered_at);
        sim_ps took = answer.delivered_at - ask.start;
        late += took > 10 * UNIT_MS;
        sum += took <= 10 * UNIT_MS ? took : 0;
    }
    assert_int_equal(late, 1);
    assert_true(sim_flow_state(s, victim).delivered_at - sim_flow_state(s, victim - 1).start >
                16 * UNIT_MS);
    print_message("# the others took %.1f us on average\n", (double)sum / 199 / 1e6);
    fabric_near("a request every so often, us",
                (double)sim_flow_state(s, 2 * 199).start / 200 / 1e6, 20, 4);
    sim_destroy(s);
}

static void replies_need_a_request(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct err err = { 0 };
    fabric_init(&sc, "bad");
    fabric_star(&sc, 3, "100Gbps", NULL);
    fabric_flow(&sc, "g1", "g2", 10, 0);
    fabric_flow(&sc, "g3", "g1", 10, 0);
    sc.flows[1].replies = true;
    assert_false(sim_scenario_check(&sc, &err));
    assert_non_null(strstr(err.msg, "g1>g3"));
    sim_scenario_finish(&sc);
}

/* ---- extremes --------------------------------------------------------------------------------- */

static void time_has_an_end(void **state)
{
    (void)state;
    const struct sim_training_spec t = {
        .bytes = 1000, .bucket_bytes = 400, .compute_ps = 1000 * UNIT_S, .steps = 30
    };
    static const struct setting set[] = { { "jitter", "1000s" }, { "overlap", "0.7" } };
    struct sim *s = train(2, &t, set, 2);
    fabric_do(s, "slow_gpu g1 1000");
    (void)sim_run_until(s, SIM_NEVER - 1, 0);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_true(sim_done_at(s) >= SIM_NEVER / 2 && sim_done_at(s) < SIM_NEVER / 2 + UNIT_S);
    sim_destroy(s);
}

static void one_rank_of_every_kind(void **state)
{
    (void)state;
    for (size_t i = 0; i < LEN(kinds); i++) {
        const struct sim_training_spec t = { .bytes = 1, .compute_ps = UNIT_US, .steps = 2 };
        struct setting set[4];
        memcpy(set, kinds[i].set, sizeof set);
        set[3] = (struct setting){ "group", "1" };
        bool server = strcmp(kinds[i].name, "server") == 0;
        struct sim_scenario sc;
        struct err err = { 0 };
        fabric_init(&sc, "one");
        for (size_t k = 0; k < LEN(set); k++) {
            if (set[k].knob != NULL) {
                fabric_set(&sc, set[k].knob, set[k].value);
            }
        }
        fabric_set(&sc, "servers", "1");
        fabric_star(&sc, server || strcmp(kinds[i].name, "two servers") == 0 ? 2 : 1, "100Gbps",
                    NULL);
        assert_true(sim_scenario_training(&sc, &t, &err));
        struct sim *s = fabric_build(&sc);
        assert_int_equal(sim_rank_count(s), 1);
        fabric_finish(s, UNIT_S);
        assert_int_equal(sim_outcome(s), SIM_DONE);
        audit(s);
        sim_destroy(s);
    }
}

/* ---- large ----------------------------------------------------------------------------------- */

static void a_thousand_ranks(void **state)
{
    (void)state;
    static const struct setting rings[] = { { "mtu", "4096B" } };
    static const struct setting halves[] = { { "collective", "halving_doubling" } };
    static const struct setting trees[] = { { "collective", "double_tree" }, { "pieces", "4" } };
    const struct setting *sets[] = { rings, halves, trees };
    const struct sim_training_spec t = { .bytes = 100000, .steps = 1 };
    for (size_t i = 0; i < LEN(sets); i++) {
        struct sim *s = train(1024, &t, sets[i], i == 2 ? 2 : 1);
        assert_int_equal(sim_rank_count(s), 1024);
        if (i == 0) {
            assert_int_equal(sim_rank(s, 0).rounds, 2046);
        }
        print_message("# %s: %zu flows, state %.1f MB\n", sim_collective_name(s), sim_flow_count(s),
                      (double)sim_state_size(s) / 1e6);
        assert_true(sim_state_size(s) < 40000000);
        if (i > 0) { /* a ring has two million messages: it is a benchmark */
            fabric_finish(s, UNIT_S);
            assert_int_equal(sim_outcome(s), SIM_DONE);
            audit(s);
        }
        sim_destroy(s);
    }
}

static void too_many_queue_pairs(void **state)
{
    (void)state;
    struct sim_scenario sc;
    struct err err = { 0 };
    const struct sim_training_spec t = { .bytes = MIB, .steps = 1 };
    fabric_init(&sc, "too many");
    fabric_set(&sc, "collective", "all_to_all");
    fabric_star(&sc, 300, "100Gbps", NULL);
    assert_true(sim_scenario_training(&sc, &t, &err));
    assert_true(sim_scenario_check(&sc, &err));
    assert_null(sim_create(&sc, 1, &err));
    assert_non_null(strstr(err.msg, "queue pairs"));
    sim_scenario_finish(&sc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlap_hides_the_exchange),
        cmocka_unit_test(buckets_start_when_they_are_ready),
        cmocka_unit_test(every_rank_does_all_its_rounds),
        cmocka_unit_test(states_make_sense),
        cmocka_unit_test(a_lost_tail_is_found_from_everywhere),
        cmocka_unit_test(the_slow_one_is_found),
        cmocka_unit_test(a_dead_host_ends_the_run),
        cmocka_unit_test(a_stopped_gpu_costs_its_time),
        cmocka_unit_test(servers_have_no_gpu),
        cmocka_unit_test(shapes_of_flows),
        cmocka_unit_test(random_flows_load_as_asked),
        cmocka_unit_test(several_messages_are_one_flow),
        cmocka_unit_test(requests_do_not_wait_for_each_other),
        cmocka_unit_test(replies_need_a_request),
        cmocka_unit_test(time_has_an_end),
        cmocka_unit_test(one_rank_of_every_kind),
        cmocka_unit_test(a_thousand_ranks),
        cmocka_unit_test(too_many_queue_pairs),
    };
    return cmocka_run_group_tests_name("training", tests, NULL, NULL);
}
