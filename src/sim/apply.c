/*
 * What commands do: whether one can be done now, and doing it. The forms are in command.h, the order of
 * events around one in sim_apply() of sim.h.
 */
#include <inttypes.h>

#include "sim/config.h"
#include "sim/corrupt.h"
#include "sim/credit.h"
#include "sim/event.h"
#include "sim/fault.h"
#include "sim/link.h"
#include "sim/outage.h"
#include "sim/pfc.h"
#include "sim/qp.h"
#include "sim/stall.h"
#include "sim/switch.h"
#include "sim/watch.h"
#include "sim/work.h"
#include "sim/world.h"

static bool check_set(const struct sim *s, const struct sim_cmd *cmd, struct err *err)
{
    struct sim_knobs knobs = s->w->knobs;
    if (!sim_knob_check(cmd->knob, cmd->value, err)) {
        return false;
    }
    if (sim_knob_info(cmd->knob)->when == SIM_RESTART) {
        return err_set(err, ERR_STATE, "%s cannot change while a run goes on: it starts again",
                       sim_knob_info(cmd->knob)->name);
    }
    knobs.v[cmd->knob] = cmd->value;
    return sim_knobs_agree(&knobs, err);
}

static bool check_host(const struct sim *s, const char *name, uint32_t *port, struct err *err)
{
    uint32_t node = sim_find_node(s, name);
    if (node == SIM_NONE || s->config->nodes[node].kind == SIM_SWITCH) {
        return err_set(err, ERR_NAME, "there is no host \"%s\" in this fabric", name);
    }
    *port = s->config->nodes[node].first_port;
    return true;
}

/* The port by which a host, or the NIC of a box, can send PAUSE. */
static bool check_pauser(const struct sim *s, const char *name, uint32_t *port, struct err *err)
{
    const uint32_t n = sim_find_node(s, name);
    const struct sim_node_config *node = n == SIM_NONE ? NULL : &s->config->nodes[n];
    if (node == NULL || (node->kind == SIM_SWITCH && !node->inside)) {
        return err_set(err, ERR_NAME, "there is no host or NIC \"%s\" in this fabric", name);
    }
    for (uint32_t p = node->first_port; p < node->first_port + node->port_count; p++) {
        if (s->config->ports[p].kind == SIM_LINK_FABRIC) {
            *port = p;
            return true;
        }
    }
    return err_set(err, ERR_STATE,
                   "%s has no cable in the fabric, and inside a box nobody pauses; name its NIC",
                   name);
}

static bool check_cabled(const struct sim *s, uint32_t port, struct err *err)
{
    return s->config->ports[port].kind == SIM_LINK_FABRIC ||
           err_set(err, ERR_STATE, "%s has no cable to a switch of the fabric",
                   s->config->nodes[s->config->ports[port].node].name);
}

static bool check_losses(const struct sim *s, const char *name, struct err *err)
{
    const uint32_t flow = name[0] == '\0' ? SIM_NONE : sim_find_flow(s, name);
    if (name[0] != '\0' && flow == SIM_NONE) {
        return err_set(err, ERR_NAME, "there is no flow \"%s\" in this fabric", name);
    }
    if (flow != SIM_NONE && s->config->flows[flow].boxed) {
        return err_set(err, ERR_STATE,
                       "%s stays inside a box: PCIe and NVLink repair their losses themselves",
                       name);
    }
    const uint32_t leg = flow == SIM_NONE ? SIM_NONE : s->config->flows[flow].first_leg;
    return leg == SIM_NONE || err_set(err, ERR_STATE, "%s is staged: name one of its legs, %s ...",
                                      name, s->config->flows[leg].name);
}

static bool check_burst(const struct sim *s, const struct sim_cmd *cmd, struct err *err)
{
    const uint64_t una = cmd->flow[0] == '\0' ? 0 : s->qps[sim_find_flow(s, cmd->flow)].una;
    return cmd->psn == 0 || cmd->psn >= una ||
           err_set(err, ERR_STATE, "packet %s:%" PRIu64 " is past: it has arrived", cmd->flow,
                   cmd->psn);
}

static bool check_gpu(const struct sim *s, const char *name, uint32_t port, struct err *err)
{
    uint32_t host = s->config->nodes[s->config->ports[port].node].host_index;
    return host < s->config->rank_count ||
           err_set(err, ERR_NAME, "%s does not train: it has no GPU to slow down or stop", name);
}

