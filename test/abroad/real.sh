#!/bin/bash
# Predictions of programs that nobody here wrote against what they take on this machine.
#
#   real.sh SOURCES TABLE [PROGRAM...]
#
# SOURCES is as for abroad.sh, TABLE this machine's. Every program (default all of programs/) is launched
# on one processor and on two (REAL_PROCESSORS), by turns, REAL_ROUNDS (7) times; the lower quartile counts. Prints
# a row for its communication, by its description, and one for its total, by its source and its measured
# loops where programs/ says how; real.awk reads them. Windows are made REAL_WINDOW (0.3) seconds long where
# the program lets one say how often it repeats; of the others the first messages are in the prediction
# (--from-start), if the table has what these take. Of two processors those launches count before and after which a
# message of 8 bytes took what the table says, within half as much again: a virtual machine's processors move
# from time to time, and messages then take several times as long. Rows without such a launch are left out;
# REAL_STATE is the state of the table (1).
# REAL_KEEP is a folder for what was measured: what is
# there already is not measured again, and rounds are added to those in it.
# shellcheck disable=SC2154 # programs/ assigns them
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sources=$(cd "$1" && pwd) table=$(realpath "$2")
shift 2
build=${FORECOST_BUILD:-$here/../..}
estimator=$build/estimator/estimator compiler=${MPICC:-mpicc}
# shellcheck source=test/abroad/common.sh
. "$here/common.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
keep=${REAL_KEEP:-$work/keep}
mkdir -p "$keep"
touch "$keep/launches"
price_nothing "$table" >"$work/table.yaml"
message=$("$estimator" cost --state "${REAL_STATE:-1}" "$table" point-to-point -n 8 --format csv | awk -F, 'NR == 2 { print $4 }')

# launch P PARTS ARGUMENT...: what split.c says of it: seconds in all, computing, and in MPI in turn; then what a
# message took before and after.
launch() {
    local p=$1 parts=$2
    shift 2
    (cd "$work" && SPLIT_REPETITIONS=$parts SPLIT_GAUGE=1 "${MPIEXEC:-mpiexec}" -n "$p" "./$program" "$@" </dev/null 2>/dev/null) |
        awk '$1 == "split:" { times = $2 " " $13 " " $15 } $1 == "gauge:" { print times, $2, $3 }'
}

# timed P SIZE: the same of a launch's repetitions; messages of the slowest and the quickest moment.
timed() {
    # shellcheck disable=SC2046 # arguments are words
    if [ -n "$(declare -F again)" ]; then
        {
            SPLIT_WINDOW=0 launch "$1" 2 $(arguments "$2" "$1")
            SPLIT_WINDOW=0 launch "$1" $((repetitions + 2)) $(again "$2" "$1")
        } | awk '{
                for (i = 1; i <= 3; i++) sum[i] += NR == 1 ? -$i : $i
                for (i = 4; i <= 5; i++) { if (NR == 1 && i == 4 || $i < least) least = $i; if ($i > most) most = $i }
            }
            END { printf "%.9f %.9f %.9f %.9f %.9f\n", sum[1], sum[2], sum[3], least, most }'
    else
        launch "$1" "$repetitions" $(arguments "$2" "$1")
    fi
}

