#include "sim/fault.h"

#include <inttypes.h>

#include "base/rng.h"
#include "sim/corrupt.h"
#include "sim/link.h"
#include "sim/qp.h"
#include "sim/world.h"

/* Of several, as where it was flooded, the one that leaves or has left by the first port. Their places
 * say nothing: those depend on how the run was cut into slices. */
uint32_t sim_packet_find(const struct sim *s, uint32_t flow, uint64_t psn, uint32_t attempt)
{
    uint32_t found = SIM_NONE;
    for (uint64_t i = 0; i < s->w->packet_high; i++) {
        const struct sim_packet *f = &s->packets[i];
        if ((f->flags & (SIM_FLAG_POOL_FREE | SIM_FRAME_LOST)) == 0 && f->kind == SIM_FRAME_DATA &&
            f->flow == flow && f->psn == psn && f->attempt == attempt &&
            (found == SIM_NONE || f->egress < s->packets[found].egress)) {
            found = (uint32_t)i;
        }
    }
    return found;
}

/* True while this attempt is on its way or still to come. */
static bool reachable(const struct sim *s, struct sim_drop_target *t)
{
    const struct sim_qp *qp = &s->qps[t->flow];
    t->packet = sim_packet_find(s, t->flow, t->psn, t->attempt);
    if (t->packet != SIM_NONE) {
        return true;
    }
    uint32_t next_attempt = sim_qp_attempt(s, t->flow, t->psn) + (t->psn < qp->next ? 1 : 0);
    return t->psn >= qp->una && t->attempt >= next_attempt;
}

/* The packets of a flow in one step: for a plain flow, all of them. */
static bool step_range(const struct sim *s, const struct sim_cmd *cmd, uint32_t flow,
                       uint64_t *first, uint64_t *count, struct err *err)
{
    const struct sim_qp *qp = &s->qps[flow];
    if (s->config->scenario.work == SIM_WORK_FLOWS) {
        *first = 0;
        const struct sim_flow_config *c = &s->config->flows[flow];
        *count = sim_packets_of(s, c->bytes) * (c->messages > 0 ? c->messages : 1);
        return true;
    }
    if (qp->step_packets == 0) {
        return err_set(err, ERR_STATE, "%s carries nothing now", cmd->flow);
    }
    int64_t ahead = cmd->step > 0 ? cmd->step - s->w->step : 0;
    if (ahead < 0 || cmd->step > s->config->steps) {
        return err_set(err, ERR_STATE, "step %" PRId64 " is %s", cmd->step,
                       ahead < 0 ? "over" : "not part of this run");
    }
    *first = qp->step_psn + (uint64_t)ahead * qp->step_packets;
    *count = qp->step_packets;
    return true;
}

bool sim_fault_aim(const struct sim *s, const struct sim_cmd *cmd, struct sim_drop_target *t,
                   struct err *err)
{
    t->flow = sim_find_flow(s, cmd->flow);
    t->attempt = cmd->attempt > 0 ? cmd->attempt : 1;
    t->attempts = cmd->attempts > 0 ? cmd->attempts : 1;
    if (t->flow == SIM_NONE) {
        return err_set(err, ERR_NAME, "there is no flow \"%s\" in this fabric", cmd->flow);
    }
    const uint32_t leg = s->config->flows[t->flow].first_leg;
    if (leg != SIM_NONE) {
        return err_set(err, ERR_STATE,
                       "%s is staged and sends no packets itself; its legs do: %s ...", cmd->flow,
                       s->config->flows[leg].name);
    }
    if (s->w->rule_count == SIM_RULES_MAX) {
        return err_set(err, ERR_LIMIT, "more than %d packets are waiting to be destroyed",
                       (int)SIM_RULES_MAX);
    }
    uint64_t first = 0;
    uint64_t count = 0;
    t->psn = cmd->psn;
    if (cmd->which == SIM_DROP_RESEND) {
        t->psn = SIM_PSN_ANY;
        t->attempt = 2;
        t->packet = SIM_NONE;
        return true;
    }
    if (cmd->which != SIM_DROP_PSN) {
        if (!step_range(s, cmd, t->flow, &first, &count, err)) {
            return false;
        }
        uint64_t place[] = { [SIM_DROP_INDEX] = cmd->psn - 1,
                             [SIM_DROP_FIRST] = 0,
                             [SIM_DROP_MIDDLE] = count / 2,
                             [SIM_DROP_LAST] = count - 1 };
        if (place[cmd->which] >= count) {
            return err_set(err, ERR_RANGE, "%s has packets 1 to %" PRIu64 " in a step", cmd->flow,
                           count);
        }
        t->psn = first + place[cmd->which];
    }
    if (reachable(s, t)) {
        return true;
    }
    bool next_step = cmd->which != SIM_DROP_PSN && cmd->step == 0 &&
                     s->config->scenario.work == SIM_WORK_TRAINING && s->w->step < s->config->steps;
    if (next_step) {
        t->psn += count;
        return true;
    }
    char name[96];
    return err_set(err, ERR_STATE, "packet %s is past: it has arrived or was lost",
                   sim_packet_name(s, t->flow, t->psn, t->attempt, name, sizeof name));
}

