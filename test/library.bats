#!/usr/bin/env bats
# libforecost as somebody else meets it: installed into a folder, found by pkg-config, from C and Python.

of_build() { # of_build NAME: a variable of the Makefile of the build under test
    sed -nE "s/^$1 = (.*)/\1/p" "$FORECOST_BUILD/Makefile" | head -n 1
}

setup_file() {
    cd "$BATS_FILE_TMPDIR" || exit 1
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$FORECOST_BUILD" DESTDIR="$PWD/image" install-libLTLIBRARIES \
        install-includeHEADERS install-pkgconfigDATA install-pythonDATA install-dist_examplesDATA \
        install-nobase_dist_pkgdataDATA >make.log 2>&1 ||
        { tail -n 30 make.log; false; }
    local prefix=$PWD/image$(of_build prefix)
    local flags="-I$prefix/include -L$prefix/lib -lforecost"
    if command -v pkg-config >/dev/null; then
        flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --define-variable=prefix="$prefix" --cflags --libs forecost)
    fi
    for source in "$FORECOST_SOURCE"/test/library/{answers,calls,memory}.c "$prefix"/share/doc/forecost/examples/ranking.c; do
        # shellcheck disable=SC2046,SC2086 # lists of words
        $(of_build CC) -std=gnu17 -Wall -Werror -o "$(basename "$source" .c)" "$source" $flags -lm || return 1
    done
}

setup() {
    cd "$BATS_FILE_TMPDIR" || exit 1
    prefix=$PWD/image$(of_build prefix)
    library=$(echo "$prefix"/lib/libforecost-*.so)
    sp2=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    samples=$FORECOST_SOURCE/samples
    jacobi=$samples/jacobi/jacobi.yaml
    export FORECOST_DESCRIBER=$FORECOST_BUILD/describer/describer
    # A sanitizer must come first.
    sanitizer=$(ldd "$library" | awk '/lib[au]?san\.so/ { printf "%s ", $3 }')
}

# installed COMMAND...: with the installed library.
installed() {
    LD_LIBRARY_PATH=$prefix/lib LD_PRELOAD=$sanitizer ASAN_OPTIONS=${leaks:-detect_leaks=1} "$@"
}

python() {
    leaks=detect_leaks=0 PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$prefix/share/forecost/python installed python3 "$@"
}

# columns NAMES: of CSV, in that order.
columns() {
    awk -F, -v names="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; count = split(names, want, ",") }
        { for (i = 1; i <= count; i++) printf "%s%s", $at[want[i]], i < count ? "," : "\n" }'
}

# same ESTIMATOR-ARGUMENTS -- ANSWERS-ARGUMENTS: the library's CSV is the estimator's, to the last digit.
same() {
    local of_estimator=()
    while [ "$1" != -- ]; do of_estimator+=("$1") && shift; done
    shift
    installed ./answers "$@" >answered || { echo "answers $*: status $?"; return 1; }
    [ "$(wc -l <answered)" -ge 2 ]
    estimator "${of_estimator[@]}" --format csv | columns "$(head -n 1 answered)" >printed
    diff printed answered
}

@test "the shared library shows forecost_* and nothing else, and so does the static one" {
    [ "$(nm -D --defined-only "$library" | awk '{ print $3 }' | grep -cv '^forecost_')" -eq 0 ]
    [ "$(nm -D --defined-only "$library" | grep -c ' T forecost_')" -ge 30 ]
    [ -n "$sanitizer" ] && skip "the static library is not looked at with a sanitizer, which adds names"
    [ -e "$prefix/lib/libforecost.a" ] || skip "configured with --disable-static"
    [ "$(nm -g --defined-only "$prefix/lib/libforecost.a" | awk 'NF == 3 { print $3 }' | grep -cv '^forecost_')" -eq 0 ]
    # shellcheck disable=SC2046 # lists of words
    $(of_build CC) -I"$prefix/include" -o static "$FORECOST_SOURCE/libforecost/examples/ranking.c" "$prefix/lib/libforecost.a" \
        $(of_build GSL_LIBS) $(of_build YAML_LIBS) -lm $(of_build AM_LDFLAGS)
    ./static "$sp2" "$jacobi" | grep -q '^1. blocks: '
}

