#!/usr/bin/env bats
# Names and texts of tables and descriptions that a terminal would obey, or that would break lines,
# go through every command: nothing but printable characters comes out, and no line more.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    # Escapes, a title for the window, C1, a bell, a line end, text from the right, 5000 letters.
    hostile='\e[2J\e]0;owned\a\u009b31m\r\n\b\x7f\u202e'
    long=$(head -c 5000 /dev/zero | tr '\0' x)
    make_files evil.yaml evil-segment.yaml "$hostile$long"
    make_files good.yaml good-segment.yaml ""
}

# make_files TABLE DESCRIPTION TEXT: every text that they hold has TEXT (in YAML's escapes) in it;
# keys its beginning, as YAML has no longer ones.
make_files() {
    cat >"$1" <<END
forecost: 1
machine: {name: "m$3", title: "t$3", source: "s$3", processors: 4, measured: {date: "d$3", host: "h$3", cpu: "c$3", mpi: "m$3", options: "o$3"}}
communication:
  - {utility: point-to-point, source: "s$3", note: "n$3", regions: [{bytes_upto: 100, t0_us: 1, rinf_mb_per_s: 10}, {t0_us: 3, rinf_mb_per_s: 20}]}
  - {utility: many-to-many, regions: [{t0_us: 9, rinf_mb_per_s: 10}]}
  - {utility: "u$3", note: "n$3", regions: [{t0_us: 2, rinf_mb_per_s: 10}]}
node:
  clock_mhz: 100
  units: {"unit${3:0:600}": {add: 1, mul: 1, madd: 1, load: 2, store: 2}}
not_measured: [{what: "w$3", because: "b$3"}]
END
    cat >"$2" <<END
forecost-segment: 1
title: "t$3"
source: "s$3"
parameters: {N: 64}
arrays: {a: {extent: [N]}, b: {extent: [N]}}
candidates:
  "c${3:0:600}": {grid: [p], distribute: {a: [BLOCK], b: [BLOCK]}}
  "d${3:0:600}": {grid: [p], distribute: {a: [CYCLIC], b: [CYCLIC]}, redistribute: {after: "s$3", a: [BLOCK]}}
  "e${3:0:600}": {grid: [3], distribute: {a: [BLOCK], b: [BLOCK]}}
program:
  - segment: "s$3"
    body:
      - loop: {i: [1, N - 2]}
        body:
          - {statement: "st$3", writes: "a[i]", reads: ["b[i-1]", "b[i+1]"], operations: {add: 1, load: 2, store: 1}}
      - call: {utility: "u$3", bytes: 8}
END
}

# printable FILE: what a terminal may be given.
printable() {
    ! LC_ALL=C grep -naP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\xa8-\xae]' "$1" | head -c 300 | cat -v | grep .
}

# harmless ARGUMENT...: with EVIL and DESCRIPTION for the hostile files; the same with harmless ones
# has as many lines (an export writes a long name once more).
harmless() {
    local status=0 same=0
    timeout 20 estimator "${@/#@/evil}" >out 2>err || status=$?
    timeout 20 estimator "${@/#@/good}" >good.out 2>good.err || same=$?
    [ "$same" -eq 0 ] || { echo "$*:"; cat good.err; return 1; }
    [ "$status" -eq 0 ] || { echo "$*: status $status, $same"; cat -v err | head -c 500; return 1; }
    for stream in out err; do
        printable "$stream" || { echo "$*"; return 1; }
        [ "$1" = export ] || [ "$(wc -l <$stream)" -eq "$(wc -l <good.$stream)" ] || { echo "$*: other lines in $stream"; return 1; }
    done
    [ -s out ] || [ -s err ]
}

@test "tables: check, show, cost, compare, export, best-broadcast" {
    harmless check @.yaml @-segment.yaml
    for format in text csv json; do
        harmless show @.yaml --format "$format"
        harmless cost @.yaml point-to-point -n 8,1k --format "$format"
        harmless compare @.yaml "$FORECOST_SOURCE/machines/sp2-mpl.yaml" --format "$format"
    done
    for to in csv simgrid; do harmless export @.yaml --to "$to"; done
    harmless best-broadcast @.yaml
}

