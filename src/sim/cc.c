#include "sim/cc.h"

#include "sim/event.h"
#include "sim/link.h"
#include "sim/switch.h"
#include "sim/transport.h"
#include "sim/world.h"

static int64_t line_rate(const struct sim *s, uint32_t flow)
{
    return s->config->flows[flow].line_bps;
}

void sim_cc_init(struct sim *s, uint32_t flow)
{
    s->qps[flow].cc = (struct sim_cc){ .rate = line_rate(s, flow),
                                       .target = line_rate(s, flow),
                                       .last_cnp = -SIM_LONGEST,
                                       .forget = { SIM_NEVER, SIM_NEVER },
                                       .raise = { SIM_NEVER, SIM_NEVER } };
}

/* ---- pacing ---------------------------------------------------------------------------------- */

bool sim_cc_may_send(struct sim *s, uint32_t flow)
{
    struct sim_cc *cc = &s->qps[flow].cc;
    if (!cc->active || cc->next <= s->w->now) {
        return true;
    }
    if (!cc->pace_event) {
        cc->pace_event = true;
        sim_event_push(s, cc->next, SIM_CLASS_TIMER, sim_comp_flow(s->config, flow), SIM_EV_PACE,
                       0);
    }
    return false;
}

void sim_cc_pace(struct sim *s, uint32_t flow)
{
    s->qps[flow].cc.pace_event = false;
    sim_qp_ready(s, flow);
    sim_port_kick(s, s->config->flows[flow].port);
}

static void raise_rate(struct sim *s, uint32_t flow)
{
    const int64_t *knob = s->w->knobs.v;
    struct sim_cc *cc = &s->qps[flow].cc;
    int64_t line = line_rate(s, flow);
    int64_t most = cc->timer_stage > cc->byte_stage ? cc->timer_stage : cc->byte_stage;
    int64_t least = cc->timer_stage < cc->byte_stage ? cc->timer_stage : cc->byte_stage;
    int64_t f = knob[SIM_KNOB_DCQCN_F];
    sim_wide target = cc->target;
    if (least > f) {
        target += (sim_wide)(least - f) * knob[SIM_KNOB_DCQCN_HAI];
    } else if (most > f) {
        target += knob[SIM_KNOB_DCQCN_AI];
    }
    cc->target = target < line ? (int64_t)target : line;
    cc->rate = (cc->target + cc->rate) / 2;
}

void sim_cc_sent(struct sim *s, uint32_t flow, int64_t bytes)
{
    struct sim_cc *cc = &s->qps[flow].cc;
    if (!cc->active) {
        return;
    }
    /* ceil(bits x 1 s / rate) */
    sim_wide bits = (sim_wide)(bytes + s->config->wire.slot) * 8 * UNIT_S;
    cc->next = s->w->now + (sim_ps)((bits + cc->rate - 1) / cc->rate);
    cc->bytes += bytes;
    if (cc->bytes >= s->w->knobs.v[SIM_KNOB_DCQCN_BYTES]) {
        cc->bytes = 0;
        cc->byte_stage += cc->byte_stage < UINT32_MAX;
        raise_rate(s, flow);
    }
}

/* ---- timers ---------------------------------------------------------------------------------- */

static void arm(struct sim *s, uint32_t flow, bool forget, bool on)
{
    struct sim_cc *cc = &s->qps[flow].cc;
    sim_ps after = s->w->knobs.v[forget ? SIM_KNOB_DCQCN_ALPHA_TIMER : SIM_KNOB_DCQCN_TIMER];
    sim_timer_set(s, forget ? &cc->forget : &cc->raise, on ? s->w->now + after : SIM_NEVER,
                  SIM_CLASS_TIMER, sim_comp_flow(s->config, flow),
                  forget ? SIM_EV_CC_ALPHA : SIM_EV_CC_RAISE, 0);
}

static bool due(struct sim *s, uint32_t flow, bool forget)
{
    struct sim_cc *cc = &s->qps[flow].cc;
    return sim_timer_due(s, forget ? &cc->forget : &cc->raise, SIM_CLASS_TIMER,
                         sim_comp_flow(s->config, flow), forget ? SIM_EV_CC_ALPHA : SIM_EV_CC_RAISE,
                         0);
}

/* Below this the memory of congestion makes no difference. */
#define FORGOTTEN (UNIT_ONE >> 10)

static bool set_free(struct sim *s, uint32_t flow)
{
    struct sim_cc *cc = &s->qps[flow].cc;
    bool off = s->w->knobs.v[SIM_KNOB_CC] == SIM_CC_NONE;
    /* "at the line" within a packet's worth: halving the way never gets there to the bit */
    bool back = cc->rate + cc->rate / 10000 >= line_rate(s, flow) && cc->alpha < FORGOTTEN;
    if (!off && !back) {
        return false;
    }
    cc->active = false;
    cc->rate = cc->target = line_rate(s, flow);
    arm(s, flow, true, false);
    arm(s, flow, false, false);
    return true;
}

