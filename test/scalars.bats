#!/usr/bin/env bats
# Scalars of C sources that loops carry: each program against the same one that keeps all values in
# an array. They need libclang; without it they are skipped.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || exit 1
    [ -x "$FORECOST_BUILD/describer/describer" ] || skip "no libclang (libclang-19-dev)"
    cat >table.yaml <<'EOT'
forecost: 4
machine: {name: table}
communication:
  - utility: point-to-point
    regions: [{t0_us: 2, rinf_mb_per_s: 1000}]
node: {rate_mflops: 1000}
EOT
    cat >latencies.yaml <<'EOT'
forecost: 4
machine: {name: latencies}
node:
  clock_mhz: 1000
  units: {add: {add: 1}, mul: {mul: 1, madd: 1}, div: {div: 4}, load: {load: 0.5}, store: {store: 1}}
  latency_cycles: {add: 3, mul: 4, madd: 4, div: 14}
EOT
}

# program FILE DISTRIBUTION BODY: a function over vectors x and y, and matrices u and b with a vector r.
program() {
    {
        printf '#include <math.h>\nstruct state { double s, t; };\n'
        printf 'static double next(double s, double x) { return s * 0.5 + x; }\n'
        printf '#pragma forecost parameters(n = 1000)\n'
        printf '#pragma forecost candidate one processors(p) distribute(%s)\n' "$2"
        printf 'void f(int n, double x[n], double y[n], double u[n][n], double b[n][n], double r[n], '
        printf 'double a, struct state *st, double *to)\n{\n%s\n}\n' "$3"
    } >"$1"
}

# total FILE: microseconds on 16 processors; or the message.
total() {
    estimator predict table.yaml "$1" -c one -p 16 --format csv 2>&1 | awk -F, '
        $1 == "all" { print $5; found = 1 } { last = $0 } END { if (!found) print last }'
}

# same DISTRIBUTION: of each pair of lines of standard input, "NAME: BODY", the programs take the same time
# within 10 %.
same() {
    local wrong=0 scalar array name
    while IFS= read -r scalar && IFS= read -r array; do
        name=${scalar%%:*}
        program "$name.c" "$1" "$(printf '%b' "${scalar#*: }")"
        program "$name-array.c" "$1" "$(printf '%b' "$array")"
        awk -v a="$(total "$name.c")" -v b="$(total "$name-array.c")" -v name="$name" 'BEGIN {
            if (a + 0 > 0 && b + 0 > 0 && a / b < 1.1 && b / a < 1.1) exit
            print name ": " a ", array " b; exit 1 }' || wrong=1
    done
    [ "$wrong" -eq 0 ]
}

