/* A report as JSON and as text: what is in it at every stage of a run, and that equal runs give
 * equal bytes. */
#include "cmocka_rows.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "export/json.h"
#include "export/summary.h"
#include "run/report.h"
#include "run/run.h"
#include "sim/scenario.h"

/* Two hosts and a cable; one flow of 100,000 bytes at 100 Gb/s takes about 8 us. */
static struct run *flow_run(void)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    sim_scenario_init(&sc, "one flow");
    assert_true(sim_shape_pair(&sc, INT64_C(100000000000), 500 * UNIT_NS, &err));
    assert_true(sim_scenario_flow(&sc, 0, 1, 100000, 0, &err));
    assert_true(sim_scenario_check(&sc, &err));
    struct run *run = run_create(&sc, 1, &err);
    assert_non_null(run);
    sim_scenario_finish(&sc);
    return run;
}

static struct run *training_run(void)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    const struct sim_training_spec spec = { .bytes = 65536,
                                            .compute_ps = 10 * UNIT_US,
                                            .steps = 2 };
    sim_scenario_init(&sc, "two ranks");
    assert_true(sim_shape_star(&sc, 4, INT64_C(100000000000), 500 * UNIT_NS, &err));
    assert_true(sim_scenario_training(&sc, &spec, &err));
    assert_true(sim_scenario_check(&sc, &err));
    struct run *run = run_create(&sc, 42, &err);
    assert_non_null(run);
    sim_scenario_finish(&sc);
    return run;
}

static void take_json(struct text *out, const struct run *run)
{
    struct report report;
    report_take(&report, run);
    export_json_report(out, &report, "a name", "0.0.0");
    report_finish(&report);
}

static json_t *parse(const struct text *text)
{
    json_error_t error;
    json_t *root = json_loads(text_str(text), JSON_REJECT_DUPLICATES, &error);
    assert_non_null(root);
    return root;
}

static json_t *row(json_t *root, const char *list, size_t index)
{
    json_t *found = json_array_get(json_object_get(root, list), index);
    assert_non_null(found);
    return found;
}

static void before_anything_happened(void **state)
{
    (void)state;
    struct run *run = flow_run();
    struct text text = { 0 };
    take_json(&text, run);
    json_t *root = parse(&text);
    assert_string_equal(json_string_value(json_object_get(root, "outcome")), "time-limit");
    assert_true(json_is_null(json_object_get(root, "stall")));
    assert_true(json_is_null(json_object_get(root, "collective")));
    assert_true(json_is_null(json_object_get(root, "gpu_busy")));
    json_t *flow = row(root, "flows", 0);
    assert_true(json_is_null(json_object_get(flow, "fct_ns")));
    assert_true(json_is_null(json_object_get(flow, "goodput_gbps")));
    json_decref(root);
    text_finish(&text);
    run_destroy(run);
}

static void a_finished_flow(void **state)
{
    (void)state;
    struct run *run = flow_run();
    struct text text = { 0 };
    (void)run_until(run, UNIT_S, SIM_TRACE_BIT(DONE));
    take_json(&text, run);
    json_t *root = parse(&text);
    assert_string_equal(json_string_value(json_object_get(root, "outcome")), "done");
    assert_string_equal(json_string_value(json_object_get(root, "scenario")), "a name");
    assert_int_equal(json_integer_value(json_object_get(root, "seed")), 1);
    json_t *flow = row(root, "flows", 0);
    assert_int_equal(json_integer_value(json_object_get(flow, "id")), 1);
    assert_string_equal(json_string_value(json_object_get(flow, "src")), "g1");
    assert_string_equal(json_string_value(json_object_get(flow, "dst")), "g2");
    assert_int_equal(json_integer_value(json_object_get(flow, "bytes")), 100000);
    double fct = json_real_value(json_object_get(flow, "fct_ns"));
    double goodput = json_real_value(json_object_get(flow, "goodput_gbps"));
    assert_true(fct > 8000 && fct < 12000);
    assert_true(goodput > 60 && goodput < 100);
    json_t *packets = json_object_get(root, "packets");
    assert_int_equal(json_integer_value(json_object_get(packets, "sent")), 25);
    assert_int_equal(json_integer_value(json_object_get(packets, "delivered")), 25);
    json_decref(root);
    text_finish(&text);
    run_destroy(run);
}

