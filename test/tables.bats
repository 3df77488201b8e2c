#!/usr/bin/env bats
# The commands that answer from a machine table alone.

bats_require_minimum_version 1.5.0 # run -2

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    machines=$FORECOST_SOURCE/machines
    sp2=$machines/sp2-mpl.yaml
}

@test "cost gives the values that were worked out from the report by another hand" {
    count=0
    while IFS=, read -r table utility bytes processors truth; do
        estimator cost "$machines/$table.yaml" "$utility" -n "$bytes" -p "$processors" --formula-p --format csv |
            awk -F, -v truth="$truth" 'NR == 2 { off = $4 / truth - 1; seen = 1 }
                END { exit !seen || off > 1e-9 || off < -1e-9 }' ||
            { echo "$table $utility n = $bytes p = $processors: not $truth us"; false; }
        count=$((count + 1))
    done < <(tail -n +2 "$FORECOST_SOURCE/test/golden.csv")
    [ "$count" -eq 78 ]
}

@test "cost: csv, json and text are the same rows" {
    estimator cost "$sp2" exchange -n 0,4096 --format csv >rows
    diff rows - <<'EOF'
utility,bytes,processors,time_us,low_us,high_us,region,flags,rate_mb_per_s,formula_p,composed_of
exchange,0,2,40,37.03703703703704,43.2,1,,,,
exchange,4096,2,200.83950617283952,185.96250571559213,216.9066666666667,2,,40.788787804278336,,
EOF
    estimator cost "$sp2" exchange -n 4096 --format json >rows
    tail -n 3 rows | diff - <(cat <<'EOF'
 "rows": [
  {"utility": "exchange", "bytes": 4096, "processors": 2, "time_us": 200.83950617283952, "low_us": 185.96250571559213, "high_us": 216.9066666666667, "region": 2, "flags": "", "rate_mb_per_s": 40.788787804278336, "formula_p": null, "composed_of": ""}
 ]}
EOF
    )
    run estimator cost "$sp2" exchange -n 0,4096
    [ "${#lines[@]}" -eq 4 ]
    [ "${lines[3]}" = "The likely range is an interval of 90 % confidence." ]
    [[ "${lines[2]}" =~ ^exchange\ +4\ KiB\ +2\ +201\ us\ +186\ to\ 217\ us\ +2 ]]
}

@test "cost: transfer rates as the report counts them" {
    rate() { estimator cost "$machines/$1.yaml" "$2" -n "$3" -p "$4" --format csv | tail -n 1 | cut -d, -f9; }
    # 1 MB by the models (the report's tables 2.1 and 4.1, its exchange: both ways)
    for row in sp1-mpl:point-to-point:8.684 sp2-mpl:point-to-point:35.708 sp2-mpl:exchange:41.264 \
        sp2-pvme:point-to-point:17.764 spp1000-convexpvm:point-to-point:10.111; do
        IFS=: read -r table utility printed <<<"$row"
        rate "$table" "$utility" 1M 2 | awk -v printed="$printed" '{ exit !($1 > printed - 5e-4 && $1 < printed + 5e-4) }'
    done
    # total saturation bandwidth: 12 messages among 4 in 43 + 80 + (0.057 + 0.124) 4096 us
    rate sp2-mpl many-to-many 4096 4 | awk '{ off = $1 - 12 * 4096 / (123 + 0.181 * 4096); exit !(off > -1e-9 && off < 1e-9) }'
    [ -z "$(rate sp2-mpl exchange 0 2)" ]
}

@test "cost: a rate counts all messages of a pattern, and of no time there is none" {
    printf 'forecost: 1\nmachine: {name: m}\ncommunication:\n' >m.yaml
    for utility in exchange exchange-far exchange-pairs exchange-best many-to-many many-to-many-packed all-gather broadcast; do
        echo "  - {utility: $utility, regions: [{t0_us: 0, rinf_mb_per_s: 1}]}" >>m.yaml
    done
    rate() { estimator cost m.yaml "$1" -n 8 -p 4 --format csv | tail -n 1 | cut -d, -f9; }
    [ "$(rate broadcast)" = 1 ]
    for utility in exchange exchange-far exchange-pairs exchange-best; do
        [ "$(rate $utility)" = 2 ]
    done
    for utility in many-to-many many-to-many-packed all-gather; do
        [ "$(rate $utility)" = 12 ]
    done
    sed -i 's/rinf_mb_per_s: 1/per_byte_us: {1: 0}/' m.yaml
    [ -z "$(rate exchange)" ]
}

@test "cost without -n and -p stays within the trained range" {
    for utility in point-to-point one-to-many combine synchronization; do
        estimator cost "$sp2" "$utility" --format csv >rows
        [ "$(wc -l <rows)" -ge 2 ]
        run grep extrapolated rows
        [ "$status" -eq 1 ]
    done
}

@test "cost outside the trained range says so" {
    estimator cost "$sp2" combine -n 8,4M -p 16,1024 --format csv >rows
    [ "$(cut -d, -f8 rows | tail -n +2 | tr '\n' '|')" = \
        "|extrapolated-n|extrapolated-p|extrapolated-n extrapolated-p|" ]
}

# broadcasts ARGUMENT...: the times on the SP2, a row a line: n p best 1m rd prd bt pbt bc
broadcasts() {
    estimator best-broadcast "$sp2" "$@" --format csv 2>/dev/null | tail -n +2 | tr , ' '
}

@test "cost: among more processors than a published machine has no time is below the one of all" {
    for n in 8 1M; do
        estimator cost "$machines/sp1-mpl.yaml" broadcast -n $n -p 32,64,256,1024 --format csv |
            awk -F, 'NR == 2 { last = $4 } NR > 2 && ($4 < last || $6 < last || $8 != "extrapolated-p") { exit 1 } END { exit NR != 5 }'
    done
}

@test "best-broadcast gives the values that were worked out from the report by another hand" {
    count=0
    while IFS=, read -r bytes processors column truth; do
        estimator best-broadcast "$sp2" -n "$bytes" -p "$processors" --format csv 2>/dev/null |
            awk -F, -v column="$column" -v truth="$truth" '
                NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
                NR == 2 && column == "best" { good = $(at["best_for_some"]) == truth }
                NR == 2 && column != "best" {
                    # To 0 destinations the printed formula takes -5.5 us; here it takes none.
                    if (column == "broadcast-1m_us" && $2 == 2) truth += 5.5
                    off = $(at[column == "best_us" ? $(at["best_for_some"]) "_us" : column]) / truth - 1
                    good = off < 1e-9 && off > -1e-9
                }
                END { exit !good }' ||
            { echo "n = $bytes p = $processors $column: not $truth"; false; }
        count=$((count + 1))
    done < <(tail -n +2 "$FORECOST_SOURCE/test/golden-broadcast.csv")
    [ "$count" -eq 80 ]
}

@test "best-broadcast: equals choose the first, one processor needs nothing" {
    broadcasts -n 0,8,8k,1M -p 2 | awk '$11 != "broadcast-1m" || $4 != $5 { bad = 1 } END { exit bad }'
    [ "$(broadcasts -n 1k -p 1)" = "1024 1 broadcast-1m 0 0 0 0 0 0 0 broadcast-1m " ]
}

@test "best-broadcast: no other column beats the best, the library's is among them" {
    estimator best-broadcast "$sp2" -n 0:64k:+4096 -p 2:32:+1 --format csv >rows
    awk -F, 'NR == 1 { for (i = 4; i <= 9; i++) name[$i] = i; next }
             { for (i = 4; i <= 9; i++) if ($i < $name[$3 "_us"]) { print; bad = 1 } }
             END { exit bad || NR < 400 }' rows
    [ "$(estimator best-broadcast "$sp2" -n 8 -p 8 --format csv | tail -1 | cut -d, -f3,11)" = broadcast-bc,broadcast-1m ]
    # A table of a library's alone has a best, and nothing for some of the processors.
    printf '%s\n' 'forecost: 1' 'machine: {name: t}' 'communication:' \
        '  - {utility: broadcast-bc, regions: [{t0_us: 9}]}' >t.yaml
    [ "$(estimator best-broadcast t.yaml -n 8 -p 8 --format csv | tail -1)" = "8,8,broadcast-bc,,,,,,9,,," ]
}

