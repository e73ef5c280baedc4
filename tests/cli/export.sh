#!/bin/sh
# What people take away: each format, and everything that may keep a file from being written.
# Arguments: the weft to test, the root of the source tree.
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"

is() { # STATUS
    [ "$status" = "$1" ] || { shows; return 1; }
}
quiet() { # status 0, nothing on stderr
    is 0 && { [ ! -s "$tmp/err" ] || { shows; return 1; }; }
}
says() { # STATUS TEXT: on stderr
    is "$1" && { grep -qF -- "$2" "$tmp/err" || { shows; return 1; }; }
}
nothing_left() { # FOLDER: no file, no draft
    [ -z "$(ls -A "$1")" ] || { ls -A "$1"; return 1; }
}
# A JSON file against an expression of Python in which it is `d`.
json() { # FILE EXPRESSION
    python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
sys.exit(not eval(sys.argv[2]))' "$1" "$2"
}
tiny="$here/tiny.lua"

# ---- which format, and where to ----
run export "$tiny" --to jsn --out -
check 'a mistyped format is told the nearest' says 2 "there is no format 'jsn'; did you mean json?"
run export "$tiny" --to mp4 --out -
check 'another word all of them' says 2 "there is no format 'mp4'; --to takes json"
run export "$tiny" --to cast --out -
check 'an ending for its format' says 2 "did you mean asciicast?"
run export "$tiny" --out "$tmp/a.pcap"
check 'an ending that is none' says 2 'a.pcap; --to takes json'
run export "$tiny"
check 'none at all too' says 2 'what shall it become? --to takes json'
run export "$tiny" --to json --size 80x24 --out -
check 'a flag of another format is refused' says 2 '--size means nothing to json; it is for svg, asciicast'
run export "$tiny" --to worksheet --set pfc=off --out -
check 'nor is one that plays anything put on paper' says 2 '--set means nothing to worksheet; it is for json, csv, pcapng'
run export "$tiny" --to json --limit 1KB --out -
check 'a limit has a least' says 2 '--limit takes at least'
(cd "$tmp" && run export "$tiny" --to json && is 0 && grep -qx 'weft: tiny.json, .*' err)
check 'without --out it is called like the target, and says so' test -s "$tmp/tiny.json"
cp "$tmp/tiny.json" "$tmp/named.json"
run export "$tiny" --out "$tmp/a.json"
check '--out is enough where its name says what' quiet
check 'the same bytes' cmp "$tmp/a.json" "$tmp/named.json"
run export "$tiny" --to json --out -
check '- is stdout' quiet
check 'the same bytes again' cmp "$tmp/a.json" "$tmp/out"

# ---- what keeps a file from being written is said before the run ----
run export "$tiny" --out "$tmp/a.json"
check 'an existing file stays' says 1 'a.json: the file exists; --force replaces it'
(cd "$tmp" && run export "$tiny" --to json; cat err) >"$tmp/said"
check 'also one that nobody named' grep -q '^tiny.json: the file exists; --force' "$tmp/said"
run export "$tiny" --out "$tmp/a.json" --force
check 'unless told' quiet
run export "$tiny" --out "$tmp/no/such/a.json"
check 'a folder that is not there' says 1 'no file can be written there'
run export "$tiny" --out "$tmp" --to json
check 'a folder' says 1 'no file can be written there'
run export "$tiny" --to json --out /proc/none.json
check 'a folder that takes no files' is 1
run export "$tmp/none.lua" --to json --out "$tmp/none.json"
check 'no such target' is 1
check 'leaves no file' test ! -e "$tmp/none.json"
run export "$tiny" --to json --out - --do '1us drop g1>g2 last'
check '--do goes with --bare' says 2 '--do goes with --bare'

