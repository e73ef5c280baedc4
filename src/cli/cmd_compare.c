#include "cli/cli.h"
int cli_cmd_compare(const struct cli_options *options)
{
    (void)options;
    struct err err = { 0 };
    (void)err_set(&err, ERR_STATE, "this command is being built");
    return cli_complain(&err);
}
