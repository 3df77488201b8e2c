#!/usr/bin/env bats
# What the trainer writes, and what it leaves alone: nothing that somebody measured is lost, and nothing
# is replaced that is not its own.
bats_require_minimum_version 1.5.0 # run --separate-stderr

# Why nothing can be trained; empty: it can. A setup_file cannot skip.
missing() {
    if [ ! -x "$FORECOST_BUILD/trainer/trainer" ]; then
        echo "the trainer was not built (--without-mpi)"
    elif ! command -v "${MPIEXEC:-mpiexec}" >/dev/null; then
        echo "no ${MPIEXEC:-mpiexec}"
    elif [[ ${MPIEXEC:-mpiexec} == *smpirun* ]]; then
        echo "configured for the simulated bed"
    elif [ "$(nproc)" -lt 2 ]; then
        echo "fewer than 2 cores"
    fi
}

# One table of two utilities and its points, for all tests.
setup_file() {
    [ -z "$(missing)" ] || return 0
    export ASAN_OPTIONS=detect_leaks=0 # MPICH leaks at exit
    cd "$BATS_FILE_TMPDIR" || exit 1
    train --suite exchange,synchronization -o it.yaml
}

setup() {
    [ -z "$(missing)" ] || skip "$(missing)"
    cd "$BATS_TEST_TMPDIR" || exit 1
    good
}

# train OPTION...
train() {
    timeout 60 "${MPIEXEC:-mpiexec}" -n 2 "$FORECOST_BUILD/trainer/trainer" --no-progress --quick --max-bytes 1k --budget 20 "$@"
}

