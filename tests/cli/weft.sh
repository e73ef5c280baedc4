# shellcheck shell=sh
# What the scripts beside this one begin with. Arguments, theirs: the weft to test, the root of the source
# tree. Gives $weft, $root, $here (this folder), $tmp (gone at the end), TAP (../tap.sh), and `run`.
set -u
weft=$(realpath "$1") || exit 1
root=$2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck source=tests/tap.sh
. "$here/../tap.sh"

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
export WEFT_DATA_DIR="$root"
unset ACCESSIBLE NO_COLOR CLICOLOR_FORCE

# Runs weft with nothing on stdin; leaves its streams in $tmp/out and $tmp/err.
run() { # ARGUMENT...
    status=0
    timeout "${longest:-100}" "$weft" "$@" </dev/null >"$tmp/out" 2>"$tmp/err" || status=$?
}

# What the last run did, for a check that failed.
shows() {
    echo "status $status"
    sed 's/^/out: /' "$tmp/out" | cut -c 1-200 | head -n 20
    sed 's/^/err: /' "$tmp/err" | head -n 20
}
