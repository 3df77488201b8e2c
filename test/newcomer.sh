#!/bin/bash
# What a newcomer does: in a clean clone the two commands of the README and then those of its tour,
# as they are printed there. Prints the wall time of each, and ends with status 1 at the first that fails.
#
#     newcomer.sh [--no-check] [REPOSITORY]        default: the one that this file is in
#
# Only what is committed is cloned. The second command runs all tests; --no-check builds for it, and
# leaves them out.
set -u
check=true
[ "${1:-}" != --no-check ] || { check=false && shift; }
repository=${1:-$(dirname "$0")/..}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
git clone -q "$repository" "$work/clone" && cd "$work/clone" || exit 2

# section TITLE: the indented lines of that section of the README.
section() {
    awk -v title="## $1" '/^## / { within = $0 == title } within && sub(/^    /, "")' README.md
}

# commands: one a line. What a tour shows of results is indented, too, and begins with no program.
commands() {
    section 'Two commands'
    section 'A tour' | grep -E '^(mpiexec|estimator/|trainer/|\.?/|make|\.ci/)'
}

# follow COMMAND: runs it and prints how long it took.
follow() {
    local begun=$EPOCHREALTIME status
    bash -c "$1" >"$work/log" 2>&1 </dev/null
    status=$?
    awk -v from="$begun" -v upto="$EPOCHREALTIME" -v command="$1" 'BEGIN { printf "%8.1f s  %s\n", upto - from, command }'
    [ "$status" -eq 0 ] && return
    tail -n 40 "$work/log"
    echo "failed with status $status: $1"
    return 1
}

commands >"$work/commands"
$check || sed -i 's/ && make check$//' "$work/commands"
[ "$(section 'Two commands' | wc -l)" -eq 2 ] || { echo "README.md: expected two commands under 'Two commands'"; exit 1; }
[ "$(wc -l <"$work/commands")" -ge 7 ] || { echo "README.md: expected at least five commands under 'A tour'"; exit 1; }
while IFS= read -r command <&3; do
    follow "$command" || exit 1
done 3<"$work/commands"
echo "$(wc -l <"$work/commands") commands, all done"
