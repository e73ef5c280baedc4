#include "export/comparison.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/units.h"
#include "export/json.h"

enum { SINGLE_SHOWN = 12, NAME_CELLS = 28, VALUE_CELLS = 14 };

/* ---- text ------------------------------------------------------------------------------------ */

static void add_side(struct text *out, const char *side, const struct export_side *s)
{
    char when[64];
    text_addf(out, "%-10s", side);
    if (s->settings[0] != '\0') {
        text_add_clean(out, s->settings, strlen(s->settings), false);
        text_add(out, ": ");
    }
    text_addf(out, "%s at %s\n", report_outcome_word(s->report->outcome),
              units_format(when, sizeof when, UNIT_TIME, s->report->end));
}

/* How many times as much; where that would be once, how much more. */
static const char *ratio_of(const struct difference *d, char *buf, size_t size)
{
    char more[64];
    if (isnan(d->left) || isnan(d->right) || d->left == 0) {
        return "";
    }
    (void)snprintf(buf, size, "  x %.3g", d->right / d->left);
    if (strcmp(buf, "  x 1") == 0 && fabs(d->right - d->left) * d->info->size >= 1) {
        (void)snprintf(buf, size, "  %c %s", d->right < d->left ? '-' : '+',
                       metric_show(d->info, fabs(d->right - d->left), more, sizeof more));
    } else if (strcmp(buf, "  x 1") == 0) {
        (void)snprintf(buf, size, "  x %.6f", d->right / d->left);
    }
    return buf;
}

static void add_differences(struct text *out, const struct differences *all)
{
    char left[64], right[64], ratio[64];
    if (all->count == 0) {
        text_add(out, "No number differs.\n");
        return;
    }
    text_addf(out, "\n%-*s%*s%*s\n", NAME_CELLS, "", VALUE_CELLS, "left", VALUE_CELLS, "right");
    size_t single = 0; /* numbers of one step, flow or queue: there may be thousands */
    for (size_t i = 0; i < all->count; i++) {
        const struct difference *d = &all->v[i];
        single += strchr(d->name, '[') != NULL;
        if (single <= SINGLE_SHOWN) {
            text_addf(out, "%-*s%*s%*s%s\n", NAME_CELLS, d->name, VALUE_CELLS,
                      metric_show(d->info, d->left, left, sizeof left), VALUE_CELLS,
                      metric_show(d->info, d->right, right, sizeof right),
                      ratio_of(d, ratio, sizeof ratio));
        }
    }
    if (single > SINGLE_SHOWN) {
        text_addf(out,
                  "... and %zu more numbers of single steps, flows and queues: --format json\n",
                  single - SINGLE_SHOWN);
    }
}

void export_comparison_text(struct text *out, const struct export_comparison *c)
{
    text_addf(out, c->scene != NULL ? "%s, scene %s\n" : "%s\n", c->name, c->scene);
    add_side(out, "left", &c->left);
    add_side(out, "right", &c->right);
    text_addf(out, "%-10s%s\n", "parts",
              c->first[0] != '\0' ? c->first : "nowhere: the same trace");
    add_differences(out, c->differences);
    for (size_t i = 0; i < c->condition_count; i++) {
        const struct export_condition *f = &c->conditions[i];
        text_addf(out, "%s", i == 0 ? "\n" : "");
        text_add_clean(out, f->text, strlen(f->text), false);
        text_addf(out, ": %s%s\n",
                  f->error != NULL ? "cannot be judged, "
                  : f->holds       ? "holds"
                                   : "does not hold",
                  f->error != NULL ? f->error : "");
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *number(double value)
{
    const bool whole = fabs(value) < 1e15 && value == floor(value);
    return isnan(value) || isinf(value) ? json_null()
           : whole                      ? json_integer((json_int_t)value)
                                        : json_real(value);
}

static json_t *side_object(const struct export_side *s)
{
    json_t *o = json_object();
    json_object_set_new(o, "settings", export_json_text(s->settings));
    json_object_set_new(o, "seed", json_integer((json_int_t)sim_seed(s->report->sim)));
    json_object_set_new(o, "outcome", json_string(report_outcome_word(s->report->outcome)));
    json_object_set_new(o, "end_ns", json_real((double)s->report->end / 1000.0));
    return o;
}

static json_t *first_object(const struct export_comparison *c)
{
    if (c->first[0] == '\0') {
        return json_null();
    }
    json_t *o = json_object();
    json_object_set_new(o, "at_ns", json_real((double)c->first_at / 1000.0));
    json_object_set_new(o, "sentence", export_json_text(c->first));
    return o;
}

static json_t *differences_array(const struct differences *all)
{
    json_t *list = json_array();
    for (size_t i = 0; i < all->count; i++) {
        const struct difference *d = &all->v[i];
        json_t *o = json_object();
        json_object_set_new(o, "name", export_json_text(d->name));
        json_object_set_new(o, "left", number(d->left));
        json_object_set_new(o, "right", number(d->right));
        json_object_set_new(o, "ratio", d->left == 0 ? json_null() : number(d->right / d->left));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *conditions_array(const struct export_comparison *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < c->condition_count; i++) {
        const struct export_condition *f = &c->conditions[i];
        json_t *o = json_object();
        json_object_set_new(o, "condition", export_json_text(f->text));
        json_object_set_new(o, "holds", f->error != NULL ? json_null() : json_boolean(f->holds));
        json_object_set_new(o, "error",
                            f->error != NULL ? export_json_text(f->error) : json_null());
        json_array_append_new(list, o);
    }
    return list;
}

void export_comparison_json(struct text *out, const struct export_comparison *c,
                            const char *version)
{
    json_t *root = json_object(); /* jansson keeps the order in which keys are set */
    json_object_set_new(root, "schema", json_integer(1));
    json_object_set_new(root, "weft", json_string(version));
    json_object_set_new(root, "scenario", export_json_text(c->name));
    json_object_set_new(root, "left", side_object(&c->left));
    json_object_set_new(root, "right", side_object(&c->right));
    json_object_set_new(root, "first_difference", first_object(c));
    json_object_set_new(root, "differences", differences_array(c->differences));
    json_object_set_new(root, "fail_if", conditions_array(c));
    char *s = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    text_addf(out, "%s\n", s);
    free(s);
    json_decref(root);
}
