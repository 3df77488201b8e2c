#!/usr/bin/env bats
# Several launches: whatever ends them, no process is left, and no table or point is lost.
# shellcheck disable=SC2016,SC2119,SC2120,SC2154 # what launchers do is expanded in them

bats_require_minimum_version 1.5.0 # run --separate-stderr

source "$FORECOST_SOURCE/test/waits.bash"

setup() {
    [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "the trainer was not built (--without-mpi)"
    export ASAN_OPTIONS=detect_leaks=0 # MPICH leaks at exit
    cd "$BATS_TEST_TMPDIR" || exit 1
}

teardown() {
    pkill -KILL -f -- "$BATS_TEST_TMPDIR/" || true
}

# A launcher that measures nothing; what it does in a launch stands in the file do-1, do-2, ...
make_launcher() {
    cat >launcher <<'END'
#!/bin/bash
while [ $# -gt 0 ]; do
    case $1 in -o) out=$2 ;; esac
    shift
done
out=${out##*/}
number=${out##*launch-} number=${number%%.*}
echo "$out" >>launched
write_points() { # write_points FILE
    awk -v launch="$number" 'BEGIN {
        print "utility,processors,bytes,repetitions,minimum_us,median_us,mean_us,standard_deviation_us,maximum_us,half_width_us,rejected,attempt,launch,held_out"
        for (n = 0; n < 5; n++)
            printf "exchange,2,%d,100,1,%g,1,0,1,0,0,1,1,1\n", 100 * n, launch * (10 + n)
    }' >"$1"
}
write() {
    printf '%s\n' 'forecost: 1' 'machine: {name: x, processors: 2, measured: {duration_s: 1}}' 'communication:' \
        "  - {utility: exchange, bytes: [0, 400], processors: [2, 2], regions: [{t0_us: $((10 * number)), rinf_mb_per_s: 100}]}" >"$out"
    write_points "${out%.yaml}.points.csv"
}
if [ -e "do-$number" ]; then . "./do-$number"; else write; fi
END
    chmod +x launcher
    export MPIEXEC=$BATS_TEST_TMPDIR/launcher
}

# launch ARGUMENT...: three of them.
launch() {
    timeout 60 "$FORECOST_BUILD/trainer/trainer" --launches 3 -o "$BATS_TEST_TMPDIR/it.yaml" "$@"
}

# The same beside the test; $trainer is its process number. begun NAME waits for a file.
begin() {
    "$FORECOST_BUILD/trainer/trainer" --launches 3 -o "$BATS_TEST_TMPDIR/it.yaml" "$@" >out 2>err 3>&- &
    trainer=$!
}

begun() {
    until [ -s "$1" ]; do
        kill -0 "$trainer"
        sleep 0.05
    done
}

ended_with() { # ended_with STATUS
    local status=0
    wait "$trainer" || status=$?
    [ "$status" -eq "$1" ] || { echo "status $status"; cat err; return 1; }
}

nobody_works() {
    ! pgrep -f -- "$BATS_TEST_TMPDIR/" >/dev/null
}

# The first launch has measured some.
has_points() {
    [ "$(cat it.launch-1.*points.csv 2>/dev/null | wc -l)" -gt 20 ]
}

# Nothing that works in this folder is left.
gone() {
    eventually nobody_works && return
    pgrep -af -- "$BATS_TEST_TMPDIR/"
    return 1
}

make_old() {
    printf '%s\n' 'forecost: 1' 'machine: {name: old, processors: 2, measured: {duration_s: 1}}' 'communication:' \
        "  - {utility: exchange, bytes: [0, 400], processors: [2, 2], regions: [{t0_us: 7, rinf_mb_per_s: 100}]}" | tee it.yaml >old.yaml
    echo "utility,processors,bytes,of before" | tee it.points.csv >old.csv
}

old_is_there() {
    cmp it.yaml old.yaml
    cmp it.points.csv old.csv
}

points_of() { # points_of LAUNCH: how many of the merged ones
    awk -F, -v launch="$1" '$13 == launch' it.points.csv | wc -l
}

@test "a signal during the first launch: ranks end in order, the old table stays, 128 + the signal" {
    command -v mpiexec >/dev/null || skip "mpiexec is not installed (mpich)"
    [[ ${MPIEXEC:-mpiexec} != *smpirun* ]] || skip "configured for the simulated bed"
    [ "$(nproc)" -ge 2 ] || skip "fewer than 2 cores"
    local number
    for number in 1 2 15; do
        rm -f it.*
        make_old
        begin --no-progress --suite patterns,express --budget 1000
        eventually has_points
        kill -"$number" "$trainer"
        ended_with $((128 + number))
        gone
        grep -q 'trainer: launch 1 of 3: a signal cut it off; none is whole, and .*it.yaml is as it was' err
        old_is_there
        grep -q 'because: a signal ended the calibration' it.launch-1.yaml
    done
}

@test "the one that launches is killed: no rank goes on" {
    command -v mpiexec >/dev/null || skip "mpiexec is not installed (mpich)"
    [[ ${MPIEXEC:-mpiexec} != *smpirun* ]] || skip "configured for the simulated bed"
    [ "$(nproc)" -ge 2 ] || skip "fewer than 2 cores"
    [ "$(uname)" = Linux ] || skip "promised on Linux alone"
    begin --no-progress --suite patterns,express --budget 1000
    eventually has_points
    kill -KILL "$trainer"
    wait "$trainer" || true
    gone
}

@test "a signal during the third launch: the table of the two whole ones" {
    make_launcher
    echo 'trap "exit 143" TERM; echo >here; while :; do sleep 0.1; done' >do-3
    make_old
    begin
    begun here
    kill -TERM "$trainer"
    ended_with 143
    gone
    grep -q 'trainer: launch 3 of 3: a signal cut it off; 2 of 3 launches are in .*it.yaml' err
    [ "$(points_of 1) $(points_of 2) $(points_of 3)" = "5 5 0" ]
    estimator check it.yaml
    grep -q 'launches_p95' it.yaml
}

@test "a table that a signal cut off is not merged, whatever its launch's status" {
    make_launcher
    echo 'write; echo "not_measured: [{what: exchange, because: a signal ended the calibration}]" >>"$out"' >do-2
    run launch
    [ "$status" -eq 2 ]
    [[ "$output" == *"trainer: launch 2 of 3: a signal cut it off; 1 of 3 launches are in "*"it.yaml" ]]
    [ "$(points_of 1) $(points_of 2)" = "5 0" ]
    [ "$(wc -l <launched)" -eq 2 ]
}

@test "who does not end when asked is killed after the patience, and whatever it left too" {
    make_launcher
    [ "$(uname)" = Linux ] || skip "promised on Linux alone"
    cat >do-2 <<'END'
trap '' TERM
setsid bash -c 'trap "" TERM; echo >"$0/deaf"; while :; do sleep 0.1; done' "$PWD/" &
while :; do sleep 0.1; done
END
    begin --patience 1
    begun deaf
    kill -TERM "$trainer"
    ended_with 143
    gone
    [ "$(points_of 1)" -eq 5 ]
}

@test "a launch that fails: those before it are not lost, and the status is 2" {
    make_launcher
    echo 'echo "no network" >&2; exit 3' >do-3
    run launch
    [ "$status" -eq 2 ]
    [[ "$output" == *"no network"*"trainer: launch 3 of 3: it failed with status 3: see above; 2 of 3 launches are in "*"it.yaml" ]]
    [ "$(points_of 1) $(points_of 2)" = "5 5" ]
    estimator check it.yaml
    rm -f it.* launched
    make_old
    mv do-3 do-1
    run launch
    [ "$status" -eq 2 ]
    [[ "$output" == *"launch 1 of 3: it failed with status 3: see above; none is whole, and "*"it.yaml is as it was" ]]
    [ "$(wc -l <launched)" -eq 1 ]
    old_is_there
}

@test "a launch that writes nothing leaves no older table in its place" {
    make_launcher
    launch
    cp it.yaml before
    echo 'exit 0' >do-1
    run launch
    [ "$status" -eq 2 ]
    [[ "$output" == *"launch 1 of 3: it wrote no "*"it.launch-1.yaml; none is whole"* ]]
    cmp it.yaml before
}

@test "a table that cannot be written at the end: the old points stay with the old table" {
    make_launcher
    make_old
    echo 'write; mkdir it.yaml.trained' >do-3 # in the way of the new table's name
    run launch
    [ "$status" -eq 2 ]
    old_is_there
    [ -z "$(ls -- *.points.csv.* it.launches.points.csv 2>/dev/null)" ]
    [ -s it.launch-3.yaml ]
}

@test "a table that has more than the launches would measure is not replaced" {
    make_launcher
    make_old
    sed 's/utility: exchange/utility: combine/' old.yaml >more.yaml
    tail -n 1 more.yaml | cat old.yaml - >it.yaml
    cp it.yaml old.yaml
    run launch --suite exchange
    [ "$status" -eq 2 ]
    [[ "$output" == *"it.yaml: has combine, which this run would not measure"* ]]
    [ ! -e launched ]
    run launch # which measures exchange alone, though all were asked for
    [ "$status" -eq 2 ]
    [[ "$output" == *"it.yaml: stays: it has combine, which not every launch has measured now"* ]]
    old_is_there
    launch --replace
    ! cmp it.yaml old.yaml || false
    [ "$(points_of 3)" -eq 5 ]
}

@test "what is no regular file is refused before the first launch, and stays what it is" {
    make_launcher
    local name
    for name in it.yaml it.points.csv it.launch-3.yaml it.launch-2.points.csv; do
        mkfifo "$name"
        run launch
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
        [[ "$output" == *"$name: is a FIFO"* ]]
        [ -p "$name" ]
        rm "$name"
        mkdir "$name"
        run launch
        [ "$status" -eq 2 ]
        [ -d "$name" ]
        rmdir "$name"
    done
    mkfifo pipe
    ln -s pipe it.yaml
    run launch
    [ "$status" -eq 2 ]
    [ -p pipe ] && [ -L it.yaml ]
    rm it.yaml
    mkfifo all.csv
    cp "$FORECOST_SOURCE/machines/sp2-mpl.yaml" told.yaml
    run launch --validate told.yaml -o all.csv
    [ "$status" -eq 2 ]
    [ -p all.csv ]
    [ ! -e launched ]
}

@test "a validation that is cut off: the points of whole launches are compared, and an old file stays where there are none" {
    make_launcher
    printf '%s\n' 'forecost: 1' 'machine: {name: x, processors: 2}' 'communication:' \
        '  - {utility: exchange, regions: [{t0_us: 10, rinf_mb_per_s: 100}]}' >told.yaml
    echo 'write_points "$out"' | tee do-1 >do-3
    echo 'write_points "$out"; trap "exit 0" TERM; echo >here; while :; do sleep 0.1; done' >do-2
    begin --validate told.yaml -o all.csv
    begun here
    kill -TERM "$trainer"
    ended_with 143
    grep -q 'launch 2 of 3: a signal cut it off; 1 of 3 launches are in all.csv' err
    grep -q '^exchange  *5 ' out
    [ "$(wc -l <all.csv)" -eq 6 ]
    cp all.csv before
    echo 'exit 2' >do-1
    run launch --validate told.yaml -o all.csv
    [ "$status" -eq 2 ]
    cmp all.csv before
}

# told T0: a table that says so much of a message without bytes, and 100 bytes a microsecond.
told() {
    printf '%s\n' 'forecost: 1' 'machine: {name: x, processors: 2}' 'communication:' \
        "  - {utility: exchange, regions: [{t0_us: $1, rinf_mb_per_s: 100, error: {held_out_p95: 0.2}}]}"
}

# Of three launches the second has the lower quartile: twice 10 + n / 100.
@test "a validation says in which direction a table is off, by how much, and how much of it holds" {
    make_launcher
    echo 'write_points "$out"' | tee do-1 do-2 >do-3
    told 10 >told.yaml
    run --separate-stderr launch --validate told.yaml -o all.csv --tolerance 0.3
    [ "$status" -eq 1 ]
    [[ "${lines[0]}" == *"worst at  "*" measured_over_predicted" ]]
    [[ "${lines[1]}" == "exchange "*" 50.00 "*" 0  n = "*"  2.000  table is 50 % too low  beyond the tolerance" ]]
    [[ "$stderr" == *"trainer: the machine is slower than the table says: median 2.00 times; 0 of 5 points inside their intervals" ]]
    printf '%s\n' 'forecost: 1' 'machine: {name: x, processors: 2}' 'communication:' \
        '  - {utility: exchange, regions: [{t0_us: 22, rinf_mb_per_s: 45.45454545454545, error: {held_out_p95: 0.2}}]}' >told.yaml
    run --separate-stderr launch --validate told.yaml -o all.csv --tolerance 0.3
    [ "$status" -eq 0 ]
    [[ "${lines[1]}" == *"  0.909  table is 10 % too high" ]]
    [[ "$stderr" == *"trainer: the machine is quicker than the table says: median 1.10 times; 5 of 5 points inside their intervals" ]]
}

@test "a validation's points take no other file's place" {
    make_launcher
    echo 'write_points "$out"' | tee do-1 do-2 >do-3
    told 10 | tee it.yaml >told.yaml
    echo "utility,processors,bytes,and so on" | tee it.points.csv >before.csv
    run launch --validate it.yaml -o it.points.csv
    [ "$status" -eq 2 ]
    [ "$output" = "trainer: it.points.csv: has the points of it.yaml: expected another name" ]
    run launch --validate told.yaml -o it.yaml
    [ "$status" -eq 2 ]
    [ "$output" = "trainer: it.yaml: is something else than measured points: expected such a file, or none yet" ]
    cmp it.yaml told.yaml
    cmp it.points.csv before.csv
    [ ! -e launched ]
}

@test "a validation that its budget cuts off says how many points there are" {
    command -v mpiexec >/dev/null || skip "mpiexec is not installed (mpich)"
    [[ ${MPIEXEC:-mpiexec} != *smpirun* ]] || skip "configured for the simulated bed"
    [ "$(nproc)" -ge 2 ] || skip "fewer than 2 cores"
    run mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" --budget 0.1 --validate "$FORECOST_SOURCE/machines/sp2-mpl.yaml"
    [[ "$output" == *"trainer: "*" of "*" points were measured: the budget ended"* ]]
}
