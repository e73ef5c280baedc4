/* `weft export --to pcapng`: a run as a capture. */
#include "cli/export.h"

#include "export/capture.h"

bool cli_export_pcapng(struct cli_export *job, struct err *err)
{
    const struct cli_options *o = job->options;
    const struct capture_options options = { .snaplen = (uint32_t)o->snaplen,
                                             .places = o->at.item,
                                             .place_count = o->at.count };
    struct export_source source;
    if (!cli_export_source(job, &source, err)) {
        return false;
    }
    bool ok = export_capture_check(&source, &options, err) && cli_export_begin(job, 0, err);
    if (ok) {
        export_capture(&source, &options, job->sink);
        ok = run_journal_ok(source.run, err);
    }
    run_destroy(source.run);
    return ok;
}
