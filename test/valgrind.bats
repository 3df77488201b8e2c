#!/usr/bin/env bats
# The estimator under valgrind: no read or write out of bounds, nothing used that was not set, and
# everything released, whatever the command says.

setup() {
    command -v valgrind >/dev/null || skip "valgrind is not installed"
    ! nm "$FORECOST_BUILD/estimator/estimator" | grep -q __asan_init || skip "built with a sanitizer instead"
    sp2=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    samples=$FORECOST_SOURCE/samples
    cd "$BATS_TEST_TMPDIR" || exit 1
}

# clean STATUS ARGUMENT...: the estimator ends with that status, and valgrind has found nothing.
clean() {
    local expected=$1 status=0
    shift
    timeout 300 valgrind --quiet --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible \
        "$FORECOST_BUILD/estimator/estimator" "$@" >out 2>err || status=$?
    [ "$status" -eq "$expected" ] || { echo "estimator $*: status $status"; tail -30 err; return 1; }
}

@test "tables: check, show, cost, compare, best-broadcast, learn" {
    clean 0 check "$sp2" "$FORECOST_SOURCE"/machines/paragon.yaml
    clean 0 show "$sp2"
    clean 0 cost "$sp2" exchange -n 0,1k,64k --format json
    clean 0 compare "$sp2" "$FORECOST_SOURCE/machines/sp1-mpl.yaml"
}

@test "descriptions: predict, rank, search, bound" {
    clean 0 predict "$sp2" "$samples/jacobi/jacobi.yaml" -c blocks -p 16 --explain
    clean 0 predict "$sp2" "$samples/adi/adi.yaml" -p 16
    clean 0 rank "$sp2" "$samples/lu/lu.yaml" -p 4 -D N=64
    clean 0 rank "$sp2" "$samples/matvec/matvec.yaml" -p 4 --search
    clean 0 bound "$FORECOST_SOURCE/machines/power2-thin.yaml" "$samples/livermore/lfk05.yaml"
}

@test "what is refused: a table, a description, an expression, usage" {
    clean 2 check "$FORECOST_SOURCE/test/bad/key-twice-inside.yaml"
    clean 2 check "$FORECOST_SOURCE/test/bad/redistribute-nowhere.yaml"
    clean 2 cost "$sp2" exchagne
    sed 's/N: 1024/N: 1024 \/ 0/' "$samples/jacobi/jacobi.yaml" >s.yaml
    clean 2 predict "$sp2" s.yaml -p 4
    sed 's/"u\[i-1\]\[j\]"/"u[i-2][j]"/' "$samples/jacobi/jacobi.yaml" >s.yaml
    clean 2 predict "$sp2" s.yaml -p 4
}

@test "libraries too: what failed once, replayed" {
    for target in machine points expression; do
        timeout 300 valgrind --quiet --error-exitcode=99 --leak-check=full \
            "$FORECOST_BUILD/test/fuzz/replay-$target" "$FORECOST_SOURCE/test/fuzz/found/$target"* 2>err ||
            { tail -30 err; return 1; }
    done
}
