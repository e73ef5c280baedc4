#include "sim/arbiter.h"

#include <assert.h>
#include <inttypes.h>

enum { LIMIT_UNIT = 4096 }; /* bytes */

/* The first entry of a table that has something, from the one whose turn it is. False if none has. */
static bool next_entry(const struct sim *s, uint32_t port, uint32_t table, unsigned may,
                       struct sim_turn *turn)
{
    const struct sim_arbiter *a = &s->lanes[port].arbiter;
    const uint32_t count = s->config->vl_counts[table];
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = (a->at[table] + k) % count;
        const struct sim_vl_entry *entry = &s->config->vl_tables[table][i];
        if (entry->weight > 0 && (may >> entry->vl & 1u) != 0) {
            const bool begun = k == 0 && a->left[table] > 0;
            *turn = (struct sim_turn){ table, i,
                                       begun ? a->left[table]
                                             : entry->weight * (int64_t)SIM_CREDIT_BLOCK };
            return true;
        }
    }
    return false;
}

/* Has the high table sent what it may before the low one has a chance? */
static bool limit_reached(const struct sim *s, uint32_t port)
{
    const int64_t limit = s->config->scenario.vl_limit;
    const int64_t spent = s->lanes[port].arbiter.spent;
    return limit != SIM_VL_NO_LIMIT && spent > 0 && spent >= limit * LIMIT_UNIT;
}

uint32_t sim_arbiter_choose(const struct sim *s, uint32_t port, unsigned may, struct sim_turn *turn)
{
    const uint32_t first = limit_reached(s, port) ? SIM_VL_LOW : SIM_VL_HIGH;
    const uint32_t second = SIM_VL_HIGH + SIM_VL_LOW - first;
    bool found = next_entry(s, port, first, may, turn) || next_entry(s, port, second, may, turn);
    assert(found); /* sim_arbiter_check() */
    (void)found;
    return s->config->vl_tables[turn->table][turn->entry].vl;
}

void sim_arbiter_charge(struct sim *s, uint32_t port, const struct sim_turn *turn, int64_t bytes)
{
    struct sim_arbiter *a = &s->lanes[port].arbiter;
    const uint32_t count = s->config->vl_counts[turn->table];
    const int64_t left = turn->left - bytes;
    a->at[turn->table] = left > 0 ? turn->entry : (turn->entry + 1) % count;
    a->left[turn->table] = left > 0 ? left : 0;
    if (turn->table == SIM_VL_LOW || limit_reached(s, port)) {
        a->spent = 0; /* it had its chance, used or not */
    }
    a->spent += turn->table == SIM_VL_HIGH ? bytes : 0;
}

/* ---- at load --------------------------------------------------------------------------------- */

static bool check_used(const struct sim_scenario *sc, uint32_t sl, const char *who, struct err *err)
{
    const uint32_t vl = sim_class_vl(sc, sl);
    bool found = false;
    for (size_t i = 0; i < sc->vl_entry_count; i++) {
        found = found || (sc->vl_entries[i].vl == vl && sc->vl_entries[i].weight > 0);
    }
    return found || err_set(err, ERR_STATE,
                            "vl_arbitration: lane %" PRIu32 " (%s) is in neither table: nothing "
                            "of it would ever be sent",
                            vl, who);
}

static bool check_tables(const struct sim_scenario *sc, struct err *err)
{
    bool ok = check_used(sc, SIM_PRIO_CONTROL, "ACKs", err);
    if (sc->work == SIM_WORK_TRAINING) {
        return ok && check_used(sc, SIM_PRIO_DATA, "gradients", err);
    }
    for (size_t i = 0; i < sc->flow_count && ok; i++) {
        ok = check_used(sc, sc->flows[i].prio, "of a flow", err);
    }
    return ok;
}

bool sim_arbiter_check(const struct sim_scenario *sc, struct err *err)
{
    const bool tables = sc->vl_entry_count > 0;
    bool mapped = false;
    for (uint32_t sl = 0; sl < SIM_PRIO_COUNT; sl++) {
        if (sc->classes[sl].vl > SIM_OWN_VL) {
            return err_set(err, ERR_RANGE, "class %" PRIu32 ": lanes are 0 to %d", sl,
                           SIM_PRIO_COUNT - 1);
        }
        mapped = mapped || sim_class_vl(sc, sl) != sl;
    }
    if ((tables || mapped) && sc->knobs.v[SIM_KNOB_LINK] != SIM_INFINIBAND) {
        return err_set(err, ERR_STATE, "%s: that is for InfiniBand; set link to infiniband%s",
                       tables ? "vl_arbitration" : "a class has a virtual lane",
                       tables ? ", or give classes weights" : "");
    }
    if (sim_class_vl(sc, SIM_PRIO_DATA) != SIM_PRIO_DATA) {
        return err_set(err, ERR_STATE, "class %d keeps lane %d: it is the lane that is shown",
                       SIM_PRIO_DATA, SIM_PRIO_DATA);
    }
    if (sc->vl_limit < 0 || sc->vl_limit > SIM_VL_NO_LIMIT) {
        return err_set(err, ERR_RANGE, "vl_arbitration: a limit from 0 to %d", SIM_VL_NO_LIMIT);
    }
    return !tables || check_tables(sc, err);
}
