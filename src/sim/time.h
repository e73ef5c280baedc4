/*
 * Time inside the model: signed 64-bit integer picoseconds (range +-106 days).
 *
 * At 400 Gb/s a byte lasts exactly 20 ps, so serialisation times are exact; a nanosecond clock would
 * be wrong by percents. Nothing in the event path is a floating point number.
 */
#ifndef WEFT_SIM_TIME_H
#define WEFT_SIM_TIME_H

#include <stdint.h>

typedef int64_t sim_ps;

#define SIM_NEVER INT64_MAX

/* A run goes no further than this, 80 days, and nobody may ask for a longer time than that, 26 days:
 * the sum of both is still a time. */
#define SIM_END     (SIM_NEVER / 4 * 3)
#define SIM_LONGEST (SIM_NEVER / 4)

/* Sums over many components are larger than any time; they stop one short of SIM_NEVER. */
static inline sim_ps sim_ps_sum(sim_ps a, sim_ps b)
{
    return a < SIM_NEVER - b ? a + b : SIM_NEVER - 1;
}

#endif
