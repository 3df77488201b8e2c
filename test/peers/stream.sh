#!/bin/bash
# stream.sh FOLDER TRAINER [ROUNDS [FLAGS...]]: the streams of the trainer's table over those of STREAM, whose
# stream.c lies in FOLDER, compiled with $CC (gcc) and FLAGS (-O2) and arrays as long as the trainer's: both by
# turns, ROUNDS (5) times, as such machines drift. Prints a row a kernel and round.
# For people; no test depends on it.
set -eu
folder=${1:?usage: stream.sh FOLDER TRAINER [ROUNDS [FLAGS...]]}
trainer=${2:?usage: stream.sh FOLDER TRAINER [ROUNDS [FLAGS...]]}
rounds=${3:-5}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- -O2
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
echo "kernel,stream_mb_per_s,trainer_mb_per_s,ratio"
for ((round = 0; round < rounds; round++)); do
    "${MPIEXEC:-mpiexec}" -n 2 "$trainer" --suite memory --replace -o "$directory/memory.yaml" </dev/null 2>/dev/null
    bytes=$(sed -n 's/.*kernel: copy,.*array_bytes: \([0-9]*\).*/\1/p' "$directory/memory.yaml")
    [ "$round" -gt 0 ] || "${CC:-gcc}" "$@" -DSTREAM_ARRAY_SIZE=$((bytes / 8)) "$folder/stream.c" -o "$directory/stream"
    "$directory/stream" >"$directory/said"
    for kernel in Copy Triad; do
        theirs=$(awk -v kernel="$kernel:" '$1 == kernel { print $2 }' "$directory/said")
        ours=$(sed -n "s/.*kernel: ${kernel,,}, mb_per_s: \([0-9.]*\).*/\1/p" "$directory/memory.yaml")
        awk -v kernel="${kernel,,}" -v theirs="$theirs" -v ours="$ours" \
            'BEGIN { printf "%s,%.0f,%.0f,%.3f\n", kernel, theirs, ours, ours / theirs }'
    done
done
