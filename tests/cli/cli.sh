#!/bin/sh
# The command line as a person or a script meets it: exit statuses, streams, bytes.
# Arguments: the weft to test, the root of the source tree.
# shellcheck disable=SC2016 # small programs for sh -c and python3 stand in single quotes
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"
tiny=$here/tiny.lua
esc=$(printf '\033')

# Each of these looks at the last run.
exits() { # STATUS
    [ "$status" = "$1" ] || { shows; return 1; }
}
silent_err() {
    [ ! -s "$tmp/err" ] || { shows; return 1; }
}
silent_out() {
    [ ! -s "$tmp/out" ] || { shows; return 1; }
}
out_has() { # TEXT
    grep -qF -- "$1" "$tmp/out" || { shows; return 1; }
}
err_has() { # TEXT
    grep -qF -- "$1" "$tmp/err" || { shows; return 1; }
}
no_escapes() {
    ! cat "$tmp/out" "$tmp/err" | grep -qF "$esc" || { shows; return 1; }
}

good() { # TEXT ON STDOUT; status 0, nothing on stderr, no escapes
    exits 0 && silent_err && out_has "$1" && no_escapes
}
bad() { # STATUS TEXT ON STDERR; nothing on stdout
    exits "$1" && silent_out && err_has "$2" && no_escapes
}
usage() { # TEXT: wrong usage is one line and a hint
    bad 2 "$1" && err_has '--help' && [ "$(wc -l <"$tmp/err")" = 2 ]
}

# ---- help, version, wrong usage ----
for flag in --help -h; do
    run $flag
    check "$flag explains" good 'usage:'
done
for flag in --version -V; do
    run $flag
    check "$flag names itself and its libraries" good 'weft 0.'
done
check '--version names Lua, ncurses and libuv' \
    grep -qE '^weft [0-9.]+ \(Lua 5[0-9.]+, ncurses [0-9.]+, libuv [0-9.]+\)$' "$tmp/out"
for command in run check list knobs; do
    run $command --help
    check "$command --help explains" good "usage: weft $command"
done
run --bogus
check 'an unknown flag' usage "there is no flag '--bogus'"
run run
check 'a missing target' usage 'weft run needs TARGET'
run run a b
check 'a word too many' usage "'b' is one word too many"
run harbour
check 'a command that is not there' bad 2 "'harbour' is no command and no lesson"
run lsit
check 'a slip in a command' bad 2 "there is no command 'lsit'; did you mean list?"
run list --format xml
check 'an unknown format' usage "text or json, not 'xml'"
run run "$tiny" --set pcf=off
check 'an unknown switch' bad 2 'pfc'
run run "$tiny" --set xoff=100
check 'a switch without its unit' bad 2 'no unit'
run run "$tiny" --set seed=x
check 'a seed that is no number' bad 2 '--seed takes a whole number'
run run "$tiny" --bare --do '5 hold g1 on'
check 'a deed without a time' bad 2 'no unit'
run run "$tiny" --do '5us hold g1 on'
check 'a deed on a lesson path' bad 2 '--do goes with --bare'
run run "$tiny" --scene nosuch
check 'an unknown scene' bad 2 "there is no scene 'nosuch'"
run run no-such-lesson
check 'an unknown lesson' bad 1 'no-such-lesson'
run run "$tmp/absent.lua"
check 'an absent file' bad 1 "$tmp/absent.lua"

# ---- lists ----
run list
check 'list shows the lesson' good 'one-lost-packet'
run list --format json
check 'list as JSON' good '"lessons"'
check 'list as JSON has the fields of the contract' python3 -c '
import json, sys
rows = json.load(open(sys.argv[1]))["lessons"]
assert rows and all(list(r) == ["id", "number", "year", "title", "minutes", "file"] for r in rows), rows
assert [r["year"] for r in rows] == sorted(r["year"] for r in rows), rows
' "$tmp/out"
run knobs
check 'knobs shows a switch with range and default' good 'timeout_exponent'
run knobs --format json
check 'knobs as JSON' good '"knobs"'
check 'every default of a knob is read back by --set' python3 -c '
import json, subprocess, sys
rows = json.load(open(sys.argv[1]))["knobs"]
sets = [a for r in rows for a in ("--set", "%s=%s" % (r["name"], r["default"]))]
subprocess.run([sys.argv[2], "run", sys.argv[3], "--bare", "--until", "1us"] + sets, check=True,
               stdout=subprocess.DEVNULL)
