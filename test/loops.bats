#!/usr/bin/env bats
# A program's own loops, from its source to a prediction with their curves. No time decides anything.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    [ -x "$FORECOST_BUILD/describer/describer" ] || skip "no libclang (libclang-19-dev)"
    table=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    cat >two.c <<'C'
#define N 600
#define HALF(x) (0.5 * (x))
double a[N][N], b[N][N], total;
int at[N];
struct pair { double left, right; } pairs[N];
void f(void)
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            b[i][j] = HALF(a[i][j - 1] + a[i][j + 1]);
}
void g(void)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += a[j][i] * b[i][j];
    total = sum;
}
void h(void)
{
    for (int i = 0; i < N; i++)
        pairs[i].left = pairs[i].right;
}
C
}

# curves NAME HASH NEST [FLAGS]: a file of loops with one curve of 3 ns an iteration.
curves() {
    printf 'forecost-loops: 1\nflags: "%s"\nloops:\n  - loop: two.c:9\n    hash: %s\n    nest: %s\n    points:\n' \
        "${4-}" "$2" "$3" >"$1"
    for row in 10 100 598 1000; do
        echo "      - {row: $row, plane_bytes: $((16 * row * row)), nest_bytes: $((16 * row * row)), alone_ns: 3}"
    done >>"$1"
}

hash_of_f() {
    estimator describe -L two.c | sed -nE 's/.*a\[i\]\[j-1\].*source_hash: ([0-9a-f]*).*/\1/p'
}

