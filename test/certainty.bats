#!/usr/bin/env bats
# What a table of two processors says of sixteen, against what sixteen say of themselves: two
# simulated clusters whose libraries choose other collective algorithms.

# Why nothing can be trained; empty: it can. A setup_file cannot skip.
missing() {
    if [ -n "${FORECOST_NO_BED:-}" ]; then
        echo "FORECOST_NO_BED is set"
    elif ! command -v smpirun >/dev/null; then
        echo "SimGrid's smpirun is not installed (libsimgrid-dev)"
    elif [ ! -x "$FORECOST_BUILD/trainer/trainer-smpi" ]; then
        echo "trainer-smpi was not built"
    elif [ ! -f "$FORECOST_BUILD/test/bed/libbed.so" ]; then
        echo "the bed's platform was not built"
    fi
}

setup_file() {
    [ -z "$(missing)" ] || return 0
    cd "$BATS_FILE_TMPDIR" || exit 1
    train quick mpich 0:5:1250
    train slow ompi 0:30:500
}

setup() {
    [ -z "$(missing)" ] || skip "$(missing)"
    cd "$BATS_FILE_TMPDIR" || exit 1
}

# train NAME SELECTOR TRUTH: NAME-2.yaml and NAME-16.yaml. Messages up to 64 KB are eager; an
# operation takes a nanosecond.
train() {
    local p operation choices="" counts=([2]=2 [16]="2,4,8,16")
    for operation in bcast barrier allreduce reduce alltoall allgather; do
        choices="$choices --cfg=smpi/$operation:$2"
    done
    for p in 2 16; do # powers of two: MPICH's choice for others is not simulated
        BED_FLAGS="$choices --cfg=smpi/send-is-detached-thresh:65536" \
            timeout 100 "$FORECOST_SOURCE/test/bed/bed.sh" "$p" "$3" -- -o "$1-$p.yaml" \
            --suite patterns,express,broadcast,exchange-pairs --max-bytes 256k --processors "${counts[$p]}" >"$1-$p.log" 2>&1 ||
            { cat "$1-$p.log"; return 1; }
        cat >>"$1-$p.yaml" <<'END'
node:
  clock_mhz: 1000
  units:
    all: {add: 1, mul: 1, madd: 1, div: 1, sqrt: 1, load: 1, store: 1}
  compiled_share: 0.99
  compiled_share_low: 0.98
  compiled_share_high: 1
memory:
  levels:
    - {level: 1, capacity_bytes: 65536, line_bytes: 64}
    - {level: memory, load_line_cycles: 0, store_line_cycles: 0}
END
    done
}

# utilities NAME: those that both tables of the cluster have and that depend on p.
utilities() {
    sed -n 's/^  - utility: //p' "$1-2.yaml" "$1-16.yaml" | sort | uniq -d | grep -vx -e point-to-point -e exchange
}

# answers TABLE UTILITY P: "bytes time low high" a size, of those that it answers.
answers() {
    local bytes sizes="0 8 64 512 1024 4096 8192 16384 32768 65536 131072 262144"
    [ "$2" != synchronization ] || sizes=0
    for bytes in $sizes; do
        estimator cost "$1" "$2" -n "$bytes" -p "$3" --format csv 2>/dev/null |
            awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                     NR == 2 && $at["time_us"] != "" { print $at["bytes"], $at["time_us"], $at["low_us"], $at["high_us"] }'
    done
}

@test "every time of sixteen is within what two bound it by, and what nothing bounds has no answer" {
    for cluster in quick slow; do
        for utility in $(utilities "$cluster"); do
            join <(answers "$cluster-2.yaml" "$utility" 16 | sort) <(answers "$cluster-16.yaml" "$utility" 16 | sort) |
                sed "s/^/$cluster $utility /"
        done
    done >rows
    awk '$5 > 0 { rows++; out += $7 < $5 || $7 > $6; if ($7 < $5 || $7 > $6) print "outside: " $0 }
         END { print rows " answered"; exit out > 0 || rows < 400 }' rows
    awk '$5 > 0 { print $6 / $5 }' rows | sort -g | awk '{ all[NR] = $1 } END { median = all[int((NR + 1) / 2)]
        print "high / low is " median " in the median"; exit median > 4 }'
}

@test "what a sender alone is busy is not bounded, and says so" {
    run estimator cost quick-2.yaml broadcast-sender -n 8 -p 16
    [ "$status" -eq 0 ]
    [[ "$output" == "estimator: remark: broadcast-sender was measured at p = 2 alone: what it takes at p = 16 is not known"* ]]
    [ "$(estimator cost quick-2.yaml broadcast-sender -n 8 -p 16 --format csv | tail -n 1)" = broadcast-sender,8,16,,,,,,,, ]
}