# What each iteration needs of the one before makes the processors wait for one another.
@test "a scalar read before it is written is the recurrence that an array of its values is" {
    same "x[BLOCK], y[BLOCK]" <<'EOT'
prefix: double s = 0; for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; }
for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];
filter: double s = 0; for (int i = 0; i < n; i++) { s = a * x[i] + (1 - a) * s; y[i] = s; }
for (int i = 1; i < n; i++) y[i] = a * x[i] + (1 - a) * y[i - 1];
before: double s = 0; for (int i = 0; i < n; i++) { y[i] = s; s += x[i]; }
for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];
most: double m = x[0]; for (int i = 1; i < n; i++) { if (x[i] > m) m = x[i]; y[i] = m; }
for (int i = 1; i < n; i++) y[i] = fmax(y[i - 1], x[i]);
backwards: double s = 0; for (int i = n - 1; i >= 0; i--) { s = s * a + x[i]; y[i] = s; }
for (int i = n - 2; i >= 0; i--) y[i] = y[i + 1] * a + x[i];
last: double s = 0; for (int i = 0; i < n; i++) s = s * a + x[i]; y[0] = s;
for (int i = 1; i < n; i++) y[i] = y[i - 1] * a + x[i];
first: double s; for (int i = 0; i < n; i++) { if (i == 0) s = x[0]; else s = s * a + x[i]; y[i] = s; }
for (int i = 1; i < n; i++) y[i] = y[i - 1] * a + x[i];
condition: double s = 0; for (int i = 0; i < n; i++) {\n#pragma forecost probability(0.5)\nif (x[i] > 0) s += x[i]; y[i] = s; }
for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];
begins-anew: double s = 0; for (int i = 0; i < n; i++) { s = x[i] < 0 ? 0 : s + x[i]; y[i] = s; }
for (int i = 1; i < n; i++) y[i] = x[i] < 0 ? 0 : y[i - 1] + x[i];
member: st->s = 0; for (int i = 0; i < n; i++) { st->s += x[i]; y[i] = st->s; }
for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];
function: double s = 0; for (int i = 0; i < n; i++) { s = next(s, x[i]); y[i] = s; }
for (int i = 1; i < n; i++) y[i] = y[i - 1] * 0.5 + x[i];
quotient: double d = x[0]; for (int i = 1; i < n; i++) { double m = a / d; d = x[i] - m * a; y[i] = d; }
for (int i = 1; i < n; i++) y[i] = x[i] - a / y[i - 1] * a;
time-loop: for (int t = 0; t < 100; t++) { double s = 0; for (int i = 0; i < n; i++) { s += x[i]; y[i] = s; } }
for (int t = 0; t < 100; t++) for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];
two: double s = 1, t = 0; for (int i = 0; i < n; i++) { double v = a * s - 0.1 * t; t = 0.1 * s + a * t; s = v; y[i] = s; x[i] = t; }
for (int i = 1; i < n; i++) { y[i] = a * y[i - 1] - 0.1 * x[i - 1]; x[i] = 0.1 * y[i - 1] + a * x[i - 1]; }
element: double acc[2]; acc[0] = 0; for (int i = 0; i < n; i++) { acc[0] += x[i]; y[i] = acc[0]; }
for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];
pointed-at: *to = 0; for (int i = 0; i < n; i++) { *to += x[i]; y[i] = *to; }
for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];
in-head: double s; int i; for (i = 0, s = 0; i < n; s += x[i], i++) y[i] = s;
for (int i = 1; i < n; i++) y[i] = y[i - 1] + x[i];
minus: double p = 1; for (int i = 0; i < n; i++) { p *= x[i]; y[i] = (p < 0 ? -p : p); }
for (int i = 1; i < n; i++) y[i] = y[i - 1] * x[i] + (y[i - 1] < 0);
older: double f = 0, g = 1; for (int i = 0; i < n; i++) { double h = f + g * a; f = g; g = h; y[i] = h + x[i]; }
for (int i = 2; i < n; i++) y[i] = y[i - 2] + y[i - 1] * a + x[i];
EOT
}

@test "what the iteration before has loaded, and no more, makes nobody wait" {
    same "x[BLOCK], y[BLOCK]" <<'EOT'
previous: double v = x[0]; for (int i = 1; i < n; i++) { y[i] = x[i] - v; v = x[i]; }
for (int i = 1; i < n; i++) y[i] = x[i] - x[i - 1];
from-zero: double v = 0; for (int i = 0; i < n; i++) { y[i] = x[i] - v; v = x[i]; }
for (int i = 1; i < n; i++) y[i] = x[i] - x[i - 1];
in-place: double v = 0; for (int i = 0; i < n; i++) { double c = x[i]; x[i] = y[i] + c + v; v = c; }
for (int i = 1; i < n; i++) y[i] = y[i] + x[i] + x[i - 1];
two-before: double v = 0, w = 0; for (int i = 0; i < n; i++) { y[i] = x[i] - w; w = v; v = x[i]; }
for (int i = 2; i < n; i++) y[i] = x[i] - x[i - 2];
window: double v = x[0], w = x[1]; for (int i = 1; i < n - 1; i++) { double z = x[i + 1]; y[i] = v + w + z; v = w; w = z; }
for (int i = 1; i < n - 1; i++) y[i] = x[i - 1] + x[i] + x[i + 1];
change-places: double s = 1, t = 2; for (int i = 0; i < n; i++) { y[i] = s * x[i]; double v = s; s = t; t = v; }
for (int i = 0; i < n; i++) y[i] = x[i] * a;
EOT
}

