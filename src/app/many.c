#include "app/many.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { ORDER_MS = 500 };

enum slow { MOST, LEAST };

static const struct {
    const char *word;
    enum unit_kind unit;
    enum slow slow;
    bool of_flows;
    const char *of_ranks_means, *of_flows_means;
} MEASURES[] = {
#define X(id, word, unit, slow, of_flows, ranks, flows)                                            \
    { word, unit, slow, of_flows, ranks, flows },
    MANY_MEASURES_X(X)
#undef X
};

void many_finish(struct many *many)
{
    free(many->order);
    *many = (struct many){ 0 };
}

static bool applies(enum many_measure measure, const struct history *h)
{
    return !h->flows || MEASURES[measure].of_flows;
}

/* What is measured there: the distribution has no use for states. */
static enum many_measure measure_in(const struct many *many, const struct history *h,
                                    enum scene_view view)
{
    enum many_measure measure = applies(many->measure, h) ? many->measure : MANY_STATE;
    return measure == MANY_STATE && view == SCENE_VIEW_SPREAD ? MANY_FINISH : measure;
}

void many_next_measure(struct many *many, const struct history *h, enum scene_view view)
{
    int next = (int)measure_in(many, h, view);
    do {
        next = (next + 1) % MANY_MEASURES;
    } while (!applies((enum many_measure)next, h) ||
             (next == MANY_STATE && view == SCENE_VIEW_SPREAD));
    many->measure = (enum many_measure)next;
}

const char *many_measure_word(const struct many *many, enum scene_view view)
{
    return MEASURES[many->measure == MANY_STATE && view == SCENE_VIEW_SPREAD ? MANY_FINISH
                                                                             : many->measure]
        .word;
}

/* ---- Values ------------------------------------------------------------------------------------ */

typedef bool state_fn(enum scene_gpu_state state);

static bool rank_waits(enum scene_gpu_state state)
{
    return state != SCENE_GPU_IDLE && state != SCENE_GPU_COMPUTE && state != SCENE_GPU_EXCHANGE;
}

/* What has arrived waits for nothing. */
static bool flow_waits(enum scene_gpu_state state)
{
    return rank_waits(state) && state != SCENE_GPU_BARRIER;
}

/* Time of a row since `t0` in such states. */
static sim_ps time_in(const struct history *h, uint32_t row, sim_ps t0, state_fn *wanted)
{
    size_t n;
    const struct scene_run *run = history_runs(h, row, &n);
    sim_ps sum = 0;
    for (size_t i = n; i-- > 0 && run[i].t1_ps > t0;) {
        const sim_ps from = run[i].t0_ps > t0 ? run[i].t0_ps : t0;
        sum += wanted(run[i].state) ? run[i].t1_ps - from : 0;
    }
    return sum;
}

static sim_ps step_start(const struct sim *sim)
{
    const int64_t step = sim_step_now(sim);
    return sim_rank_count(sim) > 0 && step > 0 ? sim_step(sim, step).start : 0;
}

/* Since when waiting is counted: the start of the step, or of the run; later where nobody remembers it. */
static sim_ps counted_from(const struct sim *sim, const struct history *h)
{
    const sim_ps start = step_start(sim);
    return h->from > start ? h->from : start;
}

static sim_ps waited(const struct sim *sim, const struct history *h, uint32_t row)
{
    return time_in(h, row, counted_from(sim, h), h->flows ? flow_waits : rank_waits);
}

/* A look at all rows: what is the same for all of them. */
struct look {
    const struct sim *sim;
    const struct history *h;
    enum many_measure measure;
    int64_t told; /* the step whose finishes are told; 0: none */
};

/* The present step once somebody has finished it, else the last one. */
static int64_t step_told(const struct sim *sim)
{
    const int64_t step = sim_step_now(sim);
    for (uint32_t r = 0; r < sim_rank_count(sim) && step > 1; r++) {
        if (sim_rank(sim, r).state == SIM_RANK_BARRIER) {
            return step;
        }
    }
    return step > 1 && sim_outcome(sim) != SIM_DONE ? step - 1 : step;
}

static struct look look_at(const struct sim *sim, const struct history *h,
                           enum many_measure measure)
{
    return (struct look){ .sim = sim,
                          .h = h,
                          .measure = measure,
                          .told = measure == MANY_FINISH && !h->flows ? step_told(sim) : 0 };
}

