# What the scripts here have in common: sourced by abroad.sh and real.sh, which set `sources`, `work`,
# `estimator`, `compiler` and `here`. A row is of a program, a number of processors and a size.
# shellcheck shell=bash disable=SC2034,SC2154

# ABROAD_SET: a folder here with other programs and descriptions.
set=$here
[ -z "${ABROAD_SET-}" ] || set=$here/$ABROAD_SET

# programs/*.sh assign these.
kind="" source="" sizes="" repetitions=1

# A machine on which operations take no time: price_nothing TABLE.
price_nothing() {
    awk '/^[^ #]/ { skip = /^node:/ } !skip' "$1"
    printf 'node:\n  clock_mhz: 1e9\n  units:\n    all: {add: 1, mul: 1, madd: 1, div: 1, sqrt: 1, load: 1, store: 1}\n'
}

compile() { # ARGUMENT...: to $work/$program, with what times it
    "$compiler" -O2 -w "$@" "$here/split.c" -o "$work/$program" -lm
}

side() { # P: the shorter side of the squarest grid
    awk -v p="$1" 'BEGIN { for (i = 1; i * i <= p; i++) if (p % i == 0) side = i; print side }'
}

box() { # P: the squarest box, its sides in order
    awk -v p="$1" 'BEGIN {
        for (i = 1; i * i * i <= p; i++) if (p % i == 0)
            for (j = i; i * j * j <= p; j++) if (p % (i * j) == 0) box = i " " j " " p / (i * j)
        print box }'
}

box_settings() {
    local i j k
    read -r i j k <<<"$(box "$1")"
    echo "x=$i y=$j z=$k"
}

# build_once P SIZE
build_once() {
    local each=""
    [ -z "${for_each-}" ] || each="$1 $2"
    [ "$(cat "$work/built" 2>/dev/null)" = "$program $each" ] || build "$folder" "$2" "$1" >&2
    echo "$program $each" >"$work/built"
}

# answer TIME: that column of the last segment of a prediction's CSV (of the only one, or of all), its
# interval and flags. The interval is of the total.
answer() {
    awk -F, -v time="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        $at["segment"] == "all" || NR == 2 { answer = $at[time] "," $at["low_us"] "," $at["high_us"] "," $at["flags"] }
        END { print answer }'
}

# communication P SIZE [OPTION...]: by the description, on $work/table.yaml; of one of its repetitions.
communication() {
    local setting defines=()
    for setting in $(settings "$2" "$1"); do defines+=("-D$setting"); done
    "$estimator" predict --state "${REAL_STATE:-1}" "${@:3}" "$work/table.yaml" "$set/descriptions/$program.yaml" -p "$1" "${defines[@]}" --format csv |
        answer communicate_us | awk -F, -v OFS=, -v n="${described:-1}" '{ print $1 / n, $2 / n, $3 / n, $4 }'
}

# choose PROGRAM: false where its sources are not there.
choose() {
    program=$1
    unset -f again build code fill
    unset for_each fixed described
    # shellcheck source=/dev/null # of programs/
    . "$set/programs/$program.sh"
    folder=$sources/$source
    [ -d "$folder" ] || { echo "$folder is not there: $program is left out" >&2; return 1; }
    [ -f "$sources/$program.build" ] || { echo "$sources/$program.build does not say how to compile it: $program is left out" >&2; return 1; }
    # shellcheck source=/dev/null # its user's
    . "$sources/$program.build"
}