@test "what the report says of its six broadcasts, where its formulas say it too" {
    # 16 bytes: 1m beats rd below 12 processors (Abandah, IBM SP2, section 3.8)
    broadcasts -n 16 -p 3:32:+1 | awk '($4 < $5) != ($2 < 12) { bad = 1 } END { exit bad }'
    # up to one part, prd is rd and pbt is bt (Abandah, IBM SP2, section 3.8)
    broadcasts -n 0,100,8k -p 2:32:+1 | awk '$5 != $6 || $7 != $8 { bad = 1 } END { exit bad }'
    # medium and long messages: rd is better than bt, pbt than bt, prd is not better than rd
    broadcasts -n 64k,1M -p 4:32:+1 |
        awk '!($5 < $7 && $8 < $7 && $6 > $5) { bad = 1 } END { exit bad }'
    # 16 bytes among 32: the library's own is the fastest of all (Abandah, IBM SP2, section 3.8)
    broadcasts -n 16 -p 32 | awk '{ for (i = 4; i < 9; i++) if ($i <= $9) bad = 1 } END { exit bad }'
}

@test "what the report says of its six broadcasts, where its formulas say otherwise" {
    # pbt is the better one from 5 processors on at 1 MB, not from 9 (Abandah, IBM SP2, section 3.8)
    broadcasts -n 1M -p 2:32:+1 | awk '($8 < $5) != ($2 >= 5) { bad = 1 } END { exit bad }'
    # prd is half as much again as rd, not "a little bit higher" (Abandah, IBM SP2, section 3.5)
    broadcasts -n 1M -p 16 | awk '{ exit !($6 / $5 > 1.53 && $6 / $5 < 1.55) }'
    # 8 KB: bt is the slowest up to 7 processors, 1m at 8 and from 10 (Abandah, IBM SP2, section 3.8)
    broadcasts -n 8k -p 3:32:+1 |
        awk '($4 > $7) != ($2 == 8 || $2 >= 10) { bad = 1 } END { exit bad }'
    # the library's broadcast is not like pbt at 1 MB: twice as slow among 32 (Abandah, IBM SP2, section 3.8)
    broadcasts -n 1M -p 2:32:+1 | awk '($8 < $9) != ($2 >= 6) { bad = 1 } END { exit bad }'
    broadcasts -n 1M -p 32 | awk '{ exit !($9 / $8 > 2.04 && $9 / $8 < 2.06) }'
}

@test "best-broadcast: the sender of bt is busy with two sends, or one; --bt-depth floor is the tree's" {
    cat >t.yaml <<'EOF'
forecost: 1
machine: {name: t}
communication:
  - {utility: point-to-point, regions: [{t0_us: 10, rinf_mb_per_s: 100}]}
  - {utility: one-to-many, processors_mean: destinations, processors: [1, 4], regions: [{setup_us: {p: 5}, per_byte_us: {p: 0.01}}]}
EOF
    # column COLUMN [OPTION...]
    column() {
        estimator best-broadcast t.yaml -n 1000 -p "$2" --format csv "${@:3}" | awk -F, -v name="$1" '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { printf "%.6g ", $at[name] }'
    }
    # T_pp = 20, T_1m = 15 p: one second send and one message a level
    [ "$(column broadcast-bt-sender_us 1,2,3,4,16)" = "0 15 30 30 30 " ]
    [ "$(column broadcast-bt_us 2,3,4,5,8)" = "35 70 70 105 105 " ]
    [ "$(column broadcast-bt_us 2,3,4,5,8 --bt-depth ceil)" = "35 70 70 105 105 " ]
    [ "$(column broadcast-bt_us 2,3,4,5,8 --bt-depth floor)" = "20 35 70 70 105 " ]
    [ "$(column broadcast-rd_us 3,5 --bt-depth floor)" = "40 60 " ]
    run estimator best-broadcast t.yaml -d round
    [ "$status" -eq 2 ]
    [[ "$output" == *"--bt-depth is 'round': expected ceil or floor"* ]]
    estimator plot broadcasts:1000 t.yaml -p 5 | grep -q "broadcast-bt, until the sender is done"
    # A measured tree, and its sender, are what they are.
    cat >>t.yaml <<'EOF'
  - {utility: broadcast-bt, regions: [{t0_us: 7}]}
  - {utility: broadcast-bt-sender, regions: [{t0_us: 3}]}
EOF
    [ "$(column broadcast-bt_us 3 -d floor)$(column broadcast-bt-sender_us 3)" = "7 3 " ]
    # 1m among 7, five sends and a message, is beyond the table; among 4 it is not.
    [ "$(estimator best-broadcast t.yaml -n 8 -p 4,7 --format csv | awk -F, 'NR > 1 { print $NF }' | tr '\n' ' ')" = " extrapolated-p " ]
}

@test "best-broadcast takes what the table has measured, and leaves open what nothing tells" {
    cat >t.yaml <<'EOF'
forecost: 1
machine: {name: t}
communication:
  - {utility: point-to-point, regions: [{t0_us: 10, rinf_mb_per_s: 100}]}
  - {utility: broadcast-pbt, regions: [{t0_us: 7}]}
EOF
    estimator best-broadcast t.yaml -n 100 -p 4 --format csv >rows
    [ "$(tail -n 1 rows)" = "100,4,broadcast-pbt,,22,22,,7,,,broadcast-pbt," ]
    printf 'forecost: 1\nmachine: {name: t}\n' >t.yaml
    run estimator best-broadcast t.yaml -n 100 -p 4
    [ "$status" -eq 2 ]
    [[ "$output" == *"expected point-to-point and one-to-many"* ]]
}

@test "show: where it comes from, each region and what its form tells, the node" {
    run estimator show "$sp2"
    [ "$status" -eq 0 ]
    [[ "$output" == *"IBM SP2, 32 thin nodes"* ]]
    grep -qE '^point-to-point +216 +47 +1/23.5 ' <<<"$output"
    grep -qE '^one-to-many .*linear in p: one after the other$' <<<"$output"
    grep -qE '^synchronization .*84 log2\(p\) .*logarithmic in p: a tree$' <<<"$output"
    grep -qE '^fpu +0.5 +0.5 +0.5 +8.5 +13.5' <<<"$output"
    run estimator show "$machines/spp1000-convexpvm.yaml"
    grep -qE '^many-to-many +more +up to 4 +100 \+ 85 \(p-2\) ' <<<"$output"
    grep -qE '^many-to-many +more +does not scale' <<<"$output"
    grep -qE '^synchronization .*cubic in p: do not extrapolate$' <<<"$output"
}

@test "show: whose time a utility is, made how, with the table's note" {
    estimator show "$sp2" --section utilities --format csv >rows
    [ "$(head -1 rows)" = "utility,statistic,measures,across,mean_over_maximum,p_is,source,note" ]
    [ "$(wc -l <rows)" -eq "$(($(grep -c '^  - utility:' "$sp2") + 1))" ]
    grep -qE '^broadcast,[a-z]*,sender,[a-z]*,,destinations,.*,until the sender is done; not the completion time' rows
    grep -qE '^broadcast-bc,[a-z]*,completion,[a-z]*,,participants,' rows
    run estimator show "$sp2"
    [[ "$output" == *"less than one one-way message for short ones, as published"* ]]
    cat >t.yaml <<'EOF'
forecost: 1
machine: {name: t}
communication:
  - {utility: many-to-one, statistic: median, measures: receiver, across: maximum, mean_over_maximum: 0.75, processors_mean: sources, regions: [{t0_us: 1}]}
  - {utility: exchange, regions: [{t0_us: 1}]}
EOF
    [ "$(estimator show t.yaml --section utilities --format csv | tail -n +2 | tr '\n' ' ')" = \
        "many-to-one,median,receiver,maximum,0.75,sources,,\"no MPI_Gather, which is gather: the messages have arrived when it begins\" exchange,unknown,unknown,unknown,,participants,, " ]
}

@test "show: what a form tells where it fits, whatever disturbed it" {
    cat >t.yaml <<'EOF'
forecost: 1
machine: {name: t}
communication:
  - {utility: a, disturbed: true, regions: [{setup_us: {p: 5}, error: {fitted_p95: 0.09}}]}
  - {utility: b, regions: [{setup_us: {p: 5}, error: {fitted_p95: 0.11}}]}
  - {utility: c, disturbed: true, regions: [{setup_us: {p: 5}, error: {fitted_p95: 0.02, held_out_p95: 0.2}}]}
  - {utility: d, regions: [{setup_us: {p: 5}}]}
EOF
    [ "$(estimator show t.yaml --format csv | awk -F, 'NR > 1 { print $1 "=" $NF }' | tr '\n' ' ')" = \
        "a=linear in p: one after the other; disturbed b= c=disturbed d=linear in p: one after the other " ]
}