void sim_cc_forget(struct sim *s, uint32_t flow)
{
    struct sim_cc *cc = &s->qps[flow].cc;
    if (!due(s, flow, true)) {
        return;
    }
    cc->alpha -= (int64_t)((sim_wide)cc->alpha * s->w->knobs.v[SIM_KNOB_DCQCN_G] >> 32);
    if (!set_free(s, flow)) {
        arm(s, flow, true, true);
    }
}

void sim_cc_raise(struct sim *s, uint32_t flow)
{
    if (!due(s, flow, false)) {
        return;
    }
    s->qps[flow].cc.timer_stage += s->qps[flow].cc.timer_stage < UINT32_MAX;
    raise_rate(s, flow);
    arm(s, flow, false, true);
}

/* ---- warnings -------------------------------------------------------------------------------- */

void sim_cc_marked(struct sim *s, uint32_t port, uint32_t flow)
{
    struct sim_cc *cc = &s->qps[flow].cc;
    if (s->w->knobs.v[SIM_KNOB_CC] == SIM_CC_NONE ||
        s->w->now - cc->last_cnp < s->w->knobs.v[SIM_KNOB_CNP_INTERVAL]) {
        return;
    }
    cc->last_cnp = s->w->now;
    s->w->count.cnps++;
    uint32_t packet = sim_packet_alloc(s);
    struct sim_packet *f = &s->packets[packet];
    f->kind = SIM_FRAME_CNP;
    f->prio = s->config->control_prio;
    f->flow = flow;
    f->bytes = s->config->wire.cnp;
    s->qps[flow].in_flight++;
    if (sim_listening(s, SIM_TRACE_CNP)) {
        sim_record_frame(s, SIM_TRACE_CNP, port, packet);
    }
    sim_egress_push(s, port, packet);
}

/* Without the clamp the target stays where it is until the rate has risen once. */
static void cut(struct sim *s, uint32_t flow)
{
    const int64_t *knob = s->w->knobs.v;
    struct sim_cc *cc = &s->qps[flow].cc;
    if (knob[SIM_KNOB_DCQCN_CLAMP] == SIM_ON || cc->timer_stage > 0 || cc->byte_stage > 0) {
        cc->target = cc->rate;
    }
    cc->rate -= (int64_t)((sim_wide)cc->rate * cc->alpha >> 33);
    cc->rate = cc->rate > knob[SIM_KNOB_DCQCN_MIN] ? cc->rate : knob[SIM_KNOB_DCQCN_MIN];
    cc->last_cut = s->w->now;
    cc->timer_stage = cc->byte_stage = 0;
    cc->bytes = 0;
    arm(s, flow, false, true);
    if (sim_listening(s, SIM_TRACE_RATE_CUT)) {
        struct sim_record rec = sim_record(SIM_TRACE_RATE_CUT);
        rec.port = s->config->flows[flow].port;
        rec.flow = flow;
        rec.value = cc->rate;
        sim_record_add(s, rec);
    }
}

void sim_cc_cut(struct sim *s, uint32_t flow)
{
    struct sim_cc *cc = &s->qps[flow].cc;
    cc->cut_event = false;
    if (cc->active && !set_free(s, flow)) {
        cut(s, flow);
    }
}

void sim_cc_cnp(struct sim *s, uint32_t packet)
{
    const int64_t *knob = s->w->knobs.v;
    uint32_t flow = s->packets[packet].flow;
    struct sim_cc *cc = &s->qps[flow].cc;
    sim_frame_end(s, packet);
    if (knob[SIM_KNOB_CC] == SIM_CC_NONE) {
        return;
    }
    if (!cc->active) {
        cc->active = true;
        cc->alpha = UNIT_ONE;
        cc->next = s->w->now;
        cc->last_cut = s->w->now; /* the first waits, too */
    }
    sim_ps next = cc->last_cut + knob[SIM_KNOB_DCQCN_CUT_TIME];
    if (next <= s->w->now) {
        cut(s, flow);
    } else if (!cc->cut_event) {
        cc->cut_event = true;
        sim_event_push(s, next, SIM_CLASS_TIMER, sim_comp_flow(s->config, flow), SIM_EV_CC_CUT, 0);
    }
    cc->alpha += (int64_t)((sim_wide)(UNIT_ONE - cc->alpha) * knob[SIM_KNOB_DCQCN_G] >> 32);
    arm(s, flow, true, true);
}
