#include "app/whatif_numbers.h"

#include <math.h>
#include <stdio.h>

#include "run/differences.h"

enum { TRAINING = 1, FLOWS = 2 };

/* What has a place on the screen, in the order of importance; `where`: with a training, without. */
static const struct {
    enum metric metric;
    const char *word;
    unsigned where;
} SHOWN[] = {
    { METRIC_FCT_MEAN, "message", FLOWS },
    { METRIC_GPU_BUSY, "GPU busy", TRAINING },
    { METRIC_TIMEOUTS, "timeouts", TRAINING | FLOWS },
    { METRIC_RETRANSMITTED, "resent", TRAINING | FLOWS },
    { METRIC_DROPPED, "lost", TRAINING | FLOWS },
    { METRIC_XOFF, "PAUSE", TRAINING | FLOWS },
    { METRIC_NAKS, "NAK", TRAINING | FLOWS },
    { METRIC_QUEUE_MAX, "queue", TRAINING | FLOWS },
    { METRIC_UNFINISHED, "unfinished", FLOWS },
};

enum { SHOWN_COUNT = sizeof SHOWN / sizeof SHOWN[0] };

static bool is_other(double a, double b)
{
    return isnan(a) != isnan(b) || (!isnan(a) && a != b);
}

/* "10.7x longer", where it is more than a little; "+4.1 us" of a time, where it is only that. */
static void say_difference(const struct metric_info *m, double a, double b, char *buf, size_t size)
{
    static const struct {
        enum unit_kind unit;
        const char *more, *less;
    } words[] = {
        { UNIT_TIME, "longer", "shorter" },
        { UNIT_BYTES, "larger", "smaller" },
        { UNIT_RATE, "faster", "slower" },
        { UNIT_COUNT, "as many", "fewer" },
    };
    const double ratio = a > 0 && b > 0 ? (b > a ? b / a : a / b) : 0; /* NaN compares false */
    buf[0] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i].unit == m->unit && ratio >= 1.2) {
            const char *word = b > a ? words[i].more : words[i].less;
            if (ratio < 100) {
                snprintf(buf, size, "%.3gx %s", ratio, word);
            } else {
                snprintf(buf, size, "%.0fx %s", ratio, word);
            }
        }
    }
    if (m->unit == UNIT_TIME && ratio > 1 && ratio < 1.2) {
        char text[24];
        metric_show(m, fabs(b - a), text, sizeof text);
        snprintf(buf, size, "%c%s", b > a ? '+' : '-', text);
    }
}

static void add(struct whatif_numbers *numbers, const char *word, enum metric metric, double a,
                double b)
{
    struct whatif_number *n = &numbers->v[numbers->count++];
    *n = (struct whatif_number){ .name = word, .differs = is_other(a, b) };
    metric_format(metric, a, n->a, sizeof n->a);
    metric_format(metric, b, n->b, sizeof n->b);
    if (n->differs) {
        say_difference(metric_info(metric), a, b, n->differ, sizeof n->differ);
    }
}

static void take(struct metrics *metrics, const struct run *run)
{
    struct report report;
    report_take(&report, run);
    metrics_take(metrics, &report);
    report_finish(&report);
}

/* The longest training step that was not over at `from`. A mean of those that are over would leave out
 * the very one that takes so long. */
struct longest {
    sim_ps took; /* -1: there is none */
    bool so_far; /* it goes on */
};

static struct longest longest_step(const struct sim *sim, sim_ps from)
{
    struct longest longest = { .took = -1 };
    for (int64_t k = sim_step_now(sim); k >= 1; k--) {
        const struct sim_step step = sim_step(sim, k);
        const bool over = step.end != SIM_NEVER;
        const sim_ps end = over ? step.end : sim_now(sim);
        if (over && step.end <= from) {
            break;
        }
        if (step.start <= sim_now(sim) && end - step.start > longest.took) {
            longest = (struct longest){ end - step.start, !over };
        }
    }
    return longest;
}

static void add_step(struct whatif_numbers *numbers, const struct longest step[2])
{
    char text[20];
    if (step[0].took < 0 || step[1].took < 0) {
        return;
    }
    struct whatif_number *n = &numbers->v[numbers->count++];
    *n = (struct whatif_number){ .name = "step", .differs = step[0].took != step[1].took };
    for (int i = 0; i < 2; i++) {
        snprintf(i == 0 ? n->a : n->b, sizeof n->a, "%s%s",
                 units_format(text, sizeof text, UNIT_TIME, step[i].took),
                 step[i].so_far ? " so far" : "");
    }
    if (n->differs) {
        const double ns = (double)UNIT_NS;
        say_difference(metric_info(METRIC_STEPS_MAX), (double)step[0].took / ns,
                       (double)step[1].took / ns, n->differ, sizeof n->differ);
    }
}

void whatif_measure(struct whatif_numbers *numbers, const struct run *a, const struct run *b,
                    sim_ps from)
{
    struct metrics left, right;
    const unsigned here = sim_rank_count(run_sim(a)) > 0 ? TRAINING : FLOWS;
    take(&left, a);
    take(&right, b);
    numbers->count = 0;
    const struct longest step[2] = { longest_step(run_sim(a), from),
                                     longest_step(run_sim(b), from) };
    for (int differing = 1; differing >= 0; differing--) {
        if ((step[0].took != step[1].took) == (differing == 1)) {
            add_step(numbers, step);
        }
        for (size_t i = 0; i < SHOWN_COUNT; i++) {
            const double x = left.v[SHOWN[i].metric], y = right.v[SHOWN[i].metric];
            const bool shown = (SHOWN[i].where & here) != 0 && !(isnan(x) && isnan(y));
            if (shown && is_other(x, y) == (differing == 1) &&
                numbers->count < WHATIF_NUMBERS_MAX) {
                add(numbers, SHOWN[i].word, SHOWN[i].metric, x, y);
            }
        }
    }
}

void whatif_list(const struct run *a, const struct run *b, struct text *out)
{
    struct report left, right;
    struct differences found = { 0 };
    report_take(&left, a);
    report_take(&right, b);
    differences_take(&found, &left, &right, false);
    for (size_t i = 0; i < found.count; i++) {
        const struct difference *d = &found.v[i];
        char x[40], y[40], differ[32];
        say_difference(d->info, d->left, d->right, differ, sizeof differ);
        text_addf(out, "%s: A %s, B %s%s%s\n", d->name, metric_show(d->info, d->left, x, sizeof x),
                  metric_show(d->info, d->right, y, sizeof y), differ[0] != '\0' ? ", " : "",
                  differ);
    }
    text_add(out, found.count == 0 ? "no number differs so far\n" : "");
    differences_finish(&found);
    report_finish(&left);
    report_finish(&right);
}
