#!/bin/sh
# The main lesson through the command line: its whole path, in plain mode, checked, reported twice.
# Arguments: the weft to test, the root of the source tree.
# shellcheck disable=SC2016 # small programs for sh -c and python3 stand in single quotes
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"

quiet() { # FILE ARGUMENT...: exit status 0 and nothing on stderr; stdout to the file
    file=$1
    shift
    status=0
    "$weft" "$@" </dev/null >"$file" 2>"$tmp/err" || status=$?
    head -n 20 "$tmp/err"
    [ "$status" = 0 ] && [ ! -s "$tmp/err" ]
}

check 'it runs along its path' quiet "$tmp/one" run one-lost-packet --format json
check 'again' quiet "$tmp/two" run one-lost-packet --format json
check 'with the same bytes' cmp "$tmp/one" "$tmp/two"
check 'into the object of the contract' python3 "$here/contract.py" "$tmp/one"
check 'named like the lesson' grep -q '"scenario": "one-lost-packet"' "$tmp/one"
check 'every claim in it is true' quiet "$tmp/check" check one-lost-packet
check 'it is told without a screen' quiet "$tmp/plain" one-lost-packet --plain
check 'weft alone tells the same when there is no terminal' quiet "$tmp/home" --plain
check 'with the same words' cmp "$tmp/plain" "$tmp/home"
check 'by number too' sh -c '
    n=$("$1" list --format json | python3 -c "import json, sys; print(next(l[\"number\"]
for l in json.load(sys.stdin)[\"lessons\"] if l[\"id\"] == \"one-lost-packet\"))")
    "$1" "$n" --plain </dev/null | cmp - "$2"' sh "$weft" "$tmp/plain"
check 'a teacher reads what is for the teacher' sh -c '
    "$1" "$2" --plain --notes </dev/null >"$3" && grep -q "^For the teacher: Wait for three hands." "$3"' sh \
    "$weft" "$root/tests/lesson/good/tasks.lua" "$tmp/notes"
check 'a learner does not' sh -c '! "$1" "$2" --plain </dev/null | grep -i teacher' sh \
    "$weft" "$root/tests/lesson/good/tasks.lua"
cat >"$tmp/stuck.lua" <<'END'
local weft = require "weft"
return weft.lesson {
  api = 1, id = "stuck", title = "Stuck", year = 2016, minutes = 1,
  scenes = { main = weft.scenario {
    fabric = weft.ring { switches = 4, hosts = 1, rate = "40Gbps", delay = "25ns", clockwise = true },
    workload = weft.permutation { shift = 2, bytes = "4MiB" },
  } },
  weft.scene "main", weft.say "**Stuck:** {pfc.xoff_frames} PAUSE.", weft.play { to = "end" },
}
END
check 'a PAUSE that is repeated is counted, as in the report' sh -c '
    "$1" "$2" --plain </dev/null >"$3" && n=$(sed -n "s/^Stuck: \([1-9][0-9]*\) PAUSE\.$/\1/p" "$3") &&
    grep -q "^In all here: $n PAUSE frames sent\.$" "$3"' sh "$weft" "$tmp/stuck.lua" "$tmp/stuck"
cat >"$tmp/gaps.lua" <<'END'
local weft = require "weft"
return weft.lesson {
  api = 1, id = "gaps", title = "Gaps", year = 2018, minutes = 1,
  scenes = { main = weft.scenario {
    fabric = weft.star { hosts = 5, rate = "100Gbps", delay = "1us" },
    workload = weft.incast { to = "g5", from = 4, bytes = "1MiB" },
    set = { flow_control = "none", transport = "selective" },
  } },
  weft.scene "main", weft.say "**Gaps:** {outcome == \"done\" and naks or \"...\"} NAKs.", weft.play { to = "end" },
}
END
check 'a NAK that asks again for the same gap is counted, too' sh -c '
    "$1" "$2" --plain </dev/null >"$3" && n=$(sed -n "s/^Gaps: \([0-9,]*\) NAKs\.$/\1/p" "$3") &&
    grep -q "^In all here: .*[ ]$n NAKs" "$3"' sh "$weft" "$tmp/gaps.lua" "$tmp/gaps"
check 'no escape sequence anywhere' sh -c '! cat "$@" | grep -q "$(printf "\033")"' sh \
    "$tmp/one" "$tmp/check" "$tmp/plain"
tap_done
