/*
 * Fairness and sense. Who was declared first must not matter: the same fabric, nodes, links and flows
 * declared in another order, gives every flow the same fate to the picosecond. Equal senders get equal
 * shares. And a run without faults is never slower, by more than a slot a hop, than one with them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "random_fabric.h"

enum { HOSTS = 7 };

static const char *const names[HOSTS] = { "anna", "ben", "carl", "dora", "emil", "frida", "gus" };

/* A star; `order` says who is declared when. Everybody sends to gus. */
static struct sim *star(const int *order, int64_t flow_control, uint64_t seed)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    uint32_t sw;
    sim_scenario_init(&sc, "order");
    sc.knobs.v[SIM_KNOB_FLOW_CONTROL] = flow_control;
    sc.knobs.v[SIM_KNOB_QUEUE_CAP] = 60000;
    sc.knobs.v[SIM_KNOB_XOFF] = 30000;
    sc.knobs.v[SIM_KNOB_MTU] = 1024;
    sc.knobs.v[SIM_KNOB_TIMEOUT_EXPONENT] = 6;
    sc.knobs.v[SIM_KNOB_RETRY_LIMIT] = 1000;
    assert_true(sim_scenario_node(&sc, "sw", SIM_SWITCH, &sw, &err));
    for (int i = 0; i < HOSTS; i++) {
        uint32_t host;
        assert_true(sim_scenario_node(&sc, names[order[i]], SIM_HOST, &host, &err));
        assert_true(sim_scenario_link(&sc, host, sw, INT64_C(100000000000), 100 * UNIT_NS, &err));
    }
    for (int i = 0; i < HOSTS; i++) {
        if (order[i] != HOSTS - 1) {
            assert_true(sim_scenario_flow(&sc, sim_scenario_find(&sc, names[order[i]]),
                                          sim_scenario_find(&sc, "gus"), 400000, 0, &err));
        }
    }
    assert_true(sim_scenario_check(&sc, &err));
    struct sim *s = sim_create(&sc, seed, &err);
    sim_scenario_finish(&sc);
    return s;
}

