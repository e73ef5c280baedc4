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

#endif
