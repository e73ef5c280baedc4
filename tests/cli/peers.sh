#!/bin/sh
# `weft validate --peers`: our figures beside those of other simulators, every difference with its reason.
# Arguments: the weft to test, the root of the source tree; and for rows alone "short" or "full" (they
# take minutes), and patterns of their names. Without these: a few short rows and the rest.
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"
mode=${3:-few}
rows="$root/assets/validation/peers"

run() { # ARGUMENT...
    status=0
    "$weft" validate --peers "$@" </dev/null >"$tmp/out" 2>"$tmp/err" || status=$?
}
has() { # FILE TEXT
    [ -z "$2" ] || grep -qF -- "$2" "$1"
}
ends() { # STATUS TEXT ON STDOUT TEXT ON STDERR
    if [ "$status" = "$1" ] && has "$tmp/out" "$2" && has "$tmp/err" "$3"; then
        return 0
    fi
    echo "status $status"
    tail -n 20 "$tmp/out" "$tmp/err"
    return 1
}

# Prints "ID ok" or "ID verdict: ..." for each row of the JSON in $tmp/out; checks its form.
judge() {
    python3 - "$tmp/out" <<'P'
import json, sys
names = {"id", "setup", "expected", "measured", "tolerance", "unit", "verdict", "source", "note", "peers"}
parts = {"peer", "least", "most", "ratio", "below", "above", "agreement", "why"}
bad, order = {}, []
for row in json.load(open(sys.argv[1]))["rows"]:
    if row["id"] not in bad:
        order.append(row["id"])
        bad[row["id"]] = []
    if set(row) != names or any(set(peer) != parts for peer in row["peers"]):
        bad[row["id"]].append("fields: %s" % sorted(row))
    if row["verdict"] != "pass":
        bad[row["id"]].append("%(verdict)s: %(setup)s: %(measured)s, expected %(expected)s" % row)
    for peer in row["peers"]:
        if peer["agreement"] != "within" and not peer["why"]:
            bad[row["id"]].append("%s: %s has no reason" % (row["setup"], peer["peer"]))
for id in order:
    print(id, "; ".join(bad[id]) or "ok")
P
}
verdict_of() { # ID
    line=$(grep "^$1 " "$tmp/verdicts")
    echo "$line"
    [ "$line" = "$1 ok" ]
}

# Every row is a file of its own, called like it, and is in the index.
named_and_listed() {
    for file in "$rows"/P*.lua; do
        id=$(basename "$file" .lua)
        grep -qF "\"$id\"" "$rows/index.lua" || { echo "$id is not in index.lua"; return 1; }
    done
}
check 'rows are named and listed' named_and_listed

[ "$mode" = few ] && set -- "$weft" "$root" short P1 P2-4 P5
wanted=$3
shift 3
ids=
for pattern; do # the rows of these patterns that are of the wanted length
    for file in "$rows"/$pattern.lua; do
        length=short
        grep -q 'full *= *true' "$file" && length=full
        [ "$length" = "$wanted" ] && ids="$ids $(basename "$file" .lua)"
    done
done
# shellcheck disable=SC2086 # names of rows, one word each
run --full --format json $ids
check 'no row fails' ends 0 '' ''
judge >"$tmp/verdicts" 2>"$tmp/why"
check 'the JSON is as promised' [ -s "$tmp/verdicts" ]
sed 's/^/# /' "$tmp/why"
while read -r id _; do
    check "$id" verdict_of "$id"
done <"$tmp/verdicts"
if [ "$mode" != few ]; then
    tap_done
    exit
fi

run P1
check 'a row by name, as text' ends 0 'csg: 856.311, ratio 1, within' ''
check 'a difference has its reason' ends 0 'explained (' ''
check 'which is said' ends 0 'hpcc counts in whole nanoseconds' ''
run V01
check 'the other rows are not here' ends 2 '' "there is no row 'V01'"

# A reason that is missing is found out.
mkdir -p "$tmp/data/assets/validation/peers"
ln -s "$root/lua-scripts" "$tmp/data/lua-scripts"
cp "$rows/"*.lua "$tmp/data/assets/validation/peers"
export WEFT_DATA_DIR="$tmp/data"
there="$tmp/data/assets/validation/peers/P1.lua"
sed 's/, common.whole_ns_1000//' "$rows/P1.lua" >"$there"
run P1
check 'a difference without a reason fails' ends 1 'and no reason is given' ''
check 'and is named' ends 1 'hpcc: 874.41, ratio 1.0101, unexplained' ''
sed 's/874.410, "0.2%", common.whole_ns_1000/874.410/' "$rows/P1.lua" >"$there"
run P1
check 'no margin needs a reason, too' ends 1 '' 'it cannot have it'
sed 's/near("uet"/only("uet", { 900, 800 }, "x"), common.near("uet"/' "$rows/P1.lua" >"$there"
run P1
check 'a range that is upside down' ends 1 '' 'a peer has either'
tap_done