/* When a rank came to the barrier; false: not yet, or nobody saw it. */
static bool finish_of_rank(const struct look *l, uint32_t row, int64_t *value)
{
    if (l->told < 1) {
        return false;
    }
    const struct sim_step step = sim_step(l->sim, l->told);
    size_t n;
    const struct scene_run *run = history_runs(l->h, row, &n);
    for (size_t i = n; i-- > 0 && run[i].t1_ps > step.start;) {
        const bool of_step = step.end == SIM_NEVER || run[i].t0_ps <= step.end;
        if (run[i].state == SCENE_GPU_BARRIER && of_step && run[i].t0_ps > step.start) {
            *value = run[i].t0_ps - step.start;
            return true;
        }
    }
    *value = step.end - step.start; /* the last one opens it */
    return step.end != SIM_NEVER && step.slowest == row;
}

static bool finish_of_flow(const struct look *l, uint32_t row, int64_t *value)
{
    const struct sim_flow_state flow = sim_flow_state(l->sim, row);
    *value = flow.acked_at - flow.start;
    return flow.start != SIM_NEVER && flow.una == flow.end && flow.acked_at != SIM_NEVER;
}

/* How long it has computed in this step. */
static bool computed(const struct look *l, uint32_t row, int64_t *value)
{
    const sim_ps end = sim_rank(l->sim, row).compute_end, now = sim_now(l->sim);
    *value = (end < now ? end : now) - step_start(l->sim);
    return end != SIM_NEVER && end >= step_start(l->sim);
}

static bool arrived(const struct look *l, uint32_t row, int64_t *value)
{
    const uint32_t flow = l->h->flows ? row : sim_rank(l->sim, row).flow_in;
    *value = flow != SIM_NONE ? sim_flow_state(l->sim, flow).delivered_bytes : 0;
    return flow != SIM_NONE;
}

/* What is measured of a row; false: it has no value yet. */
static bool value_of(const struct look *l, uint32_t row, int64_t *value)
{
    switch (l->measure) {
    case MANY_FINISH:
        return l->h->flows ? finish_of_flow(l, row, value) : finish_of_rank(l, row, value);
    case MANY_PROGRESS:
        *value = sim_rank(l->sim, row).rounds_done;
        return true;
    case MANY_BYTES:
        return arrived(l, row, value);
    case MANY_COMPUTED:
        return computed(l, row, value);
    case MANY_STATE: /* has no value of its own: this one */
    case MANY_WAITED:
    case MANY_MEASURES:
        break;
    }
    *value = waited(l->sim, l->h, row);
    return true;
}

/* ---- Order ------------------------------------------------------------------------------------- */

/* A row with its value. */
struct ranked {
    int64_t value;
    int64_t slow; /* the higher, the slower; without a value slower than any */
    uint32_t row;
    bool known;
};

static int slowest_first(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return x->slow != y->slow ? (x->slow < y->slow) - (x->slow > y->slow)
                              : (x->row > y->row) - (x->row < y->row);
}

/* All rows, as they are numbered, or slowest first; equal ones as they are numbered. */
static struct ranked *rank_rows(const struct look *l, bool sorted)
{
    struct ranked *rows = mem_alloc(l->h->row_count + 1, sizeof *rows);
    for (uint32_t r = 0; r < l->h->row_count; r++) {
        rows[r].row = r;
        rows[r].known = value_of(l, r, &rows[r].value);
        const bool least = MEASURES[l->measure].slow == LEAST;
        rows[r].slow = !rows[r].known ? INT64_MAX : least ? -rows[r].value : rows[r].value;
    }
    if (sorted) {
        qsort(rows, l->h->row_count, sizeof *rows, slowest_first);
    }
    return rows;
}

void many_order(struct many *many, const struct sim *sim, const struct history *h, int64_t now_ms,
                bool still)
{
    const bool same = many->count == h->row_count;
    if (h->row_count < SCENE_MANY || h->flows != (sim_rank_count(sim) == 0)) {
        many->count = 0;
        return;
    }
    if (same && !still && now_ms - many->ordered_ms < ORDER_MS) {
        return;
    }
    const struct look look =
        look_at(sim, h, applies(many->measure, h) ? many->measure : MANY_STATE);
    struct ranked *rows = rank_rows(&look, true);
    many->order = mem_resize(many->order, h->row_count, sizeof *many->order);
    many->count = h->row_count;
    many->ordered_ms = now_ms;
    for (size_t i = 0; i < many->count; i++) {
        many->order[i] = rows[i].row;
    }
    free(rows);
}

void many_fill_rows(const struct many *many, struct scene_mem *mem, struct scene *scene)
{
    struct scene_timeline *tl = &scene->timeline;
    tl->first = many->first;
    if (many->count != tl->row_count || many->count == 0 || many->rows_numbered) {
        return;
    }
    struct scene_row *rows = scene_mem_take(mem, tl->row_count, sizeof *rows);
    for (size_t i = 0; i < tl->row_count; i++) {
        rows[i] = tl->row[many->order[i]];
    }
    tl->row = rows;
    tl->order = "slowest first";
}