# ---- what cuts one short ----
mkdir "$tmp/full"
run export "$tiny" --to json --out /dev/full
check 'no room at all' says 1 '/dev/full: cannot write: No space left on device'
"$weft" export "$tiny" --to json --out - >/dev/full 2>"$tmp/err" && status=0 || status=$?
check 'on stdout likewise' says 1 'stdout: cannot write: No space left on device'
limited() { # ARGUMENT...: files may have 64 KiB
    (ulimit -f 128 && run "$@" && echo "$status" >"$tmp/status")
    status=$(cat "$tmp/status")
}
limited export one-lost-packet --to json --out "$tmp/full/a.json"
check 'a disk that fills up is said' says 1 'a.json: cut short at '
check 'what fitted is a whole file' json "$tmp/full/a.json" \
    'len(d["records"]) > 100 and not d["complete"] and d["end_ns"] is None'
check 'and no draft is left' test "$(ls -A "$tmp/full")" = a.json
run export one-lost-packet --out "$tmp/limit.json" --limit 100KB
check 'a limit is kept, with a notice' says 0 'limit.json: cut short at '
check 'which says what helps' says 0 '; --limit BYTES allows more, --until T makes less'
check 'and a whole file' json "$tmp/limit.json" 'len(d["records"]) > 100 and not d["complete"]'
check 'as large as it may be' test "$(wc -c <"$tmp/limit.json")" -le 100000
# Sends a signal once there is a megabyte in the draft. Python: a shell's background job ignores SIGINT.
stopped() { # SIGNAL FOLDER COMMAND...
    python3 -c 'import os, signal, subprocess, sys, time
folder = sys.argv[2]
weft = subprocess.Popen(sys.argv[3:], stderr=sys.stderr)
while weft.poll() is None and sum(os.path.getsize(f) for f in os.scandir(folder)) < 1 << 20:
    time.sleep(0.01)
weft.send_signal(getattr(signal, "SIG" + sys.argv[1]))
sys.exit(weft.wait() == 0)' "$@"
}
for signal in INT TERM; do
    rm -rf "$tmp/stop"
    mkdir "$tmp/stop"
    status=0
    stopped "$signal" "$tmp/stop" "$weft" export one-lost-packet --bare --set bytes=1GiB --fine --limit 100GB \
        --out "$tmp/stop/stop.json" 2>"$tmp/err" || status=$?
    check "stopped by SIG$signal: says so" grep -q 'stop.json: stopped at .*; it is whole up to there$' "$tmp/err"
    check 'a whole file' json "$tmp/stop/stop.json" 'len(d["records"]) > 100 and not d["complete"]'
done
"$weft" export one-lost-packet --to json --fine --out - 2>"$tmp/err" | head -n 1 >"$tmp/out"
check 'a reader that has enough needs no message' test ! -s "$tmp/err"
check 'and has what it wanted' test "$(cat "$tmp/out")" = '{'

# ---- svg ----
xml() { # FILE EXPRESSION of Python, in which it is `root`
    python3 -c 'import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
svg = "{http://www.w3.org/2000/svg}"
sys.exit(not eval(sys.argv[2]))' "$1" "$2"
}
run export one-lost-packet --card 4 --out "$tmp/card.svg"
check 'a frame of a card' quiet
check 'is XML that says what it shows' xml "$tmp/card.svg" \
    'root.find(svg + "title").text == "weft: One lost packet, card 4 of 12" and root.find(svg + "desc").text.startswith("Not all are alike.")'
