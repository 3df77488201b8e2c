#!/usr/bin/env bats
# Files of strangers, full disks and signals: nobody's machine is taken, and nothing that was there
# is lost.

bats_require_minimum_version 1.5.0

source "$FORECOST_SOURCE/test/waits.bash"

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    sp2=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    export ASAN_OPTIONS=detect_leaks=0
    echo 'void f(int n, double a[n]) { for (int i = 0; i < n; i++) a[i] = 0; }' >k.c
}

need_describer() {
    [ -x "${FORECOST_DESCRIBER:-$FORECOST_BUILD/describer/describer}" ] || skip "the describer was not built (no libclang)"
}

# within MIB COMMAND...: with so much memory at most, unless a sanitizer takes all addresses.
within() {
    local most=$1
    shift
    (
        nm "$FORECOST_BUILD/describer/describer" 2>/dev/null | grep -q __asan_ || ulimit -v $((most * 1024))
        timeout 100 "$@"
    )
}

# refused "LINE" COMMAND...: that line alone, and status 2.
refused() {
    local expected=$1
    shift
    "$@" >out 2>err && { echo accepted; return 1; }
    [ $? -eq 2 ] || true
    [ ! -s out ] && [ "$(cat err)" = "$expected" ] || { cat err; return 1; }
}

# ---- the describer ----

@test "what a source includes is a regular file" {
    need_describer
    mkfifo pipe
    for file in /dev/zero /dev/stdin "$PWD/pipe"; do
        { echo "#include \"$file\""; cat k.c; } >z.c
        refused "z.c:1:10: cannot open file '$file': Operation not supported" within 3000 estimator describe z.c -D n=10
        { echo "#include <$file>"; cat k.c; } >z.c
        refused "z.c:1:10: cannot open file '$file': Operation not supported" within 3000 estimator describe z.c -D n=10
        run -2 within 3000 estimator describe k.c -D n=10 -- -include "$file"
        [[ $output == *"cannot open file '$file': Operation not supported" ]]
    done
}

@test "many candidates, functions and directives take as much memory as there are" {
    need_describer
    for i in $(seq 8000); do echo "candidate c$i processors(p) distribute(a[BLOCK])"; done >k.forecost
    within 1000 estimator describe k.c -D n=10 >out
    grep -q c8000 out
    { sed 's/^/#pragma forecost /' k.forecost; cat k.c; } >many.c
    within 1000 estimator describe many.c -D n=10 >out
    grep -q c8000 out
    { for i in $(seq 20000); do echo "int g$i(int n) { return n; }"; done; cat k.c; } >many.c
    within 1000 estimator describe many.c -D n=10 >out
    grep -q 'a\[i\]' out
}

@test "a side file that has no end, a long line, or cannot be read" {
    need_describer
    refused "/dev/zero:1: a line has more than 65536 characters" within 1000 estimator describe k.c --side /dev/zero -D n=10
    { printf 'candidate '; yes 'c- ' | head -n 1000000 | tr -d '\n'; } >long.forecost
    refused "long.forecost:1: a line has more than 65536 characters" within 1000 estimator describe k.c --side long.forecost -D n=10
    yes '\' | head -n 1000000 >long.forecost
    refused "long.forecost:65537: a line has more than 65536 characters" within 1000 estimator describe k.c --side long.forecost -D n=10
    mkdir folder
    refused "folder:1: cannot be read: Is a directory" estimator describe k.c --side folder -D n=10
    mkfifo k.forecost
    refused "estimator: k.forecost: is no regular file: expected directives" estimator describe k.c -D n=10
}

# ---- compilers ----

is_empty() {
    [ -z "$(ls "$1")" ]
}

@test "a compiler has limits, and its folder is gone after a signal, with what it left there" {
    need_describer
    mkdir tmp
    export TMPDIR=$PWD/tmp
    cat >compiler <<'C'
#!/bin/sh
mkdir "$TMPDIR/deep" && touch "$TMPDIR/deep/file" "$TMPDIR/left" && ulimit -v >limits && ulimit -f >>limits
ln -s "$PWD/k.c" "$TMPDIR/link"
sleep 60 & 
echo $! >started
sleep 60
C
    chmod +x compiler
    for signal in TERM KILL HUP; do
        rm -f started
        # a test that was started by nohup would pass on that nobody hears a hang-up
        CC=$PWD/compiler env --default-signal=HUP estimator loops k.c -D n=100 &
        until [ -s started ]; do sleep 0.01; done
        kill -$signal $!
        run -128 wait $! || true
        eventually is_empty tmp
        eventually has_ended "$(cat started)"
    done
    [ -s k.c ]
    ! grep unlimited limits
    unset TMPDIR
}

