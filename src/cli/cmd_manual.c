/* `weft manual`: the manual pages and completions, as the files that an installation has. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "cli/manual.h"
#include "lesson/reference.h"

static const struct {
    const char *name;
    void (*print)(struct text *out);
} pages[] = {
#define X(name, print) { name, print },
    CLI_PAGES(X)
#undef X
};

int cli_cmd_manual(const struct cli_options *options)
{
    const char *name = options->operands.count > 0 ? options->operands.item[0] : pages[0].name;
    struct err err = { 0 };
    struct text out = { 0 };
    size_t i = 0;
    while (i < sizeof pages / sizeof *pages && strcmp(pages[i].name, name) != 0) {
        i++;
    }
    if (i == sizeof pages / sizeof *pages) {
        for (i = 0; i < sizeof pages / sizeof *pages; i++) {
            text_addf(&out, "%s%s", i > 0 ? ", " : "", pages[i].name);
        }
        (void)err_set(&err, ERR_USAGE, "there is no page \"%.60s\"; there are %s", name,
                      text_str(&out));
        text_finish(&out);
        return cli_complain(&err);
    }
    pages[i].print(&out);
    int status = CLI_OK;
    if (options->out == NULL) {
        status = cli_print(&out) ? CLI_OK : CLI_FAILED;
    } else if (!file_write(options->out, text_str(&out), out.len, options->force, &err)) {
        status = cli_complain(&err);
    }
    text_finish(&out);
    return status;
}
