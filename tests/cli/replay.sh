#!/bin/sh
# Runs that are kept: as files, as tokens, opened again; what is damaged is refused.
# Arguments: the weft to test, the root of the source tree.
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"

is() { # STATUS
    [ "$status" = "$1" ] || { shows; return 1; }
}
quiet() { # status 0, nothing on stderr
    is 0 && { [ ! -s "$tmp/err" ] || { shows; return 1; }; }
}
says() { # STATUS TEXT: on stderr, in one line
    is "$1" && { grep -qF -- "$2" "$tmp/err" || { shows; return 1; }; }
}
same() { # FILE FILE
    cmp "$1" "$2" || { shows; return 1; }
}

# ---- a lesson's path, saved and run again ----
run run one-lost-packet --format json --save "$tmp/path.weft"
check 'a lesson is saved, and reported all the same' quiet
cp "$tmp/out" "$tmp/path.json"
run run "$tmp/path.weft" --format json
check 'the saved run runs' quiet
check 'its report is the same, to the byte' same "$tmp/path.json" "$tmp/out"
run run "$tmp/path.weft" --save "$tmp/again.weft"
check 'saved again, it is the same file' same "$tmp/path.weft" "$tmp/again.weft"
check 'the file holds the fabric, not its name' grep -q '^link g1 leaf1 rate 100Gbps' "$tmp/path.weft"
cp "$tmp/path.weft" "$tmp/stranger.weft"
(cd / && WEFT_DATA_DIR="$tmp" run run "$tmp/stranger.weft" --format json
    sed 1d "$tmp/err" >"$tmp/err2" && cp "$tmp/out" "$tmp/stranger.json")
check 'it needs no lesson' same "$tmp/path.json" "$tmp/stranger.json"

run open "$tmp/path.weft"
check 'without a terminal it is told in sentences' grep -q '^A saved run of one-lost-packet' "$tmp/out"
check 'and judged at its end' test "$(tail -n 1 "$tmp/out")" = 'It is the run that was saved.'
cp "$tmp/out" "$tmp/told"
run "$tmp/path.weft"
check 'open may be left out' same "$tmp/told" "$tmp/out"

# ---- a scenario with deeds and another seed ----
run run "$here/tiny.lua" --bare --seed 9 --set xoff=30KB --do '5us hold g1 on' \
    --do '9us hold g1 off' --format json --save "$tmp/deeds.weft"
check 'deeds are saved' quiet
cp "$tmp/out" "$tmp/deeds.json"
check 'as --do takes them, with exact times' grep -q '^learner 5000000ps hold g1 on$' "$tmp/deeds.weft"
run run "$tmp/deeds.weft" --format json
check 'and done again' same "$tmp/deeds.json" "$tmp/out"
run run "$tmp/deeds.weft" --set xoff=40KB
check 'a saved run takes other switches' quiet
run run "$tmp/deeds.weft" --until 1us
check 'and another end' quiet
run run "$tmp/deeds.weft" --bare
check '--bare is for lessons' says 2 '--bare goes with a lesson'

# ---- when it comes out differently ----
sed 's/trace ................/trace 0123456789abcdef/; s/^weft .*/weft 9.9.9/' "$tmp/deeds.weft" \
    >"$tmp/other.weft"
run run "$tmp/other.weft" --format json
check 'a result of another version is named' says 1 'weft 9.9.9 wrote "done" at'
check 'and usable' same "$tmp/deeds.json" "$tmp/out"
sed '/^result/d' "$tmp/deeds.weft" >"$tmp/free.weft"
run run "$tmp/free.weft" --format json
check 'without a result nothing is expected' quiet
check 'and all is as before' same "$tmp/deeds.json" "$tmp/out"

# ---- where nothing may be written ----
run run one-lost-packet --save "$tmp/path.weft"
check 'a file that exists is kept' says 1 'the file exists; --force replaces it'
run run one-lost-packet --save "$tmp/path.weft" --force
check '--force replaces it' quiet
run run one-lost-packet --save "$tmp/twice.weft" --out "$tmp/twice.weft"
check 'one file cannot be two' says 2 'the same file'
(
    ulimit -f 1
    run run one-lost-packet --save "$tmp/limit.weft" --token
    exit "$status"
)
status=$?
check 'a limit on the size of files is an error' says 1 'cannot write: File too large'
check 'and nothing stays behind' sh -c "! ls $tmp | grep -q limit"
run run one-lost-packet --save "$tmp/none/path.weft"
check 'a folder that is not there' says 1 'no file can be written there'
check 'is an error before the run' test ! -s "$tmp/out"
ln -s nowhere.weft "$tmp/link.weft"
run run one-lost-packet --save "$tmp/link.weft"
check 'a link to nowhere' says 1 'leads nowhere'
ln -s path.weft "$tmp/good.weft"
run run one-lost-packet --save "$tmp/good.weft" --force
check 'a link is followed' test -L "$tmp/good.weft"
check 'and leaves nothing else behind' sh -c "! ls $tmp | grep -q 'weft\\.......'"

# ---- damaged files ----
sed 's/rate 100Gbps/rate 100/' "$tmp/path.weft" >"$tmp/bad.weft"
run run "$tmp/bad.weft"
check 'a damaged line is named, and how it looks' says 1 "$tmp/bad.weft:20: rate:"
check 'in one line' test "$(wc -l <"$tmp/err")" = 1
head -n 30 "$tmp/path.weft" >"$tmp/cut.weft"
run run "$tmp/cut.weft"
check 'half a file' says 1 'the file is cut off'
head -c 100000 /dev/zero >"$tmp/zero.weft"
run run "$tmp/zero.weft"
check 'no text' says 1 "$tmp/zero.weft:1: "
mkfifo "$tmp/pipe.weft"
run run "$tmp/pipe.weft"
check 'a pipe' says 1 'not a regular file'
run run "$tmp/absent.weft"
check 'an absent file' says 1 "$tmp/absent.weft: cannot open"

# ---- tokens ----
run run one-lost-packet --set xoff=50KB --format json
cp "$tmp/out" "$tmp/xoff.json"
run run one-lost-packet --set xoff=50KB --token
check 'a token is one line' test "$(wc -l <"$tmp/out")" = 1
token=$(cat "$tmp/out")
run run "$token" --format json
check 'a token runs' quiet
check 'and is the same run' same "$tmp/xoff.json" "$tmp/out"
run open "$token"
check 'it can be opened' test "$(tail -n 1 "$tmp/out")" = 'It is the run that was saved.'
run run "$token" --token
check 'its token is itself' test "$token" = "$(cat "$tmp/out")"
run run "$(echo "$token" | sed 's/xoff/xonn/')"
check 'a slip is noticed' says 1 'the token is damaged'
run run "$here/tiny.lua" --token
check 'only lessons of the course have tokens' says 2 '--save FILE.weft'
tap_done
