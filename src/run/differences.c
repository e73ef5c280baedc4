#include "run/differences.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static double ns(sim_ps t)
{
    return t == SIM_NEVER ? (double)NAN : (double)t / 1000.0;
}

/* ---- single steps, flows, queues ------------------------------------------------------------- */

/* clang-format off */
/*    list   name               unit        size        value of element i of report r                          help */
#define ELEMENTS(X)                                                                                              \
    X(STEP,  "start_ns",        UNIT_TIME,  1000,       ns(r->steps[i].start),                                  "when it began") \
    X(STEP,  "end_ns",          UNIT_TIME,  1000,       ns(r->steps[i].end),                                    "when it ended") \
    X(STEP,  "compute_ns",      UNIT_TIME,  1000,       ns(r->steps[i].compute),                                "its longest compute phase") \
    X(STEP,  "exposed_comm_ns", UNIT_TIME,  1000,       ns(r->steps[i].exposed_comm),                           "what of it is not compute") \
    X(FLOW,  "bytes",           UNIT_BYTES, 1,          (double)r->flows[i].bytes,                              "bytes posted") \
    X(FLOW,  "start_ns",        UNIT_TIME,  1000,       ns(r->flows[i].start),                                  "when it began") \
    X(FLOW,  "fct_ns",          UNIT_TIME,  1000,       ns(r->flows[i].fct),                                    "how long it took") \
    X(FLOW,  "goodput_gbps",    UNIT_RATE,  1000000000, r->flows[i].fct == SIM_NEVER ? (double)NAN : r->flows[i].goodput_gbps, "payload by that time") \
    X(FLOW,  "retransmitted",   UNIT_COUNT, 1,          (double)r->flows[i].retransmitted,                      "packets sent again") \
    X(QUEUE, "max_bytes",       UNIT_BYTES, 1,          (double)r->queues[i].max_bytes,                         "its greatest length") \
    X(QUEUE, "mean_bytes",      UNIT_BYTES, 1,          r->queues[i].mean_bytes,                                "its mean length") \
    X(QUEUE, "dropped",         UNIT_COUNT, 1,          (double)r->queues[i].dropped,                           "packets lost for want of room")
/* clang-format on */

enum list { LIST_STEP, LIST_FLOW, LIST_QUEUE, LIST_COUNT };

static const char *const list_words[LIST_COUNT] = { "steps", "flows", "queues" };

static const struct {
    enum list list;
    struct metric_info info;
} elements[] = {
#define X(list, name, unit, size, value, help) { LIST_##list, { name, unit, size, help } },
    ELEMENTS(X)
#undef X
};

enum { ELEMENT_COUNT = sizeof elements / sizeof *elements };

/* All numbers of one element; those of other lists are left alone. */
static void take_element(const struct report *r, enum list list, size_t i, double v[ELEMENT_COUNT])
{
    size_t at = 0;
#define X(of, name, unit, size, value, help)                                                       \
    if (list == LIST_##of) {                                                                       \
        v[at] = i == SIZE_MAX ? (double)NAN : (value);                                             \
    }                                                                                              \
    at++;
    ELEMENTS(X)
#undef X
}

static size_t length_of(const struct report *r, enum list list)
{
    const size_t lengths[LIST_COUNT] = { r->step_count, r->flow_count, r->queue_count };
    return lengths[list];
}

/* "2", "g1>g2", "leaf1:3". */
static const char *key_of(const struct report *r, enum list list, size_t i, char buf[24])
{
    if (list == LIST_FLOW) {
        return sim_flow(r->sim, r->flows[i].flow).name;
    }
    if (list == LIST_QUEUE) {
        return sim_port(r->sim, r->queues[i].port).name;
    }
    (void)snprintf(buf, 24, "%zu", i + 1);
    return buf;
}

/* Where an element of that key is, or SIZE_MAX; it is tried first where it is likely. */
static size_t place_of(const struct report *r, enum list list, const char *key, size_t likely)
{
    char buf[24];
    const size_t n = length_of(r, list);
    if (likely < n && strcmp(key_of(r, list, likely, buf), key) == 0) {
        return likely;
    }
    for (size_t i = 0; i < n; i++) {
        if (strcmp(key_of(r, list, i, buf), key) == 0) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* ---- two reports ----------------------------------------------------------------------------- */

static bool differ(double a, double b)
{
    return isnan(a) != isnan(b) || a < b || a > b;
}

static void add(struct differences *d, const struct difference *one, bool all)
{
    if (all || differ(one->left, one->right)) {
        d->v = mem_grow(d->v, &d->cap, d->count + 1, sizeof *d->v);
        d->v[d->count++] = *one;
    }
}

static void add_element(struct differences *d, const struct report *left, size_t l,
                        const struct report *right, size_t r, enum list list, bool all)
{
    char buf[24];
    double x[ELEMENT_COUNT], y[ELEMENT_COUNT];
    const char *key = l != SIZE_MAX ? key_of(left, list, l, buf) : key_of(right, list, r, buf);
    take_element(left, list, l, x);
    take_element(right, list, r, y);
    for (size_t e = 0; e < ELEMENT_COUNT; e++) {
        if (elements[e].list == list) {
            struct difference one = { .info = &elements[e].info, .left = x[e], .right = y[e] };
            (void)snprintf(one.name, sizeof one.name, "%s[%s].%s", list_words[list], key,
                           elements[e].info.name);
            add(d, &one, all);
        }
    }
}

static void add_list(struct differences *d, const struct report *left, const struct report *right,
                     enum list list, bool all)
{
    char buf[24];
    for (size_t i = 0; i < length_of(left, list); i++) {
        const size_t r = place_of(right, list, key_of(left, list, i, buf), i);
        add_element(d, left, i, right, r, list, all);
    }
    for (size_t i = 0; i < length_of(right, list); i++) {
        if (place_of(left, list, key_of(right, list, i, buf), i) == SIZE_MAX) {
            add_element(d, left, SIZE_MAX, right, i, list, all);
        }
    }
}

void differences_take(struct differences *d, const struct report *left, const struct report *right,
                      bool all)
{
    struct metrics x, y;
    *d = (struct differences){ 0 };
    metrics_take(&x, left);
    metrics_take(&y, right);
    for (int m = 0; m < METRIC_COUNT; m++) {
        struct difference one = { .info = metric_info((enum metric)m),
                                  .left = x.v[m],
                                  .right = y.v[m] };
        (void)snprintf(one.name, sizeof one.name, "%s", one.info->name);
        add(d, &one, all);
    }
    for (int list = 0; list < LIST_COUNT; list++) {
        add_list(d, left, right, (enum list)list, all);
    }
}

void differences_finish(struct differences *d)
{
    free(d->v);
    *d = (struct differences){ 0 };
}