@test "a scalar that is carried around two loops" {
    same "u[BLOCK][*], b[BLOCK][*], r[BLOCK]" <<'EOT'
rows: for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; j < n; j++) { s += u[i][j]; b[i][j] = s; } r[i] = s; }
for (int i = 0; i < n; i++) { for (int j = 1; j < n; j++) b[i][j] = b[i][j - 1] + u[i][j]; r[i] = b[i][n - 1]; }
between: double s = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) s += u[i][j]; r[i] = s; b[i][0] = 0; }
for (int i = 1; i < n; i++) { r[i] = r[i - 1]; for (int j = 0; j < n; j++) r[i] += u[i][j]; b[i][0] = 0; }
both: double s = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) { s += u[i][j]; b[i][j] = s; } r[i] = 0; }
for (int i = 1; i < n; i++) { b[i][0] = b[i - 1][n - 1] + u[i][0]; for (int j = 1; j < n; j++) b[i][j] = b[i][j - 1] + u[i][j]; r[i] = 0; }
start: for (int i = 1; i < n; i++) { double s = r[i - 1]; for (int j = 0; j < n; j++) s += u[i][j]; b[i][0] = s * 2; }
for (int i = 1; i < n; i++) { b[i][0] = r[i - 1]; for (int j = 0; j < n; j++) b[i][0] += u[i][j]; b[i][0] *= 2; }
EOT
    same "u[*][BLOCK], b[*][BLOCK]" <<'EOT'
columns: double s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { s += u[i][j]; b[i][j] = s; }
for (int i = 1; i < n; i++) { b[i][0] = b[i - 1][n - 1] + u[i][0]; for (int j = 1; j < n; j++) b[i][j] = b[i][j - 1] + u[i][j]; }
EOT
}

@test "a scalar that begins anew in each iteration is private to it" {
    program rows.c "u[BLOCK][*]" 'for (int i = 0; i < n; i++) { double s = 0;
        for (int j = 0; j < n; j++) s += u[i][j];
        for (int j = 0; j < n; j++) u[i][j] /= s; }'
    estimator predict table.yaml rows.c -c one -p 16 --format csv | grep '^all,16,126,0,'
    # Modified Gram-Schmidt: the owner of a column has its dot products.
    same "u[*][CYCLIC], x[CYCLIC], y[CYCLIC]" <<'EOT'
dot: x[0] = y[0] = 0; for (int k = 0; k < n; k++) { double s = 0; for (int i = 0; i < n; i++) s += u[i][k] * u[i][k]; double v = 1 / sqrt(s); for (int i = 0; i < n; i++) u[i][k] *= v; for (int j = k + 1; j < n; j++) { double d = 0; for (int i = 0; i < n; i++) d += u[i][k] * u[i][j]; for (int i = 0; i < n; i++) u[i][j] -= d * u[i][k]; } }
for (int k = 0; k < n; k++) { x[k] = 0; for (int i = 0; i < n; i++) x[k] += u[i][k] * u[i][k]; x[k] = 1 / sqrt(x[k]); for (int i = 0; i < n; i++) u[i][k] *= x[k]; for (int j = k + 1; j < n; j++) { y[j] = 0; for (int i = 0; i < n; i++) y[j] += u[i][k] * u[i][j]; for (int i = 0; i < n; i++) u[i][j] -= y[j] * u[i][k]; } }
EOT
}

# accumulations BODY: how many statements reduce, and what it takes.
accumulations() {
    program sums.c "x[BLOCK], y[BLOCK]" "$1"
    estimator describe sums.c | grep -c "reduce:"
    estimator predict table.yaml sums.c -c one -p 16 --breakdown --format csv | grep -c "pipelined" || true
}

