/*
 * The plans of the collectives, executed on paper: no fabric, only queues of messages. Every rank
 * must end with everybody's contribution, nobody may wait for ever (with and without clear-to-send),
 * and the bytes sent must be those of the model's table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/collective.h"

enum { PARTIES = 40, BYTES = 97, MESSAGES = 128 };

struct queue {
    uint64_t *data; /* masks of whose contribution each byte holds */
    int64_t offset[MESSAGES], bytes[MESSAGES];
    int head, tail;
    int permits;
    int sender_lane, receiver_lane; /* -1: none yet */
};

struct paper {
    struct sim_plan plan;
    uint64_t vector[PARTIES][BYTES];
    uint64_t heard[PARTIES]; /* all-to-all: whom it got a part from */
    int64_t next[PARTIES][SIM_LANES], clear[PARTIES][SIM_LANES], ahead[PARTIES][SIM_LANES];
    int64_t sent[PARTIES];
    struct queue *queues[PARTIES][PARTIES][2];
};

static struct queue *queue_of(struct paper *p, uint32_t src, uint32_t dst, uint32_t channel)
{
    assert_true(dst < sim_plan_parties(&p->plan) && src != dst && channel < 2);
    struct queue **q = &p->queues[src][dst][channel];
    if (*q == NULL) {
        *q = calloc(1, sizeof **q);
        (*q)->data = calloc((size_t)MESSAGES * BYTES, sizeof(uint64_t));
        (*q)->sender_lane = (*q)->receiver_lane = -1;
    }
    return *q;
}

static void one_lane(int *lane, uint32_t now)
{
    assert_true(*lane == -1 || *lane == (int)now);
    *lane = (int)now;
}

static void put(struct paper *p, uint32_t r, uint32_t lane, const struct sim_op *op)
{
    struct queue *q = queue_of(p, r, op->peer, op->channel);
    one_lane(&q->sender_lane, lane);
    assert_true(q->tail < MESSAGES);
    q->offset[q->tail] = op->offset;
    q->bytes[q->tail] = op->bytes;
    memcpy(q->data + (size_t)q->tail * BYTES, p->vector[r], sizeof p->vector[r]);
    q->tail++;
    p->sent[r] += op->bytes;
}

static void get(struct paper *p, uint32_t r, uint32_t lane, const struct sim_op *op)
{
    struct queue *q = queue_of(p, op->peer, r, op->channel);
    one_lane(&q->receiver_lane, lane);
    assert_int_equal(q->offset[q->head], op->offset);
    assert_int_equal(q->bytes[q->head], op->bytes);
    const uint64_t *data = q->data + (size_t)q->head * BYTES;
    p->heard[r] |= UINT64_C(1) << op->peer;
    for (int64_t i = op->offset; i < op->offset + op->bytes; i++) {
        if (op->reduce) {
            assert_true((p->vector[r][i] & data[i]) == 0); /* nobody is added twice */
            p->vector[r][i] |= data[i];
        } else {
            p->vector[r][i] = data[i];
        }
    }
    q->head++;
}

static bool give_permits(struct paper *p, uint32_t r, uint32_t lane, int64_t admission)
{
    bool gave = false;
    int64_t length = sim_plan_length(&p->plan, r, lane);
    for (; p->ahead[r][lane] < admission && p->clear[r][lane] < length; p->clear[r][lane]++) {
        struct sim_op op = sim_plan_op(&p->plan, BYTES, r, lane, p->clear[r][lane]);
        if (op.kind == SIM_OP_RECV) {
            queue_of(p, op.peer, r, op.channel)->permits++;
            p->ahead[r][lane]++;
            gave = true;
        }
    }
    return gave;
}

static bool perform(struct paper *p, uint32_t r, uint32_t lane, int64_t admission)
{
    struct sim_op op = sim_plan_op(&p->plan, BYTES, r, lane, p->next[r][lane]);
    if (op.kind == SIM_OP_SEND) {
        struct queue *q = queue_of(p, r, op.peer, op.channel);
        if (admission > 0 && q->permits == 0) {
            return false;
        }
        q->permits--;
        put(p, r, lane, &op);
    } else {
        struct queue *q = queue_of(p, op.peer, r, op.channel);
        if (q->head == q->tail) {
            return false;
        }
        get(p, r, lane, &op);
        p->ahead[r][lane]--;
    }
    p->next[r][lane]++;
    return true;
}

