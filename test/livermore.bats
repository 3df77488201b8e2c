#!/usr/bin/env bats
# The Livermore kernels as C: that they compute what they should, and that the driver finds the share
# of the bound. Which share that is, no test decides.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    program=$FORECOST_BUILD/samples/livermore/livermore
    driver=$FORECOST_SOURCE/samples/livermore/livermore.sh
}

# The sums of everything in memory after nine repetitions, computed from the formulas by another
# program in another language.
@test "each kernel leaves what its formula says" {
    count=0
    while read -r kernel n truth; do
        "$program" "$kernel" "$n" 1 | awk -F, -v truth="$truth" -v n="$n" '
            { off = $5 / truth - 1; good = $2 == n && $3 == 1 && $4 > 0 && off < 1e-11 && off > -1e-11 }
            END { exit !good }' || { echo "$kernel"; false; }
        count=$((count + 1))
    done <<'END'
lfk01 1001 1323.662057542
lfk02 1024 1651.395658173
lfk03 1001 813.6188575425
lfk04 1001 1614.2344634
lfk05 1001 836.5098891854
lfk06 64 3277.470140069
lfk07 995 1048.265807279
lfk08 100 762.1715
lfk09 101 2024.388391089
lfk10 101 2054.37039604
lfk11 1001 81033.69245754
lfk12 1000 812.91251
END
    [ "$count" -eq 12 ]
}

@test "sizes from the least on, and nothing else" {
    for kernel in lfk01 lfk02 lfk03 lfk04 lfk05 lfk06 lfk07 lfk08 lfk09 lfk10 lfk11 lfk12; do
        for n in 16 8 4 3 2 1; do
            "$program" "$kernel" "$n" 1 >out || { [ $? -eq 2 ] && [ ! -s out ]; }
        done
        run "$program" "$kernel" 0 1
        [ "$status" -eq 2 ]
    done
    run "$program" lfk13
    [ "$status" -eq 2 ]
    run "$program" lfk01 x
    [ "$status" -eq 2 ]
}

@test "the driver: a row a kernel, a column a build" {
    [ "$(estimator check "$FORECOST_SOURCE/machines/power2-thin.yaml" --format csv | wc -l)" -eq 2 ]
    BUILDS="-O1;-O2" "$driver" "$FORECOST_SOURCE/machines/power2-thin.yaml" lfk03=50000 >out
    cat out
    [ "$(wc -l <out)" -eq 14 ]
    [[ "$(head -1 out)" =~ ^kernel\ +n\ +limit\ +-O1\ +-O2$ ]]
    grep -qE '^lfk03 +50000 +memory +[0-9.]+ +[0-9.]+$' out
    grep -qE '^lfk05 +1001 +dependence +[0-9.]+ +[0-9.]+$' out
    grep -qE '^average +[0-9.]+ +[0-9.]+$' out
    run "$driver"
    [ "$status" -eq 2 ]
}

# The bound of the first repetition is that of the way from memory.
@test "the driver: times of trials on data where the ones before left them stand beside the bound of such" {
    mkdir bin
    printf '#!/bin/sh\n[ "$1" != bound ] || echo "$*" >>"%s/asked"\nexec "%s" "$@"\n' "$PWD" "$(command -v estimator)" >bin/asks
    chmod +x bin/asks
    ESTIMATOR=$PWD/bin/asks ROUNDS=1 BUILDS=-O1 "$driver" --csv "$FORECOST_SOURCE/machines/power2-thin.yaml" >out
    [ "$(wc -l <asked)" -eq 12 ]
    [ "$(grep -cE ' repetitions=[1-9][0-9]*000000 ' asked)" -eq 12 ]
}

@test "the driver: a table that cannot be read is no share of 0" {
    run "$driver" none.yaml
    [ "$status" -eq 2 ]
    [ "$output" = "estimator: none.yaml: cannot be read: No such file or directory" ]
}

@test "the driver: builds of another compiler, and none where there is none" {
    mkdir bin
    printf '#!/bin/sh\necho "$*" >>"%s/asked"\nexec cc "$@"\n' "$PWD" >bin/other
    chmod +x bin/other
    PATH=$PWD/bin:$PATH ROUNDS=1 BUILDS="-O1;other -O2 -DX=1" "$driver" --csv \
        "$FORECOST_SOURCE/machines/power2-thin.yaml" >out
    [ "$(head -1 out)" = "kernel,n,limit,-O1,other -O2 -DX=1" ]
    [ "$(grep -cE '^lfk[01][0-9],[0-9]+,[a-z +-]+,[0-9.]+,[0-9.]+$' out)" -eq 12 ]
    [ "$(wc -l <asked)" -eq 1 ]
    grep -q -- '-O2 -DX=1' asked
}
