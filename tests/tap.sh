# shellcheck shell=sh
# TAP for checks written in sh. Source it, call `check NAME COMMAND...` and end with `tap_done`.
# Nobody's own lessons are looked at.
export XDG_DATA_HOME=/dev/null/nobody XDG_DATA_DIRS=/dev/null/nobody
tap_count=0
tap_bad=0

tap() { # ok|not-ok NAME
    tap_count=$((tap_count + 1))
    if [ "$1" = ok ]; then
        printf 'ok %s - %s\n' "$tap_count" "$2"
    else
        tap_bad=$((tap_bad + 1))
        printf 'not ok %s - %s\n' "$tap_count" "$2"
    fi
}

# Runs a command; what it prints follows as comments when it fails.
check() { # NAME COMMAND...
    tap_name=$1
    shift
    if tap_said=$("$@" 2>&1); then
        tap ok "$tap_name"
    else
        tap not-ok "$tap_name"
        printf '%s\n' "$tap_said" | sed 's/^/# /'
    fi
}

# The opposite: a check that must complain, and say so.
check_fails() { # NAME TEXT COMMAND...
    tap_name=$1
    tap_text=$2
    shift 2
    if tap_said=$("$@" 2>&1); then
        tap not-ok "$tap_name"
        printf '# it did not complain\n'
    elif printf '%s' "$tap_said" | grep -qF -- "$tap_text"; then
        tap ok "$tap_name"
    else
        tap not-ok "$tap_name"
        printf '%s\n' "$tap_said" | sed 's/^/# /'
    fi
}

tap_done() {
    printf '1..%s\n' "$tap_count"
    [ "$tap_bad" = 0 ]
}
