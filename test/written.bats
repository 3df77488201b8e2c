#!/usr/bin/env bats
# C as people write it: where sizes come from, what is passed over and said, how programs are
# compiled, and what can be done with other languages. What is described of it is in
# test/describer/rows.txt.

bats_require_minimum_version 1.5.0 # run -2

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    sp2=$FORECOST_SOURCE/machines/sp2-mpl.yaml
    export ASAN_OPTIONS=detect_leaks=0
    [ -x "${FORECOST_DESCRIBER:-$FORECOST_BUILD/describer/describer}" ] || skip "the describer was not built (no libclang)"
}

# sized NAME VALUE TEXT...: main with this before its loop has NAME as a parameter of that value, and
# as another one where -D says so.
sized() {
    local name=$1 value=$2
    shift 2
    printf '%s\n' '#include <stdio.h>' '#include <stdlib.h>' '#include <string.h>' '#include <unistd.h>' \
        'struct dims { int nx, ny; };' \
        'struct params { int n; double dt; struct dims d; int steps; };' \
        'double x[5000];' "$before" 'int main(int argc, char **argv)' '{' "$@" '#pragma forecost segment s' \
        "    for (int i = 0; i < $end; i++)" '        x[i] = 1.0;' '    return 0;' '}' >sized.c
    estimator describe sized.c >sized.yaml 2>err || { cat sized.c err; return 1; }
    grep -q "^parameters: {.*$name: $value[,}]" sized.yaml || { cat sized.c sized.yaml; return 1; }
    estimator describe sized.c -D "$name=33" 2>err | grep -q "^parameters: {.*$name: 33[,}]" || { cat sized.c err; return 1; }
}

@test "sizes have the values that a program has which runs without arguments, and -D replaces them" {
    before='' end=n
    sized n 1024 'int n = argc > 1 ? atoi(argv[1]) : 1024;'
    sized n 1024 'int n = 1024;' 'if (argc > 1) n = atoi(argv[1]);'
    sized n 1024 'int n;' 'if (argc > 1) n = strtol(argv[1], NULL, 10); else n = 1024;'
    sized n 1024 'int n = 1024, c;' 'while ((c = getopt(argc, argv, "n:")) != -1)' 'if (c == 110) n = atoi(optarg);'
    sized n 1024 'int n = 1024;' 'for (int k = 1; k < argc; k++)' 'if (!strcmp(argv[k], "-n")) n = atoi(argv[++k]);'
    sized n 1024 'int n = 1024;' 'char *s = getenv("N");' 'if (s) n = atoi(s);'
    sized n 1024 'const int n = 1024;'
    sized n 1000 'const double h = 0.01, l = 10.0;' 'int n = (int)(l / h);'
    before='enum { n = 1024 };' sized n 1024
    before='#define n 1024' sized n 1024
    before='static int n = 1024;' sized n 1024
    before='static void tell(int *to) { *to = 1024; }' sized n 1024 'int n;' 'tell(&n);'
    end=p.n
    sized n 1024 'struct params p = {.n = 1024, .steps = 7};'
    sized n 1024 'struct params p = {1024, 0.5, {3, 4}, 7};' 'if (argc > 1) p.n = atoi(argv[1]);'
    sized n 1024 'struct params q = {.dt = 0.1, .n = 1024}, p = q;'
    before='static struct params p = {.n = 1024};' sized n 1024
    before='static struct params usual(void) { return (struct params){.n = 1024}; }' sized n 1024 'struct params p = usual();'
    before='static void set(struct params *p) { p->n = 1024; }' sized n 1024 'struct params p;' 'set(&p);'
    before='' end=p.d.nx
    sized nx 300 'struct params p = {.d = {.ny = 200, .nx = 300}};'
    sized nx 300 'struct params p = {.d.nx = 300};'
    sized nx 300 'struct params p = {8, 0.5, 300, 200, 7};'
}

@test "two variables of one name with two values are two parameters" {
    cat >two.c <<'C'
void a(double *x) { int n = 100; for (int i = 0; i < n; i++) x[i] = 1.0; }
void b(double *x) { int n = 200; for (int i = 0; i < n; i++) x[i] = 2.0; }
C
    estimator describe two.c | grep -q '^parameters: {n: 100, n_2: 200}'
    estimator describe two.c -D n=50 | grep -q '^parameters: {n: 50}'
}

