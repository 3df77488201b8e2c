#!/bin/bash
# Cycles per floating-point operation of Livermore kernel 3 against the bytes of its two arrays: measured,
# tuned as the report tuned it, the bound, and the bound without misses (figure 5.6 of Abandah's report,
# for another machine).
#
#     cpf.sh TABLE >NAME.cpf.csv
#
# TABLE is the machine table of this machine; beside it as NAME.cpf.csv, `estimator plot cpf TABLE` reads
# it. In the environment: CC (cc), ESTIMATOR (estimator), CFLAGS (of the tuned build), BYTES (sizes to
# measure, 4 KB to 16 MB otherwise).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 1 ] || { echo "usage: cpf.sh TABLE" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Several sums, as the loop unrolled by hand had them.
tuned="-Ofast -march=native -funroll-loops -fvariable-expansion-in-unroller --param=max-variable-expansions-in-unroller=4"
# shellcheck disable=SC2086 # several options
"${CC:-cc}" -std=c17 -D_GNU_SOURCE ${CFLAGS:-$tuned} -o "$work/kernels" "$here/kernels.c" "$here/../core.c" "$here/livermore.c"

clock_mhz=$("${ESTIMATOR:-estimator}" show "$1" --section node --format csv | awk -F, '$1 == "clock MHz" { print $NF }')
echo "bytes,measured,bound,bound without misses"
for bytes in ${BYTES:-$(for ((i = 12; i <= 24; i++)); do echo $((1 << i)) $((3 << (i - 1))); done)}; do
    n=$((bytes / 16))
    IFS=, read -r _ _ count time _ cycles < <("$work/kernels" lfk03 "$n")
    # Cycles of the core's clock as it was, or of the table's.
    [[ $cycles != *nan* ]] || cycles=$(awk -v t="$time" -v mhz="$clock_mhz" 'BEGIN { printf "%.9g", t * mhz }')
    # The trials find their data where the ones before left them: a repetition among very many.
    "${ESTIMATOR:-estimator}" bound "$1" "$here/lfk03.yaml" -D n="$n" -D repetitions=1000000 --format csv |
        awk -F, -v OFS=, -v bytes="$bytes" -v each="$(awk -v c="$cycles" -v n="$n" -v r="$count" 'BEGIN { print c / n / r }')" '
            NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
            NR == 2 { flops = $at["flops"]; print bytes, each / flops, $at["cpf"], $at["perfect_cycles"] / flops }'
done
