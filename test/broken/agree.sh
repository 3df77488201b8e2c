#!/bin/bash
# Whether check and rank say the same of every description of a list: a line each where they do not,
# and how many were refused and accepted. No shell of its own for each, and no trap: there are hundreds.
#   agree.sh TABLE <LIST      a line of LIST: FILE, a tab, what is wrong with it
set -u
table=$1 refused=0 accepted=0 disagreed=0

# run NAME COMMAND...: its status in `status`, what it printed in NAME.out and NAME.err.
run() {
    local name=$1
    shift
    status=0
    timeout 10 estimator "$@" >"$name.out" 2>"$name.err" || status=$?
}

# well_said NAME: what is refused is one line with its place, and nothing is printed.
well_said() {
    local lines
    [ ! -s "$1.out" ] && mapfile -t lines <"$1.err" && [ "${#lines[@]}" -eq 1 ] &&
        [[ ${lines[0]} =~ ^estimator:\ [^\ ]+yaml:[0-9]+:[0-9]+:\  ]]
}

# a_number_each: no nan and no inf in what rank printed.
a_number_each() {
    ! grep -qiE '(^|,)(-?nan|inf)(,|$)' rank.out
}

# agree FILE: both commands about it; adds to refused and accepted.
agree() {
    local check
    run check check "$1" -p 2,4,16
    check=$status
    run rank rank "$table" "$1" -p 2,4,16 --format csv
    [ "$check" -eq "$status" ] || return 1
    case $check in
        2) well_said check && well_said rank && [ "$(<check.err)" = "$(<rank.err)" ] && refused=$((refused + 1)) ;;
        0 | 1) a_number_each && accepted=$((accepted + 1)) ;;
        *) return 1 ;;
    esac
}

while IFS=$'\t' read -r file what; do
    agree "$file" && continue
    disagreed=$((disagreed + 1))
    echo "$file: $what"
    cat check.err rank.err
done
echo "$refused refused, $accepted accepted, $disagreed disagreed"
