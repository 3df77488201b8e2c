#!/usr/bin/env bats
# What test/validate makes of the rows of several rounds. The rows are made up.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
}

# launch CANDIDATE PREDICTED COMMUNICATION TOTAL [DISTURBED]: two rows, as validate.sh writes them; a
# tenth of what is predicted is communication.
launch() {
    echo "a.yaml,$1,2,N=64 b=4,communication,$(($2 / 10)).00,$3.00,${5:-0}"
    echo "a.yaml,$1,2,N=64 b=4,total,$2.00,$4.00,${5:-0}"
}

summary() {
    awk -f "$FORECOST_SOURCE/test/validate/summary.awk" rounds
}

@test "of several rounds the launch that took least counts, with its own communication" {
    {
        launch rows 1000 30 2000 15
        launch rows 1000 100 1250 2
        launch rows 1000 10 1300 15
    } >rounds
    summary >rows
    grep -Fx 'a.yaml,rows,2,N=64 b=4,total,1000.00,1250.00,0.8000,2,3,1.040' rows
    grep -Fx 'a.yaml,rows,2,N=64 b=4,communication,100.00,100.00,1.0000,2,3,1.040' rows
    grep -q '^total: 1 comparisons, median error 20.0 %, within 20 %: 100 %, worst 20.0 %;' rows
    grep -Fx 'rounds: 3 at most; 0 of 1 totals not within 10 % in the two rounds that took least' rows
}

@test "one round says nothing of how far rounds are apart" {
    launch rows 1000 100 1250 >rounds
    summary >rows
    grep -Fx 'a.yaml,rows,2,N=64 b=4,total,1000.00,1250.00,0.8000,0,1,' rows
    run grep '^rounds' rows
    [ "$status" -eq 1 ]
}

@test "pairs that differ are counted, those ranked wrongly too, in whichever order they come" {
    {
        launch rows 1000 100 1000
        launch columns 900 100 1200
        launch blocks 2000 100 1500
        launch ring 2000 100 1510
    } >rounds
    summary >rows
    # More than 10 % apart are all but blocks and ring; more than 30 %, these two and rows. Columns is
    # wrong against rows alone.
    grep -q '^total: .* more than 10 %: 5, 4 ranked right; by more than 30 %: 2, 2 right; for certain: 2, 2 right$' rows
    tac rounds | sed 'h;N;G;s/^[^\n]*\n\([^\n]*\)\n/\1\n/' >turned
    mv turned rounds
    summary | grep -q '^total: .* more than 10 %: 5, 4 ranked right; by more than 30 %: 2, 2 right; for certain: 2, 2 right$'
}

@test "a pair that differs by what rounds are apart is counted, but not as certain" {
    {
        launch square 300 10 447
        launch rows 310 10 300
        launch square 300 10 600
        launch rows 310 10 301
    } >rounds
    summary >rows
    grep -q '^total: .* by more than 30 %: 1, 0 right; for certain: 0, 0 right$' rows
    grep -Fx 'rounds: 2 at most; 1 of 2 totals not within 10 % in the two rounds that took least' rows
    # A round that took as long confirms that it was wrong, one without disturbance that it was not.
    launch square 300 10 450 >>rounds
    summary | grep -q '^total: .* by more than 30 %: 1, 0 right; for certain: 1, 0 right$'
    launch square 300 10 299 >>rounds
    summary | grep -q '^total: .* by more than 30 %: 0, 0 right; for certain: 0, 0 right$'
}

@test "a launch that was disturbed makes no certain pair" {
    {
        launch square 300 10 447 8
        launch rows 310 10 300 0
    } >rounds
    summary | grep -q '^total: .* by more than 30 %: 1, 0 right; for certain: 0, 0 right$'
    sed -i 's/,8$/,7/' rounds
    summary | grep -q '^total: .* by more than 30 %: 1, 0 right; for certain: 1, 0 right$'
}

@test "candidates are compared among their own: at other parameters or processors they are none" {
    {
        launch rows 1000 100 1000
        launch columns 500 100 2000 | sed 's/N=64/N=128/'
        launch columns 500 100 2000 | sed 's/,2,N/,4,N/'
    } >rounds
    summary | grep -q '^total: 3 comparisons, .* more than 10 %: 0, 0 ranked right; by more than 30 %: 0, 0 right;'
}

# A program in place of the samples: of its launches at 1 processor the first two are disturbed.
pretend() {
    mkdir -p build/estimator build/samples/odd source
    cat >build/estimator/estimator <<'END'
#!/bin/bash
printf 'segment,compute_us,communicate_us,total_us\none,90,10,100\nall,190,10,200\n'
END
    cat >build/samples/odd/odd <<'END'
#!/bin/bash
echo "$@" >>launches
took=$([ "$(grep -c . launches)" -le 1 ] && echo 400 || echo 205)
printf 'segment,candidate,processors,compute_us,communicate_us,total_us,disturbed,check\n'
printf '%s,rows,1,90,15,%s,3,unchecked\n' one 105 all "$took"
END
    printf '#!/bin/bash\nshift 2\n"$@"\n' >mpiexec
    chmod +x build/estimator/estimator build/samples/odd/odd mpiexec
    echo "odd odd.yaml N=8 rows rows:one" >list
    touch table.yaml
}

validate() {
    MPIEXEC=$PWD/mpiexec FORECOST_BUILD=$PWD/build VALIDATE_SAMPLES=$PWD/list VALIDATE_TABLE=table.yaml \
        "$FORECOST_SOURCE/test/validate/validate.sh" mpich 1
}

@test "a launch tells all segments, and what no other launch confirms is launched again" {
    pretend
    VALIDATE_ROUNDS=2 validate >rows
    # Two rounds, 400 and 205 us, and one more, 205 us.
    [ "$(grep -c . launches)" -eq 3 ]
    grep -Fx 'odd.yaml,rows,1,N=8,total,200.00,205.00,0.9756,3,3,1.000' rows
    grep -Fx 'odd.yaml,rows:one,1,N=8,total,100.00,105.00,0.9524,3,2,1.000' rows
}

@test "rounds that are kept count with later ones" {
    pretend
    export VALIDATE_KEEP=$PWD/kept VALIDATE_ROUNDS=1
    validate >rows
    grep -Fx 'odd.yaml,rows,1,N=8,total,200.00,400.00,0.5000,3,1,' rows
    validate >rows
    grep -Fx 'odd.yaml,rows,1,N=8,total,200.00,205.00,0.9756,3,3,1.000' rows
    VALIDATE_ROUNDS=0 validate >later
    cmp rows later
    [ "$(grep -c . launches)" -eq 3 ]
}
