#!/bin/sh
# What it takes to load a lesson of 60 cards, each with a switch, a question, a drop and a claim. For
# people: see README.md. Arguments: the weft to measure, the root of the source tree.
set -eu
weft=$(realpath "$1")
export WEFT_DATA_DIR="$2"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

{
    cat <<'END'
local weft = require "weft"
return weft.lesson {
  api = 1, id = "sixty-cards", title = "Sixty cards", year = 2014, minutes = 60,
  scenes = {
    main = weft.scenario {
      fabric = weft.leaf_spine { leaves = 2, spines = 2, hosts = 4, rate = "100Gbps", delay = "500ns" },
      workload = weft.training {
        collective = weft.ring_allreduce { bytes = "256KiB" }, compute = "20us", steps = 200,
      },
    },
  },
  weft.scene "main",
END
    card=0
    while [ "$card" -lt 60 ]; do
        card=$((card + 1))
        cat <<END
  weft.say [[
    **Card $card.** A step took {steps[1].duration}; {packets.dropped} of {work.packets} were lost, and
    {this.exposed_comm} of {this.duration} is not computing.
  ]],
  weft.switch { knob = "timeout_exponent", values = { 12, 14, 18 }, label = "timeout exponent" },
  weft.predict {
    ask = "What does it cost?",
    choices = {
      { "nothing", belief = "a loss is free", reply = "It is not: {this.duration}." },
      { "a little", belief = "a loss is cheap", reply = "Not this one: {this.duration}." },
      { "a timeout", reply = "Yes: {timeout}." },
    },
    because = "Nothing follows it: {this.duration - steps[1].duration} more than {steps[1].duration}.",
    truth = function(r)
      local more, step = r.this.duration - r.steps[1].duration, r.steps[1].duration
      return more < 0.1 * step and 1 or more < step and 2 or 3
    end,
  },
  weft.drop { flow = "g3>g4", which = "last" },
  weft.play { to = "barrier", gear = "step" },
  weft.claim("card $card: it costs a timeout", function(r) return r.this.duration > 0.99 * r.timeout end),
END
    done
    echo '}'
} >"$tmp/sixty-cards.lua"
"$weft" bench one-lost-packet "$tmp/sixty-cards.lua" | grep 'loaded and checked'
