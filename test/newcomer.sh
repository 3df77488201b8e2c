#!/bin/bash
# What a newcomer does: in a clean clone the two commands of the README, those of its tour and those of
# doc/tutorial.md, as they are printed there. Prints the wall time of each, and ends with status 1 at the first
# that fails.
#
#     newcomer.sh [--no-check | --page | --library] [REPOSITORY]        default: the one that this file is in
#
# Only what is committed is cloned. The second command runs all tests; --no-check leaves it out, --page the tour, too:
# what is left ends with the tutorial's page. --library installs into a home and, with the clone gone, runs the commands
# of doc/library.md alone. `newcomer-root.sh` does it in a bare Debian.
set -u
with=check
case ${1:-} in --no-check | --page | --library) with=${1#--} && shift ;; esac
repository=${1:-$(dirname "$0")/..}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
begun=$EPOCHREALTIME
count=0
git clone -q "$repository" "$work/clone" && cd "$work/clone" || exit 2

# section TITLE: the indented lines of that section of the README.
section() {
    awk -v title="## $1" '/^## / { within = $0 == title } within && sub(/^    /, "")' README.md
}

# commands: one a line. What a tour shows of results is indented, too, and begins with no program.
commands() {
    section 'Two commands' | if [ "$with" = check ]; then cat; else head -n 1; fi
    [ "$with" = page ] || section 'A tour' | grep -E '^(mpiexec|estimator/|trainer/|\.?/|make|\.ci/)'
}

# elapsed SINCE: in s.
elapsed() {
    awk -v from="$1" -v upto="$EPOCHREALTIME" 'BEGIN { printf "%8.1f s", upto - from }'
}

# follow COMMAND: runs it and prints how long it took.
follow() {
    local from=$EPOCHREALTIME status
    bash -c "$1" >"$work/log" 2>&1 </dev/null
    status=$?
    echo "$(elapsed "$from")  $1"
    count=$((count + 1))
    [ "$status" -eq 0 ] && return
    grep -E '^(FAIL|ERROR): ' "$work/log"
    tail -n 40 "$work/log"
    echo "failed with status $status: $1"
    return 1
}

# follow_tutorial: its files are written and its commands run in the order in which they stand, with the built programs.
follow_tutorial() {
    local line file='' clone=$PWD
    PATH=$PATH:$clone/estimator
    export table=$clone/machines/sp2-mpl.yaml
    mkdir "$work/tutorial" && cd "$work/tutorial" || return 1
    while IFS= read -r line <&3; do
        case $line in
        '```c') file=heat.c ;;
        '```forecost') file=heat.forecost ;;
        '```'*) file= ;;
        '$ table='*) ;;
        '$ '*) follow "${line#\$ }" || return 1 ;;
        *) [ -z "$file" ] || printf '%s\n' "$line" >>"$file" ;;
        esac
    done 3<"$clone/doc/tutorial.md"
    [ -s heat.html ] || { echo "doc/tutorial.md: expected commands that write heat.html"; return 1; }
}

# follow_library: what is installed is all that there is.
follow_library() {
    export HOME=$work/home
    mkdir "$HOME" "$work/user"
    # shellcheck disable=SC2016 # as the page has it
    follow '.ci/setup && autoreconf -i && ./configure --prefix=$HOME && make -j2 && make install' || return 1
    awk '/^```/ { within = !within; next } within' doc/library.md >"$work/library.sh"
    cd "$work/user" && rm -rf "$work/clone" && follow "cat ../library.sh && sh -e ../library.sh" && cat "$work/log"
}

if [ "$with" = library ]; then
    follow_library
    exit
fi
commands >"$work/commands"
[ "$(section 'Two commands' | wc -l)" -eq 2 ] || { echo "README.md: expected two commands under 'Two commands'"; exit 1; }
[ "$(section 'A tour' | wc -l)" -ge 5 ] || { echo "README.md: expected at least five commands under 'A tour'"; exit 1; }
while IFS= read -r command <&3; do
    follow "$command" || exit 1
done 3<"$work/commands"
follow_tutorial || exit 1
echo "$(elapsed "$begun")  $count commands, all done"
