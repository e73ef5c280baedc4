#include "base/rng.h"

#include <string.h>

uint64_t rng_hash_bytes(const void *data, size_t size, uint64_t seed)
{
    const unsigned char *p = data;
    uint64_t h = UINT64_C(0xcbf29ce484222325) ^ seed;
    for (size_t i = 0; i < size; i++) {
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    }
    return rng_mix(h);
}

uint64_t rng_hash_name(const char *name)
{
    return rng_hash_bytes(name, strlen(name), 0);
}