static void execute(struct paper *p, int64_t admission)
{
    uint32_t parties = sim_plan_parties(&p->plan);
    for (uint32_t r = 0; r < parties; r++) {
        for (int64_t i = 0; i < BYTES; i++) {
            p->vector[r][i] = r < p->plan.ranks ? UINT64_C(1) << r : 0;
        }
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t r = 0; r < parties; r++) {
            for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
                moved = give_permits(p, r, lane, admission) || moved;
                while (p->next[r][lane] < sim_plan_length(&p->plan, r, lane) &&
                       perform(p, r, lane, admission)) {
                    moved = true;
                    (void)give_permits(p, r, lane, admission);
                }
            }
        }
    }
    for (uint32_t r = 0; r < parties; r++) {
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            if (p->next[r][lane] != sim_plan_length(&p->plan, r, lane)) {
                fail_msg("%s, %u + %u: party %u waits for ever in lane %u, admission %lld",
                         p->plan.ops->name, p->plan.ranks, p->plan.servers, r, lane,
                         (long long)admission);
            }
        }
    }
}

static void finish(struct paper *p)
{
    for (uint32_t a = 0; a < PARTIES; a++) {
        for (uint32_t b = 0; b < PARTIES; b++) {
            for (int c = 0; c < 2; c++) {
                if (p->queues[a][b][c] != NULL) {
                    assert_int_equal(p->queues[a][b][c]->head, p->queues[a][b][c]->tail);
                    free(p->queues[a][b][c]->data);
                    free(p->queues[a][b][c]);
                }
            }
        }
    }
    free(p);
}

static struct paper *run(const struct sim_knobs *knobs, uint32_t hosts, int64_t admission)
{
    struct paper *p = calloc(1, sizeof *p);
    struct err err = { 0 };
    if (!sim_plan_make(&p->plan, knobs, hosts, &err)) {
        fail_msg("%u hosts: %s", hosts, err.msg);
    }
    execute(p, admission);
    return p;
}

static void check_sum(const struct sim_knobs *knobs, uint32_t hosts)
{
    for (int64_t admission = 0; admission <= 3; admission++) {
        struct paper *p = run(knobs, hosts, admission);
        uint64_t all = (UINT64_C(1) << p->plan.ranks) - 1;
        for (uint32_t r = 0; r < p->plan.ranks; r++) {
            for (int64_t i = 0; i < BYTES; i++) {
                assert_true(p->vector[r][i] == all);
            }
        }
        finish(p);
    }
}

static struct sim_knobs knobs_of(enum sim_collective_kind kind)
{
    struct sim_knobs knobs;
    sim_knobs_default(&knobs);
    knobs.v[SIM_KNOB_COLLECTIVE] = (int64_t)kind;
    return knobs;
}

static void rings_and_trees_add_up(void **state)
{
    (void)state;
    static const enum sim_collective_kind kinds[] = { SIM_COLL_RING, SIM_COLL_TREE,
                                                      SIM_COLL_DOUBLE_TREE };
    for (size_t k = 0; k < 3; k++) {
        struct sim_knobs knobs = knobs_of(kinds[k]);
        for (uint32_t n = 1; n <= 33; n++) {
            for (int64_t pieces = 1; pieces <= 5; pieces += 2) {
                knobs.v[SIM_KNOB_PIECES] = pieces;
                check_sum(&knobs, n);
            }
        }
    }
}

static void halving_adds_up(void **state)
{
    (void)state;
    struct sim_knobs knobs = knobs_of(SIM_COLL_HALVING);
    for (uint32_t n = 1; n <= 32; n *= 2) {
        check_sum(&knobs, n);
    }
    struct sim_plan plan;
    struct err err = { 0 };
    assert_false(sim_plan_make(&plan, &knobs, 12, &err));
    assert_non_null(strstr(err.msg, "not 12"));
}

