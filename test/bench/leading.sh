#!/bin/bash
# leading.sh [FLAGS...]: how near the curves of a transposition and of a sweep along columns are at leading
# dimensions that nobody measured, powers of two and their neighbours among them: of square arrays, and
# of 500 rows. FLAGS (-O2) are the compiler's. MPIEXEC launches. KEEP: a folder that there
# is, for what is made. Prints a row a loop and size, then how many are within 25 %.
set -u
[ $# -gt 0 ] || set -- -O2
root=$(cd "$(dirname "$0")/../.." && pwd)
work=${KEEP:-$(mktemp -d)}
[ -n "${KEEP-}" ] || trap 'rm -rf "$work"' EXIT
cat >"$work/leading.c" <<'C'
#define N 1000
#define LEADING 1000
double a[N][LEADING], b[N][LEADING], sums[N];
void transposed(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b[j][i] = a[i][j];
}
void columns(void)
{
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            sums[j] += a[i][j];
}
C
trainer() {
    "${MPIEXEC:-mpiexec}" -n 1 "$root/trainer/trainer" --loops "$work/leading.so" "$@" </dev/null
}
"$root/estimator/estimator" loops "$work/leading.c" -o "$work/leading.so" -- "$@" || exit 1
trainer -o "$work/leading.yaml" || exit 1
for leading in 512 1000 1024 1032 2048; do
    for rows in "$leading" 500; do
        trainer --validate "$work/leading.yaml" -D N="$rows" -D LEADING="$leading" 2>/dev/null | sed "1d; s/^/$rows,$leading,/"
    done
done | tee "$work/rows"
awk -F, '{ near += $9 <= 1.25 && $9 >= 0.75 } END { printf "%d loops and sizes, within 25 %% %d\n", NR, near }' "$work/rows"
