#!/usr/bin/env bats
# The same seed on the simulated bed gives the same table and the same points, byte for byte, wherever
# and under whatever settings: noise included, which has a seed of its own there.

setup() {
    [ -z "${FORECOST_NO_BED:-}" ] || skip "FORECOST_NO_BED is set"
    command -v smpirun >/dev/null || skip "SimGrid's smpirun is not installed (libsimgrid-dev)"
    [ -x "$FORECOST_BUILD/trainer/trainer-smpi" ] || skip "trainer-smpi was not built"
    [ -f "$FORECOST_BUILD/test/bed/libbed.so" ] || skip "the bed's platform was not built"
    first=$BATS_FILE_TMPDIR/first
    [ -e "$first/same.yaml" ] || { mkdir -p "$first" && cd "$first" && train; }
    cd "$BATS_TEST_TMPDIR" || exit 1
}

# The calibration of all tests, in the current folder.
train() {
    BED_NOISE_US=0.1 BED_SPIKE=0.01:500 BED_SEED=7 timeout 200 "$FORECOST_SOURCE/test/bed/bed.sh" 3 \
        0:5:200 1025:8:500 16385:30:950 -- --suite exchange,broadcast,overlap --seed 3 --max-bytes 64k --processors 2,3 -o same.yaml
}

is_same() {
    cmp same.yaml "$first/same.yaml"
    cmp same.points.csv "$first/same.points.csv"
}

# Makes a locale with a decimal comma and points to it.
comma() {
    localedef -i de_DE -f UTF-8 "$BATS_TEST_TMPDIR/de_DE.UTF-8" 2>/dev/null || [ -e de_DE.UTF-8/LC_NUMERIC ] ||
        skip "no locale with a decimal comma can be made (Debian's locales)"
    export LOCPATH=$BATS_TEST_TMPDIR LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8
    [ "$(locale decimal_point)" = , ]
}

@test "the table has something to differ in: numbers with fractions, several regions" {
    [ "$(grep -cE 't0_us: [0-9]+\.[0-9]{3}' "$first/same.yaml")" -ge 4 ]
    [ "$(wc -l <"$first/same.points.csv")" -gt 200 ]
}

@test "another seed, of the sizes or of the noise, is another table: the comparison can fail" {
    BED_NOISE_US=0.1 BED_SPIKE=0.01:500 BED_SEED=8 timeout 200 "$FORECOST_SOURCE/test/bed/bed.sh" 3 \
        0:5:200 1025:8:500 16385:30:950 -- --suite exchange --seed 3 --max-bytes 64k --processors 2,3 -o same.yaml
    run cmp -s same.points.csv "$first/same.points.csv"
    [ "$status" -eq 1 ]
}

@test "the same where numbers have a decimal comma" {
    comma
    train
    is_same
}

@test "the same in another time zone" {
    TZ=EAST-13:45 train
    is_same
}

@test "the same in another folder, with a long name and a blank" {
    mkdir -p "$(printf 'f%.0s' {1..200})/a b"
    cd f*/"a b"
    train
    is_same
}

@test "the same on one core and on all" {
    taskset -c "$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')" true || skip "no taskset (util-linux)"
    # the lowest core that may be used
    core=$(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')
    taskset -c "$core" bash -c "$(declare -f train); train"
    is_same
}
