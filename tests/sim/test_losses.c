/*
 * Faults of loss: what each of them destroys, and what that costs. One flow through one switch, 100
 * Gb/s, packets of 1024 bytes, so that every cost is a closed form.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fabric.h"

#define LEN(array) (sizeof(array) / sizeof *(array))

enum {
    PACKETS = 50,
    SLOT = 1106 * 80,                /* of a full packet */
    THERE = 2 * (1094 * 80 + 25000), /* its last bit, over both cables */
    BACK = 2 * (74 * 80 + 25000),    /* an answer's */
    TIMEOUT = 4096000 << 8,          /* of exponent 8: 1.05 ms */
};

static struct sim *one_flow(const char *ack_every, const char *const *commands, size_t count)
{
    struct sim_scenario sc;
    fabric_init(&sc, "losses");
    fabric_star(&sc, 2, "100Gbps", NULL);
    fabric_set(&sc, "ack_every", ack_every);
    fabric_set(&sc, "timeout_exponent", "8");
    fabric_flow(&sc, "g1", "g2", PACKETS * 1024, 10);
    struct sim *s = fabric_build(&sc);
    for (size_t i = 0; i < count; i++) {
        fabric_do(s, commands[i]);
    }
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    (void)sim_run_until(s, sim_now(s) + UNIT_MS, 0);
    assert_int_equal(sim_counters(s).dropped + sim_counters(s).delivered + sim_counters(s).refused,
                     sim_counters(s).sent);
    return s;
}

static struct sim *with(const char *ack_every, const char *command)
{
    return one_flow(ack_every, &command, command != NULL);
}

static sim_ps acked_with(const char *ack_every, const char *command)
{
    struct sim *s = with(ack_every, command);
    const sim_ps at = sim_flow_state(s, 0).acked_at;
    sim_destroy(s);
    return at;
}

/* ---- one frame on its cable ------------------------------------------------------------------ */

/* Each kind of frame there is in a run with PFC and two senders is destroyed once: it is counted, said,
 * gone, and the run comes to its end with sound books. */
static void any_frame_can_be_destroyed(void **state)
{
    (void)state;
    static const struct {
        const char *cmd, *said;
        uint32_t attempt;
    } rows[] = {
        { "drop_frame sw:3 pause", "", SIM_ATTEMPT_XOFF },
        { "drop_frame g3:1 ack", "ACK g", SIM_ATTEMPT_ACK },
        { "drop_frame sw:1 pause", "PAUSE from sw is lost at g1: fault", SIM_ATTEMPT_XOFF },
        { "drop_frame sw:1 go", "go from sw is lost at g1: fault", SIM_ATTEMPT_XON },
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_scenario sc;
        struct sim_cmd cmd;
        struct err err = { 0 };
        fabric_init(&sc, "frames");
        fabric_star(&sc, 3, "100Gbps", NULL);
        fabric_set(&sc, "ack_every", "1");
        fabric_flow(&sc, "g1", "g3", 400 * 1024, 10);
        fabric_flow(&sc, "g2", "g3", 400 * 1024, 10);
        struct sim *s = fabric_build(&sc);
        assert_true(sim_cmd_parse(rows[i].cmd, &cmd, &err));
        bool found = false;
        while (!found && sim_run_one(s)) {
            found = sim_would_apply(s, &cmd, &err);
        }
        assert_true(found == (rows[i].said[0] != '\0')); /* the receiver never pauses the switch */
        if (found) {
            fabric_do(s, rows[i].cmd);
            const struct sim_record *marks;
            const size_t n = sim_trace_marks(s, &marks);
            char line[160];
            assert_int_equal(marks[n - 1].kind, SIM_TRACE_DROP);
            assert_int_equal(marks[n - 1].attempt, rows[i].attempt);
            assert_non_null(
                strstr(sim_trace_say(s, &marks[n - 1], line, sizeof line), rows[i].said));
            assert_int_equal(sim_counters(s).answers_dropped, 1);
        }
        while (sim_run_one(s)) {
            assert_true(sim_audit(s, &err));
        }
        assert_int_equal(sim_outcome(s), SIM_DONE);
        sim_destroy(s);
    }
}

/* ---- a field that is wrong ------------------------------------------------------------------- */