# The good table and its points, and nothing else.
good() {
    rm -rf ./*
    cp -p "$BATS_FILE_TMPDIR/it.yaml" "$BATS_FILE_TMPDIR/it.points.csv" .
    sha256sum it.yaml it.points.csv >"$BATS_FILE_TMPDIR/sums"
}

# They are as they were.
kept() {
    sha256sum --quiet -c "$BATS_FILE_TMPDIR/sums"
}

# refused TEXT OPTION...: one line with that text, status 2, and nothing measured or written.
refused() {
    local text=$1 before
    before=$(ls -lAi --time-style=full-iso)
    shift
    run train "$@"
    [ "$status" -eq 2 ] && [ "${#lines[@]}" -eq 1 ] && [[ $output == "trainer: "*"$text"* ]] &&
        [ "$(ls -lAi --time-style=full-iso)" = "$before" ] && return
    printf '%s\n' "$status" "$output" "$before" "$(ls -lAi --time-style=full-iso)"
    return 1
}

# utilities [TABLE]: one a line.
utilities() {
    sed -n 's/^  - utility: //p' "${1:-it.yaml}"
}

# in_points UTILITY: its lines.
in_points() {
    grep "^$1," it.points.csv
}

# no_file KIND AT: something of that kind stands there, and is refused.
no_file() {
    local kind=$1
    rm -rf ./*
    case $kind in
    FIFO) mkfifo "$2" ;;
    folder) mkdir "$2" ;;
    device) mknod "$2" c 1 3 2>/dev/null || return 0 ;; # root alone makes one
    link*)
        [ "$kind" != "link to a FIFO" ] || mkfifo pipe
        [ "$kind" != "link to a table" ] || echo mine >there.yaml
        case $kind in *FIFO) ln -s pipe "$2" ;; *table) ln -s there.yaml "$2" ;; *) ln -s nowhere "$2" ;; esac
        refused "$2: is a link: name the file that it points to, or remove it" --suite exchange -o it.yaml
        return
        ;;
    esac
    refused "$2: is a $kind: expected a file, or none yet" --suite exchange -o it.yaml
}

@test "a target that is no file is refused before anything is measured, and stays what it is" {
    for kind in FIFO folder device "link to nothing" "link to a FIFO" "link to a table"; do
        no_file "$kind" it.yaml
    done
    no_file device it.points.csv
    no_file folder it.unfinished.yaml
    no_file "link to a FIFO" it.unfinished.points.csv
    no_file "link to a table" it.points.csv
    no_file FIFO it.lock
}

@test "a folder that is not there or takes no file, and a name that is another file's" {
    refused "no/it.yaml: cannot be written: No such file or directory" -o no/it.yaml
    refused "it.yaml/this.yaml: cannot be written: Not a directory" -o it.yaml/this.yaml
    refused "it.points.csv: a file beside a table may have that name" -o it.points.csv
    refused "it.unfinished.yaml: a file beside a table may have that name" -o it.unfinished.yaml
    echo "a list of mine" >it.lock
    refused "it.lock: would be the table's lock, and is another file" -o it.yaml
    grep -q mine it.lock
    [ "$(id -u)" -ne 0 ] || skip "root writes everywhere"
    chmod 444 it.yaml
    refused "it.yaml: cannot be written: Permission denied" -o it.yaml
    chmod 644 it.yaml
    chmod 555 .
    refused "it.yaml: cannot be written: Permission denied" -o it.yaml
    chmod 755 .
}

@test "a usage error touches no file" {
    refused "--processors: 99: expected whole numbers from 2 to 2" --processors 99 -o it.yaml
    refused "--processors: 2.5: expected whole numbers" --processors 2.5 -o it.yaml
    refused "no suite 'nosuch'" --suite nosuch -o it.yaml
    refused "--budget is 'soon'" --budget soon -o it.yaml
    refused "--min-bytes is above --max-bytes" --min-bytes 2k -o it.yaml
    refused "nothing to measure" --suite '' -o it.yaml
    refused "unexpected argument" -o it.yaml more
    refused "--add: expected neither --replace nor --launches" --add --replace -o it.yaml
    refused "--add and --replace: expected neither" --add --validate it.yaml -o it.yaml
    kept
}

@test "a table loses nothing that is not measured anew, but with --replace" {
    refused "it.yaml: has synchronization, which this run would not measure: expected --add, which keeps that, --replace" --suite exchange -o it.yaml
    sed -i 's/^    processors: \[2, 2\]/    processors: [2, 16]/; s/^  processors: 2/  processors: 16/' it.yaml
    refused "it.yaml: has synchronization up to p = 16, which this run would not measure" --suite exchange,synchronization -o it.yaml
    good
    # nor do several launches
    run "$FORECOST_BUILD/trainer/trainer" --launches 2 --suite exchange -o it.yaml
    [ "$status" -eq 2 ]
    [[ ${lines[*]} == "trainer: it.yaml: has synchronization, which this run would not measure"* ]]
    [ "$(ls)" = $'it.points.csv\nit.yaml' ]
    train --suite exchange --replace -o it.yaml
    [ "$(utilities)" = exchange ]
    run in_points synchronization
    [ "$status" -eq 1 ]
    # and again, as often as one likes
    train --suite exchange -o it.yaml
    [ "$(ls)" = $'it.points.csv\nit.yaml' ]
}

@test "what is not the trainer's own is not replaced" {
    cp "$FORECOST_SOURCE/machines/sp2-mpl.yaml" published.yaml
    refused "published.yaml: is a table that was not measured" --suite patterns -o published.yaml
    refused "published.yaml: is a table that was not measured" --suite patterns --add -o published.yaml
    cp "$FORECOST_SOURCE/samples/jacobi/jacobi.yaml" .
    refused "jacobi.yaml: is no machine table that can be read" -o jacobi.yaml
    rm it.yaml
    refused "it.points.csv: has points, whose table is gone" -o it.yaml
    echo "a table of mine" >new.points.csv
    refused "new.points.csv: has no measured points" -o new.yaml
    for file in new.unfinished.yaml new.unfinished.points.csv new.unfinished.swap.csv new.yaml.trained new.points.csv.trained \
        new.swap.csv.trained new.lock; do
        rm -f new.*
        echo "my own file" >"$file"
        run train --suite synchronization -o new.yaml
        [ "$status" -eq 2 ] && [[ $output == "trainer: $file: would be "*", and is another file: expected another -o" ]]
        [ "$(ls new.*)" = "$file" ] && [ "$(cat "$file")" = "my own file" ]
    done
    : >empty.yaml
    train --suite synchronization -o empty.yaml
    [ "$(utilities empty.yaml)" = synchronization ]
}

@test "--add: what is measured now takes the place of its like, and all else stays" {
    sed -n '/utility: synchronization/,/^  -\|^[a-z]/p' it.yaml >row
    in_points synchronization >points
    train --suite point-to-point,exchange --add --seed 3 -o it.yaml
    estimator check it.yaml
    [ "$(utilities | sort | tr '\n' ' ')" = "exchange point-to-point synchronization " ]
    # kept as it was, points too
    sed -n '/utility: synchronization/,/^  -\|^[a-z]/p' it.yaml | head -n "$(($(wc -l <row) - 1))" >row.now
    head -n -1 row | cmp - row.now
    in_points synchronization | cmp - points
    # of what was replaced no point is left
    grep '^exchange,' "$BATS_FILE_TMPDIR/it.points.csv" >old
    [ "$(in_points exchange | grep -cFx -f old)" -eq 0 ]
    # and it says what was added, when and how
    grep -q 'what: "point-to-point, exchange"' it.yaml
    [ "$(grep -c 'seed: 1' it.yaml)" -eq 1 ]
    [ "$(grep -c 'seed: 3' it.yaml)" -eq 1 ]
    estimator show it.yaml --section machine --format csv >shown
    grep -q '^added,"point-to-point, exchange;' shown
    # added once more: the row of before says what is left of it
    train --suite exchange --add --seed 4 -o it.yaml
    grep -q 'what: point-to-point$' it.yaml
    grep -q 'what: exchange$' it.yaml
    estimator check it.yaml
    [ "$(ls)" = $'it.points.csv\nit.yaml\nold\npoints\nrow\nrow.now\nshown' ]
}

@test "--add: to the table of this machine alone, with whole points" {
    sed -i 's/^    cpu: .*/    cpu: another/' it.yaml
    refused "it.yaml: was measured on 'another': expected the same processor" --suite point-to-point --add -o it.yaml
    good
    sed -i 's/^  processors: 2/  processors: 3/' it.yaml
    refused "it.yaml: was measured with 3 ranks: expected as many" --suite point-to-point --add -o it.yaml
    good
    printf 'exchange,2' >>it.points.csv
    refused "it.points.csv:" --suite point-to-point --add -o it.yaml
    rm it.*
    run train --suite synchronization --add -o it.yaml
    [ "$status" -eq 0 ]
    [[ $output == *"remark: it.yaml: there is no table to add to: it begins now"* ]]
    [ "$(utilities)" = synchronization ]
}

