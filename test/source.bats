#!/usr/bin/env bats
# C files in place of a description. Where no libclang is, what the estimator asks of the describer
# is tested with a program in its place, which keeps its arguments and answers with a file.

bats_require_minimum_version 1.5.0 # run -2

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    sp2=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    told=${FORECOST_DESCRIBER:-}
    export ASAN_OPTIONS=detect_leaks=0
}

need_describer() {
    [ -x "${FORECOST_DESCRIBER:-$FORECOST_BUILD/describer/describer}" ] || skip "the describer was not built (no libclang)"
}

# in_place COMMAND: a script of that command in the describer's place.
in_place() {
    printf '#!/bin/sh\n%s\n' "$1" >in-place
    chmod +x in-place
    export FORECOST_DESCRIBER=$PWD/in-place
}

# answers FILE: the describer's place keeps its arguments in "asked", a line each, and answers so.
answers() {
    in_place "printf '%s\\n' \"\$@\" >'$PWD/asked'; cat '$PWD/$1'"
}

# asked WORD...: the arguments were these.
asked() {
    printf '%s\n' "$@" >expected
    diff asked expected
}

# refused "LINE" COMMAND...: that line alone, and status 2.
refused() {
    local expected=$1
    shift
    timeout 20 "$@" >out 2>err && { echo accepted; return 1; }
    [ $? -eq 2 ] && [ ! -s out ]
    [ "$(cat err)" = "$expected" ] || { cat err; return 1; }
}

smooth() { # smooth FILE [MORE-LINES-BEFORE]: a program of two segments
    cat >"$1" <<'C'
void smooth(int n, int steps, double a[n][n], double b[n][n])
{
    for (int step = 0; step < steps; step++) {
#pragma forecost segment relax repeat(steps)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j]
                                  + a[i][j - 1] + a[i][j + 1]);
#pragma forecost segment copy repeat(steps)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j];
    }
}
C
}

directives() {
    printf '%s\n' 'parameters(n = 500, steps = 10)' 'align(b with a)' \
        'candidate rows processors(p) distribute(a[BLOCK][*])' \
        'candidate blocks processors(4, p / 4) distribute(a[BLOCK][BLOCK])'
}

# ---- what the describer is asked ----

described() {
    cat >yaml <<'Y'
forecost-segment: 1
parameters: {n: 100}
arrays: {x: {extent: [n]}}
candidates:
  blocks: {grid: [p], distribute: {x: [BLOCK]}}
program:
  - segment: shift
    body:
      - loop: {i: [1, n - 1]}
        body:
          - {statement: line7, writes: "x[i]", reads: ["x[i-1]"], operations: {add: 1, load: 1, store: 1}, at: "prog.c:7", places: {"x[i-1]": "prog.c:8"}}
Y
}

@test "every command that takes a description takes C files, flags behind -- and definitions before" {
    described && answers yaml
    echo 'int a;' >prog.c && cp prog.c more.c
    printf 'candidate,segment,processors,n,total_us\nblocks,all,4,100,5\n' >times.csv
    estimator predict "$sp2" prog.c more.c -p 4 -D n=64k -- -I include -DREAL=double -c
    asked --places --processes=4 -D n=65536 prog.c more.c -- -I include -DREAL=double -c
    estimator rank "$sp2" "$sp2" prog.c -p 4 -D n=50,60 >out
    asked --places --processes=4 -D n=50 prog.c --
    [ "$(grep -c blocks out)" -ge 4 ]
    estimator bound "$FORECOST_SOURCE/machines/power2-thin.yaml" prog.c more.c
    asked --places prog.c more.c --
    estimator score "$sp2" prog.c more.c times.csv -- -w
    asked --places prog.c more.c -- -w
    estimator check "$sp2" prog.c --side=their.words -- -w
    asked --places --side their.words prog.c -- -w
    estimator describe prog.c >out
    asked prog.c --
    cmp out yaml
    estimator describe prog.c --places -o out -D n=3
    asked --places -D n=3 prog.c --
    refused "estimator: explore needs a terminal; see estimator rank" estimator explore "$sp2" prog.c
}

@test "-- before any C file is what it was: words that are no options" {
    described && cp yaml -- -odd.yaml
    estimator predict -- "$sp2" -odd.yaml
}

@test "a side file beside the source is found; two are refused" {
    described && answers yaml
    mkdir src && touch src/prog.c src/more.c src/prog.forecost
    estimator describe src/prog.c src/more.c >out
    asked --side src/prog.forecost src/prog.c src/more.c --
    touch src/more.forecost
    refused "estimator: src/more.forecost: a second file of directives beside src/prog.forecost: expected one, or --side" \
        estimator describe src/prog.c src/more.c
    estimator describe src/prog.c src/more.c --side src/more.forecost >out
    asked --side src/more.forecost src/prog.c src/more.c --
}

