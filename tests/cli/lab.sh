#!/bin/sh
# The lab without a screen: what one can start from, and plain mode.
# Arguments: the weft to test, the root of the source tree.
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"

is() { # STATUS TEXT: on stdout
    if [ "$status" != "$1" ] || ! grep -qF -- "$2" "$tmp/out"; then
        shows
        return 1
    fi
}
says() { # STATUS TEXT: on stderr
    if [ "$status" != "$1" ] || ! grep -qF -- "$2" "$tmp/err"; then
        shows
        return 1
    fi
}

run lab --list
check 'presets are listed' is 0 'deadlock-ring'
in_order() { # by year
    cut -c 1-4 "$tmp/out" | sort -n | diff - "$tmp/years"
}
cut -c 1-4 "$tmp/out" >"$tmp/years"
check 'in the order of their years' in_order
all_listed() {
    for file in "$root"/assets/lab/*.lua; do
        basename "$file" .lua
    done | grep -v '^index$' | sort >"$tmp/files"
    awk '{ print $2 }' "$tmp/out" | sort | diff - "$tmp/files"
}
check 'each preset has its line, each line its preset' all_listed

run lab --list --format json
json_ok() {
    python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))["presets"]
sys.exit(not all(p["id"] and p["name"] and p["year"] > 1990 and p["file"] for p in d))' "$tmp/out"
}
check 'and as JSON' json_ok

run lab rign
check 'a mistyped preset is told the nearest' says 2 'did you mean ring?'
run lab "$root/lessons/one-lost-packet.lua"
check 'a lesson is no preset' says 1 'weft.scenario'
run run "$root/assets/lab/infiniband-credits.lua"
check 'a preset is a scenario like any other' is 0 'InfiniBand credits, seed 1: done'
run lab two-cards
check 'without a terminal it plays in plain mode' is 0 'Two cards in one computer: 2 hosts'

tap_done
