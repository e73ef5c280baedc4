/*
 * The table of a sweep: its rows as lines of text, a file of them, and files joined.
 *
 * A file that is joined may be any file: every line is looked at before it is believed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/sweep.h"

static const char json_tail[] = "\n  ]\n}\n";

/* ---- lines ----------------------------------------------------------------------------------- */

static void add_axis_value(struct text *out, const struct sweep_axis *axis, int64_t value)
{
    char buf[64];
    if (axis->seed) {
        text_addf(out, "%" PRId64, value);
    } else {
        text_add(out, sim_knob_format(axis->knob, value, true, buf, sizeof buf));
    }
}

static const char *outcome_of(const struct sweep_result *result)
{
    return result->error != NULL ? "error" : report_outcome_word(result->outcome);
}

/* Between quotes, with each `mark` of a quote inside in front of it. */
static void add_quoted(struct text *out, const char *s, bool json)
{
    struct text clean = { 0 };
    text_add_clean(&clean, s, strlen(s), false);
    text_add(out, "\"");
    for (const char *c = text_str(&clean); *c != '\0'; c++) {
        if (*c == '"' || (json && *c == '\\')) {
            text_add(out, json ? "\\" : "\"");
        }
        text_add_n(out, c, 1);
    }
    text_add(out, "\"");
    text_finish(&clean);
}

static char *csv_head(const struct sweep_grid *grid)
{
    struct text out = { 0 };
    text_add(&out, "sweep,runs,run");
    for (size_t a = 0; a < grid->axis_count; a++) {
        text_addf(&out, ",%s", grid->axes[a].name);
    }
    text_add(&out, ",outcome");
    for (int m = 0; m < METRIC_COUNT; m++) {
        text_addf(&out, ",%s", metric_info((enum metric)m)->name);
    }
    text_add(&out, ",error\n");
    return out.s;
}

static char *csv_row(const struct sweep_grid *grid, uint64_t hash, int64_t run,
                     const struct sweep_result *result)
{
    char buf[64];
    struct text out = { 0 };
    text_addf(&out, "%016" PRIx64 ",%" PRId64 ",%" PRId64, hash, grid->runs, run);
    for (size_t a = 0; a < grid->axis_count; a++) {
        text_add(&out, ",");
        add_axis_value(&out, &grid->axes[a], sweep_grid_value(grid, run - 1, a));
    }
    text_addf(&out, ",%s", outcome_of(result));
    for (int m = 0; m < METRIC_COUNT; m++) {
        text_addf(&out, ",%s",
                  result->error == NULL ? metric_exact(result->metrics.v[m], buf, sizeof buf) : "");
    }
    text_add(&out, ",");
    if (result->error != NULL) {
        add_quoted(&out, result->error, false);
    }
    return out.s;
}

static char *json_head(const struct sweep_grid *grid, uint64_t hash, const char *target)
{
    struct text out = { 0 };
    text_addf(&out, "{\n  \"schema\": 1,\n  \"weft\": \"%s\",\n  \"target\": ", WEFT_VERSION);
    add_quoted(&out, target, true);
    text_addf(&out,
              ",\n  \"sweep\": \"%016" PRIx64 "\",\n  \"runs\": %" PRId64 ",\n  \"rows\": [\n",
              hash, grid->runs);
    return out.s;
}

/* A number where --set takes a bare one, else a word. */
static void add_json_value(struct text *out, const struct sweep_axis *axis, int64_t value)
{
    const bool bare = axis->seed || (sim_knob_info(axis->knob)->type == SIM_KNOB_NUMBER &&
                                     sim_knob_info(axis->knob)->unit == UNIT_COUNT &&
                                     value != SIM_AUTO && value != SIM_UNLIMITED);
    text_add(out, bare ? "" : "\"");
    add_axis_value(out, axis, value);
    text_add(out, bare ? "" : "\"");
}

static char *json_row(const struct sweep_grid *grid, int64_t run, const struct sweep_result *result)
{
    char buf[64];
    struct text out = { 0 };
    text_addf(&out, "    {\"run\": %" PRId64 ", \"set\": {", run);
    for (size_t a = 0; a < grid->axis_count; a++) {
        text_addf(&out, "%s\"%s\": ", a > 0 ? ", " : "", grid->axes[a].name);
        add_json_value(&out, &grid->axes[a], sweep_grid_value(grid, run - 1, a));
    }
    text_addf(&out, "}, \"outcome\": \"%s\", \"metrics\": {", outcome_of(result));
    for (int m = 0; m < METRIC_COUNT; m++) {
        const char *value =
            result->error == NULL ? metric_exact(result->metrics.v[m], buf, sizeof buf) : "";
        text_addf(&out, "%s\"%s\": %s", m > 0 ? ", " : "", metric_info((enum metric)m)->name,
                  value[0] != '\0' ? value : "null");
    }
    text_add(&out, "}, \"error\": ");
    if (result->error != NULL) {
        add_quoted(&out, result->error, true);
    } else {
        text_add(&out, "null");
    }
    text_add(&out, "}");
    return out.s;
}

