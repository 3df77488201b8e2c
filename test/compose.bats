#!/usr/bin/env bats
# What a table does not have is composed of what it has, the cheapest way, and says so. Expected
# times are the formulas of Abandah, IBM SP2, section 3.3 by hand.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    machines=$FORECOST_SOURCE/machines
}

# without UTILITY...: sp2-mpl without them, in table.yaml.
without() {
    awk -v names="$*" 'BEGIN { split(names, list, " "); for (i in list) gone[list[i]] = 1 }
        /^  - utility: / { skip = $3 in gone } /^[a-z]/ { skip = 0 } !skip' \
        "$machines/sp2-mpl.yaml" >table.yaml
}

# table UTILITY...: a table of these alone, in table.yaml: a message takes 100 us and 1 us a byte.
table() {
    { printf 'forecost: 1\nmachine: {name: t}\ncommunication:\n'
      printf '  - {utility: %s}\n' "$@"; } >table.yaml
}

messages='point-to-point, regions: [{t0_us: 100, rinf_mb_per_s: 1}]'

# call UTILITY BYTES P: "time_us item" of one use of the utility.
call() {
    cat >call.yaml <<END
forecost-segment: 1
program:
  - segment: s
    body:
      - call: {utility: $1, bytes: $2}
END
    estimator predict table.yaml call.yaml -p "$3" | tail -1 | sed 's/^ *//; s/ us: call, / /'
}

@test "a broadcast that the table lacks is the cheapest algorithm of messages, which is named" {
    without broadcast broadcast-bc
    # 4 (55 + 2040 / 22.6) of recursive doubling, not 1175.6 of one-to-many, nor (p - 1) messages.
    [ "$(call broadcast 2040 16)" = "581.06 instead of broadcast, as broadcast-rd: 4 x 145.27 us point-to-point(2040 bytes) [t0 55 us, rate 22.6 MB/s]" ]
    # Among two no second send takes part, whatever it costs.
    [ "$(call broadcast 2040 2)" = "145.27 instead of broadcast, as broadcast-1m: 1 x 145.27 us point-to-point(2040 bytes) [t0 55 us, rate 22.6 MB/s]" ]
    # As many levels where p is between powers of two; among few, T_1m(n, p - 2) + T_pp(n) is less.
    [[ "$(call broadcast 2040 12)" == "581.06 instead of broadcast, as broadcast-rd: 4 x "* ]]
    [[ "$(call broadcast 2040 5)" == "375.99 instead of broadcast, as broadcast-1m: 1 x "* ]]
    # Long: (n / 8192 - 1) T_1m(8192, 2) + 4 (T_1m(8192, 1) + T_pp(8192)).
    truth=$(awk 'BEGIN { n = 8192
        print (204000 / n - 1) * (25.5 + 0.062 * n) + 4 * (10 + 0.031 * n + 74 + n / 29.3) }')
    [[ "$(call broadcast 204000 16)" == "$(printf %.5g "$truth") instead of broadcast, as broadcast-pbt: 1 x "*"one-to-many + point-to-point"* ]]
}