@test "compile_commands.json: the flags of the files that matter to what they mean, above the file and in build" {
    described && answers yaml
    mkdir -p a/src a/inc && touch a/src/prog.c a/src/other.c a/inc/all.h
    here=$(pwd -P)
    cat >a/compile_commands.json <<J
[ {"directory": "$here/a\/src", "file": "prog.c",
   "command": "gcc -O3 -I ../inc -DLEN=64 -D'NAME=\"a b\"' -march=native -Wall -MF x.d -std=c11 -o prog.o -c prog.c"},
	{"directory":"$here/a","arguments":["cc","-Iinc","-include","all.h","-DLEN=64","-c","src/other.c"],"file":"src/other.c"},
  {"directory": "$here/elsewhere", "file": "prog.c", "command": "cc -DWRONG prog.c"} ]
J
    estimator describe a/src/prog.c -- -ULEN >out
    asked "--compiled=-O3 -march=native" a/src/prog.c -- "-I$here/a/src/../inc" -DLEN=64 '-DNAME="a b"' -std=c11 -ULEN
    estimator describe a/src/other.c a/src/prog.c >out
    asked a/src/other.c a/src/prog.c -- "-I$here/a/src/../inc" -DLEN=64 '-DNAME="a b"' -std=c11 "-I$here/a/inc" -includeall.h
    mkdir a/build && mv a/compile_commands.json a/build
    (cd a/src && estimator describe prog.c >out)
    asked "--compiled=-O3 -march=native" prog.c -- "-I$here/a/src/../inc" -DLEN=64 '-DNAME="a b"' -std=c11
    echo '[{"file": "x.c"}]' >a/compile_commands.json
    refused "estimator: $here/a/compile_commands.json:1:2: no command of a compilation: expected directory and file" \
        estimator describe a/src/prog.c
}

@test "compile_commands.json: which list is used is said; what a list may not set is left out with its place" {
    described && answers yaml
    touch prog.c && here=$(pwd -P)
    entry() { printf '[\n{"directory": "%s", "file": "prog.c", "arguments": [%s]}]\n' "$here" "$1" >compile_commands.json; }
    entry '"cc", "-O2", "-fno-math-errno", "-mavx512vl", "-march=x86-64-v3", "-c", "prog.c"'
    estimator describe prog.c >out 2>err
    asked "--compiled=-O2 -fno-math-errno -mavx512vl -march=x86-64-v3" prog.c --
    [ "$(cat err)" = "$here/compile_commands.json: remark: the compiler flags of this list are used" ]
    for flag in -fplugin=./x.so -fplugin-arg-x-y=z -fdump-tree-all=victim -fopt-info-all=victim -fprofile-use=x \
        -fsave-optimization-record=x -mllvm -fuse-ld=./x -march=../x -fpass-plugin=x -fcallgraph-info=x \
        -foptimization-record-file=x -O@x -fcompare-debug=x; do
        entry "\"cc\", \"-O2\", \"$flag\", \"-load=x\", \"-wrapper\", \"./x\", \"-B.\", \"-specs=x\", \"-Wl,-plugin,x\""
        estimator describe prog.c >out 2>err
        asked "--compiled=-O2" prog.c --
        grep -qF "compile_commands.json:2:1: remark: $flag is left out: it is not among" err
    done
    # A flag that would take the word behind it, or be another flag.
    entry '"cc", "-include", "-include-pch", "x", "-I-", "-isystem-after", "-DX", "-D"'
    estimator describe prog.c >out 2>err
    asked prog.c -- -DX
    [ "$(grep -c 'is left out' err)" -eq 4 ]
    # A response file says no more than a list may.
    entry '"cc", "@flags.rsp"'
    echo '-O3 -fplugin=./x.so -DX' >flags.rsp
    estimator describe prog.c >out 2>err
    asked "--compiled=-O3" prog.c -- -DX
    grep -q -- '-fplugin=./x.so is left out' err
    echo '@other.rsp @flags.rsp' >flags.rsp && echo '@other.rsp @other.rsp' >other.rsp
    refused "estimator: $here/compile_commands.json:2:1: the response file $here/other.rsp cannot be read: it names itself, or too many others" \
        estimator describe prog.c
    yes '@other.rsp' | head -n 20000 >flags.rsp && : >other.rsp
    refused "estimator: $here/compile_commands.json:2:1: the response file $here/other.rsp cannot be read: it names itself, or too many others" \
        estimator describe prog.c
    rm flags.rsp && mkfifo flags.rsp
    refused "estimator: $here/compile_commands.json:2:1: the response file $here/flags.rsp cannot be read: it is no regular file" \
        estimator describe prog.c
    # Nothing is cut again.
    for word in '-fno-common -wrapper ./x' '-march=native -fplugin=x' '-O2\t-B.' '-std=c11 -B.'; do
        entry "\"cc\", \"$word\""
        estimator describe prog.c >out 2>err && { echo "taken: $word"; return 1; }
        [ $? -eq 2 ] || true
        grep -qF "compile_commands.json:2:1: '-" err && grep -q "has a blank" err
    done
}

