#include "app/victim.h"

#include <stdio.h>
#include <string.h>

#include "app/clock.h"
#include "base/text.h"
#include "base/units.h"

enum { WORK_US = 4000 };

/* How far ahead a packet on its way is looked for: far more than any queue holds. */
#define ARRIVAL_LIMIT (5 * UNIT_MS)
#define ARRIVAL_SLICE (2 * UNIT_US)

/* When (flow, psn) is accepted, seen from `sim` on; SIM_NEVER: not soon. */
static sim_ps arrival(const struct sim *sim, uint32_t flow, uint64_t psn)
{
    struct sim *fork = sim_fork(sim);
    sim_ps end = sim_now(sim) + ARRIVAL_LIMIT, found = SIM_NEVER;
    uint64_t cursor = 0;
    sim_trace_listen(fork, SIM_TRACE_BIT(ACCEPT));
    while (found == SIM_NEVER && sim_now(fork) < end) {
        enum sim_stopped stopped = sim_run_until(fork, sim_now(fork) + ARRIVAL_SLICE, 0);
        struct sim_record r[16];
        for (size_t n; (n = sim_trace_read_fine(fork, &cursor, r, 16)) > 0;) {
            for (size_t i = 0; i < n; i++) {
                if (r[i].flow == flow && r[i].psn == psn && found == SIM_NEVER) {
                    found = r[i].t;
                }
            }
        }
        if (stopped == SIM_AT_END) {
            break;
        }
    }
    sim_destroy(fork);
    return found;
}

void victim_take(struct victim *victim, const struct sim *sim, uint32_t flow, uint64_t psn,
                 uint32_t attempt)
{
    victim_finish(victim);
    struct sim_flow_state state = sim_flow_state(sim, flow);
    *victim = (struct victim){ .on = true,
                               .flow = flow,
                               .psn = psn,
                               .attempt = attempt,
                               .at = sim_now(sim),
                               .step = sim_step_now(sim),
                               .unhurt_end = SIM_NEVER,
                               .again_for = SIM_NEVER,
                               .again_at = SIM_NEVER };
    if (state.step_packets > 0 && psn >= state.step_psn) {
        victim->in_step = psn - state.step_psn + 1;
    }
    victim->unhurt_at = arrival(sim, flow, psn);
    victim->unhurt = sim_rank_count(sim) > 0 ? sim_fork(sim) : NULL;
}

void victim_finish(struct victim *victim)
{
    sim_destroy(victim->unhurt);
    *victim = (struct victim){ 0 };
}

bool victim_work(struct victim *victim)
{
    const int64_t end_us = clock_wall_us() + WORK_US;
    do {
        if (victim->unhurt == NULL) {
            return false;
        }
        sim_ps to = sim_now(victim->unhurt) + 5 * UNIT_US;
        enum sim_stopped stopped = sim_run_until(victim->unhurt, to, SIM_TRACE_BIT(BARRIER));
        if (sim_steps_done(victim->unhurt) >= victim->step) {
            victim->unhurt_end = sim_step(victim->unhurt, victim->step).end;
        }
        if (victim->unhurt_end != SIM_NEVER || stopped == SIM_AT_END) {
            sim_destroy(victim->unhurt);
            victim->unhurt = NULL;
        }
    } while (clock_wall_us() < end_us);
    return victim->unhurt != NULL;
}

/* What the marks tell about the victim, up to now. */
struct story {
    sim_ps lost, nak, timeout, rewind;
    uint32_t reason;
};

