#include "lesson/own_sets.h"

struct lesson_own_sets lesson_own_sets_of(const struct run *run)
{
    struct lesson_own_sets own = { 0 };
    const struct run_line *lines;
    const size_t count = run_journal(run, &lines);
    for (size_t i = 0; i < count && lines[i].at <= run_now(run); i++) {
        const struct sim_cmd *cmd = &lines[i].cmd;
        if (cmd->kind == SIM_CMD_SET) {
            own.is_set[cmd->knob] = lines[i].author == RUN_LEARNER;
            own.value[cmd->knob] = cmd->value;
        }
    }
    return own;
}

void lesson_own_sets_again(struct run *run, const struct lesson_own_sets *own, enum sim_knob but)
{
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const struct sim_cmd cmd = { .kind = SIM_CMD_SET,
                                     .knob = (enum sim_knob)k,
                                     .value = own->value[k] };
        if (own->is_set[k] && cmd.knob != but && sim_knob_info(cmd.knob)->when == SIM_LIVE &&
            sim_knob(run_sim(run), cmd.knob) != cmd.value) {
            struct err err = { 0 };
            (void)run_do(run, &cmd, RUN_LEARNER, NULL, &err);
        }
    }
}
