/*
 * Frames whose bytes are known (model 1.3): the first was captured from a NIC, the others were computed
 * with the rule that it confirms. What encodes frames must get them to the byte.
 */
#ifndef WEFT_EXPORT_VECTORS_H
#define WEFT_EXPORT_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "export/frame.h"

struct frame_vector {
    const char *name;
    struct frame (*make)(void);
    const char *bytes; /* in hexadecimal, without FCS */
    uint32_t fcs;      /* as on the wire; 0: not known */
};

enum { FRAME_VECTORS = 5 };
extern const struct frame_vector frame_vectors[FRAME_VECTORS];

/* Bytes of hexadecimal digits; returns how many. */
size_t frame_from_hex(const char *hex, uint8_t *out);

/* Is the frame encoded to these bytes, FCS included where it is known? */
bool frame_vector_holds(const struct frame_vector *vector, const struct frame_sums *sums);

#endif