# An array that each iteration sets before it reads it, and what a loop of its own computes of its numbers, lie where the
# iteration runs.
@test "arrays and chains that each iteration has for itself take no messages" {
    same "u[BLOCK][*], b[BLOCK][*]" <<'EOT'
row: double w[n]; for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) w[j] = u[i][j] * a; for (int j = 0; j < n; j++) b[i][j] = w[n - 1 - j]; }
for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = u[i][n - 1 - j] * a;
within: for (int i = 0; i < n; i++) { double w[n]; for (int j = 0; j < n; j++) w[j] = u[i][j] * a; for (int j = 0; j < n; j++) b[i][j] = w[n - 1 - j]; }
for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = u[i][n - 1 - j] * a;
EOT
    same "x[BLOCK], y[BLOCK]" <<'EOT'
few: double d[3]; for (int i = 1; i < n - 1; i++) { for (int k = 0; k < 3; k++) d[k] = x[i + k - 1]; y[i] = d[0] * d[1] * d[2]; }
for (int i = 1; i < n - 1; i++) y[i] = x[i - 1] * x[i] * x[i + 1];
horner: for (int i = 0; i < n; i++) { double s = 1; for (int k = 0; k < 50; k++) s = s * x[i] + a; y[i] = s; }
for (int i = 0; i < n; i++) { y[i] = 1; for (int k = 0; k < 50; k++) y[i] = y[i] * x[i] + a; }
newton: for (int i = 0; i < n; i++) { double s = x[i]; for (int k = 0; k < 50; k++) s = a * (s + x[i] / s); y[i] = s; }
for (int i = 0; i < n; i++) { y[i] = x[i]; for (int k = 0; k < 50; k++) y[i] = a * (y[i] + x[i] / y[i]); }
EOT
    same "u[BLOCK][*], r[BLOCK]" <<'EOT'
sums: for (int i = 0; i < n; i++) { double s[2] = {0}; for (int j = 0; j < n; j += 2) for (int k = 0; k < 2; k++) s[k] += u[i][j + k]; r[i] = s[0] - s[1]; }
for (int i = 0; i < n; i++) { r[i] = 0; for (int j = 0; j < n; j++) r[i] += u[i][j]; }
begun: double s; for (int t = 0; t < 9; t++) for (int i = 0; i < n; i++) { s = 0; for (int j = 0; j < n; j++) s += u[i][j]; r[i] = s; }
for (int t = 0; t < 9; t++) for (int i = 0; i < n; i++) { double s = 0; for (int j = 0; j < n; j++) s += u[i][j]; r[i] = s; }
EOT
}

@test "arrays to work in that others may read, arrays that all processors have, and rows that one iteration sets are told of" {
    program shared.c "u[BLOCK][*], b[BLOCK][*]" "for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) x[j] = u[i][j] * a;
        for (int j = 0; j < n; j++) b[i][j] = x[n - 1 - j]; }"
    estimator describe shared.c 2>remarks >/dev/null
    grep -q 'remark: shared.c:8:.*: each iteration sets what it reads of x: described as if each had that array' remarks
    program everywhere.c "u[BLOCK][*], b[BLOCK][*]" "double w[n]; for (int j = 0; j < n; j++) w[j] = 0;
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { b[i][j] = u[i][j] - w[j]; w[j] = u[i][j]; }"
    estimator describe everywhere.c 2>remarks >/dev/null
    grep -q 'remark: everywhere.c:8:.*: iterations share w, which no candidate distributes' remarks
    program once.c "u[BLOCK][*]" "for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++)
        u[i][j] = fmin(u[i][j], u[i][k] + u[k][j]);"
    estimator describe once.c 2>remarks >/dev/null
    grep -q 'remark: once.c:[89]:.*: u\[k\]\[j\], which all iterations read, is set in one of them' remarks
    # Each of 16 processors has its rows, and gets one row of 8000 bytes in each of 1000 steps.
    awk -v us="$(total once.c)" 'BEGIN { exit !(us < 2 * 1000 * 1000 * 1000 / 16 / 1000 * 1.1 + 1000 * 4 * 10.1) }'
}