@test "a run that measured nothing writes no table, and says so" {
    run train --suite point-to-point-far --replace -o it.yaml
    [ "$status" -eq 1 ]
    [ "${#lines[@]}" -eq 1 ]
    [[ $output == "trainer: nothing was measured (point-to-point-far: no processor is clearly farther than the near one): no table is written"* ]]
    kept
    [ "$(ls)" = $'it.points.csv\nit.yaml' ]
    run train --suite point-to-point-far --add -o it.yaml
    [ "$status" -eq 1 ]
    [[ $output == *"no table is written, the one that is there stays" ]]
    kept
    run train --suite point-to-point-far -o new.yaml
    [ "$status" -eq 1 ]
    [ "$(ls)" = $'it.points.csv\nit.yaml' ]
}

@test "what a run did not come to stays in the table, and what it measured can still be put there" {
    # as if the far ones had been measured
    sed -i 's/utility: synchronization/utility: exchange-far/' it.yaml
    cp it.yaml it.before
    run train --suite exchange,exchange-far -o it.yaml
    [ "$status" -eq 1 ]
    [[ $output == *"trainer: it.yaml stays: it has exchange-far, which was not measured now; what was is in it.unfinished.yaml"* ]]
    cmp it.yaml it.before
    cmp it.points.csv "$BATS_FILE_TMPDIR/it.points.csv"
    estimator check it.unfinished.yaml
    train --suite exchange,exchange-far -o it.yaml --resume --add
    [ "$(utilities | tr '\n' ' ')" = "exchange exchange-far " ]
    grep -q 'what: exchange$' it.yaml
    [ ! -e it.unfinished.yaml ] && [ ! -e it.unfinished.points.csv ]
}

@test "--resume with nothing to resume says so, and goes on" {
    run train --suite exchange,synchronization --seed 9 -o it.yaml --resume
    [ "$status" -eq 0 ]
    [[ $output == *"trainer: remark: it.yaml: nothing to resume: a calibration begins"* ]]
    grep -q 'seed: 9' it.yaml
}