/* ---- Who waits for whom ------------------------------------------------------------------------ */

static const char *name_of(const struct sim *sim, uint32_t rank)
{
    return sim_node(sim, sim_rank_node(sim, rank)).name;
}

/* For each rank the one it waits for, SIM_NONE: it does not wait, or not for a rank. */
static void find_waits(const struct sim *sim, uint32_t *waits_for)
{
    const uint32_t n = (uint32_t)sim_rank_count(sim);
    for (uint32_t r = 0; r < n; r++) {
        const struct sim_rank rank = sim_rank(sim, r);
        waits_for[r] = rank.state == SIM_RANK_WAITS && rank.prev < n ? rank.prev : SIM_NONE;
    }
}

/* The longest chain: who is at its end, how many wait in it, and its links on the way down. A circle is
 * gone round once. */
struct chain {
    uint32_t top, second, root;
    size_t length; /* ranks of it, the root too */
};

static struct chain longest_chain(const struct sim *sim)
{
    const uint32_t n = (uint32_t)sim_rank_count(sim);
    uint32_t *waits_for = mem_alloc(n + 1, sizeof *waits_for);
    bool *awaited = mem_alloc(n + 1, sizeof *awaited);
    struct chain best = { SIM_NONE, SIM_NONE, SIM_NONE, 0 };
    find_waits(sim, waits_for);
    for (uint32_t r = 0; r < n; r++) {
        if (waits_for[r] != SIM_NONE) {
            awaited[waits_for[r]] = true;
        }
    }
    bool circle = true; /* everybody who waits is waited for */
    for (uint32_t r = 0; r < n; r++) {
        circle = circle && (waits_for[r] == SIM_NONE || awaited[r]);
    }
    for (uint32_t r = 0; r < n; r++) {
        if (waits_for[r] == SIM_NONE || (awaited[r] && !circle)) {
            continue;
        }
        struct chain c = { r, waits_for[r], r, 1 };
        while (waits_for[c.root] != SIM_NONE && c.length <= n) {
            c.root = waits_for[c.root];
            c.length++;
        }
        best = c.length > best.length ? c : best;
        if (circle) {
            break;
        }
    }
    free(waits_for);
    free(awaited);
    return best;
}

/* What the first one in the chain that is not just waiting for another is kept by: the causes below it. */
static void say_root(const struct sim *sim, uint32_t rank, struct text *out)
{
    enum { LINKS = 12, SAID = 2 };
    struct sim_why why[LINKS];
    char line[256];
    size_t said = 0;
    const size_t n = sim_why(sim, rank, why, LINKS);
    for (size_t i = 0; i < n && i < LINKS && said < SAID; i++) {
        if (why[i].kind != SIM_WHY_NEEDS && why[i].kind != SIM_WHY_BARRIER) {
            text_addf(out, "%s\n", sim_why_say(sim, &why[i], line, sizeof line));
            said++;
        }
    }
}

/* Returns the rank at the root, SIM_NONE: nobody waits. */
static uint32_t say_chain(const struct sim *sim, struct text *out)
{
    const struct chain c = longest_chain(sim);
    const uint32_t n = (uint32_t)sim_rank_count(sim);
    uint32_t left = SIM_NONE;
    size_t at_barrier = 0;
    for (uint32_t r = 0; r < n; r++) {
        const bool there = sim_rank(sim, r).state == SIM_RANK_BARRIER;
        at_barrier += there ? 1 : 0;
        left = there ? left : r;
    }
    if (at_barrier > 0 && left != SIM_NONE) {
        char who[48];
        text_addf(
            out, "%s at the barrier < %s\n",
            units_counted(who, sizeof who, (int64_t)at_barrier, "GPU", "GPUs"),
            n - at_barrier == 1
                ? name_of(sim, left)
                : units_counted((char[48]){ 0 }, 48, (int64_t)(n - at_barrier), "other", "others"));
    }
    if (c.length > 1) {
        text_addf(out, "%s < %s%s", name_of(sim, c.top), name_of(sim, c.second),
                  c.length > 3 ? " < ..." : "");
        if (c.length > 2) {
            text_addf(out, " < %s", name_of(sim, c.root));
        }
        text_addf(out, ": %zu in a chain, each waits for the next\n", c.length);
        return c.root;
    }
    if (at_barrier == 0) {
        text_add(out, "nobody waits for another one\n");
    }
    return at_barrier > 0 ? left : SIM_NONE;
}