@test "a composed broadcast costs what best-broadcast says of the same table, at every size and p" {
    without broadcast broadcast-bc
    for p in 2 3 8 16 31; do
        for n in 0 16 216 217 4096 8192 8193 65536 1048576; do
            read -r best name < <(estimator best-broadcast table.yaml -n $n -p $p --format csv |
                awk -F, 'NR == 1 { for (i = 4; i <= NF; i++) name[i] = $i }
                    NR == 2 { for (i = 4; i <= NF; i++) if (name[i] ~ /_us$/ && name[i] !~ /sender/ && $i != "" && (!least || $i < us)) { us = $i; least = i }
                              printf "%.5g %s\n", us, $3 }')
            got=$(call broadcast $n $p)
            [ "${got%% *}" = "$best" ] || { echo "$n bytes, p = $p: $got, not $best by $name"; false; }
        done
    done
}

@test "one algorithm for some sizes, another for others: each has its own line" {
    without broadcast broadcast-bc
    # LU on 4: columns that get shorter. T_1m(n, 2) = 25.5 + 0.062 n is less than 55 + n / 22.6 up to
    # 1661.9 bytes.
    estimator predict table.yaml "$FORECOST_SOURCE/samples/lu/lu.yaml" -p 4 >said
    grep -q 'as broadcast-rd: .* point-to-point(1664 to 2040 bytes)' said
    grep -q 'as broadcast-1m: .* one-to-many + point-to-point(1024 to 1656 bytes)' said
}

@test "a measured algorithm is taken as it was measured, and the table's own broadcast before all" {
    table "$messages" 'broadcast-bt, regions: [{t0_us: 150}]'
    [ "$(call broadcast 8 8)" = "150 instead of broadcast: 1 x 150 us broadcast-bt(8 bytes, p = 8) [t0 150 us]" ]
    table "$messages" 'broadcast-bt, regions: [{t0_us: 150}]' 'broadcast, regions: [{t0_us: 999}]'
    [[ "$(call broadcast 8 8)" == *"999 us: call: 1 x 999 us broadcast(8 bytes, p = 8)"* ]]
}

@test "a one-to-many that ends when the sender is done is a broadcast only where nothing else is" {
    table 'one-to-many, measures: sender, processors_mean: destinations, regions: [{t0_us: 7}]'
    [[ "$(call broadcast 8 8)" == "7 instead of broadcast (known to be too low): "* ]]
    table 'one-to-many, measures: sender, processors_mean: destinations, regions: [{t0_us: 7}]' "$messages"
    # To six, then a message: less than three messages.
    [[ "$(call broadcast 8 8)" == "115 instead of broadcast, as broadcast-1m: "* ]]
    table 'one-to-many, measures: completion, processors_mean: destinations, regions: [{t0_us: 7}]' "$messages"
    [[ "$(call broadcast 8 8)" == "7 instead of broadcast: "* ]]
}

@test "ingredients are composed in their turn: all from messages alone" {
    table "$messages"
    # 7 messages of 8 bytes to one, 3 of 64 bytes as a tree: not 14 messages, known to be too low.
    [[ "$(call all-gather 8 8)" == "1248 instead of all-gather, as many-to-one + broadcast-rd: 1 x 1248 us point-to-point"* ]]
    [[ "$(call many-to-many 8 8)" == "1512 instead of many-to-many, as exchange (known to be too low): 14 x 108 us point-to-point(8 bytes)"* ]]
    [[ "$(call exchange 8 8)" == "216 instead of exchange: 2 x 108 us point-to-point(8 bytes)"* ]]
    # What is too low, beyond the table or uncertain stays so in what is made of it.
    table 'exchange, regions: [{t0_us: 10}]'
    [[ "$(call all-gather 8 8)" == "70 instead of all-gather, as many-to-many (known to be too low): 7 x 10 us exchange"* ]]
    table 'point-to-point, bytes: [0, 16], regions: [{t0_us: 100, rinf_mb_per_s: 1}]'
    [[ "$(call all-gather 8 8)" == "1248 instead of "*"(extrapolated-n)" ]] # 64 bytes of the broadcast
    table 'point-to-point, regions: [{t0_us: 100, rinf_mb_per_s: 1, error: {held_out_p95: 0.1}}]'
    call many-to-many 8 8 >said
    estimator predict table.yaml call.yaml -p 8 --breakdown --format csv | # time, low and high, counted from the end
        awk -F, 'NR == 2 { us = $(NF - 8); wide = 1.1 ^ (1.6448536 / 1.9599640) # 90 of 100 cases
            found = (us / $(NF - 7) / wide - 1) ^ 2 + ($(NF - 6) / us / wide - 1) ^ 2 < 1e-12 } END { exit !found }'
    table "$messages"
    # A sum is there and back again, and what adding takes is left out.
    [[ "$(call combine 8 8)" == "648 instead of combine, as broadcast-rd (known to be too low): 6 x 108 us point-to-point(8 bytes)"* ]]
    # Nothing is composed of itself.
    run call synchronization 0 8
    run estimator predict table.yaml call.yaml -p 8
    [ "$status" -eq 2 ]
    [ "$output" = "estimator: table.yaml: no utility 'synchronization'; there are: point-to-point" ]
}

