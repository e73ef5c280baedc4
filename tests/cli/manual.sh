#!/bin/sh
# Manual pages, completions, `weft doctor`. Arguments: the weft to test, the root of the source tree.
# shellcheck disable=SC2016 # small programs for sh -c stand in single quotes
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"
cd "$tmp" || exit 1
mkdir bin && ln -s "$weft" bin/weft
PATH=$tmp/bin:$PATH

have() {
    command -v "$1" >/dev/null 2>&1
}

# ---- pages
for page in weft:man/weft.1 weft-lesson:man/weft-lesson.5 bash:completions/weft.bash \
    zsh:completions/_weft fish:completions/weft.fish; do
    run manual "${page%%:*}"
    check "assets/${page#*:} is what the tables say (else: ./dev reference)" cmp "$root/assets/${page#*:}" out
done
check_fails 'another page is wrong usage' 'there is no page "x"' "$weft" manual x
check 'weft(1) is printed unless told otherwise' sh -c 'weft manual | cmp - "$1"' sh "$root/assets/man/weft.1"
for word in '\-\-reduced\-motion' 'xoff' 'Ctrl\-L' 'WEFT_DATA_DIR' 'weft sweep TARGET'; do
    check "it has $word" grep -qF -- "$word" "$root/assets/man/weft.1"
done
for page in weft.1 weft-lesson.5; do
    if have groff; then
        check "groff has no complaint about $page" sh -c 'test -z "$(groff -man -Tutf8 -ww "$1" 2>&1 >/dev/null)"' sh "$root/assets/man/$page"
        check "and shows no macro of $page" sh -c '! groff -man -Tutf8 "$1" | grep -E "^ *\.[A-Z]{2} "' sh "$root/assets/man/$page"
    fi
done

# ---- completions: what a person gets for Tab
cat >complete.bash <<'END'
. "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_weft 2>/dev/null
printf '%s\n' "${COMPREPLY[@]}"
END
completes() { # WANTED WORD...: WANTED is among what bash offers for the last word
    wanted=$1
    shift
    bash complete.bash "$root/assets/completions/weft.bash" weft "$@" >offered
    grep -qxF -- "$wanted" offered || { cat offered && false; }
}
never() {
    ! "$@"
}
if have bash; then
    check 'bash: a command' completes validate va
    check 'bash: a lesson' completes one-lost-packet on
    check 'bash: a lesson behind a command' completes one-lost-packet run one
    check 'bash: a flag of the command' completes --fail-if compare x --fa
    check 'bash: a flag of all' completes --reduced-motion list --red
    check 'bash: the words of a flag' completes csv sweep x --format ''
    check 'bash: with =' completes csv run x --format = c
    check 'bash: a switch' completes xoff= run x --set xo
    check 'bash: what a switch can be' completes adaptive run x --set routing = a
    check 'bash: nothing where nobody can know' never completes one-lost-packet run x --set xoff = ''
    check 'bash: a format of weft export' completes pcapng export x --to p
    check 'bash: a theme' completes light export x --theme ''
    check 'bash: a plot begins' completes goodput export x --plot g
    check 'bash: a page' completes weft-lesson manual w
    weft list --format json | sed -n 's/.*"id": "\([^"]*\)".*/\1/p' >ids
    weft lab --list --format json | sed -n 's/.*"id": "\([^"]*\)".*/\1/p' >presets
    weft --help | sed -n 's/^  weft \([a-z]*\) .*/\1/p' >commands
    every() { # FILE WORD...: all lines of FILE are among what bash offers
        wanted=$1
        shift
        bash complete.bash "$root/assets/completions/weft.bash" weft "$@" | sort >offered
        test -s "$wanted" && sort -u "$wanted" | comm -23 - offered | { ! grep .; }
    }
    check 'bash: every command' every commands ''
    check 'bash: every lesson' every ids ''
    check 'bash: every preset of the lab' every presets lab ''
    check 'bash: no flag of another command' never completes --fail-if run x --fa
fi
if have zsh; then
    check 'zsh can read its own' zsh -n "$root/assets/completions/_weft"
    for words in ':FORMAT:(json csv pcapng ' ':WHICH:(dark light contrast okabe-ito mono)' ':PLOT:(queue held ' "'1:page:(weft weft-lesson " "'1:preset:_weft_presets'"; do
        check "zsh: $words" grep -qF -- "$words" "$root/assets/completions/_weft"
    done
