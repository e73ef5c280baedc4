#!/bin/sh
# The same runs, whoever compiled them. Arguments: programs that print the same lines (hashes.c); the
# first is what the others are compared with.
set -eu
# shellcheck source=tests/tap.sh
. "$(dirname -- "$0")/../tap.sh"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

first=$1
shift
said() { # PROGRAM
    "$1" >"$folder/now" && [ -s "$folder/now" ]
}
same() { # PROGRAM
    said "$1" && diff "$folder/first" "$folder/now"
}

check "$first runs" said "$first"
mv "$folder/now" "$folder/first"
for program in "$@"; do
    check "$program: the same runs" same "$program"
done
tap_done
