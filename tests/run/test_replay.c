/* Saved runs: what is written is read back the same, what is damaged is refused at its line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmocka_rows.h"
#include "run/replay.h"

/* A small fabric with something in every kind of record. */
static void make(struct sim_scenario *sc)
{
    struct sim_cmd cmd;
    sim_scenario_init(sc, "two words");
    assert_true(sim_shape_star(sc, 4, INT64_C(100000000000), 500 * UNIT_NS, NULL));
    assert_true(sim_scenario_flow(sc, 1, 2, 1000000, 0, NULL));
    assert_true(sim_scenario_flow(sc, 2, 3, 50000, 3 * UNIT_US + 1, NULL));
    sc->flows[1].prio = 2;
    sc->flows[1].gap_ps = 20 * UNIT_US;
    sc->flows[1].messages = 3;
    sc->flows[1].poisson = true;
    assert_true(sim_scenario_route(sc, 0, 1, 1, NULL));
    assert_true(sim_scenario_pin(sc, "g1>g2", 0, NULL));
    assert_true(sim_cmd_parse("slow g4 50%", &cmd, NULL));
    assert_true(sim_scenario_fault(sc, 5 * UNIT_US, &cmd, NULL));
    sc->classes[2] = (struct sim_class_spec){ .lossless = true, .weight = 7, .vl = SIM_OWN_VL };
    sc->knobs.v[SIM_KNOB_DCQCN_G] = 12345;
    sc->knobs.v[SIM_KNOB_HEADROOM] = 77777;
}

static struct run *lived(void)
{
    struct sim_scenario sc;
    struct sim_cmd cmd;
    make(&sc);
    struct run *run = run_create(&sc, 7, NULL);
    assert_non_null(run);
    sim_scenario_finish(&sc);
    (void)run_until(run, 10 * UNIT_US, 0);
    assert_true(sim_cmd_parse("drop g1>g2:60#1", &cmd, NULL));
    assert_true(run_do(run, &cmd, RUN_LEARNER, NULL, NULL));
    assert_true(sim_cmd_parse("set xoff 20KB", &cmd, NULL));
    assert_true(run_do(run, &cmd, RUN_LESSON, NULL, NULL));
    (void)run_until(run, 100 * UNIT_S, SIM_TRACE_BIT(DONE));
    return run;
}

/* Virtual lanes: tables, their limit, and a class on another lane. */
static void lanes_are_saved(void **state)
{
    (void)state;
    static const struct sim_vl_entry entries[] = { { SIM_VL_LOW, 2, 9 },
                                                   { SIM_VL_HIGH, SIM_PRIO_DATA, 64 },
                                                   { SIM_VL_LOW, SIM_PRIO_DATA, 255 } };
    struct sim_scenario sc;
    struct replay first, second;
    struct text once = { 0 }, twice = { 0 };
    struct err err = { 0 };
    make(&sc);
    sc.knobs.v[SIM_KNOB_LINK] = SIM_INFINIBAND;
    sc.knobs.v[SIM_KNOB_FLOW_CONTROL] = SIM_FC_CREDITS;
    sc.classes[SIM_PRIO_CONTROL].vl = 2;
    sc.vl_limit = 5;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        assert_true(sim_scenario_vl(&sc, &entries[i], NULL));
    }
    struct run *run = run_create(&sc, 7, NULL);
    (void)run_until(run, 100 * UNIT_S, SIM_TRACE_BIT(DONE));
    replay_take(&first, run, "9.8.7", "a-lesson main");
    replay_write(&once, &first);
    assert_true(replay_read(&second, text_str(&once), once.len, "x.weft", &err));
    replay_write(&twice, &second);
    assert_string_equal(text_str(&once), text_str(&twice));
    assert_int_equal(second.scenario.vl_entry_count, sizeof entries / sizeof *entries);
    assert_memory_equal(second.scenario.vl_entries, entries, sizeof entries);
    assert_int_equal(second.scenario.vl_limit, 5);
    assert_int_equal(second.scenario.classes[SIM_PRIO_CONTROL].vl, 2);
    run_destroy(run);
    sim_scenario_finish(&sc);
    replay_finish(&first);
    replay_finish(&second);
    text_finish(&once);
    text_finish(&twice);
}

