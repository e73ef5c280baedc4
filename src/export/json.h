/*
 * A report as JSON: the object that `weft run --format json` prints and other programs read.
 *
 * Names carry their unit: `_ns` nanoseconds (a real number, picoseconds behind the point), `_bytes`,
 * `_gbps` (1e9 bit/s). Numbers have at most 15 significant digits. What has not happened yet is
 * null. Nothing in it depends on the machine or the hour: equal runs give equal bytes.
 *
 * `set` holds every knob as `--set` would read it back: a quantity is a string with its unit
 * ("100000B"), a count a number, a choice a word, "auto" and "unlimited" themselves; `pfc` is the
 * shorthand of flow_control.
 */
#ifndef WEFT_EXPORT_JSON_H
#define WEFT_EXPORT_JSON_H

#include "base/text.h"
#include "run/report.h"

/* Appends the object and a newline. `name` is what was run: a lesson's id, a scenario's name;
 * `version` is that of weft. */
void export_json_report(struct text *out, const struct report *report, const char *name,
                        const char *version);

/* A text of somebody else's (a file's name, a sentence with one) as a JSON string: what is no UTF-8 or
 * would do something to a terminal is replaced. A jansson value; never NULL. */
struct json_t *export_json_text(const char *s);

/* Appends {"knobs": [...]}: every knob with type, unit, range, default, group and help. */
void export_json_knobs(struct text *out);

#endif
