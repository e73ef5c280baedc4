/*
 * weft api --format json against the tables that lessons are read by: every row is there, in the same
 * order, and nothing else is.
 */
#include "cmocka_rows.h"

#include <string.h>

#include <jansson.h>

#include "lesson/api.h"
#include "lesson/check.h"
#include "lesson/data.h"
#include "lesson/measure.h"
#include "lesson/moment.h"
#include "lesson/quantity.h"
#include "lesson/reference.h"
#include "run/plot.h"
#include "sim/command.h"

static json_t *load(void)
{
    struct text out = { 0 }, again = { 0 };
    json_error_t error;
    lesson_reference_json(&out, "1.2.3");
    lesson_reference_json(&again, "1.2.3");
    assert_string_equal(text_str(&out), text_str(&again));
    json_t *root = json_loads(text_str(&out), 0, &error);
    if (root == NULL) {
        fail_msg("line %d: %s", error.line, error.text);
    }
    text_finish(&out);
    text_finish(&again);
    return root;
}

static void same_text(const json_t *row, const char *key, const char *want)
{
    const json_t *value = json_object_get(row, key);
    assert_non_null(value);
    if (want == NULL) {
        assert_true(json_is_null(value));
    } else {
        assert_string_equal(json_string_value(value), want);
    }
}

static void the_head(void **state)
{
    (void)state;
    json_t *root = load();
    assert_int_equal(json_integer_value(json_object_get(root, "schema")), 1);
    assert_int_equal(json_integer_value(json_object_get(root, "api")), 1);
    same_text(root, "weft", "1.2.3");
    assert_int_equal(json_object_size(root), 10);
    json_decref(root);
}

static void same_field(const json_t *row, const struct lesson_field_info *f)
{
    same_text(row, "name", f->name);
    same_text(row, "help", f->help);
    assert_int_equal(json_is_true(json_object_get(row, "required")), f->required);
    assert_true(json_is_string(json_object_get(row, "type")));
    if (f->type == LESSON_TYPE_INT) {
        assert_int_equal(json_integer_value(json_object_get(row, "min")), f->min);
        assert_int_equal(json_integer_value(json_object_get(row, "max")), f->max);
    }
    const json_t *words = json_object_get(row, "words");
    assert_int_equal(words != NULL, f->words != NULL);
    for (size_t i = 0; words != NULL && i < json_array_size(words); i++) {
        assert_string_equal(json_string_value(json_array_get(words, i)), f->words[i]);
    }
    const json_t *of = json_object_get(row, "of");
    size_t n = 0;
    for (int k = 0; k < LESSON_KIND_COUNT && f->type != LESSON_TYPE_INT; k++) {
        if ((f->max >> k & 1) != 0) {
            assert_string_equal(json_string_value(json_array_get(of, n++)),
                                lesson_kind_info((enum lesson_kind)k)->name);
        }
    }
    assert_int_equal(n, json_array_size(of));
}

static void every_constructor(void **state)
{
    (void)state;
    json_t *root = load();
    const json_t *all = json_object_get(root, "constructors");
    size_t fields = 0;
    assert_int_equal(json_array_size(all), LESSON_KIND_COUNT);
    for (int k = 0; k < LESSON_KIND_COUNT; k++) {
        const json_t *row = json_array_get(all, (size_t)k);
        const json_t *list = json_object_get(row, "fields");
        size_t n = 0;
        same_text(row, "name", lesson_kind_info((enum lesson_kind)k)->name);
        same_text(row, "help", lesson_kind_info((enum lesson_kind)k)->help);
        assert_int_equal(json_is_true(json_object_get(row, "item")),
                         lesson_kind_is_item((enum lesson_kind)k));
        for (int i = 0; i < LESSON_FIELD_COUNT; i++) {
            const struct lesson_field_info *f = lesson_field_info((enum lesson_field)i);
            if ((int)f->kind == k) {
                same_field(json_array_get(list, n++), f);
            }
        }
        assert_int_equal(n, json_array_size(list));
        fields += n;
    }
    assert_int_equal(fields, LESSON_FIELD_COUNT);
    json_decref(root);
}

static void same_rows(const json_t *all, bool (*next)(size_t i, struct lesson_measured *row))
{
    struct lesson_measured m;
    size_t n = 0;
    for (; next(n, &m); n++) {
        const json_t *row = json_array_get(all, n);
        same_text(row, "of", m.of);
        same_text(row, "name", m.name);
        same_text(row, "takes", m.takes);
        same_text(row, "type", m.type);
        same_text(row, "help", m.help);
    }
    assert_int_equal(n, json_array_size(all));
    assert_true(n > 0);
}

static void all_that_is_measured(void **state)
{
    (void)state;
    json_t *root = load();
    same_rows(json_object_get(root, "measured"), lesson_measured);
    same_rows(json_object_get(root, "moments"), lesson_moment_field);
    const json_t *parts = json_object_get(root, "parts");
    enum unit_kind unit;
    size_t n = 0;
    for (const char *name; (name = lesson_quantity_part(n, &unit)) != NULL; n++) {
        same_text(json_array_get(parts, n), "name", name);
    }
    assert_int_equal(n, json_array_size(parts));
    json_decref(root);
}

static void commands_plots_and_rules(void **state)
{
    (void)state;
    json_t *root = load();
    const json_t *commands = json_object_get(root, "commands");
    const json_t *rules = json_object_get(root, "rules");
    size_t n = 0;
    for (const struct sim_cmd_form *form; (form = sim_cmd_form(n)) != NULL; n++) {
        same_text(json_array_get(commands, n), "form", form->words);
        same_text(json_array_get(commands, n), "help", form->help);
    }
    assert_int_equal(n, json_array_size(commands));
    const json_t *plots = json_object_get(root, "plots");
    assert_int_equal(json_array_size(plots), RUN_PLOT_COUNT);
    for (int k = 0; k < RUN_PLOT_COUNT; k++) {
        same_text(json_array_get(plots, (size_t)k), "name",
                  run_plot_info((enum run_plot_kind)k)->word);
    }
    assert_int_equal(json_array_size(rules), LESSON_RULE_COUNT);
    for (int r = 0; r < LESSON_RULE_COUNT; r++) {
        same_text(json_array_get(rules, (size_t)r), "name", lesson_rule_name((enum lesson_rule)r));
    }
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head),
        cmocka_unit_test(every_constructor),
        cmocka_unit_test(all_that_is_measured),
        cmocka_unit_test(commands_plots_and_rules),
    };
    return cmocka_run_group_tests_name("lesson/reference", tests, NULL, NULL);
}