/* ---- a table of our own ---------------------------------------------------------------------- */

void sweep_table_begin(struct sweep_table *table, enum cli_format format, const char *target,
                       uint64_t hash, const struct sweep_grid *grid)
{
    *table = (struct sweep_table){ .format = format, .runs = grid->runs };
    table->head = format == CLI_JSON ? json_head(grid, hash, target) : csv_head(grid);
}

static void add_row(struct sweep_table *table, struct sweep_row row)
{
    table->rows = mem_grow(table->rows, &table->row_cap, table->row_count + 1, sizeof *table->rows);
    table->rows[table->row_count++] = row;
}

void sweep_table_add(struct sweep_table *table, uint64_t hash, const struct sweep_grid *grid,
                     int64_t run, const struct sweep_result *result)
{
    char *text =
        table->format == CLI_JSON ? json_row(grid, run, result) : csv_row(grid, hash, run, result);
    add_row(table, (struct sweep_row){ .run = run, .text = text });
}

void sweep_table_write(struct text *out, const struct sweep_table *table)
{
    const bool json = table->format == CLI_JSON;
    text_add(out, table->head);
    for (size_t i = 0; i < table->row_count; i++) {
        text_add(out, i > 0 && json ? ",\n" : "");
        text_add(out, table->rows[i].text);
        text_add(out, json ? "" : "\n");
    }
    text_add(out, json ? json_tail : "");
}

void sweep_table_finish(struct sweep_table *table)
{
    for (size_t i = 0; i < table->row_count; i++) {
        free(table->rows[i].text);
    }
    free(table->rows);
    free(table->head);
    *table = (struct sweep_table){ 0 };
}

/* ---- joining --------------------------------------------------------------------------------- */

struct slice {
    const char *file;
    char *at; /* the next line */
    int line;
    bool json;
};

/* The next line, without its end; NULL: there is none. */
static char *next_line(struct slice *s)
{
    if (*s->at == '\0') {
        return NULL;
    }
    char *line = s->at;
    char *end = line + strcspn(line, "\n");
    s->at = *end != '\0' ? end + 1 : end;
    *end = '\0';
    if (end > line && end[-1] == '\r') { /* it came through a mail or an editor */
        end[-1] = '\0';
    }
    s->line++;
    return line;
}

static bool foreign(const struct slice *s, struct err *err)
{
    (void)err_set(err, ERR_SYNTAX, "this is no line of a table as weft sweep writes it");
    return err_at(err, s->file, s->line);
}

/* Digits up to `stop`; -1: something else. Moves behind it. */
static int64_t take_number(char **at, const char *stop)
{
    const size_t len = strspn(*at, "0123456789");
    const size_t stop_len = strlen(stop);
    if (len == 0 || len > 9 || strncmp(*at + len, stop, stop_len) != 0) {
        return -1;
    }
    const int64_t n = strtoll(*at, NULL, 10);
    *at += len + stop_len;
    return n;
}

/* The lines before the first row, as one text. */
static bool take_head(struct slice *s, struct text *head, struct err *err)
{
    const char *line;
    s->json = *s->at == '{';
    do {
        line = next_line(s);
        if (line == NULL || (!s->json && strncmp(line, "sweep,runs,run,", 15) != 0) ||
            s->line > 16) {
            return foreign(s, err);
        }
        text_addf(head, "%s\n", line);
    } while (s->json && strcmp(line, "  \"rows\": [") != 0);
    return true;
}

/* What a line says about itself. False: it is not a row. */
static bool take_place(struct slice *s, char *line, char sweep[17], int64_t *runs, int64_t *run)
{
    if (s->json) {
        static const char begin[] = "    {\"run\": ";
        char *at = line + strlen(begin);
        if (strncmp(line, begin, strlen(begin)) != 0 || line[strlen(line) - 1] != '}') {
            return false;
        }
        *run = take_number(&at, ", ");
        return *run > 0;
    }
    if (strspn(line, "0123456789abcdef") != 16 || line[16] != ',') {
        return false;
    }
    memcpy(sweep, line, 16);
    sweep[16] = '\0';
    char *at = line + 17;
    *runs = take_number(&at, ",");
    *run = *runs > 0 ? take_number(&at, ",") : -1;
    return *run > 0;
}

/* "runs": N of a JSON head. */
static int64_t runs_of_head(const char *head)
{
    static const char name[] = "\n  \"runs\": ";
    const char *at = strstr(head, name);
    char *number = at != NULL ? mem_strdup(at + strlen(name)) : NULL;
    char *rest = number;
    const int64_t runs = number != NULL ? take_number(&rest, ",") : -1;
    free(number);
    return runs;
}

static bool other_sweep(const struct sweep_table *table, const struct slice *s, struct err *err)
{
    (void)err_set(err, ERR_STATE, "this is a slice of another sweep than %.100s", table->first);
    return err_at(err, s->file, s->line);
}

