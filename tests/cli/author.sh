#!/bin/sh
# What an author meets: the reference, the lesson to start from, the tutorial.
# Arguments: the weft to test, the root of the source tree.
# shellcheck disable=SC2016 # small programs for sh -c stand in single quotes
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"
cd "$tmp" || exit 1

same() { # FILE FILE: or how to mend it
    diff -u "$1" "$2" | head -n 20
    cmp -s "$1" "$2" || { echo 'the tables have changed: ./dev reference writes this file anew' && false; }
}

# ---- the reference
check 'weft api prints' sh -c '"$1" api >api.txt && test -s api.txt' sh "$weft"
check 'every line fits 80 cells' sh -c '! grep -E "^.{81}" api.txt'
for word in 'weft.leaf_spine {' 'exposed_comm (time)' 'timeout_exponent (' 'slow_gpu NODE FACTOR' \
    'dropped_by("...") (integer)' 'choice: { "text"'; do
    check "it has $word" grep -qF -- "$word" api.txt
done
check 'annotations for editors' sh -c '"$1" api --format lua >meta.lua' sh "$weft"
check_fails 'are Lua' 'this file must end with' "$weft" check meta.lua
check 'are those in lua-scripts/meta' same "$root/lua-scripts/meta/weft.lua" meta.lua
check 'for programs' sh -c '"$1" api --format json | python3 -c "import json, sys
j = json.load(sys.stdin)
say = next(c for c in j[\"constructors\"] if c[\"name\"] == \"say\")
assert say[\"item\"] and say[\"fields\"][0][\"type\"] == \"prose\", say
assert j[\"schema\"] == 1 and len(j[\"rules\"]) > 10, j"' sh "$weft"
"$weft" api --format markdown >reference.md
sed '1,/^<!-- reference:/d' "$root/lessons/README.md" | tail -n +2 >readme.md
check 'the reference part of lessons/README.md' same readme.md reference.md

# ---- weft new
check 'weft new writes a lesson' "$weft" new my-first
check 'which passes weft check' sh -c '"$1" check my-first.lua >out && grep -q " 0 false or not checked, 0 complaints" out' sh "$weft"
check 'and runs' sh -c '"$1" run my-first.lua >/dev/null && "$1" my-first.lua --plain </dev/null >/dev/null' sh "$weft"
check 'its name is its own' sh -c 'grep -q "id = \"my-first\"" my-first.lua && ! grep -q new-lesson my-first.lua'
cp my-first.lua before
check_fails 'never over a file' 'the file exists; --force replaces it' "$weft" new my-first
check 'which stays as it was' cmp before my-first.lua
check 'unless forced' sh -c 'echo old >my-first.lua; "$1" new my-first --force >/dev/null && cmp before my-first.lua' sh "$weft"
check '--out - prints it' sh -c '"$1" new my-first --out - | cmp before -' sh "$weft"
mkdir folder
check '--out FOLDER' sh -c '"$1" new my-first --out folder >/dev/null && cmp before folder/my-first.lua' sh "$weft"
for name in My-First ../up two.lua -x '' 'a b'; do
    check_fails "no name: '$name'" 'small letters, digits and -' "$weft" new -- "$name"
done
check_fails 'no name: index' "the list of a folder's lessons" "$weft" new index
check_fails 'no name: a number' 'place in the list' "$weft" new 12
check_fails 'a folder that is not there' 'that folder is not there' "$weft" new my-second --out no/such
check_fails 'a file that is a folder' 'that folder is not there' "$weft" new my-second --out no/such/my-second.lua
check_fails 'no file in a file' 'that is no folder' "$weft" new my-second --out my-first.lua/my-second.lua
check_fails 'a name that is too long' 'too long' "$weft" new "$(printf 'a%.0s' $(seq 300))"
check_fails 'a disk that is full' 'No space left' "$weft" new my-second --out /dev/full
check 'a folder with its slash' sh -c '"$1" new my-first --out folder/ --force | grep -q "^folder/my-first.lua is there"' sh "$weft"
mkdir -m 555 locked
chmod 755 "$tmp"
set -- # root may do everything: then as somebody else, who has to be able to read all this
[ "$(id -u)" != 0 ] || set -- setpriv --reuid 65534 --regid 65534 --clear-groups
if "$@" "$weft" new my-second --out - >/dev/null 2>&1; then
    check_fails 'a folder that is locked' 'you may not write in that folder' "$@" "$weft" new my-second --out locked
fi
check 'nothing else was written' sh -c 'test "$(ls folder *.lua | wc -l)" = 5' sh

# ---- lessons of one's own
export XDG_DATA_HOME="$tmp/home" XDG_DATA_DIRS="$tmp/site:relative" HOME="$tmp/nobody"
mine=$XDG_DATA_HOME/weft/lessons
site=$tmp/site/weft/lessons
mkdir -p "$mine" "$site"
course=$("$weft" list | wc -l)
"$weft" new alpha --out "$mine" >/dev/null
"$weft" new beta --out "$site" >/dev/null
"$weft" new alpha --out "$site" >/dev/null
sed -i 's/title = "Alpha"/title = "Of the site"/' "$site/alpha.lua"
check 'a lesson is found by its id' "$weft" check alpha
check 'in any of the folders' "$weft" check beta
check 'without an index it is not listed' sh -c 'test "$("$1" list | wc -l)" = "$2"' sh "$weft" "$course"
echo 'return { "beta", "alpha" }' >"$site/index.lua"
echo 'return { "alpha" }' >"$mine/index.lua"
"$weft" list >list.txt
check 'with one it is, behind the course' sh -c 'test "$(wc -l <list.txt)" = $(($1 + 2))' sh "$course"
check 'with its file, an earlier folder hiding a later one' grep -qE "2014  Alpha .* alpha  $mine/alpha.lua\$" list.txt
check 'and so is the other' grep -qE "2014  Beta .* beta  $site/beta.lua\$" list.txt
check 'by number' sh -c '"$1" check "$2" | grep -q alpha.lua' sh "$weft" $((course + 1))
"$weft" new one-lost-packet --out "$mine" >/dev/null
check 'a lesson of the course is hidden, too' sh -c '"$1" list | grep -q "One lost packet  .*/one-lost-packet.lua$"' sh "$weft"
rm "$mine/one-lost-packet.lua"
check 'a folder is a course' sh -c 'test "$("$1" list "$2" | wc -l)" = 2' sh "$weft" "$site"
check 'that weft opens' sh -c '"$1" "$2" --plain </dev/null | grep -q "plain mode. Beta"' sh "$weft" "$site"
check 'also without a slash' sh -c 'cd "$2" && "$1" lessons --plain </dev/null | grep -q "plain mode. Beta" && "$1" list lessons | grep -q Beta && "$1" check lessons >/dev/null' sh "$weft" "$tmp/site/weft"
check 'unless a lesson has that name' sh -c 'mkdir -p "$2/alpha" && cd "$2" && "$1" alpha --plain </dev/null | grep -q "plain mode. Alpha"' sh "$weft" "$tmp/site/weft"
check 'and checks' sh -c 'test "$("$1" check "$2" | grep -c "3 true, 0 false or not checked, 0 complaints")" = 2' sh "$weft" "$site"
check_fails 'one without an index is none' 'index.lua' "$weft" list "$tmp"
check_fails 'nor is what is no folder' 'no folder of this name' "$weft" list "$tmp/out"
cp "$root"/tests/lesson/own/*.lua "$tmp/home/"
check 'a course explains words of its own' sh -c '"$1" check "$2/own-words.lua" | grep -q " 0 complaints"' sh "$weft" "$tmp/home"
sed -i 's/^  terms = /  trems = /' "$tmp/home/index.lua"
check_fails 'its index is checked' "index.lua:4: an index has no field" "$weft" list "$tmp/home"
check_fails 'also for a lesson' "index.lua:4: an index has no field" "$weft" check "$tmp/home/own-words.lua"
sed -i 's/^  trems = .*/  terms = { barrier = "mine",/' "$tmp/home/index.lua"
check_fails 'and explains nothing anew' "index.lua:4: terms.barrier: the glossary has it already" "$weft" list "$tmp/home"
rm "$tmp/home/index.lua"
check_fails 'without it the lesson does not load' 'the glossary has no "retry storm"' "$weft" check "$tmp/home/own-words.lua"
rm "$tmp/home/own-words.lua"
echo 'return 1' >"$mine/index.lua"
check_fails 'a broken index is reported' "$mine/index.lua" "$weft" list
echo 'return { "gamma" }' >"$mine/index.lua"
check_fails 'so is a lesson that is not there' "$mine/gamma.lua" "$weft" list
check 'and the rest goes on' sh -c '"$1" list 2>/dev/null | grep -q beta' sh "$weft"
check_fails 'a wrong name tells the nearest of all' 'did you mean beta?' "$weft" check betta
mkdir -p "$tmp/site/weft/lua-scripts"
check_fails 'the course of another weft does not count' 'no lesson' "$weft" check beta
unset XDG_DATA_HOME XDG_DATA_DIRS

# ---- the tutorial: its Lua, one after the other, is the lesson that it says it is
awk '/^```lua$/ { on = 1; next } /^```$/ { on = 0 } /^## .* Make it good/ { exit } on' "$root/lessons/README.md" |
    sed '/^}$/d' >late-gpu.lua
echo '}' >>late-gpu.lua
"$weft" check late-gpu.lua >said 2>&1
check 'the lesson of the tutorial passes' grep -qF ' 3 true, 0 false or not checked, 0 complaints' said
check 'with the lines that it shows' sh -c 'while read -r line; do
    grep -qF -- "    $line" "$1" || { echo "not there: $line" && exit 1; }; done <said' sh "$root/lessons/README.md"

tap_done
