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
    grep ' 3 calls, 3000 bytes sent, ' second
    grep ' 50 calls, 204800 bytes sent, ' first
    grep ' outside, 0.000000000 in turn$' first
    # computation takes no time there: all is in MPI, but for reading the clock
    awk '{ exit !($4 > 0 && $4 <= $1 && $4 > 0.98 * $1) }' first
    SPLIT_WINDOW=0 known "$abroad/simulate.sh" torus 4 >all
    grep ' 55 calls, 207800 bytes sent, ' all
    # a part a message: of each what the one took that was in MPI the shorter
    SPLIT_REPETITIONS=50 known "$abroad/simulate.sh" torus 4 >parts
    awk '{ exit !($14 > 0 && $14 <= $4) }' parts
}

@test "every program abroad says all that is asked of it, and its description is right for what it says" {
    box_settings() { echo "x=1 y=2 z=2"; }
    side() { echo 2; }
    for file in "$abroad"/programs/*.sh "$abroad"/held/programs/*.sh; do
        unset kind source sizes repetitions
        unset -f fits arguments settings again
        # shellcheck source=/dev/null
        . "$file"
        name=$(basename "$file" .sh)
        [[ -n $kind && $source == */* && -n $sizes && $repetitions -gt 0 ]]
        declare -F fits arguments settings >/dev/null
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

@test "rows of this machine are summed up by what they are of, and the faster processor count" {
    cat >rows <<'END'
program,kind,what,p,size,measured_us,predicted_us,low_us,high_us,flags,ratio,spread,waits_us
a,stencil,total,1,9,100,110,90,120,,1.1,1,0
a,stencil,total,2,9,50,70,40,60,,1.4,1,0
b,sparse,total,1,9,10,20,15,25,,2,1,0
b,sparse,total,2,9,12,10,8,11,,0.83,1,0
b,sparse,communication,2,9,4,2,1,5,,0.5,1,0
c,sort,communication,2,9,4,nan,nan,nan,refused,nan,1,0
END
    awk -f "$abroad/real.awk" rows >summary
    grep -x 'communication: 1 rows, median error 50.0 %, within 25 % 0 of 1, inside low..high 1 of 1' summary
    grep -x 'total: 4 rows, median error 28.3 %, within 25 % 2 of 4, inside low..high 2 of 4' summary
    grep -x 'faster of one and two processors named 1 of 2; 1 rows not predicted' summary
}

@test "a platform that there is not is named" {
    run "$abroad/platform.sh" hypercube
    [ "$status" -eq 2 ]
    [[ $output == *"no platform 'hypercube': expected"* ]]
}