' "$tmp/out" "$weft" "$tiny"

# ---- speed ----
run bench P2-64
check 'bench says what a packet-hop costs' good 'packet-hops'
run bench P2-64 --json
check 'bench as JSON' good '"packet_hops": 65536'
run bench nonsense
check 'an unknown benchmark is wrong usage' exits 2

# ---- runs ----
run run "$tiny" --format json
check 'a lesson as JSON' good '"schema": 1'
cp "$tmp/out" "$tmp/first.json"
run run "$tiny" --format json
check 'twice the same bytes' cmp "$tmp/first.json" "$tmp/out"
check 'the object of the contract' python3 "$here/contract.py" "$tmp/first.json"
run run "$tiny"
check 'a lesson as text' good 'tiny'
run run "$tiny" --bare --format json
check 'a bare scenario' good '"outcome": "done"'
cp "$tmp/out" "$tmp/bare.json"
run run "$tiny" --bare --format json --seed 1
check 'seed 1 is the default' cmp "$tmp/bare.json" "$tmp/out"
run run "$tiny" --bare --format json --set seed=1
check '--set seed=1 is the same' cmp "$tmp/bare.json" "$tmp/out"
run run "$tiny" --bare --format json --set seed=2
check 'another seed is reported' good '"seed": 2'
run run "$tiny" --bare --until 10us --format json
check 'the time limit is a good end' good '"outcome": "time-limit"'
check 'it ends exactly there' grep -q '"end_ns": 10000.0,' "$tmp/out"
run run "$tiny" --until 30us --format json
check 'on a lesson path too' sh -c 'grep -q "\"end_ns\": 30000.0," "$1"' sh "$tmp/out"
run run "$tiny" --bare --set pfc=off --format json
check '--set is seen in the report' good '"flow_control": "none"'
check 'and its shorthand' grep -q '"pfc": false' "$tmp/out"
(cd "$tmp" && LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo HOME=/nonexistent "$weft" run "$tiny" --bare \
    --format json >"$tmp/elsewhere.json" 2>&1)
check 'neither place, locale, zone nor home matter' cmp "$tmp/bare.json" "$tmp/elsewhere.json"

cat >"$tmp/two.lua" <<'LUA'
local weft = require "weft"

return weft.scenario {
  fabric = weft.leaf_spine { leaves = 2, spines = 1, hosts = 1, rate = "100Gbps", delay = "500ns" },
  workload = weft.training {
    collective = weft.ring_allreduce { bytes = "64KiB" }, compute = "10us", steps = 1,
  },
  set = { timeout_exponent = 4, retry_limit = 1 },
}
LUA
run run "$tmp/two.lua" --format json
check 'a scenario file' good '"outcome": "done"'
clean=$(grep -o '"end_ns": [0-9.]*' "$tmp/out" | head -n 1)
run run "$tmp/two.lua" --format json --do '0us drop g1>g2 last'
check 'a deed is done' good '"dropped": 1'
check 'and changes the run' sh -c '! grep -qF "$1" "$2"' sh "$clean" "$tmp/out"
run run "$tmp/two.lua" --format json --do '0us drop g1>g2 last attempts 9'
check 'a stall is exit status 3' exits 3
check 'a stall says why' sh -c 'grep -q "\"outcome\": \"stalled\"" "$1" && grep -q retry-limit "$1"' \
    sh "$tmp/out"
run run "$tmp/two.lua" --do '0us drop g1>g9 last'
check 'a deed on a flow that is not there' sh -c '[ "$1" = 1 ] && grep -q "g1>g9" "$2"' \
    sh "$status" "$tmp/err"
run run "$tmp/two.lua" --scene main
check 'a scenario has no scenes' bad 2 '--scene goes with a lesson'

# ---- bad lessons ----
printf 'local weft = require "weft"\nreturn weft.lesson {\n  id = "x",,\n}\n' >"$tmp/broken.lua"
run run "$tmp/broken.lua"
check 'a syntax error names file and line' bad 1 "broken.lua:3:"
run check "$tmp/broken.lua"
check 'check fails on it' sh -c '[ "$1" = 1 ] && grep -q "broken.lua:3:" "$2"' \
    sh "$status" "$tmp/err"