@test "what is called in main is described with main's sizes" {
    cat >called.c <<'C'
#include <stdlib.h>
struct params { int n; };
static void fill(const struct params *p, int m, double *x)
{
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < m; j++)
            x[i * m + j] = 1.0;
}
int main(int argc, char **argv)
{
    struct params p = {.n = 300};
    int m;
    if (argc > 1)
        p.n = atoi(argv[1]);
    m = 2 * p.n;
    fill(&p, m, malloc(p.n * m * sizeof(double)));
    return 0;
}
C
    estimator describe called.c >called.yaml 2>err
    grep -q '^parameters: {n: 300}' called.yaml
    grep -q 'loop: {j: \[0, 2\*n - 1\]}' called.yaml
    grep -q 'x: {extent: \[n, 2\*n\], order: C}' called.yaml
}

@test "set-up, output, threads and library functions: one remark each, with a place" {
    cat >said.c <<'C'
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int n = 500;
    double *x = malloc(n * sizeof *x);
    FILE *f = fopen("log", "w");
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] = sin(i) + omp_get_num_threads();
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += exp(x[i]);
    fprintf(f, "%g\n", x[1]);
    free(x);
    return 0;
}
C
    estimator describe said.c -o said.yaml -- -fopenmp 2>err
    [ "$(wc -l <err)" -eq 3 ]
    grep -q '^estimator: remark: said.c:10:1: #pragma omp parallel for (and 1 more): threads' err
    grep -q '^estimator: remark: said.c:12:16: library functions count as divisions (sin 5, exp 4)' err
    grep -q '^estimator: remark: said.c:8:17: set-up and output .* malloc, fopen, fprintf, free$' err
    grep -q 'operations: {add: 1, div: 5, store: 1}, functions: {div: 5}' said.yaml
    # A factor of 2 of what takes nearly all of the time.
    estimator predict "$sp2" said.yaml -p 1 --format csv 2>/dev/null >said.csv
    python3 - <<'P'
import csv
row = [r for r in csv.DictReader(open('said.csv')) if r['segment'] == 'all'][0]
wider = float(row['high_us']) / float(row['total_us'])
assert 1.3 < wider < 2.01, wider
P
}

@test "what a call in set-up code is not followed in leaves no trace" {
    cat >trace.c <<'C'
double mystery(double);
double u[100][100];
static void init(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i][j] = mystery(0.1 * i * j);
}
static double sum(int n)
{
    double s = 0.0;
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            s += u[k][l] * u[k][l];
    return s;
}
int main(void)
{
    double r;
    init(100);
#pragma forecost segment sum
    r = sum(100);
    return r > 1;
}
C
    estimator describe trace.c >trace.yaml 2>err
    grep -q 'writes: "s\[0\]"' trace.yaml
    estimator check trace.yaml
}

@test "a compile command's response files are read as compilers read them, or named" {
    mkdir -p build include
    echo '#define REAL float' >include/real.h
    echo 'typedef int empty;' >include/other.h
    cat >k.c <<'C'
#include "real.h"
#include "other.h"
void k(int n, REAL *a) { for (int i = 0; i < n; i++) a[i] = FACTOR * a[i]; }
C
    echo '-DFACTOR=3 "-I../include" @more.rsp' >build/flags.rsp
    echo '-DREAL_IS_KNOWN' >build/more.rsp
    echo "[{\"directory\": \"$PWD/build\", \"command\": \"cc @flags.rsp -c ../k.c\", \"file\": \"../k.c\"}]" >build/compile_commands.json
    estimator describe k.c -D n=100 | grep -q 'element_bytes: 4'
    echo "[{\"directory\": \"$PWD/build\", \"arguments\": [\"cc\", \"@flags.rsp\", \"-c\", \"../k.c\"], \"file\": \"../k.c\"}]" >build/compile_commands.json
    estimator describe k.c -D n=100 | grep -q 'element_bytes: 4'
    for wrong in 'rm build/more.rsp' 'echo @more.rsp >build/more.rsp'; do
        eval "$wrong"
        run -2 estimator describe k.c -D n=100
        [[ "$output" == *"compile_commands.json:1:2: the response file $PWD/build/more.rsp cannot be read"* ]]
    done
}

@test "sources of other languages: one line that says what can be done" {
    for file in a.f90 a.F a.cpp a.cc a.cu a.h; do
        echo 'end' >$file
        for command in "predict $sp2 $file" "describe $file" "rank $sp2 b.c $file" "check $file"; do
            # shellcheck disable=SC2086 # words
            run -2 estimator $command
            [ "${#lines[@]}" -eq 1 ]
            [[ "$output" == "estimator: $file: "*" is not read: give C files (.c) or a segment description"* ]]
        done
    done
}