# Kills the process that is about to give a file the name that ends so.
make_killer() {
    command -v cc >/dev/null || skip "no cc"
    cat >killer.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
int rename(const char *from, const char *to)
{
    const char *at = getenv("KILLED_AT");
    int (*next)(const char *, const char *) = (int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename");
    const char *name = strrchr(to, '/') ? strrchr(to, '/') + 1 : to;
    if (at && strcmp(name, at) == 0)
        raise(SIGKILL);
    return next(from, to);
}
END
    cc -shared -fPIC -o "$BATS_FILE_TMPDIR/killer.so" killer.c -ldl
    rm killer.c
}

@test "killed while table and points are replaced: both are the old ones, or both the new ones" {
    make_killer
    for at in it.yaml.trained it.points.csv it.yaml; do
        good
        export KILLED_AT=$at ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
        run env LD_PRELOAD="$BATS_FILE_TMPDIR/killer.so" timeout 60 "${MPIEXEC:-mpiexec}" -n 2 "$FORECOST_BUILD/trainer/trainer" \
            --no-progress --quick --max-bytes 1k --budget 20 --suite exchange,synchronization --seed 5 -o it.yaml
        unset KILLED_AT
        [ "$status" -ne 0 ]
        [ -e it.lock ] # which nobody holds
        # any run that comes as far as to look at the table brings it to its end
        run train --suite exchange -o it.yaml
        [ "$status" -eq 2 ]
        [[ $output == *"has synchronization, which this run would not measure"* ]]
        [ ! -e it.lock ]
        if [ "$at" = it.yaml.trained ]; then
            kept
            # and what was measured is not lost
            train --suite exchange,synchronization --seed 5 -o it.yaml --resume
        fi
        grep -q 'seed: 5' it.yaml
        ! cmp -s it.points.csv "$BATS_FILE_TMPDIR/it.points.csv"
        [ ! -e it.yaml.trained ]
        estimator check it.yaml
        [ "$(($(awk '/^    points:/ { sum += $2 } END { print sum }' it.yaml)))" -le "$(wc -l <it.points.csv)" ]
    done
}

@test "what the estimator writes goes through a FIFO, and leaves it one" {
    mkfifo pipe.html pipe.gp
    timeout 20 cat pipe.html >page 3>&- &
    estimator report it.yaml -o pipe.html
    wait
    grep -q '<html' page
    timeout 20 cat pipe.gp >script 3>&- &
    estimator plot exchange it.yaml -o pipe.gp
    wait
    [ -s script ]
    estimator report it.yaml -o /dev/stdout | grep -q '<html'
    [ -p pipe.html ] && [ -p pipe.gp ]
    kept
}

@test "what a suite makes of its rows is no loss where it is measured anew" {
    train --suite swap --max-bytes 8k --budget 1 -o swap.yaml
    printf 'communication:\n  - {utility: exchange-best, regions: [{t0_us: 1}]}\n' >>swap.yaml
    estimator check swap.yaml
    # One volume makes no exchange-best: the old table stays, but it is not refused before.
    run train --suite swap --max-bytes 8k --budget 1 -o swap.yaml
    [ "$status" -eq 1 ]
    [[ "$output" == *"swap             "*" protocols and ways"* ]]
}

@test "a measured table has six digits of what was measured, and whole numbers as they are" {
    sed 's/"[^"]*"//g' it.yaml | grep -oE '[-+]?[0-9]+\.[0-9]+(e[-+]?[0-9]+)?' >numbers
    [ "$(wc -l <numbers)" -gt 10 ]
    awk '{ digits = $0; sub(/e.*/, "", digits); gsub(/[-+.]/, "", digits); sub(/^0+/, "", digits)
           if (length(digits) > 6) { print; bad = 1 } } END { exit bad }' numbers
    # A longer whole number stays what it is.
    grep -q '^  *seed: [0-9]*$' it.yaml
}

