#include "app/why.h"

#include "base/units.h"

enum { CHAIN_MAX = 64 };

static const char *rank_name(const struct sim *sim, uint32_t rank)
{
    return rank < sim_rank_count(sim) ? sim_node(sim, sim_rank_node(sim, rank)).name : "?";
}

static const char *src_name(const struct sim *sim, uint32_t flow)
{
    return sim_node(sim, sim_flow(sim, flow).src).name;
}

static const char *dst_name(const struct sim *sim, uint32_t flow)
{
    return sim_node(sim, sim_flow(sim, flow).dst).name;
}

/* "packet 112" as counted in its step, where that makes sense. */
static unsigned long long number(const struct sim *sim, uint32_t flow, uint64_t psn)
{
    struct sim_flow_state f = sim_flow_state(sim, flow);
    return f.step_packets > 0 && psn >= f.step_psn ? psn - f.step_psn + 1 : psn;
}

static void say_link(const struct sim *sim, const struct sim_why *w, struct text *out)
{
    char t[40] = "";
    if (w->until != SIM_NEVER) {
        units_format(t, sizeof t, UNIT_TIME, w->until - sim_now(sim));
    }
    switch (w->kind) {
    case SIM_WHY_BARRIER:
        text_addf(out, "%s is done and waits at the barrier for %s", rank_name(sim, w->rank),
                  rank_name(sim, w->other));
        break;
    case SIM_WHY_COMPUTE:
        text_addf(out, "%s computes for another %s", rank_name(sim, w->rank), t);
        break;
    case SIM_WHY_NEEDS:
        text_addf(out, "%s waits for data from %s", rank_name(sim, w->rank),
                  rank_name(sim, w->other));
        break;
    case SIM_WHY_LOST:
        text_addf(out,
                  "packet %llu from %s is lost; %s does not know: the packet that would show the "
                  "gap does not come",
                  number(sim, w->flow, w->psn), src_name(sim, w->flow), dst_name(sim, w->flow));
        break;
    case SIM_WHY_GAP:
        text_addf(out, "%s lacks packet %llu from %s and refuses all that come after it",
                  dst_name(sim, w->flow), number(sim, w->flow, w->psn), src_name(sim, w->flow));
        break;
    case SIM_WHY_TIMER:
        text_addf(out, "%s hears nothing, neither ACK nor NAK: only its timer can help, in %s",
                  src_name(sim, w->flow), t);
        break;
    case SIM_WHY_PAUSED:
        text_addf(out, "%s may not send: %s told it to pause",
                  sim_node(sim, sim_port(sim, w->port).node).name,
                  sim_node(sim, sim_port(sim, sim_port(sim, w->port).peer).node).name);
        break;
    case SIM_WHY_QUEUE:
        text_addf(out, "packet %llu from %s stands in the queue of %s",
                  number(sim, w->flow, w->psn), src_name(sim, w->flow),
                  sim_port(sim, w->port).name);
        break;
    case SIM_WHY_WIRE:
        text_addf(out, "packet %llu from %s is on its way to %s", number(sim, w->flow, w->psn),
                  src_name(sim, w->flow),
                  sim_node(sim, sim_port(sim, sim_port(sim, w->port).peer).node).name);
        break;
    case SIM_WHY_HELD:
        text_addf(out, "%s is held by a fault", sim_port(sim, w->port).name);
        break;
    case SIM_WHY_NEXT_STEP:
        text_add(out, "what would reveal it belongs to the next step, and that waits at the "
                      "barrier: the circle is closed");
        break;
    }
    text_add(out, "\n");
}

uint32_t why_rank(const struct sim *sim)
{
    uint32_t at_barrier = SIM_NONE, waits = SIM_NONE, any = SIM_NONE;
    for (uint32_t r = 0; r < sim_rank_count(sim); r++) {
        any = any == SIM_NONE ? r : any;
        switch (sim_rank(sim, r).state) {
        case SIM_RANK_BARRIER:
            at_barrier = at_barrier == SIM_NONE ? r : at_barrier;
            break;
        case SIM_RANK_WAITS:
        case SIM_RANK_PAUSED:
        case SIM_RANK_REFUSED:
        case SIM_RANK_TIMER:
            waits = waits == SIM_NONE ? r : waits;
            break;
        case SIM_RANK_COMPUTES:
        case SIM_RANK_EXCHANGES:
        case SIM_RANK_DEAD:
        case SIM_RANK_STATE_COUNT:
            break;
        }
    }
    return at_barrier != SIM_NONE ? at_barrier : waits != SIM_NONE ? waits : any;
}

void why_say(const struct sim *sim, uint32_t rank, struct text *out)
{
    struct sim_why chain[CHAIN_MAX];
    size_t n = rank == SIM_NONE ? 0 : sim_why(sim, rank, chain, CHAIN_MAX);
    for (size_t i = 0; i < n && i < CHAIN_MAX; i++) {
        say_link(sim, &chain[i], out);
    }
    if (n == 0) {
        text_addf(out, "%s does not wait: it is at work\n",
                  rank == SIM_NONE ? "nobody" : rank_name(sim, rank));
    }
}