@test "compile_commands.json: a list that is not of the source's project is not read" {
    described && answers yaml
    mkdir -p top/project/src/deep build && touch top/project/src/deep/prog.c
    list() { echo "[{\"directory\": \"$(pwd -P)/top/project/src/deep\", \"file\": \"prog.c\", \"command\": \"cc -DLISTED prog.c\"}]" >"$1"; }
    used() {
        estimator describe top/project/src/deep/prog.c >out 2>err
        asked top/project/src/deep/prog.c -- "$@"
    }
    list top/project/compile_commands.json && used # no sign of a project's root
    touch top/project/Makefile && used -DLISTED
    mv top/project/compile_commands.json top && touch top/Makefile && used -DLISTED
    mkdir top/project/.git && used
    rmdir top/project/.git && list top/project/src/compile_commands.json && used -DLISTED
    chmod o+w top/project/src/compile_commands.json && used -DLISTED # that of top
    rm top/compile_commands.json && used
    chmod o-w top/project/src/compile_commands.json && chmod o+w top/project/src && used
    chmod o-w top/project/src && used -DLISTED
    rm top/project/src/compile_commands.json && mkfifo top/project/src/compile_commands.json && used
}

# ---- how it ends ----

@test "what the describer says is passed on, with status 2 and nothing else" {
    touch prog.c
    in_place 'echo "prog.c:3:7: an error" >&2; echo "half: a text"; exit 2'
    refused "prog.c:3:7: an error" estimator rank "$sp2" prog.c
    in_place 'exit 3'
    refused "estimator: prog.c: the describer failed with status 3" estimator rank "$sp2" prog.c
    in_place 'kill -SEGV $$'
    refused "estimator: prog.c: the describer was ended by signal 11 (Segmentation fault): the source may be nested too deeply" estimator describe prog.c
    in_place 'exit 0'
    refused "estimator: prog.c: empty: expected a map of keys" estimator describe prog.c
    in_place 'echo "forecost-segment: ["'
    run -2 estimator describe prog.c
    [[ $output == "estimator: prog.c: not YAML: "* ]]
}

@test "no describer: what to install; one that is named and is none: said" {
    touch prog.c
    FORECOST_DESCRIBER=$PWD/nowhere refused "estimator: $PWD/nowhere cannot be run: No such file or directory" \
        estimator rank "$sp2" prog.c
    mkdir -p far/estimator && cp "$(command -v estimator)" far/estimator
    if [ -z "$told" ] && ! far/estimator/estimator describe prog.c 2>err && grep -q libclang err; then
        [ "$(cat err)" = "estimator: prog.c: C source needs the describer, which was built without libclang: install the package libclang-19-dev, then run configure and make anew" ]
    fi
    refused "estimator: some.yaml: expected C files: names that end in .c" estimator describe some.yaml
}

@test "a describer beside the estimator of a build is taken" {
    described && answers yaml && touch prog.c
    mkdir -p tree/estimator tree/describer && cp "$(command -v estimator)" tree/estimator && mv in-place tree/describer/describer
    FORECOST_DESCRIBER='' tree/estimator/estimator describe prog.c >out
    asked prog.c --
}

@test "an estimator that is killed leaves no describer behind, and one that is asked keeps no input" {
    touch prog.c
    # shellcheck disable=SC2016
    in_place 'echo $$ >pid.part; mv pid.part pid; exec sleep 100'
    estimator describe prog.c &
    estimator=$!
    for _ in $(seq 100); do [ -e pid ] && break; sleep 0.1; done
    kill -0 "$(cat pid)"
    kill -KILL "$estimator"
    for _ in $(seq 100); do kill -0 "$(cat pid)" 2>/dev/null || break; sleep 0.1; done
    run kill -0 "$(cat pid)"
    [ "$status" -ne 0 ]
    described && in_place "cat; cat '$PWD/yaml'" # the table is on standard input
    estimator predict - prog.c -p 4 <"$sp2" >out
}

# ---- places ----

@test "what is wrong with a description that nobody has seen is told at its place in the source" {
    described && answers yaml && mkdir src && touch src/prog.c
    sed -i 's/\[1, n - 1\]/[0, n - 1]/' yaml
    refused "estimator: src/prog.c:8: subscript 'i-1' reaches -1: x has 0 to 99 there" estimator rank "$sp2" src/prog.c -p 4
    described
    sed -i 's/x\[i\]", reads/y[i]", reads/' yaml
    run -2 estimator rank "$sp2" src/prog.c -p 4
    [[ $output == "estimator: src/prog.c:7: "* ]]
    described
    sed -i 's/BLOCK/BLOK/' yaml
    run -2 estimator rank "$sp2" src/prog.c -p 4
    [[ $output == "estimator: src/prog.c: 'BLOK'"* ]]
    sed -i 's/distribute:/distrbute:/' yaml
    run -2 estimator describe src/prog.c
    [[ $output == "estimator: src/prog.c: unknown key 'distrbute'"* ]]
}