@test "a combine is the cheaper of what it can be composed of" {
    table "$messages" 'reduce, regions: [{t0_us: 20}]'
    [[ "$(call combine 8 4)" == "236 instead of combine, as reduce + broadcast-rd: "*"reduce + point-to-point"* ]]
    table "$messages" 'reduce, regions: [{t0_us: 20}]' 'all-reduce, regions: [{t0_us: 200}]'
    [[ "$(call combine 8 4)" == "200 instead of combine: 1 x 200 us all-reduce"* ]]
}

@test "a composition without an answer gives way to the next; without any, each says why" {
    no='regions: [{processors: 4, t0_us: 50}, {unscalable: true}]'
    table "many-to-many, $no" 'many-to-one, regions: [{t0_us: 30}]' 'broadcast, regions: [{t0_us: 40}]'
    [[ "$(call all-gather 8 4)" == "50 instead of all-gather: 1 x 50 us many-to-many"* ]]
    [[ "$(call all-gather 8 8)" == "70 instead of all-gather: 1 x 70 us many-to-one + broadcast"* ]]
    table "many-to-many, $no" 'many-to-one, regions: [{t0_us: 30}]' "broadcast, $no"
    run estimator predict table.yaml call.yaml -p 8
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ "$output" == *"no utility 'all-gather', and what it could be composed of has no answer: many-to-many: many-to-many does not scale: "* ]]
    [[ "$output" == *"; many-to-one + broadcast: broadcast does not scale: "* ]]
    # What lacks an ingredient is not named, whatever its others say.
    table "many-to-many, $no" "many-to-one, $no"
    run estimator predict table.yaml call.yaml -p 8
    [[ "$output" == *"has no answer: many-to-many: "* ]]
    [[ "$output" != *many-to-one* ]]
}

@test "rank leaves out a candidate that the table cannot price, names it and says why" {
    matvec=$FORECOST_SOURCE/samples/matvec/matvec.yaml
    { printf 'forecost: 1\nmachine: {name: t}\ncommunication:\n'
      printf '  - {utility: combine, regions: [{t0_us: 40}]}\nnode: {rate_mflops: 1}\n'; } >table.yaml
    estimator rank table.yaml "$matvec" -p 4 --format csv >rows 2>said
    grep -q '^1,columns,4,' rows
    grep -q ',rows,' rows && false
    [ "$(grep -c . said)" -eq "$(grep -c ' left out: ' said)" ]
    grep -q "^estimator: remark: p = 4: rows left out: table.yaml: no utility 'all-gather'; there are: combine$" said
    # None can: one line, and no ranking.
    sed -i '/combine/s/.*/  - {utility: synchronization, regions: [{t0_us: 40}]}/' table.yaml
    run estimator rank table.yaml "$matvec" -p 4,8
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
    # The first candidate's reason; the others lack a combine.
    [[ "$output" == "estimator: table.yaml: no utility 'all-gather'; "* ]]
}

