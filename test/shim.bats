#!/usr/bin/env bats
# The broadcast that chooses for itself: it gives what the library's gives, whatever it chooses.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    shim=$FORECOST_BUILD/libforecost-bcast.so
    bed=$FORECOST_SOURCE/test/bed/bed.sh
    mpiexec=${MPIEXEC:-mpiexec}
    export ASAN_OPTIONS=detect_leaks=0 # MPICH leaks at exit
    export FORECOST_TABLE=$PWD/mixed.yaml FORECOST_REPORT=1
    mixed >mixed.yaml
}

# A table by which every algorithm is the fastest somewhere; parts of 1000 bytes.
mixed() {
    cat <<'END'
forecost: 1
machine: {name: mixed}
communication:
  - {utility: broadcast-1m, regions: [{bytes_upto: 7, t0_us: 1}, {t0_us: 9}]}
  - {utility: broadcast-rd, regions: [{bytes_upto: 7, t0_us: 2}, {bytes_upto: 100, t0_us: 1}, {t0_us: 9}]}
  - {utility: broadcast-bt, regions: [{bytes_upto: 100, t0_us: 2}, {bytes_upto: 1000, t0_us: 1}, {t0_us: 9}]}
  - {utility: broadcast-prd, part_bytes: 1000, regions: [{bytes_upto: 1000, t0_us: 2}, {bytes_upto: 8191, t0_us: 1}, {t0_us: 9}]}
  - {utility: broadcast-pbt, part_bytes: 1000, regions: [{bytes_upto: 8191, t0_us: 2}, {t0_us: 1}]}
  - {utility: broadcast-bc, regions: [{bytes_upto: 2, t0_us: 0.5}, {t0_us: 8}]}
END
}

# The simulated processors, or a skipped test.
needs_bed() {
    [ -z "${FORECOST_NO_BED:-}" ] || skip "FORECOST_NO_BED is set"
    command -v smpirun >/dev/null || skip "SimGrid's smpirun is not installed (libsimgrid-dev)"
    [ -x "$FORECOST_BUILD/test/shim/same-smpi" ] || skip "the simulated programs were not built"
    export BED_PROGRAM=$FORECOST_BUILD/test/shim/same-smpi
}

needs_mpi() {
    [ -e "$shim" ] || skip "the shim was not built"
    command -v "$mpiexec" >/dev/null || skip "no $mpiexec"
}

# with_shim PROCESSORS PROGRAM ARGUMENT...: what it prints is in output, what the shim says in said.
with_shim() {
    local processors=$1 sanitizer
    shift
    # A sanitizer must come first.
    sanitizer=$(ldd "$shim" | awk '/lib[au]?san\.so/ { printf "%s ", $3 }')
    timeout 100 "$mpiexec" -n "$processors" -genv LD_PRELOAD "$sanitizer$shim" "$@" >output 2>said
}

# said_of ALGORITHM: how often rank 0 took it.
said_of() {
    sed -n "s/^forecost-bcast:.* broadcast-$1 \([0-9]*\).*/\1/p" said
}

@test "simulated, p = 1 to 17: any root, length, type and communicator, as the library does it" {
    needs_bed
    local p
    for p in $(seq 17); do
        timeout 100 "$bed" "$p" 0:5:200 -- "$p" 50 >output 2>said
        [ "$(tail -n 1 output)" = same ]
        # No algorithm was left out.
        for algorithm in 1m rd prd bt pbt bc; do
            echo "$algorithm $(said_of $algorithm)"
        done >>used
    done
    awk '{ used[$1] += $2 } END { for (a in used) if (used[a] < 5) { print a, used[a]; exit 1 } }' used
}

@test "MPICH, loaded before it, p = 2 and 3" {
    needs_mpi
    with_shim 2 "$FORECOST_BUILD/test/shim/same" 1 300
    [ "$(cat output)" = same ]
    for algorithm in 1m rd prd bt pbt bc; do
        [ "$(said_of $algorithm)" -gt 0 ]
    done
    with_shim 3 "$FORECOST_BUILD/test/shim/same" 2 15
    [ "$(cat output)" = same ]
}

@test "intercommunicators are left to the library" {
    needs_mpi
    with_shim 2 "$FORECOST_BUILD/test/shim/same" between 3
    [ "$(cat output)" = same ]
    for algorithm in 1m rd prd bt pbt bc; do
        [ "$(said_of $algorithm)" -eq 0 ]
    done
}

@test "a program with many communicators gets as many, and what is freed is used again" {
    needs_mpi
    with_shim 2 "$FORECOST_BUILD/test/shim/same" many 1500
    [ "$(cat output)" = same ]
    # 256 private communicators at a time, twice.
    [ "$(said_of 1m)" -eq 512 ]
}

