#!/bin/bash
# Two builds of the trainer on this machine by turns, one launch of each a round: which tables are nearer to
# the truth. Others who use a machine make it slower for seconds or for a launch, and never quicker: the
# truth for a launch is the lower quartile over all the others, of both builds, of the quickest of the
# moments at which each measured a point. For people; no test depends on it.
#
#   builds.sh TRAINER OTHER_TRAINER ESTIMATOR [ROUNDS [SUITES [OPTION...]]]
#
# OPTION...: of the trainer. Launches that measure a point once alone (--quick of older builds) know no truth.
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

for ((round = 1; round <= rounds; round++)); do
    for build in 0 1; do
        SECONDS=0
        "${MPIEXEC:-mpiexec}" -n 2 "${builds[$build]}" --suite "$suites" -o "build$build-$round.yaml" --no-progress "${@:6}" >/dev/null 2>&1
        echo "build $build: $SECONDS s"
    done
done

# utility bytes us: the quickest of the moments, of what was measured at three of them.
for points in build*.points.csv; do
    awk -F, 'FNR > 1 && !/^synchronization/ {
            at = $1 " " $3
            if (!n[at]++ || $6 < us[at]) us[at] = $6
        }
        END { for (at in us) if (n[at] >= 3) print at, us[at] }' "$points" >"${points%.points.csv}.quickest"
done

# What most launches but that one have measured.
truth_without() { # LAUNCH
    for quickest in build*.quickest; do
        [ "$quickest" = "$1.quickest" ] || cat "$quickest"
    done | sort -k1,1 -k2,2n -k3,3g | awk -v least="$rounds" '
        function flush() { if (n >= least) print at, t[1 + int((n + 1) / 4)] }
        { if ($1 " " $2 != at) { flush(); at = $1 " " $2; n = 0 } t[++n] = $3 }
        END { flush() }'
}

for build in 0 1; do
    for table in build"$build"-*.yaml; do
        truth_without "${table%.yaml}" >truth
        errors_of "$table"
    done >errors
    { quantiles <errors; sed 's/^[^ ]*/all/' errors | quantiles; } | sort >of"$build"
done
printf '%-22s %6s | build 0: %5s %6s %6s | build 1: %5s %6s %6s\n' utility points median p95 worst median p95 worst
join of0 of1 |
    awk '{ printf "%-22s %6d | %14.1f%% %5.1f%% %5.1f%% | %14.1f%% %5.1f%% %5.1f%%\n", $1, $2, $3, $4, $5, $7, $8, $9 }'
