#!/bin/bash
# Two builds of the trainer on this machine by turns, one launch of each a round: which tables are nearer to
# the truth, the lower quartile over quick launches in between (of the first build, with another seed). For
# people; no test depends on it.
#
#   builds.sh TRAINER OTHER_TRAINER ESTIMATOR [ROUNDS [SUITES]]
set -euo pipefail
builds=("$(realpath "$1")" "$(realpath "$2")")
estimator=$(realpath "$3")
rounds=${4:-4}
suites=${5:-patterns,distance,express,broadcast}
# shellcheck source=test/bench/against.sh
source "$(dirname "$(realpath "$0")")/against.sh"
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

# launch BUILD TABLE [OPTION...]
launch() {
    "${MPIEXEC:-mpiexec}" -n 2 "${builds[$1]}" --suite "$suites" -o "$2.yaml" --no-progress "${@:3}" >/dev/null 2>&1
}

for ((round = 1; round <= rounds; round++)); do
    for build in 0 1; do
        SECONDS=0
        launch "$build" "build$build-$round"
        echo "build $build: $SECONDS s"
        launch 0 "quick$build-$round" --quick --seed 2
    done
done

# utility bytes us: of what all quick launches measured, but what has no size.
for points in quick*.points.csv; do
    awk -F, 'FNR > 1 && !seen[$1, $3]++ { print $1, $3, $6 }' "$points"
done | sort -k1,1 -k2,2n -k3,3g | awk -v all=$((2 * rounds)) '
    function flush() { if (n == all && at !~ /^synchronization/) print at, t[1 + int((n + 1) / 4)] }
    { if ($1 " " $2 != at) { flush(); at = $1 " " $2; n = 0 } t[++n] = $3 }
    END { flush() }' >truth

printf '%-22s %6s | build 0: %5s %6s %6s | build 1: %5s %6s %6s\n' utility points median p95 worst median p95 worst
for build in 0 1; do
    for table in build"$build"-*.yaml; do errors_of "$table"; done >errors
    { quantiles <errors; sed 's/^[^ ]*/all/' errors | quantiles; } | sort >of"$build"
done
join of0 of1 |
    awk '{ printf "%-22s %6d | %14.1f%% %5.1f%% %5.1f%% | %14.1f%% %5.1f%% %5.1f%%\n", $1, $2, $3, $4, $5, $7, $8, $9 }'