/* What means something for tcp alone, and for DCQCN alone. */
static void a_flow_under_control(void **state)
{
    (void)state;
    static const struct {
        int64_t transport, cc;
        bool window, rate;
    } rows[] = { { SIM_GO_BACK_N, SIM_CC_NONE, false, false },
                 { SIM_GO_BACK_N, SIM_CC_DCQCN, false, true },
                 { SIM_TCP, SIM_CC_NONE, true, false } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sim_scenario sc;
        struct text text = { 0 };
        sim_scenario_init(&sc, "one flow");
        assert_true(sim_shape_pair(&sc, INT64_C(100000000000), 500 * UNIT_NS, NULL));
        assert_true(sim_scenario_flow(&sc, 0, 1, 100000, 0, NULL));
        sc.knobs.v[SIM_KNOB_TRANSPORT] = rows[i].transport;
        sc.knobs.v[SIM_KNOB_CC] = rows[i].cc;
        struct run *run = run_create(&sc, 1, NULL);
        sim_scenario_finish(&sc);
        (void)run_until(run, UNIT_S, SIM_TRACE_BIT(DONE));
        take_json(&text, run);
        json_t *root = parse(&text);
        json_t *flow = row(root, "flows", 0);
        json_t *cwnd = json_object_get(flow, "cwnd_packets");
        json_t *rate = json_object_get(flow, "rate_gbps");
        assert_string_equal(json_string_value(json_object_get(flow, "name")), "g1>g2");
        assert_true(json_real_value(json_object_get(flow, "rto_ns")) >= 1e6);
        assert_int_equal(cwnd != NULL, rows[i].window);
        assert_int_equal(json_object_get(flow, "ssthresh_packets") != NULL, rows[i].window);
        assert_int_equal(json_object_get(flow, "rtt_ns") != NULL, rows[i].window);
        assert_int_equal(rate != NULL, rows[i].rate);
        if (rows[i].window) { /* 69 segments: 10, 20, the rest */
            assert_int_equal(json_integer_value(cwnd), 10 + 69);
            assert_true(json_real_value(json_object_get(flow, "rtt_ns")) > 1000);
        }
        if (rows[i].rate) { /* no mark, no warning: as fast as the cable */
            assert_true(json_real_value(rate) == 100.0);
        }
        json_decref(root);
        text_finish(&text);
        run_destroy(run);
    }
}

static void training(void **state)
{
    (void)state;
    struct run *run = training_run();
    struct text text = { 0 };
    (void)run_until(run, UNIT_S, SIM_TRACE_BIT(DONE));
    take_json(&text, run);
    json_t *root = parse(&text);
    assert_int_equal(json_array_size(json_object_get(root, "steps")), 2);
    for (size_t i = 0; i < 2; i++) {
        json_t *step = row(root, "steps", i);
        double start = json_real_value(json_object_get(step, "start_ns"));
        double end = json_real_value(json_object_get(step, "end_ns"));
        double compute = json_real_value(json_object_get(step, "compute_ns"));
        double exposed = json_real_value(json_object_get(step, "exposed_comm_ns"));
        assert_int_equal(json_integer_value(json_object_get(step, "step")), i + 1);
        assert_true(compute == 10000.0);
        assert_true(end - start - compute - exposed < 0.001);
        assert_true(end - start - compute - exposed > -0.001);
        assert_true(json_is_string(json_object_get(step, "slowest")));
    }
    json_t *collective = json_object_get(root, "collective");
    assert_string_equal(json_string_value(json_object_get(collective, "kind")), "ring_allreduce");
    assert_int_equal(json_integer_value(json_object_get(collective, "bytes")), 65536);
    double algbw = json_real_value(json_object_get(collective, "algbw_gbps"));
    double busbw = json_real_value(json_object_get(collective, "busbw_gbps"));
    assert_true(algbw > 0 && busbw > algbw * 1.49 && busbw < algbw * 1.51); /* 2(N-1)/N, N = 4 */
    double busy = json_real_value(json_object_get(root, "gpu_busy"));
    assert_true(busy > 0 && busy < 1);
    assert_int_equal(json_array_size(json_object_get(root, "queues")), 4);
    json_decref(root);
    text_finish(&text);
    run_destroy(run);
}

static void every_knob_is_in_set(void **state)
{
    (void)state;
    struct run *run = training_run();
    struct text text = { 0 };
    take_json(&text, run);
    json_t *root = parse(&text);
    json_t *set = json_object_get(root, "set");
    assert_int_equal(json_object_size(set), SIM_KNOB_COUNT + 1);
    assert_true(json_is_true(json_object_get(set, "pfc")));
    assert_string_equal(json_string_value(json_object_get(set, "flow_control")), "pfc");
    assert_string_equal(json_string_value(json_object_get(set, "xoff")), "100000B");
    assert_string_equal(json_string_value(json_object_get(set, "headroom")), "auto");
    assert_int_equal(json_integer_value(json_object_get(set, "timeout_exponent")), 12);
    json_decref(root);
    text_finish(&text);
    run_destroy(run);
}

