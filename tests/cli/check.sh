#!/bin/sh
# weft check: what it finds, where it says so, and its JSON. That each rule is broken by a lesson is
# tests/lesson/test_course.c; here are the program, its exit status, and the real screens.
# Arguments: the weft to test, the root of the source tree.
# shellcheck disable=SC2016 # small programs for sh -c and python3 stand in single quotes
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"
cd "$tmp" || exit 1

# A lesson of one card with these items.
lesson() { # NAME
    cat >"$1.lua" <<END
local weft = require "weft"
return weft.lesson { api = 1, id = "$1", title = "$1", year = 2014, minutes = 1,
  scenes = { main = weft.scenario {
    fabric = weft.star { hosts = 8, rate = "100Gbps", delay = "500ns" },
    workload = weft.training { collective = weft.ring_allreduce { bytes = "64KiB" }, compute = "5us", steps = 9 } } },
  weft.scene "main",
$(cat)
}
END
}

says() { # TEXT: and exit status 1
    if [ "$status" != 1 ] || ! grep -qF -- "$1" out; then shows && false; fi
}

fits() { # NAME: exit status 0
    if [ "$status" != 0 ] || ! grep -qF "$1.lua: " out; then shows && false; fi
}

# ---- room
lesson short <<'END'
  weft.say "**A short card.** It fits.",
  weft.play { to = "barrier" },
END
run check short.lua
check 'a short card fits' fits short

lesson keys <<'END'
  weft.say "**A key.** {key:why} asks, {key:fly} flies.",
  weft.play { to = "barrier" },
END
run check keys.lua
check 'a key that no command has' says 'keys.lua:7: lint: this card: a key in braces is of no command; weft keys lists them: {key:fly}'

lesson forty-five <<'END'
  weft.say "one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five six seven eight nine ten one two three four five",
  weft.play { to = "barrier" },
END
run check forty-five.lua
check '45 words fit' fits forty-five

lesson long-words <<'END'
  weft.say "electroencephalographically electroencephalographically electroencephalographically electroencephalographically electroencephalographically electroencephalographically electroencephalographically electroencephalographically electroencephalographically electroencephalographically electroencephalographically electroencephalographically electroencephalographically electroencephalographically",
  weft.play { to = "barrier" },
END
run check long-words.lua
check 'fewer words, but too long for 80x24' says 'long-words.lua:7: lint: this card: at 80x24 it has 14 lines, 5 too many'
check 'and for 40x12' says 'long-words.lua:7: lint: this card: at 40x12 it has 14 lines, 4 too many'

lesson long-answers <<'END'
  weft.say "**A card.** And a question.",
  weft.predict { ask = "Which of all these answers, each of which is longer than any of the others, is right?",
    choices = { "this one, which says more than one would like to read in one go, and then says it again",
      { "the other one, which has nothing to say either, but says it at even greater length, twice",
        belief = "longer is better", reply = "It is not: look at it again, there is nothing in it." },
      { "neither, which is true of most questions that are put in this way, and of this one",
        belief = "nothing is true", reply = "One is, or it would not be asked." } },
    because = "It is.", truth = function() return 1 end },
  weft.play { to = "barrier" },
END
run check long-answers.lua
check 'a question that is too long' says 'long-answers.lua:8: lint: this card with its question: at 80x24 it has '
check 'replies too long' says 'long-answers.lua:8: lint: the reply to answer b: at '

lesson long-switches <<'END'
  weft.say "**Switches.**",
  weft.switch { knob = "compute", values = { "auto", "10us" }, label = "how long every GPU computes" },
  weft.switch { knob = "bytes", values = { "auto", "128KiB" }, label = "how much it has to send then" },
  weft.play { to = "barrier" },
  weft.play { to = "barrier" },
END
run check long-switches.lua
check 'labels too long' says 'long-switches.lua:7: lint: this card: at 80x24 there is no room for switch 2: a shorter label?'

lesson long-task <<'END'
  weft.say "**A task.**",
  weft.switch { knob = "compute", values = { "auto", "10us" }, label = "compute" },
  weft.fix { goal = "Make it slow.", check = function(r) return r.steps[1].compute > "8us" end,
    solution = { compute = "10us" },
    hints = { "There is only one thing that one can do here, and it is not difficult to find out what it is.",
      "Somewhere below there is a row of switches, or rather of one switch, and it has a digit before it.",
      "Press that digit once, and then press Enter, and look at what the card has to say about that.",
      "If that was not it then press it again, and again, until you have seen all that there is to see." } },
  weft.play { to = "barrier" },
