#!/bin/sh
# `weft validate`: every row of the table it can run is right, and it says so when one is not.
# Arguments: the weft to test, the root of the source tree; and for rows alone which ones, "short" or
# "full" (they take minutes), and patterns of their names. Without these: a few short rows and the rest.
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"
mode=${3:-few}
longest=3600 # some rows take minutes

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
quiet() {
    [ "$status" = "$1" ] && [ ! -s "$tmp/err" ]
}

# Prints "ID ok" or "ID verdict: ..." for each row of the JSON in $tmp/out; checks its form.
judge() {
    python3 - "$tmp/out" <<'P'
import json, sys
names = {"id", "setup", "expected", "measured", "tolerance", "unit", "verdict", "source", "note"}
bad, order = {}, []
for row in json.load(open(sys.argv[1]))["rows"]:
    if row["id"] not in bad:
        order.append(row["id"])
        bad[row["id"]] = []
    if set(row) != names:
        bad[row["id"]].append("fields: %s" % sorted(row))
    if row["verdict"] in ("fail", "pending"):
        bad[row["id"]].append("%(verdict)s: %(setup)s: %(measured)s, expected %(expected)s" % row)
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
    for file in "$root"/assets/validation/V*.lua; do
        id=$(basename "$file" .lua)
        grep -qF "id = \"$id\"," "$file" || { echo "$file has another id"; return 1; }
        grep -qF "\"$id\"" "$root/assets/validation/index.lua" ||
            { echo "$id is not in index.lua"; return 1; }
    done
}
check 'rows are named and listed' named_and_listed

[ "$mode" = few ] && set -- "$weft" "$root" short 'V0*' 'V2*' 'V5*'
wanted=$3
shift 3
rows=
for pattern; do # the rows of these patterns that are of the wanted length
    for file in "$root"/assets/validation/$pattern.lua; do
        length=short
        grep -q 'full *= *true' "$file" && length=full
        [ "$length" = "$wanted" ] && rows="$rows $(basename "$file" .lua)"
    done
done
# shellcheck disable=SC2086 # names of rows, one word each
run validate --full --format json $rows
[ "$wanted" = full ] || check 'no row fails' quiet 0
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

run validate V01 V08
check 'rows by name, as text' ends 0 'last payload byte: 91240080 ps, expected 91240080 (exact)' ''
check 'and how many of each' ends 0 '7 pass, 0 fail, 0 disputed, 0 pending' ''
run validate V0
check 'no such row' ends 2 '' "there is no row 'V0'"
run validate --set pfc=off
check 'no such flag' ends 2 '' 'does not take --set'

# A table that is wrong is found out.
mkdir -p "$tmp/data/assets/validation"
ln -s "$root/lua-scripts" "$tmp/data/lua-scripts"
cp "$root/assets/validation/"*.lua "$tmp/data/assets/validation"
export WEFT_DATA_DIR="$tmp/data"
sed 's/expected = 91240080/expected = 91240081/' "$root/assets/validation/V01.lua" \
    >"$tmp/data/assets/validation/V01.lua"
run validate V01
check 'a value that is off by a picosecond' ends 1 'fail     last payload byte: 91240080 ps' ''
sed 's/expected = 91240080/expected = 91240081, disputed = "one too many"/' \
    "$root/assets/validation/V01.lua" >"$tmp/data/assets/validation/V01.lua"
run validate V01
check 'a disputed value counts as failed' ends 1 'one too many' ''
sed 's/flow(1)/flow(7)/' "$root/assets/validation/V01.lua" >"$tmp/data/assets/validation/V01.lua"
run validate V01
check 'a measure that raises fails with its place' ends 1 'V01.lua:' ''
check 'and says why' ends 1 'there is no flow 7' ''
sed 's/unit = "ps"/unit = "px"/' "$root/assets/validation/V01.lua" \
    >"$tmp/data/assets/validation/V01.lua"
run validate V01 V02
check 'a broken row is named with its line' ends 1 '' 'V01.lua:'
check 'with the nearest word' ends 1 '' 'did you mean "ps"?'
check 'and the others run' ends 1 '2 pass' ''
tap_done
