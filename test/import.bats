#!/usr/bin/env bats
# Tables of what other programs have measured (test/import/README.md says which): what they print is
# what the table says, what they do not is not in it, and broken text is refused with its place.
bats_require_minimum_version 1.5.0 # run --separate-stderr

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    files=$FORECOST_SOURCE/test/import
}

# time_of TABLE UTILITY N P: what the table says that it takes.
time_of() {
    estimator cost "$1" "$2" -n "$3" -p "$4" -f csv | awk -F, 'NR == 2 { print $4 }'
}

# refuses LINE:COLUMN WORDS FILE [OPTION...]: one line with them, status 2, and nothing is written.
refuses() {
    local place=$1 words=$2 file=$3
    shift 3
    run --separate-stderr estimator import "$@" "$file" -o refused.yaml
    [ "$status" -eq 2 ]
    [ "${#stderr_lines[@]}" -eq 1 ]
    [[ $stderr == "estimator: $file:$place: "*"$words"* ]] || { echo "$stderr"; false; }
    [ ! -e refused.yaml ] && [ ! -e refused.points.csv ]
}

@test "osu: every row of a latency is a time of point-to-point, of two versions" {
    local version
    for version in 5.3 7.4; do
        estimator import "$files/osu-$version-latency.txt" -o "of-$version.yaml"
        estimator check "of-$version.yaml" >/dev/null
        grep -Eq '^    statistic: mean$' "of-$version.yaml"
        grep -Eq '^    across: root$' "of-$version.yaml"
        grep -E '^[0-9]' "$files/osu-$version-latency.txt" | awk '{ print $1 "," $2 }' >rows
        estimator cost "of-$version.yaml" point-to-point -n "$(cut -d, -f1 rows | paste -sd,)" -f csv | sed 1d |
            cut -d, -f2,4 | paste -d, rows - >both
        awk -F, '{ if ($1 != $3 || $4 < $2 / 1.06 - 0.01 || $4 > $2 * 1.06 + 0.01) { print; wrong = 1 } }
            END { exit wrong || NR < 15 }' both
    done
}

@test "osu: what one sees of all processes is the mean, with -f the longest, and the mean as its share" {
    estimator import -p 2 "$files/osu-7.4-allreduce.txt" "$files/osu-7.4-bcast.txt" -o of.yaml
    awk '/utility: combine/ { of = 1 } /utility: broadcast/ { of = 0 } of' of.yaml >combine
    grep -q 'across: mean' combine
    ! grep -q mean_over_maximum combine
    awk '/utility: broadcast/ { of = 1 } of' of.yaml >broadcast
    grep -q 'across: maximum' broadcast
    grep -q 'mean_over_maximum: 0\.' broadcast
    # 16384                    4.81              4.73              4.90         200
    time_of of.yaml broadcast 16384 2 | grep -Eq '^(4\.[6789]|5\.[01])'
    grep -q '^broadcast,1,16384,200,,,4.9,,,0.005,,1,1,' of.points.csv
}

@test "osu, imb: where all wait for all the longest has the wait for the last to leave the barrier: the mean counts" {
    estimator import -p 2 "$files/osu-7.4-barrier.txt" -o of.yaml
    grep -q 'across: mean' of.yaml
    ! grep -q mean_over_maximum of.yaml
    grep -E '^ *[0-9.]+ ' "$files/osu-7.4-barrier.txt" | awk '{ print $1 + 0 }' >told
    awk -F, '$1 == "synchronization" { print $7 + 0 }' of.points.csv | diff told -
    estimator import "$files/imb-2021.11.txt" -o of.yaml 2>/dev/null
    local test
    for test in Allreduce:combine Allgather:all-gather Alltoall:many-to-many Reduce_scatter:reduce-scatter; do
        grep -A9 "utility: ${test#*:}\$" of.yaml | grep -q 'across: mean'
        awk -v test="${test%:*}" '/Benchmarking/ { of = $3 == test } of && $1 == 1024 { print $5 + 0 }' \
            "$files/imb-2021.11.txt" >told
        awk -F, -v utility="${test#*:}" -v bytes="$([ "$test" = Reduce_scatter:reduce-scatter ] && echo 512 || echo 1024)" \
            '$1 == utility && $3 == bytes { print $7 + 0 }' of.points.csv | diff told -
    done
    for test in broadcast reduce gather scatter shift; do
        grep -A9 "utility: $test\$" of.yaml | grep -q 'across: maximum'
    done
}

