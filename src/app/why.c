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

void why_say(const struct sim *sim, uint32_t rank, struct text *out)
{
    struct sim_why chain[CHAIN_MAX];
    size_t n = rank == SIM_NONE ? 0 : sim_why(sim, rank, chain, CHAIN_MAX);
    for (size_t i = 0; i < n && i < CHAIN_MAX; i++) {
        char line[256];
        text_addf(out, "%s\n", sim_why_say(sim, &chain[i], line, sizeof line));
    }
    if (rank == SIM_NONE) {
        text_add(out, "nobody waits for anybody here: there is no barrier\n");
    } else if (n == 0) {
        text_addf(out, "%s does not wait: it is at work\n", rank_name(sim, rank));
    }
}