@test "the breakdown names where statements and references stand, in text, CSV and JSON" {
    described
    estimator predict "$sp2" yaml -p 4 >out
    grep -q 'line7: .* at prog.c:7$' out
    grep -q 'x\[i-1\].* at prog.c:8$' out
    estimator predict "$sp2" yaml -p 4 --breakdown --format csv >out
    [ "$(head -n 1 out | sed 's/.*,//')" = at ]
    [ "$(sed -n 2p out | sed 's/.*,//')" = prog.c:7 ]
    estimator predict "$sp2" yaml -p 4 --format json | grep -q '"at": "prog.c:8"'
    sed -i 's/, at: .*/}/' yaml
    estimator predict "$sp2" yaml -p 4 --breakdown --format csv >out
    [ "$(head -n 1 out | sed 's/.*,//')" = flags ]
    estimator predict "$sp2" yaml -p 4 >out
    run grep -q 'prog.c' out
    [ "$status" -eq 1 ]
}

@test "at and places are FILE:LINE" {
    for wrong in prog.c prog.c:0 :7 prog.c:seven 'prog.c:7 ' prog.c:-1; do
        described
        sed -i "s/at: \"prog.c:7\"/at: \"$wrong\"/" yaml
        run -2 estimator check yaml
        [[ $output == "estimator: yaml:11:"*"'$wrong': expected FILE:LINE" ]]
    done
    described
    sed -i 's/"prog.c:8"/eight/' yaml
    run -2 estimator check yaml
    [[ $output == "estimator: yaml:11:"*"'eight': expected FILE:LINE" ]]
}

@test "a parameter without a value: -D gives it, and without that it is said how" {
    described
    sed -i 's/{n: 100}/{n: , m: n}/; s/extent: \[n\]/extent: [m]/' yaml
    refused "estimator: yaml:2:17: parameter n has no value: expected -D n=VALUE, or n: VALUE" estimator predict "$sp2" yaml
    estimator predict "$sp2" yaml -p 4 -D n=100 --format csv >out
    described
    estimator predict "$sp2" yaml -p 4 --format csv >expected
    cmp out expected
    estimator rank "$sp2" yaml -p 4 -D n=100,200
    sed -i 's/{n: 100}/{n: }/' yaml
    answers yaml && touch prog.c
    refused "estimator: prog.c: parameter n has no value: expected -D n=VALUE, or #pragma forecost parameters(n = VALUE)" \
        estimator predict "$sp2" prog.c
    sed -i 's/{n: }/{n: 1}\nlet: {k: }/' yaml
    run -2 estimator check yaml
    [[ $output == "estimator: yaml:3:"* ]]
}

# ---- with the describer itself ----

@test "a source ranks as the description that is derived from it, and directives may lie beside it" {
    need_describer
    smooth smooth.c
    directives | sed 's/^/#pragma forecost /' | cat - smooth.c >annotated.c
    estimator rank "$sp2" annotated.c -p 4,16 -D n=200,400 >out
    estimator describe annotated.c >derived.yaml
    estimator rank "$sp2" derived.yaml -p 4,16 -D n=200,400 >expected
    cmp out expected
    estimator check derived.yaml annotated.c
    directives >smooth.forecost
    estimator rank "$sp2" smooth.c -p 4,16 -D n=200,400 >out
    cmp out expected
    estimator predict "$sp2" smooth.c -p 16 -c blocks >out
    grep -qE 'a\[i-1\]\[j\], a\[i\+1\]\[j\] along grid dimension 0.* at smooth.c:7' out
    grep -qE 'a\[i\]\[j-1\], a\[i\]\[j\+1\] along grid dimension 1.* at .*smooth.c:8' out
}

@test "flags behind -- and those of compile_commands.json reach the compiler; values reach parameters" {
    need_describer
    smooth smooth.c
    sed -i '1i #include "real.h"' smooth.c
    sed -i 's/double/real/g' smooth.c
    mkdir include && echo 'typedef REAL real;' >include/real.h
    run -2 estimator describe smooth.c
    [[ $output == "smooth.c:1:"*"real.h"* ]]
    estimator describe smooth.c -D n=100 -D steps=2 -- -I include -DREAL=float >out
    grep -q 'element_bytes: 4' out
    echo "[{\"directory\": \"$PWD\", \"file\": \"smooth.c\", \"command\": \"cc -Iinclude -DREAL=float -c smooth.c\"}]" >compile_commands.json
    (mkdir folder && cd folder && estimator describe ../smooth.c -D n=100 -D steps=2) | grep -q 'element_bytes: 4'
    run -2 estimator describe smooth.c
    [[ $output == *"-D "* && $output == *"parameters("* ]]
}

