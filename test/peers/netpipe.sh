#!/bin/bash
# Point-to-point against NetPIPE (Debian package netpipe-mpich2). The machine changes its mode from one
# second to the next (on a virtual machine by a factor of five for short messages), so both are
# launched several times in turn, NetPIPE with few repetitions, and the least time of each size is
# compared: that of the fast mode. How long each needs by default is measured once.
# For people; no test depends on it.
#
#   netpipe.sh TRAINER ESTIMATOR [ROUNDS [BYTES_MOST]]
set -eu
trainer=$1
estimator=$2
rounds=${3:-7}
most=${4:-16384}
command -v NPmpich2 >/dev/null || {
    echo "netpipe.sh: no NPmpich2: install Debian's netpipe-mpich2" >&2
    exit 77
}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
launch() { "${MPIEXEC:-mpiexec}" -bind-to core -n 2 "$@"; }
seconds() { date +%s.%N; }

for round in $(seq "$rounds"); do
    launch NPmpich2 -n 3000 -u "$most" -o "np$round" >/dev/null 2>&1
    launch "$trainer" --suite point-to-point --max-bytes "$most" --no-progress --seed "$round" -o "ours$round.yaml" 2>/dev/null
    sizes=$(awk -v most="$most" '$1 <= most { printf "%s%s", sep, $1; sep = "," }' "np$round")
    "$estimator" cost "ours$round.yaml" point-to-point -n "$sizes" --format csv | awk -F, 'NR > 1 { print $2, $4 }' >"ours$round"
done

# The least over launches at every size, then the median of the differences.
awk '
    function least(table, n, value) { if (!(n in table) || value < table[n]) table[n] = value }
    FILENAME ~ /^np/ { least(theirs, $1, $3 * 1e6); next }
    { least(ours, $1, $2) }
    END {
        for (n in ours)
            if (theirs[n] > 0)
                print 100 * (ours[n] - theirs[n]) / theirs[n]
    }' np[0-9]* ours? | sort -g | awk '
    { signed[NR] = $1; size[NR] = $1 < 0 ? -$1 : $1 }
    END {
        for (i = 2; i <= NR; i++)
            for (j = i; j > 1 && size[j - 1] > size[j]; j--) { t = size[j]; size[j] = size[j - 1]; size[j - 1] = t }
        printf "%d sizes: median difference %.1f %% (signed %+.1f %%), 95th percentile %.1f %%, largest %.1f %%\n",
            NR, size[int((NR + 1) / 2)], signed[int((NR + 1) / 2)], size[int(0.95 * NR + 0.5)], size[NR]
    }'

start=$(seconds)
launch NPmpich2 -u "$most" -o np >/dev/null 2>&1
middle=$(seconds)
launch "$trainer" --suite point-to-point --max-bytes "$most" --no-progress -o ours.yaml 2>/dev/null
end=$(seconds)
awk -v a="$start" -v b="$middle" -v c="$end" 'BEGIN {
    printf "NetPIPE %.1f s, the trainer for point-to-point %.1f s\n", b - a, c - b }'
