/*
 * What --set, --seed and --do say, as commands of the model.
 */
#ifndef WEFT_CLI_SETTINGS_H
#define WEFT_CLI_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "cli/options.h"
#include "sim/command.h"
#include "sim/time.h"

struct cli_deed {
    sim_ps at;
    struct sim_cmd cmd;
};

struct cli_settings {
    uint64_t seed;
    sim_ps until;
    bool has_seed, has_until; /* asked for, not the defaults */
    struct sim_cmd *sets;
    size_t set_count;
    struct cli_deed *deeds;
    size_t deed_count;
};

/* Checks names, values and ranges. `--set seed=N` is the same as `--seed N`. To be finished in
 * either case. */
bool cli_settings_read(struct cli_settings *settings, const struct cli_options *options,
                       struct err *err);

/* The settings of `from` and those of `words` ("K=V") behind them, which win; `flag` is where the words
 * come from, for messages. */
bool cli_settings_add(struct cli_settings *settings, const struct cli_settings *from,
                      const struct cli_words *words, const char *flag, struct err *err);
void cli_settings_finish(struct cli_settings *settings);

#endif