@test "what the source has wrong is told at its place, in a line" {
    need_describer
    printf 'void f(int n, double x[n])\n{\n    for (int i = 0; i < n; i++)\n        x[i] = ;\n}\n' >wrong.c
    run -2 estimator rank "$sp2" wrong.c -D n=10
    [[ ${#lines[@]} -eq 1 && $output == "wrong.c:4:"* ]]
    printf 'void f(int n, double x[n])\n{\n#pragma forecost segment s\n    for (int i = 0; i <= n; i++)\n        x[i] = 2 * x[i];\n}\n' >over.c
    refused "estimator: over.c:5: subscript 'i' reaches 10: x has 0 to 9 there" estimator rank "$sp2" over.c -D n=10
}

# block KIND: the fenced blocks of the tutorial of that kind.
block() {
    awk -v fence="\`\`\`$1" '$0 == fence { within = 1; next } /^```$/ { within = 0 } within' \
        "$FORECOST_SOURCE/doc/tutorial.md"
}

@test "the tutorial: its commands run, and print the lines that it shows, in that order" {
    need_describer
    unset COLUMNS # lines of 80, as the tutorial has them
    block c >heat.c
    block console >session
    [ "$(grep -c '^\$ estimator' session)" -ge 4 ]
    export table=$sp2
    while IFS= read -r line; do
        case $line in
        '$ table='*) ;;
        '$ estimator report '*)
            bash -c "${line#\$ }" 2>refusal || grep -q node-d3 refusal
            ;;
        '$ '*)
            [[ $line != *' rank '* ]] || block forecost >heat.forecost
            bash -c "${line#\$ }" >out
            ;;
        *)
            grep -qxF -- "$line" out || { echo "not printed: $line"; cat out; false; }
            sed -i "1,$(grep -nxF -- "$line" out | head -n 1 | cut -d: -f1)d" out
            ;;
        esac
    done <session
}

@test "compiler flags that are not the table's: a flag and a wider interval, unless they make the same code" {
    need_describer
    serial=$FORECOST_SOURCE/samples/jacobi/jacobi-serial.c
    sed 's/latency_cycles:/compiled_flags: -g -O2 -Wall\n  &/' "$FORECOST_SOURCE/machines/power2-thin.yaml" >thin.yaml
    # width FLAGS: high over low of the whole.
    width() {
        estimator predict thin.yaml "$serial" -c rows -p 1 --format csv -- "$@" |
            awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "all" {
                low = $at["low_us"]; sub(/ ?error-unknown/, "", $at["flags"])
                print low == "" ? 1 : $at["high_us"] / low, $at["flags"] }'
    }
    same=$(width)
    [[ "$same" != *other* ]]
    for flags in -O2 "-DX -Wextra -O2" "-fPIC -O3 -O2" "-std=c17"; do
        # shellcheck disable=SC2086 # several flags
        [ "$(width $flags)" = "$same" ]
    done
    for flags in -O3 "-O2 -march=native" -ffast-math; do
        # shellcheck disable=SC2086 # several flags
        read -r wide flag <<<"$(width $flags)"
        [ "$flag" = other-compiler-flags ]
        awk -v wide="$wide" -v same="${same%% *}" 'BEGIN { exit !(wide > 5 * same) }'
    done
    read -r none flag <<<"$(width -O0)"
    awk -v wide="$wide" -v none="$none" 'BEGIN { exit !(none > 10 * wide) }'
}

@test "loops that the table has with the program's flags price it, without a flag" {
    need_describer
    cat >scaled.c <<'END'
enum { N = 100 };
double a[N], b[N], c[N];
void scaled(void)
{
    for (int i = 0; i < N; i++)
        a[i] = b[i] / c[3];
}
END
    sed 's/latency_cycles:/compiled_flags: -O2\n  compiled_share: 0.8\n  compilations:\n    - {compiled_flags: -O3, compiled_share: 0.4}\n    - {compiled_flags: -Os, compiled_share: 0.1, kernels: [{name: divide, compiled_share: 0.2}]}\n  &/' \
        "$FORECOST_SOURCE/machines/power2-thin.yaml" >thin.yaml
    estimator check thin.yaml
    # whole FLAGS: microseconds and flags of the whole.
    whole() {
        estimator predict thin.yaml scaled.c -p 1 --format csv -- "$@" |
            awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 == "all" { print $at["total_us"], $at["flags"] }'
    }
    own=$(whole -O2)
    awk -v own="$own" -v other="$(whole -O3)" 'BEGIN { exit !(sprintf("%.6g", 2 * own) == sprintf("%.6g", other)) }'
    awk -v own="$own" -v other="$(whole -Os)" 'BEGIN { exit !(sprintf("%.6g", 4 * own) == sprintf("%.6g", other)) }'
    [[ "$(whole -O3)$(whole -Os)" != *other* ]]
    [ "$own" = "${own%% *} error-unknown" ]
    [ "$(whole -O1)" = "${own%% *} other-compiler-flags" ]
    # A description says it itself, a derived one too.
    estimator describe scaled.c -- -O3 -DX -I. >derived.yaml
    grep -qx 'compiled_flags: "-O3"' derived.yaml
    [ "$(estimator predict thin.yaml derived.yaml -p 1 --format csv)" = "$(estimator predict thin.yaml scaled.c -p 1 --format csv -- -O3)" ]
    cat >scaled.yaml <<'END'
forecost-segment: 1
compiled_flags: -O3
arrays: {a: {extent: [100]}}
program:
  - {segment: s, body: [{loop: {i: [0, 99]}, body: [{statement: t, writes: "a[i]", operations: {div: 1}}]}]}
END
    times() { estimator predict thin.yaml scaled.yaml -p 1 --format csv | awk -F, '$1 == "all" { print $3 }'; }
    other=$(times)
    sed -i 's/^compiled_flags.*/compiled_flags: "-g -O2"/' scaled.yaml
    awk -v own="$(times)" -v other="$other" 'BEGIN { exit !(own > 0 && sprintf("%.6g", 2 * own) == sprintf("%.6g", other)) }'
    estimator predict thin.yaml scaled.c -p 1 -- -Os | grep -qx 'Computation is priced by loops compiled with -Os.'
    estimator predict thin.yaml scaled.c -p 1 --format json -- -Os | grep -q '"compiled_flags": "-O2; -O3; -Os"'
}

