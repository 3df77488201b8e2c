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
