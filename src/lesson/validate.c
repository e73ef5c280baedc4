#include "lesson/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/mem.h"
#include "lesson/data.h"
#include "lesson/index.h"
#include "lesson/moment.h"
#include "lesson/quantity.h"
#include "run/probe.h"
#include "run/run.h"

const char *validation_verdict_word(enum validation_verdict verdict)
{
    static const char *const words[] = { "pass", "fail", "pending", "disputed" };
    return words[verdict];
}

const char *validation_agreement_word(enum validation_agreement agreement)
{
    static const char *const words[] = { "within", "explained", "unexplained", "direction only" };
    return words[agreement];
}

/* ---- one run --------------------------------------------------------------------------------- */

/* Whether one of the records since `from` is what is looked for. */
static bool seen(const struct sim *sim, uint64_t from, const struct validation_look *look)
{
    struct sim_record rec;
    while (sim_trace_read(sim, &from, &rec, 1) == 1) {
        if (rec.kind == (uint32_t)look->kind &&
            (look->port[0] == '\0' || (rec.port < sim_port_count(sim) &&
                                       strcmp(sim_port(sim, rec.port).name, look->port) == 0))) {
            return true;
        }
    }
    return false;
}

static bool go_to(struct run *run, const struct validation_look *look, sim_ps limit,
                  struct err *err)
{
    if (!look->is_event) {
        (void)run_until(run, look->at, 0);
        return true;
    }
    for (;;) {
        const uint64_t from = sim_trace_seq(run_sim(run));
        if (run_until(run, limit, UINT32_C(1) << look->kind) != SIM_AT_TRACE) {
            return err_set(err, ERR_STATE, "no %s%s%s happened", sim_trace_info(look->kind)->name,
                           look->port[0] != '\0' ? " at " : "", look->port);
        }
        if (seen(run_sim(run), from, look)) {
            return true;
        }
    }
}

static void finish_work(struct run *run, sim_ps limit)
{
    if (sim_outcome(run_sim(run)) == SIM_RUNNING && run_now(run) < limit) {
        (void)run_until(run, limit, SIM_TRACE_BIT(DONE));
    }
}

/* Runs a scenario and takes its moments. The run stays, for its names. */
static struct run *observe(const struct validation_case *c, const struct sim_scenario *sc,
                           uint64_t seed, struct lesson_moments *moments, struct err *err)
{
    struct run *run = run_create(sc, seed, err);
    if (run == NULL) {
        return NULL;
    }
    run_forward_only(run);
    bool ok = true;
    for (size_t i = 0; i < c->look_count && ok; i++) {
        ok = go_to(run, &c->looks[i], c->limit, err);
        lesson_moments_take(moments, run_sim(run));
    }
    if (c->look_count == 0) {
        finish_work(run, c->limit);
        lesson_moments_take(moments, run_sim(run));
    }
    if (ok && run_journal_ok(run, err)) {
        return run;
    }
    run_destroy(run);
    return NULL;
}

/* ---- one measure ----------------------------------------------------------------------------- */

/* What a measure's function is called with. */
struct question {
    const struct validation_measure *measure;
    const struct lesson_moments *runs;
    size_t run_count;
    const struct sim_probe *probe; /* or this */
};

static void push_probe(lua_State *L, const struct sim_probe *probe)
{
    lua_createtable(L, 0, (int)probe->count);
    for (size_t i = 0; i < probe->count; i++) {
        lua_pushnumber(L, probe->v[i].value);
        lua_setfield(L, -2, probe->v[i].name);
    }
}

/* Everything that may raise happens in here, protected. Returns the number, in the unit wanted. */
static int ask(lua_State *L)
{
    const struct question *q = lua_touserdata(L, 1);
    const struct validation_unit *unit = validation_unit(q->measure->unit);
    lua_rawgeti(L, LUA_REGISTRYINDEX, q->measure->func);
    if (q->probe != NULL) {
        push_probe(L, q->probe);
    } else {
        lesson_moments_push(L, q->runs, q->run_count);
    }
    lua_call(L, 1, 1);
    enum unit_kind kind;
    int64_t value;
    if (lesson_quantity_is(L, -1, &kind, &value)) {
        if (kind != unit->kind) {
            return luaL_error(L, "this measure is no quantity in %s", unit->name);
        }
        lua_pushnumber(L, (double)value / unit->size);
    } else if (lua_type(L, -1) != LUA_TNUMBER) {
        return luaL_error(L, "a measure returns a number or a quantity, not a %s",
                          luaL_typename(L, -1));
    }
    return 1;
}