# ---- control flow, branches and gathers ----

@test "ranks as a grid numbered by hand: a quotient of a remainder is described" {
    need_describer
    cat >grid.c <<'C'
#include <mpi.h>
void f(int g, int n, double *a)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank % g, y = (rank - x) / g, z = (rank - x - y * g) / (g * g) + (rank - y) % (g + 1);
    for (int i = 0; i < n; i++)
        a[i] += y + z;
}
C
    estimator describe grid.c -D g=4 -D n=10 >grid.yaml || { estimator describe grid.c 2>&1 | grep -q mpi.h && skip "no mpi.h"; }
    grep -q 'loop: {i: \[0, n - 1\]}' grid.yaml
    estimator check grid.yaml
}

@test "what a subscript of data is made of is read and computed; its address costs nothing" {
    need_describer
    cat >gathers.c <<'C'
void life(int n, unsigned char u[n][n], unsigned char v[n][n], int states[2][9])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            int sum = u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1];
#pragma forecost gather(states: reach(9) loads(1))
            v[i][j] = states[u[i][j]][sum];
        }
}
void several(int n, double *x, double *y, double *z, int *a, int *b)
{
#pragma forecost gather(x: reach(3), y: reach(5))
    for (int i = 0; i < n; i++)
        z[i] = x[a[i]] + y[b[i] + 1] * x[2 * b[i] + i] + x[a[i] + b[i]];
}
#pragma forecost parameters(n = 256)
C
    estimator describe gathers.c | grep -v '#' | grep statement: | sed 's/^ *- //' >rows
    diff rows - <<'Y'
{statement: line7, writes: "v[i][j]", reads: ["u[i][j]", "u[i-1][j]", "u[i+1][j]", "u[i][j-1]", "u[i][j+1]"], gathers: [{array: states, reach: 9, loads: 1}], operations: {add: 3, load: 4, store: 1}}
{statement: line14, writes: "z[i]", reads: ["a[i]", "b[i]"], gathers: [{array: x, reach: 3, loads: 3}, {array: y, reach: 5, loads: 1}], operations: {add: 2, madd: 1, load: 6, store: 1}}
Y
}

# counted FILE: LINE TIMES of all statements that one processor executes.
counted() {
    estimator predict "$sp2" "$1" -p 1 --breakdown --format csv | awk -F'"' '
        { for (i = 2; i <= NF; i += 2) gsub(",", ";", $i); line = $0; gsub("\"", "", line)
          split(line, field, ",")
          if (field[2] != "compute") next
          count = split(field[3], names, "; ")
          for (i = 1; i <= count; i++) { gsub(/ *line/, "", names[i]); sub("-.*", "", names[i]); times[names[i]] += field[5] } }
        END { for (line in times) print line, times[line] }' | sort -n
}

@test "loops in other words: each statement runs as often as the compiled program executes it" {
    need_describer
    cp "$FORECOST_SOURCE/test/describe/control.c" .
    gcc -w -DTRUTH control.c -o truth -lm || skip "no gcc"
    ./truth | sort -n >executed
    estimator describe control.c -D n=1000 \
        $(sed -n '/\/\/ trips: 10/=' control.c | sed 's/.*/-D trips_&=10/') >control.yaml 2>remarks
    [ "$(grep -c 'data may end this loop before its bound' remarks)" -eq 3 ]
    counted control.yaml | awk 'NR == FNR { times[$1] = $2; next } { print $1, times[$1] + 0 }' - executed >described
    [ "$(wc -l <described)" -ge 40 ]
    diff executed described
}