@test "what accumulates, and is used for nothing else on the way, is a reduction; several are, each with its operator" {
    [ "$(accumulations 'double s = 0, p = 1, m = x[0]; for (int i = 0; i < n; i++) { s += x[i]; p *= x[i]; m = fmax(m, x[i]); }
        y[0] = s + p + m;' | tr '\n' ' ')" = "3 0 " ]
    [ "$(accumulations 'double s = 0; for (int i = 0; i < n; i++) {
#pragma forecost probability(0.5)
        if (x[i] > a) s += x[i]; } y[0] = s;' | tr '\n' ' ')" = "1 0 " ]
    # The largest element and its place.
    [ "$(accumulations 'double m = x[0]; int k = 0; for (int i = 1; i < n; i++) {
#pragma forecost probability(0.01)
        if (x[i] > m) { m = x[i]; k = i; } } y[0] = m + k;' | tr '\n' ' ')" = "2 0 " ]
    [ "$(accumulations 'double v[2]; v[0] = v[1] = 0; for (int i = 0; i < n; i++) { v[0] += x[i]; v[1] += x[i] * x[i]; }
        y[0] = v[0] / v[1];' | tr '\n' ' ')" = "2 0 " ]
    [ "$(accumulations 'double s = 0, t = 0; for (int i = 0; i < n; i++) { s += x[i]; t += s; } y[0] = t;' |
        tr '\n' ' ')" = "1 1 " ]
}

# What is assigned in the loops of a few iterations is assigned again, and reads all that each does.
@test "rows that are dealt out wait for the row before, too" {
    program dealt.c "u[CYCLIC][*], b[CYCLIC][*]" 'double s = 0; for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) { s += u[i][j]; b[i][j] = s; }'
    # A million additions, one after the other.
    awk -v total="$(total dealt.c)" 'BEGIN { exit total < 1000 }'
}

@test "a recurrence in steps of four is one" {
    program fours.c "x[BLOCK], y[BLOCK]" 'double s = 0; for (int i = 0; i < n; i += 4)
        for (int k = 0; k < 4; k++) { s = s * a + x[i + k]; y[i + k] = s; }'
    estimator predict table.yaml fours.c -c one -p 16 --breakdown --format csv | grep -c 'pipelined'
    # 1000 multiplications and additions, one after the other.
    awk -v total="$(total fours.c)" 'BEGIN { exit total < 32 }'
}

@test "straight-line code of a short loop reads what each of its iterations reads" {
    program short.c "u[*][BLOCK], b[*][BLOCK]" 'for (int i = 0; i < n; i++) for (int j = 1; j < n - 1; j++)
        for (int k = -1; k <= 1; k++) b[i][j] += u[i][j + k];'
    estimator describe short.c | grep -F '"u[i][j-1]", "u[i][j]", "u[i][j+1]"'
}

# cycles BODY: of the longest chain from one iteration to the next.
cycles() {
    program chain.c "x[BLOCK], y[BLOCK]" "$1"
    estimator bound -S -u latencies.yaml chain.c --format csv |
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "dependence_cycles") column = i; next }
                 $column > most { most = $column } END { print most + 0 }'
}

@test "chains go through all scalars: a compensated sum waits for four additions, two states for what both need" {
    [ "$(cycles 'double s = 0, c = 0; for (int i = 0; i < n; i++) { double v = x[i] - c, t = s + v;
        c = (t - s) - v; s = t; } y[0] = s;')" = 12 ]
    [ "$(cycles 'double s = 0; for (int i = 0; i < n; i++) s += x[i]; y[0] = s;')" = 3 ]
    [ "$(cycles 'double s = 0; for (int i = 0; i < n; i++) s = s * a + x[i]; y[0] = s;')" = 4 ]
    # What goes from one to the other and back takes two iterations: 14 and 3 of them.
    [ "$(cycles 'double s = 1, t = 1; for (int i = 0; i < n; i++) { double v = x[i] / t; t = s + a;
        s = v; y[i] = v; }')" = 8.5 ]
}

# The value is the one from before the loop: nobody in the loop waits for the element.
@test "an element that is kept in a scalar while a loop overwrites it is a value of its own" {
    program pivot.c "u[*][BLOCK]" 'for (int i = 0; i < n; i++) { double d = u[i][i];
        for (int j = 0; j < n; j++) u[i][j] /= d; }'
    estimator describe pivot.c >pivot.yaml
    grep -q 'writes: "u_kept\[i\]\[i\]", reads: \["u\[i\]\[i\]"\]' pivot.yaml
    grep -q 'reads: \["u\[i\]\[j\]", "u_kept\[i\]\[i\]"\]' pivot.yaml
    # As with an array of the diagonal: each of 16 processors divides its part, and all get the diagonal at once.
    same "u[*][BLOCK]" <<'EOT'