/* A circle of waiters or a storm may be broken from outside; a queue pair that gave up stays so. */
static bool may_recover(const struct sim *s)
{
    return s->w->stall.reason == SIM_REASON_DEADLOCK || s->w->stall.reason == SIM_REASON_STORM;
}

bool sim_would_apply(const struct sim *s, const struct sim_cmd *cmd, struct err *err)
{
    struct sim_drop_target target;
    uint32_t port = 0;
    if ((s->w->stalled && !may_recover(s)) || s->w->memory_limit) {
        return err_set(err, ERR_STATE, "the run has ended: nothing can be changed any more");
    }
    switch (cmd->kind) {
    case SIM_CMD_SET:
        return check_set(s, cmd, err);
    case SIM_CMD_DROP:
        return sim_fault_aim(s, cmd, &target, err);
    case SIM_CMD_DROP_NTH:
    case SIM_CMD_LOSS:
    case SIM_CMD_LOSS_ACK:
    case SIM_CMD_DROP_ACK:
        return check_losses(s, cmd->flow, err);
    case SIM_CMD_BURST:
        return check_losses(s, cmd->flow, err) && check_burst(s, cmd, err);
    case SIM_CMD_HOLD:
    case SIM_CMD_SLOW:
    case SIM_CMD_KILL:
        return check_host(s, cmd->node, &port, err);
    case SIM_CMD_PAUSE:
    case SIM_CMD_STORM:
        return check_pauser(s, cmd->node, &port, err);
    case SIM_CMD_FLOOD:
        return check_host(s, cmd->node, &port, err) && check_cabled(s, port, err);
    case SIM_CMD_DROP_FRAME:
        return sim_fault_aim_frame(s, cmd, err) != SIM_NONE;
    case SIM_CMD_CORRUPT:
        return check_losses(s, cmd->flow, err) && sim_corrupt_can(s, err);
    case SIM_CMD_SLOW_GPU:
    case SIM_CMD_PAUSE_GPU:
        return check_host(s, cmd->node, &port, err) && check_gpu(s, cmd->node, port, err);
    case SIM_CMD_LINK:
        return sim_find_port(s, cmd->node) != SIM_NONE ||
               err_set(err, ERR_NAME, "there is no port \"%s\" in this fabric", cmd->node);
    }
    return false;
}

static void apply_set(struct sim *s, const struct sim_cmd *cmd)
{
    int64_t before = s->w->knobs.v[cmd->knob];
    s->w->knobs.v[cmd->knob] = cmd->value;
    sim_credit_derive(s);
    struct sim_record rec = sim_record(SIM_TRACE_SET);
    rec.knob = (uint32_t)cmd->knob;
    rec.value = cmd->value;
    sim_record_add(s, rec);
    sim_pfc_derive(s);
    if (cmd->knob == SIM_KNOB_FLOW_CONTROL && before != cmd->value) {
        if (before == SIM_FC_PFC) {
            sim_pfc_switch_off(s);
        } else if (before == SIM_FC_CREDITS) {
            sim_credit_end(s);
        }
        if (cmd->value == SIM_FC_CREDITS) {
            sim_credit_begin(s, false);
        }
    }
    if (cmd->knob == SIM_KNOB_WATCHDOG) {
        sim_watch_off(s);
    }
    if (cmd->knob == SIM_KNOB_WATCHDOG || cmd->knob == SIM_KNOB_WATCHDOG_POLL) {
        sim_watch_arm(s);
    }
}

/* A fault that says where it is and how much. */
static void record_fault(struct sim *s, uint32_t port, int64_t value)
{
    struct sim_record rec = sim_record(SIM_TRACE_FAULT);
    rec.port = port;
    rec.value = value;
    sim_record_add(s, rec);
}

static void apply_hold(struct sim *s, const struct sim_cmd *cmd)
{
    uint32_t port = 0; /* the command was checked: there is one */
    (void)check_host(s, cmd->node, &port, NULL);
    const struct sim_node_config *host = &s->config->nodes[s->config->ports[port].node];
    for (uint32_t p = host->first_port; p < host->first_port + host->port_count; p++) {
        uint32_t toward = s->config->ports[p].peer;
        s->ports[toward].held = cmd->value != 0;
        sim_port_block(s, toward, SIM_PRIO_DATA);
        record_fault(s, toward, cmd->value);
        sim_port_kick(s, toward);
    }
}