/* g1 - s1 - s2 - s3 - g2, to the end. NULL ends the commands. */
static struct sim *down_a_chain(const char *cut_through, const char *const *commands)
{
    static const char *const rates[] = { "100Gbps", "100Gbps", "100Gbps", "100Gbps" };
    struct sim_scenario sc;
    struct err err = { 0 };
    fabric_init(&sc, "corrupt");
    fabric_chain(&sc, rates, LEN(rates));
    fabric_set(&sc, "cut_through", cut_through);
    fabric_flow(&sc, "g1", "g2", 40 * 1024, 10);
    struct sim *s = fabric_build(&sc);
    for (; *commands != NULL; commands++) {
        fabric_do(s, *commands);
    }
    while (sim_run_one(s)) {
        assert_true(sim_audit(s, &err));
    }
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_int_equal(sim_flow_state(s, 0).delivered_bytes, 40 * 1024);
    return s;
}

/* Each field is refused where something covers it, and by nobody else; what is refused is sent again,
 * and costs what any lost packet costs. */
static void a_wrong_field_is_refused_where_it_is_covered(void **state)
{
    (void)state;
    static const struct {
        const char *cmd, *where[2]; /* stored, cut through */
        enum sim_reason reason;
    } rows[] = {
        { "corrupt g1>g2 frame", { "s1: fcs", "g2: fcs" }, SIM_REASON_FCS },
        { "corrupt g1>g2 mac", { NULL, NULL }, SIM_REASON_NONE },
        { "corrupt g1>g2 ttl", { "s2: ip-checksum", "s2: ip-checksum" }, SIM_REASON_IP_CHECKSUM },
        { "corrupt g1>g2 address",
          { "s2: ip-checksum", "s2: ip-checksum" },
          SIM_REASON_IP_CHECKSUM },
        { "corrupt g1>g2 port", { "g2: udp-port", "g2: udp-port" }, SIM_REASON_UDP_PORT },
        { "corrupt g1>g2 reserved", { NULL, NULL }, SIM_REASON_NONE },
        { "corrupt g1>g2 psn", { "g2: icrc", "g2: icrc" }, SIM_REASON_ICRC },
        { "corrupt g1>g2 payload", { "g2: icrc", "g2: icrc" }, SIM_REASON_ICRC },
    };
    static const char *const ways[] = { "off", "on" };
    for (size_t i = 0; i < 2 * LEN(rows); i++) {
        const char *const commands[] = { rows[i / 2].cmd, NULL };
        const char *const where = rows[i / 2].where[i % 2];
        struct sim *s = down_a_chain(ways[i % 2], commands);
        print_message("# %s, cut through %s\n", rows[i / 2].cmd, ways[i % 2]);
        assert_int_equal(sim_counters(s).dropped, where != NULL);
        assert_int_equal(sim_counters(s).naks, where != NULL);
        assert_int_equal(sim_counters(s).dropped_by[rows[i / 2].reason], where != NULL);
        const struct sim_record *marks;
        const size_t n = sim_trace_marks(s, &marks);
        char line[160];
        for (size_t m = 0; m < n; m++) {
            assert_true(marks[m].kind != SIM_TRACE_DROP ||
                        strstr(sim_trace_say(s, &marks[m], line, sizeof line), where) != NULL);
        }
        sim_destroy(s);
    }
}

/* Several wait for several packets, oldest first; a packet that is lost before anybody has looked takes its
 * rule along. */
static void wrong_fields_wait_their_turn(void **state)
{
    (void)state;
    static const char *const two[] = { "corrupt g1>g2 psn", "corrupt g1>g2 ttl", NULL };
    static const char *const lost[] = { "corrupt g1>g2 psn", "drop g1>g2:0", NULL };
    struct sim_cmd cmd;
    struct err err = { 0 };
    struct sim *s = down_a_chain("off", two);
    assert_int_equal(sim_counters(s).dropped_by[SIM_REASON_ICRC], 1);
    assert_int_equal(sim_counters(s).dropped_by[SIM_REASON_IP_CHECKSUM], 1);
    sim_destroy(s);
    s = down_a_chain("off",
                     lost); /* the drop strikes first; the next packet is the one that is spoilt */
    assert_int_equal(sim_counters(s).dropped_by[SIM_REASON_FAULT], 1);
    assert_int_equal(sim_counters(s).dropped_by[SIM_REASON_ICRC], 1);
    for (int i = 0; i < 8; i++) {
        fabric_do(s, "corrupt g1>g2 psn");
    }
    assert_true(sim_cmd_parse("corrupt g1>g2 psn", &cmd, &err));
    assert_false(sim_would_apply(s, &cmd, &err));
    assert_non_null(strstr(err.msg, "waiting to be spoilt"));
    sim_destroy(s);
}

/* ---- bursts ---------------------------------------------------------------------------------- */

/* The gap is seen when the first packet behind the burst comes: each packet more in it costs one
 * slot more, and nothing else. */