/* Whether a line belongs to the sweep; the first one says which it is. */
static bool belongs(struct sweep_table *table, const struct slice *s, const char *sweep,
                    int64_t runs, struct err *err)
{
    if (s->json) {
        return true; /* its head has been compared */
    }
    if (table->row_count == 0) {
        table->runs = runs;
        (void)snprintf(table->sweep, sizeof table->sweep, "%s", sweep);
    }
    return (runs == table->runs && strcmp(sweep, table->sweep) == 0) || other_sweep(table, s, err);
}

static bool take_row(struct sweep_table *table, struct slice *s, char *line, struct err *err)
{
    char sweep[17] = "";
    int64_t runs = 0, run = 0;
    const size_t len = strlen(line);
    if (s->json && len > 0 && line[len - 1] == ',') {
        line[len - 1] = '\0';
    }
    if (!take_place(s, line, sweep, &runs, &run)) {
        return foreign(s, err);
    }
    if (!belongs(table, s, sweep, runs, err)) {
        return false;
    }
    if (run > table->runs || table->runs > SWEEP_RUNS_MAX ||
        table->row_count >= 2 * (size_t)SWEEP_RUNS_MAX) {
        return foreign(s, err);
    }
    add_row(table, (struct sweep_row){
                       .run = run, .text = mem_strdup(line), .file = s->file, .line = s->line });
    return true;
}

static bool take_rows(struct sweep_table *table, struct slice *s, struct err *err)
{
    char *line;
    while ((line = next_line(s)) != NULL) {
        if (s->json && strcmp(line, "  ]") == 0) {
            line = next_line(s);
            return (line != NULL && strcmp(line, "}") == 0 && next_line(s) == NULL) ||
                   foreign(s, err);
        }
        if (s->json && line[0] == '\0') {
            continue; /* no rows */
        }
        if (!take_row(table, s, line, err)) {
            return false;
        }
    }
    return !s->json || foreign(s, err); /* cut off */
}

/* A row that ends in the middle of a number would be another number: full disks and broken copies. */
static bool is_whole(const struct slice *s, const char *data, size_t size, struct err *err)
{
    if (size == 0 || data[size - 1] == '\n') {
        return true;
    }
    (void)err_set(err, ERR_SYNTAX, "the file is cut off: its last line has no end");
    return err_at(err, s->file, 0);
}

bool sweep_table_join(struct sweep_table *table, const char *file, char *data, size_t size,
                      struct err *err)
{
    struct slice s = { .file = file, .at = data };
    struct text head = { 0 };
    bool ok = memchr(data, '\0', size) == NULL || foreign(&s, err);
    ok = ok && is_whole(&s, data, size, err) && take_head(&s, &head, err);
    if (ok && table->head == NULL) {
        table->first = file;
        table->format = s.json ? CLI_JSON : CLI_CSV;
        table->head = mem_strdup(text_str(&head));
        table->runs = s.json ? runs_of_head(text_str(&head)) : 0;
        ok = !s.json || table->runs > 0 || foreign(&s, err);
    } else if (ok && strcmp(table->head, text_str(&head)) != 0) {
        ok = other_sweep(table, &s, err);
    }
    text_finish(&head);
    return ok && take_rows(table, &s, err);
}

static int by_run(const void *a, const void *b)
{
    const struct sweep_row *x = a, *y = b;
    return (x->run > y->run) - (x->run < y->run);
}

/* "3, 7, 11 and 40 more" */
static void name_missing(struct text *out, const struct sweep_table *table)
{
    enum { NAMED = 8 };
    int64_t missing = 0;
    size_t next = 0;
    for (int64_t run = 1; run <= table->runs; run++) {
        if (next < table->row_count && table->rows[next].run == run) {
            next++;
        } else if (missing++ < NAMED) {
            text_addf(out, "%s%" PRId64, missing > 1 ? ", " : "", run);
        }
    }
    if (missing > NAMED) {
        text_addf(out, " and %" PRId64 " more", missing - NAMED);
    }
}

bool sweep_table_whole(struct sweep_table *table, struct err *err)
{
    if (table->row_count == 0) {
        return err_set(err, ERR_STATE, "there is no run in these files");
    }
    qsort(table->rows, table->row_count, sizeof *table->rows, by_run);
    for (size_t i = 1; i < table->row_count; i++) {
        const struct sweep_row *a = &table->rows[i - 1], *b = &table->rows[i];
        if (a->run == b->run) {
            (void)err_set(err, ERR_STATE, "run %" PRId64 " is there twice, also at %.100s:%d",
                          b->run, a->file, a->line);
            return err_at(err, b->file, b->line);
        }
    }
    if ((int64_t)table->row_count < table->runs) {
        struct text missing = { 0 };
        name_missing(&missing, table);
        (void)err_set(err, ERR_STATE, "runs are missing: %s of %" PRId64, text_str(&missing),
                      table->runs);
        text_finish(&missing);
        return false;
    }
    return true;
}
