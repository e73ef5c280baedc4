#!/bin/sh
# Sweeps: the same bytes with any number of workers, slices that join to the whole, nothing half-written.
# Arguments: the weft to test, the root of the source tree.
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"
tiny=$here/tiny.lua

quiet() { # status 0, nothing on stderr
    if [ "$status" != 0 ] || [ -s "$tmp/err" ]; then
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
same() { # FILE FILE
    cmp "$1" "$2" || { shows; return 1; }
}
grid() { # ARGUMENT... after the target
    run sweep "$tiny" --set xoff=20KB,50KB --set seed=1..3 --set mtu=1KB,4KB "$@"
}

# ---- one table ----
grid
check 'a sweep is a table' quiet
cp "$tmp/out" "$tmp/whole.csv"
check 'a line for each run, and one above' test "$(wc -l <"$tmp/whole.csv")" = 13
check 'as other programs read it' python3 -c '
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [r["run"] for r in rows] == [str(i + 1) for i in range(12)], rows
assert [(r["xoff"], r["seed"], r["mtu"]) for r in rows[:3]] == [
    ("20000B", "1", "1000B"), ("20000B", "1", "4000B"), ("20000B", "2", "1000B")], rows[:3]
assert all(r["outcome"] == "done" and float(r["end_ns"]) > 0 and r["error"] == "" for r in rows)
' "$tmp/whole.csv"
run run "$tiny" --set xoff=20KB --set mtu=4KB --seed 1 --format csv
check 'a run as CSV has the same numbers' python3 -c '
import csv, sys
run = list(csv.DictReader(open(sys.argv[1])))
row = list(csv.DictReader(open(sys.argv[2])))[1]
assert len(run) == 1 and all(row[k] == v for k, v in run[0].items() if k in row), (run, row)
assert "end_ns" in run[0]
' "$tmp/out" "$tmp/whole.csv"
for jobs in 1 3 16; do
    grid --jobs $jobs
    check "$jobs at a time: the same bytes" same "$tmp/whole.csv" "$tmp/out"
done
grid --out "$tmp/out.csv"
check 'into a file' same "$tmp/whole.csv" "$tmp/out.csv"
grid --out "$tmp/out.csv"
check 'not over another one' says 1 'the file exists; --force replaces it'
grid --format json
cp "$tmp/out" "$tmp/whole.json"
check 'as JSON' python3 -c '
import json, sys
t = json.load(open(sys.argv[1]))
assert t["runs"] == 12 and len(t["rows"]) == 12 and t["rows"][1]["set"]["mtu"] == "4000B", t["rows"][1]
assert t["rows"][1]["metrics"]["packets.sent"] > 0 and t["rows"][1]["error"] is None
' "$tmp/whole.json"

# ---- slices ----
for format in csv json; do
    for i in 1 2 3 4 5; do
        grid --shard $i/5 --format $format --out "$tmp/$i.$format"
    done
    run sweep --merge "$tmp/5.$format" "$tmp/3.$format" "$tmp/1.$format" "$tmp/2.$format" \
        "$tmp/4.$format"
    check "slices join to the whole ($format)" quiet
    check 'to the byte' same "$tmp/whole.$format" "$tmp/out"
    run sweep --merge "$tmp/1.$format" "$tmp/2.$format" "$tmp/4.$format"
    check "what is missing is named ($format)" says 1 'runs are missing: 3, 5, 8, 10 of 12'
    run sweep --merge "$tmp/1.$format" "$tmp/2.$format" "$tmp/2.$format"
    check "what is double is named ($format)" says 1 'is there twice'
    sed 's/$/\r/' "$tmp/4.$format" >"$tmp/mailed"
    run sweep --merge "$tmp/5.$format" "$tmp/3.$format" "$tmp/1.$format" "$tmp/2.$format" \
        "$tmp/mailed"
    check "line ends of elsewhere ($format)" same "$tmp/whole.$format" "$tmp/out"
done
run sweep "$tiny" --set xoff=20KB,60KB --set seed=1..3 --set mtu=1KB,4KB --shard 1/5 \
    --out "$tmp/else.csv"
run sweep --merge "$tmp/2.csv" "$tmp/else.csv"
check 'a slice of another sweep' says 1 "$tmp/else.csv:2: this is a slice of another sweep"
run sweep --merge "$tmp/1.csv" "$tmp/2.json"
check 'slices in two formats' says 1 'another sweep'
head -c 700 "$tmp/1.csv" >"$tmp/cut.csv"
run sweep --merge "$tmp/cut.csv" "$tmp/2.csv" "$tmp/3.csv" "$tmp/4.csv" "$tmp/5.csv"
check 'a slice that is cut off' says 1 'cut.csv: the file is cut off'
head -c -9 "$tmp/whole.csv" >"$tmp/cut.csv"
run sweep --merge "$tmp/cut.csv"
check 'in its last row' says 1 'cut.csv: the file is cut off'
head -c 1500 "$tmp/1.json" >"$tmp/cut.json"
run sweep --merge "$tmp/cut.json" "$tmp/2.json"
check 'also as JSON' says 1 'cut.json: the file is cut off'
run sweep --merge "$root/README.md"
check 'no table at all' says 1 'README.md:1: this is no line of a table'
run sweep "$tiny" --set seed=1,2 --shard 3/3
check 'a slice of nothing is empty' quiet

# ---- what is wrong ----
run sweep "$tiny" --set xoff=20KB,50KB --set xon=30KB
check 'what cannot be run is a row that says why' says 1 '1 of 2 runs could not be run'
check 'and the others are there' grep -q ',50000B,30000B,done,' "$tmp/out"
run sweep "$tiny"
check 'no grid' says 2 'what shall change?'
run sweep "$tiny" --set xoff=20KB,50
check 'a value without its unit' says 2 'no unit'
run sweep "$tiny" --set pfc=on,off --set flow_control=none
check 'one switch by two names' says 2 'swept already'
run sweep "$tiny" --set seed=1..2000000
check 'too large a grid' says 2 'less than 1000000'
run sweep "$tiny" --set seed=1..1000000 --set steps=1,2
check 'and said at once' says 2 'more than 1000000 runs'
run sweep "$tiny" --set mtu=1KB,4KB,1000B
check 'a value that is there twice' says 2 'a value is there twice'
run sweep one-lost-packet --set seed=1,2 --do '1us drop g3>g4 last'
check 'what cannot be is said before anything runs' says 2 '--do goes with --bare'
run sweep "$tiny" --set seed=1,2 --out ''
check 'also that no file is named' says 1 'no file can be written there'
run sweep "$tiny" --set seed=1..1000 --set mtu=1KB,2KB --set xoff=1..1000
check 'a range is for whole numbers' says 2 'xoff'

# ---- Ctrl-C ----
cat >"$tmp/long.lua" <<'LUA'
local weft = require "weft"
return weft.scenario {
    fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "100Gbps", delay = "500ns" },
    workload = weft.training { collective = weft.ring_allreduce { bytes = "256MiB" }, compute = "1us", steps = 100000 },
}
LUA
for signal in INT TERM; do
    timeout -s "$signal" 2 "$weft" sweep "$tmp/long.lua" --set seed=1..64 --out "$tmp/none.csv" \
        >"$tmp/out" 2>"$tmp/err" </dev/null
    check "stopped by SIG$signal: says what was done" grep -q '^weft: stopped with 0 of 64 runs done; nothing was written$' "$tmp/err"
    check 'and leaves nothing' sh -c "! ls $tmp | grep -q none"