@test "every function of the header is in the library, and has its words there" {
    grep -oE '\bforecost_[a-z_]+\(' "$FORECOST_SOURCE/libforecost/forecost.h" | tr -d '(' | sort -u >declared
    nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' | sort >shown
    diff declared shown
    head -n 20 "$prefix/include/forecost.h" | grep -q 'Before version 1.0'
    printf '#include <forecost.h>\nint main() { return forecost_version() == 0; }\n' >plus.cpp
    command -v g++ >/dev/null || skip "g++ is not installed"
    g++ -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include" plus.cpp
}

@test "the example in C: a ranking, and an error with its place" {
    installed ./ranking "$sp2" "$jacobi" N=512 >ranking.out
    first=$(estimator rank "$sp2" "$jacobi" -p 16 -D N=512 --format csv | columns total_us | sed -n 2p)
    [ "$(head -n 1 ranking.out | awk '{ print $3 }')" = "$(awk -v us="$first" 'BEGIN { printf "%.6g", us }')" ]
    [ "$(wc -l <ranking.out)" -eq 3 ]
    [ "$(wc -l <"$FORECOST_SOURCE/libforecost/examples/ranking.c")" -le 32 ]
}

@test "costs, predictions, rankings and bounds are the estimator's, to the last digit" {
    for n in 0 17 4096 1000000; do
        same cost "$sp2" exchange -n $n -p 2 -- cost "$sp2" exchange $n 2
        same cost "$sp2" broadcast -n $n -p 8 -- cost "$sp2" broadcast $n 8
        same cost "$sp2" all-gather -n $n -p 8 -- cost "$sp2" all-gather $n 8
    done
    paragon=$FORECOST_SOURCE/machines/paragon.yaml
    name=$(estimator cost "$paragon" none 2>&1 | sed -nE 's/.*there are: ([a-z0-9-]+).*/\1/p')
    same cost "$paragon" "$name" -n 100 -p 2 -- cost "$paragon" "$name" 100 2
    for sample in adi/adi fft/fft heat/heat jacobi/jacobi lu/lu matvec/matvec transpose/three-ways; do
        same rank "$sp2" "$samples/$sample.yaml" -p 4 -- rank "$sp2" "$samples/$sample.yaml" 4
    done
    same rank "$paragon" "$jacobi" -p 16 --communication-only -- communication rank "$paragon" "$jacobi" 16
    same predict "$sp2" "$jacobi" -c blocks -p 16 -D N=300 -- predict "$sp2" "$jacobi" 16 blocks N=300
    same predict "$sp2" "$samples/adi/adi.yaml" -c pipelined -p 8 -- predict "$sp2" "$samples/adi/adi.yaml" 8 pipelined
    same bound "$FORECOST_SOURCE/machines/power2-thin.yaml" "$samples/livermore/lfk07.yaml" -- \
        bound "$FORECOST_SOURCE/machines/power2-thin.yaml" "$samples/livermore/lfk07.yaml"
    same bound "$sp2" "$jacobi" -D N=64 -- bound "$sp2" "$jacobi" N=64
}

