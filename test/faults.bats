#!/usr/bin/env bats
# What machines and people do to a calibration: nothing that was measured is lost, no table is half
# written, no process is left.

source "$FORECOST_SOURCE/test/waits.bash"

setup() {
    command -v mpiexec >/dev/null || skip "mpiexec is not installed (mpich)"
    [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "the trainer was not built (--without-mpi)"
    [[ ${MPIEXEC:-mpiexec} != *smpirun* ]] || skip "configured for the simulated bed"
    [ "$(nproc)" -ge 2 ] || skip "fewer than 2 cores"
    export ASAN_OPTIONS=detect_leaks=0 # MPICH leaks at exit
    cd "$BATS_TEST_TMPDIR" || exit 1
    mine=$BATS_TEST_TMPDIR/it.yaml
}

teardown() {
    pkill -KILL -f -- "$BATS_TEST_TMPDIR/it.yaml" || true
    ! mountpoint -q small || umount small
}

# begin OPTION...: starts a calibration that would go on for long, and waits for its first points; $launcher is the
# process number of mpiexec.
begin() {
    mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --suite patterns,express -o "$mine" "$@" >out 2>err 3>&- &
    launcher=$!
    eventually has_points 20 it.unfinished.points.csv && return
    cat out err
    return 1
}

# has_points LINES FILE: more than so many are written.
has_points() {
    [ "$(wc -l 2>/dev/null <"$2" || echo 0)" -gt "$1" ]
}

no_rank() {
    ! pgrep -f -- "trainer .*-o $mine" >/dev/null
}

# Waits until no rank is left.
all_gone() {
    eventually no_rank && return
    pgrep -af -- "$mine"
    return 1
}

# points_are_whole [FILE]: every line of the points is whole: as many commas as the header has.
points_are_whole() {
    awk -F, 'NR == 1 { fields = NF } NF != fields { print "torn: " $0; bad = 1 } END { exit bad || NR < 20 }' "${1:-it.points.csv}"
}

@test "interrupted: the table of what was measured, and why there is no more" {
    for signal in INT TERM; do
        rm -f it.*
        begin
        kill -"$signal" "$launcher"
        wait "$launcher" || true # the ranks' status is 128 + the signal; Hydra makes 0 of it at times
        estimator check it.yaml
        grep -q 'because: a signal ended the calibration' it.yaml
        points_are_whole
        all_gone
    done
}

# attempts UTILITY: which are in the file, and how often, "attempt points" a line.
attempts() {
    awk -F, -v utility="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "attempt") at = i }
        $1 == utility { count[$at]++ } END { for (attempt in count) print attempt, count[attempt] }' it.points.csv | sort
}

@test "interrupted before the later passes, and resumed: they are made, of what was swept before too" {
    local arguments=(--no-progress --suite exchange,combine --max-bytes 16k -o "$mine")
    mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" "${arguments[@]}" >out 2>err 3>&- &
    launcher=$!
    until [ -e it.unfinished.yaml ]; do
        kill -0 "$launcher"
        sleep 0.01
    done
    kill -INT "$launcher"
    wait "$launcher" || true
    grep -q 'because: a signal ended the calibration' it.yaml
    mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" "${arguments[@]}" --resume
    estimator check it.yaml
    ! grep 'because:' it.yaml || return 1
    for utility in exchange combine; do
        [ "$(attempts "$utility" | cut -d' ' -f1 | tr '\n' ' ')" = "1 2 3 " ]
        awk -F, -v u="$utility" '$1 == u { n += $12 == 2; missing[$3] += ($12 == 2) - ($12 == 3) }
            END { for (size in missing) bad += missing[size] > 0; exit !(n > 20 && !bad) }' it.points.csv
    done
    points_are_whole
}

@test "a rank killed: the points are kept, the table of before too, and no rank is left" {
    cp "$FORECOST_SOURCE/machines/sp2-mpl.yaml" it.yaml
    begin --replace
    pkill -KILL -n -f -- "trainer .*-o $mine"
    local status=0
    wait "$launcher" || status=$?
    [ "$status" -ne 0 ]
    cmp it.yaml "$FORECOST_SOURCE/machines/sp2-mpl.yaml"
    points_are_whole it.unfinished.points.csv
    all_gone
}

@test "mpiexec killed: no rank goes on alone" {
    begin
    kill -KILL "$launcher"
    wait "$launcher" || true
    all_gone
    points_are_whole it.unfinished.points.csv
    [ ! -e it.yaml ]
}

@test "a rank that is stopped ends the run within its patience, and a later one goes on" {
    for which in -n -o; do # a rank that follows, and the one that leads
        rm -f it.*
        mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --patience 2 --suite patterns -o "$mine" >out 2>err 3>&- &
        launcher=$!
        eventually test -e it.unfinished.yaml
        pkill -STOP "$which" -f -- "^[^ ]*trainer/trainer .*-o $mine"
        eventually has_ended "$launcher"
        grep -q 'not answered for [24] s: a rank was stopped, or a link is down' err
        all_gone
        [ ! -e it.yaml ]
        estimator check it.unfinished.yaml
    done
    timeout 100 mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --patience 2 --suite patterns -o "$mine" --resume
    [ "$(grep -c 'utility:' it.yaml)" -eq 9 ]
    [ ! -e it.unfinished.yaml ]
    points_are_whole
}

@test "a full disk is noticed before anything is measured" {
    mkdir small
    mount -t tmpfs -o size=16k none small 2>/dev/null || skip "no small disk can be mounted here (root)"
    touch small/full.unfinished.yaml # of points that are lost now
    dd if=/dev/zero of=small/filler bs=1k count=64 2>/dev/null || true
    run timeout 60 mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --suite synchronization -o small/full.yaml
    ls small >left
    umount small
    [ "$status" -eq 2 ]
    [ "$output" = "trainer: small/full.unfinished.points.csv: cannot be written: No space left on device" ]
    ! grep -x 'full.yaml\|full.unfinished.yaml\|full.lock' left || return 1
}

@test "--oversubscribe ends soon after its budget, and marks all that it measured" {
    local ranks=$(($(nproc) + 1))
    [ "$ranks" -le 9 ] || skip "too many cores to share"
    timeout 100 mpiexec -n "$ranks" "$FORECOST_BUILD/trainer/trainer" --no-progress --oversubscribe --budget 3 --suite patterns,broadcast,logp,overlap,swap -o it.yaml
    estimator check it.yaml
    grep -q 'binding: more ranks than cores' it.yaml
    [ "$(grep -c 'utility:' it.yaml)" -eq "$(grep -c 'disturbed: true' it.yaml)" ]
    [ "$(grep -c 'because: ranks share cores' it.yaml)" -eq 3 ]
}

# Points of any kind among the lines of err.
points_in_err() {
    grep -cE '^(point-to-point|exchange|[a-z-]+),[0-9.]+,[0-9]' err
}

@test "a folder that vanishes: an error, and the points on stderr" {
    mkdir there
    timeout 100 mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --quick --suite point-to-point,exchange --max-bytes 64k --budget 4 -o "$BATS_TEST_TMPDIR/there/it.yaml" >out 2>err 3>&- &
    launcher=$!
    eventually has_points 5 there/it.unfinished.points.csv
    rm -r there
    local status=0
    wait "$launcher" || status=$?
    [ "$status" -eq 2 ]
    grep -q 'the file of points is gone: they follow here' err
    grep -q 'there/it.yaml.*: No such file or directory' err
    [ "$(points_in_err)" -gt 10 ]
}

@test "a disk that becomes full: an error, and the points that it did not take are on stderr" {
    mkdir small
    mount -t tmpfs -o size=16k none small 2>/dev/null || skip "no small disk can be mounted here (root)"
    local status=0
    timeout 100 mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --suite point-to-point,exchange --max-bytes 64k --budget 10 -o small/it.yaml >out 2>err || status=$?
    cp small/it.unfinished.points.csv it.points.csv || true
    ls -l small
    umount small
    tail -5 err
    [ "$status" -eq 2 ]
    grep -q 'the file of points takes no more (No space left on device): they follow here' err
    grep -q 'trainer: .*No space left on device$' err
    [ "$(points_in_err)" -gt 10 ]
    # nothing is lost in between: what the file lacks is on stderr
    [ "$(wc -l <it.points.csv)" -gt 50 ]
}

@test "MPI_Finalize does not return: the table is there, and each rank leaves with its status" {
    command -v cc >/dev/null || skip "no cc"
    printf '#include <unistd.h>\nint MPI_Finalize(void) { for (;;) pause(); }\n' >hang.c
    cc -shared -fPIC -o hang.so hang.c
    export ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
    # Who leaves without MPI_Finalize is killed by Hydra at times, or given status 1, so each rank's own
    # status is written down, and the second that Hydra needs to see it is waited for.
    cat >rank.sh <<'END'
LD_PRELOAD=$PWD/hang.so "$@"
echo $? >"status.$PMI_RANK"
sleep 1
END
    timeout 600 mpiexec -n 2 bash rank.sh "$FORECOST_BUILD/trainer/trainer" --no-progress --quick --suite point-to-point --max-bytes 1k --budget 2 -o "$mine" >out 2>err || true
    [ "$(cat status.0)" -eq 0 ]
    [ "$(cat status.1)" -eq 0 ]
    estimator check it.yaml
    points_are_whole
    [ ! -e it.unfinished.yaml ]
    all_gone
}

# ---- a good table, and what must not harm it ----

# fails STATUS TEXT OPTION...: a calibration with those options ends so, with that text.
fails() {
    local want=$1 text=$2
    shift 2
    run timeout 60 mpiexec -n "${ranks:-2}" "$FORECOST_BUILD/trainer/trainer" --no-progress --quick --max-bytes 1k --budget 20 --suite exchange,synchronization "$@"
    [ "$status" -eq "$want" ] && [[ $output == *"$text"* ]] && return
    printf '%s\n' "$status" "$output"
    return 1
}

# unharmed FAULT: table and points are as they were, no rank is left; what a calibration leaves to go
# on from goes.
unharmed() {
    faults=$((faults + 1))
    echo "$faults: $1"
    sha256sum --quiet -c sums
    all_gone
    rm -rf it.unfinished.* it.lock
}

# Something that is no file stands at a name beside the table.
stand_in_the_way() {
    mkfifo it.lock
    fails 2 "it.lock: is a FIFO" -o "$mine"
    [ -p it.lock ]
    unharmed "a FIFO in the way"
    mkdir it.unfinished.yaml
    fails 2 "it.unfinished.yaml: is a folder" -o "$mine"
    unharmed "a folder in the way"
    mkfifo pipe
    ln -s pipe it.unfinished.points.csv
    fails 2 "it.unfinished.points.csv: is a link" -o "$mine"
    [ -p pipe ] && [ -L it.unfinished.points.csv ]
    unharmed "a link to a FIFO in the way"
}

# A calibration that ends in its middle, by the signal to whom.
cut_off() {
    begin "${@:3}"
    case $2 in
    rank) pkill -"$1" -n -f -- "^[^ ]*trainer/trainer .*-o $mine" ;;
    launcher) kill -"$1" "$launcher" ;;
    esac
    wait "$launcher" || true
    all_gone
    points_are_whole it.unfinished.points.csv
    unharmed "SIG$1 to the $2"
}

