#!/usr/bin/env bats
# What the documents say is so.

setup() {
    # shellcheck source=/dev/null
    source "$FORECOST_SOURCE/test/keys.bash"
    cd "$BATS_TEST_TMPDIR" || exit 1
    reference=$FORECOST_SOURCE/doc/machine-table.md
}

@test "every example of the table reference is a table" {
    awk '/^```yaml$/ { name = sprintf("example%02d.yaml", ++count); writing = 1; next }
         /^```$/     { writing = 0 }
         writing     { if (!begun[name]++ && $0 !~ /^forecost:/)
                           print "forecost: 3\nmachine: {name: example}" >name
                       print >name }' "$reference"
    [ "$(find . -name 'example*.yaml' | wc -l)" -ge 7 ]
    estimator check example*.yaml
}

@test "every key of a table is in the reference" {
    keys=$(machine_keys)
    [ "$(wc -l <<<"$keys")" -ge 40 ]
    for key in $keys; do
        grep -q "\`$key\`" "$reference" || { echo "not documented: $key"; false; }
    done
}

# table_keys DOCUMENT: what its tables of keys and columns have rows of.
table_keys() {
    awk -F'|' '!/^\|/ { is_keys = 0 } /^\| (key|column) / { is_keys = 1; next } is_keys { print $2 }' "$1" |
        tr '`' '\n' | grep -xE '[a-z][a-z0-9_-]*' | sort -u
}

@test "the references have rows of no key that is not read" {
    [ "$(table_keys "$reference" | wc -l)" -ge 80 ]
    run comm -23 <(table_keys "$reference") <(machine_keys)
    [ -z "$output" ]
    segments=$FORECOST_SOURCE/doc/segment-description.md
    [ "$(table_keys "$segments" | wc -l)" -ge 30 ]
    run comm -23 <(table_keys "$segments") <(segment_keys)
    [ -z "$output" ]
}

@test "the functions of p and the kinds of distributions are in their references" {
    for name in $(terms | tr -d ,); do grep -qF "\`$name\`" "$reference"; done
    for name in $(distribution_kinds | tr -d ,); do
        grep -qF "| \`$name\` |" "$FORECOST_SOURCE/doc/segment-description.md"
    done
}

@test "every example of the segment description can be predicted" {
    awk '/^```yaml$/ { name = sprintf("segment%02d.yaml", ++count); writing = 1; next }
         /^```$/     { writing = 0 }
         writing     { print >name }' "$FORECOST_SOURCE/doc/segment-description.md"
    [ "$(find . -name 'segment*.yaml' | wc -l)" -ge 5 ]
    estimator check segment*.yaml
    for file in segment*.yaml; do
        timeout 20 estimator rank "$FORECOST_SOURCE/machines/sp2-mpl.yaml" "$file" -p 16 2>err
        [ ! -s err ] || { cat err; false; }
    done
}

@test "every key of a segment description is in its reference" {
    keys=$(segment_keys)
    [ "$(wc -l <<<"$keys")" -ge 30 ]
    for key in $keys; do
        grep -q "\`$key\`" "$FORECOST_SOURCE/doc/segment-description.md" || { echo "not documented: $key"; false; }
    done
}

# clone_of COMMAND: a repository whose README has two commands and a tour of five, the fourth of which
# is COMMAND.
clone_of() {
    mkdir repository && git -C repository init -q
    printf '#!/bin/sh\nexit 3\n' >repository/fails.sh
    chmod +x repository/fails.sh
    printf '%s\n' '## Two commands' '' '    touch built' '' '    test -e built' '' '## A tour' '' \
        '    ./fails.sh || true' '    make -v' '    make --version' "    $1" '    make -v' '' \
        '    rank  candidate  of results' '' '## The rest' '' '    ./fails.sh' >repository/README.md
    mkdir repository/doc
    # shellcheck disable=SC2016 # a tutorial's fences
    printf '%s\n' '```c' 'int i;' '```' '```console' '$ table=elsewhere' '$ test "$table" && cat heat.c >heat.html' \
        '```' '```forecost' 'candidate a' '```' '```console' '$ grep -qx "candidate a" heat.forecost' '```' \
        >repository/doc/tutorial.md
    git -C repository add . && git -C repository -c user.name=test -c user.email=test commit -qm test
}

@test "the commands of a README are run in a clean clone, and one that fails is named" {
    command -v git >/dev/null || skip "git is not installed"
    clone_of 'make -v >/dev/null'
    touch repository/built # not committed: the clone does not have it
    run "$FORECOST_SOURCE/test/newcomer.sh" repository
    [ "$status" -eq 0 ]
    [ "${#lines[@]}" -eq 10 ]
    [[ ${lines[0]} =~ ^\ +[0-9]+\.[0-9]\ s\ \ touch\ built$ ]]
    [[ ${lines[8]} == *'  grep -qx "candidate a" heat.forecost' ]] # the tutorial, with the files that it shows
    [[ ${lines[9]} == *"  9 commands, all done" ]]
    run "$FORECOST_SOURCE/test/newcomer.sh" --page repository
    [ "$status" -eq 0 ]
    [[ ${lines[3]} == *"  3 commands, all done" ]]
    rm -rf repository
    clone_of './fails.sh'
    run "$FORECOST_SOURCE/test/newcomer.sh" repository
    [ "$status" -eq 1 ]
    [ "${lines[-1]}" = "failed with status 3: ./fails.sh" ]
    [ "${#lines[@]}" -eq 7 ]
    rm -rf repository
    clone_of 'make -v'
    sed -i '/heat.html/d' repository/doc/tutorial.md
    git -C repository -c user.name=test -c user.email=test commit -qam 'no page'
    run "$FORECOST_SOURCE/test/newcomer.sh" --page repository
    [ "$status" -eq 1 ]
    [[ ${lines[-1]} == *"expected commands that write heat.html" ]]
}
