#include "app/fate.h"

#include <stdio.h>

#include "app/clock.h"
#include "app/whatif.h"
#include "base/text.h"
#include "base/units.h"

enum { WORK_US = 4000, NAMES = 2 };

#define SLICE (5 * UNIT_US)

void fate_take(struct fate *fate, const struct sim *sim, const struct sim_cmd *cmd)
{
    fate_finish(fate);
    *fate = (struct fate){ .on = true,
                           .cmd = *cmd,
                           .at = sim_now(sim),
                           .before = sim_counters(sim),
                           .unhurt_end = SIM_NEVER };
    if (sim_rank_count(sim) > 0) {
        fate->step =
            sim_step_now(sim) + (cmd->kind == SIM_CMD_SLOW_GPU); /* that begins with the next */
        fate->unhurt = fate->step <= sim_step_total(sim) ? sim_fork(sim) : NULL;
    }
}

void fate_finish(struct fate *fate)
{
    sim_destroy(fate->unhurt);
    *fate = (struct fate){ 0 };
}

bool fate_work(struct fate *fate)
{
    const int64_t end_us = clock_wall_us() + WORK_US;
    do {
        if (fate->unhurt == NULL) {
            return false;
        }
        const enum sim_stopped stopped =
            sim_run_until(fate->unhurt, sim_now(fate->unhurt) + SLICE, SIM_TRACE_BIT(BARRIER));
        if (sim_steps_done(fate->unhurt) >= fate->step) {
            fate->unhurt_end = sim_step(fate->unhurt, fate->step).end;
        }
        if (fate->unhurt_end != SIM_NEVER || stopped == SIM_AT_END) {
            sim_destroy(fate->unhurt);
            fate->unhurt = NULL;
        }
    } while (clock_wall_us() < end_us);
    return fate->unhurt != NULL;
}

static void add_count(struct text *out, uint64_t n, const char *one, const char *many)
{
    char text[64];
    if (n > 0) {
        text_addf(out, "; %s", units_counted(text, sizeof text, (int64_t)n, one, many));
    }
}

/* "; g4, g5 and 3 others wait": who has to, and is not at the barrier with all others. */
static void add_waiting(struct text *out, const struct sim *sim)
{
    size_t count = 0;
    struct text names = { 0 };
    for (uint32_t r = 0; r < sim_rank_count(sim); r++) {
        const enum sim_rank_state state = sim_rank(sim, r).state;
        if (state != SIM_RANK_WAITS && state != SIM_RANK_TIMER && state != SIM_RANK_PAUSED) {
            continue;
        }
        if (count++ < NAMES) {
            text_addf(&names, "%s%s", count > 1 ? ", " : "",
                      sim_node(sim, sim_rank_node(sim, r)).name);
        }
    }
    if (count > NAMES) {
        text_addf(out, "; %s, %zu more wait%s", text_str(&names), count - NAMES,
                  count - NAMES == 1 ? "s" : "");
    } else if (count > 0) {
        text_addf(out, "; %s wait%s", text_str(&names), count == 1 ? "s" : "");
    }
    text_finish(&names);
}

/* When routes avoid a cable that was cut. */
static void add_routes(const struct fate *fate, const struct sim *sim, struct text *out)
{
    const uint32_t port = sim_find_port(sim, fate->cmd.node);
    char when[40];
    if (fate->cmd.kind != SIM_CMD_LINK || fate->cmd.value != 0 || port == SIM_NONE ||
        sim_node(sim, sim_port(sim, port).node).kind != SIM_SWITCH ||
        sim_node(sim, sim_port(sim, sim_port(sim, port).peer).node).kind != SIM_SWITCH) {
        return;
    }
    const sim_ps at = fate->at + 1 + sim_knob(sim, SIM_KNOB_REROUTE);
    text_addf(out,
              at > sim_now(sim) ? "; routes avoid it from %s on" : "; routes avoid it since %s",
              units_format(when, sizeof when, UNIT_TIME, at));
}

/* True: it is known, nothing will be added. */
static bool add_cost(const struct fate *fate, const struct sim *sim, struct text *out)
{
    char t[40];
    if (sim_outcome(sim) == SIM_STALLED) {
        text_addf(out, "; the run stands still: %s", sim_reason_word(sim_stall(sim).reason));
        return true;
    }
    if (fate->step == 0 || sim_steps_done(sim) < fate->step || fate->unhurt_end == SIM_NEVER) {
        return fate->step == 0;
    }
    const sim_ps more = sim_step(sim, fate->step).end - fate->unhurt_end;
    const long long step = (long long)fate->step;
    if (more == 0) {
        text_addf(out, "; step %lld ended as it would have anyway", step);
    } else {
        text_addf(out, "; step %lld ended %s %s", step,
                  units_format(t, sizeof t, UNIT_TIME, more < 0 ? -more : more),
                  more < 0 ? "earlier" : "later");
    }
    return true;
}

/* What was done, in few words: the line is to hold what came of it, too. */
static void add_deed(const struct fate *fate, const struct sim *sim, struct text *out)
{
    const struct sim_cmd *cmd = &fate->cmd;
    char when[40], what[120];
    units_format(when, sizeof when, UNIT_TIME, fate->at);
    if (cmd->kind == SIM_CMD_LINK) {
        const uint32_t port = sim_find_port(sim, cmd->node);
        const uint32_t peer = port != SIM_NONE ? sim_port(sim, port).peer : SIM_NONE;
        text_addf(out, "%s-%s %s at %s",
                  port != SIM_NONE ? sim_node(sim, sim_port(sim, port).node).name : "?",
                  peer != SIM_NONE ? sim_node(sim, sim_port(sim, peer).node).name : "?",
                  cmd->value != 0 ? "mended" : "cut", when);
    } else {
        text_addf(out, "%s at %s", whatif_say(cmd, what, sizeof what), when);
    }
}

const char *fate_say(const struct fate *fate, const struct sim *sim, char *buf, size_t size,
                     bool *settled)
{
    *settled = true;
    buf[0] = '\0';
    if (!fate->on || sim_now(sim) < fate->at) {
        return buf;
    }
    struct text out = { 0 };
    const struct sim_counters now = sim_counters(sim);
    const bool over = fate->step > 0 && sim_steps_done(sim) >= fate->step;
    add_deed(fate, sim, &out);
    *settled = fate->hush || add_cost(fate, sim, &out);
    add_count(&out, now.dropped - fate->before.dropped, "lost", "lost");
    add_count(&out, now.timeouts - fate->before.timeouts, "timeout", "timeouts");
    if (!over) {
        add_waiting(&out, sim);
    }
    add_routes(fate, sim, &out);
    add_count(&out, now.xoff_frames - fate->before.xoff_frames, "PAUSE", "PAUSE");
    snprintf(buf, size, "%s", text_str(&out));
    text_finish(&out);
    return buf;
}