@test "another of the machine's states, as the estimator has it" {
    cat >two.yaml <<'EOF'
forecost: 1
machine: {name: two}
states:
  - {share: 0.75, gauge_us: 9, low_us: 8, high_us: 10}
  - {share: 0.25, gauge_us: 20, low_us: 19, high_us: 21}
communication:
  - utility: exchange
    processors: [2, 2]
    regions: [{t0_us: 2, rinf_mb_per_s: 100}]
    states: [{state: 2, ratio: 1.5, add_us: 1, factor: 1.5, points: 4}]
node: {rate_mflops: 1}
EOF
    same cost two.yaml exchange -n 100 -p 2 --state 2 -- state 2 cost two.yaml exchange 100 2
    [ "$(columns time_us <answered | tail -n 1)" = 5.5 ] # 2 us + 100 / 100, half as long again and 1 us
    run installed ./answers state 3 cost two.yaml exchange 100 2
    [ "$status" -eq 1 ]
    [ "$output" = "two.yaml: no state 3: expected one from 1 to 2, which the machine has" ]
    python -c 'import forecost; print(forecost.Machine("two.yaml", state=2).cost("exchange", 100).time_us)' >state2.out
    estimator cost two.yaml exchange -n 100 -p 2 --state 2 --format csv | columns time_us | sed -n 2p | awk 'NR == FNR { us = $1; next } { exit ($1 - us > 1e-9 || us - $1 > 1e-9) }' - state2.out
}

@test "a C source is described, and its errors have their place" {
    [ -x "$FORECOST_DESCRIBER" ] || skip "the describer was not built"
    same rank "$sp2" "$samples/jacobi/jacobi-serial.c" -p 4 -- rank "$sp2" "$samples/jacobi/jacobi-serial.c" 4
    printf 'int main(void)\n{\n    x = 1;\n}\n' >wrong.c
    run installed ./answers rank "$sp2" wrong.c 4
    [ "$status" -eq 1 ]
    [[ $output == "wrong.c:3:5: "*"'x'"* ]]
    [ "${#lines[@]}" -eq 1 ]
}

@test "what is wrong is said with file, line and column, by a status, as the estimator says it" {
    for bad in key-twice-inside redistribute-nowhere; do
        run installed ./answers rank "$FORECOST_SOURCE/test/bad/$bad.yaml" "$jacobi" 4
        [ "$status" -eq 1 ]
        [ "${#lines[@]}" -eq 1 ]
    done
    sed 's/N: 1024/N: 1024 \/ 0/' "$jacobi" >s.yaml
    run installed ./answers rank "$sp2" s.yaml 4
    [ "$status" -eq 1 ]
    [[ $output =~ ^s.yaml:[0-9]+:[0-9]+:\  ]]
    [ "estimator: $output" = "$(estimator rank "$sp2" s.yaml -p 4 2>&1)" ]
    run installed ./answers cost "$sp2" exchagne 8 2
    [ "$status" -eq 1 ]
    [[ $output == *"did you mean 'exchange'"* ]]
    run installed ./answers cost "$sp2" exchange nan 2
    [ "$status" -eq 1 ]
    for p in 0.5 -1 nan inf; do
        run installed ./answers rank "$sp2" "$jacobi" $p
        [ "$status" -eq 1 ]
    done
    run installed ./answers predict "$sp2" "$jacobi" 4 none
    [ "$status" -eq 1 ]
    run installed ./answers predict "$sp2" "$jacobi" 4 blocks N
    [ "$status" -eq 1 ]
    # Nothing is wrong, but no candidate has an answer there.
    run installed ./answers rank "$FORECOST_SOURCE/machines/power2-thin.yaml" "$jacobi" 16
    [ "$status" -eq 2 ]
}

@test "a hundred thousand calls leave nothing, and the locale of the caller is of no matter" {
    local there=C
    if localedef -i de_DE -f UTF-8 "$BATS_TEST_TMPDIR/de_DE.UTF-8" 2>/dev/null; then
        export LOCPATH=$BATS_TEST_TMPDIR
        there=de_DE.UTF-8
    fi
    GLIBC_TUNABLES=glibc.malloc.tcache_count=0 LC_ALL=$there installed timeout 100 ./calls "$sp2" "$jacobi"
}

@test "without memory a call says so, and the next one answers" {
    [ -z "$sanitizer" ] || skip "a sanitizer needs address space of its own"
    run installed ./memory "$sp2"
    [ "$status" -eq 0 ]
    [[ $output == "3 out of memory"* ]]
}