static void saved_run_is_the_same_run(void **state)
{
    (void)state;
    struct replay first, second;
    struct text once = { 0 }, twice = { 0 }, why = { 0 };
    struct err err = { 0 };
    struct run *run = lived();
    replay_take(&first, run, "9.8.7", "a-lesson main");
    assert_int_equal(first.line_count, 2);
    replay_write(&once, &first);
    assert_true(replay_read(&second, text_str(&once), once.len, "x.weft", &err));
    replay_write(&twice, &second);
    assert_string_equal(text_str(&once), text_str(&twice));
    assert_string_equal(second.version, "9.8.7");
    assert_string_equal(second.from, "a-lesson main");
    assert_string_equal(second.scenario.name, "two words");

    struct run *again = replay_start(&second, &err);
    bool same = false;
    assert_non_null(again);
    (void)run_until(again, second.end, 0);
    same = replay_judge(&second, again, &why) == REPLAY_SAME;
    assert_true(same);
    assert_true(run_journal_ok(again, NULL));
    assert_true(sim_state_hash(run_sim(again)) == sim_state_hash(run_sim(run)));
    run_destroy(again);

    second.trace ^= 1;
    again = replay_start(&second, &err);
    (void)run_until(again, second.end, 0);
    same = replay_judge(&second, again, &why) == REPLAY_SAME;
    assert_false(same);
    assert_non_null(strstr(text_str(&why), "weft 9.8.7 wrote \"done\""));
    run_destroy(again);
    run_destroy(run);
    replay_finish(&first);
    replay_finish(&second);
    text_finish(&once);
    text_finish(&twice);
    text_finish(&why);
}

/* ---- one change to a good file --------------------------------------------------------------- */

static struct change_case {
    const char *name, *from, *to; /* in the file; NULL `to`: the file ends at `from` */
    const char *where, *says;     /* NULL: it is still good */
} change_cases[] = {
    { "a comment and blank lines", "seed 7\n", "# luck\n\n  seed\t7  \n", NULL, NULL },
    { "lines that end as on Windows", "seed 7\n", "seed 7\r\n", NULL, NULL },
    { "a mark at the beginning", "weft-replay", "\xef\xbb\xbfweft-replay", NULL, NULL },
    { "no result", "result done", "# result done", NULL, NULL },
    { "other units", "start 3000001ps", "start 0.003000001ms", NULL, NULL },
    { "words of a record in another order", "bytes 1000000B", "priority 3 bytes 1MB", NULL, NULL },

    { "another kind of file", "weft-replay 1", "return weft", "x.weft:1", "no saved run" },
    { "a format to come", "weft-replay 1", "weft-replay 2", "x.weft:1", "newer weft" },
    { "cut off", "end\n", NULL, "x.weft:", "cut off" },
    { "cut off in a line", "learner ", NULL, "x.weft:", "cut off" },
    { "something behind the end", "end\n", "end\nseed 7\n", "x.weft:", "nothing may come after" },
    { "a word that is not there", "seed 7", "sed 7", "x.weft:", "did you mean seed?" },
    { "a word twice", "seed 7", "seed 7\nseed 8", "x.weft:", "twice" },
    { "a negative seed", "seed 7", "seed -7", "x.weft:", "a whole number" },
    { "a seed too large", "seed 7", "seed 1000000000000000", "x.weft:", "999999999999999" },
    { "a node twice", "node g2 host", "node g1 host", "x.weft:", "already a node" },
    { "a node's name too long", "node g2 host", "node g2345678901234567890123456789 host",
      "x.weft:", "longer than" },
    { "a node of no kind", "node g2 host", "node g2 router",
      "x.weft:", "write: node NAME host|switch" },
    { "a place for one node only", "node g2 host", "node g2 host row 1 column 1", "x.weft",
      "give all nodes row and column, or none" },
    { "a place outside", "node g2 host", "node g2 host row 99 column 1",
      "x.weft:", "g2 stands in row 99, column 1: rows go from 1 to 16" },
    { "a link to nowhere", "link g2 sw", "link g9 sw", "x.weft:", "no node \"g9\"" },
    { "a link without a rate", "link g2 sw rate 100Gbps", "link g2 sw",
      "x.weft:", "write: link NODE NODE rate RATE delay TIME" },
    { "a rate without a unit", "rate 100Gbps", "rate 100", "x.weft:", "no unit" },
    { "a rate of nothing", "rate 100Gbps", "rate 0Gbps", "x.weft:", "rate is 0" },
    { "a delay for ever", "delay 500ns", "delay 1e30s", "x.weft:", "delay" },
    { "a table of lanes that is none", "class 7\n", "class 7\nvl middle 3 weight 1\n",
      "x.weft:", "\"middle\" is not a word" },
    { "a lane too many", "class 7\n", "class 7\nvl low 8 weight 1\n", "x.weft:", "0 to 7" },
    { "lanes of Ethernet", "class 7\n", "class 7\nvl low 6 weight 1\n", "x.weft", "InfiniBand" },
    { "a class too many", "class 7\n", "class 8\n", "x.weft:", "from 0 to 7" },
    { "a class too heavy", "weight 7", "weight 1001", "x.weft", "from 0 to 1000" },
    { "a lane that is none", "weight 7", "weight 7 vl 9", "x.weft", "lanes are 0 to 7" },
    { "a journal without end", "learner 10000001ps", "learner 4000000s", "x.weft:", "26 days" },
    { "a result after the end of time", "result done at ",
      "result done at 4000000s trace 0123456789abcdef\n# ", "x.weft:", "26 days" },
    { "a flow of a switch", "flow g1 g2", "flow sw g2", "x.weft:", "from a host to a host" },
    { "a flow of 2^80 bytes", "bytes 1000000B", "bytes 1208925819614629174706176B",
      "x.weft:", "bytes" },
    { "a priority of 2^32", "priority 2", "priority 4294967296", "x.weft:", "too much" },
    { "two workloads", "flow g1 g2", "training bytes 1MB compute 0us steps 1\nflow g1 g2",
      "x.weft:", "a training loop already" },
    { "a switch that is not there", "set xoff ", "set xof ", "x.weft:", "did you mean \"xoff\"" },
    { "a switch twice", "set xoff ", "set xoff 1KB\nset xoff ", "x.weft:", "set twice" },
    { "a switch out of range", "set mtu 4096B", "set mtu 1B", "x.weft:", "mtu is" },
    { "switches that disagree", "set kmin ", "set kmin 1TB\n# ", "x.weft", "must not exceed" },
    { "a fault that is none", "slow g4 0.5", "slow g4 5", "x.weft:", "a share is from 0 to 1" },
    { "a journal out of order", "lesson 10000002ps", "lesson 1ps", "x.weft:", "sort them" },
    { "two lines in one instant", "lesson 10000002ps", "lesson 10000001ps",
      "x.weft:", "one an instant" },
    { "a line at 0", "learner 10000001ps", "learner 0ps", "x.weft:", "1ps" },
    { "a journal that restarts", "set xoff 20000B\n", "set mtu 1KB\n",
      "x.weft:", "write at the start: set mtu" },
    { "an outcome that is none", "result done", "result fine", "x.weft:", "write: result" },
    { "a hash that is none", "trace ", "trace x", "x.weft:", "no hash" },
    { "a control character", "two words", "two\001words", NULL, NULL }, /* becomes harmless */
    { "no hosts", "node g1 host", "end", "x.weft:", "nothing may come after" },
};

