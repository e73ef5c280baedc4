/*
 * Prints what becomes of random fabrics: a line for each seed, with the hash of its trace and of its
 * state. The lines must be the same from every compiler, at every level of optimisation and under
 * every sanitizer: tests/property/same.sh compares them.
 *
 *     hashes [N [large]]      N fabrics, N plain and N wide ones, 60 if not said otherwise; run node by
 *                             node
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "random_fabric.h"
#include "sim/window.h" /* white box */

static const sim_ps limit = 20 * UNIT_MS;

static bool print(uint64_t seed, void (*make)(struct random_fabric *, uint64_t), bool large)
{
    struct random_fabric f;
    struct err err = { 0 };
    make(&f, seed);
    struct sim *s =
        sim_scenario_check(&f.scenario, &err) ? sim_create(&f.scenario, seed, &err) : NULL;
    if (s != NULL) {
        if (large) {
            sim_window_force(s);
        }
        for (size_t i = 0; i < sizeof f.command / sizeof *f.command; i++) {
            struct sim_cmd cmd;
            if (f.command[i][0] != '\0' && f.command_at[i] > sim_now(s) &&
                sim_cmd_parse(f.command[i], &cmd, NULL)) {
                (void)sim_apply(s, f.command_at[i], &cmd, NULL);
            }
        }
        (void)sim_run_until(s, limit, 0);
        printf("%" PRIu64 " %016" PRIx64 " %016" PRIx64 "\n", seed, sim_trace_hash(s),
               sim_state_hash(s));
    } else {
        fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, err.msg);
    }
    const bool made = s != NULL;
    sim_destroy(s);
    random_fabric_finish(&f);
    return made;
}

int main(int argc, char **argv)
{
    const unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 60;
    const bool large = argc > 2;
    bool ok = count > 0;
    for (uint64_t seed = 1; ok && seed <= count; seed++) {
        ok = print(seed, random_fabric_make, large) &&
             print(seed, random_fabric_make_plain, large) &&
             print(seed, random_fabric_make_wide, large);
    }
    return ok ? 0 : 1;
}