@test "--explain: every printed equation is true, on published tables and on tables of measured points" {
    local description table equations count=0
    # Points far from their region's line, in an operation of every program, and factors in a program.
    cat >measured.yaml <<'END'
forecost: 4
machine: {name: measured, measured: {seed: 1}}
communication:
  - utility: point-to-point
    regions: [{t0_us: 10, rinf_mb_per_s: 100, measured_us: "1: 9, 64: 14, 4096: 41, 65536: 900", error: {held_out_p95: 0.02}}]
  - utility: exchange
    bytes: [8, 65536]
    regions: [{t0_us: 20, rinf_mb_per_s: 50, measured_us: "8: 26, 4096: 88, 65536: 1500", error: {held_out_p95: 0.02}}]
    in_situ: [{bytes: 8, written: 1.5, after_256k: 2, after_1m: 3, after_4m: 4}]
  - {utility: combine, regions: [{setup_us: {"ceil(log2(p))": 9}, measured_us: "8: 40", error: {held_out_p95: 0.02}}]}
  - {utility: broadcast, regions: [{setup_us: {"ceil(log2(p))": 7}, error: {held_out_p95: 0.02}}]}
node: {clock_mhz: 1000, units: {all: {add: 1, mul: 1, madd: 1, div: 1, sqrt: 1, load: 1, store: 1}}}
END
    for table in measured.yaml "$FORECOST_SOURCE/machines/sp2-mpl.yaml" "$FORECOST_SOURCE/machines/spp1000-convexpvm.yaml"; do
        for description in "$FORECOST_SOURCE"/samples/{jacobi/jacobi,adi/adi,lu/lu,cg/cg,summa/summa,sweep/sweep}.yaml; do
            estimator predict "$table" "$description" -p 4 --explain >printed 2>&1 ||
                estimator predict "$table" "$description" -p 4 --explain --communication-only >printed 2>&1 || continue
            equations=$(python3 "$FORECOST_SOURCE/test/explain/equations.py" <printed) || { cat printed; false; }
            count=$((count + equations))
        done
    done
    [ "$count" -ge 100 ]
    COLUMNS=200 estimator predict measured.yaml "$FORECOST_SOURCE/samples/jacobi/jacobi.yaml" -p 4 --explain >printed
    grep -Eq 'T_exch\(n\) = 20 \+ n/50 = \(20 \+ [0-9]+/50\) x [0-9.]+( x [0-9.]+)? = .* us \(x [0-9.]+: (this size was measured|between [0-9]+ and [0-9]+ bytes, measured: [0-9.]+ and [0-9.]+ us)\)' printed ||
        { cat printed; false; }
    # the test itself sees a false one
    # a law that is a constant, and a time that was measured beside it
    sed 's/setup_us: {"ceil(log2(p))": 9}, measured_us/t0_us: 9, measured_us/' measured.yaml >constant.yaml
    estimator predict constant.yaml "$FORECOST_SOURCE/samples/jacobi/jacobi.yaml" -p 4 --explain >printed
    grep -q 'T_cb(n) = (9) x 4.44' printed
    python3 "$FORECOST_SOURCE/test/explain/equations.py" <printed
    run python3 "$FORECOST_SOURCE/test/explain/equations.py" <<<"    T_exch(n) = 40 + n/28.4 = 40 + 512/28.4 = 59 us; 2 x 59 = 118 us"
    [ "$status" -eq 1 ]
}

@test "a total that is partly a node's bound has a flag where it stands, and what is measured has none" {
    local table=$FORECOST_SOURCE/machines/sp2-mpl.yaml program=$FORECOST_SOURCE/samples/jacobi/jacobi.yaml
    estimator predict "$table" "$program" -p 4 -f csv | cut -d, -f1,9 >rows
    diff rows - <<'EOF'
segment,flags
sweep,partly-bound
converge,
all,partly-bound
EOF
    estimator predict "$table" "$program" -p 4 | grep -q '^all .* partly-bound$'
    estimator predict "$table" "$program" -p 4 -f json | grep -q '"flags": "partly-bound"'
    estimator rank "$table" "$program" -p 4 -f csv | awk -F, 'NR > 1 && $0 !~ /partly-bound/ { exit 1 }'
    estimator predict "$table" "$program" -p 4 --communication-only -f csv | awk -F, '/partly-bound/ { exit 1 }'
}

