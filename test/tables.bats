#!/usr/bin/env bats
# The commands that answer from a machine table alone.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    machines=$FORECOST_SOURCE/machines
    sp2=$machines/sp2-mpl.yaml
}

@test "cost gives the values that were worked out from the report by another hand" {
    count=0
    while IFS=, read -r table utility bytes processors truth; do
        estimator cost "$machines/$table.yaml" "$utility" -n "$bytes" -p "$processors" --format csv |
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
utility,bytes,processors,time_us,low_us,high_us,region,flags
exchange,0,2,40,40,40,1,
exchange,4096,2,200.83950617283952,200.83950617283952,200.83950617283952,2,
EOF
    estimator cost "$sp2" exchange -n 4096 --format json >rows
    diff rows - <<'EOF'
[
 {"utility": "exchange", "bytes": 4096, "processors": 2, "time_us": 200.83950617283952, "low_us": 200.83950617283952, "high_us": 200.83950617283952, "region": 2, "flags": ""}
]
EOF
    run estimator cost "$sp2" exchange -n 0,4096
    [ "${#lines[@]}" -eq 3 ]
    [[ "${lines[2]}" =~ ^exchange\ +4096\ +2\ +200.84\ +200.84\ +200.84\ +2 ]]
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