@test "data that ends a loop after an odd number of exchanges: a remark that its last iteration has the pointers of the first" {
    need_describer
    cat >exchanged.c <<'C'
void f(int n, int steps, double *u, double *v)
{
    for (int t = 0; t < steps; t++) {
        double most = 0.0;
        for (int i = 0; i < n; i++)
            most += u[i];
        if (most < 1.0)
            break;
        double *kept = u;
        u = v;
        v = kept;
    }
}
C
    estimator describe exchanged.c -D n=100 -D steps=9 -D trips_3=4 >four.yaml 2>said
    grep -q 'exchanged.c:3:5: the last iteration of this loop, which data ends, is described with pointers as before the loop' said
    estimator describe exchanged.c -D n=100 -D steps=9 -D trips_3=5 >five.yaml 2>said
    run grep 'last iteration of this loop' said
    [ "$status" -eq 1 ]
}

# driven MAIN [-D NAME=VALUE]...: "SEGMENT REPEAT; ..." of a program with that body of main, or what is said.
driven() {
    local body=$1
    shift
    cat >driven.c <<C
#include <stdio.h>
#include <stdlib.h>
struct simulation { int n, steps; double *u, *v; };
void step(int n, const double *u, double *v) { for (int i = 1; i < n - 1; i++) v[i] = u[i - 1] + u[i + 1]; }
double norm(int n, const double *u) { double sum = 0; for (int i = 0; i < n; i++) sum += u[i]; return sum; }
void pair(int n, double *a, double *b) { step(n, a, b); step(n, b, a); }
void begin(struct simulation *s) { s->n = 1000; s->steps = 25; s->u = calloc(1000, 8); s->v = calloc(1000, 8); }
void advance(struct simulation *s) { for (int i = 1; i < s->n - 1; i++) s->v[i] = s->u[i + 1]; double *t = s->u; s->u = s->v; s->v = t; }
void swap(double **a, double **b) { double *t = *a; *a = *b; *b = t; }
int main(int argc, char **argv)
{
    double *u = calloc(1000, 8), *v = calloc(1000, 8), *w;
    int n = 1000;
    $body
}
C
    estimator describe driven.c "$@" 2>said >driven.yaml || { sed 's/.*driven.c:[0-9]*:[0-9]*: //' said; return; }
    awk '/- segment:/ { name = $3; printf "%s%s", before, name; before = "; " }
         /^    repeat:/ { sub("    repeat:", ""); printf "%s", $0 } END { print "" }' driven.yaml
}

@test "loops of main around calls multiply what is called, or are refused" {
    need_describer
    while IFS='|' read -r expected body; do
        got=$(driven "$body")
        [[ "$got" == $expected ]] || { echo "$body: got '$got', expected '$expected'"; return 1; }
    done <<'EOF'
step 1000|for (int it = 0; it < 500; it++) { step(n, u, v); step(n, v, u); }
step steps|int steps = 20; for (int it = 0; it < steps; it++) { step(n, u, v); w = u; u = v; v = w; }
step 20|for (int it = 0; it < 20; it++) { step(n, u, v); swap(&u, &v); }
advance steps|struct simulation s; begin(&s); for (int it = 0; it < s.steps; it++) advance(&s);
step steps|int steps = argc > 1 ? atoi(argv[1]) : 40; for (int it = 0; it < steps; it++) step(n, u, v);
steps is atoi*|int steps = atoi(argv[1]); for (int it = 0; it < steps; it++) step(n, u, v);
step 30|int it = 0; while (it < 30) { step(n, u, v); it++; }
step 12|int it = 0; do step(n, u, v); while (++it < 12);
step 12|int it = 0; for (;;) { step(n, u, v); if (++it == 12) break; }
step 10|int it = 10; while (it--) step(n, u, v);
step 61|for (int it = 0; it < 100; it++) { step(n, u, v); if (it == 60) break; }
step 80|for (int it = 0; it < 100; it++) { if (it < 20) continue; step(n, u, v); }
step 24|for (int a = 0; a < 4; a++) { for (int b = 0; b < 5; b++) { step(n, u, v); printf("%d", b); } step(n, v, u); }
step 21|for (int t = 0; t < 6; t++) for (int s = 0; s <= t; s++) step(n, u, v);
step 193; norm 7|for (int it = 0; it < 100; it++) { step(n, u, v); if (it < 7) norm(n, u); else step(n, v, u); }
pair 10|for (int it = 0; it < 10; it++) pair(n, u, v);
step 3; step-2|step(n, u, v); for (int i = 0; i < 2; i++) step(n, v, u); step(n / 2, u, v);
main|for (int it = 0; it < 10; it++) { step(n, u, v); for (int i = 0; i < n; i++) u[i] = v[i]; }
main|for (int k = 10; k < 100; k++) step(k, u, v);
main|for (int it = 0; it < 10; it++) { double e = 0; step(n, u, v); for (int i = 0; i < n; i++) e += v[i]; if (e > 1e9) break; }
trips_* has no value*|double rest = 1; while (rest > 0.001) { step(n, u, v); rest *= 0.5; }
trips_* has no value*|double rest = 1; while (rest > 0.001) { step(n, u, v); rest = norm(n, u); }
goto beside what is described*|int it = 0; again: step(n, u, v); if (++it < 12) goto again;
step|for (int it = 0; it < 8; it++) switch (it) { case 1: step(n, u, v); }
switch around what is described*|for (int it = 0; it < 8; it++) switch (it) { case 1: step(n, u, v); default: step(n, v, u); }
how often does this condition hold*|for (int it = 0; it < 8; it++) if (u[it] > 0) step(n, u, v);
step 9|for (int it = 0; it < 9; it++) { if (u[0] > 1e30) return 1; step(n, u, v); }
step 9|if (argc > 5) { fprintf(stderr, "usage"); return 1; } for (int it = 0; it < 9; it++) step(n, u, v);
EOF
    [ "$(driven 'double rest = 1; while (rest > 0.001) { step(n, u, v); rest = norm(n, u); }' -D trips_14=10)" = "step trips_14; norm trips_14" ]
}