static void servers_add_up(void **state)
{
    (void)state;
    struct sim_knobs knobs = knobs_of(SIM_COLL_SERVER);
    for (uint32_t servers = 1; servers <= 6; servers++) {
        knobs.v[SIM_KNOB_SERVERS] = servers;
        for (uint32_t n = 1; n <= 12; n++) {
            check_sum(&knobs, n + servers);
        }
        struct sim_plan plan;
        assert_false(sim_plan_make(&plan, &knobs, servers, NULL));
    }
}

static void groups_add_up(void **state)
{
    (void)state;
    struct sim_knobs knobs = knobs_of(SIM_COLL_HIERARCHICAL);
    for (int64_t inside = 0; inside < 2; inside++) {
        knobs.v[SIM_KNOB_INSIDE] = inside;
        for (uint32_t group = 1; group <= 6; group++) {
            for (uint32_t n = group; n <= 24; n += group) {
                knobs.v[SIM_KNOB_GROUP] = group;
                check_sum(&knobs, n);
            }
        }
    }
    struct sim_plan plan;
    struct err err = { 0 };
    knobs.v[SIM_KNOB_GROUP] = 5;
    assert_false(sim_plan_make(&plan, &knobs, 12, &err));
    assert_non_null(strstr(err.msg, "divisor"));
}

static void everybody_hears_everybody(void **state)
{
    (void)state;
    struct sim_knobs knobs = knobs_of(SIM_COLL_ALL_TO_ALL);
    for (uint32_t n = 1; n <= 33; n++) {
        for (int64_t admission = 0; admission <= 3; admission++) {
            struct paper *p = run(&knobs, n, admission);
            for (uint32_t r = 0; r < n; r++) {
                uint64_t others = ((UINT64_C(1) << n) - 1) & ~(UINT64_C(1) << r);
                assert_true(p->heard[r] == others);
            }
            finish(p);
        }
    }
}

/* Bytes sent by a party at most, and by all together (model section 5). */
static void the_bytes_are_those_of_the_table(void **state)
{
    (void)state;
    enum { N = 16, SERVERS = 2 };
    static const struct {
        enum sim_collective_kind kind;
        uint32_t hosts;
        int64_t most, all;
    } rows[] = {
        { SIM_COLL_RING, N, -1, 2 * (N - 1) * BYTES },
        { SIM_COLL_HALVING, N, -1, 2 * (N - 1) * BYTES },
        { SIM_COLL_TREE, N, 3 * BYTES, 2 * (N - 1) * BYTES },
        { SIM_COLL_DOUBLE_TREE, N, 2 * BYTES + 1, 2 * (N - 1) * BYTES },
        { SIM_COLL_SERVER, N + SERVERS, N * (BYTES + 1) / 2, 2 * N * BYTES },
        { SIM_COLL_ALL_TO_ALL, N, BYTES, (N - 1) * BYTES },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sim_knobs knobs = knobs_of(rows[i].kind);
        knobs.v[SIM_KNOB_SERVERS] = SERVERS;
        struct paper *p = run(&knobs, rows[i].hosts, 0);
        int64_t all = 0;
        int64_t most = 0;
        for (uint32_t r = 0; r < rows[i].hosts; r++) {
            all += p->sent[r];
            most = p->sent[r] > most ? p->sent[r] : most;
        }
        print_message("# %s: %lld bytes in all, %lld at most\n", p->plan.ops->name, (long long)all,
                      (long long)most);
        assert_int_equal(all, rows[i].all);
        /* ring and halving: everyone sends 2(n - 1) parts, a part is BYTES / n rounded */
        int64_t limit = rows[i].most < 0 ? 2 * (N - 1) * (BYTES / N + 1) : rows[i].most;
        assert_true(most <= limit);
        finish(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_and_trees_add_up),
        cmocka_unit_test(halving_adds_up),
        cmocka_unit_test(servers_add_up),
        cmocka_unit_test(groups_add_up),
        cmocka_unit_test(everybody_hears_everybody),
        cmocka_unit_test(the_bytes_are_those_of_the_table),
    };
    return cmocka_run_group_tests_name("collectives", tests, NULL, NULL);
}