@test "show: a section that the table does not have is remarked" {
    run estimator show "$sp2" --section logp
    [ "$status" -eq 0 ]
    [ "$output" = "estimator: remark: the table has nothing under logp" ]
    [ "$(estimator show "$sp2" --section logp --format csv 2>/dev/null | wc -l)" -eq 1 ]
}

@test "show: a section, a utility, neither" {
    [ "$(estimator show "$sp2" --section exchange --format csv | wc -l)" -eq 4 ]
    [ "$(estimator show "$sp2" --section node --format csv | head -2 | tail -1)" = "fpu-load,,,,,,0.5,,"  ]
    [ "$(estimator show "$sp2" --section machine --format csv | grep -A 1 ^processors)" = "processors,32
processor,\"66.7-MHz POWER2, thin node\"" ]
    estimator show "$sp2" --format json | grep -q '"utility": "combine"'
    run estimator show "$sp2" --section exchagne
    [ "$status" -eq 2 ]
    [[ "$output" == *"did you mean 'exchange'?"* ]]
}

@test "show: a row a level of memory, only what is known" {
    cat >t.yaml <<'END'
forecost: 1
machine: {name: t}
memory:
  levels: [{level: 1, capacity_bytes: 65536, ways: 4}, {level: memory, load_cycles: 16.3}]
  tlb: [{level: 1, entries: 64, because: seen once}]
  by_1995_rules: [{level: 1, capacity_bytes: 61440, ways: 3}, {level: memory, load_cycles: 15}]
END
    sed '/tlb:/d; /1995/s/.*/  strided: [{level: memory, stride_lines: 17, load_line_cycles: 8, store_line_cycles: 9, store_in_turn_line_cycles: 11}]/' t.yaml >walk.yaml
    [ "$(estimator show walk.yaml --section memory | tail -1 | tr -s ' ')" = "memory by 17 lines - - - 8 9 11" ]
    run estimator show t.yaml --section memory
    [ "${#lines[@]}" -eq 6 ]
    [[ "${lines[0]}" =~ ^level\ +capacity\ bytes\ +ways\ +load\ cycles\ +entries\ +because ]]
    [[ "${lines[1]}" =~ ^L1\ +64\ KiB\ +4\ +-\ +- ]]
    [[ "${lines[3]}" =~ ^L1\ by\ 1995\ rules\ +60\ KiB\ +3\ +-\ +- ]]
    [[ "${lines[4]}" =~ ^memory\ by\ 1995\ rules\ +-\ +-\ +15 ]]
    [[ "${lines[5]}" =~ ^TLB1\ +-\ +-\ +-\ +64\ +seen\ once ]]
    [ "$(estimator check t.yaml --format csv | tail -1)" = 't.yaml,machine table,"0 utilities, memory",0' ]
}

@test "show names why a region ends: what the table says, or what else it has at that size" {
    estimator show "$machines"/sp2-mpl.yaml -s point-to-point -f csv >rows
    grep -q '^point-to-point,216,.*,ends at the limit of a packet$' rows
    grep -q "^point-to-point,2048,.*,ends at the size of the adapter's buffer\$" rows
    grep -q '^point-to-point,65535,.*,ends near the level 1 cache$' rows
    cat >edges.yaml <<'EOF'
forecost: 4
machine: {name: edges}
communication:
  - utility: point-to-point
    eager_upto_bytes: 8190
    regions:
      - {bytes_upto: 999, t0_us: 1, ends_because: library}
      - {bytes_upto: 1500, t0_us: 2, packet_bytes: 1500, per_packet_us: 1}
      - {bytes_upto: 8192, t0_us: 3}
      - {bytes_upto: 24576, t0_us: 4}
      - {bytes_upto: 49000, t0_us: 5}
      - {bytes_upto: 100000, t0_us: 6}
      - {bytes_upto: 1900000, t0_us: 7}
      - {t0_us: 8}
  - {utility: broadcast-prd, part_bytes: 65536, regions: [{bytes_upto: 8190, t0_us: 1}, {bytes_upto: 65536, t0_us: 1}, {t0_us: 2}]}
memory:
  levels:
    - {level: 1, capacity_bytes: 49152}
    - {level: 2, capacity_bytes_low: 1800000, capacity_bytes_high: 2200000}
EOF
    estimator show edges.yaml -s communication -f csv | sed 1d | cut -d, -f1,2,17 >rows
    diff rows - <<'EOF'
point-to-point,999,ends where the library sends in another way
point-to-point,1500,ends at the limit of a packet
point-to-point,8192,ends where messages begin to wait for their receive
point-to-point,24576,ends near half of the level 1 cache
point-to-point,49000,ends near the level 1 cache
point-to-point,100000,
point-to-point,1900000,ends near the level 2 cache
point-to-point,more,
broadcast-prd,8190,ends where messages begin to wait for their receive
broadcast-prd,65536,ends where messages are cut into parts
broadcast-prd,more,
EOF
    sed 's/library/lightning/' edges.yaml >wrong.yaml
    run -2 estimator show wrong.yaml
    [[ $output == *"wrong.yaml:7:"*"lightning"* ]]
    estimator learn "$machines"/sp2-mpl.yaml -o again.yaml
    grep -q 'bytes_upto: 2048, ends_because: adapter-buffer' again.yaml
}

@test "check remarks what is odd and finds the table right all the same" {
    estimator check "$machines"/*.yaml --format csv >rows 2>remarks
    diff <(sed 's,.*/,,' rows) - <<'EOF'
file,kind,holds,remarks
meiko-cs2.yaml,machine table,"0 utilities, logp",0
myrinet-10.yaml,machine table,"0 utilities, logp",0
myrinet.yaml,machine table,"0 utilities, logp",0
paragon.yaml,machine table,"0 utilities, logp",0
power2-thin.yaml,machine table,"0 utilities, node, memory",0
smb-n107.yaml,machine table,"0 utilities, overlap",0
sp1-mpl.yaml,machine table,"7 utilities, node, memory",0
sp2-ip.yaml,machine table,"1 utilities, node, memory",0
sp2-mpl.yaml,machine table,"9 utilities, node, memory",2
sp2-pvme.yaml,machine table,"5 utilities, node, memory",0
spp1000-convexpvm.yaml,machine table,"5 utilities, memory",2
EOF
    [ "$(wc -l <remarks)" -eq 4 ]
    # Smaller falls are within what the authors say of their models. Without that: not at the least p,
    # but where it falls most, 122.6 us at p = 8, and 162 p at p = 4.
    grep -q "sp2-mpl.yaml:[0-9]*:9: broadcast-bc falls from 611.1 to 507.66 us after 2048 bytes (p = 32)" remarks
    for table in sp1 sp2; do
        sed 's/published_error: .*/published_error: 0/' "$machines/$table-mpl.yaml" >"$table-mpl.yaml"
        estimator check "$table-mpl.yaml"
    done 2>remarks
    grep -q "sp1-mpl.yaml:65:9: broadcast falls from 2025.2 to 1902.9 us after 4096 bytes (p = 8)" remarks
    grep -q "sp1-mpl.yaml:77:9: combine falls from 2693.6 to 2357.1 us after 4096 bytes (p = 4)" remarks
    grep -q "sp2-mpl.yaml:26:9: point-to-point falls from 2310.7 to 2209.4 us after 65535 bytes (p = 2)" remarks
    cat >t.yaml <<'EOF'
forecost: 1
machine: {name: t}
communication:
  - {utility: point-to-point, regions: [{t0_us: 10, rinf_mb_per_s: 100}]}
  - {utility: exchange, regions: [{t0_us: 15, rinf_mb_per_s: 100}]}
  - {utility: broadcast, regions: [{setup_us: {p: 20}}]}
  - {utility: combine, regions: [{t0_us: 12, rinf_mb_per_s: 50}]}
EOF
    estimator check t.yaml 2>remarks
    diff remarks - <<'EOF'
estimator: remark: t.yaml:7:5: combine takes 12.16 us for 8 bytes at p = 2, less than an exchange with 15.08 us
estimator: remark: t.yaml:6:5: broadcast takes 40 us for 8 bytes to 1 others, more than one message to each with 10.08 us
EOF
}