printf 'error({code=1})\n' >"$tmp/raises.lua"
run run "$tmp/raises.lua"
check 'an error object of any kind is readable' bad 1 'raises.lua'
printf '\033Lua' >"$tmp/binary.lua"
run run "$tmp/binary.lua"
check 'bytecode is refused' bad 1 'binary.lua'
hostile=$tmp/$(printf '\033[2J').lua
sed 's/return weft.scenario {/&name = "\\27[2J",/' "$tmp/two.lua" >"$hostile"
for line in run check; do
    run $line "$hostile"
    check "no escape sequence gets out of names: $line" no_escapes
done
check 'though they were there' sh -c 'grep -q "27\[2J" "$1"' sh "$hostile"
run run "$tmp"
check 'a folder is no lesson' bad 1 "$tmp"

# ---- output ----
run run "$tiny" --bare --format json --out "$tmp/result.json"
check '--out writes the file and nothing else' sh -c '[ "$1" = 0 ] && [ ! -s "$2" ] && [ ! -s "$3" ]' \
    sh "$status" "$tmp/out" "$tmp/err"
check 'with the same bytes' cmp "$tmp/bare.json" "$tmp/result.json"
echo old >"$tmp/old"
run run "$tiny" --bare --out "$tmp/old"
check 'an existing file is kept' bad 1 '--force replaces it'
check 'as it was' grep -qx old "$tmp/old"
run run "$tiny" --bare --out "$tmp/old" --force
check '--force replaces it' sh -c '[ "$1" = 0 ] && ! grep -qx old "$2"' sh "$status" "$tmp/old"
run run "$tiny" --bare --out "$tmp/no/such/folder"
check 'an absent folder is an error' bad 1 "$tmp/no/such/folder"
run run "$tiny" --bare --out "$tmp"
check 'a folder is no file' bad 1 "$tmp"
run run "$tiny" --bare --out /dev/full
check 'a full disk behind --out' bad 1 'No space left'
for line in --help --version list knobs "run $tiny --bare" "run $tiny --bare --format json" \
    "$tiny --plain"; do
    status=0
    # shellcheck disable=SC2086
    timeout 100 "$weft" $line </dev/null >/dev/full 2>"$tmp/err" || status=$?
    : >"$tmp/out"
    check "a full disk behind stdout: $line" bad 1 'No space left'
done
timeout 100 "$weft" knobs </dev/null 2>"$tmp/err" | head -n 1 >"$tmp/out"
check 'a reader that leaves early is no error to talk about' silent_err

# ---- without a terminal ----
status=0
CLICOLOR_FORCE=1 timeout 100 "$weft" "$tiny" </dev/null >"$tmp/out" 2>"$tmp/err" || status=$?
check 'colour cannot be forced into a pipe' good 'Tiny'
run "$tiny"
check 'a lesson without a terminal is told in sentences' good 'Tiny'
cp "$tmp/out" "$tmp/told.txt"
run "$tiny" --plain
check 'as with --plain' cmp "$tmp/told.txt" "$tmp/out"
run --card 1 "$tiny" --plain
check 'and from its first card' cmp "$tmp/told.txt" "$tmp/out"
run "$tiny" --card 99999 --plain
check 'a card that is not there' sh -c '[ "$1" != 0 ] && [ -s "$2" ]' sh "$status" "$tmp/err"
run "$root/tests/lesson/good/tasks.lua" --plain
check 'a plot is a sentence' good 'queue sw:8 from 0 to '
for line in --help --version list "run $tiny" "run $tiny --bare" "check $tiny" "$tiny"; do
    status=0
    # shellcheck disable=SC2086
    (cd / && env -i WEFT_DATA_DIR="$root" PATH="$PATH" setsid -w timeout 200 "$weft" $line \
        </dev/null >"$tmp/out" 2>"$tmp/err") || status=$?
    check "no TERM, no HOME, no locale, no terminal: $line" good ''
done
yes q | timeout 100 "$weft" "$tiny" >"$tmp/out" 2>"$tmp/err"
status=$?
check 'a stream of nonsense on stdin ends' exits 0
tap_done
