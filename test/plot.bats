#!/usr/bin/env bats
# Pictures: opened, of the right size, with what was asked for in them; hostile tables stay text.

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    sp2=$FORECOST_SOURCE/machines/sp2-mpl.yaml
}

need_gnuplot() {
    command -v gnuplot >/dev/null || skip "gnuplot is not installed (gnuplot-nox)"
}

@test "the script has the model at every size, and points where there are some" {
    cp "$sp2" it.yaml
    printf 'utility,processors,bytes,repetitions,minimum_us,median_us,mean_us,standard_deviation_us,maximum_us,half_width_us,rejected,attempt,launch,held_out\n' >it.points.csv
    printf 'exchange,2,%s,9,1,77,1,0,1,0,0,%s,1,%s\n' 100 1 0 200 2 0 400 2 1 >>it.points.csv
    estimator plot exchange it.yaml >script
    # T_exch(n) = 40 + n / 28.4 up to 4096 bytes
    awk '/^\$series0/ { model = 1; next } /^EOD/ { model = 0 }
        model && $1 <= 4095 { rows++; off = $2 - (40 + $1 / 28.4); if (off > 1e-3 || off < -1e-3) { print; bad = 1 } }
        END { exit bad || rows < 50 }' script
    # the last attempt alone, held-out points apart
    [ "$(grep -c '^200 77$' script)" -eq 1 ]
    [ "$(grep -c '^400 77$' script)" -eq 1 ]
    run grep -q '^100 77$' script
    [ "$status" -eq 1 ]
    estimator plot rate:exchange it.yaml -o rate.gp
    grep -q '^200 2.5974' rate.gp
}

@test "figures 5.2 and 5.3: the kernels in cycles, by stride, and where the levels end" {
    cat >it.yaml <<'END'
forecost: 1
machine: {name: it}
memory:
  clock_mhz: 2000
  levels:
    - {level: 1, capacity_bytes: 49152, load_cycles: 5}
    - {level: 2, capacity_bytes_low: 1000000, capacity_bytes_high: 3000000, load_cycles: 16}
    - {level: memory, load_cycles: 200}
END
    printf 'utility,processors,bytes,repetitions,minimum_us,median_us,mean_us,standard_deviation_us,maximum_us,half_width_us,rejected,attempt,launch,held_out\n' >it.points.csv
    printf 'memory-%s,1,%s,9,1,%s,1,0,1,0,0,1,1,0\n' load-1 1024 0.00025 load-1 65536 0.001 load-16 65536 0.002 \
        store-8 65536 0.003 >>it.points.csv
    estimator plot memory it.yaml >script
    for title in 'load, stride 1' 'load, stride 16' 'store, stride 8' 'a load that waits for the one before'; do
        grep -q "it: $title'" script
    done
    for mark in "49152.*'L1'" "1000000.*'L2, low'" "3000000.*'L2, high'"; do
        tr '\n' ' ' <script | grep -qE "set arrow from first $mark"
    done
    [ "$(grep -cE '^(1024 0.5|65536 2|65536 4|65536 6)$' script)" -eq 4 ]
    estimator plot memory:load it.yaml >load
    [ "$(grep -c '^65536 ' load)" -eq 2 ]
    run grep -q store load
    [ "$status" -eq 1 ]
    run estimator plot memory:copy it.yaml
    [ "$status" -eq 2 ]
    [[ "$output" == *"the table has no points of that kernel of memory"* ]]
    if command -v gnuplot >/dev/null; then
        estimator plot memory it.yaml -o it.svg
        grep -q '>L2, high<' it.svg
    fi
}

@test "SVG, PNG and PDF" {
    need_gnuplot
    estimator plot broadcast "$sp2" "$FORECOST_SOURCE/machines/sp1-mpl.yaml" -p 4,16 -o two.svg
    grep -q '</svg>' two.svg
    for title in 'sp2-mpl: model, p = 4' 'sp1-mpl: model, p = 16'; do
        grep -q "$title" two.svg
    done
    estimator plot exchange "$sp2" -o one.png
    [ "$(head -c 8 one.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ]
    [ "$(od -An -tu1 -j16 -N8 one.png | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')" = "1440 960" ]
    [ "$(wc -c <one.png)" -gt 10000 ]
    estimator plot exchange "$sp2" -o one.pdf
    [ "$(head -c 5 one.pdf)" = %PDF- ]
}

@test "nothing that a table says is executed" {
    need_gnuplot
    sed "s/name: sp2-mpl/name: \"a'b \`touch owned\` \$(touch owned) \\\\\" ; system('touch owned')\"/" "$sp2" >bad.yaml
    estimator plot exchange bad.yaml -o bad.svg
    [ ! -e owned ]
    grep -q "touch owned" bad.svg
}

@test "what cannot be drawn is one line and status 2, and no picture" {
    for arguments in "nonsense $sp2" "overlap $sp2" "signature $sp2" "exchange nowhere.yaml" "exchange"; do
        # shellcheck disable=SC2086
        run estimator plot $arguments -o it.svg
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
        [ ! -e it.svg ]
    done
    run estimator plot exchange "$sp2" -o it.doc
    [ "$status" -eq 2 ]
    [[ "$output" == *"expected a name that ends in"* ]]
}
