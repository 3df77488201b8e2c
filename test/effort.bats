#!/usr/bin/env bats
# How long a calibration will take, said before it begins: on simulated machines, whose clock says how long
# it took.

setup() {
    [ -z "${FORECOST_NO_BED:-}" ] || skip "FORECOST_NO_BED is set"
    command -v smpirun >/dev/null || skip "SimGrid's smpirun is not installed (libsimgrid-dev)"
    smpi=$FORECOST_BUILD/trainer/trainer-smpi
    [ -x "$smpi" ] || skip "trainer-smpi was not built"
    [ -f "$FORECOST_BUILD/test/bed/libbed.so" ] || skip "the bed's platform was not built"
    bed=$FORECOST_SOURCE/test/bed/bed.sh
    abroad=$FORECOST_SOURCE/test/abroad/simulate.sh
    cd "$BATS_TEST_TMPDIR" || exit 1
}

# took OPTION...: what the line before the first part foretells, and what the last line says that it took, by the
# simulated clock, within 30 %. `machine`: the command up to the options.
took() {
    rm -f it.*
    timeout 600 "${machine[@]}" -o it.yaml "$@" 2>err
    [ "$(sed -n 's/^trainer: about .* of \([0-9]*\) ranks.*/\1/p' err)" -eq "$ranks" ]
    timeout 300 "${machine[@]}" -o no.yaml --dry-run "$@" >foretold.csv 2>line
    [ ! -e no.yaml ]
    awk -F, -v took="$(sed -n 's/^trainer: took \([^ ]*\) s .*/\1/p' err)" '
        $1 == "all" { foretold = $3 }
        END { print "foretold " foretold " s, took " took " s"; exit !(foretold < 1.3 * took && took < 1.3 * foretold) }' foretold.csv
}

@test "a torus: all patterns, quick collectives, LogP, within 30 % of what they take" {
    # Its library's alltoall is for powers of two alone.
    ranks=4 machine=("$abroad" torus 4 "$smpi")
    took --suite patterns --processors 2,4
    ranks=16 machine=("$abroad" torus 16 "$smpi")
    took --suite all-gather,combine --processors 2,4,8,16
    ranks=8 machine=("$abroad" torus 8 "$smpi")
    took --suite reduce,scatter,gather,shift --quick
    took --suite logp --max-bytes 4k
}

@test "nodes of 8: far and near, halos, within 30 % of what they take" {
    ranks=24 machine=("$abroad" nodes 24 "$smpi")
    took --suite distance,halos --quick --max-bytes 64k
}

@test "a straight line and three regions: within 30 % of what they take" {
    ranks=6 machine=("$bed" 6 0:5:200 1025:8:500 16385:30:950 --)
    took --suite patterns --max-bytes 64k
    ranks=13 machine=("$bed" 13 0:5:200 --)
    took --suite express --quick
}

@test "a budget that is too short is kept: what is cut short is named, and the end is foretold" {
    ranks=8 machine=("$abroad" torus 8 "$smpi")
    took --suite broadcast,exchange-pairs,combine --budget 0.2
    awk '/^trainer: took / { exit !($3 < 0.22) }' err
    grep -q 'with --budget 0.2: .*cut short: ' line
    awk -F, '$1 == "all" { exit !($2 > 0.2 && $3 <= 0.2001) }' foretold.csv
}

@test "a budget for everything is kept, with waiting, whose long computations would take twice as long" {
    ranks=4 machine=("$bed" 4 0:20:400 --)
    took --budget 20
    awk '/^trainer: took / { exit !($3 < 20.5) }' err
}

@test "a simulated library that cannot do it ends in a line that says what to do" {
    run timeout 300 "$abroad" torus 4 "$smpi" -o it.yaml --suite many-to-many --no-progress
    [ "$status" -ne 0 ]
    [[ $output == *"trainer: the simulated MPI library gave up"*"--processors 2,4,8"* ]]
}

@test "128 ranks: all of them have measured after a second, in a memory of some hundred MB" {
    ranks=128 machine=("$abroad" flat-1024 128 "$smpi")
    /usr/bin/time -f %M -o peak "${machine[@]}" -o it.yaml --suite synchronization,combine,one-to-many --quick --max-bytes 4k 2>err
    awk '{ for (i = 1; i < NF; i++) if ($i == "took") took = $(i + 1) } END { print took; exit !(took > 0 && took < 1) }' err
    [ "$(tail -1 peak)" -lt 1000000 ]
    # the sender of 127 messages is busy for 0.8 us and a tenth of a nanosecond a byte of each
    estimator cost it.yaml one-to-many -n 1000 -p 128 --format csv |
        awk -F, 'NR == 2 { off = $4 / (127 * 0.9) - 1; print $4; exit !(off < 0.01 && off > -0.01) }'
    for call in synchronization combine; do
        [ "$(estimator cost it.yaml "$call" -n 8 -p 128 --format csv | wc -l)" -eq 2 ]
    done
}