# ---- what is written ----

older() {
    echo "an older file" >"$1"
}

is_older() {
    [ "$(cat "$1")" = "an older file" ] && [ -z "$(ls -- "$1".*part 2>/dev/null)" ]
}

# as_full COMMAND...: no file grows beyond 4 KiB, as on a full disk.
as_full() {
    (
        ulimit -f 4
        timeout 100 "$@"
    )
}

@test "a full disk: the older file stays, and the status is 2" {
    for command in "report $sp2 -o it.html" "export $sp2 --to csv -o it.csv" \
        "import $FORECOST_SOURCE/test/import/imb-2021.11.txt -o it.yaml" "learn $sp2 -o it.yaml" \
        "plot exchange $sp2 -o it.gp" "plot exchange $sp2 -o it.svg"; do
        file=${command##* }
        [ "$file" != it.svg ] || command -v gnuplot >/dev/null || continue
        [[ $command != report* ]] || estimator report "$sp2" -o all.html || continue
        older "$file"
        run -2 as_full estimator $command
        [[ $output == estimator:*" cannot be written: File too large" ]] || { echo "$output"; return 1; }
        is_older "$file"
    done
}

@test "a gnuplot that fails, is killed, or draws nothing leaves the older picture" {
    mkdir bin
    for end in 'exit 1' 'kill -9 $$' 'exit 0' 'echo "<svg>"; head -c 10000 /dev/zero; exit 0'; do
        printf '#!/bin/sh\necho half a picture >&2\n%s\n' "$end" >bin/gnuplot
        chmod +x bin/gnuplot
        older it.svg
        PATH=$PWD/bin:$PATH run -2 estimator plot exchange "$sp2" -o it.svg
        is_older it.svg
    done
    printf '#!/bin/sh\nhead -c 100000 /dev/zero\nkill -9 $$\n' >bin/gnuplot
    PATH=$PWD/bin:$PATH run -2 estimator plot exchange "$sp2" -o it.svg
    is_older it.svg
}

@test "a gnuplot that hangs is killed after its time, whatever it wrote, and the older picture stays" {
    mkdir bin
    export FORECOST_GNUPLOT_SECONDS=1
    for hangs in 'exec sleep 1000' 'head -c 300000 /dev/zero; exec sleep 1000' 'exec >&-; exec sleep 1000' 'exec yes'; do
        printf '#!/bin/sh\necho $$ >pid\n%s\n' "$hangs" >bin/gnuplot
        chmod +x bin/gnuplot
        older it.svg
        PATH=$PWD/bin:$PATH run -2 timeout 60 estimator plot exchange "$sp2" -o it.svg
        [[ $output == *"gnuplot had not ended after 1 s, and was killed" || $output == *"wrote more than 64 MiB, and was killed" ]] || { echo "$output"; return 1; }
        is_older it.svg
        ! kill -0 "$(cat pid)" 2>/dev/null || { echo "$hangs still runs"; return 1; }
    done
}

@test "no link is followed where something is written, whoever made it" {
    older victim
    # Names that a new file has until it is whole, and such as others may have.
    (
        for name in it.csv.part "it.csv.$BASHPID-0.part" "it.csv.$BASHPID-1.part"; do
            ln -s victim "$name"
        done
        exec estimator export "$sp2" --to csv -o it.csv
    )
    [ "$(cat victim)" = "an older file" ] && [ ! -L it.csv ] && estimator export "$sp2" --to csv | cmp - it.csv
    # Links stay, and so does what another writes now; what a run that was killed has left goes.
    [ "$(find . -name '*.part' -type l | wc -l)" -eq 3 ] && [ -z "$(find . -name '*.part' -type f)" ]
    rm it.csv*
    older it.csv.part
    older it.csv.7-0.part
    older it.csv.8-0.part
    exec 9<it.csv.8-0.part
    flock 9
    estimator export "$sp2" --to csv -o it.csv
    [ "$(ls it.csv*)" = $'it.csv\nit.csv.8-0.part\nit.csv.part' ]
    exec 9<&-
    rm it.csv*
    mkfifo pipe
    for to in victim nowhere pipe /dev/null itself; do
        for command in "report $sp2 -o it.html" "export $sp2 --to csv -o it.csv" "learn $sp2 -o it.yaml" \
            "plot exchange $sp2 -o it.gp" "import $FORECOST_SOURCE/test/import/imb-2021.11.txt -o it.yaml"; do
            file=${command##* }
            ln -s "${to/itself/$file}" "$file"
            run -2 timeout 20 estimator $command
            [[ $output == *"$file: is a link: name the file that it points to, or remove it" ]] || { echo "$output"; return 1; }
            [ "$(readlink "$file")" = "${to/itself/$file}" ] && is_older victim && [ ! -e nowhere ] && [ -p pipe ]
            rm "$file"
        done
    done
}

@test "what is read is not replaced by what is made of it" {
    need_describer
    cp "$sp2" table.yaml
    cp "$FORECOST_SOURCE/samples/jacobi/jacobi.yaml" program.yaml
    cp "$FORECOST_SOURCE/test/import/imb-2021.11.txt" imb.txt
    ln k.c same.c
    echo 'candidate rows processors(p) distribute(a[BLOCK])' >side.forecost
    for command in "report table.yaml program.yaml -o program.yaml" "report table.yaml program.yaml -o ./table.yaml" \
        "export table.yaml --to csv -o table.yaml" "import imb.txt -o imb.txt" "describe k.c -D n=9 -o k.c" \
        "loops k.c -D n=9 -o k.c" "describe k.c -D n=9 -o same.c" "describe k.c --side side.forecost -D n=9 -o side.forecost" \
        "plot exchange table.yaml -o table.yaml"; do
        sha256sum ./*.* >sums
        run -2 estimator $command
        [ "$output" = "estimator: ${command##* }: is read, and would be replaced: expected another -o" ] || { echo "$output"; return 1; }
        sha256sum --quiet -c sums
    done
    estimator learn table.yaml -o table.yaml # a table learned anew is the table
}

@test "standard streams that are closed: nothing that is said goes into a file" {
    need_describer
    local source=$FORECOST_SOURCE/test/import/imb-2021.11.txt
    for command in "import $source -o it.yaml" "describe k.c -D n=9 -o it.yaml" "export $sp2 --to csv -o it.yaml"; do
        estimator $command 2>/dev/null
        mv it.yaml right.yaml
        for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- >&- 2>&-'; do
            rm -f it.*
            eval "estimator $command $closed" 2>/dev/null
            cmp it.yaml right.yaml
        done
    done
    run -2 bash -c "estimator show $sp2 >&-"
    [ "$output" = "estimator: standard output cannot be written" ]
}

@test "a device and a pipe are written to" {
    estimator export "$sp2" --to csv -o /dev/stdout | cmp - <(estimator export "$sp2" --to csv)
    estimator export "$sp2" --to csv -o /dev/null
    [ -c /dev/null ]
    run -2 estimator export "$sp2" --to csv -o /dev/full
    mkfifo pipe
    cat pipe >got &
    estimator export "$sp2" --to csv -o pipe
    wait $!
    cmp got <(estimator export "$sp2" --to csv)
}

need_trainer() {
    command -v mpiexec >/dev/null && [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "no MPI"
    command -v cc >/dev/null || skip "no cc"
}

@test "a clock that is set back or forward during a calibration" {
    need_trainer
    cat >clock.c <<'C'
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static double start;
int clock_gettime(clockid_t which, struct timespec *now)
{
    struct timespec steady;
    const int status = (int)syscall(SYS_clock_gettime, which, now);
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &steady);
    if (start == 0)
        start = (double)steady.tv_sec + 1e-9 * (double)steady.tv_nsec;
    if (which == CLOCK_REALTIME && (double)steady.tv_sec + 1e-9 * (double)steady.tv_nsec > start + 0.5)
        now->tv_sec += SET;
    return status;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec at;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &at);
    now->tv_sec = at.tv_sec;
    now->tv_usec = at.tv_nsec / 1000;
    return 0;
}
C
    for set in -300 300; do
        cc -shared -fPIC -DSET=$set clock.c -o clock.so
        rm -f it.*
        env LD_PRELOAD="$PWD/clock.so" mpiexec -n 2 trainer --suite exchange,synchronization --budget 2 --max-bytes 1k --no-progress -o it.yaml
        sed -n 's/^ *duration_s: //p' it.yaml | awk '{ exit !($1 > 0 && $1 < 200) }'
        estimator check it.yaml
    done
}

@test "a link in the place of a table, or beside it, is refused, and stays what it is" {
    need_trainer
    for file in it.yaml it.points.csv it.swap.csv it.unfinished.yaml it.unfinished.points.csv it.yaml.trained it.points.csv.trained it.lock; do
        older victim
        ln -s victim "$file"
        run -2 mpiexec -n 2 trainer --suite exchange --budget 1 --no-progress -o it.yaml
        [[ $output == *"$file: is a link: name the file that it points to, or remove it"* ]]
        is_older victim && [ -L "$file" ]
        rm "$file"
    done
    ln -s victim it.yaml.part
    for k in $(seq 0 20); do # which number rank 0 will have is not known: some
        ln -s victim "it.unfinished.yaml.$((BASHPID + k))-0.part"
    done
    mpiexec -n 2 trainer --suite exchange --budget 1 --max-bytes 64 --no-progress -o it.yaml
    is_older victim
    estimator check it.yaml
}

# ---- exports, tables of numbers, memory ----

# point-to-point T0 RINF [BYTES]: a table of one or two regions.
table() {
    cat >it.yaml <<Y
forecost: 4
machine: {name: "${4-it}"}
communication:
  - utility: point-to-point
    statistic: median
    measures: completion
    bytes: [0, 1048576]
    processors: [2, 2]
    regions:
      - {bytes_upto: ${3:-4096}, t0_us: $1, rinf_mb_per_s: $2}
      - {t0_us: $1, rinf_mb_per_s: 1000}
Y
}

@test "an export for SimGrid ends, whatever sizes a table has, and has no infinite number" {
    for bytes in 9007199254740992 9007199254740993 1e300 1125899906842624 18446744073709551616; do
        table 1 100 "$bytes"
        timeout 20 estimator export it.yaml --to simgrid >out 2>err || { cat err; return 1; }
        ! grep -E '[":;](inf|nan|-)' out
    done
    for time in 1e300 1e308 1e-300; do
        for rate in 1e-300 1e300 1e308 1; do
            table "$time" "$rate"
            status=0
            timeout 20 estimator export it.yaml --to simgrid >out 2>err || status=$?
            [ "$status" -eq 0 ] || [ "$status" -eq 2 ]
            ! grep -E '[":;]-?(inf|nan)' out
        done
    done
}

@test "a text of a table is no formula for a program that opens CSV, and heads are quoted" {
    for name in '=1+1' '+1+x' '-1+x' '@sum' '=cmd,"x"'; do
        table 1 100 4096 "${name//\"/\\\"}"
        for command in "show it.yaml --format csv" "export it.yaml --to csv" "cost it.yaml point-to-point -n 8 --format csv" \
            "compare it.yaml $sp2 --format csv"; do
            estimator $command >out
            python3 - out <<'P'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
assert all(len(row) == len(rows[0]) for row in rows), rows[0]
for cell in (cell for row in rows for cell in row):
    if cell[:1] in tuple("=+-@") and len(cell) > 1:
        float(cell)
P
        done
    done
}

@test "processors that all do the same, or have no message, take no memory each" {
    ! nm "$FORECOST_BUILD/estimator/estimator" | grep -q __asan_ || skip "a sanitizer takes all addresses"
    local samples=$FORECOST_SOURCE/samples
    for program in "$samples/livermore/lfk06.yaml -D n=1000" "$samples/livermore/lfk03.yaml"; do
        (
            ulimit -v 450000
            estimator rank "$sp2" $program -M -p 16777216 -f csv
        ) >out
        grep -q '^1,' out
    done
}

@test "without memory at any place: one line, status 2, and the older file" {
    command -v cc >/dev/null || skip "no cc"
    command -v python3 >/dev/null || skip "no python3"
    need_describer
    ! nm "$FORECOST_BUILD/estimator/estimator" | grep -q __asan_ || skip "a sanitizer allocates by itself"
    cc -shared -fPIC "$FORECOST_SOURCE/test/commands/memory.c" -o memory.so
    python3 "$FORECOST_SOURCE/test/commands/memory.py" "$FORECOST_BUILD/estimator/estimator" "$FORECOST_SOURCE" memory.so \
        "${FORECOST_ALLOCATIONS:-25}" "${FORECOST_SEED:-1}"
}

# An error of reading, not of opening: the first page of a process's memory is not there.
@test "a file that cannot be read to its end: one line, and nothing is written" {
    local broken=/proc/self/mem jacobi=$FORECOST_SOURCE/samples/jacobi/jacobi.yaml
    ! head -c 1 $broken 2>/dev/null || skip "no file with an error of reading here"
    cp "$sp2" it.yaml
    ln -s $broken it.points.csv
    mkdir project
    cp k.c project
    ln -s $broken project/compile_commands.json
    older it.out.yaml
    for command in "check $broken" "rank $broken $jacobi -p 4" "predict $sp2 $broken -p 4" "predict $sp2 $jacobi -N $broken" \
        "predict $sp2 $jacobi -p 4 --loops $broken" "score $sp2 $jacobi $broken" "import $broken -o it.out.yaml" \
        "report it.yaml -o it.out.yaml" "learn $broken -o it.out.yaml" "describe k.c --side $broken -D n=4" \
        "describe project/k.c -D n=4"; do
        [[ $command != *describe* ]] || [ -x "$FORECOST_BUILD/describer/describer" ] || continue
        run -2 timeout 20 estimator $command
        [ "${#lines[@]}" -eq 1 ] && [[ $output == *": cannot be read: Input/output error" ]] || { echo "$command: $output"; return 1; }
        is_older it.out.yaml
    done
}

@test "Python: wrong types raise; copies, what is released, and threads are safe" {
    command -v python3 >/dev/null || skip "python3 is not installed"
    library=$(ls "$FORECOST_BUILD"/.libs/libforecost-*.so | head -n 1)
    [ -n "$library" ] && ! nm -D "$library" | grep -q __asan_ || skip "a sanitizer wants to be first"
    export FORECOST_LIBRARY=$library PYTHONPATH=$FORECOST_BUILD/libforecost PYTHONDONTWRITEBYTECODE=1
    python3 - "$sp2" "$FORECOST_SOURCE/samples/jacobi/jacobi.yaml" <<'P'
import copy, gc, pickle, sys, threading
import forecost as F

machine, program = F.Machine(sys.argv[1]), F.Program(sys.argv[2])
whole = F.predict(machine, program, "blocks", 4).whole.total_us


def raises(kinds, call):
    try:
        call()
    except kinds:
        return
    raise SystemExit("no error")


for swapped in ((program, machine), (machine, machine), (None, program), (machine, None), (1, program),
                (machine.handle, program), (machine, program.handle), ("x", "y"), (object(), program)):
    for call in (F.rank, F.predict, F.bound):
        raises(TypeError, lambda: call(*swapped))
raises(TypeError, lambda: F.rank(machine, program, "4"))
raises(TypeError, lambda: F.predict(machine, program, 3))
raises(TypeError, lambda: F.predict(machine, program, "blocks", processors=[]))
raises(TypeError, lambda: F.bound(machine, program, rules="x"))
raises(ValueError, lambda: F.bound(machine, program, rules=-1))
raises(TypeError, lambda: machine.cost(None, 1))
raises(TypeError, lambda: machine.cost("exchange", "many"))
raises(TypeError, lambda: F.Machine(3.0))
raises(ValueError, lambda: F.Machine("a\0b"))
raises((TypeError, ValueError), lambda: F.Machine(sys.argv[1], state=2**40))
raises(TypeError, lambda: F.Machine(sys.argv[1], state="1"))
raises(TypeError, lambda: F.Program("k.c", flags="-O2"))
raises((F.Error, TypeError), lambda: F.Machine.cost(program, "exchange", 1))
raises((ValueError, TypeError), lambda: F.rank(F.Machine.__new__(F.Machine), program))
raises(TypeError, lambda: pickle.dumps(machine))
# Copies go in any order.
for make in (copy.copy, copy.deepcopy):
    other = make(machine)
    assert F.predict(other, program, "blocks", 4).whole.total_us == whole
    del other
    gc.collect()
    assert F.predict(machine, program, "blocks", 4).whole.total_us == whole
kept = copy.copy(F.Machine(sys.argv[1]))
gc.collect()
assert F.predict(kept, program, "blocks", 4).whole.total_us == whole
kept.handle.__del__()
kept.handle.__del__()
raises(ValueError, lambda: F.predict(kept, program))
raises(ValueError, lambda: kept.cost("exchange", 1))
# One is made anew while others use it.
shared, ended = F.Machine(sys.argv[1]), []


def use():
    for _ in range(100):
        assert F.predict(shared, program, "blocks", 4).whole.total_us == whole
    ended.append(1)


threads = [threading.Thread(target=use) for _ in range(4)]
for thread in threads:
    thread.start()
while any(thread.is_alive() for thread in threads):
    shared.__init__(sys.argv[1])
assert len(ended) == 4
P
}

# ---- loops of strangers ----

# hostile NAME(ARGUMENTS): the object of a loop that calls it, and of one that is harmless.
hostile() {
    cat >hostile.c <<C
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#pragma forecost parameters(n = 1000)
#pragma forecost cost creat(add: 1)
#pragma forecost cost ${1%%(*}(add: 1)
void f(int n, double a[n])
{
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        creat("begun", 0600);
        $1;
    }
}
void g(int n, double b[n])
{
    for (int i = 0; i < n; i++)
        b[i] = 2 * b[i];
}
C
    estimator loops hostile.c -o hostile.so -- -O1
}

@test "a loop that never ends, or ends the program, is left out with a word, and the others are measured" {
    need_describer
    need_trainer
    for call in "pause()" "exit(0)" "_exit(0)" "abort()" "sleep(1000)"; do
        hostile "$call"
        rm -f it.yaml
        timeout 60 mpiexec -n 2 trainer --loops hostile.so -o it.yaml --budget 4 --oversubscribe 2>err
        case $call in
        pause* | sleep*) grep -q 'loop hostile.c:9: a run of it does not end within the .* s that it has' err ;;
        abort*) grep -q 'loop hostile.c:9: it ends by a signal here: Aborted' err ;;
        *) grep -q 'loop hostile.c:9: it ends the program that runs it' err && ! grep -q 'nothing is written' err ;;
        esac
        grep -q 'what: "\{0,1\}loop hostile.c:9' it.yaml
        [ "$(grep -c '  - loop: ' it.yaml)" -eq 1 ]
    done
}

@test "a signal ends the measurement of a loop that never ends, with what was measured before" {
    need_describer
    need_trainer
    hostile "pause()"
    # The one that ends comes first.
    sed -i 's/ f(/ z(/; s/ g(/ f(/; s/ z(/ g(/' hostile.c
    awk '/^void g/ { held = 1 } held { text = text $0 "\n"; if (/^}/) held = 0; next } { print } END { printf "%s", text }' hostile.c >turned.c
    mv turned.c hostile.c
    estimator loops hostile.c -o hostile.so -- -O1
    mpiexec -n 1 trainer --loops hostile.so -o it.yaml --budget 1000 --oversubscribe 2>err &
    eventually test -e begun
    # Without the signal the loop would have its share of the budget: some nine minutes.
    kill -TERM $!
    eventually has_ended $!
    run -143 wait $! || true
    grep -q 'loop: hostile.c' it.yaml
}

@test "arrays that take more than the memory that is free are not made" {
    need_describer
    need_trainer
    cat >large.c <<'C'
#pragma forecost parameters(n = 100)
void f(int n, double a[n][n][n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j][0][0] = 1;
}
C
    estimator loops large.c -o large.so -- -O1
    timeout 60 /usr/bin/env bash -c 'ulimit -v 40000000; exec mpiexec -n 1 trainer --loops large.so -o it.yaml --budget 3 --oversubscribe' 2>err
    awk -F'[ :,]+' '/row:/ { for (i = 1; i <= NF; i++) if ($i == "{row" && $(i + 1) > 110) exit 1 }' it.yaml
    run mpiexec -n 1 trainer --loops large.so --validate it.yaml -D n=550 --oversubscribe
    [[ $output == *"its arrays take "*" GiB: more than the "* ]]
}