static void each_packet_of_a_burst_costs_a_slot(void **state)
{
    (void)state;
    const sim_ps one = acked_with("1", "burst 1 g1>g2:20");
    fabric_exactly("a burst of one", one, acked_with("1", "drop g1>g2:20"));
    for (int k = 2; k <= 20; k++) {
        char text[64];
        (void)snprintf(text, sizeof text, "burst %d g1>g2:20", k);
        struct sim *s = with("1", text);
        assert_int_equal(sim_flow_state(s, 0).dropped, k);
        assert_int_equal(sim_counters(s).timeouts, 0);
        assert_int_equal(sim_counters(s).naks, 1);
        fabric_exactly(text, sim_flow_state(s, 0).acked_at, one + (sim_ps)(k - 1) * SLOT);
        sim_destroy(s);
    }
}

/* From a moment on: whatever comes next. Nothing follows a burst that takes the tail. */
static void bursts_begin_and_end(void **state)
{
    (void)state;
    static const struct {
        const char *command;
        uint64_t dropped, timeouts;
    } rows[] = {
        { "burst 7", 7, 0 },          { "burst 7 g1>g2", 7, 0 },    { "burst 0", 0, 0 },
        { "burst 3 g1>g2:47", 3, 1 }, { "burst 4 g1>g2:47", 4, 1 }, /* the next two reveal that the resend is lost, too */
    };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim *s = with("1", rows[i].command);
        print_message("# %s\n", rows[i].command);
        assert_int_equal(sim_flow_state(s, 0).dropped, rows[i].dropped);
        assert_int_equal(sim_counters(s).timeouts, rows[i].timeouts);
        assert_int_equal(sim_counters(s).dropped_by[SIM_REASON_FAULT], rows[i].dropped);
        sim_destroy(s);
    }
}