@test "a function with segments that is called more than once is described as often" {
    need_describer
    cat >called.c <<'C'
void step(int n, double *u, double *v)
{
#pragma forecost segment relax
    for (int i = 1; i < n - 1; i++)
        v[i] = u[i - 1] + u[i + 1];
#pragma forecost segment told repeat(7)
    for (int i = 1; i < n - 1; i++)
        u[i] = v[i];
}
void run(int n, int steps, double *u, double *v)
{
    step(n, u, v);
    for (int it = 0; it < steps; it++)
        step(n, u, v);
}
int main(void)
{
    static double a[1000], b[1000];
    for (int k = 0; k < 3; k++)
        run(1000, 50, a, b);
}
C
    estimator describe called.c >called.yaml
    [ "$(sed -n 's/^    repeat: //p' called.yaml | tr '\n' ';')" = "153;7;" ]
    grep -q 'writes: "v\[i\]", reads: \["u\[i-1\]", "u\[i+1\]"\]' called.yaml
}

@test "a sweep over one colour reads the other alone: two halos, no pipeline" {
    need_describer
    local reads='u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]'
    # sweep HEAD: the communication of one process of 16, and whether the statement is independent.
    sweep() {
        cat >sweep.c <<C
void f(int n, double u[n][n])
{
    for (int i = 1; i < n - 1; i++)
        $1
            u[i][j] = 0.25 * ($reads);
}
#pragma forecost parameters(n = 256)
#pragma forecost candidate rows processors(p) distribute(u[BLOCK][*])
C
        estimator describe sweep.c >sweep.yaml
        estimator predict "$sp2" sweep.yaml -p 16 --breakdown --format csv |
            grep -o 'exchange,2,\|2032,2032\|pipelined' | tr '\n' ';'
        grep -c 'independent: true' sweep.yaml
    }
    [ "$(sweep 'for (int j = 1; j < n - 1; j++) if ((i + j) % 2 == 0)')" = "exchange,2,;2032,2032;1" ]
    [ "$(sweep 'for (int j = 1; j < n - 1; j++) if ((i + j + 1) & 1)')" = "exchange,2,;2032,2032;1" ]
    [ "$(sweep 'for (int j = 2 - i % 2; j < n - 1; j += 2)')" = "exchange,2,;2032,2032;1" ]
    # Columns of one colour read the same colour in the rows beside them: that is a pipeline.
    [[ "$(sweep 'for (int j = 1; j < n - 1; j++) if (j % 2)')" == *"pipelined;0" ]]
}

@test "arrays of main that directives name are those of the functions that it calls" {
    need_describer
    cat >named.c <<'C'
#include <stdlib.h>
static void first(int n, double a[n][n], double b[n][n]) { for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = a[i - 1][j]; }
static void second(int n, double a[n][n]) { for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = 2 * a[i][j]; }
int main(void)
{
    int n = 100;
    double(*u)[n] = calloc(n * n, 8), (*v)[n] = calloc(n * n, 8);
    for (int t = 0; t < 7; t++) {
        first(n, u, v);
        first(n, v, u);
        second(n, v);
    }
}
#pragma forecost align(v with u)
#pragma forecost candidate rows processors(p) distribute(u[BLOCK][*])
C
    estimator describe named.c >named
    [ "$(sed -n 's/.*- segment: //p' named | tr '\n' ' ')" = "first first-2 second " ]
    grep -q 'writes: "v\[i\]\[j\]", reads: \["u\[i-1\]\[j\]"' named
    grep -q 'writes: "u\[i\]\[j\]", reads: \["v\[i-1\]\[j\]"' named
    grep -q 'writes: "v\[i\]\[j\]", reads: \["v\[i\]\[j\]"' named
}
