/*
 * Loading a lesson takes time in proportion to its length: twice the cards, about twice the work. (How much
 * that is `weft bench` says.) Processor time, the least of several tries of both, so that a busy
 * machine tells the same.
 */
#define _POSIX_C_SOURCE 200809L

#include "cmocka_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "lesson/lesson.h"

/* Were each field looked for from the top of the file, it would be 4; with what is the same for both,
 * twice the cards are somewhat less than 2. */
#define RATIO_MAX 2.8
#define ROUNDS    12 /* at most */
#define CARDS     60

static const char head[] =
    "local weft = require \"weft\"\n"
    "return weft.lesson {\n"
    "  api = 1, id = \"long\", title = \"Long\", year = 2014, minutes = 60,\n"
    "  scenes = { main = weft.scenario {\n"
    "    fabric = weft.star { hosts = 4, rate = \"100Gbps\", delay = \"500ns\" },\n"
    "    workload = weft.training { compute = \"5us\", steps = 9,\n"
    "      collective = weft.ring_allreduce { bytes = \"64KiB\" } } } },\n"
    "  weft.scene \"main\",\n";

static const char card[] =
    "  weft.say [[\n    **A card.** A step took {steps[1].duration}.\n  ]],\n"
    "  weft.predict {\n"
    "    ask = \"What?\",\n"
    "    choices = {\n"
    "      { \"nothing\", belief = \"a\", reply = \"No: {this.duration}.\" },\n"
    "      { \"much\", reply = \"Yes.\" },\n"
    "    },\n"
    "    because = \"It took {this.duration}.\",\n"
    "    truth = function(r) local a, b = r.this, r.steps[1]; return a and b and 2 or 1 end,\n"
    "  },\n"
    "  weft.play { to = \"barrier\", gear = \"step\" },\n"
    "  weft.claim(\"it is\", function(r) return r.timeouts == 0 end),\n";

static void write_lesson(const char *path, int cards)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    (void)fputs(head, file);
    for (int i = 0; i < cards; i++) {
        (void)fputs(card, file);
    }
    (void)fputs("}\n", file);
    assert_int_equal(fclose(file), 0);
}

static double time_to_load(const char *path, int cards)
{
    struct timespec from, to;
    struct err err = { 0 };
    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from), 0);
    struct lesson *lesson = lesson_load(path, WEFT_SOURCE, NULL, &err);
    assert_int_equal(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to), 0);
    if (lesson == NULL) {
        fail_msg("%s: %s", err.where, err.msg);
    }
    assert_int_equal(lesson_card_count(lesson), cards);
    lesson_destroy(lesson);
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

static void twice_the_cards_twice_the_work(void **state)
{
    (void)state;
    char folder[] = "/tmp/weft-load-XXXXXX";
    struct text one = { 0 }, two = { 0 };
    double least_one = 1e9, least_two = 1e9;
    assert_non_null(mkdtemp(folder));
    text_addf(&one, "%s/one.lua", folder);
    text_addf(&two, "%s/two.lua", folder);
    write_lesson(text_str(&one), CARDS);
    write_lesson(text_str(&two), 2 * CARDS);
    for (int i = 0; i < ROUNDS && (i < 3 || least_two > RATIO_MAX * least_one); i++) {
        const double a = time_to_load(text_str(&one), CARDS);
        const double b = time_to_load(text_str(&two), 2 * CARDS);
        least_one = a < least_one ? a : least_one;
        least_two = b < least_two ? b : least_two;
    }
    if (least_two > RATIO_MAX * least_one) {
        fail_msg("%d cards take %.2f times as long as %d", 2 * CARDS, least_two / least_one, CARDS);
    }
    assert_int_equal(unlink(text_str(&one)), 0);
    assert_int_equal(unlink(text_str(&two)), 0);
    assert_int_equal(rmdir(folder), 0);
    text_finish(&one);
    text_finish(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(twice_the_cards_twice_the_work) };
    return cmocka_run_group_tests_name("lesson/load", tests, NULL, NULL);
}