@test "check remarks an overhead that is not loop less work, and a latency that is not of its round trip" {
    sed '0,/overhead_us: 0.776/s//overhead_us: 3.776/' "$machines/smb-n107.yaml" >t.yaml
    estimator check t.yaml 2>remarks
    [ "$(wc -l <remarks)" -eq 1 ]
    grep -q "t.yaml:7:5: 0 bytes: the overhead is 3.776 us, but the loop less its work 0.776 us" remarks
    sed 's/latency_us: 6.35/latency_us: 60/' "$machines/paragon.yaml" >t.yaml
    estimator check t.yaml 2>remarks
    [ "$(wc -l <remarks)" -eq 1 ]
    grep -q "L and the overheads are 63.6 us one way, but half of a round trip 9.95 to 10.05 us" remarks
}

@test "check remarks a fall at the p where it is worst, of a measured p too, once for every size" {
    cat >t.yaml <<'END'
forecost: 1
machine: {name: t}
communication:
  - utility: broadcast
    processors: [2, 16]
    regions: [{bytes_upto: 100, setup_us: {p: 10}}, {setup_us: {1: 15, p: 9}}]
    by_processors:
      - {processors: 3, regions: [{bytes_upto: 100, t0_us: 60}, {bytes_upto: 999, t0_us: 42}, {t0_us: 50}]}
      - {processors: 6, regions: [{bytes_upto: 500, t0_us: 90}, {bytes_upto: 700, t0_us: 89.5}, {t0_us: 81}]}
      - {processors: 12, regions: [{bytes_upto: 600, t0_us: 150}, {t0_us: 120}]}
END
    estimator check t.yaml 2>remarks
    # 160 to 159 us at p = 16, but 60 to 42 at p = 3; 90 to 81 at p = 6, but 150 to 120 at p = 12.
    diff remarks - <<'END'
estimator: remark: t.yaml:6:53: broadcast falls from 60 to 42 us after 100 bytes (p = 3)
estimator: remark: t.yaml:10:67: broadcast falls from 150 to 120 us after 600 bytes (p = 12)
END
}

@test "check remarks what takes less among more, and a combine above a reduce and a broadcast" {
    table() {
        cat >t.yaml <<END
forecost: 1
machine: {name: t}
communication:
  - {utility: all-gather, processors: [2, 16], regions: [{processors_upto: 4, setup_us: {p: 10}$1}, {t0_us: $2$1}]}
  - {utility: combine, regions: [{setup_us: {p: 25}$1}]}
  - {utility: reduce, regions: [{setup_us: {p: 10}$1}]}
  - {utility: broadcast, measures: $3, processors_mean: destinations, regions: [{setup_us: {p: 12}$1}]}
END
        estimator check t.yaml 2>remarks
    }
    table '' 30 completion
    # 25 p against 10 p + 12 (p - 1).
    diff remarks - <<'END'
estimator: remark: t.yaml:4:5: all-gather falls from 40 to 30 us for 8 bytes from p = 4 to 8
estimator: remark: t.yaml:5:5: combine takes 50 us for 8 bytes among 2, more than a reduce and a broadcast with 32 us
END
    # Not what errors of a tenth explain, nor against the time of a sender.
    table '' 40 sender
    [ ! -s remarks ]
    table ', error: {held_out_p95: 0.1}' 34 completion
    grep -q falls remarks && false
    table ', error: {held_out_p95: 0.1}' 31 completion
    grep -q falls remarks
    table ', error: {held_out_p95: 0.3}' 31 completion
    [ ! -s remarks ]
    # Groups are of powers of two; on grids there may be fewer neighbours.
    cat >t.yaml <<'END'
forecost: 1
machine: {name: t}
communication:
  - {utility: one-to-many, processors: [1, 15], processors_mean: destinations, regions: [{processors_upto: 3, setup_us: {p: 10}}, {t0_us: 20}]}
  - {utility: exchange, grid_side_least: 2, processors: [2, 16], regions: [{processors_upto: 4, setup_us: {p: 10}}, {t0_us: 30}]}
END
    estimator check t.yaml 2>remarks
    [ "$(cat remarks)" = "estimator: remark: t.yaml:4:5: one-to-many falls from 30 to 20 us for 8 bytes from p = 3 to 7" ]
}

@test "check remarks congestion: times that grow faster than any law from one measured p to the next" {
    for slow in 790 12700; do
        cat >t.yaml <<EOF
forecost: 1
machine: {name: t}
communication:
  - utility: many-to-many
    processors: [2, 8]
    regions: [{setup_us: {p: 100}}]
    by_processors:
      - {processors: 2, regions: [{t0_us: 20}]}
      - {processors: 4, regions: [{t0_us: 100}]}
      - {processors: 8, regions: [{t0_us: $slow}]}
EOF
        estimator check t.yaml 2>>remarks
    done
    diff remarks - <<'EOF'
estimator: remark: t.yaml:4:5: many-to-many of 0 bytes takes 127 times as long at p = 8 as at p = 4: congestion, do not extrapolate
EOF
}

@test "check remarks caches that the system tells of otherwise than they were measured" {
    cat >t.yaml <<'EOF'
forecost: 1
machine: {name: t}
memory:
  levels:
    - {level: 1, capacity_bytes: 49152, ways: 12, told_capacity_bytes: 32768, told_ways: 8}
    - {level: 2, capacity_bytes_low: 1000000, capacity_bytes_high: 2000000, told_capacity_bytes: 2097152, told_ways: 16}
    - {level: 3, capacity_bytes_low: 14000000, capacity_bytes_high: 40000000, told_capacity_bytes: 13000000}
    - {level: memory, load_ns: 95}
EOF
    [ "$(estimator check t.yaml --format csv 2>remarks | tail -1)" = 't.yaml,machine table,"0 utilities, memory",4' ]
    diff remarks - <<'EOF'
estimator: remark: t.yaml:5:7: cache level 1: the system tells 32768 bytes, measured were 49152
estimator: remark: t.yaml:5:7: cache level 1: the system tells 8 ways, measured were 12
estimator: remark: t.yaml:6:7: cache level 2: the system tells 2097152 bytes, measured were 1000000 to 2000000
estimator: remark: t.yaml:7:7: cache level 3: the system tells 13000000 bytes, measured were 14000000 to 40000000
EOF
    # what agrees, within 1 % or within the interval, or is not known on one side, is not odd
    cat >t.yaml <<'EOF'
forecost: 1
machine: {name: t}
memory:
  levels:
    - {level: 1, capacity_bytes: 49152, ways: 12, told_capacity_bytes: 49152, told_ways: 12}
    - {level: 2, capacity_bytes: 2000000, told_capacity_bytes: 2015000, told_ways: 16}
    - {level: 3, capacity_bytes_low: 14000000, capacity_bytes_high: 40000000, told_capacity_bytes: 40300000}
    - {level: 4, ways: 8, told_capacity_bytes: 100000000, because: not found}
EOF
    [ "$(estimator check t.yaml --format csv 2>remarks | tail -1)" = 't.yaml,machine table,"0 utilities, memory",0' ]
    [ ! -s remarks ]
}

@test "topology: what the system tells is shown, and nothing is computed with it" {
    cat >without.yaml <<'EOF'
forecost: 1
machine: {name: t, processors: 4}
communication:
  - {utility: point-to-point, regions: [{t0_us: 10, rinf_mb_per_s: 100}]}
EOF
    sed '2a topology: {packages: 2, cores: 8, threads: 16, memory_bytes: 25242243072, told_by: hwloc 2.9}' without.yaml >with.yaml
    estimator show with.yaml --section machine --format csv >rows
    diff rows - <<'EOF'
what,is
machine,t
processors,4
packages,2
cores,8
threads,16
memory bytes,25242243072
told by,hwloc 2.9
EOF
    estimator check with.yaml
    cmp <(estimator cost without.yaml point-to-point) <(estimator cost with.yaml point-to-point)
    # what the table has is what is written again
    estimator learn with.yaml >again.yaml
    estimator show again.yaml --section machine --format csv | cmp - rows
    sed 's/, told_by: hwloc 2.9//' with.yaml >bad.yaml
    run estimator check bad.yaml
    [ "$status" -eq 2 ]
    [[ "$output" == *"bad.yaml:3:11: "*"told_by"* ]]
    sed 's/cores: 8/cores: 0/' with.yaml >bad.yaml
    run estimator check bad.yaml
    [ "$output" = "estimator: bad.yaml:3:32: cores is '0': expected at least 1" ]
}

