#!/usr/bin/env bats
# Rehearsals: what a description says is run, what arrives is looked at, and predictions are scored.

setup() {
    samples=$FORECOST_SOURCE/samples
    jacobi=$samples/jacobi/jacobi.yaml
    mpiexec=${MPIEXEC:-mpiexec}
    cd "$BATS_TEST_TMPDIR" || exit 1
    export ASAN_OPTIONS=detect_leaks=0 # MPICH leaks at exit
}

need_trainer() {
    [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "the trainer was not built (--without-mpi)"
    command -v "$mpiexec" >/dev/null || skip "no $mpiexec"
    [[ $mpiexec != *smpirun* ]] || skip "configured for the simulated bed"
}

need_bed() {
    [ -z "${FORECOST_NO_BED:-}" ] || skip "FORECOST_NO_BED is set"
    command -v smpirun >/dev/null || skip "SimGrid's smpirun is not installed (libsimgrid-dev)"
    [ -x "$FORECOST_BUILD/trainer/trainer-smpi" ] || skip "trainer-smpi was not built"
    [ -f "$FORECOST_BUILD/test/bed/libbed.so" ] || skip "the bed's platform was not built"
    bed=$FORECOST_SOURCE/test/bed/bed.sh
}

# rehearse P ARGUMENT...: with MPICH, ranks sharing cores where they have to; nothing is timed here,
# and nothing cut off.
rehearse() {
    local p=$1
    shift
    timeout 300 "$mpiexec" -n "$p" trainer --oversubscribe --budget 600 --accuracy 1 --rehearse "$@"
}

# column NAME FILE: of the rows "all".
column() {
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
        $1 == "all" { print $at }' "$2"
}

@test "every sample is rehearsed, all candidates, and everything arrives as it was sent" {
    need_trainer
    while read -r program description settings candidates; do
        parameters=$(tr , '\n' <<<"${settings%%;*}" | sed 's/^/-D/')
        # shellcheck disable=SC2086 # parameters are words
        rehearse 4 "$samples/$program/$description" $parameters -o times.csv
        [ "$(column check times.csv | sort -u)" = right ]
        [ -z "$(column missing times.csv | tr -d '\n')" ]
        for candidate in $candidates; do
            grep -q "^all,${candidate%%:*},4," times.csv || { echo "$description: no $candidate"; false; }
        done
    done < <(grep -v '^#' "$FORECOST_SOURCE/test/validate/samples")
}

@test "one byte that arrives wrong is found, and whose it was: exit status 1" {
    need_trainer
    spoil=$FORECOST_BUILD/test/rehearse/spoil.so
    [ -f "$spoil" ] || skip "spoil.so was not built"
    # shellcheck disable=SC2016 # the library goes before MPI's, in the ranks alone
    spoiled() { timeout 60 "$mpiexec" -n 4 env LD_PRELOAD="$spoil" trainer --oversubscribe --rehearse "$@"; }
    ldd "$FORECOST_BUILD/trainer/trainer" | grep -q libasan && skip "AddressSanitizer must be loaded first"
    run spoiled "$jacobi" -D N=64
    [ "$status" -eq 1 ]
    [ "$output" = "trainer: sweep: what arrived is not what was sent: u[i-1][j], u[i+1][j] along grid dimension 0 (exchange)" ]
    run spoiled "$samples/matvec/matvec.yaml" -D N=64 --candidate rows
    [ "$status" -eq 1 ]
    [[ "$output" == *"(all-gather)" ]]
    run spoiled "$samples/adi/adi.yaml" -D N=64 --candidate redistributed
    [ "$status" -eq 1 ]
    [[ "$output" == *"redistribute before vertical: what arrived is not what was sent: u (many-to-many)" ]]
    run spoiled "$samples/adi/adi.yaml" -D N=64 -D strip=8 --candidate pipelined
    [ "$status" -eq 1 ]
    [[ "$output" == *"pipelined along grid dimension 0" ]]
}

@test "bad input is one line and exit status 2 on all ranks" {
    need_trainer
    refuses() { # refuses MESSAGE ARGUMENT...
        local message=$1
        shift
        run rehearse 2 "$@"
        [ "$status" -eq 2 ] && [ "${#lines[@]}" -eq 1 ] && [[ "$output" == *"$message"* ]] || {
            echo "$*: $status: $output"
            false
        }
    }
    refuses "no candidate 'diagonal'" "$jacobi" --candidate diagonal
    refuses "-D M=3" "$jacobi" -D M=3
    refuses "-D N: expected NAME=VALUE" "$jacobi" -D N
    refuses "nothing.yaml: cannot be read" nothing.yaml
    refuses "expected at most" "$jacobi" -D N=1000000
    refuses "cannot be written" "$jacobi" -D N=64 -o nowhere/times.csv
    refuses "neither --validate" "$jacobi" --resume
    sed 's/grid: \[p\], distribute: {u: \[BLOCK, "\*"\]}/grid: [p + 1], distribute: {u: [BLOCK, "*"]}/' "$jacobi" >odd.yaml
    refuses "odd.yaml" odd.yaml --candidate rows
    run timeout 60 "$mpiexec" -n 2 trainer --candidate rows
    [ "$status" -eq 2 ]
    [[ "$output" == *"expected with --rehearse"* ]]
}

@test "candidates that do not fit are named, the others rehearsed" {
    need_trainer
    sed 's/rows: {grid: \[p\]/rows: {grid: [p + 1]/' "$jacobi" >odd.yaml
    rehearse 2 odd.yaml -D N=64 >times.csv 2>said
    grep -q 'rows left out: odd.yaml' said
    [ "$(awk -F, '$1 == "all" { print $2 }' times.csv | tr '\n' ' ')" = "columns blocks " ]
}

@test "what cannot be rehearsed is said by name, and the total is not scored" {
    need_trainer
    sed 's/utility: combine/utility: shuffle/' "$jacobi" >strange.yaml
    rehearse 2 strange.yaml -D N=64 --candidate rows >times.csv
    grep -q '^converge,rows,2,.*,right,call (shuffle): the trainer has no utility of that name$' times.csv
    grep -q '^all,rows,2,.*,right,converge: call (shuffle): the trainer has no utility of that name$' times.csv
    estimator score "$FORECOST_SOURCE/machines/sp2-mpl.yaml" "$jacobi" times.csv --format csv >rows
    grep -q '^rows,2,"\?N=64 sweeps=100"\?,all,.*,partial$' rows
    [ -z "$(estimator score "$FORECOST_SOURCE/machines/sp2-mpl.yaml" "$jacobi" times.csv --section ranking --format csv | tail -n +2)" ]
}

@test "long repetitions are scaled from fewer" {
    need_trainer
    rehearse 2 "$jacobi" -D N=3000 -D sweeps=1000000 >times.csv
    awk -F, '$1 == "sweep" { rows++; if (!($6 == 1000000 && $7 > 0 && $7 < 10000 && $10 > 1e6)) bad = 1 }
        END { exit bad || rows != 3 }' times.csv
}

# make_long: segments of which `work` would take years a repetition, in another way each: in elements,
# in the operations of one, in messages, in the strips of a pipeline.
make_long() {
    cat >elements.yaml <<'END'
forecost-segment: 1
arrays:
  u: {extent: [64], element_bytes: 8}
candidates:
  blocks: {grid: [p], distribute: {u: [BLOCK]}}
program:
  - segment: first
    body:
      - call: {utility: combine, bytes: 8}
  - segment: work
    repeat: 3
    body:
      - loop: {i: [0, 63]}
        body:
          - loop: {k: [1, 1000000000000]}
            body:
              - {statement: grind, writes: "u[i]", reads: ["u[i]"], operations: {madd: 1}}
  - segment: last
    body:
      - call: {utility: combine, bytes: 8}
END
    sed -e 's/k: \[1, 1000000000000\]/k: [1, 1]/' -e 's/madd: 1}/madd: 1.0e+15}/' elements.yaml >operations.yaml
    cat >messages.yaml <<'END'
forecost-segment: 1
arrays:
  u: {extent: [64], element_bytes: 8}
candidates:
  blocks: {grid: [p], distribute: {u: [BLOCK]}}
program:
  - segment: first
    body:
      - call: {utility: combine, bytes: 8}
  - segment: work
    repeat: 3
    body:
      - loop: {k: [1, 1000000000]}
        body:
          - call: {utility: combine, bytes: 1048576}
  - segment: last
    body:
      - call: {utility: combine, bytes: 8}
END
    cat >strips.yaml <<'END'
forecost-segment: 1
arrays:
  u: {extent: [64, 40000], element_bytes: 8}
candidates:
  blocks: {grid: [p], distribute: {u: [BLOCK, "*"]}}
program:
  - segment: first
    body:
      - call: {utility: combine, bytes: 8}
  - segment: work
    repeat: 3
    body:
      - loop: {i: [1, 63]}
        body:
          - loop: {j: [0, 39999]}
            body:
              - {statement: pass, writes: "u[i][j]", reads: ["u[i-1][j]"], operations: {madd: 1.0e+9}, strip: 1}
  - segment: last
    body:
      - call: {utility: combine, bytes: 8}
END
}

@test "a budget ends inside a repetition, whatever makes it long, and what is cut off is no number" {
    need_trainer
    make_long
    for kind in elements operations messages strips; do
        timeout -k 5 60 "$mpiexec" -n 2 trainer --oversubscribe --budget 8 --accuracy 1 --rehearse $kind.yaml -o $kind.csv 2>said
        # The two that are short may not get their turn either on a machine that others use.
        cut=$(sed -n 's/^trainer: \([12]\) of 3 segments and redistributions were not measured: the budget of 8 s left too little time$/\1/p' said)
        [ -n "$cut" ] || { cat said $kind.csv; false; }
        grep -q '^work,blocks,2,3,0,-,-,-,-,-,unchecked,not measured: the budget left too little time$' $kind.csv
        grep -q '^all,blocks,2,.*,-,-,-,-,-,unchecked,.*work: not measured: the budget left too little time' $kind.csv
        [ "$(grep -cE '^(first|last),blocks,2,1,[0-9.e-]+,[0-9]' $kind.csv)" -eq $((3 - cut)) ]
    done
    estimator score "$FORECOST_SOURCE/machines/sp2-mpl.yaml" messages.yaml messages.csv --section times --format csv >rows
    [ "$(cut -d, -f4 rows | tail -n +2)" = "$(grep -E '^(first|last),blocks,2,1,[0-9.e-]+,[0-9]' messages.csv | cut -d, -f1)" ]
}

@test "a signal inside a repetition ends the rehearsal in order: what was measured is kept, no rank is left" {
    need_trainer
    make_long
    for kind in elements operations messages strips; do
        rm -f $kind.csv
        "$mpiexec" -n 2 trainer --oversubscribe --budget 10000 --rehearse "$PWD/$kind.yaml" -o "$PWD/$kind.csv" 2>said 3>&- &
        launcher=$!
        sleep 4 # whatever is under way then: a rehearsal that is never asked to end takes half of the budget
        kill -TERM "$launcher"
        for ((i = 0; i < 300; i++)); do
            pgrep -f -- "--rehearse $PWD/$kind.yaml" >/dev/null || break
            sleep 0.1
        done
        ! pgrep -af -- "--rehearse $PWD/$kind.yaml" || { pkill -KILL -f -- "--rehearse $PWD/$kind.yaml"; false; }
        wait "$launcher" || true # Hydra makes 0 of it at times
        ! grep -q '^work' $kind.csv || false
    done
}

@test "a rehearsal that measures nothing leaves the file of before, and says so" {
    need_trainer
    make_long
    sed -e '/segment: first/,/combine/d' -e '/segment: last/,$d' elements.yaml >alone.yaml
    echo "segment,candidate,processors,of before" | tee before >times.csv
    run timeout -k 5 60 "$mpiexec" -n 2 trainer --oversubscribe --budget 0.5 --rehearse alone.yaml -o times.csv
    [ "$status" -eq 1 ]
    [[ "$output" == *"trainer: nothing was measured: times.csv is as it was"* ]]
    cmp before times.csv
}

@test "a rehearsal's times take no other file's place" {
    need_trainer
    mkfifo pipe
    mkdir folder
    ln -s pipe link
    cp "$FORECOST_SOURCE/machines/sp2-mpl.yaml" table.yaml
    for name in pipe folder link table.yaml; do
        run rehearse 2 "$jacobi" -D N=64 -o "$name"
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
        [[ "$output" == "trainer: $name: "* ]]
    done
    [ -p pipe ] && [ -d folder ] && [ -L link ]
    cmp table.yaml "$FORECOST_SOURCE/machines/sp2-mpl.yaml"
    # nor that of a file of its own kind, by a link
    ln -s real.csv also.csv
    echo "segment,candidate,processors," >real.csv
    run rehearse 2 "$jacobi" -D N=64 --candidate rows -o also.csv
    [ "$status" -eq 2 ]
    [[ "$output" == "trainer: also.csv: is a link: "* ]]
    [ -L also.csv ] && [ "$(wc -l <real.csv)" -eq 1 ] && [ -z "$(ls -- *.part 2>/dev/null)" ]
}

# A machine on which operations take no time, so that predictions are of communication alone.
make_table() { # make_table P
    # shellcheck disable=SC2086 # regions are words
    timeout 200 "$bed" "$1" $truth -- -o bed.yaml --suite patterns,exchange-pairs --max-bytes 32k >/dev/null
    cat >>bed.yaml <<'END'
node:
  clock_mhz: 1.0e+12
  units:
    all: {add: 1, mul: 1, madd: 1, div: 1, sqrt: 1, load: 1, store: 1}
memory:
  levels:
    - {level: 1, capacity_bytes: 65536, line_bytes: 64}
    - {level: memory, load_line_cycles: 0, store_line_cycles: 0}
END
}

@test "on a simulated machine all samples at p = 4 and 16 take what is predicted: median below 1 %, all within 12 %" {
    need_bed
    truth="0:5:200 1025:8:500 16385:30:950"
    make_table 16
    for p in 4 16; do
        while read -r program description settings _; do
            parameters=$(tr , '\n' <<<"${settings%%;*}" | sed 's/^/-D/')
            # shellcheck disable=SC2086 # words
            timeout 100 "$bed" "$p" $truth -- --rehearse "$samples/$program/$description" $parameters -o times.csv
            estimator score bed.yaml "$samples/$program/$description" times.csv --format csv >rows
            # Several segments of SUMMA are alternatives: the rows of segments count, not their sum.
            awk -F, -v what="$description $p" '$(NF - 7) != "all" && $(NF - 5) > 1 { print what, $1, $(NF - 7), $(NF - 4) }' rows
        done < <(grep -v '^#' "$FORECOST_SOURCE/test/validate/samples"
            # 14 of 16 have something to combine, and all 16 are quicker
            echo "cg cg.yaml N=16,iterations=3 rows")
    done >ratios
    awk '{ error = $NF > 1 ? $NF - 1 : 1 - $NF; print error }' ratios | sort -g >errors
    cat ratios
    [ "$(wc -l <errors)" -ge 40 ]
    awk '{ e[NR] = $1 } END { exit !(e[int((NR + 1) / 2)] < 0.01 && e[NR] < 0.12) }' errors
}

@test "a ranking of rehearsed candidates is scored: order, regret, tau" {
    need_bed
    truth="0:5:200 1025:8:500 16385:30:950"
    make_table 16
    # shellcheck disable=SC2086 # regions are words
    timeout 100 "$bed" 16 $truth -- --rehearse "$samples/matvec/matvec.yaml" -D N=256 -o times.csv
    estimator score bed.yaml "$samples/matvec/matvec.yaml" times.csv --section ranking --format csv >verdict
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == 2 { exit !($at["candidates"] == 3 && $at["pairs"] == 3 && $at["right"] == 3 &&
            $at["pairs_apart"] == 3 && $at["apart_right"] == 3 && $at["regret"] == 0 && $at["tau"] == 1) }' verdict
}

@test "times written by hand are scored as worked out by hand" {
    table=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    predicted() { estimator predict "$table" "$jacobi" -c "$1" -p 16 -D N=256 -D sweeps=1 --format csv | awk -F, '$1 == "all" { print $5 }'; }
    {
        echo segment,candidate,processors,N,sweeps,total_us,check
        for measure in "rows 2" "rows 3" "rows 4" "columns 1" "blocks 1.5"; do
            read -r candidate factor <<<"$measure"
            awk -v us="$(predicted "$candidate")" -v f="$factor" -v c="$candidate" 'BEGIN { printf "all,%s,16,256,1,%.17g,right\n", c, f * us }'
        done
    } >times.csv
    estimator score "$table" "$jacobi" times.csv --format csv >rows
    [ "$(cut -d, -f1,7 rows | awk -F, 'NR > 1 { printf "%s %.6f ", $1, 1 / $2 }')" = "rows 3.000000 columns 1.000000 blocks 1.500000 " ]
    # rows and columns are predicted alike and first: who takes rows takes three times as long
    estimator score "$table" "$jacobi" times.csv --section ranking --format csv |
        awk -F, 'NR == 2 { exit !($4 == 3 && $5 == 1 && $8 > 1.999999 && $8 < 2.000001) }' ||
        { estimator score "$table" "$jacobi" times.csv; false; }
}

@test "times that are none are refused at their place" {
    table=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    head=segment,candidate,processors,N,sweeps,total_us,check
    refuses() { # refuses MESSAGE LINE...
        local message=$1
        shift
        printf '%s\n' "$@" >times.csv
        run estimator score "$table" "$jacobi" times.csv
        [ "$status" -eq 2 ] && [ "$output" = "estimator: $message" ] || { echo "$output"; false; }
    }
    refuses "times.csv:1:1: no column total_us: expected what trainer --rehearse writes" segment,candidate,processors
    refuses "times.csv:2:13: N is 'x': expected a number" "$head" all,rows,16,x,1,5,right
    refuses "times.csv:2:1: 3 cells: expected 7" "$head" all,rows,16
    refuses "times.csv:2:19: total_us is '-5': expected a number from 0 on" "$head" all,rows,16,256,1,-5,right
    refuses "times.csv:2:21: the program's result was wrong" "$head" all,rows,16,256,1,5,wrong
    refuses "$jacobi: no candidate 'diagonal'" "$head" all,diagonal,16,256,1,5,right
    refuses "the times are of a segment 'nothing' that the description has not" "$head" nothing,rows,16,256,1,5,right
}