fi
if have fish; then
    HOME=$tmp XDG_DATA_HOME=$tmp XDG_CONFIG_HOME=$tmp XDG_CACHE_HOME=$tmp # where it keeps its own
    export HOME XDG_DATA_HOME XDG_CONFIG_HOME XDG_CACHE_HOME
    fish_offers() { # WANTED LINE
        fish -c 'source $argv[1]; complete -C $argv[2]' "$root/assets/completions/weft.fish" "$2" | cut -f 1 | grep -qxF -- "$1"
    }
    check 'fish: a format of weft export' fish_offers pcapng 'weft export x --to '
    check 'fish: a theme' fish_offers light 'weft export x --theme '
    check 'fish: a preset of the lab' fish_offers "$(weft lab --list --format json | sed -n 's/.*"id": "\([^"]*\)".*/\1/p' | head -n 1)" 'weft lab '
    check 'fish: a page' fish_offers weft-lesson 'weft manual '
    check 'fish: a switch' sh -c 'fish -c "source $1; complete -C \"weft run --set xof\"" | grep -q "^xoff="' sh "$root/assets/completions/weft.fish"
    check 'fish: a lesson' sh -c 'fish -c "source $1; complete -C \"weft one\"" | grep -q "^one-lost-packet"' sh "$root/assets/completions/weft.fish"
fi

# ---- keys
mkdir -p "$tmp/keys/weft"
run keys
check 'weft keys lists commands' grep -qE '^next +n Enter +# next card$' "$tmp/out"
cp "$tmp/out" "$tmp/keys/weft/keys"
XDG_CONFIG_HOME=$tmp/keys run keys
check 'what it prints is a file of keys' test "$status" = 0
XDG_CONFIG_HOME=$tmp/keys run doctor
check 'doctor counts them' grep -qE 'keys +[0-9]+ commands with keys of your own' "$tmp/out"
echo 'nxet z' >"$tmp/keys/weft/keys"
XDG_CONFIG_HOME=$tmp/keys run keys --format json
check 'a line that is no good is told, and never fatal' grep -q 'keys:1: .* did you mean `next`' "$tmp/err"
check 'in JSON, too' sh -c 'python3 -m json.tool "$1" >/dev/null' sh "$tmp/out"
XDG_CONFIG_HOME=$tmp/keys run doctor --format json
check 'doctor says so' grep -q 'no command `nxet`' "$tmp/out"

# ---- doctor
run doctor
check 'weft doctor is well here' test "$status" = 0
check 'it names what it looked at' sh -c 'for w in weft course terminal colours characters reads speed; do grep -qE "^(ok|note)  *$w " "$1" || exit 1; done' sh out
check 'no line is wider than 80' sh -c '! grep -E "^.{81}" out'
check 'no escape sequence' sh -c '! grep -q "$(printf "\033")" out'
check 'nor on stderr' test ! -s err
WEFT_DATA_DIR=$tmp run doctor
check 'without its lessons it is not' test "$status" = 1
check 'and says what to do' grep -q 'WEFT_DATA_DIR' out
LC_ALL=C TERM=nonsense run doctor
check 'a terminal nobody knows' grep -q 'no terminfo entry for TERM=nonsense' out
check 'a locale without Unicode' grep -q 'the locale C is not UTF-8: weft draws with ASCII' out
LC_ALL=xx_XX.UTF-8 TERM=dumb run doctor
check 'a locale that is not installed' grep -q 'the locale xx_XX.UTF-8 is not installed' out
check 'a terminal without a screen' grep -q 'TERM=dumb has no screen' out
NO_COLOR=1 TERM=xterm-256color run doctor
check 'NO_COLOR' grep -q 'as NO_COLOR says' out
NO_COLOR="$(printf '\033[31m')" run doctor
check 'what the environment holds is made harmless' sh -c '! grep -q "$(printf "\033")" out'
run doctor --format json
check 'as JSON' python3 -c 'import json,sys; d = json.load(open("out")); assert d["schema"] == 1 and all(f["verdict"] in ("ok", "note", "bad") for f in d["findings"]) and len(d["findings"]) > 6'

tap_done
