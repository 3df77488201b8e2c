#!/usr/bin/env bats
# Files of strangers, full disks and signals: nobody's machine is taken, and nothing that was there
# is lost.

bats_require_minimum_version 1.5.0

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
        CC=$PWD/compiler estimator loops k.c -D n=100 &
        until [ -s started ]; do sleep 0.01; done
        kill -$signal $!
        run -128 wait $! || true
        for i in $(seq 1000); do
            [ -n "$(ls tmp)" ] || break
            sleep 0.01
        done
        [ -z "$(ls tmp)" ]
        for i in $(seq 1000); do
            [ -e "/proc/$(cat started)/exe" ] || break
            sleep 0.01
        done
        [ ! -e "/proc/$(cat started)/exe" ]
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
    [ "$(cat "$1")" = "an older file" ] && [ ! -e "$1.part" ]
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
    for end in 'exit 1' 'kill -9 $$' 'exit 0'; do
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

@test "links are not followed at names that nobody gave, and another user's not at all" {
    older victim
    for file in it.csv.part; do
        ln -s victim "$file"
        estimator export "$sp2" --to csv -o it.csv
        is_older victim && [ ! -L it.csv ] && [ ! -e "$file" ]
    done
    ln -s victim mine.csv
    estimator export "$sp2" --to csv -o mine.csv
    [ -L mine.csv ] && ! grep -q older victim
    [ "$(id -u)" -eq 0 ] || return 0
    older victim
    ln -s victim other.csv && chown -h 12345 other.csv
    run -2 estimator export "$sp2" --to csv -o other.csv
    [[ $output == *"other.csv: is another user's symbolic link: expected a file, or none yet" ]]
    is_older victim
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

@test "links beside a table are refused, and stay what they are" {
    need_trainer
    for file in it.unfinished.yaml it.unfinished.points.csv it.yaml.trained it.points.csv.trained it.lock; do
        older victim
        ln -s victim "$file"
        run -2 mpiexec -n 2 trainer --suite exchange --budget 1 --no-progress -o it.yaml
        [[ $output == *"$file: is a symbolic link: expected a file, or none yet"* ]]
        is_older victim && [ -L "$file" ]
        rm "$file"
    done
    ln -s victim it.yaml.part && ln -s victim it.unfinished.yaml.part
    mpiexec -n 2 trainer --suite exchange --budget 1 --max-bytes 64 --no-progress -o it.yaml
    is_older victim
    estimator check it.yaml
}
