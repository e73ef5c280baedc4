#include "run/metrics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

static const double none = (double)NAN;

static const struct metric_info infos[] = {
#define X(id, name, unit, size, help)                                                              \
    { name, unit, (unit) == UNIT_SHARE ? (double)UNIT_ONE : (size), help },
    METRICS(X)
#undef X
};

const struct metric_info *metric_info(enum metric metric)
{
    return &infos[metric];
}

/* ---- taking ---------------------------------------------------------------------------------- */

static double ns(sim_ps t)
{
    return t == SIM_NEVER ? none : (double)t / 1000.0;
}

static void take_steps(struct metrics *m, const struct report *r)
{
    double sum = 0, exposed = 0, most = 0, count = 0;
    for (size_t i = 0; i < r->step_count; i++) {
        const struct report_step *step = &r->steps[i];
        if (step->end != SIM_NEVER) {
            const double took = ns(step->end - step->start);
            sum += took;
            exposed += ns(step->exposed_comm);
            most = took > most ? took : most;
            count++;
        }
    }
    m->v[METRIC_STEPS] = count;
    m->v[METRIC_STEPS_MEAN] = count > 0 ? sum / count : none;
    m->v[METRIC_STEPS_MAX] = count > 0 ? most : none;
    m->v[METRIC_EXPOSED] = count > 0 ? exposed / count : none;
}

static void take_collective(struct metrics *m, const struct report *r)
{
    const struct report_collective *c = &r->collective;
    const bool any = c->count > 0;
    m->v[METRIC_COLL_BYTES] = sim_rank_count(r->sim) > 0 ? (double)c->bytes : none;
    m->v[METRIC_COLL_MEAN] = ns(c->mean);
    m->v[METRIC_COLL_P50] = ns(c->p50);
    m->v[METRIC_COLL_P99] = ns(c->p99);
    m->v[METRIC_COLL_MAX] = ns(c->max);
    m->v[METRIC_ALGBW] = any ? c->algbw_gbps : none;
    m->v[METRIC_BUSBW] = any ? c->busbw_gbps : none;
    m->v[METRIC_GPU_BUSY] = r->gpu_busy < 0 ? none : r->gpu_busy;
}