void sim_fault_drop(struct sim *s, const struct sim_drop_target *t)
{
    uint32_t attempt = t->attempt;
    uint32_t attempts = t->attempts;
    if (t->packet != SIM_NONE) {
        const struct sim_packet *f = &s->packets[t->packet];
        bool in_switch = f->ingress != SIM_NONE;
        uint32_t port = in_switch ? f->ingress : s->config->ports[f->egress].peer;
        sim_frame_lose(s, t->packet, port, SIM_REASON_FAULT);
        attempt++;
        attempts--;
    }
    if (attempts > 0) {
        s->w->rules[s->w->rule_count++] = (struct sim_drop_rule){
            .flow = t->flow, .psn = t->psn, .attempt = attempt, .attempts = attempts
        };
        s->w->lossy = sim_fault_lossy(s);
        struct sim_record rec = sim_record(SIM_TRACE_FAULT);
        rec.flow = t->flow;
        rec.psn = t->psn;
        rec.attempt = attempt;
        sim_record_add(s, rec);
    }
}

uint32_t sim_fault_aim_frame(const struct sim *s, const struct sim_cmd *cmd, struct err *err)
{
    const uint32_t port = sim_find_port(s, cmd->node);
    if (port == SIM_NONE || !sim_in_fabric(s, port)) {
        (void)err_set(err, ERR_NAME, "there is no port \"%s\" in this fabric", cmd->node);
        return SIM_NONE;
    }
    uint64_t left = cmd->psn;
    for (uint32_t i = s->ports[port].wire.head; i != SIM_NONE; i = s->packets[i].next) {
        const struct sim_packet *f = &s->packets[i];
        if (f->kind == (uint8_t)cmd->value && (f->flags & SIM_FRAME_LOST) == 0 && --left == 0) {
            return i;
        }
    }
    (void)err_set(err, ERR_STATE, "no such frame is on the cable from %s now", cmd->node);
    return SIM_NONE;
}

void sim_fault_drop_frame(struct sim *s, uint32_t packet)
{
    sim_frame_lose(s, packet, s->config->ports[s->packets[packet].egress].peer, SIM_REASON_FAULT);
}

uint64_t sim_fault_lossy(const struct sim *s)
{
    const struct sim_world *w = s->w;
    uint64_t lossy = (uint64_t)(w->nth.every > 0 || w->rule_count > 0) << SIM_LOSSY_DATA;
    for (int of = 0; of < SIM_LOSSY_COUNT; of++) {
        lossy |= (uint64_t)(w->loss[of].share > 0 || w->burst[of].left > 0) << of;
    }
    lossy |= (uint64_t)(w->corrupt_count > 0) << SIM_LOSSY_COUNT;
    return lossy;
}

void sim_fault_lose(struct sim *s, const struct sim_cmd *cmd)
{
    const bool answers = cmd->kind == SIM_CMD_LOSS_ACK || cmd->kind == SIM_CMD_DROP_ACK;
    const enum sim_lossy of = answers ? SIM_LOSSY_ANSWERS : SIM_LOSSY_DATA;
    const uint32_t flow = cmd->flow[0] == '\0' ? SIM_NONE : sim_find_flow(s, cmd->flow);
    if (cmd->kind == SIM_CMD_DROP_NTH) {
        s->w->nth = (struct sim_nth_rule){ .every = cmd->value, .flow = flow };
    } else if (cmd->kind == SIM_CMD_LOSS || cmd->kind == SIM_CMD_LOSS_ACK) {
        s->w->loss[of] = (struct sim_loss_rule){ .share = cmd->value, .flow = flow };
    } else {
        s->w->burst[of] =
            (struct sim_burst_rule){ .left = (uint64_t)cmd->value, .from = cmd->psn, .flow = flow };
    }
    s->w->lossy = sim_fault_lossy(s);
    struct sim_record rec = sim_record(SIM_TRACE_FAULT);
    rec.flow = flow;
    rec.psn = cmd->psn;
    rec.value = cmd->value;
    sim_record_add(s, rec);
}

