#!/bin/sh
# ./dev on systems that are not this one: folders of pretended programs say which system it is.
# Argument: the root of the source tree.
# shellcheck disable=SC2016 # the pretended programs expand their own variables
set -u
root=$1
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/tap.sh
. "$here/../tap.sh"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/weft" "$tmp/bin"
cp "$root/dev" "$tmp/weft/dev"

# A system without compilers and libraries, where `id` says who we are.
for tool in sh env sed grep sort tr dirname basename cat mkdir rm tail head cut tee uname wc mktemp; do
    ln -s "$(command -v "$tool")" "$tmp/bin/$tool"
done
pretend() { # PROGRAM LINE...
    name=$1
    shift
    rm -f "$tmp/bin/$name"
    printf '#!/bin/sh\n' >"$tmp/bin/$name"
    printf '%s\n' "$@" >>"$tmp/bin/$name"
    chmod +x "$tmp/bin/$name"
}
dev() { # ARGUMENT...
    status=0
    env -i PATH="$tmp/bin" HOME="$tmp" sh "$tmp/weft/dev" "$@" </dev/null >"$tmp/out" 2>"$tmp/err" || status=$?
}
said() { # STATUS TEXT...
    want=$1
    shift
    for text in "$@"; do
        if [ "$status" != "$want" ] || ! cat "$tmp/out" "$tmp/err" | grep -qF -- "$text"; then
            echo "status $status, looked for: $text"
            cat "$tmp/out" "$tmp/err"
            return 1
        fi
    done
}
untouched() { # nothing was installed
    if [ -e "$tmp/installed" ]; then
        cat "$tmp/installed"
        return 1
    fi
}

dev
check 'no command: the list of them' said 2 'usage: ./dev COMMAND'
dev help
check 'help' said 0 'run [ARGUMENTS]'
dev bogus
check 'an unknown command' said 2 "there is no command 'bogus'"

# ---- not Debian ----
for row in 'dnf:sudo dnf install gcc:ncurses-devel' 'pacman:sudo pacman -S --needed gcc:libtermkey' \
    'apk:doas apk add gcc:lua5.4-dev' 'brew:brew install gcc:utf8proc'; do
    manager=${row%%:*}
    rest=${row#*:}
    pretend "$manager" 'exit 1'
    dev run
    check "$manager: the packages by its names, and no more" \
        said 1 "${rest%%:*}" "${rest#*:}" 'Then run the same command again.'
    rm "$tmp/bin/$manager"
done
dev run
check 'no known package manager' said 1 "weft needs these packages first (Debian's names)" libuv1-dev

# ---- Debian ----
pretend dpkg-query 'exit 1'
pretend apt-cache 'exit 1'
pretend apt-get \
    'case "$*" in' \
    '*--assume-no*) echo "After this operation, 251 MB of additional disk space will be used." ;;' \
    '*update*) ;;' \
    '*) echo "$*" >>'"$tmp/installed" \
    '   echo "0 upgraded, 3 newly installed, 0 to remove and 0 not upgraded."' \
    '   for i in 1 2 3; do echo "Get:$i a mirror"; done' \
    '   for i in 1 2 3; do echo "Setting up package-$i (1.0) ..."; done' \
    '   [ ! -e '"$tmp/broken"' ] || { echo "E: no room left"; exit 100; } ;;' \
    'esac'

pretend id 'echo 1000'
dev run
check 'nobody in particular: packages and size are named' \
    said 1 'packages: gcc ' 'That takes 251 MB of disk space'
check 'the command is printed' \
    said 1 'Installing needs root' "su -c 'apt-get update && apt-get install --no-install-recommends gcc"
check 'and nothing is done' untouched

pretend sudo 'exit 1'
dev run
check 'sudo that wants a password, and nobody there to type it' said 1 "sudo sh -c 'apt-get update"
check 'nothing is done' untouched

pretend sudo 'if [ "$1" = -n ]; then shift; fi' 'exec "$@"'
pretend true 'exit 0'
dev run
check 'sudo that wants none: it goes on by itself' grep -q 'install -y --no-install-recommends' "$tmp/installed"
check 'with progress' said 1 'packages 1 of 3' 'packages 3 of 3'
check 'what fails next shows its last lines' said 1 'dev: that failed. The last lines were:'
rm -f "$tmp/installed" "$tmp/bin/sudo"

pretend id 'echo 0'
dev run
check 'root goes on by itself' grep -q 'libncurses-dev' "$tmp/installed"
rm -f "$tmp/installed"
dev test
check 'test needs more' grep -q 'libcmocka-dev' "$tmp/installed"
rm -f "$tmp/installed"

touch "$tmp/broken"
dev run
check 'an installation that fails says what to do' said 1 'E: no room left' "see whether 'apt-get update' works"
check 'after a second try' sh -c '[ "$(wc -l <"$1")" = 2 ]' sh "$tmp/installed"
check 'no escape sequence anywhere' sh -c '! cat "$@" | grep -q "$(printf "\033")"' sh "$tmp/out" "$tmp/err"
tap_done
