#!/usr/bin/env bats
# Tables in the words of other programs: what they say is what the table says, and it can be read.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    machines=$FORECOST_SOURCE/machines
}

# need PROGRAM: of another package, see .ci/setup.
need() {
    command -v "$1" >/dev/null || skip "$1 is not installed"
}

# logp LINE...: a table, logp.yaml, with these lines in its section logp.
logp() {
    printf '%s\n' 'forecost: 1' 'machine: {name: some}' 'logp:' >logp.yaml
    printf '  %s\n' "$@" >>logp.yaml
}

@test "csv: regions and values of published tables, in full" {
    estimator export "$machines/sp2-mpl.yaml" --to csv -o sp2.csv
    grep -qx 'communication,point-to-point,region,2,217,2048,55,22.6,,,,,,,,,,,,' sp2.csv
    grep -qx 'communication,exchange,region,2,16385,inf,167,20.7,,,,,,,,,,,,' sp2.csv
    # 43 + 40 (p - 2), 1 / (0.057 + 0.062 (p - 2))
    grep -qx 'communication,many-to-many,region,4,0,inf,123,5.524861878453039,,,,,,,,,,,,' sp2.csv
    grep -qx 'node.units,fpu,cycles.div,,,,,,,,,,,,,,8.5,cycle,,' sp2.csv
    grep -qx 'memory.levels,memory,store_cycles,,,,,,,,,,,,,,22,cycle,,' sp2.csv
    grep -qx 'machine,,processors,,,,,,,,,,,,,,32,,,' sp2.csv
    estimator export "$machines/sp2-mpl.yaml" --to csv -p 3 | grep -qx 'communication,many-to-many,region,3,0,inf,83,8.403361344537815,,,,,,,,,,,,'
}

