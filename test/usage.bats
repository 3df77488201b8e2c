#!/usr/bin/env bats
# The command line: what is asked for help answers, and what is wrong is told in one line.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    sp2=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    export ASAN_OPTIONS=detect_leaks=0 # MPICH leaks at exit
}

need_trainer() {
    [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "the trainer was not built (--without-mpi)"
}

commands() {
    estimator --help | sed -nE 's/^  ([a-z-]+) +.*/\1/p'
}

# refused "LINE" COMMAND...: fails as bad usage does, with exactly that line.
refused() {
    local expected=$1
    shift
    timeout 20 "$@" >out 2>err && { echo "accepted"; return 1; }
    local status=$?
    [ "$status" -eq 2 ] || { echo "status $status"; cat err; return 1; }
    [ ! -s out ] || { echo "wrote to standard output"; return 1; }
    [ "$(cat err)" = "$expected" ] || { echo "got: $(cat err)"; return 1; }
}

# same_as FILE COMMAND...: succeeds, and writes that, and no more.
same_as() {
    local file=$1
    shift
    "$@" >out 2>err
    cmp out "$file"
    [ ! -s err ]
}

@test "-h, -? and help are --help" {
    estimator --help >help
    grep -q '^Usage: estimator COMMAND' help
    for words in -h '-?' help --hel; do
        same_as help estimator "$words"
    done
    for command in $(commands); do
        estimator "$command" --help >help
        grep -q "^Usage: estimator $command " help
        same_as help estimator "$command" -h
        same_as help estimator "$command" '-?'
        same_as help estimator help "$command"
    done
}

@test "-V is --version, and --usage is there, for the estimator and for each of its commands" {
    estimator --version >version
    [ "$(wc -l <version)" -eq 1 ]
    same_as version estimator -V
    estimator --usage | grep -q '^Usage: estimator '
    for command in $(commands); do
        same_as version estimator "$command" -V
        same_as version estimator "$command" --version
        estimator "$command" --usage | grep -q "^Usage: estimator $command "
    done
}

@test "the trainer answers the same, alone and as ranks" {
    need_trainer
    trainer --help >help
    grep -q '^Usage: trainer ' help
    same_as help trainer -h
    trainer --version >version
    same_as version trainer -V
    trainer --usage | grep -q '^Usage: trainer '
    mpiexec=${MPIEXEC:-mpiexec}
    command -v "$mpiexec" >/dev/null || skip "no $mpiexec"
    [[ $mpiexec != *smpirun* ]] || skip "configured for the simulated bed"
    timeout 60 "$mpiexec" -n 2 trainer -V >out
    cmp out version
}

@test "what is wrong with an option is one line" {
    refused "estimator: unknown option '--fromat': did you mean '--format'?; see estimator rank --help" \
        estimator rank --fromat csv
    refused "estimator: unknown option '-z'; see estimator rank --help" estimator rank -z
    refused "estimator: option '-p' without its LIST; see estimator rank --help" estimator rank -p
    refused "estimator: option '--processors' without its LIST; see estimator rank --help" \
        estimator rank "$sp2" --proc
    refused "estimator: option '--bands' takes no value; see estimator rank --help" \
        estimator rank --bands=1
    refused "estimator: option '--b' may be one of several: bytes, bt-depth; see estimator best-broadcast --help" \
        estimator best-broadcast --b 8
    refused "estimator: unknown option '--zork'; see estimator --help" estimator --zork
    refused "estimator: too few arguments: expected TABLE... SEGMENT" estimator rank "$sp2"
}

@test "what is wrong with a command is one line" {
    refused "estimator: no command; see estimator --help" estimator
    refused "estimator: unknown command 'rnak': did you mean 'rank'?; see estimator --help" estimator rnak
    refused "estimator: unknown command 'rnak': did you mean 'rank'?; see estimator --help" estimator help rnak
    refused "estimator: too many arguments: expected help, or help COMMAND" estimator help rank cost
}

@test "options may be cut off, joined, and stand anywhere; -- ends them" {
    estimator cost "$sp2" exchange -n 8,16 --format csv >long
    same_as long estimator cost --forma=csv "$sp2" --by 8,16 exchange
    same_as long estimator cost -fcsv -n8,16 -- "$sp2" exchange
    estimator bound "$sp2" "$FORECOST_SOURCE/samples/livermore/lfk01.yaml" -u -S >long
    same_as long estimator bound -Su "$sp2" "$FORECOST_SOURCE/samples/livermore/lfk01.yaml"
    refused "estimator: -f: cannot be read: No such file or directory" estimator check -- -f
}

@test "what is wrong with the trainer's options is one line" {
    need_trainer
    refused "trainer: unknown option '--zork'; see trainer --help" trainer --zork
    refused "trainer: option '--max-bytes' without its N; see trainer --help" trainer --max-bytes
    refused "trainer: option '--m' may be one of several: min-bytes, max-bytes; see trainer --help" trainer --m
    refused "trainer: option '--quick' takes no value; see trainer --help" trainer --quick=1
    refused "trainer: unexpected argument 'this'" trainer this
}

@test "of the trainer's ranks one speaks" {
    need_trainer
    mpiexec=${MPIEXEC:-mpiexec}
    command -v "$mpiexec" >/dev/null || skip "no $mpiexec"
    [[ $mpiexec != *smpirun* ]] || skip "configured for the simulated bed"
    timeout 60 "$mpiexec" -n 2 trainer --zork >out 2>err && false
    [ ! -s out ]
    [ "$(grep -c '^trainer: ' err)" -eq 1 ]
    run grep -i 'try\|usage:' err
    [ "$status" -eq 1 ]
}

@test "sizes are written in one way: on the command line, in descriptions, in tables" {
    jacobi=$FORECOST_SOURCE/samples/jacobi/jacobi.yaml
    estimator predict "$sp2" "$jacobi" -D N=2048 >number
    for size in 2k 2K 2KiB 2kiB 2048; do
        same_as number estimator predict "$sp2" "$jacobi" -D N=$size
        sed "s/\(N: *\)[0-9]*/\1$size/" "$jacobi" >jacobi.yaml
        grep -q "N: *$size" jacobi.yaml
        same_as number estimator predict "$sp2" jacobi.yaml
    done
    estimator cost "$sp2" point-to-point -n 1:1M:x2 --format csv >number
    sed 's/bytes_upto: 2048/bytes_upto: 2KiB/' "$sp2" >table.yaml
    run cmp -s "$sp2" table.yaml
    [ "$status" -eq 1 ]
    same_as number estimator cost table.yaml point-to-point -n 1:1MiB:x2 --format csv
    estimator learn "$sp2" >number # what is written has no suffix
    same_as number estimator learn table.yaml
}

@test "a size that may be of 1000 or of 1024 is asked for" {
    jacobi=$FORECOST_SOURCE/samples/jacobi/jacobi.yaml
    says="not clear, of 1000 or 1024: expected KiB, MiB or GiB (of 1024), or the number"
    refused "estimator: --bytes is '4MB': $says" estimator cost "$sp2" exchange -n 4MB
    refused "estimator: -D N=4kB: $says" estimator predict "$sp2" "$jacobi" -D N=4kB
    refused "estimator: -D N=4kB: $says" estimator rank "$sp2" "$jacobi" -D N=4kB
    sed "s/\(N: *\)[0-9]*/\14kB/" "$jacobi" >jacobi.yaml
    timeout 20 estimator predict "$sp2" jacobi.yaml 2>err >out && false
    [ ! -s out ]
    grep -qxF "estimator: jacobi.yaml:4:17: '4kB' in '4kB' is $says" err
}

@test "a size of the trainer that may be of 1000 or of 1024 is asked for" {
    need_trainer
    refused "trainer: --max-bytes is '4MB': not clear, of 1000 or 1024: expected KiB, MiB or GiB (of 1024), or the number" \
        trainer --max-bytes=4MB
    refused "trainer: --budget is 'x': not a number" trainer --budget=x
}