@test "states: shown, remarked where times are asked for; a state that the machine has not is refused" {
    cat >t.yaml <<'EOT'
forecost: 1
machine: {name: t}
states:
  - {share: 0.75, gauge_us: 9, low_us: 8, high_us: 10}
  - {share: 0.25, gauge_us: 20, low_us: 19, high_us: 21}
communication:
  - utility: exchange
    regions: [{bytes_upto: 64, t0_us: 2, rinf_mb_per_s: 100}, {t0_us: 3, rinf_mb_per_s: 100}]
    states:
      - {state: 2, bytes_upto: 64, ratio: 2.5, add_us: 1, factor: 2, points: 5}
      - {state: 2, ratio: 1.5, add_us: 0, factor: 1.5, points: 4}
EOT
    estimator show t.yaml --section states --format csv >rows
    diff rows - <<'EOT'
state,share,gauge_us,utility,bytes_upto,ratio,add_us,factor,points
1,0.75,9,,,,,,
2,0.25,20,,,,,,
2,,,exchange,64,2.5,1,2,5
2,,,exchange,,1.5,0,1.5,4
EOT
    run estimator cost t.yaml exchange -n 8
    [[ $output == *"remark: t: communication is that of the state in which the machine was for 75 % of the time"*"(25 %) it takes 1.5 to 2.5 times as long"* ]]
    # 2 and 3 us + n / 100, twice as long and 1 us more up to 64 bytes, then half as long again
    estimator cost t.yaml exchange -n 0,64,100,1000 --state 2 --format csv | cut -d, -f2,4 >rows
    diff rows - <<'EOT'
bytes,time_us
0,5
64,6.28
100,6
1000,19.5
EOT
    estimator cost t.yaml exchange -n 0 --state 1 --format csv | grep -q '^exchange,0,2,2,'
    run -2 estimator cost t.yaml exchange -n 0 --state 3
    [ "$output" = "estimator: t.yaml: no state 3: expected one from 1 to 2, which the machine has" ]
    run -2 estimator cost t.yaml exchange -n 0 --state 1.5
    [[ $output == *"--state is '1.5': expected a whole number from 1 to 3"* ]]
    run -0 estimator cost t.yaml exchange -n 0 --state 2
    [[ $output != *remark* ]]
    # what was measured, and at one processor count; LogP of nobody knows which state answers nothing
    cat >more.yaml <<'EOT'
forecost: 2
machine: {name: t}
states:
  - {share: 0.75, gauge_us: 9, low_us: 8, high_us: 10}
  - {share: 0.25, gauge_us: 20, low_us: 19, high_us: 21}
communication:
  - utility: combine
    regions: [{t0_us: 3}]
    by_processors: [{processors: 2, regions: [{bytes_upto: 50, t0_us: 5}, {t0_us: 10, measured_us: {100: 12}}]}]
    states:
      - {state: 2, ratio: 2, add_us: 1, factor: 2, points: 4}
logp: {latency_us: 5, send_overhead_us: 1, receive_overhead_us: 1, gap_us: 2}
EOT
    estimator cost more.yaml combine -n 8,100 -p 2 --state 2 --format csv | cut -d, -f4 | tail -2 | paste -sd' ' >rows
    [ "$(cat rows)" = "11 25" ]
    run -0 estimator cost more.yaml point-to-point -n 8
    run -2 estimator cost more.yaml point-to-point -n 8 --state 2
    # a factor that ends within a region; caches add as many us as before; what has no factors is not known
    sed -e 's/{bytes_upto: 64, t0_us: 2, rinf_mb_per_s: 100}, //' \
        -e '/^    states:/i\    processors: [2, 2]\n    in_situ: [{bytes: 0, written: 2, after_256k: 2, after_1m: 2, after_4m: 2}]' t.yaml >in.yaml
    echo '  - {utility: combine, regions: [{t0_us: 1}]}' >>in.yaml
    estimator cost in.yaml exchange -n 64,65 --state 2 --format csv | cut -d, -f4 | tail -2 | paste -sd' ' >rows
    [ "$(cat rows)" = "8.28 5.475" ]
    cat >s.yaml <<'EOT'
forecost-segment: 1
program: [{segment: send, body: [{call: {utility: exchange, bytes: 8, processors: 2}}]}]
EOT
    # 3.08 and as much again for caches; 7.16 and 3 / 7 of it
    estimator predict in.yaml s.yaml --communication-only --format csv | grep -q '^all,2,0,6.16,'
    estimator predict in.yaml s.yaml --state 2 --communication-only --format csv | grep -q '^all,2,0,10.228571'
    sed -i 's/bytes: 8/bytes: 3M/' s.yaml # more than 4 MB of buffers, beyond what was measured in either state
    estimator predict in.yaml s.yaml --state 2 --communication-only --format csv | grep -q '^all,.*touched-beyond'
    run -2 estimator cost in.yaml combine -n 8 --state 2
    [[ $output == *"no utility 'combine'"* ]]
    sed -i '0,/state: 2, bytes/s/state: 2/state: 3/' t.yaml
    run estimator check t.yaml
    [ "$status" -eq 2 ]
    [[ $output == *"exchange in state 3: the machine has 2"* ]]
}

@test "noise: shown, told of by check; a share beyond 1 is refused" {
    cat >t.yaml <<'EOT'
forecost: 1
machine: {name: t}
noise: {moments: 38, quantum_us: 5.2, low_us: 5.18, high_us: 7.4, interrupted_share: 0.125, interruptions_per_s: 0}
EOT
    estimator show t.yaml --section noise --format csv >rows
    diff rows - <<'EOT'
noise,is
moments,38
quantum us,5.2
"quantum us, low",5.18
"quantum us, high",7.4
interrupted %,12.5
interruptions per s,0
EOT
    run estimator show t.yaml
    [[ "$output" == *"interrupted %"*"the core itself was slower"* ]]
    [[ "$(estimator check t.yaml)" == *"0 utilities, noise"* ]]
    [ -z "$(estimator show "$machines/sp2-mpl.yaml" --section noise --format csv | tail -n +2)" ]
    sed -i 's/0.125/1.125/' t.yaml
    run estimator check t.yaml
    [ "$status" -eq 2 ]
    [ "$output" = "estimator: t.yaml:3:86: interrupted_share is '1.125': expected a number from 0 to 1" ]
}

@test "show: the LogP signature's parameters, overlaps, the fastest swaps" {
    estimator show "$machines/paragon.yaml" --section logp --format csv >rows
    diff <(cut -d, -f 1-14,17 rows) - <<'EOT'
logp,bytes,k,send_overhead_us,receive_overhead_us,gap_us,latency_us,one_way_us,round_trip_min_us,round_trip_max_us,transfer_us,mb_per_s,available_percent,gap_ratio,remark
small message,16,,1.4,2.2,7.6,6.35,9.95,19.9,20.1,,,,,
k to 1,,7,,,,,,,,,,,6,gap grows as the model says
EOT
    # 1/g, and of the gap what neither overhead takes.
    [ "$(awk -F, 'NR < 3 { printf "%s %.6g ", NR == 1 ? $15 " " $16 : $15, $16 }' rows)" = "messages_per_s idle_us 0 131578.94736842107 4 " ]
    run estimator show "$machines/myrinet.yaml"
    [[ "$output" == *"gap not visible"* ]]
    # That line is not in this table: nothing is said of it.
    [[ "$output" != *"line of transfers"* ]]
    # Culler, Fast Network Interfaces, Bulk-transfer overhead: 143 us of 298 us leave 52 % for work.
    estimator show "$machines/myrinet.yaml" --section logp --format csv >rows
    awk -F, '$1 == "bulk" && $2 == 4096 { found = $11 == 298 && int($13 + 0.5) == 52 } END { exit !found }' rows
    grep -q "hides" rows && false
    [ "$(estimator show "$machines/smb-n107.yaml" --section overlap --format csv | wc -l)" -eq 29 ]
    cat >t.yaml <<'EOT'
forecost: 1
machine: {name: t}
swap:
  - {order: 0, protocol: 3, set: basic, way: warm, volume_bytes: 8192, a_us: 0, a_not_visible: true, b_us_per_byte: 0.01, latency_us: 0, swap_mb_per_s: 200}
  - {order: 0, protocol: 4, set: basic, way: warm, volume_bytes: 8192, a_us: 1, b_us_per_byte: 0.005, latency_us: 1, swap_mb_per_s: 400}
  - {order: 0, protocol: 5, set: basic, way: warm, volume_bytes: 8192, not_available: "no time"}
  - {order: 0, protocol: 6, set: basic, way: cold, volume_bytes: 8192, a_us: 1, b_us_per_byte: 0.02, latency_us: 1, swap_mb_per_s: 100}
logp:
  {send_overhead_us: 1, receive_overhead_us: 2, gap_not_visible: true, store_t0_us: -3, store_rinf_mb_per_s: 50, signature: [{issues: 1, delay_us: 0, cost_us: 1}]}
EOT
    estimator show t.yaml --section swap --format csv >rows
    [ "$(wc -l <rows)" -eq 5 ]
    grep -q '^0,3,.*,8192,,,200,.*latency not visible$' rows
    run estimator show t.yaml
    [[ "$output" == *"not that of an empty one"*"no fit's"* ]]
    grep -qE '^ +0 +4 +ready send +basic +warm +8 KiB +1 us +400$' <<<"$output"
    [[ "$output" != *"nonblocking send"* ]]
    # What caches hold is no rival of what they do not.
    grep -qE '^ +0 +6 +native sendrecv +basic +cold +8 KiB ' <<<"$output"
    [[ "$output" == *"gap not visible: at most 3 us"* ]]
    [[ "$output" == *"The line of transfers hides how long processors are engaged"* ]]
    [[ "$output" == *"-3 us + n / 50 MB/s: below 0, the first means nothing"* ]]
    [[ "$output" != *issues* ]]
    [ "$(estimator show t.yaml --section signature --format csv | tail -1)" = "1,0,1" ]
}