static void apply_kill(struct sim *s, uint32_t port)
{
    uint32_t node = s->config->ports[port].node;
    uint32_t host = s->config->nodes[node].host_index;
    if (s->nodes[node].dead) {
        return;
    }
    s->nodes[node].dead = true;
    record_fault(s, port, 0);
    for (uint32_t p = s->config->nodes[node].first_port;
         p < s->config->nodes[node].first_port + s->config->nodes[node].port_count; p++) {
        s->ports[p].dead = true;
        sim_pfc_port_dies(s, p);
        sim_qp_port_dies(s, p);
    }
    if (host < s->config->party_count) {
        sim_training_dies(s, host);
    }
}

static void apply(struct sim *s, const struct sim_cmd *cmd)
{
    struct sim_drop_target target;
    uint32_t port = 0;
    switch (cmd->kind) {
    case SIM_CMD_SET:
        apply_set(s, cmd);
        break;
    case SIM_CMD_DROP:
        (void)sim_fault_aim(s, cmd, &target, NULL);
        sim_fault_drop(s, &target);
        break;
    case SIM_CMD_LOSS:
    case SIM_CMD_LOSS_ACK:
    case SIM_CMD_DROP_NTH:
    case SIM_CMD_DROP_ACK:
    case SIM_CMD_BURST:
        sim_fault_lose(s, cmd);
        break;
    case SIM_CMD_HOLD:
        apply_hold(s, cmd);
        break;
    case SIM_CMD_PAUSE:
        (void)check_pauser(s, cmd->node, &port, NULL);
        sim_pfc_send(s, port, SIM_PRIO_DATA, true);
        break;
    case SIM_CMD_STORM:
        (void)check_pauser(s, cmd->node, &port, NULL);
        record_fault(s, port, cmd->value);
        sim_pfc_storm(s, port, cmd->value == 2 ? 0xffu : (unsigned)cmd->value << SIM_PRIO_DATA);
        break;
    case SIM_CMD_FLOOD:
        (void)check_host(s, cmd->node, &port, NULL);
        record_fault(s, port, cmd->value);
        sim_outage_flood(s, s->config->ports[port].node, cmd->value != 0);
        break;
    case SIM_CMD_LINK:
        port = sim_find_port(s, cmd->node);
        record_fault(s, port, cmd->value);
        sim_outage_link(s, port, cmd->value != 0);
        break;
    case SIM_CMD_SLOW:
        (void)check_host(s, cmd->node, &port, NULL);
        s->nodes[s->config->ports[port].node].drain = cmd->value;
        record_fault(s, port, cmd->value);
        break;
    case SIM_CMD_SLOW_GPU:
        (void)check_host(s, cmd->node, &port, NULL);
        s->ranks[s->config->nodes[s->config->ports[port].node].host_index].slow = cmd->value;
        record_fault(s, port, cmd->value);
        break;
    case SIM_CMD_PAUSE_GPU:
        (void)check_host(s, cmd->node, &port, NULL);
        record_fault(s, port, cmd->value);
        sim_training_pause(s, s->config->nodes[s->config->ports[port].node].host_index, cmd->value);
        break;
    case SIM_CMD_DROP_FRAME:
        sim_fault_drop_frame(s, sim_fault_aim_frame(s, cmd, NULL));
        break;
    case SIM_CMD_CORRUPT:
        sim_corrupt_arm(s, sim_find_flow(s, cmd->flow), (enum sim_field)cmd->value);
        break;
    case SIM_CMD_KILL:
        (void)check_host(s, cmd->node, &port, NULL);
        apply_kill(s, port);
        break;
    }
}

bool sim_apply(struct sim *s, sim_ps at, const struct sim_cmd *cmd, struct err *err)
{
    if (at <= s->w->now) {
        return err_set(err, ERR_STATE, "a command for a time that is past");
    }
    if (at > SIM_END) {
        return err_set(err, ERR_RANGE, "a run ends after 80 days of its time");
    }
    (void)sim_run_until(s, at - 1, 0);
    if (s->w->stalled && may_recover(s) && sim_would_apply(s, cmd, NULL)) {
        s->w->stalled = false; /* the rest of the time until the command, in which nothing moves */
        s->w->stall_muted = true;
        (void)sim_run_until(s, at - 1, 0);
        s->w->stall_muted = false;
        s->w->stall = (struct sim_stall){ .flow = SIM_NONE };
        sim_stall_arm(s);
    }
    if (!sim_would_apply(s, cmd, err)) {
        return false;
    }
    s->w->now = at;
    sim_arena_reserve(s);
    apply(s, cmd);
    sim_event_turn(s);
    return true;
}
