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

uint64_t rng_minus_ln(uint64_t x)
{
    if (x == 0) {
        x = 1;
    }
    uint64_t whole = 0; /* of -log2 */
    while ((x >> 63) == 0) {
        x <<= 1;
        whole++;
    }
    /* x is now in [1/2, 1) of 2^64: squaring doubles the logarithm, digit by digit */
    uint64_t digits = 0;
    uint64_t m = x >> 32; /* in [2^31, 2^32) */
    for (int i = 0; i < 32; i++) {
        m = m * m; /* in [2^62, 2^64) */
        digits <<= 1;
        if ((m >> 63) == 0) {
            digits |= 1; /* below one half: one more doubling of -log2 */
            m <<= 1;
        }
        m >>= 32;
    }
    uint64_t minus_log2 = (whole << 32) + digits;
    const uint64_t ln2 = UINT64_C(2977044472); /* ln 2 in 2^-32 */
    return (minus_log2 >> 32) * ln2 + (((minus_log2 & 0xffffffffu) * ln2) >> 32);
}