@test "without a table that tells of broadcasts the program runs, and one line says why" {
    needs_mpi
    echo 'forecost: 1' >empty.yaml
    printf 'forecost: 1\nmachine: {name: m}\ncommunication:\n  - {utility: combine, regions: [{t0_us: 1}]}\n' >silent.yaml
    printf 'forecost: 1\nmachine: {name: m, wheels: 4}\n' >bad.yaml
    while read -r table line; do
        FORECOST_TABLE=$table with_shim 2 "$FORECOST_BUILD/test/shim/same" 1 5
        [ "$(cat output)" = same ]
        [ "$(cat said)" = "forecost-bcast: $line; broadcasts are left to the library" ]
    done <<'END'
nowhere.yaml nowhere.yaml: cannot be read: No such file or directory
bad.yaml bad.yaml:2:20: unknown key 'wheels'
silent.yaml silent.yaml: tells of no broadcast: expected broadcast-NAME (trainer --suite broadcast), or point-to-point and one-to-many
END
    unset FORECOST_TABLE
    with_shim 2 "$FORECOST_BUILD/test/shim/same" 1 5
    [ "$(cat output)" = same ]
    [ "$(cat said)" = "forecost-bcast: FORECOST_TABLE is not set: expected the name of a machine table; broadcasts are left to the library" ]
}

@test "a program sees nothing of the shim but MPI's names" {
    needs_mpi
    [ -z "$(nm -D --defined-only "$shim" | awk '$3 !~ /^MPI_(Init|Init_thread|Bcast|Bcast_c|Finalize)$/ && $3 !~ /^__(asan|odr|gcov)/')" ]
}

@test "what it chooses is at most 3 % from the best of six, 10 % at worst, where nothing was measured" {
    needs_bed
    unset BED_PROGRAM FORECOST_REPORT
    export FORECOST_TABLE=$PWD/trained.yaml
    # The library's broadcast as a tree; and scattered and gathered, which pays for long messages.
    local library
    for library in binomial_tree:any mpich:0; do
        export BED_FLAGS=--cfg=smpi/bcast:${library%:*}
        timeout 100 "$bed" 12 0:2:800 2049:4:900 32769:12:950 -- --suite broadcast -o trained.yaml --max-bytes 256k
        BED_PROGRAM=$FORECOST_BUILD/test/bed/regret timeout 100 "$bed" 12 0:2:800 2049:4:900 32769:12:950 -- 7 25 262144 "${library#*:}" >rows
        [ "$(wc -l <rows)" -eq 275 ]
        awk -f "$FORECOST_SOURCE/test/bed/regret.awk" -v most_mean=3 -v most_worst=10 rows
        # The shim gives nothing but one of the six, and no single one would do.
        awk '{ $3 = $9; print }' rows | awk -f "$FORECOST_SOURCE/test/bed/regret.awk" -v most_mean=3 -v most_worst=10 >/dev/null && false
        awk '{ is = 0; for (i = 4; i <= 9; i++) if (($i / $3 - 1) ^ 2 < 1e-6) is = 1; if (!is) { print; bad = 1 } } END { exit bad }' rows
    done
}

@test "from any root among processors that share nodes: at most 3 % from the best of six, 12 % at worst" {
    needs_bed
    unset BED_PROGRAM FORECOST_REPORT
    export FORECOST_TABLE=$PWD/nodes.yaml
    # Nodes of 4; and of 3, of which the last has one or two at most numbers of processors, and is
    # where few of a root's messages are near.
    for machine in 4/0:20:100,513:25:200 3/0:40:50,513:60:80; do
        export BED_GROUP=${machine%/*} BED_TRUTH_FAR=${machine#*/}
        timeout 100 "$bed" 12 0:2:800 2049:4:900 32769:12:950 -- --suite broadcast -o nodes.yaml --max-bytes 256k
        for roots in 0 any; do
            BED_PROGRAM=$FORECOST_BUILD/test/bed/regret timeout 100 "$bed" 12 0:2:800 2049:4:900 32769:12:950 -- 7 12 262144 "$roots" >rows
            [ "$(wc -l <rows)" -eq 132 ]
            awk '{ $3 = $9; print }' rows | awk -f "$FORECOST_SOURCE/test/bed/regret.awk" -v most_mean=3 -v most_worst=10 >/dev/null && false
            awk -f "$FORECOST_SOURCE/test/bed/regret.awk" -v most_mean=3 -v most_worst=12 rows
        done
    done
}

@test "a program in Fortran is served as well" {
    needs_mpi
    command -v mpif90 >/dev/null || skip "no mpif90"
    cat >program.f90 <<'END'
program served
    use mpi
    implicit none
    integer :: code, rank
    double precision :: numbers(3000)
    call MPI_Init(code)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
    numbers = merge(3.5d0, 0d0, rank == 1)
    call MPI_Bcast(numbers, 3000, MPI_DOUBLE_PRECISION, 1, MPI_COMM_WORLD, code)
    if (rank == 0 .and. all(numbers == 3.5d0)) print '(a)', 'same'
    call MPI_Finalize(code)
end program
END
    mpif90 -o program program.f90
    with_shim 2 ./program
    [ "$(cat output)" = same ]
    [ "$(said_of pbt)" -eq 1 ]
}