@test "osu, imb: a broadcast timed from a barrier on is noted, one from changing roots is none" {
    local file note="each process by itself, from a barrier on"
    cat >call.yaml <<'END'
forecost-segment: 1
program: [{segment: send, body: [{call: {utility: broadcast, bytes: 1024, processors: 2}}]}]
END
    for file in "-p 2 $files/osu-7.4-bcast.txt" "$files/imb-2019.2.txt" "$files/imb-2021.11.txt"; do
        # shellcheck disable=SC2086 # an option and its value
        run --separate-stderr estimator import $file -o of.yaml
        [ "$status" -eq 0 ]
        [ "$(grep -c "estimator: remark: .*: $note" <<<"$stderr")" -eq 1 ]
        grep -A 12 'utility: broadcast$' of.yaml | grep -q "note: \"*$note"
        estimator predict of.yaml call.yaml --communication-only --format csv | grep -q receiver-time
        rm of.yaml of.points.csv
    done
    run --separate-stderr estimator import "$files/imb-2018-turns.txt" -o of.yaml
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
    ! grep -q "$note" of.yaml
    estimator predict of.yaml call.yaml --communication-only --format csv >row
    run ! grep -q receiver-time row
    for wrong in 's/-sync off/-sync on/' 's/-root_shift on/-root_shift off/' 's/-sync off -root_shift on//'; do
        rm of.yaml of.points.csv
        sed "$wrong" "$files/imb-2018-turns.txt" >wrong.txt
        run --separate-stderr estimator import wrong.txt -o of.yaml
        [ "$status" -eq 0 ]
        [[ $stderr == *"$note"* ]]
    done
}

@test "osu, imb: sums of other numbers than doubles are noted" {
    local file
    sed 's/for reductions    :   MPI_FLOAT/for reductions    :   MPI_DOUBLE/' "$files/imb-2019.2.txt" >doubles.txt
    for file in "-p 2 $files/osu-7.4-allreduce.txt MPI_CHAR 1" "$files/imb-2019.2.txt MPI_FLOAT 3" "doubles.txt sums 0"; do
        # shellcheck disable=SC2086 # words
        set -- $file
        run --separate-stderr estimator import "${@:1:$#-2}" -o of.yaml
        [ "$status" -eq 0 ]
        [ "$(grep -c "note: .*sums of" of.yaml)" -eq "${*: -1}" ]
        [ "${*: -1}" -eq 0 ] || [[ $stderr == *": sums of ${*: -2:1}; the trainer's are of MPI_DOUBLE"* ]]
        rm of.yaml of.points.csv
    done
}

@test "osu: files of several p become one utility, and -p is of the files behind it" {
    estimator import -p 2 "$files/osu-7.4-bcast.txt" -p 4 "$files/osu-7.4-bcast-4.txt" -o of.yaml
    grep -q 'processors: \[1, 3\]' of.yaml
    [ "$(grep -c 'utility: broadcast' of.yaml)" -eq 1 ]
    [ "$(grep -c '      - processors: ' of.yaml)" -eq 2 ]
    run --separate-stderr estimator import -p 4 "$files/osu-7.4-bcast.txt" "$files/osu-7.4-latency.txt" -o of.yaml
    [ "$status" -eq 0 ]
    grep -A7 'utility: point-to-point' of.yaml | grep -q 'processors: \[2, 2\]'
}

@test "osu: a block of reduce-scatter is a share of what is printed" {
    estimator import -p 2 "$files/osu-5.3-reduce_scatter.txt" "$files/osu-5.3-barrier.txt" -o of.yaml
    grep -E '^65536' "$files/osu-5.3-reduce_scatter.txt"
    grep -q '^reduce-scatter,2,32768,' of.points.csv
    ! grep -q '^reduce-scatter,2,65536,' of.points.csv
    grep -q '^synchronization,2,0,' of.points.csv
}

@test "osu: bandwidths of windows and pairs at once are no time of a pattern: left out, and named" {
    local name
    cat "$files/osu-7.4-latency.txt" "$files/osu-5.3-bw.txt" "$files/osu-7.4-multi_lat.txt" >all.txt
    run --separate-stderr estimator import all.txt -o of.yaml
    [ "$status" -eq 0 ]
    [ "${#stderr_lines[@]}" -eq 2 ]
    [[ ${stderr_lines[0]} == "estimator: remark: all.txt:"*": left out: MPI Bandwidth Test: messages of a window"* ]]
    grep -q 'what: MPI Multi Latency Test' of.yaml
    [ "$(grep -c 'utility:' of.yaml)" -eq 1 ]
    run --separate-stderr estimator import "$files/osu-5.3-bw.txt" -o none.yaml
    [ "$status" -eq 2 ] && [ ! -e none.yaml ]
    [[ $stderr == *"nothing that a table could have: MPI Bandwidth Test"* ]]
}

