/*
 * `weft validate`: the validation table, row by row; with --peers the rows beside the figures of
 * other simulators.
 */
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/units.h"
#include "export/probe.h"
#include "lesson/validate.h"

/* What is made of the results as they come in. */
struct table {
    bool json, peers;
    bool written; /* everything so far has arrived on stdout */
    json_t *rows;
    char last[64]; /* text: the row whose heading stands */
    size_t count[4];
};

/* ---- numbers --------------------------------------------------------------------------------- */

static void add_number(struct text *out, double x)
{
    text_addf(out, fabs(x) >= 1e5 && x == floor(x) ? "%.0f" : "%.7g", x);
}

static void add_expected(struct text *out, const struct validation_measure *m)
{
    if (m->has_expected) {
        add_number(out, m->expected);
        return;
    }
    if (m->has_least) {
        text_add(out, ">= ");
        add_number(out, m->least);
    }
    if (m->has_most) {
        text_add(out, m->has_least ? " and <= " : "<= ");
        add_number(out, m->most);
    }
}

static void add_tolerance(struct text *out, const struct validation_measure *m)
{
    if (!m->has_expected) {
        text_add(out, "bound");
    } else if (m->tolerance > 0) {
        text_add(out, "+- ");
        text_addf(out, "%.3g", m->tolerance);
    } else {
        text_add(out, "exact");
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void set_text(json_t *row, const char *name, const struct text *s)
{
    json_object_set_new(row, name, json_string(text_str(s)));
}

static void add_measure_json(json_t *row, const struct validation_result *r)
{
    const struct validation_measure *m = r->measure;
    struct text setup = { 0 };
    struct text bound = { 0 };
    text_addf(&setup, "%s%s%s; %s", r->row->setup, r->of_case->name[0] != '\0' ? "; " : "",
              r->of_case->name, m->name);
    add_expected(&bound, m);
    set_text(row, "setup", &setup);
    json_object_set_new(row, "expected",
                        m->has_expected ? json_real(m->expected) : json_string(text_str(&bound)));
    json_object_set_new(row, "measured",
                        !isfinite(r->measured) ? json_null() : json_real(r->measured));
    json_object_set_new(row, "tolerance",
                        m->has_expected ? json_real(m->tolerance) : json_string("bound"));
    json_object_set_new(row, "unit", json_string(validation_unit(m->unit)->name));
    text_finish(&setup);
    text_finish(&bound);
}

static json_t *real_or_null(bool given, double x)
{
    return given && isfinite(x) ? json_real(x) : json_null();
}

static json_t *text_or_null(const char *s)
{
    return s != NULL ? json_string(s) : json_null();
}

static json_t *peer_json(const struct validation_peer *peer, double measured)
{
    const enum validation_agreement agreement = validation_agreement(peer, measured);
    json_t *one = json_object();
    json_object_set_new(one, "peer", json_string(peer->name));
    json_object_set_new(one, "least", json_real(peer->least));
    json_object_set_new(one, "most", json_real(peer->most));
    json_object_set_new(one, "ratio", real_or_null(true, validation_ratio(peer, measured)));
    json_object_set_new(one, "below", real_or_null(peer->has_within, peer->below));
    json_object_set_new(one, "above", real_or_null(peer->has_within, peer->above));
    json_object_set_new(one, "agreement", json_string(validation_agreement_word(agreement)));
    json_object_set_new(one, "why", text_or_null(peer->why));
    return one;
}

static void add_peers_json(json_t *row, const struct validation_result *r)
{
    json_t *peers = json_array();
    for (size_t i = 0; r->measure != NULL && i < r->measure->peer_count; i++) {
        json_array_append_new(peers, peer_json(&r->measure->peers[i], r->measured));
    }
    json_object_set_new(row, "peers", peers);
}

static void tell_json(struct table *table, const struct validation_result *r)
{
    json_t *row = json_object();
    json_object_set_new(row, "id", json_string(r->row->id));
    if (r->measure != NULL) {
        add_measure_json(row, r);
    } else {
        json_object_set_new(row, "setup", json_string(r->row->setup));
        for (const char *const *name =
                 (const char *const[]){ "expected", "measured", "tolerance", "unit", NULL };
             *name != NULL; name++) {
            json_object_set_new(row, *name, json_null());
        }
    }
    json_object_set_new(row, "verdict", json_string(validation_verdict_word(r->verdict)));
    json_object_set_new(row, "source", json_string(r->row->source));
    json_object_set_new(row, "note", text_or_null(r->note));
    if (table->peers) {
        add_peers_json(row, r);
    }
    json_array_append_new(table->rows, row);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Lines of words, each behind so many blanks. */
static void add_wrapped(struct text *out, const char *s, int indent)
{
    enum { WIDTH = 100 };
    int column = WIDTH; /* the first word begins a line */
    while (*s != '\0') {
        const int n = (int)strcspn(s, " ");
        if (column + 1 + n > WIDTH) {
            text_addf(out, "\n%*s", indent, "");
            column = indent;
        } else {
            text_add(out, " ");
            column++;
        }
        text_addf(out, "%.*s", n, s);
        column += n;
        s += n + (int)strspn(s + n, " ");
    }
}

/* One line for each, and the reason. */
static void add_peers(struct text *out, const struct validation_result *r)
{
    for (size_t i = 0; i < r->measure->peer_count; i++) {
        const struct validation_peer *peer = &r->measure->peers[i];
        const enum validation_agreement agreement = validation_agreement(peer, r->measured);
        text_addf(out, "\n           %s: ", peer->name);
        add_number(out, peer->least);
        if (peer->most > peer->least) {
            text_add(out, " to ");
            add_number(out, peer->most);
        }
        text_addf(out, ", ratio %.5g, %s", validation_ratio(peer, r->measured),
                  validation_agreement_word(agreement));
        if (peer->has_within) {
            text_add(out, " (");
            add_number(out, peer->below);
            text_add(out, " to ");
            add_number(out, peer->above);
            text_add(out, ")");
        }
        if (peer->why != NULL) {
            add_wrapped(out, peer->why, 13);
        }
    }
}

static void tell_text(struct table *table, const struct validation_result *r)
{
    struct text out = { 0 };
    if (strcmp(table->last, r->row->id) != 0) {
        text_addf(&out, "%s%s  %s [%s]\n", table->last[0] != '\0' ? "\n" : "", r->row->id,
                  r->row->setup, r->row->source);
        (void)snprintf(table->last, sizeof table->last, "%s", r->row->id);
    }
    text_addf(&out, "  %-8s ", validation_verdict_word(r->verdict));
    if (r->measure != NULL) {
        text_addf(&out, "%s%s%s: ", r->of_case->name, r->of_case->name[0] != '\0' ? ": " : "",
                  r->measure->name);
        if (isnan(r->measured)) {
            text_add(&out, "not measured");
        } else {
            add_number(&out, r->measured);
            const struct validation_unit *unit = validation_unit(r->measure->unit);
            text_addf(&out, " %s", r->measured == 1 ? unit->one : unit->name);
        }
        text_add(&out, ", expected ");
        add_expected(&out, r->measure);
        text_add(&out, " (");
        add_tolerance(&out, r->measure);
        text_add(&out, ")");
    }
    if (r->note != NULL) {
        text_addf(&out, "%s%s", r->measure != NULL ? "\n           " : "", r->note);
    }
    if (r->measure != NULL && isfinite(r->measured)) {
        add_peers(&out, r);
    }
    text_add(&out, "\n");
    table->written = cli_print(&out) && table->written;
    text_finish(&out);
}

static void tell(void *ctx, const struct validation_result *result)
{
    struct table *table = ctx;
    table->count[result->verdict]++;
    (table->json ? tell_json : tell_text)(table, result);
}

static void add_sum(struct text *out, const struct table *table, size_t skipped)
{
    text_addf(out, "%s%zu pass, %zu fail, %zu disputed, %zu pending",
              table->last[0] != '\0' ? "\n" : "", table->count[VALIDATION_PASS],
              table->count[VALIDATION_FAIL], table->count[VALIDATION_DISPUTED],
              table->count[VALIDATION_PENDING]);
    if (skipped > 0) {
        char rows[64];
        text_addf(out, "; %s more with --full",
                  units_counted(rows, sizeof rows, (int64_t)skipped, "row", "rows"));
    }
    text_add(out, "\n");
}

int cli_cmd_validate(const struct cli_options *options)
{
    struct err err = { 0 };
    struct text errors = { 0 };
    struct text out = { 0 };
    struct table table = { .json = options->format == CLI_JSON,
                           .peers = options->peers,
                           .written = true,
                           .rows = json_array() };
    char *data_dir = cli_data_dir();
    const struct validation_wish wish = { .data_dir = data_dir,
                                          .probes = export_probes,
                                          .peers = options->peers,
                                          .ids = options->operands.item,
                                          .id_count = options->operands.count,
                                          .full = options->full,
                                          .tell = tell,
                                          .ctx = &table };
    size_t skipped = 0;
    int status = CLI_OK;
    if (!validation_run(&wish, &skipped, &errors, &err)) {
        status = errors.len > 0 ? CLI_FAILED : cli_complain(&err);
        (void)fputs(text_str(&errors), stderr);
    }
    if (status != CLI_USAGE) {
        if (table.json) {
            json_t *root = json_object();
            json_object_set(root, "rows", table.rows);
            char *s = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
            text_addf(&out, "%s\n", s);
            free(s);
            json_decref(root);
        } else {
            add_sum(&out, &table, skipped);
        }
        table.written = cli_print(&out) && table.written;
    }
    if (status == CLI_OK && (!table.written || table.count[VALIDATION_FAIL] > 0 ||
                             table.count[VALIDATION_DISPUTED] > 0)) {
        status = CLI_FAILED;
    }
    json_decref(table.rows);
    text_finish(&errors);
    text_finish(&out);
    free(data_dir);
    return status;
}