# ranked TABLE SETTING: its rows.
ranked() {
    timeout 100 "$FORECOST_BUILD/estimator/estimator" rank "$1" "$FORECOST_SOURCE/samples/${2%:*}.yaml" -p 16 \
        -D "${2#*:}" --format csv
}

@test "of 36 settings a table of two calls no order sure, and one of sixteen calls some so" {
    settings=0
    sure=0
    for cluster in quick slow; do
        for setting in adi/adi:N=64 adi/adi:N=256 adi/adi:N=1024 lu/lu:N=64 lu/lu:N=128 lu/lu:N=256 \
            matvec/matvec:N=64 matvec/matvec:N=512 matvec/matvec:N=2048 summa/summa:N=64 summa/summa:N=128 \
            summa/summa:N=512 jacobi/jacobi:N=64 jacobi/jacobi:N=256 jacobi/jacobi:N=1024 \
            heat/heat:N=16 heat/heat:N=32 heat/heat:N=64; do
            ranked "$cluster-2.yaml" "$setting" >two.csv
            ranked "$cluster-16.yaml" "$setting" >sixteen.csv
            awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
                     $at["best_probability"] != "" || $at["tie_group"] != "" { print; bad = 1 }
                     END { exit bad || NR < 3 }' two.csv || { echo "$cluster $setting"; false; }
            awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                     NR == 2 { exit !($at["best_probability"] > 0.7) }' sixteen.csv && sure=$((sure + 1))
            settings=$((settings + 1))
        done
    done
    [ "$settings" -eq 36 ]
    [ "$sure" -ge 12 ]
}

@test "a table of the p that is asked for has probabilities, and the ranking says in words what it comes to" {
    cat >near.yaml <<'END'
forecost-segment: 1
parameters: {N: 4096}
arrays:
  u: {extent: [N]}
candidates:
  blocks: {grid: [p], distribute: {u: [BLOCK]}}
  others: {grid: [p], distribute: {u: [CYCLIC]}}
program:
  - segment: shift
    body:
      - loop: {i: [1, N - 1]}
        body:
          - {statement: move, writes: "u[i]", reads: ["u[i-1]"], operations: {}}
END
    run estimator rank quick-16.yaml near.yaml -p 16
    [ "$status" -eq 0 ]
    [[ "$output" == *"p = 16: blocks, "*" times as fast as others"*"; time uncertain by "*"; the best with probability 1"* ]]
    run estimator rank quick-2.yaml near.yaml -p 16
    [[ "$output" == *"no confidence for the order: so many processes were not measured"* ]]
}

@test "--explain: every printed equation is true on tables that the trainer measured" {
    equations=0
    for table in quick-2 quick-16 slow-16; do
        for sample in jacobi/jacobi lu/lu heat/heat cg/cg fft/fft transpose/three-ways; do
            estimator predict "$table.yaml" "$FORECOST_SOURCE/samples/$sample.yaml" -p "${table#*-}" --explain >printed 2>&1 || continue
            count=$(python3 "$FORECOST_SOURCE/test/explain/equations.py" <printed) || { cat printed; false; }
            equations=$((equations + count))
        done
    done
    [ "$equations" -ge 60 ]
}

@test "predict and rank have the same interval for the same thing" {
    jacobi=$FORECOST_SOURCE/samples/jacobi/jacobi.yaml
    estimator rank quick-16.yaml "$jacobi" -p 16 --format csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["candidate"], $at["low_us"], $at["high_us"] }' >ranked
    while read -r candidate interval; do
        [ "$(estimator predict quick-16.yaml "$jacobi" -p 16 -c "$candidate" --format csv |
            awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $1 == "all" { print $at["low_us"], $at["high_us"] }')" = "$interval" ]
    done <ranked
    [ "$(wc -l <ranked)" -eq 3 ]
}

@test "between two processors with eager messages a barrier and an exchange take one message" {
    message=$(answers quick-2.yaml point-to-point 2 | awk '$1 == 8 { print $2 }')
    for utility in exchange combine synchronization; do
        answers quick-2.yaml "$utility" 2 | awk -v message="$message" '$1 <= 8 { off = $2 / message - 1; if (off > 0.02 || off < -0.02) { print; bad = 1 } } END { exit bad }'
    done
}
