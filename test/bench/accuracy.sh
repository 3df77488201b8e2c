#!/bin/bash
# How well a calibration of this machine predicts points that it never saw: our regions, and one
# Hockney line over the same points beside them. For people; no test depends on it.
#
#   accuracy.sh TRAINER ESTIMATOR [LAUNCHES]
#
# The error of a held-out point is |model - measured| / measured, percent.
set -eu
trainer=$1
estimator=$2
launches=${3:-3}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
printf '%-7s %-19s %8s %7s %7s | %16s %7s\n' launch utility regions median p95 "one line: median" p95
for launch in $(seq "$launches"); do
    start=$(date +%s.%N)
    "${MPIEXEC:-mpiexec}" -n 2 "$trainer" -o "m$launch.yaml" --no-progress --seed "$launch" 2>/dev/null
    end=$(date +%s.%N)
    while read -r utility; do
        # a sweep that was measured again counts with its last attempt alone
        attempt=$(awk -F, -v u="$utility" '$1 == u && $(NF - 2) > last { last = $(NF - 2) } END { print last }' "m$launch.points.csv")
        awk -F, -v u="$utility" -v a="$attempt" 'FNR == 1 || ($1 == u && $(NF - 2) == a)' "m$launch.points.csv" >points.csv
        sizes=$(awk -F, '$NF == 1 { printf "%s%s", sep, $3; sep = "," }' points.csv)
        "$estimator" cost "m$launch.yaml" "$utility" -n "$sizes" --format csv >model.csv
        regions=$("$estimator" show "m$launch.yaml" --section "$utility" --format csv | tail -n +2 | wc -l)
        awk -F, -v u="$utility" -v launch="$launch" -v regions="$regions" '
            function quantile(list, count, q,   i, j, t) {
                for (i = 2; i <= count; i++)
                    for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
                        t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
                    }
                i = 1 + q * (count - 1)
                j = int(i)
                return list[j] + (i - j) * ((j < count ? list[j + 1] : list[j]) - list[j])
            }
            FNR == 1 { next }
            FILENAME == "model.csv" { model[$2] = $4; next }
            $1 != u { next }
            $NF == 0 { w = 1 / ($6 * $6); sw += w; sx += w * $3; sxx += w * $3 * $3; st += w * $6; sxt += w * $3 * $6 }
            $NF == 1 { n++; x[n] = $3; t[n] = $6 }
            END {
                slope = (sw * sxt - sx * st) / (sw * sxx - sx * sx)
                t0 = (st - slope * sx) / sw
                for (i = 1; i <= n; i++) {
                    ours[i] = 100 * (model[x[i]] > t[i] ? model[x[i]] - t[i] : t[i] - model[x[i]]) / t[i]
                    line = t0 + slope * x[i]
                    one[i] = 100 * (line > t[i] ? line - t[i] : t[i] - line) / t[i]
                }
                printf "%-7d %-19s %8d %6.1f%% %6.1f%% | %15.1f%% %6.1f%%\n", launch, u, regions,
                    quantile(ours, n, 0.5), quantile(ours, n, 0.95), quantile(one, n, 0.5), quantile(one, n, 0.95)
            }' model.csv points.csv
    done < <(awk -F, '$NF == 1 && !seen[$1]++ { print $1 }' "m$launch.points.csv")
    awk -v launch="$launch" -v start="$start" -v end="$end" 'BEGIN { printf "%-7d whole calibration: %.1f s\n", launch, end - start }'
done