run export one-lost-packet --card 4 --out "$tmp/again.svg"
check 'always the same bytes' cmp "$tmp/card.svg" "$tmp/again.svg"
run export one-lost-packet --at 150us --size 120x40 --theme light --out "$tmp/at.svg"
check 'at a moment, in another size and theme' quiet
check 'as large as that' xml "$tmp/at.svg" 'root.get("viewBox") == "0 0 984 704"'
check 'it is that moment' grep -q '>now 150 us<' "$tmp/at.svg"
run export one-lost-packet --bare --do '9us hold g1 on' --at 20us --ascii --out "$tmp/bare.svg"
check 'of a scenario' quiet
check 'which nobody saved' grep -q '>A run<' "$tmp/bare.svg"
run run "$tiny" --save "$tmp/film.weft"
run export "$tmp/film.weft" --out "$tmp/saved.svg"
check 'of a saved run' quiet
check 'which says that it is one' grep -q '>A saved run<' "$tmp/saved.svg"
check 'a scenario in ASCII' sh -c "! LC_ALL=C grep -q '[^ -~]' '$tmp/bare.svg'"
run export "$tiny" --bare --vs pfc=off --at 40us --out "$tmp/vs.svg"
check 'two runs side by side' quiet
check 'with what is the same or not' grep -q 'what-if at 0, same seed, one clock' "$tmp/vs.svg"
run export "$tiny" --vs pfc=off --out "$tmp/none.svg"
check '--vs goes with --bare' says 2 '--vs goes with --bare'
run export one-lost-packet --card 1 --at 1s --out "$tmp/none.svg"
check 'a moment that the card does not play' says 1 'this plays up to '
run export one-lost-packet --card 2 --until 1us --out "$tmp/none.cast"
check 'a film that is over before it begins' says 2 '--until: nothing of this is shown'
run export one-lost-packet --scene small --card 2 --out "$tmp/none.svg"
check 'a card has its scene' says 2 '--scene goes with --bare'
run export one-lost-packet --card 99 --out "$tmp/none.svg"
check 'a card that is not there' says 1 'there is no card 99: this lesson has 12'
run export one-lost-packet --card 1 --to asciicast --theme dark --out "$tmp/dark.cast"
run export one-lost-packet --card 1 --to asciicast --theme light --out "$tmp/light.cast"
check 'a recording for a light background' quiet
other_colours() {
    ! cmp -s "$tmp/dark.cast" "$tmp/light.cast"
}
check 'asks for other colours' other_colours
run export one-lost-packet --theme blue --out "$tmp/none.svg"
check 'a theme that is not there' says 2 "--theme takes dark, light, contrast, okabe-ito or mono, not 'blue'"
run export one-lost-packet --size 80 --out "$tmp/none.svg"
check 'half a size' says 2 '--size takes WxH, up to 400x200, not '
check 'leaves nothing' test ! -e "$tmp/none.svg"
run export one-lost-packet --card 2 --animate --fps 4 --out "$tmp/film.svg"
check 'a film' quiet
check 'moves, without a script' xml "$tmp/film.svg" \
    'len(root.findall(".//" + svg + "use")) > 100 and root.find(".//" + svg + "script") is None'
run export one-lost-packet --card 2 --animate --limit 100KB --out "$tmp/short.svg"
check 'a film that is cut says so' says 0 'short.svg: cut short at '
check 'and is a film' xml "$tmp/short.svg" 'len(root.findall(".//" + svg + "use")) > 100'

# ---- asciicast ----
cast() { # FILE EXPRESSION of Python, in which it is `head` and `events`
    python3 -c 'import json, sys
head, *events = [json.loads(line) for line in open(sys.argv[1])]
sys.exit(not eval(sys.argv[2]))' "$1" "$2"
}
run export "$tiny" --out "$tmp/a.cast"
check 'a recording' quiet
check 'has a header, and time goes on' cast "$tmp/a.cast" \
    'head["version"] == 2 and (head["width"], head["height"]) == (80, 24) and [e[0] for e in events] == sorted(e[0] for e in events)'
run export "$tiny" --to asciicast --out -
check 'always the same bytes' cmp "$tmp/a.cast" "$tmp/out"
run export one-lost-packet --card 2 --size 100x30 --color never --out "$tmp/card.cast"
check 'of one card, without colour' cast "$tmp/card.cast" \
    '[e[2] for e in events if e[1] == "m"] == ["card 2 of 12: Nobody starts the next step before everyone has the sum."] and head["width"] == 100 and not any(";38;5" in e[2] for e in events)'
run export one-lost-packet --limit 200KB --out "$tmp/cut.cast"
check 'a recording that is cut says so' says 0 'cut.cast: cut short at '
check 'and every line of it is whole' cast "$tmp/cut.cast" 'len(events) > 100'
run export one-lost-packet --bare --until 20us --out "$tmp/bare.cast"
check 'of a scenario' quiet

