#include "app/faults.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"

struct list {
    const struct run *run;
    const struct sim *sim;
    struct fault_choice *out;
    size_t count;
};

/* What the fabric would refuse now is not offered. NULL: no room. */
static struct fault_choice *offer(struct list *l, const struct sim_cmd *cmd)
{
    if (l->count == FAULTS_MAX || !sim_would_apply(l->sim, cmd, NULL)) {
        return NULL;
    }
    struct fault_choice *choice = &l->out[l->count++];
    *choice = (struct fault_choice){ .cmd = *cmd };
    return choice;
}

static struct sim_cmd command(enum sim_cmd_kind kind, const char *place, int64_t value)
{
    struct sim_cmd cmd = { .kind = kind, .value = value };
    snprintf(cmd.node, sizeof cmd.node, "%.31s", place);
    return cmd;
}

/* The value of the last line of this kind about a place, up to now; `otherwise`: there is none. */
static int64_t last_value(const struct list *l, enum sim_cmd_kind kind, const char *place,
                          int64_t otherwise)
{
    const struct run_line *line;
    const size_t n = run_journal(l->run, &line);
    int64_t value = otherwise;
    for (size_t i = 0; i < n && line[i].at <= run_now(l->run); i++) {
        const struct sim_cmd *cmd = &line[i].cmd;
        value = cmd->kind == kind && strcmp(cmd->node, place) == 0 ? cmd->value : value;
    }
    return value;
}

/* ---- frames ------------------------------------------------------------------------------------- */

static const char *about_frame(const struct sim *sim, enum sim_frame_kind kind)
{
    const bool tcp = sim_knob(sim, SIM_KNOB_TRANSPORT) == SIM_TCP;
    switch (kind) {
    case SIM_FRAME_DATA:
        break;
    case SIM_FRAME_ACK:
        return tcp ? "A later ACK says the same and more. If none follows, the sender's timer runs "
                     "out."
                   : "An ACK says \"all up to here\": a later one says so, too. If none follows, "
                     "the "
                     "sender's timer runs out.";
    case SIM_FRAME_NAK:
        return "Its sender does not hear of the gap, and a receiver asks only once: the timer must "
               "help.";
    case SIM_FRAME_CNP:
        return "Its sender is not slowed this time; while the queue is long, the next warning "
               "follows.";
    case SIM_FRAME_XOFF:
        return "Its neighbour goes on sending: that lands in the headroom, and is lost where this "
               "is full. "
               "PAUSE is repeated.";
    case SIM_FRAME_XON:
        return "Its neighbour stays silent until the pause runs out by itself.";
    case SIM_FRAME_CREDIT:
        break;
    }
    return "Its receiver misses it. What that costs is followed.";
}

static void offer_frame(struct list *l, const struct cursor *cursor)
{
    struct sim_cmd cmd;
    char what[100];
    struct fault_choice *c = cursor_drop(cursor, l->sim, &cmd, NULL) ? offer(l, &cmd) : NULL;
    if (c != NULL) {
        snprintf(c->text, sizeof c->text, "destroy %s",
                 cursor->kind == SIM_FRAME_DATA ? cursor_say(cursor, l->sim, what, sizeof what)
                                                : "this frame");
        snprintf(c->about, sizeof c->about, "%s", about_frame(l->sim, cursor->kind));
    }
}

/* The first packet that leaves a host now. */
static void offer_packet_of(struct list *l, const struct sim_node_info *node)
{
    struct sim_frame frames[64];
    for (uint32_t p = node->first_port; p < node->first_port + node->port_count; p++) {
        size_t n = cursor_frames(l->sim, p, frames, sizeof frames / sizeof frames[0]);
        for (size_t i = 0; i < n; i++) {
            struct cursor at = { .on = true };
            if (frames[i].kind == SIM_FRAME_DATA && frames[i].end != SIM_NEVER) {
                cursor_put_frame(&at, &frames[i]);
                offer_frame(l, &at);
                return;
            }
        }
    }
}

/* ---- cables ------------------------------------------------------------------------------------- */

static bool joins_switches(const struct sim *sim, uint32_t port)
{
    const struct sim_port_info p = sim_port(sim, port);
    return sim_node(sim, p.node).kind == SIM_SWITCH &&
           sim_node(sim, sim_port(sim, p.peer).node).kind == SIM_SWITCH;
}