static void shuffle(int *order, struct dice *dice)
{
    for (int i = 0; i < HOSTS; i++) {
        order[i] = i;
    }
    for (int i = HOSTS - 1; i > 0; i--) {
        int j = (int)dice_roll(dice, i + 1);
        int swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

static struct sim_flow_state state_of(const struct sim *s, const char *src)
{
    char name[32];
    (void)snprintf(name, sizeof name, "%s>gus", src);
    return sim_flow_state(s, sim_find_flow(s, name));
}

static void declaration_order_does_not_matter(void **state)
{
    (void)state;
    static const int as_listed[HOSTS] = { 0, 1, 2, 3, 4, 5, 6 };
    static const int64_t controls[] = { SIM_FC_PFC, SIM_FC_NONE };
    struct dice dice = { .seed = 42 };
    for (uint64_t seed = 1; seed <= 20; seed++) {
        int order[HOSTS];
        shuffle(order, &dice);
        for (size_t k = 0; k < 2; k++) {
            struct sim *a = star(as_listed, controls[k], seed);
            struct sim *b = star(order, controls[k], seed);
            (void)sim_run_until(a, 5 * UNIT_MS, 0);
            (void)sim_run_until(b, 5 * UNIT_MS, 0);
            for (int i = 0; i < HOSTS - 1; i++) {
                struct sim_flow_state x = state_of(a, names[i]);
                struct sim_flow_state y = state_of(b, names[i]);
                if (x.delivered_at != y.delivered_at || x.sent != y.sent ||
                    x.dropped != y.dropped) {
                    fail_msg("seed %llu, %s: %lld and %lld ps, %llu and %llu sent",
                             (unsigned long long)seed, names[i], (long long)x.delivered_at,
                             (long long)y.delivered_at, (unsigned long long)x.sent,
                             (unsigned long long)y.sent);
                }
            }
            sim_destroy(a);
            sim_destroy(b);
        }
    }
}

static void equal_senders_get_equal_shares(void **state)
{
    (void)state;
    static const int as_listed[HOSTS] = { 0, 1, 2, 3, 4, 5, 6 };
    struct sim *s = star(as_listed, SIM_FC_PFC, 1);
    (void)sim_run_until(s, 150 * UNIT_US, 0); /* in the middle: the bottleneck never idles */
    int64_t least = INT64_MAX;
    int64_t most = 0;
    for (int i = 0; i < HOSTS - 1; i++) {
        int64_t bytes = state_of(s, names[i]).delivered_bytes;
        least = bytes < least ? bytes : least;
        most = bytes > most ? bytes : most;
    }
    print_message("# from %lld to %lld bytes each\n", (long long)least, (long long)most);
    /* one burst between XON and XOFF may be on one's side */
    assert_true(most - least <= 30000);
    sim_destroy(s);
}

/* ---- faults ---------------------------------------------------------------------------------- */

enum { FAULTS = 3 };

/* Single faults can mask each other: go-back-N sends what an earlier gap made it refuse again anyway,
 * and a ring has slack. So it is all of them or none. */
struct faults {
    char text[FAULTS][64];
};

/* One flow of 100 packets through a switch, or a ring of four. */
static sim_ps time_with(bool ring, const struct faults *faults, sim_ps *slack)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    struct sim_training_spec t = { .bytes = 100 << 10, .steps = 2 };
    sim_scenario_init(&sc, "faults");
    sc.knobs.v[SIM_KNOB_MTU] = 1024;
    sc.knobs.v[SIM_KNOB_TIMEOUT_EXPONENT] = 6;
    assert_true(sim_shape_star(&sc, ring ? 4 : 2, INT64_C(100000000000), 100 * UNIT_NS, &err));
    if (ring) {
        assert_true(sim_scenario_training(&sc, &t, &err));
    } else {
        assert_true(sim_scenario_flow(&sc, sim_scenario_find(&sc, "g1"),
                                      sim_scenario_find(&sc, "g2"), 100 << 10, 0, &err));
    }
    assert_true(sim_scenario_check(&sc, &err));
    struct sim *s = sim_create(&sc, 1, &err);
    sim_scenario_finish(&sc);
    for (int i = 0; i < FAULTS && faults != NULL; i++) {
        struct sim_cmd cmd;
        assert_true(sim_cmd_parse(faults->text[i], &cmd, &err));
        if (!sim_apply(s, sim_now(s) + 1, &cmd, &err)) {
            fail_msg("%s: %s", faults->text[i], err.msg);
        }
    }
    while (sim_outcome(s) == SIM_RUNNING) {
        (void)sim_run_until(s, UNIT_S, SIM_TRACE_BIT(DONE));
    }
    sim_ps done = sim_done_at(s);
    *slack = 2 * sim_slot_ps(s, 0);
    sim_destroy(s);
    return done;
}

static void faults_never_make_a_run_faster(void **state)
{
    (void)state;
    int slower = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct dice dice = { .seed = seed };
        bool ring = dice_roll(&dice, 2) == 1;
        struct faults faults;
        for (int i = 0; i < FAULTS; i++) {
            (void)snprintf(faults.text[i], sizeof faults.text[i], "drop g1>g2 packet %d",
                           1 + (int)dice_roll(&dice, 100));
        }
        sim_ps slack;
        sim_ps faulty = time_with(ring, &faults, &slack);
        sim_ps clean = time_with(ring, NULL, &slack);
        if (clean > faulty + slack) {
            fail_msg("seed %llu: without %s, %s and %s it takes %lld ps, with them %lld",
                     (unsigned long long)seed, faults.text[0], faults.text[1], faults.text[2],
                     (long long)clean, (long long)faulty);
        }
        slower += faulty > clean;
    }
    print_message("# %d of 300 faulty runs were slower\n", slower);
    assert_true(slower > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declaration_order_does_not_matter),
        cmocka_unit_test(equal_senders_get_equal_shares),
        cmocka_unit_test(faults_never_make_a_run_faster),
    };
    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