static struct story read_story(const struct victim *victim, const struct sim *sim)
{
    struct story s = { SIM_NEVER, SIM_NEVER, SIM_NEVER, SIM_NEVER, SIM_REASON_NONE };
    const struct sim_record *mark;
    size_t count = sim_trace_marks(sim, &mark);
    sim_ps now = sim_now(sim);
    for (size_t i = 0; i < count && mark[i].t <= now; i++) {
        if (mark[i].t < victim->at || mark[i].flow != victim->flow) {
            continue;
        }
        if (mark[i].kind == SIM_TRACE_DROP && mark[i].psn == victim->psn &&
            mark[i].attempt == victim->attempt) {
            s.lost = mark[i].t;
            s.reason = mark[i].reason;
        } else if (s.lost == SIM_NEVER) {
            continue;
        } else if (mark[i].kind == SIM_TRACE_NAK && s.nak == SIM_NEVER) {
            s.nak = mark[i].t;
        } else if (mark[i].kind == SIM_TRACE_TIMEOUT && s.timeout == SIM_NEVER) {
            s.timeout = mark[i].t;
        } else if (mark[i].kind == SIM_TRACE_REWIND && s.rewind == SIM_NEVER) {
            s.rewind = mark[i].t;
        }
    }
    return s;
}

static const char *time_text(sim_ps t, char buf[40])
{
    return units_format(buf, 40, UNIT_TIME, t);
}

/* Nobody will ask for it: all is sent, nothing is on its way, the receiver sees no gap. */
static void say_only_timer(const struct victim *victim, const struct sim *sim, struct text *out)
{
    struct sim_flow_state f = sim_flow_state(sim, victim->flow);
    char left[40];
    if (f.in_flight == 0 && f.next == f.end && f.timer != SIM_NEVER) {
        text_addf(out, "; nothing follows it: only the timer of %s can help, after %s",
                  sim_node(sim, sim_flow(sim, victim->flow).src).name, time_text(f.rto, left));
    }
}

static void say_cost(struct victim *victim, const struct sim *sim, const struct story *s,
                     struct text *out, bool *settled)
{
    char t[40];
    if (victim->hush) {
        return;
    }
    if (sim_steps_done(sim) >= victim->step && victim->step > 0) {
        if (victim->unhurt_end != SIM_NEVER) {
            sim_ps more = sim_step(sim, victim->step).end - victim->unhurt_end;
            text_addf(out, more < 0 ? ", the step ends %s earlier" : ", cost: +%s",
                      time_text(more < 0 ? -more : more, t));
            *settled = true;
        }
        return;
    }
    if (victim->again_for != s->rewind) {
        victim->again_for = s->rewind;
        victim->again_at = arrival(sim, victim->flow, victim->psn);
    }
    if (victim->again_at <= sim_now(sim) && victim->unhurt_at != SIM_NEVER) {
        text_addf(out, ", cost so far +%s", time_text(victim->again_at - victim->unhurt_at, t));
    }
}

const char *victim_say(struct victim *victim, const struct sim *sim, char *buf, size_t size,
                       bool *settled)
{
    bool ignored;
    settled = settled != NULL ? settled : &ignored;
    *settled = !victim->on;
    buf[0] = '\0';
    if (!victim->on || sim_now(sim) < victim->at || victim->flow >= sim_flow_count(sim)) {
        return buf;
    }
    struct story s = read_story(victim, sim);
    struct text out = { 0 };
    char t[40];
    text_addf(&out, "packet %llu of %s: ",
              (unsigned long long)(victim->in_step > 0 ? victim->in_step : victim->psn),
              sim_node(sim, sim_flow(sim, victim->flow).src).name);
    if (s.lost == SIM_NEVER) {
        text_add(&out, "will be lost where it is");
    } else {
        text_add(&out, "lost");
    }
    if (s.nak != SIM_NEVER && (s.timeout == SIM_NEVER || s.nak < s.timeout)) {
        text_addf(&out, "; NAK %s later", time_text(s.nak - s.lost, t));
    } else if (s.timeout != SIM_NEVER) {
        text_addf(&out, "; timeout %s later", time_text(s.timeout - s.lost, t));
    } else if (s.lost != SIM_NEVER) {
        say_only_timer(victim, sim, &out);
    }
    if (s.rewind != SIM_NEVER) {
        text_add(&out, ", resent");
        say_cost(victim, sim, &s, &out, settled);
    }
    snprintf(buf, size, "%s", text_str(&out));
    text_finish(&out);
    return buf;
}