/* A later one replaces an earlier one; one for a packet that has arrived is refused. */
static void one_burst_at_a_time(void **state)
{
    (void)state;
    static const char *const both[] = { "burst 30 g1>g2:10", "burst 2 g1>g2:10" };
    struct sim *s = one_flow("1", both, LEN(both));
    struct sim_cmd cmd;
    struct err err = { 0 };
    assert_int_equal(sim_flow_state(s, 0).dropped, 2);
    assert_true(sim_cmd_parse("burst 2 g1>g2:10", &cmd, NULL));
    assert_false(sim_would_apply(s, &cmd, &err));
    assert_non_null(strstr(err.msg, "is past"));
    sim_destroy(s);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* The next ACK says the same and more. */
static void a_lost_ack_costs_nothing(void **state)
{
    (void)state;
    const sim_ps clean = acked_with("1", NULL);
    fabric_exactly("the first ACK lost", acked_with("1", "drop_ack 1 g1>g2"), clean);
    fabric_exactly("all but the last lost", acked_with("1", "drop_ack 49"), clean);
}

/*
 * Nothing says what the last ACK said, until the timer sends its packet again. The receiver has it and
 * acknowledges it once more: one timeout, one packet for nothing. The timer runs from the ACK before,
 * which came a slot earlier.
 */
static void the_last_ack_costs_a_timeout(void **state)
{
    (void)state;
    const sim_ps clean = acked_with("1", NULL);
    struct sim *s = with("1", "drop_ack 50");
    /* all 50 lost: the timer runs from the first packet on, all are sent again until an ACK comes */
    fabric_exactly("no ACK at all", sim_flow_state(s, 0).acked_at, 10 + TIMEOUT + THERE + BACK);
    assert_int_equal(sim_flow_state(s, 0).resent, (THERE + BACK) / SLOT + 1);
    assert_int_equal(sim_counters(s).refused, (THERE + BACK) / SLOT + 1);
    assert_int_equal(sim_counters(s).timeouts, 1);
    sim_destroy(s);

    struct sim_scenario sc;
    fabric_init(&sc, "losses");
    fabric_star(&sc, 2, "100Gbps", NULL);
    fabric_set(&sc, "timeout_exponent", "8");
    fabric_flow(&sc, "g1", "g2", PACKETS * 1024, 10);
    s = fabric_build(&sc);
    (void)sim_run_until(s, clean - BACK - SLOT / 2, 0); /* 49 answers are on their way or there */
    fabric_do(s, "drop_ack 1 g1>g2");
    (void)sim_run_until(s, clean - BACK + 1, 0);
    fabric_finish(s, UNIT_S);
    const struct sim_flow_state flow = sim_flow_state(s, 0);
    fabric_exactly("the last ACK lost", flow.acked_at, clean - SLOT + TIMEOUT + THERE + BACK);
    fabric_exactly("all arrived long before", flow.delivered_at, clean - BACK);
    assert_int_equal(flow.resent, 1);
    assert_int_equal(sim_counters(s).refused, 1);
    assert_int_equal(sim_counters(s).timeouts, 1);
    sim_destroy(s);
}

/* The receiver asks once: without its NAK only the timer helps. */
static void a_lost_nak_costs_a_timeout(void **state)
{
    (void)state;
    static const char *const both[] = { "drop g1>g2:20", "drop_ack 1 g1>g2" };
    struct sim *s = one_flow("0", both, LEN(both));
    assert_int_equal(sim_counters(s).naks, 1);
    assert_int_equal(sim_counters(s).timeouts, 1);
    assert_true(sim_flow_state(s, 0).acked_at > TIMEOUT);
    assert_true(sim_flow_state(s, 0).acked_at < TIMEOUT + 10 * UNIT_US);
    sim_destroy(s);
}

/* ACKs are cumulative: data flows as if none were lost, whatever share of them is. */
static void random_ack_loss_does_not_slow_data(void **state)
{
    (void)state;
    enum { MANY = 2000 };
    static const char *const shares[] = { "loss_ack 0", "loss_ack 30%", "loss_ack 90% g1>g2" };
    sim_ps delivered[LEN(shares)];
    for (size_t i = 0; i < LEN(shares); i++) {
        struct sim_scenario sc;
        fabric_init(&sc, "losses");
        fabric_star(&sc, 2, "100Gbps", NULL);
        fabric_flow(&sc, "g1", "g2", MANY * 1024, 10);
        struct sim *s = fabric_build(&sc);
        fabric_do(s, shares[i]);
        fabric_finish(s, UNIT_S);
        delivered[i] = sim_flow_state(s, 0).delivered_at;
        const double lost = (double)sim_counters(s).answers_dropped / MANY;
        fabric_near(shares[i], lost, i == 0 ? 0 : i == 1 ? 0.3 : 0.9, 0.04);
        assert_int_equal(sim_counters(s).dropped, 0);
        sim_destroy(s);
    }
    fabric_exactly("30 % lost", delivered[1], delivered[0]);
    fabric_exactly("90 % lost", delivered[2], delivered[0]);
}

static void a_lost_ack_is_told(void **state)
{
    (void)state;
    struct sim *s = with("0", "drop_ack 1 g1>g2");
    const struct sim_record *mark;
    const size_t n = sim_trace_marks(s, &mark);
    char text[160] = "";
    for (size_t i = 0; i < n; i++) {
        if (mark[i].kind == SIM_TRACE_DROP) {
            (void)sim_trace_say(s, &mark[i], text, sizeof text);
        }
    }
    assert_string_equal(text, "ACK g1>g2:49 is lost at sw: fault");
    sim_destroy(s);
}

/* ---- resends --------------------------------------------------------------------------------- */

/* The one NAK is not repeated: a lost resend is the timer's, whatever the transport. */
static void a_lost_resend_costs_a_timeout(void **state)
{
    (void)state;
    static const struct {
        const char *transport;
        uint64_t timeouts;
    } rows[] = { { "go_back_n", 1 }, { "go_back_0", 1 }, { "selective", 1 }, { "tcp", 1 } };
    for (size_t i = 0; i < LEN(rows); i++) {
        struct sim_scenario sc;
        fabric_init(&sc, "losses");
        fabric_star(&sc, 2, "100Gbps", NULL);
        fabric_set(&sc, "transport", rows[i].transport);
        fabric_set(&sc, "mss", "1024B");
        fabric_flow(&sc, "g1", "g2", PACKETS * 1024, 10);
        struct sim *s = fabric_build(&sc);
        fabric_do(s, "drop g1>g2:20");
        fabric_do(s, "drop g1>g2 resend");
        fabric_finish(s, 10 * UNIT_S);
        print_message("# %s\n", rows[i].transport);
        assert_int_equal(sim_flow_state(s, 0).dropped, 2);
        assert_int_equal(sim_counters(s).timeouts, rows[i].timeouts);
        sim_destroy(s);
    }
}

/* RTO_low is for three outstanding packets or fewer, however the timer began. */
static void a_short_tail_has_the_short_timer(void **state)
{
    (void)state;
    for (int packets = 1; packets <= 6; packets++) {
        struct sim_scenario sc;
        fabric_init(&sc, "losses");
        fabric_star(&sc, 2, "100Gbps", "100us"); /* there and back: 400 us */
        fabric_set(&sc, "transport", "selective");
        fabric_set(&sc, "rto_low", "300us");
        fabric_set(&sc, "rto_high", "500us");
        fabric_flow(&sc, "g1", "g2", packets * 1024, 0);
        struct sim *s = fabric_build(&sc);
        fabric_finish(s, UNIT_S);
        assert_int_equal(sim_outcome(s), SIM_DONE);
        assert_int_equal(sim_counters(s).timeouts, packets <= 3);
        sim_destroy(s);
    }
}

/* With fewer packets outstanding than share an ACK, the one that fills the window asks for its own. */
static void a_full_window_asks_for_an_ack(void **state)
{
    (void)state;
    static const char *const windows[] = { "1", "5", "15", "16", "40", "unlimited" };
    static const char *const shares[] = { "0", "16" };
    for (size_t i = 0; i < LEN(windows) * LEN(shares); i++) {
        struct sim_scenario sc;
        fabric_init(&sc, "losses");
        fabric_star(&sc, 2, "100Gbps", NULL);
        fabric_set(&sc, "transport", "selective");
        fabric_set(&sc, "window", windows[i / LEN(shares)]);
        fabric_set(&sc, "ack_every", shares[i % LEN(shares)]);
        fabric_flow(&sc, "g1", "g2", 100 * 1024, 0);
        struct sim *s = fabric_build(&sc);
        fabric_finish(s, UNIT_S);
        assert_int_equal(sim_outcome(s), SIM_DONE);
        assert_int_equal(sim_counters(s).timeouts, 0);
        assert_int_equal(sim_counters(s).sent, 100);
        sim_destroy(s);
    }
}

/* go-back-0 moves una from message to message only. What counts against its retry limit are timeouts
 * without an ACK between them, as with the others. Each time the first packet is lost as it is resent. */
static void an_ack_ends_a_row_of_timeouts(void **state)
{
    (void)state;
    struct sim_scenario sc;
    fabric_init(&sc, "losses");
    fabric_star(&sc, 2, "100Gbps", NULL);
    fabric_set(&sc, "transport", "go_back_0");
    fabric_set(&sc, "retry_limit", "1");
    fabric_flow(&sc, "g1", "g2", 100 * 1024, 10);
    struct sim *s = fabric_build(&sc);
    fabric_do(s, "drop g1>g2:20#1");
    fabric_do(s, "drop g1>g2:0#2");
    fabric_do(s, "drop g1>g2:20#3");
    fabric_do(s, "drop g1>g2:0#4");
    fabric_finish(s, UNIT_S);
    assert_int_equal(sim_outcome(s), SIM_DONE);
    assert_int_equal(sim_counters(s).timeouts, 2);
    assert_int_equal(sim_flow_state(s, 0).delivered_bytes, 100 * 1024);
    sim_destroy(s);
}

/* The same as two attempts of the same packet; `attempts` goes on. */
static void resends_in_a_row(void **state)
{
    (void)state;
    static const char *const both[] = { "drop g1>g2:20", "drop g1>g2 resend" };
    static const char *const four[] = { "drop g1>g2:20", "drop g1>g2 resend attempts 3" };
    struct sim *s = one_flow("1", both, LEN(both));
    fabric_exactly("a packet and its resend", sim_flow_state(s, 0).acked_at,
                   acked_with("1", "drop g1>g2:20 attempts 2"));
    sim_destroy(s);
    s = one_flow("1", four, LEN(four));
    /* the first resend and the two behind it: nothing is left of the gap but what comes fourth */
    assert_int_equal(sim_flow_state(s, 0).dropped, 4);
    sim_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_packet_of_a_burst_costs_a_slot),
        cmocka_unit_test(bursts_begin_and_end),
        cmocka_unit_test(one_burst_at_a_time),
        cmocka_unit_test(a_lost_ack_costs_nothing),
        cmocka_unit_test(the_last_ack_costs_a_timeout),
        cmocka_unit_test(a_lost_nak_costs_a_timeout),
        cmocka_unit_test(random_ack_loss_does_not_slow_data),
        cmocka_unit_test(a_lost_ack_is_told),
        cmocka_unit_test(a_lost_resend_costs_a_timeout),
        cmocka_unit_test(any_frame_can_be_destroyed),
        cmocka_unit_test(a_wrong_field_is_refused_where_it_is_covered),
        cmocka_unit_test(wrong_fields_wait_their_turn),
        cmocka_unit_test(a_short_tail_has_the_short_timer),
        cmocka_unit_test(resends_in_a_row),
        cmocka_unit_test(a_full_window_asks_for_an_ack),
        cmocka_unit_test(an_ack_ends_a_row_of_timeouts),
    };
    return cmocka_run_group_tests_name("losses", tests, NULL, NULL);
}