static void offer_cable(struct list *l, uint32_t port)
{
    const struct sim_port_info p = sim_port(l->sim, port);
    const bool down = sim_port_queue(l->sim, port).down;
    const struct sim_cmd cmd = command(SIM_CMD_LINK, p.name, down);
    struct fault_choice *c = p.kind == SIM_LINK_FABRIC ? offer(l, &cmd) : NULL;
    char wait[40];
    if (c == NULL) {
        return;
    }
    snprintf(c->text, sizeof c->text, "%s the cable between %s and %s", down ? "mend" : "cut",
             sim_node(l->sim, p.node).name, sim_node(l->sim, sim_port(l->sim, p.peer).node).name);
    units_format(wait, sizeof wait, UNIT_TIME, sim_knob(l->sim, SIM_KNOB_REROUTE));
    if (down) {
        snprintf(c->about, sizeof c->about, "It carries again; routes use it at once.");
    } else if (joins_switches(l->sim, port)) {
        snprintf(c->about, sizeof c->about,
                 "What is on it is lost, and what is sent into it, until routes avoid it: in %s.",
                 wait);
    } else {
        snprintf(
            c->about, sizeof c->about,
            "What is on it is lost, and so is all that is sent into it: no route leads round it.");
    }
}

/* The port of a switch that leads to a host stops sending data. */
static void offer_hold(struct list *l, uint32_t port)
{
    const struct sim_port_info p = sim_port(l->sim, port);
    const struct sim_node_info host = sim_node(l->sim, sim_port(l->sim, p.peer).node);
    if (host.kind != SIM_HOST || sim_node(l->sim, p.node).kind != SIM_SWITCH ||
        p.kind != SIM_LINK_FABRIC) {
        return;
    }
    const bool held = sim_port_queue(l->sim, port).held;
    const struct sim_cmd cmd = command(SIM_CMD_HOLD, host.name, !held);
    struct fault_choice *c = offer(l, &cmd);
    if (c != NULL) {
        const char *name = sim_node(l->sim, p.node).name;
        snprintf(c->text, sizeof c->text,
                 held ? "let %s send data to %s again" : "hold %s back: no data to %s", name,
                 host.name);
        snprintf(c->about, sizeof c->about,
                 held ? "What has waited there goes out."
                      : "What is for %s waits in %s and fills its memory.",
                 host.name, name);
    }
}

/* ---- GPUs --------------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, at least `t`. */
static sim_ps round_time(sim_ps t)
{
    static const int steps[] = { 1, 2, 5 };
    for (sim_ps ten = UNIT_US;; ten *= 10) {
        for (size_t i = 0; i < 3; i++) {
            if (ten * steps[i] >= t || ten > 100 * UNIT_S) {
                return ten * steps[i];
            }
        }
    }
}

static void offer_stop(struct list *l, const char *name, sim_ps time)
{
    const struct sim_cmd cmd = command(SIM_CMD_PAUSE_GPU, name, time);
    struct fault_choice *c = offer(l, &cmd);
    char text[40];
    if (c != NULL) {
        units_format(text, sizeof text, UNIT_TIME, time);
        snprintf(c->text, sizeof c->text, "stop its GPU for %s", text);
        snprintf(c->about, sizeof c->about,
                 "It computes nothing and begins no message; its NIC goes on. Who needs its data "
                 "waits.");
    }
}

