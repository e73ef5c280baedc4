/*
 * Readers only look: whatever sim.h and the headers of run/ offer for a const fabric or run is called
 * at many moments, and the state is the same before and after, to the byte. The headers are read to see
 * that no reader is missing here. So nothing but run_do() changes a simulation.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/mem.h"
#include "run/differences.h"
#include "run/report.h"
#include "run/seek.h"
#include "small.h"

/* What the readers are called with: everything in turn. */
struct looker {
    const struct run *run;
    const struct sim *s;
    uint32_t port, node, flow, rank, prio;
    struct sim_record rec;
    uint64_t cursor, fine;
    char buf[256];
};

/* clang-format off */
#define READERS(X)                                                                                 \
    X(sim_would_apply, (void)sim_would_apply(l->s, &(struct sim_cmd){ .kind = SIM_CMD_DROP_NTH, .value = 3 }, NULL)) \
    X(sim_now, (void)sim_now(l->s))                                                                \
    X(sim_outcome, (void)sim_outcome(l->s))                                                        \
    X(sim_done_at, (void)sim_done_at(l->s))                                                        \
    X(sim_next_event, (void)sim_next_event(l->s))                                                  \
    X(sim_quiet, (void)sim_quiet(l->s, NULL))                                                      \
    X(sim_state_size, (void)sim_state_size(l->s))                                                  \
    X(sim_state_save, save(l))                                                                     \
    X(sim_state_hash, (void)sim_state_hash(l->s))                                                  \
    X(sim_fork, fork_sim(l))                                                                       \
    X(sim_node_count, (void)sim_node_count(l->s))                                                  \
    X(sim_port_count, (void)sim_port_count(l->s))                                                  \
    X(sim_flow_count, (void)sim_flow_count(l->s))                                                  \
    X(sim_rank_count, (void)sim_rank_count(l->s))                                                  \
    X(sim_node, (void)sim_node(l->s, l->node))                                                     \
    X(sim_port, (void)sim_port(l->s, l->port))                                                     \
    X(sim_flow, (void)sim_flow(l->s, l->flow))                                                     \
    X(sim_node_is_dead, (void)sim_node_is_dead(l->s, 0))                                           \
    X(sim_rank_node, (void)sim_rank_node(l->s, l->rank))                                           \
    X(sim_find_node, (void)sim_find_node(l->s, "leaf1"))                                           \
    X(sim_find_port, (void)sim_find_port(l->s, "leaf1:3"))                                         \
    X(sim_find_flow, (void)sim_find_flow(l->s, "g3>g4"))                                           \
    X(sim_scenario_of, (void)sim_scenario_of(l->s))                                                \
    X(sim_seed, (void)sim_seed(l->s))                                                              \
    X(sim_slot_ps, (void)sim_slot_ps(l->s, l->port))                                               \
    X(sim_port_held, (void)sim_port_held(l->s, l->port))                                           \
    X(sim_port_queue, (void)sim_port_queue(l->s, l->port))                                         \
    X(sim_port_credit, (void)sim_port_credit(l->s, l->port, l->prio))                              \
    X(sim_port_busy_ps, (void)sim_port_busy_ps(l->s, l->port))                                     \
    X(sim_port_paused_ps, (void)sim_port_paused_ps(l->s, l->port))                                 \
    X(sim_port_wire, (void)sim_port_wire(l->s, l->port, (struct sim_frame[9]){ { 0 } }, 9))        \
    X(sim_port_waiting, (void)sim_port_waiting(l->s, l->port, (struct sim_frame[9]){ { 0 } }, 9))  \
    X(sim_record_about,                                                                            \
      (void)sim_record_about(l->s, &(struct sim_record){ .port = 0, .flow = 0, .rank = SIM_NONE }, 0)) \
    X(sim_find_answer, (void)sim_find_answer(l->s, SIM_FRAME_ACK, l->flow, 7,                      \
                                             &(struct sim_frame){ 0 }))                            \
    X(sim_find_packet, (void)sim_find_packet(l->s, l->flow, 7, 1, &(struct sim_frame){ 0 }))       \
    X(sim_flow_state, (void)sim_flow_state(l->s, l->flow))                                         \
    X(sim_blocks_done, (void)sim_blocks_done(l->s))                                                \
    X(sim_rank, (void)sim_rank(l->s, l->rank))                                                     \
    X(sim_step_now, (void)sim_step_now(l->s))                                                      \
    X(sim_steps_done, (void)sim_steps_done(l->s))                                                  \
    X(sim_step_total, (void)sim_step_total(l->s))                                                  \
    X(sim_step, (void)sim_step(l->s, 1))                                                           \
    X(sim_collective_count, (void)sim_collective_count(l->s))                                      \
    X(sim_collective, (void)sim_collective(l->s, 0))                                               \
    X(sim_collective_bytes, (void)sim_collective_bytes(l->s))                                      \
    X(sim_collective_name, (void)sim_collective_name(l->s))                                        \
    X(sim_collective_bus_factor, (void)sim_collective_bus_factor(l->s))                            \
    X(sim_bucket_count, (void)sim_bucket_count(l->s))                                              \
    X(sim_counters, (void)sim_counters(l->s))                                                      \
    X(sim_events, (void)sim_events(l->s))                                                          \
    X(sim_hops, (void)sim_hops(l->s))                                                              \
    X(sim_knob, (void)sim_knob(l->s, SIM_KNOB_XOFF))                                               \
    X(sim_knobs, (void)sim_knobs(l->s))                                                            \
    X(sim_timeout_ps, (void)sim_timeout_ps(l->s))                                                  \
    X(sim_ack_every, (void)sim_ack_every(l->s))                                                    \
    X(sim_why, why(l))                                                                             \
    X(sim_why_flow, why(l))                                                                        \
    X(sim_why_say, why(l))                                                                         \
    X(sim_stall, (void)sim_stall(l->s))                                                            \
    X(sim_wait_cycle, (void)sim_wait_cycle(l->s, (uint32_t[9]){ 0 }, 9, NULL))                     \
    X(sim_tape_read, (void)sim_tape_read(l->s, &(const struct sim_sent *){ NULL }))                \
    X(sim_sent_of, (void)sim_sent_of(l->s, &(struct sim_frame){ .port = l->port }, &(struct sim_sent){ 0 })) \
    X(sim_trace_read_fine, (void)sim_trace_read_fine(l->s, &l->fine, &(struct sim_record){ 0 }, 1)) \
    X(sim_trace_read, (void)sim_trace_read(l->s, &l->cursor, &l->rec, 1))                          \
    X(sim_trace_marks, (void)sim_trace_marks(l->s, &(const struct sim_record *){ NULL }))          \
    X(sim_trace_seq, (void)sim_trace_seq(l->s))                                                    \
    X(sim_trace_hash, (void)sim_trace_hash(l->s))                                                  \
    X(sim_trace_kept, (void)sim_trace_kept(l->s, &(uint64_t){ 0 }, &(uint64_t){ 0 }))              \
    X(sim_trace_say, (void)sim_trace_say(l->s, &l->rec, l->buf, sizeof l->buf))                    \
    X(sim_trace_fill, (void)sim_trace_fill(l->s, &l->rec, "{at} {peer}", l->buf, sizeof l->buf))   \
    X(sim_packet_name, (void)sim_packet_name(l->s, l->flow, 7, 1, l->buf, sizeof l->buf))          \
    X(sim_audit, assert_true(sim_audit(l->s, NULL)))                                               \
    X(run_fork, fork_run(l))                                                                       \
    X(run_sim, (void)run_sim(l->run))                                                              \
    X(run_now, (void)run_now(l->run))                                                              \
    X(run_next_moment, (void)run_next_moment(l->run))                                              \
    X(run_journal_ok, (void)run_journal_ok(l->run, NULL))                                          \
    X(run_journal, (void)run_journal(l->run, &(const struct run_line *){ NULL }))                  \
    X(run_mark, (void)run_mark(l->run))                                                            \
    X(run_memory, (void)run_memory(l->run))                                                        \
    X(run_seen, (void)run_seen(l->run))                                                            \
    X(report_take, report(l))
