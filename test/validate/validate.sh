#!/bin/bash
# Predictions against the real programs of samples/, candidate by candidate.
#
#   validate.sh bed [PROCESSORS...]      on simulated machines (default 4 16 64), with a table which
#                                        the trainer makes there: communication alone, and the total
#                                        where an operation takes 1 ns
#   validate.sh mpich [PROCESSORS...]    with MPICH on this machine (default 1 2)
#
# Prints a row a comparison, and then how large the errors are and whether the order of candidates is
# right. VALIDATE_SAMPLES is another list of samples, VALIDATE_TRUTH what messages take on the bed,
# VALIDATE_TABLE the table of this machine, VALIDATE_ROUNDS how often each program is launched there
# (5; the launch that took least counts).
set -euo pipefail
where=$1
shift
source=$FORECOST_SOURCE build=$FORECOST_BUILD
estimator=$build/estimator/estimator
list=${VALIDATE_SAMPLES:-$source/test/validate/samples}
truth=${VALIDATE_TRUTH:-0:5:200 1025:8:500 16385:30:950}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# On the bed an operation of any kind takes a nanosecond, one after the other, and a miss nothing.
make_bed_table() {
    # shellcheck disable=SC2086 # regions are words
    "$source/test/bed/bed.sh" "$1" $truth -- -o "$work/table.yaml" --suite patterns,exchange-pairs --max-bytes 32k >/dev/null
    cat >>"$work/table.yaml" <<'END'
node:
  clock_mhz: 1000
  units:
    all: {add: 1, mul: 1, madd: 1, div: 1, sqrt: 1, load: 1, store: 1}
memory:
  levels:
    - {level: 1, capacity_bytes: 65536, line_bytes: 64}
    - {level: memory, load_line_cycles: 0, store_line_cycles: 0}
END
}

# run PROGRAM P ARGUMENT...: the program's own table.
run() {
    local program=$1 p=$2
    shift 2
    if [ "$where" = mpich ]; then
        ${MPIEXEC:-mpiexec} -n "$p" "$build/samples/$program/$program" "$@" repetitions=15 </dev/null
    else
        # shellcheck disable=SC2086 # regions are words
        BED_PROGRAM=$build/samples/$program/$program-smpi "$source/test/bed/bed.sh" "$p" $truth -- "$@"
    fi
}

# predicted PROGRAM DESCRIPTION CANDIDATE P NAME=VALUE...: the estimator's.
predicted() {
    local description=$source/samples/$1/$2 candidate=$3 p=$4
    shift 4
    "$estimator" predict "$work/table.yaml" "$description" -c "$candidate" -p "$p" "${@/#/-D}" --format csv
}

# part TABLE SEGMENT COLUMN: one time of it.
part() {
    awk -F, -v segment="$2" -v column="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        $1 == segment { print $at }' "$1"
}

row() {
    awk -v prefix="$1" -v predicted="$2" -v measured="$3" 'BEGIN {
        ratio = measured > 0 ? sprintf("%.4f", predicted / measured) : ""
        printf "%s,%.2f,%.2f,%s\n", prefix, predicted, measured, ratio }'
}

