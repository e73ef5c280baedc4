#include "app/why.h"

enum { CHAIN_MAX = 64 };

static const char *rank_name(const struct sim *sim, uint32_t rank)
{
    return rank < sim_rank_count(sim) ? sim_node(sim, sim_rank_node(sim, rank)).name : "?";
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

/* Of the flows that are not done, one of which nothing is on its way, or the first. */
static uint32_t worst_flow(const struct sim *sim)
{
    uint32_t worst = SIM_NONE;
    for (uint32_t f = 0; f < sim_flow_count(sim); f++) {
        const struct sim_flow_state flow = sim_flow_state(sim, f);
        if (flow.una == flow.end) {
            continue;
        }
        if (flow.in_flight == 0) {
            return f;
        }
        worst = worst == SIM_NONE ? f : worst;
    }
    return worst;
}

void why_say(const struct sim *sim, uint32_t rank, struct text *out)
{
    struct sim_why chain[CHAIN_MAX];
    const uint32_t flow = rank == SIM_NONE ? worst_flow(sim) : SIM_NONE;
    size_t n = rank != SIM_NONE   ? sim_why(sim, rank, chain, CHAIN_MAX)
               : flow != SIM_NONE ? sim_why_flow(sim, flow, chain, CHAIN_MAX)
                                  : 0;
    if (flow != SIM_NONE) {
        text_addf(out, "%s is not done%s\n", sim_flow(sim, flow).name,
                  n == 0 ? ": it goes on" : "");
    }
    for (size_t i = 0; i < n && i < CHAIN_MAX; i++) {
        char line[256];
        text_addf(out, "%s\n", sim_why_say(sim, &chain[i], line, sizeof line));
    }
    if (rank == SIM_NONE && flow == SIM_NONE) {
        text_add(out, "nobody waits for anything here: all that was to be sent has arrived\n");
    } else if (rank != SIM_NONE && n == 0) {
        text_addf(out,
                  sim_outcome(sim) == SIM_DONE ? "%s does not wait: all steps are done\n"
                                               : "%s does not wait: it is at work\n",
                  rank_name(sim, rank));
    }
}
