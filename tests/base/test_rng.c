/* Hashes are part of replay files: their values may never change. */
#include "cmocka_rows.h"

#include "base/rng.h"

static void mix_is_splitmix64(void **state)
{
    (void)state;
    /* First outputs of splitmix64 from state 0, as published with it. */
    assert_true(rng_mix(0) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(rng_mix(UINT64_C(0x9e3779b97f4a7c15)) == UINT64_C(0x6e789e6aa1b965f4));
}

static void names_differ(void **state)
{
    (void)state;
    assert_true(rng_hash_name("g1") == rng_hash_bytes("g1", 2, 0));
    assert_true(rng_hash_name("g1") != rng_hash_name("g2"));
    assert_true(rng_hash_name("") == rng_mix(UINT64_C(0xcbf29ce484222325)));
    assert_true(rng_hash_bytes("g1", 2, 1) != rng_hash_bytes("g1", 2, 0));
}

static void mix3_depends_on_order(void **state)
{
    (void)state;
    assert_true(rng_mix3(1, 2, 3) != rng_mix3(3, 2, 1));
    assert_true(rng_mix3(1, 2, 3) != rng_mix3(2, 1, 3));
    assert_true(rng_mix3(1, 2, 3) == rng_mix3(1, 2, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mix_is_splitmix64),
        cmocka_unit_test(names_differ),
        cmocka_unit_test(mix3_depends_on_order),
    };
    return cmocka_run_group_tests_name("base/rng", tests, NULL, NULL);
}