@test "compare: the same utilities side by side, with the ratio and the winner" {
    estimator compare "$sp2" "$machines/sp1-mpl.yaml" --section point-to-point -n 0,1k,64k --format csv >rows
    # 47 and 43; 55 + 1024/22.6 and 58 + 1024/7.39; 399 + 65536/36.2 and 228 + 65536/8.70
    awk -F, 'NR == 1 { exit !($0 == "utility,bytes,processors,sp2-mpl_us,sp1-mpl_us,ratio,winner,flags") }' rows
    awk -F, 'function off(a, b) { return a / b - 1 > 1e-9 || 1 - a / b > 1e-9 }
        NR == 2 { bad = off($4, 47) || off($5, 43) || off($6, 47 / 43) || $7 != "sp1-mpl" }
        NR == 3 { bad = bad || off($4, 55 + 1024 / 22.6) || off($5, 58 + 1024 / 7.39) || $7 != "sp2-mpl" }
        NR == 4 { bad = bad || off($4, 399 + 65536 / 36.2) || $7 != "sp2-mpl" }
        END { exit bad || NR != 4 }' rows
    # p is who takes part, whatever the formulas count: 8 sources or destinations among 9
    estimator compare "$sp2" "$machines/spp1000-convexpvm.yaml" --section one-to-many -n 8 -p 9 --format csv |
        awk -F, -v truth="$(estimator cost "$sp2" one-to-many -n 8 -p 9 --format csv | tail -1 | cut -d, -f4)" \
            'NR == 2 { exit !($3 == 9 && $4 == truth) }'
}

@test "compare: only what two tables have, and were trained for" {
    estimator compare "$sp2" "$machines/sp1-mpl.yaml" "$machines/sp2-pvme.yaml" --format csv >rows
    awk -F, 'NR > 1 && ($4 != "") + ($5 != "") + ($6 != "") < 2 { exit 1 }' rows
    grep -q '^many-to-one,.*,,' rows || grep -q '^[a-z-]*,[0-9]*,[0-9]*,,' rows # one of three lacks it
    run grep extrapolated-p rows
    [ "$status" -eq 1 ]
    [ "$(grep -c '^point-to-point,' rows)" -eq 8 ] # at p = 2 alone
    estimator compare "$sp2" "$sp2" --section combine -n 8 -p 4 --format csv |
        awk -F, -v name="${sp2}_us" 'NR == 1 { bad = $4 != name } NR == 2 { bad = bad || $6 != 1 || $7 != "" } END { exit bad }'
    run estimator compare "$sp2" "$machines/paragon.yaml"
    [ "$status" -eq 2 ]
    [ "$output" = "estimator: no two of the tables have anything in common" ]
}

@test "compare: LogP parameters side by side" {
    estimator compare "$machines/paragon.yaml" "$machines/meiko-cs2.yaml" "$machines/myrinet.yaml" --format csv >rows
    diff rows - <<'EOT'
logp,paragon,meiko-cs2,myrinet,ratio,winner
send_overhead_us,1.4,1.7,2,1.4285714285714286,paragon
receive_overhead_us,2.2,1.6,2.6,1.625,meiko-cs2
gap_us,7.6,13.6,12.4,1.7894736842105263,paragon
latency_us,6.35,7.5,11.1,1.7480314960629921,paragon
one_way_us,9.95,10.799999999999999,15.7,1.5778894472361809,paragon
EOT
}

# total TABLE ARGUMENT...: total_us, low_us and high_us of a prediction.
total() {
    local table=$1
    shift
    estimator predict "$table" "$FORECOST_SOURCE/samples/jacobi/jacobi.yaml" "$@" --format csv | awk -F, -v OFMT=%.17g '$1 == "all" { print $5 + 0, $6 + 0, $7 + 0 }'
}

@test "compare with a program: the predictions of both, whose parts make the difference, and what the errors leave" {
    jacobi=$FORECOST_SOURCE/samples/jacobi/jacobi.yaml
    for mhz in 50 100; do
        printf '%s\n' 'forecost: 1' "machine: {name: at-$mhz}" 'communication:' \
            "  - {utility: exchange, regions: [{t0_us: $mhz, rinf_mb_per_s: 10, error: {held_out_p95: 0.1, launches_p95: 0.1}}]}" \
            "  - {utility: combine, regions: [{t0_us: 7, error: {held_out_p95: 0.1, launches_p95: 0.1}}]}" \
            "node: {rate_mflops: $((1000 / mhz))}" >"at-$mhz.yaml"
    done
    settings=(-c rows -p 4 -D N=66 -D sweeps=10)
    estimator compare at-50.yaml at-100.yaml "$jacobi" "${settings[@]}" --format csv >rows
    read -r fast _ < <(total at-50.yaml "${settings[@]}")
    read -r slow _ < <(total at-100.yaml "${settings[@]}")
    uses=$(estimator predict at-50.yaml "$jacobi" "${settings[@]}" --breakdown --format csv |
        awk -F',exchange,' 'NF == 2 { n += $2 } END { print n }')
    awk -F, -v uses="$uses" -v fast="$fast" -v slow="$slow" '
        function off(a, b) { return a / b - 1 > 1e-9 || 1 - a / b > 1e-9 }
        NR == 1 { next }
        # nothing says how far a rate is off
        $2 == "all" { bad = bad || off($4, fast) || off($5, slow) || off($6, slow / fast) || $7 != "at-50" || $9 $10 != ""
            wholes++; next }
        { bad = bad || off($8 + 1, 1 + 100 * ($5 - $4) / (slow - fast)); sum += $8 }
        # setups alone differ; what both need for a combine makes no difference
        $2 == "sweep" && $3 == "communication" { bad = bad || off($5 - $4, 50 * uses) }
        $2 == "converge" { bad = bad || $8 != 0 || $7 != "" }
        END { exit bad || wholes != 1 || off(sum, 100) }' rows
    estimator compare at-50.yaml at-100.yaml "$jacobi" "${settings[@]}" >said
    grep -q '^p = 4, rows: at-100 takes [0-9.]* times as long as at-50; no error estimate available$' said
    grep -q '^  [0-9]* % of the difference: computation of sweep$' said
    # what makes most of it comes first, whatever the order in the program
    estimator compare at-50.yaml at-100.yaml "$jacobi" -c rows -p 4 -D N=18 >said
    [ "$(awk '/% of the difference/ { print $6 }' said | head -1)" = communication ]
    awk '/% of the difference/ { bad = bad || n++ && $1 > last; last = $1 } END { exit bad || n != 2 }' said
    # messages of one pair have errors: those of the ratio are of both, added up as variances
    settings=(-c rows -p 2 -D N=66 -D sweeps=10)
    estimator compare at-50.yaml at-100.yaml "$jacobi" "${settings[@]}" -M --format csv >rows
    read -r fast _ fast_high < <(total at-50.yaml "${settings[@]}" -M)
    read -r slow _ slow_high < <(total at-100.yaml "${settings[@]}" -M)
    awk -F, -v slow="$slow $slow_high" -v fast="$fast $fast_high" '
        function off(a, b) { return a / b - 1 > 1e-9 || 1 - a / b > 1e-9 }
        BEGIN { split(slow, s, " "); split(fast, f, " ") }
        $2 == "all" { wide = exp(sqrt(log(s[2] / s[1]) ^ 2 + log(f[2] / f[1]) ^ 2))
            exit off($9, $6 / wide) || off($10, $6 * wide) || $9 >= $6 || $10 <= $6 }' rows
    # the same machine twice: named by their files, and neither is the faster
    cp at-50.yaml again.yaml
    estimator compare at-50.yaml again.yaml "$jacobi" "${settings[@]}" -M | grep -q 'takes as long as.*either may be the faster)$'
    # what takes no time anywhere has no ratio
    estimator compare at-50.yaml at-100.yaml "$jacobi" -c rows -p 2 -D N=66 -D sweeps=0 -M >said
    grep -q '^p = 2, rows: at-100 takes as long as at-50$' said
    [ "$(grep -ci nan said)" -eq 0 ]
    # two processor counts: each has its rows
    [ "$(estimator compare at-50.yaml at-100.yaml "$jacobi" -c rows -p 2,4 -D N=66 --format csv | grep -c ',all,')" -eq 2 ]
}

