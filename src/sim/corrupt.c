#include "sim/corrupt.h"

#include "sim/config.h"
#include "sim/fault.h"

static const enum sim_reason refusals[] = {
#define X(id, word, reason, help) SIM_REASON_##reason,
    SIM_FIELDS(X)
#undef X
};

bool sim_corrupt_can(const struct sim *s, struct err *err)
{
    const int64_t *v = s->w->knobs.v;
    if (v[SIM_KNOB_LINK] != SIM_ETHERNET || v[SIM_KNOB_TRANSPORT] == SIM_TCP ||
        v[SIM_KNOB_WIRE_OVERHEAD] != SIM_AUTO) {
        return err_set(
            err, ERR_STATE,
            "corrupt is about the headers of RoCEv2: it takes link ethernet, a transport "
            "other than tcp, and wire_overhead auto");
    }
    return s->w->corrupt_count < SIM_CORRUPT_MAX ||
           err_set(err, ERR_LIMIT, "more than %d packets are waiting to be spoilt",
                   (int)SIM_CORRUPT_MAX);
}

void sim_corrupt_arm(struct sim *s, uint32_t flow, enum sim_field field)
{
    s->w->corrupt[s->w->corrupt_count++] =
        (struct sim_corrupt_rule){ .psn = SIM_PSN_ANY, .flow = flow, .field = (uint32_t)field };
    s->w->lossy = sim_fault_lossy(s);
    struct sim_record rec = sim_record(SIM_TRACE_FAULT);
    rec.flow = flow;
    rec.value = (int64_t)field;
    sim_record_add(s, rec);
}

static void remove_rule(struct sim *s, uint64_t i)
{
    for (s->w->corrupt_count--; i < s->w->corrupt_count; i++) { /* the oldest first, always */
        s->w->corrupt[i] = s->w->corrupt[i + 1];
    }
    s->w->corrupt[i] = (struct sim_corrupt_rule){ 0 };
    s->w->lossy = sim_fault_lossy(s);
}

/* The rule about this very packet, or corrupt_count. */
static uint64_t find(const struct sim *s, const struct sim_packet *f)
{
    uint64_t i = 0;
    while (i < s->w->corrupt_count &&
           (s->w->corrupt[i].flow != f->flow || s->w->corrupt[i].psn != f->psn ||
            s->w->corrupt[i].attempt != f->attempt)) {
        i++;
    }
    return i;
}

/* The first rule that waits for a packet of this flow becomes that of this one. */
static uint64_t take(struct sim *s, const struct sim_packet *f)
{
    uint64_t i = 0;
    while (i < s->w->corrupt_count &&
           (s->w->corrupt[i].flow != f->flow || s->w->corrupt[i].psn != SIM_PSN_ANY)) {
        i++;
    }
    if (i < s->w->corrupt_count) {
        s->w->corrupt[i].psn = f->psn;
        s->w->corrupt[i].attempt = f->attempt;
    }
    return i;
}

enum sim_reason sim_corrupt_meets(struct sim *s, uint32_t port, uint32_t packet, bool whole)
{
    const struct sim_packet *f = &s->packets[packet];
    const struct sim_port_config *c = &s->config->ports[port];
    const bool host = !c->to_switch || s->config->nodes[c->to].inside; /* or a box's NIC */
    if ((f->flags & SIM_FLAG_COPY) != 0) {
        return SIM_REASON_NONE;
    }
    uint64_t i = find(s, f);
    const bool fresh = i == s->w->corrupt_count && f->hops == 1;
    i = fresh ? take(s, f) : i;
    if (i == s->w->corrupt_count) {
        return SIM_REASON_NONE;
    }
    const enum sim_field field = (enum sim_field)s->w->corrupt[i].field;
    if (fresh && !host && field != SIM_FIELD_FRAME) {
        return SIM_REASON_NONE; /* it is this switch that spoils it */
    }
    const enum sim_reason reason = refusals[field];
    const bool seen = reason == SIM_REASON_FCS           ? whole
                      : reason == SIM_REASON_IP_CHECKSUM ? true
                                                         : host;
    if (!seen) {
        return SIM_REASON_NONE;
    }
    remove_rule(s, i);
    return reason;
}

void sim_corrupt_forget(struct sim *s, const struct sim_packet *f)
{
    const uint64_t i = f->kind == SIM_FRAME_DATA ? find(s, f) : s->w->corrupt_count;
    if (i < s->w->corrupt_count) {
        remove_rule(s, i);
    }
}

enum sim_field sim_corrupt_of(const struct sim *s, const struct sim_packet *f)
{
    const uint64_t i = f->kind == SIM_FRAME_DATA && f->hops > 1 ? find(s, f) : s->w->corrupt_count;
    return i < s->w->corrupt_count ? (enum sim_field)s->w->corrupt[i].field : SIM_FIELD_NONE;
}