@test "imb: every test with a pattern of its meaning, of two versions; the others are named" {
    local version
    for version in 2019.2 2021.11; do
        run --separate-stderr estimator import "$files/imb-$version.txt" -o of.yaml
        [ "$status" -eq 0 ]
        [ "${#stderr_lines[@]}" -eq 6 ]
        [[ $stderr == *"left out: Exchange: around a ring"*": Bcast: each process by itself"*": Reduce: sums of MPI_FLOAT"*"left out: Uniband: "* ]]
        diff <(grep -o 'utility: .*' of.yaml | cut -d' ' -f2 | sort | paste -sd' ') - <<END
all-gather broadcast combine exchange gather many-to-many point-to-point reduce reduce-scatter scatter shift synchronization
END
        grep -q 'date: "\?2026-11-25' of.yaml
        # of the row of 1024 bytes the longest time, and as many repetitions
        awk '/Benchmarking Sendrecv/ { of = 1 } of && $1 == 1024 { print $2 " " $4; exit }' \
            "$files/imb-$version.txt" >row
        awk -F, '$1 == "shift" && $3 == 1024 { print $4 " " $7 }' of.points.csv |
            awk '{ getline row < "row"; split(row, told, " "); exit !($1 == told[1] && $2 + 0 == told[2] + 0) }'
        estimator check of.yaml >/dev/null
    done
}

@test "imb: processes are what it says, in several tables of one test; where it gave up is named" {
    run --separate-stderr estimator import "$files/imb-2021.11-4.txt" -o of.yaml
    [ "$status" -eq 0 ]
    grep -A9 'utility: combine' of.yaml | grep -q 'processors: \[2, 4\]'
    grep -A9 'utility: broadcast' of.yaml | grep -q 'processors: \[1, 3\]'
    [[ $stderr == *"left out: Bcast from "*" bytes on: time-out"* ]]
}

@test "netpipe: both files, and what it prints, are point-to-point" {
    estimator import "$files/netpipe-3.7.2.out" -o file.yaml
    estimator import "$files/netpipe-3.7.2.txt" -o printed.yaml
    estimator import "$files/netpipe-5.out" -o other.yaml
    grep -q 'statistic: minimum' file.yaml
    grep -q 'statistic: mean' other.yaml
    # printed with fewer digits
    awk -F, 'FNR > 1 { us[$3] = us[$3] ? us[$3] : $5; if (NR > FNR && ($5 > us[$3] * 1.02 || us[$3] > $5 * 1.02)) exit 1 }' \
        file.points.csv printed.points.csv
    [ "$(grep -c ^point-to-point file.points.csv)" -eq "$(grep -c . "$files/netpipe-3.7.2.out")" ]
}

@test "skampi: its ping-pong is a round trip; its standard error is that of the points" {
    estimator import -p 2 "$files/skampi-6.0.0.txt" -o of.yaml
    # count= 4096     4096      86.8       2.2       16; 90 of 100 within 1.645 of half of it
    grep -q '^point-to-point,2,4096,16,,,43.4,,,1.809[0-9]*,' of.points.csv
    grep -q 'utility: broadcast' of.yaml
    grep -q '^synchronization,2,0,8,' of.points.csv
    run --separate-stderr estimator import "$files/skampi-6.0.0.txt" -o refused.yaml
    [ "$status" -eq 2 ]
    [[ $stderr == *"how many processes took part is not said here: expected -p"* ]]
}

@test "hwloc: cores, caches and memory of both versions of its XML, beside times or alone" {
    local version
    for version in hwloc-2.9.0 hwloc-2.9.0-as-1; do
        estimator import "$files/$version.xml" "$files/osu-7.4-latency.txt" -o of.yaml
        grep -A7 '^topology:' of.yaml | tr -d '\n' |
            grep -q 'packages: 1  numa_nodes: 1  cores: 2  threads: 2  memory_bytes: 8415641600  told_by: hwloc' ||
            { cat of.yaml; false; }
        grep -q '{level: 1, told_capacity_bytes: 49152, told_line_bytes: 64, told_ways: 12}' of.yaml
        grep -q 'host: vm' of.yaml
        grep -q 'utility: point-to-point' of.yaml
    done
    estimator import "$files/hwloc-2.9.0.xml" -o alone.yaml
    estimator check alone.yaml >/dev/null
    [ ! -e alone.points.csv ]
}

