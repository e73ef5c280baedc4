/*
 * A report for people: what `weft run` prints without --format.
 *
 * Plain lines, no escape sequences, no wall-clock time: equal runs give equal bytes.
 */
#ifndef WEFT_EXPORT_SUMMARY_H
#define WEFT_EXPORT_SUMMARY_H

#include "base/text.h"
#include "run/report.h"

/* `name` is what was run, as a person calls it: "one-lost-packet, scene small". */
void export_summary_report(struct text *out, const struct report *report, const char *name);

/* Every knob with its range, default and meaning, grouped. */
void export_summary_knobs(struct text *out);

#endif