/* clang-format on */

static void save(struct looker *l)
{
    void *state = mem_alloc(sim_state_size(l->s), 1);
    sim_state_save(l->s, state);
    free(state);
}

/* What a fork does is its own. */
static void fork_sim(struct looker *l)
{
    struct sim *fork = sim_fork(l->s);
    (void)sim_run_until(fork, sim_now(l->s) + 10 * UNIT_US, 0);
    sim_destroy(fork);
}

static void fork_run(struct looker *l)
{
    struct run *fork = run_fork(l->run);
    small_act(fork, "drop_nth 3", RUN_LEARNER);
    (void)run_until(fork, run_now(l->run) + 10 * UNIT_US, 0);
    (void)run_step(fork, RUN_HOP, RUN_BACK, NULL);
    run_destroy(fork);
}

static void why(struct looker *l)
{
    struct sim_why chain[16];
    size_t n = sim_why(l->s, l->rank, chain, 8);
    n += sim_why_flow(l->s, l->flow, chain + n, 8);
    for (size_t i = 0; i < n && i < 16; i++) {
        (void)sim_why_say(l->s, &chain[i], l->buf, sizeof l->buf);
    }
}

static void report(struct looker *l)
{
    struct report r;
    struct differences d;
    report_take(&r, l->run);
    differences_take(&d, &r, &r, true);
    differences_finish(&d);
    report_finish(&r);
}

