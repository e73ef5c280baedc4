#include "random_run.h"

struct run *random_run(uint64_t seed)
{
    struct random_fabric fabric;
    struct err err = { 0 };
    random_fabric_make(&fabric, seed);
    int64_t *v = fabric.scenario.knobs.v;
    v[SIM_KNOB_WIRE_OVERHEAD] = v[SIM_KNOB_WIRE_GAP] = v[SIM_KNOB_WIRE_ACK] = SIM_AUTO;
    struct run *run = run_create(&fabric.scenario, seed, &err);
    for (int i = 0; run != NULL && i < 3; i++) {
        struct sim_cmd cmd;
        if (fabric.command[i][0] != '\0' && sim_cmd_parse(fabric.command[i], &cmd, &err)) {
            (void)run_plan(run, fabric.command_at[i], &cmd, RUN_LEARNER, &err);
        }
    }
    random_fabric_finish(&fabric);
    return run;
}