@test "csv: every published table is one, with a number wherever one belongs" {
    need python3
    for table in "$machines"/*.yaml; do
        estimator export "$table" --to csv | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
assert len(rows) > 2 and all(len(row) == 20 and None not in row for row in rows)
for row in rows:
    for key in ("t0_us", "rinf_mb_per_s", "low", "high", "upto_bytes"):
        row[key] and float(row[key])'
    done
}

@test "csv: errors, intervals and items; every number of a table is in it" {
    cat >full.yaml <<'END'
forecost: 1
machine: {name: "a, \"b\""}
communication:
  - utility: exchange
    eager_upto_bytes: 8191
    by_processors:
      - processors: 6
        regions:
          - {t0_us: 0.1, rinf_mb_per_s: 29.7, error: {held_out_p95: 0.125, launches_p95: 0.0625}}
    regions:
      - {setup_us: {p: 1.5}, packet_bytes: 64, per_packet_us: 0.3}
memory:
  levels:
    - {level: 2, capacity_bytes_low: 4096, capacity_bytes_high: 8192}
overlap:
  - {side: receive, bytes: 96, loop_us: 3, work_us: 2, overhead_us: 1, transfer_us: 4, availability: 0.75, low: 0.7, high: 0.8}
logp:
  send_overhead_us: 0.1
  receive_overhead_us: 0.2
  bulk:
    - {bytes: 24, gap_us: 0.30000000000000004}
not_measured:
  - {what: swap, because: "no\ntime"}
END
    estimator export full.yaml --to csv >full.csv
    grep -qx 'communication,exchange,region,6,0,inf,0.1,29.7,,,,,,,0.125,0.0625,,,,' full.csv
    grep -qx 'communication,exchange,region,2,0,inf,3,inf,,64,0.3,,,,,,,,,' full.csv
    grep -qx 'communication,exchange,eager_upto_bytes,,,,,,,,,,,,,,8191,byte,,' full.csv
    grep -qx 'memory.levels,L2,capacity_bytes,,,,,,,,,,,,,,,byte,4096,8192' full.csv
    grep -qx 'overlap,1,availability,,96,96,,,,,,,,,,,0.75,,0.7,0.8' full.csv
    grep -qx 'overlap,1,side,,96,96,,,,,,,,,,,receive,,,' full.csv
    grep -qx 'logp.bulk,1,gap_us,,24,24,,,,,,,,,,,0.30000000000000004,us,,' full.csv
    grep -qx 'machine,,name,,,,,,,,,,,,,,"a, ""b""",,,' full.csv
    LC_ALL=de_DE.UTF-8 estimator export full.yaml --to csv | cmp - full.csv
    # Every number of the table, but a coefficient of p.
    for number in $(sed 's/{p: 1.5}//' full.yaml | grep -oE ': [0-9.]+' | tr -d ': ' | sort -u); do
        grep -qE ",L?$number(,|\$)" full.csv || { echo "missing: $number"; false; }
    done
}

@test "loggp: the parameters, the sizes they hold for, and LogGOPSim's command line" {
    logp 'send_overhead_us: 2' 'receive_overhead_us: 3' 'gap_us: 8' 'latency_us: 24' 'message_bytes: 16' \
        'bulk:' '  - {bytes: 64, send_overhead_us: 2.1, receive_overhead_us: 3.1, gap_us: 20}' \
        '  - {bytes: 1064, send_overhead_us: 4.1, receive_overhead_us: 3.1, gap_us: 270}'
    estimator export logp.yaml --to loggp -o all.txt 2>err
    [ ! -s err ]
    for line in L_us=24 o_s_us=2 o_r_us=3 g_us=8 bytes=16 G_us_per_byte=0.25 G_from_bytes=64 G_upto_bytes=1064 \
        'G_from=bulk gaps' bulk.2.o_s_us=4.1 '# LogGOPSim -L 24000000 -o 2500000 -g 8000000 -G 250000 -O 1000'; do
        grep -qx "$line" all.txt || { echo "missing: $line"; cat all.txt; false; }
    done
    # A hidden gap is a bound, and said to be one.
    logp 'send_overhead_us: 2' 'receive_overhead_us: 3' 'gap_not_visible: true' 'latency_us: 24' 'store_rinf_mb_per_s: 50'
    estimator export logp.yaml --to loggp >hidden.txt 2>err
    [ "$(wc -l <err)" -eq 1 ]
    grep -qx 'g_us_at_most=5' hidden.txt
    grep -qx 'G_us_per_byte=0.02' hidden.txt
    grep -q '^# note: g is not visible' hidden.txt
    run grep '^g_us=' hidden.txt
    [ "$status" -eq 1 ]
    # Published: no gap per byte, and none is invented.
    estimator export "$machines/meiko-cs2.yaml" --to loggp >meiko.txt 2>err
    grep -qx 'g_us=13.6' meiko.txt
    grep -q 'G was not measured' err
    run grep -E 'LogGOPSim -|^G' meiko.txt
    [ "$status" -eq 1 ]
}

@test "what a format needs and the table lacks is one line and status 2, and no file" {
    logp 'send_overhead_us: 2' 'receive_overhead_us: 3' 'latency_us: 24'
    for arguments in "$machines/sp2-mpl.yaml --to loggp" "$machines/myrinet-10.yaml --to loggp" "logp.yaml --to loggp" \
        "$machines/sp2-mpl.yaml --to cvs" "$machines/sp2-mpl.yaml" "nowhere.yaml --to csv"; do
        # shellcheck disable=SC2086
        run estimator export $arguments -o it
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
        [ ! -e it ]
    done
    run estimator export "$machines/sp2-mpl.yaml" --to logpg
    [[ "$output" == *"did you mean 'loggp'?"* ]]
    run estimator export "$machines/sp2-mpl.yaml" --to loggp
    [[ "$output" == *"sp2-mpl.yaml: logp is not measured, which --to loggp needs" ]]
}

@test "a hostile name stays a comment" {
    logp 'send_overhead_us: 2' 'receive_overhead_us: 3' 'gap_us: 8' 'latency_us: 24'
    sed -i 's/name: some/name: "a\\nL_us=1"/' logp.yaml
    estimator export logp.yaml --to loggp >it.txt
    [ "$(grep -c '^L_us=' it.txt)" -eq 1 ]
}