#define X(name, call)                                                                              \
    static void look_##name(struct looker *l)                                                      \
    {                                                                                              \
        call;                                                                                      \
    }
READERS(X)
#undef X

static const struct {
    const char *name;
    void (*look)(struct looker *l);
} readers[] = {
#define X(name, call) { #name, look_##name },
    READERS(X)
#undef X
};

enum { READERS_COUNT = sizeof readers / sizeof *readers };

static void look_at_all(struct run *run)
{
    struct looker l = { .run = run, .s = run_sim(run) };
    const uint64_t state = sim_state_hash(l.s), trace = sim_trace_hash(l.s), seen = run_seen(run);
    for (uint32_t k = 0; k < 16; k++) {
        l.port = k % (uint32_t)sim_port_count(l.s);
        l.node = k % (uint32_t)sim_node_count(l.s);
        l.flow = k % (uint32_t)sim_flow_count(l.s);
        l.rank = k % (uint32_t)sim_rank_count(l.s);
        l.prio = k % 8;
        for (size_t i = 0; i < READERS_COUNT; i++) {
            if (k == 0 || strstr(readers[i].name, "fork") == NULL) {
                readers[i].look(&l);
            }
            if (sim_state_hash(l.s) != state || sim_trace_hash(l.s) != trace ||
                run_seen(run) != seen) {
                fail_msg("%s changes what it looks at", readers[i].name);
            }
        }
    }
}

static void readers_only_look(void **state)
{
    (void)state;
    static const char *const actions[] = { "drop g3>g4 last", "set flow_control none",
                                           "set flow_control credits", "set flow_control pfc",
                                           "pause g2" };
    struct run *run = small_run(), *alone = small_run();
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        const sim_ps t = (sim_ps)(i + 1) * 27 * UNIT_US;
        (void)run_until(run, t, 0);
        (void)run_until(alone, t, 0);
        look_at_all(run);
        small_act(run, actions[i], RUN_LEARNER);
        small_act(alone, actions[i], RUN_LEARNER);
        (void)run_until(run, t + UNIT_US, SIM_TRACE_BIT(ROUND)); /* in the middle of an instant */
        look_at_all(run);
    }
    (void)run_until(run, 60 * UNIT_MS, 0);
    (void)run_until(alone, 60 * UNIT_MS, 0);
    look_at_all(run);
    small_same(run, alone); /* nor has it changed what came later */
    run_destroy(run);
    run_destroy(alone);
}

/* ---- none is missing ------------------------------------------------------------------------- */

static bool is_reader(const char *name, size_t len)
{
    for (size_t i = 0; i < READERS_COUNT; i++) {
        if (strlen(readers[i].name) == len && strncmp(readers[i].name, name, len) == 0) {
            return true;
        }
    }
    return false;
}

/* Every function that takes a const fabric or run first. */
static void search_header(const char *file, const char *param)
{
    char *text;
    size_t size, found = 0;
    struct err err = { 0 };
    if (!file_read(file, 1 << 20, &text, &size, &err)) {
        fail_msg("%s: %s", file, err.msg);
    }
    for (const char *p = text; (p = strstr(p, param)) != NULL; p++) {
        const char *name = p;
        while (name > text && (name[-1] == '_' || (name[-1] >= 'a' && name[-1] <= 'z'))) {
            name--;
        }
        const char *end = strchr(p, ';');
        if (name == p || end == NULL) {
            continue;
        }
        found++;
        if (!is_reader(name, (size_t)(p - name))) {
            fail_msg("%s: %.*s is not tried here", file, (int)(p - name), name);
        }
    }
    assert_true(found > 0);
    free(text);
}

static void none_is_missing(void **state)
{
    (void)state;
    search_header(WEFT_SOURCE "/src/sim/sim.h", "(const struct sim *");
    search_header(WEFT_SOURCE "/src/run/run.h", "(const struct run *");
    search_header(WEFT_SOURCE "/src/run/seek.h", "(const struct run *");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_only_look),
        cmocka_unit_test(none_is_missing),
    };
    return cmocka_run_group_tests_name("readers", tests, NULL, NULL);
}
