#!/bin/bash
# Pipelines in strips of 1 to 64 on 4, 16 and 64 processors, predicted and measured on simulated platforms.
#
#   wave.sh TABLES [PLATFORM...]        nodes and fat-tree, if left out
#
# TABLES is a folder where a table of each platform (wave-PLATFORM.yaml) is trained, if it is not there.
# Prints rows of platform, processors, width of the strips, measured and predicted us, with and without a
# diagonal read; and for each number of processors what the width that is predicted to be the best takes
# longer than the best.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${FORECOST_BUILD:-$here/../..}
tables=$1
shift
[ $# -gt 0 ] || set -- nodes fat-tree
mkdir -p "$tables"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
smpicc -O2 -w "$here/wave.c" "$here/split.c" -o "$work/wave"
sed 's/"a\[j-1\]\[i\]"/&, "a[j-1][i-1]"/' "$here/wave.yaml" >"$work/diagonal.yaml"

train() { # PLATFORM
    local suites=point-to-point,exchange,one-to-many,many-to-one,point-to-point-far,exchange-pairs,halo-1,synchronization
    "$here/simulate.sh" "$1" 64 "$build/trainer/trainer-smpi" --quick --suite $suites \
        --processors=2,4,8,16,32,64 --budget 300 --max-bytes 8k -o "$tables/wave-$1.yaml" >&2
}

price_nothing() { # PLATFORM
    grep -v '^node:' "$tables/wave-$1.yaml"
    printf 'node:\n  clock_mhz: 1e9\n  units:\n    all: {add: 1, mul: 1, madd: 1, div: 1, sqrt: 1, load: 1, store: 1}\n'
}

seconds() { # PLATFORM PROCESSORS STRIP REPETITIONS
    SPLIT_WINDOW=0 "$here/simulate.sh" "$1" "$2" "$work/wave" 199 "$3" "$4" 2>/dev/null | awk '$1 == "split:" { print $2 }'
}

predicted() { # DESCRIPTION PROCESSORS STRIP
    "$build/estimator/estimator" predict "$work/table.yaml" "$1" -p "$2" -D strip="$3" --format csv |
        awk -F, '$1 == "all" { print $4 }'
}

for platform in "$@"; do
    [ -s "$tables/wave-$platform.yaml" ] || train "$platform"
    price_nothing "$platform" >"$work/table.yaml"
    for p in 4 16 64; do
        for strip in 1 2 4 8 16 32 64; do
            echo "$platform,$p,$strip,$(seconds "$platform" $p $strip 1),$(seconds "$platform" $p $strip 4),$(predicted "$here/wave.yaml" $p $strip),$(predicted "$work/diagonal.yaml" $p $strip)"
        done
    done
done | awk -F, '
    BEGIN { print "platform,p,strip,measured_us,predicted_us,with_diagonal_us,ratio" }
    { time = 1e6 * ($5 - $4) / 3; where = $1 "," $2
      printf "%s,%d,%.3f,%.3f,%.3f,%.2f\n", where, $3, time, $6, $7, $6 / time
      if (!(where in least) || time < least[where]) least[where] = time
      if (!(where in promised) || $6 < promised[where]) { promised[where] = $6; taken[where] = time; width[where] = $3 } }
    END { for (where in least) printf "%s: strips of %d, %.1f %% longer than the best\n", where, width[where], 100 * (taken[where] / least[where] - 1) }'
