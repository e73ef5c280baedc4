/* The grid of a sweep: --set words into axes, a run's number into settings. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "cli/sweep.h"

static void add_value(struct sweep_axis *axis, size_t *cap, int64_t value)
{
    axis->values = mem_grow(axis->values, cap, axis->count + 1, sizeof *axis->values);
    axis->values[axis->count++] = value;
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* There may be a million of them. */
static bool all_differ(const struct sweep_axis *axis, struct err *err)
{
    int64_t *sorted = mem_dup(axis->values, axis->count * sizeof *sorted);
    size_t i = 1;
    qsort(sorted, axis->count, sizeof *sorted, by_value);
    while (i < axis->count && sorted[i] != sorted[i - 1]) {
        i++;
    }
    free(sorted);
    return i >= axis->count || err_set(err, ERR_USAGE, "a value is there twice");
}

/* "1..20", for whole numbers. True also when it is none: then *count is 0. */
static bool read_range(struct sweep_axis *axis, size_t *cap, const char *word, size_t *count,
                       struct err *err)
{
    int64_t from = 0, to = 0;
    const char *dots = strstr(word, "..");
    const bool whole = axis->seed || (sim_knob_info(axis->knob)->type == SIM_KNOB_NUMBER &&
                                      sim_knob_info(axis->knob)->unit == UNIT_COUNT);
    *count = 0;
    if (dots == NULL || !whole) {
        return true;
    }
    char *first = mem_strndup(word, (size_t)(dots - word));
    bool ok =
        units_parse(first, UNIT_COUNT, &from, err) && units_parse(dots + 2, UNIT_COUNT, &to, err);
    free(first);
    if (ok && (to < from || to - from >= SWEEP_RUNS_MAX)) {
        ok = err_set(err, ERR_USAGE, "FIRST..LAST goes up, by less than %" PRId64, SWEEP_RUNS_MAX);
    }
    for (int64_t v = from; ok && v <= to; v++) {
        ok = axis->seed ? v <= CLI_SEED_MAX : sim_knob_check(axis->knob, v, err);
        add_value(axis, cap, v);
        (*count)++;
    }
    return ok;
}

static bool read_value(struct sweep_axis *axis, size_t *cap, const char *word, struct err *err)
{
    size_t count;
    int64_t value = 0;
    uint64_t seed = 0;
    if (!read_range(axis, cap, word, &count, err)) {
        return false;
    }
    if (count > 0) {
        return true;
    }
    if (axis->seed ? !cli_seed_parse(word, &seed, err)
                   : !sim_knob_parse(axis->name, word, &axis->knob, &value, err)) {
        return false;
    }
    add_value(axis, cap, axis->seed ? (int64_t)seed : value);
    return true;
}

/* Another name of a knob ("pfc") is the same axis. */
static bool is_new(const struct sweep_grid *grid, const struct sweep_axis *axis, struct err *err)
{
    for (size_t i = 0; i < grid->axis_count; i++) {
        const struct sweep_axis *other = &grid->axes[i];
        if (other->seed == axis->seed && (axis->seed || other->knob == axis->knob)) {
            return err_set(err, ERR_USAGE, "%s is swept already: write all values behind one --set",
                           axis->name);
        }
    }
    return true;
}

static bool find_axis(struct sweep_axis *axis, struct err *err)
{
    axis->seed = strcmp(axis->name, "seed") == 0;
    axis->knob = strcmp(axis->name, "pfc") == 0 ? SIM_KNOB_FLOW_CONTROL : sim_knob_find(axis->name);
    return axis->seed || axis->knob != SIM_KNOB_COUNT ||
           err_set(err, ERR_NAME, "there is no switch \"%.60s\"; did you mean \"%s\"?", axis->name,
                   sim_knob_nearest(axis->name));
}

static bool read_axis(struct sweep_grid *grid, const char *word, struct err *err)
{
    if (grid->axis_count == SWEEP_AXES_MAX) {
        return err_set(err, ERR_USAGE, "at most %d switches in a sweep", SWEEP_AXES_MAX);
    }
    struct sweep_axis *axis = &grid->axes[grid->axis_count];
    const size_t len = strcspn(word, "=");
    size_t cap = 0;
    *axis = (struct sweep_axis){ .name = mem_strndup(word, len) };
    bool ok = find_axis(axis, err) && is_new(grid, axis, err);
    grid->axis_count++;
    for (const char *at = word + len + 1; ok;) {
        char *value = mem_strndup(at, strcspn(at, ","));
        ok = read_value(axis, &cap, value, err);
        free(value);
        at += strcspn(at, ",");
        if (*at == '\0') {
            break;
        }
        at++;
    }
    ok = ok && all_differ(axis, err);
    if (ok && (int64_t)axis->count > SWEEP_RUNS_MAX / grid->runs) {
        return err_set(err, ERR_LIMIT, "more than %" PRId64 " runs in a sweep", SWEEP_RUNS_MAX);
    }
    grid->runs *= ok ? (int64_t)axis->count : 1;
    return ok;
}

bool sweep_grid_read(struct sweep_grid *grid, const struct cli_words *sets, struct err *err)
{
    *grid = (struct sweep_grid){ .runs = 1 };
    if (sets->count == 0) {
        return err_set(err, ERR_USAGE, "what shall change? --set xoff=50KB,100KB, or several");
    }
    for (size_t i = 0; i < sets->count; i++) {
        if (!read_axis(grid, sets->item[i], err)) {
            (void)err_note(err, "--set %.60s", sets->item[i]);
            err->code = ERR_USAGE;
            return false;
        }
    }
    return true;
}

void sweep_grid_finish(struct sweep_grid *grid)
{
    for (size_t i = 0; i < grid->axis_count; i++) {
        free(grid->axes[i].name);
        free(grid->axes[i].values);
    }
    *grid = (struct sweep_grid){ 0 };
}

void sweep_grid_name(struct text *out, const struct sweep_grid *grid)
{
    char buf[64];
    for (size_t a = 0; a < grid->axis_count; a++) {
        const struct sweep_axis *axis = &grid->axes[a];
        text_addf(out, "%s%s=", a > 0 ? " " : "",
                  axis->seed ? "seed" : sim_knob_info(axis->knob)->name);
        for (size_t i = 0; i < axis->count; i++) {
            text_add(out, i > 0 ? "," : "");
            if (axis->seed) {
                text_addf(out, "%" PRId64, axis->values[i]);
            } else {
                text_add(out, sim_knob_format(axis->knob, axis->values[i], true, buf, sizeof buf));
            }
        }
    }
}

int64_t sweep_grid_value(const struct sweep_grid *grid, int64_t run, size_t axis)
{
    for (size_t a = grid->axis_count; a-- > axis + 1;) {
        run /= (int64_t)grid->axes[a].count;
    }
    return grid->axes[axis].values[run % (int64_t)grid->axes[axis].count];
}

void sweep_grid_settings(const struct sweep_grid *grid, int64_t run,
                         const struct cli_settings *base, struct cli_settings *out)
{
    *out = *base;
    out->sets = mem_alloc(grid->axis_count, sizeof *out->sets);
    out->set_count = 0;
    out->deeds = mem_dup(base->deeds, base->deed_count * sizeof *out->deeds);
    for (size_t a = 0; a < grid->axis_count; a++) {
        const int64_t value = sweep_grid_value(grid, run, a);
        if (grid->axes[a].seed) {
            out->seed = (uint64_t)value;
            out->has_seed = true;
        } else {
            out->sets[out->set_count++] =
                (struct sim_cmd){ .kind = SIM_CMD_SET, .knob = grid->axes[a].knob, .value = value };
        }
    }
}