@test "loops are made, measured, and predict their program" {
    command -v mpiexec >/dev/null && [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "no MPI"
    run --separate-stderr estimator loops two.c -- -O2
    [ "$status" -eq 0 ]
    [ "$stderr" = "estimator: remark: loop two.c:22: left is a member of a record: left out" ]
    [ -f two.loops.so ]
    mpiexec -n 2 trainer --loops two.loops.so -o two.loops.yaml --budget 4 --oversubscribe
    grep -q '^flags: "-O2"' two.loops.yaml
    [ "$(grep -c '  - loop: ' two.loops.yaml)" -eq 2 ]
    [ "$(grep -c 'together_ns: [0-9.]*}' two.loops.yaml)" -ge 4 ]
    estimator predict "$table" two.c -p 1 --loops two.loops.yaml -- -O2 >predicted
    [ "$(grep -c 'measured loop at two.c:' predicted)" -eq 2 ]
    mpiexec -n 1 trainer --loops two.loops.so --validate two.loops.yaml -D N=333 --tolerance 1e6 >compared
    [ "$(grep -c '^two.c:[0-9]*,3[0-9]*,' compared)" -eq 2 ]
}

# this_machine CPU: a table that was measured on that processor.
this_machine() {
    sed "s/^  processors: 32/  processors: 3\n  measured: {cpu: $1}/" "$table"
}

@test "rank --measure makes the loops, has them measured on as many processors as the table has, and ranks with them" {
    curves right.yaml "$(hash_of_f)" 2
    sed -i 's/^loops:/measured: {cpu: here}\nloops:/' right.yaml
    this_machine here >here.yaml
    this_machine there >there.yaml
    cat >fake <<'SH'
#!/bin/sh
echo "$1 $2 $4" >asked
[ -s "$5" ] && echo an object >>asked
cp right.yaml "$7"
echo "words of the trainer"
SH
    chmod +x fake
    printf 'candidate one processors(p) distribute(a[BLOCK][*], b[BLOCK][*])\n' >two.forecost
    estimator rank here.yaml two.c -p 2 --loops right.yaml -f csv >with
    estimator rank here.yaml two.c -p 2 -f csv >without
    ! cmp -s with without
    MPIEXEC=./fake run --separate-stderr estimator rank --measure here.yaml two.c -p 2 -f csv
    [ "$status" -eq 0 ]
    diff with <(echo "$output")
    [[ $stderr == *"words of the trainer"* ]]
    diff asked <(printf -- '-n 3 --loops\nan object\n')
    # Into a file that later commands read.
    MPIEXEC=./fake estimator predict --measure --loops kept.yaml here.yaml two.c -p 2 -f csv >first
    estimator predict --loops kept.yaml here.yaml two.c -p 2 -f csv >second
    diff first second
    cmp kept.yaml right.yaml
}

@test "rank --measure refuses a table of another processor, descriptions and what does not start" {
    curves right.yaml "$(hash_of_f)" 2
    sed -i 's/^loops:/measured: {cpu: here}\nloops:/' right.yaml
    this_machine there >there.yaml
    printf '#!/bin/sh\ncp right.yaml "$7"\n' >fake
    printf '#!/bin/sh\nexit 1\n' >nothing
    chmod +x fake nothing
    refused() {
        local expected=$1
        shift
        run --separate-stderr estimator predict --measure "$@"
        [ "$status" -eq 2 ]
        [[ $stderr == *"$expected"* ]]
    }
    MPIEXEC=./fake refused "there.yaml: it is of the processor there, and the loops were measured on here" there.yaml two.c -p 2
    MPIEXEC=./missing refused "set MPIEXEC" there.yaml two.c -p 2
    refused "does not say on which processor it was measured" "$table" two.c -p 2
    refused "expected C files" there.yaml "$FORECOST_SOURCE/samples/jacobi/jacobi.yaml" -p 2
    refused "--measure with --node" there.yaml two.c -p 2 --node "$table"
    run --separate-stderr estimator rank --measure there.yaml there.yaml two.c -p 2
    [ "$status" -eq 2 ]
    # Where no loop could be measured the model prices them, and says so.
    MPIEXEC=./nothing run --separate-stderr estimator predict --measure there.yaml two.c -p 2
    [ "$status" -eq 0 ]
    [[ $stderr == *"no loop was measured"* ]]
    [ "$(grep -c 'loop-not-measured) at two.c' <<<"$output")" -eq 3 ]
}

@test "a curve is used where text and flags are the program's, and else the model is" {
    hash=$(hash_of_f)
    curves right.yaml "$hash" 2
    curves wrong.yaml 0123456789abcdef 2
    curves optimised.yaml "$hash" 2 -O3
    estimator predict "$table" two.c -p 1 >model
    estimator predict "$table" two.c -p 1 --loops right.yaml >right
    grep -q ': 357604 x 0.003 us, measured loop at two.c:10$' right
    estimator predict "$table" two.c -p 1 --loops wrong.yaml >wrong
    [ "$(grep -c 'loop-not-measured) at two.c' wrong)" -eq 3 ]
    diff <(sed 's/ (loop-not-measured)//; /^segment/d; s/loop-not-measured //' wrong) <(sed '/^segment/d' model)
    run --separate-stderr estimator predict "$table" two.c -p 1 --loops optimised.yaml -- -O2
    [ "$status" -eq 0 ]
    [[ $stderr == *"optimised.yaml is of the flags '-O3', the program has '-O2'"* ]]
    [[ $output == *loop-not-measured* && $output != *"measured loop at"* ]]
    estimator predict "$table" two.c -p 1 --loops optimised.yaml -- -O3 -DUNUSED | grep -q 'measured loop at'
    # Descriptions say their flags, or do not: then curves are what their user says.
    estimator describe -L two.c -o told.yaml -- -O2
    ! estimator predict "$table" told.yaml -p 1 --loops optimised.yaml 2>err | grep -q 'measured loop at'
    grep -q "flags '-O3', the program has '-O2'" err
    grep -v compiled_flags told.yaml >untold.yaml
    estimator predict "$table" untold.yaml -p 1 --loops optimised.yaml | grep -q 'measured loop at'
    # And lists of compilations do.
    echo "[{\"directory\": \"$PWD\", \"file\": \"two.c\", \"command\": \"cc -g -O3 -c two.c\"}]" >compile_commands.json
    estimator predict "$table" two.c -p 1 --loops optimised.yaml | grep -q 'measured loop at'
    ! estimator predict "$table" two.c -p 1 --loops optimised.yaml -- -O2 2>err | grep -q 'measured loop at'
    rm compile_commands.json
    sed -i 's/0\.5 \* (x)/0.25 * (x)/; s/a\[i\]\[j + 1\]/a[i + 1][j]/' two.c
    estimator predict "$table" two.c -p 1 --loops right.yaml >changed
    ! grep -q 'measured loop at' changed
}

@test "a description keeps the hashes, and finds its curves" {
    curves right.yaml "$(hash_of_f)" 2
    estimator describe -L two.c -o two.yaml
    estimator predict "$table" two.yaml -p 1 --loops right.yaml | grep -q 'measured loop at two.c:10'
}

@test "what cannot be used is refused in one line, with status 2" {
    refused() { # LINE COMMAND...
        local line=$1
        shift
        run --separate-stderr "$@"
        [ "$status" -eq 2 ]
        [ -z "$output" ]
        [ "$stderr" = "$line" ]
    }
    curves good.yaml ab 2
    sed 's/loops: 1/loops: 7/' good.yaml >later.yaml
    sed 's/alone_ns: 3/alone_ns: -3/' good.yaml >negative.yaml
    sed '/points/,$d' good.yaml >empty.yaml
    { cat good.yaml; sed -n '/  - loop/,$p' good.yaml; } >twice.yaml
    refused "estimator: later.yaml:1:17: version '7' of the format: this program reads version 1" \
        estimator predict "$table" two.c --loops later.yaml
    refused "estimator: empty.yaml:4:5: key 'points' is missing in a loop" \
        estimator predict "$table" two.c --loops empty.yaml
    refused "estimator: twice.yaml:12:5: a second loop of hash ab: expected each once" \
        estimator predict "$table" two.c --loops twice.yaml
    refused "estimator: $table:1:1: no file of loops: expected 'forecost-loops: 1' first" \
        estimator predict "$table" two.c --loops "$table"
    run --separate-stderr estimator predict "$table" two.c --loops negative.yaml
    [ "$status" -eq 2 ]
    [[ $stderr == "estimator: negative.yaml:8:"* ]]
    run --separate-stderr estimator loops two.c -- -std=c99 -DN=600 -include nowhere.h
    [ "$status" -eq 2 ]
    [ ! -e two.loops.so ]
}

@test "a loop that does not compile alone is left out with the compiler's line, and no folder stays" {
    mkdir tmp
    cat >mixed.c <<'C'
#define N 600
double a[N], b[N];
void f(void)
{
#define TWICE(x) (2.0 * (x))
    for (int i = 0; i < N; i++)
        a[i] = TWICE(b[i]);
#undef TWICE
}
void g(void)
{
    for (int i = 0; i < N; i++)
        b[i] = 2.0 * a[i];
}
C
    export TMPDIR=$PWD/tmp
    run --separate-stderr estimator loops mixed.c -o some.so
    [ "$status" -eq 0 ]
    [[ $stderr == "estimator: remark: compiled with -O2, as no flag says otherwise: "*"estimator: remark: loop mixed.c:6: left out: "*TWICE* ]]
    [ -f some.so ]
    CC="no-such-compiler" run --separate-stderr estimator loops mixed.c -o none.so
    [ "$status" -eq 2 ]
    [[ $stderr == *"no-such-compiler cannot be run"* ]]
    [ ! -e none.so ]
    [ -z "$(ls tmp)" ]
}

@test "loops with members of records, of two files, are measured, and predict with the flags that are usual" {
    cat >grid.h <<'C'
struct params { double weight; struct { int n; } size; };
struct grid { int ny; double *u, *v; };
#define AT(g, i, j) ((i) * ((g)->ny + 2) + (j))
void sweep(const struct params *p, struct grid *g);
C
    cat >main.c <<'C'
#include <stdlib.h>
#include "grid.h"
int main(void)
{
    struct params p = {0.25, {200}};
    struct grid g = {.ny = 300};
    g.u = calloc((p.size.n + 2) * (g.ny + 2), sizeof *g.u);
    g.v = calloc((p.size.n + 2) * (g.ny + 2), sizeof *g.v);
    sweep(&p, &g);
    return 0;
}
C
    cat >sweep.c <<'C'
void sweep(const struct params *p, struct grid *g)
{
    for (int i = 1; i <= p->size.n; i++)
        for (int j = 1; j <= g->ny; j++) {
            double around = g->u[AT(g, i - 1, j)] + g->u[AT(g, i, j + 1)];
            g->v[AT(g, i, j)] = p->weight * around;
        }
}
C
    sed -i '1i #include "grid.h"' sweep.c
    sed -i '1i #ifndef GRID_H\n#define GRID_H' grid.h
    echo '#endif' >>grid.h
    run --separate-stderr estimator loops main.c sweep.c -o grid.so
    [ "$status" -eq 0 ]
    [[ $stderr == *"compiled with -O2"* && $stderr != *"left out"* && $stderr != *"first one alone"* ]]
    # Without the guard the files are no one file.
    sed -i '/GRID_H/d; /^#endif/d' grid.h
    run --separate-stderr estimator loops main.c sweep.c -o none.so
    [[ $stderr == *"the files do not compile as one"* || $status -eq 2 ]]
    command -v mpiexec >/dev/null && [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "no MPI"
    mpiexec -n 1 trainer --loops grid.so -o grid.yaml --budget 2 --oversubscribe
    grep -q '^flags: "-O2"' grid.yaml
    grep -q '  - loop: sweep.c:5' grid.yaml
    estimator predict "$table" main.c sweep.c -p 1 --loops grid.yaml | grep -q 'measured loop at sweep.c:7'
}

# points LOOP: of each point of its curve the row and the time alone.
points() {
    sed -n "/loop: $1\$/,/loop: /s/.*row: \([0-9.e+]*\),.* alone_ns: \([0-9.e+-]*\)[,}].*/\1 \2/p" three.yaml
}

# Flags with instructions of a processor that nobody builds any more, where the compiler has them.
of_another_processor() {
    [[ $(uname -m) = x86_64 ]] && ! grep -q fma4 /proc/cpuinfo && [[ $(${CC:-cc} --version) != *clang* ]] &&
        echo -O3 -mfma4 -mno-fma -mno-avx2 -mno-avx512f -ffp-contract=fast
}

@test "a loop that this processor cannot run is named, and the others are measured" {
    command -v mpiexec >/dev/null && [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "no MPI"
    flags=$(of_another_processor) || skip "no instructions that are known not to be here"
    # shellcheck disable=SC2086 # words
    estimator loops two.c -- $flags
    run --separate-stderr "$MPIEXEC" -n 2 trainer --loops two.loops.so -o two.loops.yaml --budget 3 --oversubscribe --no-progress
    [ "$status" -eq 0 ]
    [[ $stderr == *"two.c:16"*"it ends by a signal here: "* ]]
    [ "$(grep -c '  - loop: ' two.loops.yaml)" -eq 1 ]
    grep -q '  - loop: two.c:9' two.loops.yaml
}

@test "what is set on the way to a loop, parts of arrays, and sums that its header begins are measured" {
    command -v mpiexec >/dev/null && [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "no MPI"
    cat >three.c <<'C'
#define N 400
double data[2 * N], matrix[N][N], sums[N], entries[9 * N], vector[N], flat[N * N];
void parts(void)
{
    double *half = data + N;
    for (int i = 0; i < N; i++)
        data[i] += half[i];
}
void product(void)
{
    int first, last, col;
    double sum;
    for (int row = 0; row < N; row++) {
        first = 9 * row;
        last = first + 8;
        for (sum = 0.0, col = first; col <= last; col++)
            sum += entries[col] * vector[row];
        sums[row] += sum;
    }
}
void lines(void)
{
    for (int i = 0; i < N; i++) {
        const double *line = &matrix[i][0];
        for (int j = 0; j < N; j++)
            sums[j] += line[j];
    }
}
void reused(void)
{
    int k = N;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            for (k = 0; k < 3; k++)
                matrix[i][j] += sums[k];
        }
}
void walked(void)
{
    const double *line = flat;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            sums[j] += line[j];
        line += N;
    }
}
C
    run --separate-stderr estimator loops three.c -o three.so -- -O2
    [ "$status" -eq 0 ]
    [ "$stderr" = "estimator: remark: loop three.c:42: line is not the whole of an array: left out" ]
    "$FORECOST_BUILD/describer/describer" --loops three.c >text
    # the halves of one array may overlap for all that the compiler knows
    grep -F 'double *data = ' text
    grep -F 'double *half = (double *)forecost_a[1] + forecost_from_half;' text
    mpiexec -n 1 trainer --loops three.so -o three.yaml --budget 16 --oversubscribe
    for line in 6 16 25 33; do
        points "three.c:$line" >some
        # an iteration that the compiler has left takes more than a twentieth of a nanosecond
        awk '$2 < 0.05 { exit 1 } END { exit !(NR >= 2) }' some
    done
}

@test "sizes that have to fit one another grow together" {
    command -v mpiexec >/dev/null && [ -x "$FORECOST_BUILD/trainer/trainer" ] || skip "no MPI"
    cat >three.c <<'C'
#define N 64
#define LEADING 64
double a[N][LEADING], b[N][LEADING];
void f(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[j][i] = a[i][j];
}
C
    estimator loops three.c -o three.so -- -O2
    # A budget that never ends first: what is planned is measured, however busy the machine is.
    mpiexec -n 1 trainer --loops three.so -o three.yaml --budget 600 --oversubscribe
    points "three.c:7" | awk '{ most = $1 > most ? $1 : most } END { exit !(most > 640) }'
}

@test "flags of compile_commands.json make the object, too" {
    mkdir include && sed -n '1,5p' two.c >include/data.h
    { echo '#include "data.h"'; sed 1,5d two.c; } >three.c
    echo "[{\"directory\": \"$PWD\", \"file\": \"three.c\", \"command\": \"cc -Iinclude -g -O1 -c three.c\"}]" >compile_commands.json
    estimator loops three.c
    grep -aq -- '-g -O1\|-O1' three.loops.so
}

@test "a list of compilations runs no program and writes no file" {
    printf '#!/bin/sh\ntouch %s/owned\nexec "$@"\n' "$PWD" >wrapper && chmod +x wrapper
    list() { echo "[{\"directory\": \"$PWD\", \"file\": \"two.c\", \"arguments\": [\"cc\", $1, \"-O1\", \"-c\", \"two.c\"]}]" >compile_commands.json; }
    list "\"-wrapper\", \"$PWD/wrapper\", \"-fopt-info-all=$PWD/victim\", \"-fdump-tree-optimized=$PWD/victim\", \"-fplugin=$PWD/wrapper\""
    estimator loops two.c
    grep -aq -- '-O1' two.loops.so
    list "\"-fno-common -wrapper $PWD/wrapper\""
    run ! estimator loops two.c
    [ ! -e owned ] && [ ! -e victim ]
}

@test "a program that includes mpi.h is compiled by the library's compiler unless another one is told" {
    command -v mpicc >/dev/null || skip "no mpicc"
    ! echo '#include <mpi.h>' | cc -fsyntax-only -xc - 2>/dev/null || skip "cc finds mpi.h"
    cat >three.c <<'C'
#include <mpi.h>
#define N 600
double a[N];
void f(void)
{
    for (int i = 0; i < N; i++)
        a[i] += 1.0;
}
C
    env -u CC "$FORECOST_BUILD/estimator/estimator" loops three.c -o three.so
    [ -f three.so ]
    CC=cc run --separate-stderr estimator loops three.c -o other.so
    [ "$status" -eq 2 ]
    [[ $stderr == *"mpi.h"* ]]
}

@test "the node's loops compiled with other flags: beside the trainer's, kept when more are added; flags that are none are named" {
    measure() {
        run --separate-stderr "$MPIEXEC" -n 2 trainer --suite node --budget 1 --no-progress -o node.yaml "$@"
    }
    measure --cflags "-O1" --cflags "-Onono"
    [ "$status" -eq 0 ]
    grep -q 'compiled_flags: "\{0,1\}-O1' node.yaml || skip "the node's units are not known here"
    grep -q 'what: node loops compiled with -Onono, because: .*-O' node.yaml
    measure --cflags "-O3 -ffast-math" --add
    [ "$status" -eq 0 ]
    [ "$(grep -c ' compiled_flags: ' node.yaml)" -eq 3 ]
    [ "$(grep -c 'name: stencil-5' node.yaml)" -eq 3 ]
    # Instructions of a processor that nobody builds any more end no calibration.
    if flags=$(of_another_processor); then
        measure --cflags "$flags" --add
        [ "$status" -eq 0 ]
        [[ $stderr != *"llegal"* ]]
        grep -q 'compiled with .*fma4.*, because: this processor cannot run what they make' node.yaml
    fi
    # Ones of a table are read again, and of the same flags the later ones stay.
    measure --cflags "-O1" --add
    [ "$(grep -c ' compiled_flags: ' node.yaml)" -eq 3 ]
    estimator check node.yaml
    estimator show node.yaml --section node | grep -q '^latency compiled -O3 -ffast-math '
    measure --cflags "O2" --replace
    [ "$status" -eq 2 ]
    [ "$stderr" = "trainer: --cflags 'O2': expected flags such as -O3" ]
}

@test "columns are measured where they share half of a cache's sets, and an eighth, too" {
    cat >columns.c <<'C'
#define N 600
double a[N][N], sums[N];
void f(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sums[i] += a[j][i];
}
C
    estimator loops columns.c -o columns.so -- -O2
    mpiexec -n 1 trainer --loops columns.so -o columns.yaml --budget 600 --oversubscribe
    # Rows of doubles: 16 and 64 of them are two and eight lines.
    sed -n 's/.*{row: \([0-9]*\),.*crowding: \([0-9]*\),.*/\1 \2/p' columns.yaml | awk '
        $1 >= 80 && $1 % 32 == 16 { two += $2 == 1 }
        $1 >= 80 && $1 % 128 == 64 { eight += $2 == 3 }
        END { print two " and " eight; exit !(two >= 6 && eight >= 3) }'
}