@test "the table and its points are drawn, shown, compared and exported as measured ones are" {
    estimator import "$files/imb-2021.11.txt" -o of.yaml 2>/dev/null
    estimator show of.yaml | grep -q 'Intel(R) MPI Benchmarks 2021.11\|Intel MPI Benchmarks 2021.11'
    estimator export of.yaml --to csv >/dev/null
    estimator compare of.yaml of.yaml >/dev/null
    estimator report of.yaml -o of.html
    estimator cost of.yaml exchange -n 1k | grep -q exchange
}

@test "the same pattern at the same p from two files is refused, and the table there stays" {
    estimator import "$files/osu-7.4-latency.txt" -o refused.yaml
    cp refused.yaml before.yaml
    run --separate-stderr estimator import "$files/osu-7.4-latency.txt" "$files/osu-5.3-latency.txt" -o refused.yaml
    [ "$status" -eq 2 ]
    [[ $stderr == *"osu-5.3-latency.txt:1:1: point-to-point of 2 processes a second time, after that at"* ]]
    cmp refused.yaml before.yaml
}

@test "what stands beside the table and is no points stays, and the table is not written" {
    echo "my own file" >beside.points.csv
    run --separate-stderr estimator import "$files/osu-7.4-latency.txt" -o beside.yaml
    [ "$status" -eq 2 ] && [ "$stderr" = "estimator: beside.points.csv: would be replaced, and is another file: expected another -o" ]
    [ "$(cat beside.points.csv)" = "my own file" ] && [ ! -e beside.yaml ]
}

@test "osu: headings of versions 2 to 7, and of a build for devices, are of the same test" {
    local heading osu=$files/osu-5.3-latency.txt
    estimator import "$osu" -o first.yaml
    for heading in "# OSU MPI Latency Test (Version 2.1)" "# OSU MPI Latency Test v3.1.1" \
        "# OSU MPI Latency Test v5.6.3  " \
        "# OSU MPI-CUDA Latency Test v5.7\n# Send Buffer on HOST (H) and Receive Buffer on HOST (H)" \
        "# OSU MPI-ROCM Latency Test v7.2\n# Send Buffer on HOST (H) and Receive Buffer on HOST (H)\n# Datatype: MPI_CHAR."; do
        sed "1,/^# OSU/s|^# OSU.*|$heading|" "$osu" >other.txt
        run --separate-stderr estimator import other.txt -o other.yaml
        [ "$status" -eq 0 ] && [ -z "$stderr" ]
        diff <(grep -v 'source:\|name:' first.yaml) <(grep -v 'source:\|name:' other.yaml)
        rm other.yaml other.points.csv
    done
    grep -q 'source: .*OSU micro-benchmarks v5' first.yaml
    for heading in "# OSU MPI-CUDA Latency Test v5.7\n# Send Buffer on DEVICE (D) and Receive Buffer on HOST (H)" \
        "# OSU MPI-CUDA Latency Test v5.7\n# Send Buffer on MANAGED (M) and Receive Buffer on MANAGED (M)" \
        "# OSU MPI-CUDA Latency Test v7.5"; do
        sed "1,/^# OSU/s|^# OSU.*|$heading|" "$osu" >other.txt
        run --separate-stderr estimator import other.txt -o other.yaml
        [ "$status" -eq 2 ] && [ ! -e other.yaml ]
        [[ $stderr == *"MPI-CUDA Latency Test: its buffers "*" in the memory of a device (GPU)"* ]]
    done
}