@test "compare with a program: what cannot be asked is refused in a line" {
    jacobi=$FORECOST_SOURCE/samples/jacobi/jacobi.yaml
    refused() { # TEXT ARGUMENT...
        local text=$1
        shift
        run estimator compare "$@"
        [ "$status" -eq 2 ] && [ "${#lines[@]}" -eq 1 ] && [[ $output == *"$text"* ]] || { echo "$*: $output"; false; }
    }
    refused 'expected TABLE TABLE... SEGMENT' "$sp2" "$jacobi"
    refused 'expected neither' "$sp2" "$machines/sp1-mpl.yaml" "$jacobi" -M -p 4 -n 8
    refused 'expected a SEGMENT' "$sp2" "$machines/sp1-mpl.yaml" -D N=8
    refused "no candidate 'diagonals'" "$sp2" "$machines/sp1-mpl.yaml" "$jacobi" -M -p 4 -c diagonals
    refused 'computation cannot be predicted' "$sp2" "$machines/sp1-mpl.yaml" "$jacobi" -p 4
    refused 'expected a whole number' "$sp2" "$machines/sp1-mpl.yaml" "$jacobi" -M -p 6 -c blocks
}

@test "compare: nodes by units and clock, memories level by level, an interval by its middle" {
    cat >one.yaml <<'EOF'
forecost: 1
machine: {name: one}
node: {clock_mhz: 1000, units: {f: {add: 1, mul: 2}, g: {add: 3}}, latency_cycles: {add: 4}}
memory: {levels: [{level: 1, capacity_bytes: 32768, load_ns: 5}, {level: 2, capacity_bytes_low: 100000, capacity_bytes_high: 400000}, {level: memory, load_mb_per_s: 8000, store_mb_per_s: 2000}]}
EOF
    cat >two.yaml <<'EOF'
forecost: 1
machine: {name: two}
node: {clock_mhz: 2000, units: {f: {add: 1, mul: 1, div: 9}}, latency_cycles: {add: 4, mul: 5}}
memory: {levels: [{level: 1, capacity_bytes: 65536, load_ns: 4}, {level: 2, capacity_bytes: 500000, load_ns: 9}, {level: memory, load_mb_per_s: 4000, store_mb_per_s: 2000}]}
EOF
    estimator compare one.yaml two.yaml --section node --format csv >rows
    diff rows - <<'EOF'
node,one,two,ratio,winner
clock_mhz,1000,2000,2,two
add_ns,3,0.5,6,two
mul_ns,2,0.5,4,two
add_operation_latency_ns,4,2,2,two
EOF
    estimator compare one.yaml two.yaml --section memory --format csv >rows
    diff rows - <<'EOF'
memory,one,two,ratio,winner
L1 capacity_bytes,32768,65536,2,two
L1 load_ns,5,4,1.25,two
L2 capacity_bytes,200000,500000,2.5,two
memory load_mb_per_s,8000,4000,2,one
memory store_mb_per_s,2000,2000,1,
EOF
}

@test "compare: beside a change the sizes within which the errors leave it open" {
    table() { # table NAME T0_US RINF: a line with an error of a tenth
        printf 'forecost: 1\nmachine: {name: %s}\ncommunication:\n  - utility: exchange\n' "$1"
        printf '    regions: [{t0_us: %s, rinf_mb_per_s: %s, error: {held_out_p95: 0.1}}]\n' "$2" "$3"
    }
    table soon 10 100 >soon.yaml
    table late 20 200 >late.yaml
    # 10 + n / 100 = 20 + n / 200 at 2000, where the first of equals is the faster; the errors of both are
    # 1.1 ^ (sqrt 2 x 1.645 / 1.96) = 1.12 times for 90 of 100 cases: the one side times that is less than
    # the other up to 1420, the other side from 2817
    estimator compare soon.yaml late.yaml --section changes -p 2 -n 8 --format csv >rows
    diff rows - <<'EOF'
utility,along,bytes,processors,up_to_there,from_there,from,sure_before,sure_from
exchange,bytes,,2,soon,late,2001,1420,2817
EOF
    # an error so large that nothing is sure
    sed -i 's/held_out_p95: 0.1/held_out_p95: 3/' late.yaml
    [ "$(estimator compare soon.yaml late.yaml --section changes -p 2 -n 8 --format csv | tail -1)" = exchange,bytes,,2,soon,late,2001,, ]
}

@test "compare: where the fastest changes, and what the 1995 report says of its machines" {
    # "worse after 512 B" (Abandah, IBM SP2, section 4.3): 74 + n / 6.44 and PVMe's line meet at 465 bytes
    estimator compare "$machines/sp2-pvme.yaml" "$machines/spp1000-convexpvm.yaml" --section changes --format csv >rows
    grep -q '^point-to-point,bytes,,2,spp1000-convexpvm,sp2-pvme,465,' rows
    awk -F, 'NR > 1 && ($8 != "" && $8 >= $7 || $9 != "" && $9 < $7) { exit 1 }' rows # sure before, open, sure behind
    # both sides of every change over sizes, by the costs themselves
    tail -n +2 rows | awk -F, '$2 == "bytes"' | while IFS=, read -r utility _ _ p before behind at _; do
        estimator compare "$machines/sp2-pvme.yaml" "$machines/spp1000-convexpvm.yaml" --section "$utility" \
            -p "$p" -n "$((at - 1)),$at" --format csv | tail -n +2 | cut -d, -f7 | paste -sd, >winners
        [ "$(cat winners)" = "$before,$behind" ]
    done
    # PVMe's setup is more than twice MPL's, its rate about half (Abandah, IBM SP2, section 4.3)
    estimator compare "$sp2" "$machines/sp2-pvme.yaml" --section laws --format csv >laws.csv
    awk -F, '$1 == "point-to-point" && $2 == "setup_us" { setup = $6 } $1 == "point-to-point" && $2 == "rinf_mb_per_s" { rate = $6 }
        END { exit !(setup > 2 && rate > 1.8 && rate < 2.2) }' laws.csv
    # the SP2's rate is 4 times the SP1's (Abandah, IBM SP2, section 2.3)
    estimator compare "$sp2" "$machines/sp1-mpl.yaml" --section laws --format csv |
        awk -F, '$1 == "point-to-point" && $2 == "rinf_mb_per_s" { exit !($6 > 3.9 && $6 < 4.3 && $7 == "sp2-mpl") }'
}

@test "check remarks a time below zero: a start-up time, and a form where it is" {
    cat >t.yaml <<'EOF'
forecost: 1
machine: {name: t}
communication:
  - {utility: point-to-point, bytes: [1, 1000], regions: [{t0_us: -0.5, rinf_mb_per_s: 1}]}
  - {utility: combine, processors: [2, 16], regions: [{setup_us: {p: -5, 1: 50}, per_byte_us: {1: 0.1}}]}
  - {utility: broadcast, regions: [{bytes_upto: 99, t0_us: 10}, {t0_us: -1, rinf_mb_per_s: 1}]}
EOF
    estimator check t.yaml 2>remarks
    diff <(grep "takes -" remarks) - <<'EOF'
estimator: remark: t.yaml:4:59: point-to-point takes -0.5 us for 0 bytes at p = 2
estimator: remark: t.yaml:5:55: combine takes -30 us for 0 bytes at p = 16
EOF
}

