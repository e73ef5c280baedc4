/* What may be typed: candidates, notes, Tab. Each row is a text and what is offered. */
#include "cmocka_rows.h"

#include <stdio.h>
#include <string.h>

#include "app/complete.h"
#include "app/prompt.h"
#include "app/typed.h"
#include "base/units.h"
#include "term/key.h"

static struct sim *small_fabric(void)
{
    struct sim_scenario sc;
    struct err err = { 0 };
    sim_scenario_init(&sc, "small");
    assert_true(sim_shape_star(&sc, 3, 100 * INT64_C(1000000000), UNIT_US, &err));
    assert_true(sim_scenario_flow(&sc, sim_scenario_find(&sc, "g1"), sim_scenario_find(&sc, "g2"),
                                  4096, 0, &err));
    struct sim *sim = sim_create(&sc, 1, &err);
    assert_non_null(sim);
    sim_scenario_finish(&sc);
    return sim;
}

static struct row {
    const char *name, *text;
    const char *want; /* the candidates, a blank between two; "...": and others */
    const char *note; /* is part of it; NULL: whatever */
} rows[] = {
    { "a command", "se", "set", "moves a switch" },
    { "a command of the screen", "auto", "auto-slow", NULL },
    { "a switch", "set xo", "xoff xon xon_offset", "name of a switch" },
    { "one switch", "set xof", "xoff", "default 100 KB, now 100 KB" },
    { "a switch by a part of its name", "set timeout_e", "timeout_exponent", NULL },
    { "nothing begins with it", "set min", "cred_min kmin dcqcn_min rto_min", NULL },
    { "words of a switch", "set ecn ", "off on", "default off, now off" },
    { "a number", "set xoff ", "100KB", "1 B to" },
    { "a number that may be auto", "set headroom ", "auto", "auto: from rate" },
    { "one that does nothing", "set kmin ", "100KB", "no effect now: ecn is off" },
    { "the shorthand", "set pfc ", "on off", NULL },
    { "a host", "slow ", "g1 g2 g3", "name of a host" },
    { "on and off", "hold g1 ", "on off", NULL },
    { "a share", "slow g1 ", "", "a share like 50%" },
    { "a port", "link g1", "g1:1", NULL },
    { "a flow", "drop ", "g1>g2", NULL },
    { "which packet", "drop g1>g2 ", "last middle first packet resend", NULL },
    { "what may be left out", "drop g1>g2 last ", "step attempts", NULL },
    { "behind what was left out", "drop g1>g2 last attempts 2", "", "how often" },
    { "next and previous", "go ", "next previous", NULL },
    { "an event", "go next d", "drop", NULL },
    { "a curve", "plot q", "queue", NULL },
    { "what a curve is of", "plot goodput ", "g1>g2 g1 g2 g3", NULL },
    { "nothing of this", "nonsense here", "", NULL },
    { "too many words", "a b c d e f g h i j k l m n o", "", NULL },
};

static void offers(void **state)
{
    const struct row *row = *state;
    struct sim *sim = small_fabric();
    const struct complete_world world = { .sim = sim };
    struct complete c;
    struct text got = { 0 };
    complete(&world, row->text, &c);
    for (size_t i = 0; i < c.count; i++) {
        text_addf(&got, "%s%s", i > 0 ? " " : "", c.word[i].text);
    }
    assert_string_equal(text_str(&got), row->want);
    if (row->note != NULL && strstr(c.note, row->note) == NULL) {
        fail_msg("the note is: %s", c.note);
    }
    text_finish(&got);
    sim_destroy(sim);
}

/* Every form can be typed word by word: its own first word is offered, and what stands in it is known. */
static void every_form_is_known(void **state)
{
    (void)state;
    struct typed_form form;
    for (size_t i = 0; (form = typed_form(i)).words != NULL; i++) {
        char first[32];
        struct complete c;
        snprintf(first, sizeof first, "%.*s", (int)strcspn(form.words, " "), form.words);
        complete(&(struct complete_world){ 0 }, first, &c);
        assert_true(c.count >= 1);
        assert_string_equal(c.word[0].text, first);
    }
}

static void every_switch_has_a_note(void **state)
{
    (void)state;
    char text[96];
    struct complete c;
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const struct sim_knob_info *info = sim_knob_info((enum sim_knob)k);
        snprintf(text, sizeof text, "set %s ", info->name);
        complete(&(struct complete_world){ 0 }, text, &c);
        assert_true(c.count >= 1);
        assert_non_null(strstr(c.note, "default"));
        for (size_t i = 0; i < c.count; i++) { /* what is offered is accepted */
            struct err err = { 0 };
            enum sim_knob knob;
            int64_t value;
            assert_true(sim_knob_parse(info->name, c.word[i].text, &knob, &value, &err));
        }
    }
}

static void type(struct prompt *p, const struct complete_world *world, const char *text)
{
    for (; *text != '\0'; text++) {
        prompt_key(p, (unsigned char)*text);
        prompt_look(p, world);
    }
}

static void tab_completes_and_goes_round(void **state)
{
    (void)state;
    struct sim *sim = small_fabric();
    const struct complete_world world = { .sim = sim };
    struct prompt p;
    prompt_open(&p);
    prompt_look(&p, &world);
    type(&p, &world, "se");
    assert_true(prompt_complete(&p, &world, false));
    assert_string_equal(p.text, "set ");
    type(&p, &world, "x");
    assert_true(prompt_complete(&p, &world, false));
    assert_string_equal(p.text, "set xo"); /* as far as they agree */
    assert_true(prompt_complete(&p, &world, false));
    assert_string_equal(p.text, "set xoff");
    assert_non_null(strstr(p.complete.note, "sends PAUSE"));
    assert_true(prompt_complete(&p, &world, false));
    assert_string_equal(p.text, "set xon");
    assert_true(prompt_complete(&p, &world, true));
    assert_true(prompt_complete(&p, &world, true));
    assert_string_equal(p.text, "set xon_offset"); /* round the beginning */
    prompt_key(&p, TERM_KEY_BACKSPACE);
    prompt_look(&p, &world);
    assert_string_equal(p.text, "set xon_offse");
    assert_int_equal(p.complete.count, 1);
    sim_destroy(sim);
}

/* Whatever is typed and completed stays within the line. */
static void long_lines_end(void **state)
{
    (void)state;
    const struct complete_world world = { 0 };
    struct prompt p;
    prompt_open(&p);
    prompt_look(&p, &world);
    for (int i = 0; i < 400; i++) {
        type(&p, &world, i % 7 == 0 ? " " : "x");
        (void)prompt_complete(&p, &world, i % 2 == 0);
        assert_int_equal(strlen(p.text), p.len);
        assert_true(p.len < sizeof p.text);
    }
}

int main(void)
{
    struct CMUnitTest tests[64] = {
        cmocka_unit_test(every_form_is_known),
        cmocka_unit_test(every_switch_has_a_note),
        cmocka_unit_test(tab_completes_and_goes_round),
        cmocka_unit_test(long_lines_end),
    };
    size_t n = 4;
    ROWS(tests, n, rows, offers);
    return _cmocka_run_group_tests("complete", tests, n, NULL, NULL);
}