@test "osu: a row whose validation failed is left out and named; what passed is as without validation" {
    local osu=$files/osu-7.4-latency.txt
    estimator import "$osu" -o first.yaml
    sed 's/^\(# Size.*\)/\1        Validation/; s/^\([0-9].*\)/\1              Pass/' "$osu" >passed.txt
    estimator import passed.txt -o passed.yaml
    diff <(grep -v name: first.yaml) <(grep -v name: passed.yaml)
    sed 's/^\(4096 .*\)Pass/\1Fail/' passed.txt >failed.txt
    run --separate-stderr estimator import failed.txt -o failed.yaml
    [ "$status" -eq 0 ]
    [[ $stderr == "estimator: remark: failed.txt:"*": left out: MPI Latency Test of 4096 bytes: its validation failed"* ]]
    grep -q 'what: MPI Latency Test of 4096 bytes' failed.yaml
    ! grep -q '^point-to-point,[^,]*,4096,' failed.points.csv
    [ "$(wc -l <failed.points.csv)" -eq "$(($(wc -l <passed.points.csv) - 1))" ]
}

@test "osu: of several data types one is taken, of sums MPI_DOUBLE; derived ones are left out" {
    local osu=$files/osu-7.4-allreduce.txt
    grep -E '^[0-9]' "$osu" >rows
    {
        printf '# OSU MPI Allreduce Latency Test v7.4\n'
        for type in MPI_CHAR MPI_DOUBLE MPI_INT; do
            printf '# Datatype: %s.\n# Size       Avg Latency(us)\n' $type
            awk -v of=$type '{ print $1, $2 * (of == "MPI_DOUBLE" ? 3 : 1) }' rows
        done
    } >types.txt
    run --separate-stderr estimator import -p 2 types.txt -o of.yaml
    [ "$status" -eq 0 ]
    [[ $stderr == *"left out: MPI Allreduce Latency Test of MPI_CHAR: "*"left out: MPI Allreduce Latency Test of MPI_INT: "* ]]
    ! grep -q 'note: .*sums of' of.yaml
    awk -F, 'NR > 1 { print $3 + 0, $7 + 0 }' of.points.csv | diff <(awk '{ print $1, $2 * 3 }' rows) -
    sed 's/Allreduce/Allgather/' types.txt >gather.txt
    estimator import -p 2 gather.txt -o gather.yaml
    awk -F, 'NR > 1 { print $3 + 0, $7 + 0 }' gather.points.csv | diff <(awk '{ print $1, $2 + 0 }' rows) -
    sed 's/^\(# Size.*\)/\1    Transmit Size/; s/^\([0-9].*\)/\1  8/' "$files/osu-7.4-latency.txt" >derived.txt
    run --separate-stderr estimator import derived.txt -o derived.yaml
    [ "$status" -eq 2 ] && [[ $stderr == *"derived data type"* ]]
}

@test "netpipe: each printed number has its unit, of versions 2 to 5" {
    cat >five.txt <<'END'

      Clock resolution ~  41.000 nsecs      Clock accuracy ~  52.000 nsecs

Start testing with 7 trials for each message size
  1:       1  B     24999 times -->   16.000 Mbps  in  500.000 nsecs
  2:     999  B      7999 times -->    7.992 Gbps  in    1.000 usecs
  3:   8.195 KB      3999 times -->   65.560 Kbps  in    1.000 secs
  4:   1.049 MB        99 times -->    4.196 Mbps  in    2.000 secs
END
    estimator import five.txt -o five.yaml
    [ "$(awk -F, 'NR > 1 { print $3 + 0 ":" $7 + 0 }' five.points.csv | paste -sd' ')" = \
        "1:0.5 999:1 8195:1000000 1049000:2000000" ] || { cat five.points.csv; false; }
    grep -q 'statistic: mean' five.yaml
    cat >two.txt <<'END'
Latency: 0.000123
Now starting main loop
  0:         1 bytes 2037 times -->    0.06 Mbps in 0.000123 sec
  1:      4096 bytes    7 times -->   24.96 Mbps in 0.001252 sec
END
    estimator import two.txt -o two.yaml
    [ "$(awk -F, 'NR > 1 { print $3 + 0 ":" $5 + 0 }' two.points.csv | paste -sd' ')" = "1:123 4096:1252" ]
    grep -q 'statistic: minimum' two.yaml
    printf '0.000123 0.062030 8 1 0.0\n0.001252 24.960000 32768 4096 0.0\n' >two.out
    estimator import two.out -o two-file.yaml
    [ "$(awk -F, 'NR > 1 { print $3 + 0 ":" $5 + 0 }' two-file.points.csv | paste -sd' ')" = "1:123 4096:1252" ]
    sed 's/1.000 usecs/1.000 weeks/' five.txt >weeks.txt
    refuses 6:64 "expected one of NetPIPE's units" weeks.txt
    sed 's/7.992 Gbps/7.992 Mbps/' five.txt >rate.txt
    refuses 6:40 "is not the rate of 999 bytes" rate.txt
    { echo 'Streaming in one direction only.'; cat two.txt; } >stream.txt
    refuses 1:1 "not those of a ping-pong" stream.txt
}