/* ---- does one strike? ------------------------------------------------------------------------ */

static bool nth_hits(struct sim_nth_rule *nth, uint32_t flow)
{
    if (nth->every == 0 || (nth->flow != SIM_NONE && nth->flow != flow)) {
        return false;
    }
    return ++nth->count % nth->every == 0;
}

/* Once begun, a burst goes on with whatever comes next. */
static bool burst_hits(struct sim_burst_rule *burst, const struct sim_packet *f)
{
    if (burst->left == 0 || (burst->flow != SIM_NONE && burst->flow != f->flow) ||
        f->psn < burst->from) {
        return false;
    }
    burst->from = 0;
    burst->left--;
    return true;
}

/* Keyed by the packet: the same one meets the same fate in every branch of a what-if. Answers are
 * numbered in each flow: many say the same. */
static bool loss_hits(struct sim *s, const struct sim_packet *f, enum sim_lossy of)
{
    const struct sim_loss_rule *loss = &s->w->loss[of];
    const uint64_t hash = s->config->flows[f->flow].hash;
    if (loss->share == 0 || (loss->flow != SIM_NONE && loss->flow != f->flow)) {
        return false;
    }
    uint64_t draw =
        of == SIM_LOSSY_ANSWERS
            ? rng_mix3(s->config->seed ^ 0xac4, hash, s->qps[f->flow].answers++)
            : rng_mix3(s->config->seed ^ 0x1055, hash ^ (uint64_t)f->attempt << 48, f->psn);
    return (int64_t)(draw >> 32) < loss->share;
}

static void remove_rule(struct sim *s, uint64_t i)
{
    s->w->rules[i] = s->w->rules[--s->w->rule_count];
    s->w->rules[s->w->rule_count] = (struct sim_drop_rule){ 0 };
}

/* Of the packets named by `drop`. */
static bool rule_hits(struct sim *s, const struct sim_packet *f)
{
    bool hit = false;
    for (uint64_t i = 0; i < s->w->rule_count; i++) {
        struct sim_drop_rule *rule = &s->w->rules[i];
        const bool any = rule->psn == SIM_PSN_ANY;
        if (rule->flow != f->flow || (!any && rule->psn != f->psn) || f->attempt < rule->attempt) {
            continue;
        }
        bool now = any || f->attempt < rule->attempt + rule->attempts;
        bool over = any ? --rule->attempts == 0 : f->attempt + 1 >= rule->attempt + rule->attempts;
        if (over) {
            remove_rule(s, i--); /* that was the last attempt it is about */
        }
        hit = hit || now;
    }
    return hit;
}

static bool destroyed(struct sim *s, uint32_t port, const struct sim_packet *f)
{
    const struct sim_flow_config *flow = &s->config->flows[f->flow];
    const bool data = f->kind == SIM_FRAME_DATA;
    const bool answer = f->kind == SIM_FRAME_ACK || f->kind == SIM_FRAME_NAK;
    const enum sim_lossy of = answer ? SIM_LOSSY_ANSWERS : SIM_LOSSY_DATA;
    const bool fabric = sim_in_fabric(s, port);
    const bool first = fabric ? f->hops == 1 : flow->boxed && port == flow->port;
    if ((!data && !answer) || !first || (s->w->lossy >> of & 1u) == 0) {
        return false;
    }
    bool hit = data && rule_hits(s, f); /* each rule counts, whatever another one does */
    if (fabric) {
        hit = (data && nth_hits(&s->w->nth, f->flow)) || hit;
        hit = loss_hits(s, f, of) || hit;
        hit = burst_hits(&s->w->burst[of], f) || hit;
    }
    s->w->lossy = sim_fault_lossy(s);
    return hit;
}

enum sim_reason sim_fault_strikes(struct sim *s, uint32_t port, uint32_t packet, bool whole)
{
    const struct sim_packet *f = &s->packets[packet];
    if (destroyed(s, port, f)) {
        return SIM_REASON_FAULT;
    }
    return sim_fault_corrupts(s) && f->kind == SIM_FRAME_DATA && sim_in_fabric(s, port)
               ? sim_corrupt_meets(s, port, packet, whole)
               : SIM_REASON_NONE;
}
