/* `weft export --to csv`: plots of a run as a table. */
#include "cli/export.h"

#include "export/series_csv.h"

bool cli_export_csv(struct cli_export *job, struct err *err)
{
    const struct cli_options *o = job->options;
    const struct series_csv_options options = { .plots = o->plots.item,
                                                .plot_count = o->plots.count,
                                                .every = o->every_ps };
    struct export_source source;
    if (!cli_export_source(job, &source, err)) {
        return false;
    }
    bool ok = export_series_csv_check(&source, &options, err) && cli_export_begin(job, 0, err);
    if (ok) {
        (void)export_series_csv(&source, &options, job->sink);
        ok = run_journal_ok(source.run, err);
    }
    run_destroy(source.run);
    return ok;
}