@test "two threads at once, under ThreadSanitizer" {
    threads=$FORECOST_BUILD/test/library/threads
    [ -x "$threads" ] || skip "not built: no ThreadSanitizer, or another sanitizer"
    for sample in jacobi adi; do
        run timeout 100 "$threads" "$sp2" "$samples/$sample/$sample.yaml"
        echo "$output"
        [ "$status" -eq 0 ]
    done
}

@test "Python: the example, and numbers and errors as in C" {
    command -v python3 >/dev/null || skip "python3 is not installed"
    mkdir -p drawn && cd drawn
    run python "$prefix/share/doc/forecost/examples/ranking.py" "$sp2" "$jacobi" N=512
    echo "$output"
    [ "$status" -eq 0 ]
    [ -s ranking.png ] || { [[ ${lines[0]} == *"on sp2-mpl, p = 16" ]] && [[ ${lines[1]} == *"blocks ###"*" us" ]]; }
    run python "$prefix/share/doc/forecost/examples/ranking.py" "$sp2" "$FORECOST_SOURCE/test/bad/key-twice-inside.yaml"
    [ "$status" -eq 1 ]
    [[ $output =~ key-twice-inside.yaml:[0-9]+:[0-9]+:\  ]]
    estimator rank "$sp2" "$jacobi" -p 4 -D N=300 --format csv | columns rank,candidate,total_us,low_us,flags >printed
    estimator cost "$sp2" exchange -n 100 -f csv | columns time_us,high_us >>printed
    estimator predict "$sp2" "$jacobi" -c rows -p 4 -f csv | columns segment,total_us >>printed
    python - "$sp2" "$jacobi" printed <<'PYTHON'
import sys

import forecost
from forecost import Machine, Program

machine, program = Machine(sys.argv[1]), Program(sys.argv[2])
printed = [line.rstrip("\n").split(",") for line in open(sys.argv[3])][1:]
rows = forecost.rank(machine, program, processors=4, N=300)
assert len(rows) == len(program.candidates) == 3
for row, want in zip(rows, printed):
    assert [str(row.rank), row.candidate, row.whole.total_us, row.whole.low_us, " ".join(row.whole.flags)] == \
        [want[0], want[1], float(want[2]), float(want[3]), want[4]], (row, want)
cost = machine.cost("exchange", 100)
assert [cost.time_us, cost.high_us] == [float(cell) for cell in printed[4]]
prediction = forecost.predict(machine, program, "rows", 4)
for times, want in zip([*prediction.segments, prediction.whole], printed[6:]):
    assert [times.segment, times.total_us] == [want[0], float(want[1])]
assert forecost.bound(machine, program)[0].bound_us > 0 and forecost.version()
try:
    machine.cost("none", 1)
except forecost.Error as error:
    assert error.status == forecost.BAD_INPUT and error.file == sys.argv[1] and "no utility" in error.text
else:
    raise SystemExit("no error")
PYTHON
}

@test "the page's commands, with nothing but what is installed" {
    command -v pkg-config >/dev/null || skip "pkg-config is not installed"
    command -v python3 >/dev/null || skip "python3 is not installed"
    [ -z "$sanitizer" ] || skip "a sanitizer must come first"
    mkdir home user
    cp -r "$prefix"/* home/
    sed -i "s|^prefix=.*|prefix=$PWD/home|; s|^libdir=.*|libdir=$PWD/home/lib|; s|^includedir=.*|includedir=$PWD/home/include|" \
        home/lib/pkgconfig/forecost.pc
    mv image elsewhere
    awk '/^```/ { within = !within; next } within' "$FORECOST_SOURCE/doc/library.md" >page.sh
    [ "$(wc -l <page.sh)" -ge 7 ]
    cd user
    run env -i HOME="$BATS_FILE_TMPDIR/home" PATH=/usr/bin:/bin sh -e ../page.sh
    mv ../elsewhere ../image
    echo "$output"
    [ "$status" -eq 0 ]
    [[ ${lines[0]} == '1. blocks: '*' us '* ]]
    [ -s ranking.png ] || [[ ${lines[3]} == *' on sp2-mpl, p = 16' ]]
}
