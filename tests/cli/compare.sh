#!/bin/sh
# Two runs compared: where they part, what differs, and what fails.
# Arguments: the weft to test, the root of the source tree.
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"
tiny=$here/tiny.lua

has() { # STATUS TEXT: on stdout, nothing on stderr
    if [ "$status" != "$1" ] || [ -s "$tmp/err" ] || ! grep -qF -- "$2" "$tmp/out"; then
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

run compare one-lost-packet --set pfc=on --vs xoff=5KB
check 'both sides are named' has 0 'right     pfc=on xoff=5KB: done at'
check 'the first difference is a sentence' has 0 'leaf1 sends XOFF to g2 on the right'
check 'numbers that differ have both values' grep -qE '^pfc.xoff_frames +0 +[0-9,]+$' "$tmp/out"
check 'those that do not are left out' sh -c "! grep -q '^timeouts' $tmp/out"
check 'a little more is a difference, not once as much' grep -qE '^end_ns .* \+ [0-9.]+ [mun]s$' "$tmp/out"
cp "$tmp/out" "$tmp/first"
run compare one-lost-packet --set pfc=on --vs xoff=5KB
check 'the same words every time' cmp "$tmp/first" "$tmp/out"
run compare "$tiny" --set xoff=50KB --vs xoff=50KB
check 'nothing differs' has 0 'No number differs.'
check 'nor do the traces' has 0 'nowhere: the same trace'
run compare "$tiny" --bare --do '30us drop g1>g2 last' --set transport=go_back_n --vs transport=selective \
    --format json
check 'as JSON' python3 -c '
import json, sys
c = json.load(open(sys.argv[1]))
assert list(c) == ["schema", "weft", "scenario", "left", "right", "first_difference", "differences",
                   "fail_if"], list(c)
assert c["right"]["settings"] == "transport=selective" and c["left"]["outcome"] == "done"
end = [d for d in c["differences"] if d["name"] == "end_ns"][0]
assert end["left"] == c["left"]["end_ns"] and end["right"] == c["right"]["end_ns"]
assert abs(end["ratio"] - end["right"] / end["left"]) < 1e-12
assert c["first_difference"]["sentence"].startswith("at ") and c["first_difference"]["at_ns"] > 0
' "$tmp/out"
run run "$tiny" --save "$tmp/tiny.weft"
run compare "$tmp/tiny.weft" --vs seed=5
check 'a saved run with another seed' has 0 'right     seed=5: done'
run compare "$tmp/tiny.weft" --vs seed=5 --out "$tmp/cmp.txt"
check 'into a file' test -s "$tmp/cmp.txt"

# ---- --fail-if ----
run compare one-lost-packet --vs xoff=5KB --fail-if 'xoff_frames > 0'
check 'a condition that holds fails' has 1 'xoff_frames > 0: holds'
run compare one-lost-packet --vs xoff=5KB --fail-if 'time > 1.1 or dropped > 5'
check 'one that does not is fine' has 0 'does not hold'
run compare one-lost-packet --vs xoff=5KB --fail-if 'time > 9' --fail-if 'difference dropped = 0'
check 'one of several is enough' has 1 'difference dropped = 0: holds'
run compare one-lost-packet --vs xoff=5KB --fail-if 'flows[g9>g8].fct_ns > 1'
check 'one that cannot be judged fails' says 1 'neither run has a number flows[g9>g8].fct_ns'
run compare one-lost-packet --vs xoff=5KB --fail-if 'tme > 3'
check 'one that means nothing is wrong usage' says 2 'did you mean time?'
check 'found before anything runs' test ! -s "$tmp/out"

# ---- what is wrong ----
run compare "$tiny"
check 'no other side' says 2 'against what?'
run compare "$tiny" --vs pfc=maybe
check 'another side that is none' says 2 '--vs pfc=maybe'
run compare "$tiny" --vs xon=1GB
check 'a side that cannot run is named' says 1 'the right run'
tap_done
