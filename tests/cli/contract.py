#!/usr/bin/env python3
"""Compares what `weft run --format json` printed with the contract: names, order, types, digits."""
import json
import re
import sys

CONTRACT = {
    "schema": int, "weft": str, "scenario": str, "seed": int, "set": dict,
    "end_ns": float, "outcome": str, "stall": (dict, type(None)),
    "steps": [{"step": int, "start_ns": float, "end_ns": (float, type(None)),
               "compute_ns": (float, type(None)), "exposed_comm_ns": (float, type(None)),
               "slowest": (str, type(None))}],
    "collective": {"kind": str, "bytes": int, "mean_ns": float, "p50_ns": float, "p99_ns": float,
                   "max_ns": float, "algbw_gbps": float, "busbw_gbps": float},
    "gpu_busy": float,
    "packets": {"sent": int, "delivered": int, "dropped": int, "retransmitted": int, "hops": int,
                "answers_dropped": int, "dropped_by": dict},
    "pfc": {"xoff_frames": int, "xon_frames": int, "paused_ns": float},
    "ecn": {"marked": int, "cnps": int}, "credits": {"stalled_ns": float},
    "inside": {"pcie_bytes": int, "nvlink_bytes": int, "memory_bytes": int,
               "pcie_crossings": (float, type(None))},
    "timeouts": int, "naks": int, "events": int,
    "flows": [{"id": int, "src": str, "dst": str, "bytes": int, "start_ns": (float, type(None)),
               "fct_ns": (float, type(None)), "goodput_gbps": (float, type(None)),
               "retransmitted": int, "name": str, "rto_ns": float}],
    "queues": [{"at": str, "max_bytes": int, "mean_bytes": float, "dropped": int}],
}


def compare(value, want, path):
    if isinstance(want, dict):
        assert isinstance(value, dict), path
        assert list(value) == list(want), f"{path}: {list(value)}"
        for key in want:
            compare(value[key], want[key], f"{path}.{key}")
    elif isinstance(want, list):
        assert isinstance(value, list) and value, f"{path} is empty"
        for i, row in enumerate(value):
            compare(row, want[0], f"{path}[{i}]")
    else:
        assert isinstance(value, want), f"{path} is {value!r}"


text = open(sys.argv[1], encoding="utf-8").read()
report = json.loads(text)
compare(report, CONTRACT, "report")
assert next(iter(report["set"])) == "pfc" and isinstance(report["set"]["pfc"], bool)
assert report["outcome"] in ("done", "stalled", "time-limit", "memory-limit")
assert [s["step"] for s in report["steps"]] == list(range(1, len(report["steps"]) + 1))
assert all(re.fullmatch(r"[a-z0-9]+:[0-9]+", q["at"]) for q in report["queues"])
for number in re.findall(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?", re.sub(r'"[^"]*"', "", text)):
    digits = number.split("e")[0].lstrip("-").replace(".", "").strip("0")
    assert len(digits) <= 15, number
packets = report["packets"]
assert packets["sent"] >= packets["delivered"] > 0