# choose_repetitions P SIZE: as many as make a window; the same at all rounds. Twice: the first few are
# slower than all others, as memory is touched for the first time. Some programs check what they have computed
# in numbers that more than 20000 repetitions would exceed.
choose_repetitions() {
    local file=$keep/repetitions.$program.$1.$2 _
    [ -z "${fixed-}" ] || return 0
    for _ in 1 2; do
        [ ! -s "$file" ] || break
        repetitions=$(timed "$@" | awk -v n="$repetitions" -v window="${REAL_WINDOW:-0.3}" '
            { times = $1 > 0 ? window / $1 : 1; n *= times < 1 ? 1 : times > 3000 ? 3000 : times }
            END { print int(n > 20000 ? 20000 : n) }')
    done
    [ -s "$file" ] || echo "$repetitions" >"$file"
    repetitions=$(cat "$file")
}

# measure P SIZE: adds "program,p,size,all_us,computing_us,in_turn_us", of one repetition, and what a message took:
# ",before_us,after_us".
measure() {
    build_once "$@"
    choose_repetitions "$@"
    timed "$@" | awk -v key="$program,$1,$2" -v n="$repetitions" '
        { printf "%s,%.4f,%.4f,%.4f,%.4f,%.4f\n", key, 1e6 * $1 / n, 1e6 * $2 / n, 1e6 * $3 / n, 1e6 * $4, 1e6 * $5 }' >>"$keep/launches"
}

# each COMMAND...: of all programs, processor counts and sizes, COMMAND P SIZE.
each() {
    local name p size
    for name in "${programs[@]}"; do
        choose "$name" || continue
        for p in ${REAL_PROCESSORS:-1 2}; do
            for size in $sizes; do
                choose "$name"
                ! fits "$size" "$p" || "$@" "$p" "$size"
            done
        done
    done
}

# taken P SIZE: the lower quartiles over launches: all of it, its communication, and what of the rest of the time
# in MPI was waiting for a rank that was late; and how far the middle half of all of it is apart. Messages
# one way (`fill`) take what is left beside the longest computation, without what the others wait until
# the first tile has come.
taken() {
    local fill=none
    [ -z "$(declare -F fill)" ] || fill=$(fill "$2" "$1")
    awk -F, -v key="$program,$1,$2" -v fill="$fill" -v message="$message" '
        function quartile(values, n,    i, j, v) {
            for (i = 2; i <= n; i++) for (j = i; j > 1 && values[j] < values[j - 1]; j--) { v = values[j]; values[j] = values[j - 1]; values[j - 1] = v }
            return values[int((n + 3) / 4)]
        }
        function alike(us) { return us < 1.5 * message && us > message / 1.5 }
        $1 "," $2 "," $3 == key && ($2 == 1 || alike($7) && alike($8)) {
            all[++n] = $4
            own[n] = fill == "none" ? $6 : $4 - $5 * (1 + fill)
            waits[n] = $4 - $5 - own[n]
        }
        END { if (n) print quartile(all, n), quartile(own, n), quartile(waits, n), all[n + 1 - int((n + 3) / 4)] / all[int((n + 3) / 4)] }' "$keep/launches"
}

# row P SIZE WHAT MEASURED SPREAD WAITS ANSWER
row() {
    echo "$program,$kind,$3,$1,$2,$4,$7,$5,$6" |
        awk -F, -v OFS=, '{ printf "%s,%.3f,%.3f,%.3f,%.3f,%s,%.3f,%.2f,%.3f\n", $1 OFS $2 OFS $3 OFS $4 OFS $5, $6, $7, $8, $9, $10, ($6 > 0) ? $7 / $6 : 0, $11, $12 }'
}

# total P SIZE: by the source, with its loops as they were measured.
total() {
    local loops=$keep/$program.loops.yaml words=() setting said
    code "$2" "$1"
    for setting in $settings; do words+=("-D$setting"); done
    side_file "$2" "$1" >"$work/side.forecost"
    if [ ! -s "$loops" ]; then
        # shellcheck disable=SC2086 # flags are words
        if (cd "$folder" && "$estimator" loops --side "$work/side.forecost" "$file" "${words[@]}" -o "$keep/$program.so" -- -O2 $flags) >&2; then
            "${MPIEXEC:-mpiexec}" -n 2 "$build/trainer/trainer" --loops "$keep/$program.so" -o "$loops" </dev/null >&2 || true
        fi
    fi
    [ ! -s "$loops" ] || words+=(--loops "$loops")
    # shellcheck disable=SC2086
    said=$(cd "$folder" && "$estimator" predict --state "${REAL_STATE:-1}" "$table" --side "$work/side.forecost" "$file" -p "$1" "${words[@]}" --format csv -- -O2 $flags) || return 1
    answer total_us <<<"$said" | awk -F, -v OFS=, -v n="$runs" '{ print $1 / n, $2 / n, $3 / n, $4 }'
}

rows() { # P SIZE
    local all own waits spread found
    [ -z "${fixed-}" ] && repetitions=$(cat "$keep/repetitions.$program.$1.$2")
    read -r all own waits spread <<<"$(taken "$@")"
    [ -n "$all" ] || { echo "$program, p = $1, $2: the machine was in another state than the table; left out" >&2; return 0; }
    if [ "$1" -gt 1 ]; then
        # shellcheck disable=SC2086 # an option, or none
        found=$(communication "$@" ${fixed:+--from-start}) || found=nan,nan,nan,refused
        row "$1" "$2" communication "$own" "$spread" "$waits" "$found"
    fi
    [ -n "$(declare -F code)" ] || return 0
    found=$(total "$@") || found=nan,nan,nan,refused
    row "$1" "$2" total "$all" "$spread" "$waits" "$found"
}

if [ $# -gt 0 ]; then programs=("$@"); else
    for file in "$here"/programs/*.sh; do programs+=("$(basename "$file" .sh)"); done
fi
for ((round = 0; round < ${REAL_ROUNDS:-7}; round++)); do each measure; done
echo program,kind,what,p,size,measured_us,predicted_us,low_us,high_us,flags,ratio,spread,waits_us
each rows