/* A fault that is a share or a factor: offered in these values, but not in the one that is in force. */
static void offer_values(struct list *l, const char *name)
{
    static const struct {
        enum sim_cmd_kind kind;
        int64_t value, normal;
        const char *text, *about;
    } rows[] = {
        { SIM_CMD_SLOW_GPU, 2 * UNIT_ONE, UNIT_ONE, "slow its GPU: twice as long to compute",
          "From the next step on. Everybody meets it at the barrier." },
        { SIM_CMD_SLOW_GPU, UNIT_ONE, UNIT_ONE, "its GPU as fast as before",
          "From the next step on." },
        { SIM_CMD_SLOW, UNIT_ONE / 2, UNIT_ONE, "slow its receiver: half of the line",
          "What arrives faster fills its NIC; then it sends PAUSE, or loses it." },
        { SIM_CMD_SLOW, 0, UNIT_ONE, "stop its receiver: it takes in nothing",
          "Its NIC fills and sends PAUSE; what is for it stands in the switches." },
        { SIM_CMD_SLOW, UNIT_ONE, UNIT_ONE, "its receiver as fast as the line",
          "What has waited is taken in." },
        { SIM_CMD_STORM, 1, 0, "break its NIC: it sends PAUSE for ever",
          "Its switch may send it nothing and fills up; then the switch pauses others." },
        { SIM_CMD_STORM, 0, 0, "mend its NIC: no more PAUSE",
          "The last PAUSE ends, and all goes on." },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int64_t now = last_value(l, rows[i].kind, name, rows[i].normal);
        const struct sim_cmd cmd = command(rows[i].kind, name, rows[i].value);
        struct fault_choice *c = now != rows[i].value ? offer(l, &cmd) : NULL;
        if (c != NULL) {
            snprintf(c->text, sizeof c->text, "%s", rows[i].text);
            snprintf(c->about, sizeof c->about, "%s", rows[i].about);
        }
    }
}

/* How long one PAUSE lasts at this port, at most: 65,535 times 512 bits. */
static sim_ps pause_time(const struct sim *sim, uint32_t port)
{
    return (sim_ps)(65535.0 * 512 * 1e12 / (double)sim_port(sim, port).rate_bps);
}

static void offer_pause(struct list *l, const struct sim_node_info *node)
{
    const struct sim_cmd cmd = command(SIM_CMD_PAUSE, node->name, 0);
    struct fault_choice *c = offer(l, &cmd);
    char text[40];
    if (c != NULL) {
        snprintf(c->text, sizeof c->text, "let its NIC send one PAUSE");
        snprintf(
            c->about, sizeof c->about, "%s may send it no data for %s.",
            sim_node(l->sim, sim_port(l->sim, sim_port(l->sim, node->first_port).peer).node).name,
            units_format(text, sizeof text, UNIT_TIME, pause_time(l->sim, node->first_port)));
    }
}

static void offer_kill(struct list *l, const char *name)
{
    const struct sim_cmd cmd = command(SIM_CMD_KILL, name, 0);
    struct fault_choice *c = offer(l, &cmd);
    if (c != NULL) {
        snprintf(c->text, sizeof c->text, "kill %s", name);
        snprintf(c->about, sizeof c->about,
                 "It computes, sends and takes in nothing any more, for good, until that is taken "
                 "back.");
    }
}

static void offer_host(struct list *l, const struct sim_node_info *node, sim_ps step_ps)
{
    offer_packet_of(l, node);
    if (step_ps > 0) {
        offer_stop(l, node->name, round_time(step_ps / 5));
        offer_stop(l, node->name, round_time(step_ps * 2));
    }
    offer_values(l, node->name);
    offer_pause(l, node);
    offer_kill(l, node->name);
}

/* ---- all ---------------------------------------------------------------------------------------- */

size_t fault_choices(const struct run *run, const struct cursor *cursor, sim_ps step_ps,
                     struct fault_choice out[FAULTS_MAX])
{
    struct list l = { .run = run, .sim = run_sim(run), .out = out };
    if (cursor->thing != CURSOR_NODE) {
        offer_frame(&l, cursor);
        offer_cable(&l, cursor->port);
        offer_hold(&l, cursor->port);
        return l.count;
    }
    const struct sim_node_info node = sim_node(l.sim, cursor->node);
    if (node.kind == SIM_HOST && !sim_node_is_dead(l.sim, cursor->node)) {
        offer_host(&l, &node, step_ps);
    }
    for (uint32_t p = node.first_port; p < node.first_port + node.port_count; p++) {
        offer_cable(&l, p);
    }
    return l.count;
}

const char *fault_heading(const struct sim *sim, const struct cursor *cursor, char *buf,
                          size_t size)
{
    if (cursor->thing == CURSOR_NODE) {
        snprintf(buf, size, "faults: %s", sim_node(sim, cursor->node).name);
    } else {
        snprintf(buf, size, "faults: the lane from %s to %s",
                 sim_node(sim, sim_port(sim, cursor->port).node).name,
                 sim_node(sim, sim_port(sim, sim_port(sim, cursor->port).peer).node).name);
    }
    return buf;
}
