/* `weft knobs`: every switch with unit, range and default. */
#include "cli/cli.h"

#include "export/json.h"
#include "export/summary.h"

int cli_cmd_knobs(const struct cli_options *options)
{
    struct text out = { 0 };
    if (options->format == CLI_JSON) {
        export_json_knobs(&out);
    } else {
        export_summary_knobs(&out);
    }
    bool ok = cli_print(&out);
    text_finish(&out);
    return ok ? CLI_OK : CLI_FAILED;
}
