/*
 * The trace as JSON: everything worth saying about a run, record by record.
 *
 *     { "schema": 1, "weft": "0.1.0", "scenario": "...", "scene": null | "...", "seed": 1,
 *       "set": { every knob },
 *       "nodes": [ { "name", "kind": "host" | "switch" | "memory" } ],
 *       "records": [
 *         { "seq": 0, "at_ns": 1.5, "kind": "drop", ..., "says": "a sentence" },
 *         ... ],                                                one a line
 *       "end_ns": 184220.0, "outcome": null | as in a report, "complete": true | false,
 *       "fine_lost": 0 }
 *
 * A record has the members that its kind's sentence speaks of (sim/trace.h), no others:
 *
 *     "at" (a port, "leaf1:2"), "peer" (a node), "flow", "packet" ("g3>g4:4711#1"), "rank" (a node),
 *     "step", "reason", "bytes", "time_ns", "rate_gbps", "count", "knob" and "setting"
 *
 * and a drop "along_cable": 0 at the sender, 1 at the end of the cable or inside. `seq` numbers what is
 * always recorded; a fine record (SIM_FINE, one a frame) has none. Numbers and what is null are as in
 * json.h. "complete" is false, and "end_ns" null, when the file was cut short: a full disk, its limit,
 * Ctrl-C.
 */
#ifndef WEFT_EXPORT_TRACE_JSON_H
#define WEFT_EXPORT_TRACE_JSON_H

#include "export/source.h"

/* `fine`: records of every frame, too. False: there is no whole file. */
bool export_trace_json(const struct export_source *source, bool fine, struct sink *sink);

#endif