second_run() {
    begin --add
    local holder
    holder=$(sed -nE 's/^process ([0-9]+) on .*/\1/p' it.lock)
    grep -q trainer "/proc/$holder/cmdline"
    fails 2 "it.yaml: is being written by process $holder on $(hostname) since 20" -o "$mine"
    kill -KILL "$launcher"
    wait "$launcher" || true
    unharmed "a second run"
}

# The same table on a disk that is full, and on one that is not to be written.
no_room() {
    mkdir small
    mount -t tmpfs -o size=64k none small 2>/dev/null || { echo "no small disk can be mounted here (root)" && return; }
    cp -p it.yaml it.points.csv sums small
    dd if=/dev/zero of=small/filler bs=1k count=64 2>/dev/null || true
    fails 2 "No space left on device" -o small/it.yaml
    (cd small && unharmed "a full disk")
    mount -o remount,ro small
    fails 2 "small/it.yaml: cannot be written: Read-only file system" -o small/it.yaml
    (cd small && unharmed "a disk that is not to be written")
    umount small
    faults=$((faults + 2))
}

# A disk that becomes full at each of the writes: with room for one page more each time, until there is enough.
@test "a disk that becomes full at any write: the table and its points are the old ones, or both the new ones" {
    mkdir small
    mount -t tmpfs -o size=256k none small 2>/dev/null || skip "no small disk can be mounted here (root)"
    umount small
    mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --quick --max-bytes 1k --suite exchange,synchronization -o "$mine"
    sha256sum it.yaml it.points.csv >sums
    local status room refused=0
    for room in 0 4 8 12 16 20 24 28 128; do
        mount -t tmpfs -o size=256k none small
        cp -p it.yaml it.points.csv sums small
        dd if=/dev/zero of=small/filler bs=1k count=256 2>/dev/null || true
        truncate -s "-${room}K" small/filler
        status=0
        timeout 60 mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --quick --max-bytes 1k --seed 77 --suite exchange,synchronization \
            -o small/it.yaml >out 2>err || status=$?
        echo "$room KiB: $status: $(grep -m 1 'No space' err)"
        if [ "$status" -eq 0 ]; then
            estimator check small/it.yaml && grep -q 'seed: 77' small/it.yaml
            points_are_whole small/it.points.csv
        else
            [ "$status" -eq 2 ] && grep -q '^trainer: .*No space left on device' err
            (cd small && sha256sum --quiet -c sums && ! ls ./*.part ./*.trained 2>/dev/null)
            refused=$((refused + 1))
        fi
        umount small
    done
    [ "$refused" -ge 3 ] && [ "$status" -eq 0 ]
}

@test "twelve kinds of fault and more: a good table and its points are as they were after each" {
    local faults=0
    mpiexec -n 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --quick --max-bytes 1k --suite exchange,synchronization -o "$mine"
    sha256sum it.yaml it.points.csv >sums
    fails 2 "--budget is 'soon'" --budget soon -o "$mine"
    unharmed "a wrong option"
    fails 2 "--processors: 99" --processors 99 -o "$mine"
    unharmed "a processor count that the run has not"
    fails 2 "no suite 'nosuch'" --suite nosuch -o "$mine"
    unharmed "a suite that there is not"
    ranks=1 fails 2 "1 rank: expected at least 2" -o "$mine"
    unharmed "too few ranks"
    ranks=$(($(nproc) + 1)) fails 2 "ranks share" -o "$mine"
    unharmed "more ranks than cores"
    stand_in_the_way
    fails 2 "it.yaml: has synchronization, which this run would not measure" --suite exchange -o "$mine"
    unharmed "less than the table has"
    fails 1 "nothing was measured" --suite point-to-point-far --add -o "$mine"
    unharmed "nothing measured"
    second_run
    cut_off KILL rank --add
    cut_off KILL launcher --add
    cut_off TERM launcher
    cut_off INT launcher
    no_room
    [ "$faults" -ge 12 ]
}

@test "a call of the system that fails, or in which the process is killed: old files, or new ones, and a word" {
    command -v strace >/dev/null || skip "strace is not installed"
    strace -o trace true || skip "no process may be traced here"
    python3 "$FORECOST_SOURCE/test/faults/calls.py" "$FORECOST_BUILD" "$FORECOST_SOURCE" "${FORECOST_CALLS:-1}" "${FORECOST_SEED:-1}"
}
