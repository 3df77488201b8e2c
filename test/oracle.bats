#!/usr/bin/env bats
# The oracle of the C reader: random C programs are run, and what they did is compared with what the reader says of them
# (test/oracle/oracle.py).

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    [ -x "$FORECOST_BUILD/describer/describer" ] || skip "no libclang (libclang-19-dev)"
    python3 -c 'import yaml' 2>/dev/null || skip "no python3-yaml"
}

# oracle ARGUMENT...: what it prints.
oracle() {
    python3 "$FORECOST_SOURCE/test/oracle/oracle.py" "$@"
}

estimator_path() {
    command -v estimator
}

@test "each construct is in a twentieth of the random programs at least, three or more are in half of them" {
    oracle --constructs --count 1000
}

@test "mistakes that are made in descriptions of random programs are noticed" {
    oracle "$(estimator_path)" --spoil --count 40
}

@test "of 200 random programs none is answered wrongly, and at most half of a construct is refused" {
    oracle "$(estimator_path)" --count 200 --wrong-most 0 --refused-most 0.50
}