/* `from` may stand several times: the last one counts for journals, the first one else. */
static char *changed(const struct text *good, const struct change_case *c)
{
    const char *at = strstr(text_str(good), c->from);
    for (const char *next = at; strncmp(c->from, "set xoff 2", 10) == 0 && next != NULL;) {
        at = next;
        next = strstr(next + 1, c->from);
    }
    if (strcmp(c->from, "end\n") == 0) {
        at = text_str(good) + good->len - 4;
    }
    assert_non_null(at);
    struct text out = { 0 };
    text_add_n(&out, text_str(good), (size_t)(at - text_str(good)));
    if (c->to != NULL) {
        text_add(&out, c->to);
        text_add(&out, at + strlen(c->from));
    }
    return out.s;
}

static void change_case(void **state)
{
    const struct change_case *c = *state;
    struct replay replay;
    struct text good = { 0 };
    struct err err = { 0 };
    struct run *run = lived();
    replay_take(&replay, run, "1", NULL);
    replay_write(&good, &replay);
    replay_finish(&replay);
    run_destroy(run);
    char *data = changed(&good, c);
    const bool ok = replay_read(&replay, data, strlen(data), "x.weft", &err);
    if (c->says == NULL) {
        if (!ok) {
            fail_msg("%s: %s", err.where, err.msg);
        }
        replay_finish(&replay);
    } else {
        assert_false(ok);
        assert_null(replay.scenario.nodes); /* nothing half read */
        if (strstr(err.msg, c->says) == NULL || strstr(err.where, c->where) != err.where) {
            fail_msg("%s: %s", err.where, err.msg);
        }
    }
    free(data);
    text_finish(&good);
}

static void size_is_capped(void **state)
{
    (void)state;
    struct replay replay;
    struct err err = { 0 };
    struct text file = { 0 };
    text_addf(&file, "weft-replay 1\n%*s\n", REPLAY_LINE_MAX, "seed");
    assert_false(replay_read(&replay, text_str(&file), file.len, "x", &err));
    assert_string_equal(err.where, "x:2");
    text_clear(&file);
    text_add(&file, "weft-replay 1\nnode g1 host\n");
    for (int i = 0; i <= REPLAY_LINES_MAX; i++) {
        text_addf(&file, "learner %dps pause g1\n", i + 1);
    }
    assert_false(replay_read(&replay, text_str(&file), file.len, "x", &err));
    assert_non_null(strstr(err.msg, "more than 65536 lines"));
    text_clear(&file);
    text_add(&file, "weft-replay 1\n");
    for (int i = 0; i <= SIM_NODES_MAX; i++) {
        text_addf(&file, "node g%d host\n", i);
    }
    assert_false(replay_read(&replay, text_str(&file), file.len, "x", &err));
    assert_non_null(strstr(err.msg, "more than 8192 nodes"));
    assert_false(replay_read(&replay, "", 0, "x", &err));
    assert_non_null(strstr(err.msg, "an empty file"));
    text_finish(&file);
}

int main(void)
{
    static struct CMUnitTest tests[64];
    size_t n = 0;
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(lanes_are_saved);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(saved_run_is_the_same_run);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(size_is_capped);
    ROWS(tests, n, change_cases, change_case);
    return _cmocka_run_group_tests("run/replay", tests, n, NULL, NULL);
}