static void equal_runs_equal_bytes(void **state)
{
    (void)state;
    struct run *a = training_run();
    struct run *b = training_run();
    struct text json[2] = { 0 };
    struct text summary[2] = { 0 };
    (void)run_until(a, UNIT_S, SIM_TRACE_BIT(DONE));
    for (sim_ps t = 0; t < UNIT_MS; t += 777 * UNIT_NS) { /* the same in slices */
        (void)run_until(b, t, 0);
        if (sim_outcome(run_sim(b)) == SIM_DONE) {
            break;
        }
    }
    struct report report;
    report_take(&report, a);
    sim_ps done = report.end;
    export_summary_report(&summary[0], &report, "two ranks");
    report_finish(&report);
    report_take(&report, b);
    assert_int_equal(report.end, done);
    export_summary_report(&summary[1], &report, "two ranks");
    report_finish(&report);
    take_json(&json[0], a);
    take_json(&json[1], a); /* reading changes nothing */
    assert_string_equal(text_str(&json[0]), text_str(&json[1]));
    assert_non_null(strstr(text_str(&summary[0]), "two ranks, seed 42: done after "));
    assert_non_null(strstr(text_str(&summary[1]), "two ranks, seed 42: done after "));
    for (int i = 0; i < 2; i++) {
        text_finish(&json[i]);
        text_finish(&summary[i]);
    }
    run_destroy(a);
    run_destroy(b);
}

static void a_stall_is_explained(void **state)
{
    (void)state;
    struct run *run = flow_run();
    struct text text = { 0 };
    struct err err = { 0 };
    struct sim_cmd cmd;
    assert_true(sim_cmd_parse("set retry_limit 1", &cmd, &err));
    assert_true(run_do(run, &cmd, RUN_LEARNER, NULL, &err));
    assert_true(sim_cmd_parse("drop g1>g2 packet 3 attempts 50", &cmd, &err));
    assert_true(run_do(run, &cmd, RUN_LEARNER, NULL, &err));
    (void)run_until(run, 100 * UNIT_S, 0);
    take_json(&text, run);
    json_t *root = parse(&text);
    assert_string_equal(json_string_value(json_object_get(root, "outcome")), "stalled");
    json_t *stall = json_object_get(root, "stall");
    assert_string_equal(json_string_value(json_object_get(stall, "reason")), "retry-limit");
    assert_true(json_is_array(json_object_get(stall, "cycle")));
    assert_true(json_is_array(json_object_get(stall, "waiting")));
    json_decref(root);
    text_finish(&text);
    run_destroy(run);
}

static void knobs(void **state)
{
    (void)state;
    struct text text = { 0 };
    export_json_knobs(&text);
    json_t *root = parse(&text);
    assert_int_equal(json_array_size(json_object_get(root, "knobs")), SIM_KNOB_COUNT);
    json_decref(root);
    text_clear(&text);
    export_summary_knobs(&text);
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        assert_non_null(strstr(text_str(&text), sim_knob_info((enum sim_knob)k)->name));
        assert_non_null(strstr(text_str(&text), sim_when_name(SIM_RESTART)));
    }
    for (const char *line = text_str(&text); *line != '\0';) {
        size_t len = strcspn(line, "\n");
        assert_true(len <= 80);
        line += len + (line[len] == '\n' ? 1 : 0);
    }
    text_finish(&text);
}

/* Kmax above XOFF is said, where ECN and a fixed XOFF are in force. */
static void marks_may_come_too_late(void **state)
{
    (void)state;
    static const struct {
        const char *set[3];
        bool said;
    } rows[] = {
        { { "set ecn on", "set kmax 101KB", "set xoff 100KB" }, true },
        { { "set ecn on", "set kmax 100KB", "set xoff 100KB" }, false },
        { { "set ecn on", "set kmax 101KB", "set alpha 1" }, false },
        { { "set ecn on", "set kmax 101KB", "set pfc off" }, false },
        { { "set ecn off", "set kmax 101KB", "set xoff 100KB" }, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct run *run = flow_run();
        for (size_t k = 0; k < sizeof rows[i].set / sizeof *rows[i].set; k++) {
            struct sim_cmd cmd;
            assert_true(sim_cmd_parse(rows[i].set[k], &cmd, NULL));
            assert_true(run_do(run, &cmd, RUN_LEARNER, NULL, NULL));
        }
        assert_true(run_until(run, UNIT_US, 0) != SIM_AT_END);
        struct report report;
        struct text out = { 0 };
        report_take(&report, run);
        export_summary_report(&out, &report, "one flow");
        assert_int_equal(strstr(text_str(&out), "Kmax is above XOFF") != NULL, rows[i].said);
        report_finish(&report);
        text_finish(&out);
        run_destroy(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_anything_happened),
        cmocka_unit_test(a_finished_flow),
        cmocka_unit_test(a_flow_under_control),
        cmocka_unit_test(training),
        cmocka_unit_test(every_knob_is_in_set),
        cmocka_unit_test(equal_runs_equal_bytes),
        cmocka_unit_test(a_stall_is_explained),
        cmocka_unit_test(marks_may_come_too_late),
        cmocka_unit_test(knobs),
    };
    return cmocka_run_group_tests_name("export/report", tests, NULL, NULL);
}