@test "imb 2.3 and PMB have no last line: all was printed where the last table is that of the last benchmark" {
    local lines
    sed '/^# All processes entering/,$d' "$files/imb-2019.2.txt" |
        sed 's/^#    Intel.*/#    PALLAS MPI Benchmark Suite V2.2, MPI-1 part/; s/^# #processes = \([0-9]*\) *$/# ( #processes = \1 ) /' >pmb.txt
    estimator import "$files/imb-2019.2.txt" -o of.yaml 2>/dev/null
    estimator import pmb.txt -o pmb.yaml 2>/dev/null
    grep -q 'source: .*Pallas MPI Benchmark Suite V2.2' pmb.yaml
    diff <(grep -v 'source:\|name:' of.yaml) <(grep -v 'source:\|name:' pmb.yaml)
    lines=$(awk '/Benchmarking/ { at = NR } END { print at }' pmb.txt)
    head -n $((lines - 3)) pmb.txt >short.txt
    run --separate-stderr estimator import short.txt -o short.yaml
    [ "$status" -eq 2 ] && [[ $stderr == *"ends before '# All processes entering MPI_Finalize'"* ]]
    # a table that is cut off, and one that others wait for
    sed -n '1,/^# List of/p' pmb.txt >head.txt
    { cat head.txt; printf '# Bcast\n#---\n'; sed -n '/^# Benchmarking Bcast/,/^ *64 /p' pmb.txt; } >cut.txt
    run --separate-stderr estimator import cut.txt -o cut.yaml
    [ "$status" -eq 2 ] && [[ $stderr == *"ends before"* ]]
    { cat head.txt; printf '# Bcast\n#---\n'; sed -n '/^# Benchmarking Bcast/,/^# Benchmarking Reduce/p' pmb.txt | sed '$d'; } >whole.txt
    estimator import whole.txt -o whole.yaml 2>/dev/null
    sed '/#processes/a # ( 2 additional processes waiting in MPI_Barrier)' whole.txt >waiting.txt
    run --separate-stderr estimator import waiting.txt -o waiting.yaml
    [ "$status" -eq 2 ] && [[ $stderr == *"ends before"* ]]
}

@test "labels before each line, and lines of launchers before, between and behind, change nothing" {
    local file label
    mkdir plain labelled
    for file in osu-7.4-latency osu-5.3-bcast imb-2021.11 skampi-6.0.0 netpipe-3.7.2; do
        estimator import -p 2 "$files/$file.txt" -o plain/of.yaml 2>/dev/null
        for label in '[1,0]<stdout>:' '[prterun-n01-123@1,0]<stdout>: ' '0: ' ' 3: ' '[0] ' 'n01 | ' '> ' \
            'Mon Nov  9 10:11:12 2020[1,0]<stdout>:' '2024-02-03T10:11:12.345 '; do
            awk -v label="$label" 'BEGIN { print "srun: job 17 queued and waiting for resources" }
                { own = label; sub("11:12", sprintf("11:%02d", NR % 60), own); print own $0 }
                NR % 9 == 5 { print "[n01:4711] 1 more process has sent help message help-mpi-btl-openib.txt"; print label }
                NR % 11 == 6 { print "WARNING: There was an error initializing an OpenFabrics device." }
                END { print "srun: Job step 17.0 completed"; print "" }' "$files/$file.txt" >"$file.txt"
            estimator import -p 2 "$file.txt" -o labelled/of.yaml 2>remarks || { echo "$file '$label'"; cat remarks; false; }
            cmp plain/of.yaml labelled/of.yaml
            cmp plain/of.points.csv labelled/of.points.csv
            [ $file = netpipe-3.7.2 ] || grep -q "remark: .*skipped [0-9]* lines that the benchmark did not print" remarks
        done
    done
    # a broken row is none of a launcher
    sed '7s/^[0-9]*/x/' "$files/osu-7.4-latency.txt" >broken.txt
    refuses 7:1 "expected message bytes" broken.txt
    sed '7s/^/0: /; 8s/^\(.*\)/0: \1 x/; 4s/^/0: /' "$files/osu-7.4-latency.txt" >place.txt
    run --separate-stderr estimator import place.txt -o place.yaml
    [ "$status" -eq 2 ]
}