@test "rank goes on where nothing can be priced for one processor count, in bands as well" {
    matvec=$FORECOST_SOURCE/samples/matvec/matvec.yaml
    { printf 'forecost: 1\nmachine: {name: t}\ncommunication:\n'
      for name in combine all-gather many-to-many many-to-one one-to-many broadcast point-to-point exchange; do
          printf '  - {utility: %s, regions: [{processors_upto: 4, t0_us: 40}, {unscalable: true}]}\n' $name
      done; printf 'node: {rate_mflops: 1}\n'; } >table.yaml
    estimator rank table.yaml "$matvec" -p 4,64 -D N=64 --format csv >rows 2>said
    [ "$(tail -n +2 rows | cut -d, -f3 | sort -u)" = 4 ]
    grep -q '^estimator: remark: p = 64: rows left out: .*does not scale: there is no model for' said
    grep -q '^estimator: remark: p = 64: columns left out: ' said
    estimator rank table.yaml "$matvec" -p 4,64 -D N=64,128 --bands --format csv >bands 2>said
    diff bands - <<'END'
processors,from,to,best,best_probability
4,64,128,rows = columns = blocks,
64,64,128,none,
END
    run estimator rank table.yaml "$matvec" -p 36,64 -D N=144 # the first is the reason
    [ "$status" -eq 2 ]
    [[ "$output" == *" and p = 36" ]]
    run estimator rank table.yaml "$matvec" -p 64 -D N=64,128 --bands
    [ "$status" -eq 2 ]
    [ "${#lines[@]}" -eq 1 ]
}

@test "collectives of MPI that the table lacks: a reduce of a combine, stages of shifts, one side and a message" {
    table "$messages" 'exchange, regions: [{t0_us: 150, rinf_mb_per_s: 1}]' \
        'combine, regions: [{t0_us: 700, rinf_mb_per_s: 1}]' \
        'one-to-many, measures: sender, processors_mean: destinations, regions: [{t0_us: 200, rinf_mb_per_s: 1}]'
    [[ "$(call reduce 100 5)" == "800 instead of reduce: 1 x 800 us combine(100 bytes"* ]]
    [[ "$(call shift 100 5)" == "250 instead of shift: 1 x 250 us exchange(100 bytes)"* ]]
    [[ "$(call many-to-many-staged 100 5)" == "1000 instead of many-to-many-staged, as shift: 4 x 250 us exchange(100 bytes)"* ]]
    # The sender's 300 and a message's 200, not four messages; between two a message.
    [[ "$(call scatter 100 5)" == "500 instead of scatter: 1 x 500 us one-to-many + point-to-point"* ]]
    [[ "$(call scatter 100 2)" == "200 instead of scatter: 1 x 200 us point-to-point"* ]]
    [[ "$(call gather 100 5)" == "800 instead of gather, as many-to-one: 4 x 200 us point-to-point(100 bytes)"* ]]
    [[ "$(call broadcast-ring 100 5)" == "800 instead of broadcast-ring: 4 x 200 us point-to-point(100 bytes)"* ]]
    # In 8 parts around a ring of 5: 11 shifts.
    sed -i 's/- call:.*/- loop: {part: [1, p + 6]}\n        body:\n          - call: {utility: shift, bytes: 16}/' call.yaml
    estimator predict table.yaml call.yaml -p 5 | grep -q ' 1826 us: call, instead of shift: 11 x 166 us exchange(16 bytes)'
}

@test "a reduction is for all, for one or for each its part, as its array lies" {
    table 'combine, regions: [{t0_us: 700, rinf_mb_per_s: 1}]' 'reduce, regions: [{t0_us: 400, rinf_mb_per_s: 1}]' \
        'reduce-scatter, regions: [{t0_us: 300, rinf_mb_per_s: 1}]'
    echo 'node: {rate_mflops: 1}' >>table.yaml
    cat >sums.yaml <<'END'
forecost-segment: 1
arrays: {a: {extent: [64, 64]}, x: {extent: [64]}, y: {extent: [64]}, s: {extent: [1]}}
candidates:
  all: {grid: [p], distribute: {a: ["*", BLOCK], x: [BLOCK]}}
  parts: {grid: [p], distribute: {a: ["*", BLOCK], x: [BLOCK], y: [BLOCK(5)], s: [BLOCK]}}
program:
  - segment: product
    body:
      - loop: {i: [0, 63]}
        body:
          - loop: {j: [0, 63]}
            body:
              - {statement: t, writes: "y[i]", reads: ["a[i][j]", "x[j]"], reduce: sum}
  - segment: norm
    body:
      - loop: {j: [0, 63]}
        body:
          - {statement: u, writes: "s[0]", reads: ["x[j]"], reduce: sum}
END
    estimator predict table.yaml sums.yaml -c all -p 16 >all
    grep -q ' 1212 us: reduction into y\[i\]: 1 x 1212 us combine(512 bytes' all
    grep -q ' 708 us: reduction into s\[0\]: 1 x 708 us combine(8 bytes' all
    estimator predict table.yaml sums.yaml -c parts -p 16 >parts
    grep -q ' 340 us: reduction into y\[i\]: 1 x 340 us reduce-scatter(40 bytes' parts # 5 of 64 are the most
    grep -q ' 408 us: reduction into s\[0\]: 1 x 408 us reduce(8 bytes' parts
}