# ---- csv ----
cat >"$tmp/incast.lua" <<'LUA'
local weft = require "weft"
return weft.scenario {
  fabric = weft.star { hosts = 8, rate = "100Gbps", delay = "500ns" },
  workload = weft.incast { to = "g1", from = 7, bytes = "256KiB" },
}
LUA
run run "$tmp/incast.lua" --format json --out "$tmp/incast.json"
run export "$tmp/incast.lua" --to csv --out "$tmp/all.csv"
check 'plots that nobody chose' quiet
run export "$tmp/incast.lua" --plot 'queue sw:1' --plot 'held sw:2' --plot 'goodput g1' --plot 'pause g2' \
    --plot 'goodput g2>g1' --plot 'rate g2>g1' --out "$tmp/chosen.csv"
check 'plots by name' quiet
run export "$tmp/incast.lua" --plot 'queue sw:1' --every 200ns --out "$tmp/often.csv"
check 'more rows' quiet
run export one-lost-packet --to csv --out "$tmp/silent.csv"
check 'a lesson' quiet
run export "$tmp/incast.lua" --to csv --every 10ns --limit 20KB --out "$tmp/short.csv"
check 'a table that is cut says so' says 0 'short.csv: cut short at '
python3 - "$tmp" <<'PY' >"$tmp/says"
import csv, json, sys
folder = sys.argv[1]
def table(name):
    with open(f"{folder}/{name}.csv", newline="") as f:
        text = f.read()
    assert text.endswith("\r\n") and text.count("\n") == text.count("\r\n"), name
    rows = list(csv.reader(text.splitlines(), strict=True))
    assert all(len(r) == len(rows[0]) for r in rows), name
    assert len(set(rows[0])) == len(rows[0]) and rows[0][0] == "time_ns", name
    return [dict(zip(rows[0], (float(v) if v else None for v in r))) for r in rows[1:]]
def holds(what, ok):
    print(("ok " if ok else "not ok ") + what)
report = json.load(open(f"{folder}/incast.json"))
chosen, often = table("chosen"), table("often")
queue = [q for q in report["queues"] if q["at"] == "sw:1"][0]
sent = sum(f["bytes"] for f in report["flows"])
times = [r["time_ns"] for r in chosen]
holds("a row every microsecond", times == [1000.0 * i for i in range(len(times))])
holds("up to the end of the run", times[-1] - 1000 < report["end_ns"] <= times[-1])
holds("the highest queue is the report's, however often one looks",
      max(r["sw:1.queue_max_bytes"] for r in chosen) == queue["max_bytes"]
      == max(r["sw:1.queue_max_bytes"] for r in often))
holds("goodput adds up to what was sent",
      abs(sum(r["g1.goodput_gbps"] or 0 for r in chosen) * 1000 / 8 - sent) < 1)
paused = sum(r["g2:1.pause_share"] or 0 for r in chosen) * 1000
holds("one of seven paused ports has about a seventh of all pauses",
      0 < paused < report["pfc"]["paused_ns"] / 3)
holds("a level beside its lines", all(r["sw:2.held_xoff_bytes"] > r["sw:2.held_xon_bytes"] > 0 for r in chosen)
      and max(r["sw:2.held_bytes"] for r in chosen) > chosen[0]["sw:2.held_xoff_bytes"])
holds("no line where there is none", all(r["sw:1.queue_kmin_bytes"] is None for r in chosen))
same = {r["time_ns"]: r["sw:1.queue_bytes"] for r in often}
holds("a moment has one value", all(same[t] == r["sw:1.queue_bytes"] for t, r in zip(times, chosen) if t in same))
silent = table("silent")
gaps = [b["time_ns"] - a["time_ns"] for a, b in zip(silent, silent[1:])]
holds("a long silence has two rows", len(silent) < 20000 and max(gaps) > 1e9
      and all(g == 1000 or g > 1e6 for g in gaps))
holds("what nobody chose is what is busiest", any(k.endswith(".held_bytes") for k in table("all")[0]))
holds("a short table is whole rows", 3 < len(table("short")) < 1000)
PY
while read -r verdict words; do
    check "csv: $words" test "$verdict" = ok
