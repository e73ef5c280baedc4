/* `weft check`: lessons are tests. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "lesson/check.h"
#include "lesson/lesson.h"

/* One file: its lines, then a line that sums them up. False when anything is wrong with it. */
static bool check_file(const struct lesson_places *places, const char *target, struct text *out)
{
    struct err err = { 0 };
    char *path = lesson_find(places, target, &err);
    if (path == NULL) {
        (void)cli_complain(&err);
        return false;
    }
    struct lesson_check result = { 0 };
    bool ok = lesson_check(path, places, &result, out, &err);
    text_add_clean(out, path, strlen(path), false);
    char claims[64], complaints[64];
    text_addf(
        out, ": %s, %d true, %d false or not checked, %s\n",
        units_counted(claims, sizeof claims, result.claims, "claim", "claims"), result.held,
        result.failed,
        units_counted(complaints, sizeof complaints, result.complaints, "complaint", "complaints"));
    if (!ok) {
        (void)cli_complain(&err);
    }
    free(path);
    return ok;
}

int cli_cmd_check(const struct cli_options *options)
{
    struct lesson_places *places = cli_places();
    int status = CLI_OK;
    for (size_t i = 0; i < options->operands.count; i++) {
        struct text out = { 0 };
        if (!check_file(places, options->operands.item[i], &out)) {
            status = CLI_FAILED;
        }
        if (!cli_print(&out)) {
            status = CLI_FAILED;
        }
        text_finish(&out);
    }
    cli_places_free(places);
    return status;
}
