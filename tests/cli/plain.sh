#!/bin/sh
# Plain mode with answers that come through a pipe or a file. What somebody types is in tests/e2e/test_plain.c.
# Arguments: the weft to test, the root of the source tree.
# shellcheck disable=SC2016 # small programs for sh -c stand in single quotes
# shellcheck source=tests/cli/weft.sh
. "$(dirname -- "$0")/weft.sh"

export XDG_STATE_HOME="$tmp/state" # nothing is kept of it, and nothing of somebody else's is read
try=$root/tests/e2e/try-it.lua

answers() { # LINES ARGUMENT...: the lines are written through a pipe
    lines=$1
    shift
    # shellcheck disable=SC2059 # they are a format: \n
    printf "$lines" | timeout 100 "$weft" --plain "$@" >"$tmp/out" 2>"$tmp/err"
}

says() { # TEXT: somewhere in what was said
    grep -qF -- "$1" "$tmp/out" || { shows; return 1; }
}

once() { # TEXT: and nowhere else
    [ "$(grep -cF -- "$1" "$tmp/out")" = 1 ] || { shows; return 1; }
}

status=0
check 'a pipe answers, with letters, and where it ends the lesson goes on' answers '1\n1\nb\n3\n' "$try"
check 'the answer is said and judged' says 'You said: a few us, you were sure. So it is.'
check 'with why' says 'The step took'
check 'to the last card' says 'Card 4 of 4.'
check 'it says that it goes on by itself' once 'No more answers: it goes on by itself.'
check 'nothing is kept of a pipe' test ! -e "$tmp/state"

printf '1\n1\nc\n4\nq\n' >"$tmp/lines"
check 'a file answers' sh -c '"$1" --plain "$2" <"$3" >"$4"' sh "$weft" "$try" "$tmp/lines" "$tmp/out"
check 'a wrong answer is said to be one' says 'You said: thousands of us. It is: a few us.'
check 'q leaves' sh -c '! grep -q "Card 3" "$1"' sh "$tmp/out"

run --plain "$try"
check 'nobody is asked where nobody can answer' sh -c '! grep -q "^>\|No more answers" "$1"' sh "$tmp/out"

check 'both questions of a card are answered' answers 'a\nb\nq\n' two-cards
check 'the first' says 'You said: any. It is: one that nothing follows.'
check 'with its reply' says 'Most cost microseconds. Without a later packet nobody sees the gap.'
check 'and the second' says 'Yes. Nobody starts a step before all are done.'

run --plain who-adds-it-up
carries() { tr '\n' ' ' <"$tmp/out" | grep -o 'goodput g8 from [^;]*most [0-9.]* Gb/s' | awk '{ most = $(NF - 1) } END { exit !(most > 9 && most <= 10) }'; }
check 'no more is said to arrive than a cable of 10 Gb/s carries' carries

check 'a GPU is stopped' answers '9\ng3\n2\n3\nq\n' "$try"
check 'what that does is said' says 'It computes nothing and begins no message;'
check 'its state is another one' says 'g3: stopped, round'
check 'GPUs that do the same share a line' says 'g1 and g2: exchanges, round'
check 'the card is not said again' once 'Eight GPUs pass pieces round a ring.'
check 'nor what can be done' once '10 what something was over time'

check 'a task: nothing is left by a number' answers '10\n3\nq\n' "$root/tests/lesson/good/tasks.lua" --card 2
check 'quitting is a letter' says '   q quit'
check 'which is said' says 'A number from 1 to 9, please; q quits.'

check 'a try says what it plots' answers 'move\n1\nq\n' teaching-ethernet-to-wait --card 11
check 'of its own run, and no other' once 'queue sw:2 from 0 to'
check 'before its verdict' sh -c 'sed -n "/^Trying/,/goal is reached/p" "$1" | grep -q "queue sw:2 from 0 to"' sh "$tmp/out"

run --plain --route short "$root/tests/lesson/own"
check 'a route leads from stop to stop' says 'Stop 2 of 2: Own words'
check 'and its cards only' sh -c '[ "$(grep -c "^Card" "$1")" = 2 ]' sh "$tmp/out"
run --plain --route long "$root/tests/lesson/own"
check 'a route that is not there' grep -q 'there is no route "long"; there are: short' "$tmp/err"
printf '2\nq\n' >"$tmp/lines"
check 'it stands in the list' sh -c '"$1" --plain "$2" <"$3" >"$4"' sh "$weft" "$root/tests/lesson/own" "$tmp/lines" "$tmp/out"
check 'below the lessons' says 'Stop 1 of 2: Own words'
check 'the list of lessons is left by q' answers 'q\n'
check 'what a lesson builds on has its title' says '3 Out of the box: 2013, 6 minutes, level 1, builds on "Two cards, one network"'
check 'and nothing is begun' sh -c '! grep -q "Card 1" "$1"' sh "$tmp/out"
tap_done