done <"$tmp/says"
check 'csv: all of it was looked at' test "$(wc -l <"$tmp/says")" = 11
run export "$tmp/incast.lua" --plot 'queue sw:1' --every 200ns --out "$tmp/again.csv"
check 'always the same bytes' cmp "$tmp/often.csv" "$tmp/again.csv"
run export "$tmp/incast.lua" --plot 'qeue sw:1' --out "$tmp/none.csv"
check 'a plot that is not there' says 1 'there is no plot qeue; did you mean queue?'
run export "$tmp/incast.lua" --plot 'queue sw:9' --out "$tmp/none.csv"
check 'a port that is not there' says 1 'there is no port sw:9; did you mean sw:'
run export "$tmp/incast.lua" --every 1ps --out "$tmp/none.csv"
check 'rows have a least distance' says 2 '--every takes at least 1ns'
check 'leaves nothing' test ! -e "$tmp/none.csv"

# ---- pcapng: tests/export has the rest ----
mkdir "$tmp/pcapng"
run export "$tiny" --to pcapng --at nowhere --out "$tmp/pcapng/a.pcapng"
check 'no such place' says 1 "there is no node and no port 'nowhere'; write leaf1 or leaf1:3"
run export "$tiny" --bare --set wire_overhead=48B --out "$tmp/pcapng/a.pcapng"
check 'frames that no link carries' says 1 'no Ethernet frame has 48 bytes of headers around its data'
check 'leave no file' nothing_left "$tmp/pcapng"
run export "$tiny" --out "$tmp/a.pcapng"
check 'a capture' quiet
run export "$tiny" --out "$tmp/b.pcapng"
check 'the same bytes each time' cmp "$tmp/a.pcapng" "$tmp/b.pcapng"

# ---- json ----
check 'the trace has all that a report counts' json "$tmp/a.json" \
    'sum(r["kind"] == "drop" for r in d["records"]) == 1 and d["records"][-1]["kind"] == "done"'
check 'its members are those of the sentence' json "$tmp/a.json" \
    'all("packet" in r and "reason" in r and r["says"] for r in d["records"] if r["kind"] == "drop")'
run export "$tiny" --fine --out "$tmp/fine.json"
check 'fine records, too' quiet
check 'in their order' json "$tmp/fine.json" \
    '[r["at_ns"] for r in d["records"]] == sorted(r["at_ns"] for r in d["records"])'
python3 - "$tmp/a.json" "$tmp/fine.json" <<'PY'
import json, sys
a, fine = (json.load(open(name)) for name in sys.argv[1:])
sys.exit([r for r in fine["records"] if "seq" in r] != a["records"] or fine["fine_lost"] != 0)
PY
check 'and the others are as without them' test $? = 0
run run "$tiny" --save "$tmp/a.weft"
run export "$tmp/a.weft" --out "$tmp/saved.json"
check 'a saved run exports' quiet
check 'to the same records' python3 -c 'import json, sys
a, b = (json.load(open(name)) for name in sys.argv[1:])
sys.exit(a["records"] != b["records"] or a["end_ns"] != b["end_ns"])' "$tmp/a.json" "$tmp/saved.json"
run export "$tiny" --bare --do '12us drop g1>g2 last' --set xoff=30KB --seed 5 --until 40us --out "$tmp/deeds.json"
check '--set, --seed, --until and --do are heard' json "$tmp/deeds.json" \
    'd["seed"] == 5 and d["set"]["xoff"] == "30000B" and d["end_ns"] == 40000 and any(r["kind"] == "fault" for r in d["records"])'
# ---- a worksheet ----
run export one-lost-packet --out "$tmp/sheet.md"
check 'a worksheet, by the name of its file' quiet
check 'with a prediction to tick' grep -q '^- \[ \] a: ' "$tmp/sheet.md"
check 'and no belief in it' test "$(grep -c 'behind it' "$tmp/sheet.md")" = 0
run export one-lost-packet --to worksheet --notes --out -
check 'for the teacher there is' grep -q 'behind it: ' "$tmp/out"
check 'and what is proved' grep -q '^> Proved here: ' "$tmp/out"
run export "$tiny" --to worksheet --bare --out -
check 'of a scenario there is none' says 2 '--bare means nothing to worksheet'

tap_done
