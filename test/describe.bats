#!/usr/bin/env bats
# Descriptions from C source. They need libclang; without it they are skipped.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    source=$FORECOST_SOURCE
    describer=$FORECOST_BUILD/describer/describer
    [ -x "$describer" ] || skip "no libclang (libclang-19-dev)"
}

@test "help" {
    "$describer" --help | grep -q -- '--side FILE'
}
