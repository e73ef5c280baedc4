#!/bin/sh
# What `meson install` puts where, and that it works there. Arguments: the weft to test, the root of the
# source tree, the build folder, the prefix it is for.
# shellcheck disable=SC2016 # small programs for sh -c stand in single quotes
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"
build=$3
prefix=$4
unset WEFT_DATA_DIR

check 'meson install, under DESTDIR' env DESTDIR="$tmp/dest" meson install -C "$build" --no-rebuild --quiet
check 'nothing outside the prefix' sh -c 'test "$(cd "$1" && find . -type f | grep -vc "^\.$2/")" = 0' sh "$tmp/dest" "$prefix"
top=$tmp/dest$prefix
for file in bin/weft share/man/man1/weft.1 share/man/man5/weft-lesson.5 share/bash-completion/completions/weft \
    share/zsh/site-functions/_weft share/fish/vendor_completions.d/weft.fish share/weft/lessons/index.lua \
    share/weft/lua-scripts/weft.lua share/weft/assets/glossary.txt share/weft/assets/validation/index.lua; do
    check "$file" test -s "$top/$file"
done
check 'no file twice' sh -c 'test ! -e "$1/share/weft/assets/man" && test ! -e "$1/share/weft/assets/completions"' sh "$top"
check 'everybody may read all of it' sh -c 'test -z "$(find "$1" ! -perm -444)"' sh "$tmp/dest"

# A folder that was moved, from another folder, with nothing in the environment.
mv "$top" "$tmp/moved" && cd / || exit 1
weft=$tmp/moved/bin/weft
check 'it finds its course' sh -c '"$1" list | grep -q one-lost-packet' sh "$weft"
check 'and plays it' sh -c '"$1" one-lost-packet --plain </dev/null | grep -q "One lost packet"' sh "$weft"
check 'a lesson to start from' sh -c '"$1" new mine --out "$2" && "$1" check "$2/mine.lua"' sh "$weft" "$tmp"
check 'a row of the validation table' "$weft" validate V01
run doctor
check 'and doctor knows where' grep -qF "$tmp/moved/share/weft" "$tmp/out"

tap_done