@test "cost and plot compose as a prediction does" {
    without broadcast broadcast-bc
    for utility in broadcast broadcast-pbt all-gather reduce shift; do
        for n in 8 65536; do
            read -r time_us composed < <(estimator cost table.yaml $utility -n $n -p 8 --format csv |
                awk -F, 'NR == 2 { printf "%.5g %s\n", $4, $11 }')
            got=$(call $utility $n 8)
            [ "${got%% *}" = "$time_us" ] || { echo "$utility $n: $time_us, predicted: $got"; false; }
            [ -n "$composed" ]
        done
    done
    run estimator cost table.yaml all-gahter -n 8
    [ "$status" -eq 2 ]
    command -v gnuplot >/dev/null || skip "gnuplot is not installed"
    estimator plot broadcast,all-gather table.yaml -p 8 -o both.gp
    [ "$(grep -c 'with lines' both.gp)" -eq 2 ]
    estimator plot point-to-point "$machines/myrinet.yaml" -o from-logp.gp
    # Abandah, IBM SP2, figure 3.3: recursive doubling against bytes for several p.
    estimator plot broadcast-rd "$machines/sp2-mpl.yaml" -p 2,4,8,16,32 -o rd.gp
    [ "$(grep -c 'with lines' rd.gp)" -eq 1 ] && [ "$(grep -o 'with lines' rd.gp | wc -l)" -eq 5 ]
    run estimator plot all-gather "$machines/smb-n107.yaml" -o none.gp
    [ "$status" -eq 2 ]
    [[ $output == *"no utility 'all-gather'"* ]]
}

@test "cost has several utilities, in the order in which they are asked" {
    estimator cost "$machines/sp2-mpl.yaml" exchange,point-to-point -n 1M --format csv >rows
    estimator cost "$machines/sp2-mpl.yaml" point-to-point -n 1M --format csv | tail -1 | diff - <(tail -1 rows)
    [ "$(cut -d, -f1 rows | tr '\n' ' ')" = "utility exchange point-to-point " ]
    run estimator cost "$machines/sp2-mpl.yaml" exchange,,combine
    [ "$status" -eq 2 ]
}

@test "a picture is of what cost answers, and of no answer there is none" {
    spp=$machines/spp1000-convexpvm.yaml
    run estimator plot many-to-many "$spp" -p 5 -o none.svg
    [ "$status" -eq 2 ]
    [ "$output" = "estimator: many-to-many does not scale: there is no model for 1 bytes and p = 5" ]
    cat >two.yaml <<'END'
forecost: 3
machine: {name: two, processors: 2, measured: {date: 2026-01-01}}
communication:
  - {utility: point-to-point, processors: [2, 2], regions: [{t0_us: 1, rinf_mb_per_s: 1000}]}
  - {utility: broadcast, processors: [2, 2], measures: completion, regions: [{t0_us: 1, rinf_mb_per_s: 1000}]}
END
    want=$(estimator cost two.yaml broadcast -n 1 -p 8 --format csv | awk -F, 'NR == 2 { printf "%.6g", $4 }')
    estimator plot broadcast two.yaml -p 8 -o two.gp
    awk -v want="$want" '$1 == 1 && $2 / want > 0.999 && $2 / want < 1.001 { found = 1 } END { exit !found }' two.gp
}