static bool measure(const struct validation_row *row, const struct question *q, double *number,
                    struct err *err)
{
    lua_State *L = lesson_host_lua(row->host);
    lua_pushcfunction(L, ask);
    lua_pushlightuserdata(L, (void *)(uintptr_t)q); /* ask() only reads it */
    if (!lesson_host_call(row->host, &lesson_budget_load, 1, 1, err)) {
        if (err->where[0] == '\0') {
            (void)err_at(err, row->path, q->measure->line);
        }
        return false;
    }
    *number = lua_tonumber(L, -1);
    lua_settop(L, 0);
    return true;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* How far a number is from what it should be; 0 or less: it is fine. */
static double excess(const struct validation_measure *m, double x)
{
    if (m->has_expected) {
        return fabs(x - m->expected) - m->tolerance;
    }
    const double below = m->has_least ? m->least - x : -INFINITY;
    const double above = m->has_most ? x - m->most : -INFINITY;
    return below > above ? below : above;
}

double validation_ratio(const struct validation_peer *peer, double measured)
{
    const double theirs = measured < peer->least  ? peer->least
                          : measured > peer->most ? peer->most
                                                  : measured;
    return measured == theirs ? 1 : theirs == 0 ? NAN : measured / theirs;
}

enum validation_agreement validation_agreement(const struct validation_peer *peer, double measured)
{
    if (!peer->has_within) {
        return VALIDATION_DIRECTION;
    }
    if (measured >= peer->below && measured <= peer->above) {
        return VALIDATION_NEAR;
    }
    return peer->why != NULL ? VALIDATION_EXPLAINED : VALIDATION_UNEXPLAINED;
}

static bool explained(const struct validation_measure *m, double measured)
{
    for (size_t i = 0; i < m->peer_count; i++) {
        if (validation_agreement(&m->peers[i], measured) == VALIDATION_UNEXPLAINED) {
            return false;
        }
    }
    return true;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double combine(const struct validation_case *c, const struct validation_measure *m,
                      double *x, size_t n)
{
    double sum = 0, worst = x[0];
    for (size_t i = 0; i < n; i++) {
        sum += x[i];
        worst = excess(m, x[i]) > excess(m, worst) ? x[i] : worst;
    }
    qsort(x, n, sizeof *x, by_value);
    switch (c->over) {
    case VALIDATION_MEAN:
        break;
    case VALIDATION_MEDIAN:
        return x[n / 2];
    case VALIDATION_WORST:
        return worst;
    }
    return n == 1 ? x[0] : sum / (double)n;
}

/* ---- one case -------------------------------------------------------------------------------- */

/* Runs the case once, with one seed; numbers[i] is what its i-th measure says, NaN with errs[i] that
 * it could not. */
static void run_once(const struct validation_row *row, const struct validation_case *c,
                     uint64_t seed, double *numbers, struct err *errs)
{
    struct sim_probe probe;
    struct lesson_moments *moments = mem_alloc(c->scenario_count + 1, sizeof *moments);
    struct run **runs = mem_alloc(c->scenario_count + 1, sizeof *runs);
    struct err err = { 0 };
    bool ok = true;
    for (size_t i = 0; i < c->scenario_count && ok; i++) {
        runs[i] = observe(c, &c->scenarios[i], seed, &moments[i], &err);
        ok = runs[i] != NULL;
    }
    if (c->probe != NULL) {
        (void)run_probe_run(c->probe, row->probes, &probe);
    }
    for (size_t i = 0; i < c->measure_count; i++) {
        const struct question q = { &c->measures[i], moments, c->scenario_count,
                                    c->probe != NULL ? &probe : NULL };
        numbers[i] = NAN;
        errs[i] = err;
        if (ok) {
            (void)measure(row, &q, &numbers[i], &errs[i]);
        }
    }
    for (size_t i = 0; i < c->scenario_count; i++) {
        lesson_moments_finish(&moments[i]);
        run_destroy(runs[i]);
    }
    free(moments);
    free(runs);
}

static void run_case(const struct validation_wish *wish, const struct validation_row *row,
                     const struct validation_case *c)
{
    char buf[sizeof(struct err) + 8];
    const size_t seeds = (size_t)c->seeds;
    double *once = mem_alloc(c->measure_count, sizeof *once);
    double *all = mem_alloc(c->measure_count * seeds, sizeof *all);
    struct err *errs = mem_alloc(c->measure_count, sizeof *errs);
    bool ok = true; /* until a measure fails: then no other seed is tried */
    for (size_t s = 0; s < seeds && ok; s++) {
        run_once(row, c, s + 1, once, errs);
        for (size_t i = 0; i < c->measure_count; i++) {
            all[i * seeds + s] = once[i];
            ok = ok && errs[i].code == ERR_NONE;
        }
    }
    for (size_t i = 0; i < c->measure_count; i++) {
        const struct validation_measure *m = &c->measures[i];
        struct validation_result result = { .row = row,
                                            .of_case = c,
                                            .measure = m,
                                            .verdict = VALIDATION_FAIL,
                                            .measured = NAN,
                                            .note = m->disputed };
        if (errs[i].code != ERR_NONE) {
            result.note = err_text(&errs[i], buf, sizeof buf);
        } else {
            result.measured = combine(c, m, &all[i * seeds], ok ? seeds : 1);
            const bool fine = excess(m, result.measured) <= 0;
            const bool clear = explained(m, result.measured);
            result.verdict = m->disputed != NULL ? VALIDATION_DISPUTED
                             : fine && clear     ? VALIDATION_PASS
                                                 : VALIDATION_FAIL;
            if (fine && !clear) {
                result.note = "a peer's figure is beyond the margin, and no reason is given";
            }
        }
        wish->tell(wish->ctx, &result);
    }
    free(once);
    free(all);
    free(errs);
}

/* ---- the table ------------------------------------------------------------------------------- */

static const char *folder(const struct validation_wish *wish)
{
    return wish->peers ? "assets/validation/peers" : "assets/validation";
}

static bool run_row(const struct validation_wish *wish, const char *id, size_t *skipped,
                    struct text *errors, struct err *err)
{
    struct validation_row row;
    struct text path = { 0 };
    text_addf(&path, "%s/%s/%s.lua", wish->data_dir, folder(wish), id);
    const bool ok =
        validation_load(&row, text_str(&path), wish->data_dir, wish->probes, errors, err);
    text_finish(&path);
    if (!ok) {
        return false;
    }
    if (row.pending != NULL) {
        wish->tell(wish->ctx, &(struct validation_result){ .row = &row,
                                                           .verdict = VALIDATION_PENDING,
                                                           .measured = NAN,
                                                           .note = row.pending });
    } else if (row.full && !wish->full && wish->id_count == 0) {
        ++*skipped;
    } else {
        for (size_t i = 0; i < row.case_count; i++) {
            run_case(wish, &row, &row.cases[i]);
        }
    }
    validation_finish(&row);
    return true;
}

static bool is_wished(const struct validation_wish *wish, const char *id)
{
    bool wished = wish->id_count == 0;
    for (size_t i = 0; i < wish->id_count; i++) {
        wished = wished || strcmp(wish->ids[i], id) == 0;
    }
    return wished;
}

/* Every row that is asked for is in the index. */
static bool all_known(const struct validation_wish *wish, const struct lesson_index *index,
                      struct err *err)
{
    for (size_t i = 0; i < wish->id_count; i++) {
        bool known = false;
        const char *names[LESSON_INDEX_MAX + 1] = { NULL };
        for (size_t k = 0; k < index->count; k++) {
            names[k] = index->ids[k];
            known = known || strcmp(index->ids[k], wish->ids[i]) == 0;
        }
        if (!known) {
            const char *near = lesson_nearest(names, wish->ids[i]);
            return err_set(err, ERR_USAGE, "there is no row '%.40s'%s%s%s", wish->ids[i],
                           near != NULL ? "; did you mean " : "", near != NULL ? near : "",
                           near != NULL ? "?" : "");
        }
    }
    return true;
}

bool validation_run(const struct validation_wish *wish, size_t *skipped, struct text *errors,
                    struct err *err)
{
    struct lesson_index index = { .count = 0 };
    *skipped = 0;
    bool ok = lesson_index_read(wish->data_dir, folder(wish), &index, err) &&
              all_known(wish, &index, err);
    bool all = ok;
    for (size_t i = 0; i < index.count && ok; i++) {
        if (is_wished(wish, index.ids[i])) {
            all = run_row(wish, index.ids[i], skipped, errors, err) && all;
        }
    }
    lesson_index_finish(&index);
    return all;
}