pivots: for (int i = 0; i < n; i++) { double d = u[i][i]; for (int j = 0; j < n; j++) u[i][j] /= d; }
for (int i = 0; i < n; i++) { r[i] = u[i][i]; for (int j = 0; j < n; j++) u[i][j] /= r[i]; }
EOT
    program first.c "x[BLOCK]" 'double m = x[0]; for (int i = 0; i < n; i++) x[i] -= m;'
    estimator describe first.c | grep -q 'writes: "x\[i\]", reads: \["x\[i\]", "x_kept\[0\]"\]'
    # One that the loop leaves alone is read where it lies.
    program column.c "u[*][BLOCK]" 'for (int i = 0; i < n; i++) { double d = u[i][0];
        for (int j = 1; j < n; j++) u[i][j] -= d; }'
    estimator describe column.c | grep -q 'reads: \["u\[i\]\[j\]", "u\[i\]\[0\]"\]'
}

# Nothing assigns an element before the loops come to it: all that change places do so at once, as through an array of
# what they were.
@test "elements that change places through a scalar do so at once where they were there before the loops" {
    same "u[BLOCK][*], b[BLOCK][*]" <<'EOT'
turn: b[0][0] = u[0][0]; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { double t = u[i][j]; u[i][j] = u[j][i]; u[j][i] = t; }
for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) b[i][j] = u[i][j]; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { u[i][j] = u[j][i]; u[j][i] = b[i][j]; }
EOT
    same "x[BLOCK], y[BLOCK]" <<'EOT'
back: y[0] = x[0]; for (int i = 0; i < n / 2; i++) { double t = x[i]; x[i] = x[n-1-i]; x[n-1-i] = t; }
for (int i = 0; i < n / 2; i++) y[i] = x[i]; for (int i = 0; i < n / 2; i++) { x[i] = x[n-1-i]; x[n-1-i] = y[i]; }
EOT
    estimator describe turn.c 2>&1 >turn.yaml | grep -c gets | grep -qx 0
    # Twice all the way it ends as it began, and the second half waits for the first.
    program twice.c "x[BLOCK]" 'for (int i = 0; i < n; i++) { double t = x[i]; x[i] = x[n-1-i]; x[n-1-i] = t; }'
    estimator describe twice.c 2>&1 >twice.yaml | grep -q 'twice.c:[0-9]*:[0-9]*: x\[n-i-1\] gets what x\[i\] was'
}

# Of several operations on it in an iteration, one waits for the other: latencies of 3 and, of a madd, 4.
@test "a strict bound has all operations between a sum's values" {
    local name cycles body
    while IFS=: read -r name cycles body; do
        printf 'double f(int n, const double *x)\n{\ndouble s = 0;\n%s\nreturn s;\n}\n' "$body" >"$name.c"
        estimator bound -S -u latencies.yaml "$name.c" -D n=1000 -f csv | cut -d, -f9 | tail -1 >"$name.out"
        [ "$(cat "$name.out")" = "$cycles" ] || { echo "$name: $(cat "$name.out"), not $cycles"; return 1; }
        estimator describe "$name.c" -D n=1000 | grep -q 'reduce: sum, operations: {[^}]*}\(, kernel: [a-z]*\)\?}'
    done <<'EOT'
one:3:for (int i = 0; i < n; i++) s += x[i];
beside:6:for (int i = 0; i < n; i++) s = x[i] + s + 1.5;
apart:3:for (int i = 0; i < n; i++) s += x[i] + 1.5;
both:7:for (int i = 0; i < n; i++) { s += x[i]; s -= 0.25 * x[i]; }
four:12:for (int i = 0; i < n; i += 4) s = s + x[i] + x[i + 1] + x[i + 2] + x[i + 3];
statements:12:for (int i = 0; i < n; i += 4) { s += x[i]; s += x[i + 1]; s += x[i + 2]; s += x[i + 3]; }
EOT
}

