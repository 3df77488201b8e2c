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
    printf 'exchange,2,%s,9,77,77,77,0,77,0,0,%s,1,%s\n' 100 1 0 200 2 0 400 2 1 >>it.points.csv
    estimator plot exchange it.yaml >script
    # T_exch(n) = 40 + n / 28.4 up to 4096 bytes
    awk '/^\$series[01]/ { model = 1; next } /^EOD/ { model = 0 }
        model && NF == 2 && $1 <= 4095 { rows++; off = $2 - (40 + $1 / 28.4); if (off > 1e-3 || off < -1e-3) { print; bad = 1 } }
        END { exit bad || rows < 50 }' script
    # the last attempt alone, held-out points apart
    [ "$(grep -c '^200 77$' script)" -eq 1 ]
    [ "$(grep -c '^400 77$' script)" -eq 1 ]
    run grep -q '^100 77$' script
    [ "$status" -eq 1 ]
    estimator plot rate:exchange it.yaml -o rate.gp
    grep -q '^200 5.1948' rate.gp # both ways
}

@test "a synchronization: the model against processors, with the points of the last attempts" {
    cat >it.yaml <<'END'
forecost: 1
machine: {name: it}
communication:
  - {utility: synchronization, bytes: [0, 0], processors: [2, 8], regions: [{setup_us: {log2(p): 84}}]}
END
    printf 'utility,processors,bytes,repetitions,minimum_us,median_us,mean_us,standard_deviation_us,maximum_us,half_width_us,rejected,attempt,launch,held_out\n' >it.points.csv
    printf 'synchronization,%s,0,9,1,%s,1,0,1,0,0,%s,1,%s\n' 2 85.5 1 0 4 333 1 0 4 170.5 2 0 8 250.5 1 1 >>it.points.csv
    printf 'exchange,3,0,9,1,444,1,0,1,0,0,1,1,0\n' >>it.points.csv
    estimator plot synchronization it.yaml >script
    [ "$(grep -cE '^(2 84|4 168|8 252)$' script)" -eq 3 ] # 84 log2(p)
    [ "$(grep -cE '^(2 85.5|4 170.5|8 250.5)$' script)" -eq 3 ]
    run grep -qE ' (333|444)$' script
    [ "$status" -eq 1 ]
    [ "$(grep -cE 'it: (model|measured|held out)' script)" -ge 1 ]
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

@test "swaps: time against the number of messages, rate both ways against their size" {
    printf 'forecost: 1\nmachine: {name: it}\n' >it.yaml
    printf 'utility,processors,bytes,repetitions,minimum_us,median_us,mean_us,standard_deviation_us,maximum_us,half_width_us,rejected,attempt,launch,held_out\n' >it.points.csv
    printf 'swap-0.3-basic-warm-%s-0-1,2,%s,9,1,%s,1,0,1,0,0,1,1,0\n' 8192 8192 64 8192 1024 128 65536 65536 400 65536 16384 500 >>it.points.csv
    estimator plot swap it.yaml >script
    [ "$(grep -cE '^(1 400|4 500)$' script)" -eq 2 ]
    # 2 V / T: two times 65536 bytes in 400 us are 327.68 bytes a us, which are MB/s
    estimator plot swap:rate it.yaml >script
    [ "$(grep -cE '^(65536 327.68|16384 262.144)$' script)" -eq 2 ]
    [ "$(grep -cE '^[0-9]' script)" -eq 2 ]
    grep -q "set xlabel .*'message bytes'" script
    grep -q "set ylabel 'both ways, 2 V / T, MB/s'" script
    estimator plot swap:rate:8k it.yaml >script
    [ "$(grep -cE '^(8192 256|1024 128)$' script)" -eq 2 ]
    [ "$(grep -cE '^[0-9]' script)" -eq 2 ]
    for detail in rated rate:7 rate:x; do
        run estimator plot swap:$detail it.yaml
        [ "$status" -eq 2 ]
        [[ "$output" == *"the table has no points of swaps of that volume"* ]]
    done
}

@test "points are drawn by the statistic that was fitted" {
    for statistic in minimum median mean; do
        printf '%s\n' 'forecost: 1' 'machine: {name: it}' 'communication:' \
            "  - {utility: exchange, statistic: $statistic, bytes: [0, 65536], processors: [2, 2], regions: [{t0_us: 40, rinf_mb_per_s: 30}]}" >it.yaml
        printf 'utility,processors,bytes,repetitions,minimum_us,median_us,mean_us,standard_deviation_us,maximum_us,half_width_us,rejected,attempt,launch,held_out\n' >it.points.csv
        printf 'exchange,2,100,9,41,42,43,1,99,0,0,1,1,0\n' >>it.points.csv
        estimator plot exchange it.yaml | grep -oE '^100 4[123]$' >>drawn
    done
    [ "$(tr '\n' ' ' <drawn)" = "100 41 100 42 100 43 " ]
}

# is_picture FILE.png: opened, decoded, of the right size, and of more colours than an empty one.
is_picture() {
    [ "$(head -c 8 "$1" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ]
    [ "$(od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')" = "1440 960" ]
    python3 - "$1" <<'END'
import sys, zlib
data, at, pixels = open(sys.argv[1], 'rb').read(), 8, b''
while at < len(data):
    size, kind = int.from_bytes(data[at:at + 4], 'big'), data[at + 4:at + 8]
    assert zlib.crc32(data[at + 4:at + 8 + size]) == int.from_bytes(data[at + 8 + size:at + 12 + size], 'big')
    pixels += data[at + 8:at + 8 + size] if kind == b'IDAT' else b''
    at += 12 + size
pixels = zlib.decompress(pixels)
row = len(pixels) // 960
assert row * 960 == len(pixels)
# Rows with more than a grid line or a border in them.
assert sum(len(set(pixels[i * row + 1:(i + 1) * row])) > 6 for i in range(960)) > 100
END
}

@test "figure 2.4: near and far processors, times and rates" {
    cat >it.yaml <<'END'
forecost: 1
machine: {name: it}
communication:
  - utility: point-to-point
    bytes: [0, 65536]
    processors: [2, 2]
    regions: [{t0_us: 40, rinf_mb_per_s: 30}]
  - utility: point-to-point-far
    bytes: [0, 65536]
    processors: [2, 2]
    regions: [{t0_us: 43, rinf_mb_per_s: 25}]
END
    printf 'utility,processors,bytes,repetitions,minimum_us,median_us,mean_us,standard_deviation_us,maximum_us,half_width_us,rejected,attempt,launch,held_out\n' >it.points.csv
    printf 'point-to-point-far,2,%s,9,1,%s,1,0,1,0,0,1,1,%s\n' 100 48 0 1000 84 1 >>it.points.csv
    estimator plot distance it.yaml >script
    # near and far: the model of each at every size, and the points of the far one
    awk '/^\$series/ { series = substr($1, 8); next } /^EOD/ { series = "" }
        series == "0" { off = $2 - (40 + $1 / 30); near++ }
        series == "1" { off = $2 - (43 + $1 / 25); far++ }
        series ~ /^[01]$/ && (off > 1e-3 || off < -1e-3) { print; bad = 1 }
        END { exit bad || near < 50 || far < 50 }' script
    [ "$(grep -cE '^(100 48|1000 84)$' script)" -eq 2 ]
    for title in 'it: message, near, model' 'it: message, far, model' 'message, far, measured' 'message, far, held out'; do
        grep -q "title '$title'" script
    done
    grep -q "set xlabel .*'message bytes'" script
    grep -q "set ylabel 'time, us'" script
    run grep -q exchange script # the table has no exchange with far ones
    [ "$status" -eq 1 ]
    estimator plot distance:rate it.yaml >script
    grep -q "set ylabel 'rate, MB/s'" script
    [ "$(grep -cE '^(100 2.0833|1000 11.904)' script)" -eq 2 ]
    run estimator plot distance "$sp2"
    [ "$status" -eq 2 ]
    [[ "$output" == *"the table has no times of far processors"* ]]
    run estimator plot distance:size it.yaml
    [ "$status" -eq 2 ]
    need_gnuplot
    estimator plot distance it.yaml -o it.png
    is_picture it.png
}

@test "predicted against measured: every row a point, the diagonal and 25 % on either side" {
    cat >rows.csv <<'END'
sample,candidate,p,parameters,part,predicted_us,measured_us,ratio
jacobi.yaml,rows,4,N=64 sweeps=3,communication,100.00,110.00,0.9091
jacobi.yaml,rows,4,N=64 sweeps=3,total,1000.50,900.25,1.1114
jacobi.yaml,rows,1,N=64 sweeps=3,communication,0.00,0.00,
lu.yaml,cyclic,4,N=64,total,20,30,0.6667
END
    estimator plot predictions rows.csv >script
    for row in '110 100' '900.25 1000.5' '30 20'; do # measured, predicted
        grep -qx "$row" script
    done
    # from the least time to the longest: equal, a quarter more, a quarter less
    for row in '20 20' '1000.5 1000.5' '20 25' '1000.5 1250.625' '20 15' '1000.5 750.375'; do
        grep -qx "$row" script
    done
    [ "$(grep -cE '^[0-9]' script)" -eq 9 ]
    for title in 'predicted = measured' '25 % more' '25 % less' 'jacobi.yaml, communication' 'jacobi.yaml, total' 'lu.yaml, total'; do
        grep -q "title '$title'" script
    done
    grep -q "set xlabel .*'measured, us'" script
    grep -q "set ylabel 'predicted, us'" script
    grep -q '^set logscale xy$' script
    # one part; a symbol for each sample, of another shape and another colour
    estimator plot predictions:total rows.csv >script
    [ "$(grep -cE '^(900.25 1000.5|30 20)$' script)" -eq 2 ]
    [ "$(grep -cE '^[0-9]' script)" -eq 8 ]
    grep -oE "points linecolor '[^']*' pointtype [0-9]+ .*" script >symbols
    [ "$(cut -d"'" -f2 symbols | sort -u | wc -l)" -eq 2 ]
    [ "$(grep -oE 'pointtype [0-9]+' symbols | sort -u | wc -l)" -eq 2 ]
    # several files, other names of the columns
    printf 'segment,predicted,measured\nstencil,1e3,2e3\n' >more.csv
    estimator plot predictions rows.csv more.csv | grep -qx '2000 1000'
    need_gnuplot
    estimator plot predictions rows.csv -o it.png
    is_picture it.png
    estimator plot predictions:total rows.csv -o it.svg
    grep -q '>lu.yaml<' it.svg
}

@test "predictions that cannot be drawn: file, line, column; no picture" {
    need() { # TEXT LINE:COLUMN MESSAGE
        printf '%b' "$1" >bad.csv
        run estimator plot predictions bad.csv -o it.png
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
        [[ "$output" == *"bad.csv:$2"*"$3"* ]]
        [ ! -e it.png ]
    }
    need '' 1:1 'expected a line of columns'
    need 'sample,measured_us\n' 1:1 "the table has no column 'predicted_us'"
    need 'sample,predicted_us,measured_us\n' '' 'the table has no row to draw'
    need 'sample,predicted_us,measured_us\na,1,x\n' 2:5 "'x': expected a time in us"
    need 'sample,predicted_us,measured_us\na,1,-1\n' 2:5 "expected a time in us"
    need 'sample,predicted_us,measured_us\na,1\n' 2:1 '2 cells: expected 3'
    need "sample,predicted_us,measured_us\n$(for i in $(seq 60); do printf '%s,1,1\\n' "s$i"; done)" 47:1 'more than 45 samples'
    run estimator plot predictions nowhere.csv
    [ "$status" -eq 2 ]
    # a name stays text
    printf "sample,predicted_us,measured_us\\na\`touch owned\`,1,1\\n" >bad.csv
    estimator plot predictions bad.csv >script
    grep -q "title 'a touch owned '" script
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

@test "figure 5.4 as it was published: table 5.3 and its averages" {
    percent=$FORECOST_SOURCE/machines/power2-thin.livermore.csv
    awk -F, 'NR > 1 && $1 ~ /^lfk/ { rows++; for (i = 4; i <= 6; i++) sum[i] += $i }
        $1 == "average" { for (i = 4; i <= 6; i++) if ((off = sum[i] / rows - $i) > 0.05 || off < -0.05) bad = 1; end = rows }
        END { exit bad || end != 12 }' "$percent"
    estimator plot bound "$FORECOST_SOURCE/machines/power2-thin.yaml" >script
    [ "$(grep -cE '^(1 7.9|1 50.6|1 48.3|12 91.2|8 78.8|11 33)$' script)" -eq 7 ] # 8 twice
    for title in 'power2-thin: not optimized' 'power2-thin: -O' 'power2-thin: -O3'; do
        grep -q -- "title '$title'" script
    done
}

@test "figure 5.5 as it was published: what bounds explain of two routines' times" {
    # table 5.1, and section 5.6 for the bound without cache misses
    estimator plot routines "$FORECOST_SOURCE/machines/power2-thin.yaml" >script
    awk '/<< EOD/ { series++ } /^[0-9]/ { print series, $0 }' script >drawn
    printf '%s\n' '1 1 35' '1 2 47' '2 1 10' '2 2 8' '3 0.75 100' '3 2.25 100' | diff - drawn
    grep -q "title 'power2-thin: MA bound'" script
    grep -q "title 'power2-thin: MA bound with perfect cache'" script
    [ "$(grep -c "^set xtics .*('[AB]' [12])" script)" -eq 2 ]
    cp "$sp2" it.yaml
    run estimator plot routines it.yaml
    [ "$status" -eq 2 ]
    [[ "$output" == *"it.yaml: the table has no NAME.routines.csv beside it"* ]]
    # A second table's routines stand beside those of the first.
    printf '%s\n' routine,bound "solve's inner,70" >it.routines.csv
    estimator plot routines "$FORECOST_SOURCE/machines/power2-thin.yaml" it.yaml >script
    grep -qx '3 70' script
    grep -q "set xtics add ('solve''s inner' 3)" script
    if command -v gnuplot >/dev/null; then
        estimator plot routines it.yaml -o it.svg
        grep -q '</svg>' it.svg
    fi
    while IFS='|' read -r place text; do
        printf '%b' "$text" >it.routines.csv
        run estimator plot routines it.yaml
        [ "$status" -eq 2 ]
        [[ "$output" == *"it.routines.csv:$place: "*"expected "* ]] || { echo "$text"; false; }
    done <<'END'
1:1|a,b\n
1:1|routine,bound\n
2:1|routine,bound\nA\n
2:1|routine,bound\nA,3,4\n
2:3|routine,bound\nA,word\n
2:3|routine,bound\nA,-1\n
END
}

@test "figure 5.6: cycles per operation by size, measured and bounded" {
    cp "$sp2" it.yaml
    run estimator plot cpf it.yaml
    [ "$status" -eq 2 ]
    [[ "$output" == *"it.yaml: the table has no NAME.cpf.csv beside it, which cpf.sh writes"* ]]
    printf '%s\n' 'bytes,measured,bound,bound without misses' 4096,0.75,0.5,0.5 1048576,2.25,2.0375,0.5 >it.cpf.csv
    estimator plot cpf it.yaml >script
    [ "$(grep -cE '^(4096 0.75|1048576 2.25|1048576 2.0375)$' script)" -eq 3 ]
    [ "$(grep -cE '^(4096|1048576) 0.5$' script)" -eq 3 ]
    for title in 'sp2-mpl: measured' 'sp2-mpl: bound' 'sp2-mpl: bound without misses'; do
        grep -q -- "title '$title'" script
    done
    grep -q "set ylabel 'cycles per floating-point operation'" script
    for bad in 'bytes,measured\n' 'bytes,measured\n1,x\n' 'bytes,measured\n1,2,3\n' 'size,measured\n1,2\n' 'bytes,measured\n1\n'; do
        # shellcheck disable=SC2059 # its newlines
        printf "$bad" >it.cpf.csv
        run estimator plot cpf it.yaml
        [ "$status" -eq 2 ]
        [ "${#lines[@]}" -eq 1 ]
        [[ "$output" == *"it.cpf.csv:"* ]]
    done
}

@test "figure 5.6: what cpf.sh writes is the bound of the POWER2 and a time of here" {
    BYTES='8192 1048576' ESTIMATOR=$(command -v estimator) "$FORECOST_SOURCE/samples/livermore/cpf.sh" \
        "$FORECOST_SOURCE/machines/power2-thin.yaml" >rows
    [ "$(head -n 1 rows)" = 'bytes,measured,bound,bound without misses' ]
    # 0.5 within the cache of 64 KB; beyond, a line of 8 elements misses in 16.3 - 1 cycles
    awk -F, 'NR > 1 && !($2 > 0) { bad = 1 }
        $1 == 8192 { bad += $3 != 0.5 || $4 != 0.5; rows++ }
        $1 == 1048576 { bad += $3 != 2.0375 || $4 != 0.5; rows++ }
        END { exit bad || rows != 2 }' rows
}

@test "figure 5.4: what of their bound kernels reach, a series a build" {
    cp "$sp2" it.yaml
    run estimator plot bound it.yaml
    [ "$status" -eq 2 ]
    [[ "$output" == *"it.yaml: the table has no NAME.livermore.csv beside it, which livermore.sh --csv writes"* ]]
    printf '%s\n' 'kernel,n,limit,-O2,clang -O3' 'lfk01,1001,load,12.5,50' 'lfk11,1001,dependence,99.5,100.25' \
        'average,,,56,75.1' >it.livermore.csv
    estimator plot bound it.yaml >script
    [ "$(grep -cE '^(1 12.5|1 50|11 99.5|11 100.25|1 100|12 100)$' script)" -eq 6 ]
    for title in 'the bound' "sp2-mpl: -O2'" "sp2-mpl: clang -O3'"; do
        grep -q -- "$title" script
    done
    run grep -q 56 script
    [ "$status" -eq 1 ]
    while IFS='|' read -r place text; do
        printf '%b' "$text" >it.livermore.csv
        run estimator plot bound it.yaml
        [ "$status" -eq 2 ]
        [[ "$output" == *"it.livermore.csv:$place: "*"expected "* ]] || { echo "$text"; false; }
    done <<'END'
1:1|a,b\n
1:1|kernel,n,limit,-O2\n
2:1|kernel,n,limit,-O2\nlfkx,1,load,3\n
2:1|kernel,n,limit,-O2\nlfk01,1,load\n
2:1|kernel,n,limit,-O2\nlfk01,1,load,3,4\n
2:14|kernel,n,limit,-O2\nlfk01,1,load,word\n
END
    if command -v gnuplot >/dev/null; then
        printf '%s\n' 'kernel,n,limit,-O2' 'lfk01,1001,load,12.5' >it.livermore.csv
        estimator plot bound it.yaml -o it.svg
        grep -q '</svg>' it.svg
    fi
}

@test "--list: every kind, with its source; each can be asked for" {
    estimator plot --list --format csv >list.csv
    [ "$(head -n 1 list.csv)" = picture,shows,source ]
    while IFS=, read -r what _; do
        name=${what%%[\[:]*}
        [[ $name != [A-Z]* ]] || continue
        run estimator plot "$name:nonsense:nonsense" "$sp2"
        [ "$status" -eq 2 ]
        [[ "$output" != *"no utility '$name"* ]] || { echo "$name"; false; }
    done < <(tail -n +2 list.csv | tr -d '"')
    run estimator plot
    [ "$status" -eq 2 ]
    [ "$output" = "estimator: expected WHAT TABLE..., or --list" ]
}

@test "several patterns in one picture; the interval is a band where the table has one" {
    estimator plot exchange,many-to-many "$sp2" >script
    grep -q "'sp2-mpl: exchange, p = 2, model'" script
    grep -q "'sp2-mpl: many-to-many, p = " script
    # T_exch(2048) of the published regions, and 8 % to either side, as its authors say
    time_us=$(estimator cost "$sp2" exchange -n 2048 --format csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { printf "%.9g %.9g %.9g", $at["time_us"], $at["low_us"], $at["high_us"] }')
    read -r middle low high <<<"$time_us"
    estimator plot exchange "$sp2" >one
    awk -v low="$low" -v high="$high" '$1 > 0 && NF == 3 && $2 <= $3 { ok = 1 } END { exit !ok }' one
    awk -v middle="$middle" 'NF == 2 && $1 <= 2048 { below = $2 } NF == 2 && $1 > 2048 && !above { above = $2 }
        END { exit !(below <= middle && middle <= above) }' one
    run estimator plot exchange,synchronization "$sp2"
    [ "$status" -eq 2 ]
    [[ "$output" == *"synchronization has no sizes: expected it alone"* ]]
    run estimator plot exchange,nosuch "$sp2"
    [ "$status" -eq 2 ]
}

@test "broadcast algorithms against sizes have best-broadcast's times" {
    estimator plot broadcast-sizes:16 "$sp2" >script
    expected=$(estimator best-broadcast "$sp2" -n 1 -p 16 --format csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == 2 { printf "1 %.9g", $at["broadcast-bt_us"] }')
    grep -qxF "$expected" script
    run estimator plot broadcast-sizes:1.5 "$sp2"
    [ "$status" -eq 2 ]
}

points_header=utility,processors,bytes,repetitions,minimum_us,median_us,mean_us,standard_deviation_us,maximum_us,half_width_us,rejected,attempt,launch,held_out

# points NAME BYTES MEDIAN ATTEMPT ...: rows of a file of points.
points() {
    printf '%s,2,%s,9,1,%s,1,0,1,0,0,%s,1,0\n' "$@"
}

@test "overlap: the loop's time against the work in it, and nothing that was not measured" {
    printf 'forecost: 1\nmachine: {name: it}\n' >it.yaml
    # a unit of work is 0.5 us; the loop takes 10 us while the work hides behind it
    { echo "$points_header"
        points overlap-send-loop-1 64 10 1 overlap-send-base-1 64 10 1 overlap-send-loop-32 64 17.25 1 \
            overlap-send-base-32 64 10 1 overlap-send-loop-32 64 99 2 overlap-send-work-32 64 16 2 \
            overlap-send-loop-1 8 3.5 1 overlap-send-work-1 8 0.25 2 overlap-receive-loop-1 64 7 1; } >it.points.csv
    estimator plot overlap-loop it.yaml >script
    [ "$(grep -cE '^(0.5 10|16 17.25)$' script)" -eq 3 ] # the loop twice, the average at one of them
    grep -qx '16 16' script # the work alone
    grep -q "title 'it: send of 64 bytes, loop'" script
    run grep -E ' (99|7)$' script # another attempt; no work was timed
    [ "$status" -eq 1 ]
    estimator plot overlap-loop:8 it.yaml | grep -qx '0.25 3.5'
    for detail in 7 x 8,64; do
        run estimator plot "overlap-loop:$detail" it.yaml
        [ "$status" -eq 2 ]
        [[ "$output" == *"it.yaml: the table has no points of that overlap" ]]
    done
    for what in overlap:8 overhead:8 logp:8 bound:8 cpf:8 routines:8; do
        run estimator plot "$what" "$sp2"
        [ "$status" -eq 2 ]
        [ "$output" = "estimator: $what: expected ${what%:8} alone" ]
    done
}

@test "LogP figure 6: overheads, latency and gap of published machines, side by side" {
    tables=()
    for name in meiko-cs2 myrinet paragon myrinet-10; do
        tables+=("$FORECOST_SOURCE/machines/$name.yaml")
    done
    estimator plot logp-summary "${tables[@]}" >script
    # o_s + o_r + L, o_s + o_r, o_s; g. Myrinet 10 has only overheads in the text.
    grep -E '^[0-9]' script >drawn
    printf '%s\n' '0.85 10.8' '0.85 3.3' '0.85 1.7' '1.15 13.6' '1.85 15.7' '1.85 4.6' '1.85 2' '2.15 12.4' \
        '2.85 9.95' '2.85 3.6' '2.85 1.4' '3.15 7.6' '3.85 7.6' '3.85 3.6' | diff - drawn
    [ "$(grep -o "' title '[^']*'" script | tr -d '\n')" = "' title 'L'' title 'o of a receive'' title 'o of a send'' title 'g'" ]
    grep -q "set xtics add ('myrinet-10, no L, no g' 4)" script
    run estimator plot logp-summary "$sp2"
    [ "$status" -eq 2 ]
    [[ "$output" == *"sp2-mpl.yaml: the table has no logp overheads of small messages" ]]
}

@test "LogP: the signature of each size, the parameters by size" {
    estimator plot logp "$FORECOST_SOURCE/machines/myrinet.yaml" >script
    [ "$(grep -cE '^(8 18|4096 143|4096 298)$' script)" -eq 3 ]
    [ "$(grep -cE '^[0-9]' script)" -eq 3 ]
    printf 'forecost: 1\nmachine: {name: it}\n' >it.yaml
    # the time of all issues
    { echo "$points_header"
        points logp-store-1-0 256 0.5 1 logp-store-32-0 256 48 1 logp-store-32-2.5 256 96 1 \
            logp-get-32-0 256 64 1 logp-store-1-0 8 9 1; } >it.points.csv
    estimator plot signature:256 it.yaml >script
    [ "$(grep -cE '^(1 0.5|32 1.5|32 3|32 2)$' script)" -eq 4 ]
    [ "$(grep -cE '^[0-9]' script)" -eq 4 ]
    for title in 'store of 256 bytes, delay 0 us' 'store of 256 bytes, delay 2.5 us' 'get of 256 bytes, delay 0 us'; do
        grep -q "it: $title'" script
    done
    for detail in 64 x; do
        run estimator plot "signature:$detail" it.yaml
        [ "$status" -eq 2 ]
        [[ "$output" == *"the table has no logp signature of so many bytes" ]]
    done
}

@test "figures 5.2 and 5.3 of a published node: equation 5.1 between the cache and a quarter more" {
    # 64 KB, 4 ways, lines of 8 doubles; a miss costs 16.3 (loads) and 22 (stores)
    power2=$FORECOST_SOURCE/machines/power2-thin.yaml
    estimator plot memory:load "$power2" >script
    for stride in 1 2 4 8 16; do
        grep -q "title 'power2-thin: load, stride $stride, by its caches'" script
    done
    # four times the cache: of every 8 / stride accesses one misses
    for cycles in "$(awk 'BEGIN { print 7 / 8 + 16.3 / 8 }')" "$(awk 'BEGIN { print 3 / 4 + 16.3 / 4 }')" 16.3; do
        grep -qx "262144 $cycles" script
    done
    # within the transition half of 72 KB's lines miss
    awk '/^\$series3/ { within = 1; next } /^EOD/ { within = 0 }
        within { expected = 1; if ($1 > 65536) { m = ($1 - 65536) / 16384; expected = 1 + (m > 1 ? 1 : m) * 15.3 }
            rows++; off = $2 - expected; if (off > 1e-3 || off < -1e-3) { print; bad = 1 } }
        END { exit bad || rows < 50 }' script
    estimator plot memory:store "$power2" | grep -qx '262144 22'
}

@test "swaps: all curves of a protocol" {
    printf 'forecost: 1\nmachine: {name: it}\n' >it.yaml
    { echo "$points_header"
        points swap-1.9-basic-warm-8192-0-1 8192 64 1 swap-1.9-reorg-cold-8192-0-1 8192 128 1 \
            swap-0.3-basic-warm-8192-0-1 8192 32 1 swap-1.9-basic-warm-65536-0-1 65536 400 1; } >it.points.csv
    estimator plot swap:1.9:8k it.yaml >script
    [ "$(grep -cE '^(1 64|1 128)$' script)" -eq 2 ]
    [ "$(grep -cE '^[0-9]' script)" -eq 2 ]
    estimator plot swap:rate:1.9 it.yaml | grep -qx '65536 327.68'
    run estimator plot swap:1.7:8k it.yaml
    [ "$status" -eq 2 ]
    [[ "$output" == *"the table has no points of that swap of that volume" ]]
}

@test "every picture of --list is drawn" {
    need_gnuplot
    cp "$sp2" it.yaml
    sed -i 's/^communication:$/&\n  - {utility: point-to-point-far, bytes: [0, 65536], processors: [2, 2], regions: [{t0_us: 99, rinf_mb_per_s: 25}]}\n  - {utility: EXCH1, bytes: [0, 65536], processors: [2, 2], regions: [{t0_us: 50, rinf_mb_per_s: 25}]}/' it.yaml
    sed -n '/^overlap:/,/^not_measured:/p' "$FORECOST_SOURCE/machines/smb-n107.yaml" | sed '$d' >>it.yaml
    cat >>it.yaml <<'END'
logp:
  send_overhead_us: 2.0
  receive_overhead_us: 2.6
  gap_us: 12.4
  latency_us: 11.1
  bulk:
    - {bytes: 8, send_overhead_us: 2, gap_us: 18}
    - {bytes: 4096, send_overhead_us: 143, gap_us: 190}
  signature:
    - {issues: 1, delay_us: 0, cost_us: 1.4}
    - {issues: 128, delay_us: 0, cost_us: 12}
END
    { echo "$points_header"
        points exchange 100 48 1 exchange 1000 77 1 overlap-send-loop-1 64 10 1 overlap-send-loop-32 64 20 1 \
            overlap-send-work-32 64 16 2 swap-1.9-basic-warm-8192-0-1 8192 64 1 \
            swap-1.9-basic-warm-8192-0-1 1024 99 1; } >it.points.csv
    printf '%s\n' 'bytes,measured,bound,bound without misses' 4096,0.75,0.5,0.5 1048576,2.25,2.0375,0.5 >it.cpf.csv
    printf '%s\n' 'kernel,n,limit,-O2' 'lfk01,1001,load,12.5' 'lfk02,1001,load,42.5' >it.livermore.csv
    printf '%s\n' routine,bound solve,70 relax,35 >it.routines.csv
    estimator plot --list --format csv >list.csv
    count=0
    while IFS= read -r what; do
        case $what in
        rate) what=rate:exchange ;;
        UTILITY) what=express ;;
        esac
        estimator plot "$what" it.yaml -o "$what.png" || { echo "$what"; false; }
        is_picture "$what.png" || { echo "$what: nothing is in the picture"; false; }
        count=$((count + 1))
    done < <(tail -n +2 list.csv | tr -d '"' | sed 's/[:,[].*//')
    [ "$count" -eq "$(($(wc -l <list.csv) - 1))" ]
}
