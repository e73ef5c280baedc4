/*
 * A fuzz target: one function that takes any bytes and must not crash.
 *
 * Each target is built twice. Under libFuzzer (`./dev fuzz`) it is driven to new code for as long as
 * one likes. In the tests replay.c drives it, over its corpus and over a fixed set of damaged copies.
 */
#ifndef WEFT_TESTS_FUZZ_FUZZ_H
#define WEFT_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An expectation that also counts in a release build. */
#define FUZZ_EXPECT(condition) ((condition) ? (void)0 : __builtin_trap())

#endif