END
run check long-task.lua
check 'hints too long' says 'long-task.lua:9: lint: this task with its hints: at 40x12 it has '

# ---- the report
check 'the sum' says 'long-task.lua: 2 claims, 2 true, 0 false or not checked, '
check 'the first complaint on stderr' grep -q '^long-task.lua:9: this task with' err
check 'in the order of the lines' sh -c 'grep -oE "^long-task.lua:[0-9]+" out | sort -c -t: -k2n'
lesson false-claim <<'END'
  weft.say "**A claim.**",
  weft.play { to = "barrier" },
  weft.claim("it is slow", function(r) return r.steps[1].duration > "1s", r.steps[1].compute end),
END
run check short.lua false-claim.lua forty-five.lua
check 'one of three is bad' says 'false-claim.lua:9: not ok: it is slow: it was 5 us'
check 'the others are checked all the same' says 'forty-five.lua: 0 claims, 0 true, 0 false or not checked, 0 complaints'

# ---- JSON
json() { # PROGRAM: over j, the object
    python3 -c "import json, sys; j = json.load(open('out')); assert $1, j" || { shows && false; }
}
echo 'return weft.lesson { idd = 1 }' | sed '1ilocal weft = require "weft"' >broken.lua
run check --format json short.lua false-claim.lua broken.lua long-words.lua no-such-lesson
check 'one object for all' json 'j["schema"] == 1 and j["weft"] and j["ok"] is False and len(j["lessons"]) == 5'
check 'exit status 1' test "$status" = 1
check 'every lesson with these names' json 'all(sorted(l) == ["claims", "complaints", "failed", "file", "findings", "held", "id", "ok"] for l in j["lessons"])'
check 'every finding with these' json 'all(sorted(f) == ["file", "line", "rule", "text", "verdict"] for l in j["lessons"] for f in l["findings"])'
check 'what is fine' json 'j["lessons"][0] == {"id": "short", "file": "short.lua", "ok": True, "claims": 0, "held": 0, "failed": 0, "complaints": 0, "findings": []}'
check 'what is false' json 'j["lessons"][1]["findings"] == [{"verdict": "failed", "rule": "claim", "file": "false-claim.lua", "line": 9, "text": "it is slow: it was 5 us"}]'
check 'what does not load, all of it' json 'j["lessons"][2]["id"] is None and j["lessons"][2]["failed"] == len(j["lessons"][2]["findings"]) > 3 and {f["rule"] for f in j["lessons"][2]["findings"]} == {"load"} and all(f["line"] for f in j["lessons"][2]["findings"])'
check 'what has no room' json 'j["lessons"][3]["complaints"] == 2 and {(f["verdict"], f["rule"], f["line"]) for f in j["lessons"][3]["findings"]} == {("complaint", "fits", 7)}'
check 'what is not there' json 'j["lessons"][4]["findings"][0]["text"].startswith("there is no lesson")'
cp out first
run check --format json short.lua false-claim.lua broken.lua long-words.lua no-such-lesson
check 'the same bytes again' cmp first out
run check --format json short.lua
check 'all is well' json 'j["ok"] is True'
check 'exit status 0' test "$status" = 0
mkdir mine
cp short.lua broken.lua mine
echo 'return { "short", "broken" }' >mine/index.lua
run check --format json ./mine
check 'a folder, and what in it does not load' json 'j["ok"] is False and [l["id"] for l in j["lessons"]] == [None, "short"] and {(f["file"], f["line"], f["rule"]) for f in j["lessons"][0]["findings"]} == {("./mine/broken.lua", 2, "load")}'
run check --format json ./nowhere/
check 'a folder that is not there' json 'j["lessons"][0]["file"] == "./nowhere/" and j["lessons"][0]["failed"] == 1'
run api
for rule in load claim fits what-if; do
    check "the rule $rule is explained" grep -q "^    $rule: " out
done
bad=$(printf 'bad\377name.lua')
cp short.lua "$bad"
run check --format json "$bad"
check 'a name that is no text' json 'j["lessons"][0]["complaints"] == 1'

tap_done
