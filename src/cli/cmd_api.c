/* `weft api`: the author's reference. */
#include "cli/cli.h"

#include "base/file.h"
#include "lesson/reference.h"

int cli_cmd_api(const struct cli_options *options)
{
    struct err err = { 0 };
    struct text out = { 0 };
    if (options->format == CLI_LUA) {
        lesson_reference_lua(&out);
    } else if (options->format == CLI_MARKDOWN) {
        lesson_reference_markdown(&out);
    } else if (options->format == CLI_JSON) {
        lesson_reference_json(&out, WEFT_VERSION);
    } else {
        lesson_reference_text(&out);
    }
    int status = CLI_OK;
    if (options->out == NULL) {
        status = cli_print(&out) ? CLI_OK : CLI_FAILED;
    } else if (!file_write(options->out, text_str(&out), out.len, options->force, &err)) {
        status = cli_complain(&err);
    }
    text_finish(&out);
    return status;
}
