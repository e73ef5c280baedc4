/* Reads the command line, hands over to one command, makes sure that its words arrived. */
#include "cli/cli.h"

#include <stdio.h>

#include "cli/options.h"

typedef int command_fn(const struct cli_options *options);

static command_fn *const command_fns[] = {
    [CLI_OPEN] = cli_cmd_open,         [CLI_SHOW] = cli_cmd_open,
    [CLI_RUN] = cli_cmd_run,           [CLI_COMPARE] = cli_cmd_compare,
    [CLI_SWEEP] = cli_cmd_sweep,       [CLI_CHECK] = cli_cmd_check,
    [CLI_LIST] = cli_cmd_list,         [CLI_KNOBS] = cli_cmd_knobs,
    [CLI_VALIDATE] = cli_cmd_validate, [CLI_BENCH] = cli_cmd_bench,
    [CLI_NEW] = cli_cmd_new,           [CLI_API] = cli_cmd_api,
    [CLI_DOCTOR] = cli_cmd_doctor,     [CLI_MANUAL] = cli_cmd_manual,
    [CLI_EXPORT] = cli_cmd_export,     [CLI_KEYS] = cli_cmd_keys,
    [CLI_LAB] = cli_cmd_lab,
};

static int say(const struct text *out)
{
    return cli_print(out) ? CLI_OK : CLI_FAILED;
}

static int wrong_usage(const struct cli_options *options, const struct err *err)
{
    int status = cli_complain(err);
    const char *name = cli_command_name(options->command);
    (void)fprintf(stderr, "weft: `weft %s%s--help` shows what there is\n", name,
                  name[0] != '\0' ? " " : "");
    return status;
}

static int dispatch(const struct cli_options *options)
{
    struct text out = { 0 };
    int status;
    if (options->version) {
        text_add(&out, "weft " WEFT_VERSION " (Lua " WEFT_LUA_VERSION
                       ", ncurses " WEFT_NCURSES_VERSION ", libuv " WEFT_LIBUV_VERSION ")\n");
        status = say(&out);
    } else if (options->help) {
        cli_command_help(&out, options->command);
        status = say(&out);
    } else {
        status = command_fns[options->command](options);
    }
    text_finish(&out);
    return status;
}

int cli_main(int argc, char *const *argv)
{
    struct cli_options options;
    struct err err = { 0 };
    int status = cli_options_parse(&options, argc, argv, &err) ? dispatch(&options)
                                                               : wrong_usage(&options, &err);
    cli_options_finish(&options);
    if (!cli_stdout_flush() && status == CLI_OK) {
        status = CLI_FAILED;
    }
    return status;
}