@test "what other launches and other processor counts are off by is shown, and where one launch tells nothing" {
    cat >t.yaml <<'EOF'
forecost: 1
machine: {name: t, processors: 4, measured: {date: 2026-11-24T00:00:00Z}}
communication:
  - utility: exchange
    launches: 5
    regions: [{t0_us: 10, rinf_mb_per_s: 100, error: {held_out_median: 0.01, held_out_p95: 0.02, other_processors: 0.25, launches_p95: 2.8}}]
EOF
    estimator show t.yaml --section exchange --format csv >rows
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["error_p95_percent"], $at["error_other_p_percent"], $at["error_launches_percent"] }' rows | grep -qx "2 25 280"
    estimator show t.yaml --section machine --format csv | grep -qx "launches,5"
    sed -e '/launches: 5/d' -e 's/, launches_p95: 2.8//' t.yaml >one.yaml
    estimator show one.yaml --section machine --format csv | grep -qx "launches,1: how far others are from it is not measured"
    ! estimator show one.yaml --section exchange | grep -q error_launches || false
}

# rows_of TABLE: its swaps.
rows_of() {
    estimator show "$1" --section swap --format csv
}

@test "tables of every format are read alike, and what is written is of the present one" {
    cp "$FORECOST_SOURCE"/test/formats/* .
    for format in 1 2 3 4; do
        [ "$(head -n 1 $format.yaml)" = "forecost: $format" ]
        estimator check $format.yaml
        rows_of $format.yaml >rows.$format
        estimator show $format.yaml >shown.$format
        estimator learn $format.yaml -o now.yaml
        cmp now.yaml 4.yaml
        cmp now.swap.csv 4.swap.csv
    done
    run estimator learn 1.yaml
    [ "$status" -eq 2 ]
    [ "$output" = "estimator: 1.yaml: its swaps go into a file beside the new table: expected -o TABLE" ]
    [ "$(wc -l <rows.1)" -eq 9 ]
    run grep 'fit alone' rows.1
    [ "$status" -eq 1 ]
    cmp rows.1 rows.2
    cmp shown.1 shown.2
    cmp rows.3 rows.2
    cmp rows.4 rows.2
    cmp shown.3 shown.2
    cmp shown.4 shown.2
}

@test "swaps whose experiments are not beside the table: the best, the fits, and what is missing" {
    cp "$FORECOST_SOURCE"/test/formats/2.* .
    rows_of 2.yaml >whole
    mv 2.swap.csv away.csv
    rows_of 2.yaml >rows
    [ "$(wc -l <rows)" -eq 7 ]
    [ "$(grep -c ',its fit alone: TABLE.swap.csv is not there$' rows)" -eq 2 ]
    # the best are rows of the file to the digit; the fits have its latency and rate to six digits
    grep -v 'fit alone' rows >best
    [ "$(grep -cxFf best whole)" -eq "$(wc -l <best)" ]
    awk -F, 'NR == FNR { latency[$1, $2, $4, $6] = $8; rate[$1, $2, $4, $6] = $9; next }
             /fit alone/ { for (k = 8; k <= 9; k++) {
                 off = $k / (k == 8 ? latency[$1, $2, $4, $6] : rate[$1, $2, $4, $6]) - 1
                 bad += off > 1e-5 || off < -1e-5; seen++ } }
             END { exit bad || seen != 4 }' whole rows
}

@test "swaps beside a table that are not its own, or are wrong, are an error of their file" {
    cp "$FORECOST_SOURCE"/test/formats/2.* .
    wrong() { # wrong SED MESSAGE
        sed "$1" "$FORECOST_SOURCE/test/formats/2.swap.csv" >2.swap.csv
        for command in 'show --section swap' check; do
            # shellcheck disable=SC2086
            run estimator $command 2.yaml
            [ "$status" -eq 2 ]
            [ "$output" = "estimator: 2.swap.csv$2" ]
        done
    }
    wrong '$d' ": has 7 swaps: expected the 8 of 2.yaml"
    wrong '3s/basic/basics/' ":3:5: set is 'basics': expected one of basic, reorganized"
    wrong '2s/,[^,]*,/,99,/' ":2:3: protocol is '99': expected a number from 0 to 10"
    wrong '1s/order/ordre/' ":1:1: unknown column 'ordre'"
    wrong '4s/,[^,]*$//' ":4:1: 22 cells: expected 23"
    wrong '5s/.*/x/;5q' ":5:1: 'x' is not a number"
    wrong '3{h;p;g}; $d' ":4:1: the same order, protocol, set, way, volume and pair a second time"
    : >2.swap.csv
    run estimator check 2.yaml
    [ "$output" = "estimator: 2.swap.csv:1:1: empty: expected a line of columns" ]
}

@test "measured times answer at their sizes, and the law meets them between sizes and between processors" {
    cat >t.yaml <<'END'
forecost: 3
machine: {name: t, measured: {date: 2026-01-01}}
communication:
  - utility: combine
    processors: [2, 8]
    bytes: [0, 4096]
    passes_p95: 0.01
    regions:
      - {setup_us: {p: 5}, rinf_mb_per_s: 100}
    by_processors:
      - processors: 2
        regions:
          - {t0_us: 10, rinf_mb_per_s: 100, measured_us: {8: 20.16, 64: 10.64}, error: {fitted_p95: 0.02, between_median: 0.1, between_p95: 0.3}}
      - processors: 8
        regions:
          - {t0_us: 40, rinf_mb_per_s: 100}
END
    estimator check t.yaml
    at() { estimator cost t.yaml combine -n "$1" -p "$2" --format csv | awk -F, 'NR == 2 { print $'"$3"' }'; }
    is() { awk -v it="$1" -v wanted="$2" 'BEGIN { off = it / wanted - 1; exit off > 1e-6 || off < -1e-6 }'; }
    [ "$(at 8 2 4)" = 20.16 ]  # measured
    [ "$(at 64 2 4)" = 10.64 ] # as the law says
    is "$(at 0 2 4)" 20        # the law is half of it at the first size, and so before it
    is "$(at 4000 2 4)" 50
    # between them twice the law becomes the law, over the logarithm
    is "$(at 24 2 4)" "$(awk 'BEGIN { printf "%.15g", 10.24 * 2 ^ (1 - log(25 / 9) / log(65 / 9)) }')"
    # sizes between are off by up to three tenths, and passes by a hundredth: of 95 of 100 cases
    is "$(at 24 2 6)" "$(awk -v t="$(at 24 2 4)" 'BEGIN {
        printf "%.15g", t * exp(1.6448536 / 1.9599640 * sqrt(log(1.3) ^ 2 + log(1.01) ^ 2)) }')"
    # halfway from 2 to 8 processors the factor is the root of both: of 2 and of 1
    is "$(at 8 4 4)" "$(awk 'BEGIN { printf "%.15g", 20.08 * sqrt(2) }')"
    [ "$(at 8 16 8)" = extrapolated-p ]
    run estimator cost t.yaml combine -n 8 -p 1024
    [ "$status" -eq 0 ]
    # maps of the same numbers are read as the texts that are written
    estimator learn t.yaml -o texts.yaml
    grep -q ' measured_us: "8: 20.16, 64: 10.64", error: "fitted_p95: 0.02, between_median: 0.1, between_p95: 0.3"}' texts.yaml
    estimator learn texts.yaml -o again.yaml
    cmp texts.yaml again.yaml
    sed 's/\(measured_us\|error\): "\([^"]*\)"/\1: {\2}/g' texts.yaml >maps.yaml
    grep -q 'measured_us: {8: 20.16, 64: 10.64}, error: {fitted_p95' maps.yaml
    for table in maps texts; do
        estimator cost $table.yaml combine -n 0,8,24,64,4000 -p 2,4,8 --format csv >$table.csv
    done
    cmp maps.csv texts.csv
    [[ "$output" == *"combine was measured at p = 2 to 8: what it takes at p = 1024 is not known"* ]]
    for wrong in '{64: 1, 8: 1}' '{8: 0}' '{-1: 3}' '{x: 3}' '[8]'; do
        sed "s/{8: 20.16, 64: 10.64}/$wrong/" t.yaml >wrong.yaml
        run estimator check wrong.yaml
        [ "$status" -eq 2 ]
        [[ "$output" == *wrong.yaml:13:* ]]
    done
}
