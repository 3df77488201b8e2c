#!/bin/bash
# How near the trainer comes to closed forms among 64 simulated processors, on three machines: one
# straight line, three regions, and nodes of 8 whose links to one another are slower.
#
#   FORECOST_BUILD=BUILD FORECOST_SOURCE=SOURCE test/bench/bed64.sh [PROCESSORS [flat|piecewise|nodes]]
#
# For every utility with a closed form: the largest errors of setup and per_byte at all p that were
# measured, in per cent, and how many edges are not to the byte; of every utility the errors at 40 (n, p)
# that were not measured. Status 1 where a closed form is missed by more than 0.5 %, or an edge.
set -eu
processors=${1:-64}
only=${2:-}
bed=$FORECOST_SOURCE/test/bed/bed.sh
for built in trainer/trainer-smpi test/bed/libbed.so; do
    [ -e "$FORECOST_BUILD/$built" ] || { echo "$0: $FORECOST_BUILD/$built is not built" >&2; exit 2; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# against NEAR [FAR]: the table's regions and hops against the truth; lo:t0:rinf of each region.
against() {
    "$FORECOST_BUILD/estimator/estimator" export table.yaml --to csv | grep -E '^communication,[^,]*,region,' |
        cut -d, -f2,4,5,6,7,8 | awk -F, -v near="$1" -v has_far="${2:+1}" '
        function off(a, b) { return b == 0 ? (a < 1e-9 ? 0 : 1) : (a > b ? a - b : b - a) / b }
        # A message after the other: how many, at p as participants; 0: no closed form, or another.
        function messages(utility, p,   deep, me, at, last) {
            for (deep = 0; 2 ^ deep < p; deep++);
            if (utility == "point-to-point" || utility == "exchange") return 1
            if (has_far) return 0
            if (utility ~ /^(exchange-pairs|vSR|vSR-vector|vSR-packed)$/) return 1
            if (utility ~ /^(EXCH1|EXCH1-vector|EXCH1-packed)$/) return p > 2 ? 2 : 1
            if (utility ~ /^(broadcast|BCAST|broadcast-bc|broadcast-bc-other|broadcast-rd|synchronization)$/) return deep
            if (utility ~ /^(combine|COMBN)$/) return 2 ^ deep == p ? deep : deep + 1
            if (utility ~ /^(many-to-many|many-to-one)$/) return p - 1
            if (utility == "broadcast-bt-sender") return p > 2 ? 2 : 1
            if (utility != "broadcast-bt") return 0
            for (me = 1; me < p; me++) {
                at[me] = (me > 2 ? at[int((me - 1) / 2)] : 0) + 2 - me % 2
                if (at[me] > last) last = at[me]
            }
            return last
        }
        BEGIN { regions = split(near, text, " ")
            for (k = 1; k <= regions; k++) { split(text[k], part, ":"); lo[k] = part[1]; t0[k] = part[2]; rinf[k] = part[3] } }
        {
            p = $2 + ($1 ~ /^(broadcast|broadcast-sender|one-to-many|many-to-one)$/)
            times = messages($1, p)
            if (times == 0) next
            for (k = 1; k < regions && lo[k + 1] <= $3; k++);
            if (!($1 in rows)) names[++count] = $1
            rows[$1]++
            if ($1 != "synchronization" && $3 > 1 && $3 != lo[k]) edges[$1]++
            e = off($5, times * t0[k]); if (e > setup[$1]) setup[$1] = e
            if ($1 != "synchronization") { e = off($6, rinf[k] / times); if (e > rate[$1]) rate[$1] = e }
        }
        END {
            printf "%-20s %8s %10s %10s %6s\n", "utility", "regions", "setup%", "per_byte%", "edges"
            for (i = 1; i <= count; i++) {
                u = names[i]
                printf "%-20s %8d %10.4f %10.4f %6d\n", u, rows[u], 100 * setup[u], 100 * rate[u], edges[u]
                bad = bad || setup[u] > 0.005 || rate[u] > 0.005 || edges[u] > 0
            }
            exit bad || count == 0
        }'
}

# hops LIST NEAR-OR-FAR: what one message takes in every utility that has it, against the truth. (iSR's are
# all the messages of one vector.)
hops() {
    awk -v wanted="$1" -v truth="$2" '
        function off(a, b) { return (a > b ? a - b : b - a) / b }
        BEGIN { regions = split(truth, text, " ")
            for (k = 1; k <= regions; k++) { split(text[k], part, ":"); lo[k] = part[1]; t0[k] = part[2]; rinf[k] = part[3] } }
        /- utility:/ { from = inside = 0; is_one = $3 != "iSR"; has_bytes = $3 != "synchronization" }
        /^    [a-z_]+:/ { inside = is_one && $1 == wanted ":"; from = 0 }
        inside && /t0_us/ {
            upto = match($0, /bytes_upto: [0-9]+/) ? substr($0, RSTART + 12, RLENGTH - 12) + 0 : 1e18
            match($0, /t0_us: [0-9.e+-]+/); setup_us = substr($0, RSTART + 7, RLENGTH - 7)
            match($0, /rinf_mb_per_s: [0-9.e+-]+/); rate = substr($0, RSTART + 15, RLENGTH - 15)
            for (k = 1; k < regions && lo[k + 1] <= from; k++);
            e = off(setup_us, t0[k]); if (e > setup) setup = e
            if (has_bytes) { e = off(rate, rinf[k]); if (e > per_byte) per_byte = e }
            from = upto + 1
            rows++
        }
        END {
            printf "%-20s %8d %10.4f %10.4f\n", wanted, rows, 100 * setup, 100 * per_byte
            exit rows == 0 || setup > 0.005 || per_byte > 0.005
        }' table.yaml
}

# measure TITLE MOST-BYTES TRUTH...: trains, compares.
measure() {
    local title=$1 most=$2
    [ -z "$only" ] || [ "$only" = "${title%% *}" ] || return 0
    shift 2
    echo "$title: $processors processors, messages up to $most"
    TIMEFORMAT='trained in %R s, %U s of one core'
    rm -f table.*
    time "$bed" "$processors" "$@" -- --suite patterns,distance,express,broadcast --max-bytes "$most" -o table.yaml >/dev/null 2>&1
    against "$*" "${BED_TRUTH_FAR:-}" || status=1
    if [ -n "${BED_TRUTH_FAR:-}" ]; then
        hops hops "$*" || status=1
        hops hops_far "${BED_TRUTH_FAR//,/ }" || status=1
    fi
    "$bed" "$processors" "$@" -- --validate table.yaml --tolerance 0.01 --seed 7 2>/dev/null | grep -E 'worst at|n = ' || true
}

status=0
measure 'flat' 32k 0:5:400
measure 'piecewise' 32k 0:5:200 1025:8:500 16385:30:950
BED_GROUP=8 BED_TRUTH_FAR=0:20:100,513:25:900 measure 'nodes of 8' 16k 0:5:200 1025:8:500
exit $status
