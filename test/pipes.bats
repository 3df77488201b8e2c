#!/usr/bin/env bats
# Tables and descriptions from pipes: standard input as -, FIFOs, what a shell substitutes. They give
# what they hold once, so each is opened and read once.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    ln -s "$FORECOST_SOURCE/machines/sp2-mpl.yaml" table.yaml
    ln -s "$FORECOST_SOURCE/machines/sp1-mpl.yaml" other.yaml
    ln -s "$FORECOST_SOURCE/samples/jacobi/jacobi.yaml" segment.yaml
    export ASAN_OPTIONS=detect_leaks=0 # MPICH leaks at exit
}

# as_from_files WORD...: the same on standard output and standard error, and the same status, with
# table.yaml, then segment.yaml, as a file, as - and as a FIFO.
as_from_files() {
    local piped status=0 same=0
    timeout 20 estimator "$@" >file.out 2>file.err || status=$?
    for piped in table.yaml segment.yaml times.csv; do
        [[ " $* " == *" $piped "* ]] || continue
        for how in - fifo; do
            same=0
            if [ "$how" = - ]; then
                timeout 20 estimator "${@/#$piped/-}" <$piped >pipe.out 2>pipe.err || same=$?
                sed -i "s/<stdin>/$piped/" pipe.out pipe.err
            else
                mkfifo fifo
                # A command that ends before it opens the FIFO leaves the writer waiting.
                cat $piped >fifo 3>&- &
                timeout 20 estimator "${@/#$piped/fifo}" >pipe.out 2>pipe.err || same=$?
                kill $! 2>/dev/null || true
                rm fifo
                sed -i "s/fifo/$piped/" pipe.out pipe.err
            fi
            [ "$same" -eq "$status" ] || { echo "$how for $piped: $*: $same"; cat pipe.err; return 1; }
            # A table of the report is as wide as its longest name.
            diff -b file.out pipe.out || { echo "$how for $piped: $*"; return 1; }
            diff file.err pipe.err || { echo "$how for $piped: $*"; return 1; }
        done
    done
    [ -s file.out ] || [ -s file.err ]
}

# refused "TEXT" COMMAND...
refused() {
    local expected=$1
    shift
    timeout 20 "$@" >out 2>err && { echo "accepted"; return 1; }
    local status=$?
    [ "$status" -eq 2 ] || { echo "status $status"; cat err; return 1; }
    [ ! -s out ] || { echo "wrote to standard output"; return 1; }
    [ "$(cat err)" = "$expected" ] || { echo "got: $(cat err)"; return 1; }
}

@test "every command reads its tables and descriptions from pipes" {
    as_from_files check table.yaml --format csv
    as_from_files check segment.yaml --format csv
    as_from_files rank table.yaml segment.yaml
    as_from_files rank table.yaml other.yaml segment.yaml -p 4,8
    as_from_files predict table.yaml segment.yaml
    as_from_files bound table.yaml segment.yaml
    as_from_files cost table.yaml exchange -n 8,1k
    as_from_files best-broadcast table.yaml
    as_from_files compare table.yaml other.yaml
    as_from_files compare other.yaml table.yaml
    as_from_files compare table.yaml other.yaml segment.yaml -M -p 4
    as_from_files plot exchange table.yaml
    as_from_files report table.yaml
    as_from_files show table.yaml
    as_from_files export table.yaml --to csv
    as_from_files learn table.yaml
}

@test "so do a score its times, and a picture its predictions" {
    printf 'candidate,segment,processors,total_us\nrows,all,4,1e6\ncolumns,all,4,2e6\n' >times.csv
    as_from_files score table.yaml segment.yaml times.csv --format csv
    printf 'predicted_us,measured_us,sample\n10,11,a\n20,19,a\n' >times.csv
    as_from_files plot predictions times.csv
}

@test "what is wrong with a piped file is told as of a file, although more of it is read then" {
    sed 's/t0_us: 7.4/t0_us: x/' "$FORECOST_SOURCE/machines/sp2-mpl.yaml" >broken.yaml
    sed -i 's/rinf_mb_per_s: [0-9.]*/rinf_mb_per_s: x/' broken.yaml
    ln -sf broken.yaml table.yaml
    for words in 'check table.yaml' 'predict table.yaml segment.yaml' 'rank table.yaml segment.yaml' \
        'cost table.yaml exchange -n 8'; do
        # shellcheck disable=SC2086 # words
        as_from_files $words
        grep -q "'x' is not a number" file.err
    done
    ln -sf "$FORECOST_SOURCE/machines/sp2-mpl.yaml" table.yaml
    as_from_files cost table.yaml nonsense -n 8
    echo 'forecost-segment: 1' >broken.yaml
    ln -sf broken.yaml segment.yaml
    as_from_files check segment.yaml
    as_from_files rank table.yaml segment.yaml
}

@test "what a shell substitutes is read" {
    estimator check <(cat table.yaml) <(cat segment.yaml) >out
    [ "$(wc -l <out)" -eq 3 ]
    estimator rank table.yaml segment.yaml >files
    estimator rank <(cat table.yaml) <(cat segment.yaml) >out
    cmp files out
}

@test "standard input is there once" {
    says="estimator: - a second time: standard input can be read once"
    refused "$says" estimator rank - - <table.yaml
    refused "$says" estimator check - segment.yaml - <table.yaml
    refused "$says" estimator export - --to mpich --base - <table.yaml
    refused "estimator: explore has its keys from standard input: expected files, not -" \
        estimator explore - segment.yaml <table.yaml
}

@test "nothing on standard input, none, a directory" {
    refused "estimator: <stdin>:1:1: empty: expected a map of keys" estimator check - </dev/null
    refused "estimator: <stdin>: cannot be read: Bad file descriptor" estimator check - <&-
    refused "estimator: <stdin>: cannot be read: Is a directory" estimator check - <.
    refused "estimator: .: cannot be read: Is a directory" estimator rank . segment.yaml
    refused "estimator: none.yaml: cannot be read: No such file or directory" \
        estimator predict table.yaml none.yaml
}

@test "a file that may not be read" {
    [ "$(id -u)" -ne 0 ] || skip "root may read all"
    cp segment.yaml closed.yaml
    chmod 000 closed.yaml
    refused "estimator: closed.yaml: cannot be read: Permission denied" estimator check closed.yaml
}

@test "the trainer wants files that every rank can read" {
    [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "the trainer was not built (--without-mpi)"
    says="trainer: --validate and --rehearse: expected a file, not -: every launch and every rank reads it"
    refused "$says" trainer --rehearse=- <segment.yaml
    refused "$says" trainer --validate=- <table.yaml
}