@test "humps, dips and wide steps of three sizes and more are regions, held-out sizes among them" {
    local shape from wide times
    for shape in hump dip step; do
        for from in 3 8 14; do
            for wide in 3 5; do
                for times in 1.3 10; do
                    awk -v shape=$shape -v from=$from -v wide=$wide -v times=$times 'BEGIN {
                        print "# OSU MPI Latency Test v5.8"; print "# Size          Latency (us)"
                        for (i = 0; i < 23; i++) {
                            n = 2 ^ i; t = 2 + n / 10000; inside = i >= from && i < from + wide
                            if (shape == "hump" && inside) t *= times
                            if (shape == "dip" && inside) t /= times
                            if (shape == "step" && i >= from) t = 2 * times + n / 9000
                            if (shape == "step" && i >= from + wide) t = 2 * times ^ 2 + n / 8000
                            printf "%d %.2f\n", n, t
                        } }' >curve.txt
                    estimator import curve.txt -o curve.yaml
                    [ "$(grep -c 't0_us:' curve.yaml)" -eq 3 ] || { echo "$shape $from $wide $times"; cat curve.yaml; false; }
                    ! grep 'held_out_p95: 0\.0[5-9]\|held_out_p95: 0\.[1-9]\|held_out_p95: [1-9]' curve.yaml
                done
            done
        done
    done
    # a hump of two sizes is no region: what the regions alone are off is said
    awk 'BEGIN { print "# OSU MPI Latency Test v5.8"; print "# Size          Latency (us)"
        for (i = 0; i < 23; i++) printf "%d %.2f\n", 2 ^ i, (2 + 2 ^ i / 10000) * (i == 9 || i == 10 ? 5 : 1) }' >two.txt
    estimator import two.txt -o two.yaml
    run --separate-stderr estimator export two.yaml --to simgrid -p 2 -o two.xml
    [ "$status" -eq 0 ]
    [[ $stderr == *"the regions of point-to-point are up to "*" % off what was measured"* ]]
    estimator cost two.yaml point-to-point -n 512 -f csv | awk -F, 'NR == 2 { exit !($4 > 10 && $4 < 10.5) }'
}

@test "a time that no clock tells is refused with its place" {
    local time
    for time in 1e-156 1e-300 1e200; do
        printf '# OSU MPI Latency Test v5.8\n# Size          Latency (us)\n1 %s\n2 %s\n4 %s\n' $time $time $time >tiny.txt
        refuses 3:1 "us: expected 1e-06 to 1e+12 us" tiny.txt
    done
}

@test "hwloc: cores of two kinds are both described, in either order" {
    local big small
    big='<object type="L2Cache" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x1" complete_nodeset="0x1" gp_index="10" cache_size="1310720" depth="2" cache_linesize="64" cache_associativity="10" cache_type="0"><object type="L1Cache" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x1" complete_nodeset="0x1" gp_index="11" cache_size="49152" depth="1" cache_linesize="64" cache_associativity="12" cache_type="1"><object type="Core" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x1" complete_nodeset="0x1" gp_index="12"><object type="PU" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001" nodeset="0x1" complete_nodeset="0x1" gp_index="13"/></object></object></object>'
    small=
    for i in 1 2; do
        small+="<object type=\"L1Cache\" os_index=\"$i\" cpuset=\"0x0000000$((1 << i))\" complete_cpuset=\"0x0000000$((1 << i))\" nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"2$i\" cache_size=\"32768\" depth=\"1\" cache_linesize=\"64\" cache_associativity=\"8\" cache_type=\"1\"><object type=\"Core\" os_index=\"$i\" cpuset=\"0x0000000$((1 << i))\" complete_cpuset=\"0x0000000$((1 << i))\" nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"3$i\"><object type=\"PU\" os_index=\"$i\" cpuset=\"0x0000000$((1 << i))\" complete_cpuset=\"0x0000000$((1 << i))\" nodeset=\"0x1\" complete_nodeset=\"0x1\" gp_index=\"4$i\"/></object></object>"
    done
    for order in "$big$small" "$small$big"; do
        printf '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE topology SYSTEM "hwloc2.dtd">\n<topology version="2.0"><object type="Machine" os_index="0" cpuset="0x00000007" complete_cpuset="0x00000007" allowed_cpuset="0x00000007" nodeset="0x1" complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1"><object type="NUMANode" os_index="0" cpuset="0x00000007" complete_cpuset="0x00000007" nodeset="0x1" complete_nodeset="0x1" gp_index="2" local_memory="8589934592"/>%s</object></topology>\n' "$order" >kinds.xml
        run --separate-stderr estimator import kinds.xml -o kinds.yaml
        [ "$status" -eq 0 ]
        [[ $stderr == *"cores of 2 kinds differ: 2 with L1 of 32768 bytes; 1 with L1 of 49152 bytes, L2 of 1310720 bytes"* ]] || { echo "$stderr"; false; }
        grep -q 'level: 1, told_capacity_bytes: 32768' kinds.yaml
        grep -q 'what: cores of different kinds, is: "2 with .*; 1 with ' kinds.yaml
    done
}

