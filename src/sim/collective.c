/*
 * Ring all-reduce: who sends which piece when (model section 5).
 *
 * The vector is cut into n pieces. In the first n-1 rounds (reduce-scatter) the rank at position p
 * sends piece p - round, adding what it received; in the second n-1 (all-gather) it sends piece
 * p + 1 - round, complete by then. Each round's message needs the one received in the round before.
 */
#include "sim/world.h"

int64_t sim_ring_bytes(int64_t bytes, int64_t n, int64_t position, int64_t round)
{
    int64_t shift = round < n - 1 ? position - round : position + 1 - (round - (n - 1));
    int64_t piece = ((shift % n) + n) % n;
    return bytes / n + (piece < bytes % n ? 1 : 0);
}