@test "descriptions: predict, rank, search, bound" {
    for format in text csv json; do
        harmless predict @.yaml @-segment.yaml -p 4 --format "$format"
        harmless rank @.yaml @-segment.yaml -p 4 --format "$format"
        harmless bound @.yaml @-segment.yaml --format "$format"
    done
    harmless predict @.yaml @-segment.yaml -p 4 --explain
    harmless rank @.yaml @-segment.yaml -p 4 --search
    harmless bound @.yaml @-segment.yaml --unit-table
}

@test "pictures: scripts with names of tables and of samples" {
    harmless plot point-to-point @.yaml
    printf 'sample,predicted_us,measured_us\n%b,1,1\n' "a$(printf '%s' '\033[2J\033]0;owned\a\0302\0233 31m\b\0177\0342\0200\0256')$long" >evilrows.csv
    printf 'sample,predicted_us,measured_us\na,1,1\n' >goodrows.csv
    harmless plot predictions @rows.csv
    grep -q 'x1b' out
}

@test "messages quote what was given, printable" {
    for text in $'\e[2J' $'two\nlines' $'\xc2\x9b31m' $'\xff'; do
        status=0
        estimator cost good.yaml "$text" 2>err || status=$?
        [ "$status" -eq 2 ]
        [ "$(wc -l <err)" -eq 1 ]
        printable err
        estimator check "no-such-$text.yaml" 2>err && false
        [ "$(wc -l <err)" -eq 1 ]
        printable err
        estimator "$text" 2>err && false
        printable err
    done
}

@test "text of every command fits 80 columns for every table and sample, and --wide has every column" {
    unset COLUMNS
    local longest=0 table sample
    # fits COMMAND...: of what is answered no line of several words is longer
    fits() {
        estimator "$@" >text 2>/dev/null || [ "$?" -le 2 ]
        awk 'length > 80 && / [^ ]/ { print "longer than 80: " $0; exit 1 }' text || { echo "$*"; false; }
    }
    for table in "$FORECOST_SOURCE"/machines/*.yaml; do
        fits show "$table"
        fits check "$table"
        fits plot --list "$table"
        fits cost "$table" broadcast,exchange,many-to-many -n 0,100,64k,1M -p 2,16
        fits best-broadcast "$table" -n 16,8k,1M -p 2,16
        fits compare "$table" "$FORECOST_SOURCE/machines/sp2-mpl.yaml"
        for sample in jacobi lu adi; do
            sample=$FORECOST_SOURCE/samples/$sample/$sample.yaml
            fits rank "$table" "$sample" -p 4,16 -D N=128,256
            fits predict "$table" "$sample" -p 16 --explain
            fits bound "$table" "$sample" --unit-table
            fits rank --communication-only "$table" "$sample" -p 16
        done
    done
    fits rank --search "$FORECOST_SOURCE/machines/sp2-mpl.yaml" "$FORECOST_SOURCE/samples/jacobi/jacobi.yaml" -p 16
    # What does not fit is named, and is there with --wide and in terminals that are wide.
    local rank=("$FORECOST_SOURCE/machines/sp2-mpl.yaml" "$FORECOST_SOURCE/samples/jacobi/jacobi.yaml" -p 16 -D N=128,256)
    estimator rank "${rank[@]}" | grep -q '^Left out here (--wide shows all): in MPI$'
    estimator rank --wide "${rank[@]}" >wide
    head -1 wide | grep -q ' in MPI '
    COLUMNS=200 estimator rank "${rank[@]}" | head -1 | grep -q ' in MPI '
    [ "$(estimator rank "${rank[@]}" -f csv)" = "$(COLUMNS=40 estimator rank "${rank[@]}" -f csv)" ]
    run estimator rank "${rank[@]}" --wide -f csv
    [ "$status" -eq 2 ]
}

@test "people read units: three digits of a time, bytes in full where they are few, MPI's names" {
    cat >units.yaml <<'END'
forecost: 1
machine: {name: units}
communication:
  - {utility: many-to-many, regions: [{t0_us: 0.5, rinf_mb_per_s: 1}]}
END
    shown() { estimator cost units.yaml "$1" -n "$2" -p 2 | awk 'NR == 2 { print $2, $3, $5, $6 }'; }
    [ "$(shown MPI_Alltoall 0)" = "0 B 500 ns" ]
    [ "$(shown alltoall 1000)" = "1000 B 1 ms" ]
    [ "$(shown many-to-many 64k)" = "64 KiB 65.5 ms" ]
    [ "$(shown ALLTOALL 12345678)" = "11.8 MiB 12.3 s" ]
    run estimator cost units.yaml MPI_Allreduce -n 8
    [ "$status" -eq 2 ]
    [ "$(estimator cost units.yaml alltoall -n 8 -p 2-5,9 -f csv | cut -d, -f3 | tr '\n' ' ')" = "processors 2 3 4 5 9 " ]
    run estimator cost units.yaml alltoall -n 8 -p 5-2
    [ "$status" -eq 2 ]
    [[ "$output" == *"a range ends before it starts"* ]]
}

@test "every command's help has an example, and the examples run" {
    unset COLUMNS
    local source=$FORECOST_SOURCE command example
    # In a folder like the source's, where files may be written.
    ln -s "$source/machines" "$source/samples" .
    printf 'segment,candidate,processors,compute_us,communicate_us,total_us,disturbed,check\nall,rows,2,900,100,1000,0,ok\n' >times.csv
    printf '# OSU MPI Latency Test v7.0\n# Size          Latency (us)\n1  1.00\n2  1.01\n4  1.02\n8  1.03\n' >osu_latency.txt
    for command in $(estimator --help | sed -nE 's/^  ([a-z-]+) .*/\1/p'); do
        example=$(estimator "$command" --help | sed '1,/^Example:/d' | tr -s ' \n' ' ')
        [[ $example == " estimator $command "* ]] || { echo "$command: no example"; false; }
        case $command in
        explore) ;; # asks a terminal
        describe | loops) [ ! -x "$FORECOST_BUILD/describer/describer" ] || bash -c "$example" >out ;;
        plot) ! command -v gnuplot >out || bash -c "$example" >out ;;
        *) bash -c "$example" >out ;;
        esac
    done
}