# Columns one after the other through all rows: no column begins before the one before has ended, wherever they lie.
# The sum of a million elements takes 1000 us by whatever processors, and a message at each border of rows 2 us.
@test "a sum that runs on from column to column is as serial as the array of its values" {
    local how least
    while read -r how least; do
        same "u$how, b$how" <<'EOT'
through: double s = 0; for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) { s += u[i][j]; b[i][j] = s; }
for (int j = 0; j < n; j++) { if (j > 0) b[0][j] = b[n-1][j-1] + u[0][j]; for (int i = 1; i < n; i++) b[i][j] = b[i-1][j] + u[i][j]; }
EOT
        awk -v us="$(total through.c)" -v least="$least" 'BEGIN { exit !(us > least && us < 1.1 * least) }' ||
            { echo "$how: $(total through.c)"; return 1; }
    done <<'EOT'
[*][BLOCK] 1000
[BLOCK][*] 33000
[CYCLIC][*] 2000000
[*][CYCLIC] 3000
EOT
}

# Elements that are dealt out, each of one before: all wait for one another; of a distance of two, two at a time.
@test "a chain of elements through processors takes as long as its longest part" {
    local how body least
    while IFS=: read -r how body least; do
        program chain.c "x[$how]" "for (int i = 4; i < n; i++) $body"
        awk -v us="$(total chain.c)" -v least="$least" 'BEGIN { exit !(us > 0.99 * least && us < 1.05 * least) }' ||
            { echo "$how $body: $(total chain.c)"; return 1; }
    done <<'EOT'
CYCLIC:x[i] = x[i-1] + 1.5;:2000
CYCLIC:x[i] = x[i-2] + 1.5;:1000
CYCLIC(4):x[i] = x[i-4] + 1.5;:2000
CYCLIC(100):x[i] = x[i-1] + 1.5;:18.9
EOT
}

# What a loop computes of an element before loops within it overwrite that: once for each row, divisions and all, and
# of it all columns get one message for each step. As the array of the factors has it.
@test "a factor of each row is computed once, and sent once a step" {
    local how
    for how in "[CYCLIC][*]" "[*][CYCLIC]"; do
        same "u$how, b$how" <<'EOT'
rows: b[0][0] = 1; for (int k = 0; k < n; k++) for (int i = k + 1; i < n; i++) { double l = u[i][k] / u[k][k]; for (int j = k; j < n; j++) u[i][j] -= l * u[k][j]; }
for (int k = 0; k < n; k++) { for (int i = k + 1; i < n; i++) b[i][k] = u[i][k] / u[k][k]; for (int i = k + 1; i < n; i++) for (int j = k; j < n; j++) u[i][j] -= b[i][k] * u[k][j]; }
EOT
        estimator describe rows.c >rows.yaml
        grep -q 'writes: "u_kept\[i\]\[k\]", reads: \["u\[i\]\[k\]", "u\[k\]\[k\]"\], operations: {div: 1, load: 1}' rows.yaml
        grep -q 'reads: \["u\[i\]\[j\]", "u_kept\[i\]\[k\]", "u\[k\]\[j\]"\]' rows.yaml
    done
}

@test "a sum that goes on in a second loop has a remark: each loop combines its own parts" {
    cat >pieces.c <<'EOF'
void f(int n, double v[n][n], double x[n], double z[n])
{
    for (int i = 0; i < n; i++) {
        double s = 0.0;
        for (int j = 0; j < i; j++)
            s += x[j] * v[i][j];
        for (int j = i + 1; j < n; j++)
            s += x[j] * v[i][j];
        z[i] = s;
    }
}
EOF
    estimator describe pieces.c -D n=64 2>&1 >/dev/null | grep -q '^estimator: remark: pieces.c:8:13: the sum goes on with that of the loop before'
    sed '/j < i/,+1d' pieces.c >one.c
    ! estimator describe one.c -D n=64 2>&1 >/dev/null | grep -q 'goes on with'
}