/* "lost to waiting in step 2 so far: 17.2 s of GPU time, 16.8 ms of each on average" */
static void say_cost(const struct sim *sim, const struct history *h, struct text *out)
{
    double sum = 0;
    for (uint32_t r = 0; r < h->row_count; r++) {
        sum += (double)waited(sim, h, r);
    }
    const double most = 9e18; /* ps: 104 days */
    char all[40], each[40];
    (void)units_format(all, sizeof all, UNIT_TIME, (int64_t)(sum < most ? sum : most));
    (void)units_format(each, sizeof each, UNIT_TIME, (int64_t)(sum / (double)h->row_count));
    if (counted_from(sim, h) > step_start(sim)) {
        char since[40];
        text_addf(out, "lost waiting since %s: ",
                  units_format(since, sizeof since, UNIT_TIME, counted_from(sim, h)));
    } else if (h->flows) {
        text_add(out, "lost waiting so far: ");
    } else {
        text_addf(out, "lost waiting in step %" PRId64 " so far: ", sim_step_now(sim));
    }
    text_addf(out,
              h->flows ? "%s over all messages, %s of each\n" : "%s of GPU time, %s of each GPU\n",
              all, each);
}

void many_say_chain(const struct sim *sim, struct text *out)
{
    const uint32_t root = say_chain(sim, out);
    if (root != SIM_NONE) {
        say_root(sim, root, out);
    }
}

void many_say_waits(const struct sim *sim, const struct history *h, struct text *out)
{
    if (h->row_count == 0 || h->flows != (sim_rank_count(sim) == 0)) {
        return;
    }
    const uint32_t root = h->flows ? SIM_NONE : say_chain(sim, out);
    say_cost(sim, h, out);
    if (root != SIM_NONE) {
        say_root(sim, root, out);
    }
}

/* ---- The scene --------------------------------------------------------------------------------- */

static void fill_waits(const struct sim *sim, const struct history *h, struct scene_mem *mem,
                       struct scene_many *out)
{
    enum { LINES = 8 };
    struct text said = { 0 };
    const char **line = scene_mem_take(mem, LINES, sizeof *line);
    many_say_waits(sim, h, &said);
    for (const char *at = text_str(&said); *at != '\0' && out->wait_count < LINES;) {
        const size_t len = strcspn(at, "\n");
        line[out->wait_count++] = scene_mem_textf(mem, "%.*s", (int)len, at);
        at += len + (at[len] == '\n' ? 1 : 0);
    }
    out->wait = line;
    text_finish(&said);
}

void many_fill(const struct many *many, const struct sim *sim, const struct history *h,
               enum scene_view view, struct scene_mem *mem, struct scene *scene)
{
    if (h->row_count == 0 || h->flows != (sim_rank_count(sim) == 0)) {
        return;
    }
    const struct look look = look_at(sim, h, measure_in(many, h, view));
    struct scene_many *out = &scene->many;
    struct ranked *rows = rank_rows(&look, many->map_sorted);
    struct scene_each *each = scene_mem_take(mem, h->row_count, sizeof *each);
    for (size_t i = 0; i < h->row_count; i++) {
        const uint32_t r = rows[i].row;
        const uint32_t node = h->flows ? sim_flow(sim, r).src : sim_rank_node(sim, r);
        each[i] = (struct scene_each){ .node = node,
                                       .value = rows[i].value,
                                       .known = rows[i].known,
                                       .name = h->flows ? sim_flow(sim, r).name
                                                        : sim_node(sim, node).name };
    }
    free(rows);
    char count[32];
    *out = (struct scene_many){ .each = each,
                                .count = h->row_count,
                                .sorted = many->map_sorted,
                                .measured = look.measure != MANY_STATE,
                                .unit = MEASURES[look.measure].unit,
                                .measure = MEASURES[look.measure].word,
                                .means = h->flows ? MEASURES[look.measure].of_flows_means
                                                  : MEASURES[look.measure].of_ranks_means };
    if (look.told > 0) {
        out->measure = scene_mem_textf(mem, "finish of step %" PRId64, look.told);
    }
    if (look.measure == MANY_FINISH) {
        const bool over = look.told > 0 && sim_step(sim, look.told).end != SIM_NEVER;
        out->missing = over ? "were not seen" : "are still on their way";
    }
    out->title = scene_mem_textf(
        mem, "%s %s%s: %s", units_grouped(count, sizeof count, (int64_t)h->row_count),
        h->flows ? "messages" : "GPUs", many->map_sorted ? ", slowest first" : "",
        out->measured ? out->measure : "what each does");
    fill_waits(sim, h, mem, out);
}