@test "rank --fastest: a row for each setting, with its winner, its lead, the share in MPI and the speed-up" {
    cat >t.yaml <<'END'
forecost: 1
machine: {name: t}
communication:
  - {utility: exchange, regions: [{t0_us: 10, rinf_mb_per_s: 10}]}
  - {utility: combine, regions: [{t0_us: 100}]}
node: {rate_mflops: 1000}
END
    cat >d.yaml <<'END'
forecost-segment: 1
parameters: {N: 1000}
arrays: {a: {extent: [N]}, b: {extent: [N]}}
candidates:
  near: {grid: [p], distribute: {a: [BLOCK], b: [BLOCK]}}
  far: {grid: [p], distribute: {a: [CYCLIC], b: [CYCLIC]}}
program:
  - segment: s
    repeat: 10
    body:
      - loop: {i: [1, N - 2]}
        body:
          - {statement: st, writes: "a[i]", reads: ["b[i-1]", "b[i+1]"], operations: {add: 100}}
END
    local sp2=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    estimator rank t.yaml d.yaml -p 1,4 -f csv >all
    estimator rank --fastest t.yaml d.yaml -p 1,4 -f csv >fastest
    [ "$(wc -l <fastest)" -eq 3 ]
    head -1 fastest | grep -qx 'processors,fastest,total_us,low_us,high_us,communication_percent,speed_up,flags'
    # Each is what the whole ranking says: times, shares, leads.
    awk -F, 'NR == FNR { if (FNR > 1 && $1 == 1 && !($3 in total)) { total[$3] = $6; share[$3] = 100 * $5 / $6 }; next }
        FNR > 1 { rows++
            if ($3 != total[$1] || ($6 - share[$1]) ^ 2 > 1e-12 || ($7 - total[1] / total[$1]) ^ 2 > 1e-12) { print; exit 1 } }
        END { exit rows != 2 }' all fastest
    awk -F, '$3 == 4 { time[$2] = $6 } END { printf "near (+%.0f %%)\n", 100 * (time["far"] / time["near"] - 1) }' all >lead
    [ "$(awk -F, '$1 == 4 { print $2 }' fastest)" = "$(cat lead)" ]
    [ "$(awk -F, '$1 == 1 { print $2, $7 }' fastest)" = "all alike 1" ]
    run estimator rank --fastest --bands t.yaml d.yaml -p 4
    [ "$status" -eq 2 ]
}
