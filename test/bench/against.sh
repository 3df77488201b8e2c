#!/bin/bash
# For crossed.sh and builds.sh, which set $estimator: tables against a truth, a file of lines "utility bytes us".
# shellcheck disable=SC2154

# Of every line of ./truth: utility, percent that the table is off.
errors_of() { # TABLE
    cut -d' ' -f1 truth | sort -u | while read -r utility; do
        sizes=$(awk -v u="$utility" '$1 == u { printf "%s%s", sep, $2; sep = "," }' truth)
        "$estimator" cost "$1" "$utility" -n "$sizes" --format csv |
            awk -F, -v u="$utility" 'NR == FNR { split($0, part, " "); if (part[1] == u) us[part[2]] = part[3]; next }
                FNR > 1 { off = $4 / us[$2] - 1; print u, 100 * (off < 0 ? -off : off) }' truth -
    done
}

# Of lines "utility percent": utility, how many, median, 95th percentile, worst.
quantiles() {
    sort -k1,1 -k2,2g | awk '
        function at(q,   i, j) { i = 1 + q * (n - 1); j = int(i); return e[j] + (i - j) * (e[j < n ? j + 1 : j] - e[j]) }
        function flush() { if (n) printf "%s %d %.1f %.1f %.1f\n", u, n, at(0.5), at(0.95), e[n] }
        $1 != u { flush(); u = $1; n = 0 }
        { e[++n] = $2 }
        END { flush() }'
}
