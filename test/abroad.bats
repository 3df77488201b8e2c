#!/usr/bin/env bats
# What test/abroad consists of, without the programs of others that it is for.

setup() {
    abroad=$FORECOST_SOURCE/test/abroad
    cd "$BATS_TEST_TMPDIR" || exit 1
}

known() { # MPI's RUN...: known.c's windows, as split.c tells them
    "$@" ./known 2>&1 | sed -n 's/^split: //p'
}

@test "on a simulated machine the window that is asked for is split off, and no other" {
    command -v smpirun >/dev/null || skip "SimGrid's smpirun is not installed (libsimgrid-dev)"
    smpicc -w "$abroad/known.c" "$abroad/split.c" -o known
    SPLIT_WINDOW=2 known "$abroad/simulate.sh" torus 4 >second
    SPLIT_WINDOW=1 known "$abroad/simulate.sh" torus 4 >first
    grep ' 3 calls, 3000 bytes sent$' second
    grep ' 50 calls, 204800 bytes sent$' first
    # computation takes no time there: all is in MPI, but for reading the clock
    awk '{ exit !($4 > 0 && $4 <= $1 && $4 > 0.98 * $1) }' first
    SPLIT_WINDOW=0 known "$abroad/simulate.sh" torus 4 >all
    grep ' 55 calls, 207800 bytes sent$' all
}

@test "every program abroad says all that is asked of it, and its description is right for what it says" {
    box_settings() { echo "x=1 y=2 z=2"; }
    side() { echo 2; }
    for file in "$abroad"/programs/*.sh "$abroad"/held/programs/*.sh; do
        unset kind source main sizes repetitions
        unset -f fits build arguments settings again
        # shellcheck source=/dev/null
        . "$file"
        name=$(basename "$file" .sh)
        [[ -n $kind && $source == */* && -n $sizes && $repetitions -gt 0 ]]
        declare -F fits arguments settings >/dev/null
        declare -F build >/dev/null || [[ $main == *.c ]]
        for size in $sizes; do
            fits "$size" 4 || continue
            # shellcheck disable=SC2046 # settings are words
            estimator check "$(dirname "$file")/../descriptions/$name.yaml" -p 4 $(settings "$size" 4 | sed 's/[^ ]*/-D &/g')
        done
    done
}

@test "rows abroad are summed up: errors, intervals, flags, and the faster of two" {
    cat >rows <<'END'
program,kind,machine,p,size,measured_us,predicted_us,low_us,high_us,flags,ratio
a,stencil,tree-x,4,1,100,105,90,110,,1.05
a,stencil,tree-x,16,1,50,100,90,110,,2.00
a,stencil,torus-x,4,1,200,190,180,195,,0.95
a,stencil,torus-x,16,1,80,200,190,210,extrapolated-n,2.50
b,sparse,tree-x,4,1,10,nan,nan,nan,refused,nan
END
    awk -f "$abroad/summary.awk" rows >summary
    grep -E '^a +stencil +1.5[23] +1.7[23]$' summary
    grep -x '4 rows, 1 not predicted' summary
    grep -x 'median error 52.5 %, within 10 % 2 of 4, within 25 % 2 of 4' summary
    grep -x 'inside low..high 1 of 4, median high/low 1.16' summary
    grep -x 'off by more than half without a flag: 1 of 4' summary
    grep -x 'processor counts: *faster one named 1 of 2, error of the ratio 55 %' summary
    grep -x 'machines: *faster one named 2 of 2, error of the ratio 15 %' summary
}

@test "a platform that there is not is named" {
    run "$abroad/platform.sh" hypercube
    [ "$status" -eq 2 ]
    [[ $output == *"no platform 'hypercube': expected"* ]]
}