@test "a time of which no error is known has no interval: text, CSV, JSON" {
    local table=$FORECOST_SOURCE/machines/sp2-pvme.yaml
    estimator cost "$table" point-to-point -n 1024 -f csv | tail -1 | grep -q '^point-to-point,1024,2,177\.[0-9]*,,,2,error-unknown,'
    estimator cost "$table" point-to-point -n 1024 -f json | tr -d '\n' | grep -q '"low_us": null, "high_us": null.*"flags": "error-unknown"'
    ! estimator cost "$table" point-to-point -n 1024 | grep -q 'likely range'
    estimator rank "$table" "$FORECOST_SOURCE/samples/cg/cg.yaml" -p 4 -f csv | awk -F, 'NR > 1 && ($7 != "" || $8 != "" || $13 !~ /error-unknown/) { exit 1 }'
    estimator predict "$FORECOST_SOURCE/machines/sp2-mpl.yaml" "$FORECOST_SOURCE/samples/cg/cg.yaml" -p 4 --breakdown -f csv |
        awk -F, 'NR > 1 && $2 == "compute" && ($(NF - 7) != "" || $NF != "error-unknown") { print; exit 1 }'
}

@test "a time whose ends are more than a factor of 4 apart is between them, in text alone" {
    cat >wide.yaml <<'END'
forecost: 1
machine: {name: wide}
communication:
  - {utility: exchange, regions: [{t0_us: 100, error: {held_out_p95: 1.5}}]}
  - {utility: combine, regions: [{t0_us: 100, error: {held_out_p95: 0.5}}]}
END
    estimator cost wide.yaml exchange,combine -n 8 >text
    # 2.5 and 1.5 times, of 95 of 100 cases: 2.16 and 1.41 of 90
    grep -q '^exchange  *8 B  *2  *between 46 us and 220 us ' text
    grep -q '^combine  *8 B  *2  *100 us  *71.2 to 141 us ' text
    estimator cost wide.yaml exchange -n 8 -f csv | grep -q '^exchange,8,2,100,46.348[0-9]*,215.755[0-9]*,'
}

@test "cost: of several processor counts those without a time are remarked, and the others answered" {
    run --separate-stderr estimator cost "$FORECOST_SOURCE/machines/spp1000-convexpvm.yaml" many-to-many -n 64 -p 2,3,4,5 -f csv
    [ "$status" -eq 0 ]
    [ "$(grep -c '^many-to-many,64,[234],[0-9]' <<<"$output")" -eq 3 ]
    [[ $stderr == *"remark: many-to-many does not scale: there is no model for 64 bytes and p = 5" ]]
    run estimator cost "$FORECOST_SOURCE/machines/spp1000-convexpvm.yaml" many-to-many -n 64 -p 5
    [ "$status" -eq 2 ]
}

@test "LogP: messages follow one another at max(g, o); check says what contradicts itself" {
    cat >gap.yaml <<'END'
forecost: 1
machine: {name: gap}
logp: {send_overhead_us: 1.4, receive_overhead_us: 2.2, gap_us: 1.0, latency_us: 6.35, round_trip_min_us: 19.9, round_trip_max_us: 20.1, message_bytes: 16}
memory: {levels: [{level: 1, capacity_bytes: 65536}, {level: 2, capacity_bytes: 32768}]}
END
    estimator cost gap.yaml point-to-point -n 160 -f csv | awk -F, 'NR == 2 { exit !($4 > 22.5499 && $4 < 22.5501) }'
    estimator check gap.yaml 2>&1 | grep -q 'the gap of 1 us is below the overhead of 2.2 us'
    estimator check gap.yaml 2>&1 | grep -q "level 1 has 65536 bytes, more than the next one's 32768"
    run estimator plot exchange "$FORECOST_SOURCE/machines/sp2-mpl.yaml" -f csv
    [ "$status" -eq 2 ] && [[ $output == *"--format is of --list alone"* ]]
}

@test "random command lines: status 0, 1 or 2, no nan, infinity or negative time, within 5 s and 1 GiB, true equations" {
    mkdir here && cd here || exit 1
    run python3 "$FORECOST_SOURCE/test/commands/random.py" "$(command -v estimator)" "$FORECOST_SOURCE" "${FORECOST_COMMANDS:-150}" "${FORECOST_SEED:-1}"
    echo "$output"
    [ "$status" -eq 0 ]
}
