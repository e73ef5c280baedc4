/*
 * Mixing and counter-based random numbers.
 *
 * There is no generator with a hidden state: a number is a function of a key and a counter. The
 * key holds the seed, the name of the component and the purpose; the counter lives with the
 * component. So a feature that draws numbers never shifts the luck of another one.
 */
#ifndef WEFT_BASE_RNG_H
#define WEFT_BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

/* A 64-bit bijection with full avalanche (the finaliser of splitmix64, Steele et al. 2014). */
static inline uint64_t rng_mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Three words into one: (seed, time, name hash) and the like. */
static inline uint64_t rng_mix3(uint64_t a, uint64_t b, uint64_t c)
{
    return rng_mix(a ^ rng_mix(b ^ rng_mix(c)));
}

/* FNV-1a with a final mix: hashes of names. Stable across machines and versions. */
uint64_t rng_hash_bytes(const void *data, size_t size, uint64_t seed);
uint64_t rng_hash_name(const char *name);

/* -ln(x / 2^64) in 2^-32, for x > 0 (0 counts as 1): with x uniform, exponentially distributed with
 * mean 1. Integers only: the same on every machine. */
uint64_t rng_minus_ln(uint64_t x);

#endif
