/*
 * The PFC watchdog of a switch (model 2.7): off, drop or forward, as the knob `watchdog` says.
 *
 * It looks every `watchdog_poll`. A port that has been paused without a break for `watchdog_detect`
 * while packets wait is taken for the victim of a storm, class by class, and taken over: its
 * packets are dropped, those that wait and those that come, in both directions (or sent on as if
 * there were no pause). It works as before when no pause has been in force for `watchdog_restore`.
 *
 * It looks only while something is paused or taken over: a quiet fabric has no watchdog events.
 * Bits `watch` of the ports say what it has taken over, `watched` of the world how many that are.
 * Switches inside a box know no PAUSE and have none.
 */
#ifndef WEFT_SIM_WATCH_H
#define WEFT_SIM_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

/* Something is paused, or a knob has moved: look at the next multiple of `watchdog_poll`. */
void sim_watch_arm(struct sim *s);
/* SIM_EV_WATCH: looks at all ports. */
void sim_watch_poll(struct sim *s);
/* Gives everything back: the knob has moved. */
void sim_watch_off(struct sim *s);
/* Does a packet that came in by `in` to leave by `out` belong to a storm, and is dropped? */
bool sim_watch_drops(const struct sim *s, uint32_t in, uint32_t out, uint32_t prio);

#endif