@test "text that is cut, broken or of another language is refused with its place" {
    local osu=$files/osu-7.4-latency.txt imb=$files/imb-2021.11.txt
    head -c 200 "$osu" >cut.txt
    refuses 9:5 "ends within a line" cut.txt
    sed '6s/\./,/' "$osu" >comma.txt
    refuses 6:25 "expected a time in us" comma.txt
    sed '7s/ .*/ /' "$osu" >column.txt
    refuses 7:1 "1 words: expected 2" column.txt
    sed '8s/^[0-9]*/1/' "$osu" >back.txt
    refuses 8:1 "expected sizes upwards" back.txt
    sed '8s/ [0-9.]*$/ nan/' "$osu" >nan.txt
    refuses "8:$(sed -n 8p nan.txt | awk '{ print index($0, "nan") }')" "'nan': expected a time" nan.txt
    sed 's/^# OSU.*/# OSU MPI Latenz-Test v7.4/' "$osu" >german.txt
    run --separate-stderr estimator import german.txt -o refused.yaml
    [ "$status" -eq 2 ] && [ ! -e refused.yaml ]
    [[ $stderr == *"MPI Latenz-Test: no pattern of the same meaning"* ]]
    sed 's/^# Size.*/# Taille     Latence (us)/' "$osu" >french.txt
    refuses 5:1 "then a line of columns" french.txt
    head -60 "$imb" >short.txt
    refuses 60:1 "ends before '# All processes entering MPI_Finalize'" short.txt
    sed 's/#processes = 2 /#processes = zwei/' "$imb" >word.txt
    refuses "$(grep -n zwei word.txt | head -1 | cut -d: -f1):16" "expected processes" word.txt
    sed '$d' "$files/hwloc-2.9.0.xml" >open.xml
    run --separate-stderr estimator import open.xml -o refused.yaml
    [ "$status" -eq 2 ]
    [[ $stderr == *"ends before </topology>"* ]]
    sed 's/^# end result "MPI_Bcast.*//' "$files/skampi-6.0.0.txt" >result.txt
    run --separate-stderr estimator import -p 2 result.txt -o refused.yaml
    [ "$status" -eq 2 ]
    [[ $stderr == *": a result without '# end result'"* ]]
    sed '3s/ 3 / 4 /' "$files/netpipe-3.7.2.out" >rate.out
    refuses 3:10 "is not the rate of 4 bytes" rate.out
    printf 'Bonjour\n' >other.txt
    refuses 1:1 "not known by its content" other.txt
    : >empty.txt
    refuses 1:1 "empty" empty.txt
    printf 'a\0b\n' >zero.txt
    refuses 1:2 "a byte of zero" zero.txt
    [ ! -e refused.yaml ]
}

@test "whatever single byte of a text is changed, there is a table or one line and status 2" {
    local file i bytes
    for file in osu-7.4-bcast.txt skampi-6.0.0.txt hwloc-2.9.0.xml netpipe-5.out; do
        bytes=$(wc -c <"$files/$file")
        for i in 1 2 3 4 5 6 7 8 9 10; do
            cp "$files/$file" changed
            printf '%b' "$(printf '\\%03o' $((33 + i * 7 % 90)))" |
                dd of=changed bs=1 seek=$((i * 7919 * 13 % bytes)) conv=notrunc status=none
            run --separate-stderr estimator import -p 2 changed -o changed.yaml
            [ "$status" -eq 0 ] || { [ "$status" -eq 2 ] && [ "${#stderr_lines[@]}" -eq 1 ]; } || {
                echo "$file, byte $((i * 7919 * 13 % bytes)): $status $stderr"
                false
            }
        done
    done
}