# compare PROGRAM DESCRIPTION CANDIDATE[:SEGMENT] P NAME=VALUE...
compare() {
    local program=$1 description=$2 candidate=${3%%:*} segment=all alternative=${3#*:} p=$4
    [ "$alternative" = "$candidate" ] || segment=$alternative
    local prefix="$description,$3,$p,${*:5}"
    shift 4
    if ! predicted "$program" "$description" "$candidate" "$p" "$@" >"$work/predicted"; then
        echo "$prefix: not predicted" >&2
        return
    fi
    if [ "$where" = bed ]; then
        run "$program" "$p" "$candidate" "$@" >"$work/silent"
        row "$prefix,communication" "$(part "$work/predicted" "$segment" communicate_us)" "$(part "$work/silent" "$segment" total_us)"
        run "$program" "$p" "$candidate" "$@" operation_ns=1 >"$work/measured"
    else
        run "$program" "$p" "$candidate" "$@" >"$work/measured"
        row "$prefix,communication" "$(part "$work/predicted" "$segment" communicate_us)" "$(part "$work/measured" "$segment" communicate_us)"
    fi
    row "$prefix,total" "$(part "$work/predicted" "$segment" total_us)" "$(part "$work/measured" "$segment" total_us)"
}

compare_all() {
    local program description settings candidates setting candidate p
    while read -r program description settings candidates; do
        for p in "$@"; do
            for setting in ${settings//;/ }; do
                for candidate in $candidates; do
                    # shellcheck disable=SC2086 # parameters are words
                    compare "$program" "$description" "$candidate" "$p" ${setting//,/ }
                done
            done
        done
    done < <(grep -v '^#' "$list")
}

# Other work on the machine only adds: of several rounds, minutes apart, each row that took least.
least_of() {
    awk -F, '
        { key = $1 FS $2 FS $3 FS $4 FS $5 }
        !(key in least) { keys[++count] = key }
        !(key in least) || $7 < least[key] { least[key] = $7; row[key] = $0 }
        END { for (i = 1; i <= count; i++) print row[keys[i]] }'
}

summarize() {
    awk -F, '
        NR == 1 || $8 == "" { next }
        {
            n[$5]++
            error[$5, n[$5]] = $8 > 1 ? $8 - 1 : 1 - $8
            group = $5 FS $1 FS $3 FS $4
            for (k = 1; k <= size[group]; k++)
                judge($5, predicted[group, k], measured[group, k], $6, $7)
            size[group]++
            predicted[group, size[group]] = $6
            measured[group, size[group]] = $7
        }
        # Only pairs that differ have an order.
        function judge_by(part, share, p1, m1, p2, m2) {
            if (m1 <= (1 + share) * m2 && m2 <= (1 + share) * m1) return
            pairs[part, share]++
            if (m1 < m2 ? p1 < p2 : p1 > p2) right[part, share]++
        }
        function judge(part, p1, m1, p2, m2) {
            judge_by(part, 0.1, p1, m1, p2, m2)
            judge_by(part, 0.3, p1, m1, p2, m2)
        }
        function sorted(part, count,   i, k, x) {
            for (i = 1; i <= count; i++) {
                x = error[part, i]
                for (k = i; k > 1 && list[k - 1] > x; k--) list[k] = list[k - 1]
                list[k] = x
            }
        }
        function report(part,   count, within, i) {
            count = n[part]
            if (!count) return
            sorted(part, count)
            for (i = 1; i <= count; i++) within += list[i] <= 0.2
            printf "%s: %d comparisons, median error %.1f %%, within 20 %%: %.0f %%, worst %.1f %%; pairs that differ by more than 10 %%: %d, %d ranked right; by more than 30 %%: %d, %d right\n",
                part, count, 100 * list[int((count + 1) / 2)], 100 * within / count, 100 * list[count],
                pairs[part, 0.1], right[part, 0.1], pairs[part, 0.3], right[part, 0.3]
        }
        END { report("communication"); report("total") }' "$1"
}

most() {
    printf '%s\n' "$@" | sort -n | tail -1
}

case $where in
bed)
    rounds=1
    [ $# -gt 0 ] || set -- 4 16 64
    make_bed_table "$(most "$@")"
    ;;
mpich)
    rounds=${VALIDATE_ROUNDS:-5}
    [ $# -gt 0 ] || set -- 1 2
    cp "${VALIDATE_TABLE:?mpich: expected the table of this machine in VALIDATE_TABLE}" "$work/table.yaml"
    ;;
esac
echo "sample,candidate,p,parameters,part,predicted_us,measured_us,ratio" | tee "$work/rows"
for ((round = 0; round < rounds; round++)); do
    compare_all "$@"
done | least_of | tee -a "$work/rows"
summarize "$work/rows"
