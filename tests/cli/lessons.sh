#!/bin/sh
# A lesson of the course: true on every way through it, and told without a screen.
# Arguments: the weft to test, the root of the source tree, the lesson's id; without one: the index.
# shellcheck disable=SC2016 # small programs for sh -c stand in single quotes
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"

if [ -z "${3:-}" ]; then
    check 'the index has every lesson of the folder, once' sh -c '
        cd "$1" && grep -o "^  \"[a-z0-9-]*\"" index.lua | tr -d " \"" | sort >"$2" &&
        ls ./*.lua | sed "s|^./||; s|\.lua$||" | grep -vx index | sort | diff "$2" -' sh \
        "$root/lessons" "$tmp/index"
    check 'the index says where one begins, and has routes' sh -c '
        grep -q "^  title = " "$1" && grep -q "^  start = " "$1" && test "$(grep -c "{ name = " "$1")" -ge 3' sh "$root/lessons/index.lua"
    run list
    check 'and no mistakes' test ! -s "$tmp/err"
    tap_done
    exit
fi

run check "$root/lessons/$3.lua"
grep -v ': ok: ' "$tmp/out" | sed 's/^/# /'
check "$3: every claim is true, nothing to complain of" grep -q ' 0 false or not checked, 0 complaints$' "$tmp/out"
run export "$3" --card 999 --out "$tmp/no.svg"
last=$(sed -n 's/.*this lesson has \([0-9]*\).*/\1/p' "$tmp/err")
run export "$3" --card "$last" --out "$tmp/last.svg"
check "$3: its last card, $last, is reached at once" grep -q "card $last of $last" "$tmp/last.svg"
run "$3" --plain
[ "$status" = 0 ] || shows
check "$3: told without a screen" test "$status" = 0
check "$3: and without a word on stderr" test ! -s "$tmp/err"
tap_done