done

# ---- on a terminal ----
# Runs weft with its stderr on a pty and stdout in a file; types what is in the first argument once the
# bar shows. Prints what the terminal got, and how weft ended.
watched() { # KEYS OUT ARGUMENT...
    python3 -c '
import os, pty, sys
keys, out, args = sys.argv[1].encode(), sys.argv[2], sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    os.execv(args[0], args)
said = b""
while True:
    try:
        got = os.read(fd, 4096)
    except OSError:
        break
    if not got:
        break
    if keys and b"runs" in said + got:
        os.write(fd, keys)
        keys = b""
    said += got
status = os.waitpid(pid, 0)[1]
print(said.replace(b"\r", b"\n").decode(), "ended", status)
' "$@" >"$tmp/said"
}
watched '' "$tmp/bar.csv" "$weft" sweep "$tmp/long.lua" --until 10ms --jobs 1 --set seed=1..3
check 'a terminal sees a bar' grep -qE '^\[[#.]{30}\] [0-9] of 3 runs' "$tmp/said"
check 'without an escape' sh -c "! grep -q \"\$(printf '\\033')\" $tmp/said"
check 'and the table is where it belongs' test "$(wc -l <"$tmp/bar.csv")" = 4
watched "$(printf '\003')" "$tmp/bar.csv" "$weft" sweep "$tmp/long.lua" --set seed=1..64
check 'Ctrl-C: says what was done' grep -qE 'stopped with [0-9]+ of 64 runs done; nothing was written' "$tmp/said"
check 'and ends by that signal' grep -q ' ended 2$' "$tmp/said"
check 'with nothing written' test ! -s "$tmp/bar.csv"
tap_done
