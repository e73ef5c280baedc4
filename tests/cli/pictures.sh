#!/bin/sh
# The pictures of the README are what the program shows.
# Arguments: the weft to test, the root of the source tree.
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"
pictures=$root/docs/pictures

same() { # NAME
    cmp "$pictures/$1.svg" "$tmp/$1.svg"
}
grep -v '^#' "$pictures/list" >"$tmp/list"
while read -r name arguments; do
    # shellcheck disable=SC2086
    run export $arguments --out "$tmp/$name.svg"
    check "$name.svg is what the program shows (else: ./dev pictures, and look at it)" same "$name"
    check "$name.svg is in the README" grep -q "docs/pictures/$name.svg" "$root/README.md"
done <"$tmp/list"
for file in "$pictures"/*.svg; do
    check "$(basename "$file") is in the list" test -e "$tmp/$(basename "$file")"
done
tap_done