static int by_time(const void *a, const void *b)
{
    const sim_ps *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void take_flows(struct metrics *m, const struct report *r)
{
    sim_ps *times = mem_alloc(r->flow_count, sizeof *times);
    size_t done = 0;
    size_t count = 0;
    double sum = 0;
    for (size_t i = 0; i < r->flow_count; i++) {
        if (sim_flow(r->sim, r->flows[i].flow).staged != SIM_NONE) {
            continue; /* a leg of one that counts */
        }
        count++;
        if (r->flows[i].fct != SIM_NEVER) {
            sum += ns(r->flows[i].fct);
            times[done++] = r->flows[i].fct;
        }
    }
    qsort(times, done, sizeof *times, by_time);
    m->v[METRIC_FLOWS] = (double)count;
    m->v[METRIC_UNFINISHED] = (double)(count - done);
    m->v[METRIC_FCT_MEAN] = done > 0 ? sum / (double)done : none;
    m->v[METRIC_FCT_P99] = done > 0 ? ns(times[(done * 99 + 99) / 100 - 1]) : none;
    m->v[METRIC_FCT_MAX] = done > 0 ? ns(times[done - 1]) : none;
    free(times);
}

void metrics_take(struct metrics *m, const struct report *r)
{
    const struct sim_counters *c = &r->count;
    int64_t queue = 0;
    for (size_t i = 0; i < r->queue_count; i++) {
        queue = r->queues[i].max_bytes > queue ? r->queues[i].max_bytes : queue;
    }
    m->v[METRIC_END] = ns(r->end);
    take_steps(m, r);
    take_collective(m, r);
    take_flows(m, r);
    m->v[METRIC_SENT] = (double)c->sent;
    m->v[METRIC_DELIVERED] = (double)c->delivered;
    m->v[METRIC_DROPPED] = (double)c->dropped;
    m->v[METRIC_RETRANSMITTED] = (double)c->retransmitted;
    m->v[METRIC_HOPS] = (double)c->hops;
    m->v[METRIC_ANSWERS_LOST] = (double)c->answers_dropped;
    m->v[METRIC_XOFF] = (double)c->xoff_frames;
    m->v[METRIC_XON] = (double)c->xon_frames;
    m->v[METRIC_PAUSED] = ns(c->paused);
    m->v[METRIC_MARKED] = (double)c->marked;
    m->v[METRIC_CNPS] = (double)c->cnps;
    m->v[METRIC_STARVED] = ns(c->starved);
    m->v[METRIC_PCIE_BYTES] = (double)c->crossed[SIM_LINK_PCIE];
    m->v[METRIC_NVLINK_BYTES] = (double)c->crossed[SIM_LINK_NVLINK];
    m->v[METRIC_MEMORY_BYTES] = (double)c->crossed[SIM_LINK_MEMORY];
    m->v[METRIC_CROSSINGS] = r->pcie_crossings < 0 ? none : r->pcie_crossings;
    m->v[METRIC_TIMEOUTS] = (double)c->timeouts;
    m->v[METRIC_NAKS] = (double)c->naks;
    m->v[METRIC_QUEUE_MAX] = (double)queue;
    m->v[METRIC_EVENTS] = (double)c->events;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *last_word(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot != NULL ? dot + 1 : name;
}

/* How many names end so; `*metric`: one of them. */
static int count_last(const char *word, enum metric *metric)
{
    int found = 0;
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (strcmp(last_word(infos[i].name), word) == 0) {
            *metric = (enum metric)i;
            found++;
        }
    }
    return found;
}

bool metric_find(const char *name, enum metric *metric, struct err *err)
{
    if (strcmp(name, "time") == 0) {
        *metric = METRIC_END;
        return true;
    }
    const char *near = "time";
    size_t best = text_distance(name, near);
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (strcmp(infos[i].name, name) == 0) {
            *metric = (enum metric)i;
            return true;
        }
        const size_t whole = text_distance(name, infos[i].name);
        const char *last = last_word(infos[i].name); /* "busbw" means busbw_gbps */
        const size_t part =
            name[0] != '\0' && strstr(last, name) != NULL ? 1 : text_distance(name, last);
        const size_t distance = part < whole ? part : whole;
        if (distance < best) {
            best = distance;
            near = infos[i].name;
        }
    }
    const int count = count_last(name, metric);
    if (count == 1) {
        return true;
    }
    return count > 1
               ? err_set(err, ERR_NAME, "there is more than one \"%.60s\": write %s, or another",
                         name, infos[*metric].name)
               : err_set(err, ERR_NAME, "there is no metric \"%.60s\"; did you mean %s?", name,
                         near);
}

/* ---- values ---------------------------------------------------------------------------------- */

const char *metric_format(enum metric metric, double value, char *buf, size_t size)
{
    return metric_show(&infos[metric], value, buf, size);
}

const char *metric_show(const struct metric_info *info, double value, char *buf, size_t size)
{
    const double inside = value * info->size;
    if (isnan(value)) {
        (void)snprintf(buf, size, "none");
    } else if (fabs(inside) >= 9e18 || (info->unit == UNIT_COUNT && value != floor(value))) {
        (void)snprintf(buf, size, "%.3g", value);
    } else {
        (void)units_format(buf, size, info->unit,
                           (int64_t)(inside < 0 ? inside - 0.5 : inside + 0.5));
    }
    return buf;
}

const char *metric_exact(double value, char *buf, size_t size)
{
    (void)snprintf(buf, size, "%.15g", value);
    if (isnan(value)) {
        buf[0] = '\0';
    }
    return buf;
}
