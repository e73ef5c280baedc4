/*
 * One server of many: what is drawn when it is opened on the map. A box with all that is inside it; without
 * boxes, eight hosts in a row. And the switches of the fabric that they hang on.
 */
#ifndef WEFT_APP_SERVER_H
#define WEFT_APP_SERVER_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/sim.h"

/* Marks in `in` (one for each node, all false before) what belongs to the server of `node`. False: it is not a
 * part of a fabric that has several. */
bool server_mark(const struct sim *sim, uint32_t node, bool *in);

/* "g9 to g16": its hosts by name. Returns `buf`. */
const char *server_name(const struct sim *sim, const bool *in, char *buf, size_t size);

#endif
