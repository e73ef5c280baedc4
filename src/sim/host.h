/*
 * A host that may be slow to take in what arrives.
 */
#ifndef WEFT_SIM_HOST_H
#define WEFT_SIM_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

void sim_host_receive(struct sim *s, uint32_t port, uint32_t packet);
void sim_host_drain(struct sim *s, uint32_t node);

#endif
