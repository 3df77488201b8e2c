#!/bin/bash
# How well a calibration of this machine predicts points that it never saw: our regions, and one
# Hockney line over the same points beside them. For people; no test depends on it.
#
#   accuracy.sh TRAINER ESTIMATOR [LAUNCHES [SUITES [FOLDER]]]
#
# FOLDER: keeps the tables, the points and every error.
# The error of a held-out point is |model - measured| / measured, percent. The table is over the
# held-out points of all launches together, as quantiles over single launches hide the worst.
set -eu
trainer=$(realpath "$1")
estimator=$(realpath "$2")
launches=${3:-3}
suites=${4:-patterns,distance,express,broadcast}
folder=${5:-}
if [ -z "$folder" ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
fi
mkdir -p "$folder"
cd "$folder"

# The points of one utility's last attempt: a sweep that was measured again counts with that alone.
points_of() { # CSV UTILITY
    awk -F, -v u="$2" 'FNR == 1 { next } $1 == u && $(NF - 2) != a { if ($(NF - 2) > a) { a = $(NF - 2); n = 0 } else next }
        $1 == u { row[++n] = $0 } END { for (i = 1; i <= n; i++) print row[i] }' "$1"
}

# utility regions ours one-line: a row for every held-out point
errors_of() { # UTILITY REGIONS
    awk -F, -v u="$1" -v regions="$2" '
        function error(m, t) { return 100 * (m > t ? m - t : t - m) / t }
        FILENAME == "model.csv" { model[$2] = $4; next }
        $NF == 0 { w = 1 / ($6 * $6); sw += w; sx += w * $3; sxx += w * $3 * $3; st += w * $6; sxt += w * $3 * $6 }
        $NF == 1 { n++; x[n] = $3; t[n] = $6 }
        END {
            slope = (sw * sxt - sx * st) / (sw * sxx - sx * sx)
            t0 = (st - slope * sx) / sw
            for (i = 1; i <= n; i++)
                print u, regions, error(model[x[i]], t[i]), error(t0 + slope * x[i], t[i]), x[i]
        }' model.csv points.csv
}

for launch in $(seq "$launches"); do
    start=$(date +%s.%N)
    "${MPIEXEC:-mpiexec}" -n 2 "$trainer" --suite "$suites" -o "m$launch.yaml" --no-progress --seed "$launch" 2>/dev/null
    end=$(date +%s.%N)
    while read -r utility; do
        points_of "m$launch.points.csv" "$utility" >points.csv
        sizes=$(awk -F, '$NF == 1 { printf "%s%s", sep, $3; sep = "," }' points.csv)
        "$estimator" cost "m$launch.yaml" "$utility" -n "$sizes" --format csv >model.csv
        regions=$("$estimator" show "m$launch.yaml" --section "$utility" --format csv | tail -n +2 | wc -l)
        errors_of "$utility" "$regions"
    done < <(awk -F, '$NF == 1 && !seen[$1]++ { print $1 }' "m$launch.points.csv") >"errors$launch"
    awk -v launch="$launch" -v start="$start" -v end="$end" 'BEGIN { printf "launch %d: %.1f s\n", launch, end - start }'
done

# Sorted by utility and error, so that quantiles are read off by position.
quantiles() { # COLUMN
    cat errors[0-9]* | sort -k1,1 -k"$1","$1"g | awk -v column="$1" '
        function at(q,   i, j) {
            i = 1 + q * (n - 1)
            j = int(i)
            return e[j] + (i - j) * ((j < n ? e[j + 1] : e[j]) - e[j])
        }
        function flush() {
            if (n > 0)
                printf "%s %d %d %d %.1f %.1f %.1f\n", u, n, least, most, at(0.5), at(0.95), e[n]
        }
        $1 != u { flush(); u = $1; n = 0; least = most = $2 }
        { e[++n] = $column; if ($2 < least) least = $2; if ($2 > most) most = $2 }
        END { flush() }'
}
printf '%-22s %7s %8s | %7s %7s %7s | %8s %7s %7s\n' utility points regions median p95 worst "one line" p95 worst
join <(quantiles 3) <(quantiles 4) |
    awk '{ printf "%-22s %7d %8s | %6.1f%% %6.1f%% %6.1f%% | %7.1f%% %6.1f%% %6.1f%%\n", $1, $2, $3 "-" $4, $5, $6, $7, $11, $12, $13 }'
