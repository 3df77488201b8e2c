#!/bin/bash
# Predictions against the real programs of samples/, candidate by candidate.
#
#   validate.sh bed [PROCESSORS...]      on simulated machines (default 4 16 64), with a table which
#                                        the trainer makes there: communication alone, and the total
#                                        where an operation takes 1 ns
#   validate.sh mpich [PROCESSORS...]    with MPICH on this machine (default 1 2)
#
# Prints a row a comparison, and then how large the errors are and whether the order of candidates is
# right (summary.awk). VALIDATE_SAMPLES is another list of samples, VALIDATE_TRUTH what messages take
# on the bed, VALIDATE_TABLE the table of this machine, VALIDATE_ROUNDS how often each program is
# launched there, in rounds over all of them (5; the launch that took least counts). Programs whose two
# best launches are more than 10 % apart, or of whose best one most repetitions were disturbed, are
# launched again, as often at most. The rounds' rows are added to those in the file VALIDATE_KEEP, so
# that rounds may be hours apart.
set -euo pipefail
where=$1
shift
source=$FORECOST_SOURCE build=$FORECOST_BUILD
estimator=$build/estimator/estimator
list=${VALIDATE_SAMPLES:-$source/test/validate/samples}
truth=${VALIDATE_TRUTH:-0:5:200 1025:8:500 16385:30:950}
work=$(mktemp -d)
rows=${VALIDATE_KEEP:-$work/rows}
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

# row PREFIX PREDICTED SEGMENT COLUMN MEASURED [COLUMN]: that time of both tables, and how many
# repetitions were disturbed.
row() {
    printf '%s,%.2f,%.2f,%d\n' "$1" "$(part "$2" "$3" "$4")" "$(part "$5" "$3" "${6:-$4}")" "$(part "$5" "$3" disturbed)"
}

# Segments are compared one by one; a launch tells all of them.
launched() {
    local table="$work/round/${*}"
    [ -s "$table" ] || run "$@" >"$table"
    cp "$table" "$work/measured"
}

# compare PROGRAM DESCRIPTION CANDIDATE[:SEGMENT] P NAME=VALUE...
compare() {
    local program=$1 description=$2 candidate=${3%%:*} segment=all alternative=${3#*:} p=$4
    [ "$alternative" = "$candidate" ] || segment=$alternative
    local key="$description,$3,$p,${*:5}"
    [ ! -e "$work/again" ] || grep -Fxq "$key" "$work/again" || return 0
    shift 4
    if ! predicted "$program" "$description" "$candidate" "$p" "$@" >"$work/predicted"; then
        echo "$key: not predicted" >&2
        return
    fi
    if [ "$where" = bed ]; then
        launched "$program" "$p" "$candidate" "$@"
        row "$key,communication" "$work/predicted" "$segment" communicate_us "$work/measured" total_us
        launched "$program" "$p" "$candidate" "$@" operation_ns=1
    else
        launched "$program" "$p" "$candidate" "$@"
        row "$key,communication" "$work/predicted" "$segment" communicate_us "$work/measured"
    fi
    row "$key,total" "$work/predicted" "$segment" total_us "$work/measured"
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

# Each program once; where $work/again is, those that it names.
round() {
    rm -rf "$work/round"
    mkdir "$work/round"
    compare_all "$@" >>"$rows"
}

summary() {
    awk -f "$source/test/validate/summary.awk" "$rows"
}

# Those whose two best launches do not confirm each other, or whose best one was disturbed.
unconfirmed() {
    summary | awk -F, '$5 == "total" && ($11 > 1.1 || $9 > 7) { print $1 FS $2 FS $3 FS $4 }'
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
touch "$rows"
for ((i = 0; i < rounds; i++)); do
    round "$@"
done
for ((i = 0; i < rounds; i++)); do
    unconfirmed >"$work/again"
    [ ! -s "$work/again" ] || round "$@"
done
summary
