#!/bin/sh
# `weft bench screen` measures at both sizes, and leaves nothing behind. Arguments: the weft, the root of the
# source tree.
set -eu
weft=$(realpath "$1")
root=$2
. "$root/tests/tap.sh"
export WEFT_DATA_DIR="$root"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export HOME="$tmp" XDG_STATE_HOME="$tmp/state"

"$weft" bench screen --format json >"$tmp/out" 2>"$tmp/err" && status=0 || status=$?
measured() { [ "$status" = 0 ] && grep -q "\"columns\": $1, .*\"bytes_a_frame\": [1-9]" "$tmp/out"; }
check 'a frame at 80x24 is measured' measured 80
check 'a frame at 200x60 is measured' measured 200
check 'nobody is told that a lesson was begun' test ! -e "$tmp/state/weft"
tap_done
